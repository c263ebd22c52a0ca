"""No text of a player or a file is markup: only one place puts texts on the screen, and it shows them as they are."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual import widgets
from textual.widgets._toast import Toast

import paxtui.tui
from paxtui.tui.app import PaxApp

ROOM = Path(paxtui.tui.__file__).parent
MODULES = sorted(path for path in ROOM.rglob("*.py") if path != ROOM / "base/screen.py")
AS_THEY_ARE = {"Input", "TextArea"}
"""Widgets of Textual that show no markup whatever they are given."""
TITLES = {"border_title", "border_subtitle", "tooltip"}
"""Attributes of every widget that Textual reads as markup."""
HOSTILE = "[/] [@click=app.quit]leave[/] [red]x"


def markup(path: Path) -> Iterator[str]:
    """Where a module gives Textual a text to be read as markup."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("textual.widgets"):
            for name in node.names:
                if name.name in widgets.__all__ and name.name not in AS_THEY_ARE:
                    yield f"{path.name}:{node.lineno} imports {name.name}"
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and node.attr in TITLES:
            yield f"{path.name}:{node.lineno} sets {node.attr}"
        elif isinstance(node, ast.Attribute) and node.attr == "from_markup":
            yield f"{path.name}:{node.lineno} reads markup"
        elif isinstance(node, ast.Call):
            for word in node.keywords:
                if word.arg == "markup" and not (isinstance(word.value, ast.Constant) and word.value.value is False):
                    yield f"{path.name}:{node.lineno} asks for markup"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(ROOM).as_posix())
def test_every_text_goes_to_the_screen_by_one_place(path: Path) -> None:
    assert list(markup(path)) == []


def test_the_walk_sees_what_it_looks_for(tmp_path: Path) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text(
        "from textual.widgets import Input, Static\n"
        "self.border_title = name\nText.from_markup(name)\nself.notify(name, markup=True)\n"
    )
    assert len(list(markup(bad))) == 4 and len(MODULES) > 50


@pytest.mark.parametrize("asked", [True, False])
async def test_messages_are_shown_as_they_are(home: Path, asked: bool) -> None:
    app = PaxApp()
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        for speaker in (app, app.screen):
            app.clear_notifications()
            speaker.notify(HOSTILE, title=HOSTILE, markup=asked)
            await pilot.pause()
            said = str(app.screen.query_one(Toast).render())
            assert said.count(HOSTILE) == 2
