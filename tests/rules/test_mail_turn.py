"""Play by mail (PBM): stops, Negotiation, War and silence in a Game Turn."""

from __future__ import annotations

import pytest

from paxtui.engine.dice import Dice
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.games.pax.actions import actions
from paxtui.games.pax.events import events
from paxtui.games.pax.mail.forms import parse_form
from paxtui.games.pax.mail.stops import STOP_DEADLINES, stop_kind
from paxtui.games.pax.position.setup import assign_seats
from tests.refusals import refused
from tests.rules import agreements, wars
from tests.rules.congress import game as quarrel
from tests.rules.harness import Bench, army, here, marker, moving, new, start, tables
from tests.rules.mail import public, results, send, stopped

ALL = ("britain", "france", "germany", "united_states", "japan", "russia", "italy")
FIRST = (1, 1, 1, 2, 2, 2, 2, 1, 5, 5, 5, 3, 3)
"""Dice of a first turn of seven: one event (1-1), four Colonial Offices, the Netherlands and where to, three more."""


def phases(g: Bench) -> list[str]:
    """The Phases that began in the last stop."""
    return [e.phase for e in g.of(events.PhaseBegan)]


def first_turn() -> Bench:
    g = start()
    g.dice(*FIRST)
    send(g)
    assert not g.queue
    return g


# The beginning of a turn


@pytest.mark.rule("PBM-005")
def test_game_advances_to_its_first_orders() -> None:
    g = first_turn()
    assert phases(g) == ["administrative", "minor_powers", "movement"] and g.of(events.RandomEventRolled)
    assert g.waiting() == ALL and stopped(g) and stop_kind(g.state) == "movement"


@pytest.mark.rule("PBM-004")
def test_new_merchant_fleets_come_from_the_turn_track() -> None:
    assert not any(p.merchants_due for p in first_turn().state.powers.values())
    g = moving(0)
    send(g)
    assert g.state.turn == 2
    assert [p for p, own in g.state.powers.items() if own.merchants_due] == ["germany", "united_states"]
    send(g, germany="merchant new > baltic", united_states="merchant new > baltic")
    assert results(g, "germany") == ["done"] and "germany" in g.state.sea_zones["baltic"]


@pytest.mark.rule("PBM-006")
def test_a_die_for_the_number_of_events_and_two_for_each() -> None:
    g = first_turn()
    assert [e.event for e in g.of(events.RandomEventRolled)] == ["1-1"]
    g = start()
    g.dice(2, 1, 1, 1, 1, 1, 2)  # the second headline comes again, and is rolled again
    send(g)
    assert [(e.event, e.happens) for e in g.of(events.RandomEventRolled)] == [
        ("1-1", True),
        ("1-1", False),
        ("1-2", True),
    ]


@pytest.mark.rule("PBM-007")
def test_four_dice_for_seven_players_and_the_column_of_the_six_without_control() -> None:
    offices = first_turn().of(events.OfficeIncome)
    assert [e.power for e in offices if e.die] == ["britain", "france", "united_states", "austria_hungary"]
    assert [(e.power, e.amount) for e in offices if not e.die] == [
        (power, 30) for power in ("germany", "japan", "russia", "italy")
    ]


@pytest.mark.rule("PBM-008", "PBM-009", "PBM-010", "PBM-011")
def test_income_and_maintenance_of_france() -> None:
    g = first_turn()
    france = g.state.powers["france"]
    assert (france.record["10"], france.record["11"], france.record["15"]) == (20, 110, 130)
    assert (france.record["16"], france.record["18"]) == (21, 80)
    assert france.record["22"] == france.treasury == 29
    g = moving(0, homes={"france": {"units": [army("france", 10)]}})
    send(g)  # an Army at home costs nothing
    assert g.state.powers["france"].record["16"] == 21


@pytest.mark.rule("PBM-012", "PBM-013")
def test_a_die_for_each_minor_power_and_two_where_one_is_active() -> None:
    g = first_turn()
    acted = g.of(events.MinorActivity)
    assert len(acted) == 4 and [e.active for e in acted] == [True, False, False, False]
    assert [e.dice for e in g.of(events.MinorDirected)] == [(5, 5)]
    four = start(players=4)
    send(four)
    assert {"italy", "russia", "japan"} <= {e.power for e in four.of(events.MinorActivity)}


