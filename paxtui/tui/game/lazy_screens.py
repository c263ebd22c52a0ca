"""Screens that a game opens now and then. Each is imported when it is opened: the first frame needs none of them.

A client that looks at no Treaty, Congress or chart carries a megabyte less.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from paxtui.games.pax.state.questions import Pending
from paxtui.games.pax.state.war import War
from paxtui.session.local_session import Session

if TYPE_CHECKING:
    from paxtui.tui.diplomacy.congress import CongressScreen
    from paxtui.tui.diplomacy.messages import ChatScreen, DispatchScreen
    from paxtui.tui.diplomacy.peace import PeaceOffersScreen, PeaceScreen
    from paxtui.tui.diplomacy.treaties import TreatyScreen
    from paxtui.tui.diplomacy.war_questions import SpoilsScreen, WarQuestionScreen
    from paxtui.tui.reference_screens.statistics import StatisticsScreen

def congress_screen(session: Session) -> CongressScreen:
    """The hall of a Congress."""
    from paxtui.tui.diplomacy.congress import CongressScreen

    return CongressScreen(session)


def dispatches_screen(session: Session) -> DispatchScreen:
    """Letters of the seat."""
    from paxtui.tui.diplomacy.messages import DispatchScreen

    return DispatchScreen(session)


def peace_screen(session: Session, war: War, power: str) -> PeaceScreen:
    """A peace to be put together."""
    from paxtui.tui.diplomacy.peace import PeaceScreen

    return PeaceScreen(session, war, power)


def peace_offers_screen(session: Session, war: War, power: str) -> PeaceOffersScreen:
    """The peaces that are proposed to a Power."""
    from paxtui.tui.diplomacy.peace import PeaceOffersScreen

    return PeaceOffersScreen(session, war, power)


def spoils_screen(session: Session, choice: Pending) -> SpoilsScreen:
    """What becomes of an Area that a War has won."""
    from paxtui.tui.diplomacy.war_questions import SpoilsScreen

    return SpoilsScreen(session, choice)


def next_spoils_screen(session: Session, choice: Pending) -> SpoilsScreen:
    """The same of the next Area, which comes unasked."""
    from paxtui.tui.diplomacy.war_questions import NextSpoilsScreen

    return NextSpoilsScreen(session, choice)


def war_question_screen(session: Session, choice: Pending) -> WarQuestionScreen:
    """A question of a War beside the map."""
    from paxtui.tui.diplomacy.war_questions import WarQuestionScreen

    return WarQuestionScreen(session, choice)


def chat_screen(session: Session) -> ChatScreen:
    """The talk of the table."""
    from paxtui.tui.diplomacy.messages import ChatScreen

    return ChatScreen(session)


def treaties_screen(session: Session, chosen: str = "") -> TreatyScreen:
    """Treaties and proposals of the seat; one of them may be chosen by its id."""
    from paxtui.tui.diplomacy.treaties import TreatyScreen

    return TreatyScreen(session, chosen)


def statistics_screen(session: Session) -> StatisticsScreen:
    """The course of the game in charts."""
    from paxtui.tui.reference_screens.statistics import StatisticsScreen

    return StatisticsScreen(session)


def closing_screen(session: Session) -> StatisticsScreen:
    """The same at the end of the game, which comes unasked."""
    from paxtui.tui.reference_screens.statistics import ClosingScreen

    return ClosingScreen(session)
