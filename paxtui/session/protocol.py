"""The engine protocol: one JSON object per line in, one per line out.

`EngineSession.handle` accepts any text and always answers: with a result, or with an error with `code`, `rules` and
`message`. A refused request changes nothing. Methods and answers are the same for every game; only `forecast` and
`foresee` are for games of Pax Britannica.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from paxtui.engine.log import FIRST_RULEBOOK, UNDO_REQUEST, BrokenLog
from paxtui.engine.projection import encode_events, encode_lines
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER
from paxtui.engine.upcast import Raw
from paxtui.session.bot_runner import suggest_orders
from paxtui.session.game_host import GameHost, empty_clock
from paxtui.session.games import GAME_KINDS, GameKind, bots_of, find_scenario
from paxtui.session.hosts import new_game, open_game
from paxtui.session.pax_host import PaxHost
from paxtui.session.reference import remedy_of
from paxtui.session.tables.records import TableError

Params = Mapping[str, Any]
Result = Raw

DERIVED_KEYS = ("version", "waiting", "pending")
"""Derived keys of a dumped position, which are ignored in a patch."""


class EngineSession:
    """An engine session with one game at a time.

    Args:
        tables_dir: a directory of replacement tables for new games, or None.

    Attributes:
        table: the game, None before the first `new` or `load`.
        closed: whether `quit` was requested.
    """

    def __init__(self, tables_dir: Path | None = None) -> None:
        self.table: GameHost | None = None
        self.closed = False
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
            remedy = remedy_of(refusal, self._kind.remedies)
            answer = _error(id_, refusal.code, refusal.rules, refusal.message, refusal.detail, remedy)
        except FileNotFoundError as error:
            answer = _error(id_, "no_file", (), f"There is no file {error.filename or error}.")
        except (BrokenLog, TableError) as error:
            answer = _error(id_, "broken_log", (), str(error))
        except OSError as error:
            answer = _error(id_, "file", (), str(error))
        except Exception as error:  # internal error: reported, and the game continues unchanged
            answer = _error(id_, "internal", (), f"Internal error: {type(error).__name__}: {error}")
        return _encoded(answer)

    def _call(self, request: Params) -> Result:
        name = request.get("method")
        method = self._methods.get(name) if isinstance(name, str) else None
        if method is None:
            raise Refusal("unknown_method", (), f"There is no method {name!r}; there are {', '.join(self._methods)}.")
        params = request.get("params")
        if params is None:
            params = {}
        if not isinstance(params, dict):
            raise Refusal("bad_params", (), "'params' should be an object.")
        return method(params)

    def _game(self) -> GameHost:
        if self.table is None:
            raise Refusal("no_game", (), "There is no game yet. 'new' starts one, 'load' reads one.")
        return self.table

    def _pax_game(self) -> PaxHost:
        table = self._game()
        if not isinstance(table, PaxHost):
            raise Refusal("not_in_this_game", (), "Only games of Pax Britannica have this method.")
        return table

    @property
    def _kind(self) -> GameKind:
        return GAME_KINDS[FIRST_RULEBOOK if self.table is None else self.table.rules.rulebook]

    # --- methods --------------------------------------------------------------------------------------------------

    def _new(self, params: Params) -> Result:
        kind = GAME_KINDS.get(str(params.get("game", FIRST_RULEBOOK)))
        if kind is None:
            known = " or ".join(f"'{name}'" for name in GAME_KINDS)
            raise Refusal("bad_params", (), f"'game' should be {known}.")
        seed = params.get("seed", 0)
        if isinstance(seed, bool) or not isinstance(seed, int | str):
            raise Refusal("bad_params", (), "'seed' should be a number or a text.")
        scenario = _scenario_param(params, kind)
        powers = params.get("powers", list(find_scenario(kind.rulebook, scenario).seats))
        if not isinstance(powers, list) or not all(isinstance(p, str) for p in powers):
            raise Refusal("bad_params", (), "'powers' should be a list of ids of Powers.")
        options = _options_param(params.get("options") or {})
        name = f"{scenario}|{seed}" if scenario != kind.default else repr((str(seed), powers, sorted(options.items())))
        return self._take(
            new_game(
                kind.rulebook,
                str(seed),
                scenario=scenario,
                seats=powers,
                options=options,
                tables_dir=self._tables_dir,
                # reproducible: the same request gives the same log
                game_id=sha256(name.encode("utf-8", "replace")).hexdigest()[:12],
                clock=empty_clock,
            )
        )

    def _load(self, params: Params) -> Result:
        return self._take(open_game(_path_param(params), write=False, clock=empty_clock))

    def _take(self, table: GameHost) -> Result:
        if self.table is not None:
            self.table.close()
        self.table = table
        return self._standing()

    def _save(self, params: Params) -> Result:
        table, path = self._game(), _path_param(params)
        table.save_as(path)
        return {"version": table.version, "path": str(path)}

    def _position(self, params: Params) -> Result:
        table = self._game()
        patch = params.get("patch")
        if patch is None:
            return {**table.rules.encode_position(table.state), **self._standing()}
        if not isinstance(patch, dict):
            raise Refusal("bad_params", (), "'patch' should be an object.")
        self._pax_game().set_position({k: v for k, v in patch.items() if k not in DERIVED_KEYS})
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
        version = table.version_for(seat)
        answer: Result = {"version": version, "seat": seat, **table.rules.encode_legal(table.state, seat)}
        asked = params.get("foresee")
        if asked is not None:
            answer["foresight"] = self._previews(seat, asked)
        return answer

    def _previews(self, seat: str, asked: Any) -> Result:
        """Return the effects of orders, by their texts. Raises: Refusal `bad_params`."""
        if not isinstance(asked, list) or not all(isinstance(text, str) for text in asked):
            raise Refusal("bad_params", (), "'foresee' should be a list of orders as texts.")
        table = self._pax_game()
        return {text: table.preview(seat, text) for text in asked}

    def _forecast(self, params: Params) -> Result:
        table, seat = self._pax_game(), _text_param(params, "seat")
        table.check_seat(seat)
        return {"version": table.version_for(seat), "seat": seat, **table.forecast(seat, _order_param(params))}

    def _suggest(self, params: Params) -> Result:
        table, seat = self._game(), _text_param(params, "seat")
        bots = bots_of(table.rules)
        bot = params.get("bot", bots.substitute)
        try:
            bots.parse_name(bot)
        except (AttributeError, ValueError) as error:
            raise Refusal("bad_params", (), f"'bot' names no bot: {error}.") from None
        if seat not in table.seats:
            seats = ", ".join(table.seats)
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
        table.check_seat(seat)
        asked = _order_param(params)
        made = params.get("version")
        version = table.version_for(seat)
        if made is not None and made != version:
            raise Refusal("stale", (), f"The request was for version {made}, but the game is at version {version}.")
        line, _ = table.act(seat, asked)
        known = table.known(seat)
        line = known.lines[known.number(line.n) - 2]
        answer: Result = {
            "version": known.version,
            "events": encode_events(line),
            "waiting": list(table.waiting),
            "pending": table.pending_known(seat),
            **table.rules.encode_progress(table.state),
        }
        if line.kind == "note":
            answer["asked" if line.action.get("type") == UNDO_REQUEST else "sent"] = line.action
        return answer

    def _events(self, params: Params) -> Result:
        table = self._game()
        seat = _text_param(params, "seat") if params.get("seat") is not None else ARBITER
        since = params.get("since", 1)
        if isinstance(since, bool) or not isinstance(since, int):
            raise Refusal("bad_params", (), "'since' should be the number of a line.")
        return {"version": table.version_for(seat), **encode_lines(table.lines_for(seat)[max(0, since - 1) :])}

    def _schema(self, params: Params) -> Result:
        rules = self._kind.start("", self._tables_dir) if self.table is None else self.table.rules
        return rules.schema()

    def _quit(self, params: Params) -> Result:
        if self.table is not None:
            self.table.close()
        self.closed = True
        return {}

    def _standing(self) -> Result:
        table = self._game()
        return {
            "version": table.version,
            "phase": table.rules.phase(table.state).id,
            "waiting": list(table.waiting),
            "pending": table.pending(),
            **table.rules.encode_progress(table.state),
        }


# --- words ------------------------------------------------------------------------------------------------------------


def _request(line: str) -> Raw:
    """Parse a line. Raises: Refusal `bad_json`, `bad_request`."""
    try:
        request = msgspec.json.decode(line.encode("utf-8"))
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise Refusal("bad_json", (), f"This line is not JSON: {error}.") from None
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


def _scenario_param(params: Params, kind: GameKind) -> str:
    """Return the id of a scenario; without one, that of the default. Raises: Refusal `bad_params`."""
    named = "exercise" if "exercise" in params or not kind.default else "scenario"
    scenario = params.get(named, kind.default)
    if scenario and scenario == kind.default:
        return kind.default
    scenarios = [one.id for one in kind.scenarios()]
    if not isinstance(scenario, str) or scenario not in scenarios:
        raise Refusal("bad_params", (), f"'{named}' should be one of: {', '.join(scenarios)}.")
    return scenario


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


def _error(id_: Any, code: str, rules: tuple[str, ...], message: str, detail: Any = None, remedy: str = "") -> Raw:
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
