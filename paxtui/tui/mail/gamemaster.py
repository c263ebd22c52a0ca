"""The gamemaster's screen of a mail game: the forms received and missing, and the steps of a turn.

A dry run shows the results of publishing, for all seats and for each seat. It saves nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import ClassVar, NamedTuple, Protocol

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.widgets.option_list import Option

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.board.status import area_state
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.figures import compare_figures
from paxtui.games.pax.text.display import power_name
from paxtui.mail import administration
from paxtui.mail.game_directory import (
    PUBLIC_REPORT,
    TEXT_SUFFIX,
    GameDirectory,
    deadline_text,
    parse_deadline,
    parse_zoned_time,
    time_left_text,
)
from paxtui.mail.gamemaster import DryRun, GamemasterService
from paxtui.mail.submissions import MailStatus
from paxtui.session.tables.loader import load_tables
from paxtui.tui.base.dialogs import ConfirmDialog, InputDialog, TextDialog
from paxtui.tui.base.keymap import bind
from paxtui.tui.base.screen import BaseScreen, ChoiceList, KeyHints, PlainText
from paxtui.tui.diplomacy.comparison import CHANGE_NAME_WIDTH, area_changes, figure_row
from paxtui.tui.formatting.look import Look
from paxtui.tui.rendering.text_widgets import ScrollingText


class SeatStatus(NamedTuple):
    """The status of a seat in the list of the gamemaster.

    Attributes:
        sign, style: of its row.
        says: a short description.
        more: further sentences.
    """

    sign: str
    style: str
    says: str
    more: tuple[str, ...] = ()


def game_status(look: Look, found: MailStatus, now: datetime) -> Text:
    """Describe the game, what it waits for, and the deadline in the local time zone."""
    terms = found.terms
    out = Text()
    out.append(f"Game {terms.game}", "bold")
    if terms.over:
        out.append(": it is over.")
        return out
    out.append(f", stop {terms.stop}: {terms.asks}\n")
    if terms.paused:
        out.append("Paused: deadlines are suspended.", look.alarm)
    else:
        out.append(f"Deadline {deadline_text(terms.deadline)}, ")
        out.append(time_left_text(terms.deadline, now), look.alarm if found.closed else look.key)
    waits = [seat for seat in terms.waits_for if seat in found.missing]
    if found.may_open:
        out.append("\nThe forms can be opened.", look.good)
    else:
        out.append(f"\n{len(found.arrived)} in, {len(waits)} missing.")
    return look.signs(out)


def seat_statuses(
    look: Look, found: MailStatus, folder: GameDirectory, addresses: Mapping[str, str]
) -> dict[str, SeatStatus]:
    terms, out = found.terms, dict[str, SeatStatus]()
    for seat in terms.players:
        refused = [f"{name}: {why}" for name, why in found.refused.items() if Path(name).stem == seat]
        more = [f"Not taken: {line}" for line in refused]
        if seat in addresses:
            more.append(f"E-mail goes to {addresses[seat]}.")
        elif addresses:
            more.append("No address is known.")
        if terms.desk_key:
            more.append(f"Key {terms.keys[seat][:16]}." if seat in terms.keys else "The seat is free.")
        if seat in found.arrived and seat not in found.extend:
            out[seat] = SeatStatus("✓", look.good, f"arrived {_when(folder, terms.stop, seat)}", tuple(more))
        elif seat in found.extend:
            out[seat] = SeatStatus("…", look.key, f"asks for {found.extend[seat]} more days", tuple(more))
        elif refused:
            out[seat] = SeatStatus("✗", look.alarm, "not taken", tuple(more))
        elif seat in found.missing:
            out[seat] = SeatStatus("…", look.key, "missing", tuple(more))
        else:
            out[seat] = SeatStatus("·", look.faint, "not asked", tuple(more))
    return out


def _when(folder: GameDirectory, stop: int, seat: str) -> str:
    """Format the time at which the form of a seat arrived, in the local time zone."""
    found = [path for path in folder.orders_of(stop).glob(f"{seat}.*") if path.is_file()]
    times = [datetime.fromtimestamp(path.stat().st_mtime).astimezone() for path in found]
    return max(times).strftime("%a %d %b, %H:%M") if times else ""


def seat_row(look: Look, tables: Tables, seat: str, player: str, now: SeatStatus) -> Text:
    name = f"{power_name(tables, seat)}{f' ({player})' if player else ''}"
    return look.line((f"{now.sign} ", now.style), f"{name:<26}", (f" {now.says}", look.faint))


class MailTransport(Protocol):
    """Sends and receives the e-mail of the game. Raises: Refusal, OSError."""

    @property
    def addresses(self) -> Mapping[str, str]:
        """Return the e-mail addresses of the players by seat."""

    def carry(self) -> str:
        """Fetch, answer and send e-mail; return a summary sentence."""

    def remind(self) -> str:
        """Remind players who have sent no form; return a sentence that names them."""


class GamemasterScreen(BaseScreen[None]):
    """The gamemaster's screen. Args: the mail game; the mail transport, None without one."""

    TOPIC = "mail_desk"
    HORIZONTAL_BREAKPOINTS = [(0, "small"), (110, "-wide")]
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("desk.close", "escape,q", "close", "Back", "Discard the dry run; leave"),
        bind("desk.dry_run", "d", "dry_run", "Dry run", "Dry run: show what publishing does; nothing is stored"),
        bind("desk.publish", "p", "publish", "Publish", "Open the forms and write the reports"),
        bind("desk.extend", "e", "extend", "Deadline", "Set another deadline"),
        bind("desk.pause", "z", "pause", "Pause", "Pause or resume the game"),
        bind("desk.replace", "r", "replace", "New player", "Give the seat to another player"),
        bind("desk.caretaker", "c", "caretaker", "Caretaker", "Hand the seat to the caretaker"),
        bind("desk.early", "v", "early", "Read early", "Read the forms early; all players are told"),
        bind("desk.code", "k", "code", "New code", "New code for the seat of a sealed game"),
        bind("desk.carry", "m", "carry", "Mail", "Fetch and answer e-mail, send the reports"),
        bind("desk.remind", "n", "remind", "Remind", "Remind players who have sent nothing"),
        bind("desk.look", "l", "look", "Refresh", "Check again what has arrived"),
        bind("desk.down", "pagedown", "leaf(1)", "On", "Text below", priority=True),
        bind("desk.up", "pageup", "leaf(-1)", "Back", "Text above", priority=True),
    ]

    def __init__(self, service: GamemasterService, transport: MailTransport | None = None) -> None:
        super().__init__()
        self._service, self._transport = service, transport
        self._tables = load_tables()
        self._status = service.status()
        self._trial: DryRun | None = None

    def compose(self) -> ComposeResult:
        yield PlainText(id="desk-head")
        with Horizontal(id="desk-body"):
            yield ChoiceList(id="desk-list")
            yield ScrollingText(id="desk-page")
        yield KeyHints(self._key_help(), id="desk-keys")

    def _key_help(self) -> str:
        keys = (
            "{desk.dry_run} dry run · {desk.publish} publish · {desk.extend} deadline · {desk.pause} pause · "
            "{desk.replace} new player · {desk.caretaker} caretaker · {desk.early} read early"
        )
        if self._status.terms.desk_key:
            keys += " · {desk.code} new code"
        if self._transport is not None:
            keys += " · {desk.carry} mail · {desk.remind} remind"
        return self.format_keys(keys + " · {desk.look} refresh · {desk.close} back")

    def on_mount(self) -> None:
        super().on_mount()
        self.set_focus(self.query_one(ChoiceList))
        self._draw()

    def restyle(self) -> None:
        self._draw()

    # --- display ----------------------------------------------------------------------------------------

    def _seats(self) -> dict[str, SeatStatus]:
        addresses = self._transport.addresses if self._transport is not None else {}
        return seat_statuses(self.look, self._status, self._service.folder, addresses)

    def _draw(self) -> None:
        """Redraw everything; keep the cursor."""
        head = game_status(self.look, self._status, self._service.now())
        if self._trial is not None:
            dry = "\nDry run: nothing is stored. {desk.publish} publishes it, {desk.close} discards it."
            head.append(self.format_keys(dry), self.look.key)
        self.query_one("#desk-head", PlainText).update(head)
        rows = self.query_one(ChoiceList)
        players, options = self._status.terms.players, [Option("  Everybody", id=PUBLIC_REPORT)]
        for seat, now in self._seats().items():
            options.append(Option(seat_row(self.look, self._tables, seat, players[seat], now), id=seat))
        rows.refill(options, rows.highlighted or 0)
        self._show()

    @on(ChoiceList.OptionHighlighted)
    def _row_highlighted(self) -> None:
        self._show()
        self.query_one(ScrollingText).to_start()

    def _seat(self) -> str:
        """Return the selected seat; "" for all seats."""
        seat = self.query_one(ChoiceList).chosen_id
        return "" if seat == PUBLIC_REPORT else seat

    def _show(self) -> None:
        """Show the result of the dry run, or the status of the seat and its last report."""
        seat, page = self._seat(), self.query_one(ScrollingText)
        name = (seat or PUBLIC_REPORT) + TEXT_SUFFIX
        out = Text()
        if self._trial is not None:
            if not seat:
                out.append_text(self._difference(self._trial))
            out.append(self._trial.reports[name])
        else:
            if seat:
                out.append_text(self.look.rows((f"• {line}" for line in self._seats()[seat].more), 72))
            strangers = [n for n in self._status.refused if n.partition(".")[0] not in self._status.terms.players]
            for file in strangers if not seat else ():
                out.append(f"• Not taken: {file}: {self._status.refused[file]}\n", self.look.alarm)
            path = self._service.folder.reports_of(self._status.terms.stop) / name
            if path.is_file():
                out.append("\n" if out.plain else "")
                out.append(path.read_text("utf-8"))
        page.show(self.look.signs(out))

    def _difference(self, trial: DryRun) -> Text:
        """Return the changes by the dry run, in rows."""
        areas = [a for a in self._tables.areas if area_state(trial.before, a) != area_state(trial.after, a)]
        out = Text()
        out.append("What it changes\n", "bold")
        if areas:
            out.append_text(area_changes(self._tables, self.look, trial.before, trial.after, areas))
        for figure in compare_figures(self._tables, trial.before, trial.after):
            if figure.before != figure.after:
                out.append_text(figure_row(self.look, figure, CHANGE_NAME_WIDTH))
        out.append("\n")
        return out

    # --- actions ---------------------------------------------------------------------------------------------

    def _do(self, step: Callable[[], object], done: str = "") -> bool:
        """Run a step, refresh, and show the result. Returns: whether it succeeded."""
        try:
            step()
            self._status = self._service.status()
        except (Refusal, OSError) as problem:
            self._refused(problem)
            return False
        self._draw()
        if done:
            self.notify(done, timeout=5)
        return True

    def _refused(self, problem: Refusal | OSError) -> None:
        text = str(problem)
        self.notify(text, severity="warning", timeout=8)

    def action_look(self) -> None:
        self._trial = None
        self._do(lambda: None, "Looked again.")

    def action_dry_run(self) -> None:
        """Show the results of publishing; ask first if a dry run closes the stop for new forms."""
        if not self._service.dry_run_closes:
            self._dry_run()
            return
        text = "After a dry run, this game accepts no more forms for the stop. The next report says so."
        self.app.ask(ConfirmDialog("Dry run", text, "tries it out"), lambda _: self._dry_run())

    def _dry_run(self) -> None:
        def run() -> None:
            self._trial = self._service.dry_run()

        self.query_one(ChoiceList).highlighted = 0
        if self._do(run):
            self.query_one(ScrollingText).to_start()

    def action_publish(self) -> None:
        """Open the forms, execute them and write the reports; ask first if there was no dry run."""
        if self._trial is not None:
            self._publish()
            return
        missing = [power_name(self._tables, seat) for seat in self._status.missing]
        text = f"The caretaker plays for {', '.join(missing)}. " if missing else ""
        question = ConfirmDialog("Publish", f"{text}The forms have been opened and the reports written.", "publishes")
        self.app.ask(question, lambda _: self._publish())

    def _publish(self) -> None:
        self._trial = None
        if self._do(self._service.adjudicate, "Published."):
            self.query_one(ChoiceList).highlighted = 0
            self.query_one(ScrollingText).to_start()

    def action_extend(self) -> None:
        """Set a new deadline, in the local time zone."""
        terms, now = self._status.terms, self._service.now()

        def wrong(words: str) -> str:
            try:
                when = parse_deadline(words, terms.deadline, now)
            except Refusal as refusal:
                return refusal.message
            gone = parse_zoned_time(when) < now.replace(second=0, microsecond=0)
            return "That time has passed; 'now' closes the stop at once." if gone else ""

        def answered(words: str) -> None:
            if words:
                when = parse_deadline(words, terms.deadline, now)
                self._do(lambda: self._service.extend(when), "The deadline is set. The next report announces it.")

        box = InputDialog("Deadline, in your own time", "", wrong, "+3 (days), +12h, now, 2026-12-24 18:00")
        self.app.ask(box, answered)

    def action_pause(self) -> None:
        if self._status.terms.paused:
            self._do(lambda: administration.resume_game(self._service), "The game is resumed.")
        else:
            done = "The game is paused. The next report announces it."
            self._do(lambda: administration.pause_game(self._service), done)

    def action_replace(self) -> None:
        seat = self._chosen()
        if not seat:
            return

        def answered(name: str) -> None:
            codes: list[str] = []
            if self._do(lambda: codes.append(administration.assign_player(self._service, seat, name))):
                self._tell_code(seat, codes[0], f"{power_name(self._tables, seat)} has a new player.")

        title = f"Who plays {power_name(self._tables, seat)} from now on?"
        self.app.ask(InputDialog(title, "", lambda words: "" if words.strip() else "A name."), answered)

    def action_caretaker(self) -> None:
        seat = self._chosen()
        if not seat:
            return
        name = power_name(self._tables, seat)
        text = f"{name} follows the General Orders until it has a player again. All players are told of it."
        done = f"{name} is played by the caretaker."

        def hand_over(_: bool) -> None:
            self._do(lambda: administration.assign_caretaker(self._service, seat), done)

        self.app.ask(ConfirmDialog("Caretaker", text, "hands it over"), hand_over)

    def action_early(self) -> None:
        """Open the forms before the deadline. Each report mentions it."""

        def read(_: bool) -> None:
            forms: dict[str, str] = {}
            if self._do(lambda: forms.update(administration.open_forms_early(self._service))):
                out = Text()
                for seat, text in forms.items():
                    out.append(f"{power_name(self._tables, seat)}\n", "bold")
                    out.append(text.rstrip() + "\n\n")
                self.app.push_screen(TextDialog("What has come", self.look.signs(out)))

        warning = "You read the forms before they are due. The log records this, and the next report tells all players."
        self.app.ask(ConfirmDialog("Look early", warning, "opens them"), read)

    def action_code(self) -> None:
        seat, codes = self._chosen(), list[str]()
        if seat and self._do(lambda: codes.append(self._service.new_code(seat))):
            self._tell_code(seat, codes[0], "Earlier codes are no longer valid.")

    def _tell_code(self, seat: str, code: str, text: str) -> None:
        """Show a code and copy it to the clipboard."""
        if code:
            self.app.copy_to_clipboard(code)
            name = power_name(self._tables, seat)
            self.notify(f"{code}\nIt has been copied to the clipboard. {text}", title=name, timeout=30)
        else:
            self.notify(text, timeout=5)

    def _chosen(self) -> str:
        """Return the selected seat; without one, show a message."""
        seat = self._seat()
        if not seat:
            self.notify("Put the cursor on a seat first.", severity="warning", timeout=4)
        return seat

    def action_carry(self) -> None:
        """Fetch e-mail, answer it, and send the reports."""
        self._by_mail(lambda transport: transport.carry())

    def action_remind(self) -> None:
        self._by_mail(lambda transport: transport.remind())

    def _by_mail(self, work: Callable[[MailTransport], str]) -> None:
        """Run the mail transport in the background."""
        transport = self._transport
        if transport is None:
            self.notify("E-mail is not set up. docs/by-mail-letters.md explains the file desk/mail.toml.", timeout=6)
            return

        def run() -> None:
            try:
                summary = work(transport)
            except (Refusal, OSError) as problem:
                self.app.call_from_thread(self._refused, problem)
            else:
                self.app.call_from_thread(self._do, lambda: None, summary)

        self.notify("Sending and fetching e-mail…", timeout=3)
        self.run_worker(run, thread=True, group="mail", exclusive=True)

    def action_leaf(self, step: int) -> None:
        page = self.query_one(ScrollingText)
        page.scroll_relative(y=step * max(1, page.size.height - 1), animate=False)

    def action_close(self) -> None:
        """Discard the dry run; without one, close the screen."""
        if self._trial is None:
            self.dismiss(None)
        else:
            self._trial = None
            self._draw()
