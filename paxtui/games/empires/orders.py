"""Actions of the Powers, and their notation.

`ACTION_FORMS` has one row per action: its class and its form. `parse_action` reads a typed order, and `action_text`
writes it.

A form is a line of words and fields: `move {fleet} to {path} [with {cargo}]`. A field of text or a number is one word,
a tuple is a list with commas (`a,b,c`), a dict a list of `name=number`. Parts in brackets are optional; without them
their fields have their defaults.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any, get_origin, get_type_hints

import msgspec

from paxtui.engine.refusal import Refusal


class Action(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """An action of a seat."""


class Done(Action, frozen=True, tag="done"):
    """End the step of the Power."""


class Answer(Action, frozen=True, tag="answer"):
    """Answer the current question with one of its choices."""

    choice: str


# --- army reinforcement ---------------------------------------------------------------------------------------------


class Reinforce(Action, frozen=True, tag="reinforce"):
    """Place new factors in a corps, or in the garrison of the city of an area."""

    where: str
    factors: dict[str, int]


class Exchange(Action, frozen=True, tag="exchange"):
    """Give factors from a corps to another, or to the garrison of the city (`city`) or the depot (`depot`)."""

    corps: str
    factors: dict[str, int]
    to: str


class Demobilize(Action, frozen=True, tag="demobilize"):
    """Disband a corps, or garrisons of an area.

    Attributes:
        where: a corps or an area.
        factors: factors of a garrison; empty for the whole corps or garrison.
        source: `city` or `depot`; empty for the whole garrisons of both, or for some factors of the city's.
    """

    where: str
    factors: dict[str, int] = {}
    source: str = ""


class Retire(Action, frozen=True, tag="retire"):
    """Take a leader off the map."""

    leader: str


class Appoint(Action, frozen=True, tag="appoint"):
    """Bring a leader back, with a corps."""

    leader: str
    corps: str


# --- depots ----------------------------------------------------------------------------------------------------


class PlaceDepot(Action, frozen=True, tag="place_depot"):
    """Buy a depot and place it in an area, or on a fleet."""

    where: str


class RemoveDepot(Action, frozen=True, tag="remove_depot"):
    """Take a depot off the map."""

    where: str


# --- movement ----------------------------------------------------------------------------------------------------


class March(Action, frozen=True, tag="march"):
    """Move a counter along areas."""

    corps: str
    path: tuple[str, ...]


class ForceMarch(Action, frozen=True, tag="force_march"):
    """The same with a force march."""

    corps: str
    path: tuple[str, ...]


class Disembark(Action, frozen=True, tag="disembark"):
    """Land a corps from its fleet in an area, or in the besieged friendly port there (`port`)."""

    corps: str
    area: str
    into: str = "area"


class Detach(Action, frozen=True, tag="detach"):
    """Leave factors of a corps in the city or with the depot of its area."""

    corps: str
    factors: dict[str, int]
    to: str = "city"


class Absorb(Action, frozen=True, tag="absorb"):
    """Take factors of a garrison into a corps."""

    corps: str
    factors: dict[str, int]
    source: str = "city"


class Enter(Action, frozen=True, tag="enter"):
    """Enter the city of the area."""

    corps: str


class Leave(Action, frozen=True, tag="leave"):
    """Leave the city for its area."""

    corps: str


class Besiege(Action, frozen=True, tag="besiege"):
    """Besiege the city of the area with all own corps there."""

    corps: str


class LiftSiege(Action, frozen=True, tag="lift_siege"):
    """End a siege."""

    area: str


class DestroyDepot(Action, frozen=True, tag="destroy_depot"):
    """Destroy the ungarrisoned enemy depot in the area of a counter."""

    corps: str


class ConvertDepot(Action, frozen=True, tag="convert_depot"):
    """Convert that depot to the own Power."""

    corps: str


class Forage(Action, frozen=True, tag="forage"):
    """End the march of a corps, and let it live off the country."""

    corps: str


class AskSupply(Action, frozen=True, tag="ask_supply"):
    """Ask an ally to supply a corps from the ally's depots, at the ally's cost."""

    corps: str
    ally: str


class ChooseLosses(Action, frozen=True, tag="choose_losses"):
    """Choose the losses of each combat again, after an order that foot is lost first."""


class PickChit(Action, frozen=True, tag="pick_chit"):
    """Pick a chit for the field combat in secret."""

    chit: str


class Declare(Action, frozen=True, tag="declare"):
    """Write secret declarations of war, or `none`. All are revealed together."""

    on: tuple[str, ...]


class CallAlly(Action, frozen=True, tag="call"):
    """Call an ally against an enemy of this month. The Power's own name means that it can call no ally."""

    ally: str
    enemy: str


