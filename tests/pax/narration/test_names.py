"""Names that the narrator uses for ids in events, the place of an event, and bookkeeping events."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from paxtui.games.pax.events import events
from paxtui.games.pax.narration.labels import NameRegistry
from paxtui.games.pax.narration.narrator import Narrator, is_bookkeeping, place_of
from paxtui.games.pax.state import questions
from paxtui.games.pax.state.diplomacy import CasusBelli
from paxtui.games.pax.state.questions import Pending
from paxtui.games.pax.state.war import War
from tests.pax.narration.agreement_texts import LISBON, NILE
from tests.pax.narration.war_texts import FAR_EAST
from tests.rules.harness import start, tables


@pytest.mark.parametrize(
    ("war", "name"),
    [
        (FAR_EAST, "the War of Japan and Great Britain against Russia"),
        (War("w1", (("italy",), (), ("russia",))), "the War of Italy against Russia"),
        (War("w1", (("china",), ("italy",)), kind="rebellion"), "the Chinese Rebellion"),
        (War("w1", (("ottoman_empire",), ("italy",)), kind="ottoman"), "the Ottoman War"),
        (War("w1", (("britain",), ("italy",)), kind="great"), "the Great War"),
    ],
)
@pytest.mark.parametrize("event_type", [events.WarArose, events.WarsMerged, events.WarDeclared])
def test_war_is_named_by_kind_or_sides(war: War, name: str, event_type: type) -> None:
    narrator = Narrator(tables())
    assert narrator.known.war("w1") == "War w1" and narrator.known.alliance("w1", 2) == "Alliance 2"
    more = {events.WarsMerged: {"gone": ()}, events.WarDeclared: {"power": "italy", "on": ("japan",)}}.get(
        event_type, {}
    )
    narrator.learn([event_type(war=war, **more)])
    assert narrator.known.war("w1") == name


@pytest.mark.parametrize(
    ("treaty", "name"),
    [
        (LISBON, "the Treaty of Lisbon"),
        (replace(LISBON, name="Second Lisbon"), "the Second Treaty of Lisbon"),
        (replace(LISBON, name="Dreibund"), "the Treaty 'Dreibund'"),
        (replace(LISBON, name=""), "the Treaty"),
        (NILE, "the settlement 'Nile'"),
        (replace(NILE, name="Lisbon"), "the settlement 'Lisbon'"),
        (replace(NILE, form="congress"), "the proposal 'Nile'"),
    ],
)
def test_agreement_is_named(treaty, name: str) -> None:
    for event in (
        events.TreatyDrafted(treaty=treaty),
        events.TreatyRevealed(id=treaty.id, power="italy", treaty=treaty),
        events.PositionSet(state=replace(start().state, treaties=(treaty,))),
    ):
        known = NameRegistry(tables())
        assert known.treaty(treaty.id) == "an agreement"
        known.learn(event)
        assert known.treaty(treaty.id) == name


@pytest.mark.parametrize(
    ("reason", "ends"),
    [
        ("lapsed", "has lapsed"), ("waived", "is given up"), ("settled", "is settled"), ("war", "ends"),
    ],
)  # fmt: skip
def test_casus_belli_is_named_by_holder_opponent_and_area(reason: str, ends: str) -> None:
    ended = events.CasusBelliEnded(id="cb1", reason=reason)
    assert Narrator(tables()).tell(ended) == f"A Casus Belli {ends}"
    for where, area in (("", ""), (" over Tunis", "tunis")):
        for narrator in (Narrator(tables()), Narrator(tables())):
            arose = events.CasusBelliArose(id="cb1", holder="italy", against="united_states", area=area)
            narrator.learn([arose])
            assert narrator.tell(ended) == f"The Casus Belli of Italy against the United States{where} {ends}"


def test_names_of_the_start_position_are_known() -> None:
    known = NameRegistry(tables())
    choice = Pending("c1", "italy", "italy", questions.Tie(), ("yes",), "yes")
    known.learn_all((LISBON,), (choice,), (CasusBelli("cb1", "italy", "japan", "siam"),), (FAR_EAST,))
    assert known.treaty(LISBON.id) == "the Treaty of Lisbon" and known.choices == {"c1": choice}
    assert known.cause("cb1") == "the Casus Belli of Italy against Japan over Siam"
    assert known.alliance("w1", 1) == "Japan and Great Britain"


ASKED = Pending("c1", "italy", "italy", questions.FightOrDecline(), ("fight tunis",), "fight tunis", "tunis")


@pytest.mark.parametrize(
    ("event", "place", "minor"),
    [
        (events.UnitsMoved(power="italy", units=("A1",), path=("tunis", "tripoli")), "tripoli", False),
        (events.ChoiceOffered(choice=ASKED), "tunis", True),
        (events.MerchantMoved(power="italy", start="new", to="oceania"), "oceania", False),
        (events.UnitsBuilt(power="italy", units=("A1",), place="tunis"), "tunis", False),
        (events.UnrestBegan(area="bengal"), "bengal", False),
        (events.SeatReady(seat="italy"), "", True),
        (events.ReadyCleared(seats=("italy",), by="japan"), "", True),
        (events.BallotCast(seat="italy"), "", True),
        (events.ClauseDone(id="t", clause=0), "", True),
        (events.TreasuryChanged(power="italy", amount=-1, total=0, reason="a price"), "", True),
        (events.TreasuryChanged(power="italy", amount=0, total=0, reason="a gift"), "", False),
        (events.Noted(code="no_army", text="", area="tunis"), "tunis", True),
        (events.Noted(code="other", text=""), "", False),
    ],
    ids=lambda x: type(x).__name__,
)
def test_place_and_bookkeeping_of_events(event: events.Event, place: str, minor: bool) -> None:
    assert (place_of(event), is_bookkeeping(event)) == (place, minor)
