"""All classes with key bindings, for the keymap file, the list of keys and `paxtui keys`."""

from __future__ import annotations

from textual.dom import DOMNode

from paxtui.tui.base.dialogs import ConfirmDialog, FilterDialog, InputDialog, MultiPickDialog, PickDialog, TextDialog
from paxtui.tui.command_palette import CommandPalette
from paxtui.tui.dialogs.advice import AdviceDialog
from paxtui.tui.dialogs.area_menu import AreaMenu, ReinforceDialog
from paxtui.tui.dialogs.choice import ChoiceDialog
from paxtui.tui.dialogs.reports import CombatResultDialog, ReportScreen
from paxtui.tui.dialogs.seats import PrivacyScreen, SeatCard, SeatsDialog
from paxtui.tui.dialogs.war import AttackScreen, DeclareScreen, RetreatScreen
from paxtui.tui.diplomacy.comparison import MapListScreen
from paxtui.tui.diplomacy.congress import CongressScreen
from paxtui.tui.diplomacy.messages import ChatScreen, DispatchScreen
from paxtui.tui.diplomacy.orders_ahead import OrdersAheadScreen
from paxtui.tui.diplomacy.peace import PeaceOffersScreen, PeaceScreen
from paxtui.tui.diplomacy.treaties import TermsMap, TreatyScreen
from paxtui.tui.diplomacy.treaty_editor import TreatyEditor
from paxtui.tui.diplomacy.war_questions import SpoilsScreen, WarQuestionScreen
from paxtui.tui.exercise.keys import AreaKeys, ExerciseKeys, LessonKeys
from paxtui.tui.game.replay import ReplayScreen
from paxtui.tui.game.screen import GameScreen
from paxtui.tui.mail.gamemaster import GamemasterScreen
from paxtui.tui.mail.order_sheet import OrderInputDialog, OrderSheetScreen
from paxtui.tui.map.world_map import WorldMap
from paxtui.tui.reference_screens.help import HelpScreen
from paxtui.tui.reference_screens.log import LogScreen
from paxtui.tui.reference_screens.record import RecordScreen
from paxtui.tui.reference_screens.reference import ReferenceScreen
from paxtui.tui.reference_screens.review import ReviewScreen
from paxtui.tui.reference_screens.statistics import StatisticsScreen
from paxtui.tui.start_screens.archive import ArchiveScreen
from paxtui.tui.start_screens.hosting import HostScreen, LobbyScreen
from paxtui.tui.start_screens.new_game import NewGameScreen
from paxtui.tui.start_screens.puzzles import PuzzleList, PuzzleScreen
from paxtui.tui.start_screens.scenario_editor import ScenarioEditor
from paxtui.tui.start_screens.scenarios import ScenarioShelf
from paxtui.tui.start_screens.settings import KeysScreen, SettingsScreen
from paxtui.tui.start_screens.start import StartScreen
from paxtui.tui.study.screen import CommentDialog, StudyScreen
from paxtui.tui.study.tree import TreeScreen
from paxtui.tui.tutorial.screen import EndOfTutorial, TutorialScreen
from paxtui.tui.widgets.board import Board
from paxtui.tui.widgets.order_line import OrderLine

KEY_OWNERS: tuple[type[DOMNode], ...] = (
    *(WorldMap, Board, GameScreen, OrderLine, ReplayScreen, StudyScreen, TutorialScreen, EndOfTutorial),
    *(
        AttackScreen,
        DeclareScreen,
        RetreatScreen,
        SpoilsScreen,
        MapListScreen,
        PeaceScreen,
        PeaceOffersScreen,
        WarQuestionScreen,
    ),
    *(InputDialog, AdviceDialog, SeatsDialog, MultiPickDialog, ReinforceDialog, ReportScreen, CombatResultDialog),
    *(AreaMenu, ChoiceDialog, LogScreen, PickDialog, ConfirmDialog, SeatCard, PrivacyScreen, TextDialog, RecordScreen),
    *(CongressScreen, DispatchScreen, ChatScreen, OrdersAheadScreen, TreatyScreen, TreatyEditor, TermsMap),
    *(CommentDialog, TreeScreen),
    *(ExerciseKeys, AreaKeys, LessonKeys, FilterDialog),
    *(HelpScreen, CommandPalette, ReferenceScreen, StatisticsScreen, ReviewScreen),
    *(OrderSheetScreen, OrderInputDialog, GamemasterScreen),
    *(StartScreen, LobbyScreen, HostScreen, NewGameScreen, ScenarioShelf, ScenarioEditor, SettingsScreen, KeysScreen),
    *(PuzzleList, PuzzleScreen),
    ArchiveScreen,
)
"""Classes with key bindings, except the app. If two classes share an id, the first one keeps it."""
