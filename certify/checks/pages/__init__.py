"""The pages of the finding codes, one module for each family, in plain words."""

from certify.model.finding import Code, Severity


def error(code: str, title: str, *, why: str, mend: str, wrong: str, right: str) -> Code:
    """Return the page of something that must be mended: ``check`` exits 1."""
    return _page(code, title, Severity.ERROR, (why, mend, wrong, right))


def warning(code: str, title: str, *, why: str, mend: str, wrong: str, right: str) -> Code:
    """Return the page of something that is probably wrong and may be meant."""
    return _page(code, title, Severity.WARNING, (why, mend, wrong, right))


def note(code: str, title: str, *, why: str, mend: str, wrong: str, right: str) -> Code:
    """Return the page of something that a reader should know."""
    return _page(code, title, Severity.NOTE, (why, mend, wrong, right))


def _page(code: str, title: str, severity: Severity, parts: tuple[str, str, str, str]) -> Code:
    why, mend, wrong, right = (" ".join(part.split()) for part in parts)
    noted = severity is Severity.NOTE
    text = (
        f"Why it matters\n\n{why}\n\nHow to mend it\n\n{mend}\n\n"
        f"{'Noted' if noted else 'Wrong'}\n\n    {wrong}\n\n{'Clear' if noted else 'Right'}\n\n"
        f"    {right}\n"
    )
    return Code(id=code, title=title, severity=severity, text=text)
