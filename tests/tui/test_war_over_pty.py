"""A War of two cycles by keys of the real program: battle with an ally, chosen retreat, lost supply, and a peace."""

from __future__ import annotations

from pathlib import Path

from paxtui.games.pax.events import events
from paxtui.session.pax_host import PaxHost
from tests.places import ROOT
from tests.tui.players import Players
from tests.tui.terminal import Terminal, save_quiet_settings

POSITION = ROOT / "tests" / "golden" / "war.toml"
MAX_QUESTIONS = 6
"""Maximum number of questions about units that must leave."""


def test_war_of_two_cycles_by_keys(tmp_path: Path) -> None:
    log = tmp_path / "war.jsonl"
    save_quiet_settings(tmp_path)
    words = ("new", "--players", "7", "--seed", "1", "--position", str(POSITION), "--file", str(log))
    screen = Terminal(tmp_path, *words, columns=120, rows=40, attentive=True)
    players = Players(screen, log)
    try:
        screen.wait("WAR", "Japan and Great Britain against Russia", "Attacks open")
        attack_with_ally(players)
        choose_retreat(players)
        pass_without_supply(players)
        negotiate_peace(players, log)
    finally:
        screen.close()
    check_log(log)


def attack_with_ally(players: Players) -> None:
    """Let Britain attack in Manchuria and Japan join."""
    players.screen.press("/")
    players.screen.type("manchuria\r")
    players.screen.wait("Manchuria · chinese empire")
    players.keys("Enter", wanted="Attack with armies: 6 against 1")
    players.keys("a", wanted="Attack in Manchuria with armies")
    players.keys("Down", wanted="column 3-1")  # alone the column is the same
    players.act("Enter")
    players.screen.wait("Japan is at the keyboard")
    players.keys("c", wanted="join with all Units there")
    players.act("Enter")


def choose_retreat(players: Players) -> None:
    """Let Russia's army retreat to Inner Mongolia, where it will be cut off, instead of home."""
    players.screen.wait("Russia is at the keyboard")
    players.keys("c", wanted="retreat to?")
    players.keys("Right", wanted="→ Russia   in supply")
    players.keys("Right", wanted="! out of supply")
    assert "→ Inner Mongolia" in players.screen.text
    players.act("Enter")


def pass_without_supply(players: Players) -> None:
    """Let Russia pass, lose Inner Mongolia and Formosa, and continue the War."""
    players.screen.wait("RU moves", "Inner Mongolia will fall", gone="retreat to?")
    players.act("r")
    players.sit("russia", "Russia")
    players.keys("c", wanted="End the War")
    players.keys("Down", wanted="Continue the War")
    players.act("Enter")
    players.screen.wait("Cycle 2")


def negotiate_peace(players: Players, log: Path) -> None:
    """Let Japan propose a peace, and the two others sign it."""
    players.sit("japan", "Japan")
    players.keys("P", wanted="A peace:")
    players.keys("Right", wanted="→ to Japan")  # Manchuria
    players.keys("Down", "Right", "Right", wanted="→ to Great Britain")
    players.act("y")
    for seat, name in (("britain", "Great Britain"), ("russia", "Russia")):
        players.sit(seat, name)
        players.keys("P", wanted="Proposed peace")
        players.act("s")
    for _ in range(MAX_QUESTIONS):
        with PaxHost.open(log, write=False) as table:
            if not table.state.choices:
                break
        players.keys("c", wanted="Enter answer ·")  # the destination of a unit that must leave
        players.act("d")
    players.screen.wait("turn 2")


def check_log(log: Path) -> None:
    """Check the events and the position of the log."""
    with PaxHost.open(log, write=False) as table:
        happened = [e for line in table.game.effective_lines() for e in table.game.events(line.n)]
        state = table.state
    (battle,) = (e for e in happened if isinstance(e, events.BattleFought))
    assert (set(battle.attackers), battle.result) == ({"japan", "britain"}, "DR")
    retreats = [e.path for e in happened if isinstance(e, events.UnitsMoved) and e.reason == "retreat"]
    assert ("manchuria", "inner_mongolia") in retreats
    assert {e.area for e in happened if isinstance(e, events.AreaConquered)} == {
        "manchuria",
        "inner_mongolia",
        "formosa",
    }
    assert any(isinstance(e, events.EndTestsWaived) and e.power == "russia" for e in happened)
    assert not state.wars and state.turn == 2
    held = {a: {m.power for m in state.areas[a].markers} for a in ("manchuria", "formosa", "inner_mongolia")}
    assert held == {"manchuria": {"japan"}, "formosa": {"britain"}, "inner_mongolia": {"russia"}}
