"""Texts of players and files are never markup: only `base/screen.py` shows texts, and it shows them unchanged."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual import widgets
from textual.widgets._toast import Toast

import paxtui.tui
from paxtui.tui.app import PaxApp

TUI = Path(paxtui.tui.__file__).parent
MODULES = sorted(path for path in TUI.rglob("*.py") if path != TUI / "base/screen.py")
PLAIN_WIDGETS = {"Input", "TextArea"}
"""Widgets of Textual that never interpret markup."""
TITLES = {"border_title", "border_subtitle", "tooltip"}
"""Attributes of every widget that Textual reads as markup."""
HOSTILE = "[/] [@click=app.quit]leave[/] [red]x"


def markup_uses(path: Path) -> Iterator[str]:
    """Yield the places where a module lets Textual interpret a text as markup."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("textual.widgets"):
            for name in node.names:
                if name.name in widgets.__all__ and name.name not in PLAIN_WIDGETS:
                    yield f"{path.name}:{node.lineno} imports {name.name}"
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and node.attr in TITLES:
            yield f"{path.name}:{node.lineno} sets {node.attr}"
        elif isinstance(node, ast.Attribute) and node.attr == "from_markup":
            yield f"{path.name}:{node.lineno} reads markup"
        elif isinstance(node, ast.Call):
            for word in node.keywords:
                if word.arg == "markup" and not (isinstance(word.value, ast.Constant) and word.value.value is False):
                    yield f"{path.name}:{node.lineno} asks for markup"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(TUI).as_posix())
def test_module_shows_texts_only_through_base_screen(path: Path) -> None:
    assert list(markup_uses(path)) == []


def test_markup_uses_are_found(tmp_path: Path) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text(
        "from textual.widgets import Input, Static\n"
        "self.border_title = name\nText.from_markup(name)\nself.notify(name, markup=True)\n"
    )
    assert len(list(markup_uses(bad))) == 4 and len(MODULES) > 50


@pytest.mark.parametrize("asked", [True, False])
async def test_messages_are_not_markup(home: Path, asked: bool) -> None:
    app = PaxApp()
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        for owner in (app, app.screen):
            app.clear_notifications()
            owner.notify(HOSTILE, title=HOSTILE, markup=asked)
            await pilot.pause()
            text = str(app.screen.query_one(Toast).render())
            assert text.count(HOSTILE) == 2
