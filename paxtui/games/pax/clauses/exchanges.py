"""Clauses that are carried out: at once, at a date, each Game Turn, or upon a condition. Peace is one of them.

Rules: TRE-004, NEG-003, NEG-011 to NEG-014, NEG-018, NEG-019, COD-001, COD-013, STA-036, AUS-010, AUS-011, CON-016 to
CON-020, WEN-027, WEN-028, WEN-036, WEN-037 (R-NEG-03, R-NEG-08, Decision 23)
"""

from __future__ import annotations

import re

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.clauses.kind import (
    MOVEMENT,
    NEGOTIATION,
    ClauseForm,
    ClauseKind,
    ClauseReader,
    ProposedClause,
    SettlementAct,
    check_not_to_itself,
    describe_place,
    describe_subject,
    list_from_sentence,
    rewrites,
    subject_form,
    word_pattern,
)
from paxtui.games.pax.state.diplomacy import Clause
from paxtui.games.pax.state.pieces import CONTROL
from paxtui.games.pax.text.display import marker_with_article, power_name, powers_text
from paxtui.games.pax.text.parsing import unknown_name

_WAIVED = word_pattern(r"(?P<area>.+?)??(?:(?:^| )against (?P<to>.+))?")


def _read_waive(r: ClauseReader, power: str) -> Clause:
    m = _WAIVED.fullmatch(r.text)
    if m is None or not r.text:
        raise unknown_name(r.text, "an Area or 'against POWER', as in 'italy waives tunis',", word=r.first)
    to = r.power(m, "to")
    if m["area"] and not to and not r.names.areas.among(m["area"]) and len(r.names.powers.among(m["area"])) == 1:
        return Clause("waive", power=power, to=r.power(m, "area"))
    return Clause("waive", power=power, to=to, places=r.area(m, "area"))


def _describe_waive(t: Tables, c: Clause) -> str:
    whom = f" against {power_name(t, c.to)}" if c.to else ""
    where = f" over {describe_place(t, c)}" if c.places else ""
    return f"{describe_subject(t, c)} gives up its Casus Belli{whom}{where}"


WAIVE = ClauseKind(
    id="waive",
    summary="a Casus Belli given up",
    usage="POWER waives AREA [against POWER]",
    example="italy waives tunis",
    required=("power", "places|to"),
    optional=("turn", "until", "upon"),
    max_areas=1,
    forms=(subject_form("waives?", _read_waive),),
    text=lambda c: f"{c.power} waives" + (f" {c.places[0]}" if c.places else "") + (f" against {c.to}" if c.to else ""),
    describe=_describe_waive,
    sentences=rewrites((r"(.+) gives up its Casus Belli( against .+?)?(?: over( .+))?", r"\1 waives\3\2")),
    phases=(NEGOTIATION,),
    act=SettlementAct("SEQ-019", minor="MIN-002"),
)


_LOWERED = word_pattern(r"(?P<area>.+) to (?P<marker>\S+)")
_NOTHING = ("nothing", "none", "nil")


def _read_lower(r: ClauseReader, power: str) -> Clause:
    m = _LOWERED.fullmatch(r.text)
    if m is None:
        raise unknown_name(
            r.text, "an Area, 'to' and a marker, as in 'france lowers tunis to influence',", word=r.first
        )
    area = r.area(m, "area")
    marker = "" if m["marker"].casefold() in _NOTHING else r.marker(m, "marker", area[0])
    return Clause("lower", power=power, places=area, marker=marker)


def _read_leave(r: ClauseReader, power: str) -> Clause:
    """`leaves tunis`, `withdraws from tunis`."""
    begin, _, rest = r.text.partition(" ")
    text, at = (rest, r.first + 1) if begin.casefold() == "from" and rest else (r.text, r.first)
    return Clause("lower", power=power, places=(r.names.areas.find(text, at),))


def _describe_lower(t: Tables, c: Clause) -> str:
    who, where = describe_subject(t, c), describe_place(t, c)
    return (
        f"{who} lowers its marker in {where} to {marker_with_article(t, c.marker)}"
        if c.marker
        else f"{who} gives up {where}"
    )


