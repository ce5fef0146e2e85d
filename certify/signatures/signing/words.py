"""The words of a visible signature: sentences from the templates, facts from the identity."""

from dataclasses import asdict

from certify import library
from certify.model.signatory import Role
from certify.signatures.signing.request import SigningRequest

WORDS = "signature"


def reason_of(role: Role, document: str = "") -> str:
    """Return why somebody signs in a role; ``document`` is what the preparer prepared."""
    reason: str = library.words(WORDS)["reasons"][role]
    return reason.format(document=document)


def lines_of(request: SigningRequest) -> tuple[str, ...]:
    """Return what a visible signature says, line by line; what is not stated says so."""
    words = library.words(WORDS)
    certificate = request.identity.certificate
    facts = asdict(request.identity.signatory) | {
        "reason": request.reason,
        "date": request.moment.strftime("%Y-%m-%d %H:%M:%S %Z").strip(),
        "clock": words["clocks"][request.profile],
        "issuer": words["self_signed"] if certificate.self_signed else certificate.issuer,
        "fingerprint": certificate.fingerprint,
    }
    stated = {part: text or words["unstated"] for part, text in facts.items()}
    lines = tuple(line.format_map(stated) for line in words["lines"])
    return (words["development"], *lines) if certificate.development else lines
