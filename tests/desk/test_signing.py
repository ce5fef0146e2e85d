import datetime as dt
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    pkcs12,
)
from cryptography.x509.oid import NameOID
from starlette.datastructures import FormData

from certify.cli.app import run as command
from certify.commands.submissions.submissions import find_submission, register_submission
from certify.desk.app import MENU
from certify.desk.register import _read_options
from certify.formatting import long_date
from certify.signatures.certificate import DEVELOPMENT
from certify.signatures.identity_folder import make_archive
from tests.commands.pair_plus import GAME
from tests.desk import pictures
from tests.desk.conftest import (
    ORDER,
    ROOT,
    TABLE,
    Answer,
    Client,
    approve,
    finish,
    look_for_faults,
    open_reader,
    send,
)
from tests.marks import long
from tests.signatures.test_tokens import MODULES

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

HOSTILE = "<script>alert(1)</script>'\"\u202e{{ 7*7 }}"
PIN = "1234"
TODAY = dt.datetime.now(dt.UTC).date()
SUFFIX = f" – {DEVELOPMENT}"
LONG = "/options/mini-pai-gow/main/1"
FORM = f"/submit?game={GAME}&jurisdiction=nevada"
STORE = """
import sys, pkcs11
from pathlib import Path
from pkcs11.util.x509 import decode_x509_certificate
module, certificate, pin = sys.argv[1:]
with pkcs11.lib(module).get_token(token_label="test-only").open(user_pin=pin, rw=True) as session:
    attributes = decode_x509_certificate(Path(certificate).read_bytes())
    attributes |= {pkcs11.Attribute.TOKEN: True, pkcs11.Attribute.LABEL: "card",
                   pkcs11.Attribute.ID: b"\\x01"}
    session.create_object(attributes)
"""
"""Puts a certificate on a token: a library of one reads its settings once for each process."""


def copy_key(office: Client) -> tuple[Path, str]:
    stored = office.home / "keys" / f"{office.signers[0]}.p12"
    path = office.home / "apart" / "signer.p12"
    path.parent.mkdir(exist_ok=True)
    shutil.copy(stored, path)
    return path, stored.with_suffix(".password").read_text(encoding="ascii").strip()


def submit_by_file(office: Client, **fields: str) -> Answer:
    """Make the submission that a key file signs; the pages are printed once."""
    path, password = copy_key(office)
    key = {"key_file": (path.name, path.read_bytes())}
    asked = {**ORDER, "signer": "file", "password": password, **fields}
    return finish(office, send(office, "/submit", key, **asked, title="Engineer", licence="00000"))


@pytest.fixture(scope="module")
def made(office: Client) -> tuple[str, Path]:
    """The page of a submission that a key file signed, and its folder."""
    address = submit_by_file(office, out="by-file").headers["location"]
    shown = office.get(address).text
    assert "Draft: signed with a development key" in shown
    described = "certify keys describe signer.p12 --title Engineer --license 00000"
    assert described in shown
    return address, office.folder / "by-file"


def read_rules(folder: Path) -> bytes:
    (path,) = folder.glob("*.rules.pdf")
    return path.read_bytes()


@pytest.mark.parametrize(
    ("change", "field", "words"),
    [
        ({"password": "another"}, "password", "does not open"),
        ({"key_file": ""}, "key_file", "Choose the key file"),
        ({"key_file": "key.pem"}, "key_file", "Choose the key file"),
        ({"signer": "token"}, "module", "Enter the library of the token."),
        ({"signer": "nobody"}, "signer", "nobody"),
        ({"as_of": "tomorrow"}, "as_of", "tomorrow is not a date"),
        ({"out": "../outside"}, "out", "not a folder"),
    ],
)
def test_what_is_wrong_with_who_signs_stands_beside_its_field(
    office: Client, change: dict[str, str], field: str, words: str
) -> None:
    path, password = copy_key(office)
    asked = {**ORDER, "signer": "file", "password": password, "out": "no", **change}
    name = asked.pop("key_file", path.name)
    answer = send(office, "/submit", {"key_file": (name, path.read_bytes())}, **asked)
    beside = re.search(rf'id="{field}_fault">(.*?)</p>', answer.text)
    assert (answer.status, bool(beside and words in beside[1])) == (422, True)
    assert password not in answer.text
    assert not (office.folder / "no").exists()


