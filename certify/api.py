"""Python interface: a function for each command that computes.

Each function builds the request of its command from its arguments and runs it, so a value is
refused with the message of the command. It returns the typed result, whose `to_dict` gives the
values that the command prints with ``--format json``: figures are exact fractions as text, such as
``"239/9568"``. The functions raise `certify.errors.CertifyError` for everything that the user can
correct: an unknown target, an option that does not fit, a file with errors. It has ``message``,
``remedy`` and ``exit_code``. Money is in cents. ``progress`` is called with the finished and the
total number of steps.
"""

import datetime as dt
import inspect
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import wraps
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from certify.model.analysis import By
from certify.model.approval import RootRole
from certify.model.encoding import Progress
from certify.model.finding import Severity
from certify.model.game import JokerRule, Strategy
from certify.model.paytable import Paytable
from certify.model.request import Contents, Request, build
from certify.project_log import logged

if TYPE_CHECKING:
    from certify.commands.compare import CountsResult, HouseWaysResult
    from certify.commands.diff import DiffResult
    from certify.commands.evaluate import Evaluation, GameList, Strategies
    from certify.commands.events import Vocabulary
    from certify.commands.explain import Explained
    from certify.commands.imports.records import ImportResult
    from certify.commands.monitor import MonitorResult
    from certify.commands.reproduce.reproduce import Reproduction
    from certify.commands.solve.solve import Solutions
    from certify.commands.submit import WrittenSubmission
    from certify.figures.audit import Audit
    from certify.figures.crosscheck import CrosscheckResult
    from certify.filing.verdict import JudgedFiles
    from certify.review.report import CheckResult

Files = Sequence[str | Path]
Target = str | Path | Contents | Paytable
"""An id, a file, the contents of one as a dictionary or bytes, or a paytable of a result."""

Arguments = ParamSpec("Arguments")
Answer = TypeVar("Answer")


def runs(command: str) -> Callable[[Callable[Arguments, Answer]], Callable[Arguments, Answer]]:
    """Return a decorator that makes a function from its signature: it runs a command.

    Args:
        command: module and name of a function of a request, in the package.
    """

    def decorate(declared: Callable[Arguments, Answer]) -> Callable[Arguments, Answer]:
        @wraps(declared)
        def run(*positional: Arguments.args, **named: Arguments.kwargs) -> Answer:
            bound = inspect.signature(declared).bind(*positional, **named)
            bound.apply_defaults()
            function, request = find_command(command)
            words = [str(each) for each in positional if isinstance(each, str | Path)]
            with logged(f"api.{declared.__name__}", *words):
                answer: Answer = function(build(request, **bound.arguments))
                return answer

        run.command = command  # type: ignore[attr-defined] # tests compare the declarations
        return run

    return decorate


def find_command(command: str) -> tuple[Callable[[Request], Any], type[Request]]:
    """Return the function of a command, and the class of its request."""
    module, _, name = command.rpartition(".")
    function = getattr(import_module(f"certify.{module}"), name)
    (parameter,) = inspect.signature(function, eval_str=True).parameters.values()
    return function, parameter.annotation


@runs("review.request.run_check")
def check(
    *paths: Target,
    changed_since: str | None = None,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    path: str | Path | None = None,
    artwork: str | Path | None = None,
    target: str | None = None,
    builtin: bool = False,
    stdin: bool = False,
    fail_on: Severity | str | None = None,
    baseline: str | Path | None = None,
    write_baseline: bool = False,
    allow_not_judged: bool = False,
) -> "CheckResult":
    """Check paytable files, or all files below folders.

    Args:
        paths: files and folders, or the contents of one file; none for the enclosing project, or
            all projects below.
        changed_since: check only files that changed since this git commit; None for all files.
        select: codes or families to report, such as ``["P004", "G"]``; none for all.
        ignore: codes or families that are not reported.
        path: path to assume for contents in memory; None for a file outside of any project.
        artwork: text of a layout or rack card to compare with ``target``; None for none.
        target: paytable on the artwork.
        builtin: check the library instead of a project.
        stdin: read one file from standard input.
        fail_on: least severity with which the check does not pass; None for the project's.
        baseline: file of known findings to ignore; None for the project's.
        write_baseline: write the current findings to the baseline.
        allow_not_judged: pass even if something could not be judged.

    Settings of the projects apply where an argument names nothing.
    """


