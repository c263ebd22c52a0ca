"""The hall of a Congress of Europe: delegates, papers, and the question that waits for the seat at the keyboard."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.events import ScreenResume
from textual.screen import ModalScreen
from textual.widgets import Static

from paxtui.pax.congress.ballots import INTENTIONS
from paxtui.pax.congress.sitting import step_of
from paxtui.pax.play.choices import default_of, options_of
from paxtui.pax.state.congress import PROPOSE
from paxtui.pax.state.questions import CongressQuestion, Pending
from paxtui.pax.state.treaty import CONGRESS
from paxtui.pax.words.spoken import power_name
from paxtui.table.session import Session
from paxtui.tui.diplomacy.congress_text import STEPS, delegates, papers
from paxtui.tui.player.look import Look
from paxtui.tui.stage.pick import PickScreen

VOTES = {"y": "yes", "n": "no", "a": "abstain"}


class CongressScreen(ModalScreen[None]):
    """A Congress in session.

    Args:
        session: the open game; its seat speaks and votes.
        look: colours.
        act: gives an order of the notation; whether it was accepted.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "close", "Close", id="congress.close", tooltip="Back to the map"),
        Binding("enter,c", "answer", "Answer", id="congress.answer", tooltip="Answer the question that waits for you"),
        Binding("p", "propose", "Propose", id="congress.propose", tooltip="Put a Treaty before the Congress"),
        Binding("y", "vote('yes')", "Yes", id="congress.yes", tooltip="Vote yes, and say whether you would sign"),
        Binding("n", "vote('no')", "No", id="congress.no", tooltip="Vote no, and say whether you would sign"),
        Binding(
            "a", "vote('abstain')", "Abstain", id="congress.abstain", tooltip="Abstain, and say whether you would sign"
        ),
        Binding("s", "seat", "Next seat", id="congress.seat", tooltip="The next delegate who has to answer sits down"),
    ]

    def __init__(self, session: Session, look: Look, act: Callable[[str], bool], sit: Callable[[str], None]) -> None:
        super().__init__()
        self._session, self._look, self._act, self._sit = session, look, act, sit

    def compose(self) -> ComposeResult:
        """Title, hall, question, keys."""
        with Vertical(classes="box", id="congress-box"):
            yield Static("", classes="title", id="congress-title")
            with Horizontal(id="congress-body"):
                with VerticalScroll(id="congress-hall", can_focus=False):
                    yield Static("", id="congress-delegates")
                with VerticalScroll(id="congress-papers"):
                    yield Static("", id="congress-text")
            yield Static("", id="congress-question")
            yield Static("Enter answer · y n a vote · p propose · s next delegate · Esc map", classes="note")

    def on_mount(self) -> None:
        """Show the hall."""
        self.fill()

    def on_screen_resume(self, event: ScreenResume) -> None:
        """Something was answered on another screen."""
        self.fill()

    def fill(self) -> None:
        """Everything that can have changed."""
        session, look = self._session, self._look
        congress = session.state.congress or session.last_congress()
        if congress is None:
            self.query_one("#congress-text", Static).update(
                "No Congress is called: a Casus Belli of yours lets you call one."
            )
            return
        site, step = power_name(session.tables, congress.site), STEPS[step_of(session.state, congress)]
        title = f"Congress of Europe · {site} · {step}"
        self.query_one("#congress-title", Static).update(look.palette.text(title))
        self.query_one("#congress-delegates", Static).update(delegates(session, look, congress))
        self.query_one("#congress-text", Static).update(papers(session, look, congress))
        self.query_one("#congress-question", Static).update(self._question())

    def _question(self) -> Text:
        session, look = self._session, self._look
        out = Text()
        out.append(*look.power(session.tables, session.seat))
        mine = self.mine()
        if mine is None:
            due = ", ".join(power_name(session.tables, s) for s in session.waiting())
            out.append(f": nothing waits for you{'; waiting for ' + due if due else ''}.", look.faint)
            return out
        out.append(look.palette.text(f": {mine.prompt}"))
        if mine.kind == PROPOSE:
            out.append("  (p proposes, Enter passes)", look.faint)
        elif mine.kind == "ballot":
            out.append("  (y, n or a; nobody sees it before all are in)", look.faint)
        else:
            out.append("  (Enter answers)", look.faint)
        return out

    def mine(self) -> Pending | None:
        """The first question of the Congress that waits for the seat."""
        mine = (c for c in self._session.state.choices if c.seat == self._session.seat)
        return next((c for c in mine if isinstance(c.about, CongressQuestion)), None)

    def _give(self, order: str) -> None:
        self._act(order)
        self.fill()

    # --- keys ---------------------------------------------------------------------------------------------------

    def action_answer(self) -> None:
        """Answer what waits."""
        mine = self.mine()
        if mine is None:
            self.action_seat()
            return
        if mine.kind == PROPOSE:
            self._give(f"choose {mine.id} {' '.join(default_of(mine))}")
            return
        if mine.kind == "ballot":
            self.notify("y votes yes, n no, a abstains.")
            return
        options = list(options_of(mine))

        def done(number: int | None) -> None:
            if number is not None:
                self._give(f"choose {mine.id} {options[number]}")

        now = options.index(default_of(mine)[0]) if default_of(mine) and default_of(mine)[0] in options else 0
        names = [power_name(self._session.tables, o) if o in self._session.tables.powers else o for o in options]
        self.app.push_screen(PickScreen(mine.prompt, [n.replace("_", " ") for n in names], self._look, now), done)

    def action_vote(self, word: str) -> None:
        """Cast the ballot: the vote, and whether one would sign."""
        mine = self.mine()
        if mine is None or mine.kind != "ballot":
            self.notify("There is no ballot for you to cast now.")
            return
        congress = self._session.state.congress
        if congress is not None and self._session.seat not in congress.disputants:
            self._give(f"choose {mine.id} {word} sign")
            return

        def done(number: int | None) -> None:
            if number is not None:
                self._give(f"choose {mine.id} {word} {INTENTIONS[number]}")

        lines = ["sign it if it is adopted", "defy it: every other member has a Casus Belli against you"]
        self.app.push_screen(PickScreen(f"You vote {word}. And then?", lines, self._look), done)

    def action_propose(self) -> None:
        """Write a proposal."""
        mine = self.mine()
        if mine is None or mine.kind != PROPOSE:
            self.notify("The Congress does not ask you for a proposal now.")
            return
        from paxtui.tui.diplomacy.treaty_editor import TreatyEditor

        self.app.push_screen(TreatyEditor(self._session, self._look, self._act, CONGRESS), lambda _: self.fill())

    def action_seat(self) -> None:
        """The next delegate who has to answer."""
        after = self._session.next_seat(self._session.seat)
        if after and after != self._session.seat:
            self._sit(after)
            self.fill()
        elif not after:
            self.notify("Nobody has to answer; Esc and r go on.")

    def action_close(self) -> None:
        """Back to the map."""
        self.dismiss(None)
