"""The Congress screen: delegates, proposals with votes, and the pending question of the current seat."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.events import Key, Paste

from paxtui.games.pax.actions.actions import Choose
from paxtui.games.pax.board.status import seat_of
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.clauses.notation import describe_clause
from paxtui.games.pax.congress.calling import consenting_powers, seating_order
from paxtui.games.pax.congress.proposals import INTENTIONS, congress_step, settling_parties
from paxtui.games.pax.events import events
from paxtui.games.pax.narration.labels import describe_option, describe_question, question_summary
from paxtui.games.pax.reports.changes import describe_agenda_wishes, invites_nobody, is_agenda_wish
from paxtui.games.pax.state import diplomacy
from paxtui.games.pax.state.diplomacy import CALLED, CONGRESS, PROPOSE, CasusBelli, Congress, Proposal
from paxtui.games.pax.state.questions import CongressQuestion, Pending
from paxtui.games.pax.text.display import place_name, power_name, sentence, the_powers
from paxtui.games.pax.transaction import default_answer, option_texts
from paxtui.games.pax.turn import victory
from paxtui.session.session import Session, SessionChange
from paxtui.tui.base.dialogs import PickDialog
from paxtui.tui.base.keymap import bind
from paxtui.tui.base.playing import SessionDialog
from paxtui.tui.base.screen import KeyHints, PlainText
from paxtui.tui.dialogs.advice import Adviser
from paxtui.tui.diplomacy.treaty_editor import TreatyEditor
from paxtui.tui.formatting.look import Look

CAUSE_SOURCES = {
    "yellow_press": "an event",
    "congress_treaty_refused": "a Treaty refused",
    "passage_denied": "a passage denied",
    "treaty_grants": "a Treaty that grants it",
}
"""Sources of a Casus Belli without an Area, by row of the Casus Belli Summary. Default: a breach of a Treaty."""
STEPS = {
    diplomacy.CALLED: "is called",
    diplomacy.ATTEND: "who attends?",
    diplomacy.GUESTS: "who attends?",
    diplomacy.AGENDA: "which dispute first?",
    diplomacy.PROPOSE: "proposals",
    diplomacy.BALLOT: "voting",
    diplomacy.TIE: "a tie",
    diplomacy.SIGN: "who signs?",
    diplomacy.ARMS: "War or peace?",
    diplomacy.CLOSING: "War or peace?",
    diplomacy.OVER: "over",
}
"""Description of each step of the Congress."""
STAGES = {
    diplomacy.TABLED: "tabled",
    diplomacy.DEFEATED: "defeated",
    diplomacy.ADOPTED: "adopted",
    diplomacy.DONE: "in effect",
    diplomacy.REFUSED: "refused",
}
VOTES = {"yes": "✓", "no": "✗", "abstain": "·", "": " "}


def delegate_lines(session: Session, look: Look, congress: Congress) -> Text:
    """Return the delegates in French alphabetical order, with the actions of each."""
    tables, state = session.tables, session.state
    presides = seat_of(tables, state, congress.site)
    due = {c.seat for c in state.choices if isinstance(c.about, CongressQuestion)}
    current = congress.proposal(congress.current)
    out = Text("Delegates\n", "bold")
    for seat in seating_order(tables, congress):
        mine = seat == session.seat
        out.append(look.palette.text("▸" if mine else " "), look.key)
        out.append(*look.power(tables, seat))
        out.append(" presides" if seat == presides else "", look.faint)
        out.append(" party" if seat in congress.disputants else "", look.faint)
        if congress_step(state, congress) == diplomacy.BALLOT:
            out.append(*((" has voted", look.good) if seat in state.ballots else (" votes", look.key)))
        elif seat in due:
            out.append(" answers", look.key)
        elif current is not None and current.votes:
            vote = current.votes.get(seat, "")
            out.append(look.palette.text(f" {VOTES[vote]} {vote}"), look.faint)
        out.append("\n")
    silent = [p for p in congress.disputants if p not in congress.members]
    for power in silent:
        out.append(" ")
        out.append(*look.power(tables, power))
        out.append(" party, without a vote\n", look.faint)
    out.append("\nDisputes\n", "bold")
    for cause in state.casus_belli:
        if cause.id in congress.causes:
            out.append(look.palette.text("⚔ "), look.alarm)
            out.append(*look.power(tables, cause.holder, long=False))
            out.append(look.palette.text(" → "), look.faint)
            out.append(*look.power(tables, cause.against, long=False))
            out.append(f" {dispute_text(tables, cause)}")
            # what was defied is settled by War, or by the loss of markers, and by no other Treaty
            out.append(" defied\n" if cause.id in congress.defied else "\n", look.alarm)
    for area in dict.fromkeys(cause.area for cause in state.casus_belli if cause.id in congress.causes and cause.area):
        for bonus in victory.final_bonuses_of_area(tables, state, area):
            terms = place_name(tables, area) + (f" and {bonus.missing} more" if bonus.missing else "")
            if bonus.others:
                terms = f"{'no Power' if bonus.others == 'anyone' else 'no rival'} in {terms}"
            out.append(*look.power(tables, bonus.seat, long=False))
            out.append(look.palette.text(f" {bonus.points:+} at the end: {terms}\n"), look.faint)
    if congress.outcome:
        ends = {"settled": "The Congress has settled.\n", "war": "It ends in War.\n"}
        out.append(ends.get(congress.outcome, "It has failed.\n"), "bold")
    return out


def dispute_text(tables: Tables, cause: CasusBelli) -> str:
    """Describe the subject of a Casus Belli: an Area, a Minor Power, or its source."""
    if cause.area:
        return place_name(tables, cause.area)
    if cause.minor:
        return power_name(tables, cause.minor)
    return CAUSE_SOURCES.get(cause.cause, "a broken word")


def proposal_text(session: Session, look: Look, proposal: Proposal, current: bool) -> Text:
    """Format a proposal with its articles, votes and signatures."""
    tables = session.tables
    out = Text()
    out.append(look.palette.text("▸ " if current else "  "), look.key)
    out.append(proposal.name, "bold")
    out.append(" of ", look.faint)
    out.append(*look.power(tables, proposal.proposer))
    styles = {diplomacy.DONE: look.good, diplomacy.ADOPTED: look.good, diplomacy.REFUSED: look.alarm}
    out.append(f"  {STAGES[proposal.stage]}\n", styles.get(proposal.stage, look.faint))
    for n, clause in enumerate(proposal.clauses):
        out.append(f"  {n + 1} ", look.key)
        out.append(look.palette.text(describe_clause(tables, clause)))
        out.append(" (binds nobody)" if n in proposal.fallen else "", look.faint)
        out.append("\n")
    if proposal.votes:
        out.append("  ")
        for seat, word in proposal.votes.items():
            out.append(*look.power(tables, seat, long=False))
            out.append(look.palette.text(f" {word}  "), look.faint)
        if proposal.tie:
            out.append(f"tie broken by {power_name(tables, proposal.tie)}", look.key)
        out.append("\n")
    for word, powers in (("signed", proposal.signed), ("refused", proposal.refused)):
        if powers:
            out.append(f"  {word} ", look.faint)
            for power in powers:
                out.append(*look.power(tables, power, long=False))
                out.append(" ")
            out.append("\n")
    return out


MAX_SENTENCES = 8
"""Maximum number of history sentences above the proposals, the newest last."""


def congress_history(session: Session, look: Look) -> Text:
    """Return the events of the Congress, a sentence each."""
    texts: list[str] = []
    for event in (event for act in session.view.acts_of_turn()[1] for event in act.events):
        if isinstance(event, events.TurnBegan):
            texts = []
        elif isinstance(event, events.CongressChanged) and is_agenda_wish(event):
            texts.append(describe_agenda_wishes(session.tables, event.congress))
        elif isinstance(event, events.CongressChanged | events.BallotsOpened) and not invites_nobody(event):
            texts.append(session.view.narrator.tell(event))
    texts = [text for text in texts if text]
    out = Text()
    if texts:
        out.append("What has happened\n", "bold")
        for text in texts[-MAX_SENTENCES:]:
            out.append(look.palette.text(f"{text}\n"))
        out.append("\n")
    return out


def congress_papers(session: Session, look: Look, congress: Congress) -> Text:
    """Format the current proposal, the history, and the other proposals, the latest first."""
    out = Text()
    current = congress.proposal(congress.current)
    if current is not None:
        out.append_text(proposal_text(session, look, current, True))
        out.append("\n")
    out.append_text(congress_history(session, look))
    others = [p for p in congress.proposals if p is not current]
    if congress.proposals and not others:
        return out
    out.append("Papers\n" if current is None else "Other papers\n", "bold")
    if not congress.proposals:
        out.append("Nothing has been proposed yet.", look.faint)
    for proposal in sorted(others, key=lambda p: -int(p.id[1:])):
        out.append_text(proposal_text(session, look, proposal, False))
        out.append("\n")
    return out


class CongressScreen(SessionDialog[None]):
    """A Congress in session."""

    STAYS = True
    _sat = False
    """Whether a Congress was in session while the screen was open."""
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("congress.close", "escape,q", "close", "Close", "Back to the map"),
        bind("congress.answer", "enter,c", "answer", "Answer", "Answer the question that you are asked"),
        bind("congress.propose", "p", "propose", "Propose", "Put a Treaty before the Congress"),
        bind("congress.yes", "y", "vote('yes')", "Yes", "Vote yes, and say whether you would sign"),
        bind("congress.no", "n", "vote('no')", "No", "Vote no, and say whether you would sign"),
        bind("congress.abstain", "a", "vote('abstain')", "Abstain", "Abstain, and say whether you would sign"),
        bind("congress.advice", "g", "advice", "Advice", "Ask a bot for advice"),
        bind("congress.seat", "s", "seat", "Next seat", "Pass the keyboard to the next delegate who must answer"),
    ]

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._adviser = Adviser(self)

    def compose(self) -> ComposeResult:
        with Vertical(classes="box", id="congress-box"):
            yield PlainText(classes="title", id="congress-title")
            with Horizontal(id="congress-body"):
                with VerticalScroll(id="congress-hall", can_focus=False):
                    yield PlainText(id="congress-delegates")
                with VerticalScroll(id="congress-papers"):
                    yield PlainText(id="congress-text")
            yield PlainText(id="congress-question")
            keys = (
                "{congress.answer} answer · {congress.yes} {congress.no} {congress.abstain} vote · "
                "{congress.propose} propose · {congress.advice} advice · {congress.seat} next delegate · "
                "{congress.close} map"
            )
            yield KeyHints(self.format_keys(keys))

    def on_mount(self) -> None:
        self.fill()

    def session_changed(self, change: SessionChange) -> None:
        if self.children:
            self.fill()

    @property
    def is_over(self) -> bool:
        """Whether the Congress has ended, so that report pages may replace the screen."""
        live = self.session.live
        return self._sat and live.congress is None and live.phase != "congress"

    def on_screen_resume(self) -> None:
        """Close after an overlay if the Congress has ended meanwhile."""
        if self.is_over and self.app.screen is self:
            self.dismiss(None)

    def fill(self) -> None:
        session, look = self.session, self.look
        congress = session.state.congress or session.view.last_congress()
        self._sat = self._sat or session.live.congress is not None
        if congress is None:
            text = "No Congress is called: a Casus Belli of yours lets you call one."
            self.query_one("#congress-text", PlainText).update(text)
            return
        site, step = power_name(session.tables, congress.site), STEPS[congress_step(session.state, congress)]
        title = f"Congress of Europe · {site} · {step}"
        self.query_one("#congress-title", PlainText).update(look.palette.text(title))
        self.query_one("#congress-delegates", PlainText).update(delegate_lines(session, look, congress))
        self.query_one("#congress-text", PlainText).update(congress_papers(session, look, congress))
        self.query_one("#congress-question", PlainText).update(self._question())

    def _question(self) -> Text:
        """Return the pending question of the seat; without one, the Powers that must act, and why."""
        session, look = self.session, self.look
        out = Text()
        out.append(*look.power(session.tables, session.seat))
        mine = self.own_question()
        if mine is None:
            out.append(look.palette.text(f": you have no question to answer. {self._waits()}"), look.faint)
            return out
        out.append(look.palette.text(f": {describe_question(session.tables, mine)}"), look.key)
        if mine.kind == PROPOSE:
            out.append(self.format_keys("  {congress.propose} proposes, {congress.answer} passes"), look.faint)
        elif mine.kind == "ballot":
            keys = "  {congress.yes}, {congress.no} or {congress.abstain}; votes are secret until all are cast"
            out.append(self.format_keys(keys), look.faint)
        else:
            out.append(self.format_keys("  {congress.answer} answers"), look.faint)
        return out

    def _waits(self) -> str:
        """Return the Powers that must act, and their task."""
        session = self.session
        tables, congress = session.tables, session.state.congress
        due = the_powers(tables, session.waiting())
        if congress is None or congress.outcome:
            return "The Congress is over."
        if congress_step(session.state, congress) == CALLED:
            ready = self.app.key_of("game.ready", "r")
            return f"The Congress meets when all are ready ({ready} on the map); it waits for {due}."
        asked = [c for c in session.state.choices if isinstance(c.about, CongressQuestion)]
        if asked:
            seats = tuple(dict.fromkeys(c.seat for c in asked))
            each = " each" if len(seats) > 1 else ""
            whom = sentence(the_powers(tables, seats)).removesuffix(".")
            return f"{whom} must{each} decide {question_summary(tables, asked[0])}."
        return f"It waits for {due}." if due != "nobody" else ""

    def own_question(self) -> Pending | None:
        """Return the first pending question of the Congress for the seat."""
        mine = (c for c in self.session.state.choices if c.seat == self.session.seat)
        return next((c for c in mine if isinstance(c.about, CongressQuestion)), None)

    # --- keys ---------------------------------------------------------------------------------------------------

    def action_answer(self) -> None:
        mine = self.own_question()
        if mine is None:
            self.action_seat()
            return
        if mine.kind == PROPOSE:
            self.act(Choose(mine.id, default_answer(mine)))
            return
        if mine.kind == "ballot":
            # the question says the keys; what is voted on has to be in sight
            self.query_one("#congress-papers", VerticalScroll).scroll_home(animate=False)
            return
        options = list(option_texts(mine))
        names = [describe_option(self.session.tables, mine, text) for text in options]
        dialog = PickDialog(describe_question(self.session.tables, mine), names)
        self.app.ask(dialog, lambda number: self.act(Choose(mine.id, (options[number],))))

    def action_vote(self, word: str) -> None:
        """Cast the ballot: the vote, and whether the seat would sign."""
        mine = self.own_question()
        if mine is None or mine.kind != "ballot":
            self.notify("There is no ballot for you to cast now.")
            return
        consequences = self._consequences()
        if not consequences:
            self.act(Choose(mine.id, (word, "sign")))
            return
        lines = ["sign it if it is adopted", consequences]
        dialog = PickDialog(f"You vote {word}. And then?", lines)
        self.app.ask(dialog, lambda number: self.act(Choose(mine.id, (word, INTENTIONS[number]))))

    def _consequences(self) -> str:
        """Describe the effect of not signing the Treaty; "" if the ballot includes no signature."""
        tables, state = self.session.tables, self.session.state
        proposal = state.congress.proposal(state.congress.current) if state.congress else None
        if proposal is None:
            return ""
        if self.session.seat in settling_parties(tables, state, proposal):
            return "defy it: each other member gets a Casus Belli against you"
        if self.session.seat in consenting_powers(state, proposal.clauses):
            return "do not consent to the Codominion, and keep your Casus Belli"
        return ""

    def action_advice(self) -> None:
        self._adviser.ask()

    def cancels_wait(self, event: Key | Paste) -> bool:
        return self._adviser.cancels_wait(event)

    def action_propose(self) -> None:
        mine = self.own_question()
        if mine is None or mine.kind != PROPOSE:
            self.notify("The Congress does not ask you for a proposal now.")
            return
        self.app.push_screen(TreatyEditor(self.session, CONGRESS))

    def action_seat(self) -> None:
        after = self.session.seats.next_to_act(self.session.seat)
        if after and after != self.session.seat:
            self.session.take_seat(after)
        elif not after:
            ready = self.app.key_of("game.ready", "r")
            self.notify(self.format_keys(f"No answer is pending; {{congress.close}} and {ready} continue."))
