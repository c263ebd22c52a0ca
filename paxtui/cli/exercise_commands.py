"""Exercises on the command line: start, continue, line mode, `show` and `verify`."""

from __future__ import annotations

import os
import re
import secrets
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from shutil import get_terminal_size
from typing import TextIO

import msgspec

from paxtui.cli.plain.prompts import LEAVING, LIFT_WORD, Curtain
from paxtui.cli.runtime import CommandError, clean_line, escape_json, need_terminal
from paxtui.cli.start import play_on_screen
from paxtui.engine.refusal import Refusal
from paxtui.engine.verify import Difference
from paxtui.games.empires.game import RULES_NUMBER
from paxtui.games.empires.narration import (
    describe_event,
    describe_question,
    piece_lines,
    position_heading,
    posting_lines,
    record_lines,
    unpublished_number_lines,
)
from paxtui.games.empires.reports import area_lines, leader_lines, victory_lines
from paxtui.games.empires.tables import Tables
from paxtui.session.exercise_session import ExerciseHost, ExerciseSession
from paxtui.session.game_host import utc_now
from paxtui.session.storage.log_store import LOG_SUFFIX, save_dir
from paxtui.session.tables.exercises import exercise_names, load_exercise
from paxtui.session.verification import Verdict, newer_rules

EXERCISE_HELP = """\
Type an order, or: menu (what you may do) · a number of the menu, or 3.2 for the second goal of the third piece ·
area NAME · victory · leaders · battles · position · record · log · points · numbers (those that are ours) ·
undo · at N (look at line N) · now · help · quit"""
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

    def say(*texts: str) -> None:
        out.writelines(clean_line(text) + "\n" for text in texts)

    def pass_on(seat: str) -> str:
        """Print the news, behind a curtain for another person if necessary. Returns: the seat at the keyboard."""
        if sitting.seat != seat and curtain.watched and sitting.has_secrets_here:
            say(*curtain.fall_before(sitting.tables.name(sitting.seat), news))
        else:
            say(*news())
        return sitting.seat

    say(f"{sitting.tables.exercise.title}. {' '.join(sitting.tables.exercise.about.split())}")
    say("An exercise on a map drawn by us: procedures of the public text of Empires in Arms, not its campaign.")
    say(EXERCISE_HELP)
    seat = pass_on("")
    for line in lines:
        word = line.strip()
        if curtain.down:
            if word in LEAVING:
                break
            say(*(curtain.lift() if word.casefold() == LIFT_WORD else [curtain.asks]))
            continue
        if word == "quit":
            break
        try:
            for text in answer_line(sitting, word):
                say(text)
        except Refusal as refusal:
            say(f"No: {refusal.message} ({', '.join(refusal.rules) or refusal.code})")
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
        return f"The exercise is over: won by {', '.join(map(sitting.tables.name, state.result.winners))}."
    asks = f" (asked {describe_question(sitting.tables, state.questions[-1])})" if state.questions else ""
    step = state.cursor.step.replace("_", " ")
    return f"[{sitting.tables.name(sitting.seat)}: {state.cursor.phase} phase, {step}{asks}]"


def answer_line(sitting: ExerciseSession, word: str) -> Iterator[str]:
    """Return the answer to an input line, in lines. Raises: Refusal."""
    tables = sitting.tables
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
        yield from _choose(sitting, *map(int, word.split(".")))
    else:
        sitting.act(word)


def _choose(sitting: ExerciseSession, number: int, goal: int = 0) -> Iterator[str]:
    """Carry out the menu entry with a number, or list the goals of a piece. Raises: Refusal."""
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


