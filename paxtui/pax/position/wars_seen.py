"""Wars as everybody sees them: nothing of a War is hidden but what the Treaties behind it are.

Rules: WAR-020, WAR-064
"""

from __future__ import annotations

import msgspec

from paxtui.engine.upcast import Raw
from paxtui.pax.state.model import State
from paxtui.pax.state.war import War


def wars_seen(state: State) -> list[Raw]:
    """The Wars of a position as builtins, in their order."""
    return [_seen(war) for war in state.wars]


def _seen(war: War) -> Raw:
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
        "denied": [{"passage": what, "to": to} for what, to in dict.fromkeys((d.passage, d.to) for d in war.denied)],
        "conquered": [{"area": c.area, "alliance": c.alliance} for c in war.conquered],
        "defeated": list(war.defeated),
        "surrendered": [msgspec.to_builtins(s) for s in war.surrendered],
        "began": [{"power": f.power, "area": f.area} for f in war.began],
        "over": [area or None for area in war.over],
    }
