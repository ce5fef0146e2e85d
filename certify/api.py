"""Python interface: a function for each command that computes.

Each function returns the typed result of the command. Its `to_dict` gives the values that the
command prints with ``--format json``: figures are exact fractions as text, such as ``"239/9568"``.
The functions raise `certify.errors.CertifyError` for everything that the user can correct: an
unknown target, an option that does not fit, a file with errors. It has ``message``, ``remedy`` and
``exit_code``. Money is in cents. ``progress`` is called with the finished and the total number of
steps.
"""

import datetime as dt
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from certify.errors import NotConfigured
from certify.model.analysis import By
from certify.model.approval import RootRole
from certify.model.encoding import Progress
from certify.model.game import JokerRule, Strategy
from certify.model.request import build, read_choice
from certify.project_log import logged

if TYPE_CHECKING:
    from certify.commands.compare import CountsResult, HouseWaysResult
    from certify.commands.diff.diff import DiffResult
    from certify.commands.evaluate import Evaluation, GameList, Strategies
    from certify.commands.events import Vocabulary
    from certify.commands.explain import Explained
    from certify.commands.monitor import MonitorResult
    from certify.commands.reproduce.reproduce import Reproduction
    from certify.commands.solve.solve import Solutions
    from certify.commands.submit import WrittenSubmission
    from certify.figures.audit import Audit
    from certify.figures.crosscheck import CrosscheckResult
    from certify.filing.verdict import JudgedFiles
    from certify.review.check import CheckResult

Files = Sequence[str | Path]
Record = Mapping[str, Any]  # the JSON of a declared file


def check(*paths: str | Path | Record, changed_since: str | None = None) -> "CheckResult":
    """Check paytable files, or all files below folders.

    Args:
        paths: files and folders, or one paytable as a dictionary; none for the enclosing project,
            or all projects below.
        changed_since: check only files that changed since this git commit; None for all files.

    Settings of a project (``select``, ``ignore``, ``baseline``) are not applied.
    """
    from certify.figures.targets import UNSAVED
    from certify.review.check import CheckRequest, check_unsaved
    from certify.review.check import check as run
    from certify.review.file_search import find_project

    records = [path for path in paths if isinstance(path, Mapping)]
    if records:
        if len(paths) > 1 or changed_since is not None:
            raise NotConfigured(
                "A paytable in memory is checked alone.", remedy="Call check twice."
            )
        return check_unsaved(UNSAVED, _encode(records[0]))
    request = build(CheckRequest, paths=paths, changed_since=changed_since)
    return run(request.paths or [find_project()], changed_since=request.changed_since)


def evaluate(
    target: str | Path | Record,
    *,
    players: int | None = None,
    wager_cents: int | None = None,
    limit_cents: int | None = None,
    meters: Mapping[str, int] | None = None,
    house_way: str | None = None,
    strategy: Strategy | str | None = None,
    joker: JokerRule | str | None = None,
    progress: Progress | None = None,
) -> "Evaluation":
    """Count the exact return of every paytable and option under a target.

    Args:
        target: ``GAME``, ``GAME/WAGER``, ``GAME/WAGER/PAYTABLE``, a JSON file, or the contents of
            one as a dictionary.
        players: bettors at the table; None for the game's own number.
        wager_cents: the wager, for prizes that depend on it; None for the usual one.
        limit_cents: payout limit for one player, wager and round; None for none.
        meters: amount on each progressive meter in cents, by level; None for unknown meters.
        house_way: id of the dealer's house way; None for the game's own.
        strategy: strategy of the player; None for the one that the game declares.
        joker: the joker rule, if the casino may choose it; None for the game's own.
        progress: receives the progress; None for nobody.
    """
    from certify.commands.evaluate import EvaluateRequest, evaluate_selection
    from certify.commands.evaluate import evaluate as run
    from certify.figures.targets import select_unsaved

    unsaved = target if isinstance(target, Mapping) else None
    request = build(
        EvaluateRequest, target="" if isinstance(target, Mapping) else target, players=players,
        wager_cents=wager_cents, limit_cents=limit_cents, meters=meters, house_way=house_way,
        strategy=strategy, joker=joker, progress=progress,
    )  # fmt: skip
    if unsaved is not None:
        return evaluate_selection(select_unsaved(_encode(unsaved)), request)
    return run(request)


def _encode(record: Record) -> bytes:
    return json.dumps(record).encode()


