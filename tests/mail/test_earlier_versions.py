"""Mail games that an earlier version began: they open, their stops go on in today's way, and nothing is lost."""

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


def cut(root: Path, here: Callable[[State], bool]) -> GamemasterService:
    """The kept game as it was when it came to a stop, with the terms that version 0.2.0 wrote: who was asked then."""
    folder = GameDirectory(Path(copytree(KEPT, root / "game")))
    with PaxHost.open(folder.game, write=False) as table:
        stop, line = next(
            (n, line) for n, line in enumerate(reports.adjudications(table), 1) if here(table.game.seek(line.n))
        )
        state = table.game.seek(line.n)
    folder.game.write_bytes(b"".join(part + b"\n" for part in folder.game.read_bytes().split(b"\n")[: line.n]))
    asked = tuple(dict.fromkeys(c.seat for c in state.choices if c.about.pressing)) or state.players
    after = datetime.fromisoformat(line.time) + timedelta(days=40)
    terms = replace(read_terms(folder), stop=stop, over=False, waits_for=asked, asks="the Congress of Europe")
    open_ = replace(terms, desk_key="", keys={}, fair="", dice="", hashes={})  # the keys of the kept game are gone
    write_terms(folder, replace(open_, deadline=(after - timedelta(days=1)).isoformat()))
    return GamemasterService(folder, lambda: after)


def kinds(state: State) -> set[str]:
    """What is asked at a position."""
    return {c.kind for c in state.choices}


@pytest.mark.parametrize("asked", [{"attend", "invite"}, {"propose"}, {"ballot"}], ids=["attend", "propose", "ballot"])
def test_a_congress_that_an_earlier_version_began_goes_on(tmp_path: Path, asked: set[str]) -> None:
    desk = cut(tmp_path, lambda state: bool(kinds(state)) and kinds(state) <= asked)
    status = desk.status()
    assert status.closed and status.missing, "nobody has sent anything, and the deadline has passed"
    desk.adjudicate()
    with PaxHost.open(desk.folder.game, write=False) as table:
        assert table.game.header.rules == 2 and table.state.congress is not None
    assert "report" in (desk.folder.reports_of(desk.terms.stop) / "public.txt").read_text("utf-8")
    assert msgspec.json.decode(desk.folder.terms.read_bytes())["waits_for"]
