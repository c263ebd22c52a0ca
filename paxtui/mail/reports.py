"""Reports of a stop: one for all players and one for each seat, as plain text, Markdown and blank order form.

Reports are deterministic: the same log gives the same bytes. Also contains the file with a seat's position, on which
the order sheet tries orders without the log.

Rules: PBM-020, PBM-032, PBM-047, PBM-107, PBM-116, PBM-122
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from paxtui.engine.free_text import clean_text
from paxtui.engine.log import Line, parse
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.games.pax.actions.actions import Adjudicate
from paxtui.games.pax.actions.dispatches import DISPATCH
from paxtui.games.pax.board.status import powers_of
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.casus_belli import describe_cause
from paxtui.games.pax.clauses.notation import describe_clause
from paxtui.games.pax.congress.session import is_suspended, with_congress_resumed
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.events.war import sides_text
from paxtui.games.pax.figures import describe_figures, describe_indexes
from paxtui.games.pax.mail.adjudication import MESSAGE_CODE
from paxtui.games.pax.mail.standing_orders import describe_silence
from paxtui.games.pax.mail.stops import StopKind, stop_kind
from paxtui.games.pax.narration.labels import articles_text, describe_question
from paxtui.games.pax.narration.narrator import Narrator, ReportPage, is_bookkeeping
from paxtui.games.pax.reports.changes import CHANGES_TITLE
from paxtui.games.pax.reports.todo import standing_lines, todo_items, todo_lines
from paxtui.games.pax.state.diplomacy import DRAFT, ENDED, TABLED
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.questions import Ballot, Spoils
from paxtui.games.pax.text.display import phase_name, place_name, power_name, powers_text, sentence, the_powers
from paxtui.games.pax.transaction import option_texts
from paxtui.games.pax.war.alliances import commanders
from paxtui.games.pax.war.outcome.spoils import spoils_due
from paxtui.mail.game_directory import MailTerms, deadline_utc_text
from paxtui.mail.submissions import MOST_MISSED, missed_streak
from paxtui.session.local_session import LocalSession
from paxtui.session.pax_host import PaxHost
from paxtui.session.player_news import pages_since
from paxtui.session.storage.files import read_regular
from paxtui.session.tables.loader import load_tables_from_header

_MARKUP = re.compile(r"[\\`*_{}\[\]<>#|&~$@]|(?<=\w):(?=//)|(?<=www)\.", re.IGNORECASE)
"""Markdown control characters, and the colon or point that would make a link."""

_AT_START = re.compile(r"^([-+=]|\d+(?=[.)]))")
"""Line beginnings that Markdown reads as a list or heading."""


class ReportGroup(NamedTuple):
    """Lines under a subheading; `title` is "" for none."""

    title: str
    lines: tuple[str, ...]


class ReportPart(NamedTuple):
    """A section of a report."""

    title: str
    groups: tuple[ReportGroup, ...]


class ReportDocument(NamedTuple):
    """A report.

    Attributes:
        title: Report and game.
        reader: The addressee.
        parts: Sections in reading order; none is empty.
        due: What is due next, and when.
    """

    title: str
    reader: str
    parts: tuple[ReportPart, ...]
    due: ReportPart


def make_part(title: str, lines: Iterable[str]) -> tuple[ReportPart, ...]:
    """Return a section of one group, or an empty tuple if there are no lines."""
    found = tuple(map(clean_text, lines))
    return (ReportPart(title, (ReportGroup("", found),)),) if found else ()


def document_text(document: ReportDocument) -> str:
    """Format a report as plain text."""
    return "\n".join(_text(document)).strip() + "\n"


def _text(document: ReportDocument) -> Iterator[str]:
    yield document.title
    yield f"For {document.reader}."
    for each in (*document.parts, document.due):
        yield from ("", each.title.upper())
        for group in each.groups:
            if group.title:
                yield f"{group.title}:"
            yield from group.lines


def document_markdown(document: ReportDocument) -> str:
    """Format a report as Markdown."""
    return "\n".join(_markdown(document)).strip() + "\n"


def _markdown(document: ReportDocument) -> Iterator[str]:
    yield f"# {escape_markdown(document.title)}"
    yield from ("", f"For {escape_markdown(document.reader)}.")
    for each in (document.due, *document.parts):
        yield from ("", f"## {escape_markdown(each.title)}")
        for group in each.groups:
            if group.title:
                yield from ("", f"### {escape_markdown(group.title)}")
            yield ""
            yield from (f"- {escape_markdown(line)}" for line in group.lines)


def escape_markdown(text: str) -> str:
    """Escape all Markdown markup in a line."""
    return _AT_START.sub(lambda m: f"\\{m[1]}" if not m[1].isdigit() else m[1] + "\\", _MARKUP.sub(r"\\\g<0>", text))


SINCE_HEADING = "Changes since your last orders"
"""Title of the section with the events of a seat."""

ORDER_NOTE = "order_"
"""Prefix of the codes of notes about the results of orders."""


def adjudications(table: PaxHost) -> tuple[Line, ...]:
    """Return the adjudications in force; the first one started the first stop."""
    tag = Adjudicate.__struct_config__.tag
    return tuple(line for line in table.game.effective_lines() if line.action.get("type") == tag)


def public_report(table: PaxHost, terms: MailTerms) -> ReportDocument:
    """Build the public report on the last adjudication: all events by Phase, and what is due."""
    last = adjudications(table)[-1]
    narrator = Narrator(table.tables, table.state_for(SPECTATOR, 1))
    for line in table.game.effective_lines():
        if line.n < last.n:
            narrator.learn(table.visible_events(SPECTATOR, line.n))
    seen = table.visible_events(SPECTATOR, last.n)
    phase = table.game.seek(last.n - 1).phase
    parts = [*make_part("Notices", _notice_lines(table)), *_phase_groups(narrator, phase, seen)]
    parts += _common_parts(table, SPECTATOR)
    parts += make_part("Dice", _dice_lines(Narrator(table.tables, table.state_for(SPECTATOR, 1)), seen))
    return _document(table, terms, "everybody", parts)


def seat_report(table: PaxHost, terms: MailTerms, seat: str) -> ReportDocument:
    """Build the report of a seat on the last adjudication: its orders, the events that concern it, what is due."""
    last = adjudications(table)[-1]
    session = LocalSession(table, seat, bots_enabled=False)
    events = table.visible_events(seat, last.n)
    notes = [e.text for e in events if isinstance(e, ev.Noted) and e.code.startswith(ORDER_NOTE)]
    messages = [e.text for e in events if isinstance(e, ev.Noted) and e.code == MESSAGE_CODE]
    parts = [
        *make_part("Notices", _notice_lines(table)),
        *make_part("Your orders", notes),
        *make_part("Anonymous messages", messages),
    ]
    known, pages = [*notes, *messages], pages_since(session, last.n - 1, everything=True)
    parts += [_part_of(table, _without_notes(page, known)) for page in pages]
    parts += make_part("Your position", _position_document(table, seat))
    waiting = todo_lines(todo_items(table.tables, table.state_for(seat), seat))
    parts += make_part("Your open questions", waiting)
    return _document(table, terms, power_name(table.tables, seat), [*parts, *_common_parts(table, seat)])


def game_at_stop(table: PaxHost, stop: int) -> PaxHost:
    """Rebuild the game in memory as it was when a stop began. `stop`: from 1 to the current one."""
    last = adjudications(table)[stop - 1]
    data = b"".join(line + b"\n" for line in table.log().split(b"\n")[: last.n])
    return table.copy(parse(data))


# --- parts ------------------------------------------------------------------------------------------------------------


def _document(table: PaxHost, terms: MailTerms, reader: str, parts: Sequence[ReportPart]) -> ReportDocument:
    year = table.tables.turns[table.state.turn - 1].year
    title = f"Pax Britannica by mail, game {terms.game}: report {len(adjudications(table))}, {year}"
    return ReportDocument(title, reader, tuple(each for each in parts if each.groups), _due_part(table, terms))


def _part_of(table: PaxHost, page: ReportPage) -> ReportPart:
    standing = standing_lines(table.tables, page)
    groups = [ReportGroup("Victory Points", tuple(standing))] if standing else []
    groups += [
        ReportGroup(section.title, tuple(clean_text(line.text) for line in section.lines)) for section in page.sections
    ]
    return ReportPart(page.title, tuple(groups))


def _common_parts(table: PaxHost, seat: str) -> Iterator[ReportPart]:
    """Yield the sections shared by all reports: standings and Casus Belli."""
    state = table.state_for(seat)
    yield from make_part("Standing", _standing_document(table))
    yield from make_part("Wars", _war_lines(table.tables, state))
    yield from make_part("Units at sea", _sea_lines(table.tables, state))
    yield from make_part("Treaties" if seat == SPECTATOR else "Treaties you know", _treaty_lines(table.tables, state))
    yield from make_part(
        "Casus Belli", (f"{cause.id}: {describe_cause(table.tables, cause)}." for cause in state.casus_belli)
    )


def _war_lines(tables: Tables, state: State) -> Iterator[str]:
    """Yield the Wars, and who gives orders to Powers without a player."""
    for war in state.wars:
        yield f"{sides_text(tables, war)[:1].upper()}{sides_text(tables, war)[1:]}, cycle {war.cycle}."
        for power in war.powers:
            seats = commanders(tables, state, war, power)
            if seats and power not in (*seats, *state.players):
                gives = "gives" if len(seats) == 1 else "give"
                yield f"  {the_powers(tables, seats)} {gives} orders to {power_name(tables, power)}."


def _sea_lines(tables: Tables, state: State) -> Iterator[str]:
    for zone, units in state.at_sea.items():
        owners = dict.fromkeys(unit.power for unit in units)
        held = "; ".join(
            f"{power_name(tables, p)} {' '.join(unit.name for unit in units if unit.power == p)}" for p in owners
        )
        if held:
            yield f"{place_name(tables, zone)}: {held}."


def _treaty_lines(tables: Tables, state: State) -> Iterator[str]:
    """Yield the Treaties that the reader knows, with the ids used in orders."""
    for treaty in state.treaties:
        if treaty.stage == ENDED:
            continue
        missing = tuple(p for p in treaty.parties if p not in treaty.signed)
        how = f"a draft not signed by {powers_text(tables, missing)}" if treaty.stage == DRAFT else "in force"
        how += "".join(f", ended between {powers_text(tables, end.powers)} by War" for end in treaty.partial_ends)
        known = "public" if treaty.public else "to be public" if treaty.publish else "secret"
        parties = powers_text(tables, treaty.parties)
        name = f"{treaty.name}, " if treaty.name else ""
        yield f"{treaty.id}: {name}{parties}; {how}, {known}: {articles_text(tables, treaty)}"


def _dice_lines(narrator: Narrator, events: Sequence[ev.Event]) -> Iterator[str]:
    for event in events:
        text = narrator.tell(event)
        has_dice = isinstance(event, ev.RandomEventRolled) or bool(getattr(event, "dice", ()))
        if text and has_dice:
            yield sentence(text)


def _notice_lines(table: PaxHost) -> list[str]:
    """Return the gamemaster's notices since the previous report."""
    done = adjudications(table)
    first = done[-2].n if len(done) > 1 else 1
    return [
        str(line.action["text"])
        for line in table.game.lines
        if first < line.n < done[-1].n and line.kind == "note" and line.seat == ARBITER
        if isinstance(line.action, dict) and line.action.get("type") == DISPATCH and line.action.get("text")
    ]


