import json
import os
import shutil
from math import comb
from pathlib import Path

import pytest
from msgspec.structs import replace

from certify import library
from certify.cli.app import run
from certify.commands.submit import submit
from certify.errors import NotConfigured, NotReadable
from certify.filing.documents import VIEWS, render_html
from certify.filing.embedded import list_layers, unpack
from certify.filing.evidence import FORMAT, source_name
from certify.filing.order import UNFILED, build_filing
from certify.intake.read import read_catalog
from certify.library import layers, own_paytables, paytables
from certify.model.submission import Filing, Order, Status, Submission
from certify.report.compose import refuse_faulty_templates
from certify.storage import LOCK
from tests.acceptance.command_line import OWN_DOCUMENT, Certify
from tests.report.conftest import whole

SIX_OF_A_SUIT = 4 * (comb(13, 6) + comb(13, 5))
"""Six-card hands of one suit: six natural cards, or five and the joker."""

OWN_EVENT = {
    "id": "six_of_one_suit",
    "text": "All six cards of one suit; the joker is of any suit",
    "when": {"flush_length": 6},
    "source": {"document": "mini-pai-gow", "clause": "Our own"},
}


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_command: Certify) -> Certify:
    folder = tmp_path / "Unser Käsino"
    monkeypatch.chdir(tmp_path)

    assert run_command("init", folder).code == 0
    monkeypatch.chdir(folder)
    return run_command


def write(name: str, value: object) -> None:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")


def declare_own_paytable(call: Certify) -> None:
    """Declare a paytable of a built-in wager that pays an event of the project."""
    made = call("new", "paytable", "mini-pai-gow/bonus/D", "--clause", "Our own")
    assert made.code == 0
    path = Path("paytables/mini-pai-gow/bonus/D.json")
    value = json.loads(path.read_text(encoding="utf-8"))
    value["rows"] = [{"event": OWN_EVENT["id"], "name": "Six of One Suit", "pays": "900 to 1"}]
    write(str(path), value)
    write("paytables/events.json", {"$schema": "events.schema.json", "events": [OWN_EVENT]})


def test_own_paytable_and_own_event_are_known_to_every_command(call: Certify) -> None:
    declare_own_paytable(call)
    Path("deep/inside").mkdir(parents=True)
    os.chdir("deep/inside")
    ran = call("evaluate", "mini-pai-gow/bonus/D", "--format", "json")
    assert ran.code == 0
    assert ran.json["rows"][0]["combinations"] == SIX_OF_A_SUIT
    assert [item["path"] for item in ran.json["inputs"]] == [
        "paytables/events.json",
        "paytables/mini-pai-gow/bonus/wager.json",
        "paytables/mini-pai-gow/game.json",
        "project/paytables/events.json",
        "project/paytables/mini-pai-gow/bonus/D.json",
    ]
    among = call("evaluate", "mini-pai-gow/bonus", "--format", "json").json["results"]
    assert [item["paytable"] for item in among] == ["A", "B", "C", "D", "community"]
    said = call("explain", "mini-pai-gow/bonus/D", "As Ks Qs 9s 4s Jk")
    assert "900 to 1" in said.out
    assert call("check").code == 0
    assert call("diff", "mini-pai-gow/bonus/A", "mini-pai-gow/bonus/D").code == 0
    assert call("crosscheck", "mini-pai-gow/bonus/D").code == 0


