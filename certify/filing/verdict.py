"""Verdict on a filing as a unit: its documents, and the files that they state."""

import hashlib
import io
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import permutations
from pathlib import Path, PurePath
from typing import Annotated, Any

from certify import library, storage
from certify.errors import CertifyError, NothingChecked, naming
from certify.filing.evidence import COMPLETE, EVIDENCE, INTERNAL_FILES, LABEL, MANIFEST
from certify.filing.identities import VerifyOptions
from certify.filing.verify import VerifiedFile, verify_file
from certify.intake.strict_json import strict_value
from certify.model.encoding import encode_object, pick_values
from certify.model.request import Result, argument
from certify.received.files import walk
from certify.signatures.verify import CheckedRule, embedded_files
from certify.storage import LOCK

Answer = dict[str, Any]
Read = Callable[[], bytes]
Verify = Callable[[str, bytes], VerifiedFile]
Facts = Mapping[str, Any]
Group = Sequence[tuple[VerifiedFile, Facts]]
"""The documents of a filing, each with what it states of its submission."""

IDENTITY = ("submission", "game", "jurisdiction", "status")
DIGEST = "evidence_sha256"
FOREIGN = (KeyError, TypeError, ValueError, AttributeError)
"""Errors of JSON that has another form than certify writes."""


class JudgedFiles(Result, frozen=True, kw_only=True):
    """The answer on each file, and on each filing that several of them belong to.

    ``alone``: one file was named, and its answer is that of the command.
    """

    files: Sequence[VerifiedFile]
    filings: Sequence[Answer] = ()
    alone: bool = False

    @property
    def authentic(self) -> bool:
        """True if every file and every filing passed."""
        return self.exit_code == 0

    @property
    def exit_code(self) -> int:
        """The worst exit code of a file or a filing."""
        return max(
            [int(not all(map(fits, self.filings))), *(file.exit_code for file in self.files)]
        )

    def to_dict(self) -> Answer:
        """Return the object of ``certify verify --format json``."""
        if self.alone:
            return encode_object(self.files[0].answer)
        results = {"results": [file.answer for file in self.files]}
        verdicts = [f"{filing['file']}: {filing['verdict']}" for filing in self.filings]
        checks = [
            {"filing": filing["file"]} | check
            for filing in self.filings
            for check in filing["checks"]
        ]
        return {"verdict": " ".join(verdicts), "checks": checks} | results if verdicts else results


def fits(filing: Answer) -> bool:
    """Return True if a filing passed every required check."""
    return all(check["passed"] or not check["required"] for check in filing["checks"])


def is_filing(path: Path) -> bool:
    """Return True for a folder or a manifest, which name all files of a filing."""
    return path.is_dir() or path.name.endswith(f".{MANIFEST}")


def bind(options: VerifyOptions) -> Verify:
    """Return a function that verifies a file by these options."""
    return partial(
        verify_file,
        **options.read(),
        signer=options.signer,
        countersigners=options.countersigners,
        online=options.online,
    )


class VerifyRequest(VerifyOptions, frozen=True, kw_only=True):
    """Files of `certify verify`, and its requirements."""

    files: Annotated[
        tuple[Path, ...],
        argument("Signed PDF files, folders of filings, or manifests.", "FILE..."),
    ]


def verify(request: VerifyRequest) -> JudgedFiles:
    """Verify signed PDFs, folders of filings and manifests as of now.

    Raises:
        NothingChecked: no file is named, or a folder has no filing.
        CertifyError: a single file cannot be read or has no signature.
    """
    paths = request.files
    if not paths:
        raise NothingChecked(
            "No file is named, so nothing was checked.", remedy="Name a signed PDF or a folder."
        )
    ask = bind(request)
    if len(paths) != 1 or is_filing(paths[0]):
        return verify_paths(paths, ask)
    data = storage.read_bytes(paths[0])
    with naming(paths[0]):
        return JudgedFiles(files=(ask(str(paths[0]), data),), alone=True)


