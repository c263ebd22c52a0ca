"""An end that some Powers may demand in War End Determination, and that stands unless another of them objects.

Rules: REB-033, OTT-023 (Decision 7, R-OTT-13)
"""

from __future__ import annotations

from typing import NamedTuple

from paxtui.pax.history import events as ev
from paxtui.pax.play.choices import one_of
from paxtui.pax.play.play import Play
from paxtui.pax.state.questions import Announce, Pending
from paxtui.pax.state.war import War

ANNOUNCE, GO_ON, OBJECT, AGREE = "announce end", "go on", "object", "agree"
"""What who has the right may answer, and what the others who have it may."""


class Entitled(NamedTuple):
    """A Power that may demand the end: the seat that speaks for it, and where its Units stand."""

    power: str
    seat: str
    area: str


class Demand(NamedTuple):
    """Who may demand the end of a War now, what they are told, and by which rules."""

    entitled: tuple[Entitled, ...]
    prompt: str
    objection: str
    rules: tuple[str, ...]


def ask(play: Play, war: War, demand: Demand) -> None:
    """Whoever may demand the end is asked, each once a cycle. Rules: REB-033, OTT-023."""
    for power, seat, area in demand.entitled:
        if power not in war.waived:
            play.offer(
                power, Announce(war=war.id), (ANNOUNCE, GO_ON), GO_ON, area, demand.prompt, demand.rules, seat
            )


def answer(play: Play, war: War, choice: Pending, about: Announce, words: tuple[str, ...], demand: Demand) -> str:
    """Take an answer; the Power whose demand stands now, "" while none does.

    Raises: Refusal `bad_answer`.
    Rules: REB-033, OTT-023 (Decision 7)
    """
    said = one_of(choice, words)
    if said == GO_ON:
        _waived(play, war, choice.power, demand)
    elif said == OBJECT:
        _withdrawn(play, war, demand)
        for entitled in demand.entitled:
            _waived(play, war, entitled.power, demand)
    elif said == ANNOUNCE:
        _withdrawn(play, war, demand)
        for power, seat, area in demand.entitled:
            if power != choice.power:
                about = Announce(war=war.id, by=choice.power)
                play.offer(power, about, (OBJECT, AGREE), AGREE, area, demand.objection, demand.rules, seat)
    return (about.by or choice.power) if said in (ANNOUNCE, AGREE) and not _open(play, war) else ""


def _open(play: Play, war: War) -> list[Pending]:
    """What is still asked about it."""
    return [c for c in play.state.choices if isinstance(c.about, Announce) and c.about.war == war.id]


def _withdrawn(play: Play, war: War, demand: Demand) -> None:
    for choice in _open(play, war):
        play.emit(ev.ChoiceMade(id=choice.id, void=True, rules=demand.rules))


def _waived(play: Play, war: War, power: str, demand: Demand) -> None:
    """A Power lets the War go on: it is not asked again in this cycle."""
    play.emit(ev.EndTestsWaived(war=war.id, power=power, rules=demand.rules))
