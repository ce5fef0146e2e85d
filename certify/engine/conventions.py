"""What a count takes for granted, in the words of ``templates/words/assumptions.json``.

A statement with an effect is an assumption: it could be otherwise. One without is a convention of
the count.
"""

from certify import library
from certify.model.source import Source, Statement


def convention(
    statement_id: str, source: Source, words: str = "", **values: str | int
) -> Statement:
    """Return a statement of the count; its words stand under ``words``, or else under its id."""
    said = library.words("assumptions")[words or statement_id]
    return Statement(
        id=statement_id,
        text=said["text"].format(**values),
        source=source,
        effect=said.get("effect"),
    )


def load_words(name: str) -> str:
    """Return words that stand in the sentence of a statement."""
    return str(library.words("assumptions")[name]["text"])
