"""Signing identities and trusted roots in the user's folder of keys; trial of an authority."""

import datetime as dt
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Annotated, TypedDict

from msgspec import field
from msgspec.structs import asdict, replace

from certify.errors import NotConfigured, NotReadable
from certify.intake.files import read_signatory
from certify.model.approval import Role, RootRole, Signatory
from certify.model.request import Option, Request, option
from certify.signatures.certificate import Certificate, find_top, read_pem
from certify.signatures.identity import FileKey, Identity
from certify.signatures.identity_folder import (
    StoredIdentity,
    identities,
    init_development,
    load,
    load_token,
    make_archive,
    open_archive,
    register_root,
    remove_root,
    roots,
    statement,
)
from certify.signatures.sign import blank_document, sign
from certify.signatures.verify import Demands, verify
from certify.storage import home, private, read_bytes

Ask = Callable[[str], str]
"""Prompts for a password that no file has; takes the prompt."""


class Signer(Request, frozen=True, kw_only=True):
    """Reference to a signing key: an id in the folder, a PKCS#12 file, or a hardware token.

    ``identity`` is the id or the file. ``data`` are the bytes of a PKCS#12 file that is not on this
    machine. ``stated`` are details of the signer that replace the stored ones.
    """

    identity: Annotated[
        str | None,
        option("Signing identity: an id of `certify keys list`, or a PKCS#12 file.", metavar="ID"),
    ] = None
    data: bytes | None = None
    stated: Signatory | None = None
    password_file: Annotated[
        Path | None, option("File with the password or PIN of the identity.")
    ] = None
    module: Annotated[Path | None, option("Library of a hardware token.", "--pkcs11-module")] = None
    token: Annotated[str | None, option("Label of the token.")] = None
    key: Annotated[str | None, option("Label of the key on the token.")] = None

    def __post_init__(self) -> None:
        """Refuse values that do not fit their fields, and a token without its library."""
        Request.__post_init__(self)
        if (self.token or self.key) and self.module is None:
            raise NotReadable(
                "--token and --key require --pkcs11-module.",
                remedy="Name the library of the token, or omit both.",
            )

    __repr__ = object.__repr__  # without secrets


TimestampUrl = Annotated[str | None, option("RFC 3161 timestamp authority.")]
LongTerm = Annotated[
    bool, option("Embed certificates, revocation data and timestamps (PAdES B-LTA).")
]


class CountersignOptions(Request, frozen=True, kw_only=True):
    """The role and the profile of a signature that is added to a document."""

    role: Annotated[
        Role,
        option(
            "Role of the signer, whose field the signature fills. The documents of `certify "
            "submit` have fields for a laboratory and an approver; a reviewer's is in documents of "
            "templates with one second signature.",
            "--as",
            metavar="<laboratory|approver|reviewer>",
        ),
    ] = Role.LABORATORY
    reason: Annotated[
        str | None, option("Reason in the signature. Default: the reason of the role.")
    ] = None
    location: Annotated[str, option("Location in the signature.")] = ""
    timestamp_url: TimestampUrl = None
    long_term: LongTerm = False
    allow_lower_profile: Annotated[
        bool,
        option(
            "Sign without the timestamps that the document has, and warn how long it then holds."
        ),
    ] = False


def folder() -> Path:
    """Return this user's folder of keys; others may not write to the folder above it either.

    Raises:
        NotPrivate: the folder above it is open to other users.
    """
    return private(home(), create=False) / "keys"


def list_identities() -> tuple[StoredIdentity, ...]:
    """Return the identities in this user's folder of keys."""
    return tuple(identities(folder()))


def create_development(today: date) -> str:
    """Make a development identity as `certify keys init-dev` does; return its id.

    Raises:
        NotConfigured: it exists already, or the folder cannot be written.
    """
    identity = init_development(folder(), today=today)
    return next(key.id for key in list_identities() if key.certificate == identity.certificate)


def list_roots() -> dict[Certificate, tuple[str, ...]]:
    """Return the roots that this user trusts, with the roles of those that vouch for some only."""
    by_root: dict[Certificate, tuple[str, ...]] = dict.fromkeys(roots(folder()), ())
    for role in RootRole:
        for root in roots(folder(), role):
            by_root[root] = (*by_root.get(root, ()), role)
    return by_root


