import datetime as dt
import doctest
import inspect
import json
import pydoc
import re
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from inspect import Parameter
from pathlib import Path
from typing import Any, Protocol

import pytest
from msgspec import NODEFAULT

import certify
from certify import api
from certify.errors import CertifyError, NotConfigured, NothingChecked, NotReadable
from certify.figures.targets import UNSAVED
from certify.intake.decode import decode
from certify.intake.workspace import Workspace
from certify.library import paytables
from certify.model.approval import RootRole
from certify.model.paytable import declare_paytable
from certify.model.request import Request, list_fields, list_options, list_parts
from certify.signatures.identity_folder import init_development
from tests.acceptance.command_line import ROOT, Certify
from tests.commands.conftest import blank_pages
from tests.commands.pair_plus import GAME, pair_plus
from tests.homes import new_home

__all__ = ["blank_pages"]  # a fixture


class Result(Protocol):
    def to_dict(self) -> dict[str, Any]: ...


HAND = "As Ad Ah Kd 2c 2d"
SHIPPED = [
    file.relative_to(paytables()).with_suffix("").as_posix()
    for file in sorted(paytables().glob("*/*/*.json"))
    if "paytable.schema.json" in file.read_text("utf-8")
]
PAGE = ROOT / "docs" / "reference" / "python.md"


@pytest.fixture(autouse=True)
def repository_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def test_the_examples_of_the_page_are_right() -> None:
    failed, tried = doctest.testfile(str(PAGE), module_relative=False)
    assert failed == 0
    assert tried > 8


