import html
import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.commands.pair_plus import GAME as THREE_CARDS
from tests.commands.pair_plus import pair_plus
from tests.desk.conftest import ROOT, Client
from tests.desk.conftest import approve as put_on_record

if TYPE_CHECKING:
    from playwright.sync_api import Page

GAME = "mini-pai-gow"
ADDRESS = f"/rules/{GAME}"
BUILTIN = ROOT / "paytables" / GAME
FIRST = "/sections/0/statements/0/text"
RULE = "/rules/0/text"
TYPED = "A sentence that somebody has typed."


def read_base(desk: Client, file: str) -> dict[str, str]:
    form = desk.get(ADDRESS).text.partition(f'name="file" value="{file}"')[2]
    found = re.search(r'name="base" value="([0-9a-f]{64})"', form)
    assert found is not None
    return {"file": file, "base": found[1], "jurisdiction": "nevada"}


def test_every_sentence_of_the_files_is_shown_with_its_clause(desk: Client) -> None:
    shown = html.unescape(desk.get(ADDRESS).text)
    for name in ("game.json", "main/wager.json", "main/1.json", "bonus/wager.json"):
        text = (BUILTIN / name).read_text(encoding="utf-8")
        declared = [
            json.loads(string) for string in re.findall(r'"text": ("(?:[^"\\]|\\.)*")', text)
        ]
        changes = {change["text"] for change in json.loads(text).get("changes", ())}
        assert set(declared) - changes
        for sentence in set(declared) - changes:
            assert f">{sentence}</textarea>" in shown, sentence
    assert "Dealing Procedures A" in shown


def test_sentences_on_the_deck_and_ties_say_that_what_is_declared_is_printed(
    desk: Client,
) -> None:
    game = "commission-free-pai-gow-express"
    shown = html.unescape(desk.get(f"/rules/{game}").text)
    said = re.findall(r"Not printed as typed. The rules print what is declared: “([^”]*)”", shown)
    assert said == [
        "The game uses a standard 52-card deck and one joker (53 cards).",
        "The dealer wins ties of either hand.",
    ]
    printed = html.unescape(desk.get(f"/rules/{game}/printed?jurisdiction=nevada").text)
    for sentence in said:
        _, _, below = shown.partition(f"{sentence}”</p>")
        number = below.partition("#rule-")[2].partition('"')[0]
        assert re.search(rf'id="rule-{number}".*?{re.escape(sentence)}', printed, re.DOTALL)
    assert "Not printed as typed" not in desk.get(f"/rules/{THREE_CARDS}").text


def test_a_game_that_cannot_be_filed_is_named_where_it_is_edited(desk: Client) -> None:
    path = pair_plus(desk.folder) / "game.json"
    assert "M009" not in desk.get(f"/rules/{THREE_CARDS}").text
    value = json.loads(path.read_bytes()) | {"deck": {"ranks": 9, "joker": False}}
    path.write_text(json.dumps(value), encoding="utf-8")
    shown = html.unescape(desk.get(f"/rules/{THREE_CARDS}").text)
    assert "<code>M009</code> Documents describe decks of 13 ranks; this one has 9." in shown
    assert "M009" not in desk.get(ADDRESS).text


def test_a_sentence_has_the_room_that_it_fills(desk: Client) -> None:
    shown = re.findall(
        r'<textarea [^>]*? rows="(\d+)"[^>]*>([^<]*)</textarea>', desk.get(ADDRESS).text
    )
    lengths = [(int(rows), len(html.unescape(text))) for rows, text in shown]
    assert len(lengths) > 30
    assert all(58 * (rows - 1) <= length < 58 * rows for rows, length in lengths)


def test_the_number_of_a_rule_leads_to_it_in_print(desk: Client) -> None:
    page = desk.get(f"{ADDRESS}?jurisdiction=wsgc").text
    printed = desk.get(f"{ADDRESS}/printed?jurisdiction=wsgc").text
    found = re.findall(r'/printed\?jurisdiction=wsgc#(rule-[0-9.a-z]+)"', page)
    assert len(found) > 30
    assert [name for name in found if f'id="{name}"' not in printed] == []
    text = json.loads((BUILTIN / "game.json").read_bytes())["sections"][0]["statements"][0]["text"]
    assert text in html.unescape(printed)


