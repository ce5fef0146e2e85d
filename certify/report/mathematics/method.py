"""Counting method of the hands, and verification of each edge."""

from fractions import Fraction
from itertools import combinations, pairwise
from math import comb
from typing import Any

from certify.errors import InvariantBroken
from certify.formatting import decimal, percentage, thousands
from certify.model.analysis import Analysis, Census
from certify.model.comparison import NOT_COVERED, Agreement, CrossCheck, FigureJudgement
from certify.model.condition import FeatureValue
from certify.model.game import RANKS, SUITS, JokerRule
from certify.model.paytable import HandOf, Paytable, is_counted_by_card, split_cards
from certify.model.source import Quantity
from certify.model.submission import Submission
from certify.report.compose import UNKNOWN
from certify.report.rules.house_way import name_ranking
from certify.report.wording import Ids, ids, together
from certify.words.hands import describe_event

BY_HAND = "nine_high_pai_gow"
FIVE_ACES = "five_aces"
RUN = 5
"""Cards of a straight and of a flush."""


def method(submission: Submission) -> dict[str, Any]:
    """Return the method of the figures, with counts by hand where the deck permits."""
    census, main = submission.frequencies, submission.main
    option = submission.analyses.get(main.target) if main is not None else None
    return {
        "cards": census.cards,
        "hands": census.total,
        "sizes": _sizes(submission),
        "pairs": main is not None
        or any(
            table.hand is HandOf.BOTH and not _is_by_card(submission, table)
            for table in submission.paytables
        ),
        "held": _held_deals(submission),
        "deals": option.total if option is not None else None,
        "exposed": submission.game.dealer_exposed,
        "shows": submission.game.hands.shape.dealer_shows > 0,
        "shoe": submission.game.hands.deck.decks > 1,
        "names": [_named(submission, cell[0], n) for cell, n in census.cells.items()],
        "nine_high": _nine_high(submission, census),
        "five_aces": _five_aces(submission, census),
    }


def _named(
    submission: Submission, event: FeatureValue, hands: int
) -> tuple[str, str, int, Fraction]:
    """Return the name, meaning, number and share of a kind of hand; no name for other hands."""
    share = Fraction(hands, submission.frequencies.total)
    if event is None:
        return "", "", hands, share
    ranked = dict(zip(map(str, submission.ranking), name_ranking(submission), strict=True))
    if event in ranked:
        return *ranked[str(event)], hands, share
    record = submission.catalog.events[str(event)]
    words = describe_event(record, submission.game.hands, submission.frequencies.cards)
    return record.name or words, words, hands, share


def _sizes(submission: Submission) -> list[tuple[int, int]]:
    """Return the numbers of cards of the counted hands, each with the number of such hands."""
    census, cards = submission.frequencies, submission.game.hands.deck.cards
    sizes = [census.cards] if census.cells else []
    if submission.main is not None:
        sizes.append(submission.game.hands.shape.dealer)
    sizes += [
        table.cards
        for table in submission.paytables
        if not _is_by_card(submission, table)
        and (not census.cells or table.hand is HandOf.TOGETHER)
    ]
    return [(size, comb(cards, size)) for size in dict.fromkeys(sizes)]


def _is_by_card(submission: Submission, table: Paytable) -> bool:
    events = [submission.catalog.events[row.event] for row in table.rows]
    return is_counted_by_card(table, events, submission.game.hands.deck.decks)


def _held_deals(submission: Submission) -> list[tuple[int, int, int]]:
    """Return the cards of each side in deals counted card by card, and the number of deals."""
    cards, dealt = submission.game.hands.deck.cards, submission.game.hands.shape.cards
    sides = dict.fromkeys(
        split_cards(table, dealt)
        for table in submission.paytables
        if _is_by_card(submission, table)
    )
    return [
        (mine, theirs, comb(cards, mine) * comb(cards - mine, theirs)) for mine, theirs in sides
    ]


