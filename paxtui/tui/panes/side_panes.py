"""The panes of the side column as text: standings, indexes, log, Record Sheet, Treaties and Wars."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import NamedTuple

from rich.text import Text

from paxtui.games.pax import casus_belli
from paxtui.games.pax.board.status import units_line
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.clauses.kind import BROKEN, DUE, HOLDS, OVER
from paxtui.games.pax.clauses.notation import describe_clause
from paxtui.games.pax.figures import FIGURES
from paxtui.games.pax.preview import odds, supply
from paxtui.games.pax.preview.peace import proposed_treaties
from paxtui.games.pax.reports import explanations, war_status
from paxtui.games.pax.reports.great_war import TENSION_ALARM
from paxtui.games.pax.reports.war_changes import battle_reports, describe_battle
from paxtui.games.pax.reports.war_status import AllianceForces, WarMoment
from paxtui.games.pax.state.diplomacy import ENDED, IN_FORCE
from paxtui.games.pax.state.pieces import ARMY, NAVAL
from paxtui.games.pax.state.war import ATTACK, END, INITIATIVE, RESOLUTION, War
from paxtui.games.pax.text.display import capitalize, join_with_and, place_name, power_name
from paxtui.games.pax.treaties import breaches
from paxtui.games.pax.turn import administration, victory
from paxtui.games.pax.war import alliances
from paxtui.session.game_viewer import LogEntry
from paxtui.session.session import Session
from paxtui.tui.formatting.look import Look, clickable, colour_powers, meter_bar, wrap_hanging
from paxtui.tui.formatting.reports import SIGNS, sorted_treaties, treaty_line


def render_standings(session: Session, look: Look) -> Text:
    """Render one row for each Power with a Treasury, sorted by Victory Points; dependent Powers below.

    `net` is the current value of line 22 without the Colonial Office, `end` that of line 31.
    """
    tables, state = session.tables, session.state
    columns = [figure for figure in FIGURES if figure.column]
    out = Text("   " + "".join(f" {f.column:>{f.width}}" for f in columns) + "\n", look.faint)
    ranked = sorted(state.powers, key=lambda p: (p not in state.players, -state.powers[p].victory_points))
    for power in ranked:
        letters, style = look.power(tables, power, long=False)
        out.append(look.palette.text("▸") if power == session.seat else " ")
        out.append(letters, style)
        numbers = [
            None if figure.of_seats and power not in state.players else figure.value(tables, state, power)
            for figure in columns
        ]
        cells = (f" {'' if n is None else n:>{f.width}}" for f, n in zip(columns, numbers, strict=True))
        out.append("".join(cells).rstrip() + "\n")
    out.append("net: income of the next turn; end: points if the game ended now\n", look.faint)
    return out


def render_indexes(session: Session, look: Look, width: int) -> Text:
    """Render European Tensions and Chinese Resentment: values, causes and tracks."""
    tables, state = session.tables, session.state
    out = Text()
    bar = max(10, width - 24)
    style = look.alarm if state.tension >= TENSION_ALARM else look.key
    out.append("European Tensions  ")
    out.append(f"{state.tension:>3}", style)
    out.append(" of 100\n")
    out.append(meter_bar(look, state.tension, 100, bar) + "\n", style)
    target = state.resentment // 10
    chance = three_dice_chance(target)
    out.append(f"Chinese Resentment {state.resentment:>3}  Rebellion on {target} or less with three dice ({chance})\n")
    row = tables.turns[state.turn - 1]
    rebuilt = " (reconstructed)" if "turns" in tables.reconstructed else ""
    out.append(f"Great War penalty {row.great_war_penalty} VP, three times that for the culprit{rebuilt}\n")
    out.append("\nThe Powers\n", "bold")
    out.append_text(render_standings(session, look))
    out.append("\nGame Turns\n", "bold")
    for i, turn in enumerate(tables.turns, 1):
        fleets = " ".join(tables.powers[p].letters for p in turn.merchant_fleets if p in state.powers)
        mark = "▸" if i == state.turn else " "
        line = f"{mark}{turn.year}  penalty {turn.great_war_penalty:>2}" + (f"  fleets {fleets}" if fleets else "")
        out.append(line + "\n", "bold" if i == state.turn else look.faint)
    out.append("\nWhat raised them\n", "bold")
    raised = [
        e for e in session.view.log() if e.kind in ("TensionRaised", "ResentmentRaised") and e.line <= session.line
    ]
    for entry in reversed(raised[-14:]):
        out.append(f"{entry.line:>4} ", look.faint)
        out.append(entry.text + "\n")
    if not raised:
        out.append("Nothing yet.\n", look.faint)
    out.append_text(summaries(tables, look))
    return out


def summaries(tables: Tables, look: Look) -> Text:
    """Return the increase summaries of both indexes, from the tables (SET-053)."""
    out = Text()
    out.append("\nWhat raises European Tensions\n", "bold")
    out.append("+1  each step an established marker comes down, except by Unrest or given up in Movement\n")
    without = ", ".join(tables.powers[p].letters for p in tables.tension_without)
    for cost in sorted(tables.units.values(), key=lambda c: c.strength):
        out.append(f"+{cost.tension}  a Naval ({cost.strength}) built, except by {without}\n")
    for event in tables.events.values():
        if event.tension:
            out.append(f"+{event.tension}  {event.title} ({event.dice})\n")
    out.append("\nWhat raises Chinese Resentment\n", "bold")
    out.append("a marker      placed in Empire  Vassal  each turn\n", look.faint)
    for row in tables.resentment.values():
        name = tables.markers[row.marker].name
        out.append(f"{name:<14}{row.placed_in_empire:>16}{row.placed_in_vassal:>8}{row.per_phase:>11}\n")
    for event in tables.events.values():
        if event.resentment:
            out.append(f"+{event.resentment}  {event.title} ({event.dice})\n")
    return out


def three_dice_chance(target: int) -> str:
    """Return the chance of at most `target` with three dice, in per cent."""
    ways = sum(1 for a in range(1, 7) for b in range(1, 7) for c in range(1, 7) if a + b + c <= target)
    return f"{ways * 100 / 216:.0f} %"


HEADING_KINDS = ("TurnBegan", "PhaseBegan", "GameEnded")
"""Kinds of headings. No filter hides them."""

LINE_KINDS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("what happened", ()),
    ("markers", ("MarkerPlaced", "MarkerEstablished", "MarkerLowered", "MarkerTransferred", "CodominionSet")),
    ("units and fleets", ("UnitsBuilt", "UnitsMoved", "UnitsLost", "MerchantMoved", "CanalBuilt")),
    ("combat and Unrest", ("ColonialCombat", "UnitsLost", "UnrestBegan", "UnrestEnded", "OrderDrawn")),
    ("events and dice", ("RandomEventRolled", "DiceRolled", "UnrestBegan", "OfficeIncome", "MinorActivity",
                         "MinorDirected", "RebellionChecked")),
    ("money and points", ("TreasuryChanged", "VictoryPointsChanged", "OfficeIncome")),
    ("tension", ("TensionRaised", "ResentmentRaised")),
    ("Treaties and Congress", ("TreatyDrafted", "TreatySigned", "TreatyRejected", "TreatyInForce", "TreatyEnded",
                               "TreatyEndedBetween", "TreatyRevealed", "TreatyBroken", "BreachOpened", "BreachCharged",
                               "ChargeClosed", "CasusBelliArose", "CasusBelliEnded", "CongressChanged",
                               "BallotsOpened", "dispatch")),
    ("everything", ()),
)  # fmt: skip
"""Kinds of lines by name. The first hides bookkeeping, the last hides nothing."""


class LogFilter(NamedTuple):
    """A filter of log lines.

    Attributes:
        seat: shows only the acts of this seat; "" for all.
        place: shows only lines about this place; "" for all.
        kind: index into LINE_KINDS.
    """

    seat: str = ""
    place: str = ""
    kind: int = 0

    def shows_line(self, entry: LogEntry) -> bool:
        if entry.kind in HEADING_KINDS:
            return True
        kinds, everything = LINE_KINDS[self.kind][1], self.kind == len(LINE_KINDS) - 1
        fits = entry.kind in kinds if kinds else everything or not entry.quiet
        return fits and self.seat in ("", entry.seat) and self.place in ("", entry.place)

    def describe(self, session: Session) -> str:
        tables = session.tables
        seat = power_name(tables, self.seat) if self.seat else "everybody"
        place = place_name(tables, self.place) if self.place else "anywhere"
        return f"{LINE_KINDS[self.kind][0]} · {seat} · {place}"


def filter_log(entries: Sequence[LogEntry], log_filter: LogFilter, words: str = "") -> list[LogEntry]:
    """Return the lines that match, with the headings of their turns and Phases. No heading has an empty section."""
    wanted = words.casefold().split()
    found = [
        e for e in entries
        if log_filter.shows_line(e) and (e.kind in HEADING_KINDS or all(w in e.text.casefold() for w in wanted))
    ]  # fmt: skip
    if not wanted and log_filter == LogFilter(kind=len(LINE_KINDS) - 1):
        return found
    return [
        e for e, n in zip_longest(found, found[1:]) if e.kind != "PhaseBegan" or (n and n.kind not in HEADING_KINDS)
    ]


LOG_ROWS = 120
"""Maximum number of lines in the log pane."""


def render_log(session: Session, look: Look, width: int) -> Text:
    """Render the last lines up to the moment shown. Wrapped lines are cached until the log grows."""
    log = session.view.log()
    key = (width, look, session.line, len(log), _shows_reasons(session, look), session.line_signs)
    known = session.derived("log_pane", LogTexts)
    if key != known.key:
        known.key, known.text = key, _render_log(session, look, width, log)
    return known.text


class LogTexts:
    """The last text of the log pane, and the wrapped entries that its texts are joined from."""

    def __init__(self) -> None:
        self.key: tuple[object, ...] = ()
        self.text = Text()
        self.entries: dict[tuple[object, ...], Text] = {}


def _render_log(session: Session, look: Look, width: int, log: Sequence[LogEntry]) -> Text:
    past = log if session.at is None else [e for e in log if e.line <= session.line]
    entries = filter_log(past[-4 * LOG_ROWS :], LogFilter())[-LOG_ROWS:]
    known = session.derived("log_pane", LogTexts).entries
    out = Text()
    last = 0
    for entry in entries:
        sign = session.line_signs.get(entry.line, "")
        key = width, look, _shows_reasons(session, look), entry, entry.line != last, sign
        if key not in known:
            known[key] = _render_entry(session, look, width, entry, entry.line != last)
        out.append_text(known[key])
        last = entry.line
    if not entries:
        out.append("Nothing has happened yet.", look.faint)
    return out


def _render_entry(session: Session, look: Look, width: int, entry: LogEntry, is_numbered: bool) -> Text:
    """Render an entry; the first one of a line with its number and the reason for it."""
    text = Text(f"{entry.line:>4} " if is_numbered else "     ", look.faint)
    sign = session.line_signs.get(entry.line, "") if is_numbered else ""
    if sign:  # before the number, where it leaves a cell
        number = f"{entry.line:>3} " if entry.line < 1000 else str(entry.line)
        text = Text("", look.faint).append(sign, look.key).append(number)
    style = "bold" if entry.kind in HEADING_KINDS else ""
    text.append(entry.text, clickable(style, f"screen.history('click', {entry.line})"))
    out = wrap_hanging(colour_powers(session.tables, look, text), width, 5).append("\n")
    why = bot_reason(session, look, entry) if is_numbered else ""
    if why:
        out.append_text(wrap_hanging(Text(f"     {why}", look.faint), width, 7)).append("\n")
    return out


def bot_reason(session: Session, look: Look, entry: LogEntry) -> str:
    """Return why a bot did what a line reports; "" if that is secret or unknown."""
    why = session.view.reason(entry.line) if _shows_reasons(session, look) else ""
    return f"because: {why}" if why else ""


def _shows_reasons(session: Session, look: Look) -> bool:
    """Return whether reasons are visible: after the game, or at once if the settings allow it."""
    return look.tells_why or session.live.result is not None


SECTIONS = {
    "01": "I  Status",
    "10": "II  Income",
    "16": "III  Maintenance",
    "22": "IV  Net income",
    "23": "V  Victory Points",
    "27": "VI  Final record",
}

LINE_LABELS = {
    "01": "States, Dominions",
    "02": "Possessions",
    "03": "  their values",
    "04": "Protectorates",
    "05": "  their values",
    "06": "Influences",
    "07": "  their values",
    "08": "Interests",
    "09": "  their values",
    "10": "Colonial Office",
    "15": "income",
    "16": "units abroad",
    "21": "maintenance",
    "22": "net income",
    "23": "Treasury left",
    "24": "bought points",
    "25": "bonus of the turn",
    "26": "points of the turn",
    "27": "points so far",
    "28": "final bonuses",
    "29": "two turns' income",
    "30": "Great War",
    "31": "final total",
}
"""Short labels of the printed lines of the Record Sheet. Derived lines name their source."""
TOTAL_LINES = ("15", "21", "22", "26", "31")


def line_label(tables: Tables, line: str) -> str:
    """Return the short label of a printed line, with the figures of the game's tables: `line 03 × 5`."""
    for kind, row in administration.SHEET.items():
        marker = tables.markers[kind]
        if line == row.income:
            return f"line {row.value} × {marker.multiplier}"
        if line == row.maintenance:
            return f"line {row.number} × {marker.maintenance}"
    return LINE_LABELS[line]


