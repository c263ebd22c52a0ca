"""The statesman: whole games, reasons, and names of its levels and tempers."""

from __future__ import annotations

from pathlib import Path

import pytest

from paxtui.bots.pax.registry import bot_name, parse_bot_name
from paxtui.cli.main import main
from paxtui.engine.refusal import Refusal
from paxtui.engine.seating import SeatOccupant
from paxtui.games.pax.position.setup import seats_for
from paxtui.session.bot_runner import suggest_orders
from paxtui.session.game_host import empty_clock
from paxtui.session.pax_bot_runner import PaxBotRunner
from paxtui.session.pax_host import PaxHost
from tests.rules.harness import tables


class RecordingHost(PaxHost):
    """A host that records refused orders."""

    refused: list[str]

    def act(self, seat, asked, *more, **named):  # type: ignore[no-untyped-def]
        """Act as a host does, and record a refusal."""
        try:
            return super().act(seat, asked, *more, **named)
        except Refusal as why:
            if asked != "pass":  # an attack that ends a Phase of the War leaves nothing to pass
                self.refused.append(f"{seat}: {asked}: {why}")
            raise


@pytest.fixture(scope="module")
def finished_game() -> tuple[PaxHost, PaxBotRunner]:
    """A finished game of four statesmen of different levels and tempers."""
    table = RecordingHost.new(tables(), seats_for(4), "statesmen", {}, clock=empty_clock)
    assert isinstance(table, RecordingHost)
    table.refused = []
    names = ("statesman", "statesman:hard:bold", "statesman:easy:cautious", "statesman:normal:treacherous")
    table.seat({seat: parse_bot_name(name) for seat, name in zip(table.state.players, names, strict=True)})
    rivals = PaxBotRunner(table)
    for _ in range(400):
        if table.state.result is not None:
            break
        table.advance()
        rivals.run()
    return table, rivals


def test_game_of_statesmen_ends(finished_game: tuple[PaxHost, PaxBotRunner]) -> None:
    table, _ = finished_game
    assert table.state.result is not None
    lines = [table.game.line(n) for n in range(2, table.version + 1)]
    assert not [line.n for line in lines if line.action.get("force")]
    notes = {line.action["type"] for line in lines if line.kind == "note"}
    assert "seating" in notes <= {"seating", "dispatch"}, "no other bot acts for it"
    assert table.verify() == []


def test_no_order_of_a_statesman_is_refused(finished_game: tuple[PaxHost, PaxBotRunner]) -> None:
    table, _ = finished_game
    assert isinstance(table, RecordingHost)
    assert table.refused == []


def test_each_act_has_a_reason(finished_game: tuple[PaxHost, PaxBotRunner]) -> None:
    table, _ = finished_game
    lines = (table.game.line(n) for n in range(2, table.version + 1))
    acts = [line.n for line in lines if line.kind == "act" and line.seat in table.state.players]
    plain = ("ready", "garrison", "choose", "pass")
    without = [n for n in acts if not table.game.line(n).why and table.game.line(n).action["type"] not in plain]
    assert acts and not without


def test_statesman_does_not_use_hidden_information() -> None:
    table = PaxHost.new(tables(), seats_for(7), "secret", {}, clock=empty_clock)
    table.seat({"france": parse_bot_name("statesman:hard")})
    table.advance()

    def acts() -> list[str]:
        return [f"{act.text} ({act.why})" for act in suggest_orders(table, "france", "statesman:hard")]

    before = acts()
    assert len(before) > 3
    table.act("britain", "treaty Zq with italy: defensive")
    table.act("italy", f"sign {table.state.treaties[0].id}")
    table.act("britain", "pay italy 5")
    assert acts() == before


def test_command_seats_a_statesman(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "g.jsonl"
    assert main(["new", "--bot", "italy=statesman:hard:bold", "--file", str(file), "--no-play"]) == 0
    with PaxHost.open(file, write=False) as table:
        assert table.occupant("italy") == SeatOccupant(by="bot", level="hard", temper="bold")
    assert main(["new", "--bot", "italy=statesman:clever", "--file", str(tmp_path / "h.jsonl"), "--no-play"]) == 2
    assert "clever" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "occupant"),
    [
        ("statesman", SeatOccupant(by="bot", level="normal")),
        ("statesman:hard", SeatOccupant(by="bot", level="hard")),
        ("statesman:bold", SeatOccupant(by="bot", level="normal", temper="bold")),
        ("Statesman:Easy:Treacherous", SeatOccupant(by="bot", level="easy", temper="treacherous")),
        ("steady", SeatOccupant(by="bot", level="steady")),
    ],
)
def test_bot_name_contains_level_and_temper(name: str, occupant: SeatOccupant) -> None:
    assert parse_bot_name(name) == occupant
    assert parse_bot_name(bot_name(occupant)) == occupant


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("statesman:clever", "clever"),
        ("statesman:hard:easy", "easy"),
        ("statesman:bold:cautious", "cautious"),
        ("steady:hard", "only a statesman"),
        ("regent", "there is no bot"),
    ],
)
def test_unknown_bot_name_is_refused(name: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_bot_name(name)
