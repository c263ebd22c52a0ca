"""The help screen: for the focused part it shows a text, the working keys, and terms.

The texts are in `data/help.toml`. The keys are read from the screen when the help opens, so they follow the keymap.
"""

from __future__ import annotations

import tomllib
from functools import cache
from typing import ClassVar, NamedTuple

import msgspec
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.events import Resize
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets.option_list import Option

from paxtui.games.pax.text.display import capitalize
from paxtui.session.reference import load_glossary
from paxtui.session.tables.records import TableError, shipped_text
from paxtui.tui.base import keymap
from paxtui.tui.base.keymap import bind
from paxtui.tui.base.screen import BaseScreen, ChoiceList, ModalDialog, PlainText
from paxtui.tui.panes.registry import PANES
from paxtui.tui.reference_screens.reference import TERM, GlossaryScreen, RulesScreen, usage_lines
from paxtui.tui.rendering.prepared_screens import ScreenRecipe

HELP_FILE = "help.toml"


class Topic(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a screen: its text, bindings and terms."""

    title: str
    text: str
    keys: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    orders: bool = False


@cache
def load_topics() -> dict[str, Topic]:
    """Return all topics by name, with the lines of a paragraph joined.

    Raises:
        TableError: the file is broken or refers to an unknown term.
    """
    try:
        raw = msgspec.convert(tomllib.loads(shipped_text(HELP_FILE)), dict[str, Topic])
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise TableError(HELP_FILE, 1, str(error)) from None
    for name, topic in raw.items():
        for term in topic.terms:
            if term not in load_glossary():
                raise TableError(HELP_FILE, 1, f"[{name}] names '{term}' (a term of glossary.toml)")
    return {name: msgspec.structs.replace(t, text=_joined(t.text)) for name, t in raw.items()}


def _joined(text: str) -> str:
    return "\n\n".join(" ".join(p.split("\n")) for p in text.strip("\n").split("\n\n"))


def screen_topics(screen: Screen[object]) -> tuple[Topic, ...]:
    """Return the topics of a screen, that of the focus first. Without a topic the screen's docstring is shown."""
    names = screen.topics() if isinstance(screen, BaseScreen) else ()
    if names:
        return tuple(map(find_topic, names))
    described = (type(screen).__doc__ or "").strip().partition("\n")[0]
    title = "".join(f" {c}" if c.isupper() else c for c in type(screen).__name__.removesuffix("Screen")).strip()
    return (Topic(title, described, ("near",)),)


def find_topic(name: str) -> Topic:
    """Return a topic. A pane without one uses its registry row."""
    pane = next((pane for pane in PANES if pane.name == name), None)
    if pane is not None and name not in load_topics():
        return Topic(pane.title, f"{pane.help}.")
    return load_topics()[name]


class HelpKey(NamedTuple):
    """What a key does on the screen below the help."""

    keys: str
    title: str
    help: str
    id: str
    near: int


def help_keys(screen: Screen[object]) -> list[HelpKey]:
    """Return all keys that work on a screen: those of the focused widget, of the screen, of the app."""
    found: dict[tuple[int, str], list[str]] = {}
    descriptions: dict[tuple[int, str], tuple[str, str, str, int]] = {}
    for key, active in screen.active_bindings.items():
        binding = active.binding
        title = binding.description or binding.tooltip
        if not title or not active.enabled or binding.system:
            continue
        near = 0 if isinstance(active.node, Widget) and not isinstance(active.node, Screen) else 1
        near = near if isinstance(active.node, Widget) else 2
        same = (id(active.node), binding.action)
        found.setdefault(same, []).append(keymap.key_name(key))
        help_ = binding.tooltip if binding.tooltip != title else ""
        descriptions.setdefault(same, (title, help_, binding.id or "", near))
    out = [HelpKey(" ".join(keys), *descriptions[same]) for same, keys in found.items()]
    return sorted(out, key=lambda k: k.near)


class HelpScreen(ModalDialog[None]):
    """Topics of a screen, the one that has focus first."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("help.close", "escape,q", "close", "Close", "Close"),
        bind("help.next", "right", "topic(1)", "Next topic", "Help for the next part of the screen"),
        bind("help.previous", "left", "topic(-1)", "Previous topic", "Help for the previous part"),
        bind("help.words", "tab", "words", "Glossary or text", "Move between the glossary and the text"),
        bind("help.rules", "f2", "rules", "Rules", "Search the rules"),
        bind("help.glossary", "f3", "glossary", "Glossary", "Search the glossary"),
    ]

    def __init__(self, topics: tuple[Topic, ...], keys: list[HelpKey]) -> None:
        super().__init__()
        self._topics, self._keys = topics, keys
        self.at = 0

    @property
    def topic(self) -> Topic:
        return self._topics[self.at]

    def compose(self) -> ComposeResult:
        with Vertical(classes="box", id="help-box"):
            yield PlainText(classes="title", id="help-title")
            yield PlainText(id="help-topics")
            with VerticalScroll(id="help-scroll"):
                yield PlainText(id="help-text")
            yield ChoiceList(id="help-words")
            yield PlainText(classes="note", id="help-note")

    def on_mount(self) -> None:
        self._show()
        self.set_focus(self.query_one("#help-scroll"))

    def on_resize(self, event: Resize) -> None:
        self._show()

    def _show(self) -> None:
        look, topic = self.look, self.topic
        self.set_class(self.app.size.height < 32, "small")
        self.query_one("#help-title", PlainText).update(look.palette.text(f"Help · {topic.title}"))
        tabs = Text(no_wrap=True, overflow="ellipsis")
        start = 0 if self.app.size.width >= 110 else max(0, self.at - 2)
        parts = self._topics if len(self._topics) > 1 else ()
        for n, part in enumerate(parts[start:], start):
            tabs.append(f" {part.title} ", f"{look.key} reverse" if n == self.at else look.faint)
        line = self.query_one("#help-topics", PlainText)
        line.update(tabs)
        line.display = len(self._topics) > 1 or not self.has_class("small")
        self.query_one("#help-text", PlainText).update(self._text(topic))
        rows, options = self.query_one("#help-words", ChoiceList), []
        for name in topic.terms:
            term = load_glossary()[name]
            text = look.line((f"{term.sign + ' ' if term.sign else ''}{name}  ", look.key), term.text)
            options.append(Option(text, id=name))
        rows.refill(options, None)
        rows.display = bool(topic.terms)
        walk = "{help.previous} {help.next} parts · {help.words} words · {help.rules} rules"
        keys = self.format_keys(f"↑↓ read · {walk} · {{help.glossary}} glossary · {{help.close}} back")
        if look.palette.ascii:
            keys = keys.replace("↑↓", "up down").replace("← →", "left right")
        self.query_one("#help-note", PlainText).update(look.palette.text(keys))

    def _text(self, topic: Topic) -> Text:
        look = self.look
        out = look.text(f"{topic.text}\n")
        if topic.orders:
            out.append("\nOrders\n", "bold")
            for line in usage_lines():
                out.append_text(look.text(f"  {line}\n"))
        own = [k for k in self._keys if k.id]
        first = [k for name in topic.keys for k in own if k.id == name or (name == "near" and k.near == 0)]
        first = list(dict.fromkeys(first))
        wide = min(14, max((len(k.keys) for k in self._keys), default=0))
        groups = (
            ("Keys", first),
            ("Other keys here" if first else "Keys", [k for k in own if k not in first and k.near < 2]),
            ("Everywhere", [k for k in own if k not in first and k.near == 2]),
            ("In a list, a text or an input line", [k for k in self._keys if not k.id]),
        )
        for heading, keys in groups:
            if not keys:
                continue
            out.append(f"\n{heading}\n", "bold")
            for k in keys:
                out.append_text(look.text("  ", (f"{k.keys:<{wide}} ", look.key), capitalize(k.title)))
                out.append_text(look.text((f" · {k.help}\n" if k.help else "\n", look.faint)))
        out.rstrip()
        return out

    @on(ChoiceList.OptionSelected)
    def _chosen(self, event: ChoiceList.OptionSelected) -> None:
        self.app.push_screen(GlossaryScreen(event.option_id or "", at=TERM + (event.option_id or "")))

    def action_topic(self, step: int) -> None:
        self.at = (self.at + step) % len(self._topics)
        self._show()
        self.query_one("#help-scroll", VerticalScroll).scroll_home(animate=False)

    def action_words(self) -> None:
        """Move the focus to the terms or back."""
        words, text = self.query_one("#help-words", ChoiceList), self.query_one("#help-scroll")
        if self.focused is words or not self.topic.terms:
            self.set_focus(text)
        else:
            self.set_focus(words)
            words.highlighted = words.highlighted or 0

    def action_rules(self) -> None:
        self.app.push_screen(RulesScreen())

    def action_glossary(self) -> None:
        self.app.push_screen(GlossaryScreen())


def help_recipe(screen: Screen[object]) -> ScreenRecipe[None]:
    """Return how the help for the focused part of a screen is shown."""
    content = screen_topics(screen), help_keys(screen)
    return ScreenRecipe("help", lambda: HelpScreen(*content), content)
