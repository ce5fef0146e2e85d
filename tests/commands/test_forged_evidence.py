"""Evidence that lies, or is built to harm its reader: refused, reported, or not judged.

Each file is made from the small submission; a trusted key signs nothing here, as what the evidence
states is judged the same whoever signed.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from certify.commands.diff import side
from certify.commands.reproduce import reproduce
from certify.commands.reproduce.reproduce import Comparisons, compare, compare_embedded
from certify.commands.reproduce.stated import Step
from certify.errors import NotAuthentic, NotJudged, NotReadable
from certify.filing.embedded import embedded_path, read_evidence, read_part
from certify.filing.evidence import EVIDENCE, LABEL, list_attachments, part_label
from certify.signatures import verify
from certify.signatures.verify import embedded_files
from certify.worker import Limits
from tests.marks import further

from .conftest import ROOT, Pieces, Spawn, build_pieces, embed_on_page, order

PAYTABLES = ROOT / "paytables"
FIGURES = Comparisons(signer=None, pages=False)
Value = dict[str, Any]


def collect_files(pieces: Pieces, evidence: bytes | None = None) -> dict[str, bytes]:
    attached = list_attachments(pieces.filing, pieces.evidence)
    files = {file.name: file.data for file in (*attached, part_label("forged", "mathematics"))}
    return files | ({} if evidence is None else {EVIDENCE: evidence})


def write_evidence(value: Value) -> bytes:
    return (json.dumps(value, indent=1, ensure_ascii=False, sort_keys=True) + "\n").encode()


def forge(pieces: Pieces, *changes: Callable[[Value], None]) -> bytes:
    value: Value = json.loads(pieces.evidence)
    for change in changes:
        change(value)
    return write_evidence(value)


def put(*place: str | int, value: object) -> Callable[[Value], None]:
    """Return a change of one value of the evidence."""

    def change(evidence: Any) -> None:  # noqa: ANN401 - JSON
        for key in place[:-1]:
            evidence = evidence[key]
        evidence[place[-1]] = value

    return change


def find_failures(steps: Iterable[Step]) -> dict[str, str]:
    return {step.id: step.detail for step in steps if step.required and not step.passed}


def test_the_evidence_of_a_real_submission_agrees(pieces: Pieces) -> None:
    assert find_failures(compare(collect_files(pieces), None, FIGURES, None)) == {}


FORGED: dict[tuple[str | int, ...], object] = {
    ("judgements", "comparison", 0, "house_edge_percent"): "0.0001",
    ("workbook_sha256",): "0" * 64,
    ("laboratory_result",): "Certified, house edge 0.5%",
    ("judgements", "checklist"): [{"item": "rules", "state": "done"}],
    ("provenance", "records", "paytables/jurisdictions/nevada.json"): "replaces",
    ("provenance", "counts", "0" * 64): "built_in",
    ("order", "certified_by"): "a laboratory",
}


def test_every_statement_of_the_evidence_is_compared(pieces: Pieces) -> None:
    """Judgments, the digest of the workbook and added keys passed as "every figure agrees"."""
    forged = forge(pieces, *(put(*place, value=value) for place, value in FORGED.items()))
    found = find_failures(compare(collect_files(pieces, forged), None, FIGURES, None))
    assert list(found) == ["evidence"]
    for place in FORGED:
        assert f"{'/'.join(map(str, place))}: states" in found["evidence"]


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("sha256", 1),
        ("records", "many"),
        ("last", "yesterday"),
        ("standings", [{"target": "mini-pai-gow/bonus/A", "standing": "certified"}]),
    ],
)
def test_a_register_of_other_values_is_refused(pieces: Pieces, part: str, value: object) -> None:
    """The register is not embedded: nothing else tells whether its entries have their form."""
    entries = {"sha256": "0" * 64, "records": 1, "last": None}
    entries |= {"other_names": 0, "namesakes": [], "standings": []}

    def change(evidence: Value) -> None:
        evidence["register"] = entries | {part: value}

    with pytest.raises(NotAuthentic, match="is not what certify writes"):
        compare(collect_files(pieces, forge(pieces, change)), None, FIGURES, None)


def test_the_same_values_in_another_form_are_not_the_evidence(pieces: Pieces) -> None:
    compact = json.dumps(json.loads(pieces.evidence)).encode()
    found = find_failures(compare(collect_files(pieces, compact), None, FIGURES, None))
    assert found == {
        "evidence": "The evidence, made again from what was recomputed, differs: other bytes for "
        "the same values."
    }


def twice(value: Value) -> None:
    first = dict(value["results"][0], house_edge_percent="0.0001", rows=[])
    value["results"].insert(0, first)


def add_path(value: Value) -> None:
    value["order"]["command"] += " --register 'House edge 0.5 percent, certified by GLI'"


@pytest.mark.parametrize(
    "change",
    [
        twice,
        add_path,
        put("format", value=True),
        put("engine", "libraries", "certified by a laboratory: edge 0.5%", value="1"),
        put("engine", "certified", value="1"),
        put("order", "command", value="certify submit mini-pai-gow 'certified by a laboratory'"),
        put("order", "command", value="rm -r ."),
        put("engine", "libraries", "GLI-approved-edge-0.5", value="1"),
        put("engine", "libraries", "numpy", value="approved-by-GLI"),
        put("engine", "sha256", value="0.5-approved-by-GLI"),
    ],
)
def test_evidence_that_states_a_thing_twice_or_claims_in_its_margin_is_refused(
    pieces: Pieces, change: Callable[[Value], None]
) -> None:
    with pytest.raises(NotAuthentic):
        compare(collect_files(pieces, forge(pieces, change)), None, FIGURES, None)


def places(value: Any) -> Iterator[tuple[Any, Any]]:  # noqa: ANN401 - JSON
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(inner, str):
            yield value, key
        elif isinstance(inner, dict | list):
            yield from places(inner)


@pytest.mark.parametrize("character", "\x1b\n\r\x00\x7f\x9b\u200b\u202e\u2028\ufeff")
def test_evidence_holds_no_character_that_nobody_can_see(pieces: Pieces, character: str) -> None:
    """Neither in its texts, wherever they are, nor in a name; as it is or escaped."""
    value: Value = json.loads(pieces.evidence)
    every = [*places(value)]
    for part, key in every[:: len(every) // 8]:
        before, part[key] = part[key], f"{part[key]}{character}"
        with pytest.raises(NotAuthentic, match=r"no readable evidence\.json"):
            read_evidence({EVIDENCE: write_evidence(value)})
        part[key] = before
    for ascii_only in (True, False):
        data = json.dumps(value | {f"x{character}": 1}, ensure_ascii=ascii_only).encode()
        with pytest.raises(NotAuthentic, match=r"no readable evidence\.json"):
            read_evidence({EVIDENCE: data})
    assert read_evidence({EVIDENCE: write_evidence(value)}) == value


@pytest.mark.parametrize("data", [b"[]", b"{", b'{"format": 1}', b'{"format": 2, "engine": {}}'])
def test_evidence_that_certify_does_not_write_is_refused(pieces: Pieces, data: bytes) -> None:
    with pytest.raises(NotAuthentic):
        compare(collect_files(pieces, data), None, FIGURES, None)


def repeated_name(evidence: bytes) -> bytes:
    return evidence.replace(b'"format": 2', b'"format": 2,\n "format": 2', 1)


def add_mark(evidence: bytes) -> bytes:
    return b"\xef\xbb\xbf" + evidence


def utf_16(evidence: bytes) -> bytes:
    return evidence.decode().encode("utf-16")


def write_fraction(evidence: bytes) -> bytes:
    return evidence.replace(b'"format": 2', b'"format": 2.0', 1)


@pytest.mark.parametrize("form", [repeated_name, add_mark, utf_16, write_fraction])
def test_evidence_that_two_readers_read_differently_is_refused(
    pieces: Pieces, form: Callable[[bytes], bytes]
) -> None:
    data = form(pieces.evidence)
    assert data != pieces.evidence
    with pytest.raises(NotAuthentic, match="no readable evidence"):
        compare(collect_files(pieces, data), None, FIGURES, None)


@pytest.mark.parametrize(
    "name",
    ["paytables--", ".", "..", "..--..--etc--passwd", "/etc/passwd", "a/b", "a" * 300, "", "a--.b"],
)
def test_a_name_that_is_no_path_below_the_folder_is_refused(pieces: Pieces, name: str) -> None:
    with pytest.raises(NotAuthentic, match="outside its folder"):
        embedded_path(name)

    def named(value: Value) -> None:
        value["sources"][name] = "0" * 64

    with pytest.raises(NotAuthentic, match="outside its folder"):
        compare(collect_files(pieces, forge(pieces, named)), None, FIGURES, None)


def test_a_name_that_is_the_folder_of_another_is_refused(pieces: Pieces) -> None:
    def nested(value: Value) -> None:
        value["sources"] |= {"zz": "0" * 64, "zz--a": "0" * 64}

    with pytest.raises(NotAuthentic, match="the same place"):
        compare(collect_files(pieces, forge(pieces, nested)), None, FIGURES, None)


@pytest.mark.parametrize("terms", ["/etc/passwd", "../../etc/passwd", "terms.json"])
def test_terms_are_read_from_the_file_alone(pieces: Pieces, terms: str) -> None:
    """An absolute path revealed whether a file exists on the reader's machine."""

    def elsewhere(value: Value) -> None:
        value["order"]["terms"] = terms

    with pytest.raises(NotAuthentic, match="terms that are not embedded"):
        compare(collect_files(pieces, forge(pieces, elsewhere)), None, FIGURES, None)