def _phase_groups(narrator: Narrator, phase: str, events: Sequence[ev.Event]) -> Iterator[ReportPart]:
    """Yield the events, grouped by Phase; a Phase without events is left out."""
    lines: list[str] = []
    for event in events:
        text = narrator.tell(event)
        if isinstance(event, ev.PhaseBegan):
            yield from make_part(f"{phase_name(phase)} Phase", lines)
            phase, lines = event.phase, []
        elif text and not is_bookkeeping(event):
            lines.append(sentence(text))
    yield from make_part(f"{phase_name(phase)} Phase", lines)


def _without_notes(page: ReportPage, notes: Sequence[str]) -> ReportPage:
    """Remove notes from a page that the seat's orders already show."""
    known = {sentence(note) for note in notes}
    kept = [
        section._replace(lines=lines)
        for section in page.sections
        if (lines := tuple(line for line in section.lines if line.text not in known))
    ]
    title = SINCE_HEADING if page.title == CHANGES_TITLE else page.title
    return page._replace(title=title, sections=tuple(kept))


def _standing_document(table: PaxHost) -> Iterator[str]:
    state, tables = table.state, table.tables
    yield f"{describe_indexes(state)}."
    for seat in sorted(state.players, key=lambda s: -state.powers[s].victory_points):
        for power in powers_of(tables, state, seat):
            yield f"{power_name(tables, power)}: {describe_figures(tables, state, power)}."
    acts = table.game.effective_lines()
    for seat in state.players:
        missed = missed_streak(acts, seat)
        if missed:
            times = "its last move" if missed == 1 else f"{missed} moves in succession"
            opened = ": the seat is open to another player" if missed >= MOST_MISSED else ""
            yield f"{power_name(tables, seat)} has missed {times}{opened}."


