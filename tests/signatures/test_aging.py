"""A filing in the ten years after it was signed: each verdict, and what keeps it provable."""

from datetime import UTC, datetime

import pytest

from certify.commands.renew import renew
from certify.errors import NotAuthentic, NotConfigured
from certify.signatures._reading import judge
from certify.signatures.identity import Identity
from certify.signatures.sign import sign
from certify.signatures.verify import SignatureVerdict

from .conftest import DAY, YEAR, World, find_failures


class Years:
    """The clock of the authorities and of certify, in years from now."""

    def __init__(self, world: World) -> None:
        self.world, self.start = world, datetime.now(UTC)

    def moment(self, years: float) -> datetime:
        return self.start + years * YEAR * DAY

    def file(self, pdf: bytes, identity: Identity) -> bytes:
        """Sign as `submit --long-term` does, today."""
        first, trust = self.world.authority("first"), self.world.trust
        return sign(
            pdf, identity=identity, reason="", location="", timestamp_url=first, long_term=True,
            trust=trust,
        ).data  # fmt: skip

    def examine(self, pdf: bytes, years: float, *, stamped: bool = True) -> bytes:
        """Sign as the laboratory, whose certificate will be revoked after three years."""
        self.world.clock = at = self.moment(years)
        return sign(
            pdf, identity=self.world.identity("younger"), field="Laboratory", reason="",
            location="", signing_time=at, certify=False,
            timestamp_url=self.world.authority("first") if stamped else None,
        ).data  # fmt: skip

    def renew(self, pdf: bytes, years: float, authority: str) -> bytes:
        self.world.clock = at = self.moment(years)
        url = self.world.authority(authority)
        return renew(pdf, timestamp_url=url, trust=self.world.trust, at=at).data

    def judge(self, pdf: bytes, years: float) -> SignatureVerdict:
        return judge(pdf, trust=self.world.trust, at=self.moment(years))

    def accepts(self, pdf: bytes, years: float, until: float) -> bool:
        """Return True if a file is accepted after some years, and provable until that year."""
        verdict = self.judge(pdf, years)
        if not verdict.authentic:
            assert find_failures(verdict) <= {"time", "trust"}
            return False
        found = datetime.fromisoformat(verdict.provable_until) - self.start
        assert abs(found / (YEAR * DAY) - until) < 0.01
        return True


def age_filing(pdf: bytes, identity: Identity, world: World) -> None:
    """Check a filing through ten years.

    The issuer of the preparer expires after 2 years and the preparer after 3, when the laboratory
    is revoked; the authorities expire after 5, 8 and 12 years.
    """
    years = Years(world)
    filed = years.file(pdf, identity)
    plain = sign(pdf, identity=identity, reason="", location="").data
    assert [years.accepts(plain, at, until=2) for at in (0, 1.9, 2.1)] == [True, True, False]

    examined = years.examine(filed, 1)
    spoiled = years.examine(filed, 1, stamped=False)
    for at in (3.5, 4.9):
        assert years.accepts(filed, at, until=5)
        assert years.accepts(examined, at, until=5)
    assert not years.accepts(filed, 5.1, until=5)
    assert not years.accepts(examined, 5.1, until=5)

    late = years.examine(filed, 3.5)  # after the revocation, and before anybody looks it up
    for unproven in (late, spoiled):
        with pytest.raises(NotConfigured, match=r"revoked on .* nothing proves a use before then"):
            years.renew(unproven, 4.5, "next")

    once = years.renew(examined, 4.5, "next")
    assert years.judge(once, 4.6).profile == "B-LTA"
    assert [years.accepts(once, at, until=8) for at in (5.1, 7.9, 8.1)] == [True, True, False]
    with pytest.raises(NotAuthentic):
        years.renew(examined, 5.1, "next")  # too late

    twice = years.renew(once, 7.5, "last")
    assert twice.startswith(once)
    assert [years.accepts(twice, at, until=12) for at in (8.1, 10, 11.9)] == [True] * 3
    assert not years.accepts(twice, 12.1, until=12)
    verdict = years.judge(twice, 10)
    assert [signature.role for signature in verdict.signatures] == ["preparer", "laboratory"]
    assert [stamp.authority for stamp in verdict.timestamps] == [
        f"TEST ONLY {name}" for name in ("First", "First", "First", "Next", "Last")
    ]
    assert verdict.unsigned_bytes == pdf
    changed = twice[:300] + bytes([twice[300] ^ 1]) + twice[301:]
    assert not years.judge(changed, 10).authentic


@pytest.mark.long
def test_a_filing_ages_ten_years(unsigned: bytes, world: World) -> None:
    age_filing(unsigned, world.identity("elder"), world)
