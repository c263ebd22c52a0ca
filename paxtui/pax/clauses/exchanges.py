"""What is done by an agreement: at once, at a date, each Game Turn, or when something happens.

Rules: TRE-004, NEG-003, NEG-011 to NEG-014, NEG-018, NEG-019, COD-001, COD-013, STA-036, AUS-010, AUS-011, CON-016 to
CON-020 (R-NEG-03, R-NEG-08, Decision 23)
"""

from __future__ import annotations

import re

from paxtui.pax.board.tables import Tables
from paxtui.pax.clauses.kind import MOVEMENT, NEGOTIATION, Act, Form, Kind, Settling, Terms
from paxtui.pax.clauses.phrases import a_marker, first_place, named, not_to_itself, of_subject
from paxtui.pax.clauses.reader import Reader, words_of
from paxtui.pax.state.pieces import CONTROL
from paxtui.pax.state.treaty import Clause
from paxtui.pax.words.names import unknown
from paxtui.pax.words.spoken import power_name, powers_named

# --- a Casus Belli given up ---------------------------------------------------------------------------------------

_WAIVED = words_of(r"(?P<area>.+?)??(?:(?:^| )against (?P<to>.+))?")


def _read_waive(r: Reader, power: str) -> Clause:
    m = _WAIVED.fullmatch(r.text)
    if m is None or not r.text:
        raise unknown(r.text, "an Area or 'against POWER', as in 'italy waives tunis',", word=r.first)
    to = r.power(m, "to")
    if m["area"] and not to and not r.names.areas.among(m["area"]) and len(r.names.powers.among(m["area"])) == 1:
        return Clause("waive", power=power, to=r.power(m, "area"))
    return Clause("waive", power=power, to=to, places=r.area(m, "area"))


def _say_waive(t: Tables, c: Clause) -> str:
    whom = f" against {power_name(t, c.to)}" if c.to else ""
    where = f" over {first_place(t, c)}" if c.places else ""
    return f"{named(t, c)} gives up its Casus Belli{whom}{where}"


def _waive(s: Settling, c: Clause) -> None:
    s.waive(c.power, c.places[0] if c.places else "", c.to)


WAIVE = Kind(
    id="waive",
    what="a Casus Belli given up",
    usage="POWER waives AREA [against POWER]",
    example="italy waives tunis",
    needs=("power", "places|to"),
    may=("turn", "until", "upon"),
    areas=1,
    forms=(of_subject("waives?", _read_waive),),
    text=lambda c: f"{c.power} waives" + (f" {c.places[0]}" if c.places else "") + (f" against {c.to}" if c.to else ""),
    say=_say_waive,
    phases=(NEGOTIATION,),
    act=Act(_waive, "SEQ-019", minor="MIN-002"),
)


# --- a marker lowered ---------------------------------------------------------------------------------------------

_LOWERED = words_of(r"(?P<area>.+) to (?P<marker>\S+)")
_NOTHING = ("nothing", "none", "nil")


def _read_lower(r: Reader, power: str) -> Clause:
    m = _LOWERED.fullmatch(r.text)
    if m is None:
        raise unknown(r.text, "an Area, 'to' and a marker, as in 'france lowers tunis to influence',", word=r.first)
    area = r.area(m, "area")
    marker = "" if m["marker"].casefold() in _NOTHING else r.marker(m, "marker", area[0])
    return Clause("lower", power=power, places=area, marker=marker)


def _read_leave(r: Reader, power: str) -> Clause:
    """`leaves tunis`, `withdraws from tunis`."""
    begin, _, rest = r.text.partition(" ")
    text, at = (rest, r.first + 1) if begin.casefold() == "from" and rest else (r.text, r.first)
    return Clause("lower", power=power, places=(r.names.areas.find(text, at),))


def _say_lower(t: Tables, c: Clause) -> str:
    who, where = named(t, c), first_place(t, c)
    return f"{who} lowers its marker in {where} to {a_marker(t, c.marker)}" if c.marker else f"{who} gives up {where}"


def _not_a_crown(terms: Terms) -> None:
    """States and Dominions are not what a marker is lowered to. Rules: NEG-003."""
    marker = terms.clause.marker
    if marker and terms.tables.markers[marker].only_for:
        terms.no("not_lower", ("NEG-003", "TRE-006"), "no marker is lowered to a State or Dominion.")


LOWER = Kind(
    id="lower",
    what="a Status marker of one's own lowered or withdrawn",
    usage="POWER lowers AREA to MARKER; POWER leaves AREA",
    example="france lowers tunis to influence",
    needs=("power", "places"),
    may=("marker", "turn", "until", "upon"),
    areas=1,
    forms=(of_subject("lowers?", _read_lower), of_subject("leaves?|withdraws?", _read_leave)),
    text=lambda c: f"{c.power} lowers {c.places[0]} to {c.marker}" if c.marker else f"{c.power} leaves {c.places[0]}",
    say=_say_lower,
    check=_not_a_crown,
    phases=(NEGOTIATION,),
    act=Act(lambda s, c: s.lower(c.power, c.places[0], c.marker), "STA-031", minor="MIN-002"),
)


