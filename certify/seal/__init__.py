"""The seal room: identities, signatures and their verification.

``certificate``, ``identity``, ``sign``, ``verify`` and ``verdict`` are cheap to import; the modules
behind them (``archive``, ``tokens``, ``pades``, ``stamp``, ``document``, ``updates``, ``chain``,
``policy``) import pyHanko, cryptography or pikepdf, and are themselves imported on first use.
"""
