"""Python interface: the commands `check`, `evaluate`, `explain`, `submit` and `verify`.

Each function returns a typed result. Its `to_dict` gives the values that the command prints with
``--format json``: figures are exact fractions as text, such as ``"239/9568"``.
The functions raise `certify.errors.CertifyError` for everything that the user can correct; it has
``message``, ``remedy`` and ``exit_code``. Money is in cents.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from certify.errors import NotConfigured, NotReadable
from certify.formatting import did_you_mean
from certify.model.analysis import Analysis
from certify.model.approval import RootRole
from certify.model.encoding import Progress, encode_object, finding_json
from certify.model.finding import Finding, Severity, worst_first
from certify.model.game import JokerRule, Strategy
from certify.model.main_wager import MainWager
from certify.project_log import logged
from certify.storage import read_bytes

if TYPE_CHECKING:
    from certify.commands.explain import Explained
    from certify.commands.submit import WrittenSubmission
    from certify.signatures.verify import SignatureVerdict


Choice = TypeVar("Choice", bound=StrEnum)
Text = TypeVar("Text", str, str | Path)


class CheckResult(Struct, frozen=True, kw_only=True):
    """Findings on files; ``files`` are the names of the checked files."""

    findings: tuple[Finding, ...]
    files: tuple[str, ...]
    notices: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """True if no finding is an error."""
        return not any(finding.severity is Severity.ERROR for finding in self.findings)

    def to_dict(self) -> dict[str, Any]:
        """Return the object of ``certify check --format json``."""
        value: dict[str, Any] = {
            "findings": [finding_json(finding) for finding in self.findings],
            "checked": len(self.files),
        }
        return value | ({"notices": list(self.notices)} if self.notices else {})


def check(*paths: str | Path, changed_since: str | None = None) -> CheckResult:
    """Check paytable files, or all files below folders.

    Args:
        paths: files and folders; none for the enclosing project, or all projects below.
        changed_since: check only files that changed since this git commit.

    Settings of a project (``select``, ``ignore``, ``baseline``) are not applied.

    Raises:
        CertifyError: there is no file to check.
    """
    from certify.review.check import check as run
    from certify.review.file_search import project_folders

    checked = run(list(map(Path, paths)) or project_folders(), changed_since=changed_since)
    return CheckResult(
        findings=worst_first(checked.findings), files=checked.names, notices=checked.notices
    )


class Evaluation(Struct, frozen=True, kw_only=True):
    """Exact figures of paytables and options, in the order of the game.

    ``notices`` name wagers of the game that cannot be evaluated, with the reason.
    """

    analyses: tuple[Analysis, ...]
    notices: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the object of ``certify evaluate --format json``."""
        from certify.report.evidence import results_json

        return encode_object(results_json(self.analyses))


def evaluate(
    target: str | Path,
    *,
    players: int | None = None,
    wager_cents: int | None = None,
    limit_cents: int | None = None,
    meters: Mapping[str, int] | None = None,
    house_way: str | None = None,
    strategy: Strategy | None = None,
    joker: JokerRule | None = None,
    progress: Progress | None = None,
) -> Evaluation:
    """Count the exact return of every paytable and option under a target.

    Args:
        target: ``GAME``, ``GAME/WAGER``, ``GAME/WAGER/PAYTABLE``, or a JSON file.
        players: bettors at the table; None for the game's own number.
        wager_cents: the wager, for prizes that depend on it.
        limit_cents: payout limit for one player, wager and round.
        meters: amount on each progressive meter in cents, by level.
        house_way: id of the dealer's house way; None for the game's own.
        strategy: strategy of the player; None for the one that the game declares.
        joker: the joker rule, if the casino may choose it.
        progress: called with the finished and the total number of steps.

    Raises:
        CertifyError: the target is unknown, an option does not fit it, or its files have errors.
    """
    from certify.figures.evaluate import Settings, refuse_unless_whole
    from certify.figures.evaluate import evaluate as run
    from certify.figures.play import own_limits
    from certify.figures.targets import refuse_faulty, select_sound
    from certify.model.jurisdiction import Terms

    refuse_unless_whole("limit_cents", limit_cents, least=0)
    selection = select_sound(str(target))
    wagers = [wager for wager, _ in selection.records]
    settings = Settings(
        players=players,
        wager_cents=wager_cents,
        meters=dict(meters or {}),
        house_way=house_way,
        strategy=_choose(Strategy, strategy),
        joker=_choose(JokerRule, joker),
        terms=Terms() if limit_cents is None else own_limits(wagers, limit_cents),
        progress=progress,
    )
    analyses = run(selection, settings)
    refuse_faulty(selection, analyses)
    return Evaluation(
        analyses=tuple(analyses),
        notices=tuple(
            f"{wager.game}/{wager.id}: {wager.absent.text}"
            for wager in selection.absent
            if wager.absent is not None
        ),
    )


