"""Play by mail (PBM): a War report by report, command, simultaneous Wars, spoils; a defied Congress."""

from __future__ import annotations

from typing import Any

import pytest

from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions import actions
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.mail.stops import STOP_DEADLINES, seats_to_ask, stop_kind
from tests.rules import agreements, rebellions, treaties, wars
from tests.rules.congress import game as quarrel
from tests.rules.harness import UNLIMITED, Bench, army, at_home, held, here, marker, naval, start
from tests.rules.mail import results, send, stopped
from tests.rules.wars import zones

# Secret Treaties


@pytest.mark.rule("PBM-045", "PBM-046")
@pytest.mark.parametrize("published", [True, False])
def test_published_broken_secret_treaty_gives_a_casus_belli(published: bool) -> None:
    g = agreements.tunis()
    id_ = treaties.signed(g, "germany", "treaty Rome with france, russia: defensive")
    g.act("germany", f"renounce {id_}")
    assert ("russia", "germany", "") not in g.causes()
    send(g, russia=f"reveal {id_}\ndeclare war germany" if published else "declare war germany")
    assert results(g, "russia") == (["done", "done"] if published else ["nullified"])
    assert [e.power for e in g.of(ev.WarDeclared)] == (["russia"] if published else [])


# The deadline of a Congress


def sitting() -> Bench:
    """A Congress over Tunis of France, Italy and their host Germany that takes proposals."""
    g = quarrel()
    send(g, france="congress germany")
    send(g)
    return g


@pytest.mark.rule("PBM-055")
@pytest.mark.parametrize("by_caretaker", [False, True])
def test_the_deadline_of_a_congress_is_set_anew_twice(by_caretaker: bool) -> None:
    g = quarrel()
    send(g, france="congress germany")
    for n in (1, 2):
        passes = {c.seat: f"choose {c.id} pass" for c in g.state.choices if c.kind == "propose"}
        everybody = tuple(g.state.players)
        send(g, missed=everybody, **{s: passes.get(s, "") for s in everybody} if by_caretaker else {})
        assert g.state.congress is not None and g.state.congress.renewed == n
        assert stopped(g) and stop_kind(g.state) == "congress" and g.state.phase == "congress"
    send(g, germany="standing:\nrenew congress")
    assert g.state.phase == "congress", "its host would have it once more"
    tension = len(g.all_of(ev.TensionRaised))
    send(g)
    assert {c.kind for c in g.state.choices} == {"defiance"}
    send(g)
    raised = [(e.amount, e.rules) for e in g.all_of(ev.TensionRaised)[tension:] if "ETI-016" in e.rules]
    assert [amount for amount, _ in raised] == [3] and g.state.phase == "movement"
    assert not g.kind("tunis", "france") and not g.kind("tunis", "italy")


@pytest.mark.rule("PBM-055")
def test_no_new_deadline_if_all_members_pass() -> None:
    g = sitting()
    send(g, **{c.seat: f"choose {c.id} pass" for c in g.state.choices})
    assert {c.kind for c in g.state.choices} == {"defiance"}


@pytest.mark.rule("PBM-051", "PBM-053", "PBM-058")
def test_a_congress_takes_two_stops() -> None:
    """One form has attendance and proposals, the next one the votes."""
    g = quarrel()
    send(g, france="congress germany")
    assert stop_kind(g.state) == "congress" and {c.kind for c in g.state.choices} == {"attend", "invite"}
    assert set(seats_to_ask(g.tables, g.state)) == set(g.state.players), "all who may sit there, overseas too"
    everybody = dict.fromkeys(("britain", "germany", "italy", "russia"), "standing:\ninvite united_states")
    send(
        g, **everybody, france="propose First: france leaves tunis\nstanding:\ninvite united_states",
        united_states="propose Second: italy leaves tunis",
    )  # fmt: skip
    congress = g.state.congress
    assert congress is not None and [p.proposer for p in congress.proposals] == ["france", "united_states"]
    assert stop_kind(g.state) == "vote" and set(seats_to_ask(g.tables, g.state)) == set(congress.members)
    send(g, france="vote p1 no\nvote p2 yes", germany="vote first no\nvote second yes sign", italy="vote p1 abstain")
    assert [(e.proposal, e.votes["germany"]) for e in g.of(ev.BallotsOpened)] == [("p1", "no"), ("p2", "yes")]
    assert not g.kind("tunis", "italy") and g.kind("tunis", "france") == "protectorate"
    assert g.state.phase == "movement" and g.state.turn == 2


