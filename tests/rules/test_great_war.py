"""The Great War by the number of European Powers (GWR, ETI): its conditions, culprits and the end of the game."""

from __future__ import annotations

from typing import Any

import pytest

from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions import actions
from paxtui.games.pax.events import events
from paxtui.games.pax.position.setup import new_game
from paxtui.games.pax.state.war import Declaration
from paxtui.games.pax.war import declarations
from tests.rules.harness import Bench, army, marker
from tests.rules.wars import at_war, bench, calls, negotiating, sign, the_war, treaty

FIRST_TURN = 50
"""Victory Points that the Great War costs each player in the first Game Turn."""

WAITING = {"phase": "alliances"}
"""The Phase of a War that was declared before the War Phase."""


def culprits(g: Bench) -> tuple[str, ...] | None:
    """The culprits, None before the end of the game."""
    return g.state.result.culprits if g.state.result else None


def answer(g: Bench, power: str, text: str = "join") -> None:
    """Let a called Power join or refuse."""
    (choice,) = (c for c in g.state.choices if c.power == power)
    g.act(choice.seat, f"choose {choice.id} {choice.default if text == 'join' else text}")


def penalties(g: Bench) -> dict[str, int]:
    """Line 30 of every seat."""
    return {seat: g.state.powers[seat].record["30"] or 0 for seat in g.state.players}


# Four European Powers


@pytest.mark.rule("GWR-002")
def test_four_european_powers_in_a_war_are_the_great_war_and_end_the_game_at_once() -> None:
    g = negotiating(("france", "germany"), ("britain", "germany"))
    g.act("france", "declare war germany")
    answer(g, "austria_hungary")
    assert culprits(g) is None
    g.act("britain", "declare war germany")
    assert g.state.result is not None and g.state.result.reason == "great_war"
    assert the_war(g).kind == "great" and g.state.phase == "negotiation"
    assert isinstance(g.last[-1], events.GameEnded)
    assert g.refused("japan", "ready").code == "game_over"


@pytest.mark.rule("GWR-006")
def test_austria_hungary_counts_as_one_of_the_four() -> None:
    g = negotiating(("britain", "germany"), ("france", "germany"))
    g.act("britain", "declare war germany")
    answer(g, "austria_hungary")
    there = declarations.european_belligerents(g.tables, g.state.wars)
    assert there == ("britain", "germany", "austria_hungary") and culprits(g) is None
    g.act("france", "declare war germany")
    assert culprits(g) == ("britain", "france")


@pytest.mark.rule("GWR-016")
@pytest.mark.parametrize(
    ("third", "great"),
    [("russia", True), ("italy", True), ("spain", False), ("belgium", False), ("united_states", False)],
)
def test_russia_counts_without_a_player_and_small_powers_never_do(third: str, great: bool) -> None:
    g = negotiating(("france", "germany"), ("france", third), players=5)
    g.act("france", "declare war germany")
    answer(g, "austria_hungary")
    g.act("france", f"declare war {third}")
    assert (culprits(g) == ("france",)) is great and (g.state.result is None) is not great


@pytest.mark.rule("BEL-003", "GWR-016")
@pytest.mark.parametrize(("fourth", "great"), [("belgium", False), ("japan", False), ("russia", True)])
def test_belgium_with_a_player_is_none_of_the_four(fourth: str, great: bool) -> None:
    g = negotiating(("britain", "italy"), ("france", "italy"), (fourth, "italy"), players=8, options={"belgium": "yes"})
    for power in ("britain", "france", fourth):
        g.act(power, "declare war italy")
    assert culprits(g) == (("britain", "russia") if great else None)


@pytest.mark.rule("GWR-017")
@pytest.mark.parametrize("leaves", [True, False])
def test_power_with_a_separate_peace_is_not_counted(leaves: bool) -> None:
    g = negotiating(("britain", "france"), ("russia", "britain"), ("italy", "france"))
    g.act("britain", "declare war france")
    g.act("russia", "declare war britain")
    if leaves:
        sign(g, "russia", "propose with britain: peace", "britain")
        assert the_war(g).powers == ("britain", "france")
    g.act("italy", "declare war france")
    assert culprits(g) == (None if leaves else ("britain", "italy"))


# One War


