"""The War in the side column: sides and forces, the place in the cycle, who is waited for, what ends it, what is in
danger."""

from __future__ import annotations

from rich.text import Text

from paxtui.pax.board.status import units_line
from paxtui.pax.reports.page import BAD, GOOD
from paxtui.pax.reports.war import ending, odds, peril, standing
from paxtui.pax.reports.war.battles import battles, told_battle
from paxtui.pax.reports.war.peace_terms import proposed
from paxtui.pax.reports.war.standing import Moment, Side
from paxtui.pax.state.pieces import ARMY, NAVAL
from paxtui.pax.state.war import ATTACK, END, INITIATIVE, RESOLUTION, War
from paxtui.pax.war import cycle
from paxtui.pax.words.spoken import all_of, place_name, power_name
from paxtui.table.session import Session
from paxtui.tui.writing.look import Look
from paxtui.tui.writing.wrapping import coloured, hanging

NUMERALS = ("", "I", "II", "III", "IV", "V")
"""Numbers of Alliances."""
MOST_BATTLES = 3
"""Battles told at most."""
_MOMENTS = {**standing.STEPS, INITIATIVE: "initiative", END: "end?", RESOLUTION: "Resolution"}


def war_text(session: Session, look: Look, width: int) -> Text:
    """The Wars of the position looked at, the one of the seat and of the moment first.

    Args: the open game; the colours; cells of a row.
    """
    out = Text()
    wars = standing.wars_of(session.state, session.my_powers())
    if not wars:
        out.append("No War is being fought.\n", look.faint)
        return out
    for war in wars:
        out.append_text(_war(session, look, width, war))
        out.append("\n")
    return out


def _war(session: Session, look: Look, width: int, war: War) -> Text:
    tables, state = session.tables, session.state
    out = hanging(coloured(tables, look, Text(_first(standing.title(tables, war)), "bold")), width, 2)
    out.append("\n")
    out.append_text(hanging(Text(_first(standing.moment(tables, war)) + "."), width, 2))
    out.append("\n")
    out.append_text(_track(look, width, standing.track(war)))
    for side in standing.sides(state, war):
        out.append_text(_side(session, look, width, side))
    out.append_text(_attacks(session, look, width, war))
    out.append_text(_fought(session, look, width, war))
    out.append_text(_dangers(session, look, width, war))
    out.append_text(_endings(session, look, width, war))
    out.append_text(_neutrals(session, look, width, war))
    return out


def _first(text: str) -> str:
    return text[:1].upper() + text[1:]


def numeral(number: int) -> str:
    """The number of an Alliance, in Roman."""
    return NUMERALS[number] if number < len(NUMERALS) else str(number)


def _track(look: Look, width: int, moments: tuple[Moment, ...]) -> Text:
    """The Phases of the cycle in a row or two, the present one marked."""
    out, line, last = Text(), Text(), 0
    for moment in moments:
        word = _MOMENTS[moment.stage]
        head = f"{numeral(moment.side)} " if moment.side and moment.side != last else ""
        last = moment.side
        piece = look.text(
            (head, "bold"),
            (f"▸{word.upper()}" if moment.now else word, look.key if moment.now else look.faint if moment.done else ""),
        )
        if line.plain and len(line.plain) + len(piece.plain) + 1 > width:
            out.append_text(line)
            out.append("\n")
            line = Text("  ")
        elif line.plain:
            line.append(" · " if head or not moment.side else " ", look.faint)
        line.append_text(piece)
    out.append_text(line)
    out.append("\n" if line.plain else "")
    return out


def _side(session: Session, look: Look, width: int, side: Side) -> Text:
    """An Alliance: its Powers, its Units where they count, what it has won and lost."""
    tables = session.tables
    out = look.text((f"\n{numeral(side.number)} ", "bold"))
    for power in side.powers:
        out.append_text(look.text(look.power(tables, power), "  "))
    out.rstrip()
    out.append("\n")
    for name, units in (("abroad", side.abroad), ("at sea", side.at_sea), ("at home", side.at_home)):
        if units:
            armies, fleets = standing.strength(units, ARMY), standing.strength(units, NAVAL)
            points = ", ".join(f"{n} {what}" for n, what in ((armies, "army"), (fleets, "naval")) if n)
            _row(out, look, width, f"  {name:<8}{units_line(units)}: {points}")
    if side.conquered:
        _row(out, look, width, f"  won     {all_of([place_name(tables, a) for a in side.conquered])}", look.good)
    if side.lost:
        _row(out, look, width, f"  lost    {all_of([place_name(tables, a) for a in side.lost])}", look.alarm)
    if side.prisoners:
        _row(out, look, width, f"  taken   {units_line(side.prisoners)} surrendered", look.faint)
    return out


