"""The recount of declared targets: it reads the files that the catalog has read, and no record."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import certify_recount
from certify.engine.count_cache import cached_count
from certify.errors import NotConfigured
from certify.model.catalog import Catalog
from certify.model.encoding import Progress
from certify_recount.files import Unreadable
from certify_recount.hands import Uncountable
from certify_recount.set_hands import Undecided


def recount(
    catalog: Catalog,
    targets: Sequence[str],
    *,
    house_way: str | None = None,
    banked: bool = False,
    progress: Progress | None = None,
) -> list[certify_recount.Count]:
    """Count targets by their declared files; a census of hands is taken from the cache.

    Raises:
        NotConfigured: the house way does not decide every hand, or the recount does not cover the
            hands or a rule.
    """
    with _errors():
        return certify_recount.recount(
            _files(catalog), *targets, house_way=house_way, banked=banked, remember=_remember,
            progress=progress,
        )  # fmt: skip


def is_covered(catalog: Catalog, target: str) -> bool:
    """Return True if the recount counts a target."""
    try:
        certify_recount.refuse_uncovered(_files(catalog), target)
    except Uncountable:
        return False
    return True


def identify(
    catalog: Catalog, target: str, *, house_way: str | None, strategy: str = ""
) -> str | None:
    """Return the digest of what a count of two hands depends on; None if files are not readable."""
    with suppress(ValueError):
        return certify_recount.identify(
            _files(catalog), target, house_way=house_way, strategy=strategy
        )
    return None


def _files(catalog: Catalog) -> dict[str, bytes]:
    """Return the declared files of a catalog by their paths in evidence."""
    return {each.evidence_path: each.text.encode() for each in catalog.documents.values()}


def _remember(key: str, make: Callable[[], Any]) -> Any:  # noqa: ANN401 - JSON
    return cached_count(("recount", certify_recount.digest(), key), make, second=True, plain=True)


@contextmanager
def _errors() -> Iterator[None]:
    """Raise the errors of the recount as those of certify."""
    try:
        yield
    except Undecided as error:
        raise NotConfigured(
            f"The house way does not set every hand of this deck: {error}.",
            remedy="Run `certify check`: it lists the hands and the rules.",
        ) from error
    except Uncountable as error:
        raise NotConfigured(
            f"The verification count does not cover {error}.",
            remedy="Compare the counts with a laboratory's: `certify compare COUNTS.csv TARGET`.",
        ) from error
    except Unreadable as error:
        raise NotConfigured(
            f"The verification count cannot read the declared files: {error}.",
            remedy="Run `certify check`, and correct the file.",
        ) from error
