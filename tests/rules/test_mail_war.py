"""Play by mail (PBM): calls to War, declarations, an Alliance's orders, retreats by order and by schedule."""

from __future__ import annotations

from typing import Any

import pytest

from paxtui.engine.dice import Dice
from paxtui.games.pax.events import events
from paxtui.games.pax.mail.standing_orders import retreat_preference
from paxtui.games.pax.mail.stops import seats_to_ask, stop_kind
from paxtui.games.pax.state.pieces import Unit
from paxtui.games.pax.transaction import Transaction
from paxtui.games.pax.war.campaign.war_adjacency import WarStep
from tests.rules import agreements, wars
from tests.rules.harness import Bench, army, held, here, moving, naval
from tests.rules.mail import public, results, send, stopped

# Calls


def pacts(*helpers: str) -> list[dict[str, Any]]:
    """Italy's public defensive Treaties."""
    return [{**wars.treaty("defensive", "italy", helper), "id": f"with_{helper}"} for helper in helpers]


def called(*helpers: str) -> Bench:
    """France declares War on Italy, and Italy's partners are called."""
    g = agreements.tunis(treaties=pacts(*helpers))
    send(g, france="declare war italy")
    return g


@pytest.mark.rule("PBM-101", "PBM-129")
def test_all_powers_called_by_treaties_are_asked_at_once() -> None:
    g = called("germany", "russia")
    assert [e.power for e in g.of(events.WarDeclared)] == ["france"]
    assert stopped(g) and stop_kind(g.state) == "call" and seats_to_ask(g.tables, g.state) == ("germany", "russia")
    russia = next(c.id for c in g.state.choices if c.seat == "russia")
    send(g, russia=f"choose {russia} declare war france")
    assert results(g, "russia") == ["done"]
    assert [e.power for e in g.of(events.WarDeclared)] == ["russia"]


@pytest.mark.rule("PBM-102")
@pytest.mark.parametrize("abandoned", [False, True])
def test_silence_breaks_the_treaty_unless_the_seat_is_abandoned(abandoned: bool) -> None:
    g = called("germany")
    if abandoned:
        g.act("arbiter", "abandon germany")
    call = g.state.choices[0].id
    send(g, missed=("germany",), germany=f"choose {call} declare war france")  # by the caretaker
    assert [e.power for e in g.of(events.WarDeclared)] == (["germany"] if abandoned else [])
    assert [e.power for e in g.of(events.TreatyBroken)] == ([] if abandoned else ["germany"])
    if not abandoned:
        assert (5, "germany") in g.blames() and ("italy", "germany", "") in g.causes()


# Chinese Resentment and initiative


@pytest.mark.rule("PBM-062", "PBM-064", "PBM-069", "PBM-071")
def test_a_declaration_brings_the_resentment_roll_at_once_and_then_initiative() -> None:
    g = agreements.tunis()
    g.dice(6, 6, 6, 4, 4, 5, 3)
    send(g, france="declare war italy")
    order = [
        type(e)
        for e in g.last
        if isinstance(
            e, events.WarDeclared | events.ResentmentRaised | events.RebellionChecked | events.InitiativeRolled
        )
    ]
    assert (
        order == [events.WarDeclared, events.ResentmentRaised, events.RebellionChecked, events.InitiativeRolled]
        and not g.queue
    )
    assert wars.the_war(g).turn_of == 1 and g.waiting() == ("france",)
    assert stop_kind(g.state) == "war"


@pytest.mark.rule("PBM-065", "PBM-066", "PBM-068", "PBM-070")
@pytest.mark.parametrize(("dice", "rises"), [((4, 4, 4), True), ((4, 4, 5), False)])
def test_a_rebellion_breaks_out_on_the_index_divided_by_ten(dice: tuple[int, ...], rises: bool) -> None:
    g = moving(0, indexes={"chinese_resentment": 126})  # Hong Kong brings it to 129
    g.dice(*dice, *((2, 3, 3, 4, 4) if rises else ()))
    send(g)
    (checked,) = g.of(events.RebellionChecked)
    assert checked.rebellion == rises and not g.queue
    assert ("war" in [e.phase for e in g.of(events.PhaseBegan)]) == rises
    if rises:
        assert [e.rolls for e in g.of(events.InitiativeRolled)] == [()] and g.state.wars[0].kind == "rebellion"


