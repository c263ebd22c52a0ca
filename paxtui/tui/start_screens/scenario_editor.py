"""The editor of scenarios: markers, units, money, indexes and Treaties on the map, with a check after each edit."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.board.status import units_line
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.clauses.notation import describe_clause
from paxtui.games.pax.position.reader import SCENARIO_NAME
from paxtui.games.pax.state.model import units_at
from paxtui.games.pax.state.pieces import (
    ARMY,
    DOMINION,
    INFLUENCE,
    INTEREST,
    NAVAL,
    POSSESSION,
    PROTECTORATE,
    STATE,
)
from paxtui.games.pax.text.display import place_name, power_name, powers_text
from paxtui.session.scenario_draft import MOST_MONEY, TREATY_EXAMPLE, ScenarioDraft
from paxtui.session.tables.records import TableError
from paxtui.session.tables.scenarios import OWN_ORDER, PaxScenario
from paxtui.tui.base.dialogs import ConfirmDialog, InputDialog, PickDialog, refusal_of
from paxtui.tui.base.keymap import bind
from paxtui.tui.base.screen import BaseScreen, KeyHints, PlainText
from paxtui.tui.map.world_map import WorldMap
from paxtui.tui.widgets.map_scene import build_scene

MARKERS = (
    ("no_marker", "No marker"),
    (INTEREST, "Interest"),
    (INFLUENCE, "Influence"),
    (PROTECTORATE, "Protectorate"),
    (POSSESSION, "Possession"),
    ("highest", "Dominion or State"),
)
"""What the keys 0 to 5 place: the end of the key's id, and its name."""
STRENGTHS = (1, 3, 10)
MOST_PROBLEMS = 3
"""Maximum number of problems that are shown; the line before says how many there are."""


