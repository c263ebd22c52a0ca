"""European Tensions and the Great War (ETI): rises of the Index, culprits, and the end of the game at 100."""

from __future__ import annotations

from typing import Any

import pytest

from paxtui.engine.dice import Dice
from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.status import established
from paxtui.games.pax.diplomacy import disputes
from paxtui.games.pax.events import events
from paxtui.games.pax.state.pieces import LEVEL
from paxtui.games.pax.transaction import GameOver, Transaction
from paxtui.games.pax.turn import victory
from tests.rules.harness import Bench, army, marker, moving, start

FLEET = actions.Build(("N10",), "mediterranean")


def tense(tension: int = 0, turn: int = 1, **patch: Any) -> Bench:
    """A Movement/Status Change Phase with the European Tensions Index at this number."""
    return moving(turn=turn, indexes={"european_tensions": tension}, **patch)


def culprits(g: Bench) -> tuple[str, ...]:
    """The culprits of the Great War."""
    assert g.state.result is not None and g.state.result.reason == "great_war"
    return g.state.result.culprits


def raised(g: Bench) -> list[tuple[str, int]]:
    """Blamed Power and points of each rise of the Index by the last act."""
    return [(e.blame, e.amount) for e in g.of(events.TensionRaised)]


# The Index


@pytest.mark.rule("ETI-001")
def test_each_rise_is_an_event_with_a_cause_and_a_power() -> None:
    g = tense()
    g.do("italy", FLEET)
    (rise,) = g.of(events.TensionRaised)
    assert (rise.amount, rise.total, rise.blame) == (3, 3, "italy") and rise.reason and rise.rules
    assert g.state.tension == 3 and g.state.phase == "movement"
    g.do("france", actions.Build(("N1", "N1"), "mediterranean"))
    assert sum(e.amount for e in g.of(events.TensionRaised)) == 2
    assert {e.blame for e in g.of(events.TensionRaised)} == {"france"} and g.state.tension == 5


@pytest.mark.rule("ETI-002", "SET-004", "SET-077", "SEQ-005", "SEQ-027", "VIC-014")
@pytest.mark.parametrize(("tension", "over"), [(96, False), (97, True), (98, True)])
def test_at_100_the_game_ends_at_once(tension: int, over: bool) -> None:
    g = tense(tension, 5)
    g.do("italy", FLEET)
    assert (g.state.result is not None) is over
    assert g.state.phase == "movement"  # no Colonial Combat any more
    if over:
        result = g.state.result
        assert result is not None and (result.reason, result.turn, result.culprits) == ("great_war", 5, ("italy",))
        assert isinstance(g.last[-1], events.GameEnded) and not g.of(events.PhaseBegan)
        assert all(g.state.powers[seat].record["31"] is not None for seat in g.state.players)
        assert g.waiting() == ()
        for seat, action in (
            ("italy", actions.Ready()),
            ("france", actions.Build(("A1",))),
            (ARBITER, actions.Advance()),
            (ARBITER, actions.Step()),
        ):
            assert g.refused(seat, action).code == "game_over"


@pytest.mark.rule("ETI-002")
def test_pending_choices_are_void_when_the_game_ends() -> None:
    g = tense(97)
    g.do("germany", actions.Pay("italy", 20))
    assert len(g.pending()) == 1
    g.do("italy", FLEET)
    assert g.pending() == [] and [e.void for e in g.of(events.ChoiceMade)] == [True]


@pytest.mark.rule("ETI-002", "SEQ-027")
def test_the_index_ends_the_game_in_other_phases_too() -> None:
    there = [marker("russia", "influence"), marker("britain", "protectorate", True, 1)]
    g = start(
        {
            "phase": "negotiation",
            "areas": {"persia": {"markers": there}},
            "casus_belli": [{"holder": "russia", "against": "britain", "area": "persia"}],
            "indexes": {"european_tensions": 99},
        }
    )
    g.skip_declarations()
    assert culprits(g) == ("britain",) and g.state.phase == "war"
    assert all(g.state.powers[s].record["31"] is not None for s in g.state.players)


# The end


@pytest.mark.rule("ETI-003")
def test_a_great_war_turn_has_no_victory_point_record() -> None:
    """£70 of Italy's would be 28 points; what it gets is its Areas and its end-of-game bonus."""
    shore = {a: {"markers": [marker("italy", "protectorate")], "units": [army("italy", 1)]} for a in ("tunis", "egypt")}
    g = tense(97, areas=shore, powers={"italy": {"treasury": 100, "victory_points": 11}})
    g.do("italy", FLEET)
    sheet = g.state.powers["italy"].record
    assert g.state.powers["italy"].victory_points == 11
    assert sheet["24"] is None and sheet["26"] == 0 and sheet["27"] == 11
    assert sheet["28"] == 10  # two Areas on the African shore of the Mediterranean
    assert sheet["29"] == 2 * 4 * (5 + 8) * 2 // 5
    assert not g.of(events.VictoryPointsChanged)


