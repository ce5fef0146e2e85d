"""Terms of own games that the rules of play and the assumptions state as they are counted."""

import json
import shutil
from collections.abc import Callable, Mapping
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from certify import library
from certify.filing.compare_records import Compared, compare_records
from certify.filing.documents import build_submission, count_filing
from certify.filing.order import build_filing
from certify.model.jurisdiction import AggregateLimit, Scope, Terms
from certify.model.paytable import Overflow
from certify.model.submission import Order, Status, Submission
from certify.report.rules.terms import describe_counted
from tests.commands.ante_and_play import SOURCE, ante_and_play
from tests.commands.pair_plus import pair_plus, write_json
from tests.commands.submissions import build_without_counts, compose_part, read_part
from tests.html_documents import parse, read_text
from tests.report.conftest import Make, whole

EMPEROR = "emperors-challenge-exposed"
LOW = {"pai_gow_high": [*"56789T"]}
LOWER = {"pai_gow_high": [*"5678"]}
PAIR = {"of_a_kind": {"min": 2}}


Build = Callable[..., Submission]


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Build:
    """Return a maker of submissions of Ante and Play with other terms; None removes one."""
    monkeypatch.chdir(tmp_path)
    path = ante_and_play(tmp_path) / "main" / "standard.json"
    declared = path.read_text(encoding="utf-8")

    def built(raise_: Mapping[str, Any] | None = None, **changes: object) -> Submission:
        option = json.loads(declared)
        raised = (
            option["raise"] | {"text": "The player may make a Play wager."} | {**(raise_ or {})}
        )
        option |= {"raise": {name: value for name, value in raised.items() if value}} | changes
        option = {name: value for name, value in option.items() if value is not None}
        path.write_text(json.dumps(option), encoding="utf-8")
        return build_without_counts(build_filing(Order(game="trio", jurisdiction="nevada")))

    return built


def state(submission: Submission) -> dict[str, str]:
    """Return the assumptions of the main wager by their ids."""
    return {each.id: each.text for each in submission.comparison[0].assumptions}


def test_contributions_above_a_maximum_are_kept_for_the_seed(make: Make) -> None:
    """As `Overflow` and the schema say; the next meter of the paytable is another meter."""
    submission = make(EMPEROR, "nevada")
    table = next(table for table in submission.paytables if table.progressive is not None)
    assert table.progressive is not None
    meters = tuple(
        replace(meter, cap_cents=5_000_000, overflow=Overflow.NEXT_METER) for meter in table.meters
    )
    other = replace(table, progressive=replace(table.progressive, meters=meters))
    changed = replace(submission, paytables=(other,))
    for printed in (read_part(changed, "rules"), read_part(changed, "mathematics")):
        assert "$50,000" in printed
        assert "kept in a pool that is added to the seed when the meter restarts" in printed
        assert "to the next meter" not in printed


@pytest.mark.parametrize("folds", [True, False])
def test_a_raise_is_no_larger_than_its_hands_allow(build: Build, *, folds: bool) -> None:
    terms = {"largest": "4", "largest_when": PAIR} | ({} if folds else {"fold": None})
    submission = build(raise_=terms)
    text = state(submission)["base-raise"]
    assert "4 times the wager with the hands for which the rules allow it" in text
    assert "at the smallest size with" in text
    printed = read_part(submission, "rules")
    largest = "makes Play whenever it has a positive expected value, at its largest where these"
    assert (largest in printed) == (not folds)
    assert "at its largest whenever" not in printed


def test_a_raise_of_any_size_is_made_at_its_largest(build: Build) -> None:
    submission = build(raise_={"largest": "4", "fold": None})
    assert state(submission)["base-raise"].endswith(
        "is made at 4 times the wager on every hand with a positive expectation."
    )
    assert "makes Play at its largest whenever it has a positive" in read_part(submission, "rules")


RETURNED = {
    # The rule is met by hands that do not qualify, and by no other.
    ("same", "push"): "",
    ("same", "win"): "",
    # Nine high and ten high qualify, and end the round.
    ("more", "push"): "Where a rule on the dealer's hand ends the round before hands are compared, "
    "Play is returned.",
    ("more", "win"): "Where the dealer's hand qualifies for Play but a rule on it ends the round "
    "before hands are compared, Play is returned.",
}


