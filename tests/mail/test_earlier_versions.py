"""Mail games of earlier versions are opened and continued."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from shutil import copytree

import msgspec
import pytest
from msgspec.structs import replace

from paxtui.games.pax.state.model import State
from paxtui.mail import reports
from paxtui.mail.game_directory import GameDirectory, read_terms, write_terms
from paxtui.mail.gamemaster import GamemasterService
from paxtui.session.pax_host import PaxHost
from tests.mail.whole_game import KEPT


def game_at_stop(root: Path, is_wanted: Callable[[State], bool]) -> GamemasterService:
    """Return the saved game at its first stop of a kind, with the terms that version 0.2.0 wrote."""
    folder = GameDirectory(Path(copytree(KEPT, root / "game")))
    with PaxHost.open(folder.game, write=False) as table:
        stop, line = next(
            (n, line) for n, line in enumerate(reports.adjudications(table), 1) if is_wanted(table.game.seek(line.n))
        )
        state = table.game.seek(line.n)
    folder.game.write_bytes(b"".join(part + b"\n" for part in folder.game.read_bytes().split(b"\n")[: line.n]))
    asked = tuple(dict.fromkeys(c.seat for c in state.choices if c.about.pressing)) or state.players
    after = datetime.fromisoformat(line.time) + timedelta(days=40)
    terms = replace(read_terms(folder), stop=stop, over=False, waits_for=asked, asks="the Congress of Europe")
    open_ = replace(terms, desk_key="", keys={}, fair="", dice="", hashes={})  # the keys of the saved game are lost
    write_terms(folder, replace(open_, deadline=(after - timedelta(days=1)).isoformat()))
    return GamemasterService(folder, lambda: after)


def kinds(state: State) -> set[str]:
    """Return the kinds of open questions at a position."""
    return {c.kind for c in state.choices}


@pytest.mark.parametrize("asked", [{"attend", "invite"}, {"propose"}, {"ballot"}], ids=["attend", "propose", "ballot"])
def test_congress_of_an_earlier_version_continues(tmp_path: Path, asked: set[str]) -> None:
    service = game_at_stop(tmp_path, lambda state: bool(kinds(state)) and kinds(state) <= asked)
    status = service.status()
    assert status.closed and status.missing, "no form was sent, and the deadline has passed"
    service.adjudicate()
    with PaxHost.open(service.folder.game, write=False) as table:
        assert table.game.header.rules == 2 and table.state.congress is not None
    assert "report" in (service.folder.reports_of(service.terms.stop) / "public.txt").read_text("utf-8")
    assert msgspec.json.decode(service.folder.terms.read_bytes())["waits_for"]
