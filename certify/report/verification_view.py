"""What the mathematics report prints as proof: second derivations, and published figures."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from certify.formatting import decimal, listed, percentage, thousands
from certify.model.audit import Agreement, CrossCheck, FigureJudgement
from certify.model.published import Quantity
from certify.model.submission import Submission
from certify.report.figures_view import other_players
from certify.report.tables import Table, table
from certify.report.wording import STRATEGY_TEXT, as_written, full_label

AGREEMENT_TEXT = {
    Agreement.AGREES: "agrees",
    Agreement.DIFFERS: "differs",
    Agreement.AGREES_UNDER_READING: "agrees under another reading",
    Agreement.NOT_COMPUTABLE: "not computable",
}

QUANTITY_TEXT = {
    Quantity.COMBINATIONS: "Combinations",
    Quantity.PROBABILITY: "Probability",
    Quantity.ROW_RETURN: "Return",
    Quantity.TOTAL_RETURN: "Total return",
    Quantity.HOUSE_EDGE: "House edge",
    Quantity.HOUSE_EDGE_WITH_PLAYERS: "House edge",
    Quantity.ENVY_ROW_RETURN: "Return of a prize",
    Quantity.ENVY_ROW_PROBABILITY: "Probability of a prize",
    Quantity.ENVY_ROW_COMBINATIONS: "Combinations of a prize",
    Quantity.ENVY_PER_OTHER_PLAYER: "Prizes, each other player",
    Quantity.TOTAL_COMBINATIONS: "Total combinations",
    Quantity.TOTAL_PROBABILITY: "Total probability",
    Quantity.NOT_COMPUTABLE: "Not computable",
}

METHOD_TEXT = {
    "exhaustive": "walk over every hand",
    "exact": "every pair of hands, by a plain sum over shared cards",
    "not counted": "–",
}
"""What a second derivation is called, in tables and notes alike."""

HOUSE_EDGE = "house_edge"


def verification_text(submission: Submission) -> str:
    """Return what was counted a second time, and how to count what was not."""
    missing = [one for one in submission.crosschecks if not one.comparisons]
    wagers = dict.fromkeys(one.target.rpartition("/")[0] for one in missing)
    ways = dict.fromkeys(one.house_way for one in missing if one.house_way)
    way = "".join(f" --house-way {one}" for one in ways if one != submission.game.house_way)
    commands = listed(f"certify crosscheck {one} --method exact --keep{way}" for one in wagers)
    return (
        "Every count below was made a second time, by other code that shares only the declared "
        "rules with the first: it ranks hands, sets them and reads conditions by itself. A wager "
        "on one hand is walked over every hand of the deck. A wager on two hands is counted over "
        "every pair of hands; as this takes minutes, it is done once, and the result is kept with "
        "a digest of all that was counted. It agrees if every count, and the house edge, is the "
        "same; otherwise nothing is filed."
    ) + (f" Open: not everything was counted a second time. Run {commands}." if missing else "")


def verification_summary(submission: Submission) -> Table:
    """Return one line for every second derivation: what it was, how much it saw, its verdict."""
    return table(
        "First count against second count",
        "Target @45 | Second count @30 | #Hands or pairs @22 | Verdict",
        [
            (
                _checked(submission, check),
                METHOD_TEXT.get(check.method, check.method),
                thousands(check.rounds) if check.comparisons else "–",
                _verdict(check),
            )
            for check in submission.crosschecks
        ],
        none="Nothing was counted a second time for this submission.",
    )


def _verdict(check: CrossCheck) -> str:
    if not check.comparisons:
        return "not counted a second time"
    return "equal" if check.agrees else "DIFFERS"


def _checked(submission: Submission, check: CrossCheck) -> str:
    """Return what was counted a second time, of the main wager with how the player sets."""
    name = _target(submission, check.target)
    return f"{name}, player: {STRATEGY_TEXT[check.strategy]}" if check.strategy else name


def verification_tables(submission: Submission) -> tuple[Table, ...]:
    """Return the second counts of two hands: digest and edge of each, and what is filed by row."""
    kept = [one for one in submission.crosschecks if one.digest is not None and one.counted]
    if not kept:
        return ()
    filed = {one.target for one in submission.options}
    filed |= {one.target for one in submission.paytables}
    shown = [one for one in kept if one.target in filed and _is_filed(submission, one)]
    return (_kept(submission, kept), *(_rows(submission, one) for one in shown))


def _is_filed(submission: Submission, check: CrossCheck) -> bool:
    """Whether a check is of the play that is filed; other strategies are printed beside it."""
    analysis = submission.analyses.get(check.target)
    if analysis is None or analysis.main is None:
        return check.strategy is None
    return analysis.main.strategy is check.strategy


def _kept(submission: Submission, kept: Iterable[CrossCheck]) -> Table:
    rows = []
    for check in kept:
        edge = next((one for one in check.comparisons if one.event == HOUSE_EDGE), None)
        rows.append(
            (
                _checked(submission, check),
                percentage(edge.exact, 4) if edge else "–",
                percentage(edge.other, 4) if edge else "–",
                check.counted.isoformat() if check.counted else "–",
                check.digest or "–",
            )
        )
    return table(
        "Second counts of two hands",
        "Target @38 | #Edge, first @12 | #Edge, second @12 | Counted @13 | =Digest",
        rows,
        note="Edges are compared as exact fractions. The digest is the SHA-256 of the deck, the "
        "rules of hands, the dealer's rules, the pays, the house way and the player's strategy "
        "that were counted; a count is used only for what has its digest.",
    )


def _rows(submission: Submission, check: CrossCheck) -> Table:
    names = _row_names(submission, check.target)
    return table(
        f"{_checked(submission, check)}: pairs of hands",
        "Outcome @40 | #First count | #Second count | Verdict @12",
        [
            (
                _row_name(names, one.event),
                thousands(one.exact * check.rounds),
                thousands(one.other * check.rounds),
                "equal" if one.agrees else "DIFFERS",
            )
            for one in check.comparisons
            if one.event != HOUSE_EDGE
        ],
    )


def _row_names(submission: Submission, target: str) -> dict[str, str]:
    """Return the printed name of each row, of the main wager without what a raise adds to it."""
    names = {one.id: one.name or one.text for one in submission.events.values()}
    names |= {HOUSE_EDGE: "House edge", "all_other": "All other"}
    for paytable in submission.paytables:
        if paytable.target == target:
            names |= {row.event: row.name for row in paytable.rows}
    options = {one.target for one in submission.options}
    if target in options and target in submission.analyses:
        rows = submission.analyses[target].rows
        names |= {row.event: row.name for row in rows}
    return names


def _row_name(names: Mapping[str, str], event: str) -> str:
    return names.get(event, event)


def _target(submission: Submission, target: str) -> str:
    """Return a target in words: the main wager's option, or the wager and its paytable."""
    wager_id, _, record = target.partition("/")[2].partition("/")
    wager = next((one for one in submission.game.wagers if one.id == wager_id), None)
    if wager is None or not record:
        return target
    return f"{wager.name}, {record}" if wager.options else full_label(wager.name, record)


