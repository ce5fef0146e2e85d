"""From a view to HTML: the only module that knows Jinja.

Templates hold prose and structure; values arrive as numbers and are written by the filters of
`certify.report.filters` alone. The environment is sandboxed and immutable, escapes everything that
becomes HTML, and refuses a name that the view does not have.
"""

import unicodedata
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from certify import library
from certify.errors import InvariantBroken, NotReadable
from certify.report.filters import FILTERS

if TYPE_CHECKING:
    from jinja2 import Environment

UNSEEN = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})
"""Categories of characters that print nothing, or turn what stands beside them."""

BLANKS = frozenset("\t\n\r")

PLAIN = ".txt.j2"
"""How the name of a template ends that makes text: nothing is markup there."""


def compose(
    template: str,
    view: Mapping[str, Any],
    *,
    templates: Path | None = None,
    own: tuple[Path, ...] = (),
) -> str:
    """Return the HTML of one document, or a text.

    Args:
        template: the name of the template under ``templates``.
        view: what the template prints: text, and values that the filters write.
        templates: the folder of the templates; those that come with certify if not given.
        own: folders of the user's own templates, which come before those of the same name.

    Raises:
        NotReadable: a template of the user's own does not fit what it is given.
        InvariantBroken: the template asks for what the view does not have.
    """
    from jinja2 import TemplateError

    try:
        folders = (*reversed(own), templates or library.templates())
        environment = _environment(folders, not template.endswith(PLAIN))
        return environment.get_template(template).render(view)
    except MemoryError:
        raise  # a limit was reached, which is no fault of the template's form
    except Exception as error:
        # What a template of ours does not catch is a fault of ours; what theirs does is theirs.
        if any(any(folder.rglob("*.j2")) for folder in own):
            raise NotReadable(
                f"The template {template} cannot be used with your own templates: {error}.",
                remedy=f"Correct or remove what stands in {own[-1]}.",
            ) from error
        if isinstance(error, TemplateError):
            raise InvariantBroken(
                f"The template {template} does not fit what it was given: {error}"
            ) from error
        raise


@cache
def _environment(folders: tuple[Path, ...], markup: bool) -> "Environment":
    """Return the environment of folders of templates; a template that changed is read again."""
    from jinja2 import FileSystemLoader, StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    environment = ImmutableSandboxedEnvironment(
        loader=FileSystemLoader(folders),
        autoescape=markup,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=visible,
    )
    environment.filters = dict(FILTERS)
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