def test_what_is_typed_is_printed_and_kept_until_it_is_discarded(desk: Client) -> None:
    form = read_base(desk, GAME)
    edited = desk.post(f"{ADDRESS}/edited", {**form, FIRST: TYPED}, {"HX-Trigger-Name": FIRST})
    assert edited.status == 200
    shown = r'src="/rules/mini-pai-gow/printed\?jurisdiction=nevada&amp;typed=\d+#rule-'
    assert re.search(shown, edited.text)
    assert TYPED in desk.get(f"{ADDRESS}/printed?jurisdiction=nevada").text
    again = desk.get(ADDRESS).text
    assert f">{TYPED}</textarea>" in again
    assert "Your draft, not saved yet." in again
    desk.post(f"{ADDRESS}/discard", {"file": GAME})
    assert TYPED not in desk.get(ADDRESS).text
    assert TYPED not in desk.get(f"{ADDRESS}/printed?jurisdiction=nevada").text


@pytest.fixture
def approved_rules(desk: Client) -> Iterator[None]:
    """Put the game on record as approved; the test leaves no register and no record."""
    put_on_record(desk, GAME)
    yield
    (desk.folder / "register.json").unlink()
    for path in (desk.folder / "paytables").rglob("*.json"):
        path.unlink()


@pytest.mark.usefixtures("approved_rules")
@pytest.mark.parametrize(
    ("file", "pointer"), [(GAME, FIRST), (f"{GAME}/bonus", RULE)], ids=["game", "wager"]
)
def test_approved_rules_are_saved_as_a_new_revision(desk: Client, file: str, pointer: str) -> None:
    shown = desk.get(ADDRESS).text
    assert (
        "<strong>Approved in Nevada</strong> since January 2, 2026 (register entry nevada-1)"
        in shown
    )
    typed = {**read_base(desk, file), pointer: TYPED}
    assert desk.post(f"{ADDRESS}/edited", typed).status == 200
    review = desk.post(f"{ADDRESS}/review", typed).text
    assert f"Revision 1 of the rules of {GAME} is approved in Nevada" in review
    assert f'action="{ADDRESS}/save"' not in review
    assert f'action="{ADDRESS}/revision"' in review
    assert desk.post(f"{ADDRESS}/save", typed).status == 422
    assert not list((desk.folder / "paytables").rglob("*.json"))
    assert desk.post(f"{ADDRESS}/revision", {"text": " "}).status == 422
    assert desk.post(f"{ADDRESS}/revision", {"text": "One sentence reworded."}).status == 303
    own = desk.folder / "paytables" / GAME / "game.json"
    assert json.loads(own.read_bytes())["revision"] == "2"
    assert f">{TYPED}</textarea>" in desk.get(ADDRESS).text  # the draft is kept
    typed = {**read_base(desk, file), pointer: TYPED}
    assert desk.post(f"{ADDRESS}/save", typed).status == 303
    assert "The rules of" not in desk.post(f"{ADDRESS}/review", typed).text
    desk.post(f"{ADDRESS}/discard", {"file": file})


