"""The key bindings of the exercise screen and of its lesson. Separate, so that the list of keys imports no exercise."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import BindingType
from textual.dom import DOMNode

from paxtui.tui.base.keymap import bind


class ExerciseKeys(DOMNode):
    """Key bindings of the exercise screen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("exercise.order", "colon", "order", "Order", "Type an order"),
        bind("exercise.done", "d", "done", "Done", "End this step"),
        bind("exercise.undo", "u", "undo", "Undo", "Undo your last act"),
        bind("exercise.back", "comma,left", "step(-1)", "Back", "Previous line of the log"),
        bind("exercise.on", "full_stop,right", "step(1)", "On", "Next line of the log"),
        bind("exercise.far_back", "left_square_bracket", "step(-10)", "Ten lines back", "Ten lines back"),
        bind("exercise.far_on", "right_square_bracket", "step(10)", "Ten lines forward", "Ten lines forward"),
        bind("exercise.present", "end", "present", "Present", "Return to the present", priority=True),
        bind("exercise.log", "l", "log", "Log", "The log up to this moment"),
        bind("exercise.pieces", "p", "pieces", "Pieces", "The position in words"),
        bind("exercise.record", "r", "record", "Record sheet", "Points, money, wars and alliances"),
        bind("exercise.map", "m", "map", "Only the map", "Only the map, or all panes"),
        bind("exercise.numbers", "n", "numbers", "Unpublished numbers", "Unpublished numbers"),
        bind("exercise.area", "tab", "area(1)", "Next area", "Card of the next area"),
        bind("exercise.area_before", "shift+tab", "area(-1)", "Previous area", "Card of the previous area"),
        bind("exercise.find", "slash", "find", "Find area", "Find an area by name"),
        bind("exercise.filter", "f", "filter", "Filter acts", "Filter the acts by typing"),
        bind("exercise.victory", "v", "victory", "Victory", "How to win, who leads, points still open"),
        bind("exercise.battles", "b", "battles", "Battles", "Battle reports, the latest first"),
        bind("exercise.leaders", "e", "leaders", "Leaders", "Leaders with their ratings and areas"),
        bind("exercise.calendar", "c", "calendar", "Calendar", "Calendar of the months, and the sieges"),
        bind("exercise.supply", "o", "supply", "Supply", "Lines of supply on the map of a campaign"),
        bind("exercise.chits", "t", "chits", "Chits", "The chart of chits: the tables of each pair"),
        bind("exercise.stack", "s", "stack", "Corps", "Choose a corps: the map shows where it can march"),
        bind("exercise.acts", "escape", "acts", "Back to the acts", "Close the area card and return to the acts"),
        bind("exercise.leave", "q", "leave", "Leave", "Leave (asks first); everything is saved"),
    ]


class AreaKeys(DOMNode):
    """Key bindings of the map while an area is selected."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("exercise.left", "left", "screen.point('left')", "Left", "The area to the left"),
        bind("exercise.right", "right", "screen.point('right')", "Right", "The area to the right"),
        bind("exercise.up", "up", "screen.point('up')", "Up", "The area above"),
        bind("exercise.down", "down", "screen.point('down')", "Down", "The area below"),
        bind("exercise.here", "enter", "screen.acts_here", "Acts here", "Acts in this area"),
        bind("exercise.card", "space", "screen.whole_card", "Full card", "The whole card of the area"),
    ]


class LessonKeys(DOMNode):
    """Key bindings of the lesson of the campaign."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("lesson.on", "f7", "on", "Go on", "Read on"),
        bind("lesson.back", "f8", "step_back", "Previous step", "Show the previous step"),
        bind("lesson.skip", "f9", "skip", "Skip the step", "Let the program play this step"),
    ]
