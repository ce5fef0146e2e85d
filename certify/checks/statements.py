"""Checks of statements: how they write money, and what they belong to."""

import re
from collections.abc import Iterator

from certify.checks.check import finds
from certify.checks.context import Context
from certify.checks.fault import Fault
from certify.checks.walk import statements
from certify.formatting import did_you_mean
from certify.model.finding import Severity
from certify.model.game import WagerKind

_bad_money = re.compile(
    r"\b[0-9][0-9,.]*\s?(?:dollars?|USD)\b|\bUSD\s?[0-9]|[0-9]\s?\$(?![0-9])|\$\s[0-9]"
    r"|\$[0-9,]*\.[0-9](?![0-9])|\$[0-9]{4,}",
    re.IGNORECASE,
)


@finds(
    "D012",
    "Money is written in more than one way",
    severity=Severity.WARNING,
    mend="Write $5, $2.50 or $1,000.",
    wrong='{"text": "Wagers of 5 dollars or more qualify."}',
    right='{"text": "Wagers of $5 or more qualify."}',
)
def money_written(context: Context) -> Iterator[Fault]:
    """Readers compare amounts; "5 dollars", "5$" and "$5.0" beside "$5" look like different
    things. Amounts that are counted are integer cents elsewhere in the record.
    """
    for statement, at in statements(context.catalogue):
        amount = _bad_money.search(statement.text)
        if amount:
            written = amount.group().strip()
            yield at.fault("/text", f"The amount in `{written}` is not written like the others.")


@finds(
    "D016",
    "A rule belongs to an option or a jurisdiction that is not declared",
    mend="Correct the id, or leave it out where the rule belongs to all of them.",
    wrong='{"option": "ace-high"}',
    right='{"option": "ace-high-push"}',
)
def owners_of_statements(context: Context) -> Iterator[Fault]:
    """A rule of one option, or of one jurisdiction, is printed only where that one is filed; with
    an id that none has it would never be printed.
    """
    jurisdictions = tuple(context.catalogue.jurisdictions)
    for statement, at in statements(context.catalogue):
        options = _options(context, at.key.split("/")[0])
        for key, name, known, words in (
            ("option", statement.option, options, "option {} of the main wager"),
            ("jurisdiction", statement.jurisdiction, jurisdictions, "jurisdiction {}"),
        ):
            # Where a single file is checked, jurisdictions are not read.
            if name is not None and known and name not in known:
                message = f"There is no {words.format(name)}."
                yield at.fault(f"/{key}", message, did_you_mean(name, known))


def _options(context: Context, game: str) -> tuple[str, ...]:
    """Return the options of a game's main wager, also one whose file has faults."""
    main = {
        wager.target
        for wager in context.wagers
        if wager.game == game and wager.kind is WagerKind.MAIN
    }
    keys = (key.rpartition("/") for key in context.catalogue.documents)
    return tuple(name for folder, _, name in keys if folder in main)
