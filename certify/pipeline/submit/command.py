"""The command that makes the same documents as an order: it is printed in them."""

import shlex
from collections.abc import Iterator

from certify.pipeline.filing import Order


def command_of(order: Order) -> str:
    """Return the command line of an order; who signs and where to are no part of it."""
    return shlex.join(["certify", "submit", order.game, *_options(order)])


def _options(order: Order) -> Iterator[str]:
    yield from ("--jurisdiction", order.jurisdiction)
    for name in order.paytables:
        yield from ("--paytable", name)
    for option, given in (
        ("--house-way", order.house_way),
        ("--strategy", order.strategy),
        ("--as-of", order.as_of),
        ("--register", order.register),
        ("--terms", order.terms),
    ):
        if given is not None:
            yield from (option, str(given))
