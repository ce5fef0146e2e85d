"""Pages that are generated from code, schemas and the notebook."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import certify_recount
from certify import __version__
from certify.checks.r_jurisdictions.judge import BY_RULE, FACTS, TESTS
from certify.cli.app import INTERRUPTED, command_line
from certify.errors import (
    CertifyError,
    InvariantBroken,
    NotAuthentic,
    NothingChecked,
    NotJudged,
)
from certify.intake.read import read_catalog
from certify.library import paytables, schemas
from docs.generate.declared import event_page, schema_page
from docs.generate.findings import finding_pages
from docs.generate.library import library_pages
from docs.generate.limits import limits_page
from docs.generate.notebook import notebook_pages
from docs.generate.refusals import refusal_page
from docs.generate.settings import settings_page
from docs.generate.status import status_page

WIDTH = 96
"""Columns of the printed help on every terminal."""


def pages() -> dict[str, str]:
    """Return every generated page by its path below ``docs/reference``."""
    findings = {f"findings/{name}": text for name, text in finding_pages().items()}
    return {
        "commands.md": commands(),
        "features.md": features(),
        "rule-tests.md": rule_tests(),
        "schemas.md": schema_page(),
        "events.md": event_page(),
        "refusals.md": refusal_page(),
        "recount-digest.md": recount_page(),
        "limits.md": limits_page(),
        "settings.md": settings_page(),
        "../explanation/status.md": status_page(),
        **notebook_pages(),
        **library_pages(),
        **findings,
    }


RECOUNT = """\
# Digest of the recount

| certify | `certify_recount`, SHA-256 |
|---|---|
| {version} | `{digest}` |

`certify --version` prints the digest, the mathematics report states it, and the evidence has it
as `engine.recount_sha256`. The laboratory kit contains the program with this digest. A laboratory
takes the data from the signed report and the program from the release.

The digest is of the package's Python files in the order of their names: each counts with its name,
a zero byte, its bytes and a zero byte.

```console
$ cd certify_recount
$ for f in $(LC_ALL=C ls *.py); do printf '%s\\0' $f; cat $f; printf '\\0'; done | sha256sum
```

## Stored counts of the built-in games

Each was made by a recount on the full deck ([the recount](../explanation/recount.md)). Since
certify 0.3.0 a stored count has the digest of its program, `recount`. Where this is not stated, or
is another than the one above, `certify crosscheck` and the mathematics report say so.
`certify crosscheck TARGET --again` counts with this program.

