"""Second exact counts of wagers on two hands: made once, kept with a digest, and compared.

A kept count stands in ``second-counts.json`` beside the game and belongs to whatever has its
digest, so a reworded rule keeps its count and a changed one loses it. It is never read by the
first count, nor the first count's store by the second.
"""

import datetime as dt
import json
from collections.abc import Iterable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from certify import __version__, storage
from certify.engine.bonus.evaluate import ALL_OTHER
from certify.engine.bonus.joint import joint
from certify.engine.hands.awards import award_order, row_counts
from certify.errors import CountsDiffer
from certify.model.analysis import Analysis
from certify.model.audit import Comparison, CrossCheck
from certify.model.catalogue import Catalogue
from certify.model.game import Game, Strategy
from certify.model.house_way import HouseWay
from certify.model.main_wager import MainWager
from certify.model.paytable import Paytable
from certify.model.second_count import SecondCount
from certify.pipeline.crosscheck.count_digest import main_digest, paytable_digest

EXACT: Final = "exact"
HOUSE_EDGE: Final = "house_edge"


def kept_option(
    catalogue: Catalogue,
    option: MainWager,
    *,
    game: Game,
    house_way: HouseWay,
    strategy: Strategy,
) -> SecondCount | None:
    """Return the kept second count of a main wager as it is declared, or None."""
    digest = main_digest(option, game=game, house_way=house_way, strategy=strategy)
    return _kept(catalogue, game, digest)


def kept_paytable(catalogue: Catalogue, paytable: Paytable, *, game: Game) -> SecondCount | None:
    """Return the kept second count of a wager on both hands as it is declared, or None."""
    return _kept(catalogue, game, _paytable_digest(catalogue, paytable, game))


def _kept(catalogue: Catalogue, game: Game, digest: str) -> SecondCount | None:
    counts = catalogue.second_counts.get(game.id, ())
    return next((count for count in counts if count.digest == digest), None)


def _paytable_digest(catalogue: Catalogue, paytable: Paytable, game: Game) -> str:
    paytable, events = joint(paytable, catalogue.events, hands=game.hands)
    order = award_order(paytable, events)
    return paytable_digest(paytable, events, hands=game.hands, order=order)


def count_options(
    options: Iterable[MainWager],
    *,
    game: Game,
    house_way: HouseWay,
    progress: Any = None,  # noqa: ANN401 - of the engine
) -> tuple[SecondCount, ...]:
    """Count main wagers of a game a second time, with each way to set the player's hand.

    Raises:
        NotConfigured: the house way does not decide every hand, or a rule names suits.
    """
    from certify.engine.second.pair_counts import second_options

    chosen = {option.id: option for option in options}
    counts = second_options(
        tuple(chosen.values()), game=game, house_way=house_way, progress=progress
    )
    return tuple(
        SecondCount(
            target=chosen[name].target,
            digest=main_digest(chosen[name], game=game, house_way=house_way, strategy=strategy),
            counted=dt.datetime.now(dt.UTC).date(),
            version=__version__,
            rows=counted.rows,
            house_way=house_way.id if game.hands.shape.divided else None,
            strategy=strategy if game.hands.shape.divided else None,
            house_edge=counted.edge,
        )
        for (name, strategy), counted in counts.items()
        if game.hands.shape.divided or strategy is game.strategy
    )


def count_paytable(
    catalogue: Catalogue,
    paytable: Paytable,
    *,
    game: Game,
    progress: Any = None,  # noqa: ANN401 - of the engine
) -> SecondCount:
    """Count a wager on both hands a second time.

    Raises:
        NotConfigured: an event names suits.
    """
    from certify.engine.second.pair_counts import second_paytable

    table, events = joint(paytable, catalogue.events, hands=game.hands)
    order = award_order(table, events)
    counted = second_paytable(table, events, hands=game.hands, order=order, progress=progress)
    return SecondCount(
        target=paytable.target,
        digest=_paytable_digest(catalogue, paytable, game),
        counted=dt.datetime.now(dt.UTC).date(),
        version=__version__,
        rows=counted.rows,
    )


