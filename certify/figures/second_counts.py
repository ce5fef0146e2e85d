"""Recounts of wagers on two hands, stored with their digests and compared with the engine.

A recount is stored in ``second-counts.json`` in the folder of the game, with the digest of all that
it depends on, which `certify_recount` derives from the declared files; it stays valid if only words
change.

The recount reads the files that the catalog has read, and no record.
"""

import datetime as dt
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager, suppress
from fractions import Fraction
from pathlib import Path
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

import certify_recount
from certify import __version__, storage
from certify.engine.bonus import ALL_OTHER
from certify.engine.count_cache import cached_count
from certify.engine.hands.awards import row_counts
from certify.engine.joint_tables import merge_paytables
from certify.errors import CountsDiffer, NotConfigured, NotJudged
from certify.figures.evaluate import house_way_for
from certify.figures.play import Play
from certify.figures.provenance import compute_mac, count_json
from certify.figures.targets import load_catalog
from certify.intake.layout import OWN, PAYTABLES
from certify.model.analysis import Analysis
from certify.model.catalog import Catalog
from certify.model.comparison import Comparison, CrossCheck, SecondCount
from certify.model.condition import Event
from certify.model.encoding import Progress, Work, about, drop_empty, pick_values
from certify.model.game import Game, HandRules, Strategy
from certify.model.house_way import HouseWay
from certify.model.jurisdiction import TERMS
from certify.model.main_wager import MainWager
from certify.model.paytable import Paytable
from certify.storage import lock
from certify_recount import Count
from certify_recount.files import Unreadable, apply_terms
from certify_recount.hands import Uncountable
from certify_recount.set_hands import Undecided


def recount(
    catalog: Catalog,
    targets: Sequence[str],
    *,
    house_way: str | None = None,
    banked: bool = False,
    progress: Progress | None = None,
) -> list[certify_recount.Count]:
    """Count targets by their declared files; a census of hands is taken from the cache.

    Raises:
        NotConfigured: the house way does not decide every hand, or the recount does not cover the
            hands or a rule.
        NotJudged: the system ended a process of the count.
    """
    with _errors():
        return certify_recount.recount(
            _files(catalog), *targets, house_way=house_way, banked=banked, remember=_remember,
            progress=progress,
        )  # fmt: skip


def is_covered(catalog: Catalog, target: str) -> bool:
    """Return True if the recount counts a target."""
    try:
        certify_recount.refuse_uncovered(_files(catalog), target)
    except Uncountable:
        return False
    return True


def identify(
    catalog: Catalog, target: str, *, house_way: str | None, strategy: str = ""
) -> str | None:
    """Return the digest of all inputs of a count of two hands; None if files are not readable."""
    with suppress(ValueError):
        return certify_recount.identify(
            _files(catalog), target, house_way=house_way, strategy=strategy
        )
    return None


def _files(catalog: Catalog) -> Mapping[str, bytes]:
    """Return the declared files of a catalog by their paths in evidence, with a chosen joker.

    A file that is in no folder of declared data, or in memory, is where its target belongs.
    """
    files = {
        each.evidence_path
        if each.evidence_path.startswith((f"{PAYTABLES}/", f"{OWN}/"))
        else f"{OWN}/{PAYTABLES}/{key}.json": each.text.encode()
        for key, each in catalog.documents.items()
    }
    terms = catalog.documents.get(TERMS)
    return apply_terms(files, {} if terms is None else terms.value)


def _remember(key: str, make: Callable[[], Any]) -> Any:  # noqa: ANN401 - JSON
    return cached_count(("recount", certify_recount.digest(), key), make, second=True, plain=True)


@contextmanager
def _errors() -> Iterator[None]:
    """Raise the errors of the recount as those of certify."""
    try:
        yield
    except Undecided as error:
        raise NotConfigured(
            f"The house way does not set every hand of this deck: {error}.",
            remedy="Run `certify check`: it lists the hands and the rules.",
        ) from error
    except Uncountable as error:
        raise NotConfigured(
            f"The verification count does not cover {error}.",
            remedy="Compare the counts with a laboratory's: `certify compare COUNTS.csv TARGET`.",
        ) from error
    except Unreadable as error:
        raise NotConfigured(
            f"The verification count cannot read the declared files: {error}.",
            remedy="Run `certify check`, and correct the file.",
        ) from error
    except BrokenExecutor as error:
        raise NotJudged(
            "The verification count was stopped: the system ended one of its processes.",
            remedy="It probably ran out of memory. Free memory, or count on one processor: "
            "`taskset -c 0 certify …`.",
        ) from error