def test_the_functions_are_those_of_the_package() -> None:
    for name in {*certify.__all__} - {*certify.TYPES}:
        assert getattr(certify, name) is getattr(api, name)
    stub = (ROOT / "certify" / "__init__.pyi").read_text(encoding="utf-8")
    assert all(f"import {name} as {name}\n" in stub for name in certify.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'count'"):
        getattr(certify, "count")  # noqa: B009 - the stub has no such name


def test_the_type_of_each_result_is_a_public_name() -> None:
    returned = [
        getattr(api, name).__annotations__["return"]
        for name in {*certify.__all__} - {*certify.TYPES}
    ]
    names = {name for words in returned for name in words.split(" | ")}
    assert names == {*certify.TYPES} - {"Analysis", "Finding"}
    for name in certify.TYPES:
        assert getattr(certify, name).__name__ == name
    (found,) = certify.evaluate(BONUS).analyses
    assert isinstance(found, certify.Analysis)


@pytest.mark.parametrize("name", sorted({*certify.__all__} - {*certify.TYPES, "games"}))
def test_a_function_has_the_options_of_its_request(name: str) -> None:
    declared = getattr(api, name)
    _, request = api.find_command(declared.command)
    parameters = inspect.signature(declared).parameters
    parts = {field.name: field for kind in list_kinds(request) for field in list_fields(kind)}
    options = dict(list_options(request))
    one_role = {f"trust_{role}" for role in RootRole}  # in Python, trust_by_role
    others = {"progress", "trust_by_role"} & parts.keys()
    assert parameters.keys() == (options.keys() - one_role) | others
    for option, parameter in parameters.items():
        assert re.search(rf"^    {option}: \S", inspect.getdoc(declared) or "", re.MULTILINE)
        default = parts[option].default
        if parameter.kind is Parameter.VAR_POSITIONAL or parameter.default is Parameter.empty:
            assert default in ((), "", NODEFAULT)  # empty: nothing is named
        elif parameter.default not in (None, {}):
            assert parameter.default == default
    assert f"{name}(" in pydoc.plain(pydoc.render_doc(declared))


def list_kinds(request: type[Request]) -> list[type[Request]]:
    return [request, *(kind for _, part in list_parts(request) for kind in list_kinds(part))]


BONUS = "mini-pai-gow/bonus/A"


@pytest.mark.parametrize(
    ("option", "values"),
    [
        ("players", [0, 9, 99, 2.0, True, "3"]),
        ("wager_cents", [-500, 2.5, False, "5"]),
        ("limit_cents", [-1, 1.5]),
        ("strategy", ["best"]),
        ("joker", ["wild"]),
    ],
)
def test_what_the_command_refuses_is_refused_in_python(
    option: str, values: list[Any], certify: Certify
) -> None:
    word = f"--{option.removesuffix('_cents')}"
    assert certify("evaluate", BONUS, f"{word}={values[0]}").code == 2
    for value in values:
        with pytest.raises(NotReadable):
            api.evaluate(BONUS, **{option: value})


def test_a_meter_is_in_whole_cents() -> None:
    with pytest.raises(
        NotReadable, match=r"meters\['1'\] is 1.5 cents, which is not a whole number"
    ):
        certify.evaluate(BONUS, meters={"1": 1.5})  # type: ignore[dict-item] # what is refused


UNKNOWN = "paytables/none.json"
TABLE = f"paytables/{BONUS}.json"


evaluate: Any = api.evaluate  # for values of any type
events: Any = api.events
submit: Any = partial(api.submit, "mini-pai-gow", "nevada", "no", unsigned=True)
solve: Any = partial(api.solve, BONUS, "4..5", ["flush"])
SOLVE = ("solve", BONUS, "--edge=4..5", "--open=flush")
SUBMIT = ("--jurisdiction=nevada", "--out=no", "--unsigned")


def say(call: Callable[[], object]) -> str:
    """Return the message with which a call is refused."""
    with pytest.raises(CertifyError) as caught:
        call()
    return caught.value.message


@pytest.mark.parametrize(
    ("words", "call"),
    [
        *(
            (("evaluate", BONUS, f"--players={n}"), partial(evaluate, BONUS, players=n))
            for n in (99, 0, -1, 2.5, True)
        ),
        *(
            (
                ("evaluate", BONUS, f"--{name}={dollars}"),
                partial(evaluate, BONUS, **{f"{name}_cents": cents}),
            )
            for name in ("wager", "limit")
            for dollars, cents in (("-5", -500),)
        ),
        (("evaluate", BONUS, "--meter=1=-5"), partial(api.evaluate, BONUS, meters={"1": -500})),
        (("evaluate", BONUS, "--strategy=best"), partial(api.evaluate, BONUS, strategy="best")),
        (("evaluate", BONUS, "--joker=wild"), partial(api.evaluate, BONUS, joker="wild")),
        (
            ("evaluate", "mini-pai-gow/main", "--house-way=none"),
            partial(api.evaluate, "mini-pai-gow/main", house_way="none"),
        ),
        (("evaluate", UNKNOWN), partial(api.evaluate, UNKNOWN)),
        (("explain", BONUS, "As As"), partial(api.explain, BONUS, "As As")),
        (("crosscheck", BONUS, "--strategy=best"), partial(api.crosscheck, BONUS, strategy="best")),
        (("diff", BONUS, UNKNOWN), partial(api.diff, BONUS, UNKNOWN)),
        (("compare", "none.csv", BONUS), partial(api.compare, "none.csv", BONUS)),
        (("verify", "none.pdf"), partial(api.verify, "none.pdf")),
        (("reproduce", "none.pdf"), partial(api.reproduce, "none.pdf")),
        (("monitor", "none.csv"), partial(api.monitor, "none.csv")),
        (("audit", "none"), partial(api.audit, "none")),
        (("check", "--changed-since=none"), partial(api.check, changed_since="none")),
        (("events", "--cards=0"), partial(api.events, cards=0)),
        *(
            (
                (*SOLVE, f"--{name}={text}"),
                partial(solve, **{option: value}),
            )
            for name, text, option, value in (
                ("players", "9", "players", 9),
                ("players", "some", "players", "some"),
                ("limit", "0", "limit", 0),
                ("limit", "1001", "limit", 1001),
                ("step", "0", "step_cents", 0),
                ("step", "-1", "step_cents", -100),
                ("meter", "1=-5", "meters", {"1": -500}),
                ("by", "size", "by", "size"),
                ("as-of", "soon", "as_of", "soon"),
                ("jurisdiction", "nowhere", "jurisdiction", "nowhere"),
            )
        ),
        (
            ("solve", BONUS, "--edge=4..5", "--open=prize:flush"),
            partial(api.solve, BONUS, "4..5", ["prize:flush"]),
        ),
        (
            ("solve", BONUS, "--edge=high", "--open=flush"),
            partial(api.solve, BONUS, "high", ["flush"]),
        ),
        (
            ("diff", BONUS, BONUS, "--as-of=2026-13-01"),
            partial(api.diff, BONUS, BONUS, as_of="2026-13-01"),
        ),
        (
            ("crosscheck", "mini-pai-gow/main", "--house-way=none"),
            partial(api.crosscheck, "mini-pai-gow/main", house_way="none"),
        ),
        (("events", "--cards=many"), partial(events, cards="many")),
        (("events", "--game=none"), partial(api.events, game="none")),
        *(
            (
                ("submit", "mini-pai-gow", *SUBMIT, f"--{name.replace('_', '-')}={value}"),
                partial(submit, **{name: value}),
            )
            for name, value in (
                ("strategy", "best"),
                ("as_of", "2026-02-30"),
                ("house_way", "none"),
                ("terms", "none.json"),
                ("register", "none.json"),
            )
        ),
        (
            ("solve", BONUS, "--edge=5..4", "--open=flush"),
            partial(api.solve, BONUS, "5..4", ["flush"]),
        ),
        (
            (*SOLVE, "--bound=flush=6..3"),
            partial(solve, bounds={"flush": (6, 3)}),
        ),
        ((*SOLVE, "--bound=flush=0..3"), partial(solve, bounds={"flush": (0, 3)})),
        ((*SOLVE, "--bound=straight=2..3"), partial(solve, bounds={"straight": (2, 3)})),
        ((*SOLVE, "--bound=odds:x=2..3"), partial(solve, bounds={"odds:x": (2, 3)})),
        ((*SOLVE, "--choose=2"), partial(solve, choose=2)),
        ((*SOLVE, "--choose=0", "--write=x.json"), partial(solve, choose=0, write="x.json")),
        ((*SOLVE, "--write=x.txt"), partial(solve, write="x.txt")),
        (("check", "--select=P004,Z9"), partial(api.check, select=["P004", "Z9"])),
        (("check", "--ignore=p004"), partial(api.check, ignore=["p004"])),
        (("check", "--artwork=card.txt"), partial(api.check, artwork="card.txt")),
        (
            ("check", "--artwork=card.txt", f"--target={BONUS}"),
            partial(api.check, artwork="card.txt", target=BONUS),
        ),
        (("check", "--builtin", "x.json"), partial(api.check, "x.json", builtin=True)),
        (("check", "--path=x.json"), partial(api.check, path="x.json")),
        (("check", "--stdin"), partial(api.check, stdin=True)),
        (
            ("check", "--stdin", "--path=x.json", "y.json"),
            partial(api.check, "y.json", stdin=True, path="x.json"),
        ),
        (("check", "--fail-on=bad"), partial(api.check, fail_on="bad")),
        (("check", TABLE, "--baseline=none.json"), partial(api.check, TABLE, baseline="none.json")),
        (("check", TABLE, "--write-baseline"), partial(api.check, TABLE, write_baseline=True)),
    ],
)
def test_each_door_refuses_a_value_with_the_same_message(
    words: tuple[str, ...], call: Callable[[], object], certify: Certify
) -> None:
    ran = certify(*words)
    assert ran.code == 2
    assert f"Error: {say(call)}\n" in ran.err


MISSPELLED: Any = {"labratory": ()}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: evaluate(BONUS, wager_cents=2.5),
            "wager is 2.5 cents, which is not a whole",
        ),
        (lambda: certify.verify("x.pdf", trust="root.pem"), "trust is 'root.pem', not a list."),
        (lambda: certify.verify("x.pdf", trust_by_role=MISSPELLED), "'labratory' is not a known"),
        (
            lambda: certify.verify("x.pdf", trust_by_role={RootRole.TIME: "t.pem"}),
            "trust_by_role['time'] is 't.pem', not a list.",
        ),
        (
            lambda: certify.submit(GAME, "nevada", "x", paytables="A", unsigned=True),
            "paytables is 'A', not a list.",
        ),
    ],
)
def test_a_single_text_or_an_unknown_role_is_refused(
    call: Callable[[], object], message: str
) -> None:
    with pytest.raises(NotReadable) as caught:
        call()
    assert caught.value.message.startswith(message)
    assert caught.value.remedy


