"""Policy: rules that an authentic document must meet, in order.

Every rule is a function from the document to a check, listed in ``RULES``. All rules are always run
and must pass, except those that the reader does not demand: a document without revocation data,
for example, is not refused, and its verdict says so.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations

from msgspec import Struct
from pyhanko.sign.fields import MDPPerm

from certify.formatting import join_words, utc_minute
from certify.model.approval import Role
from certify.signatures.certificate import Certificate
from certify.signatures.chain import Examined
from certify.signatures.document import Signature, SignedDocument
from certify.signatures.revisions import Alteration, Area
from certify.signatures.verify import NO_DEMANDS, CheckedRule, Demands, Revocation

CHANGED = "The document was changed after it was signed."
REVOKED = "A certificate was revoked when it was used."
UNKNOWN = "Revocation data are required, and not all are at hand."
BROKEN = "The signature does not match the document: one of the two was changed."


class Subject(Struct, frozen=True, kw_only=True):
    """A document under examination, and all that the rules ask about it.

    Attributes:
        document: the document, taken apart.
        examined: what its certificates say, per signature.
        alterations: what changed against the rules since it was signed.
        damage: why the comparison of its states failed; empty where it did not.
        expected: who must have signed, by role: a common name or a fingerprint.
        demands: what else the reader demands.
        fetched: whether revocation data were fetched for it.
    """

    document: SignedDocument
    examined: tuple[Examined, ...]
    alterations: tuple[Alteration, ...]
    damage: str
    expected: Mapping[Role, str]
    demands: Demands = NO_DEMANDS
    fetched: bool = False

    @property
    def author(self) -> Examined:
        """The first signature."""
        return self.examined[0]

    def list_parties(self, status: str) -> dict[str, Revocation]:
        """Return the signers and the authorities with a result of the search for revocation."""
        listed = (examined.list_parties(status) for examined in self.examined)
        return {party: revocation for each in listed for party, revocation in each.items()}

    @property
    def dependents(self) -> tuple[str, ...]:
        """The laboratory and the timestamp authorities that have the preparer's root."""
        preparer, dependent = self.author, []
        root = preparer.root if preparer.role is Role.PREPARER else None
        for examined in self.examined:
            certificate = (
                examined.certificate if examined.certificate != preparer.certificate else None
            )
            if certificate and examined.role is Role.LABORATORY and _share_key(root, examined.root):
                dependent.append(f"the laboratory {certificate.common_name!r}")
            if examined.authority and _share_key(root, examined.authority_root):
                dependent.append(f"the timestamp authority {examined.authority.common_name!r}")
        return tuple(dict.fromkeys(dependent))

    @property
    def mixtures(self) -> tuple[str, ...]:
        """The names that mix letters of alphabets that look alike, in words."""
        named = (
            certificate
            for each in self.examined
            for certificate in (each.certificate, each.root, each.authority, each.authority_root)
            if certificate is not None and certificate.mixture
        )
        return tuple(
            f"the name {each.common_name!r} mixes {each.mixture} letters"
            for each in dict.fromkeys(named)
        )

    @property
    def is_timestamped(self) -> bool:
        """True if a timestamp proves when the document was signed."""
        stamped = any(examined.signature.kind == "timestamp" for examined in self.examined)
        return stamped or self.author.proven is not None

    @property
    def signatures(self) -> tuple[tuple[Examined, Certificate], ...]:
        """The signatures without timestamps, in their order, each with its certificate."""
        return tuple(
            (examined, examined.certificate)
            for examined in self.examined
            if examined.certificate is not None and examined.signature.kind == "signature"
        )


def _share_key(root: Certificate | None, other: Certificate | None) -> bool:
    return root is not None and other is not None and root.key_sha256 == other.key_sha256


Rule = Callable[[Subject], CheckedRule]


def signatures_cover_their_revisions(subject: Subject) -> CheckedRule:
    """Check that each signature covers the file up to the end of its revision."""
    faults = [
        f"The signature in field {signature.field_name!r} does not cover the file: "
        f"{signature.fault}."
        for signature in subject.document.signatures
        if signature.fault
    ]
    number = len(subject.document.signatures)
    covered = (
        "The signature covers its whole revision."
        if number == 1
        else f"All {number} signatures and timestamps cover their whole revision."
    )
    return _check("coverage", faults, covered)


def nothing_follows_the_last_signature(subject: Subject) -> CheckedRule:
    """Check that the last signature or timestamp covers the whole file to its last byte."""
    last = subject.document.signatures[-1]
    rest = len(subject.document.data) - last.end
    faults = [f"{rest} bytes of the file are not covered by its last signature."] if rest else []
    if last.revision != subject.document.reader.xrefs.total_revisions - 1:
        faults.append("The file was updated after its last signature.")
    return _check("no-unsigned-tail", faults, "Nothing follows the last signature.")