def _position_document(table: PaxHost, seat: str) -> Iterator[str]:
    state, tables = table.state_for(seat), table.tables
    for power in powers_of(tables, state, seat):
        yield f"{power_name(tables, power)}: {describe_figures(tables, state, power)}."
        for area, here in state.areas.items():
            markers = [
                m.marker + ("" if m.established else " (not established)") for m in here.markers if m.power == power
            ]
            units = [u.name for u in here.units if u.power == power]
            if markers or units:
                unrest = ", in Unrest" if here.unrest else ""
                yield f"  {tables.areas[area].name}: {' '.join([', '.join(markers), *units]).strip()}{unrest}"
        home = [u.name for u in state.homes.get(power, ()) if u.power == power]
        at_sea = [
            f"{place_name(tables, zone)} {' '.join(u.name for u in there if u.power == power)}"
            for zone, there in state.at_sea.items()
            if any(u.power == power for u in there)
        ]
        if at_sea:
            yield f"  At sea: {'; '.join(at_sea)}."
        fleets = [tables.sea_zones[z].name for z, powers in state.sea_zones.items() if power in powers]
        yield f"  At home: {' '.join(home) or 'nothing'}. Merchant Fleets: {', '.join(fleets) or 'none'}."


def _due_part(table: PaxHost, terms: MailTerms) -> ReportPart:
    if table.state.result is not None:
        return ReportPart("The game is over", (ReportGroup("", ("No more orders are needed.",)),))
    names = ", ".join(power_name(table.tables, seat) for seat in terms.waits_for)
    lines = f"Stop {terms.stop}: {terms.asks}, from {names}.", f"Deadline: {deadline_utc_text(terms.deadline)}."
    return ReportPart("Next orders", (ReportGroup("", lines),))


