"""What the rules of play print: values in the order of the jurisdiction's sections."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from certify.model.game import Revision
from certify.model.submission import Submission
from certify.report.head_view import head_view
from certify.report.rules.blanks import Blanks, blanks
from certify.report.rules.bonus_wager import bonus_wager
from certify.report.rules.house_way import house_way_section
from certify.report.rules.limits import limits
from certify.report.rules.main_wager import main_wager_section
from certify.report.rules.numbering import PrintedRule, numbers_of, rule, rules
from certify.report.rules.offered import bonus_wagers
from certify.report.rules.rack_card import rack_cards
from certify.report.rules.ranking import ranking
from certify.report.wording import named

DESCRIPTION = "description"
LAST = "rack_card"
"""The section that stands after the signatures, as an annex."""
HOUSE_WAY = "house_way"
MAIN = "main"
OF_MAIN = (MAIN, HOUSE_WAY)
"""The sections that only a main wager has."""


def rules_view(submission: Submission) -> dict[str, Any]:
    """Return what the template of the rules of play prints."""
    asked = blanks(submission)
    return head_view(submission, "Rules of Play") | {
        "blanks": asked,
        "sections": [*_sections(submission, asked)],
    }


def _sections(submission: Submission, asked: Blanks) -> Iterator[dict[str, Any]]:
    """Yield every section, numbered in the jurisdiction's order, one for each bonus wager."""
    declared = submission.jurisdiction.sections
    without = (LAST,) if submission.main is not None else (LAST, *OF_MAIN)
    if submission.way is None:
        without = (*without, HOUSE_WAY)
    names = [name for name in declared if name not in without]
    names += ["blanks"] * asked.any + ["signatures"] + [LAST] * (LAST in declared)
    number = 0
    for name in names:
        if name == "bonus":
            for wager in bonus_wagers(submission):
                number += 1
                offered = bonus_wager(wager, submission, number, asked.of_meters(wager))
                yield _section("bonus", number, wager.name, offered, anchor=f"wager-{wager.id}")
            continue
        number += 1
        content = CONTENTS[name](submission, number) if name in CONTENTS else None
        whole = name == MAIN and not submission.game.hands.shape.divided
        title = named("undivided" if whole else "rules", name)
        yield _section(name, number, title, content, anchor=f"section-{name}")


def _section(name: str, number: int, title: str, content: object, *, anchor: str) -> dict[str, Any]:
    return {
        "anchor": anchor,
        "title": f"{number}. {title}",
        "template": f"rules/{name}.html.j2",
        "wagers": (),
        "content": content,
        "new_page": name == LAST,
    }


def _statements(name: str, submission: Submission, section: int) -> tuple[PrintedRule, ...]:
    """Return a section of the game's record, and what the terms state for it."""
    numbers = numbers_of(section)
    declared = [
        statement
        for part in submission.game.sections
        if part.id == name
        for statement in submission.printed(part.statements)
    ]
    return (
        *rules(declared, numbers),
        *(
            rule(text, "Terms of the table", next(numbers))
            for procedure, text in submission.terms.procedures
            if procedure.section == name
        ),
    )


def _clauses(submission: Submission, section: int) -> tuple[PrintedRule, ...]:
    return rules(submission.printed(submission.jurisdiction.clauses), numbers_of(section))


def _notices(submission: Submission, section: int) -> dict[str, Any]:
    game = submission.game
    first = Revision(revision=game.revision, date=game.revised, text="Initial submission.")
    return {
        "rules": _statements("notices", submission, section),
        "changes": game.changes or (first,),
    }


CONTENTS: dict[str, Callable[[Submission, int], Any]] = {
    "description": partial(_statements, DESCRIPTION),
    "introduction": partial(_statements, DESCRIPTION),
    "names": lambda submission, _: tuple(
        wager for wager in submission.game.wagers if wager.aliases and not wager.absent
    ),
    "standing_clauses": _clauses,
    "wager_count": lambda submission, _: limits(submission),
    "limits": lambda submission, _: limits(submission),
    "definitions": ranking,
    "house_way": house_way_section,
    "dealing": partial(_statements, "dealing"),
    "irregularities": partial(_statements, "irregularities"),
    MAIN: main_wager_section,
    "rack_card": lambda submission, _: rack_cards(submission),
    "notices": _notices,
}
"""What a section prints, by its id."""
