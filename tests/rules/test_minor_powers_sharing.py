"""Minor Powers in one Area (Decision 38), and the Casus Belli that their Protectorates give (MIN-024, WAR-030)."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from paxtui.games.pax.events import events
from tests.rules.harness import UNLIMITED, Bench, army, at_home, here, marker, start

HOLDS = {"netherlands": 3, "belgium": 4, "spain": 2, "portugal": 2}
"""A die on which each Minor Power is just inactive."""

GABON, KONGO = {"belgium": (5, 5), "portugal": (5, 5)}, {"belgium": (3, 4), "portugal": (4, 4)}
"""Dice by which Belgium and Portugal are both active in the Area."""


class Outcome(NamedTuple):
    """The state of an Area after the Phase."""

    markers: dict[str, str]
    codominion: set[str]
    causes: set[tuple[str, str, str]]
    tension: int


def phase(areas: dict[str, Any], rolls: dict[str, tuple[int, int]], backwards: bool = False, **more: Any) -> Bench:
    """A Minor Powers Phase, played in the order of the Powers or backwards."""
    options = more.pop("options", UNLIMITED)
    g = start({"phase": "minor_powers", "areas": areas, **more}, options=options)
    if backwards:
        g.state = replace(g.state, minors=g.state.minors[::-1])
    for power in g.state.minors:
        g.dice(*((1, *rolls[power]) if power in rolls else (HOLDS[power],)))
    g.step()
    assert g.queue == () and g.state.phase == "movement"
    return g


def both_ways(area: str, areas: dict[str, Any], rolls: dict[str, tuple[int, int]], **more: Any) -> Outcome:
    """The outcome, which must be the same in both orders."""
    found = []
    for backwards in (False, True):
        g = phase(areas, rolls, backwards, **more)
        there = g.state.areas[area]
        markers = {m.power: m.marker for m in there.markers}
        found.append(Outcome(markers, set(there.codominion), g.causes(), g.state.tension))
    assert found[0] == found[1]
    return found[0]


# Conflicts


@pytest.mark.rule("MIN-034")
def test_minor_powers_arriving_together_share_the_area() -> None:
    out = both_ways("kongo", {}, KONGO)
    assert out.markers == {"belgium": "protectorate", "portugal": "protectorate"}
    assert out.codominion == {"belgium", "portugal"} and out.tension == 0


@pytest.mark.rule("MIN-022")
def test_existing_control_excludes_a_second_minor_power() -> None:
    old = {"kongo": here(marker("belgium", "protectorate"), army("belgium", 1))}
    out = both_ways("kongo", old, KONGO)
    assert out.markers == {"belgium": "possession", "portugal": "interest"} and out.codominion == set()


@pytest.mark.rule("STA-053")
def test_interest_under_a_new_possession_goes_in_marker_adjustment() -> None:
    old = {"kongo": here(marker("belgium", "protectorate"), army("belgium", 1))}
    for backwards in (False, True):
        g = phase(old, KONGO, backwards)
        while g.state.phase != "negotiation":
            g.step()
        assert g.kind("kongo", "portugal") == "" and g.state.tension == 1


@pytest.mark.rule("MIN-047")
def test_influence_arriving_with_control_is_lowered() -> None:
    # Belgium has no Protectorate left: Influence is all that it can place
    lands = ("uganda", "tanganyika", "kamerun", "rhodesia", "kenya")
    full = {area: here(marker("belgium", "protectorate")) for area in lands}
    out = both_ways("gabon", {**full, "kongo": here()}, GABON, options={})
    assert out.markers == {"portugal": "protectorate", "belgium": "interest"} and out.tension == 1


@pytest.mark.rule("MIN-022")
def test_a_codominion_from_before_stays_as_it_is() -> None:
    old = {
        "kongo": here(
            marker("belgium", "protectorate"),
            marker("netherlands", "protectorate"),
            army("belgium", 1),
            army("netherlands", 1),
            codominion=["belgium", "netherlands"],
        )
    }
    out = both_ways("kongo", old, KONGO)
    assert out.codominion == {"belgium", "netherlands"}
    assert out.markers == {"belgium": "possession", "netherlands": "protectorate", "portugal": "interest"}


# The Casus Belli


FRENCH = {"gabon": here(marker("france", "influence"))}


@pytest.mark.rule("MIN-024", "WAR-030")
def test_the_casus_belli_arises_when_the_protectorate_is_placed() -> None:
    g = phase(FRENCH, {"belgium": (5, 5)})
    assert g.causes() == {("france", "belgium", "gabon")}
    kinds = [type(e) for e in g.last]
    assert kinds.index(events.MarkerPlaced) < kinds.index(events.CasusBelliArose) < kinds.index(events.PhaseBegan)
    (arose,) = g.of(events.CasusBelliArose)
    assert {"MIN-024", "WAR-030"} <= set(arose.rules)
    while g.state.phase != "negotiation":
        g.step()
    assert g.causes() == {("france", "belgium", "gabon")} and len(g.all_of(events.CasusBelliArose)) == 1
    # an Influence, or a Possession over an own Protectorate, gives none
    g = phase({"brasil": here(marker("france", "influence"))}, {"portugal": (1, 1)})
    assert g.kind("brasil", "portugal") == "influence" and g.causes() == set()


@pytest.mark.rule("MIN-024", "WAR-030")
def test_casus_belli_is_against_each_of_two_minor_powers() -> None:
    out = both_ways("gabon", FRENCH, GABON)
    assert out.causes == {("france", "belgium", "gabon"), ("france", "portugal", "gabon")}


@pytest.mark.rule("MIN-024", "STA-030")
def test_casus_belli_ends_with_the_influence() -> None:
    g = phase(FRENCH, {"belgium": (5, 5)})
    g.act("france", "downgrade interest gabon")
    assert g.causes() == set()
    g = phase(FRENCH, {"belgium": (5, 5)})
    g.act("france", "transfer gabon to germany")
    g.act("germany", f"choose {g.pending()[0].id} accept")
    assert g.causes() == set()
    while g.state.phase != "negotiation":
        g.step()
    assert g.causes() == {("germany", "belgium", "gabon")}


@pytest.mark.rule("MIN-024", "WAR-030", "WAR-032", "CCB-025")
def test_casus_belli_ends_with_a_protectorate_lost_to_unrest() -> None:
    revolt = {"gabon": here(marker("france", "influence"), unrest=True)}
    g = phase(revolt, {"belgium": (5, 5)}, homes=at_home("belgium", army("belgium", 1)))
    assert g.causes() == {("france", "belgium", "gabon")}
    g.step()
    g.dice(1)  # 1 against 1, Table 1: eliminated
    while g.state.phase != "negotiation":
        g.step()
    assert g.kind("gabon", "belgium") == "" and g.causes() == set()
