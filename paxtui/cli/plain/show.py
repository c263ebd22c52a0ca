"""What `show` says in the plain mode: a place, a Power, the record sheet, indexes, treaties, log and map, in lines."""

from __future__ import annotations

from collections.abc import Callable

from paxtui.cli.plain.told.agreements import agreements
from paxtui.cli.plain.told.dispatches import note_told, show_dispatches
from paxtui.cli.plain.told.text import listed, spoken
from paxtui.cli.plain.told.war_told import war_told
from paxtui.engine.refusal import Refusal
from paxtui.pax.board.links import link_path
from paxtui.pax.board.neighbours import board
from paxtui.pax.board.status import units_line
from paxtui.pax.board.tables import HOME, Rule, Tables
from paxtui.pax.diplomacy import ways_out
from paxtui.pax.narration.narrate import Narrator
from paxtui.pax.play import casus_belli
from paxtui.pax.sequence import OPEN, waiting
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import AreaState
from paxtui.pax.turn import explained, record_sheet
from paxtui.pax.words.names import index, key
from paxtui.pax.words.spoken import phase_name, place_name, power_name, sentence
from paxtui.table.onlooker import Told
from paxtui.table.session import Session
from paxtui.table.tables import load_rules

LOG_LINES = 20
"""Events that `show log` tells when no number is given."""


def show(session: Session, words: str) -> list[str]:
    """The answer to `show WORDS`.

    Raises: Refusal, when the words name nothing.
    """
    first, _, rest = words.strip().partition(" ")
    part = _PARTS.get(first.casefold())
    if part is not None:
        return part(session, rest.strip())
    if not first:
        return overview(session)
    names = index(session.tables)
    power = [p for p in names.powers.among(words) if p in session.tables.homes]
    if len(power) == 1 and (len(names.places.among(words)) < 2 or key(words) in names.powers.ids):
        return about_power(session, power[0])
    place = find_place(session, words)
    return about_power(session, place[len(HOME) :]) if place.startswith(HOME) else about_place(session, place)


def find_place(session: Session, words: str) -> str:
    """A place by name, beginning, or the three letters of the map.

    Raises: Refusal.
    """
    if len(words.strip()) == 3:
        from paxtui.tui.land.places import the_atlas

        code = words.strip().upper()
        for place in the_atlas().places.values():
            if place.code == code:
                return place.id
    found = index(session.tables).places.find(words)
    return HOME + session.power if found == "home" else found


# --- the whole ----------------------------------------------------------------------------------------------------


def headline(tables: Tables, state: State) -> str:
    """Where the game stands, in one line."""
    year = tables.turns[state.turn - 1].year
    return f"{year}, Game Turn {state.turn} of {len(tables.turns)}, {phase_name(state.phase)} Phase"


def overview(session: Session) -> list[str]:
    """Phase, indexes, who is waited for, money and points of everybody."""
    tables, state = session.tables, session.state
    out = [f"{headline(tables, state)}; line {session.line} of {session.version}."]
    out.append(f"European Tensions {state.tension} of 100. Chinese Resentment {state.resentment}.")
    for dice in state.events:
        out.append(f"Event in force: {tables.events[dice].title} ({dice}).")
    for power, p in state.powers.items():
        due = f", {p.merchants_due} Merchant Fleets due" if p.merchants_due else ""
        flag = ", ready" if state.phase in OPEN and power in state.ready else ""
        out.append(f"{power_name(tables, power)}: £{p.treasury}, {p.victory_points} Victory Points{due}{flag}.")
    due_seats = [power_name(tables, s) for s in waiting(tables, state)]
    return [*out, *result(tables, state)] if state.result else [*out, f"Waiting for {listed(due_seats)}."]


def result(tables: Tables, state: State) -> list[str]:
    """How the game ended; nothing while it goes on."""
    if state.result is None:
        return []
    r = state.result
    why = "The Great War has broken out." if r.reason == "great_war" else "The last Game Turn is over."
    blame = f" To blame: {listed([power_name(tables, c) for c in r.culprits])}." if r.culprits else ""
    ranks = sorted(r.ranks.items(), key=lambda kv: (kv[1], kv[0]))
    return [
        f"The game is over. {why}{blame}",
        *(f"Rank {n}: {power_name(tables, s)}, {r.totals.get(s, 0)} Victory Points." for s, n in ranks),
    ]