@pytest.mark.rule("ETI-004", "ETI-005", "ETI-009", "SET-035", "VIC-018", "VIC-019")
@pytest.mark.parametrize("turn", [1, 4, 10])
def test_great_war_penalty_is_the_turn_number_and_triple_for_culprits(turn: int) -> None:
    g = tense(98, turn)
    number = g.tables.turns[turn - 1].great_war_penalty
    g.do("italy", FLEET)
    assert culprits(g) == ("italy",)
    lines = {seat: g.state.powers[seat].record["30"] for seat in g.state.players}
    assert lines == {seat: -3 * number if seat == "italy" else -number for seat in g.state.players}
    record = g.state.powers["italy"].record
    assert record["31"] == sum(record[n] or 0 for n in ("27", "28", "29", "30"))


@pytest.mark.rule("ETI-009", "AUS-001")
def test_an_austrian_act_is_blamed_on_the_german_player() -> None:
    g = tense(98)
    g.do("germany", actions.Build(("N10",), "mediterranean", "austria_hungary"))
    assert culprits(g) == ("germany",)


@pytest.mark.rule("ETI-011", "ETI-012")
def test_several_culprits_each_pay_the_triple_penalty() -> None:
    """As when Britain declared War first, and France's later declaration brings the Index to 100."""
    g = start({"phase": "negotiation", "turn": 2})
    play = Transaction(g.tables, g.state, Dice("x"))
    victory.end_by_great_war(play, ("britain", "france"))
    assert play.state.result is not None and play.state.result.culprits == ("britain", "france")
    number = g.tables.turns[1].great_war_penalty
    lines = {seat: play.state.powers[seat].record["30"] for seat in g.state.players}
    assert lines == {s: -3 * number if s in ("britain", "france") else -number for s in g.state.players}


@pytest.mark.rule("ETI-029")
def test_only_the_act_that_reaches_100_is_to_blame() -> None:
    g = tense(96)
    g.do("italy", FLEET)
    assert g.state.tension == 99 and g.state.result is None
    g.do("france", actions.Build(("N1",), "mediterranean"))
    assert g.state.tension == 100 and culprits(g) == ("france",)


@pytest.mark.rule("ETI-029")
def test_within_one_act_only_the_rise_that_reaches_100_is_to_blame() -> None:
    """Two Powers go down from Control to Influence in a dispute left open: one point each."""
    both = [marker("france", "protectorate"), marker("italy", "protectorate")]
    causes = [{"holder": a, "against": b, "area": "tunis"} for a, b in (("france", "italy"), ("italy", "france"))]
    patch = {"phase": "negotiation", "areas": {"tunis": {"markers": both}}, "casus_belli": causes}
    g = start({**patch, "indexes": {"european_tensions": 98}})
    g.skip_declarations()
    rises = [e.blame for e in g.of(events.TensionRaised)]
    assert len(rises) == 2 and culprits(g) == (rises[-1],)


# Steps down


def lowered(start_: str, to: str, established_: bool = True, blame: str | None = "france") -> int:
    """Tension that one marker taken down adds."""
    there = {"markers": [marker("france", start_, established_)]}
    area = "alaska"
    g = start({"phase": "marker_adjustment", "areas": {area: there}})
    play = Transaction(g.tables, g.state, Dice("x"))
    play.lower(area, "france", start_, to, "test", ("ETI-013",), blame, established=established_)
    return play.state.tension


@pytest.mark.rule("ETI-013")
@pytest.mark.parametrize(
    ("start_", "to", "steps"),
    [
        ("possession", "protectorate", 1),
        ("protectorate", "influence", 1),
        ("influence", "interest", 1),
        ("interest", "", 1),
        ("possession", "influence", 2),
        ("protectorate", "", 3),
        ("possession", "", 4),
    ],
)
def test_each_step_down_adds_one(start_: str, to: str, steps: int) -> None:
    assert lowered(start_, to) == steps
    assert LEVEL["dominion"] == LEVEL["state"] == LEVEL["possession"] + 1


@pytest.mark.rule("ETI-013")
def test_a_protectorate_negotiated_away_altogether_adds_three() -> None:
    both = [marker("france", "protectorate"), marker("italy", "protectorate")]
    causes = [{"holder": a, "against": b, "area": "tunis"} for a, b in (("france", "italy"), ("italy", "france"))]
    for act, steps in ((actions.Withdraw("protectorate", "tunis"), 3), (actions.Downgrade("interest", "tunis"), 2)):
        g = start({"phase": "negotiation", "areas": {"tunis": {"markers": both}}, "casus_belli": causes})
        g.do("france", act)
        assert g.state.tension == steps


