"""What `show war` says in the plain mode: the Wars, line by line."""

from __future__ import annotations

from paxtui.cli.plain.told.text import listed, spoken
from paxtui.pax.board.status import units_line
from paxtui.pax.reports.war import ending, odds, peril, standing
from paxtui.pax.state.war import ATTACK
from paxtui.pax.words.spoken import place_name, powers_named
from paxtui.table.session import Session


def war_told(session: Session, words: str = "") -> list[str]:
    """The Wars: sides and Units, the place in the cycle, attacks open, what is in danger, what ends them."""
    tables, state = session.tables, session.state
    out: list[str] = []
    for war in standing.wars_of(state, session.my_powers()):
        out.append(f"{standing.title(tables, war)}: {standing.moment(tables, war)}.")
        for side in standing.sides(state, war):
            groups = (("abroad", side.abroad), ("at sea", side.at_sea), ("at home", side.at_home),
                      ("surrendered", side.prisoners))  # fmt: skip
            units = "; ".join(f"{where} {units_line(some)}" for where, some in groups if some)
            won = f"; conquered {listed([place_name(tables, a) for a in side.conquered])}" if side.conquered else ""
            out.append(f"Alliance {side.number}, {powers_named(tables, side.powers)}: {units or 'no Units'}{won}.")
        if war.stage == ATTACK:
            out += [odds.said(tables, assault) for _, _, assault in odds.openings(tables, state, war)]
        for number in range(1, len(war.alliances) + 1):
            out += [peril.said(tables, war, danger) for danger in peril.perils(tables, state, war, number)]
        out += [end.text for end in ending.ends(tables, state, war, session.my_powers())]
    return [spoken(line) for line in out] or ["No War is being fought."]
