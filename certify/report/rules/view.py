"""The rules of play: sections in order, blanks that the terms leave, and a sketch of a position."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from textwrap import wrap
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from certify.model.game import INITIAL, Revision, Wager
from certify.model.jurisdiction import MeterReduction
from certify.model.source import Banking
from certify.model.submission import CLAUSES, Submission
from certify.model.topic import Procedure, Topic
from certify.report.charts import INK, LETTER, LETTERS, Chart, Stroke, Text
from certify.report.rules.bonus_wager import bonus_wager
from certify.report.rules.house_way import house_way_section, ranking
from certify.report.rules.main_wager import main_wager_section
from certify.report.rules.numbering import (
    PrintedRule,
    bonus_wagers,
    filed_paytables,
    find_marked,
    is_stated,
    iter_numbers,
    list_clauses,
    list_offered,
    payout_limit,
    print_section,
    rule,
    rules,
    state_procedure,
)
from certify.report.rules.rack_card import rack_cards
from certify.report.submission import head_view
from certify.report.wording import ids, label, name_in_print
from certify.words.hands import describe_deck

WIDTH, SPOTS, RADIUS = 600, 4, 14
"""Units across the sketch, spots in a row at most, and the radius of a spot in units."""

CARD = 14
"""Units of width for each card of a hand; the box of a hand is twice as high."""

LOW_HAND, HIGH_HAND, HAND = "Low hand", "High hand", "Hand"


def sketch(submission: Submission) -> Chart:
    """Return the spots of a position as declared: bonus wagers, the main wager, then the hands."""
    shape = submission.game.hands.shape
    bonus = [wager.name for wager in bonus_wagers(submission)]
    rows = [bonus[first : first + SPOTS] for first in range(0, len(bonus), SPOTS)]
    if submission.main is not None:
        companion = submission.main.companion
        main = [submission.game.find_wager(submission.main).name, submission.raise_name]
        rows.append([*filter(None, [*main, companion.name if companion is not None else ""])])
    hands = {HAND: shape.cards}
    if shape.is_divided:
        hands = {LOW_HAND: shape.front, HIGH_HAND: shape.back}
    strokes: list[Stroke] = []
    texts: list[Text] = []
    top = 4
    for row in rows:
        lines = [wrap(name, WIDTH // SPOTS // LETTER, break_on_hyphens=False) for name in row]
        for middle, words in zip(_middles(len(row)), lines, strict=True):
            strokes.append(_circle(middle, top + RADIUS))
            texts += _label(words, middle, top + 2 * RADIUS)
        top += 2 * RADIUS + (max(map(len, lines)) + 1) * LETTERS
    for middle, (name, cards) in zip(_middles(len(hands)), hands.items(), strict=True):
        strokes.append(_place(middle, top, cards))
        texts += _label([f"{name} ({cards})"], middle, top + 2 * CARD)
    spots = [name for row in rows for name in row]
    return Chart(
        id="figure-layout",
        message="; ".join((*spots, *hands)),
        width=WIDTH,
        height=top + 2 * CARD + 2 * LETTERS,
        boxes=(),
        strokes=tuple(strokes),
        texts=tuple(texts),
    )


def _middles(number: int) -> range:
    """Return the middles of so many places, evenly spaced."""
    step = WIDTH // number
    return range(step // 2, step * number, step)


def _circle(x: int, y: int) -> Stroke:
    around = f"a{RADIUS} {RADIUS} 0 1 0"
    path = f"M{x - RADIUS} {y}{around} {2 * RADIUS} 0{around} {-2 * RADIUS} 0"
    return Stroke(path=path, color=INK)


def _place(x: int, y: int, cards: int) -> Stroke:
    width = cards * CARD
    return Stroke(path=f"M{x - width // 2} {y}h{width}v{2 * CARD}h{-width}z", color=INK)


def _label(lines: Sequence[str], x: int, y: int) -> Iterator[Text]:
    """Yield the lines of a label below a place."""
    for number, words in enumerate(lines, 1):
        yield Text(x=x, y=y + number * LETTERS, anchor="middle", words=words)


Number = str | None
"""The number of a blank, such as ``B3``; None for a declared value."""


class Blanks(Struct, frozen=True, kw_only=True):
    """The numbers of the blanks, by subject: procedures by name, meters and payouts by wager."""

    supplier: Number
    procedures: Mapping[str, Number]
    wagers: Number
    limits: Number
    meters: tuple[tuple[Wager, str], ...]
    payouts: tuple[tuple[Wager, str], ...]
    links: Number
    reductions: Number

    @property
    def numbers(self) -> tuple[str, ...]:
        """The numbers of all blanks, in the order in which they were given."""
        single = (self.supplier, self.wagers, self.limits, self.links, self.reductions)
        of_wagers = (number for _, number in (*self.meters, *self.payouts))
        numbers = filter(None, (*single, *self.procedures.values(), *of_wagers))
        return tuple(sorted(numbers, key=lambda number: int(number[1:])))

    def meter_blank(self, wager: Wager) -> Number:
        """Return the blank of a wager's meters."""
        return next((number for unmetered, number in self.meters if unmetered == wager), None)

    def payout_blank(self, wager: Wager) -> Number:
        """Return the blank of a wager's payouts, which are placeholders."""
        return next((number for unpaid, number in self.payouts if unpaid == wager), None)


