"""A report as JUnit XML, which most continuous integration reads."""

import re
from collections.abc import Iterable
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from certify.cli.formats.as_text import finding_text
from certify.cli.formats.report import Report
from certify.model.finding import Finding

_illegal = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]").sub
"""Source: XML 1.0, fifth edition, section 2.2."""


def render(report: Report) -> str:
    """Return a suite for each file: a case for each finding, or one that passes.

    What does not make the command exit 1 is a case that passes, with the finding as its output.
    """
    by_file: dict[str, list[Finding]] = {name: [] for name in report.checked}
    for finding in report.findings:
        by_file.setdefault(finding.file, []).append(finding)
    suites = [_suite(report, name, findings) for name, findings in by_file.items()]
    if report.stop is not None:
        suites.append(_stopped(report.stop.message, report.stop.remedy))
    root = Element("testsuites", {"name": "certify", **_sums(suites)})
    root.extend(suites)
    for remark in report.remarks:
        SubElement(root, "system-out").text = remark
    indent(root)
    _legal(root)
    # In ASCII, so that the stream's own encoding does not matter.
    data: bytes = tostring(root, encoding="us-ascii", xml_declaration=True)
    return data.decode("ascii")


def _legal(root: Element) -> None:
    """Put a replacement character for what XML cannot hold; a faulty file may show anything."""
    for element in root.iter():
        element.text = element.text and _illegal("\ufffd", element.text)
        for name, value in element.items():
            element.set(name, _illegal("\ufffd", value))


def _suite(report: Report, name: str, findings: list[Finding]) -> Element:
    failures = sum(map(report.fails, findings))
    suite = _empty_suite(name, tests=max(len(findings), 1), failures=failures)
    if not findings:
        SubElement(suite, "testcase", name="check", classname=name)
    for finding in findings:
        case = SubElement(
            suite,
            "testcase",
            name=f"{finding.code} {finding.pointer or '/'}",
            classname=name,
            file=finding.file,
            line=str(finding.line),
        )
        if report.fails(finding):
            SubElement(
                case, "failure", type=str(finding.severity), message=finding.message
            ).text = finding_text(finding)
        else:
            SubElement(case, "system-out").text = finding_text(finding)
    return suite


def _stopped(message: str, remedy: str) -> Element:
    suite = _empty_suite("certify", tests=1, errors=1)
    case = SubElement(suite, "testcase", name="run", classname="certify")
    SubElement(case, "error", type="stopped", message=message).text = remedy
    return suite


def _empty_suite(name: str, *, tests: int, failures: int = 0, errors: int = 0) -> Element:
    return Element(
        "testsuite",
        name=name,
        tests=str(tests),
        failures=str(failures),
        errors=str(errors),
        skipped="0",
    )


def _sums(suites: Iterable[Element]) -> dict[str, str]:
    kinds = ("tests", "failures", "errors")
    return {kind: str(sum(int(suite.attrib[kind]) for suite in suites)) for kind in kinds}