def trust(data: bytes, roles: Sequence[str] = ()) -> None:
    """Trust the certificates of a PEM file or a DER certificate from now on.

    They vouch for ``roles`` only, or for every role.

    Raises:
        NotReadable: there is no certificate in it.
        NotConfigured: there is a private key in it, or the folder cannot be written.
    """
    pem = Certificate.from_der(data).pem() if data[:1] == b"\x30" else data
    register_root(folder(), pem, roles)


def distrust(fingerprint: str) -> None:
    """Trust a certificate no longer."""
    remove_root(folder(), fingerprint)


class Trust(TypedDict):
    """The arguments of a verification by which its roots and demands are given."""

    trust: tuple[Certificate, ...]
    demands: Demands


def _declare_roots(whom: str) -> Option:
    return option(f"PEM file of a root trusted for {whom} only.")


class TrustOptions(Request, frozen=True, kw_only=True):
    """Roots that a verification trusts; without a file, those that this user trusts.

    ``trust_by_role`` has the files of the options for one role in one mapping.
    """

    trust: Annotated[
        tuple[Path, ...],
        option(
            "PEM file of a root trusted in every role. Default: the roots of `certify keys list`."
        ),
    ] = ()
    trust_preparer: Annotated[tuple[Path, ...], _declare_roots("preparers")] = ()
    trust_laboratory: Annotated[tuple[Path, ...], _declare_roots("laboratories")] = ()
    trust_approver: Annotated[tuple[Path, ...], _declare_roots("approvers")] = ()
    trust_time: Annotated[tuple[Path, ...], _declare_roots("timestamp authorities")] = ()
    trust_by_role: Mapping[RootRole, tuple[Path, ...]] = field(default_factory=dict)
    allow_same_root: Annotated[
        bool, option("Accept a laboratory or a timestamp authority under the preparer's root.")
    ] = False

    def read(self) -> Trust:
        """Return the roots and the demands.

        Raises:
            NotReadable: a file cannot be read.
        """
        by_role = {
            str(role): (*getattr(self, f"trust_{role}"), *self.trust_by_role.get(role, ()))
            for role in RootRole
        }
        roots_by_role = {role: _read_roots(files) for role, files in by_role.items() if files}
        for_all = _read_roots(self.trust)
        if not for_all and not roots_by_role:
            for_all = roots(folder())
            roots_by_role = {str(role): roots(folder(), role) for role in RootRole}
        return Trust(
            trust=for_all,
            demands=Demands(roots=roots_by_role, allow_same_root=self.allow_same_root),
        )


class SignerOptions(TrustOptions, frozen=True, kw_only=True):
    """Roots that a verification trusts, and the signer that it requires."""

    signer: Annotated[
        str | None,
        option("Required first signer: common name or SHA-256 fingerprint of the certificate."),
    ] = None


class VerifyOptions(SignerOptions, frozen=True, kw_only=True):
    """Requirements of `certify verify`: roots, signers, and data on times and revocation."""

    laboratory: Annotated[
        str | None, option("Required signer in the role laboratory: name or fingerprint.")
    ] = None
    approver: Annotated[
        str | None, option("Required signer in the role approver: name or fingerprint.")
    ] = None
    require_timestamp: Annotated[bool, option("Refuse a signature without a timestamp.")] = False
    require_revocation: Annotated[
        bool, option("Refuse a signature without data on the revocation of its certificates.")
    ] = False
    online: Annotated[bool, option("Fetch the revocation data that the certificates name.")] = False

    def read(self) -> Trust:
        """Return the roots and the demands."""
        trust = SignerOptions.read(self)
        demands = replace(
            trust["demands"],
            require_timestamp=self.require_timestamp,
            require_revocation=self.require_revocation,
        )
        return Trust(trust=trust["trust"], demands=demands)

    @property
    def countersigners(self) -> dict[Role, str]:
        """The required signers by role."""
        named = {Role.LABORATORY: self.laboratory, Role.APPROVER: self.approver}
        return {role: name for role, name in named.items() if name is not None}


def _read_roots(files: Sequence[Path]) -> tuple[Certificate, ...]:
    return tuple(root for path in files for root in read_pem(read_bytes(path)))


