"""Rules of the architecture that no linter checks: a pure core, few imports at the start, valid links."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from paxtui.session.tables.loader import load_tables
from paxtui.tui.start_screens.start import IDLE_IMPORTS

PACKAGE = Path(__file__).parents[1] / "paxtui"
CORE = ("engine", "games")
HEAVY = {"textual", "rich", "asyncio", "asyncssh", "networkx", "pydantic"}
DOCS = sorted((PACKAGE.parent / "docs").glob("*.md"))
FOLDERS = sorted(path.parent for path in PACKAGE.glob("*/**/__init__.py"))
MODULES_AFTER_FIRST_FRAME = (
    *("paxtui.games.empires", "paxtui.games.pax.decide", "paxtui.games.pax.menus", "paxtui.games.pax.war"),
    *("paxtui.games.pax.congress", "paxtui.games.pax.preview", "paxtui.games.pax.reports"),
    *("paxtui.bots", "paxtui.server", "paxtui.mail", "paxtui.simulation", "paxtui.charts"),
    *("paxtui.session.game_host", "paxtui.session.local_session", "paxtui.session.bot_process"),
    *("paxtui.tui.game", "paxtui.tui.dialogs", "paxtui.tui.diplomacy", "paxtui.tui.reference_screens"),
    *("paxtui.tui.exercise", "paxtui.tui.widgets", "paxtui.tui.base.dialogs", "paxtui.tui.base.playing"),
    *("paxtui.tui.map.geometry", "paxtui.tui.map.layout", "paxtui.tui.map.scene", "paxtui.tui.map.ground"),
    *("paxtui.tui.map.canvas", "paxtui.tui.map.world_map"),
)
"""Packages that the start screen may import only after its first frame."""
MAX_START_MODULES = 80
"""Maximum number of paxtui modules that are loaded before the first frame."""
PRINT_MODULES_AT_FIRST_FRAME = """
import asyncio, sys
from paxtui.cli.main import main
from paxtui.tui.app import PaxApp
from paxtui.tui.start_screens.start import StartScreen

# on a terminal the map behind the menu comes after the first frame
StartScreen._add_backdrop = lambda self: None

class Client(PaxApp):
    shown = False

    def _display(self, screen, renderable):
        super()._display(screen, renderable)
        if isinstance(screen, StartScreen) and screen.query("#games") and not self.shown:
            self.shown = True
            print(*sys.modules)

async def start():
    async with Client().run_test(size=(160, 50)) as pilot:
        await pilot.pause()

