"""Faults of the user's own templates that can be found before anything is counted.

They are found in the source of a template, without a submission to print:

- a fault of syntax, an unknown filter or test;
- an included, imported or extended template that is not there, or a macro that it lacks;
- a name that no view and no template has;
- a property that the submission, or a part of it, does not have.

Faults of a value remain: a missing key of a table, a filter that does not fit, a property of None.
They end the command when a document is filled: a draft after it was counted, a final submission
with the counts of an earlier draft, before its own.
"""

from collections.abc import Iterator
from functools import cache, cached_property
from pathlib import Path
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Union, get_args, get_origin, get_type_hints

from msgspec import Struct

from certify import library
from certify.model.submission import Submission
from certify.report.compose import build_environment, list_templates, misfit, refused_template
from certify.storage import read_text

if TYPE_CHECKING:
    from jinja2.nodes import Node, Template

GIVEN = frozenset({"caller", "kwargs", "loop", "self", "super", "varargs"})
"""Names that Jinja gives to parts of a template."""

ROOT = "submission"
"""The name of the submission in a view."""

Fault = tuple[Path, int, str]
"""The file, the line and the reason."""


def refuse_faulty_templates(overrides: tuple[Path, ...]) -> None:
    """Refuse faulty templates of the user before anything is counted for them.

    Raises:
        NotReadable: one of them has a fault that its source shows.
    """
    from jinja2 import TemplateError

    of_documents = _list_overrides(overrides)
    if not of_documents:
        return
    templates = _Templates(overrides)
    for path in of_documents:
        try:
            build_environment(overrides, True).compile(read_text(path), filename=str(path))
        except (RecursionError, OSError, ValueError, TemplateError) as error:
            raise misfit(error, str(path)) from error
    for path, line, reason in templates.find_faults():
        raise refused_template(str(path), line, reason)


def _list_overrides(overrides: tuple[Path, ...]) -> tuple[Path, ...]:
    """Return the user's own templates of documents; a library has those of the web app as well."""
    of_the_web_app = [folder / "desk" for folder in overrides]
    return tuple(
        path
        for path in list_templates(overrides)
        if not any(map(path.is_relative_to, of_the_web_app))
    )


class _Templates:
    """The user's own templates and those of certify that they do not replace, as trees."""

    def __init__(self, overrides: tuple[Path, ...]) -> None:
        self.overrides = overrides
        self.shipped = library.templates()
        environment = build_environment((*reversed(overrides), self.shipped), True)
        self.globals = frozenset(environment.globals)
        self.parse = cache(lambda path: environment.parse(read_text(path), filename=str(path)))

    def find(self, name: str) -> Path | None:
        """Return the file of a template, None if there is none."""
        paths = (folder / name for folder in (*reversed(self.overrides), self.shipped))
        return next((path for path in paths if path.is_file()), None)

    @cached_property
    def of_documents(self) -> tuple[Path, ...]:
        """The templates of certify that are not of the web app."""
        paths = sorted(self.shipped.rglob("*.j2"))
        return tuple(path for path in paths if path.relative_to(self.shipped).parts[0] != "desk")

    @cached_property
    def known(self) -> frozenset[str]:
        """Every name in a template of a document, and every name that an own template sets.

        An included template sees the names of those that include it.
        """
        from jinja2 import nodes

        names = {*GIVEN, *self.globals}
        for path in self.of_documents:
            tree = self.parse(path)
            names |= {name.name for name in tree.find_all(nodes.Name)} | set(_exports(tree))
        for path in _list_overrides(self.overrides):
            names |= set(_exports(self.parse(path)))
        return frozenset(names)

    def find_faults(self) -> Iterator[Fault]:
        """Yield the faults of the own templates, also what those of certify need of them."""
        for path in _list_overrides(self.overrides):
            tree = self.parse(path)
            yield from ((path, *fault) for fault in self._find_unknown(tree))
            yield from self._find_missing(path, tree)
        for path in self.of_documents:
            if self.find(path.relative_to(self.shipped).as_posix()) == path:
                yield from self._find_missing(path, self.parse(path))

    def _find_unknown(self, tree: "Template") -> Iterator[tuple[int, str]]:
        """Yield names that nothing has, and properties that the submission does not have."""
        from jinja2 import nodes

        guarded = {
            name.name
            for test in tree.find_all(nodes.Test)
            if test.name in {"defined", "undefined"}
            for name in test.find_all(nodes.Name)
        }
        for name in tree.find_all(nodes.Name):
            if name.name not in self.known and name.name not in guarded:
                yield name.lineno, f"{name.name!r} is undefined"
        if ROOT not in guarded | set(_exports(tree)):
            yield from _find_missing_properties(tree)

    def _find_missing(self, path: Path, tree: "Template") -> Iterator[Fault]:
        """Yield templates that are not there, and macros that an imported one does not have."""
        from jinja2 import nodes

        kinds = (nodes.Include, nodes.Import, nodes.FromImport, nodes.Extends)
        for node in tree.find_all(kinds):
            name = getattr(node.template, "value", None)  # type: ignore[attr-defined] # of all four
            target = self.find(name) if isinstance(name, str) else None
            if target is None and isinstance(name, str) and not getattr(node, "ignore_missing", 0):
                yield path, node.lineno, f"there is no template {name!r}"
            if target is not None and isinstance(node, nodes.Import):
                exported = {*_exports(self.parse(target))}
                for use in tree.find_all(nodes.Getattr):
                    if _path(use) == [node.target, use.attr] and use.attr not in exported:
                        if path in self.of_documents:
                            yield target, 1, f"there is no macro {use.attr!r}; {path.name} uses it"
                        else:
                            yield path, use.lineno, f"{name!r} has no macro {use.attr!r}"


def _exports(tree: "Template") -> Iterator[str]:
    """Yield the names that a template sets: variables, parameters, macros, imported templates."""
    from jinja2 import nodes

    yield from (name.name for name in tree.find_all(nodes.Name) if name.ctx != "load")
    yield from (macro.name for macro in tree.find_all(nodes.Macro))
    yield from (each.target for each in tree.find_all(nodes.Import))
    for each in tree.find_all(nodes.FromImport):
        yield from (name if isinstance(name, str) else name[1] for name in each.names)


def _find_missing_properties(tree: "Template") -> Iterator[tuple[int, str]]:
    """Yield properties that the submission, or the part of it that is named, does not have."""
    from jinja2 import nodes

    for node in tree.find_all(nodes.Getattr):
        path = _path(node)
        if path[:1] == [ROOT]:
            kind = _resolve(path[1:-1])
            if kind is not None and not hasattr(kind, path[-1]):
                yield node.lineno, f"{'.'.join(path[:-1])} has no {path[-1]!r}"


def _path(node: "Node") -> list[str]:
    """Return the names of ``a.b.c``; empty if the node is something else."""
    from jinja2 import nodes

    if isinstance(node, nodes.Name):
        return [node.name]
    inner = _path(node.node) if isinstance(node, nodes.Getattr) else []
    return [*inner, node.attr] if inner and isinstance(node, nodes.Getattr) else []


def _resolve(names: list[str]) -> type[Struct] | None:
    """Return the record at a path below the submission; None if that is no record, or unknown."""
    kind: type[Struct] = Submission
    for name in names:
        member = getattr(kind, name, None)
        hint: Any = (
            get_type_hints(member.fget).get("return")
            if isinstance(member, property)
            else get_type_hints(kind).get(name)
        )
        kinds = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
        (first, *others) = [each for each in kinds if each is not NoneType] or [None]
        if others or not (isinstance(first, type) and issubclass(first, Struct)):
            return None
        kind = first
    return kind
