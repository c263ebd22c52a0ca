"""Events of the sequence of play, the ledgers, dice and tables: what they change and how they read."""

from __future__ import annotations

from msgspec.structs import replace

from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.events.encoding import Event
from paxtui.games.pax.events.map import without_halts
from paxtui.games.pax.events.names import Names
from paxtui.games.pax.state.model import PhaseStart, PowerState, Result, State, with_area, with_power
from paxtui.games.pax.state.phases import AnyPhaseNotes, InProgress
from paxtui.games.pax.state.questions import CongressQuestion, Pending
from paxtui.games.pax.text.display import (
    add_articles,
    capitalize,
    of_power,
    phase_name,
    place_name,
    power_name,
    reword,
    sentence,
    the_power,
    the_powers,
)

PASS = "pass"
"""Answer of a member of the Congress without a proposal."""


def _signed(n: int) -> str:
    return f"+{n}" if n > 0 else str(n)


TENSION_REASONS = {
    "gives way to Control": "a marker was lowered because of new Control",
    "not defended by War": "a marker not defended by War was lowered",
    "a Possession was placed": "an Interest was removed because a Possession was placed",
    "no garrison": "a marker without a garrison was lowered",
    "deficit": "a marker was given up to meet a deficit",
    "given up in negotiation": "a marker was given up in negotiation",
    "marker handed over": "a marker was handed over",
    "a Congress of Europe convenes": "a Congress of Europe was called",
    "refuses to sign a Treaty of the Congress": "a disputant refused to sign the Treaty of the Congress",
}
"""Texts for rises of tension whose ledger entry is the reason why a marker was lowered."""


def tension_reason(reason: str) -> str:
    """Return the reason for a rise of tension, worded to follow a colon."""
    if reason.endswith(" broken"):
        return f"a Treaty was broken ({reason.removesuffix(' broken')})"
    return TENSION_REASONS.get(reason, reason)


def points_reason(reason: str) -> str:
    """Return the reason for a change of Victory Points, worded to follow a colon."""
    return f"{reason} over" if reason.startswith("£") and reason.endswith(" left") else reason


def _dice(dice: tuple[int, ...]) -> str:
    return "-".join(map(str, dice))


COMBAT_RESULTS = {
    "E": "attacker eliminated",
    "AR": "attacker retreats",
    "EX": "exchange",
    "HX": "half exchange",
    "DR": "defender retreats",
    "DE": "defender eliminated",
}
"""Results of the Combat Results Tables."""


class PhaseBegan(Event, frozen=True):
    """A Phase begins: it is the only frame; ready flags and offers are cleared."""

    phase: str
    step: str = ""

    def evolve(self, s: State) -> State:
        # keep unchanged objects: caches compare by identity
        halted_areas = {k for k, a in s.areas.items() for u in a.units if u.halted}
        areas = {k: replace(s.areas[k], units=without_halts(s.areas[k].units)) for k in halted_areas}
        halted_homes = {k for k, units in s.homes.items() for u in units if u.halted}
        homes = {k: without_halts(s.homes[k]) for k in halted_homes}
        return _record_phase_start(
            replace(
                s,
                frames=(InProgress(self.phase, self.step),),
                areas={**s.areas, **areas} if areas else s.areas,
                homes={**s.homes, **homes} if homes else s.homes,
                choices=(),
                ready=(),
                cleared={},
                negotiated=s.negotiated or self.phase == "negotiation",
            )
        )

    def describe(self, t: Tables, names: Names) -> str:
        return f"— {phase_name(self.phase)} Phase —"


