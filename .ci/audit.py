"""Asks the index for known advisories against requirements.lock: ``python .ci/audit.py``.

An advisory ends it with 1, unless ``advisories.json`` beside this file lists its id with a reason.
Where the index gives no answer for a package, that is said, and it ends with 0; with ``--release``
it ends with 1, because a release is not made of packages that nobody audited.
"""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SECONDS = 120
"""For all packages; an index that answers at all does so within seconds."""


def judge(
    report: Mapping[str, Any], accepted: Mapping[str, str], *, release: bool = False
) -> tuple[int, list[str]]:
    """Return the exit code and what to say of a report of pip-audit.

    Args:
        report: its JSON. A package that the index does not know is skipped there and is no error,
            although nothing is known of it: it counts as not audited here.
        accepted: reasons by the id of an advisory, or by another name of it.
        release: fail if a package was not audited.
    """
    packages = report["dependencies"]
    skipped = [package["name"] for package in packages if "skip_reason" in package]
    code, said = 0, []
    for package in packages:
        for advisory in package.get("vulns", ()):
            names = [advisory["id"], *advisory.get("aliases", ())]
            reason = next((accepted[name] for name in names if name in accepted), None)
            if reason is None:
                code = 1
            said.append(
                f"{package['name']} {package['version']}: {advisory['id']}, "
                + (f"accepted: {reason}" if reason else "not accepted in .ci/advisories.json")
            )
    said.append(f"{len(packages) - len(skipped)} of {len(packages)} packages were audited.")
    if skipped:
        code = max(code, int(release))
        names = ", ".join(skipped) if len(skipped) < len(packages) else "any package"
        said.append(f"NOT AUDITED, the index has no advisory data of {names}")
    return code, said


def asked() -> dict[str, Any] | str:
    """Return the report of pip-audit, or why there is none."""
    command = [sys.executable, "-m", "pip_audit", "--requirement", "requirements.lock"]
    command += ["--disable-pip", "--require-hashes", "--format", "json"]
    command += ["--progress-spinner", "off", "--timeout", "10"]
    try:
        ended = subprocess.run(  # noqa: S603 - our own command
            command, cwd=HERE.parent, capture_output=True, text=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return f"no answer within {SECONDS} s"
    try:
        report: dict[str, Any] = json.loads(ended.stdout)
    except ValueError:
        told = ended.stderr.strip().splitlines()
        return told[-1] if told else f"pip-audit ended with {ended.returncode}"
    return report


def main(arguments: list[str]) -> int:
    """Audit, and say what came of it."""
    release = arguments == ["--release"]
    report = asked()
    if isinstance(report, str):
        sys.stdout.write(f"audit: NOT AUDITED, the index cannot be asked: {report}\n")
        return int(release)
    accepted = json.loads((HERE / "advisories.json").read_text(encoding="utf-8"))
    code, said = judge(report, accepted, release=release)
    sys.stdout.writelines(f"audit: {line}\n" for line in said)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
