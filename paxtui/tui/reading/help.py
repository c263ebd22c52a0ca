"""The help for whatever has focus: what it shows, the keys that work there, and the words that matter.

The keys are read from the screen itself when the help opens, so that they are those that work, whatever the keymap.
"""

from __future__ import annotations

from typing import ClassVar, NamedTuple

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.events import Resize
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets.option_list import Option

from paxtui.table.reference.glossary import load_glossary
from paxtui.tui.reading.pages import TERM, usage_lines
from paxtui.tui.reading.reading import GlossaryScreen, RulesScreen
from paxtui.tui.reading.topics import Topic, topics_of
from paxtui.tui.stage import keymap
from paxtui.tui.stage.prose import Prose, Rows
from paxtui.tui.stage.screen import PaxOverlay


class HelpKey(NamedTuple):
    """What a key does where the help was asked for."""

    keys: str
    title: str
    help: str
    id: str
    near: int


def keys_of(screen: Screen[object]) -> list[HelpKey]:
    """Every key that works on a screen now: those of what has focus, then the screen's, then the app's."""
    found: dict[tuple[int, str], list[str]] = {}
    told: dict[tuple[int, str], tuple[str, str, str, int]] = {}
    for key, active in screen.active_bindings.items():
        binding = active.binding
        title = binding.description or binding.tooltip
        if not title or not active.enabled or binding.system:
            continue
        near = 0 if isinstance(active.node, Widget) and not isinstance(active.node, Screen) else 1
        near = near if isinstance(active.node, Widget) else 2
        same = (id(active.node), binding.action)
        found.setdefault(same, []).append(keymap.words(key))
        told.setdefault(same, (title, binding.tooltip if binding.tooltip != title else "", binding.id or "", near))
    out = [HelpKey(" ".join(keys), *told[same]) for same, keys in found.items()]
    return sorted(out, key=lambda k: k.near)


class HelpScreen(PaxOverlay[None]):
    """Topics of a screen, the one that has focus first.

    Args:
        topics: what can be read about.
        keys: the keys that work there.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "close", "Close", id="help.close", tooltip="Back to where you were"),
        Binding("right", "topic(1)", "Next topic", id="help.next", tooltip="Help for the next part of the screen"),
        Binding("left", "topic(-1)", "Topic before", id="help.previous", tooltip="Help for the part before"),
        Binding("tab", "words", "Words", id="help.words", tooltip="To the words of the game, and back to the text"),
        Binding("f2", "rules", "Rules", id="help.rules", tooltip="Search the rules"),
        Binding("f3", "glossary", "Glossary", id="help.glossary", tooltip="Search the words of the game"),
    ]

    def __init__(self, topics: tuple[Topic, ...], keys: list[HelpKey]) -> None:
        super().__init__()
        self._topics, self._keys = topics, keys
        self.at = 0

    @property
    def topic(self) -> Topic:
        """What is read."""
        return self._topics[self.at]

    def compose(self) -> ComposeResult:
        """Title, topics, text, words."""
        with Vertical(classes="box", id="help-box"):
            yield Prose(classes="title", id="help-title")
            yield Prose(id="help-topics")
            with VerticalScroll(id="help-scroll"):
                yield Prose(id="help-text")
            yield Rows(id="help-words")
            yield Prose(classes="note", id="help-note")

    def on_mount(self) -> None:
        """Show what has focus."""
        self._show()
        self.set_focus(self.query_one("#help-scroll"))

    def on_resize(self, event: Resize) -> None:
        """Another width, other lines."""
        self._show()

    def _show(self) -> None:
        look, topic = self.look, self.topic
        self.set_class(self.app.size.height < 32, "small")
        self.query_one("#help-title", Prose).update(look.palette.text(f"Help · {topic.title}"))
        tabs = Text(no_wrap=True, overflow="ellipsis")
        start = 0 if self.app.size.width >= 110 else max(0, self.at - 2)
        parts = self._topics if len(self._topics) > 1 else ()
        for n, part in enumerate(parts[start:], start):
            tabs.append(f" {part.title} ", f"{look.key} reverse" if n == self.at else look.faint)
        line = self.query_one("#help-topics", Prose)
        line.update(tabs)
        line.display = len(self._topics) > 1 or not self.has_class("small")
        self.query_one("#help-text", Prose).update(self._text(topic))
        rows = self.query_one("#help-words", Rows)
        rows.clear_options()
        for name in topic.terms:
            term = load_glossary()[name]
            text = look.text((f"{term.sign + ' ' if term.sign else ''}{name}  ", look.key), term.text)
            text.no_wrap, text.overflow = True, "ellipsis"
            rows.add_option(Option(text, id=name))
        rows.display = bool(topic.terms)
        walk = "{help.previous} {help.next} parts · {help.words} words · {help.rules} rules"
        keys = self.keyed(f"↑↓ read · {walk} · {{help.glossary}} glossary · {{help.close}} back")
        if look.palette.ascii:
            keys = keys.replace("↑↓", "up down").replace("← →", "left right")
        self.query_one("#help-note", Prose).update(look.palette.text(keys))

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
            ("In a list, a text or a line to write in", [k for k in self._keys if not k.id]),
        )
        for heading, keys in groups:
            if not keys:
                continue
            out.append(f"\n{heading}\n", "bold")
            for k in keys:
                out.append_text(look.text("  ", (f"{k.keys:<{wide}} ", look.key), k.title[:1].upper() + k.title[1:]))
                out.append_text(look.text((f" · {k.help}\n" if k.help else "\n", look.faint)))
        out.rstrip()
        return out

    @on(Rows.OptionSelected)
    def _chosen(self, event: Rows.OptionSelected) -> None:
        self.app.push_screen(GlossaryScreen(event.option_id or "", at=TERM + (event.option_id or "")))

    def action_topic(self, step: int) -> None:
        """Another part of the screen."""
        self.at = (self.at + step) % len(self._topics)
        self._show()
        self.query_one("#help-scroll", VerticalScroll).scroll_home(animate=False)

    def action_words(self) -> None:
        """To the words and back."""
        words, text = self.query_one("#help-words", Rows), self.query_one("#help-scroll")
        if self.focused is words or not self.topic.terms:
            self.set_focus(text)
        else:
            self.set_focus(words)
            words.highlighted = words.highlighted or 0

    def action_rules(self) -> None:
        """The rules."""
        self.app.push_screen(RulesScreen())

    def action_glossary(self) -> None:
        """The glossary."""
        self.app.push_screen(GlossaryScreen())

    def action_close(self) -> None:
        """Back."""
        self.dismiss(None)


def help_for(screen: Screen[object]) -> HelpScreen:
    """The help for what has focus on a screen."""
    return HelpScreen(topics_of(screen), keys_of(screen))
