"""Locked packages and the license texts of a packaged program."""

import json
import os
import runpy
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

ROOT = Path(__file__).parents[2]
LOCK = """\
needed==1.5 \\
    --hash=sha256:0000000000000000000000000000000000000000000000000000000000000000 \\
    --hash=sha256:1111111111111111111111111111111111111111111111111111111111111111
    # via
    #   certify (pyproject.toml)
    #   other
other==2.0 ; sys_platform == 'win32' \\
    --hash=sha256:2222222222222222222222222222222222222222222222222222222222222222
    # via certify (pyproject.toml:build)
"""


@pytest.fixture(scope="module")
def judge() -> Any:  # noqa: ANN401 - a function of a script
    return runpy.run_path(str(ROOT / ".ci" / "audit.py"))["judge"]


@pytest.fixture(scope="module")
def bill() -> Any:  # noqa: ANN401 - a function of a script
    return runpy.run_path(str(ROOT / ".ci" / "sbom.py"))["bill"]


ADVISORY = {"id": "PYSEC-1", "aliases": ["CVE-1"], "fix_versions": ["2"], "description": ""}
AFFECTED = {"name": "a", "version": "1", "vulns": [ADVISORY]}
SOUND = {"name": "b", "version": "1", "vulns": []}
SKIPPED = {"name": "c", "skip_reason": "Dependency not found on PyPI"}


@pytest.mark.parametrize(
    ("accepted", "code"),
    [({}, 1), ({"PYSEC-2": "x"}, 1), ({"PYSEC-1": "x"}, 0), ({"CVE-1": "x"}, 0)],
)
def test_an_advisory_fails_by_its_id_unless_it_is_accepted(
    judge: Any,  # noqa: ANN401 - a function of a script
    accepted: dict[str, str],
    code: int,
) -> None:
    ended, said = judge({"dependencies": [AFFECTED, SOUND]}, accepted)
    assert ended == code
    assert "PYSEC-1" in said[0]


def test_what_the_index_does_not_know_is_not_called_audited(judge: Any) -> None:  # noqa: ANN401
    code, said = judge({"dependencies": [SOUND, SKIPPED]}, {})
    assert (code, said[0]) == (0, "1 of 2 packages were audited.")
    assert said[1].startswith("NOT AUDITED")
    assert said[1].endswith(" c")


@pytest.mark.parametrize(("packages", "code"), [([SOUND], 0), ([SOUND, SKIPPED], 1)])
def test_a_release_needs_an_audit_of_every_package(
    judge: Any,  # noqa: ANN401 - a function of a script
    packages: list[dict[str, Any]],
    code: int,
) -> None:
    assert judge({"dependencies": packages}, {}, release=True)[0] == code


