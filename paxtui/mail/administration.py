"""Gamemaster actions between stops, automatic operation, and conversion of a game to mail.

Each action is a line of the log and is announced in the next report. Automatic operation keeps no state of its own: it
continues from the published files.

Rules: PBM-001, PBM-054, PBM-113, PBM-114
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path

from msgspec.structs import replace

from paxtui.engine.free_text import clean_text
from paxtui.engine.log import BrokenLog
from paxtui.engine.refusal import Refusal
from paxtui.engine.seating import MAX_PERSON_NAME, SeatOccupant
from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions.actions import Adjudicate
from paxtui.games.pax.mail.stops import StopKind
from paxtui.games.pax.text.display import power_name
from paxtui.mail.game_directory import GameDirectory, MailTerms, deadline_utc_text, write_terms
from paxtui.mail.gamemaster import GamemasterService, PageRenderer, check_seat
from paxtui.mail.keys import with_desk_key
from paxtui.mail.submissions import MailClock, collect_forms, now_utc
from paxtui.session.pax_host import PaxHost
from paxtui.session.storage.files import write_new
from paxtui.session.storage.interface import read_seed, write_seed


def pause_game(service: GamemasterService) -> MailTerms:
    """Stop the clock until `resume_game`. Raises: Refusal `paused`, `game_over`; OSError."""
    with service.table() as table:
        terms = _running_terms(service)
        if terms.paused:
            raise Refusal("paused", (), "The game is already paused.")
        left = datetime.fromisoformat(terms.deadline) - service.now() if terms.deadline else timedelta(0)
        terms = replace(terms, deadline="", paused=max(1, round(left.total_seconds())))
        service.notice(table, f"The game was paused at stop {terms.stop}.")
        write_terms(service.folder, terms)
    return terms


def resume_game(service: GamemasterService) -> MailTerms:
    """Restart the clock with the remaining time. Raises: Refusal `not_paused`; OSError."""
    with service.table() as table:
        terms = _running_terms(service)
        if not terms.paused:
            raise Refusal("not_paused", (), "The game is not paused.")
        deadline = (service.now() + timedelta(seconds=terms.paused)).isoformat(timespec="seconds")
        terms = replace(terms, deadline=deadline, paused=0)
        service.notice(table, f"The game goes on; the deadline of stop {terms.stop} is {deadline_utc_text(deadline)}.")
        write_terms(service.folder, terms)
    return terms


def open_forms_early(service: GamemasterService) -> dict[str, str]:
    """Return the submitted forms by seat before the deadline; the next report says so.

    Raises: Refusal `nothing_there`, `locked`; OSError, and then no form was shown.
    """
    with service.table() as table:
        terms = _running_terms(service)
        if terms.two_step:
            raise Refusal("locked", (), "The forms are locked until their keys arrive.")
        sheets = collect_forms(service.folder, terms, table.tables).sheets
        if not sheets:
            raise Refusal("nothing_there", (), "No form has arrived yet.")
        names = ", ".join(power_name(table.tables, seat) for seat in table.state.players if seat in sheets)
        service.notice(table, f"The gamemaster looked at the forms of stop {terms.stop} before they were due: {names}.")
    return {seat: sheets[seat].text for seat in sheets}


def assign_caretaker(service: GamemasterService, seat: str) -> MailTerms:
    """Give a seat to the caretaker; its form is no longer required.

    Raises: Refusal `unknown_seat`, `already`, `last_player`; OSError.
    Rules: PBM-113, PBM-114
    """
    with service.table() as table:
        terms = _check_seat(service, seat)
        if seat in table.state.abandoned:
            raise Refusal("already", (), "The caretaker already plays that seat.")
        if len(table.state.abandoned) + 1 == len(table.state.players):
            raise Refusal("last_player", (), "This is the last seat with a player; a game needs one.")
        table.seat({seat: SeatOccupant(by="bot", level="caretaker", key=terms.keys.get(seat, ""))})
        service.notice(table, f"{power_name(table.tables, seat)} is played by the caretaker from now on.")
        return service.renew(table, replace(terms, players={**terms.players, seat: ""}))


def assign_player(service: GamemasterService, seat: str, name: str) -> str:
    """Give a seat to a new player. Returns: in a sealed game their invitation code, valid once; else "".

    Raises: Refusal `unknown_seat`; OSError.
    Rules: PBM-114
    """
    name = clean_text(name)[:MAX_PERSON_NAME]
    with service.table() as table:
        terms = _check_seat(service, seat)
        table.seat({seat: SeatOccupant(name=name)})
        service.notice(table, f"{power_name(table.tables, seat)} has a new player: {name or 'no name given'}.")
        # forms of the previous player are no longer valid
        keys = {s: key for s, key in terms.keys.items() if s != seat}
        away = {s: until for s, until in terms.away.items() if s != seat}
        service.renew(table, replace(terms, players={**terms.players, seat: name}, keys=keys, away=away))
    return service.new_code(seat) if terms.desk_key else ""


def _running_terms(service: GamemasterService) -> MailTerms:
    """Return the terms of an unfinished game. Raises: Refusal `game_over`; OSError."""
    terms = service.terms
    if terms.over:
        raise Refusal("game_over", ("SET-003",), "The game is over.")
    return terms


def _check_seat(service: GamemasterService, seat: str) -> MailTerms:
    terms = _running_terms(service)
    check_seat(terms, seat)
    return terms


MOST_IDLE_STOPS = 100
"""Maximum number of consecutive stops without required forms; more are a bug."""


def run_due_tasks(service: GamemasterService) -> Iterator[str]:
    """Do everything that is due; yield a sentence for each step.

    Raises: Refusal; OSError. The next call continues from the published files.
    """
    for _ in range(MOST_IDLE_STOPS):
        found = service.status()
        if not found.may_open:
            return
        found = service.adjudicate()
        if found.terms.over:
            yield f"stop {found.terms.stop - 1} was adjudicated: the game is over"
            return
        yield f"stop {found.terms.stop - 1} was adjudicated: stop {found.terms.stop} has begun"


def run_until_over(service: GamemasterService, every: float, say: Callable[[str], None]) -> None:
    """Check a game at an interval until it is over.

    Args: the gamemaster's service; seconds between two checks; reports each step.
    Raises: Refusal `no_mail_game`. Other errors are reported, and the step is tried again.
    """
    while True:
        try:
            for step in run_due_tasks(service):
                say(step)
        except Refusal as refusal:
            if refusal.code == "no_mail_game":
                raise
            say(refusal.message)
        except (OSError, BrokenLog) as error:
            say(str(error))
        if service.terms.over:
            return
        time.sleep(every)


def convert_to_mail(
    folder: GameDirectory,
    log: Path,
    *,
    days: Mapping[StopKind, int] | None = None,
    sealed: bool = False,
    two_step: bool = False,
    now: MailClock = now_utc,
    draw: PageRenderer | None = None,
) -> GamemasterService:
    """Continue a saved game by mail; its log is copied, not changed.

    The caretaker replaces other bots, which write no forms.

    Args: a new directory; the log; days of each kind of stop; whether forms are sealed, and locked until after the
        deadline; the time; renders HTML pages.
    Raises: Refusal `game_over`, `dice_wait`, `no_seals`; BrokenLog; OSError.
    """
    with PaxHost.open(log, write=False) as table:
        if table.state.result is not None:
            raise Refusal("game_over", ("SET-003",), "The game is over.")
        table.game.dice.key(read_seed(log))  # fair dice that wait for words must be made in the session first
        header, data = table.game.header, table.log()
    if seed := read_seed(log):
        write_seed(folder.game, seed)
    write_new(folder.game, data)
    service = GamemasterService(folder, now, draw)
    with service.table() as table:
        seats = table.state.players
        bots = {seat: SeatOccupant(by="bot", level="caretaker") for seat in seats if table.occupant(seat).is_automatic}
        if len(bots) == len(seats):
            raise Refusal("last_player", (), "No seat of that game has a player who could write forms.")
        if bots:
            table.seat(bots)
        names = {seat: "" if seat in bots else table.occupant(seat).name for seat in seats}
        fair = header.commitment if header.dice == "fair" else ""
        dice = "made" if fair else ""
        terms = MailTerms(game=header.game, players=names, days=dict(days or {}), fair=fair, dice=dice)
        write_terms(folder, with_desk_key(folder, terms, two_step) if sealed or two_step else terms)
        table.act(ARBITER, Adjudicate(begins=True))
        service.publish(table)
    return service
