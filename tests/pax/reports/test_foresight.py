"""What an act would bring: the same as it then brings, and nothing that the seat may not know."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.notation import parse_order
from paxtui.games.pax.menus.legal import legal_actions
from paxtui.games.pax.narration.narrator import BAD, GOOD
from paxtui.games.pax.preview.preview import Preview, _map, describe_preview, preview_action, preview_figures
from paxtui.games.pax.turn.victory import is_income_over
from paxtui.games.pax.visibility import visible_state
from tests.rules import treaties
from tests.rules.harness import Bench, army, here, marker, new, start, tables

T = tables()
GB, FR, DE, US = "britain", "france", "germany", "united_states"


def looked(g: Bench, seat: str, text: str) -> Preview:
    """What an order in words would bring a seat."""
    seen = preview_action(T, visible_state(T, g.state, seat), seat, parse_order(T, text))
    assert isinstance(seen, Preview), seen
    return seen


def said(g: Bench, seat: str, text: str) -> dict[str, str]:
    """The sentences about it with their tones."""
    return {line.text: line.tone for line in describe_preview(T, g.state, seat, looked(g, seat, text))}


def movement(areas: dict | None = None, **powers: int) -> Bench:
    """A Movement Phase with money for everybody named."""
    return start({"phase": "movement", "areas": areas or {}, "powers": {p: {"treasury": n} for p, n in powers.items()}})


def test_price_and_income_of_a_marker_that_will_be_established():
    g = movement(britain=100)
    seen = looked(g, GB, "place interest siam")
    assert (seen.price, seen.income) == (T.markers["interest"].price, T.areas["siam"].value)
    assert preview_figures(seen) == f", £5, line 22 +{T.areas['siam'].value}"


def test_control_over_an_influence_gives_its_holder_a_casus_belli_and_wants_an_army():
    g = movement({"tunis": here(marker(GB, "influence"))}, france=60)
    seen = looked(g, FR, "place protectorate tunis")
    assert [(c.holder, c.against, c.area) for c in seen.causes] == [(GB, FR, "tunis")]
    assert seen.ungarrisoned == ("tunis",) and seen.odds is None
    sentences = said(g, FR, "place protectorate tunis")
    assert sentences["Gives Great Britain a Casus Belli against you."] == BAD
    assert sentences["Then Tunis still needs an army of yours before the Phase ends."] == BAD
    # an Influence beside an Influence gives none
    assert not looked(g, FR, "place influence tunis").causes


def test_a_casus_belli_that_is_there_anyway_is_not_blamed_on_the_act():
    g = movement({"tunis": here(marker(GB, "influence"), marker(FR, "protectorate"), army(FR, 3))}, france=60)
    seen = looked(g, FR, "upgrade possession tunis")
    assert seen.causes == () and seen.income < 0


def test_the_summary_gives_britain_a_casus_belli_at_the_gates_of_india():
    g = movement({"burma": here()}, france=60, britain=60)
    assert [c.cause for c in looked(g, FR, "place protectorate burma").causes] == ["gates_of_india"]
    assert looked(g, GB, "place protectorate burma").causes == ()


def test_powers_of_one_player_are_not_named_against_each_other():
    g = movement({"tunis": here(marker("austria_hungary", "influence"), marker(GB, "influence"))}, germany=60)
    order = "place protectorate tunis"
    assert [c.holder for c in looked(g, "germany", order).causes] == [GB]
    assert "Gives Great Britain a Casus Belli against you." in said(g, "germany", order)


def test_chinese_resentment_at_once_and_each_turn():
    g = movement({"korea": here()}, japan=60)
    row = T.resentment["protectorate"]
    assert looked(g, "japan", "place protectorate korea").resentment == row.placed_in_vassal
    assert (
        said(g, "japan", "place protectorate korea")[f"Chinese Resentment rises by {row.placed_in_vassal} at once."]
        == BAD
    )


def test_a_possession_drives_interests_out_and_raises_tension():
    g = movement({"tunis": here(marker(GB, "interest"))}, france=60)
    assert looked(g, FR, "place possession tunis").tension == 1
    assert looked(g, FR, "place protectorate tunis").tension == 0


def test_the_first_canal_brings_its_points_at_once_and_the_second_none():
    site = here(marker(US, "influence"))
    g = movement({"panama": site, "central_america": site}, united_states=90)
    seen = looked(g, US, "canal panama")
    assert (seen.points, seen.price) == (15, 30)
    assert said(g, US, "canal panama")["+15 Victory Points at once."] == GOOD
    g.act(US, "canal panama")
    assert looked(g, US, "canal central_america").points == 0


def test_a_fleet_raises_tension_at_once():
    g = movement(germany=60)
    seen = looked(g, DE, "build n10")
    assert seen.tension == T.units[10].tension and seen.price == T.units[10].naval and seen.income == 0


def test_a_move_tells_the_six_results_for_the_force_there_and_the_force_on_its_way():
    g = movement({"tunis": here(new(FR), army(FR, 1))}, france=0)
    unit = next(u.name for u in g.state.homes[FR] if u.kind == "army")
    seen = looked(g, FR, f"move {unit} home > tunis")
    assert seen.combat == "tunis" and seen.odds is not None
    assert seen.odds.attack == 1 + int(unit[1:]) and seen.odds.defend == T.areas["tunis"].strength
    assert sum(c.faces for c in seen.odds.chances) == 6
    assert any(text.startswith("Combat for Tunis: ") for text in said(g, FR, f"move {unit} home > tunis"))


def test_a_move_tells_of_the_garrison_it_takes_away_and_of_the_one_it_gives():
    own = marker(GB, "possession")
    g = movement({"kenya": here(own, army(GB, 1)), "tanganyika": here(own)}, britain=0)
    seen = looked(g, GB, "move a1 kenya > tanganyika")
    assert (seen.ungarrisoned, seen.garrisoned) == (("kenya",), ("tanganyika",))


def test_what_dice_decide_is_not_foretold():
    g = start({"phase": "colonial_combat", "areas": {"tunis": here(new(FR), army(FR, 3))}})
    seen = looked(g, FR, "fight tunis")
    assert seen == Preview(combat="tunis", odds=seen.odds) and seen.odds is not None


def test_a_marker_handed_over_is_looked_at_as_if_it_were_accepted():
    g = movement({"siam": here(marker(GB, "influence"))}, britain=10, france=10)
    kept = 2 * T.areas["siam"].value - T.markers["influence"].maintenance
    assert looked(g, GB, "transfer siam to france").income == -kept


LINES = " at the end, by the present position (lines 24, 28 and 29)."


@pytest.mark.parametrize(
    ("seat", "text", "brought"),
    [
        (GB, "place interest siam", -1),  # £5 of £100 are a point of line 24, £6 more on line 29 not yet one
        (GB, "place influence siam", 0),  # £10 are a point, and so are twice £6: line 29 knows no maintenance
        ("italy", "place interest greece", 2),
        ("italy", "place influence egypt", 8),
    ],
)
def test_in_the_last_turn_an_act_brings_points_and_no_income_and_they_come_true(seat, text, brought):
    g, without = (start({"phase": "movement", "turn": 10, "powers": {seat: {"treasury": 100}}}) for _ in range(2))
    seen = looked(g, seat, text)
    assert (seen.income, seen.points_at_end) == (0, brought) and preview_figures(seen) == f", £{seen.price}"
    assert (f"{brought:+d} Victory Point{'s' * (abs(brought) > 1)}{LINES}" in said(g, seat, text)) == bool(brought)
    g.act(seat, text)
    for game in (g, without):
        while game.state.result is None:
            game.advance(force=True)
    assert g.state.result.totals[seat] - without.state.result.totals[seat] == brought


def test_before_the_last_turn_or_before_its_income_an_act_brings_income():
    for patch in ({"phase": "movement", "turn": 9}, {"phase": "administrative", "turn": 10}):
        g = start({**patch, "powers": {"russia": {"treasury": 100}}})
        assert not is_income_over(T, g.state)
    g = start({"phase": "movement", "turn": 9, "powers": {GB: {"treasury": 9}}})
    seen = looked(g, GB, "place interest siam")
    assert (seen.income, seen.points_at_end) == (3, 0)


def test_what_is_foreseen_comes_true():
    """Every order that is open at some positions: the ledgers change at once by what was foreseen at least."""
    random = Random(5)
    g = movement(britain=80, france=80, germany=80, russia=80, japan=80, italy=80, united_states=80)
    for _ in range(25):
        seat = random.choice(list(g.state.players))
        texts = [t for t in legal_actions(T, g.state, seat).texts() if not t.startswith(("ready", "draft", "pay"))]
        text = random.choice(texts)
        seen, before = looked(g, seat, text), g.state
        g.act(seat, text)
        assert seen.price == before.powers[seat].treasury - g.state.powers[seat].treasury or ":" in text
        assert seen.resentment >= g.state.resentment - before.resentment
        assert seen.tension >= g.state.tension - before.tension


def test_a_refused_act_says_why():
    g = movement(france=0)
    seen = preview_action(T, g.state, FR, actions.Place("influence", "tunis"))
    assert isinstance(seen, Refusal) and seen.message


@pytest.mark.rule("TRE-011", "TRE-012")
def test_who_is_outside_a_secret_treaty_foresees_as_if_there_were_none() -> None:
    texts = ("place protectorate tunis", "place interest kenya", "build n3", "move a1 home > tunis")
    there = {"areas": {"tunis": here(new(FR), army(FR, 3))}}
    plain, hiding = treaties.game("movement", **there), treaties.game("movement", **there)
    secret = "treaty Kars with germany: no marker by germany in tunis; no marker by britain in kenya"
    treaties.signed(hiding, GB, secret)
    for seat in (FR, "italy"):
        for text in texts:
            action = parse_order(T, text)
            seen = [preview_action(T, visible_state(T, g.state, seat), seat, action) for g in (plain, hiding)]
            assert seen[0] == seen[1] or str(seen[0]) == str(seen[1]), (seat, text)


@pytest.mark.rule("TRE-007")
def test_who_is_bound_by_it_is_told_of_the_breach() -> None:
    g = treaties.game("movement")
    treaties.signed(g, GB, "treaty Kars with germany: no marker by germany in kenya")
    seen = looked(g, DE, "place interest kenya")
    assert len(seen.breaches) == 1 and "Kars" in seen.breaches[0]
    assert said(g, DE, "place interest kenya")[seen.breaches[0]] == BAD


def test_garrisons_that_come_or_are_missing_are_counted_in_words():
    seen = looked(movement(britain=100), GB, "place interest siam")
    for areas, rest in ((("tunis",), ("needs an army", "has its garrison")),
                        (("tunis", "egypt"), ("need armies", "have their garrisons"))):  # fmt: skip
        lines = " ".join(line.text for line in _map(T, replace(seen, ungarrisoned=areas, garrisoned=areas)))
        assert f"still {rest[0]} of yours" in lines and f"{rest[1]}." in lines
