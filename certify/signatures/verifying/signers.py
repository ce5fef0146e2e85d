"""The signers of a PDF as its signatures name them, unverified and unjudged.

This decides what may be replaced, not what may be trusted: a signature that cannot be read counts
as one that must not be lost.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from certify.errors import NotReadable
from certify.signatures.certificate import Certificate
from certify.storage import SIGNED

if TYPE_CHECKING:
    from asn1crypto import cms

_contents = re.compile(rb"/Contents\s*<([0-9A-Fa-f\s]*)>").finditer

_TIMESTAMP = "tst_info"


def signers(pdf: bytes) -> tuple[Certificate | None, ...]:
    """Return the certificate of each signature, None for one that cannot be read.

    Timestamps of the whole document are left out: nobody signs with them.
    """
    number = pdf.count(SIGNED)
    if not number:
        return ()
    read = list(_signatures(pdf))
    unread = [None] * max(number - len(read), 0)
    return (*(signer for signer, timestamp in read if not timestamp), *unread)


def _signatures(pdf: bytes) -> Iterator[tuple[Certificate | None, bool]]:
    """Yield the signer of each signature that can be read, and whether it is a timestamp."""
    from asn1crypto import cms

    for match in _contents(pdf):
        try:
            signed = cms.ContentInfo.load(bytes.fromhex(match[1].decode("ascii")))["content"]
            kind = signed["encap_content_info"]["content_type"].native
            (signer,) = signed["signer_infos"]
        except (ValueError, TypeError, KeyError):
            continue
        yield _certificate(signed, signer["sid"]), kind == _TIMESTAMP


def _certificate(signed: "cms.SignedData", sid: "cms.SignerIdentifier") -> Certificate | None:
    """Return the certificate that a signature names, if it comes with it and can be read."""
    if sid.name != "issuer_and_serial_number":
        return None
    issuer, serial = sid.chosen["issuer"].dump(), sid.chosen["serial_number"].native
    for choice in signed["certificates"]:
        certificate = choice.chosen
        if choice.name != "certificate" or certificate.serial_number != serial:
            continue
        if certificate.issuer.dump() == issuer:
            try:
                return Certificate.from_der(certificate.dump())
            except NotReadable:
                return None
    return None
