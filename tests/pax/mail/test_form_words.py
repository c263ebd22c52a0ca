"""Order forms line by line: the parsed orders or the faults, in `form_words.txt`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from paxtui.games.pax.mail.conditions import format_condition
from paxtui.games.pax.mail.forms import INSTRUCTION_VERBS, FormOrder, StandingInstruction, parse_form
from tests.recorded import same_as_recorded
from tests.rules.harness import tables

T = tables()
ORDERS = """\
undo
redo
dispatch france: hello
ready
unready
pass
advance
step
abandon france
adjudicate []
set_position
choose c1 accept
attack manchuria armies
attack manchuria if britain builds A1
if britain places protectorate tunis: pay france 3; sign rome
sign rome if britain builds A1
accept
accept 20
accept 20 from
accept from britain
accept tunis from
accept £20£ from italy
accept 1234567890 from italy
italy: accept 20 from france
italy: accept tunis from france
nobody: accept 20 from france
accept 20 from nobody
italy: build A1
build A1;
;build A1
build A1;;build A3
build A1; place protektorat tunis
if britain builds A1 place interest tunis
unless britain builds A1: build A1
if france builds A1: build A1 unless britain builds A1
treaty Rome with italy: defensive; "if they stay; we stay" if britain builds A1
game: 5
stop : 3
colour: red
"""
STANDING = """\
fight
fight tunis
fight tunis if rain
fight tunis if unrest
lose
lose A3 tunis
lose in tunis
lose A3 banana in tunis
lose 2xA1 A3 in tunis
retreat
retreat tunis
retreat tunis > nowhere
retreat tunis > algiers
retreat mediterranean > home
deficit
deficit ,
deficit A1  Egypt, , Influence siam
command spain
command spain germany france
command spain germany
command spain nobody
spoils cuba
spoils cuba:
spoils cuba: place possession
spoils cuba: place  Possession cuba
spoils nowhere: place possession
renew
renew war
renew congress
site germany
attend
attend never
message
message france
message france, italy: shall we: yes?
stay home
stay away
invite
invite nobody
invite japan, united_states
agenda tunis
vote p1
vote p1 maybe
vote p1 yes sign
vote Act of Vienna no defy
tie p1 abstain
tie p1 yes
sign
sign p1
refuse p1
combine nowhere
combine guiana
alone guiana
decline siam
hope tunis
"""
POWERS = ("britain", "the United States", "anyone", "anyone else", "any other power", "any", "france", "nobody", "")
CONDITIONS = (
    "", "sings", "places protectorate tunis", "places control in tunis", "places anything in tunis",
    "places protectorate", "places banana tunis", "upgrades to a possession in porto rico", "upgrades tunis",
    "removes its marker from persia", "withdraws tunis", "builds", "builds A1", "builds 2xA1 N3", "builds A7",
    "builds armies", "builds at least 5 points of fleets", "builds at least 3 A1", "builds bananas", "builds a canal",
    "builds a canal in panama", "moves A1 from home to korea", "moves armies", "moves armies to", "moves armies tunis",
    "moves at least 5 strength points of units into tunis", "moves at most 5", "moves at least no", "moves 5 to tunis",
    "moves fleets to home", "moves armies to nowhere", "pays", "pays italy", "pays italy 20", "pays italy £20",
    "pays italy 0", "pays nobody", "transfers tunis", "transfers tunis to", "transfers tunis to italy",
    "transfers nowhere to italy", "places interest tunis and britain builds A1", "builds A1 or france builds A1",
    "builds A1 or", "builds A1 france builds A1", "builds A1)",
)  # fmt: skip


def lines() -> Iterator[str]:
    yield from (f"{text} -> {parsed(text)}" for text in ORDERS.splitlines())
    yield from (f"standing {text} -> {parsed('standing:' + chr(10) + text)}" for text in STANDING.splitlines())
    for deed in CONDITIONS:
        yield f"britain {deed} -> {parsed(f'build A1 if britain {deed}')}"
    for power in POWERS:
        yield f"{power} builds A1 -> {parsed(f'build A1 unless {power} builds A1')}"
    for text in ("not britain builds A1", "(britain builds A1", "not (britain builds A1 and not france builds A3)"):
        yield f"{text} -> {parsed(f'build A1 if {text}')}"
    yield f"verbs of standing instructions: {', '.join(INSTRUCTION_VERBS)}"


def parsed(text: str) -> str:
    """The contents and faults of a form of the French seat."""
    form, faults = parse_form(T, text, ("france",))
    parts = [str(fault) for fault in faults]
    parts += [f"{name} = {value}" for name, value in form.head.items()]
    return " | ".join([*parts, *map(_order, form.orders), *map(_instruction, form.standing)])


def _order(order: FormOrder) -> str:
    condition = f" if {format_condition(order.condition)}" if order.condition else ""
    return "; ".join(repr(act) for act in order.acts) + condition


def _instruction(order: StandingInstruction) -> str:
    return f"{order.verb} in {order.area or '-'}: {order.answer}{' if there is Unrest' if order.if_unrest else ''}"


def test_forms_are_parsed_as_recorded() -> None:
    same_as_recorded(Path(__file__).with_name("form_words.txt"), lines())