@pytest.mark.usefixtures("approved_rules")
def test_an_approved_option_is_saved_under_another_id_only(desk: Client) -> None:
    file, pointer = f"{GAME}/main/1", "/raise/text"
    assert "save changes as a new option" in desk.get(ADDRESS).text
    typed = {**read_base(desk, file), pointer: TYPED}
    review = desk.post(f"{ADDRESS}/review", typed).text
    assert "<code>R014</code>" in review
    assert f'action="{ADDRESS}/save-as"' in review
    for act in ("save", "revision"):
        assert f'action="{ADDRESS}/{act}"' not in review
    assert desk.post(f"{ADDRESS}/save", typed).status == 422
    for name, clause in (("1", "Sheet 2"), ("../1", "Sheet 2"), ("2", "")):
        fields = {**typed, "new_id": name, "clause": clause}
        assert desk.post(f"{ADDRESS}/save-as", fields).status in {404, 422}
    assert not list((desk.folder / "paytables").rglob("*.json"))

    fields = {**typed, "new_id": "2", "clause": "Sheet 2"}
    saved = desk.post(f"{ADDRESS}/save-as", fields)
    assert saved.status == 303
    assert saved.headers["location"] == f"{ADDRESS}?jurisdiction=nevada&option=2"
    (own,) = (desk.folder / "paytables").rglob("*.json")
    assert own.relative_to(desk.folder / "paytables").as_posix() == f"{file[:-1]}2.json"
    new = json.loads(own.read_bytes())
    old = json.loads((BUILTIN / "main/1.json").read_bytes())
    assert (new["id"], new["source"]["clause"]) == ("2", "Sheet 2")
    assert new["raise"] == old["raise"] | {"text": TYPED}
    assert (
        "R014" not in desk.post(f"{ADDRESS}/review", typed | read_base(desk, f"{GAME}/main/2")).text
    )
    # What has a revision gets no other id.
    typed = {
        **read_base(desk, f"{GAME}/bonus"),
        RULE: TYPED,
        "new_id": "x",
        "clause": "Sheet 2",
    }
    assert desk.post(f"{ADDRESS}/save-as", typed).status == 404


@pytest.mark.usefixtures("approved_rules")
def test_an_approved_house_way_is_copied_under_another_id(desk: Client) -> None:
    shown = desk.get(f"/house-ways/{GAME}").text
    assert "<strong>Approved in Nevada</strong>" in shown
    assert "change the copy" in shown
    assert "Approved in" not in desk.get("/house-ways/foxwoods").text
    act = f"/house-ways/{GAME}/copy"
    assert f'action="{act}"' in shown
    for name in (GAME, "../own", ""):
        assert desk.post(act, {"new_id": name}).status in {404, 422}
    assert not list((desk.folder / "paytables").rglob("*.json"))
    saved = desk.post(act, {"new_id": "own"})
    assert saved.headers["location"] == "/house-ways/own"
    copy = json.loads((desk.folder / "paytables/house-ways/own.json").read_bytes())
    old = json.loads((ROOT / f"paytables/house-ways/{GAME}.json").read_bytes())
    assert (copy["id"], copy["sections"]) == ("own", old["sections"])
    assert "Approved in" not in desk.get("/house-ways/own").text


@pytest.mark.parametrize(
    ("file", "pointer", "path"),
    [(GAME, FIRST, "game.json"), (f"{GAME}/bonus", RULE, "bonus/wager.json")],
)
def test_a_sentence_is_saved_in_its_place_and_undone(
    desk: Client, file: str, pointer: str, path: str
) -> None:
    form = {**read_base(desk, file), pointer: TYPED}
    review = desk.post(f"{ADDRESS}/review", form)
    assert len(re.findall(r'<span class="(?:added|removed)">', review.text)) == 2
    assert desk.post(f"{ADDRESS}/save", form).status == 303
    own = desk.folder / "paytables" / GAME / path
    before = json.loads((BUILTIN / path).read_bytes())
    after = json.loads(own.read_bytes())
    assert before.pop("$schema").endswith(after.pop("$schema"))
    assert own.read_text(encoding="utf-8").count(TYPED) == 1
    assert before.keys() == after.keys()
    second = desk.post(f"{ADDRESS}/save", {**form, pointer: "Another window."})
    assert second.status == 409
    assert "Another window." not in own.read_text(encoding="utf-8")
    assert TYPED in desk.get(f"{ADDRESS}/printed").text
    assert desk.post(f"{ADDRESS}/undo", read_base(desk, file)).status == 303
    assert not own.exists()


