"""The one notation: every action has a text, read by `parse` and written by `text_of`.

It serves the `:` line, the log, the protocol, menus and tests. Whatever the text, `parse` gives an action or a
`Refusal` that says what was expected, at which word, and what comes nearest.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from difflib import get_close_matches
from typing import Any

import msgspec
from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.pax import actions as ac
from paxtui.pax.model import State
from paxtui.pax.names import (
    find_marker,
    index,
    own_home,
    place_text,
    shorten,
    unknown,
)
from paxtui.pax.tables import Tables

LONGEST = 2000
"""Characters of the longest order that is read; only `position` may be longer."""

MOST_UNITS = 200

_UNIT = re.compile(r"(?:(\d{1,3})[x×*]?)?((?:[an]\d{1,3})+)", re.IGNORECASE | re.ASCII)
_PIECE = re.compile(r"([^\s,;]+)[\s,;]*")
_ONE_UNIT = re.compile(r"[an]\d{1,3}", re.IGNORECASE | re.ASCII)
_COAST = re.compile(r"\(([^()]*)\)\s*$")
_WORD = re.compile(r"\S+")
_ARROW = re.compile(r"\s*(?:->|=>|>|→)\s*")


class Undo(msgspec.Struct, frozen=True):
    """Take back the own last action, or (`to`) go back to the position after that line: the log does it, no rule."""

    to: int | None = None


class Redo(msgspec.Struct, frozen=True):
    """Bring back what the last undo took back."""


Order = ac.AnyAction | Undo | Redo


class _Words:
    """The words of an order after its verb, each with its number in the whole text, counted from 1."""

    def __init__(self, tables: Tables, text: str, first: int) -> None:
        self.tables = tables
        self.text = text.strip()
        self.first = first

    @property
    def words(self) -> list[str]:
        """The words that are left."""
        return _WORD.findall(self.text)

    def take(self, expected: str) -> str:
        """The next word.

        Raises: Refusal `notation` when there is none.
        """
        found = _WORD.match(self.text)
        if found is None:
            raise unknown("", expected, word=self.first)
        self.text = self.text[found.end() :].lstrip()
        self.first += 1
        return found.group()

    def rest(self) -> tuple[str, int]:
        """All that is left, and the number of its first word."""
        text, first = self.text, self.first
        self.first += len(self.words)
        self.text = ""
        return text, first

    def end(self) -> None:
        """Raises: Refusal `notation` when there is more."""
        if self.text:
            raise Refusal(
                "notation",
                (),
                f"Word {self.first}: nothing more is expected here, not '{shorten(self.text)}'.",
                position=self.first,
                expected="nothing",
            )

    def split(self, word: str) -> tuple[_Words, _Words | None]:
        """What stands before and after the last `word`; the second is None where it does not occur."""
        found = list(re.finditer(rf"(?<!\S){word}(?!\S)", self.text, re.IGNORECASE))
        if not found:
            return self, None
        at = found[-1]
        before = _Words(self.tables, self.text[: at.start()], self.first)
        number = self.first + len(before.words) + 1
        return before, _Words(self.tables, self.text[at.end() :], number)

    def number(self, expected: str) -> int:
        """The next word as a whole number, with or without a pound sign.

        Raises: Refusal `notation`.
        """
        at = self.first
        word = self.take(expected).removeprefix("£").removesuffix("£")
        if not re.fullmatch(r"-?\d{1,9}", word, re.ASCII):
            raise unknown(word or "£", expected, word=at)
        return int(word)

    def area(self) -> str:
        """All that is left as an Area."""
        return index(self.tables).areas.find(*self.rest())

    def zone(self) -> str:
        """All that is left as a Sea Zone."""
        return index(self.tables).zones.find(*self.rest())

    def power(self) -> str:
        """All that is left as a Power."""
        return index(self.tables).powers.find(*self.rest())

    def powers(self) -> tuple[str, ...]:
        """All that is left as Powers, one after the other."""
        names, found = index(self.tables).powers, []
        at = self.first
        words = [w for w in re.split(r"[\s,]+", self.rest()[0]) if w and w.casefold() != "and"]
        while words:
            for n in range(min(len(words), 3), 0, -1):
                meant = names.among(" ".join(words[:n]))
                if len(meant) == 1:
                    found.append(meant[0])
                    words, at = words[n:], at + n
                    break
            else:
                names.find(words[0], at)
        return tuple(found)

    def units(self) -> tuple[str, ...]:
        """The units that come next: A10, n3, 2xA1, A10A3N1.

        Raises: Refusal `notation`.
        """
        names: list[str] = []
        while (piece := _PIECE.match(self.text)) and (found := _UNIT.fullmatch(piece.group(1))):
            count, several = found.groups()
            for name in _ONE_UNIT.findall(several):
                names.extend([unit_name(self.tables, name, self.first)] * (int(count) if count else 1))
            if len(names) > MOST_UNITS:
                raise Refusal("notation", (), f"Word {self.first}: there are not so many units.", position=self.first)
            self.first += 1
            self.text = self.text[piece.end() :]
        if not names:
            raise unknown(self.text.split(" ")[0], "a unit such as A10, A3 or N1", word=self.first)
        return tuple(names)


def unit_name(tables: Tables, word: str, at: int = 0) -> str:
    """The short name of a unit as the state has it: A10, N3.

    Raises: Refusal `notation`.
    """
    digits = word[1:]
    if not re.fullmatch(r"[anAN]\d{1,3}", word, re.ASCII) or int(digits) not in tables.units:
        strengths = ", ".join(str(s) for s in sorted(tables.units))
        raise unknown(word, f"a unit, A or N with one of the strengths {strengths},", word=at)
    return word[0].upper() + str(int(digits))


# --- one reader a verb ------------------------------------------------------------------------------------------------

_MARKED: dict[str, Callable[[str, str], Order]] = {
    "place": ac.Place,
    "upgrade": ac.Upgrade,
    "downgrade": ac.Downgrade,
    "withdraw": ac.Withdraw,
}
_AREAS: dict[str, Callable[[str], Order]] = {"canal": ac.Canal, "fight": ac.Fight, "decline": ac.Decline}
_BARE: dict[str, Order] = {
    "ready": ac.Ready(),
    "unready": ac.Unready(),
    "advance": ac.Advance(),
    "advance!": ac.Advance(force=True),
    "step": ac.Step(),
    "redo": Redo(),
}


def _marked(verb: str, words: _Words) -> Order:
    at = words.first
    kind = words.take("a Status marker (interest, influence, protectorate, ...)")
    area = words.text
    try:
        find_marker(words.tables, kind, word=at)
    except Refusal as refusal:
        # a sign that two kinds share is told apart by the Area, anything else is the marker's fault
        if refusal.code != "ambiguous" or kind.isalnum():
            raise
    area = words.area()
    return _MARKED[verb](find_marker(words.tables, kind, area, at), area)


def _area_only(verb: str, words: _Words) -> Order:
    return _AREAS[verb](words.area())


def _bare(verb: str, words: _Words) -> Order:
    words.end()
    return _BARE[verb]


def _garrison(verb: str, words: _Words) -> Order:
    words.end()
    return ac.Garrison()


def _transfer(verb: str, words: _Words) -> Order:
    area, to = words.split("to")
    if to is None:
        end = words.first + len(words.words)
        raise unknown("", "'to' and a Power, as in 'transfer tunis to italy',", word=end)
    return ac.Transfer(area.area(), to.power())


def _build(verb: str, words: _Words) -> Order:
    units = words.units()
    bracket = _COAST.fullmatch(words.text)
    if bracket:
        words.text = bracket.group(1).strip()
    box = words.zone() if words.text or bracket else ""
    return ac.Build(units, box)


def _move(verb: str, words: _Words) -> Order:
    units = words.units()
    bracket = _COAST.search(words.text)
    coast_text = bracket.group(1) if bracket else ""
    if bracket:
        words.text = words.text[: bracket.start()].rstrip()
    at = words.first
    path: list[str] = []
    places = index(words.tables).places
    for n, part in enumerate(_ARROW.split(words.rest()[0])):
        path.append(places.find(part, at))
        at += len(part.split()) + 1
        if n > 60:
            raise Refusal("notation", (), "No path is so long.", position=at)
    if len(path) < 2:
        raise unknown("", "'>' and the place where the move ends", word=max(words.first, at - 1))
    coast = index(words.tables).zones.find(coast_text, at - 1) if bracket else ""
    return ac.Move(units, tuple(path), coast)


def _merchant(verb: str, words: _Words) -> Order:
    at = words.first
    parts = _ARROW.split(words.rest()[0])
    if len(parts) != 2:
        raise unknown("", "'SEA ZONE > SEA ZONE' or 'new > SEA ZONE'", word=at)
    zones = index(words.tables).zones
    start = "new" if parts[0].strip().casefold() == "new" else zones.find(parts[0], at)
    return ac.Merchant(start, zones.find(parts[1], at + len(parts[0].split()) + 1))


def _pay(verb: str, words: _Words) -> Order:
    amount_at = words.first + max(0, len(words.words) - 1)
    name, _, amount = words.text.rpartition(" ")
    if not name:
        name, amount = words.text, ""
    to = index(words.tables).powers.find(name, words.first)
    return ac.Pay(to, _Words(words.tables, amount, amount_at + (not amount)).number("an amount in pounds"))


def _choose(verb: str, words: _Words) -> Order:
    id_ = words.take("the name of a choice, such as c12").casefold()
    return ac.Choose(id_, tuple(words.rest()[0].split()))


def _waive(verb: str, words: _Words) -> Order:
    id_ = words.take("the name of a Casus Belli, such as cb4").casefold()
    words.end()
    return ac.Waive(id_)


def _codominion(verb: str, words: _Words) -> Order:
    area, also = words.split("with")
    return ac.Codominion(area.area(), also.powers() if also is not None else ())


def _undo(verb: str, words: _Words) -> Order:
    to = words.number("the number of a line") if words.text else None
    words.end()
    return Undo(to)


def _position(verb: str, words: _Words) -> Order:
    at = words.first
    text, _ = words.rest()
    try:
        patch = msgspec.json.decode(text.encode("utf-8", "replace"), type=dict[str, Any])
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise Refusal("notation", (), f"Word {at}: a patch in JSON is expected here ({error}).", position=at) from None
    return ac.SetPosition(patch)


VERBS: dict[str, Callable[[str, _Words], Order]] = {
    **dict.fromkeys(_MARKED, _marked),
    "transfer": _transfer,
    "build": _build,
    "move": _move,
    "merchant": _merchant,
    "canal": _area_only,
    "pay": _pay,
    "garrison": _garrison,
    "fight": _area_only,
    "decline": _area_only,
    "choose": _choose,
    "codominion": _codominion,
    "waive": _waive,
    **dict.fromkeys(_BARE, _bare),
    "undo": _undo,
    "position": _position,
}
"""Every verb of the notation with its reader."""


def parse(tables: Tables, text: str, state: State | None = None) -> Order:
    """The action that `text` asks for.

    Args: the tables; the text; the position, where it is known. `home` in a path stays as it is unless a Power
    stands in front of the order; `decide` knows who acts.
    Raises: Refusal `notation` or `ambiguous`, with `position`: the number of the word at fault, from 1.
    """
    text = text.strip()
    first = 1
    prefix = ""
    head, colon, tail = text.partition(":")
    before = head.split()
    if colon and (not before or before[0].casefold() not in VERBS):
        prefix = index(tables).powers.find(head, 1)
        text, first = tail.strip(), len(before) + 1
    words = text.split(None, 1)
    if not words:
        raise unknown("", "an order, such as 'ready',", word=first)
    verb = words[0].casefold()
    if len(text) > LONGEST and verb != "position":
        raise Refusal("notation", (), f"An order has {LONGEST} characters at most.", position=first)
    read = VERBS.get(verb)
    if read is None:
        near = get_close_matches(verb[:20], VERBS, n=1, cutoff=0.5)
        raise unknown(words[0], f"an order ({', '.join(VERBS)})", near[0] if near else "", first)
    order = read(verb, _Words(tables, words[1] if len(words) > 1 else "", first + 1))
    if prefix:
        if not hasattr(order, "power"):
            raise Refusal(
                "notation", (), f"'{verb}' belongs to the seat, so no Power stands in front of it.", position=1
            )
        order = replace(order, power=prefix)
    if isinstance(order, ac.Move):
        order = replace(order, path=own_home(order.path, order.power))
    return order


# --- writing ----------------------------------------------------------------------------------------------------------


def text_of(tables: Tables, action: Order | ac.Action) -> str:
    """The text of an action, in ids; `parse` of it gives the action again."""
    power = getattr(action, "power", "")
    text = _TEXTS[type(action)](action)
    return f"{power}: {text}" if power else text


def _marked_text(a: Any) -> str:
    return f"{type(a).__name__.lower()} {a.marker} {a.area}"


def _area_text(a: Any) -> str:
    return f"{type(a).__name__.lower()} {a.area}"


def _bare_text(a: Any) -> str:
    return type(a).__name__.lower()


def _move_text(a: ac.Move) -> str:
    path = " > ".join(place_text(place, a.power) for place in a.path)
    return f"move {' '.join(a.units)} {path}" + (f" ({a.coast})" if a.coast else "")


def _build_text(a: ac.Build) -> str:
    return " ".join(("build", *a.units, *([a.box] if a.box else [])))


def _codominion_text(a: ac.Codominion) -> str:
    return f"codominion {a.area}" + (f" with {' '.join(a.also)}" if a.also else "")


_TEXTS: dict[type, Callable[[Any], str]] = {
    ac.Place: _marked_text,
    ac.Upgrade: _marked_text,
    ac.Downgrade: _marked_text,
    ac.Withdraw: _marked_text,
    ac.Transfer: lambda a: f"transfer {a.area} to {a.to}",
    ac.Build: _build_text,
    ac.Move: _move_text,
    ac.Merchant: lambda a: f"merchant {a.start} > {a.to}",
    ac.Canal: _area_text,
    ac.Pay: lambda a: f"pay {a.to} {a.amount}",
    ac.Garrison: _bare_text,
    ac.Fight: _area_text,
    ac.Decline: _area_text,
    ac.Choose: lambda a: " ".join(("choose", a.id, *a.answer)),
    ac.Codominion: _codominion_text,
    ac.Waive: lambda a: f"waive {a.id}",
    ac.Ready: _bare_text,
    ac.Unready: _bare_text,
    ac.Advance: lambda a: "advance!" if a.force else "advance",
    ac.Step: _bare_text,
    ac.SetPosition: lambda a: "position " + msgspec.json.encode(a.patch).decode(),
    Undo: lambda a: "undo" if a.to is None else f"undo {a.to}",
    Redo: _bare_text,
}


# --- structured actions ---------------------------------------------------------------------------------------------


def decode(tables: Tables, raw: object) -> ac.AnyAction:
    """A structured action (builtins with a `type`) with every name in it put right.

    Raises: Refusal `bad_action` with the path of what is wrong, `notation` or `ambiguous` for a name.
    """
    try:
        action: ac.AnyAction = msgspec.convert(raw, type=ac.AnyAction)
    except (msgspec.ValidationError, ValueError, TypeError, RecursionError) as error:
        raise Refusal("bad_action", (), f"This is no action: {error}.") from None
    return checked(tables, action)


def checked(tables: Tables, action: ac.AnyAction) -> ac.AnyAction:
    """`action` with ids in place of names.

    Raises: Refusal `bad_action`, `notation` or `ambiguous`.
    """
    names = index(tables)
    changes: dict[str, Any] = {}
    for field in action.__struct_fields__:
        value = getattr(action, field)
        if field == "area":
            changes[field] = names.areas.find(value)
        elif field == "marker":
            changes[field] = find_marker(tables, value, names.areas.find(getattr(action, "area", "")))
        elif field in ("power", "box", "coast") and not value:
            continue
        elif field == "power" or (field == "to" and not isinstance(action, ac.Merchant)):
            changes[field] = names.powers.find(value)
        elif field == "also":
            changes[field] = tuple(names.powers.find(p) for p in value)
        elif field in ("box", "coast", "to") or (field == "start" and value != "new"):
            changes[field] = names.zones.find(value)
        elif field == "units":
            if not value or len(value) > MOST_UNITS:
                raise Refusal("bad_action", (), f"From 1 to {MOST_UNITS} units are named at once.")
            changes[field] = tuple(unit_name(tables, u) for u in value)
        elif field == "path":
            if not 2 <= len(value) <= 60:
                raise Refusal("bad_action", (), "A path has two ends at least.")
            changes[field] = own_home(tuple(names.places.find(p) for p in value), getattr(action, "power", ""))
        elif field == "amount" and abs(value) >= 10**9:
            raise Refusal("bad_action", (), "Nobody has that much money.")
    return replace(action, **changes)
