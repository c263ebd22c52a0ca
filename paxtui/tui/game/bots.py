"""The rivals at their moves: each is shown for as long as the player wants, and nothing stands still while one thinks.

Keys that only look at something work meanwhile. One that could be an act of the player's waits until the rivals have
done, and with it all that come later, so that none is lost and none comes out of turn; the key that hurries them goes
before all.
"""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import Sequence
from contextlib import suppress

from rich.text import Text
from textual.events import Key, Paste
from textual.widgets import Input

from paxtui.games.pax.narration.labels import treaty_title
from paxtui.games.pax.state.diplomacy import DRAFT, Treaty
from paxtui.games.pax.text.display import power_name, sentence, the_power, the_powers
from paxtui.session.bot_process import INSTANT_BOTS, BotRequest
from paxtui.session.bot_runner import CompletedStep
from paxtui.session.game_viewer import LogEntry
from paxtui.session.local_session import Session
from paxtui.session.player_news import unread_dispatch_count
from paxtui.tui.game.handover import HotSeatControls
from paxtui.tui.panes.registry import PANES
from paxtui.tui.rendering.key_queue import BACKGROUND_GROUP

MOVE_PAUSE_S = {"at once": 0.0, "0.1 s": 0.1, "0.3 s": 0.3, "1 s": 1.0}
"""Seconds for which a move is shown, by the setting; what is not here waits for a key."""
OFFER_OUTCOMES = {
    "": "{what} is signed and in force",
    "done": "{what} is signed and carried out",
    "rejected": "{who} declines {what}",
    "superseded": "{who} answers {what} with another draft",
}
"""What has become of an offer, by the reason for which it ended."""
ACTIVITY_INTERVAL_S = 0.1
"""Seconds between two signs of life."""
DISK_POLL_S = 0.01
"""Seconds between two looks at whether the disk has taken what was done."""
DOTS = 4
NEXT_MOVE_KEYS = ("space", "enter")
"""Keys that go on to the next move where each waits for one."""
VIEW_BINDINGS = frozenset(
    {
        *(f"game.{what}" for what in ("back", "find", "past", "later", "turn_back", "turn_on", "log", "play", "mark")),
        *(f"game.{what}" for what in ("compare", "first", "last", "zoom", "filter", "filters", "home", "next_pane")),
        *(f"game.{what}" for what in ("card_up", "card_down", "region_back", "region_on", "sheet", "rules", "since")),
        *(f"game.{what}" for what in ("pane_up", "pane_down")),
        *(f"game.{what}" for what in ("glossary", "leave", "talk", "hurry", "look_back", "look_on")),
        *(f"game.pane{pane.key}" for pane in PANES),
    }
)
"""Bindings that only look at something, or leave."""
MAP_BINDINGS = frozenset({"map.activate"})
"""Bindings of the map that do more."""


def bot_activity(asked: BotRequest) -> str:
    """What a rival is at, in words: its answer to a question or a draft, its last word before War, or its moves."""
    if asked.what == "replies" or any(choice.seat == asked.seat for choice in asked.state.choices):
        return "its answer"
    return "its last word" if asked.what == "last word" else "its moves"


