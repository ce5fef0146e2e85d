"""How each edge was checked: second counts, published figures, and what is not met."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from certify.formatting import decimal, percentage, thousands
from certify.model.analysis import Analysis
from certify.model.audit import Agreement, CrossCheck, FigureJudgement
from certify.model.condition import Event, asks_as_set, tests_of
from certify.model.game import DocumentInfo, Game, Strategy
from certify.model.published import Quantity
from certify.model.submission import Submission
from certify.report.filters import UNKNOWN
from certify.report.mathematics.filed import Ids, ids
from certify.report.wording import named

HOUSE_EDGE = "house_edge"
PAIRS = "exact"
"""The method that counts every pair of hands a second time."""


class InKit(StrEnum):
    """What the laboratory kit counts of a table; it checks the arithmetic on all the rest."""

    COUNTED = "counted"
    OUTCOMES = "outcomes"
    """How often rounds are won, pushed and lost, and not when a raise is made."""

    STATED = "stated"


PAI_GOW = frozenset({"joker", "pai_gow_high"})
"""What the kit knows to ask of both hands at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """One edge and its second count: ``agreeing`` of ``compared`` counts are the same.

    ``analysis`` is that of the first count. ``met`` of ``published`` figures agree.
    """

    wager: str
    table: Ids
    strategy: str
    analysis: Analysis | None
    in_pairs: bool
    hands: int
    compared: int
    agreeing: int
    published: int
    met: int
    in_kit: InKit

    @property
    def kit_counts(self) -> bool:
        """Whether the kit counts every row of the table."""
        return self.in_kit is InKit.COUNTED

    @property
    def kit_counts_outcomes(self) -> bool:
        """Whether the kit counts how rounds end, and no more."""
        return self.in_kit is InKit.OUTCOMES


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A document that prints figures of the same paytables, and how many of them are met."""

    document: DocumentInfo
    own: bool
    targets: int
    edges: tuple[str, ...]
    published: int
    met: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Unmet:
    """A published figure that is not met as the rules are filed."""

    wager: str
    table: Ids
    quantity: str
    row: str
    judgement: FigureJudgement
    recomputed: str
    otherwise: bool
    repeated: bool
    """Whether the figure before it has the same reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """A wager without a second count, and the house way to name where it is not the default."""

    target: str
    house_way: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """What the section on verification prints; ``missing`` has no second count yet.

    ``house_way`` is the one that was chosen, empty where it is the default.
    """

    lines: tuple[Verified, ...]
    references: tuple[Reference, ...]
    unmet: tuple[Unmet, ...]
    missing: tuple[Missing, ...]
    house_way: str

    @property
    def kit_outcomes(self) -> bool:
        """Whether the kit counts of some line only how rounds end."""
        return any(line.in_kit is InKit.OUTCOMES for line in self.lines)

    @property
    def kit_stated(self) -> bool:
        """Whether the kit takes the counts of some line as stated."""
        return any(line.in_kit is InKit.STATED for line in self.lines)


def proof(submission: Submission) -> Proof:
    """Return how every figure of a submission was checked."""
    missing = [check for check in submission.crosschecks if not check.comparisons]
    default = submission.game.house_way
    return Proof(
        lines=tuple(_lines(submission)),
        references=tuple(_references(submission)),
        unmet=tuple(_unmet(submission)),
        missing=tuple(
            dict.fromkeys(
                Missing(
                    target=check.target.rpartition("/")[0],
                    house_way=_chosen(check.house_way, default),
                )
                for check in missing
            )
        ),
        house_way=_chosen(submission.way.id if submission.way is not None else None, default),
    )


def _chosen(house_way: str | None, default: str) -> str:
    """Return the house way that a command has to name, or nothing."""
    return "" if house_way in (None, default) else str(house_way)


def _lines(submission: Submission) -> Iterator[Verified]:
    for check in submission.crosschecks:
        wager, table = _named(submission, check.target)
        judged = [figure for figure in submission.figures if figure.figure.target == check.target]
        yield Verified(
            wager=wager,
            table=table,
            strategy=named("strategy", check.strategy) if check.strategy else "",
            analysis=_first(submission, check),
            in_pairs=check.method == PAIRS,
            hands=check.rounds,
            compared=len(check.comparisons),
            agreeing=sum(comparison.agrees for comparison in check.comparisons),
            published=len(judged),
            met=_met(judged),
            in_kit=in_kit(submission.game, submission.events, check.target, check.strategy),
        )


