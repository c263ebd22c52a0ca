"""Colonial Combat (CCB): legal attacks, their order, the tables, losses and retreats."""

from __future__ import annotations

from typing import Any

import pytest

from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.status import area_state, controls, unestablished
from paxtui.games.pax.combat.results import look_up_result, ratio_column, ratio_label, read_result, table_number
from paxtui.games.pax.events import events
from paxtui.games.pax.state.pieces import Marker
from tests.rules.harness import Bench, army, here, marker, naval, new, start, tables


def combat(areas: dict[str, Any], **rest: Any) -> Bench:
    """The Colonial Combat Phase with some Areas changed."""
    players, options, seed = rest.pop("players", 7), rest.pop("options", None), rest.pop("seed", "test")
    return start({"phase": "colonial_combat", "areas": areas, **rest}, players, options, seed)


def pending_choices(g: Bench, kind: str = "fight") -> list[tuple[str, str]]:
    """(Power, Area) of the pending choices of a kind."""
    return [(c.power, c.area) for c in g.pending() if c.kind == kind]


def at_home(g: Bench, power: str) -> int:
    return len(g.state.homes[power])


def lost_units(g: Bench) -> list[str]:
    return [name for e in g.of(events.UnitsLost) for name in e.units]


def no_fleets(power: str) -> dict[str, Any]:
    """All Sea Zones without the Merchant Fleets of a Power, so that nothing retreats by sea."""
    zones = start().state.sea_zones
    return {z: {"merchant_fleets": [p for p in ps if p != power]} for z, ps in zones.items()}


# Who may attack


@pytest.mark.rule("CCB-001")
def test_an_army_in_the_area_is_needed() -> None:
    g = combat({"tunis": here(new("france"))})
    assert pending_choices(g) == []
    refusal = g.refused("france", "fight tunis")
    assert refusal.code == "no_army" and "CCB-001" in refusal.rules
    g = combat({"tunis": here(new("france"), army("france", 1))})
    assert pending_choices(g) == [("france", "tunis")]


@pytest.mark.rule("CCB-001", "SEQ-013", "STA-021")
def test_combat_needs_unrest_or_new_control() -> None:
    g = combat({"tunis": here(new("france", "influence"), army("france", 3))})
    assert pending_choices(g) == [] and g.waiting() == ()
    assert g.refused("france", "fight tunis").code == "nothing_to_fight"
    assert g.refused("britain", "fight canada").code == "nothing_to_fight"


@pytest.mark.rule("CCB-007")
def test_naval_units_do_not_fight_in_colonial_combat() -> None:
    g = combat({"tunis": here(new("france"), naval("france", 3))})
    assert pending_choices(g) == []
    g = combat({"tunis": here(new("france"), army("france", 1), naval("france", 10))})
    g.dice(1)
    g.act("france", "fight tunis")
    fight = g.of(events.ColonialCombat)[0]
    assert (fight.attack, fight.defend, fight.column) == (1, 3, "1-3")


@pytest.mark.rule("CCB-016", "CCB-038", "CCB-039")
def test_any_power_may_put_down_unrest_in_a_neutral_area() -> None:
    g = combat({"persia": here(army("france", 3), unrest=True)})
    assert pending_choices(g) == [("france", "persia")]
    assert g.pending()[0].default == "decline persia"
    g.dice(6)
    g.act("france", "fight persia")
    assert not area_state(g.state, "persia").unrest
    # Interests give no Control
    g = combat({"siam": here(marker("britain", "interest"), army("italy", 10), unrest=True)})
    assert pending_choices(g) == [("italy", "siam")]


@pytest.mark.rule("CCB-017", "CCB-002", "CCB-018", "STA-020")
def test_one_victory_ends_the_unrest_and_establishes_the_marker() -> None:
    g = combat({"siam": here(new("britain"), army("britain", 10), unrest=True)})
    assert pending_choices(g) == [("britain", "siam")] and g.pending()[0].default == "fight siam"
    g.dice(6, 6)
    g.act("britain", "fight siam")
    assert len(g.of(events.ColonialCombat)) == len(g.of(events.UnrestEnded)) == len(g.of(events.MarkerEstablished)) == 1
    assert g.queue == (6,)
    assert g.markers("siam", "britain") == ("protectorate", "") and not area_state(g.state, "siam").unrest
    assert g.state.phase == "colonial_combat"


@pytest.mark.rule("CCB-009", "STA-017", "STA-020")
def test_only_victory_establishes_control_at_once() -> None:
    g = combat({"kongo": here(new("germany"), army("germany", 3))})
    g.dice(6)
    g.act("germany", "fight kongo")
    assert g.markers("kongo", "germany") == ("protectorate", "") and g.state.phase == "colonial_combat"
    g = combat({"kongo": here(new("germany"), army("germany", 3))})
    g.act("germany", "decline kongo")
    assert g.markers("kongo", "germany") == ("", "protectorate")
    g.step()
    g.step()
    assert g.markers("kongo", "germany") == ("", "")


@pytest.mark.rule("STA-021")
def test_interest_and_influence_are_not_fought_for() -> None:
    g = combat({"siam": here(new("britain", "influence"), army("britain", 10), unrest=True)})
    g.dice(6)
    g.act("britain", "fight siam")
    assert g.of(events.UnrestEnded) and not g.of(events.MarkerEstablished)
    assert g.markers("siam", "britain") == ("", "influence")


@pytest.mark.rule("CCB-023", "CCB-024", "CCB-006")
def test_suppressed_revolt_leaves_the_status_unchanged() -> None:
    for kind in ("possession", "protectorate"):
        g = combat({"bengal": here(marker("britain", kind), army("britain", 10), unrest=True)})
        assert pending_choices(g) == [("britain", "bengal")] and g.pending()[0].default == "fight bengal"
        g.dice(4)
        g.act("britain", "fight bengal")
        assert g.markers("bengal", "britain") == (kind, "") and not area_state(g.state, "bengal").unrest


@pytest.mark.rule("CCB-028")
def test_a_revolt_may_be_left_to_itself() -> None:
    g = combat({"bengal": here(marker("britain", "possession"), army("britain", 10), unrest=True)})
    g.act("britain", "decline bengal")
    assert g.waiting() == () and area_state(g.state, "bengal").unrest
    g.step()
    g.step()
    assert g.markers("bengal", "britain") == ("", "")


@pytest.mark.rule("CCB-030")
def test_revolt_of_another_power_is_closed() -> None:
    revolt = here(marker("britain", "possession"), army("britain", 1), army("france", 10), unrest=True)
    g = combat({"burma": revolt})
    assert pending_choices(g) == [("britain", "burma")]
    refusal = g.refused("france", "fight burma")
    assert refusal.code == "revolt_of_others" and "CCB-030" in refusal.rules
    # nor may an army get there
    revolt = here(marker("britain", "possession"), army("britain", 1), unrest=True)
    held_next = here(marker("france", "possession"), army("france", 3), army("france", 1))
    g = start({"phase": "movement", "areas": {"burma": revolt, "indochina": held_next}})
    assert "CCB-030" in g.refused("france", "move A3 indochina > burma").rules