def blanks(submission: Submission) -> Blanks:
    """Return every blank of a submission, numbered in the order in which they are listed."""
    numbers = (f"B{number}" for number in range(1, 1000))
    terms, wagers = submission.terms, list_offered(submission)
    unmetered = [
        wager
        for wager in wagers
        if any(
            meter.missing_amounts
            for table in filed_paytables(wager, submission)
            for meter in table.meters
        )
    ]
    texts = dict(terms.procedures)
    metered = bool(submission.progressives)

    def blank(*, missing: bool) -> Number:
        return next(numbers) if missing else None

    return Blanks(
        supplier=blank(missing=terms.supplier is None and submission.game.supplier is None),
        procedures={
            str(procedure): blank(
                missing=procedure not in texts
                and submission.needs_procedure(procedure)
                and not submission.is_settled(procedure)
            )
            for procedure in Procedure
        },
        wagers=blank(
            missing=any(
                terms.least(wager) is None or terms.largest(wager) is None for wager in wagers
            )
        ),
        limits=blank(missing=terms.aggregate_limits is None),
        meters=tuple((wager, next(numbers)) for wager in unmetered),
        payouts=tuple(
            (wager, next(numbers))
            for wager in wagers
            if any(table in submission.placeholders for table in filed_paytables(wager, submission))
        ),
        links=blank(missing=metered and terms.links is None),
        reductions=blank(missing=metered and terms.meter_reductions is None),
    )


GAMES, LARGEST = "games_per_hand", "largest_wager"
"""The tests of a jurisdiction's limits on the number and on the size of wagers."""


def limits(submission: Submission, section: int) -> dict[str, Any]:
    """Return the limits of the table: wagers and payouts.

    None is not declared; empty means that there is none. A limit of the jurisdiction is printed
    only by an official text that was read. The rules on payouts have their numbers; one that is not
    printed has none.
    """
    terms, state = submission.terms, submission.jurisdiction
    texts = [
        (test, version)
        for test, version in state.find_texts(submission.as_of, GAMES, LARGEST)
        if version.official
    ]
    thresholds = (version.parameter("threshold_cents") for test, version in texts if test == GAMES)
    threshold = next(thresholds, None)
    optional = len(bonus_wagers(submission))
    numbers, declared = iter_numbers(section), terms.aggregate_limits or ()
    covered = submission.game.banked_by is Banking.PLAYER_DEALER
    return {
        "with_main": [line["name"] for line in _lines(submission, threshold) if line["with_"]],
        "optional": optional,
        "single": optional == 1,
        "wagers": [*_lines(submission, threshold)],
        "layout": sketch(submission),
        "state": [
            {
                "citation": version.citation,
                "games": version.parameter("largest_number"),
                "games_above": version.parameter("largest_number_above_threshold"),
                "threshold_cents": version.parameter("threshold_cents"),
                "wager_cents": version.parameter("largest_wager_cents"),
            }
            for _, version in texts
        ],
        "threshold_cents": threshold,
        "counted": "wager_count" in state.sections,
        "covered": next(numbers) if covered else "",
        "in_full": next(numbers) if not declared and not covered else "",
        "payouts": [(next(numbers), payout_limit(submission, limit)) for limit in declared],
        "at_odds": next(numbers) if declared else "",
        "notices": [(next(numbers), rule.notice) for rule in submission.rules if rule.notice],
    }