def _check_lowered_marker(terms: ProposedClause) -> None:
    marker = terms.clause.marker
    if marker and terms.tables.markers[marker].only_for:
        terms.refuse("not_lower", ("NEG-003", "TRE-006"), "no marker is lowered to a State or Dominion.")


LOWER = ClauseKind(
    id="lower",
    summary="an own Status marker lowered or withdrawn",
    usage="POWER lowers AREA to MARKER; POWER leaves AREA",
    example="france lowers tunis to influence",
    required=("power", "places"),
    optional=("marker", "turn", "until", "upon"),
    max_areas=1,
    forms=(subject_form("lowers?", _read_lower), subject_form("leaves?|withdraws?", _read_leave)),
    text=lambda c: f"{c.power} lowers {c.places[0]} to {c.marker}" if c.marker else f"{c.power} leaves {c.places[0]}",
    describe=_describe_lower,
    sentences=rewrites(
        (r"(.+) lowers its marker in (.+) to an? (\S+)", r"\1 lowers \2 to \3"),
        (r"(.+) gives up (.+)", r"\1 leaves \2"),
    ),
    check=_check_lowered_marker,
    phases=(NEGOTIATION,),
    act=SettlementAct("STA-031", minor="MIN-002"),
)


_TRANSFERRED = word_pattern(r"(?P<area>.+) to (?P<to>.+?)")


def _read_transfer(r: ClauseReader, power: str) -> Clause:
    m = _TRANSFERRED.fullmatch(r.text)
    if m is None:
        raise unknown_name(
            r.text, "an Area, 'to' and a Power, as in 'britain transfers hong_kong to japan',", word=r.first
        )
    word, _, rest = m["area"].partition(" ")
    marker, area, at = "", m["area"], r.first
    if rest and word.casefold() in r.tables.markers:
        marker, area, at = word.casefold(), rest, r.first + 1
    where = (r.names.areas.find(area, at),)
    return Clause("transfer", power=power, marker=marker, places=where, to=r.power(m, "to"))


def _describe_transfer(t: Tables, c: Clause) -> str:
    what = t.markers[c.marker].name if c.marker else "Status marker"
    return f"{describe_subject(t, c)} hands its {what} in {describe_place(t, c)} to {power_name(t, c.to)}"


def _check_transferable(terms: ProposedClause) -> None:
    check_not_to_itself(terms)
    marker = terms.clause.marker
    if marker and terms.tables.markers[marker].only_for:
        terms.refuse("crown", ("STA-036", "TRE-006"), "States and Dominions cannot be handed over.")


TRANSFER = ClauseKind(
    id="transfer",
    summary="a Status marker handed over",
    usage="POWER transfers AREA to POWER",
    example="britain transfers hong_kong to japan upon war britain germany",
    required=("power", "to", "places"),
    optional=("marker", "turn", "until", "upon"),
    max_areas=1,
    forms=(subject_form("transfers?", _read_transfer),),
    text=lambda c: f"{c.power} transfers {c.marker + ' ' if c.marker else ''}{c.places[0]} to {c.to}",
    describe=_describe_transfer,
    sentences=rewrites(
        (r"(.+) hands its (?:Status )?marker in (.+) to (.+)", r"\1 transfers \2 to \3"),
        (r"(.+) hands its (\S+) in (.+) to (.+)", r"\1 transfers \2 \3 to \4"),
    ),
    signers=("power", "to"),
    check=_check_transferable,
    phases=(MOVEMENT, NEGOTIATION),
    act=SettlementAct("STA-034", minor="STA-034", patient=True),
)


_SHARED = word_pattern(
    r"codominion (?:of|in) (?P<area>.+?) with (?P<against>.+?)(?: as (?P<marker>\S+))?(?: paid by (?P<by>.+))?"
)


def _read_codominion(r: ClauseReader, m: re.Match[str]) -> Clause:
    area = r.area(m, "area")
    marker = r.marker(m, "marker", area[0])
    power = r.power(m, "by")
    return Clause("codominion", places=area, against=r.powers(m, "against"), marker=marker, power=power)


def _codominion_text(c: Clause) -> str:
    level = f" as {c.marker}" if c.marker else ""
    paid = f" paid by {c.power}" if c.power else ""
    return f"codominion of {c.places[0]} with {', '.join(c.against)}{level}{paid}"


