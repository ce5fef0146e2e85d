"""Both documents of a game: rendered, signed and verified, as a user would in three commands."""

import sys
import tempfile
from pathlib import Path

from certify.cli.app import run


def main() -> None:
    game = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        commands = [
            ["keys", "init-dev", "--if-missing"],
            ["submit", game, "--jurisdiction", "nevada", "--out", str(out)],
        ]
        codes = [run(command) for command in commands]
        codes.append(run(["verify", *map(str, sorted(out.glob("*.pdf")))]))
    if any(codes):
        sys.exit(f"The commands ended with {codes}.")


if __name__ == "__main__":
    main()
