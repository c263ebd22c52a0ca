"""Texts of the engine as lines, and the comparison with the recorded lines."""

from __future__ import annotations

import json
import os
import re
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.events import events
from paxtui.games.pax.narration.labels import describe_answer, describe_question, question_summary
from paxtui.games.pax.narration.narrator import Narrator

HERE = Path(__file__).parent
REFUSALS, QUESTIONS, EVENTS, DESCRIPTIONS = FILES = ("refusals", "questions", "events", "descriptions")

DIRECTORY_VARIABLE = "PAXTUI_COLLECTED_TEXTS"
"""Environment variable with the directory for the lines of each process, set while lines are recorded."""

WORDS = frozenset(
    {
        "cause", "code", "column", "duty", "effect", "lapses", "note", "outcome", "reason", "result", "stage", "step",
        "table", "test", "text", "what", "why",
    }
)  # fmt: skip
"""Fields of events that contain words of the rules; other fields are names, pieces and figures."""

_collected: dict[str, set[str]] = {name: set() for name in FILES}
_seen: set[bytes] = set()


class UnrecordedTextError(AssertionError):
    """A text is in none of the files."""


@cache
def recorded_lines(name: str) -> frozenset[str]:
    """Return the lines of a file."""
    return frozenset((HERE / f"{name}.tsv").read_text("utf-8").split("\n"))


def look_up(name: str, line: str) -> None:
    """Look a line up, or collect it while lines are recorded. Raises: UnrecordedTextError."""
    line = line.replace("\n", " / ")
    if os.environ.get(DIRECTORY_VARIABLE):
        _collected[name].add(line)
    elif line not in recorded_lines(name):
        nearest = [f"-{near}" for near in get_close_matches(line, recorded_lines(name), 1)]
        test = os.environ.get("PYTEST_CURRENT_TEST", "FILE").partition("::")[0]
        text = "\n".join([f"not in tests/rules/recorded_texts/{name}.tsv:", *nearest, f"+{line}"])
        raise UnrecordedTextError(f"{text}\nIf the change is intended: python -m tests.rules.recorded_texts {test}")


def check_event(tables: Tables, event: events.Event) -> None:
    """Look up the words and the description of an event. Raises: UnrecordedTextError."""
    raw = msgspec.json.encode(event)
    if raw in _seen or isinstance(event, events.PositionSet):
        return
    if isinstance(event, events.ChoiceOffered):
        look_up(QUESTIONS, question_line(tables, event))
    else:
        look_up(EVENTS, event_line(event))
        look_up(DESCRIPTIONS, description_line(tables, event))
    _seen.add(raw)


def check_refusal(refusal: Refusal) -> None:
    """Look up the text of a refusal. Raises: UnrecordedTextError."""
    look_up(REFUSALS, refusal_line(refusal))


def write_collected(directory: Path) -> None:
    """Write the lines of this process into files of its own."""
    for name, lines in _collected.items():
        (directory / f"{name}.{os.getpid()}").write_text("".join(f"{line}\n" for line in sorted(lines)), "utf-8")


def refusal_line(refusal: Refusal) -> str:
    """Return code, rules, message and details of a refusal."""
    return "\t".join((refusal.code, " ".join(refusal.rules), refusal.message, _json(refusal.detail)))


def question_line(tables: Tables, event: events.ChoiceOffered) -> str:
    """Return a question: kind, seat, Area, words, answers, rules, and the displayed text."""
    choice = event.choice
    answers = ", ".join(f"{_answer(one)} ({describe_answer(tables, choice, _texts(one))})" for one in choice.options)
    return "\t".join(
        (
            choice.kind, choice.seat, choice.power, choice.area, _json(choice.about), choice.prompt, answers,
            _answer(choice.default), " ".join(choice.rules), _secret(event), describe_question(tables, choice),
            question_summary(tables, choice),
        )
    )  # fmt: skip


def event_line(event: events.Event) -> str:
    """Return the kind of an event, its secrecy, its rules and its words."""
    kind = type(event)
    values = ((name, getattr(event, name)) for name in _words_of(kind))
    words = [f"{name} {value}" for name, value in values if value and isinstance(value, str | bool)]
    return "\t".join((kind_of(event), _secret(event), " ".join(event.rules), *words))


def description_line(tables: Tables, event: events.Event) -> str:
    """Return the kind of an event and its description, without figures."""
    text = re.sub(r"\d+", "#", Narrator(tables).tell(event) or "")
    return f"{kind_of(event)}\t{text}"


def event_kinds_in_rule_tests() -> frozenset[str]:
    """Return the kinds of events in the tests of rules. Each is encoded, decoded, carried out and described there."""
    return frozenset(line.partition("\t")[0] for line in recorded_lines(DESCRIPTIONS))


def kind_of(event: events.Event) -> str:
    """Return the type of an event in a log."""
    return kind_of_type(type(event))


def kind_of_type(kind: type[events.Event]) -> str:
    """Return the type of a kind of event in a log."""
    return str(kind.__struct_config__.tag)


@cache
def _words_of(kind: type[events.Event]) -> tuple[str, ...]:
    """Return the fields of a kind of event that are words or booleans."""
    return tuple(field.name for field in msgspec.structs.fields(kind) if field.name in WORDS or field.type is bool)


def _secret(event: events.Event) -> str:
    """Return the number of seats that see the event, "" for all."""
    return f"for {len(event.only)}" if event.only else ""


def _texts(answer: str | tuple[str, ...]) -> tuple[str, ...]:
    return (answer,) if isinstance(answer, str) else answer


def _answer(answer: str | tuple[str, ...]) -> str:
    return " + ".join(_texts(answer)) or "-"


def _json(value: Any) -> str:
    text = json.dumps(msgspec.to_builtins(value), ensure_ascii=False, sort_keys=True)
    return "" if text == "{}" else text
