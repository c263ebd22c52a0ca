"""Random Events (EVT): the dice, headlines, Unrest, and effects on the Indexes and the Colonial Office."""

from __future__ import annotations

from typing import Any

import pytest

from paxtui.games.pax.actions import actions
from paxtui.games.pax.events import events
from tests.rules.harness import Bench, army, marker, start

ONE_EACH = {"phase": "random_events"}


def rolled(*dice: int, players: int = 7, options: dict[str, str] | None = None, **patch: Any) -> Bench:
    """A Random Events Phase played out with these dice, all of which must be used."""
    g = start({**ONE_EACH, **patch}, players, options)
    g.dice(*dice)
    g.step()
    assert g.queue == ()
    return g


def headlines(g: Bench) -> list[str]:
    """Events that happened, by their dice."""
    return [e.event for e in g.all_of(events.RandomEventRolled) if e.happens]


def unrest(g: Bench) -> list[str]:
    """Areas in Unrest."""
    return sorted(name for name, area in g.state.areas.items() if area.unrest)


def incomes(dice: str, *rolls: int, players: int = 7, **patch: Any) -> dict[str, int]:
    """Colonial Office income of every Power in an Administrative Phase with these events in force."""
    g = start({"phase": "administrative", "events_in_force": dice.split(), **patch}, players)
    g.dice(*rolls)
    g.step()
    assert g.queue == ()
    return {name: p.record["10"] or 0 for name, p in g.state.powers.items()}


# How many, and which


@pytest.mark.rule("EVT-001")
def test_no_seat_can_choose_or_veto_an_event() -> None:
    g = start(ONE_EACH)
    assert g.waiting() == () and g.pending() == []
    for seat in g.state.players:
        assert g.refused(seat, actions.Ready()).code == "wrong_phase"
        assert g.refused(seat, actions.Choose("c1", ("1-1",))).code == "no_choice"
    g.dice(1, 1, 1)
    g.step()
    assert headlines(g) == ["1-1"] and g.state.phase == "administrative"


@pytest.mark.rule("EVT-002")
def test_events_do_not_depend_on_the_players() -> None:
    """The same dice bring the same events with and without a player for Italy."""
    seven, four = (rolled(2, 3, 1, 4, 4, 2, players=n) for n in (7, 4))
    assert headlines(seven) == headlines(four) == ["3-1", "4-4"]
    assert unrest(seven) == unrest(four) == ["anatolia"]
    assert seven.waiting() == four.waiting() == ()


@pytest.mark.rule("EVT-003", "SEQ-006")
@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 6])
def test_one_die_gives_the_number_of_events(count: int) -> None:
    pairs = [(1, 1), (1, 2), (1, 4), (1, 5), (1, 6), (2, 1)][:count]
    g = rolled(count, *(die for pair in pairs for die in pair))
    assert headlines(g) == [f"{a}-{b}" for a, b in pairs]
    first = g.all_of(events.DiceRolled)[0]
    assert first.what == "number_of_events" and first.dice == (count,)


@pytest.mark.rule("EVT-004")
def test_an_event_is_a_headline_or_unrest() -> None:
    assert unrest(rolled(1, 4, 1)) == []
    g = rolled(1, 4, 2, 1, 3)
    assert unrest(g) == ["ashantee"] and g.state.tension == g.state.resentment == 0


@pytest.mark.rule("EVT-005")
def test_the_two_dice_are_read_in_order() -> None:
    assert headlines(rolled(1, 2, 5)) == ["2-5"]
    g = rolled(1, 5, 2, 1, 1)
    assert headlines(g) == ["5-2"] and unrest(g) == ["abyssinia"]


@pytest.mark.rule("EVT-006", "SEQ-007")
def test_an_event_is_carried_out_before_the_next_is_rolled() -> None:
    g = rolled(2, 1, 6, 1, 1)
    kinds = [type(e).__name__ for e in g.all_of(events.Event) if type(e) not in (events.PositionSet, events.PhaseBegan)]
    assert kinds == [
        "DiceRolled",
        "RandomEventRolled",
        "TensionRaised",
        "ResentmentRaised",
        "RandomEventRolled",
        "TensionRaised",
    ]
    assert g.state.events == ("1-6", "1-1")  # remembered for the later Phases


