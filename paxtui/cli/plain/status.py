"""Status, news and seats in the plain mode: obstacles to ready, unread events, bots and their reasons, advice."""

from __future__ import annotations

from paxtui.bots.pax.registry import BOTS, parse_bot_name
from paxtui.cli.plain import renderers
from paxtui.cli.plain.renderers import (
    cite_rules,
    describe_line,
    join_names,
    pending_lines,
    reminder_lines,
    strip_symbols,
)
from paxtui.engine.clock import duration_text
from paxtui.engine.refusal import Refusal
from paxtui.engine.seating import PERSON, SeatOccupant, occupants_label
from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.status import units_line
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.expansion.garrisons import has_garrison
from paxtui.games.pax.figures import describe_figures
from paxtui.games.pax.preview.dry_run import run_trial
from paxtui.games.pax.reports import war_status
from paxtui.games.pax.reports.briefing import CLOSING_PHASES, OPENING_PHASES
from paxtui.games.pax.reports.great_war import great_war_warnings
from paxtui.games.pax.sequence import OPEN, waiting_seats
from paxtui.games.pax.state.pieces import CONTROL
from paxtui.games.pax.state.war import War
from paxtui.games.pax.text.display import PaxNames, join_with_or, place_name, power_name
from paxtui.games.pax.text.parsing import name_index
from paxtui.games.pax.war import empire
from paxtui.session.advice import NO_ADVICE, PlanAdviser, describe_subject
from paxtui.session.bot_process import compute_response
from paxtui.session.orders_ahead import AheadOutcome, describe_ahead_outcome, describe_last_outcomes
from paxtui.session.orders_ahead import describe_line as describe_line_ahead
from paxtui.session.session import AssignSeats, LeaveOrders, Session
from paxtui.session.standings import describe_challenge, describe_standings


def standing_key(session: Session) -> tuple[object, ...]:
    """Values that trigger a new status message when they change."""
    return session.seat, session.live.phase, session.live.turn, session.at, session.live.result


def standing_lines(session: Session) -> list[str]:
    """Describe Turn and Phase, the Treasury of the seat, the seats that must act, and reminders."""
    s, tables, state = session, session.tables, session.state
    out = [f"{renderers.headline(tables, state)}; line {s.line}."]
    if state.result is not None:
        return [*out, *renderers.result_lines(tables, state), *filter(None, [describe_challenge(s)])]
    if s.at is not None:
        return [*out, "This is the past: 'history +1' goes forward, 'now' returns to the present."]
    for power in s.powers():
        if power in state.powers:
            out.append(f"{power_name(tables, power)}: {describe_figures(tables, state, power)}.")
    due_seats = waiting_seats(tables, state)
    for war in state.wars:
        out.append(f"{war_status.war_title(tables, war)}; {war_status.war_moment(tables, war)}.")
        out += _armies_of_an_empire(session, war)
    out.append(f"Waiting for {join_names([power_name(tables, seat) for seat in due_seats])}.")
    if s.seat in state.ready and state.phase in OPEN:
        out.append("You are ready.")
    out.append(describe_standings(s))
    out += filter(None, [describe_challenge(s)])
    out += great_war_warnings(tables, state)
    acted = [
        f"{power_name(tables, seat)} at {place_name(tables, place)}" for seat, place in s.others.last_places().items()
    ]
    if acted:
        out.append(f"Last actions: {join_names(acted)}.")
    left = s.clock.left_s
    if s.clock.is_paused:
        out.append("The game is paused.")
    elif left is not None:
        out.append(f"{duration_text(left).capitalize()} left.")
    return out + reminder_lines(s)


def _armies_of_an_empire(session: Session, war: War) -> list[str]:
    """Describe the Armies of an Empire at War, which belong to no seat."""
    name = empire.empire_of(war)
    found = []
    for area, here in session.state.areas.items():
        units = units_line(tuple(u for u in here.units if u.power == name))
        if name and units:
            found.append(f"{units} in {place_name(session.tables, area)}")
    return [f"{power_name(session.tables, name)}: {join_names(found)}."] if found else []


def ready_obstacles(session: Session) -> list[str]:
    """Describe what keeps the seat from being ready, found by a dry run, and markers without a garrison."""
    s = session
    if s.live.phase not in OPEN or s.seat in s.live.ready or s.live.result is not None:
        return []
    outcome = run_trial(s.tables, s.live, s.seat, actions.Ready())
    if isinstance(outcome, Refusal):
        return [f"Before ready: {strip_symbols(outcome.message)}{cite_rules(outcome.rules)}", *pending_lines(s)]
    bare = _ungarrisoned_areas(session) if s.live.phase == "movement" else []
    if bare:
        return [
            f"You can be ready, but have no army in {join_names(bare)}.",
            *pending_lines(s),
        ]
    return [*pending_lines(s), "You can be ready."]


def _ungarrisoned_areas(session: Session) -> list[str]:
    """Return the Areas with a Control marker of the seat but without its army."""
    s = session
    return [
        s.tables.areas[area].name
        for area, here in s.live.areas.items()
        for m in here.markers
        if m.power in s.powers() and m.marker in CONTROL and not has_garrison(s.live, area, m.power)
    ]


