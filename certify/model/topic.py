"""Topics: what one rule of play is about, and the procedures that terms may state."""

from enum import StrEnum


class Procedure(StrEnum):
    """A subject of the rules of play on the table, the deal, irregularities and meters."""

    TABLE_OPENING = "table_opening"
    """The opening and the closing of the table: inspection of the cards, and their removal."""

    SHUFFLE = "shuffle"
    """The shuffle and the cut of the cards."""

    FIRST_HAND = "first_hand"
    """The player who is dealt first."""

    DEALING_ORDER = "dealing_order"
    """In which direction, and whether places without a wager receive cards."""

    REMAINING_CARDS = "remaining_cards"
    """The treatment of the remaining cards."""

    TOKES = "tokes"
    """Wagers for the dealer: their maximum, and whether they count toward limits."""

    SETTLEMENT = "settlement"
    """The order in which hands are compared, and wagers taken and paid."""

    MISDEAL = "misdeal"
    """The causes of a misdeal, and the wagers after one."""

    EXPOSED_CARD = "exposed_card"
    """The treatment of an exposed card."""

    FOUL = "foul"
    """The definition of a foul, and the wager after one."""

    DEALER_ERROR = "dealer_error"
    """The treatment of a dealer's hand that is set wrong."""

    METER_PAYMENT = "meter_payment"
    """The verification and payment of a hand that wins a meter."""

    METER_WINNERS = "meter_winners"
    """The payment of several hands that win a meter in one round."""

    METER_RESET = "meter_reset"
    """The amount of a meter after it, or a share of it, is won."""

    METER_MALFUNCTION = "meter_malfunction"
    """The treatment of a meter or display that fails."""

    METER_RESERVE = "meter_reserve"
    """The use of the reserve, a hidden meter."""

    METER_OVERFLOW = "meter_overflow"
    """The use of contributions to a meter that is at its maximum."""

    METER_COMMUNICATION = "meter_communication"
    """The procedure if the meter loses the communication with a table."""

    METER_RECONCILIATION = "meter_reconciliation"
    """The comparison of the meter with the wagers made and the amounts paid."""

    LAYOUT = "layout"
    """The inscriptions on the layout."""

    BANKING = "banking"
    """The turns of the player who banks, the player's wager, and wagers that it does not cover."""

    @property
    def section(self) -> str:
        """The section of the rules of play that prints it."""
        deck = (self.TABLE_OPENING, self.SHUFFLE, self.REMAINING_CARDS)
        dealing = (*deck, self.FIRST_HAND, self.DEALING_ORDER, self.TOKES, self.BANKING)
        if self.needs_meter:
            return "meters"
        if self is self.LAYOUT:
            return "notices"
        if self is self.SETTLEMENT:
            return "round"
        return "dealing" if self in dealing else "irregularities"

    @property
    def needs_meter(self) -> bool:
        """True if the procedure applies only to progressive wagers."""
        return self.value.startswith("meter_")

    @property
    def is_control(self) -> bool:
        """True if the procedure controls a meter behind the table."""
        pools = (self.METER_RESERVE, self.METER_OVERFLOW)
        return self in (*pools, self.METER_COMMUNICATION, self.METER_RECONCILIATION)

    @property
    def is_optional(self) -> bool:
        """True if rules of play state the procedure only where a jurisdiction asks for it."""
        return self.is_control or self in (self.TABLE_OPENING, self.TOKES, self.LAYOUT)

    @property
    def needs_division(self) -> bool:
        """True if the procedure applies only if hands are divided in two."""
        return self in (self.FOUL, self.DEALER_ERROR)

    @property
    def needs_banking_player(self) -> bool:
        """True if the procedure applies only if players bank."""
        return self is self.BANKING