def test_two_windows_of_the_rules_lose_nothing(desk: Client) -> None:
    names = ("window", "seen")
    own = desk.folder / "paytables" / GAME / "game.json"

    def open_window() -> dict[str, str]:
        shown = desk.get(ADDRESS).text.partition(f'name="file" value="{GAME}"')[2]
        found = (re.search(rf'name="{name}" value="(\w+)"', shown) for name in names)
        texts = [match[1] for match in found if match]
        return read_base(desk, GAME) | dict(zip(names, texts, strict=True))

    first, second = open_window(), open_window()
    assert "another window" not in desk.post(f"{ADDRESS}/edited", first | {FIRST: "One."}).text
    answer = desk.post(f"{ADDRESS}/edited", second | {FIRST: "Two."}).text
    assert "changed in another window" in answer
    conflict = html.unescape(re.findall(r'href="([^"]+/conflict[^"]+)"', answer)[0])
    shown = html.unescape(desk.get(conflict).text)
    assert re.findall("Use (mine|theirs): </span>([^<]*?) ?<", shown) == [
        ("mine", "Two."), ("theirs", "One."),
    ]  # fmt: skip
    use = f"use {FIRST.removesuffix('/text')}"
    choice = {"file": GAME, "window": second["window"], use: "mine"}
    assert desk.post(f"{ADDRESS}/conflict", choice).status == 303
    assert desk.get(conflict).status == 404  # it is decided
    assert ">Two.</textarea>" in desk.get(ADDRESS).text
    # Another window saves the file: the draft is offered, and no line of it is chosen.
    third = open_window()
    desk.post(f"{ADDRESS}/edited", third | {FIRST: "Three."})
    assert desk.post(f"{ADDRESS}/save", first | {FIRST: "Saved."}).status == 303
    (address,) = re.findall(r'href="([^"]+/conflict[^"]+)"', desk.get(ADDRESS).text)
    shown = desk.get(html.unescape(address)).text
    assert "Three." in shown
    assert " checked" not in shown
    settled = {"file": GAME, "window": third["window"], "all": "theirs"}
    assert desk.post(f"{ADDRESS}/conflict", settled).status == 303
    assert "/conflict" not in desk.get(ADDRESS).text
    assert ">Saved.</textarea>" in desk.get(ADDRESS).text
    own.unlink()


OWN, LIST = f"/rules/{THREE_CARDS}", "/sections/2/statements"
NEW = {"text": "Cards are dealt one at a time.", "topic": "dealing_order",
       "jurisdiction": "nevada", "source/clause": "Section 9"}  # fmt: skip


def read_own(desk: Client) -> dict[str, str]:
    """Return the fields of the form of the game's file."""
    shown = desk.get(OWN).text.partition(f'name="file" value="{THREE_CARDS}"')[2]
    form = shown.partition("</form>")[0]
    fields = dict(re.findall(r'<input [^>]*?name="([^"]+)"[^>]*? value="([^"]*)"', form))
    texts = re.findall(r'<textarea [^>]*?name="([^"]+)"[^>]*>([^<]*)', form)
    return {name: html.unescape(text) for name, text in (*fields.items(), *texts)} | {
        "file": THREE_CARDS
    }


def arrange(desk: Client, act: str, **more: str) -> dict[str, str]:
    answer = desk.post(f"{OWN}/arrange", {**read_own(desk), **more, "act": act})
    assert answer.status == 303, answer.text
    return read_own(desk)


