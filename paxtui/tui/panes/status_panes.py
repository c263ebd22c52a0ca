"""The panes beside the map: what now, record sheet, indexes, treaties and causes of war.

Each is a function from the session to a text: the screen shows it in a scrolling pane and asks again when
something has changed.
"""

from __future__ import annotations

from rich.text import Text

from paxtui.engine.refusal import Refusal
from paxtui.pax.board.status import units_line
from paxtui.pax.board.tables import Tables
from paxtui.pax.clauses.wording import say
from paxtui.pax.diplomacy import ways_out
from paxtui.pax.menus.trial import try_action
from paxtui.pax.orders import actions as ac
from paxtui.pax.play import casus_belli
from paxtui.pax.state.model import State
from paxtui.pax.state.treaty import ENDED, IN_FORCE
from paxtui.pax.treaties import treaty_watch
from paxtui.pax.turn import record_sheet
from paxtui.pax.words.spoken import phase_name, place_name, power_name
from paxtui.table.session import Session
from paxtui.tui.panes.standings import standings
from paxtui.tui.panes.treaty_text import SIGNS, in_order, treaty_line
from paxtui.tui.player.look import Look, pounds
from paxtui.tui.player.read_marks import unread

SECTIONS = {
    "01": "I  Status",
    "10": "II  Income",
    "16": "III  Maintenance",
    "22": "IV  Net income",
    "23": "V  Victory Points",
    "27": "VI  Final record",
}

SHORT = {
    "01": "States, Dominions",
    "02": "Possessions",
    "03": "  their values",
    "04": "Protectorates",
    "05": "  their values",
    "06": "Influences",
    "07": "  their values",
    "08": "Interests",
    "09": "  their values",
    "10": "Colonial Office",
    "11": "line 03 × 5",
    "12": "line 05 × 4",
    "13": "line 07 × 2",
    "14": "line 09 × 1",
    "15": "income",
    "16": "units abroad",
    "17": "line 01 × 30",
    "18": "line 02 × 20",
    "19": "line 04 × 10",
    "20": "line 06 × 5",
    "21": "maintenance",
    "22": "net income",
    "23": "Treasury left",
    "24": "bought points",
    "25": "bonus of the turn",
    "26": "points of the turn",
    "27": "points so far",
    "28": "final bonuses",
    "29": "two turns' income",
    "30": "Great War",
    "31": "final total",
}
"""Printed lines of the Record Sheet in a word or two."""
TOTALS = ("15", "21", "22", "26", "31")


def what_now(session: Session, look: Look, width: int) -> Text:
    """Who must act, what the seat may do, what is missing before it can be ready."""
    tables, state = session.tables, session.state
    seat = session.seat
    out = look.text(look.power(tables, seat), f" · {phase_name(state.phase)}\n")
    if session.at is not None:
        out.append(f"You look at line {session.at}. ] goes on, End returns to the present.\n", look.alarm)
    if state.result is not None:
        return out + _final(session, look)
    for power in session.my_powers():
        if power in state.powers:
            p = state.powers[power]
            due = f", {p.merchants_due} Merchant Fleet{'s' if p.merchants_due > 1 else ''} due" * bool(p.merchants_due)
            name = "You have" if power == seat else f"{power_name(tables, power)} has"
            out.append(f"{name} {pounds(p.treasury)}{due}.\n")
    mine = [c for c in state.choices if c.seat == seat]
    for choice in mine:
        out.append_text(look.text((f"{choice.id} ", look.key), f"{choice.prompt or choice.kind}: "))
        options = " / ".join(o if isinstance(o, str) else " ".join(o) for o in choice.options[:8])
        out.append(f"{options}  (c answers)\n", look.faint)
    if session.at is not None:
        return out
    if not session.waiting():
        out.append(f"Everything is ready for the {phase_name(state.phase)} Phase: ")
        out.append("r", look.key)
        out.append(" rolls the dice and plays on.\n")
        return out
    if state.phase == "movement":
        out.append_text(_movement_hints(session, look))
    elif state.phase == "negotiation":
        for cause in state.casus_belli:
            if {cause.holder, cause.against} & set(session.my_powers()):
                out.append(f"⚔ {cause.id} {casus_belli.said(tables, cause)}\n", look.alarm)
        out.append(
            "Pay, hand over markers, propose (t), call a Congress (C), lower or waive; then be ready (r).\n"
        )
    new = unread(session)
    if new:
        out.append(f"{new} unread dispatch{'es' if new > 1 else ''} ", look.key)
        out.append("(d)\n", look.faint)
    for event in _reminders(tables, state, seat):
        out.append(f"• {event}\n", look.ink("china"))
    due_seats = session.waiting()
    if due_seats:
        out.append("waiting for ", look.faint)
        for s in due_seats:
            out.append_text(look.text(look.power(tables, s, long=False), " "))
        out.append("\n")
    return out


