"""Games on the main screen."""

import asyncio
from pathlib import Path

import pytest
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.notifications import Notification
from textual.pilot import Pilot

from paxtui.tui.app import PaxApp
from paxtui.tui.swift import type_ahead, warm
from tests.tui.playing import MOVEMENT, begun, opened

READ = Stylesheet._parse_rules
SHEETS: dict[tuple[object, ...], list[RuleSet]] = {}


def read_once(sheet: Stylesheet, css: str, *rest: object, **words: object) -> list[RuleSet]:
    """The rules of a style sheet, read once for all programs that the tests start: that was a fifth of each start."""
    key = (css, *rest, *words.items(), *sorted(sheet._variables.items()))
    if key not in SHEETS:
        SHEETS[key] = READ(sheet, css, *rest, **words)  # type: ignore[arg-type]
    return SHEETS[key]


@pytest.fixture(autouse=True)
def style_sheets_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs of the same colours share the rules of their style sheets, which nothing changes once they are read."""
    monkeypatch.setattr(Stylesheet, "_parse_rules", read_once)


PRESS = Pilot.press
LONG = 2.0
"""Seconds after which a key is taken to be held back on purpose."""


async def press_and_see(pilot: Pilot[object], *keys: str) -> None:
    """Press keys, and wait until what they have set going is done, or they are held back."""
    await PRESS(pilot, *keys)
    keyboard, waited = getattr(pilot.app, "keyboard", None), 0.0
    while keyboard is not None and keyboard.busy and waited < LONG:
        await asyncio.sleep(0.005)
        waited += 0.005


@pytest.fixture(autouse=True)
def every_key_is_seen_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """Textual takes a program that gets no processor for one that has nothing to do; on a busy machine it gets none."""
    monkeypatch.setattr(Pilot, "press", press_and_see)


@pytest.fixture(autouse=True)
def quick_eyes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever plays a test has read a card in the moment it is drawn; `test_type_ahead.py` tries slower eyes."""
    monkeypatch.setattr(type_ahead, "SEEN", 0.0)


@pytest.fixture(autouse=True)
def no_chores(monkeypatch: pytest.MonkeyPatch) -> None:
    """No map is drawn in advance that nobody looks at, and no program of a test is kept for good, as chores do."""
    monkeypatch.setattr(warm, "DELAY", 3600.0)


@pytest.fixture(autouse=True)
def long_notices(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow the machine, a notice stands until the next: a test reads it some keys later."""
    monkeypatch.setattr(Notification, "time_left", property(lambda notice: 100 * notice.timeout))


@pytest.fixture
def fresh(home: Path) -> PaxApp:
    """A game in the Movement Phase of 1880, with money."""
    return begun(home, MOVEMENT)


@pytest.fixture
def golden(home: Path) -> PaxApp:
    """The golden game at its end."""
    return opened(home)
