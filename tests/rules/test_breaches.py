"""Treaties watched: for each kind of clause a position in which it is kept, nearly broken, broken, released, asleep."""

from __future__ import annotations

from typing import Any

import pytest

from paxtui.pax.history import events as ev
from paxtui.pax.orders import actions as ac
from paxtui.pax.play.play import Play
from paxtui.pax.treaties import breaches, treaty_watch
from paxtui.pax.treaties.treaty_watch import ASLEEP, BROKEN, DUE, KEPT
from tests.rules.harness import start

GB, FR = "britain", "france"


def treaty(*clauses: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """A public Treaty of Britain and France in force, as a patch has it."""
    return {
        "id": "kq7d",
        "name": "Trianon",
        "form": "treaty",
        "drafter": FR,
        "parties": [FR, GB],
        "signed": [FR, GB],
        "public": True,
        "stage": "in_force",
        "drafted": 1,
        "since": 1,
        "clauses": list(clauses),
        **changes,
    }


def game(*clauses: dict[str, Any], phase: str = "movement", turn: int = 1, patch: Any = None, **changes: Any):
    """The 1880 start with that Treaty, everybody with money."""
    everything = {
        "phase": phase,
        "turn": turn,
        "powers": {p: {"treasury": 100} for p in (GB, FR, "germany", "italy")},
        "treaties": [treaty(*clauses, **changes)],
        **(patch or {}),
    }
    return start(everything, players=7, options={"counter_limits": "unlimited"})


def worth(g: Any, n: int = 0) -> str:
    """What a clause is now."""
    return treaty_watch.status(g.tables, g.state, g.state.treaties[0], n)


def broken(g: Any) -> list[tuple[str, int]]:
    """Who has broken which clause, and everybody knows it."""
    return [(b.power, b.clause) for b in g.state.treaties[0].breaches if b.open]


def causes(g: Any) -> list[tuple[str, str]]:
    """Holder and opponent of every Casus Belli without an Area."""
    return [(c.holder, c.against) for c in g.state.casus_belli if not c.area]


NO_KENYA = {"kind": "no_marker", "power": GB, "places": ["kenya", "tanganyika"]}
NO_ARMY = {"kind": "no_unit", "power": GB, "places": ["hong_kong", "gold_coast"], "units": ["army"]}
NO_PROTECTORATE = {**NO_KENYA, "marker": "protectorate"}
FORCE = {"kind": "at_least", "power": GB, "places": ["gold_coast"], "units": ["army"], "amount": 4}
CAP = {"kind": "at_most", "power": GB, "places": ["gold_coast"], "units": ["army"], "amount": 4}
BUILD = {"kind": "build", "power": GB, "units": ["N10", "army"]}
NO_FLEETS = {"kind": "no_build", "power": GB, "units": ["naval"]}

ACTS: list[tuple[str, dict[str, Any], str, list[str], str, str]] = [
    # name, clause, what it is before, acts of Britain, what it is then, who has broken it ("" for nobody)
    ("no_marker kept", NO_KENYA, KEPT, ["place influence egypt"], KEPT, ""),
    ("no_marker nearly", NO_KENYA, KEPT, ["place influence madagascar"], KEPT, ""),
    ("no_marker broken", NO_KENYA, KEPT, ["place interest tanganyika"], BROKEN, GB),
    ("no_marker a lower one", NO_PROTECTORATE, KEPT, ["place influence kenya"], KEPT, ""),
    ("no_marker raised", NO_PROTECTORATE, KEPT, ["place influence kenya", "upgrade protectorate kenya"], BROKEN, GB),
    ("no_marker both bound", {**NO_KENYA, "power": ""}, KEPT, ["place interest kenya"], BROKEN, GB),
    ("no_marker the other", {**NO_KENYA, "power": FR}, KEPT, ["place interest kenya"], KEPT, ""),
    ("no_marker over", {**NO_KENYA, "until": 2}, KEPT, ["place interest kenya"], BROKEN, GB),
    ("no_unit kept", {**NO_ARMY, "places": ["egypt"]}, KEPT, ["move A1 home > gold_coast"], KEPT, ""),
    ("no_unit still there", NO_ARMY, DUE, ["move A1 home > newfoundland"], DUE, ""),
    ("no_unit broken", {**NO_ARMY, "places": ["gold_coast"]}, DUE, ["move A1 home > gold_coast"], BROKEN, GB),
    ("no_unit of another kind", {**NO_ARMY, "units": ["naval"]}, KEPT, ["move A1 home > gold_coast"], KEPT, ""),
    ("at_most kept", CAP, KEPT, ["move A1 home > gold_coast"], KEPT, ""),
    ("at_most just", CAP, KEPT, ["move A3 home > gold_coast"], KEPT, ""),
    ("at_most broken", CAP, KEPT, ["move A3 A1 home > gold_coast"], BROKEN, GB),
    ("at_least due", FORCE, DUE, ["move A1 home > gold_coast"], DUE, ""),
    ("at_least kept", FORCE, DUE, ["move A3 home > gold_coast"], KEPT, ""),
    ("build due", BUILD, DUE, ["build A1"], DUE, ""),
    ("build other units", BUILD, DUE, ["build N1 north_atlantic", "build N3 north_atlantic"], DUE, ""),
    ("build kept", BUILD, DUE, ["build A3", "build N10 north_atlantic"], KEPT, ""),
    ("no_build kept", NO_FLEETS, KEPT, ["build A10"], KEPT, ""),
    ("no_build broken", NO_FLEETS, KEPT, ["build N1 north_atlantic"], BROKEN, GB),
    ("no_build of one size", {**NO_FLEETS, "units": ["N10"]}, KEPT, ["build N3 north_atlantic"], KEPT, ""),
]


ROWS, NAMES = [row[1:] for row in ACTS], [row[0] for row in ACTS]


@pytest.mark.rule("TRE-004", "TRE-007")
@pytest.mark.parametrize(("clause", "before", "acts", "after", "who"), ROWS, ids=NAMES)
def test_what_an_act_does_to_a_clause(clause, before, acts, after, who):
    g = game(clause, patch={"homes": {GB: {"units": [unit("A3"), unit("A1"), unit("A1"), unit("N10")]}}})
    assert worth(g) == before
    for act in acts:
        g.act(GB, act)
    assert worth(g) == after
    assert broken(g) == ([(who, 0)] if who else [])
    assert g.state.tension == (5 if who else 0)


def unit(name: str) -> dict[str, Any]:
    """A British unit as a patch has it; fleets lie in the home box."""
    kind = "army" if name[0] == "A" else "naval"
    found = {"power": GB, "kind": kind, "strength": int(name[1:])}
    return found if kind == "army" else {**found, "coast": "north_atlantic"}


@pytest.mark.rule("TRE-007", "ETI-027")
def test_a_breach_gives_every_other_signer_a_casus_belli_and_raises_tension_by_5_once():
    third = {"parties": [FR, GB, "italy"], "signed": [FR, GB, "italy"]}
    g = game(NO_KENYA, NO_FLEETS, **third)
    g.act(GB, "place interest kenya")
    assert g.state.tension == 5
    assert sorted(causes(g)) == [(FR, GB), ("italy", GB)]
    assert [e.blame for e in g.of(ev.TensionRaised)] == [GB]
    # another clause of the same Treaty in the same turn: recorded, but it is one Treaty broken
    g.act(GB, "build N1 north_atlantic")
    assert broken(g) == [(GB, 0), (GB, 1)]
    raised = [e.reason for e in g.events if isinstance(e, ev.TensionRaised)]
    assert raised == ["Trianon broken"]
    assert len(causes(g)) == 2


@pytest.mark.rule("TRE-012")
def test_a_breach_of_a_secret_treaty_counts_once_it_is_revealed():
    g = game(NO_KENYA, public=False)
    g.act(GB, "place interest kenya")
    assert g.state.tension == 0 and causes(g) == [] and broken(g) == []
    assert worth(g) == BROKEN
    assert g.view("italy")["treaties"] == [] and "Trianon" not in str(g.view("italy"))
    g.act(FR, "reveal kq7d")
    assert g.state.tension == 5 and causes(g) == [(FR, GB)] and broken(g) == [(GB, 0)]


@pytest.mark.rule("TRE-012")
def test_a_breach_of_a_secret_article_of_a_public_treaty_is_secret_too():
    g = game({**NO_KENYA, "secret": True}, NO_FLEETS)
    g.act(GB, "place interest kenya")
    assert g.state.tension == 0 and causes(g) == []
    g.act(FR, "reveal kq7d 1")
    assert g.state.tension == 5 and causes(g) == [(FR, GB)]


@pytest.mark.rule("TRE-014", "TRE-015")
@pytest.mark.parametrize("change", [{"left": [GB]}, {"stage": "ended", "reason": "lapsed"}], ids=["released", "lapsed"])
@pytest.mark.parametrize("clause", [NO_KENYA, NO_FLEETS, CAP, BUILD, NO_ARMY], ids=lambda c: c["kind"])
def test_who_is_released_breaks_nothing(clause, change):
    g = game(clause, **change)
    assert worth(g) == ASLEEP
    g.act(GB, "place interest kenya")
    g.act(GB, "build N1 north_atlantic")
    g.act(GB, "move A3 A1 home > gold_coast")
    assert broken(g) == [] and causes(g) == [] and g.state.tension == 0


@pytest.mark.rule("TRE-004")
@pytest.mark.parametrize(
    ("clause", "turn"),
    [({**NO_KENYA, "until": 2}, 3), ({**NO_KENYA, "upon": "control france kenya"}, 1), ({**NO_FLEETS, "until": 1}, 2)],
    ids=["its turns are over", "what it waits for has not happened", "no_build over"],
)
def test_a_clause_asleep_is_broken_by_nothing(clause, turn):
    g = game(clause, turn=turn)
    assert worth(g) == ASLEEP
    g.act(GB, "place interest kenya")
    g.act(GB, "build N1 north_atlantic")
    assert broken(g) == []


@pytest.mark.rule("TRE-004")
def test_a_clause_wakes_when_what_it_waits_for_has_happened():
    army = {"power": FR, "kind": "army", "strength": 1}
    kenya = {"markers": [{"power": FR, "marker": "protectorate"}], "units": [army]}
    g = game({**NO_KENYA, "upon": "control france kenya", "places": ["tanganyika"]}, patch={"areas": {"kenya": kenya}})
    assert worth(g) == KEPT
    g.act(GB, "place interest tanganyika")
    assert broken(g) == [(GB, 0)]


@pytest.mark.rule("TRE-004", "TRE-007")
@pytest.mark.parametrize("clause", [BUILD, NO_ARMY, {**CAP, "amount": 0}, FORCE], ids=lambda c: c["kind"])
def test_what_had_to_be_done_by_the_end_of_the_movement_phase(clause):
    g = game(clause, patch={"homes": {GB: {"units": []}}})
    assert worth(g) == DUE and broken(g) == []
    g.step()
    assert g.state.phase != "movement" and broken(g) == [(GB, 0)] and (FR, GB) in causes(g)


@pytest.mark.rule("TRE-004")
def test_units_asked_for_are_ticked_off_and_then_nothing_is_broken():
    g = game(BUILD)
    g.act(GB, "build N10 north_atlantic")
    assert worth(g) == DUE
    g.act(GB, "build A1")
    assert worth(g) == KEPT
    g.step()
    assert broken(g) == []


PAYS = {"kind": "pay", "power": GB, "to": FR, "amount": 10}


@pytest.mark.rule("TRE-004", "NEG-014")
@pytest.mark.parametrize("clause", [{**PAYS, "turn": 1}, {**PAYS, "every_turn": True}], ids=["in a turn", "every turn"])
def test_a_payment_that_falls_due_is_asked_for_and_kept(clause):
    g = game(clause, phase="marker_adjustment")
    g.step()
    assert g.state.phase == "negotiation" and worth(g) == DUE
    (choice,) = [c for c in g.state.choices if c.kind == "duty"]
    assert choice.seat == GB and choice.default == "keep"
    before = {p: g.state.powers[p].treasury for p in (GB, FR)}
    g.act(GB, f"choose {choice.id} keep")
    assert g.state.powers[GB].treasury == before[GB] - 10 and g.state.powers[FR].treasury == before[FR] + 10
    assert worth(g) == KEPT and broken(g) == []


@pytest.mark.rule("TRE-007", "TRE-004")
def test_a_payment_refused_is_a_breach():
    g = game({**PAYS, "turn": 1}, phase="marker_adjustment")
    g.step()
    (choice,) = [c for c in g.state.choices if c.kind == "duty"]
    g.act(GB, f"choose {choice.id} break")
    assert worth(g) == BROKEN and broken(g) == [(GB, 0)] and causes(g) == [(FR, GB)] and g.state.tension == 5


@pytest.mark.rule("TRE-004")
def test_a_duty_left_open_is_kept_at_the_end_of_the_phase_if_it_can_be():
    g = game({**PAYS, "turn": 1}, phase="marker_adjustment")
    g.step()
    money = g.state.powers[FR].treasury
    for seat in g.waiting():
        g.act(seat, "ready")
    assert g.state.phase != "negotiation" and g.state.powers[FR].treasury == money + 10 and broken(g) == []


@pytest.mark.rule("TRE-004", "TRE-007")
def test_a_duty_that_cannot_be_kept_is_broken_at_the_end_of_the_phase():
    g = game({**PAYS, "turn": 1}, phase="marker_adjustment", patch={"powers": {GB: {"treasury": 3}}})
    g.step()
    for seat in g.waiting():
        g.act(seat, "ready")
    assert broken(g) == [(GB, 0)]


@pytest.mark.rule("TRE-004")
def test_what_comes_due_later_sleeps_until_then():
    g = game({**PAYS, "turn": 3}, phase="marker_adjustment")
    g.step()
    assert worth(g) == ASLEEP and not [c for c in g.state.choices if c.kind == "duty"]


@pytest.mark.rule("TRE-010", "TRE-017")
@pytest.mark.parametrize("kind", ["defensive", "offensive", "non_aggression", "shared_cause", "coaling", "passage"])
def test_clauses_about_wars_sleep_in_peace(kind):
    g = game({"kind": kind, "power": GB, "to": FR, "against": ["germany"]})
    assert worth(g) == ASLEEP
    g.act(GB, "place interest kenya")
    assert broken(g) == [] and causes(g) == []


@pytest.mark.rule("TRE-007")
def test_the_engine_warns_before_the_act():
    g = game(NO_KENYA)
    said = treaty_watch.warnings(g.tables, g.state, GB, ac.Place("interest", "kenya"))
    assert len(said) == 1 and "article 1 of Trianon" in said[0] and "tension +5" in said[0]
    assert treaty_watch.warnings(g.tables, g.state, GB, ac.Place("interest", "egypt")) == []
    assert treaty_watch.warnings(g.tables, g.state, FR, ac.Place("interest", "kenya")) == []
    # a refusal needs no warning
    assert treaty_watch.warnings(g.tables, g.state, GB, ac.Place("dominion", "kenya")) == []


@pytest.mark.rule("TRE-012")
def test_nobody_else_learns_of_a_secret_treaty_by_a_warning_or_a_duty():
    g = game({**PAYS, "turn": 1}, NO_KENYA, public=False, phase="marker_adjustment")
    g.step()
    (choice,) = [c for c in g.state.choices if c.kind == "duty"]
    for seat in ("italy", "spectator"):
        assert choice.id not in str(g.view(seat))
    refusal = g.refused("italy", f"choose {choice.id} keep")
    assert refusal.code == g.refused("italy", "choose o1234 keep").code


@pytest.mark.rule("TRE-016")
def test_the_treaty_as_a_whole_can_be_broken():
    g = game(NO_KENYA)
    play = Play(g.tables, g.state, None)  # type: ignore[arg-type]
    breaches.break_clause(play, g.state.treaties[0], breaches.WHOLE, FR, "leaves it", ("TRE-016",))
    assert play.state.tension == 5 and [(c.holder, c.against) for c in play.state.casus_belli] == [(GB, FR)]
