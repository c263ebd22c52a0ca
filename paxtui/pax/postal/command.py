"""Which ally orders a Minor Power or an Empire in War by mail: one of them, and it may hand the command on.

Rules: PBM-098, PBM-099 (R-PBM-31)
"""

from __future__ import annotations

from paxtui.pax.board.status import seat_of
from paxtui.pax.history import events as ev
from paxtui.pax.play.play import Play
from paxtui.pax.postal.standing import Instructions
from paxtui.pax.state.war import REBELLION, War
from paxtui.pax.war.alliances import ally_seats


def name_commanders(play: Play) -> None:
    """Name the one ally that orders each Minor Power with several: the first that came to its aid, else by lot.

    Rules: PBM-098 (R-PBM-31)
    """
    for war in play.state.wars:
        for power in war.powers if war.kind != REBELLION else ():
            seats = ally_seats(play.tables, play.state, war, power) if power not in play.state.powers else ()
            if len(seats) > 1 and war.commands.get(power) not in seats:
                _give(play, war, power, _first(play, war, power, seats), "PBM-098")


def hand_on(play: Play, instructions: Instructions) -> None:
    """Whoever orders a Minor Power hands the command to another of its allies, as his form says.

    Args: the decision in progress; the standing instructions by seat, of which `command spain germany` is one.
    Rules: PBM-099
    """
    for seat, told in instructions.items():
        for said in told:
            for war in play.state.wars if said.verb == "command" else ():
                minor, to = said.answer
                allies = ally_seats(play.tables, play.state, war, minor)
                if war.commands.get(minor) == seat and to in allies:
                    _give(play, war, minor, to, "PBM-099")


def _first(play: Play, war: War, power: str, seats: tuple[str, ...]) -> str:
    """The seat that came first to the aid of a Power; a lot where none did before the others. Rules: R-PBM-31."""
    for minor, defender in war.defended:
        seat = seat_of(play.tables, play.state, defender)
        if minor == power and seat in seats:
            return seat
    return seats[play.dice.draw(len(seats))]


def _give(play: Play, war: War, minor: str, seat: str, rule: str) -> None:
    play.emit(ev.CommandGiven(war=war.id, minor=minor, seat=seat, rules=(rule,)))
