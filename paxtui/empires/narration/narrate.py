"""An event as a line of the log: a form of words for its kind, with the names of what it is about."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from paxtui.empires.history.asking_events import Asked
from paxtui.empires.history.event import Event
from paxtui.empires.narration import lines_land, lines_politics, lines_sea, lines_time
from paxtui.empires.narration.summary import factors_said
from paxtui.empires.state.pieces import HIDDEN, Factors
from paxtui.empires.state.questions import Question
from paxtui.empires.tables.tables import Tables
from paxtui.empires.time.calendar import month

LINES: Mapping[str, str] = {**lines_time.LINES, **lines_politics.LINES, **lines_sea.LINES, **lines_land.LINES}
"""Forms of words by the `type` of an event; `{name}` is a field, `{one.two}` a field of one, `{name?yes|no}` a choice,
with `@` in it for the field. Nothing is told of kinds with an empty one."""

QUESTIONS: Mapping[str, str] = {**lines_sea.QUESTIONS, **lines_politics.QUESTIONS, **lines_land.QUESTIONS}
"""What a Power is asked, by the kind of question; `{0}` is the first of what it is about."""

EMPTY: Mapping[str, tuple[str, str]] = {**lines_sea.EMPTY, **lines_land.EMPTY}
"""Lines for events in which a field is empty: by `type` of the event, the field and the line to tell then."""

BOX = "off_"
"""What stands before the name of a port in that of its blockade box."""

_FIELD = re.compile(r"\{([\w.]+)(?:\?([^|}]*)\|([^}]*))?\}")


def tell(tables: Tables, event: Event) -> str:
    """A line about an event; "" where there is nothing to tell."""
    tag = str(event.__struct_config__.tag)
    form = LINES.get(tag)
    if form is None:
        fields = (f"{name.replace('_', ' ')} {_said(tables, name, getattr(event, name))}" for name in _own(event))
        return f"{tag.replace('_', ' ').capitalize()}: {', '.join(fields)}."

    field, otherwise = EMPTY.get(tag, ("", ""))
    if field and not getattr(event, field):
        form = otherwise

    def put(found: re.Match[str]) -> str:
        value: Any = event
        for part in found[1].split("."):
            value = getattr(value, part)
        if found[2] is not None:
            return (found[2] if value else found[3]).replace("@", str(value))
        return _said(tables, found[1].rpartition(".")[2], value)

    if isinstance(event, Asked):
        return f"{tables.name(event.question.power)} is asked {asked(tables, event.question)}."
    line = _FIELD.sub(put, form)
    return line[:1].upper() + line[1:]


def asked(tables: Tables, question: Question) -> str:
    """What a Power is asked, as the end of a sentence."""
    about = tuple(_said(tables, "", one) for one in question.about)
    form = QUESTIONS.get(question.kind)
    if form and "{" in form and not question.about:
        form = lines_land.SECRET_QUESTIONS.get(question.kind)
    return form.format(*about) if form else f"{question.kind.replace('_', ' ')} {', '.join(about)}".strip()


def _own(event: Event) -> tuple[str, ...]:
    """The fields that belong to the kind of event itself."""
    return tuple(name for name in event.__struct_fields__ if name not in ("rules", "only"))


def _said(tables: Tables, name: str, value: Any) -> str:
    """A value as it is read."""
    if name in ("turn", "until") and isinstance(value, int):
        return month(value)
    if name == "errand":
        return lines_sea.ERRANDS[value]
    if isinstance(value, str) and value.startswith(HIDDEN):
        return f"a corps of {tables.name(value.removeprefix(HIDDEN))}"
    if isinstance(value, str) and value.removeprefix(BOX) != value:
        return f"off {_said(tables, name, value.removeprefix(BOX))}"
    if isinstance(value, str):
        known = tables.names.get(value) or tables.corps_names.get(value)
        return known or value.replace("_", " ") or "nobody"
    if isinstance(value, Factors):
        return factors_said(value)
    if isinstance(value, dict):
        pairs = (f"{_said(tables, '', key)} {_said(tables, '', one)}" for key, one in value.items())
        return ", ".join(pairs) or "nothing"
    if isinstance(value, tuple | list | frozenset):
        return ", ".join(_said(tables, "", one) for one in value) or "nothing"
    return f"{value:+d}" if name == "amount" else str(value)