def test_a_timestamp_that_cannot_be_had_is_said_plainly(office: Client) -> None:
    page = submit_by_file(office, timestamp_url="http://127.0.0.1:9/", out="stamped")
    assert page.status in {404, 422}
    assert "http://127.0.0.1:9/" in page.text
    assert "defect" not in page.text
    assert "Back to the form</a>" in page.text
    assert not list((office.folder / "stamped").glob("*.pdf"))


@pytest.fixture(scope="module")
def library(office: Client) -> Path:
    """The library of a token that holds the key of the first signer."""
    module = next((path for path in MODULES if path.is_file()), None)
    if shutil.which("softhsm2-util") is None or module is None:
        pytest.skip("SoftHSM2 is not installed: a token at the desk was not tested")
    path, password = copy_key(office)
    key, certificate, _ = pkcs12.load_key_and_certificates(path.read_bytes(), password.encode())
    assert key is not None
    assert certificate is not None
    pem, der = path.with_suffix(".pem"), path.with_suffix(".der")
    pem.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    der.write_bytes(certificate.public_bytes(Encoding.DER))
    tokens = office.home / "tokens"
    tokens.mkdir()
    settings = office.home / "softhsm2.conf"
    settings.write_text(f"directories.tokendir = {tokens}\nlog.level = ERROR\n", encoding="utf-8")
    environment = {"SOFTHSM2_CONF": str(settings), "PATH": "/usr/bin:/bin"}
    label = ("--token", "test-only")
    for words in (
        ("softhsm2-util", "--init-token", "--free", "--label", "test-only", "--pin", PIN,
         "--so-pin", PIN),
        ("softhsm2-util", "--import", pem, *label, "--label", "card", "--id", "01", "--pin", PIN),
        (sys.executable, "-c", STORE, module, der, PIN),
    ):  # fmt: skip
        subprocess.run(words, env=environment, check=True, capture_output=True)
    return module


@pytest.mark.long
def test_a_token_signs_and_a_wrong_pin_is_said_plainly(office: Client, library: Path) -> None:
    asked = {
        **ORDER,
        "signer": "token",
        "module": str(library),
        "token": "test-only",
        "key": "card",
    }
    wrong = finish(office, office.post("/submit", {**asked, "password": "9999", "out": "by-token"}))
    assert (wrong.status in {404, 422}, "PIN of the token" in wrong.text) == (True, True)
    assert "9999" not in wrong.text
    page = finish(office, office.post("/submit", {**asked, "password": PIN, "out": "by-token"}))
    assert page.headers["location"].startswith("/submissions/by-token/"), page.text
    verdict = send(office, "/verify", {"file": ("r.pdf", read_rules(office.folder / "by-token"))})
    assert "Accepted." in verdict.text


@pytest.mark.parametrize(("form", "allowed"), [({}, False), ({"allow_same_root": "yes"}, True)])
def test_one_root_for_all_is_accepted_only_if_the_form_says_so(
    form: dict[str, str], *, allowed: bool
) -> None:
    assert _read_options(FormData(form)).allow_same_root is allowed


def test_what_was_verified_is_countersigned_from_there(
    office: Client, made: tuple[str, Path]
) -> None:
    data = read_rules(made[1])
    verdict = send(office, "/verify", {"file": ("rules.pdf", data)})
    held = re.search(r'name="held" value="([^"]+)"', verdict.text)
    assert re.search(
        r'<p>Provable until <time datetime="(20[^"]*)">\1</time>, when a', verdict.text
    )
    assert 'type="url"' in verdict.text  # the authority that a document with a timestamp needs
    assert held is not None
    asked = {"held": held[1], "identity": office.signers[1], "role": "laboratory"}
    name = made[0].partition("?")[0].rpartition("/")[2]
    statement = json.dumps(build_statement(made[1], name)).encode()
    other = {"statement": ("laboratory.json", statement.replace(b"2026", b"2006"))}
    refused = send(office, "/verify/countersign", other, **asked)
    assert refused.status in {404, 422}
    assert "does not belong to this document" in refused.text
    files = {"statement": ("laboratory.json", statement)}
    answer = send(office, "/verify/countersign", files, **asked, location="Reno").data
    assert answer.startswith(data)
    again = send(office, "/verify", {"file": ("rules.pdf", answer)})
    assert "Test Only Laboratory" in again.text
    assert "This statement relates only to this item." in again.text
    assert "signature of " in again.text.partition("Page by page")[2]
    approved = office.raw("/verify/countersign", {**asked, "role": "approver"})
    roles = [
        signature["role"]
        for signed in (answer, approved)
        for signature in json.loads(
            send(office, "/verify.json", {"file": ("rules.pdf", signed)}).text
        )["signatures"]
    ]
    assert roles == ["preparer", "laboratory", "preparer", "approver"]
    same = office.post("/verify/countersign", {**asked, "identity": office.signers[0]})
    assert (same.status in {404, 422}, "has already signed" in same.text) == (
        True,
        True,
    )
    gone = office.post("/verify/countersign", {**asked, "held": "x"})
    assert (gone.status, "no longer available" in gone.text) == (422, True)


