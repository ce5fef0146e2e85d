"""A submission from a filing: the values that its documents print, their pages and attachments."""

import contextlib
import hashlib
import hmac
from collections.abc import Collection, Iterator, Mapping
from datetime import date
from functools import partial
from math import comb
from pathlib import Path
from typing import Any, Final, Literal

from msgspec import convert, to_builtins
from msgspec.structs import replace

import certify_recount
from certify import __version__, library, storage
from certify.checks.r_jurisdictions.judge import build_checklist, judge
from certify.engine.count_cache import bypass_cache, cached_count, seal
from certify.engine.hands.awards import event_counts
from certify.engine.hands.conditions import count, find, list_features, predicate
from certify.errors import NotConfigured
from certify.figures.alternatives import with_alternatives
from certify.figures.audit import judge_figures
from certify.figures.crosscheck import cross_checks
from certify.figures.evaluate import Settings, evaluate, list_plays, resolve_house_way
from certify.figures.play import audit_game, least_limits
from certify.figures.provenance import is_template
from certify.figures.targets import refuse_errors, select_entries
from certify.filing.evidence import (
    INTERNAL_FILES,
    data_attachment,
    list_attachments,
    list_versions,
    part_label,
    public_evidence,
)
from certify.filing.order import filed_records, review_filing
from certify.model.analysis import Analysis, Census
from certify.model.condition import AllOf, FeatureTest, FeatureValue
from certify.model.encoding import Progress, Step, begin
from certify.model.explanation import Example
from certify.model.game import HandRules, JokerRule, Strategy
from certify.model.house_way import HouseWay
from certify.model.main_wager import MainWager
from certify.model.submission import Filing, Status, Submission
from certify.model.vocabulary import Category, EventFeature
from certify.printing.print_pdf import Attachment, print_pdf
from certify.report.application import application_view, letter_view, memo_view
from certify.report.compose import compose
from certify.report.mathematics.view import mathematics_view
from certify.report.rules.view import rules_view

Part = Literal["rules", "mathematics", "application", "letter", "memo"]
PARTS: tuple[Part, ...] = ("rules", "mathematics", "letter", "memo")
"""The documents of a submission; the order is that of the signatures, but for the memo."""

EVERY_PART: tuple[Part, ...] = (*PARTS, "application")
"""The same with the application, which only some jurisdictions ask for."""

COUNTERSIGNED = PARTS[:2]
"""Those that a laboratory and an approver sign."""

PUBLIC = frozenset({"rules", "letter"})
"""Those that disclose no mathematics."""

REDLINE = "redline.pdf"
"""The changes of an approved game, as a file of its submission; `reproduce` cannot print it."""

INTERNAL = frozenset(part for part in PARTS if f"{part}.pdf" in INTERNAL_FILES)
"""Those that are not filed."""

NOTICED = 3  # files of a kind that the notice over each page names; the rest is counted

VIEWS = {
    "rules": rules_view,
    "mathematics": mathematics_view,
    "application": application_view,
    "letter": letter_view,
    "memo": memo_view,
}


def list_parts(filing: Filing) -> tuple[Part, ...]:
    """Return the documents of a filing, with an application if its form is a document."""
    form = filing.jurisdiction.application
    return EVERY_PART if form is not None and form.title is not None else PARTS


def render_pdf(
    submission: Submission,
    part: Part,
    attachments: tuple[Attachment, ...],
) -> bytes:
    """Return one unsigned document: the same submission always gives the same bytes."""
    return prepare_pdf(submission, part, attachments)()


def prepare_pdf(
    submission: Submission,
    part: Part,
    attachments: tuple[Attachment, ...],
) -> "partial[bytes]":
    """Return a call that prints one document, which is composed already."""
    view, when = _view(submission, part), submission.game.revised
    attachments = (*attachments, part_label(view["report_id"], part))
    return _prepare(f"{part}.html.j2", view, when, attachments, submission.templates)


def prepare_redline(
    view: dict[str, Any], twin: bytes, when: date, folders: tuple[Path, ...]
) -> "partial[bytes]":
    """Return a call that prints a redline, with the exact figures as data attached.

    ``view`` are the variables of its template, ``twin`` is the same comparison as JSON, ``folders``
    are those of the user's templates.
    """
    return _prepare(
        "diff.html.j2",
        view,
        when,
        (data_attachment("redline.json", twin, "The exact figures of this comparison"),),
        folders,
    )


