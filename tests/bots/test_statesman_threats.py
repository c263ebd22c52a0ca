"""Statesmen ally against a leader, threaten before they declare War, and negotiate at most three rounds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from paxtui.bots.pax.caretaker.planner import Planner
from paxtui.bots.pax.profiles import character_of
from paxtui.bots.pax.statesman import player, threats, treaties, war
from paxtui.bots.pax.statesman.evaluation import PositionValuation
from paxtui.bots.pax.statesman.treaties import MAX_COUNTER_OFFERS, OfferFinder
from paxtui.bots.pax.statesman.treaty_values import PowerRelations, treaty_gain
from paxtui.games.pax.position.setup import seats_for
from paxtui.games.pax.state.diplomacy import DRAFT, ENDED, Clause, Treaty
from paxtui.games.pax.state.model import State
from tests.rules.harness import army, at_home, marker, naval, start, tables

SEVEN = tuple(seats_for(7))
KENYA: dict[str, Any] = {
    "phase": "negotiation", "turn": 3, "powers": {p: {"treasury": 40} for p in SEVEN},
    "homes": {
        **at_home("france", *[army("france", 10)] * 5, naval("france", 10), naval("france", 10)),
        **at_home("italy", army("italy", 1)),
    },
    "areas": {
        "kenya": {
            "markers": [marker("italy", "protectorate"), marker("france", "influence")], "units": [army("italy", 1)],
        },
    },
    "casus_belli": [
        {"id": "cb1", "holder": "france", "against": "italy", "area": "kenya", "cause": "control_over_influence"},
    ],
}  # fmt: skip


def valuation_of(state: State, power: str, level: str = "normal", temper: str = "") -> PositionValuation:
    return PositionValuation(tables(), state, power, character_of(level, temper), "1")  # type: ignore[arg-type]


def threats_by(patch: dict[str, object], power: str, temper: str = "") -> list[str]:
    state = start(patch).state
    planner = Planner(tables(), state, power, power, "1")
    threats.threaten(valuation_of(state, power, temper=temper), planner)
    return [act.text for act in planner.acts]


@pytest.fixture
def expected_war(monkeypatch: pytest.MonkeyPatch) -> Callable[[float, float], None]:
    """Let a War over Kenya bring France and cost Italy these pounds."""

    def expect(own: float, foe: float) -> None:
        gains = war.WarGains(own, foe) if own > -50 else None
        monkeypatch.setattr(war, "gains_by_war", lambda *_: gains)

    return expect


def test_threat_names_demand_and_date(expected_war: Callable[[float, float], None]) -> None:
    expected_war(60.0, -400.0)
    draft, words = threats_by(KENYA, "france")
    assert draft.startswith("treaty") and "italy transfers kenya to france; italy pays france 13" in draft
    assert "france waives kenya against italy" in draft
    demand = "Hand us Kenya and pay us £13 by 1888, or expect War."
    assert words == f"dispatch italy: {demand} Sign, and we give up our Casus Belli."


@pytest.mark.parametrize(
    ("own", "foe", "demand"),
    [
        (30.0, -400.0, "italy transfers kenya to france"),
        (30.0, -90.0, "italy pays france 3"),  # Kenya is worth more to Italy than what a War would cost it
        (30.0, -10.0, ""),  # Italy would rather fight than pay
        (270.0, -400.0, ""),  # a War would bring France more than that
        (-10.0, -400.0, "italy transfers kenya to france"),  # France would lose little by making its threat good
        (-60.0, -400.0, ""),  # France would not declare War, and Italy knows it
    ],
)
def test_demand_is_less_than_the_other_fears_and_more_than_a_war_would_bring(
    own: float, foe: float, demand: str, expected_war: Callable[[float, float], None]
) -> None:
    expected_war(own, foe)
    acts = threats_by({**KENYA, "powers": {p: {"treasury": 100} for p in SEVEN}}, "france")
    assert [demand in act for act in acts[:1]] == ([True] if demand else [])


def test_only_control_that_the_power_can_hold_is_demanded(expected_war: Callable[[float, float], None]) -> None:
    """No Communication Link leads to Turcomania, and an Influence is no Control."""
    expected_war(60.0, -900.0)
    demands = []
    for area, kind in (("egypt", "protectorate"), ("egypt", "influence"), ("turcomania", "protectorate")):
        held = {area: {"markers": [marker("italy", kind)], "units": [army("italy", 1)]}}
        draft, _ = threats_by({**KENYA, "areas": {**KENYA["areas"], **held}}, "france")
        demands.append(f"italy transfers {area} to france" in draft)
    assert demands == [True, False, False]


def test_area_that_the_power_cannot_hold_is_worth_nothing_to_it() -> None:
    gains = []
    for area in ("egypt", "turcomania"):
        held = {area: {"markers": [marker("italy", "protectorate")], "units": [army("italy", 1)]}}
        state = start({**KENYA, "areas": {**KENYA["areas"], **held}}).state
        sale = (
            Clause("transfer", power="italy", places=(area,), to="france"),
            Clause("pay", power="france", to="italy", amount=1),
        )
        relations = PowerRelations(tables(), state)
        gains.append(treaty_gain(relations, valuation_of(state, "france"), ("france", "italy"), sale, False))
    assert gains[1] < 0 < gains[0]


def test_weak_or_cautious_power_makes_no_threats() -> None:
    strong = {**KENYA, "homes": at_home("italy", *[army("italy", 10)] * 6)}
    assert threats_by(strong, "france") == [] == threats_by(KENYA, "france", "cautious")
    assert threats_by({**KENYA, "casus_belli": []}, "france") == [] == threats_by(KENYA, "italy")


def test_abilities_that_are_switched_off_are_not_used(expected_war: Callable[[float, float], None]) -> None:
    expected_war(60.0, -400.0)
    state = start(KENYA).state

    def seen_without(*lacks: str) -> PositionValuation:
        character = character_of("normal", "")._replace(disabled=frozenset(lacks))
        return PositionValuation(tables(), state, "france", character, "1")

    planner = Planner(tables(), state, "france", "france", "1")
    threats.threaten(seen_without("threats"), planner)
    assert planner.acts == []
    threats.threaten(seen_without(), planner)
    assert planner.acts
    assert seen_without("leaders").stakes == {} != seen_without().stakes
    assert seen_without("great war").tension_weight == 1.0 != seen_without().tension_weight


@pytest.mark.parametrize(("own", "theirs", "word"), [((10,) * 5, 1, "sign"), ((1,), 3, "reject")])
def test_a_power_gives_way_to_a_threat_that_is_meant(own: tuple[int, ...], theirs: int, word: str) -> None:
    """With five Army (10) Units France would win by a War over Kenya; with one Army (1) it has nothing to gain."""
    homes = {**at_home("france", *(army("france", n) for n in own)), **at_home("italy", army("italy", theirs))}
    bench = start({**KENYA, "homes": homes})
    bench.act("france", "treaty with italy: italy lowers kenya to interest in 1892; france waives kenya against italy")
    (answer,) = player.statesman_replies(tables(), bench.state, "italy", character_of("normal", ""), "1", ())
    assert answer.text.split()[0] == word


@pytest.mark.parametrize(
    ("own", "foe", "is_meant"),
    [
        (8.0, -10.0, True),
        (-2.0, -10.0, True),  # it costs Italy much more
        (-4.0, -10.0, False),
        (-11.0, -200.0, True),
        (-13.0, -200.0, False),  # nobody loses that much for his word
        (8.0, -2.0, False),  # Italy has nothing to fear
        (30.0, -200.0, False),  # no demand would bring more
    ],
)
def test_threat_is_meant_if_war_costs_the_enemy_much_more(
    own: float, foe: float, is_meant: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The Victory Points of both Powers by a War."""
    state = start(KENYA).state
    france, italy = valuation_of(state, "france"), valuation_of(state, "italy")

    def worth(valuation: PositionValuation, planner: Planner, ends: list[str]) -> float:
        return valuation.pounds_per_point * (own if valuation is france else foe) * (ends[0] == "war")

    monkeypatch.setattr(war.WarSimulations, "ends", lambda _, act, count: ["war" if act else "peace"] * count)
    monkeypatch.setattr(war, "_value", worth)
    cause = state.casus_belli[0]
    gains = war.gains_by_war(
        france, Planner(tables(), state, "france", "france", "1"), italy, cause, 25 * france.pounds_per_point
    )
    assert gains == (war.WarGains(own * france.pounds_per_point, foe * italy.pounds_per_point) if is_meant else None)