class ScenarioEditor(BaseScreen[str | None]):
    """Edit a scenario; return the name of the saved file for a trial game, or None.

    Args:
        scenario: where the editor begins. Its file is never changed, unless it is saved under its own name.
    """

    TOPIC = "scenario_editor"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("editor.leave", "escape,q", "leave", "Leave", "Back to the scenarios"),
        bind("editor.power", "p", "power(1)", "Next Power", "Edit the pieces of the next Power"),
        bind("editor.power_before", "P", "power(-1)", "Previous Power", "Previous Power"),
        *(
            bind(f"editor.{id_}", str(n), f"marker({n})", title, f"{title} of the Power here")
            for n, (id_, title) in enumerate(MARKERS)
        ),
        bind("editor.army", "a", "unit('army')", "Army", "Add an Army of the Power here"),
        bind("editor.fleet", "f", "unit('naval')", "Fleet", "Add a Naval Unit of the Power here"),
        bind("editor.strength", "s", "strength", "Strength", "Strength of units to add: 1, 3 or 10"),
        bind("editor.remove", "minus,delete", "remove", "Remove", "Remove the last unit of the Power here"),
        bind("editor.merchants", "m", "merchants", "Merchant Fleet", "Merchant Fleet in this Sea Zone"),
        bind("editor.unrest", "u", "unrest", "Unrest", "Unrest in this Area"),
        bind("editor.share", "c", "share", "Codominion", "Share the Control of this Area, or end it"),
        bind("editor.canal", "x", "canal", "Canal", "Build the canal of this Area, or remove it"),
        bind("editor.problem", "n", "problem", "Next problem", "Go to the place of the next problem"),
        bind("editor.figures", "e", "figures", "Figures", "Title, turns, money, points, indexes"),
        bind("editor.treaties", "t", "treaties", "Treaties", "Add or remove Treaties"),
        bind("editor.save", "f10,ctrl+s", "save", "Save", "Save a scenario of your own"),
        bind("editor.play", "g", "play", "Test game", "Save, and start a game of it"),
    ]

    def __init__(self, scenario: PaxScenario) -> None:
        super().__init__()
        self.draft = ScenarioDraft(scenario)
        self._powers = tuple(self.draft.tables.powers)
        self._at, self._strength = 0, 0
        self._file_name = scenario.id if scenario.order == OWN_ORDER else f"my-{scenario.id}"[:40]
        self._plays = False

    @property
    def power(self) -> str:
        """The Power whose pieces are edited."""
        return self._powers[self._at]

    @property
    def place(self) -> str:
        """The place under the cursor."""
        return self.query_one(WorldMap).cursor

    def compose(self) -> ComposeResult:
        yield WorldMap(id="editor-map", palette=self.app.palette, cursor="egypt")
        yield PlainText(id="editor-here")
        yield PlainText(id="editor-problems")
        markers = "{editor.interest} to {editor.highest} marker, {editor.no_marker} none · {editor.power} Power"
        units = "{editor.army} army · {editor.fleet} fleet · {editor.strength} strength · {editor.remove} remove"
        more = "{editor.figures} figures · {editor.treaties} Treaties · {editor.save} save · {editor.play} test game"
        yield KeyHints(self.format_keys(f"{markers} · {units} · {more} · {{editor.leave}} leave"), id="editor-keys")

    def on_mount(self) -> None:
        self.set_focus(self.query_one(WorldMap))
        self._show()

    # --- texts ------------------------------------------------------------------------------------------------------

    def _show(self) -> None:
        """Draw the position and check it."""
        world_map = self.query_one(WorldMap)
        world_map.scene = build_scene(self.draft.tables, self.draft.state, world_map.cursor, self.power)
        self._show_here()
        problems = self.draft.problems()
        look = self.look
        text = Text(no_wrap=True, overflow="ellipsis")
        if problems:
            count = len(problems)
            text.append(f"{count} problem{'s' if count > 1 else ''}: no game can begin here.\n", look.alarm)
            words = (problem_text(self.draft.tables, problem) for problem in problems[:MOST_PROBLEMS])
            text.append("\n".join(look.palette.text(problem) for problem in words), look.alarm)
        else:
            text.append("A game can begin here.", look.good)
        self.query_one("#editor-problems", PlainText).update(text)

    def _show_here(self) -> None:
        """Describe the place under the cursor, and what keys would add."""
        draft, look = self.draft, self.look
        tables, state = draft.tables, draft.state
        text = Text(no_wrap=True, overflow="ellipsis")
        text.append(look.palette.text(place_name(tables, self.place)), "bold")
        here = state.areas.get(self.place)
        if here is not None:
            markers = ", ".join(f"{power_name(tables, m.power)} {tables.markers[m.marker].name}" for m in here.markers)
            row = tables.areas[self.place]
            text.append(look.palette.text(f"  value {row.value}, strength {row.strength}  {markers or 'no marker'}"))
            for sign, word in ((here.unrest, "Unrest"), (bool(here.codominion), "Codominion"), (here.canal, "canal")):
                text.append(f", {word}" if sign else "", look.key)
        fleets = state.sea_zones.get(self.place)
        if fleets is not None:
            names = ", ".join(power_name(tables, p) for p in fleets)
            text.append(look.palette.text(f"  Merchant Fleets: {names or 'none'}"))
        units = units_at(state, self.place)
        text.append(look.palette.text(f"  units: {units_line(units)}" if units else ""))
        year = tables.turns[state.turn - 1].year
        text.append("\n" + look.palette.text(power_name(tables, self.power)), look.key)
        text.append(f"  units of {STRENGTHS[self._strength]}")
        text.append("  not saved" if draft.is_changed else "", look.key)
        text.append(f"  {year}, turn {state.turn} of {state.last_turn}")
        text.append(f"  Tensions {state.tension}  Resentment {state.resentment}")
        self.query_one("#editor-here", PlainText).update(text)

    def action_problem(self) -> None:
        places = [place for problem in self.draft.problems() if (place := problem_place(self.draft.tables, problem))]
        if places:
            after = places.index(self.place) + 1 if self.place in places else 0
            self.query_one(WorldMap).centre_on(places[after % len(places)])

    @on(WorldMap.Selected)
    def _place_selected(self, event: WorldMap.Selected) -> None:
        event.stop()
        self._show_here()

    @on(WorldMap.Activated)
    def _activated(self, event: WorldMap.Activated) -> None:
        """List what can be placed here."""
        event.stop()
        choices = self._choices()
        title = f"{power_name(self.draft.tables, self.power)} in {place_name(self.draft.tables, self.place)}"
        self.app.ask(PickDialog(title, [words for words, _ in choices]), lambda row: choices[row][1]())

    def _choices(self) -> list[tuple[str, Callable[[], None]]]:
        """Return what the keys do in the place under the cursor, in words."""
        strength = STRENGTHS[self._strength]
        if self.place in self.draft.state.sea_zones:
            return [("Merchant Fleet: place or remove", self.action_merchants)]
        found: list[tuple[str, Callable[[], None]]] = []
        if self.place in self.draft.state.areas:
            found += [(name, partial(self.action_marker, n)) for n, (_, name) in enumerate(MARKERS)]
        found += [
            (f"Add an Army of strength {strength}", lambda: self.action_unit(ARMY)),
            (f"Add a Naval Unit of strength {strength}", lambda: self.action_unit(NAVAL)),
            ("Remove the last unit", self.action_remove),
        ]
        if self.place in self.draft.state.areas:
            found += [
                ("Unrest: begin or end", self.action_unrest),
                ("Codominion: begin or end", self.action_share),
                ("Canal: build or remove", self.action_canal),
            ]
        return found

    # --- pieces -----------------------------------------------------------------------------------------------------

    def action_power(self, step: int) -> None:
        self._at = (self._at + step) % len(self._powers)
        self._show_here()

    def action_strength(self) -> None:
        self._strength = (self._strength + 1) % len(STRENGTHS)
        self._show_here()

    def _in_area(self) -> bool:
        """Return whether the cursor is in an Area; otherwise say so."""
        if self.place in self.draft.state.areas:
            return True
        self.notify("Move the cursor to an Area first.", timeout=4)
        return False

    def action_marker(self, level: int) -> None:
        """Place a marker of the Power in the Area, or remove it."""
        if self._in_area():
            top = STATE if self.draft.tables.areas[self.place].upgrade == STATE else DOMINION
            marker = ("", INTEREST, INFLUENCE, PROTECTORATE, POSSESSION, top)[level]
            self.draft.set_marker(self.place, self.power, marker)
            self._show()

    def action_unit(self, kind: str) -> None:
        if self.place in self.draft.state.sea_zones:
            self.notify("Military Units are in Areas and Home Countries. m places a Merchant Fleet.", timeout=5)
            return
        if self.place in self.draft.state.areas or self.place.removeprefix("home:") in self.draft.state.homes:
            self.draft.add_unit(self.place, self.power, kind, STRENGTHS[self._strength])
            self._show()

    def action_remove(self) -> None:
        if self.draft.remove_unit(self.place, self.power):
            self._show()
        else:
            name = power_name(self.draft.tables, self.power)
            key = self.app.key_of("editor.power", "p")
            self.notify(f"{name} has no unit here. {key} changes the Power.", timeout=5)

    def action_merchants(self) -> None:
        if self.place in self.draft.state.sea_zones:
            self.draft.toggle_fleet(self.place, self.power)
            self._show()
        else:
            self.notify("Move the cursor to a Sea Zone first.", timeout=4)

    def action_unrest(self) -> None:
        if self._in_area():
            self.draft.toggle_unrest(self.place)
            self._show()

    def action_share(self) -> None:
        """Begin or end a Codominion."""
        if self._in_area():
            self.draft.share(self.place)
            self._show()

    def action_canal(self) -> None:
        if self._in_area():
            self.draft.toggle_canal(self.place)
            self._show()

    # --- figures and Treaties -----------------------------------------------------------------------------------------

    def action_figures(self) -> None:
        figures = self._figures()
        lines = [f"{title:<36} {value}" for title, value, _, _ in figures]
        self.app.ask(PickDialog("Figures", lines), lambda row: self._ask(*figures[row]))

    def _figures(self) -> list[tuple[str, str, int, Callable[[str], None]]]:
        """Return title, value, highest number (0 for words), and how to set each figure."""
        draft, power = self.draft, self.power
        state, scenario = draft.state, draft.scenario()
        name = power_name(draft.tables, power)
        figures: list[tuple[str, str, int, Callable[[str], None]]] = [
            ("Title", scenario.title, 0, lambda words: draft.set_words(title=words)),
            ("In one sentence", scenario.about, 0, lambda words: draft.set_words(about=words)),
            ("First Game Turn", str(state.turn), 10, lambda n: draft.set_turn(int(n))),
            ("Last Game Turn", str(state.last_turn), 10, lambda n: draft.set_option("last_turn", int(n))),
            ("European Tensions", str(state.tension), 99, lambda n: draft.set_indexes(tension=int(n))),
            ("Chinese Resentment", str(state.resentment), 500, lambda n: draft.set_indexes(resentment=int(n))),
        ]
        own = state.powers.get(power)
        if own is not None:
            figures += [
                (f"Treasury of {name}", str(own.treasury), MOST_MONEY, lambda n: draft.set_treasury(power, int(n))),
                (f"Merchant Fleets due to {name}", str(own.merchants_due), 9,
                 lambda n: draft.set_fleets_due(power, int(n))),
            ]  # fmt: skip
        if own is not None and power in state.players:
            points = str(own.victory_points)
            figures.append((f"Victory Points of {name}", points, 500, lambda n: draft.set_points(power, int(n))))
        return figures

    def _ask(self, title: str, value: str, most: int, change: Callable[[str], None]) -> None:
        """Ask for a value and set it."""

        def wrong(words: str) -> str:
            if not most:
                return "" if words.strip() else "Write some words."
            number = words.strip()
            fits = number.isascii() and number.isdecimal() and len(number) < 6 and int(number) <= most
            return "" if fits else f"Write a whole number from 0 to {most}."

        def done(words: str) -> None:
            try:
                change(words)
            except Refusal as refusal:
                self.notify(refusal.message, severity="warning", timeout=6)
            self._show()

        self.app.ask(InputDialog(title, value, wrong), done)

    def action_treaties(self) -> None:
        """List the Treaties; choose one to remove it, or add one."""
        tables, treaties = self.draft.tables, self.draft.state.treaties
        lines = [
            f"{treaty.name}: {powers_text(tables, treaty.parties)}; "
            + "; ".join(describe_clause(tables, clause) for clause in treaty.clauses)
            for treaty in treaties
        ]

        def chosen(row: int) -> None:
            if row == 0:
                self._add_treaty()
            else:
                self.draft.remove_treaty(row - 1)
                self._show()

        self.app.ask(PickDialog("Treaties: a chosen one is removed", ["Add a Treaty ...", *lines]), chosen)

    def _add_treaty(self) -> None:
        """Ask for a Treaty in the words of the notation."""

        def try_out(words: str) -> None:
            ScenarioDraft(self.draft.scenario()).add_treaty(words)

        def done(words: str) -> None:
            self.draft.add_treaty(words)
            self._show()

        title = "A Treaty: name, with all parties, and its articles"
        self.app.ask(InputDialog(title, "", refusal_of(try_out), TREATY_EXAMPLE), done)

    # --- files ------------------------------------------------------------------------------------------------------

    def action_save(self) -> None:
        def wrong(words: str) -> str:
            return "" if SCENARIO_NAME.fullmatch(words.strip()) else "Write 1 to 40 of a-z, 0-9, - and _."

        def done(words: str | None) -> None:
            if words is None:
                self._plays = False
            else:
                self._file_name = words
                self._save()

        self.app.push_screen(InputDialog("Name of the file, without .toml", self._file_name, wrong), done)

    def _save(self) -> None:
        try:
            path = self.draft.save(self._file_name)
        except (TableError, OSError) as error:
            self._plays = False
            self.notify(str(error), title="This scenario cannot be saved", severity="error", timeout=8)
            return
        if self._plays:
            self.dismiss(path.stem)
            return
        self.notify(f"Saved as {path}", timeout=6)
        self._show_here()

    def action_play(self) -> None:
        """Save, and begin a game."""
        self._plays = True
        if self.draft.is_changed:
            self.action_save()
        else:
            self._save()

    def action_leave(self) -> None:
        """Close the editor; ask first if something is not saved."""
        if self.draft.is_changed:
            dialog = ConfirmDialog("Leave the editor?", "Your changes are not saved.", "leave")
            self.app.ask(dialog, lambda _: self.dismiss(None))
        else:
            self.dismiss(None)


def problem_place(tables: Tables, problem: str) -> str:
    """Return the place that a problem of a position names; "" if it names none."""
    part, _, rest = problem.partition(": ")[0].partition(".")
    id_ = rest.partition(".")[0]
    if part == "homes":
        return f"home:{id_}" if id_ in tables.homes else ""
    known = tables.areas if part == "areas" else tables.sea_zones if part == "sea_zones" else {}
    return id_ if id_ in known else ""


def problem_text(tables: Tables, problem: str) -> str:
    """Return a problem of a position with the name of its place instead of its keys."""
    place = problem_place(tables, problem)
    return f"{place_name(tables, place)}: {problem.partition(': ')[2]}" if place else problem.removeprefix("position: ")
