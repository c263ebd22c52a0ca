"""Duties of Treaties (TRE-004, TRE-007): when they are due, and that none stops the game (Decision 47)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from paxtui.engine.dice import Dice
from paxtui.games.pax.actions import actions
from paxtui.games.pax.clauses.kind import BROKEN, DUE, HOLDS, KEPT
from paxtui.games.pax.events import events
from paxtui.games.pax.state.diplomacy import ClauseProgress, DueClause, Treaty
from paxtui.games.pax.state.questions import Duty, Pending
from paxtui.games.pax.transaction import Transaction
from paxtui.games.pax.treaties import breaches, treaty_duties
from tests.previews import breaches_of
from tests.rules.harness import UNLIMITED, Bench, marker, start
from tests.rules.treaties import DE, FR, GB, IT, draft, game, of, signed

PAY = {"kind": "pay", "power": FR, "to": IT, "amount": 10}


def bound(clause: dict[str, Any], phase: str, money: int = 30, options: Any = None, **patch: Any) -> Bench:
    """France and Italy with a public Treaty of one clause in force, and this money in every Treasury."""
    treaty = {
        "id": "kq7d",
        "name": "Rome",
        "parties": [FR, IT],
        "signed": [FR, IT],
        "public": True,
        "stage": "in_force",
        "drafted": 1,
        "since": 1,
        "clauses": [clause],
    }
    treasuries = {p: {"treasury": money} for p in (FR, IT, DE, GB)}
    options = {**UNLIMITED, **(options or {})}
    return start({"phase": phase, "powers": treasuries, "treaties": [treaty], **patch}, options=options)


def rome(g: Bench) -> Treaty:
    return of(g, "kq7d")


def duties(g: Bench) -> list[Pending]:
    """The pending duties."""
    return [c for c in g.state.choices if isinstance(c.about, Duty)]


def clause_status(g: Bench) -> str:
    return breaches.clause_status(g.tables, g.state, rome(g), 0)


def money(g: Bench) -> tuple[int, int]:
    return g.state.powers[FR].treasury, g.state.powers[IT].treasury


# Impossible duties

SHARED = {"markers": [marker(FR, "protectorate"), marker(GB, "protectorate")], "codominion": [GB, FR]}
CANNOT: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "no money": (PAY, {}, "£10"),
    "no marker to hand over": ({"kind": "transfer", "power": FR, "to": IT, "places": ["egypt"]}, {}, "Egypt"),
    "no marker to lower": ({"kind": "lower", "power": FR, "places": ["egypt"]}, {}, "Egypt"),
    "no Casus Belli": ({"kind": "waive", "power": FR, "to": DE}, {}, "Casus Belli"),
    "nothing to share": ({"kind": "codominion", "against": [FR, IT], "places": ["egypt"]}, {}, "Egypt"),
    "another has come": (
        {"kind": "grant", "power": FR, "to": IT, "marker": "protectorate", "places": ["egypt"]},
        {"areas": {"egypt": SHARED}},
        "Great Britain",
    ),
}


@pytest.mark.rule("TRE-007", "TRE-004")
@pytest.mark.parametrize("how", ["step", "advance!", "the default"])
@pytest.mark.parametrize("case", CANNOT)
def test_a_duty_that_cannot_be_kept_is_a_breach_and_stops_nothing(case: str, how: str) -> None:
    clause, patch, why = CANNOT[case]
    g = bound({**clause, "turn": 1}, "negotiation", money=3, **patch)
    (duty,) = duties(g)
    assert duty.default == "keep" and why in duty.prompt and "cannot be kept" in duty.prompt
    before = money(g), g.state.areas["egypt"]
    if how == "step":
        g.step()
    elif how == "advance!":
        g.advance(force=True)
    else:
        g.act(FR, f"choose {duty.id} {duty.default}")
    (breach,) = rome(g).breaches
    assert (breach.clause, breach.power, breach.open) == (0, FR, True) and why in breach.what
    assert g.state.tension >= 5 and (g.state.phase == "negotiation") is (how == "the default")
    if how != "advance!":
        assert (money(g), g.state.areas["egypt"]) == before and (IT, FR, "") in g.causes()


@pytest.mark.rule("TRE-007")
def test_impossible_duty_is_reported_beforehand() -> None:
    g = bound({**PAY, "turn": 1}, "negotiation", money=3)
    (duty,) = duties(g)
    for action in (actions.Choose(duty.id, ("keep",)), actions.Ready()):
        (warning,) = breaches_of(g.tables, g.state, FR, action)
        assert "article 1 of Rome" in warning and "£3" in warning and "tension +5" in warning
    assert not breaches_of(g.tables, g.state, IT, actions.Ready())
    for seat in g.waiting():
        if seat != FR:
            g.act(seat, "ready")
    (warning,) = breaches_of(g.tables, g.state, FR, actions.Ready())  # the last one: said once
    assert "£3" in warning
    g = bound({**PAY, "turn": 1}, "negotiation")
    assert not breaches_of(g.tables, g.state, FR, actions.Ready()) and "cannot" not in duties(g)[0].prompt


@pytest.mark.rule("TRE-007")
def test_duty_that_becomes_possible_in_time_is_kept() -> None:
    g = bound({**PAY, "turn": 1}, "negotiation", money=3)
    g.act(DE, "pay france 3")
    (offer,) = [c for c in g.pending() if c.seat == FR and not isinstance(c.about, Duty)]
    g.act(FR, f"choose {offer.id} accept")
    g.act(GB, "pay france 3")
    (offer,) = [c for c in g.pending() if c.seat == FR and not isinstance(c.about, Duty)]
    g.act(FR, f"choose {offer.id} accept")
    g.act(IT, "pay france 2")
    (offer,) = [c for c in g.pending() if c.seat == FR and not isinstance(c.about, Duty)]
    g.act(FR, f"choose {offer.id} accept")
    g.step()
    assert not rome(g).breaches and clause_status(g) != BROKEN and money(g) == (1, 11)


@pytest.mark.rule("TRE-014", "TRE-015")
@pytest.mark.parametrize("end", ["lapse kq7d", "release kq7d france"])
def test_duty_ends_with_its_treaty(end: str) -> None:
    g = bound({**PAY, "turn": 1}, "negotiation")
    (duty,) = duties(g)
    for seat in (FR, IT):
        g.act(seat, end)
    g.act(FR, f"choose {duty.id} break")
    assert not rome(g).breaches
    g = bound({**PAY, "turn": 1}, "negotiation")
    for seat in (FR, IT):
        g.act(seat, end)
    for seat in g.waiting():
        g.act(seat, "ready")
    assert money(g) == (30, 30) and not rome(g).breaches
    assert [e.void for e in g.all_of(events.ChoiceMade)] == [True]


@pytest.mark.rule("TRE-007", "ETI-029")
def test_the_hundredth_point_of_tension_by_a_duty_ends_the_game() -> None:
    tunis = {"tunis": {"markers": [marker(FR, "protectorate")]}}
    clause = {"kind": "lower", "power": FR, "places": ["tunis"], "turn": 1}
    g = bound(clause, "negotiation", areas=tunis, indexes={"european_tensions": 98})
    g.step()
    assert g.state.result is not None and g.state.tension >= 100
    assert g.kind("tunis", FR) == "" and g.state.result.culprits == (FR,)


# Conditions

UNREST = {"egypt": {"unrest": True}}
UNREST_IN_EGYPT = (1, 4, 4, 3)
"""Dice: how many Random Events, which, and the row of Unrest Table B."""


@pytest.mark.rule("TRE-004", "MOV-020")
@pytest.mark.parametrize("word", ["keep", "break", ""])
def test_a_payment_upon_unrest_falls_due_in_the_phase_of_the_unrest(word: str) -> None:
    g = bound({**PAY, "upon": "unrest egypt"}, "movement", areas=UNREST)
    (duty,) = duties(g)
    assert duty.seat == FR and clause_status(g) == DUE and set(g.waiting()) == set(g.state.players)
    if word:
        g.act(FR, f"choose {duty.id} {word}")
        assert clause_status(g) == (KEPT if word == "keep" else BROKEN) and not duties(g)
    g.step()
    assert g.state.phase == "colonial_combat"
    assert money(g) == ((30, 30) if word == "break" else (20, 40))
    assert [b.power for b in rome(g).breaches] == ([FR] if word == "break" else [])
    while g.state.turn == 1:  # and never again
        g.step()
        assert not duties(g)


@pytest.mark.rule("TRE-004")
def test_past_unrest_makes_a_duty_due_in_its_phase() -> None:
    tunis = {"tunis": {"markers": [marker(FR, "protectorate")]}}
    clause = {"kind": "lower", "power": FR, "places": ["tunis"], "upon": "unrest egypt"}
    g = bound(clause, "movement", areas={**UNREST, **tunis})
    assert not duties(g) and clause_status(g) == DUE and rome(g).due == (DueClause(0, 1),)
    while g.state.phase != "negotiation":
        g.step()
    assert not g.state.areas["egypt"].unrest and [d.seat for d in duties(g)] == [FR]
    g.step()
    assert g.kind("tunis", FR) == "" and not rome(g).breaches


@pytest.mark.rule("TRE-004", "EVT-030")
def test_unrest_of_a_random_event_makes_a_payment_due_in_the_same_turn() -> None:
    g = bound({**PAY, "upon": "unrest egypt"}, "random_events")
    g.dice(*UNREST_IN_EGYPT)
    g.step()
    assert g.state.areas["egypt"].unrest and g.state.phase == "administrative"
    assert rome(g).due == (DueClause(0, 1),) and clause_status(g) == DUE and not duties(g)
    g.advance()
    assert g.state.phase == "movement" and [d.seat for d in duties(g)] == [FR]


@pytest.mark.rule("TRE-004")
def test_control_makes_a_duty_due_even_if_lost_again() -> None:
    clause = {**PAY, "upon": "control germany tunis"}
    g = bound(clause, "negotiation", areas={"tunis": {"markers": [marker(DE, "influence")]}})
    assert not duties(g) and clause_status(g) == HOLDS
    g = bound(clause, "movement", areas={"tunis": {"markers": [marker(GB, "protectorate")]}})
    for giver, to in ((GB, DE), (DE, GB)):
        g.act(giver, f"transfer tunis to {to}")
        (offer,) = [c for c in g.pending() if c.seat == to]
        g.act(to, f"choose {offer.id} accept")
    assert g.kind("tunis", DE) == "" and [d.seat for d in duties(g)] == [FR]
    g.step()
    assert money(g) == (20, 40)


@pytest.mark.rule("TRE-004")
def test_yearly_duty_is_due_in_each_turn_of_its_condition() -> None:
    g = bound({**PAY, "every_turn": True, "upon": "unrest egypt"}, "movement", areas=UNREST)
    g.step()
    assert money(g) == (20, 40)
    while (g.state.turn, g.state.phase) != (2, "movement"):
        g.step()
    assert not g.state.areas["egypt"].unrest and not duties(g) and clause_status(g) == HOLDS


@pytest.mark.rule("TRE-004")
@pytest.mark.parametrize("every_turn", [False, True])
@pytest.mark.parametrize("turn", [1, 2])
def test_conditional_duty_is_due_once_or_once_a_turn(every_turn: bool, turn: int) -> None:
    g = bound({**PAY, "every_turn": every_turn, "upon": "unrest egypt"}, "movement", areas=UNREST)
    assert rome(g).due == (DueClause(0, 1),)
    play = Transaction(g.tables, replace(g.state, turn=turn), Dice("none"))
    play.emit(events.UnrestBegan(area="bengal"))
    treaty_duties.note_due_clauses(play)
    fell = [e.turn for e in play.events if isinstance(e, events.ClauseFellDue)]
    assert fell == [2] * (every_turn and turn == 2)


@pytest.mark.rule("TRE-004")
@pytest.mark.parametrize(("until", "due"), [(1, False), (2, True), (0, True)])
def test_condition_met_after_the_last_turn_makes_nothing_due(until: int, due: bool) -> None:
    g = bound({**PAY, "until": until, "upon": "unrest egypt"}, "movement", turn=2, areas=UNREST)
    assert bool(duties(g)) is due


@pytest.mark.rule("TRE-004")
def test_a_date_and_a_condition_have_both_to_be_met() -> None:
    g = bound({**PAY, "turn": 2, "upon": "unrest egypt"}, "movement", areas=UNREST)
    assert rome(g).due == (DueClause(0, 1),) and not duties(g)
    while (g.state.turn, g.state.phase) != (2, "movement"):
        g.step()
        assert g.state.turn == 2 or not duties(g)
    assert [d.seat for d in duties(g)] == [FR]


@pytest.mark.rule("TRE-004")
def test_duty_is_due_if_its_condition_holds_at_signature() -> None:
    g = game("movement", areas=UNREST)
    id_ = signed(g, FR, "treaty Rome with italy: france pays italy 10 upon unrest egypt")
    assert [d.seat for d in duties(g)] == [FR] and of(g, id_).due == (DueClause(0, 1),)


@pytest.mark.rule("TRE-011", "TRE-013")
def test_due_duties_are_hidden_from_others() -> None:
    g = game("movement", areas=UNREST)
    signed(g, FR, "treaty Rome with italy: france pays italy 10 upon unrest egypt")
    assert all(e.only == (FR, IT) for e in g.of(events.ClauseFellDue)) and g.of(events.ClauseFellDue)
    assert set(g.waiting()) == set(g.state.players)
    open_ = game("movement", areas=UNREST)
    signed(open_, FR, "treaty Rome with italy public: france pays italy 10 upon unrest egypt")
    for seat in (DE, "spectator"):
        assert all(not t["due"] for t in open_.view(seat)["treaties"]) and len(open_.view(seat)["treaties"]) == 1


@pytest.mark.rule("EVT-018", "SEQ-010")
def test_duty_at_the_end_of_the_phase_is_followed_by_all_tests() -> None:
    """A duty to spend is tested even if its money came by an unanswered duty at the end of the Phase (Decision 34)."""
    clause = {**PAY, "amount": 3, "upon": "unrest egypt"}
    g = bound(clause, "movement", money=0, areas=UNREST, events_in_force=["3-1"], powers={FR: {"treasury": 3}})
    for seat in g.state.players:  # Italy must spend 30 on units, and has nothing yet
        g.act(seat, "ready")
    assert g.state.phase == "movement" and g.waiting() == (IT,) and g.state.powers[IT].treasury == 3
    g.act(IT, "build A1")
    for seat in g.waiting():
        g.act(seat, "ready")
    assert g.state.phase == "colonial_combat" and not rome(g).breaches


# Dates

AFTER = ["congress", "chinese_resentment", "war", "victory_point_record", "final_record"]


@pytest.mark.rule("TRE-006")
@pytest.mark.parametrize("phase", AFTER[1:])
@pytest.mark.parametrize(
    "text", ["france pays italy 5 in 1880", "france pays italy 5 every turn until 1880", "france leaves tunis in 1880"]
)
def test_date_in_a_turn_past_negotiation_is_refused(text: str, phase: str) -> None:
    g = game(phase)
    r = g.refused(FR, f"treaty Rome with italy: {text}")
    assert r.code == "past" and "TRE-006" in r.rules
    draft(g, FR, f"treaty Rome with italy: {text.replace('1880', '1884')}")
    draft(g, FR, "treaty Nice with italy: no marker by france in egypt until 1880")


@pytest.mark.rule("TRE-006")
def test_date_in_this_turn_is_accepted_before_negotiation() -> None:
    for phase in ("random_events", "movement", "marker_adjustment", "negotiation"):
        g = game(phase)
        id_ = signed(g, FR, "treaty Rome with italy: france pays italy 5 in 1880")
        while g.state.phase != "negotiation":
            g.step()
        g.step()
        assert of(g, id_).done == (ClauseProgress(0),) and not of(g, id_).breaches


# Clauses about War

WAR = {"phase": "war", "wars": [{"alliances": [[IT], [DE]], "phase": "maneuver"}]}
EGYPT = {"areas": {"egypt": {"markers": [marker(FR, "possession")]}}}


@pytest.mark.rule("TRE-007", "ETI-027", "STR-016")
def test_denying_a_passage_breaks_the_promise() -> None:
    g = bound({"kind": "passage", "power": FR, "to": IT}, **WAR, **EGYPT)
    warned = breaches_of(g.tables, g.state, FR, actions.Deny("suez", IT))
    assert warned, "and is told so before"
    g.act(FR, "deny suez to germany")
    assert g.state.tension == 0 and clause_status(g) == HOLDS
    g.act(FR, "deny suez to italy")
    assert g.state.tension == 5 and clause_status(g) == BROKEN and (IT, FR, "") in g.causes()
    assert "TRE-007" in g.of(events.TreatyBroken)[0].rules


@pytest.mark.rule("TRE-007")
def test_signers_judge_a_promise_of_coal_during_a_war() -> None:
    clause = {"kind": "coaling", "power": FR, "to": IT}
    assert bound(clause, "movement").refused(IT, "charge kq7d 1 france").code == "at_peace"
    g = bound(clause, **WAR)
    assert g.refused(FR, "charge kq7d 1 italy").code == "not_bound"
    g.act(IT, "charge kq7d 1 france")
    for seat in (GB, DE, "russia"):
        g.act(seat, "judge kq7d 1 france guilty")
    assert g.state.tension == 5 and (IT, FR, "") in g.causes()


ENEMIES = {"wars": [{"alliances": [[FR], [IT]], "phase": "maneuver"}]}


def bound_beside_britain(clause: dict[str, Any], phase: str, **patch: Any) -> Bench:
    """France, Italy and Great Britain with a Treaty of one clause between France and Italy."""
    g = bound(clause, phase, **patch)
    g.state = replace(g.state, treaties=(replace(rome(g), parties=(GB, FR, IT), signed=(GB, FR, IT)),))
    return g


@pytest.mark.rule("WAR-041", "TRE-004")
def test_a_treaty_of_three_makes_no_enemy_pay_the_other() -> None:
    g = bound_beside_britain({**PAY, "turn": 1}, "negotiation", casus_belli=[{"holder": IT, "against": FR}])
    assert len(duties(g)) == 1
    g.act(IT, "declare war france")
    while g.state.phase == "negotiation":
        g.step()
    assert money(g) == (30, 30) and not rome(g).breaches and rome(g).stage == "in_force"


@pytest.mark.rule("WAR-041", "TRE-007", "STR-002")
def test_a_treaty_of_three_keeps_no_passage_open_to_an_enemy() -> None:
    g = bound_beside_britain({"kind": "passage", "power": FR, "to": IT}, "war", **{**ENEMIES, **EGYPT})
    g.act(FR, "deny suez to italy")
    assert not rome(g).breaches and g.state.tension == 0


@pytest.mark.rule("WAR-041", "TRE-007", "WMV-024")
def test_no_enemy_charges_the_other_with_refusing_coal() -> None:
    g = bound_beside_britain({"kind": "coaling", "power": FR, "to": IT}, "war", **ENEMIES)
    assert g.refused(IT, "charge kq7d 1 france").code == g.refused(GB, "charge kq7d 1 france").code == "not_bound"


# Upon war (Decision 77)

AGAINST_GERMANY = {"casus_belli": [{"holder": GB, "against": DE}]}
UPON_WAR = {**PAY, "upon": "war britain germany"}


@pytest.mark.rule("TRE-004")
@pytest.mark.parametrize("phase", ["negotiation", "war"])
@pytest.mark.parametrize("condition", ["war britain germany", "war germany britain", "war germany"])
@pytest.mark.parametrize("word", ["keep", "break", ""])
def test_a_payment_upon_war_falls_due_when_the_war_begins(phase: str, condition: str, word: str) -> None:
    g = bound({**PAY, "upon": condition}, phase, **AGAINST_GERMANY)
    assert not duties(g) and clause_status(g) == HOLDS
    g.act(GB, "declare war germany")
    (duty,) = duties(g)
    assert duty.seat == FR and clause_status(g) == DUE
    if word:
        g.act(FR, f"choose {duty.id} {word}")
        assert g.state.phase == phase and clause_status(g) == (KEPT if word == "keep" else BROKEN) and not duties(g)
    while g.state.phase == phase:
        g.step()
    assert money(g) == ((30, 30) if word == "break" else (20, 40))


@pytest.mark.rule("TRE-004")
def test_payment_upon_a_war_of_others_stays_dormant() -> None:
    g = bound({**PAY, "upon": "war italy"}, "negotiation", **AGAINST_GERMANY)
    g.act(GB, "declare war germany")
    assert not duties(g) and clause_status(g) == HOLDS


@pytest.mark.rule("TRE-004")
def test_a_payment_upon_war_falls_due_in_a_congress() -> None:
    both = [marker(FR, "protectorate"), marker(IT, "protectorate")]
    causes = [
        {"holder": FR, "against": IT, "area": "tunis", "rule": "STA-024", "cause": "control_conflict"},
        {"holder": GB, "against": DE},
    ]
    g = bound(UPON_WAR, "negotiation", areas={"tunis": {"markers": both}}, casus_belli=causes)
    g.act(FR, "congress russia")
    for seat in g.waiting():
        g.act(seat, "ready")
    assert g.state.phase == "congress"
    g.act(GB, "declare war germany")
    (duty,) = duties(g)
    g.act(FR, f"choose {duty.id} keep")
    assert g.state.phase == "congress" and money(g) == (20, 40)


@pytest.mark.rule("TRE-004")
@pytest.mark.parametrize("clause", [
    {"kind": "transfer", "power": FR, "to": IT, "places": ["tunis"]},
    {"kind": "lower", "power": FR, "places": ["tunis"]},
])  # fmt: skip
def test_a_marker_is_handed_over_or_lowered_when_the_war_begins(clause: dict[str, Any]) -> None:
    tunis = {"tunis": {"markers": [marker(FR, "protectorate")]}}
    g = bound({**clause, "upon": "war britain germany"}, "war", areas=tunis, **AGAINST_GERMANY)
    g.act(GB, "declare war germany")
    (duty,) = duties(g)
    g.act(FR, f"choose {duty.id} keep")
    assert g.state.phase == "war" and (FR, "protectorate") not in {
        (m.power, m.marker) for m in g.state.areas["tunis"].markers
    }


@pytest.mark.rule("TRE-004")
def test_promise_upon_war_binds_while_the_war_lasts() -> None:
    clause = {"kind": "no_marker", "power": FR, "places": ["tunis"], "upon": "war britain germany"}
    war = [{"alliances": [[GB], [DE]]}]
    assert clause_status(bound(clause, "movement")) == HOLDS
    assert clause_status(bound(clause, "war", wars=war)) == KEPT


@pytest.mark.rule("TRE-004", "WAR-047")
@pytest.mark.parametrize(("kind", "parties", "called"), [
    ("offensive", [FR, GB], {FR}),
    ("defensive", [FR, DE], {FR}),
    ("offensive", [FR, IT], set()),
])  # fmt: skip
def test_alliance_upon_war_begins_with_that_war(kind: str, parties: list[str], called: set[str]) -> None:
    treaty = {
        "id": "kq7d", "name": "Rome", "parties": parties, "signed": parties, "public": True, "stage": "in_force",
        "drafted": 1, "since": 1, "clauses": [{"kind": kind, "upon": "war britain germany"}],
    }  # fmt: skip
    g = start({"phase": "war", "treaties": [treaty], **AGAINST_GERMANY}, options=UNLIMITED)
    g.act(GB, "declare war germany")
    assert {c.power for c in g.state.choices if c.kind == "call" and c.seat == FR} == called


@pytest.mark.rule("TRE-004", "WAR-041")
def test_a_promise_of_peace_that_wakes_with_the_war_is_not_broken_by_its_declaration() -> None:
    treaty = {
        "id": "kq7d", "name": "Rome", "parties": [GB, DE], "signed": [GB, DE], "public": True, "stage": "in_force",
        "drafted": 1, "since": 1, "clauses": [{"kind": "non_aggression", "upon": "war britain germany"}],
    }  # fmt: skip
    g = start({"phase": "war", "treaties": [treaty], **AGAINST_GERMANY}, options=UNLIMITED)
    g.act(GB, "declare war germany")
    assert not g.of(events.TreatyBroken) and [e.reason for e in g.of(events.TreatyEnded)] == ["war"]


@pytest.mark.rule("TRE-004", "NEG-013")
def test_a_settlement_without_a_name_is_called_by_its_parties_and_its_year() -> None:
    g = game()
    signed(g, FR, "propose with italy: italy pays france 1; france pays italy 5 in 1884")
    while not duties(g):
        g.step()
    (duty,) = duties(g)
    assert duty.prompt.startswith("Settlement of France and Italy (1880), article 2 is due: ")
    g.act(FR, f"choose {duty.id} break")
    (broken,) = g.of(events.TreatyBroken)
    treaty = of(g, broken.id)
    text = breaches.describe_breach(g.tables, treaty, broken.clause, broken.power, "")
    assert text == "France breaks article 2 of Settlement of France and Italy (1880)"