def render_record(session: Session, look: Look, width: int) -> Text:
    """Render the Administrative Record Sheet: left the start of the turn, right the current values."""
    tables, state = session.tables, session.state
    power = session.power if session.power in state.powers else session.seat
    if power not in state.powers:
        return Text("A Minor Power keeps no Record Sheet.")
    sheet = state.powers[power].record
    now = administration.sheet_lines(tables, state, power)
    out = look.text(look.power(tables, power), "\n")
    wide = max(17, width - 20)
    out.append(f"   {'':<{wide}}{'turn':>7}{'now':>7}\n", look.faint)
    for line in tables.record:
        if line in SECTIONS:
            out.append(f"{SECTIONS[line]}\n", look.faint)
        old, new = sheet.get(line), now.get(line)
        if line == "22":
            new = administration.forecast_net_income(tables, state, power)
        changed = old is not None and new is not None and old != new
        bold = "bold" if line in TOTAL_LINES else ""
        out.append(f"{line} ", look.faint)
        out.append(f"{line_label(tables, line):<{wide}}", bold)
        out.append(f"{'' if old is None else old:>7}", bold)
        better = ((new or 0) > (old or 0)) != ("16" <= line <= "21")
        style = (look.good if better else look.key) if changed and line != "22" else look.faint
        out.append(f"{'' if new is None else new:>7}", style)
        out.append("\n")
    out.append("\nLine 22 'now' forecasts without the Colonial Office roll.\n", look.faint)
    if power in state.players:
        out.append_text(_bonuses(session, look, power))
    return out


