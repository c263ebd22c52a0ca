"""The reference: a screen with search, results, page and links, and the pages for rules, terms and refusals.

Pages are named `rule:STA-009`, `term:Control` or `refusal`. A link leads to a page or into the game: `line:45` (the
world after a line of the log), `order:place` (the order line) or `choice:c12`.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.events import Resize
from textual.message import Message
from textual.widgets import Input
from textual.widgets.option_list import Option

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions.notation import ORDERS
from paxtui.games.pax.board.tables import Rule
from paxtui.games.pax.state.questions import Pending
from paxtui.session.reference import (
    CHAPTERS,
    choices_of,
    find_terms,
    load_choices,
    load_glossary,
    orders_of,
    phase_of,
    related_rules,
    remedy_of,
    rule_origin,
    rule_remarks,
    terms_of_rule,
)
from paxtui.session.session import Session
from paxtui.session.tables.loader import load_rules, load_tables
from paxtui.tui.base.keymap import bind
from paxtui.tui.base.playing import SessionScreen
from paxtui.tui.base.screen import ChoiceList, ModalDialog, PlainText
from paxtui.tui.formatting.look import Look

RULE, TERM, LINE, ORDER, CHOICE, REFUSAL = "rule:", "term:", "line:", "order:", "choice:", "refusal"

MOST_LINES = 5
"""Maximum number of log lines on a page, the newest ones."""


@dataclass(frozen=True)
class ReferenceLink:
    """A line that links to `to`; plain text if `to` is empty."""

    to: str
    head: str
    text: str = ""


@dataclass(frozen=True)
class ReferencePage:
    """The text of a page and its links, in groups with headings."""

    title: str
    body: Text
    groups: tuple[tuple[str, tuple[ReferenceLink, ...]], ...] = field(default=())


def find_page(name: str, look: Look, session: Session | None = None, refusal: Refusal | None = None) -> ReferencePage:
    """Return the page of that name.

    Args:
        name: name of a rule or a term, or "refusal".
        look: colours.
        session: the open game, if any.
        refusal: content of the page "refusal".
    """
    if name == REFUSAL and refusal is not None:
        return refusal_page(refusal, look)
    if name.startswith(TERM):
        return term_page(name.removeprefix(TERM), look)
    return rule_page(load_rules()[name.removeprefix(RULE)], look, session)


# --- rules ------------------------------------------------------------------------------------------------------------


def rule_page(rule: Rule, look: Look, session: Session | None = None) -> ReferencePage:
    """Return the page of a rule: statement, source, related rules and terms, uses in this game."""
    tables = session.tables if session else load_tables()
    body = look.text(
        (f"{phase_of(rule)} · {rule.kind} · {rule_origin(rule)}\n", look.faint),
        (f"{rule.statement}\n", "bold"),
    )
    for remark in rule_remarks(rule, tables):
        body.append_text(look.text((f"! {remark}\n", look.key)))
    body.rstrip()
    beside = related_rules(rule.id)
    named = tuple(dict.fromkeys((*beside.names, *beside.named_by)))
    lines = tuple(i for i in beside.same_lines if i not in named)
    near = tuple(i for i in (beside.before, beside.after) if i and i not in (*named, *lines))
    groups = (
        ("Waiting for your answer", _waiting(rule, session)),
        ("Orders and answers that it governs", _governed(rule, session)),
        *_in_log(rule, session),
        ("Words", tuple(term_link(t) for t in terms_of_rule(rule.id)[:9])),
        ("Related rules", tuple(rule_link(i) for i in named)),
        ("Rules of the same lines", tuple(rule_link(i) for i in lines)),
        ("Previous and next", tuple(rule_link(i) for i in near)),
    )
    return ReferencePage(f"{rule.id} · {CHAPTERS[rule.id[:3]]}", body, tuple(g for g in groups if g[1]))


def _waiting(rule: Rule, session: Session | None) -> tuple[ReferenceLink, ...]:
    """Return the open questions of the seat at the keyboard that cite the rule."""
    if session is None:
        return ()
    mine = (c for c in session.live.choices if rule.id in c.rules and c.seat == session.seat)
    return tuple(ReferenceLink(CHOICE + c.id, c.id, c.prompt or c.kind) for c in mine)


def _in_log(rule: Rule, session: Session | None) -> tuple[tuple[str, tuple[ReferenceLink, ...]], ...]:
    """Return the log lines that cite the rule, the newest first."""
    if session is None:
        return ()
    cited = [e for e in session.view.log() if rule.id in e.rules]
    shown = tuple(ReferenceLink(f"{LINE}{e.line}", f"line {e.line}", e.text) for e in reversed(cited[-MOST_LINES:]))
    head = "In this game" if len(cited) <= MOST_LINES else f"Applied {len(cited)} times in this game; most recently"
    return ((head, shown),)


def _governed(rule: Rule, session: Session | None) -> tuple[ReferenceLink, ...]:
    """Return the orders (links while a game is open) and the kinds of choice that the rule governs."""
    orders = [
        ReferenceLink(ORDER + form.verb if session else "", form.verb, f"{form.usage}: {form.summary}")
        for form in orders_of(rule.id)
    ]
    return (*orders, *(ReferenceLink("", "choice", f"{c.what} ({c.kind})") for c in choices_of(rule.id)))


def rule_link(id_: str) -> ReferenceLink:
    return ReferenceLink(RULE + id_, id_, load_rules()[id_].statement)


def find_rules(words: str) -> list[Rule]:
    """Return the rules whose id is or begins with each word, or whose statement contains it."""
    wanted = words.casefold().replace(",", " ").split()
    rules = load_rules()
    ids = [rules[w.upper()] for w in dict.fromkeys(wanted) if w.upper() in rules]
    if ids:
        return ids
    return [
        r for r in rules.values() if all(r.id.casefold().startswith(w) or w in r.statement.casefold() for w in wanted)
    ]


# --- terms ------------------------------------------------------------------------------------------------------------


def term_page(name: str, look: Look) -> ReferencePage:
    """Return the page of a term: meaning, sign, rules and related terms."""
    term = load_glossary()[name]
    body = Text()
    if term.also:
        body.append(f"also: {', '.join(term.also)}\n", look.faint)
    if term.sign:
        body.append_text(look.text("on the screen: ", (f"{term.sign}\n", look.key)))
    body.append_text(look.text((f"{term.text}\n", "bold")))
    body.rstrip()
    beside = [t.name for t in load_glossary().values() if name in t.see and t.name not in term.see]
    groups = (
        ("Its rules", tuple(rule_link(i) for i in term.rules)),
        ("See also", tuple(term_link(t) for t in (*term.see, *beside))),
    )
    return ReferencePage(term.name, body, tuple(g for g in groups if g[1]))


def term_link(name: str) -> ReferenceLink:
    return ReferenceLink(TERM + name, name, load_glossary()[name].text)


# --- refusals ---------------------------------------------------------------------------------------------------------


def refusal_page(refusal: Refusal, look: Look) -> ReferencePage:
    """Return the page of a refusal: the order, the reason, and what makes it legal."""
    body = look.text((f"code {refusal.code}\n", look.faint), (f"{refusal.message}\n", "bold"))
    remedy = remedy_of(refusal)
    if remedy:
        body.append_text(look.text(("How to make it legal: ", look.key), f"{remedy}\n"))
    if not refusal.rules:
        body.append("No rule of the game forbids it. The wording, the seat or the moment is wrong.\n", look.faint)
    body.rstrip()
    rules = tuple(rule_link(i) for i in refusal.rules if i in load_rules())
    words = tuple(dict.fromkeys(t for i in refusal.rules if i in load_rules() for t in terms_of_rule(i)[:3]))
    groups = (("The rules", rules), ("Words", tuple(term_link(t) for t in words[:6])))
    return ReferencePage("Not allowed", body, tuple(g for g in groups if g[1]))


def usage_lines() -> list[str]:
    """Return the usage and, on the next line, the effect of each order, for the help of the order line."""
    orders = [form for form in ORDERS.values() if not form.is_arbiters]
    return [line for form in orders for line in (form.usage, f"    {form.summary}")]


MAX_RESULTS = 300
"""Maximum number of search results."""


class ReferenceScreen(ModalDialog[None]):
    """Find pages by words, read them, follow their links and come back.

    Args:
        words: initial search words.
        refusal: a refusal to explain; its page is shown first.
        at: name of the first page; by default the first result.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("read.close", "escape", "close", "Close", "Close"),
        bind("read.back", "backspace", "back", "Previous page", "Previous page"),
        bind("read.search", "slash", "search", "Search", "Search for other words"),
        bind("read.links", "right", "links", "Links", "Go to the links of the page"),
        bind("read.list", "left", "list", "List", "Go to the list of results"),
        bind("read.down", "down", "list", "List", "From the search to its results", show=False),
        bind("read.rules", "f2", "rules", "Rules", "Search the rules"),
        bind("read.glossary", "f3", "glossary", "Glossary", "Search the glossary"),
    ]
    TITLE_TEXT: ClassVar[str] = ""
    HINT: ClassVar[str] = ""

    class IntoTheGame(Message):
        """A link leads into the game: `kind` is LINE, ORDER or CHOICE, `what` is line, verb or choice."""

        def __init__(self, kind: str, what: str) -> None:
            super().__init__()
            self.kind, self.what = kind, what

    def __init__(self, words: str = "", refusal: Refusal | None = None, at: str = "") -> None:
        super().__init__()
        self._words, self._refusal, self._at = words, refusal, at
        self._found: list[str] = []
        self._links: list[ReferenceLink] = []
        self._back: list[str] = []
        self.reading = ""

    # --- for subclasses ---

    @abstractmethod
    def find(self, words: str) -> list[tuple[str, str, str]]:
        """Return name, heading and line of the pages that match the words."""

    # --- the screen ---

    @property
    def game(self) -> SessionScreen[None] | None:
        """The game screen below, if any."""
        return next((s for s in self.app.screen_stack if isinstance(s, SessionScreen)), None)

    @property
    def session(self) -> Session | None:
        """The session of the game screen below, if any."""
        return self.game.session if self.game else None

    def compose(self) -> ComposeResult:
        with Vertical(classes="box", id="read-box"):
            yield PlainText(self.TITLE_TEXT, classes="title", id="read-title")
            yield Input(self._words, placeholder=self.HINT, id="rule-words", compact=True)
            with Horizontal(id="read-body"):
                yield ChoiceList(id="rule-list")
                with Vertical(id="read-page"):
                    yield PlainText(id="rule-title")
                    with VerticalScroll(id="rule-scroll"):
                        yield PlainText(id="rule-text")
                    yield ChoiceList(id="rule-links")
            yield PlainText(classes="note", id="read-note")

    def on_mount(self) -> None:
        if self._refusal is not None:
            self.app.clear_notifications()  # the page has the full text
        self._resized(self.app.size.width)
        self._fill(self._words)
        if self._at:
            self.read(self._at)
        if self._words or self._refusal or self._at:
            self.set_focus(self.query_one("#rule-links" if self._at and self._links else "#rule-list"))
        else:
            self.set_focus(self.query_one(Input))

    def on_resize(self, event: Resize) -> None:
        """Arrange results and page side by side if the width allows it."""
        self._resized(event.size.width)

    def _resized(self, width: int) -> None:
        small = width < 100
        self.set_class(small, "small")
        note = self.format_keys(
            "Enter follows · {read.back} back · {read.search} words · {read.rules} rules · {read.glossary} glossary · "
            "{read.close}"
        )
        if not small:
            arrows = "left right" if self.look.palette.ascii else "← →"
            note = note.replace(" · B", f" · {arrows} list and links · B", 1)
        self.query_one("#read-note", PlainText).update(self.look.palette.text(note))

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        if event.value != self._words:
            self._words, self._refusal = event.value, None
            self._fill(event.value)

    @on(Input.Submitted)
    def _submitted(self) -> None:
        self.action_list()

    def _fill(self, words: str) -> None:
        look, found = self.look, self.find(words)
        rows = self.query_one("#rule-list", ChoiceList)
        if self._refusal is not None:
            found = [(REFUSAL, "Not allowed", self._refusal.message), *found]
        self._found = [name for name, _, _ in found[:MAX_RESULTS]]
        options = []
        for name, head, line in found[:MAX_RESULTS]:
            options.append(Option(look.line((f"{head}  ", look.alarm if name == REFUSAL else look.key), line)))
        rows.refill(options or [Option(Text("No results."), disabled=True)], 0 if options else None)
        self.query_one("#read-title", PlainText).update(look.palette.text(f"{self.TITLE_TEXT} · {len(found)} found"))
        if self._found and not self._at:
            self.read(self._found[0])

    @on(ChoiceList.OptionHighlighted, "#rule-list")
    def _highlighted(self, event: ChoiceList.OptionHighlighted) -> None:
        if self.focused is event.option_list and event.option_index < len(self._found):
            name = self._found[event.option_index]
            if name != self.reading:
                self.read(name)

    def read(self, name: str) -> None:
        """Show a page and its links."""
        self.reading = name
        look = self.look
        shown = find_page(name, look, self.session, self._refusal)
        self.query_one("#rule-title", PlainText).update(look.palette.text(shown.title))
        self.query_one("#rule-text", PlainText).update(shown.body)
        self.query_one("#rule-scroll", VerticalScroll).scroll_home(animate=False)
        self._links, options = [], []
        for heading, links in shown.groups:
            options.append(Option(Text(heading), disabled=True))
            self._links += (ReferenceLink("", heading), *links)
            for link in links:
                text = look.line("  ", (f"{link.head}  ", look.key if link.to else ""), link.text)
                options.append(Option(text, disabled=not link.to))
        rows = self.query_one("#rule-links", ChoiceList)
        rows.refill(options, next((n for n, link in enumerate(self._links) if link.to), None))
        rows.scroll_home(animate=False)

    # --- navigation ---

    @on(ChoiceList.OptionSelected, "#rule-list")
    def _opened(self, event: ChoiceList.OptionSelected) -> None:
        if event.option_index < len(self._found):
            self.read(self._found[event.option_index])
            self.action_links()

    @on(ChoiceList.OptionSelected, "#rule-links")
    def _chosen(self, event: ChoiceList.OptionSelected) -> None:
        self.follow(self._links[event.option_index].to)

    def follow(self, to: str) -> None:
        """Follow a link to another page or into the game."""
        if to.startswith((LINE, ORDER, CHOICE)):
            kind, colon, what = to.partition(":")
            if self.game is not None:
                self.game.post_message(self.IntoTheGame(kind + colon, what))
        elif to:
            self._back.append(self.reading)
            self.read(to)

    def action_back(self) -> None:
        """Show the previous page; from the first page close the screen."""
        if self._back:
            self.read(self._back.pop())
        elif not isinstance(self.focused, Input):
            self.dismiss(None)

    def action_search(self) -> None:
        words = self.query_one(Input)
        self.set_focus(words)
        words.action_select_all()

    def action_list(self) -> None:
        self.set_focus(self.query_one("#rule-list", ChoiceList))

    def action_links(self) -> None:
        if any(link.to for link in self._links):
            self.set_focus(self.query_one("#rule-links", ChoiceList))

    def action_rules(self) -> None:
        if not isinstance(self, RulesScreen):
            self.app.switch_screen(RulesScreen())

    def action_glossary(self) -> None:
        if not isinstance(self, GlossaryScreen):
            self.app.switch_screen(GlossaryScreen())


class RulesScreen(ReferenceScreen):
    """The rules, all or those that match the search, with links to other rules and into the game."""

    TOPIC = "rules"
    TITLE_TEXT = "The rules"
    HINT = "rule id or words, such as CCB-014 or garrison"

    def find(self, words: str) -> list[tuple[str, str, str]]:
        return [(RULE + r.id, r.id, r.statement) for r in find_rules(words)]


def choice_rules(choice: Pending) -> RulesScreen:
    """Return the rules of a question, then those of its kind."""
    kind = load_choices().get(choice.kind)
    return RulesScreen(" ".join((*choice.rules, *(kind.rules if kind else ()))))


class GlossaryScreen(ReferenceScreen):
    """The terms and signs of the game, all or those that match by name, spelling, sign or text."""

    TOPIC = "glossary"
    TITLE_TEXT = "The glossary"
    HINT = "a word or symbol, such as Codominion or ⚔"

    def find(self, words: str) -> list[tuple[str, str, str]]:
        """Find terms by name, spelling, sign or text."""
        return [(TERM + t.name, f"{t.sign + ' ' if t.sign else ''}{t.name}", t.text) for t in find_terms(words)]
