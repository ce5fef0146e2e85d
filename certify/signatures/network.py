"""Network access for timestamps and revocation data, by the proxies and roots of this machine.

pyHanko's own sessions ignore HTTP_PROXY, HTTPS_PROXY and NO_PROXY, and trust certifi's roots only.
`fetch` asks only about certificates under trusted roots: a hostile document names no address. The
reading process reads the answers within its limits.
"""

import http.client
import os
import ssl
import urllib.request
from collections.abc import Awaitable, Callable, Iterable, Iterator
from http.client import responses
from itertools import chain, islice, pairwise
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import aiohttp
import certifi
from asn1crypto import cms, core, crl, ocsp, tsp
from asn1crypto import x509 as asn1
from cryptography import x509
from cryptography.hazmat.primitives.hashes import SHA1, SHA256
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.ocsp import OCSPRequestBuilder, load_der_ocsp_response
from cryptography.x509.oid import AuthorityInformationAccessOID
from pyhanko.sign.timestamps import HTTPTimeStamper, TimestampRequestError
from pyhanko.sign.timestamps.common_utils import extract_ts_certs
from pyhanko_certvalidator.authority import Authority
from pyhanko_certvalidator.errors import (
    CertificateFetchError,
    CRLFetchError,
    OCSPFetchError,
    OCSPValidationError,
)
from pyhanko_certvalidator.fetchers import Fetchers, OwnedFetcherBackend
from pyhanko_certvalidator.fetchers.aiohttp_fetchers import AIOHttpFetcherBackend
from pyhanko_certvalidator.fetchers.aiohttp_fetchers.cert_fetch_client import (
    AIOHttpCertificateFetcher,
)
from pyhanko_certvalidator.fetchers.aiohttp_fetchers.crl_client import AIOHttpCRLFetcher
from pyhanko_certvalidator.fetchers.aiohttp_fetchers.ocsp_client import AIOHttpOCSPFetcher
from pyhanko_certvalidator.fetchers.aiohttp_fetchers.util import AIOHttpMixin, LazySession
from pyhanko_certvalidator.fetchers.common_utils import FetchBudget, enumerate_delivery_point_urls
from pyhanko_certvalidator.registry import SimpleCertificateStore
from pyhanko_certvalidator.util import get_ocsp_urls, get_relevant_crl_dps

from certify.errors import NotConfigured
from certify.formatting import join_words, one_line, plain_reason

TIMEOUT = 20
"""Seconds that a timestamp authority has for one answer."""

CA_FILE = "SSL_CERT_FILE"

MALFORMED = (ValueError, TypeError, LookupError, AttributeError, AssertionError)
"""Exceptions of the libraries for an answer that is malformed."""

UNREADABLE = "its answer cannot be read"


def build_fetchers(faults: list[str]) -> OwnedFetcherBackend:
    """Return the client with which a validation context fetches OCSP responses and CRLs.

    The context closes it.

    Args:
        faults: receives why there are no revocation data for a certificate.

    Raises:
        NotConfigured: the proxy or the file of roots cannot be used.
    """
    return OwnedFetcherBackend(_Backend(faults))


def explain_failure(error: BaseException) -> str:
    """Return the reason why a server gave no usable answer, in words."""
    cause = error.__cause__ or error
    cause = cause if isinstance(cause, HTTPError) else getattr(cause, "reason", cause)
    match cause:
        case TimeoutError():
            reason = "no answer in time"
        case aiohttp.ContentTypeError():
            kind = cause.headers.get("Content-Type") if cause.headers else None
            reason = f"its answer has the type {kind}, as a web page has, and is not a timestamp"
        case aiohttp.ClientResponseError(status=status) | HTTPError(code=status):
            reason = f"it answered with HTTP status {status} ({responses.get(status, 'unknown')})"
        case aiohttp.ClientConnectorCertificateError(certificate_error=fault):
            reason = _explain_certificate(fault)
        case ssl.SSLError():
            reason = _explain_certificate(cause)
        case aiohttp.ClientConnectorError(host=host, port=port, os_error=fault):
            words = os.strerror(fault.errno) if fault.errno and fault.errno > 0 else fault.strerror
            reason = f"no connection to {host}:{port} ({words or 'unknown reason'})"
        case ValueError() if cause is not error:
            reason = UNREADABLE
        case _:
            reason = plain_reason(cause, UNREADABLE)
    return one_line(reason)


def _explain_certificate(fault: Exception) -> str:
    reason = getattr(fault, "verify_message", "") or getattr(fault, "reason", "unknown reason")
    return f"the certificate of its web server is not accepted ({reason})"


