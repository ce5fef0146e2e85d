"""Mutated files at every entry point: each gets findings or a refusal, or passes; no defects."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fuzz.entry_points import EntryPoint, entry_points, sample_library
from tests.fuzz.mutations import mutate
from tests.fuzz.run import fuzz, keep, send

FILES = 150
"""Files for each of two seeds: some twenty seconds of one core."""


@pytest.fixture
def every_entry_point(tmp_path: Path) -> Iterator[list[EntryPoint]]:
    with sample_library():
        yield list(entry_points(tmp_path))


@pytest.mark.parametrize("seed", [1, 2])
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
        if entry.weight == 1:
            assert [send(entry, seed) for seed in entry.seeds] == [None] * len(entry.seeds)


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
    def broken(_: bytes) -> None:
        raise error

    failure = send(EntryPoint(name="broken", seeds=(b"{}",), read=broken), b"{}")
    assert failure is not None
    assert failure.what == error.__name__
