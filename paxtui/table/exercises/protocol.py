"""The methods of the engine protocol while an exercise of Empires in Arms is played (`"game": "empires"`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from paxtui.empires.history.events import BY_TAG as EVENTS
from paxtui.empires.orders.actions import BY_TAG as ACTIONS
from paxtui.empires.orders.actions import FORMS
from paxtui.empires.orders.notation import text_of
from paxtui.empires.position.view import seen
from paxtui.empires.rules_of_play import RULEBOOK
from paxtui.engine.log import FIRST_RULEBOOK
from paxtui.engine.projection import events_told, lines_told
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.engine.upcast import Raw
from paxtui.table.exercises.desk import Desk
from paxtui.table.exercises.reader import names

Params = Mapping[str, Any]


class ExerciseSession:
    """One program that drives one exercise.

    Attributes:
        desk: the exercise.
        methods: what it answers, by name.
    """

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.methods: dict[str, Callable[[Params], Raw]] = {
            "save": self._save,
            "position": self._position,
            "dice": self._dice,
            "view": self._view,
            "legal": self._legal,
            "act": self._act,
            "events": self._events,
            "schema": self._schema,
        }

    @classmethod
    def new(cls, params: Params) -> ExerciseSession:
        """An exercise at its start. Raises: Refusal `bad_params`."""
        if params.get("game") != RULEBOOK:
            raise Refusal("bad_params", (), f"'game' should be '{FIRST_RULEBOOK}' or '{RULEBOOK}'.")
        exercise, seed = params.get("exercise"), params.get("seed", 0)
        if exercise not in names():
            raise Refusal("bad_params", (), f"'exercise' should be one of: {', '.join(names())}.")
        if isinstance(seed, bool) or not isinstance(seed, int | str):
            raise Refusal("bad_params", (), "'seed' should be a number or a text.")
        game_id = sha256(f"{exercise}|{seed}".encode("utf-8", "replace")).hexdigest()[:12]
        return cls(Desk.new(str(exercise), str(seed), game_id=game_id))

    @classmethod
    def load(cls, path: Path) -> ExerciseSession:
        """An exercise as its log left it; the file is not written to. Raises: OSError, BrokenLog, TableError."""
        return cls(Desk.open(path, write=False))

    def standing(self) -> Raw:
        """Where the exercise stands."""
        desk = self.desk
        return {
            "game": RULEBOOK,
            "exercise": desk.state.exercise,
            "version": desk.version,
            "phase": desk.state.cursor.phase,
            "step": desk.state.cursor.step,
            "waiting": list(desk.waiting),
            "pending": [msgspec.to_builtins(question) for question in seen(desk.state, SPECTATOR).questions],
            "result": msgspec.to_builtins(desk.state.result),
        }

    def _save(self, params: Params) -> Raw:
        path = _text(params, "path")
        if not path or "\0" in path:
            raise Refusal("bad_params", (), "'path' should name a file.")
        self.desk.save_as(Path(path))
        return {"version": self.desk.version, "path": path}

    def _position(self, params: Params) -> Raw:
        if params.get("patch") is not None:
            raise Refusal("bad_params", (), "The position of an exercise is that of its file, and is not patched.")
        return {**msgspec.to_builtins(self.desk.state), **self.standing()}

    def _dice(self, params: Params) -> Raw:
        queue = params.get("queue")
        if not isinstance(queue, list):
            raise Refusal("bad_params", (), "'queue' should be a list of dice, 1 to 6 each.")
        self.desk.game.queue_dice(queue)
        return {"version": self.desk.version, "queue": list(self.desk.game.queue)}

    def _view(self, params: Params) -> Raw:
        seat = _text(params, "seat")
        state = self.desk.state_for(seat)
        return {**msgspec.to_builtins(state), "version": self.desk.known(seat).version, "seat": seat}

    def _legal(self, params: Params) -> Raw:
        seat = _text(params, "seat")
        acts = self.desk.legal(seat)
        return {
            "version": self.desk.known(seat).version,
            "seat": seat,
            "texts": [text_of(action) for action in acts],
            "actions": [msgspec.to_builtins(action) for action in acts],
            "forms": list(FORMS.values()),
        }

    def _act(self, params: Params) -> Raw:
        seat, text, action = _text(params, "seat"), params.get("text"), params.get("action")
        if (text is None) == (action is None):
            raise Refusal("bad_params", (), "'act' takes either 'text' or 'action'.")
        if action is not None and not isinstance(action, dict):
            raise Refusal("bad_action", (), "'action' should be an object with a 'type'.")
        known, made = self.desk.known(seat), params.get("version")
        if made is not None and made != known.version:
            raise Refusal("stale", (), f"That was for version {made}; the game is at version {known.version}.")
        line = self.desk.act(seat, _text(params, "text") if action is None else action)
        known = self.desk.known(seat)
        shown = known.lines[known.number(line.n) - 2]
        return {**self.standing(), "version": known.version, "events": events_told(shown)}

    def _events(self, params: Params) -> Raw:
        seat = _text(params, "seat") if params.get("seat") is not None else ARBITER
        since = params.get("since", 1)
        if isinstance(since, bool) or not isinstance(since, int):
            raise Refusal("bad_params", (), "'since' should be the number of a line.")
        known = self.desk.known(seat)
        return {"version": known.version, **lines_told(known.lines[max(0, since - 1) :])}

    def _schema(self, params: Params) -> Raw:
        kinds = (*ACTIONS.values(), *EVENTS.values())
        shapes, parts = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "action": {"anyOf": list(shapes[: len(ACTIONS)])},
            "event": {"anyOf": list(shapes[len(ACTIONS) :])},
            "$defs": parts,
        }


def _text(params: Params, name: str) -> str:
    """A parameter that is a text. Raises: Refusal `bad_params`."""
    value = params.get(name)
    if not isinstance(value, str):
        raise Refusal("bad_params", (), f"'{name}' should be a text" + (" and is missing." if value is None else "."))
    return value
