"""What the rules of play print of a bonus wager: rules, payouts, prizes, meters, examples."""

from collections.abc import Sequence
from typing import Any

from certify.formatting import listed
from certify.model.game import Wager
from certify.model.payout import Basis, Payout
from certify.model.paytable import Award, HandsOf, Paytable
from certify.model.submission import Submission
from certify.report.bounds import figures_with_limit
from certify.report.grouping import together
from certify.report.rules.examples import examples
from certify.report.rules.numbering import numbers_of, rules
from certify.report.rules.offered import filed_envies, filed_paytables
from certify.report.rules.payouts import basis_of, payout_matrices, prize_matrices
from certify.report.wording import label


def bonus_wager(
    wager: Wager, submission: Submission, section: int, blank: str | None
) -> dict[str, Any]:
    """Return what a bonus wager's section prints; ``blank`` is the number of its meters' blank.

    ``edge`` is that of the only paytable, ``limited`` what a payout limit makes of it. The flags
    say what the odds of the payouts include, and which hand is paid where several are held.
    ``meters`` and ``dynamic`` payouts are printed once for the paytables that declare the same.
    """
    filed = filed_paytables(wager, submission)
    basis = basis_of(filed)
    only = submission.analyses.get(filed[0].target) if len(filed) == 1 else None
    meters = together(
        ((table.progressive.base_wager_cents, meter), label(table.id))
        for table in filed
        if table.progressive is not None
        for meter in table.progressive.meters
    )
    drawn = together((_drawn(table), label(table.id)) for table in filed)
    return {
        "wager": wager,
        "clause": "; ".join(dict.fromkeys(paytable.source.clause for paytable in filed)),
        "rules": rules(submission.printed(wager.rules), numbers_of(section)),
        "matrices": payout_matrices(filed, submission),
        "to_one": Basis.TO in basis,
        "for_one": Basis.FOR in basis or Basis.METER in basis,
        "push": Basis.PUSH in basis,
        "highest_ranking": {paytable.award for paytable in filed} == {Award.HIGHEST_RANKING_HAND},
        "tables": filed,
        "edge": only.house_edge if only is not None else None,
        "limited": figures_with_limit(only),
        "notes": _notes(filed),
        "prizes": prize_matrices(wager, filed, submission),
        "prized": _prized(wager, filed),
        "pairs": [paytable for paytable in filed if paytable.envy is not None],
        "meters": [(*declared, names) for declared, names in meters.items()],
        "dynamic": [(hands, tables) for hands, tables in drawn.items() if hands],
        "blank": blank,
        "examples": examples(submission, wager),
    }


def _drawn(paytable: Paytable) -> tuple[tuple[str, Payout, tuple[Payout, ...]], ...]:
    """Return each hand with its default payout and those that may replace it for one round."""
    return tuple((row.name, row.payout, row.dynamic) for row in paytable.rows if row.dynamic)


def _notes(filed: Sequence[Paytable]) -> list[tuple[str, str]]:
    """Return the footnotes that not all tables have; what all have is a rule of the wager."""
    having = together(
        (note.printed, label(paytable.id)) for paytable in filed for note in paytable.source.notes
    )
    return [(text, listed(tables)) for text, tables in having.items() if len(tables) < len(filed)]


def _prized(wager: Wager, filed: Sequence[Paytable]) -> list[dict[str, Any]]:
    """Return whose hands are paid a prize, and by which tables where they differ."""
    having = together(
        ((envy.hands_of, envy.pays_on_own_hand, envy.pays_on_dealer_hand), envy.id)
        for envy in filed_envies(wager, filed)
    )
    return [
        {
            "dealt_in": hands_of is HandsOf.PLAYERS_DEALT_IN,
            "own": own,
            "dealer": dealer,
            "tables": listed(ids) if len(having) > 1 else "",
        }
        for (hands_of, own, dealer), ids in having.items()
    ]
