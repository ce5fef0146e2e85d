"""Tasks of a sweep and their rows."""

import hashlib
import json
from collections.abc import Mapping
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, replace

from certify import __version__, library
from certify.checks.framework import Context
from certify.checks.r_jurisdictions.judge import against_filing, judge
from certify.engine.count_cache import source_digest
from certify.errors import NotConfigured
from certify.figures.alternatives import read_otherwise
from certify.figures.evaluate import Settings, apply_joker_rule, evaluate, list_inputs
from certify.figures.play import Play, least_limits, refuse_unsound
from certify.figures.targets import (
    Selection,
    load_catalog,
    lookup,
    refuse_errors_on,
    review_whole,
    select,
)
from certify.formatting import json_exact, json_percent
from certify.intake.layout import list_deciding
from certify.model.analysis import Analysis, LimitAnalysis
from certify.model.catalog import EVENT_FILES, Catalog
from certify.model.comparison import Standing
from certify.model.finding import Finding
from certify.model.game import Game, JokerRule, Strategy
from certify.model.main_wager import MainWager
from certify.model.submission import Filing, Order


class Task(Struct, frozen=True, kw_only=True, order=True):
    """One figure to compute. What is empty, or 0, is as the game declares it.

    ``player`` is how the player of a main wager sets: a strategy, or the id of a house way.
    ``reading`` is another reading of the game's rules or of the dealer's house way, and
    ``jurisdiction`` the state by whose rules the figure is judged; empty for none.
    """

    target: str
    house_way: str = ""
    player: str = ""
    joker: str = ""
    seats: int = 0
    reading: str = ""
    jurisdiction: str = ""

    @property
    def settings(self) -> dict[str, str | int]:
        """The task as JSON, by which it is sent to a worker."""
        return asdict(self)

    @property
    def evaluation_settings(self) -> Settings:
        """The settings of an evaluation for the task."""
        return Settings(
            joker=JokerRule(self.joker) if self.joker else None, players=self.seats or None
        )


@cache
def everything() -> Catalog:
    """Return all that is declared, read once in a process."""
    return load_catalog()


@lru_cache(maxsize=8)
def review_game(game: str) -> tuple[Mapping[str, Selection], tuple[Finding, ...]]:
    """Return the options and paytables of a game by target, and the findings in its files."""
    whole = select(game, whole=True)
    entries = {
        record.target: replace(whole, records=((wager, record),)) for wager, record in whole.records
    }
    return entries, review_whole(whole)


@cache
def select_record(target: str) -> Selection:
    """Return the option or paytable of a task, with the files that it depends on.

    Raises:
        NotConfigured: nothing has that id.
        Unfit: a file that the figures of the target depend on has errors.
    """
    entries, findings = review_game(target.partition("/")[0])
    selection = lookup("paytable", target, entries)
    refuse_errors_on(selection, findings)
    return selection


@lru_cache(maxsize=256)
def select_interpretation(target: str, house_way: str = "", reading: str = "") -> Selection:
    """Return the option or paytable of a task in the whole catalog, under one interpretation.

    Args:
        target: the option or paytable.
        house_way: the dealer's house way, whose interpretations are included with the game's; empty
            for the game's own.
        reading: the id of another interpretation; empty for the declared one.

    Raises:
        NotConfigured: no interpretation or more than one of that id applies to the target.
        Unfit: the interpretation cannot be applied.
    """
    of_file, catalog = select_record(target), everything()
    game = catalog.games[of_file.game.id]
    selection = Selection(catalog=catalog, game=game, records=of_file.records)
    if not reading:
        return selection
    others = list(read_otherwise(selection, house_way or game.house_way, only=(reading,)))
    if len(others) != 1:
        raise NotConfigured(
            f"{len(others) or 'No'} interpretations {reading!r} apply to {target}.",
            remedy="Give each interpretation of the game and of its house way its own id.",
        )
    return others[0][2]


def select_task(task: Task) -> Selection:
    """Return the option or paytable of a task, under its interpretation."""
    return select_interpretation(task.target, task.house_way, task.reading)