# After the orders


@pytest.mark.rule("PBM-026", "PBM-126")
def test_undefended_area_is_won_without_a_die() -> None:
    areas = {"tunis": here(new("france"), army("france", 3)), "new_hebrides": here(new("france"), army("france"))}
    g = moving(0, areas=areas)
    send(g)
    rolled = {e.area: e.die for e in g.of(events.ColonialCombat)}
    assert rolled["tunis"] and not rolled.get("new_hebrides")
    assert g.kind("new_hebrides", "france") == "protectorate"


@pytest.mark.rule("PBM-126")
@pytest.mark.parametrize(
    ("form", "fought", "lost"),
    [
        ("", True, ["A3"]),
        ("standing:\nlose A1 A1 A1 in tunis", True, ["A1", "A1", "A1"]),
        ("standing:\nlose A10 in tunis", True, ["A3"]),  # it cannot be: the default
        ("standing:\ndecline tunis", False, []),
        ("standing:\nfight tunis if unrest", False, []),
        ("standing:\nfight tunis", True, ["A3"]),
    ],
)
def test_choices_of_colonial_combat_follow_standing_instructions(form: str, fought: bool, lost: list[str]) -> None:
    armies = [army("france", 3), *[army("france")] * 3]
    g = moving(0, areas={"tunis": here(new("france"), *armies)})
    g.dice(1)  # an exchange at 2-1
    send(g, france=form)
    assert bool([e for e in g.of(events.ColonialCombat) if e.area == "tunis"]) == fought
    assert [name for e in g.of(events.UnitsLost) if e.place == "tunis" for name in e.units] == lost
    assert g.kind("tunis", "france") == ("protectorate" if fought else "")
    assert g.state.turn == 2  # no choice was offered


@pytest.mark.rule("PBM-126")
def test_unrest_alone_is_fought_only_while_it_lasts() -> None:
    g = moving(0, areas={"persia": here(marker("france", "protectorate"), army("france", 3), unrest=True)})
    send(g, france="standing:\nfight persia if unrest")
    assert [e.area for e in g.of(events.ColonialCombat)] == ["persia"]


@pytest.mark.rule("PBM-126")
def test_retreat_follows_the_form() -> None:
    for place, where in (("home", "home:france"), ("algiers", "algiers")):
        g = moving(0, areas={"tunis": here(new("france"), army("france", 10))})
        before = g.units(where, "france").count("A10")
        send(g, france=f"standing:\ndecline tunis\nretreat tunis > {place}")
        assert g.units(where, "france").count("A10") == before + 1, place


@pytest.mark.rule("PBM-027", "PBM-028")
def test_unsuppressed_unrest_removes_control_and_ends() -> None:
    persia = here(marker("france", "protectorate"), marker("britain", "interest"), army("france"), unrest=True)
    g = moving(0, areas={"persia": persia, "siam": here(unrest=True)})
    send(g, france="standing:\ndecline persia")
    assert not g.kind("persia", "france") and g.kind("persia", "britain") == "interest"
    assert not g.units("persia") and not [blame for blame in g.blames() if blame[1] == "france"]
    assert {e.area for e in g.of(events.UnrestEnded)} == {"persia", "siam"}


@pytest.mark.rule("PBM-029")
@pytest.mark.parametrize(("kind", "fresh", "tension"), [("protectorate", False, 1), ("possession", False, 2),
                                                        ("protectorate", True, 0)])  # fmt: skip
def test_ungarrisoned_control_becomes_an_influence(kind: str, fresh: bool, tension: int) -> None:
    g = moving(0, areas={"tunis": here(new("italy", kind) if fresh else marker("italy", kind))},
               homes={"italy": {"units": []}})  # fmt: skip
    send(g)
    assert g.kind("tunis", "italy") == "influence"
    assert sum(points for points, blame in g.blames() if blame == "italy") == tension


@pytest.mark.rule("PBM-030")
def test_a_new_possession_drives_out_the_interests_of_others() -> None:
    area = here(new("france", "possession"), marker("britain", "interest"), army("france"))
    g = moving(0, areas={"new_hebrides": area})
    send(g)
    assert g.kind("new_hebrides", "france") == "possession" and not g.kind("new_hebrides", "britain")