class NewsCursor:
    """The position in the log up to which events were printed; starts at the end of the log.

    Public events are printed once per keyboard, private ones for each seat that may know them.
    """

    def __init__(self, session: Session) -> None:
        self._told = session.view.place
        self._reported = session.live.phase in (*CLOSING_PHASES, *OPENING_PHASES)
        self._at_keyboard = dict.fromkeys(session.live.players, self._told)
        self._outcomes: dict[str, tuple[AheadOutcome, ...]] = {}
        self._orders_ahead(session)

    def news(self, session: Session) -> list[str]:
        """Describe the events since the last call, as far as the seat may know them."""
        since, self._told = self._told, session.view.place
        self._at_keyboard[session.seat] = self._told
        out = []
        for seen in session.view.seen_lines(since):
            out += describe_line(session.tables, session.view.narrator, seen._replace(events=self._apart(seen.events)))
        return out + self._orders_ahead(session)

    def _orders_ahead(self, session: Session) -> list[str]:
        """Describe what became of orders ahead of the seat since the last call."""
        known, orders = self._outcomes.get(session.seat), session.orders_ahead
        now = self._outcomes[session.seat] = orders.outcomes if orders is not None else ()
        if known is None or known == now:
            return []
        new = now[len(known) :] if now[: len(known)] == known else now[-1:]
        return [f"Order ahead: {describe_ahead_outcome(session.tables, outcome)}" for outcome in new]

    def _apart(self, events: tuple[ev.Event, ...]) -> tuple[ev.Event, ...]:
        """Return the events without those between Game Turns, which a report shows."""
        out = []
        for event in events:
            if isinstance(event, ev.PhaseBegan):
                self._reported = event.phase in (*CLOSING_PHASES, *OPENING_PHASES)
            elif isinstance(event, ev.PositionSet):
                self._reported = event.state.phase in (*CLOSING_PHASES, *OPENING_PHASES)
            if not self._reported or isinstance(event, ev.GameEnded | ev.ChoiceOffered):
                out.append(event)
        return tuple(out)

    def missed(self, session: Session) -> list[str]:
        """Describe private events of the seat while others used the keyboard."""
        since = self._at_keyboard.get(session.seat, 1)
        self._at_keyboard[session.seat] = self._told
        private = [seen for seen in session.view.seen_lines(since, self._told) if session.view.is_private(seen.place)]
        texts = [text for seen in private for text in describe_line(session.tables, session.view.narrator, seen)]
        return texts + self._orders_ahead(session)


def orders_ahead_lines(session: Session, words: str) -> list[str]:
    """List the orders ahead of the seat, or change them. Raises: Refusal, OSError."""
    orders = session.orders_ahead
    if orders is None or session.read_only_label:
        raise Refusal("not_a_player", (), "Only players can leave orders ahead.")
    lines = [(line.text, line.standing) for line in orders.lines]
    first, _, rest = words.strip().partition(" ")
    if first == "drop":
        if not rest.strip().isdecimal() or not 1 <= int(rest.strip()[:4]) <= len(lines):
            raise Refusal("bad_order", (), f"Write the number of an order, 1 to {len(lines)}, as in 'ahead drop 1'.")
        del lines[int(rest) - 1]
    elif words.strip():
        lines.append((rest.strip(), True) if first == "standing" else (words.strip(), False))
    if words.strip():
        session.perform(LeaveOrders(orders.version, tuple(lines)))
        orders = session.orders_ahead or orders
    shown = [
        f"{n}. {line.text}{' (stays)' if line.standing else ''}: {describe_line_ahead(line)}"
        for n, line in enumerate(orders.lines, 1)
    ]
    return [*(shown or ["No orders ahead."]), *describe_last_outcomes(session.tables, orders)]


MOST_REASONS = 20
"""Maximum number of reasons shown, the latest."""

PLAYER_KINDS: dict[str, SeatOccupant] = {
    "person": PERSON,
    **{name: parse_bot_name(name) for name in BOTS},
    "nobody": SeatOccupant(by="nobody"),
}
"""Occupants of a seat, by their names in the command."""


def seat_command(session: Session, words: str) -> list[str]:
    """List the occupants of all seats, or change one. Raises: Refusal, OSError."""
    seats = session.live.players
    if words:
        who, _, wanted = words.rpartition(" ")
        occupant = PLAYER_KINDS.get(wanted.casefold())
        if occupant is None and ":" in wanted:
            try:
                occupant = parse_bot_name(wanted)
            except ValueError as error:
                return [f"{str(error).capitalize()}."]
        if occupant is None or not who:
            return [f"Name the Power, then {join_with_or(tuple(PLAYER_KINDS))}: sits france caretaker."]
        seat = name_index(session.tables).powers.find(who)
        if seat not in seats:
            return [f"{power_name(session.tables, seat)} has no seat in this game."]
        if occupant.is_automatic and set(session.seats.here()) <= {seat}:
            return ["At least one seat must have a person. Give another seat to a person first."]
        session.perform(AssignSeats({seat: occupant}))
    return [occupants_label(PaxNames(session.tables), {seat: session.seats.occupant(seat) for seat in seats}) + "."]


def bot_reasons(session: Session) -> list[str]:
    """List the last public actions of bots, each with its reason."""
    reasons = session.view.bot_reasons()[-MOST_REASONS:]
    if not reasons:
        return ["No bot has given a public reason."]
    return [f"{power_name(session.tables, seat)}: {text} ({why})." for seat, text, why in reasons]


def advice_lines(session: Session) -> list[str]:
    """List the plan of a statesman for the seat, step by step with reasons."""
    if not session.bots.allows_advice:
        return [NO_ADVICE]
    if session.seat not in session.waiting():
        return ["You have nothing to do now."]
    plan = PlanAdviser(session)
    while (request := plan.request()) and plan.accept(compute_response(session.view.game_log.rules, request)):
        pass
    acts = plan.steps()
    if not acts:
        return ["No further action suggested."]
    lines = []
    for n, act in enumerate(acts, start=1):
        lines.append(f"{n}. {act.text}" + (f" ({act.why})." if act.why else "."))
        lines += [f"   {subject}"] if (subject := describe_subject(session, act.texts[0])) else []
    return lines