def verify_paths(paths: Sequence[Path], verify: Verify) -> JudgedFiles:
    """Verify files, and the filings of folders and manifests.

    Raises:
        NothingChecked: a folder has no filing.
    """
    wholes = [_list_files(path) for path in paths if is_filing(path)]
    inside = {name for whole in wholes for name in whole}
    single = [path for path in paths if not is_filing(path) and str(path) not in inside]
    judged = [judge_files(whole, verify, whole=True) for whole in wholes]
    rest = judge_files({str(path): partial(storage.read_bytes, path) for path in single}, verify)
    named = {file.name: file for file in rest.files}
    again = [named[str(path)] for path in single if str(path) in named]
    return JudgedFiles(
        files=[file for each in judged for file in each.files] + again,
        filings=[filing for each in (*judged, rest) for filing in each.filings],
    )


def _list_files(path: Path) -> dict[str, Read]:
    """Return the files of a folder, or those that belong to a manifest, with a reader of each."""
    folder, start = (path, "") if path.is_dir() else (path.parent, path.name.removesuffix(MANIFEST))
    return {
        str(each): partial(storage.read_bytes, each)
        for each in walk(folder, 1)
        if each.name.startswith(start) and each.name != LOCK and not each.is_dir()
    }


def judge_files(files: Mapping[str, Read], verify: Verify, *, whole: bool = False) -> JudgedFiles:
    """Verify each PDF, and compare the files of each filing.

    Args:
        files: what reads each file, by its path.
        verify: returns the verdict on a file.
        whole: these are all files, so a filing lacks what is not among them.

    Raises:
        NothingChecked: no file of a filing is among ``whole`` files.
    """
    opened = {
        name: open_document(name, files[name], verify)
        for name in files
        if name.lower().endswith(".pdf")
    }
    documents = {name: facts for name in opened if (facts := read_facts(opened[name]))}
    reports = dict.fromkeys(facts["submission"] for facts in documents.values())
    if whole:
        ends = [PurePath(name).name.partition(f".{MANIFEST}") for name in files]
        reports |= dict.fromkeys(stem for stem, end, _ in ends if end)
        if not reports:
            raise NothingChecked(
                "The folder has no file of a filing, so nothing was checked.",
                remedy="Name the folder, or the manifest, that `certify submit` wrote.",
            )
    readers: dict[str, Read] = {}
    for name in [name for name in files if name not in documents]:
        is_of_filing = _belongs(name, *reports)
        if is_of_filing or whole:
            readers[PurePath(name).name] = files[name]
        elif name not in opened:
            opened[name] = open_document(name, files[name], verify)  # it says that this is no PDF
        if whole and not is_of_filing:
            opened.pop(name, None)
    filings = []
    for report in reports:
        group = [
            (opened[name], each) for name, each in documents.items() if report in each.values()
        ]
        others = {
            name: readers[name]
            for name in readers
            if not _belongs(name, *reports.keys() - {report})
        }
        mixed = _list_mixed(documents, report)
        if whole or mixed or len(group) + len(others) > 1:
            filings.append(_judge(report, group, others, mixed, whole=whole))
    return JudgedFiles(files=[opened[name] for name in files if name in opened], filings=filings)


def _belongs(name: str, *reports: str) -> bool:
    """Return True if a file has the name of one in a filing."""
    return PurePath(name).name.startswith(tuple(f"{report}." for report in reports))


def open_document(name: str, read: Read, verify: Verify) -> VerifiedFile:
    """Return the verdict on a file, or the error that left it without one."""
    data = b""
    try:
        data = read()
        return verify(name, data)
    except CertifyError as error:
        return VerifiedFile(
            data=data, answer={"file": name, "verdict": error.message, "checks": []}, error=error
        )


def read_facts(file: VerifiedFile) -> Facts | None:
    """Return the facts that a document, signed or not, states; None for any other file."""
    try:
        files = file.files or embedded_files(file.data, signed=False)
        label, evidence = strict_value(files[LABEL]), strict_value(files[EVIDENCE])
        return {
            "part": label["part"],
            "submission": label["document"].removesuffix(f".{label['part']}"),
            "game": evidence["order"]["game"],
            "jurisdiction": evidence["order"]["jurisdiction"],
            "status": evidence["status"],
            DIGEST: evidence.get(COMPLETE, _sha256(files[EVIDENCE])),
            "evidence": b"" if COMPLETE in evidence else files[EVIDENCE],
            "workbook": evidence.get("workbook_sha256"),
            "manifest": strict_value(files[MANIFEST]) if MANIFEST in files else None,
        }
    except (CertifyError, *FOREIGN):
        return None


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _list_mixed(documents: Mapping[str, Facts], report: str) -> list[str]:
    """Name the rules of one filing with the mathematics of another, one of which is ``report``."""
    parts = {(facts["submission"], facts["part"]) for facts in documents.values()}
    return [
        f"{name} is of {rules['submission']}, {other} is of {report_of['submission']}"
        for (name, rules), (other, report_of) in permutations(documents.items(), 2)
        if (rules["part"], report_of["part"]) == ("rules", "mathematics")
        and report in (rules["submission"], report_of["submission"])
        and all(rules[key] == report_of[key] for key in ("game", "jurisdiction"))
        and not parts & {(rules["submission"], "mathematics"), (report_of["submission"], "rules")}
    ]