@pytest.mark.rule("PBM-031", "PBM-032", "PBM-116")
def test_one_report_holds_orders_combat_adjustment_and_casus_belli() -> None:
    g = moving(40, areas={"tunis": here(army("france", 10), army("italy", 10))})
    g.dice(6, 6)
    send(g, france="place protectorate tunis", italy="place protectorate tunis")
    assert phases(g) == ["colonial_combat", "marker_adjustment", "negotiation"]
    assert [
        type(e) for e in g.last if isinstance(e, events.MarkerPlaced | events.ColonialCombat | events.CasusBelliArose)
    ] == [
        events.MarkerPlaced,
        events.MarkerPlaced,
        events.ColonialCombat,
        events.ColonialCombat,
        events.CasusBelliArose,
        events.CasusBelliArose,
    ]
    assert g.causes() == {("france", "italy", "tunis"), ("italy", "france", "tunis")}
    assert stopped(g) and stop_kind(g.state) == "negotiation"


@pytest.mark.rule("PBM-117", "PBM-107", "PBM-063", "PBM-116")
def test_turn_without_disputes_ends_without_a_stop() -> None:
    g = moving(0)
    send(g)
    assert phases(g) == [
        "colonial_combat", "marker_adjustment", "negotiation", "chinese_resentment", "victory_point_record",
        "final_record", "random_events", "administrative", "minor_powers", "movement",
    ]  # fmt: skip
    assert g.state.turn == 2 and g.waiting() == ALL


@pytest.mark.rule("PBM-117")
def test_control_over_a_minor_influence_is_a_reason_to_stop() -> None:
    kongo = here(marker("belgium", "influence"), new("france"), army("france", 10))
    g = moving(0, areas={"kongo": kongo})
    g.dice(6)
    send(g)
    assert g.state.phase == "negotiation" and not g.state.casus_belli and stopped(g)


@pytest.mark.rule("PBM-108", "PBM-110")
def test_money_left_becomes_victory_points() -> None:
    g = moving({"britain": 167})
    send(g)
    assert g.state.powers["britain"].victory_points == 16
    assert [e.turn for e in g.of(events.TurnBegan)] == [2]


@pytest.mark.rule("PBM-111", "PBM-112")
def test_after_the_last_turn_the_ranks_are_announced() -> None:
    g = moving({"britain": 100, "france": 7}, turn=10)
    send(g)
    assert g.state.result is not None and g.state.result.reason == "last_turn"
    totals, ranks = g.state.result.totals, g.state.result.ranks
    assert sorted(totals, key=lambda s: -totals[s])[0] == next(s for s, rank in ranks.items() if rank == 1)
    assert totals["britain"] > 10 and not g.waiting()


# Negotiation


@pytest.mark.rule("PBM-033", "PBM-035")
def test_a_party_may_give_way() -> None:
    g = agreements.tunis()
    send(g, france="downgrade interest tunis", italy="")
    assert results(g, "france") == ["done"] and g.kind("tunis", "italy") == "protectorate"
    assert (2, "france") in g.blames() and g.state.turn == 2


@pytest.mark.rule("PBM-034")
def test_areas_are_shared_by_the_powers_named() -> None:
    kenya = [marker("britain", "protectorate"), marker("germany", "protectorate")]
    g = agreements.tunis({"kenya": kenya}, money={"france": 20})
    send(
        g,
        britain="codominion kenya",
        france="pay russia 5\ncodominion tunis",
        germany="codominion kenya",
        italy="codominion tunis",
        russia="",
    )
    assert g.state.areas["kenya"].codominion == ("britain", "germany")
    assert g.state.areas["tunis"].codominion == ("france", "italy")


@pytest.mark.rule("PBM-034")
@pytest.mark.parametrize("both", [True, False])
def test_sharing_needs_both_forms(both: bool) -> None:
    g = agreements.tunis()
    send(g, france="codominion tunis", italy="codominion tunis" if both else "build A1")
    assert (g.kind("tunis", "france") == "protectorate") == both
    assert bool(g.state.areas["tunis"].codominion) == both


