"""Fuzzing finds no fault, and finds, shortens and saves planted ones.

`PAXTUI_FUZZ=50 pytest tests/tools/test_fuzz.py` plays fifty times as many games.
"""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from random import Random

import msgspec
import pytest

from paxtui.cli.main import main
from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions import actions
from paxtui.games.pax.events import events
from paxtui.games.pax.menus.legal import legal_actions
from paxtui.games.pax.menus.menu import Menu
from paxtui.games.pax.position.setup import seats_for
from paxtui.session.game_host import empty_clock
from paxtui.session.pax_host import PaxHost
from paxtui.simulation import invariants
from paxtui.simulation.invariants import InvariantFault
from tests.rules.agreements import agree, persia, share
from tests.rules.harness import Bench, army, held, start, tables
from tools.fuzz import checks
from tools.fuzz import games as fuzzing

GAME_FACTOR = max(1, int(os.environ.get("PAXTUI_FUZZ", "1")))


@pytest.mark.parametrize("players", fuzzing.PLAYER_KINDS)
@pytest.mark.parametrize("seed", range(GAME_FACTOR))
def test_no_fault_is_found(players: fuzzing.PlayerKind, seed: int, tmp_path: Path) -> None:
    tally = fuzzing.play_trial(tables(), str(seed), players, 60, tmp_path)
    assert tally.finding is None
    assert tally.acts > 20
    assert players != "hostile" or tally.refused > 5


def test_seed_like_the_id_of_a_random_event_is_no_leak() -> None:
    assert fuzzing.play_trial(tables(), "2-2", "random", 1).finding is None  # this Event happens in the first Game Turn


def test_same_seed_tries_the_same_game() -> None:
    first, second = (fuzzing.play_trial(tables(), "again", "hostile", 40) for _ in range(2))
    assert (first.acts, first.refused) == (second.acts, second.refused)


def test_wrong_menu_is_found_shortened_and_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def generous(tables_: object, state: object, seat: str) -> Menu:
        menu = legal_actions(tables_, state, seat)  # type: ignore[arg-type]
        if getattr(state, "phase", "") == "movement":
            return replace(menu, actions=(*menu.actions, actions.Pay("spain", 5)))
        return menu

    monkeypatch.setattr(checks, "legal_actions", generous)
    tally = fuzzing.play_trial(tables(), "x", "random", 60, tmp_path)
    assert tally.finding is not None and tally.finding.kind == "menu" and "pay spain 5" in tally.finding.found
    with PaxHost.open(Path(tally.finding.file), write=False) as table:
        # the first line with the fault is the first of the Movement Phase
        assert table.state.phase == "movement" and table.version == tally.finding.line
        assert table.game.seek(table.version - 1).phase != "movement"
    report = json.loads(Path(tally.finding.file).with_suffix(".fault.json").read_text("utf-8"))
    assert report["kind"] == "menu" and report["line"] == tally.finding.line
    assert main(["fuzz", "--again", tally.finding.file]) == 1
    monkeypatch.undo()
    assert main(["fuzz", "--again", tally.finding.file]) == 0
    assert "no fault" in capsys.readouterr().out


def test_log_that_does_not_verify_is_found_and_shortened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PaxHost, "verify", lambda self: ["line 7"] if self.version >= 7 else [])
    tally = fuzzing.play_trial(tables(), "v", "random", 12, tmp_path)
    assert tally.finding is not None and tally.finding.kind == "log" and tally.finding.line == 7
    assert Path(tally.finding.file).read_bytes().count(b"\n") == 7
    assert main(["fuzz", "--again", tally.finding.file]) == 1
    monkeypatch.undo()
    assert main(["fuzz", "--again", tally.finding.file]) == 0


def test_position_that_changes_in_json_is_found() -> None:
    g = start({"phase": "movement", "powers": {"france": {"treasury": 20}}})
    checks.check_round_trip(g.state)
    listed = msgspec.structs.replace(g.state, ready=["france"])  # decoded from JSON it is a tuple
    with pytest.raises(InvariantFault, match="round trip"):
        checks.check_round_trip(listed)
    with pytest.raises(InvariantFault, match="different position"):
        log = PaxHost.new(g.tables, g.state.players, "1", {}, undo="free").log()
        checks.check_log(g.tables, log, g.state)


def test_processes_try_the_same_games() -> None:
    trials = [fuzzing.FuzzTrial(f"j{n}", "hostile", 12) for n in range(3)]
    here = [(tally.acts, tally.refused) for tally in fuzzing.run_trials(trials, 1)]
    there = [(tally.acts, tally.refused) for tally in fuzzing.run_trials(trials, 2)]
    assert sorted(here) == sorted(there) and all(acts for acts, _ in here)
    assert list(fuzzing.run_trials(trials, 1, seconds=1e-9)) == []


