"""The exercises that are kept in `saves/exercises/`, played from their scripts through the engine protocol.

    python -m tests.empires.kept

plays them anew, which is right until their version is released. A script has a line for each order, "power: order",
after lines that name its exercise and the seed of its dice.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from paxtui.table.protocol import EngineSession
from paxtui.table.tables import load_tables

SCRIPTS = Path(__file__).parent / "scripts"
SAVES = Path(__file__).parents[2] / "saves" / "exercises"


def names() -> list[str]:
    """The games that are kept."""
    return sorted(path.stem for path in SCRIPTS.glob("*.txt"))


def played(name: str, path: Path) -> dict[str, Any]:
    """Play a game to its end and write its log; where it stands then. No order of a script is refused."""
    lines = (SCRIPTS / f"{name}.txt").read_text("utf-8").splitlines()
    about = dict(line[2:].partition(": ")[::2] for line in lines if line.startswith("# ") and ": " in line)
    session = EngineSession(load_tables())

    def ask(method: str, **params: Any) -> dict[str, Any]:
        answer = json.loads(session.handle(json.dumps({"method": method, "params": params})))
        assert "result" in answer, (params, answer)
        result: dict[str, Any] = answer["result"]
        return result

    standing = ask("new", game="empires", exercise=about["exercise"], seed=about["seed"])
    for line in lines:
        if line and not line.startswith("#"):
            seat, _, text = line.partition(": ")
            standing = ask("act", seat=seat, text=text)
    ask("save", path=str(path))
    return standing


if __name__ == "__main__":
    SAVES.mkdir(exist_ok=True)
    for each in names():
        file = SAVES / f"{each}.jsonl"
        file.unlink(missing_ok=True)
        print(each, played(each, file)["result"])
