"""The log of a seat: at each line it gives the position that the seat may know, and contains no secret."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from paxtui.cli.main import main
from paxtui.engine.game_log import GameLog
from paxtui.engine.log import parse, parse_further
from paxtui.engine.seats import SPECTATOR
from paxtui.games.pax.game import PaxGame
from paxtui.session.fair_dice import chain_lines
from paxtui.session.game_host import SeatLog
from paxtui.session.hosts import open_game
from paxtui.session.pax_host import PaxHost
from tests.places import SAVES

GAMES = ("congress-0.2.0", "ottoman-war-0.2.0", "rebellion-won-0.2.0", "great-war-0.2.0")


@pytest.mark.parametrize("name", GAMES)
def test_log_of_a_seat_gives_the_position_it_may_know(name):
    with PaxHost.open(SAVES / f"{name}.jsonl", write=False) as table:
        for seat in (*table.state.players, SPECTATOR):
            parsed = parse(SeatLog(table, seat).whole())
            assert parsed.header.seed == ""
            game = GameLog(PaxGame(table.tables), parsed.header, parsed.lines, tip=parsed.tip)
            for number in range(1, game.version + 1):
                assert game.seek(number) == table.state_for(seat, number), (seat, number)


def test_log_of_a_seat_continues_at_a_known_line():
    with PaxHost.open(SAVES / "congress-0.2.0.jsonl", write=False) as table:
        log = SeatLog(table, "france")
        parsed = parse(log.whole())
        half = parse(log.header + b"".join(log.after(1).splitlines(keepends=True)[:10]))
        assert log.holds(11, half.tip)
        assert not log.holds(12, half.tip)
        assert not log.holds(0, half.tip)
        assert not log.holds(10_000, half.tip)
        lines, tip = parse_further(log.after(11), 12, half.tip)
        assert (*half.lines, *lines) == parsed.lines
        assert tip == parsed.tip


@pytest.mark.parametrize(
    ("file", "seat"),
    [("congress-0.2.0", "france"), ("great-war-0.2.0", SPECTATOR), ("empires/danube-1805", "france")],
)
def test_verify_reports_the_log_of_one_seat(file, seat, tmp_path, capsys):
    log = SeatLog(open_game(SAVES / f"{file}.jsonl", write=False), seat).whole()
    path = tmp_path / "seat.jsonl"
    path.write_bytes(log)
    assert main(["verify", str(path)]) == 3
    output = capsys.readouterr().out
    assert "seat.jsonl: the log of one seat;" in output
    assert "check the complete log" in output and "null" not in output

    path.write_bytes(log.replace(b'"n":3,', b'"n":3, ', 1))
    assert main(["verify", str(path)]) == 2


def test_log_without_one_action_is_forged(tmp_path, capsys):
    """Otherwise a forged act could count as an act that is hidden from the seat."""
    parsed = parse((SAVES / "congress-0.2.0.jsonl").read_bytes())
    act = next(line for line in reversed(parsed.lines) if line.kind == "act")
    forged = [replace(line, action=None) if line is act else line for line in parsed.lines]
    path = tmp_path / "forged.jsonl"
    path.write_bytes(chain_lines(parsed.header, forged))
    assert main(["verify", str(path)]) != 0
    output = capsys.readouterr().out
    assert f"line {act.n}" in output and "the log of one seat" not in output