def _prepare(
    template: str,
    view: dict[str, Any],
    when: date,
    attachments: tuple[Attachment, ...],
    folders: tuple[Path, ...],
) -> "partial[bytes]":
    """Return a call that prints a template, by the styles of the first of the user's folders."""
    styles = (folder / "style.css" for folder in folders)
    return partial(
        print_pdf,
        compose(template, view, overrides=folders),
        title=view["title"],
        language="en-US",
        document_id=view["report_id"],
        date=when,
        attachments=attachments,
        templates=library.templates(),
        style=next((style for style in styles if style.is_file()), None),
        notice=_compose_notice(view),
    )


def _compose_notice(view: Mapping[str, Any]) -> str:
    """Return the notice over each page as HTML, by certify's own template; empty if none is due."""
    due = {}
    for change in ("replaced", "added"):
        paths = sorted(view.get(change, ()), key=is_template, reverse=True)
        due[change] = [(paths[:NOTICED], len(paths[NOTICED:]))] if paths else []
    return compose("notice.html.j2", due) if any(due.values()) else ""


def render_html(submission: Submission, part: Part) -> str:
    """Return one document as HTML, before it is set on pages."""
    return compose(f"{part}.html.j2", _view(submission, part), overrides=submission.templates)


def render_preview(submission: Submission, part: Part) -> str:
    """Return one document as HTML with its style, to be looked at before it is set on pages."""
    folders = (*reversed(submission.templates), library.templates())
    sheet = next(folder / "style.css" for folder in folders if (folder / "style.css").is_file())
    style = f"<style>\n{storage.read_text(sheet)}\nbody {{ margin: 1.5rem; }}\n</style>\n</head>"
    return render_html(submission, part).replace("</head>", style, 1)


def _view(submission: Submission, part: Part) -> dict[str, Any]:
    return VIEWS[part](submission) | {"report_id": f"{submission.report_id}.{part}"}


def select_attachments(filing: Filing, part: Part, evidence: bytes) -> tuple[Attachment, ...]:
    """Return the files that a document embeds; a public part omits confidential mathematics."""
    public = part in PUBLIC and filing.jurisdiction.confidential
    evidence = public_evidence(evidence) if public else evidence
    return list_attachments(filing, evidence, internal=part in INTERNAL)


DRAFTS_KEPT = 24
"""The most documents kept, those of the latest drafts."""


def print_draft(printing: "partial[bytes]") -> bytes:
    """Return the document that a call prints, from an earlier draft if it is unchanged.

    The pages of drafts are kept on this machine. A file is named by a digest of everything that its
    bytes depend on and carries an HMAC under a key of this user; a file that fails the check is
    printed again. A final submission is always printed.

    Raises:
        NotPrivate: others may write to the folder, or read the key.
    """
    style = printing.keywords["style"]
    text = style and storage.read_at_most(style)
    inputs = (list_versions(), printing.args, printing.keywords, text)
    name = hashlib.sha256(repr(inputs).encode()).hexdigest()
    path, pages = None, None
    with contextlib.suppress(OSError):  # a store that cannot be used costs time, never a page
        path = storage.private(storage.private(storage.cache()) / "pages") / f"{name}.pdf"
        pages = _read_kept(path)
    if pages is None:
        pages = printing()
        if path is not None:
            with contextlib.suppress(OSError):
                _keep(path, pages)
    return pages


def _read_kept(path: Path) -> bytes | None:
    if not path.is_file():
        return None
    mac, _, pages = path.read_bytes().partition(b"\n")
    path.touch()
    return pages if hmac.compare_digest(mac, _mac(path, pages)) else None


def _keep(path: Path, pages: bytes) -> None:
    with contextlib.suppress(NotConfigured):
        storage.write_atomically(path, _mac(path, pages) + b"\n" + pages, mode=0o600)
    pages_kept = sorted(
        path.parent.glob("*.pdf"), key=lambda each: each.stat().st_mtime, reverse=True
    )
    for old in pages_kept[DRAFTS_KEPT:]:
        old.unlink(missing_ok=True)


def _mac(path: Path, pages: bytes) -> bytes:
    return seal(path.stem, hashlib.sha256(pages).hexdigest()).encode()


LADDER: Final = (
    "royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush",
    "straight", "three_of_a_kind", "two_pair", "pair", "ace_high_pai_gow", "king_high_pai_gow",
    "queen_high_pai_gow", "jack_high_pai_gow", "ten_high_pai_gow", "nine_high_pai_gow",
    "eight_high_pai_gow", "seven_high_pai_gow",
)  # fmt: skip
"""The events that name divided hands below five of a kind, highest first."""

