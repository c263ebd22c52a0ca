"""The commands `doctor`, `completion`, `man` and `desktop`: check the installation, and complete it."""

from __future__ import annotations

import argparse
import importlib
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from paxtui.cli.terminal_query import TerminalAnswer, parse_answers, query_terminal, terminal_program, write_codes

DOCTOR_USAGE = """Check this installation: the terminal, optional parts, and your files.

Exit code 1 means that something does not work. Each line says what to do about it.

examples:
  paxtui doctor                   check, and draw a test picture
  paxtui doctor --json            print the same as JSON
"""

COMPLETION_USAGE = """Let the shell complete the commands of paxtui.

examples:
  paxtui completion bash --install    install it for your next shell
  paxtui completion zsh               print it
"""

DESKTOP_USAGE = """Write a desktop entry, so that the menu of your desktop has paxtui.

examples:
  paxtui desktop --install        install it; paxtui opens in a terminal
  paxtui desktop                  print it
"""

MAN_USAGE = """Write the man page of paxtui.

examples:
  paxtui man --install            install it; then read it with: man paxtui
  paxtui man > paxtui.1           write it to a file
"""

MIN_COLUMNS, MIN_LINES = 60, 20
"""Smallest screen that can be played on."""

COMFORTABLE = 80, 24
MIN_FREE_BYTES = 20 << 20

GOOD, NOTE, BAD = "ok", "note", "problem"

EXTRAS = {
    "ssh": ("asyncssh", "host and join games over SSH"),
    "web": ("textual_serve", "games in a browser"),
    "postgres": ("psycopg", "a server on several machines"),
    "mail": ("nacl", "sealed orders by mail"),
    "picture": ("PIL", "PNG pictures of the map"),
    "cluster": ("distributed", "simulations on several machines"),
    "shell": ("shtab", "completion and man page"),
}
"""Extra -> a module that it installs, and its use."""

SAMPLES = {
    "Braille": "\u28ff\u2847\u28f8\u2801",
    "blocks": "\u2588\u2584\u2590\u2597",
    "lines": "\u250c\u2500\u2510\u2502",
    "signs": "\u00b7\u2605\u2691\u2192\u00a3",
}
"""Characters of the map, by kind."""


class Check(NamedTuple):
    """One line of the report.

    Attributes:
        part: what was checked.
        verdict: GOOD, NOTE or BAD.
        text: the finding, and what to do if it is not good.
    """

    part: str
    verdict: str
    text: str


def doctor_arguments(part: argparse.ArgumentParser) -> None:
    part.add_argument("--json", action="store_true", help="print JSON, without the test picture")


def run_doctor(args: argparse.Namespace) -> int:
    """Print the checks; return 1 if one found a problem."""
    answers = query_terminal()
    checks = [*check_program(), *check_terminal(answers), *check_extras(), *check_files()]
    is_bad = any(check.verdict == BAD for check in checks)
    if args.json:
        import msgspec

        print(msgspec.json.encode({"checks": checks, "works": not is_bad}).decode())
        return int(is_bad)
    wide = max(len(check.part) for check in checks)
    for check in checks:
        print(f"{check.part:<{wide}}  {check.verdict:<8}{check.text}")
    print("\nTest picture: each row must have four different characters of one width, between two bars.")
    for name, characters in SAMPLES.items():
        try:
            print(f"  |{characters}| {name}")
        except UnicodeEncodeError:
            print(f"  |????| {name}: the terminal's encoding lacks them; paxtui draws with letters instead")
    if answers.is_terminal:
        ramp = "".join(f"\x1b[48;2;{40 + 6 * n};{70 + 4 * n};{160 - 4 * n}m \x1b[0m" for n in range(32))
        write_codes(f"  |{ramp}| colours: the row must change evenly, without steps\n")
    return int(is_bad)


def check_program() -> Iterator[Check]:
    """Check Python and the libraries that the program needs."""
    from paxtui import __version__

    yield Check("paxtui", GOOD, f"{__version__}, in {Path(__file__).parents[1]}")
    yield Check("Python", GOOD, sys.version.split()[0])
    for name in ("textual", "rich", "msgspec"):
        try:
            yield Check(name, GOOD, version(name))
        except PackageNotFoundError:
            yield Check(name, BAD, "is missing; install paxtui again with pip")


