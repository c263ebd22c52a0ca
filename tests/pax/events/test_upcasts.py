"""Events and positions of logs as earlier versions wrote them."""

import json
from typing import Any

import pytest
from msgspec.structs import replace

from paxtui.engine.upcast import UnknownVersion
from paxtui.games.pax.game import PaxGame
from paxtui.games.pax.position.setup import new_game, seats_for
from paxtui.games.pax.state import questions
from paxtui.games.pax.state.diplomacy import ClauseProgress, ClauseTrigger, Waiver
from paxtui.games.pax.state.options import Options
from paxtui.games.pax.state.phases import AdjustmentNotes, AnyPhaseNotes, CombatNotes, InProgress, NegotiationNotes
from paxtui.games.pax.state.pieces import Holding, SentArmies
from paxtui.games.pax.visibility import visible_event
from paxtui.session.tables.loader import load_tables
from tests.places import SAVES

RULES = PaxGame(load_tables())


def choice(sort: str, /, **data: Any) -> dict[str, Any]:
    """A choice as version 0.1.0 wrote it."""
    raw = {"id": "c1", "seat": "japan", "power": "japan", "kind": sort, "options": ["a"], "default": "a"}
    return {**raw, "data": data} if data else raw


OLD = [
    (choice("fight"), questions.FightOrDecline()),
    (
        choice("losses", powers=["japan"], needed=3, said={"italy": ["A3"]}),
        questions.Losses(("japan",), 3, {"italy": ("A3",)}),
    ),
    (choice("retreat", kind="naval", units=["N3", "N1"]), questions.Retreat("naval", ("N3", "N1"))),
    (
        choice("deficit", deficit=7, exactly=8, saves={"A3 siam": 3}, counted=True),
        questions.Deficit(7, 8, {"A3 siam": 3}),
    ),
    (choice("coast", unit="N3"), questions.Coast("N3")),
    (choice("money", **{"from": "italy", "to": "japan", "amount": 3}), questions.MoneyOffer("italy", "japan", 3)),
    (
        choice("transfer", **{"from": "italy", "to": "japan", "area": "siam", "marker": "interest"}),
        questions.MarkerOffer("italy", "japan", "siam", "interest"),
    ),
    (
        choice("codominion", area="siam", members=["italy"], also=["japan"], proposal="p", **{"from": "italy"}),
        questions.ShareOffer("siam", ("italy",), "p", "italy", ("japan",)),
    ),
    (
        choice("canal", area="suez", members=["italy"], shares=[["italy", 9, 5]], proposal="p", **{"from": "italy"}),
        questions.CanalOffer("suez", ("italy",), "p", "italy", (questions.CanalShare("italy", 9, 5),)),
    ),
    (
        choice("duty", **{"treaty": "t", "clause": 1, "from": "italy", "members": ["italy"]}),
        questions.Duty("t", 1, "italy", ("italy",)),
    ),
    (choice("ballot", proposal="p1"), questions.Ballot("p1")),
]  # fmt: skip


@pytest.mark.parametrize(("raw", "about"), OLD, ids=[raw["kind"] for raw, _ in OLD])
def test_choice_of_an_old_log_is_upcast(raw: dict[str, Any], about: questions.AnyQuestion) -> None:
    event = RULES.decode_event({"type": "choice_offered", "choice": raw, "rules": ["SEQ-001"]})
    assert event.choice.about == about
    assert (event.choice.id, event.choice.options, event.rules) == ("c1", ("a",), ("SEQ-001",))
    today = RULES.encode_event(event)
    assert today["v"] == 2 and RULES.decode_event(json.loads(json.dumps(today))) == event


def test_position_of_an_old_log_is_upcast() -> None:
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
def test_phase_notes_of_an_old_log_are_upcast(data: dict[str, Any], notes: AnyPhaseNotes | None) -> None:
    event = RULES.decode_event({"type": "step_taken", "step": "x", "data": data})
    assert (event.step, event.notes) == ("x", notes)


def congress(**more: Any) -> dict[str, Any]:
    """A Congress as version 0.1.0 wrote it."""
    return {"turn": 1, "caller": "italy", "site": "japan", "causes": ["cb1"], **more}


def test_congress_of_an_old_log_becomes_a_frame() -> None:
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
def test_position_with_a_congress_of_an_old_log_is_upcast(step: str | None, frames: list[InProgress]) -> None:
    state = new_game(RULES.tables, seats_for(7), {})
    old = json.loads(json.dumps(RULES.encode_state(state)))
    del old["v"]
    old["frames"] = [{"phase": "congress"}]
    old["congress"] = congress(**({"step": step} if step else {}))
    assert list(RULES.decode_state(old).frames) == frames


def test_the_options_of_an_old_log_become_values() -> None:
    old = json.loads(json.dumps(RULES.encode_state(new_game(RULES.tables, seats_for(7), {}))))
    del old["v"]
    old["options"] = {"edition": "1993", "belgium": "yes", "l547_full_removal": "no", "congress_proposals": "4"}
    old["options"] |= {"negotiation_deadline": "off"}
    wanted = Options(edition="1993", belgium=True, l547_full_removal=False, congress_proposals=4)
    assert RULES.decode_state(old).options == wanted


def test_a_position_of_a_later_version_is_refused() -> None:
    state = new_game(RULES.tables, seats_for(7), {})
    with pytest.raises(UnknownVersion):
        RULES.decode_state({**RULES.encode_state(state), "v": 99})


