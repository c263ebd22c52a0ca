"""The screen of an exercise: map, log, record sheet and legal acts; handover between local players.

During secret orders a privacy screen separates the players. Otherwise the settings choose how the next player is
announced: by a card, or in the line above the map. Keys typed before the announcement is readable are discarded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.events import MouseEvent, Resize
from textual.widgets.option_list import Option

from paxtui.engine.game import Undo
from paxtui.engine.refusal import Refusal
from paxtui.games.empires.calendar import points_by_side
from paxtui.games.empires.narration import (
    describe_question,
    piece_lines,
    position_heading,
    posting_lines,
    record_lines,
    unpublished_number_lines,
    winners_text,
)
from paxtui.games.empires.reports import (
    area_lines,
    area_title,
    battle_board,
    calendar_lines,
    chit_chart_lines,
    leader_lines,
    narrow_battle_board,
    supply_bill_text,
    supply_prices,
    victory_lines,
    victory_summary,
)
from paxtui.session.exercise_menus import (
    MenuEntry,
    march_entries,
    march_stacks,
    reachable_areas,
    stack_orders,
    stack_text,
)
from paxtui.session.exercise_session import ExerciseSession
from paxtui.tui.base.dialogs import ConfirmDialog, FilterDialog, InputDialog, TextDialog
from paxtui.tui.base.screen import (
    BaseScreen,
    ChoiceList,
    KeyHints,
    KeyRows,
    TextPanel,
    next_in_circle,
    set_border_title,
)
from paxtui.tui.dialogs.seats import PrivacyScreen, SeatCard
from paxtui.tui.exercise.chart import draw_chart, neighbour
from paxtui.tui.exercise.keys import AreaKeys, ExerciseKeys
from paxtui.tui.exercise.painted_map import LEGEND, SUPPLY_LEGEND, divide_legend, draw_painted_map
from paxtui.tui.map.world_map import WheelMixin

CARD, LINE = "card", "line"
"""Default announcement of the next seat, if nothing is secret."""


MAP_CREDIT = (
    "An exercise on a map drawn by us: it shows procedures from the public text of Empires in Arms, not its campaign."
)
CAMPAIGN_CREDIT = (
    "A campaign on a map drawn by us from free data. What the public text of Empires in Arms lacks is reconstructed."
)
NARROW = 110
"""Columns below which the map is above the acts, and the record sheet opens on a key."""
LEAST_BOARD = 10
"""Rows of the battle board on a narrow screen before it is laid out."""
FEW_KEYS = (
    "↓ Enter choose · {exercise.filter} filter · {exercise.area} areas · {exercise.find} find · {exercise.done} done · "
    "{exercise.order} order · {exercise.undo} undo · {exercise.victory} victory · {exercise.battles} battles · "
    "{exercise.record} record · {exercise.map} map · {exercise.leave} leave"
)
"""Keys shown on a narrow screen."""
KEYS = (
    "↓ Enter choose · {exercise.filter} filter · {exercise.area} areas · {exercise.find} find area · "
    "{exercise.done} done · {exercise.order} order · {exercise.undo} undo · {exercise.victory} victory · "
    "{exercise.battles} battles · {exercise.leaders} leaders · {exercise.record} record · "
    "{exercise.pieces} pieces · {exercise.log} log · {exercise.map} map · "
    "{exercise.back} {exercise.on} scrub · {exercise.present} present · {exercise.numbers} our numbers · "
    "{exercise.leave} leave"
)
"""Keys shown on a wide screen."""
CAMPAIGN_KEYS = (
    "{exercise.stack} march on the map · {exercise.supply} supply · {exercise.calendar} calendar · "
    "{exercise.chits} chits · "
)
"""Keys of a campaign, before the others."""
DONE = "done"
MOVEMENT = ("land", "movement")
"""The step in which corps march."""
ARMY = ("reinforcement", "army")
"""The step in which reinforcements are placed."""
SUPPLY = ("land", "supply")
"""The step in which supply is paid."""


TASKS = {
    ARMY: "places reinforcements, then {exercise.done} goes on to the depots.",
    ("land", "depots"): "places depots: {exercise.supply} shows supply, {exercise.done} goes on to the marches.",
    MOVEMENT: "marches: {exercise.stack} chooses a stack, {exercise.done} ends them.",
    SUPPLY: "chooses who forages; {exercise.done} pays the rest.",
    ("land", "combat"): "chooses a chit in secret: {exercise.chits} shows the chart.",
}
"""What a Power does in a step of a campaign."""
NOTHING_DUE = "has nothing to place: {exercise.done} goes on to the depots."
TO_ACT = "is to act."


class ExerciseMap(WheelMixin, TextPanel):
    """The map, with a cursor on an area while it has focus."""

    BINDINGS = AreaKeys.BINDINGS
    can_focus = True

    def on_resize(self, event: Resize) -> None:
        if isinstance(self.screen, ExerciseScreen):
            self.screen.show()

    def turn_wheel(self, event: MouseEvent, direction: int, is_sideways: bool) -> None:
        """Scroll a map that is larger than the screen."""
        if isinstance(self.screen, ExerciseScreen):
            columns, rows = int(self.app.scroll_sensitivity_x), int(self.app.scroll_sensitivity_y)
            self.screen.scroll_map(*((columns * direction, 0) if is_sideways else (0, rows * direction)))


class ExerciseScreen(BaseScreen[None]):
    """An exercise."""

    BINDINGS = ExerciseKeys.BINDINGS
    TOPIC = "exercise"

    def __init__(self, session: ExerciseSession) -> None:
        super().__init__()
        self.session = session
        self.greets = False
        self._shown_seat = ""
        self._menu: tuple[MenuEntry, ...] = ()
        self.chosen_area = ""
        """The area under the cursor, "" while the acts have the keyboard."""
        self._last_area = ""
        self.chosen_stack: tuple[str, ...] = ()
        """The corps whose march is chosen on the map."""
        self.shows_supply = False
        self._scrolled = 0, 0
        """Columns and rows by which the wheel has scrolled the map."""
        self._acted = self.session.version
        """The last line before the last act at this keyboard."""
        self._battle = ""
        """The area of the field combat that was shown last."""

    def compose(self) -> ComposeResult:
        yield TextPanel(id="exercise-head")
        with Horizontal(id="exercise-middle"):
            with Vertical(id="exercise-left"):
                yield ExerciseMap(id="exercise-map")
                yield TextPanel(id="exercise-log")
            with Vertical(id="exercise-right"):
                yield TextPanel(id="exercise-record")
                yield ChoiceList(id="exercise-acts")
        yield KeyHints("", id="exercise-keys")

    def on_mount(self) -> None:
        super().on_mount()
        self._widen()
        for id_, title in (("map", "Map drawn by us"), ("log", "Log"), ("record", "Record sheet"), ("acts", "Acts")):
            set_border_title(self.query_one(f"#exercise-{id_}"), title)
        self.set_focus(self.query_one(ChoiceList))
        self._stop_listening = self.session.listen(self._report_change)
        self.call_after_refresh(self.greet_player)

    def on_unmount(self) -> None:
        self._stop_listening()

    def _report_change(self) -> None:
        if self.is_open:
            self.show()

    def on_resize(self, event: Resize) -> None:
        """Fit the map to the screen; a narrow screen hides the record sheet."""
        self._widen()
        self.call_after_refresh(self.show)

    def _widen(self) -> None:
        self.set_class(self._is_narrow, "narrow")
        self.set_class(self._is_campaign, "campaign")
        campaign = CAMPAIGN_KEYS if self._is_campaign else ""
        keys = self.format_keys(campaign + (FEW_KEYS if self._is_narrow else KEYS))
        self.query_one("#exercise-keys", KeyHints).update(KeyRows(f"{keys} · {self.app.key_of('app.help', 'f1')} help"))

    @property
    def _is_narrow(self) -> bool:
        return self.app.size.width < NARROW

    @property
    def _is_campaign(self) -> bool:
        return bool(self.session.tables.exercise.drawing)

    def restyle(self) -> None:
        for panel in self.query(TextPanel):
            panel.forget()
        self.show()

    def greet_player(self) -> None:
        """Announce the next player, with nothing selected."""
        if self.pass_on():
            self._close_card()
        self._menu = ()
        self.show()

    def pass_on(self) -> bool:
        """Announce the current seat if it changed. Returns: whether it changed."""
        session = self.session
        before, self._shown_seat = self._shown_seat, session.seat
        self.greets = False
        if before == self._shown_seat or self._shown_seat not in session.persons or len(session.persons) < 2:
            return before != self._shown_seat
        name = session.tables.name(self._shown_seat)
        if before:
            self.app.clear_notifications()
        if session.has_secrets_here:
            self.app.push_screen(PrivacyScreen(name, f"{self._step()}: {self.waits()}"))
        elif before and self.app.settings.handover == CARD:
            self.app.push_screen(SeatCard(name, self._step(), (self.waits(),)))
        elif before:
            self.greets = self.app.settings.handover == LINE
            self.app.expect_frame()
        return True

    def waits(self) -> str:
        """Return a public sentence about the pending task of the current seat."""
        if notice := self.session.begin_notice():
            return notice
        state, tables, waiting = self.session.state, self.session.tables, self.session.waiting
        if self.session.seat not in waiting:
            return f"Waiting for {', '.join(map(tables.name, waiting))}."
        name = tables.name(self.session.seat)
        if state.questions:
            return f"{name} is asked {describe_question(tables, state.questions[-1])}."
        step = (state.cursor.phase, state.cursor.step)
        task = TASKS.get(step, TO_ACT) if self._is_campaign else TO_ACT
        if task == TASKS[ARMY] and not any(one.power == self.session.seat for one in state.campaign.due):
            task = NOTHING_DUE
        return self.format_keys(f"{name} {task}")

    def _step(self) -> str:
        cursor = self.session.state.cursor
        return f"{cursor.phase.capitalize()} phase, {cursor.step.replace('_', ' ')}"

    def show(self) -> None:
        """Show the selected moment."""
        session, look = self.session, self.look
        heading = position_heading(session.tables, session.state, short=self._is_narrow)
        head = look.text((heading, "bold"), "\n")
        head.no_wrap, head.overflow = True, "ellipsis"
        head.append(look.palette.text(self._prompt()), f"{look.key} reverse" if self.greets else look.key)
        self.query_one("#exercise-head", TextPanel).show(head)
        self._show_map()
        self._show_log()
        self._show_record()
        self._fill()
        self._report_battle()

    def _show_map(self) -> None:
        state, tables, seat, look = self.session.state, self.session.tables, self.session.seat, self.look
        panel = self.query_one("#exercise-map", TextPanel)
        room = panel.content_size
        if room.width <= 20 or room.height <= 3:
            return
        if self._is_campaign:
            stack = self.chosen_stack
            reached = reachable_areas(tables, state, stack) if state.corps.keys() >= {*stack} else {}
            if self.shows_supply and not reached and seat in state.powers:
                reached = supply_prices(tables, state, seat)
            chart, left_out = draw_painted_map(
                tables, state, seat, look, room.width, room.height, self.chosen_area, reached, self.shows_supply,
                self._scrolled,
            )  # fmt: skip
            signs = SUPPLY_LEGEND if self.shows_supply else LEGEND
            legend = [*(self._stack_legend() or map(look.palette.text, signs))]
        else:
            chart, left_out = draw_chart(tables, state, seat, look, room.width, room.height, self.chosen_area)
            legend = ["Map drawn by us"]
        panel.show(chart)
        key = self.app.key_of("exercise.pieces", "p")
        legend += [f"{left_out} not shown: {key} lists all"] if left_out else []
        set_border_title(panel, *divide_legend(legend, room.width - 4))

    def scroll_map(self, columns: int, rows: int) -> None:
        """Scroll the map of a campaign; at its edge nothing happens."""
        panel, before = self.query_one("#exercise-map", TextPanel), self._scrolled
        drawn = panel.text
        self._scrolled = before[0] + columns, before[1] + rows
        self._show_map()
        if panel.text == drawn:
            self._scrolled = before

    def _show_log(self) -> None:
        """Show the last lines of the log. A narrow screen has no room for it: its last line stands above the acts."""
        palette, panel = self.look.palette, self.query_one("#exercise-log", TextPanel)
        lines = [*self.session.log()]
        height = max(1, panel.content_size.height)
        news = self._count_news(lines)
        unread = f"{news} new lines, {self.app.key_of('exercise.log', 'l')} reads them"
        set_border_title(panel, f"Log: {unread}" if news > height else "Log")
        if self._is_campaign:
            title = palette.text(lines[-1][1]) if self._is_narrow and lines else "Acts"
            set_border_title(self.query_one("#exercise-acts"), title, unread if self._is_narrow and news > 1 else "")
        width = max(20, panel.content_size.width)
        rows = [row for _, line in lines[-height:] for row in wrap(palette.text(line), width, subsequent_indent="  ")]
        panel.show(Text("\n".join(rows[-height:])))

    def _show_record(self) -> None:
        """Show the card of the selected area, else the battle board or the record sheet."""
        board = [*self._battle_board()] if self._is_campaign else []
        battling = bool(board) and not self.chosen_area
        if battling != self.has_class("battling"):
            self.set_class(battling, "battling")
            self.call_after_refresh(self.show)  # the room has changed
        panel, session = self.query_one("#exercise-record", TextPanel), self.session
        if self.chosen_area:
            set_border_title(panel, "Area (Space: whole card)")
            card = [*area_lines(session.tables, session.state, session.seat, self.chosen_area)]
        else:
            set_border_title(panel, "Battle board" if board else "Record sheet")
            card = board or self._sheet()
        panel.show(self.look.text("\n".join(card)))

    def _battle_board(self) -> Iterator[str]:
        """Yield the field combat in progress; on a narrow screen its sides stand beside one another."""
        tables, state = self.session.tables, self.session.state
        room = self.query_one("#exercise-record", TextPanel).content_size
        if self._is_narrow:
            return narrow_battle_board(tables, state, self.app.size.width - 2, room.height or LEAST_BOARD)
        return battle_board(tables, state)

    def _report_battle(self) -> None:
        """Show the report of a field combat that has just ended."""
        session = self.session
        if session.replay or session.at is not None:
            return
        battle = session.state.campaign.battle
        before, self._battle = self._battle, battle.area if battle else ""
        if before and before != self._battle:
            over = next((page for page in session.battles() if page[-1].startswith("Result: ")), None)
            if over is not None:
                self._read(over[0], over[1:])

    def _stack_legend(self) -> tuple[str, ...]:
        """Return what to do with the chosen corps; nothing if none is chosen."""
        if not self.chosen_stack:
            return ()
        how = f"{self._stack_name()}: arrows to an area, Enter marches, Esc cancels"
        return how, "(4): points, f: force march"

    def _stack_name(self) -> str:
        names = [self.session.tables.corps_names.get(one, one) for one in self.chosen_stack]
        return names[0] if len(names) == 1 else f"{len(names)} corps"

    def _prompt(self) -> str:
        """Return the current step, the selected moment, or the result."""
        session = self.session
        if session.at is not None:
            return f"Line {session.at} of {session.version} (past)."
        state = session.state
        if state.result is not None:
            points = sorted(points_by_side(session.tables, state).values(), reverse=True)
            won = f"{winners_text(session.tables, state.result.winners)}, {' to '.join(map(str, points))}"
            return f"Over. {won}. {state.result.reason}"
        bill = f" {supply_bill_text(session.tables, state, session.seat)}" if self._acts_in(MOVEMENT, SUPPLY) else ""
        return f"{self.waits()}{bill}"

    def _acts_in(self, *steps: tuple[str, str]) -> bool:
        """Return whether the seat is to act in one of these steps of a campaign, and the present is shown."""
        session, state = self.session, self.session.state
        seated = session.seat in state.powers and session.seat in session.waiting and not state.questions
        return self._is_campaign and seated and (state.cursor.phase, state.cursor.step) in steps and session.at is None

    def _sheet(self) -> list[str]:
        state, tables = self.session.state, self.session.tables
        changes = [*posting_lines(tables, state)]
        points = ["", "Political points, latest changes:", *changes] if changes else []
        victory = victory_summary(tables, state) if self._is_campaign else victory_lines(tables, state)
        return [*record_lines(tables, state), *points, "", "Victory:", *victory]

    def _fill(self) -> None:
        """List the legal acts. None is highlighted: a stray key gives no order and reveals no earlier choice."""
        rows = self.query_one(ChoiceList)
        menu = self.session.menu
        if menu == self._menu and rows.option_count == len(menu):
            return
        self._menu = menu
        texts = (f"{entry.label} ›" if entry.goals else entry.label for entry in menu)
        rows.refill((Option(self.look.palette.text(text)) for text in texts), None)

    # --- acting ---------------------------------------------------------------------------------------------------

    @on(ChoiceList.OptionSelected)
    def _chosen(self, event: ChoiceList.OptionSelected) -> None:
        if event.option_index >= len(self._menu):
            return
        entry = self._menu[event.option_index]
        if entry.goals:
            self._choose(entry.label, entry.goals)
        else:
            self._act(entry.order)

    def _choose(self, title: str, entries: tuple[MenuEntry, ...]) -> None:
        self.app.ask(FilterDialog(title, [entry.label for entry in entries]), lambda at: self._act(entries[at].order))

    def _entries(self) -> tuple[MenuEntry, ...]:
        """Return every act as an entry, those of groups with their order as label."""
        acts = (goal for entry in self._menu for goal in (entry.goals or (entry,)))
        return tuple(MenuEntry(label=act.full_label or act.label, order=act.order) for act in acts)

    def action_filter(self) -> None:
        if self._menu:
            self._choose("Acts", self._entries())

    def action_acts_here(self) -> None:
        """Choose from the acts that name the selected area, or a piece in it."""
        if not self.chosen_area:
            self.action_area(1)
        if self.chosen_stack:
            self._march_here()
            return
        state, area = self.session.state, self.chosen_area
        here = {one.id for one in state.corps.values() if one.where == area}
        here |= {one.id for one in state.fleets.values() if one.where == area}

        def is_about(order: str) -> bool:
            words = [word.split(",") for word in order.split()]
            ends = {word[-1] for word in words} & {area, f"off_{area}"}
            return bool(ends) or any(not here.isdisjoint(word) for word in words)

        found = tuple(one for one in self._entries() if is_about(one.order))
        name = self.session.tables.name(area)
        if found:
            self._choose(f"Acts at {name}", found)
        else:
            self.notify(f"You have no act in {name} now.")

    def action_stack(self) -> None:
        """Choose an own corps; the map then shows the areas that it can reach."""
        session, cursor = self.session, self.session.state.cursor
        state, seat = session.state, session.seat
        if (cursor.phase, cursor.step) != MOVEMENT or seat not in session.waiting:
            self.notify("Corps march in the movement step of your Power.")
            return
        stacks = march_stacks(state, seat, self.chosen_area) or march_stacks(state, seat)
        if not stacks:
            self.notify("No corps has movement points left.")
            return

        def done(at: int) -> None:
            self.chosen_stack = stacks[at]
            self.set_class(self._is_narrow, "marching")
            self._show_card(state.corps[stacks[at][0]].where)

        if len(stacks) == 1:
            done(0)
        else:
            lines = [stack_text(session.tables, state, one) for one in stacks]
            self.app.ask(FilterDialog("March with", lines), done)

    def _end_stack(self) -> None:
        """Choose no corps any more; a narrow screen shows everything beside the map again."""
        self.chosen_stack = ()
        self.remove_class("marching")

    def _march_here(self) -> None:
        """Choose a way of the chosen corps to the selected area."""
        session, stack, area = self.session, self.chosen_stack, self.chosen_area
        ways = march_entries(session.tables, session.state, session.seat, stack, area)
        name = session.tables.name(area)
        if not ways:
            self.notify(f"{self._stack_name()} cannot reach {name} now.")
            return

        def done(at: int) -> None:
            self._act(*stack_orders(stack, ways[at].order))

        self._end_stack()
        if len(ways) == 1:
            done(0)
        else:
            self.app.ask(FilterDialog(f"Way to {name}", [entry.label for entry in ways]), done)

    def _do(self, order: str | Undo, *others: str) -> None:
        """Execute orders one after the other, or show why one is refused. While a server answers, they are ignored."""

        def done(failure: Exception | None) -> None:
            if failure is None and others:
                self._do(*others)
            else:
                self._done(failure)

        if not self.session.is_answer_pending:
            self._acted = self.session.version
            self.session.submit(order, done)

    def _done(self, failure: Exception | None) -> None:
        if isinstance(failure, Refusal):
            sections = ", ".join(failure.rules)
            self.notify(f"{failure.message} {f'({sections})' if sections else ''}", severity="warning", timeout=6)
        elif isinstance(failure, OSError):
            text = self.session.describe_failure(failure)
            self.notify(text, title="The order was not carried out", severity="error", timeout=10)
        elif self.session.state.campaign.battle is not None and self.chosen_area:
            self._close_card()  # the battle board takes its place
        self.greet_player()

    def action_order(self) -> None:
        def done(text: str) -> None:
            if text:
                self._act(text)

        firsts = [(entry.goals or (entry,))[0].order for entry in self._menu]
        hint = f"For example: {'; '.join(firsts[:3])}" if firsts else ""
        self.app.ask(InputDialog("Order", hint=hint), done)

    def action_done(self) -> None:
        self._act(DONE)

    def _act(self, *orders: str) -> None:
        """Execute orders; ask first if they give something up or risk much."""
        warning = self.session.warning(*orders)
        if warning is None:
            self._do(*orders)
        else:
            dialog = ConfirmDialog(warning.question, "\n".join(warning.lines), warning.yes)
            self.app.ask(dialog, lambda _: self._do(*orders))

    def action_undo(self) -> None:
        self._do(Undo())

    # --- areas ----------------------------------------------------------------------------------------------------

    def action_area(self, step: int) -> None:
        """Select the next area, initially the last selected one."""
        ids = [area.id for area in self.session.tables.exercise.areas]
        if self.chosen_area:
            self._show_card(next_in_circle(ids, self.chosen_area, step))
        else:
            self._show_card(self._last_area or self._own_area() or ids[0])

    def _own_area(self) -> str:
        """Return an area with a counter or a fleet of the seat, "" if there is none."""
        state, seat = self.session.state, self.session.seat
        places = [one.where for one in state.corps.values() if one.power == seat and one.where]
        places += [one.where for one in state.fleets.values() if one.power == seat]
        return next(iter(places), "")

    def action_point(self, direction: str) -> None:
        if self.chosen_area:
            self._show_card(neighbour(self.session.tables, self.chosen_area, direction))
        else:
            self.action_area(1)

    def action_find(self) -> None:
        tables = self.session.tables
        areas = sorted(tables.exercise.areas, key=lambda area: tables.name(area.id))
        lines = [area_title(tables, area.id) for area in areas]
        dialog = FilterDialog("Find an area", lines, "name of an area or a city")
        self.app.ask(dialog, lambda at: self._show_card(areas[at].id))

    def _show_card(self, area: str) -> None:
        """Show the card of an area, and focus the map."""
        self._scrolled = 0, 0
        self.chosen_area = self._last_area = area
        self.add_class("pointing")
        self.set_focus(self.query_one(ExerciseMap))
        self.show()
        self.call_after_refresh(self.show)

    def action_whole_card(self) -> None:
        if not self.chosen_area:
            self.action_area(1)  # the map has been clicked
        session = self.session
        self._read("Area", area_lines(session.tables, session.state, session.seat, self.chosen_area))

    def _close_card(self) -> None:
        self.chosen_area = ""
        self.remove_class("pointing")
        self.set_focus(self.query_one(ChoiceList))

    def action_acts(self) -> None:
        """Close the area card; without one, show everything beside the map again."""
        if self.chosen_stack:
            self._end_stack()
        elif self.chosen_area:
            self._close_card()
        else:
            self.remove_class("map-alone")
        self.show()
        self.call_after_refresh(self._show_again)

    # --- looking --------------------------------------------------------------------------------------------------

    def action_step(self, lines: int) -> None:
        session = self.session
        session.look_at((session.at or session.version) + lines)
        self.show()

    def action_present(self) -> None:
        self.session.look_at(None)
        self.show()

    def action_log(self) -> None:
        lines = [*self.session.log()]
        text = "\n".join(f"{n:>4} {line}" for n, line in lines)
        first_new = len(lines) - self._count_news(lines)
        dialog = TextDialog("Log", self.look.palette.text(text) or "Nothing has happened yet.", first_new)
        self.app.push_screen(dialog)

    def _count_news(self, lines: Sequence[tuple[int, str]]) -> int:
        """Return the number of lines since the last act at this keyboard."""
        return sum(n > self._acted for n, _ in lines)

    def action_pieces(self) -> None:
        self._read("Pieces", piece_lines(self.session.tables, self.session.state))

    def action_record(self) -> None:
        """Show the record sheet, which a narrow screen hides."""
        self._read("Record sheet", self._sheet())

    def action_victory(self) -> None:
        """Show how the exercise is won, who leads, and which points are still open."""
        self._read("Victory", victory_lines(self.session.tables, self.session.state))

    def action_calendar(self) -> None:
        """Show what each month brings, and the sieges."""
        self._read("Calendar", calendar_lines(self.session.tables, self.session.state))

    def action_chits(self) -> None:
        self._read("Chits: tables of attacker / defender in rounds 1 to 3", chit_chart_lines(self.session.tables))

    def action_supply(self) -> None:
        self.shows_supply = self._is_campaign and not self.shows_supply
        self.show()

    def action_leaders(self) -> None:
        self._read("Leaders", leader_lines(self.session.tables, self.session.state))

    def action_battles(self) -> None:
        """Show reports of all battles so far, the last one first."""
        pages = self.session.battles()
        lines = [line for page in pages for line in (*page, "")]
        self._read(f"Battles: {len(pages)}, the latest first" if pages else "Battles", lines)

    def _read(self, title: str, lines: Iterable[str]) -> None:
        text = "\n".join(lines)
        self.app.push_screen(TextDialog(title, self.look.palette.text(text) or "None so far."))

    def action_map(self) -> None:
        self.toggle_class("map-alone")
        self.call_after_refresh(self._show_again)

    def _show_again(self) -> None:
        """Show the moment in the new layout; the acts, if they are shown again, get the keyboard back."""
        self.show()
        if not self.has_class("map-alone") and not self.chosen_area:
            self.set_focus(self.query_one(ChoiceList))

    def action_numbers(self) -> None:
        exercise = self.session.tables.exercise
        credit, about = CAMPAIGN_CREDIT if self._is_campaign else MAP_CREDIT, " ".join(exercise.about.split())
        self._read(exercise.title, (credit, "", about, "", *unpublished_number_lines(self.session.tables)))

    def action_leave(self) -> None:
        """Leave after a confirmation. All acts are already saved."""

        def leave(_: bool = True) -> None:
            self.session.close()
            self.dismiss(None)

        if self.session.replay:
            leave()
        else:
            self.app.ask(ConfirmDialog("Leave the exercise?", self.session.leave_hint, "leave"), leave)
