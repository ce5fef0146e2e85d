"""Rules as printed: each with its number, its clause, and a sign where the filing decided it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count

from certify.model.source import Statement


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedRule:
    """A rule: ``number`` such as ``3.2``, a letter for a part; ``clause`` is where it was read.

    ``decision`` marks what the sources leave open and this filing decided; the mathematics report
    has what the alternative is worth.
    """

    number: str
    anchor: str
    text: str
    clause: str
    decision: bool = False
    parts: tuple["PrintedRule", ...] = ()


def numbers_of(section: int) -> Iterator[str]:
    """Yield the numbers of a section's rules: ``3.1``, ``3.2`` and so on."""
    return (f"{section}.{number}" for number in count(1))


def rules(
    statements: Iterable[Statement], numbers: Iterator[str], *, decision: bool = False
) -> tuple[PrintedRule, ...]:
    """Return statements as printed, with the next numbers.

    A statement with an effect is a decision of the filing: the source can be read otherwise.
    """
    return tuple(
        rule(
            statement.text,
            statement.source.clause,
            next(numbers),
            parts=statement.parts,
            decision=decision or statement.effect is not None,
        )
        for statement in statements
    )


def rule(
    text: str,
    clause: str,
    number: str,
    *,
    parts: Iterable[Statement] = (),
    decision: bool = False,
) -> PrintedRule:
    """Return one rule as printed; its parts are lettered."""
    return PrintedRule(
        number=number,
        anchor=f"rule-{number}",
        text=text,
        clause=clause,
        decision=decision,
        parts=tuple(
            rule(part.text, part.source.clause, f"{number}.{letter}", decision=decision)
            for letter, part in zip("abcdefghijklmnopqrstuvwxyz", parts, strict=False)
        ),
    )
