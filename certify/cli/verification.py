"""``certify verify`` and ``reproduce``."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from certify.cli.output import (
    FORMAT,
    QUIET,
    Format,
    Progress,
    expand,
    print_item,
    print_json,
    print_text,
)
from certify.commands.reproduce.stated import ReproduceRequest
from certify.figures.provenance import is_template
from certify.filing.verdict import VerifyRequest
from certify.filing.verdict import verify as run_verification
from certify.formatting import utc_minute
from certify.model.approval import Role


@expand
def verify(request: VerifyRequest, *, quiet: bool = QUIET, output: Format = FORMAT) -> int:
    """Verify signatures, and report signers and changes; compare the files of a filing."""
    judged = run_verification(request)
    if output is Format.JSON:
        print_json(judged.to_dict())
        return judged.exit_code
    answers = [file.answer for file in judged.files]
    passed = [] if len(answers) == 1 or quiet else _passed_by_each(answers)
    for answer in answers:
        _print(answer, quiet=quiet, apart=passed)
    if passed:
        print_text("Each file:")
        _print_checks(passed)
    for filing in judged.filings:
        _print(filing, quiet=quiet, apart=[])
    return judged.exit_code


def _passed_by_each(answers: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the checks that each file passed with the same details."""
    first, *others = (answer["checks"] for answer in answers)
    return [each for each in first if each["passed"] and all(each in other for other in others)]


def _print_checks(checks: Iterable[Mapping[str, Any]]) -> None:
    for check in checks:
        mark = "ok    " if check["passed"] else "FAILED" if check["required"] else "open  "
        print_item(f"  {mark}  ", check["detail"])


def _print(answer: Mapping[str, Any], *, quiet: bool, apart: Sequence[Mapping[str, Any]]) -> None:
    """Print a verdict and its checks, without those that are printed ``apart``."""
    listed = answer["checks"]
    failed = [each for each in listed if each["required"] and not each["passed"]]
    shown = failed if quiet else [each for each in listed if each not in apart]
    if shown or not listed or not quiet or answer.get("records"):
        print_item("", f"{answer['file']}: {answer['verdict']}")
        _print_checks(shown)
        for signature in answer.get("signatures", ()):
            if not quiet:
                profile = answer["profile"]  # that of an authentic document
                times = _signing_times(signature) if profile else _stated_time(signature)
                print_item("  signed  " if profile else "  states  ", times)
            _print_statement(signature)
        if not quiet:
            _print_until(answer)
        for path, change in answer.get("records", {}).items():
            words = "replaces the built-in one" if change == "replaces" else "is not certify's own"
            if is_template(path):
                words += "; `certify reproduce` compares the figures on the pages"
            print_item("  note    ", f"The document declares that {path} {words}.")


def _print_until(answer: Mapping[str, Any]) -> None:
    """Print how long an authentic document is provable, and each signature of several."""
    if not answer.get("provable_until"):
        return
    until = utc_minute(answer["provable_until"])
    print_item(
        "  until   ",
        f"The document is provable until {until}, when a certificate expires; `certify renew` "
        "extends this time.",
    )
    for signature in answer["signatures"] if len(answer["signatures"]) > 1 else ():
        signed = f"The signature of {signature['name']!r} as {signature['role']}"
        until = utc_minute(signature["provable_until"])
        print_item("  until   ", f"{signed} is provable until {until}.")


def _signing_times(signature: Mapping[str, Any]) -> str:
    """Return when somebody signed, by the signer's clock and by timestamps."""
    clock, proof = (
        utc_minute(time) if time else "" for time in (signature["declared"], signature["existed"])
    )
    proven = f"a timestamp proves the signature at {proof}" if proof else "no timestamp proves it"
    who = f"{signature['name']!r} ({signature['role']})"
    return f"{who}: {clock} by the signer's clock; {proven}."


def _stated_time(signature: Mapping[str, Any]) -> str:
    """Return when a signature in a document that is not authentic says that it was made."""
    time = utc_minute(signature["declared"]) if signature["declared"] else "no time"
    who = f"{signature['name']!r} ({signature['role'] or 'in no role'})"
    return f"{who}: {time}, as the file states; nothing is proven of a document that fails."


def _print_statement(signature: Mapping[str, Any]) -> None:
    """Print the statement in a laboratory's signature, or that there is none."""
    for line in signature["statement_lines"]:
        print_item("  stated  ", line)
    if signature["role"] == Role.LABORATORY and signature["statement"] is None:
        print_item(
            "  note    ", "The laboratory's signature has no statement of what was examined."
        )


@expand
def reproduce(request: ReproduceRequest, *, quiet: bool = QUIET, output: Format = FORMAT) -> int:
    """Recompute every figure of a submitted PDF from its embedded evidence."""
    from certify.commands.reproduce.reproduce import reproduce_file

    result = reproduce_file(replace(request, progress=Progress("Counting")))
    if output is Format.JSON:
        print_json(result.to_dict())
    elif not (quiet and result.agreed and not result.by_preparer):
        print_item("", f"{request.file}: {result.verdict}")
        for step in result.steps:
            if quiet and (step.passed or not step.required):
                continue
            mark = "agrees " if step.passed else "DIFFERS" if step.required else "ignored"
            print_item(f"  {mark}  ", step.detail)
    return 0 if result.agreed else 1