def _judge(
    report: str, group: Group, others: Mapping[str, Read], mixed: Sequence[str], *, whole: bool
) -> Answer:
    """Return the answer on a filing; it has the form of the answer on a file."""
    words = library.words("filing")
    try:
        checks = [
            *_check_documents(group, mixed),
            *_check_files(report, group, others, whole=whole),
        ]
    except (CertifyError, *FOREIGN):
        checks = [_check("malformed", [report])]
    failed = [check.id for check in checks if check.required and not check.passed]
    limits = [words[check.id].get("limit", "") for check in checks if not check.passed]
    if group and all(isinstance(file.error, NothingChecked) for file, _ in group):
        verdict = words["unsigned"]["agrees" if failed == ["documents"] else "differs"]
    elif failed:
        verdict = words[failed[0]]["verdict"]
    else:
        verdict = " ".join([words["whole" if whole else "some"], *filter(None, limits)])
    return {
        "file": report,
        "verdict": verdict,
        "checks": [pick_values(check, "id", "passed", "required", "detail") for check in checks],
    }


def _check(
    id_: str, wrong: Iterable[str], *, required: bool = True, **values: object
) -> CheckedRule:
    """Return a check with the words of its id; see `templates/words/filing.json`."""
    words, faults = library.words("filing")[id_], "; ".join(wrong)
    text = words["differs" if faults else "agrees"].format(wrong=faults, **values)
    return CheckedRule(id=id_, passed=not faults, detail=text, required=required)


def _agree(id_: str, statements: Mapping[str, str]) -> CheckedRule:
    """Return the check that all say the same."""
    wrong = (
        [f"{name}: {text}" for name, text in statements.items()]
        if len({*statements.values()}) > 1
        else ()
    )
    return _check(id_, wrong, stated=next(iter(statements.values()), ""))


def _check_documents(group: Group, mixed: Sequence[str]) -> Iterator[CheckedRule]:
    """Check that the documents are accepted, and of one preparer, filing and evidence."""
    wrong = [f"{file.name}: {file.answer['verdict']}" for file, _ in group if file.exit_code]
    yield _check("documents", wrong if group else ["no document"], number=len(group))
    verdicts = {file.name: file.verdict for file, _ in group if file.verdict}
    if verdicts:
        signers = {name: (each.signer, each.fingerprint) for name, each in verdicts.items()}
        yield _agree(
            "preparer", {name: f"{who!r} (SHA-256 {key})" for name, (who, key) in signers.items()}
        )
    if not all(each.proves_identity for each in verdicts.values()):
        yield _check("identity", ["it"], required=False)
    embedded = [(f"manifest in {file.name}", each["manifest"]) for file, each in group]
    statements = {file.name: facts for file, facts in group} | {
        name: manifest for name, manifest in embedded if manifest is not None
    }
    identities = {
        name: ", ".join(facts[key] for key in IDENTITY) for name, facts in statements.items()
    }
    yield _check("filing", mixed) if mixed else _agree("filing", identities)
    if any(facts["evidence"] for _, facts in group):
        yield _agree("evidence", {name: facts[DIGEST] for name, facts in statements.items()})
    else:
        yield _check("not-compared", ["it"], required=False)


