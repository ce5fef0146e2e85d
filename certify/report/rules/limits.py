"""What the rules of play print of limits: of wagers, of payouts, of meters."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from certify.model.game import Wager
from certify.model.submission import Submission
from certify.model.terms import MeterReduction, Scope
from certify.report.head_view import wager_name
from certify.report.rules.offered import bonus_wagers, filed_paytables, offered
from certify.report.wording import label


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerLine:
    """A wager that one hand can carry; None is not stated, ``above`` None depends on it.

    A wager that goes ``with`` another has the limits of that one.
    """

    name: str
    main: bool
    with_: str
    least: int | None
    largest: int | None
    above: bool | None
    paytables: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StateLimit:
    """A jurisdiction's limit on the number or the size of wagers; None is not part of it."""

    citation: str
    games: int | None
    games_above: int | None
    threshold_cents: int | None
    wager_cents: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PayoutLimit:
    """An aggregate payout limit with the names of its wagers; of one ``table`` or of one player."""

    cents: int
    table: bool
    wagers: tuple[str, ...]
    together: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLimits:
    """What is set for the table. None is not stated, empty says that there is none."""

    main: bool
    optional: int
    raised: str
    wagers: tuple[WagerLine, ...]
    state: tuple[StateLimit, ...]
    threshold_cents: int
    counted: bool
    payouts: tuple[PayoutLimit, ...] | None
    notices: tuple[str, ...]
    metered: bool
    links: tuple[tuple[str, ...], ...] | None
    reductions: Mapping[str, bool] | None
    """Whether a meter may be lowered for a reason, by the reason's name."""

    lowered: bool

    @property
    def single(self) -> bool:
        """Whether there is one optional wager alone."""
        return self.optional == 1


def limits(submission: Submission) -> TableLimits:
    """Return what is set for the table: wagers, payouts, links and lowering of meters."""
    wagers, terms = offered(submission), submission.terms
    stated = terms.aggregate_limits
    return TableLimits(
        main=submission.main is not None,
        optional=len(bonus_wagers(submission)),
        raised=submission.raised,
        wagers=tuple(_lines(wagers, submission)),
        state=tuple(_state(submission)),
        threshold_cents=_threshold(submission),
        counted="wager_count" in submission.jurisdiction.sections,
        payouts=None
        if stated is None
        else tuple(
            PayoutLimit(
                cents=limit.cents,
                table=limit.scope is Scope.TABLE,
                wagers=tuple(wager_name(submission, name) for name in limit.wagers),
                together=len(limit.wagers) > 1,
            )
            for limit in stated
        ),
        notices=tuple(rule.notice for rule in submission.rules if rule.notice),
        metered=any(paytable.progressive is not None for paytable in submission.paytables),
        links=None
        if terms.links is None
        else tuple(
            tuple(f"meter {meter.level} of {label(meter.paytable)}" for meter in meters)
            for meters in terms.links
        ),
        reductions=None
        if terms.meter_reductions is None
        else {str(reduction): reduction in terms.meter_reductions for reduction in MeterReduction},
        lowered=bool(terms.meter_reductions),
    )


def _lines(wagers: tuple[Wager, ...], submission: Submission) -> Iterator[WagerLine]:
    terms, threshold = submission.terms, _threshold(submission)
    for wager in wagers:
        largest = terms.largest(wager)
        main = bool(wager.options)
        above = None if largest is None else largest > threshold
        yield WagerLine(
            name=wager.name,
            main=main,
            with_="",
            least=terms.least(wager),
            largest=largest,
            above=above,
            paytables=tuple(
                label(filed_paytable.id) for filed_paytable in filed_paytables(wager, submission)
            )
            or tuple(option.id for option in submission.options),
        )
        raised = submission.main.raise_ if main and submission.main is not None else None
        if raised is not None:
            least, most = terms.least(wager), raised.largest or raised.size
            yield WagerLine(
                name=raised.name,
                main=False,
                with_=wager.name,
                least=None if least is None else int(least * raised.size),
                largest=None if largest is None else int(largest * most),
                above=None if largest is None else largest * most > threshold,
                paytables=(),
            )


def _threshold(submission: Submission) -> int:
    """Return above which amount the jurisdiction counts wagers apart, in cents."""
    for rule in submission.jurisdiction.rules:
        version = rule.version_at(submission.as_of)
        if rule.test == "games_per_hand" and version is not None:
            return version.parameter("threshold_cents") or 500
    return 500


def _state(submission: Submission) -> Iterator[StateLimit]:
    """Yield the jurisdiction's limits on number and size of wagers."""
    for rule in submission.jurisdiction.rules:
        version = rule.version_at(submission.as_of)
        if version is not None and rule.test in ("games_per_hand", "largest_wager"):
            yield StateLimit(
                citation=version.citation,
                games=version.parameter("largest_number"),
                games_above=version.parameter("largest_number_above_threshold"),
                threshold_cents=version.parameter("threshold_cents"),
                wager_cents=version.parameter("largest_wager_cents"),
            )
