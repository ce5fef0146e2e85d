import csv
import datetime as dt
import hashlib
import html
import json
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from certify.cli.app import run as command
from certify.desk.answers import LARGEST
from certify.signatures.document import signers
from certify.signatures.identity_folder import make_archive
from certify.signatures.sign import sign
from tests.commands.pair_plus import GAME
from tests.desk.conftest import ORDER, TABLE, Client, finish, send
from tests.marks import further
from tests.signatures.conftest import World, server_of_world, unsigned, world

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Dialog, Page

__all__ = ["server_of_world", "unsigned", "world"]  # fixtures

MINI = "mini-pai-gow"
OPTION, WAY = f"{MINI}/main/1", "house-ways/foxwoods"
HOSTILE = "<script>alert(1)</script>'\"\u202e{{ 7*7 }}"
TODAY = dt.datetime.now(dt.UTC).date()
AS_OF = "2026-11-22"
"""The date of the submissions, whose pages are printed once."""

PRINTED = f"certify submit {GAME}-nevada --as-of {AS_OF} --out filed --unsigned --kit"
"""The command on the page of the unsigned submission."""

SECRET = "correct-horse-battery-staple"  # noqa: S105 - the wrong one


@pytest.fixture
def browser_window(office: Client, _chromium: "Browser") -> Iterator["Page"]:
    context = _chromium.new_context(base_url=office.origin, viewport={"width": 1280, "height": 900})
    name, _, value = office.cookie.partition("=")
    context.add_cookies([{"name": name, "value": value, "url": office.origin}])
    page = context.new_page()
    page.set_default_timeout(0)
    yield page
    context.close()


@pytest.fixture(scope="module")
def address(office: Client) -> str:
    """The page of an unsigned submission that the web app wrote into the folder ``filed``."""
    asked = {**ORDER, "as_of": AS_OF, "out": "filed", "signer": "", "kit": "1"}
    answer = finish(office, office.post("/submit", asked))
    made = answer.headers["location"]
    shown = office.get(made).text
    assert "Unsigned: not for submission." in shown
    assert f"{PRINTED}</pre>" in shown
    return made.partition("?")[0]


@pytest.fixture(scope="module")
def folder(office: Client, address: str) -> Path:
    """The folder of that submission."""
    assert address
    return office.folder / "filed"


@pytest.mark.parametrize("signed", ["", *further(["draft", "file"])])
def test_the_printed_command_makes_the_same_files(
    office: Client, folder: Path, monkeypatch: pytest.MonkeyPatch, signed: str
) -> None:
    folder = office.folder / "typed" / signed if signed else folder
    asked = {**ORDER, "out": f"typed/{signed}", "as_of": AS_OF}
    files = {}
    if signed == "draft":
        asked |= {"signer": office.signers[0], "title": "Engineer"}
    elif signed:
        key, certificate = make_archive(common_name="Jane Doe", today=TODAY, password="x")  # noqa: S106 - thrown away
        asked |= {"signer": "file", "password": "x", "title": "Engineer", "licence": "00000"}
        files = {"key_file": ("jane.p12", key)}
        # The command names the file, in the folder that it runs in.
        (office.folder / "jane.p12").write_bytes(key)
        (office.folder / "jane.pem").write_bytes(certificate.pem())
        monkeypatch.setenv("CERTIFY_KEY_PASSWORD", "x")
    printed = PRINTED
    if signed:
        answer = finish(office, send(office, "/submit", files, **asked))
        shown = office.get(answer.headers["location"]).text
        found = re.search(r'<pre tabindex="0">(.*?)</pre>', shown, re.DOTALL)
        assert found is not None
        printed = html.unescape(found[1])
    at_desk = {path.name: path.read_bytes() for path in folder.iterdir()}
    shutil.rmtree(folder)
    # A signed filing is entered there, and the checklist says so.
    (office.folder / "register.json").unlink(missing_ok=True)
    monkeypatch.chdir(office.folder)
    monkeypatch.setenv("CERTIFY_HOME", str(office.home))
    for line in printed.splitlines():
        _, *words = shlex.split(line)
        monkeypatch.setattr("sys.argv", ["certify", *words])
        assert command(words) == 0
    by_command = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert by_command.keys() == at_desk.keys()
    # A signature has its time, and the manifest lists the digests of the signed files.
    timed = (".pdf", ".manifest.json") if signed else ()
    for name, data in at_desk.items():
        if not name.endswith(timed):
            assert by_command[name] == data, name
    if signed:
        for pair in zip(*(sign_names(found) for found in (at_desk, by_command)), strict=True):
            assert pair[0] == pair[1]


