"""What the figures of a paytable take for granted, said beside them."""

from collections.abc import Iterator, Sequence

from certify.engine.conventions import convention, words_of
from certify.model.game import HandRules
from certify.model.paytable import EnvyTable, Paytable
from certify.model.source import Statement

DRAW = "draw-open"
"""The id under which a paytable may declare the same of its draw itself."""


def assumptions(
    paytable: Paytable,
    *,
    hands: HandRules,
    envy: EnvyTable | None,
    stated: Sequence[Statement],
    wager_cents: int | None = None,
) -> tuple[Statement, ...]:
    """Return the declared assumptions, then those of the count; a declared id is not repeated.

    ``wager_cents`` is the wager that envy prizes are counted at; the qualifying one if None.
    """
    by_id: dict[str, Statement] = {}
    counted = [*_counted(paytable, hands), *_envy(envy, wager_cents)]
    for statement in (*stated, *paytable.assumptions, *counted):
        by_id.setdefault(statement.id, statement)
    return tuple(by_id.values())


def _counted(paytable: Paytable, hands: HandRules) -> Iterator[Statement]:
    deck, source, draw = hands.deck, paytable.source, paytable.dynamic
    deal = ("deal", "deal.joker", "deal.jokers")[deck.joker]
    yield convention("deal", source, deal, held=paytable.cards, cards=deck.cards)
    if deck.joker:
        yield convention("joker-rule", source, f"joker-rule.{hands.joker}")
    yield convention("award", source, f"award.{paytable.award}")
    if paytable.progressive is not None:
        yield convention("base-wager", source)
    if draw is not None:
        yield convention(DRAW, source, least=draw.minimum_rows, most=draw.maximum_rows)


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
