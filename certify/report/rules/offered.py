"""Which wagers and paytables a submission offers."""

from collections.abc import Sequence

from certify.model.game import Wager
from certify.model.paytable import EnvyTable, Paytable
from certify.model.submission import Submission


def offered(submission: Submission) -> tuple[Wager, ...]:
    """Return the main wager and every bonus wager with a filed paytable, in declared order."""
    return tuple(
        wager
        for wager in submission.game.wagers
        if submission.main in wager.options or filed_paytables(wager, submission)
    )


def bonus_wagers(submission: Submission) -> tuple[Wager, ...]:
    """Return the bonus wagers that are offered."""
    return tuple(wager for wager in offered(submission) if not wager.options)


def filed_paytables(wager: Wager, submission: Submission) -> tuple[Paytable, ...]:
    """Return the filed paytables of one wager, in declared order."""
    return tuple(paytable for paytable in submission.paytables if paytable.wager == wager.id)


def filed_envies(wager: Wager, filed: Sequence[Paytable]) -> tuple[EnvyTable, ...]:
    """Return the envy tables that go with the filed paytables of one wager."""
    used = {paytable.envy for paytable in filed}
    return tuple(envy for envy in wager.envies if envy.id in used)