@pytest.mark.rule("GWR-013", "ETI-033")
def test_two_separate_wars_with_four_between_them_are_no_great_war() -> None:
    g = negotiating(("britain", "france"), ("germany", "russia"))
    g.act("britain", "declare war france")
    g.act("germany", "declare war russia")
    assert culprits(g) is None and len(g.state.wars) == 2


@pytest.mark.rule("GWR-014", "GWR-015", "GWR-018")
def test_linked_wars_are_one_and_all_first_declarers_pay() -> None:
    """Britain against France and Germany against Russia, until France comes to Russia's aid."""
    g = negotiating(("britain", "france"), ("germany", "russia"), treaties=[treaty("defensive", "france", "russia")])
    g.act("britain", "declare war france")
    assert calls(g) == {"russia": ("declare war britain", "refuse")}
    answer(g, "russia", "refuse")
    g.act("germany", "declare war russia")
    assert culprits(g) is None and calls(g) == {"france": ("declare war germany", "refuse")}
    answer(g, "france")
    assert culprits(g) == ("britain", "france", "germany")
    assert the_war(g).kind == "great" and the_war(g).alliances == (("britain", "germany"), ("france", "russia"))
    assert penalties(g) == {
        seat: -3 * FIRST_TURN if seat in ("britain", "france", "germany") else -FIRST_TURN for seat in g.state.players
    }


@pytest.mark.rule("GWR-014")
def test_ottoman_war_with_an_ally_counts_with_a_linked_war() -> None:
    sides = [["ottoman_empire", "britain"], ["russia"]]
    ottoman = {"kind": "ottoman", "alliances": sides, "declared": ["russia"], **WAITING}
    war = {"alliances": [["russia"], ["france"]], "declared": ["france"], **WAITING}
    cause = [{"holder": "italy", "against": "france"}]
    g = negotiating(phase="negotiation", wars=[ottoman, war], casus_belli=cause)
    g.act("italy", "declare war france")
    assert culprits(g) == ("france", "russia", "italy")
    assert the_war(g).alliances == (("ottoman_empire", "britain", "france"), ("russia", "italy"))


@pytest.mark.rule("GWR-010")
def test_rebellion_is_never_part_of_the_great_war() -> None:
    colonial = ["britain", "france", "germany", "russia"]
    g = at_war([["china"], colonial], war={"kind": "rebellion"})
    assert not declarations.is_great_war(g.tables, g.state, the_war(g))
    rebellion = {"kind": "rebellion", "alliances": [["china"], ["britain", "france", "russia"]], **WAITING}
    g = negotiating(("italy", "japan"), wars=[rebellion])
    g.act("italy", "declare war japan")
    g = negotiating(("italy", "france"), wars=[rebellion])
    g.act("italy", "declare war france")
    assert culprits(g) is None and len(g.state.wars) == 2


@pytest.mark.rule("GWR-011", "GWR-012", "GWR-016")
@pytest.mark.parametrize(
    ("empire", "enemies", "great"),
    [
        (["ottoman_empire"], ["britain", "france", "russia", "italy"], False),
        (["ottoman_empire", "britain"], ["russia", "france", "italy"], True),
        (["ottoman_empire", "britain"], ["russia", "france", "japan"], False),
    ],
)
def test_an_ottoman_war_is_the_great_war_only_if_the_empire_has_an_ally(
    empire: list[str], enemies: list[str], great: bool
) -> None:
    g = at_war([empire, enemies], war={"kind": "ottoman"})
    assert declarations.is_great_war(g.tables, g.state, the_war(g)) is great


# Four players


@pytest.mark.rule("GWR-008", "GWR-020")
def test_with_four_players_britain_france_and_germany_are_enough() -> None:
    g = negotiating(("britain", "france"), ("germany", "britain"), players=4)
    g.act("britain", "declare war france")
    assert culprits(g) is None
    g.act("germany", "declare war britain")
    assert culprits(g) == ("britain", "germany")
    assert penalties(g) == {"britain": -150, "france": -50, "germany": -150, "united_states": -50}


@pytest.mark.rule("GWR-008")
@pytest.mark.parametrize(
    ("seats", "is_great"),
    [("britain france germany italy", True), ("britain germany united_states japan", False)],
)
def test_three_named_powers_count_with_other_four_players(seats: str, is_great: bool) -> None:
    g = bench(4)
    g.state = new_game(g.tables, seats.split(), {"powers": "any"})
    enemy = "france" if "france" in seats else "united_states"
    causes = [{"holder": "britain", "against": enemy}, {"holder": "germany", "against": "britain"}]
    g.do(ARBITER, actions.SetPosition({"phase": "negotiation", "casus_belli": causes}))
    g.act("britain", f"declare war {enemy}")
    g.act("germany", "declare war britain")
    assert culprits(g) == (("britain", "germany") if is_great else None)