def hint(session: Session, look: Look) -> Text:
    """What now in one line, for small screens."""
    tables, state, seat = session.tables, session.state, session.seat
    out = look.text(look.power(tables, seat), " ")
    out.no_wrap = True
    out.overflow = "ellipsis"
    if seat in state.powers:
        out.append(f"{pounds(state.powers[seat].treasury)} · ")
    mine = [c for c in state.choices if c.seat == seat]
    if session.at is not None:
        out.append(f"looking at line {session.at}; End returns", look.alarm)
    elif mine:
        out.append(f"choose ({len(mine)}): {mine[0].prompt or mine[0].kind}  c answers", look.key)
    elif state.result is not None:
        out.append("the game is over: 1 shows the ranks", look.key)
    elif not session.waiting():
        out.append("r rolls the dice and plays on", look.key)
    elif seat in state.ready:
        out.append("ready", look.good)
    elif state.phase == "movement":
        blocked = try_action(tables, session.live, seat, ac.Ready())
        if isinstance(blocked, Refusal):
            out.append(f"! {blocked.message}", look.alarm)
        else:
            out.append("place, change, build and move; then r")
    else:
        out.append(phase_name(state.phase))
    return out


def _movement_hints(session: Session, look: Look) -> Text:
    """What stands between the seat and being ready."""
    out = Text()
    if session.seat in session.live.ready:
        out.append("You are ready. An act of yours, or a rival's, reopens your turn.\n", look.good)
        return out
    out.append("Place, change, build and move; then be ready (r).\n")
    blocked = try_action(session.tables, session.live, session.seat, ac.Ready())
    if isinstance(blocked, Refusal):
        out.append(f"! {blocked.message}", look.alarm)
        out.append(f" [{', '.join(blocked.rules[:2])}]\n", look.faint)
    return out


def _reminders(tables: Tables, state: State, seat: str) -> list[str]:
    """Random Events of the turn that concern the seat."""
    out = []
    for dice in state.events:
        event = tables.events[dice]
        named = event.power or (event.permit.power if event.permit else "")
        if named and tables.powers[named].seat in (seat, "") and named in (seat, *_played(tables, seat)):
            out.append(f"{event.title} is in force this turn ({dice}).")
    return out


def _played(tables: Tables, seat: str) -> tuple[str, ...]:
    return tuple(p.id for p in tables.powers.values() if p.seat == seat)


def _final(session: Session, look: Look) -> Text:
    """The ranks of a finished game."""
    tables, result = session.tables, session.state.result
    out = Text()
    if result is None:
        return out
    why = "The Great War has broken out." if result.reason == "great_war" else "The tenth Game Turn is over."
    out.append(why + "\n", "bold")
    if result.culprits:
        out.append(f"To blame: {', '.join(power_name(tables, c) for c in result.culprits)}\n", look.alarm)
    for seat, rank in sorted(result.ranks.items(), key=lambda kv: (kv[1], kv[0])):
        out.append_text(look.text(f"{rank:>2}. ", look.power(tables, seat), f"  {result.totals.get(seat, 0)} VP\n"))
    return out


