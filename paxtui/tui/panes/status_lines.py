"""The top line (state of the game), the bottom line (keys) and the card of a place below the map."""

from __future__ import annotations

from collections.abc import Callable

from rich.text import Text

from paxtui.engine.clock import countdown_text
from paxtui.games.pax.board.routes import link_path
from paxtui.games.pax.board.status import units_line
from paxtui.games.pax.board.tables import HOME
from paxtui.games.pax.reports import war_status as standing
from paxtui.games.pax.reports.great_war import TENSION_ALARM
from paxtui.games.pax.reports.threats import describe_demand, open_threats
from paxtui.games.pax.sequence import OPEN
from paxtui.games.pax.state.model import State
from paxtui.games.pax.text.display import describe_marker, phase_name, place_name, power_name, the_powers
from paxtui.session.player_news import unread_talk
from paxtui.session.session import Session
from paxtui.tui.formatting.look import Look, clickable, meter_bar
from paxtui.tui.panes.registry import pane_keys
from paxtui.tui.panes.what_now import standing_briefs

TRACK = (
    ("random_events", "Events"),
    ("administrative", "Admin"),
    ("minor_powers", "Minors"),
    ("movement", "Movement"),
    ("colonial_combat", "Combat"),
    ("marker_adjustment", "Adjust"),
    ("negotiation", "Negotiate"),
    ("congress", "Congress"),
    ("chinese_resentment", "China"),
    ("war", "War"),
    ("victory_point_record", "Victory"),
)

OCCASIONAL_PHASES = ("congress", "war")
"""Phases that the track shows only while they last."""


def top_line(session: Session, look: Look, width: int) -> Text:
    """Render turn, Phase track, both indexes, seats with their ready flags, and the standing of the seat.

    Phases that are over give way to the standing.
    """
    briefs = [f" {brief}" for brief in standing_briefs(session)]
    line = _top_line(session, look, width, True)
    if briefs and line.cell_len + len(briefs[0]) > width:
        line = _top_line(session, look, width, False)
    return line.append(next((brief for brief in briefs if line.cell_len + len(brief) <= width), ""))


def _top_line(session: Session, look: Look, width: int, shows_past_phases: bool) -> Text:
    tables, state = session.tables, session.state
    out = Text(no_wrap=True, overflow="crop")
    if session.read_only_label:
        out.append(f" {session.read_only_label.upper()} ", f"{look.alarm} reverse")
    elif width >= 100:
        out.append(" PAX BRITANNICA ", "bold")
    clock = clock_face(session)
    if clock:
        is_urgent = session.clock.is_paused or session.clock.is_short
        out.append(f" {clock} ", f"{look.alarm} reverse" if is_urgent else "reverse")
    out.append(f" {tables.turns[state.turn - 1].year}", "bold")
    if clock and width < 100:  # the year implies the turn
        out.append(" ")
    else:
        turn, last = state.turn, state.last_turn
        out.append(f" turn {turn}/{last}  " if width < 140 else f" · turn {turn} of {last}  ")
    track = _phase_track(state, look, shows_past_phases)
    indexes = len(f" tension {state.tension}  China {state.resentment} ")
    seats_cells = _seat_letters(session, look, width, False).cell_len
    fought = war_status(session, look) if state.phase == "war" else ""
    if fought:
        room = max(12, width - (100 if width >= 140 else 78 if width >= 100 else 44))
        out.append("▸WAR ", look.key)
        out.append(fought if len(fought) <= room else fought[: room - 1] + "…")
        out.append(" ")
    elif width >= 140 and out.cell_len + track.cell_len + indexes + seats_cells <= width:
        out.append(track)
    else:
        out.append("▸" + dict(TRACK).get(state.phase, phase_name(state.phase)).upper(), look.key)
    alarm = look.alarm if state.tension >= TENSION_ALARM else ""
    seats = _seat_letters(session, look, width)
    if width >= 100:
        room = width - out.cell_len - seats.cell_len - indexes
        cells = min(10 if width >= 160 else 5, room)  # a line that is too long would hide all seats
        out.append(" tension ")
        out.append(f"{state.tension} {meter_bar(look, state.tension, 100, cells) if cells > 1 else ''}", alarm)
        out.append(f" China {state.resentment} ")
    else:
        out.append(f" T{state.tension} ", alarm)
        out.append(f"C{state.resentment} ")
    out.append(seats if out.cell_len + seats.cell_len <= width else _seat_letters(session, look, width, False))
    return out