@pytest.mark.rule("GWR-008")
def test_with_five_players_those_three_are_not_enough() -> None:
    g = negotiating(("britain", "france"), ("germany", "britain"), players=5)
    g.act("britain", "declare war france")
    g.act("germany", "declare war britain")
    assert culprits(g) is None


@pytest.mark.rule("GWR-009")
def test_with_four_players_two_of_those_and_two_others_are_enough() -> None:
    g = negotiating(("britain", "germany"), ("britain", "russia"), players=4)
    g.act("britain", "declare war germany")
    answer(g, "austria_hungary")
    assert culprits(g) is None, "three"
    g.act("britain", "declare war russia")
    assert culprits(g) == ("britain",)


# Culprits


@pytest.mark.rule("GWR-003", "GWR-004", "GWR-005", "ETI-006", "ETI-007")
def test_first_declarer_and_fourth_power_pay_triple() -> None:
    g = negotiating(("britain", "france"), ("russia", "britain"), ("italy", "france"))
    g.act("britain", "declare war france")
    g.act("russia", "declare war britain")
    g.act("italy", "declare war france")
    assert culprits(g) == ("britain", "italy")
    three = {"britain": -3 * FIRST_TURN, "italy": -3 * FIRST_TURN}
    assert penalties(g) == {**dict.fromkeys(g.state.players, -FIRST_TURN), **three}


@pytest.mark.rule("ETI-008")
def test_declarer_that_draws_in_the_fourth_power_is_to_blame() -> None:
    g = negotiating(("britain", "russia"), ("italy", "russia"), ("russia", "france"))
    g.act("britain", "declare war russia")
    g.act("italy", "declare war russia")
    g.act("russia", "declare war france")
    assert culprits(g) == ("britain", "russia"), "France, attacked as the fourth, is not"


@pytest.mark.rule("GWR-007")
def test_austria_hungary_as_the_fourth_costs_germany_nothing() -> None:
    """Britain has called both France and, on the other side, Austria-Hungary."""
    g = negotiating(("britain", "germany"), treaties=[treaty("offensive", "britain", "france")])
    g.act("britain", "declare war germany")
    assert set(calls(g)) == {"france", "austria_hungary"}
    answer(g, "france")
    answer(g, "austria_hungary")
    declared = [(e.power, e.on) for e in g.of(events.WarDeclared)]
    assert declared == [("france", ("germany",)), ("austria_hungary", ("britain",))]
    assert culprits(g) == ("britain",) and penalties(g)["germany"] == -FIRST_TURN


@pytest.mark.rule("GWR-007", "GWR-018")
def test_declarer_that_calls_austria_hungary_is_to_blame() -> None:
    """Germany has joined Japan by Treaty; it is France that attacks it, and calls Austria-Hungary."""
    g = negotiating(
        ("united_states", "japan"),
        ("france", "germany"),
        treaties=[treaty("defensive", "germany", "japan"), treaty("offensive", "russia", "united_states", id="other")],
    )
    g.act("united_states", "declare war japan")
    answer(g, "russia")
    answer(g, "germany")
    assert culprits(g) is None
    g.act("france", "declare war germany")
    answer(g, "austria_hungary")
    assert culprits(g) == ("france", "united_states"), "not Russia, Germany's first enemy of the two"


@pytest.mark.rule("GWR-007")
def test_austria_hungary_as_fourth_by_its_own_cause_blames_no_other() -> None:
    g = negotiating(("britain", "france"), ("russia", "britain"), ("austria_hungary", "russia"))
    g.act("britain", "declare war france")
    g.act("russia", "declare war britain")
    g.act("germany", "austria_hungary: declare war russia")
    assert culprits(g) == ("britain",)


@pytest.mark.rule("GWR-018", "ETI-042")
def test_double_blame_is_paid_once() -> None:
    g = negotiating(("britain", "france"), ("britain", "italy"), ("russia", "britain"))
    g.act("britain", "declare war france")
    g.act("russia", "declare war britain")
    g.act("britain", "declare war italy")
    assert culprits(g) == ("britain",) and penalties(g)["britain"] == -3 * FIRST_TURN


