"""Messages in words of the web app: its pages and fields instead of commands and options."""

import re

from certify import library

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
