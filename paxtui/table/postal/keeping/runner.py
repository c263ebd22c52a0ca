"""A mail game without a gamemaster: whatever is due is done, by cron once a while or by a program that stays.

Nothing is kept in mind between two looks: a program that was killed goes on from what was published.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from paxtui.engine.log import BrokenLog
from paxtui.engine.refusal import Refusal
from paxtui.table.postal.desk import Desk

MOST = 100
"""Stops in succession for which nobody is waited for; more would be a mistake of the program."""


def look(desk: Desk) -> Iterator[str]:
    """Do all that is due now; what was done, in a sentence each.

    Raises: Refusal; OSError, and then the next look goes on from what was published.
    """
    for _ in range(MOST):
        found = desk.status()
        if not found.may_open:
            return
        found = desk.adjudicate()
        if found.terms.over:
            yield f"stop {found.terms.stop - 1} was adjudicated: the game is over"
            return
        yield f"stop {found.terms.stop - 1} was adjudicated: stop {found.terms.stop} has begun"


def keep_looking(
    desk: Desk, every: float, say: Callable[[str], None], sleep: Callable[[float], None] = time.sleep
) -> None:
    """Look again and again until the game is over.

    Args: the desk; seconds between two looks; says what was done; waits.
    Raises: Refusal `no_mail_game`. What else cannot be done now is said, and tried again.
    """
    while True:
        try:
            for told in look(desk):
                say(told)
        except Refusal as refusal:
            if refusal.code == "no_mail_game":
                raise
            say(refusal.message)
        except (OSError, BrokenLog) as error:
            say(str(error))
        if desk.terms.over:
            return
        sleep(every)