def begin_exercise(
    exercise: str, bots: Sequence[str], *, seed: str = "", file: str | None = None, plain: bool, no_play: bool
) -> int:
    """Start an exercise and play it; return the exit code.

    Args: its name; bot seats; the seed of the dice, "" for a random one; the log file, None for the player's saves;
        whether to use line mode; whether to only write the log.

    Raises: CommandError, TableError, OSError.
    """
    if exercise not in exercise_names():
        raise CommandError(f"--exercise takes one of: {', '.join(exercise_names())}")
    powers = load_exercise(exercise).exercise.powers
    if set(bots) - set(powers):
        raise CommandError(f"--bot takes a Power of the exercise: {', '.join(powers)}")
    if set(bots) == set(powers):
        raise CommandError("somebody has to play: leave a seat without --bot")
    path = Path(file) if file else save_dir() / f"{exercise}-{secrets.token_hex(3)}{LOG_SUFFIX}"
    if path.suffix != LOG_SUFFIX:
        raise CommandError(f"the name of a saved game ends in {LOG_SUFFIX}, and {path} does not")
    if os.path.lexists(path):
        raise CommandError(f"{path} is there already; choose another name, or play it")
    if not (plain or no_play):
        need_terminal()
    sat = tuple(power for power in powers if power in bots)
    desk = ExerciseHost.new(exercise, seed or secrets.token_hex(8), path=path, free_undo=True, bots=sat, clock=utc_now)
    with desk:
        if no_play:
            print(path)
            return 0
        return _play_exercise(ExerciseSession(desk), plain, "new")


def resume_exercise(path: Path, *, replay: bool, plain: bool) -> int:
    """Continue an exercise, or only display it; return the exit code. Raises: as `ExerciseHost.open`."""
    if not plain:
        need_terminal()
    with ExerciseHost.open(path, write=not replay, clock=utc_now) as desk:
        return _play_exercise(ExerciseSession(desk, replay), plain, "play")


def _play_exercise(sitting: ExerciseSession, plain: bool, command: str) -> int:
    """Play in line mode or on the screen; return the exit code."""
    if plain:
        at_terminal = sys.stdin.isatty() and sys.stdout.isatty()
        curtain = Curtain(lambda: get_terminal_size().lines) if at_terminal else None
        return run_exercise_repl(sitting, sys.stdin, sys.stdout, curtain)
    from paxtui.tui.exercise.screen import ExerciseScreen

    return play_on_screen(command, only=lambda: ExerciseScreen(sitting))


def show_exercise(path: Path, seat: str, at: int | None, *, log: bool, json: bool) -> int:
    """Print a position of an exercise; return the exit code. Raises: CommandError, OSError, BrokenLog, TableError."""
    desk = ExerciseHost.open(path, write=False)
    try:
        state = desk.state_for(seat, at)
    except Refusal as refusal:
        raise CommandError(refusal.message) from None
    known = desk.known(seat)
    if json:
        print(escape_json(msgspec.json.encode({**msgspec.to_builtins(state), "seat": seat}).decode()))
        return 0
    if log:
        for line in known.lines[: None if at is None else at - 1]:
            for raw in line.events:
                text = describe_event(desk.tables, desk.event(raw))
                if text:
                    print(clean_line(f"{line.n:>5} {text}"))
        return 0
    print(f"line {known.version if at is None else at} of {known.version}")
    for text in (
        position_heading(desk.tables, state),
        *record_lines(desk.tables, state),
        *piece_lines(desk.tables, state),
    ):
        print(clean_line(text))
    for title, lines in (
        ("political points", posting_lines(desk.tables, state)),
        ("numbers of ours", unpublished_number_lines(desk.tables)),
    ):
        print(f"{title}:")
        for text in lines:
            print(clean_line(f"  {text}"))
    return 0


def check_exercise(path: Path) -> Callable[[], Verdict]:
    """Verify the log of an exercise. Raises: OSError, BrokenLog, TableError."""
    desk = ExerciseHost.open(path, write=False)
    return partial(_print_check, path, desk, [*newer_rules(desk.game.header, RULES_NUMBER), *desk.verify()])


def _print_check(path: Path, desk: ExerciseHost, found: list[Difference]) -> Verdict:
    for one in found:
        print(f"{path}: line {one.line}: {one.message}")
    acts = sum(line.kind == "act" for line in desk.game.lines)
    if desk.notice:
        print(f"{path}: warning: {desk.notice}")
    if found:
        earlier = desk.game.header.rules < RULES_NUMBER and all(one.in_act for one in found)
        return Verdict.ACTS_ALONE if earlier else Verdict.DIFFERENT
    print(f"{path}: sound; {desk.version} lines, {acts} acts, all decided alike today")
    return Verdict.SOUND
