"""Sentences for dice, the sequence of the Game Turn, and the ledgers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.events import events
from paxtui.games.pax.narration.labels import NameRegistry, describe_answer, question_summary
from paxtui.games.pax.state.questions import CongressQuestion
from paxtui.games.pax.text.display import (
    of_power,
    phase_name,
    place_name,
    power_name,
    powers_text,
    sentence,
    the_power,
    the_powers,
)

PASS = "pass"
"""Answer of a member of the Congress without a proposal."""


def _phase(t: Tables, e: events.PhaseBegan) -> str:
    return f"— {phase_name(e.phase)} Phase —"


def _turn(t: Tables, e: events.TurnBegan) -> str:
    fleets = ", ".join(power_name(t, p) for p, n in e.fleets.items() if n)
    return f"══ {e.year}: Game Turn {e.turn} ══" + (f" New Merchant Fleets for {fleets}." if fleets else "")


def _ready(t: Tables, e: events.SeatReady) -> str:
    return sentence(f"{the_power(t, e.seat)} is {'ready' if e.ready else 'no longer ready'}")


def _choice(t: Tables, e: events.ChoiceOffered) -> str:
    return sentence(f"{the_power(t, e.choice.power)} must decide {question_summary(t, e.choice)}")


def _answer(t: Tables, e: events.ChoiceMade, known: NameRegistry) -> str:
    choice = known.choices.get(e.id)
    if choice is None:
        return ""
    who = the_power(t, choice.power)
    if isinstance(choice.about, CongressQuestion) and not (choice.about.sealed and e.answer):
        # events of the Congress report all other answers
        return sentence(f"{who} proposes nothing") if e.answer == (PASS,) else ""
    if e.void:
        return sentence(f"{who} no longer needs to decide {question_summary(t, choice)}")
    default = ", by default" if e.by_default else ""
    return sentence(f"{who} decides {question_summary(t, choice)}: {describe_answer(t, choice, e.answer)}{default}")


def _abandoned(t: Tables, e: events.SeatsAbandoned) -> str:
    who, several = the_powers(t, e.seats), len(e.seats) > 1
    if e.lifted:
        return sentence(f"{who} {'have players' if several else 'has a player'} again")
    rule = f"nobody plays {'them' if several else 'it'} any more, and the General Orders hold"
    return sentence(f"{who} {'are' if several else 'is'} abandoned: {rule}")


def _ended(t: Tables, e: events.GameEnded) -> str:
    r = e.result
    why = "The Great War breaks out" if r.reason == "great_war" else "The tenth Game Turn is over"
    blame = f", brought about by {powers_text(t, r.culprits)}" if r.culprits else ""
    ranks = sorted(r.ranks.items(), key=lambda kv: kv[1])
    places = ", ".join(f"{n}. {power_name(t, s)} ({r.totals.get(s, 0)})" for s, n in ranks)
    return f"{why}{blame}. {places}"


SEQUENCE_TEXTS: dict[type, Callable[[Tables, Any], str]] = {
    events.PhaseBegan: _phase,
    events.TurnBegan: _turn,
    events.StepTaken: lambda t, e: "",
    events.Noted: lambda t, e: e.text,
    events.SeatReady: _ready,
    events.ReadyCleared: lambda t, e: sentence(
        f"{the_power(t, e.by)} has acted, so {the_powers(t, e.seats)} may react"
    ),
    events.ChoiceOffered: _choice,
    events.PositionSet: lambda t, e: "The arbiter sets up another position.",
    events.SeatsAbandoned: _abandoned,
    events.GameEnded: _ended,
}
"""Text functions by event type, for `paxtui.games.pax.narration.narrator`."""

SEQUENCE_NAMED_TEXTS: dict[type, Callable[[Tables, Any, NameRegistry], str]] = {events.ChoiceMade: _answer}
"""The same for events whose text needs names of ids."""


def _signed(n: int) -> str:
    return f"+{n}" if n > 0 else str(n)


TENSION_REASONS = {
    "gives way to Control": "a marker had to give way to new Control",
    "not defended by War": "a marker that nobody defended by War was lowered",
    "a Possession was placed": "an Interest had to go where a Possession was placed",
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


def _tension(t: Tables, e: events.TensionRaised) -> str:
    blame = f", by {the_power(t, e.blame)}" if e.blame else ""
    return f"European Tensions {_signed(e.amount)} to {e.total}: {tension_reason(e.reason)}{blame}"


def _resentment(t: Tables, e: events.ResentmentRaised) -> str:
    return f"Chinese Resentment {_signed(e.amount)} to {e.total}: {e.reason}"


def _money(t: Tables, e: events.TreasuryChanged) -> str:
    verb = "receives" if e.amount >= 0 else "pays"
    return f"{the_power(t, e.power)} {verb} £{abs(e.amount)}: {e.reason} (£{e.total} in the Treasury)"


def points_reason(reason: str) -> str:
    """Return the reason for a change of Victory Points, worded to follow a colon."""
    return f"{reason} over" if reason.startswith("£") and reason.endswith(" left") else reason


def _points(t: Tables, e: events.VictoryPointsChanged) -> str:
    return f"{of_power(t, e.power)} Victory Points {_signed(e.amount)} to {e.total}: {points_reason(e.reason)}"


LEDGER_TEXTS: dict[type, Callable[[Tables, Any], str]] = {
    events.TensionRaised: _tension,
    events.ResentmentRaised: _resentment,
    events.ResentmentReset: lambda t, e: f"Chinese Resentment back to 0: {e.reason}",
    events.TreasuryChanged: _money,
    events.VictoryPointsChanged: _points,
    # the Record Sheet has its own pane
    events.RecordWritten: lambda t, e: "",
}
"""Text functions by event type, for `paxtui.games.pax.narration.narrator`."""


def _dice(dice: tuple[int, ...]) -> str:
    return "-".join(map(str, dice))


def _rolled(t: Tables, e: events.DiceRolled) -> str:
    who = f"{sentence(the_power(t, e.power)).rstrip('.')}: " if e.power else ""
    return f"{who}dice {_dice(e.dice)} for {e.what.replace('_', ' ')}" + (f": {e.outcome}" if e.outcome else "")


def _event(t: Tables, e: events.RandomEventRolled) -> str:
    if not e.happens:
        return f"dice {e.event}: {e.title}; rolled again ({e.why})"
    effect = t.events[e.event].says if e.event in t.events else ""
    extra = " King Leopold demands colonial expansion." if e.leopold else ""
    return f"dice {e.event}: {e.title}. {effect}{extra}".rstrip()


def _unrest(t: Tables, e: events.UnrestBegan) -> str:
    dice = f"dice {_dice(e.dice)} on Unrest Table {e.table}: " if e.dice else ""
    if not e.happens:
        return f"{dice}{place_name(t, e.area)} cannot rise; rolled again"
    return f"{dice}Unrest in {place_name(t, e.area)}!"


def _calm(t: Tables, e: events.UnrestEnded) -> str:
    by = f"; {the_powers(t, e.by)} put{'' if len(e.by) > 1 else 's'} it down" if e.by else ""
    return f"The Unrest in {place_name(t, e.area)} is over{by}"


def _colonial_income(t: Tables, e: events.OfficeIncome) -> str:
    die = f"die {e.die}" if e.die else "no die"
    note = f" ({e.note})" if e.note else ""
    return f"{of_power(t, e.power)} Colonial Office pays £{e.amount}: {die}{note}"


def _minor(t: Tables, e: events.MinorActivity) -> str:
    return f"{the_power(t, e.power)} {'is active' if e.active else 'stays quiet'} (die {e.die})"


def _directed(t: Tables, e: events.MinorDirected) -> str:
    if not e.accepted:
        return f"{the_power(t, e.power)}: dice {_dice(e.dice)}, {place_name(t, e.area)} is not open to it; rolled again"
    return f"{the_power(t, e.power)} turns to {place_name(t, e.area)} (dice {_dice(e.dice)})"


COMBAT_RESULTS = {
    "E": "attacker eliminated",
    "AR": "attacker retreats",
    "EX": "exchange",
    "HX": "half exchange",
    "DR": "defender retreats",
    "DE": "defender eliminated",
}
"""Results of the Combat Results Tables."""


def _combat(t: Tables, e: events.ColonialCombat) -> str:
    who, several = the_powers(t, e.powers), len(e.powers) > 1
    where = place_name(t, e.area)
    if not e.die:
        return f"{who} {'take' if several else 'takes'} {where}, which does not resist"
    means = {
        "defeated": "the Area is defeated",
        "eliminated": "all armies there are lost",
        "retreat": "the armies retreat",
        "losses": f"strength {e.losses} must be lost",
    }.get(e.effect, e.effect)
    return (
        f"{who} {'attack' if several else 'attacks'} {where}: {e.attack} against {e.defend}, Table {e.table} at "
        f"{e.column}, die {e.die}: {COMBAT_RESULTS.get(e.result, e.result)}; {means}"
    )


def _order(t: Tables, e: events.OrderDrawn) -> str:
    return f"Order of attack in {place_name(t, e.area)}: {', '.join(power_name(t, p) for p in e.powers)}"


def _rebellion(t: Tables, e: events.RebellionChecked) -> str:
    out = "the Chinese rise" if e.rebellion else "no Rebellion"
    return f"Chinese Rebellion on {e.target} or less: dice {_dice(e.dice)} = {sum(e.dice)}, {out}"


DICE_TEXTS: dict[type, Callable[[Tables, Any], str]] = {
    events.DiceRolled: _rolled,
    events.RandomEventRolled: _event,
    events.UnrestBegan: _unrest,
    events.UnrestEnded: _calm,
    events.OfficeIncome: _colonial_income,
    events.MinorActivity: _minor,
    events.MinorDirected: _directed,
    events.ColonialCombat: _combat,
    events.OrderDrawn: _order,
    events.RebellionChecked: _rebellion,
}
"""Text functions by event type, for `paxtui.games.pax.narration.narrator`."""
