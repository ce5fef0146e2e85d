import datetime as dt
from pathlib import Path

import pytest

from certify.filing.register_check import list_records
from certify.filing.registration import Entry, add
from certify.model.approval import ApprovalStatus
from certify.model.jurisdiction import Begins, Confidence, Deadline

TABLE = "mini-pai-gow/bonus/A"
FILED = dt.date(2026, 1, 31)


@pytest.mark.parametrize(
    ("period", "begun", "ends"),
    [
        ("P30D", FILED, dt.date(2026, 3, 2)),
        ("P15D", FILED, dt.date(2026, 2, 15)),
        ("P5Y", FILED, dt.date(2031, 1, 31)),
        ("P5Y", dt.date(2024, 2, 29), dt.date(2029, 3, 1)),
    ],
)
def test_a_period_ends_on_a_day(period: str, begun: dt.date, ends: dt.date) -> None:
    deadline = Deadline(
        id="1", text="-", begins=Begins.PENDING, period=period, citation="-",
        confidence=Confidence.SECONDARY, read_on=begun, address="-",
    )  # fmt: skip
    assert deadline.ends(begun) == ends


@pytest.mark.parametrize(
    ("state", "status", "due"),
    [
        ("california", ApprovalStatus.PENDING, [("CA-COMPLETE", 30)]),
        ("california", ApprovalStatus.APPROVED, []),
        ("pennsylvania", ApprovalStatus.PENDING, [("PA-LAYOUT-REVIEW", 15)]),
        ("maryland", ApprovalStatus.APPROVED, [("MD-KEEP", 5 * 365 + 1)]),  # 2028 is a leap year
        ("wsgc", ApprovalStatus.PENDING, []),
        ("nevada", ApprovalStatus.PENDING, []),
    ],
)
def test_a_record_begins_the_deadlines_of_its_status(
    tmp_path: Path, state: str, status: ApprovalStatus, due: list[tuple[str, int]]
) -> None:
    path = tmp_path / "register.json"
    letter = Path(__file__)
    add(path, Entry(target=TABLE, jurisdiction=state, status=status, day=FILED, letter=letter))
    ((record,), _) = list_records(path, FILED)
    assert [(deadline.deadline.id, deadline.days) for deadline in record.due] == due
    ((later,), _) = list_records(path, FILED + dt.timedelta(days=31))
    assert [deadline.days for deadline in later.due] == [days - 31 for _, days in due]
    assert [deadline.is_past for deadline in later.due] == [days < 31 for _, days in due]
