"""A jurisdiction: its dated rules, standing clauses and checklist; and one filing there."""

from collections.abc import Iterable
from datetime import date, timedelta
from enum import StrEnum

from msgspec import Struct

from certify.model.approval import ApplicationForm, Supplied
from certify.model.finding import Severity
from certify.model.game import JokerRule, Revision, Strategy, Wager
from certify.model.main_wager import Outcome
from certify.model.paytable import FeeSchedule, HandOf, Meter, Row
from certify.model.source import Banking, Statement
from certify.model.topic import Procedure


class Confidence(StrEnum):
    """The text that was read; only an official text can satisfy a rule or cause an error."""

    VERIFIED_TEXT = "verified_text"
    """The official text."""

    REPRODUCTION = "reproduction"
    """A copy of the code from another publisher."""

    PROPOSAL = "proposal"
    """A proposed text; whether it was adopted was not verified."""

    SECONDARY = "secondary"
    """None of these: an earlier text, a summary, a title."""


class Bearer(StrEnum):
    """The party that supplies an item of a submission."""

    OURS = "ours"
    """These documents."""

    THEIRS = "theirs"
    """The supplier or the casino."""

    LABORATORY = "laboratory"


class CodifiedPaytable(Struct, frozen=True, kw_only=True):
    """A paytable that a text prints under ``clause``, on ``cards`` cards of the hand."""

    clause: str
    hand: HandOf
    cards: int
    rows: tuple[Row, ...]


class Requires(Struct, frozen=True, kw_only=True):
    """Values that a text requires of a filing: one of these banks, one of these jokers, true odds.

    An empty tuple allows any. ``odds``: documents print the true odds of every wager.
    """

    banking: tuple[Banking, ...] = ()
    joker: tuple[JokerRule, ...] = ()
    odds: bool = False


class RuleVersion(Struct, frozen=True, kw_only=True):
    """A rule's text in force from ``effective_from`` up to, not including, ``effective_to``.

    ``parameters`` are its values, by name, as the rule test declares them, ``paytables`` those that
    it prints, and ``requires`` the values that it asks for; None dates are open ends. ``address``
    is where it was read on ``read_on``; ``dated`` the date of the text that was read (a year, a
    month or a day) if it is not ``effective_from``.
    """

    text: str
    citation: str
    confidence: Confidence
    read_on: date
    address: str
    effective_from: date | None = None
    effective_to: date | None = None
    parameters: tuple[tuple[str, int], ...] = ()
    paytables: tuple[CodifiedPaytable, ...] = ()
    dated: str | None = None
    requires: Requires | None = None

    @property
    def official(self) -> bool:
        """True if the official text was read."""
        return self.confidence is Confidence.VERIFIED_TEXT

    @property
    def was_read(self) -> bool:
        """True if the official text or a copy of the code was read."""
        return self.confidence in (Confidence.VERIFIED_TEXT, Confidence.REPRODUCTION)

    @property
    def text_date(self) -> str | None:
        """The date of the text that was read; None if unknown."""
        begun = self.effective_from.isoformat() if self.effective_from else None
        return self.dated or begun

    def applies_on(self, as_of: date) -> bool:
        """Return True if this text is in force on a day."""
        begun = self.effective_from is None or self.effective_from <= as_of
        return begun and (self.effective_to is None or as_of < self.effective_to)

    def overlaps(self, other: "RuleVersion") -> bool:
        """Return True if both texts are in force on some day."""
        begun = max(text.effective_from or date.min for text in (self, other))
        return begun < min(text.effective_to or date.max for text in (self, other))

    def parameter(self, name: str) -> int | None:
        """Return a value of this text by its name; None if the text does not use it."""
        return dict(self.parameters).get(name)


class AppliesTo(Struct, frozen=True, kw_only=True):
    """The games to which a rule or an item applies: each given field must match the submission.

    A jurisdiction's text names its games. ``names`` are parts of their names or aliases; one of
    them must match. The other fields identify games by how they are dealt, as a casino may use
    other names. ``cards`` is the number of cards of a hand, ``back`` of its high
    hand, or of those that rank in a hand that is not divided. ``commission``: a submitted option
    takes a commission; False needs a main wager that takes none. ``dealer_exposed``: the dealer's
    hand is seen. ``envy``: prizes are paid for other players' hands. ``divided``: hands are set in
    two. None matches anything.
    """

    cards: int | None = None
    back: int | None = None
    divided: bool | None = None
    commission: bool | None = None
    dealer_exposed: bool | None = None
    envy: bool | None = None
    names: tuple[str, ...] = ()

    def fits_name(self, names: Iterable[str]) -> bool:
        """Return True if no name is given, or if one is in some of the names of a game."""
        folded_names = [name.casefold() for name in names]
        return not self.names or any(
            part.casefold() in name for part in self.names for name in folded_names
        )


