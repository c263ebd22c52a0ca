"""An exercise played line by line, for screen readers, logs and slow links."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TextIO

from paxtui.cli.outward.outlet import clean
from paxtui.cli.plain.curtain import HERE, LEAVING, Curtain
from paxtui.empires.narration.narrate import asked
from paxtui.empires.narration.reports import area_lines, leader_lines, victory_lines
from paxtui.empires.narration.summary import heading, ours, pieces, postings, record
from paxtui.empires.tables.tables import Tables
from paxtui.engine.refusal import Refusal
from paxtui.table.exercises.sitting import Sitting

HELP = """\
Type an order, or: menu (what you may do) · a number of the menu, or 3.2 for the second goal of the third piece ·
area NAME · victory · leaders · battles · position · record · log · points · numbers (those that are ours) ·
undo · at N (look at line N) · now · help · quit"""
NUMBER = re.compile(r"\d+(\.\d+)?")
"""A number of the menu, or of a goal in it."""
SHOWN = 40
"""Lines of the log that are printed at once."""


def converse(sitting: Sitting, lines: Iterable[str], out: TextIO, curtain: Curtain | None = None) -> int:
    """Hold the conversation until the lines end or `quit` is said; the exit code 0.

    Args: the exercise; what is typed; where it is told; what falls between two people that have secrets of each other.
    """
    curtain = curtain or Curtain()
    news = News(sitting)

    def say(*texts: str) -> None:
        out.writelines(clean(text) + "\n" for text in texts)

    def pass_on(seat: str) -> str:
        """Tell the news; to another person behind the curtain, where something is secret. Returns: who sits here."""
        if sitting.seat != seat and curtain.watched and sitting.hides:
            say(*curtain.fall_before(sitting.tables.name(sitting.seat), news))
        else:
            say(*news())
        return sitting.seat

    say(f"{sitting.tables.exercise.title}. {' '.join(sitting.tables.exercise.about.split())}")
    say("An exercise on a map drawn by us: procedures of the public text of Empires in Arms, not its campaign.")
    say(HELP)
    seat = pass_on("")
    for line in lines:
        word = line.strip()
        if curtain.down:
            if word in LEAVING:
                break
            say(*(curtain.lift() if word.casefold() == HERE else [curtain.asks]))
            continue
        if word == "quit":
            break
        try:
            for text in hear(sitting, word):
                say(text)
        except Refusal as refusal:
            say(f"No: {refusal.message} ({', '.join(refusal.rules) or refusal.code})")
        seat = pass_on(seat)
    return 0


class News:
    """Tells what has happened since it was last asked, and who is to do what.

    Args: the exercise.
    """

    def __init__(self, sitting: Sitting) -> None:
        self._sitting = sitting
        self._told = 1

    def __call__(self) -> list[str]:
        """The lines; in the past only who is to do what."""
        sitting = self._sitting
        found = [f"{n:>4} {text}" for n, text in sitting.log() if n > self._told] if sitting.at is None else []
        self._told = sitting.version
        return [*found, prompt(sitting)]


def prompt(sitting: Sitting) -> str:
    """Who is to do something, and in which step."""
    state = sitting.state
    if state.result is not None:
        return f"The exercise is over: won by {', '.join(map(sitting.tables.name, state.result.winners))}."
    asks = f" (asked {asked(sitting.tables, state.questions[-1])})" if state.questions else ""
    step = state.cursor.step.replace("_", " ")
    return f"[{sitting.tables.name(sitting.seat)}: {state.cursor.phase} phase, {step}{asks}]"


def hear(sitting: Sitting, word: str) -> Iterator[str]:
    """What one line comes to, in lines. Raises: Refusal."""
    tables = sitting.tables
    if word in ("", "now"):
        sitting.look_at(None)
    elif word == "help":
        yield HELP
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
        yield heading(tables, sitting.state)
        yield from pieces(tables, sitting.state)
    elif word == "record":
        yield from record(tables, sitting.state)
    elif word == "points":
        yield from postings(tables, sitting.state)
    elif word == "numbers":
        yield from ours(tables)
    elif word == "log":
        yield from (f"{n:>4} {text}" for n, text in list(sitting.log())[-SHOWN:])
    elif word == "undo":
        sitting.undo()
        yield "Taken back."
    elif word.startswith("at ") and word[3:].isdigit():
        sitting.look_at(int(word[3:]))
        yield heading(tables, sitting.state)
    elif NUMBER.fullmatch(word):
        yield from _choose(sitting, *map(int, word.split(".")))
    else:
        sitting.act(word)


def _choose(sitting: Sitting, number: int, goal: int = 0) -> Iterator[str]:
    """Do what stands in the menu under a number; list the goals of a piece. Raises: Refusal."""
    menu = sitting.menu
    if not 1 <= number <= len(menu):
        raise Refusal("no_choice", (), f"The menu has numbers 1 to {len(menu)}.")
    entry = menu[number - 1]
    if not entry.goals:
        sitting.act(entry.order)
    elif goal:
        if goal > len(entry.goals):
            raise Refusal("no_choice", (), f"'{number}' has goals {number}.1 to {number}.{len(entry.goals)}.")
        sitting.act(entry.goals[goal - 1].order)
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