def _describe_codominion(t: Tables, c: Clause) -> str:
    level = f"; who has no Control there yet gets {marker_with_article(t, c.marker)}" if c.marker else ""
    paid = f"{',' if level else '; a new marker is'} paid by {describe_subject(t, c)}" if c.power else ""
    return f"{describe_place(t, c)} is a Codominion of {powers_text(t, c.against)}{level}{paid}"


def _check_shared_control(terms: ProposedClause) -> None:
    marker = terms.tables.markers.get(terms.clause.marker)
    if marker is None:
        return
    if marker.only_for:
        terms.refuse("crown", ("COD-013", "TRE-006"), "States and Dominions are never shared.")
    if terms.clause.marker not in CONTROL:
        terms.refuse(
            "not_beside",
            ("TRE-006", "NEG-012", "NEG-006"),
            f"{marker_with_article(terms.tables, marker.id)} cannot be shared, only a Protectorate or a Possession.",
        )


def _check_several_powers(terms: ProposedClause) -> None:
    if len(terms.clause.against) < 2:
        terms.refuse("sharers", ("COD-001", "TRE-006"), "a Codominion needs at least two Powers.")
    _check_shared_control(terms)


CODOMINION = ClauseKind(
    id="codominion",
    summary="an Area shared",
    usage="codominion of AREA with POWERS [as MARKER] [paid by POWER]",
    example="codominion of tunis with france, italy",
    required=("against", "places"),
    optional=("power", "marker", "turn", "until", "upon"),
    max_areas=1,
    forms=(ClauseForm(_SHARED, _read_codominion),),
    text=_codominion_text,
    describe=_describe_codominion,
    sentences=rewrites(
        (
            r"(.+) is a Codominion of (.+?)( as \S+)?( paid by .+)?",
            lambda m: f"codominion of {m[1]} with {list_from_sentence(m[2])}{m[3] or ''}{m[4] or ''}",
        )
    ),
    signers=("power", "against"),
    concerned=("power", "against"),
    check=_check_several_powers,
    phases=(NEGOTIATION,),
    act=SettlementAct("COD-002", holders=True),
)

_GRANTED = word_pattern(r"(?P<to>.+?) (?:an? )?(?P<marker>\S+) in (?P<area>.+?)(?: paid by (?P<payer>.+))?")


def _read_grant(r: ClauseReader, power: str) -> Clause:
    m = _GRANTED.fullmatch(r.text)
    if m is None:
        example = "britain grants germany protectorate in kenya"
        raise unknown_name(r.text, f"a Power, a Status marker, 'in' and an Area, as in '{example}',", word=r.first)
    area = r.area(m, "area")
    marker = r.marker(m, "marker", area[0])
    payer = r.powers(m, "payer")
    return Clause("grant", power=power, to=r.power(m, "to"), marker=marker, places=area, against=payer)


def _grant_text(c: Clause) -> str:
    paid = f" paid by {c.against[0]}" if c.against else ""
    return f"{c.power} grants {c.to} {c.marker} in {c.places[0]}{paid}"


def _describe_grant(t: Tables, c: Clause) -> str:
    paid = f", paid by {power_name(t, c.against[0])}" if c.against else ""
    who, to = describe_subject(t, c), power_name(t, c.to)
    return f"{who} lets {to} place {marker_with_article(t, c.marker)} beside its own in {describe_place(t, c)}{paid}"


def _check_granted_marker(terms: ProposedClause) -> None:
    check_not_to_itself(terms)
    _check_shared_control(terms)


GRANT = ClauseKind(
    id="grant",
    summary="a new Status marker allowed beside an own one",
    usage="POWER grants POWER MARKER in AREA [paid by POWER]",
    example="britain grants germany protectorate in kenya",
    required=("power", "to", "marker", "places"),
    optional=("against", "turn", "until", "upon"),
    max_areas=1,
    forms=(subject_form("grants?", _read_grant),),
    text=_grant_text,
    describe=_describe_grant,
    sentences=rewrites((r"(.+?) lets (.+?) place an? (\S+) beside its own in (.+)", r"\1 grants \2 \3 in \4")),
    find_error=lambda c: "One Power pays for a marker." if len(c.against) > 1 else "",
    signers=("power", "to", "against"),
    concerned=("power", "to", "against"),
    check=_check_granted_marker,
    phases=(NEGOTIATION,),
    act=SettlementAct("COD-002", holders=True),
)


