"""What a chain is judged with: the roots that are given, and the data that the document brings."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from asn1crypto import crl, ocsp
from asn1crypto import x509 as asn1
from pyhanko.pdf_utils import generic
from pyhanko.pdf_utils.decode_limits import DecodePurpose
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.validation.dss import DocumentSecurityStore
from pyhanko_certvalidator import ValidationContext

from certify.signatures.certificate import Certificate
from certify.signatures.verifying.document import SignedDocument


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Roots that are trusted, and what the document brings: certificates and revocation data."""

    trust: tuple[Certificate, ...]
    certificates: tuple[asn1.Certificate, ...] = ()
    revocation_lists: tuple[crl.CertificateList, ...] = ()
    responses: tuple[ocsp.OCSPResponse, ...] = ()

    def context(
        self, moment: datetime, *, complete: bool, holder: Certificate | None = None
    ) -> ValidationContext:
        """Return the rules for the chain of ``holder`` at ``moment``; nothing is ever fetched.

        A development certificate is a root for itself alone: it vouches for nobody else.

        ``complete`` demands revocation data for each certificate that names where to find some;
        without it none are used, because those of the document grow stale with the years. They
        are newer than the signature that they vouch for, hence retroactive.
        """
        return ValidationContext(
            trust_roots=[
                root.asn1() for root in self.trust if not root.development or root == holder
            ],
            other_certs=self.certificates,
            crls=self.revocation_lists if complete else (),
            ocsps=self.responses if complete else (),
            moment=moment.astimezone(UTC),
            allow_fetching=False,
            revocation_mode="hard-fail" if complete else "soft-fail",
            retroactive_revinfo=True,
        )

    def lists(self, certificate: asn1.Certificate, moment: datetime) -> bool:
        """Say whether a revocation list of the document, however old, names a certificate."""
        return any(
            revocation["user_certificate"].native == certificate.serial_number
            and revocation["revocation_date"].native <= moment
            for revocations in self.revocation_lists
            if revocations.issuer == certificate.issuer
            for revocation in revocations["tbs_cert_list"]["revoked_certificates"] or ()
        )


def has_store(document: SignedDocument) -> bool:
    """Say whether the document brings validation data."""
    return "/DSS" in document.reader.root


def evidence_in(reader: PdfFileReader, trust: tuple[Certificate, ...]) -> Evidence:
    """Collect the roots and the validation data; data that cannot be read count as missing."""
    try:
        store = DocumentSecurityStore.read_dss(reader)
        return Evidence(
            trust=trust,
            certificates=tuple(store.load_certs()),
            revocation_lists=tuple(map(crl.CertificateList.load, _streams(store.crls))),
            responses=tuple(map(ocsp.OCSPResponse.load, _streams(store.ocsps))),
        )
    except MemoryError:
        raise  # this says nothing about the document
    except Exception:  # noqa: BLE001 - the same; without data, what asks for them fails
        return Evidence(trust=trust)


def _streams(references: list[generic.IndirectObject]) -> Iterator[bytes]:
    for reference in references:
        stream = reference.get_object()  # type: ignore[no-untyped-call]
        yield stream.read_data(DecodePurpose.CRL)