def _meters(submission: Submission, section: int) -> dict[str, Any]:
    """Return the controls of progressive meters: procedures, links, and reasons to lower one.

    ``reductions`` say whether a meter may be lowered for a reason, by the reason's name.
    """
    reductions = submission.terms.meter_reductions or ()
    return {
        "rules": _statements(METERS, submission, section),
        "links": [
            [f"meter {meter.level} of {label(meter.paytable)}" for meter in meters]
            for meters in submission.terms.links or ()
        ],
        "reductions": {str(reason): reason in reductions for reason in MeterReduction},
        "lowered": bool(reductions),
    }


def _lines(submission: Submission, threshold: int | None) -> Iterator[dict[str, Any]]:
    """Yield the wagers that a player can make on one hand, with their limits.

    None is not declared; ``above``: the largest is above the threshold, if there is one. A wager
    that goes ``with`` another has the limits of that one.
    """
    for wager in list_offered(submission):
        least, largest = submission.terms.least(wager), submission.terms.largest(wager)
        yield {
            "name": wager.name,
            "main": bool(wager.options),
            "with_": "",
            "least": least,
            "largest": largest,
            "above": _is_above(largest, threshold),
            "paytables": ids(
                [record.id for record in filed_paytables(wager, submission) or submission.options]
            ),
        }
        main = submission.main if wager.options else None
        raised, companion = (main.raise_, main.companion) if main is not None else (None, None)
        with_it = [(companion.name, companion.size, companion.size)] if companion else []
        if raised is not None:
            with_it.append((raised.name, raised.size, raised.largest or raised.size))
        for name, smallest, greatest in with_it:
            most = None if largest is None else largest * greatest
            yield {
                "name": name,
                "main": False,
                "with_": wager.name,
                "least": None if least is None else int(least * smallest),
                "largest": None if most is None else int(most),
                "above": _is_above(most, threshold),
                "paytables": None,
            }


def _is_above(cents: Fraction | int | None, threshold: int | None) -> bool:
    return cents is not None and threshold is not None and cents > threshold


DESCRIPTION = "description"
DECK = "deck"
DEFINITIONS = "definitions"
SIGNATURES = "signatures"
LAST = "rack_card"
"""The section after the signatures, an annex."""
HOUSE_WAY = "house_way"
METERS = "meters"
MAIN = "main"
OF_MAIN = (MAIN, HOUSE_WAY)
"""The sections that only a main wager has."""


def rules_view(submission: Submission) -> dict[str, Any]:
    """Return the variables of the template of the rules of play."""
    open_blanks = blanks(submission)
    return head_view(submission, "Rules of Play") | {
        "blanks": open_blanks,
        "supplier_blank": open_blanks.supplier,
        "foul_rule": state_procedure(Procedure.FOUL, submission),
        "cited": _cited(submission),
        "edition": submission.game.document.jurisdiction,
        "left_over": _count_left_over(submission),
        "sections": [*_sections(submission, open_blanks)],
    }


def list_sections(submission: Submission) -> list[dict[str, Any]]:
    """Return the sections of the rules of play, with their names and numbers."""
    return [*_sections(submission, blanks(submission))]


def _count_left_over(submission: Submission) -> dict[str, int]:
    """Return the cards that remain when every seat is dealt, of divided hands from one deck."""
    game = submission.game
    deck, shape = game.hands.deck, game.hands.shape
    hands = (submission.terms.players or game.players) + 1
    if not shape.is_divided or deck.decks > 1:
        return {}
    left = deck.cards - hands * shape.cards
    return {"deck": deck.cards, "hands": hands, "each": shape.cards, "cards": left}


def _cited(submission: Submission) -> list[str]:
    """Return the titles of the documents that rules are taken from, other than the game's own."""
    game, wagers = submission.game, submission.wagers
    statements = [each for section in game.sections for each in section.statements]
    statements += [*game.definitions, *(rule for wager in wagers for rule in wager.rules)]
    sources = {each.source.document for each in submission.filter_statements(statements)}
    sources |= {table.source.document for table in submission.paytables}
    return [document.title for document in game.references if document.id in sources]