_PAID = word_pattern(r"(?P<to>.+?) £?(?P<amount>\d+)£?")
_PAID_TO = word_pattern(r"£?(?P<amount>\d+)£? to (?P<to>.+)")


def _read_pay(r: ClauseReader, power: str) -> Clause:
    m = _PAID_TO.fullmatch(r.text) or _PAID.fullmatch(r.text)
    if m is None:
        raise unknown_name(r.text, "a Power and pounds, as in 'france pays italy 15',", word=r.first)
    return Clause("pay", power=power, to=r.power(m, "to"), amount=r.number(m, "amount"))


def _check_payer(terms: ProposedClause) -> None:
    c, powers = terms.clause, terms.tables.powers
    check_not_to_itself(terms)
    for power in (c.power, c.to):
        if power not in terms.state.powers:
            name = terms.name(power)
            terms.refuse("no_treasury", ("SET-030", "TRE-006"), f"{name} is a Minor Power without Treasury.")
    if powers[c.power].seat:
        terms.refuse("gives_nobody", ("AUS-011", "TRE-006"), f"{terms.name(c.power)} cannot give money.")
    if powers[c.to].seat not in ("", c.power):
        giver = terms.name(powers[c.to].seat)
        terms.refuse("one_giver", ("AUS-010", "TRE-006"), f"{terms.name(c.to)} can receive money only from {giver}.")


PAY = ClauseKind(
    id="pay",
    summary="money paid",
    usage="POWER pays POWER 5",
    example="france pays italy 5 every turn until 1892",
    required=("power", "to", "amount"),
    optional=("every_turn", "turn", "until", "upon"),
    forms=(subject_form("pays?", _read_pay),),
    text=lambda c: f"{c.power} pays {c.to} {c.amount}",
    describe=lambda t, c: f"{describe_subject(t, c)} pays {power_name(t, c.to)} £{c.amount}",
    signers=("power", "to"),
    check=_check_payer,
    phases=(MOVEMENT, NEGOTIATION),
    act=SettlementAct("MOV-020", minor=""),
)

KINDS = (WAIVE, LOWER, TRANSFER, CODOMINION, GRANT, PAY)
"""The kinds of this family, in the order in which a settlement carries them out."""


WAR = "war"
"""The Phase in which most Wars end."""


PEACE = ClauseKind(
    id="peace",
    summary="the end of the War between the signers",
    usage="peace",
    example="peace",
    optional=("upon",),
    forms=(ClauseForm(word_pattern(r"(?:makes? )?peace"), lambda r, m: Clause("peace")),),
    text=lambda c: "peace",
    describe=lambda t, c: "The signers make peace",
    sentences=rewrites((r"The signers make peace", "peace")),
    signers=(),
    concerned=(),
    phases=(NEGOTIATION, WAR),
    act=SettlementAct("WEN-028", minor=""),
)


def _read_cede(r: ClauseReader, m: re.Match[str]) -> Clause | None:
    """Parse `tunis to italy`; None if it names no Area and no Power."""
    try:
        return Clause("cede", places=r.area(m, "area"), to=r.power(m, "to"))
    except Refusal:
        return None


CEDE = ClauseKind(
    id="cede",
    summary="short form: the holder of an Area hands over its Status marker",
    usage="AREA to POWER",
    example="tunis to italy",
    required=("to", "places"),
    max_areas=1,
    forms=(ClauseForm(word_pattern(r"(?P<area>\S+(?: \S+){0,3}) to (?P<to>\S+(?: \S+)?)"), _read_cede),),
    text=lambda c: f"{c.places[0]} to {c.to}",
    describe=lambda t, c: f"The holder of {describe_place(t, c)} hands it to {power_name(t, c.to)}",
    sentences=rewrites((r"The holder of (.+) hands it to (.+)", r"\1 to \2")),
    signers=("to",),
)

PEACE_KINDS = (CEDE, PEACE)
"""The kinds of peace; a settlement carries them out last."""