def sign_names(files: dict[str, bytes]) -> list[tuple[str, list[str]]]:
    return [
        (name, [signer.common_name for signer in signers(data) if signer is not None])
        for name, data in sorted(files.items())
        if name.endswith(".pdf")
    ]


def test_a_submission_serves_its_unchanged_files_and_states_its_next_step(
    office: Client, address: str, folder: Path
) -> None:
    shown = office.get(address).text
    links = [*dict.fromkeys(re.findall(r'href="([^"]+\.(?:pdf|json))"', shown))]
    assert len(links) == 7
    groups = {
        re.findall(r"[A-Z].*?(?=</th>)", part)[0]: part
        for part in shown.split('<tr class="group">')[1:]
    }
    internal = groups.pop("Internal: do not send").partition("</table>")[0]
    assert "Work memo" in internal
    assert not any("memo" in part.partition("</tbody>")[0] for part in groups.values())
    link = next(link for link in links if link.endswith("checklist.json"))
    path = folder / link.rpartition("=")[2]
    written = path.read_bytes()
    assert office.get(link).text.encode() == written
    (row,) = [row for row in office.get("/cases").text.split("<tr>") if f'"{address}"' in row]
    assert "filed" in row
    assert "Make the signed filing" in row

    path.write_bytes(written + b"another")
    refused = office.get(link)
    assert refused.status == 409
    assert "was changed after the submission" in refused.text
    assert office.get(f"{address}?file={address.rpartition('/')[2]}.zip").status == 409
    shown = office.get(address).text
    assert "has changed since this submission was made" in shown
    state = "<strong>changed after this submission was made"
    assert state in shown.partition(f">{path.name}</th>")[2].partition("</tr>")[0]
    assert links[1] in shown
    assert link not in shown
    path.unlink()
    assert office.get(link).status == 404
    shown = office.get(address).text
    assert "missing" in shown.partition(f">{path.name}</th>")[2].partition("</tr>")[0]
    path.write_bytes(written)
    assert "no longer" not in office.get(address).text
    for name in ("..%2F..%2Fcertify.toml", "other.txt"):
        assert office.get(f"{address}?file={name}").status == 404
    for other in ("..%2F..", "%2Fetc", "paytables"):
        assert office.get(f"/submissions/{other}/x").status == 404
    unknown = office.get("/submit/made/of-an-earlier-run")
    assert unknown.status == 404
    assert "Jobs lists the earlier ones" in unknown.text


def stamp_of(office: Client, name: str) -> str:
    """Return the mark of a form that shows whether its filing changed since."""
    shown = office.get(f"/submit?game={GAME}&jurisdiction=nevada&filing={name}").text
    found = re.search(r'name="stamp" value="([^"]*)"', shown)
    assert found is not None
    return found[1]


