"""Whether everything that was added to a signed file is listed in one of its tables.

A strict reader follows the tables and sees nothing else; one that mends a file looks for objects
wherever they stand, and shows what nobody has signed. So nothing may stand in the updates of a file
that its tables do not name.
"""

import re
from collections.abc import Iterator

from certify.signatures.verifying.document import SignedDocument
from certify.signatures.verifying.revision_pair import Alteration

HEAD = re.compile(rb"\d(?:[\x00\s]|%[^\r\n]*[\r\n])+obj(?![A-Za-z])")
"""The end of what begins an object, wherever a reader that mends files would look for it."""

LISTED = re.compile(rb"[\x00\s]*\d+[\x00\s]+\d+[\x00\s]+obj")
START = re.compile(rb"\bstartxref\b")
TRAILER = re.compile(rb"\btrailer\b")


def unlisted(document: SignedDocument) -> Iterator[Alteration]:
    """Yield what stands behind the unsigned part and in no table of the file."""
    data, begin = document.data, document.unsigned_end
    listed = {
        head.end() for place in _places(document) if (head := LISTED.match(data, place)) is not None
    }
    loose = sum(head.end() not in listed for head in HEAD.finditer(data, begin))
    if loose:
        yield Alteration(area="structure", text=f"{loose} objects stand in none of its tables")
    updates = document.reader.xrefs.total_revisions - document.signatures[0].revision
    starts = sum(1 for _ in START.finditer(data, begin))
    if starts != updates or sum(1 for _ in TRAILER.finditer(data, begin)) > updates:
        yield Alteration(
            area="structure", text=f"it has {updates} updates and {starts} ends of updates"
        )


def _places(document: SignedDocument) -> Iterator[int]:
    """Yield where the objects of the updates start, as the tables say."""
    xrefs = document.reader.xrefs
    for revision in range(document.signatures[0].revision, xrefs.total_revisions):
        yield xrefs.get_startxref_for_revision(revision)
        for reference in xrefs.explicit_refs_in_revision(revision):
            place = xrefs.get_historical_ref(reference, revision)
            if isinstance(place, int):
                yield place
