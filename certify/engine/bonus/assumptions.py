"""What the figures of a paytable take for granted, said beside them."""

from collections.abc import Iterator, Sequence

from certify.engine.conventions import convention, words_of
from certify.model.condition import Event
from certify.model.game import HandRules
from certify.model.house_way import HouseWay
from certify.model.paytable import Award, EnvyTable, Paytable
from certify.model.source import Statement
from certify.model.vocabulary import HandPart

DRAW = "draw-open"
"""The id under which a paytable may declare the same of its draw itself."""


def assumptions(
    paytable: Paytable,
    events: Sequence[Event] = (),
    *,
    hands: HandRules,
    house_way: HouseWay | None = None,
    envy: EnvyTable | None,
    stated: Sequence[Statement],
    wager_cents: int | None = None,
) -> tuple[Statement, ...]:
    """Return the declared assumptions, then those of the count; a declared id is not repeated.

    ``events`` are those of the rows, ``house_way`` the one that sets the hands that they look at,
    ``wager_cents`` the wager that envy prizes are counted at; the qualifying one if None.
    """
    by_id: dict[str, Statement] = {}
    counted = [
        *_counted(paytable, hands, as_set=house_way is not None),
        *_as_set(paytable, events, house_way),
        *_envy(envy, wager_cents),
    ]
    for statement in (*stated, *paytable.assumptions, *counted):
        by_id.setdefault(statement.id, statement)
    return tuple(by_id.values())


def _counted(paytable: Paytable, hands: HandRules, *, as_set: bool) -> Iterator[Statement]:
    deck, source, draw = hands.deck, paytable.source, paytable.dynamic
    deal = ("deal", "deal.joker", "deal.jokers")[deck.joker]
    yield convention("deal", source, deal, held=paytable.cards, cards=deck.cards)
    if deck.joker:
        rule = "joker-rule" if deck.joker == 1 else "jokers-rule"
        yield convention("joker-rule", source, f"{rule}.{hands.joker}")
    award = f"award.{paytable.award}"
    if as_set:
        award = f"{award}.as_set"
    elif not hands.shape.divided and paytable.award is Award.FIRST_ROW_CONTAINED:
        award = f"{award}.undivided"
    yield convention("award", source, award)
    if paytable.progressive is not None:
        yield convention("base-wager", source)
    if draw is not None:
        yield convention(DRAW, source, least=draw.minimum_rows, most=draw.maximum_rows)


def _as_set(
    paytable: Paytable, events: Sequence[Event], house_way: HouseWay | None
) -> Iterator[Statement]:
    if house_way is not None:
        yield convention("set-hands", paytable.source, house_way=house_way.name)
    if any(HandPart.WHOLE in deal.results for event in events for deal in event.deals):
        yield convention("best-hands", paytable.source)


def _envy(envy: EnvyTable | None, wager_cents: int | None) -> Iterator[Statement]:
    if envy is not None:
        qualifying = wager_cents in {None, envy.qualifying_wager_cents}
        yield convention(
            "envy-wager",
            envy.source,
            called=envy.called,
            wager=words_of(f"envy-wager.{'qualifying' if qualifying else 'given'}"),
            players=words_of(f"envy-wager.{envy.hands_of}"),
        )
