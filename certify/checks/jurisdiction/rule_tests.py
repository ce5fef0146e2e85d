"""Every test that a rule of a jurisdiction may name: its judge, its parameters, what they mean.

This table is the one place: `check` holds the parameters of a text against it, `certify rule
--tests` and the reference print it, and the schema's list of tests is compared with it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum

from certify.checks.jurisdiction import documents as papers
from certify.checks.jurisdiction import examples, limits, meters, prizes
from certify.checks.jurisdiction.facts import Filed, Verdict
from certify.model.jurisdiction import RuleVersion

Judge = Callable[[Filed, RuleVersion], Verdict]


class Unit(Enum):
    """What kind of value a parameter is: its name, and the least and the greatest value."""

    CENTS = ("cents", 1, 10**12)
    COUNT = ("count", 1, 100)
    ODDS = ("odds to 1", 1, 10**6)
    TIMES = ("multiple", 1, 10**6)
    FLAG = ("true or false", 0, 1)

    def __str__(self) -> str:
        """The unit in words."""
        return str(self.value[0])

    def fits(self, value: int) -> bool:
        """Whether a value of a rule pack is of this unit and within its range."""
        if isinstance(value, bool) or self is Unit.FLAG:
            return isinstance(value, bool) and self is Unit.FLAG
        return value in range(self.value[1], self.value[2] + 1)

    @property
    def wanted(self) -> str:
        """What a value of this unit looks like, as the end of a sentence."""
        if self is Unit.FLAG:
            return str(self)
        _, least, greatest = self.value
        return f"a whole number ({self}) from {least:,} to {greatest:,}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One value that a text of a rule states; ``beside`` names another that it cannot be without.

    One that is not ``required`` may be left out where the text does not speak of it.
    """

    name: str
    unit: Unit
    meaning: str
    required: bool = True
    beside: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleTest:
    """One test: ``judges`` says in a line what; ``section`` is where the documents satisfy it.

    A test without a section is satisfied by other papers.
    """

    name: str
    judge: Judge
    judges: str
    section: str = ""
    parameters: tuple[Parameter, ...] = ()

    def parameter(self, name: str) -> Parameter | None:
        """Return a parameter by its name, or None."""
        return next((one for one in self.parameters if one.name == name), None)


