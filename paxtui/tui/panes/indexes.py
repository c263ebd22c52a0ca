"""European Tensions and Chinese Resentment: where they stand, what has raised them, and what will."""

from __future__ import annotations

from rich.text import Text

from paxtui.pax.board.tables import Tables
from paxtui.table.session import Session
from paxtui.tui.panes.standings import standings
from paxtui.tui.writing.look import Look
from paxtui.tui.writing.meter import meter


def indexes(session: Session, look: Look, width: int) -> Text:
    """European Tensions and Chinese Resentment, what raised them, and the tracks."""
    tables, state = session.tables, session.state
    out = Text()
    bar = max(10, width - 24)
    style = look.alarm if state.tension >= 80 else look.key
    out.append("European Tensions  ")
    out.append(f"{state.tension:>3}", style)
    out.append(" of 100\n")
    out.append(meter(look, state.tension, 100, bar) + "\n", style)
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
