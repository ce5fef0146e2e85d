"""What the figures take for granted: assumptions with their effect, conventions of the count."""

from collections.abc import Sequence

from certify.formatting import listed
from certify.model.analysis import Analysis
from certify.model.game import Wager
from certify.model.source import Source, Statement
from certify.model.submission import Submission
from certify.report.alternatives_view import numbers
from certify.report.tables import Table, table
from certify.report.wording import as_written, label


def assumptions(submission: Submission, analysed: Sequence[tuple[Wager, Analysis]]) -> Table:
    """Return every assumption once, in the order it is first met."""
    places: dict[str, str] = {}
    effects: dict[str, dict[str, list[str]]] = {}
    counted = numbers(analysed)
    read: dict[str, str] = {}
    for name, one in _statements(submission, analysed):
        if one.effect is None:
            continue
        places.setdefault(one.text, _place(submission, one.source))
        read.setdefault(one.text, counted.get(one.id, ""))
        effects.setdefault(one.text, {}).setdefault(one.effect, []).append(name)
    return table(
        "Assumptions",
        "Assumed @40 | Source @22 | Effect if it were otherwise",
        [
            (text, place, f"{_effect(effects[text])} {read[text]}".strip())
            for text, place in places.items()
        ],
        note=f"Clauses are those of “{submission.game.document.title}” unless another document is "
        "named. What is no choice, but a rule of the count, stands in section 5.",
        none="Nothing is assumed.",
    )


def conventions(submission: Submission, analysed: Sequence[tuple[Wager, Analysis]]) -> Table:
    """Return every rule of the count that is no assumption, and the wagers that it holds for."""
    used: dict[str, dict[str, str]] = {}
    for wager, each in analysed:
        stated = submission.printed(each.assumptions)
        replaced = {one.replaces for one in stated}
        for one in stated:
            if one.effect is None and one.id not in replaced:
                used.setdefault(one.text, {})[wager.id] = wager.name
    wagers = {wager.id: wager for wager, _ in analysed}
    bonus = {name for name, wager in wagers.items() if not wager.options}
    return table(
        "Conventions of the count",
        "Convention @66 | Holds for",
        [
            (
                text,
                "every wager"
                if names.keys() == wagers.keys()
                else "every bonus wager"
                if names.keys() == bonus
                else listed(names.values()),
            )
            for text, names in used.items()
        ],
        note="What section 4 says of a wager is not said again.",
        none="No convention is stated.",
    )


def _statements(
    submission: Submission, analysed: Sequence[tuple[Wager, Analysis]]
) -> list[tuple[str, Statement]]:
    """Return what the figures take for granted, each with the paytable that says so, if one does.

    An assumption of the game goes before one of the same id.
    """
    general = [*submission.game.assumptions, *submission.house_way.assumptions]
    known = {one.id for one in general}
    found = [("", one) for one in general]
    found += [
        (label(each.paytable), one)
        for _, each in analysed
        for one in each.assumptions
        if one.id not in known
    ]
    return [(name, one) for name, one in found if submission.printed([one])]


def _place(submission: Submission, source: Source) -> str:
    """Return the clause; of another document than the game's, after the document's title."""
    way, game = submission.house_way, submission.game
    if source.document == game.document.id:
        return source.clause
    titles = {one.id: one.title for one in game.references}
    if way.source.document not in titles:
        titles[way.source.document] = as_written(way.published or way.name)
    return f"{titles.get(source.document, source.document)}: {source.clause}"


def _effect(effects: dict[str, list[str]]) -> str:
    """Return what an assumption changes, by paytable where that differs."""
    if len(effects) == 1:
        return next(iter(effects))
    return " ".join(f"{listed(names)}: {effect}" for effect, names in effects.items())
