"""A toy game for tests of the engine: numbers that go up, dice, and secrets.

The state has a total, a count for each seat, and secrets that only their owner sees.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from paxtui.engine.dice import Dice
from paxtui.engine.game import Decision
from paxtui.engine.game_log import GameLog
from paxtui.engine.log import FIRST_RULEBOOK, Header, Line, Visible, encode_header, encode_line, parse
from paxtui.engine.projection import Projection
from paxtui.engine.refusal import Refusal
from paxtui.engine.upcast import Upcasters

Raw = dict[str, Any]


class State(msgspec.Struct, frozen=True):
    total: int = 0
    counts: dict[str, int] = {}
    secrets: dict[str, int] = {}
    shown: tuple[str, ...] = ()
    whispers: tuple[str, ...] = ()


class Add(msgspec.Struct, frozen=True, tag="add"):
    amount: int


class Roll(msgspec.Struct, frozen=True, tag="roll"):
    dice: int = 1


class Shuffle(msgspec.Struct, frozen=True, tag="shuffle"):
    sides: int = 10


class Hide(msgspec.Struct, frozen=True, tag="hide"):
    number: int


class Show(msgspec.Struct, frozen=True, tag="show"):
    pass


class Say(msgspec.Struct, frozen=True, tag="say"):
    text: str


class Whisper(msgspec.Struct, frozen=True, tag="whisper"):
    to: str
    words: str


Action = Add | Roll | Shuffle | Hide | Show | Say | Whisper


class Added(msgspec.Struct, frozen=True, tag="added"):
    seat: str
    amount: int


class Rolled(msgspec.Struct, frozen=True, tag="rolled"):
    seat: str
    dice: tuple[int, ...]


class Hidden(msgspec.Struct, frozen=True, tag="hidden"):
    seat: str
    number: int


class Shown(msgspec.Struct, frozen=True, tag="shown"):
    seat: str


class Said(msgspec.Struct, frozen=True, tag="said"):
    seat: str
    text: str


class Whispered(msgspec.Struct, frozen=True, tag="whispered"):
    between: tuple[str, ...]
    words: str


Event = Added | Rolled | Hidden | Shown | Said | Whispered


class CounterRules:
    """The rules. Args: `bonus` makes another version of them; `upcasters` reads older events."""

    rulebook = FIRST_RULEBOOK

    def __init__(self, bonus: int = 0, upcasters: Upcasters | None = None) -> None:
        self.bonus = bonus
        self.upcasters = upcasters or Upcasters()

    def begin(self, header: Header) -> State:
        return State()

    def note(self, state: State, line: Line, lines: Sequence[Line]) -> Any:
        if not isinstance(line.action, dict) or line.action.get("type") != "chat":
            raise ValueError("it is no chat")
        if line.seat == "green":
            raise Refusal("mute", (), "Green does not chat.")
        return {name: value.strip() for name, value in line.action.items()}

    def decide(self, state: State, seat: str, action: Action, dice: Dice) -> Decision[State]:
        events = self.events_of(seat, action, dice)
        for event in events:
            state = self.evolve(state, event)
        return Decision(events, state)

    def events_of(self, seat: str, action: Action, dice: Dice) -> Sequence[Event]:
        match action:
            case Add(amount):
                if amount <= 0:
                    dice.roll()  # a refused action must not use a die
                    raise Refusal("not_up", ("CNT-001",), "The total only goes up.", amount=amount)
                return [Added(seat, amount + self.bonus)]
            case Roll(count):
                results = dice.roll_many(count)
                return [Rolled(seat, results), Added(seat, sum(results))]
            case Shuffle(sides):
                return [Added(seat, dice.draw(sides) + 1)]
            case Hide(number):
                return [Hidden(seat, number)]
            case Show():
                return [Shown(seat)]
            case Say(text):
                return [Said(seat, text)]
            case Whisper(to, words):
                return [Whispered((seat, to), words)]

    def evolve(self, state: State, event: Event) -> State:
        match event:
            case Added(seat, amount):
                counts = {**state.counts, seat: state.counts.get(seat, 0) + amount}
                return msgspec.structs.replace(state, total=state.total + amount, counts=counts)
            case Hidden(seat, number):
                return msgspec.structs.replace(state, secrets={**state.secrets, seat: number})
            case Shown(seat):
                return msgspec.structs.replace(state, shown=(*state.shown, seat))
            case Whispered(_, words):
                return msgspec.structs.replace(state, whispers=(*state.whispers, words))
            case _:
                return state

    def encode_state(self, state: State) -> Any:
        return msgspec.to_builtins(state)

    def decode_state(self, raw: Any) -> State:
        return msgspec.convert(raw, State)

    def encode_action(self, action: Action) -> Any:
        return msgspec.to_builtins(action)

    def decode_action(self, raw: Any) -> Action:
        return msgspec.convert(raw, Action)

    def encode_event(self, event: Event) -> Raw:
        return self.upcasters.stamp(msgspec.to_builtins(event))

    def decode_event(self, raw: Raw) -> Event:
        return msgspec.convert(self.upcasters.apply(raw), Event)

    def reveals(self, event: Event) -> bool:
        return isinstance(event, Shown)

    def between(self, events: Sequence[Raw]) -> frozenset[str]:
        if not events or any(raw.get("type") != "whispered" for raw in events):
            return frozenset()
        return frozenset(seat for raw in events for seat in raw.get("between", ()))

    def is_over(self, state: State) -> bool:
        return state.total >= 1000


def visible(raw: Raw, seat: str) -> Raw | None:
    """Return what a seat sees of an event: nothing of hidden numbers and whispers of others."""
    if raw["type"] == "whispered" and seat not in raw["between"]:
        return None
    if raw["type"] == "hidden" and raw["seat"] != seat:
        return None
    return raw


RULES = CounterRules()


def header(**changes: Any) -> Header:
    """Return the header of a game of three seats."""
    fields: dict[str, Any] = {
        "program": "paxtui 0",
        "game": "g1",
        "edition": "toy",
        "seats": {"red": ["red"], "blue": ["blue"], "green": ["green"]},
        "seed": "a seed",
        "start": {},
        "created": "2026-01-01T00:00:00Z",
    }
    return Header(**{**fields, **changes})


def new_game(rules: CounterRules = RULES, **changes: Any) -> GameLog[State]:
    return GameLog(rules, header(**changes))


def redact(lines: Iterable[Line], seat: str, visible: Visible) -> tuple[Line, ...]:
    """Return the lines as a seat sees them, with its numbers."""
    projection = Projection(seat, visible)
    for line in lines:
        projection.follow(line)
    return tuple(projection.lines)


def history(game: GameLog[State]) -> tuple[tuple[int, ...], ...]:
    """Return the acts in force after each line, from line 1."""
    return tuple(tuple(line.n for line in game.effective_lines(n)) for n in range(1, game.version + 1))


def frozen(game: GameLog[State]) -> bytes:
    """Return the state as bytes, for comparison."""
    return msgspec.json.encode(RULES.encode_state(game.state))


def reload(game: GameLog[State]) -> GameLog[State]:
    """Write a game's log and read it again."""
    parsed = parse(encode_header(game.header) + b"".join(encode_line(line) for line in game.lines))
    return GameLog(game.rules, parsed.header, parsed.lines, tip=parsed.tip)