def explain(
    target: str | Path, hand: str, *, dealer: str | None = None, house_way: str | None = None
) -> "Explained":
    """Explain what a hand is paid and how it is set.

    Args:
        target: ``GAME``, ``GAME/WAGER``, ``GAME/WAGER/PAYTABLE``, or a JSON file.
        hand: cards as rank and suit, ``Jk`` for a joker: ``"As Td 2c Jk 7h 7d 3s"``.
        dealer: the dealer's cards, likewise; None for none.
        house_way: id of the house way; None for the game's own.
    """
    from certify.commands.explain import ExplainRequest
    from certify.commands.explain import explain as run

    return run(build(ExplainRequest, target=target, hand=hand, dealer=dealer, house_way=house_way))


def strategy(
    target: str | Path, *, house_way: str | None = None, progress: Progress | None = None
) -> "Strategies":
    """Count the optimal play of every option with a raise under a target.

    Args:
        target: ``GAME``, ``GAME/WAGER``, ``GAME/WAGER/OPTION``, or a JSON file.
        house_way: id of the dealer's house way; None for the game's own.
        progress: receives the progress; None for nobody.
    """
    from certify.commands.evaluate import StrategyRequest, find_strategy

    return find_strategy(
        build(StrategyRequest, target=target, house_way=house_way, progress=progress)
    )


def games() -> "GameList":
    """List the games, with the ids of their wagers, paytables and house ways."""
    from certify.commands.evaluate import list_games

    return list_games()


def events(
    word: str | None = None, *, game: str | None = None, cards: int | None = None
) -> "Vocabulary":
    """Count the events that a paytable may pay for.

    Args:
        word: id of an event, or a word of its description; None for all events.
        game: game whose deck and hands are counted; None for 7 of 53 cards.
        cards: number of cards; None for those of a hand.
    """
    from certify.commands.events import EventsRequest, find_events

    return find_events(build(EventsRequest, word=word, game=game, cards=cards))


def audit(game: str | Path, *, progress: Progress | None = None) -> "Audit":
    """Compare every figure of a game's source with the recomputed one.

    Args:
        game: id of a game, or the folder of one.
        progress: receives the progress; None for nobody.
    """
    from certify.figures.audit import AuditRequest
    from certify.figures.audit import audit as run

    return run(build(AuditRequest, game=game, progress=progress))


def crosscheck(
    target: str | Path,
    *,
    again: bool = False,
    store: bool = False,
    house_way: str | None = None,
    strategy: Strategy | str | None = None,
    progress: Progress | None = None,
) -> "CrosscheckResult":
    """Recount every figure of a target with independent code.

    Args:
        target: ``GAME``, ``GAME/WAGER``, ``GAME/WAGER/PAYTABLE``, or a JSON file.
        again: recount two hands even if a count is stored (minutes).
        store: recount, and store the counts of two hands with the game.
        house_way: id of the house way; None for the game's own.
        strategy: strategy of the player; None for the one that the game declares.
        progress: receives the progress; None for nobody.
    """
    from certify.figures.crosscheck import CrosscheckRequest
    from certify.figures.crosscheck import crosscheck as run

    request = build(
        CrosscheckRequest, target=target, again=again, store=store, house_way=house_way,
        strategy=strategy, progress=progress,
    )  # fmt: skip
    return run(request)


def diff(
    before: str | Path,
    after: str | Path,
    *,
    game: str | None = None,
    main: bool = False,
    as_of: dt.date | str | None = None,
    progress: Progress | None = None,
) -> "DiffResult":
    """Compare two paytables, games or house ways by meaning, with their filing requirements.

    Args:
        before: target, house way, JSON file, folder or PDF.
        after: item of the same kind.
        game: count the main wagers of this game with both house ways (minutes); None for no game.
        main: count main wagers too (minutes).
        as_of: date of the rules to apply; None for today.
        progress: receives the progress; None for nobody.
    """
    from certify.commands.diff.diff import DiffRequest
    from certify.commands.diff.diff import diff as run

    request = build(
        DiffRequest, before=before, after=after, game=game, main=main, as_of=as_of,
        progress=progress,
    )  # fmt: skip
    return run(request)


