"""The screen of the reference: a line to search with, what it finds, the page read, and where it leads."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.events import Resize
from textual.message import Message
from textual.widgets import Input
from textual.widgets.option_list import Option

from paxtui.engine.refusal import Refusal
from paxtui.table.reference.glossary import find_terms
from paxtui.table.session import Session
from paxtui.tui.reading.pages import CHOICE, LINE, ORDER, REFUSAL, RULE, TERM, Link, find_rules, page
from paxtui.tui.stage.playing import Playing
from paxtui.tui.stage.prose import Prose, Rows
from paxtui.tui.stage.screen import PaxOverlay

MOST_FOUND = 300
"""Lines of what a search finds."""


class ReadingScreen(PaxOverlay[None]):
    """Find pages by words, read them, follow their links and come back.

    Args:
        words: what is searched for at first.
        refusal: what was refused, where the screen is to explain it: its page comes first.
        at: the name of the page that is read at first; by itself the first one found.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Close", id="read.close", tooltip="Back to where you were"),
        Binding("backspace", "back", "Page before", id="read.back", tooltip="Back to the page before, as you came"),
        Binding("slash", "search", "Search", id="read.search", tooltip="Search by other words"),
        Binding("right", "links", "Links", id="read.links", tooltip="Go to the links of the page"),
        Binding("left", "list", "List", id="read.list", tooltip="Go to the list of what was found"),
        Binding("down", "list", "List", id="read.down", tooltip="From the words to what they find", show=False),
        Binding("f2", "rules", "Rules", id="read.rules", tooltip="Search the rules"),
        Binding("f3", "glossary", "Glossary", id="read.glossary", tooltip="Search the words of the game"),
    ]
    TITLE_TEXT: ClassVar[str] = ""
    HINT: ClassVar[str] = ""

    class IntoTheGame(Message):
        """A link leads into the game: `kind` is LINE, ORDER or CHOICE, `what` the line, the verb or the choice."""

        def __init__(self, kind: str, what: str) -> None:
            super().__init__()
            self.kind, self.what = kind, what

    def __init__(self, words: str = "", refusal: Refusal | None = None, at: str = "") -> None:
        super().__init__()
        self._words, self._refusal, self._at = words, refusal, at
        self._found: list[str] = []
        self._links: list[Link] = []
        self._back: list[str] = []
        self.reading = ""

    # --- what a kind of reference says for itself ---

    @abstractmethod
    def find(self, words: str) -> list[tuple[str, str, str]]:
        """Pages that the words find: name, head and line of each."""

    # --- the screen ---

    @property
    def game(self) -> Playing[None] | None:
        """The screen of the open game beneath, where there is one."""
        return next((s for s in self.app.screen_stack if isinstance(s, Playing)), None)

    @property
    def session(self) -> Session | None:
        """The open game."""
        return self.game.session if self.game else None

    def compose(self) -> ComposeResult:
        """Words, list, page, links."""
        with Vertical(classes="box", id="read-box"):
            yield Prose(self.TITLE_TEXT, classes="title", id="read-title")
            yield Input(self._words, placeholder=self.HINT, id="rule-words", compact=True)
            with Horizontal(id="read-body"):
                yield Rows(id="rule-list")
                with Vertical(id="read-page"):
                    yield Prose(id="rule-title")
                    with VerticalScroll(id="rule-scroll"):
                        yield Prose(id="rule-text")
                    yield Rows(id="rule-links")
            yield Prose(classes="note", id="read-note")

    def on_mount(self) -> None:
        """Show what the words find."""
        if self._refusal is not None:
            self.app.clear_notifications()  # the page says all of it
        self._resized(self.app.size.width)
        self._fill(self._words)
        if self._at:
            self.read(self._at)
        if self._words or self._refusal or self._at:
            self.set_focus(self.query_one("#rule-links" if self._at and self._links else "#rule-list"))
        else:
            self.set_focus(self.query_one(Input))

    def on_resize(self, event: Resize) -> None:
        """Side by side where there is room, else one above the other."""
        self._resized(event.size.width)

    def _resized(self, width: int) -> None:
        small = width < 100
        self.set_class(small, "small")
        note = self.keyed(
            "Enter follows · {read.back} back · {read.search} words · {read.rules} rules · {read.glossary} glossary · "
            "{read.close}"
        )
        if not small:
            arrows = "left right" if self.look.palette.ascii else "← →"
            note = note.replace(" · B", f" · {arrows} list and links · B", 1)
        self.query_one("#read-note", Prose).update(self.look.palette.text(note))

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
        rows = self.query_one("#rule-list", Rows)
        if self._refusal is not None:
            found = [(REFUSAL, "Not allowed", self._refusal.message), *found]
        self._found = [name for name, _, _ in found[:MOST_FOUND]]
        options = []
        for name, head, line in found[:MOST_FOUND]:
            text = look.text((f"{head}  ", look.alarm if name == REFUSAL else look.key), line)
            text.no_wrap, text.overflow = True, "ellipsis"
            options.append(Option(text))
        rows.clear_options()
        rows.add_options(options or [Option(Text("Nothing has these words."), disabled=True)])
        self.query_one("#read-title", Prose).update(look.palette.text(f"{self.TITLE_TEXT} · {len(found)} found"))
        if self._found:
            rows.highlighted = 0
            if not self._at:
                self.read(self._found[0])

    @on(Rows.OptionHighlighted, "#rule-list")
    def _highlighted(self, event: Rows.OptionHighlighted) -> None:
        if self.focused is event.option_list and event.option_index < len(self._found):
            self.read(self._found[event.option_index])

    def read(self, name: str) -> None:
        """Show a page and its links."""
        self.reading = name
        look = self.look
        shown = page(name, look, self.session, self._refusal)
        self.query_one("#rule-title", Prose).update(look.palette.text(shown.title))
        self.query_one("#rule-text", Prose).update(shown.body)
        self.query_one("#rule-scroll", VerticalScroll).scroll_home(animate=False)
        rows = self.query_one("#rule-links", Rows)
        rows.clear_options()
        self._links = []
        for heading, links in shown.groups:
            rows.add_option(Option(Text(heading), disabled=True))
            self._links.append(Link("", heading))
            for link in links:
                text = look.text("  ", (f"{link.head}  ", look.key if link.to else ""), link.text)
                text.no_wrap, text.overflow = True, "ellipsis"
                rows.add_option(Option(text, disabled=not link.to))
                self._links.append(link)
        first = next((n for n, link in enumerate(self._links) if link.to), None)
        rows.highlighted = first
        rows.scroll_home(animate=False)

    # --- walking ---

    @on(Rows.OptionSelected, "#rule-list")
    def _opened(self, event: Rows.OptionSelected) -> None:
        if event.option_index < len(self._found):
            self.read(self._found[event.option_index])
            self.action_links()

    @on(Rows.OptionSelected, "#rule-links")
    def _chosen(self, event: Rows.OptionSelected) -> None:
        self.follow(self._links[event.option_index].to)

    def follow(self, to: str) -> None:
        """Go where a link leads: to another page, or into the game."""
        if to.startswith((LINE, ORDER, CHOICE)):
            kind, colon, what = to.partition(":")
            if self.game is not None:
                self.game.post_message(self.IntoTheGame(kind + colon, what))
        elif to:
            self._back.append(self.reading)
            self.read(to)

    def action_back(self) -> None:
        """The page before; from the first page back to where one was."""
        if self._back:
            self.read(self._back.pop())
        elif not isinstance(self.focused, Input):
            self.dismiss(None)

    def action_search(self) -> None:
        """To the words."""
        words = self.query_one(Input)
        self.set_focus(words)
        words.action_select_all()

    def action_list(self) -> None:
        """To the list."""
        self.set_focus(self.query_one("#rule-list", Rows))

    def action_links(self) -> None:
        """To the links."""
        if any(link.to for link in self._links):
            self.set_focus(self.query_one("#rule-links", Rows))

    def action_rules(self) -> None:
        """The rules."""
        if not isinstance(self, RulesScreen):
            self.app.switch_screen(RulesScreen())

    def action_glossary(self) -> None:
        """The glossary."""
        if not isinstance(self, GlossaryScreen):
            self.app.switch_screen(GlossaryScreen())

    def action_close(self) -> None:
        """Back."""
        self.dismiss(None)


class RulesScreen(ReadingScreen):
    """The rules, all of them or those that the words find; each leads to others and into the game."""

    TOPIC = "rules"
    TITLE_TEXT = "The rules"
    HINT = "rule id or words, such as CCB-014 or garrison"

    def find(self, words: str) -> list[tuple[str, str, str]]:
        """Rules by id or words."""
        return [(RULE + r.id, r.id, r.statement) for r in find_rules(words)]


class GlossaryScreen(ReadingScreen):
    """The words and signs of the game, all of them or those that the words find: by name, spelling, sign or text."""

    TOPIC = "glossary"
    TITLE_TEXT = "The glossary"
    HINT = "a word or a sign, such as Codominion or ⚔"

    def find(self, words: str) -> list[tuple[str, str, str]]:
        """Terms by name, spelling, sign or text."""
        return [(TERM + t.name, f"{t.sign + ' ' if t.sign else ''}{t.name}", t.text) for t in find_terms(words)]