EXACT: Final = "exact"
HOUSE_EDGE: Final = "house_edge"


def find_count(
    catalog: Catalog, subject: Play | Paytable, game: Game, house_way: str | None = None
) -> SecondCount | None:
    """Return the stored verification count of a wager on two hands as declared, or None.

    ``house_way`` sets the hands of a paytable that asks for it, in place of the game's own.
    """
    if isinstance(subject, Play):
        way, played = subject.house_way.id, str(subject.strategy)
        digest = identify(catalog, subject.option.target, house_way=way, strategy=played)
    else:
        digest = identify(catalog, subject.target, house_way=house_way)
    counts = catalog.second_counts.get(game.id, ())
    return next((count for count in counts if count.digest == digest), None)


def count_options(
    catalog: Catalog,
    options: Iterable[MainWager],
    *,
    game: Game,
    house_way: HouseWay,
    banked: bool = False,
    progress: Progress | None = None,
) -> tuple[SecondCount, ...]:
    """Count main wagers of a game a second time, with each way to set the player's hand.

    Raises:
        NotConfigured: the house way does not decide every hand, or a rule names suits.
    """
    targets, divided = [option.target for option in options], game.hands.shape.is_divided
    counts = recount(catalog, targets, house_way=house_way.id, banked=banked, progress=progress)
    return tuple(
        _second_count(
            count,
            house_way=house_way.id if divided else None,
            strategy=Strategy(str(count.strategy)) if divided else None,
            house_edge=count.edge,
        )
        for count in counts
        if divided or count.strategy == game.strategy
    )


def count_paytable(
    catalog: Catalog,
    paytable: Paytable,
    *,
    house_way: str | None = None,
    progress: Progress | None = None,
) -> SecondCount:
    """Count a wager on both hands a second time.

    Raises:
        NotConfigured: an event names suits.
    """
    (count,) = recount(catalog, [paytable.target], house_way=house_way, progress=progress)
    return _second_count(count)


def _second_count(count: Count, **played: Any) -> SecondCount:  # noqa: ANN401 - fields
    return SecondCount(
        target=count.target,
        digest=count.digest,
        counted=dt.datetime.now(dt.UTC).date(),
        version=__version__,
        recount=certify_recount.digest(),
        rows=dict(sorted(count.rows.items())),
        **played,
    )


def compared_option(analysis: Analysis, second: SecondCount) -> CrossCheck:
    """Compare the counts of a main wager, row by row, and its house edge."""
    exact = {row.event: row.combinations for row in analysis.rows}
    check = _compare_rows(analysis.target, exact, second)
    if analysis.house_edge is None or second.house_edge is None:
        return check
    edge = compare_exact(HOUSE_EDGE, analysis.house_edge, second.house_edge)
    return replace(check, comparisons=(*check.comparisons, edge))


def compared_paytable(
    catalog: Catalog, paytable: Paytable, second: SecondCount, *, game: Game,
    house_way: str | None = None,
) -> CrossCheck:  # fmt: skip
    """Compare the counts of a wager on both hands, row by row."""
    exact = _merge(catalog, paytable, game, house_way).counts
    return _compare_rows(paytable.target, exact, second)


class _Merged(NamedTuple):
    """A wager as one table, and the house way that sets its hands if a row asks for it."""

    paytable: Paytable
    events: Mapping[str, Event]
    hands: HandRules
    house_way: HouseWay | None

    @property
    def counts(self) -> dict[str, int]:
        """The exact count of each row by its event, and of all other hands."""
        total, counts = row_counts(
            self.paytable, events=self.events, hands=self.hands, house_way=self.house_way
        )
        rows = zip((row.event for row in self.paytable.rows), counts, strict=True)
        return dict(rows) | {ALL_OTHER: total - sum(counts)}


