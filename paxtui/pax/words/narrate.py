"""Events in plain words: one line each, with the dice, for the log pane, `show`, and the plain mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from paxtui.pax.words import treaty_narration
from paxtui.pax.words.spoken import marker_name, phase_name, place_name, power_name, powers_named

Words = Callable[[Tables, Any], str]


def _dice(dice: tuple[int, ...]) -> str:
    return "-".join(map(str, dice))


def _signed(n: int) -> str:
    return f"+{n}" if n > 0 else str(n)


def _phase(t: Tables, e: ev.PhaseBegan) -> str:
    return f"— {phase_name(e.phase)} Phase —"


def _turn(t: Tables, e: ev.TurnBegan) -> str:
    fleets = ", ".join(power_name(t, p) for p, n in e.fleets.items() if n)
    ours = " (reconstructed track)" if "turns" in t.reconstructed else ""
    return f"══ {e.year}: Game Turn {e.turn} ══" + (f" New Merchant Fleets for {fleets}{ours}." if fleets else "")


def _ready(t: Tables, e: ev.SeatReady) -> str:
    return f"{power_name(t, e.seat)} is {'ready' if e.ready else 'no longer ready'}."


def _choice(t: Tables, e: ev.ChoiceOffered) -> str:
    c = e.choice
    options = " / ".join(o if isinstance(o, str) else " ".join(o) for o in c.options[:6])
    return f"{power_name(t, c.power)} must choose ({c.id}, {c.kind}): {c.prompt or options}"


def _answer(t: Tables, e: ev.ChoiceMade) -> str:
    if e.void:
        return f"{e.id} lapses."
    return f"{e.id}: {' '.join(e.answer)}" + (" (the default)" if e.by_default else "")


def _ended(t: Tables, e: ev.GameEnded) -> str:
    r = e.result
    why = "The Great War breaks out" if r.reason == "great_war" else "The tenth Game Turn is over"
    blame = f", brought about by {powers_named(t, r.culprits)}" if r.culprits else ""
    ranks = sorted(r.ranks.items(), key=lambda kv: kv[1])
    places = ", ".join(f"{n}. {power_name(t, s)} ({r.totals.get(s, 0)})" for s, n in ranks)
    return f"{why}{blame}. {places}"


def _tension(t: Tables, e: ev.TensionRaised) -> str:
    blame = f"; blame: {power_name(t, e.blame)}" if e.blame else ""
    return f"European Tensions {_signed(e.amount)} to {e.total}: {e.reason}{blame}"


def _resentment(t: Tables, e: ev.ResentmentRaised) -> str:
    return f"Chinese Resentment {_signed(e.amount)} to {e.total}: {e.reason}"


def _money(t: Tables, e: ev.TreasuryChanged) -> str:
    sign = "+" if e.amount >= 0 else "-"
    return f"{power_name(t, e.power)} {sign}£{abs(e.amount)} → £{e.total}: {e.reason}"


def _points(t: Tables, e: ev.VictoryPointsChanged) -> str:
    return f"{power_name(t, e.power)} {_signed(e.amount)} VP → {e.total}: {e.reason}"


def _record(t: Tables, e: ev.RecordWritten) -> str:
    shown = [(k, e.lines[k]) for k in ("10", "15", "21", "22", "24", "26", "31") if e.lines.get(k) is not None]
    return f"{power_name(t, e.power)}'s Record Sheet: " + ", ".join(f"line {k} = {v}" for k, v in shown)


def _rolled(t: Tables, e: ev.DiceRolled) -> str:
    who = f"{power_name(t, e.power)}: " if e.power else ""
    return f"{who}dice {_dice(e.dice)} for {e.what.replace('_', ' ')}" + (f": {e.outcome}" if e.outcome else "")


def _event(t: Tables, e: ev.RandomEventRolled) -> str:
    if not e.happens:
        return f"dice {e.event}: {e.title}; rolled again ({e.why})"
    extra = " King Leopold demands colonial expansion." if e.leopold else ""
    return f"dice {e.event}: {e.title}.{extra}"


def _unrest(t: Tables, e: ev.UnrestBegan) -> str:
    dice = f"dice {_dice(e.dice)} on Unrest Table {e.table}: " if e.dice else ""
    if not e.happens:
        return f"{dice}{place_name(t, e.area)}; rolled again"
    return f"{dice}Unrest in {place_name(t, e.area)}!"


def _calm(t: Tables, e: ev.UnrestEnded) -> str:
    by = f" {powers_named(t, e.by)} suppresses it." if e.by else ""
    return f"The Unrest in {place_name(t, e.area)} ends.{by}"


def _office(t: Tables, e: ev.OfficeIncome) -> str:
    die = f"die {e.die}" if e.die else "no die"
    note = f" ({e.note})" if e.note else ""
    return f"Colonial Office of {power_name(t, e.power)}: {die}, £{e.amount}{note}"


def _minor(t: Tables, e: ev.MinorActivity) -> str:
    return f"{power_name(t, e.power)}: die {e.die}, {'active' if e.active else 'inactive'}"


def _directed(t: Tables, e: ev.MinorDirected) -> str:
    again = "" if e.accepted else "; rolled again"
    return f"{power_name(t, e.power)}: dice {_dice(e.dice)} = {sum(e.dice)}, {place_name(t, e.area)}{again}"


RESULTS = {
    "E": "attacker eliminated",
    "AR": "attacker retreats",
    "EX": "exchange",
    "HX": "half exchange",
    "DR": "defender retreats",
    "DE": "defender eliminated",
}


def _combat(t: Tables, e: ev.ColonialCombat) -> str:
    who = powers_named(t, e.powers)
    where = place_name(t, e.area)
    if not e.die:
        return f"{who} takes {where} (no resistance)."
    means = {
        "defeated": "the Area is defeated",
        "eliminated": "all armies there are lost",
        "retreat": "the armies retreat",
        "losses": f"strength {e.losses} must be lost",
    }.get(e.effect, e.effect)
    return (
        f"{who} attacks {where}: {e.attack} against {e.defend}, Table {e.table} at {e.column}, "
        f"die {e.die}: {RESULTS.get(e.result, e.result)}; {means}."
    )


def _order(t: Tables, e: ev.OrderDrawn) -> str:
    return f"Order of attack in {place_name(t, e.area)}: {', '.join(power_name(t, p) for p in e.powers)}"


def _rebellion(t: Tables, e: ev.RebellionChecked) -> str:
    out = "the Chinese rise" if e.rebellion else "no Rebellion"
    return f"Chinese Rebellion on {e.target} or less: dice {_dice(e.dice)} = {sum(e.dice)}, {out}"


def _placed(t: Tables, e: ev.MarkerPlaced) -> str:
    verb = "holds from now on" if e.established else "places"
    over = f" over its {e.replaces.title()}" if e.replaces else ""
    return f"{power_name(t, e.power)} {verb} {marker_name(t, e.marker)} in {place_name(t, e.area)}{over}"


def _established(t: Tables, e: ev.MarkerEstablished) -> str:
    return f"{power_name(t, e.power)}'s {marker_name(t, e.marker)} in {place_name(t, e.area)} is established"


def _lowered(t: Tables, e: ev.MarkerLowered) -> str:
    new = "" if e.established else "unestablished "
    gone = f"becomes {marker_name(t, e.to)}" if e.to else "is removed"
    return (
        f"{power_name(t, e.power)}'s {new}{marker_name(t, e.marker)} in {place_name(t, e.area)} {gone}: {e.reason}"
    )


def _given(t: Tables, e: ev.MarkerTransferred) -> str:
    what = marker_name(t, e.marker)
    return f"{power_name(t, e.power)} hands its {what} in {place_name(t, e.area)} to {power_name(t, e.to)}"


def _shared(t: Tables, e: ev.CodominionSet) -> str:
    where = place_name(t, e.area)
    return f"{where} is a Codominion of {powers_named(t, e.powers)}" if e.powers else f"{where} is no Codominion now"


def _built(t: Tables, e: ev.UnitsBuilt) -> str:
    where = place_name(t, e.place) + (f" ({place_name(t, e.coast)})" if e.coast else "")
    return f"{power_name(t, e.power)} builds {' '.join(e.units)} in {where}"


def _moved(t: Tables, e: ev.UnitsMoved) -> str:
    verb = {"retreat": "retreats with", "fix": "garrisons with", "minor": "sends"}.get(e.reason, "moves")
    route = " → ".join(place_name(t, p) for p in e.path)
    return f"{power_name(t, e.power)} {verb} {' '.join(e.units)}: {route}"


def _lost(t: Tables, e: ev.UnitsLost) -> str:
    return f"{power_name(t, e.power)} loses {' '.join(e.units)} in {place_name(t, e.place)}: {e.reason}"


def _coast(t: Tables, e: ev.CoastChosen) -> str:
    return f"{power_name(t, e.power)}'s {e.unit} in {place_name(t, e.place)} lies on the {place_name(t, e.coast)}"


def _merchant(t: Tables, e: ev.MerchantMoved) -> str:
    start = "a new one" if e.start == "new" else place_name(t, e.start)
    return f"{power_name(t, e.power)}'s Merchant Fleet: {start} → {place_name(t, e.to)}"


def _ballots(t: Tables, e: ev.BallotsOpened) -> str:
    said = ", ".join(f"{power_name(t, seat)} {vote}" for seat, vote in e.votes.items())
    return f"The ballots are opened: {said}."


def _cause(t: Tables, e: ev.CasusBelliArose) -> str:
    where = f" over {place_name(t, e.area)}" if e.area else ""
    whom = f", for {power_name(t, e.minor)}" if e.minor else ""
    ours = " (reconstructed)" if any(c.id == e.cause and c.reconstructed for c in t.causes) else ""
    return f"⚔ Casus Belli {e.id}: {power_name(t, e.holder)} against {power_name(t, e.against)}{where}{whom}{ours}"


_WORDS: dict[type, Words] = {
    ev.PhaseBegan: _phase,
    ev.TurnBegan: _turn,
    ev.StepTaken: lambda t, e: "",
    ev.Noted: lambda t, e: e.text,
    ev.SeatReady: _ready,
    ev.ReadyCleared: lambda t, e: f"{power_name(t, e.by)} has acted: {powers_named(t, e.seats)} may react",
    ev.ChoiceOffered: _choice,
    ev.ChoiceMade: _answer,
    ev.PositionSet: lambda t, e: "The arbiter sets up another position.",
    ev.GameEnded: _ended,
    ev.TensionRaised: _tension,
    ev.ResentmentRaised: _resentment,
    ev.TreasuryChanged: _money,
    ev.VictoryPointsChanged: _points,
    ev.RecordWritten: _record,
    ev.DiceRolled: _rolled,
    ev.RandomEventRolled: _event,
    ev.UnrestBegan: _unrest,
    ev.UnrestEnded: _calm,
    ev.OfficeIncome: _office,
    ev.MinorActivity: _minor,
    ev.MinorDirected: _directed,
    ev.ColonialCombat: _combat,
    ev.OrderDrawn: _order,
    ev.RebellionChecked: _rebellion,
    ev.MarkerPlaced: _placed,
    ev.MarkerEstablished: _established,
    ev.MarkerLowered: _lowered,
    ev.MarkerTransferred: _given,
    ev.CodominionSet: _shared,
    ev.AreaTypeChanged: lambda t, e: f"{place_name(t, e.area)} is now of type {e.to.replace('_', ' ')}",
    ev.UnitsBuilt: _built,
    ev.UnitsMoved: _moved,
    ev.UnitsHalted: lambda t, e: "",
    ev.UnitsLost: _lost,
    ev.CoastChosen: _coast,
    ev.MerchantMoved: _merchant,
    ev.CanalBuilt: lambda t, e: f"{power_name(t, e.power)} opens a canal in {place_name(t, e.area)}",
    ev.CasusBelliArose: _cause,
    ev.CasusBelliEnded: lambda t, e: f"Casus Belli {e.id} is {e.reason}",
    ev.GarrisonMissing: lambda t, e: f"{place_name(t, e.area)} is without a garrison of {power_name(t, e.power)}",
    ev.DutyWaived: lambda t, e: f"{power_name(t, e.power)}'s duty is waived: {e.duty}"
    + (f" (£{e.amount})" if e.amount else ""),
    ev.MinorSentArmies: lambda t, e: "",
    ev.WarDue: lambda t, e: (
        "A Chinese Rebellion is due"
        if e.war == "chinese_rebellion"
        else f"The Ottoman Empire would declare War on {power_name(t, e.power)} over {place_name(t, e.area)}"
    ),
    **treaty_narration.WORDS,
    ev.CongressChanged: lambda t, e: e.note,
    ev.BallotCast: lambda t, e: f"{power_name(t, e.seat)} casts a ballot",
    ev.BallotsOpened: _ballots,
}


def describe(tables: Tables, event: ev.Event) -> str:
    """The event in one line of plain words; "" where it is nothing to tell.

    Args: the tables of the game; the event.
    """
    return _WORDS[type(event)](tables, event)
