"""The signature of a filing, as its recipients will judge it."""

import contextlib
import datetime as dt

from certify.errors import CertifyError, NotConfigured
from certify.signatures.certificate import Certificate, find_top
from certify.signatures.identity import Identity
from certify.signatures.verify import Demands, SignatureVerdict, verify


def refuse_incomplete_chain(identity: Identity, trust: tuple[Certificate, ...]) -> None:
    """Refuse an identity whose certificates lead to no root.

    Args:
        identity: who signs.
        trust: roots that need not come with the identity.

    Raises:
        NotConfigured: a certificate between the signer's and a root is missing.
    """
    top = find_top(identity.certificate, (*identity.chain, *trust))
    if not top.self_signed and top not in trust:
        raise NotConfigured(
            f"The certificates of {identity.name!r} lead to no root: the certificate of "
            f"{top.issuer!r}, which issued that of {top.common_name!r}, is neither with the key "
            "nor trusted here. Others may be unable to verify the filing.",
            remedy="Add the missing certificates to the PKCS#12 file or to the token. If "
            f"{top.issuer!r} is the root, `certify keys trust FILE` is enough.",
        )


def find_provable_until(
    pdf: bytes, identity: Identity, trust: tuple[Certificate, ...]
) -> str | None:
    """Return until when a document that was signed now is provable, ISO 8601.

    None if it cannot be verified here: the root of the timestamp authority may be unknown.
    """
    verdict = _verify(pdf, identity, trust)
    return (verdict and verdict.provable_until) or None


def refuse_own_authority(trial: bytes, identity: Identity, trust: tuple[Certificate, ...]) -> None:
    """Refuse a timestamp authority that has the root of the signer: `verify` would refuse it.

    Args:
        trial: any document that was signed as the filing will be.
        identity: who signs.
        trust: roots that need not come with the identity.

    Raises:
        NotConfigured: the authority is not independent.
    """
    verdict = _verify(trial, identity, trust)
    for check in verdict.checks if verdict else ():
        if check.id == "independent" and not check.passed:
            raise NotConfigured(
                f"`certify verify` would refuse the filing: {check.detail}",
                remedy="Use a timestamp authority under another root.",
            )


def _verify(
    pdf: bytes, identity: Identity, trust: tuple[Certificate, ...]
) -> SignatureVerdict | None:
    own = (root for root in (identity.certificate, *identity.chain) if root.self_signed)
    roots, demands = (*trust, *own), Demands(allow_same_root=True)
    with contextlib.suppress(CertifyError):
        return verify(pdf, trust=roots, demands=demands, at=dt.datetime.now(dt.UTC))
    return None