| target | house way | strategy | counted | certify | program, SHA-256 |
|---|---|---|---|---|---|
{counts}
"""


def recount_page() -> str:
    """Return the page of the digest of the recount."""
    rows = (
        f"| `{count.target}` | {count.house_way or '–'} | {count.strategy or '–'} | "
        f"{count.counted} | {count.version} | {count.recount or 'not stated'} |"
        for _, counts in sorted(read_catalog(paytables())[0].second_counts.items())
        for count in counts
    )
    return RECOUNT.format(
        version=__version__, digest=certify_recount.digest(), counts="\n".join(rows)
    )


EXIT_CODES = {
    0: "success",
    NotAuthentic.exit_code: (
        "findings, a figure that differs, or a document that fails verification"
    ),
    CertifyError.exit_code: "wrong usage or configuration, or a missing installation",
    NothingChecked.exit_code: (
        "nothing was checked: no file matched, or the file has no signature"
    ),
    NotJudged.exit_code: (
        "not judged: a limit of processor time or memory was reached, or `check` lists something "
        "that it could not judge"
    ),
    InvariantBroken.exit_code: "internal defect of certify",
    INTERRUPTED: "interrupted",
}


def commands() -> str:
    """Return the page of all commands with their help texts."""
    codes = "".join(f"| {code} | {words} |\n" for code, words in EXIT_CODES.items())
    parts = [
        "# Commands\n\n"
        "Results go to standard output, progress and messages to standard error.\n\n"
        f"| exit code | means |\n|---|---|\n{codes}"
    ]
    parts += [
        f"## {name}\n\n```text\n{text.rstrip()}\n```\n"
        for name, text in _helps("certify", command_line())
    ]
    return "\n".join(parts)


def _helps(name: str, command: Any, parent: Any = None) -> Iterator[tuple[str, str]]:  # noqa: ANN401 - Typer's own Click is not typed for use from outside
    """Yield name and help of a command, or of the commands of a group, in order."""
    context = command.make_context(
        name.rpartition(" ")[2],
        [],
        parent=parent,
        resilient_parsing=True,
        terminal_width=WIDTH,
        max_content_width=WIDTH,
    )
    inner: Mapping[str, Any] = getattr(command, "commands", {})
    if not inner:
        yield name, command.get_help(context)
    for word, below in inner.items():
        if not below.hidden:
            yield from _helps(f"{name} {word}", below, context)


def features() -> str:
    """Return the page of the features that a condition may use, from the schemas."""
    return (
        "# Features\n\n"
        "A condition consists of these properties of one hand; all given properties must hold. An\n"
        "event of `paytables/events.json` is a condition with a name.\n\n"
        + _properties("common.schema.json")
        + _AS_SET
        + "\n### High hand\n\n"
        + _properties("common.schema.json", "high_hand_condition")
        + "\n### Low hand\n\n"
        + _properties("common.schema.json", "low_hand_condition")
        + _TWO_HANDS
        + _properties("common.schema.json", "compare")
        + "\n## House ways\n\n"
        "Conditions of sections and exceptions in `paytables/house-ways/<id>.json`. Hands have\n"
        "the same names as in events; for pairs and singletons the joker is an ace.\n\n"
        + _properties("house-way.schema.json")
    )


def _properties(name: str, definition: str = "condition") -> str:
    """Return the table of the properties of a condition."""
    shared = json.loads((schemas() / "common.schema.json").read_bytes())["$defs"]
    definitions = shared | json.loads((schemas() / name).read_bytes())["$defs"]
    rows = [
        f"| `{name}` | {value['description']} | {_values(value, definitions)} |"
        for name, value in definitions[definition]["properties"].items()
    ]
    return "| property | meaning | values |\n|---|---|---|\n" + "\n".join(rows) + "\n"


def rule_tests() -> str:
    """Return the page of the rule tests."""
    parts = [
        "# Rule tests\n\n"
        "A rule in `paytables/jurisdictions/<id>.json` names its test, and each of its texts\n"
        "declares the parameters of the test. `certify check` rejects other names (R016), and\n"
        "`certify rule --tests` prints this list. A rule with another formula needs another test.\n"
        "A rule without a test is left to manual review.\n"
    ]
    for test in TESTS.values():
        rows = [
            f"| `{parameter.name}` | {parameter.unit} "
            f"| {_needed(parameter.required, parameter.requires_with)} | {parameter.meaning} |"
            for parameter in test.parameters
        ]
        head = "\n| parameter | unit | stated | meaning |\n|---|---|---|---|\n"
        table = head + "\n".join(rows) + "\n" if rows else ""
        parts.append(f"## {test.name}\n\n{test.summary}\n{table}")
    facts = [
        f"| `{name}` | {fact.words} "
        f"| the {'terms or the source' if fact.terms else 'declared files'} |"
        for name, fact in FACTS.items()
    ]
    parts.append(
        "# Facts of a checklist\n\n"
        "An item of a checklist lists under `proof` the facts that complete it. It is done only\n"
        f"if all of them are declared; `{BY_RULE}` means that the test of its rule is satisfied.\n"
        "An item without facts stays open.\n\n"
        "| fact | declared content | by |\n|---|---|---|\n" + "\n".join(facts) + "\n"
    )
    return "\n".join(parts)


def _needed(required: bool, beside: str) -> str:
    if required:
        return "always"
    return f"with `{beside}`" if beside else "if the text mentions it"


def _values(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> str:
    """Return the allowed values of a property as text."""
    referred = schema.get("$ref", "").rpartition("/")[2]
    if referred.endswith("condition"):
        return "a condition"
    if referred:
        asked = definitions["condition"]["properties"]
        return _values(definitions.get(referred) or asked[referred], definitions)
    if "oneOf" in schema:
        kinds = {form.get("type") for form in schema["oneOf"]}
        words = [
            _values(form, definitions)
            for form in schema["oneOf"]
            if form.get("type") not in _SEVERAL
        ]
        words += ["a list of these"] * ("array" in kinds)
        words += ["`min` and `max`"] * ("object" in kinds)
        return ", ".join(words)
    if "enum" in schema:
        return " ".join(f"`{'null' if word is None else word}`" for word in schema["enum"])
    if schema.get("type") == "integer":
        return f"{schema['minimum']} to {schema['maximum']}"
    return _PLAIN[schema["type"]]


_AS_SET = """
## Hands as set

Under `high_hand` and `low_hand` a condition applies to the hand as the house way sets it; the
figures name the house way. A hand as set has ranks, and may be a straight or a flush. The suits of
a low hand are not available, so a suited low hand cannot be declared.
"""

_TWO_HANDS = """
## Two hands

An event on the player's and the dealer's hands has conditions under `player` and `dealer`.
`compare` names the hand that must be higher: `player`, `dealer`, or `copy` for two hands of the
same rank. `either` lists alternatives of which one must hold, as for a bad beat of either side. All
rows of a paytable compare the best hands, or all compare hands as set. The cards of both sides as
one hand of fourteen, and the cards of another player, cannot be declared.

Of a deck or a shoe without a joker and with up to three cards of each side, the conditions may ask
for suits, colors and copies of a card, and `together` is a condition on the cards of both sides as
one hand. Under `"hand": "together"` the player's cards come first: `"cards": 3` of hands of two
cards are the player's two and the dealer's first. Such hands are not compared.

"""

_PLAIN = {
    "boolean": "`true`, `false`",
    "null": "`null`",
    "array": "a list of conditions",
    "string": "the id of a rule",
}
_SEVERAL = ("array", "object")
