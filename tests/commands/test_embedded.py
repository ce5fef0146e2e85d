import hashlib
import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from certify import __version__, library
from certify.checks.r_jurisdictions.judge import build_checklist
from certify.commands.reproduce.stated import SHOWN, compare_values, listed_differences
from certify.commands.submit import Signing, _status
from certify.errors import NotAuthentic
from certify.figures.second_counts import is_covered
from certify.filing import evidence as room
from certify.filing.documents import PARTS, select_attachments
from certify.filing.embedded import read_part, unpack
from certify.filing.evidence import (
    FORMAT,
    LABEL,
    build_evidence,
    list_versions,
    other_than,
    source_name,
)
from certify.filing.order import build_filing
from certify.intake.read import read_catalog
from certify.model.submission import Filing, ItemState, Order, Status
from certify.report.compose import compose
from certify.report.rules.view import rules_view
from tests.documented_games import GAMES
from tests.html_documents import parse, read_text
from tests.marks import further
from tests.report.conftest import whole
from tests.report.test_rewording import judge_all


def test_a_part_that_certify_does_not_make_is_refused() -> None:
    with pytest.raises(NotAuthentic, match="calls itself 'cover letter'"):
        read_part({LABEL: b'{"part": "cover letter"}'})


STATED = {
    "edge": "1/2",
    "rows": [
        {"event": "flush", "n": 1, "pays": "5 to 1"},
        {"event": "pair", "n": 2},
        {"event": "x"},
    ],
    "places": [1, 2],
    "more": [1],
    "left": 1,
    "true": 1,
    "text": "Pays 5 to 1.",
    "kind": "to be written",
    "long": "x" * 100,
}
OURS = {
    "edge": "1/2",
    "rows": [{"event": "pair", "n": 2}, {"event": "flush", "n": 5, "pays": "6 to 1"}],
    "places": [1, 3],
    "more": [1, 2],
    "new": None,
    "added": {"of": "ours"},
    "true": True,
    "text": "It pays 5 to 1.",
    "kind": "5.00%",
    "long": "x",
}


def test_figures_are_told_from_texts_and_from_what_one_side_states() -> None:
    found = compare_values(STATED, OURS)
    assert sorted(found.figures) == [
        'kind: states "to be written", recomputed "5.00%"',
        "places/1: states 2, recomputed 3",
        "rows/flush/n: states 1, recomputed 5",
        'rows/flush/pays: states "5 to 1", recomputed "6 to 1"',
        "true: states 1, recomputed true",
    ]
    assert sorted(found.texts) == [
        f'long: states "{"x" * 56}..., recomputed "x"',
        'text: states "Pays 5 to 1.", recomputed "It pays 5 to 1."',
    ]
    assert sorted(found.one_sided) == [
        'added: states nothing, recomputed {"of": "ours"}',
        "left: states 1, recomputed nothing",
        "more: states 1 items, recomputed 2",
        'rows/x: states {"event": "x"}, recomputed nothing',
    ]
    assert found.equal == len(["edge", "places/0", "rows/pair/n"])


@pytest.mark.parametrize("more", [-1, 0, 1, 2])
def test_only_the_first_lines_are_listed_and_the_others_counted(more: int) -> None:
    lines = [str(number) for number in range(SHOWN + more)]
    rest = f"; and {more} more" if more > 0 else ""
    assert listed_differences(lines) == "; ".join(lines[:SHOWN]) + rest


def test_a_nested_file_of_another_build_is_laid_out_as_it_is(tmp_path: Path) -> None:
    name, data = "paytables--events.json", b"[" * 100_000
    evidence = {
        "format": FORMAT,
        "sources": {name: hashlib.sha256(data).hexdigest()},
        "order": {"game": "mini-pai-gow"},
        "provenance": {"letter": None},
        "engine": {"sha256": "0" * 64},
    }
    assert unpack({name: data}, evidence, tmp_path) == []
    (written,) = (path for path in tmp_path.rglob("*") if path.is_file())
    assert written.read_bytes() == data


# Versions that made a document, against the installed ones


def test_each_difference_is_named() -> None:
    here = list_versions()
    stated = {
        **here,
        "sha256": "0" * 64,
        "python": "2.7.18",
        "libraries": {**here["libraries"], "numpy": "1.0", "abacus": "3"},
    }
    assert other_than(stated) == [
        f"another build of certify {__version__}, or other templates",
        f"Python 2.7.18 (here {here['python']})",
        f"numpy 1.0 (here {here['libraries']['numpy']})",
        "abacus 3 (here None)",
    ]


