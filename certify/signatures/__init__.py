"""Signing identities, signatures and their verification.

``certificate``, ``identities.identity``, ``identities.folder``, ``signing.sign``,
``verifying.verify`` and ``verifying.verdict`` are cheap to import. The others import pyHanko,
cryptography or pikepdf, on first use only.
"""
