from pathlib import Path

import pytest

from certify.filing.documents import PARTS, render_pdf
from tests.report.conftest import whole
from tests.signatures.conftest import World, server_of_world, world
from tests.signatures.test_profiles import seal
from tests.verapdf import check_conformance, where_installed

__all__ = ["server_of_world", "world"]  # fixtures: a timestamp authority on loopback


@pytest.fixture
def documents(game: str, jurisdiction: str, world: World, tmp_path: Path) -> list[Path]:
    """Both documents, each unsigned and signed with everything that proves it later."""
    filed = whole(game, jurisdiction)
    made = []
    for part in PARTS:
        data = render_pdf(filed, part, ())
        signed = seal(data, world.identity("signer"), "B-LTA", world)
        for name, content in ((part, data), (f"{part}-signed", signed)):
            made.append(tmp_path / f"{name}.pdf")
            made[-1].write_bytes(content)
    return made


@pytest.mark.slow
@where_installed
def test_documents_conform(documents: list[Path]) -> None:
    check_conformance(documents)
