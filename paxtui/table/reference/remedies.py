"""What would make legal what was refused: one sentence for each code of a refusal."""

from __future__ import annotations

from functools import cache

from paxtui.engine.refusal import Refusal
from paxtui.table.tablefiles.sources import shipped_text
from paxtui.table.tablefiles.text import TableError

FILE = "remedies.tsv"

OF_EXERCISES = "empires/remedies.tsv"
"""What is said otherwise, or besides, in an exercise of Empires in Arms."""


@cache
def load_remedies(file: str = FILE) -> dict[str, str]:
    """The sentence of each code in a file of remedies.

    Raises:
        TableError: the file is broken.
    """
    found: dict[str, str] = {}
    for number, line in enumerate(shipped_text(file).split("\n"), 1):
        if number == 1 or not line:
            continue
        code, tab, sentence = line.partition("\t")
        if not tab or not sentence or "\t" in sentence:
            raise TableError(file, number, "a code and a sentence are expected (with one tab between)")
        if code in found:
            raise TableError(file, number, f"'{code}' is given twice (each code once)")
        found[code] = sentence
    return found


def remedy_of_code(code: str, file: str = FILE) -> str:
    """What would make it legal, "" where nothing is known of the code. Exercises say first what is theirs."""
    return load_remedies(file).get(code) or load_remedies().get(code, "")


def remedy_of(refusal: Refusal, file: str = FILE) -> str:
    """What would make legal what was refused; where several things stand in the way, all of it."""
    codes = refusal.detail.get("problems", ())
    known = [c for c in codes if isinstance(c, str) and c in load_remedies()] if isinstance(codes, list) else []
    return " ".join(dict.fromkeys(remedy_of_code(c, file) for c in known or [refusal.code]))
