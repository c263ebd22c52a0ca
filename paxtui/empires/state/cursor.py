"""Where in the month play stands."""

from __future__ import annotations

import msgspec


class Slot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One step and the Powers that do it together; those that combine their movement share one."""

    step: str
    powers: tuple[str, ...]


class Cursor(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The phase, the slots of it that are left, the first of them going on, and who is done with that one."""

    phase: str
    slots: tuple[Slot, ...] = ()
    done: tuple[str, ...] = ()

    @property
    def step(self) -> str:
        """The step that goes on, "" between two phases."""
        return self.slots[0].step if self.slots else ""

    @property
    def powers(self) -> tuple[str, ...]:
        """The Powers whose step it is."""
        return self.slots[0].powers if self.slots else ()
