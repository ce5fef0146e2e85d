"""Fill the templates; only this module and `own_templates` use Jinja.

Templates contain prose and structure. The environment is sandboxed and immutable, escapes all
values in HTML, and refuses a name that the view does not have.

A view passes numbers, not words: integers, exact fractions, cents, payouts. The filters in this
module write them, and a template names the form. A template computes nothing
(`tests/report/test_templates.py`). An unknown value (None) is a dash.
"""

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache, wraps
from importlib.util import find_spec
from pathlib import Path
from traceback import extract_tb
from typing import TYPE_CHECKING, Any

from certify import formatting, library
from certify.errors import InvariantBroken, NotReadable
from certify.received.files import refuse_outside, walk
from certify.report import wording
from certify.words.groups import NUMBERS
from certify.words.pages import name_pages

if TYPE_CHECKING:
    from jinja2 import Environment

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
    "limits": wording.limits_text,
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
