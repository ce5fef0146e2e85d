"""Compare two revisions of a file object by object, as QPDF reads them.

pyHanko's difference policy accepts a new title and a forged XMP packet. This one requires that each
object of the earlier revision is unchanged, byte for byte, except for the few entries that a
signature has to change. QPDF is a second, independent reader, and linear: pyHanko lists all paths
to each object, which took nine minutes for twenty thousand objects.

Only the validation data of a file (document security store) may grow after a signature. Its
containers have a separate comparison rule; its streams must not change.
"""

import re
from collections.abc import Iterator
from io import BytesIO
from typing import Literal

import pikepdf
from msgspec import Struct, field

Area = Literal["information", "metadata", "attachments", "content", "structure"]
Key = tuple[int, int]

ANY = frozenset({"*"})
"""Mark of an object with a special comparison rule, not byte for byte."""

STORE_ENTRIES = re.compile(r"/(Type|Certs?|CRLs?|OCSPs?|VRI|TU|TS|[0-9A-F]{40})")
"""Entries of the document security store (ETSI EN 319 142-1, clause 5.4.2)."""

REFERENCE = re.compile(rb"(?<!\d)(\d+) (\d+) R")
"""A reference; without the look-behind, the padding of a signature takes quadratic time."""


class Alteration(Struct, frozen=True, kw_only=True):
    """Something that an update had no right to touch."""

    area: Area
    text: str


class RevisionPair(Struct, kw_only=True):
    """Two states of a file, and which entries of which objects may differ between them."""

    before: pikepdf.Pdf
    after: pikepdf.Pdf
    signed: frozenset[str]
    stamped: frozenset[str]
    may_differ: dict[Key, frozenset[str]] = field(default_factory=dict)
    stamps: set[Key] = field(default_factory=set)


def serialize(item: object) -> bytes:
    """Return a value as the file writes it; a reference stays a reference."""
    return item.unparse() if isinstance(item, pikepdf.Object) else repr(item).encode()


def object_key(item: pikepdf.Object) -> Key:
    """Return the number and the generation of an object; (0, 0) of one that has none."""
    number, generation = item.objgen
    return number, generation


def serialize_entries(item: pikepdf.Object, entries: frozenset[str]) -> list[tuple[str, bytes]]:
    """Return the entries of a dictionary as the file writes them, sorted, but for some."""
    return sorted((key, serialize(value)) for key, value in item.items() if key not in entries)


def store_changes(comparison: RevisionPair) -> Iterator[Alteration]:
    """Yield forbidden changes of the validation data; permit their growth."""
    if not _is_store(comparison.after.Root.get("/DSS")):
        yield Alteration(area="content", text="the validation data hold something else")
    _allow_store(comparison, comparison.before.Root.get("/DSS"))
    yield from _shared_store(comparison)


def _is_store(item: object) -> bool:
    """Return True if a value is validation data only: certificates and revocation lists."""
    if isinstance(item, pikepdf.Stream) or not isinstance(item, pikepdf.Object):
        return True
    if isinstance(item, pikepdf.Array):
        return all(isinstance(part, pikepdf.Stream) for part in item)
    if isinstance(item, pikepdf.Dictionary):
        return all(STORE_ENTRIES.fullmatch(key) and _is_store(part) for key, part in item.items())
    return True


def _allow_store(comparison: RevisionPair, item: object) -> None:
    """Let the containers of the validation data grow; its streams stay as they are."""
    if isinstance(item, pikepdf.Stream) or not isinstance(item, pikepdf.Dictionary | pikepdf.Array):
        return
    if item.is_indirect:
        same_place = comparison.after.get_object(object_key(item))
        if _is_store(item) and _is_store(same_place):
            comparison.may_differ[object_key(item)] = ANY
    if isinstance(item, pikepdf.Dictionary):
        for part in item.values():
            _allow_store(comparison, part)


def _shared_store(comparison: RevisionPair) -> Iterator[Alteration]:
    """Check that nothing else refers to a container of the validation data, which may grow."""
    stores = {key for key, entries in comparison.may_differ.items() if entries is ANY}
    if not stores:
        return
    root = object_key(comparison.before.Root)
    for item in comparison.before.objects:
        if not isinstance(item, pikepdf.Object) or object_key(item) in stores:
            continue
        allowed = frozenset({"/DSS"}) if object_key(item) == root else frozenset()
        if not stores.isdisjoint(_references(item, allowed)):
            yield Alteration(area="content", text="validation data are used by something else")
            return


def _references(item: pikepdf.Object, leave_out: frozenset[str]) -> Iterator[Key]:
    """Yield the keys that an object's own text refers to."""
    if isinstance(item, pikepdf.Stream | pikepdf.Dictionary):
        text = b"".join(value for _, value in serialize_entries(item, leave_out))
    else:
        text = item.unparse(resolved=True)
    for number, generation in REFERENCE.findall(text):
        yield int(number), int(generation)


SIGNING_ENTRIES = frozenset({"/AcroForm", "/DSS", "/Extensions", "/Perms"})
"""Entries of the catalog that a signature adds or changes."""

