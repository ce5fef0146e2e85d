"""Claims of completeness in a document are derived, or the claim is not printed."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from certify.figures.alternatives import with_alternatives
from certify.figures.evaluate import Settings, evaluate
from certify.figures.targets import Selection, load_catalog
from certify.intake.workspace import apply_interpretation
from certify.model.analysis import Analysis
from certify.model.main_wager import MainWager
from certify.model.paytable import Paytable
from certify.report.mathematics.filed import assumptions, conventions, readings
from certify.report.mathematics.view import PRICED, summary
from tests.documented_games import GAMES
from tests.report.conftest import whole

ROOT = Path(__file__).parents[2]
CLAIMS: dict[str, str] = json.loads((Path(__file__).parent / "claims.json").read_text())
COMPLETE = re.compile(
    r"\b(every|all|each(?! other('s)?\b)|only|alone|none|nothing|no other|complete|completely"
    r"|always|never|exactly)\b",
    re.IGNORECASE,
)
OURS = re.compile(
    r"\b(figures?|counted|computed|recomputed|edges?|report|document|section|filed|filing|declared"
    r"|evidence|submission|interpretations?|readings?|assumed|assumptions?|these rules|certify)\b",
    re.IGNORECASE,
)
"""Words of this work. A rule says how a game is played and needs none of them."""

STATEMENTS = (
    "mathematics.html.j2", "mathematics/*.j2", "letter.html.j2", "diff.html.j2",
    "application.html.j2", "application/*.j2",
    "plain/*.j2", "parts/*.j2", "words/*.json", "kit/README.txt",
)  # fmt: skip
"""What speaks of figures and documents: a word of completeness makes a claim."""

RULES = ("rules.html.j2", "rules/*.j2", "words/assumptions.json")
"""Rules of play, and of a count: a claim needs a word of this work, too."""

NOT_PRINTED = {
    "id", "of", "path", "before", "replaces", "section", "clause", "reconstructed", "sources",
    "base", "source", "quote",
}  # fmt: skip
"""Fields of the data that name something, or say where it is written."""


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text, and the parts of a sentence between semicolons or colons."""
    for line in text.splitlines():
        for sentence in re.split(r"(?<=[.;:]) ", " ".join(line.split())):
            yield sentence.strip()


def split_template(template: str) -> Iterator[str]:
    """Yield the sentences of a template, a value written … and a tag or a command left out."""
    text = re.sub(r"\{#.*?#\}|<(pre|code)\b.*?</\1>", "", template, flags=re.DOTALL)
    text = re.sub(r"\{%-?\s*(macro|endmacro|set|import|include|for|endfor)\b.*?%\}", "\n", text)
    text = re.sub(r"\{\{.*?\}\}", "…", re.sub(r"\{%.*?%\}", " ", text), flags=re.DOTALL)
    text = re.sub(r"</?(p|h\d|caption|t[hdr]|li|thead|tbody|table|ul|section)\b[^>]*>", "\n", text)
    yield from sentences(re.sub(r"<[^>]*>", "", text).replace("&nbsp;", " "))


def list_texts(value: object) -> Iterator[str]:
    """Yield the texts of a JSON value that documents print."""
    if isinstance(value, str):
        yield from sentences(value)
    for name, inner in value.items() if isinstance(value, dict) else ():
        if name not in NOT_PRINTED:
            yield from list_texts(inner)
    for inner in value if isinstance(value, list) else ():
        yield from list_texts(inner)


