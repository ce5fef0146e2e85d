"""The source: tiers, language and imports, and overridden functions."""

import ast
import hashlib
import importlib
import inspect
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from pkgutil import resolve_name, walk_packages
from typing import Any

import pytest

import certify.signatures
from certify.kernels.numba_dispatcher import Dispatcher

ROOT = Path(__file__).parents[2]
RECOUNT = "certify_recount"
MODULES = sorted(path for name in ("certify", RECOUNT) for path in (ROOT / name).rglob("*.py"))

EXACT_PACKAGES = (
    "model", "words", "engine", "kernels", "explanations", "figures", "filing", "review", "declare",
    "commands", "checks", "intake",
)  # fmt: skip
"""Packages on the way to a figure: no number with a fraction part in any of them."""

LONGEST_MODULE = 500
"""Lines; about 300 are meant, and a longer one is a question."""

LONGEST_FUNCTION = 80
"""Lines; about 40 are meant. Kernels are not held to it: numba compiles whole loops."""


@cache
def trees(folder: str = "certify") -> dict[Path, ast.Module]:
    """Return the parsed modules below a folder."""
    modules = sorted((ROOT / folder).rglob("*.py"))
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in modules}


def display_path(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def places(trees: Mapping[Path, ast.Module], find: Callable[[ast.Module], Iterable[object]]) -> Any:  # noqa: ANN401 - what is found
    """Return the results for each module by path; modules without any are skipped."""
    found = {display_path(path): list(find(tree)) for path, tree in trees.items()}
    return {path: listed for path, listed in found.items() if listed}


def test_invariants_are_raised_not_asserted() -> None:
    def asserts(tree: ast.Module) -> list[int]:
        return [node.lineno for node in ast.walk(tree) if isinstance(node, ast.Assert)]

    assert places(trees(), asserts) == {}


def floats(tree: ast.AST) -> Iterator[str]:
    """Yield every number with a fraction part, every `float`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, float | complex):
            yield f"{node.lineno}: {node.value}"
        if isinstance(node, ast.Name) and node.id == "float":
            yield f"{node.lineno}: float"
        if isinstance(node, ast.Attribute) and node.attr.startswith("float"):
            yield f"{node.lineno}: .{node.attr}"


def test_no_float_on_the_way_to_a_figure() -> None:
    rooms = {
        path: tree
        for path, tree in trees().items()
        if path.relative_to(ROOT).parts[1] in EXACT_PACKAGES
    }
    assert places(rooms, floats) == {}


EXACT_FUNCTIONS = {"comb", "gcd", "isqrt", "lcm", "prod"}
"""Functions of `math` that return integers."""


def inexact(tree: ast.AST) -> Iterator[str]:
    """Yield every division, import of `math`, and power that could give a float.

    Two integers divide to a float, so exact values divide by ``Fraction(a, b)``.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div):
            yield f"{node.lineno}: /"
        if isinstance(node, ast.Import):
            yield from (f"{node.lineno}: {name.name}" for name in node.names if name.name == "math")
        if isinstance(node, ast.ImportFrom) and node.module in {"math", "decimal", "random"}:
            names = {name.name for name in node.names} - EXACT_FUNCTIONS
            yield from (f"{node.lineno}: {name}" for name in sorted(names))
        if isinstance(node, ast.Name) and node.id in {"float", "complex", "round", "pow"}:
            yield f"{node.lineno}: {node.id}"


def test_the_recount_is_exact() -> None:
    modules = trees(RECOUNT)
    assert len(modules) > 12
    assert places(modules, floats) == {}
    assert places(modules, inexact) == {}
    for text in ("a / b", "a /= b", "import math", "from math import sqrt", "round(a)", "float(a)"):
        assert list(inexact(ast.parse(text))), text