FORM_ENTRIES = frozenset({"/Fields", "/SigFlags"})
FILLED_ENTRIES = frozenset({"/AP", "/V"})
STAMP_ENTRIES = frozenset({"/F", "/FT", "/P", "/Rect", "/Subtype", "/T", "/TU", "/Type", "/V"})
"""All that the invisible field of a document timestamp may have."""


def changes(
    before: bytes, after: bytes, *, signed: frozenset[str], stamped: frozenset[str]
) -> tuple[Alteration, ...]:
    """Compare two states; ``after`` starts with ``before``.

    Args:
        before: the file up to the end of an earlier revision.
        after: the file up to the end of a later one.
        signed: names of the fields that were signed in between.
        stamped: names of the fields that document timestamps brought in between.

    Returns:
        What differs and is not allowed to; empty where nothing does.

    Raises:
        pikepdf.PdfError: one of the two is malformed.
    """
    with _open_pdf(before) as old, _open_pdf(after) as new:
        comparison = RevisionPair(before=old, after=new, signed=signed, stamped=stamped)
        alterations = [
            *_trailer(comparison),
            *_catalog(comparison),
            *_form(comparison),
            *_pages(comparison),
            *_objects(comparison),
        ]
        complaints = (*old.get_warnings(), *new.get_warnings())
        alterations += [
            Alteration(area="structure", text=f"QPDF found: {complaint}")
            for complaint in complaints
        ]
        return tuple(alterations)


def attachments(data: bytes) -> dict[str, bytes]:
    """Return the embedded files of a state of the file by name.

    Raises:
        pikepdf.PdfError: it is malformed.
    """
    with _open_pdf(data) as pdf:
        return {name: pdf.attachments[name].get_file().read_bytes() for name in pdf.attachments}


def fields_by_page(data: bytes) -> list[frozenset[str]]:
    """Return the names of the form fields that each page shows; those without extent are left out.

    Raises:
        pikepdf.PdfError: the file is malformed.
    """
    with _open_pdf(data) as pdf:
        return [frozenset(_visible_fields(page.obj)) for page in pdf.pages]


def _visible_fields(page: pikepdf.Object) -> Iterator[str]:
    for annotation in page.get("/Annots", pikepdf.Array()):
        left, low, right, high = (float(each) for each in annotation.Rect)
        if "/T" in annotation and left != right and low != high:
            yield str(annotation.T)


def _open_pdf(data: bytes) -> pikepdf.Pdf:
    return pikepdf.open(BytesIO(data), attempt_recovery=False, suppress_warnings=True)


def _trailer(comparison: RevisionPair) -> Iterator[Alteration]:
    before, after = comparison.before.trailer, comparison.after.trailer
    if "/Encrypt" in before or "/Encrypt" in after:
        yield Alteration(area="content", text="the file is encrypted")
    if serialize(before.get("/Info")) != serialize(after.get("/Info")):
        yield Alteration(area="information", text="the document information was replaced")
    if object_key(before.Root) != object_key(after.Root):
        yield Alteration(area="content", text="the catalog was replaced")
    if serialize(before.get("/ID", [b""])[0]) != serialize(after.get("/ID", [b""])[0]):
        yield Alteration(area="information", text="the identifier of the document was replaced")


def _catalog(comparison: RevisionPair) -> Iterator[Alteration]:
    before, after = comparison.before.Root, comparison.after.Root
    comparison.may_differ[object_key(before)] = SIGNING_ENTRIES
    areas: tuple[tuple[str, Area], ...] = (
        ("/Metadata", "metadata"),
        ("/Names", "attachments"),
        ("/AF", "attachments"),
    )
    for entry, area in areas:
        if serialize(before.get(entry)) != serialize(after.get(entry)):
            yield Alteration(area=area, text=f"the entry {entry} of the catalog was replaced")
    # only the first signature can be a certification, so permissions never change again
    for entry in ("/Perms", "/Extensions"):
        if entry in before and serialize(before[entry]) != serialize(after.get(entry)):
            yield Alteration(area="content", text=f"the entry {entry} of the catalog was changed")
    yield from store_changes(comparison)


def _form(comparison: RevisionPair) -> Iterator[Alteration]:
    """Check that fields were only filled by signatures, or added for document timestamps."""
    before = comparison.before.Root.get("/AcroForm")
    after = comparison.after.Root.get("/AcroForm")
    if not isinstance(before, pikepdf.Dictionary) or not isinstance(after, pikepdf.Dictionary):
        yield Alteration(area="content", text="the form that holds the signature fields is missing")
        return
    if serialize_entries(before, FORM_ENTRIES) != serialize_entries(after, FORM_ENTRIES):
        yield Alteration(area="content", text="the form was changed")
    if before.is_indirect:
        comparison.may_differ[object_key(before)] = FORM_ENTRIES
    for item in before.Fields:
        if str(item.get("/T", "")) in comparison.signed and "/V" not in item:
            comparison.may_differ[object_key(item)] = FILLED_ENTRIES
    added = _added_items(comparison, before.Fields, after.Fields)
    if added is None:
        yield Alteration(area="content", text="a field of the form was removed or replaced")
    for item in added or ():
        # an entry of the list itself has no number that distinguishes it from an annotation
        if item.is_indirect and _is_stamp(item) and str(item.T) in comparison.stamped:
            comparison.stamps.add(object_key(item))
        else:
            yield Alteration(area="content", text="a field was added to the form")