@pytest.mark.rule("GWR-018", "ETI-042")
def test_guilty_minor_power_pays_nothing() -> None:
    war = {"alliances": [["portugal", "britain"], ["france", "russia"]], "declared": ["portugal"], **WAITING}
    g = negotiating(("italy", "france"), wars=[war])
    g.act("italy", "declare war france")
    assert culprits(g) == ("italy",)


@pytest.mark.rule("ETI-010", "ETI-012")
def test_first_and_last_declarer_are_both_to_blame() -> None:
    g = negotiating(("japan", "russia"), ("italy", "russia"), tension=92)
    g.act("japan", "declare war russia")
    assert culprits(g) is None
    g.act("italy", "declare war russia")
    assert (culprits(g), g.state.tension) == (("japan", "italy"), 102)


@pytest.mark.rule("ETI-010")
def test_any_rise_to_a_hundred_during_a_war_is_the_great_war() -> None:
    pact = treaty("non_aggression", "italy", "france")
    g = at_war([["japan"], ["russia"]], indexes={"european_tensions": 95}, treaties=[pact])
    g.act("france", "renounce pact")
    assert culprits(g) == ("france", "japan")


@pytest.mark.rule("ETI-041")
@pytest.mark.parametrize(
    ("kind", "sides", "to_blame"),
    [("rebellion", [["china"], ["italy"]], ()), ("ottoman", [["italy"], ["ottoman_empire"]], ("italy",))],
)
def test_continuing_rebellion_has_no_culprit_an_ottoman_war_the_placer(
    kind: str, sides: list[list[str]], to_blame: tuple[str, ...]
) -> None:
    marks = [marker("italy", "protectorate")]
    areas = {a: {"markers": marks, "units": [army("italy", 3)]} for a in ("tripoli", "fukien", "tunis")}
    war: dict[str, Any] = {"kind": kind, "turn_of": None}
    if kind == "rebellion":
        areas["shan_tung"] = {"units": [army("china", 5)]}
    else:
        areas["anatolia"] = {"units": [army("ottoman_empire", 5)]}
        war["declared"] = ["italy"]
    g = at_war(sides, "end", war=war, areas=areas, indexes={"european_tensions": 98})
    g.advance()
    assert culprits(g) == to_blame


@pytest.mark.rule("ETI-042", "ETI-009")
def test_an_index_of_a_hundred_and_four_powers_at_once_are_one_great_war() -> None:
    """Austria-Hungary is the fourth and brings the Index to 100: Germany pays for the Index, France for the call."""
    pact = treaty("defensive", "germany", "japan")
    g = negotiating(("russia", "japan"), ("france", "germany"), tension=80, treaties=[pact])
    g.act("russia", "declare war japan")
    answer(g, "germany")
    g.act("france", "declare war germany")
    answer(g, "austria_hungary")
    assert (culprits(g), g.state.tension) == (("france", "germany", "russia"), 100)


# The end of the game


@pytest.mark.rule("GWR-019")
def test_the_turn_of_a_great_war_has_no_victory_point_record() -> None:
    g = negotiating(
        ("britain", "france"), ("russia", "britain"), ("italy", "france"),
        powers={"britain": {"treasury": 167, "victory_points": 20}},
    )  # fmt: skip
    g.act("britain", "declare war france")
    g.act("russia", "declare war britain")
    g.act("italy", "declare war france")
    sheet = g.state.powers["britain"].record
    assert (sheet["24"], sheet["26"], sheet["27"], sheet["30"]) == (None, 0, 20, -150)
    assert sheet["23"] is None and sheet["25"] is None
    assert sheet["28"] is not None and sheet["31"] == sum(sheet[n] or 0 for n in ("27", "28", "29", "30"))
    assert g.state.result is not None and g.state.result.totals["britain"] == sheet["31"]


@pytest.mark.rule("ETI-042")
def test_no_player_pays_for_a_guilty_minor_power() -> None:
    g = at_war([["russia"], ["france"]], players=5, war={"declared": ["russia"], **WAITING})
    declaration = Declaration("russia", ("france",))
    assert declarations.great_war_culprits(g.tables, g.state, the_war(g), g.state, declaration) == ()