class Rule(Struct, frozen=True, kw_only=True):
    """One requirement: ``test`` names its rule test, or is None for manual review.

    ``applies_to`` are the games that it is of, every game if it states nothing. ``severity`` is
    for an official text; any other text makes a warning at most.
    """

    id: str
    title: str
    severity: Severity
    versions: tuple[RuleVersion, ...]
    test: str | None = None
    applies_to: AppliesTo | None = None

    def find_version(self, as_of: date) -> RuleVersion | None:
        """Return the text in force on a day; None if none is known for that day."""
        return next((version for version in self.versions if version.applies_on(as_of)), None)

    def rate_severity(self, version: RuleVersion | None) -> Severity:
        """Return the severity of not meeting a text: at most a warning if it is not official."""
        if version is None:
            return Severity.NOTE
        if not version.official and self.severity is Severity.ERROR:
            return Severity.WARNING
        return self.severity


class Begins(StrEnum):
    """The start of a deadline: the day of a register entry, or another day."""

    PENDING = "pending"
    """The day of the filing."""

    APPROVED = "approved"
    """The day of the approval."""

    REJECTED = "rejected"
    """The day of the rejection."""

    NOTICE = "notice"
    """The day of a notice of the regulator, which is not in the register."""


class Deadline(Struct, frozen=True, kw_only=True):
    """A time limit in a text, for the regulator or others; it does not affect the documents.

    ``period`` is one of ISO 8601, days or years: ``P30D``, ``P5Y``. The other fields are those of
    a `RuleVersion`.
    """

    id: str
    text: str
    begins: Begins
    period: str
    citation: str
    confidence: Confidence
    read_on: date
    address: str
    dated: str | None = None

    def ends(self, begun: date) -> date:
        """Return the last day of the time that begins on a day; a year ends on its date."""
        number = int(self.period[1:-1])
        if self.period.endswith("D"):
            return begun + timedelta(days=number)
        try:
            return begun.replace(year=begun.year + number)
        except ValueError:  # the 29th of February has a date every fourth year
            return date(begun.year + number, 3, 1)


class ChecklistItem(Struct, frozen=True, kw_only=True):
    """One item that a submission needs, the party that supplies it, and the rule.

    ``proof`` are the facts that complete it, including `rule` if the rule test decides; an item
    without any is open. ``detail`` names the evidence once it is done. ``applies_to`` are the games
    of which it is asked, every game if it states nothing.
    """

    id: str
    text: str
    bearer: Bearer
    rule: str | None = None
    detail: str | None = None
    proof: tuple[str, ...] = ()
    applies_to: AppliesTo | None = None


class Jurisdiction(Struct, frozen=True, kw_only=True):
    """A jurisdiction: its rules, the clauses that its documents carry, its checklist.

    ``sections`` are the section ids of the rules of play in order of print. ``confidential``
    says whether the mathematics is filed apart from the published rules. ``deadlines`` are the
    times that its texts state, as far as they were read. ``application`` is the form of the request
    for approval.
    """

    id: str
    name: str
    regulator: str
    rules: tuple[Rule, ...]
    clauses: tuple[Statement, ...]
    sections: tuple[str, ...]
    checklist: tuple[ChecklistItem, ...]
    confidential: bool
    deadlines: tuple[Deadline, ...] = ()
    application: ApplicationForm | None = None

    @property
    def suppliable(self) -> tuple[ChecklistItem, ...]:
        """The items of the checklist that a filing can supply: no fact proves them."""
        return tuple(item for item in self.checklist if not item.proof)

    def find_texts(self, as_of: date, *tests: str) -> tuple[tuple[str, RuleVersion], ...]:
        """Return the texts in force on a day of rules with these tests, each with its test."""
        return tuple(
            (rule.test, text)
            for rule in self.rules
            if rule.test in tests and (text := rule.find_version(as_of)) is not None
        )

    def wager_limit(self, as_of: date) -> RuleVersion | None:
        """Return the text that limits a single wager on a day, or None."""
        return next((text for _, text in self.find_texts(as_of, "largest_wager")), None)


TERMS = "terms"
"""The key of the file of a filing in the documents of findings; version 0.2 called it terms."""

FILING = "filing"
"""The kind of this file."""

IN_PLACE = "Terms of the table, in place of:"
"""Before the clause of a rule that the terms replace."""


class Scope(StrEnum):
    """To whom an aggregate payout limit applies."""

    PLAYER = "player"
    TABLE = "table"


class Application(StrEnum):
    """The requested approval."""

    NEW_GAME = "new_game"
    VARIATION = "variation"
    COMPOSITE = "composite"


class MeterReduction(StrEnum):
    """The reasons for lowering a meter that WAC 230-15-695 lists, and any other."""

    AMOUNT_WON = "amount_won"
    MALFUNCTION = "malfunction"
    ABOVE_MAXIMUM = "above_maximum"
    NON_DISPLAYED = "non_displayed"
    SEED_RECOVERY = "seed_recovery"
    OTHER = "other"


class AggregateLimit(Struct, frozen=True, kw_only=True):
    """The most that is paid at odds for one deal, to a player or at a table, for these wagers.

    Returned wagers, envy prizes and shares of a meter are no part of it.
    """

    cents: int
    wagers: tuple[str, ...]
    scope: Scope = Scope.PLAYER

    @property
    def is_shared(self) -> bool:
        """True if the limit also covers other wagers or other players."""
        return self.scope is Scope.TABLE or len(self.wagers) > 1


