"""The defence of a Minor Power: announced by a Great Power, it forces a Congress of Europe.

Rules: MIN-039, MIN-040, STA-052, SEQ-020 (R-MIN-13, Decision 12)
"""

from __future__ import annotations

from paxtui.pax.board.status import controllers, seat_of
from paxtui.pax.diplomacy.disputes import overruled
from paxtui.pax.expansion.placement import check_words
from paxtui.pax.orders import actions as ac
from paxtui.pax.play import casus_belli
from paxtui.pax.play.play import Play, refuse

GREAT = ("great", "great_or_minor", "played_by_germany")
"""Kinds of Power that are Great Powers where they have a player."""


def defend(play: Play, power: str, action: ac.Defend) -> None:
    """Announce that `power` defends a Minor Power's Influence against Control: a Congress must be called.

    Several may announce it, each with the same duty. It is over when the Control or the Influence is.

    Raises: Refusal `nothing_to_defend`, `not_a_great_power`, `own_dispute`, `announced`.
    Rules: MIN-039, MIN-040, STA-052, SEQ-020 (R-MIN-13, Decision 12)
    """
    tables, state = play.tables, play.state
    check_words(play, action.area)
    if action.minor not in tables.powers:
        refuse("unknown_power", (), f"There is no Power {action.minor!r}.")
    whom, where = tables.powers[action.minor].name, tables.areas[action.area].name
    if tables.powers[power].kind not in GREAT:
        refuse("not_a_great_power", ("MIN-040",), "Only a Great Power can announce the defence of a Minor Power.")
    if action.minor not in state.minors or action.minor not in overruled(state, action.area):
        refuse(
            "nothing_to_defend",
            ("MIN-040", "MIN-039"),
            f"{whom} is no Minor Power whose Influence in {where} is pressed by another's Control marker.",
        )
    against = [p for p in controllers(state, action.area) if p in state.powers]
    seat = seat_of(tables, state, power)
    if not against or any(seat_of(tables, state, p) == seat for p in against):
        refuse(
            "own_dispute",
            ("MIN-040",),
            f"It is for another Great Power than the one with Control of {where} to defend {whom} there.",
        )
    found = [
        casus_belli.arise(
            play, power, p, action.area, casus_belli.DEFENCE, ("MIN-040", "STA-052", "SEQ-020"), minor=action.minor
        )
        for p in against
    ]
    if not any(found):
        refuse("announced", ("MIN-040",), f"{tables.powers[power].name} has announced that already.")