def _bonuses(session: Session, look: Look, seat: str) -> Text:
    """Render what a seat can earn or lose beside income, with the current ones highlighted."""
    tables, state = session.tables, session.state
    bonuses = (*victory.turn_bonuses(tables, state, seat), *victory.current_bonuses(tables, state, seat))
    held = {row.id: points for row, points, _ in bonuses}
    out = Text("\nBonus points, those that you would get now marked\n", look.faint)
    at_end = {row.id for row, _ in victory.possible_final_bonuses(tables, state, seat)}
    for row, what in victory.possible_bonuses(tables, state, seat):
        points = held.get(row.id)
        worth = victory.scaled_bonus(state, row.points) if row.id in at_end else row.points
        out.append("● " if points else "  ", look.good if (points or 0) > 0 else look.alarm)
        out.append(f"{worth if points is None else points:+d} ", "bold" if points else "")
        out.append(f"{what}\n", "" if points else look.faint)
    return out


def render_treaties(session: Session, look: Look, width: int) -> Text:
    """Render Casus Belli by holder, open offers, and Treaties."""
    tables, state = session.tables, session.state
    out = Text()
    out.append("Casus Belli\n", "bold")
    for cause in state.casus_belli:
        where = f" over {place_name(tables, cause.area)}" if cause.area else ""
        out.append_text(
            look.text(
                (f"⚔ {cause.id} ", look.key),
                look.power(tables, cause.holder),
                " against ",
                look.power(tables, cause.against),
                f"{where} ",
                (f"[{cause.rule}]", look.faint),
                (" reconstructed\n" if casus_belli.is_reconstructed(tables, cause) else "\n", look.faint),
            )
        )
        if {cause.holder, cause.against} & set(session.powers()):
            for way in explanations.cause_remedies(tables, state, cause):
                out.append(f"  • {way}\n", look.faint)
    if not state.casus_belli:
        out.append("None.\n", look.faint)
    offers = [c for c in state.choices if c.about.private]
    out.append("\nOffers\n", "bold")
    for offer in offers:
        out.append_text(look.text((f"{offer.id} ", look.key), look.power(tables, offer.power), f": {offer.prompt}\n"))
    if not offers:
        out.append("None.\n", look.faint)
    out.append_text(render_agreements(session, look))
    return out


