"""The pane `what now`: who must act, what the seat can do, and what is missing before it can be ready."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil

from rich.cells import cell_len
from rich.text import Text

from paxtui.games.pax import casus_belli
from paxtui.games.pax.combat.ottoman_expansion import heart_area
from paxtui.games.pax.preview.peace import wars_to_end
from paxtui.games.pax.reports import war_status
from paxtui.games.pax.reports.great_war import great_war_warnings
from paxtui.games.pax.reports.result import describe_result
from paxtui.games.pax.reports.todo import QUESTION, active_events
from paxtui.games.pax.state.war import ATTACK, FOUGHT, MANEUVER, War
from paxtui.games.pax.text.display import (
    capitalize,
    join_with_and,
    phase_name,
    place_name,
    power_name,
    sentence,
    the_power,
    the_powers,
)
from paxtui.games.pax.transaction import GREAT_WAR_TENSION
from paxtui.games.pax.turn.victory import bought_points, money_left, rank_seats
from paxtui.games.pax.war import alliances, ottomans
from paxtui.session.player_news import (
    pending_tasks,
    reopened_reason,
    stays_ready,
    undo_request_text,
    unread_dispatch_count,
    unread_talk,
)
from paxtui.session.session import Session
from paxtui.session.standings import ORDINALS, describe_challenge, expected_ranks, expected_standings
from paxtui.tui.formatting.look import Look, clickable, format_pounds, truncate

KeyOf = Callable[[str, str], str]


STAYS_READY = "You stay ready until something concerns you."
"""Describes a seat that stays ready."""


def war_hint(session: Session, key_of: KeyOf) -> str:
    """Describe where the current War is, and what the seat can do there.

    Args: the session; a function from the id of a binding and its default key to the label of its current key.
    """
    tables, state = session.tables, session.state
    war = alliances.current_war(state) if state.top.step == FOUGHT else None
    ready = key_of("game.ready", "r")
    if stays_ready(session):
        ready += " decides again; you pass until something concerns you"
    elif len(session.seats.here()) == 1:
        ready += f"; {key_of('game.all_ready', 'R')} passes until something concerns you"
    asked = any(c.seat == session.seat and c.about.pressing for c in state.choices)
    mine = session.seat in session.waiting() and not asked
    if war is None:
        if forming := ottomans.forming_war(state):
            return _aid(session, forming, mine, ready)
        if not mine:
            return "The other Powers declare War first."
        return f"Declare War (Enter on the enemy's Home Country or the Area in dispute), or pass ({ready})."
    where = war_status.war_moment(tables, war)
    head = f"{capitalize(where)}. "
    peace = f" {key_of('game.peace', 'P')} makes peace." if wars_to_end(tables, session.live, session.power) else ""
    if mine and war.stage == MANEUVER:
        move = key_of("game.move", "v")
        return f"{head}Move Units a step each ({move} where they stand), then pass ({ready}).{peace}"
    if mine and war.stage == ATTACK:
        return f"{head}Attack (Enter on a place with ⚔), then pass ({ready}).{peace}"
    if mine:
        return f"{head}Declare War where you have a cause, or pass ({ready}).{peace}"
    waiting = session.waiting()
    if asked:
        return f"{head}First answer your question ({key_of('game.choose', 'c')})."
    return head + (f"Waiting for {the_powers(tables, waiting)}." if waiting else "")


def _aid(session: Session, war: War, mine: bool, ready: str) -> str:
    """Describe what the seat can do in the Alliance Determination of an Ottoman War."""
    where = war_status.war_moment(session.tables, war)
    head, heart = f"{capitalize(where)}. ", place_name(session.tables, heart_area(session.tables))
    if not mine:
        waiting = session.waiting()
        return head + (f"Waiting for {the_powers(session.tables, waiting)}." if waiting else "")
    if war.turn_of == ottomans.EMPIRE:
        return f"{head}Come to the Empire's aid (Enter on {heart}), or pass ({ready})."
    return f"{head}Ask others for aid, once (: invite POWERS, or Enter on {heart}), or pass ({ready})."


def war_hint_short(session: Session, key_of: KeyOf) -> str:
    """Return a short `war_hint` for small screens."""
    state = session.state
    war = alliances.current_war(state) if state.top.step == FOUGHT else None
    ready = key_of("game.ready", "r")
    if session.seat not in session.waiting():
        return war_status.war_moment(session.tables, war) if war else "War"
    if war is None and (forming := ottomans.forming_war(state)):
        return f"{'join the Empire' if forming.turn_of == ottomans.EMPIRE else 'invite Powers'}, or pass ({ready})"
    if war is None:
        return f"declare War (Enter on ⚔), or pass ({ready})"
    if war.stage == MANEUVER:
        return f"cycle {war.cycle}: move a step each ({key_of('game.move', 'v')}), then {ready}"
    return f"cycle {war.cycle}: attack (Enter on ⚔), then {ready}" if war.stage == ATTACK else f"declare, or {ready}"


TENSION_PER_CYCLE = 2
"""Rise of the European Tensions at the end of each further cycle of a long War."""
WARNING_CYCLES = 5
"""How many cycles before the Great War the warning appears."""


def what_now(session: Session, look: Look, width: int, key_of: KeyOf) -> Text:
    """Render who must act, the tasks and options of the seat, and which Powers the game waits for.

    Args:
        session: the open game.
        width: width in cells.
        key_of: returns the label of a binding's current key, from its id and its default key.
    """
    tables, state = session.tables, session.state
    seat = session.seat
    tells = f" · {key_of('game.since', 'w')} shows how it was decided" if state.result is not None else ""
    out = look.text(look.power(tables, seat), f" · {phase_name(state.phase)}{tells}\n")
    if session.power != seat:
        out.append_text(look.text("Your orders are those of ", look.power(tables, session.power), ".\n"))
    if session.at is not None:
        out.append(f"You are looking at line {session.at}. ] goes forward, End returns to the present.\n", look.alarm)
    if state.result is not None:
        if goals := describe_challenge(session):
            out.append_text(_row(look, "", goals, look.key, width))
        return out + _final(session, look, width)
    if session.at is None:
        out.append_text(_waited_for(session, look))
        for warning in great_war_warnings(tables, state):
            out.append_text(_row(look, "! ", warning, look.alarm, width))
    out.append_text(standings_rows(session, look, width))
    if goals := describe_challenge(session):
        out.append_text(_row(look, "", goals, look.faint, width))
    if session.at is None:
        out.append_text(_last_acts(session, look))
        out.append_text(_open_tasks(session, look, width, key_of))
        again = reopened_reason(session)
        if again and state.phase != "war" and len(session.seats.here()) == 1:
            again += f" {key_of('game.all_ready', 'R')} stays ready until something concerns you."
        out.append_text(_row(look, "• ", again, look.key, width) if again else Text())
        if wanted := undo_request_text(session):
            answers = f"{wanted} {key_of('game.undo_here', 'U')} answers."
            out.append_text(_row(look, "! ", answers, look.alarm, width))
    out.append(_treasuries(session))
    return out if session.at is not None else out.append_text(_next_step(session, look, width, key_of))


def _treasuries(session: Session) -> str:
    """Return a line for each Power of the seat: its money, what that buys, and Merchant Fleets due."""
    lines = []
    for power in session.powers():
        if power in session.state.powers:
            own, is_seat = session.state.powers[power], power == session.seat and bool(session.seats.here())
            fleets = own.merchants_due
            due = f", {fleets} Merchant Fleet{'s' if fleets > 1 else ''} due" if fleets else ""
            name = "You have" if is_seat else f"{power_name(session.tables, power)} has"
            lines.append(f"{name} {format_pounds(own.treasury)}{due}{_worth(session) if is_seat else ''}.\n")
    return "".join(lines)


def _next_step(session: Session, look: Look, width: int, key_of: KeyOf) -> Text:
    """Render how the seat or the game goes on, and what is unread."""
    out, tables, state, seat = Text(), session.tables, session.state, session.seat
    ready = key_of("game.ready", "r")
    if session.begin_notice:
        out.append(f"{session.begin_notice} ")
        out.append(f"{ready} ready to begin\n", look.key)
        return out
    if session.bots.is_at_work and not session.seats.here():
        out.append("Bots play all seats.\n")
        return out
    if not session.waiting() and session.bots.is_at_work:
        out.append(f"{phase_name(state.phase)} Phase: bots are at work.\n")
        if stays_ready(session):
            out.append_text(_row(look, "", STAYS_READY, look.good, width))
        return out
    if not session.waiting():
        out.append(f"All is ready for the {phase_name(state.phase)} Phase: ")
        out.append(ready, look.key)
        out.append(" rolls the dice and continues.\n")
        return out
    if state.phase == "war":
        brink = great_war_warning(state.tension) if state.wars else ""
        out.append_text(_row(look, "! ", brink, look.alarm, width) if brink else Text())
        out.append_text(_row(look, "", war_hint(session, key_of), "", width))
    elif stays_ready(session):
        staying = f"{STAYS_READY} {ready} takes that back."
        out.append_text(_row(look, "", staying, look.good, width))
    elif seat in state.ready:
        out.append("You are ready. If you or a rival acts, you can act again.\n", look.good)
    elif state.phase == "movement":
        out.append(f"Place, change, build and move, then press {ready} when ready.\n")
    elif state.phase == "negotiation":
        treaties, congress = key_of("game.treaties", "t"), key_of("game.congress", "C")
        mine = session.powers()
        acts = ["Pay", "hand over markers", f"propose ({treaties})"]
        if any(cause.holder in mine for cause in state.casus_belli):
            acts += [f"call a Congress ({congress})", "waive"]
        if any(cause.against in mine for cause in state.casus_belli):
            acts.append("lower")
        out.append(f"{', '.join(acts)}, then press {ready} when ready.\n")
        out.append_text(_called_congress(session, look, width))
        for cause in state.casus_belli:
            if cause.against in session.powers():
                text = f"{casus_belli.describe_cause(tables, cause)}."
                out.append_text(_row(look, "⚔ ", text, look.ink("china"), width))
    new = unread_dispatch_count(session)
    if new:
        out.append(f"{new} unread dispatch{'es' if new > 1 else ''} ", look.key)
        out.append(f"({key_of('game.dispatches', 'd')})\n", look.faint)
    unread = len(unread_talk(session))
    if unread:
        out.append(f"{unread} unread line{'s' if unread > 1 else ''} of chat ", look.key)
        out.append(f"({key_of('game.talk', 'T')})\n", look.faint)
    for event in active_events(tables, state, seat):
        out.append_text(_row(look, "• ", event, look.ink("china"), width))
    return out


STANDING_COLUMNS = 10
"""Columns of a seat in the standings."""
STANDINGS_TITLE = "expected "
"""Title of the standings: seats stand in the order expected at the end."""


def standings_rows(session: Session, look: Look, width: int) -> Text:
    """Render the Victory Points of all seats in the order expected at the end, several in a row."""
    out = Text(STANDINGS_TITLE, look.faint)
    used = len(STANDINGS_TITLE)
    for one in expected_standings(session):
        if used + STANDING_COLUMNS > width:
            out.append("\n")
            used = 0
        cell = look.text(
            (f"{one.rank} ", look.faint),
            look.power(session.tables, one.seat, long=False),
            (f" {one.points}", "bold" if one.seat == session.seat else ""),
        )
        out.append_text(cell)
        out.append(" " * max(1, STANDING_COLUMNS - cell.cell_len))
        used += STANDING_COLUMNS
    out.rstrip()
    out.append("\n")
    return out


def standing_briefs(session: Session) -> tuple[str, ...]:
    """Return the Victory Points of the seat, its rank by them and its expected rank, the longest form first.

    An expectation that leaves more than half of all ranks open is omitted. A spectator has no standing.
    """
    own = next((one for one in expected_standings(session) if one.seat == session.seat), None)
    if own is None:
        return ()
    ranks = rank_seats({one.seat: one.points for one in expected_standings(session)})
    points = f"{own.points} VP {ORDINALS[ranks[own.seat]]}"
    best, worst = expected_ranks(session)
    if session.state.result is not None or worst - best + 1 > len(ranks) / 2:
        return (points,)
    expected = ORDINALS[best] if best == worst else f"{best}-{ORDINALS[worst]}"
    return f"{points}, exp. {expected}", f"{points} ({expected})", points


def great_war_warning(tension: int) -> str:
    """Return how many more cycles of a War bring the Great War; "" if there are many. Rules: ETI-002, ETI-022."""
    left = ceil((GREAT_WAR_TENSION - tension) / TENSION_PER_CYCLE)
    if left > WARNING_CYCLES:
        return ""
    when = "if a War goes on past this cycle" if left <= 1 else f"if a War goes on past {left} more cycles"
    return f"European Tensions stand at {tension}: {when}, the Great War ends the game."


def _waited_for(session: Session, look: Look) -> Text:
    """Render the Powers that the game waits for, above content that may be cut off."""
    out, due = Text(), session.waiting()
    if due:
        out.append("waiting for", look.faint)
        for seat in due:
            out.append_text(look.text(" ", look.power(session.tables, seat, long=False)))
        out.append("\n")
    return out


def _last_acts(session: Session, look: Look) -> Text:
    """Render where the other players of a shared game acted last. A click moves the cursor there."""
    out, places = Text(), session.others.last_places()
    for seat in session.live.players:
        if seat in places:
            out.append_text(look.text(" " if out else "", look.power(session.tables, seat, long=False), " "))
            name = place_name(session.tables, places[seat])
            out.append(look.palette.text(name), clickable("", f"screen.view('click', '{places[seat]}')"))
    return Text("last acts ", look.faint) + out + "\n" if out else out


def _points(session: Session) -> int:
    """Return the Victory Points that the remaining money buys in the Negotiation Phase; else 0."""
    tables, state, seat = session.tables, session.state, session.seat
    if state.phase != "negotiation" or seat not in state.players:
        return 0
    return bought_points(tables, seat, money_left(tables, state, seat))


def _worth(session: Session) -> str:
    """Describe what happens to the remaining money, as the end of a sentence."""
    points = _points(session)
    others = [power_name(session.tables, power) for power in session.powers() if power != session.seat]
    with_others = f" with that of {join_with_and(others)}" if others else ""
    return f"; left over{with_others}, that is {points} Victory Point{'s' * (points != 1)}" if points else ""


MAX_TASKS = 4
"""Maximum number of tasks listed. The key that steps through the tasks reaches all of them."""


def _open_tasks(session: Session, look: Look, width: int, key_of: KeyOf) -> Text:
    """Render the tasks of the seat, in red, and the key that steps through them; none if bots play all seats."""
    out, tasks = Text(), pending_tasks(session) if session.seats.here() else ()
    for task in tasks[:MAX_TASKS]:
        out.append_text(_row(look, "! ", task.text, look.alarm, width))
    if tasks:
        more = f"{len(tasks) - MAX_TASKS} more; " if len(tasks) > MAX_TASKS else ""
        out.append(f"{more}{key_of('game.next_task', 'n')} goes to each", look.faint)
        if any(task.where == QUESTION for task in tasks):
            out.append(f", {key_of('game.choose', 'c')} answers", look.faint)
        out.append("\n")
    return out


def _row(look: Look, sign: str, text: str, style: str, width: int) -> Text:
    return look.rows([(sign + text, style)], width, len(sign))


def _called_congress(session: Session, look: Look, width: int) -> Text:
    """Render which Power called a Congress, and when it meets."""
    congress = session.state.congress
    if congress is None or congress.turn != session.state.turn or congress.outcome:
        return Text()
    who, site = (the_power(session.tables, power) for power in (congress.caller, congress.site))
    text = sentence(f"{who} has called a Congress of Europe to {site}; it meets when all are ready")
    return _row(look, "• ", text, look.key, width)


GOES_THERE = " goes there"
"""What the key of the next task does; omitted if the task needs the cells."""


def what_now_short(session: Session, look: Look, width: int, key_of: KeyOf) -> Text:
    """Render `what_now` in one line for small screens. Args: as `what_now`."""
    tables, state, seat = session.tables, session.state, session.seat
    out = look.text(look.power(tables, seat), " ")
    out.no_wrap = True
    out.overflow = "ellipsis"
    if seat in state.powers:
        points = _points(session)
        out.append(f"{format_pounds(state.powers[seat].treasury)}{f' ({points} VP)' if points else ''} · ")
    tasks = pending_tasks(session) if session.at is None and session.seats.here() else ()
    ready = key_of("game.ready", "r")
    if session.at is not None:
        out.append(f"looking at line {session.at}; End returns", look.alarm)
    elif state.result is not None:
        won, tells = describe_result(tables, state.result), f" {key_of('game.since', 'w')} shows how"
        out.append_text(truncate(Text(won, look.key), width - cell_len(out.plain + tells)))
        out.append(tells, look.faint)
    elif state.phase == "war" and seat in session.waiting() and not (tasks and tasks[0].bars):
        asked = war_hint_short(session, key_of)
        leads = f" · {key_of('game.next_task', 'n')}: {len(tasks)} more" if tasks else ""
        out.append_text(truncate(Text(asked), width - cell_len(out.plain + leads)))
        out.append(leads, look.alarm)
    elif tasks:
        more = f" and {len(tasks) - 1} more" if len(tasks) > 1 else ""
        leads, task = f"{more} · {key_of('game.next_task', 'n')}", Text(f"! {tasks[0].text}", look.alarm)
        if cell_len(out.plain + task.plain + leads + GOES_THERE) <= width:
            leads += GOES_THERE
        # the key that leads to omitted tasks is always shown
        out.append_text(truncate(task, width - cell_len(out.plain + leads)))
        out.append(leads, look.alarm)
    elif session.begin_notice:
        out.append_text(truncate(Text(f"{ready} ready to begin · {session.begin_notice}", look.key), width))
    elif not session.waiting() and session.bots.is_at_work:
        out.append(f"{phase_name(state.phase)}: bots are at work")
    elif not session.waiting():
        out.append(f"{ready} rolls the dice and continues", look.key)
    elif session.at is None and (wanted := undo_request_text(session)):
        out.append_text(truncate(Text(f"{key_of('game.undo_here', 'U')} answers: {wanted}", look.alarm), width))
    elif session.at is None and (again := reopened_reason(session)):
        key = f" · {ready} again"
        brief = again.removesuffix(" You can act again.")
        out.append_text(truncate(Text(brief, look.key), width - cell_len(out.plain + key)))
        out.append(key, look.key)
    elif state.phase == "war":
        out.append(war_hint_short(session, key_of))
    elif seat in state.ready or stays_ready(session):
        out.append("ready until something concerns you" if stays_ready(session) else "ready", look.good)
    elif state.phase == "movement":
        out.append(f"place, change, build and move; then {ready}")
    elif state.phase == "negotiation":
        treaties, congress = key_of("game.treaties", "t"), key_of("game.congress", "C")
        if (called := state.congress) and called.turn == state.turn and not called.outcome:
            act = "; the Congress meets when all are ready"
        else:
            calls = any(cause.holder in session.powers() for cause in state.casus_belli)
            act = f", call a Congress ({congress})" * calls
        out.append(f"pay, propose ({treaties}){act}; then {ready}")
    else:
        whom = " ".join(look.power(tables, s, long=False)[0] for s in session.waiting())
        out.append(f"{phase_name(state.phase)}: waiting for {whom}")
    return out


def _final(session: Session, look: Look, width: int) -> Text:
    """Render the result and the ranks of a finished game."""
    tables, result = session.tables, session.state.result
    out = Text()
    if result is None:
        return out
    out.append_text(_row(look, "", describe_result(tables, result), "bold", width))
    if result.reason == "great_war":
        blame = f", caused by {the_powers(tables, result.culprits)}" if result.culprits else ""
        out.append_text(_row(look, "", f"The Great War ended the game{blame}.", look.alarm, width))
    for seat, rank in sorted(result.ranks.items(), key=lambda kv: (kv[1], kv[0])):
        out.append_text(look.text(f"{rank:>2}. ", look.power(tables, seat), f"  {result.totals.get(seat, 0)} VP\n"))
    return out
