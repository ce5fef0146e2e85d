"""Writes the software bill of materials of a release: ``python .ci/sbom.py FOLDER``.

It comes from requirements.lock, the version, and the licenses that the installed packages of the
lock declare, so the same lock on the same system gives the same bytes: it has no time, and its
serial number is made from its content.
"""

import json
import re
import sys
import uuid
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import HashAlgorithm, HashType, Property
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output import make_outputter
from cyclonedx.schema import OutputFormat, SchemaVersion
from packageurl import PackageURL

ROOT = Path(__file__).parents[1]
NAME = "certify"
LICENSE = "Apache-2.0"  # of pyproject.toml; a test compares them
UNKNOWN = "unknown: the package is not installed where this was written, or declares none"
PINNED = re.compile(r"(?P<name>[\w.-]+)==(?P<version>\S+)(?: ; (?P<marker>.+?))? \\")
DIGEST = re.compile(r"    --hash=sha256:(?P<digest>[0-9a-f]{64})(?: \\)?")
BEHIND = re.compile(r"    #(?: via)? +(?P<name>[\w.-]+)(?: \(pyproject\.toml.*\))?")


Licenses = Callable[[str, str], list[str]]
"""Returns what a package declares as its licenses, by name and version; nothing if not known."""


def declared_licenses(name: str, version: str) -> list[str]:
    """Return the SPDX expression, the license field or the classifiers of an installed package."""
    try:
        stated = metadata.metadata(name)
    except metadata.PackageNotFoundError:  # of another system
        return []
    if stated["Version"] != version:
        return []
    field = stated.get("License-Expression") or stated.get("License") or ""
    if field and "\n" not in field:  # some put the whole text there
        return [field]
    start = "License :: "
    listed = [each for each in stated.get_all("Classifier") or () if each.startswith(start)]
    return sorted(each.rpartition(" :: ")[2] for each in listed)


def bill(lock: str, version: str, licenses: Licenses = declared_licenses) -> str:
    """Return the bill as CycloneDX 1.6 JSON.

    A component has the digests of all files that the lock accepts for it, on any system.

    Args:
        lock: the text of a lock file as uv writes it: pins, hashes, and by what each is needed.
        version: of certify.
        licenses: of a package.
    """
    root = _component(NAME, version, None, [LICENSE], ComponentType.APPLICATION)
    pinned: list[tuple[Component, set[str]]] = []
    for line in lock.splitlines():
        if pin := PINNED.fullmatch(line):
            known = licenses(pin["name"], pin["version"])
            component = _component(pin["name"], pin["version"], pin["marker"], known)
            pinned.append((component, set()))
        elif digest := DIGEST.fullmatch(line):
            pinned[-1][0].hashes.add(HashType(alg=HashAlgorithm.SHA_256, content=digest["digest"]))
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
    name: str,
    version: str,
    marker: str | None,
    licenses: list[str],
    kind: ComponentType = ComponentType.LIBRARY,
) -> Component:
    purl = PackageURL("pypi", None, name, version)
    stated = {"certify:only-where": marker, "certify:license": None if licenses else UNKNOWN}
    return Component(
        name=name,
        version=version,
        type=kind,
        purl=purl,
        bom_ref=str(purl),
        licenses=[LicenseFactory().make_from_string(text) for text in licenses],
        properties=[Property(name=key, value=value) for key, value in stated.items() if value],
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