class Sue(Action, frozen=True, tag="sue"):
    """Write in secret to whom the Power surrenders."""

    to: tuple[str, ...]


class OfferPeace(Action, frozen=True, tag="offer_peace"):
    """Write in secret with whom the Power would make an informal peace."""

    to: tuple[str, ...]


class Ally(Action, frozen=True, tag="ally"):
    """Offer an alliance, or accept one."""

    to: str


class BreakAlliance(Action, frozen=True, tag="break_alliance"):
    """Break an alliance."""

    ally: str


class FreeState(Action, frozen=True, tag="free_state"):
    """Make a conquered minor country a free state permanently."""

    minor: str


class Combine(Action, frozen=True, tag="combine"):
    """Offer an ally combined movement this month, or accept it."""

    to: str


class Sail(Action, frozen=True, tag="sail"):
    """Sail with fleets that are in one place, from place to place; `off_brest` is the blockade box of Brest.

    Corps embark if they are in port with the fleets. `seeking` is `battle` if the stack wants combat in the blockade
    box of a port that it enters.
    """

    fleets: tuple[str, ...]
    route: tuple[str, ...]
    corps: tuple[str, ...] = ()
    seeking: str = ""


class AttackFleet(Action, frozen=True, tag="attack_fleet"):
    """Attack the stack of a Power at a place; `declaring` names Powers on which this declares war."""

    place: str
    power: str
    declaring: tuple[str, ...] = ()


class PlaceShips(Action, frozen=True, tag="place_ships"):
    """Place new ships in a fleet."""

    fleet: str
    ships: int


class PlaceFleet(Action, frozen=True, tag="place_fleet"):
    """Place a new fleet counter in a port or with another fleet, with new ships."""

    fleet: str
    place: str
    ships: int = 0
    giver: str = ""


class TransferShips(Action, frozen=True, tag="transfer_ships"):
    """Transfer ships to another fleet at the same place."""

    ships: int
    giver: str
    taker: str


class Scuttle(Action, frozen=True, tag="scuttle"):
    """Remove a fleet and its ships."""

    fleet: str


class Announce(Action, frozen=True, tag="announce"):
    """Choose the Power after which the own Power moves in this phase; `first` for before all others."""

    after: str


ACTION_FORMS: dict[type[Action], str] = {
    Done: "done",
    Answer: "answer {choice}",
    Announce: "announce {after}",
    Declare: "declare war on {on}",
    CallAlly: "call {ally} against {enemy}",
    Sue: "sue {to}",
    OfferPeace: "offer peace to {to}",
    Ally: "ally with {to}",
    BreakAlliance: "break with {ally}",
    FreeState: "free {minor}",
    Combine: "combine with {to}",
    Sail: "sail {fleets} to {route} [with {corps}] [seeking {seeking}]",
    AttackFleet: "strike {power} at {place} [declaring {declaring}]",
    PlaceShips: "commission {ships} ships into {fleet}",
    PlaceFleet: "launch {fleet} at {place} [ships {ships}] [from {giver}]",
    TransferShips: "shift {ships} ships from {giver} to {taker}",
    Scuttle: "scuttle {fleet}",
    Reinforce: "reinforce {where} with {factors}",
    Exchange: "exchange {corps} {factors} to {to}",
    Demobilize: "demobilize {where} [{factors}] [from {source}]",
    Retire: "retire {leader}",
    Appoint: "appoint {leader} to {corps}",
    PlaceDepot: "depot {where}",
    RemoveDepot: "remove depot {where}",
    March: "march {corps} to {path}",
    ForceMarch: "force march {corps} to {path}",
    Disembark: "disembark {corps} in {area} [into {into}]",
    Detach: "detach {corps} {factors} [to {to}]",
    Absorb: "absorb {corps} {factors} [from {source}]",
    Enter: "enter {corps}",
    Leave: "leave {corps}",
    Besiege: "besiege {corps}",
    LiftSiege: "lift siege {area}",
    DestroyDepot: "destroy depot {corps}",
    ConvertDepot: "convert depot {corps}",
    Forage: "forage {corps}",
    AskSupply: "ask {ally} to supply {corps}",
    PickChit: "chit {chit}",
    ChooseLosses: "choose losses",
}
"""Every kind of action with how it is typed."""