def permissions_are_respected(subject: Subject) -> CheckedRule:
    """Check that signatures permit later ones, and only the first certifies the document."""
    signed = [
        signature for signature in subject.document.signatures if signature.kind == "signature"
    ]
    faults = [
        f"The signature in field {signature.field_name!r} sets its own permissions."
        for signature in signed[1:]
        if signature.embedded.docmdp_level is not None
    ]
    faults += [
        f"The signature in field {first.field_name!r} forbids that in field {later.field_name!r}."
        for first, later in combinations(signed, 2)
        if _forbids(first, later)
    ]
    return _check("permissions", faults, "Every signature was permitted by those before it.")


def _forbids(first: Signature, later: Signature) -> bool:
    lock = first.embedded.fieldmdp
    locked = lock is not None and lock.is_locked(later.field_name)
    return locked or first.embedded.docmdp_level is MDPPerm.NO_CHANGES


def structure_is_sound(subject: Subject) -> CheckedRule:
    """A second reader opens every state of the file without a complaint."""
    faults = [
        f"The file is irregular: {alteration.text}."
        for alteration in subject.alterations
        if alteration.area == "structure"
    ]
    if subject.damage:
        faults.append(f"The states of the file cannot be compared: {subject.damage}.")
    return _check("structure", faults, "Two readers agree on the file.")


def build_rule(name: str, fault_of: Callable[[Examined], str], fine: str) -> Rule:
    """Return a rule that fails for each signature of which ``fault_of`` names a fault."""

    def rule(subject: Subject) -> CheckedRule:
        faults = [
            f"The {examined.signature.kind} in field {examined.field!r}: {fault_of(examined)}."
            for examined in subject.examined
            if fault_of(examined)
        ]
        return _check(name, faults, fine)

    return rule


def unchanged_rule(area: Area, name: str, words: str) -> Rule:
    """Return the rule that checks that a part of the document is unchanged since signing."""

    def rule(subject: Subject) -> CheckedRule:
        faults = [
            f"Since signing, {alteration.text}."
            for alteration in subject.alterations
            if alteration.area == area
        ]
        return _check(name, faults, f"The {words} are those that were signed.")

    return rule


def revocation_was_looked_up(subject: Subject) -> CheckedRule:
    """No certificate that can be revoked was revoked, by the data that are at hand."""
    revoked = subject.list_parties("revoked")
    faults = [f"{party}: {revocation.reason}." for party, revocation in revoked.items()]
    missing = subject.list_parties("not looked up").items()
    faults += (
        f"Revocation was not looked up for {who}: {revocation.reason}."
        for who, revocation in missing
    )
    source = "the document and those that were fetched" if subject.fetched else "the document"
    fine = (
        f"No certificate that names revocation data was revoked when used, by data of {source}.",
        *(
            f"Data for {party}: {utc_minute(good.data)}{'; ' * bool(good.reason)}{good.reason}."
            for party, good in subject.list_parties("good").items()
        ),
    )
    required = subject.demands.require_revocation or bool(revoked)
    return _check("revocation", faults, " ".join(fine), required=required)


def times_are_proven(subject: Subject) -> CheckedRule:
    """Check that a timestamp proves when each signature was made."""
    unproven = [
        f"No timestamp proves when {certificate.common_name!r} signed."
        for examined, certificate in subject.signatures
        if examined.proven is None
        and not any(
            later.signature.kind == "timestamp"
            for later in subject.examined[subject.examined.index(examined) :]
        )
    ]
    return _check("timestamp", unproven, "A timestamp proves when each signature was made.")


def others_are_independent(subject: Subject) -> CheckedRule:
    """Check that the preparer's root vouches for no laboratory and no timestamp authority."""
    root = subject.author.root
    faults = [
        f"The root {root.common_name if root else ''!r} vouches for the preparer and for {other}, "
        "which is not independent."
        for other in subject.dependents
    ]
    fine = "No laboratory and no timestamp authority has the root of the preparer."
    return _check("independent", faults, fine, required=not subject.demands.allow_same_root)


def names_are_of_one_alphabet(subject: Subject) -> CheckedRule:
    """Point out names that mix letters of alphabets that look alike."""
    faults = [f"{fault[0].upper()}{fault[1:]}." for fault in subject.mixtures]
    return _check("alphabet", faults, "No name mixes letters that look alike.", required=False)


def chains_lead_to_roots(subject: Subject) -> CheckedRule:
    """Check that each chain of certificates leads to a root, and name issuers and roots."""
    faults = [
        f"The {examined.signature.kind} in field {examined.field!r}: {examined.trusted}."
        for examined in subject.examined
        if examined.trusted
    ]
    named = [
        f"{certificate.common_name!r} was certified by {certificate.issuer!r} under the root "
        f"{examined.root.common_name!r}."
        for examined, certificate in subject.signatures
        if examined.root is not None
    ] + [
        f"Timestamp authority: {each.authority.common_name!r} under the root "
        f"{each.authority_root.common_name!r}."
        for each in subject.examined
        if each.authority is not None and each.authority_root is not None
    ]
    fine = ("Every chain of certificates leads to a root that you trust.", *named)
    return _check("trust", faults, " ".join(dict.fromkeys(fine)))