LENGTHS: Final[Mapping[Category, EventFeature]] = {
    Category.STRAIGHT: EventFeature.STRAIGHT_LENGTH,
    Category.FLUSH: EventFeature.FLUSH_LENGTH,
    Category.STRAIGHT_FLUSH: EventFeature.STRAIGHT_FLUSH_LENGTH,
}
GROUPS: Final[Mapping[Category, Mapping[EventFeature, int]]] = {
    Category.HIGH_CARD: {},
    Category.PAIR: {EventFeature.OF_A_KIND: 2},
    Category.TWO_PAIR: {EventFeature.PAIRS: 2},
    Category.THREE_OF_A_KIND: {EventFeature.OF_A_KIND: 3},
    Category.FULL_HOUSE: {EventFeature.OF_A_KIND: 3, EventFeature.SECOND_OF_A_KIND: 2},
    Category.FOUR_OF_A_KIND: {EventFeature.OF_A_KIND: 4},
    Category.FIVE_OF_A_KIND: {EventFeature.OF_A_KIND: 5},
}
"""The least features of a hand that contains a category."""


def build_examples(filing: Filing, house_way: HouseWay | None) -> tuple[Example, ...]:
    """Return worked examples of every wager that is filed; see `worked_examples`.

    Raises:
        InvariantBroken: `explain` does not say of an example what the example says.
    """
    game, events = filing.game, filing.catalog.events
    divided = house_way is not None and game.hands.shape.is_divided
    uses = audit_game(game, house_way, game.hands.joker).audit.uses if house_way and divided else ()

    def made() -> Any:  # noqa: ANN401 - JSON
        from certify.explanations.worked_examples import worked_examples

        chosen = worked_examples(
            game,
            filing.options,
            filing.paytables,
            events=events,
            house_way=house_way,
            uses=uses,
        )
        return to_builtins(tuple(chosen), str_keys=True, enc_hook=str)

    inputs = ("examples", game, filing.options, filing.paytables, events, house_way, uses)
    return convert(
        cached_count(inputs, made),
        tuple[Example, ...],
        str_keys=True,
        dec_hook=lambda kind, text: kind(text),  # a Fraction
    )


def count_filing(
    filing: Filing, progress: Progress | None = None, *, fresh: bool = False
) -> Filing:
    """Return a filing with the figures of every entry, under its other interpretations too.

    With ``fresh`` the submitted wagers are counted regardless of the cache; other interpretations
    may come from the cache.
    """
    settings = Settings(
        house_way=filing.order.house_way,
        strategy=filing.order.strategy,
        terms=filing.terms,
        lawful_cents=filing.wager_limit_cents,
        progress=progress,
    )
    selection = filed_records(filing)
    begin(progress, Step.FILED)
    with bypass_cache() if fresh else contextlib.nullcontext():
        counted = {analysis.target: analysis for analysis in evaluate(selection, settings)}
    return replace(filing, analyses=with_alternatives(selection, settings, counted))


def build_submission(
    filing: Filing,
    *,
    status: Status,
    ignored: Collection[str] = (),
    progress: Progress | None = None,
) -> Submission:
    """Return everything that the documents print but the digest of the evidence, made of this.

    Findings with a code in ``ignored`` are left out.

    Raises:
        Unfit: the review found errors.
    """
    game, catalog = filing.game, filing.catalog
    figures = judge_figures(catalog, game, filing.analyses)
    played = game.house_way or filing.main is not None
    house_way = resolve_house_way(catalog, game, filing.order.house_way) if played else None
    filing = replace(filing, examples=build_examples(filing, house_way))
    findings = review_filing(filing, figures, ignored)
    refuse_errors(findings)
    rules = tuple(each.judgement for each in judge(filing))
    begin(progress, Step.OTHERS)
    comparison = _comparison(filing, progress)
    others = tuple(
        _option(filing, option, filing.order.strategy, progress)
        for option in game.options
        if option not in filing.options
    )
    by_other_ways = other_ways(filing, house_way, progress) if house_way is not None else ()
    begin(progress, Step.VERIFICATION)
    return Submission(
        **filing.parts,
        way=house_way if game.hands.shape.is_divided else None,
        frequencies=frequencies(filing),
        figures=tuple(each for each in figures if each.figure.target in catalog.documents),
        rules=rules,
        crosschecks=cross_checks(
            filing, (*comparison, *others), house_way=house_way, progress=progress
        ),
        checklist=build_checklist(filing, rules, by_other_ways),
        findings=findings,
        engine_version=__version__,
        evidence_sha256="",
        status=status,
        comparison=comparison,
        other_options=others,
        other_ways=by_other_ways,
        least_limits=least_limits(filing),
        recount_sha256=certify_recount.digest(),
        build_sha256=library.build_sha256(),
    )


