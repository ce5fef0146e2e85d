"""How long a file is provable, its renewal, and the profile of a countersignature."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

import pytest

from certify.cli.app import run
from certify.commands.renew import describe_renewal, renew, renewed_path
from certify.errors import CertifyError, NotAuthentic, NotConfigured
from certify.filing.listing import digest_states
from certify.filing.registration import describe_documents
from certify.filing.verify import countersign
from certify.formatting import utc_minute
from certify.intake.files import format_register
from certify.model.approval import (
    Approval,
    ApprovalStatus,
    Register,
    RegisteredDocument,
    RegisteredPaytable,
    Role,
)
from certify.signatures._reading import judge
from certify.signatures.sign import sign
from certify.signatures.verify import SignatureVerdict
from tests.marks import further

from .conftest import DAY, YEAR, World

FIRST, LAST = 5 * YEAR, 12 * YEAR
Made = Callable[[str], bytes]


@pytest.fixture(scope="module")
def made(unsigned: bytes, server_of_world: World) -> Made:
    """Return the document as the preparer signed it, with a profile, and as later ones signed it.

    The authority of the timestamps is ``first``, which expires after five years.
    """
    world = server_of_world

    @cache
    def make(profile: str) -> bytes:
        before, _, laboratory = profile.partition(" then ")
        return sign(
            make(before) if laboratory else unsigned,
            identity=world.identity("younger" if laboratory else "elder"),
            field="Laboratory" if laboratory else "Signature",
            reason="",
            location="",
            timestamp_url=world.authority("first") if (laboratory or before) != "B-B" else None,
            long_term=(laboratory or before) == "B-LTA",
            certify=not laboratory,
            trust=world.trust,
        ).data

    return make


def judge_at(data: bytes, world: World, days: float) -> SignatureVerdict:
    return judge(data, trust=world.trust, at=datetime.now(UTC) + days * DAY)


@pytest.mark.parametrize(
    ("profile", "own", "laboratory"),
    [
        ("B-B", 2 * YEAR, None),  # the issuer's certificate expires before the preparer's
        ("B-T", FIRST, None),
        ("B-B then B-B", 2 * YEAR, 9 * YEAR),
        ("B-T then B-B", FIRST, 9 * YEAR),
        *further([("B-LTA", FIRST, None), ("B-LTA then B-B", FIRST, 9 * YEAR)]),
        *further([("B-T then B-LTA", FIRST, FIRST)]),
    ],
)
def test_a_file_is_accepted_until_when_it_is_provable_and_no_longer(
    profile: str, own: int, laboratory: int | None, made: Made, world: World
) -> None:
    data = made(profile)
    verdict = judge_at(data, world, 0)
    limits = [own] if laboratory is None else [own, laboratory]
    times = [datetime.fromisoformat(each.provable_until) for each in verdict.signatures]
    assert [round((time - datetime.now(UTC)) / DAY) for time in times] == limits
    until = datetime.fromisoformat(verdict.provable_until)
    assert until == min(times)
    at = [until - timedelta(seconds=1), until + timedelta(seconds=2)]  # a chain is given one
    verdicts = [judge(data, trust=world.trust, at=moment) for moment in at]
    assert [each.authentic for each in verdicts] == [True, False]
    assert verdicts[0].provable_until == verdict.provable_until
    assert (verdicts[1].provable_until, verdicts[1].signatures[0].provable_until) == ("", "")


def test_a_renewal_adds_data_and_time(made: Made, world: World) -> None:
    """Data of the time after an issuer expired do not answer for it; `last` begins later still."""
    data = made("B-T")
    world.clock = at = datetime.now(UTC) + 1.5 * YEAR * DAY
    renewal = renew(data, timestamp_url=world.authority("first"), trust=world.trust, at=at)
    assert [verdict.profile for verdict in (renewal.before, renewal.after)] == ["B-T", "B-LTA"]
    assert describe_renewal(renewal)[0].startswith("The renewal gains no time: the document is")
    world.clock = at = datetime.now(UTC) + 4.5 * YEAR * DAY
    renewal = renew(data, timestamp_url=world.authority("last"), trust=world.trust, at=at)
    assert renewal.data.startswith(data)
    assert renewal.after.profile == "B-T"
    told = describe_renewal(renewal)
    assert any(
        "issued after the certificate of 'TEST ONLY Issuing' expired" in item for item in told
    )
    assert renewal.after.provable_until > renewal.before.provable_until
    for days, holds in ((FIRST - 1, True), (FIRST + 1, False), (LAST - 1, False)):
        assert judge_at(data, world, days).authentic == holds
    for days, holds in ((FIRST + 1, True), (LAST - 1, True), (LAST + 1, False)):
        assert judge_at(renewal.data, world, days).authentic == holds


REFUSED: dict[str, tuple[str, float, str, str]] = {
    "The document is not renewed: A certificate was not valid when it was used.": (
        "B-T", 6, "last", "",
    ),
    "The document is not renewed: The signature does not match the document": (
        "B-T", 1, "last", "changed",
    ),
    "gave no timestamp": ("B-T", 0, "nobody", ""),
    "is not the URL of a timestamp authority": ("B-T", 0, "text", ""),
    "would not be accepted: A laboratory or a timestamp authority is not independent": (
        "B-B", 0, "own", "",
    ),
    "A chain of certificates could not be completed": ("B-B", 0, "first", "without its root"),
    "The certificate of 'TEST ONLY Younger' was revoked on": (
        "B-LTA then B-B", 4.5, "last", "",
    ),
    "with this timestamp it would be provable until": ("B-T", 0, "tsa", ""),
}  # fmt: skip
"""What is said of a document with a profile, renewed after some years by an authority."""


@pytest.mark.parametrize("reason", REFUSED)
def test_a_renewal_that_would_not_help_is_refused(reason: str, made: Made, world: World) -> None:
    profile, years, authority, change = REFUSED[reason]
    data, trust = made(profile), world.trust[:1] if change == "without its root" else world.trust
    if change == "changed":
        data = data[:300] + bytes([data[300] ^ 1]) + data[301:]
    world.clock = at = datetime.now(UTC) + years * YEAR * DAY
    addresses = {"nobody": "http://127.0.0.1:9/", "text": "timestamps.example.org"}
    address = addresses.get(authority) or world.authority(authority)
    with pytest.raises(CertifyError) as refused:
        renew(data, timestamp_url=address, trust=trust, at=at)
    assert reason in refused.value.message
    is_verdict = reason.startswith("The document is not renewed")
    assert isinstance(refused.value, NotAuthentic if is_verdict else NotConfigured)
    assert "--long-term" not in refused.value.remedy


@pytest.fixture
def trusted(world: World, tmp_path: Path) -> list[str]:
    """The options that trust the roots of the world, in its files."""
    options = []
    for name in ("root", "second"):
        path = tmp_path / f"{name}.pem"
        path.write_bytes(world.certificate(name).pem())
        options += ["--trust", str(path)]
    return options


def test_the_command_renews_each_file_into_a_new_one(
    made: Made,
    world: World,
    trusted: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked = ["--timestamp-url", world.authority("first"), *trusted]
    folder = tmp_path / "filings"
    folder.mkdir()
    files = {name: folder / f"{name}.pdf" for name in ("a", "b", "c")}
    files["a"].write_bytes(made("B-B"))
    files["b"].write_bytes(made("B-B")[:-40] + b"x" * 40)
    files["c"].write_bytes(made("B-T"))
    files["c"].chmod(0o640)
    before = {path: path.read_bytes() for path in folder.iterdir()}
    assert run(["renew", *map(str, files.values()), *asked, "--format", "json"]) == 1
    printed = capsys.readouterr()
    renewed, refused, third = json.loads(printed.out)["results"]
    assert (renewed["file"], renewed["profile"]) == (str(files["a"]), "B-LTA")
    until = renewed["provable_until"]
    assert renewed["provable_before"] < until == third["provable_until"]
    assert refused["message"].startswith(f"{files['b']}: The document is not renewed: ")
    assert f"Error: {files['b']}: The document is not renewed: " in printed.err
    assert f"Provable until {utc_minute(until)}; before the renewal, until " in printed.err
    assert {path: path.read_bytes() for path in before} == before
    assert {path.name for path in folder.iterdir()} - {path.name for path in before} == {
        "a.renewed.pdf", "c.renewed.pdf"
    }  # fmt: skip
    new = folder / "a.renewed.pdf"
    assert new.read_bytes().startswith(made("B-B"))
    assert (folder / "c.renewed.pdf").stat().st_mode & 0o777 == 0o640
    assert run(["verify", str(new), *trusted]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert f"until The document is provable until {utc_minute(until)}, when a" in shown

    kept = new.read_bytes()
    assert run(["renew", str(files["a"]), *asked]) == 2
    assert "already exists and is not overwritten" in capsys.readouterr().err
    assert run(["renew", *map(str, files.values()), *asked, "--out", str(new)]) == 2
    assert new.read_bytes() == kept


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.rules.pdf", "a.rules.renewed.pdf"),
        ("a.renewed.pdf", "a.renewed-2.pdf"),
        ("a.renewed-9.pdf", "a.renewed-10.pdf"),
        ("renewed.PDF", "renewed.renewed.PDF"),
    ],
)
def test_the_name_of_a_renewed_file(name: str, expected: str) -> None:
    assert renewed_path(Path("filings") / name) == Path("filings") / expected


@pytest.fixture
def filings(made: Made, signed: bytes, unsigned: bytes, tmp_path: Path) -> Path:
    """A folder with four filed documents, one of them broken, and others."""
    folder = tmp_path / "filings" / "2026"
    folder.mkdir(parents=True)
    plain, stamped, later = made("B-B"), made("B-T"), made("B-B then B-B")
    broken = stamped[:300] + bytes([stamped[300] ^ 1]) + stamped[301:]
    for name, data in (
        ("plain", plain), ("stamped", stamped), ("broken", broken), ("draft", signed),
        ("unsigned", unsigned), ("examined", later),
    ):  # fmt: skip
        (folder / f"{name}.pdf").write_bytes(data)
    (folder / "note.txt").write_bytes(plain)
    return folder


def test_the_filings_that_are_due(
    made: Made, filings: Path, trusted: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """A later file replaces the earlier one in the list; drafts are not listed."""
    tmp_path = filings.parents[1]
    register = tmp_path / "register.json"
    documents = (RegisteredDocument(name="plain.pdf", sha256=digest_states(made("B-B"))[-1]),)
    register.write_bytes(
        format_register(Register(approvals=(entry("nevada-1"), entry("nevada-2", documents))))
    )
    asked = ["register", "renewals", str(filings.parent), "--file", str(register), *trusted]

    def due(within: str) -> tuple[int, list[tuple[str, str]]]:
        code = run([*asked, "--within", within, "--format", "json"])
        stated = json.loads(capsys.readouterr().out)
        assert stated["checked"] == 4
        listed = [
            (Path(each["file"]).stem, ",".join(each["entries"])) for each in stated["renewals"]
        ]
        return code, listed

    assert due("12m") == (1, [("broken", "")])
    assert due("25m") == (1, [("broken", ""), ("examined", "nevada-2")])
    assert due(f"{5 * YEAR + 9}d")[1][2:] == [("stamped", "")]
    (filings / "broken.pdf").unlink()
    assert run([*asked, "--within", "12m"]) == 0
    assert "3 documents checked; to be renewed by" in capsys.readouterr().out
    assert run([*asked, "--within", "100m"]) == 1
    first, second = capsys.readouterr().out.splitlines()[2:4]
    assert ("examined.pdf" in first, "nevada-2" in first, "stamped.pdf" in second) == (True,) * 3
    assert run([*asked, "--within", "soon"]) == 2
    assert run(["register", "renewals", str(tmp_path / "root.pem"), "--file", str(register)]) == 3


@pytest.fixture
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CERTIFY_HOME", str(tmp_path / "home"))


@pytest.mark.usefixtures("own_home")
def test_the_register_lists_until_when_filed_documents_are_provable(
    made: Made,
    signed: bytes,
    trusted: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The end of a filed PDF by the roots of this user; none for a draft or a PDF of another root.

    The certificate of the issuer of `elder` expires after two years, that of `first` after five.
    """
    paths = {name: tmp_path / f"{name}.pdf" for name in ("plain", "stamped", "draft", "broken")}
    data = (made("B-B"), made("B-T"), signed, b"%PDF-1.7 PLAIN")
    for path, content in zip(paths.values(), data, strict=True):
        path.write_bytes(content)
    (sheet := tmp_path / "sheet.xlsx").write_bytes(b"PK")
    assert not any(each.provable_until for each in describe_documents(paths.values()))
    for option in trusted[1::2]:
        assert run(["keys", "trust", option]) == 0
    found = describe_documents([*paths.values(), sheet])
    ends = [datetime.fromisoformat(each.provable_until) for each in found if each.provable_until]
    assert [round((end - datetime.now(UTC)) / DAY) for end in ends] == [2 * YEAR, FIRST]
    assert [bool(each.provable_until) for each in found] == [True, True, False, False, False]

    plain, stamped, draft, _, table = found
    register = tmp_path / "register.json"
    entries = (entry("a-1"), entry("a-2", (stamped, plain, table)), entry("a-3", (plain, draft)))
    register.write_bytes(format_register(Register(approvals=entries)))
    listed = ["register", "list", "--file", str(register)]
    capsys.readouterr()
    assert run([*listed, "--format", "json"]) == 0
    answers = json.loads(capsys.readouterr().out)["approvals"]
    assert [each.get("provable_until") for each in answers] == [None, plain.provable_until, None]
    assert run(listed) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if "a-" in line]
    assert [plain.provable_until in line for line in lines] == [False, True, False]


