"""Entries of the behavior ledger: name and text of everything a user can see.

Each function yields ``(name, text)`` pairs of one part. The texts hold nothing that depends on the
machine, on the day or on the digest of the code, so that equal behavior gives equal texts.
"""

import contextlib
import hashlib
import io
import os
import random
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

from certify import library
from certify.cli.app import run
from certify.intake.read import read_catalogue
from certify.model.game import Strategy
from certify.model.submission import Order, Status
from certify.pipeline.filing import build_filing
from certify.pipeline.submit.build import build_submission, count_filing
from certify.pipeline.submit.evidence import build_evidence
from certify.pipeline.submit.submit import PARTS, render_html
from tests.fuzz.mutations import mutated

Entry = tuple[str, str]

ROOT = Path(__file__).parents[2]
MUTATIONS = 3000
SEED = 32

HANDS = {
    "commission-free-pai-gow-express/dynasty-bonus/1": "Ah 2h 3h 4h 5h 6h Jk",
    "commission-free-pai-gow-express/main": "Jk As Ad Kc Kd 2s 3s",
    "commission-free-pai-gow-express/protection/1": "Jk Ts 8d 6c 4h 3s 2d",
    "commission-free-pai-gow-express/red-black/1": "2h 4d 6h 8d Th Qd Ks",
    "dealer-open-pai-gow/chan-chu/1": "9s 9d 9c 5h 6h 7d 8s",
    "dealer-open-pai-gow/main": "2s 2h 2d 2c 3s 3h Jk",
    "emperors-challenge-exposed/emperors-treasure/PT-FLT-EC-ET-01": "As Ks Qs Js Jk Ah Kh",
    "emperors-challenge-exposed/main": "As Ah Ad Kc Kd 2s 3s",
    "emperors-challenge-exposed/pai-gow-insurance/PT-FLT-EC-PGI-05": "Jk 9s 8h 7d 6c 3s 2h",
    "mini-pai-gow/bonus/A": "Jk As Ad Ac Ah 2s",
    "mini-pai-gow/main": "5s 5d Kc 9h 8d 2s",
    "pai-gow-mania/main": "Ks Kd Qc Qh 7d 7s Ac",
    "pai-gow-mania/seven-card-bonus": "As 2s 3s 4s 5s 6s 7s",
}
"""A hand for `explain` under each target."""

PAIRS = (
    ("dealer-open-pai-gow/push-ace-high/1", "As Kd 9h 7c 5s 3d 2h", "Jk 9s 8h 7d 6c 3s 2c"),
    ("mini-pai-gow/main", "5s 5d Kc 9h 8d 2s", "4s 4d Kd 9c 8h 3s"),
)
"""A player's hand and a dealer's."""

COMPARED = (
    ("mini-pai-gow/bonus/A", "mini-pai-gow/bonus/B"),
    ("mini-pai-gow/main/1", "pai-gow-mania/main/commission-5-percent"),
    ("house-ways/foxwoods", "house-ways/trump-plaza"),
    ("dealer-open-pai-gow/chan-chu/1", "dealer-open-pai-gow/chan-chu/5"),
)


def documents() -> Iterator[Entry]:
    """Yield the evidence and both pages of every game, jurisdiction and strategy."""
    catalogue, _ = read_catalogue(*library.layers())
    for game, jurisdiction, strategy in product(
        sorted(catalogue.games), sorted(catalogue.jurisdictions), Strategy
    ):
        name = f"documents/{game}/{jurisdiction}/{strategy}"
        order = Order(game=game, jurisdiction=jurisdiction, strategy=strategy, command="certify")
        submission = build_submission(count_filing(build_filing(order)), status=Status.UNSIGNED)
        engine = {"version": "0", "sha256": "0" * 64}
        evidence = build_evidence(submission, Status.UNSIGNED, engine=engine)
        digest = hashlib.sha256(evidence).hexdigest()
        yield f"{name}/evidence.json", evidence.decode()
        for part in PARTS:
            page = render_html(replace(submission, evidence_sha256="EVIDENCE"), part)
            yield f"{name}/{part}.html", page.replace(digest, "EVIDENCE")


def findings() -> Iterator[Entry]:
    """Yield what `check` prints of seeded mutations; fixtures/ records its own findings."""
    with _in_folder(ROOT) as folder:
        files = sorted(folder.glob("paytables/**/*.json"))
        sound = {path: path.read_bytes() for path in files}
        others = [data for data in sound.values() if data.startswith(b"{")]
        rng = random.Random(SEED)  # noqa: S311 - to be repeated, not to be secret
        for number in range(MUTATIONS):
            path = rng.choice(files)
            data = mutated(sound[path], others, rng)
            place = path.relative_to(folder)
            printed = _printed(["check", "--stdin", "--path", str(place), "--format", "json"], data)
            yield f"mutations/{number:04}/{place}", printed


def commands() -> Iterator[Entry]:
    """Yield what every command that needs no key prints as JSON and as text.

    The pages of finding codes are in docs/reference/findings.
    """
    with tempfile.TemporaryDirectory() as empty, _in_folder(Path(empty)):
        for arguments in _command_lines():
            for form in ("json", "text"):
                yield (
                    f"commands/{form}/{' '.join(arguments)}",
                    _printed([*arguments, "--format", form]),
                )


def _command_lines() -> Iterator[list[str]]:
    catalogue, _ = read_catalogue(*library.layers())
    yield ["check", "--builtin", "--notes"]
    for game in sorted(catalogue.games):
        yield ["evaluate", game]
        yield ["audit", game]
        yield ["events", "--game", game]
    yield ["evaluate", "emperors-challenge-exposed/main", "--house-way", "dealer-open-pai-gow"]
    yield ["evaluate", "mini-pai-gow/main", "--strategy", "optimal"]
    yield ["evaluate", "dealer-open-pai-gow/chan-chu/3", "--players", "4", "--wager", "20"]
    for target, hand in HANDS.items():
        yield ["explain", target, hand]
    for target, hand, dealer in PAIRS:
        yield ["explain", target, hand, "--dealer", dealer]
    for one, other in COMPARED:
        yield ["diff", one, other]
    yield ["compare", "house-ways", "pai-gow-mania"]


@contextlib.contextmanager
def _in_folder(folder: Path) -> Iterator[Path]:
    """Make a folder the working folder for a while."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield folder
    finally:
        os.chdir(before)


def _printed(arguments: Sequence[str], data: bytes = b"") -> str:
    """Return the exit code and both streams of one command, without paths of this machine."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    before = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8")
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = run(arguments)
    finally:
        sys.stdin = before
    texts = []
    for stream in (out, err):
        stream.flush()
        texts.append(stream.buffer.getvalue().decode("utf-8", "replace"))
    whole = f"exit {code}\n{texts[0]}\n--- stderr\n{texts[1]}"
    whole = whole.replace(str(Path.cwd()), "PROJECT").replace(str(ROOT), "ROOT")
    whole = re.sub(r'"sha256": "[0-9a-f]{64}"', '"sha256": "DIGEST"', whole)
    return re.sub(r"\b\d+(\.\d+)? s\b", "N s", whole)


PARTS_OF_LEDGER: dict[str, Callable[[], Iterator[Entry]]] = {
    "commands": commands,
    "documents": documents,
    "findings": findings,
}
