"""A game under test: set a position, queue dice, act, and read events and view."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec

from paxtui.engine.dice import Dice
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.status import established, unestablished
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.decide import decide
from paxtui.games.pax.events import events
from paxtui.games.pax.events.events import evolve
from paxtui.games.pax.position.setup import new_game, seats_for
from paxtui.games.pax.sequence import waiting_seats
from paxtui.games.pax.state.model import units_at

UNLIMITED = {"counter_limits": "unlimited"}
"""Option: unlimited pieces, for tests of other rules."""

decode_event = msgspec.json.Decoder(events.AnyEvent).decode

LISTENERS: tuple[Callable[[Tables, events.Event], None], Callable[[Refusal], None]] | None = None
"""Functions called with each event and each refusal, in tests of rules (`tests/rules/recorded_texts`)."""


@cache
def tables() -> Tables:
    """The tables of the package."""
    from paxtui.session.tables.loader import load_tables

    return load_tables()


@cache
def rules() -> frozenset[str]:
    """Ids of the rule reference."""
    from paxtui.session.tables.loader import load_rules

    return frozenset(load_rules())


def has_rules(event: events.Event) -> bool:
    """Whether an event names its rules; only `PositionSet` has none."""
    return rules().issuperset(event.rules) and (bool(event.rules) or isinstance(event, events.PositionSet))


def notify(event: events.Event) -> None:
    """Pass an event to the listener."""
    if LISTENERS:
        LISTENERS[0](tables(), event)


class Bench:
    """A game under test. `events` are all since the start, `last` those of the last act."""

    def __init__(self, players: int, options: dict[str, str], seed: str) -> None:
        self.tables = tables()
        self.state = new_game(self.tables, seats_for(players), options)
        self.seed, self.index = seed, 0
        self.queue: tuple[int, ...] = ()
        self.events: list[events.Event] = []
        self.last: list[events.Event] = []

    def dice(self, *results: int) -> None:
        """Queue results of dice."""
        self.queue = (*self.queue, *results)

    def do(self, seat: str, action: actions.Action) -> list[events.Event]:
        """Let a seat act. Returns: the events. Raises: Refusal."""
        dice = Dice(self.seed, self.index, self.queue)
        out = decide(self.tables, self.state, seat, action, dice).events
        for event in out:
            # a log holds the encoded event, not the object
            assert decode_event(msgspec.json.encode(event)) == event
            assert has_rules(event), event
            notify(event)
            self.state = evolve(self.state, event)
        self.index, self.queue = dice.index, dice.queue_left
        self.last = list(out)
        self.events += out
        return self.last

    def act(self, seat: str, text: str) -> list[events.Event]:
        """Let a seat act by an order in notation."""
        from paxtui.games.pax.actions.notation import parse_order

        return self.do(seat, parse_order(self.tables, text))

    def refused(self, seat: str, text: str | actions.Action) -> Refusal:
        """The refusal of an act. Asserts that the position is unchanged."""
        before = msgspec.json.encode(self.state)
        try:
            if isinstance(text, str):
                self.act(seat, text)
            else:
                self.do(seat, text)
        except Refusal as refusal:
            assert msgspec.json.encode(self.state) == before
            assert refusal.message and rules().issuperset(refusal.rules)
            if LISTENERS:
                LISTENERS[1](refusal)
            return refusal
        raise AssertionError(f"{seat}: {text!r} was accepted: {[type(e).__name__ for e in self.last]}")

    def advance(self, force: bool = False) -> list[events.Event]:
        """Arbiter: advance."""
        return self.do(ARBITER, actions.Advance(force))

    def step(self) -> list[events.Event]:
        """Arbiter: step."""
        return self.do(ARBITER, actions.Step())

    def skip_declarations(self) -> list[events.Event]:
        """Play until the declarations at the opening of the War Phase are over, without any. Returns: the events."""
        done: list[events.Event] = []
        before = ("negotiation", "congress", "chinese_resentment", "war")
        while self.state.result is None and self.state.phase in before:
            done += self.step()
        return done

    def view(self, seat: str = ARBITER) -> dict[str, Any]:
        """The view of a seat."""
        from paxtui.games.pax.position.view import view_for_seat

        return view_for_seat(self.tables, self.state, seat, 1)

    def pending(self) -> list[Any]:
        """Pending choices."""
        return list(self.state.choices)

    def waiting(self) -> tuple[str, ...]:
        """Seats that the game waits for."""
        return waiting_seats(self.tables, self.state)

    def kind(self, area: str, power: str) -> str:
        """Kind of the Power's established marker in an Area, "" for none."""
        found = established(self.state, area, power)
        return found.marker if found else ""

    def fresh(self, area: str, power: str) -> str:
        """Kind of the Power's unestablished marker in an Area, "" for none."""
        found = unestablished(self.state, area, power)
        return found.marker if found else ""

    def markers(self, area: str, power: str) -> tuple[str, str]:
        """Kinds of the Power's established and unestablished markers in an Area, "" for none."""
        return self.kind(area, power), self.fresh(area, power)

    def units(self, place: str, power: str = "", kind: str = "") -> list[str]:
        """Names of the units of an Area or a Home Country ("home:italy"), sorted; of one Power, of one kind."""
        there = units_at(self.state, place)
        return sorted(u.name for u in there if power in ("", u.power) and kind in ("", u.kind))

    def causes(self) -> set[tuple[str, str, str]]:
        """Holder, opponent and Area of each Casus Belli, "" for no Area."""
        return {(c.holder, c.against, c.area) for c in self.state.casus_belli}

    def blames(self) -> list[tuple[int, str]]:
        """Points and blamed Power of each rise of the European Tensions since the start."""
        return [(e.amount, e.blame) for e in self.all_of(events.TensionRaised)]

    def of(self, kind: type[events.Event]) -> list[Any]:
        """Events of a kind since the last act."""
        return [e for e in self.last if isinstance(e, kind)]

    def all_of(self, kind: type[events.Event]) -> list[Any]:
        """Events of a kind since the start."""
        return [e for e in self.events if isinstance(e, kind)]


