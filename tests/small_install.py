"""An environment that has the packages of one extra alone, linked from that of the tests.

Unlike an import hook, it also holds for the processes that certify starts.
"""

import tomllib
import venv
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]


def iter_packages(requirements: Iterable[str], extras: frozenset[str]) -> Iterator[Distribution]:
    """Yield the installed distributions that the requirements bring, directly or not."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for requirement in map(Requirement, requirements):
        needs = requirement.marker is None or any(
            requirement.marker.evaluate({"extra": extra}) for extra in extras or {""}
        )
        if not needs:
            continue
        asked = frozenset(requirement.extras)
        if requirement.name == "certify":
            for extra in asked:
                yield from iter_packages(project["optional-dependencies"][extra], frozenset())
            continue
        package = distribution(requirement.name)
        yield package
        yield from iter_packages(package.requires or (), asked)


def link_extra(extra: str, folder: Path) -> Path:
    """Make the environment in a folder; return its interpreter, which runs the checkout."""
    venv.create(folder, symlinks=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for package in iter_packages([*project["dependencies"], f"certify[{extra}]"], frozenset()):
        for name in {file.parts[0] for file in package.files or ()} - {"..", "__pycache__"}:
            if not (packages / name).exists():
                (packages / name).symlink_to(Path(str(package.locate_file(name))))
    (packages / "certify.pth").write_text(f"{ROOT}\n")
    return folder / "bin" / "python"