@pytest.mark.rule("PBM-055")
def test_congress_by_mail_takes_any_number_of_proposals() -> None:
    g = sitting()
    for n in range(5):
        send(g, france=f"propose Act {n}: italy leaves tunis")
        assert {c.kind for c in g.state.choices} == {"ballot"}
        send(g, **{c.seat: f"choose {c.id} no sign" for c in g.state.choices})
        assert {c.kind for c in g.state.choices} == {"propose"}, n


# A Congress is defied


def defied() -> Bench:
    """A Congress over Tunis whose Treaty Italy defies."""
    g = sitting()
    send(g, france="propose Act: italy leaves tunis")
    ballots = {c.seat: c.id for c in g.state.choices}
    send(
        g, france=f"choose {ballots['france']} yes sign", germany=f"choose {ballots['germany']} yes sign",
        italy=f"choose {ballots['italy']} no defy",
    )  # fmt: skip
    return g


@pytest.mark.rule("PBM-060")
def test_members_are_asked_at_once_about_war_on_the_defier() -> None:
    g = defied()
    assert {c.kind for c in g.state.choices} == {"defiance"} and stopped(g)
    assert seats_to_ask(g.tables, g.state) == ("france", "germany", "italy"), "all who sat there"
    assert stop_kind(g.state) == "call" and STOP_DEADLINES["call"].days == 3
    send(g)
    assert not g.all_of(ev.WarDeclared), "silence declares nothing"


@pytest.mark.rule("PBM-061")
@pytest.mark.parametrize("declares", [True, False])
def test_defied_congress_ends_in_war_or_removes_the_markers(declares: bool) -> None:
    g = defied()
    choice = next(c.id for c in g.state.choices if c.seat == "france")
    send(g, france=f"choose {choice} declare war italy over cb1" if declares else f"choose {choice} pass")
    phases = [e.phase for e in g.of(ev.PhaseBegan)]
    if declares:
        assert [e.power for e in g.of(ev.WarDeclared)] == ["france"] and g.state.phase == "war"
    else:
        assert not g.kind("tunis", "france") and not g.kind("tunis", "italy")
        assert phases[0] == "chinese_resentment" and "victory_point_record" in phases and g.state.turn == 2


# The Rebellion and the Ottoman War first

FRANCE_GERMANY = {"alliances": [["france"], ["germany"]], "phase": "alliances"}


@pytest.mark.rule("PBM-067")
@pytest.mark.parametrize("kind", ["rebellion", "ottoman"])
def test_rebellion_and_ottoman_war_come_before_any_other(kind: str) -> None:
    sides = {"rebellion": [["china"], ["britain"]], "ottoman": [["ottoman_empire", "russia"], ["italy"]]}[kind]
    g = wars.bench()
    first = {"kind": kind, "alliances": sides, "phase": "initiative", "declared": sides[1]}
    areas = {"hong_kong": held("britain", "possession", army("britain", 3)), "tripoli": held("italy", "possession")}
    g.do(ARBITER, actions.SetPosition({"phase": "war", "areas": areas, "wars": [FRANCE_GERMANY, first]}))
    send(g)
    other = next(w for w in g.state.wars if w.kind == "war")
    assert other.stage == "alliances" and {"france", "germany"}.isdisjoint(seats_to_ask(g.tables, g.state))


def stages(g: Bench) -> list[tuple[str, int]]:
    """The Phases of the War Sequence that began in the last stop."""
    return [(e.stage, e.turn_of) for e in g.of(ev.WarPhaseBegan)]


@pytest.mark.rule("PBM-097")
def test_china_moves_and_attacks_in_the_report_of_the_colonial_powers() -> None:
    areas = {"hong_kong": held("britain", "possession", army("britain", 10))}
    g = rebellions.breaking_out(1, 3, 4, members=areas)
    send(g)
    assert g.waiting() == ("britain",) and wars.place(g) == ("maneuver", 2) and the_cycle(g) == 1
    send(g)
    assert wars.place(g) == ("maneuver", 2) and the_cycle(g) == 2 and g.waiting() == ("britain",)
    assert [stage for stage, _ in stages(g)] == [
        "attack", "supply", "end", "initiative", "maneuver", "attack", "supply", "maneuver",
    ]  # fmt: skip