def test_the_recount_imports_the_standard_library_only() -> None:
    def others(tree: ast.Module) -> Iterator[str]:
        for node in ast.walk(tree):
            names = [name.name for name in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [str(node.module)]
            yield from (name for name in names if name.split(".")[0] not in sys.stdlib_module_names)

    assert places(trees(RECOUNT), others) == {}


def test_modules_and_functions_stay_short() -> None:
    def long(tree: ast.Module) -> list[str]:
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        return [
            node.name
            for node in functions
            if (node.end_lineno or 0) - node.lineno >= LONGEST_FUNCTION
        ]

    lines = {display_path(path): path.read_text(encoding="utf-8").count("\n") for path in MODULES}
    assert {path: number for path, number in lines.items() if number > LONGEST_MODULE} == {}
    held = {path: tree for path, tree in trees().items() if "kernels" not in path.parts}
    assert places(held, long) == {}


def test_every_exemption_gives_its_reason() -> None:
    bare = [
        f"{display_path(path)}:{number}"
        for path in MODULES
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if "# noqa" in line and " - " not in line.partition("# noqa")[2]
    ]
    assert bare == []


READING = {
    "startswith", "endswith", "removeprefix", "removesuffix", "partition", "rpartition", "replace",
    "split", "rsplit", "find", "rfind", "index", "count", "match", "search", "fullmatch",
}  # fmt: skip
"""Methods that read what a text says."""

READS_WORDS = {"certify/review/request.py": "artwork is words, compared with what is filed"}


def words_read(tree: ast.AST) -> Iterator[str]:
    """Yield every constant of several words that code looks for in a text or compares with one."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            looked_for = [node.left, *node.comparators]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            looked_for = node.args if node.func.attr in READING else []
        else:
            continue
        for inner in (each for item in looked_for for each in ast.walk(item)):
            if not isinstance(inner, ast.Constant) or not isinstance(inner.value, str):
                continue
            if " " in inner.value and any(map(str.isalpha, inner.value)):
                yield f"{inner.lineno}: {inner.value!r}"


def test_no_code_decides_by_the_words_of_a_sentence() -> None:
    found = places(trees(), words_read)
    assert set(found) == set(READS_WORDS), found


CLOCKS_ALLOWED = {
    "certify/desk/app.py": "closing connections, and the end of a desk that nobody uses",
    "certify/desk/guard.py": "an answer of the app that runs already, or of a stranger",
    "certify/desk/jobs.py": "how long nobody has used a desk, and the time that a job has left",
    "certify/storage.py": "waiting for another program that writes",
    "certify/filing/identities.py": "how long an authority took, for display only",
    "certify/signatures/network.py": "waiting for a timestamp authority or revocation data",
    "certify/worker.py": "processor time, on systems that cannot limit it",
}
"""Modules that look at a clock or wait for a time; none of them decides a verdict."""

CLOCKS = {"Timer", "monotonic", "perf_counter", "process_time", "sleep"}


def clocks(tree: ast.AST) -> Iterator[int]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in CLOCKS:
            yield node.lineno
        if isinstance(node, ast.keyword) and (node.arg or "").startswith("timeout"):
            value = node.value
            if not (isinstance(value, ast.Constant) and value.value in {None, 0}):
                yield value.lineno


def test_no_clock_decides_a_verdict() -> None:
    found = places(trees(), clocks)
    assert set(found) == set(CLOCKS_ALLOWED), found


def limits(tree: ast.AST) -> Iterator[int]:
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg == "timeout":
            if not (isinstance(node.value, ast.Constant) and node.value.value in {None, 0}):
                yield node.value.lineno
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == "set_default_timeout"
            and ast.unparse(node.args[0]) != "0"
        ):
            yield node.lineno


def test_no_test_fails_because_the_machine_is_busy() -> None:
    """A wait has no limit: what never comes is ended by whoever runs the tests."""
    assert places(trees("tests"), limits) == {}


HEAVY = (
    "numpy", "numba", "weasyprint", "pyhanko", "pikepdf", "jinja2", "cryptography", "PIL",
    "pydantic", "jsonschema", "rich", "multiprocessing", "asyncio",
)  # fmt: skip
TARGET = "emperors-challenge-exposed/emperors-treasure/PT-FLT-EC-ET-01"

PROBE = """
import json, sys
from certify.__main__ import main
try:
    main()
except SystemExit as ended:
    print(json.dumps([ended.code, sorted(sys.modules)]))
"""


def modules(cache: Path, *arguments: str) -> tuple[int, set[str]]:
    """Run a command in a new process; return its exit code and the modules that it loaded."""
    ended = subprocess.run(
        [sys.executable, "-c", PROBE, *arguments],
        cwd=ROOT,
        env={**os.environ, "CERTIFY_CACHE": str(cache)},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    code, names = json.loads(ended.stdout.splitlines()[-1])
    return code, set(names)


def find_loaded(cache: Path, *arguments: str) -> tuple[int, list[str]]:
    """Run a command in a new process; return its exit code and the heavy modules that it loaded."""
    code, names = modules(cache, *arguments)
    return code, [name for name in HEAVY if name in names]


@pytest.mark.parametrize(
    "arguments",
    [
        ("--help",),
        ("--version",),
        ("check", f"paytables/{TARGET}.json"),
        ("evaluate", TARGET),
        ("evaluate", TARGET, "--format", "json"),
        ("evaluate", "commission-free-pai-gow-express/red-black/1"),
        ("explain", TARGET, "As Ks Qs Js Ts 2c 2d"),
        ("rule", "P004"),
    ],
    ids=" ".join,
)
def test_light_command_loads_nothing_heavy(arguments: tuple[str, ...], tmp_path: Path) -> None:
    assert find_loaded(tmp_path, *arguments) == (0, [])


def test_two_hands_are_counted_without_the_compiler(tmp_path: Path) -> None:
    command = ("evaluate", "dealer-open-pai-gow/push-ace-high/1")
    assert find_loaded(tmp_path, *command) == (0, ["numpy"])
    assert find_loaded(tmp_path, *command) == (0, [])


@pytest.mark.parametrize(
    ("arguments", "of_certify", "of_all"),
    [(("--version",), 10, 120), (("check", f"paytables/{TARGET}.json"), 165, 450)],
    ids=["version", "check"],
)
def test_a_command_loads_few_modules(
    arguments: tuple[str, ...], of_certify: int, of_all: int, tmp_path: Path
) -> None:
    """The start-up budget, as modules; a bound is only raised for something that needs it.

    The second bound leaves room for the standard library of another Python.
    """
    code, names = modules(tmp_path, *arguments)
    assert code == 0
    ours = {name for name in names if name.partition(".")[0] == "certify"}
    assert len(ours) <= of_certify, sorted(ours)
    assert len(names) <= of_all, sorted(names - ours)


def test_continuous_integration_runs_the_quick_and_the_long_tests() -> None:
    run = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    commands = [line for line in run.splitlines() if not line.startswith("#")]
    assert [line for line in commands if "make " in line] == [
        'CERTIFY_VERAPDF=required make test TESTS="not slow and not further"'
    ]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert "\nTESTS := not slow and not further and not long\n" in makefile
    recipes = dict(re.findall(r'^([a-z-]+):.*\n\t.*-m "(.+)"$', makefile, re.MULTILINE))
    assert recipes == {"test": "$(TESTS)", "test-long": "(long or further) and not slow"}


BANNED = re.compile(
    r"\b(nought|mend(ed|ing|s)?|beside|by people|second counts?|kept counts?|catalogues?"
    r"|(?<!card )rooms?|the desk|told|as it (came|stands)|in the place of|of (its|their|one's) own"
    r"|what is left|stands? (in|on|at|for|beside|below|above|under|there|here)|door|anew"
    r"|judgements?|licences?|colours?|neighbours?|base games?"
    r"|what (is|was) (filed|declared|counted)|somebody|laid over)\b",
    re.IGNORECASE,
)
"""Phrases and words that the glossary or the style guide replaces."""

QUOTED = re.compile(
    r"```.*?```|`[^`]*`|^    .*$|\[[^\]]*\]\([^)]*\)|“[^”]*”|\"[^\"\n]*\"",
    re.DOTALL | re.MULTILINE,
)
"""Code, links and quotations, which may use any word."""

PAGES = sorted(
    path
    for path in [*(ROOT / "docs").rglob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
    if path.name != "glossary.md" and path.parent.name not in {"findings", "games"}
)
"""All pages but the glossary, which lists the banned words, and those with names of a source."""


def find_banned(text: str) -> list[str]:
    return [match.group() for match in BANNED.finditer(QUOTED.sub(" ", text))]


def find_descriptions(value: Any) -> Iterator[str]:  # noqa: ANN401 - a JSON value
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in {"title", "description"} and isinstance(inner, str):
                yield inner
            yield from find_descriptions(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from find_descriptions(inner)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_page_has_no_banned_phrase(path: Path) -> None:
    assert find_banned(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "path", sorted((ROOT / "schemas").glob("*.json")), ids=lambda path: path.name
)
def test_schema_has_no_banned_phrase(path: Path) -> None:
    texts = find_descriptions(json.loads(path.read_text(encoding="utf-8")))
    assert [phrase for text in texts for phrase in find_banned(text)] == []


@pytest.mark.parametrize(
    "text", ["The record stands in a room.", "Mend the file.", "Its colour is told by people."]
)
def test_a_banned_phrase_is_found(text: str) -> None:
    assert find_banned(text)


# Overridden functions of other projects have not changed since they were reviewed. A name here
# is a function of a library that we replace, wrap or rest on without being offered to. Where
# one of these tests fails, a new release has changed the function: read it again, see that ours
# still fits (`docs/decisions/0006-inside-other-projects.md`), and write the new digest down.


DECISION = ROOT / "docs" / "decisions" / "0006-inside-other-projects.md"
WRITER = "pyhanko.pdf_utils.incremental_writer"
CLIENT = "pyhanko.sign.timestamps.aiohttp_client"
FETCHERS = "pyhanko_certvalidator.fetchers.aiohttp_fetchers"
SESSION = f"{FETCHERS}.util"
DIGESTS = {
    "numba.core.dispatcher:Dispatcher.__init__": "7b7bc34e60e75241",
    "numba.core.dispatcher:Dispatcher.compile": "0ab4aee15e79bb1d",
    "numba.core.dispatcher:Dispatcher.enable_caching": "8c75d787fa6845ba",
    "numba.core.dispatcher:_DispatcherBase.get_call_template": "f15b62d0e9c0f605",
    f"{WRITER}:IncrementalPdfFileWriter._update_meta": "dfb235b7343ab001",
    f"{WRITER}:IncrementalPdfFileWriter.ensure_output_version": "88364ab06e1174ef",
    "pyhanko.pdf_utils.reader:PdfFileReader._get_object_from_stream": "985c7933a27ed6c9",
    "pyhanko.pdf_utils.writer:BasePdfFileWriter.add_object": "8185c7565041cd19",
    "pyhanko.sign.signers:PdfSigner.init_signing_session": "f5ff4cfe064dfe18",
    f"{CLIENT}:HTTPTimeStamper.__init__": "aa672b9a46acaabe",
    f"{CLIENT}:HTTPTimeStamper.async_request_tsa_response": "b0781b11be5a1d3e",
    f"{SESSION}:AIOHttpMixin._post_fetch_task": "3c481e96a9e3e862",
    f"{SESSION}:LazySession.__init__": "69938945fe6b486f",
    f"{SESSION}:LazySession.get_session": "51ada6ac7d1e93a4",
    "weasyprint.document:Page.__init__": "56afceec729bf2c1",
    "weasyprint.pdf.metadata:DocumentMetadata.generate_rdf_metadata": "bc3e78ab24f1a809",
    "weasyprint.pdf.tags:_build_box_tree": "f716251a83e7096e",
    "weasyprint.text.line_break:split_first_line": "39ad1016863ca34d",
}


@pytest.mark.parametrize("name", DIGESTS)
def test_what_is_overridden_is_as_it_was_read(name: str) -> None:
    source = inspect.getsource(resolve_name(name))
    assert hashlib.sha256(source.encode()).hexdigest()[:16] == DIGESTS[name], source


@pytest.mark.parametrize("name", DIGESTS)
def test_the_decision_lists_each_function(name: str) -> None:
    assert f"`{name.rpartition(':')[2]}`" in DECISION.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "library", sorted({name.partition(".")[0] for name in DIGESTS} | {"pydyf"})
)
def test_a_library_that_is_overridden_has_an_upper_bound(library: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    required = [requirement for extra in extras for requirement in extra]
    bounds = [text for text in required if re.match(rf"{library}\b", text)]
    assert bounds
    assert all("<" in text for text in bounds), bounds


def test_no_other_method_of_the_compiler_is_overridden() -> None:
    ours = {name for name, value in vars(Dispatcher).items() if inspect.isfunction(value)}
    assert ours == {"compile", "get_call_template"}


def test_no_other_private_name_is_read() -> None:
    """Every private attribute of another library is excused where it is read (ruff's SLF001)."""
    read = {
        name
        for path in (ROOT / "certify").rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if "noqa: SLF001" in line
        for name in re.findall(r"\b\w+\.(_[a-z]\w+)", line)
    }
    known = {re.split("[.:]", name)[-1] for name in DIGESTS}
    assert read - known == {"_page_box"}  # that of Page.__init__


def list_overridden() -> set[str]:
    """Return every method of the signing library that a class of ours has in its place."""
    names = set()
    for module in walk_packages(certify.signatures.__path__, "certify.signatures."):
        for ours in vars(importlib.import_module(module.name)).values():
            if inspect.isclass(ours) and ours.__module__ == module.name:
                names |= {theirs for method in vars(ours) for theirs in _in_place_of(ours, method)}
    return names


def _in_place_of(ours: type, method: str) -> Iterator[str]:
    base = next((base for base in ours.__mro__[1:] if method in vars(base)), object)
    if base.__module__.startswith("pyhanko") and inspect.isroutine(vars(base)[method]):
        yield f"{base.__module__}:{base.__name__}.{method}"


def test_no_other_method_of_the_signing_library_is_overridden() -> None:
    offered = {
        "pyhanko.pdf_utils.font.api:FontEngineFactory.create_font_engine",
        "pyhanko.pdf_utils.reader:PdfFileReader.__init__",
        "pyhanko.sign.signers.pdf_cms:SimpleSigner.async_sign_raw",
        "pyhanko.sign.timestamps.api:TimeStamper.async_timestamp",
        f"{FETCHERS}:AIOHttpFetcherBackend.__init__",
        f"{FETCHERS}:AIOHttpFetcherBackend.get_fetchers",
        f"{FETCHERS}.crl_client:AIOHttpCRLFetcher.fetch",
        f"{FETCHERS}.ocsp_client:AIOHttpOCSPFetcher.fetch",
    }
    known = {resolve_name(name) for name in DIGESTS}
    assert {name for name in list_overridden() if resolve_name(name) not in known} == offered
