"""Bot moves on the game screen: each is shown for a configurable time while the player may look around.

Keys that only view something work meanwhile. Other keys, and all later ones, wait until the bots are done; in a
simultaneous Phase they end the pauses, and do not wait for a bot that plans. The keys that hurry the bots are handled
at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import groupby
from textwrap import shorten

from msgspec.structs import replace
from rich.cells import cell_len
from rich.text import Text
from textual.events import Key, Paste
from textual.widgets import Input

from paxtui.bots.pax.registry import PaxBots
from paxtui.engine.bots import BotRequest
from paxtui.engine.seating import PERSON, SeatOccupant
from paxtui.games.pax.narration.labels import treaty_title
from paxtui.games.pax.state.diplomacy import DRAFT, Treaty
from paxtui.games.pax.text.display import power_name, sentence, the_powers
from paxtui.session.bot_runner import CompletedStep
from paxtui.session.game_viewer import LogEntry
from paxtui.session.player_news import unread_dispatch_count
from paxtui.session.session import AssignSeats, Session
from paxtui.tui.base.dialogs import ConfirmDialog, PickDialog, pick_line_width
from paxtui.tui.base.playing import SessionScreen
from paxtui.tui.dialogs.seats import RIVAL
from paxtui.tui.game.controller import Controller
from paxtui.tui.game.view import ViewController
from paxtui.tui.panes.registry import PANES
from paxtui.tui.panes.status_lines import alert_text
from paxtui.tui.rendering.key_queue import BACKGROUND_GROUP

MOVE_PAUSE_S = {"at once": 0.0, "0.1 s": 0.1, "0.3 s": 0.3, "1 s": 1.0}
"""Seconds for which a move is shown, by setting; other settings wait for a key."""
OFFER_OUTCOMES = {
    "": "{what} is signed and in force",
    "done": "{what} is signed and carried out",
    "rejected": "{who} decline{s} {what}",
    "superseded": "{who} answer{s} {what} with a counter-draft",
}
"""Outcome of an offer, by the reason for its end. `s`: the ending of the verb for one Power."""
ACTIVITY_INTERVAL_S = 0.1
"""Interval of the activity display."""
DISK_POLL_S = 0.01
"""Interval for checking whether a save is complete."""
DOTS = 4
NEW_SIGN, MAX_HURRIED = "*", 3
"""Mark of an act since the seat's last one, and the number of hurried acts that a message names."""
UNLISTED_KINDS = ("PhaseBegan", "ChoiceMade", "ResentmentRaised")
"""Events that the list of the rivals' acts leaves out: it has their causes or results."""
SHOWN_WORDS = 140
"""Characters of a dispatch in a message."""
NEXT_MOVE_KEYS = ("space", "enter")
"""Keys that show the next move when each waits for a key."""
PAUSE_KEY, STEP_KEYS = "space", ("enter", "full_stop")
"""Keys of a watched game: pause or go on, and one move while it is paused."""
SPEED_KEYS = {"plus": 1, "equals_sign": 1, "minus": -1}
"""Keys that make a watched game faster or slower."""
SPEEDS = ("1 s", "0.3 s", "0.1 s", "at once")
"""Speeds of a watched game, the slowest first."""
VIEW_BINDINGS = frozenset(
    {
        *(f"game.{what}" for what in ("back", "find", "past", "later", "turn_back", "turn_on", "log", "play", "mark")),
        *(f"game.{what}" for what in ("compare", "first", "last", "zoom", "filter", "filters", "home", "next_pane")),
        *(f"game.{what}" for what in ("card_up", "card_down", "region_back", "region_on", "sheet", "rules", "since")),
        *(f"game.{what}" for what in ("pane_up", "pane_down")),
        *(f"game.{what}" for what in ("glossary", "leave", "talk", "hurry", "look_back", "look_on", "rivals")),
        *(f"game.pane{pane.key}" for pane in PANES),
    }
)
"""Bindings that only view something or close."""
MAP_BINDINGS = frozenset({"map.activate"})
"""Bindings of the map that do more."""


