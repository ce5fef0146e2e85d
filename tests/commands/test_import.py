"""Paytables imported from files as vendors send them; the published counts are the oracle."""

import io
import json
import re
import zipfile
from collections.abc import Mapping
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

import pytest

from certify import import_paytables
from certify.cli.app import run
from certify.commands.imports.records import ImportResult
from certify.declare import new as records
from certify.declare.vendor_events import Match, Question, Vocabulary, match_events, normalize
from certify.errors import CertifyError, NotJudged, NotReadable
from certify.intake.vendor_tables import Cell, VendorLine
from certify.library import find_declared, paytables
from tests.commands.vendor_files import (
    CHAN_CHU,
    dynamic_rows,
    envy_rows,
    lines,
    source_rows,
    targets,
    workbook,
    write,
    write_docx,
    write_pdf,
)

SOURCES = Path(__file__).parent / "sources"
EXPRESS, EMPEROR = "commission-free-pai-gow-express", "emperors-challenge-exposed"
MINI, OPEN = "mini-pai-gow", "dealer-open-pai-gow"
DYNASTY: Mapping[str, Any] = {"game": EXPRESS, "wager": "dynasty-bonus"}


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    records.project(tmp_path / "casino")
    monkeypatch.chdir(tmp_path / "casino")
    return tmp_path / "casino"


def states(result: ImportResult) -> dict[str, str]:
    return {table.target: table.state for table in result.tables}


TEXT_ANSWERS: Mapping[str, tuple[int, Mapping[str, Any]]] = {
    EMPEROR: (4, {
        "pays": {"3 Pair": "push;loss;loss;loss;loss;loss;loss;loss"},
        "tables": {"PT-PRG-EC-ET-D01": "-", "PT-PRG-EC-ET-D02": "-", "line 153": "-"},
    }),
    EXPRESS: (9, {
        "pays": {
            "Straight Flush": "50 to 1;50 to 1;50 to 1;50 to 1;50 to 1;45 to 1",
            "4 of a Kind": "20 to 1;25 to 1;25 to 1;25 to 1;25 to 1;25 to 1",
            "Full House": "5 to 1", "Flush": "4 to 1", "3 of a Kind": "3 to 1",
            "Straight": "2 to 1",
        },
        "tables": {"line 65": "-", "line 102": "-", "Pay Table Return Percent": "-"},
        "matches": {"Royal Flush + A/Q": "royal_flush_with_suited_ace_queen"},
    }),
    MINI: (5, {"basis": "to", "tables": {
        "Mini Pai Gow Bonus bet Pay Table with Community Bonus (Only this pay table is available "
        "with Community Bonus option)": "community"}}),
    OPEN: (0, {}),
}  # fmt: skip
"""The number of questions about the text copy of each source, and their answers.

Text loses merged cells and some headings, so those pays and tables are questions.
"""

NOT_IN_TEXT = {
    EMPEROR: {f"PT-PRG-EC-ET-D0{number}" for number in (1, 2, 3)},
    EXPRESS: {"protection/1", "red-black/1", *(f"envy/{number}" for number in range(2, 8))},
    MINI: set[str](),
    OPEN: {f"chan-chu/{number}" for number in range(1, 6)}
    | {f"envy/{number}" for number in (3, 4, 5)},
}
"""Tables whose text copy is garbled: they are left out, and none of them is read."""


@pytest.mark.parametrize("game", TEXT_ANSWERS)
def test_the_tables_of_a_source_are_imported_from_its_text_as_declared(game: str) -> None:
    path = SOURCES / f"{game}.txt"
    number, answers = TEXT_ANSWERS[game]
    assert len(import_paytables(path, game=game, preview=True).questions) == number
    result = import_paytables(path, game=game, preview=True, **answers)
    assert result.questions == ()
    declared = set(targets(paytables(), game))
    left_out = {each for each in declared if each.endswith(tuple(NOT_IN_TEXT[game]))}
    assert states(result) == dict.fromkeys(declared - left_out, "unchanged")