def about_game(session: Session, words: str = "") -> list[str]:
    """The file, the seats and the options."""
    about = session.about
    options = [f"{name} {value}" for name, value in sorted(about.options.items())]
    return [
        f"Game {about.game}, {about.program}, {session.version} line{'s' * (session.version != 1)}.",
        f"File: {about.file or 'none'}.",
        f"Seats: {listed([power_name(session.tables, s) for s in session.live.players])}.",
        f"Options: {listed(options, 'none')}.",
    ]


# --- places and Powers --------------------------------------------------------------------------------------------


def markers_line(tables: Tables, here: AreaState) -> str:
    """Who holds what in an Area."""
    held = [
        f"{power_name(tables, m.power)} {tables.markers[m.marker].name}"
        + (" (unestablished)" if not m.established else "")
        for m in here.markers
    ]
    return listed(held, "nobody's")


def garrison_line(tables: Tables, here: AreaState) -> str:
    """Whose units stand in an Area; "" for none."""
    owners = dict.fromkeys(u.power for u in here.units)
    return ", ".join(
        f"{power_name(tables, p)} {units_line(tuple(u for u in here.units if u.power == p))}" for p in owners
    )


def about_place(session: Session, place: str) -> list[str]:
    """An Area or a Sea Zone."""
    tables, state = session.tables, session.state
    if place in tables.sea_zones:
        return _sea_zone(tables, state, place)
    if place not in tables.areas:
        return [f"{place_name(tables, place)} is a zone in War only."]
    area, here = tables.areas[place], state.areas[place]
    kind = (here.type or area.type).replace("_", " ")
    out = [f"{area.name}: {kind}, {region_name(area.region)}, value {area.value}, strength {area.strength}."]
    out.append(f"Markers: {markers_line(tables, here)}.")
    out.append(f"Units: {garrison_line(tables, here) or 'none'}.")
    if here.unrest:
        out.append("Unrest.")
    if here.codominion:
        out.append(f"Codominion of {listed([power_name(tables, p) for p in here.codominion])}.")
    if here.canal:
        out.append("A canal.")
    if area.upgrade:
        out.append(f"May become a {area.upgrade.title()}.")
    for cause in state.casus_belli:
        if cause.area == place:
            out.append(f"{cause_line(tables, cause.holder, cause.against)} ({cause.id}, {cause.rule}).")
    zones = [z for z in board(tables, state).around(place) if z in tables.sea_zones]
    overland = [p for p in board(tables, state).around(place) if p not in tables.sea_zones]
    if zones:
        out.append(f"Coast: {listed([place_name(tables, z) for z in zones])}.")
    if overland:
        out.append(f"Overland: {listed([place_name(tables, p) for p in overland])}.")
    path = link_path(tables, state, session.power, place)
    name = power_name(tables, session.power)
    if path:
        out.append(f"{name}'s link: {', '.join(place_name(tables, p) for p in path)}.")
    else:
        out.append(f"{name} has no Communication Link here.")
    return out


def _sea_zone(tables: Tables, state: State, zone: str) -> list[str]:
    """A Sea Zone: fleets, neighbours, coasts."""
    coasts = [a.name for a in tables.areas.values() if zone in board(tables, state).around(a.id)]
    homes = [power_name(tables, p) for p, h in tables.homes.items() if zone in h.sea_zones]
    return [
        f"{tables.sea_zones[zone].name}, Sea Zone.",
        f"Merchant Fleets: {listed([power_name(tables, p) for p in state.sea_zones.get(zone, ())], 'none')}.",
        f"Next to: {listed([place_name(tables, z) for z in tables.sea_zones[zone].adjacent])}.",
        f"Home Countries: {listed(homes, 'none')}.",
        f"Areas: {listed(coasts, 'none')}.",
    ]