@pytest.mark.rule("CCB-032", "CCB-033")
def test_only_influence_holders_may_fight_a_general_revolt() -> None:
    persia = here(
        marker("russia", "influence"),
        marker("britain", "influence"),
        army("russia", 10),
        army("france", 3),
        unrest=True,
    )
    g = combat({"persia": persia})
    assert pending_choices(g) == [("russia", "persia")] and g.pending()[0].default == "fight persia"
    refusal = g.refused("france", "fight persia")
    assert refusal.code == "no_influence" and "CCB-033" in refusal.rules


@pytest.mark.rule("CCB-033")
def test_influence_lets_armies_enter_an_area_in_unrest_and_stop_there() -> None:
    persia = here(marker("russia", "influence"), unrest=True)
    beyond = here(marker("russia", "possession"), army("russia", 1))
    g = start({"phase": "movement", "areas": {"persia": persia, "baluchistan": beyond}})
    g.act("russia", "move A10 home > persia")
    assert g.units("persia") == ["A10"]
    assert g.refused("russia", "move A10 persia > baluchistan").rules
    g = start({"phase": "movement", "areas": {"persia": here(marker("britain", "influence"), unrest=True)}})
    assert "CCB-033" in g.refused("russia", "move A10 home > persia").rules


@pytest.mark.rule("CCB-033", "MIN-050")
def test_a_minor_power_does_not_fight_for_its_influence() -> None:
    g = start({"phase": "minor_powers", "areas": {"marocco": {"unrest": True}}})
    g.dice(6, 6, 6, 6)
    g.step()
    assert g.units("marocco") == []
    g = combat({"marocco": here(marker("spain", "influence"), army("spain", 3), unrest=True)})
    g.advance()
    assert not g.of(events.ColonialCombat)


@pytest.mark.rule("CCB-034")
def test_any_victory_in_an_influence_area_saves_all_markers() -> None:
    both = (marker("russia", "influence"), marker("britain", "influence"))
    g = combat({"persia": here(*both, army("russia", 10), unrest=True)})
    g.dice(6)
    g.act("russia", "fight persia")
    assert g.of(events.UnrestEnded)[0].by == ("russia",)
    g.step()
    g.step()
    assert g.markers("persia", "britain") == ("influence", "")
    g = combat({"persia": here(*both, new("france"), army("france", 10), unrest=True)})
    g.dice(6)
    g.act("france", "fight persia")
    assert not area_state(g.state, "persia").unrest and g.markers("persia", "france") == ("protectorate", "")


@pytest.mark.rule("CCB-041")
def test_only_members_bring_armies_into_a_codominion_in_unrest() -> None:
    g = start(
        {
            "phase": "movement",
            "areas": {
                "guiana": {"unrest": True},
                "venezuela": here(marker("germany", "possession"), army("germany", 3), army("germany", 1)),
            },
        }
    )
    assert "CCB-041" in g.refused("germany", "move A3 venezuela > guiana").rules
    g.act("france", "move A3 home > guiana")
    assert "A3" in g.units("guiana", "france") and g.of(events.UnitsMoved)[0].halted
    guiana = start().state.areas["guiana"]
    own = [army(u.power, u.strength) for u in guiana.units]
    g = combat({"guiana": {"unrest": True, "units": [*own, army("germany", 10)]}})
    assert "CCB-041" in g.refused("germany", "fight guiana").rules


@pytest.mark.rule("STA-023")
def test_new_interest_lets_armies_fight_only_a_neutral_revolt() -> None:
    g = combat(
        {"siam": here(marker("britain", "influence"), new("france", "interest"), army("france", 10), unrest=True)}
    )
    assert pending_choices(g) == [("france", "siam")]
    siam = here(marker("britain", "protectorate"), new("france", "interest"), army("france", 10), unrest=True)
    g = combat({"siam": siam})
    assert pending_choices(g) == [] and "CCB-030" in g.refused("france", "fight siam").rules


# Minor Powers fight first


@pytest.mark.rule("CCB-003", "MIN-056")
def test_minor_power_fights_before_the_players() -> None:
    g = combat({"cuba": {"unrest": True}, "tunis": here(new("france"), army("france", 3))})
    assert g.pending() == [] and g.waiting() == ()
    assert g.refused("france", "fight tunis").code == "minors_first"
    g.dice(5)
    g.advance()
    fight = g.of(events.ColonialCombat)[0]
    assert (fight.area, fight.powers, fight.column, fight.result) == ("cuba", ("spain",), "1-1", "DR")
    assert not area_state(g.state, "cuba").unrest and pending_choices(g) == [("france", "tunis")]


@pytest.mark.rule("CCB-003", "CCB-067")
def test_minor_powers_fight_in_the_order_of_powers() -> None:
    minors = start({}).state.minors
    some = sorted(("spain", "portugal"), key=minors.index)
    for places in (("angola", "cuba"), ("cuba", "angola")):
        fights = dict(zip(some, places, strict=True))
        areas = {a: here(marker(p, "possession"), army(p, 3), unrest=True) for p, a in fights.items()}
        g = combat(areas)
        g.advance()
        fought = [(e.powers, e.area) for e in g.all_of(events.ColonialCombat)]
        assert fought[:2] == [((p,), fights[p]) for p in some]


@pytest.mark.rule("CCB-003")
def test_a_minor_power_without_armies_or_without_control_there_does_not_fight() -> None:
    strangers = (army("united_states", 1), army("netherlands", 1))
    for units in ((), strangers):
        g = combat({"cuba": here(marker("spain", "possession"), *units, unrest=True)})
        g.step()
        assert not [e for e in g.all_of(events.ColonialCombat) if set(e.powers) & {"spain", "netherlands"}]


@pytest.mark.rule("CCB-004", "MIN-007")
def test_a_minor_power_establishes_without_a_fight() -> None:
    g = start({"phase": "minor_powers"})
    g.dice(6, 1, 3, 4, 6, 6)  # Belgium active in the Kongo
    g.step()
    assert g.markers("kongo", "belgium") == ("protectorate", "")
    g.step()
    g.step()
    assert not g.all_of(events.ColonialCombat) and g.markers("kongo", "belgium") == ("protectorate", "")


@pytest.mark.rule("CCB-005", "MIN-009")
def test_minor_power_fights_unrest_where_it_placed_a_protectorate() -> None:
    g = start({"phase": "minor_powers", "areas": {"papua": {"unrest": True}}})
    g.dice(1, 1, 1, 6, 6, 6)  # Netherlands active in Papua
    g.step()
    assert g.units("papua") == ["A1", "A1", "A3"]
    g.step()
    g.dice(6)
    g.step()
    assert [(e.area, e.powers) for e in g.of(events.ColonialCombat)] == [("papua", ("netherlands",))]
    # with no Protectorate piece it is an Influence only, and nobody fights
    more = {a: here(marker("netherlands", "possession"), army("netherlands", 1)) for a in ("mexico", "peru", "chile")}
    more["bolivia"] = here(marker("netherlands", "possession"), army("netherlands", 1))
    patch = {"phase": "minor_powers", "areas": {"papua": {"unrest": True}, **more}, "homes": {}}
    patch["homes"] = {"netherlands": {"units": [army("netherlands", 3)]}}
    g = start(patch)
    g.dice(1, 1, 1, 6, 6, 6)
    g.step()
    assert g.markers("papua", "netherlands") == ("influence", "")
    g.step()
    g.step()
    assert not g.all_of(events.ColonialCombat)


