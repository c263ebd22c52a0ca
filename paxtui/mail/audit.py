"""Audit a mail game from its files: signatures, orders, dice, events and reports. The first fault is reported."""

from __future__ import annotations

import re
from collections.abc import Iterator
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
from paxtui.mail.gamemaster import GamemasterService, Reports
from paxtui.mail.sealed_letters import SEALED_SUFFIX, FormLetter, saved_receipts
from paxtui.mail.submissions import caretaker_form
from paxtui.session.pax_host import PaxHost
from paxtui.session.storage.files import StorageError

EARLIER_NOTE = "what orders came to, and the texts of reports: the game began under earlier rules than this version's"
"""What an audit cannot prove of a game that an earlier version began."""


_SET = re.compile(r"(?:The deadline of stop \d+ was set to|The game goes on; the deadline of stop \d+ is) (.*)\.")
_PAUSED = re.compile(r"The game was paused at stop \d+\.")
_KEYS = re.compile(r"(?:keys are waited for until|The keys of stop \d+ are waited for until) (.*)\.")
"""Notices in the log that set a time."""


class AuditFault(NamedTuple):
    """Something that does not fit. Attributes: where it stands; what is the matter."""

    where: str
    message: str

    def __str__(self) -> str:
        """The fault in a line."""
        return f"{self.where}: {self.message}"


class AuditReport(NamedTuple):
    """What an audit has found.

    Attributes:
        fault: the first thing that does not fit, None where everything does.
        stops, forms, signatures, reports: how many of each were proved.
        dice: how many dice were rolled again.
        left: what could not be proved, and why.
    """

    fault: AuditFault | None
    stops: int = 0
    forms: int = 0
    signatures: int = 0
    reports: int = 0
    dice: int = 0
    left: tuple[str, ...] = ()


def audit_game(desk: GamemasterService) -> AuditReport:
    """Prove a game from its directory. Raises: Refusal `no_mail_game`, `bad_postal`; OSError."""
    folder = desk.folder
    try:
        with PaxHost.open(folder.game, write=False) as table:
            return _LogReplayer(desk, table).proved()
    except BrokenLog as broken:
        return AuditReport(AuditFault(_display_path(folder, folder.game), str(broken)))


def _display_path(folder: GameDirectory, path: object) -> str:
    return str(path).removeprefix(f"{folder.root}/")


