"""What every question is that a choice puts before a seat. Data only; the kinds are in `questions`."""

from __future__ import annotations

from typing import ClassVar

from paxtui.engine.frames import Question as AnyGamesQuestion


class Question(AnyGamesQuestion, frozen=True):
    """Base of all questions.

    Attributes:
        pressing: whether play waits for the answer; the others lapse, or take their default, when the Phase ends.
        several: whether the answer may name several options.
        private: whether only the seats of `between` and the one that is asked may know of it.
        sealed: whether everybody may know of it and nobody of the answer.
        phases: the Phases in which it may be answered, empty for any.
        shown: how its kind is called where two kinds have one name in play; "" for its own tag.
    """

    pressing: ClassVar[bool] = True
    several: ClassVar[bool] = False
    private: ClassVar[bool] = False
    sealed: ClassVar[bool] = False
    phases: ClassVar[tuple[str, ...]] = ()
    shown: ClassVar[str] = ""

    def between(self) -> tuple[str, ...]:
        """The Powers that it is between, besides the one that is asked."""
        return ()
