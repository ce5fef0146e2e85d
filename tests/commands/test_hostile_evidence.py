import json
from functools import partial
from io import BytesIO
from pathlib import Path

import pikepdf
import pytest

from certify.commands.diff import side
from certify.errors import NotAuthentic, NotReadable
from certify.filing.embedded import read_evidence, read_part
from certify.filing.evidence import EVIDENCE, LABEL
from certify.signatures import verify
from certify.signatures.verify import embedded_files

DEEP = b"[" * 200_000 + b"]" * 200_000


def embedding(files: dict[str, bytes]) -> bytes:
    out, pdf = BytesIO(), pikepdf.new()
    pdf.add_blank_page()
    for name, data in files.items():
        pdf.attachments[name] = data
    pdf.save(out)
    return out.getvalue()


@pytest.mark.parametrize("data", [DEEP, b"", b"[]", b"\xff", b"{"])
def test_evidence_that_certify_did_not_write_is_refused(data: bytes) -> None:
    files = embedded_files(embedding({EVIDENCE: data, LABEL: data}), signed=False)
    assert files[EVIDENCE] == data
    with pytest.raises(NotAuthentic):
        read_evidence(files)
    with pytest.raises(NotAuthentic):
        read_part(files)


@pytest.mark.parametrize(
    "evidence",
    [
        {},
        {"sources": 5, "order": {"game": "mini-pai-gow"}},
        {"sources": {}, "order": [1]},
        {"sources": {}, "order": {"game": ["mini-pai-gow"]}},
    ],
)
def test_a_redline_of_what_certify_did_not_write_is_refused(
    evidence: dict[str, object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verify, "embedded_files", partial(embedded_files, signed=False))
    path = tmp_path / "mathematics.pdf"
    path.write_bytes(embedding({EVIDENCE: json.dumps(evidence).encode(), LABEL: b"{}"}))
    with pytest.raises(NotReadable, match="not a submission that certify made"):
        side(str(path))