def test_the_form_writes_the_filing_and_its_command_names_it(office: Client) -> None:
    path = office.folder / "filings" / "harbor.json"
    asked = {**ORDER, "filing": "harbor", "stamp": "none"}
    parties = {"operator/name": "Harbor Casino", "laboratory/name": "Bay Laboratory"}
    choices = {"banking": "rotating", "applicant": "operator", "application_reason": "A promotion."}
    asked |= {"code_options/pair-plus": "§ 1, option 2", "supplied/layout/statement": "Attached."}
    upload, layout = "supplied/layout/files/new", path.parent / "layout.pdf"
    path.parent.mkdir(exist_ok=True)
    try:
        refusals = {"other.json": b"{}", "..": b"", "layout.pdf": b"1", "harbor-letter.pdf": b"2"}
        for name, data in refusals.items():
            layout.write_bytes(b"")
            refused = send(office, "/submit/terms", {upload: (name, data)}, **asked)
            assert (refused.status, 'id="supplied' in refused.text) == (422, True), name
        layout.unlink()
        assert not path.exists()
        fees = {"fees/bands/0/from_cents": "5", "fees/bands/0/cents": "1", "fees/text": "Paid."}
        refused = office.post("/submit/terms", {**asked, **fees})
        assert "no collection fee is printed" in refused.text
        files = {upload: (layout.name, b"A layout.")}
        sent = send(office, "/submit/terms", files, **asked, **parties, **choices)
        assert sent.status == 303
        assert layout.read_bytes() == b"A layout."
        assert layout.name in office.get(sent.headers["location"]).text
        written = json.loads(path.read_bytes())
        assert written.pop("revised") == TODAY.isoformat()
        assert written == {
            "$schema": "filing.schema.json",
            "id": "harbor",
            "game": GAME,
            "jurisdiction": "nevada",
            "revision": "1",
            "operator": {"name": "Harbor Casino"},
            "laboratory": {"name": "Bay Laboratory"},
            "paytables": [TABLE],
            "code_options": {"pair-plus": "§ 1, option 2"},
            "supplied": [
                {
                    "item": "layout",
                    "statement": "Attached.",
                    "files": [
                        {"name": "layout.pdf", "sha256": hashlib.sha256(b"A layout.").hexdigest()}
                    ],
                }
            ],
            **choices,
        }
        assert not (office.folder / "terms").exists()
        elsewhere = {**asked, "jurisdiction": "maryland"}
        for name in ("harbor", GAME, "../harbor"):
            refused = office.post("/submit/terms", {**elsewhere, "filing": name})
            assert (refused.status, 'id="filing_fault"' in refused.text) == (422, True), name
        assert not (office.folder / "filings" / f"{GAME}-maryland.json").exists()
    finally:
        path.unlink()


def test_a_new_revision_is_declared_in_the_form_once(office: Client) -> None:
    path = office.folder / "filings" / "revised.json"
    asked = {**ORDER, "filing": "revised", "stamp": "none"}
    assert office.post("/submit/terms", asked).status == 303
    asked |= {"out": "../x", "revision": "2", "revised": "2026-11-24"}
    try:
        before = path.read_bytes()
        asked["stamp"] = stamp_of(office, "revised")
        answer = office.post("/submit/terms", asked)
        assert 'id="reason_fault"' in answer.text
        assert path.read_bytes() == before
        answer = office.post("/submit", {**asked, "reason": "A wager was added."})
        assert 'id="out_fault"' in answer.text
        assert "Revision 2, November 24, 2026" in answer.text
        assert "A wager was added." not in answer.text
        assert json.loads(path.read_bytes())["changes"][-1]["text"] == "A wager was added."
        query = f"game={GAME}&jurisdiction=nevada&filing=revised"
        assert "../x" not in office.get(f"/submit?{query}").text  # a refused folder is no choice
    finally:
        path.unlink()


def test_a_draft_is_refused_beside_a_signed_filing(
    office: Client, unsigned: bytes, world: World
) -> None:
    filed = sign(unsigned, identity=world.identity("signer"), reason="", location="").data
    path = office.folder / "final" / "pair-plus.rules.pdf"
    path.parent.mkdir()
    path.write_bytes(filed)
    for signer in ("", office.signers[0]):
        answer = finish(office, office.post("/submit", {**ORDER, "out": "final", "signer": signer}))
        assert "Drafts need another folder." in answer.text
        assert "Name another output folder" in answer.text
        assert [file.name for file in path.parent.iterdir()] == [path.name]
        assert path.read_bytes() == filed


@pytest.mark.parametrize(
    "name", ["../outside", "/outside", "paytables", "paytables/x", ".", "a\x00b", "a/../../b"]
)
def test_documents_stay_in_the_project(office: Client, name: str) -> None:
    answer = office.post("/submit", {**ORDER, "out": name})
    assert answer.status in {404, 422}
    assert "not a folder" in answer.text