class Topic(StrEnum):
    """A question that rules of play answer; each statement of a game answers exactly one.

    A topic of the same value as a procedure is the one that the procedure of the terms replaces.
    """

    DESCRIPTION = "description"
    """The game in a sentence."""

    OBJECT = "object"
    """The object of the game."""

    DECK = "deck"
    """The cards of the deck."""

    DEALING_DEVICE = "dealing_device"
    """Cards dealt from the hand, a shoe or a shuffler."""

    EQUIPMENT = "equipment"
    """Other equipment."""

    LAYOUT = "layout"
    """The words and places on the layout."""

    SEATS = "seats"
    """The number of players at the table."""

    BANKING = "banking"
    """The party against which players wager."""

    WAGERS_OFFERED = "wagers_offered"
    """The wagers and paytables in use."""

    WAGERS_MADE = "wagers_made"
    """When and how wagers are made."""

    MINIMUM = "minimum"
    """The minimum wager."""

    LIMITS = "limits"
    """The party that sets the minimum and the maximum."""

    AGGREGATE_LIMIT = "aggregate_limit"
    """Aggregate payout limits."""

    TOKES = "tokes"

    TABLE_OPENING = "table_opening"
    SHUFFLE = "shuffle"
    FIRST_HAND = "first_hand"
    DEALING_ORDER = "dealing_order"
    CARDS_DEALT = "cards_dealt"
    """The cards of each hand, and which of them are face up."""

    REMAINING_CARDS = "remaining_cards"
    WHEN_SET = "when_set"
    """When players set their hands."""

    PLAYER_SETS = "player_sets"
    """The hands that a player sets."""

    DEALER_SETS = "dealer_sets"
    """When and how the dealer sets."""

    HOUSE_WAY = "house_way"
    """The house way in use."""

    STRATEGY = "strategy"
    """The play that figures are for."""

    FOUL_DEFINITION = "foul_definition"
    """The hands that are a foul."""

    NO_FOULS = "no_fouls"
    """The assumption that no player sets a foul."""

    RANKING = "ranking"
    """The ranking of hands."""

    JOKER = "joker"
    """The use of the joker."""

    TIES = "ties"
    """The result of equal hands."""

    DEFINITION = "definition"
    """The meaning of another term."""

    RAISE = "raise"
    """A wager made after the deal, and its result."""

    SETTLEMENT = "settlement"
    TAKING_AND_PAYING = "taking_and_paying"
    """The way in which the dealer shows hands, and takes and pays wagers."""

    OUTCOME = "outcome"
    """The hands that win, lose or push."""

    CARDS_USED = "cards_used"
    """The cards that decide a wager."""

    ROW_PAID = "row_paid"
    """The row of a paytable that is paid."""

    PAYOUTS = "payouts"
    """The odds that are paid."""

    COMMISSION = "commission"
    """The commission on a wager."""

    ENVY = "envy"
    """Prizes for the hands of other players."""

    METERS = "meters"
    """The meters of a paytable."""

    DYNAMIC_PAYOUTS = "dynamic_payouts"
    """The draw of payouts for one round."""

    MISDEAL = "misdeal"
    EXPOSED_CARD = "exposed_card"
    FOUL = "foul"
    FOUL_AGAINST_PUSH = "foul_against_push"
    """A foul against a dealer's hand that makes all main wagers push."""

    DEALER_ERROR = "dealer_error"
    MISPLACED_HAND = "misplaced_hand"
    """The treatment of a hand laid down in a wrong place."""

    METER_PAYMENT = "meter_payment"
    METER_WINNERS = "meter_winners"
    METER_RESET = "meter_reset"
    METER_MALFUNCTION = "meter_malfunction"
    METER_RESERVE = "meter_reserve"
    METER_OVERFLOW = "meter_overflow"
    METER_COMMUNICATION = "meter_communication"
    METER_RECONCILIATION = "meter_reconciliation"
    CONDUCT = "conduct"
    """The conduct of players and of the dealer toward them."""

    NOTICES = "notices"
    """Other rules that apply, and their order."""

    @property
    def replaced_by(self) -> Procedure | None:
        """The procedure of the terms that replaces a statement of this topic."""
        return next((each for each in Procedure if each.value == self.value), None)

    @property
    def is_beside(self) -> Procedure | None:
        """The procedure of the terms whose text can contradict a statement of this topic."""
        return {
            Topic.DEALING_DEVICE: Procedure.SHUFFLE,
            Topic.CARDS_DEALT: Procedure.DEALING_ORDER,
            Topic.FOUL_DEFINITION: Procedure.FOUL,
            Topic.MISPLACED_HAND: Procedure.DEALER_ERROR,
            Topic.TAKING_AND_PAYING: Procedure.SETTLEMENT,
        }.get(self)

    @property
    def is_single(self) -> bool:
        """True if rules of play may have at most one statement of this topic in a scope."""
        single = (Topic.OBJECT, Topic.DECK, Topic.SEATS, Topic.MINIMUM)
        return self in single or self.replaced_by is not None
