"""Explanations of hands from cards as text: features, settings and pays."""

from typing import Annotated, Any

from msgspec import Struct
from msgspec.structs import replace

from certify.engine.hands.conditions import find
from certify.errors import NotConfigured, NotReadable
from certify.explanations.bonus import explain_bonus, is_colour_bet
from certify.figures.evaluate import (
    HouseWayId,
    Settings,
    house_way_for,
    refuse_unused_play,
    resolve_house_way,
)
from certify.figures.targets import Selection, select_sound
from certify.formatting import count_noun
from certify.model.encoding import Forms, encode_object
from certify.model.explanation import (
    BonusExplanation,
    Explanation,
    HeldFeature,
    SetExplanation,
)
from certify.model.game import JOKER, RANKS, SUITS, Deck, Wager
from certify.model.main_wager import MainWager
from certify.model.paytable import HandOf, Paytable, by_holder, split_cards
from certify.model.request import Request, Result, Target, argument, option

Cards = tuple[str, ...]


class ExplainRequest(Request, frozen=True, kw_only=True):
    """Hands to explain, and their target."""

    target: Annotated[Target, argument("GAME, GAME/WAGER, GAME/WAGER/PAYTABLE, or a JSON file.")]
    hand: Annotated[str, argument('Cards as rank and suit, Jk for the joker: "As Td 2c Jk …".')]
    dealer: Annotated[str | None, option("Cards of the dealer, in the same form.")] = None
    house_way: HouseWayId = None


class LeftOut(Struct, frozen=True, kw_only=True):
    """A paytable or an option of a game that needs other cards, and why."""

    target: str
    message: str


