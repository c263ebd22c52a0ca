"""Who sits where in the plain mode, why bots have done what they did, and what one would do."""

from __future__ import annotations

from paxtui.bots.players import BOTS, sitter_named
from paxtui.pax.orders.seating import PERSON, Sitter, grouped
from paxtui.pax.words.names import index
from paxtui.pax.words.spoken import any_of, power_name
from paxtui.table.desk.advice import ADVISER, NO_ADVICE, about, proposed
from paxtui.table.session import Session
from paxtui.table.thinking import think

MOST = 20
"""Reasons that are told at once, the last ones."""

SITTERS: dict[str, Sitter] = {
    "person": PERSON,
    **{name: sitter_named(name) for name in BOTS},
    "nobody": Sitter(by="nobody"),
}
"""Who can sit at a seat, by the word for it."""


def sits(session: Session, words: str) -> list[str]:
    """Who sits where; with a Power and a word somebody else sits there from now on. Raises: Refusal, OSError."""
    seats = session.live.players
    if words:
        who, _, wanted = words.rpartition(" ")
        sitter = SITTERS.get(wanted.casefold())
        if sitter is None and ":" in wanted:
            try:
                sitter = sitter_named(wanted)
            except ValueError as error:
                return [f"{str(error).capitalize()}."]
        if sitter is None or not who:
            return [f"Say the Power, then {any_of(tuple(SITTERS))}: sits france caretaker."]
        seat = index(session.tables).powers.find(who)
        if seat not in seats:
            return [f"{power_name(session.tables, seat)} has no seat in this game."]
        if sitter.plays_itself and set(session.seats_here()) <= {seat}:
            return ["Somebody has to play: let a person sit at one of the seats first."]
        session.seat_players({seat: sitter})
    return [grouped(session.tables, {seat: session.sitter(seat) for seat in seats}) + "."]


def reasons(session: Session) -> list[str]:
    """The last acts of the bots that everybody may know of, each with its reason."""
    told = session.reasons()[-MOST:]
    if not told:
        return ["No bot has given a reason that you may know."]
    return [f"{power_name(session.tables, seat)}: {text} ({why})." for seat, text, why in told]


def advice(session: Session) -> list[str]:
    """Up to three acts that a statesman would do in the place of the seat, each with its reason."""
    if not session.allows_advice:
        return [NO_ADVICE]
    if session.seat not in session.waiting():
        return ["There is nothing for you to do now."]
    acts = proposed(session, think(session.tables, session.question(ADVISER)).acts)
    if not acts:
        return ["A statesman would do nothing more."]
    told = []
    for n, act in enumerate(acts, start=1):
        told.append(f"{n}. {act.text}" + (f" ({act.why})." if act.why else "."))
        told += [f"   {said}"] if (said := about(session, act.texts[0])) else []
    return told
