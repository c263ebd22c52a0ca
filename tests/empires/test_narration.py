"""Lines of the log are whole sentences, also for events in which a field is empty."""

from __future__ import annotations

import pytest

from paxtui.empires.history.battle_events import BattleOver, Divided, OutflankAnnounced
from paxtui.empires.history.event import Event
from paxtui.empires.history.land_events import LeaderMoved, Siege
from paxtui.empires.narration.narrate import tell
from tests.empires.land import DANUBE


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (Divided(side="", around=()), "No side sends corps around the flank."),
        (Divided(side="attacker", around=("iii",)), "The attacker sends {iii} around the flank."),
        (OutflankAnnounced(sides=()), "Nobody outflanks."),
        (BattleOver(area="munich", winner="", why="night"), "The combat in Munich ends without a winner (night)."),
        (BattleOver(area="munich", winner="france", why="broken"), "France wins the combat in Munich (broken)."),
        (Siege(area="munich", power=""), "The siege of Munich is over."),
        (Siege(area="munich", power="france"), "France besieges Munich."),
        (LeaderMoved(leader="napoleon", where=""), "Napoleon leaves the map."),
    ],
)
def test_a_line_is_a_sentence_of_its_own(event: Event, line: str) -> None:
    assert tell(DANUBE, event) == line.format(**DANUBE.corps_names)
