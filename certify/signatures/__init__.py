"""The signature room: who signs, how, and what a signed document proves.

``certificate``, ``identities.identity``, ``identities.folder``, ``signing.sign``,
``verifying.verify`` and ``verifying.verdict`` are cheap to import. The others import pyHanko,
cryptography or pikepdf, on first use only.
"""
