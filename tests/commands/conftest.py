"""One small submission, made once for a file of tests: six cards, one paytable with prizes."""

import contextlib
import datetime as dt
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from filelock import FileLock
from msgspec.structs import replace

from certify import storage
from certify.commands.reproduce import reproduce as reproducing
from certify.commands.submit import Signing, WrittenSubmission, submit
from certify.declare import new
from certify.engine import count_cache
from certify.filing import documents
from certify.filing.documents import (
    Part,
    build_submission,
    count_filing,
    render_pdf,
    select_attachments,
)
from certify.filing.evidence import build_evidence, part_label
from certify.filing.order import build_filing, with_register_status
from certify.model.approval import Role
from certify.model.submission import Filing, Order, Status, Submission
from certify.printing.print_pdf import Attachment
from certify.signatures.certificate import Certificate
from certify.signatures.identity import Identity
from certify.signatures.identity_folder import init_development
from certify.signatures.sign import blank_document, sign
from tests.commands.ante_and_play import ante_and_play
from tests.homes import new_home
from tests.in_process import print_once, read_in_process

ROOT = Path(__file__).parents[2]
GAME, PAYTABLE = "mini-pai-gow", "community"


def order(jurisdiction: str = "nevada", **changes: Any) -> Order:  # noqa: ANN401 - fields of an order
    asked = {"game": GAME, "paytables": (PAYTABLE,)} | changes
    return Order(jurisdiction=jurisdiction, **asked)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pieces:
    filing: Filing
    submission: Submission
    evidence: bytes

    def print_part(self, part: Part, evidence: bytes | None = None) -> bytes:
        files = select_attachments(
            self.filing, part, self.evidence if evidence is None else evidence
        )
        return render_pdf(self.submission, part, files)


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    identity: Identity
    folder: Path

    @property
    def trust(self) -> tuple[Certificate, ...]:
        """The only root."""
        return (self.identity.certificate,)

    def sign(self, pdf: bytes) -> bytes:
        """Sign a document as `submit` does."""
        return sign(pdf, identity=self.identity, reason="Preparer", location="Nevada").data


def embed_on_page(files: Mapping[str, bytes], *others: Role) -> bytes:
    """Return a blank page that embeds files and has a field for the preparer and other roles."""
    moment, stream = "D:20260101000000Z", BytesIO()
    with pikepdf.open(BytesIO(blank_document())) as pdf:
        for name, data in sorted(files.items()):
            pdf.attachments[name] = pikepdf.AttachedFileSpec(
                pdf, data, description="", mime_type="", filename=name,
                creation_date=moment, mod_date=moment,
            )  # fmt: skip
        for role in others:
            field = pdf.make_indirect(copy(pdf.Root.AcroForm.Fields[0]))
            field.T = pikepdf.String(role.field)
            pdf.Root.AcroForm.Fields.append(field)
            pdf.pages[0].obj.Annots.append(field)
        pdf.save(stream, min_version="1.7", deterministic_id=True)
    return stream.getvalue()


def sheet(own: World, files: tuple[Attachment, ...]) -> bytes:
    """Return one signed page that has no statements and embeds the files of a submission."""
    label = part_label("sheet", "rules")
    return own.sign(embed_on_page({file.name: file.data for file in (*files, label)}))


@pytest.fixture
def blank_pages(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Embed the files of each document on a blank page; return what it would print, by its id.

    Printing is most of the time of a submission. ``made`` prints all documents of one.
    """
    composed: dict[str, str] = {}

    def print_blank(
        html: str, *, document_id: str, attachments: tuple[Attachment, ...], **_: object
    ) -> bytes:
        composed[document_id] = html
        files = {file.name: file.data for file in attachments}
        return embed_on_page(files, Role.LABORATORY, Role.APPROVER)

    monkeypatch.setattr(documents, "print_pdf", print_blank)
    monkeypatch.setattr(documents, "_read_kept", lambda _: None)  # the pages of an earlier draft
    monkeypatch.setattr(documents, "_keep", lambda *_: None)
    return composed


def replace_file(files: tuple[Attachment, ...], name: str, data: bytes) -> tuple[Attachment, ...]:
    return tuple(replace(file, data=data) if file.name == name else file for file in files)


@pytest.fixture(scope="module", autouse=True)
def work_once() -> Iterator[None]:
    """Print each document once and count everything once, in all processes of the tests.

    The same HTML and files give the same bytes. Commands, and the process that reproduces a
    document, print for themselves. ``test_submit.py`` tests that certify counts again.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("certify.printing.print_pdf.run", print_once)
        patch.setattr(count_cache, "_load", lambda digest, **_: count_cache._read(digest))
        yield


@contextlib.contextmanager
def counting() -> Iterator[None]:
    """Wait while another test process counts, which probably counts the same."""
    with FileLock(storage.private(storage.cache()) / "counting.lock"):
        yield


@pytest.fixture(scope="module", autouse=True)
def reading() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        read_in_process(patch)
        yield


@pytest.fixture(scope="session")
def signing_home(tmp_path_factory: pytest.TempPathFactory) -> World:
    folder = new_home(tmp_path_factory.mktemp("home")) / "keys"
    identity = init_development(folder, name="Test Only", today=dt.datetime.now(dt.UTC).date())
    return World(identity=identity, folder=folder)


def build_pieces(
    asked: Order, status: Status = Status.DRAFT, layers: tuple[Path, ...] = ()
) -> Pieces:
    """Return the pieces of a submission; of the library in these folders, if any."""
    from hashlib import sha256

    with counting():
        filing = count_filing(with_register_status(build_filing(asked, *layers)))
        judged = build_submission(filing, status=status)
    evidence = build_evidence(judged, status)
    submission = replace(judged, evidence_sha256=sha256(evidence).hexdigest())
    return Pieces(filing=filing, submission=submission, evidence=evidence)


@pytest.fixture(scope="session")
def pieces() -> Pieces:
    return build_pieces(order())


@pytest.fixture(scope="session")
def made(signing_home: World, tmp_path_factory: pytest.TempPathFactory) -> WrittenSubmission:
    signing = Signing(identity=signing_home.identity, trust=signing_home.trust)
    with counting():
        return submit(order(kit=True), signing=signing, out=tmp_path_factory.mktemp("out"))


@pytest.fixture
def one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compare a document in this process, which makes a count once for all tests."""

    def answer(_: str, job: bytes, *__: object, **___: object) -> bytes:
        return reproducing.answer(job, lambda *_: None)

    monkeypatch.setattr(reproducing, "run", answer)


@pytest.fixture(scope="session")
def rules(made: WrittenSubmission) -> bytes:
    return find_file(made, ".rules.pdf").read_bytes()


def find_file(made: WrittenSubmission, ending: str) -> Path:
    (path,) = (file for file in made.files if file.name.endswith(ending))
    return path


Spawn = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def spawn(signing_home: World) -> Spawn:
    def command(
        *arguments: object, folder: Path = ROOT, environment: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        home = {"CERTIFY_HOME": str(signing_home.folder.parent), "PYTHONPATH": str(ROOT)}
        return subprocess.run(
            [sys.executable, "-m", "certify", *map(str, arguments)],
            cwd=folder,
            env={**os.environ, **home, **(environment or {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )

    return command


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty project, which is the working folder."""
    new.project(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def trio(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = ante_and_play(tmp_path / "project")
    monkeypatch.chdir(tmp_path / "project")
    return root
