"""Artwork against the filed paytable: equal text passes, differences are reported."""

from pathlib import Path

import pytest

from certify import library
from certify.cli.app import run
from certify.intake.read import read_catalog
from certify.model.paytable import EnvyTable, Paytable
from certify.report.rules.rack_card import CardLine, card_lines, card_prizes
from certify.review.request import check_artwork

CHAN_CHU = "dealer-open-pai-gow/chan-chu/3"


def load_paytables() -> list[tuple[Paytable, EnvyTable | None]]:
    catalog, _ = read_catalog(library.paytables())
    return [
        (table, next((envy for envy in wager.envies if envy.id == table.envy), None))
        for game in catalog.games.values()
        for wager in game.wagers
        for table in wager.paytables
    ]


def card(folder: Path, text: str) -> Path:
    path = folder / "card.txt"
    path.write_text(text, encoding="utf-8")
    return path


def list_lines(table: Paytable, envy: EnvyTable | None) -> tuple[CardLine, ...]:
    return (*card_lines(table), *card_prizes(envy))


def print_card(target: str) -> str:
    table, envy = next(paytable for paytable in load_paytables() if paytable[0].target == target)
    return "\n".join(f"{line.name}  {line.pays}" for line in list_lines(table, envy)) + "\n"


def test_text_of_every_paytable_agrees_with_itself(tmp_path: Path) -> None:
    differs = []
    for table, envy in load_paytables():
        lines = [f"{line.name}  {line.pays}" for line in list_lines(table, envy)]
        found = check_artwork(card(tmp_path, "\n".join(lines)), table.target)
        differs += [(table.target, finding.message) for finding in found]
    assert differs == []


def test_capitals_marks_and_headings_do_not_matter(tmp_path: Path) -> None:
    text = print_card(CHAN_CHU).upper().replace("5,000 TO 1", ".......... 5000:1")
    heading = "CHAN CHU 3\n\nWager $5 or more to qualify for the envy bonus.\n"
    assert check_artwork(card(tmp_path, heading + text), CHAN_CHU) == ()


@pytest.mark.parametrize(
    ("old", "new", "column", "words"),
    [
        ("Any Flush  4 to 1", "Any Flush  5 to 1", 12, "shows 5 to 1"),
        ("Any Flush  4 to 1", "Any Flush  4 for 1", 12, "shows 4 for 1"),
        ("Any Flush  4 to 1", "Any Flush  4", 12, "without “to” or “for”"),
        ("Any Flush  4 to 1", "Any Fish  4 to 1", 1, "`Any Fish`, which is not a filed row"),
        ("Three Pair  Push", "Three Pair  1 to 1", 13, "shows 1 to 1"),
        ("Five Aces  $50", "Five Aces  $51", 12, "shows $51"),
    ],
)
def test_what_differs_is_pointed_at(
    old: str, new: str, column: int, words: str, tmp_path: Path
) -> None:
    text = print_card(CHAN_CHU)
    assert old in text
    line = text[: text.index(old)].count("\n") + 1
    found = check_artwork(card(tmp_path, text.replace(old, new)), CHAN_CHU)
    assert (found[0].line, found[0].column) == (line, column)
    assert words in found[0].message


def test_a_pay_of_any_length_is_another_one(tmp_path: Path) -> None:
    text = print_card(CHAN_CHU).replace("Any Flush  4 to 1", f"Any Flush  {'4' * 5000} to 1")
    (found,) = check_artwork(card(tmp_path, text), CHAN_CHU)
    assert found.message == f"The artwork shows {'4' * 40} for `Any Flush`, but 4 to 1 is filed."


def test_missing_row_and_rows_in_another_order(tmp_path: Path) -> None:
    lines = print_card(CHAN_CHU).splitlines()
    (missing,) = check_artwork(card(tmp_path, "\n".join(lines[1:])), CHAN_CHU)
    assert missing.message == (
        "`Natural 7 Card Straight Flush` is filed at 5,000 to 1 and is not in the artwork."
    )
    lines[0], lines[1] = lines[1], lines[0]
    (moved,) = check_artwork(card(tmp_path, "\n".join(lines)), CHAN_CHU)
    assert moved.line == 2
    assert "is below a row" in moved.message


PROGRESSIVE = (
    "emperors-challenge-exposed/emperors-treasure-multi-level-progressive/PT-PRG-MLP-ET-01"
)


def test_share_of_another_meter(tmp_path: Path) -> None:
    text = print_card(PROGRESSIVE)
    assert "100% of meter 1" in text
    as_printed = text.replace("% of meter ", "% Lv.")
    assert check_artwork(card(tmp_path, as_printed), PROGRESSIVE) == ()
    wrong = text.replace("100% of meter 1", "100% of meter 2", 1)
    assert "shows 100% of meter 2" in check_artwork(card(tmp_path, wrong), PROGRESSIVE)[0].message


def test_row_shown_twice(tmp_path: Path) -> None:
    text = print_card(CHAN_CHU)
    (twice,) = check_artwork(card(tmp_path, text + "Any Flush  4 to 1\n"), CHAN_CHU)
    assert twice.line == text.count("\n") + 1


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(card(tmp_path, print_card(CHAN_CHU)))
    assert run(["check", "--artwork", path, "--target", CHAN_CHU]) == 0
    assert "1 file checked: " in capsys.readouterr().out
    assert run(["check", "--artwork", path, "--target", "dealer-open-pai-gow/chan-chu/4"]) == 1
    assert run(["check", "--artwork", path]) == 2
    assert run(["check", "--artwork", path, "--target", "dealer-open-pai-gow/chan-chu"]) == 2
    assert "names 5 paytables" in capsys.readouterr().err
