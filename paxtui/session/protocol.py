"""The engine protocol: one JSON object per line in, one per line out.

`EngineSession.handle` accepts any text and always answers: with a result, or with an error with `code`, `rules` and
`message`. A refused request changes nothing. `ExerciseProtocol` has the methods for exercises (`"game": "empires"`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from paxtui.bots.pax.registry import CARETAKER, parse_bot_name
from paxtui.engine.log import FIRST_RULEBOOK, BrokenLog
from paxtui.engine.projection import encode_events, encode_lines
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.engine.upcast import Raw
from paxtui.games.empires.events.registry import EVENTS_BY_TAG
from paxtui.games.empires.game import RULEBOOK
from paxtui.games.empires.orders import ACTION_FORMS, ACTIONS_BY_TAG, action_text
from paxtui.games.empires.position import seat_view
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.dispatches import DISPATCH
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.events import events
from paxtui.games.pax.position.setup import seats_for
from paxtui.games.pax.position.view import check_seat
from paxtui.games.pax.position.writer import dump_position
from paxtui.games.pax.preview.dry_run import describe_forecast
from paxtui.games.pax.preview.preview import describe_preview, preview_action
from paxtui.games.pax.state.model import State
from paxtui.session.bot_runner import suggest_orders
from paxtui.session.exercise_session import ExerciseHost
from paxtui.session.game_host import empty_clock
from paxtui.session.pax_host import PaxHost
from paxtui.session.reference import EXERCISE_REMEDIES_FILE, REMEDIES_FILE, remedy_of
from paxtui.session.storage.log_store import rulebook_of
from paxtui.session.tables.exercises import exercise_names
from paxtui.session.tables.records import TableError

ExerciseParams = Mapping[str, Any]


class ExerciseProtocol:
    """The methods for one exercise.

    Attributes:
        desk: the exercise.
        methods: the methods by name.
    """

    def __init__(self, desk: ExerciseHost) -> None:
        self.desk = desk
        self.methods: dict[str, Callable[[ExerciseParams], Raw]] = {
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
    def new(cls, params: ExerciseParams) -> ExerciseProtocol:
        """Start an exercise. Raises: Refusal `bad_params`."""
        if params.get("game") != RULEBOOK:
            raise Refusal("bad_params", (), f"'game' should be '{FIRST_RULEBOOK}' or '{RULEBOOK}'.")
        exercise, seed = params.get("exercise"), params.get("seed", 0)
        if exercise not in exercise_names():
            raise Refusal("bad_params", (), f"'exercise' should be one of: {', '.join(exercise_names())}.")
        if isinstance(seed, bool) or not isinstance(seed, int | str):
            raise Refusal("bad_params", (), "'seed' should be a number or a text.")
        game_id = sha256(f"{exercise}|{seed}".encode("utf-8", "replace")).hexdigest()[:12]
        return cls(ExerciseHost.new(str(exercise), str(seed), game_id=game_id))

    @classmethod
    def load(cls, path: Path) -> ExerciseProtocol:
        """Load an exercise from its log, read-only. Raises: OSError, BrokenLog, TableError."""
        return cls(ExerciseHost.open(path, write=False))

    def standing(self) -> Raw:
        """Return the state of the exercise."""
        desk = self.desk
        return {
            "game": RULEBOOK,
            "exercise": desk.state.exercise,
            "version": desk.version,
            "phase": desk.state.cursor.phase,
            "step": desk.state.cursor.step,
            "waiting": list(desk.waiting),
            "pending": [msgspec.to_builtins(question) for question in seat_view(desk.state, SPECTATOR).questions],
            "result": msgspec.to_builtins(desk.state.result),
        }

    def _save(self, params: ExerciseParams) -> Raw:
        path = _exercise_text_param(params, "path")
        if not path or "\0" in path:
            raise Refusal("bad_params", (), "'path' should name a file.")
        self.desk.save_as(Path(path))
        return {"version": self.desk.version, "path": path}

    def _position(self, params: ExerciseParams) -> Raw:
        if params.get("patch") is not None:
            raise Refusal("bad_params", (), "The position of an exercise is that of its file, and is not patched.")
        return {**msgspec.to_builtins(self.desk.state), **self.standing()}

    def _dice(self, params: ExerciseParams) -> Raw:
        queue = params.get("queue")
        if not isinstance(queue, list):
            raise Refusal("bad_params", (), "'queue' should be a list of dice, 1 to 6 each.")
        self.desk.game.queue_dice(queue)
        return {"version": self.desk.version, "queue": list(self.desk.game.queue)}

    def _view(self, params: ExerciseParams) -> Raw:
        seat = _exercise_text_param(params, "seat")
        state = self.desk.state_for(seat)
        return {**msgspec.to_builtins(state), "version": self.desk.known(seat).version, "seat": seat}

    def _legal(self, params: ExerciseParams) -> Raw:
        seat = _exercise_text_param(params, "seat")
        acts = self.desk.legal(seat)
        return {
            "version": self.desk.known(seat).version,
            "seat": seat,
            "texts": [action_text(action) for action in acts],
            "actions": [msgspec.to_builtins(action) for action in acts],
            "forms": list(ACTION_FORMS.values()),
        }

    def _act(self, params: ExerciseParams) -> Raw:
        seat, text, action = _exercise_text_param(params, "seat"), params.get("text"), params.get("action")
        if (text is None) == (action is None):
            raise Refusal("bad_params", (), "'act' takes either 'text' or 'action'.")
        if action is not None and not isinstance(action, dict):
            raise Refusal("bad_action", (), "'action' should be an object with a 'type'.")
        known, made = self.desk.known(seat), params.get("version")
        if made is not None and made != known.version:
            raise Refusal("stale", (), f"That was for version {made}; the game is at version {known.version}.")
        line = self.desk.act(seat, _exercise_text_param(params, "text") if action is None else action)
        known = self.desk.known(seat)
        shown = known.lines[known.number(line.n) - 2]
        return {**self.standing(), "version": known.version, "events": encode_events(shown)}

    def _events(self, params: ExerciseParams) -> Raw:
        seat = _exercise_text_param(params, "seat") if params.get("seat") is not None else ARBITER
        since = params.get("since", 1)
        if isinstance(since, bool) or not isinstance(since, int):
            raise Refusal("bad_params", (), "'since' should be the number of a line.")
        known = self.desk.known(seat)
        return {"version": known.version, **encode_lines(known.lines[max(0, since - 1) :])}

    def _schema(self, params: ExerciseParams) -> Raw:
        kinds = (*ACTIONS_BY_TAG.values(), *EVENTS_BY_TAG.values())
        shapes, parts = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "action": {"anyOf": list(shapes[: len(ACTIONS_BY_TAG)])},
            "event": {"anyOf": list(shapes[len(ACTIONS_BY_TAG) :])},
            "$defs": parts,
        }


def _exercise_text_param(params: ExerciseParams, name: str) -> str:
    value = params.get(name)
    if not isinstance(value, str):
        raise Refusal("bad_params", (), f"'{name}' should be a text" + (" and is missing." if value is None else "."))
    return value


Params = Mapping[str, Any]
Result = Raw

DERIVED_KEYS = ("version", "waiting", "pending")
"""Derived keys of a dumped position, which are ignored in a patch."""


class EngineSession:
    """An engine session with one game at a time.

    Args:
        tables: those of new games.
        tables_dir: the directory of their replacements, or None.

    Attributes:
        table: the game, None before the first `new` or `load`.
        closed: whether `quit` was requested.
    """

    def __init__(self, tables: Tables, tables_dir: Path | None = None) -> None:
        self.table: PaxHost | None = None
        self.closed = False
        self._exercise: ExerciseProtocol | None = None
        self._tables = tables
        self._tables_dir = tables_dir
        self._methods: dict[str, Callable[[Params], Result]] = {
            "new": self._new,
            "load": self._load,
            "save": self._save,
            "position": self._position,
            "dice": self._dice,
            "view": self._view,
            "legal": self._legal,
            "suggest": self._suggest,
            "forecast": self._forecast,
            "act": self._act,
            "events": self._events,
            "schema": self._schema,
            "quit": self._quit,
        }

    def handle(self, line: str) -> str:
        """Answer one line with one line, without its newline. Never raises."""
        id_: Any = None
        try:
            request = _request(line)
            id_ = request.get("id")
            if isinstance(id_, list | dict):
                id_ = None
            answer: Raw = {"id": id_, "result": self._call(request)}
        except Refusal as refusal:
            remedy = remedy_of(refusal, REMEDIES_FILE if self._exercise is None else EXERCISE_REMEDIES_FILE)
            answer = _error(id_, refusal.code, refusal.rules, refusal.message, refusal.detail, remedy)
        except FileNotFoundError as error:
            answer = _error(id_, "no_file", (), f"There is no file {error.filename or error}.")
        except (BrokenLog, TableError) as error:
            answer = _error(id_, "broken_log", (), str(error))
        except OSError as error:
            answer = _error(id_, "file", (), str(error))
        except Exception as error:  # internal error: reported, and the game continues unchanged
            answer = _error(id_, "internal", (), f"A mistake of the program: {type(error).__name__}: {error}")
        return _encoded(answer)

    def _call(self, request: Params) -> Result:
        name = request.get("method")
        methods = self._methods if self._exercise is None else {**self._methods, **self._exercise.methods}
        method = methods.get(name) if isinstance(name, str) else None
        if method is None:
            raise Refusal("unknown_method", (), f"There is no method {name!r}; there are {', '.join(self._methods)}.")
        params = request.get("params")
        if params is None:
            params = {}
        if not isinstance(params, dict):
            raise Refusal("bad_params", (), "'params' should be an object.")
        return method(params)

    def _game(self) -> PaxHost:
        if self.table is None:
            raise Refusal("no_game", (), "There is no game yet: 'new' begins one, 'load' reads one.")
        return self.table

    # --- methods --------------------------------------------------------------------------------------------------

    def _new(self, params: Params) -> Result:
        if params.get("game", FIRST_RULEBOOK) != FIRST_RULEBOOK:
            return self._take_exercise(ExerciseProtocol.new(params))
        seed = params.get("seed", 0)
        if isinstance(seed, bool) or not isinstance(seed, int | str):
            raise Refusal("bad_params", (), "'seed' should be a number or a text.")
        powers = params.get("powers", list(seats_for(7)))
        if not isinstance(powers, list) or not all(isinstance(p, str) for p in powers):
            raise Refusal("bad_params", (), "'powers' should be a list of ids of Powers.")
        options = _options_param(params.get("options") or {})
        name = repr((str(seed), powers, sorted(options.items())))
        # reproducible: the same request gives the same log
        game_id = sha256(name.encode("utf-8", "replace")).hexdigest()[:12]
        table = PaxHost.new(
            self._tables, powers, str(seed), options, tables_dir=self._tables_dir, game_id=game_id, clock=empty_clock
        )
        return self._take(table)

    def _load(self, params: Params) -> Result:
        path = _path_param(params)
        if rulebook_of(path) != FIRST_RULEBOOK:
            return self._take_exercise(ExerciseProtocol.load(path))
        return self._take(PaxHost.open(path, write=False, clock=empty_clock))

    def _take_exercise(self, exercise: ExerciseProtocol) -> Result:
        if self.table is not None:
            self.table.close()
        self.table, self._exercise = None, exercise
        return exercise.standing()

    def _take(self, table: PaxHost) -> Result:
        if self.table is not None:
            self.table.close()
        self.table, self._exercise = table, None
        return self._standing()

    def _save(self, params: Params) -> Result:
        table, path = self._game(), _path_param(params)
        table.save_as(path)
        return {"version": table.version, "path": str(path)}

    def _position(self, params: Params) -> Result:
        table = self._game()
        patch = params.get("patch")
        if patch is None:
            return {**dump_position(table.state), **self._standing()}
        if not isinstance(patch, dict):
            raise Refusal("bad_params", (), "'patch' should be an object.")
        table.act(ARBITER, actions.SetPosition({k: v for k, v in patch.items() if k not in DERIVED_KEYS}))
        return self._standing()

    def _dice(self, params: Params) -> Result:
        game = self._game().game
        queue = params.get("queue")
        if not isinstance(queue, list):
            raise Refusal("bad_params", (), "'queue' should be a list of dice, 1 to 6 each.")
        game.queue_dice(queue)
        return {"version": game.version, "queue": list(game.queue)}

    def _view(self, params: Params) -> Result:
        return self._game().view(_text_param(params, "seat"))

    def _legal(self, params: Params) -> Result:
        table, seat = self._game(), _text_param(params, "seat")
        menu = table.legal(seat)
        answer: Result = {
            "version": table.version_for(seat), "seat": seat, "texts": list(menu.texts()), **menu.grammar()
        }  # fmt: skip
        asked = params.get("foresee")
        if asked is not None:
            answer["foresight"] = self._previews(seat, asked)
        return answer

    def _previews(self, seat: str, asked: Any) -> Result:
        """Return the effects of orders, by their texts. Raises: Refusal `bad_params`."""
        if not isinstance(asked, list) or not all(isinstance(text, str) for text in asked):
            raise Refusal("bad_params", (), "'foresee' should be a list of orders as texts.")
        table = self._game()
        state = table.state_for(seat)
        return {text: _order_preview(table, state, seat, text) for text in asked}

    def _forecast(self, params: Params) -> Result:
        table, seat = self._game(), _text_param(params, "seat")
        check_seat(table.state, seat)
        told = table.forecast(seat, _order_param(params))
        text = describe_forecast(table.tables, told)
        return {"version": table.version_for(seat), "seat": seat, **msgspec.to_builtins(told), "text": text}

    def _suggest(self, params: Params) -> Result:
        table, seat, bot = self._game(), _text_param(params, "seat"), params.get("bot", CARETAKER)
        try:
            parse_bot_name(bot)
        except (AttributeError, ValueError) as error:
            raise Refusal("bad_params", (), f"'bot' names no bot: {error}.") from None
        if seat not in table.state.players:
            seats = ", ".join(table.state.players)
            raise Refusal("unknown_seat", (), f"A bot suggests acts for a seat of a player only: {seats}.")
        acts = suggest_orders(table, seat, bot)
        return {
            "version": table.version_for(seat),
            "seat": seat,
            "bot": bot,
            "acts": [{"text": act.text, "why": act.why} for act in acts],
        }

    def _act(self, params: Params) -> Result:
        table, seat = self._game(), _text_param(params, "seat")
        check_seat(table.state, seat)
        asked = _order_param(params)
        made = params.get("version")
        version = table.version_for(seat)
        if made is not None and made != version:
            raise Refusal("stale", (), f"That was for version {made}; the game is at version {version}.")
        line, _ = table.act(seat, asked)
        known = table.known(seat)
        line = known.lines[known.number(line.n) - 2]
        answer: Result = {
            "version": known.version,
            "events": encode_events(line),
            "waiting": list(table.waiting),
            "pending": table.pending_known(seat),
        }
        if line.kind == "note":
            answer["sent" if line.action.get("type") == DISPATCH else "asked"] = line.action
        return answer

    def _events(self, params: Params) -> Result:
        table = self._game()
        seat = _text_param(params, "seat") if params.get("seat") is not None else ARBITER
        since = params.get("since", 1)
        if isinstance(since, bool) or not isinstance(since, int):
            raise Refusal("bad_params", (), "'since' should be the number of a line.")
        return {"version": table.version_for(seat), **encode_lines(table.lines_for(seat)[max(0, since - 1) :])}

    def _schema(self, params: Params) -> Result:
        return schema()

    def _quit(self, params: Params) -> Result:
        if self.table is not None:
            self.table.close()
        self.closed = True
        return {}

    def _standing(self) -> Result:
        table = self._game()
        return {
            "version": table.version,
            "phase": table.state.phase,
            "waiting": list(table.waiting),
            "pending": table.pending(),
        }


def schema() -> Result:
    """Return the JSON Schema of all actions and events: `action` and `event`, with their parts in `$defs`."""
    (action, event), parts = msgspec.json.schema_components(
        (actions.AnyAction, events.AnyEvent), ref_template="#/$defs/{name}"
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "action": action,
        "event": event,
        "$defs": parts,
    }


def _order_preview(table: PaxHost, state: State, seat: str, text: str) -> Result:
    """Return the effects of an order as the seat may know them, in figures and sentences; or its refusal."""
    try:
        order = table.read(text)
        if not isinstance(order, actions.Action):
            raise Refusal("bad_params", (), "What goes back or on in time has no prospects.")
        seen = preview_action(table.tables, state, seat, order)
    except Refusal as refusal:
        seen = refusal
    if isinstance(seen, Refusal):
        return {"refused": {"code": seen.code, "rules": list(seen.rules), "message": seen.message}}
    raw: Result = msgspec.to_builtins(seen)
    return {**raw, "says": [line.text for line in describe_preview(table.tables, state, seat, seen)]}


# --- words ------------------------------------------------------------------------------------------------------------


def _request(line: str) -> Raw:
    """Parse a line. Raises: Refusal `bad_json`, `bad_request`."""
    try:
        request = msgspec.json.decode(line.encode("utf-8"))
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise Refusal("bad_json", (), f"This line is no JSON: {error}.") from None
    if not isinstance(request, dict):
        raise Refusal("bad_request", (), "A request is an object with 'id', 'method' and 'params'.")
    return request


def _text_param(params: Params, name: str) -> str:
    value = params.get(name)
    if not isinstance(value, str):
        raise Refusal("bad_params", (), f"'{name}' should be a text" + (" and is missing." if value is None else "."))
    return value


def _order_param(params: Params) -> str | Raw:
    """Return the order of an `act`: text or structured action. Raises: Refusal `bad_params`, `bad_action`."""
    text, action = params.get("text"), params.get("action")
    if (text is None) == (action is None):
        raise Refusal("bad_params", (), "'act' takes either 'text' or 'action'.")
    if action is None:
        return _text_param(params, "text")
    if not isinstance(action, dict):
        raise Refusal("bad_action", (), "'action' should be an object with a 'type'.")
    return action


def _path_param(params: Params) -> Path:
    path = _text_param(params, "path")
    if not path or "\0" in path:
        raise Refusal("bad_params", (), "'path' should name a file.")
    return Path(path)


def _options_param(given: Any) -> dict[str, str]:
    """Return options as texts; true and false become yes and no. Raises: Refusal `bad_params`."""
    if not isinstance(given, dict):
        raise Refusal("bad_params", (), "'options' should be an object of names and values.")
    out: dict[str, str] = {}
    for name, value in given.items():
        if isinstance(value, bool):
            value = "yes" if value else "no"
        if not isinstance(value, int | str):
            raise Refusal("bad_params", (), f"Option {name} should have a text as its value.")
        out[name] = str(value)
    return out


def _error(
    id_: Any, code: str, rules: tuple[str, ...], message: str, detail: Any = None, remedy: str = ""
) -> Raw:
    error: Raw = {"code": code, "rules": list(rules), "message": message}
    if remedy:
        error["remedy"] = remedy
    if detail:
        error["detail"] = detail
        if "problems" in detail:
            error["problems"] = detail["problems"]
    return {"id": id_, "error": error}


def _encoded(answer: Raw) -> str:
    """Encode an answer as JSON; report a value that cannot be encoded as an internal error."""
    try:
        return msgspec.json.encode(answer).decode()
    except (TypeError, ValueError, RecursionError, OverflowError) as error:
        failed = _error(None, "internal", (), f"The answer cannot be written: {type(error).__name__}.")
        return msgspec.json.encode(failed).decode()