def test_sentences_of_an_own_game_are_added_moved_and_removed(desk: Client) -> None:
    path = pair_plus(desk.folder) / "game.json"
    before = path.read_bytes()
    fields = arrange(desk, f"add {LIST}")
    assert (fields[LIST], fields[f"{LIST}/+1/id"]) == ("0 +1 ", "dealing.1")
    fields |= {f"{LIST}/+1/{name}": text for name, text in NEW.items()}
    assert desk.post(f"{OWN}/edited", fields).status == 200
    assert NEW["text"] in desk.get(f"{OWN}/printed?jurisdiction=nevada").text
    assert NEW["text"] not in desk.get(f"{OWN}/printed?jurisdiction=wsgc").text
    fields = arrange(desk, f"up {LIST} +1")
    assert f">{NEW['text']}</textarea>" in desk.get(OWN).text  # and what was typed is kept
    assert NEW["text"] in desk.post(f"{OWN}/review", fields | {
        f"{LIST}/+1/topic": NEW["topic"], f"{LIST}/+1/jurisdiction": "nevada"
    }).text  # fmt: skip
    typed = fields | {f"{LIST}/+1/topic": NEW["topic"], f"{LIST}/+1/jurisdiction": "nevada"}
    assert desk.post(f"{OWN}/save", typed).status == 303
    added, old = json.loads(path.read_bytes())["sections"][2]["statements"]
    assert old == json.loads(before)["sections"][2]["statements"][0]
    source = {"document": THREE_CARDS, "clause": NEW["source/clause"]}
    named = {name: NEW[name] for name in ("text", "topic", "jurisdiction")}
    assert added == {"id": "dealing.1", **named, "source": source}
    # A sentence without a topic is no sentence, and nothing is written.
    fields = arrange(desk, f"add {LIST}")
    assert desk.post(f"{OWN}/save", fields | {f"{LIST}/+1/text": "X."}).status == 422
    desk.post(f"{OWN}/discard", {"file": THREE_CARDS})
    fields = arrange(desk, f"remove {LIST} 0")
    assert desk.post(f"{OWN}/save", fields).status == 303
    assert json.loads(path.read_bytes()) == json.loads(before)
    assert desk.post(f"{OWN}/undo", read_own(desk)).status == 303
    assert json.loads(path.read_bytes())["sections"][2]["statements"] == [added, old]
    assert NEW["text"] not in desk.get("/deleted").text  # the removal was undone


def test_a_removed_sentence_is_restored_from_deleted(desk: Client) -> None:
    path = pair_plus(desk.folder) / "game.json"
    before = path.read_bytes()
    sentence = json.loads(before)["sections"][2]["statements"][0]
    assert desk.post(f"{OWN}/save", arrange(desk, f"remove {LIST} 0")).status == 303
    assert json.loads(path.read_bytes())["sections"][2]["statements"] == []
    removed = f"/create/restore/{THREE_CARDS}:{sentence['id']}"
    assert sentence["text"] in (shown := desk.get("/deleted").text)
    assert removed in shown
    assert desk.post(removed, {}).headers["location"] == OWN
    assert path.read_bytes() == before
    assert removed not in desk.get("/deleted").text
    assert desk.post(removed, {}).status == 404


def test_a_sentence_of_one_window_and_a_removal_in_another_are_both_kept(desk: Client) -> None:
    path = pair_plus(desk.folder) / "game.json"
    first, second = read_own(desk), read_own(desk)
    assert desk.post(f"{OWN}/arrange", first | {"act": f"remove {LIST} 0"}).status == 303
    answer = desk.post(f"{OWN}/arrange", second | {"act": "add /definitions"})
    assert "/conflict?" in answer.headers["location"]
    shown = desk.get(answer.headers["location"]).text
    assert re.findall(r'name="use ([^"]+)" value="(\w+)"(?: required)? checked', shown) == [
        (f"{LIST}/0", "theirs")
    ]
    window = {"file": THREE_CARDS, "window": second["window"], f"use {LIST}/0": "theirs"}
    assert desk.post(f"{OWN}/conflict", window).status == 303
    fields = arrange(desk, "add /definitions")
    assert (fields[LIST], fields["/definitions"]) == ("", "+1 ")
    desk.post(f"{OWN}/discard", {"file": THREE_CARDS})
    assert "The dealing is as printed." in path.read_text(encoding="utf-8")


def test_the_sentences_of_a_built_in_game_keep_their_list_and_clause(desk: Client) -> None:
    form = {**read_base(desk, GAME), "act": f"remove {LIST} 0"}
    assert desk.post(f"{ADDRESS}/arrange", form).status == 404
    for name in (LIST, "/sections/0/statements/0/source/clause", f"{LIST}/+1/text"):
        assert "No changes." in desk.post(f"{ADDRESS}/review", {**form, name: "0"}).text


