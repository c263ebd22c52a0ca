"""The review on the screen: chances, turning points, the background job, and the strip of a replay."""

from __future__ import annotations

import sys
from pathlib import Path
from shutil import copy

from msgspec.structs import replace

from paxtui.session.pax_host import PaxHost
from paxtui.studies.review import review_game
from paxtui.studies.review_file import review_path, save_review
from paxtui.studies.review_job import ReviewJob
from paxtui.studies.review_refinement import merge
from paxtui.tui.app import PaxApp
from paxtui.tui.base.settings import Settings
from paxtui.tui.game.replay import ReplayScreen
from paxtui.tui.reference_screens.review import ReviewScreen
from tests.places import SAVES
from tests.tui.conftest import screen_text
from tests.tui.playing import press, wait_for_keys
from tests.waiting import until

STUB_JOB = """
import sys, time
from pathlib import Path
from paxtui.session.bot_process import pack_message
from paxtui.session.pax_host import PaxHost
from paxtui.studies.review_job import JobProgress
from paxtui.studies.review_file import load_review
log = Path(sys.argv[1])
out = sys.stdout.buffer
out.write(pack_message(JobProgress(3, 8, load_review(log, PaxHost.open(log, write=False)))))
out.flush()
time.sleep(600)
"""


def copy_log(home: Path) -> Path:
    return Path(copy(SAVES / "ten-turns-four-players.jsonl", home / "game.jsonl"))


def replay(log: Path) -> PaxApp:
    return PaxApp(replay=log, settings=Settings())


async def test_replay_shows_review_and_goes_to_a_turning_point(home):
    log = copy_log(home)
    app = replay(log)
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_for_keys(pilot)
        assert isinstance(app.screen, ReplayScreen)
        session = app.screen.session
        shown = await press(pilot, "D")
        assert isinstance(shown, ReviewScreen)
        text = " ".join(screen_text(app))
        assert "Chances to win" in text and "Turning points" in text and "A statesman would" in text
        second = shown.review.points[1]
        await press(pilot, "down", "enter")
        assert session.line == session.view.number_of(second.line)


async def test_chances_are_shown_below_the_timeline(home):
    app = replay(copy_log(home))
    async with app.run_test(size=(160, 50)) as pilot:
        await wait_for_keys(pilot)
        strip = app.screen.query_one("#chances")
        assert not strip.display
        await press(pilot, "I")
        assert strip.display and strip.region.height == 6
        assert {"GB", "FR", "DE"} <= set(strip.text.plain.split())
        await press(pilot, "I")
        assert not strip.display


async def test_job_shows_progress_and_stops(home):
    """The process is a stub that reports 3 of 8 rollouts and waits."""
    log = copy_log(home)
    host = PaxHost.open(log, write=False)
    review = merge(review_game(host), None, 4)
    first = replace(review.turns[0], rollouts=4, refined=review.turns[0].predicted)
    save_review(log, host, replace(review, turns=(first, *review.turns[1:])))
    app = replay(log)
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_for_keys(pilot)
        app.screen.review._job = job = ReviewJob(log, command=(sys.executable, "-c", STUB_JOB))
        await press(pilot, "D", "r")
        await until(lambda: "3 of 8 rollouts" in " ".join(screen_text(app)), pilot=pilot)
        await until(app.keyboard.is_at_rest, pilot=pilot)  # no key waits for the job
        assert job.is_running
        assert "(████████▋░░" in " ".join(screen_text(app))  # 3 of 8 parts of 23 cells
        assert "by rollouts for 1 Game Turn  100" in " ".join(screen_text(app))
        process = job._process
        await press(pilot, "r")
        await until(lambda: not job.is_running, lambda: str(app.screen), pilot=pilot)
        assert process.poll() is not None
        assert "stop" not in " ".join(screen_text(app))


async def test_damaged_review_is_reported_and_prediction_shown(home):
    log = copy_log(home)
    review_path(log).write_bytes(b"{}")
    app = replay(log)
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_for_keys(pilot)
        shown = await press(pilot, "D")
        assert isinstance(shown, ReviewScreen) and shown.job is None
        assert any("is damaged" in one.message for one in app._notifications)
    assert review_path(log).read_bytes() == b"{}"