def entry(name: str, documents: tuple[RegisteredDocument, ...] = ()) -> Approval:
    return Approval(
        id=name, game="mini-pai-gow", game_name="Mini Pai Gow", jurisdiction="nevada",
        status=ApprovalStatus.PENDING, day=datetime.now(UTC).date(), documents=documents,
        paytables=(RegisteredPaytable(wager="bonus", paytable="A", content_sha256="0" * 64),),
    )  # fmt: skip


@pytest.mark.parametrize("profile", ["B-T", *further(["B-LTA"])])
def test_a_countersignature_keeps_the_profile(profile: str, made: Made, world: World) -> None:
    data, reviewer = made(profile), world.identity("younger")

    def add(**options: object) -> SignatureVerdict:
        added = countersign(
            data,
            identity=reviewer,
            location="Reno",
            trust=world.trust,
            **options,  # type: ignore[arg-type]
        )
        return judge_at(added, world, 0)

    with pytest.raises(NotConfigured, match=f"has the profile PAdES {profile} and is prov") as told:
        add()
    assert "--allow-lower-profile" in told.value.remedy
    stamped = add(timestamp_url=world.authority("first"))
    assert (stamped.profile, len(stamped.timestamps)) == (profile, 2 if profile == "B-T" else 4)
    assert [bool(each.proven) for each in stamped.signatures] == [True, True]
    lowered = add(allow_lower_profile=True)
    assert [bool(each.proven) for each in lowered.signatures] == [True, False]


