"""The laboratory kit: what somebody needs who trusts nothing of ours.

A zip with the evidence, the declared data, the census and the exact fractions as CSV, digests, and
a reproducer that shares no code with `certify`.
"""

import datetime as dt
import hashlib
import io
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from certify import library, recount
from certify.engine.hands.census import count
from certify.engine.hands.conditions import features_of, find
from certify.engine.hands.features import FEATURES
from certify.model.census import Census
from certify.model.filed import Filing
from certify.model.paytable import EnvyRow, Row
from certify.pipeline.filing import filed_records
from certify.report.kit_files import census_csv, fractions_csv

STATIC = ("README.txt", "base_game.py", "main_wager.py", "readings.py", "reproduce.py")
"""Files of ``templates/kit`` that go into every kit as they are."""

RECOUNT = Path(recount.__file__).parent
"""The package whose modules go into every kit, below ``recount/``."""

ALWAYS = frozenset({"of_a_kind"})
"""Features that every census has, so that it can be read where no event asks for any."""

WITH_JOKER = frozenset({"joker"})
"""What every census tells beside, where the deck has a joker."""


def kit_of(filing: Filing, evidence: bytes) -> bytes:
    """Return the kit as a zip: the same filing always gives the same bytes.

    Args:
        filing: what is filed; its name is that of the folder inside the zip.
        evidence: the complete evidence.
    """
    name = f"{filing.report_id}.kit"
    folder = library.templates() / "kit"
    files = {
        "evidence.json": evidence,
        "fractions.csv": fractions_csv(filing.analyses.values()),
        **{document.filed_as: document.text.encode() for document in filing.documents},
        **{
            f"census/{deck_census.cards}-cards.csv": census_csv(deck_census)
            for deck_census in censuses(filing)
        },
        **{path: (folder / path).read_bytes() for path in STATIC},
        **{f"recount/{path.name}": path.read_bytes() for path in RECOUNT.glob("*.py")},
    }
    sums = (f"{hashlib.sha256(data).hexdigest()}  {path}\n" for path, data in sorted(files.items()))
    files["SHA256SUMS"] = "".join(sums).encode("ascii")
    return _zip({f"{name}/{path}": data for path, data in files.items()}, filing.game.revised)


def censuses(filing: Filing) -> Iterator[Census]:
    """Yield one census for each number of cards, by the features that the filed paytables ask for.

    The dealt hand is always among them, with paytables or without.
    """
    filed = [(table, wager.envy_of(table)) for wager, table in filed_records(filing).tables]
    events = filing.catalogue.events
    always = ALWAYS | WITH_JOKER if filing.game.hands.deck.joker else ALWAYS
    for cards in sorted({filing.game.hands.shape.cards, *(table.cards for table, _ in filed)}):
        rows: list[Row | EnvyRow] = []
        for table, envy in filed:
            if table.cards == cards:
                rows += [*table.rows, *(envy.rows if envy else ())]
        events_of_rows = find(events, dict.fromkeys(row.event for row in rows))
        asked = (
            features_of(part) & FEATURES.keys()
            for event in events_of_rows
            for part in event.conditions
        )
        yield count(filing.game.hands, cards=cards, features=always.union(*asked))


def _zip(files: Mapping[str, bytes], date: dt.date) -> bytes:
    """Return a zip in the order of the names, dated with the revision.

    Nothing is compressed: two versions of zlib do not give the same bytes.
    """
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        for path, data in sorted(files.items()):
            entry = zipfile.ZipInfo(path, date_time=(date.year, date.month, date.day, 0, 0, 0))
            entry.create_system = 3  # Unix, wherever it is made
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)
    return stream.getvalue()
