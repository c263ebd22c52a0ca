"""Explain the lines of the record sheet, and list the remedies for a Casus Belli.

Rules: SEQ-019, SEQ-020, NEG-001 to NEG-003, NEG-007, NEG-013, NEG-018, MIN-035, WAR-029
"""

from __future__ import annotations

from paxtui.games.pax.board.routes import link_path, linked_areas
from paxtui.games.pax.board.status import established, holdings, influence_holders, level, powers_of, seat_of
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.casus_belli import DEFENCE, MARKER_CAUSES, TURN, lapse_time
from paxtui.games.pax.diplomacy.transfers import JOINING_PRICE, possible_sharers
from paxtui.games.pax.expansion.placement import best_compatible_marker
from paxtui.games.pax.state.diplomacy import CasusBelli
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.phases import PHASES
from paxtui.games.pax.state.pieces import LEVEL
from paxtui.games.pax.text.display import place_name, power_name
from paxtui.games.pax.turn import victory
from paxtui.games.pax.turn.administration import (
    FIGURED,
    SHEET,
    area_value,
    colonial_income,
    is_free_of_upkeep,
    sheet_lines,
)
from paxtui.games.pax.turn.victory import CULPRIT_MULTIPLE, final_income, final_lines


def cause_remedies(tables: Tables, state: State, cause: CasusBelli) -> list[str]:
    """Return the remedies for a Casus Belli, one sentence each, with the order in backticks; the last is its expiry.

    Rules: SEQ-019, SEQ-020, NEG-001, NEG-002, NEG-003, NEG-007, NEG-013, NEG-018, MIN-035, WAR-029
    """
    phase = PHASES.index(state.phase)
    talks = phase <= PHASES.index("negotiation")
    holder, against = power_name(tables, cause.holder), power_name(tables, cause.against)
    out: list[str] = []
    if talks:
        out += _agreement_remedies(tables, state, cause)
        if cause.cause == DEFENCE:
            out.append(f"A Congress of Europe meets over it, because {holder} has announced the defence.")
        else:
            out.append(f"{holder} gives it up: `waive {cause.id}`.")
            out.append(f"{holder} calls a Congress of Europe at the end of the Negotiation Phase.")
    elif state.phase == "congress":
        out.append("The Congress of Europe settles it by a Treaty that all parties to the dispute sign.")
    if phase <= PHASES.index("war"):
        out.append(f"{holder} declares War on {against}: `declare war`.")
    if not talks or lapse_time(cause) == TURN:
        out.append("If nothing is done, it lapses when the War Phase has opened.")
    elif cause.cause in MARKER_CAUSES:
        out.append("If nothing is done, it is settled when the War Phase has opened: the holder's marker is lowered.")
    return out


def _agreement_remedies(tables: Tables, state: State, cause: CasusBelli) -> list[str]:
    """Ways to settle a dispute over an Area before a Congress: concession, sharing, compensation."""
    if not cause.area:
        return []
    out: list[str] = []
    where = place_name(tables, cause.area)
    for power in (cause.holder, cause.against):
        own = established(state, cause.area, power)
        if own is None or power not in state.powers or (power == cause.holder and cause.cause not in MARKER_CAUSES):
            continue
        to = best_compatible_marker(state, cause.area, power)
        order = f"{power}: downgrade {to} {cause.area}" if to else f"{power}: withdraw {own.marker} {cause.area}"
        becomes = f"becomes {tables.markers[to].name}" if to else "leaves the map"
        steps = level(own) - LEVEL[to]
        out.append(
            f"{power_name(tables, power)} lowers its marker: the {tables.markers[own.marker].name} in "
            f"{where} {becomes}, European Tensions +{steps}: "
            f"`{order.removeprefix(seat_of(tables, state, power) + ': ')}`."
        )
    share = possible_sharers(tables, state, cause.area)
    if cause.holder in share and cause.against in share:
        also = [p for p in influence_holders(state, cause.area) if p in share]
        order = f"codominion {cause.area}" + (f" with {' '.join(also)}" if also else "")
        price = f", £{JOINING_PRICE} for each Influence that becomes a Protectorate" if also else ""
        out.append(f"They share {where}{price}: `{order}`.")
    if cause.against in state.powers:
        out.append("They agree on something else in one proposal (propose): a marker, a Codominion or money.")
    return out


def explain_line(tables: Tables, state: State, power: str, line: str) -> list[str]:
    """Explain how a line of the record sheet is computed in this position, one sentence for each component.

    `line` is its printed number, "01" to "31".
    """
    lines = sheet_lines(tables, state, power)
    record = state.powers[power].record if power in state.powers else {}
    if line in FIGURED and line != "16":
        return _explain_markers(tables, state, power, line, lines[line])
    if line == "16":
        return _explain_units(tables, state, power, lines["16"])
    if line == "10":
        die = record.get("10")
        return ["the Colonial Office is rolled in the Administrative Phase" if die is None else f"£{die} this turn"]
    if line == "15":
        office = record.get("10")
        parts = f"{lines['11']} + {lines['12']} + {lines['13']} + {lines['14']}"
        if office is None:
            return [f"£{parts} = £{colonial_income(lines)}, plus the Colonial Office later"]
        return [f"£{office} + {parts} = £{office + colonial_income(lines)}"]
    if line == "21":
        parts = " + ".join(str(lines[k]) for k in ("16", "17", "18", "19", "20"))
        return [f"£{parts} = £{lines['21']}"]
    if line == "22":
        return _explain_net(lines, record)
    return _explain_points(tables, state, power, line)