class Explained(Result, frozen=True, kw_only=True):
    """The requested explanation: the setting alone (of a game), or one entry per wager."""

    game: str
    setting: SetExplanation | None
    records: tuple[Explanation, ...]
    left_out: tuple[LeftOut, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return one object for one record, ``{"results": [...]}`` for several.

        Records that need other cards are listed under ``left_out``.
        """
        value: object = {"results": self.records}
        if self.left_out:
            return encode_object({"results": self.records, "left_out": self.left_out}, FORMS)
        if self.setting is not None:
            value = {"target": self.game, "setting": self.setting}
        elif len(self.records) == 1:
            (value,) = self.records
        return encode_object(value, FORMS)


def explain(request: ExplainRequest) -> Explained:
    """Explain a hand under a target.

    A game alone is explained by its house way, and with a dealer's hand by every option of its
    main wager; a wager by each of its paytables or options. Of a game, wagers that need another
    number of cards are left out.

    Raises:
        NotReadable: the cards are not hands of this deck, or not those of any wager.
        NotConfigured: the target or the house way is unknown, or a hand is missing.
    """
    selection = select_sound(request.target)
    game, dealer, house_way = selection.game, request.dealer, request.house_way
    whole_game = request.target == game.id
    mine = read_hand(request.hand, game.hands.deck)
    theirs = read_hand(dealer, game.hands.deck) if dealer is not None else None
    _refuse_shared(mine, theirs or (), game.hands.deck)
    divided = game.hands.shape.front > 0
    if whole_game and divided and theirs is None:
        from certify.explanations.main import explain_setting

        way = resolve_house_way(selection.catalog, game, house_way)
        _refuse_counts(mine, None, game.hands.shape.cards)
        side = explain_setting(game, way, mine)
        return Explained(game=game.id, setting=side.explanation, records=())
    records = [
        (wager, record)
        for wager, record in selection.records
        if not (whole_game and divided) or isinstance(record, MainWager)
    ]
    if not records:
        reasons = " ".join(wager.absent.text for wager in selection.absent if wager.absent)
        raise NotConfigured(
            f"There is no paytable for an explanation. {reasons}".strip(),
            remedy="Choose a wager that has a paytable.",
        )
    chosen = replace(selection, records=tuple(records))
    refuse_unused_play(chosen, Settings(house_way=house_way))
    explanations: list[Explanation] = []
    unfit: dict[str, NotReadable] = {}
    for wager, record in records:
        try:
            if isinstance(record, MainWager):
                explanations.append(_main(selection, record, mine, theirs, house_way))
            else:
                explanations.extend(
                    explain_paytable(selection, wager, record, mine, theirs, house_way=house_way)
                )
        except NotReadable as error:
            if not whole_game:
                raise
            unfit[record.target] = error
    if not explanations:
        raise next(iter(unfit.values()))
    left_out = tuple(LeftOut(target=target, message=str(error)) for target, error in unfit.items())
    return Explained(game=game.id, setting=None, records=tuple(explanations), left_out=left_out)


FORMS: Forms = {HeldFeature: lambda held: {"feature": held.name, "value": held.value}}
"""JSON forms of the parts of an explanation."""


def explain_paytable(
    selection: Selection,
    wager: Wager,
    paytable: Paytable,
    player: Cards,
    dealer: Cards | None,
    *,
    house_way: str | None = None,
) -> tuple[BonusExplanation, ...]:
    """Explain a hand under one paytable; once for each color if the player chooses one."""
    events = selection.catalog.events
    if by_holder(paytable, find(events, [row.event for row in paytable.rows])):
        of_player, of_dealer = split_cards(paytable, selection.game.hands.shape.cards)
        _refuse_counts(player, None, of_player)
        _refuse_counts(dealer or (), None, of_dealer, "The dealer's hand")
    else:
        if paytable.hand is HandOf.TOGETHER:
            player, dealer = (*player, *(dealer or ())), None
        elif paytable.hand is HandOf.PLAYER:
            dealer = None
        _refuse_counts(player, dealer, paytable.cards)
    way = house_way_for(selection.catalog, selection.game, paytable, house_way)
    chosen = ("red", "black") if is_colour_bet(paytable, events) else ("",)
    return tuple(
        explain_bonus(
            paytable,
            events=events,
            hands=selection.game.hands,
            player=player,
            dealer=dealer,
            house_way=way,
            envy=wager.find_envy(paytable),
            chosen=colour,
        )
        for colour in chosen
    )


def _main(
    selection: Selection,
    option: MainWager,
    player: Cards,
    dealer: Cards | None,
    house_way: str | None,
) -> Explanation:
    from certify.explanations.main import explain_main

    game = selection.game
    shape = game.hands.shape
    seen = option.raise_ is not None and shape.dealer_shows > 0
    if seen and not dealer:
        raise NotReadable(
            "The decision depends on the dealer's card that the player sees.",
            remedy="Give it with --dealer. Of more cards it is the first.",
        )
    _refuse_counts(player, None, shape.cards)
    if dealer is not None and not (seen and len(dealer) == shape.dealer_shows):
        _refuse_counts(dealer, None, shape.dealer, "The dealer's hand")
    way = resolve_house_way(selection.catalog, game, house_way)
    return explain_main(
        option, game=game, house_way=way, player=player, dealer=dealer, weighed=True
    )


def read_hand(text: str, deck: Deck) -> Cards:
    """Return cards as written: rank then suit, ``10`` for ``T``, in either case; ``Jk``.

    Raises:
        NotReadable: a card is not one of the deck, or is there twice.
    """
    cards: list[str] = []
    for word in text.replace(",", " ").split():
        card = _card(word, deck)
        if cards.count(card) >= _copies(card, deck):
            times = cards.count(card) + 1
            often = {2: "twice", 3: "three times"}.get(times, f"{times} times")
            fix = (
                "Give each card once." if deck.decks == 1 else "Give each card once for each deck."
            )
            raise NotReadable(f"The hand contains {card} {often}.", remedy=fix)
        cards.append(card)
    if not cards:
        raise NotReadable("No cards are given.", remedy='Write for example "As Td 2c Jk".')
    return tuple(cards)


def _copies(card: str, deck: Deck) -> int:
    return deck.joker if card == JOKER else deck.decks


def _card(word: str, deck: Deck) -> str:
    if word.casefold() in {"jk", "joker"}:
        if deck.joker:
            return JOKER
        raise NotReadable("The deck of this game has no joker.", remedy="Remove it.")
    rank = word[:-1].upper().replace("10", "T")
    suit = word[-1:].lower()
    ranks = RANKS[len(RANKS) - deck.ranks :]
    if len(rank) != 1 or rank not in ranks or not suit or suit not in SUITS:
        raise NotReadable(
            f"{word!r} is not a card of this deck.",
            remedy=f"Write a rank of {' '.join(reversed(ranks))} and a suit of c, d, h, s, as in "
            f"As or Td{', or Jk for the joker' if deck.joker else ''}.",
        )
    return rank + suit


def _refuse_shared(mine: Cards, theirs: Cards, deck: Deck) -> None:
    for card in sorted(set(mine) & set(theirs)):
        if (*mine, *theirs).count(card) > _copies(card, deck):
            raise NotReadable(
                f"The player and the dealer both have {card}.", remedy="Deal each card once."
            )


def _refuse_counts(
    player: Cards, dealer: Cards | None, needed: int, name: str = "The hand"
) -> None:
    for whose, cards in ((name, player), ("The dealer's hand", dealer)):
        if cards is not None and len(cards) != needed:
            raise NotReadable(
                f"{whose} has {count_noun(len(cards), 'card')}, but {needed} are needed.",
                remedy=f"Give {count_noun(needed, 'card')}, separated by spaces.",
            )
