"""The editor of a comment."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import TextArea

from paxtui.engine.refusal import Refusal
from paxtui.studies.editing import clean_comment
from paxtui.tui.base.screen import KeyHints, ModalDialog, PlainText


class CommentDialog(ModalDialog[str | None]):
    """Write a comment of one or more lines; return it, or None if the reader cancels.

    Args: the title; the text so far.
    """

    TOPIC = "comment"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Close", id="comment.close", tooltip="Cancel", priority=True),
        Binding("f10,ctrl+s", "save", "Save", id="comment.save", tooltip="Save the comment", priority=True),
    ]

    def __init__(self, title: str, text: str = "") -> None:
        super().__init__()
        self._title, self._text = title, text

    def compose(self) -> ComposeResult:
        with Vertical(classes="box", id="comment-box"):
            yield PlainText(self._title, classes="title")
            yield TextArea(self._text, id="comment-text", tab_behavior="focus", compact=True)
            yield PlainText(id="comment-wrong", classes="note")
            yield KeyHints(self.format_keys("{comment.save} save · {comment.close} cancel · empty: delete"))

    def on_mount(self) -> None:
        """Focus the editor, with the cursor at the end."""
        area = self.query_one(TextArea)
        area.move_cursor(area.document.end)
        self.set_focus(area)

    def action_save(self) -> None:
        """Return the comment, or show why it cannot be saved."""
        try:
            text = clean_comment(self.query_one(TextArea).text)
        except Refusal as refusal:
            self.query_one("#comment-wrong", PlainText).update(refusal.message)
        else:
            self.dismiss(text)
