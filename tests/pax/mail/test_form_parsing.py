"""Parsing of order forms: every fault has its line, column and remedy."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paxtui.games.pax.actions import actions
from paxtui.games.pax.mail.conditions import MAX_CONDITION_DEPTH, MAX_CONDITION_PARTS, format_condition, parse_condition
from paxtui.games.pax.mail.forms import MAX_FORM_LENGTH, MAX_ORDERS, AcceptOrder, OrderForm, parse_form
from tests.refusals import refused
from tests.rules.harness import tables

T = tables()


def read(text: str) -> OrderForm:
    form, faults = parse_form(T, text)
    assert not faults, faults
    return form


def faults(text: str, own: tuple[str, ...] = ()) -> list[str]:
    return [str(fault) for fault in parse_form(T, text, own)[1]]


FORM = """\
# France, the spring of 1880
game: 5f0c12
stop: 1
Seat: France

place protectorate tunis        # before the Italians
  build A3; move A3 home > tunis
pay italy 20 unless italy places control tunis
accept 20 from britain
Accept Tunis from Italy
treaty Rome with italy: "if they stay # quiet; we stay"; defensive
if italy moves armies to tunis: build A1 unless britain builds N1

standing:
fight tunis if unrest
lose A3 2xA1 in tunis
retreat tunis > algiers
retreat siam > france
decline siam
combine guiana
deficit A1 algiers, influence siam
orders:
build N1
"""


def test_form_with_all_parts_is_parsed() -> None:
    form = read(FORM)
    assert form.head == {"game": "5f0c12", "stop": "1", "seat": "France"}
    assert [order.line for order in form.orders] == [6, 7, 8, 9, 10, 11, 12, 23]
    assert form.orders[0].acts == (actions.Place("protectorate", "tunis"),)
    assert form.orders[0].text == "place protectorate tunis"
    assert form.orders[1].acts == (actions.Build(("A3",)), actions.Move(("A3",), ("home", "tunis")))
    assert form.orders[3].acts == (AcceptOrder("britain", 20),) and form.orders[4].acts == (
        AcceptOrder("italy", area="tunis"),
    )
    (draft,) = form.orders[5].acts
    assert isinstance(draft, actions.Draft) and len(draft.clauses) == 2 and form.orders[5].condition is None
    assert [form.orders[n].condition is None for n in (2, 6, 7)] == [False, False, True]
    assert [fault.verb for fault in form.standing] == [
        "fight", "lose", "retreat", "retreat", "decline", "combine", "deficit",
    ]  # fmt: skip
    assert form.standing[0].if_unrest and form.standing[1].answer == ("A3", "A1", "A1")
    assert form.standing[2].answer == ("algiers",) and form.standing[3].answer == ("home:france",)
    assert form.standing[6].answer == ("a1 algiers", "influence siam")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("build A1\n  place protektorat tunis", "line 2, column 9: Word 2: a Status marker (interest, "),
        ("place protectorate tuniz", "line 1, column 20: Word 3: an Area is expected here, not 'tuniz'. Did you"),
        ("build A1; build B7", "line 1, column 17: Word 2: a unit such as A10"),
        ("if britain places protectorate tunis build A1", "Write ':' and an order after the condition"),
        ("if : build A1", "line 1, column 3: A Power, or 'anyone' is expected here"),
        ("build A1 if", "line 1, column 12: A Power, or 'anyone' is expected here."),
        ("build A1 if britain", "line 1, column 20: what it does (places, upgrades,"),
        ("build A1 if britain sings", "line 1, column 21: what it does (places, upgrades,"),
        ("build A1 if brittain builds A1", "line 1, column 13: a Power is expected here, not 'brittain'. Did you"),
        ("build A1 if britain places protectorate", "line 1, column 40: An Area is expected here."),
        ("build A1 if britain places banana tunis", "line 1, column 28: a Status marker (interest"),
        ("build A1 if (britain builds A1", "line 1, column 31: ')' is expected here."),
        ("build A1 if britain builds A1 france builds A1", "line 1, column 31: 'and', 'or' or the end of"),
        ("build A1 if britain builds A7", "line 1, column 28: a unit, A or N with one of the strengths"),
        ("build A1 if britain moves armies tunis", "line 1, column 34: 'to' and a place are expected here"),
        ("build A1 if britain moves at most 5", "line 1, column 30: 'least' is expected here"),
        ("build A1 if britain moves at least no", "line 1, column 36: a number of strength points"),
        ("build A1 if britain moves at least 3 points of A1 to tunis", "'at least' goes with armies, fleets or units"),
        ("build A1 if anyone moves armies to home", "line 1, column 36: 'home' needs a Power before it."),
        ("build A1 if britain transfers tunis", "line 1, column 36: 'to' and a Power are expected here"),
        ("build A1 if any builds A1", "'any power' or 'anyone' is expected here."),
        ("ready", "'ready' cannot be used in a form: a form is ready when it is sent"),
        ("pass", "a form without further orders passes"),
        ("advance", "only the arbiter does that"),
        ('adjudicate []', "only the arbiter does that"),
        ("undo", "to change your orders, send a new form"),
        ("dispatch france: hello", "send letters to the others by mail"),
        ("accept 20", "Name the giver after 'from'"),
        ("accept 20 from nowhere", "line 1, column 16: Word 4: a Power is expected here"),
        ("fight manchuria if britain builds A1", "Only orders of the Movement/Status Change Phase, and attacks"),
        ("standing:\nhope tunis", "line 2, column 1: A standing instruction begins with fight, decline"),
        ("standing:\nfight tunis if rain", "Only 'if unrest' can follow"),
        ("standing:\nlose A3 tunis", "Write armies and an Area, as in 'lose A3 A1 in tunis'."),
        ("standing:\nretreat tunis", "Write '>' and a place"),
        ("standing:\ndeficit", "Write what you give up"),
        ("standing:\ndecline tuniz", "an Area is expected here, not 'tuniz'. Did you mean Tunis?"),
    ],
)  # fmt: skip
def test_fault_names_its_position_and_the_remedy(text: str, expected: str) -> None:
    (fault,) = faults(text)
    assert expected in fault, fault


def test_every_fault_is_reported_and_the_rest_is_parsed() -> None:
    form, found = parse_form(T, "build A1\nnonsense\nbuild A3\nmore nonsense")
    assert [fault.line for fault in found] == [2, 4] and [order.line for order in form.orders] == [1, 3]


def test_condition_about_own_powers_is_refused() -> None:
    (fault,) = faults("build A1 if germany builds A1", ("germany", "austria_hungary"))
    assert "line 1, column 13" in fault and "other Powers" in fault
    assert faults("build A1 if austria builds A1", ("germany", "austria_hungary"))
    assert not faults("build A1 if france builds A1", ("germany", "austria_hungary"))


def test_form_sizes_are_limited() -> None:
    assert "at most 65536 characters" in faults("#" * (MAX_FORM_LENGTH + 1))[0]
    (fault,) = faults("build A1\n" * (MAX_ORDERS + 5))
    assert fault.startswith(f"line {MAX_ORDERS + 1},")
    assert len(parse_form(T, "build A1\n" * 999)[0].orders) == MAX_ORDERS
    assert faults("build A1 if " + "not " * (MAX_CONDITION_DEPTH + 5) + "britain builds A1")
    assert not faults("build A1 if " + "not " * MAX_CONDITION_DEPTH + "britain builds A1")
    assert faults("build A1 if " + " or ".join(["britain builds A1"] * (MAX_CONDITION_PARTS + 1)))


@pytest.mark.parametrize(
    "text",
    [
        "britain places protectorate tunis",
        "anyone places control tunis",
        "russia removes anything persia",
        "not (france builds canal panama or france pays italy 20)",
        "france transfers tunis to italy and britain pays japan",
        "(france builds 2xA3 or france builds 1xN1) and not japan moves armies from home:japan to korea",
        "italy moves at least 5 strength points of fleets to tunis",
    ],
)
def test_condition_is_formatted_as_it_was_parsed(text: str) -> None:
    assert format_condition(parse_condition(T, text)) == text


@pytest.mark.parametrize(
    ("loose", "strict"),
    [
        ("Britain PLACES a Protectorate marker in Tunis", "britain places protectorate tunis"),
        ("the United States upgrades to a possession in Porto Rico", "united_states upgrades possession porto_rico"),
        ("any other power withdraws its influence marker from Persia", "anyone removes influence persia"),
        (
            "Italy moves at least 5 points of army units into Tunis",
            "italy moves at least 5 strength points of armies to tunis",
        ),
        ("Japan moved 2xA1 from home to korea", "japan moves 2xA1 from home:japan to korea"),
        ("britain builds a canal in central america", "britain builds canal central_america"),
        ("france pays italy £20", "france pays italy 20"),
    ],
)  # fmt: skip
def test_conditions_are_parsed_leniently(loose: str, strict: str) -> None:
    assert format_condition(parse_condition(T, loose)) == strict


WORDS = """
if unless and or not ( ) : ; # > anyone britain france places place upgrades moves move build builds pay pays
accept from to at least 5 strength points of armies A1 A3 N1 protectorate control tunis home standing: orders:
fight decline lose retreat deficit in treaty Rome with defensive " austria_hungary: canal panama transfer 20
attack ready choose c1 propose adjudicate [] {} game: £
"""
PIECES = st.sampled_from(WORDS.split())
LINES = st.one_of(st.lists(PIECES, max_size=14).map(" ".join), st.text(max_size=40))


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.lists(LINES, max_size=6).map("\n".join))
def test_any_text_gives_a_form_or_faults_with_positions(text: str) -> None:
    form, found = parse_form(T, text, ("france",))
    lines = text.splitlines()
    for fault in found:
        assert 1 <= fault.line <= max(1, len(lines)) and fault.message
        assert 1 <= fault.column <= len(lines[fault.line - 1]) + 1
    for order in form.orders:
        assert order.acts
        if order.condition is not None:
            assert parse_condition(T, format_condition(order.condition)) == order.condition


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.lists(PIECES, max_size=12).map(" ".join))
def test_any_condition_is_parsed_or_refused_with_a_position(text: str) -> None:
    try:
        condition = parse_condition(T, text)
    except Exception:
        refusal = refused(parse_condition, T, text)
        assert refusal.code == "condition" and 1 <= refusal.detail["column"] <= len(text) + 1
    else:
        assert parse_condition(T, format_condition(condition)) == condition
