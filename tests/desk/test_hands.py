import html
import re
from typing import TYPE_CHECKING

from tests.desk.conftest import Client

if TYPE_CHECKING:
    from playwright.sync_api import Page

HAND = "As Ad Ah Kd 2c 2d"
DEALER = "3s 3d 4c 5h 7d 9s"
PICKED = "&".join(f"card={card}" for card in HAND.split())
TYPED = HAND.replace(" ", "+")


def test_a_hand_is_the_same_picked_and_typed(desk: Client) -> None:
    way = "/house-ways/mini-pai-gow"
    picked, typed = (desk.get(f"{way}?{query}").text for query in (PICKED, f"hand={TYPED}"))
    answers = [page.partition('id="setting"')[2].partition("<h2>")[0] for page in (picked, typed)]
    assert answers[0] == answers[1]
    # House Ways 2 of the source: the full house stays, the other card goes in front.
    chosen = re.search(r'<tr class="chosen">(.*?)</tr>', answers[0], re.DOTALL)
    assert chosen is not None
    assert re.findall(r'class="unseen">([^<]+?) ?<', chosen[1])[-1] == "king of diamonds"
    assert answers[0].count("<tr") == 1 + 6  # any of six cards may be the low hand


def test_a_house_way_of_several_games_sets_hands_of_the_one_that_is_chosen(desk: Client) -> None:
    games = ["commission-free-pai-gow-express", "emperors-challenge-exposed", "pai-gow-mania"]
    for asked, here in ((games[1], games[1]), (games[2], games[2]), ("mini-pai-gow", games[0])):
        text = desk.get(f"/house-ways/foxwoods?game={asked}").text
        listed = text.partition('<select id="game"')[2].partition("</select>")[0]
        assert re.findall(r'<option value="([^"]+)"', listed) == games
        assert re.findall(r'<option value="([^"]+)" selected', listed) == [here]


def test_what_cannot_be_set_is_said_in_words(desk: Client) -> None:
    for hand, words in (
        ("As+As+Ah+Kd+2c+2d", "contains As twice"),
        ("As+Kd", "has 2 cards"),
        ("1x", "is not a card of this deck"),
    ):
        answer = desk.get(f"/house-ways/mini-pai-gow?hand={hand}")
        assert answer.status == 200
        assert words in html.unescape(answer.text)


def test_a_hostile_hand_is_printed_as_text(desk: Client) -> None:
    hostile = "%22%3E%3Cscript%3Ealert(1)%3C/script%3E"
    for address in (
        f"/house-ways/mini-pai-gow?hand={hostile}&card={hostile}",
        f"/explain?hand={hostile}&dealer={hostile}&against={hostile}",
        f"/explain?game={hostile}",
        f"/?q={hostile}&by={hostile}",
    ):
        assert "<script>alert" not in desk.get(address).text


def test_a_person_picks_cards_and_sees_who_wins(window: "Page") -> None:
    window.goto("/explain?game=mini-pai-gow")
    for field, cards in (("card", HAND), ("dealer", DEALER)):
        for card in cards.split():
            window.locator(f"input[name='{field}'][value='{card}']").check()
    window.get_by_text("The player wins both hands.").wait_for()
    assert window.locator("#answers summary", has_text="pays 20 to 1").count() == 3