@pytest.fixture
def listed(office: Client) -> Iterator[str]:
    """An identity whose certificate names a revocation list, which nobody looks up."""
    key, now = rsa.generate_private_key(65537, 3072), dt.datetime.now(dt.UTC)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Test Only Listed")])
    address = x509.UniformResourceIdentifier("http://127.0.0.1:9/list.crl")
    point = x509.DistributionPoint([address], None, None, None)
    usages = (
        "digital_signature", "content_commitment", "key_encipherment", "data_encipherment",
        "key_agreement", "key_cert_sign", "crl_sign", "encipher_only", "decipher_only",
    )  # fmt: skip
    usage = x509.KeyUsage(**{each: each == usages[0] for each in usages})
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.CRLDistributionPoints([point]), critical=False)
        .add_extension(usage, critical=True)
        .sign(key, hashes.SHA256())
    )
    secret = BestAvailableEncryption(b"test only")
    path = office.home / "keys" / "listed.p12"
    path.touch(0o600)
    path.write_bytes(pkcs12.serialize_key_and_certificates(b"own", key, certificate, None, secret))
    path.with_suffix(".pem").write_bytes(certificate.public_bytes(Encoding.PEM))
    yield path.stem
    path.unlink()
    path.with_suffix(".pem").unlink()


NOTICE = "The revocation of 'Test Only Listed' was not looked up: use --long-term."


def test_notices_of_a_countersignature_are_on_the_page(
    office: Client, made: tuple[str, Path], listed: str
) -> None:
    data = read_rules(made[1])
    asked = {"identity": listed, "role": "approver", "password": "test only"}
    shown = send(office, "/verify/countersign", {"file": ("rules.pdf", data)}, **asked)
    assert NOTICE in unescape(shown.text)
    link = re.search(r'href="(/verify\?signed=[^"]+)"', shown.text)
    assert link is not None
    answer = office.get(link[1])
    assert 'filename="rules.countersigned.pdf"' in answer.headers["content-disposition"]
    assert answer.data.startswith(data)
    assert office.get("/verify?signed=x").status == 422


@pytest.fixture(scope="module")
def another(office: Client) -> str:
    """The page of a draft with another paytable."""
    asked = {**ORDER, "filing": "after", "paytable": f"{GAME}/pair-plus/2", "out": "after"}
    answer = finish(office, office.post("/submit", {**asked, "signer": office.signers[0]}))
    # A form that names no filing would show it to the other tests.
    (office.folder / "filings" / "after.json").unlink()
    return answer.headers["location"].partition("?")[0]


