"""The result of a command."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:  # noqa: ANN401 - any JSON value
        return json.loads(self.out)


Certify = Callable[..., Ran]
