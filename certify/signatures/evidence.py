"""Roots, and revocation data: which of them answer for a signature, and what they say.

Revocation data answer for a certificate at the proven time of its use (ETSI EN 319 102-1, 5.2.5.4)
if they were valid then or were issued later, while the certificate was valid. Data that were in the
file before a signature answer for it only if the signer added data: otherwise nobody looked up
whether the certificate had been revoked in between. See docs/decisions/0014-revocation.md.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from types import MappingProxyType

from asn1crypto import crl, ocsp
from asn1crypto import x509 as asn1
from msgspec import Struct
from msgspec.structs import replace
from pyhanko.pdf_utils.decode_limits import DecodePurpose
from pyhanko.sign.validation.dss import DocumentSecurityStore
from pyhanko.sign.validation.generic_cms import extract_certs_for_validation
from pyhanko.sign.validation.status import SignatureStatus
from pyhanko_certvalidator import ValidationContext
from pyhanko_certvalidator.errors import RevokedError
from pyhanko_certvalidator.ltv.types import ValidationTimingInfo, ValidationTimingParams
from pyhanko_certvalidator.path import ValidationPath
from pyhanko_certvalidator.revinfo.validate_crl import verify_crl
from pyhanko_certvalidator.revinfo.validate_ocsp import verify_ocsp_response
from pyhanko_certvalidator.util import get_declared_revinfo

from certify.formatting import utc_minute
from certify.signatures.certificate import Certificate, find_top, iter_issuers
from certify.signatures.document import Signature, SignedDocument
from certify.signatures.signature_faults import iter_containers
from certify.signatures.verify import NONE_NAMED, Fetched, Revocation

SECOND = timedelta(seconds=1)
"""Times in revocation data are whole seconds."""

UNLIMITED = timedelta(minutes=30)
"""Validity of a response that states no end: newer information is available at all times."""

AFTERWARDS = 1 << 30
"""Revision of data that were fetched: later than any in the file."""

NOBODY_TRUSTED = "its chain of certificates does not lead to a root that you trust"


class Datum(Struct, frozen=True, kw_only=True):
    """A revocation list or a response, and the revision of the file that added it."""

    content: crl.CertificateList | ocsp.OCSPResponse
    since: int


class Answer(Struct, frozen=True, kw_only=True):
    """What one verified list or response says of one certificate.

    Attributes:
        issued: when it was issued.
        until: end of its validity.
        since: the revision of the file that added it.
        revoked: when the certificate was revoked, or None.
        why: the reason for that, in words.
    """

    issued: datetime
    until: datetime
    since: int
    revoked: datetime | None = None
    why: str = ""


class Evidence(Struct, frozen=True, kw_only=True):
    """Trusted roots, and the certificates and revocation data at hand.

    Attributes:
        trust: roots that vouch for every role.
        roots: roots by role, or for timestamps.
        certificates: certificates of the document.
        data: revocation data of the document, and those that were fetched.
        changed: revisions of the document that added certificates or revocation data.
        failures: why nothing was fetched, by the SHA-256 of a certificate.
    """

    trust: tuple[Certificate, ...]
    roots: Mapping[str, tuple[Certificate, ...]] = MappingProxyType({})
    certificates: tuple[asn1.Certificate, ...] = ()
    data: tuple[Datum, ...] = ()
    changed: frozenset[int] = frozenset()
    failures: Mapping[str, str] = MappingProxyType({})

    def context(
        self, moment: datetime, role: str, *, holder: Certificate | None = None
    ) -> ValidationContext:
        """Return the validation rules for the chain of ``holder`` in a role at ``moment``, offline.

        A development certificate is a root for itself alone: it vouches for nobody else.
        """
        return ValidationContext(
            trust_roots=[
                root.asn1()
                for root in (*self.trust, *self.roots.get(role, ()))
                if not root.development or root == holder
            ],
            other_certs=self.certificates,
            moment=moment.astimezone(UTC),
            allow_fetching=False,
        )

    @property
    def known(self) -> tuple[Certificate, ...]:
        """The roots of every role."""
        return (*self.trust, *(root for roots in self.roots.values() for root in roots))

    def find_root(self, status: SignatureStatus) -> Certificate | None:
        """Return the root of a trusted chain; if another trusted root issued it, that one."""
        path = status.validation_path
        if not status.trusted or path is None:
            return None
        return find_top(Certificate.from_der(path.first.dump()), self.known)

    def issuers(self, signature: Signature, certificate: Certificate) -> tuple[Certificate, ...]:
        """Return the issuers of a certificate of a signature, as far as they are known."""
        others = (
            other
            for container in iter_containers(signature.embedded)
            for other in extract_certs_for_validation(container).other_certs
        )
        carried = (Certificate.from_der(each.dump()) for each in (*self.certificates, *others))
        return tuple(iter_issuers(certificate, (*self.known, *carried)))

    def first_revision(self, earlier: Sequence[Signature]) -> int:
        """Return the first revision whose data answer for the last of some signatures.

        It is 0 if the signer added data, and so looked them up. A timestamp of the document that
        follows a signature completes it: data are added with either.
        """
        last = earlier[-1]
        pair = earlier[-2:] if last.kind == "timestamp" else earlier[-1:]
        revisions = {last.revision, *(each.revision for each in pair if each.kind == "signature")}
        return last.revision if revisions.isdisjoint(self.changed) else 0

    async def look_up(
        self, path: ValidationPath | None, moment: datetime, first: int
    ) -> Revocation:
        """Return what the data say of a chain that was used at ``moment`` at the latest.

        Args:
            path: the trusted chain, or None.
            moment: the proven time of the use.
            first: the first revision of the document whose data answer.
        """
        if path is None:
            return Revocation(status="not looked up", reason=NOBODY_TRUSTED)
        results = [
            await self._look_up(certificate, path, moment, first)
            for certificate in path.iter_certs(include_root=False)
            if any(get_declared_revinfo(certificate))
        ]
        for status in ("revoked", "not looked up"):
            for result in results:
                if result.status == status:
                    return result
        return results[-1] if results else NONE_NAMED

    async def _look_up(
        self, certificate: asn1.Certificate, path: ValidationPath, moment: datetime, first: int
    ) -> Revocation:
        checked = Certificate.from_der(certificate.dump())
        missing = (
            f"there are no valid revocation data for the certificate of {checked.common_name!r}"
        )
        failure = self.failures.get(checked.fingerprint, "")
        result = Revocation(status="not looked up", reason=failure or missing)
        for answer in await self._ask_all(certificate, path):
            issued, revoked = answer.issued.isoformat(), answer.revoked
            event = revoked and (
                f"the certificate of {checked.common_name!r} was revoked on {utc_minute(revoked)} "
                f"(reason: {answer.why})"
            )
            if revoked and revoked <= moment:
                reason = f"{event}, and nothing proves a use before then"
                return Revocation(status="revoked", data=issued, reason=reason)
            fault = _staleness(answer, checked, moment, first)
            if not fault and result.status != "good":
                reason = f"{event}, after the proven time of its use" if event else ""
                result = Revocation(status="good", data=issued, reason=reason)
            elif fault and not result.data:
                reason = "; ".join(filter(None, (failure, fault)))
                result = Revocation(status="not looked up", data=issued, reason=reason)
        return result

    async def _ask_all(self, certificate: asn1.Certificate, path: ValidationPath) -> list[Answer]:
        """Return the verified answers for a certificate, the newest first."""
        answers = []
        for datum in self.data:
            try:
                answers.append(await self._ask(datum, certificate, path))
            except MemoryError:
                raise  # this says nothing about the document
            except Exception:  # noqa: BLE001, S112 - hostile bytes make the libraries raise anything
                continue  # what does not verify, or is about others, answers nothing
        return sorted(answers, key=lambda answer: answer.issued, reverse=True)

    async def _ask(
        self, datum: Datum, certificate: asn1.Certificate, path: ValidationPath
    ) -> Answer:
        """Verify one list, with the delta lists of its issuer, or one response.

        Raises:
            Exception: of any kind, if it does not verify or is not about the certificate.
        """
        content, (issued, until) = datum.content, _validity(datum.content, certificate)
        lists = (
            [content, *self._deltas(content)] if isinstance(content, crl.CertificateList) else []
        )
        times = [issued, *(each["tbs_cert_list"]["this_update"].native for each in lists)]
        context = ValidationContext(
            trust_roots=[path.first],
            other_certs=(*self.certificates, *path),
            crls=lists,
            ocsps=[] if lists else [content],
            allow_fetching=False,
        )
        # As of its issue; but a revocation counts whatever its date, and is compared by the caller.
        timing = ValidationTimingInfo(max(times), max(times), point_in_time_validation=False)
        context.timing_params = ValidationTimingParams(timing, SECOND)
        answer = Answer(issued=issued, until=until, since=datum.since)
        try:
            await (verify_crl if lists else verify_ocsp_response)(certificate, path, context)
        except RevokedError as error:
            why = str(error.reason.native).replace("_", " ")
            return replace(answer, revoked=error.revocation_dt, why=why)
        return answer

    def _deltas(self, complete: crl.CertificateList) -> list[crl.CertificateList]:
        """Return the delta lists of the issuer of a complete list."""
        return [
            datum.content
            for datum in self.data
            if isinstance(datum.content, crl.CertificateList)
            and datum.content.delta_crl_indicator_value is not None
            and datum.content.issuer == complete.issuer
        ]


def _validity(
    content: crl.CertificateList | ocsp.OCSPResponse, certificate: asn1.Certificate
) -> tuple[datetime, datetime]:
    """Return when a list, or a response on a certificate, was issued, and the end of its validity.

    Raises:
        ValueError: it is a delta list or not about the certificate.
    """
    if isinstance(content, crl.CertificateList):
        scope = content.issuing_distribution_point_value
        about = content.issuer == certificate.issuer or (scope and scope["indirect_crl"].native)
        parts = [content["tbs_cert_list"]] if about else []
    else:
        parts = [
            response
            for response in content.response_data["responses"]
            if response["cert_id"]["serial_number"].native == certificate.serial_number
        ]
    (part,) = parts
    issued: datetime = part["this_update"].native
    return issued, part["next_update"].native or issued + UNLIMITED


def _staleness(answer: Answer, certificate: Certificate, moment: datetime, first: int) -> str:
    """Return the reason why an answer says nothing of a use at ``moment`` at the latest, if any."""
    data = f"the revocation data of {utc_minute(answer.issued)}"
    if answer.since < first:
        return f"{data} were in the document before the signature"
    if moment > answer.until + SECOND:
        return (
            f"{data} were valid until {utc_minute(answer.until)}, "
            f"and nothing proves a use before {utc_minute(moment)}"
        )
    if answer.issued > certificate.not_after:
        return f"{data} were issued after the certificate of {certificate.common_name!r} expired"
    return ""


def collect_evidence(
    document: SignedDocument,
    trust: tuple[Certificate, ...],
    roots: Mapping[str, tuple[Certificate, ...]],
    fetched: Fetched,
) -> Evidence:
    """Collect the roots and the validation data; data that cannot be read count as missing."""
    loaders = (crl.CertificateList.load, ocsp.OCSPResponse.load)
    later = (
        Datum(content=load(each), since=AFTERWARDS)
        for load, data in zip(loaders, (fetched.lists, fetched.responses), strict=True)
        for each in data
    )
    evidence = Evidence(trust=trust, roots=roots, data=tuple(later), failures=fetched.failures)
    try:
        store = DocumentSecurityStore.read_dss(document.reader)
        since = dict(_additions(document))
        additions = (
            Datum(
                content=load(each.get_object().read_data(DecodePurpose.CRL)),
                since=since[each.idnum],
            )
            for load, listed in zip(loaders, (store.crls, store.ocsps), strict=True)
            for each in listed
        )
        return replace(
            evidence,
            certificates=tuple(store.load_certs()),
            data=(*additions, *evidence.data),
            changed=frozenset(since.values()),
        )
    except MemoryError:
        raise  # this says nothing about the document
    except Exception:  # noqa: BLE001 - the same; without data, what asks for them fails
        return evidence


def _additions(document: SignedDocument) -> Iterator[tuple[int, int]]:
    """Yield the number of each object with validation data, and the first revision that has it."""
    seen: set[int] = set()
    for revision in range(document.reader.total_revisions):
        root = document.reader.get_historical_root(revision)
        store = root["/DSS"] if "/DSS" in root else {}  # noqa: SIM401 - get() does not resolve
        parts = (store[part] for part in ("/Certs", "/CRLs", "/OCSPs") if part in store)
        listed = {reference.idnum for part in parts for reference in part}
        yield from ((number, revision) for number in sorted(listed - seen))
        seen |= listed