def _row(out: Text, look: Look, width: int, text: str, style: str = "", indent: int = 10) -> None:
    out.append_text(hanging(Text(look.palette.text(text), style), width, indent))
    out.append("\n")


def _attacks(session: Session, look: Look, width: int, war: War) -> Text:
    """Where the phasing Alliance can attack, with what that can bring."""
    out, state = Text(), session.state
    if war.stage != ATTACK or cycle.current(state) != war:
        return out
    found = odds.openings(session.tables, state, war)
    for n, (place, kind, assault) in enumerate(found):
        out.append("" if n else "\nAttacks open\n", "bold")
        name = f"{place_name(session.tables, place)}{' (fleets)' if kind == NAVAL else ''}"
        _row(out, look, width, f"  ⚔ {name}: {odds.summary(assault)}", indent=4)
    return out


def _fought(session: Session, look: Look, width: int, war: War) -> Text:
    """The battles of this cycle up to the moment looked at, the latest first."""
    out, styles = Text(), {GOOD: look.good, BAD: look.alarm}
    found = [b for b in battles(session.events_of_cycle(war.id)) if b.fought.war == war.id]
    for n, battle in enumerate(reversed(found[-MOST_BATTLES:])):
        out.append("" if n else "\nFought in this cycle\n", "bold")
        told = told_battle(session.narrator, battle, session.my_powers())
        _row(out, look, width, f"• {told.text}", styles.get(told.tone, ""), 2)
    return out


def _dangers(session: Session, look: Look, width: int, war: War) -> Text:
    """What surrenders or falls at the next Supply Determination of each side."""
    out, tables, state = Text(), session.tables, session.state
    found = [(n, p) for n in range(1, len(war.alliances) + 1) for p in peril.perils(tables, state, war, n)]
    mine = {war.side_of(p) for p in session.my_powers()}
    for n, (side, danger) in enumerate(found):
        out.append("" if n else "\nOut of supply\n", "bold")
        style = look.alarm if side in mine else ""
        _row(out, look, width, f"! {peril.said(tables, war, danger)}", style, 2)
    return out


def _endings(session: Session, look: Look, width: int, war: War) -> Text:
    """What ends the War, and how near each of it is."""
    out = Text()
    found = ending.ends(session.tables, session.state, war, session.my_powers())
    for power in session.my_powers() if war.powers else ():
        for treaty in proposed(session.state, power) if war.side_of(power) else ():
            waits = "it waits for others" if power in treaty.signed else "it waits for your answer"
            who = power_name(session.tables, treaty.drafter)
            _row(out, look, width, f"{who} proposes a peace: {waits}.", look.key, 0)
    for n, end in enumerate(found):
        out.append("" if n else "\nHow it ends\n", "bold")
        _row(out, look, width, f"• {end.text}", look.alarm if not end.left else "", 2)
    if found and ending.waivable(session.state, war):
        _row(out, look, width, "In cycles 1 and 2 any belligerent may have the War go on all the same.", look.faint, 0)
    return out


def _neutrals(session: Session, look: Look, width: int, war: War) -> Text:
    """What neutrals have volunteered, and passages that are denied."""
    out, tables = Text(), session.tables
    for coal in war.coaling:
        to = all_of([power_name(tables, p) for p in war.alliance(coal.to)])
        _row(out, look, width, f"Coaling in {place_name(tables, coal.area)} for {to}", look.faint, 2)
    for denial in war.denied:
        name = denial.passage.replace("_", " ").title()
        by, to = power_name(tables, denial.by), power_name(tables, denial.to)
        _row(out, look, width, f"{name} denied to {to} by {by}", look.faint, 2)
    return out
