"""Procedures of a table in words."""

from collections.abc import Mapping
from typing import Final

from certify.model.topic import Procedure

PROCEDURES: Final[Mapping[Procedure, str]] = {
    Procedure.TABLE_OPENING: "the procedure for opening and closing the table",
    Procedure.TOKES: "the rule on toke wagers",
    Procedure.LAYOUT: "the inscriptions on the layout",
    Procedure.BANKING: "the turns of the player who banks and the wager that covers the others",
    Procedure.SHUFFLE: "the procedure for shuffle and cut",
    Procedure.FIRST_HAND: "the first hand dealt",
    Procedure.DEALING_ORDER: "the order of the deal",
    Procedure.REMAINING_CARDS: "the disposition of the remaining cards",
    Procedure.SETTLEMENT: "the order of settlement",
    Procedure.MISDEAL: "the definition of a misdeal with the disposition of the wagers",
    Procedure.EXPOSED_CARD: "the procedure for an exposed card",
    Procedure.FOUL: "the disposition of the wager on a foul hand",
    Procedure.DEALER_ERROR: "the procedure for a dealer's hand that is set incorrectly",
    Procedure.METER_PAYMENT: "the verification and payment of a hand that wins a progressive meter",
    Procedure.METER_WINNERS: "the payment of several hands that win a progressive meter at once",
    Procedure.METER_RESET: "the amount of a progressive meter after it is won",
    Procedure.METER_MALFUNCTION: "the procedure if a progressive meter or its display malfunctions",
    Procedure.METER_RESERVE: "the use of the reserve of a progressive meter",
    Procedure.METER_OVERFLOW: "the use of contributions above the maximum of a progressive meter",
    Procedure.METER_COMMUNICATION: "the procedure if a progressive meter loses communication",
    Procedure.METER_RECONCILIATION: "the reconciliation of a progressive meter",
}
"""Subject of each procedure, as the end of a sentence."""