def _nine_high(submission: Submission, census: Census) -> dict[str, Any] | None:
    """Count nine-high pai gow from first principles, if the game has such hands.

    That is ``choices`` of ranks times the ``suits`` that hold no flush. ``flushes`` of these have
    five cards or more of one suit: ``per_suit`` for each of the four. ``terms`` are its parts: so
    many cards of the suit, the ways to choose them, and the suits of the others.
    """
    hands, counted = submission.game.hands, census.cells.get((BY_HAND,))
    whole = hands.deck.ranks == len(RANKS) and hands.joker is JokerRule.BUG
    if counted is None or not whole or hands.shape.back != RUN:
        return None
    cards = hands.shape.cards
    below = RANKS[: RANKS.index("9")]
    rank_sets = [
        "-".join(("9", *reversed(chosen)))
        for chosen in combinations(below, cards - 1)
        if not _straight([RANKS.index(rank) for rank in (*chosen, "9")])
    ]
    sizes = range(RUN, cards + 1)
    terms = [(n, comb(cards, n), (len(SUITS) - 1) ** (cards - n)) for n in sizes]
    per_suit = sum(ways * rest for _, ways, rest in terms)
    suits = len(SUITS) ** cards
    by_hand = len(rank_sets) * (suits - len(SUITS) * per_suit)
    if by_hand != counted:
        raise InvariantBroken(
            f"By hand there are {by_hand} of {BY_HAND}, the census has {counted}."
        )
    return {
        "cards": cards,
        "rank_sets": rank_sets,
        "choices": len(rank_sets),
        "suits": suits,
        "terms": terms,
        "per_suit": per_suit,
        "flushes": len(SUITS) * per_suit,
        "hands": counted,
        "joker": hands.deck.joker > 0,
        "several_jokers": hands.deck.joker > 1,
    }


def _straight(places: list[int]) -> bool:
    """Return True if five of the ranks, lowest first, are in sequence."""
    run = longest = 1
    for low, high in pairwise(places):
        run = run + 1 if high == low + 1 else 1
        longest = max(longest, run)
    return longest >= RUN


def _five_aces(submission: Submission, census: Census) -> dict[str, int] | None:
    """Count five aces from first principles: the two other cards are any of the rest."""
    deck, counted = submission.game.hands.deck, census.cells.get((FIVE_ACES,))
    if counted is None or deck.joker != 1:
        return None
    free, others = census.cards - RUN, deck.cards - RUN
    if comb(others, free) != counted:
        raise InvariantBroken(f"The census has {counted} hands of five aces.")
    return {"beside": free, "others": others, "hands": counted}


def proof(submission: Submission) -> dict[str, Any]:
    """Return the checks of every figure of a submission.

    ``missing`` are targets without a verification count, each with the house way to name in the
    command that counts it, and whether certify can count it. ``kit_stated``: the kit, which has the
    same recount, takes the counts of some line from the evidence. ``makers``: the versions of
    certify that made stored counts, each with the digest of its recount; ``others``: some of these
    digests is another than that of the kit, or not recorded.
    """
    default = submission.game.house_way

    def chosen(house_way: str | None) -> str:
        return "" if house_way in (None, default) else str(house_way)

    lines = [_line(submission, check) for check in submission.crosschecks]
    stored = [line["check"] for line in lines if line["in_pairs"] and not line["check"].declared]
    makers = [
        {"version": version, "recount": recount, "own": recount == submission.recount_sha256}
        for version, recount in sorted({(check.version, check.recount) for check in stored})
    ]
    return {
        "lines": lines,
        "references": _references(submission),
        "unmet": _unmet(submission),
        "unsettled": _unsettled(submission),
        "missing": dict.fromkeys(
            (
                check.target.rpartition("/")[0],
                chosen(check.house_way),
                check.method != NOT_COVERED,
            )
            for check in submission.crosschecks
            if not check.comparisons or check.declared
        ),
        "house_way": chosen(submission.way.id if submission.way is not None else None),
        "kit_stated": any(line["kit_stated"] for line in lines),
        "makers": makers,
        "others": any(not maker["own"] for maker in makers),
    }


def _line(submission: Submission, check: CrossCheck) -> dict[str, Any]:
    """Return one edge and its verification count, and the published figures that agree with it.

    Published figures were judged by the play that is filed, so only its line counts them.

    ``agreeing`` counts are the same in both, of ``compared``. ``analysis`` is of the first count.
    """
    wager, table = _named_proof(submission, check.target)
    counted = (
        *submission.comparison,
        *submission.other_options,
        *submission.analyses.values(),
    )
    analysis = next((each for each in counted if matches_analysis(check, each)), None)
    filed = analysis is not None and analysis == submission.analyses.get(check.target)
    judged = [
        judgement
        for judgement in cited_figures(submission)
        if filed and judgement.figure.target == check.target
    ]
    return {
        "wager": wager,
        "table": table,
        "check": check,
        "analysis": analysis,
        "in_pairs": check.digest is not None,
        "held": any(
            _is_by_card(submission, paytable)
            for paytable in submission.paytables
            if paytable.target == check.target
        ),
        "own": check.recount == submission.recount_sha256,
        "compared": len(check.comparisons),
        "agreeing": sum(comparison.agrees for comparison in check.comparisons),
        "published": len(judged),
        "met": _met(judged),
        "kit_stated": check.method == NOT_COVERED,
    }