@pytest.mark.rule("PBM-097", "PBM-130")
def test_orders_of_a_lone_minor_power_are_not_waited_for() -> None:
    g = us_spain()
    assert g.waiting() == ("united_states",) and seats_to_ask(g.tables, g.state) == ("united_states",)
    send(g)
    assert g.of(ev.InitiativeRolled) and the_cycle(g) == 2, "Spain's turn is played by the engine"
    assert seats_to_ask(g.tables, g.state) == ("united_states",) and not g.all_of(ev.CommandGiven)


def the_cycle(g: Bench) -> int:
    return wars.the_war(g).cycle


def us_spain(**patch: Any) -> Bench:
    """The United States fights Spain, which holds Cuba and the Philippines; its turn."""
    areas = {
        "cuba": held("spain", "possession", army("spain")),
        "philippines": held("spain", "possession", army("spain")),
        "alaska": held("united_states", "possession", army("united_states")),
        **patch.pop("areas", {}),
    }
    return wars.at_war([["united_states"], ["spain"]], options=UNLIMITED, areas=areas, **patch)


# Command


def by_mail(*defended: str, seed: str = "war") -> Bench:
    """Spain, Germany and Russia against the United States, in the turn of Spain's side.

    defended: the Powers that announced Spain's defence, in order.
    """
    areas = {"cuba": held("spain", "possession", army("spain"), army("spain"))}
    g = wars.at_war(
        [["united_states"], ["spain", "germany", "russia"]], options=UNLIMITED, areas=areas,
        war={"defended": [{"minor": "spain", "power": power} for power in defended]},
        sea_zones={z: {"merchant_fleets": ["spain"]} for z in ("caribbean", "north_atlantic")},
    )  # fmt: skip
    g.seed = seed
    send(g)
    return g


MOVE = "spain: move A1 cuba > caribbean"


@pytest.mark.rule("PBM-098")
def test_first_ally_orders_a_minor_power() -> None:
    g = by_mail("russia", "germany")
    assert wars.the_war(g).commands == {"spain": "russia"} and wars.place(g) == ("maneuver", 2)
    assert [(e.minor, e.seat) for e in g.of(ev.CommandGiven)] == [("spain", "russia")]
    send(g, germany=MOVE, russia="")
    assert results(g, "germany") == ["nullified"]
    g = by_mail("russia", "germany")
    send(g, russia=MOVE)
    assert results(g, "russia") == ["done"]


@pytest.mark.rule("PBM-098")
def test_dice_choose_between_simultaneous_allies() -> None:
    assert {wars.the_war(by_mail(seed=str(seed))).commands["spain"] for seed in range(8)} == {"germany", "russia"}


@pytest.mark.rule("PBM-099")
def test_command_of_a_minor_power_can_be_passed_to_an_ally() -> None:
    g = by_mail("russia")
    send(g, germany="standing:\ncommand spain germany")
    assert wars.the_war(g).commands == {"spain": "russia"}, "it is not Germany's to give"
    g = by_mail("russia")
    send(g, russia=f"{MOVE}\nstanding:\ncommand spain france")
    assert wars.the_war(g).commands == {"spain": "russia"}, "France is no ally"
    g = by_mail("russia")
    send(g, russia=f"{MOVE}\nstanding:\ncommand spain germany")
    assert results(g, "russia") == ["done"] and wars.the_war(g).commands == {"spain": "germany"}


@pytest.mark.rule("PBM-130")
def test_option_lets_players_name_a_neutral() -> None:
    g = wars.bench(options={"neutral_command": "yes"})
    war = {"alliances": [["united_states"], ["spain"]], "phase": "alliances"}
    areas = {"cuba": held("spain", "possession", army("spain"))}
    g.do(ARBITER, actions.SetPosition({"phase": "war", "wars": [war], "areas": areas}))
    send(g)
    for _ in range(7):
        (choice,) = [c for c in g.state.choices if c.kind == "command"]
        assert stopped(g)
        send(g, **{choice.seat: f"choose {choice.id} germany"})
    assert wars.the_war(g).commands == {"spain": "germany"}