class TurnBegan(Event, frozen=True):
    """A Game Turn begins: effects of one turn end, `fleets` leave the turn track."""

    turn: int
    year: int
    fleets: dict[str, int] = {}

    def evolve(self, s: State) -> State:
        powers = {}
        for name, p in s.powers.items():
            powers[name] = replace(
                p,
                merchants_due=p.merchants_due + self.fleets.get(name, 0),
                past={**p.past, str(s.turn): p.record} if p.record and self.turn > s.turn else p.past,
                upkeep=0,
                spent_on_units=0,
                spent_on_naval=0,
                bought_control=False,
                declared_on=(),
                bonus=0,
            )
        return replace(
            s,
            turn=self.turn,
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

    def describe(self, t: Tables, names: Names) -> str:
        powers = [power for power, count in self.fleets.items() if count]
        fleets = f" New Merchant Fleets for {the_powers(t, powers)}." if powers else ""
        return f"══ {self.year}: Game Turn {self.turn} ══{fleets}"


class StepTaken(Event, frozen=True):
    """The procedure in progress goes to `step` with these notes (both replace the old ones)."""

    step: str
    notes: AnyPhaseNotes | None = None

    def evolve(self, s: State) -> State:
        return replace(s, frames=(*s.frames[:-1], InProgress(s.top.phase, self.step, self.notes)))


class Noted(Event, frozen=True):
    """A message to the players that changes nothing: `code` for programs, `text` for people."""

    code: str
    text: str
    power: str = ""
    area: str = ""

    def describe(self, t: Tables, names: Names) -> str:
        return add_articles(reword(self.text, _NOTE_WORDING.get(self.code, ())))


_NOTE_WORDING: dict[str, tuple[tuple[str, str], ...]] = {
    "consent_missing": ((r"^(.*) does it once (.*) gives the order too\.$", r"\1 acts when \2 gives the same order."),),
    "event_void": ((r": nothing of this event but what it does to the Indexes\.$",
                   ": only the effects of this event on the Indexes apply."),),
    "final_bonus": ((r": nobody else took ", ": no other Power took "), (r": nobody took ", ": no Power took ")),
    "left_open": ((r"^The dispute over (.*) is still open and nobody has called .*$",
                  r"The dispute over \1 is still open, and no Congress of Europe has been called. When the War Phase"
                  r" opens, the holder of the Casus Belli declares War or its marker is lowered."),),
    "no_area_left": ((r" is in Unrest already\.$", " is already in Unrest."),),
    "no_army": ((r": without one at the end of the Phase the marker will be reduced\.$",
                ". If there is none at the end of the Phase, the marker is lowered."),),
    "order_paradox": ((r": it is part of a paradox, and of such orders none is carried out\.$",
                      ": it is part of a paradox, so none of these orders is carried out."),),
    "sent_away": ((r"^No army can get back to (.*) as things are: (.*) cannot be ready unless .*$",
                  r"No army can return to \1. \2 must undo the move, or send another army, before it is ready."),),
}  # fmt: skip
"""Wordings of messages, by code, for `reword`."""


class SeatReady(Event, frozen=True):
    """A seat sets its ready flag, or clears it (`ready` false)."""

    seat: str
    ready: bool = True

    def evolve(self, s: State) -> State:
        others = tuple(seat for seat in s.ready if seat != self.seat)
        return replace(s, ready=(*others, self.seat) if self.ready else others)

    def describe(self, t: Tables, names: Names) -> str:
        return sentence(f"{the_power(t, self.seat)} is {'ready' if self.ready else 'no longer ready'}")


class ReadyCleared(Event, frozen=True):
    """An action of `by` clears the ready flags of `seats`."""

    seats: tuple[str, ...]
    by: str

    def evolve(self, s: State) -> State:
        return replace(
            s,
            ready=tuple(seat for seat in s.ready if seat not in self.seats),
            cleared={**s.cleared, self.by: s.cleared.get(self.by, 0) + 1},
        )

    def describe(self, t: Tables, names: Names) -> str:
        return sentence(f"{the_power(t, self.by)} has acted: {the_powers(t, self.seats)} may act again")


class ChoiceOffered(Event, frozen=True):
    """A choice is pending."""

    choice: Pending

    def evolve(self, s: State) -> State:
        # private offers have hashed ids and are not counted, so that their number stays secret
        counted = s.next_choice + self.choice.id.startswith("c")
        return replace(s, choices=(*s.choices, self.choice), next_choice=counted)

    def describe(self, t: Tables, names: Names) -> str:
        return sentence(f"{the_power(t, self.choice.power)} must decide {names.question(self.choice)}")


class ChoiceMade(Event, frozen=True):
    """A pending choice is answered (`by_default`: with the default) or has lapsed (`void`)."""

    id: str
    answer: tuple[str, ...] = ()
    by_default: bool = False
    void: bool = False

    def evolve(self, s: State) -> State:
        return replace(s, choices=tuple(c for c in s.choices if c.id != self.id))

    def describe(self, t: Tables, names: Names) -> str:
        choice = names.choices.get(self.id)
        if choice is None:
            return ""
        who = the_power(t, choice.power)
        if isinstance(choice.about, CongressQuestion) and not (choice.about.sealed and self.answer):
            # events of the Congress report all other answers
            return sentence(f"{who} makes no proposal") if self.answer == (PASS,) else ""
        if self.void:
            return sentence(f"{who} no longer needs to decide {names.question(choice)}")
        default = ", by default" if self.by_default else ""
        return sentence(f"{who} decides {names.question(choice)}: {names.answer(choice, self.answer)}{default}")


class PositionSet(Event, frozen=True):
    """The arbiter replaces the position."""

    state: State

    def evolve(self, s: State) -> State:
        return _record_phase_start(self.state)

    def describe(self, t: Tables, names: Names) -> str:
        return "The arbiter sets up a new position."


class GameEnded(Event, frozen=True):
    """The game is over."""

    result: Result

    def evolve(self, s: State) -> State:
        return replace(s, result=self.result, choices=(), ready=(), waiting_phase=None)

    def describe(self, t: Tables, names: Names) -> str:
        r = self.result
        why = "The Great War breaks out" if r.reason == "great_war" else "The tenth Game Turn is over"
        blame = f", caused by {the_powers(t, r.culprits)}" if r.culprits else ""
        ranks = sorted(r.ranks.items(), key=lambda kv: kv[1])
        places = ", ".join(f"{n}. {power_name(t, s)} ({r.totals.get(s, 0)})" for s, n in ranks)
        return f"{why}{blame}. {places}"


class TensionRaised(Event, frozen=True):
    """European Tensions Index: `amount` points up to `total`; `blame` is a Power, or ""."""

    amount: int
    total: int
    reason: str
    blame: str = ""
    area: str = ""

    def evolve(self, s: State) -> State:
        return replace(s, tension=self.total)

    def describe(self, t: Tables, names: Names) -> str:
        blame = f", by {the_power(t, self.blame)}" if self.blame else ""
        reason = add_articles(tension_reason(self.reason))
        return f"European Tensions {_signed(self.amount)} to {self.total}: {reason}{blame}"


class ResentmentRaised(Event, frozen=True):
    """Chinese Resentment Index: `amount` points up to `total`."""

    amount: int
    total: int
    reason: str
    power: str = ""
    area: str = ""

    def evolve(self, s: State) -> State:
        return replace(s, resentment=self.total)

    def describe(self, t: Tables, names: Names) -> str:
        return f"Chinese Resentment {_signed(self.amount)} to {self.total}: {self.reason}"


class ResentmentReset(Event, frozen=True):
    """Chinese Resentment Index: back to 0."""

    reason: str

    def evolve(self, s: State) -> State:
        return replace(s, resentment=0)

    def describe(self, t: Tables, names: Names) -> str:
        return f"Chinese Resentment back to 0: {self.reason}"


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

    def evolve(self, s: State) -> State:
        p = s.powers.get(self.power, PowerState())
        return with_power(
            s,
            self.power,
            treasury=self.total,
            spent_on_units=p.spent_on_units + self.units,
            spent_on_naval=p.spent_on_naval + self.naval,
        )

    def describe(self, t: Tables, names: Names) -> str:
        verb = "receives" if self.amount >= 0 else "pays"
        return f"{the_power(t, self.power)} {verb} £{abs(self.amount)}: {self.reason} (£{self.total} in the Treasury)"


class VictoryPointsChanged(Event, frozen=True):
    """Victory Points of a Power: `amount` points to `total`; `bonus`: counts on line 25 of this turn."""

    power: str
    amount: int
    total: int
    reason: str
    bonus: bool = False

    def evolve(self, s: State) -> State:
        p = s.powers.get(self.power, PowerState())
        return with_power(s, self.power, victory_points=self.total, bonus=p.bonus + (self.amount if self.bonus else 0))

    def describe(self, t: Tables, names: Names) -> str:
        reason = points_reason(self.reason)
        return f"{of_power(t, self.power)} Victory Points {_signed(self.amount)} to {self.total}: {reason}"


class RecordWritten(Event, frozen=True):
    """Lines of an Administrative Record Sheet.

    `fresh` begins a new sheet; `upkeep` is pounds that count towards a duty to spend.
    """

    power: str
    lines: dict[str, int | None]
    fresh: bool = False
    upkeep: int = 0
    had_control: bool = False

    def evolve(self, s: State) -> State:
        p = s.powers.get(self.power, PowerState())
        lines = dict(self.lines) if self.fresh else {**p.record, **self.lines}
        return with_power(
            s,
            self.power,
            record=lines,
            upkeep=self.upkeep if self.fresh else p.upkeep + self.upkeep,
            had_control=p.had_control or self.had_control,
        )


class DiceRolled(Event, frozen=True):
    """Dice whose outcome needs no other event; changes nothing."""

    what: str
    dice: tuple[int, ...]
    power: str = ""
    outcome: str = ""

    def describe(self, t: Tables, names: Names) -> str:
        who = f"{capitalize(the_power(t, self.power))}: " if self.power else ""
        return f"{who}dice {_dice(self.dice)} for {self.what.replace('_', ' ')}" + (
            f": {self.outcome}" if self.outcome else ""
        )


class RandomEventRolled(Event, frozen=True):
    """A Random Event. `happens` false means rolled again; `leopold`: the Belgian headline comes with it."""

    event: str  # "2-5"
    title: str
    happens: bool = True
    why: str = ""
    leopold: bool = False
    balkan_war: bool = False

    def evolve(self, s: State) -> State:
        if not self.happens:
            return s
        return replace(
            s,
            events=s.events if self.event in s.events else (*s.events, self.event),
            leopold=s.leopold or self.leopold,
            balkan_wars=s.balkan_wars + self.balkan_war,
        )

    def describe(self, t: Tables, names: Names) -> str:
        if not self.happens:
            return f"dice {self.event}: {self.title}; rolled again ({self.why})"
        effect = t.events[self.event].says if self.event in t.events else ""
        extra = " King Leopold demands colonial expansion." if self.leopold else ""
        return f"dice {self.event}: {self.title}. {effect}{extra}".rstrip()


class UnrestBegan(Event, frozen=True):
    """An Area goes into Unrest; `happens` false means rolled again on the same table."""

    area: str
    table: str = ""
    dice: tuple[int, ...] = ()
    happens: bool = True

    def evolve(self, s: State) -> State:
        return with_area(s, self.area, unrest=True) if self.happens else s

    def describe(self, t: Tables, names: Names) -> str:
        dice = f"dice {_dice(self.dice)} on Unrest Table {self.table}: " if self.dice else ""
        if not self.happens:
            return f"{dice}no Unrest is possible in {place_name(t, self.area)}; rolled again"
        return f"{dice}Unrest in {place_name(t, self.area)}!"


class UnrestEnded(Event, frozen=True):
    """The Unrest marker leaves an Area; `by` suppressed it, "" at the end of the turn."""

    area: str
    by: tuple[str, ...] = ()

    def evolve(self, s: State) -> State:
        return with_area(s, self.area, unrest=False)

    def describe(self, t: Tables, names: Names) -> str:
        by = f"; {the_powers(t, self.by)} suppress{'' if len(self.by) > 1 else 'es'} it" if self.by else ""
        return f"The Unrest in {place_name(t, self.area)} is over{by}"


NO_CONTROL_NOTE = "no Control marker, the column of the six"
"""The note, as logs have it, on a Power that does not roll. Rules: ADM-009."""
_OFFICE_WORDING = (
    (f"^{NO_CONTROL_NOTE}", "without a Control marker it gets what a 6 pays"),
    (": none(?=;|$)", ": no income"),
    (": halve(?=;|$)", ": half"),
    (": double(?=;|$)", ": doubled"),
)


class OfficeIncome(Event, frozen=True):
    """Colonial Office: `die` is 0 without a roll; `amount` is in pounds, after the events of the turn."""

    power: str
    die: int
    amount: int
    note: str = ""

    @property
    def explanation(self) -> str:
        """The note in the present wording."""
        return reword(self.note, _OFFICE_WORDING)

    def describe(self, t: Tables, names: Names) -> str:
        die = f"die {self.die}" if self.die else "no die"
        note = f" ({self.explanation})" if self.note else ""
        return f"{of_power(t, self.power)} Colonial Office pays £{self.amount}: {die}{note}"


class MinorActivity(Event, frozen=True):
    """Activity die of a Minor Power."""

    power: str
    die: int
    active: bool

    def describe(self, t: Tables, names: Names) -> str:
        return f"{the_power(t, self.power)} {'is active' if self.active else 'stays quiet'} (die {self.die})"


class MinorDirected(Event, frozen=True):
    """Area dice of a Minor Power; `accepted` false means rolled again."""

    power: str
    dice: tuple[int, int]
    area: str
    accepted: bool = True

    def evolve(self, s: State) -> State:
        return replace(s, active_minors={**s.active_minors, self.power: self.area}) if self.accepted else s

    def describe(self, t: Tables, names: Names) -> str:
        if not self.accepted:
            where = place_name(t, self.area)
            return (
                f"{the_power(t, self.power)}: dice {_dice(self.dice)}, no marker is possible in {where}; rolled again"
            )
        return f"{the_power(t, self.power)} turns to {place_name(t, self.area)} (dice {_dice(self.dice)})"


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

    def describe(self, t: Tables, names: Names) -> str:
        who, several = the_powers(t, self.powers), len(self.powers) > 1
        where = place_name(t, self.area)
        if not self.die:
            return f"{who} {'take' if several else 'takes'} {where} without a fight"
        means = {
            "defeated": "the Area is defeated",
            "eliminated": "all armies there are lost",
            "retreat": "the armies retreat",
            "losses": f"strength {self.losses} must be lost",
        }.get(self.effect, self.effect)
        return (
            f"{who} {'attack' if several else 'attacks'} {where}: {self.attack} against {self.defend}, "
            f"Table {self.table} at {self.column}, die {self.die}: "
            f"{COMBAT_RESULTS.get(self.result, self.result)}; {means}"
        )


class OrderDrawn(Event, frozen=True):
    """The order in which several Powers attack one Area."""

    area: str
    powers: tuple[str, ...]

    def describe(self, t: Tables, names: Names) -> str:
        return f"Order of attack in {place_name(t, self.area)}: {', '.join(power_name(t, p) for p in self.powers)}"


class RebellionChecked(Event, frozen=True):
    """Three dice against the Chinese Resentment Index without its last digit."""

    dice: tuple[int, ...]
    target: int
    rebellion: bool

    def evolve(self, s: State) -> State:
        return replace(s, rebellion=self.rebellion)

    def describe(self, t: Tables, names: Names) -> str:
        out = "the Rebellion begins" if self.rebellion else "no Rebellion"
        return f"Chinese Rebellion on {self.target} or less: dice {_dice(self.dice)} = {sum(self.dice)}, {out}"


class SeatsAbandoned(Event, frozen=True):
    """Seats have no player, so that their Powers follow the General Orders, or (`lifted`) have one again."""

    seats: tuple[str, ...]
    lifted: bool = False

    def evolve(self, s: State) -> State:
        removed = {*s.abandoned}.difference(self.seats) if self.lifted else {*s.abandoned, *self.seats}
        return replace(s, abandoned=tuple(seat for seat in s.players if seat in removed))

    def describe(self, t: Tables, names: Names) -> str:
        who, several = the_powers(t, self.seats), len(self.seats) > 1
        if self.lifted:
            return sentence(f"{who} {'have players' if several else 'has a player'} again")
        rule = f"{'they have' if several else 'it has'} no player and follow{'' if several else 's'} the General Orders"
        return sentence(f"{who} {'are' if several else 'is'} abandoned: {rule}")


PHASES_WITH_START = ("minor_powers", "movement")
"""Phases whose duties refer to the position at their beginning."""


def _record_phase_start(s: State) -> State:
    """Store the map as the beginning of the Phase, if its duties refer to it."""
    start = PhaseStart(s.areas, s.homes, s.sea_zones) if s.phase in PHASES_WITH_START else None
    return replace(s, phase_start=start) if start or s.phase_start else s
