"""The seal room: identities, signatures and their verification.

``certificate``, ``identity``, ``sign``, ``verify`` and ``verdict`` are cheap to import. The others
(``archive``, ``tokens``, ``pades``, ``stamp``; ``reader``, ``document``, ``container``,
``updates``, ``chain``, ``policy``) import pyHanko, cryptography or pikepdf, on first use only.
"""
