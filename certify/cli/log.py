"""``certify log``."""

import shlex
from pathlib import Path

import typer
from msgspec import to_builtins

from certify import library
from certify.cli.output import FORMAT, Format, count_noun, print_item, print_json
from certify.project_log import LOG, Line, read_log


def log(
    file: Path = typer.Option(None, help=f"Log to read. Default: the project's {LOG}."),
    last: str = typer.Option(
        None, metavar="SHA256", help="Require a line with this digest, noted from an earlier run."
    ),
    *,
    verify: bool = typer.Option(False, "--verify", help="Print the verdict without the lines."),
    output: Format = FORMAT,
) -> int:
    """List what commands wrote in the project, and verify that the log is a whole chain."""
    path = file or (library.project() or Path()) / LOG
    lines = [*read_log(path)]
    faults = [line.fault for line in lines if line.fault]
    if last is not None and last not in {line.sha256 for line in lines}:
        faults.append(f"No line has the digest {last}: lines were removed or changed.")
    digest = lines[-1].sha256 if lines else ""
    if output is Format.JSON:
        shown = [] if verify else to_builtins(lines)
        print_json({"file": str(path), "lines": shown, "faults": faults, "last_sha256": digest})
    else:
        for line in () if verify else lines:
            _print(line)
        verdict = "is broken" if faults else "is whole"
        print_item("", f"{path}: {count_noun(len(lines), 'line')}. The chain {verdict}.")
        for fault in faults:
            print_item("  FAILED  ", fault)
        print_item("  note    ", f"SHA-256 of the last line: {digest}")
    return 1 if faults else 0


def _print(line: Line) -> None:
    """Print who wrote what, when, with which version and key; the files that were read as a number.

    A line that is no entry was cut short when its process was killed.
    """
    entry = line.entry
    if entry is None:
        print_item(f"{line.number}  ", "not complete")
        return
    made = f"{entry.time}  {entry.user}  certify {entry.version} (build {entry.build[:12]})"
    print_item(f"{line.number}  ", made)
    print_item("   command  ", shlex.join(entry.command))
    for fingerprint, name in entry.keys.items():
        print_item("   key      ", f"{name}, certificate {fingerprint}")
    for path, digest in entry.outputs.items():
        print_item("   wrote    ", f"{path}  {digest or 'removed'}")
    print_item("   read     ", count_noun(len(entry.inputs), "file"))
