"""Reference page of declarations that certify refuses, read from the code that refuses them."""

import ast
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "certify"

SOURCES = {
    "Hands and decks": (
        "model/game.py",
        "kernels/features.py",
        "kernels/two_hand_census.py",
        "engine/hands/features.py",
    ),
    "Main wagers": ("engine/main/countable.py",),
    "Wagers on hands as set, and on two hands": (
        "engine/hands/as_set.py",
        "engine/hands/awards.py",
    ),
    "Wagers that several tables pay": ("engine/joint_tables.py",),
    "Counted once, without a verification count": ("figures/second_counts.py",),
}
"""Modules below ``certify/`` whose errors are limits of what can be counted, by heading."""

RECOUNT = PACKAGE.parent / "certify_recount"

ERRORS = ("NotConfigured", "Uncountable")


def refusal_page() -> str:
    """Return the page: the message and the fix of each refusal."""
    parts = [
        "# What cannot be declared\n\n"
        "certify refuses to count these declarations or, in the last section, to count them a\n"
        "second time. The messages come from the code that refuses them; “…” replaces a name or a\n"
        "number of the file. [Limitations](../explanation/limitations.md) name what is outside\n"
        "the scope of certify.\n"
    ]
    for title, names in SOURCES.items():
        parts.append(f"## {title}\n\n| message | fix |\n|---|---|")
        for name in names:
            tree = ast.parse((PACKAGE / name).read_text(encoding="utf-8"))
            parts += [f"| {message} | {fix} |" for message, fix in list_refusals(tree)]
        parts[-1] += "\n"
    return "\n".join(parts) + _list_uncovered()


def _list_uncovered() -> str:
    """Return the wagers that the recount does not cover, from its errors."""
    calls = (
        node
        for path in sorted(RECOUNT.glob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "Uncountable"
    )
    words = [text for call in calls if (text := _text(call.args[0])) != "…"]
    return "\nThe verification count does not cover:\n\n" + "".join(f"- {text}\n" for text in words)


def list_refusals(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield the message and the fix of each error that a module makes from literals."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ERRORS:
            named = {keyword.arg: keyword.value for keyword in node.keywords}
            message = node.args[0] if node.args else named.get("message")
            if message is not None and "remedy" in named:
                yield _text(message), _text(named["remedy"])


def _text(node: ast.expr) -> str:
    """Return the literal text of an expression, with “…” for each value."""
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    return "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in parts)
