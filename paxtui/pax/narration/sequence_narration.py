"""The course of the Game Turn in plain words: Phases, ready flags, choices, the end of the game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from paxtui.pax.narration.choice_narration import chosen, short
from paxtui.pax.narration.known import Known
from paxtui.pax.state.questions import CongressQuestion
from paxtui.pax.words.spoken import phase_name, power_name, powers_named, sentence, the_power, the_powers

PASS = "pass"
"""Answer of a member of the Congress that proposes nothing."""


def _phase(t: Tables, e: ev.PhaseBegan) -> str:
    return f"— {phase_name(e.phase)} Phase —"


def _turn(t: Tables, e: ev.TurnBegan) -> str:
    fleets = ", ".join(power_name(t, p) for p, n in e.fleets.items() if n)
    return f"══ {e.year}: Game Turn {e.turn} ══" + (f" New Merchant Fleets for {fleets}." if fleets else "")


def _ready(t: Tables, e: ev.SeatReady) -> str:
    return sentence(f"{the_power(t, e.seat)} is {'ready' if e.ready else 'no longer ready'}")


def _choice(t: Tables, e: ev.ChoiceOffered) -> str:
    return sentence(f"{the_power(t, e.choice.power)} must decide {short(t, e.choice)}")


def _answer(t: Tables, e: ev.ChoiceMade, known: Known) -> str:
    choice = known.choices.get(e.id)
    if choice is None:
        return ""
    who = the_power(t, choice.power)
    if isinstance(choice.about, CongressQuestion) and not (choice.about.sealed and e.answer):
        # the Congress says what comes of every other answer
        return sentence(f"{who} proposes nothing") if e.answer == (PASS,) else ""
    if e.void:
        return sentence(f"{who} no longer needs to decide {short(t, choice)}")
    default = ", by default" if e.by_default else ""
    return sentence(f"{who} decides {short(t, choice)}: {chosen(t, choice, e.answer)}{default}")


def _abandoned(t: Tables, e: ev.SeatsAbandoned) -> str:
    who, several = the_powers(t, e.seats), len(e.seats) > 1
    if e.lifted:
        return sentence(f"{who} {'have players' if several else 'has a player'} again")
    rule = f"nobody plays {'them' if several else 'it'} any more, and the General Orders hold"
    return sentence(f"{who} {'are' if several else 'is'} abandoned: {rule}")


def _ended(t: Tables, e: ev.GameEnded) -> str:
    r = e.result
    why = "The Great War breaks out" if r.reason == "great_war" else "The tenth Game Turn is over"
    blame = f", brought about by {powers_named(t, r.culprits)}" if r.culprits else ""
    ranks = sorted(r.ranks.items(), key=lambda kv: kv[1])
    places = ", ".join(f"{n}. {power_name(t, s)} ({r.totals.get(s, 0)})" for s, n in ranks)
    return f"{why}{blame}. {places}"


WORDS: dict[type, Callable[[Tables, Any], str]] = {
    ev.PhaseBegan: _phase,
    ev.TurnBegan: _turn,
    ev.StepTaken: lambda t, e: "",
    ev.Noted: lambda t, e: e.text,
    ev.SeatReady: _ready,
    ev.ReadyCleared: lambda t, e: sentence(f"{the_power(t, e.by)} has acted, so {the_powers(t, e.seats)} may react"),
    ev.ChoiceOffered: _choice,
    ev.PositionSet: lambda t, e: "The arbiter sets up another position.",
    ev.SeatsAbandoned: _abandoned,
    ev.GameEnded: _ended,
}
"""A line for each of these events, for `paxtui.pax.narration.narrate`."""

NAMED: dict[type, Callable[[Tables, Any, Known], str]] = {ev.ChoiceMade: _answer}
"""A line for each of these, which names what has an id."""