@pytest.mark.rule("PBM-115")
def test_ally_or_engine_orders_an_abandoned_power() -> None:
    areas = {"tunis": held("italy", "possession", army("italy"), army("italy"))}
    for sides, waited in (([["italy"], ["spain"]], ()), ([["italy", "france"], ["spain"]], ("france",))):
        g = wars.at_war(sides, options=UNLIMITED, areas=areas)
        g.do(ARBITER, actions.Abandon(("italy",)))
        assert seats_to_ask(g.tables, g.state) == waited
        if waited:
            send(g, france="italy: move A1 tunis > mediterranean", italy="move A1 tunis > mediterranean")
            assert results(g, "france") == ["done"] and results(g, "italy") == ["nullified"]


# Simultaneous Wars


@pytest.mark.rule("PBM-100")
def test_independent_wars_are_fought_at_the_same_time() -> None:
    """The United States against Spain, France against Germany and Japan."""
    areas = {
        "cuba": held("spain", "possession", army("spain"), army("united_states", 3)),
        "togoland": held("germany", "protectorate", army("germany"), army("france", 3)),
        "papua": held("germany", "protectorate", army("germany")),
    }
    both = [
        {"alliances": [["united_states"], ["spain"]], "phase": "maneuver"},
        {"alliances": [["france"], ["germany", "japan"]], "phase": "maneuver"},
    ]
    g = wars.bench(options=UNLIMITED)
    g.do(ARBITER, actions.SetPosition({"phase": "war", "wars": both, "areas": areas}))
    assert seats_to_ask(g.tables, g.state) == ("france", "united_states")
    g.dice(6, 6)
    send(g, united_states="attack cuba", france="attack togoland")
    assert results(g, "united_states") == ["done"] and results(g, "france") == ["done"]
    assert sorted(e.place for e in g.of(ev.BattleFought)) == ["cuba", "togoland"]
    assert seats_to_ask(g.tables, g.state) == ("germany", "japan")


# Moves


@pytest.mark.rule("PBM-123")
def test_all_fleets_of_an_alliance_move_before_its_armies() -> None:
    sea = {
        "north_atlantic": {"units": [naval("germany", 3)]},
        "caribbean": {"units": [naval("united_states", 1)], "merchant_fleets": ["germany"]},
    }
    g = wars.at_war([["germany"], ["united_states"]], options=UNLIMITED, sea_zones=sea, areas={
        "venezuela": held("germany", "protectorate", army("germany", 3)),
    })  # fmt: skip
    send(g, germany="move A3 venezuela > caribbean\nmove N3 north_atlantic > caribbean")
    assert results(g, "germany") == ["done", "done"]
    assert [e.units for e in g.of(ev.UnitsMoved)] == [("N3",), ("A3",)]


@pytest.mark.rule("PBM-081")
def test_open_question_about_an_attack_is_declined_when_mail_play_begins() -> None:
    areas = {
        "manchuria": held("russia", "protectorate", army("japan", 3), army("britain", 3), army("russia", 10)),
        "korea": held("japan"),
    }
    g = wars.at_war([["britain", "japan"], ["russia"]], phase="attack", areas=areas)
    g.act("japan", "attack manchuria")
    assert [c.seat for c in g.state.choices] == ["britain"]
    send(g)
    assert [set(battle.attackers) for battle in g.of(ev.BattleFought)] == [{"japan"}]


OFF_GUIANA: dict[str, Any] = {"north_atlantic": {"units": [naval("germany", 3), naval("germany", 1)]}}


@pytest.mark.rule("PBM-124")
@pytest.mark.parametrize("declares", [True, False])
def test_neutral_member_is_asked_before_attacks(declares: bool) -> None:
    areas = {"kamerun": held("britain", "protectorate", army("britain"), army("germany", 3))}
    g = wars.at_war([["germany"], ["britain"]], options=UNLIMITED, sea_zones=OFF_GUIANA, areas=areas)
    send(g, germany="move N3 north_atlantic > guiana\nattack kamerun")
    assert results(g, "germany") == ["done", "nullified"] and not g.of(ev.BattleFought)
    assert stopped(g) and stop_kind(g.state) == "call"
    assert seats_to_ask(g.tables, g.state) == ("france", "germany"), "Germany may order its attacks again"
    (choice,) = g.state.choices
    form = f"choose {choice.id} declare war germany" if declares else ""
    send(g, germany="attack kamerun", france=form)
    assert results(g, "germany") == ["done"]
    kinds = [type(e) for e in g.last if isinstance(e, ev.WarDeclared | ev.BattleFought)]
    assert kinds == ([ev.WarDeclared] if declares else []) + [ev.BattleFought]
    if declares:
        assert wars.the_war(g).alliances == (("germany",), ("britain", "france")) and g.state.tension == 5
    assert not g.causes()