@runs("commands.evaluate.evaluate")
def evaluate(
    target: Target,
    *,
    players: int | None = None,
    wager_cents: int | None = None,
    limit_cents: int | None = None,
    meters: Mapping[str, int | Fraction] | None = None,
    house_way: str | None = None,
    strategy: Strategy | str | None = None,
    joker: JokerRule | str | None = None,
    progress: Progress | None = None,
) -> "Evaluation":
    """Count the exact return of every paytable and option under a target.

    Args:
        target: ``GAME``, ``GAME/WAGER``, ``GAME/WAGER/PAYTABLE``, a JSON file, its contents as a
            dictionary, or the paytable of a result.
        players: bettors at the table; None for the game's own number.
        wager_cents: the wager, for prizes that depend on it; None for the usual one.
        limit_cents: payout limit for one player, wager and round; None for none.
        meters: amount on each progressive meter in cents, by level, which may be finer than a
            cent; None for unknown meters.
        house_way: id of the dealer's house way; None for the game's own.
        strategy: strategy of the player; None for the one that the game declares.
        joker: the joker rule, if the casino may choose it; None for the game's own.
        progress: receives the progress; None for nobody.
    """


@runs("commands.explain.explain")
def explain(
    target: Target, hand: str, *, dealer: str | None = None, house_way: str | None = None
) -> "Explained":
    """Explain what a hand is paid and how it is set.

    Args:
        target: as in `evaluate`.
        hand: cards as rank and suit, ``Jk`` for a joker: ``"As Td 2c Jk 7h 7d 3s"``.
        dealer: the dealer's cards, likewise; None for none.
        house_way: id of the house way; None for the game's own.
    """


@runs("commands.evaluate.find_strategy")
def strategy(
    target: Target, *, house_way: str | None = None, progress: Progress | None = None
) -> "Strategies":
    """Count the optimal play of every option with a raise under a target.

    Args:
        target: ``GAME``, ``GAME/WAGER``, ``GAME/WAGER/OPTION``, or a file as in `evaluate`.
        house_way: id of the dealer's house way; None for the game's own.
        progress: receives the progress; None for nobody.
    """


def games() -> "GameList":
    """List the games, with the ids of their wagers, paytables and house ways."""
    from certify.commands.evaluate import list_games

    return list_games()


@runs("commands.events.find_events")
def events(
    word: str | None = None, *, game: str | None = None, cards: int | None = None
) -> "Vocabulary":
    """Count the events that a paytable may pay for.

    Args:
        word: id of an event, or a word of its description; None for all events.
        game: game whose deck and hands are counted; None for 7 of 53 cards.
        cards: number of cards; None for those of a hand.
    """


@runs("figures.audit.audit")
def audit(game: str | Path, *, progress: Progress | None = None) -> "Audit":
    """Compare every figure of a game's source with the recomputed one.

    Args:
        game: id of a game, or the folder of one.
        progress: receives the progress; None for nobody.
    """


@runs("figures.crosscheck.crosscheck")
def crosscheck(
    target: Target,
    *,
    again: bool = False,
    store: bool = False,
    house_way: str | None = None,
    strategy: Strategy | str | None = None,
    progress: Progress | None = None,
) -> "CrosscheckResult":
    """Recount every figure of a target with independent code.

    Args:
        target: as in `evaluate`.
        again: recount two hands even if a count is stored (minutes).
        store: recount, and store the counts of two hands with the game.
        house_way: id of the house way; None for the game's own.
        strategy: strategy of the player; None for the one that the game declares.
        progress: receives the progress; None for nobody.
    """


@runs("commands.diff.diff")
def diff(
    before: Target,
    after: Target,
    *,
    game: str | None = None,
    main: bool = False,
    as_of: dt.date | str | None = None,
    progress: Progress | None = None,
) -> "DiffResult":
    """Compare two paytables, games or house ways by meaning, with their filing requirements.

    Args:
        before: target as in `evaluate`, house way, JSON file, folder or PDF.
        after: item of the same kind.
        game: count the main wagers of this game with both house ways (minutes); None for no game.
        main: count main wagers too (minutes).
        as_of: date of the rules to apply; None for today.
        progress: receives the progress; None for nobody.
    """


@runs("commands.compare.compare")
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


