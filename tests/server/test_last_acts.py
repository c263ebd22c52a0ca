"""The Area of each player's last act, from public acts only."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from paxtui.cli.hosting.remote_screen import SeatApp
from paxtui.cli.plain.status import standing_lines
from paxtui.engine.seats import SPECTATOR
from paxtui.games.pax.events import events as ev
from paxtui.session.player_news import LastActs
from paxtui.tui.base.settings import Settings
from paxtui.tui.panes.status_lines import place_card
from paxtui.tui.panes.what_now import what_now
from tests.server.waiting import in_movement, wait


@pytest.fixture
def acted(running):
    """Sessions of Britain, which has acted in Siam, and of France."""
    britain, france = running.session("britain"), running.session("france")
    in_movement(britain, france)
    britain.act_text("place influence siam")
    wait(france, lambda: france.others.last_places())
    return running, britain, france


def test_last_places_of_other_seats(acted):
    running, britain, france = acted
    assert france.others.last_places() == {"britain": "siam"} and britain.others.last_places() == {}
    assert running.session(SPECTATOR).others.last_places() == {"britain": "siam"}
    britain.act_text("ready")  # an act without an Area changes nothing
    wait(france, lambda: "britain" in france.live.ready)
    assert france.others.last_places() == {"britain": "siam"}
    assert "Last actions: Great Britain at Siam." in standing_lines(france)


async def test_last_acts_on_the_screen_are_links(acted, home):
    _, _, france = acted
    app = SeatApp(france, Settings(reports="none", remind=False, animation=False))
    async with app.run_test(size=(160, 50)) as pilot:
        pane = what_now(france, app.look, 40, app.key_of)
        assert "last acts GB Siam\n" in pane.plain
        assert place_card(france, app.look, "siam", app.key_of).plain.endswith("GB acted here last")
        assert "acted here" not in place_card(france, app.look, "egypt", app.key_of).plain
        link = next(span.style.meta["@click"] for span in pane.spans if getattr(span.style, "meta", {}).get("@click"))
        await app.run_action(link.removeprefix("screen."), app.screen)
        await pilot.pause()
        assert app.screen.view.map.cursor == "siam"


def test_secret_acts_are_no_last_acts():
    placed = ev.MarkerPlaced(area="siam", power="britain", marker="influence", established=False, turn=1)
    secret = ev.MarkerPlaced(
        area="egypt", power="britain", marker="influence", established=False, turn=1, only=("britain", "france")
    )
    events = {2: (placed,), 3: (secret,), 4: (secret,), 5: (placed,), 6: (placed,)}
    who = {2: "britain", 3: "britain", 4: "france", 5: "arbiter", 6: "germany"}
    kinds = {6: "note"}
    lines = [SimpleNamespace(n=n, seat=who[n], kind=kinds.get(n, "act")) for n in events]
    game = SimpleNamespace(lines_after=lambda n: lines[n - 1 :], events=events.get, version=6)
    state = SimpleNamespace(players=("britain", "france", "germany"))
    assert LastActs(SimpleNamespace(game=game, state=state)).places() == {"britain": "siam"}


def test_undone_act_is_no_last_act(acted):
    _, britain, france = acted
    britain.act_text("place influence egypt")
    wait(france, lambda: france.others.last_places() == {"britain": "egypt"})
    britain.undo()
    wait(france, lambda: france.others.last_places() != {"britain": "egypt"})
    assert france.others.last_places() == {"britain": "siam"}
    britain.undo()
    wait(france, lambda: france.others.last_places() == {})
    assert "Last acts" not in standing_lines(france)
    britain.redo()
    wait(france, lambda: france.others.last_places() == {"britain": "siam"})
