"""The dialog for a new game: name, seats, options of the rules and seed; and a short description of each Power."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from typing import ClassVar, NamedTuple

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.events import Resize
from textual.widgets.option_list import Option

from paxtui.engine.refusal import Refusal
from paxtui.engine.seating import PERSON, SeatOccupant, occupant_label
from paxtui.games.pax.board.status import holdings
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.position.setup import check_options, new_game, seats_for
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.options import options_to_texts
from paxtui.games.pax.state.pieces import ARMY
from paxtui.games.pax.text.display import power_name
from paxtui.games.pax.turn.victory import possible_bonuses
from paxtui.session.storage.saved_games import check_name
from paxtui.session.tables.loader import load_tables
from paxtui.tui.base.dialogs import InputDialog, refusal_of
from paxtui.tui.base.keymap import bind
from paxtui.tui.base.screen import BaseScreen, ChoiceList, KeyHints, PlainText, next_in_circle
from paxtui.tui.dialogs.seats import next_level, next_occupant, next_temper
from paxtui.tui.start_screens.open_game import open_new_game


def power_summaries(tables: Tables, seats: Sequence[str]) -> list[tuple[str, str]]:
    """Return name and description of the Power of each seat."""
    state = new_game(tables, tuple(seats), {})
    return [(power_name(tables, seat), "\n".join(_lines(tables, state, seat))) for seat in seats]


def _lines(tables: Tables, state: State, seat: str) -> list[str]:
    """Describe what a Power has in 1880, and the bonuses that only this Power can earn."""
    units = [u for here in state.areas.values() for u in here.units if u.power == seat]
    units += state.homes.get(seat, ())
    armies, fleets = (sum(u.strength for u in units if (u.kind == ARMY) == army) for army in (True, False))
    held = len(holdings(state, seat))
    markers = f"{held} Status marker{'s' * (held != 1)}" if held else "no Status markers"
    possible = possible_bonuses(tables, state, seat)
    own = [(row.points, what) for row, what in possible if getattr(row, "power", "") == seat]
    joints = ["" if what.startswith(("for each ", "a turn: ")) else ":" for _, what in own]
    return [
        f"In 1880: {markers}, armies of strength {armies}, fleets of {fleets}.",
        *(f"{points:+d} points{joint} {what}" for (points, what), joint in zip(own, joints, strict=True)),
    ]


MIN_PLAYERS, MAX_PLAYERS = 4, 8
OTHER_ROWS = 13
"""Rows of the screen outside the list."""
OCCUPANT_HELP = (
    "A person at this keyboard, or a bot: a statesman plays to win ({new.level}: how well, "
    "{new.temper}: how it treats its neighbours), a steady bot trades and takes what pays, a caretaker keeps its "
    "possessions. An empty seat does nothing. {new.same}: the same at all seats below."
)
"""Help text about the occupants of a seat."""
HELP = {
    "start": "All pieces are deployed as in 1880. You roll the first dice.",
    "name": "Name of the saved game. A number is added if the name exists.",
    "players": "The number of players decides which Powers take part; the others move by rule. [SET-055]",
    "seat": OCCUPANT_HELP,
    "rules": "Options of the rules, on their own page. Esc returns.",
    "back": "Back to name, players and seats.",
    "seed": "The same seed and the same orders give the same game. Empty: a random seed.",
}


class NewGameRow(NamedTuple):
    """A row of the dialog: id, label, value, and whether the value is the default."""

    id: str
    title: str
    value: str
    usual: bool = True


class NewGameScreen(BaseScreen[None]):
    """Name, seats, options and seed of a new game."""

    TOPIC = "new"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("new.back", "escape", "back", "Back", "Back to the start screen"),
        bind("new.next", "right", "change(1)", "Next choice", "Next choice of this line"),
        bind("new.previous", "left", "change(-1)", "Previous choice", "Previous choice of this line"),
        bind("new.more", "plus", "more", "More players", "One player more"),
        bind("new.fewer", "minus", "fewer", "Fewer players", "One player fewer"),
        bind("new.level", "l", "level", "Level", "Level of the statesman of this line"),
        bind("new.temper", "t", "temper", "Temper", "Temper of the statesman of this line"),
        bind("new.same", "s", "same", "Same below", "Same player at all seats below"),
        bind("new.start", "f10,ctrl+s", "start", "Start", "Start the game"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.players = 7
        self.options: dict[str, str] = {}
        self.occupants: dict[str, SeatOccupant] = {}
        today = date.today()
        self.called = f"Game of {today.day} {today:%B %Y}"
        self.seed = ""
        self.shows_rules = False

    def compose(self) -> ComposeResult:
        with Vertical(classes="box", id="new-box"):
            yield PlainText("A new game", classes="title", id="new-title")
            yield ChoiceList(id="options")
            yield PlainText(id="option-help", classes="note")
            walk = "↑↓ move · Enter or {new.previous} {new.next} change"
            keys = " · {new.level} level · {new.temper} temper · {new.same} same · {new.start} start · {new.back} back"
            yield KeyHints(self.format_keys(walk + keys), id="new-keys")

    def on_mount(self) -> None:
        self.tables = load_tables(self.app.tables_dir)
        self._show(0)
        self.set_focus(self.query_one(ChoiceList))

    def on_resize(self, event: Resize) -> None:
        self.query_one(ChoiceList).styles.max_height = max(4, event.size.height - OTHER_ROWS)

    # --- lines --------------------------------------------------------------------------------------------------

    def _lines(self) -> Iterator[NewGameRow]:
        """Yield the rows of the page: name, players, seats and seed, or the options of the rules."""
        options = list(self._options())
        if self.shows_rules:
            yield NewGameRow("back", "◂ Back to the seats", "")
            yield from options
            return
        seats = seats_for(self.players)
        yield NewGameRow("start", "▶ Start the game", "")
        yield NewGameRow("name", "Name", self.called)
        yield NewGameRow("players", "Players", str(self.players), self.players == 7)
        for seat in seats:
            who, name = self.occupants.get(seat, PERSON), f"  {self.tables.powers[seat].name}"
            yield NewGameRow(f"seat:{seat}", name, occupant_label(who), who == PERSON)
        changed = sum(not row.usual for row in options)
        text = f"{changed} of {len(options)} changed" if changed else "as usual"
        yield NewGameRow("rules", "Rules...", text, not changed)
        yield NewGameRow("seed", "Seed of the dice", self.seed or "random", not self.seed)

    def _options(self) -> Iterator[NewGameRow]:
        chosen = options_to_texts(check_options(self.tables, self.options))  # an edition sets others
        for option in self.tables.options.values():
            if option.id != "belgium":
                value = chosen[option.id]
                yield NewGameRow(f"option:{option.id}", option.title, option.meaning(value), value == option.default)

    def _turn_page(self, *, to_rules: bool) -> None:
        """Show the page of the rules, or the page of the seats with its former cursor."""
        self.shows_rules = to_rules
        self.query_one("#new-title", PlainText).update("A new game: rules" if to_rules else "A new game")
        self._show(1 if to_rules else [row.id for row in self._lines()].index("rules"))

    def _show(self, row: int) -> None:
        look, options = self.look, []
        for line in self._lines():
            value = line.value if line.usual else (f"{line.value} *", look.key)
            options.append(Option(look.line(f"{line.title:<43} ", value), id=line.id))
        self.query_one(ChoiceList).refill(options, row)

    @on(ChoiceList.OptionHighlighted)
    def _highlighted(self, event: ChoiceList.OptionHighlighted) -> None:
        kind, _, id_ = (event.option_id or "").partition(":")
        option = self.tables.options.get(id_)
        text = f"{option.help} [{', '.join(option.rules)}]" if option else self.format_keys(HELP.get(kind, ""))
        self.query_one("#option-help", PlainText).update(Text(text))

    # --- changing them ------------------------------------------------------------------------------------------

    @on(ChoiceList.OptionSelected)
    def _selected(self, event: ChoiceList.OptionSelected) -> None:
        self._change(event.option_id or "", 1)

    def action_change(self, step: int) -> None:
        line = self.query_one(ChoiceList).chosen_id
        if line and line not in ("start", "name", "seed", "rules", "back"):
            self._change(line, step)

    def _change(self, line: str, step: int) -> None:
        row = self.query_one(ChoiceList).highlighted or 0
        kind, _, id_ = line.partition(":")
        if kind == "start":
            self.action_start()
        elif kind in ("rules", "back"):
            self._turn_page(to_rules=kind == "rules")
        elif kind == "name":
            self.app.ask(InputDialog("Name of the game?", self.called, refusal_of(check_name)), self._named)
        elif kind == "seed":
            self.app.ask(InputDialog("The seed of the dice", self.seed, hint="random"), self._seeded)
        elif kind == "players":
            self._set_players(MIN_PLAYERS + (self.players - MIN_PLAYERS + step) % (MAX_PLAYERS - MIN_PLAYERS + 1))
        elif kind == "seat":
            self.occupants[id_] = next_occupant(self.occupants.get(id_, PERSON), step)
            self._show(row)
        else:
            option = self.tables.options[id_]
            value = options_to_texts(check_options(self.tables, self.options))[id_]
            self.options[id_] = next_in_circle(option.values, value, step)
            self._show(row)

    def action_level(self) -> None:
        self._reseat(next_level)

    def action_temper(self) -> None:
        self._reseat(next_temper)

    def action_same(self) -> None:
        here, seats = self._seat_here(), seats_for(self.players)
        if here:
            for seat in seats[seats.index(here) :]:
                self.occupants[seat] = self.occupants.get(here, PERSON)
            self._show(self.query_one(ChoiceList).highlighted or 0)

    def _seat_here(self) -> str:
        """Return the seat of the selected row; "" if the row is no seat."""
        kind, _, seat = self.query_one(ChoiceList).chosen_id.partition(":")
        return seat if kind == "seat" else ""

    def _reseat(self, changed: Callable[[SeatOccupant], SeatOccupant]) -> None:
        seat = self._seat_here()
        if seat:
            self.occupants[seat] = changed(self.occupants.get(seat, PERSON))
            self._show(self.query_one(ChoiceList).highlighted or 0)

    def _named(self, name: str) -> None:
        self.called = name
        self._show(self.query_one(ChoiceList).highlighted or 0)

    def _seeded(self, seed: str) -> None:
        self.seed = seed
        self._show(self.query_one(ChoiceList).highlighted or 0)

    def _set_players(self, players: int) -> None:
        self.players = max(MIN_PLAYERS, min(MAX_PLAYERS, players))
        self._show(self.query_one(ChoiceList).highlighted or 0)

    def action_more(self) -> None:
        self._set_players(self.players + 1)

    def action_fewer(self) -> None:
        self._set_players(self.players - 1)

    def action_back(self) -> None:
        """Go back to the page of the seats, or from there to the start screen."""
        if self.shows_rules:
            self._turn_page(to_rules=False)
        else:
            self.dismiss(None)

    def action_start(self) -> None:
        options = dict(self.options)
        if self.players == MAX_PLAYERS:
            options["belgium"] = "yes"
        seats = seats_for(self.players)
        occupants = {seat: self.occupants.get(seat, PERSON) for seat in seats}
        if all(occupant.by == "nobody" for occupant in occupants.values()):
            text = "No seat has a player. Choose a person for a seat, or bots to watch."
            self.notify(text, severity="warning", timeout=5)
            return
        try:
            seed, app = self.seed.strip(), self.app
            order = app.settings.bot_order
            screen = open_new_game(self.called, seats, occupants, seed, options, app.tables_dir, app.leisurely, order)
        except Refusal as refusal:
            self.notify(refusal.message, severity="error", timeout=8)
        except OSError as error:
            self.notify(f"The game cannot be saved: {error}", severity="error", timeout=8)
        else:
            self.app.switch_screen(screen)