def matches_analysis(check: CrossCheck, analysis: Analysis) -> bool:
    """Return True if a check and an analysis have the same wager and the same play."""
    main = analysis.main
    return analysis.target == check.target and (
        main is None
        or (
            check.strategy in (None, main.strategy)
            and check.house_way in (None, main.house_way or None)
        )
    )


def cited_figures(submission: Submission) -> list[FigureJudgement]:
    """Return the published figures of what is filed whose paper was there when it was filed."""
    papers = submission.provenance.papers
    filed = {record.target for record in submission.records}
    return [
        each
        for each in submission.figures
        if each.figure.source.document in papers and each.figure.target in filed
    ]


def _met(judged: list[FigureJudgement]) -> int:
    return sum(judgement.agreement is Agreement.AGREES for judgement in judged)


def _named_proof(submission: Submission, target: str) -> tuple[str, Ids]:
    """Return a target's wager and its paytable or option."""
    wager_id, _, table = target.partition("/")[2].partition("/")
    names = submission.game.called
    optional = {wager.id for wager in submission.game.wagers if wager.options}
    noun = "option" if wager_id in optional else "paytable"
    return names.get(wager_id, wager_id), ids([table], noun)


def _references(submission: Submission) -> list[dict[str, Any]]:
    """Return the game's own source, then the other documents, as far as they print figures."""
    rules = submission.game.document
    judged_by = together(
        (judgement.figure.source.document, judgement) for judgement in cited_figures(submission)
    )
    return [
        {
            "document": document,
            "own": document == rules,
            "sha256": submission.provenance.papers.get(document.id) or document.sha256,
            "targets": len({judgement.figure.target for judgement in judged}),
            "edges": [
                *dict.fromkeys(
                    each.figure.printed
                    for each in judged
                    if each.figure.quantity is Quantity.HOUSE_EDGE or each.figure.players == 1
                )
            ],
            "published": len(judged),
            "met": _met(judged),
        }
        for document in (rules, *submission.game.references)
        if (judged := judged_by.get(document.id))
    ]


def _unmet(submission: Submission) -> list[dict[str, Any]]:
    """Return the published figures that are not met as the rules are filed.

    ``repeated``: the figure before it has the same reason.
    """
    hands, cards = submission.game.hands, submission.frequencies.cards
    names = {
        event.id: event.name or describe_event(event, hands, cards)
        for event in submission.catalog.events.values()
    }
    names |= {row.event: row.name for paytable in submission.paytables for row in paytable.rows}
    unmet = [each for each in cited_figures(submission) if each.agreement is not Agreement.AGREES]
    reasons = ["", *(judgement.reason for judgement in unmet)]
    lines = []
    for judgement, before in zip(unmet, reasons, strict=False):
        wager, table = _named_proof(submission, judgement.figure.target)
        lines.append(
            {
                "wager": wager,
                "table": table,
                "row": names.get(judgement.figure.event or ""),
                "judgement": judgement,
                "recomputed": format_recomputed(judgement),
                "otherwise": judgement.agreement is Agreement.AGREES_UNDER_READING,
                "repeated": judgement.reason == before,
            }
        )
    return lines


def _unsettled(submission: Submission) -> list[dict[str, Any]]:
    """Return the published figures that the filed interpretation and another one both meet."""
    figures = {judgement.figure.id: judgement.figure for judgement in cited_figures(submission)}
    way = submission.way.id if submission.way is not None else ""
    names = {row.event: row.name for paytable in submission.paytables for row in paytable.rows}
    lines = []
    for owner in dict.fromkeys((submission.game.id, way)):
        readings = submission.catalog.alternatives.get(owner)
        for alternative in readings.alternatives if readings else ():
            for figure in filter(None, map(figures.get, alternative.meets)):
                wager, table = _named_proof(submission, figure.target)
                lines.append(
                    {
                        "text": alternative.text,
                        "wager": wager,
                        "table": table,
                        "row": names.get(figure.event or ""),
                        "figure": figure,
                    }
                )
    return lines


def format_recomputed(judgement: FigureJudgement) -> str:
    """Return the exact value with two decimals more than are printed."""
    if judgement.recomputed is None:
        return UNKNOWN
    printed = judgement.figure.printed
    places = len(printed.rstrip("%").partition(".")[2]) + 2
    if printed.endswith("%"):
        return percentage(judgement.recomputed, places)
    if "." in printed or judgement.recomputed.denominator != 1:
        return decimal(judgement.recomputed, places)
    return thousands(judgement.recomputed)