asyncio.run(start())
"""


def core_modules() -> list[Path]:
    """Return the modules of engine and rules."""
    found = sorted(path for part in CORE for path in (PACKAGE / part).rglob("*.py"))
    assert len(found) > 100, "no modules found: has the core moved?"
    return found


def module_name(path: Path) -> str:
    """Return the dotted name of a module."""
    return ".".join(("paxtui", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")


def modules_loaded_by(*modules: str) -> set[str]:
    """Return the names of all modules that importing some loads in a new interpreter."""
    code = f"import {', '.join(modules)}\nimport sys\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    found = set(done.stdout.split())
    assert found >= set(modules), "nothing was imported"
    return found


def functions_in(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    """Return all functions of a module, with methods and inner functions."""
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def test_core_imports_no_screen() -> None:
    found = modules_loaded_by(*map(module_name, core_modules()))
    assert not {name.split(".")[0] for name in found} & HEAVY
    assert not {
        name for name in found if name.startswith(("paxtui.session", "paxtui.tui", "paxtui.cli", "paxtui.bots"))
    }


def test_client_starts_without_heavy_libraries() -> None:
    found = modules_loaded_by("paxtui.tui.app", "paxtui.tui.game.screen")
    assert not {name.split(".")[0] for name in found} & {"asyncssh", "networkx", "pydantic", "numpy"}


def modules_at_first_frame(home: Path) -> set[str]:
    """Start the client without a terminal; return the names of all modules loaded when the start screen appears."""
    done = subprocess.run(
        [sys.executable, "-c", PRINT_MODULES_AT_FIRST_FRAME], capture_output=True, text=True, check=True,
        env={**os.environ, "PAXTUI_HOME": str(home)},
    )  # fmt: skip
    return set(done.stdout.split())


def test_start_screen_loads_few_modules(tmp_path: Path) -> None:
    found = {name for name in modules_at_first_frame(tmp_path) if name.split(".")[0] == "paxtui"}
    assert "paxtui.tui.start_screens.start" in found
    assert not sorted(name for name in found if name.startswith(MODULES_AFTER_FIRST_FRAME))
    assert len(found) <= MAX_START_MODULES, "import it where it is used, or under TYPE_CHECKING"


def test_idle_start_screen_imports_the_screens_it_opens() -> None:
    """The first key that opens a screen must not wait for imports."""
    found = modules_loaded_by(*IDLE_IMPORTS)
    assert {"paxtui.tui.game.screen", "paxtui.tui.start_screens.new_game", "paxtui.tui.game.replay"} <= found
    assert {
        "paxtui.tui.tutorial.screen",
        "paxtui.tui.reference_screens.reference",
        "paxtui.tui.panes.side_panes",
    } <= found


def test_core_names_no_area() -> None:
    """Area names belong to data: the code of the rules finds them by table."""
    names = set(load_tables().areas)
    assert len(names) > 50
    found, texts = [], 0
    for path in core_modules():
        tree = ast.parse(path.read_text("utf-8"))
        docs = {
            id(node.body[0].value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef)
            and node.body
            and isinstance(node.body[0], ast.Expr)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
                texts += 1
                if node.value in names:
                    found.append(f"{module_name(path)}:{node.lineno} {node.value}")
    assert texts > 1000
    assert not found


def test_core_imports_at_module_level_only() -> None:
    """An import inside a function hides a circle."""
    seen, found = 0, []
    for path in core_modules():
        for function in functions_in(ast.parse(path.read_text("utf-8"))):
            seen += 1
            found += [
                f"{module_name(path)}:{node.lineno}"
                for node in ast.walk(function)
                if isinstance(node, ast.Import | ast.ImportFrom)
            ]
    assert seen > 500
    assert not found


@pytest.mark.parametrize("folder", FOLDERS, ids=[module_name(folder) for folder in FOLDERS])
def test_package_has_a_docstring(folder: Path) -> None:
    assert ast.get_docstring(ast.parse((folder / "__init__.py").read_text("utf-8")))


@pytest.mark.parametrize("folder", FOLDERS, ids=[module_name(folder) for folder in FOLDERS])
def test_the_docstring_of_a_package_names_modules_that_exist(folder: Path) -> None:
    text = ast.get_docstring(ast.parse((folder / "__init__.py").read_text("utf-8"))) or ""
    inside = {path.stem for path in folder.glob("*.py")} | {path.parent.name for path in folder.glob("*/__init__.py")}
    methods = {"expect_frame"}
    assert {name.split(".")[0] for name in re.findall(r"`([a-z_]+(?:\.[a-z_]+)*)`", text)} <= inside | methods


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/development.md"])
def test_contributor_pages_name_existing_files(page: str) -> None:
    root = PACKAGE.parent
    text = (root / page).read_text("utf-8")
    names = set(re.findall(r"`([\w./*-]+\.(?:py|toml|tsv|csv|jsonl|md)|[\w./*-]+/)`", text))
    names -= {"faults.jsonl", "wars.jsonl"}  # written by a command of the page
    assert len(names) > 20
    folders = (root, PACKAGE, PACKAGE / "games" / "pax")
    missing = {name for name in names if not any(True for folder in folders for _ in folder.glob(name))}
    assert missing <= {"paxtui/cli/NAME.py"}


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", *(f"docs/{p.name}" for p in DOCS)])
def test_links_between_pages_resolve(page: str) -> None:
    path = PACKAGE.parent / page
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text("utf-8"))
    assert not [link for link in links if not (path.parent / link).exists()]


def test_test_modules_do_not_import_each_other() -> None:
    """Shared helpers are in a conftest or in a helper module."""
    modules = sorted(Path(__file__).parent.rglob("test_*.py"))
    assert len(modules) > 80
    imports_a_test = re.compile(r"^\s*(?:from|import) tests\.(?:\w+\.)*test_\w+", re.M)
    assert not [module.name for module in modules if imports_a_test.search(module.read_text("utf-8"))]