# --- a marker handed over -----------------------------------------------------------------------------------------

_TRANSFERRED = words_of(r"(?P<area>.+) to (?P<to>.+?)")


def _read_transfer(r: Reader, power: str) -> Clause:
    m = _TRANSFERRED.fullmatch(r.text)
    if m is None:
        raise unknown(r.text, "an Area, 'to' and a Power, as in 'britain transfers hong_kong to japan',", word=r.first)
    word, _, rest = m["area"].partition(" ")
    marker, area, at = "", m["area"], r.first
    if rest and word.casefold() in r.tables.markers:
        marker, area, at = word.casefold(), rest, r.first + 1
    where = (r.names.areas.find(area, at),)
    return Clause("transfer", power=power, marker=marker, places=where, to=r.power(m, "to"))


def _say_transfer(t: Tables, c: Clause) -> str:
    what = t.markers[c.marker].name if c.marker else "Status marker"
    return f"{named(t, c)} hands its {what} in {first_place(t, c)} to {power_name(t, c.to)}"


def _may_change_hands(terms: Terms) -> None:
    """States and Dominions stay with their Power. Rules: STA-036."""
    not_to_itself(terms)
    marker = terms.clause.marker
    if marker and terms.tables.markers[marker].only_for:
        terms.no("crown", ("STA-036", "TRE-006"), "States and Dominions belong to their one Power.")


TRANSFER = Kind(
    id="transfer",
    what="a Status marker handed over",
    usage="POWER transfers AREA to POWER",
    example="britain transfers hong_kong to japan upon war britain germany",
    needs=("power", "to", "places"),
    may=("marker", "turn", "until", "upon"),
    areas=1,
    forms=(of_subject("transfers?", _read_transfer),),
    text=lambda c: f"{c.power} transfers {c.marker + ' ' if c.marker else ''}{c.places[0]} to {c.to}",
    say=_say_transfer,
    sign=("power", "to"),
    check=_may_change_hands,
    phases=(MOVEMENT, NEGOTIATION),
    act=Act(lambda s, c: s.hand_over(c.power, c.to, c.places[0], c.marker), "STA-034", minor="STA-034", patient=True),
)


# --- an Area shared -----------------------------------------------------------------------------------------------

_SHARED = words_of(
    r"codominion (?:of|in) (?P<area>.+?) with (?P<against>.+?)(?: as (?P<marker>\S+))?(?: paid by (?P<by>.+))?"
)


def _read_codominion(r: Reader, m: re.Match[str]) -> Clause:
    area = r.area(m, "area")
    marker = r.marker(m, "marker", area[0])
    power = r.power(m, "by")
    return Clause("codominion", places=area, against=r.powers(m, "against"), marker=marker, power=power)


def _codominion_text(c: Clause) -> str:
    level = f" as {c.marker}" if c.marker else ""
    paid = f" paid by {c.power}" if c.power else ""
    return f"codominion of {c.places[0]} with {', '.join(c.against)}{level}{paid}"


def _say_codominion(t: Tables, c: Clause) -> str:
    level = f"; who has no Control there yet gets {a_marker(t, c.marker)}" if c.marker else ""
    paid = f"{',' if level else '; a new marker is'} paid by {named(t, c)}" if c.power else ""
    return f"{first_place(t, c)} is a Codominion of {powers_named(t, c.against)}{level}{paid}"


def _shares_control(terms: Terms) -> None:
    """Only Control is shared, and no State or Dominion. Rules: COD-013, NEG-006, NEG-012."""
    marker = terms.tables.markers.get(terms.clause.marker)
    if marker is None:
        return
    if marker.only_for:
        terms.no("crown", ("COD-013", "TRE-006"), "States and Dominions are never shared.")
    if terms.clause.marker not in CONTROL:
        terms.no(
            "not_beside",
            ("TRE-006", "NEG-012", "NEG-006"),
            f"no {marker.name} can be granted where another Power has Control: "
            f"what is shared is Control, a Protectorate or a Possession.",
        )


def _of_several(terms: Terms) -> None:
    """Rules: COD-001, COD-013."""
    if len(terms.clause.against) < 2:
        terms.no("sharers", ("COD-001", "TRE-006"), "a Codominion needs two Powers or more.")
    _shares_control(terms)


CODOMINION = Kind(
    id="codominion",
    what="an Area shared",
    usage="codominion of AREA with POWERS [as MARKER] [paid by POWER]",
    example="codominion of tunis with france, italy",
    needs=("against", "places"),
    may=("power", "marker", "turn", "until", "upon"),
    areas=1,
    forms=(Form(_SHARED, _read_codominion),),
    text=_codominion_text,
    say=_say_codominion,
    sign=("power", "against"),
    touch=("power", "against"),
    check=_of_several,
    phases=(NEGOTIATION,),
    act=Act(lambda s, c: s.share(c.places[0], c.against, c.marker, c.power), "COD-002", holders=True),
)

