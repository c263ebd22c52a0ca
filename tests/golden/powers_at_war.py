"""Wars of Powers that are kept, played through the engine protocol: each seat does the first thing on its list that is
legal, and passes where nothing is.

Spain loses Cuba to the United States and keeps Tunis, where nobody can come; Japan fights Russia while Britain, which
holds the canal, lets neither through and gives no coal; a fourth European Power makes a War the Great War.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from paxtui.pax.position.setup import seats_for
from tests.golden.play_golden import Engine

HERE = Path(__file__).parent
PLAYERS, SEED = 7, 1898
MOST_ACTS = 400
"""Acts after which a War has gone wrong."""
POSITIONS: dict[str, dict[str, Any]] = tomllib.loads((HERE / "powers_at_war.toml").read_text("utf-8"))
"""The position in which each War is about to begin."""

Lists = dict[str, tuple[str, ...]]
"""What each seat does."""
SPAIN: Lists = {
    "united_states": (
        "declare war spain",
        "announce end",
        "attack cuba",
        "move A10 caribbean > cuba",
        "move A3 caribbean > cuba",
        "move A10 home > caribbean",
        "move A3 home > caribbean",
    ),
}
JAPAN: Lists = {
    "japan": (
        "declare war russia",
        "attack manchuria",
        "attack north_china_sea",
        "move A10 korea > manchuria",
        "move A10 A10 korea > manchuria",
        "move A10 north_china_sea > manchuria",
        "move A10 home > north_china_sea",
        "move N10 home > north_china_sea",
    ),
    "russia": ("attack korea", "attack manchuria", "move A3 home > manchuria", "move N3 home > mediterranean"),
    "britain": ("deny suez to russia", "deny suez to japan", "dispatch russia: No coal for either of you."),
}
FOURTH: Lists = {
    "britain": ("declare war france",),
    "russia": ("declare war britain",),
    "italy": ("declare war france",),
}


def spanish_american(path: Path) -> None:
    """The end is announced; what can be reached is taken, and Tunis kept."""
    seen = _play(path, "spain", SPAIN)
    held = {area: [m["power"] for m in seen["areas"][area]["markers"]] for area in ("cuba", "philippines", "tunis")}
    assert held == {"cuba": ["united_states"], "philippines": ["united_states"], "tunis": ["spain"]}, held


def russo_japanese(path: Path) -> None:
    """Britain stays neutral, closes the canal to both, and gives no coal."""
    seen = _play(path, "japan", JAPAN)
    assert seen["wars"] == [] and seen["result"] is None


def great_war(path: Path) -> None:
    """Britain, France and Russia are at War; Italy's declaration makes it four."""
    seen = _play(path, "great", FOURTH)
    assert seen["result"]["reason"] == "great_war" and seen["result"]["culprits"] == ["britain", "italy"]
    assert [war["kind"] for war in seen["wars"]] == ["great"]


def _play(path: Path, position: str, lists: Lists) -> dict[str, Any]:
    """Play a War to its end, and save the log; the arbiter's view of what it has left."""
    with Engine() as engine:
        engine.ask("new", seed=SEED, powers=list(seats_for(PLAYERS)))
        engine.ask("position", patch=POSITIONS[position])
        done: set[tuple[str, str]] = set()
        for _ in range(MOST_ACTS):
            seen = engine.ask("view", seat="arbiter")
            if seen["result"] or seen["phase"] != "war":
                break
            _go_on(engine, seen, lists, done)
        engine.ask("save", path=str(path))
        engine.ask("quit")
    assert seen["result"] or seen["phase"] != "war", "the War does not end"
    return seen


def _go_on(engine: Engine, seen: dict[str, Any], lists: Lists, done: set[tuple[str, str]]) -> None:
    """One act: an answer, an order of who is waited for, or the arbiter's advance."""
    if seen["pending"]:
        choice = seen["pending"][0]
        answer = _spoils(choice) or choice["default"]
        words = answer if isinstance(answer, str) else ", ".join(answer)
        engine.ask("act", seat=choice["seat"], text=f"choose {choice['id']} {words}")
        return
    for seat in ("britain", *seen["waiting"]):
        legal = engine.ask("legal", seat=seat)["texts"]
        for order in lists.get(seat, ()):
            once = order.startswith("dispatch") and seen["wars"] and (seat, order) not in done
            if order in legal or once:
                done.add((seat, order))
                engine.ask("act", seat=seat, text=order)
                return
    if seen["waiting"]:
        engine.ask("act", seat=seen["waiting"][0], text="pass")
    else:
        engine.ask("act", seat="arbiter", text="advance")


def _spoils(choice: dict[str, Any]) -> str:
    """The victor takes the best marker of every Area."""
    found = [o for o in choice["options"] if isinstance(o, str) and o.startswith("place possession")]
    return found[0] if choice["kind"] == "spoils" and found else ""
