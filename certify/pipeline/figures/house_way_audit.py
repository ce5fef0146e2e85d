"""Audit house ways over every hand, and find what cannot be counted."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import asdict, replace
from typing import Any

from certify.checks import house_ways
from certify.checks.check import Check, Context
from certify.engine.count_cache import kept, remembered
from certify.engine.main.countable import refuse_uncountable
from certify.errors import CertifyError, needing_pieces
from certify.intake.layout import DependencyGraph
from certify.model.catalogue import Catalogue
from certify.model.game import Game, HandRules, JokerRule, uncountable
from certify.model.house_way import (
    AuditedInGame,
    HouseWay,
    HouseWayAudit,
    HouseWayProblem,
    ProblemKind,
    RuleUse,
)
from certify.pipeline.targets import refuse_errors


def audit_house_ways(
    catalogue: Catalogue, only: Iterable[str] | None = None
) -> tuple[AuditedInGame, ...]:
    """Audit every house way declared, or those in ``only``, with every joker rule that is allowed.

    A house way that no game allows is audited over the hands of every game of its size; one that
    fits none is not among the results. Hands that cannot be counted are a fault of their game.
    """
    chosen = catalogue.house_ways if only is None else only
    ways = [catalogue.house_ways[name] for name in chosen if name in catalogue.house_ways]
    return tuple(audited for way in ways for audited in _audits(catalogue, way))


def refuse_unsound(catalogue: Catalogue, game: Game, way: HouseWay) -> None:
    """Raise if a house way does not set every hand of a game in one way.

    A house way of another size is left to the engine, which refuses it. Where hands are not
    divided nothing is set.

    Raises:
        Unfit: the findings say which rules are concerned, with an example hand.
    """
    if not fits(way, game.hands) or not game.hands.shape.divided:
        return
    audited = audit_in(game, way, game.hands.joker)
    context = Context(catalogue, house_ways=(audited,), noted=())
    checks = [check for check in vars(house_ways).values() if isinstance(check, Check)]
    refuse_errors(finding for check in checks for finding in check(context))


def set_alike(before: HouseWay, after: HouseWay, hands: HandRules) -> bool:
    """Whether two sound house ways set every hand alike, up to which of equal cards is where."""

    def compared() -> bool:
        from certify.engine.divided import deal
        from certify.engine.house_way.audit import chosen_splits

        dealt = deal(hands)
        ways = (chosen_splits(way, dealt.classes, dealt.splits) for way in (before, after))
        first, second = (way.split for way in ways)
        return bool((first == second).all())

    return bool(kept(("set alike", before, after, hands), compared))


def _audits(catalogue: Catalogue, way: HouseWay) -> Iterator[AuditedInGame]:
    """Yield the audit for each game and joker rule; the same rules of two games once."""
    games = [game for game in catalogue.games.values() if way.id in game.house_ways]
    seen: set[HandRules] = set()
    for game in games or catalogue.games.values():
        for joker in dict.fromkeys((game.hands.joker, *game.hands.joker_choices)):
            rules = _rules(game.hands, joker)
            countable = uncountable(rules.deck, rules.shape) is None
            if fits(way, rules) and countable and rules not in seen:
                seen.add(rules)
                yield audit_in(game, way, joker)


def audit_in(game: Game, way: HouseWay, joker: JokerRule) -> AuditedInGame:
    """Audit a house way over every hand of a game with one of its joker rules."""
    with needing_pieces():
        audit = _audit(way, _rules(game.hands, joker))
    return AuditedInGame(
        game=game.id, joker=joker, own_joker=joker is game.hands.joker, audit=audit
    )


@remembered
def _audit(way: HouseWay, rules: HandRules) -> HouseWayAudit:
    return _read(kept(("house way", way, rules), lambda: asdict(_count(way, rules))))


def _count(way: HouseWay, rules: HandRules) -> HouseWayAudit:
    from certify.engine.divided import deal
    from certify.engine.house_way.audit import audit

    dealt = deal(rules)
    return audit(way, dealt.classes, dealt.splits)


def _read(audit: dict[str, Any]) -> HouseWayAudit:
    """Return the audit that was kept as JSON."""
    problems = (
        {**problem, "kind": ProblemKind(problem["kind"]), "ids": tuple(problem["ids"])}
        for problem in audit["problems"]
    )
    return HouseWayAudit(
        house_way=audit["house_way"],
        hands=audit["hands"],
        uses=tuple(RuleUse(**use) for use in audit["uses"]),
        problems=tuple(HouseWayProblem(**problem) for problem in problems),
    )


def _rules(hands: HandRules, joker: JokerRule) -> HandRules:
    """Return the rules with one joker rule and no other choice."""
    return replace(hands, joker=joker, joker_choices=())


def fits(way: HouseWay, hands: HandRules) -> bool:
    """Whether a house way is for hands of the size that these rules deal."""
    return (way.cards, way.front) == (hands.shape.cards, hands.shape.front)


def refused_options(catalogue: Catalogue, keys: Collection[str]) -> dict[str, CertifyError]:
    """Return why options that files have a part in cannot be counted, by target."""
    refusals: dict[str, CertifyError] = {}
    for game, option in DependencyGraph(catalogue, keys).affected_options():
        try:
            refuse_uncountable(option, game=game)
        except CertifyError as error:
            refusals[option.target] = error
    return refusals
