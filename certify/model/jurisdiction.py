"""A jurisdiction as data: dated rules with their confidence, standing clauses, what to file."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from certify.model.finding import Severity
from certify.model.source import Statement


class Confidence(StrEnum):
    """How well the text of a rule is known; only verified text may become an error."""

    VERIFIED_TEXT = "verified_text"
    SECONDARY = "secondary"
    RECALL = "recall"


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleVersion:
    """A rule's text in force from ``effective_from`` up to, not including, ``effective_to``.

    ``parameters`` are the numbers it uses (cents, counts), by name; None dates are open ends.
    """

    text: str
    citation: str
    confidence: Confidence
    read_on: date
    address: str
    effective_from: date | None = None
    effective_to: date | None = None
    parameters: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One requirement: ``test`` names the check that judges it, or None where people must."""

    id: str
    title: str
    severity: Severity
    versions: tuple[RuleVersion, ...]
    test: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChecklistItem:
    """One thing a filing needs and who brings it: ``ours``, ``theirs`` or ``laboratory``."""

    id: str
    text: str
    bearer: str
    rule: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Jurisdiction:
    """A jurisdiction: its rules, the clauses that its documents carry, its checklist.

    ``sections`` are the section ids of the rules of play in order of print. ``confidential``
    says whether the mathematics is filed apart from the published rules.
    """

    id: str
    name: str
    regulator: str
    rules: tuple[Rule, ...]
    clauses: tuple[Statement, ...]
    sections: tuple[str, ...]
    checklist: tuple[ChecklistItem, ...]
    confidential: bool