def compare(
    what: str | Path,
    target: str,
    *,
    house_ways: Sequence[str] = (),
    best_play: bool = True,
    progress: Progress | None = None,
) -> "HouseWaysResult | CountsResult":
    """Compare house ways of dealer and player, or a laboratory's counts with ours.

    Args:
        what: ``"house-ways"``, or a CSV file or workbook of counts.
        target: ``GAME`` for house ways, ``GAME/WAGER/PAYTABLE`` for counts.
        house_ways: ids of the house ways to compare; none for all that fit the game.
        best_play: count optimal play too, for the cost of each house way (minutes).
        progress: receives the progress; None for nobody.
    """
    from certify.commands.compare import CompareRequest
    from certify.commands.compare import compare as run

    request = build(
        CompareRequest, what=what, target=target, house_ways=house_ways, best_play=best_play,
        progress=progress,
    )  # fmt: skip
    return run(request)


def monitor(
    results: str | Path,
    *,
    target: str | None = None,
    meters: Mapping[str, int] | None = None,
    progress: Progress | None = None,
) -> "MonitorResult":
    """Compare the results of a casino floor with the exact distribution of each wager.

    Args:
        results: CSV file with rounds, wagered, and paid, won or hold; amounts in dollars.
        target: target of all lines; None for the column ``target``.
        meters: average amount on each meter in cents, by level; None for unknown meters.
        progress: receives the progress; None for nobody.
    """
    from certify.commands.monitor import MonitorRequest, monitor_file

    request = build(
        MonitorRequest, results=results, target=target, meters=meters, progress=progress,
    )  # fmt: skip
    return monitor_file(request)


def solve(
    target: str | Path,
    edge: str,
    unknowns: Sequence[str],
    *,
    bounds: Mapping[str, tuple[int, int]] = MappingProxyType({}),
    by: By | str = By.DISTANCE,
    limit: int = 20,
    may_omit: bool = False,
    step_cents: int = 100,
    players: int | None = None,
    meters: Mapping[str, int] | None = None,
    jurisdiction: str | None = None,
    terms: str | Path | None = None,
    as_of: dt.date | str | None = None,
) -> "Solutions":
    """List the whole-number pays that bring the house edge of a bonus paytable into a band.

    Args:
        target: one bonus paytable: ``GAME/WAGER/PAYTABLE``, or a JSON file.
        edge: house edge in percent, such as ``"4.5..5.5"``.
        unknowns: events of rows, ``envy:EVENT`` or ``meter:LEVEL``.
        bounds: minimum and maximum of unknowns: units of the wager for rows, cents for others.
        by: ranking of the solutions.
        limit: number of solutions to list; all are counted.
        may_omit: allow solutions without open rows.
        step_cents: step of prizes and meters.
        players: bettors whose hands win prizes; None for the game's if prizes are open.
        meters: amount on each known meter in cents, by level; None for none.
        jurisdiction: jurisdiction whose rules apply; None for none.
        terms: file of table terms, for these rules; None for none.
        as_of: date of the rules to apply; None for today.
    """
    from certify.commands.solve.problem import Question
    from certify.commands.solve.solve import solve as run

    question = build(
        Question, target=target, edge=edge, unknowns=unknowns, bounds=bounds, by=by, limit=limit,
        may_omit=may_omit, step_cents=step_cents, players=players, meters=meters,
        jurisdiction=jurisdiction, terms=terms, as_of=as_of,
    )  # fmt: skip
    return run(question)


def submit(
    game: str,
    jurisdiction: str,
    out: str | Path,
    *,
    paytables: Sequence[str] = (),
    house_way: str | None = None,
    strategy: Strategy | str | None = None,
    as_of: dt.date | str | None = None,
    register: str | Path | None = None,
    terms: str | Path | None = None,
    identity: str | None = None,
    password_file: str | Path | None = None,
    timestamp_url: str | None = None,
    long_term: bool = False,
    unsigned: bool = False,
    kit: bool = False,
    accept_replaced: bool = False,
    progress: Progress | None = None,
) -> "WrittenSubmission":
    """Write rules of play, mathematics report, letter and work memo as PDFs, with evidence.

    Args:
        game: id of the game.
        jurisdiction: id of the jurisdiction, such as ``nevada``.
        out: folder for the files; a signed filing in it is never replaced.
        paytables: ids of the paytables and main options to file; none for all.
        house_way: id of the dealer's house way; None for the game's own.
        strategy: strategy of the player; None for the one that the game declares.
        as_of: date of the rules to apply; None for the revision date.
        register: register of approvals; None for the project's.
        terms: file of the terms of the table; None for none.
        identity: signing identity, an id of ``certify keys list`` or a PKCS#12 file; None for the
            only one.
        password_file: file with its password; None for none. No password is asked for.
        timestamp_url: RFC 3161 timestamp authority; None for no timestamp.
        long_term: embed certificates, revocation data and timestamps (PAdES B-LTA).
        unsigned: write documents that are not signed and marked UNSIGNED.
        kit: add the laboratory kit.
        accept_replaced: accept jurisdictions and templates that are not certify's own.
        progress: receives the progress; None for nobody.
    """
    from certify.commands.submit import Profile, open_signing
    from certify.commands.submit import submit as run
    from certify.filing.identities import Signer
    from certify.model.submission import Order

    order = build(
        Order, game=game, jurisdiction=jurisdiction, paytables=paytables, house_way=house_way,
        strategy=strategy, as_of=as_of, register=register, terms=terms, kit=kit,
        accept_replaced=accept_replaced,
    )  # fmt: skip
    signing = None
    if not unsigned:
        signer = build(Signer, name=identity, password_file=password_file)
        profile = build(Profile, timestamp_url=timestamp_url, long_term=long_term)
        signing = open_signing(signer, _refuse_to_ask, profile)
    with logged("api.submit", game, jurisdiction):
        return run(order, signing=signing, out=Path(out), progress=progress)


