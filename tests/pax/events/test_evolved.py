"""The effect of each kind of event on a position: every field that changes, in `evolved.txt`."""

from __future__ import annotations

from pathlib import Path

import msgspec
from msgspec.structs import replace

from paxtui.games.pax.events import events
from paxtui.games.pax.events.events import evolve
from paxtui.games.pax.state import questions
from paxtui.games.pax.state.diplomacy import IN_FORCE, Breach, Claim, Congress
from paxtui.games.pax.state.pieces import Unit
from paxtui.games.pax.state.questions import Pending
from paxtui.games.pax.state.war import Clash, Consent, Declaration, Denial, SurrenderedUnit
from tests.pax.changes import changes
from tests.pax.narration.agreement_texts import AGREEMENTS, LISBON, NILE
from tests.pax.narration.map_texts import MAP
from tests.pax.narration.turn_texts import COURSE, DICE, LEDGERS
from tests.pax.narration.war_texts import FAR_EAST, WARS
from tests.recorded import same_as_recorded
from tests.rules.harness import army, at_home, here, marker, naval, new, start

BEGUN = start(
    {
        "phase": "movement",
        "areas": {
            "tunis": here(
                marker("italy", "interest"), new("italy", "influence"), marker("france", "protectorate"),
                army("italy", 1), army("italy", 3), army("united_states", 1), unrest=True,
            ),
            "tripoli": here(marker("italy", "protectorate"), army("italy", 1)),
            "bengal": {"unrest": True},
            "egypt": here(marker("italy", "interest"), naval("italy", 1)),
            "korea": here(marker("japan", "protectorate"), army("japan", 1)),
        },
        "homes": at_home("united_states", army("united_states", 1), naval("united_states", 3)),
        "casus_belli": [{"holder": "italy", "against": "france", "area": "tunis"}],
        "powers": {"italy": {"treasury": 9}, "united_states": {"treasury": 4}},
        "indexes": {"european_tensions": 5, "chinese_resentment": 4},
    }
).state  # fmt: skip

STATE = replace(
    BEGUN,
    ready=("japan", "united_states"),
    choices=(
        Pending("c1", "italy", "italy", questions.FightOrDecline(), ("fight tunis", "decline"), "decline", "tunis"),
    ),
    treaties=(
        replace(
            LISBON,
            stage=IN_FORCE,
            breaches=(Breach(0, "germany", 1),),
            release={"italy": ("italy",)},
            charges=(Claim(0, "italy", "germany", 1),),
            public_end="lapsed",
        ),
        NILE,
    ),
    wars=(
        replace(
            FAR_EAST,
            conquered=(),
            commands={"belgium": "japan"},
            surrendered=(SurrenderedUnit("japan", "army", 1),),
            clashes=(Clash("korea", "army"),),
            consents=(Consent("france", "pass"),),
            quiet=1,
            denied=(Denial("suez", "japan", "italy"),),
            order=(1, 2),
            waived=("russia",),
            invaded=("japan fukien",),
            unsupplied=("korea", "japan korea"),
            marching=("japan korea A1",),
        ),
        replace(FAR_EAST, id="w2", alliances=(("italy",), ("spain",))),
    ),
    declarations=(Declaration("japan", ("russia", "united_states")),),
    at_sea={"oceania": (Unit("japan", "naval", 3),)},
)
"""A position that every event can change."""

_OF_A_CONGRESS = events.CongressChanged | events.CongressBesideWar | events.BallotCast | events.BallotsOpened
MORE: list[events.Event] = [
    events.ChoiceOffered(choice=Pending("c2", "japan", "japan", questions.Tie(), ("yes", "no"), "no")),
    events.ChoiceMade(id="c1", answer=("decline",)),
    events.ChoiceMade(id="c9", void=True),
    events.CasusBelliEnded(id="cb1", reason="settled"),
    events.CasusBelliEnded(id="cb9", reason="settled"),
    events.TreatyDrafted(treaty=replace(LISBON, id="other")),
    events.TreatyRevealed(id="other", power="italy", treaty=replace(LISBON, id="other")),
    events.UnitsMoved(power="italy", units=("A10",), path=("tunis", "tripoli")),
    events.UnitsMoved(power="italy", units=("A1",), path=("tunis", "tripoli"), halted=True),
    events.UnitsMoved(power="italy", units=("N1",), path=("egypt", "mediterranean"), coast="mediterranean"),
    events.UnitsHalted(power="italy", place="egypt"),
    events.CongressChanged(congress=Congress(1, "france", "britain", ("cb1",)), step="ballot"),
    events.PhaseBegan(phase="war", step="opening"),
]


def test_every_event_changes_the_position_as_recorded() -> None:
    lines, old = [], msgspec.to_builtins(STATE)
    for event in (*(event for some in (COURSE, DICE, LEDGERS, MAP, AGREEMENTS, WARS) for event, _ in some), *MORE):
        fields = {name: value for name, value in msgspec.to_builtins(event).items() if name not in ("treaty", "war")}
        lines += [str(fields), *changes(old, msgspec.to_builtins(evolve(STATE, event)))]
    same_as_recorded(Path(__file__).with_name("evolved.txt"), lines)


def test_events_about_unknown_agreements_change_nothing() -> None:
    """The log of a seat may have events about agreements that it has never seen."""
    for event, _ in AGREEMENTS:
        if not isinstance(event, events.TreatyDrafted | events.TreatyRevealed | _OF_A_CONGRESS):
            bare = replace(STATE, treaties=())
            assert evolve(bare, event) == bare, event