@pytest.mark.parametrize(("rule", "otherwise"), RETURNED)
def test_a_raise_against_a_hand_that_ends_the_round_is_returned(
    build: Build, rule: str, otherwise: str
) -> None:
    qualifies = {"not": LOW if rule == "same" else LOWER}
    ended = {"when": LOW, "outcome": "win", "text": "Ten high loses.", "id": "win_low"}
    source = {"document": "trio", "clause": "Low"}
    submission = build(
        dealer_rules=[ended | {"source": source}],
        raise_={"qualifies": qualifies, "not_qualified": otherwise},
    )
    said = RETURNED[rule, otherwise]
    raised = submission.option.raise_
    assert raised is not None
    counted = " ".join(describe_counted(raised, submission.option, submission))
    assert ("is returned" in counted) == bool(said)
    assert said in counted
    text = state(submission)["base-raise-ended"]
    assert ("returned" in text) == (bool(said) or otherwise == "push")
    (fact,) = (
        fact
        for fact in compare_records(None, Compared(record=submission.option, undivided=3)).facts
        if fact.name == "Raise"
    )
    assert ("; returned if a hand that qualifies ends the round" in fact.after) == bool(said)


PAYS = [
    {"id": "trips", "name": "Trips", "when": {"of_a_kind": 3}, "pays": "4 to 1"},
]
COMPANION = {
    "id": "side", "name": "Side Bet", "size": "1", "text": "A Side Bet equal to the ante is made.",
    "source": SOURCE, "pays": PAYS,
}  # fmt: skip


@pytest.mark.parametrize("cents", [2_000, 100_000])
def test_an_example_pays_no_more_than_the_limit(build: Build, cents: int) -> None:
    """A $10 ante that wins with a straight wins $10, its bonus $10, and the raise $10: $30."""
    limit = AggregateLimit(cents=cents, wagers=("main",), scope=Scope.PLAYER)
    terms = Terms(aggregate_limits=(limit,))
    printed = read_part(replace(build(), terms=terms), "rules")
    assert "Play wins $10. Straight is also paid 1 to 1." in printed
    cut = "Straight is also paid 1 to 1. By the payout limit, at most $20 of this is paid."
    assert (cut in printed) == (cents == 2_000)
    assert ("By the payout limit" in printed) == (cents == 2_000)


def test_a_limit_names_what_is_paid_with_the_main_wager(build: Build) -> None:
    limit = AggregateLimit(cents=100_000, wagers=("main",), scope=Scope.PLAYER)
    terms = Terms(aggregate_limits=(limit,))
    rule = "At most $1,000 is paid at odds in one round to one player for Ante and Play."
    printed = read_part(replace(build(), terms=terms), "rules")
    assert (
        f"{rule} Under this limit, Ante and Play includes Play and the bonus for the player's hand."
        in unescape(printed)
    )
    printed = read_part(replace(build(companion=COMPANION, bonus=[]), terms=terms), "rules")
    assert f"{rule} Under this limit, Ante and Play includes Play and Side Bet." in printed


@pytest.mark.parametrize(
    ("terms", "included"),
    [
        ({}, False),
        ({"win_pays": "3 for 2"}, True),
        ({"bonus": [{**PAYS[0], "pays": "3 for 1", "text": "Bonus.", "source": SOURCE}]}, True),
    ],
)
def test_the_rules_say_what_a_payout_for_an_amount_includes(
    build: Build, terms: dict[str, Any], *, included: bool
) -> None:
    printed = read_part(build(**terms), "rules")
    assert ("“for” an amount includes the amount wagered" in printed) == included


EVENTS = [
    {"id": "copy", "text": "Both hands have the same rank.", "player": {"of_a_kind": {"min": 1}},
     "dealer": {"of_a_kind": {"min": 1}}, "compare": {"best_hand": "copy"}, "source": SOURCE},
    {"id": "holders", "text": "The player's two aces with the dealer's ace.",
     "player": {"aces": 2}, "dealer": {"aces": 1}, "source": SOURCE},
]  # fmt: skip
PAIR_ROW = {"event": "three_card_pair", "name": "Pair", "pays": "2 to 1"}
TRIPS_ROW = {"event": "three_card_three_of_a_kind", "name": "Trips", "pays": "9 to 1"}


