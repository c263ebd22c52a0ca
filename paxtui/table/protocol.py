"""The engine protocol: one JSON object a line in, one a line out.

`Session.handle` takes any text and answers every time: a result, or an error with `code`, `rules` and `message`.
A refused request leaves the game as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from paxtui.bots.players import CARETAKER, sitter_named
from paxtui.engine.log import FIRST_RULEBOOK, BrokenLog
from paxtui.engine.projection import events_told, lines_told
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER
from paxtui.engine.upcast import Raw
from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from paxtui.pax.menus.forecast import sentences
from paxtui.pax.orders import actions as ac
from paxtui.pax.orders.dispatches import DISPATCH
from paxtui.pax.position.patches import dump
from paxtui.pax.position.setup import seats_for
from paxtui.pax.position.view import check_seat
from paxtui.pax.reports.foresight import foresee
from paxtui.pax.reports.foretold import told
from paxtui.pax.state.model import State
from paxtui.table.authority import Table, no_clock
from paxtui.table.disk.store import rulebook_of
from paxtui.table.exercises.protocol import ExerciseSession
from paxtui.table.reference.remedies import FILE, OF_EXERCISES, remedy_of
from paxtui.table.rivals import suggested
from paxtui.table.tables import TableError

Params = Mapping[str, Any]
Result = Raw

ANSWERED = ("version", "waiting", "pending")
"""Keys of a dumped position that are worked out anew and mean nothing in a patch."""


class EngineSession:
    """One program that drives one game at a time.

    Args:
        tables: those of new games.
        tables_dir: the directory their replacements came from, or None.

    Attributes:
        table: the game, None before the first `new` or `load`.
        closed: whether `quit` was asked for.
    """

    def __init__(self, tables: Tables, tables_dir: Path | None = None) -> None:
        self.table: Table | None = None
        self.closed = False
        self._exercise: ExerciseSession | None = None
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
        """The answer to one line, itself one line without its newline. Never raises, whatever the line is."""
        id_: Any = None
        try:
            request = _request(line)
            id_ = request.get("id")
            if isinstance(id_, list | dict):
                id_ = None
            answer: Raw = {"id": id_, "result": self._call(request)}
        except Refusal as refusal:
            remedy = remedy_of(refusal, FILE if self._exercise is None else OF_EXERCISES)
            answer = _error(id_, refusal.code, refusal.rules, refusal.message, refusal.detail, remedy)
        except FileNotFoundError as error:
            answer = _error(id_, "no_file", (), f"There is no file {error.filename or error}.")
        except (BrokenLog, TableError) as error:
            answer = _error(id_, "broken_log", (), str(error))
        except OSError as error:
            answer = _error(id_, "file", (), str(error))
        except Exception as error:  # our own mistake: told, and the game goes on from where it was
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

    def _game(self) -> Table:
        if self.table is None:
            raise Refusal("no_game", (), "There is no game yet: 'new' begins one, 'load' reads one.")
        return self.table

    # --- methods --------------------------------------------------------------------------------------------------

    def _new(self, params: Params) -> Result:
        if params.get("game", FIRST_RULEBOOK) != FIRST_RULEBOOK:
            return self._take_exercise(ExerciseSession.new(params))
        seed = params.get("seed", 0)
        if isinstance(seed, bool) or not isinstance(seed, int | str):
            raise Refusal("bad_params", (), "'seed' should be a number or a text.")
        powers = params.get("powers", list(seats_for(7)))
        if not isinstance(powers, list) or not all(isinstance(p, str) for p in powers):
            raise Refusal("bad_params", (), "'powers' should be a list of ids of Powers.")
        options = _options(params.get("options") or {})
        name = repr((str(seed), powers, sorted(options.items())))
        # the same request makes the same log, byte for byte
        game_id = sha256(name.encode("utf-8", "replace")).hexdigest()[:12]
        table = Table.new(
            self._tables, powers, str(seed), options, tables_dir=self._tables_dir, game_id=game_id, clock=no_clock
        )
        return self._take(table)

    def _load(self, params: Params) -> Result:
        path = _path(params)
        if rulebook_of(path) != FIRST_RULEBOOK:
            return self._take_exercise(ExerciseSession.load(path))
        return self._take(Table.open(path, write=False, clock=no_clock))

    def _take_exercise(self, exercise: ExerciseSession) -> Result:
        if self.table is not None:
            self.table.close()
        self.table, self._exercise = None, exercise
        return exercise.standing()

    def _take(self, table: Table) -> Result:
        if self.table is not None:
            self.table.close()
        self.table, self._exercise = table, None
        return self._standing()

    def _save(self, params: Params) -> Result:
        table, path = self._game(), _path(params)
        table.save_as(path)
        return {"version": table.version, "path": str(path)}

    def _position(self, params: Params) -> Result:
        table = self._game()
        patch = params.get("patch")
        if patch is None:
            return {**dump(table.state), **self._standing()}
        if not isinstance(patch, dict):
            raise Refusal("bad_params", (), "'patch' should be an object.")
        table.act(ARBITER, ac.SetPosition({k: v for k, v in patch.items() if k not in ANSWERED}))
        return self._standing()

    def _dice(self, params: Params) -> Result:
        game = self._game().game
        queue = params.get("queue")
        if not isinstance(queue, list):
            raise Refusal("bad_params", (), "'queue' should be a list of dice, 1 to 6 each.")
        game.queue_dice(queue)
        return {"version": game.version, "queue": list(game.queue)}

    def _view(self, params: Params) -> Result:
        return self._game().view(_text(params, "seat"))

    def _legal(self, params: Params) -> Result:
        table, seat = self._game(), _text(params, "seat")
        menu = table.legal(seat)
        answer: Result = {
            "version": table.version_for(seat), "seat": seat, "texts": list(menu.texts()), **menu.grammar()
        }  # fmt: skip
        asked = params.get("foresee")
        if asked is not None:
            answer["foresight"] = self._foreseen(seat, asked)
        return answer

    def _foreseen(self, seat: str, asked: Any) -> Result:
        """What orders would bring, by their texts. Raises: Refusal `bad_params`."""
        if not isinstance(asked, list) or not all(isinstance(text, str) for text in asked):
            raise Refusal("bad_params", (), "'foresee' should be a list of orders as texts.")
        table = self._game()
        state = table.state_for(seat)
        return {text: _foresight(table, state, seat, text) for text in asked}

    def _forecast(self, params: Params) -> Result:
        table, seat = self._game(), _text(params, "seat")
        check_seat(table.state, seat)
        told = table.forecast(seat, _asked(params))
        text = sentences(table.tables, told)
        return {"version": table.version_for(seat), "seat": seat, **msgspec.to_builtins(told), "text": text}

    def _suggest(self, params: Params) -> Result:
        table, seat, bot = self._game(), _text(params, "seat"), params.get("bot", CARETAKER)
        try:
            sitter_named(bot)
        except (AttributeError, ValueError) as error:
            raise Refusal("bad_params", (), f"'bot' names no bot: {error}.") from None
        if seat not in table.state.players:
            seats = ", ".join(table.state.players)
            raise Refusal("unknown_seat", (), f"A bot suggests acts for a seat of a player only: {seats}.")
        acts = suggested(table, seat, bot)
        return {
            "version": table.version_for(seat),
            "seat": seat,
            "bot": bot,
            "acts": [{"text": act.text, "why": act.why} for act in acts],
        }

    def _act(self, params: Params) -> Result:
        table, seat = self._game(), _text(params, "seat")
        check_seat(table.state, seat)
        asked = _asked(params)
        made = params.get("version")
        version = table.version_for(seat)
        if made is not None and made != version:
            raise Refusal("stale", (), f"That was for version {made}; the game is at version {version}.")
        line, _ = table.act(seat, asked)
        known = table.known(seat)
        line = known.lines[known.number(line.n) - 2]
        answer: Result = {
            "version": known.version,
            "events": events_told(line),
            "waiting": list(table.waiting),
            "pending": table.pending_known(seat),
        }
        if line.kind == "note":
            answer["sent" if line.action.get("type") == DISPATCH else "asked"] = line.action
        return answer

    def _events(self, params: Params) -> Result:
        table = self._game()
        seat = _text(params, "seat") if params.get("seat") is not None else ARBITER
        since = params.get("since", 1)
        if isinstance(since, bool) or not isinstance(since, int):
            raise Refusal("bad_params", (), "'since' should be the number of a line.")
        return {"version": table.version_for(seat), **lines_told(table.lines_for(seat)[max(0, since - 1) :])}

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
    """JSON Schema of every action and every event: `action` and `event`, with their parts in `$defs`."""
    (action, event), parts = msgspec.json.schema_components(
        (ac.AnyAction, ev.AnyEvent), ref_template="#/$defs/{name}"
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "action": action,
        "event": event,
        "$defs": parts,
    }


def _foresight(table: Table, state: State, seat: str, text: str) -> Result:
    """What an order would bring as the seat may know it, in figures and in sentences; or its refusal."""
    try:
        order = table.read(text)
        if not isinstance(order, ac.Action):
            raise Refusal("bad_params", (), "What goes back or on in time has no prospects.")
        seen = foresee(table.tables, state, seat, order)
    except Refusal as refusal:
        seen = refusal
    if isinstance(seen, Refusal):
        return {"refused": {"code": seen.code, "rules": list(seen.rules), "message": seen.message}}
    raw: Result = msgspec.to_builtins(seen)
    return {**raw, "says": [line.text for line in told(table.tables, state, seat, seen)]}


# --- words ------------------------------------------------------------------------------------------------------------


def _request(line: str) -> Raw:
    """The object in a line. Raises: Refusal `bad_json`, `bad_request`."""
    try:
        request = msgspec.json.decode(line.encode("utf-8"))
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise Refusal("bad_json", (), f"This line is no JSON: {error}.") from None
    if not isinstance(request, dict):
        raise Refusal("bad_request", (), "A request is an object with 'id', 'method' and 'params'.")
    return request


def _text(params: Params, name: str) -> str:
    """A parameter that is a text. Raises: Refusal `bad_params`."""
    value = params.get(name)
    if not isinstance(value, str):
        raise Refusal("bad_params", (), f"'{name}' should be a text" + (" and is missing." if value is None else "."))
    return value


def _asked(params: Params) -> str | Raw:
    """What an `act` asks for: a text or a structured action. Raises: Refusal `bad_params`, `bad_action`."""
    text, action = params.get("text"), params.get("action")
    if (text is None) == (action is None):
        raise Refusal("bad_params", (), "'act' takes either 'text' or 'action'.")
    if action is None:
        return _text(params, "text")
    if not isinstance(action, dict):
        raise Refusal("bad_action", (), "'action' should be an object with a 'type'.")
    return action


def _path(params: Params) -> Path:
    """The parameter `path`. Raises: Refusal `bad_params`."""
    path = _text(params, "path")
    if not path or "\0" in path:
        raise Refusal("bad_params", (), "'path' should name a file.")
    return Path(path)


def _options(given: Any) -> dict[str, str]:
    """Options as texts; true and false stand for yes and no. Raises: Refusal `bad_params`."""
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
    """An answer as JSON; what cannot be written is told as a mistake of the program."""
    try:
        return msgspec.json.encode(answer).decode()
    except (TypeError, ValueError, RecursionError, OverflowError) as error:
        failed = _error(None, "internal", (), f"The answer cannot be written: {type(error).__name__}.")
        return msgspec.json.encode(failed).decode()
