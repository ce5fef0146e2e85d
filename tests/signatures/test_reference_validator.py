"""Signed documents as DSS and pdfsig see them: nothing but fields were filled in after signing."""

import shutil
import subprocess
from io import BytesIO
from pathlib import Path

import pikepdf
import pytest

from certify.signatures.identity import Profile
from certify.signatures.sign import sign
from tests import verapdf
from tests.dss import VERSIONS, validate, where_installed
from tests.marks import further
from tests.printing.test_print_pdf import print_document, sample_html

from .conftest import World
from .test_profiles import PROFILES, accept, seal

FIXTURES = Path(__file__).parents[2] / "fixtures"
pytestmark = pytest.mark.long

OFFLINE = {"BBB_XCV_SUB_ANS", "BBB_XCV_IRDPFC_ANS", "BBB_XCV_AIA_PRES_ANS"}
"""DSS's objections to certificates whose revocation was not looked up."""

SIGNATURES = {
    "signed": 1,
    "laboratory": 2,
    "approver": 3,
    "archived": 1,
    "archived-laboratory": 2,
}

STATEMENT = (FIXTURES / "statement" / "laboratory.json").read_bytes()


@pytest.fixture(scope="module")
def documents(server_of_world: World) -> dict[str, bytes]:
    """A printed document, signed in every role and archived."""
    world = server_of_world
    people = {label: world.identity(label) for label in ("signer", "reviewer", "card")}
    document = print_document(sample_html())

    def add(data: bytes, label: str, field: str, profile: Profile = "B-B") -> bytes:
        first = field == "Signature"
        return seal(data, people[label], profile, world, field=field, certify=first)

    signed = add(document, "signer", "Signature")
    laboratory = sign(
        signed,
        identity=people["reviewer"],
        field="Laboratory",
        reason="Laboratory",
        location="Reno",
        certify=False,
        statement=STATEMENT,
        statement_lines=("Statement LAB-1", "Examined: everything"),
    ).data
    archived = add(document, "signer", "Signature", "B-LTA")
    return {
        "unsigned": document,
        "signed": signed,
        "laboratory": laboratory,
        "approver": add(laboratory, "card", "Approver"),
        "archived": archived,
        "archived-laboratory": add(archived, "reviewer", "Laboratory", "B-LTA"),
    }


def read_boxes(data: bytes) -> dict[str, bytes]:
    with pikepdf.open(BytesIO(data)) as pdf:
        return {str(field.T): field.AP.N.BBox.unparse() for field in pdf.Root.AcroForm.Fields[:3]}


def test_stamps_have_the_boxes_of_their_empty_fields(documents: dict[str, bytes]) -> None:
    boxes = read_boxes(documents["unsigned"])
    assert boxes.keys() == {"Signature", "Laboratory", "Approver"}
    assert b"." in boxes["Laboratory"]  # a box of whole points is not rounded
    assert read_boxes(documents["approver"]) == boxes


def test_an_archive_timestamp_extends_the_list_of_the_first_page(
    documents: dict[str, bytes],
) -> None:
    with pikepdf.open(BytesIO(documents["unsigned"])) as before:
        assert len(before.pages[0].obj.Annots) == 0
    with pikepdf.open(BytesIO(documents["archived"])) as after:
        (stamp,) = after.pages[0].obj.Annots
        assert stamp.V.Type == "/DocTimeStamp"


def test_documents_of_every_role_are_accepted(
    documents: dict[str, bytes], server_of_world: World
) -> None:
    for name, number in SIGNATURES.items():
        verdict = accept(documents[name], server_of_world.trust)
        assert len(verdict.signatures) == number


@pytest.fixture(scope="module")
def files(documents: dict[str, bytes], tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("signed")
    paths = [folder / f"{name}.pdf" for name in SIGNATURES]
    for path in paths:
        path.write_bytes(documents[path.stem])
    return paths


@where_installed
@pytest.mark.parametrize(
    "version", [*further(VERSIONS[:-1]), *VERSIONS[-1:]], ids=lambda version: version.name
)
def test_the_reference_validator_has_no_objection_to_a_change(
    version: Path, files: list[Path], server_of_world: World
) -> None:
    roots = [files[0].with_name(f"{name}.der") for name in ("root", "second")]
    for root in roots:
        root.write_bytes(server_of_world.certificate(root.stem).der)
    found = validate(version, roots, files)
    assert [file for file, *_ in found] == [
        path.name for path in files for _ in range(SIGNATURES[path.stem])
    ]
    for file, level, state, objections in found:
        assert level.startswith("PAdES-BASELINE-"), file
        assert state == "intact", file
        assert objections <= OFFLINE, (file, objections)


@verapdf.where_installed
def test_signatures_of_every_profile_and_a_statement_leave_the_document_conformant(
    documents: dict[str, bytes], files: list[Path], server_of_world: World
) -> None:
    """Every profile of a signer, each with another one of a reviewer."""
    world, checked = server_of_world, [path for path in files if path.stem == "approver"]
    signer, reviewer = world.identity("signer"), world.identity("reviewer")
    for first, second in zip(PROFILES, (*PROFILES[1:], PROFILES[0]), strict=True):
        once = seal(documents["unsigned"], signer, first, world)
        data = seal(once, reviewer, second, world, field="Laboratory", certify=False)
        accept(data, world.trust)
        checked.append(files[0].with_name(f"{first}-{second}.pdf"))
        checked[-1].write_bytes(data)
    verapdf.check_conformance(checked)


@pytest.mark.skipif(shutil.which("pdfsig") is None, reason="pdfsig is not installed")
def test_a_second_reader_finds_every_signature_valid(files: list[Path]) -> None:
    for path in files:
        printed = subprocess.run(
            ["pdfsig", "-nocert", path], capture_output=True, text=True, check=False
        ).stdout
        assert printed.count("Signature is Valid.") == SIGNATURES[path.stem], printed
        assert "Total document signed" in printed