def find_proxy(url: str) -> str:
    """Return the address of the proxy for a URL, without credentials; empty if there is none.

    Raises:
        NotConfigured: the proxy is not an HTTP proxy.
    """
    host, scheme = urlsplit(url).hostname or "", urlsplit(url).scheme
    proxy = urlsplit(getproxies().get(scheme, ""))
    if not proxy.geturl() or proxy_bypass(host):
        return ""
    if proxy.scheme != "http" or not proxy.hostname:
        raise NotConfigured(
            f"The variable {scheme}_proxy or {scheme.upper()}_PROXY names no HTTP proxy.",
            remedy="Give the address of a proxy as http://HOST:PORT, also for https URLs.",
        )
    return f"http://{proxy.netloc.rpartition('@')[2]}"


def load_roots() -> tuple[ssl.SSLContext, str]:
    """Return the TLS settings with the roots of servers, and the place of these.

    They are those of the system, by the rules of OpenSSL and its variables; without any, certifi's.

    Raises:
        NotConfigured: the file of the variable holds no certificate.
    """
    settings, named = ssl.create_default_context(), os.environ.get(CA_FILE)
    if not named and settings.cert_store_stats()["x509_ca"]:
        return settings, ssl.get_default_verify_paths().cafile or "the store of this system"
    file = named or certifi.where()
    try:
        settings.load_verify_locations(file)
    except OSError as error:
        raise NotConfigured(
            f"{CA_FILE} names {file}, from which no certificate can be read: {error}.",
            remedy="Name a PEM file of the certificate authorities of your network.",
        ) from error
    return settings, file


class _Session(LazySession):
    """A session that is opened when it is needed, because it belongs to one event loop."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call] # a part of pyHanko has no types
        for scheme in ("http", "https"):
            find_proxy(f"{scheme}://")
        self._tls, _ = load_roots()

    def get_session(self) -> aiohttp.ClientSession:
        """Return the session of this event loop."""
        if self._session is None:
            connector = aiohttp.TCPConnector(ssl=self._tls)
            self._session = aiohttp.ClientSession(connector=connector, trust_env=True)
        return self._session


class TimestampClient(HTTPTimeStamper):
    """A client of an RFC 3161 authority; it closes its session with the event loop of each request.

    Raises:
        NotConfigured: the proxy or the file of roots cannot be used.
    """

    def __init__(self, url: str) -> None:
        self._own = _Session()
        super().__init__(url, timeout=TIMEOUT, session=self._own)

    async def async_request_tsa_response(self, req: tsp.TimeStampReq) -> tsp.TimeStampResp:
        """Request a timestamp."""
        try:
            return await super().async_request_tsa_response(req)
        finally:
            await self._own.close()  # type: ignore[no-untyped-call] # the same

    async def async_timestamp(self, message_digest: bytes, md_algorithm: str) -> cms.ContentInfo:
        """Request a timestamp, and read all of it that is used later.

        Raises:
            TimestampRequestError: there is none; also if the answer cannot be read.
        """
        try:
            token = await super().async_timestamp(message_digest, md_algorithm)
            content = token["content"]["encap_content_info"]["content"].parsed
            signed = [*extract_ts_certs(token, SimpleCertificateStore())]  # type: ignore[no-untyped-call] # the same
            if content["gen_time"].native and signed:
                return token
        except MALFORMED:
            pass
        raise TimestampRequestError(UNREADABLE)


class _Careful(AIOHttpMixin):
    """A fetcher that reads what it fetched, and notes why it has nothing for a certificate."""

    failure: type[Exception]
    load: Callable[[bytes], object] | None = None
    faults: list[str]

    async def _post_fetch_task(
        self, tag: object, fetch: Callable[[], Awaitable[core.Sequence]]
    ) -> object:
        async def read() -> core.Sequence:
            try:
                fetched = await fetch()
                if self.load is not None:
                    self.load(fetched.dump())
            except (OSError, aiohttp.ClientError, self.failure) as error:
                raise self.failure(explain_failure(error)) from None
            except MALFORMED:
                raise self.failure(UNREADABLE) from None
            return fetched

        return await super()._post_fetch_task(tag, read)  # type: ignore[no-untyped-call] # the same

    def note(self, certificate: asn1.Certificate, urls: Iterable[str], error: Exception) -> None:
        """Note why there is nothing for a certificate."""
        name = certificate.subject.native.get("common_name", "")
        self.faults.append(
            f"the certificate of {name!r} names {join_words(urls)}: {explain_failure(error)}"
        )


class _Lists(_Careful, AIOHttpCRLFetcher):
    failure = CRLFetchError
    load = staticmethod(x509.load_der_x509_crl)

    async def fetch(
        self, cert: asn1.Certificate, *, use_deltas: bool = True
    ) -> Iterable[crl.CertificateList]:
        """Fetch the revocation lists that a certificate names."""
        try:
            lists: list[crl.CertificateList] = await super().fetch(cert, use_deltas=use_deltas)
        except CRLFetchError as error:
            points = get_relevant_crl_dps(cert, use_deltas=use_deltas)
            self.note(cert, chain(*map(enumerate_delivery_point_urls, points)), error)
            raise
        return lists


class _Responses(_Careful, AIOHttpOCSPFetcher):
    failure = OCSPFetchError
    load = staticmethod(load_der_ocsp_response)

    async def fetch(self, cert: asn1.Certificate, authority: Authority) -> ocsp.OCSPResponse:
        """Ask the responders that a certificate names."""
        try:
            return await super().fetch(cert, authority)
        except OCSPValidationError as error:
            self.note(cert, get_ocsp_urls(cert), error)
            raise


class _Issuers(_Careful, AIOHttpCertificateFetcher):
    failure = CertificateFetchError


class _Backend(AIOHttpFetcherBackend):
    """Fetchers that note what they could not fetch, within one budget."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__(_Session())  # type: ignore[arg-type] # its own default is one
        self._faults = faults

    def get_fetchers(self) -> Fetchers:
        """Return the fetchers of one validation context."""
        budget = FetchBudget(self.limits)
        lists = _Lists(self.session, budget=budget)
        answers = _Responses(self.session, budget=budget)
        lists.faults = answers.faults = self._faults
        return Fetchers(answers, lists, _Issuers(self.session, budget=budget))


