"""Files made to be read without end: each meets a limit or a plain verdict, by every command."""

import json
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from certify import worker
from certify.cli.app import run as certify
from certify.errors import NotAuthentic, NotReadable
from certify.signatures.identities.identity import FileKey, Identity
from certify.signatures.verifying import _reading
from certify.signatures.verifying import verify as verification
from certify.signatures.verifying.judgement import judge
from certify.signatures.verifying.verify import LARGEST, LIMITS, embedded_files, verify
from certify.worker import Limits, Stopped

from .conftest import EVIDENCE
from .hostile import HOSTILE

DAMAGED = (
    "The document is damaged, or was changed after it was signed: its signatures cannot be read."
)
CHANGED = "The document was changed after it was signed."
LIMITED = "The document is not accepted: it cannot be read within the limits of a verification."

ANSWERS = {
    "zeros": (DAMAGED, "nothing in its last 65,536 bytes ends a revision"),
    "per-cents": (DAMAGED, "nothing in its last 65,536 bytes ends a revision"),
    "deep-lists": (DAMAGED, "recursion"),
    "deep-dictionaries": (DAMAGED, "Failed to read dictionary key"),
    "pages-within-themselves": (CHANGED, "cannot be compared"),
    "tables-in-a-circle": (DAMAGED, "loop detected"),
    "many-revisions": (CHANGED, "The file was updated after its last signature"),
    "unfolding-object-stream": (DAMAGED, "exceeds the limit of 67108864 bytes"),
    "unfolding-object-streams": (DAMAGED, "exceeds the limit of"),
    "huge-attachment": (CHANGED, "was rewritten"),
    "shared-signature": (DAMAGED, "it has more than 50 signatures"),
}
"""What is said of those that the process would survive: the verdict, and words of the reason."""

LIMITING = ("long-name", "many-objects", "zero-width-table", "fifty-megabytes")
"""Those that only a limit ends: of time, of memory, of size."""


def test_every_hostile_file_has_its_answer() -> None:
    assert {*ANSWERS, *LIMITING} == set(HOSTILE)


@pytest.mark.parametrize("name", ANSWERS)
def test_a_hostile_file_is_refused_in_plain_words(
    name: str, signed: bytes, development: Identity
) -> None:
    data = HOSTILE[name](signed)
    assert len(data) <= LARGEST
    verdict = judge(data, trust=(development.certificate,), at=datetime.now(UTC))
    words, reason = ANSWERS[name]
    assert not verdict.authentic
    assert verdict.verdict == words
    assert reason in " ".join(check.detail for check in verdict.checks if not check.passed)


# Limits: of the process, and by every command


TOLD = """
import json, resource, sys
from certify.worker import serve

def answer(job):
    bounds = (resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_CORE)
    if job == b"spin":
        while True:
            pass
    return json.dumps([resource.getrlimit(one)[0] for one in bounds]).encode()

if __name__ == "__main__":
    sys.exit(serve(answer))
"""


