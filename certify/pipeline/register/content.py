"""What a record means, as one digest."""

import hashlib
import json
from typing import Any, Final

from certify.model.catalogue import EVENT_FILES, Catalogue
from certify.pipeline.targets import among

LEFT_OUT: Final = ("$schema", "source")
"""What the content's digest leaves out: where a fact was read changes no meaning."""


def content_digest(catalogue: Catalogue, target: str, *, house_way: str | None = None) -> str:
    """Return the digest of what a record means, by SHA-256.

    It covers the record, its envy table, the conditions of its events in their order of rank, and
    for a main wager the game's deck and hands and the house way. Where the facts were read, the
    file's layout and the order of its properties do not matter.

    Raises:
        NotConfigured: the target is not declared.
    """
    documents = catalogue.documents
    record = among("target", target, documents).value
    game, wager, _ = target.split("/")
    parts: dict[str, Any] = {"record": record}
    if record.get("envy") is not None:
        parts["envy"] = documents[f"{game}/{wager}/envy/{record['envy']}"].value
    used = {row["event"] for part in parts.values() for row in part.get("rows", ())}
    parts["events"] = [
        {name: event[name] for name in ("id", "when", "player", "dealer") if name in event}
        for key in EVENT_FILES
        if key in documents
        for event in documents[key].value["events"]
        if event["id"] in used
    ]
    declared = documents[game].value
    parts["game"] = {name: declared.get(name) for name in ("deck", "hand", "joker", "wheel")}
    if house_way is not None:
        parts["house_way"] = documents[f"house-ways/{house_way}"].value
    text = json.dumps(_meaning(parts), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _meaning(value: object) -> object:
    """Return a JSON value without what does not matter to its meaning."""
    if isinstance(value, dict):
        return {name: _meaning(part) for name, part in value.items() if name not in LEFT_OUT}
    return [_meaning(part) for part in value] if isinstance(value, list) else value