def play(task: Task) -> Play | None:
    """Return the play of a main wager; None for a bonus wager.

    Raises:
        NotConfigured: the game does not allow the joker rule.
        Unfit: the interpretation cannot be applied.
    """
    selection = select_task(task)
    ((_, record),) = selection.records
    if not isinstance(record, MainWager):
        return None
    game, ways = (
        apply_joker_rule(selection.game, task.evaluation_settings),
        selection.catalog.house_ways,
    )
    own = task.player if task.player not in set(Strategy) else ""
    return Play(
        option=record,
        game=game,
        house_way=ways[task.house_way or game.house_way],
        strategy=Strategy.HOUSE_WAY if own else Strategy(task.player or game.strategy),
        player=ways[own] if own else None,
    )


def analyze_task(task: Task) -> Analysis:
    """Return the figures that a task asks for.

    Raises:
        NotConfigured: the settings do not fit the target.
        Unfit: a house way leaves a hand open, or a reading cannot be applied.
    """
    selection, played = select_task(task), play(task)
    if played is None:
        (analysis,) = evaluate(selection, task.evaluation_settings)
        return analysis
    for way in (played.house_way, played.player or played.house_way):
        refuse_unsound(selection.catalog, played.game, way)
    # Counts by the declared house way are cached; an interpretation changes few of its hands.
    declared = everything().house_ways.get(everything().games[played.game.id].house_way)
    known = replace(played, house_way=declared, player=None) if declared else None
    return played.evaluate(base=known)


def digest(task: Task) -> str:
    """Return the digest of all inputs of a task's figure: rules, files, code, version.

    Another reading and the rules of a state can rest on every file of the game, and on code outside
    the engine.
    """
    declared_as, read = select_record(task.target), select_task(task)
    beyond = bool(task.reading or task.jurisdiction)
    ways = {task.house_way, task.player, *_ways(declared_as.game), *_ways(read.game)}
    keys = [*list_files(read.game.id if beyond else task.target.rpartition("/")[0]), task.target]
    keys += [f"house-ways/{way}" for way in ways]
    if task.reading:
        keys += [f"alternatives/{owner}" for owner in (read.game.id, *ways)]
    if task.jurisdiction:
        keys += [f"jurisdictions/{task.jurisdiction}"]
    inputs = list_inputs(everything(), (*EVENT_FILES, *keys))
    state = {
        "task": task.settings,
        "inputs": [[file.path, file.sha256] for file in inputs],
        "code": [__version__, library.build_sha256() if beyond else source_digest()],
    }
    return hashlib.sha256(json.dumps(state, sort_keys=True).encode()).hexdigest()


@cache
def list_files(target: str) -> tuple[str, ...]:
    """Return the keys of the files of a whole game, or of those that all entries of a wager need.

    All options of a main wager are counted in one pass.
    """
    game, _, wager = target.partition("/")
    own = (key for key in everything().documents if key.partition("/")[0] == game)
    if not wager:
        return tuple(own)
    options = {option.target for option in everything().games[game].options}
    needed = list_deciding(own, {f"{target}/", *options} if wager == "main" else {f"{target}/"})
    return tuple(needed)


def forget() -> None:
    """Let the next task read the project again, since its files may have changed."""
    for reader in (everything, list_files, review_game, select_record, select_interpretation):
        reader.cache_clear()


def _ways(game: Game) -> tuple[str, ...]:
    return (game.house_way, *game.house_ways)


Row = Mapping[str, str | int | bool | None]

RULES = {
    "rules_not_satisfied": (Standing.NOT_SATISFIED,),
    "rules_to_be_settled": (Standing.TO_BE_SETTLED,),
    "rules_open": (Standing.BY_PEOPLE, Standing.UNVERIFIED),
}
"""The columns that list rules of a state, and what came of these."""