def _comparison(filing: Filing, progress: Progress | None) -> tuple[Analysis, ...]:
    """Return each filed option under each strategy, those of the filed strategy first."""
    filed = [filing.analyses[option.target] for option in filing.options]
    if not filing.game.hands.shape.is_divided:
        return tuple(filed)
    played = {analysis.main.strategy for analysis in filed if analysis.main is not None}
    others = (
        _option(filing, option, strategy, progress)
        for strategy in Strategy
        if strategy not in played
        for option in filing.options
    )
    return (*filed, *others)


def other_ways(
    filing: Filing, house_way: HouseWay, progress: Progress | None
) -> tuple[tuple[str, Analysis], ...]:
    """Return the filed options by each other house way that the rules leave to the casino."""
    game, ways = filing.game, filing.catalog.house_ways
    if game.house_way_in_source or not game.hands.shape.is_divided:
        return ()
    selection = select_entries(filing.catalog, game, {option.target for option in filing.options})
    settings = Settings(house_way=house_way.id, strategy=filing.order.strategy, progress=progress)
    plays = list_plays(selection, settings)
    return tuple(
        (ways[name].name, analysis)
        for name in game.house_ways
        if name != house_way.id
        for analysis in evaluate(selection, replace(settings, house_way=name, known=plays))
    )


def _option(
    filing: Filing, option: MainWager, strategy: Strategy | None, progress: Progress | None
) -> Analysis:
    """Return the figures of an option by the house way of the order."""
    selection = select_entries(filing.catalog, filing.game, {option.target})
    return evaluate(
        selection, Settings(house_way=filing.order.house_way, strategy=strategy, progress=progress)
    )[0]


def frequencies(filing: Filing) -> Census:
    """Count every hand by its name, highest first; the names cover the deck.

    Hands have the names of the game's ranking, and no names if no filed wager ranks them.
    """
    hands = filing.game.hands
    named = _count_divided(filing) if hands.shape.is_divided else _count_ranked(filing)
    total = comb(hands.deck.cards, hands.shape.cards)
    cells: dict[tuple[FeatureValue, ...], int] = {(name,): n for name, n in named if n}
    rest = total - sum(cells.values())
    if cells and rest:
        cells[(None,)] = rest
    return Census(features=("hand",), cards=hands.shape.cards, total=total, cells=cells)


def _count_divided(filing: Filing) -> Iterator[tuple[str, int]]:
    """Yield the events that name divided hands, each with the hands that no earlier one takes."""
    hands, declared = filing.game.hands, filing.catalog.events
    highest = "five_of_a_kind" if hands.joker is JokerRule.FULLY_WILD else "five_aces"
    events = find(declared, [name for name in (highest, *LADDER) if name in declared])
    _, counts = event_counts(events, range(len(events)), hands=hands, cards=hands.shape.cards)
    yield from zip((event.id for event in events), counts, strict=True)


def _count_ranked(filing: Filing) -> Iterator[tuple[str, int]]:
    """Yield the categories of undivided hands, each with the hands of which it is the highest."""
    hands = filing.game.hands
    tests = {category: _condition(category, hands) for category in filing.ranking}
    if not tests:
        return
    features = frozenset[str]().union(*map(list_features, tests.values()))
    census = count(hands, cards=hands.shape.cards, features=features)
    left = dict(census.cells)
    for category, condition in tests.items():
        holds = predicate(condition, census.features)
        met = [cell for cell in left if holds(cell)]
        yield category, sum(left.pop(cell) for cell in met)


def _condition(category: Category, hands: HandRules) -> AllOf:
    """Return the condition that a hand contains a category."""
    lengths = {LENGTHS[category]: hands.shape.back} if category in LENGTHS else {}
    asked = {**lengths, **GROUPS.get(category, {})}
    return AllOf(
        conditions=tuple(FeatureTest(feature=name, minimum=least) for name, least in asked.items())
    )
