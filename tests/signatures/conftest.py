"""A small document, throwaway people, and services of authorities on loopback."""

import threading
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from asn1crypto import ocsp, tsp
from certomancer.registry import (
    ArchLabel,
    CertLabel,
    CertomancerConfig,
    PKIArchitecture,
    ServiceLabel,
)
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, pkcs12
from cryptography.x509.oid import NameOID
from pikepdf import Array, Dictionary, Name, String

from certify.signatures import identity_folder as identity
from certify.signatures._reading import judge
from certify.signatures.certificate import Certificate
from certify.signatures.identity import FileKey, Identity
from certify.signatures.sign import sign
from certify.signatures.verify import SignatureVerdict
from tests.in_process import read_in_process

KEYS = Path(__file__).parents[2] / "fixtures" / "keys"
PEOPLE = ("root", "second", "authority", "signer", "reviewer", "stranger", "card", "leaver")
MISFITS = {
    "server": "server_auth",
    "program": "code_signing",
    "stamper": "time_stamping",
    "mailer": "email_protection",
}
"""Whose certificates name a purpose; only the last one is fit for documents."""

ISSUERS = ("root", "second", "issuing")
DAY, YEAR = timedelta(days=1), 365
AUTHORITIES = (("first", 0, 5), ("next", 4, 8), ("last", 4, 12))
"""Timestamp authorities, each with the years from now in which its certificate is valid."""

PrivateKey = RSAPrivateKey | EllipticCurvePrivateKey
USAGES = (
    "digital_signature", "content_commitment", "key_encipherment", "data_encipherment",
    "key_agreement", "key_cert_sign", "crl_sign", "encipher_only", "decipher_only",
)  # fmt: skip

FIELDS = ("Signature", "Reviewer", "Laboratory", "Approver")
"""In the document of these tests; a document of ours has no field for a reviewer."""

EVIDENCE = b'{"house_edge": "1/2"}\n'
XMP = b"""<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:certify="https://example.org/certify/" certify:evidence="sha256:0123456789abcdef">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">Rules of Play</rdf:li></rdf:Alt></dc:title>
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>"""


IN_A_CHILD = ("test_limits", "test_attacks")
"""The tests of the process that reads signatures."""


@pytest.fixture(autouse=True)
def reading(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.path.stem not in IN_A_CHILD:
        read_in_process(monkeypatch)


def _widget(pdf: pikepdf.Pdf, name: str, place: int) -> pikepdf.Object:
    return pdf.make_indirect(
        Dictionary(
            Type=Name.Annot,
            Subtype=Name.Widget,
            FT=Name.Sig,
            T=String(name),
            TU=String(name),
            Rect=Array([60, 100 + 120 * place, 360, 200 + 120 * place]),
            F=4,
            P=pdf.pages[0].obj,
        )
    )


@pytest.fixture(scope="session")
def unsigned() -> bytes:
    """Two pages, XMP, an attachment, and empty signature fields."""
    pdf = pikepdf.new()
    font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)
    for number in (1, 2):
        pdf.add_blank_page(page_size=(595, 842))
        pdf.pages[-1].Contents = pdf.make_stream(b"BT /F1 12 Tf 60 700 Td (Page %d) Tj ET" % number)
        pdf.pages[-1].Resources = Dictionary(Font=Dictionary(F1=font))
    widgets = [_widget(pdf, name, place) for place, name in enumerate(FIELDS)]
    pdf.pages[0].Annots = Array(widgets)
    pdf.Root.AcroForm = pdf.make_indirect(Dictionary(Fields=Array(widgets), SigFlags=1))
    pdf.attachments["evidence.json"] = pikepdf.AttachedFileSpec(
        pdf,
        EVIDENCE,
        filename="evidence.json",
        description="Evidence",
        mime_type="application/json",
        creation_date="D:20240501000000Z",
        mod_date="D:20240501000000Z",
    )
    pdf.Root.Metadata = pdf.make_stream(XMP, Type=Name.Metadata, Subtype=Name.XML)
    pdf.docinfo.Title = String("Rules of Play")
    stream = BytesIO()
    pdf.save(stream, min_version="1.7", deterministic_id=True, fix_metadata_version=False)
    return stream.getvalue()


