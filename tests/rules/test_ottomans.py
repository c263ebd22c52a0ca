"""The Ottoman War (OTT): its causes, members, conduct with and without allies, and end."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.status import controls, established
from paxtui.games.pax.events import events
from paxtui.games.pax.menus.legal import legal_actions
from paxtui.games.pax.state.model import units_at
from paxtui.games.pax.state.pieces import Holding
from paxtui.games.pax.war import alliances, empire
from paxtui.games.pax.war import ottomans as ottoman_war
from tests.rules import wars
from tests.rules.harness import UNLIMITED, Bench, army, at_home, held, here, marker, naval, new, start
from tests.rules.wars import all_pass, place, sign, the_war

OTTOMANS = "ottoman_empire"
ALONE = [[OTTOMANS], ["italy"]]
ALLIED = [[OTTOMANS, "russia"], ["italy"]]
A5 = army(OTTOMANS, 5)
GREAT = ("britain", "france", "germany", "united_states", "japan", "russia", "italy")


def ottoman(sides: list[list[str]] = ALONE, phase: str = "maneuver", **patch: Any) -> Bench:
    """An Ottoman War over Tripoli, pieces without limit."""
    settings = {"kind": "ottoman", "declared": ["italy"], "over": ["tripoli"], **patch.pop("war", {})}
    areas = {"tripoli": held("italy"), "anatolia": here(), "quwait": here(), "egypt": here()} | patch.pop("areas", {})
    options = {**UNLIMITED, **patch.pop("options", {})}
    return wars.at_war(sides, phase, options=options, war=settings, areas=areas, **patch)


def fighting(*winners: tuple[str, str], **patch: Any) -> Bench:
    """Colonial Combat in which each of these Powers wins the Area in Unrest in which it has placed a Protectorate."""
    areas = {
        area: {**here(new(power), army(power, 10), army(power, 10), army(power, 10)), "unrest": True}
        for power, area in winners
    }
    g = wars.bench(patch.pop("players", 7), {**UNLIMITED, **patch.pop("options", {})})
    g.do(
        ARBITER,
        actions.SetPosition({"phase": "colonial_combat", "areas": {**areas, **patch.pop("areas", {})}, **patch}),
    )
    g.dice(*(6 for _ in winners))
    return g


def on(g: Bench, stop: str = "war") -> Bench:
    """Play by defaults to a Phase or the end of the turn."""
    turn = g.state.turn
    for _ in range(60):
        if g.state.phase == stop or g.state.turn > turn:
            return g
        for choice in g.pending():
            words = (choice.default,) if isinstance(choice.default, str) else choice.default
            g.act(choice.seat, f"choose {choice.id} {' '.join(words)}")
        for seat in g.waiting():
            g.act(seat, "ready")
        if g.state.phase != stop and g.state.turn == turn:
            g.advance()
    raise AssertionError(g.state.phase)


def window(side: int, sides: list[list[str]] = ALONE, **patch: Any) -> Bench:
    """The window in which aid for an Alliance is decided, the Armies in the field."""
    areas = {"anatolia": here(A5, A5, A5), **patch.pop("areas", {})}
    return ottoman(sides, "alliances", war={"turn_of": side, **patch.pop("war", {})}, areas=areas, **patch)


def tension(g: Bench) -> int:
    """The European Tensions Index."""
    return g.state.tension


def ottomans(g: Bench, area: str) -> int:
    """Ottoman Armies in an Area."""
    return sum(u.power == OTTOMANS for u in units_at(g.state, area))


def outcome(g: Bench) -> str:
    """The test by which the War ended, "" before its end."""
    return next((e.test for e in reversed(g.all_of(events.WarDecided))), "")


def tension_raised(g: Bench) -> list[events.Event]:
    """The rises of tensions until the end of the War."""
    ended = next(n for n, e in enumerate(g.events) if isinstance(e, events.WarOver))
    return [e for e in g.events[:ended] if isinstance(e, events.TensionRaised)]


def fought(g: Bench) -> events.BattleFought:
    """The first combat since the start."""
    return next(iter(g.all_of(events.BattleFought)))


def to_end(g: Bench) -> None:
    """Pass until the War is over or a choice is pending."""
    for _ in range(40):
        if outcome(g) or g.pending() or not g.state.wars:
            return
        if g.waiting():
            all_pass(g)
        else:
            g.advance()


# Causes


@pytest.mark.rule("OTT-001")
def test_the_empire_is_three_areas() -> None:
    g = ottoman()
    assert empire.empire_areas(g.tables, g.state, the_war(g)) == {"anatolia", "quwait", "tripoli"}


@pytest.mark.rule("OTT-002", "OTT-012")
def test_new_control_in_the_empire_brings_war() -> None:
    g = on(fighting(("italy", "tripoli")))
    assert the_war(g).alliances == ((OTTOMANS,), ("italy",)) and the_war(g).over == ("tripoli",)
    assert ottomans(g, "anatolia") == 3


@pytest.mark.rule("OTT-002")
def test_several_powers_are_opponents_in_one_war() -> None:
    g = on(fighting(("france", "tripoli"), ("britain", "quwait")))
    assert the_war(g).alliances == ((OTTOMANS,), ("britain", "france"))
    assert set(the_war(g).over) == {"tripoli", "quwait"}


@pytest.mark.rule("OTT-002")
def test_minor_power_may_cause_the_war_and_the_engine_fights() -> None:
    g = due(held("italy", "possession", army("italy")), players=6)
    assert the_war(g).alliances == ((OTTOMANS,), ("italy",))
    all_pass(g)
    assert g.waiting() == (), "a Minor Power asks no Power for aid"


@pytest.mark.rule("OTT-003")
def test_upgrade_brings_no_war() -> None:
    areas = {"tripoli": here(marker("italy", "protectorate", since=1), new("italy", "possession"), army("italy", 10))}
    g = on(fighting(areas=areas))
    assert g.kind("tripoli", "italy") == "possession" and not g.all_of(events.WarArose)
    assert ottoman_war.control_placers(g.state) == (), "nor where a War Phase comes over something else"


def due(tripoli: dict[str, Any], players: int = 7, **changes: Any) -> Bench:
    """The opening of the War Phase after Italy took Tripoli, with other contents of Tripoli and of the patch."""
    g = wars.bench(players, UNLIMITED)
    g.do(ARBITER, actions.SetPosition({"phase": "chinese_resentment", "areas": {"tripoli": tripoli}}))
    g.state = replace(g.state, ottoman_wars=(Holding("italy", "tripoli"),), **changes)
    g.advance()
    return g


@pytest.mark.rule("OTT-002", "OTT-036")
def test_opponent_is_the_holder_when_the_phase_opens() -> None:
    assert the_war(due(held("italy"))).alliance(2) == ("italy",)
    assert not due(here(marker("italy", "influence"))).all_of(events.WarArose), "it was given up"
    handed = due(held("france"), handed_over=(Holding("france", "tripoli"),))
    assert the_war(handed).alliance(2) == ("france",), "a fresh marker handed over dodges no War"
    assert not due(held("france")).all_of(events.WarArose), "an old one is not new"


@pytest.mark.rule("OTT-026")
def test_egypt_is_no_part_of_the_empire() -> None:
    g = on(fighting(("britain", "egypt")))
    assert controls(g.state, "egypt", "britain") and not g.all_of(events.WarArose)


@pytest.mark.rule("OTT-004", "WAR-018")
def test_ottoman_war_is_fought_before_other_wars() -> None:
    others = [{"alliances": [["britain"], ["germany"]], "phase": "alliances"}]
    g = wars.bench()
    war = {"kind": "ottoman", "alliances": ALONE, "phase": "alliances", "declared": ["italy"]}
    g.do(ARBITER, actions.SetPosition({"phase": "war", "wars": [war, *others], "areas": {"tripoli": held("italy")}}))
    g.advance()
    assert [w.kind for w in alliances.active_wars(g.state)] == ["ottoman"]
    assert [w.stage for w in g.state.wars] == ["alliances", "alliances"] and g.state.wars[0].turn_of == 1


# Joining


@pytest.mark.rule("OTT-005", "OTT-035", "SET-070")
def test_any_power_may_come_to_the_empires_aid() -> None:
    g = window(1, indexes={"european_tensions": 20})
    assert g.waiting() == tuple(p for p in GREAT if p != "italy")
    assert "join ottoman_empire" in legal_actions(g.tables, g.state, "russia").orders
    g.act("russia", "join ottoman_empire")
    assert the_war(g).alliances == ((OTTOMANS, "russia"), ("italy",)) and tension(g) == 25


@pytest.mark.rule("OTT-035", "OTT-002")
def test_the_declaration_of_the_empire_itself_adds_nothing() -> None:
    g = on(fighting(("italy", "tripoli"), indexes={"european_tensions": 20}))
    assert tension(g) == 20


@pytest.mark.rule("OTT-006")
def test_enemies_of_the_empire_are_helped_only_on_request() -> None:
    g = window(1)
    assert g.refused("france", "join italy").code == "not_invited"
    all_pass(g)
    assert g.refused("france", "join italy").code == "not_invited"


@pytest.mark.rule("OTT-006", "OTT-035")
def test_invited_power_may_join() -> None:
    g = window(2, indexes={"european_tensions": 20})
    assert g.waiting() == ("italy",)
    assert "invite france" in legal_actions(g.tables, g.state, "italy").orders
    g.act("italy", "invite france britain")
    (choice,) = g.pending()
    assert (choice.kind, choice.seat, choice.options) == ("invitation", "france", ("join italy", "stay out"))
    g.act("france", f"choose {choice.id} join italy")
    (choice,) = g.pending()
    assert choice.seat == "britain", "in the order in which they were named"
    g.act("britain", f"choose {choice.id} stay out")
    assert the_war(g).alliances == ((OTTOMANS,), ("italy", "france")) and tension(g) == 25
    g.advance()
    assert place(g)[0] != "alliances"


@pytest.mark.rule("OTT-007")
def test_aid_for_the_empire_is_decided_before_aid_for_its_enemies() -> None:
    g = window(1)
    assert g.refused("italy", "invite france").code == "no_war_to_join"
    all_pass(g)
    assert place(g) == ("alliances", 2)
    assert g.refused("germany", "join ottoman_empire").code == "no_war_to_join"
    g.act("italy", "invite france")
    g.act("france", f"choose {g.pending()[0].id} stay out")
    g.advance()
    assert the_war(g).stage != "alliances", "nothing more can be asked"
    assert g.refused("italy", "invite britain").code == "no_war_to_join"


@pytest.mark.rule("OTT-006")
def test_helper_invites_no_other_power() -> None:
    g = window(2, [[OTTOMANS], ["italy", "france"]])
    assert g.waiting() == ("italy",)
    assert g.refused("france", "invite britain").code == "no_war_to_join"


@pytest.mark.rule("OTT-006", "AUS-014")
def test_seat_cannot_join_against_its_other_power() -> None:
    g = window(1, [[OTTOMANS], ["germany"]], war={"declared": ["germany"]})
    assert "germany" not in g.waiting()
    assert g.refused("germany", "austria_hungary: join ottoman_empire").code == "oneself"
    g = window(2, [[OTTOMANS, "germany"], ["italy"]])
    assert g.refused("italy", "invite austria_hungary").code == "no_guest"


@pytest.mark.rule("OTT-005", "OTT-006", "AUS-014")
def test_seat_cannot_join_against_an_ally_of_its_other_power() -> None:
    beside = {"alliances": [["germany", "italy"], ["japan"]], "phase": "alliances"}
    empire = {"kind": "ottoman", "phase": "alliances", "declared": ["italy"]}
    for side in (1, 2):
        foes = [[OTTOMANS], ["italy"]] if side == 1 else [[OTTOMANS, "italy"], ["russia"]]
        war = {**empire, "alliances": foes, "turn_of": side, "declared": foes[1]}
        g = start({"phase": "war", "wars": [war, beside]}, options=UNLIMITED)
        if side == 1:
            refusal = g.refused("germany", "austria_hungary: join ottoman_empire")
            assert (refusal.code, refusal.rules) == ("oneself", ("AUS-014",))
        else:
            assert g.refused("russia", "invite austria_hungary").code == "no_guest"


def pact(*parties: str) -> dict[str, Any]:
    """A defensive Treaty in force, of a patch."""
    clauses = [{"kind": "defensive"}]
    return {"form": "treaty", "stage": "in_force", "parties": list(parties), "public": True, "clauses": clauses}


@pytest.mark.rule("OTT-006", "WAR-049")
@pytest.mark.parametrize("asked", [True, False])
def test_defensive_partner_owes_help_only_if_invited(asked: bool) -> None:
    g = window(2, treaties=[pact("france", "italy")], indexes={"european_tensions": 20})
    g.act("italy", "invite france" if asked else "pass")
    if asked:
        g.act("france", f"choose {g.pending()[0].id} stay out")
    assert tension(g) == (25 if asked else 20)
    assert any((c.holder, c.against) == ("italy", "france") for c in g.state.casus_belli) is asked


# Alone


@pytest.mark.rule("OTT-008", "WAR-023", "OTT-012")
def test_lone_empire_moves_first_like_china() -> None:
    g = window(2, areas={"quwait": here(army("italy", 3))})
    g.act("italy", "pass")
    g.advance()
    (rolled,) = g.all_of(events.InitiativeRolled)
    assert rolled.order == (1, 2) and not rolled.rolls
    assert ottomans(g, "quwait") == 3 or fought(g).place == "quwait"
    # three Armies and the uncontrolled Area
    assert (fought(g).attack, fought(g).defend) == (15 + 2, 3)


@pytest.mark.rule("OTT-008", "OTT-019")
def test_empire_reaches_tripoli_through_egypt() -> None:
    areas = {"tripoli": held("italy", "protectorate", army("italy", 3)), "anatolia": here(A5)}
    g = ottoman(areas=areas)
    g.advance()
    assert ottomans(g, "egypt") == 1


@pytest.mark.rule("OTT-009", "OTT-011", "OTT-012")
def test_empire_ignores_neutral_units() -> None:
    g = ottoman(phase="attack", areas={"anatolia": held("britain", "possession", army("britain"), A5)})
    g.advance()
    assert not g.all_of(events.BattleFought)
    g = ottoman([[OTTOMANS], ["britain"]], "attack", war={"declared": ["britain"]}, areas={
        "anatolia": held("britain", "possession", army("britain"), A5, A5, A5)
    })  # fmt: skip
    g.advance()
    assert (fought(g).place, fought(g).attack) == ("anatolia", 15), "a Controlled Area adds nothing"


@pytest.mark.rule("OTT-011")
@pytest.mark.parametrize(("defeated", "strength"), [([], 35), (["anatolia"], 15)])
@pytest.mark.parametrize("sides", [ALONE, ALLIED])
def test_empire_areas_fight_until_defeated(defeated: list[str], strength: int, sides: Any) -> None:
    areas = {"anatolia": here(army("italy", 10), A5, A5, A5)}
    g = ottoman(sides, "attack", war={"defeated": defeated, "turn_of": 2, "order": [1, 2]}, areas=areas)
    g.act("italy", "attack anatolia")
    assert (fought(g).attack, fought(g).defend) == (10, strength)


@pytest.mark.rule("OTT-008", "OTT-011")
def test_entering_a_fighting_area_forces_an_attack() -> None:
    areas = {"quwait": here(), "anatolia": here(A5)}
    zones = {"indian_ocean": {"merchant_fleets": ["italy"], "units": [army("italy", 10)]}}
    g = ottoman(war={"turn_of": 2, "order": [1, 2]}, areas=areas, sea_zones=zones)
    g.act("italy", "move A10 indian_ocean > quwait")
    all_pass(g)
    assert g.refused("italy", "pass").code == "must_attack"


@pytest.mark.rule("OTT-012")
@pytest.mark.parametrize("power", ["britain", "italy"])
def test_empire_armies_appear_among_enemies(power: str) -> None:
    war = {"kind": "ottoman", "alliances": [[OTTOMANS], [power]], "phase": "alliances", "declared": [power]}
    areas = {"anatolia": held(power, "possession", army(power, 10))}
    g = wars.bench()
    g.do(ARBITER, actions.SetPosition({"phase": "war", "wars": [war], "areas": areas}))
    g.advance()
    assert ottomans(g, "anatolia") == 3
    all_pass(g)
    all_pass(g)
    g.advance()
    assert (fought(g).place, fought(g).attack) == ("anatolia", 15)


# With allies


@pytest.mark.rule("OTT-010", "WAR-023")
def test_ally_of_the_empire_rolls_initiative_and_commands() -> None:
    g = ottoman(ALLIED, "initiative", areas={"anatolia": here(A5)})
    g.dice(6, 1)
    g.advance()
    assert g.all_of(events.InitiativeRolled)[0].rolls == ((6, 1),)
    assert place(g) == ("maneuver", 1) and g.waiting() == ("russia",)
    g.act("russia", "ottoman_empire: move A5 anatolia > egypt")
    assert ottomans(g, "egypt") == 1


@pytest.mark.rule("OTT-010")
def test_several_allies_command_together() -> None:
    g = ottoman([[OTTOMANS, "russia", "france"], ["italy"]], areas={"anatolia": here(A5)})
    g.act("russia", "ottoman_empire: move A5 anatolia > egypt")
    assert ottomans(g, "egypt") == 0
    g.act("france", "ottoman_empire: move A5 anatolia > egypt")
    assert ottomans(g, "egypt") == 1


@pytest.mark.rule("OTT-013")
def test_ottoman_armies_need_no_supply() -> None:
    areas = {"quwait": here(A5), "anatolia": held("italy", "possession", army("italy", 3))}
    g = ottoman(ALLIED, "supply", areas=areas)
    g.advance()
    assert ottomans(g, "quwait") == 1 and not g.all_of(events.UnitsSurrendered)


@pytest.mark.rule("OTT-013")
@pytest.mark.parametrize("sides", [ALLIED, ALONE])
def test_conquests_in_the_empire_need_no_supply(sides: Any) -> None:
    areas = {"anatolia": held("italy", "possession"), "tripoli": held("italy", "protectorate", A5)}
    war = {"conquered": [{"area": "tripoli", "alliance": 1}]}
    g = ottoman(sides, "supply", war=war, areas=areas)
    g.advance()
    assert the_war(g).conqueror("tripoli") == 1 and not g.all_of(events.AreaConquered)


@pytest.mark.rule("OTT-011", "OTT-013")
@pytest.mark.parametrize(("sides", "taken"), [(ALLIED, 2), (ALONE, 0)])
def test_empire_areas_can_be_conquered_if_it_has_an_ally(sides: Any, taken: int) -> None:
    areas = {"quwait": here(army("italy", 10)), "anatolia": here(A5)}
    g = ottoman(sides, "attack", war={"turn_of": 2, "order": [1, 2]}, areas=areas)
    g.dice(6)
    g.act("italy", "attack quwait")
    all_pass(g)
    if g.state.wars[0].stage == "attack":
        g.advance()
    assert "quwait" in the_war(g).defeated and the_war(g).conqueror("quwait") == taken


@pytest.mark.rule("OTT-013", "WEN-037")
def test_separate_peace_leaves_empire_areas_conquered() -> None:
    war = {"conquered": [{"area": "quwait", "alliance": 2}], "defeated": ["quwait"]}
    areas = {"quwait": here(army("italy", 3)), "anatolia": here(A5), "korea": held("russia")}
    war["conquered"].append({"area": "korea", "alliance": 2})
    g = ottoman([[OTTOMANS, "russia"], ["italy", "britain"]], war=war, areas=areas)
    sign(g, "britain", "propose with russia: peace", "russia")
    assert the_war(g).alliances == ((OTTOMANS, "russia"), ("italy",))
    assert the_war(g).conqueror("quwait") == 2 and the_war(g).conqueror("korea") == 2


@pytest.mark.rule("OTT-013")
def test_unmarked_empire_areas_are_spoils_if_it_has_an_ally() -> None:
    war = {"conquered": [{"area": "quwait", "alliance": 2}], "defeated": ["quwait"], "cycle": 3}
    areas = {"quwait": here(army("italy", 3)), "tripoli": held("italy", "protectorate", army("italy"))}
    g = ottoman(ALLIED, "end", war=war, areas=areas, homes=at_home("russia"))
    g = ottoman(ALLIED, "end", war=war, areas={**areas, **without_units_of(g, "russia")}, sea_zones=NO_SHIPS)
    g.advance()
    assert outcome(g) == "no_units"
    assert {c.area for c in g.pending() if c.kind == "spoils"} & {"quwait", "anatolia"}


NO_SHIPS: dict[str, Any] = {}


def without_units_of(g: Bench, power: str) -> dict[str, Any]:
    """Areas of a patch: those where a Power has Units, without them."""
    return {
        area: {
            "markers": [marker(m.power, m.marker) for m in a.markers],
            "units": [{"power": u.power, "kind": u.kind, "strength": u.strength} for u in a.units if u.power != power],
        }
        for area, a in g.state.areas.items()
        if any(u.power == power for u in a.units)
    }


# Egypt


def open_to_ottomans(g: Bench, area: str) -> bool:
    """Whether the menu of the Russian seat lets Ottoman Armies go from Anatolia to an Area."""
    return f"ottoman_empire: move A5 anatolia > {area}" in set(legal_actions(g.tables, g.state, "russia").texts())


@pytest.mark.rule("OTT-019", "OTT-020", "OTT-022")
@pytest.mark.parametrize(
    ("egypt", "is_open"),
    [
        (here(), True),
        (held("italy"), True),
        (held("russia"), True),
        (held("france"), False),
        (here(marker("france", "protectorate"), marker("italy", "protectorate"), codominion=["france", "italy"]), True),
    ],
)
def test_egypt_is_open_to_ottomans_unless_neutral(egypt: dict[str, Any], is_open: bool) -> None:
    g = ottoman(ALLIED, areas={"anatolia": here(A5), "egypt": egypt})
    assert open_to_ottomans(g, "egypt") is is_open
    if not is_open:
        refusal = g.refused("russia", "ottoman_empire: move A5 anatolia > egypt")
        assert refusal.code == "outside_empire" and "OTT-022" in refusal.rules


@pytest.mark.rule("OTT-021")
def test_ottoman_armies_stay_in_the_empire_and_egypt() -> None:
    areas = {"anatolia": here(A5), "bulgaria": held("italy"), "persia": held("russia"), "soudan": held("russia")}
    g = ottoman(ALLIED, areas=areas)
    assert not open_to_ottomans(g, "bulgaria") and not open_to_ottomans(g, "persia")
    refusal = g.refused("russia", "ottoman_empire: move A5 anatolia > bulgaria")
    assert refusal.code == "outside_empire" and "OTT-021" in refusal.rules
    g = ottoman(ALLIED, areas={**areas, "anatolia": here(), "egypt": held("russia", "possession", A5)})
    assert g.refused("russia", "ottoman_empire: move A5 egypt > soudan").code == "outside_empire"


@pytest.mark.rule("OTT-020", "OTT-008")
def test_lone_empire_fights_in_enemy_egypt() -> None:
    sides = [[OTTOMANS], ["britain"]]
    areas = {"egypt": held("britain", "protectorate", army("britain")), "anatolia": here(A5), "tripoli": here()}
    g = ottoman(sides, war={"declared": ["britain"], "over": []}, areas=areas)
    g.advance()
    assert fought(g).place == "egypt" and fought(g).attackers == (OTTOMANS,)


# The end


@pytest.mark.rule("OTT-014", "OTT-015")
def test_empire_wins_without_enemy_units_in_it() -> None:
    areas = {
        "tripoli": here(marker("italy", "protectorate"), naval("italy", 3)),
        "anatolia": here(A5, marker("france", "interest"), marker("britain", "interest")),
        "quwait": here(marker("italy", "influence")),
    }
    sides = [[OTTOMANS], ["italy", "france"]]
    g = ottoman(sides, "end", areas=areas)
    g.advance()
    assert not outcome(g), "a fleet is a Unit too"
    areas["tripoli"] = held("italy")
    g = ottoman(sides, "end", areas=areas)
    g.advance()
    assert outcome(g) == "ottomans_won" and not g.state.wars
    assert not g.state.areas["tripoli"].markers and not g.state.areas["quwait"].markers
    assert [m.power for m in g.state.areas["anatolia"].markers] == ["britain"], "a neutral's stays"
    assert not tension_raised(g)


@pytest.mark.rule("OTT-014", "OTT-016", "OTT-017")
def test_empire_without_armies_loses_the_disputed_area() -> None:
    areas = {
        "tripoli": held("italy", "protectorate", army("italy", 3)),
        "quwait": held("italy", "possession", army("italy")),
    }
    g = ottoman([[OTTOMANS], ["italy", "france"]], "end", areas=areas, indexes={"european_tensions": 30})
    g.advance()
    assert outcome(g) == "ottomans_beaten"
    (choice,) = g.pending()
    assert (choice.kind, choice.area) == ("spoils", "tripoli"), "and nothing elsewhere"
    g.act("italy", f"choose {choice.id} codominion protectorate of italy france tripoli")
    (choice,) = g.pending()
    g.act("france", f"choose {choice.id} leave tripoli")
    g.advance()
    assert g.state.areas["tripoli"].codominion == ("italy", "france")
    assert not g.state.wars and not tension_raised(g)
    assert g.kind("quwait", "italy") == "possession", "it keeps what it had"
    assert not g.state.ottoman_next, "spoils of this War bring no other"


@pytest.mark.rule("OTT-014")
def test_an_army_in_egypt_still_counts() -> None:
    areas = {"tripoli": held("italy", "protectorate", army("italy")), "egypt": here(A5)}
    g = ottoman(phase="end", areas=areas)
    g.advance()
    assert not outcome(g)


@pytest.mark.rule("OTT-014", "WEN-031")
def test_end_tests_of_an_ottoman_war_cannot_be_waived() -> None:
    g = ottoman(phase="end", war={"cycle": 1}, areas={"anatolia": here(A5)})
    g.advance()
    assert outcome(g) == "ottomans_won" and not g.all_of(events.EndTestsWaived)


@pytest.mark.rule("OTT-014")
def test_stalemate_if_both_sides_have_no_units() -> None:
    g = ottoman(phase="end")
    g.advance()
    assert outcome(g) == "stalemate"


@pytest.mark.rule("OTT-014", "WEN-032")
def test_three_quiet_cycles_are_a_stalemate() -> None:
    areas = {
        "egypt": held("france"),
        "tripoli": held("italy", "protectorate", army("italy")),
        "quwait": here(A5, marker("italy", "influence")),
    }
    g = ottoman(phase="end", war={"quiet": 2, "cycle": 3}, areas=areas)
    g.advance()
    assert outcome(g) == "stalemate"
    assert g.kind("tripoli", "italy") == "protectorate" and not established(g.state, "quwait", "italy")
    assert not g.pending(), "no spoils"


@pytest.mark.rule("OTT-014", "OTT-008")
def test_cycle_with_a_march_of_the_empire_is_not_quiet() -> None:
    areas = {"tripoli": held("italy", "protectorate", army("italy", 3)), "anatolia": here(A5)}
    g = ottoman(war={"quiet": 2, "cycle": 3}, areas=areas)
    g.advance()
    all_pass(g)
    g.advance()
    assert outcome(g) == "" and the_war(g).quiet == 0


CUT_OFF = {
    "egypt": held("france"),
    "tripoli": held("italy", "protectorate", army("italy")),
    "quwait": here(marker("italy", "influence")),
    "anatolia": here(A5, marker("italy", "interest"), marker("britain", "interest")),
}


@pytest.mark.rule("OTT-023", "OTT-024", "OTT-022")
def test_enemies_beyond_a_neutral_egypt_may_end_the_war() -> None:
    g = ottoman(phase="end", areas=CUT_OFF)
    g.advance()
    (choice,) = g.pending()
    assert (choice.kind, choice.seat, choice.default) == ("announce", "italy", "go on")
    g.act("italy", f"choose {choice.id} announce end")
    g.advance()
    assert outcome(g) == "cut_off" and not g.state.wars
    assert g.kind("tripoli", "italy") == "protectorate" and not established(g.state, "quwait", "italy")
    assert [m.power for m in g.state.areas["anatolia"].markers] == ["britain"]
    assert ottomans(g, "anatolia") == 0


@pytest.mark.rule("OTT-023")
def test_question_about_ending_comes_once_a_cycle() -> None:
    g = ottoman(phase="end", areas=CUT_OFF)
    g.advance()
    g.act("italy", f"choose {g.pending()[0].id} go on")
    g.advance()
    assert not g.pending() and the_war(g).cycle == 2


@pytest.mark.rule("OTT-023")
@pytest.mark.parametrize("answer", ["object", "agree"])
def test_other_power_in_the_area_may_object(answer: str) -> None:
    tripoli = here(
        marker("italy", "protectorate"), marker("britain", "protectorate"), army("italy"), army("britain"),
        codominion=["italy", "britain"],
    )  # fmt: skip
    g = ottoman([[OTTOMANS], ["italy", "britain"]], "end", areas={**CUT_OFF, "tripoli": tripoli})
    g.advance()
    assert {c.seat for c in g.pending()} == {"italy", "britain"}
    g.act("italy", f"choose {next(c.id for c in g.pending() if c.seat == 'italy')} announce end")
    (choice,) = g.pending()
    assert (choice.seat, choice.default) == ("britain", "agree")
    g.act("britain", f"choose {choice.id} {answer}")
    assert outcome(g) == ("cut_off" if answer == "agree" else "")
    if answer == "object":
        g.advance()
        assert not g.pending(), "no Power is asked again in this cycle"


@pytest.mark.rule("OTT-023")
@pytest.mark.parametrize(("areas", "sides"), [({"egypt": here()}, ALONE), ({}, ALLIED)])
def test_end_is_offered_only_beyond_reach_and_without_ally(areas: dict[str, Any], sides: Any) -> None:
    g = ottoman(sides, "end", areas={**CUT_OFF, **areas})
    g.advance()
    assert not [c for c in g.pending() if c.kind == "announce"]


@pytest.mark.rule("OTT-018")
def test_units_without_a_right_to_stay_leave() -> None:
    areas = {
        "tripoli": held("italy", "protectorate", army("italy", 3)),
        "quwait": here(army("italy")),
    }
    g = ottoman(phase="end", areas=areas)
    g.advance()
    g.act("italy", f"choose {g.pending()[0].id} leave tripoli")
    g.advance()
    (choice,) = g.pending()
    assert (choice.kind, choice.default) == ("return", "home") and "tripoli" in choice.options
    g.act(choice.seat, f"choose {choice.id} {choice.default}")
    g.advance()
    assert not g.state.wars and not units_at(g.state, "quwait")


# The tensions and the Great War


def culprits(g: Bench) -> tuple[str, ...]:
    """The culprits of the Great War."""
    assert g.state.result is not None
    return g.state.result.culprits


@pytest.mark.rule("OTT-032")
def test_four_powers_against_a_lone_empire_are_no_great_war() -> None:
    g = window(2, [[OTTOMANS], ["italy", "britain", "france"]])
    g.act("italy", "invite russia")
    g.act("russia", f"choose {g.pending()[0].id} join italy")
    assert g.state.result is None and len(the_war(g).alliance(2)) == 4


@pytest.mark.rule("OTT-033", "OTT-025")
def test_great_war_against_an_allied_empire_is_blamed_on_the_placer() -> None:
    g = window(2, [[OTTOMANS, "germany"], ["italy", "britain"]])
    g.act("italy", "invite france")
    g.act("france", f"choose {g.pending()[0].id} join italy")
    assert set(culprits(g)) == {"italy", "france"}


@pytest.mark.rule("ETI-041")
def test_the_placer_is_to_blame_for_an_index_of_100() -> None:
    g = ottoman(phase="end", indexes={"european_tensions": 98}, areas={
        "tripoli": held("italy", "protectorate", army("italy", 3)), "anatolia": here(A5), "egypt": held("italy"),
    })  # fmt: skip
    g.advance()
    assert culprits(g) == ("italy",)


# New Control, and possessions


@pytest.mark.rule("OTT-036")
def test_spoils_of_another_war_bring_war_in_the_next_turn() -> None:
    areas = {"tripoli": held("italy"), **{a: here() for a in ("anatolia", "quwait")}}
    war = {"conquered": [{"area": "tripoli", "alliance": 1}], "cycle": 3, "quiet": 2}
    g = wars.at_war([["france"], ["italy"]], "end", options=UNLIMITED, areas=areas, war=war)
    g.advance()
    while g.pending():
        choice = g.pending()[0]
        wish = "place protectorate tripoli"
        g.act(choice.seat, f"choose {choice.id} {wish if wish in choice.options else choice.default}")
    assert controls(g.state, "tripoli", "france")
    assert [(h.power, h.area) for h in g.state.ottoman_next] == [("france", "tripoli")]


@pytest.mark.rule("EVT-037")
def test_possessions_count_as_areas_of_the_empire() -> None:
    option = {"ottoman_expansion": "yes"}
    areas = {"anatolia": here(A5), "bulgaria": held(OTTOMANS, "possession", A5)}
    g = ottoman(ALLIED, options=option, areas=areas)
    assert "bulgaria" in empire.empire_areas(g.tables, g.state, the_war(g)) and open_to_ottomans(g, "bulgaria")


@pytest.mark.rule("OTT-014")
def test_a_possession_keeps_its_army_when_the_war_is_over() -> None:
    areas = {"anatolia": here(A5, A5), "bulgaria": held(OTTOMANS, "possession", A5, A5)}
    g = ottoman(phase="end", options={"ottoman_expansion": "yes"}, areas=areas)
    g.advance()
    assert outcome(g) == "ottomans_won"
    assert (ottomans(g, "anatolia"), ottomans(g, "bulgaria")) == (0, 1)


def test_a_war_of_four_seats_ends() -> None:
    """A whole War, everybody passing, comes to an end."""
    g = on(fighting(("france", "tripoli"), players=4))
    to_end(g)
    assert outcome(g)
    with pytest.raises(Refusal):
        g.act("france", "join ottoman_empire")


@pytest.mark.rule("OTT-013", "OTT-015", "WEN-040")
def test_victorious_empire_regains_its_areas_and_allies_get_spoils() -> None:
    areas = {
        "tripoli": held("italy"),
        "quwait": here(marker("italy", "influence"), marker("britain", "influence")),
        "anatolia": here(A5),
        "persia": held("italy", "protectorate", army("russia", 3)),
    }
    g = ottoman(ALLIED, "end", war={"cycle": 3}, areas=areas)
    g.advance()
    assert outcome(g) == "no_units"
    assert not established(g.state, "tripoli", "italy") and not established(g.state, "quwait", "italy")
    assert established(g.state, "quwait", "britain")
    (choice,) = g.pending()
    assert (choice.kind, choice.seat, choice.area) == ("spoils", "russia", "persia")
    assert not any(OTTOMANS in option for option in choice.options), "the Empire has no markers to place"


@pytest.mark.rule("OTT-006", "WAR-047")
def test_only_the_bound_partner_sees_its_obligation() -> None:
    treaty = {**pact("france", "italy"), "public": False}
    g = window(2, treaties=[treaty])
    g.act("italy", "invite france")
    (note,) = [e for e in g.all_of(events.Noted) if e.code == "aid_owed"]
    assert note.only == ("france",) and "treaty 1" in note.text
    assert "treaty" not in g.pending()[0].prompt


@pytest.mark.rule("OTT-006", "OTT-007")
def test_no_power_is_asked_twice() -> None:
    g = window(2, [[OTTOMANS], ["italy", "britain"]], war={"declared": ["italy", "britain"]})
    g.act("italy", "invite france")
    g.act("france", f"choose {g.pending()[0].id} stay out")
    assert g.refused("britain", "invite france").code == "no_guest"
    assert "invite france" not in legal_actions(g.tables, g.state, "britain").orders


@pytest.mark.rule("OTT-011", "OTT-013")
def test_fighting_area_is_not_conquered_by_occupation() -> None:
    areas = {"quwait": here(army("italy", 10)), "anatolia": here(A5)}
    g = ottoman(ALLIED, "attack", war={"turn_of": 2, "order": [1, 2]}, areas=areas)
    all_pass(g)
    assert the_war(g).stage != "attack" and the_war(g).conqueror("quwait") == 0


@pytest.mark.rule("OTT-013", "SUP-008")
@pytest.mark.parametrize(("conquered", "starves"), [([], False), ([{"area": "anatolia", "alliance": 2}], True)])
def test_the_empires_own_areas_carry_the_supply_of_its_allies(conquered: list[Any], starves: bool) -> None:
    areas = {"quwait": here(army("russia", 3)), "anatolia": here(), "persia": here()}
    g = ottoman(ALLIED, "supply", war={"conquered": conquered}, areas=areas)
    g.advance()
    assert any(e.place == "quwait" for e in g.all_of(events.UnitsSurrendered)) is starves


@pytest.mark.rule("OTT-013", "WEN-030")
@pytest.mark.parametrize("everywhere", [True, False])
def test_its_own_areas_count_among_those_that_enemies_may_occupy(everywhere: bool) -> None:
    areas = {area: here() for area in wars.bench().state.areas}
    areas |= {
        "tripoli": held("italy"),
        "anatolia": here(army("italy", 10)),
        "quwait": here(army("italy")) if everywhere else here(),
        "egypt": here(A5),
    }
    g = ottoman(ALLIED, "end", war={"cycle": 3, "turn_of": None}, areas=areas)
    g.advance()
    assert outcome(g) == ("occupied" if everywhere else "")


def offensive(*parties: str, **more: Any) -> dict[str, Any]:
    """A public offensive Treaty in force between some Powers."""
    return wars.treaty("offensive", *parties, **more)


@pytest.mark.rule("WAR-047", "OTT-005", "OTT-035")
@pytest.mark.parametrize("comes", [True, False])
def test_offensive_partner_of_the_helper_is_called(comes: bool) -> None:
    g = window(1, treaties=[offensive("russia", "france")], indexes={"european_tensions": 10})
    g.act("russia", "join ottoman_empire")
    (choice,) = g.pending()
    assert (choice.kind, choice.seat, choice.options) == ("call", "france", ("declare war italy", "refuse"))
    g.act("france", f"choose {choice.id} {choice.options[0 if comes else 1]}")
    assert tension(g) == 20, "a declaration, or a breach"
    assert the_war(g).alliances[0] == ((OTTOMANS, "russia", "france") if comes else (OTTOMANS, "russia"))
    assert g.causes() == (set() if comes else {("russia", "france", "")})
    assert the_war(g).turn_of == 1 and "germany" in g.waiting(), "others may still come to the Empire's aid"


@pytest.mark.rule("OTT-006", "WAR-047")
def test_partners_of_the_enemies_are_not_called() -> None:
    pacts = [pact("britain", "italy"), {**offensive("germany", "france"), "id": "other"}]
    g = window(1, treaties=pacts)
    g.act("russia", "join ottoman_empire")
    assert not g.pending(), "Britain is not asked until Italy asks it"
    all_pass(g)
    g.advance()
    g.act("italy", "invite germany")
    g.act("germany", f"choose {g.pending()[0].id} join italy")
    assert not [c for c in g.pending() if c.kind == "call"], "no Power follows uninvited"


@pytest.mark.rule("WAR-047", "WAR-062")
def test_call_to_the_side_of_the_empire_calls_further_partners() -> None:
    pacts = [offensive("russia", "france"), {**offensive("france", "japan"), "id": "other"}]
    g = window(1, treaties=pacts)
    g.act("russia", "join ottoman_empire")
    for _ in range(2):
        (choice,) = g.pending()
        g.act(choice.seat, f"choose {choice.id} {choice.options[0]}")
    assert the_war(g).alliances[0] == (OTTOMANS, "russia", "france", "japan")


@pytest.mark.rule("OTT-009", "OTT-008")
def test_neutral_armies_do_not_stop_the_empire() -> None:
    areas = {
        "tripoli": held("italy", "protectorate", army("italy", 3)),
        "anatolia": held("britain", "protectorate", army("britain"), A5, A5),
        "persia": held("britain", "protectorate", army("britain")),
        "quwait": held("britain", "protectorate", army("britain")),
    }
    g = ottoman(areas=areas)
    g.advance()
    assert ottomans(g, "egypt") == 2 and ottomans(g, "quwait") == 0


@pytest.mark.rule("OTT-021", "OTT-008")
def test_ottoman_armies_retreat_only_within_the_empire() -> None:
    areas = {
        "anatolia": here(A5, army("italy", 10)),
        "quwait": held("italy", "protectorate", army("italy", 3)),
        "egypt": held("britain", "protectorate", army("britain", 3)),
    }
    g = ottoman(phase="attack", war={"turn_of": 2, "defeated": ["anatolia"]}, areas=areas)
    g.dice(4)
    g.act("italy", "attack anatolia")
    assert fought(g).result == "DR" and not any(ottomans(g, area) for area in g.state.areas)
