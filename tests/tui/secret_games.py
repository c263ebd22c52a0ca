"""Games in which something is hidden from some seats."""

from __future__ import annotations

from paxtui.engine.seats import ARBITER
from paxtui.games.pax.position.setup import seats_for
from paxtui.session.game_host import empty_clock
from paxtui.session.pax_host import PaxHost
from paxtui.session.tables.loader import load_tables
from tests.tui.playing import NEGOTIATION, treaty


def secret_game() -> PaxHost:
    """Start a game with a secret Treaty of Britain and France that France has broken."""
    table = PaxHost.new(load_tables(), seats_for(7), "7", {}, clock=empty_clock, undo="free")
    hidden = treaty(
        "zz9qa", "Biarritz", ["britain", "france"], ["britain", "france"], {"kind": "text", "text": "x"},
        stage="in_force", since=1, breaches=[{"clause": 0, "power": "france", "turn": 2}],
    )  # fmt: skip
    patch = {**NEGOTIATION, "treaties": [*NEGOTIATION["treaties"], hidden]}
    table.act(ARBITER, {"type": "set_position", "patch": patch})
    return table
