"""Start games on the main screen, press keys, and read what the screen shows."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from textual.events import Key
from textual.widgets import OptionList

from paxtui.games.pax.congress.proposals import congress_step
from paxtui.games.pax.position.setup import seats_for
from paxtui.session.pax_host import PaxHost
from paxtui.session.tables.loader import load_tables
from paxtui.tui.app import PaxApp
from paxtui.tui.base.settings import Settings
from paxtui.tui.dialogs.seats import PrivacyScreen
from tests.places import CONGRESS, GOLDEN
from tests.rules.harness import army


def sizes(*some: tuple[int, int]) -> pytest.MarkDecorator:
    """Parametrize a test by sizes of the terminal."""
    return pytest.mark.parametrize("size", some, ids=lambda s: f"{s[0]}x{s[1]}")


SIZES = sizes((120, 40), (80, 24))
MOVEMENT: dict[str, Any] = {"phase": "movement", "powers": {"britain": {"treasury": 60}}}
"""A Movement/Status Change Phase with money, as a patch."""


QUIET = {"reports": "none"}
"""Settings without reports between two keys; `test_reports.py` tests reports."""

CONTROL = [{"power": "france", "marker": "protectorate"}, {"power": "italy", "marker": "protectorate"}]


def treaty(id_: str, name: str, parties: list[str], signed: list[str], *clauses: Any, **more: Any) -> dict[str, Any]:
    """Return a Treaty in the form of a patch."""
    first = {"id": id_, "name": name, "form": "treaty", "drafter": parties[0], "parties": parties}
    return {**first, "signed": signed, "clauses": list(clauses), "drafted": 1, **more}


NEGOTIATION: dict[str, Any] = {
    "phase": "negotiation",
    "turn": 2,
    "powers": {"britain": {"treasury": 60}, "france": {"treasury": 40}, "italy": {"treasury": 20}},
    "areas": {"tunis": {"markers": CONTROL}},
    "casus_belli": [
        {"holder": "france", "against": "italy", "area": "tunis", "rule": "STA-024"},
        {"holder": "italy", "against": "france", "area": "tunis", "rule": "STA-024"},
    ],
    "treaties": [
        treaty(
            "kq7da", "Trianon", ["britain", "france"], ["britain", "france"],
            {"kind": "no_marker", "power": "britain", "places": ["kenya", "uganda"], "until": 5},
            {"kind": "pay", "power": "france", "to": "britain", "amount": 5, "every_turn": True},
            {"kind": "defensive", "against": ["germany"], "secret": True},
            public=True, stage="in_force", since=1,
        ),
        treaty(
            "m2xwq", "Lisbon", ["italy", "britain"], ["italy"],
            {"kind": "pay", "power": "italy", "to": "britain", "amount": 5},
            {"kind": "no_build", "power": "britain", "units": ["naval"], "until": 4},
            {"kind": "text", "text": "Britain smiles upon Italian hopes in Tripoli"},
            drafted=2,
        ),
    ],
}  # fmt: skip
"""A Negotiation Phase with a dispute, a Treaty in force and a draft that waits for Britain, as a patch."""

NEW: dict[str, Any] = {"marker": "protectorate", "established": False}
TWO_FIGHTS: dict[str, Any] = {
    "phase": "movement",
    "areas": {
        "egypt": {"markers": [NEW | {"power": "britain"}], "units": [army("britain", 10)]},
        "tunis": {"markers": [NEW | {"power": "france"}], "units": [army("france", 10)]},
    },
}
"""A Movement Phase after which Britain and France have a fight each, as a patch."""
PUBLIC_NEGOTIATION = {key: value for key, value in NEGOTIATION.items() if key != "treaties"}
"""A Negotiation Phase with a dispute and without secrets, as a patch."""


def congress_lines() -> list[int]:
    """Return the lines of the saved Congress with proposals, ballots, and a tie to break."""
    with PaxHost.open(CONGRESS, write=False) as table:
        steps = {}
        for line in table.game.lines:
            state = table.game.seek(line.n)
            if state.congress is not None:
                steps[congress_step(state, state.congress)] = line.n
    return [steps["propose"], steps["ballot"], steps["tie"]]


async def wait_for_keys(pilot: Any) -> None:
    """Wait until all keys have been handled."""
    await pilot.pause()
    while pilot.app.keyboard.busy:
        await pilot.pause(0.01)


async def burst(pilot: Any, *keys: str) -> None:
    """Press keys without pauses, then wait until they have been handled."""
    for key in keys:
        pilot.app.post_message(Key(key, " " if key == "space" else key if len(key) == 1 else None))
    await wait_for_keys(pilot)


class AppWithoutCurtain(PaxApp):
    """The app without the curtain between seats."""

    def push_screen(self, screen: Any, callback: Any = None, *rest: Any, **words: Any) -> Any:
        """Push a screen, but skip the curtain."""
        if not isinstance(screen, PrivacyScreen):
            return super().push_screen(screen, callback, *rest, **words)
        return self.call_next(callback, None)


def open_log(home: Path, log: Path = GOLDEN, **settings: Any) -> PaxApp:
    """Open a copy of a saved game on the main screen.

    Args: the home; the log; curtain=False for no curtain; settings.
    """
    path = home / "game.jsonl"
    shutil.copy(log, path)
    kind = PaxApp if settings.pop("curtain", True) else AppWithoutCurtain
    return kind(path=path, settings=Settings(**{**QUIET, **settings}))


def start_at(home: Path, patch: dict[str, Any], **settings: Any) -> PaxApp:
    """Open a new game of seven at a position on the main screen."""
    path = home / "game.jsonl"
    with PaxHost.new(load_tables(), seats_for(7), "7", {}, path=path, undo="free", clock=lambda: "") as table:
        table.act("arbiter", {"type": "set_position", "patch": patch})
    kind = PaxApp if settings.pop("curtain", True) else AppWithoutCurtain
    return kind(path=path, settings=Settings(**{**QUIET, **settings}))


async def press(pilot: Any, *keys: str | list[str]) -> Any:
    """Press keys, waiting after each key or list of keys; return the top screen."""
    for key in keys:
        await pilot.press(*([key] if isinstance(key, str) else key))
        await pilot.pause()
    return pilot.app.screen


async def order(pilot: Any, text: str) -> None:
    """Type an order."""
    await press(pilot, "colon", [*keys_of(text), "enter"])


def drawn_text(app: PaxApp, selector: str) -> str:
    """Return the text of a widget of the top screen."""
    widget = app.screen.query_one(selector)
    return "\n".join(strip.text.rstrip() for strip in widget.render_lines(widget.size.region))


def rows(app: PaxApp, selector: str = "OptionList") -> list[str]:
    """Return the rows of a list on the top screen."""
    return [str(option.prompt) for option in app.screen.query_one(selector, OptionList).options]


def notices(app: PaxApp) -> str:
    """Return the texts of all notifications."""
    return "\n".join(notice.message for notice in app._notifications)


def keys_of(text: str) -> list[str]:
    """Return the keys that type a text."""
    names = {
        " ": "space", ":": "colon", ",": "comma", ".": "full_stop", "?": "question_mark", '"': "quotation_mark",
        ">": "greater_than_sign", "_": "underscore",
    }  # fmt: skip
    return [names.get(c, c) for c in text]
