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
from paxtui.engine.upcast import Raw
from paxtui.pax.board.tables import HOME, Tables
from paxtui.pax.orders import actions as ac
from paxtui.pax.orders import postal_actions, treaty_orders, war_orders
from paxtui.pax.orders.dispatches import Dispatch, read_dispatch, text_of_dispatch
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import EXPANSION
from paxtui.pax.words.names import OWN_HOME, find_marker, index, key, own_home, place_text, shorten, unknown
from paxtui.pax.words.order_words import Words
from paxtui.pax.words.spoken import any_of

LONGEST = 2000
"""Characters of the longest order that is read."""

WORDY = ("position", "adjudicate", "dispatch", "proclaim", *treaty_orders.DRAFTING)
"""Orders that may be longer."""

_COAST = re.compile(r"\(([^()]*)\)\s*$")
_SIDE = re.compile(r"(?!\s*home\s*:)([^:]+):([^:]+)", re.IGNORECASE)
"""An Area and the Sea Zone on the side meant: `egypt:mediterranean`."""
_OWN_SIDE = re.compile(r"\s*(home)\s*:\s*([^:]+?)\s*", re.IGNORECASE)
"""One's own Home Country and a box of it: `home:north_atlantic`; instead a Power may follow, as in `home:france`."""
_ARROW = re.compile(r"\s*(?:->|=>|>|→)\s*")


class Undo(msgspec.Struct, frozen=True):
    """Take back your own last action, or (`to`) go back to the position after that line: the log does it, no rule."""

    to: int | None = None


class Redo(msgspec.Struct, frozen=True):
    """Bring back what the last undo took back."""


Order = ac.AnyAction | Undo | Redo | Dispatch

PowersAct = (
    ac.Move | ac.Merchant | ac.Garrison | ac.Place | ac.Upgrade | ac.Downgrade | ac.Withdraw | ac.Build | ac.Canal
    | ac.Transfer | ac.Pay | ac.Codominion | ac.Defend | ac.CallCongress | ac.DeclareWar
    | ac.Draft | ac.Sign | ac.Reject | ac.Reveal | ac.Renounce | ac.Volunteer
)  # fmt: skip
"""Orders of a Power that the rules, or a bot, propose."""


# --- one reader a verb ------------------------------------------------------------------------------------------------

_MARKED: dict[str, Callable[[str, str], Order]] = {
    "place": ac.Place,
    "upgrade": ac.Upgrade,
    "downgrade": ac.Downgrade,
    "withdraw": ac.Withdraw,
}
_AREAS: dict[str, Callable[[str], Order]] = {"fight": ac.Fight, "decline": ac.Decline}
_BARE: dict[str, Order] = {
    "ready": ac.Ready(),
    "unready": ac.Unready(),
    "advance": ac.Advance(),
    "advance!": ac.Advance(force=True),
    "step": ac.Step(),
    "redo": Redo(),
}


def _marked(verb: str, words: Words) -> Order:
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


def _canal(verb: str, words: Words) -> Order:
    """`canal panama`, or with others `canal panama with france 15/15 points 8/7`."""
    rest, gains = words.split("points")
    area, with_ = rest.split("with")
    if with_ is None:
        return ac.Canal(area.area(), points=gains.parts("Victory Points") if gains else ())
    powers, _, costs = with_.text.rpartition(" ")
    if "/" not in costs:
        at = with_.first + len(with_.words)
        raise unknown("", "what each pays, the builder first, as in 'canal panama with france 15/15',", word=at)
    pounds = Words(words.tables, costs, with_.first + len(powers.split())).parts("pounds")
    also = Words(words.tables, powers, with_.first).powers()
    return ac.Canal(area.area(), "", also, pounds, gains.parts("Victory Points") if gains else ())


def _congress(verb: str, words: Words) -> Order:
    at = words.first
    site, over = words.split("over")
    power = index(words.tables).powers.find(site.take("the country where it meets, as in 'congress france',"), at)
    if site.text:
        raise unknown(site.text.split()[0], "'over' and Casus Belli, or nothing,", word=at + 1)
    causes = tuple(dict.fromkeys(over.text.casefold().replace(",", " ").split())) if over is not None else ()
    if over is not None and not causes:
        raise unknown("", "a Casus Belli, such as cb4,", word=over.first)
    return ac.CallCongress(power, causes)


def _defend(verb: str, words: Words) -> Order:
    at = words.first
    minor = index(words.tables).powers.find(words.take("a Minor Power, as in 'defend belgium kongo',"), at)
    return ac.Defend(minor, words.area())


def _area_only(verb: str, words: Words) -> Order:
    return _AREAS[verb](words.area())


def _bare(verb: str, words: Words) -> Order:
    words.end()
    return _BARE[verb]


