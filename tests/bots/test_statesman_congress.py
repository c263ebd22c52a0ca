"""The statesman and the Congress of Europe: when it calls one, what it proposes, and how it votes."""

from __future__ import annotations

import pytest

from paxtui.bots.pax.prediction import Prediction
from paxtui.bots.pax.profiles import character_of
from paxtui.bots.pax.registry import parse_bot_name
from paxtui.bots.pax.statesman import evaluation, player
from paxtui.bots.pax.statesman.treaty_values import PowerRelations
from paxtui.engine.bots import BotAction
from paxtui.engine.seating import BotTemper
from paxtui.engine.seats import ARBITER
from paxtui.games.pax.position.setup import seats_for
from paxtui.session.game_host import empty_clock
from paxtui.session.pax_bot_runner import PaxBotRunner
from paxtui.session.pax_host import PaxHost
from tests.bots.fixed_weights import tables
from tests.bots.stepping import play_until
from tests.rules.harness import Bench, army, marker, start

SEVEN = tuple(seats_for(7))
FORMOSA = {
    "phase": "negotiation", "turn": 2, "powers": {p: {"treasury": 30} for p in SEVEN},
    "areas": {"formosa": {
        "markers": [marker("britain", "protectorate"), marker("japan", "influence")],
        "units": [army("britain", 10), army("britain", 10)],
    }},
    "casus_belli": [{
        "id": "cb1", "holder": "japan", "against": "britain", "area": "formosa", "cause": "control_over_influence",
    }],
}  # fmt: skip


def final_acts(bench: Bench, seat: str, temper: BotTemper = "") -> list[BotAction]:
    """Return the acts of a statesman at the end of Negotiation."""
    return player.choose_statesman_actions(tables(), bench.state, seat, character_of("normal", temper), "1", last=True)


@pytest.fixture(scope="module")
def congress() -> PaxHost:
    """A game of seven statesmen with a dispute over Formosa, from Negotiation to the end of the Congress."""
    table = PaxHost.new(tables(), SEVEN, "congress", {}, undo="free", clock=empty_clock)
    table.seat({seat: parse_bot_name("statesman") for seat in SEVEN})
    table.act(ARBITER, {"type": "set_position", "patch": FORMOSA})
    play_until(table, PaxBotRunner(table), lambda state: state.turn > 2 or state.phase == "war")
    return table


def test_statesman_calls_a_congress_that_would_favor_it() -> None:
    (called,) = [act for act in final_acts(start(FORMOSA), "japan") if act.text.startswith("congress")]
    assert "Formosa" in called.why and "worth about £" in called.why
    for tension, turn, calls in ((40, 2, 1), (60, 2, 0), (40, 5, 1), (40, 7, 0)):  # in turn 7 it would be outvoted
        position = start({**FORMOSA, "turn": turn, "indexes": {"european_tensions": tension}})
        assert sum(act.text.startswith("congress") for act in final_acts(position, "japan")) == calls
    assert not [act for act in final_acts(start(FORMOSA), "britain") if act.text.startswith("congress")]


@pytest.mark.parametrize(("tension", "points", "calls"), [(93, 150, True), (97, 150, False), (93, 0, False)])
def test_leader_calls_a_congress_to_bring_the_great_war(
    tension: int, points: int, calls: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Japan leads. Each dispute that a Congress leaves open raises the tensions without blame for a Power."""
    poor = {p: Prediction(300.0, 0.05) for p in SEVEN}
    monkeypatch.setattr(evaluation, "predict_results", lambda *_: poor)
    powers = {p: {"treasury": 30} for p in SEVEN} | {"japan": {"treasury": 30, "victory_points": points}}
    hot = start({**FORMOSA, "turn": 6, "powers": powers, "indexes": {"european_tensions": tension}})
    assert any(act.text.startswith("congress") for act in final_acts(hot, "japan")) == calls


def test_statesman_negotiates_before_congress_and_war() -> None:
    first = player.choose_statesman_actions(tables(), start(FORMOSA).state, "japan", character_of("normal", ""), "1")
    assert not [act for act in first if act.text.startswith(("congress", "declare"))]


def test_congress_of_statesmen_proposes_and_votes(congress: PaxHost) -> None:
    lines = congress.game.effective_lines()
    assert any(line.seat == "japan" and line.action["type"] == "call_congress" for line in lines)
    tabled = [line for line in lines if line.action.get("form") == "congress"]
    tabled = [line for line in tabled if "Formosa" in congress.reason(ARBITER, line.n)]  # a later one may sit elsewhere
    assert tabled and {line.seat for line in tabled} <= {"japan", "britain", host_seat(congress)}
    assert all("most would vote for" in congress.reason(ARBITER, line.n) for line in tabled)
    votes = {
        line.action["answer"][0]: congress.reason(ARBITER, line.n)
        for line in lines
        if line.action["type"] == "choose" and line.action["answer"][1:] == ["sign"]  # a ballot
    }
    assert set(votes) == {"yes", "no"} and all(votes.values())
    assert not [line for line in lines if line.action.get("force")]
    assert congress.verify() == []


def host_seat(congress: PaxHost) -> str:
    """Return the seat of the host of the Congress."""
    site = next(
        line.action["site"] for line in congress.game.effective_lines() if line.action["type"] == "call_congress"
    )
    return "germany" if site == "austria_hungary" else str(site)


@pytest.mark.parametrize(("temper", "word"), [("", "no"), ("treacherous", "")])
def test_promised_vote_is_cast_except_by_the_treacherous(temper: BotTemper, word: str) -> None:
    promise = {
        "id": "vow", "name": "Vow", "form": "treaty", "drafter": "britain", "parties": ["britain", "italy"],
        "clauses": [{"kind": "vote", "power": "italy", "vote": "no", "places": ["formosa"]}], "stage": "in_force",
        "signed": ["britain", "italy"],
    }  # fmt: skip
    bench = start({**FORMOSA, "treaties": [promise]})
    bench.act("japan", "congress france")
    for seat in SEVEN:
        bench.act(seat, "ready")
    for _ in range(60):
        bench.advance()
        mine = [c for c in bench.state.choices if c.seat == "italy" and type(c.about).__name__ == "Ballot"]
        if mine:
            break
        choice = bench.state.choices[0]
        asked = type(choice.about).__name__
        if asked == "Propose" and choice.seat == "japan":
            bench.act("japan", "propose: britain lowers formosa to influence")
        else:
            bench.act(choice.seat, f"choose {choice.id} {'attend' if asked == 'Attend' else choice.default}")
    (ballot,) = player.choose_statesman_actions(tables(), bench.state, "italy", character_of("normal", temper), "1")
    assert (ballot.why == "It has promised its vote") == bool(word)
    assert word in ballot.text.split() if word else "promised" not in ballot.why


def test_allies_are_bound_by_treaty_against_that_enemy() -> None:
    pact = {
        "id": "pact", "name": "Pact", "form": "treaty", "drafter": "france", "parties": ["france", "russia"],
        "clauses": [{"kind": "defensive", "against": ["germany"]}], "public": True, "stage": "in_force",
        "signed": ["france", "russia"],
    }  # fmt: skip
    relations = PowerRelations(tables(), start({"phase": "negotiation", "treaties": [pact]}).state)
    assert relations.defensive_allies("france", "germany") == ("russia",)
    assert relations.defensive_allies("france", "britain") == ()
    assert "austria_hungary" in relations.defensive_allies("germany", "france")
