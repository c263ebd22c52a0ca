"""Actions: one frozen struct for each thing that a seat or the arbiter may ask for.

Each action has one text in the notation and one JSON object, told apart by `type`, in the protocol and the log. The row
above a struct has its form, help and rules (`paxtui.games.pax.actions.forms`). The annotation of a field says what it
names (`paxtui.games.pax.actions.fields`). `power` is the acting Power; "" means the seat's own.

Rules: PBM-001
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from paxtui.engine.game import Redo, Undo
from paxtui.engine.refusal import Refusal
from paxtui.engine.upcast import Raw
from paxtui.games.pax.actions.fields import (
    MAX_PATH_LENGTH,
    AgreementId,
    Answer,
    AreaId,
    Article,
    CauseId,
    CauseIds,
    ChoiceId,
    FleetStart,
    MarkerId,
    MinorId,
    PartyId,
    PartyIds,
    PassageId,
    PlaceId,
    PlacePath,
    PointShares,
    Pounds,
    PoundShares,
    PowerId,
    PowerIds,
    SiteId,
    UnitNames,
    Verdict,
    ZoneId,
)
from paxtui.games.pax.actions.forms import order
from paxtui.games.pax.actions.treaty_notation import format_draft, parse_draft
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.events.encoding import type_tag
from paxtui.games.pax.state.diplomacy import TREATY, Clause
from paxtui.games.pax.text.parsing import WordReader, find_marker, name_index, place_text, unknown_name


class Action(
    msgspec.Struct, frozen=True, tag_field="type", tag=type_tag, omit_defaults=True, forbid_unknown_fields=True
):
    """Base of all actions."""


def _parse_marker(verb: str, words: WordReader) -> dict[str, Any]:
    at = words.first
    kind = words.take("a Status marker (interest, influence, protectorate, ...)")
    try:
        find_marker(words.tables, kind, word=at)
    except Refusal as refusal:
        # the Area decides between kinds that share a sign; other errors concern the marker
        if refusal.code != "ambiguous" or kind.isalnum():
            raise
    area = words.area()
    return {"marker": find_marker(words.tables, kind, area, at), "area": area}


@order(
    "place {marker} {area}",
    example="place influence egypt",
    parse=_parse_marker,
    rules="STA-001..STA-020 STA-022 STA-025 EVT-012 EVT-014..EVT-016 EVT-031 EVT-032 CCB-061 CCB-062 MIN-033 MIN-060 "
    "BEL-012 SET-039 SET-046 SET-047 SET-069 SET-074 CRI-007 CRI-015 CRI-016",
)
class Place(Action, frozen=True):
    """Buy a Status marker and place it in an Area. It replaces a lower marker of yours there."""

    marker: MarkerId
    area: AreaId
    power: PartyId = ""


@order(
    "upgrade {marker} {area}",
    example="upgrade possession cuba",
    parse=_parse_marker,
    rules="STA-018 STA-019 STA-026..STA-029 COD-013 SET-039 SET-046 CRI-015 CRI-016 EVT-056..EVT-059",
)
class Upgrade(Action, frozen=True):
    """Raise a marker of yours to a higher Status. You pay the difference."""

    marker: MarkerId
    area: AreaId
    power: PartyId = ""


@order(
    "downgrade {marker} {area}",
    example="downgrade interest siam",
    parse=_parse_marker,
    rules="STA-026 STA-030..STA-033 ETI-013 ETI-014 NEG-003..NEG-010",
)
class Downgrade(Action, frozen=True):
    """Lower a marker of yours to another Status, without refund."""

    marker: MarkerId
    area: AreaId
    power: PartyId = ""


@order(
    "withdraw {marker} {area}",
    example="withdraw influence persia",
    parse=_parse_marker,
    rules="STA-026 STA-030..STA-033 ETI-013 ETI-014 NEG-003..NEG-010",
)
class Withdraw(Action, frozen=True):
    """Remove a marker of yours from the map."""

    marker: MarkerId
    area: AreaId
    power: PartyId = ""


@order(
    "transfer {area} to {to}",
    example="transfer tunis to italy",
    rules="STA-034..STA-036 NEG-011 NEG-016 SET-039 SET-082",
)
class Transfer(Action, frozen=True):
    """Offer your established marker in an Area to another Power."""

    area: AreaId
    to: PowerId
    power: PartyId = ""


@order(
    "codominion {area} [with {also}]",
    example="codominion egypt with france",
    rules="COD-001 COD-003 COD-004 COD-013 NEG-012 NEG-018..NEG-024 CRI-006",
)
class Codominion(Action, frozen=True):
    """Propose that all Powers with Control of an Area share it. `with` adds Powers that have an Influence there."""

    area: AreaId
    also: PowerIds = ()
    power: PartyId = ""


@order(
    "build {units} [{box}]",
    example="build A3 2xA1",
    rules="STA-001 STA-003..STA-006 SET-027 SET-028 SET-039 SET-041..SET-044 SEQ-012 ETI-024..ETI-026 EVT-017..EVT-019 "
    "EVT-025 EVT-045 STA-046 STA-049",
)
class Build(Action, frozen=True):
    """Buy Military Units in your Home Country. The Sea Zone is the home box of new Naval Units."""

    units: UnitNames
    box: ZoneId = ""
    power: PartyId = ""


_COAST = re.compile(r"\(([^()]*)\)\s*$")
_SIDE = re.compile(r"(?!\s*home\s*:)([^:]+):([^:]+)", re.IGNORECASE)
"""An Area and one of its Sea Zones: `egypt:mediterranean`."""
_HOME_SIDE = re.compile(r"\s*(home)\s*:\s*([^:]+?)\s*", re.IGNORECASE)
"""The own Home Country and one of its boxes: `home:north_atlantic`. `home:france` names a Power instead."""
_ARROW = re.compile(r"\s*(?:->|=>|>|→)\s*")


def _parse_move(verb: str, words: WordReader) -> dict[str, Any]:
    units = words.units()
    bracket = _COAST.search(words.text)
    if bracket:
        words.text = words.text[: bracket.start()].rstrip()
    at = words.first
    path: list[str] = []
    sides: list[str] = []
    names = name_index(words.tables)
    for n, part in enumerate(_ARROW.split(words.rest()[0])):
        side, own = _SIDE.fullmatch(part), _HOME_SIDE.fullmatch(part)
        if own and own[2].casefold() in words.tables.sea_zones:
            side = own
        area, zone = side.groups() if side else (part, "")
        path.append(names.places.find(area, at))
        sides.append(names.zones.find(zone, at) if zone else "")
        at += len(part.split()) + 1
        if n > MAX_PATH_LENGTH:
            raise Refusal("notation", (), "The path is too long.", position=at)
    if len(path) < 2:
        raise unknown_name("", "'>' and the place where the move ends", word=max(words.first, at - 1))
    coast = names.zones.find(bracket[1], at - 1) if bracket else sides[-1]
    return {"units": units, "path": tuple(path), "coast": coast, "start_coast": sides[0]}


def _format_move(tables: Tables, a: Move) -> str:
    places = [place_text(place, a.power) for place in a.path]
    if a.start_coast:
        places[0] += f":{a.start_coast}"
    return f"move {' '.join(a.units)} {' > '.join(places)}" + (f" ({a.coast})" if a.coast else "")


@order(
    "move {units} {path}",
    example="move A3 A1 home > egypt",
    usage="move UNITS PLACE > PLACE [(SEA ZONE)]",
    parse=_parse_move,
    format=_format_move,
    rules="MOV-001 MOV-006..MOV-019 SET-015 SET-019 SET-022 SET-024 SET-025 SET-081 STA-045 STA-047 STA-048 STA-050 "
    "CCB-030 CCB-033 CCB-041 AUS-008",
)
class Move(Action, frozen=True):
    """Move Units along a path; 'home' is your Home Country. You may leave out the places between start and end.

    Attributes:
        path: places from start to end, or just the two ends.
        coast: the Sea Zone of an Area, or the home box, where a Naval Unit ends.
        start_coast: in War, the one where it starts (`move N3 egypt:mediterranean > egypt:indian_ocean`).
    """

    units: UnitNames
    path: PlacePath
    coast: ZoneId = ""
    power: PartyId = ""
    start_coast: ZoneId = ""


def _parse_merchant(verb: str, words: WordReader) -> dict[str, Any]:
    at = words.first
    parts = _ARROW.split(words.rest()[0])
    if len(parts) != 2:
        raise unknown_name("", "'SEA ZONE > SEA ZONE' or 'new > SEA ZONE'", word=at)
    zones = name_index(words.tables).zones
    start = "new" if parts[0].strip().casefold() == "new" else zones.find(parts[0], at)
    return {"start": start, "to": zones.find(parts[1], at + len(parts[0].split()) + 1)}


@order(
    "merchant {start} > {to}",
    example="merchant new > caribbean",
    parse=_parse_merchant,
    rules="MOV-002..MOV-005 SET-064 SET-065 SEQ-012 BEL-013",
)
class Merchant(Action, frozen=True):
    """Move a Merchant Fleet, or place one that is due, with 'new' as its start."""

    start: FleetStart
    to: ZoneId
    power: PartyId = ""


@order(
    "canal {area} [with {also} {costs}] [points {points}]",
    example="canal panama",
    rules="CAN-001..CAN-014 STR-008..STR-013 STR-019 STR-020",
)
class Canal(Action, frozen=True):
    """Build a canal in an Area, alone or with other Powers. They must agree how to share its price and points.

    Attributes:
        also: the other builders (`canal panama with france 15/15 points 8/7`).
        costs: in pounds, the share of the acting Power first.
        points: Victory Points in the same order.
    """

    area: AreaId
    power: PartyId = ""
    also: PowerIds = ()
    costs: PoundShares = ()
    points: PointShares = ()


@order("pay {to} {amount}", example="pay france 20", rules="MOV-020 NEG-014 AUS-010 AUS-011 SET-030")
class Pay(Action, frozen=True):
    """Offer money to another Power."""

    to: PowerId
    amount: Pounds
    power: PartyId = ""


@order("garrison", rules="STA-014 STA-037..STA-042 COD-007 STA-045..STA-051")
class Garrison(Action, frozen=True):
    """Move armies automatically to each Area that needs a garrison and can get one."""

    power: PartyId = ""


@order(
    "fight {area}",
    example="fight manchuria",
    rules="CCB-001 CCB-002 CCB-006..CCB-024 CCB-028 CCB-030 CCB-032..CCB-048 CCB-058..CCB-060 CCB-067 STA-017 STA-020 "
    "STA-021 STA-023 EVT-032 SEQ-013",
)
class Fight(Action, frozen=True):
    """Attack in an Area in Colonial Combat."""

    area: AreaId
    power: PartyId = ""


@order("decline {area}", example="decline manchuria", rules="CCB-028 CCB-021 CCB-067")
class Decline(Action, frozen=True):
    """Do not attack in an Area in Colonial Combat."""

    area: AreaId
    power: PartyId = ""


@order("choose {id} {answer}", example="choose c12 A3")
class Choose(Action, frozen=True):
    """Answer a question. You can also type the number or the text of an option alone."""

    id: ChoiceId
    answer: Answer


@order("waive {id}", example="waive cb4", rules="NEG-003 NEG-007")
class Waive(Action, frozen=True):
    """Give up a Casus Belli."""

    id: CauseId


@order("defend {minor} {area}", example="defend belgium kongo", rules="MIN-039 MIN-040 SEQ-020 STA-052")
class Defend(Action, frozen=True):
    """Announce that you defend the Influence of a Minor Power in an Area. A Congress must meet."""

    minor: MinorId
    area: AreaId
    power: PartyId = ""


@order(
    "congress {site} [over {over}]",
    example="congress austria_hungary over cb1",
    rules="SEQ-020 CON-001 CON-002 CON-005..CON-010 CON-039 ETI-015 TRE-008 TRE-018",
)
class CallCongress(Action, frozen=True):
    """Call a Congress of Europe over your Casus Belli, or over those that you name.

    It meets after the Negotiation Phase. There 'propose NAME: CLAUSES' proposes a Treaty, and you vote by answering
    questions.
    """

    site: SiteId
    over: CauseIds = ()
    power: PartyId = ""


@order(
    "amend {draft}",
    example="amend kq7d: italy lowers tunis to influence; france pays italy 15",
    usage="amend ID [as NAME] [with POWERS] [public]: CLAUSE; CLAUSE",
    help="Answer a draft with a new draft that replaces it.",
    parse=parse_draft,
    format=format_draft,
    is_long=True,
    rules="TRE-002 TRE-004 NEG-013",
)
@order(
    "propose {draft}",
    example="propose with italy: italy leaves tunis; france pays italy 15",
    usage="propose [NAME] with POWERS [public]: CLAUSE; CLAUSE",
    help="Offer a settlement in the Negotiation Phase. It takes effect, whole or not at all, when all have signed it. "
    "Without 'with' it is a Treaty that you propose to a Congress of Europe.",
    parse=parse_draft,
    format=format_draft,
    is_long=True,
    rules="NEG-003..NEG-019 NEG-021..NEG-024 COD-002 COD-004 CON-013 CON-015",
)
@order(
    "treaty {draft}",
    example="treaty Rome with italy: defensive against germany until 1892; secret france pays italy 15",
    usage="treaty [NAME] with POWERS [public]: CLAUSE; CLAUSE",
    help="Draft a Treaty and offer it to other Powers.",
    parse=parse_draft,
    format=format_draft,
    is_long=True,
    rules="TRE-001..TRE-006 TRE-009..TRE-013 AUS-002 VIC-009 VIC-010",
)
class Draft(Action, frozen=True):
    """Draft and sign an agreement and offer it to `parties`.

    `form` is "treaty", "settlement" or "congress". `instead` is the id of a draft that this one amends.
    """

    name: str
    parties: tuple[str, ...]
    clauses: tuple[Clause, ...]
    form: str = TREATY
    public: bool = False
    instead: str = ""
    power: PartyId = ""


@order("sign {id}", example="sign kq7d", rules="TRE-002 TRE-013 NEG-013 CON-028 CON-032")
class Sign(Action, frozen=True):
    """Sign a draft. With the last signature it is in force."""

    id: AgreementId
    power: PartyId = ""


@order("reject {id}", example="reject kq7d", rules="TRE-002 CON-029")
class Reject(Action, frozen=True):
    """Reject a draft, or withdraw your own."""

    id: AgreementId
    power: PartyId = ""


@order("reveal {id} [{article}]", example="reveal kq7d", rules="TRE-011 TRE-012 TRE-019 VIC-010")
class Reveal(Action, frozen=True):
    """Make a secret Treaty public, or then one of its secret articles.

    Breaches that become known raise tension and give Casus Belli.
    """

    id: AgreementId
    article: Article = 0
    power: PartyId = ""


@order("lapse {id}", example="lapse kq7d", rules="TRE-014")
class Lapse(Action, frozen=True):
    """Agree that a Treaty ends. It ends when all its parties agree."""

    id: AgreementId
    power: PartyId = ""


@order("release {id} {who}", example="release kq7d italy", rules="TRE-015")
class Release(Action, frozen=True):
    """Agree that a party leaves a Treaty. With your own name you ask for your release."""

    id: AgreementId
    who: PowerId
    power: PartyId = ""


@order(
    "renounce {id}",
    example="renounce kq7d",
    rules="TRE-007 TRE-008 TRE-012 TRE-016 TRE-018 ETI-027 AUS-005 AUS-006",
)
class Renounce(Action, frozen=True):
    """Leave a Treaty without the consent of the other parties, which breaks it.

    Tension rises by 5, and each other party gets a Casus Belli.
    """

    id: AgreementId
    power: PartyId = ""


@order("charge {id} {article} {against}", example="charge kq7d 2 germany", rules="TRE-004 TRE-007 TRE-012")
class Charge(Action, frozen=True):
    """Charge a party with breaking an article in words, or an article about coaling."""

    id: AgreementId
    article: Article
    against: PowerId
    power: PartyId = ""


@order("judge {id} {article} {against} {guilty}", example="judge kq7d 2 germany innocent", rules="TRE-004 TRE-007")
class Judge(Action, frozen=True):
    """Give your verdict on a charge."""

    id: AgreementId
    article: Article
    against: PowerId
    guilty: Verdict
    power: PartyId = ""


@order(
    "declare war {on} [over {over}] [beside {beside}]",
    example="declare war germany russia over cb3",
    rules="WAR-015 WAR-017 WAR-040..WAR-045 WAR-061 WAR-062 ETI-019 ETI-020 AUS-014",
)
class DeclareWar(Action, frozen=True):
    """Declare War on one or several Powers, over a Casus Belli of yours.

    Their allies and yours may be called. The first time you see a preview; give the order again to declare the War. In
    a War of three or more Alliances, 'beside' names a Power of the Alliance that you join.
    """

    on: PartyIds
    over: CauseIds = ()
    power: PartyId = ""
    beside: PartyId = ""


@order("join {side}", example="join france", rules="OTT-005 OTT-006 SET-070")
class JoinWar(Action, frozen=True):
    """Join the side of a Power, or of the Ottoman Empire, where the rules require no Casus Belli."""

    side: PartyId
    power: PartyId = ""


@order("invite {guests}", example="invite france italy", rules="OTT-006")
class InviteAid(Action, frozen=True):
    """Ask other Powers for aid against the Ottoman Empire."""

    guests: PowerIds
    power: PartyId = ""


@order("volunteer {area} to {to}", example="volunteer aden to japan", rules="WMV-024 WMV-025")
class Volunteer(Action, frozen=True):
    """As a neutral, allow the Alliance of a belligerent to coal in an Area of yours. This lasts for the whole War."""

    area: AreaId
    to: PowerId
    power: PartyId = ""


@order(
    "deny {passage} to {to}",
    example="deny suez to france",
    rules="STR-002 STR-005 STR-010 STR-012 STR-014..STR-017 STR-021 STR-022 CAN-007 CAN-008",
)
class Deny(Action, frozen=True):
    """Close a passage to a Power in a War: suez, straits, panama or central_america."""

    passage: PassageId
    to: PowerId
    power: PartyId = ""


@order("allow {passage} to {to}", example="allow suez to france", rules="STR-002 STR-005 STR-010 STR-021")
class Allow(Action, frozen=True):
    """Open a passage to a Power again."""

    passage: PassageId
    to: PowerId
    power: PartyId = ""


def _parse_attack(verb: str, words: WordReader) -> dict[str, Any]:
    at, text = words.first, words.rest()[0]
    parts = text.split()
    naval = len(parts) > 1 and parts[-1].casefold() == "naval"
    place = name_index(words.tables).places.find(" ".join(parts[:-1]) if naval else text, at)
    return {"place": place, "naval": naval or place in words.tables.sea_zones or place in words.tables.capes}


@order(
    "attack {place} [naval]",
    example="attack manchuria",
    parse=_parse_attack,
    rules="WCB-002..WCB-006 WCB-010..WCB-012 WCB-032..WCB-033",
)
class Attack(Action, frozen=True):
    """Attack the enemy's armies in a place, or with 'naval' the fleets there. At sea only fleets can attack."""

    place: PlaceId
    naval: bool = False
    power: PartyId = ""


