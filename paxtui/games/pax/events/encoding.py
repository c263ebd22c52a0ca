"""Base struct of events, and upcasters for events, actions and positions of older logs.

Events are frozen structs with their results, dice included, and rule ids. A changed event gets a new `v` and an
upcaster (`paxtui.engine.upcast`). Never change an upcaster after a release.
"""

from __future__ import annotations

from typing import Any

import msgspec

from paxtui.engine.upcast import Raw, Upcasters
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.events.names import Names
from paxtui.games.pax.state.model import State


def type_tag(name: str) -> str:
    """Return the type of a struct in log and protocol: its name in snake case."""
    return "".join("_" + c.lower() if c.isupper() else c for c in name).lstrip("_")


class Event(msgspec.Struct, frozen=True, tag_field="type", tag=type_tag, omit_defaults=True, kw_only=True):
    """Base of all events.

    Attributes:
        rules: ids of the rules that caused it.
        only: seats that see it in full; empty for all. `paxtui.games.pax.visibility.seal_event` sets it unless it is
            set.
        others: the fields as the other seats see them; None if they do not see the event.
    """

    rules: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    others: Raw | None = None

    def evolve(self, s: State) -> State:
        """Return the state after the event.

        Uses no rules, dice or checks, so that replay never depends on the rules. An event whose piece is missing
        changes nothing.
        """
        return s

    def describe(self, t: Tables, names: Names) -> str:
        """Describe the event in one line; "" if there is nothing to say."""
        return ""


UPCASTERS = Upcasters()
"""The upcasters, in the order of the versions."""

POSITION = "position"
"""Type name of a whole position (at the start of a log, in `position_set`) for the upcasters."""


def upcast_position(raw: Any) -> Any:
    """Return a raw position of any version in the present form. Other values are unchanged.

    Raises:
        UnknownVersion: a newer program wrote it.
    """
    if not isinstance(raw, dict):
        return raw
    return {
        name: value for name, value in UPCASTERS.apply({**raw, "type": POSITION}).items() if name not in _VERSION_FIELDS
    }


def stamp_position(raw: Raw) -> Raw:
    """Return a raw position with its version."""
    return {name: value for name, value in UPCASTERS.stamp({**raw, "type": POSITION}).items() if name != "type"}


_VERSION_FIELDS = ("type", "v")


def upcast_action(raw: Any) -> Any:
    """Return a raw action of any version in the present form: a clause may hold its condition as text."""
    if not isinstance(raw, dict) or not isinstance(raw.get("clauses"), list):
        return raw
    return {**raw, "clauses": [_clause(c) if isinstance(c, dict) else c for c in raw["clauses"]]}


def _choice(raw: Raw) -> Raw:
    """Convert `kind` and `data` of a choice to `about`."""
    rest = {name: value for name, value in raw.items() if name not in ("kind", "data")}
    notes = dict(raw.get("data", {}))
    if "kind" in notes:  # of the units that retreat
        notes["unit_kind"] = notes.pop("kind")
    return {**rest, "about": {**notes, "kind": raw["kind"]}}


def _clause(raw: Raw) -> Raw:
    """Convert the condition of a clause, `war france germany`, to a struct."""
    if not isinstance(raw.get("upon"), str):
        return raw
    rest = {name: value for name, value in raw.items() if name != "upon"}
    return {**rest, "upon": upcast_trigger(raw["upon"])} if raw["upon"] else rest


def upcast_trigger(words: str) -> Raw:
    """Return the condition of a clause, in the ids of the notation, as a raw struct."""
    kind, *names = words.split()
    fields = {"war": ("power", "other"), "control": ("power", "area"), "unrest": ("area",)}.get(kind, ("area",))
    return {"kind": kind, **dict(zip(fields, names, strict=False))}


def _treaty(raw: Raw) -> Raw:
    """Convert `done`: "2" for clause 2, "2:5" for its fifth part."""
    out = {**raw, "clauses": [_clause(c) for c in raw.get("clauses", ())]}
    if "done" in raw:
        parts = (done.partition(":") for done in raw["done"])
        out["done"] = [{"clause": int(clause), "part": int(part or 0)} for clause, _, part in parts]
    return out


