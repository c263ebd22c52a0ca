"""Games to share, and their pages."""

from __future__ import annotations

from paxtui.engine.seating import SeatOccupant
from paxtui.engine.seats import SPECTATOR
from paxtui.games.pax.position.setup import seats_for
from paxtui.session.game_host import empty_clock
from paxtui.session.pax_host import PaxHost
from paxtui.session.tables.loader import load_tables
from paxtui.sharing.contents import share_game
from paxtui.sharing.page import render_game_page

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)> [x](javascript:alert(3)) \u202e <!-- \"' &lt;"


def page(host: PaxHost, viewpoint: str = SPECTATOR, title: str = "A game") -> str:
    return render_game_page(share_game(host, viewpoint, title))


def new_host() -> PaxHost:
    return PaxHost.new(load_tables(), seats_for(7), "zqseedzq", {}, clock=empty_clock, undo="free")


def hostile_host() -> PaxHost:
    """A game in which a name and a dispatch try to run a script."""
    host = new_host()
    host.seat({"france": SeatOccupant(name="<b onclick=alert(4)>Bob</b>")})
    host.dispatch("france", (), HOSTILE)
    return host