def somebody_signed(subject: Subject) -> CheckedRule:
    """Check that a signature covers the document first; a timestamp identifies no signer."""
    stamp = subject.author.signature.kind == "timestamp"
    fault = "Only a timestamp covers the document; it proves the time, not the signer."
    return _check(
        "signature", [fault] if stamp else [], "The first signature is a signer's, not a timestamp."
    )


def signers_are_the_expected_ones(subject: Subject) -> CheckedRule:
    """Check that each role has the expected signer; equal names differ in digest."""
    author = subject.author.certificate
    signers = {
        examined.role: signer
        for examined, signer in subject.signatures
        if examined is not subject.author
    }
    sentences = {
        Role.PREPARER: f"Signed by {repr(author.common_name) if author else 'somebody unreadable'}"
    }
    faults, fine = [], []
    for role, expected in subject.expected.items():
        signer = author if role is Role.PREPARER else signers.get(role)
        who = (
            sentences.get(role)
            or f"Signed as {role} by {repr(signer.common_name) if signer else 'nobody'}"
        )
        if _is(signer, expected):
            fine.append(f"{who}, as required.")
        else:
            faults.append(f"{who}, but {expected!r} is required.")
    if Role.PREPARER not in subject.expected:
        fine.insert(0, f"{sentences[Role.PREPARER]}; no signer was required.")
    fine += (
        f"SHA-256 of the certificate of {signer.common_name!r}: {signer.fingerprint}."
        for _, signer in subject.signatures
    )
    return _check("signer", faults, " ".join(fine))


def _is(certificate: Certificate | None, expected: str) -> bool:
    """Return True if the certificate has the expected common name or fingerprint."""
    return certificate is not None and (
        expected == certificate.common_name
        or expected.replace(":", "").lower() == certificate.fingerprint
    )


def roles_are_distinct(subject: Subject) -> CheckedRule:
    """Check that the preparer signed first, each field has a role, and no signer has two."""
    signed, author = subject.signatures, subject.author
    faults = [
        f"{certificate.common_name!r} signed first, in the field {examined.field!r}, which is not "
        "that of the preparer."
        for examined, certificate in signed
        if examined is author and examined.role is not Role.PREPARER
    ]
    faults += [
        f"The field {examined.field!r} belongs to no role."
        for examined, _ in signed
        if examined.role is None
    ]
    faults += [
        f"{certificate.common_name!r} signed as {examined.role} and as {other.role}, with one "
        "certificate."
        for (examined, certificate), (other, same) in combinations(signed, 2)
        if certificate == same
    ]
    parts = join_words(
        f"{certificate.common_name!r} as {examined.role}" for examined, certificate in signed
    )
    return _check("roles", faults, f"Signed by {parts}.")


RULES: tuple[tuple[str, Rule], ...] = (
    (
        BROKEN,
        build_rule("intact", lambda examined: examined.intact, "Every signature is intact."),
    ),
    (CHANGED, signatures_cover_their_revisions),
    (CHANGED, nothing_follows_the_last_signature),
    ("The document is damaged.", structure_is_sound),
    (
        "The title or other document information was changed after signing.",
        unchanged_rule("information", "document-information", "title and document information"),
    ),
    (
        # the packet holds the digest of the evidence
        "The metadata of the document was changed after signing.",
        unchanged_rule("metadata", "metadata", "XMP metadata"),
    ),
    (
        "The attachments were changed after signing.",
        unchanged_rule("attachments", "attachments", "attachments"),
    ),
    (CHANGED, unchanged_rule("content", "content", "pages and their structure")),
    (CHANGED, permissions_are_respected),
    ("The document has a timestamp but no signature.", somebody_signed),
    (
        "The signer's certificate does not lead to a root that you trust.",
        chains_lead_to_roots,
    ),
    (UNKNOWN, revocation_was_looked_up),
    (
        "A certificate was not valid when it was used.",
        build_rule(
            "time",
            lambda examined: examined.timely,
            "Every certificate was valid when it was used.",
        ),
    ),
    ("The document is not signed by the required signer.", signers_are_the_expected_ones),
    ("The signers do not have different roles.", roles_are_distinct),
    (
        "A laboratory or a timestamp authority is not independent of the preparer.",
        others_are_independent,
    ),
)
"""Each rule with the plain verdict that its failure gives; the first failure speaks."""


def rules_for(subject: Subject) -> Iterator[tuple[str, Rule]]:
    """Yield the rules, with those that only some documents or readers need."""
    revoked = subject.list_parties("revoked")
    for words, rule in RULES:
        yield (REVOKED if revoked and words == UNKNOWN else words), rule
    if subject.demands.require_timestamp:
        yield "A timestamp is required, and a signature has none.", times_are_proven
    if subject.mixtures:
        yield "", names_are_of_one_alphabet


def _check(name: str, faults: list[str], fine: str, *, required: bool = True) -> CheckedRule:
    detail = " ".join(faults) if faults else fine
    return CheckedRule(id=name, passed=not faults, detail=detail, required=required)
