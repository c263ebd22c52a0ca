"""Dialogues with the engine protocol, recorded as digests, to check that moved code gives the same answers.

    python -m tests.golden.dialogues record              write dialogues.tsv beside this module
    python -m tests.golden.dialogues compare             list the changed steps; exit 1 if there are any
    python -m tests.golden.dialogues record --texts DIR  also save the full answers, to see what has changed

The four oldest games in `saves/` are replayed act by act. After each `STRIDE` lines the game is loaded again from the
log, so that an act that is decided differently affects only these lines. All seats request their view, legal orders
and events; then some legal orders are tried. Walks from positions set by a patch follow, with diplomatic orders among
the acts. This module contains no rules: it sends requests and records the answers.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from paxtui.games.pax.position.setup import seats_for
from paxtui.session.protocol import EngineSession

HERE = Path(__file__).parent
RECORDED = HERE / "dialogues.tsv"
SAVES = tuple(
    HERE.parents[1] / "saves" / f"{name}.jsonl"
    for name in ("congress-eight-seats", "ten-turns-1880", "ten-turns-belgium", "ten-turns-four-players")
)
STRIDE = 20
"""Number of lines between two requests of all views."""

TRIED = 6
"""Number of legal acts tried each time."""

WATCHERS = ("arbiter", "spectator")
SEVEN = list(seats_for(7))
_DESCRIPTION = re.compile(r'"description":"(?:[^"\\]|\\.)*",?')


class Row(NamedTuple):
    """An answer: its dialogue, step and request."""

    dialogue: str
    step: str
    request: str
    answer: str


CAUSES = [
    {"holder": holder, "against": against, "area": area, "cause": "control_conflict"}
    for area, sides in (("tunis", ("france", "italy")), ("kenya", ("britain", "germany")))
    for holder, against in (sides, sides[::-1])
]
DISPUTED: dict[str, Any] = {
    "phase": "negotiation",
    "turn": 3,
    "powers": {name: {"treasury": 60} for name in SEVEN},
    "areas": {
        area: {
            "markers": [{"power": power, "marker": "protectorate"} for power in powers],
            "units": [{"power": power, "kind": "army", "strength": 3} for power in powers],
        }
        for area, powers in (("tunis", ("france", "italy")), ("kenya", ("britain", "germany")))
    },
    "casus_belli": CAUSES,
}
REVOLT: dict[str, Any] = {
    "phase": "colonial_combat",
    "areas": {
        "manchuria": {
            "unrest": True,
            "markers": [{"power": "russia", "marker": "protectorate", "established": False}],
            "units": [
                {"power": "russia", "kind": "army", "strength": 10},
                {"power": "russia", "kind": "army", "strength": 3},
            ],
        },
        "egypt": {
            "unrest": True,
            "markers": [{"power": "france", "marker": "possession"}, {"power": "italy", "marker": "interest"}],
            "units": [{"power": "france", "kind": "army", "strength": 1}],
        },
    },
    "homes": {"russia": {"units": []}},
    "powers": {name: {"treasury": 40} for name in SEVEN},
    "indexes": {"european_tensions": 12, "chinese_resentment": 30},
}
POOR: dict[str, Any] = {
    "phase": "administrative",
    "turn": 4,
    "powers": {name: {"treasury": 0} for name in SEVEN},
    "areas": {"egypt": {"markers": [{"power": "italy", "marker": "possession"}]}},
    "casus_belli": CAUSES[:2],
}
POSITIONS: dict[str, tuple[list[str], dict[str, str], dict[str, Any]]] = {
    "start": (SEVEN, {}, {}),
    "start of four": (list(seats_for(4)), {"edition": "1993"}, {}),
    "start with switches": (SEVEN, {"ottoman_expansion": "yes", "balkan_routes": "yes", "cri_per_phase": "sheet"}, {}),
    "disputes": (SEVEN, {}, DISPUTED),
    "disputes of five": (list(seats_for(5)), {"transfer_raises_eti": "yes"}, DISPUTED),
    "congress": (SEVEN, {}, tomllib.loads((HERE / "congress.toml").read_text("utf-8"))),
    "revolt": (SEVEN, {}, REVOLT),
    "deficit": (SEVEN, {}, POOR),
    "movement": (SEVEN, {}, {**DISPUTED, "phase": "movement"}),
    "markers": (SEVEN, {}, {**DISPUTED, "phase": "marker_adjustment", "indexes": {"european_tensions": 95}}),
    "last turn": (SEVEN, {}, {**DISPUTED, "turn": 10, "phase": "victory_point_record"}),
    "impossible": (SEVEN, {}, {"turn": 99, "areas": {"atlantis": {}, "tunis": {"codominion": ["france"]}}}),
}
"""Seats, options and patch of each walk."""

WALK = 60
"""Number of acts in a walk."""

WORDS = (
    "treaty Rome with italy: defensive until 1892; no marker by france in kenya, uganda; secret france pays italy 5",
    "treaty Paris with france public: non-aggression; france leaves tunis; france pays italy 5 every turn until 1892",
    "treaty Kiel with britain: germany builds N10 by 1888; britain grants germany protectorate in uganda",
    "treaty League with france, germany: at most 4 army by russia in persia; italy votes yes; shared cause",
    "propose with italy: italy leaves tunis; france pays italy 15",
    "propose Paris: codominion of tunis with france, italy",
    "propose with germany: britain lowers kenya to influence",
    "pay italy 5",
    "pay germany 7",
    "codominion tunis with france italy",
    "transfer tunis to italy",
    "transfer tunis to france",
    "congress germany",
    "congress italy",
    "dispatch to germany: what is it worth to you?",
    "dispatch to france, italy opens 1884: not yet",
    "proclaim: peace with honour",
    "waive cb1",
    "defend italy tunis",
    "judge x 1 no",
    "lapse x",
    "build A3 N3 baltic",
    "move A3 home > tunis",
    "move N3 home > egypt",
    "garrison",
    "fight manchuria",
    "decline egypt",
    "unready",
    "garble",
)
"""Orders that are mixed into a walk, legal or not."""


class Dialogue:
    """A session of the protocol that keeps its answers."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.rows: list[Row] = []
        self._session = EngineSession()

    def ask(self, step: str, method: str, **params: Any) -> dict[str, Any]:
        """Send a request, keep its answer under a step, and return it (`result` or `error`)."""
        request = json.dumps({"id": 0, "method": method, "params": params})
        text = self._session.handle(request)
        seat = params.get("seat", "")
        self.rows.append(Row(self.name, step, f"{method} {seat}".strip(), text))
        answer: dict[str, Any] = json.loads(text)
        return answer

    def ask_everything(self, step: str, since: int) -> dict[str, Any]:
        """Request the position, and view, legal orders and events of each seat; return the arbiter's view."""
        self.ask(step, "position")
        seen: dict[str, Any] = self.ask(step, "view", seat="arbiter")["result"]
        for seat in [*seen["powers"], *WATCHERS]:
            self.ask(step, "view", seat=seat)
            self.ask(step, "legal", seat=seat)
            self.ask(step, "events", seat=seat, since=since)
        return seen

    def random_order(self, step: str, random: Random, seat: str) -> str:
        """Return a random legal order of a seat; `advance!` if there is none."""
        texts = self.ask(step, "legal", seat=seat)["result"]["texts"]
        return random.choice(texts) if texts else "advance!"