def _check_files(
    report: str, group: Group, others: Mapping[str, Read], *, whole: bool
) -> Iterator[CheckedRule]:
    """Check the manifest against its signed copy, and the files against both."""
    name = f"{report}.{MANIFEST}"
    listed = strict_value(others[name]()) if name in others else {"files": []}
    signed = [facts["manifest"] for _, facts in group if facts["manifest"]]
    theirs = {entry["name"]: entry for entry in listed["files"]}
    ours, differ = _merge_signed(signed) if signed else (theirs, [])
    # The manifest itself is unsigned: it cannot make any other file one of the filing.
    internal_names = {
        f"{report}.{mark}{part}" for part in INTERNAL_FILES for mark in ("", "confidential.")
    }
    internal = {each for each in internal_names & theirs.keys() if theirs[each].get("internal")}
    internal -= ours.keys() if signed else set()
    if not signed:
        yield _check("unsigned-manifest", [name], required=name not in others and whole)
    elif name in others:
        differ += [
            key
            for copy in signed
            for key in (listed.keys() - {"notices"} | copy.keys()) - {"files"}
            if copy.get(key) != listed.get(key)
        ]
        differ += [
            each
            for each in {**ours, **theirs}.keys() - internal
            if each not in ours or theirs.get(each, {}) | ours[each] != theirs.get(each)
        ]
    if differ or (signed and name in others):
        yield _check("manifest", sorted({*differ}))
    # A recipient has no internal file; one that is here is compared with the manifest.
    ours = {each: entry for each, entry in ours.items() if each not in internal}
    ours |= {each: theirs[each] for each in internal if each in others}
    missing = [each for each in ours if each not in others and not _find_copies(group, each)]
    lacking = missing if name in others else [name, *missing]
    wrong = [f"{each} is missing" for each in lacking] if whole else []
    entries = {each: theirs.get(each, {}) | ours[each] for each in ours}
    wrong += [f"{each} is not as stated" for each in _list_changed(group, others, entries)]
    yield _check("files", wrong, number=len(ours) - len(missing))
    yield from _check_evidence(report, group, others)
    loose = sorted(each for each in internal if each in others and not each.endswith(".pdf"))
    if loose and signed:
        yield _check("internal", loose, required=False)
    yield _check("added", [each for each in others if each not in (name, *ours)], required=False)


def _merge_signed(signed: Iterable[Facts]) -> tuple[dict[str, Facts], list[str]]:
    """Return the entries of the signed copies by name, and the names that two state differently."""
    merged: dict[str, Facts] = {}
    differ = []
    for entry in (entry for copy in signed for entry in copy["files"]):
        earlier = merged.get(entry["name"], {})
        merged[entry["name"]] = earlier | entry
        if entry | earlier != earlier | entry:
            differ.append(entry["name"])
    return merged, differ


def _find_copies(group: Group, name: str) -> list[VerifiedFile]:
    """Return a document of the manifest as it was filed, and as others countersigned it."""
    return [file for file, facts in group if name.endswith(f".{facts['part']}.pdf")]


def _list_changed(
    group: Group, others: Mapping[str, Read], entries: Mapping[str, Facts]
) -> Iterator[str]:
    """Yield the files that differ from the manifests; whoever signs later appends to a document."""
    for name, entry in entries.items():
        for file in _find_copies(group, name):
            pages = file.verdict.unsigned_bytes if file.verdict else file.data
            digests = {
                "sha256": _sha256(file.data[: entry.get("bytes")]),
                "unsigned_sha256": _sha256(pages),
            }
            if digests != digests | {key: entry[key] for key in digests.keys() & entry.keys()}:
                yield file.name
        if name in others and _sha256(others[name]()) != entry.get("sha256"):
            yield name


def _check_evidence(report: str, group: Group, others: Mapping[str, Read]) -> Iterator[CheckedRule]:
    """Check the workbook and the kit against the evidence that a document embeds."""
    facts = next((facts for _, facts in group if facts["evidence"]), None)
    if facts is None:
        return
    for name in others:
        if _belongs(name, report) and name.endswith(".par-sheets.xlsx"):
            same = _sha256(others[name]()) == facts["workbook"]
            yield _check("workbook", [] if same else [name])
        elif _belongs(name, report) and name.endswith(".kit.zip"):
            same = _read_kit(others[name](), report) == facts["evidence"]
            yield _check("kit", [] if same else [name])


def _read_kit(data: bytes, report: str) -> bytes:
    """Return the evidence of a kit, which `submit` packs without compression; or else nothing."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as kit:
            path = f"{report}.kit/{EVIDENCE}"
            (entry,) = (each for each in kit.infolist() if each.filename == path)
            return kit.read(entry) if entry.compress_type == zipfile.ZIP_STORED else b""
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, ValueError, EOFError):
        return b""
