"""The check of each figure of the evidence: counted, derived, or why neither."""

import re
import sys
from collections import Counter

from .figures import leaves
from .files import Json

NOT_FIGURES = frozenset(
    ("target", "game", "wager", "paytable", "method", "rounding", "assumptions", "inputs", "engine")
)
FIGURE = re.compile(r"-?\$?[\d,]+([./]\d+)?%?")
"""The format of an integer, a fraction, a decimal, an amount and a percentage."""

# How a figure was checked, or why it was not.
COUNTED = "counted"  # from the cards up, by the declared rules
DERIVED = "derived"  # it follows from counts that are taken as stated, or from other figures
WEIGHED = "what a house way costs: it is weighed against best play, hand by hand"
QUICK = "left out by --quick"
READING = "another reading of the rules: `--readings` counts its deals"
PUBLISHED = "what a source prints, in addition to the figures above"
NOT_DERIVED = "it is derived by certify, and not here"


def is_figure(value: object) -> bool:
    """Return True if a value of the evidence is a figure."""
    return not isinstance(value, bool) and FIGURE.fullmatch(str(value)) is not None


class Coverage:
    """The checks of figures, each with the name of its result or part, and its path."""

    def __init__(self) -> None:
        """Start with no figure."""
        self.lines: list[tuple[str, str, str]] = []

    def cover(
        self,
        name: str,
        stated: Json,
        counted: Json,
        *,
        why: str = "",
        follow: Json | None = None,
        reasons: Json | None = None,
    ) -> None:
        """Record the check of each figure of a result; ``reasons`` are of interpretations."""
        ours, derived = dict(leaves(counted)), dict(leaves(follow or {}))
        shown = {key: stated[key] for key in stated if key not in NOT_FIGURES}
        for path, value in leaves(shown):
            if not is_figure(value):
                continue
            how = COUNTED if path in ours else DERIVED if path in derived else why
            if how not in {COUNTED, DERIVED} and path.startswith("alternatives/"):
                how = (reasons or {}).get(path.split("/")[1], why)
            self.lines.append((name, path, how))

    def print(self, *, every: bool) -> None:
        """Print the check of every figure: a summary, or one by one."""
        if every:
            for name, path, how in self.lines:
                sys.stdout.write(f"{name}\t{path}\t{how}\n")
        width = max(len(name) for name, _, _ in self.lines)
        sys.stdout.write(f"\n{'How figures were checked':{width}}  counted  derived      not\n")
        names = dict.fromkeys(name for name, _, _ in self.lines)
        for each in (*names, ""):
            hows = Counter(how for name, _, how in self.lines if each in {name, ""})
            rest = hows.total() - hows[COUNTED] - hows[DERIVED]
            line = f"{each or 'all':{width}}  {hows[COUNTED]:7}  {hows[DERIVED]:7}  {rest:7}"
            why = "; ".join(
                f"{n} {how}" for how, n in hows.items() if how not in {COUNTED, DERIVED}
            )
            sys.stdout.write(line + (f"  {why}" if why and each else "") + "\n")
        sys.stdout.write(
            "counted: from the cards up. derived: from counts that are taken as stated, or from "
            "other figures.\n\n"
        )
