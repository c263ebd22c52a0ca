"""The core knows no screen: the promises of the architecture that a linter cannot see."""

import subprocess
import sys

HEAVY = ("textual", "rich", "asyncio", "asyncssh", "networkx", "pydantic")


def loaded(statement: str) -> set[str]:
    """Top-level modules in a fresh interpreter after `statement`."""
    code = f"{statement}\nimport sys\nprint(*sorted({{m.split('.')[0] for m in sys.modules}}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_the_core_loads_no_screen():
    core = "paxtui.pax.decide, paxtui.pax.orders.notation, paxtui.pax.position.view, paxtui.engine.game"
    assert not loaded(f"import {core}") & set(HEAVY)


def test_the_client_starts_without_heavy_libraries():
    assert not loaded("import paxtui.tui.app, paxtui.tui.game.screen") & {"asyncssh", "networkx", "pydantic", "numpy"}


def test_no_module_of_the_core_names_an_area():
    """Area names belong to data: the code of the rules finds them by table."""
    import ast
    from pathlib import Path

    from paxtui.table.tables import load_tables

    names = set(load_tables().areas)
    found = []
    for path in sorted(Path(__file__).parent.parent.glob("paxtui/pax/**/*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        docs = {
            id(node.body[0].value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef)
            and node.body
            and isinstance(node.body[0], ast.Expr)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and node.value in names and id(node) not in docs:
                found.append(f"{path.name}:{node.lineno} {node.value}")
    assert not found
