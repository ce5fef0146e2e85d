"""Submissions of the declared games, counted for one hand; the main wager's figures are made up."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from msgspec.structs import replace

from certify.figures.evaluate import evaluate_each, resolve_house_way
from certify.figures.play import limit_analyses
from certify.filing.documents import build_examples, frequencies
from certify.filing.order import build_filing
from certify.model.analysis import Analysis, HouseWayUse, MainAnalysis, RowAnalysis
from certify.model.game import Strategy, Wager
from certify.model.jurisdiction import Terms
from certify.model.main_wager import MainWager, Outcome, OutcomeReason
from certify.model.paytable import Paytable
from certify.model.submission import Filing, Order, Status, Submission
from tests.documented_games import GAMES

Make = Callable[..., Submission]


def layout_analysis(
    option: MainWager, filing: Filing, *, strategy: Strategy = Strategy.OPTIMAL, win: int = 29
) -> Analysis:
    """Return figures of the main wager with small numbers: they only show where figures go."""
    way = resolve_house_way(filing.catalog, filing.game, None)
    counts = {"win": win, "push": 40, "lose": 60 - win}
    nets = {"win": Fraction(19, 20), "push": Fraction(0), "lose": Fraction(-1)}
    rows = tuple(
        RowAnalysis(
            event=name,
            name=f"Outcome {name}",
            pays="1 to 1" if name == "win" else name,
            combinations=count,
            probability=Fraction(count, 100),
            contribution=Fraction(count, 100) * nets[name],
            reason=OutcomeReason(outcome=Outcome(name)),
        )
        for name, count in counts.items()
    )
    edge = -sum((row.contribution for row in rows), Fraction(0))
    return Analysis(
        target=option.target,
        game=option.game,
        wager=option.wager,
        paytable=option.id,
        total=100,
        rows=rows,
        hit_frequency=Fraction(win, 100),
        assumptions=option.assumptions,
        inputs=(),
        engine_version="0",
        house_edge=edge,
        return_to_player=1 - edge,
        variance=Fraction(1, 2),
        top_award=option.net_of_a_win(None) / (1 + option.posted_amount),
        main=MainAnalysis(
            outcomes=counts,
            house_way=way.id,
            strategy=strategy,
            dealer_rule_hands=tuple(
                HouseWayUse(rule=rule.id, hands=number) for number, rule in enumerate(way.rules)
            ),
        ),
    )


@cache
def whole(
    game: str, jurisdiction: str, paytables: tuple[str, ...] = (), folder: Path | None = None
) -> Submission:
    """Return a submission of the built-in records, or of those of ``folder``."""
    filing = build_filing(
        Order(game=game, jurisdiction=jurisdiction, paytables=paytables),
        *((folder,) if folder else ()),
    )
    way = resolve_house_way(filing.catalog, filing.game, None)
    options = [option for wager in filing.game.wagers for option in wager.options]
    analyses = evaluate_each(filing.catalog, filing.paytables)[0]
    analyses |= {option.target: layout_analysis(option, filing) for option in filing.options}
    return Submission(
        **replace(filing, analyses=analyses, examples=build_examples(filing, way)).parts,
        way=way,
        frequencies=frequencies(filing),
        figures=(),
        rules=(),
        crosschecks=(),
        checklist=(),
        findings=(),
        engine_version="0",
        evidence_sha256="0" * 64,
        status=Status.UNSIGNED,
        comparison=tuple(
            layout_analysis(option, filing, strategy=strategy, win=win)
            for strategy, win in ((Strategy.OPTIMAL, 29), (Strategy.HOUSE_WAY, 25))
            for option in filing.options
        ),
        other_options=tuple(
            layout_analysis(option, filing) for option in options if option not in filing.options
        ),
    )


@pytest.fixture(scope="session")
def make() -> Make:
    """Return a maker of submissions: game, jurisdiction, paytables, and fields to replace."""

    def made(
        game: str, jurisdiction: str, paytables: tuple[str, ...] = (), **changes: object
    ) -> Submission:
        submission = whole(game, jurisdiction, paytables)
        return replace(submission, **changes) if changes else submission

    return made


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> str:
    """Each declared game in turn."""
    return str(request.param)


@pytest.fixture(params=("nevada", "wsgc"))
def jurisdiction(request: pytest.FixtureRequest) -> str:
    """Each jurisdiction in turn."""
    return str(request.param)


@pytest.fixture(scope="session")
def limit(make: Make) -> Callable[..., Submission]:
    def limited(
        game: str, jurisdiction: str, terms: Terms, paytables: tuple[str, ...] = ()
    ) -> Submission:
        whole = make(game, jurisdiction, paytables)
        records: list[tuple[Wager, Paytable | MainWager]] = []
        for wager in whole.game.wagers:
            records += [
                (wager, option) for option in wager.options if option.target in whole.analyses
            ]
            records += [
                (wager, paytable)
                for paytable in wager.paytables
                if paytable.target in whole.analyses
            ]
        found = limit_analyses(
            records,
            [whole.analyses[record.target] for _, record in records],
            terms=terms,
            lawful_cents=whole.wager_limit_cents,
            seats=whole.game.players,
        )
        return replace(whole, terms=terms, analyses={item.target: item for item in found})

    return limited
