"""A laboratory's statement: whether it belongs to a document, and its printed lines."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from msgspec.structs import asdict, replace

from certify import library
from certify.errors import NotConfigured
from certify.formatting import join_words
from certify.intake.files import read_statement
from certify.intake.plain_json import strict_value
from certify.model.finding import Unfit
from certify.model.statement import Examination, LaboratoryStatement
from certify.pipeline.submit.evidence import COMPLETE, EVIDENCE, LABEL
from certify.signatures.verify import CheckedRule, SignatureVerdict, SignedBy

LARGEST = 30_000
"""Bytes of a statement: PDF/A allows strings of 32,767 bytes."""

ORDER = ("received", "examined_from", "examined_to", "issued")
"""Dates of a statement."""

MISPLACED = "A statement in the document does not belong to it."


def find_faults(
    statement: LaboratoryStatement, files: Mapping[str, bytes], received_sha256: str
) -> list[str]:
    """Return the reasons why a statement does not belong to a document.

    Args:
        statement: the statement.
        files: the embedded files of the document.
        received_sha256: digest of the file as the laboratory received it.
    """
    try:
        evidence, label = strict_value(files[EVIDENCE]), strict_value(files[LABEL])
        submission = label["document"].removesuffix(f".{label['part']}")
        digest = evidence.get(COMPLETE) or hashlib.sha256(files[EVIDENCE]).hexdigest()
        filed = [result["target"] for result in evidence["results"]]
    except (KeyError, TypeError, ValueError, AttributeError):
        return ["the document is not of a submission"]
    parts = (*statement.examined, *statement.not_examined)
    named = [target for part in parts for target in part.targets]
    dates = [statement.dates[name] for name in ORDER]
    faults = {
        f"it names the submission {statement.submission!r}, not {submission!r}": (
            statement.submission != submission
        ),
        f"it does not name the evidence, of SHA-256 {digest}": statement.evidence_sha256 != digest,
        f"it does not name the file received, of SHA-256 {received_sha256}": (
            received_sha256 not in {file.sha256 for file in statement.files}
        ),
        "its dates are not in order": dates != sorted(dates),
        **{
            f"it names {target!r}, which is not in the submission": target not in filed
            for target in named
        },
        **{
            f"it names {target!r} {named.count(target)} times, not once": named.count(target) != 1
            for target in filed
        },
    }
    return [fault for fault, holds in faults.items() if holds]


def prepare_statement(
    data: bytes, files: Mapping[str, bytes], pdf: bytes, signer: str, reason: str
) -> tuple[str, tuple[str, ...]]:
    """Return the reason of a signature with a statement, and the printed lines of the statement.

    Args:
        data: the bytes of its file.
        files: the embedded files of the document.
        pdf: the document as the laboratory received it.
        signer: the name in the laboratory's certificate.
        reason: the reason without the statement.

    Raises:
        Unfit: the statement has errors.
        NotConfigured: it is too large, or does not belong to the document.
    """
    if len(data) > LARGEST:
        raise NotConfigured(
            f"The statement has {len(data):,} bytes; a signature holds at most {LARGEST:,}.",
            remedy="Shorten the statement.",
        )
    statement, received = read_statement(data), hashlib.sha256(pdf).hexdigest()
    faults = find_faults(statement, files, received)
    if faults:
        raise NotConfigured(
            f"The statement does not belong to this document: {join_words(faults)}.",
            remedy="Correct the statement, or name the document that was examined.",
        )
    form, digest = library.words("signature")["reason_with_statement"], hashlib.sha256(data)
    reason = form.format(reason=reason, id=statement.id, sha256=digest.hexdigest())
    return reason, tuple(print_lines(statement, received, signer))


def print_lines(statement: LaboratoryStatement, received_sha256: str, signer: str) -> list[str]:
    """Return the lines of a statement on one file, which has been found to belong to it."""
    words: Mapping[str, str] = library.words("signature")["statement"]
    facts = asdict(statement)
    (file, *_) = (file for file in statement.files if file.sha256 == received_sha256)
    same = statement.authorized_by["name"] == signer
    authorized = words["authorized" if same else "authorized_by_another"]
    return [
        words["id"].format_map(facts),
        words["laboratory"].format_map(statement.laboratory),
        words["customer"].format_map(statement.customer),
        words["item"].format_map(facts),
        words["file"].format_map(asdict(file)),
        *(_examination(each, words) for each in (*statement.examined, *statement.not_examined)),
        *([] if statement.not_examined else [words["all_examined"]]),
        *(words["exception"].format(text=text) for text in statement.exceptions),
        *([] if statement.exceptions else [words["no_exceptions"]]),
        words["dates"].format_map(statement.dates),
        authorized.format_map({**statement.authorized_by, "signer": signer}),
        words["only_this_item"],
    ]


def _examination(examination: Examination, words: Mapping[str, str]) -> str:
    facts = asdict(examination) | {"targets": join_words(examination.targets)}
    line = words["examined" if examination.method else "not_examined"].format_map(facts)
    used = examination.program or {}
    form = "program_of_digest" if "sha256" in used else "program"
    return line + words[form].format_map(used) if used else line


def judge_statements(
    verdict: SignatureVerdict, files: Mapping[str, bytes]
) -> tuple[SignatureVerdict, list[dict[str, Any]]]:
    """Return the verdict with its statements judged, and the statement of each signature.

    A statement is the JSON of its file and its printed lines; None and none if there is none that
    belongs to an authentic document.
    """
    stated = [
        _judge(signature, files)
        if verdict.authentic and signature.statement
        else {"statement": None, "statement_lines": []}
        for signature in verdict.signatures
    ]
    checks = [each.pop("check") for each in stated if "check" in each]
    verdict = replace(verdict, checks=(*verdict.checks, *checks))
    if not all(check.passed for check in checks):
        undated = tuple(replace(each, provable_until="") for each in verdict.signatures)
        verdict = replace(
            verdict, authentic=False, verdict=MISPLACED, signatures=undated, provable_until=""
        )
    return verdict, stated


def _judge(signature: SignedBy, files: Mapping[str, bytes]) -> dict[str, Any]:
    """Return the check of a statement, and the statement if it belongs to the document."""
    value, lines, who = None, [], f"The statement of {signature.name!r}"
    try:
        statement = read_statement(signature.statement.encode())
        faults = find_faults(statement, files, signature.received_sha256)
        detail = f"{who} does not belong to the document: {join_words(faults)}."
    except Unfit as error:
        faults = [error.findings[0].message]
        detail = f"{who} cannot be read: {faults[0]}"
    if not faults:
        detail = f"{who} names this submission, its evidence, this file and every target."
        value = json.loads(signature.statement)
        lines = print_lines(statement, signature.received_sha256, signature.name)
    check = CheckedRule(id="statement", passed=not faults, detail=detail)
    return {"statement": value, "statement_lines": lines, "check": check}
