"""Awards, turning points and the pages at the end of a game, from small logs and saved games."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from paxtui.bots.pax.turning_points import describe_point, turning_points
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.narration.narrator import Narrator
from paxtui.games.pax.position.setup import new_game, seats_for
from paxtui.games.pax.reports.awards import best_bargain, boldest_war, game_awards, happenings, most_faithful_ally
from paxtui.games.pax.reports.result import describe_result
from paxtui.games.pax.state.diplomacy import Clause, Treaty
from paxtui.games.pax.state.model import InProgress, Result
from paxtui.games.pax.state.pieces import Marker, Unit
from paxtui.games.pax.state.war import War
from paxtui.session.ending import game_ending_pages
from paxtui.session.local_session import LocalSession
from paxtui.session.pax_host import PaxHost
from paxtui.session.replay import ReplaySession
from tests.rules.harness import tables

SAVES = Path(__file__).parents[3] / "saves"


def _start(turn=1, phase="negotiation", **units):
    """A game of seven, with strength points at home by Power."""
    state = new_game(tables(), seats_for(7), {})
    homes = {power: (Unit(power, "army", strength),) for power, strength in units.items()}
    areas = {area: replace(here, units=()) for area, here in state.areas.items()}
    return replace(state, areas=areas, turn=turn, frames=(InProgress(phase),), homes=homes, at_sea={})


def _course(state, *acts):
    return tuple(happenings(state, acts))


def _signed(id_="t", turn=1):
    return ev.TreatyInForce(id=id_, turn=turn)


def _alliance(*parties, id_="t"):
    return ev.TreatyDrafted(treaty=Treaty(id_, "T", "treaty", parties[0], parties, (Clause("defensive"),)))


# The best bargain


def _handed(area, giver, to):
    return ev.MarkerTransferred(area=area, power=giver, to=to, marker="protectorate", turn=1)


def _paid(power, amount):
    return ev.TreasuryChanged(power=power, amount=-amount, total=0, reason="paid")


def test_the_best_bargain_is_the_income_of_an_area_less_its_price():
    income = tables().areas["egypt"].value * tables().markers["protectorate"].multiplier * 11
    course = _course(
        _start(),
        (_signed("a"), _handed("egypt", "france", "italy"), _paid("italy", 10)),
        (_signed("b"), _handed("egypt", "italy", "germany"), _paid("germany", 30)),
    )
    award = best_bargain(tables(), course)
    assert award.powers == ("italy",)
    assert award.why == f"Italy got Egypt from France in 1880 for £10; it brought £{income} by the end."


def test_the_best_bargain_names_what_else_the_treaty_gave():
    pact = Treaty("a", "Rome", "treaty", "italy", ("france", "italy"), (
        Clause("transfer", power="france", to="italy", places=("egypt",)), Clause("offensive", against=("germany",)),
    ))  # fmt: skip
    state = replace(_start(), treaties=(pact,))
    award = best_bargain(tables(), _course(state, (_signed("a"), _handed("egypt", "france", "italy"))))
    assert "in 1880 for an offensive Alliance; it brought" in award.why


def test_spoils_of_war_and_bad_bargains_get_no_award():
    assert best_bargain(tables(), _course(_start(), (_handed("egypt", "france", "italy"),))) is None
    dear = (_signed(), _handed("aden", "france", "italy"))
    assert best_bargain(tables(), _course(_start(10), (*dear, _paid("italy", 500)))) is None


# The boldest War


def _declared(power, on, war, treaty=""):
    return ev.WarDeclared(power=power, on=(on,), war=War(war, alliances=((power,), (on,))), treaty=treaty)


def test_the_boldest_war_is_that_against_the_greatest_odds():
    state = _start(italy=10, france=30, russia=40, japan=20)
    course = _course(state, (_declared("russia", "japan", "1"),), (_declared("italy", "france", "2"),))
    award = boldest_war(tables(), course)
    assert award.powers == ("italy",)
    assert award.why == "Italy declared War on France in 1880, 10 strength points against 30."


def test_a_war_that_was_won_comes_before_a_bolder_one_that_was_not():
    state = _start(italy=10, france=30, russia=40, japan=45)
    won = ev.WarDecided(war="1", test="no_units", victor=1)
    course = _course(state, (_declared("russia", "japan", "1"),), (_declared("italy", "france", "2"),), (won,))
    award = boldest_war(tables(), course)
    assert award.powers == ("russia",) and award.why.endswith("40 strength points against 45, and won.")


def test_a_war_on_a_weaker_enemy_is_not_bold():
    state = _start(russia=40, japan=20)
    assert boldest_war(tables(), _course(state, (_declared("russia", "japan", "1"),))) is None


def test_a_war_for_an_ally_is_not_bold_but_faithful():
    course = _course(_start(italy=10, france=30), (_declared("italy", "france", "2", "t"),))
    assert boldest_war(tables(), course) is None
    award = most_faithful_ally(tables(), course)
    assert award.powers == ("italy",) and award.why == "Italy declared War for an ally once and broke no Treaty."


# The most faithful ally


def test_allies_that_kept_their_treaty_longest_share_the_award_and_a_breaker_gets_none():
    broken = ev.TreatyBroken(id="t", clause=0, power="france", turn=2)
    draft = _alliance("italy", "russia", "france")
    later = ev.TurnBegan(turn=4, year=1892, fleets={})
    course = _course(_start(), (draft, _signed()), (broken,), (later, ev.TreatyEnded(id="t", reason="lapsed")))
    award = most_faithful_ally(tables(), course)
    assert award.powers == ("russia", "italy")
    assert award.why == "Russia and Italy kept Alliances for 4 Game Turns in all and broke no Treaty."


def test_a_promise_of_money_makes_no_allies():
    articles = (Clause("pay", power="italy", to="russia", amount=5),)
    pay = Treaty("t", "T", "treaty", "italy", ("italy", "russia"), articles)
    course = _course(_start(), (ev.TreatyDrafted(treaty=pay), _signed()))
    assert game_awards(tables(), course) == ()


# Turning points


def test_the_act_that_changed_a_chance_most_is_reported_with_the_chances():
    state = _start(9)
    rich = {area: replace(here, markers=(Marker("britain", "possession"),)) for area, here in state.areas.items()}
    state = replace(state, areas=rich)
    acts = [(ev.MarkerTransferred(area=a, power="britain", to="japan", marker="possession", turn=9),) for a in rich]
    points = turning_points(tables(), state, acts, Narrator(tables(), state))
    assert 1 <= len(points) <= 5
    text = describe_point(tables(), max(points, key=lambda point: point.change))
    assert text.startswith("1912: ") and "chance to win " in text and "Japan" in text


def test_orders_without_effect_on_the_chances_decide_nothing():
    state = _start(9)
    assert turning_points(tables(), state, [(ev.SeatReady(seat="japan"),)], Narrator(tables(), state)) == ()


# The pages


@pytest.mark.rule("VIC-001")
def test_the_result_names_the_winner_the_points_and_the_lead():
    totals = {"germany": 496, "france": 355, "italy": 355}
    result = Result("last_turn", 10, (), {"germany": 1, "france": 2, "italy": 2}, totals)
    text = describe_result(tables(), result)
    assert text == "Germany wins with 496 Victory Points, 141 ahead of France and Italy."
    shared = Result("last_turn", 10, (), {"germany": 1, "france": 1}, {"germany": 300, "france": 300})
    assert describe_result(tables(), shared) == "Germany and France win together with 300 Victory Points."


@pytest.mark.parametrize("name", ["ten-turns-0.2.0", "great-war-0.2.0", "ten-turns-four-players"])
def test_the_points_of_the_pages_add_up_to_the_result(name):
    session = ReplaySession(SAVES / f"{name}.jsonl")
    session.look_at(None)
    first, second = game_ending_pages(session)
    result = session.live.result
    assert {one.seat: one.total for one in first.standings} == dict(result.totals)
    table = next(section for section in second.sections if section.title == "Points by Game Turn")
    for line, one in zip(table.lines[1:], first.standings, strict=True):
        *parts, total = (int(word) for word in line.text.split()[1:] if word != "·")
        assert sum(parts) == total == one.total


def test_a_game_that_goes_on_has_no_pages():
    assert game_ending_pages(LocalSession(PaxHost.new(tables(), seats_for(7), "1", {}))) == ()