WITH_CHOICES = sorted(path for path in SAVES.glob("*.jsonl") if '"type":"choice_offered"' in path.read_text("utf-8"))
"""The saved games with choices."""


def test_most_saved_games_have_choices() -> None:
    assert len(WITH_CHOICES) >= 8


@pytest.mark.parametrize("path", WITH_CHOICES, ids=lambda p: p.stem)
def test_choices_of_saved_games_keep_their_kind(path: Any) -> None:
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()[1:]]
    offered = [raw for line in lines for raw in line.get("events", ()) if raw["type"] == "choice_offered"]
    assert offered
    for raw in offered:
        old = raw["choice"]
        choice = RULES.decode_event(raw).choice
        if "about" in old:  # by its tag: two kinds may have one name in play
            assert type(choice.about).__struct_config__.tag == old["about"]["kind"]
        else:
            assert choice.kind == old["kind"]


# Clauses of version 0.1.0

PROMISE = {"kind": "pay", "power": "italy", "to": "japan", "amount": 5, "upon": "war britain germany"}
WAITS = [
    ("war britain germany", ClauseTrigger("war", "britain", "germany")),
    ("war japan", ClauseTrigger("war", "japan")),
    ("control france tunis", ClauseTrigger("control", "france", area="tunis")),
    ("unrest egypt", ClauseTrigger("unrest", area="egypt")),
    ("", None),
]
PACT = {
    "id": "kq7d",
    "name": "Rome",
    "form": "treaty",
    "drafter": "italy",
    "parties": ["italy", "japan"],
    "clauses": [PROMISE],
    "done": ["0", "0:3"],
}
KEPT = (ClauseProgress(0), ClauseProgress(0, 3))


@pytest.mark.parametrize(("words", "upon"), WAITS, ids=[words or "nothing" for words, _ in WAITS])
def test_treaty_conditions_of_an_old_log_are_upcast(words: str, upon: ClauseTrigger | None) -> None:
    raw = {**PACT, "clauses": [{**PROMISE, "upon": words}]}
    event = RULES.decode_event({"type": "treaty_drafted", "treaty": raw})
    assert event.treaty.clauses[0].upon == upon and event.treaty.done == KEPT
    assert RULES.decode_event(json.loads(json.dumps(RULES.encode_event(event)))) == event
    action = RULES.decode_action({"type": "draft", "name": "", "parties": ["japan"], "clauses": raw["clauses"]})
    assert action.clauses == event.treaty.clauses


def test_public_part_of_an_old_revelation_is_upcast() -> None:
    outside = {**PACT, "clauses": [{**PROMISE, "upon": "unrest egypt"}], "done": []}
    raw = {"type": "treaty_revealed", "id": "kq7d", "power": "italy", "treaty": PACT, "others": {"treaty": outside}}
    event = RULES.decode_event(raw)
    assert event.treaty.done == KEPT
    seen = visible_event(replace(event, only=("italy", "japan")), "france")
    assert seen.treaty.clauses[0].upon == ClauseTrigger("unrest", area="egypt")


def test_proposals_and_clause_progress_of_an_old_log_are_upcast() -> None:
    proposal = {"id": "p1", "name": "Act", "proposer": "italy", "clauses": [PROMISE]}
    sitting = {"turn": 1, "caller": "italy", "site": "britain", "causes": [], "proposals": [proposal]}
    event = RULES.decode_event({"type": "congress_changed", "congress": sitting})
    assert event.congress.proposals[0].clauses[0].upon == ClauseTrigger("war", "britain", "germany")
    ticked = RULES.decode_event({"type": "clause_done", "id": "kq7d", "clause": 1, "turn": 2})
    assert (ticked.clause, ticked.part) == (1, 2)
    old = json.loads(json.dumps(RULES.encode_state(new_game(RULES.tables, seats_for(7), {}))))
    del old["v"]
    state = RULES.decode_state({**old, "treaties": [PACT], "congress": sitting})
    assert state.treaties[0].done == KEPT and state.treaties[0].clauses[0].upon == ClauseTrigger(
        "war", "britain", "germany"
    )
    assert state.congress is not None and state.congress.proposals == event.congress.proposals


def test_holdings_of_an_old_log_are_upcast() -> None:
    sitting = {"turn": 1, "caller": "italy", "site": "britain", "causes": [], "holders": ["italy tunis"]}
    event = RULES.decode_event({"type": "congress_changed", "congress": sitting})
    assert event.congress.holders == (Holding("italy", "tunis"),)
    old = json.loads(json.dumps(RULES.encode_state(new_game(RULES.tables, seats_for(7), {}))))
    del old["v"]
    names = ("ungarrisoned", "handed_over", "ottoman_wars")
    old |= {name: [f"italy {area}"] for name, area in zip(names, ("siam", "tunis", "tripoli"), strict=True)}
    state = RULES.decode_state({**old, "moved_minors": {"spain cuba": 3}, "congress": sitting})
    assert [getattr(state, name) for name in names] == [(Holding("italy", a),) for a in ("siam", "tunis", "tripoli")]
    assert state.moved_minors == (SentArmies("spain", "cuba", 3),)
    assert state.congress == event.congress
    assert RULES.decode_state(json.loads(json.dumps(RULES.encode_state(state)))) == state