@pytest.mark.rule("CCB-008")
def test_area_of_strength_zero_is_beaten_without_a_die() -> None:
    g = combat({"new_hebrides": here(new("france"), army("france", 1))})
    g.dice(1)
    g.act("france", "fight new_hebrides")
    assert g.queue == (1,) and g.markers("new_hebrides", "france") == ("protectorate", "")
    g = combat({"new_hebrides": here(new("france"))})
    assert pending_choices(g) == [] and g.refused("france", "fight new_hebrides").code == "no_army"
    g.step()
    assert g.markers("new_hebrides", "france") == ("", "protectorate")


# Several in one Area


@pytest.mark.rule("CCB-010", "ETI-039")
def test_defeat_removes_the_new_marker_without_tension() -> None:
    g = combat({"algiers": here(new("britain"), army("britain", 3))}, sea_zones=no_fleets("britain"))
    g.dice(1)
    g.act("britain", "fight algiers")
    assert g.of(events.ColonialCombat)[0].result == "E"
    assert g.markers("algiers", "britain") == ("", "") and g.units("algiers") == []
    assert g.state.tension == 0 and not g.all_of(events.TreasuryChanged)


@pytest.mark.rule("CCB-010", "CCB-063")
def test_a_failed_upgrade_keeps_the_older_marker() -> None:
    kamerun = here(marker("germany", "influence"), new("germany"), army("germany", 1))
    g = combat({"kamerun": kamerun})
    g.dice(1)
    g.act("germany", "fight kamerun")
    assert g.markers("kamerun", "germany") == ("influence", "") and g.state.tension == 0
    g = combat({"kamerun": kamerun}, options={"failed_upgrade_keeps_old": "no"})
    g.dice(1)
    g.act("germany", "fight kamerun")
    assert g.markers("kamerun", "germany") == ("", "") and g.state.tension == 0


@pytest.mark.rule("CCB-063")
def test_a_failed_upgrade_is_not_paid_back() -> None:
    kamerun = here(marker("germany", "influence"))
    g = start({"phase": "movement", "areas": {"kamerun": kamerun}, "powers": {"germany": {"treasury": 30}}})
    g.act("germany", "upgrade protectorate kamerun")
    g.act("germany", "move A1 home > kamerun")
    g.step()
    g.dice(1)
    g.act("germany", "fight kamerun")
    assert g.markers("kamerun", "germany") == ("influence", "")
    assert g.state.powers["germany"].treasury == 20 and g.state.tension == 0


@pytest.mark.rule("CCB-012")
def test_lost_combat_leaves_markers_of_others() -> None:
    g = combat(
        {"tunis": here(marker("italy", "influence"), new("russia", "interest"), new("france"), army("france", 3))}
    )
    g.dice(1)
    g.act("france", "fight tunis")
    assert g.markers("tunis", "france") == ("", "") and g.markers("tunis", "italy") == ("influence", "")
    assert g.markers("tunis", "russia") == ("", "interest")
    g = combat(
        {"tunis": here(marker("italy", "influence"), new("russia", "interest"), new("france"), army("france", 3))}
    )
    g.dice(6)
    g.act("france", "fight tunis")
    assert g.markers("tunis", "italy") == ("influence", "") and g.markers("tunis", "russia") == ("", "interest")


def _race(seed: str = "test") -> Bench:
    return combat({"tunis": here(new("italy"), new("france"), army("italy", 10), army("france", 10))}, seed=seed)


@pytest.mark.rule("CCB-013", "CCB-014")
def test_each_attempt_meets_the_whole_strength() -> None:
    g = _race()
    g.dice(6, 6)
    first = pending_choices(g)[0][0]
    g.act(first, "fight tunis")
    second = pending_choices(g)[0][0]
    assert {first, second} == {"italy", "france"}
    g.act(second, "fight tunis")
    fights = g.all_of(events.ColonialCombat)
    assert [f.defend for f in fights] == [3, 3] and [f.die for f in fights] == [6, 6]
    assert controls(g.state, "tunis", "italy") and controls(g.state, "tunis", "france")


@pytest.mark.rule("CCB-015")
def test_two_new_controls_in_an_area_give_mutual_casus_belli() -> None:
    g = _race()
    g.dice(6, 6)
    g.step()
    g.step()
    assert {(c.holder, c.against, c.area) for c in g.state.casus_belli} == {
        ("italy", "france", "tunis"),
        ("france", "italy", "tunis"),
    }
    assert {c.rule for c in g.state.casus_belli} == {"CCB-015"}
    g = _race()
    g.dice(1, 6)  # the first loses
    g.step()
    g.step()
    assert not g.state.casus_belli


@pytest.mark.rule("CCB-019", "CCB-020")
def test_after_the_unrest_is_over_the_other_still_fights_for_its_marker() -> None:
    g = combat({"siam": here(new("britain"), new("france"), army("britain", 10), army("france", 10), unrest=True)})
    g.dice(6)
    first = pending_choices(g)[0][0]
    g.act(first, "fight siam")
    assert not area_state(g.state, "siam").unrest
    second = pending_choices(g)[0][0]
    assert second != first and g.markers("siam", second) == ("", "protectorate")
    g.dice(6)
    g.act(second, "fight siam")
    assert g.of(events.ColonialCombat)[0].defend == 5 and not g.of(events.UnrestEnded)
    assert g.markers("siam", second) == ("protectorate", "")


@pytest.mark.rule("CCB-019")
def test_power_without_a_new_marker_cannot_fight_after_the_unrest() -> None:
    g = combat({"siam": here(army("britain", 10), army("france", 10), unrest=True)})
    first = pending_choices(g)[0][0]
    g.dice(6)
    g.act(first, "fight siam")
    assert pending_choices(g) == [] and g.waiting() == ()


@pytest.mark.rule("CCB-021")
def test_one_combat_for_each_power_and_area() -> None:
    g = combat({"siam": here(army("britain", 10), army("britain", 10), unrest=True)})
    g.dice(1)
    g.act("britain", "fight siam")
    assert g.of(events.ColonialCombat)[0].result == "HX" and not area_state(g.state, "siam").unrest
    g = combat({"peru": here(new("britain"), army("britain", 3), army("britain", 1), unrest=True)})
    g.act("britain", "decline peru")
    assert g.refused("britain", "fight peru").code == "fought_already"
    assert "CCB-021" in g.refused("britain", "fight peru").rules
    # a lost fight that leaves an army to choose its retreat gives no second one
    g = combat({"burma": here(army("britain", 3), unrest=True)})
    g.dice(2)
    g.act("britain", "fight burma")
    assert [c.kind for c in g.pending()] == ["retreat"]
    assert "CCB-021" in g.refused("britain", "fight burma").rules


@pytest.mark.rule("CCB-022")
def test_result_applies_to_all_armies_of_the_power() -> None:
    g = combat({"bulgaria": here(new("russia"), army("russia", 10), army("russia", 1))})
    g.dice(1)
    g.act("russia", "fight bulgaria")
    assert g.of(events.ColonialCombat)[0].attack == 11
    assert g.of(events.ColonialCombat)[0].result == "AR" and g.units("bulgaria") == []
    g = combat({"serbia": here(new("russia"), army("russia", 3), army("russia", 1))})
    g.dice(1)
    g.act("russia", "fight serbia")
    assert sorted(lost_units(g)) == ["A1", "A3"]


