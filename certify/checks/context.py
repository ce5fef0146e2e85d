"""What a check is given: the declared records, the figures, and a way to point at a place."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from certify.checks.jurisdiction.facts import Filed
from certify.errors import CertifyError
from certify.model.analysis import Analysis
from certify.model.audit import FigureJudgement
from certify.model.catalogue import Catalogue
from certify.model.finding import Code, Finding, Severity
from certify.model.game import Game, Wager
from certify.model.house_way_audit import AuditedInGame
from certify.model.main_wager import MainWager
from certify.model.paytable import EnvyTable, Paytable
from certify.model.terms import Terms


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """The catalogue, the analyses by target (those that were counted), the judged figures.

    ``house_ways`` are the audits of house ways; None where they were not asked for. ``filing`` is
    what is filed in a jurisdiction, or None. ``terms`` are those of the filing, or of a table on
    its own; None where none are given. ``game`` is the one that is filed, or is to be.
    ``refusals`` say of a target why it cannot be counted.
    """

    catalogue: Catalogue
    analyses: Mapping[str, Analysis]
    judgements: tuple[FigureJudgement, ...] = ()
    house_ways: tuple[AuditedInGame, ...] | None = None
    filing: Filed | None = None
    terms: Terms | None = None
    game: Game | None = None
    refusals: Mapping[str, CertifyError] = field(default_factory=dict)

    def finding(
        self,
        code: Code,
        key: str,
        pointer: str,
        message: str,
        remedy: str,
        *,
        severity: Severity | None = None,
        related: Iterable[str | None] = (),
    ) -> Finding:
        """Return a finding in the file with this key of the catalogue, at ``pointer``.

        ``related`` are the keys of other files that take part in it.
        """
        severity = severity or code.severity
        documents = (self.catalogue.documents.get(one or "") for one in related)
        others = dict.fromkeys(one.path for one in documents if one is not None)
        document = self.catalogue.documents.get(key)
        if document is None:
            return Finding(
                code=code.id,
                severity=severity,
                file=key,
                pointer=pointer,
                message=message,
                remedy=remedy,
                related=tuple(others),
            )
        return document.finding(
            code=code.id,
            severity=severity,
            pointer=pointer,
            message=message,
            remedy=remedy,
            related=tuple(one for one in others if one != document.path),
        )

    def has_file(self, key: str) -> bool:
        """Whether there is a file for this key; its record may be left out for its faults."""
        return key in self.catalogue.documents

    def wagers(self) -> Iterator[tuple[Game, Wager]]:
        """Yield every wager with its game, in declared order."""
        for game in self.catalogue.games.values():
            for wager in game.wagers:
                yield game, wager

    def paytables(self) -> Iterator[tuple[Game, Wager, Paytable]]:
        """Yield every paytable with its game and its wager."""
        for game, wager in self.wagers():
            for paytable in wager.paytables:
                yield game, wager, paytable

    def envies(self) -> Iterator[tuple[Wager, EnvyTable, str]]:
        """Yield every envy table with its wager and its key."""
        for game, wager in self.wagers():
            for table in wager.envies:
                yield wager, table, f"{game.id}/{wager.id}/envy/{table.id}"

    def options(self) -> Iterator[tuple[Game, MainWager]]:
        """Yield every option of every main wager with its game."""
        for game, wager in self.wagers():
            for option in wager.options:
                yield game, option


def records_of(wager: Wager) -> tuple[MainWager | Paytable, ...]:
    """Return what can be evaluated under a wager: its options or its paytables."""
    return (*wager.options, *wager.paytables)


def envy_of(wager: Wager, paytable: Paytable) -> EnvyTable | None:
    """Return the envy table that goes with a paytable, if there is one."""
    return next((one for one in wager.envies if one.id == paytable.envy), None)


Check = Callable[[Context], Iterator[Finding]]
"""One judge: the whole context in, its findings out."""


def did_you_mean(name: str, known: tuple[str, ...]) -> str:
    """Return a remedy that names what is nearest, or what there is."""
    import difflib

    near = difflib.get_close_matches(name, known, n=1)
    if near:
        return f"Did you mean {near[0]}?"
    few = ", ".join(known[:12]) or "nothing"
    return f"Declared: {few}{' and more' if len(known) > len(few.split(', ')) else ''}."
