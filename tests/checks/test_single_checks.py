from msgspec.structs import replace

from certify.checks.framework import Context, sources
from certify.checks.h_house_ways import idle
from certify.checks.m_main_wagers import main_wager_missing
from certify.checks.r_jurisdictions.packs import parameters_fit
from certify.model.game import Game, JokerRule, Wager
from certify.model.house_way import (
    AuditedInGame,
    HouseWayAudit,
    HouseWayProblem,
    ProblemKind,
    RuleUse,
)
from tests.catalog import catalog

GAME = "dealer-open-pai-gow"


def places(**wagers: Wager | None) -> list[tuple[str, str]]:
    """Return the pointers of findings on a missing main wager, with other wagers by their ids."""
    game: Game = catalog().games[GAME]
    replaced = [wagers.get(wager.id, wager) for wager in game.wagers]
    changed = replace(game, wagers=tuple(wager for wager in replaced if wager is not None))
    documents = {key: value for key, value in catalog().documents.items() if key != f"{GAME}/main"}
    judged = replace(catalog(), games={GAME: changed}, documents=documents)
    return [(item.file, item.pointer) for item in main_wager_missing(Context(judged))]


def test_a_game_is_filed_with_an_option_of_its_main_wager() -> None:
    main = next(wager for wager in catalog().games[GAME].wagers if wager.id == "main")
    (said,) = main.options[0].assumptions[:1]
    assert places() == []
    assert places(main=replace(main, absent=said)) == []
    assert places(main=replace(main, options=(), absent=said)) == [(f"{GAME}/main", "/absent")]
    game = catalog().documents[GAME].path
    assert places(main=None) == [(game, "/wagers")]


def build_audit(way: str, *idle_rules: str, faulty: bool = False) -> AuditedInGame:
    problem = HouseWayProblem(kind=ProblemKind.FOUL, ids=(), message="It fouls.", remedy="")
    uses = tuple(
        RuleUse(rule=rule.id, decided=int(rule.id not in idle_rules), sent=0, example=None)
        for rule in catalog().house_ways[way].rules
    )
    audit = HouseWayAudit(house_way=way, hands=1, uses=uses, problems=(problem,) * faulty)
    return AuditedInGame(game=GAME, joker=JokerRule.BUG, own_joker=True, audit=audit)


def test_a_rule_is_idle_where_no_game_and_no_joker_rule_needs_it() -> None:
    """Of a house way with problems nothing is said; of those after it all is."""
    faulty, way, other = list(catalog().house_ways)[:3]
    first, second = (rule.id for rule in catalog().house_ways[way].rules[:2])
    alone = catalog().house_ways[other].rules[0].id
    audits = (
        build_audit(faulty, catalog().house_ways[faulty].rules[0].id, faulty=True),
        build_audit(way, first, second),
        build_audit(way, second),
        build_audit(other, alone),
    )
    messages = [finding.message for finding in idle(Context(catalog(), house_ways=audits))]
    assert messages == [f"No hand needs the rule {rule}." for rule in (second, alone)]


def test_the_source_of_every_printed_figure_is_checked() -> None:
    """The counts are those of the files: no figure can name an unknown document."""
    walked = [at.key for _, at in sources(catalog()) if at.key.endswith("/published")]
    for game in catalog().published:
        record = catalog().documents[f"{game}/published"].value
        assert walked.count(f"{game}/published") == len(record["figures"])
    assert walked


def test_the_texts_of_the_shipped_rules_have_the_parameters_of_their_tests() -> None:
    """WAC 230-15-040 first knew the number of games, and only later those above an amount."""
    games = next(rule for rule in catalog().jurisdictions["wsgc"].rules if rule.id == "WA-GAMES-1")
    assert [len(text.parameters) for text in games.versions] == [1, 3]
    assert not list(parameters_fit(Context(catalog())))