def test_no_other_value_of_a_file_can_be_written(desk: Client) -> None:
    form = read_base(desk, GAME)
    for pointer in ("/id", "/revision", "/sections/0/id", "/rows/0/pays", "/../id"):
        answer = desk.post(f"{ADDRESS}/review", {**form, pointer: "x"})
        assert "No changes." in answer.text
    for file in ("mini-pai-gow/bonus/A", "events", "../certify", "jurisdictions/nevada", ""):
        assert desk.post(f"{ADDRESS}/save", {**form, "file": file}).status == 404


def test_a_hostile_sentence_is_printed_as_text(desk: Client) -> None:
    hostile = '</textarea><script>alert(1)</script>"\u202e{{ 7 * 7 }}'
    form = {**read_base(desk, GAME), FIRST: hostile}
    for act in ("edited", "review"):
        assert "<script>alert" not in desk.post(f"{ADDRESS}/{act}", form).text
    for address in (ADDRESS, f"{ADDRESS}/printed"):
        answer = desk.get(address)
        assert answer.status == 200
        assert "<script>alert" not in answer.text
        assert "\u202e" not in answer.text
    assert "sandbox" in desk.get(f"{ADDRESS}/printed").headers["content-security-policy"]
    desk.post(f"{ADDRESS}/discard", {"file": GAME})


def test_a_sentence_without_words_is_reported_and_not_saved(desk: Client) -> None:
    form = {**read_base(desk, GAME), FIRST: "  "}
    desk.post(f"{ADDRESS}/edited", form)
    assert "Cannot be printed" in desk.get(f"{ADDRESS}/printed").text
    assert '<li class="error">' in desk.post(f"{ADDRESS}/review", form).text
    assert desk.post(f"{ADDRESS}/save", form).status == 422
    desk.post(f"{ADDRESS}/discard", {"file": GAME})


def test_the_record_has_the_files_as_they_are_declared(desk: Client) -> None:
    record = json.loads(desk.get(f"{ADDRESS}.json").text)
    assert record[GAME] == json.loads((BUILTIN / "game.json").read_bytes())
    assert record[f"{GAME}/main/1"] == json.loads((BUILTIN / "main" / "1.json").read_bytes())


def test_a_person_edits_a_sentence_and_saves_it(window: "Page", desk: Client) -> None:
    window.goto("/rules")
    window.get_by_role("link", name="Mini Pai Gow", exact=True).click()
    window.wait_for_url(f"**{ADDRESS}")
    window.get_by_role("link", name="Show rule 1.4 in the preview").click()
    printed = window.frame_locator("#printed")
    field = window.get_by_label("Rule 1.4", exact=True)
    field.fill("Players may double down once.")
    printed.get_by_text("Players may double down once.").wait_for()
    assert field.evaluate("one => one === document.activeElement")
    window.get_by_role("button", name="Review changes to Mini Pai Gow", exact=True).click()
    window.get_by_role("region", name="Changes").wait_for()
    window.get_by_role("button", name="Save").click()
    window.get_by_role("button", name=re.compile("Undo the last save")).wait_for()
    own = desk.folder / "paytables" / GAME / "game.json"
    assert "Players may double down once." in own.read_text(encoding="utf-8")


def test_the_option_that_prints_is_chosen(desk: Client) -> None:
    address, option = "/rules/dealer-open-pai-gow", "no-push"
    texts = {
        chosen: desk.get(f"{address}/printed?jurisdiction=nevada&option={chosen}").text
        for chosen in ("ace-high-push", option)
    }
    page = desk.get(f"{address}?jurisdiction=nevada&option={option}").text
    assert f"/printed?jurisdiction=nevada&amp;option={option}" in page
    assert f'<option value="{option}" selected>' in page
    assert len(set(texts.values())) == 2
