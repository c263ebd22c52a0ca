"""Players of a server study their game there as their seat, with notes in their own directory."""

from __future__ import annotations

from pathlib import Path

from paxtui.cli.hosting.remote_screen import SeatApp
from paxtui.engine.log import parse
from paxtui.engine.seats import SPECTATOR
from paxtui.studies.study import load_study, study_path
from paxtui.tui.base.settings import Settings
from paxtui.tui.game.screen import GameScreen
from paxtui.tui.study.screen import StudyScreen
from paxtui.tui.study.tree import TreeScreen
from tests.server.waiting import in_movement, wait
from tests.tui.playing import press, wait_for_keys

SECRET = "zanzibarplan"


def _own_logs(home: Path) -> list[Path]:
    return sorted((home / "studies").rglob("*.jsonl"))


async def test_player_studies_a_running_game_as_their_seat(running, home):
    britain, france = running.session("britain"), running.session("france")
    in_movement(britain, france)
    britain.act_text(f"treaty {SECRET} with germany secret: non-aggression")
    britain.act_text("place interest siam")
    wait(france, lambda: france.live.areas["siam"].markers)
    app = SeatApp(france, Settings(reports="none", remind=False, animation=False))
    async with app.run_test(size=(160, 50)) as pilot:
        await wait_for_keys(pilot)
        study = await press(pilot, "y")
        assert isinstance(study, StudyScreen) and study.session.viewpoints == ("france",)
        (log,) = _own_logs(home)
        exported = running.hub.games.game("friday").log_of("france").whole()
        assert log.read_bytes() == exported and SECRET.encode() not in exported
        await press(pilot, "k", *"Why", "f10")
        (comment,) = load_study(study_path(log)).chapters[0].comments
        assert comment.text == "Why" and comment.author == "France"

        await press(pilot, "b")
        assert isinstance(app.screen, StudyScreen), "no branch: the processors are the host's"
        await press(pilot, "y")
        await press(pilot, "a")
        assert isinstance(app.screen, TreeScreen), "no other file: they are the host's"
        await press(pilot, "escape", "X")
        assert isinstance(app.screen, StudyScreen)
        back = await press(pilot, "q")
        assert isinstance(back, GameScreen) and not isinstance(back, StudyScreen) and not france.trouble

        france.act_text("place interest tunis")
        await wait_for_keys(pilot)
        again = await press(pilot, "y")
        assert isinstance(again, StudyScreen) and again.session.version == france.version
        assert [one.text for one in again.session.log.comments] == ["Why"]


def test_spectator_cannot_study_a_running_game(running, home):
    assert running.session(SPECTATOR).log_to_study() is None and not _own_logs(home)


def test_study_path_ignores_slashes_in_the_name(running, home):
    france = running.session("france")
    france.game.name = "../../x/y"
    path = france.log_to_study()
    assert path.parent.parent == home / "studies" and parse(path.read_bytes()).tip == france.game.game.tip
