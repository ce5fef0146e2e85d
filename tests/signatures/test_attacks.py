"""The attack corpus: each published class, bare and closed, is refused by the check named.

A file is closed by a document timestamp that a stranger got, or by the signature of an insider,
both written byte by byte: a library would refuse to go on from many of these files.
"""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from certify.errors import NothingChecked
from certify.signatures.revisions import changes
from tests.marks import further

from .attacks import ATTACKS, Numbers, find_numbers
from .conftest import World, find_failures
from .raw_update import add_timestamp, countersign
from .shadows import SHADOWS

MANIFEST = json.loads(
    (Path(__file__).parents[2] / "fixtures" / "attacks" / "manifest.json").read_text()
)["attacks"]

Close = Callable[[bytes, World, Numbers], bytes]
CLOSINGS: dict[str, Close] = {
    "bare": lambda data, *_: data,
    "timestamp": lambda data, world, at: add_timestamp(data, world, form=at.form, page=at.page),
    "insider": lambda data, world, at: countersign(data, world, field=at.empty_field),
}


def failures(data: bytes, world: World) -> set[str]:
    """Return the checks that fail; the absence of a signature is one."""
    try:
        return find_failures(world.judge(data))
    except NothingChecked:
        return {"no-signature"}


@pytest.fixture(scope="module")
def signed_once(unsigned: bytes, server_of_world: World) -> bytes:
    return server_of_world.sign(unsigned)


@pytest.mark.parametrize("close", CLOSINGS)
def test_what_was_not_attacked_is_accepted(close: str, signed_once: bytes, world: World) -> None:
    data = CLOSINGS[close](signed_once, world, find_numbers(signed_once))
    assert failures(data, world) == set()


def test_the_manifest_names_every_attack() -> None:
    assert [entry["id"] for entry in MANIFEST] == [*ATTACKS, *SHADOWS]
    assert all(entry["refused_by"].keys() == CLOSINGS.keys() for entry in MANIFEST)


@pytest.mark.parametrize("close", [*[*CLOSINGS][:1], *further([*CLOSINGS][1:])])
@pytest.mark.parametrize("entry", MANIFEST, ids=lambda entry: entry["id"])
def test_an_attack_is_refused_however_it_is_closed(
    entry: dict[str, dict[str, str]], close: str, unsigned: bytes, signed_once: bytes, world: World
) -> None:
    name = str(entry["id"])
    if name in SHADOWS:
        signed = world.sign(SHADOWS[name].prepare(unsigned))
        at = find_numbers(signed)
        attacked = SHADOWS[name].attack(signed, at)
    else:
        signed, at = signed_once, find_numbers(signed_once)
        attacked = ATTACKS[name](signed, at)
    assert attacked != signed
    check = entry["refused_by"][close]
    assert check in failures(CLOSINGS[close](attacked, world, at), world)


def test_a_field_without_a_number_is_no_timestamp(signed_once: bytes) -> None:
    """Even where the name is that of a timestamp: an annotation would look the same."""
    attack = ATTACKS["annotation-beside-a-direct-timestamp"]
    attacked = attack(signed_once, find_numbers(signed_once))
    found = changes(signed_once, attacked, signed=frozenset(), stamped=frozenset({"Loose"}))
    assert "a field was added to the form" in {alteration.text for alteration in found}
    assert "the annotations of page 1 were changed" in {alteration.text for alteration in found}
