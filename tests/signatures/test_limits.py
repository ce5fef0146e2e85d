import json
import os
import signal
import subprocess
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

from certify.cli.app import run as certify
from certify.errors import NotAuthentic, NotJudged, NotReadable
from certify.signatures import _reading
from certify.signatures import verify as verification
from certify.signatures._reading import judge
from certify.signatures.identity import FileKey, Identity
from certify.signatures.verify import LARGEST, LIMITS, embedded_files, verify
from certify.worker import Limits
from tests.marks import further

from .conftest import EVIDENCE
from .hostile import HOSTILE

DAMAGED = (
    "The document is damaged, or was changed after it was signed: its signatures cannot be read."
)
CHANGED = "The document was changed after it was signed."
LIMITED = "Error: Reading the document was stopped: it "

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


pytestmark = pytest.mark.usefixtures("hard_limits")


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


# Limits, by every command


def test_every_reading_is_given_the_limits(
    signed: bytes, development: Identity, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At most 20 s and 512 MiB, whatever comes in."""
    assert LIMITS.seconds <= 20
    assert LIMITS.mebibytes <= 512
    given: list[tuple[str, Limits]] = []

    def noted(module: str, _: bytes, limits: Limits, *, subject: str) -> bytes:
        given.append((module, limits))
        raise NotJudged(subject)

    monkeypatch.setattr(verification, "run", noted)
    with pytest.raises(NotJudged):
        verify(signed, trust=(development.certificate,), at=datetime.now(UTC))
    with pytest.raises(NotJudged):
        embedded_files(signed)
    assert given == [("certify.signatures._reading", LIMITS)] * 2


@pytest.fixture(scope="module")
def people(development: Identity, tmp_path_factory: pytest.TempPathFactory) -> Path:
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
    """Return a function that runs a command on a file, and returns its exit code and output."""

    def put(command: str, data: bytes) -> Said:
        file = tmp_path / "hostile.pdf"
        file.write_bytes(data)
        more = ["--identity", f"{people}/key.p12", "--password-file", f"{people}/password"]
        code = certify(
            [*command.split(), str(file), "--trust", f"{people}/root.pem"]
            + (more if command == "countersign" else [])
        )
        printed = capsys.readouterr()
        assert [path.name for path in tmp_path.iterdir()] == ["hostile.pdf"]
        # An error names its file; the tests below compare the rest.
        assert not printed.err or str(file) in printed.err
        return code, (printed.out + printed.err).replace(f"Error: {file}: ", "Error: ", 1)

    return put


COMMANDS = ("verify", "reproduce", "countersign")
A_SECOND = Limits(seconds=1, mebibytes=LIMITS.mebibytes)


@pytest.mark.parametrize(
    ("command", "name", "limits"),
    [
        *((command, "many-objects", A_SECOND) for command in COMMANDS),
        ("verify", "long-name", A_SECOND),
        *further([("verify", "zero-width-table", replace(LIMITS, mebibytes=110))]),
    ],
)
def test_no_command_judges_what_reaches_a_limit(
    command: str, name: str, limits: Limits, signed: bytes, ask: Ask
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verification, "LIMITS", limits)
        code, said = ask(command, HOSTILE[name](signed))
    assert code == 4
    assert said.startswith(LIMITED)
    assert "The input was not judged." in said


def test_an_authentic_document_is_accepted_by_a_reader_that_was_suspended(
    signed: bytes, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reader is stopped for longer than the seconds of processor time that it may use."""
    allowed, started = 4, subprocess.Popen
    paused: list[int] = []

    class Suspended(started):  # type: ignore[misc, valid-type]
        def __init__(self, *given: object, **named: object) -> None:
            super().__init__(*given, **named)
            paused.append(self.pid)
            os.killpg(self.pid, signal.SIGSTOP)
            threading.Timer(allowed + 1, os.killpg, [self.pid, signal.SIGCONT]).start()

    monkeypatch.setattr(subprocess, "Popen", Suspended)
    # A loader is not reused in another environment.
    monkeypatch.setenv("READER", "suspended")
    monkeypatch.setattr(verification, "LIMITS", Limits(seconds=allowed, mebibytes=LIMITS.mebibytes))
    code, said = ask("verify", signed)
    assert (code, len(paused)) == (0, 1)
    assert "unchanged since it was signed" in said


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
    assert said.startswith("Error: The embedded files cannot be read")


def test_attachments_are_read_up_to_a_size(signed: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = json.dumps({"task": "files", "signed": True}).encode() + b"\n" + signed
    monkeypatch.setattr(_reading, "EMBEDDED", len(EVIDENCE))
    assert json.loads(_reading.answer(asked, print))
    monkeypatch.setattr(_reading, "EMBEDDED", len(EVIDENCE) - 1)
    with pytest.raises(NotAuthentic, match=f"have {len(EVIDENCE)} bytes; at most"):
        _reading.answer(asked, print)


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
