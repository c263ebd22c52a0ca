"""Every class of the program that binds keys: the keymap file, the list of keys and `paxtui keys` are made of these."""

from __future__ import annotations

from textual.dom import DOMNode

from paxtui.tui.boxes.advice import AdviceScreen
from paxtui.tui.boxes.area_menu import AreaMenu
from paxtui.tui.boxes.ask import AskScreen
from paxtui.tui.boxes.choice import ChoiceScreen
from paxtui.tui.boxes.fought import FoughtScreen
from paxtui.tui.boxes.log import LogScreen
from paxtui.tui.boxes.pick import PickScreen
from paxtui.tui.boxes.reinforce import ReinforceScreen
from paxtui.tui.boxes.report import ReportScreen
from paxtui.tui.boxes.seat_card import CurtainScreen, SeatCard
from paxtui.tui.boxes.sitters import SittersScreen
from paxtui.tui.boxes.texts import TextScreen
from paxtui.tui.boxes.tick import TickScreen
from paxtui.tui.diplomacy.beside_map import BesideMap
from paxtui.tui.diplomacy.congress import CongressScreen
from paxtui.tui.diplomacy.dispatches import DispatchScreen
from paxtui.tui.diplomacy.peace import PeaceScreen
from paxtui.tui.diplomacy.peace_offers import PeaceOffers
from paxtui.tui.diplomacy.spoils import SpoilsScreen
from paxtui.tui.diplomacy.talk import TalkScreen
from paxtui.tui.diplomacy.terms_map import TermsMap
from paxtui.tui.diplomacy.treaties import TreatyScreen
from paxtui.tui.diplomacy.treaty_editor import TreatyEditor
from paxtui.tui.diplomacy.war_question import WarQuestionScreen
from paxtui.tui.exercise.chooser import ChooserScreen
from paxtui.tui.exercise.keys import AreaKeys, ExerciseKeys
from paxtui.tui.front.hosting import HostScreen
from paxtui.tui.front.keys import KeysScreen
from paxtui.tui.front.lobby import LobbyScreen
from paxtui.tui.front.new_game import NewGameScreen
from paxtui.tui.front.replay import ReplayScreen
from paxtui.tui.front.settings import SettingsScreen
from paxtui.tui.front.start import StartScreen
from paxtui.tui.game.screen import GameScreen
from paxtui.tui.learning.last_page import EndOfTutorial
from paxtui.tui.learning.tutorial import TutorialScreen
from paxtui.tui.map.world_map import WorldMap
from paxtui.tui.palette import PaletteScreen
from paxtui.tui.postal.desk import MailDeskScreen
from paxtui.tui.postal.line import LineScreen
from paxtui.tui.postal.sheet import OrderSheetScreen
from paxtui.tui.reading.help import HelpScreen
from paxtui.tui.reading.reading import ReadingScreen
from paxtui.tui.reading.record import RecordScreen
from paxtui.tui.reading.statistics import StatisticsScreen
from paxtui.tui.stage.confirmation import Confirmation
from paxtui.tui.war.attack import AttackScreen
from paxtui.tui.war.declare import DeclareScreen
from paxtui.tui.war.retreat import RetreatScreen
from paxtui.tui.widgets.board import Board
from paxtui.tui.widgets.order_line import OrderLine

OWNERS: tuple[type[DOMNode], ...] = (
    *(WorldMap, Board, GameScreen, OrderLine, ReplayScreen, TutorialScreen, EndOfTutorial),
    *(AttackScreen, DeclareScreen, RetreatScreen, SpoilsScreen, BesideMap, PeaceScreen, PeaceOffers, WarQuestionScreen),
    *(AskScreen, AdviceScreen, SittersScreen, TickScreen, ReinforceScreen, ReportScreen, FoughtScreen),
    *(AreaMenu, ChoiceScreen, LogScreen, PickScreen, Confirmation, SeatCard, CurtainScreen, TextScreen, RecordScreen),
    *(CongressScreen, DispatchScreen, TalkScreen, TreatyScreen, TreatyEditor, TermsMap),
    *(ExerciseKeys, AreaKeys, ChooserScreen),
    *(HelpScreen, PaletteScreen, ReadingScreen, StatisticsScreen),
    *(OrderSheetScreen, LineScreen, MailDeskScreen),
    *(StartScreen, LobbyScreen, HostScreen, NewGameScreen, SettingsScreen, KeysScreen),
)
"""All of them but the app, whose keys stand with it; what comes first keeps an id that two have."""