BOOK_ANSWERS: Mapping[str, tuple[int, Mapping[str, Any]]] = {
    EMPEROR: (3, {"base_wager_cents": 100}),
    EXPRESS: (2, {
        "matches": TEXT_ANSWERS[EXPRESS][1]["matches"],
        "tables": {"sheet Tables, row 65": "-", "sheet Tables, row 102": "-"},
    }),
    MINI: TEXT_ANSWERS[MINI],
    OPEN: (0, {}),
}  # fmt: skip


@pytest.mark.parametrize("game", BOOK_ANSWERS)
def test_the_tables_of_a_source_are_imported_from_a_workbook_as_declared(
    game: str, tmp_path: Path
) -> None:
    text = (SOURCES / f"{game}.txt").read_text(encoding="utf-8")
    sheets = {"Tables": dynamic_rows(source_rows(text))}
    if game == EXPRESS:
        sheets["Envy"] = envy_rows(text)
    if game == OPEN:
        sheets["Chan Chu"] = lines(CHAN_CHU)
    path = write(tmp_path / "tables.xlsx", workbook(sheets))
    number, answers = BOOK_ANSWERS[game]
    assert len(import_paytables(path, game=game, preview=True).questions) == number
    result = import_paytables(path, game=game, preview=True, **answers)
    assert result.questions == ()
    declared = set(targets(paytables(), game))
    assert states(result) == dict.fromkeys(declared, "unchanged")


def test_a_source_without_a_table_is_refused(tmp_path: Path) -> None:
    path = write(
        tmp_path / "mania.txt", "Pai Gow Mania\n\nPlayers are paid by the bonus schedule.\n"
    )
    with pytest.raises(NotReadable, match="has no table of pays"):
        import_paytables(path, game="pai-gow-mania")


# Events and counts as the detailed return table of Commission Free Pai Gow Express prints them.
COUNTED = (
    ("natural_seven_card_straight_flush", "8000 to 1", 32),
    ("royal_flush_with_suited_ace_queen", "2000 to 1", 72),
    ("joker_seven_card_straight_flush", "1000 to 1", 196),
    ("five_aces", "400 to 1", 1128),
    ("royal_flush", "150 to 1", 26020),
    ("straight_flush", "50 to 1", 184644),
    ("four_of_a_kind", "25 to 1", 307472),
    ("full_house", "5 to 1", 4188528),
    ("flush", "4 to 1", 6172088),
    ("three_of_a_kind", "3 to 1", 7672500),
    ("straight", "2 to 1", 11034204),
)
ROYAL = {"Royal + AQ": "royal_flush_with_suited_ace_queen"}
NAMES = (
    "7-Card SF (No Joker)", "Royal + AQ", "7 Card S/F w/ Joker", "5 Aces", "Royal", "Str. Flush",
    "Quads", "Boat", "5-Card Flush", "Trips", "Straight",
)  # fmt: skip


def par_rows(names: tuple[str, ...] = NAMES) -> list[list[str]]:
    body = [[name, pay, f"{count:,}"] for name, (_, pay, count) in zip(names, COUNTED, strict=True)]
    return [["PAR sheet"], ["Pay Table 21"], ["Hand", "Pays", "Combos"], *body]


def read(path: Path, **answers: Any) -> dict[str, list[tuple[str, str]]]:  # noqa: ANN401
    """Return the events and the pays of every table that was read; there must be no question."""
    result = import_paytables(path, preview=True, **{**DYNASTY, **answers})
    assert result.questions == ()
    return {
        table.target.rpartition("/")[2]: [(row["event"], row["pays"]) for row in table.rows]
        for table in result.tables
    }


EXPECTED = [(event, pay) for event, pay, _ in COUNTED]


