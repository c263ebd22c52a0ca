"""The commands `doctor`, `completion` and `man`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pexpect
import pytest

from paxtui.cli import installation
from paxtui.cli.installation import BAD, GOOD, NOTE, TerminalAnswer, check_terminal
from paxtui.cli.main import COMMANDS, main
from tests.cli import commands
from tests.places import GOLDEN
from tests.waiting import PATIENCE


def report(home: Path) -> tuple[int, dict[str, list[str]]]:
    """Run `doctor`; return its exit code, and verdict and text of each part."""
    done = commands.paxtui(home, "doctor", "--json")
    parsed = json.loads(done.stdout)
    assert parsed["works"] == (done.returncode == 0)
    return done.returncode, {part: rest for part, *rest in parsed["checks"]}


def test_fresh_installation_is_sound(tmp_path):
    code, checks = report(tmp_path)
    assert code == 0
    assert checks["saved games"] == [GOOD, "none yet"] and checks["data"] == [GOOD, str(tmp_path)]
    assert checks["terminal"][0] == NOTE and "--plain" in checks["terminal"][1]


def test_problems_are_named_with_their_file(tmp_path):
    (tmp_path / "settings.toml").write_text("theme = \n")
    (tmp_path / "keymap.toml").write_text('"game.nothing" = "x"\n')
    saves = tmp_path / "saves"
    saves.mkdir()
    (saves / "good.jsonl").write_bytes(GOLDEN.read_bytes())
    (saves / "bad.jsonl").write_text("nonsense\n")
    code, checks = report(tmp_path)
    assert code == 1
    assert checks["settings.toml"][0] == BAD and "line 1" in checks["settings.toml"][1]
    assert checks["keymap.toml"][0] == NOTE and "game.nothing" in checks["keymap.toml"][1]
    assert checks["saved game"][0] == NOTE and "bad.jsonl" in checks["saved game"][1]
    assert checks["saved games"] == [GOOD, "1 can be opened"]


def test_unusable_directory_is_a_problem(tmp_path):
    (tmp_path / "home").write_text("a file")
    done = commands.paxtui(tmp_path, "doctor", PAXTUI_HOME=str(tmp_path / "home/paxtui"))
    assert done.returncode == 1 and b"is not a directory" in done.stdout
    done = commands.paxtui(tmp_path, "doctor", PAXTUI_HOME="~nobody-here/x")
    assert done.returncode == 1 and b"no such user" in done.stdout


def test_full_disk_is_a_problem(tmp_path, monkeypatch):
    monkeypatch.setattr(installation, "MIN_FREE_BYTES", 1 << 62)
    check = installation._check_directory("data", tmp_path)
    assert check.verdict == BAD and "MB free" in check.text


@pytest.mark.parametrize(
    ("found", "kind", "part", "verdict", "text"),
    [
        (TerminalAnswer(True, "", 50, 24), "xterm", "size", BAD, "80 by 24"),
        (TerminalAnswer(True, "", 70, 22), "xterm", "size", NOTE, "better"),
        (TerminalAnswer(True, "", 160, 50), "xterm", "size", GOOD, "160 columns"),
        (TerminalAnswer(True, "", 160, 50), "dumb", "terminal", BAD, "--plain"),
        (TerminalAnswer(True, "\x1bP1+r524742=38\x1b\\", 80, 24), "xterm", "colours", GOOD, "24-bit"),
        (TerminalAnswer(True, "", 80, 24), "xterm-256color", "colours", NOTE, "COLORTERM"),
        (TerminalAnswer(True, "", 80, 24), "xterm-16color", "colours", NOTE, "16; if"),
        (TerminalAnswer(True, "", 80, 24), "xterm-mono", "colours", NOTE, "xterm-mono has none: set NO_COLOR=1"),
        (TerminalAnswer(True, "\x1b[?1u\x1b[?62c", 80, 24), "xterm", "keys", GOOD, "modifiers"),
        (TerminalAnswer(True, "\x1b[?1006;2$y", 80, 24), "xterm", "mouse", GOOD, "can be used"),
        (TerminalAnswer(True, "", 80, 24), "linux", "mouse", NOTE, "has a key"),
    ],
)
def test_terminal_is_checked_by_its_answers(monkeypatch, found, kind, part, verdict, text):
    for name in ("COLORTERM", "NO_COLOR", "TMUX", "TERM_PROGRAM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", kind)
    monkeypatch.setenv("FORCE_COLOR", "1")
    check = next(check for check in check_terminal(found) if check.part == part)
    assert check.verdict == verdict and text in check.text


@pytest.mark.pty
@pytest.mark.parametrize("answers", [True, False])
def test_real_terminal_is_queried_and_restored(tmp_path, answers):
    words = ["-m", "paxtui.cli.main", "doctor"]
    env = commands.environment(tmp_path, TERM="xterm-256color")
    child = pexpect.spawn(sys.executable, words, env=env, dimensions=(50, 160), timeout=PATIENCE, encoding="utf-8")
    child.setecho(False)
    child.expect_exact("\x1b[c")
    if answers:
        child.send("\x1b[?1u\x1b[?1006;2$y\x1b[?62;4c")
    child.expect_exact("160 columns, 50 lines")
    child.expect_exact("every key with its modifiers" if answers else "the usual keys")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


def test_completion_of_bash_has_commands_and_options(tmp_path):
    home = {"XDG_DATA_HOME": str(tmp_path / "share"), "HOME": str(tmp_path)}
    done = commands.paxtui(tmp_path, "completion", "bash", "--install", **home)
    assert done.returncode == 0, done.stderr
    path = tmp_path / "share/bash-completion/completions/paxtui"
    script = f"""source {path}
    COMP_WORDS=(paxtui veri); COMP_CWORD=1; _shtab_paxtui; echo "${{COMPREPLY[@]}}"
    COMP_WORDS=(paxtui new --pl); COMP_CWORD=2; _shtab_paxtui; echo "${{COMPREPLY[@]}}" """
    found = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=PATIENCE)
    command, options = found.stdout.splitlines()
    assert command.strip() == "verify" and {"--plain", "--players"} <= set(options.split()), found.stderr


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_completion_of_other_shells_is_installed(tmp_path, shell, monkeypatch, capsys):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    assert main(["completion", shell, "--install"]) == 0
    path = installation.completion_path(shell)
    assert path.is_relative_to(tmp_path) and str(path) in capsys.readouterr().out
    assert all(name in path.read_text("utf-8") for name in COMMANDS)


def test_man_page_has_all_commands_and_options(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert main(["man", "--install"]) == 0
    text = (tmp_path / "man/man1/paxtui.1").read_text("utf-8").replace("\\-", "-")
    assert text.startswith(".TH PAXTUI") and all(f"paxtui {name}" in text for name in COMMANDS)
    assert "--players" in text and "Generated" not in text
    capsys.readouterr()


def test_desktop_entry_starts_the_program_in_a_terminal(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(installation.shutil, "which", lambda name: "/opt/my games/100%/paxtui")
    assert main(["desktop", "--install"]) == 0
    lines = (tmp_path / "applications/paxtui.desktop").read_text("utf-8").splitlines()
    assert lines[0] == "[Desktop Entry]" and "Terminal=true" in lines
    assert 'Exec="/opt/my games/100%%/paxtui"' in lines
    assert "Exec=/usr/bin/paxtui" in installation.desktop_entry("/usr/bin/paxtui")
    capsys.readouterr()


def test_missing_extra_is_named_with_its_install_command(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "shtab", None)
    assert main(["completion", "bash"]) == 2
    assert "pip install" in capsys.readouterr().err