COLUMNS = {
    "readings": ("reading", "fixed_return", "fixed_return_percent"),
    "jurisdictions": (
        "jurisdiction",
        "payout_limit_cents",
        "payout_limit_wager_cents",
        "payout_limit_cuts_more_above",
        "payout_limit_cost",
        "payout_limit_cost_percent",
        "house_edge_with_payout_limit",
        "house_edge_with_payout_limit_percent",
        "rule_codes",
        *RULES,
    ),
}
"""The columns that a table has only where its grid lists what they are about."""


def run(settings: dict[str, Any]) -> dict[str, Any]:
    """Compute one figure, in any process; the result has the digest of its inputs.

    Raises:
        NotConfigured: the settings do not fit the target.
        Unfit: a house way leaves a hand open, or a reading cannot be applied.
    """
    task = Task(**settings)
    return {"digest": digest(task), "row": build_row(task, analyze_task(task))}


def build_row(task: Task, analysis: Analysis) -> Row:
    """Return the row of a task with every column; figures are exact, and also in percent.

    A figure is None if it depends on a meter or does not apply.
    """
    progressive, limit = analysis.progressive, None
    edges = analysis.envy.house_edge_by_players if analysis.envy is not None else {}
    judged: dict[str, str | None] = dict.fromkeys(("rule_codes", *RULES))
    if task.jurisdiction:
        filed = _file_alone(task, analysis)
        limit, judged = least_limits(filed).get(analysis.target), _judge_filing(filed)
    return {
        **task.settings,
        **_figure("house_edge", analysis.house_edge),
        **_figure("house_edge_with_envy", edges.get(task.seats)),
        **_figure("hit_frequency", analysis.hit_frequency),
        **_figure("fixed_return", progressive.fixed_return if progressive is not None else None),
        **_least_limit(limit, analysis.house_edge),
        **judged,
    }


def pick_columns(row: Row, listed: Mapping[str, object]) -> Row:
    """Return the columns of a row that a grid has, in their order."""
    absent = {name for axis, names in COLUMNS.items() if axis not in listed for name in names}
    return {name: value for name, value in row.items() if name not in absent}


def _figure(name: str, value: Fraction | None) -> dict[str, str | None]:
    if value is None:
        return {name: None, f"{name}_percent": None}
    return {name: json_exact(value), f"{name}_percent": json_percent(value)}


def _least_limit(limit: LimitAnalysis | None, edge: Fraction | None) -> Row:
    """Return the least limit on payouts, and its figures at the greatest wager that decides."""
    amount = limit.amounts[-1] if limit is not None and limit.amounts else None
    cost = amount.cost if amount is not None else Fraction(0)
    return {
        "payout_limit_cents": limit.limits[0].cents if limit is not None else None,
        "payout_limit_wager_cents": amount.wager_cents if amount is not None else None,
        "payout_limit_cuts_more_above": limit.open if limit is not None else None,
        **_figure("payout_limit_cost", cost if limit is not None else None),
        **_figure(
            "house_edge_with_payout_limit",
            edge + cost if limit is not None and edge is not None else None,
        ),
    }


def _file_alone(task: Task, analysis: Analysis) -> Filing:
    """Return the record as if it were filed alone on the day of the game's revision.

    A bonus paytable is submitted with the first option of the main wager. No table terms are
    declared.
    """
    selection = select_task(task)
    ((_, record),) = selection.records
    game = apply_joker_rule(selection.game, task.evaluation_settings)
    return Filing(
        order=Order(game=game.id, jurisdiction=task.jurisdiction),
        game=game,
        main=record if isinstance(record, MainWager) else next(iter(game.options), None),
        paytables=() if isinstance(record, MainWager) else (record,),
        analyses={analysis.target: analysis},
        jurisdiction=everything().jurisdictions[task.jurisdiction],
    )


def _judge_filing(filed: Filing) -> dict[str, str | None]:
    """Return the finding codes that a submission would give, and the rules by verdict."""
    findings = against_filing(Context(everything(), filed.analyses, filing=filed))
    judgements = [judged.judgement for judged in judge(filed)]
    return {
        "rule_codes": "; ".join(sorted({finding.code for finding in findings})),
        **{
            column: "; ".join(each.rule.id for each in judgements if each.standing in standings)
            for column, standings in RULES.items()
        },
    }
