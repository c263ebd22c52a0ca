"""Events and positions of logs as earlier versions wrote them."""

import json
from typing import Any

import pytest

from paxtui.engine.upcast import UnknownVersion
from paxtui.pax.position.setup import new_game, seats_for
from paxtui.pax.rules_of_play import PaxRules
from paxtui.pax.state import questions as qu
from paxtui.pax.state.causes import Waiver
from paxtui.pax.state.progress import AdjustmentNotes, AnyNotes, CombatNotes, InProgress, NegotiationNotes
from paxtui.table.tables import load_tables
from tests.places import SAVES

RULES = PaxRules(load_tables())


def choice(sort: str, /, **data: Any) -> dict[str, Any]:
    """A choice as version 0.1.0 wrote it."""
    raw = {"id": "c1", "seat": "japan", "power": "japan", "kind": sort, "options": ["a"], "default": "a"}
    return {**raw, "data": data} if data else raw


OLD = [
    (choice("fight"), qu.FightOrDecline()),
    (
        choice("losses", powers=["japan"], needed=3, said={"italy": ["A3"]}),
        qu.Losses(("japan",), 3, {"italy": ("A3",)}),
    ),
    (choice("retreat", kind="naval", units=["N3", "N1"]), qu.Retreat("naval", ("N3", "N1"))),
    (
        choice("deficit", deficit=7, exactly=8, saves={"A3 siam": 3}, counted=True),
        qu.Deficit(7, 8, {"A3 siam": 3}),
    ),
    (choice("coast", unit="N3"), qu.Coast("N3")),
    (choice("money", **{"from": "italy", "to": "japan", "amount": 3}), qu.MoneyOffer("italy", "japan", 3)),
    (
        choice("transfer", **{"from": "italy", "to": "japan", "area": "siam", "marker": "interest"}),
        qu.MarkerOffer("italy", "japan", "siam", "interest"),
    ),
    (
        choice("codominion", area="siam", members=["italy"], also=["japan"], proposal="p", **{"from": "italy"}),
        qu.ShareOffer("siam", ("italy",), "p", "italy", ("japan",)),
    ),
    (
        choice("canal", area="suez", members=["italy"], shares=[["italy", 9, 5]], proposal="p", **{"from": "italy"}),
        qu.CanalOffer("suez", ("italy",), "p", "italy", (qu.Share("italy", 9, 5),)),
    ),
    (
        choice("duty", **{"treaty": "t", "clause": 1, "from": "italy", "members": ["italy"]}),
        qu.Duty("t", 1, "italy", ("italy",)),
    ),
    (choice("ballot", proposal="p1"), qu.Ballot("p1")),
]  # fmt: skip


@pytest.mark.parametrize(("raw", "about"), OLD, ids=[raw["kind"] for raw, _ in OLD])
def test_a_choice_of_an_old_log_says_what_it_is_about(raw: dict[str, Any], about: qu.AnyQuestion) -> None:
    event = RULES.decode_event({"type": "choice_offered", "choice": raw, "rules": ["SEQ-001"]})
    assert event.choice.about == about
    assert (event.choice.id, event.choice.options, event.rules) == ("c1", ("a",), ("SEQ-001",))
    today = RULES.encode_event(event)
    assert today["v"] == 2 and RULES.decode_event(json.loads(json.dumps(today))) == event


def test_a_position_of_an_old_log_is_read_at_its_start_and_in_an_event() -> None:
    state = new_game(RULES.tables, seats_for(7), {})
    old = json.loads(json.dumps(RULES.encode_state(state)))
    del old["v"]
    old["choices"] = [raw for raw, _ in OLD]
    read = RULES.decode_state(old)
    assert [c.about for c in read.choices] == [about for _, about in OLD]
    assert RULES.decode_event({"type": "position_set", "state": old}).state == read
    assert RULES.decode_state(json.loads(json.dumps(RULES.encode_state(read)))) == read


NOTES = [
    (
        {"done": {"siam": ["japan"]}, "waited": {"siam": ["italy"]}},
        CombatNotes({"siam": ("japan",)}, {}, {"siam": ("italy",)}),
    ),
    ({"combine": {"siam": {"italy": "alone"}}}, CombatNotes(combine={"siam": {"italy": "alone"}})),
    ({"raised": ["3-4"]}, AdjustmentNotes(("3-4",))),
    (
        {"waived": ["italy tunis", "japan siam france", "japan siam italy"]},
        NegotiationNotes({"tunis": (Waiver("italy"),), "siam": (Waiver("japan", "france"), Waiver("japan", "italy"))}),
    ),
    ({}, None),
]  # fmt: skip


@pytest.mark.parametrize(("data", "notes"), NOTES, ids=["done", "combine", "raised", "waived", "nothing"])
def test_what_a_phase_noted_in_an_old_log(data: dict[str, Any], notes: AnyNotes | None) -> None:
    event = RULES.decode_event({"type": "step_taken", "step": "x", "data": data})
    assert (event.step, event.notes) == ("x", notes)


def congress(**more: Any) -> dict[str, Any]:
    """A Congress as version 0.1.0 wrote it."""
    return {"turn": 1, "caller": "italy", "site": "japan", "causes": ["cb1"], **more}


def test_a_congress_of_an_old_log_sits_on_top_of_its_phase() -> None:
    state = new_game(RULES.tables, seats_for(7), {})
    for raw, frames in (
        ({"type": "phase_began", "phase": "negotiation"}, ["negotiation"]),
        ({"type": "congress_changed", "congress": congress()}, ["negotiation"]),
        ({"type": "phase_began", "phase": "congress"}, ["congress"]),
        ({"type": "congress_changed", "congress": congress(step="attend")}, ["congress", "sitting attend"]),
        ({"type": "congress_changed", "congress": congress(step="propose")}, ["congress", "sitting propose"]),
        ({"type": "congress_changed", "congress": congress(step="over", outcome="failed")}, ["congress"]),
    ):
        state = RULES.evolve(state, RULES.decode_event(raw))
        assert [f"{frame.phase} {frame.step}".strip() for frame in state.frames] == frames
        assert state.phase == frames[0]


@pytest.mark.parametrize(("step", "frames"), [
    (None, [InProgress("congress")]),
    ("ballot", [InProgress("congress"), InProgress("sitting", "ballot")]),
    ("over", [InProgress("congress")]),
])  # fmt: skip
def test_a_position_of_an_old_log_with_a_congress(step: str | None, frames: list[InProgress]) -> None:
    state = new_game(RULES.tables, seats_for(7), {})
    old = json.loads(json.dumps(RULES.encode_state(state)))
    del old["v"]
    old["frames"] = [{"phase": "congress"}]
    old["congress"] = congress(**({"step": step} if step else {}))
    assert list(RULES.decode_state(old).frames) == frames


def test_a_position_of_a_later_version_is_refused() -> None:
    state = new_game(RULES.tables, seats_for(7), {})
    with pytest.raises(UnknownVersion):
        RULES.decode_state({**RULES.encode_state(state), "v": 99})


@pytest.mark.parametrize("path", sorted(SAVES.glob("*.jsonl")), ids=lambda p: p.stem)
def test_every_choice_of_the_kept_games_keeps_its_kind(path: Any) -> None:
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()[1:]]
    offered = [raw for line in lines for raw in line["events"] if raw["type"] == "choice_offered"]
    assert offered
    for raw in offered:
        old = raw["choice"]
        assert RULES.decode_event(raw).choice.kind == (old["about"]["kind"] if "about" in old else old["kind"])