@pytest.mark.rule("ETI-014")
@pytest.mark.parametrize(("kind", "to"), [("interest", ""), ("influence", "interest"), ("influence", "")])
def test_a_voluntary_step_down_in_movement_adds_nothing(kind: str, to: str) -> None:
    g = tense(areas={"tunis": {"markers": [marker("italy", kind)], "units": [army("italy", 1)]}})
    g.do("italy", actions.Downgrade(to, "tunis") if to else actions.Withdraw(kind, "tunis"))
    assert g.of(events.MarkerLowered) and g.state.tension == 0


@pytest.mark.rule("ETI-014")
def test_an_influence_lost_to_unrest_adds_nothing() -> None:
    quwait = {"unrest": True, "markers": [marker("britain", "influence")]}
    g = start({"phase": "marker_adjustment", "areas": {"persia": quwait}})
    g.step()
    assert established(g.state, "persia", "britain") is None
    assert g.state.tension == 0


@pytest.mark.rule("ETI-039")
def test_an_unestablished_marker_never_adds_anything() -> None:
    assert lowered("protectorate", "", established_=False) == 0
    assert lowered("possession", "influence", established_=False) == 0
    assert lowered("protectorate", "", established_=True) == 3


@pytest.mark.rule("ETI-039")
def test_a_lost_combat_over_a_new_protectorate_adds_nothing() -> None:
    """Two to one against: Persia (3) has eliminated the Russian army."""
    there = {"markers": [marker("russia", "protectorate", False)], "units": [army("russia", 1)]}
    g = start({"phase": "colonial_combat", "areas": {"persia": there}})
    g.dice(1)
    g.do("russia", actions.Fight("persia"))
    g.step()
    g.step()
    assert [m for m in g.state.areas["persia"].markers if m.power == "russia"] == []
    assert g.state.tension == 0


# Blame


@pytest.mark.rule("ETI-030")
@pytest.mark.parametrize("tension", [50, 99])
def test_placer_of_a_possession_is_to_blame_for_a_lost_interest(tension: int) -> None:
    there = {
        "markers": [marker("france", "interest"), marker("britain", "possession", True, 1)],
        "units": [army("britain", 3)],
    }
    g = start({"phase": "marker_adjustment", "areas": {"tunis": there}, "indexes": {"european_tensions": tension}})
    g.step()
    assert established(g.state, "tunis", "france") is None
    assert raised(g) == [("britain", 1)]
    if tension == 99:
        assert culprits(g) == ("britain",)


@pytest.mark.rule("ETI-031")
@pytest.mark.parametrize("tension", [50, 99])
def test_placer_of_control_is_to_blame_for_a_lowered_influence(tension: int) -> None:
    there = [marker("italy", "influence"), marker("france", "protectorate", True, 1)]
    g = start(
        {
            "phase": "negotiation",
            "areas": {"tunis": {"markers": there, "units": [army("france", 3)]}},
            "casus_belli": [{"holder": "italy", "against": "france", "area": "tunis"}],
            "indexes": {"european_tensions": tension},
        }
    )
    g.do("italy", actions.Downgrade("interest", "tunis"))
    assert raised(g) == [("france", 1)]
    if tension == 99:
        assert culprits(g) == ("france",)


@pytest.mark.rule("ETI-031")
def test_only_control_forces_other_markers_down() -> None:
    there = [marker("italy", "influence"), marker("france", "protectorate", True, 1)]
    there.append(marker("russia", "interest", True, 2))
    state = start({"phase": "negotiation", "turn": 3, "areas": {"tunis": {"markers": there}}}).state
    assert disputes.pressing_power(state, "tunis", "italy") == "france"
    new = [*there[:1], marker("germany", "protectorate", False, 3)]
    state = start({"phase": "negotiation", "turn": 3, "areas": {"tunis": {"markers": new}}}).state
    assert disputes.pressing_power(state, "tunis", "italy") == "italy"  # no other Power is to blame


@pytest.mark.rule("ETI-029", "ETI-009")
def test_blamed_minor_power_pays_nothing() -> None:
    g = start({"phase": "negotiation", "indexes": {"european_tensions": 99}}, 4)
    play = Transaction(g.tables, g.state, Dice("x"))
    with pytest.raises(GameOver) as end:
        play.tension(1, "test", (), "italy")
    assert end.value.culprits == ()


@pytest.mark.rule("ETI-035")
def test_belgium_is_no_european_great_power() -> None:
    tables = start().tables
    european = {p for p, power in tables.powers.items() if power.european}
    assert european == {"britain", "france", "germany", "russia", "italy", "austria_hungary"}