def record(session: Session, look: Look, width: int) -> Text:
    """The Administrative Record Sheet: left what the turn began with, right what it would be now."""
    tables, state = session.tables, session.state
    power = session.power if session.power in state.powers else session.seat
    if power not in state.powers:
        return Text("A Minor Power keeps no Record Sheet.")
    sheet = state.powers[power].record
    now = record_sheet.figure(tables, state, power)
    out = look.text(look.power(tables, power), "\n")
    wide = max(14, width - 20)
    out.append(f"   {'':<{wide}}{'turn':>7}{'now':>7}\n", look.faint)
    for line in tables.record:
        if line in SECTIONS:
            out.append(f"{SECTIONS[line]}\n", look.faint)
        old, new = sheet.get(line), now.get(line)
        if line == "22":
            new = record_sheet.forecast(tables, state, power)
        changed = old is not None and new is not None and old != new
        bold = "bold" if line in TOTALS else ""
        out.append(f"{line} ", look.faint)
        out.append(f"{SHORT[line]:<{wide}}", bold)
        out.append(f"{'' if old is None else old:>7}", bold)
        better = ((new or 0) > (old or 0)) != ("16" <= line <= "21")
        style = (look.good if better else look.key) if changed and line != "22" else look.faint
        out.append(f"{'' if new is None else new:>7}", style)
        out.append("\n")
    out.append("\nLine 22 'now' forecasts without the Colonial Office roll.\n", look.faint)
    return out


