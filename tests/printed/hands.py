"""Hands around the boundaries of paytable rows: seeds, and hands one card apart from them."""

import random
from collections.abc import Iterator
from functools import cache

SEEDS = (
    # Straight flushes of seven cards, with and without the joker, at both ends.
    "As Ks Qs Js Ts 9s 8s", "As 2s 3s 4s 5s 6s 7s", "Kh Qh Jh Th 9h 8h 7h", "8d 7d 6d 5d 4d 3d 2d",
    "Jk Ks Qs Js Ts 9s 8s", "Jk 2s 3s 4s 5s 6s 7s", "As Ks Jk Js Ts 9s 8s", "Jk Ac 2c 3c 4c 6c 7c",
    # Royal flushes and suited A-2-3-4-5, each with suited pairs.
    "Ah Kh Qh Jh Th As Ks", "Jk Kh Qh Jh Th As Ks", "Jk Ah Qh Jh Th As Ks", "Ah Kh Qh Jh Th As Qs",
    "Jk Kh Qh Jh Th As Qs", "Jk Ah Kh Qh Th Ks Qs", "Ah Kh Qh Jh Th Ks Qs", "Jk Kh Qh Jh Th Ac Kd",
    "Ah 2h 3h 4h 5h As Qs", "Ah 2h 3h 4h 5h Kc 9d", "Jk 2h 3h 4h 5h Ks Qs", "Ah 2h 3h 4h 5h Jk Qs",
    "Ah Kh Qh Jh Th 2c 3d", "Jk Ah Kh Qh Jh 4c 4d", "Ah 2h 3h 4h 5h 6h Kc", "9h 8h 7h 6h 5h Ac Ad",
    "Jk 9h 8h 7h 6h 2c 2d", "Jk Kd Qd Jd 9d 2c 5s", "9h 8h 7h 6h 5d 4h 2h",
    # Aces, four of a kind, full houses and lower groups, with the joker as an ace and not.
    "Ac Ad Ah As Jk Kc Kd", "Ac Ad Ah As Jk 2c 7d", "Ac Ad Ah Jk Kc Kd Ks", "Kc Kd Kh Ks Qc Qd Qh",
    "Ac Ad Ah As Qc Qd Qh", "7c 7d 7h 7s 2c 2d Jk", "Ac Ad Ah Jk 9c 5d 2s", "Jk Ac Ad 9c 9d 9h 2s",
    "Kc Kd Kh 8c 8d 4s 2h", "Jk Ac Kc Kd Kh 8c 4s", "5c 5d 5h 9c 9d 9h 2s", "Jk Ac Kc Kd 8c 8d 4s",
    "Kc Kd 8c 8d 4s 4h 2d", "Jk Ac 8c 8d 4s 4h 2d", "Kc Kd Kh 9c 7d 4s 2h", "Jk Ac Ad 9c 7d 4s 2h",
    "Kc Kd 8c 8d 6s 4h 2d", "Ac Ad 9c 7d 5s 4h 2d", "Jk Ac 9c 7d 5s 4h 2d",
    # Three of a kind with a straight, a flush with a pair, flushes of five to seven cards.
    "9c 9d 9h 8c 7d 6s 5h", "Jk Ac Ad Kc Qd Jh 9s", "Jk Ac Ad 2c 3d 4s 9h", "Jk Ac Ad Kc Qd Jh Ts",
    "Ac Kc 9c 7c 2c 9d 4h", "Jk Kc 9c 7c 2c Kd 4h", "Ac Kc 9c 7c 5c 3c 2c", "Jk Kc 9c 7c 5c 3c 2c",
    "Jk Kc 9c 7c 5c 3d 2h", "Kc Kd 9c 7c 5c 3c Qh", "Ac 9c 7c 5c 3d 2c Kc",
    # Straights: of seven cards, A-K-Q-J-10, A-2-3-4-5, each with the joker in a gap or at an end.
    "9c 8d 7h 6s 5c 4d 3h", "Jk 9d 8h 7s 6c 5d 4h", "Ac Kd Qh Js Tc 9d 8h", "Ac 2d 3h 4s 5c 6d 7h",
    "Ac Kd Qh Js Tc 4d 2h", "Jk Kd Qh Js Tc 4d 2h", "Ac Kd Jk Js Tc 4d 2h", "Ac 2d 3h 4s 5c 9d Jh",
    "Jk 2d 3h 4s 5c 9d Jh", "Ac 2d 3h 4s Jk 9d Jh", "Ac Kd Qh 2s 3c 4d 6h", "9c 8d 7h 6s 5c Kd Kh",
    "Jk Qd Jh Ts 3c 4d 6h", "Jk 9s 8h 7d 6c 3s 2h",
    # Pai gows from nine-high to ace-high, of one color and not, and the joker with no straight.
    "9c 8s 7c 6s 4c 3s 2c", "9h 8d 7h 6d 4h 3d 2h", "9c 8d 7h 5s 4c 3d 2h", "Tc 8d 7h 6s 4c 3d 2h",
    "Jc 9d 7h 6s 4c 3d 2h", "Qc 9d 8h 6s 5c 3d 2h", "Kc Jd 9h 7s 5c 3d 2h", "Ac Jd 9h 7s 5c 3d 2h",
    "Jk Jd 9h 7s 5c 3d 2h", "Jk Kd Jh 8s 6c 3d 2h", "Jk Kd Th 9s 5c 4d 2h", "Ac Kc Qc Jc 9d 7h 2s",
    "Jk Qc Tc 8c 3d 2h 6s", "Ac Kd Qh Js 9c 7d 6h",
)  # fmt: skip

