"""The orders of War in the notation: read and written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from paxtui.pax.board.passages import passages
from paxtui.pax.board.tables import Tables
from paxtui.pax.orders import war_actions as ac
from paxtui.pax.words.names import index, unknown
from paxtui.pax.words.order_words import Words

RESUME = "resume"
"""Verb by which the arbiter gives an abandoned seat to a player again."""


def _to(words: Words, what: str) -> tuple[Words, str]:
    """What stands before `to`, and the Power behind it.

    Raises: Refusal `notation`.
    """
    before, to = words.split("to")
    if to is None:
        raise unknown("", f"'to' and a Power, as in '{what}',", word=words.first + len(words.words))
    return before, to.power()


def _declare(verb: str, words: Words) -> ac.DeclareWar:
    at = words.first
    word = words.take("'war' and the Powers it is declared on, as in 'declare war germany',")
    if word.casefold() != "war":
        raise unknown(word, "'war' and the Powers it is declared on", word=at)
    named, over = words.split("over")
    named, beside = named.split("beside")
    if over is not None and beside is None:
        over, beside = over.split("beside")
    ally = beside.power() if beside is not None else ""
    on = named.parties()
    if not on:
        raise unknown("", "a Power, as in 'declare war germany',", word=words.first)
    causes = tuple(dict.fromkeys(over.text.casefold().replace(",", " ").split())) if over is not None else ()
    if over is not None and not causes:
        raise unknown("", "a Casus Belli, such as cb4,", word=over.first)
    return ac.DeclareWar(on, causes, beside=ally)


def _join(verb: str, words: Words) -> ac.JoinWar:
    at = words.first
    text = words.rest()[0]
    if text.casefold().replace(" ", "_") in ("ottoman_empire", "ottomans", "ottoman"):
        return ac.JoinWar("ottoman_empire")
    return ac.JoinWar(index(words.tables).powers.find(text, at))


def _invite(verb: str, words: Words) -> ac.InviteAid:
    at = words.first
    guests = words.powers()
    if not guests:
        raise unknown("", "a Power, as in 'invite france italy',", word=at)
    return ac.InviteAid(guests)


def _volunteer(verb: str, words: Words) -> ac.Volunteer:
    area, to = _to(words, "volunteer aden to japan")
    return ac.Volunteer(area.area(), to)


def _passage(verb: str, words: Words) -> ac.Deny | ac.Allow:
    passage, to = _to(words, f"{verb} suez to france")
    at = passage.first
    found = find_passage(words.tables, passage.rest()[0], at)
    return ac.Deny(found, to) if verb == "deny" else ac.Allow(found, to)


def find_passage(tables: Tables, text: str, word: int = 0) -> str:
    """The passage that a text means.

    Raises: Refusal `notation`.
    """
    known_ones = passages(tables)
    found = [known for known in known_ones if text and known.startswith(text.casefold().replace(" ", "_"))]
    if len(found) != 1:
        raise unknown(text, f"a passage ({', '.join(known_ones)})", word=word)
    return found[0]


def _attack(verb: str, words: Words) -> ac.Attack:
    at, text = words.first, words.rest()[0]
    parts = text.split()
    naval = len(parts) > 1 and parts[-1].casefold() == "naval"
    place = index(words.tables).places.find(" ".join(parts[:-1]) if naval else text, at)
    if place in words.tables.sea_zones or place in words.tables.capes:
        naval = True
    return ac.Attack(place, naval)


def _announce(verb: str, words: Words) -> ac.AnnounceEnd:
    at, text = words.first, words.rest()[0]
    if text.casefold().split() != ["end"]:
        raise unknown(text, "'end', as in 'announce end',", word=at)
    return ac.AnnounceEnd()


def _pass(verb: str, words: Words) -> ac.Pass:
    words.end()
    return ac.Pass()


def _abandon(verb: str, words: Words) -> ac.Abandon:
    at, seats = words.first, words.powers()
    if not seats:
        raise unknown("", f"a Power, as in '{verb} france',", word=at)
    return ac.Abandon(seats, lifted=verb == RESUME)


READERS: dict[str, Callable[[str, Words], Any]] = {
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
"""Every verb of War with its reader."""


def _declare_text(a: ac.DeclareWar) -> str:
    over = f" over {' '.join(a.over)}" if a.over else ""
    return f"declare war {' '.join(a.on)}{over}" + (f" beside {a.beside}" if a.beside else "")


TEXTS: dict[type, Callable[[Any], str]] = {
    ac.DeclareWar: _declare_text,
    ac.JoinWar: lambda a: f"join {a.side}",
    ac.InviteAid: lambda a: f"invite {' '.join(a.guests)}",
    ac.Volunteer: lambda a: f"volunteer {a.area} to {a.to}",
    ac.Deny: lambda a: f"deny {a.passage} to {a.to}",
    ac.Allow: lambda a: f"allow {a.passage} to {a.to}",
    ac.Attack: lambda a: f"attack {a.place}{' naval' if a.naval else ''}",
    ac.AnnounceEnd: lambda a: "announce end",
    ac.Pass: lambda a: "pass",
    ac.Abandon: lambda a: f"{RESUME if a.lifted else 'abandon'} {' '.join(a.seats)}",
}
"""The text of each of these orders."""
