"""Trial of a timestamp authority: the whole way of `certify submit`, with a throwaway key."""

import datetime as dt
import time
from collections.abc import Iterator

from certify.filing.identities import TrustOptions, list_roots
from certify.signatures.identity import FileKey, Identity
from certify.signatures.identity_folder import make_archive
from certify.signatures.network import find_proxy, load_roots
from certify.signatures.sign import blank_document, sign
from certify.signatures.verify import verify


def try_authority(url: str) -> Iterator[tuple[bool, str]]:
    """Yield whether each step of the trial succeeded, and what was found.

    An empty page is signed, then with long-term data, and verified by the roots of this user.

    Raises:
        CertifyError: the proxy or the file of roots cannot be used, or the authority gave no
            timestamp or its issuer no revocation data.
    """
    yield True, f"proxy for {url}: {find_proxy(url) or 'none'}"
    yield True, f"certificate authorities for https: {load_roots()[1]}"
    now = dt.datetime.now(dt.UTC)
    archive, own = make_archive(common_name="Trial", today=now.date(), password="trial")  # noqa: S106 - lives as long as this trial
    identity = Identity(certificate=own, key=FileKey(data=archive, password="trial"))  # noqa: S106 - the same
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
        verdict = verify(signed.data, trust=(*trust["trust"], own), demands=trust["demands"], at=at)
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