def test_another_version_suffices() -> None:
    stated = {**list_versions(), "version": "0.0.9", "python": "2.7.18"}
    assert other_than(stated) == [f"certify 0.0.9 (here {__version__})"]


def test_what_is_not_installed_has_no_version() -> None:
    assert room._version("no-such-package") is None
    assert room._library_version("no-such-library", "version") is None
    assert room._library_version("c", "no_such_function") is None
    assert room._library_version("z", "zlibVersion") == list_versions()["libraries"]["zlib"]


JURISDICTIONS = read_catalog(library.paytables())[0].jurisdictions

WORKING = re.compile(r"--(alternatives--.*|discrepancies|published|second-counts)\.json$")


@pytest.mark.parametrize("state", sorted(JURISDICTIONS))
@pytest.mark.parametrize("game", [*GAMES[:1], *further(GAMES[1:])])
def test_attachments_by_part_and_state(game: str, state: str) -> None:
    submission = judge_all(whole(game, state), library.paytables())
    evidence = build_evidence(submission, Status.UNSIGNED)
    every = {source_name(document) for document in submission.documents}
    assert any(WORKING.search(name) for name in every)
    for part in PARTS:
        attached = {each.name: each.data for each in select_attachments(submission, part, evidence)}
        names = set(attached) - {"evidence.json"}
        stated = json.loads(attached["evidence.json"])
        public = part in ("rules", "letter") and JURISDICTIONS[state].confidential
        doubts = {f"paytables--{game}--discrepancies.json"}
        assert doubts <= every
        assert names & doubts == (doubts if part == "memo" else set())
        assert names == set(stated["sources"]) | (names - every) | (names & doubts)
        assert not {"requirements", "checklist"} & stated.get("judgements", {}).keys()
        if not public:
            assert every - doubts <= names
            continue
        assert [name for name in names if WORKING.search(name)] == []
        others = set(JURISDICTIONS) - {state}
        assert [
            name for name in names if any(f"jurisdictions--{it}." in name for it in others)
        ] == []
        assert "verification" not in stated
        assert "judgements" not in stated
        assert f"paytables--{game}--game.json" in names


# Paytables whose pays are not those for which approval is requested


SIGNING = cast("Signing", SimpleNamespace(identity=SimpleNamespace(development=False)))


def file(game: str) -> Filing:
    return build_filing(Order(game=game, jurisdiction="pennsylvania"))


@pytest.mark.parametrize(
    ("game", "status"), [("pai-gow-mania", Status.DRAFT), ("mini-pai-gow", Status.FINAL)]
)
def test_a_submission_with_a_placeholder_is_never_final(game: str, status: Status) -> None:
    assert _status(SIGNING, file(game)) is status


def test_payout_odds_that_are_placeholders_are_not_done() -> None:
    lines = {line.item.id: line for line in build_checklist(file("pai-gow-mania"), ())}
    assert lines["payout-schedule"].state is ItemState.OPEN
    assert "without placeholders" in lines["payout-schedule"].detail
    others = {line.item.id: line for line in build_checklist(file("mini-pai-gow"), ())}
    assert others["payout-schedule"].state is ItemState.DONE


def test_the_rules_of_play_mark_a_placeholder_and_ask_for_the_payouts() -> None:
    text = read_text(parse(compose("rules.html.j2", rules_view(whole("pai-gow-mania", "nevada")))))
    origin = "These are the payouts of one casino in 2004, as a web page lists them."
    assert text.count(f": Paytable fitzgeralds-2004. {origin}") == 2
    assert text.count("The payouts for which approval is requested replace these.") == 2


def test_pennsylvania_asks_for_a_regulation_of_a_new_game() -> None:
    lines = {line.item.id: line for line in build_checklist(file("pai-gow-mania"), ())}
    assert lines["petition"].state is ItemState.OPEN
    assert "chooses among the options of the code" in lines["rules-submission"].item.text


def test_an_independent_count_covers_a_paytable_with_a_placeholder() -> None:
    filed = file("pai-gow-mania")
    assert [is_covered(filed.catalog, table.target) for table in filed.placeholders] == [True] * 2