def figure_summary(submission: Submission) -> Table:
    """Return how many published figures there are of each verdict, by target."""
    rows = []
    for target, judged in _by_target(submission, _of_source(submission)):
        count = Counter(one.agreement for one in judged)
        rows.append(
            (
                _target(submission, target),
                str(len(judged)),
                *(str(count[verdict]) for verdict in AGREEMENT_TEXT),
            )
        )
    return table(
        "Figures printed in the source",
        "Target @36 | #Printed | "
        + " | ".join(f"#{as_written(t)}" for t in AGREEMENT_TEXT.values()),
        rows,
        note="Each printed figure is compared at its printed precision. Annex B has every one.",
        none="The source prints no figure about what is filed here.",
    )


def vouched(submission: Submission) -> Table | None:
    """Return what other documents print for the same tables; nothing if none does."""
    rows = []
    for document in submission.game.references:
        printed = [one for one in submission.figures if one.figure.source.document == document.id]
        for target, judged in _by_target(submission, printed):
            met = sum(one.agreement is Agreement.AGREES for one in judged)
            rows.append(
                (
                    _target(submission, target),
                    f"“{document.title}” ({document.publisher})"
                    if document.publisher is not None
                    else f"“{document.title}”",
                    _printed_edge(judged),
                    str(len(judged)),
                    "all met" if met == len(judged) else f"{met} of {len(judged)} met",
                )
            )
    if not rows:
        return None
    return table(
        "Figures printed in other documents for the same tables",
        "Filed here @28 | The same table is printed in @34 | #With house edge @13 | #Figures @9"
        " | Verdict @11",
        rows,
        note="The same table: the same pays for the same hands in the same order, with the same "
        "joker; which suited pair is named beside a royal flush does not change how many hands "
        "hold it. A figure is met if ours, rounded to its printed digits, is the same. Annex B has "
        "every one.",
    )


