"""Lines for what is said, those that are known, and looking one up."""

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
from paxtui.games.pax.narration.narrator import describe_event

HERE = Path(__file__).parent
REFUSALS, QUESTIONS, EVENTS, TOLD = FILES = ("refusals", "questions", "events", "told")

WRITES = "PAXTUI_SAID"
"""The directory in which every process writes down what it hears, named in the environment while lines are recorded."""

WORDS = frozenset(
    {
        "cause", "code", "column", "duty", "effect", "lapses", "note", "outcome", "reason", "result", "stage", "step",
        "table", "test", "text", "what", "why",
    }
)  # fmt: skip
"""Fields of events that are words of the rules; the others are names, pieces and figures."""

_heard: dict[str, set[str]] = {name: set() for name in FILES}
_seen: set[bytes] = set()


class Unheard(AssertionError):
    """Something is said that stands in none of the files."""


@cache
def known(name: str) -> frozenset[str]:
    """The lines of a file."""
    return frozenset((HERE / f"{name}.tsv").read_text("utf-8").split("\n"))


def look_up(name: str, line: str) -> None:
    """Look a line up, or write it down while lines are recorded. Raises: Unheard."""
    line = line.replace("\n", " / ")
    if os.environ.get(WRITES):
        _heard[name].add(line)
    elif line not in known(name):
        nearest = [f"-{near}" for near in get_close_matches(line, known(name), 1)]
        test = os.environ.get("PYTEST_CURRENT_TEST", "FILE").partition("::")[0]
        said = "\n".join([f"not in tests/rules/said/{name}.tsv:", *nearest, f"+{line}"])
        raise Unheard(f"{said}\nIf the change is intended: python -m tests.rules.said {test}")


def heard(tables: Tables, event: events.Event) -> None:
    """Look up what an event says, and how it is told. Raises: Unheard."""
    raw = msgspec.json.encode(event)
    if raw in _seen or isinstance(event, events.PositionSet):
        return
    if isinstance(event, events.ChoiceOffered):
        look_up(QUESTIONS, question_line(tables, event))
    else:
        look_up(EVENTS, event_line(event))
        look_up(TOLD, told_line(tables, event))
    _seen.add(raw)


def refused(refusal: Refusal) -> None:
    """Look up what a refusal says. Raises: Unheard."""
    look_up(REFUSALS, refusal_line(refusal))


def write_down(directory: Path) -> None:
    """Write what this process has heard into files of its own."""
    for name, lines in _heard.items():
        (directory / f"{name}.{os.getpid()}").write_text("".join(f"{line}\n" for line in sorted(lines)), "utf-8")


def refusal_line(refusal: Refusal) -> str:
    """Code, rules, sentence, and what a program is told besides."""
    return "\t".join((refusal.code, " ".join(refusal.rules), refusal.message, _json(refusal.detail)))


def question_line(tables: Tables, event: events.ChoiceOffered) -> str:
    """Who is asked what kind of question, where, its words, the answers, the rules, and how all that is read out."""
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
    """The kind of an event, whether it is secret, its rules and its words."""
    kind = type(event)
    told = ((name, getattr(event, name)) for name in _words_of(kind))
    words = [f"{name} {value}" for name, value in told if value and isinstance(value, str | bool)]
    return "\t".join((kind_of(event), _secret(event), " ".join(event.rules), *words))


def told_line(tables: Tables, event: events.Event) -> str:
    """The kind of an event, and how it is told, without figures."""
    told = re.sub(r"\d+", "#", describe_event(tables, event) or "")
    return f"{kind_of(event)}\t{told}"


def kinds_in_tests_of_rules() -> frozenset[str]:
    """Return the kinds of events in the tests of rules. Each is encoded, decoded, carried out and described there."""
    return frozenset(line.partition("\t")[0] for line in known(TOLD))


def kind_of(event: events.Event) -> str:
    """Return the type of an event in a log."""
    return kind_of_type(type(event))


def kind_of_type(kind: type[events.Event]) -> str:
    """Return the type of a kind of event in a log."""
    return str(kind.__struct_config__.tag)


@cache
def _words_of(kind: type[events.Event]) -> tuple[str, ...]:
    """Fields of a kind of event that are words, and those that say whether."""
    return tuple(field.name for field in msgspec.structs.fields(kind) if field.name in WORDS or field.type is bool)


def _secret(event: events.Event) -> str:
    """For how many seats it is, "" for all of them."""
    return f"for {len(event.only)}" if event.only else ""


def _texts(answer: str | tuple[str, ...]) -> tuple[str, ...]:
    return (answer,) if isinstance(answer, str) else answer


def _answer(answer: str | tuple[str, ...]) -> str:
    return " + ".join(_texts(answer)) or "-"


def _json(value: Any) -> str:
    text = json.dumps(msgspec.to_builtins(value), ensure_ascii=False, sort_keys=True)
    return "" if text == "{}" else text