def in_kit(
    game: Game, events: Mapping[str, Event], target: str, strategy: Strategy | None = None
) -> InKit:
    """Return what the kit's ``reproduce.py`` counts of a paytable, or of an option as played."""
    for wager in game.wagers:
        for option in wager.options:
            if option.target == target:
                hidden = strategy is Strategy.OPTIMAL and not game.dealer_exposed
                folds = option.raise_ is not None and option.raise_.fold is not None
                as_set = any(asks_as_set(rule.when) for rule in option.dealer_rules)
                if hidden or folds or as_set or not game.hands.shape.divided:
                    return InKit.STATED
                return InKit.OUTCOMES if option.raise_ else InKit.COUNTED
        for paytable in wager.paytables:
            if paytable.target == target:
                rows = [events[row.event] for row in paytable.rows]
                within = not paytable.joined and all(map(_within_kit, rows))
                return InKit.COUNTED if within else InKit.STATED
    return InKit.STATED


def _within_kit(event: Event) -> bool:
    asked = {test.feature for side in event.conditions for test in tests_of(side)}
    fits = not event.two_handed or asked <= PAI_GOW
    return fits and not event.as_set and not event.compares


def _first(submission: Submission, check: CrossCheck) -> Analysis | None:
    """Return the first count of what a check counted again."""
    known = [
        *submission.comparison,
        *submission.other_options,
        *submission.analyses.values(),
    ]
    return next(
        (
            analysis
            for analysis in known
            if analysis.target == check.target
            and (analysis.main is None or check.strategy in (None, analysis.main.strategy))
        ),
        None,
    )


def _met(judged: list[FigureJudgement]) -> int:
    return sum(judgement.agreement is Agreement.AGREES for judgement in judged)


def _named(submission: Submission, target: str) -> tuple[str, Ids]:
    """Return a target's wager and its paytable or option."""
    wager_id, _, table = target.partition("/")[2].partition("/")
    names = {wager.id: wager.name for wager in submission.game.wagers}
    optional = {wager.id for wager in submission.game.wagers if wager.options}
    noun = "option" if wager_id in optional else "paytable"
    return names.get(wager_id, wager_id), ids([table], noun)


def _references(submission: Submission) -> Iterator[Reference]:
    """Yield the game's own source, then the other documents, as far as they print figures."""
    own = submission.game.document
    for document in (own, *submission.game.references):
        judged = [
            figure for figure in submission.figures if figure.figure.source.document == document.id
        ]
        if judged:
            edges = (judgement.figure.printed for judgement in judged if _is_edge(judgement))
            yield Reference(
                document=document,
                own=document == own,
                targets=len({judgement.figure.target for judgement in judged}),
                edges=tuple(dict.fromkeys(edges)),
                published=len(judged),
                met=_met(judged),
            )


def _is_edge(judged: FigureJudgement) -> bool:
    return judged.figure.quantity is Quantity.HOUSE_EDGE or judged.figure.players == 1


def _unmet(submission: Submission) -> Iterator[Unmet]:
    names = _row_names(submission)
    reason = ""
    for figure in submission.figures:
        if figure.agreement is not Agreement.AGREES:
            wager, table = _named(submission, figure.figure.target)
            yield Unmet(
                wager=wager,
                table=table,
                quantity=named("quantity", figure.figure.quantity),
                row=names.get(figure.figure.event or "", ""),
                judgement=figure,
                recomputed=recomputed(figure),
                otherwise=figure.agreement is Agreement.AGREES_UNDER_READING,
                repeated=figure.reason == reason,
            )
            reason = figure.reason


def _row_names(submission: Submission) -> Mapping[str, str]:
    """Return the printed name of each row."""
    names = {event.id: event.name or event.text for event in submission.events.values()}
    names |= {row.event: row.name for paytable in submission.paytables for row in paytable.rows}
    return names


def recomputed(judgement: FigureJudgement) -> str:
    """Return the exact value with two decimals more than are printed, so that it can be seen."""
    if judgement.recomputed is None:
        return UNKNOWN
    printed = judgement.figure.printed
    places = len(printed.rstrip("%").partition(".")[2]) + 2
    if printed.endswith("%"):
        return percentage(judgement.recomputed, places)
    if "." in printed or judgement.recomputed.denominator != 1:
        return decimal(judgement.recomputed, places)
    return thousands(judgement.recomputed)
