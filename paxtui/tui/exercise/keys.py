"""The key bindings of the exercise screen and of its lesson. Separate, so that the list of keys imports no exercise."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.dom import DOMNode


class ExerciseKeys(DOMNode):
    """Key bindings of the exercise screen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("colon", "order", "Order", id="exercise.order", tooltip="Type an order"),
        Binding("d", "done", "Done", id="exercise.done", tooltip="Be done with this step"),
        Binding("u", "undo", "Undo", id="exercise.undo", tooltip="Take back your last act"),
        Binding("comma,left", "step(-1)", "Back", id="exercise.back", tooltip="Look at the line before"),
        Binding("full_stop,right", "step(1)", "On", id="exercise.on", tooltip="Look at the line after"),
        Binding("left_square_bracket", "step(-10)", "Ten back", id="exercise.far_back", tooltip="Ten lines back"),
        Binding("right_square_bracket", "step(10)", "Ten on", id="exercise.far_on", tooltip="Ten lines on"),
        Binding("end", "present", "Present", id="exercise.present", tooltip="Return to the present", priority=True),
        Binding("l", "log", "Log", id="exercise.log", tooltip="The whole log up to this moment"),
        Binding("p", "pieces", "Pieces", id="exercise.pieces", tooltip="What stands where, in words"),
        Binding("r", "record", "Record sheet", id="exercise.record", tooltip="Points, money, wars and alliances"),
        Binding("m", "map", "Map alone", id="exercise.map", tooltip="The map alone, or everything beside it again"),
        Binding("n", "numbers", "Our numbers", id="exercise.numbers", tooltip="The numbers that nobody published"),
        Binding("tab", "area(1)", "Next area", id="exercise.area", tooltip="The card of the next area"),
        Binding("shift+tab", "area(-1)", "Area before", id="exercise.area_before", tooltip="The area before it"),
        Binding("slash", "find", "Find area", id="exercise.find", tooltip="Find an area by name"),
        Binding("f", "filter", "Filter acts", id="exercise.filter", tooltip="Choose from all acts by typing"),
        Binding("v", "victory", "Victory", id="exercise.victory", tooltip="How to win, who leads, points still open"),
        Binding("b", "battles", "Battles", id="exercise.battles", tooltip="Reports of the battles, the last one first"),
        Binding("e", "leaders", "Leaders", id="exercise.leaders", tooltip="Leaders with ratings and places"),
        Binding("c", "calendar", "Calendar", id="exercise.calendar", tooltip="What each month brings, and the sieges"),
        Binding("o", "supply", "Supply", id="exercise.supply", tooltip="Lines of supply on the map of a campaign"),
        Binding("t", "chits", "Chits", id="exercise.chits", tooltip="The chart of chits: the tables of each pair"),
        Binding("s", "stack", "Corps", id="exercise.stack", tooltip="Choose a corps: the map shows where it can march"),
        Binding("escape", "acts", "Acts", id="exercise.acts", tooltip="Close the area card and return to the acts"),
        Binding("q", "leave", "Leave", id="exercise.leave", tooltip="Leave after a question; nothing is lost"),
    ]


class AreaKeys(DOMNode):
    """Key bindings of the map while an area is selected."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "point('left')", "Left", id="exercise.left", tooltip="The area to the left"),
        Binding("right", "point('right')", "Right", id="exercise.right", tooltip="The area to the right"),
        Binding("up", "point('up')", "Up", id="exercise.up", tooltip="The area above"),
        Binding("down", "point('down')", "Down", id="exercise.down", tooltip="The area below"),
        Binding("enter", "acts_here", "Acts here", id="exercise.here", tooltip="Choose from the acts about this area"),
        Binding("space", "whole_card", "Whole card", id="exercise.card", tooltip="The whole card of the area"),
    ]


class LessonKeys(DOMNode):
    """Key bindings of the lesson of the campaign."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f7", "on", "Go on", id="lesson.on", tooltip="Read on"),
        Binding("f8", "step_back", "Step back", id="lesson.back", tooltip="Show the previous step"),
        Binding("f9", "skip", "Skip the step", id="lesson.skip", tooltip="Let the program play the step, and go on"),
    ]
