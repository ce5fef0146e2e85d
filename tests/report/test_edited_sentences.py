"""An edited sentence is printed as one, with what it replaces."""

from msgspec.structs import replace

from certify.checks.d_statements import edited_sentences
from certify.checks.framework import Context
from certify.filing.order import read_built_in
from certify.model.game import Game
from certify.model.source import Statement
from certify.model.submission import Submission
from tests.commands.submissions import read_part
from tests.report.conftest import whole

EXPRESS = "commission-free-pai-gow-express"
FIRST = "dealing.first"
EDITED = "The random number generator of the shuffler decides the number."


def edit(submission: Submission, **changed: str) -> Submission:
    def change(statement: Statement) -> Statement:
        return replace(statement, **changed) if statement.id == FIRST else statement

    sections = tuple(
        replace(section, statements=tuple(map(change, section.statements)))
        for section in submission.game.sections
    )
    game: Game = replace(submission.game, sections=sections)
    games = {**submission.catalog.games, game.id: game}
    return replace(submission, game=game, catalog=replace(submission.catalog, games=games))


def find_edited(submission: Submission) -> list[str]:
    catalog = submission.catalog
    context = Context(catalog, earlier_versions=read_built_in(catalog, catalog.documents))
    return [fault.message for fault in edited_sentences(context)]


def test_an_edited_sentence_is_marked_and_its_clause_is_not_cited_alone() -> None:
    """Rule 3.2 named the random number generator, and the margin still cited clause 7."""
    source = next(
        each
        for section in whole(EXPRESS, "new-jersey").game.sections
        for each in section.statements
        if each.id == FIRST
    )
    edited = edit(whole(EXPRESS, "new-jersey"), text=EDITED, original=source.text)
    assert f"{EDITED} † Edited, in place of: {source.source.clause}" in " ".join(
        read_part(edited, "rules").replace("&nbsp;", " ").split()
    )
    assert f"It replaces: “{source.text}”" in read_part(edited, "mathematics")


def test_an_edited_sentence_that_says_nothing_of_it_is_found() -> None:
    filed = whole(EXPRESS, "new-jersey")
    assert find_edited(filed) == []
    (message,) = find_edited(edit(filed, text=EDITED))
    assert message.startswith("The source (Clauses 7 and 8b) has another sentence")
    assert find_edited(edit(filed, text=EDITED, original="As it was.")) == []
