"""The Ottoman War: the Empire against the Powers that have placed new Control markers in it.

Rules: OTT-002, OTT-005, OTT-006
"""

from __future__ import annotations

from paxtui.pax.orders import actions as ac
from paxtui.pax.play.play import Play, refuse
from paxtui.pax.words.spoken import place_name, power_name


def open_war(play: Play) -> None:
    """The Ottoman War of the turn, if there is one.

    Rules: OTT-002
    """
    for power, area in play.state.ottoman_wars:
        play.noted(
            "war_not_yet",
            f"The Ottoman Empire is at War with {power_name(play.tables, power)} over "
            f"{place_name(play.tables, area)}. This version does not play Wars: the game goes on without it.",
            ("OTT-002",),
            power,
            area,
        )


def join(play: Play, power: str, action: ac.JoinWar) -> None:
    """Come to the side of the Ottoman Empire, or of its enemies when they have asked.

    Raises: Refusal `no_war_to_join`.
    Rules: OTT-005, OTT-006, SET-070
    """
    refuse("no_war_to_join", ("OTT-005", "SET-070"), "There is no War that one may join without a Casus Belli.")


def invite(play: Play, power: str, action: ac.InviteAid) -> None:
    """Ask Powers for aid against the Ottoman Empire.

    Raises: Refusal `no_war_to_join`.
    Rules: OTT-006
    """
    refuse("no_war_to_join", ("OTT-006",), "Aid is asked for in an Ottoman War, by those who fight the Empire.")