@pytest.mark.rule("CCB-036")
def test_strengths_of_several_powers_are_not_added() -> None:
    both = (marker("russia", "influence"), marker("britain", "influence"))
    g = combat({"persia": here(*both, army("russia", 3), army("britain", 3), unrest=True)})
    g.dice(1, 1)
    for _ in range(2):
        g.act(pending_choices(g)[0][0], "fight persia")
    assert [(f.attack, f.column) for f in g.all_of(events.ColonialCombat)] == [(3, "1-1"), (3, "1-1")]


@pytest.mark.rule("CCB-037")
def test_powers_attack_in_turn_until_the_area_is_beaten() -> None:
    both = (marker("russia", "influence"), marker("britain", "influence"))
    g = combat({"persia": here(*both, army("russia", 3), army("britain", 3), unrest=True)})
    g.dice(1, 6)
    first = pending_choices(g)[0][0]
    g.act(first, "fight persia")
    assert lost_units(g) == ["A3"] and area_state(g.state, "persia").unrest
    second = pending_choices(g)[0][0]
    g.act(second, "fight persia")
    assert second != first and not area_state(g.state, "persia").unrest and not lost_units(g)


@pytest.mark.rule("CCB-067")
def test_order_of_attack_is_drawn_once() -> None:
    both = (marker("russia", "influence"), marker("britain", "influence"))
    area = {"persia": here(*both, army("russia", 3), army("britain", 3), unrest=True)}
    orders = {combat(area, seed=seed).all_of(events.OrderDrawn)[0].powers for seed in "abcdefgh"}
    assert orders == {("russia", "britain"), ("britain", "russia")}
    g, same = combat(area), combat(area)
    drawn = g.all_of(events.OrderDrawn)
    assert len(drawn) == 1 and drawn == same.all_of(events.OrderDrawn)
    first, second = drawn[0].powers
    assert pending_choices(g) == [(first, "persia")] and g.waiting() == (first,)
    assert g.refused(second, "fight persia").code == "not_your_turn"
    assert "CCB-067" in g.refused(second, "decline persia").rules
    g.act(first, "decline persia")
    assert pending_choices(g) == [(second, "persia")] and len(g.all_of(events.OrderDrawn)) == 1


@pytest.mark.rule("CCB-067")
def test_order_of_attack_changes_by_agreement() -> None:
    both = (marker("russia", "influence"), marker("britain", "influence"))
    area = {"persia": here(*both, army("russia", 3), army("britain", 3), unrest=True)}
    g = combat(area)
    first, second = g.all_of(events.OrderDrawn)[0].powers
    g.act(first, f"choose {g.pending()[0].id} wait persia")
    assert pending_choices(g) == [(second, "persia")]
    g.act(second, "fight persia")  # it agrees to go first
    assert pending_choices(g) in ([(first, "persia")], [])
    g = combat(area)
    g.act(first, f"choose {g.pending()[0].id} wait persia")
    g.act(second, f"choose {g.pending()[0].id} wait persia")  # it does not: the order drawn stands
    assert pending_choices(g) == [(first, "persia")] and g.pending()[0].options == ("fight persia", "decline persia")


# Codominions


def shared(area: str, powers: tuple[str, ...], *pieces: dict[str, Any], kind: str = "protectorate") -> dict[str, Any]:
    """An Area in Unrest that several Powers share."""
    marks = [marker(p, kind) for p in powers]
    return {area: here(*marks, *pieces, unrest=True, codominion=list(powers))}


HAWAII = ("united_states", "britain")


@pytest.mark.rule("CCB-042")
def test_members_of_a_codominion_may_attack_together() -> None:
    g = combat(shared("hawaii", HAWAII, army("united_states", 1), army("britain", 1)))
    assert sorted(pending_choices(g, "combine")) == [("britain", "hawaii"), ("united_states", "hawaii")]
    g.dice(6)
    g.act("britain", "fight hawaii")
    assert not g.of(events.ColonialCombat)
    g.act("united_states", f"choose {g.pending()[0].id} combine")
    fight = g.of(events.ColonialCombat)[0]
    assert (set(fight.powers), fight.attack, fight.column) == (set(HAWAII), 2, "2-1")
    assert not area_state(g.state, "hawaii").unrest and len(g.all_of(events.ColonialCombat)) == 1


@pytest.mark.rule("CCB-042", "CCB-066")
def test_a_member_may_also_attack_alone_or_not_at_all() -> None:
    g = combat(shared("burma", ("britain", "france"), army("britain", 3), army("france", 3)))
    g.act("britain", f"choose {g.pending()[0].id} alone")
    g.act("france", f"choose {g.pending()[0].id} alone")
    g.dice(1, 6)
    first = pending_choices(g)[0][0]
    g.act(first, "fight burma")
    assert g.of(events.ColonialCombat)[0].powers == (first,) and lost_units(g) == ["A3"]
    second = pending_choices(g)[0][0]
    g.act(second, "fight burma")
    assert g.of(events.ColonialCombat)[0].powers == (second,) and not area_state(g.state, "burma").unrest
    g = combat(shared("burma", ("britain", "france"), army("britain", 3), army("france", 3)))
    g.act("britain", "decline burma")
    g.dice(6)
    g.act("france", "fight burma")
    assert g.of(events.ColonialCombat)[0].powers == ("france",)


@pytest.mark.rule("CCB-066")
def test_elimination_applies_to_all_partners() -> None:
    g = combat(shared("burma", ("britain", "france"), army("britain", 1), army("france", 1)))
    g.dice(1)
    g.act("britain", "fight burma")
    g.act("france", "fight burma")
    fight = g.of(events.ColonialCombat)[0]
    assert (fight.column, fight.result) == ("2-3", "E") and g.units("burma") == []
    assert area_state(g.state, "burma").unrest


@pytest.mark.rule("CCB-066")
def test_partners_agree_on_the_losses_or_lose_all() -> None:
    def exchange() -> Bench:
        g = combat(shared("hawaii", HAWAII, army("united_states", 1), army("britain", 1)))
        g.dice(1)
        g.act("britain", "fight hawaii")
        g.act("united_states", "fight hawaii")
        assert g.of(events.ColonialCombat)[0].result == "EX"
        return g

    g = exchange()
    first = pending_choices(g, "losses")[0][0]
    g.act(first, f"choose {g.pending()[0].id} {first} A1")
    second = pending_choices(g, "losses")[0][0]
    assert second != first and g.pending()[0].default == f"{first} A1"
    g.act(second, f"choose {g.pending()[0].id} {first} A1")
    assert g.units("hawaii", first) == [] and g.units("hawaii", second) == ["A1"]
    assert not area_state(g.state, "hawaii").unrest
    g = exchange()
    g.act(first, f"choose {g.pending()[0].id} {second} A1")
    g.act(second, f"choose {g.pending()[0].id} {first} A1")
    assert g.units("hawaii") == [] and area_state(g.state, "hawaii").unrest


@pytest.mark.rule("CCB-066", "AUS-001")
def test_german_seat_chooses_losses_of_both_its_powers_together() -> None:
    both = ("germany", "austria_hungary")
    g = combat(shared("hawaii", both, army("germany", 1), army("austria_hungary", 1)))
    g.dice(1)
    while pending_choices(g, "combine"):
        g.act("germany", f"choose {g.pending()[0].id} combine")
    assert g.of(events.ColonialCombat)[0].result == "EX"
    (choice,) = g.pending()
    assert "partners" not in choice.prompt
    g.act("germany", f"choose {choice.id} austria_hungary A1")
    assert not pending_choices(g, "losses") and g.units("hawaii", "germany") == ["A1"]