@runs("commands.imports.import_paytables.import_paytables")
def import_paytables(
    *files: str | Path,
    game: str | None = None,
    wager: str | None = None,
    matches: Mapping[str, str] | None = None,
    pays: Mapping[str, str] | None = None,
    tables: Mapping[str, str] | None = None,
    basis: str | None = None,
    base_wager_cents: int | None = None,
    qualifying_wager_cents: int | None = None,
    preview: bool = False,
) -> "ImportResult":
    """Import the paytables of vendors' files into the project, all or nothing.

    Args:
        files: workbooks, CSV, text, Word documents or PDF files.
        game: the game; None for the one that the files name.
        wager: the wager of tables that name none.
        matches: event of a printed name, by the name; ``"-"`` leaves the line out.
        pays: pays of a printed line, by its name; one, or one for each table with ``;``.
        tables: id of a table, by its heading or place; ``"-"`` leaves it out.
        basis: basis of pays without one, to or for; None if they have one.
        base_wager_cents: the wager that pays in dollars and meters are for.
        qualifying_wager_cents: the least wager that wins envy prizes.
        preview: write nothing.
    """


@runs("commands.monitor.monitor_file")
def monitor(
    results: str | Path,
    *,
    target: str | None = None,
    meters: Mapping[str, int | Fraction] | None = None,
    progress: Progress | None = None,
) -> "MonitorResult":
    """Compare the results of a casino floor with the exact distribution of each wager.

    Args:
        results: CSV file with rounds, wagered, and paid, won or hold; amounts in dollars.
        target: target of all lines; None for the column ``target``.
        meters: average amount on each meter in cents, by level; None for unknown meters.
        progress: receives the progress; None for nobody.
    """


@runs("commands.solve.solve.solve")
def solve(
    target: Target,
    edge: str,
    unknowns: Sequence[str],
    *,
    bounds: Mapping[str, tuple[int, int]] = MappingProxyType({}),
    hits: str | None = None,
    deviation: str | None = None,
    by: By | str = By.DISTANCE,
    limit: int = 20,
    may_omit: bool = False,
    step_cents: int = 100,
    players: int | None = None,
    meters: Mapping[str, int | Fraction] | None = None,
    jurisdiction: str | None = None,
    terms: str | Path | None = None,
    as_of: dt.date | str | None = None,
    write: str | Path | None = None,
    choose: int | None = None,
) -> "Solutions":
    """List the whole-number pays that bring the house edge of a bonus paytable into a band.

    Args:
        target: one bonus paytable: ``GAME/WAGER/PAYTABLE``, or a file as in `evaluate`.
        edge: house edge in percent, such as ``"4.5..5.5"``.
        unknowns: events of rows, ``envy:EVENT`` or ``meter:LEVEL``.
        bounds: minimum and maximum of unknowns: units of the wager for rows, cents for others.
        hits: hit frequency in percent, such as ``"20..25"``; None for any.
        deviation: standard deviation, such as ``"3..4.5"``; None for any.
        by: ranking of the solutions.
        limit: number of solutions to list; all are counted.
        may_omit: allow solutions without open rows.
        step_cents: step of prizes and meters.
        players: bettors whose hands win prizes; None for the game's if prizes are open.
        meters: amount on each known meter in cents, by level; None for none.
        jurisdiction: jurisdiction whose rules apply; None for none.
        terms: file of table terms, for these rules; None for none.
        as_of: date of the rules to apply; None for today.
        write: new file to write a solution to as a paytable; None for none.
        choose: number of the solution to write; None for the first.
    """


@runs("commands.submit.run_request")
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
    archive: bool = True,
    module: str | Path | None = None,
    token: str | None = None,
    key: str | None = None,
    unsigned: bool = False,
    kit: bool = False,
    accept_replaced: bool = False,
    progress: Progress | None = None,
) -> "WrittenSubmission":
    """Write rules of play, mathematics report, letter and work memo as PDFs, with evidence.

    Args:
        game: name of a filing of the project, or id of a game.
        jurisdiction: id of the jurisdiction, such as ``nevada``; empty for a filing.
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
        archive: with ``long_term``, timestamp the whole file too (without: PAdES B-LT).
        module: library of a hardware token; None for none.
        token: label of the token.
        key: label of the key on the token.
        unsigned: write documents that are not signed and marked UNSIGNED.
        kit: add the laboratory kit.
        accept_replaced: accept jurisdictions and templates that are not certify's own.
        progress: receives the progress; None for nobody.
    """


@runs("commands.reproduce.reproduce.reproduce_file")
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


@runs("filing.verdict.verify")
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