def check_terminal(found: TerminalAnswer) -> Iterator[Check]:
    """Check size, colours, keys, mouse and characters."""
    kind = os.environ.get("TERM", "")
    if not found.is_terminal:
        yield Check("terminal", NOTE, "input or output is not a terminal; paxtui can only play with --plain here")
    else:
        yield Check("terminal", *_judge_name(kind, terminal_program(found.answers)))
        size = f"{found.columns} columns, {found.lines} lines"
        if found.columns < MIN_COLUMNS or found.lines < MIN_LINES:
            yield Check("size", BAD, f"{size}; make it {COMFORTABLE[0]} by {COMFORTABLE[1]} at least")
        elif found.columns < COMFORTABLE[0] or found.lines < COMFORTABLE[1]:
            yield Check("size", NOTE, f"{size}; {COMFORTABLE[0]} by {COMFORTABLE[1]} is better")
        else:
            yield Check("size", GOOD, size)
        yield Check("colours", *_judge_colours(found.answers, kind))
        yield Check("keys", *_judge_keys(found.answers))
        yield Check("mouse", *_judge_mouse(found.answers, kind))
        yield Check("notifications", *_judge_notifications(terminal_program(found.answers)))
    encoding = (sys.stdout.encoding or "ascii").lower()
    if encoding.replace("-", "") == "utf8":
        yield Check("encoding", GOOD, "UTF-8")
    else:
        yield Check("encoding", NOTE, f"{encoding}; the map is drawn with letters. Set LC_ALL=C.UTF-8 for Braille")


def _judge_name(kind: str, answered: str) -> tuple[str, str]:
    if kind in ("", "dumb", "unknown"):
        return BAD, f"TERM is {kind or 'not set'}; set it to what your terminal is, or play with --plain"
    program = answered or os.environ.get("TERM_PROGRAM", "")
    inside = next((f", in {name}" for name in ("TMUX", "STY", "SSH_TTY") if os.environ.get(name)), "")
    names = {", in TMUX": ", in tmux", ", in STY": ", in screen", ", in SSH_TTY": ", over SSH"}
    return GOOD, f"{kind}{f' ({program})' if program else ''}{names.get(inside, '')}"


MONOCHROME = ("vt52", "vt100", "vt102", "vt220", "vt320")
"""Terminals without colours, beside those whose names end in -mono or -m."""


def _judge_colours(answers: str, kind: str) -> tuple[str, str]:
    from rich.console import Console

    if os.environ.get("NO_COLOR"):
        return NOTE, "none, because NO_COLOR is set"
    depth = "truecolor" if parse_answers(answers).all_colours else Console().color_system
    if depth == "truecolor":
        return GOOD, "24-bit"
    if depth == "256":
        return NOTE, "256; a terminal with 24-bit colour sets COLORTERM=truecolor"
    if kind in MONOCHROME or kind.endswith(("-mono", "-m")):
        return NOTE, f"{kind} has none: set NO_COLOR=1, and signs tell the Powers apart"
    more = "16; if the terminal has more, set COLORTERM=truecolor"
    return NOTE, more if depth else "none; signs tell the Powers apart"


def _judge_notifications(program: str) -> tuple[str, str]:
    from paxtui.tui.rendering.terminal_notifications import is_in_tmux, notification_kind

    kind = notification_kind(program)
    if is_in_tmux(program):
        return NOTE, "the bell; for more, in tmux set: set -g allow-passthrough on"
    return GOOD, f"{'the bell' if kind == 'bell' else kind}; 'paxtui notify test' shows one"


def _judge_keys(answers: str) -> tuple[str, str]:
    if re.search(r"\x1b\[\?\d+u", answers):
        return GOOD, "every key with its modifiers"
    return GOOD, "the usual keys; the terminal cannot tell Ctrl+I from Tab, but paxtui does not need this"