class Explanation(Struct, frozen=True, kw_only=True):
    """Rank, setting and pay of a hand; ``explained`` has one record per wager or paytable."""

    explained: "Explained"

    def to_dict(self) -> dict[str, Any]:
        """Return the object of ``certify explain --format json``."""
        from certify.commands.explain import FORMS, explained_json

        return encode_object(explained_json(self.explained), FORMS)


def explain(
    target: str | Path, hand: str, *, dealer: str | None = None, house_way: str | None = None
) -> Explanation:
    """Explain what a hand is paid and how it is set.

    Args:
        target: ``GAME``, ``GAME/WAGER``, ``GAME/WAGER/PAYTABLE``, or a JSON file.
        hand: cards as rank and suit, ``Jk`` for a joker: ``"As Td 2c Jk 7h 7d 3s"``.
        dealer: the dealer's cards, likewise.
        house_way: id of the house way; None for the game's own.

    Raises:
        CertifyError: the target is unknown, or the cards are not a hand of its deck.
    """
    from certify.commands.explain import explain as run

    return Explanation(explained=run(str(target), hand, dealer=dealer, house_way=house_way))


class Strategies(Struct, frozen=True, kw_only=True):
    """Optimal play of the options of a main wager that have a raise, with the exact figures."""

    options: tuple[MainWager, ...]
    analyses: tuple[Analysis, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the object of ``certify strategy --format json``."""
        from certify.report.evidence import strategies_json

        return encode_object(strategies_json(self.analyses))


def strategy(
    target: str | Path, *, house_way: str | None = None, progress: Progress | None = None
) -> Strategies:
    """Count the optimal play of every option with a raise under a target.

    Args:
        target: ``GAME``, ``GAME/WAGER``, ``GAME/WAGER/OPTION``, or a JSON file.
        house_way: id of the dealer's house way; None for the game's own.
        progress: called with the finished and the total number of steps.

    Raises:
        CertifyError: the target is unknown or has no raise, or its files have errors.
    """
    from certify.figures.evaluate import Settings
    from certify.figures.evaluate import evaluate as run
    from certify.figures.targets import refuse_faulty, select_sound

    selection = select_sound(str(target))
    raised = tuple(
        (wager, record)
        for wager, record in selection.records
        if isinstance(record, MainWager) and record.raise_ is not None
    )
    if not raised:
        raise NotConfigured(
            "No main wager of the target has a raise, so there is no play to choose.",
            remedy="Choose a game or an option with a raise.",
        )
    settings = Settings(
        house_way=house_way,
        strategy=Strategy.OPTIMAL if selection.game.hands.shape.is_divided else None,
        progress=progress,
    )
    analyses = run(replace(selection, records=raised), settings)
    refuse_faulty(selection, analyses)
    return Strategies(options=tuple(option for _, option in raised), analyses=analyses)


class SubmitResult(Struct, frozen=True, kw_only=True):
    """A submission that was written: its files, findings and open items."""

    submitted: "WrittenSubmission"

    @property
    def files(self) -> tuple[Path, ...]:
        """The written files."""
        return self.submitted.files

    def to_dict(self) -> dict[str, Any]:
        """Return the object of ``certify submit --format json``."""
        from certify.commands.submit import submitted_json

        return encode_object(submitted_json(self.submitted))


def submit(
    game: str,
    jurisdiction: str,
    out: str | Path,
    *,
    paytables: Sequence[str] = (),
    house_way: str | None = None,
    strategy: Strategy | None = None,
    terms: str | Path | None = None,
    identity: str | None = None,
    password_file: str | Path | None = None,
    unsigned: bool = False,
    kit: bool = False,
    accept_replaced: bool = False,
) -> SubmitResult:
    """Write rules of play, mathematics report and cover memo as PDFs, with their evidence.

    Args:
        game: id of the game.
        jurisdiction: id of the jurisdiction, such as ``nevada``.
        out: folder for the files; a signed filing in it is never replaced.
        paytables: ids of the paytables and main options to file; none for all.
        house_way: id of the dealer's house way; None for the game's own.
        strategy: strategy of the player; None for the one that the game declares.
        terms: file of the terms of the table.
        identity: signing identity, an id of ``certify keys list`` or a PKCS#12 file.
        password_file: file with its password; no password is asked for.
        unsigned: write documents that are not signed and marked UNSIGNED.
        kit: add the laboratory kit.
        accept_replaced: accept jurisdictions and templates that are not certify's own.

    Raises:
        CertifyError: something is missing or wrong; then nothing is written.
    """
    from certify.commands.submit import Signing
    from certify.commands.submit import submit as run
    from certify.filing.identities import Signer, list_roots, open_identity
    from certify.model.submission import Order

    signing = None
    if not unsigned:
        signer = Signer(name=identity, password_file=Path(password_file) if password_file else None)
        signing = Signing(identity=open_identity(signer, _refuse_to_ask), trust=(*list_roots(),))
    order = Order(
        game=game,
        jurisdiction=jurisdiction,
        paytables=_list_texts("paytables", paytables),
        house_way=house_way,
        strategy=_choose(Strategy, strategy),
        terms=Path(terms) if terms else None,
        kit=kit,
        accept_replaced=accept_replaced,
    )
    with logged("api.submit", game, jurisdiction):
        return SubmitResult(submitted=run(order, signing=signing, out=Path(out)))


def _choose(kind: type[Choice], value: Choice | None) -> Choice | None:
    """Return one of the values of an enumeration, also given as its text."""
    try:
        return None if value is None else kind(value)
    except ValueError as error:
        raise NotReadable(
            f"{value!r} is not a known value.", remedy=did_you_mean(str(value), map(str, kind))
        ) from error


def _list_texts(name: str, values: Sequence[Text]) -> tuple[Text, ...]:
    """Return a sequence of texts or paths as a tuple; a single one is refused."""
    if isinstance(values, str | Path):
        raise NotReadable(f"{name} is {values!r}, not a list.", remedy=f"Write [{values!r}].")
    return tuple(values)


def _refuse_to_ask(_prompt: str) -> str:
    raise NotConfigured(
        "A password is required to sign.",
        remedy="Give password_file, or set CERTIFY_KEY_PASSWORD.",
    )


class Verification(Struct, frozen=True, kw_only=True):
    """Verdict on the signatures of a file."""

    verdict: "SignatureVerdict | None"
    answer: Mapping[str, Any]

    @property
    def authentic(self) -> bool:
        """True if every required check passed."""
        return self.verdict is not None and self.verdict.authentic

    def to_dict(self) -> dict[str, Any]:
        """Return the object of ``certify verify --format json``."""
        return encode_object(self.answer)


def verify(
    file: str | Path,
    *,
    signer: str | None = None,
    trust: Sequence[str | Path] = (),
    trust_by_role: Mapping[RootRole, Sequence[str | Path]] = MappingProxyType({}),
    allow_same_root: bool = False,
    require_timestamp: bool = False,
    require_revocation: bool = False,
    online: bool = False,
) -> Verification:
    """Verify the signatures of a submitted PDF as of now.

    Args:
        file: the signed PDF.
        signer: required signer, by common name or SHA-256 fingerprint of the certificate.
        trust: PEM files of roots trusted in every role.
        trust_by_role: PEM files of roots trusted in one role only. With no root here and in
            ``trust``, those of ``certify keys list`` are trusted.
        allow_same_root: accept a laboratory or a timestamp authority under the preparer's root.
        require_timestamp: refuse a signature without a timestamp.
        require_revocation: refuse a document without all revocation data.
        online: fetch the revocation data that the certificates name.

    Raises:
        CertifyError: the file cannot be read, or has no signature.
    """
    from certify.filing.identities import read_trust
    from certify.filing.verify import verify_file

    roots = read_trust(
        list(map(Path, _list_texts("trust", trust))),
        {
            str(_choose(RootRole, role)): list(map(Path, _list_texts("trust_by_role", files)))
            for role, files in trust_by_role.items()
        },
        allow_same_root=allow_same_root,
        require_timestamp=require_timestamp,
        require_revocation=require_revocation,
    )
    data = read_bytes(Path(file))
    verified = verify_file(str(file), data, **roots, signer=signer, online=online)
    return Verification(verdict=verified.verdict, answer=verified.answer)
