"""What the rules of play print: everything as text, in the order of the jurisdiction's sections."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from certify.formatting import listed
from certify.model.game import Change, Wager
from certify.model.submission import Submission
from certify.report.head_view import (
    Entry,
    Section,
    control_table,
    head_view,
    main_wager,
)
from certify.report.house_way_view import numbered
from certify.report.limits_view import limits, wager_count
from certify.report.main_rules_view import main_rules
from certify.report.paytable_view import (
    Appendix,
    appendix,
    filed_envies,
    filed_paytables,
    wager_view,
)
from certify.report.rack_card import rack_cards
from certify.report.rankings import rankings
from certify.report.tables import Table, table
from certify.report.wording import WHEEL_TEXT, Printed, all_printed, clause, joker_text, label

TITLES = {
    "names": "Names and notice",
    "description": "Description of the game",
    "introduction": "Introduction",
    "standing_clauses": "Standing clauses",
    "wager_count": "Wagers on one hand",
    "definitions": "Hand rankings and definitions",
    "house_way": "House way",
    "dealing": "Dealing procedures",
    "irregularities": "Irregularities, misdeals and fouls",
    "main": "Main wager",
    "limits": "Limits of the table",
    "appendices": "Appendices: paytables",
    "rack_card": "Layout and rack-card text",
    "notices": "Notices and changes",
    "signatures": "Signatures",
}


TERMS_CLAUSE = "[Terms of the table]"
"""Where a procedure is read that no source has."""

STATEMENTS = ("description", "round", "dealing", "irregularities", "notices")
"""The sections of a game's record; one that the source does not have is empty."""


def rules_view(submission: Submission) -> dict[str, Any]:
    """Return what the template of the rules of play prints."""
    game = submission.game
    return head_view(submission, "Rules of Play") | {
        "control": control_table(submission, "rules"),
        "index": _index(submission),
        "sections": _sections(submission),
        "statements": dict.fromkeys(STATEMENTS, ())
        | {
            section.id: all_printed(submission.printed(section.statements), prefix=f"{section.id}.")
            for section in game.sections
        },
        "set_here": {one: _set_here(submission, one) for one in STATEMENTS},
    }


def _set_here(submission: Submission, section: str) -> tuple[Printed, ...]:
    """Return what the terms of the table state of the procedures of a section."""
    return tuple(
        Printed(anchor=f"{section}.terms.{name}", text=text, clause=TERMS_CLAUSE)
        for name, text in submission.terms.procedures
        if name.section == section
    )


def _sections(submission: Submission) -> tuple[Section, ...]:
    """Return every section, numbered in the jurisdiction's order, one for each bonus wager."""
    ids = (*submission.jurisdiction.sections, "signatures")
    appendices = _appendices(submission)
    inline = "appendices" not in ids
    found: list[Section] = []
    for one in ids:
        if one == "bonus":
            found += _bonus(submission, appendices, inline=inline)
        else:
            found.append(_section(one, submission, tuple(appendices.values())))
    return tuple(
        replace(section, title=f"{number}. {section.title}")
        for number, section in enumerate(found, 1)
    )


def _section(name: str, submission: Submission, appendices: tuple[Appendix, ...]) -> Section:
    content = CONTENTS[name](submission) if name in CONTENTS else None
    entries: tuple[Entry, ...] = ()
    if name == "appendices":
        content = appendices
        entries = tuple(Entry(anchor=one.anchor, title=one.title) for one in appendices)
    return Section(
        anchor=f"section-{name}",
        title=TITLES[name],
        template=f"rules/{name}.html.j2",
        entries=entries,
        content=content,
        new_page=name == "rack_card",
    )


def _optional(submission: Submission) -> tuple[Wager, ...]:
    """Return the bonus wagers that are filed, and those that the source names without a table."""
    return tuple(
        wager
        for wager in submission.game.wagers
        if not wager.options and (wager.absent or filed_paytables(wager, submission))
    )


def _appendices(submission: Submission) -> dict[str, Appendix]:
    filed = [one for one in _optional(submission) if one.absent is None]
    return {
        wager.id: appendix(
            wager,
            submission,
            f"appendix-{wager.id}",
            f"Appendix {chr(ord('A') + place)}: {wager.name}",
        )
        for place, wager in enumerate(filed)
    }


def _bonus(
    submission: Submission, appendices: dict[str, Appendix], *, inline: bool
) -> Iterator[Section]:
    for wager in _optional(submission):
        content = wager_view(wager, submission)
        content["appendix"] = appendices.get(wager.id)
        content["inline"] = inline
        yield Section(
            anchor=f"wager-{wager.id}",
            title=wager.name,
            template="rules/bonus.html.j2",
            content=content,
        )


def _index(submission: Submission) -> Table:
    """Return the wagers with the ids that are filed, and why a wager has none."""
    main = main_wager(submission).name
    rows = [(main, f"Option {one.id}", one.name) for one in submission.options]
    for wager in submission.game.wagers:
        filed = filed_paytables(wager, submission)
        if filed:
            envies = filed_envies(wager, filed)
            called = listed(dict.fromkeys(one.called for one in envies))
            remark = f"with {called} {listed(one.id for one in envies)}" if envies else ""
            rows.append((wager.name, ", ".join(label(one.id) for one in filed), remark))
        elif wager.absent is not None:
            rows.append((wager.name, "none", "The source gives no paytable."))
    return table("Wagers and paytables filed", "Wager @30 | Paytables @42 | Remark @28", rows)


def _definitions(submission: Submission) -> dict[str, Any]:
    game = submission.game
    return {
        "joker": joker_text(game.hands),
        "wheel": WHEEL_TEXT[game.hands.wheel],
        "rankings": rankings(game.hands),
        "definitions": all_printed(submission.printed(game.definitions), prefix="definition."),
        "assumptions": all_printed(submission.readings(game.assumptions), prefix="assumption."),
    }


def _house_way(submission: Submission) -> dict[str, Any]:
    way = submission.house_way
    return {
        "name": way.name,
        "in_source": submission.game.house_way_in_source,
        "published": way.published,
        "clause": clause(way.source),
        "general": all_printed(submission.printed(way.statements), prefix="house-way."),
        "assumed": all_printed(submission.readings(way.general_assumptions), prefix="house-way."),
        "groups": numbered(way),
    }


def _names(submission: Submission) -> dict[str, Any]:
    others = [one for one in submission.game.wagers if one.aliases]
    return {
        "aliases": listed(submission.game.aliases),
        "wagers": table(
            "Other names of the wagers",
            "Wager @40 | Also called",
            [(one.name, listed(one.aliases)) for one in others],
            none="No wager has another name.",
        ),
    }


def _notices(submission: Submission) -> Table:
    game = submission.game
    first = Change(
        revision=game.revision,
        date=game.revised,
        text=f"Declared from “{game.document.title}”; wagers and paytables as listed on the first "
        "pages.",
    )
    return table(
        "Revisions",
        "Revision @14 | Date @16 | What it brought",
        [(one.revision, one.date.isoformat(), one.text) for one in game.changes or (first,)],
    )


CONTENTS: dict[str, Callable[[Submission], Any]] = {
    "names": _names,
    "standing_clauses": lambda one: all_printed(
        one.printed(one.jurisdiction.clauses), prefix="clause."
    ),
    "wager_count": wager_count,
    "limits": limits,
    "definitions": _definitions,
    "house_way": _house_way,
    "main": main_rules,
    "rack_card": rack_cards,
    "notices": _notices,
}
"""What a section prints beside the statements of the game, by the section's id."""
