"""What tests of several rooms need, and what makes a run of all of them short."""

import compileall
import gc
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

from paxtui.cli.main import GARBAGE

if TYPE_CHECKING:
    from xdist.remote import Producer
    from xdist.scheduler import WorkStealingScheduling

MARKERS = {
    "bots": "slow",
    "cli": "pty",
    "server": "ssh",
    "simulation": "slow",
    "tools": "slow",
    "tui": "slow",
}
"""Markers of all tests in a folder. A test without one of these markers belongs to the quick tier."""

# The same examples in each run: a search for new ones is a run of its own.
settings.register_profile("stored", derandomize=True, deadline=None)
settings.register_profile("search", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "stored"))

# Where the environment forbids compiled modules, each program that a test starts compiles the whole of ours anew, which
# takes longer than most of what it is started for, and each process of tests rewrites all assertions anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

MEMORY = Path("/dev/shm")
ROOM = 1 << 30
"""Bytes that must be free there."""


def memory_has_room() -> bool:
    """Whether files can be kept in memory, and programs among them started."""
    if not MEMORY.is_dir() or not os.access(MEMORY, os.W_OK) or os.statvfs(MEMORY).f_flag & os.ST_NOEXEC:
        return False
    return shutil.disk_usage(MEMORY).free >= ROOM


# Each act waits until its line is on the disk, some milliseconds; some ten thousand acts are done here. What a program
# that is killed leaves behind is the same in memory.
if "TMPDIR" not in os.environ and memory_has_room():
    os.environ["TMPDIR"] = str(MEMORY)
    tempfile.tempdir = None


def is_compiled(test: Path) -> bool:
    """Whether a module of tests is there as pytest compiles it."""
    return any((test.parent / "__pycache__").glob(f"{test.stem}.*-pytest-*.pyc"))


def pytest_sessionstart(session: pytest.Session) -> None:
    """Have the processes of a fresh clone compile each module once between them, not once each.

    They read the same modules in the same order: here each first compiles a share of its own. What cannot be read is
    told when its tests are collected.
    """
    config = session.config
    worker: dict[str, Any] = getattr(config, "workerinput", {})
    if not worker or config.args != config.getini("testpaths"):
        return
    number, count = int(worker["workerid"].removeprefix("gw")), worker["workercount"]

    def own_share(files: Iterable[Path]) -> list[Path]:
        return sorted(files)[number::count]

    for module in own_share((config.rootpath / "paxtui").rglob("*.py")):
        compileall.compile_file(module, quiet=2)
    for test in own_share((config.rootpath / "tests").rglob("test_*.py")):
        if not is_compiled(test):
            with suppress(Exception):
                import_module(".".join(test.relative_to(config.rootpath).with_suffix("").parts))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests by their folder, by what they compare, and by how they find their examples."""
    for item in items:
        assert isinstance(item, pytest.Function)
        folder = item.path.relative_to(Path(__file__).parent).parts[0]
        if folder in MARKERS:
            item.add_marker(MARKERS[folder])
        if "compare_screen" in item.fixturenames:
            item.add_marker("snapshot")
        if getattr(item.obj, "is_hypothesis_test", False):
            item.add_marker("random")
        if item.path.stem.endswith("_over_pty"):
            item.add_marker("pty")


def pytest_collection_finish() -> None:
    """Have the collector of garbage leave alone what stays: rules, tables, classes and tests, a million objects.

    It waits as long between two rounds as it does in the program itself.
    """
    if "textual.app" in sys.modules:
        from tests.idle import look_into_the_loop

        look_into_the_loop()
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GARBAGE)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: "Producer") -> "WorkStealingScheduling | None":
    """With `-n`, a process that has done its part takes over tests of another's, so that all end together."""
    from xdist.scheduler import WorkStealingScheduling

    return WorkStealingScheduling(config, log) if config.getoption("dist") == "load" else None


@pytest.fixture(scope="session", autouse=True)
def signals_as_from_a_shell() -> None:
    """Programs that tests start meet every signal, even where the tests themselves run in the background.

    There SIGINT, and under `nohup` SIGHUP, is ignored, and a program inherits that; a handler it does not inherit.
    """
    for number in (signal.SIGINT, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, lambda *_: None)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory of the player's own, and a screen without animation."""
    monkeypatch.setenv("PAXTUI_HOME", str(tmp_path))
    monkeypatch.setenv("TEXTUAL_ANIMATIONS", "none")
    return tmp_path
