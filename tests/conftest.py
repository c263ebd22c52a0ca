"""Markers of tests, fixtures of several folders, and settings that make a run of all tests short."""

import compileall
import gc
import os
import re
import shutil
import signal
import sys
import tempfile
from collections.abc import Generator, Iterable
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

# Each run tries the same examples; HYPOTHESIS_PROFILE=search looks for new ones.
settings.register_profile("stored", derandomize=True, deadline=None)
settings.register_profile("search", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "stored"))

# Without compiled modules, each program that a test starts would compile all of paxtui again, which takes longer than
# most tests, and each test process would rewrite all assertions again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

MEMORY = Path("/dev/shm")
MINIMUM_FREE_BYTES = 1 << 30


def memory_has_room() -> bool:
    """Whether temporary files can be in memory, and executable there."""
    if not MEMORY.is_dir() or not os.access(MEMORY, os.W_OK) or os.statvfs(MEMORY).f_flag & os.ST_NOEXEC:
        return False
    return shutil.disk_usage(MEMORY).free >= MINIMUM_FREE_BYTES


# Each act waits some milliseconds until its line is on disk, and the tests carry out ten thousands of acts. A killed
# program leaves the same files in memory.
if "TMPDIR" not in os.environ and memory_has_room():
    os.environ["TMPDIR"] = str(MEMORY)
    tempfile.tempdir = None


def is_compiled(test: Path) -> bool:
    """Whether pytest has compiled a test module."""
    return any((test.parent / "__pycache__").glob(f"{test.stem}.*-pytest-*.pyc"))


def pytest_sessionstart(session: pytest.Session) -> None:
    """In a fresh clone, let each test process compile a share of all modules; otherwise each would compile all of them.

    Modules with errors are reported when their tests are collected.
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


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect tests without searching for garbage: nearly all new objects are needed to the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """In the quick tier of a run of all tests, do not import folders whose tests it excludes by their marker."""
    is_folder_of_tests = collection_path.parent == Path(__file__).parent
    excluded = re.fullmatch(r"not \(([\w ]+)\)", config.option.markexpr)
    if not is_folder_of_tests or excluded is None or config.args != config.getini("testpaths"):
        return None
    return MARKERS.get(collection_path.name) in excluded.group(1).split(" or ") or None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests by their folder, their fixtures and their kind."""
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
    """Exclude permanent objects (rules, tables, classes and tests) from garbage collection.

    Its thresholds are those of the program.
    """
    if "textual.app" in sys.modules:
        from tests.idle import replace_textual_wait

        replace_textual_wait()
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GARBAGE)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: "Producer") -> "WorkStealingScheduling | None":
    """With `-n`, let idle processes take over tests of busy ones, so that all end together."""
    from xdist.scheduler import WorkStealingScheduling

    return WorkStealingScheduling(config, log) if config.getoption("dist") == "load" else None


@pytest.fixture(scope="session", autouse=True)
def handle_ignored_signals() -> None:
    """Let programs that tests start receive SIGINT and SIGHUP, also if the tests run in the background.

    There the shell or `nohup` ignores these signals. A program inherits that, but it does not inherit a handler.
    """
    for number in (signal.SIGINT, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, lambda *_: None)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty player's directory, and screens without animations."""
    monkeypatch.setenv("PAXTUI_HOME", str(tmp_path))
    monkeypatch.setenv("TEXTUAL_ANIMATIONS", "none")
    return tmp_path
