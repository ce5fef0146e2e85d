"""Reference page of limits, with the values of the code."""

from certify.cli import formats
from certify.commands.reproduce import reproduce
from certify.commands.solve import solve
from certify.desk import guard, jobs
from certify.engine import joint_tables
from certify.engine.hands import holders
from certify.filing.verify import LARGEST as LARGEST_STATEMENT
from certify.intake import grids, results, strict_json
from certify.printing import print_pdf
from certify.received import files, repository
from certify.review import settings
from certify.signatures import document, verify
from certify.storage import LARGEST
from certify.worker import FACTOR, LARGEST_FACTOR

PROCESSES = {
    "reading and verifying a PDF": verify.LIMITS,
    "printing a document": print_pdf.DEFAULT_LIMITS,
    "reading a vendor's file": grids.LIMITS,
    "`reproduce`, and `diff` with a PDF": reproduce.LIMITS,
    "`reproduce --recount`": reproduce.RECOUNTING,
}

SIZES = {
    "a declared file, a table or a text": LARGEST,
    "a PDF for `verify`, `countersign` or `reproduce`": verify.LARGEST,
    "another file of a project": files.MOST,
    "an upload to the web app": guard.LARGEST,
    "a laboratory's statement": LARGEST_STATEMENT,
    "the output of git": files.MOST,
    "the copies of git's index and references together": repository.ROOM,
    "the unpacked parts of a workbook": results.MOST_BYTES,
}

NUMBERS = {
    "nested brackets in a declared file": strict_json.DEEPEST,
    "values in a declared file": strict_json.MOST_VALUES,
    "listed findings about the form of one file": strict_json.MOST_FAULTS,
    "the greatest integer in a declared file": strict_json.GREATEST,
    "signatures and timestamps in a PDF": document.MOST,
    "seconds of processor time of git, on Linux": repository.SECONDS,
    "bytes of git's address space, on Linux": repository.MEMORY,
    "jobs in the list of the web app": jobs.KEPT,
    "rows of a vendor's file": grids.MOST_ROWS,
    "pages of a vendor's PDF": grids.MOST_PAGES,
    "lines of floor results": results.MOST_LINES,
    "combined rows of a wager that several tables pay": joint_tables.MOST_ROWS,
    "cards of each side in a wager that asks who holds which card": holders.MOST_HELD,
    "choices that `solve` tries": solve.MOST_WALKED,
    "solutions that `solve` ranks": solve.MOST_SOLUTIONS,
    "findings in a SARIF report, the worst first": formats.MOST_RESULTS,
    "days for which a finding is accepted": settings.LONGEST_ACCEPTANCE.days,
}


def limits_page() -> str:
    """Return the page of all limits."""
    return (
        "# Limits\n\n"
        "The largest inputs that certify reads. The code supplies the values of this page.\n\n"
        "## Time and memory\n\n"
        "A separate process does the work. If it reaches a limit, the input is not judged, and\n"
        f"the exit code is 4. `{FACTOR}` multiplies all of these, at most by {LARGEST_FACTOR:,}."
        "\n\n"
        "| work | processor time | memory |\n|---|--:|--:|\n"
        + "".join(
            f"| {words} | {limits.seconds:,} s | {limits.mebibytes:,} MiB |\n"
            for words, limits in PROCESSES.items()
        )
        + "\n## Sizes of files\n\n"
        "A larger file is refused.\n\n"
        "| file | bytes |\n|---|--:|\n"
        + "".join(f"| {words} | {size:,} |\n" for words, size in SIZES.items())
        + "\n## Numbers\n\n| most | number |\n|---|--:|\n"
        + "".join(f"| {words} | {number:,} |\n" for words, number in NUMBERS.items())
    )