@pytest.mark.rule("MIN-056")
def test_a_minor_member_joins_the_common_attack_or_fights_alone_and_last() -> None:
    guiana = {"guiana": {"unrest": True, "units": [army(p, 1) for p in ("britain", "france")]}}
    guiana["guiana"]["units"] += [army("netherlands", n) for n in (1, 3, 1, 1)]
    homes = {"netherlands": {"units": []}}
    g = combat(guiana, homes=homes)
    assert sorted(pending_choices(g, "combine")) == [("britain", "guiana"), ("france", "guiana")]
    g.dice(6)
    g.act("britain", "fight guiana")
    g.act("france", "fight guiana")
    fight = g.of(events.ColonialCombat)[0]
    assert (fight.powers, fight.attack) == (("britain", "france", "netherlands"), 8)
    g = combat(guiana, homes=homes)
    g.act("britain", "decline guiana")
    g.act("france", "decline guiana")
    assert g.waiting() == () and not g.all_of(events.ColonialCombat)
    g.dice(5)
    g.advance()
    fight = g.of(events.ColonialCombat)[0]
    assert (fight.powers, fight.attack, fight.column) == (("netherlands",), 6, "3-1")


@pytest.mark.rule("MIN-056")
def test_a_minor_partner_loses_as_little_as_possible() -> None:
    pieces = [army("britain", 1), army("netherlands", 3), army("netherlands", 1)]
    g = combat(shared("burma", ("britain", "netherlands"), *pieces), homes={"netherlands": {"units": []}})
    g.dice(2)  # 5 against 3: 3-2, AR; then again with an exchange
    g.act("britain", "fight burma")
    assert g.of(events.ColonialCombat)[0].column == "3-2"
    g = combat(shared("burma", ("britain", "netherlands"), *pieces), homes={"netherlands": {"units": []}})
    g.dice(3)
    g.act("britain", "fight burma")
    assert g.of(events.ColonialCombat)[0].losses == 3
    # Britain's 1 goes first; of the Dutch no smaller loss than the 3 makes up the other 2
    assert g.units("burma") == ["A1"] and g.units("burma", "netherlands") == ["A1"]


# The tables


@pytest.mark.rule("CCB-043", "WCB-031")
def test_table_2_from_five_points_of_the_smaller_force() -> None:
    assert [table_number(a, d) for a, d in ((13, 5), (4, 5), (5, 5), (5, 4), (10, 10))] == [2, 1, 2, 1, 2]
    g = combat({"manchuria": here(new("russia"), army("russia", 3), army("russia", 1))})
    g.dice(6)
    g.act("russia", "fight manchuria")
    assert g.of(events.ColonialCombat)[0].table == 1


@pytest.mark.rule("CCB-044", "CCB-045")
@pytest.mark.parametrize(
    ("attack", "defend", "ratio"),
    [
        (13, 5, "2-1"),
        (14, 5, "2-1"),
        (15, 5, "3-1"),
        (3, 5, "1-2"),
        (1, 15, "1-10"),
        (1, 20, "1-10"),
        (13, 1, "10-1"),
        (9, 1, "3-1"),
        (3, 3, "1-1"),
        (2, 3, "2-3"),
        (4, 3, "1-1"),
        (5, 3, "3-2"),
    ],
)
def test_ratios_are_rounded_for_the_area(attack: int, defend: int, ratio: str) -> None:
    assert ratio_label(tables().ratios[ratio_column(tables(), attack, defend)]) == ratio


@pytest.mark.rule("CCB-045", "CCB-006", "WCB-031")
def test_thirteen_against_manchuria() -> None:
    for extra, ratio in (((), "2-1"), ((army("russia", 1), army("russia", 1)), "3-1")):
        pieces = (new("russia"), army("russia", 10), army("russia", 3), *extra)
        g = combat({"manchuria": here(*pieces, unrest=True)}, homes={"russia": {"units": []}})
        g.dice(4)
        g.act("russia", "fight manchuria")
        fight = g.of(events.ColonialCombat)[0]
        assert (fight.table, fight.column, fight.die, fight.result) == (2, ratio, 4, "DR")
        assert "CCB-006" in fight.rules


@pytest.mark.rule("CCB-006")
def test_one_die_of_the_queue_for_one_combat() -> None:
    g = combat({"algiers": here(new("britain"), army("britain", 3))})
    g.dice(5, 2)
    g.act("britain", "fight algiers")
    fight = g.of(events.ColonialCombat)[0]
    assert (fight.attack, fight.defend, fight.column, fight.die) == (3, 3, "1-1", 5) and g.queue == (2,)


@pytest.mark.rule("CCB-046")
def test_there_are_exactly_six_results() -> None:
    t = tables()
    found = {look_up_result(t, table, die, i) for table in (1, 2) for die in range(1, 7) for i in range(len(t.ratios))}
    assert found == {"E", "AR", "EX", "HX", "DR", "DE"}


@pytest.mark.rule("CCB-060")
def test_results_have_their_colonial_combat_meaning() -> None:
    assert read_result("EX", 13, 5).effect == "losses" and read_result("EX", 13, 5).losses == 5
    assert read_result("DR", 1, 5).effect == read_result("DE", 1, 5).effect == "defeated"
    g = combat({"manchuria": here(new("russia"), army("russia", 10), army("russia", 3))})
    g.dice(1)  # an exchange takes a part of the attackers only, and the Area stays where it is
    g.act("russia", "fight manchuria")
    assert g.of(events.ColonialCombat)[0].result == "EX" and g.units("manchuria") == ["A3"]


@pytest.mark.rule("CCB-047")
def test_e_eliminates_all_attackers() -> None:
    g = combat({"anatolia": here(new("russia"), army("russia", 10), army("russia", 1))})
    g.dice(1)  # 11 against 20: 1-2, Table 2
    g.act("russia", "fight anatolia")
    assert g.of(events.ColonialCombat)[0].result == "E" and sorted(lost_units(g)) == ["A1", "A10"]
    assert g.markers("anatolia", "russia") == ("", "") and at_home(g, "russia") == 7


@pytest.mark.rule("CCB-048", "CCB-011")
def test_ar_makes_all_attackers_leave() -> None:
    g = combat({"kamerun": here(new("germany"), army("germany", 1))}, sea_zones=no_fleets("britain"))
    g.dice(2)
    g.act("germany", "fight kamerun")
    assert g.of(events.ColonialCombat)[0].effect == "retreat"
    assert g.units("kamerun") == [] and not lost_units(g) and g.markers("kamerun", "germany") == ("", "")
    moved = g.of(events.UnitsMoved)[0]
    assert moved.reason == "retreat" and moved.path[-1] == "home:germany"


# Losses


