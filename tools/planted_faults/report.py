"""What came of each fault: kept line by line, so that a run can go on where it stopped, and printed as a table."""

from __future__ import annotations

import hashlib
import json
import tomllib
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

from tools.planted_faults.planting import Fault
from tools.planted_faults.trial import CAUGHT, QUICK, SURVIVED, Verdict

EQUIVALENT = "equivalent"


class Misuse(Exception):
    """The command cannot do what is asked; the text says why."""


class Equivalent(NamedTuple):
    """A fault that changes nothing: a file, its line as it is and as it would be, both without blanks around."""

    file: str
    before: str
    after: str


def equivalents(path: Path) -> dict[Equivalent, str]:
    """The reason of each fault that is called equivalent. Raises: Misuse: one without a reason."""
    if not path.exists():
        return {}
    found = {}
    for row in tomllib.loads(path.read_text("utf-8")).get("fault", []):
        if not str(row.get("reason", "")).strip():
            raise Misuse(f"{path.name}: the fault {row.get('after', '?')!r} has no reason")
        found[Equivalent(row["file"], row["before"].strip(), row["after"].strip())] = row["reason"]
    return found


def excused(fault: Fault, known: dict[Equivalent, str]) -> str:
    """Return why a fault changes nothing, "" if no reason is known."""
    return known.get(Equivalent(fault.file, fault.before.strip(), fault.after.strip()), "")


class Results:
    """Verdicts by fault, in a file that a run goes on with; without a file they are only remembered.

    Args: the file; what the run is about: verdicts of another one are refused.

    Raises: Misuse: the file is of another run.
    """

    def __init__(self, path: Path | None, about: dict[str, Any]) -> None:
        self.path, self.verdicts = path, dict[str, Verdict]()
        if path is not None and path.exists():
            first, *rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
            if first != about:
                changed = ", ".join(sorted(key for key in about if first.get(key) != about[key]))
                raise Misuse(f"{path} is of another run: {changed} differs; name another file")
            self.verdicts = {row["fault"]: Verdict(row["result"], row["by"], row.get("tier", "")) for row in rows}
        elif path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(about) + "\n", "utf-8")

    def keep(self, fault: Fault, verdict: Verdict) -> None:
        """Remember a verdict."""
        self.verdicts[key(fault)] = verdict
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"fault": key(fault), **verdict._asdict()}) + "\n")

    def of(self, fault: Fault) -> Verdict | None:
        """The verdict on a fault, None where it has not been tried."""
        return self.verdicts.get(key(fault))


def key(fault: Fault) -> str:
    """A fault as one text."""
    return json.dumps(asdict(fault), sort_keys=True)


def digest(root: Path, places: list[str]) -> str:
    """A number of every file under some directories, to tell whether the tree has changed."""
    found = hashlib.sha256()
    for place in sorted(places):
        for path in sorted((root / place).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                found.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    return found.hexdigest()[:16]


def row(fault: Fault, verdict: Verdict) -> str:
    """A fault and its verdict, on two lines."""
    tier = f" ({verdict.tier})" if verdict.tier else ""
    said = f"caught by {verdict.by}{tier}" if verdict.result == CAUGHT else f"{verdict.result} ({verdict.by})"
    return f"{fault.place}  {fault.kind}  {said}\n    {fault.before.strip()}  ->  {fault.after.strip() or '(nothing)'}"


def summary(verdicts: list[Verdict]) -> str:
    """How many were caught, by the quick tier too, survived, and are called equivalent."""
    quick = sum(verdict.tier == QUICK for verdict in verdicts)
    count = {result: sum(v.result == result for v in verdicts) for result in (CAUGHT, SURVIVED, EQUIVALENT)}
    texts = {CAUGHT: f"{CAUGHT} ({quick} by the quick tier)"}
    return ", ".join(f"{n} {texts.get(result, result)}" for result, n in count.items() if n or result == CAUGHT)
