"""The Congress that sits at the moment: what stands before it, and letting it go on."""

from __future__ import annotations

from msgspec.structs import replace

from paxtui.pax.history import events as ev
from paxtui.pax.play.play import Play
from paxtui.pax.state.congress import Congress, Proposal


def sitting(play: Play) -> Congress:
    """The Congress of the moment; the Phase is not there without one."""
    found = play.state.congress
    assert found is not None
    return found


def change(play: Play, note: str, rules: tuple[str, ...], **changes: object) -> Congress:
    """Let the Congress go on: what has changed, and a sentence for everybody."""
    congress = replace(sitting(play), **changes)
    play.emit(ev.CongressChanged(congress=congress, note=note, rules=rules))
    return congress


def current(congress: Congress) -> Proposal:
    """The proposal that is voted on, or was adopted."""
    found = congress.proposal(congress.current)
    assert found is not None
    return found
