"""certify as a user has it: the wheel in an environment of its own, a home with nothing in it."""

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from hatchling.builders.wheel import WheelBuilder

from tests.acceptance.command_line import ROOT

UV = Path(sys.executable).with_name("uv")


def build_wheel(folder: Path) -> Path:
    return Path(next(WheelBuilder(str(ROOT)).build(directory=str(folder), versions=["standard"])))


def user_environment(home: Path, *programs: Path) -> dict[str, str]:
    """Return the environment of a user who set nothing; settings of package indexes are kept."""
    kept = ("PIP_", "UV_", "SSL_", "HTTP", "NO_PROXY", "http", "no_proxy")
    return {
        **{name: value for name, value in os.environ.items() if name.startswith(kept)},
        "PATH": os.pathsep.join([*map(str, programs), "/usr/bin", "/bin"]),
        "HOME": str(home),
        "LANG": "C.UTF-8",
    }


@dataclass(frozen=True, slots=True)
class Installed:
    scripts: Path

    def run(
        self, command: str, folder: Path, home: Path, extra: Mapping[str, str]
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["bash", "-c", command],
            cwd=folder,
            env=user_environment(home, self.scripts) | dict(extra),
            capture_output=True,
            encoding="utf-8",
            check=False,
        )


def install_wheel(wheel: Path, folder: Path) -> Installed | str:
    """Install a wheel with the packages of the lock file; return the reason if there are none."""
    python = folder / "bin" / "python"
    pip = [str(UV), "pip", "install", "-q", "--system-certs", "--no-deps", "--python", str(python)]
    locked = [*pip, "--require-hashes", "-r", str(ROOT / "requirements.lock")]
    subprocess.run([UV, "venv", "-q", "--python", sys.executable, folder], check=True)
    for command in ([*locked, "--offline"], locked):  # the cache of uv holds them after a set-up
        got = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
        if not got.returncode:
            subprocess.run([*pip, "--offline", str(wheel)], check=True)
            return Installed(python.parent)
    return f"no package index gave the packages of the lock file: {got.stderr}"
