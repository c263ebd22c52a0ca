"""Compare results with recordings: text files next to the tests, one result a line.

After an intended change, renew them and read the diff: PAXTUI_RECORD=1 python -m pytest FILE
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from difflib import unified_diff
from pathlib import Path
from typing import Any

import pytest

from paxtui.engine.refusal import Refusal

MAX_DIFF_LINES = 60
"""Maximum number of diff lines that a failure prints."""


def same_as_recorded(path: Path, lines: Iterable[str], is_xml: bool = False) -> None:
    """Compare lines with a recording, or renew it when PAXTUI_RECORD is set. A difference fails with a diff.

    Args: the file; the lines; whether they are XML: the diff has a line for each element.
    """
    found = [line.replace("\n", " / ") for line in lines]
    if os.environ.get("PAXTUI_RECORD"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{line}\n" for line in found), "utf-8")
    recorded = path.read_text("utf-8").split("\n")[:-1] if path.exists() else []
    if found != recorded:
        texts = ["\n".join(text).replace("><", ">\n<" if is_xml else "><").split("\n") for text in (recorded, found)]
        diff = list(unified_diff(*texts, "recorded", "now", n=1, lineterm=""))
        more = [f"... and {len(diff) - MAX_DIFF_LINES} lines more"] if len(diff) > MAX_DIFF_LINES else []
        test = os.environ.get("PYTEST_CURRENT_TEST", "FILE").partition("::")[0]
        renew = f"If the change is intended: PAXTUI_RECORD=1 python -m pytest -m '' {test}"
        pytest.fail("\n".join([f"{path} differs:", *diff[:MAX_DIFF_LINES], *more, renew]), pytrace=False)


def answer(function: Callable[..., Any], *args: Any) -> str:
    """Return the result of a call in one line; of a refusal its code, rules, message and detail."""
    try:
        return repr(function(*args))
    except Refusal as refusal:
        return f"refused: {refusal.code} {' '.join(refusal.rules)}: {refusal.message} {refusal.detail or ''}".rstrip()
