"""What a filing still needs: the state of every item, by the facts and the rule that it names."""

from collections.abc import Iterable, Sequence

from certify.checks.jurisdiction.filing_facts import BY_RULE, FACTS
from certify.formatting import edge_in_words, listed
from certify.model.analysis import Analysis
from certify.model.audit import RuleJudgement, Standing
from certify.model.filed import Filing
from certify.model.jurisdiction import Bearer, ChecklistItem
from certify.model.submission import ChecklistLine, ItemState

_BROUGHT = {
    Bearer.OURS: "In these documents.",
    Bearer.THEIRS: "To be supplied by the supplier or the casino.",
    Bearer.LABORATORY: "To be supplied by a laboratory.",
}
"""What is printed of an item of which nothing else is known, by who brings it."""

TEXTS = ChecklistItem(
    id="texts-in-force",
    text="Text in force of each regulation of which no official text was read",
    bearer=Bearer.THEIRS,
)
"""The item that every filing has whose rules are not all known by an official text."""


HOUSE_WAY = ChecklistItem(
    id="house-way-in-use",
    text="Confirmation that no house way is in use with which the player has an advantage",
    bearer=Bearer.THEIRS,
)
"""The item of a filing whose rules leave such a house way to the casino."""


def checklist_of(
    filed: Filing,
    judged: Sequence[RuleJudgement],
    other_ways: Iterable[tuple[str, Analysis]] = (),
) -> tuple[ChecklistLine, ...]:
    """Return what the filing needs, each item with its state and what to supply.

    ``other_ways`` are the filed options by each other allowed house way, with its name.

    An item without a fact is open: nothing here can show that it is done.
    """
    judgements = {judgement.rule.id: judgement for judgement in judged}
    lines = [
        _line(filed, item, judgements.get(item.rule or "") if BY_RULE in item.proof else None)
        for item in filed.jurisdiction.checklist
    ]
    texts = dict.fromkeys(filter(None, (judgement.unconfirmed for judgement in judged)))
    if texts:
        detail = f"To be confirmed before filing: {'; '.join(texts)}."
        lines.append(ChecklistLine(item=TEXTS, state=ItemState.OPEN, detail=detail))
    against_house = [
        f"With the {way}, option {by_way.paytable}, {edge_in_words(by_way.house_edge)}."
        for way, by_way in other_ways
        if by_way.house_edge is not None and by_way.house_edge < 0
    ]
    if against_house:
        detail = " ".join(against_house)
        lines.append(ChecklistLine(item=HOUSE_WAY, state=ItemState.OPEN, detail=detail))
    return tuple(lines)


def _line(filed: Filing, item: ChecklistItem, judgement: RuleJudgement | None) -> ChecklistLine:
    """Return the line of an item; ``judgement`` is that of the rule that it is proved by."""
    if judgement is not None and judgement.standing is Standing.NOT_APPLICABLE:
        return ChecklistLine(
            item=item, state=ItemState.NOT_NEEDED, detail=judgement.detail, judgement=judgement
        )
    absent = [name for name in item.proof if name in FACTS and not FACTS[name].holds(filed)]
    by_rule = BY_RULE not in item.proof or (
        judgement is not None and judgement.standing is Standing.SATISFIED
    )
    done = bool(item.proof) and not absent and by_rule
    parts = (
        *(_to_supply(absent, terms=terms) for terms in (True, False)),
        judgement.detail if judgement is not None else "",
        (item.detail or _BROUGHT[Bearer.OURS]) if done and judgement is None else "",
        _BROUGHT[item.bearer] if not item.proof else "",
    )
    return ChecklistLine(
        item=item,
        state=ItemState.DONE if done else ItemState.OPEN,
        detail=" ".join(part for part in parts if part),
        judgement=judgement,
    )


def _to_supply(absent: Sequence[str], *, terms: bool) -> str:
    """Return what is absent of what the terms can state, or of what they cannot."""
    words = [FACTS[name].words for name in absent if FACTS[name].terms is terms]
    if not words:
        return ""
    return f"{'To be stated in the terms' if terms else 'Missing'}: {listed(words)}."
