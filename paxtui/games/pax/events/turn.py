"""Events of the sequence of play, the ledgers, dice and tables, and their evolvers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from paxtui.engine.frames import replace_top
from paxtui.games.pax.events.encoding import Event
from paxtui.games.pax.state.model import PhaseStart, PowerState, Result, State, with_area, with_power
from paxtui.games.pax.state.phases import AnyPhaseNotes, InProgress
from paxtui.games.pax.state.pieces import Unit
from paxtui.games.pax.state.questions import Pending

# --- the sequence ---------------------------------------------------------------------------------------------


class PhaseBegan(Event, frozen=True):
    """A Phase begins: it is the only frame; ready flags and offers are cleared."""

    phase: str
    step: str = ""


class TurnBegan(Event, frozen=True):
    """A Game Turn begins: effects of one turn end, `fleets` leave the turn track."""

    turn: int
    year: int
    fleets: dict[str, int] = {}


class StepTaken(Event, frozen=True):
    """The procedure in progress goes to `step` with these notes (both replace the old ones)."""

    step: str
    notes: AnyPhaseNotes | None = None


class Noted(Event, frozen=True):
    """A message to the players that changes nothing: `code` for programs, `text` for people."""

    code: str
    text: str
    power: str = ""
    area: str = ""


class SeatReady(Event, frozen=True):
    """A seat sets its ready flag, or clears it (`ready` false)."""

    seat: str
    ready: bool = True


class ReadyCleared(Event, frozen=True):
    """An action of `by` clears the ready flags of `seats`."""

    seats: tuple[str, ...]
    by: str


class ChoiceOffered(Event, frozen=True):
    """A choice is pending."""

    choice: Pending


class ChoiceMade(Event, frozen=True):
    """A pending choice is answered (`by_default`: with the default) or has lapsed (`void`)."""

    id: str
    answer: tuple[str, ...] = ()
    by_default: bool = False
    void: bool = False


class PositionSet(Event, frozen=True):
    """The arbiter replaces the position."""

    state: State


class GameEnded(Event, frozen=True):
    """The game is over."""

    result: Result


# --- ledgers: every change carries amount, reason, rule and whom to blame ----------------------------------------


class TensionRaised(Event, frozen=True):
    """European Tensions Index: `amount` points up to `total`; `blame` is a Power, or ""."""

    amount: int
    total: int
    reason: str
    blame: str = ""
    area: str = ""


class ResentmentRaised(Event, frozen=True):
    """Chinese Resentment Index: `amount` points up to `total`."""

    amount: int
    total: int
    reason: str
    power: str = ""
    area: str = ""


class ResentmentReset(Event, frozen=True):
    """Chinese Resentment Index: back to 0."""

    reason: str


UNTOLD = "a payment that is not made public"
"""Public reason of a payment that a secret article has caused."""


class TreasuryChanged(Event, frozen=True):
    """Treasury of a Power: `amount` pounds (negative: spent) to `total`.

    `units` and `naval` are the pounds spent on units and on naval ones. With `reset`, `total` is set.
    """

    power: str
    amount: int
    total: int
    reason: str
    units: int = 0
    naval: int = 0


class VictoryPointsChanged(Event, frozen=True):
    """Victory Points of a Power: `amount` points to `total`; `bonus`: counts on line 25 of this turn."""

    power: str
    amount: int
    total: int
    reason: str
    bonus: bool = False


class RecordWritten(Event, frozen=True):
    """Lines of an Administrative Record Sheet. `fresh` begins a new sheet; `upkeep` is pounds that count towards a
    duty to spend.
    """

    power: str
    lines: dict[str, int | None]
    fresh: bool = False
    upkeep: int = 0
    had_control: bool = False


# --- dice and tables ----------------------------------------------------------------------------------------------


class DiceRolled(Event, frozen=True):
    """Dice whose outcome needs no other event; changes nothing."""

    what: str
    dice: tuple[int, ...]
    power: str = ""
    outcome: str = ""


class RandomEventRolled(Event, frozen=True):
    """A Random Event. `happens` false means rolled again; `leopold`: the Belgian headline comes with it."""

    event: str  # "2-5"
    title: str
    happens: bool = True
    why: str = ""
    leopold: bool = False
    balkan_war: bool = False


class UnrestBegan(Event, frozen=True):
    """An Area goes into Unrest; `happens` false means rolled again on the same table."""

    area: str
    table: str = ""
    dice: tuple[int, ...] = ()
    happens: bool = True


class UnrestEnded(Event, frozen=True):
    """The Unrest marker leaves an Area; `by` suppressed it, "" at the end of the turn."""

    area: str
    by: tuple[str, ...] = ()


class OfficeIncome(Event, frozen=True):
    """Colonial Office: `die` is 0 without a roll; `amount` is in pounds, after the events of the turn."""

    power: str
    die: int
    amount: int
    note: str = ""


class MinorActivity(Event, frozen=True):
    """Activity die of a Minor Power."""

    power: str
    die: int
    active: bool


class MinorDirected(Event, frozen=True):
    """Area dice of a Minor Power; `accepted` false means rolled again."""

    power: str
    dice: tuple[int, int]
    area: str
    accepted: bool = True


class ColonialCombat(Event, frozen=True):
    """A Colonial Combat: strength points of both sides, column, die and result."""

    area: str
    powers: tuple[str, ...]
    attack: int
    defend: int
    table: int = 0  # 0: Combat Strength zero, no die
    column: str = ""
    die: int = 0
    result: str = ""  # E AR EX HX DR DE
    effect: str = ""  # the result as it is read here: "eliminated", "retreat", "losses", "defeated"
    losses: int = 0  # strength points to lose


class OrderDrawn(Event, frozen=True):
    """The order in which several Powers attack one Area."""

    area: str
    powers: tuple[str, ...]


class SeatsAbandoned(Event, frozen=True):
    """Seats have no player, so that their Powers follow the General Orders, or (`lifted`) have one again."""

    seats: tuple[str, ...]
    lifted: bool = False


class RebellionChecked(Event, frozen=True):
    """Three dice against the Chinese Resentment Index without its last digit."""

    dice: tuple[int, ...]
    target: int
    rebellion: bool


TurnEvent = (
    PhaseBegan
    | TurnBegan
    | StepTaken
    | Noted
    | SeatReady
    | ReadyCleared
    | ChoiceOffered
    | ChoiceMade
    | PositionSet
    | GameEnded
    | TensionRaised
    | ResentmentRaised
    | ResentmentReset
    | TreasuryChanged
    | VictoryPointsChanged
    | RecordWritten
    | DiceRolled
    | RandomEventRolled
    | UnrestBegan
    | UnrestEnded
    | OfficeIncome
    | MinorActivity
    | MinorDirected
    | ColonialCombat
    | OrderDrawn
    | RebellionChecked
    | SeatsAbandoned
)


PHASES_WITH_START = ("minor_powers", "movement")
"""Phases whose duties refer to the position at their beginning."""


def _record_phase_start(s: State) -> State:
    """Store the map as the beginning of the Phase, if its duties refer to it."""
    start = PhaseStart(s.areas, s.homes, s.sea_zones) if s.phase in PHASES_WITH_START else None
    return replace(s, phase_start=start) if start or s.phase_start else s


def _phase_began(s: State, e: PhaseBegan) -> State:
    # keep unchanged objects: caches compare by identity
    areas = {k: replace(a, units=_unhalted(a.units)) for k, a in s.areas.items() if a.units and _any_halted(a.units)}
    homes = {k: _unhalted(units) for k, units in s.homes.items() if _any_halted(units)}
    return _record_phase_start(
        replace(
            s,
            frames=(InProgress(e.phase, e.step),),
            areas={**s.areas, **areas} if areas else s.areas,
            homes={**s.homes, **homes} if homes else s.homes,
            choices=(),
            ready=(),
            cleared={},
            negotiated=s.negotiated or e.phase == "negotiation",
        )
    )


def _any_halted(units: tuple[Unit, ...]) -> bool:
    for u in units:  # noqa: SIM110 (hot path)
        if u.halted:
            return True
    return False


def _unhalted(units: tuple[Unit, ...]) -> tuple[Unit, ...]:
    return tuple(replace(u, halted=False) if u.halted else u for u in units)


def _turn_began(s: State, e: TurnBegan) -> State:
    powers = {}
    for name, p in s.powers.items():
        powers[name] = replace(
            p,
            merchants_due=p.merchants_due + e.fleets.get(name, 0),
            past={**p.past, str(s.turn): p.record} if p.record and e.turn > s.turn else p.past,
            upkeep=0,
            spent_on_units=0,
            spent_on_naval=0,
            bought_control=False,
            bonus=0,
        )
    return replace(
        s,
        turn=e.turn,
        powers=powers,
        events=(),
        active_minors={},
        ungarrisoned=(),
        handed_over=(),
        leopold=False,
        rebellion=False,
        ottoman_wars=s.ottoman_next,
        ottoman_next=(),
        casus_belli=(),
        congress=None,
        ballots={},
    )


def _step_taken(s: State, e: StepTaken) -> State:
    return replace(s, frames=replace_top(s.frames, InProgress(s.top.phase, e.step, e.notes)))


def _seat_ready(s: State, e: SeatReady) -> State:
    others = tuple(seat for seat in s.ready if seat != e.seat)
    return replace(s, ready=(*others, e.seat) if e.ready else others)


def _ready_cleared(s: State, e: ReadyCleared) -> State:
    return replace(
        s,
        ready=tuple(seat for seat in s.ready if seat not in e.seats),
        cleared={**s.cleared, e.by: s.cleared.get(e.by, 0) + 1},
    )


def _choice_offered(s: State, e: ChoiceOffered) -> State:
    # private offers have hashed ids and are not counted, so that their number stays secret
    counted = s.next_choice + e.choice.id.startswith("c")
    return replace(s, choices=(*s.choices, e.choice), next_choice=counted)


def _choice_made(s: State, e: ChoiceMade) -> State:
    return replace(s, choices=tuple(c for c in s.choices if c.id != e.id))


def _tension_raised(s: State, e: TensionRaised) -> State:
    return replace(s, tension=e.total)


def _resentment_raised(s: State, e: ResentmentRaised) -> State:
    return replace(s, resentment=e.total)


def _treasury_changed(s: State, e: TreasuryChanged) -> State:
    p = s.powers.get(e.power, PowerState())
    return with_power(
        s,
        e.power,
        treasury=e.total,
        spent_on_units=p.spent_on_units + e.units,
        spent_on_naval=p.spent_on_naval + e.naval,
    )


def _victory_points_changed(s: State, e: VictoryPointsChanged) -> State:
    p = s.powers.get(e.power, PowerState())
    return with_power(s, e.power, victory_points=e.total, bonus=p.bonus + (e.amount if e.bonus else 0))


def _record_written(s: State, e: RecordWritten) -> State:
    p = s.powers.get(e.power, PowerState())
    lines = dict(e.lines) if e.fresh else {**p.record, **e.lines}
    return with_power(
        s,
        e.power,
        record=lines,
        upkeep=e.upkeep if e.fresh else p.upkeep + e.upkeep,
        had_control=p.had_control or e.had_control,
    )


def _random_event_rolled(s: State, e: RandomEventRolled) -> State:
    if not e.happens:
        return s
    return replace(
        s,
        events=s.events if e.event in s.events else (*s.events, e.event),
        leopold=s.leopold or e.leopold,
        balkan_wars=s.balkan_wars + e.balkan_war,
    )


def _unrest_began(s: State, e: UnrestBegan) -> State:
    return with_area(s, e.area, unrest=True) if e.happens else s


def _unrest_ended(s: State, e: UnrestEnded) -> State:
    return with_area(s, e.area, unrest=False)


def _minor_directed(s: State, e: MinorDirected) -> State:
    return replace(s, active_minors={**s.active_minors, e.power: e.area}) if e.accepted else s


def _rebellion_checked(s: State, e: RebellionChecked) -> State:
    return replace(s, rebellion=e.rebellion)


def _seats_abandoned(s: State, e: SeatsAbandoned) -> State:
    gone = {*s.abandoned}.difference(e.seats) if e.lifted else {*s.abandoned, *e.seats}
    return replace(s, abandoned=tuple(seat for seat in s.players if seat in gone))


def _position_set(s: State, e: PositionSet) -> State:
    return _record_phase_start(e.state)


def _game_ended(s: State, e: GameEnded) -> State:
    return replace(s, result=e.result, choices=(), ready=(), beside=None)


TURN_EVOLVERS: dict[type, Callable[[State, Any], State]] = {
    PhaseBegan: _phase_began,
    TurnBegan: _turn_began,
    StepTaken: _step_taken,
    SeatReady: _seat_ready,
    ReadyCleared: _ready_cleared,
    ChoiceOffered: _choice_offered,
    ChoiceMade: _choice_made,
    PositionSet: _position_set,
    GameEnded: _game_ended,
    TensionRaised: _tension_raised,
    ResentmentRaised: _resentment_raised,
    ResentmentReset: lambda s, e: replace(s, resentment=0),
    TreasuryChanged: _treasury_changed,
    VictoryPointsChanged: _victory_points_changed,
    RecordWritten: _record_written,
    RandomEventRolled: _random_event_rolled,
    UnrestBegan: _unrest_began,
    UnrestEnded: _unrest_ended,
    MinorDirected: _minor_directed,
    RebellionChecked: _rebellion_checked,
    SeatsAbandoned: _seats_abandoned,
}
"""The evolvers of these events, by struct."""
