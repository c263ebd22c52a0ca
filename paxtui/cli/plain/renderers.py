"""Text of the plain mode, for screen readers: no symbols, one statement per line.

Renders the topics of `show` (places, Powers, record sheet, indexes, Treaties, Wars, log, map, dispatches), reports,
and chat.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from paxtui.engine.free_text import ChatLine
from paxtui.engine.log import UNDO_REQUEST, Line
from paxtui.engine.notes import describe_table_note
from paxtui.engine.refusal import Refusal
from paxtui.games.pax import casus_belli
from paxtui.games.pax.actions import dispatches
from paxtui.games.pax.actions.dispatches import Letter
from paxtui.games.pax.board.adjacency import board
from paxtui.games.pax.board.routes import link_path
from paxtui.games.pax.board.status import units_line
from paxtui.games.pax.board.tables import HOME, Rule, Tables
from paxtui.games.pax.clauses.notation import describe_clause
from paxtui.games.pax.figures import describe_figures, describe_indexes
from paxtui.games.pax.narration.labels import treaty_title
from paxtui.games.pax.narration.narrator import Narrator, ReportPage
from paxtui.games.pax.preview import odds, supply
from paxtui.games.pax.reports import explanations, war_status
from paxtui.games.pax.reports.result import describe_result
from paxtui.games.pax.reports.todo import QUESTION, active_events, page_lines, todo_lines
from paxtui.games.pax.sequence import OPEN, waiting_seats
from paxtui.games.pax.state.diplomacy import DRAFT, ENDED, IN_FORCE, Treaty
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import AreaState
from paxtui.games.pax.state.war import ATTACK
from paxtui.games.pax.text.display import (
    PaxNames,
    describe_marker,
    phase_name,
    place_name,
    power_name,
    powers_text,
    sentence,
)
from paxtui.games.pax.text.parsing import fold_name, name_index
from paxtui.games.pax.treaties import breaches
from paxtui.games.pax.turn import administration
from paxtui.session.game_viewer import SeenLine
from paxtui.session.player_news import mark_talk_read, pending_tasks, reopened_reason, unread_talk
from paxtui.session.session import Session
from paxtui.session.tables.loader import load_rules

_SIGNS = re.compile(r"[○●◇◆★☆⚔═—▸█░]+ ?")
_TOTAL = re.compile(r" → (£?-?\d)")


def strip_symbols(text: str) -> str:
    """Replace the symbols of a line, such as arrows, by words."""
    text = _TOTAL.sub(r", now \1", text)
    return " ".join(_SIGNS.sub("", text.replace(" → ", " to ").replace(" · ", ", ")).split())


def cite_rules(rules: Sequence[str]) -> str:
    """Return rule ids in brackets, after a blank; "" for none."""
    return f" [{', '.join(rules)}]" if rules else ""


def join_names(names: list[str] | tuple[str, ...], nothing: str = "nobody") -> str:
    """Join names into one phrase."""
    return ", ".join(names) if names else nothing


def describe_agreements(session: Session) -> list[str]:
    """Describe all drafts and Treaties in force that the seat knows, with the value of each article."""
    known = [t for t in session.state.treaties if t.stage != ENDED]
    return [line for treaty in known for line in _describe_treaty(session, treaty)] or [
        "No Treaty or draft is known to you."
    ]


def _describe_treaty(session: Session, treaty: Treaty) -> list[str]:
    tables, state = session.tables, session.state
    parties = join_names([power_name(tables, p) for p in treaty.parties])
    stage = "draft" if treaty.stage == DRAFT else "in force"
    out = [sentence(f"{treaty.id}: {treaty_title(tables, treaty)}, {stage}, between {parties}")]
    if treaty.stage == DRAFT:
        unsigned = [power_name(tables, p) for p in treaty.parties if p not in treaty.signed]
        out.append(f"  Not signed by {join_names(unsigned, 'no Power')}.")
    out += [f"  Ended between {powers_text(tables, end.powers)} because of War." for end in treaty.partial_ends]
    for n, clause in enumerate(treaty.clauses):
        worth = f", {breaches.clause_status(tables, state, treaty, n)}" if treaty.stage == IN_FORCE else ""
        out.append(f"  Article {n + 1}{worth}: {strip_symbols(describe_clause(tables, clause))}")
    return out


DISPATCHES_SHOWN = 10
"""Default number of dispatches for `show dispatches`."""


def describe_note(tables: Tables, line: Line) -> list[str]:
    """Describe a note as the seat sees it: a dispatch, an undo request or a server message."""
    by_table = describe_table_note(PaxNames(tables), line)
    if by_table is not None:
        return [by_table.text] if by_table.text else []
    who = power_name(tables, line.seat)
    content = line.action if isinstance(line.action, dict) else {}
    if content.get("type") == UNDO_REQUEST:
        to = content.get("to")
        return [f"{who} asks to undo to line {to}. If all others agree, it is done: 'undo {to}'."]
    if content.get("type") in (dispatches.DISPATCH, dispatches.LETTER):
        whom = _recipients(tables, tuple(content.get("to", ())))
        year = f" sealed until {tables.turns[content['opens'] - 1].year}" if content.get("opens") else ""
        if content["type"] == dispatches.LETTER:
            return [f"A sealed dispatch from {who} to {whom} is opened: {content.get('text')}"]
        text = content.get("text")
        return [f"Dispatch from {who} to {whom}{year}: {text}" if text else f"Letter from {who} to {whom}{year}."]
    return [f"{who}: {content.get('text', content.get('type', ''))}"]


def show_dispatches(session: Session, words: str = "") -> list[str]:
    """List the last dispatches of the seat, each with its line number.

    Raises:
        Refusal: the number is invalid.
    """
    count = _parse_count(words, DISPATCHES_SHOWN, "'show dispatches' takes a number, such as 'show dispatches 40'.")
    found = [letter for letter in session.view.dispatches() if letter.line <= session.line]
    if not found:
        return ["You have no dispatches. 'dispatch POWER: WORDS' sends one, 'proclaim: WORDS' sends one to all."]
    return [describe_dispatch(session.tables, letter) for letter in found[-count:]]


def _parse_count(words: str, default: int, usage: str) -> int:
    number = words.strip() or str(default)
    if not number.isdecimal() or not 0 < int(number[:9]) < 10**6:
        raise Refusal("notation", (), usage)
    return int(number)


def describe_dispatch(tables: Tables, letter: Letter) -> str:
    """Describe a dispatch in one line."""
    head = f"{letter.line} {power_name(tables, letter.sender)} to {_recipients(tables, letter.to)}"
    year = tables.turns[letter.opens - 1].year if letter.opens else 0
    if letter.sealed:
        return f"{head}: sealed until {year}."
    return f"{head}{f', sealed until {year}' if year else ''}: {letter.text}"


def _recipients(tables: Tables, to: tuple[str, ...]) -> str:
    return join_names([power_name(tables, power) for power in to], "everybody")


def describe_wars(session: Session, words: str = "") -> list[str]:
    """Describe the Wars: sides, Units, place in the cycle, open attacks, threats and end conditions."""
    tables, state = session.tables, session.state
    out: list[str] = []
    for war in war_status.sorted_wars(state, session.powers()):
        out.append(f"{war_status.war_title(tables, war)}: {war_status.war_moment(tables, war)}.")
        for side in war_status.alliance_forces(state, war):
            groups = (("abroad", side.abroad), ("at sea", side.at_sea), ("at home", side.at_home),
                      ("surrendered", side.prisoners))  # fmt: skip
            units = "; ".join(f"{where} {units_line(some)}" for where, some in groups if some)
            won = f"; conquered {join_names([place_name(tables, a) for a in side.conquered])}" if side.conquered else ""
            out.append(f"Alliance {side.number}, {powers_text(tables, side.powers)}: {units or 'no Units'}{won}.")
        if war.stage == ATTACK:
            out += [
                odds.describe_assault(tables, assault) for _, _, assault in odds.possible_attacks(tables, state, war)
            ]
        for number in range(1, len(war.alliances) + 1):
            out += [
                supply.describe_risk(tables, war, danger) for danger in supply.supply_risks(tables, state, war, number)
            ]
        out += [end.text for end in war_status.possible_ends(tables, state, war, session.powers())]
    return [strip_symbols(line) for line in out] or ["There is no War."]


LOG_LINES = 20
"""Default number of events for `show log`."""


def show_topic(session: Session, words: str) -> list[str]:
    """Return the output of `show WORDS`.

    Raises:
        Refusal: the topic is unknown.
    """
    first, _, rest = words.strip().partition(" ")
    part = _TOPICS.get(first.casefold())
    if part is not None:
        return part(session, rest.strip())
    if not first:
        return overview(session)
    names = name_index(session.tables)
    power = [p for p in names.powers.among(words) if p in session.tables.homes]
    if len(power) == 1 and (len(names.places.among(words)) < 2 or fold_name(words) in names.powers.ids):
        return about_power(session, power[0])
    place = find_place(session, words)
    return about_power(session, place[len(HOME) :]) if place.startswith(HOME) else about_place(session, place)


def find_place(session: Session, words: str) -> str:
    """Find a place by name, prefix or its three-letter map code.

    Raises:
        Refusal: no place or several match.
    """
    if len(words.strip()) == 3:
        from paxtui.tui.map.geometry import load_atlas

        code = words.strip().upper()
        for place in load_atlas().places.values():
            if place.code == code:
                return place.id
    found = name_index(session.tables).places.find(words)
    return HOME + session.power if found == "home" else found


# --- the whole ----------------------------------------------------------------------------------------------------


def headline(tables: Tables, state: State) -> str:
    """State of the game in one line."""
    year = tables.turns[state.turn - 1].year
    return f"{year}, Game Turn {state.turn} of {state.last_turn}, {phase_name(state.phase)} Phase"


def overview(session: Session) -> list[str]:
    """Phase, indexes, seats to act, and the money and points of all Powers."""
    tables, state = session.tables, session.state
    out = [f"{headline(tables, state)}; line {session.line} of {session.version}."]
    out.append(f"{describe_indexes(state)}.")
    for dice in state.events:
        out.append(f"Event in force: {tables.events[dice].title} ({dice}).")
    for power in state.powers:
        flag = ", ready" if state.phase in OPEN and power in state.ready else ""
        out.append(f"{power_name(tables, power)}: {describe_figures(tables, state, power)}{flag}.")
    due_seats = [power_name(tables, s) for s in waiting_seats(tables, state)]
    return [*out, *result_lines(tables, state)] if state.result else [*out, f"Waiting for {join_names(due_seats)}."]


def result_lines(tables: Tables, state: State) -> list[str]:
    """Result of the game; empty while it goes on."""
    if state.result is None:
        return []
    r = state.result
    why = " The Great War has broken out." if r.reason == "great_war" else ""
    blame = f" Culprits: {join_names([power_name(tables, c) for c in r.culprits])}." if r.culprits else ""
    ranks = sorted(r.ranks.items(), key=lambda kv: (kv[1], kv[0]))
    return [
        f"The game is over. {describe_result(tables, r)}{why}{blame}",
        *(f"Rank {n}: {power_name(tables, s)}, {r.totals.get(s, 0)} Victory Points." for s, n in ranks),
    ]


def about_game(session: Session, words: str = "") -> list[str]:
    """The file, the seats and the options."""
    header = session.view.header
    options = [f"{name} {value}" for name, value in sorted(header.options.items())]
    return [
        f"Game {header.game}, {header.program}, {session.version} line{'s' * (session.version != 1)}.",
        f"File: {session.file.path or 'none'}.",
        f"Seats: {join_names([power_name(session.tables, s) for s in session.live.players])}.",
        f"Options: {join_names(options, 'none')}.",
    ]


# --- places and Powers --------------------------------------------------------------------------------------------


def markers_line(tables: Tables, here: AreaState) -> str:
    """Markers in an Area, by Power."""
    held = [f"{power_name(tables, m.power)} {describe_marker(tables, m)}" for m in here.markers]
    return join_names(held, "nobody's")


def garrison_line(tables: Tables, here: AreaState) -> str:
    """Units in an Area, by Power; "" for none."""
    owners = dict.fromkeys(u.power for u in here.units)
    return ", ".join(
        f"{power_name(tables, p)} {units_line(tuple(u for u in here.units if u.power == p))}" for p in owners
    )


def about_place(session: Session, place: str) -> list[str]:
    """Describe an Area or a Sea Zone."""
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
        out.append(f"Codominion of {join_names([power_name(tables, p) for p in here.codominion])}.")
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
        out.append(f"Coast: {join_names([place_name(tables, z) for z in zones])}.")
    if overland:
        out.append(f"Overland: {join_names([place_name(tables, p) for p in overland])}.")
    path = link_path(tables, state, session.power, place)
    name = power_name(tables, session.power)
    if path:
        out.append(f"{name}'s link: {', '.join(place_name(tables, p) for p in path)}.")
    else:
        out.append(f"{name} has no Communication Link here.")
    return out


def _sea_zone(tables: Tables, state: State, zone: str) -> list[str]:
    """Describe a Sea Zone: fleets, neighbours, coasts."""
    coasts = [a.name for a in tables.areas.values() if zone in board(tables, state).around(a.id)]
    homes = [power_name(tables, p) for p, h in tables.homes.items() if zone in h.sea_zones]
    return [
        f"{tables.sea_zones[zone].name}, Sea Zone.",
        f"Merchant Fleets: {join_names([power_name(tables, p) for p in state.sea_zones.get(zone, ())], 'none')}.",
        f"Next to: {join_names([place_name(tables, z) for z in tables.sea_zones[zone].adjacent])}.",
        f"Home Countries: {join_names(homes, 'none')}.",
        f"Areas: {join_names(coasts, 'none')}.",
    ]


def about_power(session: Session, power: str) -> list[str]:
    """Money, points, units, fleets and possessions of a Power."""
    tables, state = session.tables, session.state
    out = [f"{power_name(tables, power)}: {describe_figures(tables, state, power) or 'no Treasury'}."]
    if power in state.powers:
        net = administration.forecast_net_income(tables, state, power)
        out.append(f"Expected line 22 without the Colonial Office: £{net}.")
    out.append(f"At home: {units_line(state.homes.get(power, ())) or 'no units'}.")
    fleets = [place_name(tables, z) for z, owners in state.sea_zones.items() if power in owners]
    out.append(f"Merchant Fleets: {join_names(fleets, 'none')}.")
    for area, here in state.areas.items():
        marks = [describe_marker(tables, m) for m in here.markers if m.power == power]
        units = units_line(tuple(u for u in here.units if u.power == power))
        if marks or units:
            shared = ", Codominion" if power in here.codominion else ""
            unrest = ", Unrest" if here.unrest else ""
            held = join_names(marks, "no marker") + shared + unrest
            out.append(f"{place_name(tables, area)}: {held}, {units or 'no units'}.")
    for cause in state.casus_belli:
        if power in (cause.holder, cause.against):
            out.append(f"{cause_line(tables, cause.holder, cause.against, cause.area)} ({cause.id}).")
    return out


def cause_line(tables: Tables, holder: str, against: str, area: str = "") -> str:
    """Describe a Casus Belli in a line."""
    where = f" over {place_name(tables, area)}" if area else ""
    return f"Casus Belli of {power_name(tables, holder)} against {power_name(tables, against)}{where}"


# --- the panes ----------------------------------------------------------------------------------------------------


def show_record(session: Session, words: str = "") -> list[str]:
    """Show the Administrative Record Sheet, or the calculation of one of its lines.

    Raises:
        Refusal: the line does not exist.
    """
    tables, state = session.tables, session.state
    line, power = "", session.power
    for word in words.split():
        if word.isdecimal():
            line = f"{int(word):02d}"
        else:
            power = name_index(tables).powers.find(word)
    if power not in state.powers:
        return [f"{power_name(tables, power)} has no Record Sheet."]
    if line and line not in tables.record:
        raise Refusal("notation", (), f"The Record Sheet has lines 1 to {len(tables.record)}, not {int(line)}.")
    sheet, now = state.powers[power].record, dict(administration.sheet_lines(tables, state, power))
    now["22"] = administration.forecast_net_income(tables, state, power)
    if line:
        out = [_record_line(tables, line, sheet, now)]
        return out + [strip_symbols(text) + "." for text in explanations.explain_line(tables, state, power, line)]
    out = [f"Record Sheet of {power_name(tables, power)}: as written this turn, and as it is now:"]
    out += [_record_line(tables, name, sheet, now) for name in tables.record]
    return [*out, "The current line 22 leaves out the Colonial Office. 'show record N' explains line N."]


def _record_line(tables: Tables, line: str, sheet: dict[str, int | None], now: dict[str, int]) -> str:
    written = sheet.get(line)
    figures = ["open" if written is None else str(written)]
    if line in now and now[line] != written:
        figures.append(f"now {now[line]}")
    return f"{line} {tables.record[line].what}: {', '.join(figures)}"


def show_indexes(session: Session, words: str = "") -> list[str]:
    """European Tensions, Chinese Resentment, the turns, and the causes of their changes."""
    tables, state = session.tables, session.state
    target = state.resentment // 10
    ways = sum(1 for a in range(1, 7) for b in range(1, 7) for c in range(1, 7) if a + b + c <= target)
    row = tables.turns[state.turn - 1]
    out = [
        f"European Tensions: {state.tension} of 100.",
        f"Chinese Resentment: {state.resentment}.",
        f"Rebellion on {target} or less with three dice, {ways * 100 / 216:.0f} %.",
        f"Great War penalty: {row.great_war_penalty} Victory Points, tripled for the culprit.",
    ]
    for turn in tables.turns[state.turn :]:
        fleets = [power_name(tables, p) for p in turn.merchant_fleets if p in state.powers]
        out.append(f"{turn.year}: penalty {turn.great_war_penalty}, Merchant Fleets for {join_names(fleets)}.")
    log = session.view.log()
    raised = [e for e in log if e.kind in ("TensionRaised", "ResentmentRaised") and e.line <= session.line]
    out.append("Last events that raised them:" if raised else "No event has raised them yet.")
    return out + [f"{e.line} {strip_symbols(e.text)}" for e in raised[-10:]]


def show_treaties(session: Session, words: str = "") -> list[str]:
    """Casus Belli, offers and Treaties."""
    tables, state = session.tables, session.state
    out: list[str] = []
    for c in state.casus_belli:
        out.append(f"{c.id}: Casus Belli of {casus_belli.describe_cause(tables, c)} [{c.rule}]")
        if {c.holder, c.against} & set(session.powers()):
            out += [f"  {strip_symbols(way)}" for way in explanations.cause_remedies(tables, state, c)]
    out = out or ["No Power has a Casus Belli."]
    offers = [c for c in state.choices if c.about.private]
    out += [f"{c.id}: offer to {power_name(tables, c.power)}: {strip_symbols(c.prompt)}" for c in offers]
    return [*(out if offers else [*out, "No offer is open."]), *describe_agreements(session)]


def show_log(session: Session, words: str = "") -> list[str]:
    """List the last events up to the current line, each with its line number.

    Raises:
        Refusal: the number is invalid.
    """
    count = _parse_count(words, LOG_LINES, "'show log' takes a number of events, such as 'show log 40'.")
    lines = [f"{line} {text}" for line, text in describe_lines(session, 1, session.line)]
    return lines[-count:] or ["Nothing has happened yet."]


def describe_lines(session: Session, after: int, last: int) -> list[tuple[int, str]]:
    """Describe a range of the seat's log lines, by the seat's numbering, without symbols."""
    tables, view = session.tables, session.view
    lines = view.seen_lines(view.place_of(after), view.place_of(last))
    return [(line.number, text) for line in lines for text in describe_line(tables, view.narrator, line)]


def describe_line(tables: Tables, narrator: Narrator, seen: SeenLine) -> list[str]:
    """Describe a log line for the narrator's seat, without symbols."""
    line = seen.line
    if line.kind == "act":
        return [sentence(text) for event in seen.events if (text := strip_symbols(narrator.tell(event)))]
    who = power_name(tables, line.seat)
    if line.kind == "undo":
        return [f"{who} undoes to line {line.target}."]
    if line.kind == "redo":
        return [f"{who} redoes the undone actions."]
    return describe_note(tables, line)