@pytest.mark.parametrize("address", ["/submit", "/submit/preview"])
def test_a_form_without_a_paytable_is_refused(office: Client, address: str) -> None:
    order = {name: value for name, value in ORDER.items() if name != "paytable"}
    answer = office.post(address, {**order, "out": "none", "signer": "", "stamp": "none"})
    assert answer.status == 422
    assert "No paytable is selected. Select at least one." in answer.text
    assert not (office.folder / "none").exists()


@pytest.mark.parametrize("field", ["game", "jurisdiction", "option", "paytable", "house_way"])
def test_a_hostile_name_is_text_wherever_it_is_printed(office: Client, field: str) -> None:
    answer = office.post("/submit/preview", {**ORDER, field: HOSTILE})
    if answer.status == 303:
        answer = finish(office, answer)
    assert answer.status in {404, 422}
    assert "<script>alert" not in answer.text


def test_a_filing_that_changed_meanwhile_is_not_overwritten(office: Client) -> None:
    path = office.folder / "filings" / "shared.json"
    asked = {**ORDER, "filing": "shared"}
    assert office.post("/submit/terms", {**asked, "players": "4", "stamp": "none"}).status == 303
    try:
        first = stamp_of(office, "shared")
        saved = office.post("/submit/terms", {**asked, "players": "5", "stamp": first})
        assert saved.status == 303
        mine = {**asked, "players": "6", "operator/name": "Harbor Casino", "stamp": first}
        answer = office.post("/submit/preview", mine)
        assert answer.status == 409
        shown = answer.text.partition("Another window saved")[2].partition("</table>")[0]
        versions = re.findall(r"Use (mine|the saved one): </span>([^<]*)", shown)
        assert '<th scope="row">Number of players</th>' in shown
        assert versions[:2] == [("mine", "6"), ("the saved one", "5")]
        assert versions[2:] == [("mine", "Harbor Casino"), ("the saved one", "nothing")]
        assert 'name="players" type="text" value="6"' in answer.text  # nothing typed is lost
        assert json.loads(path.read_bytes())["players"] == 5
        stamp = re.search(r'name="stamp" value="([^"]*)"', answer.text)
        assert stamp is not None
        chosen = {"use/players": "theirs", "use/operator/name": "mine"}
        taken = office.post("/submit/terms", {**mine, "stamp": stamp[1], **chosen})
        assert taken.status == 303
        value = json.loads(path.read_bytes())
        assert (value["players"], value["operator"]["name"]) == (5, "Harbor Casino")
        wrong = office.post("/submit/preview", {**asked, "least_wagers/pair-plus": "ten"})
        assert wrong.status == 422
        assert "ten is not an amount of dollars" in wrong.text
    finally:
        path.unlink()


def test_other_filings_with_errors_are_skipped_and_named(office: Client) -> None:
    path = office.folder / "filings" / "another-game.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text('{"players": "five"}', encoding="utf-8")
    new = f"/submit?game={GAME}&jurisdiction=nevada&filing=new"
    try:
        shown = office.get(new)
        assert shown.status == 200
        assert "filings with errors: another-game.json" in shown.text
    finally:
        path.unlink()
    assert "filings with errors" not in office.get(new).text


def test_what_cannot_be_read_is_listed_with_its_error(office: Client, folder: Path) -> None:
    (manifest,) = folder.glob("*.manifest.json")
    before, register = manifest.read_bytes(), office.folder / "register.json"
    shown = office.get("/cases").text
    assert 'class="fault"' not in shown
    manifest.write_bytes(before[:-9])
    register.write_text('{"approvals": 5}', encoding="utf-8")
    try:
        shown = office.get("/cases").text
        assert f"filed/{manifest.name}: This is no complete manifest of a submission." in shown
        assert "register.json, line 1: " in shown
    finally:
        manifest.write_bytes(before)
        register.unlink()