@order("announce end", rules="WEN-052 WEN-053")
class AnnounceEnd(Action, frozen=True):
    """Announce the end of a War in which the remaining forces cannot reach each other."""

    power: PartyId = ""


@order("pass", rules="WAR-017 WMV-004 WCB-002")
class Pass(Action, frozen=True):
    """Do nothing more in this Phase of the War."""


@order("ready", rules="SEQ-010 STA-039 STA-045 EVT-018 BEL-012")
class Ready(Action, frozen=True):
    """Report that you have finished this Phase."""


@order("unready", rules="SEQ-010")
class Unready(Action, frozen=True):
    """Report that you have something to do after all."""


def _parse_undo(verb: str, words: WordReader) -> dict[str, Any]:
    to = words.number("the number of a line") if words.text else None
    words.end()
    return {"to": to}


order(
    "undo [LINE]",
    example="undo 120",
    help="Undo your last action, or return to the position after a line of the log.",
    parse=_parse_undo,
    format=lambda tables, action: "undo" if action.to is None else f"undo {action.to}",
)(Undo)
order("redo", help="Restore what the last undo removed.")(Redo)


@order("advance!", fixed={"force": True}, is_arbiters=True)
@order("advance", fixed={"force": False}, is_arbiters=True)
class Advance(Action, frozen=True):
    """For the arbiter: play the automatic parts until play waits for a seat. 'advance!' takes all defaults first."""

    force: bool = False


