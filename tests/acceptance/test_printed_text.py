from fractions import Fraction
from math import comb

from certify.formatting import percentage
from tests.acceptance.command_line import Certify

EMPEROR = "emperors-challenge-exposed"


def pairs(text: str) -> dict[str, str]:
    lines = (line.partition("  ") for line in text.splitlines())
    return {name: value.strip() for name, _, value in lines if name and value}


def test_a_hand_on_each_side_is_set_compared_and_settled(certify: Certify) -> None:
    """King-jack beats nine-eight, ace high loses to queens: a push, and no setting wins both."""
    hands = ("Ah Kh 9h Jh Td 2c 3d", "--dealer", "Qs Qd 9c 8d 5s 4h 2s")
    said = certify("explain", f"{EMPEROR}/main/ace-high-push", *hands).out
    lines = [line.strip() for line in said.splitlines()]
    assert "no pair, no straight and no flush, ace high" in lines
    assert any(
        line.startswith("House way foxwoods: high hand Ah Td 9h 3d 2c (")
        and "low hand Kh Jh (" in line
        for line in lines
    )
    rule = lines.index("Dealer rules of the option, in order")
    assert lines[rule + 1].startswith("does not hold: If the dealer has an ace-high pai gow")
    ended = lines.index("Both hands set by the house way: push (net 0 of the wager)")
    assert [line.rpartition(": ")[2] for line in lines[ended + 1 : ended + 3]] == [
        "dealer",
        "player",
    ]
    assert lines[ended + 1].startswith("high hand: player ace-ten")
    assert lines[ended + 2].startswith("low hand: player king-jack, dealer nine-eight")
    assert lines[-1] == "The dealer's hand is seen; no other setting ends better."


def test_a_better_setting_against_a_hand_that_is_seen_is_shown(certify: Certify) -> None:
    """The dealer has eights behind twos. Tens and sixes together leave ace-eight for the low hand,
    which loses to the twos; tens behind sixes win both.
    """
    hands = ("6s 8s 6c Td As Ts 7d", "--dealer", "2c 8h Jd 7c 2d 8c Qh")
    said = certify("explain", f"{EMPEROR}/main/ace-high-push", *hands).out
    lines = [line.strip() for line in said.splitlines()]
    assert "Both hands set by the house way: push (net 0 of the wager)" in lines
    better = lines.index("The dealer's hand is seen, and another setting is better:")
    assert lines[better + 1].startswith("high hand As Td Ts 8s 7d (")
    assert lines[better + 1].endswith("low hand 6c 6s (a pair of sixes)")
    assert lines[better + 3] == "Set so: win, 1 to 1 (net 1 of the wager)"


def test_a_win_less_commission_is_reported_with_what_it_brings(certify: Certify) -> None:
    hands = ("Ah Ad 9h Jh Td 2c 3d", "--dealer", "Qs Qd 9c 8d 5s 4h 2s")
    said = certify("explain", "pai-gow-mania/main/commission-5-percent", *hands).out
    assert "Both hands set by the house way: win, 1 to 1 less 5% (net 0.95 of the wager)" in said
    assert "The dealer's hand is seen" not in said


def test_a_limit_is_reported_with_both_edges(certify: Certify) -> None:
    """At $200 under $10,000 nobody is paid more than 50 to 1 (see `test_limits_in_documents`)."""
    target = f"{EMPEROR}/emperors-treasure/PT-FLT-EC-ET-01"
    said = pairs(certify("evaluate", target, "--wager", "200", "--limit", "10000").out)
    cut = Fraction(220_226, 2_752_555) + Fraction(1_890_600, comb(53, 7))
    assert said["House edge"].startswith("8.0008%")
    assert said["Payout limit"] == "$10,000 to one player"
    assert said["Payout limit binds"] == "above a wager of $2"
    assert said["House edge at $200"] == f"{percentage(cut)}  = {cut}"
    alone, prizes = said["House edge, 0 other players"], said["House edge, 5 other players"]
    worth = Fraction(alone.rstrip("%")) - Fraction(prizes.rstrip("%"))
    with_prizes = Fraction(said["House edge at $200, 5 other players"].rstrip("%"))
    assert abs(100 * cut - worth - with_prizes) <= Fraction(2, 10_000)


def test_a_limit_that_no_wager_reaches_is_reported_as_such(certify: Certify) -> None:
    """A round of Mini Pai Gow pays 2 to 1 at most, with its double down: $100 for $50."""
    said = pairs(certify("evaluate", "mini-pai-gow/main", "--wager", "50", "--limit", "150").out)
    assert said["Payout limit binds"] == (
        "above a wager of $75, which is more than is wagered here"
    )
    assert "House edge at $50" not in said
    assert said["Average wager"].startswith("1.2464")


def test_a_meter_and_a_draw_are_reported_with_and_without_a_limit(certify: Certify) -> None:
    """1,128 hands of five aces are paid $500 instead of $1,000, which the meter has to make up."""
    target = f"{EMPEROR}/emperors-treasure-progressive/PT-BJS-EC-ET-01"
    said = pairs(certify("evaluate", target, "--wager", "1", "--limit", "500").out)
    fixed, under = (
        Fraction(said[name].rstrip("%"))
        for name in ("Return of fixed pays, without the meters", "Return of fixed pays at $1")
    )
    cut = Fraction(100 * 1_128 * 500, comb(53, 7))
    assert abs(fixed - under - cut) <= Fraction(1, 10_000)
    assert said["Meter 1: break-even"].startswith("$656,084.96 for a $1 wager")
    assert said["Meter 1: break-even at $1"] == "$660,905.47"
    drawn = f"{EMPEROR}/emperors-treasure-dynamic-progressive/PT-PRG-EC-ET-D01"
    said = pairs(certify("evaluate", drawn, "--wager", "1", "--limit", "100").out)
    most = [
        said[name].rpartition(" to ")[2] for name in ("Dynamic pays add", "Dynamic pays add at $1")
    ]
    assert Fraction(most[0].rstrip("%")) > Fraction(most[1].rstrip("%"))


def test_a_redline_of_prizes_and_meters_names_each_figure(certify: Certify) -> None:
    chan_chu = "dealer-open-pai-gow/chan-chu"
    said = certify("diff", f"{chan_chu}/1", f"{chan_chu}/3").out
    assert "House edge, 1 other player" in said
    assert "bettor" not in said
    metered = f"{EMPEROR}/emperors-treasure-progressive"
    said = certify("diff", f"{metered}/PT-BJS-EC-ET-01", f"{metered}/PT-BJS-EC-ET-02").out
    assert "Meter 1: break-even, times the wager" in said
    assert "Return of fixed pays" in said