def _merge(catalog: Catalog, paytable: Paytable, game: Game, chosen: str | None) -> _Merged:
    way = house_way_for(catalog, game, paytable, chosen)
    merged = merge_paytables(paytable, catalog.events, hands=game.hands, house_way=way)
    return _Merged(*merged, game.hands, way)


def recount_paytables(
    catalog: Catalog,
    paytables: Sequence[Paytable],
    *,
    game: Game,
    house_way: str | None = None,
    progress: Progress | None = None,
) -> Iterator[CrossCheck]:
    """Compare the counts of one-hand paytables of a game with those of one recount."""
    if not paytables:
        return
    listener = about(progress, Work.COUNTING_AGAIN, game.id)
    targets = [paytable.target for paytable in paytables]
    others = recount(catalog, targets, house_way=house_way, progress=listener)
    for paytable, other in zip(paytables, others, strict=True):
        exact = _merge(catalog, paytable, game, house_way).counts
        yield CrossCheck(
            target=paytable.target,
            method=EXACT,
            rounds=sum(exact.values()),
            comparisons=shares_compared(exact, other.rows),
        )


def _compare_rows(target: str, exact: Mapping[str, int], second: SecondCount) -> CrossCheck:
    return CrossCheck(
        target=target,
        method=EXACT,
        rounds=second.pairs,
        comparisons=shares_compared(exact, second.rows),
        house_way=second.house_way,
        strategy=second.strategy,
        digest=second.digest,
        counted=second.counted,
        version=second.version,
        recount=second.recount,
    )


def shares_compared(exact: Mapping[str, int], other: Mapping[str, int]) -> tuple[Comparison, ...]:
    """Compare two counts of everything by their shares, which must be the same."""
    # A declared count of nothing differs in every row that has hands.
    total, seen = sum(exact.values()), sum(other.values()) or 1
    return tuple(
        compare_exact(name, Fraction(exact.get(name, 0), total), Fraction(other.get(name, 0), seen))
        for name in {**exact, **other}
    )


def compare_exact(event: str, exact: Fraction, other: Fraction) -> Comparison:
    """Compare two values that must be the same."""
    return Comparison(event=event, exact=exact, other=other, agrees=exact == other)


def refuse_differing(checks: Iterable[CrossCheck]) -> None:
    """Refuse to submit figures on which two counts differ.

    Raises:
        CountsDiffer: a second count is another one than the first.
    """
    for check in checks:
        wrong = [comparison.event for comparison in check.comparisons if not comparison.agrees]
        if wrong:
            raise CountsDiffer(
                f"{check.target}: the verification count ({check.method}) differs "
                f"from the first count in {', '.join(wrong)}, so nothing is filed.",
                remedy=f"Run `certify crosscheck {check.target} --again`: "
                "one of the two counts is wrong, or a stored count was altered.",
            )


def keep(game: Game, counts: Iterable[SecondCount], folder: Path) -> Path:
    """Store verification counts of a game; each replaces one of the same wager and play.

    New counts carry this user's MAC; counts declared before stay unchanged.

    Args:
        game: the game.
        counts: the new counts.
        folder: the folder of declared data that receives all counts of the game.

    Raises:
        ChangedMeanwhile: an editor changes the file at this moment.
        Unfit: the declared data has errors by now.
        NotConfigured: the file cannot be written, or the user's key is open to others.
    """
    path = folder / game.id / "second-counts.json"
    with lock(folder):
        before = storage.read_present(path)
        merged = {
            (count.target, count.house_way or "", str(count.strategy or "")): count
            for count in (
                *load_catalog().second_counts.get(game.id, ()),
                *(replace(count, mac=compute_mac(count)) for count in counts),
            )
        }
        value = {
            "$schema": "../../schemas/second-counts.schema.json",
            "counts": [
                count_json(merged[play]) | drop_empty(pick_values(merged[play], "mac"))
                for play in sorted(merged)
            ],
        }
        data = (json.dumps(value, indent=2) + "\n").encode()
        storage.write_atomically(path, data, before=before)
    return path