def test_terms_that_contradict_themselves_are_not_kept(office: Client) -> None:
    path = office.folder / "filings" / "contradictory.json"
    page = office.get(f"/submit?game={GAME}&jurisdiction=nevada&filing={path.stem}").text
    wagers = {"least_wagers/pair-plus": "100", "largest_wagers/pair-plus": "50"}
    assert all(f'name="{name}"' in page for name in wagers)
    asked = {**ORDER, **wagers, "filing": path.stem, "stamp": "none"}
    for address in ("/submit/preview", "/submit/terms"):
        answer = office.post(address, asked)
        assert answer.status == 422
        assert "$100" in answer.text
        assert "above" in answer.text
        assert not path.exists()


def test_a_password_shows_nowhere(office: Client) -> None:
    home = office.home
    identity = home / "keys" / f"{office.signers[0]}.p12"
    beside = identity.with_suffix(".password")
    kept = beside.read_text(encoding="ascii")
    beside.unlink()
    try:
        asked = {**ORDER, "signer": identity.stem, "password": SECRET, "out": "secret"}
        answer = office.post("/submit", asked)
        assert answer.status == 422
        assert 'id="password_fault"' in answer.text
        shown = answer.text + office.get("/cases").text
        written = [path.read_bytes() for path in office.folder.rglob("*") if path.is_file()]
        assert SECRET not in shown
        assert not any(SECRET.encode() in data for data in written)
    finally:
        beside.write_text(kept, encoding="ascii")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"%PDF-1.7\n" + b"<<" * 200_000,
        b"%PDF-1.4\nstartxref\n99999999999999\n%%EOF",
        b"\0" * 99,
    ],
)
def test_a_hostile_pdf_is_refused_in_words(office: Client, data: bytes) -> None:
    answer = send(office, "/verify", {"file": ("x.pdf", data)})
    assert answer.status in {200, 422}
    assert "Accepted." not in answer.text
    assert "defect" not in answer.text


def test_an_upload_that_is_too_large_is_refused(office: Client) -> None:
    answer = send(office, "/verify", {"file": ("x.pdf", b"%PDF-1.7" + b" " * LARGEST)})
    assert answer.status == 422
    assert f"more than {LARGEST:,} bytes" in answer.text


@pytest.mark.parametrize("form", ["nothing", "a field without a file", "text"])
def test_a_form_without_a_file_is_refused(office: Client, form: str) -> None:
    answer = {
        "nothing": lambda: send(office, "/verify", {}),
        "a field without a file": lambda: send(office, "/verify", {"file": ("", b"")}),
        "text": lambda: send(office, "/verify", {}, file="x.pdf"),
    }[form]()
    assert answer.status == 422
    assert "The form has no file." in answer.text


def test_the_name_of_an_upload_is_text_and_no_path(office: Client) -> None:
    before = sorted(office.folder.rglob("*"))
    for name in ("../../register.json", "/etc/passwd", "<img src=x onerror=alert(1)>.pdf"):
        answer = send(office, "/verify", {"file": (name, b"%PDF-1.7")})
        assert answer.status in {200, 422}
        assert "<img src=x" not in answer.text
    assert sorted(office.folder.rglob("*")) == before


