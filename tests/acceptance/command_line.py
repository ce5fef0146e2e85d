"""The result of a command."""

import json
import subprocess
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

OWN_DOCUMENT = (
    "--called", "Harbor", "--document", "Harbor: Rules", "--supplier", "Acme", "--dated", "2026",
)  # fmt: skip
"""The options by which a copy of a game names its own document."""


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def git(*arguments: str) -> None:
    names = ("-c", "user.name=Somebody", "-c", "user.email=somebody@example.org")
    always = ("-c", "protocol.file.allow=always")
    subprocess.run(["git", *names, *always, *arguments], check=True, capture_output=True)


def commit(*, first: bool = False) -> None:
    if first:
        git("init", "--quiet", "--initial-branch", "trunk")
    git("add", "--all")
    git("commit", "--quiet", "--allow-empty", "--message", "Change")
