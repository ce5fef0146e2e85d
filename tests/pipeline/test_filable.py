"""A game of which printed sentences are not known to be true is refused, and still counted."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from certify.cli.app import run
from certify.model.finding import Unfit
from certify.model.submission import Order
from certify.pipeline.filing import build_filing, with_register_status
from certify.pipeline.submit.rules_of_play import preview
from tests.pipeline.ante_and_play import ante_and_play
from tests.pipeline.pair_plus import pair_plus
from tests.pipeline.submissions import compose_part
from tests.pipeline.test_pair_plus import build_pair_plus

THREE_CARDS = {"cards": 3, "back": 3, "front": 0}


def project(root: Path, monkeypatch: pytest.MonkeyPatch, **game: Any) -> str:  # noqa: ANN401
    """Change what the game's file declares, go to its project, and return its id."""
    path = root / "game.json"
    value = json.loads(path.read_text(encoding="utf-8")) | game
    path.write_text(json.dumps(value), encoding="utf-8")
    monkeypatch.chdir(root.parents[1])
    return str(value["id"])


# Crazy 4: a royal flush of 192, which is A-K-Q-J of five cards of which four count.
CRAZY_4 = {"hand": {"cards": 5, "back": 4, "front": 0}}
ONE_JOKER = {"deck": {"ranks": 13, "joker": True}, "joker": "bug"}
SHORT = {"deck": {"ranks": 9, "joker": False}}


@pytest.mark.parametrize(
    ("game", "pointer", "words"),
    [
        (CRAZY_4, "/hand", "three cards of a deck without a joker"),
        ({"hand": {"cards": 5, "back": 5, "front": 0}}, "/hand", "three cards"),
        (ONE_JOKER, "/hand", "without a joker"),
        (SHORT, "/deck/ranks", "this one has 9"),
    ],
)
def test_another_hand_is_not_filed(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    game: dict[str, Any],
    pointer: str,
    words: str,
) -> None:
    name = project(pair_plus(tmp_path / "our"), monkeypatch, **game)
    order = Order(game=name, jurisdiction="nevada", command="")
    for make in (lambda: preview(order), lambda: with_register_status(build_filing(order))):
        with pytest.raises(Unfit) as refused:
            make()
        assert [(finding.code, finding.pointer) for finding in refused.value.findings] == [
            ("M009", pointer)
        ]
        assert words in refused.value.findings[0].message


def test_three_card_poker_with_a_dealer_is_counted_and_not_filed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    name = project(ante_and_play(tmp_path / "our"), monkeypatch)
    for command in (["check"], ["explain", f"{name}/main", "As Ks Qs"]):
        assert run(command) == 0, command
    out = tmp_path / "out"
    asked = ["submit", name, "--jurisdiction", "wsgc", "--unsigned", "--out", str(out)]
    assert run(asked) == 1
    printed = capsys.readouterr().err
    assert "M009" in printed
    assert "no main wager for undivided hands" in " ".join(printed.split())
    assert not out.exists()


@pytest.mark.parametrize(
    ("jokers", "rule", "pointer"), [(2, "bug", "/deck/joker"), (True, "fully_wild", "/joker")]
)
def test_another_joker_is_not_filed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jokers: int | bool, rule: str, pointer: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["init", "our"]) == 0
    monkeypatch.chdir(tmp_path / "our")
    options = ("--called", "Harbor", "--document", "Harbor: Rules", "--clause", "1")
    assert run(["new", "game", "harbor", "--blank", *options]) == 0
    root = Path("paytables/harbor")
    order = Order(game="harbor", jurisdiction="nevada", command="")
    assert (
        with_register_status(build_filing(order)).game.id == "harbor"
    )  # as it is declared it can be filed
    path = root / "game.json"
    value = json.loads(path.read_text(encoding="utf-8"))
    value |= {"deck": {"ranks": 13, "joker": jokers}, "joker": rule}
    path.write_text(json.dumps(value), encoding="utf-8")
    with pytest.raises(Unfit) as refused:
        preview(order)
    assert [(finding.code, finding.pointer) for finding in refused.value.findings] == [
        ("M009", pointer)
    ]


@pytest.mark.parametrize(
    ("state", "absent"),
    [
        ("nevada", r"house way"),
        ("wsgc", r"[Gg]ame of Pai Gow|numbers 1, 8|another house way"),
        ("pennsylvania", r"645a|645c|670a|688a"),
        ("new-jersey", r"among the paytables of the code|imperial"),
        ("maryland", r"house way"),
    ],
)
def test_wagers_on_three_cards_are_filed_without_the_words_of_pai_gow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, state: str, absent: str
) -> None:
    project(pair_plus(tmp_path / "our"), monkeypatch)
    for part in ("rules", "mathematics"):
        page = re.sub(
            r"<style.*?</style>", "", compose_part(build_pair_plus(state), part), flags=re.DOTALL
        )
        assert re.findall(absent, page) == [], part
        assert "however it is set" not in page
