"""The notation: every action has one text, and any text whatsoever gives an action or a refusal."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paxtui.engine.game import Redo, Undo
from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.dispatches import Dispatch
from paxtui.games.pax.actions.notation import ORDERS, format_order, parse_order
from paxtui.games.pax.actions.structured import decode_action
from paxtui.games.pax.events import events
from tests.pax.actions.forms import FORMS
from tests.rules.harness import army, start, tables

T = tables()


@pytest.mark.parametrize("text", FORMS)
def test_every_form_is_parsed_and_formatted(text):
    assert parse_order(T, text) == FORMS[text]
    assert format_order(T, FORMS[text]) == text


@pytest.mark.parametrize("order", ORDERS.values(), ids=lambda order: order.verb)
def test_every_order_has_a_help_text_and_a_valid_example(order):
    action = parse_order(T, order.example)
    assert type(action) is order.kind and order.example.split()[0].rstrip(":") == order.verb
    assert parse_order(T, format_order(T, action)) == action
    assert order.help.endswith(".") and order.usage.startswith(order.verb) and "{" not in order.usage.partition(" ")[0]


def test_every_action_has_an_order():
    assert {order.kind for order in ORDERS.values()} == {*actions.AnyAction.__args__, Undo, Redo, Dispatch}


@pytest.mark.parametrize(
    ("loose", "strict"),
    [
        ("PLACE Protectorate EGYPT", "place protectorate egypt"),
        ("  place   prot   egy ", "place protectorate egypt"),
        ("place ◇ Egypt", "place protectorate egypt"),
        ("place ◆ Orange River Free State", "place possession orange_river_free_state"),
        ("place infl kaiser wilhelms-land", "place influence kaiser_wilhelms_land"),
        ("place infl Kaiser Wilhelm's Land", "place influence kaiser_wilhelms_land"),
        ("withdraw ● südwest afrika", "withdraw influence sudwest_afrika"),
        ("upgrade ★ canada", "upgrade dominion canada"),
        ("upgrade ★ hawaii", "upgrade state hawaii"),
        ("place ○ hongkong", "place interest hong_kong"),
        ("build n10 Baltic Sea", "build N10 baltic"),
        ("build 2xA1 a3", "build A1 A1 A3"),
        ("build 3A1", "build A1 A1 A1"),
        ("build 3 A1", "build A1 A1 A1"),
        ("build 3 x a1, 2 n3 baltic", "build A1 A1 A1 N3 N3 baltic"),
        ("move 2 A1 home > egypt", "move A1 A1 home > egypt"),
        ("build A10A3, 2A1", "build A10 A3 A1 A1"),
        ("move a3 Great Britain > egypt", "move A3 britain > egypt"),
        ("move A3 united states > cape col", "move A3 united_states > cape_colony"),
        ("britain: move A3 home > egypt", "britain: move A3 home > egypt"),
        ("Britain: move A3 britain > egypt", "britain: move A3 home > egypt"),
        ("move A3 home>egypt", "move A3 home > egypt"),
        ("move A3 home -> egypt", "move A3 home > egypt"),
        ("move N1 home > dutch east indies (South China Sea)", "move N1 home > dutch_east_indies (south_china_sea)"),
        ("merchant NEW > black sea", "merchant new > black_sea"),
        ("pay United States £20", "pay united_states 20"),
        ("pay us 20", "pay united_states 20"),
        ("transfer rio de oro to united st", "transfer rio_de_oro to united_states"),
        ("codominion kongo with united states, germany and italy", "codominion kongo with united_states germany italy"),
        ("austria-hungary : ready the fleet", None),
        ("Austria: pay germany 3", "austria_hungary: pay germany 3"),
        ("choose C12 a3", "choose c12 a3"),
        ("ADVANCE!", "advance!"),
    ],
)
def test_names_are_parsed_leniently(loose, strict):
    if strict is None:
        with pytest.raises(Refusal):
            parse_order(T, loose)
    else:
        assert format_order(T, parse_order(T, loose)) == strict


@pytest.mark.parametrize(
    ("text", "code", "word", "expected"),
    [
        ("", "notation", 1, "order"),
        ("plaec interest siam", "notation", 1, "Did you mean place?"),
        ("place", "notation", 2, "Status marker"),
        ("place interst siam", "notation", 2, "Did you mean interest?"),
        ("place i siam", "ambiguous", 2, "interest, influence"),
        ("place interest", "notation", 3, "Area"),
        ("place interest sima", "notation", 3, "Did you mean Siam?"),
        ("place interest new", "ambiguous", 3, "New Guinea"),
        ("build", "notation", 2, "unit"),
        ("build A7", "notation", 2, "1, 3, 10"),
        ("build N3 atlantis", "notation", 3, "Sea Zone"),
        ("move A3 home", "notation", 4, "'>'"),
        ("move A3 united > egypt", "ambiguous", 3, "United States"),
        ("move A3 home > atlantis", "notation", 5, "place"),
        ("move N3 home > canada (moon)", "notation", 6, "Sea Zone"),
        ("merchant new", "notation", 2, "new > SEA ZONE"),
        ("pay france", "notation", 3, "pounds"),
        ("pay france much", "notation", 3, "pounds"),
        ("transfer tunis", "notation", 3, "to"),
        ("transfer tunis to atlantis", "notation", 4, "Power"),
        ("codominion kongo with atlantis", "notation", 4, "Power"),
        ("ready now", "notation", 2, "nothing more"),
        ("undo all", "notation", 2, "number"),
        ("atlantis: ready", "notation", 1, "Power"),
        ("germany: ready", "notation", 1, "is an order of the seat"),
        ("position nonsense", "notation", 2, "JSON"),
        ("ready" + " " * 10 + "x" * 3000, "notation", 1, "characters"),
    ],
)
def test_refusal_names_what_was_expected_and_where(text, code, word, expected):
    with pytest.raises(Refusal) as refused:
        parse_order(T, text)
    assert (refused.value.code, refused.value.rules) == (code, ())
    assert refused.value.detail["position"] == word
    assert expected in refused.value.message


def test_refusals_are_short():
    for text in ("place interest " + "x" * 1900, "x" * 1999, "pay " + "y" * 1900 + " 3", "build 999xA1"):
        with pytest.raises(Refusal) as refused:
            parse_order(T, text)
        assert len(refused.value.message) < 400


def test_every_id_and_name_is_recognized():
    for area in T.areas.values():
        for name in (area.id, area.name, area.name.upper()):
            assert parse_order(T, f"fight {name}") == actions.Fight(area.id)
            assert parse_order(T, f"move A1 {name} > home") == actions.Move(("A1",), (area.id, "home"))
    for zone in T.sea_zones.values():
        assert parse_order(T, f"merchant {zone.name} > {zone.id}") == actions.Merchant(zone.id, zone.id)
    for power in T.powers.values():
        assert parse_order(T, f"pay {power.name} 1") == parse_order(T, f"pay {power.id} 1") == actions.Pay(power.id, 1)
        assert parse_order(T, f"move A1 {power.name} > cuba") == actions.Move(("A1",), (f"home:{power.id}", "cuba"))


PIECES = [
    *ORDERS,
    *[a.id for a in T.areas.values()][:30],
    *T.sea_zones,
    *T.powers,
    *T.markers,
    *[">", "->", "(", ")", ":", ",", "£", "★", "◆", "with", "to", "and", "new", "home", "A10", "2xA1", "c1", "cb2"],
    *["20", "-3", "0", "1e9", "{}", '{"a":1}', "\0", "\ud800", "∞", "é"],
]


@settings(max_examples=400, deadline=None)
@given(st.one_of(st.text(max_size=80), st.lists(st.sampled_from(PIECES), max_size=8).map(" ".join)))
def test_any_text_gives_an_action_or_a_refusal(text):
    try:
        order = parse_order(T, text)
    except Refusal as refused:
        assert refused.code in ("notation", "ambiguous")
        assert refused.rules == ()
        assert refused.message
    else:
        assert parse_order(T, format_order(T, order)) == order


WORDS = st.one_of(st.text(max_size=12), st.sampled_from([*T.areas, *T.powers, *T.sea_zones, *T.markers, "A1", "N10"]))
VALUES = st.one_of(WORDS, st.integers(), st.none(), st.booleans(), st.lists(WORDS, max_size=3), st.floats())
TAGS = [t.__struct_config__.tag for t in actions.AnyAction.__args__]
FIELDS = sorted({f for t in actions.AnyAction.__args__ for f in t.__struct_fields__})


@settings(max_examples=400, deadline=None)
@given(
    st.one_of(
        st.fixed_dictionaries({"type": st.sampled_from(TAGS)}, optional=dict.fromkeys(FIELDS, VALUES)),
        st.dictionaries(st.text(max_size=8), VALUES, max_size=4),
        VALUES,
    )
)
def test_any_structure_gives_an_action_or_a_refusal(raw):
    try:
        action = decode_action(T, raw)
    except Refusal as refused:
        assert refused.code in ("bad_action", "notation", "ambiguous")
        assert refused.rules == ()
    else:
        assert decode_action(T, msgspec.to_builtins(action)) == action


def test_structured_action_may_use_names():
    assert decode_action(T, {"type": "fight", "area": "Hong Kong"}) == actions.Fight("hong_kong")
    raw = {"type": "move", "units": ["a3"], "path": ["russia", "manchuria"], "power": "russia"}
    assert decode_action(T, raw) == actions.Move(("A3",), ("home:russia", "manchuria"), power="russia")


@pytest.mark.parametrize(
    ("raw", "where"),
    [
        ({"type": "nonsense"}, "nonsense"),
        ({"area": "cuba"}, "type"),
        ({"type": "pay", "to": "france"}, "amount"),
        ({"type": "pay", "to": "france", "amount": "20"}, "$.amount"),
        ({"type": "ready", "really": True}, "really"),
        ({"type": "build", "units": []}, "units"),
    ],
)
def test_a_bad_structure_names_the_place_of_the_fault(raw, where):
    with pytest.raises(Refusal) as refused:
        decode_action(T, raw)
    assert refused.value.code == "bad_action"
    assert where in refused.value.message


def test_home_is_the_acting_powers_own_home_country():
    g = start({"phase": "movement", "homes": {"britain": {"units": [army("britain", 3)]}}})
    [moved] = [e for e in g.act("britain", "move A3 home > canada") if isinstance(e, events.UnitsMoved)]
    assert (moved.path[0], moved.path[-1]) == ("home:britain", "canada")
    assert parse_order(T, "germany: move A3 home > austria").path == ("home:germany", "home:austria_hungary")