def replay(path: Path) -> Iterator[Row]:
    """Replay a game of `saves/` act by act."""
    lines = path.read_text("utf-8").splitlines(keepends=True)
    talk = Dialogue(path.stem)
    talk.ask("whole", "load", path=str(path))
    talk.ask_everything("whole", 1)
    with tempfile.TemporaryDirectory() as directory:
        part = Path(directory) / "game.jsonl"
        for first in range(1, len(lines), STRIDE):
            part.write_text("".join(lines[:first]), "utf-8")
            talk.ask(f"{first}", "load", path=str(part))
            for n, line in enumerate(lines[first : first + STRIDE], first + 1):
                raw = json.loads(line)
                talk.ask(f"{n}", "act", seat=raw["seat"], action=raw["action"])
            seen = talk.ask_everything(f"{first} on", first)
            random = Random(f"{path.stem} {first}")
            for attempt in range(TRIED):
                seat = random.choice(seen["waiting"] or ["arbiter"])
                step = f"{first} tried {attempt}"
                talk.ask(step, "act", seat=seat, text=talk.random_order(step, random, seat))
    yield from talk.rows


def walk(name: str) -> Iterator[Row]:
    """Walk from a position set by a patch."""
    seats, options, patch = POSITIONS[name]
    talk = Dialogue(name)
    random = Random(name)
    talk.ask("0", "new", seed=name, powers=seats, options=options)
    talk.ask("0", "position", patch=patch)
    talk.ask("0", "dice", queue=[random.randint(1, 6) for _ in range(6)])
    for n in range(1, WALK + 1):
        seen = talk.ask_everything(f"{n}", 1) if n % STRIDE == 1 else talk.ask(f"{n}", "view", seat="arbiter")["result"]
        waiting = seen["waiting"]
        if not waiting or random.random() < 0.08:
            talk.ask(f"{n}", "act", seat="arbiter", text=random.choice(["advance", "advance!", "step"]))
            continue
        seat = random.choice(waiting)
        made = [treaty["id"] for treaty in seen["treaties"]]
        chosen = random.random()
        if chosen < 0.3:
            text = random.choice(WORDS)
        elif made and chosen < 0.6:
            words = ("sign {}", "sign {}", "sign {}", "reject {}", "reveal {}", "charge {} 1 france", "renounce {}")
            text = random.choice(words).format(random.choice(made))
        else:
            text = talk.random_order(f"{n}", random, seat)
        talk.ask(f"{n}", "act", seat=seat, text=text)
    talk.ask_everything("end", 1)
    yield from talk.rows