@pytest.mark.rule("CCB-052")
def test_an_exchange_costs_the_strength_of_the_area_at_least() -> None:
    g = combat({"manchuria": here(new("russia"), army("russia", 10), army("russia", 3))})
    g.dice(1)
    g.act("russia", "fight manchuria")
    assert lost_units(g) == ["A10"] and g.markers("manchuria", "russia") == ("protectorate", "")
    g = combat({"tunis": here(new("france"), army("france", 3), army("france", 3))})
    g.dice(1)
    g.act("france", "fight tunis")
    assert (
        lost_units(g) == ["A3"] and g.units("tunis") == ["A3"] and g.markers("tunis", "france") == ("protectorate", "")
    )


@pytest.mark.rule("CCB-052")
def test_the_player_chooses_what_is_lost() -> None:
    pieces = [army("france", n) for n in (3, 1, 1, 1)]
    g = combat({"tunis": here(new("france"), *pieces)})
    g.dice(1)
    g.act("france", "fight tunis")
    choice = g.pending()[0]
    assert choice.kind == "losses" and choice.default == "A3" and g.waiting() == ("france",)
    assert g.refused("france", f"choose {choice.id} A1 A1").code == "not_enough"
    assert "CCB-052" in g.refused("france", f"choose {choice.id} A1 A1").rules
    assert g.refused("france", f"choose {choice.id} A3 A3").code == "not_there"
    g.act("france", f"choose {choice.id} A1 A1 A1")
    assert g.units("tunis") == ["A3"] and g.markers("tunis", "france") == ("protectorate", "")


@pytest.mark.rule("CCB-053")
def test_an_exchange_without_survivors_is_no_victory() -> None:
    g = combat({"manchuria": here(new("russia"), army("russia", 10), unrest=True)})
    g.dice(1)
    g.act("russia", "fight manchuria")
    assert g.of(events.ColonialCombat)[0].effect == "losses"
    assert g.units("manchuria") == [] and g.markers("manchuria", "russia") == ("", "")
    assert area_state(g.state, "manchuria").unrest
    pieces = [army("france", n) for n in (3, 1, 1, 1)]
    g = combat({"tunis": here(new("france"), *pieces)})
    g.dice(1)
    g.act("france", "fight tunis")
    g.act("france", f"choose {g.pending()[0].id} A3 A1 A1 A1")
    assert g.markers("tunis", "france") == ("", "")


@pytest.mark.rule("CCB-054")
def test_an_exchange_with_an_equal_area_eliminates() -> None:
    g = combat({"tunis": here(new("france"), army("france", 1), army("france", 1), army("france", 1))})
    g.dice(3)
    g.act("france", "fight tunis")
    fight = g.of(events.ColonialCombat)[0]
    assert (fight.result, fight.effect) == ("EX", "eliminated") and "CCB-054" in fight.rules
    assert g.units("tunis") == []
    assert read_result("EX", 4, 3).effect == "losses" and read_result("EX", 3, 4).effect == "eliminated"


@pytest.mark.rule("CCB-055")
def test_a_half_exchange_costs_half_rounded_up() -> None:
    g = combat({"manchuria": here(new("russia"), army("russia", 3), army("russia", 1), army("russia", 1))})
    g.dice(4)
    g.act("russia", "fight manchuria")
    assert (g.of(events.ColonialCombat)[0].result, g.of(events.ColonialCombat)[0].losses) == ("HX", 3)
    assert lost_units(g) == ["A3"] and g.units("manchuria") == ["A1", "A1"]
    g = combat({"rumania": here(new("russia"), army("russia", 10), army("russia", 3))})
    g.dice(4)
    g.act("russia", "fight rumania")
    assert (g.of(events.ColonialCombat)[0].column, g.of(events.ColonialCombat)[0].losses) == ("1-1", 5)
    assert lost_units(g) == ["A10"]


@pytest.mark.rule("CCB-055", "CCB-056")
def test_a_half_exchange_with_a_choice() -> None:
    g = combat({"manchuria": here(new("russia"), army("russia", 10), army("russia", 3))})
    g.dice(2)
    g.act("russia", "fight manchuria")
    choice = g.pending()[0]
    assert choice.default == "A3" and set(choice.options) == {"A10", "A3"}
    g.act("russia", f"choose {choice.id} A3")
    assert g.units("manchuria") == ["A10"] and g.markers("manchuria", "russia") == ("protectorate", "")


@pytest.mark.rule("CCB-056")
def test_a_half_exchange_without_survivors_is_no_victory() -> None:
    g = combat({"manchuria": here(new("russia"), army("russia", 10))})
    g.dice(2)
    g.act("russia", "fight manchuria")
    assert g.of(events.ColonialCombat)[0].result == "HX" and g.units("manchuria") == []
    assert g.markers("manchuria", "russia") == ("", "")


@pytest.mark.rule("CCB-057")
def test_a_half_exchange_with_a_stronger_area_eliminates() -> None:
    g = combat({"serbia": here(new("russia"), army("russia", 3), army("russia", 1), army("russia", 1))})
    g.dice(4)
    g.act("russia", "fight serbia")
    fight = g.of(events.ColonialCombat)[0]
    assert (fight.column, fight.result, fight.effect) == ("1-2", "HX", "eliminated")
    assert g.units("serbia") == []
    assert read_result("HX", 5, 5).effect == "losses"


@pytest.mark.rule("CCB-058", "CCB-059")
def test_dr_and_de_are_victories_without_loss() -> None:
    for die, result in ((4, "DR"), (6, "DE")):
        g = combat({"manchuria": here(new("russia"), army("russia", 10))})
        g.dice(die)
        g.act("russia", "fight manchuria")
        assert g.of(events.ColonialCombat)[0].result == result
        assert not lost_units(g) and g.markers("manchuria", "russia") == ("protectorate", "")


# Retreats


GABON = {"gabon": here(marker("germany", "protectorate"), army("germany", 1))}


@pytest.mark.rule("CCB-049", "CCB-011")
def test_a_retreat_to_an_area_next_door() -> None:
    zones = no_fleets("germany")
    g = combat({"kamerun": here(new("germany"), army("germany", 1)), **GABON}, sea_zones=zones)
    g.dice(2)
    g.act("germany", "fight kamerun")
    assert g.of(events.UnitsMoved)[0].path == ("kamerun", "gabon") and g.units("gabon") == ["A1", "A1"]
    # unestablished Control is none
    g = combat({"kamerun": here(new("germany"), army("germany", 1)), "gabon": here(new("germany"))}, sea_zones=zones)
    g.dice(2)
    g.act("germany", "fight kamerun")
    assert lost_units(g) == ["A1"]


@pytest.mark.rule("CCB-050")
def test_a_retreat_by_sea_through_own_fleets() -> None:
    south = start().state.sea_zones
    short = {
        z: {"merchant_fleets": [p for p in ps if p != "germany" or z == "south_atlantic"]} for z, ps in south.items()
    }
    togo = {"togoland": here(marker("germany", "protectorate"), army("germany", 1))}
    g = combat({"kamerun": here(new("germany"), army("germany", 1)), **togo}, sea_zones=short)
    g.dice(2)
    g.act("germany", "fight kamerun")
    assert g.of(events.UnitsMoved)[0].path == ("kamerun", "south_atlantic", "togoland")
    g = combat({"kamerun": here(new("germany"), army("germany", 1)), **togo})
    g.dice(2)
    g.act("germany", "fight kamerun")
    choice = g.pending()[0]
    assert choice.kind == "retreat" and choice.options == ("togoland", "home") and choice.default == "togoland"
    g.act("germany", f"choose {choice.id} home")
    assert g.of(events.UnitsMoved)[0].path == ("kamerun", "south_atlantic", "north_atlantic", "home:germany")
    # no fleet on the Area's own coast, no way
    none = {
        z: {"merchant_fleets": [p for p in ps if p != "germany" or z == "north_atlantic"]} for z, ps in south.items()
    }
    g = combat({"kamerun": here(new("germany"), army("germany", 1)), **togo}, sea_zones=none)
    g.dice(2)
    g.act("germany", "fight kamerun")
    assert lost_units(g) == ["A1"]


