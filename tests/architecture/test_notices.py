"""The license texts that a packaged program ships."""

import runpy
import sys
from importlib import metadata
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


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
