"""Audit a mail game from its files: signatures, orders, dice, events and reports. The first fault is reported."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import NamedTuple

import msgspec

from paxtui.engine.log import BrokenLog, Line
from paxtui.engine.refusal import Refusal
from paxtui.engine.seating import seat_occupants
from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions.actions import Adjudicate, SubmittedForm
from paxtui.games.pax.game import RULES_NUMBER
from paxtui.mail import keys, reports
from paxtui.mail.game_directory import (
    FORM_SUFFIX,
    PUBLIC_REPORT,
    TEXT_SUFFIX,
    GameDirectory,
    deadline_utc_text,
    read_small,
)
from paxtui.mail.gamemaster import GamemasterService
from paxtui.mail.sealed_letters import SEALED_SUFFIX, FormLetter, saved_receipts
from paxtui.mail.submissions import caretaker_form
from paxtui.session.pax_host import PaxHost
from paxtui.session.storage.files import StorageError

EARLIER_NOTE = "results of orders and texts of reports, because the game began under earlier rules"
"""What an audit cannot verify of a game that an earlier version began."""


_SET = re.compile(r"(?:The deadline of stop \d+ was set to|The game goes on; the deadline of stop \d+ is) (.*)\.")
_PAUSED = re.compile(r"The game was paused at stop \d+\.")
_KEYS = re.compile(r"(?:keys are waited for until|The keys of stop \d+ are waited for until) (.*)\.")
"""Notices in the log that set a time."""


class AuditFault(NamedTuple):
    """A mismatch. Attributes: its place; the details."""

    where: str
    message: str

    def __str__(self) -> str:
        """The mismatch in one line."""
        return f"{self.where}: {self.message}"


class AuditReport(NamedTuple):
    """Result of an audit.

    Attributes:
        fault: the first mismatch, None for none.
        stops, forms, signatures, reports: numbers of verified items.
        dice: number of dice rolled again.
        left: what could not be verified, and why.
    """

    fault: AuditFault | None
    stops: int = 0
    forms: int = 0
    signatures: int = 0
    reports: int = 0
    dice: int = 0
    left: tuple[str, ...] = ()


def audit_game(service: GamemasterService) -> AuditReport:
    """Verify a game from its directory. Raises: Refusal `no_mail_game`, `bad_postal`; OSError."""
    folder = service.folder
    try:
        with PaxHost.open(folder.game, write=False) as table:
            return _Audit(service, table).report()
    except BrokenLog as broken:
        return AuditReport(AuditFault(_display_path(folder, folder.game), str(broken)))


def _display_path(folder: GameDirectory, path: object) -> str:
    return str(path).removeprefix(f"{folder.root}/")


class _Audit:
    """An audit in progress."""

    def __init__(self, service: GamemasterService, table: PaxHost) -> None:
        self.service, self.folder, self.table, self.terms = service, service.folder, table, service.terms
        self.forms = self.signatures = self.reports = self.stops = 0
        self.left: list[str] = []
        self.receipts = saved_receipts(self.terms.game, self.terms.desk_key)
        self.earlier = table.game.header.rules < RULES_NUMBER

    def report(self) -> AuditReport:
        fault = self._first_fault()
        dice = sum(line.dice for line in self.table.game.lines)
        left = tuple(dict.fromkeys(self.left))
        return AuditReport(fault, self.stops, self.forms, self.signatures, self.reports, dice, left)

    def _first_fault(self) -> AuditFault | None:
        """Return the first mismatch, stop by stop: forms, then lines, then reports; finally the terms."""
        found = self.table.verify()
        if self.earlier:
            self.left.append(EARLIER_NOTE)
            found = [d for d in found if not d.in_act]
        different = {d.line: d for d in found}
        checked = 1
        adjudications = reports.adjudications(self.table)
        brought = [n for n, line in enumerate(adjudications) if msgspec.convert(line.action, Adjudicate).begins]
        here = brought[-1] if brought else 0
        if brought:
            self.left.append("forms and reports from before the game was continued by mail (its log was verified)")
        for number, line in enumerate(adjudications):
            fault = self._check_forms(line, number) if number > here else None
            odd = next((different[n] for n in range(checked, line.n + 1) if n in different), None)
            if odd is not None and (fault is None or odd.line < line.n):
                return AuditFault(f"desk/{self.folder.game.name}, line {odd.line}", odd.message)
            if fault is not None:
                return fault
            checked = line.n + 1
            fault = (self._check_receipts(line, number) or self._check_reports(number + 1)) if number >= here else None
            if fault is not None:
                return fault
            self.stops += 1
        if different and (rest := next((different[n] for n in sorted(different) if n >= checked), None)):
            return AuditFault(f"desk/{self.folder.game.name}, line {rest.line}", rest.message)
        return self._check_terms()

    # --- forms ----------------------------------------------------------------------------------------------------

    def _check_forms(self, line: Line, stop: int) -> AuditFault | None:
        """Return the first mismatch in the forms of a stop."""
        keys = {seat: who.key for seat, who in seat_occupants(self.table.game.lines[: line.n - 2]).items() if who.key}
        for sheet in msgspec.convert(line.action, Adjudicate).sheets:
            where = f"desk/{self.folder.game.name}, line {line.n}, form of {sheet.seat} for stop {stop}"
            fault = None
            if sheet.missed:
                there = f"orders/{stop:04}/{sheet.seat}"
                if not self.earlier and caretaker_form(self.table, sheet.seat, line.n - 1) != sheet:
                    fault = AuditFault(where, "the caretaker would write a different form")
                elif any(self.folder.orders_of(stop).glob(f"{sheet.seat}.*")) and not self.terms.two_step:
                    fault = AuditFault(there, "there is a form, but the caretaker's form was adjudicated")
            elif self.terms.desk_key:
                fault = self._check_signature(sheet, stop, keys.get(sheet.seat, ""), where)
            else:
                fault = self._check_sent_form(sheet, stop)
            if fault is not None:
                return fault
            self.forms += 1
        return None

    def _check_signature(self, sheet: SubmittedForm, stop: int, key: str, where: str) -> AuditFault | None:
        letter = FormLetter(self.terms.game, stop, sheet.seat, sheet.text)
        try:
            signed = bytes.fromhex(sheet.signature) + msgspec.json.encode(letter)
            keys.verify_message(signed, key)
        except (Refusal, ValueError):
            return AuditFault(where, "it is not signed with the key of its seat" if key else "the seat had no player")
        self.signatures += 1
        path = self.folder.orders_of(stop) / (sheet.seat + SEALED_SUFFIX)
        if not path.is_file():
            self.left.append("sealed forms missing from orders/ (their signatures in the log were verified)")
        return None

    def _check_sent_form(self, sheet: SubmittedForm, stop: int) -> AuditFault | None:
        path = self.folder.form_of(stop, sheet.seat)
        try:
            same = read_small(path).decode("utf-8-sig") == sheet.text
        except FileNotFoundError:
            return AuditFault(_display_path(self.folder, path), "the adjudicated form is missing")
        except (UnicodeDecodeError, StorageError):
            same = False
        return None if same else AuditFault(_display_path(self.folder, path), "it differs from the adjudicated form")

    def _check_receipts(self, line: Line, stop: int) -> AuditFault | None:
        """Find a form with a receipt or a logged digest that was not adjudicated."""
        sheets = {sheet.seat: sheet for sheet in msgspec.convert(line.action, Adjudicate).sheets}
        named = self._forms_named(line, stop)
        for seat, sheet in sheets.items():
            given = [receipt for receipt in self.receipts if (receipt.stop, receipt.seat) == (stop, seat)]
            last = max(given, key=lambda receipt: receipt.at, default=None)
            where = f"form of {seat} for stop {stop}"
            if last is not None and not last.withdrawn:
                if sheet.missed and not self.terms.two_step:
                    text = "the gamemaster signed a receipt for a form, but the caretaker's form was adjudicated"
                    return AuditFault(where, text)
                if named is not None and last.form[:16] not in named:
                    return AuditFault(where, "it differs from the form of the gamemaster's last signed receipt")
            path = self.folder.orders_of(stop) / (seat + SEALED_SUFFIX)
            if sheet.missed or not path.is_file():
                continue
            digest = sha256(read_small(path)).hexdigest()
            if last is not None and digest != last.form:
                return AuditFault(where, "it differs from the form of the gamemaster's last signed receipt")
            if named is not None and digest[:16] not in named:
                return AuditFault(where, "it differs from the form at the close of submissions")
        return None

    def _forms_named(self, line: Line, stop: int) -> str | None:
        """Return the notice in the log with the digests at the close of submissions; None for none."""
        before = (one for one in reversed(self.table.game.lines) if one.n < line.n)
        for one in before:
            text = str(one.action.get("text", "")) if isinstance(one.action, dict) else ""
            if text.startswith((f"No more forms of stop {stop} ", f"The gamemaster tried stop {stop} out ")):
                return text
            if one.kind == "act" and isinstance(one.action, dict) and one.action.get("type") == "adjudicate":
                return None
        return None

    # --- reports and terms ----------------------------------------------------------------------------------------

    def _check_reports(self, stop: int) -> AuditFault | None:
        """Return the first mismatch in the reports at the beginning of a stop."""
        public = self.folder.reports_of(stop) / (PUBLIC_REPORT + TEXT_SUFFIX)
        if not public.is_file():
            return AuditFault(_display_path(self.folder, public), "the report is missing")
        if self.earlier:
            return None
        for name, text in self.service.reports_at(self.table, stop).items():
            path = self.folder.reports_of(stop) / name
            if not path.is_file():
                self.left.append("reports that are sealed for their seats or missing")
                continue
            if name.endswith(FORM_SUFFIX):
                continue  # the player may fill in the blank form in place
            if path.read_bytes() != text.encode():
                return AuditFault(_display_path(self.folder, path), "it differs from the report that the log produces")
            self.reports += 1
        return None

    def _check_terms(self) -> AuditFault | None:
        terms, table = self.terms, self.table
        known = {seat: who.key for seat, who in table.occupants().items() if who.key}
        header = table.game.header
        deadline, opening = self._times()
        deadline_differs = bool(terms.stop) and deadline_utc_text(terms.deadline) != deadline
        opening_differs = bool(terms.opening) and deadline_utc_text(terms.opening) != opening
        for says, wrong in (
            ("its game differs from the log's", terms.game != header.game),
            ("its stop differs from the log's", terms.stop != len(reports.adjudications(table))),
            ("its keys differ from the log's", bool(terms.desk_key) and terms.keys != known),
            ("its committed seed differs from the log's", terms.fair not in ("", header.commitment)),
            ("its deadline differs from the log's", deadline_differs),
            ("its deadline for keys differs from the log's", opening_differs),
        ):
            if wrong:
                return AuditFault(self.folder.terms.name, says)
        return None

    def _times(self) -> tuple[str, str]:
        """Return the deadlines for forms and for keys of the current stop, as texts, according to the log."""
        done = reports.adjudications(self.table)
        if not done:
            return "", ""
        deadline = deadline_utc_text(self.service.terms_after(self.table, self.terms).deadline)
        opening = ""
        for line in self.table.game.lines:
            text = str(line.action.get("text", "")) if isinstance(line.action, dict) else ""
            if line.n <= done[-1].n or line.kind != "note" or line.seat != ARBITER:
                continue
            if found := _SET.fullmatch(text):
                deadline = found[1]
            elif _PAUSED.fullmatch(text):
                deadline = deadline_utc_text("")
            elif found := _KEYS.search(text):
                opening = found[1]
        return deadline, opening
