"""Rules of play as they are printed, without counted figures, and the numbers of their rules."""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import astuple, replace

from certify import __version__, library
from certify.figures.evaluate import resolve_house_way
from certify.figures.targets import Selection
from certify.filing.declared import Values, split_sentences
from certify.filing.order import merge_side_tables
from certify.intake.files import own_templates
from certify.model.analysis import Analysis, Census
from certify.model.catalog import Catalog
from certify.model.comparison import ValueChange
from certify.model.game import Game
from certify.model.jurisdiction import Jurisdiction
from certify.model.submission import Filing, Order, Status, Submission
from certify.report.rules.numbering import PrintedRule
from certify.report.rules.view import rules_view


def lay_out_rules(
    catalog: Catalog,
    analyses: Mapping[str, Analysis],
    game: Game,
    jurisdiction: Jurisdiction,
    option: str = "",
) -> Submission:
    """Return a submission of the rules of play of a whole game, without counted figures.

    ``option`` is the id of the printed option of the main wager; the first if there is none.
    """
    catalog = merge_side_tables(catalog, game)
    game = catalog.games[game.id]
    options = sorted(game.options, key=lambda main: main.id != option)
    return Submission(
        templates=own_templates(library.layers()),
        order=Order(game=game.id, jurisdiction=jurisdiction.id),
        catalog=catalog,
        game=game,
        jurisdiction=jurisdiction,
        way=resolve_house_way(catalog, game, None) if game.house_way else None,
        main=next(iter(options), None),
        paytables=game.paytables,
        analyses=analyses,
        frequencies=Census(features=(), cards=game.hands.shape.cards, total=0, cells={}),
        examples=(),
        figures=(),
        rules=(),
        crosschecks=(),
        checklist=(),
        findings=(),
        engine_version=__version__,
        evidence_sha256="",
        status=Status.UNSIGNED,
    )


def find_numbers(submission: Submission) -> dict[str, str]:
    """Return the number that each sentence has in print, such as ``3.2``, by its text."""
    return {rule.text: rule.number for rule in _rules(rules_view(submission)["sections"])}


def number_rules(
    selection: Selection, jurisdiction: Jurisdiction, filing: Filing | None = None
) -> dict[str, str]:
    """Return the number that each sentence has in the rules of play for a jurisdiction, by text.

    Those of a filing have its option, paytables and terms.
    """
    submission = lay_out_rules(selection.catalog, {}, selection.game, jurisdiction)
    if filing is not None:
        submission = replace(
            submission, main=filing.main, paytables=filing.paytables, terms=filing.terms
        )
    return find_numbers(submission)


def number_sentences(printed: Mapping[str, str], values: Values) -> dict[tuple[str, str], str]:
    """Return the numbers of the printed sentences of some files, by file and id."""
    return {
        (name, key): printed[sentence["text"]]
        for name, value in values.items()
        for key, sentence in split_sentences(value).items()
        if key and sentence["text"] in printed
    }


def number_change(
    change: ValueChange,
    before: Mapping[tuple[str, str], str],
    after: Mapping[tuple[str, str], str],
) -> ValueChange:
    """Return a change with the new number of the rule that prints it, or else with the old one."""
    key = (change.file, change.path.partition("/")[0])
    return replace(change, rule=after.get(key) or before.get(key) or "")


def _rules(value: Any) -> Iterator[PrintedRule]:  # noqa: ANN401 - what a template prints
    if isinstance(value, PrintedRule):
        yield value
    if isinstance(value, dict):
        value = tuple(value.values())
    elif isinstance(value, Struct):
        value = astuple(value)
    if isinstance(value, tuple | list):
        for part in value:
            yield from _rules(part)
