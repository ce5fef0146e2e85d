"""Every finding code, in one table: the pages of ``certify rule`` and of the documentation."""

from certify.checks.pages import (
    data_set,
    figures,
    house_ways,
    json_text,
    paytable,
    rule_pack,
    schema,
    wagers,
)
from certify.model.finding import Code

CODES: tuple[Code, ...] = (
    json_text.J001,
    json_text.J002,
    json_text.J003,
    json_text.J004,
    json_text.J005,
    json_text.J006,
    json_text.J007,
    json_text.J008,
    json_text.J009,
    json_text.J010,
    json_text.J011,
    schema.S001,
    schema.S002,
    schema.S003,
    schema.S004,
    schema.S005,
    schema.S006,
    schema.S007,
    schema.S008,
    data_set.D001,
    data_set.D002,
    data_set.D003,
    data_set.D004,
    data_set.D005,
    data_set.D006,
    data_set.D007,
    data_set.D008,
    data_set.D009,
    data_set.D010,
    data_set.D011,
    data_set.D012,
    data_set.D013,
    data_set.D014,
    data_set.D015,
    data_set.D016,
    data_set.D017,
    paytable.P001,
    paytable.P002,
    paytable.P003,
    paytable.P004,
    paytable.P005,
    paytable.P006,
    paytable.P007,
    paytable.P008,
    paytable.P009,
    paytable.P010,
    paytable.P011,
    paytable.P012,
    paytable.P013,
    paytable.P014,
    wagers.M001,
    wagers.M002,
    wagers.M003,
    wagers.M004,
    wagers.M005,
    wagers.M006,
    wagers.E001,
    wagers.E002,
    wagers.E003,
    wagers.E004,
    wagers.E005,
    wagers.G001,
    wagers.G002,
    wagers.G003,
    wagers.G004,
    wagers.G005,
    wagers.G006,
    wagers.H001,
    wagers.H002,
    wagers.H003,
    house_ways.H004,
    house_ways.H005,
    house_ways.H006,
    house_ways.H007,
    house_ways.H008,
    house_ways.H009,
    house_ways.H010,
    house_ways.H011,
    figures.F001,
    figures.F002,
    figures.F003,
    figures.F004,
    figures.F005,
    figures.F006,
    rule_pack.R001,
    rule_pack.R002,
    rule_pack.R003,
    rule_pack.R004,
    rule_pack.R005,
    rule_pack.R006,
    rule_pack.R007,
    rule_pack.R008,
    rule_pack.R009,
    rule_pack.R010,
    rule_pack.R011,
    rule_pack.R012,
    rule_pack.R013,
    rule_pack.R014,
    rule_pack.R015,
    rule_pack.R016,
    rule_pack.R017,
    rule_pack.R018,
    rule_pack.R019,
    rule_pack.R020,
    rule_pack.R021,
    rule_pack.R022,
)
"""All codes, family by family."""

OF_RULES = frozenset(one.id for one in vars(rule_pack).values() if isinstance(one, Code))
"""The codes about rules of a jurisdiction and what is filed by them."""


def page(code: Code) -> str:
    """Return the documentation page of a code, as Markdown."""
    text = code.text
    for heading in ("Why it matters", "How to mend it", "Wrong", "Right", "Noted", "Clear"):
        text = text.replace(f"{heading}\n\n", f"## {heading}\n\n", 1)
    return f"# {code.id}: {code.title}\n\nSeverity: {code.severity}\n\n{text}"


def index() -> str:
    """Return the index of the documentation pages, as Markdown."""
    lines = [f"| [{one.id}]({one.id}.md) | {one.severity} | {one.title} |" for one in CODES]
    head = "# Finding codes\n\n| code | severity | what is found |\n|---|---|---|\n"
    return head + "\n".join(lines) + "\n"


def documentation() -> dict[str, str]:
    """Return the files of ``docs/reference/findings`` by name: a page for each code, the index."""
    return {f"{code.id}.md": page(code) for code in CODES} | {"README.md": index()}