def doubts(path: Path, **answers: Any) -> set[str]:  # noqa: ANN401
    """Return the names of the doubtful lines; nothing may be read as an event for them."""
    result = import_paytables(path, **{**DYNASTY, **answers})
    assert result.refused
    assert not result.written
    return {question.name for question in result.questions}


def test_layout_of_a_par_sheet_is_matched_by_synonyms_and_counts(tmp_path: Path) -> None:
    path = write(tmp_path / "par.xlsx", workbook({"PAR": par_rows()}))
    assert doubts(path) == {"Royal + AQ"}  # 72 hands: of the ace and king as well
    (table,) = import_paytables(path, **DYNASTY).tables
    assert (table.state, table.house_edge) == ("doubtful", None)
    read_rows = [("" if event == ROYAL["Royal + AQ"] else event, pay) for event, pay in EXPECTED]
    assert [(row["event"], row["pays"]) for row in table.rows] == read_rows
    assert read(path, matches=ROYAL) == {"21": EXPECTED}


def test_layout_without_usual_names_is_matched_by_the_counts(tmp_path: Path) -> None:
    names = tuple(f"Award {number}" for number in range(1, 12))
    path = write(tmp_path / "par.csv", write_csv(par_rows(names), ";"))
    # 72, 196 and 1,128 hands, and the hands with trips, are those of several events here.
    several = {f"Award {number}": COUNTED[number - 1][0] for number in (2, 3, 4, 10)}
    assert doubts(path) == several.keys()
    assert read(path, matches=several) == {"21": EXPECTED}


def write_csv(rows: list[list[str]], delimiter: str) -> str:
    return "\n".join(delimiter.join(f'"{cell}"' for cell in row) for row in rows)


def test_layout_whose_name_and_count_disagree_is_asked(tmp_path: Path) -> None:
    names = tuple(
        {"Straight": "Flush", "5-Card Flush": "Straight"}.get(name, name) for name in NAMES
    )
    path = write(tmp_path / "par.csv", write_csv(par_rows(names), ","))
    assert doubts(path, matches=ROYAL) == {"Flush", "Straight"}


def test_layout_with_columns_of_tables_and_rows_that_some_lack(tmp_path: Path) -> None:
    text = (
        "Hand\tTable A1\tTable A2\n5 Aces\t400 to 1\tN/A\n"
        "Quads\t25:1\t30-1\nTrips\teven money\tPush\n"
    )
    assert read(write(tmp_path / "two.txt", text)) == {
        "A1": [("five_aces", "400 to 1"), ("four_of_a_kind", "25 to 1"),
               ("three_of_a_kind", "1 to 1")],
        "A2": [("four_of_a_kind", "30 to 1"), ("three_of_a_kind", "push")],
    }  # fmt: skip


def test_layout_with_merged_cells_lost_in_text_is_asked(tmp_path: Path) -> None:
    text = (
        "Hand\tTable A1\tTable A2\tTable A3\n5 Aces\t400 to 1\t300 to 1\t200 to 1\n"
        "Quads\t25 to 1\t20 to 1\t\n"
    )
    path = write(tmp_path / "lost.txt", text)
    assert doubts(path) == {"Quads"}
    given = read(path, pays={"Quads": "25 to 1;20 to 1;20 to 1"})
    assert [rows[1][1] for rows in given.values()] == ["25 to 1", "20 to 1", "20 to 1"]
    assert doubts(path, pays={"Quads": "25 to 1;20 to 1"}) == {"Quads"}  # none for the third table


def test_layout_of_bare_numbers_is_asked_for_its_basis(tmp_path: Path) -> None:
    path = write(tmp_path / "bare.txt", "Table 5\nHand  Pays\n5 Aces  400\nFull House  5\n")
    assert doubts(path) == {"Table 5"}
    assert read(path, basis="for") == {"5": [("five_aces", "400 for 1"), ("full_house", "5 for 1")]}
    noted = write(tmp_path / "noted.txt", path.read_text() + "\n1. All pays are “to 1.”\n")
    assert read(noted)["5"][0] == ("five_aces", "400 to 1")