LOOP = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"
WIDE = '{{ "a" * 10 ** 10 }}'


def embed_template(folder: Path, text: str) -> dict[str, bytes]:
    """Return the files that the rules of play embed if a project's own template prints them."""
    (folder / "paytables").mkdir()
    (folder / "certify.toml").touch()
    template = folder / "templates" / "rules.html.j2"
    template.parent.mkdir()
    template.write_text(text)
    made = build_pieces(order(accept_replaced=True), layers=(PAYTABLES, folder / "paytables"))
    assert made.filing.provenance.replaced_records == ("templates/rules.html.j2",)
    label = part_label("forged", "rules")
    return collect_files(made) | {label.name: label.data}


def test_recomputing_is_given_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A quarter of an hour and 6 GiB; two hours and 16 GiB with the verification counts."""
    given: list[tuple[int, int]] = []

    def noted(module: str, _: bytes, limits: Limits, **named: object) -> bytes:
        assert (module, named["subject"]) == (reproduce.__name__, "Recomputing the document")
        given.append((limits.seconds, limits.mebibytes))
        return b"[]"

    monkeypatch.setattr(reproduce, "run", noted)
    for again in (False, True):
        assert compare_embedded({}, None, replace(FIGURES, second_counts=again)) == []
    assert given == [(900, 6144), (7200, 16384)]


@pytest.mark.parametrize(
    ("text", "words"),
    [(LOOP, "8 s of processor time"), *further([(WIDE, "6,144 MiB of memory")])],
)
@pytest.mark.long
@pytest.mark.usefixtures("hard_limits")
def test_a_template_without_end_is_not_judged(tmp_path: Path, text: str, words: str) -> None:
    files = embed_template(tmp_path, text)
    limits = Limits(seconds=8, mebibytes=6144)
    with pytest.raises(NotJudged, match=words):
        compare_embedded(files, b"", Comparisons(signer="somebody", pages=True), limits=limits)


@pytest.mark.usefixtures("hard_limits")
def test_counting_without_end_is_not_judged(pieces: Pieces) -> None:
    """An unsigned file with many interpretations made `--figures-only` run for minutes."""
    limits = Limits(seconds=2, mebibytes=6144)
    with pytest.raises(NotJudged, match="2 s of processor time") as error:
        compare_embedded(collect_files(pieces), None, FIGURES, limits=limits)
    assert error.value.exit_code == 4


def test_the_command_never_calls_a_hostile_name_a_defect(
    pieces: Pieces, spawn: Spawn, tmp_path: Path
) -> None:
    """The names are judged above; no system has a file with this one."""

    def named(value: Value) -> None:
        value["sources"]["a" * 300] = "0" * 64

    path = tmp_path / "forged.pdf"
    path.write_bytes(embed_on_page(collect_files(pieces, forge(pieces, named))))
    ended = spawn("reproduce", path, "--figures-only")
    assert ended.returncode == 1, ended.stderr
    assert "Traceback" not in ended.stderr


DEEP = b"[" * 200_000 + b"]" * 200_000


@pytest.mark.parametrize("data", [DEEP, b"", b"[]", b"\xff", b"{"])
def test_evidence_that_certify_did_not_write_is_refused(data: bytes) -> None:
    files = embedded_files(embed_on_page({EVIDENCE: data, LABEL: data}), signed=False)
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
    path.write_bytes(embed_on_page({EVIDENCE: json.dumps(evidence).encode(), LABEL: b"{}"}))
    with pytest.raises(NotReadable, match="not a submission that certify made"):
        side(str(path))
