"""Timestamps and revocation data through a proxy, and over TLS with the root of a company."""

import asyncio
import datetime as dt
import ipaddress
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from pyhanko.sign.timestamps import TimestampRequestError

from certify.cli import machine
from certify.errors import NotConfigured
from certify.filing.identities import try_authority
from certify.signatures.identity import Identity
from certify.signatures.identity_folder import register_root
from certify.signatures.network import TimestampClient, find_proxy
from certify.signatures.sign import renew, sign

from .conftest import World

VARIABLES = ("http_proxy", "https_proxy", "no_proxy", "all_proxy")


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SSL_CERT_FILE", "SSL_CERT_DIR", *VARIABLES, *map(str.upper, VARIABLES)):
        monkeypatch.delenv(name, raising=False)


@contextmanager
def serving(world: World, context: ssl.SSLContext | None = None) -> Iterator[tuple[int, list[str]]]:
    """Serve the authority of the world, as a proxy does, too; yield port and requested URLs."""
    seen: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        # The client ends a connection that is kept open, but its loop does not wait for TLS to end
        # one that is not. The socket is then closed as rubbish, which fails some later test.
        protocol_version = "HTTP/1.1"

        def _serve(self) -> None:
            seen.append(self.path)
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            kind, data = world.answer(self.path, body)
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = _serve  # noqa: N815 - the names that http.server looks for

        def log_message(self, *_: object) -> None:
            """Keep quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        if context is not None:
            server.socket = context.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server.server_port, seen
        server.shutdown()
        thread.join()


def request_timestamp(url: str) -> None:
    asyncio.run(TimestampClient(url).async_timestamp(bytes(32), "sha256"))


def test_timestamps_and_revocation_data_go_through_the_proxy(
    world: World, unsigned: bytes, development: Identity, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = world.requests
    with serving(world) as (port, seen):
        monkeypatch.setenv("HTTP_PROXY", f"http://user:word@127.0.0.1:{port}")
        assert find_proxy(world.url) == f"http://127.0.0.1:{port}"
        signed = sign(
            unsigned,
            identity=development,
            reason="Submission",
            location="Reno",
            timestamp_url=world.url,
            long_term=True,
            trust=world.trust,
        )
    assert signed.profile == "B-LTA"
    assert world.requests == before
    assert world.url in seen
    assert [url for url in seen if url.startswith("http://127.0.0.1:") and "crl" in url]


def test_no_proxy_names_hosts_that_are_asked_directly(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = world.requests
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    request_timestamp(world.url)
    assert world.requests == before + 1
    assert not find_proxy(world.url)


def test_a_proxy_that_does_not_answer_is_named(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    with pytest.raises(TimestampRequestError) as caught:
        request_timestamp(world.url)
    assert "127.0.0.1:9" in str(caught.value.__cause__)


@pytest.mark.parametrize("address", ["https://127.0.0.1:9", "socks5://127.0.0.1:9", "proxy:9"])
def test_a_proxy_of_another_kind_is_refused_and_not_passed_by(
    address: str, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", address)
    with pytest.raises(NotConfigured, match="names no HTTP proxy") as caught:
        request_timestamp(world.url)
    assert "http://HOST:PORT" in caught.value.remedy


def issue(folder: Path) -> tuple[Path, ssl.SSLContext]:
    """Return the file of a company's root, and the TLS settings of a server under it."""
    now = dt.datetime.now(dt.UTC)
    own, above = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    root = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "TEST ONLY Company")])
    address = x509.IPAddress(ipaddress.ip_address("127.0.0.1"))

    def certify(name: x509.Name, key: ec.EllipticCurvePrivateKey) -> x509.CertificateBuilder:
        return (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(root)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - dt.timedelta(days=1))
            .not_valid_after(now + dt.timedelta(days=1))
        )

    anchor = certify(root, above).add_extension(x509.BasicConstraints(ca=True, path_length=0), True)
    server = certify(x509.Name([]), own)
    server = server.add_extension(x509.SubjectAlternativeName([address]), critical=True)
    files = folder / "root.pem", folder / "server.pem"
    files[0].write_bytes(anchor.sign(above, hashes.SHA256()).public_bytes(Encoding.PEM))
    files[1].write_bytes(
        own.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        + server.sign(above, hashes.SHA256()).public_bytes(Encoding.PEM)
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(files[1])
    return files[0], context


def test_the_root_of_a_company_is_trusted_if_a_variable_names_it(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, context = issue(tmp_path)
    with serving(world, context) as (port, seen):
        url = f"https://127.0.0.1:{port}/test-only/tsa/tsa"
        with pytest.raises(TimestampRequestError) as caught:
            request_timestamp(url)
        assert "CERTIFICATE_VERIFY_FAILED" in str(caught.value.__cause__)
        assert not seen
        monkeypatch.setenv("SSL_CERT_FILE", str(root))
        request_timestamp(url)
    assert seen == ["/test-only/tsa/tsa"]


@pytest.mark.parametrize("content", [None, b"no certificate"])
def test_a_file_of_roots_that_has_none_is_refused(
    content: bytes | None, world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "roots.pem"
    if content is not None:
        file.write_bytes(content)
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    with pytest.raises(NotConfigured, match="from which no certificate can be read") as caught:
        request_timestamp(world.url)
    assert str(file) in caught.value.message


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CERTIFY_HOME", str(tmp_path))
    return tmp_path / "keys"


def test_a_trial_takes_the_whole_way_to_the_authority_and_back(world: World, home: Path) -> None:
    register_root(home, world.certificate("second").pem(), ["time"])
    results = [*try_authority(world.url)]
    assert [passed for passed, _ in results] == [True] * 4
    proxy, roots, plain, long_term = (text for _, text in results)
    assert proxy == f"proxy for {world.url}: none"
    assert roots.startswith("certificate authorities for https: ")
    for profile, text in (("B-T", plain), ("B-LTA", long_term)):
        assert text.startswith(f"{profile} signature in ")
        assert "by TEST ONLY Authority under the root TEST ONLY Second" in text


def test_a_trial_refuses_an_authority_without_a_trusted_root(world: World, home: Path) -> None:
    register_root(home, world.certificate("root").pem(), ["time"])
    *_, (passed, text) = try_authority(world.url)
    assert not passed
    assert "no root that you trust for the role time vouches for 'TEST ONLY Authority'" in text


@pytest.mark.usefixtures("home")
def test_doctor_fails_with_an_authority_that_gives_no_timestamp(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    world.on = False
    assert machine.doctor(world.url) == 2
    assert f"missing  The timestamp authority {world.url} gave no timestamp" in (
        " ".join(capsys.readouterr().out.split()).replace("missing ", "missing  ")
    )


MALFORMED = {"empty": b"", "other": b"\x30\x03\x02\x01\x02", "page": b"<html>Sign in</html>"}


@pytest.fixture
def garbled(monkeypatch: pytest.MonkeyPatch) -> dict[str, bytes]:
    """Bytes that the authorities of the world send in place of an answer, by a part of its path."""
    answer, sent = World.answer, dict[str, bytes]()

    def garble(world: World, path: str, body: bytes) -> tuple[str, bytes]:
        kind, data = answer(world, path, body)
        return kind, next((bad for part, bad in sent.items() if part in path), data)

    monkeypatch.setattr(World, "answer", garble)
    return sent


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_answer_is_no_timestamp(
    name: str, garbled: dict[str, bytes], world: World, unsigned: bytes
) -> None:
    garbled["/tsa"] = MALFORMED[name]
    reason = f"The timestamp authority {world.url} gave no timestamp: its answer cannot be read"
    identity = world.identity("signer")
    with pytest.raises(NotConfigured, match=reason):
        sign(unsigned, identity=identity, reason="", location="", timestamp_url=world.url)
    with pytest.raises(NotConfigured, match=reason):
        renew(
            world.sign(unsigned),
            timestamp_url=world.url,
            trust=world.trust,
            moment=dt.datetime.now(dt.UTC),
        )


def test_an_answer_of_another_type_is_named(
    world: World, unsigned: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(World, "answer", lambda *_: ("text/html", b"<html>Sign in</html>"))
    with pytest.raises(NotConfigured, match="its answer has the type text/html, as a web page has"):
        sign(
            unsigned,
            identity=world.identity("signer"),
            reason="",
            location="",
            timestamp_url=world.url,
        )


def test_a_status_of_an_authority_is_a_plain_sentence(world: World, unsigned: bytes) -> None:
    world.on = False
    identity = world.identity("signer")
    with pytest.raises(NotConfigured) as caught:
        sign(unsigned, identity=identity, reason="", location="", timestamp_url=world.url)
    assert caught.value.message == (
        f"The timestamp authority {world.url} gave no timestamp: "
        "it answered with HTTP status 503 (Service Unavailable)."
    )


@pytest.mark.parametrize("who", ["signer", "asked"])
@pytest.mark.parametrize("name", MALFORMED)
def test_revocation_data_that_cannot_be_had_are_named_with_their_address(
    who: str, name: str, garbled: dict[str, bytes], world: World, unsigned: bytes
) -> None:
    part = "/crls/" if who == "signer" else "/ocsp/"
    garbled[part] = MALFORMED[name]
    with pytest.raises(NotConfigured) as caught:
        sign(
            unsigned,
            identity=world.identity(who),
            reason="",
            location="",
            timestamp_url=world.url,
            long_term=True,
            trust=world.trust,
        )
    certificate = f"the certificate of 'TEST ONLY {who.title()}'"
    assert f"revocation of {certificate} could not be looked up: {certificate} names http://" in (
        caught.value.message
    )
    assert part in caught.value.message
    assert "--long-term" in caught.value.remedy
    assert "reaches these addresses" in caught.value.remedy


def test_a_renewal_names_the_address_of_revocation_data(
    garbled: dict[str, bytes], world: World, unsigned: bytes
) -> None:
    garbled["/crls/"] = b""
    data, now = world.sign(unsigned), dt.datetime.now(dt.UTC)
    with pytest.raises(NotConfigured, match="of 'TEST ONLY Authority' names http://") as caught:
        renew(data, timestamp_url=world.url, trust=world.trust, moment=now)
    assert "reaches these addresses" in caught.value.remedy
    assert "--long-term" not in caught.value.remedy
