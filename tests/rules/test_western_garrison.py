"""The Western Garrison in retreat (STA-048, STA-050, STA-051, Decision 35): a retreat is a move."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from paxtui.games.pax.events import events
from paxtui.games.pax.state.questions import Pending
from tests.rules.harness import UNLIMITED, Bench, army, at_home, held, here, new, start

EAST = {"port_arthur": held("russia", "protectorate", army("russia", 1))}
"""A Russian Area next to Manchuria, outside the named ones."""


def manchuria(*there: int, home: int, areas: dict[str, Any] | None = None, players: int = 7, **more: Any) -> Bench:
    """Colonial Combat: a new Russian Protectorate in Manchuria with these armies; Armies (10) at home."""
    lands = {"manchuria": here(new("russia"), *(army("russia", n) for n in there)), **EAST, **(areas or {})}
    homes = at_home("russia", *[army("russia", 10)] * home)
    return start({"phase": "colonial_combat", "areas": lands, "homes": homes, **more}, players, UNLIMITED)


def driven_out(g: Bench, area: str = "manchuria") -> Pending | None:
    """Decline to fight. Returns: the question about the retreat, None without one."""
    g.act("russia", f"decline {area}")
    while g.state.phase == "colonial_combat":
        g.advance()
    return next((c for c in g.pending() if c.kind == "retreat"), None)


def retreats(g: Bench) -> list[tuple[tuple[str, ...], str]]:
    """Powers and destinations of retreats."""
    return [(e.units, e.path[-1]) for e in g.all_of(events.UnitsMoved) if e.reason == "retreat"]


@pytest.mark.rule("STA-050", "CCB-049")
def test_fewer_than_four_heavy_armies_retreat_home() -> None:
    g = manchuria(10, home=2)
    assert driven_out(g) is None  # Port Arthur is next door, and closed to it
    assert retreats(g) == [(("A10",), "home:russia")]


PERSIA = {"persia": held("russia", "protectorate", army("russia", 1))}
"""A Russian Area next to Afghanistan (Combat Strength 10), outside the named ones."""


@pytest.mark.rule("STA-050", "CCB-048")
@pytest.mark.parametrize(("home", "closed"), [(2, True), (3, False)])
def test_heavy_armies_retreat_home_after_a_lost_combat(home: int, closed: bool) -> None:
    areas = {"manchuria": here(), "afghanistan": here(new("russia"), army("russia", 10)), **PERSIA}
    g = manchuria(home=home, areas=areas)
    g.dice(1)
    g.act("russia", "fight afghanistan")
    assert g.of(events.ColonialCombat)[0].result == "AR"
    assert (retreats(g) == [(("A10",), "home:russia")]) is closed
    assert [c.default for c in g.pending()] == ([] if closed else ["persia"])


@pytest.mark.rule("STA-050")
@pytest.mark.parametrize(("home", "free"), [(3, True), (2, False)])
def test_one_of_four_heavy_armies_outside_is_free(home: int, free: bool) -> None:
    g = manchuria(10, home=home)
    choice = driven_out(g)
    assert (choice is not None) is free
    if choice is not None:
        assert choice.options == ("port_arthur", "home") and choice.default == "port_arthur"


@pytest.mark.rule("STA-050")
def test_smaller_armies_retreat_freely() -> None:
    g = manchuria(10, 3, 1, home=2)
    choice = driven_out(g)
    assert choice is not None and choice.default == ("A10 > home", "A3 > port_arthur", "A1 > port_arthur")
    assert set(choice.options) == {
        "home",
        "A10 > home",
        "A3 > home",
        "A1 > home",
        "A3 > port_arthur",
        "A1 > port_arthur",
    }
    for wrong in ("port_arthur", "A10 > port_arthur A3 > home A1 > home"):
        assert g.refused("russia", f"choose {choice.id} {wrong}").code == "bad_answer"
    g.act("russia", f"choose {choice.id} A10 > home A1 > home A3 > port_arthur")
    assert g.units("home:russia", "russia", "army") == ["A1", "A10", "A10", "A10"]
    assert g.units("port_arthur") == ["A1", "A3"]
    # the default is always accepted, its texts joined by blanks
    g = manchuria(10, 3, 1, home=2)
    choice = driven_out(g)
    assert choice is not None
    g.act("russia", f"choose {choice.id} {' '.join(choice.default)}")
    assert g.units("port_arthur") == ["A1", "A1", "A3"]


@pytest.mark.rule("STA-050", "CCB-049")
def test_all_retreat_to_the_nearest_place_in_the_west() -> None:
    areas = {
        "manchuria": here(),
        "persia": here(new("russia"), army("russia", 10), army("russia", 1)),
        "anatolia": held("russia", "protectorate", army("russia", 1)),
        "turcomania": held("russia", "protectorate", army("russia", 1)),
    }
    g = manchuria(home=2, areas=areas)
    choice = driven_out(g, "persia")
    assert choice is not None and choice.default == "anatolia" and "turcomania" not in choice.options
    g.act("russia", f"choose {choice.id} anatolia")
    assert g.units("anatolia") == ["A1", "A1", "A10"] and not g.all_of(events.UnitsLost)


@pytest.mark.rule("STA-048")
def test_three_must_stay_in_the_west() -> None:
    west = {"anatolia": here(new("russia"), army("russia", 10), army("russia", 10))}
    g = start(
        {
            "phase": "colonial_combat",
            "areas": {**west, **PERSIA},
            "homes": at_home("russia", *[army("russia", 10)] * 2),
        },
        options=UNLIMITED,
    )
    choice = driven_out(g, "anatolia")
    assert choice is not None
    # four in all, four in the West: one may leave it
    assert (
        choice.default == ("A10 > home", "A10 > persia") and "home" in choice.options and "persia" not in choice.options
    )
    refusal = g.refused("russia", f"choose {choice.id} A10 > persia A10 > persia")
    assert refusal.code == "western_garrison" and "STA-048" in refusal.rules
    g.act("russia", f"choose {choice.id} A10 > persia A10 > home")
    assert g.units("persia") == ["A1", "A10"] and g.units("home:russia", "russia", "army") == ["A10"] * 3


@pytest.mark.rule("STA-050", "CCB-051")
def test_heavy_armies_without_a_way_west_are_lost() -> None:
    areas = {
        "manchuria": here(),
        "kwang_si": here(new("russia"), army("russia", 10), army("russia", 1)),
        "yunnan": held("russia", "protectorate", army("russia", 1)),
    }
    g = manchuria(home=2, areas=areas)
    assert driven_out(g, "kwang_si") is None
    assert retreats(g) == [(("A1",), "yunnan")]
    (lost,) = g.all_of(events.UnitsLost)
    assert lost.units == ("A10",) and {"CCB-051", "STA-050", "MOV-016"} <= set(lost.rules)


@pytest.mark.rule("STA-050", "STA-038", "SEQ-017")
def test_area_without_its_retreated_garrison_falls() -> None:
    # Port Arthur has lost its army; the one next door would have held it, but may only go home
    bare = {"port_arthur": held("russia", "protectorate")}
    g = manchuria(10, home=2, areas=bare)
    driven_out(g)
    g.advance()
    assert g.units("home:russia", "russia", "army") == ["A10"] * 3
    assert g.kind("port_arthur", "russia") == "influence"


@pytest.mark.rule("STA-051", "MIN-058")
@pytest.mark.parametrize(("home", "goes"), [(2, "home:russia"), (3, "persia")])
def test_a_minor_russia_retreats_by_the_same_rule(home: int, goes: str) -> None:
    revolt = held("russia", "protectorate", army("russia", 10), army("russia", 1), unrest=True)
    g = manchuria(home=home, areas={"manchuria": here(), "afghanistan": revolt, **PERSIA}, players=5)
    g.dice(1)
    g.step()
    assert [e.result for e in g.of(events.ColonialCombat)] == ["AR"]
    went = {unit: place for units, place in retreats(g) for unit in units}
    assert went == {"A10": goes, "A1": "persia"}


@pytest.mark.rule("STA-050")
def test_default_retreat_follows_the_rule_at_the_time_of_the_answer() -> None:
    # asked with four Armies (10); by the time of the answer there are three
    g = manchuria(10, home=3)
    choice = driven_out(g)
    assert choice is not None and choice.default == "port_arthur"
    fewer = g.state.homes["russia"][1:]
    g.state = replace(g.state, homes={**g.state.homes, "russia": fewer})
    g.act("russia", f"choose {choice.id} port_arthur")
    assert retreats(g) == [(("A10",), "home:russia")]


@pytest.mark.rule("CCB-049")
def test_heavy_armies_of_other_powers_are_free() -> None:
    areas = {
        "kamerun": here(new("germany"), army("germany", 10)),
        "gabon": held("germany", "protectorate", army("germany", 1)),
    }
    g = start({"phase": "colonial_combat", "areas": areas, "homes": at_home("germany")}, options=UNLIMITED)
    g.act("germany", "decline kamerun")
    while g.state.phase == "colonial_combat":
        g.advance()
    (choice,) = g.pending()
    assert choice.default == "gabon" and choice.options == ("gabon", "home")
