"""A position at sea made for one test, and acts at it with dice set by hand."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from msgspec.structs import replace

from paxtui.engine.dice import Dice
from paxtui.engine.refusal import Refusal
from paxtui.games.empires.decider import decide_action, legal_actions, waiting_powers
from paxtui.games.empires.events.base import Event
from paxtui.games.empires.orders import action_text, parse_action
from paxtui.games.empires.pieces import Corps, Factors, Fleet, Garrison, Leader
from paxtui.games.empires.position import starting_state
from paxtui.games.empires.state import Account, Cursor, Minor, Relation, Slot, State
from paxtui.games.empires.tables import Area, Border
from paxtui.session.tables.exercises import load_exercise

E = TypeVar("E", bound=Event)

_CHANNEL = load_exercise("channel-1805")

_MORE = (
    Area(id="marmara", name="Dardanelles", sea=True, gate="constantinople"),
    Area(id="black_sea", name="Black Sea", sea=True),
    Area(id="aegean", name="Aegean", sea=True),
    Area(id="constantinople", name="Constantinople", owner="turkey", city="Constantinople", port=True, coast="marmara"),
    Area(id="odessa", name="Odessa", owner="russia", city="Odessa", port=True, coast="black_sea"),
    Area(id="baltic", name="Baltic", sea=True, winter=True),
    Area(id="kattegat", name="Kattegat", sea=True),
    Area(id="riga", name="Riga", owner="russia", city="Riga", port=True, coast="baltic"),
)
"""Waters that the exercise lacks: straits with a gate, and ice."""

_WAYS = (
    ("gulf_of_lions", "aegean"),
    ("aegean", "marmara"),
    ("marmara", "black_sea"),
    ("kattegat", "baltic"),
    ("kattegat", "north_sea"),
)

TABLES = replace(
    _CHANNEL,
    exercise=replace(
        _CHANNEL.exercise,
        powers=("great_britain", "france", "spain", "russia", "turkey", "prussia", "austria"),
        areas=(*_CHANNEL.exercise.areas, *_MORE),
        borders=(*_CHANNEL.exercise.borders, *(Border(a=a, b=b) for a, b in _WAYS)),
        fleets=(),
        leaders=(),
        garrisons=(),
        shipyard=(),
        combined=(),
        stations=(),
        relations=(),
        last="1806-12",
    ),
)

ENEMIES = (("great_britain", "france"), ("great_britain", "spain"))
SUMMER, WINTER = 1805 * 12 + 6, 1805 * 12 + 11


def fleet(name: str, place: str, ships: int = 10, **more: Any) -> Fleet:
    """A fleet at a place as orders name it; its Power by the first letters of its name."""
    powers = {"gb": "great_britain", "fr": "france", "sp": "spain", "ru": "russia", "tu": "turkey", "pr": "prussia"}
    powers |= {"au": "austria", "du": "france"}
    where, box = place, ""
    if place.startswith("off_"):
        where, box = place.removeprefix("off_"), "blockade"
    elif TABLES.areas[place].port:
        box = "port"
    given = {"power": powers[name[:2]], "nation": "holland" if name[:2] == "du" else ""} | more
    return Fleet(id=name, where=where, box=box, ships=ships, **given)


def garrison(where: str, power: str) -> Garrison:
    """Two factors in a city."""
    return Garrison(where=where, power=power, factors=Factors(infantry=2))


def nelson(where: str) -> Leader:
    """Nelson with a fleet."""
    return Leader(id="nelson", power="great_britain", where=where, naval=True)


class Sea:
    """A position in the naval phase, great_britain moving first and then france and spain.

    Args:
        fleets: what is on the water.
        step: `movement` or `combat` of the first Power, or `navy`.
        groups: who moves, one group after the other.
        wars: pairs that are at war.
        more: other fields of the position.
    """

    def __init__(
        self,
        *fleets: Fleet,
        step: str = "movement",
        groups: Iterable[tuple[str, ...]] = (("great_britain",), ("france",), ("spain",)),
        wars: Iterable[tuple[str, str]] = ENEMIES,
        leaders: Iterable[Leader] = (),
        troops: Iterable[Corps] = (),
        minors: Iterable[Minor] = (Minor(id="holland", status="free", controller="france"), Minor(id="portugal")),
        turn: int = SUMMER,
        **more: Any,
    ) -> None:
        slots = [Slot(name, group) for group in groups for name in ("movement", "combat")]
        phase = "naval"
        if step == "combat":
            slots = slots[1:]
        if step == "navy":
            phase, slots = "reinforcement", [Slot("navy", group) for group in groups]
        relations = tuple(Relation(kind="war", a=a, b=b, since=turn - 1, order=n) for n, (a, b) in enumerate(wars, 1))
        self.tables = TABLES
        self.state: State = replace(
            starting_state(TABLES),
            turn=turn,
            cursor=Cursor(phase, tuple(slots)),
            relations=relations,
            accounts={power: Account() for power in TABLES.exercise.powers},
            fleets={one.id: one for one in fleets},
            leaders={one.id: one for one in leaders},
            corps={one.id: one for one in troops},
            minors={one.id: one for one in minors},
            **more,
        )

    def act(self, seat: str, text: str, *dice: int) -> list[Event]:
        """Carry out an order with chosen dice; all of them must be used."""
        rolls = Dice("sea", queue=dice)
        play = decide_action(self.tables, self.state, seat, parse_action(text), rolls)
        assert rolls.queue_left == () and rolls.index == 0, rolls.queue_left
        self.state = play.state
        return play.events

    def refused(self, seat: str, text: str) -> tuple[str, tuple[str, ...]]:
        """The code and the sections with which an act is refused."""
        try:
            decide_action(self.tables, self.state, seat, parse_action(text), Dice("sea"))
        except Refusal as refusal:
            return refusal.code, refusal.rules
        raise AssertionError(f"'{text}' was not refused")

    def open_question(self) -> tuple[str, str, tuple[str, ...]]:
        """The open question: its Power, kind and answers."""
        question = self.state.questions[-1]
        return question.power, question.kind, question.choices

    @property
    def waiting(self) -> tuple[str, ...]:
        """The Powers that play waits for."""
        return waiting_powers(self.tables, self.state)

    def place(self, name: str) -> str:
        """Where a fleet is, as orders name it."""
        one = self.state.fleets[name]
        return f"off_{one.where}" if one.box == "blockade" else one.where

    def points(self, power: str) -> int:
        """The political points of a Power."""
        return self.state.accounts[power].points

    def menu(self, seat: str) -> list[str]:
        """What is offered to a seat."""
        return [action_text(action) for action in legal_actions(self.tables, self.state, seat)]


def only(events: Iterable[Event], kind: type[E]) -> E:
    """The one event of a kind."""
    found = [event for event in events if isinstance(event, kind)]
    assert len(found) == 1, found
    return found[0]


def every(events: Iterable[Event], kind: type[E]) -> list[E]:
    """The events of a kind."""
    return [event for event in events if isinstance(event, kind)]