def show_map(session: Session, words: str = "") -> list[str]:
    """Describe the map by regions, or one region by Areas, or draw the map.

    Raises:
        Refusal: the region is unknown.
    """
    tables, state = session.tables, session.state
    if words.casefold() == "drawn":
        from paxtui.sharing.pictures import draw_map, text_of_rows

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
            trouble = f" Unrest in {join_names(unrest)}." if unrest else ""
            out.append(f"{region_name(region)}, {len(areas)} Areas; markers: {join_names(owners)}.{trouble}")
        return [*out, "'show map REGION' lists the Areas of a region, 'show map drawn' draws the world."]
    regions = [r for r in found if fold_name(r).startswith(fold_name(words))]
    if len(regions) != 1:
        known = join_names([region_name(r) for r in regions or found])
        raise Refusal("notation", (), f"'{words[:40]}' does not match one region; the regions are {known}.")
    return [describe_area(tables, state, area) for area in found[regions[0]]]


def region_name(region: str) -> str:
    return region.replace("_", " ")


def describe_area(tables: Tables, state: State, area: str) -> str:
    """Describe an Area in one line."""
    row, here = tables.areas[area], state.areas[area]
    units = garrison_line(tables, here)
    return (
        f"{row.name}, value {row.value}, strength {row.strength}: {markers_line(tables, here)}"
        + (f"; {units}" if units else "")
        + ("; Unrest" if here.unrest else "")
        + "."
    )


