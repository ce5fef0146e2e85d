"""Reference pages of the library: jurisdictions, games and house ways."""

from collections.abc import Iterable, Iterator

from certify.figures.evaluate import evaluate_each
from certify.figures.play import declared_play
from certify.figures.stored_plays import find_analysis
from certify.formatting import percentage
from certify.intake.read import read_catalog
from certify.library import paytables
from certify.model.catalog import Catalog
from certify.model.game import Game
from certify.model.house_way import HouseWay
from certify.model.jurisdiction import Bearer, Confidence, Jurisdiction, RuleVersion

GRADES = {
    Confidence.VERIFIED_TEXT: "official text",
    Confidence.REPRODUCTION: "copy by another publisher",
    Confidence.PROPOSAL: "proposed text",
    Confidence.SECONDARY: "earlier text, summary or title",
}

SUPPLIED = {
    Bearer.OURS: "certify, from the declared files",
    Bearer.THEIRS: "supplier or casino",
    Bearer.LABORATORY: "laboratory",
}


def library_pages() -> dict[str, str]:
    """Return the page of each jurisdiction and of each game, and the page of all house ways."""
    catalog, _ = read_catalog(paytables())
    return {
        "jurisdictions/README.md": _list_pages(
            "Jurisdictions",
            "The rules, the checklist and the deadlines of each jurisdiction in the library.",
            ((state.id, state.name) for state in catalog.jurisdictions.values()),
        ),
        **{
            f"jurisdictions/{state.id}.md": _describe_jurisdiction(state)
            for state in catalog.jurisdictions.values()
        },
        "games/README.md": _list_pages(
            "Games",
            "The wagers and house edges of each game in the library.",
            ((game.id, game.name) for game in catalog.games.values()),
        ),
        **{f"games/{game.id}.md": _describe_game(catalog, game) for game in catalog.games.values()},
        "house-ways.md": _describe_house_ways(catalog.house_ways.values()),
    }


def _list_pages(title: str, text: str, entries: Iterable[tuple[str, str]]) -> str:
    listed = dict(entries)
    names = "\n".join(f"- [{name}]({file}.md)" for file, name in listed.items())
    files = "\n".join(listed)
    return f"# {title}\n\n{text}\n\n{names}\n\n```{{toctree}}\n:hidden:\n\n{files}\n```\n"


def _table(head: str, rows: Iterable[Iterable[str]]) -> str:
    """Return a table; ``head`` lists its columns, separated by commas."""
    columns = head.split(", ")
    lines = (
        "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in row) + " |"
        for row in rows
    )
    return "\n".join([f"| {' | '.join(columns)} |", "|---" * len(columns) + "|", *lines]) + "\n"


def _describe_jurisdiction(state: Jurisdiction) -> str:
    parts = [
        f"# {state.name}\n\nRegulator: {state.regulator}. "
        f"{'The mathematics is filed as confidential.' if state.confidential else ''}\n\n"
        "## Rules\n\n"
        "A rule is judged by its [test](../rule-tests.md); one without a test is left to manual\n"
        "review. Only an official text can satisfy a rule.\n",
        _table(
            "rule, text, in force, citation, grade, read on, test",
            (
                (
                    f"`{rule.id}`",
                    f"**{rule.title}.** {version.text}",
                    _describe_period(version),
                    version.citation,
                    GRADES[version.confidence],
                    str(version.read_on),
                    f"`{rule.test}`" if rule.test else "manual review",
                )
                for rule in state.rules
                for version in rule.versions
            ),
        ),
        "## Checklist\n\nThe items of a submission, and who supplies each.\n",
        _table(
            "item, supplied by, rule",
            (
                (item.text, SUPPLIED[item.bearer], f"`{item.rule}`" if item.rule else "")
                for item in state.checklist
            ),
        ),
    ]
    if state.deadlines:
        parts += [
            "## Deadlines\n",
            _table(
                "deadline, period, citation, grade, read on",
                (
                    (
                        deadline.text,
                        deadline.period,
                        deadline.citation,
                        GRADES[deadline.confidence],
                        str(deadline.read_on),
                    )
                    for deadline in state.deadlines
                ),
            ),
        ]
    return "\n".join(parts)


def _describe_period(version: RuleVersion) -> str:
    first, last = version.effective_from, version.effective_to
    return " ".join([*([f"from {first}"] if first else []), *([f"to {last}"] if last else [])])


def _describe_game(catalog: Catalog, game: Game) -> str:
    deck = game.hands.deck
    facts = (
        ("supplier", game.supplier or "not stated"),
        ("source", game.document.title),
        ("revision", f"{game.revision} of {game.revised}"),
        ("cards of the deck", str(deck.cards)),
        ("house way", f"`{game.house_way}`" if game.house_way else "none"),
    )
    return (
        f"# {game.name}\n\n{_table('fact, value', facts)}\n"
        "`certify evaluate TARGET` computes the figures of a target. The house edge of a main\n"
        "wager is that of its stored verification count, by the game's own house way and\n"
        "strategy. The edge of a progressive wager depends on its meters.\n\n"
        + _table("target, wager, house edge", _list_edges(catalog, game))
    )


def _list_edges(catalog: Catalog, game: Game) -> Iterator[tuple[str, str, str]]:
    analyses, _ = evaluate_each(catalog, game.paytables)
    for wager in game.wagers:
        for option in wager.options:
            play = declared_play(option, game, catalog)
            counted = find_analysis(catalog, play) if play else None
            edge = counted.house_edge if counted else None
            yield f"`{option.target}`", wager.name, percentage(edge) if edge else "not counted"
        for paytable in wager.paytables:
            edge = analyses[paytable.target].house_edge
            shown = "depends on meters" if edge is None else percentage(edge)
            yield f"`{paytable.target}`", wager.name, shown
        if wager.absent:
            yield f"`{game.id}/{wager.id}`", wager.name, "no paytable in the source"


def _describe_house_ways(house_ways: Iterable[HouseWay]) -> str:
    return (
        "# House ways\n\n"
        "The house ways of the library. `certify explain GAME HAND --house-way ID` shows how one\n"
        "sets a hand, and by which rule.\n\n"
        + _table(
            "house way, name, hands, source, rules",
            (
                (
                    f"`{way.id}`",
                    way.name,
                    f"{way.cards - way.front} and {way.front} cards",
                    f"{way.source.document}, {way.source.clause}",
                    str(sum(1 + len(section.exceptions) for section in way.sections)),
                )
                for way in house_ways
            ),
        )
    )
