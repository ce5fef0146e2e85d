"""Interruptions of somebody who types: nothing typed is lost on any page that edits a file."""

import html
import http.client
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

import pytest

from certify import storage
from certify.declare import editing, user_state
from certify.errors import NotConfigured
from tests.commands.pair_plus import GAME, SOURCE, pair_plus, write_json
from tests.desk.conftest import Answer, Client, read_form
from tests.marks import further

PAYTABLE, RULES, SOURCES = f"/games/{GAME}/pair-plus/1", f"/rules/{GAME}", f"/sources/{GAME}"
FIELDS = {
    PAYTABLE: ("/rows/0/pays", f"{GAME}/pair-plus/1", ""),
    RULES: ("/sections/0/statements/0/text", GAME, GAME),
    SOURCES: ("/figures/0/printed", f"{GAME}/published", "published"),
}
"""Page: the field that is typed in, the key of its file, and the file's name in the form."""

TYPED = {PAYTABLE: "41 to 1", RULES: "Typed before it.", SOURCES: "2.317%"}
OTHER = {PAYTABLE: "43 to 1", RULES: "Typed elsewhere.", SOURCES: "2.3%"}
FIGURE = {"id": "edge", "target": f"{GAME}/pair-plus/1", "quantity": "house_edge",
          "printed": "2.32%", "convention": "plain", "source": SOURCE}  # fmt: skip

Tab = dict[str, str]


@dataclass(frozen=True, kw_only=True)
class Desk:
    """Somebody at a page: the tab with what was typed, and another tab from before that."""

    client: Client
    page: str
    tab: Tab
    other: Tab

    def post(self, act: str, form: Tab, **headers: str | None) -> Answer:
        return self.client.post(f"{self.page}/{act}", form, headers)

    @property
    def key(self) -> str:
        return FIELDS[self.page][1]

    @property
    def path(self) -> Path:
        name = f"{self.key}/game.json" if self.page == RULES else f"{self.key}.json"
        return self.client.folder / "paytables" / name


Interruption = Callable[[Desk], None]


def open_tab(desk: Client, page: str) -> Tab:
    answer = desk.get(page)
    file = FIELDS[page][2]
    if not file:
        return read_form(answer)
    form = answer.text.partition(f'name="file" value="{file}"')[2].partition("</form>")[0]
    fields = re.findall(r'name="(base|window|seen)" value="([^"]+)"', form)
    return {"file": file, **dict(fields)}


def is_kept(desk: Client, page: str) -> bool:
    """Return True if the page, or one of the conflicts that it names, has what was typed."""
    shown = html.unescape(desk.get(page).text)
    conflicts = re.findall(r'href="([^"]+/conflict\?[^"]+)"', shown)
    return any(
        TYPED[page] in html.unescape(text)
        for text in (shown, *(desk.get(address).text for address in conflicts))
    )


def type_into(tab: Tab, page: str, texts: dict[str, str]) -> Tab:
    return {**tab, FIELDS[page][0]: texts[page]}


def reload(at: Desk) -> None:
    at.client.get(at.page)


def leave_and_return(at: Desk) -> None:
    for address in ("/", "/jobs", at.page):
        assert at.client.get(address).status == 200


def review_and_go_on(at: Desk) -> None:
    assert at.post("review", at.tab).status == 200


def type_in_another_tab(at: Desk) -> None:
    assert "another window" in at.post("edited", type_into(at.other, at.page, OTHER)).text


def save_in_another_tab(at: Desk) -> None:
    assert at.post("save", type_into(at.other, at.page, OTHER)).status == 303


def save_and_undo_in_another_tab(at: Desk) -> None:
    save_in_another_tab(at)
    at.post("undo", open_tab(at.client, at.page))


def save_after_another_tab(at: Desk) -> None:
    change_outside(at)
    assert at.post("save", at.tab).status == 409


def add_in_another_tab(at: Desk) -> None:
    act = {PAYTABLE: "remove 4", RULES: "add /definitions", SOURCES: "add /figures"}[at.page]
    route = "rows" if at.page == PAYTABLE else "arrange"
    answer = at.post(route, {**at.other, "act": act})
    assert "/conflict?" in answer.headers["location"]


def arrange_in_this_tab(at: Desk) -> None:
    act = {PAYTABLE: "up 4", RULES: "add /definitions", SOURCES: "add /figures"}[at.page]
    route = "rows" if at.page == PAYTABLE else "arrange"
    assert at.post(route, {**at.tab, "act": act}).status == 303


def change_outside(at: Desk) -> None:
    path = at.path
    path.write_text(path.read_text(encoding="utf-8") + "\n", encoding="utf-8")


def break_the_file(at: Desk) -> None:
    path = at.path
    before = path.read_bytes()
    path.write_bytes(b"{")
    at.post("edited", at.tab)
    path.write_bytes(before)


def save_a_fault(at: Desk) -> None:
    path = at.path
    before = path.read_bytes()
    assert at.post("save", {**at.tab, "base": "0" * 64}).status == 409
    assert path.read_bytes() == before