@dataclass(slots=True, kw_only=True)
class World:
    """The make-believe public-key infrastructure and its services.

    ``clock`` is what the services take for the present: None for the real one. They answer 503
    while ``on`` is False, and ``requests`` counts what they were asked. A revocation list is issued
    each week, or if ``fresh`` each minute.
    """

    url: str = ""
    clock: datetime | None = None
    on: bool = True
    fresh: bool = False
    requests: int = 0
    architecture: PKIArchitecture
    identities: dict[str, Identity] = field(default_factory=dict)

    def certificate(self, label: str) -> Certificate:
        return Certificate.from_der(self.architecture.get_cert(CertLabel(label)).dump())

    def identity(self, label: str) -> Identity:
        """Return an identity, whose private key is opened once for all tests."""
        if label not in self.identities:
            self.identities[label] = self._package(label)
        return self.identities[label]

    def _package(self, label: str) -> Identity:
        archive = self.architecture.package_pkcs12(CertLabel(label), password=b"test only")
        chain = self.architecture.get_chain(CertLabel(label))
        return Identity(
            certificate=self.certificate(label),
            chain=tuple(self.certificate(str(link)) for link in chain),
            key=FileKey(data=archive, password="test only"),  # noqa: S106 - a throwaway
        )

    def authority(self, name: str) -> str:
        """Return the address of an authority: ``tsa``, ``own``, ``first``, ``next`` or ``last``."""
        return self.url.replace("/tsa/tsa", f"/tsa/{name}")

    @property
    def trust(self) -> tuple[Certificate, ...]:
        return self.certificate("root"), self.certificate("second")

    def sign(self, pdf: bytes, label: str = "signer") -> bytes:
        who = self.identity(label)
        return sign(pdf, identity=who, reason="Submission", location="Reno").data

    def judge(self, pdf: bytes, signer: str | None = None) -> SignatureVerdict:
        return judge(pdf, trust=self.trust, signer=signer, at=datetime.now(UTC))

    def answer(self, path: str, body: bytes) -> tuple[str, bytes]:
        services = self.architecture.service_registry
        at = (self.clock or datetime.now(UTC)).replace(microsecond=0)  # RFC 5280, 4.1.2.5.2
        if "/tsa/" in path:
            label = ServiceLabel(path.rpartition("/")[2])
            authority = services.summon_timestamper(label, at)
            response = authority.request_tsa_response(tsp.TimeStampReq.load(body))
            return "application/timestamp-reply", response.dump()
        if "/ocsp/" in path:
            asked = ocsp.OCSPRequest.load(body)
            response = services.summon_responder(ServiceLabel("root"), at).build_ocsp_response(
                asked
            )
            return "application/ocsp-response", response.dump()
        (issuer,) = (name for name in ISSUERS if f"/{name}/" in path)
        schedule = timedelta(minutes=1) if self.fresh else timedelta(days=7)
        repository = services.get_crl_repo_info(ServiceLabel(issuer))
        object.__setattr__(repository, "simulated_update_schedule", schedule)
        revocations = services.get_crl(ServiceLabel(issuer), at)
        return "application/pkix-crl", revocations.dump()


def find_failures(verdict: SignatureVerdict) -> set[str]:
    return {check.id for check in verdict.checks if check.required and not check.passed}


def issue_certificate(
    key: PrivateKey,
    issuer_key: PrivateKey,
    *,
    issuer: str,
    subject: Mapping[x509.ObjectIdentifier, str],
    usages: Collection[str] = (),
    more_names: Collection[str] = (),
) -> x509.Certificate:
    """Return a certificate of two days; one for ``key_cert_sign`` is a root."""
    now = datetime.now(UTC)
    names = [*subject.items(), *((NameOID.COMMON_NAME, name) for name in more_names)]
    parts = [x509.NameAttribute(part, text) for part, text in names]
    made = (
        x509.CertificateBuilder()
        .subject_name(x509.Name(parts))
        .issuer_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, issuer)]))
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
    )
    is_root = "key_cert_sign" in usages
    constraints = x509.BasicConstraints(ca=is_root, path_length=None)
    made = made.add_extension(constraints, critical=True)
    if usages:
        usage = x509.KeyUsage(**{name: name in usages for name in USAGES})
        made = made.add_extension(usage, critical=True)
    return made.sign(issuer_key, hashes.SHA256())


