"""Treaties for tests, drafted and signed in notation."""

from __future__ import annotations

from typing import Any

from paxtui.games.pax.actions import actions
from paxtui.games.pax.events import events
from paxtui.games.pax.state.diplomacy import Treaty
from paxtui.games.pax.treaties import lookup
from tests.rules.harness import UNLIMITED, Bench, start

FR, IT, DE, GB, RU = "france", "italy", "germany", "britain", "russia"
AH = "austria_hungary"
PACT = "germany_austria_hungary"
MONEY = {p: {"treasury": 60} for p in (FR, IT, DE, GB, RU, AH, "japan")}


def game(phase: str = "negotiation", **patch: Any) -> Bench:
    """The 1880 start in a Phase with money for each Power."""
    options = patch.pop("options", {})
    return start({"phase": phase, "powers": MONEY, **patch}, options={**UNLIMITED, **options})


def draft(g: Bench, seat: str, text: str) -> str:
    """Draft an agreement. Returns: its id."""
    g.act(seat, text)
    return g.of(events.TreatyDrafted)[-1].treaty.id


def signed(g: Bench, seat: str, text: str) -> str:
    """Draft an agreement that all its parties sign. Returns: its id."""
    id_ = draft(g, seat, text)
    for power in of(g, id_).parties:
        if power not in of(g, id_).signed:
            g.do(DE if power == AH else power, actions.Sign(id_, power))
    return id_


def of(g: Bench, id_: str) -> Treaty:
    """The agreement as it is now."""
    return next(t for t in lookup.all_treaties(g.tables, g.state) if t.id == id_)


def causes(g: Bench) -> set[tuple[str, str]]:
    """Holder and opponent of every Casus Belli."""
    return {(c.holder, c.against) for c in g.state.casus_belli}


def outsiders(g: Bench, *inside: str) -> list[str]:
    return [s for s in (*g.state.players, "spectator") if s not in inside]
