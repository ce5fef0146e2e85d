"""Checks of statements: how they write money, and what they belong to."""

import re
from collections.abc import Iterator

from certify.checks.context import Context, did_you_mean
from certify.checks.pages import data_set as pages
from certify.checks.walk import statements
from certify.model.finding import Finding
from certify.model.game import WagerKind

_bad_money = re.compile(
    r"\b[0-9][0-9,.]*\s?(?:dollars?|USD)\b|\bUSD\s?[0-9]|[0-9]\s?\$(?![0-9])|\$\s[0-9]"
    r"|\$[0-9,]*\.[0-9](?![0-9])|\$[0-9]{4,}",
    re.IGNORECASE,
)


def money_written(context: Context) -> Iterator[Finding]:
    """D012: money is written $5, $2.50, $1,000."""
    for one in statements(context):
        found = _bad_money.search(one.statement.text)
        if found:
            yield context.finding(
                pages.D012,
                one.key,
                f"{one.pointer}/text",
                f"The amount in `{found.group().strip()}` is not written like the others.",
                "Write $5, $2.50 or $1,000.",
            )


def owners_of_statements(context: Context) -> Iterator[Finding]:
    """D016: the option and the jurisdiction that a statement belongs to are declared."""
    jurisdictions = tuple(context.catalogue.jurisdictions)
    for one in statements(context):
        options = _options(context, one.key.split("/")[0])
        asked = (
            ("option", one.statement.option, options, "option {} of the main wager"),
            ("jurisdiction", one.statement.jurisdiction, jurisdictions, "jurisdiction {}"),
        )
        for key, name, known, words in asked:
            # Where a single file is checked, jurisdictions are not read.
            if name is not None and known and name not in known:
                yield context.finding(
                    pages.D016,
                    one.key,
                    f"{one.pointer}/{key}",
                    f"There is no {words.format(name)}.",
                    did_you_mean(name, known),
                )


def _options(context: Context, game: str) -> tuple[str, ...]:
    """Return the options of a game's main wager, also one whose file has faults."""
    main = {
        f"{game}/{wager.id}"
        for one, wager in context.wagers()
        if one.id == game and wager.kind is WagerKind.MAIN
    }
    keys = (key.rpartition("/") for key in context.catalogue.documents)
    return tuple(name for folder, _, name in keys if folder in main)
