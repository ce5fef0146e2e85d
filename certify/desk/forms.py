"""A form that was sent: the values of its fields and their faults."""

import datetime as dt
from dataclasses import dataclass, field

Texts = dict[str, list[str]]


@dataclass(slots=True, kw_only=True)
class Form:
    """The values of a form's fields, and the fault of each by its name."""

    said: Texts
    faults: dict[str, str] = field(default_factory=dict)

    @property
    def wrong(self) -> bool:
        """True if the form has faults."""
        return bool(self.faults)

    def text(self, name: str) -> str:
        """Return the value of a field."""
        return " ".join(self.said.get(name, ()))

    def day(self, name: str) -> dt.date | None:
        """Return the date of a field; None for none, and for an invalid one, which is a fault."""
        text = self.text(name)
        try:
            return dt.date.fromisoformat(text) if text else None
        except ValueError:
            self.faults[name] = f"{text} is not a date. Write year-month-day, such as 2026-11-21."
            return None

    def has(self, name: str, value: str) -> bool:
        """Return True if a field has this value."""
        return value in (self.said.get(name) or ("",))

    def fault(self, name: str) -> str:
        """Return the fault of a field."""
        return self.faults.get(name, "")

    def has_fault(self, *parts: str) -> bool:
        """Return True if a field of these parts has a fault."""
        return any(name.partition("/")[0] in parts for name in self.faults)
