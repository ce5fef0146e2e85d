"""The answer to ``certify --version``."""

import contextlib

import certify_recount
from certify import __version__
from certify.errors import NotConfigured
from certify.library import build_sha256

BUILD = 12
"""Digits of the digest of a build that are printed: enough to tell the builds of one version."""


def describe_version() -> str:
    """Return the version, the first digits of the build's digest, and the digest of the recount.

    The first digest is missing if ``CERTIFY_LIBRARY`` names no library.
    """
    lines = [f"certify {__version__}", f"certify_recount, SHA-256 {certify_recount.digest()}"]
    with contextlib.suppress(NotConfigured):
        lines[0] += f" (build {build_sha256()[:BUILD]})"
    return "\n".join(lines)