def test_a_verdict_is_about_a_file() -> None:
    with pytest.raises(NothingChecked, match="No file is named"):
        certify.verify()


def test_the_interface_is_listed() -> None:
    assert set(certify.__all__) <= set(dir(certify))
    modules = {path.stem for path in Path(certify.__file__).parent.iterdir()}
    assert modules.isdisjoint(certify.__all__)  # a module of the same name would hide the function


def test_a_result_is_short_and_has_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    found = api.evaluate(BONUS)
    assert repr(found) == f"<Evaluation: {len(found.analyses[0].rows)} results>"
    assert found._repr_html_().startswith("<table><tr><td>target</td><td>event</td>")
    assert found.analyses[0].standard_deviation == found.to_dict()["standard_deviation"]
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(NotConfigured, match="A data frame needs pandas, which is not installed"):
        found.to_frame()


@pytest.mark.parametrize("target", SHIPPED)
def test_a_paytable_is_declared_as_in_its_file(target: str) -> None:
    value = json.loads((paytables() / f"{target}.json").read_bytes())
    paytable = decode("paytable", value)
    declared = declare_paytable(paytable)
    opened = Workspace().overlay(UNSAVED, json.dumps(declared).encode()).open_file(UNSAVED)
    assert not opened.findings
    assert opened.entry == paytable
    assert [row["pays"] for row in declared["rows"]] == [row["pays"] for row in value["rows"]]