def test_a_column_of_mixed_conventions_is_asked_or_read_as_printed(tmp_path: Path) -> None:
    text = (
        "Table M1\nHand\tPays (to 1)\n5 Aces\t400 for 1\nRoyal\t2.500\nQuads\t1,5 to 1\n"
        "Boat\t2,500\nTrips\t1.5 to 1\nStraight\teven money\n\n"
        "Table M2\nHand\tPays (for 1)\nFive Aces\t25:1\nFlush\t5\n\n"
        "Table M3\nHand\tPays\tCombinations\tProbability\n5 Aces\t401 for 1\t1.128\t0,000007\n"
        "Trips\t3 to 1\n"
    )
    path = write(tmp_path / "mixed.txt", text)
    assert doubts(path) == {"5 Aces", "Royal", "Quads", "Five Aces"}
    answers = {"5 Aces": "400 for 1", "Royal": "2,500 to 1", "Quads": "1.5 to 1"}
    given: Mapping[str, Any] = {"pays": {**answers, "Five Aces": "25 for 1"}}
    assert read(path, **given) == {
        "M1": [
            ("five_aces", "400 for 1"),
            ("royal_flush", "2500 to 1"),
            ("four_of_a_kind", "3 to 2"),
            ("full_house", "2500 to 1"),
            ("three_of_a_kind", "3 to 2"),
            ("straight", "1 to 1"),
        ],
        "M2": [("five_aces", "25 for 1"), ("flush", "5 for 1")],
        "M3": [("five_aces", "401 for 1"), ("three_of_a_kind", "3 to 1")],
    }
    result = import_paytables(path, preview=True, **DYNASTY, **given)
    assert [note for note in result.notes if "mixed.txt" in note] == [
        "mixed.txt, line 2, column 2: pays to 1 and for 1 are mixed, and read as printed",
        "mixed.txt, line 17, column 4: 0,000007 is not read as a figure",
        "mixed.txt, line 16, column 2: pays to 1 and for 1 are mixed, and read as printed",
    ]
    (wrong,) = result.tables[2].differing  # the point marks decimals here
    assert (wrong.figure.printed, str(wrong.recomputed)) == ("1.128", "1128")
    assert result.tables[2].agreeing == 0


def test_layout_of_a_word_document_with_merged_cells(tmp_path: Path) -> None:
    rows = [["Hand", "Table B1", "Table B2"], ["5 Aces", "400 to 1", "300 to 1"],
            ["Quads", "25 to 1", "25 to 1"]]  # fmt: skip
    path = write(tmp_path / "rules.docx", write_docx("Dynasty Bonus", rows))
    assert read(path) == {
        "B1": [("five_aces", "400 to 1"), ("four_of_a_kind", "25 to 1")],
        "B2": [("five_aces", "300 to 1"), ("four_of_a_kind", "25 to 1")],
    }


@pytest.mark.parametrize("ruled", [True, False])
def test_layout_of_a_pdf_table(tmp_path: Path, *, ruled: bool) -> None:
    rows = [["Hand", "Table C1", "Table C2"], ["Five Aces", "400 to 1", "300 to 1"],
            ["4 of a Kind", "25 to 1", "20 to 1"]]  # fmt: skip
    path = write(tmp_path / "rules.pdf", write_pdf("Dynasty Bonus", rows, ruled=ruled))
    assert read(path) == {
        "C1": [("five_aces", "400 to 1"), ("four_of_a_kind", "25 to 1")],
        "C2": [("five_aces", "300 to 1"), ("four_of_a_kind", "20 to 1")],
    }
    (place, _) = (table.place for table in import_paytables(path, preview=True, **DYNASTY).tables)
    assert "page 1" in place


