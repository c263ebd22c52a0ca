"""Screens that are imported on first use: faster start, and about 1 MB less memory for a client that opens none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paxtui.games.pax.state.questions import Pending
from paxtui.games.pax.state.war import War
from paxtui.session.session import Session

if TYPE_CHECKING:
    from paxtui.tui.diplomacy.congress import CongressScreen
    from paxtui.tui.diplomacy.messages import ChatScreen, DispatchScreen
    from paxtui.tui.diplomacy.orders_ahead import OrdersAheadScreen
    from paxtui.tui.diplomacy.peace import PeaceOffersScreen, PeaceScreen
    from paxtui.tui.diplomacy.treaties import TreatyScreen
    from paxtui.tui.diplomacy.war_questions import SpoilsScreen, WarQuestionScreen
    from paxtui.tui.reference_screens.statistics import StatisticsScreen


LATER_SCREENS = (
    "paxtui.tui.diplomacy.treaties",
    "paxtui.tui.diplomacy.messages",
    "paxtui.tui.reference_screens.help",
    "paxtui.tui.start_screens.settings",
    "plotext",
    "paxtui.tui.reference_screens.statistics",
)
"""Modules that a client at a terminal of its own imports while it is idle, so that no key waits for them."""
LATEST_SCREENS = (
    "importlib.metadata",
    "email.message",
    "paxtui.bots.pax.treaty_ideas",
    "paxtui.tui.diplomacy.congress",
    "paxtui.mail.fair_dice",
    "paxtui.mail.gamemaster",
    "paxtui.tui.gamemaster",
    "paxtui.studies.job",
    "paxtui.archive.index",
    "paxtui.tui.study.screen",
    "paxtui.tui.start_screens.archive",
    "paxtui.tui.start_screens.new_game",
    "paxtui.tui.tutorial.screen",
    "paxtui.tui.bindings",
)
"""Modules with keys, for the list of all keys, in steps that no player notices. Clients of a server do without them."""


def congress_screen(session: Session) -> CongressScreen:
    """Create the Congress screen."""
    from paxtui.tui.diplomacy.congress import CongressScreen

    return CongressScreen(session)


def dispatches_screen(session: Session) -> DispatchScreen:
    """Create the dispatches screen of the seat."""
    from paxtui.tui.diplomacy.messages import DispatchScreen

    return DispatchScreen(session)


def orders_ahead_screen(session: Session) -> OrdersAheadScreen:
    """Create the screen of orders ahead of the seat."""
    from paxtui.tui.diplomacy.orders_ahead import OrdersAheadScreen

    return OrdersAheadScreen(session)


def peace_screen(session: Session, war: War, power: str) -> PeaceScreen:
    """Create the screen that drafts a peace."""
    from paxtui.tui.diplomacy.peace import PeaceScreen

    return PeaceScreen(session, war, power)


def peace_offers_screen(session: Session, war: War, power: str) -> PeaceOffersScreen:
    """Create the screen of peace offers to a Power."""
    from paxtui.tui.diplomacy.peace import PeaceOffersScreen

    return PeaceOffersScreen(session, war, power)


def spoils_screen(session: Session, choice: Pending) -> SpoilsScreen:
    """Create the screen that decides on an Area won in War."""
    from paxtui.tui.diplomacy.war_questions import SpoilsScreen

    return SpoilsScreen(session, choice)


def next_spoils_screen(session: Session, choice: Pending) -> SpoilsScreen:
    """Create the same screen for the next Area; it opens automatically and is debounced."""
    from paxtui.tui.diplomacy.war_questions import NextSpoilsScreen

    return NextSpoilsScreen(session, choice)


def war_question_screen(session: Session, choice: Pending) -> WarQuestionScreen:
    """Create the screen of a War question beside the map."""
    from paxtui.tui.diplomacy.war_questions import WarQuestionScreen

    return WarQuestionScreen(session, choice)


def chat_screen(session: Session) -> ChatScreen:
    """Create the chat screen."""
    from paxtui.tui.diplomacy.messages import ChatScreen

    return ChatScreen(session)


def treaties_screen(session: Session, chosen: str = "") -> TreatyScreen:
    """Create the treaties screen of the seat, optionally with one treaty selected by id."""
    from paxtui.tui.diplomacy.treaties import TreatyScreen

    return TreatyScreen(session, chosen)


def statistics_screen(session: Session) -> StatisticsScreen:
    """Create the screen of charts."""
    from paxtui.tui.reference_screens.statistics import StatisticsScreen

    return StatisticsScreen(session)


def closing_screen(session: Session) -> StatisticsScreen:
    """Create the same screen for the end of the game; it opens automatically and is debounced."""
    from paxtui.tui.reference_screens.statistics import ClosingScreen

    return ClosingScreen(session)
