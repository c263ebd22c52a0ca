"""Scripts of two Chinese Rebellions, played through the engine protocol with the views and menus of the seats.

All seats have the same plan: attack if it is strong enough or forced, and march to an Area that can be beaten.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from paxtui.games.pax.position.setup import seats_for
from paxtui.games.pax.state.pieces import CONTROL
from paxtui.session.tables.loader import load_tables
from tests.golden.play_golden import Engine, Refused

POSITION = Path(__file__).with_name("rebellion.toml")
TABLES = load_tables()
WON, LOST = 5, 5
"""Seeds of the saved games."""

MOST_ACTS = 1000
"""Maximum number of acts."""
ODDS = 2
"""Required strength of an army that marches to an Area, as a multiple of the strength there."""

View = dict[str, Any]
Answer = Callable[[str, dict[str, Any]], str]
"""The answer of a seat to a choice, "" for the default."""


def fight(engine: Engine, answer: Answer, marches: bool = True) -> View:
    """Play the War Phase of a Rebellion to its end. Returns: the final view of the arbiter."""
    for _ in range(MOST_ACTS):
        seen = engine.ask("view", seat="arbiter")
        if seen["phase"] not in ("chinese_resentment", "war") or seen["result"]:
            return seen
        if seen["pending"]:
            choice = seen["pending"][0]
            text = answer(choice["seat"], choice) or _text(choice["default"])
            engine.ask("act", seat=choice["seat"], text=f"choose {choice['id']} {text}")
        elif seen["waiting"]:
            _act(engine, seen["waiting"][0], marches)
        else:
            engine.ask("act", seat="arbiter", text="advance")
    raise AssertionError("the Rebellion does not end")


def _text(default: str | list[str]) -> str:
    return default if isinstance(default, str) else ", ".join(default)


def _act(engine: Engine, seat: str, marches: bool) -> None:
    """One act of an awaited seat: an attack, else a march, else a pass."""
    seen = engine.ask("view", seat=seat)
    legal = engine.ask("legal", seat=seat)
    orders = [text for text in legal["texts"] if "move " not in text]
    attacks = [text for text in orders if " attack " in f" {text}" and "naval" not in text]
    chosen = next((text for text in attacks if "pass" not in orders or _decent(seen, text, seat)), "")
    if not chosen and marches:
        chosen = _march(seen, legal, seat)
    try:
        engine.ask("act", seat=seat, text=chosen or "pass")
    except Refused:
        engine.ask("act", seat=seat, text="pass")


def _strength(units: list[dict[str, Any]], china: bool) -> int:
    return sum(u["strength"] for u in units if u["kind"] == "army" and (u["power"] == "china") == china)


def _decent(seen: View, text: str, seat: str) -> bool:
    """Whether the armies of the Alliance in an Area are stronger than the Chinese ones there."""
    units = seen["areas"].get(text.split()[-1], {}).get("units", [])
    return _strength(units, china=False) > _strength(units, china=True)


def _march(seen: View, legal: dict[str, Any], seat: str) -> str:
    """A march of the strongest army that is free to an Area of China that it can beat; "" for none."""
    moves = [move for move in legal["moves"] if move["kind"] == "army"]
    for move in sorted(moves, key=lambda m: -max(int(u[1:]) for u in m["units"])):
        best = max(move["units"], key=lambda u: int(u[1:]))
        for place in (end["place"] for end in move["ends"] if end["place"] in seen["areas"]):
            units = seen["areas"][place]["units"]
            foes, friends = _strength(units, china=True) + _resistance(seen, place), _strength(units, china=False)
            if foes and int(best[1:]) + friends >= ODDS * foes:
                prefix = "" if move["power"] == seat else f"{move['power']}: "
                return f"{prefix}move {best} {move['start']} > {place}"
    return ""


def _resistance(seen: View, area: str) -> int:
    """Combat Strength of an uncontrolled and undefeated Area of China, 0 for others."""
    row = TABLES.areas[area]
    held = any(m["marker"] in CONTROL for m in seen["areas"][area]["markers"])
    return 0 if held or not row.type.startswith("chinese") or area in seen["wars"][0]["defeated"] else row.strength


# The saved games


def begin(engine: Engine, seed: int, dice: list[int], garrisons: int = 0) -> None:
    """Start a game of seven just before a Rebellion.

    dice: three for the check, one for the number of Armies, two for each; garrisons: strength points of the one army in
    each Area, 0 for those of the position.
    """
    patch = tomllib.loads(POSITION.read_text("utf-8"))
    for area in patch["areas"].values():
        if garrisons and area["units"]:
            area["units"] = [{**area["units"][0], "strength": garrisons}]
    engine.ask("new", seed=seed, powers=list(seats_for(7)), options={"counter_limits": "unlimited"})
    engine.ask("position", patch=patch)
    engine.ask("dice", queue=dice)


def play_won(path: Path) -> None:
    """A Rebellion of three Armies that the Powers defeat; three of them demand an Area."""

    taken: set[str] = set()

    def demands(seat: str, choice: dict[str, Any]) -> str:
        if choice["kind"] == "cession":
            free = [text for text in choice["options"] if text.split()[-1] not in taken | {"none"}]
            taken.update(text.split()[-1] for text in free[:1])
            return free[0] if free else ""
        return "sign" if choice["kind"] == "cessions" else ""

    with Engine() as engine:
        begin(engine, WON, [1, 1, 1, 3, 3, 2, 1, 4, 6, 6])
        seen = fight(engine, demands)
        assert seen["indexes"]["chinese_resentment"] > 0, "nothing has been ceded"
        engine.ask("save", path=str(path))
        engine.ask("quit")


def play_lost(path: Path) -> None:
    """A Rebellion of six Armies against Powers that do not move: China drives them out."""
    with Engine() as engine:
        begin(engine, LOST, [1, 1, 1, 6, 3, 2, 1, 4, 6, 6, 3, 4, 5, 4, 5, 6], garrisons=3)
        seen = fight(engine, lambda seat, choice: "", marches=False)
        china = ("burma", "hong_kong", "indochina", "shan_tung", "korea", "manchuria", "fukien")
        assert all(seen["areas"][area]["markers"] == [] for area in china)
        engine.ask("save", path=str(path))
        engine.ask("quit")