@pytest.mark.rule("CCB-049", "CCB-050")
def test_units_may_retreat_to_different_areas() -> None:
    pieces = (army("germany", 3), army("germany", 1), army("germany", 1))
    own = here(marker("germany", "possession"), army("germany", 1))
    g = combat({"serbia": here(new("germany"), *pieces), "bulgaria": own, "rumania": own})
    g.dice(2)  # 5 against 10: 1-2, Table 2, AR
    g.act("germany", "fight serbia")
    choice = g.pending()[0]
    assert choice.kind == "retreat"
    assert g.refused("germany", f"choose {choice.id} A1 > rumania").code == "bad_answer"
    g.act("germany", f"choose {choice.id} A3 > rumania A1 > bulgaria A1 > rumania")
    assert g.units("rumania") == ["A1", "A1", "A3"] and g.units("bulgaria") == ["A1", "A1"]


@pytest.mark.rule("CCB-051")
def test_armies_without_a_way_out_are_eliminated() -> None:
    g = combat({"uganda": here(new("germany"), army("germany", 1))})
    g.dice(2)
    g.act("germany", "fight uganda")
    assert g.of(events.UnitsLost)[0].reason == "no_retreat" and "CCB-051" in g.of(events.UnitsLost)[0].rules
    g = combat({"serbia": here(new("austria_hungary"), army("austria_hungary", 10))})
    g.dice(1)  # 10 against 10, Table 2: AR
    before = at_home(g, "austria_hungary")
    g.act("germany", "austria_hungary: fight serbia")
    assert g.of(events.ColonialCombat)[0].result == "AR" and not lost_units(g)
    assert at_home(g, "austria_hungary") == before + 1


# Entering, and after


@pytest.mark.rule("CCB-061")
def test_permitted_marker_is_paid_before_combat() -> None:
    patch = {"phase": "movement", "events_in_force": ["1-4"], "powers": {"austria_hungary": {"treasury": 40}}}
    g = start(patch)
    assert g.refused("germany", "austria_hungary: move A10 home > serbia").rules
    g.act("germany", "austria_hungary: place protectorate serbia")
    assert g.state.powers["austria_hungary"].treasury == 20
    g.act("germany", "austria_hungary: move A10 A10 home > serbia")
    g.step()
    assert pending_choices(g) == [("austria_hungary", "serbia")]
    poor = {**patch, "powers": {"austria_hungary": {"treasury": 19}}}
    assert start(poor).refused("germany", "austria_hungary: place protectorate serbia").code == "no_money"


@pytest.mark.rule("CCB-062", "MIN-060")
def test_area_lost_by_a_minor_power_is_open_in_later_turns() -> None:
    g = combat({"cuba": {"unrest": True}})
    g.dice(1)
    g.step()
    g.step()
    assert area_state(g.state, "cuba").markers == ()
    while (g.state.turn, g.state.phase) != (2, "administrative"):
        g.step()
    g.step()
    while g.state.phase != "movement":
        g.dice(6, 6, 6, 6)
        g.step()
    g.do("united_states", actions.Place("influence", "cuba"))
    assert unestablished(g.state, "cuba", "united_states") == Marker("united_states", "influence", False, 2)
    assert not any(u.power == "spain" for u in area_state(g.state, "cuba").units if u.kind == "army")


@pytest.mark.rule("SEQ-013")
def test_fights_of_different_areas_are_open_at_the_same_time() -> None:
    g = combat({"tunis": here(new("france"), army("france", 3)), "korea": here(new("japan"), army("japan", 1))})
    assert pending_choices(g) == [("japan", "korea"), ("france", "tunis")] and set(g.waiting()) == {"france", "japan"}
    g.dice(5)
    g.act("japan", "fight korea")
    assert pending_choices(g) == [("france", "tunis")]


# Special cases


@pytest.mark.rule("CCB-067", "CCB-028")
def test_single_power_chooses_to_fight_or_decline() -> None:
    g = combat({"tunis": here(new("france"), army("france", 3))})
    assert g.pending()[0].options == ("fight tunis", "decline tunis")
    refusal = g.refused("france", f"choose {g.pending()[0].id} fight tunis decline tunis")
    assert refusal.code == "bad_answer"
    assert g.refused("france", actions.Fight("atlantis")).code == "unknown_area"


@pytest.mark.rule("CCB-042")
def test_codominion_member_without_partner_fights_alone() -> None:
    g = combat(shared("burma", ("britain", "france"), army("britain", 3)))
    assert pending_choices(g) == [("britain", "burma")] and pending_choices(g, "combine") == []


@pytest.mark.rule("CCB-042")
def test_each_codominion_has_its_own_question() -> None:
    both = shared("burma", ("britain", "france"), army("britain", 3), army("france", 3))
    both |= shared("hawaii", HAWAII, army("united_states", 1), army("britain", 1))
    g = combat(both)
    mine = {c.area: c.id for c in g.pending() if c.power == "britain"}
    assert g.refused("britain", f"choose {mine['burma']} combine alone").code == "bad_answer"
    g.dice(6)
    g.act("britain", "fight hawaii")
    g.act("united_states", "fight hawaii")
    assert [f.area for f in g.all_of(events.ColonialCombat)] == ["hawaii"]
    assert sorted(pending_choices(g, "combine")) == [("britain", "burma"), ("france", "burma")]


@pytest.mark.rule("CCB-012", "STA-021")
def test_lost_combat_removes_no_interest() -> None:
    siam = here(marker("britain", "influence"), new("france", "interest"), army("france", 3), unrest=True)
    g = combat({"siam": siam})
    g.dice(1)
    g.act("france", "fight siam")
    assert g.units("siam") == [] and g.markers("siam", "france") == ("", "interest")


@pytest.mark.rule("CCB-030")
def test_influence_of_another_does_not_exclude_the_controller() -> None:
    g = combat({"persia": here(marker("britain", "protectorate"), marker("russia", "influence"), army("britain", 3),
                               army("russia", 3), unrest=True)})  # fmt: skip
    assert pending_choices(g) == [("britain", "persia")]
    assert g.refused("russia", "fight persia").code == "revolt_of_others"


@pytest.mark.rule("CCB-033")
def test_old_interest_does_not_admit_to_a_general_revolt() -> None:
    g = combat(
        {"persia": here(marker("russia", "influence"), marker("france", "interest"), army("france", 3), unrest=True)}
    )
    assert pending_choices(g) == [] and g.refused("france", "fight persia").code == "no_influence"


