import json
import re

import pytest

from certify import library
from certify.filing.documents import PARTS, select_attachments
from certify.filing.evidence import build_evidence, source_name
from certify.intake.read import read_catalog
from certify.model.submission import Status
from tests.documented_games import GAMES
from tests.marks import further
from tests.report.conftest import whole
from tests.report.test_rewording import judge_all

JURISDICTIONS = read_catalog(library.paytables())[0].jurisdictions

WORKING = re.compile(r"--(alternatives--.*|discrepancies|published|second-counts)\.json$")


@pytest.mark.parametrize("state", sorted(JURISDICTIONS))
@pytest.mark.parametrize("game", [*GAMES[:1], *further(GAMES[1:])])
def test_attachments_by_part_and_state(game: str, state: str) -> None:
    submission = judge_all(whole(game, state), library.paytables())
    evidence = build_evidence(submission, Status.UNSIGNED)
    every = {source_name(document) for document in submission.documents}
    assert any(WORKING.search(name) for name in every)
    for part in PARTS:
        attached = {each.name: each.data for each in select_attachments(submission, part, evidence)}
        names = set(attached) - {"evidence.json"}
        stated = json.loads(attached["evidence.json"])
        public = part in ("rules", "letter") and JURISDICTIONS[state].confidential
        doubts = {f"paytables--{game}--discrepancies.json"}
        assert doubts <= every
        assert names & doubts == (doubts if part == "memo" else set())
        assert names == set(stated["sources"]) | (names - every) | (names & doubts)
        assert not {"requirements", "checklist"} & stated.get("judgements", {}).keys()
        if not public:
            assert every - doubts <= names
            continue
        assert [name for name in names if WORKING.search(name)] == []
        others = set(JURISDICTIONS) - {state}
        assert [
            name for name in names if any(f"jurisdictions--{it}." in name for it in others)
        ] == []
        assert "verification" not in stated
        assert "judgements" not in stated
        assert f"paytables--{game}--game.json" in names
