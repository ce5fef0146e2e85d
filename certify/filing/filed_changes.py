"""Changes between two filings, as their documents print them: rules, interpretations and terms."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from certify.filing.declaration import GAME, PRIZES, Values, split_sentences
from certify.filing.evidence import DOUBTS
from certify.filing.filed_terms import compare_terms, entitle, words
from certify.filing.register_check import lay_out_filing, list_rules
from certify.formatting import long_date, money
from certify.intake.files import TEMPLATES
from certify.intake.layout import SECOND_COUNTS
from certify.model.comparison import Part, ValueChange
from certify.model.game import Game
from certify.model.house_way import HouseWay
from certify.model.jurisdiction import AMOUNTS, TERMS
from certify.model.submission import Filing, Submission
from certify.report.rules.house_way import number_sections
from certify.report.rules.view import HOUSE_WAY, list_sections
from certify.report.wording import name_in_print, together
from certify.words.hands import describe_event, event_words

RULES: Final = "rules"
"""The file of a printed rule that no declared sentence has, such as the size of a raise."""

WAY_RULE: Final = "H"
"""Before the number of a rule of the house way."""

PROCEDURES: Final = "procedures"

NOT_PRINTED: Final = tuple(
    f"{GAME}/{name}" for name in ("published", "discrepancies", SECOND_COUNTS, Path(DOUBTS).stem)
)
"""Files of a game that no document prints as such."""

WORDED: Final = ("alternatives/", "events", "house-ways/", "request", TERMS)
"""Files whose changes are compared in words, as far as documents print them."""

BOOKKEEPING: Final = {
    *("aliases", "clause", "document", "effect", "envy", "fits", "notes", "original", "reason"),
    *("references", "section", "source", "topic", "base_wager_cents", *AMOUNTS),
}
"""Properties that no document prints as such, or that the comparison of entries has in words."""

OF_GAME: Final = (
    *("banking", "house_way", "house_ways", "joker", "joker_choices", "maximum_cents"),
    *("minimum_cents", "order", "players", "revised", "revision", "changes", "strategy", "wagers"),
)
"""Properties of a game and its wagers that the comparison of terms or entries has in words."""

TEXT_TERMS: Final = (
    *("applicant", "application", "application_reason", "laboratory", "laboratory_letter"),
    *("laboratory_letter_file", "operator", "supplied", "supplier", "tribal"),
)
"""Terms that concern no entry; the others are compared in words."""


class PrintedText(Struct, frozen=True, kw_only=True):
    """A rule with its number, or an interpretation, whose number is empty."""

    number: str
    text: str


Texts = Mapping[str, PrintedText]
"""Printed texts by the id of their sentence or of their rule of the house way."""


def compare_filings(
    before: Filing, after: Filing, values: tuple[Values, Values], changes: Iterable[ValueChange]
) -> tuple[ValueChange, ...]:
    """Return the changes that the documents of two filings print, or on which figures depend.

    Args:
        before: the earlier filing.
        after: the later one.
        values: the declared values of each, by file.
        changes: the values that differ.
    """
    old, new = lay_out_filing(before), lay_out_filing(after)
    return (
        *(_name_sections(change, old, new) for change, _ in compare_terms(before, after)),
        *_compare_histories(before, after),
        *_name_text_terms(changes),
        *_name_amounts(changes),
        *_compare_texts(old, new, values),
        *_compare_events(old, new),
        *(_name_paytable(change) for change in changes if _is_other(change, values)),
    )


def _name_sections(change: ValueChange, before: Submission, after: Submission) -> ValueChange:
    """Return a change of the house way with the sections that it replaces; others unchanged."""
    if change.path != HOUSE_WAY or None in (change.before, change.after):
        return change
    title = words()[HOUSE_WAY].format(before=_find_section(before), after=_find_section(after))
    return replace(change, title=title)


def _find_section(submission: Submission) -> str:
    """Return the number of the section on the house way; empty without one."""
    sections = list_sections(submission)
    titles = (section["title"] for section in sections if section["name"] == HOUSE_WAY)
    return str(next(titles, "")).partition(".")[0]


def _compare_histories(before: Filing, after: Filing) -> Iterator[ValueChange]:
    """Yield a new revision with its day, and the entries that its change history adds."""
    old, new = before.game, after.game
    for name, was, is_ in (
        ("revision", old.revision, new.revision),
        ("revised", long_date(old.revised), long_date(new.revised)),
    ):
        if was != is_:
            yield ValueChange(
                file=GAME,
                path=name,
                before=was,
                after=is_,
                part=Part.TEXT,
                title=entitle(name),
                whole=True,
            )
    for entry in new.changes:
        if entry not in old.changes:
            yield ValueChange(
                file=GAME,
                path=f"changes/{entry.revision}/text",
                before=None,
                after=entry.text,
                part=Part.TEXT,
                title=entitle("changes", entry.revision),
            )


def _compare_texts(
    before: Submission, after: Submission, values: tuple[Values, Values]
) -> Iterator[ValueChange]:
    """Yield the rules and interpretations whose printed texts differ, found by their ids."""
    same_way = (before.way and before.way.id) == (after.way and after.way.id)
    old, new = (_print_texts(side, of_way=same_way) for side in (before, after))
    files = {
        key: name
        for side in values
        for name, value in side.items()
        for key in split_sentences(value)
    }
    for key in {**old, **new}:
        was, is_ = old.get(key), new.get(key)
        printed = is_ or was
        if printed is None or (was is not None and is_ is not None and was.text == is_.text):
            continue
        kind = "changed" if was and is_ else "added" if is_ else "removed"
        title = words()[RULES][kind] if printed.number else words()["interpretation"]
        change = ValueChange(
            file=files.get(key, RULES),
            path=f"{key}/text",
            before=None if was is None else was.text,
            after=None if is_ is None else is_.text,
            part=Part.TEXT,
            rule=printed.number,
            title=title.format(number=printed.number),
        )
        owner, _, procedure = key.partition("/")
        if owner == TERMS:
            path = f"{PROCEDURES}/{procedure}"
            change = replace(change, file=TERMS, path=path, part=Part.TERMS)
        yield change
    yield from _compare_order(old, new)


def _compare_order(before: Texts, after: Texts) -> Iterator[ValueChange]:
    """Yield a change of the order in which the rules of the house way are applied."""
    shared = [
        [key for key in side if key in other and side[key].number.startswith(WAY_RULE)]
        for side, other in ((before, after), (after, before))
    ]
    if shared[0] != shared[1]:
        yield ValueChange(
            file=f"house-ways/{GAME}",
            path="order",
            before=", ".join(before[key].number for key in shared[1]),
            after=", ".join(after[key].number for key in shared[1]),
            title=words()["order"],
        )


def _print_texts(submission: Submission, *, of_way: bool) -> dict[str, PrintedText]:
    """Return the rules and interpretations that documents print, by their ids.

    Without ``of_way`` those of the house way are left out.
    """
    section = _find_section(submission)
    printed = {
        rule.id: PrintedText(number=rule.number, text=rule.text)
        for rule in list_rules(submission)
        if of_way or rule.number.partition(".")[0] != section
    }
    stated = [*submission.game.assumptions]
    stated += [each for record in submission.records for each in record.assumptions]
    if submission.way is not None and of_way:
        stated += submission.way.assumptions
        printed |= _print_way(submission.way, submission.game)
    texts = together((each.id, each.text) for each in submission.filter_statements(stated))
    for key, alike in texts.items():
        text = " ".join(dict.fromkeys(alike))  # of paytables that interpret it in different words
        printed.setdefault(key, PrintedText(number="", text=text))
    return printed


def _print_way(way: HouseWay, game: Game) -> Iterator[tuple[str, PrintedText]]:
    """Yield the hands of each section of a house way, and its numbered rules."""
    for section in number_sections(way, game.dealt):
        number = f"{WAY_RULE}{section.title.partition('.')[0]}"
        yield f"{HOUSE_WAY}/{section.title}", PrintedText(number=number, text=section.scope)
        for rule in section.rules:
            text = " ".join(filter(None, (rule.text, rule.assumption)))
            number = f"{WAY_RULE}{rule.number}"
            yield f"{HOUSE_WAY}/{rule.id}", PrintedText(number=number, text=text)


def _compare_events(before: Submission, after: Submission) -> Iterator[ValueChange]:
    """Yield the paid hands of both filings whose texts or conditions differ."""
    old, new = _print_events(before), _print_events(after)
    for key, (name, text) in new.items():
        if key in old and old[key][1] != text:
            yield ValueChange(
                file="events",
                path=f"{key}/text",
                before=old[key][1],
                after=text,
                title=words()["event"].format(name=name),
            )


def _print_events(submission: Submission) -> dict[str, tuple[str, str]]:
    """Return the paid hands by the id of their event: the first name, text and condition."""
    printed: dict[str, tuple[str, str]] = {}
    for table in submission.paytables:
        hands = submission.game.hands.for_wager(table)
        for row in table.rows:
            event = submission.catalog.events.get(row.event)
            if event is None or row.event in printed:
                continue
            printed[row.event] = (
                row.name,
                name_in_print("counted", "event").format(
                    text=describe_event(event, hands, table.cards),
                    hand=event_words(
                        event, undivided=hands.shape.undivided, joker=hands.deck.joker > 0
                    ),
                ),
            )
    return printed


def _name_text_terms(changes: Iterable[ValueChange]) -> Iterator[ValueChange]:
    """Yield the changed terms that documents print and that concern no entry, in words."""
    for change in changes:
        term, *parts = change.path.split("/")
        if change.file == TERMS and term in TEXT_TERMS:
            names = [words()["parts"].get(part, part) for part in parts]
            before, after = (
                side if side is None or parts else words()["values"].get(side, side)
                for side in (change.before, change.after)
            )
            title = ": ".join((entitle(term), *names))
            yield replace(change, before=before, after=after, title=title)


def _name_amounts(changes: Iterable[ValueChange]) -> Iterator[ValueChange]:
    """Yield the changed amounts of meters and prizes, which a filing sets, in words and dollars."""
    for change in changes:
        *place, name = change.path.split("/")
        if name in AMOUNTS:
            before, after = (
                money(int(side)) if side is not None and side.isdecimal() else side
                for side in (change.before, change.after)
            )
            level = place[-1] if place else ""
            title = words()["amounts"][name].format(name=change.file, level=level)
            yield replace(change, before=before, after=after, title=title, whole=True)


def _is_other(change: ValueChange, values: tuple[Values, Values]) -> bool:
    """Return True for a value that is printed or counted and that nothing else compares.

    A file that only one filing has is a change of entries or of terms, unless it is a template.
    """
    file, names = change.file, change.path.split("/")
    if file.startswith(f"{TEMPLATES}/"):
        return True
    if file.startswith("jurisdictions/"):
        return names[0] == RULES and ("parameters" in names or names[-1] == "text")
    if file.startswith(WORDED) or file in NOT_PRINTED or not BOOKKEEPING.isdisjoint(names):
        return False
    if any(file not in side or names[0] in split_sentences(side[file]) for side in values):
        return False
    is_prizes = names == ["name"] and file.endswith(PRIZES)  # no document prints this name
    return names[0] not in OF_GAME and names != ["rows", "order"] and not is_prizes


def _name_paytable(change: ValueChange) -> ValueChange:
    """Return a changed name of an entry with its title; other changes unchanged."""
    if change.path != "name" or change.file.startswith(GAME):
        return change
    return replace(change, title=words()["entry"].format(name=change.file))