@pytest.mark.rule("EVT-008")
def test_a_headline_rolled_twice_in_a_phase_is_rolled_again() -> None:
    g = rolled(2, 1, 1, 1, 1, 3, 6)
    assert headlines(g) == ["1-1", "3-6"]
    assert g.state.tension == 5
    again = next(e for e in g.all_of(events.RandomEventRolled) if not e.happens)
    assert again.event == "1-1" and "EVT-008" in again.rules


@pytest.mark.rule("EVT-008")
def test_an_unrest_result_may_come_twice() -> None:
    g = rolled(2, 5, 2, 1, 1, 5, 2, 1, 2)
    assert headlines(g) == ["5-2", "5-2"] and unrest(g) == ["abyssinia", "argentina"]


@pytest.mark.rule("EVT-009")
def test_the_same_headline_may_come_in_a_later_turn() -> None:
    g = rolled(1, 1, 1)
    g = start({"phase": "final_record", "events_in_force": ["1-1"], "indexes": {"european_tensions": 4}})
    g.step()
    assert g.state.turn == 2 and g.state.events == ()
    g.dice(1, 1, 1)
    g.step()
    assert g.state.tension == 8 and headlines(g) == ["1-1"]


@pytest.mark.rule("EVT-044")
@pytest.mark.parametrize(("first", "second"), [((1, 2), (1, 3)), ((1, 3), (1, 2))])
def test_the_two_british_victories_exclude_each_other(first: tuple[int, int], second: tuple[int, int]) -> None:
    g = rolled(2, *first, *second, 3, 6)
    assert headlines(g) == [f"{first[0]}-{first[1]}", "3-6"]
    again = next(e for e in g.all_of(events.RandomEventRolled) if not e.happens)
    assert "EVT-044" in again.rules


# The Great War by an event


@pytest.mark.rule("EVT-011")
@pytest.mark.parametrize("dice", [(1, 1), (2, 3)])
def test_great_war_by_an_event_has_no_culprit(dice: tuple[int, int]) -> None:
    g = rolled(1, *dice, turn=3, indexes={"european_tensions": 98})
    result = g.state.result
    assert result is not None and result.reason == "great_war" and result.culprits == ()
    penalty = g.tables.turns[2].great_war_penalty
    assert {g.state.powers[seat].record["30"] for seat in g.state.players} == {-penalty}


# Unrest


@pytest.mark.rule("EVT-026", "EVT-062")
@pytest.mark.parametrize(
    ("dice", "area"),
    [
        ((4, 2, 6, 6), "united_provinces"),
        ((4, 3, 1, 2), "angola"),
        ((4, 4, 3), "egypt"),
        ((4, 5, 5), "philippines"),
        ((4, 6, 1), "afghanistan"),
        ((5, 1, 6), "transvaal"),
        ((5, 2, 4, 6), "peru"),
        ((5, 3, 6, 4), "tripoli"),
        ((5, 4, 5, 5), "siam"),
        ((5, 5, 2, 5), "dutch_east_indies"),
        ((5, 6, 1, 3), "bechuanaland"),
        ((6, 1, 2, 2), "cuba"),
        ((6, 2, 4, 3), "persia"),
        ((6, 3, 3, 6), "mexico"),
        ((6, 4, 5, 1), "rumania"),
        ((6, 5, 6, 5), "yunnan"),
        ((6, 6, 1, 1), "baluchistan"),
    ],
)
def test_unrest_is_rolled_on_the_table_the_event_names(dice: tuple[int, ...], area: str) -> None:
    g = rolled(1, *dice)
    assert unrest(g) == [area]
    assert g.state.tension == 0


@pytest.mark.rule("EVT-027")
def test_the_area_is_in_unrest_before_the_next_event_is_rolled() -> None:
    g = rolled(2, 4, 4, 3, 1, 1)
    kinds = [(type(e).__name__, getattr(e, "area", "")) for e in g.all_of(events.Event)]
    assert kinds.index(("UnrestBegan", "egypt")) < kinds.index(("TensionRaised", ""))
    assert unrest(g) == ["egypt"]