def _sections(submission: Submission, open_blanks: Blanks) -> Iterator[dict[str, Any]]:
    """Yield every section, numbered in the jurisdiction's order, one for each bonus wager."""
    submission = replace(submission, stated_marks=find_marked(submission))  # derived once
    declared = submission.jurisdiction.sections
    without = (LAST,) if submission.main is not None else (LAST, *OF_MAIN)
    if submission.way is None:
        without = (*without, HOUSE_WAY)
    if not submission.progressives:
        without = (*without, METERS)
    names = [name for name in declared if name not in without]
    if submission.progressives and METERS not in names:
        names.append(METERS)  # packs that are older than the section
    names += [SIGNATURES] + [LAST] * (LAST in declared)
    number = 0
    for name in names:
        if name == "bonus":
            for wager in bonus_wagers(submission):
                number += 1
                offered = bonus_wager(
                    wager,
                    submission,
                    number,
                    open_blanks.meter_blank(wager),
                    open_blanks.payout_blank(wager),
                )
                yield _section("bonus", number, wager.name, offered, anchor=f"wager-{wager.id}")
            continue
        content = CONTENTS[name](submission, number + 1) if name in CONTENTS else None
        if name == DEFINITIONS and not content:
            continue
        number += 1
        title = name_in_print(_kind_of_title(name, submission), name)
        yield _section(name, number, title, content, anchor=f"section-{name}")


def _kind_of_title(name: str, submission: Submission) -> str:
    """Return the kind of names that has the title of a section."""
    if submission.game.hands.shape.is_divided:
        return "rules"
    if name == DEFINITIONS and not submission.ranking:
        return "unranked"
    return "undivided" if name == MAIN else "rules"


def _section(name: str, number: int, title: str, content: object, *, anchor: str) -> dict[str, Any]:
    return {
        "anchor": anchor,
        "name": name,
        "heading": title,
        "title": f"{number}. {title}",
        "template": f"rules/{name}.html.j2",
        "wagers": (),
        "content": content,
        "new_page": name in (SIGNATURES, LAST),
    }


def _statements(name: str, submission: Submission, section: int) -> tuple[PrintedRule, ...]:
    return print_section(name, submission, iter_numbers(section))


def _description(submission: Submission, section: int) -> tuple[PrintedRule, ...]:
    """Return the rules that describe the game, its deck and bank, then the wagers not offered."""
    numbers = iter_numbers(section)
    described = print_section(DESCRIPTION, submission, numbers)
    game = submission.game
    deck = () if is_stated(Topic.DECK, submission) else (game.hands.deck,)
    absent = [wager.absent for wager in game.wagers if wager.absent is not None]
    return (
        *described,
        *(rule(DECK, describe_deck(each), "", next(numbers)) for each in deck),
        *_state_banking(submission, numbers),
        *rules(absent, submission, numbers),
    )


def _state_banking(submission: Submission, numbers: Iterator[str]) -> Iterator[PrintedRule]:
    """Yield the rule on the party that banks, unless a statement of the game is printed on it.

    That the house banks is printed without such a statement only if the terms say so.
    """
    game = submission.game
    statements = [each for section in game.sections for each in section.statements]
    statements += [*game.definitions, *game.assumptions]
    chosen, by_house = submission.terms.banking, game.banked_by is Banking.HOUSE
    answered = [
        each for each in submission.filter_statements(statements) if each.topic is Topic.BANKING
    ]
    if not answered and not (by_house and chosen is None):
        clause = "Terms of the table" if chosen is not None else ""
        yield rule("banking", name_in_print("banking", game.banked_by), clause, next(numbers))


def revisions(submission: Submission) -> tuple[Revision, ...]:
    """Return the revisions of the game, oldest first."""
    game = submission.game
    first = Revision(revision=game.revision, date=game.revised, text=INITIAL)
    return game.changes or (first,)


CONTENTS: dict[str, Callable[[Submission, int], Any]] = {
    "description": _description,
    "introduction": _description,
    "names": lambda submission, _: tuple(
        wager for wager in submission.wagers if wager.aliases and not wager.absent
    ),
    CLAUSES: lambda submission, section: rules(
        list_clauses(submission), submission, iter_numbers(section)
    ),
    "wager_count": limits,
    "limits": limits,
    DEFINITIONS: ranking,
    "house_way": house_way_section,
    "dealing": partial(_statements, "dealing"),
    "irregularities": partial(_statements, "irregularities"),
    METERS: _meters,
    MAIN: main_wager_section,
    "rack_card": lambda submission, _: rack_cards(submission),
    "notices": lambda submission, section: {
        "rules": _statements("notices", submission, section),
        "changes": revisions(submission),
    },
}
"""Functions for the contents of a section, by its id."""
