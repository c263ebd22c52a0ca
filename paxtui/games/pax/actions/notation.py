"""The notation: `parse_order` reads the text of an action, `format_order` writes it.

Command line, log, protocol, menus and tests use it. For any text, `parse_order` returns an action or raises a
`Refusal` that names the word at fault, what was expected, and the nearest known name.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from difflib import get_close_matches
from typing import Any

import msgspec
from msgspec.structs import replace

from paxtui.engine.game import Redo, Undo
from paxtui.engine.refusal import Refusal
from paxtui.engine.upcast import Raw
from paxtui.games.pax.actions import actions, treaty_notation
from paxtui.games.pax.actions.dispatches import Dispatch, format_dispatch, parse_dispatch
from paxtui.games.pax.board.adjacency import passages
from paxtui.games.pax.board.tables import HOME, Tables
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import OTTOMAN_EMPIRE
from paxtui.games.pax.text.display import join_with_or
from paxtui.games.pax.text.parsing import (
    HOME_WORD,
    WordReader,
    expand_home,
    find_marker,
    fold_name,
    name_index,
    place_text,
    shorten,
    unknown_name,
)

RESUME = "resume"
"""Verb of the arbiter that returns an abandoned seat to a player."""


def _to(words: WordReader, what: str) -> tuple[WordReader, str]:
    """Split at `to`: return the words before it and the Power after it.

    Raises:
        Refusal: `notation`.
    """
    before, to = words.split("to")
    if to is None:
        raise unknown_name("", f"'to' and a Power, as in '{what}',", word=words.first + len(words.words))
    return before, to.power()


def _declare(verb: str, words: WordReader) -> actions.DeclareWar:
    at = words.first
    word = words.take("'war' and the Powers it is declared on, as in 'declare war germany',")
    if word.casefold() != "war":
        raise unknown_name(word, "'war' and the Powers it is declared on", word=at)
    named, over = words.split("over")
    named, beside = named.split("beside")
    if over is not None and beside is None:
        over, beside = over.split("beside")
    ally = beside.power() if beside is not None else ""
    on = named.parties()
    if not on:
        raise unknown_name("", "a Power, as in 'declare war germany',", word=words.first)
    causes = tuple(dict.fromkeys(over.text.casefold().replace(",", " ").split())) if over is not None else ()
    if over is not None and not causes:
        raise unknown_name("", "a Casus Belli, such as cb4,", word=over.first)
    return actions.DeclareWar(on, causes, beside=ally)


def _join(verb: str, words: WordReader) -> actions.JoinWar:
    at = words.first
    text = words.rest()[0]
    if text.casefold().replace(" ", "_") in ("ottoman_empire", "ottomans", "ottoman"):
        return actions.JoinWar("ottoman_empire")
    return actions.JoinWar(name_index(words.tables).powers.find(text, at))


def _invite(verb: str, words: WordReader) -> actions.InviteAid:
    at = words.first
    guests = words.powers()
    if not guests:
        raise unknown_name("", "a Power, as in 'invite france italy',", word=at)
    return actions.InviteAid(guests)


def _volunteer(verb: str, words: WordReader) -> actions.Volunteer:
    area, to = _to(words, "volunteer aden to japan")
    return actions.Volunteer(area.area(), to)


def _passage(verb: str, words: WordReader) -> actions.Deny | actions.Allow:
    passage, to = _to(words, f"{verb} suez to france")
    at = passage.first
    found = find_passage(words.tables, passage.rest()[0], at)
    return actions.Deny(found, to) if verb == "deny" else actions.Allow(found, to)


def find_passage(tables: Tables, text: str, word: int = 0) -> str:
    """Return the passage that a text names.

    Raises:
        Refusal: `notation`.
    """
    known_ones = passages(tables)
    found = [known for known in known_ones if text and known.startswith(text.casefold().replace(" ", "_"))]
    if len(found) != 1:
        raise unknown_name(text, f"a passage ({', '.join(known_ones)})", word=word)
    return found[0]


def _attack(verb: str, words: WordReader) -> actions.Attack:
    at, text = words.first, words.rest()[0]
    parts = text.split()
    naval = len(parts) > 1 and parts[-1].casefold() == "naval"
    place = name_index(words.tables).places.find(" ".join(parts[:-1]) if naval else text, at)
    if place in words.tables.sea_zones or place in words.tables.capes:
        naval = True
    return actions.Attack(place, naval)


def _announce(verb: str, words: WordReader) -> actions.AnnounceEnd:
    at, text = words.first, words.rest()[0]
    if text.casefold().split() != ["end"]:
        raise unknown_name(text, "'end', as in 'announce end',", word=at)
    return actions.AnnounceEnd()


def _pass(verb: str, words: WordReader) -> actions.Pass:
    words.end()
    return actions.Pass()


def _abandon(verb: str, words: WordReader) -> actions.Abandon:
    at, seats = words.first, words.powers()
    if not seats:
        raise unknown_name("", f"a Power, as in '{verb} france',", word=at)
    return actions.Abandon(seats, lifted=verb == RESUME)


WAR_PARSERS: dict[str, Callable[[str, WordReader], Any]] = {
    "declare": _declare,
    "join": _join,
    "invite": _invite,
    "volunteer": _volunteer,
    "deny": _passage,
    "allow": _passage,
    "attack": _attack,
    "announce": _announce,
    "pass": _pass,
    "abandon": _abandon,
    RESUME: _abandon,
}
"""Parsers of the War orders, by verb."""


def _declare_text(a: actions.DeclareWar) -> str:
    over = f" over {' '.join(a.over)}" if a.over else ""
    return f"declare war {' '.join(a.on)}{over}" + (f" beside {a.beside}" if a.beside else "")


WAR_FORMATTERS: dict[type, Callable[[Any], str]] = {
    actions.DeclareWar: _declare_text,
    actions.JoinWar: lambda a: f"join {a.side}",
    actions.InviteAid: lambda a: f"invite {' '.join(a.guests)}",
    actions.Volunteer: lambda a: f"volunteer {a.area} to {a.to}",
    actions.Deny: lambda a: f"deny {a.passage} to {a.to}",
    actions.Allow: lambda a: f"allow {a.passage} to {a.to}",
    actions.Attack: lambda a: f"attack {a.place}{' naval' if a.naval else ''}",
    actions.AnnounceEnd: lambda a: "announce end",
    actions.Pass: lambda a: "pass",
    actions.Abandon: lambda a: f"{RESUME if a.lifted else 'abandon'} {' '.join(a.seats)}",
}
"""Formatters of the War orders, by struct."""


MAX_ORDER_LENGTH = 2000
"""Maximum length of an order, in characters."""

FREE_TEXT_VERBS = ("position", "adjudicate", "dispatch", "proclaim", *treaty_notation.DRAFTING)
"""Verbs of orders that may be longer."""

_COAST = re.compile(r"\(([^()]*)\)\s*$")
_SIDE = re.compile(r"(?!\s*home\s*:)([^:]+):([^:]+)", re.IGNORECASE)
"""An Area and one of its Sea Zones: `egypt:mediterranean`."""
_HOME_SIDE = re.compile(r"\s*(home)\s*:\s*([^:]+?)\s*", re.IGNORECASE)
"""The own Home Country and one of its boxes: `home:north_atlantic`. `home:france` names a Power instead."""
_ARROW = re.compile(r"\s*(?:->|=>|>|→)\s*")


Order = actions.AnyAction | Undo | Redo | Dispatch

PowerAction = (
    actions.Move
    | actions.Merchant
    | actions.Garrison
    | actions.Place
    | actions.Upgrade
    | actions.Downgrade
    | actions.Withdraw
    | actions.Build
    | actions.Canal
    | actions.Transfer
    | actions.Pay
    | actions.Codominion
    | actions.Defend
    | actions.CallCongress
    | actions.DeclareWar
    | actions.Draft
    | actions.Sign
    | actions.Reject
    | actions.Reveal
    | actions.Renounce
    | actions.Volunteer
)
"""Orders of a Power that the rules, or a bot, propose."""


# --- one reader a verb ------------------------------------------------------------------------------------------------

_MARKED: dict[str, Callable[[str, str], Order]] = {
    "place": actions.Place,
    "upgrade": actions.Upgrade,
    "downgrade": actions.Downgrade,
    "withdraw": actions.Withdraw,
}
_AREAS: dict[str, Callable[[str], Order]] = {"fight": actions.Fight, "decline": actions.Decline}
_BARE: dict[str, Order] = {
    "ready": actions.Ready(),
    "unready": actions.Unready(),
    "advance": actions.Advance(),
    "advance!": actions.Advance(force=True),
    "step": actions.Step(),
    "redo": Redo(),
}


def _marked(verb: str, words: WordReader) -> Order:
    at = words.first
    kind = words.take("a Status marker (interest, influence, protectorate, ...)")
    area = words.text
    try:
        find_marker(words.tables, kind, word=at)
    except Refusal as refusal:
        # the Area decides between kinds that share a sign; other errors concern the marker
        if refusal.code != "ambiguous" or kind.isalnum():
            raise
    area = words.area()
    return _MARKED[verb](find_marker(words.tables, kind, area, at), area)


def _canal(verb: str, words: WordReader) -> Order:
    """Parse `canal panama`, or, for a joint canal, `canal panama with france 15/15 points 8/7`."""
    rest, gains = words.split("points")
    area, with_ = rest.split("with")
    if with_ is None:
        return actions.Canal(area.area(), points=gains.parts("Victory Points") if gains else ())
    powers, _, costs = with_.text.rpartition(" ")
    if "/" not in costs:
        at = with_.first + len(with_.words)
        raise unknown_name("", "what each pays, the builder first, as in 'canal panama with france 15/15',", word=at)
    pounds = WordReader(words.tables, costs, with_.first + len(powers.split())).parts("pounds")
    also = WordReader(words.tables, powers, with_.first).powers()
    return actions.Canal(area.area(), "", also, pounds, gains.parts("Victory Points") if gains else ())


def _congress(verb: str, words: WordReader) -> Order:
    at = words.first
    site, over = words.split("over")
    power = name_index(words.tables).powers.find(site.take("the country where it meets, as in 'congress france',"), at)
    if site.text:
        raise unknown_name(site.text.split()[0], "'over' and Casus Belli, or nothing,", word=at + 1)
    causes = tuple(dict.fromkeys(over.text.casefold().replace(",", " ").split())) if over is not None else ()
    if over is not None and not causes:
        raise unknown_name("", "a Casus Belli, such as cb4,", word=over.first)
    return actions.CallCongress(power, causes)


def _defend(verb: str, words: WordReader) -> Order:
    at = words.first
    minor = name_index(words.tables).powers.find(words.take("a Minor Power, as in 'defend belgium kongo',"), at)
    return actions.Defend(minor, words.area())


def _area_only(verb: str, words: WordReader) -> Order:
    return _AREAS[verb](words.area())


def _bare(verb: str, words: WordReader) -> Order:
    words.end()
    return _BARE[verb]


def _garrison(verb: str, words: WordReader) -> Order:
    words.end()
    return actions.Garrison()


def _transfer(verb: str, words: WordReader) -> Order:
    area, to = words.split("to")
    if to is None:
        end = words.first + len(words.words)
        raise unknown_name("", "'to' and a Power, as in 'transfer tunis to italy',", word=end)
    return actions.Transfer(area.area(), to.power())


def _build(verb: str, words: WordReader) -> Order:
    units = words.units()
    bracket = _COAST.fullmatch(words.text)
    if bracket:
        words.text = bracket.group(1).strip()
    box = words.zone() if words.text or bracket else ""
    return actions.Build(units, box)


def _move(verb: str, words: WordReader) -> Order:
    units = words.units()
    bracket = _COAST.search(words.text)
    coast_text = bracket.group(1) if bracket else ""
    if bracket:
        words.text = words.text[: bracket.start()].rstrip()
    at = words.first
    path: list[str] = []
    sides: list[str] = []
    places = name_index(words.tables).places
    for n, part in enumerate(_ARROW.split(words.rest()[0])):
        side, own = _SIDE.fullmatch(part), _HOME_SIDE.fullmatch(part)
        if own and own[2].casefold() in words.tables.sea_zones:
            side = own
        area, zone = side.groups() if side else (part, "")
        path.append(places.find(area, at))
        sides.append(name_index(words.tables).zones.find(zone, at) if zone else "")
        at += len(part.split()) + 1
        if n > 60:
            raise Refusal("notation", (), "No path is so long.", position=at)
    if len(path) < 2:
        raise unknown_name("", "'>' and the place where the move ends", word=max(words.first, at - 1))
    coast = name_index(words.tables).zones.find(coast_text, at - 1) if bracket else sides[-1]
    return actions.Move(units, tuple(path), coast, start_coast=sides[0])


def _merchant(verb: str, words: WordReader) -> Order:
    at = words.first
    parts = _ARROW.split(words.rest()[0])
    if len(parts) != 2:
        raise unknown_name("", "'SEA ZONE > SEA ZONE' or 'new > SEA ZONE'", word=at)
    zones = name_index(words.tables).zones
    start = "new" if parts[0].strip().casefold() == "new" else zones.find(parts[0], at)
    return actions.Merchant(start, zones.find(parts[1], at + len(parts[0].split()) + 1))


def _pay(verb: str, words: WordReader) -> Order:
    amount_at = words.first + max(0, len(words.words) - 1)
    name, _, amount = words.text.rpartition(" ")
    if not name:
        name, amount = words.text, ""
    to = name_index(words.tables).powers.find(name, words.first)
    return actions.Pay(to, WordReader(words.tables, amount, amount_at + (not amount)).number("an amount in pounds"))


def _choose(verb: str, words: WordReader) -> Order:
    id_ = words.take("the name of a choice, such as c12").casefold()
    return actions.Choose(id_, tuple(words.rest()[0].split()))


def _waive(verb: str, words: WordReader) -> Order:
    id_ = words.take("the name of a Casus Belli, such as cb4").casefold()
    words.end()
    return actions.Waive(id_)


def _codominion(verb: str, words: WordReader) -> Order:
    area, also = words.split("with")
    return actions.Codominion(area.area(), also.powers() if also is not None else ())


def _undo(verb: str, words: WordReader) -> Order:
    to = words.number("the number of a line") if words.text else None
    words.end()
    return Undo(to)


def _position(verb: str, words: WordReader) -> Order:
    at = words.first
    text, _ = words.rest()
    try:
        patch = msgspec.json.decode(text.encode("utf-8", "replace"), type=Raw)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise Refusal("notation", (), f"Word {at}: a patch in JSON is expected here ({error}).", position=at) from None
    return actions.SetPosition(patch)


VERBS: dict[str, Callable[[str, WordReader], Order]] = {
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
    "dispatch": parse_dispatch,
    "proclaim": parse_dispatch,
    "position": _position,
    "adjudicate": actions.parse_adjudicate,
    **treaty_notation.TREATY_PARSERS,
    **WAR_PARSERS,
}
"""All verbs of the notation with their parsers."""


def _unknown_verb(word: str, position: int) -> Refusal:
    """Return the refusal of an unknown verb, with similar verbs."""
    written = word.casefold()[:20]
    near = get_close_matches(written, VERBS, n=3, cutoff=0.65) or get_close_matches(written, VERBS, n=1, cutoff=0.5)
    hint = f" Did you mean {join_with_or(near)}?" if near else ""
    message = f"There is no order '{shorten(word)}'.{hint}"
    return Refusal("notation", (), message, position=position, expected="an order", near=near[0] if near else "")


def parse_order(tables: Tables, text: str, state: State | None = None) -> Order:
    """Return the action that `text` asks for.

    `home` in a path stays unchanged, unless a Power precedes the order; `decide` knows the acting Power.

    Args:
        tables: of the game.
        text: the order.
        state: the position, if known.

    Raises:
        Refusal: `notation` or `ambiguous`, with `position`: the number of the word at fault, from 1.
    """
    text = text.strip()
    first = 1
    prefix = ""
    head, colon, tail = text.partition(":")
    before = head.split()
    if colon and (not before or before[0].casefold() not in VERBS):
        # an ally of the Ottoman Empire gives the orders of its Armies
        prefix = (
            OTTOMAN_EMPIRE if fold_name(head) == fold_name(OTTOMAN_EMPIRE) else name_index(tables).powers.find(head, 1)
        )
        text, first = tail.strip(), len(before) + 1
    words = text.split(None, 1)
    if not words:
        raise unknown_name("", "an order, such as 'ready',", word=first)
    verb = words[0].casefold()
    if verb.partition(":")[0] in ("proclaim", *treaty_notation.DRAFTING) and ":" in verb:
        verb = verb.partition(":")[0]
        words = [verb, text[len(verb) :]]
    if len(text) > MAX_ORDER_LENGTH and verb not in FREE_TEXT_VERBS:
        raise Refusal("notation", (), f"An order has {MAX_ORDER_LENGTH} characters at most.", position=first)
    read = VERBS.get(verb)
    if read is None:
        raise _unknown_verb(words[0], first)
    order = read(verb, WordReader(tables, words[1] if len(words) > 1 else "", first + 1))
    if prefix:
        if not hasattr(order, "power"):
            raise Refusal(
                "notation", (), f"'{verb}' belongs to the seat, so no Power stands in front of it.", position=1
            )
        order = replace(order, power=prefix)
    if isinstance(order, actions.Move):
        order = replace(order, path=expand_home(order.path, order.power))
    return order


# --- writing ----------------------------------------------------------------------------------------------------------


def format_order(tables: Tables, action: Order | actions.Action) -> str:
    """Return the text of an action, in ids; `parse_order` of it returns the same action."""
    power = getattr(action, "power", "")
    if isinstance(action, Dispatch):
        return format_dispatch(tables, action)
    if isinstance(action, actions.Draft):
        text = treaty_notation.format_draft(tables, action)
    else:
        text = _FORMATTERS[type(action)](action)
    return f"{power}: {text}" if power else text


def format_for_seat(tables: Tables, action: PowerAction, seat: str) -> str:
    """Return the text of an order as the seat types it: without the name of its own Power."""
    power = action.power or seat
    if isinstance(action, actions.Move):
        path = tuple(HOME_WORD if place == HOME + power else place for place in action.path)
        action = replace(action, path=path)
    return format_order(tables, replace(action, power="" if power == seat else power))


def _marked_text(a: Any) -> str:
    return f"{type(a).__name__.lower()} {a.marker} {a.area}"


def _area_text(a: Any) -> str:
    return f"{type(a).__name__.lower()} {a.area}"


def _bare_text(a: Any) -> str:
    return type(a).__name__.lower()


def _move_text(a: actions.Move) -> str:
    places = [place_text(place, a.power) for place in a.path]
    if a.start_coast:
        places[0] += f":{a.start_coast}"
    path = " > ".join(places)
    return f"move {' '.join(a.units)} {path}" + (f" ({a.coast})" if a.coast else "")


def _build_text(a: actions.Build) -> str:
    return " ".join(("build", *a.units, *([a.box] if a.box else [])))


def _canal_text(a: actions.Canal) -> str:
    together = f" with {' '.join(a.also)} {_shares(a.costs)}" if a.also else ""
    return f"canal {a.area}{together}" + (f" points {_shares(a.points)}" if a.points else "")


def _shares(numbers: tuple[int, ...]) -> str:
    return "/".join(map(str, numbers))


def _codominion_text(a: actions.Codominion) -> str:
    return f"codominion {a.area}" + (f" with {' '.join(a.also)}" if a.also else "")


_FORMATTERS: dict[type, Callable[[Any], str]] = {
    actions.CallCongress: lambda a: f"congress {a.site}" + (f" over {' '.join(a.over)}" if a.over else ""),
    actions.Place: _marked_text,
    actions.Upgrade: _marked_text,
    actions.Downgrade: _marked_text,
    actions.Withdraw: _marked_text,
    actions.Transfer: lambda a: f"transfer {a.area} to {a.to}",
    actions.Build: _build_text,
    actions.Move: _move_text,
    actions.Merchant: lambda a: f"merchant {a.start} > {a.to}",
    actions.Canal: _canal_text,
    actions.Pay: lambda a: f"pay {a.to} {a.amount}",
    actions.Garrison: _bare_text,
    actions.Fight: _area_text,
    actions.Decline: _area_text,
    actions.Choose: lambda a: " ".join(("choose", a.id, *a.answer)),
    actions.Codominion: _codominion_text,
    actions.Waive: lambda a: f"waive {a.id}",
    actions.Defend: lambda a: f"defend {a.minor} {a.area}",
    actions.Ready: _bare_text,
    actions.Unready: _bare_text,
    actions.Advance: lambda a: "advance!" if a.force else "advance",
    actions.Step: _bare_text,
    actions.SetPosition: lambda a: "position " + msgspec.json.encode(a.patch).decode(),
    actions.Adjudicate: actions.format_adjudicate,
    Undo: lambda a: "undo" if a.to is None else f"undo {a.to}",
    Redo: _bare_text,
    **treaty_notation.TREATY_FORMATTERS,
    **WAR_FORMATTERS,
}
