"""Record the texts of the engine in the tests of rules. See the docstring of the package."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.rules.recorded_texts.comparison import DIRECTORY_VARIABLE, FILES, HERE, recorded_lines


def main(tests: list[str]) -> int:
    """Run tests and record their lines. With test files as arguments the known lines are kept."""
    for kind in FILES:
        (HERE / f"{kind}.tsv").touch()
    with tempfile.TemporaryDirectory(prefix="texts-") as name:
        words = [sys.executable, "-m", "pytest", "-q", "-m", "", *(tests or [str(HERE.parent)])]
        code = subprocess.run(words, env={**os.environ, DIRECTORY_VARIABLE: name}).returncode
        if code:
            print("Tests fail: nothing was recorded.")
            return code
        for kind in FILES:
            fresh = {line for path in Path(name).glob(f"{kind}.*") for line in path.read_text("utf-8").split("\n")}
            before = recorded_lines(kind) if tests else frozenset[str]()
            lines = sorted((before | fresh) - {""})
            (HERE / f"{kind}.tsv").write_text("".join(f"{line}\n" for line in lines), "utf-8")
            print(f"{kind}.tsv: {len(lines)} lines")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