# Retreats and the tests after them


def philippines() -> Bench:
    """American Armies attack Japan's in the Philippines, which has to retreat."""
    sea = {"south_china_sea": {"merchant_fleets": ["japan"]}, "oceania": {"merchant_fleets": ["japan"]},
           "north_pacific": {"merchant_fleets": ["united_states", "japan"]},
           "north_china_sea": {"merchant_fleets": ["japan", "united_states"]}}  # fmt: skip
    areas = {
        "philippines": held("japan", "possession", army("japan"), army("united_states", 3)),
        "formosa": held("japan", "protectorate", army("japan")),
    }
    g = wars.at_war([["united_states"], ["japan"]], options=UNLIMITED, areas=areas, sea_zones=sea)
    g.dice(2)
    send(g, united_states="attack philippines")
    return g


@pytest.mark.rule("PBM-074", "PBM-125")
def test_defender_retreats_after_the_first_report() -> None:
    g = philippines()
    (battle,) = g.of(ev.BattleFought)
    assert battle.result == "DR"
    assert g.units("philippines", "japan") == ["A1"] and not g.of(ev.AreaConquered)
    assert [stage for stage, _ in stages(g)] == ["attack"], "no Supply yet"
    assert stopped(g) and stop_kind(g.state) == "war" and seats_to_ask(g.tables, g.state) == ("japan",)


@pytest.mark.rule("PBM-075", "PBM-125")
@pytest.mark.parametrize("words", ["choose {} A1 philippines > {}", "standing:\nretreat philippines > {1}"])
def test_second_report_begins_with_the_ordered_retreat(words: str) -> None:
    for to in ("south_china_sea", "north_pacific"):
        g = philippines()
        send(g, japan=words.format(g.state.choices[0].id, to))
        found = [e for e in g.last if isinstance(e, ev.UnitsMoved | ev.AreaConquered | ev.WarPhaseBegan)]
        assert isinstance(found[0], ev.UnitsMoved) and found[0].path[-1] == to
        assert isinstance(found[1], ev.AreaConquered)
        assert [stage for stage, _ in stages(g)][:2] == ["supply", "maneuver"]
        assert the_cycle(g) == 2 and g.of(ev.InitiativeRolled)


@pytest.mark.rule("PBM-075", "PBM-077")
def test_retreat_and_moves_are_in_the_same_form() -> None:
    g = philippines()
    send(g, japan=f"move A1 formosa > south_china_sea\nchoose {g.state.choices[0].id} A1 philippines > south_china_sea")
    assert results(g, "japan").count("done") == 2


@pytest.mark.rule("PBM-125")
def test_defenders_of_the_first_alliance_retreat_in_the_second_report() -> None:
    sea = {"south_china_sea": {"merchant_fleets": ["japan"]}, "north_china_sea": {"merchant_fleets": ["japan"]},
           "north_pacific": {"merchant_fleets": ["united_states", "japan"]}}  # fmt: skip
    areas = {"philippines": held("united_states", "possession", army("united_states"), army("japan", 3))}
    g = wars.at_war([["united_states"], ["japan"]], options=UNLIMITED, areas=areas, sea_zones=sea)
    send(g)
    g.dice(2)
    send(g, japan="attack philippines")
    assert [b.result for b in g.of(ev.BattleFought)] == ["DR"]
    assert not g.units("philippines", "united_states") and the_cycle(g) == 2, "without a wait"


@pytest.mark.rule("PBM-087")
def test_retreat_out_of_supply_is_a_surrender_unless_ordered() -> None:
    def beaten(form: str) -> Bench:
        areas = {"manchuria": held("russia", "protectorate", army("japan", 3), army("russia", 3))}
        areas |= {"korea": held("japan"), "port_arthur": held("japan")}
        seas = {"north_china_sea": {"merchant_fleets": []}}
        g = wars.at_war([["japan"], ["russia"]], areas=areas, sea_zones=seas)
        g.dice(2)
        send(g, japan=f"attack manchuria\n{form}")
        assert [battle.result for battle in g.of(ev.BattleFought)] == ["AR"]
        return g

    g = beaten("")
    assert [(e.units, "PBM-087" in e.rules) for e in g.of(ev.UnitsSurrendered) if e.place == "manchuria"] == [
        (("A3",), True)
    ]
    g = beaten("standing:\nretreat manchuria > korea")
    assert [e.path[-1] for e in g.of(ev.UnitsMoved) if e.reason == "retreat"] == ["korea"]


