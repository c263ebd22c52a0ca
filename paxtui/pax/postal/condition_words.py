"""Conditions in words: read, with the place of what is wrong, and said again.

    britain places protectorate tunis            anyone places control in tunis
    france upgrades possession algiers           russia removes influence persia
    italy moves at least 5 strength points of armies to tunis
    germany builds N10                           france pays italy 20
    france transfers tunis to italy              britain builds canal panama

with `and`, `or`, `not` and brackets between them.

Rules: PBM-015 (R-PBM-01)
"""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple, NoReturn

from paxtui.engine.refusal import Refusal
from paxtui.pax.board.tables import Tables
from paxtui.pax.postal import conditions as co
from paxtui.pax.postal.conditions import All, Any, Condition, Does, Not
from paxtui.pax.words.names import Names, find_marker, index
from paxtui.pax.words.order_words import unit_name

DEEPEST = 20
"""Brackets and `not`s inside one another that are read."""

MOST = 40
"""Things that one condition may speak of."""

_TOKEN = re.compile(r"[()]|[^\s(),]+")
_JOINING = ("and", "or", "not", "(", ")", "unless", "if")
_FILLING = ("a", "an", "the", "its", "of", "in", "on", "at", "into")
_VERBS = {
    **dict.fromkeys(("places", "place", "placed", "puts", "put"), co.PLACES),
    **dict.fromkeys(("upgrades", "upgrade", "upgraded"), co.UPGRADES),
    **dict.fromkeys(("removes", "remove", "removed", "withdraws", "withdraw", "lowers", "lower"), co.REMOVES),
    **dict.fromkeys(("moves", "move", "moved"), co.MOVES),
    **dict.fromkeys(("builds", "build", "built", "buys"), co.BUILDS),
    **dict.fromkeys(("pays", "pay", "paid"), co.PAYS),
    **dict.fromkeys(("transfers", "transfer", "hands"), co.TRANSFERS),
}
_ANYONE = ("anyone", "anybody", "someone", "somebody")
_KINDS = {
    **dict.fromkeys(("armies", "army"), "A"),
    **dict.fromkeys(("fleets", "fleet", "naval"), "N"),
    **dict.fromkeys(("units", "unit"), ""),
}
_UNIT = re.compile(r"(?:(\d{1,3})[x×*]?)?([an]\d{1,3})", re.IGNORECASE | re.ASCII)
_SAYING = "what it does (places, upgrades, removes, moves, builds, pays or transfers)"


class _Token(NamedTuple):
    text: str
    column: int

    @property
    def word(self) -> str:
        return self.text.casefold()


def read_condition(tables: Tables, text: str, column: int = 1, own: tuple[str, ...] = ()) -> Condition:
    """The condition in `text`.

    Args: the tables; the text; the column at which it begins; the Powers of the seat whose order it is, if known.
    Raises: Refusal `condition`, with `column`: where what is wrong stands.
    """
    tokens = [_Token(found.group(), column + found.start()) for found in _TOKEN.finditer(text)]
    reader = _Reader(tables, tokens, column + len(text.rstrip()), own)
    condition = reader.either(0)
    left = reader.look()
    if left is not None:
        reader.wrong(f"'and', 'or' or the end of the condition is expected here, not '{left.text[:40]}'.")
    return condition