class BotControls(HotSeatControls):
    """The game screen while the seats that play themselves are at their moves."""

    watches = False
    """Whether the rivals are let make their moves."""
    begins = False
    """Whether what nobody has to do anything for is played as soon as the game is open."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._goes_on = asyncio.Event()
        self._hurried = False
        self._opens = False
        self._beats = 0
        self._saves = False
        self._looked_at = (-1, 0)
        self._letters: dict[str, int] = {}  # unread dispatches that each seat knows of
        self._told_of: set[str] = set()  # agreements of which the seat knows what has become

    # --- what the screen has to give ------------------------------------------------------------------------------

    @abstractmethod
    def draw_lines(self) -> None:
        """Show the line above the keys, and the keys."""

    @abstractmethod
    def go_to(self, place: str | None) -> None:
        """The cursor goes to a place."""

    # --- moving ---------------------------------------------------------------------------------------------------

    def open_game(self) -> None:
        """A game has been opened: what the rivals have still to do comes first."""
        self._letters[self.session.seat] = unread_dispatch_count(self.session)
        self._told_of.update(answered.id for answered in self._own_offers_answered())
        sitters = (self.session.occupant(seat) for seat in self.session.live.players)
        thinks = any(sitter.by == "bot" and sitter.level not in INSTANT_BOTS for sitter in sitters)
        if self.app.leisurely and self.session.moves_bots and thinks:
            self.app.thinker.get_ready()
        if self.session.bots_at_work:
            self._opens = True
            self.watch_bots()
        else:
            self._begin()

    def _begin(self) -> None:
        """The player sits before a game on which nobody else is at work."""
        super().open_game()
        if self.begins and not self.session.waiting():
            # when the whole screen stands, and hears what comes of it
            self.call_after_refresh(self.tried, self.session.advance)

    def watch_bots(self) -> None:
        """Let the rivals make their moves, one after the other."""
        if not self.watches:
            self.watches = True
            self.run_worker(self._run_bots(), group=BACKGROUND_GROUP)

    async def _run_bots(self) -> None:
        s = self.session
        beat = self.set_interval(ACTIVITY_INTERVAL_S, self._beat)
        try:
            while (at := s.bots_at) is not None:
                await self.saved()
                if isinstance(at, BotRequest):
                    thought = await self.app.thinker.think(s.tables, s.replaced_tables, at)
                    if s.bots_at is at:
                        s.step_bots(thought)
                else:
                    await self._show(at)
                    if s.bots_at is at:
                        s.step_bots()
        finally:
            beat.stop()
            self.watches = self._hurried = False
        if not self.is_attached:
            return  # the player has left
        self.greeting.display = False
        self._tell_answers()
        if self._opens:
            self._opens = False
            self._begin()

    def _own_offers_answered(self) -> list[Treaty]:
        """What the seat has offered others and is offered no longer: it is in force, or it has come to nothing."""
        mine = self.session.my_powers()
        return [t for t in self.session.live.treaties if t.drafter in mine and t.stage != DRAFT]

    def _tell_answers(self) -> None:
        """Say what has become of what the seat has offered, where no list on the screen shows it."""
        tables, told = self.session.tables, list[str]()
        for treaty in self._own_offers_answered():
            if treaty.id not in self._told_of and treaty.reason in OFFER_OUTCOMES:
                others = [p for p in treaty.parties if p not in treaty.signed] or treaty.parties
                who, what = the_powers(tables, others), treaty_title(tables, treaty)
                said = sentence(OFFER_OUTCOMES[treaty.reason].format(who=who, what=what))
                told.append(f"{said} {sentence(self._objection(treaty))}".rstrip())
            self._told_of.add(treaty.id)
        if told and self.app.screen is self:
            self.notify("\n".join(told), title="Your offer", timeout=8)
        letters, before = unread_dispatch_count(self.session), self._letters.get(self.session.seat, 0)
        self._letters[self.session.seat] = letters
        if letters > before and self.app.screen is self:
            who = the_power(tables, self.session.dispatches()[-1].sender)
            text = f"{who} has written: {self.app.key_of('game.dispatches', 'd')} reads it."
            self.notify(sentence(text), title="A dispatch", timeout=8)

    def _objection(self, treaty: Treaty) -> str:
        """Why a draft has been turned down; "" where it has not been, or nobody has said why."""
        return self.session.objection(treaty.id) if treaty.reason == "rejected" else ""

    def watch_saving(self) -> None:
        """Go on living while what has been done is on its way to a slow disk; say it when it has not come there."""
        if self.session.saving and not self._saves:
            self._saves = True
            self.run_worker(self._until_saved(), group=BACKGROUND_GROUP)

    async def _until_saved(self) -> None:
        beat = self.set_interval(ACTIVITY_INTERVAL_S, self._beat)
        try:
            await self.saved()
        finally:
            beat.stop()
            self._saves = False
        if self.is_attached:
            self.draw_lines()
            if self.session.failed:
                self.notify(f"{self.session.failed}.", title="The log", severity="error", timeout=600)

    async def saved(self) -> None:
        """Wait until all that has been done is on the disk, or it is known that it is not."""
        while self.session.saving:
            await asyncio.sleep(DISK_POLL_S)

    async def _show(self, done: CompletedStep) -> None:
        """Show a move for as long as the player wants."""
        pause = MOVE_PAUSE_S.get(self.app.settings.bots)
        if self._hurried or pause == 0 or self.app.screen is not self:
            await asyncio.sleep(0)
            return
        told = self._made(done)
        if not told:
            return
        self.show_move(done.seat, told)
        self.draw_lines()
        self._goes_on.clear()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._goes_on.wait(), pause)

    def _made(self, done: CompletedStep) -> list[LogEntry]:
        """What the seat at the keyboard knows of a move, without bookkeeping."""
        s, number = self.session, self.session.number_of(done.line)
        if number == s.number_of(done.line - 1):
            return []
        return [entry for entry in _last(s.log(), number) if not entry.quiet and entry.kind != "PhaseBegan"]

    def show_move(self, seat: str, told: Sequence[LogEntry]) -> None:
        """Say in a line above the map what a rival has done."""
        _, ink = self.look.power(self.session.tables, seat)
        said = "; ".join(entry.text.rstrip(".") for entry in told)
        line = Text(f" {said} ", f"{ink} reverse", no_wrap=True, overflow="ellipsis")
        self.greeting.show(self.look.signs(line))
        self.greeting.display = True

    @property
    def shows_each_move(self) -> bool:
        """Whether each move of a rival's is shown, and not only what has come of all of them."""
        return self.app.settings.bots != "at once" and not self._hurried

    def _beat(self) -> None:
        self._beats += 1
        self.draw_lines()

    def bots_line(self) -> Text | None:
        """Which rival is at its moves, and the keys that hurry it, in place of the keys; None where none is."""
        s, at, key, look = self.session, self.session.bots_at, self.app.key_of, self.look
        if at is None:
            return None
        out = Text(" ", no_wrap=True, overflow="crop")
        if isinstance(at, BotRequest):
            out.append(f"{power_name(s.tables, at.seat)} considers {bot_activity(at)} ", "bold")
        else:
            out.append("Your rivals are at their moves ", "bold")
        out.append(f"{'.' * (self._beats % DOTS):<{DOTS}} ")
        each = not isinstance(at, BotRequest) and self.app.settings.bots not in MOVE_PAUSE_S
        hurries = "once more: the caretaker acts for it" if self._hurried else "hurries them"
        for press, what in (
            *([("space", "next")] if each else []),
            (key("game.hurry", "b"), hurries),
            (key("game.look_back", "o"), "shows where"),
        ):
            out.append(press, look.key)
            out.append(f" {what}  ")
        return out

    # --- keys -----------------------------------------------------------------------------------------------------

    def holds(self, event: Key | Paste) -> bool:
        """Whether a key waits for the rivals, or for a slow disk: all do but those that only look at something."""
        if not (self.session.bots_at_work or self.session.saving) or isinstance(self.focused, Input):
            return False
        found = self.active_bindings.get(event.key) if isinstance(event, Key) else None
        if found is None:
            return isinstance(event, Paste)
        id_ = found.binding.id or ""
        return not (id_ in VIEW_BINDINGS or (id_.startswith(("app.", "map.")) and id_ not in MAP_BINDINGS))

    def handles_immediately(self, event: Key | Paste) -> bool:
        """The keys that hurry the rivals go before all others."""
        if not (self.watches and isinstance(event, Key)) or isinstance(self.focused, Input):
            return False
        if event.key in self.app.own_keys.get("game.hurry", "b").split(","):
            self.hurry()
            return True
        each = isinstance(self.session.bots_at, CompletedStep) and self.app.settings.bots not in MOVE_PAUSE_S
        if each and not self._hurried and event.key in NEXT_MOVE_KEYS:
            self._goes_on.set()
            return True
        return False

    def hurry(self) -> None:
        """No more pauses; asked for once more, for the one that thinks the caretaker acts."""
        again, self._hurried = self._hurried, True
        self._goes_on.set()
        if again and isinstance(self.session.bots_at, BotRequest):
            self.app.thinker.hurry()
        self.draw_lines()

    def action_hurry(self) -> None:
        """Hurry the rivals."""
        if self.watches:
            self.hurry()
        else:
            self.notify("Nobody is to be hurried: your rivals have made their moves.", timeout=4)

    def action_look(self, step: int) -> None:
        """Walk through what the rivals have done: to its place on the map, the last one first."""
        s = self.session
        moves = _moves(s)
        if not moves:
            self.notify("No rival has done anything on the map yet.", timeout=4)
            return
        version, at = self._looked_at
        at = min(max(0, at + step), len(moves) - 1) if version == s.version else 0
        self._looked_at = s.version, at
        told = moves[-1 - at]
        self.go_to(told[0].place)
        self.show_move(told[0].seat, told)


def _last(entries: Sequence[LogEntry], number: int) -> list[LogEntry]:
    """The entries of the last line, where that has this number."""
    found = []
    for entry in reversed(entries):
        if entry.line != number:
            break
        found.append(entry)
    return found[::-1]


def _moves(session: Session) -> list[list[LogEntry]]:
    """What the rivals have done on the map in this Game Turn and the one before, a list for each line of the log."""
    found: dict[int, list[LogEntry]] = {}
    turns = 0
    for entry in reversed(session.log()):
        turns += entry.kind == "TurnBegan"
        if turns > 1:
            break
        bot = entry.seat in session.live.players and session.occupant(entry.seat).is_automatic
        if bot and entry.place and not entry.quiet:
            found.setdefault(entry.line, []).insert(0, entry)
    return [found[line] for line in sorted(found)]
