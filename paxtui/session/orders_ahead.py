"""Orders that seats leave ahead, in the language of mail forms. They are carried out when they become legal.

    place influence siam                        as soon as it is legal
    movement: build A3 A3                       in a Movement/Status Change Phase
    withdraw sudan if britain places control in egypt
    movement: ready                             when the orders above it are done
    stay ready                                  in this Phase, until something concerns the seat
    standing:                                   what follows stays
    garrison                                    before each `ready`
    lose A1 in tunis                            answers to questions, as in mail forms
    default losses

An order is tried after each change of the game. It disappears when it is carried out. If its Phase ends first, it
disappears too, and its owner reads the reason. Conditions refer to what other Powers have done in the same Phase. A
condition with `not` or `unless` is decided when all other seats are ready.

Orders are stored in NAME.ahead.json beside the log and nowhere else. Each order is marked in that file before it is
carried out, so that a crash neither loses nor repeats it.

Rules: SEQ-010, PBM-015, PBM-126
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from paxtui.engine.free_text import clean_text
from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.dispatches import DISPATCH
from paxtui.games.pax.board.status import powers_of
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.mail.adjudication import effective_action
from paxtui.games.pax.mail.conditions import (
    Condition,
    OrderEffect,
    actual_effects,
    condition_parts,
    format_condition,
    is_condition_met,
)
from paxtui.games.pax.mail.forms import FormOrder, StandingInstruction, parse_form
from paxtui.games.pax.mail.standing_orders import find_answer
from paxtui.games.pax.preview.dry_run import run_trial
from paxtui.games.pax.reports.changes import areas_with_pieces, is_about_areas, is_about_seat
from paxtui.games.pax.sequence import OPEN, WAR
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.phases import PHASES
from paxtui.games.pax.text.display import capitalize, phase_name, sentence, the_power
from paxtui.games.pax.transaction import DryRun
from paxtui.session.game_viewer import GameViewer
from paxtui.session.pax_host import PaxHost
from paxtui.session.storage.interface import FILES, Storage
from paxtui.session.storage.saved_games import AHEAD_SUFFIX

MAX_LINES = 60
"""Maximum number of orders of a seat."""

MAX_LINE_LENGTH = 400
"""Maximum length of an order, in characters."""

MAX_OUTCOMES = 20
"""Number of outcomes that a seat keeps."""
SHOWN_OUTCOMES = 5
"""Number of outcomes that a list shows."""

MAX_STEPS = 200
"""Maximum number of orders carried out after one change of the game."""

WAITING_CODES = ("wrong_phase", "not_waited", "not_given", "choose_first", "abandoned")
"""Refusals of orders whose time has not come."""

NOT_YET = "not yet: "
"""Begins the reason of an order whose condition is not met yet."""

READY: dict[str, actions.Action] = {"ready": actions.Ready(), "pass": actions.Pass()}
"""Orders that no mail form contains."""

STAY_READY = "stay ready"
"""The order that declares a seat ready again, in its Phase, until something concerns the seat."""

PHASE_WORDS = {phase: phase for phase in PHASES} | {"movement/status change": "movement", "combat": "colonial_combat"}
"""Words before a colon that name the Phase of an order."""

OutcomeKind = Literal["done", "refused", "unmet"]

OWN_UNDO = ("undo", "redo")
"""Kinds of lines of the log by which a player takes acts back or restores them."""


class AheadLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """An order that waits.

    Attributes:
        text: as typed.
        standing: whether it stays after it is carried out.
        tried: Game Turn and Phase in which its time had come, as text; "" for none.
        why: why it is not carried out yet; "" if its time has not come.
        rules: the rules for the reason.
        done: Game Turn and Phase in which a standing order was carried out last, as text.
        since: of `stay ready`, the last line of the log that was searched for something that concerns the seat.
    """

    text: str
    standing: bool = False
    tried: str = ""
    why: str = ""
    rules: tuple[str, ...] = ()
    done: str = ""
    since: int = 0

    @property
    def stays_ready(self) -> bool:
        """Whether the order is `stay ready`."""
        return self.text.rpartition(":")[2].strip().casefold() == STAY_READY


class AheadOutcome(msgspec.Struct, frozen=True, omit_defaults=True):
    """What became of an order.

    Attributes:
        text: the order.
        kind: carried out; refused by the rules until its Phase ended; condition not met.
        turn: Game Turn.
        phase: Phase.
        why: the reason.
        rules: the rules for the reason.
    """

    text: str
    kind: OutcomeKind
    turn: int
    phase: str
    why: str = ""
    rules: tuple[str, ...] = ()


class SeatOrders(msgspec.Struct, frozen=True, omit_defaults=True):
    """The orders ahead of a seat.

    Attributes:
        lines: the orders, in their sequence.
        outcomes: the last outcomes, newest last.
        version: increases with each change of the lines.
    """

    lines: tuple[AheadLine, ...] = ()
    outcomes: tuple[AheadOutcome, ...] = ()
    version: int = 0

    @property
    def stays_ready(self) -> bool:
        """Whether the seat stays ready until something concerns it."""
        return any(line.stays_ready for line in self.lines)


class _Intent(msgspec.Struct, frozen=True):
    """An order that is being carried out.

    Attributes:
        seat: its seat.
        line: the order.
        version: the last line of the log before it.
    """

    seat: str
    line: AheadLine
    version: int


class _File(msgspec.Struct):
    game: str = ""
    seats: dict[str, SeatOrders] = {}
    intent: _Intent | None = None


class ParsedLine(NamedTuple):
    """An order that was parsed.

    Attributes:
        phase: the Phase that it names; "" for any.
        order: the order with its condition; None for an answer and for `ready`.
        instruction: the standing answer; None for an order.
        ready: `ready` or `pass`; None for other orders.
        stays: whether the seat stays ready until something concerns it.
    """

    phase: str = ""
    order: FormOrder | None = None
    instruction: StandingInstruction | None = None
    ready: actions.Action | None = None
    stays: bool = False

    @property
    def condition(self) -> Condition | None:
        """The condition of the order."""
        return self.order.condition if self.order is not None else None

    @property
    def is_garrison(self) -> bool:
        """Whether the order sends missing garrisons, which happens before `ready`."""
        return self.order is not None and all(isinstance(act, actions.Garrison) for act in self.order.acts)

    @property
    def waits_for_others(self) -> bool:
        """Whether the condition can be decided only when all others are ready."""
        return self.condition is not None and not all(positive for _, positive in condition_parts(self.condition))


def parse_ahead_line(tables: Tables, own: tuple[str, ...], text: str, standing: bool) -> ParsedLine:
    """Parse an order.

    Args: the tables; the Powers of its seat; the order; whether it is standing.
    Raises: Refusal `bad_order`, with the `column`.
    """
    head, colon, rest = text.partition(":")
    phase = PHASE_WORDS.get(head.strip().casefold(), "") if colon else ""
    words = rest.strip() if phase else text.strip()
    if ready := READY.get(words.casefold()):
        return ParsedLine(phase, ready=ready)
    if words.casefold() == STAY_READY:
        if standing:
            raise Refusal("bad_order", (), f"'{STAY_READY}' ends with its Phase. Write 'ready' as a standing order.")
        return ParsedLine(phase, ready=actions.Ready(), stays=True)
    form, faults = parse_form(tables, words, own)
    if standing and (faults or not form.orders):
        answers, answer_faults = parse_form(tables, f"standing:\n{words}", own)
        if answers.standing:
            return ParsedLine(phase, instruction=answers.standing[0])
        faults = faults or answer_faults
    if faults:
        raise Refusal("bad_order", (), faults[0].message, column=faults[0].column + len(text) - len(words))
    if len(form.orders) != 1:
        why = "Answers to questions are standing orders." if form.standing else "Write one order in each line."
        raise Refusal("bad_order", (), why)
    return ParsedLine(phase, form.orders[0])


def ahead_path(log: Path) -> Path:
    """Return the file of the orders ahead of a game. Args: the log."""
    return log.with_suffix(AHEAD_SUFFIX)


class OrdersAhead:
    """The orders ahead of a game.

    Args:
        host: the game.
        path: their file; None to keep them in memory.
        storage: where the file is stored.

    Attributes:
        changed: callback with a seat whose orders or outcomes have changed.
    """

    def __init__(self, host: PaxHost, path: Path | None, storage: Storage = FILES) -> None:
        self._host, self._path, self._storage = host, path, storage
        self.changed: Callable[[str], None] = lambda seat: None
        self._parsed: dict[tuple[str, str, bool], ParsedLine] = {}
        self._looked_at = 0, False
        self._viewers: dict[str, GameViewer] = {}
        self._effects: tuple[tuple[int, str], int, dict[str, tuple[OrderEffect, ...]]] = (0, ""), 0, {}
        self._file = _File(host.game.header.game)
        if path is not None:
            self._file = _read(path, self._file, storage)
            self._settle_intent()

    def _settle_intent(self) -> None:
        """After a crash, find out from the log whether the last order was carried out."""
        intent = self._file.intent
        if intent is None:
            return
        self._file.intent = None
        new = self._host.game.lines_after(intent.version)
        if any(line.kind == "act" and line.seat == intent.seat for line in new):
            self._add_outcome(intent.seat, intent.line, "done")
        elif not intent.line.standing:
            orders = self.orders(intent.seat)
            self._file.seats[intent.seat] = replace(
                orders, lines=(intent.line, *orders.lines), version=orders.version + 1
            )

    # --- orders of a seat -----------------------------------------------------------------------------------------

    def orders(self, seat: str) -> SeatOrders:
        """Return the orders of a seat."""
        return self._file.seats.get(seat, SeatOrders())

    def parse(self, seat: str, line: AheadLine) -> ParsedLine:
        """Parse an order. Raises: Refusal."""
        key = seat, line.text, line.standing
        known = self._parsed.get(key)
        if known is None:
            own = powers_of(self._host.tables, self._host.state, seat)
            known = self._parsed[key] = parse_ahead_line(self._host.tables, own, line.text, line.standing)
        return known

    def set_orders(self, seat: str, version: int, lines: Sequence[tuple[str, bool]]) -> None:
        """Replace the orders of a seat.

        Args: the seat; the version that was changed; the orders, each with whether it is standing.
        Raises: Refusal `stale`, `bad_order` with the `line`, `not_a_player`; OSError.
        """
        if seat not in self._host.seats:
            raise Refusal("not_a_player", (), "Only players can leave orders ahead.")
        before = self.orders(seat)
        if version != before.version:
            raise Refusal("stale", (), "One of your orders has just been carried out. Check the list again.")
        if len(lines) > MAX_LINES:
            raise Refusal("bad_order", (), f"A seat can leave at most {MAX_LINES} orders.", line=MAX_LINES + 1)
        known = {(line.text, line.standing): line for line in before.lines}
        self._parsed.clear()  # a client may leave any number of orders in turn
        new = []
        for n, (text, standing) in enumerate(lines, 1):
            line = AheadLine(clean_text(text)[:MAX_LINE_LENGTH], standing)
            try:
                line = known.get((line.text, standing)) or self._begin(seat, line)
            except Refusal as refusal:
                message = f"Order {n}, '{line.text[:40]}': {refusal.message}"
                raise Refusal("bad_order", refusal.rules, message, line=n) from None
            new.append(line)
        self._file.seats[seat] = replace(before, lines=tuple(new), version=version + 1)
        try:
            self._save()
        except OSError:
            self._file.seats[seat] = before
            raise
        self._looked_at = 0, False
        self.changed(seat)

    def _begin(self, seat: str, line: AheadLine) -> AheadLine:
        """Return a new order as it is kept. Raises: Refusal."""
        parsed, phase = self.parse(seat, line), self._host.moment[1]
        if not parsed.stays:
            return line
        if parsed.phase not in ("", phase) or phase not in (*OPEN, WAR):
            why = f"You can stay ready only in the present Phase; this is the {phase_name(phase)} Phase."
            raise Refusal("bad_order", ("SEQ-010",), why)
        ready = next((act for act in reversed(self._host.game.effective_lines()) if act.seat == seat), None)
        is_ready = ready is not None and seat in self._host.state.ready and ready.action.get("type") in READY
        since = ready.n if ready is not None and is_ready else self._host.version
        return replace(line, done=self._moment, since=since)

    def forget(self, seat: str) -> None:
        """Delete everything of a seat, when it gets another player. Raises: OSError."""
        if self._file.seats.pop(seat, None) is not None:
            self._save()
            self.changed(seat)

    def _save(self) -> None:
        if self._path is not None:
            self._storage.replace(self._path, msgspec.json.encode(self._file))

    # --- carrying out ---------------------------------------------------------------------------------------------

    def carry_out(self, settled: bool = True) -> bool:
        """Carry out the orders whose time has come.

        Args: whether all bots have moved; seats that stay ready wait for that.
        Returns: whether there were any.
        Raises: OSError.
        """
        host, acted = self._host, False
        while (
            self._looked_at != (host.version, settled)
            and not host.is_over
            and any(o.lines for o in self._file.seats.values())
        ):
            self._looked_at = host.version, settled
            for _ in range(MAX_STEPS):
                if not self._carry_out_next(settled):
                    break
                acted = True
        return acted

    def _carry_out_next(self, settled: bool) -> bool:
        """Carry out one order; return whether there was one."""
        seats = [seat for seat in self._host.seats if self.orders(seat).lines and not self._is_bot(seat)]
        for seat in seats:
            self._expire(seat)
            self._end_stay(seat)
        last = [seat for seat in seats if self._is_last_call(seat)]
        return (
            any(self._act_now(seat) for seat in seats)
            or any(self._be_ready(seat, False, settled) for seat in seats)
            or any(self._act_at_last(seat) for seat in last)
            or any(self._be_ready(seat, True, settled) for seat in last)
        )

    def _is_bot(self, seat: str) -> bool:
        return self._host.occupant(seat).is_automatic

    @property
    def _moment(self) -> str:
        turn, phase = self._host.moment
        return f"{turn} {phase}"

    def _due(self, seat: str) -> Iterator[tuple[AheadLine, ParsedLine]]:
        """Yield the orders of a seat that this Phase does not exclude."""
        for line in self.orders(seat).lines:
            with suppress(Refusal):
                parsed = self.parse(seat, line)
                again = parsed.ready is not None or parsed.is_garrison or line.done != self._moment
                if parsed.phase in ("", self._host.moment[1]) and again:
                    yield line, parsed

    def _act_now(self, seat: str) -> bool:
        return any(
            self._try(seat, line, parsed)
            for line, parsed in self._due(seat)
            if parsed.ready is None and not parsed.waits_for_others and not parsed.is_garrison
        )

    def _act_at_last(self, seat: str) -> bool:
        return any(self._try(seat, line, parsed) for line, parsed in self._due(seat) if parsed.waits_for_others)

    def _be_ready(self, seat: str, is_last: bool, settled: bool) -> bool:
        """Declare a seat ready, after its other orders for this Phase and after missing garrisons."""
        phase = self._host.moment[1]
        if seat not in self._host.waiting or (not is_last and self._waits_for_others(seat)):
            return False
        if self._has_withdrawn(seat):
            return False
        due = tuple(self._due(seat))
        for line, parsed in due:
            ready = parsed.ready
            if ready is None or (parsed.stays and not settled):
                continue
            if not parsed.stays and phase not in ((WAR,) if isinstance(ready, actions.Pass) else OPEN):
                continue
            state = self._host.state_for(seat)
            if self._trial(state, seat, (ready,)) is not None:
                for other, fix in due:
                    acts = self._acts(state, seat, fix)
                    if isinstance(acts, Refusal) or not fix.is_garrison:
                        continue
                    if self._trial(state, seat, (*acts, ready)) is None and self._act(seat, other, acts):
                        return True
            if self._act(seat, line, (ready,)):
                return True
        return False

    def _has_withdrawn(self, seat: str) -> bool:
        """Whether the last act of a seat took back that it is ready."""
        acts = (line for line in reversed(self._host.game.effective_lines()) if line.seat == seat)
        last = next(acts, None)
        return last is not None and last.action.get("type") == "unready"

    def _waits_for_others(self, seat: str) -> bool:
        """Whether a seat has an order for this Phase that is decided when all others are ready."""
        state = self._host.state_for(seat)
        return any(
            parsed.waits_for_others and self._trial(state, seat, self._acts(state, seat, parsed)) is None
            for _, parsed in self._due(seat)
        )

    def _is_last_call(self, seat: str) -> bool:
        """Whether all other seats are ready, or wait for the others in the same way."""
        return all(
            other == seat or (self._waits_for_others(other) and any(p.ready is not None for _, p in self._due(other)))
            for other in self._host.waiting
        )

    def _try(self, seat: str, line: AheadLine, parsed: ParsedLine) -> bool:
        """Carry out an order or answer if its condition is met; return whether it was."""
        if parsed.instruction is not None:
            return self._answer(seat, line, parsed.instruction)
        state = self._host.state_for(seat)
        if parsed.condition is not None:
            own = powers_of(self._host.tables, self._host.state, seat)
            if not is_condition_met(parsed.condition, self._effects_for(seat), own):
                if self._trial(state, seat, self._acts(state, seat, parsed), only_time=True) is None:
                    self._note_refusal(seat, line, Refusal("unmet", (), NOT_YET + format_condition(parsed.condition)))
                return False
        return self._act(seat, line, self._acts(state, seat, parsed))

    def _acts(self, state: State, seat: str, parsed: ParsedLine) -> tuple[actions.Action, ...] | Refusal:
        """Return the actions of an order at a position, or why it has none."""
        found = []
        for act in parsed.order.acts if parsed.order is not None else ():
            try:
                found.append(effective_action(DryRun(self._host.tables, state), seat, act))
            except Refusal as refusal:
                return refusal
        return tuple(found)

    def _trial(
        self, state: State, seat: str, acts: tuple[actions.Action, ...] | Refusal, only_time: bool = False
    ) -> Refusal | None:
        """Return why some actions cannot be carried out. Args: `only_time`: ignore all but the wrong time."""
        if isinstance(acts, Refusal):
            return acts
        for act in acts:
            trial = run_trial(self._host.tables, state, seat, act)
            if isinstance(trial, Refusal):
                return None if only_time and trial.code not in WAITING_CODES else trial
            state = trial.state
        return None

    def _act(self, seat: str, line: AheadLine, acts: tuple[actions.Action, ...] | Refusal) -> bool:
        """Carry out the actions of an order, all or none; return whether they were. Raises: OSError."""
        host = self._host
        refusal = self._trial(host.state, seat, acts)
        if refusal is not None or isinstance(acts, Refusal):
            if refusal is not None and refusal.code not in WAITING_CODES:
                self._note_refusal(seat, line, refusal)
            return False
        before = self.orders(seat)
        marked = tuple(replace(other, done=self._moment) if other is line else other for other in before.lines)
        # `ready` lasts for its Phase: acts of others may take it back
        stays = line.standing or self.parse(seat, line).ready is not None
        left = marked if stays else tuple(other for other in before.lines if other is not line)
        is_repeated = line.done == self._moment
        self._file.seats[seat] = replace(before, lines=left, version=before.version + 1)
        self._file.intent = _Intent(seat, line, host.version)
        try:
            self._save()
        except OSError:
            self._file.seats[seat], self._file.intent = before, None
            raise
        moment = host.moment
        try:
            for act in acts:
                host.act(seat, act)
        except Refusal as later:  # what no trial shows, such as missing dice
            self._file.seats[seat] = replace(before, version=before.version + 2)
            self._note_refusal(seat, line, later)
            if host.version == self._file.intent.version:
                return False
            # a part of the order was carried out: it must not be repeated
            self._file.seats[seat] = replace(before, lines=left, version=before.version + 2)
            self._add_outcome(seat, replace(line, why=later.message, rules=later.rules), "refused", moment)
            return True
        except OSError:
            self._file.seats[seat] = replace(before, version=before.version + 2)
            raise
        finally:
            self._file.intent = None
        searched = tuple(replace(other, since=host.version) if other.stays_ready else other for other in left)
        self._file.seats[seat] = replace(self._file.seats[seat], lines=searched)
        with suppress(Refusal):  # what hinders an automatic Phase is told to the next who acts
            host.advance()
        if not is_repeated:
            self._add_outcome(seat, line, "done", moment)
        self._save()
        self.changed(seat)
        return True

    def _answer(self, seat: str, line: AheadLine, instruction: StandingInstruction) -> bool:
        """Answer a question of the seat by a standing answer."""
        state = self._host.state
        for choice in state.choices:
            if choice.seat != seat:
                continue
            words = find_answer(state, choice, (instruction,))
            if words is not None and self._act(seat, line, (actions.Choose(choice.id, words),)):
                return True
        return False

    # --- seats that stay ready ------------------------------------------------------------------------------------

    def _end_stay(self, seat: str) -> None:
        """Let a seat no longer stay ready if its player has acted, or something concerns it."""
        for line in self.orders(seat).lines:
            if not line.stays_ready or line.since >= self._host.version:
                continue
            orders, why = self.orders(seat), self._reason_to_decide(seat, line.since)
            kept = (replace(line, since=self._host.version),) if why is None else ()
            lines = tuple(new for other in orders.lines for new in (kept if other is line else (other,)))
            self._file.seats[seat] = replace(orders, lines=lines, version=orders.version + (why is not None))
            if why is None:
                continue
            if why:
                self._add_outcome(seat, replace(line, why=why), "unmet")
            with suppress(OSError):  # saved with the next change
                self._save()
            self.changed(seat)

    def _reason_to_decide(self, seat: str, since: int) -> str | None:
        """Return what concerns a seat after a line of the log, as a sentence.

        Returns: "" if its own player has acted, None if nothing concerns it.
        """
        host, found = self._host, None
        if seat not in self._viewers:
            self._viewers[seat] = GameViewer(host, seat)
        narrator, own = self._viewers[seat].narrator, powers_of(host.tables, host.state, seat)
        areas = set(self._areas_of_interest(seat, own)) if host.moment[1] in OPEN else set[str]()
        for line in host.game.lines_after(since):
            type_ = line.action.get("type") if isinstance(line.action, dict) else ""
            if line.seat == seat:
                if line.kind in OWN_UNDO or type_ == DISPATCH or (line.kind == "act" and type_ not in READY):
                    return ""
            elif type_ == DISPATCH and seat in line.action.get("to", ()):
                found = f"{capitalize(the_power(host.tables, line.seat))} sent you a dispatch."
            elif line.kind == "act":
                for event in host.visible_events(seat, line.n):
                    if is_about_seat(narrator, event, seat, own) or is_about_areas(event, areas, own):
                        found = sentence(narrator.tell(event)) or found
        return found

    def _areas_of_interest(self, seat: str, own: tuple[str, ...]) -> Iterator[str]:
        """Yield the Areas with markers or units of a seat, and those that its orders ahead name."""
        yield from areas_with_pieces(self._host.state, own)
        for line in self.orders(seat).lines:
            with suppress(Refusal):
                order = self.parse(seat, line).order
                yield from (getattr(act, "area", "") for act in (order.acts if order is not None else ()))

    # --- outcomes -------------------------------------------------------------------------------------------------

    def _note_refusal(self, seat: str, line: AheadLine, why: Refusal) -> None:
        """Note why an order is not carried out although its time has come."""
        orders = self.orders(seat)
        new = replace(line, tried=self._moment, why=why.message, rules=why.rules)
        if new != line:
            lines = tuple(new if other is line else other for other in orders.lines)
            self._file.seats[seat] = replace(orders, lines=lines)
            self.changed(seat)

    def _expire(self, seat: str) -> None:
        """Drop the orders whose Phase has ended, and tell their owner why. Standing orders stay."""
        for line in self.orders(seat).lines:
            was_ready = bool(line.done) and not line.standing
            if (not line.tried and not was_ready) or self._moment in (line.tried, line.done):
                continue
            orders = self.orders(seat)
            fresh = (replace(line, tried="", why="", rules=()),) if line.standing else ()
            lines = tuple(new for other in orders.lines for new in (fresh if other is line else (other,)))
            self._file.seats[seat] = replace(orders, lines=lines, version=orders.version + 1)
            if not was_ready:
                turn, _, phase = line.tried.partition(" ")
                kind: OutcomeKind = "unmet" if line.why.startswith(NOT_YET) else "refused"
                self._add_outcome(seat, line, kind, (int(turn), phase))
            with suppress(OSError):  # saved with the next change
                self._save()
            self.changed(seat)

    def _add_outcome(
        self, seat: str, line: AheadLine, kind: OutcomeKind, moment: tuple[int, str] | None = None
    ) -> None:
        turn, phase = moment or self._host.moment
        why, rules = ("", ()) if kind == "done" else (line.why, line.rules)
        outcome = AheadOutcome(line.text, kind, turn, phase, why, rules)
        orders = self.orders(seat)
        self._file.seats[seat] = replace(orders, outcomes=(*orders.outcomes, outcome)[-MAX_OUTCOMES:])

    # --- what others have done ------------------------------------------------------------------------------------

    def _effects_for(self, seat: str) -> tuple[OrderEffect, ...]:
        """Return the effects of all acts in this Phase that a seat sees completely."""
        host = self._host
        if self._effects[:2] != (host.moment, host.version):
            self._effects = host.moment, host.version, {}
        found = self._effects[2]
        if seat not in found:
            found[seat] = tuple(self._find_effects(seat))
        return found[seat]

    def _find_effects(self, seat: str) -> Iterator[OrderEffect]:
        host = self._host
        for line in reversed(host.game.effective_lines()):
            before = host.game.seek(line.n - 1)
            if host.moment_of(before) != host.moment:
                return
            events = host.game.events(line.n)
            if line.seat in host.seats and host.visible_events(seat, line.n) == tuple(events):
                yield from actual_effects(before, host.rules.decode_action(line.action), line.seat, events)


def _read(path: Path, empty: _File, storage: Storage) -> _File:
    """Return the file of a game; an empty one if it is missing or belongs to another game. Raises: OSError."""
    try:
        found = msgspec.json.decode(storage.read(path), type=_File)
    except (FileNotFoundError, msgspec.MsgspecError, ValueError):
        return empty
    return found if found.game == empty.game else empty


def read_form(text: str) -> list[tuple[str, bool]]:
    """Return the orders of a form, each with whether it is standing; empty lines are left out."""
    found, standing = [], False
    for line in text.splitlines():
        order = line.strip()
        if order.casefold() in ("standing:", "orders:"):
            standing = order.casefold() == "standing:"
        elif order:
            found.append((order, standing))
    return found


def describe_line(line: AheadLine) -> str:
    """Describe the state of an order that waits."""
    if line.stays_ready:
        return "lasts until you act, something concerns you, or the Phase ends"
    if line.why:
        rules = f" ({', '.join(line.rules)})" if line.rules else ""
        return f"{line.why}{rules}"
    return "stays" if line.standing else "waits for its Phase, or until it is legal"


def describe_ahead_outcome(tables: Tables, outcome: AheadOutcome) -> str:
    """Describe what became of an order."""
    if outcome.text.rpartition(":")[2].strip().casefold() == STAY_READY:
        return f"You no longer stay ready. {outcome.why}"
    rules = f" ({', '.join(outcome.rules)})" if outcome.rules else ""
    what = {
        "done": "was carried out.",
        "refused": f"was not carried out: {outcome.why}{rules}",
        "unmet": f"was not carried out, because its condition was not met: {outcome.why.removeprefix(NOT_YET)}.",
    }[outcome.kind]
    return f"{tables.turns[outcome.turn - 1].year}, {phase_name(outcome.phase)}: '{outcome.text}' {what}"


def describe_last_outcomes(tables: Tables, orders: SeatOrders) -> list[str]:
    """Return what became of the last orders of a seat, the oldest first."""
    return [describe_ahead_outcome(tables, outcome) for outcome in orders.outcomes[-SHOWN_OUTCOMES:]]