@pytest.mark.rule("EVT-028")
def test_an_area_in_unrest_is_rolled_again_on_the_same_table() -> None:
    g = rolled(2, 4, 4, 2, 4, 5, 2, 2, 5)
    assert unrest(g) == ["anatolia", "philippines"]
    tries = [(e.table, e.area, e.happens) for e in g.all_of(events.UnrestBegan)]
    assert tries == [
        ("B", "anatolia", True),
        ("B", "anatolia", False),
        ("B", "anatolia", False),
        ("B", "philippines", True),
    ]


@pytest.mark.rule("EVT-028")
def test_an_area_of_another_table_is_rolled_again_too() -> None:
    """Transvaal stands on Tables A and B."""
    g = rolled(2, 4, 3, 6, 5, 4, 4, 6, 3)
    assert unrest(g) == ["egypt", "transvaal"]
    assert [e.happens for e in g.all_of(events.UnrestBegan)] == [True, False, True]


@pytest.mark.rule("EVT-028")
def test_nothing_is_rolled_if_a_whole_table_is_in_unrest() -> None:
    table = start().tables.events["4-4"].unrest
    areas = {area: {"unrest": True} for area in start().tables.unrest[table].rows.values()}
    g = start({"phase": "random_events", "areas": areas})
    g.dice(1, 4, 4)
    g.step()
    (note,) = [e for e in g.all_of(events.Noted) if e.code == "no_area_left"]
    assert (note.text, note.rules) == (f"Every Area of Unrest Table {table} is in Unrest already.", ("EVT-028",))
    assert g.queue == () and not g.all_of(events.UnrestBegan)


@pytest.mark.rule("EVT-029")
def test_an_area_may_go_into_unrest_again_in_a_later_turn() -> None:
    g = rolled(1, 4, 4, 3)
    assert unrest(g) == ["egypt"]
    g = start({"phase": "final_record", "events_in_force": ["4-4"]})
    g.step()
    g.dice(1, 4, 4, 3)
    g.step()
    assert g.queue == () and g.state.turn == 2 and unrest(g) == ["egypt"]


# Headlines: the Indexes


@pytest.mark.parametrize(
    ("dice", "tension", "resentment"),
    [
        pytest.param((1, 1), 4, 0, marks=pytest.mark.rule("EVT-042")),
        ((1, 2), 0, 0),
        ((1, 3), 0, 0),
        ((1, 4), 4, 0),
        ((1, 5), 0, 0),
        ((1, 6), 1, 5),
        ((2, 1), 1, 0),
        ((2, 2), 0, 0),
        ((2, 3), 2, 0),
        ((2, 4), 0, 0),
        ((2, 5), 2, 0),
        ((2, 6), 2, 0),
        ((3, 1), 2, 0),
        ((3, 2), 0, 0),
        ((3, 3), 0, 0),
        ((3, 4), 0, 0),
        ((3, 5), 0, 0),
        ((3, 6), 1, 0),
        ((4, 1), 1, 0),
    ],
)
@pytest.mark.rule("EVT-010", "EVT-042", "EVT-046", "EVT-048", "EVT-049", "EVT-060")
def test_headline_raises_the_indexes(dice: tuple[int, int], tension: int, resentment: int) -> None:
    g = rolled(1, *dice)
    assert (g.state.tension, g.state.resentment) == (tension, resentment)
    raised = g.all_of(events.TensionRaised)
    assert [(e.amount, e.blame) for e in raised] == ([(tension, "")] if tension else [])
    own = g.tables.events[f"{dice[0]}-{dice[1]}"].rules[0]
    assert all(e.rules[:2] == (own, "EVT-010") for e in raised)
    assert unrest(g) == []


@pytest.mark.rule("EVT-042")
def test_war_in_the_balkans_does_nothing_else() -> None:
    g = rolled(1, 1, 1)
    kinds = [type(e) for e in g.last]
    assert kinds == [events.DiceRolled, events.RandomEventRolled, events.TensionRaised, events.PhaseBegan]
    from paxtui.games.pax.board.adjacency import board

    assert "serbia" not in board(g.tables, g.state).routes["greece"]