MOVE_ROWS = 3
"""Rows above the map for a move of a bot."""


def bot_activity(asked: BotRequest) -> str:
    """Describe what a bot is computing: an answer, its moves, or whether it moves again before the Phase ends."""
    if asked.what == "replies" or any(choice.seat == asked.seat for choice in asked.state.choices):
        return "its answer"
    return "its last moves" if asked.what == "last word" else "its moves"


class BotController(Controller):
    """The moves of the bots: when they are made, how long each is shown, and which keys wait for them.

    Args:
        screen: the game screen.
        view: the view; its greeting shows a move.
        opened: called when the bots have moved after the game was opened.
    """

    def __init__(self, screen: SessionScreen[None], view: ViewController, opened: Callable[[], None]) -> None:
        super().__init__(screen)
        self._view, self._opened = view, opened
        self.is_running = False
        self._is_opening = False
        self._is_saving = False
        self._is_hurried = False
        self._is_paused = False  # a watched game stands still
        self._handed_over: dict[str, SeatOccupant] = {}  # the seats that bots play for the rest of the game
        self._continue = asyncio.Event()
        self._tick_count = 0
        self._followed = ""  # the place of the last move that the map followed
        self._looked_at = (-1, 0)
        self._unread_counts: dict[str, int] = {}  # known unread dispatches by seat
        self._reported_offers: set[str] = set()  # Treaties whose outcome the seat knows

    # --- moving ---------------------------------------------------------------------------------------------------

    def open(self) -> None:
        """Run pending bot moves after the game opens."""
        self._unread_counts[self.session.seat] = unread_dispatch_count(self.session)
        self._reported_offers.update(answered.id for answered in self._own_offers_answered())
        occupants = (self.session.seats.occupant(seat) for seat in self.session.live.players)
        thinks = any(occupant.by == "bot" and occupant.level not in PaxBots.instant for occupant in occupants)
        if self.app.leisurely and self.session.bots.runs_here and thinks:
            self.app.thinker.get_ready()
        if self.session.bots.is_at_work:
            self._is_opening = True
            self.run()
        else:
            self._opened()

    def run(self) -> None:
        """Run the bots in the background, one after the other."""
        if not self.is_running:
            self.is_running = True
            self.screen.run_worker(self._run_bots(), group=BACKGROUND_GROUP)

    async def _run_bots(self) -> None:
        s = self.session
        s.bots.order = self.app.settings.bot_order
        timer = self.screen.set_interval(ACTIVITY_INTERVAL_S, self._tick)
        before, was_shown = s.version, True
        try:
            while (at := s.bots.current) is not None:
                await self.saved()
                if isinstance(at, BotRequest):
                    thought = await self.app.thinker.think(s.view.game_log, at)
                    if s.bots.current is at:
                        s.bots.step(thought)
                else:
                    await self._show(at)
                    was_shown = was_shown and not self._is_hurried and self.app.settings.bots != "at once"
                    if s.bots.current is at:
                        s.bots.step()
        finally:
            timer.stop()
            self.is_running = self._is_hurried = False
        if not self.screen.is_attached:
            return  # the player left
        self._view.hide_greeting()
        if text := alert_text(s):
            self.app.alert(text)
        if not was_shown:
            self._report_hurried(before)
        self.report_answers()
        if self._is_opening:
            self._is_opening = False
            self._opened()

    def _own_offers_answered(self) -> list[Treaty]:
        """Return offers of the seat that are no longer pending: in force or rejected."""
        mine = self.session.powers()
        return [t for t in self.session.live.treaties if t.drafter in mine and t.stage != DRAFT]

    def report_answers(self) -> None:
        """Report the outcome of the seat's offers if no visible list shows it."""
        tables, texts = self.session.tables, list[str]()
        for treaty in self._own_offers_answered():
            if treaty.id not in self._reported_offers and treaty.reason in OFFER_OUTCOMES:
                others = [p for p in treaty.parties if p not in treaty.signed] or treaty.parties
                who, what = the_powers(tables, others), treaty_title(tables, treaty)
                outcome = sentence(OFFER_OUTCOMES[treaty.reason].format(who=who, what=what, s="s" * (len(others) == 1)))
                texts.append(f"{outcome} {sentence(self._objection(treaty))}".rstrip())
            self._reported_offers.add(treaty.id)
        if texts and self.is_in_front:
            self.notify("\n".join(texts), title="Your offer", timeout=8)
        letters, before = unread_dispatch_count(self.session), self._unread_counts.get(self.session.seat, 0)
        self._unread_counts[self.session.seat] = letters
        if letters > before and self.is_in_front:
            letter = [one for one in self.session.view.dispatches() if one.sender != self.session.seat][-1]
            who, words = power_name(tables, letter.sender), shorten(letter.text, SHOWN_WORDS, placeholder="...")
            more = f" and {letters - before - 1} more" if letters > before + 1 else ""
            text = f"{words} ({self.app.key_of('game.dispatches', 'd')} reads it{more})"
            self.notify(text.strip(), title=f"{who} writes", timeout=12)

    def _objection(self, treaty: Treaty) -> str:
        """Return the reason for the rejection of a draft, "" if there is none."""
        return self.session.view.objection(treaty.id) if treaty.reason == "rejected" else ""

    def watch_saving(self) -> None:
        """Wait for a slow save in the background; report a failure."""
        if self.session.file.is_saving and not self._is_saving:
            self._is_saving = True
            self.screen.run_worker(self._until_saved(), group=BACKGROUND_GROUP)

    async def _until_saved(self) -> None:
        timer = self.screen.set_interval(ACTIVITY_INTERVAL_S, self._tick)
        try:
            await self.saved()
        finally:
            timer.stop()
            self._is_saving = False
        if self.screen.is_attached:
            self._view.draw_lines()
            if self.session.file.error:
                self.notify(f"{self.session.file.error}.", title="The log", severity="error", timeout=600)

    async def saved(self) -> None:
        """Wait until everything is saved or the save has failed."""
        while self.session.file.is_saving:
            await asyncio.sleep(DISK_POLL_S)

    async def _show(self, done: CompletedStep) -> None:
        """Show a move for the time in the settings."""
        pause = MOVE_PAUSE_S.get(self.app.settings.bots)
        if not self._is_paused and (self._is_hurried or pause == 0 or not self.is_in_front):
            await asyncio.sleep(0)
            return
        entries = self._made(done)
        if not entries:
            return
        pause = None if self._is_paused else pause
        if self.is_watching:
            self._follow(entries)
        self.show_move(done.seat, entries)
        self._view.draw_lines()
        self._continue.clear()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._continue.wait(), pause)

    def _follow(self, entries: Sequence[LogEntry]) -> None:
        """Move the cursor to a move in a watched game, unless the player looks at another place."""
        here, cursor = self._view.map.canvas, self._view.map.cursor
        place = next((entry.place for entry in entries if here is not None and entry.place in here.layout.spots), "")
        if place and cursor == (self._followed or cursor):
            self._followed = place
            self._view.go_to(place)

    def _made(self, done: CompletedStep) -> list[LogEntry]:
        """Return the log entries of a move that the seat may see, without bookkeeping."""
        s, number = self.session, self.session.view.number_of(done.line)
        if number == s.view.number_of(done.line - 1):
            return []
        return [entry for entry in _last(s.view.log(), number) if not entry.quiet and entry.kind != "PhaseBegan"]

    def show_move(self, seat: str, entries: Sequence[LogEntry]) -> None:
        """Show a bot's move in a line above the map."""
        _, ink = self.look.power(self.session.tables, seat)
        text = "; ".join(entry.text.rstrip(".") for entry in entries)
        rows = self.look.rows([(f" {text}", f"{ink} reverse")], self.screen.size.width - 1, 1).split("\n")
        if len(rows) > MOVE_ROWS:
            rows[MOVE_ROWS - 1].append(" …")
        self._view.show_greeting(Text("\n").join(rows[:MOVE_ROWS]))

    @property
    def shows_each_move(self) -> bool:
        """Return whether each bot move is shown, not only the result of all."""
        return self.app.settings.bots != "at once" and not self._is_hurried

    def _tick(self) -> None:
        self._tick_count += 1
        self._view.draw_lines()

    def activity_line(self) -> Text | None:
        """Return the name of the moving bot and the keys that hurry it; None if no bot moves."""
        s, at, key = self.session, self.session.bots.current, self.app.key_of
        if at is None:
            return None
        out = Text(" ", no_wrap=True, overflow="crop")
        if isinstance(at, BotRequest):
            out.append(f"{power_name(s.tables, at.seat)} considers {bot_activity(at)} ", "bold")
            progress = self.app.thinker.progress
            if progress is not None:
                out.append(f"({progress.searched * 100 // progress.budget} %) ")
        else:
            out.append("Bots are moving ", "bold")
        out.append(f"{'.' * (self._tick_count % DOTS):<{DOTS}} ")
        if self.is_watching:
            return self._watch_keys(out)
        each = not isinstance(at, BotRequest) and self.app.settings.bots not in MOVE_PAUSE_S
        searches = self._is_hurried or self.app.thinker.progress is not None
        hurries = "stops the search" if searches else "skips the pauses"
        return self._add_keys(
            out,
            *([("space", "next")] if each else []),
            (key("game.hurry", "b"), hurries),
            (key("game.look_back", "o"), "shows where"),
            (key("game.rivals", "L"), "lists"),
        )

    def _add_keys(self, out: Text, *keys: tuple[str, str]) -> Text:
        """Add the keys that fit the line, each with what it does."""
        width = self.screen.size.width
        for press, what in keys:
            if cell_len(f"{out.plain}{press} {what}") <= width:
                out.append(press, self.look.key)
                out.append(f" {what}  ")
        return out

    def _watch_keys(self, out: Text) -> Text:
        """Add the keys of a watched game."""
        speed = "skips the pauses" if self._is_hurried else self.app.settings.bots
        return self._add_keys(
            out,
            ("space", "goes on" if self._is_paused else "pause"),
            *([("Enter", "one move")] if self._is_paused else []),
            ("+ -", f"speed ({speed})"),
            (self.app.key_of("game.autoplay", "A"), "take your seat"),
        )

    # --- a game without persons -----------------------------------------------------------------------------------

    @property
    def is_watching(self) -> bool:
        """Return whether bots play all seats of a game of this program."""
        s = self.session
        return s.bots.runs_here and not s.read_only_label and not s.seats.here() and s.live.result is None

    def action_autoplay(self) -> None:
        """Let bots play the rest of the game, or take the seats back."""
        s = self.session
        if self.is_watching:
            seats = self._handed_over or {s.seat: PERSON}
            self._handed_over, self._is_paused = {}, False
            self._assign(seats)
            return
        if not s.bots.runs_here or s.read_only_label or s.live.result is not None or not s.seats.here():
            self.notify("Bots can play the rest only in your own, unfinished game.", timeout=5)
            return

        def answered(_: bool) -> None:
            self._handed_over = {seat: s.seats.occupant(seat) for seat in s.seats.here()}
            self._assign(dict.fromkeys(self._handed_over, self._deputy()))

        key = self.app.key_of("game.autoplay", "A")
        text = f"Bots play all seats to the end of the game. {key} takes your seat back at any time."
        self.app.ask(ConfirmDialog("Watch", text, "let bots play"), answered)

    def _deputy(self) -> SeatOccupant:
        """Return the bot that plays for the persons: like the first rival that negotiates."""
        rivals = (self.session.seats.occupant(seat) for seat in self.session.live.players)
        return next((one for one in rivals if one.by == "bot" and one.level not in PaxBots.instant), RIVAL)

    def _assign(self, occupants: Mapping[str, SeatOccupant]) -> None:
        """Change who plays, at once: a bot that plans is not waited for."""
        self.session.bots.finish()
        self._continue.set()
        self.screen.carry_out(AssignSeats(occupants))

    def _handles_watch_key(self, key: str) -> bool:
        """Handle a key of a watched game. Return whether it is one."""
        if key == PAUSE_KEY:
            self._is_paused, self._is_hurried = not self._is_paused, False
            if not self._is_paused:
                self._continue.set()
        elif key in STEP_KEYS and self._is_paused:
            self._continue.set()
        elif key in SPEED_KEYS:
            speed = self.app.settings.bots
            at = SPEEDS.index(speed) if speed in SPEEDS else 0
            at = min(max(0, at + SPEED_KEYS[key]), len(SPEEDS) - 1)
            self.app.settings, self._is_hurried = replace(self.app.settings, bots=SPEEDS[at]), False
            if not self._is_paused:
                self._continue.set()
        elif key in self.app.own_keys.get("game.autoplay", "A").split(","):
            self.action_autoplay()
        else:
            return False
        self._view.draw_lines()
        return True

    # --- keys -----------------------------------------------------------------------------------------------------

    def holds(self, event: Key | Paste) -> bool:
        """Return whether a key waits for bots or a slow save. View keys do not."""
        if not (self.session.bots.is_at_work or self.session.file.is_saving) or isinstance(self.screen.focused, Input):
            return False
        found = self.screen.active_bindings.get(event.key) if isinstance(event, Key) else None
        if found is None:
            return isinstance(event, Paste)
        id_ = found.binding.id or ""
        if id_ in VIEW_BINDINGS or (id_.startswith(("app.", "map.")) and id_ not in MAP_BINDINGS):
            return False
        return not self._gives_way()

    def _gives_way(self) -> bool:
        """Whether a key that acts need not wait for the bots; it ends the pauses of a simultaneous Phase."""
        s = self.session
        if s.file.is_saving or not s.can_interrupt_bots:
            return False
        if isinstance(s.bots.current, BotRequest):
            return s.bots.current.bot not in PaxBots.instant
        self._is_hurried = True
        self._continue.set()
        return False

    def handles_immediately(self, event: Key | Paste) -> bool:
        """Handle the keys that hurry the bots before all others."""
        if not (self.is_running and isinstance(event, Key)) or isinstance(self.screen.focused, Input):
            return False
        if event.key in self.app.own_keys.get("game.hurry", "b").split(","):
            self.hurry()
            return True
        if self.is_watching and self.is_in_front:
            return self._handles_watch_key(event.key)
        each = isinstance(self.session.bots.current, CompletedStep) and self.app.settings.bots not in MOVE_PAUSE_S
        if each and not self._is_hurried and event.key in NEXT_MOVE_KEYS:
            self._continue.set()
            return True
        return False

    def hurry(self) -> None:
        """Skip the pauses and stop an expert's search, which plays the best plan that it has found.

        A second call stops any bot; one that does not search is replaced by the caretaker's moves.
        """
        again, self._is_hurried = self._is_hurried or self.app.thinker.progress is not None, True
        self._continue.set()
        if again and isinstance(self.session.bots.current, BotRequest):
            self.app.thinker.hurry()
        self._view.draw_lines()

    def action_hurry(self) -> None:
        if self.is_running:
            self.hurry()
        else:
            self.notify("No bot is moving.", timeout=4)

    def action_look(self, step: int) -> None:
        """Step through the bots' moves, the last one first, and show their places on the map."""
        s = self.session
        moves = _moves(s)
        if not moves:
            self.notify("No bot has moved on the map yet.", timeout=4)
            return
        version, at = self._looked_at
        at = min(max(0, at + step), len(moves) - 1) if version == s.version else 0
        self._looked_at = s.version, at
        move = moves[-1 - at]
        self._followed = move[0].place
        self._view.go_to(move[0].place)
        self.show_move(move[0].seat, move)

    def action_list(self) -> None:
        """List what rivals did in this Game Turn, those after the seat's last act first; Enter goes to the place."""
        s = self.session
        acts = _rival_acts(s)
        if not acts:
            self.notify("No rival has acted in this Game Turn.", timeout=4)
            return
        own = max((entry.line for entry in s.view.log() if entry.seat == s.seat), default=0)
        runs = [list(run) for _, run in groupby(acts, lambda entry: (entry.line > own, entry.text))]
        acts = [run[0] for run in runs]
        counts = (f" ({len(run)} times)" if len(run) > 1 else "" for run in runs)
        signs = (NEW_SIGN if entry.line > own else " " for entry in acts)
        lines = [f"{sign} {sentence(one.text)}{count}" for sign, one, count in zip(signs, acts, counts, strict=True)]
        title = f"What rivals did in {s.tables.turns[s.live.turn - 1].year} ({NEW_SIGN} since your last act)"
        is_cut = any(len(line) > pick_line_width(self.app.size.width) for line in lines)
        more = [sentence(entry.text) for entry in acts] if is_cut else ()
        dialog = PickDialog(title, lines, more=more, enters="go there")
        self.app.ask(dialog, lambda number: self._view.go_to(acts[number].place))

    def _report_hurried(self, before: int) -> None:
        """Report acts of rivals in Areas of the seat if none was shown. Args: the number of lines before them."""
        s = self.session
        if not self.is_in_front or s.live.phase != "movement":
            return
        mine = {area for area, here in s.live.areas.items() if any(m.power in s.powers() for m in here.markers)}
        acts = [entry for entry in _rival_acts(s) if entry.line > before and entry.place in mine]
        # markers before moves
        texts = [sentence(entry.text) for entry in sorted(acts, key=lambda entry: entry.kind != "MarkerPlaced")]
        if texts:
            key = self.app.key_of("game.rivals", "L")
            more = f" {len(texts) - MAX_HURRIED} more." if len(texts) > MAX_HURRIED else ""
            text = " ".join(texts[:MAX_HURRIED])
            self.notify(f"{text}{more} {key} lists all acts of rivals.", title="In your Areas", timeout=10)


