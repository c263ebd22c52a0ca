"""Conditions of orders: data model, evaluation, parser and formatter.

    britain places protectorate tunis            anyone places control in tunis
    france upgrades possession algiers           russia removes influence persia
    italy moves at least 5 strength points of armies to tunis
    germany builds N10                           france pays italy 20
    france transfers tunis to italy              britain builds canal panama

combined with `and`, `or`, `not` and parentheses. They refer to orders of other Powers in the same Phase.

Rules: PBM-015, PBM-019, PBM-082 (R-PBM-01)
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, NoReturn

import msgspec

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.actions import Action
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.expansion.placement import highest_marker
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import CONTROL
from paxtui.games.pax.text.parsing import NameTable, expand_home, find_marker, name_index, unit_name

PLACES, UPGRADES, REMOVES = "places", "upgrades", "removes"
MOVES, BUILDS = "moves", "builds"
PAYS, TRANSFERS, CANAL = "pays", "transfers", "canal"

ANY_CONTROL = "control"
"""Matches any kind of Control marker."""


class OrderEffect(NamedTuple):
    """An effect, actual or possible, of an order.

    Attributes:
        verb: one of those above.
        power: the Power that acts.
        what: a kind of marker, or the name of a unit; "" for any.
        place: the location or destination; the recipient of money or a marker; "" for any.
        points: strength of a unit, or pounds.
        source: the Area of a transferred marker, or the place that a unit leaves.
    """

    verb: str
    power: str
    what: str = ""
    place: str = ""
    points: int = 0
    source: str = ""


class EffectCondition(msgspec.Struct, frozen=True, tag="does"):
    """The condition that a Power does something (`britain places protectorate tunis`).

    Attributes:
        power: the Power that acts; "" for any other Power.
        verb: one of those above.
        what: a kind of marker, `ANY_CONTROL`, a unit (A3), or A or N for any army or fleet; "" for any.
        place: the location, destination or recipient; "" for any.
        source: the origin; "" for any.
        least: the minimum amount.
        counted: `least` counts pieces instead of strength points.
    """

    power: str
    verb: str
    what: str = ""
    place: str = ""
    source: str = ""
    least: int = 1
    counted: bool = True


class NotCondition(msgspec.Struct, frozen=True, tag="not"):
    """Negation of a condition."""

    of: Condition


class AllCondition(msgspec.Struct, frozen=True, tag="all"):
    """Conjunction of conditions."""

    of: tuple[Condition, ...]


class AnyCondition(msgspec.Struct, frozen=True, tag="any"):
    """Disjunction of conditions."""

    of: tuple[Condition, ...]


Condition = EffectCondition | NotCondition | AllCondition | AnyCondition


def is_condition_met(condition: Condition, effects: Iterable[OrderEffect], own: tuple[str, ...]) -> bool:
    """Whether a condition is met.

    Args:
        condition: of an order.
        effects: the effects of the orders of all Powers.
        own: the Powers of the seat that gave the order; "anyone" excludes them.

    Rules: PBM-015, PBM-016
    """
    known = tuple(effects)
    if isinstance(condition, NotCondition):
        return not is_condition_met(condition.of, known, own)
    if isinstance(condition, AllCondition):
        return all(is_condition_met(part, known, own) for part in condition.of)
    if isinstance(condition, AnyCondition):
        return any(is_condition_met(part, known, own) for part in condition.of)
    found = [effect for effect in known if matches_effect(condition, effect, own)]
    reached = len(found) if condition.counted else sum(effect.points for effect in found)
    return reached >= condition.least


def matches_effect(does: EffectCondition, effect: OrderEffect, own: tuple[str, ...]) -> bool:
    """Whether an effect counts for a condition; empty fields of the condition match anything."""
    if does.verb != effect.verb or effect.power in own or (does.power and does.power != effect.power):
        return False
    if does.place and effect.place and does.place != effect.place:
        return False
    if does.source and effect.source and does.source != effect.source:
        return False
    return not does.what or not effect.what or _is_meant(does.what, effect.what)


def _is_meant(wanted: str, what: str) -> bool:
    if wanted == ANY_CONTROL:
        return what in CONTROL
    return what == wanted or (wanted in ("A", "N") and what[0] == wanted and what[1:].isdigit())


def condition_parts(condition: Condition, positive: bool = True) -> Iterator[tuple[EffectCondition, bool]]:
    """All elementary conditions, each with True if it is wanted or False if it is negated."""
    if isinstance(condition, NotCondition):
        yield from condition_parts(condition.of, not positive)
    elif isinstance(condition, AllCondition | AnyCondition):
        for part in condition.of:
            yield from condition_parts(part, positive)
    else:
        yield condition, positive


def possible_effects(act: object, seat: str) -> Iterator[OrderEffect]:
    """All effects that an action of a seat can have."""
    power = getattr(act, "power", "") or seat
    if isinstance(act, actions.Place | actions.Upgrade):
        yield OrderEffect(PLACES, power, act.marker, act.area)
        yield OrderEffect(UPGRADES, power, act.marker, act.area)
    elif isinstance(act, actions.Downgrade | actions.Withdraw):
        yield OrderEffect(REMOVES, power, "", act.area)
    elif isinstance(act, actions.Build):
        yield from (OrderEffect(BUILDS, power, unit, "", int(unit[1:])) for unit in act.units)
    elif isinstance(act, actions.Move):
        path = expand_home(act.path, power)
        yield from (OrderEffect(MOVES, power, unit, path[-1], int(unit[1:]), path[0]) for unit in act.units)
    elif isinstance(act, actions.Garrison):
        yield OrderEffect(MOVES, power)
    elif isinstance(act, actions.Canal):
        yield OrderEffect(CANAL, power, "", act.area)
    elif isinstance(act, actions.Pay):
        yield OrderEffect(PAYS, power, "", act.to, act.amount)
    elif isinstance(act, actions.Transfer):
        yield OrderEffect(TRANSFERS, power, "", act.to, 0, act.area)


def actual_effects(before: State, act: Action, seat: str, events: Sequence[ev.Event]) -> tuple[OrderEffect, ...]:
    """The effects that an action of a seat had, by the board before it and its events."""
    power = getattr(act, "power", "") or seat
    if isinstance(act, actions.Place | actions.Upgrade):
        placed = OrderEffect(PLACES, power, act.marker, act.area)
        raised = highest_marker(before, act.area, power) is not None
        return (placed, placed._replace(verb=UPGRADES)) if raised else (placed,)
    if isinstance(act, actions.Downgrade | actions.Withdraw):
        return tuple(OrderEffect(REMOVES, e.power, e.marker, e.area) for e in events if isinstance(e, ev.MarkerLowered))
    if isinstance(act, actions.Move | actions.Garrison):
        return move_effects(events)
    return tuple(possible_effects(act, seat))


def move_effects(events: Sequence[ev.Event]) -> tuple[OrderEffect, ...]:
    """The moves of Units in some events, as effects."""
    return tuple(
        OrderEffect(MOVES, e.power, name, e.path[-1], int(name[1:]), e.path[0])
        for e in events
        if isinstance(e, ev.UnitsMoved)
        for name in e.units
    )


MAX_CONDITION_DEPTH = 20
"""Maximum nesting depth of parentheses and `not`."""

MAX_CONDITION_PARTS = 40
"""Maximum number of elementary conditions in a condition."""

_TOKEN = re.compile(r"[()]|[^\s(),]+")
_JOINING = ("and", "or", "not", "(", ")", "unless", "if")
_FILLING = ("a", "an", "the", "its", "of", "in", "on", "at", "into")
_VERBS = {
    **dict.fromkeys(("places", "place", "placed", "puts", "put"), PLACES),
    **dict.fromkeys(("upgrades", "upgrade", "upgraded"), UPGRADES),
    **dict.fromkeys(("removes", "remove", "removed", "withdraws", "withdraw", "lowers", "lower"), REMOVES),
    **dict.fromkeys(("moves", "move", "moved"), MOVES),
    **dict.fromkeys(("builds", "build", "built", "buys"), BUILDS),
    **dict.fromkeys(("pays", "pay", "paid"), PAYS),
    **dict.fromkeys(("transfers", "transfer", "hands"), TRANSFERS),
}
_ANYONE = ("anyone", "anybody", "someone", "somebody")
_KINDS = {
    **dict.fromkeys(("armies", "army"), "A"),
    **dict.fromkeys(("fleets", "fleet", "naval"), "N"),
    **dict.fromkeys(("units", "unit"), ""),
}
_UNIT = re.compile(r"(?:(\d{1,3})[x×*]?)?([an]\d{1,3})", re.IGNORECASE | re.ASCII)
_EXPECTED_VERB = "what it does (places, upgrades, removes, moves, builds, pays or transfers)"


class _Token(NamedTuple):
    text: str
    column: int

    @property
    def word(self) -> str:
        return self.text.casefold()


def parse_condition(tables: Tables, text: str, column: int = 1, own: tuple[str, ...] = ()) -> Condition:
    """Parse a condition.

    Args:
        column: the column at which it begins.
        own: the Powers of the seat that gives the order, if known.

    Raises:
        Refusal: `condition`, with the `column` of the fault.
    """
    tokens = [_Token(found.group(), column + found.start()) for found in _TOKEN.finditer(text)]
    reader = _ConditionParser(tables, tokens, column + len(text.rstrip()), own)
    condition = reader.either(0)
    left = reader.look()
    if left is not None:
        reader.wrong(f"'and', 'or' or the end of the condition is expected here, not '{left.text[:40]}'.")
    return condition


class _ConditionParser:
    """Recursive descent parser for the words of a condition."""

    def __init__(self, tables: Tables, tokens: list[_Token], end: int, own: tuple[str, ...]) -> None:
        self.tables, self.tokens, self.end, self.own = tables, tokens, end, own
        self.at = self.found = 0

    def look(self) -> _Token | None:
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def word(self) -> str:
        token = self.look()
        return token.word if token is not None else ""

    def skip(self, *words: str) -> bool:
        """Consume the next word if it is one of these; return whether it was."""
        if self.word() not in words or self.look() is None:
            return False
        self.at += 1
        return True

    def fill(self) -> None:
        while self.skip(*_FILLING):
            pass

    def wrong(self, message: str, column: int = 0) -> NoReturn:
        token = self.look()
        raise Refusal("condition", (), message, column=column or (token.column if token else self.end))

    def need(self, what: str) -> _Token:
        token = self.look()
        if token is None or token.word in _JOINING:
            self.wrong(f"{what} is expected here" + (f", not '{token.text}'." if token else "."))
        self.at += 1
        return token

    def name(self, names: NameTable, what: str) -> str:
        """Consume the longest known name at this position, of up to five words."""
        self.skip("the")
        first = self.need(what)
        words, start = [first.text], self.at
        while len(words) < 5 and (token := self.look()) is not None and token.word not in _JOINING:
            words.append(token.text)
            self.at += 1
        for count in range(len(words), 0, -1):
            if len(names.among(" ".join(words[:count]))) == 1:
                self.at = start + count - 1
                return names.among(" ".join(words[:count]))[0]
        self.at = start - 1
        try:
            names.find(first.text)
        except Refusal as refusal:
            self.wrong(refusal.message)
        self.wrong(f"{what} is expected here, not '{first.text[:40]}'.")

    def number(self, what: str) -> int:
        token = self.need(what)
        digits = token.text.removeprefix("£").removesuffix("£")
        if not re.fullmatch(r"\d{1,6}", digits, re.ASCII) or int(digits) < 1:
            self.at -= 1
            self.wrong(f"{what}, from 1, is expected here, not '{token.text[:40]}'.")
        return int(digits)

    def either(self, depth: int) -> Condition:
        some = [self.every(depth)]
        while self.skip("or"):
            some.append(self.every(depth))
        return some[0] if len(some) == 1 else AnyCondition(tuple(some))

    def every(self, depth: int) -> Condition:
        some = [self.one(depth)]
        while self.skip("and"):
            some.append(self.one(depth))
        return some[0] if len(some) == 1 else AllCondition(tuple(some))

    def one(self, depth: int) -> Condition:
        if depth > MAX_CONDITION_DEPTH:
            self.wrong(f"No more than {MAX_CONDITION_DEPTH} brackets and 'not's stand inside one another.")
        if self.skip("not"):
            return NotCondition(self.one(depth + 1))
        if self.skip("("):
            inside = self.either(depth + 1)
            if not self.skip(")"):
                self.wrong("')' is expected here.")
            return inside
        self.found += 1
        if self.found > MAX_CONDITION_PARTS:
            self.wrong(f"A condition speaks of {MAX_CONDITION_PARTS} things at most.")
        return self.does()

    def does(self) -> Condition:
        token = self.look()
        power = ""
        if self.skip(*_ANYONE):
            self.skip("else")
        elif self.skip("any"):
            self.skip("other")
            if not self.skip("power"):
                self.wrong("'any power' or 'anyone' is expected here.")
        else:
            power = self.name(name_index(self.tables).powers, "A Power, or 'anyone'")
            if power in self.own and token is not None:
                self.wrong(
                    "A condition names other Powers, not your own. Your orders are carried out in the order of "
                    "your form.",
                    token.column,
                )
        verb = _VERBS.get(self.word())
        if verb is None:
            word = self.word()
            self.wrong(f"{_EXPECTED_VERB} is expected here" + (f", not '{word[:40]}'." if word else "."))
        self.at += 1
        if verb in (PLACES, UPGRADES, REMOVES):
            return self.marker(power, verb)
        if verb == MOVES:
            return self.moves(power)
        if verb == BUILDS:
            return self.builds(power)
        return self.pays(power) if verb == PAYS else self.hands(power)

    def marker(self, power: str, verb: str) -> EffectCondition:
        self.fill()
        self.skip("to")
        self.fill()
        token = self.need("a Status marker, 'control' or 'anything'")
        kind = ""
        if token.word == "control":
            kind = ANY_CONTROL
        elif token.word not in ("anything", "marker", "any"):
            try:
                kind = find_marker(self.tables, token.text)
            except Refusal as refusal:
                self.at -= 1
                self.wrong(refusal.message)
        self.skip("status")
        self.skip("marker", "markers")
        self.fill()
        self.skip("to", "from")
        self.fill()
        return EffectCondition(power, verb, kind, self.name(name_index(self.tables).areas, "An Area"))

    def least(self) -> int:
        """Parse `at least 5 [strength] [points] [of]`; 0 if absent."""
        if not self.skip("at"):
            return 0
        if not self.skip("least"):
            self.wrong("'least' is expected here, as in 'at least 5 strength points'.")
        points = self.number("a number of strength points")
        self.skip("strength")
        self.skip("points", "point")
        self.skip("of")
        return points

    def units(self) -> Counter[str]:
        """Parse units by name (`A3 A3`, `2xA3`); empty if there are none."""
        found: Counter[str] = Counter()
        while (token := self.look()) is not None and (match := _UNIT.fullmatch(token.text)):
            try:
                found[unit_name(self.tables, match[2])] += int(match[1] or 1)
            except Refusal as refusal:
                self.wrong(refusal.message)
            self.at += 1
        return found

    def what(self, least: int) -> Counter[str]:
        """Parse what is moved or built: units by name, or a kind of unit ('armies')."""
        found = self.units()
        if found:
            if least:
                self.wrong("'at least' goes with armies, fleets or units, not with the names of single units.")
            return found
        token = self.look()
        if token is None or token.word not in _KINDS:
            self.wrong("armies, fleets, units, or units by name such as A3 are expected here.")
        self.at += 1
        self.skip("units", "unit")
        return Counter({_KINDS[token.word]: 1})

    def moves(self, power: str) -> Condition:
        least = self.least()
        units = self.what(least)
        places = name_index(self.tables).places
        source = self.place(power, places) if self.skip("from") else ""
        if not self.skip("to", "into"):
            self.wrong("'to' and a place are expected here, as in 'moves armies to tunis'.")
        return _units_condition(power, MOVES, units, least, self.place(power, places), source)

    def place(self, power: str, names: NameTable) -> str:
        token = self.look()
        found = self.name(names, "A place")
        if found == "home":
            if not power:
                self.wrong("'home' needs a Power before it.", token.column if token else 0)
            return f"home:{power}"
        return found

    def builds(self, power: str) -> Condition:
        self.skip("a", "an", "the")
        if self.skip("canal"):
            self.fill()
            return EffectCondition(power, CANAL, "", self.name(name_index(self.tables).areas, "An Area"))
        least = self.least()
        return _units_condition(power, BUILDS, self.what(least), least, "", "")

    def pays(self, power: str) -> EffectCondition:
        to = self.name(name_index(self.tables).powers, "A Power")
        token = self.look()
        if token is None or token.word in _JOINING:
            return EffectCondition(power, PAYS, "", to)
        return EffectCondition(power, PAYS, "", to, "", self.number("an amount in pounds"), counted=False)

    def hands(self, power: str) -> EffectCondition:
        area = self.name(name_index(self.tables).areas, "An Area")
        if not self.skip("to"):
            self.wrong("'to' and a Power are expected here, as in 'transfers tunis to italy'.")
        return EffectCondition(power, TRANSFERS, "", self.name(name_index(self.tables).powers, "A Power"), area)


def _units_condition(power: str, verb: str, units: Counter[str], least: int, place: str, source: str) -> Condition:
    some = tuple(
        EffectCondition(power, verb, unit, place, source, least or count, counted=not least)
        for unit, count in units.items()
    )
    return some[0] if len(some) == 1 else AllCondition(some)


def format_condition(condition: Condition) -> str:
    """Format a condition as text that `parse_condition` accepts."""
    if isinstance(condition, NotCondition):
        return f"not {_in_parentheses(condition.of)}"
    if isinstance(condition, AllCondition | AnyCondition):
        joint = " and " if isinstance(condition, AllCondition) else " or "
        return joint.join(map(_in_parentheses, condition.of))
    return _format_effect(condition)


def _in_parentheses(condition: Condition) -> str:
    text = format_condition(condition)
    return f"({text})" if isinstance(condition, AllCondition | AnyCondition) else text


def _format_effect(does: EffectCondition) -> str:
    who, verb = does.power or "anyone", does.verb
    if verb in (PLACES, UPGRADES, REMOVES):
        return f"{who} {verb} {does.what or 'anything'} {does.place}"
    if verb == CANAL:
        return f"{who} builds canal {does.place}"
    if verb == PAYS:
        return f"{who} pays {does.place}" + ("" if does.counted else f" {does.least}")
    if verb == TRANSFERS:
        return f"{who} transfers {does.source} to {does.place}"
    kind = {"A": "armies", "N": "fleets", "": "units"}.get(does.what, "")
    if kind:
        what = kind if does.counted else f"at least {does.least} strength points of {kind}"
    else:
        what = f"{does.least}x{does.what}"
    ends = f" from {does.source}" if does.source else ""
    return f"{who} {verb} {what}{ends}" + (f" to {does.place}" if verb == MOVES else "")
