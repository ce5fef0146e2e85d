"""A fault of a JSON text: what is said of its kind, and where it was met."""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field

from certify.intake.text.places import span
from certify.model.document import Document
from certify.model.finding import Code, Finding

_SHOWN = 24


@dataclass(frozen=True, slots=True)
class FaultKind:
    """What is said of a fault wherever it is met; words in braces are told by its place.

    Without a remedy it is that of the code. ``instead_of`` are others, by the character that stands
    there. A ``fatal`` fault leaves no value to go on with.
    """

    code: Code
    message: str
    remedy: str = ""
    _: KW_ONLY
    fatal: bool = True
    instead_of: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TextFault:
    """A fault at an offset of the text; ``remedy`` stands in the place of that of its kind."""

    kind: FaultKind
    offset: int
    pointer: str = ""
    _: KW_ONLY
    length: int = 1
    remedy: str = ""
    words: Mapping[str, object] = field(default_factory=dict)

    def finding(self, document: Document, lines: Sequence[int]) -> Finding:
        """Return the fault with its line, column and excerpt."""
        words = {name: _short(word) for name, word in self.words.items()}
        code = self.kind.code
        return document.finding(
            code.id,
            self.pointer,
            self.kind.message.format(**words),
            code.advice(self.remedy or self.kind.remedy.format(**words)),
            severity=code.severity,
            span=span(self.offset, self.length, lines),
        )


def _short(word: object) -> object:
    """Return a word short enough for one line of a message."""
    return f"{word[: _SHOWN - 3]}..." if isinstance(word, str) and len(word) > _SHOWN else word