def open_identity(key: PrivateKey, own: x509.Certificate, *issuers: x509.Certificate) -> Identity:
    secret = BestAvailableEncryption(b"test only")
    archive = pkcs12.serialize_key_and_certificates(b"own", key, own, issuers, secret)
    certificate, *chain = (
        Certificate.from_der(each.public_bytes(Encoding.DER)) for each in (own, *issuers)
    )
    return Identity(
        certificate=certificate,
        chain=tuple(chain),
        key=FileKey(data=archive, password="test only"),  # noqa: S106 - a throwaway
    )


def _handler(worlds: list[World]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def _serve(self) -> None:
            (world,) = worlds
            world.requests += 1
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            if not world.on:
                self.send_error(503)
                return
            kind, data = world.answer(self.path, body)
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = _serve  # noqa: N815 - the names that http.server looks for

        def log_message(self, *_: object) -> None:
            """Keep quiet."""

    return Handler


def _configuration(url: str) -> dict[str, Any]:
    """A root of signer and card, a second one of authority and reviewer; a stranger alone.

    The elders are of an issuer under the root, and last for years, as do three authorities.
    """
    now = datetime.now(UTC).replace(microsecond=0)
    convicted = now - timedelta(hours=1)

    def usage(*names: str) -> dict[str, Any]:
        value = {"schema": "key-usage", "params": list(names)}
        return {"id": "key_usage", "critical": True, "smart-value": value}

    def certificate(
        issuer: str, *extensions: dict[str, Any], days: float = 30, since: float = -10
    ) -> dict[str, Any]:
        begin, end = now + timedelta(days=since), now + timedelta(days=days)
        validity = {"valid-from": begin.isoformat(), "valid-to": end.isoformat()}
        return {"issuer": issuer, "validity": validity, "extensions": list(extensions)}

    def listed_by(root: str) -> dict[str, Any]:
        crl = {"schema": "crl-dist-url", "params": {"crl-repo-names": [root]}}
        return {"id": "crl_distribution_points", "smart-value": crl}

    listed, listed_too = listed_by("root"), listed_by("second")
    issued_below = listed_by("issuing")
    asked = {"schema": "aia-urls", "params": {"ocsp-responder-names": ["root"]}}
    answered = {"id": "authority_information_access", "smart-value": asked}
    stamping = {"id": "extended_key_usage", "critical": True, "value": ["time_stamping"]}

    def purpose(name: str) -> dict[str, Any]:
        return {"id": "extended_key_usage", "value": [name]}

    anchor = {"id": "basic_constraints", "critical": True, "value": {"ca": True}}
    signing = usage("digital_signature", "non_repudiation")
    return {
        "external-url-prefix": url,
        "keysets": {
            "test-only": {
                "keys": {person: {"path": f"test-only-{person}.key.pem"} for person in PEOPLE}
            }
        },
        "pki-architectures": {
            "test-only": {
                "keyset": "test-only",
                "entities": {
                    item: {"common-name": f"TEST ONLY {item.title()}"}
                    for item in (*PEOPLE, *MISFITS)
                }
                | {
                    item: {"common-name": f"TEST ONLY {item.title()}"}
                    for item in ("issuing", "elder", "younger", "first", "next", "last")
                }
                | {
                    "locksmith": {"common-name": "TEST ONLY Locksmith"},
                    "namesake": {"common-name": "TEST ONLY Signer"},
                    "convict": {"common-name": "TEST ONLY Convict"},
                    "asked": {"common-name": "TEST ONLY Asked"},
                    "denied": {"common-name": "TEST ONLY Denied"},
                },
                "certs": {
                    "root": certificate("root", anchor, usage("key_cert_sign", "crl_sign")),
                    "second": certificate("second", anchor, usage("key_cert_sign", "crl_sign")),
                    "authority": certificate(
                        "second", stamping, listed_too, usage("digital_signature")
                    ),
                    "own-authority": certificate(
                        "root", stamping, listed, usage("digital_signature")
                    )
                    | {"subject": "locksmith", "subject-key": "authority"},
                    "issuing": certificate(
                        "root", anchor, usage("key_cert_sign", "crl_sign"), listed, days=2 * YEAR
                    )
                    | {"subject-key": "leaver"},
                    "elder": certificate("issuing", signing, issued_below, days=3 * YEAR)
                    | {"subject-key": "card", "authority-key": "leaver"},
                    "younger": certificate("second", signing, listed_too, days=9 * YEAR)
                    | {"subject-key": "reviewer"}
                    | {"revocation": {"revoked-since": (now + 3 * YEAR * DAY).isoformat()}},
                    **{
                        name: certificate(
                            "second",
                            stamping,
                            listed_too,
                            usage("digital_signature"),
                            since=begin * YEAR - 10,
                            days=end * YEAR,
                        )
                        | {"subject-key": "authority"}
                        for name, begin, end in AUTHORITIES
                    },
                    "signer": certificate("root", signing, listed, days=10),
                    "reviewer": certificate("second", signing, listed_too),
                    "fake": certificate("root", signing, listed)
                    | {"subject": "reviewer", "subject-key": "reviewer"},
                    "card": certificate("root", signing, listed),
                    "stranger": certificate("stranger", signing),
                    **{
                        one: certificate("root", signing, listed, purpose(name))
                        | {"subject-key": "card"}
                        for one, name in MISFITS.items()
                    },
                    "locksmith": certificate("root", usage("key_encipherment"), listed)
                    | {"subject-key": "card"},
                    "namesake": certificate("root", signing, listed) | {"subject-key": "card"},
                    "convict": certificate("second", signing, listed_too)
                    | {"subject-key": "card"}
                    | {"revocation": {"revoked-since": convicted.isoformat()}},
                    "asked": certificate("root", signing, answered) | {"subject-key": "card"},
                    "denied": certificate("root", signing, answered)
                    | {"subject-key": "card"}
                    | {"revocation": {"revoked-since": convicted.isoformat()}},
                    "leaver": certificate("root", signing, listed)
                    | {"revocation": {"revoked-since": (now - timedelta(days=9)).isoformat()}},
                },
                "services": {
                    "crl-repo": {
                        root: {"for-issuer": root, "simulated-update-schedule": "P7D"}
                        | ({"signing-key": "leaver"} if root == "issuing" else {})
                        for root in ISSUERS
                    },
                    "ocsp": {"root": {"for-issuer": "root", "responder-cert": "root"}},
                    "time-stamping": {
                        "tsa": {"signing-cert": "authority"},
                        **{
                            name: {"signing-cert": name, "signing-key": "authority"}
                            for name, *_ in AUTHORITIES
                        },
                        "own": {"signing-cert": "own-authority", "signing-key": "authority"},
                    },
                },
            }
        },
    }


@pytest.fixture(scope="session")
def server_of_world() -> Iterator[World]:
    worlds: list[World] = []
    with ThreadingHTTPServer(("127.0.0.1", 0), _handler(worlds)) as server:
        url = f"http://127.0.0.1:{server.server_port}"
        configuration = CertomancerConfig(_configuration(url), key_search_dir=str(KEYS))
        architecture = configuration.get_pki_arch(ArchLabel("test-only"))
        worlds.append(World(url=f"{url}/test-only/tsa/tsa", architecture=architecture))
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield worlds[0]
        server.shutdown()
        thread.join()


@pytest.fixture
def world(server_of_world: World) -> Iterator[World]:
    """Yield the world; a clock set by a test does not outlive it, as other fixtures read it too."""
    yield server_of_world
    server_of_world.clock = None
    server_of_world.on, server_of_world.fresh = True, False


@pytest.fixture(scope="session")
def development(tmp_path_factory: pytest.TempPathFactory) -> Identity:
    folder = tmp_path_factory.mktemp("keys")
    return identity.init_development(folder, name="Test Only", today=datetime.now(UTC).date())


@pytest.fixture(scope="session")
def signed(unsigned: bytes, development: Identity) -> bytes:
    return sign(unsigned, identity=development, reason="Submission", location="Reno").data
