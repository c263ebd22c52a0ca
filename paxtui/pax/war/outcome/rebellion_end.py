"""How a Chinese Rebellion ends: its own end tests, the end that is announced on an island, and what becomes of China.

Rules: REB-031 to REB-036, REB-053, REB-054, REB-057, REB-058, WEN-003, WEN-004 (R-REB-17, R-REB-18, R-REB-21,
Decisions 7, 10, 24, 28)
"""

from __future__ import annotations

from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from paxtui.pax.play.play import Play
from paxtui.pax.state.model import State, units_at
from paxtui.pax.state.pieces import CHINA
from paxtui.pax.state.questions import Announce, Pending
from paxtui.pax.state.war import War
from paxtui.pax.war import empire
from paxtui.pax.war.alliances import commanders
from paxtui.pax.war.outcome import demanded_end
from paxtui.pax.war.outcome.demanded_end import Demand, Entitled
from paxtui.pax.war.outcome.ends import QUIET, STALEMATE, decide, sides
from paxtui.pax.words.spoken import place_name

WON, BEATEN, ISLAND = "rebels_won", "rebels_beaten", "island"
"""Tests that end a Rebellion: for China, for the colonial Powers, and by the announcement of who is left on an island
that Chinese Armies cannot reach."""

Rules = tuple[str, ...]


# --- the tests ------------------------------------------------------------------------------------------------------


def colonial(tables: Tables, state: State, war: War) -> tuple[str, ...]:
    """The Areas of China with Army Units of the colonial Powers. Rules: REB-031, REB-037."""
    return tuple(a for a in state.areas if a in empire.land(tables, state, war) and empire.held_down(state, war, a))


def islands(tables: Tables, state: State, war: War) -> tuple[str, ...]:
    """The Areas of China that no Overland Route joins to others: no Chinese Army comes there. Rules: REB-033."""
    land = empire.land(tables, state, war)
    return tuple(a for a in state.areas if a in land and not empire.steps(tables, state, war, a))


def test(play: Play, war: War) -> None:
    """Make the end tests of a Rebellion; it is decided, somebody is asked, or it goes on. Nobody can waive them.

    Rules: REB-031, REB-033, REB-035, REB-053, REB-057, REB-058 (R-REB-17, R-REB-18, R-REB-21, Decisions 10, 24, 28)
    """
    held = colonial(play.tables, play.state, war)
    risen = any(u.power == CHINA for here in play.state.areas.values() for u in here.units)
    cut_off = bool(held) and set(held) <= set(islands(play.tables, play.state, war))
    if not held and not risen:
        _stalemate(play, war, False, ("REB-031", "REB-035", "REB-057"))
    elif not held:
        won(play, war, ("REB-031", "REB-032"))
    elif not risen:
        victor = next(n for n in sides(war) if n != war.side_of(CHINA))
        decide(play, war, BEATEN, victor, ("REB-035", "REB-036"))
        _china_afterwards(play, war, None, ("REB-036",))
    elif not war.attacked and war.quiet + 1 >= QUIET:
        _stalemate(play, war, cut_off, ("REB-057",))
    elif cut_off:
        demanded_end.ask(play, war, _demand(play.tables, play.state, war))


def won(play: Play, war: War, rules: Rules) -> None:
    """China has won: all Status markers in it go. Rules: REB-031, REB-032, REB-054."""
    decide(play, war, WON, war.side_of(CHINA), rules)
    _china_afterwards(play, war, (), ("REB-032",))


def _stalemate(play: Play, war: War, cut_off: bool, rules: Rules) -> None:
    """Nobody has won: the markers stay, or those of the island alone. Rules: REB-057 (R-REB-18, R-REB-21)."""
    decide(play, war, STALEMATE, 0, rules)
    kept = islands(play.tables, play.state, war) if cut_off else None
    _china_afterwards(play, war, kept, ("REB-057",))


def _china_afterwards(play: Play, war: War, kept: tuple[str, ...] | None, rules: Rules) -> None:
    """Status markers in China go but for those in the Areas `kept` (None: they all stay), its Armies leave the map, and
    the Chinese Resentment Index is 0. The tensions do not rise.

    Rules: REB-032, REB-034, REB-036, REB-057, CRI-010
    """
    for area in sorted(empire.land(play.tables, play.state, war)):
        if kept is not None and area not in kept:
            for m in play.state.areas[area].markers:
                play.lower(area, m.power, m.marker, "", "the Rebellion has won", rules, None, m.established)
        units = tuple(u.name for u in units_at(play.state, area) if u.power == CHINA)
        if units:
            play.emit(ev.UnitsLost(power=CHINA, units=units, place=area, reason="rebellion_over", rules=rules))
    play.emit(ev.ResentmentReset(reason="the Chinese Rebellion is over", rules=rules))


# --- the island -----------------------------------------------------------------------------------------------------


def _demand(tables: Tables, state: State, war: War) -> Demand:
    """Who may announce the end of the Rebellion: the Powers with Army Units on the island.

    Rules: REB-033, WEN-003 (Decision 7)
    """
    found: dict[str, Entitled] = {}
    for area in islands(tables, state, war):
        for power in war.powers:
            seats = commanders(tables, state, war, power)
            if len(seats) == 1 and empire.armies(state, area, (power,)):
                found[power] = Entitled(power, seats[0], area)
    where = " and ".join(dict.fromkeys(place_name(tables, entitled.area) for entitled in found.values()))
    return Demand(
        tuple(found.values()),
        f"The only colonial armies left in China stand in {where}. Announce the end of the Rebellion? The markers in "
        f"{where} would stay, all others in China would go.",
        f"The end of the Rebellion is announced: the markers in {where} would stay, all others in China would go. Do "
        f"you object?",
        ("REB-033", "REB-034", "WEN-003"),
    )


def answer_announce(play: Play, choice: Pending, about: Announce, words: tuple[str, ...]) -> None:
    """A Power on the island announces the end or not; what one announces stands unless another there objects.

    Raises: Refusal `bad_answer`.
    Rules: REB-033, REB-034, WEN-003, WEN-004 (Decision 7)
    """
    war = next(w for w in play.state.wars if w.id == about.war)
    by = demanded_end.answer(play, war, choice, about, words, _demand(play.tables, play.state, war))
    if by:
        decide(play, war, ISLAND, 0, ("REB-033", "WEN-003"), by)
        kept = islands(play.tables, play.state, war)
        _china_afterwards(play, war, kept, ("REB-034", "WEN-004"))