def _refuse_to_ask(_prompt: str) -> str:
    raise NotConfigured(
        "A password is required to sign.",
        remedy="Give password_file, or set CERTIFY_KEY_PASSWORD.",
    )


def reproduce(
    file: str | Path,
    *,
    signer: str | None = None,
    trust: Files = (),
    trust_by_role: Mapping[RootRole, Files] = MappingProxyType({}),
    allow_same_root: bool = False,
    figures_only: bool = False,
    recount: bool = False,
    accept_replaced: bool = False,
    progress: Progress | None = None,
) -> "Reproduction":
    """Recompute every figure of a submitted PDF from its embedded evidence.

    Args:
        file: the signed PDF.
        signer: required first signer, by common name or SHA-256 fingerprint; None for anybody
            who is trusted.
        trust: see `verify`.
        trust_by_role: see `verify`.
        allow_same_root: see `verify`.
        figures_only: ignore the signature and the pages.
        recount: repeat the verification counts too (minutes).
        accept_replaced: accept pages that templates of the preparer made.
        progress: receives the progress; None for nobody.
    """
    from certify.commands.reproduce.reproduce import reproduce_file
    from certify.commands.reproduce.stated import ReproduceOptions

    options = build(
        ReproduceOptions, signer=signer, trust=trust, **_by_role(trust_by_role),
        allow_same_root=allow_same_root, figures_only=figures_only, recount=recount,
        accept_replaced=accept_replaced,
    )  # fmt: skip
    return reproduce_file(Path(file), options, progress)


def _by_role(files: Mapping[RootRole, Files]) -> dict[str, Any]:
    """Return files of roots by the names of their options."""
    return {f"trust_{read_choice(role, RootRole)}": paths for role, paths in files.items()}


def verify(
    *files: str | Path,
    signer: str | None = None,
    laboratory: str | None = None,
    approver: str | None = None,
    trust: Files = (),
    trust_by_role: Mapping[RootRole, Files] = MappingProxyType({}),
    allow_same_root: bool = False,
    require_timestamp: bool = False,
    require_revocation: bool = False,
    online: bool = False,
) -> "JudgedFiles":
    """Verify signed PDFs, folders of filings and manifests as of now.

    Args:
        files: signed PDFs, folders or manifests.
        signer: required first signer, by common name or SHA-256 fingerprint of the certificate;
            None for anybody who is trusted.
        laboratory: required signer in the role laboratory; None for none.
        approver: required signer in the role approver; None for none.
        trust: PEM files of roots trusted in every role.
        trust_by_role: PEM files of roots trusted in one role only. With no root here and in
            ``trust``, those of ``certify keys list`` are trusted.
        allow_same_root: accept a laboratory or a timestamp authority under the preparer's root.
        require_timestamp: refuse a signature without a timestamp.
        require_revocation: refuse a document without all revocation data.
        online: fetch the revocation data that the certificates name.
    """
    from certify.filing.identities import VerifyOptions
    from certify.filing.verdict import verify as run

    options = build(
        VerifyOptions, signer=signer, laboratory=laboratory, approver=approver, trust=trust,
        **_by_role(trust_by_role), allow_same_root=allow_same_root,
        require_timestamp=require_timestamp, require_revocation=require_revocation, online=online,
    )  # fmt: skip
    return run(tuple(map(Path, files)), options)