@pytest.mark.rule("CCB-037", "CCB-048")
def test_next_power_attacks_while_the_first_chooses_its_retreat() -> None:
    both = (marker("russia", "influence"), marker("britain", "influence"))
    g = combat({"persia": here(*both, army("russia", 3), army("britain", 3), unrest=True)})
    if g.waiting() == ("russia",):
        g.act("russia", f"choose {g.pending()[0].id} wait persia")
    g.dice(2, 6)
    g.act("britain", "fight persia")
    retreat = next(c for c in g.pending() if c.kind == "retreat")
    assert pending_choices(g) == [("russia", "persia")]
    g.act("russia", "fight persia")
    assert not area_state(g.state, "persia").unrest
    assert g.refused("britain", f"choose {retreat.id} home bengal").code == "bad_answer"
    g.act("britain", f"choose {retreat.id} bengal")
    assert g.units("persia") == ["A3"] and "A3" in g.units("bengal")


@pytest.mark.rule("CCB-049")
def test_units_do_not_retreat_to_their_own_place() -> None:
    g = combat({"bengal": here(marker("britain", "possession"), army("britain", 3), army("britain", 1), unrest=True)})
    g.dice(3)
    g.act("britain", "fight bengal")
    assert g.of(events.ColonialCombat)[0].result == "AR"
    choice = g.pending()[0]
    assert "bengal" not in choice.options and choice.default == "hindoostan"


@pytest.mark.rule("CCB-037", "CCB-003")
def test_two_minor_powers_of_one_area_fight_one_after_another() -> None:
    kongo = shared("kongo", ("belgium", "portugal"), army("belgium", 1), army("portugal", 1))
    g = combat({**kongo, "tunis": here(new("france"), army("france", 3))})
    assert pending_choices(g) == []
    g.dice(6, 3)
    g.advance()
    assert [f.powers for f in g.of(events.ColonialCombat)] == [("belgium",)] and g.queue == (3,)
    g = combat(kongo)
    g.dice(1, 6)
    g.advance()
    assert [f.powers for f in g.of(events.ColonialCombat)] == [("belgium",), ("portugal",)]


@pytest.mark.rule("MIN-056")
def test_a_minor_member_waits_until_the_great_powers_have_decided() -> None:
    guiana = [army(p, 1) for p in ("britain", "france", "netherlands")]
    g = combat({"guiana": {"unrest": True, "units": guiana}, "cuba": {"unrest": True}})
    g.dice(5)
    g.advance()
    assert [f.powers for f in g.of(events.ColonialCombat)] == [("spain",)]
    assert sorted(pending_choices(g, "combine")) == [("britain", "guiana"), ("france", "guiana")]


@pytest.mark.rule("CCB-066", "MIN-056")
def test_partners_share_out_their_own_losses_only() -> None:
    members = ("united_states", "britain", "netherlands")
    pieces = [army("united_states", 1), army("britain", 1), army("britain", 1), army("netherlands", 3)]
    g = combat(shared("hawaii", members, *pieces), homes={"netherlands": {"units": []}})
    g.dice(1)
    g.act("britain", "fight hawaii")
    g.act("united_states", "fight hawaii")
    assert (g.of(events.ColonialCombat)[0].attack, g.of(events.ColonialCombat)[0].result) == (6, "EX")
    choice = g.pending()[0]
    assert set(choice.options) == {"united_states A1", "britain A1"}
    g.act(choice.seat, f"choose {choice.id} united_states A1 britain A1")
    second = g.pending()[0]
    assert second.default == ("britain A1", "united_states A1") and "Proposed" in second.prompt
    g.advance(force=True)
    assert g.units("hawaii", "britain") == ["A1"] and g.units("hawaii", "united_states") == []
    assert g.units("hawaii", "netherlands") == ["A3"]


@pytest.mark.rule("CCB-052")
def test_the_default_loss_is_the_smallest_total_of_the_fewest_units() -> None:
    from paxtui.games.pax.combat.results import smallest_loss

    ones, three, ten = [("x", "A1")] * 3, [("x", "A3")], [("x", "A10")]
    assert smallest_loss([*ones, *three, *ten], 3) == three and smallest_loss([*ten, *three], 2) == three
    assert smallest_loss([*three, *ones], 2) == ones[:2] and len(smallest_loss([*ones, *three, *ten], 5)) == 3
    g = combat({"panama": here(new("britain"), army("britain", 3), army("britain", 1), army("britain", 1))})
    g.dice(1)  # 5 against 2: 2-1, EX
    g.act("britain", "fight panama")
    assert g.pending()[0].default == ("A1", "A1")
    g.advance(force=True)
    assert g.units("panama") == ["A3"]


@pytest.mark.rule("CCB-024", "MIN-057")
def test_possession_is_not_changed_by_victory() -> None:
    g = combat({"cuba": {"unrest": True}})
    g.dice(6)
    g.advance()
    assert not g.of(events.MarkerPlaced) and g.markers("cuba", "spain") == ("possession", "")


@pytest.mark.rule("CCB-008", "CCB-009", "CCB-053")
def test_events_name_the_rules_that_made_them() -> None:
    def fought(die: int, *pieces: dict[str, Any], area: str = "manchuria", unrest: bool = False) -> dict[str, set[str]]:
        g = combat({area: here(*pieces, unrest=unrest)})
        g.dice(die)
        power = g.waiting()[0]
        g.act(power, f"fight {area}")
        return {type(e).__name__: set(e.rules) for e in g.last}

    ten, three = army("russia", 10), army("russia", 3)
    got = fought(1, new("russia"), ten, three)
    assert {"CCB-006", "CCB-052"} <= got["ColonialCombat"] and {"CCB-009", "CCB-053"} <= got["MarkerEstablished"]
    assert "CCB-056" in fought(4, new("russia"), three, army("russia", 1), army("russia", 1))["MarkerEstablished"]
    assert "CCB-058" in fought(4, new("russia"), ten)["ColonialCombat"]
    assert "CCB-059" in fought(6, new("russia"), ten)["ColonialCombat"]
    assert {"CCB-002", "CCB-039"} <= fought(6, new("russia"), ten, unrest=True)["UnrestEnded"]
    assert "CCB-034" in fought(6, marker("russia", "influence"), ten, unrest=True)["UnrestEnded"]
    got = fought(6, marker("russia", "possession"), ten, unrest=True)["UnrestEnded"]
    assert "CCB-024" in got and "CCB-002" not in got
    new_hebrides = fought(1, new("france"), army("france", 1), area="new_hebrides")
    assert "CCB-008" in new_hebrides["ColonialCombat"] and "CCB-008" in new_hebrides["MarkerEstablished"]
    failed = fought(1, marker("germany", "influence"), new("germany"), army("germany", 1), area="kamerun")
    assert "CCB-063" in failed["MarkerLowered"]
    assert "CCB-063" not in fought(1, new("germany"), army("germany", 1), area="kamerun")["MarkerLowered"]


@pytest.mark.rule("CCB-009")
def test_new_control_in_an_ottoman_area_brings_a_war() -> None:
    for area, due in (("tripoli", True), ("tunis", False)):
        g = combat({area: here(new("italy"), army("italy", 10))})
        g.dice(6)
        g.act("italy", f"fight {area}")
        assert [(e.war, e.power, e.area) for e in g.of(events.WarDue)] == ([("ottoman", "italy", area)] if due else [])
    g = combat({"tripoli": here(marker("italy", "protectorate"), army("italy", 10), unrest=True)})
    g.dice(6)
    g.act("italy", "fight tripoli")
    assert not g.of(events.WarDue)