@pytest.fixture
def side(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Build:
    """Return a maker of submissions of Pair Plus with other terms of its first paytable."""
    monkeypatch.chdir(tmp_path)
    root = pair_plus(tmp_path)
    path = root / "pair-plus" / "1.json"
    declared = json.loads(path.read_text(encoding="utf-8"))
    (root / "pair-plus" / "2.json").unlink()
    write_json(root.parent / "events.json", {"events": EVENTS})

    def built(**changes: object) -> Submission:
        paytable = declared | changes
        path.write_text(json.dumps(paytable), encoding="utf-8")
        wager = json.loads(path.with_name("wager.json").read_text(encoding="utf-8"))
        write_json(path.with_name("wager.json"), wager | {"hand": paytable["hand"]})
        order = Order(game="three-card-poker", jurisdiction="nevada")
        return build_submission(count_filing(build_filing(order)), status=Status.UNSIGNED)

    return built


def find_case(submission: Submission, case: str) -> str:
    """Return the settlement of a case of the worked examples."""
    root = parse(compose_part(submission, "rules"))
    rows = [[read_text(cell) for cell in row] for row in root.iter("tr")]
    (settled,) = (row[-1] for row in rows if row[0] == case and len(row) == 3)
    return settled


def test_an_example_of_two_winning_hands_follows_the_award(side: Build) -> None:
    """Three of a kind holds a pair, too."""
    held = {
        "first_row_contained": "Also Pair; only the first winning hand is paid. Trips pays 9 to 1",
        "highest_ranking_hand": "Also Pair; only the hand of the highest rank is paid. Trips pays",
    }
    for award, expected in held.items():
        rows = [TRIPS_ROW, PAIR_ROW] if award.startswith("first") else [PAIR_ROW, TRIPS_ROW]
        assert expected in find_case(side(award=award, rows=rows), "Two winning hands")


def test_tables_that_add_up_are_all_paid(side: Build) -> None:
    """9 to 1 of one table and 2 to 1 of the other are 11 to 1."""
    also = [{"name": "Pairs", "award": "first_row_contained", "rows": [PAIR_ROW]}]
    submission = side(rows=[TRIPS_ROW], also=also)
    assert "first winning hand" not in find_case(submission, "Two winning hands")
    printed = read_part(submission, "rules")
    assert "Only the first winning hand" not in printed
    assert "Only the first line from the top that the hand meets is paid" in printed
    assert "11 to 1" in printed
    report = read_part(submission, "mathematics")
    assert "A hand is paid once, for" not in report
    assert "A hand is paid once by each of the tables of the wager" in report


def test_a_wager_that_is_paid_back_alone_is_a_push(side: Build) -> None:
    submission = side(rows=[TRIPS_ROW, PAIR_ROW | {"pays": "1 for 1"}])
    assert find_case(submission, "A push").endswith("Pair: a $10 wager is returned. 1 for 1.")
    assert "9 to 1" in find_case(submission, "A win")


def test_hands_of_three_cards_are_compared_by_three(side: Build) -> None:
    rows = [{"event": "copy", "name": "Copy", "pays": "20 to 1"}]
    submission = side(hand="both", rows=rows)
    (analysis,) = submission.analyses.values()
    (text,) = (each.text for each in analysis.assumptions if each.id == "best-hands")
    assert text == "Two hands are compared by the highest 3 cards of each."


def test_the_cards_of_each_holder_are_named(side: Build) -> None:
    rows = [{"event": "holders", "name": "Aces", "pays": "20 to 1"}]
    root = parse(compose_part(side(hand="together", cards=4, rows=rows), "rules"))
    names = {read_text(span) for span in root.iter("span") if span.get("class") == "side"}
    assert names == {"Player", "Dealer"}


def test_the_figures_name_the_one_tie_of_hands_that_are_not_divided(build: Build) -> None:
    option = build().option
    (fact,) = (
        fact
        for fact in compare_records(None, Compared(record=option, undivided=3)).facts
        if fact.name == "Ties"
    )
    assert fact.after == "A tie pushes the wager."


@pytest.mark.parametrize("raises", [True, False])
def test_a_commission_is_posted_with_a_raise_too(build: Build, *, raises: bool) -> None:
    """A lost raise costs the raise and its commission: see `net_of_raise`."""
    changes: dict[str, Any] = {} if raises else {"raise": None}
    submission = build(commission={"rate": "5%", "prepaid": True}, **changes)
    printed = read_part(submission, "rules")
    assert printed.count("5% of the wager, and of Play, ") == 2 * raises  # the rack card, too
    assert ("5% of the wager is posted in advance" in printed) == (not raises)
    assert ("with Play too" in state(submission)["base-prepaid"]) == raises


EXPRESS = "commission-free-pai-gow-express"


@pytest.mark.parametrize("filed", ["1", "banked"])
def test_a_filing_says_who_banks_its_options(tmp_path: Path, filed: str) -> None:
    """The house banks an option without a bank, whatever the other option of the game says."""
    folder = tmp_path / "paytables"
    shutil.copytree(library.paytables(), folder)
    path = folder / EXPRESS / "main" / "1.json"
    option = json.loads(path.read_text(encoding="utf-8"))
    text = "A player may bank every other round."
    bank = {"share": "1/2", "text": text, "source": option["source"]}
    write_json(
        path.with_name("banked.json"), option | {"id": "banked", "bank": bank, "dealer_rules": []}
    )
    submission = whole(EXPRESS, "nevada", (f"{EXPRESS}/main/{filed}",), folder)
    printed = read_part(submission, "rules")
    assert ("in turn a player who chooses to bank" in printed) == (filed == "banked")


POSTED = "The operator may post a limit on what is paid for each hand or round."
POSTS = {
    "nevada": {"Pai Gow Insurance", "Ace-High Pai Gow Insurance", "Emperor's Treasure"},
    "wsgc": {"Pai Gow Insurance", "Emperor's Treasure"},
    "new-jersey": set(),
}
"""The wagers for which the game's rules let the operator post a limit, by jurisdiction."""


@pytest.mark.parametrize("state", POSTS)
def test_a_rack_card_posts_no_limit_that_the_rules_do_not_know(make: Make, state: str) -> None:
    root = parse(compose_part(make(EMPEROR, state), "rules"))
    cards = [
        read_text(each)
        for each in root.iter("div")
        if "rack-card" in (each.get("class") or "").split() and POSTED in read_text(each)
    ]
    posting = {name for name in POSTS["nevada"] for card in cards if card.startswith(f"{name} PT")}
    assert posting == POSTS[state]
    assert len(cards) >= len(posting)


@pytest.mark.parametrize(
    ("own", "dealer"), [(False, False), (True, False), (False, True), (True, True)]
)
def test_the_reduction_is_by_each_hand_that_has_a_prize(
    make: Make, *, own: bool, dealer: bool
) -> None:
    submission = make("dealer-open-pai-gow", "nevada")
    wagers = tuple(
        replace(
            wager,
            envies=tuple(
                replace(envy, pays_on_own_hand=own, pays_on_dealer_hand=dealer)
                for envy in wager.envies
            ),
        )
        for wager in submission.game.wagers
    )
    text = read_part(replace(submission, game=replace(submission.game, wagers=wagers)), "rules")
    said = "Reduction in house edge per additional player, and by each other hand that has a prize"
    assert (said in text) == (own or dealer)


def test_the_edge_of_dynamic_payouts_is_said_to_be_that_of_the_default_ones(make: Make) -> None:
    text = read_part(make(EMPEROR, "nevada", ("PT-PRG-EC-ET-D01",)), "rules")
    assert "of these paytables are those of the default payouts" in text
    assert "of the default payouts" not in read_part(make("mini-pai-gow", "nevada"), "rules")


@pytest.mark.parametrize("players", [None, 6, 7])
def test_stated_players_leave_no_number_to_the_casino(make: Make, players: int | None) -> None:
    """Overview of Mini Pai Gow: six or seven betting positions."""
    submission = make("mini-pai-gow", "nevada")
    text = read_part(replace(submission, terms=Terms(players=players)), "rules")
    assert ("six or seven betting positions" in text) == (players is None)
    assert f"seats up to {'6' if players == 6 else 'seven'}" in text