def _phase_track(state: State, look: Look, shows_past_phases: bool) -> Text:
    """Return all Phases, or the present one and those to come, with the present one marked."""
    first = 0 if shows_past_phases else next((n for n, row in enumerate(TRACK) if row[0] == state.phase), 0)
    out = Text()
    for phase, name in TRACK[first:]:
        if phase in OCCASIONAL_PHASES and state.phase != phase:
            continue
        here = phase == state.phase
        out.append(("▸" + name.upper() if here else name) + " ", look.key if here else look.faint)
    return out


def _seat_letters(session: Session, look: Look, width: int, has_dots: bool = True) -> Text:
    """Return the letters of all seats with their ready flags. Args: whether a dot marks connected ones, or a line."""
    out, state, due, connected = Text(), session.state, session.waiting(), session.others.connected
    for seat in state.players:
        letters, style = look.power(session.tables, seat, long=False)
        sign = "✓" if state.phase in OPEN and seat in state.ready else "·" if seat in due else " "
        if seat in connected and has_dots:
            out.append(look.palette.text("●"), look.good)
        elif seat in connected:
            style = f"{style} underline"
        if seat == session.seat:
            style = f"{style} reverse"
        out.append(letters, clickable(style, f"screen.seats('click', '{seat}')"))
        out.append(sign + (" " if width >= 190 else ""), look.faint)
    return out


def clock_face(session: Session) -> str:
    """Return the remaining time of a shared game's clock; "" if it has none."""
    if session.clock.is_paused:
        return "PAUSED"
    left = session.clock.left_s
    return "" if left is None else countdown_text(left)


def war_status(session: Session, look: Look) -> str:
    """Return a short name of the War of the seat, or of the current War, with its Phase; "" if none."""
    wars = standing.sorted_wars(session.state, session.powers())
    if not wars:
        return ""
    war = wars[0]

    def letters(side: tuple[str, ...]) -> str:
        return " ".join(look.power(session.tables, power, long=False)[0] for power in side)

    sides = " - ".join(letters(side) for side in war.alliances if side)
    step = standing.STEP_NAMES.get(war.stage, "")
    return f"{sides} · cycle {war.cycle}" + (f" · {letters(war.alliance(war.turn_of))} {step}" if step else "")


def pane_hint(look: Look, key_of: Callable[[str, str], str]) -> Text:
    """Return the keys that lead on from a pane that replaces the map."""
    out = Text(no_wrap=True, overflow="crop")
    for key, what in (
        (key_of("game.back", "escape") + " ←", "back to the map"),
        ("↑ ↓", "scroll"),
        (key_of("game.next_pane", "tab"), "next pane"),
    ):
        out.append(key, look.key)
        out.append(f" {what}   ")
    return out


def window_title(session: Session) -> str:
    """Return the title of the terminal window."""
    tables, state = session.tables, session.state
    due = " ".join(tables.powers[seat].letters for seat in session.waiting())
    year = tables.turns[state.turn - 1].year
    if state.result is not None:
        return f"Pax Britannica {year} · the game is over"
    return f"Pax Britannica {year} · {phase_name(state.phase)}" + (f" · {due} to act" if due else "")


def alert_text(session: Session) -> str:
    """Return the text of a notification that a seat of this keyboard must act; "" if none must."""
    seat = session.seat if session.seat in session.waiting() else session.seats.next_to_act(session.seat)
    if not seat or session.state.result is not None:
        return ""
    phase, year = phase_name(session.live.phase), session.tables.turns[session.live.turn - 1].year
    return f"{power_name(session.tables, seat)} must act: {phase}, {year}."


PANE_KEYS = "panes"
"""Stands in KEY_HINTS for the keys of the panes."""

