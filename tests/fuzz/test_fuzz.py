"""Mutated files at every command: each gets findings or a refusal, or passes; no defects."""

import random
from dataclasses import replace

import pytest

from tests.marks import further
from tools.fuzz.entry_points import EntryPoint, entry_points
from tools.fuzz.mutations import mutate
from tools.fuzz.run import fuzz, keep, send
from tools.fuzz.surface import Answer, read_defect

FILES = 80
"""Files for each of two seeds: ten seconds of one core; `make fuzz` sends them without end."""


@pytest.fixture(scope="module")
def every_entry_point(tmp_path_factory: pytest.TempPathFactory) -> list[EntryPoint]:
    """Each entry point with its own project; each read writes the file before the command."""
    return list(entry_points(tmp_path_factory.mktemp("entries") / "points"))


@pytest.mark.parametrize("seed", [1, *further([2])])
def test_no_mutated_file_finds_a_defect(
    every_entry_point: list[EntryPoint], seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    run = fuzz(every_entry_point, seed, files=FILES)
    kept = tmp_path_factory.mktemp("kept")
    failures = [
        f"{failure.what} in {failure.where}: {keep(failure, kept)}"
        for failure in run.failures.values()
    ]
    assert not failures, "\n".join([f"seed {seed}", *failures])


def test_sound_files_pass_every_entry_point(every_entry_point: list[EntryPoint]) -> None:
    for entry in every_entry_point:
        if entry.weight < 3:  # not alone, and not of the library that others are laid over
            answers = [entry.read(seed) for seed in entry.seeds]
            assert {each.code for each in answers} <= {0, 1}, (entry.name, answers, read_defect())


def test_a_seed_makes_the_same_files_again(every_entry_point: list[EntryPoint]) -> None:
    seeds = [seed for entry in every_entry_point for seed in entry.seeds if seed.startswith(b"{")]
    twice = [
        [mutate(rng.choice(seeds), seeds, rng) for _ in range(50)]
        for rng in (random.Random(7), random.Random(7))  # noqa: S311 - to be repeated
    ]
    assert twice[0] == twice[1]
    assert len(set(twice[0]) - set(seeds)) > 40


@pytest.mark.parametrize("error", [TypeError, RecursionError, MemoryError, KeyError])
def test_a_defect_of_an_entry_point_is_seen(error: type[Exception]) -> None:
    def broken(_: bytes) -> Answer:
        raise error

    failure = send(EntryPoint(name="broken", seeds=(b"{}",), read=broken), b"{}")
    assert failure is not None
    assert failure.what == error.__name__


@pytest.mark.parametrize("code", [0, 1, 70, 130])
def test_only_the_exit_codes_of_the_contract_are_plain(code: int) -> None:
    entry = EntryPoint(name="made up", seeds=(b"",), read=lambda _: Answer(code, "", ""))
    failure = send(entry, b"")
    assert (failure is not None) == (code > 4)
    traced = replace(entry, read=lambda _: Answer(code, "", "Traceback (most recent call last)"))
    assert send(traced, b"") is not None
