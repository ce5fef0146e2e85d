"""What a verification says: one plain sentence, and each check with its own."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedRule:
    """One rule of the policy and what it found.

    Attributes:
        id: stable name of the rule.
        passed: whether the document keeps it.
        detail: one or two sentences for a person.
        required: whether the document is refused without it; what is not required and did not
            pass limits what the verdict says.
    """

    id: str
    passed: bool
    detail: str
    required: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedBy:
    """One signature, as its certificate names the signer.

    Attributes:
        role: what the signer signed as, by the field; empty for a field that is for nobody.
        name: the certificate's common name.
        issuer: that of the certificate's issuer.
        fingerprint: SHA-256 of the certificate, hexadecimal.
        vouched: somebody else issued the certificate, and it is not one for drafts.
        declared: when it was signed by the signer's clock, ISO 8601; empty if not stated.
        proven: when at the latest, by a timestamp inside the signature; empty without one.
    """

    role: str
    name: str
    issuer: str
    fingerprint: str
    vouched: bool
    declared: str
    proven: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedPages:
    """Consecutive pages of which the same is to be said.

    A signature covers the whole file as it was when it was made. So each page that is there is
    covered by every signature, and shows what it showed when the first was made, but for the
    fields that later signers filled with their own signature.

    Attributes:
        first: number of the first of these pages, from 1.
        last: number of the last.
        signatures: the signatures that cover them, by their place in the order of signing, from 1.
        filled_later: those of them whose visible field on these pages was filled after an earlier
            signature was made, which covers the field empty.
    """

    first: int
    last: int
    signatures: tuple[int, ...]
    filled_later: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SignatureVerdict:
    """Whether a document is authentic and unchanged, and by whom.

    Attributes:
        verdict: the answer in plain words; what is wrong first.
        authentic: every required check passed.
        checks: the rules in the order of the policy.
        signer: common name of the first signature's certificate, verified or not.
        fingerprint: SHA-256 of that certificate, hexadecimal.
        countersigners: common names of the further signatures.
        signatures: every signature that can be read, in the order of signing, verified or not.
        pages: what covers each page, and what was added to it later; none unless authentic.
        profile: ``B-B``, ``B-T``, ``B-LT`` or ``B-LTA``; empty unless authentic.
        proves_identity: authentic, and somebody else vouches for the signer's name.
        unsigned_bytes: the document as it was before its first signature.
        signed_bytes: the document up to the end of what the first signature covers; evidence is
            read from it and from nothing later.
    """

    verdict: str
    authentic: bool
    checks: tuple[CheckedRule, ...]
    signer: str | None
    fingerprint: str | None
    countersigners: tuple[str, ...]
    signatures: tuple[SignedBy, ...]
    pages: tuple[SignedPages, ...]
    profile: str
    proves_identity: bool
    unsigned_bytes: bytes = field(repr=False)
    signed_bytes: bytes = field(repr=False)


def refused(verdict: str, reason: str) -> SignatureVerdict:
    """Return the verdict on a file that could not be read to its end, and why in a sentence."""
    return SignatureVerdict(
        verdict=verdict,
        authentic=False,
        checks=(CheckedRule(id="readable", passed=False, detail=reason),),
        signer=None,
        fingerprint=None,
        countersigners=(),
        signatures=(),
        pages=(),
        profile="",
        proves_identity=False,
        unsigned_bytes=b"",
        signed_bytes=b"",
    )