def _judge_mouse(answers: str, kind: str) -> tuple[str, str]:
    found = re.search(r"\x1b\[\?1006;(\d)\$y", answers)
    if found and found.group(1) in "123":
        return GOOD, "can be used" + ("; in tmux set: set -g mouse on" if os.environ.get("TMUX") else "")
    if kind == "linux":
        return NOTE, "not on this terminal; every command has a key"
    return GOOD, "the terminal does not say; every command has a key too"


def check_extras() -> Iterator[Check]:
    """Check which optional parts are installed."""
    from paxtui.session.storage.extras import install_command

    for extra, (module, use) in EXTRAS.items():
        if find_spec(module):
            yield Check(f"extra {extra}", GOOD, use)
        else:
            yield Check(f"extra {extra}", NOTE, f"not installed ({use}): {install_command(extra)}")
    if not shutil.which("ssh"):
        yield Check("ssh", NOTE, "the program ssh is missing; you need it to join games on other machines")


def check_files() -> Iterator[Check]:
    """Check the player's directories, settings, keys and saved games."""
    from paxtui.session.storage.files import StorageError, data_path, player_config, player_data

    try:
        tables = data_path()
    except FileNotFoundError as error:
        yield Check("tables", BAD, str(error))
    else:
        yield Check("tables", GOOD, str(tables))
    try:
        places = {"data": player_data(), "settings": player_config()}
    except StorageError as error:
        yield Check("files", BAD, str(error))
        return
    for name, place in places.items():
        yield _check_directory(name, place)
    yield from _check_settings()
    yield from _check_games()


def _check_directory(name: str, place: Path) -> Check:
    """Check by writing a file into a directory, or that it can be created."""
    existing = place
    while not existing.exists() and existing != existing.parent:
        existing = existing.parent
    if not existing.is_dir():
        return Check(name, BAD, f"{existing} is not a directory; move it away, or set PAXTUI_HOME")
    try:
        with tempfile.TemporaryFile(dir=existing):
            pass
    except OSError as error:
        return Check(name, BAD, f"{place} cannot be written ({error.strerror}); change its rights, or set PAXTUI_HOME")
    free = shutil.disk_usage(existing).free
    if free < MIN_FREE_BYTES:
        return Check(name, BAD, f"{place}: {free >> 20} MB free; games need {MIN_FREE_BYTES >> 20} MB")
    return Check(name, GOOD, f"{place}" + ("" if place.exists() else " (created when needed)"))


def _check_settings() -> Iterator[Check]:
    import tomllib

    from paxtui.session.storage.files import read_regular
    from paxtui.tui.app import all_bindings
    from paxtui.tui.base.keymap import keymap_path, load_keymap
    from paxtui.tui.base.settings import settings_path

    for path in (settings_path(), keymap_path()):
        if not path.exists():
            continue
        try:
            tomllib.loads(read_regular(path).decode("utf-8"))
        except (OSError, ValueError, RecursionError) as error:
            yield Check(path.name, BAD, f"{path} is ignored: {error}")
            continue
        wrong = load_keymap(all_bindings)[1] if path == keymap_path() else []
        if wrong:
            yield Check(path.name, NOTE, f"{path}: {wrong[0]}" + (f", and {len(wrong) - 1} more" if wrong[1:] else ""))
        else:
            yield Check(path.name, GOOD, str(path))


def _check_games() -> Iterator[Check]:
    from paxtui.session.storage.log_store import save_dir
    from paxtui.session.storage.saved_games import list_games

    games = list_games(save_dir()) if save_dir().is_dir() else []
    broken = [game for game in games if game.error]
    for game in broken:
        yield Check("saved game", NOTE, f"{game.path}: {game.error}")
    count = len(games) - len(broken)
    yield Check("saved games", GOOD, f"{count} can be opened" if games else "none yet")


# --- completion and man page ------------------------------------------------------------------------------------------

SHELLS = ("bash", "zsh", "fish")


def completion_arguments(part: argparse.ArgumentParser) -> None:
    part.add_argument("shell", choices=SHELLS, help="your shell")
    part.add_argument("--install", action="store_true", help="write it where the shell looks for it")


