"""Verification count of wagers in plain Python, from the declared files.

It imports only the standard library, nothing of certify, and ships unchanged in the laboratory kit.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

STRATEGIES = ("house-way", "optimal")


@cache
def digest() -> str:
    """Return the SHA-256 of the source files of this package, as hexadecimal digits.

    Each file counts with its name, a zero byte, its bytes and a zero byte, in the order of names.
    """
    folder, total = Path(__file__).parent, hashlib.sha256()
    for path in sorted(folder.glob("*.py")):
        total.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return total.hexdigest()


class Count(NamedTuple):
    """Hands, or pairs of hands, by row of one target.

    ``digest`` is the SHA-256 of all that the count depends on, see `identify`. ``strategy`` is that
    of a main wager; its ``edge`` is per unit staked before the hands are seen.
    """

    target: str
    digest: str
    rows: Mapping[str, int]
    strategy: str | None = None
    edge: Fraction | None = None


def recount(
    files: Mapping[str, bytes],
    *targets: str,
    house_way: str | None = None,
    strategies: Sequence[str] = STRATEGIES,
    banked: bool = False,
    remember: Callable[[str, Callable[[], Any]], Any] | None = None,
    processes: int | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> list[Count]:
    """Count paytables, and options of a main wager with each strategy, from the declared files.

    Args:
        files: the bytes of the files by path, ``paytables/…`` or ``project/paytables/…``.
        targets: as ``game/wager/paytable``.
        house_way: the id of a house way, that of the game if it is not given.
        strategies: how the player sets hands; hands that are not divided are played as is best.
        banked: count the rounds that a player banks.
        remember: returns the JSON value that is stored under a key, or makes and stores it.
        processes: the number of processes, that of the processors if it is not given.
        progress: receives how much of a count is done.

    Raises:
        hands.Uncountable: a target depends on a rule that is not counted.
        set_hands.Undecided: the house way does not decide every hand.
        files.Unreadable: a file is missing, or has an unknown key.
    """
    from .counting import Played, Recounter  # the digest is asked for without a count

    recounter = Recounter(files, remember=remember, processes=processes, progress=progress)
    plays = [
        Played(target, strategy, house_way, banked)
        for target in targets
        for strategy in strategies
        if target.split("/")[1] == "main"
    ]
    recounter.expect(plays)
    counts = []
    for play in plays:
        settled = recounter.settle(play)
        digest = recounter.identify(play)
        counts.append(Count(play.target, digest, settled.counts, play.strategy, settled.edge))
    for target in targets:
        if target.split("/")[1] != "main":
            game, paytable = (
                recounter.files.game(target.split("/")[0]),
                recounter.files.paytable(target),
            )
            rows = recounter.count_rows(game, paytable, house_way)
            counts.append(Count(target, recounter.identify(Played(target, "", house_way)), rows))
    return counts


def refuse_uncovered(files: Mapping[str, bytes], target: str) -> None:
    """Refuse a target that is not counted here, without counting it.

    Raises:
        hands.Uncountable: it says why.
    """
    from .counting import Recounter  # as above

    Recounter(files).refuse(target)


def identify(
    files: Mapping[str, bytes], target: str, *, house_way: str | None = None, strategy: str = ""
) -> str:
    """Return the SHA-256 of all that a count depends on, as hexadecimal digits.

    Words, and the pays of a paytable, are not part of it. Arguments and errors are as for
    `recount`.
    """
    from .counting import Played, Recounter  # as above

    return Recounter(files).identify(Played(target, strategy, house_way))