@pytest.mark.rule("EVT-050")
def test_the_yellow_press_gives_a_casus_belli_against_spain_for_this_turn() -> None:
    g = rolled(1, 2, 2)
    assert [(c.holder, c.against, c.area, c.rule) for c in g.state.casus_belli] == [
        ("united_states", "spain", "", "EVT-050")
    ]
    dump = [{"holder": "united_states", "against": "spain", "rule": "EVT-050"}]
    g = start({"phase": "final_record", "casus_belli": dump})
    assert len(g.state.casus_belli) == 1
    g.step()
    assert g.state.casus_belli == ()


# Headlines: the Colonial Office

# dice for Britain, France, the United States and Austria-Hungary; the others take the six
QUIET = {"britain": 15, "france": 15, "germany": 30, "united_states": 10, "japan": 30, "russia": 30, "italy": 30}
QUIET = {**QUIET, "austria_hungary": 5}


@pytest.mark.parametrize(
    ("dice", "power", "amount"),
    [
        pytest.param("2-2", "united_states", 20, marks=pytest.mark.rule("EVT-050")),
        ("2-3", "france", 30),
        ("2-4", "germany", 60),
        ("2-5", "germany", 60),
        ("2-6", "russia", 60),
        ("3-1", "italy", 60),
        ("4-1", "japan", 60),
        ("1-2", "britain", 30),
        ("1-3", "britain", 8),
    ],
)
@pytest.mark.rule(
    "EVT-043", "EVT-045", "EVT-050", "EVT-051", "EVT-052", "EVT-053", "EVT-054", "EVT-055", "EVT-061", "EVT-007"
)
def test_headline_changes_only_the_named_colonial_office(dice: str, power: str, amount: int) -> None:
    assert incomes(dice, 1, 1, 1, 1) == {**QUIET, power: amount}


@pytest.mark.rule("EVT-045", "EVT-007", "SET-067")
@pytest.mark.parametrize(("die", "amount"), [(1, 8), (2, 10), (3, 13), (4, 18), (5, 20), (6, 23)])
def test_a_liberal_victory_halves_and_rounds_up(die: int, amount: int) -> None:
    assert incomes("1-3", die, 1, 1, 1)["britain"] == amount


@pytest.mark.rule("EVT-013")
def test_both_german_agitations_quadruple_the_colonial_office() -> None:
    """A Germany with a Control marker rolls; 20 becomes 80."""
    mark = {"areas": {"kamerun": {"markers": [marker("germany", "protectorate")]}}}
    assert incomes("2-4 2-5", 1, 1, 4, 1, 1, **mark)["germany"] == 80
    assert incomes("2-5", 1, 1, 4, 1, 1, **mark)["germany"] == 40


@pytest.mark.rule("EVT-047")
def test_upheaval_leaves_russia_without_colonial_office_income_and_takes_no_die() -> None:
    assert incomes("1-5", 1, 1, 1, 1)["russia"] == 0
    mark = {"areas": {"persia": {"markers": [marker("russia", "protectorate")]}}}
    assert incomes("1-5", 1, 1, 1, 1, **mark)["russia"] == 0
    assert incomes("", 1, 1, 1, 6, 1, **mark)["russia"] == 30


@pytest.mark.rule("EVT-023", "EVT-047")
def test_upheaval_overrides_pan_slav_agitation() -> None:
    assert incomes("1-5 2-6", 1, 1, 1, 1)["russia"] == 0
    assert incomes("2-6 1-5", 1, 1, 1, 1)["russia"] == 0


# Forced expenditure: what of the maintenance counts


# Powers without a player


@pytest.mark.rule("EVT-064")
@pytest.mark.parametrize(
    ("dice", "tension"), [((1, 5), 0), ((2, 6), 2), ((3, 1), 2), ((4, 1), 1)], ids=["1-5", "2-6", "3-1", "4-1"]
)
def test_a_headline_of_a_minor_power_keeps_its_tension_and_counts(dice: tuple[int, int], tension: int) -> None:
    g = rolled(1, *dice, players=4)
    assert headlines(g) == [f"{dice[0]}-{dice[1]}"]
    assert g.state.tension == tension
    g.dice(1, 1, 1, 1)
    g.step()
    assert g.queue == ()
    offices = {e.power: e.amount for e in g.of(events.OfficeIncome)}
    assert offices == {"britain": 15, "france": 15, "germany": 30, "united_states": 10, "austria_hungary": 5}
    assert all(p.upkeep == 0 for p in g.state.powers.values())


