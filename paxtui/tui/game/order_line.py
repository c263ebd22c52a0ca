"""The line for words of the game screen. Who types quickly has the next key on its way before Enter has shut it."""

from __future__ import annotations

from textual.events import Key
from textual.widgets import Input


class OrderLine(Input):
    """An Input that loses no key: Enter counts at once, and keys that come after it go on to the map."""

    async def _on_key(self, event: Key) -> None:
        """Enter hands the words over before any other key is looked at; a line that is shut takes none."""
        if self.display and event.key != "enter":
            await super()._on_key(event)
            return
        event.stop()
        event.prevent_default()
        entered = getattr(self.screen, "entered", None)
        if self.display and entered is not None:
            entered(self.value)
        else:
            self.app.post_message(Key(event.key, event.character))
