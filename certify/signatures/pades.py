"""Write a PAdES signature with pyHanko, and document timestamps."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from io import BytesIO
from typing import IO

from asn1crypto import cms, crl, ocsp
from asn1crypto import x509 as asn1
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from pyhanko.keys.internal import translate_pyca_cryptography_key_to_asn1
from pyhanko.pdf_utils.generic import (
    ArrayObject,
    ByteStringObject,
    FloatObject,
    IndirectObject,
    PdfObject,
    StreamObject,
    pdf_name,
)
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.pdf_utils.misc import PdfError
from pyhanko.pdf_utils.writer import BasePdfFileWriter, PageObject, PdfFileWriter
from pyhanko.pdf_utils.xref import ObjectStream
from pyhanko.sign.fields import (
    InvisSigSettings,
    MDPPerm,
    SigFieldSpec,
    SigSeedSubFilter,
    append_signature_field,
    enumerate_sig_fields,
)
from pyhanko.sign.general import SigningError
from pyhanko.sign.pkcs11 import PKCS11Signer
from pyhanko.sign.signers import PdfSignatureMetadata, PdfSigner, PdfTimeStamper
from pyhanko.sign.signers.pdf_byterange import SignatureObject
from pyhanko.sign.signers.pdf_cms import Signer, SimpleSigner
from pyhanko.sign.signers.pdf_signer import (
    DSSContentSettings,
    PdfSigningSession,
    SigDSSPlacementPreference,
    TimestampDSSContentSettings,
)
from pyhanko.sign.timestamps import TimeStamper, TimestampRequestError
from pyhanko.sign.validation.dss import collect_validation_info
from pyhanko.sign.validation.generic_cms import extract_tst_data_iter
from pyhanko_certvalidator import ValidationContext
from pyhanko_certvalidator.errors import (
    InsufficientRevinfoError,
    PathError,
    RevokedError,
    ValidationError,
)
from pyhanko_certvalidator.path import ValidationPath
from pyhanko_certvalidator.registry import SimpleCertificateStore
from pyhanko_certvalidator.util import get_pyca_cryptography_hash

from certify.errors import NotConfigured, NotReadable
from certify.formatting import join_words, plain_reason, utc_minute
from certify.model.approval import ROLES
from certify.signatures.appearance import stamp_style
from certify.signatures.certificate import DEVELOPMENT, Certificate
from certify.signatures.identity import (
    FileKey,
    Identity,
    SigningRequest,
    appearance_lines,
    open_session,
)
from certify.signatures.network import TimestampClient, build_fetchers, explain_failure
from certify.signatures.reader import STATEMENT_ENTRY, IndexedReader


class FileSigner(SimpleSigner):
    """A signer with an RSA key that is open already.

    pyHanko's own opens the key twice for each signature, and OpenSSL then checks its primes.
    """

    key: FileKey

    async def async_sign_raw(
        self, data: bytes, digest_algorithm: str, dry_run: bool = False
    ) -> bytes:
        """Return the signature value of ``data``."""
        mechanism = self.get_signature_mechanism_for_digest(digest_algorithm)
        private = self.key.private
        if isinstance(private, RSAPrivateKey) and mechanism.signature_algo == "rsassa_pkcs1v15":
            return private.sign(data, PKCS1v15(), get_pyca_cryptography_hash(digest_algorithm))
        return await super().async_sign_raw(data, digest_algorithm, dry_run)


def file_signer(identity: Identity, key: FileKey) -> FileSigner:
    """Return the signer of an identity, whose private key this is."""
    store = SimpleCertificateStore()  # type: ignore[no-untyped-call]
    store.register_multiple([certificate.asn1() for certificate in identity.chain])
    signer = FileSigner(
        signing_cert=identity.certificate.asn1(),
        signing_key=translate_pyca_cryptography_key_to_asn1(key.private),
        cert_registry=store,
    )
    signer.key = key
    return signer


DIGEST = "sha256"
IN_ONE_REVISION = DSSContentSettings(
    include_vri=False, placement=SigDSSPlacementPreference.TOGETHER_WITH_SIGNATURE
)
"""Validation data goes into the signed revision, to leave no byte uncovered."""

BEFORE_THE_TIMESTAMP = TimestampDSSContentSettings(include_vri=False, update_before_ts=True)
"""The same for the document timestamp."""


class QuietWriter(IncrementalPdfFileWriter):
    """An incremental writer that leaves title, dates, XMP and the version of PDF as they are.

    pyHanko's own writes a new modification date and its name as producer; the declared revision
    date is the only date of the document, and verification demands unchanged metadata. For a key
    on an elliptic curve it declares PDF 2.0, which PDF/A-3 is not.
    """

    field_box: ArrayObject
    statement: bytes

    def add_object(
        self, obj: PdfObject, obj_stream: ObjectStream | None = None, idnum: int | None = None
    ) -> IndirectObject:
        """Add an object; a stamp gets the box of its field, and a signature the statement.

        pyHanko rounds the box, but a signature must not resize its field (ISO 32000-1, 12.8.2.2).
        """
        if isinstance(obj, StreamObject) and "/BBox" in obj:
            obj["/BBox"] = self.field_box
        if isinstance(obj, SignatureObject) and self.statement:
            obj[pdf_name(STATEMENT_ENTRY)] = ByteStringObject(self.statement)
        return super().add_object(obj, obj_stream, idnum)

    def _update_meta(self) -> None:
        """Leave the metadata unchanged."""

    def ensure_output_version(self, version: tuple[int, int]) -> None:
        """Leave the version unchanged."""


class DeclaredTimeSigner(PdfSigner):
    """A signer whose clock shows the declared time."""

    moment: datetime

    def init_signing_session(
        self, pdf_out: BasePdfFileWriter, existing_fields_only: bool = False
    ) -> PdfSigningSession:
        """Open a session and set its clock."""
        session = super().init_signing_session(pdf_out, existing_fields_only=existing_fields_only)
        session.system_time = self.moment
        return session


def sign_pdf(pdf: bytes, request: SigningRequest) -> bytes:
    """Return ``pdf`` with one signature more, and for B-LTA a document timestamp after it.

    Raises:
        NotReadable: ``pdf`` is not a PDF.
        NotConfigured: see ``certify.signatures.sign.sign``.
    """
    _refuse_field(pdf, request)
    document = QuietWriter(BytesIO(pdf), prev=IndexedReader(pdf))
    document.field_box, document.statement = _field_box(document, request), request.statement
    style = stamp_style(appearance_lines(request), float(document.field_box[3]))
    with _signer(request.identity) as signer, _plain_errors(request.timestamp_url) as faults:
        url = request.timestamp_url
        timestamper = None if url is None else TimestampClient(url)
        writer = DeclaredTimeSigner(
            _metadata(request, faults), signer, timestamper=timestamper, stamp_style=style
        )
        writer.moment = request.moment
        data = _bytes(writer.sign_pdf(document, existing_fields_only=True))
        if request.profile == "B-LTA" and timestamper is not None:
            data = _add_archive_timestamp(data, timestamper, _validation(request, faults))
    return data


def renew_pdf(
    pdf: bytes, *, timestamp_url: str, trust: tuple[Certificate, ...], moment: datetime
) -> bytes:
    """Return ``pdf`` with validation data for its signatures, and a document timestamp after it.

    Raises:
        NotConfigured: the authority gives no timestamp, its chain is not complete, or a certificate
            was revoked when it was used.
    """
    with _plain_errors(timestamp_url, other_time="", other_chain="") as faults:
        paths, context = asyncio.run(_collect(IndexedReader(pdf), trust, moment, faults))
        return _add_archive_timestamp(pdf, TimestampClient(timestamp_url), context, paths)


async def _collect(
    reader: IndexedReader, trust: tuple[Certificate, ...], moment: datetime, faults: list[str]
) -> tuple[list[ValidationPath], ValidationContext]:
    """Return the chains of the signatures, and a context with the revocation data fetched for them.

    Each certificate is looked up as of the time that is proven for its use. Authorities do not
    answer for ever: data that are not to be had are left out, and the verdict says so.
    """
    paths: list[ValidationPath] = []
    lists: list[crl.CertificateList] = []
    responses: list[ocsp.OCSPResponse] = []
    proven = moment
    for signature in reversed(reader.embedded_signatures):
        is_stamp = signature.sig_object_type == "/DocTimeStamp"
        tokens = extract_tst_data_iter(signature.signer_info, signed=False)
        times = map(_stated_time, [signature.signed_data] if is_stamp else tokens)
        used = min(proven, *times, moment)
        context = _lookup(trust, used, [])
        try:
            paths += await collect_validation_info(signature, context)
            lists += context.crls
            responses += context.ocsps
        except RevokedError:
            raise
        except (PathError, ValidationError):
            pass
        finally:
            await context.aclose()  # type: ignore[no-untyped-call]
        proven = used if is_stamp else proven
    return paths, _lookup(trust, moment, faults, lists, responses)


def blank_document(field: str) -> bytes:
    """Return an empty page with an empty signature field, on which a signature can be tried."""
    writer = PdfFileWriter()
    nothing = writer.add_object(StreamObject(stream_data=b""))
    writer.insert_page(PageObject(contents=nothing, media_box=(0, 0, 612, 792)))
    append_signature_field(writer, SigFieldSpec(field, box=(36, 36, 252, 108)))
    stream = BytesIO()
    writer.write(stream)
    return _bytes(stream)


def _add_archive_timestamp(
    data: bytes,
    timestamper: TimeStamper,
    context: ValidationContext,
    paths: Sequence[ValidationPath] = (),
) -> bytes:
    """Append a document timestamp over everything; its field is out of sight, as PDF/UA asks."""
    stamper = PdfTimeStamper(
        timestamper,
        invis_settings=InvisSigSettings(set_print_flag=True, box_out_of_bounds=True),
    )
    return _bytes(
        stamper.timestamp_pdf(
            QuietWriter.from_reader(IndexedReader(data)),
            DIGEST,
            validation_context=context,
            validation_paths=[*paths],
            dss_settings=BEFORE_THE_TIMESTAMP,
        )
    )


def _stated_time(token: cms.SignedData) -> datetime:
    time: datetime = token["encap_content_info"]["content"].parsed["gen_time"].native
    return time


def _lookup(
    trust: tuple[Certificate, ...],
    moment: datetime,
    faults: list[str],
    lists: Sequence[crl.CertificateList] = (),
    responses: Sequence[ocsp.OCSPResponse] = (),
) -> ValidationContext:
    """Return the rules for chains at ``moment``, with revocation data known or fetched now."""
    return ValidationContext(
        trust_roots=_asn1(trust),
        allow_fetching=True,
        fetcher_backend=build_fetchers(faults),
        moment=moment,
        retroactive_revinfo=True,
        revocation_mode="hard-fail",
        crls=lists,
        ocsps=responses,
    )


def _metadata(request: SigningRequest, faults: list[str]) -> PdfSignatureMetadata:
    long_term = request.profile in ("B-LT", "B-LTA")
    return PdfSignatureMetadata(
        field_name=request.field,
        md_algorithm=DIGEST,
        name=_signer_name(request.identity),
        reason=request.reason,
        location=request.location,
        certify=request.certify,
        docmdp_permissions=MDPPerm.FILL_FORMS,
        subfilter=SigSeedSubFilter.PADES,
        embed_validation_info=long_term,
        validation_context=_validation(request, faults) if long_term else None,
        dss_settings=IN_ONE_REVISION,
    )


def _signer_name(identity: Identity) -> str:
    """Return the name that PDF readers show before they check the certificate."""
    name = identity.signatory.name
    if identity.development:
        return f"{name} – {DEVELOPMENT}" if name else DEVELOPMENT
    return name or identity.name


def _validation(request: SigningRequest, faults: list[str]) -> ValidationContext:
    identity = request.identity
    own_roots = [item for item in (identity.certificate, *identity.chain) if item.self_signed]
    return ValidationContext(
        trust_roots=_asn1((*own_roots, *request.trust)),
        other_certs=_asn1(identity.chain),
        allow_fetching=True,
        fetcher_backend=build_fetchers(faults),
        revocation_mode="hard-fail",
    )


@contextmanager
def _signer(identity: Identity) -> Iterator[Signer]:
    if isinstance(identity.key, FileKey):
        yield file_signer(identity, identity.key)
        return
    with open_session(identity.key) as session:
        yield PKCS11Signer(
            session,
            signing_cert=identity.certificate.asn1(),
            ca_chain=_asn1(identity.chain),
            key_label=identity.key.label,
        )


def _refuse_field(pdf: bytes, request: SigningRequest) -> None:
    try:
        fields = {
            name: value is not None for name, value, _ in enumerate_sig_fields(IndexedReader(pdf))
        }
    except (PdfError, ValueError, OSError) as error:
        raise NotReadable(
            f"The document to be signed is not a readable PDF: {plain_reason(error)}.",
            remedy="Print the document again.",
        ) from error
    empty = [str(role) for name, role in ROLES.items() if fields.get(name) is False]
    remedy = (
        f"Sign in a role whose field is empty: {join_words(empty, 'or')}."
        if empty
        else "No field of a role is empty: request a copy that is not yet signed in this role."
    )
    if request.field not in fields:
        listed = ", ".join(sorted(fields)) or "none"
        raise NotConfigured(
            f"The document has no signature field {request.field!r}; its fields: {listed}.",
            remedy=remedy,
        )
    if fields[request.field]:
        raise NotConfigured(
            f"The field {request.field!r} is already signed.",
            remedy=remedy,
        )
    if request.certify and any(fields.values()):
        raise NotConfigured(
            "Only the first signature of a document can certify it, and this one is signed.",
            remedy="Add a countersignature (certify=False) instead.",
        )


def _field_box(document: QuietWriter, request: SigningRequest) -> ArrayObject:
    """Return the box of the empty appearance of the field, or of a field that has none."""
    fields = {name: field for name, _, field in enumerate_sig_fields(document)}
    widget = fields[request.field].get_object()
    widget = widget["/Kids"][0] if "/Kids" in widget else widget
    if "/AP" in widget and "/N" in widget["/AP"]:
        return ArrayObject(widget["/AP"]["/N"]["/BBox"])
    left, low, right, high = widget["/Rect"]
    return ArrayObject(map(FloatObject, (0, 0, right - left, high - low)))


@contextmanager
def _plain_errors(
    timestamp_url: str | None,
    *,
    other_time: str = ", or sign without a timestamp (B-B)",
    other_chain: str = ", or omit --long-term",
) -> Iterator[list[str]]:
    """Convert signing errors to errors with a plain message; ``other_…`` are other remedies.

    Yields a list for the reasons why revocation data could not be fetched.
    """
    faults: list[str] = []
    try:
        yield faults
    except (TimestampRequestError, TimeoutError) as error:
        raise NotConfigured(
            f"The timestamp authority {timestamp_url} gave no timestamp: {explain_failure(error)}.",
            remedy=f"Check the address and the network{other_time}.",
        ) from error
    except (PathError, ValidationError) as error:
        _refuse_revoked(error)
        _refuse_unknown(error, faults, other_chain)
        raise NotConfigured(
            f"A chain of certificates could not be completed: {plain_reason(error)}.",
            remedy=f"Register the roots of the signer and of the authority{other_chain}.",
        ) from error
    except SigningError as error:
        _refuse_revoked(error.__cause__)
        _refuse_unknown(error.__cause__, faults, other_chain)
        raise NotConfigured(
            f"The document could not be signed: {plain_reason(error.__cause__ or error)}.",
            remedy="Check the identity, the field and, for long-term data, the registered roots.",
        ) from error


def _name_certificate(error: InsufficientRevinfoError | RevokedError, article: str = "the") -> str:
    name = Certificate.from_der(error.original_path.last.dump()).common_name
    whose = f"of {name!r}" if error.is_ee_cert else f"of an issuer of {name!r}"
    return f"{article} certificate {whose}"


def _refuse_unknown(error: BaseException | None, faults: list[str], other: str) -> None:
    """Convert the error on missing revocation data, which registered roots do not change."""
    if isinstance(error, InsufficientRevinfoError):
        reason = "; ".join(dict.fromkeys(faults)) or plain_reason(error)
        raise NotConfigured(
            f"The revocation of {_name_certificate(error)} could not be looked up: {reason}.",
            remedy=f"Check that this machine reaches these addresses, by a proxy if need be{other}."
            if faults
            else f"Ask the issuer of the certificate for valid revocation data{other}.",
        ) from error


def _refuse_revoked(error: BaseException | None) -> None:
    """Convert the error on a revoked certificate, which registered roots do not change."""
    if isinstance(error, RevokedError):
        raise NotConfigured(
            f"{_name_certificate(error, 'The')} was revoked on {utc_minute(error.revocation_dt)} "
            f"(reason: {str(error.reason.native).replace('_', ' ')}), and nothing proves a use "
            "before then.",
            remedy="Use a signer and an authority whose certificates are not revoked.",
        ) from error


def _asn1(certificates: tuple[Certificate, ...]) -> list[asn1.Certificate]:
    return [certificate.asn1() for certificate in certificates]


def _bytes(stream: IO[bytes]) -> bytes:
    stream.seek(0)
    return stream.read()