def signatory_path(identity: str) -> Path:
    """Return the file of a signer's details: for an id, a label, or a PKCS#12 file.

    Raises:
        NotConfigured: the name leads out of the folder of keys.
    """
    if Path(identity).suffix in (".p12", ".pfx"):
        return statement(Path(identity))
    if Path(identity).name != identity:
        raise NotConfigured(
            f"{identity!r} is not an identity.",
            remedy="Name an id of `certify keys list`, a PKCS#12 file, or the label of a key.",
        )
    return statement(folder() / f"{identity}.p12")


def open_identity(signer: Signer, ask: Ask) -> Identity:
    """Return the signing identity, with the details that its holder declares.

    Raises:
        NotConfigured: there is none, or several and none was named.
        Unfit: the details cannot be read.
    """
    opened, named = _open_signer(signer, ask)
    stored = Signatory() if signer.data else read_signatory(signatory_path(named))
    details = asdict(signer.stated) if signer.stated else {}
    details = {part: words for part, words in details.items() if words}
    return replace(opened, stated=replace(stored, **details))


def _open_signer(signer: Signer, ask: Ask) -> tuple[Identity, str]:
    """Return an identity and its name: a label, a file or an id."""
    name = signer.identity
    if signer.data is not None:
        return open_archive(Path(name or ""), signer.data, ask("")), name or ""
    if signer.module is not None:
        if signer.token is None or signer.key is None:
            raise NotConfigured(
                "--pkcs11-module requires --token and --key.",
                remedy="Name the token's label and the key's label.",
            )
        opened = load_token(
            module=signer.module,
            token=signer.token,
            label=signer.key,
            pin_file=signer.password_file,
            ask=ask,
        )
        return opened, signer.key
    if name is not None and Path(name).suffix in (".p12", ".pfx"):
        return load(Path(name), password_file=signer.password_file, ask=ask), name
    stored = list_identities()
    chosen = [identity for identity in stored if name is None or identity.id == name]
    if name is None and len(chosen) > 1:
        chosen = [identity for identity in chosen if not identity.certificate.development]
    if not stored:
        raise NotConfigured(
            "There is no identity to sign with.",
            remedy="Create one for drafts with `certify keys init-dev`, or use --unsigned.",
        )
    if len(chosen) != 1:
        raise NotConfigured(
            f"{folder()} has {'several identities' if name is None else f'no {name!r}'}.",
            remedy=f"Name one with --identity: {', '.join(identity.id for identity in stored)}.",
        )
    return load(chosen[0].path, password_file=signer.password_file, ask=ask), chosen[0].id


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


def try_authority(url: str) -> Iterator[tuple[bool, str]]:
    """Yield whether each step of the trial succeeded, and what was found.

    An empty page is signed, then with long-term data, and verified by the roots of this user.

    Raises:
        CertifyError: the proxy or the file of roots cannot be used, or the authority gave no
            timestamp or its issuer no revocation data.
    """
    from certify.signatures.network import find_proxy, load_roots  # loads pyHanko

    yield True, f"proxy for {url}: {find_proxy(url) or 'none'}"
    yield True, f"certificate authorities for https: {load_roots()[1]}"
    now = dt.datetime.now(dt.UTC)
    archive, certificate = make_archive(common_name="Trial", today=now.date(), password="trial")  # noqa: S106 - lives as long as this trial
    identity = Identity(certificate=certificate, key=FileKey(data=archive, password="trial"))  # noqa: S106 - the same
    trust = TrustOptions().read()
    for long_term in (False, True):
        begun = time.monotonic()
        signed = sign(
            blank_document(),
            identity=identity,
            reason="Trial",
            location="",
            timestamp_url=url,
            long_term=long_term,
            trust=tuple(list_roots()),
        )
        took, at = time.monotonic() - begun, dt.datetime.now(dt.UTC)
        verdict = verify(
            signed.data, trust=(*trust["trust"], certificate), demands=trust["demands"], at=at
        )
        failed = [rule.detail for rule in verdict.checks if rule.required and not rule.passed]
        if failed:
            yield False, f"the timestamp of {url} is not accepted: {' '.join(failed)}"
            return
        stamp = verdict.timestamps[0]
        yield (
            True,
            f"{signed.profile} signature in {took:.1f} s: timestamp of {stamp.time} by "
            f"{stamp.authority} under the root {stamp.root}; this machine has {at.isoformat()}",
        )
