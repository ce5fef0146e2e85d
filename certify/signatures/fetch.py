"""Fetch the revocation data that certificates name: OCSP responses and revocation lists.

Only certificates under trusted roots are asked about: a hostile document names no address. What
comes back is read by the reading process, within its limits.
"""

import http.client
import urllib.request
from collections.abc import Iterable, Iterator
from itertools import islice, pairwise

from cryptography import x509
from cryptography.hazmat.primitives.hashes import SHA1, SHA256
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509 import ocsp
from cryptography.x509.oid import AuthorityInformationAccessOID

from certify.signatures.network import explain_failure, load_roots

TIMEOUT = 10
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
        asked = [*_requests(certificate, issuer)]
        for url, question in asked:
            if url in faults or url in lists:
                continue
            try:
                if question is None:
                    lists[url] = _download(url, None)
                else:
                    responses.append(_download(url, question))
            except (OSError, http.client.HTTPException, ValueError) as error:
                faults[url] = f"{url} gave no revocation data: {explain_failure(error)}"
        failed = [faults[url] for url, _ in asked if url in faults]
        if failed:
            failures[certificate.fingerprint(SHA256()).hex()] = "; ".join(failed)
    return tuple(lists.values()), tuple(responses), failures


def _requests(
    certificate: x509.Certificate, issuer: x509.Certificate
) -> Iterator[tuple[str, bytes | None]]:
    """Yield each address that a certificate names, with the OCSP question, or None for a list."""
    asked = ocsp.OCSPRequestBuilder().add_certificate(certificate, issuer, SHA1())  # noqa: S303 - RFC 5019
    for extension in certificate.extensions:
        if isinstance(extension.value, x509.AuthorityInformationAccess):
            for access in extension.value:
                if access.access_method == AuthorityInformationAccessOID.OCSP:
                    yield (
                        str(access.access_location.value),
                        asked.build().public_bytes(Encoding.DER),
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
    with urllib.request.urlopen(request, timeout=TIMEOUT, context=roots) as answer:  # noqa: S310 - see above
        data: bytes = answer.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise ValueError(f"it sent more than {LARGEST:,} bytes")
    load = x509.load_der_x509_crl if question is None else ocsp.load_der_ocsp_response
    try:
        load(data)
    except ValueError as error:
        raise ValueError("its answer cannot be read") from error
    return data