def test_layout_with_two_tables_side_by_side_and_a_hand_that_is_no_event(tmp_path: Path) -> None:
    text = (
        "Table D1\t\tTable D2\t\nEvent\tPays\tEvent\tPays\n5 Aces\t9 to 1\tNatural Royal\t8 to 1\n"
    )
    assert doubts(write(tmp_path / "side.txt", text)) == {"Natural Royal"}
    answered = read(tmp_path / "side.txt", matches={"Natural Royal": "-"})
    assert answered == {"D1": [("five_aces", "9 to 1")]}


def test_layout_with_a_row_that_no_hand_is_left_for(tmp_path: Path) -> None:
    text = "Table E1\nHand\tPays\nTrips\t3 to 1\nQuads\t25 to 1\n"
    assert doubts(write(tmp_path / "order.txt", text)) == {"Quads"}


def test_layout_without_headings_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotReadable, match="has no table of pays"):
        import_paytables(write(tmp_path / "bare.csv", "5 Aces,400 to 1\n"), **DYNASTY)


def test_printed_figures_are_judged_and_kept_with_their_cells(
    tmp_path: Path, project: Path
) -> None:
    rows = par_rows()
    rows[9][2] = "307,473"  # the source prints 307,472
    path = write(tmp_path / "par.xlsx", workbook({"PAR": rows}))
    result = import_paytables(path, **DYNASTY, matches=ROYAL)
    (table,) = result.tables
    (wrong,) = table.differing
    assert (table.state, table.figures, table.agreeing) == ("new", 11, 10)
    reasons = ["name and count"] * 11
    reasons[1], reasons[6] = "answer", "name"
    assert table.reasons == tuple(reasons)
    assert (wrong.figure.printed, str(wrong.recomputed)) == ("307,473", "307472")
    assert wrong.figure.source.clause == "par.xlsx, sheet PAR, cell C10"
    kept = json.loads((project / f"paytables/{EXPRESS}/published.json").read_text())["figures"]
    assert [each["printed"] for each in kept if each["target"] == table.target][6] == "307,473"
    game = json.loads((project / f"paytables/{EXPRESS}/game.json").read_text())
    (copy,) = (project / "sources").iterdir()
    assert copy.read_bytes() == path.read_bytes()
    assert re.fullmatch(r"par-[0-9a-f]{8}\.xlsx", copy.name)
    (paper,) = (each for each in game["references"] if each["file"] == copy.name)
    record = json.loads((project / f"paytables/{table.target}.json").read_text())
    assert record["source"]["document"] == paper["id"]


def test_a_figure_that_depends_on_a_meter_does_not_agree(tmp_path: Path) -> None:
    wager = "Emperor's Treasure Progressive"
    text = f"{wager}\nTable P1\nHand\tPays\tReturn\n5 Aces\t100% of meter 1\t50%\n"
    path = write(tmp_path / "meter.txt", text)
    (question,) = import_paytables(path, game=EMPEROR).questions
    assert question.answer == "--base-wager AMOUNT"
    (table,) = import_paytables(path, game=EMPEROR, base_wager_cents=100, preview=True).tables
    assert (table.figures, table.agreeing, table.not_computed) == (1, 0, 1)


def test_a_name_of_several_events_is_decided_by_the_lines_above_or_asked() -> None:
    first, second = (
        VendorLine(name=Cell(name, "line"), cells={}) for name in ("Flush", "One suit")
    )
    names = {
        normalize("Flush"): frozenset({"flush"}),
        normalize("One suit"): frozenset({"flush", "straight_flush"}),
    }
    words = Vocabulary(names=(names, {}), events=(), count=lambda _: None)
    assert list(match_events([first, second], words, {})) == [
        Match("flush", "name"), Match("straight_flush", "name and order"),
    ]  # fmt: skip
    (asked,) = match_events([second], words, {})
    assert isinstance(asked, Question)
    assert asked.events == ("flush", "straight_flush")


