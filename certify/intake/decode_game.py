"""Decoders of games, wagers and the options of a main wager."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from fractions import Fraction

from certify.intake.decode_common import (
    Value,
    condition,
    payout,
    source,
    statement,
    statements,
)
from certify.model.cards import Deck, HandShape, JokerRule, WheelRule
from certify.model.game import (
    Change,
    DocumentInfo,
    Game,
    HandRules,
    Section,
    Strategy,
    Wager,
    WagerKind,
)
from certify.model.main_wager import Commission, DealerRule, MainWager, Outcome, Raise
from certify.model.paytable import EnvyTable, HandOf, Paytable


def game(value: Value, wagers: Sequence[Wager]) -> Game:
    """Return a game with its wagers, which are declared in files of their own."""
    return Game(
        id=value["id"],
        name=value["name"],
        supplier=value["supplier"],
        revision=value["revision"],
        revised=date.fromisoformat(value["revised"]),
        document=_document(value["document"]),
        hands=_hands(value),
        dealer_exposed=value["dealer_exposed"],
        players=value["players"],
        house_way=value["house_way"],
        house_ways=tuple(value["house_ways"]),
        house_way_in_source=value["house_way_in_source"],
        strategy=Strategy(value["strategy"]),
        sections=tuple(
            Section(id=one["id"], title=one["title"], statements=statements(one["statements"]))
            for one in value["sections"]
        ),
        wagers=tuple(wagers),
        aliases=tuple(value.get("aliases", ())),
        assumptions=statements(value.get("assumptions", ())),
        definitions=statements(value["definitions"]),
        references=tuple(_document(one) for one in value.get("references", ())),
        changes=tuple(
            Change(revision=one["revision"], date=date.fromisoformat(one["date"]), text=one["text"])
            for one in value.get("changes", ())
        ),
    )


def wager(
    value: Value,
    *,
    options: Sequence[MainWager] = (),
    paytables: Sequence[Paytable] = (),
    envies: Sequence[EnvyTable] = (),
) -> Wager:
    """Return a wager with what is declared under it, in files of their own."""
    return Wager(
        id=value["id"],
        game=value["game"],
        name=value["name"],
        kind=WagerKind(value["kind"]),
        hand=HandOf(value["hand"]),
        source=source(value["source"]),
        aliases=tuple(value.get("aliases", ())),
        rules=statements(value["rules"]),
        options=tuple(options),
        paytables=tuple(paytables),
        envies=tuple(envies),
        absent=statement(value["absent"]) if "absent" in value else None,
        player_chooses=value.get("player_chooses", False),
        minimum_cents=value.get("minimum_cents"),
        maximum_cents=value.get("maximum_cents"),
    )


def main_wager(value: Value) -> MainWager:
    """Return one option of a base game's wager."""
    return MainWager(
        id=value["id"],
        game=value["game"],
        wager=value["wager"],
        name=value["name"],
        win_pays=payout(value["win_pays"]),
        source=source(value["source"]),
        dealer_rules=tuple(_dealer_rule(one) for one in value.get("dealer_rules", ())),
        commission=_commission(value["commission"]) if "commission" in value else None,
        raise_=_raise(value["raise"]) if "raise" in value else None,
        assumptions=statements(value.get("assumptions", ())),
    )


def _document(value: Value) -> DocumentInfo:
    return DocumentInfo(
        id=value["id"],
        title=value["title"],
        publisher=value["publisher"],
        file=value["file"],
        revision=value.get("revision"),
        jurisdiction=value.get("jurisdiction"),
    )


def _hands(value: Value) -> HandRules:
    deck, hand = value["deck"], value["hand"]
    plain = HandRules(
        deck=Deck(ranks=deck["ranks"], joker=deck["joker"]),
        shape=HandShape(cards=hand["cards"], back=hand["back"], front=hand["front"]),
        wheel=WheelRule(value["wheel"]),
    )
    if not plain.deck.joker:
        return plain  # whatever is declared about a joker has nothing to be about
    return replace(
        plain,
        joker=JokerRule(value["joker"]),
        joker_choices=tuple(JokerRule(one) for one in value.get("joker_choices", ())),
        joker_beats_ace_in_front=value.get("joker_beats_ace_in_front", False),
    )


def _dealer_rule(value: Value) -> DealerRule:
    return DealerRule(
        id=value["id"],
        when=condition(value["when"]),
        text=value["text"],
        source=source(value["source"]),
        outcome=Outcome(value["outcome"]) if "outcome" in value else None,
        win_pays=payout(value["win_pays"]) if "win_pays" in value else None,
    )


def _commission(value: Value) -> Commission:
    return Commission(
        rate=Fraction(value["rate"].removesuffix("%")) / 100, prepaid=value["prepaid"]
    )


def _raise(value: Value) -> Raise:
    return Raise(
        id=value["id"],
        name=value["name"],
        size=Fraction(value["size"]),
        qualifies=condition(value["qualifies"]),
        text=value["text"],
        source=source(value["source"]),
    )
