"""The signature of a filing, as its recipients will judge it."""

import contextlib
import datetime as dt

from certify.errors import CertifyError, NotConfigured
from certify.signatures.certificate import Certificate, find_top
from certify.signatures.identity import Identity
from certify.signatures.verify import Demands, verify


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
    own = (root for root in (identity.certificate, *identity.chain) if root.self_signed)
    roots, demands = (*trust, *own), Demands(allow_same_root=True)
    with contextlib.suppress(CertifyError):
        verdict = verify(pdf, trust=roots, demands=demands, at=dt.datetime.now(dt.UTC))
        return verdict.provable_until or None
    return None
