"""Fill the templates; no other module uses Jinja.

Templates contain prose and structure. The environment is sandboxed and immutable, escapes all
values in HTML, and refuses a name that the view does not have.

A view passes numbers, not words: integers, exact fractions, cents, payouts. The filters in this
module write them, and a template names the form. A template computes nothing
(`tests/report/test_templates.py`). An unknown value (None) is a dash.

Some faults of the user's own templates are found in their source, before anything is counted:

- a fault of syntax, an unknown filter or test;
- an included, imported or extended template that is not there, or a macro that it lacks;
- a name that no view and no template has;
- a property that the submission, or a part of it, does not have.

Faults of a value remain: a missing key of a table, a filter that does not fit, a property of None.
They end the command when a document is filled: a draft after it was counted, a final submission
with the counts of an earlier draft, before its own.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache, cached_property, wraps
from importlib.util import find_spec
from pathlib import Path
from traceback import extract_tb
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Union, get_args, get_origin, get_type_hints

from msgspec import Struct

from certify import formatting, library
from certify.errors import InvariantBroken, NotReadable
from certify.model.submission import Submission
from certify.received.files import refuse_outside, walk
from certify.report import wording
from certify.storage import read_text
from certify.words.groups import NUMBERS

if TYPE_CHECKING:
    from jinja2 import Environment
    from jinja2.nodes import Node, Template


UNKNOWN = "–"
"""The printed form of a missing value."""


def has_templates() -> bool:
    """Return True if the template engine is installed; a recipient may verify without it."""
    return find_spec("jinja2") is not None


def _code(text: str) -> str:
    """Return text as markup, with each part in backticks as code; an odd backtick is text."""
    from markupsafe import Markup, escape

    parts = [escape(visible(part)) for part in text.split("`")]
    if len(parts) % 2 == 0:
        return escape(visible(text))
    inline = Markup("<code>{}</code>").format
    return Markup("").join(inline(part) if at % 2 else part for at, part in enumerate(parts))


def _or_dash(write: Callable[..., str]) -> Callable[..., str]:
    @wraps(write)
    def written(value: object, *arguments: Any, **named: Any) -> str:  # noqa: ANN401 - as the filter has them
        return UNKNOWN if value is None else write(value, *arguments, **named)

    return written


_FORMS: Mapping[str, Callable[..., str]] = {
    # Numbers: 31,080; 0.00020132; 177790700/19267885; 2.5, as declared; 1.9946%; 5%, as declared.
    "count": formatting.thousands,
    "decimal": lambda value, places=8: formatting.thousands(value, places),
    "exact": formatting.exact,
    "plain": formatting.plain,
    "percent": formatting.percentage,
    "share": formatting.exact_percentage,
    # A small number as a word, and the size of a wager: equal to, 2 times.
    "spelled": lambda number: NUMBERS[number],
    "times": formatting.size_in_words,
    # Whose an edge is: the player has an advantage of 0.7163%.
    "edge_words": formatting.edge_in_words,
    # A change in percentage points: +0.1309; the standard deviation of a variance.
    "points": formatting.points,
    "root": lambda variance, places=4: formatting.square_root(variance, places),
    # Of a probability N of “1 in N” and of “N to 1” against, with one decimal in a whole column.
    "rounds": lambda chance: formatting.thousands(1 / chance, 1) if chance else UNKNOWN,
    "against": lambda chance: formatting.thousands(1 / chance - 1, 1) if chance else UNKNOWN,
    # Cents as $1,250.50, and rounded as $22,358, so that a column is aligned.
    "money": formatting.money,
    "dollars": lambda cents: formatting.money(
        Fraction(formatting.json_decimal(cents / 100, 0)) * 100
    ),
    # A day: November 21, 2026.
    "day": formatting.long_date,
    # A payout as 5,000 to 1, and as 5,000 in a table that states its basis once.
    "odds": wording.pays,
    "amount": wording.pay_amount,
    # Cards: 10♦ Joker; one of them, its color, and ranks alone: A-10.
    "cards": wording.hand_text,
    "card": wording.card_text,
    "color": wording.card_color,
    "ranks": lambda codes: codes.replace("T", "10").replace("Jk", "Joker"),
    # Words: a, b and c; with a capital letter; what something is called; where a text is from.
    "listed": formatting.join_words,
    "capital": wording.capitalize_first,
    "named": lambda name, kind: wording.name_in_print(kind, name),
    "label": wording.label,
    "known": wording.describe_text,
    "ruled": wording.describe_ruling,
    # The number of a rule in the form of a code: 3.2 as (b), 3.2.a as 1.
    "clause": wording.number_clause,
    # A message, its parts in backticks as code.
    "code": _code,
    # A message of the web app, with pages and fields in place of commands and options.
    "on_page": lambda text: _code(name_pages(text)),
}

FILTERS: Mapping[str, Callable[..., str]] = {
    name: _or_dash(write) for name, write in _FORMS.items()
} | {"for_player": wording.advantage_note}
"""Every filter that a template may use, by its name there."""


UNSEEN = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})
"""Categories of characters that print nothing, or change the direction of others."""

BLANKS = frozenset("\t\n\r")

PLAIN = ".txt.j2"
"""Suffix of text templates, which need no markup."""


def compose(
    template: str,
    view: Mapping[str, Any],
    *,
    templates: Path | None = None,
    overrides: tuple[Path, ...] = (),
) -> str:
    """Return the HTML of one document, or a text.

    Args:
        template: the name of the template under ``templates``.
        view: what the template prints: text, and values that the filters write.
        templates: the folder of the templates; those that come with certify if not given.
        overrides: folders of the user's templates, which come before those of the same name.

    Raises:
        NotReadable: a template of the user does not fit its values.
        InvariantBroken: the template asks for what the view does not have.
    """
    from jinja2 import TemplateError

    try:
        folders = (*reversed(overrides), templates or library.templates())
        environment = build_environment(folders, not template.endswith(PLAIN))
        return environment.get_template(template).render(view)
    except MemoryError:
        raise  # a limit was reached, which is no fault of the template's form
    except Exception as error:
        # A fault of a shipped template is a defect of certify; one of the user's is the user's.
        if any(list_templates(overrides)):
            raise misfit(error, template, overrides) from error
        if isinstance(error, TemplateError):
            raise InvariantBroken(
                f"The template {template} does not fit what it was given: {error}"
            ) from error
        raise


def list_templates(folders: Iterable[Path]) -> Iterator[Path]:
    """Yield the templates of the user's folders."""
    yield from (path for folder in folders for path in walk(folder) if path.suffix == ".j2")