@pytest.mark.rule("PBM-087", "WCB-020")
def test_live_play_retreats_to_any_legal_place() -> None:
    areas = {"manchuria": held("russia", "protectorate", army("japan", 3), army("russia", 3))}
    areas |= {"korea": held("japan"), "port_arthur": held("japan")}
    g = wars.at_war([["japan"], ["russia"]], areas=areas, sea_zones={"north_china_sea": {"merchant_fleets": []}})
    g.step()
    g.dice(2)
    g.act("japan", "attack manchuria")
    events = list(g.of(ev.UnitsMoved)) + [e for _ in range(2) for e in g.step()]
    assert any(isinstance(e, ev.UnitsMoved) and e.reason == "retreat" for e in events)
    assert not [e for e in g.all_of(ev.UnitsSurrendered) if e.place == "manchuria"]


@pytest.mark.rule("PBM-091")
@pytest.mark.parametrize(("korean", "goes"), [((), True), ((army("russia"),), False),
                                              ((army("russia"), army("japan")), False)])  # fmt: skip
def test_armies_do_not_retreat_to_where_an_enemy_army_stands(korean: tuple[Any, ...], goes: bool) -> None:
    areas = {
        "manchuria": held("russia", "protectorate", army("japan", 3), army("russia", 3)),
        "korea": here(marker("japan", "protectorate"), *korean),
    }
    seas = {"north_china_sea": {"merchant_fleets": ["japan"], "units": [naval("russia", 3)]}}
    g = wars.at_war([["japan"], ["russia"]], areas=areas, sea_zones=seas)
    g.dice(2)
    send(g, japan="attack manchuria\nstanding:\nretreat manchuria > korea")
    assert [e.path[-1] for e in g.of(ev.UnitsMoved) if e.reason == "retreat"] == (["korea"] if goes else [])
    assert bool([e for e in g.of(ev.UnitsSurrendered) if e.place == "manchuria"]) != goes


@pytest.mark.rule("PBM-091")
@pytest.mark.parametrize(("korean", "lands"), [((), True), ((army("russia"),), False)])
def test_an_army_at_sea_does_not_flee_to_where_an_enemy_army_stands(korean: tuple[Any, ...], lands: bool) -> None:
    seas = {"north_china_sea": {
        "merchant_fleets": ["japan"], "units": [naval("japan", 3), army("japan"), naval("russia", 3)],
    }}  # fmt: skip
    areas = {"korea": held("japan", "protectorate", *korean)}
    g = wars.at_war([["japan"], ["russia"]], options=UNLIMITED, areas=areas, sea_zones=seas)
    g.dice(2)
    send(g, japan="attack north_china_sea\nstanding:\nretreat north_china_sea > korea")
    assert [b.result for b in g.of(ev.BattleFought)] == ["AR"]
    assert ("A1" in g.units("korea", "japan")) == lands


# Supply, the end, spoils


@pytest.mark.rule("PBM-095")
@pytest.mark.parametrize(("mediterranean", "falls"), [("", False), ("united_states", True)])
def test_supply_of_the_moving_alliance_is_tested_in_the_same_report(mediterranean: str, falls: bool) -> None:
    areas = {
        "tunis": held("germany", "protectorate", army("germany")),
        "algiers": held("france", "possession"),
        "tripoli": here(),
        "taureg": here(),
        "cuba": held("united_states", "possession", army("united_states")),
        "papua": held("germany", "protectorate", army("germany")),
    }
    sea = zones(north_atlantic="united_states", mediterranean=mediterranean)
    sides = [["united_states"], ["germany"]]
    g = wars.at_war(sides, options=UNLIMITED, areas=areas, sea_zones=sea, war={"turn_of": 2})
    send(g)
    assert [(e.power, e.units) for e in g.of(ev.UnitsSurrendered) if e.place == "tunis"] == [("germany", ("A1",))]
    assert ("tunis" in [e.area for e in g.of(ev.AreaConquered)]) == falls


