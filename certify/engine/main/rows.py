"""Figures of a main wager that follow from the number of deals of each outcome, without arrays."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import product

from msgspec.structs import replace

from certify import __version__
from certify.engine.main.outcomes import DealCounts, OutcomeCount, split_outcomes, stake_units
from certify.errors import NotConfigured
from certify.model.analysis import Analysis, MainAnalysis, RowAnalysis
from certify.model.game import Game, Strategy
from certify.model.main_wager import HandBonus, HandPay, MainWager, Outcome, OwnHand


def build_rows(
    option: MainWager, outcomes: Sequence[OutcomeCount], total: int
) -> tuple[RowAnalysis, ...]:
    """Return one row for each way a round can end, in the order of the counts."""
    rows = []
    for outcome in outcomes:
        probability = Fraction(outcome.deals, total)
        rows.append(
            RowAnalysis(
                event=outcome.reason.key,
                name=outcome.name,
                pays=outcome.pays,
                combinations=outcome.deals,
                probability=probability,
                contribution=probability * outcome.net / stake_units(option),
                reason=outcome.reason,
            )
        )
    return tuple(rows)


def edge_of(rows: Sequence[RowAnalysis]) -> Fraction:
    """Return the house edge."""
    return -sum((row.contribution for row in rows), Fraction(0))


def variance_of(rows: Sequence[RowAnalysis], edge: Fraction) -> Fraction:
    """Return the variance of the result of a round."""
    squares = (
        row.probability * (row.contribution / row.probability) ** 2
        for row in rows
        if row.combinations
    )
    return sum(squares, Fraction(0)) - edge**2


def sum_outcomes(outcomes: Sequence[OutcomeCount]) -> Mapping[Outcome, int]:
    """Return the sums over reasons: every round is won, pushed or lost."""
    sums = dict.fromkeys(Outcome, 0)
    for outcome in outcomes:
        sums[outcome.reason.outcome] += outcome.deals
    return sums


def analyze_deals(
    option: MainWager,
    deals: Mapping[str, int],
    *,
    game: Game,
    house_way: str,
    strategy: Strategy,
) -> Analysis:
    """Return the figures of an option whose deals were counted before.

    Args:
        option: the option.
        deals: the deals by the key of their outcome; those without deals may be left out.
        game: the game.
        house_way: the id of the house way by which the deals were counted.
        strategy: the player's strategy by which they were counted.

    Raises:
        NotConfigured: a key is no outcome of the option, or the deals are not those of the game.
    """
    known = _find_outcomes(option, deals)
    unknown = sorted(deals.keys() - known.keys())
    if unknown:
        raise NotConfigured(f"{unknown[0]} is no outcome of {option.target}.")
    if sum(deals.values()) != game.hands.deals:
        raise NotConfigured(
            f"The rows have {sum(deals.values()):,} deals, and the game has {game.hands.deals:,}."
        )
    outcomes = [replace(known[key], deals=number) for key, number in deals.items() if number]
    rows = build_rows(option, outcomes, game.hands.deals)
    edge = edge_of(rows)
    return Analysis(
        target=option.target,
        game=option.game,
        wager=option.wager,
        paytable=option.id,
        total=game.hands.deals,
        rows=rows,
        hit_frequency=sum((row.probability for row in rows if row.contribution > 0), Fraction(0)),
        assumptions=(),
        inputs=(),
        engine_version=__version__,
        return_to_player=1 - edge,
        house_edge=edge,
        variance=variance_of(rows, edge),
        main=MainAnalysis(
            outcomes={str(name): number for name, number in sum_outcomes(outcomes).items()},
            house_way=house_way,
            strategy=strategy,
            dealer_rule_hands=(),
        ),
    )


Pays = tuple[HandPay | HandBonus | None, ...]
"""The pays of a raise, a companion wager and a bonus for the player's own hand, in this order."""


def _find_outcomes(option: MainWager, keys: Iterable[str]) -> dict[str, OutcomeCount]:
    """Return the results of a round that these keys name; an unknown key is left out.

    Only the pays that a key names are tried: together they could be many.
    """
    raised, companion = option.raise_, option.companion
    parts = (
        ("raise", raised.pays if raised is not None else ()),
        ("companion", companion.pays if companion is not None else ()),
        ("bonus", option.bonus),
    )
    list_outcomes = cache(lambda pays: {each.reason.key: each for each in _settle(option, pays)})
    found: dict[str, OutcomeCount] = {}
    for key in keys:
        for pays in _read_pays(key, parts):
            outcome = list_outcomes(pays).get(key)
            if outcome is not None:
                found[key] = outcome
    return found


def _read_pays(
    key: str, parts: Sequence[tuple[str, Sequence[HandPay | HandBonus]]]
) -> Iterator[Pays]:
    """Yield each way to read the end of a key as the ids of pays; None where it names none."""
    if not parts:
        yield ()
        return
    *before, (name, pays) = parts
    for pay in (None, *pays):
        end = f"_{name}_{pay.id}" if pay is not None else ""
        if key.endswith(end):
            yield from ((*read, pay) for read in _read_pays(key.removesuffix(end), before))


def _settle(option: MainWager, pays: Pays) -> Iterator[OutcomeCount]:
    """Yield every result that a round with these pays may have; some can never happen."""
    raise_pay, companion_pay, bonus = pays
    own = OwnHand(bonus=bonus, raise_pay=raise_pay, companion_pay=companion_pay)  # type: ignore[arg-type] # in the order of the parts
    for rule in (*option.dealer_rules, None):
        for action, qualifies in product(option.actions, (False, True)):
            yield from split_outcomes(  # of a deal won, one pushed and one lost
                option, rule, DealCounts(3, 1, 1), action=action, qualifies=qualifies, own=own
            )
