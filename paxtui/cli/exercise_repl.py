"""Exercises of Empires in Arms line by line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TextIO

from paxtui.cli.plain.prompts import LEAVING, LIFT_WORD, Curtain
from paxtui.cli.runtime import clean_line
from paxtui.engine.refusal import Refusal
from paxtui.games.empires.narration import (
    describe_question,
    piece_lines,
    position_heading,
    posting_lines,
    record_lines,
    unpublished_number_lines,
    winners_text,
)
from paxtui.games.empires.reports import area_lines, leader_lines, victory_lines
from paxtui.games.empires.tables import Tables
from paxtui.session.exercise_session import ExerciseSession

EXERCISE_HELP = """\
Type an order, or: menu (what you may do) · a number of the menu, or 3.2 for the second goal of the third piece ·
area NAME · victory · leaders · battles · position · record · log · points · numbers (those that are ours) ·
undo · at N (look at line N) · now · help · quit. An order with ! at its end is not asked about: done!"""
NUMBER = re.compile(r"\d+(\.\d+)?")
"""A number of a menu entry, or of one of its goals."""
MOST_SHOWN = 40
"""Maximum number of log lines printed at once."""


def run_exercise_repl(
    sitting: ExerciseSession, lines: Iterable[str], out: TextIO, curtain: Curtain | None = None
) -> int:
    """Run the line mode until the input ends or `quit`; return exit code 0.

    Args: the exercise; the input; the output; the curtain between two persons with secrets.
    """
    curtain = curtain or Curtain()
    news = ExerciseNews(sitting)

    def write_line(*texts: str) -> None:
        out.writelines(clean_line(text) + "\n" for text in texts)

    def pass_on(seat: str) -> str:
        """Print the news, behind a curtain for another person if necessary. Returns: the seat at the keyboard."""
        if sitting.seat != seat and curtain.watched and sitting.has_secrets_here:
            write_line(*curtain.fall(sitting.tables.name(sitting.seat), news))
        else:
            write_line(*news())
        return sitting.seat

    write_line(f"{sitting.tables.exercise.title}. {' '.join(sitting.tables.exercise.about.split())}")
    if not sitting.tables.exercise.complete:
        write_line(
            "An exercise on a map drawn by us: it shows procedures from the public text of Empires in Arms, "
            "not its campaign."
        )
    write_line(EXERCISE_HELP)
    seat = pass_on("")
    for line in lines:
        word = line.strip()
        if curtain.down:
            if word in LEAVING:
                break
            write_line(*(curtain.lift() if word.casefold() == LIFT_WORD else [curtain.asks]))
            continue
        if word == "quit":
            break
        try:
            for text in answer_line(sitting, word):
                write_line(text)
        except Refusal as refusal:
            write_line(f"No: {refusal.message} ({', '.join(refusal.rules) or refusal.code})")
        seat = pass_on(seat)
    return 0


class ExerciseNews:
    """Report the news since the last call, and who must act.

    Args: the exercise.
    """

    def __init__(self, sitting: ExerciseSession) -> None:
        self._sitting = sitting
        self._told = 1

    def __call__(self) -> list[str]:
        """Return the lines; for a past position only who must act."""
        sitting = self._sitting
        found = [f"{n:>4} {text}" for n, text in sitting.log() if n > self._told] if sitting.at is None else []
        self._told = sitting.version
        return [*found, exercise_prompt(sitting)]


def exercise_prompt(sitting: ExerciseSession) -> str:
    """Return who must act, and in which step."""
    state = sitting.state
    if state.result is not None:
        return f"The exercise is over. {winners_text(sitting.tables, state.result.winners)}."
    asks = f" (asked {describe_question(sitting.tables, state.questions[-1])})" if state.questions else ""
    step = state.cursor.step.replace("_", " ")
    return f"[{sitting.tables.name(sitting.seat)}: {state.cursor.phase} phase, {step}{asks}]"


def answer_line(sitting: ExerciseSession, word: str) -> Iterator[str]:
    """Return the answer to an input line, in lines. Raises: Refusal."""
    tables, surely = sitting.tables, word.endswith("!")
    word = word.removesuffix("!")
    if word in ("", "now"):
        sitting.look_at(None)
    elif word == "help":
        yield EXERCISE_HELP
    elif word == "menu":
        yield from (f"{n:>3} {entry.label}" for n, entry in enumerate(sitting.menu, 1))
    elif word.startswith("area "):
        yield from area_lines(tables, sitting.state, sitting.seat, find_area(tables, word[5:]))
    elif word == "victory":
        yield from victory_lines(tables, sitting.state)
    elif word == "leaders":
        yield from leader_lines(tables, sitting.state)
    elif word == "battles":
        pages = sitting.battles()
        yield from (line for page in pages for line in (*page, ""))
        if not pages:
            yield "No battle has been fought."
    elif word == "position":
        yield position_heading(tables, sitting.state)
        yield from piece_lines(tables, sitting.state)
    elif word == "record":
        yield from record_lines(tables, sitting.state)
    elif word == "points":
        yield from posting_lines(tables, sitting.state)
    elif word == "numbers":
        yield from unpublished_number_lines(tables)
    elif word == "log":
        yield from (f"{n:>4} {text}" for n, text in list(sitting.log())[-MOST_SHOWN:])
    elif word == "undo":
        sitting.undo()
        yield "Taken back."
    elif word.startswith("at ") and word[3:].isdigit():
        sitting.look_at(int(word[3:]))
        yield position_heading(tables, sitting.state)
    elif NUMBER.fullmatch(word):
        yield from _choose(sitting, surely, *map(int, word.split(".")))
    else:
        yield from _act(sitting, word, surely)


def _act(sitting: ExerciseSession, order: str, surely: bool) -> Iterator[str]:
    """Carry out an order; first tell what it gives up or risks, unless the player is sure. Raises: Refusal."""
    warning = None if surely else sitting.warning(order)
    if warning is None:
        sitting.act(order)
        return
    yield from warning.lines
    yield f"{warning.question} Then type: {order}!"


def _choose(sitting: ExerciseSession, surely: bool, number: int, goal: int = 0) -> Iterator[str]:
    """Carry out the menu entry with a number, or list the goals of a piece. Raises: Refusal."""
    menu = sitting.menu
    if not 1 <= number <= len(menu):
        raise Refusal("no_choice", (), f"The menu has numbers 1 to {len(menu)}.")
    entry = menu[number - 1]
    if not entry.goals:
        yield from _act(sitting, entry.order, surely)
    elif goal:
        if goal > len(entry.goals):
            raise Refusal("no_choice", (), f"'{number}' has goals {number}.1 to {number}.{len(entry.goals)}.")
        yield from _act(sitting, entry.goals[goal - 1].order, surely)
    else:
        yield entry.label
        yield from (f"{f'{number}.{n}':>6} {one.label}" for n, one in enumerate(entry.goals, 1))


def find_area(tables: Tables, text: str) -> str:
    """Return the area that a player names by its id, its name, its city or the beginning of one. Raises: Refusal."""
    wanted = text.strip().casefold()
    named = [(area, {area.id, area.name.casefold(), area.city.casefold()} - {""}) for area in tables.exercise.areas]
    whole = [area.id for area, names in named if wanted in names]
    begun = [area for area, names in named if any(name.startswith(wanted) for name in names)]
    if whole or len(begun) == 1:
        return (whole or [begun[0].id])[0]
    if begun:
        raise Refusal("unknown_area", (), f"'{text}' can be {', '.join(area.name for area in begun)}.")
    raise Refusal("unknown_area", (), f"There is no area '{text}'. 'position' lists the areas with pieces.")