def _garrison(verb: str, words: Words) -> Order:
    words.end()
    return ac.Garrison()


def _transfer(verb: str, words: Words) -> Order:
    area, to = words.split("to")
    if to is None:
        end = words.first + len(words.words)
        raise unknown("", "'to' and a Power, as in 'transfer tunis to italy',", word=end)
    return ac.Transfer(area.area(), to.power())


def _build(verb: str, words: Words) -> Order:
    units = words.units()
    bracket = _COAST.fullmatch(words.text)
    if bracket:
        words.text = bracket.group(1).strip()
    box = words.zone() if words.text or bracket else ""
    return ac.Build(units, box)


def _move(verb: str, words: Words) -> Order:
    units = words.units()
    bracket = _COAST.search(words.text)
    coast_text = bracket.group(1) if bracket else ""
    if bracket:
        words.text = words.text[: bracket.start()].rstrip()
    at = words.first
    path: list[str] = []
    sides: list[str] = []
    places = index(words.tables).places
    for n, part in enumerate(_ARROW.split(words.rest()[0])):
        side, own = _SIDE.fullmatch(part), _OWN_SIDE.fullmatch(part)
        if own and own[2].casefold() in words.tables.sea_zones:
            side = own
        area, zone = side.groups() if side else (part, "")
        path.append(places.find(area, at))
        sides.append(index(words.tables).zones.find(zone, at) if zone else "")
        at += len(part.split()) + 1
        if n > 60:
            raise Refusal("notation", (), "No path is so long.", position=at)
    if len(path) < 2:
        raise unknown("", "'>' and the place where the move ends", word=max(words.first, at - 1))
    coast = index(words.tables).zones.find(coast_text, at - 1) if bracket else sides[-1]
    return ac.Move(units, tuple(path), coast, start_coast=sides[0])


def _merchant(verb: str, words: Words) -> Order:
    at = words.first
    parts = _ARROW.split(words.rest()[0])
    if len(parts) != 2:
        raise unknown("", "'SEA ZONE > SEA ZONE' or 'new > SEA ZONE'", word=at)
    zones = index(words.tables).zones
    start = "new" if parts[0].strip().casefold() == "new" else zones.find(parts[0], at)
    return ac.Merchant(start, zones.find(parts[1], at + len(parts[0].split()) + 1))


def _pay(verb: str, words: Words) -> Order:
    amount_at = words.first + max(0, len(words.words) - 1)
    name, _, amount = words.text.rpartition(" ")
    if not name:
        name, amount = words.text, ""
    to = index(words.tables).powers.find(name, words.first)
    return ac.Pay(to, Words(words.tables, amount, amount_at + (not amount)).number("an amount in pounds"))


def _choose(verb: str, words: Words) -> Order:
    id_ = words.take("the name of a choice, such as c12").casefold()
    return ac.Choose(id_, tuple(words.rest()[0].split()))


def _waive(verb: str, words: Words) -> Order:
    id_ = words.take("the name of a Casus Belli, such as cb4").casefold()
    words.end()
    return ac.Waive(id_)


def _codominion(verb: str, words: Words) -> Order:
    area, also = words.split("with")
    return ac.Codominion(area.area(), also.powers() if also is not None else ())


def _undo(verb: str, words: Words) -> Order:
    to = words.number("the number of a line") if words.text else None
    words.end()
    return Undo(to)


def _position(verb: str, words: Words) -> Order:
    at = words.first
    text, _ = words.rest()
    try:
        patch = msgspec.json.decode(text.encode("utf-8", "replace"), type=Raw)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise Refusal("notation", (), f"Word {at}: a patch in JSON is expected here ({error}).", position=at) from None
    return ac.SetPosition(patch)


VERBS: dict[str, Callable[[str, Words], Order]] = {
    **dict.fromkeys(_MARKED, _marked),
    "transfer": _transfer,
    "build": _build,
    "move": _move,
    "merchant": _merchant,
    "canal": _canal,
    "pay": _pay,
    "garrison": _garrison,
    "fight": _area_only,
    "decline": _area_only,
    "choose": _choose,
    "codominion": _codominion,
    "waive": _waive,
    "defend": _defend,
    "congress": _congress,
    **dict.fromkeys(_BARE, _bare),
    "undo": _undo,
    "dispatch": read_dispatch,
    "proclaim": read_dispatch,
    "position": _position,
    "adjudicate": postal_actions.read_adjudicate,
    **treaty_orders.READERS,
    **war_orders.READERS,
}
"""Every verb of the notation with its reader."""