@pytest.mark.rule("PBM-036", "PBM-050", "PBM-051")
def test_a_holder_calls_a_congress() -> None:
    g = agreements.tunis()
    send(g, france="congress germany", italy="", britain="congress germany")
    assert results(g, "france") == ["done"] and results(g, "britain") == ["nullified"]
    assert (3, "france") in g.blames() and g.state.phase == "congress" and stopped(g)
    congress = g.state.congress
    assert congress is not None and congress.site == "germany"
    assert {"france", "italy", "germany"}.isdisjoint({c.power for c in g.state.choices if c.kind == "attend"})
    assert {c.power for c in g.state.choices if c.kind == "attend"} == {"britain", "russia"}
    refused_site = agreements.tunis()
    send(refused_site, france="congress italy")
    assert results(refused_site, "france") == ["nullified"]
    assert "congress" not in phases(refused_site)  # no Congress was called


@pytest.mark.rule("PBM-033", "PBM-037")
def test_a_holder_declares_war() -> None:
    g = agreements.tunis()
    send(g, france="declare war italy", italy="")
    assert results(g, "france") == ["done"] and g.state.wars and (5, "france") in g.blames()


@pytest.mark.rule("PBM-038", "PBM-039", "PBM-041")
def test_a_treaty_needs_the_same_words_on_every_form() -> None:
    words = {"france": "treaty Rome with italy russia: defensive", "italy": "treaty Rome with france russia: defensive"}
    g = agreements.tunis()
    send(g, **words)
    assert [(t.stage, t.signed) for t in g.state.treaties] == [("draft", ("france", "italy"))]
    g = agreements.tunis()
    send(g, **words, russia="treaty Rome with france italy: defensive")
    assert [t.stage for t in g.state.treaties] == ["in_force"]
    assert len(g.of(events.TreatyInForce)) == 1


@pytest.mark.rule("PBM-038", "PBM-039")
def test_treaties_are_made_in_the_movement_phase_too() -> None:
    g = moving(0)
    send(g, france="treaty Rome with italy: defensive", italy="treaty Rome with france: defensive")
    assert [(t.stage, t.parties) for t in g.state.treaties] == [("in_force", ("france", "italy"))]
    assert results(g, "france") == results(g, "italy") == ["done"]


@pytest.mark.rule("PBM-040")
def test_different_texts_are_no_treaty() -> None:
    g = agreements.tunis()
    send(g, france="treaty Rome with italy: defensive", italy="treaty Rome with france: non-aggression")
    assert [t.stage for t in g.state.treaties] == ["draft", "draft"]


@pytest.mark.rule("PBM-042", "PBM-043", "PBM-047", "PBM-048")
def test_secret_terms_stay_between_their_parties() -> None:
    words = "treaty Rome with {}public: non-aggression; secret defensive"
    g = agreements.tunis()
    send(g, france=words.format("italy "), italy=words.format("france "))
    drafted = [e for e in public(g, "japan") if isinstance(e, events.TreatyRevealed)]
    assert [c.kind for e in drafted for c in e.treaty.clauses] == ["non_aggression"]
    whole = [e for e in public(g, "italy") if isinstance(e, events.TreatyDrafted)]
    assert [c.kind for e in whole for c in e.treaty.clauses] == ["non_aggression", "defensive"]
    g = agreements.tunis()
    send(g, france="treaty Rome with italy secret: defensive", italy="treaty Rome with france secret: defensive")
    assert not [
        e
        for e in public(g, "japan")
        if isinstance(e, events.TreatyDrafted | events.TreatyRevealed | events.TreatyInForce)
    ]


@pytest.mark.rule("PBM-044")
def test_one_party_publishes_a_secret_treaty() -> None:
    pact = wars.treaty("defensive", "france", "italy", public=False)
    g = start({"phase": "negotiation", "treaties": [pact], "casus_belli": [
        {"holder": "russia", "against": "japan", "area": None}]})  # fmt: skip
    send(g, italy="reveal pact")
    assert results(g, "italy") == ["done"]
    assert [e.treaty.id for e in public(g, "japan") if isinstance(e, events.TreatyRevealed)] == ["pact"]


@pytest.mark.rule("PBM-049")
def test_a_treaty_without_a_name_gets_one() -> None:
    g = agreements.tunis()
    send(g, france="treaty with italy: defensive", italy="treaty with france: defensive")
    (treaty,) = g.state.treaties
    assert treaty.name and treaty.stage == "in_force"


