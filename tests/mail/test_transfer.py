"""Mail games that are continued locally and by mail again, and local games that are continued by mail."""

from __future__ import annotations

from pathlib import Path

import pytest

from paxtui.engine.seating import SeatOccupant
from paxtui.games.pax.actions.actions import Adjudicate
from paxtui.games.pax.actions.notation import format_order, parse_order
from paxtui.mail.administration import convert_to_mail
from paxtui.mail.audit import audit_game
from paxtui.mail.game_directory import GameDirectory
from paxtui.session.pax_host import PaxHost
from tests.mail.games import MailGame
from tests.refusals import refused
from tests.rules.harness import tables


@pytest.mark.parametrize("sealed", [False, True])
def test_mail_game_is_continued_locally_and_by_mail_again(tmp_path: Path, home: Path, sealed: bool) -> None:
    game = MailGame(tmp_path)
    game.all_send(france="build A1")
    game.service.adjudicate()
    with PaxHost.open(game.folder.game, clock=game.time.isoformat) as table:  # played locally
        assert table.state.turn == 2 and table.state.phase == "movement"
        table.play("france", "build A3")
        armies = len(table.state.homes["france"])
    service = convert_to_mail(
        GameDirectory.made(tmp_path / "again"), game.folder.game, sealed=sealed, now=lambda: game.time
    )
    terms = service.terms
    assert terms.stop == 3 and terms.waits_for == game.seats and bool(terms.desk_key) == sealed
    with PaxHost.open(service.folder.game, write=False) as table:
        assert (table.state.turn, table.state.phase) == (2, "movement"), "no orders were skipped"
        assert len(table.state.homes["france"]) == armies and table.verify() == []
    game.later(days=29)
    assert service.adjudicate().terms.stop == 4
    assert audit_game(service).fault is None


def test_local_game_with_bots_is_continued_by_mail(tmp_path: Path, home: Path) -> None:
    log = tmp_path / "evening.jsonl"
    with PaxHost.new(tables(), ("britain", "france", "germany", "united_states"), "s", path=log) as table:
        table.seat({"france": SeatOccupant(by="bot", level="steady"), "germany": SeatOccupant(name="Carla")})
    service = convert_to_mail(GameDirectory.made(tmp_path / "mail"), log)
    assert (
        service.terms.waits_for == ("britain", "germany", "united_states")
        and service.terms.players["germany"] == "Carla"
    )
    with PaxHost.new(
        tables(), ("britain", "france", "germany", "united_states"), "s" * 40, path=tmp_path / "fair.jsonl", dice="fair"
    ):
        pass
    assert refused(convert_to_mail, GameDirectory.made(tmp_path / "other"), tmp_path / "fair.jsonl").code == "dice_wait"


def test_notation_of_adjudicate() -> None:
    assert format_order(tables(), Adjudicate(begins=True)) == "adjudicate here"
    assert parse_order(tables(), "adjudicate here") == Adjudicate(begins=True)
