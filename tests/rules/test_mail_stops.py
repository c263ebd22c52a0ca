"""Play by mail (PBM): the number of stops in a turn, and the seats that a stop waits for."""

from __future__ import annotations

import pytest

from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions import actions
from paxtui.games.pax.mail.stops import seats_to_ask, stop_kind
from paxtui.games.pax.position.setup import seats_for
from paxtui.mail.submissions import awaited_seats
from paxtui.session.game_host import empty_clock
from paxtui.session.pax_host import PaxHost
from tests.rules import congress
from tests.rules.harness import UNLIMITED, Bench, army, here, marker, start, tables
from tests.rules.mail import send


def kinds_of_stops(g: Bench, turn: int, **forms: str) -> list[str]:
    """The kinds of stops until a turn is over. `forms`: the form of each seat at every stop."""
    kinds = list[str]()
    while g.state.turn == turn and g.state.result is None:
        kinds.append(stop_kind(g.state))
        assert len(kinds) < 20
        send(g, **{seat: forms.get(seat, "") for seat in seats_to_ask(g.tables, g.state)})
    return kinds


def quarrelling() -> Bench:
    """A turn from its Administrative Phase on with a Casus Belli, and deficits of two Powers."""
    units = [army(p, 10) for p in ("france", "russia") for _ in range(9)]
    areas = {
        "tunis": here(marker("france", "protectorate"), *units[:9]),
        "persia": here(marker("russia", "protectorate"), *units[9:]),
    }
    causes = [congress.cause("britain", "italy")]
    g = start({"phase": "administrative", "areas": areas, "casus_belli": causes}, 7, UNLIMITED)
    g.do(ARBITER, actions.Adjudicate())
    return g


@pytest.mark.rule("PBM-116", "PBM-117", "PBM-126")
def test_a_peaceful_turn_takes_three_stops_at_most() -> None:
    g = quarrelling()
    assert {c.kind for c in g.state.choices} == {"deficit"} and seats_to_ask(g.tables, g.state) == ("france", "russia")
    assert kinds_of_stops(g, 1) == ["call", "movement", "negotiation"]


@pytest.mark.rule("PBM-051", "PBM-053", "PBM-116")
def test_a_congress_adds_two_stops() -> None:
    """One to attend, invite and propose, one to vote on both proposals and to sign."""
    g = congress.game()
    assert g.state.phase == "negotiation"
    forms = {
        "france": "congress germany\npropose First: france leaves tunis\nvote p1 no\nvote p2 yes",
        "italy": "propose Second: italy lowers tunis to influence; france lowers tunis to influence\nvote p2 yes",
        "germany": "agenda tunis\nvote p1 no\nvote p2 yes",
        "britain": "attend\nvote p1 no\nvote p2 yes",
        "russia": "stay away",
    }
    assert kinds_of_stops(g, 1, **forms) == ["negotiation", "congress", "vote"]
    assert g.kind("tunis", "france") == g.kind("tunis", "italy") == "influence"


@pytest.mark.rule("PBM-113", "PBM-114")
def test_a_seat_that_can_only_go_on_is_not_waited_for() -> None:
    """Japan has no Unit to order, so its silence is no missed move."""
    areas = {"tunis": here(marker("france", "protectorate"), army("france"), army("britain", 10))}
    places = {area: {"units": []} for area in tables().areas if area not in areas}
    war = {"alliances": [["britain", "japan"], ["france"]], "phase": "maneuver"}
    homes = {"japan": {"units": []}}
    with PaxHost.new(tables(), seats_for(7), "x", clock=empty_clock) as table:
        patch = {"phase": "war", "wars": [war], "areas": {**places, **areas}, "homes": homes}
        table.act(ARBITER, actions.SetPosition(patch))
        assert seats_to_ask(table.tables, table.state) == ("britain", "japan")
        assert awaited_seats(table) == ("britain",)