def asked(g: Bench) -> list[tuple[str, str]]:
    """The Power and the kind of each pending choice."""
    return [(c.power, c.kind) for c in g.state.choices]


def answer(g: Bench, power: str, text: str) -> list[events.Event]:
    """Answer the first pending choice of a Power."""
    choice = next(c for c in g.state.choices if c.power == power)
    return g.act(choice.seat, f"choose {choice.id} {text}")


def accept(g: Bench, seat: str) -> None:
    """Accept the only offer to a seat."""
    (offer,) = [c for c in g.state.choices if c.seat == seat]
    g.act(seat, f"choose {offer.id} accept")


def is_ready(g: Bench, seat: str) -> bool:
    """Declare a seat ready. Returns: whether it still is."""
    g.act(seat, "ready")
    return seat in g.state.ready


def start(
    patch: dict[str, Any] | None = None, players: int = 7, options: dict[str, str] | None = None, seed: str = "test"
) -> Bench:
    """A game of `players` seats at the 1880 start with `patch` applied."""
    bench = Bench(players, options or {}, seed)
    if patch is not None:
        bench.do(ARBITER, actions.SetPosition(patch))
    return bench


def moving(
    money: int | dict[str, int] = 100, players: int = 7, options: dict[str, str] | None = None, **patch: Any
) -> Bench:
    """A Movement/Status Change Phase without counter limits.

    money: £ in every Treasury, or in those it names; `powers` of the patch adds to it.
    """
    if not isinstance(money, dict):
        money = dict.fromkeys(start(players=players, options=options).state.powers, money)
    powers = {power: {"treasury": pounds} for power, pounds in money.items()}
    for power, more in patch.pop("powers", {}).items():
        powers[power] = {**powers.get(power, {}), **more}
    return start({"phase": "movement", "powers": powers, **patch}, players, {**UNLIMITED, **(options or {})})


def held(power: str, kind: str = "protectorate", *units: dict[str, Any], unrest: bool = False) -> dict[str, Any]:
    """An Area of a patch with one established marker and these units only."""
    return {"markers": [marker(power, kind)], "units": list(units), "unrest": unrest}


def here(*pieces: dict[str, Any], unrest: bool = False, codominion: list[str] | None = None) -> dict[str, Any]:
    """An Area of a patch with these markers and units only."""
    out: dict[str, Any] = {
        "markers": [p for p in pieces if "marker" in p],
        "units": [p for p in pieces if "kind" in p],
        "unrest": unrest,
    }
    return {**out, "codominion": codominion} if codominion else out


def at_home(power: str, *units: dict[str, Any]) -> dict[str, Any]:
    """`homes` of a patch: a Home Country with these units only."""
    return {power: {"units": list(units)}}


def marker(power: str, kind: str, established: bool = True, since: int = 0) -> dict[str, Any]:
    """A Status marker of a patch."""
    return {"power": power, "marker": kind, "established": established, "since": since}


def new(power: str, kind: str = "protectorate") -> dict[str, Any]:
    """A Status marker placed this turn, of a patch."""
    return marker(power, kind, established=False)


def army(power: str, strength: int = 1) -> dict[str, Any]:
    """An Army Unit of a patch."""
    return {"power": power, "kind": "army", "strength": strength}


def naval(power: str, strength: int, coast: str = "") -> dict[str, Any]:
    """A Naval Unit of a patch."""
    unit: dict[str, Any] = {"power": power, "kind": "naval", "strength": strength}
    return {**unit, "coast": coast} if coast else unit