def render_agreements(session: Session, look: Look) -> Text:
    """Render open drafts, and Treaties in force with the current value of each article. Ended ones are in the
    archive.
    """
    known = [t for t in sorted_treaties(session) if t.stage != ENDED]
    out = Text()
    out.append("\nTreaties and proposals\n", "bold")
    for treaty in known:
        out.append_text(treaty_line(session, look, treaty))
        out.append("\n")
        for n, clause in enumerate(treaty.clauses if treaty.stage == IN_FORCE else ()):
            worth = breaches.clause_status(session.tables, session.state, treaty, n)
            loud = worth in (BROKEN, DUE)
            out.append(f"  {n + 1} {SIGNS[worth]} ", look.alarm if loud else look.faint)
            out.append(describe_clause(session.tables, clause) + "\n", "" if worth not in (HOLDS, OVER) else look.faint)
    if not known:
        out.append("None known to you.\n", look.faint)
    return out


NUMERALS = ("", "I", "II", "III", "IV", "V")
"""Numbers of Alliances."""
MOST_BATTLES = 3
"""Maximum number of battles shown."""
_MOMENTS = {**war_status.STEP_NAMES, INITIATIVE: "initiative", END: "end?", RESOLUTION: "Resolution"}


def render_wars(session: Session, look: Look, width: int) -> Text:
    """Render the Wars of the position shown, beginning with the current War of the seat."""
    out = Text()
    wars = war_status.sorted_wars(session.state, session.powers())
    if not wars:
        out.append("No War.\n", look.faint)
        return out
    for war in wars:
        out.append_text(_render_war(session, look, width, war))
        out.append("\n")
    return out