def test_internal_error_is_reported_with_its_act(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    act = PaxHost.act

    def clumsy(self: PaxHost, seat: str, asked: object, auto: bool = False) -> object:
        if isinstance(asked, actions.Place):
            raise ZeroDivisionError("by zero")
        return act(self, seat, asked, auto)  # type: ignore[arg-type]

    monkeypatch.setattr(PaxHost, "act", clumsy)
    tally = next(t for n in range(9) if (t := fuzzing.play_trial(tables(), f"z{n}", "random", 120, tmp_path)).finding)
    assert tally.finding is not None
    assert tally.finding.kind == "ZeroDivisionError" and tally.finding.asked["type"] == "place"
    with PaxHost.open(Path(tally.finding.file), write=False) as table:
        assert table.version == tally.finding.line


def spent() -> tuple[Bench, list[events.Event]]:
    """Return the game after a purchase, and its events."""
    g = start({"phase": "movement", "powers": {"france": {"treasury": 20}}})
    return g, g.act("france", "build A3")


def test_unexplained_money_is_found() -> None:
    before = start({"phase": "movement", "powers": {"france": {"treasury": 20}}}).state
    g, events = spent()
    invariants.audit_events(g.tables, before, events, g.state)
    for left_out in ("TreasuryChanged", "UnitsBuilt"):
        with pytest.raises(InvariantFault):
            invariants.audit_events(g.tables, before, [e for e in events if type(e).__name__ != left_out], g.state)


def test_unpaid_marker_is_found_unless_a_congress_grants_it() -> None:
    g = persia()
    before = g.state
    agree(g, share("persia", "britain", "russia", "france"), congress=True)
    invariants.audit_events(g.tables, before, g.last, g.state)
    bought = [msgspec.structs.replace(e, rules=()) if isinstance(e, events.MarkerPlaced) else e for e in g.last]
    with pytest.raises(InvariantFault, match="unpaid marker"):
        invariants.audit_events(g.tables, before, bought, g.state)


def test_whole_game_is_audited_line_by_line(monkeypatch: pytest.MonkeyPatch) -> None:
    table = PaxHost.new(tables(), seats_for(4), "audited", {}, undo="free", clock=empty_clock)
    table.advance()
    table.act("france", "build A1")
    invariants.check_course(table)
    events = table.game.events
    last = table.version
    monkeypatch.setattr(table.game, "events", lambda n: () if n == last else events(n))
    with pytest.raises(InvariantFault):
        invariants.check_course(table)


def test_impossible_position_is_found() -> None:
    g = start({"phase": "movement", "areas": {"tunis": held("france", "protectorate", army("france"))}})
    tunis = g.state.areas["tunis"]
    doubled = msgspec.structs.replace(tunis, markers=tunis.markers * 2)
    state = msgspec.structs.replace(g.state, areas={**g.state.areas, "tunis": doubled})
    invariants.check_possible(g.tables, g.state)
    with pytest.raises(InvariantFault):
        invariants.check_possible(g.tables, state)
    with pytest.raises(InvariantFault, match="position"):
        checks.check_setup(g.tables, state)


def test_menu_that_reveals_a_secret_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    g = start({"phase": "movement", "powers": {"france": {"treasury": 20}}})
    g.do("france", actions.Pay("italy", 5))

    def gossip(tables_: object, state: object, seat: str) -> Menu:
        menu = legal_actions(tables_, state, seat)  # type: ignore[arg-type]
        return replace(menu, actions=(*menu.actions, *(actions.Pass() for _ in getattr(state, "choices", ()))))

    checks.check_secrecy(g.tables, g.state, "britain")
    monkeypatch.setattr(checks, "legal_actions", gossip)
    with pytest.raises(InvariantFault, match="secrecy"):
        checks.check_secrecy(g.tables, g.state, "britain")


def test_ambiguous_notation_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    g = start({"phase": "movement"})
    legal = legal_actions(g.tables, g.state, "france").actions
    monkeypatch.setattr(checks, "legal_actions", lambda *_: Menu(g.tables, "france", (*legal[:3], legal[0])))
    with pytest.raises(InvariantFault, match="notation"):
        checks.check_menu(g.tables, g.state, "france", Random(1), True)
    monkeypatch.setattr(Menu, "texts", lambda self: iter(["READY"]))
    with pytest.raises(InvariantFault, match="notation"):
        checks.check_menu(g.tables, g.state, "france", Random(1), True)


def test_command_counts_and_refuses_bad_arguments(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["fuzz", "--games", "1", "--plies", "20", "--players", "hostile", "--out", str(tmp_path / "f"), "--json"]
    assert main(words) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["games"] == 1 and report["faults"] == [] and report["acts"] > 0
    assert main(["fuzz", "--players", "angels"]) == 2
    assert main(["fuzz", "--games", "0"]) == main(["fuzz", "--jobs", "0"]) == main(["fuzz", "--thorough", "0"]) == 2
    assert ARBITER not in capsys.readouterr().out
