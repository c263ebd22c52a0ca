"""Previews of orders: they match the result and reveal nothing that the seat may not know."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.notation import parse_order
from paxtui.games.pax.menus.legal import legal_actions
from paxtui.games.pax.narration.narrator import BAD, GOOD
from paxtui.games.pax.preview.preview import Preview, _describe_risks, describe_preview, preview_action, preview_figures
from paxtui.games.pax.turn.victory import is_income_over
from paxtui.games.pax.visibility import visible_state
from tests.rules import treaties
from tests.rules.harness import Bench, army, here, marker, new, start, tables

T = tables()
GB, FR, DE, US = "britain", "france", "germany", "united_states"


def preview_of(g: Bench, seat: str, text: str) -> Preview:
    """The preview of an order."""
    seen = preview_action(T, visible_state(T, g.state, seat), seat, parse_order(T, text))
    assert isinstance(seen, Preview), seen
    return seen


def preview_texts(g: Bench, seat: str, text: str) -> dict[str, str]:
    """The sentences of the preview with their tones."""
    return {line.text: line.tone for line in describe_preview(T, g.state, seat, preview_of(g, seat, text))}


def movement(areas: dict | None = None, **powers: int) -> Bench:
    """A Movement Phase with these Treasuries."""
    return start({"phase": "movement", "areas": areas or {}, "powers": {p: {"treasury": n} for p, n in powers.items()}})


def test_price_and_income_of_a_marker_that_will_be_established():
    g = movement(britain=100)
    seen = preview_of(g, GB, "place interest siam")
    assert (seen.price, seen.income) == (T.markers["interest"].price, T.areas["siam"].value)
    assert preview_figures(seen) == f", £5, line 22 +{T.areas['siam'].value}"


def test_preview_of_control_over_an_influence():
    g = movement({"tunis": here(marker(GB, "influence"))}, france=60)
    seen = preview_of(g, FR, "place protectorate tunis")
    assert [(c.holder, c.against, c.area) for c in seen.causes] == [(GB, FR, "tunis")]
    assert seen.ungarrisoned == ("tunis",) and seen.odds is None
    sentences = preview_texts(g, FR, "place protectorate tunis")
    assert sentences["Gives Great Britain a Casus Belli against you."] == BAD
    assert sentences["Then Tunis still needs an army of yours before the Phase ends."] == BAD
    assert not preview_of(g, FR, "place influence tunis").causes


def test_preview_omits_an_existing_casus_belli():
    g = movement({"tunis": here(marker(GB, "influence"), marker(FR, "protectorate"), army(FR, 3))}, france=60)
    seen = preview_of(g, FR, "upgrade possession tunis")
    assert seen.causes == () and seen.income < 0


def test_preview_has_the_gates_of_india_cause():
    g = movement({"burma": here()}, france=60, britain=60)
    assert [c.cause for c in preview_of(g, FR, "place protectorate burma").causes] == ["gates_of_india"]
    assert preview_of(g, GB, "place protectorate burma").causes == ()


def test_preview_omits_causes_between_powers_of_one_player():
    g = movement({"tunis": here(marker("austria_hungary", "influence"), marker(GB, "influence"))}, germany=60)
    order = "place protectorate tunis"
    assert [c.holder for c in preview_of(g, "germany", order).causes] == [GB]
    assert "Gives Great Britain a Casus Belli against you." in preview_texts(g, "germany", order)


def test_chinese_resentment_at_once_and_each_turn():
    g = movement({"korea": here()}, japan=60)
    row = T.resentment["protectorate"]
    assert preview_of(g, "japan", "place protectorate korea").resentment == row.placed_in_vassal
    assert (
        preview_texts(g, "japan", "place protectorate korea")[
            f"Chinese Resentment rises by {row.placed_in_vassal} at once."
        ]
        == BAD
    )


def test_preview_of_a_possession_beside_an_interest():
    g = movement({"tunis": here(marker(GB, "interest"))}, france=60)
    assert preview_of(g, FR, "place possession tunis").tension == 1
    assert preview_of(g, FR, "place protectorate tunis").tension == 0


def test_preview_of_a_first_and_a_second_canal():
    site = here(marker(US, "influence"))
    g = movement({"panama": site, "central_america": site}, united_states=90)
    seen = preview_of(g, US, "canal panama")
    assert (seen.points, seen.price) == (15, 30)
    assert preview_texts(g, US, "canal panama")["+15 Victory Points at once."] == GOOD
    g.act(US, "canal panama")
    assert preview_of(g, US, "canal central_america").points == 0


def test_preview_of_a_fleet():
    g = movement(germany=60)
    seen = preview_of(g, DE, "build n10")
    assert seen.tension == T.units[10].tension and seen.price == T.units[10].naval and seen.income == 0


def test_preview_of_a_move_shows_combat_odds():
    g = movement({"tunis": here(new(FR), army(FR, 1))}, france=0)
    unit = next(u.name for u in g.state.homes[FR] if u.kind == "army")
    seen = preview_of(g, FR, f"move {unit} home > tunis")
    assert seen.combat == "tunis" and seen.odds is not None
    assert seen.odds.attack == 1 + int(unit[1:]) and seen.odds.defend == T.areas["tunis"].strength
    assert sum(c.faces for c in seen.odds.chances) == 6
    assert any(text.startswith("Combat for Tunis: ") for text in preview_texts(g, FR, f"move {unit} home > tunis"))


def test_preview_of_a_move_shows_garrisons():
    own = marker(GB, "possession")
    g = movement({"kenya": here(own, army(GB, 1)), "tanganyika": here(own)}, britain=0)
    seen = preview_of(g, GB, "move a1 kenya > tanganyika")
    assert (seen.ungarrisoned, seen.garrisoned) == (("kenya",), ("tanganyika",))


def test_preview_of_a_combat_shows_odds_only():
    g = start({"phase": "colonial_combat", "areas": {"tunis": here(new(FR), army(FR, 3))}})
    seen = preview_of(g, FR, "fight tunis")
    assert seen == Preview(combat="tunis", odds=seen.odds) and seen.odds is not None


def test_preview_of_a_transfer_assumes_acceptance():
    g = movement({"siam": here(marker(GB, "influence"))}, britain=10, france=10)
    income = 2 * T.areas["siam"].value - T.markers["influence"].maintenance
    assert preview_of(g, GB, "transfer siam to france").income == -income


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
def test_preview_in_the_last_turn_shows_correct_points(seat, text, brought):
    g, without = (start({"phase": "movement", "turn": 10, "powers": {seat: {"treasury": 100}}}) for _ in range(2))
    seen = preview_of(g, seat, text)
    assert (seen.income, seen.points_at_end) == (0, brought) and preview_figures(seen) == f", £{seen.price}"
    assert (f"{brought:+d} Victory Point{'s' * (abs(brought) > 1)}{LINES}" in preview_texts(g, seat, text)) == bool(
        brought
    )
    g.act(seat, text)
    for game in (g, without):
        while game.state.result is None:
            game.advance(force=True)
    assert g.state.result.totals[seat] - without.state.result.totals[seat] == brought


def test_preview_before_the_last_income_shows_income():
    for patch in ({"phase": "movement", "turn": 9}, {"phase": "administrative", "turn": 10}):
        g = start({**patch, "powers": {"russia": {"treasury": 100}}})
        assert not is_income_over(T, g.state)
    g = start({"phase": "movement", "turn": 9, "powers": {GB: {"treasury": 9}}})
    seen = preview_of(g, GB, "place interest siam")
    assert (seen.income, seen.points_at_end) == (3, 0)


def test_previews_match_the_results_of_orders():
    """At random positions, the accounts change by at least the previewed amounts."""
    random = Random(5)
    g = movement(britain=80, france=80, germany=80, russia=80, japan=80, italy=80, united_states=80)
    for _ in range(25):
        seat = random.choice(list(g.state.players))
        texts = [t for t in legal_actions(T, g.state, seat).texts() if not t.startswith(("ready", "draft", "pay"))]
        text = random.choice(texts)
        seen, before = preview_of(g, seat, text), g.state
        g.act(seat, text)
        assert seen.price == before.powers[seat].treasury - g.state.powers[seat].treasury or ":" in text
        assert seen.resentment >= g.state.resentment - before.resentment
        assert seen.tension >= g.state.tension - before.tension


def test_preview_of_a_refused_act_is_the_refusal():
    g = movement(france=0)
    seen = preview_action(T, g.state, FR, actions.Place("influence", "tunis"))
    assert isinstance(seen, Refusal) and seen.message


@pytest.mark.rule("TRE-011", "TRE-012")
def test_preview_does_not_reveal_secret_treaties() -> None:
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
def test_preview_shows_breaches_to_the_bound_power() -> None:
    g = treaties.game("movement")
    treaties.signed(g, GB, "treaty Kars with germany: no marker by germany in kenya")
    seen = preview_of(g, DE, "place interest kenya")
    assert len(seen.breaches) == 1 and "Kars" in seen.breaches[0]
    assert preview_texts(g, DE, "place interest kenya")[seen.breaches[0]] == BAD


def test_garrison_sentences_have_singular_and_plural():
    seen = preview_of(movement(britain=100), GB, "place interest siam")
    for areas, rest in ((("tunis",), ("needs an army", "has its garrison")),
                        (("tunis", "egypt"), ("need armies", "have their garrisons"))):  # fmt: skip
        lines = " ".join(line.text for line in _describe_risks(T, replace(seen, ungarrisoned=areas, garrisoned=areas)))
        assert f"still {rest[0]} of yours" in lines and f"{rest[1]}." in lines