def lose_the_token(at: Desk) -> None:
    assert at.post("save", {**at.tab, "csrf": "of an app that was ended"}).status == 403


def lose_the_session(at: Desk) -> None:
    assert at.post("edited", at.tab, Cookie=None).status == 403


def lose_the_connection(at: Desk) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", at.client.port)
    connection.putrequest("POST", f"{at.page}/edited")
    connection.putheader("Cookie", at.client.cookie)
    connection.putheader("Origin", at.client.origin)
    connection.putheader("Content-Type", "application/x-www-form-urlencoded")
    connection.putheader("Content-Length", "9999")
    connection.endheaders(b"csrf=half+of+a+form")
    connection.close()


def look_from_another_process(at: Desk) -> None:
    """The draft is on disk: a killed app, or one that was ended, has it when it starts again."""
    key = at.key
    assert TYPED[at.page] in user_state.load_draft(key, editing.open_file(key)).values()


def fail_to_store(at: Desk) -> None:
    """A full disk while the next text is stored: an error, and the draft before is whole."""
    key = at.key
    full = NotConfigured("No space is left.", remedy="Free some.")
    with (
        mock.patch.object(storage, "write_atomically", side_effect=full),
        pytest.raises(NotConfigured),
    ):
        user_state.keep_draft(
            key, at.tab["base"], {FIELDS[at.page][0]: "next"}, window=at.tab["window"]
        )


def fail_to_save(at: Desk) -> None:
    """A full disk while the file is saved: the file and the draft are as before."""
    key, path = at.key, at.path
    before = path.read_bytes()
    full = NotConfigured("No space is left.", remedy="Free some.")
    values = {FIELDS[at.page][0]: OTHER[at.page]}
    with (
        mock.patch.object(storage, "write_atomically", side_effect=full),
        pytest.raises(NotConfigured),
    ):
        editing.save(key, at.tab["base"], values)
    assert path.read_bytes() == before


INTERRUPTIONS: tuple[Interruption, ...] = (
    reload, leave_and_return, review_and_go_on, type_in_another_tab, save_in_another_tab,
    save_and_undo_in_another_tab, save_after_another_tab, add_in_another_tab, arrange_in_this_tab,
    change_outside, break_the_file, save_a_fault, lose_the_token, lose_the_session,
    lose_the_connection, look_from_another_process, fail_to_store, fail_to_save,
)  # fmt: skip


@pytest.mark.parametrize("page", FIELDS)
def test_the_page_says_who_else_edits_the_file(
    desk: Client, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    monkeypatch.chdir(desk.folder)
    root, (name, key, _) = pair_plus(desk.folder), FIELDS[page]
    if page == SOURCES:
        write_json(root / "published.json", {"document": GAME, "figures": [FIGURE]})
    tab = type_into(open_tab(desk, page), page, TYPED)
    assert desk.post(f"{page}/edited", tab).status == 200
    assert "is editing this file" not in desk.get(page).text
    user_state.forget_draft(key)
    monkeypatch.setattr(user_state, "account_name", lambda: "lee")
    moments = ["2026-05-01T08:00:00Z", "2026-05-01T08:10:00Z"]
    for moment in moments:
        monkeypatch.setattr(user_state, "utc_now", lambda moment=moment: moment)
        assert user_state.keep_draft(key, tab["base"], {name: OTHER[page]}, window="of Lee")
    shown = desk.get(page).text
    assert re.findall(r'datetime="(2026-05-01T[^"]+)"', shown) == moments
    assert "<strong>lee is editing this file.</strong>" in shown
    assert f'<a href="{page}">' in (today := desk.get("/today").text)
    assert ", lee, since" in today
    assert "in another window by lee" in desk.post(f"{page}/edited", tab).text
    for window in user_state.load_others(key, editing.open_file(key)):
        user_state.settle_draft(key, window, editing.open_file(key), {})
    user_state.forget_draft(key)


@pytest.mark.parametrize("page", [RULES, *further([PAYTABLE, SOURCES])])
def test_nothing_typed_is_lost(desk: Client, monkeypatch: pytest.MonkeyPatch, page: str) -> None:
    monkeypatch.chdir(desk.folder)
    root, key = pair_plus(desk.folder), FIELDS[page][1]
    if page == SOURCES:
        write_json(root / "published.json", {"document": GAME, "figures": [FIGURE]})
    lost = []
    for interrupt in INTERRUPTIONS:
        tab, other = open_tab(desk, page), open_tab(desk, page)
        at = Desk(client=desk, page=page, tab=type_into(tab, page, TYPED), other=other)
        before = at.path.read_bytes()
        assert at.post("edited", at.tab).status == 200
        interrupt(at)
        if not is_kept(desk, page):
            lost.append(interrupt.__name__)
        if at.path.read_bytes() != before:
            at.path.write_bytes(before)
        for window in user_state.load_others(key, editing.open_file(key)):
            user_state.settle_draft(key, window, editing.open_file(key), {})
        user_state.forget_draft(key)
        assert not is_kept(desk, page)
    assert lost == []
