"""Play a whole game with steady bots through the engine protocol in a separate process, and save its log.

    python -m tests.golden.play_golden saves/ten-turns-1880.jsonl --seed 7 --players 7

The bots see only the view of their seat; the same seed gives the same log, byte for byte.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Any

from paxtui.bots.pax import steady
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.position.setup import seats_for
from paxtui.session.tables.loader import load_tables

MOST_ROUNDS = 4000
"""Maximum number of rounds."""


class Refused(Exception):
    """A refusal of the engine, with its code."""

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(f"{error['code']}: {error['message']}")
        self.code = error["code"]


class Engine:
    """`paxtui engine` in a process; a context manager."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "paxtui.cli.main", "engine"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        self._id = 0

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a request; return its result. Raises: Refused."""
        assert self._process.stdin and self._process.stdout
        self._id += 1
        self._process.stdin.write(json.dumps({"id": self._id, "method": method, "params": params}) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        assert answer["id"] == self._id
        if "error" in answer:
            if answer["error"]["code"] == "internal":
                raise AssertionError(f"{method} {params}: {answer['error']['message']}")
            raise Refused(answer["error"])
        result: dict[str, Any] = answer["result"]
        return result

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait(10)


def play_seat(engine: Engine, tables: Tables, seat: str, seed: str, refused: list[str]) -> int:
    """Let the bot act for a seat; return the number of accepted acts."""

    def act(text: str) -> bool:
        try:
            engine.ask("act", seat=seat, text=text)
        except Refused as refusal:
            refused.append(f"{seat}: {text}: {refusal}")
            return False
        return True

    return steady.play_steadily(tables, lambda: engine.ask("view", seat=seat), seat, seed, act)


def call_congress(engine: Engine, seats: list[str]) -> bool:
    """Let the first seat that can call a Congress of Europe do so; return whether one did."""
    for seat in seats:
        calls = [text for text in engine.ask("legal", seat=seat)["texts"] if text.startswith("congress ")]
        if calls:
            engine.ask("act", seat=seat, text=calls[0])
            return True
    return False


def play_game(path: Path, seed: int, players: int, talk: bool = False, congress: bool = False) -> dict[str, Any]:
    """Play one game to its end and save it; return the arbiter's last view.

    Args: the file of the log; the seed of dice and bots; the number of seats; whether to print each turn to stderr;
        whether the first seat that can calls a Congress of Europe, which bots do not.
    """
    tables = load_tables()
    options = {"belgium": "yes"} if players == 8 else {}
    refused: list[str] = []
    forced = 0
    with Engine() as engine:
        engine.ask("new", seed=seed, powers=list(seats_for(players)), options=options)
        for _ in range(MOST_ROUNDS):
            seen = engine.ask("view", seat="arbiter")
            if seen["result"]:
                break
            if not seen["waiting"]:
                if talk and seen["phase"] == "random_events":
                    scores = " ".join(f"{p[:2]}{row['victory_points']}" for p, row in seen["powers"].items())
                    print(seen["year"], seen["indexes"], scores, file=sys.stderr)
                engine.ask("act", seat="arbiter", text="advance")
                continue
            if congress and seen["phase"] == "negotiation" and call_congress(engine, seen["waiting"]):
                congress = False
                continue
            done = sum(play_seat(engine, tables, seat, f"{seed}/{seat}", refused) for seat in seen["waiting"])
            if not done:
                forced += 1
                engine.ask("act", seat="arbiter", text="advance!")
        else:
            raise AssertionError("the game does not end")
        engine.ask("save", path=str(path))
        engine.ask("quit")
    if talk:
        print(f"{len(refused)} texts refused, {forced} times forced", file=sys.stderr)
        for line in refused[:20]:
            print("  " + line, file=sys.stderr)
    return seen


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("path", type=Path)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--players", type=int, default=7)
    args = parser.parse_args()
    seen = play_game(args.path, args.seed, args.players, talk=True)
    print(seen["year"], seen["result"], args.path.stat().st_size, "bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
