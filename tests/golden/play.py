"""Scripted games that tests play through the engine protocol. The logs in `saves/` are never played again."""

from __future__ import annotations

import tomllib
from pathlib import Path

from paxtui.games.pax.position.setup import seats_for
from tests.golden.play_golden import Engine

HERE = Path(__file__).parent
PLAYERS, SEED = 7, 3
SECRET = "treaty Dreibund with italy: defensive against france until 1892; secret germany pays italy 3"
DRAFTS = {
    "france": "propose Act of London: italy lowers tunis to interest; france pays italy 15",
    "russia": "propose Act of Petersburg: france lowers tunis to interest; italy pays france 5",
}
VOTES = [{"france": "yes sign", "russia": "yes sign"}, {"france": "no sign"}]
"""Votes that differ from the others: for the first draft, and against the second."""
REST = ["no sign", "yes sign"]


def congress(path: Path) -> None:
    """Play a secret Treaty and a Congress of five about Tunis that rejects one draft and adopts another."""
    votes = [iter(range(len(DRAFTS))) for _ in range(PLAYERS)]
    nth = dict(zip(seats_for(PLAYERS), votes, strict=True))

    def answer(seat: str, kind: str, default: str) -> str:
        if kind == "attend":
            return "attend"
        if kind == "ballot":
            n = next(nth[seat])
            return VOTES[n].get(seat, REST[n])
        return default

    with Engine() as engine:
        engine.ask("new", seed=SEED, powers=list(seats_for(PLAYERS)))
        engine.ask("position", patch=tomllib.loads((HERE / "congress.toml").read_text("utf-8")))
        drafted = engine.ask("act", seat="germany", text=SECRET)["events"][0]["treaty"]["id"]
        engine.ask("act", seat="italy", text=f"sign {drafted}")
        engine.ask("act", seat="britain", text="dispatch france: Come to London.")
        engine.ask("act", seat="france", text="congress britain")
        for seat in seats_for(PLAYERS):
            engine.ask("act", seat=seat, text="ready")
        drafts = dict(DRAFTS)
        while (seen := engine.ask("view", seat="arbiter"))["phase"] == "congress":
            if not seen["pending"]:
                engine.ask("act", seat="arbiter", text="advance")
                continue
            choice = seen["pending"][0]
            seat, kind = choice["seat"], choice["kind"]
            if kind == "propose" and seat in drafts:
                engine.ask("act", seat=seat, text=drafts.pop(seat))
            else:
                engine.ask("act", seat=seat, text=f"choose {choice['id']} {answer(seat, kind, choice['default'])}")
        assert seen["areas"]["tunis"]["markers"][0]["marker"] == "interest", seen["areas"]["tunis"]
        engine.ask("save", path=str(path))
        engine.ask("quit")