def run_completion(args: argparse.Namespace) -> int:
    """Print or install the completion of a shell."""
    with _needs_extra():
        import shtab
    path, hint = completion_path(args.shell), "Start a new shell to use it."
    if args.shell == "zsh":
        hint += f"\nPut this line into ~/.zshrc, before compinit: fpath=({path.parent} $fpath)"
    return _print_or_install(args, f"{shtab.complete(full_parser(), args.shell)}\n", path, hint)


def completion_path(shell: str) -> Path:
    """Return the user's own file for the completion of a shell."""
    data, config = _user_data(), Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return {
        "bash": data / "bash-completion/completions/paxtui",
        "zsh": data / "zsh/site-functions/_paxtui",
        "fish": config / "fish/completions/paxtui.fish",
    }[shell]


def man_arguments(part: argparse.ArgumentParser) -> None:
    part.add_argument("--install", action="store_true", help="write it where man looks for it")


def run_man(args: argparse.Namespace) -> int:
    """Print or install the man page."""
    from paxtui import __version__

    with _needs_extra():
        page = importlib.import_module("argparse_manpage.manpage").Manpage(full_parser())
    page.description = "the board game Pax Britannica in the terminal"
    page.source, page.manual = f"paxtui {__version__}", "Manual of paxtui"
    return _print_or_install(args, f"{page}\n", _user_data() / "man/man1/paxtui.1", "Read it with: man paxtui")


def desktop_arguments(part: argparse.ArgumentParser) -> None:
    part.add_argument("--install", action="store_true", help="write it where desktops look for it")


def run_desktop(args: argparse.Namespace) -> int:
    """Print or install the desktop entry."""
    hint = "It appears in the menu of your desktop, at the latest after the next login."
    path = _user_data() / "applications/paxtui.desktop"
    return _print_or_install(args, desktop_entry(shutil.which("paxtui") or ""), path, hint)


def desktop_entry(program: str) -> str:
    """Return the desktop entry. Args: path of the program; "" to start the module with this Python."""
    words = [program] if program else [sys.executable, "-m", "paxtui.cli.main"]
    lines = [
        "[Desktop Entry]",
        "Type=Application",
        "Version=1.0",
        "Name=Pax Britannica",
        "GenericName=Board game",
        "Comment=The colonial era, 1880 to the Great War",
        f"Exec={' '.join(map(_quote_exec, words))}",
        f"TryExec={words[0]}",
        "Terminal=true",
        "Icon=applications-games",
        "Categories=Game;BoardGame;",
        "Keywords=paxtui;strategy;history;",
    ]
    return "\n".join(lines) + "\n"


def _quote_exec(word: str) -> str:
    """Quote a word of an Exec line as the Desktop Entry Specification requires."""
    if re.fullmatch(r"[A-Za-z0-9_./+-]+", word):
        return word
    escaped = re.sub(r'(["`$\\\\])', r"\\\1", word).replace("%", "%%")
    return '"' + escaped.replace("\\", "\\\\") + '"'


def full_parser() -> argparse.ArgumentParser:
    """Return the parser of all installed commands with all their arguments."""
    from paxtui.cli import main

    top = main.parser()
    choices: dict[str, argparse.ArgumentParser] = {}
    for action in top._actions:
        if isinstance(action, argparse._SubParsersAction):
            choices = action.choices
    for name in main.COMMANDS:
        module = main._module(name)
        choices[name].description = getattr(module, f"{name.upper()}_USAGE")
        getattr(module, f"{name}_arguments")(choices[name])
    return top


@contextmanager
def _needs_extra() -> Iterator[None]:
    from paxtui.cli.runtime import CommandError
    from paxtui.session.storage.extras import install_command

    try:
        yield
    except ModuleNotFoundError as error:
        raise CommandError(f"{error.name} is not installed. Install it with: {install_command('shell')}") from error


def _user_data() -> Path:
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share")


def _print_or_install(args: argparse.Namespace, text: str, path: Path, hint: str) -> int:
    """Print a text, or write it to a file for --install; return the exit code. Args: what to do after that."""
    if not args.install:
        print(text, end="")
        return 0
    from paxtui.session.storage.files import write_named

    path.parent.mkdir(parents=True, exist_ok=True)
    write_named(path, text.encode())
    print(f"Written to {path}. {hint}")
    return 0