# An Alliance's orders


def manchuria(
    *units: dict[str, Any], sides: wars.Sides | None = None, fleets: tuple[str, ...] = ("japan",), **more: Any
) -> Bench:
    """Russian Manchuria with these Units, Japanese Korea, and Japan's Merchant Fleet; Japan's side moves."""
    areas = {"manchuria": held("russia", "protectorate", *units), "korea": held("japan")}
    seas = {"north_china_sea": {"merchant_fleets": list(fleets)}}
    return wars.at_war(sides or [["japan"], ["russia"]], areas={**areas, **more}, sea_zones=seas)


@pytest.mark.rule("PBM-084")
@pytest.mark.parametrize("both", [True, False])
def test_allies_that_attack_the_same_area_attack_together(both: bool) -> None:
    units = [army("japan", 3), army("britain", 3), army("russia", 10)]
    g = manchuria(*units, sides=[["britain", "japan"], ["russia"]])
    send(g, japan="attack manchuria", britain="attack manchuria" if both else "")
    (battle,) = g.of(events.BattleFought)
    assert (set(battle.attackers), battle.attack) == (({"japan", "britain"}, 6) if both else ({"japan"}, 3))
    assert results(g, "japan") == ["done"] and results(g, "britain") == (["done"] if both else [])


@pytest.mark.rule("PBM-084", "PBM-082")
def test_ally_with_an_unmet_condition_does_not_attack() -> None:
    units = [army("japan", 3), army("britain", 3), army("russia", 10)]
    g = manchuria(*units, sides=[["britain", "japan"], ["russia"]])
    send(g, japan="attack manchuria", britain="attack manchuria if japan moves armies to manchuria")
    assert [set(battle.attackers) for battle in g.of(events.BattleFought)] == [{"japan"}]
    assert results(g, "britain") == ["unmet"]


@pytest.mark.rule("PBM-085")
@pytest.mark.parametrize(("strength", "table"), [(3, 1), (10, 2)])
def test_a_die_for_each_combat_on_the_table_of_the_smaller_force(strength: int, table: int) -> None:
    g = manchuria(army("japan", 10), army("russia", strength))
    g.dice(4)
    send(g, japan="attack manchuria")
    (battle,) = g.of(events.BattleFought)
    assert (battle.table, battle.die) == (table, 4) and not g.queue


PORT = {"port_arthur": held("japan")}


def went(g: Bench) -> list[str]:
    """Destinations of retreats in the last stop."""
    return [e.path[-1] for e in g.of(events.UnitsMoved) if e.reason == "retreat"]


@pytest.mark.rule("PBM-086", "PBM-077")
@pytest.mark.parametrize("to", ["korea", "port_arthur", "siam"])
def test_units_retreat_as_ordered_or_by_the_schedule(to: str) -> None:
    g = manchuria(army("japan", 3), army("russia", 3), **PORT)
    g.dice(2)
    send(g, japan=f"attack manchuria\nstanding:\nretreat manchuria > {to}")
    assert [battle.result for battle in g.of(events.BattleFought)] == ["AR"]
    assert went(g) in (["korea"], ["port_arthur"]) and (to == "siam" or went(g) == [to])


@pytest.mark.rule("PBM-094")
def test_dice_choose_between_equal_places() -> None:
    seen = set()
    for seed in range(12):
        g = manchuria(army("japan", 3), army("russia", 3), **PORT)
        g.seed = str(seed)
        g.dice(2)
        send(g, japan="attack manchuria")
        seen.update(went(g))
    assert seen == {"korea", "port_arthur"}


def rank(g: Bench, place: str, unit: Unit | None = None) -> tuple[int, ...]:
    """The rank of a place in the retreat schedule of a Japanese Army."""
    play = Transaction(g.tables, g.state, Dice("none"))
    return retreat_preference(play, g.state.wars[0], unit or Unit("japan", "army", 3), WarStep(place))


def theatre(**areas: Any) -> Bench:
    return wars.at_war([["japan", "britain"], ["russia"]], areas=areas)