def _pages(comparison: RevisionPair) -> Iterator[Alteration]:
    """Check that pages gained only the invisible fields of document timestamps."""
    if len(comparison.before.pages) != len(comparison.after.pages):
        yield Alteration(area="content", text="pages were added or removed")
        return
    pairs = zip(comparison.before.pages, comparison.after.pages, strict=True)
    for number, (before, after) in enumerate(pairs, start=1):
        comparison.may_differ[object_key(before.obj)] = frozenset({"/Annots"})
        empty = pikepdf.Array()
        added = _added_items(
            comparison, before.obj.get("/Annots", empty), after.obj.get("/Annots", empty)
        )
        if added is None or any(object_key(item) not in comparison.stamps for item in added):
            yield Alteration(area="content", text=f"the annotations of page {number} were changed")


def _added_items(
    comparison: RevisionPair, before: pikepdf.Object, after: pikepdf.Object
) -> list[pikepdf.Object] | None:
    """Return the items of ``after`` beyond ``before``; None if it does not begin with ``before``.

    Only a list that is still in use may grow: anything may refer to an old one.
    """
    old, new = [serialize(item) for item in before], [serialize(item) for item in after]
    if before.is_indirect and after.is_indirect and object_key(before) == object_key(after):
        comparison.may_differ[object_key(before)] = ANY
    if new[: len(old)] != old:
        return None
    return list(after)[len(old) :]


def _is_stamp(item: pikepdf.Object) -> bool:
    """Return True for the field of a document timestamp, which is invisible."""
    if not isinstance(item, pikepdf.Dictionary) or not STAMP_ENTRIES.issuperset(item.keys()):
        return False
    edges = [str(edge) for edge in item.get("/Rect", ())]
    return (
        item.get("/FT") == "/Sig"
        and item.get("/V", pikepdf.Dictionary()).get("/Type") == "/DocTimeStamp"
        and len(edges) == 4  # noqa: PLR2004 - left, bottom, right, top
        and (edges[0] == edges[2] or edges[1] == edges[3])
    )


def _objects(comparison: RevisionPair) -> Iterator[Alteration]:
    """Check that every object of the earlier state is in the later one, unchanged.

    A reference to a missing object reads as null, so one that is supplied later shows as well.
    """
    before, after, rewritten = comparison.before, comparison.after, []
    keys = _keys(before)
    if sum(item is not None for item in before.objects) != len(keys):
        yield Alteration(area="structure", text="its objects cannot be distinguished")
    for key in keys:
        allowed = comparison.may_differ.get(key, frozenset())
        if allowed is ANY:
            continue
        if _content(before.get_object(key), allowed) != _content(after.get_object(key), allowed):
            rewritten.append(key)
    areas = _areas(before) if rewritten else {}
    for key in rewritten:
        yield Alteration(area=areas.get(key, "content"), text=f"object {key[0]} was rewritten")


def _keys(pdf: pikepdf.Pdf) -> list[Key]:
    """Return the keys of the objects that are not null.

    QPDF hands over an indirect number as a Python value without its key, so numbers are tried
    one by one in generation 0, where a document that was never edited has all its objects.
    """
    numbers = range(1, int(pdf.trailer.get("/Size", 0)))
    first = [(number, 0) for number in numbers if pdf.get_object((number, 0)) is not None]
    later = [object_key(item) for item in pdf.objects if isinstance(item, pikepdf.Object)]
    return first + [key for key in later if key[1]]


def _areas(pdf: pikepdf.Pdf) -> dict[Key, Area]:
    """Tell title, XMP and attachments from the rest."""
    areas: dict[Key, Area] = {}
    if isinstance(pdf.trailer.get("/Info"), pikepdf.Dictionary):
        areas[object_key(pdf.trailer.Info)] = "information"
    if isinstance(pdf.Root.get("/Metadata"), pikepdf.Stream):
        areas[object_key(pdf.Root.Metadata)] = "metadata"
    for item in pdf.objects:
        if isinstance(item, pikepdf.Dictionary) and item.get("/Type") == "/Filespec":
            areas[object_key(item)] = "attachments"
            embedded = item.get("/EF", pikepdf.Dictionary())
            areas.update((object_key(stream), "attachments") for stream in embedded.values())
    return areas


def _content(item: object, entries: frozenset[str]) -> object:
    """Return the contents of an object, without the entries that may differ."""
    if isinstance(item, pikepdf.Stream):
        return serialize_entries(item, entries), item.read_raw_bytes()
    if entries and isinstance(item, pikepdf.Dictionary):
        return serialize_entries(item, entries)
    if isinstance(item, pikepdf.Object):
        return item.unparse(resolved=True)
    return serialize(item)