def _congress(raw: Raw) -> Raw:
    proposals = [{**p, "clauses": [_clause(c) for c in p["clauses"]]} for p in raw.get("proposals", ())]
    return {**raw, "proposals": proposals, "holders": [holding.split(" ") for holding in raw.get("holders", ())]}


@UPCASTERS.step("treaty_drafted", 1)
@UPCASTERS.step("treaty_revealed", 1)
def _with_treaty(raw: Raw) -> Raw:
    out = {**raw, "treaty": _treaty(raw["treaty"])}
    others = raw.get("others")
    if others and "treaty" in others:
        out["others"] = {**others, "treaty": _treaty(others["treaty"])}
    return out


@UPCASTERS.step("clause_done", 1)
def _clause_done(raw: Raw) -> Raw:
    """Convert `turn`, which was also the position of a unit in its clause."""
    rest = {name: value for name, value in raw.items() if name != "turn"}
    return {**rest, "part": raw.get("turn", 0)}


@UPCASTERS.step("choice_offered", 1)
def _choice_offered(raw: Raw) -> Raw:
    return {**raw, "choice": _choice(raw["choice"])}


@UPCASTERS.step("step_taken", 1)
def _with_notes(raw: Raw) -> Raw:
    """Convert the untyped `data` of a frame or a step to notes."""
    return {**{name: value for name, value in raw.items() if name != "data"}, "notes": _notes(raw.get("data", {}))}


def _notes(data: Raw) -> Raw | None:
    """Return the notes of a frame, by its Phase."""
    if "raised" in data:
        return {**data, "of": "marker_adjustment"}
    if "waived" in data:  # "HOLDER AREA", or "HOLDER AREA AGAINST"
        waived: dict[str, list[Raw]] = {}
        for note in data["waived"]:
            holder, area, *against = note.split(" ")
            waived.setdefault(area, []).append({"holder": holder, "against": "".join(against)})
        return {"waived": waived, "of": "negotiation"}
    return {**data, "of": "colonial_combat"} if data else None


@UPCASTERS.step("congress_changed", 1)
def _congress_changed(raw: Raw) -> Raw:
    return {**raw, "step": _split_session(raw["congress"]), "congress": _congress(raw["congress"])}


def _split_session(congress: Raw) -> str:
    """Remove the step from a Congress and return it; "" before it has met."""
    step = congress.pop("step", "called")
    return "" if step == "called" else str(step)


def _frames(frames: list[Raw], congress: Raw | None) -> list[Raw]:
    """Return frames with typed notes, and with one for a Congress in session."""
    out = [_with_notes(frame) for frame in frames]
    step = _split_session(congress) if congress else ""
    return [*out, {"phase": "sitting", "step": step}] if step not in ("", "over") else out


@UPCASTERS.step(POSITION, 1)
def _position(raw: Raw) -> Raw:
    out = {**raw, "frames": _frames(raw.get("frames", []), raw.get("congress"))}
    out["choices"] = [_choice(c) for c in raw.get("choices", ())]
    out["treaties"] = [_treaty(t) for t in raw.get("treaties", ())]
    if raw.get("congress"):
        out["congress"] = _congress(raw["congress"])
    out["options"] = _options(raw.get("options", {}))
    for name in ("ungarrisoned", "handed_over", "ottoman_wars"):  # each was "POWER AREA"
        out[name] = [holding.split(" ") for holding in raw.get(name, ())]
    out["moved_minors"] = [[*holding.split(" "), turn] for holding, turn in raw.get("moved_minors", {}).items()]
    return out


def _options(texts: Raw) -> Raw:
    """Return the values for their texts. Options that no longer exist are ignored when the position is decoded."""
    words = {"yes": True, "no": False}
    values = {name: words.get(text, text) for name, text in texts.items()}
    return {**values, "congress_proposals": int(texts.get("congress_proposals", "3"))}


@UPCASTERS.step("position_set", 1)
def _position_set(raw: Raw) -> Raw:
    return {**raw, "state": _position(raw["state"])}
