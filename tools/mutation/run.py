"""Mutants against the quick tests of their package, in a copy of the tree.

A mutant is killed when a test fails, or does not end in the processor time that it has. What came
of it is kept by its text, and of a survivor by the text of the tests too: it is not run again until
one of them changes.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path

from cosmic_ray.testing import run_tests
from cosmic_ray.work_item import TestOutcome

from tools.mutation.mutants import Mutant, places, shares, shuffle_mutants

ROOT = Path(__file__).parents[2]
PACKAGES = Path(__file__).with_name("packages.json")
"""The parts of every package: modules, the tests that guard them, processor seconds of the tests.

``plain``: kernels run as the plain Python they are, as small decks need no compiler.
"""
KEPT = ROOT / ".cache" / "mutation"
TREE = KEPT / "tree"
"""Always the same folder, so that what numba compiles there is compiled once."""
KILLED = "killed"
WAIT = 8
"""How many times its processor time a run may last: the machine may be busy."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Some modules of a package and the tests that are to kill their mutants."""

    package: str
    modules: tuple[str, ...]
    tests: tuple[str, ...]
    seconds: int
    plain: bool


@cache
def digest(part: Part) -> str:
    """Return a digest of the text of tests and modules, as they are when it is first asked."""
    tests = {test.partition("::")[0] for test in part.tests if test.startswith("tests")}
    text = b"".join((ROOT / file).read_bytes() for file in (*sorted(tests), *part.modules))
    return hashlib.sha256(" ".join(part.tests).encode() + text).hexdigest()[:16]


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The result of one mutant."""

    package: str
    mutant: Mutant
    killed: bool


class FailsUnchanged(Exception):
    """Tests that fail without any change tell nothing."""


def parts(package: str | None = None) -> list[Part]:
    """Return the parts of all packages, or of one."""
    packages = json.loads(PACKAGES.read_text(encoding="utf-8"))
    return [
        Part(
            package=name,
            modules=tuple(
                sorted(
                    path.relative_to(ROOT).as_posix()
                    for pattern in part["modules"]
                    for path in ROOT.glob(pattern)
                    if path.name != "__init__.py"
                )
            ),
            tests=tuple(part["tests"]),
            seconds=part["seconds"],
            plain=part.get("plain", False),
        )
        for name, listed in packages.items()
        for part in listed
        if package in {None, name}
    ]


def sample(package: list[Part], number: int, seed: int) -> Iterator[tuple[Part, Mutant]]:
    """Yield so many mutants of a package, from every module in proportion to its places."""
    modules = [(part, module) for part in package for module in part.modules]
    texts = [(ROOT / module).read_text(encoding="utf-8") for _, module in modules]
    each = shares([len(places(text)) for text in texts], number)
    for (part, module), text, share in zip(modules, texts, each, strict=True):
        for mutant in islice(shuffle_mutants(module, text, seed), share):
            yield part, mutant


def survey(
    package: list[Part], number: int, seed: int, report: Callable[[Result], object]
) -> list[Result]:
    """Run a sample of a package's mutants that have no recorded result and no explanation.

    Raises:
        FailsUnchanged: the tests of a part fail without any mutant.
    """
    kept_in = KEPT / "results.json"
    kept = json.loads(kept_in.read_text(encoding="utf-8")) if kept_in.exists() else {}
    copied = False
    results = []
    for part, mutant in sample(package, number, seed):
        name = hashlib.sha256(f"{mutant.module}\0{mutant.text}".encode()).hexdigest()
        if not mutant.why and kept.get(name) not in {KILLED, digest(part)}:
            if not copied:
                copy()
                copied = True
            if digest(part) not in kept:
                passed, output = run_part(part)
                if not passed:
                    raise FailsUnchanged(output)
                kept[digest(part)] = "passes without a mutant"
            kept[name] = digest(part) if survives(part, mutant) else KILLED
            new = kept_in.with_suffix(".new")
            new.write_text(json.dumps(kept, indent=0), encoding="utf-8")
            new.replace(kept_in)
        results.append(Result(package=part.package, mutant=mutant, killed=kept.get(name) == KILLED))
        report(results[-1])
    return results


def copy() -> None:
    """Copy the tree as a git repository, without ignored files.

    Through a link to the tree, the wheel's build would lose the data. Links in the tree are copied
    as they are: those of a fixture lead nowhere.
    """
    shutil.rmtree(TREE, ignore_errors=True)
    git = ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    listed = subprocess.run(git, cwd=ROOT, check=True, capture_output=True, text=True)
    for name in filter(None, listed.stdout.split("\0")):
        if os.path.lexists(ROOT / name):  # not deleted since
            (TREE / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, TREE / name, follow_symlinks=False)
    for command in (("init", "--quiet"), ("add", "--all")):
        subprocess.run(("git", "-C", TREE, *command), check=True)


def survives(part: Part, mutant: Mutant) -> bool:
    """Run the tests of a part on a mutant, and put the module back."""
    path = TREE / mutant.module
    before = path.read_bytes()
    try:
        path.write_text(mutant.text, encoding="utf-8")
        return run_part(part)[0]
    finally:
        path.write_bytes(before)


def run_part(part: Part) -> tuple[bool, str]:
    """Run the tests of a part in the copy, up to the first failure; return what they say."""
    settings = f"PYTHONPATH={TREE} PYTEST_ADDOPTS= PYTEST_DISABLE_PLUGIN_AUTOLOAD=1"
    if part.plain:
        settings += " NUMBA_DISABLE_JIT=1"
    pytest = f"{sys.executable} -m pytest -x -q -p no:cacheprovider -m 'not slow'"
    tests = " ".join(f"'{test}'" for test in part.tests)
    command = f"cd {TREE} && ulimit -t {part.seconds} && {settings} exec {pytest} {tests}"
    outcome, output = run_tests(f'bash -c "{command}"', WAIT * part.seconds)
    return outcome is TestOutcome.SURVIVED, output