def test_every_function_takes_a_paytable_in_memory() -> None:
    path = ROOT / "paytables" / f"{BONUS}.json"
    record, data = json.loads(path.read_bytes()), path.read_bytes()
    (paytable,) = (solved := api.solve(record, "7..8", ["flush"], limit=1)).solutions
    for contents in (record, data):
        assert api.evaluate(contents).to_records() == api.evaluate(path).to_records()
        assert api.explain(contents, HAND).to_dict() == api.explain(path, HAND).to_dict()
        assert api.crosscheck(contents).agrees
        assert api.check(contents, path=path).passed
    assert solved.count == api.solve(path, "7..8", ["flush"], limit=1).count
    (evaluated,) = api.evaluate(paytable.paytable).analyses
    assert evaluated.house_edge == paytable.edge
    (changed,) = api.diff(record, paytable.paytable).records
    assert [row.event for row in changed.rows] == ["flush"]
    assert not api.diff(record, path).has_changes
    with pytest.raises(NotReadable, match="A file in memory is checked alone"):
        api.check(record, path)
    with pytest.raises(NotReadable, match="target is not JSON"):
        api.evaluate({"rows": [Fraction(1, 2)]})


def test_findings_are_selected_by_code() -> None:
    record = json.loads((paytables() / f"{BONUS}.json").read_bytes())
    record["rows"][0]["pays"] = "2 to 1"

    def codes(**asked: Any) -> set[str]:  # noqa: ANN401 - options of any type
        return {finding.code for finding in api.check(record, **asked).findings}

    assert codes() == {"P004", "P016"}
    assert codes(select=["P004"]) == {"P004"}
    assert codes(select=["P004", "G"]) == {"P004"}
    assert codes(ignore=["P"]) == set()
    del record["rows"]
    assert codes(ignore=["S"]) == {"S001"}  # nothing hides a file that was left out


def test_a_paytable_in_memory_is_evaluated_and_checked() -> None:
    path = ROOT / "paytables" / f"{BONUS}.json"
    record = json.loads(path.read_text(encoding="utf-8"))
    assert api.evaluate(record).analyses[0].house_edge == api.evaluate(path).analyses[0].house_edge
    record["rows"][0]["pays"] = "2 to 1"
    assert api.evaluate(record).analyses[0].house_edge != api.evaluate(path).analyses[0].house_edge
    del record["rows"]
    assert not api.check(record).passed
    assert not (ROOT / "paytable.json").exists()


