"""Examples of articles that fit the position: the drafting Power, its partners, disputes and markers."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from paxtui.games.pax.board.status import area_state
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.clauses.notation import parse_clause, text_of_clause
from paxtui.games.pax.clauses.registry import CLAUSE_KINDS
from paxtui.games.pax.state.diplomacy import CasusBelli, Clause, ClauseTrigger
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import CONTROL, LEVEL

EXAMPLE_TURNS = 2
"""Game Turns after this one in which a limited example binds."""


def example_article(tables: Tables, state: State, kind: str, power: str, partners: Sequence[str]) -> str:
    """Return an article of a kind as it may be typed, about the drafting Power, its partner and their Areas.

    Without partners so far, the Power of a dispute or another Power is named. `state`: as the seat knows it.
    """
    partner = partners[0] if partners else partner_of(state, power)
    causes = [c for c in state.casus_belli if power in (c.holder, c.against)]
    cause = next((c for c in causes if {c.holder, c.against} == {power, partner}), None)
    clause = _fill(tables, state, parse_clause(tables, CLAUSE_KINDS[kind].example), power, partner, cause)
    return text_of_clause(tables, clause)


def partner_of(state: State, power: str) -> str:
    """The Power with which a draft is likeliest: that of a dispute, else the first one in the game."""
    for cause in state.casus_belli:
        other = {cause.holder: cause.against, cause.against: cause.holder}.get(power, "")
        if other in state.powers:
            return other
    return next((p for p in state.powers if p != power), power)


def _fill(tables: Tables, state: State, like: Clause, power: str, partner: str, cause: CasusBelli | None) -> Clause:
    third = next((p for p in state.powers if p not in (power, partner)), partner)
    until = min(state.turn + EXAMPLE_TURNS, state.last_turn)
    disputed = cause.area if cause else ""
    own, others = _best(state, power), _best(state, partner)
    match like.kind:
        case "defensive" | "offensive":
            return replace(like, against=(third,), until=until if like.until else 0)
        case "waive":
            holder = cause.holder if cause else partner
            against = cause.against if cause else power
            if disputed:
                return replace(like, power=holder, places=(disputed,), to="")
            return replace(like, power=holder, places=(), to=against)
        case "passage" | "coaling":
            return replace(like, power=power, to=partner)
        case "lower":
            area = disputed if _level(state, partner, disputed) > LEVEL["influence"] else others
            return replace(like, power=partner, places=(area or like.places[0],))
        case "transfer":
            return replace(
                like,
                power=partner,
                to=power,
                places=(others or like.places[0],),
                upon=ClauseTrigger("war", power, third),
            )
        case "codominion":
            return replace(like, against=(power, partner), places=(disputed or own or others or like.places[0],))
        case "grant":
            return replace(like, power=partner, to=power, places=(others or like.places[0],))
        case "pay":
            return replace(like, power=power, to=partner, until=until)
        case "cede":
            return replace(like, to=power, places=(others or like.places[0],))
    if CLAUSE_KINDS[like.kind].act is not None or not like.power:
        return like
    return replace(  # a promise of the partner
        like,
        power=partner,
        places=(disputed or own or like.places[0],) if like.places else (),
        region="",
        until=until if like.until else 0,
        turn=until if like.turn else 0,
    )


def _level(state: State, power: str, area: str) -> int:
    markers = area_state(state, area).markers if area else ()
    return max((LEVEL[m.marker] for m in markers if m.power == power), default=0)


def _best(state: State, power: str) -> str:
    """The Area in which a Power has the most, of those where it may give it away; "" for none."""
    held = [(m.marker in CONTROL, LEVEL[m.marker], area) for area, here in state.areas.items() for m in here.markers
            if m.power == power and m.marker not in ("state", "dominion")]  # fmt: skip
    return max(held, key=lambda mark: mark[:2])[2] if held else ""