_INSTRUCTIONS: dict[StopKind, str] = {
    "movement": """\
# One order per line, the most important first: earlier orders use your money and pieces first.
#   place protectorate tunis
#   build A3 A1; move A3 A1 home > tunis              with semicolons: all or nothing
#   if britain places control tunis: place protectorate tunis
#   merchant mediterranean > baltic unless france moves at least 5 strength points of armies to tunis
#   pay italy 20            on Italy's form: accept 20 from france
# Below 'standing:', write instructions for events at which the game does not stop:
#   fight tunis      decline tunis      fight tunis if unrest      lose A3 in tunis      retreat tunis > algiers
""",
    "negotiation": """\
# Your actions in the Negotiation Phase, one per line:
#   downgrade influence tunis      withdraw influence persia      codominion tunis      waive cb1
#   congress germany over cb1      declare war italy over cb1     defend belgium kongo
#   treaty Rome with italy: defensive            Italy signs with the same line on its form, or with: sign ID
#   treaty Rome with italy secret: defensive     not published; one secret article: treaty ...: defensive; secret ...
#   pay italy 20            on Italy's form: accept 20 from france
""",
    "congress": """\
# The Congress of Europe. This form attends, invites and proposes; the next one votes on all proposals.
#   attend (or: stay away)          invite japan          agenda tunis
#   propose Act of Vienna: italy lowers tunis to interest; france pays italy 3
#   renew congress                  host only: a further deadline, if nothing is proposed
#   declare war italy over cb1
""",
    "vote": """\
# Your vote, and whether you sign if the proposal passes. Without a vote, you abstain and sign.
#   vote p1 yes sign      vote p1 no defy
# Host only, for equal votes:      tie p1 yes
# A new proposal is voted on if none passes now:      propose Act 2: france leaves tunis
# Below 'standing:', if a clause names you but you do not vote:      sign p1      refuse p1
""",
    "spoils": """\
# Your markers, one Area per line, below 'standing:'. You leave all other Areas to the other victors.
#   spoils cuba: place possession        spoils kongo: codominion protectorate of france germany
# To be divided:
""",
}
_OTHER_INSTRUCTIONS = """\
# Answers and actions, one per line: choose ID ANSWER, propose NAME: CLAUSES, move A3 home > tunis, attack tunis
# An attack may have a condition: attack tunis if britain moves at least 5 strength points of armies to tunis
"""