@pytest.mark.rule("PBM-089")
def test_retreat_prefers_own_then_allied_then_neutral_control() -> None:
    g = theatre(korea=held("japan"), siam=held("britain"), burma=here(), manchuria=held("russia"))
    assert [rank(g, place)[3] for place in ("korea", "siam", "burma", "manchuria")] == [0, 1, 2, 3]
    assert rank(g, "home:japan")[3] == 0 and rank(g, "oceania")[3] == rank(g, "baltic")[3]


@pytest.mark.rule("PBM-090")
def test_retreat_prefers_friends_then_empty_places() -> None:
    friends, mixed = here(army("britain")), here(army("britain"), naval("russia", 1))
    g = theatre(siam=friends, burma=here(), formosa=mixed)
    assert [rank(g, place)[4] for place in ("siam", "burma", "formosa")] == [0, 1, 2]


@pytest.mark.rule("PBM-088")
def test_armies_retreat_overland_and_fleets_by_sea() -> None:
    g = theatre(korea=held("japan"))
    fleet = Unit("japan", "naval", 3)
    assert (rank(g, "korea")[2], rank(g, "oceania")[2]) == (False, True)
    assert (rank(g, "korea", fleet)[2], rank(g, "oceania", fleet)[2]) == (True, False)


@pytest.mark.rule("PBM-092")
def test_waters_of_the_enemy_alone_are_the_last_resort_of_a_fleet() -> None:
    fleet, zones = Unit("japan", "naval", 3), {"oceania": {"units": [naval("russia", 3)]}}
    g = wars.at_war([["japan"], ["russia"]], areas={"korea": held("japan")}, sea_zones=zones)
    assert rank(g, "oceania", fleet)[1] and not rank(g, "korea", fleet)[1] and not rank(g, "oceania")[1]
    assert rank(g, "korea", fleet)[1:] < rank(g, "oceania", fleet)[1:]


def test_a_place_without_supply_comes_after_all_others() -> None:
    g = theatre(korea=held("japan"), bolivia=here())
    assert rank(g, "bolivia")[0] and not rank(g, "home:japan")[0]


@pytest.mark.rule("PBM-093")
def test_retreat_prefers_places_near_the_own_lands() -> None:
    g = theatre(korea=held("japan"), chile=held("japan"))
    assert rank(g, "korea")[5] < rank(g, "chile")[5] and rank(g, "home:japan")[5] == 0


@pytest.mark.rule("PBM-072", "PBM-076", "PBM-104")
def test_reports_of_a_cycle_and_tensions_of_the_next() -> None:
    areas = {"tunis": held("france", "protectorate", army("france")), "tripoli": held("britain", "protectorate",
                                                                                     army("britain"))}  # fmt: skip
    g = wars.at_war([["britain"], ["france"]], areas=areas)
    assert g.waiting() == ("britain",)
    send(g)
    assert g.waiting() == ("france",) and not g.of(events.TensionRaised)
    send(g)
    assert g.state.wars[0].cycle == 2 and [e.amount for e in g.of(events.TensionRaised)] == [2]
    assert g.of(events.InitiativeRolled) and stopped(g)


@pytest.mark.rule("PBM-037", "PBM-056")
def test_a_member_of_a_congress_with_a_cause_declares_war_and_the_congress_stops() -> None:
    g = agreements.tunis()
    send(g, france="congress germany")
    send(g, france="declare war italy", britain="declare war italy")
    assert results(g, "france") == ["done"] and results(g, "britain") == ["nullified"]
    assert g.state.wars and g.state.phase == "war"


@pytest.mark.rule("PBM-122")
def test_failed_war_orders_are_private() -> None:
    g = manchuria(army("japan", 3), army("russia", 3), **PORT)
    g.dice(2)
    send(g, japan="attack manchuria\nattack korea\nstanding:\nretreat manchuria > korea")
    assert results(g, "japan") == ["done", "nullified"]
    for seat in ("russia", "britain"):
        seen = public(g, seat)
        assert [type(e) for e in seen if isinstance(e, events.BattleFought | events.UnitsMoved)] == [
            events.BattleFought, events.UnitsMoved,
        ]  # fmt: skip
        assert not [e for e in seen if isinstance(e, events.Noted) and e.code.startswith("order_")]