def _printed_edge(judged: Sequence[FigureJudgement]) -> str:
    """Return the house edge without other players as it is printed; else the others' range."""
    edges = [
        one.figure.printed
        for one in judged
        if one.figure.quantity is Quantity.HOUSE_EDGE or one.figure.players == 1
    ]
    return listed(dict.fromkeys(edges)) or "–"


def _of_source(submission: Submission) -> list[FigureJudgement]:
    """Return the figures that the game's own source prints."""
    own = submission.game.document.id
    return [one for one in submission.figures if one.figure.source.document == own]


def _by_target(
    submission: Submission, figures: Iterable[FigureJudgement]
) -> list[tuple[str, list[FigureJudgement]]]:
    """Return published figures by target, in the order of the game's paytables."""
    found: dict[str, list[FigureJudgement]] = {}
    for one in figures:
        found.setdefault(one.figure.target, []).append(one)
    order: list[str] = []
    for wager in submission.game.wagers:
        order += [one.target for one in wager.options]
        order += [one.target for one in wager.paytables]
    known = [target for target in order if target in found]
    return [(target, found[target]) for target in dict.fromkeys([*known, *found])]


def figure_tables(submission: Submission) -> tuple[Table, ...]:
    """Return the published figures against the recomputed ones, by document and target."""
    others = [
        (
            f", as printed in “{document.title}”",
            [one for one in submission.figures if one.figure.source.document == document.id],
        )
        for document in submission.game.references
    ]
    return tuple(
        table(
            f"{_target(submission, target)}{printed_in}",
            "Figure @40 | #Printed @15 | #Recomputed @15 | Verdict",
            _figures(judged, _row_names(submission, target)),
        )
        for printed_in, figures in [("", _of_source(submission)), *others]
        for target, judged in _by_target(submission, figures)
    )


def _figures(judged: list[FigureJudgement], names: Mapping[str, str]) -> list[tuple[str, ...]]:
    """Return every figure; one that is printed with several values has its clause in each row."""
    values: dict[str, set[str]] = {}
    for one in judged:
        values.setdefault(_name(one, names), set()).add(one.figure.printed)
    return [
        _figure(one, _name(one, names), several=len(values[_name(one, names)]) > 1)
        for one in judged
    ]


def _name(one: FigureJudgement, names: Mapping[str, str]) -> str:
    figure = one.figure
    parts = [QUANTITY_TEXT[figure.quantity]]
    if figure.event:
        parts.append(_row_name(names, figure.event))
    if figure.players:
        parts.append(other_players(figure.players))
    return ", ".join(parts)


def _figure(one: FigureJudgement, name: str, *, several: bool) -> tuple[str, ...]:
    verdict = AGREEMENT_TEXT[one.agreement]
    return (
        f"{name} [{one.figure.source.clause}]" if several else name,
        one.figure.printed,
        _recomputed(one),
        f"{verdict}: {one.reason}" if one.reason else verdict,
    )


def _recomputed(one: FigureJudgement) -> str:
    """Return the exact value with two decimals more than are printed, so that it can be seen."""
    if one.recomputed is None:
        return "–"
    printed = one.figure.printed
    places = len(printed.rstrip("%").partition(".")[2]) + 2
    if printed.endswith("%"):
        return percentage(one.recomputed, places)
    if "." in printed or one.recomputed.denominator != 1:
        return decimal(one.recomputed, places)
    return thousands(one.recomputed)