KEY_HINTS = {
    "move": (("game.group", "space", "next unit group"), ("", "arrows", "walk"), ("game.menu", "enter", "go there"),
             ("game.back", "escape", "stay")),
    "war": (("game.menu", "enter", "what can I do here"), ("game.move", "v", "move"), ("game.choose", "c", "choose"),
            ("game.ready", "r", "pass"), ("game.command", "colon", "command"), ("game.find", "slash", "find"),
            ("game.seat", "s", "seat"), ("game.undo", "u", "undo"), ("game.peace", "P", "peace"),
            ("game.filter", "f", "war map"), ("game.past", "[ ]", "history"),
            ("", PANE_KEYS, "panes"), ("game.zoom", "z", "zoom"),
            ("game.next_task", "n", "what waits"), ("game.since", "w", "what happened"),
            ("game.all_ready", "R", "all pass"), ("app.help", "f1", "help")),
    "past": (("game.past", "[ ]", "step"), ("game.turn_back", "{ }", "turn"), ("", "Home End", "ends"),
             ("game.play", "p", "play"), ("game.mark", "m =", "compare"), ("game.undo_here", "U", "undo to here"),
             ("app.help", "f1", "help")),
    "replay": (("game.past", "[ ]", "step"), ("game.turn_back", "{ }", "turn"), ("replay.play", "p", "play"),
               ("replay.slower", "- +", "speed"), ("replay.chapters", "c", "chapters"), ("replay.eyes", "s", "view"),
               ("replay.note", "N", "note"), ("", "Home End", "ends"), ("app.help", "f1", "help")),
    "study": (("game.past", "[ ]", "step"), ("study.comment", "k", "comment"), ("study.judge", "j", "mark"),
              ("study.branch", "b", "play on"), ("study.tree", "y", "tree"), ("game.turn_back", "{ }", "turn"),
              ("study.next", "n N", "next note"), ("study.arrow", "v", "arrow"), ("study.highlight", "x", "highlight"),
              ("game.mark", "m =", "compare"), ("game.share", "X", "share"), ("replay.eyes", "s", "view"),
              ("replay.chapters", "c", "chapters"), ("game.log", "l", "log"), ("app.help", "f1", "help")),
    "now": (("game.menu", "enter", "what can I do here"), ("game.move", "v", "move"), ("game.choose", "c", "choose"),
            ("game.ready", "r", "ready"), ("game.command", "colon", "command"), ("game.find", "slash", "find"),
            ("game.seat", "s", "seat"), ("game.undo", "u", "undo"), ("game.reinforce", "V", "bring here"),
            ("game.past", "[ ]", "history"),
            ("", PANE_KEYS, "panes"), ("game.zoom", "z", "zoom"),
            ("game.next_task", "n", "what waits"), ("game.since", "w", "what happened"),
            ("game.treaties", "t", "treaties"), ("game.all_ready", "R", "all ready"),
            ("game.congress", "C", "Congress"), ("app.help", "f1", "help")),
    "over": (("game.since", "w", "how it ended"), ("game.past", "[ ]", "history"),
             ("game.review", "D", "turning points"), ("game.seat", "s", "seat"), ("game.statistics", "i", "charts"),
             ("game.study", "y", "study"), ("game.share", "X", "share"), ("game.chronicle", "E", "newspaper"),
             ("game.find", "slash", "find"), ("", PANE_KEYS, "panes"), ("game.zoom", "z", "zoom"),
             ("game.undo", "u", "undo"), ("app.help", "f1", "help")),
}  # fmt: skip
"""The bottom line: id of the binding, its default key, and what it does."""
HINTS_ALONE = {"all ready": "stay ready", "all pass": "keep passing"}
"""What keys do when the keyboard has a single seat."""


def key_line(session: Session, look: Look, width: int, moving: bool, key_of: Callable[[str, str], str]) -> Text:
    """Render the keys that apply now.

    Args: the session; the look; the width in cells; whether Units are in hand; a function from the id of a binding and
        its default key to the label of its current key.
    """
    read_only = session.read_only_label and ("study" if session.read_only_label.startswith("study") else "replay")
    place = "move" if moving else read_only or ("past" if session.at is not None else "now")
    if place == "now" and session.live.result is not None:
        place = "over"
    elif place == "now" and session.live.phase == "war":
        place = "war"
    is_alone = len(session.seats.here()) == 1
    keys = tuple(
        (
            id_,
            key_of(id_, key) if id_ else pane_keys(place == "war") if key == PANE_KEYS else key,
            HINTS_ALONE.get(what, what) if is_alone else what,
        )
        for id_, key, what in KEY_HINTS[place]
    )
    unread = len(unread_talk(session))
    right = f"{unread} said ({key_of('game.talk', 'T')}) · " if unread else ""
    right += f"line {session.line}" + ("" if session.at is None else f" of {session.version}")
    kept = "not saved" if session.file.error else "saving…" if session.file.is_saving else "saved"
    right += " " if session.read_only_label else f" · {kept} "
    out = Text(" ", no_wrap=True, overflow="crop")
    for id_, key, what in keys:
        # whole pairs only; the last key, help, is always shown
        if len(out.plain) + len(key) + len(what) + 3 + len(right) > width - (9 if what != "help" else 0):
            continue
        press = f"app.press('{id_}')"
        out.append(key, clickable(look.key, press) if id_ else look.key)
        out.append(f" {what}", clickable("", press) if id_ else "")
        out.append("  ")
    out.append(" " * max(0, width - len(out.plain) - len(right)) + right, look.faint)
    return out


