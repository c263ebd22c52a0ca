"""Run a mail game: begin it, report its status, adjudicate the forms of a stop, publish the reports.

The log is written first, atomically. Reports and terms are derived from it and rewritten if they are missing.

Rules: PBM-001, PBM-002, PBM-005, PBM-073, PBM-113, PBM-114
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from paxtui.engine.free_text import clean_text
from paxtui.engine.log import FIRST_RULEBOOK
from paxtui.engine.refusal import Refusal
from paxtui.engine.seating import MAX_PERSON_NAME, SeatOccupant
from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions.actions import Adjudicate, SubmittedForm
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.congress.session import is_suspended
from paxtui.games.pax.mail.stops import STOP_DEADLINES, StopKind, stop_kind
from paxtui.games.pax.state.model import State
from paxtui.games.pax.text.display import power_name
from paxtui.mail import fair_dice, keys, reports, sealed_letters, submissions
from paxtui.mail.game_directory import (
    FORM_SUFFIX,
    MARKDOWN_SUFFIX,
    PAGE_SUFFIX,
    PUBLIC_REPORT,
    TEXT_SUFFIX,
    GameDirectory,
    MailTerms,
    deadline_text,
    deadline_utc_text,
    parse_zoned_time,
    read_small,
    read_terms,
    write_terms,
    write_whole,
)
from paxtui.mail.reports import (
    POSITION_SUFFIX,
    ReportDocument,
    blank_form,
    document_markdown,
    document_text,
    position_text,
)
from paxtui.mail.rounds import mail_rulebook
from paxtui.mail.sealed_letters import SEALED_SUFFIX, ReportLetter, open_form
from paxtui.mail.submissions import (
    WITHDRAWAL,
    WITHDRAWN,
    MailClock,
    MailStatus,
    ReceivedForms,
    awaited_seats,
    caretaker_form,
    close_submissions,
    collect_forms,
    mail_status,
    now_utc,
    quarantine_files,
)
from paxtui.session.fair_dice import new_seed
from paxtui.session.pax_host import PaxHost
from paxtui.session.storage.files import StorageError, typed_path

Reports = dict[str, str]
"""Report files published at the beginning of a stop, by file name."""


class DryRun(NamedTuple):
    """Result of an adjudication that is not kept: the reports, and the positions before and after."""

    reports: Reports
    before: State
    after: State


PageRenderer = Callable[[PaxHost], Callable[[ReportDocument], str]]
"""Returns, for a game, a function that renders each report on its last adjudication as HTML."""


class GamemasterService:
    """Gamemaster operations on a mail game.

    Args:
        folder: Directory of the game.
        now: Returns the current time.
        draw: Renders reports as HTML pages; None for no pages.
    """

    def __init__(self, folder: GameDirectory, now: MailClock = now_utc, draw: PageRenderer | None = None) -> None:
        self.folder = folder
        self._now = now
        self._draw = draw

    @classmethod
    def begin(
        cls,
        folder: GameDirectory,
        tables: Tables,
        seats: Sequence[str],
        *,
        seed: str = "",
        options: Mapping[str, str] | None = None,
        players: Mapping[str, str] | None = None,
        days: Mapping[StopKind, int] | None = None,
        game_id: str = "",
        sealed: bool = False,
        two_step: bool = False,
        fair: bool = False,
        now: MailClock = now_utc,
        draw: PageRenderer | None = None,
        tables_dir: Path | None = None,
    ) -> GamemasterService:
        """Create a mail game in an empty game directory and advance it to its first stop.

        Args:
            folder: Directory created for the game.
            tables: Static game data.
            seats: Seats of the game, in any order.
            seed: Seed of the dice; a secret random seed by default.
            options: Game options.
            players: Players' names by seat.
            days: Days that each kind of stop lasts.
            game_id: Id of the game.
            sealed: Forms and reports are sealed.
            two_step: Forms stay locked until after the deadline.
            fair: Dice are fair.
            now: Returns the current time.
            draw: Renders reports as HTML pages; None for no pages.
            tables_dir: Directory of replaced tables, from which `tables` were loaded.

        Raises:
            Refusal: For example `no_seals`.
            OSError: A file cannot be written.

        Rules: PBM-002, PBM-005
        """
        service = cls(folder, now, draw)
        seats = sorted(seats, key=list(tables.powers).index)  # automatic steps roll dice in the order of the seats
        if sealed := sealed or two_step:
            keys.check_library()
        named = {seat: (players or {}).get(seat, "") for seat in seats}
        game = game_id or secrets.token_hex(4)
        with PaxHost.new(
            tables, seats, seed or new_seed(), options, path=folder.game, game_id=game,
            dice="fair" if fair else "plain", clock=service._clock, tables_dir=tables_dir,
        ) as table:  # fmt: skip
            occupants = {seat: SeatOccupant(name=name) for seat, name in named.items() if name}
            if occupants:
                table.seat(occupants)
            terms = MailTerms(game=game, players=named, days=dict(days or {}))
            if sealed:
                terms = keys.with_desk_key(folder, terms, two_step)
            write_terms(folder, fair_dice.joining_terms(terms, table, now()))
            if fair:
                service._advance_dice(table)
            else:
                table.act(ARBITER, Adjudicate())
                service.publish(table)
        return service

    def now(self) -> datetime:
        """Return the current time, with its time zone."""
        return self._now()

    def _clock(self) -> str:
        return self._now().isoformat(timespec="seconds")

    def table(self) -> PaxHost:
        """Open the game for writing. Raises: OSError."""
        return PaxHost.open(self.folder.game, clock=self._clock)

    def _copy(self) -> PaxHost:
        """Open the game in memory: nothing is kept. Raises: OSError."""
        return PaxHost.open(self.folder.game, write=False, clock=self._clock)

    @property
    def terms(self) -> MailTerms:
        """Read the public terms of the game. Raises: Refusal, OSError."""
        return read_terms(self.folder)

    # --- how it stands --------------------------------------------------------------------------------------------

    def status(self) -> MailStatus:
        """Return the status of the game, after finishing any interrupted work. Raises: Refusal, OSError."""
        with self.table() as table:
            self._look(table)
            return self._status(table)

    def _look(self, table: PaxHost) -> None:
        """Do everything that needs no decision: recovery, new players, dice, closing of submissions.

        Raises: Refusal, OSError.
        """
        self._recover(table)
        self._take_seats(table)
        self._end_vacations(table)
        self._give_receipts(table)
        self._advance_dice(table)
        closed = close_submissions(self.folder, self.terms, table, self.now())
        if closed is not None:
            terms, text = closed
            self.notice(table, text)
            write_terms(self.folder, terms)

    def _status(self, table: PaxHost) -> MailStatus:
        return mail_status(self.folder, self.terms, table, self.now())

    def _advance_dice(self, table: PaxHost) -> None:
        """Advance the fair dice, and begin the game once they are ready. Raises: OSError."""
        before = self.terms
        secret = self.folder.secret() if before.desk_key else b""
        terms = fair_dice.advance_dice(self.folder, table, before, secret, self.now)
        if terms != before:
            write_terms(self.folder, terms)
        if terms.fair and not terms.stop and terms.dice == "made":
            table.act(ARBITER, Adjudicate())
            self.publish(table)

    def extend(self, deadline: str) -> MailTerms:
        """Change the deadline; the next report announces it. Raises: Refusal `no_time`; OSError. Rules: PBM-054."""
        until = parse_zoned_time(deadline).isoformat()
        terms = self.terms
        if terms.opening:
            terms = replace(terms, opening=until)
            text = f"The keys of stop {terms.stop} are waited for until {deadline_utc_text(until)}."
        else:
            terms = replace(terms, deadline=until)
            text = f"The deadline of stop {terms.stop} was set to {deadline_utc_text(until)}."
        with self.table() as table:
            self.notice(table, text)
        write_terms(self.folder, terms)
        return terms

    def notice(self, table: PaxHost, text: str) -> None:
        """Log a notice; the next report shows it to all players."""
        table.dispatch(ARBITER, (), text)

    # --- seats and their keys -------------------------------------------------------------------------------------

    def new_code(self, seat: str) -> str:
        """Return a new code for a seat of a sealed game; an earlier code becomes invalid.

        Raises: Refusal `not_sealed`, `unknown_seat`; OSError.
        """
        terms = self.terms
        if not terms.desk_key:
            raise Refusal("not_sealed", (), "This game is not sealed and needs no codes.")
        check_seat(terms, seat)
        code = keys.new_code(seat, terms.desk_key)
        keys.write_code_hashes(self.folder, {**keys.read_code_hashes(self.folder), seat: keys.code_hash(code)})
        return code

    def _take_seats(self, table: PaxHost) -> None:
        """Accept join letters and set invalid ones aside. Each new key is announced in the next report."""
        directory = self.folder.orders / "joining"
        for path in sorted(directory.glob(f"*{keys.JOIN_SUFFIX}")) if directory.is_dir() else ():
            terms, codes = self.terms, keys.read_code_hashes(self.folder)
            try:
                who = keys.accept_join_letter(read_small(path), self.folder.secret(), terms, codes)
            except (Refusal, StorageError) as problem:
                quarantine_files(directory, {path.name: str(problem)})
                continue
            name = clean_text(who.name)[:MAX_PERSON_NAME] or terms.players[who.seat]
            again = "takes the seat" if who.seat not in terms.keys else "has a new key"
            called = power_name(table.tables, who.seat) + (f" ({name})" if name else "")
            self.notice(table, f"{called} {again}: {who.key[:16]}.")
            table.seat({who.seat: SeatOccupant(name=name, key=who.key)})
            known = {**terms.keys, who.seat: who.key}
            write_terms(self.folder, replace(terms, keys=known, players={**terms.players, who.seat: name}))
            keys.write_code_hashes(self.folder, {seat: code for seat, code in codes.items() if seat != who.seat})
            path.unlink()
            self.renew(table, self.terms)

    def position(self, seat: str) -> State:
        """Return the position as a seat knows it. Raises: OSError."""
        with self._copy() as table:
            return table.state_for(seat)

    # --- receipts -------------------------------------------------------------------------------------------------

    def _give_receipts(self, table: PaxHost) -> None:
        """Write a signed receipt beside the report of each seat with a new sealed form. Raises: OSError."""
        terms = self.terms
        if not terms.desk_key or not terms.stop or terms.over:
            return
        there = self.folder.orders_of(terms.stop)
        arrived = collect_forms(self.folder, terms, table.tables)
        for path in sorted(there.glob(f"*{SEALED_SUFFIX}")) if there.is_dir() else ():
            is_good = path.stem in arrived.sheets or path.stem in arrived.locked
            if is_good or arrived.refused.get(path.name) == WITHDRAWAL:
                self._receipt(table, terms, path.stem, read_small(path))

    def receipt_for(self, seat: str, data: bytes) -> bytes:
        """Return the receipt for a sealed form, signed and sealed for its seat. Raises: Refusal, OSError."""
        with self._copy() as table:
            return self._receipt(table, self.terms, seat, data)

    def _receipt(self, table: PaxHost, terms: MailTerms, seat: str, data: bytes) -> bytes:
        """Write the receipt for a sealed form unless this form already has one."""
        path = self.folder.reports_of(terms.stop) / (seat + sealed_letters.RECEIPT_SUFFIX)
        noted = self.folder.desk / "receipts.json"
        given = msgspec.json.decode(read_small(noted), type=dict[str, str]) if noted.exists() else {}
        digest = sha256(data).hexdigest()
        if given.get(f"{terms.stop} {seat}") == digest and path.is_file():
            return read_small(path)
        name = power_name(table.tables, seat)
        withdrawn = False
        if terms.two_step:
            text = f"The locked form of {name} for stop {terms.stop} was received: SHA-256 {digest}.\n"
        else:
            form = open_form(data, self.folder.secret(), terms, seat).text
            withdrawn = form.strip() == WITHDRAWN
            if withdrawn:
                text = sealed_letters.withdrawal_receipt_text(table.tables, seat, terms)
            else:
                text = sealed_letters.receipt_text(table.tables, table.state_for(seat), terms, seat, form)
        receipt = sealed_letters.Receipt(terms.game, terms.stop, seat, digest, self._clock(), withdrawn)
        letter = sealed_letters.seal_receipt(receipt, text, self.folder.secret(), terms.keys[seat])
        write_whole(path, letter)
        write_whole(noted, msgspec.json.encode({**given, f"{terms.stop} {seat}": digest}), 0o600)
        return letter

    # --- opening the forms ----------------------------------------------------------------------------------------

    def dry_run(self) -> DryRun:
        """Adjudicate the forms now without keeping the result.

        In a sealed game or with fair dice, the result must stay unknown while forms can change. A dry run then closes
        submissions, and the next report says so.

        Raises: Refusal `too_early`; OSError.
        """
        if self.dry_run_closes:
            with self.table() as table:
                self._look(table)
                self._close_for_trial(table)
        with self._copy() as table:
            status, sheets, _ = self._ready(table)
            before = table.state
            table.act(ARBITER, Adjudicate(sheets))
            reports = stop_reports(table, self.terms_after(table, status.terms), self._draw)
            return DryRun(reports, before, table.state)

    @property
    def dry_run_closes(self) -> bool:
        """Whether a dry run closes submissions: the game is sealed or its dice are fair."""
        return bool(self.terms.desk_key or self.terms.fair)

    def _close_for_trial(self, table: PaxHost) -> None:
        """Close submissions and log the digest of each form. Raises: Refusal `too_early`; OSError."""
        status, _, arrived = self._ready(table)
        terms = status.terms
        if terms.boxes or not arrived.sheets:
            return
        ending = SEALED_SUFFIX if terms.desk_key else FORM_SUFFIX
        there = self.folder.orders_of(terms.stop)
        boxes = {seat: sha256(read_small(there / (seat + ending))).hexdigest() for seat in arrived.sheets}
        named = ", ".join(f"{power_name(table.tables, seat)} {box[:16]}" for seat, box in boxes.items())
        why = "before opening it: forms could not change any more"
        self.notice(table, f"The gamemaster tried stop {terms.stop} out {why} ({named}).")
        write_terms(self.folder, replace(terms, boxes=boxes))

    def adjudicate(self) -> MailStatus:
        """Carry out the forms, advance to the next stop and publish the reports.

        Raises:
            Refusal: `too_early`, `game_over`.
            OSError: Either nothing is changed, or the log is complete and the next call writes the reports.

        Rules: PBM-001, PBM-073, PBM-113
        """
        with self.table() as table:
            self._look(table)
            status, sheets, arrived = self._ready(table)
            table.act(ARBITER, Adjudicate(sheets))
            quarantine_files(self.folder.orders_of(status.terms.stop), arrived.refused)
            self.publish(table)
            self._begin_vacations(table, sheets)
            self._advance_dice(table)
            return self._status(table)

    def _begin_vacations(self, table: PaxHost, sheets: Sequence[SubmittedForm]) -> None:
        """Hand the seats whose forms ask for a vacation to the caretaker, from the new stop on."""
        for seat, until in submissions.requested_vacations(table, sheets, self.now()).items():
            terms = self.terms
            if terms.over or submissions.is_vacation_over(table, until, self.now()):
                continue
            abandoned = table.state.abandoned
            if seat not in abandoned and len(abandoned) + 1 < len(table.state.players):
                table.seat({seat: SeatOccupant(by="bot", level="caretaker", key=terms.keys.get(seat, ""))})
                name = power_name(table.tables, seat)
                self.notice(table, f"{name} is on vacation until {until}: the caretaker plays.")
                self.renew(table, replace(terms, away={**terms.away, seat: until}))

    def _end_vacations(self, table: PaxHost) -> None:
        """Return seats to players who submit a form again or whose vacation is over."""
        terms = self.terms
        if not terms.away or terms.over or not terms.stop:
            return
        arrived = collect_forms(self.folder, terms, table.tables)
        for seat, until in terms.away.items():
            is_back = seat in arrived.sheets or seat in arrived.locked
            if is_back or submissions.is_vacation_over(table, until, self.now()):
                occupant = SeatOccupant(name=terms.players.get(seat, ""), key=terms.keys.get(seat, ""))
                table.seat({seat: occupant})
                self.notice(table, f"{power_name(table.tables, seat)} is back from vacation.")
                away = {other: until for other, until in terms.away.items() if other != seat}
                terms = self.renew(table, replace(terms, away=away))

    def _ready(self, table: PaxHost) -> tuple[MailStatus, tuple[SubmittedForm, ...], ReceivedForms]:
        """Return the status and the forms to adjudicate, including the caretaker's. Raises: Refusal."""
        status = self._status(table)
        if status.terms.over:
            raise Refusal("game_over", ("SET-003",), "The game is over.")
        if not status.may_open:
            raise Refusal("too_early", ("PBM-073",), _early_reason(table.tables, status))
        arrived = collect_forms(self.folder, status.terms, table.tables)
        sheets = dict(arrived.sheets)
        for seat in (*status.terms.waits_for, *table.state.abandoned):
            if seat not in sheets:
                sheets[seat] = caretaker_form(table, seat)
        return status, tuple(sheets[seat] for seat in table.state.players if seat in sheets), arrived

    # --- what goes out --------------------------------------------------------------------------------------------

    def reports(self, stop: int) -> Reports:
        """Rebuild the reports of a stop from the log. Raises: Refusal `no_such_stop`; OSError."""
        with self._copy() as table:
            return self.reports_at(table, stop)

    def reports_at(self, table: PaxHost, stop: int) -> Reports:
        """Rebuild the reports of a stop of an open game. Raises: Refusal `no_such_stop`."""
        known = len(reports.adjudications(table))
        if not 1 <= stop <= known:
            raise Refusal("no_such_stop", (), f"The game has stops 1 to {known}, not {stop}.")
        then = reports.game_at_stop(table, stop)
        return stop_reports(then, self.terms_after(then, self.terms), self._draw)

    def renew(self, table: PaxHost, terms: MailTerms) -> MailTerms:
        """Save terms that changed during a stop, and seal its reports for new keys. Raises: OSError."""
        if terms.stop:
            terms = replace(terms, waits_for=() if terms.over else awaited_seats(table))
            then = reports.game_at_stop(table, terms.stop)
            self._write_reports(then, self.terms_after(then, terms))
        write_terms(self.folder, terms)
        return terms

    def publish(self, table: PaxHost) -> None:
        """Write the reports of the last adjudication, then the terms of the new stop."""
        terms = self.terms_after(table, self.terms)
        self._write_reports(table, terms)
        self.folder.orders_of(terms.stop).mkdir(parents=True, exist_ok=True)
        write_terms(self.folder, terms)

    def _write_reports(self, table: PaxHost, terms: MailTerms) -> None:
        """Write the reports of a new stop.

        In a sealed game each report is sealed for the key of its seat. A seat without a key gets no report.
        """
        directory, reports = self.folder.reports_of(terms.stop), stop_reports(table, terms, self._draw)
        public = {name: text for name, text in reports.items() if name.startswith(f"{PUBLIC_REPORT}.")}
        for name, text in public.items():
            write_whole(directory / name, text)
        if terms.desk_key:
            endings = (TEXT_SUFFIX, FORM_SUFFIX, PAGE_SUFFIX, POSITION_SUFFIX)
            for seat, key in terms.keys.items():
                parts = (reports.get(seat + ending, "") for ending in endings)
                letter = ReportLetter(terms.game, terms.stop, seat, *parts)
                sealed = keys.seal_message(msgspec.json.encode(letter), self.folder.secret(), key)
                write_whole(directory / (seat + SEALED_SUFFIX), sealed)
        else:
            for name, text in reports.items():
                if name not in public:
                    write_whole(directory / name, text, 0o600)

    def _recover(self, table: PaxHost) -> None:
        """Publish what the log contains but an interrupted run did not publish."""
        done = len(reports.adjudications(table))
        if done and self.terms.stop != done:
            self.publish(table)

    def terms_after(self, table: PaxHost, terms: MailTerms) -> MailTerms:
        """Return the terms of the current stop; the deadline counts from the time of the adjudication.

        Rules: PBM-002, PBM-052, PBM-053, PBM-073
        """
        done, state = reports.adjudications(table), table.state
        over = state.result is not None
        kind = stop_kind(state)
        began = done[-1].time if done else ""
        days = timedelta(days=terms.days_for(kind))
        deadline = (datetime.fromisoformat(began) + days).isoformat() if began and not over else ""
        waits = () if over else awaited_seats(table)
        asks = STOP_DEADLINES[kind].says + (" and the Congress of Europe" if is_suspended(state) else "")
        return replace(
            terms, stop=len(done), deadline=deadline, waits_for=waits, asks="" if over else asks, over=over,
            opening="", boxes={}, paused=0,
        )  # fmt: skip