@pytest.mark.rule("PBM-118", "NEG-014")
def test_gifts_in_negotiation_are_agreed_on_both_forms() -> None:
    g = agreements.tunis(money={"italy": 30, "france": 0})
    send(g, italy="pay france 30", france="accept 30 from italy")
    assert results(g, "italy") == results(g, "france") == ["done"]
    assert ("france", 30) in [(e.power, e.amount) for e in g.of(events.TreasuryChanged)]


@pytest.mark.rule("PBM-121")
@pytest.mark.parametrize(
    ("silent", "russian", "british", "tension"),
    [
        (("britain",), "influence", "influence", 1),
        (("britain", "russia"), "interest", "protectorate", 1),
        ((), "interest", "protectorate", 1),
        (("russia",), "interest", "protectorate", 1),
    ],
)
def test_silence_over_persia(silent: tuple[str, ...], russian: str, british: str, tension: int) -> None:
    g = agreements.persia()
    send(g, missed=silent, **dict.fromkeys(ALL, ""))
    assert (g.kind("persia", "russia"), g.kind("persia", "britain")) == (russian, british)
    assert g.blames()[0][0] == tension


@pytest.mark.rule("PBM-121")
@pytest.mark.parametrize(
    ("silent", "italian", "french"),
    [(("italy",), "interest", "protectorate"), (("italy", "france"), "influence", "influence")],
)
def test_silence_over_tunis(silent: tuple[str, ...], italian: str, french: str) -> None:
    g = agreements.tunis({"tunis": here(marker("france", "protectorate"), marker("italy", "protectorate"),
                                        army("france"), army("italy"))})  # fmt: skip
    send(g, missed=silent, **dict.fromkeys(ALL, ""))
    assert (g.kind("tunis", "italy"), g.kind("tunis", "france")) == (italian, french)
    assert sum(points for points, blame in g.blames() if blame in ("france", "italy")) == 2


@pytest.mark.rule("PBM-128")
def test_unused_casus_belli_makes_no_stop_in_the_war_phase() -> None:
    press = {"holder": "united_states", "against": "britain", "area": None}
    g = start({"phase": "negotiation", "casus_belli": [press]})
    send(g, **dict.fromkeys(ALL, ""))
    assert "war" in phases(g) and g.state.phase == "movement" and g.state.turn == 2


# The Congress and War


def voting() -> Bench:
    """A Congress over Tunis that votes on a Treaty of France's: France, Italy and their host Germany sit."""
    g = quarrel()
    send(g, france="congress germany")
    send(g)  # no other Power attends
    assert {c.kind for c in g.state.choices} == {"propose"} and stop_kind(g.state) == "congress"
    send(g, france="propose Act: italy leaves tunis")
    assert {c.kind for c in g.state.choices} == {"ballot"} and stop_kind(g.state) == "vote"
    return g


def ballot(g: Bench, seat: str) -> str:
    """The name of a seat's ballot."""
    return next(c.id for c in g.state.choices if c.seat == seat)


@pytest.mark.rule("PBM-053", "PBM-058", "PBM-120")
def test_silent_member_abstains_and_signs() -> None:
    g = voting()
    send(g, france=f"choose {ballot(g, 'france')} yes sign")
    (opened,) = g.of(events.BallotsOpened)
    assert opened.votes == {"france": "yes", "germany": "abstain", "italy": "abstain"}
    assert not g.kind("tunis", "italy") and g.kind("tunis", "france") == "protectorate"
    assert g.state.phase == "movement" and g.state.turn == 2


@pytest.mark.rule("PBM-059")
def test_intended_defiance_of_a_rejected_treaty_stays_secret() -> None:
    g = voting()
    send(g, italy=f"choose {ballot(g, 'italy')} no defy", germany=f"choose {ballot(g, 'germany')} no sign")
    for seat in ("france", "britain", SPECTATOR):
        assert "defy" not in " ".join(str(e) for e in public(g, seat))
    assert g.of(events.BallotsOpened)


@pytest.mark.rule("PBM-072", "PBM-077", "PBM-080", "PBM-081")
@pytest.mark.parametrize("form", ["", "attack tunis"])
def test_units_attack_only_when_ordered(form: str) -> None:
    areas = {"tunis": here(marker("france", "protectorate"), army("france"), army("britain", 10))}
    g = wars.at_war([["britain"], ["france"]], areas=areas)
    assert stop_kind(g.state) == "war" and g.waiting() == ("britain",)
    send(g, britain=form, france="attack tunis")
    assert bool(g.of(events.BattleFought)) == bool(form)
    assert results(g, "france") == ["nullified"]  # it is not its turn
    assert g.state.phase == "war" and g.waiting() == ("france",) and stopped(g)