def dialogues() -> Iterator[Row]:
    """Yield the rows of all dialogues."""
    talk = Dialogue("schema")
    talk.ask("all", "schema")
    for row in talk.rows:  # descriptions are docstrings and do not count
        yield row._replace(answer=_DESCRIPTION.sub("", row.answer))
    for path in SAVES:
        yield from replay(path)
    for name in POSITIONS:
        yield from walk(name)


def digests(rows: list[Row]) -> list[str]:
    """Return a line for each step of each dialogue, with a digest of its answers."""
    steps: dict[str, list[str]] = {}
    for row in rows:
        steps.setdefault(f"{row.dialogue}\t{row.step}", []).append(f"{row.request}\t{row.answer}\n")
    return [
        f"{step}\t{sha256(''.join(answers).encode('utf-8', 'replace')).hexdigest()[:10]}"
        for step, answers in steps.items()
    ]


def keep_texts(rows: list[Row], directory: Path) -> None:
    """Write the full answers, one file for each dialogue."""
    directory.mkdir(parents=True, exist_ok=True)
    for name in dict.fromkeys(row.dialogue for row in rows):
        text = "".join(f"{r.step}\t{r.request}\t{r.answer}\n" for r in rows if r.dialogue == name)
        (directory / f"{name.replace(' ', '-')}.txt").write_text(text, "utf-8")


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("record", "compare"))
    parser.add_argument("--texts", type=Path, help="directory for the answers in full")
    args = parser.parse_args()
    rows = list(dialogues())
    if args.texts:
        keep_texts(rows, args.texts)
    now = digests(rows)
    if args.what == "record":
        RECORDED.write_text("".join(line + "\n" for line in now), "utf-8")
        print(f"{len(rows)} answers in {len(now)} steps")
        return 0
    then = RECORDED.read_text("utf-8").splitlines()
    changed = [f"- {a}\n+ {b}" for a, b in zip(then, now, strict=False) if a != b]
    print(*changed[:40], sep="\n", end="\n" if changed else "")
    print(f"{len(rows)} answers in {len(now)} steps, {len(then)} recorded, {len(changed)} changed")
    return int(bool(changed) or len(then) != len(now))


if __name__ == "__main__":
    sys.exit(main())