def about_power(session: Session, power: str) -> list[str]:
    """Money, points, units, fleets and everything it holds."""
    tables, state = session.tables, session.state
    p = state.powers.get(power)
    money = f"£{p.treasury}, {p.victory_points} Victory Points" if p else "no treasury here"
    out = [f"{power_name(tables, power)}: {money}."]
    if p:
        net = record_sheet.forecast(tables, state, power)
        out.append(f"Line 22 to be expected without the Colonial Office: £{net}.")
        if p.merchants_due:
            out.append(f"Merchant Fleets due: {p.merchants_due}.")
    out.append(f"At home: {units_line(state.homes.get(power, ())) or 'no units'}.")
    fleets = [place_name(tables, z) for z, owners in state.sea_zones.items() if power in owners]
    out.append(f"Merchant Fleets: {listed(fleets, 'none')}.")
    for area, here in state.areas.items():
        marks = [
            tables.markers[m.marker].name + ("" if m.established else " (unestablished)")
            for m in here.markers
            if m.power == power
        ]
        units = units_line(tuple(u for u in here.units if u.power == power))
        if marks or units:
            shared = ", Codominion" if power in here.codominion else ""
            unrest = ", Unrest" if here.unrest else ""
            held = listed(marks, "no marker") + shared + unrest
            out.append(f"{place_name(tables, area)}: {held}, {units or 'no units'}.")
    for cause in state.casus_belli:
        if power in (cause.holder, cause.against):
            out.append(f"{cause_line(tables, cause.holder, cause.against, cause.area)} ({cause.id}).")
    return out


def cause_line(tables: Tables, holder: str, against: str, area: str = "") -> str:
    """A Casus Belli in words."""
    where = f" over {place_name(tables, area)}" if area else ""
    return f"Casus Belli of {power_name(tables, holder)} against {power_name(tables, against)}{where}"


# --- the panes ----------------------------------------------------------------------------------------------------


def record(session: Session, words: str = "") -> list[str]:
    """The Administrative Record Sheet; with the number of a line the arithmetic behind it.

    Raises: Refusal.
    """
    tables, state = session.tables, session.state
    line, power = "", session.power
    for word in words.split():
        if word.isdecimal():
            line = f"{int(word):02d}"
        else:
            power = index(tables).powers.find(word)
    if power not in state.powers:
        return [f"{power_name(tables, power)} keeps no Record Sheet."]
    if line and line not in tables.record:
        raise Refusal("notation", (), f"The Record Sheet has lines 1 to {len(tables.record)}, and no line {int(line)}.")
    sheet, now = state.powers[power].record, dict(record_sheet.figure(tables, state, power))
    now["22"] = record_sheet.forecast(tables, state, power)
    if line:
        out = [_record_line(tables, line, sheet, now)]
        return out + [spoken(text) + "." for text in explained.explain(tables, state, power, line)]
    out = [f"Record Sheet of {power_name(tables, power)}, written this turn and as it would be now:"]
    out += [_record_line(tables, name, sheet, now) for name in tables.record]
    return [*out, "Line 22 now is without the Colonial Office. 'show record N' explains line N."]


def _record_line(tables: Tables, line: str, sheet: dict[str, int | None], now: dict[str, int]) -> str:
    written = sheet.get(line)
    figures = ["open" if written is None else str(written)]
    if line in now and now[line] != written:
        figures.append(f"now {now[line]}")
    return f"{line} {tables.record[line].what}: {', '.join(figures)}"


def indexes(session: Session, words: str = "") -> list[str]:
    """European Tensions, Chinese Resentment, the turns, and what raised the indexes."""
    tables, state = session.tables, session.state
    target = state.resentment // 10
    ways = sum(1 for a in range(1, 7) for b in range(1, 7) for c in range(1, 7) if a + b + c <= target)
    row = tables.turns[state.turn - 1]
    out = [
        f"European Tensions: {state.tension} of 100.",
        f"Chinese Resentment: {state.resentment}.",
        f"Rebellion on {target} or less with three dice, {ways * 100 / 216:.0f} %.",
        f"Great War penalty: {row.great_war_penalty} Victory Points, three times that for the culprit.",
    ]
    for turn in tables.turns[state.turn :]:
        fleets = [power_name(tables, p) for p in turn.merchant_fleets if p in state.powers]
        out.append(f"{turn.year}: penalty {turn.great_war_penalty}, Merchant Fleets for {listed(fleets)}.")
    raised = [e for e in session.log() if e.kind in ("TensionRaised", "ResentmentRaised") and e.line <= session.line]
    out.append("What raised them last:" if raised else "Nothing has raised them yet.")
    return out + [f"{e.line} {spoken(e.text)}" for e in raised[-10:]]


def treaties(session: Session, words: str = "") -> list[str]:
    """Causes of war, offers, and Treaties."""
    tables, state = session.tables, session.state
    out: list[str] = []
    for c in state.casus_belli:
        out.append(f"{c.id}: Casus Belli of {casus_belli.said(tables, c)} [{c.rule}]")
        if {c.holder, c.against} & set(session.my_powers()):
            out += [f"  {spoken(way)}" for way in ways_out.remedies(tables, state, c)]
    out = out or ["Nobody has a Casus Belli."]
    offers = [c for c in state.choices if c.about.private]
    out += [f"{c.id}: offer to {power_name(tables, c.power)}: {spoken(c.prompt)}" for c in offers]
    return [*(out if offers else [*out, "No offer is open."]), *agreements(session)]