class LinkedMeter(Struct, frozen=True, kw_only=True):
    """One level of one paytable's meters; meters of a link are fed and paid together."""

    paytable: str
    level: str


class Party(Struct, frozen=True, kw_only=True):
    """A party of a filing; None is not declared."""

    name: str
    address: str | None = None
    contact: str | None = None
    licence: str | None = None


class Applicant(StrEnum):
    """The party that requests the approval."""

    SUPPLIER = "supplier"
    OPERATOR = "operator"


class MeterAmounts(Meter, frozen=True, kw_only=True):
    """Amounts of a meter that replace those of its paytable, as declared there."""

    wager: str
    paytable: str


METER_AMOUNTS = ("seed_cents", "increment", "reserve", "cap_cents", "overflow")

AMOUNTS = (*METER_AMOUNTS, "qualifying_wager_cents")
"""Properties of meters and envy tables that a filing sets."""


class Sentence(Struct, frozen=True, kw_only=True):
    """A sentence that replaces the one with its id, of a wager's file or of the game's (None)."""

    id: str
    text: str
    wager: str | None = None


class EnvyMinimum(Struct, frozen=True, kw_only=True):
    """The smallest wager that qualifies for the prizes of an envy table, in cents."""

    wager: str
    table: str
    qualifying_wager_cents: int


class Terms(Struct, frozen=True, kw_only=True):
    """One filing of a game, with what its table sets; an empty tuple or None is not declared.

    ``id`` is the name of its file. ``revision``, ``revised`` and ``changes`` replace those of the
    game, ``sentences`` its rules, ``meters`` and ``envies`` amounts of its paytables.
    ``paytables``, ``house_way`` and ``strategy`` are those of the request.
    ``game`` is the id of the game at the table, ``application`` the requested approval.
    ``procedures`` has the texts of the rules of play
    on dealing and irregularities, by subject. ``foul_against_push`` is the result of a foul against
    a dealer's hand that makes all main wagers push. ``largest_wagers`` and ``least_wagers`` are
    cents by wager id and override those that a wager declares. ``aggregate_limits`` is None if
    limits are not declared, and empty if there are none. ``links`` likewise. ``banking`` and
    ``joker`` are the choices of the filing, None for those of the game. ``laboratory_letter``
    is the digest of the letter, ``laboratory_letter_file`` its file name in the folder of the
    terms. ``player_advantage`` has the reasons why wagers may return more than is wagered, by wager
    id, ``code_options`` the options of the code under which wagers are filed, likewise.
    ``fees`` are collected in addition to the wagers, ``supplied`` are items of the jurisdiction's
    checklist.
    """

    id: str | None = None
    game: str | None = None
    jurisdiction: str | None = None
    supplier: Party | None = None
    operator: Party | None = None
    laboratory: Party | None = None
    applicant: Applicant = Applicant.SUPPLIER
    application: Application | None = None
    application_reason: str | None = None
    revision: str | None = None
    revised: date | None = None
    changes: tuple[Revision, ...] = ()
    paytables: tuple[str, ...] = ()
    house_way: str | None = None
    strategy: Strategy | None = None
    meters: tuple[MeterAmounts, ...] = ()
    envies: tuple[EnvyMinimum, ...] = ()
    sentences: tuple[Sentence, ...] = ()
    procedures: tuple[tuple[Procedure, str], ...] = ()
    foul_against_push: Outcome | None = None
    largest_wagers: tuple[tuple[str, int], ...] = ()
    least_wagers: tuple[tuple[str, int], ...] = ()
    aggregate_limits: tuple[AggregateLimit, ...] | None = None
    links: tuple[tuple[LinkedMeter, ...], ...] | None = None
    meter_reductions: tuple[MeterReduction, ...] | None = None
    players: int | None = None
    tribal: bool | None = None
    laboratory_letter: str | None = None
    laboratory_letter_file: str | None = None
    player_advantage: tuple[tuple[str, str], ...] = ()
    code_options: tuple[tuple[str, str], ...] = ()
    supplied: tuple[Supplied, ...] = ()
    fees: FeeSchedule | None = None
    banking: Banking | None = None
    joker: JokerRule | None = None

    @property
    def holder(self) -> str | None:
        """The operator, or else the filing, as in `Approval.holder`."""
        return self.operator.name if self.operator is not None else self.id

    @property
    def applying(self) -> Party | None:
        """The party that requests the approval."""
        return self.operator if self.applicant is Applicant.OPERATOR else self.supplier

    def find_supplied(self, item: str) -> Supplied | None:
        """Return what the filing supplies for an item of the checklist, or None."""
        return next((each for each in self.supplied if each.item == item), None)

    def largest(self, wager: Wager) -> int | None:
        """Return the largest amount of a wager in cents, as set here or declared."""
        return dict(self.largest_wagers).get(wager.id, wager.maximum_cents)

    def least(self, wager: Wager) -> int | None:
        """Return the least amount of a wager in cents, as set here or declared."""
        return dict(self.least_wagers).get(wager.id, wager.minimum_cents)
