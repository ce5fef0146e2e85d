"""What the figures take for granted, and what each other reading of the source would change."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from certify.model.alternative import Figure
from certify.model.game import Wager
from certify.model.source import Statement
from certify.model.submission import Submission
from certify.report.mathematics.filed import Counted, Ids, ids
from certify.report.wording import as_written, named


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """A figure of a wager that a reading moves, by how much in which paytables or options.

    The greatest change is first; there are no ids where a single option is filed. ``edge``: the
    figure is the house edge itself.
    """

    figure: str
    edge: bool
    wager: str
    changes: tuple[tuple[Fraction, Ids | None], ...]

    @property
    def greatest(self) -> Fraction:
        """The size of the greatest change."""
        return abs(self.changes[0][0])


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherReading:
    """Another reading of the source: how it is filed, how else it reads, the greatest move first.

    ``of`` are the discrepancies and assumptions that it answers.
    """

    number: int
    of: tuple[str, ...]
    filed: tuple[str, ...]
    text: str
    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumption:
    """A statement without a price: its place, and what otherwise would change, by table."""

    text: str
    document: str
    clause: str
    effects: tuple[tuple[Ids | None, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CountConvention:
    """A rule of the count that is no choice, and the wagers that it holds for."""

    text: str
    every: bool
    bonus: bool
    wagers: tuple[str, ...]


def readings(submission: Submission, analysed: Sequence[Counted]) -> tuple[OtherReading, ...]:
    """Return every other reading that was counted, the one with the greatest change first."""
    alternatives = {
        price.alternative.id: price.alternative
        for _, analysis in analysed
        for price in analysis.alternatives
    }
    moves = {name: _moves(name, analysed) for name in alternatives}
    assumed = _assumed(submission, analysed)
    resolved = {each.id: each.resolution for each in submission.discrepancies}
    order = sorted(filter(moves.get, moves), key=lambda name: -moves[name][0].greatest)
    return tuple(
        OtherReading(
            number=number,
            of=alternatives[name].of,
            filed=_texts(alternatives[name].of, assumed) or _texts(alternatives[name].of, resolved),
            text=alternatives[name].text,
            moves=moves[name],
        )
        for number, name in enumerate(order, 1)
    )


def _moves(name: str, analysed: Sequence[Counted]) -> tuple[Move, ...]:
    """Return what another reading moves, the greatest move first."""
    filed = Counter(wager.id for wager, _ in analysed)
    moved: dict[tuple[Figure, str], dict[Fraction, list[str]]] = {}
    for wager, analysis in analysed:
        for price in analysis.alternatives:
            if price.alternative.id != name:
                continue
            changes = {figure: read - as_filed for figure, (as_filed, read) in price.moved.items()}
            if changes.get(Figure.FULL_TABLE) == changes.get(Figure.HOUSE_EDGE):
                changes.pop(Figure.FULL_TABLE, None)
            for figure, change in changes.items():
                moved.setdefault((figure, wager.id), {}).setdefault(change, []).append(
                    analysis.paytable
                )
    wagers = {wager.id: wager for wager, _ in analysed}
    moves = [
        Move(
            figure=named("figure", figure),
            edge=figure is Figure.HOUSE_EDGE,
            wager=wagers[wager].name,
            changes=tuple(
                (change, _ids(wagers[wager], tables, several=filed[wager] > 1))
                for change, tables in sorted(changes.items(), key=lambda move: -abs(move[0]))
            ),
        )
        for (figure, wager), changes in moved.items()
    ]
    return tuple(sorted(moves, key=lambda move: -move.greatest))


def _ids(wager: Wager, names: Sequence[str], *, several: bool) -> Ids | None:
    """Return ids of a wager; nothing of its only option."""
    if wager.options:
        return ids(names, "option") if several else None
    return ids(names)


def _texts(replaced: Iterable[str], known: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(known[name] for name in replaced if name in known))


def _assumed(submission: Submission, analysed: Sequence[Counted]) -> dict[str, str]:
    """Return the text of each assumption, by its id."""
    assumed = [*submission.assumptions]
    assumed += [assumption for _, analysis in analysed for assumption in analysis.assumptions]
    return {statement.id: statement.text for statement in reversed(submission.printed(assumed))}


def assumptions(
    submission: Submission, analysed: Sequence[Counted], counted: Iterable[OtherReading]
) -> tuple[Assumption, ...]:
    """Return every assumption that no other reading answers, once, as they are met."""
    answered = {name for reading in counted for name in reading.of}
    first: dict[str, Statement] = {}
    effects: dict[str, dict[str, list[str]]] = {}
    for table, statement in _statements(submission, analysed):
        if statement.effect is not None and statement.id not in answered:
            first.setdefault(statement.text, statement)
            effects.setdefault(statement.text, {}).setdefault(statement.effect, []).append(table)
    return tuple(
        Assumption(
            text=text,
            document=_title(submission, statement.source.document),
            clause=statement.source.clause,
            effects=tuple(
                (ids(tables) if len(effects[text]) > 1 else None, effect)
                for effect, tables in effects[text].items()
            ),
        )
        for text, statement in first.items()
    )


def _statements(submission: Submission, analysed: Sequence[Counted]) -> list[tuple[str, Statement]]:
    """Return what the figures take for granted, each with the paytable that says so, if one does.

    An assumption of the game goes before one of the same id.
    """
    general = submission.assumptions
    known = {statement.id for statement in general}
    statements = [("", statement) for statement in general]
    statements += [
        (each.paytable, assumption)
        for _, each in analysed
        for assumption in each.assumptions
        if assumption.id not in known
    ]
    return [(name, statement) for name, statement in statements if submission.printed([statement])]


def _title(submission: Submission, document: str) -> str:
    """Return the title of another document than the game's own."""
    way, game = submission.way, submission.game
    if document == game.document.id:
        return ""
    titles = {reference.id: reference.title for reference in game.references}
    if way is not None:
        titles.setdefault(way.source.document, as_written(way.published or way.name))
    return titles.get(document, document)


def conventions(submission: Submission, analysed: Sequence[Counted]) -> tuple[CountConvention, ...]:
    """Return every rule of the count that is no assumption, and the wagers that it holds for."""
    used: dict[str, dict[str, Wager]] = {}
    for wager, each in analysed:
        stated = submission.printed(each.assumptions)
        replaced = {statement.replaces for statement in stated}
        for statement in stated:
            if statement.effect is None and statement.id not in replaced:
                used.setdefault(statement.text, {})[wager.id] = wager
    every = {wager.id for wager, _ in analysed}
    bonus = {wager.id for wager, _ in analysed if not wager.options}
    return tuple(
        CountConvention(
            text=text,
            every=wagers.keys() == every,
            bonus=wagers.keys() == bonus,
            wagers=tuple(wager.name for wager in wagers.values()),
        )
        for text, wagers in used.items()
    )
