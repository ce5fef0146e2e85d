"""A dealer who knows the printed house way and nothing else: sets hands by its sentences.

It reads English, not conditions, and imports neither kernels nor engine nor what writes the
sentences. A sentence that it cannot read is an error.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tests.oracle.house_way import (
    ACE,
    FIVE_ACES,
    FLUSH,
    FULL_HOUSE,
    JOKER,
    PAIR,
    QUADS,
    ROYAL_FLUSH,
    STRAIGHT,
    STRAIGHT_FLUSH,
    TRIPS,
    TWO_PAIR,
    Hand,
    SevenCards,
    Value,
)

NAMES = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen",
         "king", "ace")  # fmt: skip
ONE = {name: rank for rank, name in enumerate(NAMES, 2)}
MANY = {name + ("es" if name == "six" else "s"): rank for name, rank in ONE.items()}
KINDS = {
    "a pair": PAIR,
    "two pair": TWO_PAIR,
    "three of a kind": TRIPS,
    "a straight": STRAIGHT,
    "a flush": FLUSH,
    "a full house": FULL_HOUSE,
    "four of a kind": QUADS,
    "a straight flush": STRAIGHT_FLUSH,
    "a royal flush": ROYAL_FLUSH,
    "five aces": FIVE_ACES,
}
COMPLETE = (STRAIGHT, FLUSH, STRAIGHT_FLUSH, ROYAL_FLUSH)
ANY = "a straight or flush of any kind"

_MANY = "|".join(sorted(MANY, key=len, reverse=True))
_ONE = "|".join(ONE)
_RANKS = rf"(?:{_MANY})(?: or better| (?:through|or) (?:{_MANY}))?"
_CARD = rf"an? (?:{_ONE})(?: or better| through (?:{_ONE})| or an? (?:{_ONE}))?"
_KIND = "|".join(sorted(KINDS, key=len, reverse=True))
_BEST = rf"((?:{_KIND})(?:, (?:{_KIND}))*(?:,? or (?:{_KIND}))?) as the highest five-card hand"

Test = Callable[[SevenCards], bool]


def ranks(words: str) -> range:
    """The ranks that words name: ``aces``, ``a king or better``, ``twos through sixes``."""
    found = [{**ONE, **MANY}[name] for name in re.findall(rf"\b(?:{_MANY}|{_ONE})\b", words)]
    if words.endswith("or better"):
        return range(found[0], ACE + 1)
    return range(found[0], found[-1] + 1)


def kinds(words: str) -> tuple[int, ...]:
    if words == ANY:
        return COMPLETE
    return tuple(KINDS[part] for part in re.split(r", or | or |, ", words))


def _in_sequence(hand: SevenCards, length: int) -> bool:
    natural = {rank for rank, suit in hand.cards if (rank, suit) != JOKER}
    joker = JOKER in hand.cards
    if len(natural) + joker < length:
        return False
    low = natural | ({1} if ACE in natural else set())
    return any(
        len(low & set(range(first, first + length))) >= length - joker
        for first in range(1, 16 - length)
    )


def _distinct(hand: SevenCards) -> bool:
    return not (hand.pairs or hand.trips or hand.quads or hand.fives)


def _named_pairs(hand: SevenCards, *, alone: bool) -> list[int]:
    """The pairs, or none where “two pair” names the whole hand and it is another one."""
    return [] if alone and (hand.trips or hand.quads or hand.fives) else hand.pairs


def _item(match: str, *, alone: bool) -> Test:  # noqa: C901, PLR0911, PLR0912 - one phrase each
    """Parse one phrase; ``alone``: no other kind of hand is named with it."""
    if got := re.fullmatch(_BEST, match):
        wanted = kinds(got[1])
        return lambda hand: hand.best in wanted
    if match == ANY:
        return lambda hand: hand.complete
    if match in ("no straight", "no flush"):
        lacking = STRAIGHT if match == "no straight" else FLUSH
        other = (lacking, STRAIGHT_FLUSH, ROYAL_FLUSH)
        return lambda hand: all(back[0] not in other for _, back, _, _ in hand.settings)
    if match == "no pair":
        return _distinct if alone else lambda hand: not hand.pairs
    if match == "no three of a kind":
        return lambda hand: not hand.trips
    if match == "no full house":
        return lambda hand: not (hand.trips and (hand.pairs or len(hand.trips) > 1))
    if match == "no four of a kind":
        return lambda hand: not hand.quads
    if got := re.fullmatch(rf"one pair(?: of ({_RANKS}))?", match):
        of = ranks(got[1]) if got[1] else range(2, ACE + 1)
        return lambda hand: len(_named_pairs(hand, alone=alone)) == 1 and hand.pairs[0] in of
    if got := re.fullmatch(r"(two|three) pairs?(?: \((.*)\))?", match):
        return _several_pairs(ONE[got[1]], got[2] or "", alone=alone)
    if match == "two sets of three of a kind":
        return lambda hand: len(hand.trips) == 2
    if match == "three of a kind":
        return lambda hand: len(hand.trips) == 1
    if match == "four of a kind":
        return lambda hand: len(hand.quads) == 1
    if match == "five aces":
        return lambda hand: len(hand.fives) == 1
    if got := re.fullmatch(rf"(three|four) ({_RANKS})", match):
        of = ranks(got[2])
        which = "trips" if got[1] == "three" else "quads"
        return lambda hand: any(rank in of for rank in getattr(hand, which))
    if got := re.fullmatch(rf"(no|a) singleton ((?:{_ONE})(?: or better)?)", match):
        of, wanted_one = ranks(got[2]), got[1] == "a"
        return lambda hand: any(rank in of for rank in hand.singles) == wanted_one
    if got := re.fullmatch(rf"({_CARD}) as the (second-)?highest singleton", match):
        of, place = ranks(got[1]), 1 if got[2] else 0
        return lambda hand: len(hand.singles) > place and hand.singles[place] in of
    if got := re.fullmatch(rf"a (higher|highest|lower|lowest) pair of ({_RANKS})", match):
        of, end = ranks(got[2]), 0 if got[1].startswith("high") else -1
        return lambda hand: bool(hand.pairs) and hand.pairs[end] in of
    if match == "six cards in sequence":
        return lambda hand: _in_sequence(hand, 6)
    raise ValueError(match)


def _several_pairs(count: int, bracket: str, *, alone: bool) -> Test:
    parts = []
    for part in bracket.split(", ") if bracket else ():
        got = re.fullmatch(rf"(both|the higher|the lower) ({_RANKS})", part)
        if got is None:
            raise ValueError(part)
        parts.append((got[1], ranks(got[2])))

    def holds(hand: SevenCards) -> bool:
        pairs = _named_pairs(hand, alone=alone)
        if len(pairs) != count:
            return False
        ends = {"both": pairs, "the higher": pairs[:1], "the lower": pairs[-1:]}
        return all(rank in of for which, of in parts for rank in ends[which])

    return holds


PHRASES = re.compile(
    "|".join(
        [
            _BEST,
            ANY,
            r"no (?:straight|flush|pair|three of a kind|full house|four of a kind)",
            rf"one pair of {_RANKS}|one pair",
            r"(?:two|three) pairs? \([^)]*\)|(?:two|three) pairs?",
            r"two sets of three of a kind|(?:three|four) of a kind|five aces",
            rf"(?:three|four) {_RANKS}",
            rf"(?:no|a) singleton (?:{_ONE})(?: or better)?",
            rf"{_CARD} as the (?:second-)?highest singleton",
            rf"a (?:higher|highest|lower|lowest) pair of {_RANKS}",
            r"six cards in sequence",
        ]
    )
)
OF_A_KIND = re.compile(r"of a kind|^three |^four |^five ")


def _all(words: str) -> Test:
    """Phrases that all hold: ``a, b, and c``."""
    phrases, at = [], 0
    while at < len(words):
        found = PHRASES.match(words, at)
        if found is None:
            raise ValueError(words[at:])
        phrases.append(found[0])
        separator = re.compile(r", and |, | and |\Z").match(words, found.end())
        if separator is None:
            raise ValueError(words[found.end() :])
        at = separator.end() if separator[0] else len(words)
    kinds_named = any(
        OF_A_KIND.search(phrase)
        and not phrase.startswith("no ")
        and "highest five-card" not in phrase
        for phrase in phrases
    )
    tests = [_item(phrase, alone=not kinds_named) for phrase in phrases]
    return lambda hand: all(test(hand) for test in tests)


def _hands(words: str) -> Test:
    words, _, unless = words.partition(", unless the hand has ")
    words, _, cases = words.partition(", if the hand has ")
    tests: list[Test] = []
    if words.startswith("either "):
        body, _, rest = words.removeprefix("either ").partition(", ")
        first, second = map(_all, body.split(" or "))
        tests.append(lambda hand: first(hand) or second(hand))
        words = rest
    if " or " in words and re.fullmatch(r"two pair or three pair", words):
        two, three = map(_all, words.split(" or "))
        tests.append(lambda hand: two(hand) or three(hand))
    elif words:
        tests.append(_all(words.removeprefix("and ")))
    if cases:
        either = [_all(part) for part in re.split(r"(?:, or | or |, |)\([a-z]\) ", cases) if part]
        tests.append(lambda hand: any(case(hand) for case in either))
    if unless:
        denied = _all(unless)
        tests.append(lambda hand: not denied(hand))
    return lambda hand: all(test(hand) for test in tests)


@dataclass(frozen=True)
class Rule:
    """A sentence, read: hands, and how they are set, or the title of another group."""

    sentence: str
    holds: Test
    front: Callable[[SevenCards], tuple[Hand, Hand] | None]
    goto: str = ""
    kept: str = ""


def read_rule(sentence: str) -> Rule:
    words = re.sub(r"^Otherwise, ", "", sentence.removesuffix("."))
    words = words[0].lower() + words[1:]
    clause, action = "", words
    if words.startswith("with "):
        found = re.search(r", (?=play |follow )", words)
        if found is None:
            raise ValueError(words)
        clause, action = words[5 : found.start()], words[found.end() :]
    holds = _hands(clause) if clause else lambda _: True
    if action.startswith("follow the rules for "):
        return Rule(sentence=sentence, holds=holds, front=lambda _: None, goto=action[21:])
    action, _, improved = action.partition(", if this low hand is higher than ")
    action, if_any, _ = action.partition(", if there is one")
    got = re.fullmatch(r"play (.*) in the low hand(?: and keep (.*) in the high hand)?", action)
    if got and "that leaves" not in action:
        front, kept = _named(got[1]), got[2] or ""
    else:
        front, kept = _highest(action), ""
    if improved:
        front = _better(front, _highest(f"play {improved}"))
    optional = bool(if_any or improved)

    def set_hand(hand: SevenCards) -> tuple[Hand, Hand] | None:
        setting = front(hand)
        if setting is None and not optional:
            raise LookupError(sentence)
        return setting

    return Rule(sentence=sentence, holds=holds, front=set_hand, kept=kept)


Setter = Callable[[SevenCards], tuple[Hand, Hand] | None]


def _better(front: Setter, than: Setter) -> Setter:
    def better(hand: SevenCards) -> tuple[Hand, Hand] | None:
        mine, other = front(hand), than(hand)
        by_cards = {setting[2]: setting[0] for setting in hand.settings}
        higher = other is None or (mine is not None and by_cards[mine[0]] > by_cards[other[0]])
        return mine if higher else None

    return better


def _named(words: str) -> Setter:
    picks: dict[str, Callable[[SevenCards], Sequence[int]]] = {
        r"the two highest (?:singletons|cards)": lambda hand: hand.singles[:2],
        r"the second- and third-highest (?:singletons|cards)": lambda hand: hand.singles[1:3],
        r"the highest singleton": lambda hand: hand.singles[:1],
        r"the second-highest card": lambda hand: hand.singles[1:2],
        r"the pair|the higher pair|the highest pair": lambda hand: [hand.pairs[0]] * 2,
        r"the lower pair|the lowest pair": lambda hand: [hand.pairs[-1]] * 2,
        r"two cards of the (?:higher )?three of a kind": lambda hand: [hand.trips[0]] * 2,
        r"two cards of the four of a kind": lambda hand: [hand.quads[0]] * 2,
        r"two aces": lambda _: [ACE] * 2,
        r"one card of the three of a kind and the highest singleton": lambda hand: [
            hand.trips[0],
            hand.singles[0],
        ],
        r"one card of the (?:highest )?pair": lambda hand: hand.pairs[:1],
        r"one card of the higher three of a kind": lambda hand: hand.trips[:1],
    }
    for pattern, pick in picks.items():
        if re.fullmatch(pattern, words):
            return _picked(pick, single=words == "the pair")
    raise ValueError(words)


def _picked(pick: Callable[[SevenCards], Sequence[int]], *, single: bool) -> Setter:
    def front(hand: SevenCards) -> tuple[Hand, Hand]:
        assert not single or len(hand.pairs) == 1, hand.cards
        return hand.front(*pick(hand))

    return front


def _highest(words: str) -> Setter:
    got = re.fullmatch(
        r"play (?:in the low hand )?the highest (low hand|pair|card)( other than a pair)?"
        rf"(?:, ({_ONE})-high( or better)?( \(a pair included\))?,)? that leaves "
        r"(?:the highest possible high hand \((.*)\)|(.*) in the high hand)",
        words,
    )
    if got is None:
        raise ValueError(words)
    noun, no_pair, rank, better, _, possible, left = got.groups()
    wanted = kinds(possible or left)
    cards = range(ONE[rank], ACE + 1 if better else ONE[rank] + 1) if rank else range(2, ACE + 1)

    def fits(hand: SevenCards, front: Value, back: Value) -> bool:
        is_pair = front[0] == PAIR
        if (noun == "pair" and not is_pair) or (no_pair and is_pair):
            return False
        if possible and back != max(setting[1] for setting in hand.legal):
            return False
        return back[0] in wanted and (is_pair or front[1][0] in cards)

    return lambda hand: hand.highest(lambda front, back: fits(hand, front, back))


KEPT: dict[str, Callable[[SevenCards], set[int]]] = {
    "the pair": lambda hand: set(hand.pairs),
    "both pairs": lambda hand: set(hand.pairs),
    "the three of a kind": lambda hand: set(hand.trips),
    "the full house": lambda hand: {*hand.trips, *hand.pairs},
    "the four of a kind": lambda hand: set(hand.quads),
    "the five of a kind": lambda hand: set(hand.fives),
}


@dataclass(frozen=True)
class Group:
    """A printed group: its title, the hands of its first line, its sentences in order."""

    title: str
    holds: Test
    rules: tuple[Rule, ...]


def read_group(title: str, scope: str, sentences: Sequence[str]) -> Group:
    got = re.fullmatch(r"(?:Six|Seven) cards with (.*)\.", scope)
    if got is None:
        raise ValueError(scope)
    return Group(title=title, holds=_hands(got[1]), rules=tuple(map(read_rule, sentences)))


@dataclass(frozen=True)
class Set:
    """A hand as the dealer sets it, and the sentences that decided, in order."""

    front: Hand
    back: Hand
    followed: tuple[str, ...]


def apply_groups(groups: Sequence[Group], hand: SevenCards) -> Set:
    """Set a hand: one group's first line fits, and its first rule that fits decides."""
    fitting = [group for group in groups if group.holds(hand)]
    assert len(fitting) == 1, ([group.title for group in fitting], hand.cards)
    group, followed = fitting[0], list[str]()
    while True:
        rule, setting = _first_rule(group, hand)
        followed.append(rule.sentence)
        if setting is not None:
            if rule.kept:
                low = {rank for rank, _ in setting[0]}
                assert not low & KEPT[rule.kept](hand), (rule.sentence, hand.cards)
            return Set(*setting, followed=tuple(followed))
        (group,) = [each for each in groups if each.title.lower() == rule.goto.lower()]


def _first_rule(group: Group, hand: SevenCards) -> tuple[Rule, tuple[Hand, Hand] | None]:
    for rule in group.rules:
        if rule.holds(hand):
            setting = rule.front(hand)
            if setting is not None or rule.goto:
                return rule, setting
    raise LookupError(group.title)