@pytest.mark.rule("PBM-103")
@pytest.mark.parametrize(
    ("pieces", "war", "ends"),
    [
        ({}, {}, "no_units"),  # no Unit of Britain's abroad
        ({"sea": True}, {}, ""),  # its last fleet is at sea
        ({"fiji": (army("germany", 3),), "sea": True}, {}, "occupied"),
        ({"fiji": (army("germany", 3), army("britain")), "sea": True}, {}, ""),
        ({"fiji": (army("britain"),)}, {"quiet": 2}, "stalemate"),
        ({"fiji": (army("britain"),)}, {"quiet": 1}, ""),
    ],
)
def test_war_ends_by_its_end_tests(pieces: dict[str, Any], war: dict[str, Any], ends: str) -> None:
    areas = {"papua": held("germany", "protectorate", army("germany"))}
    if "fiji" in pieces:
        areas["fiji"] = held("britain", "possession", *pieces["fiji"])
    zones = {"oceania": {"units": [naval("britain", 10)]}} if pieces.get("sea") else {}
    g = last_turn([["britain"], ["germany"]], areas, sea_zones=zones, war=war)
    send(g)
    assert [e.test for e in g.of(ev.WarDecided)] == ([ends] if ends else [])


def last_turn(sides: wars.Sides, areas: dict[str, Any], **patch: Any) -> Bench:
    """The last turn of a cycle of a War that has lasted: nothing on the map but these Areas."""
    war = {"cycle": 3, "turn_of": 2, "phase": "maneuver", "unsupplied": [], **patch.pop("war", {})}
    return wars.at_war(sides, options=UNLIMITED, areas=wars.only(**areas), war=war, **patch)


def victory(**patch: Any) -> Bench:
    """Germany and Russia have beaten Britain, whose Fiji and Gold Coast are to be divided."""
    areas = {
        "papua": held("germany", "protectorate", army("germany")),
        "fiji": held("britain", "protectorate"),
        "gold_coast": held("britain", "protectorate"),
    }
    taken = [{"area": area, "alliance": 2} for area in ("fiji", "gold_coast")]
    prisoners = [{"power": "germany", "kind": "army", "strength": 3}]
    g = last_turn(
        [["britain"], ["germany", "russia"]], areas, war={"conquered": taken, "surrendered": prisoners},
        homes=at_home("germany"), **patch,
    )  # fmt: skip
    send(g)
    assert [(e.test, e.victor) for e in g.of(ev.WarDecided)] == [("no_units", 2)]
    assert stopped(g) and stop_kind(g.state) == "spoils" and seats_to_ask(g.tables, g.state) == ("germany", "russia")
    return g


@pytest.mark.rule("PBM-105", "PBM-106")
@pytest.mark.parametrize(
    ("german", "russian", "holds"),
    [
        ("place possession", "", "germany"),  # silent victors agree
        ("", "", "britain"),  # all silent: the old markers stay
        ("place possession", "place possession", "nobody"),  # a quarrel
    ],
)
def test_the_victors_divide_everything_at_one_stop(german: str, russian: str, holds: str) -> None:
    g = victory()
    both = {"germany": german, "russia": russian}
    forms = {s: f"standing:\nspoils fiji: {text}\nspoils gold_coast: {text}" for s, text in both.items() if text}
    send(g, **forms)
    assert {e.area for e in g.of(ev.SpoilsDivided)} == {"fiji", "gold_coast"}, "one stop for all"
    if holds == "nobody":
        assert ("germany", "russia", "fiji") in g.causes() and ("russia", "germany", "fiji") in g.causes()
    else:
        kind = {"germany": "possession", "britain": "protectorate"}[holds]
        assert all(g.kind(area, holds) == kind for area in ("fiji", "gold_coast"))
        assert "A3" in g.units("home:germany"), "prisoners come home"


@pytest.mark.rule("PBM-109")
def test_per_turn_bonuses_are_awarded_with_the_end_of_the_turn() -> None:
    pact = wars.treaty("defensive", "france", "russia")
    g = start({"phase": "movement", "treaties": [pact]}, options=UNLIMITED)
    before = {power: own.victory_points for power, own in g.state.powers.items()}
    send(g)
    won = {power for power, own in g.state.powers.items() if own.victory_points >= before[power] + 2}
    assert won == {"france"}
