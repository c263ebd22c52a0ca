"""What a gamemaster does between two stops: a pause, a look before the deadline, a seat for another or the caretaker.

Every such act is a line of the log, and the next report tells everybody of it.

Rules: PBM-054, PBM-113, PBM-114
"""

from __future__ import annotations

from datetime import datetime, timedelta

from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.pax.orders.seating import LONGEST, Sitter
from paxtui.pax.words.free_text import clean
from paxtui.pax.words.spoken import power_name
from paxtui.table.postal.arrivals import collected
from paxtui.table.postal.desk import Desk
from paxtui.table.postal.terms import Terms, said_anywhere, write_terms


def pause(desk: Desk) -> Terms:
    """Stop the clock: no deadline passes until `go_on`. Raises: Refusal `paused`, `game_over`; OSError."""
    with desk.table() as table:
        terms = _running(desk)
        if terms.paused:
            raise Refusal("paused", (), "The game is paused already.")
        left = datetime.fromisoformat(terms.deadline) - desk.now() if terms.deadline else timedelta(0)
        terms = replace(terms, deadline="", paused=max(1, round(left.total_seconds())))
        desk.notice(table, f"The game was paused at stop {terms.stop}.")
        write_terms(desk.folder, terms)
    return terms


def go_on(desk: Desk) -> Terms:
    """Let the clock go on with the time that was left. Raises: Refusal `not_paused`; OSError."""
    with desk.table() as table:
        terms = _running(desk)
        if not terms.paused:
            raise Refusal("not_paused", (), "The game is not paused.")
        deadline = (desk.now() + timedelta(seconds=terms.paused)).isoformat(timespec="seconds")
        terms = replace(terms, deadline=deadline, paused=0)
        desk.notice(table, f"The game goes on; the deadline of stop {terms.stop} is {said_anywhere(deadline)}.")
        write_terms(desk.folder, terms)
    return terms


def open_early(desk: Desk) -> dict[str, str]:
    """The forms that have come in, by seat, before they are due; every report tells that they were looked at.

    Raises: Refusal `nothing_there`, `locked`; OSError, and then nothing was shown.
    """
    with desk.table() as table:
        terms = _running(desk)
        if terms.two_step:
            raise Refusal("locked", (), "The forms are locked: nobody can open them before their keys come.")
        sheets = collected(desk.folder, terms, table.tables).sheets
        if not sheets:
            raise Refusal("nothing_there", (), "No form has come in yet.")
        names = ", ".join(power_name(table.tables, seat) for seat in table.state.players if seat in sheets)
        desk.notice(table, f"The gamemaster looked at the forms of stop {terms.stop} before they were due: {names}.")
    return {seat: sheets[seat].text for seat in sheets}


def to_caretaker(desk: Desk, seat: str) -> Terms:
    """Hand a seat to the caretaker: nobody waits for it any more. Raises: Refusal `unknown_seat`, `already`,
        `last_player`; OSError.

    Rules: PBM-113, PBM-114
    """
    with desk.table() as table:
        terms = _known(desk, seat)
        if seat in table.state.abandoned:
            raise Refusal("already", (), "The caretaker plays that seat already.")
        if len(table.state.abandoned) + 1 == len(table.state.players):
            raise Refusal("last_player", (), "It is the last seat with a player: a game needs one.")
        table.seat({seat: Sitter(by="bot", level="caretaker", key=terms.keys.get(seat, ""))})
        desk.notice(table, f"{power_name(table.tables, seat)} is played by the caretaker from now on.")
        return desk.renew(table, replace(terms, players={**terms.players, seat: ""}))


def to_player(desk: Desk, seat: str, name: str) -> str:
    """Give a seat to another player. Returns: his code in a sealed game, where it is good once; else "".

    Raises: Refusal `unknown_seat`; OSError.
    Rules: PBM-114
    """
    name = clean(name)[:LONGEST]
    with desk.table() as table:
        terms = _known(desk, seat)
        table.seat({seat: Sitter(name=name)})
        desk.notice(table, f"{power_name(table.tables, seat)} has a new player: {name or 'nobody has said his name'}.")
        keys = {s: key for s, key in terms.keys.items() if s != seat}  # what the one before him sends counts no more
        away = {s: until for s, until in terms.away.items() if s != seat}
        desk.renew(table, replace(terms, players={**terms.players, seat: name}, keys=keys, away=away))
    return desk.new_code(seat) if terms.desk_key else ""


def _running(desk: Desk) -> Terms:
    """The terms of a game that is not over. Raises: Refusal `game_over`; OSError."""
    terms = desk.terms
    if terms.over:
        raise Refusal("game_over", ("SET-003",), "The game is over.")
    return terms


def _known(desk: Desk, seat: str) -> Terms:
    terms = _running(desk)
    if seat not in terms.players:
        seats = ", ".join(terms.players)
        raise Refusal("unknown_seat", (), f"There is no seat {seat[:40]!r}; the seats are {seats}.")
    return terms