def _render_war(session: Session, look: Look, width: int, war: War) -> Text:
    tables, state = session.tables, session.state
    title = Text(capitalize(war_status.war_title(tables, war)), "bold")
    out = wrap_hanging(colour_powers(tables, look, title), width, 2)
    out.append("\n")
    out.append_text(wrap_hanging(Text(capitalize(war_status.war_moment(tables, war)) + "."), width, 2))
    out.append("\n")
    out.append_text(_track(look, width, war_status.phase_track(war)))
    for side in war_status.alliance_forces(state, war):
        out.append_text(_side(session, look, width, side))
    out.append_text(_attacks(session, look, width, war))
    out.append_text(_fought(session, look, width, war))
    out.append_text(_dangers(session, look, width, war))
    out.append_text(_endings(session, look, width, war))
    out.append_text(_neutrals(session, look, width, war))
    return out


def roman_numeral(number: int) -> str:
    """Return the number of an Alliance in Roman numerals."""
    return NUMERALS[number] if number < len(NUMERALS) else str(number)


def _track(look: Look, width: int, moments: tuple[WarMoment, ...]) -> Text:
    """Render the Phases of the cycle in one or two rows, with the current one marked."""
    out, line, last = Text(), Text(), 0
    for moment in moments:
        word = _MOMENTS[moment.stage]
        head = f"{roman_numeral(moment.side)} " if moment.side and moment.side != last else ""
        last = moment.side
        piece = look.text(
            (head, "bold"),
            (f"▸{word.upper()}" if moment.now else word, look.key if moment.now else look.faint if moment.done else ""),
        )
        if line.plain and len(line.plain) + len(piece.plain) + 1 > width:
            out.append_text(line)
            out.append("\n")
            line = Text("  ")
        elif line.plain:
            line.append(" · " if head or not moment.side else " ", look.faint)
        line.append_text(piece)
    out.append_text(line)
    out.append("\n" if line.plain else "")
    return out


