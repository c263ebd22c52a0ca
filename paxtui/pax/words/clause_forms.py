"""The forms that a clause may take in the notation, each with what reads its fields out of the words.

`paxtui.pax.words.clause_kinds` has an example of each kind.

Rules: TRE-002, TRE-004, TRE-005, TRE-013
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from paxtui.pax.board.tables import Tables
from paxtui.pax.state.pieces import ARMY, NAVAL
from paxtui.pax.words.clause_check import written_out
from paxtui.pax.words.names import find_marker, index, marker_kinds, unknown
from paxtui.pax.words.order_words import Words

ALL = ("all", "everybody", "everyone", "each", "both", "nobody")
"""Words for all parties alike."""

_ARMIES = ("army", "armies", "troops")
_FLEETS = ("naval", "navy", "navies", "fleet", "fleets", "ship", "ships")
_ANY_UNITS = ("unit", "units", "point", "points", "strength")
_ANY_MARKERS = ("marker", "markers", "status")
_I = re.IGNORECASE
_ALLIANCE = re.compile(
    r"(?P<kind>defensive|offensive)(?: alliance)?(?: by (?P<by>.+?))?(?: against (?P<against>.+))?", _I
)

_PEACE = re.compile(r"non[-_ ]?aggression(?: pact)?", _I)
_SHARED = re.compile(r"shared[-_ ]cause(?: against (?P<against>.+))?", _I)
_NONE = re.compile(r"no (?P<what>.+?)(?: by (?P<by>.+?))?(?: in (?P<places>.+))?", _I)
_LIMIT = re.compile(
    r"at (?P<kind>most|least) (?P<amount>\d+)(?: (?P<what>.+?))?(?: by (?P<by>.+?))?(?: in (?P<places>.+))?",
    _I | re.ASCII,
)

_SHARE = re.compile(
    r"codominion (?:of|in) (?P<area>.+?) with (?P<against>.+?)(?: as (?P<marker>\S+))?(?: paid by (?P<by>.+))?", _I
)

_VERBS = r"builds?|pays?|transfers?|grants?|lowers?|leaves?|withdraws?|waives?|votes?|lets?|coals?"
_SUBJECT = re.compile(rf"(?P<by>.+?) (?P<verb>{_VERBS})(?: (?P<rest>.*))?", _I)
_PAY = re.compile(r"(?P<to>.+?) £?(?P<amount>\d+)£?", _I | re.ASCII)
_PAY_TO = re.compile(r"£?(?P<amount>\d+)£? to (?P<to>.+)", _I | re.ASCII)
_TRANSFER = re.compile(r"(?P<area>.+) to (?P<to>.+?)", _I)
_GRANT = re.compile(r"(?P<to>.+?) (?:an? )?(?P<marker>\S+) in (?P<area>.+?)(?: paid by (?P<against>.+))?", _I)
_LOWER = re.compile(r"(?P<area>.+) to (?P<marker>\S+)", _I)
_WAIVE = re.compile(r"(?P<area>.+?)??(?:(?:^| )against (?P<to>.+))?", _I)
_VOTE = re.compile(r"(?P<vote>\S+)(?: for (?P<to>.+?))?(?: on (?P<places>.+))?", _I)
_WATERS = r"(?:the )?(?:canals?|straits?)"
_LET = re.compile(rf"(?P<to>.+?) (?:pass )?through(?: {_WATERS})?(?: and {_WATERS})?", _I)
Fields = dict[str, Any]


class Reader:
    """One clause while it is read: what it says so far, and where its words stand."""

    def __init__(self, tables: Tables, text: str, first: int) -> None:
        self.tables = tables
        self.text = text
        self.first = first
        self.names = index(tables)
        self.fields: Fields = {}

    def at(self, offset: int) -> int:
        """Number of the word that begins at `offset` of the text."""
        return self.first + len(self.text[:offset].split())

    def power(self, m: re.Match[str], group: str) -> str:
        """The Power a group names."""
        return self.names.powers.find(m[group], self.at(m.start(group)))

    def powers(self, m: re.Match[str], group: str) -> tuple[str, ...]:
        """The Powers a group names, () where it is left out."""
        return Words(self.tables, m[group], self.at(m.start(group))).powers() if m[group] else ()

    def area(self, m: re.Match[str], group: str) -> tuple[str, ...]:
        """The one Area a group names."""
        return (self.names.areas.find(m[group], self.at(m.start(group))),)

    def marker(self, m: re.Match[str], group: str, area: str = "") -> str:
        """The kind of Status marker a group names."""
        return find_marker(self.tables, m[group], area, self.at(m.start(group)))

    def who(self, m: re.Match[str], group: str = "by") -> str:
        """The Power a group names, "" for all alike."""
        return self.power(m, group) if m[group] and m[group].casefold() not in ALL else ""

    def where(self, m: re.Match[str], zones: bool) -> Fields:
        """The places a group names, and the region they were written out from."""
        if not m["places"]:
            raise unknown("", "'in' and Areas, as in 'in kenya, uganda',", word=self.at(len(self.text)))
        region, places = written_out(self.tables, m["places"], zones, self.at(m.start("places")))
        return {"region": region, "places": places}

    def units(self, text: str, at: int) -> tuple[str, ...]:
        """Units, or a kind of them; () for any."""
        found: list[str] = []
        pieces = re.split(r"[\s,]+", text.strip())
        for piece in pieces:
            word = piece.casefold()
            if word in _ARMIES:
                found.append(ARMY)
            elif word in _FLEETS:
                found.append(NAVAL)
            elif word not in (*_ANY_UNITS, "military", "and", "of", ""):
                found.extend(Words(self.tables, piece, at).units())
            at += 1
        return tuple(found)


def _alliance(r: Reader, m: re.Match[str]) -> Fields:
    return {"kind": m["kind"].casefold(), "power": r.who(m), "against": r.powers(m, "against")}


def _peace(r: Reader, m: re.Match[str]) -> Fields:
    return {"kind": "non_aggression"}


def _shared(r: Reader, m: re.Match[str]) -> Fields:
    return {"kind": "shared_cause", "against": r.powers(m, "against")}


def _none(r: Reader, m: re.Match[str]) -> Fields:
    """`no marker`, `no protectorate`, `no control`: markers; everything else: units."""
    what, at = m["what"], r.at(m.start("what"))
    word = what.split()[0].casefold()
    marker = "protectorate" if word == "control" else ""
    if not marker and word not in _ANY_MARKERS:
        if len(marker_kinds(r.tables, what)) != 1:
            units = r.units(what, at)
            return {"kind": "no_unit", "power": r.who(m), "units": units, **r.where(m, True)}
        marker = find_marker(r.tables, what, "", at)
    return {"kind": "no_marker", "power": r.who(m), "marker": marker, **r.where(m, False)}


def _limit(r: Reader, m: re.Match[str]) -> Fields:
    units = r.units(m["what"], r.at(m.start("what"))) if m["what"] else ()
    kind, amount = f"at_{m['kind'].casefold()}", min(int(m["amount"][:9]), 10**6)
    return {"kind": kind, "power": r.who(m), "units": units, "amount": amount, **r.where(m, True)}


def _share(r: Reader, m: re.Match[str]) -> Fields:
    area = r.area(m, "area")
    marker = r.marker(m, "marker", area[0]) if m["marker"] else ""
    by = r.power(m, "by") if m["by"] else ""
    return {"kind": "codominion", "places": area, "against": r.powers(m, "against"), "marker": marker, "power": by}


def _subject(r: Reader, m: re.Match[str]) -> Fields:
    """`POWER does something`."""
    verb, rest = m["verb"].casefold(), m["rest"] or ""
    verb = next(v for v in _ACTING if verb.startswith(v))
    inner = Reader(r.tables, rest, r.at(m.start("rest")) if m["rest"] else r.at(len(r.text)))
    return {"power": r.who(m), **_ACTING[verb](inner)}


def _build(r: Reader) -> Fields:
    word, _, rest = r.text.partition(" ")
    if word.casefold() == "no":
        return {"kind": "no_build", "units": r.units(rest, r.first + 1)}
    return {"kind": "build", "units": r.units(r.text, r.first)}


def _pay(r: Reader) -> Fields:
    m = _PAY_TO.fullmatch(r.text) or _PAY.fullmatch(r.text)
    if m is None:
        raise unknown(r.text, "a Power and pounds, as in 'france pays italy 15',", word=r.first)
    return {"kind": "pay", "to": r.power(m, "to"), "amount": min(int(m["amount"][:9]), 10**6)}


def _transfer(r: Reader) -> Fields:
    m = _TRANSFER.fullmatch(r.text)
    if m is None:
        raise unknown(r.text, "an Area, 'to' and a Power, as in 'britain transfers hong_kong to japan',", word=r.first)
    word, _, rest = m["area"].partition(" ")
    marker, area, at = "", m["area"], r.first
    if rest and word.casefold() in r.tables.markers:
        marker, area, at = word.casefold(), rest, r.first + 1
    return {"kind": "transfer", "marker": marker, "places": (r.names.areas.find(area, at),), "to": r.power(m, "to")}


def _grant(r: Reader) -> Fields:
    m = _GRANT.fullmatch(r.text)
    if m is None:
        example = "britain grants germany protectorate in kenya"
        raise unknown(r.text, f"a Power, a Status marker, 'in' and an Area, as in '{example}',", word=r.first)
    area = r.area(m, "area")
    marker = r.marker(m, "marker", area[0])
    payer = r.powers(m, "against")
    return {"kind": "grant", "to": r.power(m, "to"), "marker": marker, "places": area, "against": payer}


def _lower(r: Reader) -> Fields:
    m = _LOWER.fullmatch(r.text)
    if m is None:
        raise unknown(r.text, "an Area, 'to' and a marker, as in 'france lowers tunis to influence',", word=r.first)
    area = r.area(m, "area")
    gone = m["marker"].casefold() in ("nothing", "none", "nil")
    return {"kind": "lower", "places": area, "marker": "" if gone else r.marker(m, "marker", area[0])}


def _leave(r: Reader) -> Fields:
    text = re.sub(r"^from ", "", r.text, flags=_I)
    at = r.first + (text != r.text)
    return {"kind": "lower", "places": (r.names.areas.find(text, at),)}


def _waive(r: Reader) -> Fields:
    m = _WAIVE.fullmatch(r.text)
    if m is None or not r.text:
        raise unknown(r.text, "an Area or 'against POWER', as in 'italy waives tunis',", word=r.first)
    places: tuple[str, ...] = ()
    to = r.power(m, "to") if m["to"] else ""
    if m["area"]:
        if not to and not r.names.areas.among(m["area"]) and len(r.names.powers.among(m["area"])) == 1:
            to = r.power(m, "area")
        else:
            places = r.area(m, "area")
    return {"kind": "waive", "places": places, "to": to}


def _vote(r: Reader) -> Fields:
    m = _VOTE.fullmatch(r.text)
    vote = m["vote"].casefold() if m else ""
    if m is None or vote not in ("yes", "no", "abstain"):
        raise unknown(r.text, "yes, no or abstain", word=r.first)
    places: tuple[str, ...] = ()
    if m["places"]:
        places = written_out(r.tables, m["places"], False, r.at(m.start("places")))[1]
    return {"kind": "vote", "vote": vote, "to": r.power(m, "to") if m["to"] else "", "places": places}


def _let(r: Reader) -> Fields:
    m = _LET.fullmatch(r.text)
    if m is None:
        raise unknown(r.text, "a Power and 'through canals', as in 'britain lets russia through canals',", word=r.first)
    return {"kind": "passage", "to": r.power(m, "to")}


def _coal(r: Reader) -> Fields:
    return {"kind": "coaling", "to": r.names.powers.find(r.text, r.first)}


_ACTING: dict[str, Callable[[Reader], Fields]] = {
    "build": _build,
    "pay": _pay,
    "transfer": _transfer,
    "grant": _grant,
    "lower": _lower,
    "leave": _leave,
    "withdraw": _leave,
    "waive": _waive,
    "vote": _vote,
    "let": _let,
    "coal": _coal,
}

FORMS: tuple[tuple[re.Pattern[str], Callable[[Reader, re.Match[str]], Fields]], ...] = (
    (_ALLIANCE, _alliance),
    (_PEACE, _peace),
    (_SHARED, _shared),
    (_NONE, _none),
    (_LIMIT, _limit),
    (_SHARE, _share),
    (_SUBJECT, _subject),
)
