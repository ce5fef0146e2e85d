"""Assumptions and conventions of the counts, worded in ``templates/words/assumptions.json``.

A statement with an effect is an assumption: it could be otherwise. One without is a convention of
the count.
"""

from certify import library
from certify.model.source import Source, Statement


def convention(
    statement_id: str, source: Source, words: str = "", **values: str | int
) -> Statement:
    """Return a statement of the count; its words are found by ``words``, or else by its id."""
    entry = library.words("assumptions")[words or statement_id]
    return Statement(
        id=statement_id,
        text=entry["text"].format(**values),
        source=source,
        effect=entry.get("effect"),
    )


def load_words(name: str) -> str:
    """Return words to insert into a statement."""
    return str(library.words("assumptions")[name]["text"])
