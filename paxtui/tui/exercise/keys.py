"""The key bindings of the exercise screen and of its lesson. Separate, so that the list of keys imports no exercise."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.dom import DOMNode


class ExerciseKeys(DOMNode):
    """Key bindings of the exercise screen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("colon", "order", "Order", id="exercise.order", tooltip="Type an order"),
        Binding("d", "done", "Done", id="exercise.done", tooltip="End this step"),
        Binding("u", "undo", "Undo", id="exercise.undo", tooltip="Undo your last act"),
        Binding("comma,left", "step(-1)", "Back", id="exercise.back", tooltip="Previous line of the log"),
        Binding("full_stop,right", "step(1)", "On", id="exercise.on", tooltip="Next line of the log"),
        Binding("left_square_bracket", "step(-10)", "Ten lines back", id="exercise.far_back", tooltip="Ten lines back"),
        Binding(
            "right_square_bracket", "step(10)", "Ten lines forward", id="exercise.far_on", tooltip="Ten lines forward"
        ),
        Binding("end", "present", "Present", id="exercise.present", tooltip="Return to the present", priority=True),
        Binding("l", "log", "Log", id="exercise.log", tooltip="The log up to this moment"),
        Binding("p", "pieces", "Pieces", id="exercise.pieces", tooltip="The position in words"),
        Binding("r", "record", "Record sheet", id="exercise.record", tooltip="Points, money, wars and alliances"),
        Binding("m", "map", "Only the map", id="exercise.map", tooltip="Only the map, or all panes"),
        Binding("n", "numbers", "Unpublished numbers", id="exercise.numbers", tooltip="Unpublished numbers"),
        Binding("tab", "area(1)", "Next area", id="exercise.area", tooltip="Card of the next area"),
        Binding(
            "shift+tab", "area(-1)", "Previous area", id="exercise.area_before", tooltip="Card of the previous area"
        ),
        Binding("slash", "find", "Find area", id="exercise.find", tooltip="Find an area by name"),
        Binding("f", "filter", "Filter acts", id="exercise.filter", tooltip="Filter the acts by typing"),
        Binding("v", "victory", "Victory", id="exercise.victory", tooltip="How to win, who leads, points still open"),
        Binding("b", "battles", "Battles", id="exercise.battles", tooltip="Battle reports, the latest first"),
        Binding("e", "leaders", "Leaders", id="exercise.leaders", tooltip="Leaders with their ratings and areas"),
        Binding("c", "calendar", "Calendar", id="exercise.calendar", tooltip="Calendar of the months, and the sieges"),
        Binding("o", "supply", "Supply", id="exercise.supply", tooltip="Lines of supply on the map of a campaign"),
        Binding("t", "chits", "Chits", id="exercise.chits", tooltip="The chart of chits: the tables of each pair"),
        Binding("s", "stack", "Corps", id="exercise.stack", tooltip="Choose a corps: the map shows where it can march"),
        Binding(
            "escape",
            "acts",
            "Back to the acts",
            id="exercise.acts",
            tooltip="Close the area card and return to the acts",
        ),
        Binding("q", "leave", "Leave", id="exercise.leave", tooltip="Leave (asks first); everything is saved"),
    ]


class AreaKeys(DOMNode):
    """Key bindings of the map while an area is selected."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "screen.point('left')", "Left", id="exercise.left", tooltip="The area to the left"),
        Binding("right", "screen.point('right')", "Right", id="exercise.right", tooltip="The area to the right"),
        Binding("up", "screen.point('up')", "Up", id="exercise.up", tooltip="The area above"),
        Binding("down", "screen.point('down')", "Down", id="exercise.down", tooltip="The area below"),
        Binding("enter", "screen.acts_here", "Acts here", id="exercise.here", tooltip="Acts in this area"),
        Binding("space", "screen.whole_card", "Full card", id="exercise.card", tooltip="The whole card of the area"),
    ]


class LessonKeys(DOMNode):
    """Key bindings of the lesson of the campaign."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f7", "on", "Go on", id="lesson.on", tooltip="Read on"),
        Binding("f8", "step_back", "Previous step", id="lesson.back", tooltip="Show the previous step"),
        Binding("f9", "skip", "Skip the step", id="lesson.skip", tooltip="Let the program play this step"),
    ]
