"""No export contains hidden information by default: each file that paxtui writes is searched for secret words."""

from __future__ import annotations

from pathlib import Path

import pytest

from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.session.pax_host import PaxHost
from tests.cli.commands import inside
from tests.pax.diplomats import SEATS
from tests.pax.secrets import TrackedGame
from tests.samples import sample
from tests.tui.secret_games import secret_game

pytestmark = [pytest.mark.slow, pytest.mark.random]

STEPS = 70
EXPORTS = {
    "page.html": ("share", "-o", "page.html"),
    "game.cast": ("share", "--cast", "-o", "game.cast"),
    "text.txt": ("share", "--text", "-o", "text.txt"),
    "stats.html": ("stats", "--html", "-o", "stats.html"),
    "stats.json": ("stats", "--json", "-o", "stats.json"),
    "chronicle.html": ("chronicle", "--html", "-o", "chronicle.html"),
    "chronicle.md": ("chronicle", "--markdown", "-o", "chronicle.md"),
    "map.svg": ("picture", "-o", "map.svg"),
    "review.json": ("review", "--rollouts", "0", "--json"),
}
"""Files, each with the command that writes it from a log, or prints it."""
PAGES = tuple(name for name in EXPORTS if name != "map.svg")
"""Exports that take `--seat`."""


def export(folder: Path, name: str, *more: str) -> str:
    """Write an export of game.jsonl and return its text in lower case."""
    command, *words = EXPORTS[name]
    done = inside(folder, command, "game.jsonl", *words, *more)
    assert done.returncode == 0, (name, done.stderr)
    if "-o" not in words:
        (folder / name).write_bytes(done.stdout)
    return (folder / name).read_text("utf-8").casefold()


@pytest.mark.parametrize("seed", range(sample(1, 20)))
def test_exports_contain_no_secret_word(seed: int, tmp_path: Path) -> None:
    """Names, ids and articles of secret Treaties, offers, and sealed and open dispatches."""
    game = TrackedGame(f"exported {seed}")
    for _ in range(STEPS):
        game.step()
    game.table.save_as(tmp_path / "game.jsonl")
    hidden = [secret.word for secret in game.secrets if SPECTATOR not in secret.seats]
    assert len(hidden) > 5
    for name in EXPORTS:
        text = export(tmp_path, name)
        assert not [word for word in hidden if word in text], name
    seat = SEATS[seed % len(SEATS)]
    others = [secret.word for secret in game.secrets if seat not in secret.seats]
    for name in PAGES:
        text = export(tmp_path, name, "--seat", seat)
        assert not [word for word in others if word in text], (name, seat)


def finished_game() -> PaxHost:
    """A game that is over, with the secret Treaty of Biarritz between Britain and France."""
    host = secret_game()
    while host.state.result is None:
        host.act(ARBITER, {"type": "advance", "force": True})
    return host


def test_exports_of_a_finished_game_keep_secrets(tmp_path: Path) -> None:
    finished_game().save_as(tmp_path / "game.jsonl")
    for name in ("page.html", "game.cast", "text.txt"):
        assert "biarritz" not in export(tmp_path, name) and "zz9qa" not in (tmp_path / name).read_text()
        assert "biarritz" not in export(tmp_path, name, "--seat", "germany")
    assert "biarritz" in export(tmp_path, "page.html", "--seat", "france")
    assert "biarritz" in export(tmp_path, "page.html", "--all")
