"""Reference page of settings and environment variables, with names and forms from the code."""

import re
from ast import literal_eval
from collections.abc import Mapping
from pathlib import Path

import certify
from certify.cli.app import REPORTS
from certify.review.settings import KINDS, LONGEST_ACCEPTANCE, Acceptance
from certify.worker import LARGEST_FACTOR

PACKAGE = Path(certify.__file__).parent

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
An entry of `accepted` is a table `[[check.accepted]]`; `accepted.code` is its field `code`.

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
    "accepted.code": ("the code of the finding", "required"),
    "accepted.file": ("its file, from the folder of the settings", "required"),
    "accepted.row": ("its row, as `--format json` prints it", "none"),
    "accepted.reason": ("the reason why it is right", "required"),
    "accepted.who": ("the person who accepts it", "required"),
    "accepted.until": (f"the last day, at most {LONGEST_ACCEPTANCE.days} days ahead", "required"),
    "exclude": ("files that are not checked", "none"),
}
"""Meaning and default of each setting."""

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
    kinds = {f"accepted.{name}": "a text" for name in Acceptance.__struct_fields__}
    for name, kind in KINDS.items():  # a field is named as in "until of accepted"
        kinds[".".join(reversed(name.split(" of ")))] = kind
    settings = "".join(
        f"| `{name}` | {kinds[name]} | {default} | {meaning} |\n"
        for name, (meaning, default) in SETTINGS.items()
    )
    variables = "".join(
        f"| `{name}` | {VARIABLES[name][0]} | "
        f"{f'`{default}`' if default else VARIABLES[name][1]} | `{'`, `'.join(modules)}` |\n"
        for name, (default, *modules) in sorted(find_variables().items())
    )
    return PAGE.format(settings=settings, variables=variables)


READ = re.compile(r'(?:os\.environ|environment)(?:\.get\(|\[)("?)(\w++)"?+(?!\] =)(?:, "(\w*)")?')
"""A variable that is read, by its name or by the name of a constant, and its default."""


def find_variables() -> dict[str, list[str]]:
    """Return the default and then the modules of each environment variable that certify reads."""
    code = {path: path.read_text(encoding="utf-8") for path in sorted(PACKAGE.rglob("*.py"))}
    found: dict[str, list[str]] = {}
    for path, text in code.items():
        module = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
        for quote, word, default in READ.findall(text):
            loop = re.search(rf"for {word} in (\w+)\]", text)
            constant = rf"^{loop[1] if loop else word} = (.+)"
            named = re.findall(constant, "\n".join(code.values()), re.MULTILINE)
            value = word if quote else literal_eval(named[0])
            for variable in (value,) if isinstance(value, str) else value:
                entry = found.setdefault(variable, [default])
                entry += [module] if module not in entry else []
    return found