def blank_form(table: PaxHost, stop: int, seat: str) -> str:
    """Return the blank form of a seat for the current stop."""
    state = table.state_for(seat)
    lines = [
        f"# {power_name(table.tables, seat)}, {table.tables.turns[state.turn - 1].year}: a form for stop {stop}.",
        "# Text after '#' is a comment.",
        f"game: {table.game.header.game}",
        f"stop: {stop}",
        f"seat: {seat}",
        "#extend: 3          request three more days; send the form again when your orders are ready",
        "#vacation: 14       let the caretaker play for 14 days (or: until 1888); submit a form to return earlier",
        "",
        *_INSTRUCTIONS.get(stop_kind(state), _OTHER_INSTRUCTIONS).splitlines(),
    ]
    lines += [f"#   {area}" for area in _spoils_lines(table.tables, state)]
    sitting = with_congress_resumed(state)
    if is_suspended(state):
        lines += ["# The Congress and the War run at the same time. Use this form for both."]
        lines += _INSTRUCTIONS.get(stop_kind(sitting), _OTHER_INSTRUCTIONS).splitlines()
    for choice in (*state.choices, *(sitting.choices if is_suspended(state) else ())):
        if choice.seat == seat:
            lines += [
                f"# {choice.id}: {describe_question(table.tables, choice)}",
                f"#   answers: {', '.join(option_texts(choice))}",
                f"#   without an answer: {describe_silence(state, choice)}",
                f"#choose {choice.id} ANSWER",
            ]
    lines += _proposal_lines(table.tables, sitting)
    return "\n".join(lines) + "\n\n"


def _proposal_lines(tables: Tables, state: State) -> list[str]:
    """Return the proposals that a Congress votes on, with a vote line for each. Rules: PBM-053, PBM-058."""
    congress = state.congress
    if congress is None or not any(isinstance(choice.about, Ballot) for choice in state.choices):
        return []
    lines = ["# The proposals, in the order in which they are voted on:"]
    for proposal in congress.proposals:
        if proposal.stage == TABLED or proposal.id == congress.current:
            articles = "; ".join(describe_clause(tables, clause) for clause in proposal.clauses)
            lines += [
                f"# {proposal.id}, {proposal.name} of {power_name(tables, proposal.proposer)}: {articles}",
                f"#vote {proposal.id} ANSWER",
            ]
    return lines


def _spoils_lines(tables: Tables, state: State) -> tuple[str, ...]:
    """Return the Areas to be divided, best first. Rules: PBM-105."""
    wars = {choice.about.war for choice in state.choices if isinstance(choice.about, Spoils)}
    return tuple(area for war in state.wars if war.id in wars for _, area in spoils_due(tables, state, war))


POSITION_SUFFIX = ".position"


class SeatPosition(msgspec.Struct, frozen=True, omit_defaults=True):
    """A position file.

    Attributes:
        game, stop, seat: what it belongs to.
        state: the position as the seat knows it when the stop begins.
        replaced: the tables of the game that differ from the shipped ones, by name in `data/`.
    """

    game: str
    stop: int
    seat: str
    state: State
    replaced: dict[str, str] = {}

    @property
    def tables(self) -> Tables:
        """The tables of the game. Raises: TableError."""
        return load_tables_from_header(self.replaced)


def position_text(table: PaxHost, stop: int, seat: str) -> str:
    """Serialize the position of a seat at the current stop."""
    header = table.game.header
    found = SeatPosition(header.game, stop, seat, table.state_for(seat), header.tables)
    return msgspec.json.encode(found, order="deterministic").decode() + "\n"


def read_position(path: Path) -> SeatPosition:
    """Read a position file. Raises: Refusal `no_position`, `bad_position`; OSError."""
    if not path.is_file():
        raise Refusal("no_position", (), f"{path} is missing. It comes with the report, beside the form.")
    try:
        return msgspec.json.decode(read_regular(path), type=SeatPosition)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Refusal(
            "bad_position", (), f"{path} cannot be read ({error}). Ask the gamemaster to send the report again."
        ) from None