def find_rules(words: str) -> list[Rule]:
    """Find rules by id, by id prefix, or by all words of the query."""
    wanted, rules = words.casefold().replace(",", " ").split(), load_rules()
    ids = [rules[w.upper()] for w in wanted if w.upper() in rules]
    return ids or [
        r for r in rules.values() if all(r.id.casefold().startswith(w) or w in r.statement.casefold() for w in wanted)
    ]


_TOPICS: dict[str, Callable[[Session, str], list[str]]] = {
    "war": describe_wars,
    "record": show_record,
    "indexes": show_indexes,
    "treaties": show_treaties,
    "dispatches": show_dispatches,
    "log": show_log,
    "map": show_map,
    "game": about_game,
}


def render_pages(session: Session, pages: Iterable[ReportPage]) -> list[str]:
    """Render pages as lines without symbols."""
    return [strip_symbols(line) for page in pages for line in page_lines(session.tables, page)]


def pending_lines(session: Session) -> list[str]:
    """Open matters of the seat, except questions, garrisons and obstacles to ready, which are shown anyway."""
    known = (m for m in pending_tasks(session) if not m.bars and m.where != QUESTION and "STA-037" not in m.rules)
    return [strip_symbols(line) for line in todo_lines(known)]


def reminder_lines(session: Session) -> list[str]:
    """Why the seat must act again, and the events in force that concern it."""
    again = reopened_reason(session)
    events = active_events(session.tables, session.live, session.seat)
    return [
        strip_symbols(line) for line in ([again] if again else []) + [f"Event in force: {event}" for event in events]
    ]


MOST_TALK_LINES = 20
"""Maximum number of chat lines shown at once."""


def unread_talk_lines(session: Session) -> list[str]:
    """Chat lines of others since the last one shown."""
    found = [_talk_line(session, line) for line in unread_talk(session)[-MOST_TALK_LINES:]]
    if found:
        mark_talk_read(session)
    return found


def show_talk(session: Session) -> list[str]:
    """Show the latest chat lines."""
    mark_talk_read(session)
    return [_talk_line(session, line) for line in session.chat.lines[-MOST_TALK_LINES:]] or ["No chat messages yet."]


def _talk_line(session: Session, line: ChatLine) -> str:
    seat = power_name(session.tables, line.seat) if line.seat in session.tables.powers else line.seat.title()
    name = f", {line.name}," if line.name else ""
    return f"{seat}{name} says: {strip_symbols(line.text)}"