@order("step", is_arbiters=True)
class Step(Action, frozen=True):
    """For the arbiter: take the defaults, mark each seat ready and play to the end of the current Phase."""


@order(
    "resume {seats}",
    example="resume france",
    help="For the arbiter: return abandoned seats to players.",
    fixed={"lifted": True},
    is_arbiters=True,
)
@order("abandon {seats}", example="abandon france", fixed={"lifted": False}, is_arbiters=True)
class Abandon(Action, frozen=True):
    """For the arbiter: mark seats as abandoned, so that their Powers follow the General Orders."""

    seats: PowerIds
    lifted: bool = False


def _parse_position(verb: str, words: WordReader) -> dict[str, Any]:
    at, text = words.first, words.rest()[0]
    try:
        return {"patch": msgspec.json.decode(text.encode("utf-8", "replace"), type=Raw)}
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise Refusal("notation", (), f"Word {at}: a patch in JSON is expected here ({error}).", position=at) from None


@order(
    "position JSON",
    example='position {"turn":2}',
    parse=_parse_position,
    format=lambda tables, action: "position " + msgspec.json.encode(action.patch).decode(),
    is_arbiters=True,
    is_long=True,
)
class SetPosition(Action, frozen=True):
    """For the arbiter: replace the position by the 1880 start with a patch (for test positions and puzzles)."""

    patch: Raw