ACTIONS_BY_TAG: dict[str, type[Action]] = {str(kind.__struct_config__.tag): kind for kind in ACTION_FORMS}
"""The kinds by the `type` of the raw action."""


_PIECE = re.compile(r"\{(\w+)\}|([^\s{}\[\]]+)|([\[\]])")


@cache
def _action_pattern(kind: type[Action]) -> re.Pattern[str]:
    """What the words of an action look like."""
    parts: list[str] = []
    for field, word, bracket in _PIECE.findall(ACTION_FORMS[kind]):
        if field:
            parts.append(rf"\s+(?P<{field}>\S+)")
        elif word:
            parts.append(rf"\s+{re.escape(word)}")
        else:
            parts.append("(?:" if bracket == "[" else ")?")
    return re.compile("".join(parts) + r"\s*", re.IGNORECASE)


def parse_action(text: str) -> Action:
    """The action that is typed. Raises: Refusal `bad_order`."""
    words = " " + " ".join(text.lower().split())
    for kind in ACTION_FORMS:
        found = _action_pattern(kind).fullmatch(words)
        if found:
            return _build_action(
                kind, {name: value for name, value in found.groupdict().items() if value is not None}, text
            )
    first = words.split()[:1]
    near = [form for form in ACTION_FORMS.values() if form.split()[:1] == first]
    forms = near or sorted({form.split()[0] for form in ACTION_FORMS.values()})
    raise Refusal("bad_order", (), f"'{text.strip()}' is not an order; try: {'; '.join(forms)}.", forms=forms)


def _build_action(kind: type[Action], given: dict[str, str], text: str) -> Action:
    """An action from the words of its fields. Raises: Refusal `bad_order`."""
    hints = get_type_hints(kind)
    try:
        fields = {name: _parse_value(hints[name], word) for name, word in given.items()}
        action: Action = msgspec.convert(fields | {"type": kind.__struct_config__.tag}, type=kind)
    except (ValueError, msgspec.ValidationError) as error:
        raise Refusal(
            "bad_order", (), f"'{text.strip()}' is not an order: {error}; write: {ACTION_FORMS[kind]}."
        ) from None
    return action


def _parse_value(hint: Any, word: str) -> Any:
    """What a word means as the value of a field. Raises: ValueError."""
    if hint is int:
        return int(word)
    if get_origin(hint) is tuple:
        return tuple(part for part in word.split(",") if part)
    if get_origin(hint) is dict:
        pairs = (part.partition("=") for part in word.split(",") if part)
        return {name: int(number) for name, _, number in pairs}
    return word


def action_text(action: Action) -> str:
    """An action as it is typed."""
    fields: dict[str, Any] = {name: getattr(action, name) for name in action.__struct_fields__}
    default = dict(zip(action.__struct_fields__[::-1], action.__struct_defaults__[::-1], strict=False))

    def written(text: str) -> str:
        return re.sub(r"\{(\w+)\}", lambda found: _format_value(fields[found[1]]), text)

    def optional(found: re.Match[str]) -> str:
        names = re.findall(r"\{(\w+)\}", found[1])
        return written(found[1]) if any(fields[name] != default.get(name) for name in names) else ""

    return " ".join(written(re.sub(r"\[([^\]]*)\]", optional, ACTION_FORMS[type(action)])).split())


def _format_value(value: Any) -> str:
    """A value as one word."""
    if isinstance(value, tuple):
        return ",".join(value)
    if isinstance(value, dict):
        return ",".join(f"{name}={number}" for name, number in value.items())
    return str(value)
