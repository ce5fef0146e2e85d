"""Comparison of stated evidence with recomputed evidence, value by value.

Another build may state more or fewer properties, and other texts. Figures that differ, texts that
differ and values that only one side states are therefore listed apart.
"""

import json
import re
from collections.abc import Mapping, Sequence

from msgspec import Struct, field

IDS = ("event", "level", "target", "id")
"""Properties by which the items of a list are found on the other side, if each has one."""

FIGURE = re.compile(r"-?[0-9][0-9,]*(\.[0-9]+)?%?|-?[0-9]+/[0-9]+|[0-9]+ (to|for) [0-9]+|push|loss")
"""A number, a fraction or a payout, as text."""


class Differences(Struct, kw_only=True):
    """Differences of two values, as lines.

    Attributes:
        figures: figures that differ, and values of different kinds.
        texts: texts and ids that differ.
        one_sided: paths of what only one side states.
        equal: the number of figures that are equal.
    """

    figures: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    one_sided: list[str] = field(default_factory=list)
    equal: int = 0

    @property
    def all(self) -> list[str]:
        """Every line."""
        return [*self.figures, *self.texts, *self.one_sided]

    def compare(self, stated: object, ours: object, path: str = "") -> None:
        """Add the differences of two JSON values at a path; null is like a missing value."""
        if isinstance(stated, dict) and isinstance(ours, dict):
            self._compare_parts(stated, ours, path)
        elif isinstance(stated, list) and isinstance(ours, list):
            self._compare_lists(stated, ours, path)
        elif stated == ours and type(stated) is type(ours):
            self.equal += _is_figure(stated)
        else:
            line = f"{path}: states {_shorten(stated)}, recomputed {_shorten(ours)}"
            if stated is None or ours is None:
                self.one_sided.append(line)
            elif _is_text(stated) and _is_text(ours):
                self.texts.append(line)
            else:
                self.figures.append(line)

    def _compare_parts(
        self, stated: Mapping[str, object], ours: Mapping[str, object], path: str
    ) -> None:
        for key in dict.fromkeys((*ours, *stated)):
            self.compare(stated.get(key), ours.get(key), f"{path}/{key}".lstrip("/"))

    def _compare_lists(self, stated: Sequence[object], ours: Sequence[object], path: str) -> None:
        """Compare items of one id, or else of one place."""
        for name in IDS:
            theirs, own = _by_id(stated, name), _by_id(ours, name)
            if theirs is not None and own is not None:
                self._compare_parts(theirs, own, path)
                return
        if len(stated) == len(ours):
            for place, (item, other) in enumerate(zip(stated, ours, strict=True)):
                self.compare(item, other, f"{path}/{place}")
        else:
            line = f"{path}: states {len(stated)} items, recomputed {len(ours)}"
            self.one_sided.append(line)


def compare_values(stated: object, ours: object) -> Differences:
    """Return the differences of two JSON values."""
    found = Differences()
    found.compare(stated, ours)
    return found


def _by_id(items: Sequence[object], name: str) -> dict[str, object] | None:
    """Return the items by a property, or None if two have the same value or one has none."""
    found: dict[str, object] = {
        item[name]: item
        for item in items
        if isinstance(item, dict) and isinstance(item.get(name), str)
    }
    return found if len(found) == len(items) else None


def _is_figure(value: object) -> bool:
    return not isinstance(value, dict | list | None) and not _is_text(value)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and not FIGURE.fullmatch(value)


def _shorten(value: object) -> str:
    text = "nothing" if value is None else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}..."  # noqa: PLR2004 - room on a line
