"""Reference page of settings and environment variables, with names and forms from the code."""

import ast
import importlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import fields

from certify.cli.app import REPORTS
from certify.review.settings import KINDS, LONGEST_ACCEPTANCE, Acceptance
from certify.worker import LARGEST_FACTOR

ROOT = Path(__file__).parents[2]

PAGE = """\
# Settings and environment

The code supplies the names and the forms on this page.

## `certify.toml`

The file marks the folder of a project and may be empty. Its one table is `[check]`; an unknown name
is an error. A repository may have the same table as `[tool.certify]` in `pyproject.toml`. The
nearest folder that has the table counts, and options of the command take precedence
([Check in CI](../how-to/check-in-ci.md)).

| setting | value | default | meaning |
|---|---|---|---|
{settings}

An entry of `accepted` is a table `[[check.accepted]]`:

| field | value | required | meaning |
|---|---|---|---|
{accepted}

## Environment

| variable | meaning | default | read in |
|---|---|---|---|
{variables}

Python reads the [proxy variables](../how-to/company-network.md) and `TMPDIR`, and OpenSSL reads
`SSL_CERT_DIR`. `XDG_CONFIG_HOME` and `XDG_CACHE_HOME` replace `~/.config` and `~/.cache`.
"""

COMMANDS = ", ".join(f"`{name}`" for name in REPORTS)

SETTINGS: Mapping[str, tuple[str, str]] = {
    "format": (f"the format of the reports of {COMMANDS}", "text"),
    "select": ("report these findings only; a letter selects a family", "all"),
    "ignore": ("do not report these findings", "none"),
    "per-file-ignores": ("do not report these findings in the files of a pattern", "none"),
    "fail-on": ("the least severity that makes the exit code 1", "error"),
    "baseline": ("the known findings, which are not reported", "none"),
    "accepted": ("findings that a person accepts for a reason, until a day", "none"),
    "exclude": ("files that are not checked", "none"),
}
"""Meaning and default of each setting."""

ACCEPTED: Mapping[str, str] = {
    "code": "the code of the finding",
    "file": "its file, from the folder of the settings",
    "row": "its row, as `--format json` prints it",
    "reason": "why it is right",
    "who": "the person who accepts it",
    "until": f"the last day, at most {LONGEST_ACCEPTANCE.days} days ahead",
}

VARIABLES: Mapping[str, tuple[str, str]] = {
    "CERTIFY_CACHE": (
        "the folder of cached counts and compiled code; it may be deleted at any time",
        r"`~/.cache/certify`; on Windows `%LOCALAPPDATA%\certify\Cache`",
    ),
    "CERTIFY_FORMAT": (f"the format of the reports of {COMMANDS}; `--format` wins", "the setting"),
    "CERTIFY_HOME": (
        "the folder of keys, trusted roots and drafts, private to its owner",
        r"`~/.config/certify`; on Windows `%APPDATA%\certify`",
    ),
    "CERTIFY_KEY_PASSWORD": (
        "the password of a key file or the PIN of a token; `--password-file` wins, and so does a "
        "`.password` file with the name of the key file",
        "a question on the terminal",
    ),
    "CERTIFY_LIBRARY": (
        "a folder with `paytables`, `schemas` and `templates` that replaces the library",
        "the library that comes with certify",
    ),
    "CERTIFY_LIMIT_FACTOR": (
        "a whole number that multiplies each [limit](limits.md) of time and memory, for slow "
        f"machines; at most {LARGEST_FACTOR:,}",
        "",
    ),
    "CI": ("no line of progress is shown", "progress on a terminal"),
    "CI_PROJECT_DIR": ("the checkout of a GitLab job: reports name files from there", "not set"),
    "COLUMNS": ("the width of the output", "the width of the terminal"),
    "FORCE_COLOR": ("color the output in files, too; `0` turns color off", "color on a terminal"),
    "GITHUB_WORKSPACE": ("the checkout of a GitHub job: reports name files from there", "not set"),
    "NO_COLOR": ("do not color the output", "color on a terminal"),
    "NUMBA_CACHE_DIR": ("the folder of compiled code", "`compiled` in the folder of the cache"),
    "PATH": ("the folders in which git is found; relative folders are ignored", "the system's"),
    "SSL_CERT_FILE": (
        "the roots for [connections](../how-to/company-network.md)",
        "the roots of the system",
    ),
}
"""Meaning of each variable that the code reads, and its default if the code has no text for it."""


def settings_page() -> str:
    """Return the page of the settings of a project and of the environment."""
    settings = (
        f"| `{name}` | {KINDS[name]} | {SETTINGS[name][1]} | {SETTINGS[name][0]} |"
        for name in KINDS
        if " " not in name
    )
    accepted = (
        f"| `{each.name}` | {KINDS.get(f'{each.name} of accepted', 'a text')} | "
        f"{'yes' if each.required else 'no'} | {ACCEPTED[each.name]} |"
        for each in fields(Acceptance)
    )
    variables = (
        f"| `{name}` | {VARIABLES[name][0]} | "
        f"{f'`{default}`' if default else VARIABLES[name][1]} | {', '.join(modules)} |"
        for name, (default, modules) in sorted(find_variables().items())
    )
    return PAGE.format(
        settings="\n".join(settings), accepted="\n".join(accepted), variables="\n".join(variables)
    )


def find_variables() -> dict[str, tuple[str, list[str]]]:
    """Return the default and the modules of each environment variable that certify reads."""
    found: dict[str, tuple[str, list[str]]] = {}
    for path in sorted(ROOT.joinpath("certify").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for variable, default in _list_reads(tree, module):
            known, modules = found.get(variable, ("", []))
            names = dict.fromkeys([*modules, f"`{module}`"])
            found[variable] = default or known, [*names]
    return found


def _list_reads(tree: ast.Module, module: str) -> Iterator[tuple[str, str]]:
    """Yield each variable that a module reads, with a default that is a text."""
    nodes = list(ast.walk(tree))
    loops = {
        ast.unparse(node.target): ast.unparse(node.iter)
        for node in nodes
        if isinstance(node, ast.comprehension)
    }
    homes = {
        each.name: node.module
        for node in nodes
        if isinstance(node, ast.ImportFrom) and node.module
        for each in node.names
    }
    for node in nodes:
        match node:
            case ast.Call(func=ast.Attribute(value=place, attr="get"), args=[name, *rest]):
                default = next((each.value for each in rest if isinstance(each, ast.Constant)), "")
            case ast.Subscript(value=place, slice=name, ctx=ast.Load()):
                default = ""
            case _:
                continue
        if ast.unparse(place) in {"os.environ", "environment"}:
            if isinstance(name, ast.Constant):
                values: Any = name.value
            else:
                text = loops.get(ast.unparse(name), ast.unparse(name))
                values = getattr(importlib.import_module(homes.get(text, module)), text)
            for variable in (values,) if isinstance(values, str) else values:
                yield variable, str(default)
