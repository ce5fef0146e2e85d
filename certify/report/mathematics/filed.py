"""Submitted wagers under payout limits, assumptions, and interpretations."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeVar

from msgspec import Struct

from certify.model.analysis import Analysis, LimitedFigures
from certify.model.game import Game, Wager
from certify.model.main_wager import MainWager
from certify.model.paytable import EnvyTable, Paytable
from certify.model.source import Figure, Statement
from certify.model.submission import Submission
from certify.model.topic import Procedure, Topic
from certify.report.rules.house_way import rule_numbers
from certify.report.rules.numbering import list_alternatives, list_assumptions, state_procedure
from certify.report.wording import (
    Ids,
    bound_figure,
    capitalize_first,
    ids,
    limits_text,
    together,
)

Record = TypeVar("Record", MainWager, Paytable)

Counted = tuple[Wager, Analysis]

Places = Mapping[str, Sequence[str]]
"""The printed numbers of rules and tables, by their ids."""


class FiledWager(Struct, frozen=True, kw_only=True):
    """A wager and its submitted options or paytables, with figures."""

    wager: Wager
    options: tuple[tuple[MainWager, Analysis], ...]
    paytables: tuple[tuple[Paytable, Analysis], ...]

    @property
    def analyses(self) -> tuple[Analysis, ...]:
        """The figures, in the game's order."""
        return tuple(analysis for _, analysis in (*self.options, *self.paytables))

    @property
    def noun(self) -> str:
        """The kind of the submitted entries."""
        return "option" if self.options else "paytable"

    @property
    def ids(self) -> Ids:
        """The ids that are filed."""
        return ids([analysis.paytable for analysis in self.analyses])


def filed_prizes(wagers: Iterable[FiledWager]) -> tuple[EnvyTable, ...]:
    """Return the tables of prizes that go with the filed paytables."""
    return tuple(
        table
        for filed in wagers
        for table in filed.wager.envies
        if table.id in {paytable.envy for paytable, _ in filed.paytables}
    )


def filed_wagers(submission: Submission) -> tuple[FiledWager, ...]:
    """Return every wager of which something is filed, in the game's order."""

    def counted(
        declared: Iterable[Record], filed: Iterable[Record]
    ) -> tuple[tuple[Record, Analysis], ...]:
        analyses, targets = submission.analyses, {record.target for record in filed}
        return tuple(
            (record, analyses[record.target])
            for record in declared
            if record.target in targets and record.target in analyses
        )

    wagers = (
        FiledWager(
            wager=wager,
            options=counted(wager.options, submission.options),
            paytables=counted(wager.paytables, submission.paytables),
        )
        for wager in submission.game.wagers
    )
    return tuple(filed for filed in wagers if filed.analyses)


def wager_under_limits(filed: FiledWager, game: Game) -> dict[str, Any] | None:
    """Return a wager's figures with and without limits; None if the terms declare none.

    ``shared``: some of these figures are bounds.
    """
    under = [
        (analysis, analysis.limit) for analysis in filed.analyses if analysis.limit is not None
    ]
    if not under:
        return None
    return {
        "name": filed.wager.name,
        "tables": [
            (
                analysis,
                limits_text(limit, game.called),
                [_amount(analysis, at) for at in limit.amounts],
            )
            for analysis, limit in under
        ],
        "shared": any(limit.is_shared and limit.amounts for _, limit in under),
        "open": any(limit.open for _, limit in under),
    }


def main_under_limits(wagers: Iterable[FiledWager], game: Game) -> list[dict[str, Any]]:
    """Return the figures of the main wager with and without limits; empty without limits."""
    limits = (wager_under_limits(filed, game) for filed in wagers if filed.options)
    return [each for each in limits if each is not None]


def _amount(analysis: Analysis, at: LimitedFigures) -> dict[str, Any]:
    """Return a wager of one amount under its limits; inapplicable values are None or empty."""
    progressive, dynamic = analysis.progressive, analysis.dynamic
    base = progressive.base_wager_cents if progressive else 0
    top = analysis.top_award or Fraction(0)
    return {
        "figures": at,
        "edge": bound_figure(analysis.house_edge, at),
        "fixed": bound_figure(progressive.fixed_return, at, falls=True) if progressive else None,
        "free_top_cents": top * at.top_cents / at.top_award if at.top_award else Fraction(0),
        "exact": at.cost == at.greatest_cost,
        "break_evens": [
            (level, free.break_even * base, meter * base)
            for (level, meter), free in zip(
                at.break_evens, progressive.meters if progressive else (), strict=False
            )
        ],
        "drawn": [*zip((dynamic.least, dynamic.greatest), at.dynamic, strict=True)]
        if at.dynamic is not None and dynamic is not None
        else [],
    }


