"""Orders for a Power without a player that several seats command: each gives the order, the last carries it out.

Rules: WMV-031, WCB-008 (R-WMV-13)
"""

from __future__ import annotations

from paxtui.pax.history import events as ev
from paxtui.pax.play.play import Play, refuse
from paxtui.pax.state.war import War
from paxtui.pax.war.alliances import commanders
from paxtui.pax.words.spoken import power_name, powers_named


def text_of_move(units: tuple[str, ...], start: str, end: str, coast: str) -> str:
    """The text by which the same move is known whoever orders it, in whatever words."""
    side = f" ({coast})" if coast else ""
    return f"move {' '.join(sorted(units))} {start} > {end}{side}"


def missing(war: War, seats: tuple[str, ...], order: str) -> tuple[str, ...]:
    """The seats that have still to give an order, by its text; all of them where nobody has begun.

    An order that all have given has been carried out; who gives it again means another like Unit.
    """
    given = {seat: sum(c == (seat, order) for c in ((c.seat, c.order) for c in war.consents)) for seat in seats}
    done = min(given.values(), default=0)
    return tuple(seat for seat in seats if given[seat] == done)


def agreed(play: Play, war: War, seat: str, power: str, order: str) -> bool:
    """Note that a seat gives an order for a Power; whether all who command it have given it now.

    Raises: Refusal `consented`.
    Rules: WMV-031, WCB-008 (R-WMV-13)
    """
    seats = commanders(play.tables, play.state, war, power)
    if len(seats) < 2:
        return True
    waited = missing(war, seats, order)
    if seat not in waited:
        names = powers_named(play.tables, waited)
        refuse("consented", ("WMV-031",), f"You have given that order; {names} must give it too.", missing=list(waited))
    play.emit(ev.ConsentGiven(war=war.id, minor=power, seat=seat, order=order, rules=("WMV-031",)))
    rest = tuple(s for s in waited if s != seat)
    if rest:
        play.noted(
            "consent_missing",
            f"{power_name(play.tables, power)} does it once {powers_named(play.tables, rest)} gives the order too.",
            ("WMV-031",),
            power=power,
        )
    return not rest