def test_the_record_of_a_verification_is_that_of_the_command(
    office: Client, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (path,) = folder.glob("*.rules.pdf")
    stated = json.loads(send(office, "/verify.json", {"file": (str(path), path.read_bytes())}).text)
    assert command(["verify", str(path), str(path), "--format", "json"]) == 3
    first, _ = json.loads(capsys.readouterr().out)["results"]
    assert stated == first


def test_what_was_filed_is_put_on_record_and_exported(office: Client) -> None:
    entry = {"target": TABLE, "jurisdiction": "nevada", "status": "pending", "date": "2026-01-02"}
    later = office.post("/register", {**entry, "date": "2999-01-02"})
    assert (later.status, "This date is in the future." in later.text) == (422, True)
    letter = b"%PDF-1.7 a letter"
    empty = office.post("/register", {**entry, "target": "", "status": ""})
    assert (empty.status, empty.text.count('class="wrong"')) == (422, 2)
    files = {"letter": ("letter.pdf", letter), "documents": ("rules.pdf", b"%PDF-1.7")}
    assert send(office, "/register", files, **entry).status == 303
    shown = office.get("/register").text
    assert TABLE in shown
    offered = shown.partition('<select id="status"')[2].partition("</select>")[0]
    assert re.findall(r'<option value="([^"]+)"', offered) == ["approved", "pending", "rejected"]
    waits = (dt.datetime.now(dt.UTC).date() - dt.date(2026, 1, 2)).days
    assert f"pending for {waits:,} days" in shown
    assert "none computed" in shown
    assert "<td>Nevada</td>" in shown
    assert "WAC 230-06-050(3)" in shown
    deadlines = shown.partition("Deadlines in the states")[2]
    assert "11 CCR § 2071(b), text of 2025-01-10, reproduction read on" in deadlines
    record = json.loads(office.get("/register.json").text)["approvals"]
    assert [entry["target"] for entry in record] == [TABLE]
    assert record[0]["letter_sha256"] == hashlib.sha256(letter).hexdigest()
    assert [document["name"] for document in record[0]["documents"]] == ["rules.pdf"]
    (line,) = csv.DictReader(office.get("/register.csv").text.splitlines())
    assert (line["target"], line["documents"]) == (TABLE, "rules.pdf")
    assert line["letter_sha256"] == record[0]["letter_sha256"]
    assert office.post("/register", {**entry, "status": HOSTILE}).status == 422
    assert office.post("/register", {**entry, "target": "../../x"}).status == 422
    unproven = office.post("/register", {**entry, "status": "approved"})
    assert (unproven.status, 'id="letter_fault"' in unproven.text) == (422, True)


def test_a_correction_shows_the_earlier_version_who_when_and_why(office: Client) -> None:
    entry = {"target": TABLE, "jurisdiction": "maryland", "status": "pending"}
    office.post("/register", {**entry, "date": "2026-01-02"})
    *_, first = json.loads(office.get("/register.json").text)["approvals"]
    form = office.get(f"/register?correct={first['id']}").text
    assert f"Correct entry {first['id']}" in form
    asked = {"correct": first["id"], "status": "pending", "date": "2026-01-02", "by": "Jane Doe"}
    for change, fault in (({}, "reason"), ({"reason": "x"}, "status"), ({"date": "x"}, "date")):
        refused = office.post("/register/correct", {**asked, **change})
        assert (refused.status, f'id="{fault}_fault"' in refused.text) == (422, True)
    asked |= {"date": "2026-01-03", "reason": "Typing error."}
    assert office.post("/register/correct", asked).status == 303
    *_, before, after = json.loads(office.get("/register.json").text)["approvals"]
    assert (before["status"], before["date"]) == ("superseded", "2026-01-02")
    assert after["date"] == "2026-01-03"
    today = dt.datetime.now(dt.UTC).date().isoformat()
    made = {"person": "Jane Doe", "on": today, "reason": "Typing error."}
    assert after["correction"] == {"entry": before["id"], "status": "pending", **made}
    shown = office.get("/register").text
    assert f"Corrects {before['id']} (pending): Typing error. Jane Doe, " in shown
    assert f"superseded by {after['id']}" in shown
    assert f"/register?correct={before['id']}#" not in shown


def test_filings_are_compared_as_the_commands_do(
    office: Client, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(office.folder)
    paths = [office.folder / "filings" / f"{name}.json" for name in ("day", "night")]
    try:
        for path, seats in zip(paths, "45", strict=True):
            asked = {**ORDER, "filing": path.stem, "stamp": "none", "players": seats}
            assert office.post("/submit/terms", asked).status == 303
        touched = 'night</th><td class="text">Nevada'
        for address, words, shown, page in (
            (f"/filings/{GAME}", ["matrix", GAME], "terms: players</th><", f"/games/{GAME}"),
            (f"/impact/{TABLE}", ["impact", TABLE], touched, f"/games/{TABLE}"),
            (
                f"/impact/{OPTION}",
                ["impact", OPTION],
                "No filing rests on it",
                f"/options/{OPTION}",
            ),
            (f"/impact/{WAY}", ["impact", WAY], "No filing rests on it", f"/{WAY}"),
        ):
            assert command([*words, "--format", "json"]) == 0
            assert office.get(f"{address}.json").text == capsys.readouterr().out
            assert shown in office.get(address).text
            assert f'href="{address}"' in office.get(page).text
        sides = "before=day&after=night"
        assert (
            f'href="/compare?{sides}"'.replace("&", "&amp;") in office.get(f"/filings/{GAME}").text
        )
        day = dt.datetime.now(dt.UTC).date().isoformat()
        assert command(["diff", "day", "night", "--as-of", day, "--format", "json"]) == 0
        assert office.get(f"/compare.json?{sides}").text == capsys.readouterr().out
        compared = html.unescape(office.get(f"/compare?{sides}").text)
        assert "<strong>Number of players</strong><br>\n<del>4</del> <ins>5</ins>" in compared
    finally:
        for path in paths:
            path.unlink(missing_ok=True)
    assert 'href="/filings/' not in office.get(f"/games/{MINI}").text


def test_two_tables_are_compared_by_meaning(office: Client) -> None:
    sides = ("mini-pai-gow/bonus/A", "mini-pai-gow/bonus/B")
    query = f"before={sides[0]}&after={sides[1]}"
    shown = office.get(f"/compare?{query}").text
    assert '<th scope="row">Washington</th>' in shown.partition("Filings needed")[2]
    for name in ("../certify.toml", "/etc/passwd", HOSTILE):
        refused = office.get(
            f"/compare?before={sides[0]}&after={name.replace(' ', '%20')}"
            if name.isascii()
            else f"/compare?before={sides[0]}&after=%3Cscript"
        )
        assert refused.status == 404
        assert "<script>alert" not in refused.text
        assert f'name="before" list="known" size="48" value="{sides[0]}"' in refused.text
    assert f'href="/compare.pdf?before={sides[0]}&amp;after={sides[1]}"' in shown
    assert office.get(f"/compare.pdf?{query}").data.startswith(b"%PDF-")


@pytest.mark.long
def test_a_submission_from_a_fresh_folder_to_a_verdict(
    office: Client, browser_window: "Page", tmp_path: Path
) -> None:
    page = browser_window
    page.goto("/cases")
    page.select_option("#game", GAME)
    page.select_option("#jurisdiction", "nevada")
    page.get_by_role("button", name="Continue").click()
    page.get_by_label("Pay table 1").check()
    page.fill("[name='supplier/name']", "Example Gaming")
    page.fill("[name='supplier/address']", "1 Main Street, Reno NV")
    page.select_option("#signer", office.signers[0])
    page.fill("#out", "signed")
    asked: list[str] = []

    def stay(dialog: "Dialog") -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    page.once("dialog", stay)
    page.get_by_role("link", name="Games").click()
    page.wait_for_function("true")
    assert (asked, page.input_value("#out")) == (["beforeunload"], "signed")
    page.get_by_role("button", name="Make the submission").click()
    page.wait_for_url(re.compile("/submissions/signed/"))
    assert "Draft" in page.locator(".state").inner_text()
    assert "Name and address of the developer" in page.content()
    (rules,) = (office.folder / "signed").glob("*.rules.pdf")
    page.goto(f"/submit?game={GAME}&jurisdiction=nevada")
    assert page.get_by_label("Pay table 1").is_checked()
    assert page.input_value("#signer") == office.signers[0]
    page.goto("/verify")
    page.set_input_files("#file", rules)
    page.get_by_role("button", name="Verify", exact=True).click()
    assert page.locator(".verdict.good").inner_text().count("Accepted.") == 1
    assert "Page by page" in page.locator(".verdict.good").inner_text()
    data = bytearray(rules.read_bytes())
    data[len(data) // 3] ^= 1
    changed = tmp_path / "changed.pdf"
    changed.write_bytes(data)
    page.set_input_files("#file", changed)
    page.get_by_role("button", name="Verify", exact=True).click()
    assert "Refused." in page.locator(".verdict.bad").inner_text()
    assert page.locator(".verdict.good").count() == 0