def _unknown_verb(word: str, position: int) -> Refusal:
    """The refusal of a first word that is no order, with the orders that are spelled like it."""
    written = word.casefold()[:20]
    near = get_close_matches(written, VERBS, n=3, cutoff=0.65) or get_close_matches(written, VERBS, n=1, cutoff=0.5)
    hint = f" Did you mean {any_of(near)}?" if near else ""
    message = f"There is no order '{shorten(word)}'.{hint}"
    return Refusal("notation", (), message, position=position, expected="an order", near=near[0] if near else "")


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
        # whoever stands beside the Ottoman Empire gives its Armies their orders
        prefix = EXPANSION if key(head) == key(EXPANSION) else index(tables).powers.find(head, 1)
        text, first = tail.strip(), len(before) + 1
    words = text.split(None, 1)
    if not words:
        raise unknown("", "an order, such as 'ready',", word=first)
    verb = words[0].casefold()
    if verb.partition(":")[0] in ("proclaim", *treaty_orders.DRAFTING) and ":" in verb:
        verb = verb.partition(":")[0]
        words = [verb, text[len(verb) :]]
    if len(text) > LONGEST and verb not in WORDY:
        raise Refusal("notation", (), f"An order has {LONGEST} characters at most.", position=first)
    read = VERBS.get(verb)
    if read is None:
        raise _unknown_verb(words[0], first)
    order = read(verb, Words(tables, words[1] if len(words) > 1 else "", first + 1))
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
    if isinstance(action, Dispatch):
        return text_of_dispatch(tables, action)
    if isinstance(action, ac.Draft):
        text = treaty_orders.text_of_draft(tables, action)
    else:
        text = _TEXTS[type(action)](action)
    return f"{power}: {text}" if power else text


def typed(tables: Tables, action: PowersAct, seat: str) -> str:
    """The text of an order of one of a seat's Powers, as that seat types it: its own Power is not named."""
    power = action.power or seat
    if isinstance(action, ac.Move):
        path = tuple(OWN_HOME if place == HOME + power else place for place in action.path)
        action = replace(action, path=path)
    return text_of(tables, replace(action, power="" if power == seat else power))


def _marked_text(a: Any) -> str:
    return f"{type(a).__name__.lower()} {a.marker} {a.area}"


def _area_text(a: Any) -> str:
    return f"{type(a).__name__.lower()} {a.area}"


def _bare_text(a: Any) -> str:
    return type(a).__name__.lower()


def _move_text(a: ac.Move) -> str:
    places = [place_text(place, a.power) for place in a.path]
    if a.start_coast:
        places[0] += f":{a.start_coast}"
    path = " > ".join(places)
    return f"move {' '.join(a.units)} {path}" + (f" ({a.coast})" if a.coast else "")


def _build_text(a: ac.Build) -> str:
    return " ".join(("build", *a.units, *([a.box] if a.box else [])))


def _canal_text(a: ac.Canal) -> str:
    together = f" with {' '.join(a.also)} {_shares(a.costs)}" if a.also else ""
    return f"canal {a.area}{together}" + (f" points {_shares(a.points)}" if a.points else "")


def _shares(numbers: tuple[int, ...]) -> str:
    return "/".join(map(str, numbers))


def _codominion_text(a: ac.Codominion) -> str:
    return f"codominion {a.area}" + (f" with {' '.join(a.also)}" if a.also else "")


_TEXTS: dict[type, Callable[[Any], str]] = {
    ac.CallCongress: lambda a: f"congress {a.site}" + (f" over {' '.join(a.over)}" if a.over else ""),
    ac.Place: _marked_text,
    ac.Upgrade: _marked_text,
    ac.Downgrade: _marked_text,
    ac.Withdraw: _marked_text,
    ac.Transfer: lambda a: f"transfer {a.area} to {a.to}",
    ac.Build: _build_text,
    ac.Move: _move_text,
    ac.Merchant: lambda a: f"merchant {a.start} > {a.to}",
    ac.Canal: _canal_text,
    ac.Pay: lambda a: f"pay {a.to} {a.amount}",
    ac.Garrison: _bare_text,
    ac.Fight: _area_text,
    ac.Decline: _area_text,
    ac.Choose: lambda a: " ".join(("choose", a.id, *a.answer)),
    ac.Codominion: _codominion_text,
    ac.Waive: lambda a: f"waive {a.id}",
    ac.Defend: lambda a: f"defend {a.minor} {a.area}",
    ac.Ready: _bare_text,
    ac.Unready: _bare_text,
    ac.Advance: lambda a: "advance!" if a.force else "advance",
    ac.Step: _bare_text,
    ac.SetPosition: lambda a: "position " + msgspec.json.encode(a.patch).decode(),
    ac.Adjudicate: postal_actions.text_of_adjudicate,
    Undo: lambda a: "undo" if a.to is None else f"undo {a.to}",
    Redo: _bare_text,
    **treaty_orders.TEXTS,
    **war_orders.TEXTS,
}
