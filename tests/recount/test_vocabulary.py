"""The verification count has code for each word of the vocabulary."""

from certify.model.vocabulary import Category, EventFeature, HouseWayFeature, NamedFront
from certify_recount.hands import CARDS, COLORS, FEATURES, NATURAL_RANKS, OF_SUITS, PARTS_OF_HANDS
from certify_recount.set_hands import KINDS, NAMED, Rules, Table

PAI_GOW = Rules(13, 1, 7, 5, 2, wild=False, low_wheel=False, joker_beats_ace=False)
OF_A_RULE = {HouseWayFeature.CAN_BE_SET, HouseWayFeature.IMPROVES_ON}
"""Features of a hand and a rule, which `_Reader.part_holds` reads."""


def test_every_event_feature_is_in_the_verification_count() -> None:
    counted = {*FEATURES, *OF_SUITS, *NATURAL_RANKS, *COLORS, *CARDS, *PARTS_OF_HANDS}
    assert {str(feature) for feature in EventFeature} - counted == set(), (
        "Add the feature to certify_recount/hands.py."
    )


def test_every_house_way_feature_is_in_the_verification_count() -> None:
    hand = [(rank, False) for rank in (0, 2, 4, 6, 8, 10, 12)]
    counted = Table(PAI_GOW, None).features(hand, ["high_card"])
    assert {str(feature) for feature in set(HouseWayFeature) - OF_A_RULE} == set(counted), (
        "Add the feature to Table.features in certify_recount/set_hands.py."
    )


def test_every_low_hand_and_category_is_in_the_verification_count() -> None:
    assert set(NAMED) == {str(front) for front in NamedFront}
    assert set(KINDS) == {str(category) for category in Category}
