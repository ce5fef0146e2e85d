from pathlib import Path

import pytest

from tests.printing.test_print_pdf import print_document, sample_html
from tests.verapdf import check_conformance, where_installed

from .conftest import World
from .test_profiles import PROFILES, accept, seal


@pytest.fixture(scope="module")
def document() -> bytes:
    return print_document(sample_html())


@pytest.fixture(scope="module")
def files(
    document: bytes, server_of_world: World, tmp_path_factory: pytest.TempPathFactory
) -> list[Path]:
    """Every profile of a signer, each with another one of a reviewer."""
    world = server_of_world
    folder = tmp_path_factory.mktemp("profiles")
    made = []
    signed = {
        profile: seal(document, world.identity("signer"), profile, world) for profile in PROFILES
    }
    for first, second in zip(PROFILES, (*PROFILES[1:], PROFILES[0]), strict=True):
        reviewer = world.identity("reviewer")
        data = seal(signed[first], reviewer, second, world, field="Laboratory", certify=False)
        accept(data, world.trust)
        made.append(folder / f"{first}-{second}.pdf")
        made[-1].write_bytes(data)
    return made


@where_installed
def test_signatures_of_every_profile_leave_the_document_conformant(files: list[Path]) -> None:
    check_conformance(files)
