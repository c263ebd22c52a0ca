"""An exercise played through the engine protocol, as any program would."""

from __future__ import annotations

import json
from typing import Any

from paxtui.session.protocol import EngineSession


class Conversation:
    """One session of the protocol; every answer is asked for by its method.

    Args: the exercise, and the seed of its dice.
    """

    def __init__(self, exercise: str, seed: int | str = 7) -> None:
        self.session = EngineSession()
        self.standing = self.ask("new", game="empires", exercise=exercise, seed=seed)

    def answer(self, method: str, **params: Any) -> dict[str, Any]:
        """The whole answer, an error too."""
        answer: dict[str, Any] = json.loads(self.session.handle(json.dumps({"method": method, "params": params})))
        return answer

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """The result of a request that must not fail."""
        answer = self.answer(method, **params)
        assert "result" in answer, answer
        result: dict[str, Any] = answer["result"]
        return result

    def act(self, seat: str, text: str) -> dict[str, Any]:
        """An act that must not be refused."""
        self.standing = self.ask("act", seat=seat, text=text)
        return self.standing

    def refused(self, seat: str, text: str) -> str:
        """The code with which an act is refused."""
        code: str = self.answer("act", seat=seat, text=text)["error"]["code"]
        return code

    def done(self, *seats: str) -> None:
        """Some seats, or all that are waited for, have done what they want."""
        for seat in seats or tuple(self.standing["waiting"]):
            self.act(seat, "done")

    def until(self, phase: str, step: str) -> None:
        """Everybody is done until a step comes."""
        for _ in range(200):
            if (self.standing["phase"], self.standing["step"]) == (phase, step):
                return
            self.done()
        raise AssertionError(f"there is no {step} of {phase}")