def read_sentences(path: Path) -> Iterator[str]:
    """Yield the sentences of a template, a file of words, a record or a text."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".json":
        yield from list_texts(json.loads(text))
    elif path.suffix == ".txt":
        yield from sentences(re.sub(r"\n(?=[ ]*[^\s*])", " ", text))
    else:
        yield from split_template(text)


def records() -> Iterator[Path]:
    """Yield the declared records whose texts documents print."""
    for path in sorted((ROOT / "paytables").rglob("*.json")):
        if path.stem not in {"discrepancies", "second-counts"}:
            yield path


def decisions() -> Iterator[tuple[Path, str]]:
    """Yield the decisions on open questions, where the report prints them with an alternative."""
    texts = [path.read_text() for path in (ROOT / "paytables/alternatives").glob("*.json")]
    answered = {
        name
        for alternatives in map(json.loads, texts)
        for alternative in alternatives["alternatives"]
        for name in alternative["of"]
    }
    for path in sorted((ROOT / "paytables").glob("*/discrepancies.json")):
        for case in json.loads(path.read_text(encoding="utf-8"))["discrepancies"]:
            if case["id"] in answered:
                yield from ((path, sentence) for sentence in sentences(case["resolution"]))


def claims_printed() -> dict[str, str]:
    """Return the sentences that claim completeness, each with its file."""
    found = {}
    rules = {path for pattern in RULES for path in (ROOT / "templates").glob(pattern)}
    others = {path for pattern in STATEMENTS for path in (ROOT / "templates").glob(pattern)}
    others.discard(ROOT / "templates" / "words" / "import.json")  # words of vendors, which it reads
    printed = [
        (path, each)
        for path in (*sorted(rules | others), *records())
        for each in read_sentences(path)
    ]
    for path, sentence in (*printed, *decisions()):
        if COMPLETE.search(sentence) and (path in others - rules or OURS.search(sentence)):
            found[sentence] = path.relative_to(ROOT).as_posix()
    return found


def test_each_claim_of_completeness_is_derived() -> None:
    """A claim that no test derives is not printed; one that is not printed has no entry."""
    found = claims_printed()
    assert {name: found[name] for name in found.keys() - CLAIMS.keys()} == {}
    assert CLAIMS.keys() - found.keys() == set()


def test_each_claim_names_a_test_that_is_there() -> None:
    for sentence, derived in CLAIMS.items():
        path, _, name = derived.partition("::")
        assert f"def {name}(" in (ROOT / path).read_text(encoding="utf-8"), sentence


@pytest.mark.parametrize("game", GAMES)
def test_a_convention_of_every_wager_holds_for_each_of_their_paytables(game: str) -> None:
    submission = whole(game, "nevada")
    counted = [
        (wager, submission.analyses[target])
        for wager in submission.game.wagers
        for target in [each.target for each in (wager.options or wager.paytables)]
        if target in submission.analyses
    ]
    for convention in conventions(submission, counted):
        bound = [
            analysis
            for wager, analysis in counted
            if convention["every"] or (convention["bonus"] and not wager.options)
        ]
        for analysis in bound:
            texts = [statement.text for statement in analysis.assumptions]
            assert convention["text"] in texts, (analysis.target, convention["text"])


def bonus(game: str) -> Selection:
    """Return all paytables of a game."""
    catalog = load_catalog()
    held = catalog.games[game]
    records: list[tuple[object, Paytable | MainWager]] = []
    for wager in held.wagers:
        records += [(wager, table) for table in wager.paytables]
    return Selection(catalog=catalog, game=held, records=tuple(records))  # type: ignore[arg-type]


def figures(analysis: Analysis) -> tuple[object, ...]:
    """Return the figures of the table of interpretations: edges, and the return of fixed pays."""
    envy = analysis.envy.house_edge_by_players if analysis.envy else None
    fixed = analysis.progressive.fixed_return if analysis.progressive else None
    return analysis.house_edge, envy and envy[max(envy)], fixed


@pytest.mark.parametrize("game", GAMES)
def test_the_table_of_interpretations_has_each_that_changes_a_figure(game: str) -> None:
    """Each declared alternative is applied and evaluated here, whatever records it touches."""
    selection = bonus(game)
    filed = {each.target: each for each in evaluate(selection, Settings())}
    moved = set()
    for alternative in selection.catalog.alternatives[game].alternatives:
        other = apply_interpretation(selection.catalog, game, alternative)
        of_wager = {each.id: each for each in other.games[game].wagers}
        records = tuple(
            (of_wager[wager.id], next(t for t in of_wager[wager.id].paytables if t.id == table.id))
            for wager, table in selection.records
        )
        again = Selection(catalog=other, game=other.games[game], records=records)
        for analysis in evaluate(again, Settings()):
            if figures(analysis) != figures(filed[analysis.target]):
                moved.add(alternative.id)
    analyses = with_alternatives(selection, Settings(), filed)
    submission = replace(whole(game, "nevada"), analyses=analyses)
    counted = [(wager, analyses[record.target]) for wager, record in selection.records]
    listed = readings(submission, counted, {})
    known = {each.id: each for each in selection.catalog.alternatives[game].alternatives}
    assert {each["text"] for each in listed} == {known[name].text for name in moved}
    greatest = [each["moves"][0].greatest for each in listed]
    assert greatest == sorted(greatest, reverse=True)
    assert summary(submission, (), listed)["readings"] == listed[:PRICED]
    # What no alternative answers is among the other assumptions.
    rest = {statement.id for statement, *_ in assumptions(submission, listed, {})}
    answered = {name for each in listed for name in each["of"]}
    stated = [*submission.filter_statements(submission.assumptions)]
    assert {s.id for s in stated if s.effect is not None} <= rest | answered


def test_the_joker_comes_first_among_the_interpretations() -> None:
    """Its change of Ace-High Insurance 02, 26.98 points, is the largest of the Nevada filing."""
    selection = bonus("emperors-challenge-exposed")
    filed = {each.target: each for each in evaluate(selection, Settings())}
    analyses = with_alternatives(selection, Settings(), filed)
    submission = replace(whole("emperors-challenge-exposed", "nevada"), analyses=analyses)
    counted = [(wager, analyses[record.target]) for wager, record in selection.records]
    first = readings(submission, counted, {})[0]
    assert "always an ace" in first["text"]
    assert any("completes a straight" in text for text in first["filed"])


NOTHING = re.compile(r"^(None\b|No figure changes)|No bonus wager changes")


@pytest.mark.parametrize("game", GAMES)
def test_an_effect_declared_as_none_is_none(game: str) -> None:
    """“No figure changes”, “None” and “No bonus wager changes” are said where nothing moves."""
    selection = bonus(game)
    effects = [(each.id, each.effect or "") for each in selection.game.assumptions]
    effects += [(each.id, each.effect) for each in selection.catalog.discrepancies[game]]
    said = {name for name, effect in effects if NOTHING.search(effect)}
    filed = {each.target: each for each in evaluate(selection, Settings())}
    analyses = with_alternatives(selection, Settings(), filed)
    for _, record in selection.records:
        own = {each.id for each in record.assumptions if NOTHING.search(each.effect or "")}
        for price in analyses[record.target].alternatives:
            assert not (said | own) & set(price.alternative.of), (record.target, price.alternative)


CONDITIONAL = re.compile(r"\b(If|would|Read as|As for)\b")
FIGURE = re.compile(r"\d%|percentage points")
NOT_COUNTED = {
    "luhn-tao-joker": "the vocabulary of events has no A-2-3-4-5 in a hand with the joker",
    "foul-ace-high": "how often players set a foul is not known",
    "envy-pairing": "tables of one number go together; another pairing is one of many",
}
"""Discrepancies whose effect gives a figure that no alternative counts, and why."""


@pytest.mark.parametrize("game", GAMES)
def test_a_discrepancy_that_states_another_figure_is_counted(game: str) -> None:
    catalog = load_catalog()
    counted = {name for each in catalog.alternatives[game].alternatives for name in each.of}
    assumed = {each.id for each in catalog.games[game].assumptions}
    for each in catalog.discrepancies[game]:
        if CONDITIONAL.search(each.effect) and FIGURE.search(each.effect):
            assert each.id in counted | assumed | NOT_COUNTED.keys(), (each.id, each.effect)


def test_no_alternative_contradicts_explicit_words() -> None:
    """Appendix C note 4, Chan Chu's “another participating player”, Mini Pai Gow's I and J."""
    refused = {
        ("emperors-challenge-exposed", "envy-dealer-hand"),
        ("dealer-open-pai-gow", "envy-dealer-hand"),
        ("mini-pai-gow", "four-of-a-kind-notice"),
        ("mini-pai-gow", "community-own-hand"),
    }
    for game, discrepancy in refused:
        for alternative in load_catalog().alternatives[game].alternatives:
            assert discrepancy not in alternative.of
