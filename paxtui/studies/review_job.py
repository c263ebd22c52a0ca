"""The refinement of a review in the background of a screen: `ReviewJob` runs it in a process of its own.

The process is `python -m paxtui.studies.review_job LOG`. It saves the review beside the log after each position, and
ends when nobody reads its messages.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen
from typing import NoReturn

import msgspec
from msgspec.structs import replace

from paxtui.session.bot_process import pack_message, read_message
from paxtui.session.pax_host import PaxHost
from paxtui.studies.review import Review, review_game, with_advice
from paxtui.studies.review_file import load_review, save_review
from paxtui.studies.review_refinement import ROLLOUTS, merge, refine
from paxtui.studies.rollouts import RolloutPool

COMMAND = (sys.executable, "-m", "paxtui.studies.review_job")


class JobProgress(msgspec.Struct, frozen=True, omit_defaults=True):
    """A message of the process.

    Attributes:
        done, total: number of rollouts.
        review: the review, if it has changed.
        error: why the job has ended, as a sentence without a full stop; "" for no error.
    """

    done: int = 0
    total: int = 0
    review: Review | None = None
    error: str = ""


class ReviewJob:
    """The background job of one log. It can be started again after its end, and then goes on.

    Args:
        log: the log.
        command: the command line of the process; by default `COMMAND`.

    Attributes:
        progress: the last message.
        is_running: whether it runs.
    """

    def __init__(self, log: Path, command: Sequence[str] = ()) -> None:
        self._command = (*(command or COMMAND), str(log))
        self._process: Popen[bytes] | None = None
        self.progress = JobProgress()

    @property
    def is_running(self) -> bool:
        """Whether the process runs."""
        return self._process is not None

    async def run(self, changed: Callable[[JobProgress], None]) -> None:
        """Run to the end. Args: called with each message."""
        if self._process is not None:
            return
        process = self._process = Popen(self._command, stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL)
        assert process.stdout is not None
        try:
            while (data := await asyncio.to_thread(read_message, process.stdout)) is not None:
                self.progress = msgspec.msgpack.decode(data, type=JobProgress)
                changed(self.progress)
            was_stopped = self._process is not process
            code = await asyncio.to_thread(process.wait)
            if code and not was_stopped and not self.progress.error:
                died = "the process of the rollouts has ended; start the review again to continue"
                self.progress = replace(self.progress, review=None, error=died)
        finally:
            self.stop()
        changed(self.progress)

    def stop(self) -> None:
        """Stop the process; what is done stays in the file. Calling it twice does nothing."""
        process, self._process = self._process, None
        if process is not None:
            process.terminate()
            process.wait()


def job_messages(log: Path) -> Iterator[JobProgress]:
    """Refine the review of a log, save it, and yield the progress."""
    try:
        host = PaxHost.open(log, write=False)
        review = merge(review_game(host), load_review(log, host), ROLLOUTS)
        # the rollouts leave the processor to the screen, see `rollouts`
        for step in refine(host, review, RolloutPool(host.game.header, os.cpu_count() or 1)):
            if step.is_kept:
                save_review(log, host, step.review)
            yield JobProgress(step.done, step.total, step.review if step.is_kept or not step.done else None)
        review = with_advice(host, step.review)
        save_review(log, host, review)
        yield JobProgress(step.done, step.total, review)
    except Exception as error:
        yield JobProgress(error=str(error) or type(error).__name__)


def _end(number: int, frame: object) -> NoReturn:
    raise SystemExit(128 + number)


def run_process() -> None:
    """Write the messages of a job to standard output."""
    signal.signal(signal.SIGTERM, _end)  # ends the processes of the rollouts, too
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the screen handles Ctrl-C
    with suppress(OSError), os.fdopen(os.dup(1), "wb") as out:  # the screen may have closed
        for message in job_messages(Path(sys.argv[1])):
            out.write(pack_message(message))
            out.flush()


if __name__ == "__main__":
    run_process()