def test_answers_are_remembered_for_the_supplier(tmp_path: Path) -> None:
    path = write(tmp_path / "par.xlsx", workbook({"PAR": par_rows()}))
    import_paytables(path, **DYNASTY, matches=ROYAL)
    assert import_paytables(path, **DYNASTY).questions == ()


def test_a_declared_table_with_other_pays_is_not_overwritten(tmp_path: Path, project: Path) -> None:
    text = "Table 3\nHand\tPays\n5 Aces\t500 to 1\n\nTable 33\nHand\tPays\n5 Aces\t9 to 1\n"
    result = import_paytables(write(tmp_path / "three.txt", text), **DYNASTY)
    first = result.tables[0]
    assert states(result) == {first.target: "differs", first.target + "3": "new"}
    assert any(line.startswith("+") and "500 to 1" in line for line in first.difference)
    assert first.declared_edge == "7.7656%"  # as the source prints it, to two digits
    assert result.written == ()
    assert list((project / "paytables").rglob("*.json")) == []


def test_the_command_lists_doubtful_lines_and_writes_nothing(
    tmp_path: Path, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path / "one.txt", "Table 8\nHand\tPays\nNatural Royal\t8 to 1\n")
    given = ["import", str(path), "--game", EXPRESS, "--wager", "dynasty-bonus"]
    assert run(given) == 1
    assert '--match "Natural Royal=EVENT"' in capsys.readouterr().out
    assert list((project / "paytables").rglob("*.json")) == []
    assert run([*given, "--match", "Natural Royal=royal_flush"]) == 0
    assert (project / f"paytables/{EXPRESS}/dynasty-bonus/8.json").is_file()


