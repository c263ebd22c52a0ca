"""Screens that a game opens now and then. Each is imported when it is opened: the first frame needs none of them.

A client that looks at no Treaty, Congress or chart carries a megabyte less.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from paxtui.pax.state.questions import Pending
from paxtui.pax.state.war import War
from paxtui.table.session import Session

if TYPE_CHECKING:
    from paxtui.tui.diplomacy.congress import CongressScreen
    from paxtui.tui.diplomacy.dispatches import DispatchScreen
    from paxtui.tui.diplomacy.peace import PeaceScreen
    from paxtui.tui.diplomacy.peace_offers import PeaceOffers
    from paxtui.tui.diplomacy.spoils import SpoilsScreen
    from paxtui.tui.diplomacy.talk import TalkScreen
    from paxtui.tui.diplomacy.treaties import TreatyScreen
    from paxtui.tui.diplomacy.war_question import WarQuestionScreen
    from paxtui.tui.reading.statistics import StatisticsScreen


def congress(session: Session) -> CongressScreen:
    """The hall of a Congress."""
    from paxtui.tui.diplomacy.congress import CongressScreen

    return CongressScreen(session)


def dispatches(session: Session) -> DispatchScreen:
    """Letters of the seat."""
    from paxtui.tui.diplomacy.dispatches import DispatchScreen

    return DispatchScreen(session)


def peace(session: Session, war: War, power: str) -> PeaceScreen:
    """A peace to be put together."""
    from paxtui.tui.diplomacy.peace import PeaceScreen

    return PeaceScreen(session, war, power)


def peace_offers(session: Session, war: War, power: str) -> PeaceOffers:
    """The peaces that are proposed to a Power."""
    from paxtui.tui.diplomacy.peace_offers import PeaceOffers

    return PeaceOffers(session, war, power)


def spoils(session: Session, choice: Pending) -> SpoilsScreen:
    """What becomes of an Area that a War has won."""
    from paxtui.tui.diplomacy.spoils import SpoilsScreen

    return SpoilsScreen(session, choice)


def next_spoils(session: Session, choice: Pending) -> SpoilsScreen:
    """The same of the next Area, which comes unasked."""
    from paxtui.tui.diplomacy.spoils import NextSpoils

    return NextSpoils(session, choice)


def war_question(session: Session, choice: Pending) -> WarQuestionScreen:
    """A question of a War beside the map."""
    from paxtui.tui.diplomacy.war_question import WarQuestionScreen

    return WarQuestionScreen(session, choice)


def talk(session: Session) -> TalkScreen:
    """The talk of the table."""
    from paxtui.tui.diplomacy.talk import TalkScreen

    return TalkScreen(session)


def treaties(session: Session, chosen: str = "") -> TreatyScreen:
    """Treaties and proposals of the seat; one of them may be chosen by its id."""
    from paxtui.tui.diplomacy.treaties import TreatyScreen

    return TreatyScreen(session, chosen)


def statistics(session: Session) -> StatisticsScreen:
    """The course of the game in charts."""
    from paxtui.tui.reading.statistics import StatisticsScreen

    return StatisticsScreen(session)


def closing(session: Session) -> StatisticsScreen:
    """The same at the end of the game, which comes unasked."""
    from paxtui.tui.reading.statistics import ClosingScreen

    return ClosingScreen(session)