class Move(Struct, frozen=True, kw_only=True):
    """A change of a wager's figure by an interpretation, in some paytables or options.

    The greatest change is first; there are no ids where a single option is filed. ``edge``: the
    figure is the house edge itself.
    """

    figure: Figure
    edge: bool
    wager: str
    changes: tuple[tuple[Fraction, Ids | None], ...]

    @property
    def greatest(self) -> Fraction:
        """The size of the greatest change."""
        return abs(self.changes[0][0])


def readings(
    submission: Submission, analysed: Sequence[Counted], places: Places
) -> list[dict[str, Any]]:
    """Return every other interpretation that was counted, the one with the greatest change first.

    ``of`` are the discrepancies and assumptions that it answers, ``filed`` their words, or else
    those of the rules of the house way that it marks. ``resolutions`` are those of discrepancies
    among them, by id, and ``rules`` the printed numbers that it marks.
    """
    listed = {each.id: (each, marks) for each, marks in list_alternatives(submission)}
    alternatives = {name: alternative for name, (alternative, _) in listed.items()}
    moves = {name: _moves(name, analysed) for name in alternatives}
    statements = [statement for _, statement, _ in reversed(list_assumptions(submission))]
    assumed = {statement.id: statement.text for statement in statements}
    resolutions = submission.resolutions
    resolved = {
        name: {}
        if any(each in assumed for each in alternative.of)
        else {each: resolutions[each] for each in alternative.of if each in resolutions}
        for name, alternative in alternatives.items()
    }
    way = submission.way
    setting = rule_numbers(way, submission.game.dealt) if way is not None else {}
    order = sorted(filter(moves.get, moves), key=lambda name: -moves[name][0].greatest)
    return [
        {
            "number": number,
            "of": alternatives[name].of,
            "filed": [
                *dict.fromkeys(assumed[each] for each in alternatives[name].of if each in assumed)
            ]
            or [*dict.fromkeys(resolved[name].values())]
            or [setting[mark].text for mark in listed[name][1] if mark in setting],
            "resolutions": resolved[name],
            "text": alternatives[name].text,
            "rules": _find_numbers(listed[name][1], places),
            "moves": moves[name],
            "advantages": _advantages(name, analysed),
        }
        for number, name in enumerate(order, 1)
    ]


def _advantages(name: str, analysed: Sequence[Counted]) -> list[tuple[str, Fraction, Ids | None]]:
    """Return each wager with its negative house edge under an interpretation, and the tables."""
    wagers = {wager.id: wager for wager, _ in analysed}
    against_house = together(
        ((wager.id, edge), analysis.paytable)
        for wager, analysis in analysed
        for price in analysis.alternatives
        if price.alternative.id == name and Figure.HOUSE_EDGE in price.moved
        for _, edge in [price.moved[Figure.HOUSE_EDGE]]
        if edge < 0
    )
    return [
        (wagers[wager].name, edge, _tables(wagers[wager], tables, analysed))
        for (wager, edge), tables in against_house.items()
    ]


def _tables(wager: Wager, tables: Sequence[str], analysed: Sequence[Counted]) -> Ids | None:
    """Return ids of a wager's paytables or options; None for its only option."""
    if not wager.options:
        return ids(tables)
    several = sum(each.id == wager.id for each, _ in analysed) > 1
    return ids(tables, "option") if several else None


def _moves(name: str, analysed: Sequence[Counted]) -> list[Move]:
    """Return the figures changed by another interpretation, the greatest change first."""
    wagers = {wager.id: wager for wager, _ in analysed}
    moves = []
    for (figure, wager), changed in together(_changes(name, analysed)).items():
        changes = sorted(together(changed).items(), key=lambda change: -abs(change[0]))
        moves.append(
            Move(
                figure=figure,
                edge=figure is Figure.HOUSE_EDGE,
                wager=wagers[wager].name,
                changes=tuple(
                    (change, _tables(wagers[wager], tables, analysed)) for change, tables in changes
                ),
            )
        )
    return sorted(moves, key=lambda move: -move.greatest)


