"""The test of worked examples: each wager shows every way to end that its filed records have."""

from typing import TYPE_CHECKING

from certify.checks.fault import Fault
from certify.checks.filed import top_share
from certify.checks.jurisdiction.rule_test import WEAK, judges
from certify.checks.jurisdiction.verdict import Judging, satisfied, unverified
from certify.formatting import listed
from certify.model.filed import Filing
from certify.model.finding import Code
from certify.model.game import Wager
from certify.model.jurisdiction import RuleVersion
from certify.model.main_wager import Outcome
from certify.model.payout import Basis
from certify.model.paytable import Paytable

if TYPE_CHECKING:
    from certify.model.example import Example

PUSH = "push"
JOKER = "joker"
ENVY = "envy"
SHARE = "progressive_split"
HIGHEST_ONLY = "highest_only"

KIND_TEXT = {
    JOKER: "a hand with the joker",
    ENVY: "a prize for another player's hand",
    SHARE: "a share of a meter",
}
"""Kinds of examples whose names are not words of the trade."""


R012 = Code(
    "R012",
    "A wager has no worked example of each way to end",
    why=f"""A win, a loss and a tie of each wager are shown in the rules of play; also a hand with
    the joker, an envy prize and a share of a meter. What no filed record of the wager has is not
    asked for; a push is asked for of every filed paytable that has one, unless its row is shown for
    another paytable of the wager. {WEAK}""",
    mend="This is a gap in the documents: report it.",
    remedy="Report the gap: the documents should show it.",
    wrong="a wager with a win and a loss and no tie, which can tie",
    right="a win, a loss and a tie",
)


@judges(section="Worked examples", finds=R012)
def worked_examples(filed: Filing, _version: RuleVersion) -> Judging:
    """Every wager has a worked example of each way that it can end."""
    if filed.examples is None:
        return unverified("The examples were not made yet.")
    for wager in filed.wagers:
        shown = _examples(filed.examples, wager)
        absent = [*_absent(filed, wager, shown), *_pushes_not_shown(filed, wager, shown)]
        if absent:
            message = f"{wager.name} has no worked example of: {listed(absent)}."
            yield Fault(wager.target, "", message)
    joker = ", a hand with the joker" if filed.game.hands.deck.joker else ""
    return satisfied(
        f"{len(filed.examples)} examples. Each wager has a win, a loss{joker} and, where a filed "
        f"record has one, a push, a prize for another player's hand and a share of a meter."
        f"{_highest_only(filed, filed.examples)}"
    )


def what_can_be_shown(filed: Filing, wager: Wager) -> tuple[str, ...]:
    """Return the kinds of examples that a wager can have by what is filed, pushes left out.

    A main wager's outcomes are counted; where it was not counted, all three are asked for, the push
    among them. Whether one hand can hold two rows is not declared, so that it is not asked for.
    """
    joker = (JOKER,) if filed.game.hands.deck.joker else ()
    if filed.main in wager.options:
        analysis = filed.analyses.get(filed.option.target)
        counted = None if analysis is None or analysis.main is None else analysis.main.outcomes
        ends = tuple(str(end) for end in Outcome if counted is None or counted.get(str(end)))
        return (*ends, *joker)
    envy = (ENVY,) if any(table.envy for table in filed.tables(wager)) else ()
    share = (SHARE,) if top_share(filed, wager) is not None else ()
    return ("win", "lose", *joker, *envy, *share)


def _absent(filed: Filing, wager: Wager, shown: "tuple[Example, ...]") -> list[str]:
    kinds = {example.kind for example in shown}
    wanted = what_can_be_shown(filed, wager)
    return [KIND_TEXT.get(kind, kind) for kind in wanted if kind not in kinds]


def _pushes_not_shown(filed: Filing, wager: Wager, shown: "tuple[Example, ...]") -> list[str]:
    """Return the filed paytables with a push of which no example shows a row."""
    events = {example.event for example in shown if example.kind == PUSH}
    return [
        f"push, paytable {table.id}"
        for table in filed.tables(wager)
        if (pushes := _pushes(table)) and not pushes & events
    ]


def _pushes(paytable: Paytable) -> set[str]:
    return {row.event for row in paytable.rows if row.payout.basis is Basis.PUSH}


def _highest_only(filed: Filing, examples: "tuple[Example, ...]") -> str:
    """Return of which bonus wagers an example shows that the highest row alone is paid."""
    bonus = [wager for wager in filed.wagers if filed.main not in wager.options]
    having = [
        wager
        for wager in bonus
        if any(example.kind == HIGHEST_ONLY for example in _examples(examples, wager))
    ]
    if not having:
        return ""
    others = [wager for wager in bonus if wager not in having]
    without = f", not for {filed.named(others)}" if others else ""
    return f" That only the highest row is paid is shown for {filed.named(having)}{without}."


def _examples(examples: "tuple[Example, ...]", wager: Wager) -> "tuple[Example, ...]":
    targets = {record.target for record in wager.records}
    return tuple(example for example in examples if example.target in targets)