@pytest.fixture
def task(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the name of a task that tells its limits, or takes all the time that there is."""
    (tmp_path / "told.py").write_text(TOLD, encoding="utf-8")
    ours = worker._environment

    def with_it(folder: str) -> dict[str, str]:
        environment = ours(folder)
        return environment | {"PYTHONPATH": f"{tmp_path}:{environment['PYTHONPATH']}"}

    monkeypatch.setattr(worker, "_environment", with_it)
    return "told"


def test_a_task_is_given_its_limits(task: str) -> None:
    given = json.loads(worker.run(task, b"", Limits(seconds=7, mebibytes=300)))
    assert given == [300 << 20, 7, 0]


def test_a_task_whose_caller_does_not_look_ends_by_itself(
    task: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = subprocess.run

    def patient(*given: object, timeout: int, **named: object) -> object:
        assert timeout == 1
        return started(*given, **named)  # type: ignore[call-overload]

    monkeypatch.setattr("certify.worker.subprocess.run", patient)
    with pytest.raises(Stopped, match="it took more than 1 s"):
        worker.run(task, b"spin", Limits(seconds=1, mebibytes=300))


def test_a_system_without_limits_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resource", None)
    assert not worker.limit(LIMITS)


def test_every_reading_is_given_the_limits(
    signed: bytes, development: Identity, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At most 20 s and 512 MiB, whatever comes in."""
    assert LIMITS.seconds <= 20
    assert LIMITS.mebibytes <= 512
    given: list[tuple[str, Limits]] = []

    def noted(module: str, _: bytes, limits: Limits) -> bytes:
        given.append((module, limits))
        raise Stopped("noted")

    monkeypatch.setattr(verification, "run", noted)
    assert not verify(signed, trust=(development.certificate,), at=datetime.now(UTC)).authentic
    with pytest.raises(NotAuthentic, match="noted"):
        embedded_files(signed)
    assert given == [("certify.signatures.verifying._reading", LIMITS)] * 2


@pytest.fixture(scope="module")
def people(development: Identity, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a root to trust, and a key to sign with."""
    folder = tmp_path_factory.mktemp("people")
    (folder / "root.pem").write_bytes(development.certificate.pem())
    assert isinstance(development.key, FileKey)
    (folder / "key.p12").write_bytes(development.key.data)
    (folder / "password").write_text(development.key.password)
    return folder


Said = tuple[int, str]
Ask = Callable[[str, bytes], Said]


@pytest.fixture
def ask(people: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Ask:
    """Return what puts a file to a command, and says how it ended and what it printed."""

    def put(command: str, data: bytes) -> Said:
        file = tmp_path / "hostile.pdf"
        file.write_bytes(data)
        more = ["--identity", f"{people}/key.p12", "--password-file", f"{people}/password"]
        code = certify(
            [*command.split(), str(file), "--trust", f"{people}/root.pem"]
            + (more if command == "countersign" else [])
        )
        told = capsys.readouterr()
        assert [path.name for path in tmp_path.iterdir()] == ["hostile.pdf"]
        return code, told.out + told.err

    return put


COMMANDS = ("verify", "reproduce", "countersign")
A_SECOND = Limits(seconds=1, mebibytes=LIMITS.mebibytes)


@pytest.mark.parametrize(
    ("command", "name", "limits"),
    [
        *((command, "many-objects", A_SECOND) for command in COMMANDS),
        ("verify", "long-name", A_SECOND),
        ("verify", "zero-width-table", Limits(seconds=LIMITS.seconds, mebibytes=110)),
    ],
)
def test_every_command_refuses_what_meets_a_limit(
    command: str, name: str, limits: Limits, signed: bytes, ask: Ask
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verification, "LIMITS", limits)
        code, said = ask(command, HOSTILE[name](signed))
    assert code == 1
    assert LIMITED in said or (name == "zero-width-table" and DAMAGED in said)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_refuses_a_file_that_is_too_large(
    command: str, signed: bytes, ask: Ask
) -> None:
    code, said = ask(command, HOSTILE["fifty-megabytes"](signed))
    assert code == 2
    assert f"at most {LARGEST:,} are read" in said


def test_figures_are_not_taken_from_what_unfolds_without_end(signed: bytes, ask: Ask) -> None:
    code, said = ask("reproduce --figures-only", HOSTILE["huge-attachment"](signed))
    assert code == 1
    assert said.startswith("Error: What the document embeds cannot be read")


def test_attachments_are_read_up_to_a_size(signed: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = json.dumps({"task": "files", "signed": True}).encode() + b"\n" + signed
    monkeypatch.setattr(_reading, "EMBEDDED", len(EVIDENCE))
    assert json.loads(_reading.answer(asked))
    monkeypatch.setattr(_reading, "EMBEDDED", len(EVIDENCE) - 1)
    with pytest.raises(NotAuthentic, match=f"has {len(EVIDENCE)} bytes; at most"):
        _reading.answer(asked)


def test_a_file_that_is_too_large_is_not_read(signed: bytes, development: Identity) -> None:
    data = HOSTILE["zeros"](signed) + b"0"
    with pytest.raises(NotReadable, match=f"at most {LARGEST:,} are read"):
        verify(data, trust=(development.certificate,), at=datetime.now(UTC))


def test_the_limited_process_gives_the_verdict_of_the_policy(
    signed: bytes, development: Identity
) -> None:
    at, trust = datetime.now(UTC), (development.certificate,)
    assert verify(signed, trust=trust, at=at) == judge(signed, trust=trust, at=at)
    assert verify(signed, trust=(), at=at) == judge(signed, trust=(), at=at)
