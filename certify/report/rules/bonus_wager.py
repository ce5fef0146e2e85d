"""What the rules of play print of a bonus wager: rules, payouts, prizes, meters, examples."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from certify.formatting import listed
from certify.model.game import Wager
from certify.model.payout import Basis
from certify.model.paytable import Award, HandsOf, Meter, Paytable
from certify.model.submission import Submission
from certify.report.bounds import FiguresWithLimit, figures_with_limit
from certify.report.rules.dynamic import DynamicTable, dynamic_tables
from certify.report.rules.examples import ShownExample, examples
from certify.report.rules.numbering import PrintedRule, numbers_of, rules
from certify.report.rules.offered import filed_envies, filed_paytables
from certify.report.rules.payouts import (
    PayoutMatrix,
    PrizeMatrix,
    basis_of,
    payout_matrices,
    prize_matrices,
)
from certify.report.wording import label


@dataclass(frozen=True, slots=True, kw_only=True)
class TableNote:
    """A footnote that only some tables have, with their names."""

    text: str
    tables: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredMeter:
    """What is declared of a meter, and the paytables that declare the same."""

    level: str
    tables: tuple[str, ...]
    base_wager_cents: int
    meter: Meter


@dataclass(frozen=True, slots=True, kw_only=True)
class Prized:
    """Whose hands are paid a prize, and by which tables where they differ."""

    dealt_in: bool
    own: bool
    dealer: bool
    tables: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BonusWager:
    """A bonus wager's section.

    ``edge`` is that of the only paytable, ``limited`` what a payout limit makes of it. The flags
    say what the odds of the payouts include, and which hand is paid where several are held.
    """

    name: str
    aliases: str
    clause: str
    rules: tuple[PrintedRule, ...]
    matrices: tuple[PayoutMatrix, ...]
    to_one: bool
    for_one: bool
    push: bool
    highest_ranking: bool
    joined: tuple[TableNote, ...]
    edge: Fraction | None
    limited: FiguresWithLimit | None
    notes: tuple[TableNote, ...]
    prizes: tuple[PrizeMatrix, ...]
    prized: tuple[Prized, ...]
    pairs: tuple[tuple[str, str], ...]
    meters: tuple[DeclaredMeter, ...]
    dynamic: tuple[DynamicTable, ...]
    blank: str | None
    examples: tuple[ShownExample, ...]


def bonus_wager(
    wager: Wager, submission: Submission, section: int, blank: str | None
) -> BonusWager:
    """Return what a bonus wager's section prints; ``blank`` is the number of its meters' blank."""
    filed = filed_paytables(wager, submission)
    basis = basis_of(filed)
    only = submission.analyses.get(filed[0].target) if len(filed) == 1 else None
    return BonusWager(
        name=wager.name,
        aliases=listed(wager.aliases),
        clause="; ".join(dict.fromkeys(paytable.source.clause for paytable in filed)),
        rules=rules(submission.printed(wager.rules), numbers_of(section)),
        matrices=payout_matrices(filed, submission),
        to_one=Basis.TO in basis,
        for_one=Basis.FOR in basis or Basis.METER in basis,
        push=Basis.PUSH in basis,
        highest_ranking={paytable.award for paytable in filed} == {Award.HIGHEST_RANKING_HAND},
        joined=tuple(
            TableNote(text=listed(table.joined), tables=label(table.id))
            for table in filed
            if table.joined
        ),
        edge=only.house_edge if only is not None else None,
        limited=figures_with_limit(only),
        notes=tuple(_notes(filed)),
        prizes=prize_matrices(wager, filed, submission),
        prized=tuple(_prized(wager, filed)),
        pairs=tuple(
            (label(paytable.id), paytable.envy) for paytable in filed if paytable.envy is not None
        ),
        meters=tuple(_meters(filed)),
        dynamic=dynamic_tables(filed),
        blank=blank,
        examples=examples(submission, wager),
    )


def _notes(filed: Sequence[Paytable]) -> Iterator[TableNote]:
    """Yield the footnotes that not all tables have; what all have is a rule of the wager."""
    having: dict[str, list[str]] = {}
    for paytable in filed:
        for note in paytable.source.notes:
            having.setdefault(note.text, []).append(label(paytable.id))
    for text, tables in having.items():
        if len(tables) < len(filed):
            yield TableNote(text=text, tables=listed(tables))


def _prized(wager: Wager, filed: Sequence[Paytable]) -> Iterator[Prized]:
    having: dict[tuple[HandsOf, bool, bool], list[str]] = {}
    for filed_envy in filed_envies(wager, filed):
        terms = filed_envy.hands_of, filed_envy.pays_on_own_hand, filed_envy.pays_on_dealer_hand
        having.setdefault(terms, []).append(filed_envy.id)
    for (hands_of, own, dealer), ids in having.items():
        yield Prized(
            dealt_in=hands_of is HandsOf.PLAYERS_DEALT_IN,
            own=own,
            dealer=dealer,
            tables=listed(ids) if len(having) > 1 else "",
        )


def _meters(filed: Iterable[Paytable]) -> Iterator[DeclaredMeter]:
    having: dict[tuple[int, Meter], list[str]] = {}
    for paytable in filed:
        if paytable.progressive is not None:
            for meter in paytable.progressive.meters:
                facts = paytable.progressive.base_wager_cents, meter
                having.setdefault(facts, []).append(label(paytable.id))
    for (base, meter), tables in having.items():
        yield DeclaredMeter(
            level=meter.level, tables=tuple(tables), base_wager_cents=base, meter=meter
        )