def misfit(error: Exception, template: str, overrides: tuple[Path, ...] = ()) -> NotReadable:
    """Return the error for a template of the user.

    Its place is that of the last template, of the user's if one was used.
    """
    from jinja2 import TemplateSyntaxError

    frames = extract_tb(error.__traceback__)
    places = [(each.filename, each.lineno) for each in frames if each.filename.endswith(".j2")]
    if isinstance(error, TemplateSyntaxError):
        places.append((error.filename or template, error.lineno))
    of_user = [place for place in places if any(map(Path(place[0]).is_relative_to, overrides))]
    file, line = (of_user or places or [(template, 1)])[-1]
    return refused_template(file, line, str(error))


def refused_template(file: str, line: int | None, reason: str) -> NotReadable:
    """Return the error for a place in a template of the user's own."""
    return NotReadable(
        f"{file}, line {line}: this template cannot be used: {reason}.",
        remedy="Correct it, or another of your own templates that it is used with.",
    )


@cache
def build_environment(folders: tuple[Path, ...], markup: bool) -> "Environment":
    """Return the environment of folders of templates; a template that changed is read again."""
    from jinja2 import FileSystemLoader, StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    class Loader(FileSystemLoader):
        def get_source(self, environment: "Environment", template: str) -> Any:  # noqa: ANN401 - jinja2's
            for folder in folders:
                refuse_outside(folder / template)
            return super().get_source(environment, template)

    environment = ImmutableSandboxedEnvironment(
        loader=Loader(folders),
        autoescape=markup,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=visible,
    )
    environment.filters = dict(FILTERS)
    environment.globals["code"] = ""  # of macros that are imported without the view
    return environment


def visible(value: object) -> object:
    """Return text with every character that cannot be seen written out: ``[U+202E]``.

    A mark that turns the direction of writing would print a pay backwards. Markup made by a macro
    passes unchanged: its parts went through here.
    """
    if type(value) is not str or value.isprintable():
        return value
    return "".join(
        f"[U+{ord(letter):04X}]"
        if unicodedata.category(letter) in UNSEEN and letter not in BLANKS
        else letter
        for letter in value
    )


_NAMED = re.compile(r"`certify ([^`]+)`|(?<![\w`-])--([a-z][a-z0-9-]+)(?: [A-Z-]+\b)?")


def name_pages(text: str) -> str:
    """Return a message with the page for each command, and the field for each option.

    A command without a page is unchanged.
    """
    commands, options = library.words("pages").values()

    def name_place(found: "re.Match[str]") -> str:
        command, name = found.groups()
        if command is None:
            return f"the field {options.get(name, name.replace('-', ' ').capitalize())}"
        prefixes = (each for each in commands if f"{command} ".startswith(f"{each} "))
        return str(commands.get(max(prefixes, key=len, default=None), found[0]))

    return _NAMED.sub(name_place, text)


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
