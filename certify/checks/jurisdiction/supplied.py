"""Tests of what others supply: the laboratory's letter, the text that is displayed."""

from certify.checks.fault import Fault
from certify.checks.jurisdiction.rule_test import WEAK, judges
from certify.checks.jurisdiction.verdict import RuleVerdict, broken, by_people, satisfied
from certify.model.filed import Filing
from certify.model.finding import Code
from certify.model.jurisdiction import RuleVersion


@judges()
def laboratory_certification(filed: Filing, _version: RuleVersion) -> RuleVerdict:
    """The laboratory's letter is embedded, with the digest that the terms state."""
    letter = filed.provenance.letter
    if letter is not None:
        return satisfied(
            f"The laboratory's letter, {letter.name}, is embedded in the mathematics report; "
            f"SHA-256 {letter.sha256}. Its content is not examined here."
        )
    stated = filed.terms.laboratory_letter
    if stated is None:
        return by_people("The laboratory's letter is to be attached.")
    return by_people(f"The laboratory's letter is to be attached; SHA-256 {stated}.")


R013 = Code(
    "R013",
    "The rules of play print no layout and rack-card text",
    why=f"""What is displayed must be what is filed, so both are printed from the same records.
    {WEAK}""",
    mend='Add "rack_card" to the sections of the jurisdiction.',
    remedy="Add `rack_card` to the sections of the jurisdiction.",
    wrong='{"sections": ["main", "bonus"]}',
    right='{"sections": ["main", "bonus", "rack_card"]}',
)


@judges(finds=R013)
def posted_text(filed: Filing, _version: RuleVersion) -> RuleVerdict:
    """The text of layout and rack card is printed; a person compares the artwork."""
    if "rack_card" in filed.jurisdiction.sections:
        return by_people(
            "The section of the rules of play on layout and rack-card text is printed from the "
            "same records as the paytables. The casino compares the artwork and what is displayed "
            "at the table with it."
        )
    key = f"jurisdictions/{filed.jurisdiction.id}"
    return broken([Fault(key, "/sections", "The rules of play print no rack-card text.")])
