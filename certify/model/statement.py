"""A laboratory's statement of what it examined (ISO/IEC 17025:2017, 7.8)."""

from collections.abc import Mapping

from msgspec import Struct

from certify.model.approval import FiledDocument


class Examination(Struct, frozen=True, kw_only=True):
    """Targets examined by one method, or not examined for one reason.

    ``program`` has the name and the version of the program that was used, and perhaps the SHA-256
    of its code.
    """

    targets: tuple[str, ...]
    method: str = ""
    program: Mapping[str, str] | None = None
    reason: str = ""


class LaboratoryStatement(Struct, frozen=True, kw_only=True):
    """A statement on one submission; it must name every filed target.

    ``laboratory`` and ``customer`` have a name and an address, ``authorized_by`` a name and a
    title. ``files`` are as the laboratory received them. ``dates`` are in their order: received,
    examined from, examined to, issued. ``exceptions`` include deviations from the method.
    """

    id: str
    laboratory: Mapping[str, str]
    customer: Mapping[str, str]
    submission: str
    evidence_sha256: str
    files: tuple[FiledDocument, ...]
    examined: tuple[Examination, ...]
    not_examined: tuple[Examination, ...]
    exceptions: tuple[str, ...]
    dates: Mapping[str, str]
    authorized_by: Mapping[str, str]