THREE_CARD_SEEDS = (
    "As Ks Qs", "Jk Ks Qs", "As 2s 3s", "Jk 2s 3s", "As 2s Jk", "Ac Ad Ah", "Ac Ad Jk", "Kc Kd Kh",
    "9c 8d 7h", "Jk 8d 7h", "9c Jk 7h", "Ac 2d 3h", "Ac Kd Qh", "Jk 2d 3h", "Kc 9c 4c", "Jk 9c 4c",
    "Kc Kd 4h", "Jk Kd 4h", "Ac Jk 4h", "Ac 9d 4h", "Jk As 9s", "Jk 9d 9h",
)  # fmt: skip

DECK = ("Jk", *(rank + suit for rank in "23456789TJQKA" for suit in "cdhs"))


@cache
def hands_near(cards: int, number: int, seed: int) -> list[tuple[str, ...]]:
    """Return ``number`` hands of so many cards: the seeds, and hands one or two cards apart."""
    chance = random.Random(f"{seed}/{cards}")  # noqa: S311 - a sample
    found: dict[frozenset[str], tuple[str, ...]] = {}
    seeds = list(_seeds(cards))
    for hand in seeds:
        found.setdefault(frozenset(hand), hand)
    while len(found) < number:
        changed = list(chance.choice(seeds))
        for _ in range(1 if chance.random() < 0.75 else 2):
            place = chance.randrange(cards)
            changed[place] = chance.choice([card for card in DECK if card not in changed])
        found.setdefault(frozenset(changed), tuple(changed))
    return list(found.values())


def _seeds(cards: int) -> Iterator[tuple[str, ...]]:
    for line in THREE_CARD_SEEDS if cards == 3 else SEEDS:
        hand = tuple(line.split())
        if len(hand) == cards:
            yield hand
        else:
            yield from (hand[:place] + hand[place + 1 :] for place in (0, 3, len(hand) - 1))


@cache
def pairs_near(number: int, seed: int) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return pairs of seven-card hands that share no card."""
    chance = random.Random(f"{seed}/pairs")  # noqa: S311 - a sample
    hands = hands_near(7, 1500, seed)
    low = [hand for hand in hands if len({card[0] for card in hand}) == len(hand)]
    found: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
    while len(found) < number:
        one, other = chance.choice(low), chance.choice(low if len(found) % 4 else hands)
        if not set(one) & set(other):
            found.append((one, other))
    return found
