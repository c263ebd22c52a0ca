"""An Ottoman War with a Great Power on the Empire's side, played through the engine protocol.

Italy has taken Tripoli. Russia joins the Empire; France joins Italy at its invitation. The Ottoman Armies march
through Egypt. After combats in Tripoli there is peace.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from paxtui.games.pax.position.setup import seats_for
from tests.golden.play_golden import Engine, Refused

HERE = Path(__file__).parent
PLAYERS, SEED = 7, 1911
FIGHTS = 2
"""Combats after which the Powers make peace."""
ORDERS = {
    "russia": (
        "join ottoman_empire",
        "ottoman_empire: attack tripoli",
        "ottoman_empire: move A5 A5 A5 egypt > tripoli",
        "ottoman_empire: move A5 A5 A5 anatolia > egypt",
        "attack black_sea",
        "move N10 home > black_sea",
    ),
    "italy": (
        "invite france britain",
        "attack tripoli",
        "move A3 mediterranean > tripoli",
        "move A1 A1 mediterranean > tripoli",
        "move A3 home > mediterranean",
        "move A1 A1 home > mediterranean",
        "move N10 home > mediterranean",
    ),
    "france": ("attack tripoli", "move A3 mediterranean > tripoli", "move A3 home > mediterranean"),
}
"""Orders of each seat; it gives the first that is legal."""
ANSWERS = {("france", "invitation"): "join italy"}
PEACE = "propose with france russia: peace; italy pays russia 10"


def ottoman_war(path: Path) -> None:
    """Play the War to its peace, and the turn to its end; save the log."""
    with Engine() as engine:
        engine.ask("new", seed=SEED, powers=list(seats_for(PLAYERS)))
        engine.ask("position", patch=tomllib.loads((HERE / "ottoman.toml").read_text("utf-8")))
        seen = engine.ask("view", seat="arbiter")
        fights, signed = 0, False
        while seen["turn"] == 1:
            if seen["wars"] and fights >= FIGHTS and not signed and not seen["pending"]:
                _peace(engine)
                signed = True
            elif seen["pending"]:
                choice = seen["pending"][0]
                answer = ANSWERS.get((choice["seat"], choice["kind"]), choice["default"])
                words = answer if isinstance(answer, str) else " ".join(answer)
                engine.ask("act", seat=choice["seat"], text=f"choose {choice['id']} {words}")
            elif seen["waiting"]:
                fights += _turn(engine, seen["waiting"][0], seen["phase"])
            else:
                done = engine.ask("act", seat="arbiter", text="advance")
                fights += sum(event["type"] == "battle_fought" for event in done["events"])
            seen = engine.ask("view", seat="arbiter")
        assert signed, "there was no peace"
        assert not seen["wars"], seen["wars"]
        engine.ask("save", path=str(path))
        engine.ask("quit")


def _turn(engine: Engine, seat: str, phase: str) -> int:
    """Let a seat act; return the number of combats."""
    for text in ORDERS.get(seat, ()) if phase == "war" else ():
        try:
            done: dict[str, Any] = engine.ask("act", seat=seat, text=text)
        except Refused:
            continue
        return sum(event["type"] == "battle_fought" for event in done["events"])
    engine.ask("act", seat=seat, text="pass" if phase == "war" else "ready")
    return 0


def _peace(engine: Engine) -> None:
    """Italy proposes peace to all Great Powers at War, and they sign."""
    drafted = engine.ask("act", seat="italy", text=PEACE)["events"][0]["treaty"]["id"]
    for seat in ("france", "russia"):
        engine.ask("act", seat=seat, text=f"sign {drafted}")