def test_games_have_the_ids_of_targets() -> None:
    (game,) = (game for game in api.games().to_dict()["games"] if game["id"] == "mini-pai-gow")
    records = {wager["id"]: wager["records"] for wager in game["wagers"]}
    assert records["bonus"] == ["A", "B", "C", "community"]


def test_importing_the_package_loads_nothing_else() -> None:
    listed = "import certify, sys; print([m for m in sys.modules if m.startswith('certify.')])"
    ran = subprocess.run(
        [sys.executable, "-c", listed], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert ran.stdout == "[]\n"


@pytest.mark.parametrize(
    ("result", "command"),
    [
        (
            lambda: api.evaluate("mini-pai-gow/bonus", players=3, limit_cents=500_000),
            ("evaluate", "mini-pai-gow/bonus", "--players", "3", "--limit", "5000"),
        ),
        (
            lambda: api.evaluate(
                "emperors-challenge-exposed/emperors-treasure-dynamic-progressive",
                meters={"1": 2_500_000},
            ),
            (
                *("evaluate", "emperors-challenge-exposed/emperors-treasure-dynamic-progressive"),
                *("--meter", "1=25000"),
            ),
        ),
        (
            lambda: api.explain("mini-pai-gow/bonus/A", HAND),
            ("explain", "mini-pai-gow/bonus/A", HAND),
        ),
        (
            lambda: api.check("fixtures/invalid/P004"),
            ("check", "fixtures/invalid/P004"),
        ),
    ],
    ids=["evaluate", "meters", "explain", "check"],
)
def test_a_result_has_the_values_of_the_command(
    certify: Certify, result: Callable[[], Result], command: tuple[str, ...]
) -> None:
    assert json.loads(certify(*command, "--format", "json").out) == result().to_dict()


@pytest.mark.usefixtures("blank_pages")
def test_a_submission_is_written_and_verified(
    certify: Certify, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = new_home(tmp_path / "home")
    monkeypatch.setenv("CERTIFY_HOME", str(home))
    pair_plus(tmp_path / "project")
    monkeypatch.chdir(tmp_path / "project")
    with pytest.raises(NotConfigured, match="There is no identity to sign with"):
        api.submit(GAME, "nevada", tmp_path / "out")
    assert not (tmp_path / "out").exists()
    init_development(home / "keys", name="Test Only", today=dt.datetime.now(dt.UTC).date())
    written = api.submit(GAME, "nevada", tmp_path / "out")
    assert written.to_dict()["files"] == list(map(str, written.files))
    assert sorted(written.files) == sorted((tmp_path / "out").glob("[!.]*"))
    path = next(path for path in written.files if path.name.endswith(".rules.pdf"))
    found = api.verify(path)
    assert found.authentic
    assert json.loads(certify("verify", path, "--format", "json").out) == found.to_dict()
    assert not api.verify(path, signer="Somebody Else").authentic
    roots = [next((home / "keys").glob("*.pem"))]
    for role in RootRole:
        judged = api.verify(path, trust_by_role={role: roots})
        assert judged.authentic is (role is RootRole.PREPARER)
    demanded = api.verify(path, require_timestamp=True).to_dict()["checks"]
    assert [each["id"] for each in demanded if not each["passed"]] == ["timestamp"]


def test_no_function_prompts_for_a_password(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CERTIFY_HOME", str(new_home(tmp_path / "home")))
    folder = tmp_path / "home" / "keys"
    init_development(folder, name="Test Only", today=dt.datetime.now(dt.UTC).date())
    key = next(folder.glob("*.p12"))
    elsewhere = tmp_path / key.name
    elsewhere.write_bytes(key.read_bytes())
    elsewhere.chmod(0o600)
    with pytest.raises(NotConfigured, match="A password is required to sign"):
        api.submit("mini-pai-gow", "nevada", tmp_path / "out", identity=str(elsewhere))