_GRANTED = words_of(r"(?P<to>.+?) (?:an? )?(?P<marker>\S+) in (?P<area>.+?)(?: paid by (?P<payer>.+))?")


def _read_grant(r: Reader, power: str) -> Clause:
    m = _GRANTED.fullmatch(r.text)
    if m is None:
        example = "britain grants germany protectorate in kenya"
        raise unknown(r.text, f"a Power, a Status marker, 'in' and an Area, as in '{example}',", word=r.first)
    area = r.area(m, "area")
    marker = r.marker(m, "marker", area[0])
    payer = r.powers(m, "payer")
    return Clause("grant", power=power, to=r.power(m, "to"), marker=marker, places=area, against=payer)


def _grant_text(c: Clause) -> str:
    paid = f" paid by {c.against[0]}" if c.against else ""
    return f"{c.power} grants {c.to} {c.marker} in {c.places[0]}{paid}"


def _say_grant(t: Tables, c: Clause) -> str:
    paid = f", paid by {power_name(t, c.against[0])}" if c.against else ""
    who, to = named(t, c), power_name(t, c.to)
    return f"{who} lets {to} place {a_marker(t, c.marker)} beside its own in {first_place(t, c)}{paid}"


def _may_be_granted(terms: Terms) -> None:
    """Rules: COD-013, NEG-012."""
    not_to_itself(terms)
    _shares_control(terms)


def _grant(s: Settling, c: Clause) -> None:
    s.grant(c.power, c.to, c.marker, c.places[0], c.against[0] if c.against else "")


GRANT = Kind(
    id="grant",
    what="a new Status marker allowed beside one's own",
    usage="POWER grants POWER MARKER in AREA [paid by POWER]",
    example="britain grants germany protectorate in kenya",
    needs=("power", "to", "marker", "places"),
    may=("against", "turn", "until", "upon"),
    areas=1,
    forms=(of_subject("grants?", _read_grant),),
    text=_grant_text,
    say=_say_grant,
    sound=lambda c: "One Power pays for a marker." if len(c.against) > 1 else "",
    sign=("power", "to", "against"),
    touch=("power", "to", "against"),
    check=_may_be_granted,
    phases=(NEGOTIATION,),
    act=Act(_grant, "COD-002", holders=True),
)


# --- money --------------------------------------------------------------------------------------------------------

_PAID = words_of(r"(?P<to>.+?) £?(?P<amount>\d+)£?")
_PAID_TO = words_of(r"£?(?P<amount>\d+)£? to (?P<to>.+)")


def _read_pay(r: Reader, power: str) -> Clause:
    m = _PAID_TO.fullmatch(r.text) or _PAID.fullmatch(r.text)
    if m is None:
        raise unknown(r.text, "a Power and pounds, as in 'france pays italy 15',", word=r.first)
    return Clause("pay", power=power, to=r.power(m, "to"), amount=r.number(m, "amount"))


def _may_pay(terms: Terms) -> None:
    """Who has money to give, and who may take it. Rules: SET-030, AUS-010, AUS-011, MOV-020."""
    c, powers = terms.clause, terms.tables.powers
    not_to_itself(terms)
    for power in (c.power, c.to):
        if power not in terms.state.powers:
            name = terms.name(power)
            terms.no("no_treasury", ("SET-030", "TRE-006"), f"{name} is a Minor Power without Treasury.")
    if powers[c.power].seat:
        terms.no("gives_nobody", ("AUS-011", "TRE-006"), f"{terms.name(c.power)} gives money to nobody.")
    if powers[c.to].seat not in ("", c.power):
        giver = terms.name(powers[c.to].seat)
        terms.no("one_giver", ("AUS-010", "TRE-006"), f"{terms.name(c.to)} takes money from {giver} only.")


PAY = Kind(
    id="pay",
    what="money paid",
    usage="POWER pays POWER 5",
    example="france pays italy 5 every turn until 1892",
    needs=("power", "to", "amount"),
    may=("every_turn", "turn", "until", "upon"),
    forms=(of_subject("pays?", _read_pay),),
    text=lambda c: f"{c.power} pays {c.to} {c.amount}",
    say=lambda t, c: f"{named(t, c)} pays {power_name(t, c.to)} £{c.amount}",
    sign=("power", "to"),
    check=_may_pay,
    phases=(MOVEMENT, NEGOTIATION),
    act=Act(lambda s, c: s.pay(c.power, c.to, c.amount), "MOV-020", minor=""),
)

KINDS = (WAIVE, LOWER, TRANSFER, CODOMINION, GRANT, PAY)
"""The kinds of this family, in the order in which a settlement does them."""
