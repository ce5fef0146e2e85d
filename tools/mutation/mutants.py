"""The mutants of a module, by the operators of cosmic-ray, and those with an explanation.

A place of a module gives one mutant: an operator that can be replaced by eleven others would
otherwise outweigh eleven conditions. Annotations are left alone, as they do not run, and so is what
would be no Python any more.
"""

import json
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import cache
from itertools import zip_longest
from pathlib import Path

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Operator
from cosmic_ray.plugins import get_operator, operator_names
from parso.tree import NodeOrLeaf

EXPLAINED = Path(__file__).with_name("explained.json")
"""Mutants that no test can kill: module, the line, what it becomes, why; ``*`` is any text."""

ANNOTATIONS = {"annassign", "tfpdef"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """One change of one module: the operator, the whole text with it, and the lines that change."""

    module: str
    operator: str
    text: str
    line: str
    becomes: str

    @property
    def why(self) -> str:
        """The reason it equals the original in behavior; empty if unknown."""
        return next((entry["why"] for entry in load_explained() if self._is(entry)), "")

    def _is(self, entry: dict[str, str]) -> bool:
        return (
            fnmatch(self.module, entry["module"])
            and bool(re.fullmatch(pattern(entry["line"]), self.line))
            and bool(re.fullmatch(pattern(entry["becomes"]), self.becomes))
        )


def pattern(text: str) -> str:
    """Return the regular expression of a text in which ``*`` is any text."""
    return re.escape(text).replace(r"\*", ".*")


@cache
def load_explained() -> list[dict[str, str]]:
    """Return the mutants that are known to behave as the original does."""
    entries: list[dict[str, str]] = json.loads(EXPLAINED.read_text(encoding="utf-8"))
    return entries


@cache
def operators() -> dict[str, Operator]:
    """Return the operators that need no arguments, by name."""
    every = {name: get_operator(name) for name in operator_names()}
    return {name: operator() for name, operator in every.items() if not operator.arguments()}


def places(text: str) -> list[list[tuple[str, int]]]:
    """List where a module can be changed, and of each place how: an operator, an occurrence."""
    nodes = [(node, annotates(node)) for node in ast_nodes(get_ast(text))]
    found: dict[tuple[int, int], list[tuple[str, int]]] = {}
    for name, operator in operators().items():
        everywhere = (
            (start, skipped)
            for node, skipped in nodes
            for start, _ in operator.mutation_positions(node)
        )
        for number, (start, skipped) in enumerate(everywhere):
            if not skipped:
                found.setdefault(start, []).append((name, number))
    return [found[start] for start in sorted(found)]


def annotates(node: NodeOrLeaf) -> bool:
    """Return True if a node is in an annotation."""
    below, above = node, node.parent
    while above is not None:
        if above.type in ANNOTATIONS and below is not above.children[0]:
            return above.type == "tfpdef" or below is above.children[1]
        if above.type == "funcdef" and "->" in above.children:
            arrow = above.children.index("->")
            if below is above.children[arrow + 1]:
                return True
        below, above = above, above.parent
    return False


def shuffle_mutants(module: str, text: str, seed: int) -> Iterator[Mutant]:
    """Yield one mutant of every place of a module, both in the order that a seed decides."""
    rng = random.Random(f"{seed} {module}")  # noqa: S311 - to be repeated, not to be secret
    order = places(text)
    rng.shuffle(order)
    for ways in order:
        for name, number in rng.sample(ways, len(ways)):
            try:
                mutated = mutate_code(text, operators()[name], number)
            except AttributeError:  # the operator on exceptions takes no dotted name
                continue
            if runs(mutated):
                line, becomes = find_change(text.splitlines(), mutated.splitlines())
                yield Mutant(module=module, operator=name, text=mutated, line=line, becomes=becomes)
                break


def runs(text: str) -> bool:
    """Tell whether a text is Python at all."""
    try:
        compile(text, "mutant", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


def find_change(old: Sequence[str], new: Sequence[str]) -> tuple[str, str]:
    """Return the lines that differ, before and after, without indentation."""
    first = next(n for n, (a, b) in enumerate(zip_longest(old, new)) if a != b)
    rest = zip_longest(reversed(old[first:]), reversed(new[first:]))
    same = next(n for n, (a, b) in enumerate(rest) if a != b)
    return (
        " ".join(line.strip() for line in old[first : len(old) - same]),
        " ".join(line.strip() for line in new[first : len(new) - same]),
    )


def shares(sizes: Sequence[int], number: int) -> list[int]:
    """Divide a number in proportion to sizes, the rest to the greatest remainders."""
    total = max(sum(sizes), 1)
    parts = [size * number // total for size in sizes]
    by_rest = sorted(range(len(sizes)), key=lambda place: -(sizes[place] * number % total))
    for place in by_rest[: min(number, sum(sizes)) - sum(parts)]:
        parts[place] += 1
    return [min(part, size) for part, size in zip(parts, sizes, strict=True)]
