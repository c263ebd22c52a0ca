"""The statesman at a table: its names, whole games of it, its reasons."""

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


class Strict(PaxHost):
    """A table that counts what is refused."""

    refused: list[str]

    def act(self, seat, asked, *more, **named):  # type: ignore[no-untyped-def]
        """As a table does, but what is refused is written down."""
        try:
            return super().act(seat, asked, *more, **named)
        except Refusal as why:
            if asked != "pass":  # an attack that ends a Phase of the War leaves nothing to pass
                self.refused.append(f"{seat}: {asked}: {why}")
            raise


@pytest.fixture(scope="module")
def played() -> tuple[PaxHost, PaxBotRunner]:
    """A game of four statesmen of several levels and tempers, to its end."""
    table = Strict.new(tables(), seats_for(4), "statesmen", {}, clock=empty_clock)
    assert isinstance(table, Strict)
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


def test_a_game_of_statesmen_comes_to_its_end(played: tuple[PaxHost, PaxBotRunner]) -> None:
    table, _ = played
    assert table.state.result is not None
    lines = [table.game.line(n) for n in range(2, table.version + 1)]
    assert not [line.n for line in lines if line.action.get("force")]
    notes = {line.action["type"] for line in lines if line.kind == "note"}
    assert "seating" in notes <= {"seating", "dispatch"}, "nobody stood in for it"
    assert table.verify() == []


def test_nothing_it_does_is_refused(played: tuple[PaxHost, PaxBotRunner]) -> None:
    table, _ = played
    assert isinstance(table, Strict)
    assert table.refused == []


def test_each_act_has_its_reason(played: tuple[PaxHost, PaxBotRunner]) -> None:
    table, _ = played
    lines = (table.game.line(n) for n in range(2, table.version + 1))
    acts = [line.n for line in lines if line.kind == "act" and line.seat in table.state.players]
    told = ("ready", "garrison", "choose", "pass")
    without = [n for n in acts if not table.game.line(n).why and table.game.line(n).action["type"] not in told]
    assert acts and not without


def test_it_acts_alike_whatever_others_hide() -> None:
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


def test_the_command_seats_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "g.jsonl"
    assert main(["new", "--bot", "italy=statesman:hard:bold", "--file", str(file), "--no-play"]) == 0
    with PaxHost.open(file, write=False) as table:
        assert table.occupant("italy") == SeatOccupant(by="bot", level="hard", temper="bold")
    assert main(["new", "--bot", "italy=statesman:clever", "--file", str(tmp_path / "h.jsonl"), "--no-play"]) == 2
    assert "clever" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "sitter"),
    [
        ("statesman", SeatOccupant(by="bot", level="normal")),
        ("statesman:hard", SeatOccupant(by="bot", level="hard")),
        ("statesman:bold", SeatOccupant(by="bot", level="normal", temper="bold")),
        ("Statesman:Easy:Treacherous", SeatOccupant(by="bot", level="easy", temper="treacherous")),
        ("steady", SeatOccupant(by="bot", level="steady")),
    ],
)
def test_a_name_says_level_and_temper(name: str, sitter: SeatOccupant) -> None:
    assert parse_bot_name(name) == sitter
    assert parse_bot_name(bot_name(sitter)) == sitter


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("statesman:clever", "clever"),
        ("statesman:hard:easy", "easy"),
        ("statesman:bold:cautious", "cautious"),
        ("steady:hard", "only a statesman"),
        ("regent", "there is no bot"),
    ],
)
def test_a_name_that_no_bot_has_is_refused_with_what_there_is(name: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        parse_bot_name(name)