@pytest.mark.long
def test_the_redline_of_two_submissions_is_that_of_the_command(  # noqa: PLR0917 - fixtures
    office: Client,
    made: tuple[str, Path],
    another: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    offered = office.get(another).text.partition('<select id="before"')[2].partition("</select>")[0]
    (before,) = re.findall(r'<option value="(by-file/[^"]+)"', offered)
    assert office.post(f"{another}/redline", {"before": "by-file/another"}).status == 404
    shown = finish(office, office.post(f"{another}/redline", {"before": before})).text
    assert f"<h3>{TABLE} to {GAME}/pair-plus/2</h3>" in shown
    record = re.search(r'href="(/compare/files/[^"]+)"', shown)
    assert record is not None
    names = []
    for folder in (made[1], office.folder / "after"):
        (path,) = folder.glob("*.mathematics.pdf")
        names.append(Path(shutil.copy(path, tmp_path)).name)
    monkeypatch.chdir(tmp_path)
    assert command(["diff", *names, "--format", "json"]) == 0
    assert office.get(record[1]).text == capsys.readouterr().out


def test_notices_of_countersigned_documents_are_on_their_page(
    office: Client, another: str, listed: str
) -> None:
    asked = {"signer": listed, "role": "laboratory", "password": "test only"}
    shown = office.post(f"{another}/countersign", asked)
    assert (shown.status, unescape(shown.text).count(f"<li>{NOTICE}</li>")) == (200, 1)
    assert "The documents are countersigned" in shown.text


def build_statement(folder: Path, name: str) -> dict[str, object]:
    """Return the example on the two documents that a laboratory signs."""
    manifest = json.loads((folder / f"{name}.manifest.json").read_bytes())
    example = json.loads((ROOT / "fixtures/statement/laboratory.json").read_bytes())
    return {
        **example,
        "submission": name,
        "evidence_sha256": manifest["evidence_sha256"],
        "files": [
            {"name": file["name"], "sha256": file["sha256"]}
            for file in manifest["files"]
            if file["name"].endswith((".rules.pdf", ".mathematics.pdf"))
        ],
        "examined": [{"targets": [TABLE], "method": "every hand counted again"}],
        "not_examined": [],
    }


@pytest.mark.long
def test_both_documents_are_countersigned_and_verified_from_their_submission(
    office: Client, made: tuple[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    address, folder = made[0].partition("?")[0], made[1]
    assert all(word in read_rules(folder) for word in (b"Engineer", b"00000"))
    asked = {"signer": office.signers[1], "role": "laboratory", "location": "Reno"}
    wrong = office.post(f"{address}/countersign", {**asked, "signer": "file"})
    assert (wrong.status, 'id="key_file_fault"' in wrong.text) == (422, True)
    assert 'value="Reno"' in wrong.text
    statement = build_statement(folder, address.rpartition("/")[2])
    other = json.dumps({**statement, "submission": "other"}).encode()
    refused = send(
        office, f"{address}/countersign", {"statement": ("laboratory.json", other)}, **asked
    )
    assert (refused.status, "does not belong to this document" in refused.text) == (422, True)
    assert not list(folder.glob("*.laboratory"))
    data = json.dumps(statement).encode()
    signed = send(
        office, f"{address}/countersign", {"statement": ("laboratory.json", data)}, **asked
    )
    assert signed.status == 303, signed.text
    copies = sorted(path.name for path in folder.glob("*.laboratory/*.pdf"))
    assert [name.split(".")[-2] for name in copies] == ["mathematics", "rules"]
    shown = office.get(address)
    assert "Test Only and Test Only Laboratory" in shown.text.replace(SUFFIX, "")
    for name in copies:
        link = f"{address}?file={address.rpartition('/')[2]}.laboratory/{name}"
        assert f'href="{link}"' in shown.text
        assert f'filename="{name}"' in office.get(link).headers["content-disposition"]
    verdicts = office.get(f"/verify?folder=by-file&id={address.rpartition('/')[2]}").text
    assert verdicts.count("<strong>Accepted.</strong>") == 5  # four documents, and the filing
    assert "The filing is complete, and its files belong together" in verdicts
    assert verdicts.count("</strong> as laboratory") == 2
    assert verdicts.count("This statement relates only to this item.") == 2
    again = office.post(f"{address}/countersign", asked)
    assert (again.status, "has already signed" in again.text) == (422, True)
    draft = {**ORDER, "out": "by-file", "signer": office.signers[0]}
    assert "carries 2 signatures" in finish(office, office.post("/submit", draft)).text

    assert office.post(f"{address}/register", {}).status == 422  # it is a draft
    monkeypatch.chdir(office.folder)
    found = find_submission(office.folder, folder, address.rpartition("/")[2])
    register = office.folder / "register.json"
    earlier = register.read_bytes() if register.exists() else None
    register_submission(found, office.folder, TODAY)
    try:
        *_, entry = json.loads(office.get("/register.json").text)["approvals"]
        assert (entry["target"], entry["status"]) == (TABLE, "pending")
        assert sorted(document["name"] for document in entry["documents"]) == copies
        assert f'>pending <span class="day">{long_date(TODAY)}</span>' in office.get("/cases").text
    finally:
        register.unlink() if earlier is None else register.write_bytes(earlier)


def test_a_certificate_is_trusted_and_removed(office: Client) -> None:
    stranger = make_archive(common_name="Stranger", today=TODAY, password="x")[1]  # noqa: S106 - thrown away
    for data in (stranger.pem(), stranger.der):
        added = send(office, "/signers", {"certificate": ("c.cer", data)})
        assert added.status == 303, added.text
        assert stranger.fingerprint in office.get("/signers").text
        office.post("/signers/remove", {"fingerprint": stranger.fingerprint})
        assert stranger.fingerprint not in office.get("/signers").text
    certificate = {"certificate": ("c.cer", stranger.der)}
    assert send(office, "/signers", certificate, role="laboratory").status == 303
    assert "<td>laboratory</td>" in office.get("/signers").text
    office.post("/signers/remove", {"fingerprint": stranger.fingerprint})
    refused = send(office, "/signers", {"certificate": ("c.pem", b"nothing")})
    assert (refused.status, 'id="certificate_fault"' in refused.text) == (422, True)


def test_a_job_survives_a_reload_and_is_cancelled(office: Client) -> None:
    address = office.post(f"{LONG}/count", {}).headers["location"]
    for _ in range(2):
        page = office.get(address)
        assert (page.status, "<progress" in page.text) == (200, True)
    assert f'<a href="{address}">' in office.post("/stop", {}).text  # it asks first
    assert f'action="{address}/cancel"' in office.get("/jobs").text
    assert office.post(f"{address}/cancel", {}).status == 303
    assert ">canceled<" in office.get("/jobs").text
    assert "Canceled. No incomplete file was written." in office.get(address).text
    assert office.get(f"{LONG}/counted/{address.rpartition('/')[2]}").status == 404


def test_a_hostile_text_in_any_field_is_text_or_refused(office: Client) -> None:
    path = office.folder / "filings" / f"{GAME}-nevada.json"
    before = path.read_bytes() if path.exists() else None
    form = office.get(FORM).text.partition('enctype="multipart/form-data"')[2]
    names = set(re.findall(r' name="([^"]+)"', form)) - {"csrf", "stamp", "game", "jurisdiction"}
    assert {"supplier/name", "out", "aggregate_limits/0/cents", "paytable"} <= names
    try:
        for name in sorted(names):
            stamp = re.search(r'name="stamp" value="([^"]+)"', office.get(FORM).text)
            assert stamp is not None
            asked = {**ORDER, "aggregate_limits": "stated", name: HOSTILE, "stamp": stamp[1]}
            answer = office.post("/submit/terms", asked)
            assert answer.status in {303, 422}, (name, answer.text)
            assert "<script>alert" not in answer.text + office.get(FORM).text
            assert "\u202e" not in answer.text
    finally:
        path.unlink(missing_ok=True)
        if before is not None:
            path.write_bytes(before)


@pytest.fixture(scope="module")
def reader(office: Client, _chromium: "Browser") -> Iterator["Page"]:
    yield from open_reader(office, _chromium)


def open_page(office: Client, page: "Page", made: tuple[str, Path], name: str) -> None:
    match name:
        case "submission":
            page.goto(FORM)
        case "job":
            job = office.post(f"{LONG}/count", {}).headers["location"]
            # The page leaves for the result when it hears that the job has ended.
            page.route(f"**{job}/state", lambda route: route.fulfill(status=204))
            page.goto(job)
            page.locator("progress").wait_for()
            office.post(f"{job}/cancel", {})
        case "preview":
            answer = office.post("/submit/preview", ORDER)
            finish(office, answer)
            page.goto(answer.headers["location"])
        case "written":
            page.goto(made[0])
            page.get_by_role("heading", name="Compare with another submission").wait_for()
            page.evaluate("document.getElementById('countersign').open = true")
        case "verify":
            page.goto("/verify")
            path = next(made[1].glob("*.rules.pdf"))
            page.set_input_files("#file", path)
            page.get_by_role("button", name="Verify", exact=True).click()
            page.locator(".verdict").wait_for()
            page.wait_for_load_state("load")  # the style sheet, too: without it links are small
        case "register":
            entry = {"target": TABLE, "jurisdiction": "california", "status": "pending"}
            office.post("/register", {**entry, "date": "2026-11-20"})
            page.goto("/register")
        case "case":
            page.goto(f"/cases/{GAME}/nevada?filing={GAME}-nevada")
            page.get_by_role("heading", name="Files").wait_for()
        case _:
            open_further(office, page, name)


def open_further(office: Client, page: "Page", name: str) -> None:
    """Open a page without a picture in the documentation."""
    match name:
        case "cases":
            page.goto("/cases")
            page.get_by_role("region", name="Drafts and signed filings").wait_for()
        case "refused":
            page.goto(f"{FORM}&out=../outside")
            page.get_by_role("button", name="Make the submission").click()
            page.get_by_role("alert").wait_for()
        case "jobs":
            job = office.post(f"{LONG}/count", {}).headers["location"]
            page.goto("/jobs")
            page.get_by_role("region", name="Jobs").wait_for()
            office.post(f"{job}/cancel", {})
        case "stopping":
            job = office.post(f"{LONG}/count", {}).headers["location"]
            page.goto("/")
            page.get_by_role("button", name="Close the app").click()
            page.get_by_role("button", name="End the jobs and close").wait_for()
            office.post(f"{job}/cancel", {})
        case "signers" | "log" | "filings" | "impact":
            page.goto(f"/{name}" + f"/{GAME}" * (name in {"filings", "impact"}))
            page.get_by_role("heading", level=1).wait_for()
        case "correct":
            approve(office, TABLE)
            *_, entry = json.loads(office.get("/register.json").text)["approvals"]
            page.goto(f"/register?correct={entry['id']}")
            page.get_by_role("heading", name=f"Correct entry {entry['id']}").wait_for()
        case "approved":
            approve(office, TABLE)
            page.goto(f"/games/{TABLE}")
            page.get_by_text("Approved in Nevada", exact=True).wait_for()
        case "review":
            page.goto(f"/games/{TABLE}")
            page.get_by_label("Pays for Straight flush").fill("41 to 1")
            page.get_by_role("button", name="Review changes").click()
            page.wait_for_url("**/review")
        case "rules-review":
            page.goto(f"/rules/{GAME}")
            page.locator(".sentence textarea").first.fill("Another sentence.")
            page.get_by_role("button", name=re.compile("^Review changes")).first.click()
            page.wait_for_url("**/review")


FURTHER = (
    "refused", "jobs", "stopping", "signers", "review", "rules-review", "correct",
    "approved", "filings", "impact",
)  # fmt: skip
"""Pages that something is done for first, without a picture in the documentation."""


@pytest.mark.usefixtures("another")
@pytest.mark.parametrize("name", long([*pictures.MADE, *FURTHER]))
def test_a_page_has_no_fault_of_accessibility(
    office: Client, reader: "Page", made: tuple[str, Path], name: str
) -> None:
    open_page(office, reader, made, name)
    if name in pictures.MADE:
        pictures.take(reader, name)
    # The preview shows a document, which is not a page of the desk.
    look_for_faults(reader, name, "main" if name == "preview" else None)


def test_every_page_of_the_menu_has_a_picture_that_is_shown() -> None:
    shown = (ROOT / "docs" / "how-to" / "use-the-web-app.md").read_text(encoding="utf-8")
    listed = {*pictures.ADDRESSES.values(), *pictures.MADE}
    first = {re.split(r"[/?]", address)[1] for address in pictures.ADDRESSES}
    done = {"submission": "submit", "verify": "verify", "register": "register"}
    done |= {"job": "jobs", "log": "log", "cases": "cases"}
    first |= {done[name] for name in pictures.MADE if name in done}
    menu = {address.strip("/") for _, address in MENU}
    assert menu <= first
    files = {path.stem: path for path in (ROOT / "docs" / "pictures").glob("*.png")}
    del files["report"]  # of a document, for the README
    assert set(files) == listed
    for name in listed:
        assert re.search(rf"!\[[^\]]{{20,}}\]\(\.\./pictures/{name}\.png\)", shown), name
    assert sum(path.stat().st_size for path in files.values()) < 600_000