def refused(reason: str) -> Treaty:
    demand = (Clause("lower", power="italy", places=("kenya",)), Clause("waive", power="france", places=("kenya",)))
    parties = ("france", "italy")
    return Treaty("t", "", "treaty", "france", parties, demand, False, ENDED, drafted=3, reason=reason)


def test_only_a_refused_demand_counts_and_only_in_its_turn() -> None:
    state = start(KENYA).state
    assert not war.has_threatened(tables(), state, "france", "italy")
    after = replace(state, treaties=(refused("rejected"),))
    assert war.has_threatened(tables(), after, "france", "italy") and not war.has_threatened(
        tables(), after, "italy", "france"
    )
    assert not war.has_threatened(tables(), replace(after, turn=4), "france", "italy")
    assert not war.has_threatened(tables(), replace(state, treaties=(refused("done"),)), "france", "italy")


@pytest.mark.parametrize(("own", "reason", "declared"), [(1, "rejected", 1), (1, "done", 0), (-60, "rejected", 0)])
def test_a_threat_is_made_good(
    own: float,
    reason: str,
    declared: int,
    expected_war: Callable[[float, float], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A War that would bring less than one declared without a threat."""
    expected_war(own, -400.0)
    monkeypatch.setattr(war.WarSimulations, "gain", lambda *_: float(own))
    state = replace(start(KENYA).state, treaties=(refused(reason),))
    planner = Planner(tables(), state, "france", "france", "1")
    war.declare_war(valuation_of(state, "france"), planner)
    assert [act.text for act in planner.acts] == ["declare war italy over cb1"] * declared


def test_a_power_that_is_threatened_gets_no_offer(expected_war: Callable[[float, float], None]) -> None:
    expected_war(60.0, -400.0)
    state = start(KENYA).state
    character = character_of("normal", "")
    drafts = [
        act.text
        for act in player.negotiation_actions(tables(), state, "france", character, "1")
        if act.text.startswith(("treaty", "settlement")) and "italy" in act.text.partition(":")[0]
    ]
    assert len(drafts) == 1 and "italy transfers kenya to france" in drafts[0]


def test_a_threat_counts_on_what_the_other_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    attack, both = (Clause("offensive", against=("italy",)),), ("france", "japan")
    secret = Treaty("t", "", "treaty", "france", both, attack, False, "in_force", signed=both)
    known: list[tuple[Treaty, ...]] = []

    def gains(valuation: PositionValuation, planner: Planner, *more: object) -> None:
        known.append(planner.state.treaties)

    monkeypatch.setattr(war, "gains_by_war", gains)
    for public in (False, True):
        state = replace(start(KENYA).state, treaties=(replace(secret, public=public),))
        threats.threaten(valuation_of(state, "france"), Planner(tables(), state, "france", "france", "1"))
    assert [len(treaties) for treaties in known] == [0, 1]


def position_with_leader(leader: str) -> State:
    powers = {p: {"treasury": 40} for p in SEVEN} | {leader: {"treasury": 40, "victory_points": 120}}
    return start({"phase": "negotiation", "turn": 7, "powers": powers}).state


def test_alliance_against_the_leader_is_offered() -> None:
    state = position_with_leader("italy")
    relations = PowerRelations(tables(), state)
    assert relations.leader == "italy"
    ideas = [clauses for clauses, *_ in OfferFinder(relations, valuation_of(state, "france"))._ideas("japan")]
    assert any(c.kind == "offensive" and c.against == ("italy",) for clauses in ideas for c in clauses)
    alliance = (Clause("offensive", against=("italy",), until=8),)
    for power in ("france", "japan"):
        assert treaty_gain(relations, valuation_of(state, power), ("france", "japan"), alliance, False) > 0
    even = PowerRelations(tables(), start({"phase": "negotiation", "turn": 7}).state)
    assert treaty_gain(even, valuation_of(even.state, "france"), ("france", "japan"), alliance, False) < treaty_gain(
        relations, valuation_of(state, "france"), ("france", "japan"), alliance, False
    )


def test_no_alliance_that_would_start_the_great_war() -> None:
    state = position_with_leader("italy")
    attack, both = (Clause("offensive", against=("italy",)),), ("france", "russia")
    bound = Treaty("t", "", "treaty", "france", both, attack, False, "in_force", signed=both)
    allied = PowerRelations(tables(), replace(state, treaties=(bound,)))
    assert allied.offensive_allies("france", "italy") == ("russia",)
    ideas = [clauses for clauses, *_ in OfferFinder(allied, valuation_of(allied.state, "france"))._ideas("britain")]
    assert not [c for clauses in ideas for c in clauses if c.kind == "offensive"]


def test_gain_of_the_leader_counts_against_a_treaty() -> None:
    """Germany values a peace with France less if France is about to win."""
    peace = (Clause("non_aggression"),)
    gains = []
    for leader in ("france", "italy"):
        state = position_with_leader(leader)
        valuation = valuation_of(state, "germany")
        gains.append(treaty_gain(PowerRelations(tables(), state), valuation, ("france", "germany"), peace, False))
    assert gains[0] < gains[1] > 0


def test_refusal_says_that_the_other_power_gains_more() -> None:
    """A public pact of Italy and France, with France or Japan in the lead. Italy has made all its counter-offers."""
    clauses, both = (Clause("defensive", against=("germany",)),), ("france", "italy")
    draft = Treaty("d", "", "treaty", "france", both, clauses, True, DRAFT, signed=("france",), drafted=7)
    answers = tuple(
        replace(draft, id=f"a{n}", drafter="italy", stage=ENDED, instead=f"o{n}") for n in range(MAX_COUNTER_OFFERS)
    )
    said = []
    for leader in ("france", "japan"):
        state = replace(position_with_leader(leader), treaties=(*answers, draft))
        planner = Planner(tables(), state, "italy", "italy", "1")
        treaties.answer_drafts(valuation_of(state, "italy", "hard"), planner)
        said += [act.text if act.text == "sign d" else act.why for act in planner.acts]
    assert said == ["France gains more by it", "sign d"]


def test_power_without_chances_risks_more_tension() -> None:
    state = position_with_leader("italy")
    assert (
        war.tension_limit(valuation_of(state, "italy"))
        < war.MAX_TENSION
        < war.tension_limit(valuation_of(state, "japan"))
    )


def test_fourth_draft_gets_no_counter_draft() -> None:
    state = start({"phase": "negotiation", "turn": 3, "powers": {p: {"treasury": 30} for p in SEVEN}}).state
    aid, both = Clause("defensive", power="britain", against=("germany",)), ("britain", "france")
    asked, other = (Clause("coaling", power="britain", to="france"), aid), (Clause("non_aggression"),)
    draft = Treaty("d", "", "treaty", "france", both, asked, False, DRAFT, signed=("france",), drafted=3)
    answers = tuple(
        Treaty(f"a{n}", "", "treaty", "britain", both, other, False, ENDED, drafted=3, instead=f"o{n}")
        for n in range(MAX_COUNTER_OFFERS)
    )
    kinds = []
    for earlier in ((), answers):
        planner = Planner(tables(), replace(state, treaties=(*earlier, draft)), "britain", "britain", "1")
        treaties.answer_drafts(valuation_of(planner.state, "britain"), planner)
        kinds.append(planner.acts[0].text.split()[0])
    assert kinds[0] != "reject" and kinds[1] == "reject"