def _explain_markers(tables: Tables, state: State, power: str, line: str, total: int) -> list[str]:
    linked = linked_areas(tables, state, power)
    out = []
    for area, marker in holdings(state, power):
        kind, cost = SHEET[marker], tables.markers[marker]
        if line not in (kind.number, kind.value, kind.income, kind.maintenance):
            continue
        where = f"{cost.name} in {place_name(tables, area)}"
        if area not in linked:
            out.append(f"{where}: left out, no Communication Link")
            continue
        value = area_value(tables, state, area, marker)
        full = tables.areas[area].value
        shared = "" if value == full else f" (value {full}, less {full - value} for the other Control markers)"
        if line == kind.number:
            path = " → ".join(place_name(tables, p) for p in link_path(tables, state, power, area))
            out.append(f"{where}, linked: {path}")
        elif line == kind.value:
            out.append(f"{where}: {value}{shared}")
        elif line == kind.income:
            out.append(f"{where}: {value} x {cost.multiplier} = £{value * cost.multiplier}{shared}")
        else:
            out.append(f"{where}: £{cost.maintenance}")
    return [*out, f"together {total}"] if len(out) > 1 else out or ["nothing"]


def _explain_units(tables: Tables, state: State, power: str, total: int) -> list[str]:
    out = []
    for area, here in state.areas.items():
        own = [u for u in here.units if u.power == power]
        if own:
            names = " ".join(u.name for u in own)
            free = is_free_of_upkeep(here, power)
            cost = "nothing, its own State or Dominion" if free else f"£{sum(u.strength for u in own)}"
            out.append(f"{names} in {place_name(tables, area)}: {cost}")
    return [*out, f"together £{total}"] if out else ["no units abroad"]


def _explain_net(lines: dict[str, int], record: dict[str, int | None]) -> list[str]:
    income, upkeep, net = record.get("15"), record.get("21"), record.get("22")
    if income is not None and upkeep is not None:
        out = [f"£{income} - {upkeep} = £{income - upkeep}"]
        if net is not None and net != income - upkeep:
            out.append(f"a deficit, met by giving up units and markers: the Treasury is £{net}")
        return out
    earned = colonial_income(lines)
    return [f"£{earned} - {lines['21']} = £{earned - lines['21']} before the Colonial Office"]


def _explain_points(tables: Tables, state: State, power: str, line: str) -> list[str]:
    divisor = tables.powers[power]
    price = f"{divisor.vp_points} for £{divisor.vp_pounds}" if divisor.vp_points > 1 else f"1 for £{divisor.vp_pounds}"
    if line in ("23", "24", "25", "26"):
        possible = victory.possible_turn_bonuses(tables, state, power)
        turn_bonuses = [f"{row.points:+} a turn for {what}" for row, what in possible]
        return {
            "23": [
                f"{power_name(tables, p)}: £{state.powers[p].treasury} now" for p in powers_of(tables, state, power)
            ],
            "24": [f"line 23 at {price}, fractions lost"],
            "25": [f"{state.powers[power].bonus} so far this turn", *turn_bonuses],
            "26": [f"lines 24 and 25; {state.powers[power].victory_points} Victory Points altogether now"],
        }[line]
    if power not in state.players:
        return [f"counts for {power_name(tables, divisor.seat)}"] if divisor.seat else ["no player"]
    return _explain_final_line(tables, state, power, line)


def _explain_final_line(tables: Tables, state: State, seat: str, line: str) -> list[str]:
    """Explain how a line of Section VI is computed in this position."""
    lines = final_lines(tables, state, seat)
    if line == "27":
        return [f"line 26 of all turns, and what was awarded or lost at once: {lines['27']}"]
    if line == "28":
        counted = victory.current_bonuses(tables, state, seat)
        now = [f"{points:+}: {why}" for _, points, why in counted] or ["no condition is met"]
        counted_ids = {row.id for row, _, _ in counted}
        return now + [
            f"{victory.scaled_bonus(state, row.points):+} if: {what}"
            for row, what in victory.possible_final_bonuses(tables, state, seat)
            if row.id not in counted_ids
        ]
    if line == "29":
        power = tables.powers[seat]
        out = [
            f"{power_name(tables, p)}: £{colonial_income(sheet_lines(tables, state, p))} from Areas"
            for p in powers_of(tables, state, seat)
        ]
        each = f"{power.vp_points} for £{power.vp_pounds}"
        return [*out, f"twice £{final_income(tables, state, seat)} at {each} = {lines['29']}, fractions lost"]
    if line == "30":
        points = tables.turns[state.turn - 1].great_war_penalty
        mark = " (reconstructed table)" if "turns" in tables.reconstructed else ""
        thrice = -CULPRIT_MULTIPLE * points
        return [f"only after a Great War: {-points} in this turn, {thrice} for a Power that causes it{mark}"]
    return [f"{lines['27']} {lines['28']:+} {lines['29']:+} {lines['30']:+} = {lines['31']}"]
