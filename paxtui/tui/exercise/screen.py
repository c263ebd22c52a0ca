"""The screen of an exercise: map and log, beside them the record sheet and what may be done."""

from __future__ import annotations

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.events import Resize
from textual.widgets.option_list import Option

from paxtui.empires.narration.summary import heading, ours, pieces, postings, record
from paxtui.empires.orders.actions import FORMS
from paxtui.engine.refusal import Refusal
from paxtui.table.exercises.sitting import Sitting
from paxtui.tui.boxes.ask import AskScreen
from paxtui.tui.boxes.texts import TextScreen
from paxtui.tui.exercise.chart import drawn
from paxtui.tui.exercise.handover import HandOver
from paxtui.tui.exercise.keys import ExerciseKeys
from paxtui.tui.stage.prose import Keys, Panel, Rows, entitle

DRAWN_BY_US = "An exercise on a map drawn by us: procedures of the public text of Empires in Arms, not its campaign."
NARROW = 110
"""Columns below which the map stands above the acts, and the record sheet behind a key."""
LINES = 60
"""Lines of the log that its pane holds."""


class ExerciseScreen(ExerciseKeys, HandOver):
    """An exercise.

    Args: it, as it is played at this keyboard.
    """

    TOPIC = "exercise"

    def __init__(self, sitting: Sitting) -> None:
        super().__init__(sitting)
        self._acts: tuple[str, ...] = ()

    def compose(self) -> ComposeResult:
        """Map and log to the left; the record sheet and the acts to the right."""
        yield Panel(id="exercise-head")
        with Horizontal(id="exercise-middle"):
            with Vertical(id="exercise-left"):
                yield Panel(id="exercise-map")
                yield Panel(id="exercise-log")
            with Vertical(id="exercise-right"):
                yield Panel(id="exercise-record")
                yield Rows(id="exercise-acts")
        told = (
            "↓ and Enter do it · {exercise.done} done · {exercise.order} order · {exercise.undo} undo · "
            "{exercise.back} {exercise.on} scrub · {exercise.present} present · {exercise.log} log · "
            "{exercise.pieces} pieces · {exercise.record} record · {exercise.map} map · "
            "{exercise.numbers} our numbers · {exercise.leave} leave"
        )
        yield Keys(self.keyed(told), id="exercise-keys")

    def on_mount(self) -> None:
        """Show the present."""
        super().on_mount()
        self._widen()
        for id_, title in (("map", "Map drawn by us"), ("log", "Log"), ("record", "Record sheet"), ("acts", "Acts")):
            entitle(self.query_one(f"#exercise-{id_}"), title)
        self.set_focus(self.query_one(Rows))
        self.call_after_refresh(self.seated)

    def on_resize(self, event: Resize) -> None:
        """The map takes the room there is: all of the width on a narrow screen, without the record sheet."""
        self._widen()
        self.call_after_refresh(self.show)

    def _widen(self) -> None:
        """Put the panes where they have room."""
        self.set_class(self.app.size.width < NARROW, "narrow")

    def restyle(self) -> None:
        """The settings have changed."""
        for panel in self.query(Panel):
            panel.forget()
        self.show()

    def seated(self) -> None:
        """Something has been done: whoever is to act sits down, with nothing chosen for him."""
        self.pass_on()
        self._acts = ()
        self.show()

    def show(self) -> None:
        """Show the moment that is looked at."""
        sitting, look = self.sitting, self.look
        state, tables, seat = sitting.state, sitting.tables, sitting.seat
        told = heading(tables, state, short=self.app.size.width < NARROW)
        head = look.text((told, "bold"), "\n")
        head.no_wrap, head.overflow = True, "ellipsis"
        head.append(look.palette.text(self._prompt()), f"{look.key} reverse" if self.greets else look.key)
        self.query_one("#exercise-head", Panel).show(head)
        room = self.query_one("#exercise-map", Panel).content_size
        if room.width > 20 and room.height > 5:
            chart, left_out = drawn(tables, state, seat, look, room.width, room.height)
            self.query_one("#exercise-map", Panel).show(chart)
            key = self.app.key_of("exercise.pieces", "p")
            told = f" ({left_out} without room: {key} lists all)" if left_out else ""
            entitle(self.query_one("#exercise-map"), f"Map drawn by us{told}")
        lines = [text for _, text in sitting.log()][-LINES:]
        height = max(1, self.query_one("#exercise-log", Panel).content_size.height)
        log = Text("\n".join(look.palette.text(line) for line in lines[-height:]), no_wrap=True, overflow="ellipsis")
        self.query_one("#exercise-log", Panel).show(log)
        self.query_one("#exercise-record", Panel).show(look.text("\n".join(self._sheet())))
        self._fill()

    def _prompt(self) -> str:
        """Whose step it is, or which moment is looked at, or how it ended."""
        sitting = self.sitting
        if sitting.at is not None:
            return f"Line {sitting.at} of {sitting.version}: the past."
        state = sitting.state
        if state.result is not None:
            return f"Over. Won by {', '.join(map(sitting.tables.name, state.result.winners))}. {state.result.reason}"
        return self.waits()

    def _sheet(self) -> list[str]:
        """The record sheet, in lines."""
        state, tables = self.sitting.state, self.sitting.tables
        return [*record(tables, state), "", "Political points, the last changes:", *postings(tables, state)]

    def _fill(self) -> None:
        """What may be done. Nothing is chosen: a key too many sails no fleet, and shows no choice of the last seat."""
        rows = self.query_one(Rows)
        acts = self.sitting.acts
        if acts == self._acts:
            return
        self._acts = acts
        rows.clear_options()
        for act in acts:
            rows.add_option(Option(self.look.palette.text(act)))

    # --- acting ---------------------------------------------------------------------------------------------------

    @on(Rows.OptionSelected)
    def _chosen(self, event: Rows.OptionSelected) -> None:
        if event.option_index < len(self._acts):
            self._do(self._acts[event.option_index])

    def _do(self, text: str) -> None:
        """Do what an order says, or say why not."""
        try:
            self.sitting.act(text)
        except Refusal as refusal:
            sections = ", ".join(refusal.rules)
            self.notify(f"{refusal.message} {f'({sections})' if sections else ''}", severity="warning", timeout=6)
        except OSError as error:
            self.notify(str(error), title="The game could not be written", severity="error", timeout=10)
        self.seated()

    def action_order(self) -> None:
        """Type an order."""

        def done(text: str | None) -> None:
            if text:
                self._do(text)

        hint = "; ".join(FORMS[kind] for kind in list(FORMS)[:3])
        self.app.push_screen(AskScreen("Order", hint=hint), done)

    def action_done(self) -> None:
        """Be done with the step."""
        self._do("done")

    def action_undo(self) -> None:
        """Take back the last act of a person."""
        try:
            self.sitting.undo()
        except Refusal as refusal:
            self.notify(refusal.message, severity="warning", timeout=6)
        self.seated()

    # --- looking --------------------------------------------------------------------------------------------------

    def action_step(self, lines: int) -> None:
        """Look at a line before or after."""
        sitting = self.sitting
        sitting.look_at((sitting.at or sitting.version) + lines)
        self.show()

    def action_present(self) -> None:
        """Return to the present."""
        self.sitting.look_at(None)
        self.show()

    def action_log(self) -> None:
        """The whole log."""
        text = "\n".join(f"{n:>4} {said}" for n, said in self.sitting.log())
        self.app.push_screen(TextScreen("Log", self.look.palette.text(text) or "Nothing has happened yet."))

    def action_pieces(self) -> None:
        """What stands where."""
        text = "\n".join(pieces(self.sitting.tables, self.sitting.state))
        self.app.push_screen(TextScreen("Pieces", self.look.palette.text(text)))

    def action_record(self) -> None:
        """The record sheet, which has no place on a narrow screen."""
        self.app.push_screen(TextScreen("Record sheet", self.look.palette.text("\n".join(self._sheet()))))

    def action_map(self) -> None:
        """The map alone, or everything beside it again."""
        self.toggle_class("map-alone")
        self.call_after_refresh(self.show)

    def action_numbers(self) -> None:
        """The numbers that nobody published."""
        exercise = self.sitting.tables.exercise
        text = "\n".join((DRAWN_BY_US, "", " ".join(exercise.about.split()), "", *ours(self.sitting.tables)))
        self.app.push_screen(TextScreen(exercise.title, self.look.palette.text(text)))

    def action_leave(self) -> None:
        """Leave; every act is in the file."""
        self.sitting.close()
        self.dismiss(None)
