"""Network access for timestamps and revocation data, by the proxies and roots of this machine.

pyHanko's own sessions ignore HTTP_PROXY, HTTPS_PROXY and NO_PROXY, and trust certifi's roots only.
"""

import os
import ssl
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import aiohttp
import certifi
from asn1crypto import tsp
from pyhanko.sign.timestamps import HTTPTimeStamper, TimeStamper
from pyhanko_certvalidator.fetchers import OwnedFetcherBackend
from pyhanko_certvalidator.fetchers.aiohttp_fetchers import AIOHttpFetcherBackend
from pyhanko_certvalidator.fetchers.aiohttp_fetchers.util import LazySession

from certify.errors import NotConfigured

TIMEOUT = 20
"""Seconds that a timestamp authority has for one answer."""

CA_FILE = "SSL_CERT_FILE"


def build_timestamper(url: str) -> TimeStamper:
    """Return a client of the RFC 3161 authority at a URL.

    Raises:
        NotConfigured: the proxy or the file of roots cannot be used.
    """
    return _Client(url)


def build_fetchers() -> OwnedFetcherBackend:
    """Return the client with which a validation context fetches OCSP responses and CRLs.

    The context closes it.

    Raises:
        NotConfigured: the proxy or the file of roots cannot be used.
    """
    return OwnedFetcherBackend(AIOHttpFetcherBackend(_Session()))  # type: ignore[arg-type] # its own default is one


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


class _Client(HTTPTimeStamper):
    """A client that closes its session with the event loop of each request."""

    def __init__(self, url: str) -> None:
        self._own = _Session()
        super().__init__(url, timeout=TIMEOUT, session=self._own)

    async def async_request_tsa_response(self, req: tsp.TimeStampReq) -> tsp.TimeStampResp:
        """Request a timestamp."""
        try:
            return await super().async_request_tsa_response(req)
        finally:
            await self._own.close()  # type: ignore[no-untyped-call] # the same