def _rival_acts(session: Session) -> list[LogEntry]:
    """Return what others did in this Game Turn, without bookkeeping and prices of what they did, the latest first."""
    found: list[LogEntry] = []
    for entry in reversed(session.view.log()):
        if entry.kind == "TurnBegan":
            break
        is_price = entry.kind == "TreasuryChanged" and bool(found) and found[-1].line == entry.line
        is_quiet = entry.quiet or is_price or entry.kind in UNLISTED_KINDS
        if entry.seat in session.live.players and entry.seat != session.seat and not is_quiet:
            found.append(entry)
    return found


def _last(entries: Sequence[LogEntry], number: int) -> list[LogEntry]:
    """Return the entries of the last line if it has this number."""
    found = []
    for entry in reversed(entries):
        if entry.line != number:
            break
        found.append(entry)
    return found[::-1]


def _moves(session: Session) -> list[list[LogEntry]]:
    """Return the bots' map actions of this and the previous Game Turn, one list per log line."""
    found: dict[int, list[LogEntry]] = {}
    turns = 0
    for entry in reversed(session.view.log()):
        turns += entry.kind == "TurnBegan"
        if turns > 1:
            break
        bot = entry.seat in session.live.players and session.seats.occupant(entry.seat).is_automatic
        if bot and entry.place and not entry.quiet:
            found.setdefault(entry.line, []).insert(0, entry)
    return [found[line] for line in sorted(found)]