def _changes(
    name: str, analysed: Sequence[Counted]
) -> Iterator[tuple[tuple[Figure, str], tuple[Fraction, str]]]:
    """Yield by figure and wager each change by an interpretation, with its paytable."""
    for wager, analysis in analysed:
        for price in analysis.alternatives:
            if price.alternative.id != name:
                continue
            changes = {figure: read - as_filed for figure, (as_filed, read) in price.moved.items()}
            if changes.get(Figure.FULL_TABLE) == changes.get(Figure.HOUSE_EDGE):
                changes.pop(Figure.FULL_TABLE, None)
            for figure, change in changes.items():
                yield (figure, wager.id), (change, analysis.paytable)


class Marked(Struct, frozen=True, kw_only=True):
    """The printed numbers of the rules and tables that an interpretation is about.

    ``figures`` is True if it is on figures only, and so marks none.
    """

    numbers: tuple[str, ...]
    figures: bool

    @property
    def unprinted(self) -> bool:
        """True if no rule that it is about is printed."""
        return not self.numbers and not self.figures


def _find_numbers(marks: Iterable[str], places: Places) -> Marked:
    named = [*dict.fromkeys(marks)]
    numbers = dict.fromkeys(at for mark in named for at in places.get(mark, ()))
    return Marked(numbers=tuple(numbers), figures=not named)


def assumptions(
    submission: Submission, counted: Iterable[dict[str, Any]], places: Places
) -> list[tuple[Statement, str, list[tuple[Ids | None, str]], Marked]]:
    """Return every assumption without another interpretation, once, in order.

    Each with the title of its document, if that is another, with what otherwise would change, by
    table, and with the printed numbers that it marks.
    """
    answered = {name for reading in counted for name in reading["of"]}
    by_text = together(
        (statement.text, (statement, table, marks))
        for table, statement, marks in list_assumptions(submission)
        if statement.effect is not None and statement.id not in answered
    )
    assumed = []
    for same in by_text.values():
        first = same[0][0]
        effects = together((_effect(statement, submission), table) for statement, table, _ in same)
        by_table: list[tuple[Ids | None, str]] = [
            (ids(tables) if len(effects) > 1 else None, effect)
            for effect, tables in effects.items()
        ]
        numbers = _find_numbers((mark for *_, marks in same for mark in marks), places)
        assumed.append((first, _title(submission, first.source.document), by_table, numbers))
    return assumed


def _effect(statement: Statement, submission: Submission) -> str:
    """Return the effect of an assumption; that of fouls follows from the rules of play."""
    no_fouls = statement.topic is Topic.NO_FOULS
    foul = state_procedure(Procedure.FOUL, submission) if no_fouls else ""
    return (statement.effect or "") + (f" The rules of play say: “{foul}”" if foul else "")


def _title(submission: Submission, document: str) -> str:
    """Return the title of another document than the game's; a public clause names its own."""
    way, game = submission.way, submission.game
    public = {each.source.document for each in submission.jurisdiction.clauses}
    if document in public | {game.document.id}:
        return ""
    titles = {reference.id: reference.title for reference in game.references}
    if way is not None:
        titles.setdefault(way.source.document, capitalize_first(way.published or way.name))
    return titles.get(document, document)


def conventions(submission: Submission, analysed: Sequence[Counted]) -> list[dict[str, Any]]:
    """Return every rule of the count that is no assumption, and the wagers that it holds for."""
    used = together(
        (statement.text, wager)
        for wager, analysis in analysed
        for statements in [submission.filter_statements(analysis.assumptions)]
        for statement in statements
        if statement.effect is None
        and statement.id not in {replacing.replaces for replacing in statements}
    )
    every = {wager.id for wager, _ in analysed}
    bonus = {wager.id for wager, _ in analysed if not wager.options}
    return [
        {
            "text": text,
            "every": {wager.id for wager in wagers} == every,
            "bonus": {wager.id for wager in wagers} == bonus,
            "wagers": [*{wager.id: wager.name for wager in wagers}.values()],
        }
        for text, wagers in used.items()
    ]
