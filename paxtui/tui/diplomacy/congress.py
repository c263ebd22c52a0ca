"""The hall of a Congress of Europe: delegates, papers, and the question that waits for the seat at the keyboard."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll

from paxtui.pax.congress.ballots import INTENTIONS
from paxtui.pax.congress.conflicts import consenting
from paxtui.pax.congress.signatures import parties_to
from paxtui.pax.congress.sitting import step_of
from paxtui.pax.narration.choice_narration import option, question, short
from paxtui.pax.orders.actions import Choose
from paxtui.pax.play.choices import default_of, options_of
from paxtui.pax.state.congress import CALLED, PROPOSE
from paxtui.pax.state.questions import CongressQuestion, Pending
from paxtui.pax.state.treaty import CONGRESS
from paxtui.pax.words.spoken import power_name, sentence, the_powers
from paxtui.table.seated import Change
from paxtui.tui.boxes.counsel import Counselled
from paxtui.tui.boxes.pick import PickScreen
from paxtui.tui.diplomacy.congress_text import STEPS, delegates, papers
from paxtui.tui.diplomacy.treaty_editor import TreatyEditor
from paxtui.tui.stage.playing import PlayingOverlay
from paxtui.tui.stage.prose import Keys, Prose


class CongressScreen(PlayingOverlay[None], Counselled[None]):
    """A Congress in session; one delegate after the other sits down to it.

    Args: the open game; its seat speaks and votes.
    """

    STAYS = True
    _sat = False
    """Whether a Congress has been sitting while it was open."""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "close", "Close", id="congress.close", tooltip="Back to the map"),
        Binding("enter,c", "answer", "Answer", id="congress.answer", tooltip="Answer the question that waits for you"),
        Binding("p", "propose", "Propose", id="congress.propose", tooltip="Put a Treaty before the Congress"),
        Binding("y", "vote('yes')", "Yes", id="congress.yes", tooltip="Vote yes, and say whether you would sign"),
        Binding("n", "vote('no')", "No", id="congress.no", tooltip="Vote no, and say whether you would sign"),
        Binding(
            "a", "vote('abstain')", "Abstain", id="congress.abstain", tooltip="Abstain, and say whether you would sign"
        ),
        Binding("g", "advice", "Advice", id="congress.advice", tooltip="What a statesman would do in your place"),
        Binding("s", "seat", "Next seat", id="congress.seat", tooltip="The next delegate who has to answer sits down"),
    ]

    def compose(self) -> ComposeResult:
        """Title, hall, question, keys."""
        with Vertical(classes="box", id="congress-box"):
            yield Prose(classes="title", id="congress-title")
            with Horizontal(id="congress-body"):
                with VerticalScroll(id="congress-hall", can_focus=False):
                    yield Prose(id="congress-delegates")
                with VerticalScroll(id="congress-papers"):
                    yield Prose(id="congress-text")
            yield Prose(id="congress-question")
            keys = (
                "{congress.answer} answer · {congress.yes} {congress.no} {congress.abstain} vote · "
                "{congress.propose} propose · {congress.advice} advice · {congress.seat} next delegate · "
                "{congress.close} map"
            )
            yield Keys(self.keyed(keys))

    def on_mount(self) -> None:
        """Show the hall."""
        self.fill()

    def session_changed(self, change: Change) -> None:
        """Somebody has answered, or another delegate sits down."""
        if self.children:
            self.fill()

    @property
    def is_over(self) -> bool:
        """Whether the Congress has ended and the game has gone on, so that pages of news may take its place."""
        live = self.session.live
        return self._sat and live.congress is None and live.phase != "congress"

    def on_screen_resume(self) -> None:
        """What lay over it has been read: where the Congress ended meanwhile, the game goes on on the map."""
        if self.is_over and self.app.screen is self:
            self.dismiss(None)

    def fill(self) -> None:
        """Everything that can have changed."""
        session, look = self.session, self.look
        congress = session.state.congress or session.last_congress()
        self._sat = self._sat or session.live.congress is not None
        if congress is None:
            self.query_one("#congress-text", Prose).update(
                "No Congress is called: a Casus Belli of yours lets you call one."
            )
            return
        site, step = power_name(session.tables, congress.site), STEPS[step_of(session.state, congress)]
        title = f"Congress of Europe · {site} · {step}"
        self.query_one("#congress-title", Prose).update(look.palette.text(title))
        self.query_one("#congress-delegates", Prose).update(delegates(session, look, congress))
        self.query_one("#congress-text", Prose).update(papers(session, look, congress))
        self.query_one("#congress-question", Prose).update(self._question())

    def _question(self) -> Text:
        """What is asked of the seat, in whole sentences; where nothing is, whom the Congress waits for, and why."""
        session, look = self.session, self.look
        out = Text()
        out.append(*look.power(session.tables, session.seat))
        mine = self.mine()
        if mine is None:
            out.append(look.palette.text(f": nothing is asked of you now. {self._waits()}"), look.faint)
            return out
        out.append(look.palette.text(f": {question(session.tables, mine)}"), look.key)
        if mine.kind == PROPOSE:
            out.append(self.keyed("  {congress.propose} proposes, {congress.answer} passes"), look.faint)
        elif mine.kind == "ballot":
            keys = "  {congress.yes}, {congress.no} or {congress.abstain}; nobody sees it before all are in"
            out.append(self.keyed(keys), look.faint)
        else:
            out.append(self.keyed("  {congress.answer} answers"), look.faint)
        return out

    def _waits(self) -> str:
        """Whom the Congress waits for, and for what."""
        session = self.session
        tables, congress = session.tables, session.state.congress
        due = the_powers(tables, session.waiting())
        if congress is None or congress.outcome:
            return "The Congress is over."
        if step_of(session.state, congress) == CALLED:
            ready = self.app.key_of("game.ready", "r")
            return f"The Congress meets when all are ready ({ready} on the map); it waits for {due}."
        asked = [c for c in session.state.choices if isinstance(c.about, CongressQuestion)]
        if asked:
            seats = tuple(dict.fromkeys(c.seat for c in asked))
            each = " each" if len(seats) > 1 else ""
            whom = sentence(the_powers(tables, seats)).removesuffix(".")
            return f"{whom} must{each} decide {short(tables, asked[0])}."
        return f"It waits for {due}." if due != "nobody" else ""

    def mine(self) -> Pending | None:
        """The first question of the Congress that waits for the seat."""
        mine = (c for c in self.session.state.choices if c.seat == self.session.seat)
        return next((c for c in mine if isinstance(c.about, CongressQuestion)), None)

    # --- keys ---------------------------------------------------------------------------------------------------

    def action_answer(self) -> None:
        """Answer what waits."""
        mine = self.mine()
        if mine is None:
            self.action_seat()
            return
        if mine.kind == PROPOSE:
            self.act(Choose(mine.id, default_of(mine)))
            return
        if mine.kind == "ballot":
            # the question says the keys; what is voted on has to be in sight
            self.query_one("#congress-papers", VerticalScroll).scroll_home(animate=False)
            return
        options = list(options_of(mine))

        def done(number: int | None) -> None:
            if number is not None:
                self.act(Choose(mine.id, (options[number],)))

        names = [option(self.session.tables, mine, text) for text in options]
        self.app.push_screen(PickScreen(question(self.session.tables, mine), names), done)

    def action_vote(self, word: str) -> None:
        """Cast the ballot: the vote, and whether one would sign."""
        mine = self.mine()
        if mine is None or mine.kind != "ballot":
            self.notify("There is no ballot for you to cast now.")
            return
        consequences = self._consequences()
        if not consequences:
            self.act(Choose(mine.id, (word, "sign")))
            return

        def done(number: int | None) -> None:
            if number is not None:
                self.act(Choose(mine.id, (word, INTENTIONS[number])))

        lines = ["sign it if it is adopted", consequences]
        self.app.push_screen(PickScreen(f"You vote {word}. And then?", lines), done)

    def _consequences(self) -> str:
        """What comes of not signing the Treaty in hand; "" where the seat is not asked to sign it with its ballot."""
        tables, state = self.session.tables, self.session.state
        proposal = state.congress.proposal(state.congress.current) if state.congress else None
        if proposal is None:
            return ""
        if self.session.seat in parties_to(tables, state, proposal):
            return "defy it: every other member has a Casus Belli against you"
        if self.session.seat in consenting(state, proposal.clauses):
            return "do not consent to the Codominion, and keep your Casus Belli"
        return ""

    def action_propose(self) -> None:
        """Write a proposal."""
        mine = self.mine()
        if mine is None or mine.kind != PROPOSE:
            self.notify("The Congress does not ask you for a proposal now.")
            return
        self.app.push_screen(TreatyEditor(self.session, CONGRESS))

    def action_seat(self) -> None:
        """The next delegate who has to answer."""
        after = self.session.next_seat(self.session.seat)
        if after and after != self.session.seat:
            self.session.take_seat(after)
        elif not after:
            ready = self.app.key_of("game.ready", "r")
            self.notify(self.keyed(f"Nobody has to answer; {{congress.close}} and {ready} go on."))

    def action_close(self) -> None:
        """Back to the map."""
        self.dismiss(None)
