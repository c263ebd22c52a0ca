"""The optional Ottoman expansion (EVT-033, 034, 038 to 041, R-EVT-15)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from paxtui.games.pax.board.adjacency import area_type
from paxtui.games.pax.board.status import area_state, controls
from paxtui.games.pax.events import events
from paxtui.games.pax.state.pieces import OTTOMAN_EMPIRE
from tests.rules.harness import Bench, army, marker, start

ON = {"ottoman_expansion": "yes"}


def empty(unrest: bool = True, *markers: dict[str, Any]) -> dict[str, Any]:
    return {"markers": list(markers), "units": [], "unrest": unrest}


def unsuppressed(*areas: str, options: dict[str, str] | None = None, **rest: Any) -> Bench:
    """Unsuppressed Unrest in these Areas, played to the end of Marker Adjustment."""
    patch = {"phase": "marker_adjustment", "areas": {a: empty() for a in areas}, **rest}
    g = start(patch, options=ON if options is None else options)
    g.step()
    return g


def revolt(*areas: str) -> Bench:
    """Ottoman possessions, gained in a turn before, that are in Unrest at the Minor Powers Phase of the next."""
    g = unsuppressed(*areas)
    while (g.state.turn, g.state.phase) != (2, "minor_powers"):
        g.step()
    assert all(controls(g.state, a, OTTOMAN_EMPIRE) for a in areas)
    in_unrest(g, *areas)
    return g


def in_unrest(g: Bench, *areas: str) -> None:
    """Set Unrest in exactly these Areas."""
    g.state = replace(g.state, areas={a: replace(x, unrest=a in areas) for a, x in g.state.areas.items()})


def armies(g: Bench, area: str) -> list[str]:
    return [u.name for u in area_state(g.state, area).units if u.power == OTTOMAN_EMPIRE]


@pytest.mark.rule("EVT-033")
def test_a_neighbour_in_unrest_becomes_a_possession() -> None:
    g = unsuppressed("bulgaria")
    assert controls(g.state, "bulgaria", OTTOMAN_EMPIRE) and not area_state(g.state, "bulgaria").unrest
    # only with the option, only next to the Empire, only with an overland link to Anatolia, only if in Unrest
    assert not controls(unsuppressed("bulgaria", options={}).state, "bulgaria", OTTOMAN_EMPIRE)
    assert not controls(unsuppressed("siam").state, "siam", OTTOMAN_EMPIRE)
    assert not controls(unsuppressed("tunis").state, "tunis", OTTOMAN_EMPIRE)
    assert not controls(unsuppressed("bulgaria").state, "greece", OTTOMAN_EMPIRE)


@pytest.mark.rule("EVT-033")
def test_expansion_spreads_from_possessions() -> None:
    egypt = empty(False, marker("britain", "protectorate"))
    g = unsuppressed("tunis", areas={"tunis": empty(), "egypt": empty()})
    assert controls(g.state, "egypt", OTTOMAN_EMPIRE) and not controls(g.state, "tunis", OTTOMAN_EMPIRE)
    g = unsuppressed("tunis", areas={"tunis": empty(), "egypt": egypt})
    assert not controls(g.state, "tunis", OTTOMAN_EMPIRE)
    g = unsuppressed("bulgaria")
    assert not controls(g.state, "rumania", OTTOMAN_EMPIRE)


@pytest.mark.rule("EVT-033")
def test_expansion_removes_markers_and_units_of_others() -> None:
    greece = {
        "markers": [marker("italy", "protectorate"), marker("france", "interest")],
        "units": [army("italy", 1)],
        "unrest": True,
    }
    g = start({"phase": "marker_adjustment", "areas": {"greece": greece}}, options=ON)
    g.step()
    assert [m.power for m in area_state(g.state, "greece").markers] == [OTTOMAN_EMPIRE] and g.state.tension == 0
    assert [u.power for u in area_state(g.state, "greece").units] == [OTTOMAN_EMPIRE]


@pytest.mark.rule("EVT-034")
def test_a_possession_has_one_army_of_its_own() -> None:
    g = unsuppressed("bulgaria", "persia")
    assert armies(g, "bulgaria") == ["A5"] and armies(g, "persia") == ["A5"]
    # it is none of the six pieces of Chinese and Ottomans, nor of any Power's
    from paxtui.games.pax.board import status

    assert g.tables.other_armies.count == 6
    used = status.used_pieces(g.tables, g.state)
    before = status.used_pieces(g.tables, start(options=ON).state)
    assert used == before


@pytest.mark.rule("EVT-038", "EVT-040", "EVT-041")
def test_two_more_armies_help_against_a_revolt_and_victory_makes_it_ottoman() -> None:
    g = revolt("bulgaria")
    g.step()
    assert armies(g, "bulgaria") == ["A5", "A5", "A5"]
    g.step()
    g.dice(5)
    g.step()
    fight = next(e for e in g.of(events.ColonialCombat) if e.area == "bulgaria")
    assert (fight.powers, fight.attack, fight.defend, fight.column) == ((OTTOMAN_EMPIRE,), 15, 10, "3-2")
    assert area_type(g.tables, g.state, "bulgaria") == "ottoman"
    assert area_state(g.state, "bulgaria").markers == () and armies(g, "bulgaria") == []
    assert not area_state(g.state, "bulgaria").unrest


@pytest.mark.rule("EVT-039", "EVT-038")
def test_help_goes_to_the_most_valuable_revolt() -> None:
    g = revolt("bulgaria", "persia")
    g.step()
    assert armies(g, "bulgaria") == ["A5", "A5", "A5"] and armies(g, "persia") == ["A5"]
    g.step()
    g.dice(5, 6)
    g.step()
    by_area = {e.area: e for e in g.of(events.ColonialCombat)}
    assert (by_area["persia"].attack, by_area["persia"].defend) == (5, 3)


@pytest.mark.rule("CCB-030", "EVT-031")
def test_revolt_against_the_ottomans_is_closed_to_others() -> None:
    g = revolt("bulgaria")
    g.step()
    assert "CCB-030" in g.refused("russia", "move A10 home > bulgaria").rules
    assert "EVT-031" in g.refused("russia", "place protectorate bulgaria").rules


@pytest.mark.rule("EVT-033", "EVT-040")
def test_lost_combat_does_not_restore_ottoman_control() -> None:
    g = revolt("bulgaria", "persia")
    g.step()
    g.step()
    g.dice(5, 1)  # 5 against 3 in Persia, 3-2 on Table 1: AR
    g.step()
    assert [e.result for e in g.of(events.ColonialCombat)] == ["DR", "AR"]
    assert area_type(g.tables, g.state, "persia") == "independent" and armies(g, "persia") == []
    g.step()
    assert area_state(g.state, "persia").markers == () and not area_state(g.state, "persia").unrest


@pytest.mark.rule("EVT-041")
def test_an_ottoman_area_keeps_no_ottoman_armies_of_the_expansion() -> None:
    g = revolt("greece")
    g.step()
    g.step()
    g.dice(6)
    g.step()
    assert any(e.reason == "ottoman" and len(e.units) == 3 for e in g.of(events.UnitsLost))
    assert area_state(g.state, "greece").units == ()


@pytest.mark.rule("EVT-033")
def test_a_possession_links_what_lies_beyond_it() -> None:
    # Tunis lies beside Tripoli, which only Egypt joins to Anatolia
    g = unsuppressed("egypt")
    while (g.state.turn, g.state.phase) != (2, "marker_adjustment"):
        g.step()
    in_unrest(g, "tunis")
    g.step()
    assert controls(g.state, "tunis", OTTOMAN_EMPIRE)


@pytest.mark.rule("EVT-039")
def test_tie_between_revolts_is_drawn() -> None:
    g = revolt("bulgaria", "greece")
    g.step()
    assert sorted(len(armies(g, a)) for a in ("bulgaria", "greece")) == [1, 3]


@pytest.mark.rule("EVT-038")
def test_no_help_without_a_revolt() -> None:
    g = revolt("bulgaria")
    in_unrest(g, "peru")
    g.step()
    assert armies(g, "bulgaria") == ["A5"]


@pytest.mark.rule("EVT-034")
def test_a_position_with_a_possession_can_be_written_down_and_read_again() -> None:
    from paxtui.games.pax.position.writer import dump_position

    g = unsuppressed("egypt")
    egypt = dump_position(g.state)["areas"]["egypt"]
    again = start({"areas": {"egypt": egypt}}, options=ON)
    assert again.state.areas["egypt"] == g.state.areas["egypt"]
