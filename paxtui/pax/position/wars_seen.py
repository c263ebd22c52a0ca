"""Wars as everybody sees them: nothing of a War is hidden but what the Treaties behind it are.

Rules: WAR-020, WAR-064, STR-015
"""

from __future__ import annotations

import msgspec

from paxtui.engine.upcast import Raw
from paxtui.pax.board.tables import Tables
from paxtui.pax.state.model import State
from paxtui.pax.state.war import War
from paxtui.pax.war.campaign import passages


def wars_seen(tables: Tables, state: State) -> list[Raw]:
    """The Wars of a position as builtins, in their order; a passage is denied where all who decide deny it."""
    return [
        {
            **_written(war),
            "denied": [
                {"passage": what, "to": to}
                for what, to in dict.fromkeys((d.passage, d.to) for d in war.denied)
                if passages.closed(tables, state, war, what, to)
            ],
        }
        for war in state.wars
    ]


def wars_written(state: State) -> list[Raw]:
    """The Wars of a position as a patch sets them up, with the single denials that make up a closed passage."""
    return [_written(war) for war in state.wars]


def _written(war: War) -> Raw:
    return {
        "id": war.id,
        "kind": war.kind,
        "alliances": [list(side) for side in war.alliances],
        "order": list(war.order) or None,
        "declared": list(war.declared),
        "commands": dict(war.commands),
        "cycle": war.cycle,
        "phase": war.stage,
        "turn_of": war.turn_of or None,
        "quiet": war.quiet,
        "coaling": [{"area": c.area, "to": c.to} for c in war.coaling],
        "denied": [{"passage": d.passage, "to": d.to, "by": d.by} for d in war.denied],
        "conquered": [{"area": c.area, "alliance": c.alliance} for c in war.conquered],
        "defeated": list(war.defeated),
        "surrendered": [msgspec.to_builtins(s) for s in war.surrendered],
        "began": [{"power": f.power, "area": f.area} for f in war.began],
        "unsupplied": list(war.unsupplied),
        "over": [area or None for area in war.over],
        **({"defended": [{"minor": m, "power": p} for m, p in war.defended]} if war.defended else {}),
        **({"marching": list(war.marching)} if war.marching else {}),
    }
