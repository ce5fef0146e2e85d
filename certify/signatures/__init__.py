"""Signing identities, signatures and their verification.

``certificate``, ``identity``, ``identity_folder``, ``sign`` and ``verify`` are cheap to import. The
others import pyHanko, cryptography or pikepdf, on first use only.
"""