FETCH_TIMEOUT = 10
"""Seconds that a server has to go on with its answer."""

LARGEST = 1 << 20
"""Bytes of a list or a response; a list of 25,000 certificates has about as many."""

MOST = 64
"""Certificates that are asked about; a filing with three signers names fewer than twenty."""


def fetch(
    chains: Iterable[tuple[bytes, ...]],
) -> tuple[tuple[bytes, ...], tuple[bytes, ...], dict[str, str]]:
    """Fetch the revocation data of the certificates of some chains, each once.

    Args:
        chains: the certificates of each chain, DER, from the root to the last.

    Returns:
        Revocation lists and OCSP responses, DER; and why nothing was fetched for a certificate, by
        its SHA-256, hexadecimal.
    """
    pairs = dict.fromkeys(pair for chain in chains for pair in pairwise(chain))
    lists: dict[str, bytes] = {}
    responses: list[bytes] = []
    faults: dict[str, str] = {}
    failures: dict[str, str] = {}
    for pair in islice(pairs, MOST):
        issuer, certificate = map(x509.load_der_x509_certificate, pair)
        requests = [*_requests(certificate, issuer)]
        for url, question in requests:
            if url in faults or url in lists:
                continue
            try:
                if question is None:
                    lists[url] = _download(url, None)
                else:
                    responses.append(_download(url, question))
            except (OSError, http.client.HTTPException, ValueError) as error:
                faults[url] = f"{url} gave no revocation data: {explain_failure(error)}"
        failed = [faults[url] for url, _ in requests if url in faults]
        if failed:
            failures[certificate.fingerprint(SHA256()).hex()] = "; ".join(failed)
    return tuple(lists.values()), tuple(responses), failures


def _requests(
    certificate: x509.Certificate, issuer: x509.Certificate
) -> Iterator[tuple[str, bytes | None]]:
    """Yield each address that a certificate names, with the OCSP question, or None for a list."""
    builder = OCSPRequestBuilder().add_certificate(certificate, issuer, SHA1())  # noqa: S303 - RFC 5019
    for extension in certificate.extensions:
        if isinstance(extension.value, x509.AuthorityInformationAccess):
            for access in extension.value:
                if access.access_method == AuthorityInformationAccessOID.OCSP:
                    yield (
                        str(access.access_location.value),
                        builder.build().public_bytes(Encoding.DER),
                    )
        elif isinstance(extension.value, x509.CRLDistributionPoints | x509.FreshestCRL):
            for point in extension.value:
                yield from ((str(name.value), None) for name in point.full_name or ())


def _download(url: str, question: bytes | None) -> bytes:
    """Return a list or a response, DER.

    Raises:
        OSError, HTTPException: the server cannot be reached, or refuses.
        ValueError: the address is not one of the web, or the answer is too large or something else.
    """
    if not url.startswith(("http://", "https://")):
        raise ValueError("it is not an address of the web")
    kind = {} if question is None else {"Content-Type": "application/ocsp-request"}
    request = urllib.request.Request(url, question, kind)  # noqa: S310 - see above
    roots, _ = load_roots()
    with urllib.request.urlopen(request, timeout=FETCH_TIMEOUT, context=roots) as answer:  # noqa: S310 - see above
        data: bytes = answer.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise ValueError(f"it sent more than {LARGEST:,} bytes")
    load = x509.load_der_x509_crl if question is None else load_der_ocsp_response
    try:
        load(data)
    except ValueError as error:
        raise ValueError("its answer cannot be read") from error
    return data
