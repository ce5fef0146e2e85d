"""Editors: the schemas of a project as files, and which of its files each describes."""

import json
from collections.abc import Mapping
from pathlib import Path

from certify.intake.layout import PAYTABLES
from certify.intake.schemas.bundle import bundled
from certify.intake.schemas.schema import SUFFIX
from certify.storage import write_atomically

FOLDER = ".schemas"
"""The folder of a project in which its schemas stand; hidden, as it holds nothing to check."""

SETTINGS = Path(".vscode/settings.json")

MATCHES: Mapping[str, tuple[str, ...]] = {
    "events": ("events.json",),
    "alternatives": ("alternatives/*.json",),
    "house-way": ("house-ways/*.json",),
    "jurisdiction": ("jurisdictions/*.json",),
    "game": ("*/game.json",),
    "published": ("*/published.json",),
    "discrepancies": ("*/discrepancies.json",),
    "wager": ("*/*/wager.json",),
    "main-wager": ("*/main/*.json", "!**/wager.json"),
    "paytable": ("*/*/*.json", "!**/wager.json", "!**/main/*.json"),
    "envy": ("*/*/envy/*.json",),
}
"""The files of each kind below the folder of declared data; ``!`` leaves out what follows."""


def write_for_editors(project: Path) -> tuple[Path, ...]:
    """Write the schemas of a project, and the settings of an editor if it has none; return them.

    Raises:
        NotConfigured: the folder cannot be written.
    """
    for kind in MATCHES:
        schema = json.dumps(bundled(kind), indent=2, ensure_ascii=False)
        write_atomically(project / FOLDER / f"{kind}{SUFFIX}", f"{schema}\n".encode())
    settings = project / SETTINGS
    if settings.exists():
        return (project / FOLDER,)
    write_atomically(settings, f"{json.dumps(_settings(), indent=2)}\n".encode())
    return project / FOLDER, settings


def _settings() -> dict[str, list[dict[str, object]]]:
    return {
        "json.schemas": [
            {
                "fileMatch": [
                    pattern if pattern.startswith("!") else f"/{PAYTABLES}/{pattern}"
                    for pattern in patterns
                ],
                "url": f"./{FOLDER}/{kind}{SUFFIX}",
            }
            for kind, patterns in MATCHES.items()
        ]
    }
