"""A naval battle on the real screen with real keys: a break-out met off Brest, and a chase at sea."""

from __future__ import annotations

from pathlib import Path

from paxtui.games.empires.events.sea import CombatDecided, EvasionRolled, WindRolled
from paxtui.session.hosts import open_game
from tests.tui.terminal import Terminal, quiet


def _order(screen: Terminal, text: str, *wanted: str, gone: str = "") -> None:
    """Type an order, and wait for what the screen shows then."""
    screen.press(":")
    screen.wait("Order")
    screen.type(text + "\r")
    screen.wait(*wanted, gone=gone or "╭─ Order")


def test_a_naval_battle_by_keys(tmp_path: Path) -> None:
    log = tmp_path / "channel.jsonl"
    quiet(tmp_path)
    words = ("new", "--game", "empires", "--exercise", "channel-1805", "--seed", "3", "--file", str(log))
    screen = Terminal(tmp_path, *words, columns=140, rows=45, attentive=True)
    try:
        screen.wait("drawn by us", "July 1805", "Spain is to act", "FR port fr1 21")
        _reinforce(screen)
        _order(screen, "announce spain", "France is to act", "movement")
        # a break-out: the blockader is asked, and has the wind
        _order(screen, "sail fr1 to bay_of_biscay", "Great Britain is asked", " off_brest")
        screen.press("Down", "Enter")
        screen.wait("France is to act", "Battle at off Brest", "naval victory")
        _order(screen, "sail fr2 to bay_of_biscay,western_approaches", "fr2 6", "France is to act")
        _order(screen, "done", "Spain is to act")
        _order(screen, "done", "Great Britain is to act")
        # a chase: attacked at sea, they stand, and run for a port
        asked = "France is asked whether to intercept the stack at"
        _order(screen, "sail gb6 to channel,western_approaches", f"{asked} Channel")
        screen.press("Down", "Down", "Enter")
        screen.wait(f"{asked} Western Approaches")
        screen.press("Down", "Down", "Enter")
        screen.wait("Great Britain is to act", "GB gb6 8")
        _order(screen, "done", "combat", "strike france at western_approaches")
        screen.press("Down", "Down", "Enter")
        screen.wait("France is asked whether to evade", " evade", " stand")
        screen.press("Down", "Down", "Enter")
        screen.wait("Battle at", "Western Approaches")
        for _ in range(4):  # where the beaten go, and who follows
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
    _as_it_should_be(log)


def _reinforce(screen: Terminal) -> None:
    """Nobody has anything to place, or cares to."""
    steps = (("Spain", "France is to act"), ("France", "Great Britain is to act"), ("Great Britain", "announce first"))
    for power, then in steps:
        screen.wait(f"{power} is to act")
        _order(screen, "done", then)


def _as_it_should_be(log: Path) -> None:
    """What the log says of it, and that it is accounted for."""
    with open_game(log, write=False) as desk:
        assert desk.verify() == []
        events = [event for line in desk.game.lines_after(1) for event in desk.game.events(line.n)]
    battles = [event for event in events if isinstance(event, CombatDecided)]
    assert [battle.place for battle in battles] == ["off_brest", "western_approaches"]
    assert len([event for event in events if isinstance(event, WindRolled)]) == 1  # off Brest it was the blockader's
    assert not [event for event in events if isinstance(event, EvasionRolled)]
