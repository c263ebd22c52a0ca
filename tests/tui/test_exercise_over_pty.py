"""A naval battle by keys of the real program: a fight off Brest and a chase at sea."""

from __future__ import annotations

from pathlib import Path

from paxtui.games.empires.events.sea import CombatDecided, EvasionRolled, WindRolled
from paxtui.session.hosts import open_game
from tests.tui.terminal import Terminal, save_quiet_settings


def give_order(screen: Terminal, text: str, *wanted: str, gone: str = "") -> None:
    """Type an order and wait for texts."""
    screen.press(":")
    screen.wait("Order")
    screen.type(text + "\r")
    screen.wait(*wanted, gone=gone or "╭─ Order")


def test_naval_battle_by_keys(tmp_path: Path) -> None:
    log = tmp_path / "channel.jsonl"
    save_quiet_settings(tmp_path)
    words = ("new", "--game", "empires", "--exercise", "channel-1805", "--seed", "3", "--file", str(log))
    screen = Terminal(tmp_path, *words, columns=140, rows=45, attentive=True)
    try:
        screen.wait("drawn by us", "July 1805", "Spain is to act", "FR port fr1 21")
        skip_reinforcement(screen)
        give_order(screen, "announce spain", "France is to act", "movement")
        # a break-out: the blockader is asked and has the wind gauge
        give_order(screen, "sail fr1 to bay_of_biscay", "Great Britain is asked", " off_brest")
        screen.press("Down", "Enter")
        screen.wait("France is to act", "Battle at off Brest", "naval victory")
        give_order(screen, "sail fr2 to bay_of_biscay,western_approaches", "fr2 6", "France is to act")
        give_order(screen, "done", "Spain is to act")
        give_order(screen, "done", "Great Britain is to act")
        # a chase: the attacked fleet stands, then sails to a port
        asked = "France is asked whether to intercept the stack at"
        give_order(screen, "sail gb6 to channel,western_approaches", f"{asked} Channel")
        screen.press("Down", "Down", "Enter")
        screen.wait(f"{asked} Western Approaches")
        screen.press("Down", "Down", "Enter")
        screen.wait("Great Britain is to act", "GB gb6 8")
        give_order(screen, "done", "combat", "strike france at western_approaches")
        screen.press("Down", "Down", "Enter")
        screen.wait("France is asked whether to evade", " evade", " stand")
        screen.press("Down", "Down", "Enter")
        screen.wait("Battle at", "Western Approaches")
        for _ in range(4):  # retreat and pursuit
            if "is asked" not in screen.text.splitlines()[1]:
                break
            screen.press("Down", "Enter")
            screen.still()
        screen.wait("August 1805")
        screen.press("q")
        screen.wait("Leave the exercise?")
        screen.press("y")
    finally:
        screen.close()
    check_log(log)


def skip_reinforcement(screen: Terminal) -> None:
    """Skip the reinforcements of all Powers."""
    steps = (("Spain", "France is to act"), ("France", "Great Britain is to act"), ("Great Britain", "announce first"))
    for power, then in steps:
        screen.wait(f"{power} is to act")
        give_order(screen, "done", then)


def check_log(log: Path) -> None:
    """Check the battles of the log, and that the log is valid."""
    with open_game(log, write=False) as desk:
        assert desk.verify() == []
        events = [event for line in desk.game.lines_after(1) for event in desk.game.events(line.n)]
    battles = [event for event in events if isinstance(event, CombatDecided)]
    assert [battle.place for battle in battles] == ["off_brest", "western_approaches"]
    assert len([event for event in events if isinstance(event, WindRolled)]) == 1  # off Brest the blockader has it
    assert not [event for event in events if isinstance(event, EvasionRolled)]