CURRENT_STOP = "here"


class SubmittedForm(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The form of a seat for one stop of a mail game.

    Attributes:
        seat: id of the seat.
        text: unchanged text of the form.
        missed: whether the seat sent none and the substitute bot wrote this one.
        signature: signature of its letter by the key of the seat, in hexadecimal; "" if forms are not signed.
    """

    seat: str
    text: str
    missed: bool = False
    signature: str = ""


def _parse_adjudicate(verb: str, words: WordReader) -> dict[str, Any]:
    at, text = words.first, words.rest()[0]
    if text.strip().casefold() == CURRENT_STOP:
        return {"begins": True}
    try:
        return {"sheets": msgspec.json.decode(text.encode("utf-8", "replace"), type=tuple[SubmittedForm, ...])}
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise Refusal("notation", (), f"Word {at}: forms in JSON are expected here ({error}).", position=at) from None


def _format_adjudicate(tables: Tables, action: Adjudicate) -> str:
    sheets = CURRENT_STOP if action.begins else msgspec.json.encode(action.sheets).decode()
    return f"adjudicate {sheets}"


@order(
    "adjudicate JSON",
    example='adjudicate [{"seat":"italy","text":"build A1"}]',
    parse=_parse_adjudicate,
    format=_format_adjudicate,
    is_arbiters=True,
    is_long=True,
)
class Adjudicate(Action, frozen=True):
    """For the gamemaster of a mail game: carry out the forms of all seats and play to the next stop.

    Attributes:
        sheets: the forms. A seat without a form gives no orders.
        begins: continue a game by mail at its present position (`adjudicate here`).
    """

    sheets: tuple[SubmittedForm, ...] = ()
    begins: bool = False


AnyAction = (
    Place
    | Upgrade
    | Downgrade
    | Withdraw
    | Transfer
    | Build
    | Move
    | Merchant
    | Canal
    | Pay
    | Garrison
    | Fight
    | Decline
    | Choose
    | Codominion
    | Waive
    | Defend
    | Draft
    | CallCongress
    | Sign
    | Reject
    | Reveal
    | Lapse
    | Release
    | Renounce
    | Charge
    | Judge
    | Ready
    | Unready
    | Advance
    | Step
    | SetPosition
    | Adjudicate
    | DeclareWar
    | JoinWar
    | InviteAid
    | Volunteer
    | Deny
    | Allow
    | Attack
    | AnnounceEnd
    | Pass
    | Abandon
)