class _Reader:
    """The words of a condition, taken one after the other."""

    def __init__(self, tables: Tables, tokens: list[_Token], end: int, own: tuple[str, ...]) -> None:
        self.tables, self.tokens, self.end, self.own = tables, tokens, end, own
        self.at = self.found = 0

    # --- words ----------------------------------------------------------------------------------------------------

    def look(self) -> _Token | None:
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def word(self) -> str:
        token = self.look()
        return token.word if token is not None else ""

    def skip(self, *words: str) -> bool:
        """Whether the next word is one of these; it is taken then."""
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

    def name(self, names: Names, what: str) -> str:
        """The name that comes next, of up to five words; the longest that is one."""
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

    # --- and, or, not ---------------------------------------------------------------------------------------------

    def either(self, depth: int) -> Condition:
        some = [self.every(depth)]
        while self.skip("or"):
            some.append(self.every(depth))
        return some[0] if len(some) == 1 else Any(tuple(some))

    def every(self, depth: int) -> Condition:
        some = [self.one(depth)]
        while self.skip("and"):
            some.append(self.one(depth))
        return some[0] if len(some) == 1 else All(tuple(some))

    def one(self, depth: int) -> Condition:
        if depth > DEEPEST:
            self.wrong(f"No more than {DEEPEST} brackets and 'not's stand inside one another.")
        if self.skip("not"):
            return Not(self.one(depth + 1))
        if self.skip("("):
            inside = self.either(depth + 1)
            if not self.skip(")"):
                self.wrong("')' is expected here.")
            return inside
        self.found += 1
        if self.found > MOST:
            self.wrong(f"A condition speaks of {MOST} things at most.")
        return self.does()

    # --- what a Power does ----------------------------------------------------------------------------------------

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
            power = self.name(index(self.tables).powers, "A Power, or 'anyone'")
            if power in self.own and token is not None:
                self.wrong(
                    "A condition speaks of other Powers, not of your own: your orders are carried out in the "
                    "sequence of your form.",
                    token.column,
                )
        verb = _VERBS.get(self.word())
        if verb is None:
            said = self.word()
            self.wrong(f"{_SAYING} is expected here" + (f", not '{said[:40]}'." if said else "."))
        self.at += 1
        if verb in (co.PLACES, co.UPGRADES, co.REMOVES):
            return self.marker(power, verb)
        if verb == co.MOVES:
            return self.moves(power)
        if verb == co.BUILDS:
            return self.builds(power)
        return self.pays(power) if verb == co.PAYS else self.hands(power)

    def marker(self, power: str, verb: str) -> Does:
        self.fill()
        self.skip("to")
        self.fill()
        token = self.need("a Status marker, 'control' or 'anything'")
        kind = ""
        if token.word == "control":
            kind = co.ANY_CONTROL
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
        return Does(power, verb, kind, self.name(index(self.tables).areas, "An Area"))

    def least(self) -> int:
        """`at least 5 [strength] [points] [of]`, 0 where it is not said."""
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
        """Units by name (`A3 A3`, `2xA3`); empty where none comes next."""
        found: Counter[str] = Counter()
        while (token := self.look()) is not None and (said := _UNIT.fullmatch(token.text)):
            try:
                found[unit_name(self.tables, said[2])] += int(said[1] or 1)
            except Refusal as refusal:
                self.wrong(refusal.message)
            self.at += 1
        return found

    def what(self, least: int) -> Counter[str]:
        """What is moved or built: units by name, or a kind of them ('armies')."""
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

    def measured(self, power: str, verb: str, units: Counter[str], least: int, place: str, source: str) -> Condition:
        some = tuple(
            Does(power, verb, unit, place, source, least or count, counted=not least) for unit, count in units.items()
        )
        return some[0] if len(some) == 1 else All(some)

    def moves(self, power: str) -> Condition:
        least = self.least()
        units = self.what(least)
        places = index(self.tables).places
        source = self.place(power, places) if self.skip("from") else ""
        if not self.skip("to", "into"):
            self.wrong("'to' and a place are expected here, as in 'moves armies to tunis'.")
        return self.measured(power, co.MOVES, units, least, self.place(power, places), source)

    def place(self, power: str, names: Names) -> str:
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
            return Does(power, co.CANAL, "", self.name(index(self.tables).areas, "An Area"))
        least = self.least()
        return self.measured(power, co.BUILDS, self.what(least), least, "", "")

    def pays(self, power: str) -> Does:
        to = self.name(index(self.tables).powers, "A Power")
        token = self.look()
        if token is None or token.word in _JOINING:
            return Does(power, co.PAYS, "", to)
        return Does(power, co.PAYS, "", to, "", self.number("an amount in pounds"), counted=False)

    def hands(self, power: str) -> Does:
        area = self.name(index(self.tables).areas, "An Area")
        if not self.skip("to"):
            self.wrong("'to' and a Power are expected here, as in 'transfers tunis to italy'.")
        return Does(power, co.TRANSFERS, "", self.name(index(self.tables).powers, "A Power"), area)


# --- said again -------------------------------------------------------------------------------------------------------


def text_of_condition(condition: Condition) -> str:
    """A condition in words; `read_condition` of them gives it again."""
    if isinstance(condition, Not):
        return f"not {_inside(condition.of)}"
    if isinstance(condition, All | Any):
        joint = " and " if isinstance(condition, All) else " or "
        return joint.join(map(_inside, condition.of))
    return _text_of_does(condition)


def _inside(condition: Condition) -> str:
    text = text_of_condition(condition)
    return f"({text})" if isinstance(condition, All | Any) else text


def _text_of_does(does: Does) -> str:
    who, verb = does.power or "anyone", does.verb
    if verb in (co.PLACES, co.UPGRADES, co.REMOVES):
        return f"{who} {verb} {does.what or 'anything'} {does.place}"
    if verb == co.CANAL:
        return f"{who} builds canal {does.place}"
    if verb == co.PAYS:
        return f"{who} pays {does.place}" + ("" if does.counted else f" {does.least}")
    if verb == co.TRANSFERS:
        return f"{who} transfers {does.source} to {does.place}"
    kind = {"A": "armies", "N": "fleets", "": "units"}.get(does.what, "")
    if kind:
        what = kind if does.counted else f"at least {does.least} strength points of {kind}"
    else:
        what = f"{does.least}x{does.what}"
    ends = f" from {does.source}" if does.source else ""
    return f"{who} {verb} {what}{ends}" + (f" to {does.place}" if verb == co.MOVES else "")