def place_card(session: Session, look: Look, place: str, key_of: Callable[[str, str], str], width: int = 0) -> Text:
    """Render the card below the map: what is at a place and what the acting Power can do there.

    Args: the session; the look; the place; a function from a binding's id and default key to its current label; the
        width in cells, in which a long card leaves out the names of the markers; 0 for no limit.
    """
    here = _place_contents(session, look, place, key_of, True)
    if 0 < width < here.cell_len:
        here = _place_contents(session, look, place, key_of, False)
    if place in session.tables.areas:
        path = link_path(session.tables, session.state, session.power, place)
        link = " → ".join(place_name(session.tables, p) for p in path[1:-1]) if path else ""
        no_link = f"no link for {power_name(session.tables, session.power)}"
        here.append(f"your link: {link or 'next door'}" if path else no_link, look.faint)
    return here.append_text(_last_visitor(session, look, place))


def _place_contents(
    session: Session, look: Look, place: str, key_of: Callable[[str, str], str], has_names: bool
) -> Text:
    tables, state = session.tables, session.state
    out = Text()
    if place in tables.areas:
        return _area_contents(session, look, place, key_of, has_names)
    if place in tables.sea_zones or place in tables.capes:
        for units in look.units(state.at_sea.get(place, ())):
            out.append_text(look.text(units, "   "))
        fleets = state.sea_zones.get(place, ())
        if place in tables.capes:
            return out
        out.append("Merchant Fleets: ")
        for p in fleets:
            out.append_text(look.text(look.power(tables, p, long=False), " "))
        if not fleets:
            out.append("none", look.faint)
    elif place.startswith(HOME):
        at_home = state.homes.get(place.removeprefix(HOME), ())
        out.append(f"at home: {units_line(at_home) or 'nothing'}")
    return out


def _area_contents(session: Session, look: Look, area: str, key_of: Callable[[str, str], str], has_names: bool) -> Text:
    tables, state = session.tables, session.state
    out, here = Text(), state.areas[area]
    for m in here.markers:
        out.append_text(look.text(look.marker(tables, m.power, m.marker, m.established)))
        out.append(f" {describe_marker(tables, m)}   " if has_names else " ")
    out.append("" if has_names or not here.markers else "  ")
    if not here.markers:
        out.append("nobody's yet   ", look.faint)
    for units in look.units(here.units):
        out.append_text(look.text(units, "   "))
    if here.unrest:
        out.append("! Unrest   ", look.alarm)
    for threat in open_threats(tables, state, session.seat):
        if area in threat.areas:
            out.append("! ", look.alarm)
            out.append_text(look.text(look.power(tables, threat.power)))
            demand = describe_demand(tables, threat, area)
            out.append(f": {demand}, or expect War ({key_of('game.next_task', 'n')})   ", look.alarm)
    if here.codominion:
        out.append(f"Codominion of {', '.join(power_name(tables, p) for p in here.codominion)}   ")
    for war in state.wars:
        if war.conqueror(area):
            out.append(f"conquered by {the_powers(tables, war.alliance(war.conqueror(area)))}   ", look.alarm)
    out.append("canal   " if here.canal else "")
    return out


def _last_visitor(session: Session, look: Look, place: str) -> Text:
    """Render the other players of a shared game whose last act was at a place."""
    out = Text()
    for seat, there in session.others.last_places().items():
        if there == place:
            out.append_text(look.text("   ", look.power(session.tables, seat, long=False)))
    if out:
        out.append(" acted here last", look.faint)
    return out
