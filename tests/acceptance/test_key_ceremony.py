"""The commands of key-ceremony.md, as printed: a key on a token, and one in a PKCS#12 file."""

import os
import select
import shutil
import subprocess
import sys
import termios
import time
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, load_der_public_key
from cryptography.x509.oid import NameOID

from certify.cli.app import run as certify
from certify.signatures.identity_folder import PASSWORD_VARIABLE
from tests.acceptance.command_line import ROOT
from tests.acceptance.pages import arguments, blocks
from tests.commands.conftest import blank_pages
from tests.commands.pair_plus import GAME, pair_plus
from tests.homes import new_home
from tests.signatures.conftest import issue_certificate

__all__ = ["blank_pages"]  # a fixture

PAGE = "key-ceremony.md"
MODULE = Path("/usr/lib/softhsm/libsofthsm2.so")
"""The module that the page names."""

PIN = "1234"
PEOPLE = {NameOID.ORGANIZATION_NAME: "Sample Games LLC", NameOID.COMMON_NAME: "Ada Lovelace"}
LIMIT = 120
"""Seconds in which a command prints or ends."""

ON_TOKEN, IN_FILE = ("pkcs11-tool", "--pkcs11-module"), ("company.csr", "company.p12", "trial-of")
"""Words of commands that only one of the two kinds of key needs."""

pytestmark = pytest.mark.long


def commands(kind: str) -> list[str]:
    """Return the commands of the page for a kind of key, in order."""
    printed = [command for block in blocks(PAGE) for command in block.commands]
    others = IN_FILE if kind == "token" else (*ON_TOKEN, ".der", "verify trial ")
    return [command for command in printed if not any(word in command for word in others)]


def list_words(command: str) -> list[str]:
    """Return the words of a command as printed, but for a game of three cards."""
    printed_game = "mini-pai-gow --jurisdiction nevada --paytable A"
    return arguments(command.replace(printed_game, f"{GAME} --jurisdiction nevada"))


def run(command: str, folder: Path) -> None:
    """Run a command in a new process; type the PIN of a token."""
    given = list_words(command)
    if given[0] == "certify":
        given = [sys.executable, "-m", *given]
    terminal, own_end = os.openpty()
    said = b""
    with subprocess.Popen(
        given, cwd=folder, stdin=own_end, stdout=own_end, stderr=own_end
    ) as process:
        os.close(own_end)
        with suppress(OSError):  # the terminal is closed when the command ends
            while select.select([terminal], [], [], LIMIT)[0] and (read := os.read(terminal, 4096)):
                said += read
                if said.endswith(b"PIN: "):
                    _wait_until_hidden(terminal)
                    os.write(terminal, f"{PIN}\n".encode())
        os.close(terminal)  # this ends a command that waits for more
    assert process.returncode == 0, f"{command}\n{said.decode()}"


def _wait_until_hidden(terminal: int) -> None:
    """Wait until typed characters are not shown: whatever was typed before is discarded."""
    end = time.monotonic() + LIMIT
    while termios.tcgetattr(terminal)[3] & termios.ECHO and time.monotonic() < end:
        time.sleep(0.01)


class Authority:
    """A root, and an issuer below it that certifies the key of the ceremony."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.above, self.own = (rsa.generate_private_key(65537, 3072) for _ in range(2))
        for key, issuer, name in (
            (self.above, self.above, "Root"),
            (self.own, self.above, "Issuer"),
        ):
            made = issue_certificate(
                key,
                issuer,
                issuer="Root",
                subject={NameOID.COMMON_NAME: name},
                usages=("key_cert_sign", "crl_sign"),
            )
            self.write(name.lower(), made)

    def write(self, name: str, certificate: x509.Certificate) -> None:
        (self.folder / f"{name}.pem").write_bytes(certificate.public_bytes(Encoding.PEM))

    def certify(self, key: rsa.RSAPublicKey) -> None:
        """Return ``company.pem`` to who holds the key."""
        made = issue_certificate(
            SimpleNamespace(public_key=lambda: key),  # type: ignore[arg-type] # the key is elsewhere
            self.own,
            issuer="Issuer",
            subject=PEOPLE,
            usages=("digital_signature", "content_commitment"),
        )
        self.write("company", made)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the ceremony, with what is there before its first step."""
    pair_plus(tmp_path / "ceremony")  # final documents count again: three cards take no time
    (tmp_path / "ceremony" / "company.password").write_text("two halves", encoding="utf-8")
    monkeypatch.chdir(tmp_path / "ceremony")
    monkeypatch.setenv("CERTIFY_HOME", str(new_home(tmp_path / "home")))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return tmp_path / "ceremony"


@pytest.fixture
def token(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty token with the label of the page."""
    if not MODULE.is_file() or not shutil.which("pkcs11-tool"):
        pytest.skip("SoftHSM2 or pkcs11-tool is not installed: apt-get install softhsm2 opensc")
    (tmp_path / "tokens").mkdir()
    configuration = tmp_path / "softhsm2.conf"
    configuration.write_text(f"directories.tokendir = {tmp_path / 'tokens'}\nlog.level = ERROR\n")
    monkeypatch.setenv("SOFTHSM2_CONF", str(configuration))
    monkeypatch.setenv(PASSWORD_VARIABLE, PIN)
    made = ("--init-token", "--free", "--label", "filings", "--pin", PIN, "--so-pin", PIN)
    subprocess.run(["softhsm2-util", *made], check=True, capture_output=True)


def test_each_command_is_for_a_token_or_for_a_file() -> None:
    printed = [command for block in blocks(PAGE) for command in block.commands]
    run_at_all = {*commands("token"), *commands("file")}
    assert [command for command in printed if command not in run_at_all] == []
    assert {command.split()[0] for command in printed} == {
        "certify",
        "openssl",
        "pkcs11-tool",
        "rm",
    }


@pytest.mark.usefixtures("token")
def test_the_ceremony_of_a_token_runs_as_printed(folder: Path) -> None:
    first, *others = commands("token")
    assert "--keypairgen" in first
    run(first, folder)
    read = ("--token-label", "filings", "--read-object", "--type", "pubkey", "--label", "company")
    key = subprocess.run(
        ["pkcs11-tool", "--module", MODULE, *read], check=True, capture_output=True
    ).stdout
    made = load_der_public_key(key)
    assert isinstance(made, rsa.RSAPublicKey)
    assert made.key_size == 3072
    Authority(folder).certify(made)
    for command in others:
        run(command, folder)


@pytest.mark.usefixtures("blank_pages")
def test_the_ceremony_of_a_file_runs_as_printed(folder: Path) -> None:
    """The token signs printed pages."""
    first, *others = commands("file")
    run(first, folder)
    asked = x509.load_pem_x509_csr((folder / "company.csr").read_bytes())
    assert {part.oid: part.value for part in asked.subject} == PEOPLE
    made = asked.public_key()
    assert isinstance(made, rsa.RSAPublicKey)
    Authority(folder).certify(made)
    for command in others:
        if command.startswith("certify "):
            assert certify(list_words(command)[1:]) == 0
        else:
            run(command, folder)
    assert not (folder / "company.key").exists()