class _LogReplayer:
    """A game on its way through an audit."""

    def __init__(self, desk: GamemasterService, table: PaxHost) -> None:
        self.desk, self.folder, self.table, self.terms = desk, desk.folder, table, desk.terms
        self.forms = self.signatures = self.told = self.stops = 0
        self.left: list[str] = []
        self.receipts = saved_receipts(self.terms.game, self.terms.desk_key)
        self.earlier = table.game.header.rules < RULES_NUMBER
        self.secret = bytes.fromhex(read_small(self.folder.key).decode()) if self.folder.key.is_file() else b""

    def proved(self) -> AuditReport:
        fault = self._first()
        dice = sum(line.dice for line in self.table.game.lines)
        left = tuple(dict.fromkeys(self.left))
        return AuditReport(fault, self.stops, self.forms, self.signatures, self.told, dice, left)

    def _first(self) -> AuditFault | None:
        """The first thing that does not fit, stop by stop: forms, then lines, then reports; at last the terms."""
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
            self.left.append("forms and reports from before the game came to this directory (its log was proved)")
        for number, line in enumerate(adjudications):
            faults: Iterator[AuditFault | None] = iter(())
            if number > here:
                faults = self._sheets(line, number)
            fault = next((f for f in faults if f is not None), None)
            odd = next((different[n] for n in range(checked, line.n + 1) if n in different), None)
            if odd is not None and (fault is None or odd.line < line.n):
                return AuditFault(f"desk/{self.folder.game.name}, line {odd.line}", odd.message)
            if fault is not None:
                return fault
            checked = line.n + 1
            fault = (self._receipted(line, number) or self._reports(number + 1)) if number >= here else None
            if fault is not None:
                return fault
            self.stops += 1
        if different and (rest := next((different[n] for n in sorted(different) if n >= checked), None)):
            return AuditFault(f"desk/{self.folder.game.name}, line {rest.line}", rest.message)
        return self._terms()

    # --- forms ----------------------------------------------------------------------------------------------------

    def _sheets(self, line: Line, stop: int) -> Iterator[AuditFault | None]:
        """What is wrong with the forms of a stop."""
        keys = {seat: who.key for seat, who in seat_occupants(self.table.game.lines[: line.n - 2]).items() if who.key}
        for sheet in msgspec.convert(line.action, Adjudicate).sheets:
            where = f"desk/{self.folder.game.name}, line {line.n}, form of {sheet.seat} for stop {stop}"
            if sheet.missed:
                if not self.earlier and caretaker_form(self.table, sheet.seat, line.n - 1) != sheet:
                    yield AuditFault(where, "the caretaker would have written another")
                elif any(self.folder.orders_of(stop).glob(f"{sheet.seat}.*")) and not self.terms.two_step:
                    yield self._unused(sheet, stop)
            elif self.terms.desk_key:
                yield self._signed(sheet, stop, keys.get(sheet.seat, ""), where)
            else:
                yield self._as_sent(sheet, stop)
            self.forms += 1

    def _signed(self, sheet: SubmittedForm, stop: int, key: str, where: str) -> AuditFault | None:
        letter = FormLetter(self.terms.game, stop, sheet.seat, sheet.text)
        try:
            signed = bytes.fromhex(sheet.signature) + msgspec.json.encode(letter)
            keys.verify_message(signed, key)
        except (Refusal, ValueError):
            return AuditFault(where, "it is not signed by the key of its seat" if key else "nobody had taken the seat")
        self.signatures += 1
        path = self.folder.orders_of(stop) / (sheet.seat + SEALED_SUFFIX)
        if not path.is_file():
            self.left.append("sealed forms that are not in orders/ any more (their signatures were proved by the log)")
        return None

    def _as_sent(self, sheet: SubmittedForm, stop: int) -> AuditFault | None:
        path = self.folder.form_of(stop, sheet.seat)
        try:
            same = read_small(path).decode("utf-8-sig") == sheet.text
        except FileNotFoundError:
            return AuditFault(_display_path(self.folder, path), "the form that was carried out is not there")
        except (UnicodeDecodeError, StorageError):
            same = False
        return None if same else AuditFault(_display_path(self.folder, path), "it is not the form that was carried out")

    def _unused(self, sheet: SubmittedForm, stop: int) -> AuditFault | None:
        """A form that lies there of a seat that is said to have sent none."""
        return AuditFault(f"orders/{stop:04}/{sheet.seat}", "a form lies there, and the caretaker's was carried out")

    def _receipted(self, line: Line, stop: int) -> AuditFault | None:
        """A form for which the desk gave a receipt, or which it named, and which was not carried out."""
        sheets = {sheet.seat: sheet for sheet in msgspec.convert(line.action, Adjudicate).sheets}
        named = self._forms_named(line, stop)
        for seat, sheet in sheets.items():
            given = [receipt for receipt in self.receipts if (receipt.stop, receipt.seat) == (stop, seat)]
            last = max(given, key=lambda receipt: receipt.at, default=None)
            where = f"form of {seat} for stop {stop}"
            if last is not None and not last.withdrawn:
                if sheet.missed and not self.terms.two_step:
                    return AuditFault(where, "the desk signed a receipt for one, and the caretaker's was carried out")
                if named is not None and last.form[:16] not in named:
                    return AuditFault(where, "it is not the one for which the desk signed its last receipt")
            path = self.folder.orders_of(stop) / (seat + SEALED_SUFFIX)
            if sheet.missed or not path.is_file():
                continue
            digest = sha256(read_small(path)).hexdigest()
            if last is not None and digest != last.form:
                return AuditFault(where, "it is not the one for which the desk signed its last receipt")
            if named is not None and digest[:16] not in named:
                return AuditFault(where, "it is not the one that lay there when no more forms were taken")
        return None

    def _forms_named(self, line: Line, stop: int) -> str | None:
        """What the log says of the forms that lay there when no more were taken; None where it says nothing."""
        before = (one for one in reversed(self.table.game.lines) if one.n < line.n)
        for one in before:
            text = str(one.action.get("text", "")) if isinstance(one.action, dict) else ""
            if text.startswith((f"No more forms of stop {stop} ", f"The gamemaster tried stop {stop} out ")):
                return text
            if one.kind == "act" and isinstance(one.action, dict) and one.action.get("type") == "adjudicate":
                return None
        return None

    # --- reports and terms ----------------------------------------------------------------------------------------

    def _reports(self, stop: int) -> AuditFault | None:
        """What is wrong with the reports with which a stop began."""
        if self.earlier:
            there = (self.folder.reports_of(stop) / (PUBLIC_REPORT + TEXT_SUFFIX)).is_file()
            return (
                None
                if there
                else AuditFault(f"reports/{stop:04}/{PUBLIC_REPORT}{TEXT_SUFFIX}", "the report is not there")
            )
        reports: Reports = self.desk.reports_at(self.table, stop)
        for name, text in reports.items():
            path = self.folder.reports_of(stop) / name
            if not path.is_file():
                if name == PUBLIC_REPORT + TEXT_SUFFIX:
                    return AuditFault(_display_path(self.folder, path), "the report is not there")
                self.left.append("reports that are sealed for their seats, or lie here no more")
                continue
            if name.endswith(FORM_SUFFIX):
                continue  # a blank to be filled in, perhaps where it lies
            if path.read_bytes() != text.encode():
                return AuditFault(_display_path(self.folder, path), "it is not what the log gives")
            self.told += 1
        return None

    def _terms(self) -> AuditFault | None:
        terms, table = self.terms, self.table
        known = {seat: who.key for seat, who in table.sitters().items() if who.key}
        header = table.game.header
        deadline, opening = self._times()
        deadline_differs = bool(terms.stop) and deadline_utc_text(terms.deadline) != deadline
        opening_differs = bool(terms.opening) and deadline_utc_text(terms.opening) != opening
        for says, wrong in (
            ("it is of another game than the log", terms.game != header.game),
            ("its stop is another than the log's", terms.stop != len(reports.adjudications(table))),
            ("its keys are others than the log's", bool(terms.desk_key) and terms.keys != known),
            ("it promises another seed than the log", terms.fair not in ("", header.commitment)),
            ("its deadline is another than the log's", deadline_differs),
            ("the time for keys is another than the log's", opening_differs),
        ):
            if wrong:
                return AuditFault(self.folder.terms.name, says)
        return None

    def _times(self) -> tuple[str, str]:
        """The deadline and the end of the wait for keys of the present stop, in words, as the log tells them."""
        done = reports.adjudications(self.table)
        if not done:
            return "", ""
        deadline = deadline_utc_text(self.desk.terms_after(self.table, self.terms).deadline)
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
