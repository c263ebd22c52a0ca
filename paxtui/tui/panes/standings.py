"""How the Powers stand: money, what the next turn would bring, markers, Victory Points so far and at the end."""

from __future__ import annotations

from rich.text import Text

from paxtui.pax.state.pieces import CONTROL
from paxtui.pax.turn import final_record, record_sheet
from paxtui.table.session import Session
from paxtui.tui.writing.look import Look


def standings(session: Session, look: Look) -> Text:
    """One line a Power with a Treasury, the most Victory Points first; Powers of another's seat below them.

    `net` is line 22 as it would be now without the Colonial Office, `end` is line 31 as it would be now.
    """
    tables, state = session.tables, session.state
    out = Text("     Treasury   net  Control   VP   end\n", look.faint)
    ranked = sorted(state.powers, key=lambda p: (p not in state.players, -state.powers[p].victory_points))
    held = dict.fromkeys(state.powers, 0)
    for here in state.areas.values():
        for m in here.markers:
            if m.power in held and m.established and m.marker in CONTROL:
                held[m.power] += 1
    for power in ranked:
        p = state.powers[power]
        letters, style = look.power(tables, power, long=False)
        out.append("▸" if power == session.seat and not look.palette.ascii else ">" if power == session.seat else " ")
        out.append(letters, style)
        out.append(f" {p.treasury:>9} {record_sheet.forecast(tables, state, power):>6} {held[power]:>8}")
        if power in state.players:
            total = final_record.section_six(tables, state, power).get("31")
            out.append(f" {p.victory_points:>4} {'' if total is None else total:>5}")
        out.append("\n")
    out.append("net: income of the next turn; end: points if the game ended now\n", look.faint)
    return out