def test_a_lowered_profile_is_warned_of(
    filings: Path, world: World, trusted: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    identity = world.identity("signer")  # its certificate holds for ten days
    path = filings / "stamped.pdf"
    asked = ["countersign", str(path), "--as", "approver", *trusted]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("certify.cli.documents.open_identity", lambda *_: identity)
        assert run(asked) == 2
        assert not (filings / "stamped.countersigned.pdf").exists()
        assert run([*asked, "--allow-lower-profile"]) == 0
    verdict = judge_at((filings / "stamped.countersigned.pdf").read_bytes(), world, 0)
    ten_days = utc_minute(world.certificate("signer").not_after.isoformat())
    assert utc_minute(verdict.provable_until) == ten_days
    five_years = utc_minute(verdict.signatures[0].provable_until)
    warned = capsys.readouterr().err
    assert f"Provable until {ten_days}; without this signature, until {five_years}." in warned


def test_a_role_without_an_empty_field_is_told_of_the_others(made: Made, world: World) -> None:
    with pytest.raises(NotConfigured) as refused:
        sign(
            made("B-B then B-B"), identity=world.identity("card"), field=Role.LABORATORY.field,
            reason="", location="", certify=False,
        )  # fmt: skip
    assert refused.value.message == "The field 'Laboratory' is already signed."
    assert refused.value.remedy == "Sign in a role whose field is empty: approver or reviewer."