def check_seat(terms: MailTerms, seat: str) -> None:
    """Check that a game has a seat. Raises: Refusal `unknown_seat`."""
    if seat not in terms.players:
        seats = ", ".join(terms.players)
        raise Refusal("unknown_seat", (), f"No seat {seat[:40]!r}; the seats are {seats}.")


def _early_reason(tables: Tables, status: MailStatus) -> str:
    terms = status.terms

    def named(seats: Sequence[str]) -> str:
        return ", ".join(power_name(tables, seat) for seat in seats) or "nobody"

    if terms.paused:
        return "The game is paused; 'paxtui postal resume' continues it."
    if not terms.stop:
        return f"The game has not begun. It waits for {terms.asks}, from {named(terms.waits_for)}."
    if terms.opening:
        return (
            "The forms are locked. They can be adjudicated when their keys arrive, or after "
            f"{deadline_text(terms.opening)}; keys missing: {named(status.keys_missing)}."
        )
    return (
        "Adjudication is possible when all forms have arrived or after the deadline "
        f"({deadline_text(terms.deadline)}); missing: {named(status.missing)}."
    )


def stop_reports(table: PaxHost, terms: MailTerms, draw: PageRenderer | None = None) -> Reports:
    """Build all files published after the last adjudication. Args: `draw`: renders HTML pages; None for none."""
    out: Reports = {}
    page = draw(table) if draw else None
    documents = {PUBLIC_REPORT: reports.public_report(table, terms)}
    documents |= {seat: reports.seat_report(table, terms, seat) for seat in table.state.players}
    for name, document in documents.items():
        out[name + TEXT_SUFFIX] = document_text(document)
        out[name + MARKDOWN_SUFFIX] = document_markdown(document)
        if page:
            out[name + PAGE_SUFFIX] = page(document)
        if name in terms.waits_for or (name in terms.away and not terms.over):
            out[name + FORM_SUFFIX] = blank_form(table, terms.stop, name)
            out[name + POSITION_SUFFIX] = position_text(table, terms.stop, name)
    return out


def open_gamemaster(path: str, draw: PageRenderer | None = None) -> GamemasterService:
    """Open the mail game in a directory. Raises: Refusal `no_mail_game`, `in_rounds`."""
    folder = GameDirectory(typed_path(path))
    if mail_rulebook(folder) != FIRST_RULEBOOK:
        raise Refusal("in_rounds", (), f"This game has no gamemaster's screen. Use 'paxtui postal status {path}'.")
    return GamemasterService(folder, draw=draw)
