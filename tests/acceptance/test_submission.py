from pathlib import Path

import pytest

from tests.acceptance.command_line import ROOT, Certify
from tests.commands.pair_plus import GAME as QUICK
from tests.commands.pair_plus import pair_plus
from tests.homes import new_home

GAME = "mini-pai-gow"
PARTS = ("rules", "mathematics")


def order(out: Path, *, game: str = GAME, paytable: str = "A") -> tuple[object, ...]:
    return ("submit", game, "--jurisdiction", "nevada", "--paytable", paytable, "--out", out)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user who has no keys yet."""
    home = new_home(tmp_path / "home of a new user")
    monkeypatch.setenv("CERTIFY_HOME", str(home))
    return home


@pytest.mark.usefixtures("home")
def test_without_an_identity_nothing_is_written(certify: Certify, tmp_path: Path) -> None:
    out = tmp_path / "out"
    ran = certify(*order(out))
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == (
        "Error: There is no identity to sign with.\n"
        "  Fix: Create one for drafts with `certify keys init-dev`, or use --unsigned.\n"
    )
    assert not out.exists()


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ("submit", GAME, "--jurisdiction", "nevda", "--unsigned", "--out", "x"),
            "Error: There is no jurisdiction 'nevda'.\n  Fix: Did you mean nevada?\n",
        ),
        (
            ("submit", "mini-pai-gaw", "--jurisdiction", "nevada", "--unsigned", "--out", "x"),
            "Error: There is no game 'mini-pai-gaw'.\n"
            "  Fix: Did you mean mini-pai-gow or dealer-open-pai-gow?\n",
        ),
        (
            ("submit", GAME, "--jurisdiction", "nevada", "--unsigned"),
            "Usage: certify submit [OPTIONS] [GAME]\n"
            "Try 'certify submit --help' for help.\n\n"
            "Error: Missing option '--out'.\n",
        ),
    ],
)
def test_wrong_order_is_refused(arguments: tuple[str, ...], said: str, certify: Certify) -> None:
    ran = certify(*arguments)
    assert (ran.err, ran.out, ran.code) == (said, "", 2)
    assert not (ROOT / "x").exists()


@pytest.mark.long
def test_a_signed_submission_is_accepted_and_reproduced_and_any_changed_byte_refused(
    home: Path, certify: Certify, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a game whose counts take no time; `test_reproduce.py` counts a pai gow game again."""
    pair_plus(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert certify("keys", "init-dev", "--name", "Ada Lovelace").code == 0
    out = tmp_path / "out"
    ran = certify(*order(out, game=QUICK, paytable="1"))
    assert ran.code == 0, ran.err
    files = [next(out.glob(f"*.{part}.pdf")) for part in PARTS]

    verified = certify("verify", *files, "--format", "json")
    assert verified.code == 0, verified.out
    for result in verified.json["results"]:
        assert set(result) >= {"verdict", "checks", "signer"}
        assert all(check["passed"] for check in result["checks"])
        assert "Ada Lovelace" in result["signer"]
        assert result["proves_identity"] is False
    first, *others = (result["checks"] for result in verified.json["results"])
    shared = [check["detail"] for check in first if all(check in other for other in others)]
    lines = certify("verify", *files).out.splitlines()
    assert shared
    assert [lines.count(f"  ok      {detail}") for detail in shared] == [1] * len(shared)

    unexpected = certify("verify", files[0], "--signer", "Grace Hopper")
    assert unexpected.code == 1
    assert "Ada Lovelace" in unexpected.out

    reproduced = certify("reproduce", files[1], "--format", "json")
    assert reproduced.code == 0, reproduced.out
    assert all(check["passed"] for check in reproduced.json["checks"] if check["required"])

    data = files[0].read_bytes()
    for place in (100, len(data) // 2, len(data) - 200):
        changed = tmp_path / f"changed-{place}.pdf"
        changed.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        refused = certify("verify", changed)
        assert refused.code in (1, 2, 3), (place, refused.out)

    for path in home.rglob("*"):
        assert path.stat().st_mode & 0o077 == 0 or path.suffix in (".pem", ""), path

    strangers = certify("verify", files[0], "--trust", foreign_root(tmp_path, certify, home))
    assert strangers.code == 1


def foreign_root(folder: Path, certify: Certify, home: Path) -> Path:
    """Return the certificate of somebody who did not sign."""
    assert certify("keys", "init-dev", "--name", "Charles Babbage").code == 0
    found = [path for path in home.rglob("*.pem") if "babbage" in path.name.lower()]
    copy = folder / "babbage.pem"
    copy.write_bytes(found[0].read_bytes())
    return copy