@pytest.mark.parametrize(("arguments", "code"), [([], 0), (["--release"], 1)])
def test_a_release_is_not_made_without_an_index_that_answers(
    arguments: list[str], code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    audit = runpy.run_path(str(ROOT / ".ci" / "audit.py"))
    monkeypatch.setitem(audit["main"].__globals__, "asked", lambda: "no answer")
    assert audit["main"](arguments) == code


def test_a_release_audits_before_it_builds() -> None:
    ran = subprocess.run(
        ["make", "--dry-run", "release"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert ran.stdout.index("audit.py --release") < ran.stdout.index("uv build --wheel")


def test_every_accepted_advisory_has_a_reason() -> None:
    accepted = json.loads((ROOT / ".ci" / "advisories.json").read_bytes())
    assert [name for name, reason in accepted.items() if not reason.strip()] == []


def test_bill_lists_dependencies(bill: Any) -> None:  # noqa: ANN401 - a function of a script
    written = json.loads(bill(LOCK, "1", lambda *_: ["MIT"]))
    needs = {entry["ref"]: entry.get("dependsOn", []) for entry in written["dependencies"]}
    assert needs == {
        "pkg:pypi/certify@1": ["pkg:pypi/needed@1.5", "pkg:pypi/other@2.0"],
        "pkg:pypi/needed@1.5": [],
        "pkg:pypi/other@2.0": ["pkg:pypi/needed@1.5"],
    }
    only = {part["name"]: part.get("properties", []) for part in written["components"]}
    assert only["needed"] == []
    assert only["other"][0]["value"] == "sys_platform == 'win32'"


def test_bill_of_the_lock_is_valid_complete_and_the_same_twice(bill: Any) -> None:  # noqa: ANN401
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    written = bill(lock, "1")
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(written) is None
    pins = sum("==" in line.split(" ")[0] for line in lock.splitlines())
    assert len(json.loads(written)["components"]) == pins
    assert bill(lock, "1") == written
    assert json.loads(bill(lock, "2"))["serialNumber"] != json.loads(written)["serialNumber"]


def test_bill_has_digests_and_licenses_and_says_what_is_unknown(bill: Any) -> None:  # noqa: ANN401
    declared = {"needed": ["MIT OR Apache-2.0"], "other": []}
    written = json.loads(bill(LOCK, "1", lambda name, _: declared[name]))
    parts = {part["name"]: part for part in written["components"]}
    digests = {name: [each["content"] for each in part["hashes"]] for name, part in parts.items()}
    assert digests == {"needed": ["0" * 64, "1" * 64], "other": ["2" * 64]}
    (license_,) = parts["needed"]["licenses"]
    assert license_["expression"] == "MIT OR Apache-2.0"
    assert "licenses" not in parts["other"]
    assert "unknown" in str(parts["other"]["properties"])
    (own,) = written["metadata"]["component"]["licenses"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert own["license"]["id"] == project["license"]
    assert "Apache License" in (ROOT / "LICENSE").read_text(encoding="utf-8")[:200]


def test_every_installed_package_of_the_lock_has_a_license_and_a_digest_in_the_bill(
    bill: Any,  # noqa: ANN401 - a function of a script
) -> None:
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    installed = {
        (package.name.lower().replace("_", "-"), package.version)
        for package in metadata.distributions()
    }
    for part in json.loads(bill(lock, "1"))["components"]:
        assert part["hashes"], part["name"]
        pin = part["name"], part["version"]
        assert pin not in installed or part.get("licenses"), pin


@pytest.mark.slow
def test_wheel_is_the_same_bytes_when_it_is_built_twice(tmp_path: Path) -> None:
    build = "import sys; from hatchling.builders.wheel import WheelBuilder as W;"
    build += "next(W(sys.argv[1]).build(directory=sys.argv[2], versions=['standard']))"
    wheels = []
    for name, hashing in (("first", "1"), ("second", "2")):
        environment = {**os.environ, "SOURCE_DATE_EPOCH": "1700000000", "PYTHONHASHSEED": hashing}
        folder = str(tmp_path / name)
        subprocess.run(
            [sys.executable, "-c", build, str(ROOT), folder], env=environment, check=True
        )
        wheels.append(next((tmp_path / name).glob("*.whl")).read_bytes())
    assert wheels[0] == wheels[1]


# The license texts that a packaged program ships.


@pytest.fixture(scope="module")
def notices() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "packaging" / "notices.py"))


def test_every_package_has_a_license_text_or_a_reason(notices: dict[str, Any]) -> None:
    packages = notices["list_packages"]()
    assert {"weasyprint", "numpy", "pyphen", "pikepdf"} <= packages.keys()
    without = {name for name, each in packages.items() if not notices["read_texts"](each)}
    assert without == notices["WITHOUT_TEXT"].keys() & packages.keys()


def test_a_package_without_a_license_text_ends_the_build(
    notices: dict[str, Any], tmp_path: Path
) -> None:
    (tmp_path / "METADATA").write_text("Metadata-Version: 2.1\nName: bare\nVersion: 1\n")
    bare = metadata.PathDistribution(tmp_path)
    with pytest.raises(ValueError, match="bare has no license text"):
        notices["collect"]({"bare": bare}, [])


def test_the_program_has_the_notices_next_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The recipe runs without PyInstaller, which is replaced by nothing."""
    hooks = ModuleType("PyInstaller.utils.hooks")
    for name in ("collect_data_files", "collect_submodules", "copy_metadata"):
        setattr(hooks, name, lambda *_: [])
    for name in ("PyInstaller", "PyInstaller.utils"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    monkeypatch.setitem(sys.modules, "PyInstaller.utils.hooks", hooks)
    spec = ROOT / "packaging" / "certify.spec"
    made = SimpleNamespace(pure=[], scripts=[], binaries=[], datas=[])
    built = tmp_path / "certify"
    given = {
        "SPECPATH": str(spec.parent),
        "DISTPATH": str(tmp_path),
        "Analysis": lambda *_, **__: made,
        "PYZ": lambda *_: None,
        "EXE": lambda *_, **__: None,
        "COLLECT": lambda *_, **__: built.mkdir(),
    }
    exec(compile(spec.read_text(encoding="utf-8"), spec, "exec"), given)  # noqa: S102 - our recipe
    text = (built / "NOTICES.txt").read_text(encoding="utf-8")
    for part in ("Apache License", "SIL OPEN FONT LICENSE", "weasyprint 7", "jsonschema-rs 0"):
        assert part in text