def test_a_project_is_checked_from_anywhere(
    call: Certify, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    declare_own_paytable(call)
    inside = {finding["code"] for finding in call("check", "--format", "json").json["findings"]}
    folder = Path.cwd()
    monkeypatch.chdir(tmp_path)
    outside = call("check", folder / "paytables", "--format", "json").json
    assert {finding["code"] for finding in outside["findings"]} == inside
    assert outside["checked"] == 2


def test_built_in_event_keeps_its_meaning(call: Certify) -> None:
    declare_own_paytable(call)
    write(
        "paytables/events.json",
        {"$schema": "events.schema.json", "events": [OWN_EVENT | {"id": "five_aces"}]},
    )
    ran = call("check", "--format", "json")
    found = {
        (finding["code"], finding["file"], finding["pointer"]) for finding in ran.json["findings"]
    }
    assert ("D004", "paytables/events.json", "/events/0/id") in found
    assert ran.code == 1


def test_a_file_takes_the_place_of_the_built_in_one(call: Certify) -> None:
    built_in = call("evaluate", "mini-pai-gow/bonus/A", "--format", "json").json
    value = json.loads((paytables() / "mini-pai-gow/bonus/A.json").read_bytes())
    value["$schema"] = "paytable.schema.json"
    value["rows"][0]["pays"] = "500 to 1"
    write("paytables/mini-pai-gow/bonus/A.json", value)
    own = call("evaluate", "mini-pai-gow/bonus/A", "--format", "json").json
    assert own["rows"][0]["pays"] == "500 to 1"
    assert own["rows"][0]["combinations"] == built_in["rows"][0]["combinations"]


def test_own_game_and_house_way_are_known_by_their_ids(call: Certify) -> None:
    assert call("new", "game", "our-mini", "--like", "mini-pai-gow", *OWN_DOCUMENT).code == 0
    assert call("new", "house-way", "our-way", "--like", "mini-pai-gow").code == 0
    assert call("evaluate", "our-mini/bonus/A").code == 0
    assert call("audit", "our-mini").code == 0
    assert call("explain", "our-mini/bonus/A", "As Ks Qs 9s 4s Jk").code == 0
    assert call("diff", "our-way", "mini-pai-gow").code == 2  # a game has the id, and it wins
    assert call("diff", "our-way", "house-ways/mini-pai-gow").code == 0
    ran = call("evaluate", "our-mni")
    assert (ran.code, "Did you mean our-mini" in ran.err) == (2, True)


MARK = "Our own word on the head of every part"


@pytest.mark.usefixtures("call")
def test_own_templates_print_and_are_embedded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = (library.templates() / "rules/signatures.html.j2").read_text(encoding="utf-8")
    own = Path("templates/rules/signatures.html.j2")
    own.parent.mkdir(parents=True)
    own.write_text(f"<p>{MARK}</p>{head}", encoding="utf-8")
    order = Order(game="mini-pai-gow", jurisdiction="nevada", paytables=("A",))
    filing = build_filing(order)
    submission = replace(whole("mini-pai-gow", "nevada"), templates=())
    marked = replace(submission, templates=filing.templates)
    assert MARK in render_html(marked, "rules")
    assert MARK not in render_html(submission, "rules")
    files = {source_name(document): document.text.encode() for document in filing.documents}
    assert files["project--templates--rules--signatures.html.j2"] == own.read_bytes()
    monkeypatch.chdir(tmp_path)
    evidence = {
        "format": FORMAT,
        "sources": {source_name(document): document.sha256 for document in filing.documents},
        "order": {"game": order.game},
        "provenance": {"letter": None},
        "engine": {"sha256": library.build_sha256()},
    }
    assert unpack(files, evidence, tmp_path) == []
    again = build_filing(order, *list_layers(tmp_path), ignored=UNFILED, embedded=True)
    read = replace(submission, templates=again.templates)
    assert render_html(read, "rules") == render_html(marked, "rules")


FAULTS = {
    "{% endif %}": "'endif'",
    "{{ game | shout }}": "'shout'",
    "{% if not draft %}{{ gaem }}{% endif %}": "'gaem' is undefined",
    "{% for each in submission.options %}{{ eahc.id }}{% endfor %}": "'eahc' is undefined",
    "{{ submission.game.titel }}": "submission.game has no 'titel'",
    "{% if submission.main %}{{ submission.main.x.y }}{% endif %}": "submission.main has no 'x'",
    '{% include "parts/gone.html.j2" %}': "there is no template 'parts/gone.html.j2'",
    '{% import "parts/macros.html.j2" as draw %}{{ draw.tabel(game) }}': "has no macro 'tabel'",
}
"""Texts of templates, each with the fault that is named."""


@pytest.mark.usefixtures("call")
@pytest.mark.parametrize("text", FAULTS)
def test_a_faulty_template_is_found_before_anything_is_counted(
    text: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    own = Path("templates/parts/control.html.j2")
    own.parent.mkdir(parents=True)
    own.write_text(f"<p>\n{text}", encoding="utf-8")
    monkeypatch.setattr("certify.commands.submit.count_filing", None)
    order = Order(game="mini-pai-gow", jurisdiction="nevada", accept_replaced=True)
    with pytest.raises(NotReadable, match=r"parts/control\.html\.j2, line 2: ") as caught:
        submit(order, signing=None, out=tmp_path / "out")
    assert FAULTS[text] in caught.value.message
    assert not (tmp_path / "out").exists()


MISFITS = {
    "{{ submission.analyses['gone'].target }}": "has no attribute 'gone'",
    "{{ game|spelled }}": "not str",
    "{{ submission.terms.laboratory_letter.x }}": "None",
}
"""Faults of a value, which the source of a template does not show."""


@pytest.mark.usefixtures("call")
@pytest.mark.parametrize("text", MISFITS)
def test_a_fault_of_a_value_is_found_before_a_final_submission_is_counted(
    text: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The counts of an earlier draft fill the templates."""
    own = Path("templates/rules/signatures.html.j2")
    own.parent.mkdir(parents=True)
    own.write_text(f"<p>\n{text}", encoding="utf-8")

    def build(filing: Filing, **_: object) -> Submission:
        return replace(whole("mini-pai-gow", "nevada"), templates=filing.templates)

    monkeypatch.setattr("certify.commands.submit._status", lambda *_: Status.FINAL)
    monkeypatch.setattr("certify.commands.submit.count_filing", lambda filing, _: filing)
    monkeypatch.setattr("certify.commands.submit.build_submission", build)
    monkeypatch.setattr("certify.commands.submit.bypass_cache", None)
    order = Order(game="mini-pai-gow", jurisdiction="nevada", accept_replaced=True)
    with pytest.raises(NotReadable, match=r"rules/signatures\.html\.j2, line 2: ") as caught:
        submit(order, signing=None, out=tmp_path / "out")
    assert MISFITS[text] in caught.value.message


SOUND = """
{% macro row(it, width=2) %}{{ it }}{{ width }}{{ varargs }}{% endmacro %}
{% import "parts/forms.html.j2" as form %}{% set mark = report_id %}{{ mark }}{{ row(title) }}
{% for wager in submission.wagers %}{{ loop.index }}{{ wager.name.upper() }}{% endfor %}
{% if unheard is defined %}{{ unheard }}{% endif %}{{ submission.report_id }}
{% include "parts/gone.html.j2" ignore missing %}
"""


@pytest.mark.usefixtures("call")
def test_a_macro_that_our_templates_need_is_missed_in_the_file_that_lacks_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    shipped = (library.templates() / "parts" / "macros.html.j2").read_text(encoding="utf-8")
    own = Path("templates/parts/macros.html.j2")
    own.parent.mkdir(parents=True)
    own.write_text(shipped.replace("macro table(", "macro tables("), encoding="utf-8")
    names = ("mini-pai-gow/bonus/A", "mini-pai-gow/bonus/B")
    assert run(["diff", *names, "--pdf", "redline.pdf"]) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert f"{own}, line 1: this template cannot be used: there is no macro 'table'; " in said
    assert not Path("redline.pdf").exists()


@pytest.mark.usefixtures("call")
def test_no_sound_template_is_refused(tmp_path: Path) -> None:
    """Of copies of our own, and of one that uses names in every way that Jinja has."""
    copies = tmp_path / "templates"
    shutil.copytree(library.templates(), copies, ignore=shutil.ignore_patterns("desk", "fonts"))
    (copies / "parts" / "control.html.j2").write_text(SOUND, encoding="utf-8")
    refuse_faulty_templates((copies,))
    submission = replace(whole("mini-pai-gow", "nevada"), templates=(copies,))
    assert "NEVADA" in render_html(submission, "rules").upper()


def test_every_name_of_a_view_is_known_to_the_check_of_templates(tmp_path: Path) -> None:
    """A template may use a name of a view that none of our templates uses."""
    own = tmp_path / "templates"
    own.mkdir()
    submission = whole("mini-pai-gow", "nevada")
    names = sorted({"report_id"}.union(*(view(submission) for view in VIEWS.values())))
    uses = "".join(f"{{{{ {name} }}}}" for name in names)
    (own / "new.html.j2").write_text(uses, encoding="utf-8")
    refuse_faulty_templates((own,))


@pytest.mark.parametrize("text", ["{% if %}", "{{ nothing.like.it }}", "{{ 1 / 0 }}"])
@pytest.mark.usefixtures("call")
def test_a_wrong_template_is_for_the_user_to_fix(text: str) -> None:
    own = Path("templates/rules/signatures.html.j2")
    own.parent.mkdir(parents=True)
    own.write_text(text, encoding="utf-8")
    filing = build_filing(Order(game="mini-pai-gow", jurisdiction="nevada"))
    with pytest.raises(NotReadable, match=r"rules/signatures\.html\.j2, line 1: "):
        render_html(replace(whole("mini-pai-gow", "nevada"), templates=filing.templates), "rules")


@pytest.mark.parametrize(("name", "data"), [("a--b.j2", b""), ("a.j2", b"\xff")])
@pytest.mark.usefixtures("call")
def test_a_template_that_cannot_be_embedded_is_refused(name: str, data: bytes) -> None:
    Path("templates").mkdir()
    Path("templates", name).write_bytes(data)
    with pytest.raises(NotReadable):
        build_filing(Order(game="mini-pai-gow", jurisdiction="nevada"))


def test_outside_of_a_project_nothing_is_written(
    call: Certify, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    before = sorted(paytables().rglob("*"))
    for arguments in (
        ("paytable", "mini-pai-gow/bonus/D", "--clause", "x"),
        ("house-way", "our-way", "--like", "foxwoods"),
        ("game", "our-mini", "--like", "mini-pai-gow"),
    ):
        ran = call("new", *arguments)
        assert (ran.code, ran.out) == (2, "")
        assert "certify init" in ran.err
    kept = call("crosscheck", "mini-pai-gow/main", "--store")
    assert (kept.code, "certify init" in kept.err) == (2, True)
    assert sorted(paytables().rglob("*")) == before
    with pytest.raises(NotConfigured):
        own_paytables()


@pytest.mark.parametrize("folder", ["", "inner"])
def test_there_is_no_project_inside_a_project(call: Certify, folder: str) -> None:
    ran = call("init", *filter(None, [folder]))
    assert (ran.code, ran.out) == (2, "")
    assert "is in the project" in ran.err
    assert not Path("inner").exists()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[chek]\n", "unknown setting chek"),
        ("[", "cannot be read"),
        ("a = é", "cannot be read"),
    ],
)
def test_a_wrong_project_file_is_reported(text: str, words: str, call: Certify) -> None:
    declare_own_paytable(call)
    Path("certify.toml").write_text(text, encoding="utf-8")
    for command in (("evaluate", "mini-pai-gow/bonus/A"), ("check", "paytables"), ("doctor",)):
        ran = call(*command)
        assert ran.code == 2
        assert words in ran.out + ran.err


def test_project_in_the_library_adds_no_layer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("schemas", "paytables", "templates"):
        (tmp_path / name).symlink_to(paytables().parent / name)
    (tmp_path / "certify.toml").touch()
    monkeypatch.setenv("CERTIFY_LIBRARY", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert layers() == (tmp_path / "paytables",)
    _, findings = read_catalog(*layers())
    assert findings == ()


def test_file_anywhere_is_evaluated_by_its_path(certify: Certify, tmp_path: Path) -> None:
    path = tmp_path / "Entwurf für später.json"
    shutil.copy(paytables() / "mini-pai-gow/bonus/A.json", path)
    ran = certify("evaluate", path, "--format", "json")
    assert (ran.code, ran.err) == (0, "")
    assert ran.json["target"] == "mini-pai-gow/bonus/A"
    assert path.name in [item["path"] for item in ran.json["inputs"]]


def test_game_from_nothing_is_checked_counted_and_explained(call: Certify) -> None:
    stated = ("--called", "Fortune", "--document", "Rules of Fortune", "--clause", "Rules")
    assert call("new", "game", "fortune", "--blank", *stated).code == 0
    assert call("check").code == 4  # no verification count of its main wager is stored yet
    assert call("new", "wager", "fortune/bonus", "--called", "Bonus", "--clause", "Bonus").code == 0
    unpaid = call("check")
    assert "The wager bonus has no paytable" in unpaid.out
    event = ("--text", "Six cards of one suit", "--document", "fortune", "--clause", "Bonus")
    condition = '{"flush_length": {"min": 6}}'
    assert call("new", "event", "six_flush", *event, "--when", condition).code == 0
    rows = ("--row", "six_flush=10 to 1", "--row", "straight=2 to 1")
    assert call("new", "paytable", "fortune/bonus/1", "--clause", "Bonus", *rows).code == 0
    checked = call("check").out
    assert "paytables/dealer-open-pai-gow" not in checked  # an event is no part of a main wager
    assert checked.endswith("0 errors, 0 warnings, 0 notes; 1 not judged.\n")
    six, seven = comb(13, 6) * 39 + comb(13, 7), comb(13, 5) * 39 + comb(13, 6)
    ran = call("evaluate", "fortune/bonus/1", "--format", "json")
    assert ran.json["rows"][0]["combinations"] == 4 * (six + seven)
    assert "pays 10 to 1" in call("explain", "fortune/bonus/1", "2h 4h 6h 8h Th Qh As").out


def list_files() -> list[Path]:
    """Return the files of the project without its lock, which stays."""
    return sorted(path for path in Path().rglob("*") if path.name != LOCK)


def test_wrong_scaffolds_are_refused_and_write_nothing(call: Certify) -> None:
    before = list_files()
    assert "Use --like GAME" in call("new", "game", "fortune").err
    unpaid = ("--clause", "D", "--row", "flush=0 to 1")
    assert "error S005" in call("new", "paytable", "mini-pai-gow/bonus/D", *unpaid).err
    stated = ("--text", "t", "--document", "d", "--clause", "c")
    unknown = call("new", "event", "mine", *stated, "--when", '{"flsh_length": 5}')
    assert (unknown.code, "flsh_length" in unknown.err) == (1, True)
    assert list_files() == before


def test_the_events_of_a_file_with_faults_are_not_missing_as_well(call: Certify) -> None:
    stated = ("--text", "t", "--document", "mini-pai-gow", "--clause", "1")
    assert call("new", "event", "mine", *stated, "--like", "flush").code == 0
    row = ("--clause", "D", "--row", "mine=4 to 1")
    assert call("new", "paytable", "mini-pai-gow/bonus/D", *row).code == 0
    path = Path("paytables/events.json")
    sound = path.read_text(encoding="utf-8")
    for faulty in (sound.replace('"when"', '"if"'), sound.replace("[", "[,", 1), sound + "]"):
        assert faulty != sound
        path.write_text(faulty, encoding="utf-8")
        found = call("check", "--format", "json").json["findings"]
        errors = [item for item in found if item["severity"] == "error"]
        assert errors
        assert {error["file"] for error in errors} == {"paytables/events.json"}