def landing(italy: str, britain: str) -> Bench:
    """Britain and Italy at War with France; Italy's Army stands in Tunis with the French, Britain's in Algiers."""
    areas = {
        "tunis": here(marker("france", "protectorate"), army("france"), army("italy", 10)),
        "tripoli": here(marker("britain", "protectorate"), army("britain", 3), army("britain", 3)),
    }
    g = wars.at_war([["britain", "italy"], ["france"]], areas=areas)
    send(g, britain=britain, italy=italy)
    return g


@pytest.mark.rule("PBM-082")
@pytest.mark.parametrize(("armies", "fought"), [("A3 A3", True), ("A3", False)])
def test_example_attack_depends_on_moves_of_an_ally(armies: str, fought: bool) -> None:
    condition = "britain moved at least 5 strength points of army units to tunis"
    g = landing(f"attack tunis if {condition}", f"move {armies} tripoli > tunis")
    assert results(g, "britain") == ["done"]
    assert results(g, "italy") == ["done" if fought else "unmet"]
    assert bool(g.of(events.BattleFought)) == fought


@pytest.mark.rule("PBM-083")
def test_attack_cannot_depend_on_an_attack() -> None:
    _, (fault,) = parse_form(tables(), "attack tunis if britain attacks tunis")
    assert "what it does (places," in fault.message


@pytest.mark.rule("PBM-079")
def test_moves_in_war_have_no_conditions() -> None:
    g = landing("", "move A3 tripoli > tunis if italy moves A10 to tripoli")
    assert results(g, "britain") == ["nullified"] and not g.of(events.UnitsMoved)
    (note,) = [e for e in g.of(events.Noted) if e.code == "order_nullified"]
    assert "PBM-079" in note.rules


@pytest.mark.rule("PBM-078")
def test_any_or_all_units_move() -> None:
    g = landing("", "move A3 A3 tripoli > tunis")
    assert results(g, "britain") == ["done"] and g.units("tunis", "britain") == ["A3", "A3"]


# The gamemaster


@pytest.mark.rule("PBM-002", "PBM-052", "PBM-053", "PBM-073")
def test_deadline_of_each_stop() -> None:
    days = {kind: wait.days for kind, wait in STOP_DEADLINES.items()}
    assert days == {
        "movement": 28, "negotiation": 28, "congress": 28, "vote": 14, "war": 14, "spoils": 14, "call": 3,
    }  # fmt: skip


@pytest.mark.rule("PBM-003")
def test_seats_follow_preference_lists() -> None:
    seats = ("britain", "france", "germany", "united_states")
    lists = {
        "A": ["britain", "france", "germany", "united_states"],
        "B": ["britain", "france", "germany", "united_states"],
        "C": ["britain", "germany", "france", "united_states"],
        "D": ["united_states", "britain", "france", "germany"],
    }
    found = [assign_seats(lists, seats, Dice(str(n))) for n in range(12)]
    assert all(f["D"] == "united_states" and f["C"] == "germany" for f in found)
    assert {(f["A"], f["B"]) for f in found} == {("britain", "france"), ("france", "britain")}
    turned = dict(reversed(lists.items()))
    assert found == [assign_seats(turned, seats, Dice(str(n))) for n in range(12)]
    assert found == [assign_seats(lists, seats[::-1], Dice(str(n))) for n in range(12)]
    assert refused(assign_seats, {"A": seats}, seats, Dice("")).code == "preferences"
    assert refused(assign_seats, {**lists, "D": ["britain"] * 4}, seats, Dice("")).code == "preferences"


def test_a_whole_game_without_a_single_form_ends() -> None:
    g = start()
    for _ in range(60):
        send(g)
        if g.state.result is not None:
            break
    assert g.state.result is not None
    assert not [e for e in g.events if isinstance(e, events.Noted) and e.only == (SPECTATOR,)]


def test_nothing_is_opened_after_the_end() -> None:
    g = moving(0, turn=10)
    send(g)
    assert g.refused(ARBITER, actions.Adjudicate()).code == "game_over"
