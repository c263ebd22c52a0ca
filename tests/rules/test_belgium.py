"""The eighth player: Belgium (BEL)."""

from __future__ import annotations

from typing import Any

import pytest

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions import actions
from paxtui.games.pax.events import events
from paxtui.games.pax.position.setup import SEATS_BY_PLAYERS, new_game
from tests.rules.harness import Bench, army, marker, start, tables

OPTION = {"belgium": "yes"}


def eight(patch: dict[str, Any] | None = None, **options: str) -> Bench:
    return start(patch, 8, {**OPTION, **options})


def office(*dice: int, **patch: Any) -> int | None:
    """Belgium's Colonial Office income after these dice, all used (Belgium's is the last one)."""
    g = eight({"phase": "administrative", **patch})
    g.dice(*dice)
    g.step()
    assert g.queue == ()
    return g.state.powers["belgium"].record["10"]


MARK = {"areas": {"kongo": {"markers": [marker("belgium", "protectorate")], "units": [army("belgium", 3)]}}}
LOST = {"powers": {"belgium": {"had_control": True}}}


@pytest.mark.rule("BEL-001")
def test_belgium_is_the_eighth_seat_with_the_option_only() -> None:
    g = eight()
    assert g.state.players == SEATS_BY_PLAYERS and g.state.players[-1] == "belgium"
    assert set(g.state.minors) == {"netherlands", "spain", "portugal"}
    assert "belgium" in g.state.powers
    with pytest.raises(Refusal) as no:
        new_game(tables(), SEATS_BY_PLAYERS, {})
    assert "BEL-001" in no.value.rules
    with pytest.raises(Refusal) as instead:
        new_game(tables(), (*SEATS_BY_PLAYERS[:6], "belgium"), OPTION)
    assert "BEL-001" in instead.value.rules
    seven = start(players=7, options=OPTION)
    assert "belgium" in seven.state.minors and "belgium" not in seven.state.powers


@pytest.mark.rule("BEL-002")
def test_belgium_has_its_own_countermix() -> None:
    """Four round pieces: an Influence in the Kongo, three more, and no fifth."""
    more = {a: {"markers": [marker("belgium", "interest")]} for a in ("angola", "gabon")}
    g = eight({"phase": "movement", "powers": {"belgium": {"treasury": 90}}, "areas": more})
    g.do("belgium", actions.Place("influence", "kamerun"))
    r = g.refused("belgium", actions.Place("interest", "nigeria"))
    assert r.rules
    assert g.refused("belgium", actions.Build(("A10",))).rules  # it has no unit of strength 10
    patch = {"phase": "movement", "powers": {"belgium": {"treasury": 90}}, "areas": more}
    free = eight(patch, counter_limits="unlimited")
    free.do("belgium", actions.Place("influence", "kamerun"))
    free.do("belgium", actions.Place("interest", "nigeria"))  # accepted


@pytest.mark.rule("BEL-007")
def test_belgiums_divisor_is_1() -> None:
    g = eight({"phase": "victory_point_record", "powers": {"belgium": {"treasury": 7}}})
    g.step()
    assert g.state.powers["belgium"].victory_points == 7
    assert g.state.powers["belgium"].record["24"] == 7


@pytest.mark.rule("BEL-008")
@pytest.mark.parametrize(("die", "amount"), [(1, 3), (2, 4), (3, 5), (4, 5), (5, 10), (6, 15)])
def test_belgium_gets_half_of_italys_row_rounded_up(die: int, amount: int) -> None:
    assert office(1, 1, 1, 1, die, **MARK) == amount


@pytest.mark.rule("BEL-009")
def test_belgium_takes_the_six_without_a_roll_until_its_first_control_marker() -> None:
    assert office(1, 1, 1, 1) == 15
    assert office(1, 1, 1, 1, 1, **MARK) == 3


@pytest.mark.rule("BEL-009")
def test_belgium_goes_on_rolling_when_it_has_lost_its_control_marker() -> None:
    assert office(1, 1, 1, 1, 2, **LOST) == 4


@pytest.mark.rule("BEL-009")
def test_a_control_marker_established_once_is_remembered() -> None:
    g = eight({"phase": "administrative", **MARK})
    g.dice(1, 1, 1, 1, 1)
    g.step()
    assert g.state.powers["belgium"].had_control
    assert not eight().state.powers["belgium"].had_control


@pytest.mark.rule("BEL-010")
def test_event_4_2_is_king_leopolds_demand_if_belgium_plays() -> None:
    g = eight({"phase": "random_events"})
    g.dice(2, 4, 2, 1, 1, 4, 2, 1, 2)
    g.step()
    happened = g.of(events.RandomEventRolled)
    assert [(e.event, e.leopold) for e in happened] == [("4-2", True), ("4-2", False)]  # the headline comes once
    assert g.state.leopold
    assert sorted(a for a, here in g.state.areas.items() if here.unrest) == ["aden", "angola"]
    other = eight({"phase": "random_events"})
    other.dice(1, 4, 3, 1, 1)
    other.step()
    assert not other.state.leopold
    minor = start({"phase": "random_events"})
    minor.dice(1, 4, 2, 1, 1)
    minor.step()
    assert not minor.state.leopold and minor.state.areas["aden"].unrest


@pytest.mark.rule("BEL-010")
def test_king_leopolds_demand_lasts_one_turn() -> None:
    g = eight({"phase": "final_record", "events_in_force": ["4-2"]})
    assert g.state.leopold
    g.step()
    assert not g.state.leopold


@pytest.mark.rule("BEL-011")
def test_king_leopolds_demand_does_not_change_the_colonial_office() -> None:
    assert office(1, 1, 1, 1, 5, events_in_force=["4-2"], **MARK) == 20
    assert office(1, 1, 1, 1, 5, **MARK) == 10
    assert office(1, 1, 1, 1, events_in_force=["4-2"]) == 30  # as a six


@pytest.mark.rule("BEL-013")
@pytest.mark.parametrize(("turn", "fleets"), [(4, 1), (9, 1), (3, 0), (5, 0)])
def test_belgium_receives_fleets_in_1896_and_1916(turn: int, fleets: int) -> None:
    g = eight({"phase": "final_record", "turn": turn})
    g.step()
    assert g.state.powers["belgium"].merchants_due == fleets
    (began,) = g.of(events.TurnBegan)
    assert (began.year in (1896, 1916)) == bool(fleets)


@pytest.mark.rule("BEL-013")
def test_the_belgian_fleet_can_be_placed() -> None:
    at_sea = [zone for zone, powers in start().state.sea_zones.items() if "belgium" in powers]
    assert tables().counters["belgium"].merchant_fleet >= len(at_sea) + 2  # there is a piece for each
    g = eight({"phase": "movement", "turn": 5, "powers": {"belgium": {"merchants_due": 1}}})
    g.do("belgium", actions.Merchant("new", "indian_ocean"))
    assert "belgium" in g.state.sea_zones["indian_ocean"]
    assert g.refused("belgium", actions.Merchant("new", "caribbean")).rules