# Dominion and Statehood

PRESSURE = [
    ("3-2", "britain", "australia", "dominion"),
    ("3-3", "britain", "new_zealand", "dominion"),
    ("3-4", "britain", "cape_colony", "dominion"),
    ("3-5", "united_states", "alaska", "state"),
]
PRESSED = pytest.mark.parametrize(("dice", "power", "area", "kind"), PRESSURE, ids=[p[2] for p in PRESSURE])


def pressed(dice: str, power: str, treasury: int = 40, **areas: Any) -> Bench:
    """A Movement/Status Change Phase under pressure for a Dominion or Statehood."""
    patch = {"phase": "movement", "events_in_force": [dice], "powers": {power: {"treasury": treasury}}, "areas": areas}
    return start(patch)


def points(g: Bench, power: str) -> list[int]:
    """Victory Points of the Power at the ends of the Phases up to Marker Adjustment."""
    out = []
    for phase in ("movement", "colonial_combat", "marker_adjustment"):
        assert g.state.phase == phase
        g.step()
        out.append(g.state.powers[power].victory_points)
    return out


@PRESSED
@pytest.mark.rule("EVT-056", "EVT-057", "EVT-058", "EVT-059")
def test_a_refused_dominion_or_state_costs_5_points_at_the_end_of_movement(
    dice: str, power: str, area: str, kind: str
) -> None:
    g = pressed(dice, power)
    assert points(g, power) == [-5, -5, -5]
    own = g.tables.events[dice].rules[0]
    lost = g.all_of(events.VictoryPointsChanged)
    assert [(e.power, e.amount, e.bonus) for e in lost] == [(power, -5, True)] and own in lost[0].rules
    assert pressed("1-1", power).state.events == ("1-1",)
    assert points(pressed("1-1", power), power) == [0, 0, 0]


@PRESSED
@pytest.mark.rule("EVT-056", "EVT-057", "EVT-058", "EVT-059")
def test_a_dominion_or_state_granted_this_turn_averts_the_loss(dice: str, power: str, area: str, kind: str) -> None:
    g = pressed(dice, power)
    g.do(power, actions.Upgrade(kind, area))
    assert g.state.powers[power].treasury == 20
    assert points(g, power) == [0, 0, 0]


@PRESSED
@pytest.mark.rule("EVT-056", "EVT-057", "EVT-058", "EVT-059")
def test_loss_does_not_depend_on_the_reason_of_the_refusal(dice: str, power: str, area: str, kind: str) -> None:
    """The points are also lost without money, or with only a Protectorate."""
    poor = pressed(dice, power, 19)
    assert poor.refused(power, actions.Upgrade(kind, area)).rules
    assert points(poor, power) == [-5, -5, -5]
    low = pressed(dice, power, **{area: {"markers": [marker(power, "protectorate")]}})
    assert points(low, power) == [-5, -5, -5]


@PRESSED
@pytest.mark.rule("EVT-056", "EVT-057", "EVT-058", "EVT-059")
def test_no_pressure_if_granted_or_not_controlled(dice: str, power: str, area: str, kind: str) -> None:
    has = pressed(dice, power, **{area: {"markers": [marker(power, kind)]}})
    assert points(has, power) == [0, 0, 0]
    for markers in ([], [marker(power, "influence")], [marker("germany", "protectorate")]):
        lost = pressed(dice, power, **{area: {"markers": markers, "units": [army("germany", 1)]}})
        assert points(lost, power) == [0, 0, 0]