def indexes(session: Session, look: Look, width: int) -> Text:
    """European Tensions and Chinese Resentment, what raised them, and the tracks."""
    tables, state = session.tables, session.state
    out = Text()
    bar = max(10, width - 24)
    full = min(bar, state.tension * bar // 100)
    style = look.alarm if state.tension >= 80 else look.key
    out.append("European Tensions  ")
    out.append(f"{state.tension:>3}", style)
    out.append(" of 100\n")
    out.append("█" * full + "░" * (bar - full) + "\n", style)
    out.append(f"Chinese Resentment {state.resentment:>3}")
    out.append(f"  Rebellion on {state.resentment // 10} or less with three dice ({chance(state.resentment // 10)})\n")
    row = tables.turns[state.turn - 1]
    rebuilt = " (reconstructed)" if "turns" in tables.reconstructed else ""
    out.append(f"Great War penalty {row.great_war_penalty} VP, three times that for the culprit{rebuilt}\n")
    out.append("\nThe Powers\n", "bold")
    out.append_text(standings(session, look))
    out.append("\nGame Turns\n", "bold")
    for i, turn in enumerate(tables.turns, 1):
        fleets = " ".join(tables.powers[p].letters for p in turn.merchant_fleets if p in state.powers)
        mark = "▸" if i == state.turn else " "
        line = f"{mark}{turn.year}  penalty {turn.great_war_penalty:>2}" + (f"  fleets {fleets}" if fleets else "")
        out.append(line + "\n", "bold" if i == state.turn else look.faint)
    out.append("\nWhat raised them\n", "bold")
    raised = [e for e in session.log() if e.kind in ("TensionRaised", "ResentmentRaised") and e.line <= session.line]
    for entry in reversed(raised[-14:]):
        out.append(f"{entry.line:>4} ", look.faint)
        out.append(entry.text + "\n")
    if not raised:
        out.append("Nothing yet.\n", look.faint)
    out.append_text(summaries(tables, look))
    return out


def summaries(tables: Tables, look: Look) -> Text:
    """The increase summaries of both indexes, from the tables (SET-053)."""
    out = Text()
    out.append("\nWhat raises European Tensions\n", "bold")
    out.append("+1  each step an established marker comes down, except by Unrest or given up in Movement\n")
    without = ", ".join(tables.powers[p].letters for p in tables.tension_without)
    for cost in sorted(tables.units.values(), key=lambda c: c.strength):
        out.append(f"+{cost.tension}  a Naval ({cost.strength}) built, except by {without}\n")
    for event in tables.events.values():
        if event.tension:
            out.append(f"+{event.tension}  {event.title} ({event.dice})\n")
    out.append("\nWhat raises Chinese Resentment\n", "bold")
    out.append("a marker      placed in Empire  Vassal  each turn\n", look.faint)
    for row in tables.resentment.values():
        name = tables.markers[row.marker].name
        out.append(f"{name:<14}{row.placed_in_empire:>16}{row.placed_in_vassal:>8}{row.per_phase:>11}\n")
    for event in tables.events.values():
        if event.resentment:
            out.append(f"+{event.resentment}  {event.title} ({event.dice})\n")
    return out


def chance(target: int) -> str:
    """Chance of at most `target` with three dice, in per cent."""
    ways = sum(1 for a in range(1, 7) for b in range(1, 7) for c in range(1, 7) if a + b + c <= target)
    return f"{ways * 100 / 216:.0f} %"


def treaties(session: Session, look: Look, width: int) -> Text:
    """Causes of war by holder, offers that wait for an answer, and treaties."""
    tables, state = session.tables, session.state
    out = Text()
    out.append("Casus Belli\n", "bold")
    for cause in state.casus_belli:
        where = f" over {place_name(tables, cause.area)}" if cause.area else ""
        out.append_text(
            look.text(
                (f"⚔ {cause.id} ", look.key),
                look.power(tables, cause.holder),
                " against ",
                look.power(tables, cause.against),
                f"{where} ",
                (f"[{cause.rule}]", look.faint),
                (" reconstructed\n" if casus_belli.reconstructed(tables, cause) else "\n", look.faint),
            )
        )
        if {cause.holder, cause.against} & set(session.my_powers()):
            for way in ways_out.remedies(tables, state, cause):
                out.append(f"  • {way}\n", look.faint)
    if not state.casus_belli:
        out.append("Nobody has one.\n", look.faint)
    offers = [c for c in state.choices if c.about.private]
    out.append("\nOffers\n", "bold")
    for offer in offers:
        out.append_text(look.text((f"{offer.id} ", look.key), look.power(tables, offer.power), f": {offer.prompt}\n"))
    if not offers:
        out.append("None.\n", look.faint)
    out.append_text(agreements(session, look))
    return out


def agreements(session: Session, look: Look) -> Text:
    """Drafts that wait, Treaties in force with what each article is worth now; ended ones are in the archive."""
    known = [t for t in in_order(session) if t.stage != ENDED]
    out = Text()
    out.append("\nTreaties and proposals ", "bold")
    out.append("(t)\n", look.faint)
    for treaty in known:
        out.append_text(treaty_line(session, look, treaty))
        out.append("\n")
        for n, clause in enumerate(treaty.clauses if treaty.stage == IN_FORCE else ()):
            worth = treaty_watch.status(session.tables, session.state, treaty, n)
            loud = worth in (treaty_watch.BROKEN, treaty_watch.DUE)
            out.append(f"  {n + 1} {SIGNS[worth]} ", look.alarm if loud else look.faint)
            out.append(say(session.tables, clause) + "\n", "" if worth != treaty_watch.ASLEEP else look.faint)
    if not known:
        out.append("None that you know of.\n", look.faint)
    return out


def place_card(session: Session, look: Look, place: str, width: int) -> Text:
    """The card under the map: what stands at a place and what the acting Power could do there."""
    tables, state = session.tables, session.state
    out = Text()
    if place in tables.areas:
        here = state.areas[place]
        for m in here.markers:
            name = tables.markers[m.marker].name
            new = "" if m.established else " (unestablished)"
            out.append_text(
                look.text(look.marker(tables, m.power, m.marker, m.established), f" {name}{new}   ")
            )
        if not here.markers:
            out.append("nobody's yet   ", look.faint)
        for p in dict.fromkeys(u.power for u in here.units):
            out.append_text(look.text(look.units(tables, p, tuple(u for u in here.units if u.power == p)), "   "))
        if here.unrest:
            out.append("! Unrest   ", look.alarm)
        if here.codominion:
            out.append(f"Codominion of {', '.join(power_name(tables, p) for p in here.codominion)}   ")
        if here.canal:
            out.append("canal   ")
        from paxtui.pax.board.links import link_path

        path = link_path(tables, state, session.power, place)
        link = " → ".join(place_name(tables, p) for p in path[1:-1]) if path else ""
        out.append(
            ("your link: " + (link or "next door")) if path else f"no link for {power_name(tables, session.power)}",
            look.faint,
        )
    elif place in tables.sea_zones:
        fleets = state.sea_zones.get(place, ())
        out.append("Merchant Fleets: ")
        for p in fleets:
            out.append_text(look.text(look.power(tables, p, long=False), " "))
        if not fleets:
            out.append("none", look.faint)
    elif place.startswith("home:"):
        units = state.homes.get(place[5:], ())
        out.append(f"at home: {units_line(units) or 'nothing'}")
    return out