_ALL = (
    RuleTest(
        name="largest_wager",
        judge=limits.largest_wager,
        judges="No stated wager is above the largest that is allowed, and every wager states its "
        "maximum.",
        section="Wagers on one hand",
        parameters=(
            Parameter(
                name="largest_wager_cents",
                unit=Unit.CENTS,
                meaning="the largest single wager",
            ),
        ),
    ),
    RuleTest(
        name="games_per_hand",
        judge=limits.games_per_hand,
        judges="No more games are offered on one hand of cards than are allowed.",
        section="Wagers on one hand",
        parameters=(
            Parameter(
                name="largest_number",
                unit=Unit.COUNT,
                meaning="games on one hand, the main wager among them",
            ),
            Parameter(
                name="threshold_cents",
                unit=Unit.CENTS,
                meaning="the wager above which games are counted apart",
                required=False,
                beside="largest_number_above_threshold",
            ),
            Parameter(
                name="largest_number_above_threshold",
                unit=Unit.COUNT,
                meaning="games on one hand with wagers above the threshold",
                required=False,
                beside="threshold_cents",
            ),
        ),
    ),
    RuleTest(
        name="players_at_table",
        judge=limits.players_at_table,
        judges="No more players sit at the table than are allowed.",
        section="Assumptions",
        parameters=(
            Parameter(name="largest_number", unit=Unit.COUNT, meaning="players at one table"),
        ),
    ),
    RuleTest(
        name="aggregate_limit_floor",
        judge=limits.aggregate_limit_floor,
        judges="No aggregate payout limit is below the maximum wager times the highest odds.",
        section="Largest exposure",
        parameters=(
            Parameter(
                name="highest_odds",
                unit=Unit.ODDS,
                meaning="the odds up to which the highest odds count",
            ),
            Parameter(
                name="least_wager_at_full_odds",
                unit=Unit.FLAG,
                meaning="whether the limit is also at least the minimum wager times the full odds",
                required=False,
            ),
            Parameter(
                name="table_times_player",
                unit=Unit.TIMES,
                meaning="how many times a player's limit a limit for the table is at least",
                required=False,
            ),
        ),
    ),
    RuleTest(
        name="payout_cap_floor",
        judge=prizes.payout_cap_floor,
        judges="No payout limit is below the greater of the top award at the minimum wager and a "
        "multiple of that wager.",
        section="Largest exposure",
        parameters=(
            Parameter(
                name="least_wager_times", unit=Unit.TIMES, meaning="multiple of the minimum wager"
            ),
        ),
    ),
    RuleTest(
        name="fixed_payout_floor",
        judge=prizes.fixed_payout_floor,
        judges="No payout limit is below the greater of a fixed amount and the top award at the "
        "minimum wager.",
        section="Largest exposure",
        parameters=(
            Parameter(name="least_cents", unit=Unit.CENTS, meaning="the least payout limit"),
        ),
    ),
    RuleTest(
        name="no_aggregate_below_50",
        judge=limits.no_aggregate_on_low_odds,
        judges="No aggregate payout limit is put on a wager whose highest odds are low.",
        section="Largest exposure",
        parameters=(
            Parameter(
                name="least_odds",
                unit=Unit.ODDS,
                meaning="the highest odds that a wager with a limit has at least",
            ),
        ),
    ),
    RuleTest(
        name="not_combined",
        judge=limits.not_combined,
        judges="No aggregate payout limit covers more wagers than are allowed; a person judges "
        "that it is approved and displayed.",
        section="Standing clauses",
        parameters=(
            Parameter(
                name="wagers_per_limit",
                unit=Unit.COUNT,
                meaning="wagers that one limit may cover; any number where it is left out",
                required=False,
            ),
        ),
    ),
    RuleTest(
        name="reserve_for_second_prize",
        judge=prizes.reserve_for_second_prize,
        judges="The second highest prize of a round is computed; above the threshold a person "
        "sees to the funds.",
        section="Largest exposure",
        parameters=(
            Parameter(
                name="threshold_cents",
                unit=Unit.CENTS,
                meaning="the prize above which funds are asked for",
            ),
        ),
    ),
    RuleTest(
        name="pays_to_one",
        judge=prizes.pays_to_one,
        judges='Every pay is stated as "to"; one stated as "for" is approved.',
        section="Appendices: paytables",
    ),
    RuleTest(
        name="progressive_statement",
        judge=meters.progressive_statement,
        judges="Seed, increment and reserve of every filed meter are stated.",
        section="Progressive wagers",
    ),
    RuleTest(
        name="linked_equal_probability",
        judge=meters.linked_equal_probability,
        judges="Linked meters are won by the same hands with the same probability.",
        section="Progressive wagers",
    ),
    RuleTest(
        name="schedules_of_meters",
        judge=meters.schedules_of_meters,
        judges="The wagers with a progressive schedule are named; a person judges it.",
    ),
    RuleTest(
        name="maximum_of_meters",
        judge=meters.maximum_of_meters,
        judges="The maximum of each meter is named; a person judges it.",
    ),
    RuleTest(
        name="meter_reduction_reasons",
        judge=meters.meter_reduction_reasons,
        judges="A meter is lowered for the permitted reasons only.",
        section="Progressive wagers",
    ),
    RuleTest(
        name="shuffler_sentence",
        judge=papers.shuffler_sentence,
        judges="The standing clauses print the clause that names this rule.",
        section="Standing clauses",
    ),
    RuleTest(
        name="side_bet_sentence",
        judge=papers.side_bet_sentence,
        judges="The standing clauses print the clause that names this rule.",
        section="Standing clauses",
    ),
    RuleTest(
        name="tribal",
        judge=papers.tribal,
        judges="Whose limits apply at a tribal table; a person judges it.",
    ),
    RuleTest(
        name="variation_filing",
        judge=papers.variation_filing,
        judges="Every filed id is approved, pending or a new filing, and none is approved with "
        "other content.",
        section="Paytables filed",
    ),
    RuleTest(
        name="unique_name",
        judge=papers.unique_name,
        judges="No other game of the register of approvals has the name.",
    ),
    RuleTest(
        name="worked_examples",
        judge=examples.worked_examples,
        judges="Every wager has a worked example of each way that it can end.",
        section="Worked examples",
    ),
    RuleTest(
        name="laboratory_certification",
        judge=papers.laboratory_certification,
        judges="The laboratory's letter is attached.",
    ),
    RuleTest(
        name="posted_text",
        judge=papers.posted_text,
        judges="The text of layout and rack card is printed; a person compares the artwork.",
    ),
)

TESTS: Mapping[str, RuleTest] = {one.name: one for one in _ALL}
"""Every test by its name."""