def test_the_command_ends_with_1_where_a_printed_figure_differs(
    tmp_path: Path, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = par_rows()
    rows[9][2] = "307,473"  # the source prints 307,472
    path = write(tmp_path / "par.xlsx", workbook({"PAR": rows}))
    given = ["import", str(path), "--game", EXPRESS, "--wager", "dynasty-bonus"]
    assert run([*given, "--match", "Royal + AQ=royal_flush_with_suited_ace_queen"]) == 1
    assert "DIFFERS: par.xlsx, sheet PAR, cell C10" in capsys.readouterr().out
    assert (project / f"paytables/{EXPRESS}/published.json").is_file()


def repack(data: bytes, name: str, part: bytes) -> bytes:
    """Return an Office file with one more part."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(stream, "w") as new:
        for each in old.namelist():
            new.writestr(each, old.read(each))
        new.writestr(name, part, zipfile.ZIP_DEFLATED)
    return stream.getvalue()


BOOK = workbook({"A": [["Hand", "Pays"], ["5 Aces", "400 to 1"]]})
LINK = b'<Relationship Id="r" Type="x/externalLinkPath" Target="http://a" TargetMode="External"/>'
BOMB = b"<!DOCTYPE a [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;'>]><a>&b;</a>"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (repack(BOOK, "xl/vbaProject.bin", b"x"), "has macros"),
        (repack(BOOK, "xl/externalLinks/externalLink1.xml", b"<a/>"), "links to other files"),
        (repack(BOOK, "xl/_rels/more.rels", LINK), "links to other files"),
        (repack(BOOK, "xl/more.xml", BOMB), "declares XML entities"),
        (repack(BOOK, "xl/big.xml", b" " * 40_000_000), "unpacks to more than"),
        (b"PK\3\4 nothing", "cannot be read"),
    ],
)
def test_a_hostile_workbook_is_refused_in_words(tmp_path: Path, data: bytes, reason: str) -> None:
    with pytest.raises(NotReadable, match=reason):
        import_paytables(write(tmp_path / "bad.xlsx", data), **DYNASTY)


def test_a_million_rows_are_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "many.csv", "Hand,Pays\n" * 1_000_000)
    with pytest.raises(NotReadable, match="more than 20,000 rows"):
        import_paytables(path, **DYNASTY)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.pdf", b"%PDF-1.7 nothing"),
        ("a.docx", b"PK\3\4"),
        ("a.txt", b"\xff\x00"),
        ("a.exe", b"MZ"),
    ],
)
def test_other_bytes_are_refused_in_words(tmp_path: Path, name: str, data: bytes) -> None:
    with pytest.raises((NotReadable, NotJudged)) as refused:
        import_paytables(write(tmp_path / name, data), **DYNASTY)
    assert isinstance(refused.value, CertifyError)
    assert "Traceback" not in refused.value.message


def test_a_formula_in_a_pay_is_asked(tmp_path: Path) -> None:
    book = workbook({"Table 4": [["Hand", "Pays"], ["5 Aces", "=2*200"]]})
    assert doubts(write(tmp_path / "formula.xlsx", book)) == {"5 Aces"}


def test_answers_must_be_events(tmp_path: Path) -> None:
    path = write(tmp_path / "one.txt", "Table 8\nHand\tPays\nNatural Royal\t8 to 1\n")
    with pytest.raises(CertifyError, match="There is no event 'royalty'"):
        import_paytables(path, **DYNASTY, matches={"Natural Royal": "royalty"})
    assert find_declared(f"{EXPRESS}/dynasty-bonus/8.json") is None


def own_workbook(game: str) -> bytes:
    """Return the PAR workbook of every bonus paytable of a game, as a filing has it."""
    from certify.figures.evaluate import evaluate_each
    from certify.figures.targets import load_catalog
    from certify.report.workbook import workbook as par_workbook

    catalog = load_catalog()
    known = catalog.games[game]
    analyses, _ = evaluate_each(
        catalog, (table for wager in known.wagers for table in wager.paytables)
    )
    tables = [table for wager in known.wagers for table in wager.paytables]
    return par_workbook(
        known, [(table, analyses[table.target]) for table in tables], report_id="test"
    )


@pytest.mark.parametrize("game", [EXPRESS, EMPEROR, MINI])
def test_our_own_workbook_comes_back_as_it_was_declared(game: str, tmp_path: Path) -> None:
    path = write(tmp_path / "par.xlsx", own_workbook(game))
    result = import_paytables(path, game=game, preview=True)
    assert result.questions == ()
    declared = set(targets(paytables(), game))
    # A workbook has the default pays of a table whose pays are drawn, not the others.
    drawn = {target for target in declared if "-dynamic-" in target}
    read_back = states(result)
    assert {target for target in read_back if read_back[target] == "unchanged"} == declared - drawn
    assert {target for target in read_back if read_back[target] != "unchanged"} == drawn


def test_an_edited_pay_of_our_workbook_is_a_difference_with_the_new_edge(tmp_path: Path) -> None:
    from openpyxl import load_workbook

    book = load_workbook(io.BytesIO(own_workbook(MINI)))
    (place,) = (row[3] for row in book["A"].iter_rows() if row[0].value == "Four of a Kind")
    place.value = 40  # printed: 50
    path = tmp_path / "edited.xlsx"
    book.save(path)
    changed = [table for table in import_paytables(path, game=MINI).tables if table.difference]
    (table,) = (each for each in changed if each.target == "mini-pai-gow/bonus/A")
    assert (
        '+     {"event": "four_of_a_kind", "name": "Four of a Kind", "pays": "40 to 1"},'
        in table.difference
    )
    # Each of the 19,752 hands with four of a kind is paid 10 units less (tutorial).
    before = Fraction(str(table.declared_edge).removesuffix("%")) / 100
    after = Fraction(str(table.house_edge).removesuffix("%")) / 100
    assert abs(after - before - Fraction(10 * 19752, comb(53, 6))) < Fraction(1, 10**6)