@PRESSED
@pytest.mark.rule("EVT-056", "EVT-057", "EVT-058", "EVT-059")
def test_transfer_of_the_area_counts_as_a_refusal(dice: str, power: str, area: str, kind: str) -> None:
    g = pressed(dice, power)
    g.act(power, f"transfer {area} to germany")
    g.act("germany", f"choose {g.pending()[0].id} accept")
    assert g.kind(area, power) == ""
    assert points(g, power) == [-5, -5, -5]


@PRESSED
@pytest.mark.rule("EVT-056", "EVT-057", "EVT-058", "EVT-059")
def test_a_dominion_or_state_lost_in_marker_adjustment_does_not_avert_the_loss(
    dice: str, power: str, area: str, kind: str
) -> None:
    """Unsuppressed Unrest removes it."""
    g = pressed(dice, power, **{area: {"unrest": True}})
    g.do(power, actions.Upgrade(kind, area))
    g.step()
    assert g.state.phase == "colonial_combat"
    g.do(power, actions.Decline(area))
    g.step()
    assert g.state.powers[power].victory_points == 0
    g.step()
    assert not [m for m in g.state.areas[area].markers if m.power == power and m.marker == kind]
    assert g.state.powers[power].victory_points == -5
    assert [e.amount for e in g.all_of(events.VictoryPointsChanged)] == [-5]  # once


@pytest.mark.rule("EVT-056")
def test_only_this_turns_pressure_counts() -> None:
    for kind, since in (("dominion", 0), ("possession", 1)):
        changed = {"australia": {"markers": [marker("britain", kind, since=since)], "unrest": True}}
        g = start({"phase": "marker_adjustment", "areas": changed, "events_in_force": ["3-2"]})
        g.step()
        assert g.state.phase == "negotiation" and not g.of(events.VictoryPointsChanged)


# The rest of the turn


@pytest.mark.rule("EVT-030")
def test_unrest_ends_in_the_marker_adjustment_phase_of_its_turn() -> None:
    g = rolled(2, 4, 4, 3, 5, 2, 6, 3)
    assert unrest(g) == ["egypt", "tibet"]
    g = start({"phase": "marker_adjustment", "areas": {"egypt": {"unrest": True}, "tibet": {"unrest": True}}})
    assert unrest(g) == ["egypt", "tibet"]
    g.step()
    assert unrest(g) == []
    assert {e.area for e in g.of(events.UnrestEnded)} == {"egypt", "tibet"}


@pytest.mark.rule("EVT-032")
def test_control_placed_in_unrest_is_established_only_by_combat() -> None:
    """Egypt (5) against an A10: two to one."""
    there = {"unrest": True, "markers": [marker("britain", "protectorate", False)], "units": [army("britain", 10)]}
    won, declined = (start({"phase": "colonial_combat", "areas": {"egypt": there}}) for _ in range(2))
    won.dice(6)
    won.do("britain", actions.Fight("egypt"))
    for g in (won, declined):
        if g is declined:
            g.do("britain", actions.Decline("egypt"))
        while g.state.phase in ("colonial_combat", "marker_adjustment"):
            g.step()
    held = [[(m.marker, m.established) for m in g.state.areas["egypt"].markers] for g in (won, declined)]
    assert held == [[("protectorate", True)], []]


@pytest.mark.rule("EVT-024")
def test_conflicts_between_markers_raise_the_index_after_the_fleets() -> None:
    """A British Possession drives out a French Interest, but in Marker Adjustment: the German fleet comes first."""
    g = start(
        {
            "phase": "movement",
            "areas": {"kamerun": {"markers": [marker("france", "interest")]}},
            "powers": {"britain": {"treasury": 60}, "germany": {"treasury": 30}},
            "indexes": {"european_tensions": 96},
        }
    )
    g.do("britain", actions.Place("possession", "kamerun"))
    g.do("britain", actions.Move(("A3",), ("home:britain", "north_atlantic", "south_atlantic", "kamerun")))
    assert g.state.tension == 96
    g.do("germany", actions.Build(("N10",), "baltic"))
    assert g.state.tension == 99
    g.step()
    g.dice(6)
    g.step()
    assert g.state.phase == "marker_adjustment" and g.state.tension == 99 and g.state.result is None
    g.step()
    assert g.state.tension == 100
    assert g.state.result is not None and g.state.result.culprits == ("britain",)