def compared_option(analysis: Analysis, second: SecondCount) -> CrossCheck:
    """Compare the counts of a main wager, row by row, and its house edge."""
    exact = {row.event: row.combinations for row in analysis.rows}
    edges = (
        [_comparison(HOUSE_EDGE, analysis.house_edge, second.house_edge)]
        if analysis.house_edge is not None and second.house_edge is not None
        else []
    )
    return _compared(second, analysis.target, exact, analysis.total, edges)


def compared_paytable(
    catalogue: Catalogue, paytable: Paytable, second: SecondCount, *, game: Game
) -> CrossCheck:
    """Compare the counts of a wager on both hands, row by row."""
    paytable, events = joint(paytable, catalogue.events, hands=game.hands)
    total, counts = row_counts(paytable, events=events, hands=game.hands)
    exact = dict(zip((row.event for row in paytable.rows), counts, strict=True))
    exact[ALL_OTHER] = total - sum(counts)
    return _compared(second, paytable.target, exact, total, [])


def _compared(
    second: SecondCount,
    target: str,
    exact: Mapping[str, int],
    total: int,
    edges: Iterable[Comparison],
) -> CrossCheck:
    return CrossCheck(
        target=target,
        method=EXACT,
        rounds=second.pairs,
        comparisons=(
            *(
                _comparison(
                    name,
                    Fraction(exact.get(name, 0), total),
                    Fraction(second.rows.get(name, 0), second.pairs),
                )
                for name in {**exact, **second.rows}
            ),
            *edges,
        ),
        house_way=second.house_way,
        strategy=second.strategy,
        digest=second.digest,
        counted=second.counted,
    )


def _comparison(event: str, exact: Fraction, other: Fraction) -> Comparison:
    return Comparison(event=event, exact=exact, other=other, agrees=exact == other)


def refuse_differing(checks: Iterable[CrossCheck]) -> None:
    """Refuse to file what two counts do not agree on.

    Raises:
        CountsDiffer: a second count is another one than the first.
    """
    for check in checks:
        wrong = [comparison.event for comparison in check.comparisons if not comparison.agrees]
        if wrong:
            raise CountsDiffer(
                f"{check.target}: the second count ({check.method}) differs from the first in "
                f"{', '.join(wrong)}, so nothing is filed.",
                remedy=f"Run `certify crosscheck {check.target} --method {check.method}`: one of "
                "the two counts is wrong, or a kept count was altered.",
            )


def keep(catalogue: Catalogue, game: Game, counts: Iterable[SecondCount], folder: Path) -> Path:
    """Keep second counts of a game; each takes the place of one of the same wager and play.

    Args:
        catalogue: everything declared, with the counts that were kept before.
        game: the game.
        counts: what was counted now.
        folder: the folder of declared data that receives them, with those of the game before.

    Raises:
        NotConfigured: the file cannot be written.
    """
    merged = {
        (count.target, count.house_way or "", str(count.strategy or "")): count
        for count in (*catalogue.second_counts.get(game.id, ()), *counts)
    }
    value = {
        "$schema": "../../schemas/second-counts.schema.json",
        "counts": [_json(count) for _, count in sorted(merged.items())],
    }
    path = folder / game.id / "second-counts.json"
    storage.write_atomically(path, (json.dumps(value, indent=2) + "\n").encode())
    return path


def _json(count: SecondCount) -> dict[str, Any]:
    value: dict[str, Any] = {"target": count.target}
    if count.house_way is not None and count.strategy is not None:
        value |= {"house_way": count.house_way, "strategy": str(count.strategy)}
    value |= {
        "digest": count.digest,
        "counted": count.counted.isoformat(),
        "version": count.version,
        "rows": dict(count.rows),
    }
    if count.house_edge is not None:
        value["house_edge"] = f"{count.house_edge.numerator}/{count.house_edge.denominator}"
    return value