def _side(session: Session, look: Look, width: int, side: AllianceForces) -> Text:
    """Render an Alliance: Powers, Units where they count, gains and losses."""
    tables = session.tables
    out = look.text((f"\n{roman_numeral(side.number)} ", "bold"))
    for power in side.powers:
        out.append_text(look.text(look.power(tables, power), "  "))
    out.rstrip()
    out.append("\n")
    for name, units in (("abroad", side.abroad), ("at sea", side.at_sea), ("at home", side.at_home)):
        if units:
            armies, fleets = war_status.total_strength(units, ARMY), war_status.total_strength(units, NAVAL)
            points = ", ".join(f"{n} {what}" for n, what in ((armies, "army"), (fleets, "naval")) if n)
            _row(out, look, width, f"  {name:<8}{units_line(units)}: {points}")
    if side.conquered:
        _row(out, look, width, f"  won     {join_with_and([place_name(tables, a) for a in side.conquered])}", look.good)
    if side.lost:
        _row(out, look, width, f"  lost    {join_with_and([place_name(tables, a) for a in side.lost])}", look.alarm)
    if side.prisoners:
        _row(out, look, width, f"  taken   {units_line(side.prisoners)} surrendered", look.faint)
    return out


def _row(out: Text, look: Look, width: int, text: str, style: str = "", indent: int = 10) -> None:
    out.append_text(look.rows([(text, style)], width, indent))


def _attacks(session: Session, look: Look, width: int, war: War) -> Text:
    """Render where the phasing Alliance can attack, and the possible results."""
    out, state = Text(), session.state
    if war.stage != ATTACK or alliances.current_war(state) != war:
        return out
    found = odds.possible_attacks(session.tables, state, war)
    for n, (place, kind, assault) in enumerate(found):
        out.append("" if n else "\nAttacks open\n", "bold")
        name = f"{place_name(session.tables, place)}{' (fleets)' if kind == NAVAL else ''}"
        _row(out, look, width, f"  ⚔ {name}: {odds.assault_summary(assault)}", indent=4)
    return out


def _fought(session: Session, look: Look, width: int, war: War) -> Text:
    """Render the battles of this cycle up to the moment shown, the latest first."""
    out = Text()
    found = [b for b in battle_reports(session.view.events_of_cycle(war.id)) if b.fought.war == war.id]
    for n, battle in enumerate(reversed(found[-MOST_BATTLES:])):
        out.append("" if n else "\nBattles in this cycle\n", "bold")
        line = describe_battle(session.view.narrator, battle, session.powers())
        out.append_text(look.bullets([line], width))
    return out


def _dangers(session: Session, look: Look, width: int, war: War) -> Text:
    """Render what surrenders or falls at the next Supply Determination of each side."""
    out, tables, state = Text(), session.tables, session.state
    found = [(n, p) for n in range(1, len(war.alliances) + 1) for p in supply.supply_risks(tables, state, war, n)]
    mine = {war.side_of(p) for p in session.powers()}
    for n, (side, danger) in enumerate(found):
        out.append("" if n else "\nOut of supply\n", "bold")
        style = look.alarm if side in mine else ""
        _row(out, look, width, f"! {supply.describe_risk(tables, war, danger)}", style, 2)
    return out


def _endings(session: Session, look: Look, width: int, war: War) -> Text:
    """Render the conditions that end the War, and how close each is."""
    out = Text()
    found = war_status.possible_ends(session.tables, session.state, war, session.powers())
    for power in session.powers() if war.powers else ():
        for treaty in proposed_treaties(session.state, power) if war.side_of(power) else ():
            waits = "it waits for others" if power in treaty.signed else "it waits for your answer"
            who = power_name(session.tables, treaty.drafter)
            _row(out, look, width, f"{who} proposes a peace: {waits}.", look.key, 0)
    for n, end in enumerate(found):
        out.append("" if n else "\nHow it ends\n", "bold")
        _row(out, look, width, f"• {end.text}", look.alarm if not end.left else "", 2)
    if found and war_status.can_waive_tests(session.state, war):
        _row(out, look, width, "In cycles 1 and 2, any belligerent can still continue the War.", look.faint, 0)
    return out


def _neutrals(session: Session, look: Look, width: int, war: War) -> Text:
    """Render the volunteers of neutrals, and denied passages."""
    out, tables = Text(), session.tables
    for coal in war.coaling:
        to = join_with_and([power_name(tables, p) for p in war.alliance(coal.to)])
        _row(out, look, width, f"Coaling in {place_name(tables, coal.area)} for {to}", look.faint, 2)
    for denial in war.denied:
        name = denial.passage.replace("_", " ").title()
        by, to = power_name(tables, denial.by), power_name(tables, denial.to)
        _row(out, look, width, f"{name} denied to {to} by {by}", look.faint, 2)
    return out
