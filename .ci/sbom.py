"""Writes the software bill of materials of a release: ``python .ci/sbom.py FOLDER``.

What it says comes from requirements.lock and the version alone, so the same lock gives the same
bytes: no time stands in it, and its serial number is made from its content.
"""

import json
import re
import sys
import uuid
from pathlib import Path

from cyclonedx.model import Property
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output import make_outputter
from cyclonedx.schema import OutputFormat, SchemaVersion
from packageurl import PackageURL

ROOT = Path(__file__).parents[1]
NAME = "certify"
PINNED = re.compile(r"(?P<name>[\w.-]+)==(?P<version>\S+)(?: ; (?P<marker>.+?))? \\")
BEHIND = re.compile(r"    #(?: via)? +(?P<name>[\w.-]+)(?: \(pyproject\.toml.*\))?")


def bill(lock: str, version: str) -> str:
    """Return the bill as CycloneDX 1.6 JSON.

    Args:
        lock: the text of a lock file as uv writes it: pins, hashes, and by what each is needed.
        version: of certify.
    """
    root = _component(NAME, version, None, ComponentType.APPLICATION)
    pinned: list[tuple[Component, set[str]]] = []
    for line in lock.splitlines():
        if pin := PINNED.fullmatch(line):
            component = _component(pin["name"], pin["version"], pin["marker"])
            pinned.append((component, set()))
        elif behind := BEHIND.fullmatch(line):
            pinned[-1][1].add(behind["name"])
    bom = Bom(components=[component for component, _ in pinned])
    bom.metadata.component = root
    for needing in (root, *bom.components):
        needed = [component for component, behind in pinned if needing.name in behind]
        bom.register_dependency(needing, needed)
    bom.serial_number = uuid.uuid5(uuid.NAMESPACE_URL, f"{root.purl}\n{lock}")
    outputter = make_outputter(bom, OutputFormat.JSON, SchemaVersion.V1_6)
    written = json.loads(outputter.output_as_string())
    del written["metadata"]["timestamp"]
    return json.dumps(written, indent=2, sort_keys=True) + "\n"


def _component(
    name: str, version: str, marker: str | None, kind: ComponentType = ComponentType.LIBRARY
) -> Component:
    purl = PackageURL("pypi", None, name, version)
    only = [Property(name="certify:only-where", value=marker)] if marker else []
    return Component(
        name=name, version=version, type=kind, purl=purl, bom_ref=str(purl), properties=only
    )


def main() -> None:
    """Write the bill of this tree's version into a folder, beside its wheel."""
    source = (ROOT / NAME / "__init__.py").read_text(encoding="utf-8")
    version = re.search(r'^__version__ = "(.+)"$', source, re.MULTILINE)[1]
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    (folder / f"{NAME}-{version}.cdx.json").write_text(bill(lock, version), encoding="utf-8")


if __name__ == "__main__":
    main()