def log(session: Session, words: str = "") -> list[str]:
    """The last events up to the line looked at, each with the number of its line.

    Raises: Refusal.
    """
    number = words.strip() or str(LOG_LINES)
    if not number.isdecimal() or not 0 < int(number[:9]) < 10**6:
        raise Refusal("notation", (), "'show log' takes how many events to tell, such as 'show log 40'.")
    told = [f"{line} {text}" for line, text in lines_told(session, 1, session.line)]
    return told[-int(number) :] or ["Nothing has happened yet."]


def lines_told(session: Session, after: int, last: int) -> list[tuple[int, str]]:
    """What the seat's lines after one up to another say, in plain words without signs, by the seat's numbers."""
    told = session.told(session.place_of(after), session.place_of(last))
    return [(line.number, text) for line in told for text in line_told(session.tables, session.narrator, line)]


def line_told(tables: Tables, narrator: Narrator, told: Told) -> list[str]:
    """What a line of the log says to the seat of the narrator, in plain words without signs."""
    line = told.line
    if line.kind == "act":
        return [sentence(text) for event in told.events if (text := spoken(narrator.tell(event)))]
    who = power_name(tables, line.seat)
    if line.kind == "undo":
        return [f"{who} takes the game back to line {line.target}."]
    if line.kind == "redo":
        return [f"{who} brings back what was undone."]
    return note_told(tables, line)


def world(session: Session, words: str = "") -> list[str]:
    """The map: regions with who holds what; one region Area by Area; or drawn.

    Raises: Refusal.
    """
    tables, state = session.tables, session.state
    if words.casefold() == "drawn":
        from paxtui.cli.picture import draw_map, text_of_rows

        return text_of_rows(draw_map(tables, state)).splitlines()
    found: dict[str, list[str]] = {}
    for each in tables.areas.values():
        found.setdefault(each.region, []).append(each.id)
    if not words:
        out = []
        for region, areas in found.items():
            held: dict[str, int] = {}
            for area in areas:
                for power in dict.fromkeys(m.power for m in state.areas[area].markers):
                    held[power] = held.get(power, 0) + 1
            owners = [f"{power_name(tables, p)} {n}" for p, n in sorted(held.items(), key=lambda kv: -kv[1])]
            unrest = [place_name(tables, a) for a in areas if state.areas[a].unrest]
            trouble = f" Unrest in {listed(unrest)}." if unrest else ""
            out.append(f"{region_name(region)}, {len(areas)} Areas; markers: {listed(owners)}.{trouble}")
        return [*out, "'show map REGION' tells a region Area by Area, 'show map drawn' draws the world."]
    regions = [r for r in found if key(r).startswith(key(words))]
    if len(regions) != 1:
        known = listed([region_name(r) for r in regions or found])
        raise Refusal("notation", (), f"'{words[:40]}' is not the beginning of one region; there are {known}.")
    return [area_line(tables, state, area) for area in found[regions[0]]]


def region_name(region: str) -> str:
    """A region for people."""
    return region.replace("_", " ")


def area_line(tables: Tables, state: State, area: str) -> str:
    """An Area in one line."""
    row, here = tables.areas[area], state.areas[area]
    units = garrison_line(tables, here)
    return (
        f"{row.name}, value {row.value}, strength {row.strength}: {markers_line(tables, here)}"
        + (f"; {units}" if units else "")
        + ("; Unrest" if here.unrest else "")
        + "."
    )


def find_rules(words: str) -> list[Rule]:
    """Rules by id, by the beginning of an id, or with all of the words in them."""
    wanted, rules = words.casefold().replace(",", " ").split(), load_rules()
    ids = [rules[w.upper()] for w in wanted if w.upper() in rules]
    return ids or [
        r for r in rules.values() if all(r.id.casefold().startswith(w) or w in r.statement.casefold() for w in wanted)
    ]


_PARTS: dict[str, Callable[[Session, str], list[str]]] = {
    "war": war_told,
    "record": record,
    "indexes": indexes,
    "treaties": treaties,
    "dispatches": show_dispatches,
    "log": log,
    "map": world,
    "game": about_game,
}
