"""Playing pieces and building them: counter limits, two-sided pieces, tensions of Naval Units (SET, ETI)."""

from __future__ import annotations

from functools import partial

import pytest
from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.notation import parse_order
from paxtui.games.pax.board import status
from paxtui.games.pax.events import events
from paxtui.games.pax.events.events import evolve
from paxtui.games.pax.state.model import units_at
from paxtui.games.pax.state.pieces import ARMY, NAVAL, Marker
from tests.rules.harness import Bench, army, at_home, marker, moving, naval, start

limited = partial(moving, 500, options={"counter_limits": "table"})
"""A Movement/Status Change Phase with much money and the counter limits of the table."""


def with_pieces(g: Bench, power: str, **limits: int) -> Bench:
    """The same game with other counter limits for a Power."""
    g.tables = replace(g.tables, counters={**g.tables.counters, power: replace(g.tables.counters[power], **limits)})
    return g


# The limits


@pytest.mark.rule("SET-039")
@pytest.mark.parametrize("wanted", ["A10", "N10"])
def test_no_more_units_than_pieces(wanted: str) -> None:
    g = with_pieces(limited(homes=at_home("italy", army("italy", 10), army("italy", 10))), "italy", tens=2)
    refusal = g.refused("italy", f"build {wanted}")
    assert refusal.code == "no_piece" and "SET-039" in refusal.rules and refusal.detail["free"] == 0
    assert ("reconstructed limits" in refusal.message) == ("counters" in g.tables.reconstructed)
    g.state = evolve(g.state, events.UnitsLost(power="italy", units=("A10",), place="home:italy", reason="combat"))
    g.act("italy", f"build {wanted}")
    assert [u.name for u in units_at(g.state, "home:italy")].count(wanted) == (2 if wanted == "A10" else 1)
    assert g.refused("italy", f"build {wanted}").code == "no_piece"


@pytest.mark.rule("SET-039")
def test_pieces_are_counted_wherever_they_are() -> None:
    areas = {"tunis": {"markers": [marker("italy", "protectorate")], "units": [army("italy", 10)]}}
    g = with_pieces(limited(areas=areas, homes=at_home("italy", army("italy", 10))), "italy", tens=3)
    refusal = g.refused("italy", "build A10 A10")
    assert refusal.code == "no_piece" and refusal.detail["free"] == 1
    g.act("italy", "build A10 A3")
    assert status.free_pieces(g.tables, g.state, "italy", "10") == 0


@pytest.mark.rule("SET-039")
def test_the_limits_of_the_table_can_be_lifted() -> None:
    limit = start().tables.counters["italy"].tens
    full = at_home("italy", *[army("italy", 10)] * limit)
    assert "SET-039" in limited(homes=full).refused("italy", "build A10").rules
    g = moving(homes=full)
    g.act("italy", "build A10 N10")
    assert status.free_pieces(g.tables, g.state, "italy", "10") == status.UNLIMITED
    too_many = {"phase": "movement", "homes": at_home("italy", *[army("italy", 10)] * (limit + 1))}
    assert "SET-039" in start().refused("arbiter", actions.SetPosition(too_many)).rules


@pytest.mark.rule("SET-039")
def test_no_more_markers_than_pieces() -> None:
    g = with_pieces(limited(), "germany", round=1, hexagon=1)
    g.act("germany", "place interest kamerun")
    refusal = g.refused("germany", "place interest gabon")
    assert "SET-039" in refusal.rules
    g.act("germany", "place protectorate gabon")  # another piece
    assert "SET-039" in g.refused("germany", "place protectorate nigeria").rules
    g.act("germany", "withdraw interest kamerun")
    g.act("germany", "place interest togoland")  # accepted


@pytest.mark.rule("SET-039")
def test_uncountable_position_does_not_affect_other_counts() -> None:
    """A forged log may have an unknown marker. It must not affect the piece counts of other games."""
    g = limited(areas={"kamerun": {"markers": [marker("germany", "influence")]}})
    before = status.free_pieces(g.tables, g.state, "germany", "round")
    here = g.state.areas["kamerun"]
    forged = replace(here, markers=(*here.markers, Marker("germany", "interest"), Marker("germany", "fief")))
    with pytest.raises(KeyError):
        status.used_pieces(g.tables, replace(g.state, areas={**g.state.areas, "kamerun": forged}))
    assert status.free_pieces(g.tables, g.state, "germany", "round") == before


# Two-sided pieces


@pytest.mark.rule("SET-042")
@pytest.mark.parametrize("wanted", ["A10", "N10"])
def test_army_and_naval_units_of_one_strength_share_a_stock(wanted: str) -> None:
    units = at_home("italy", naval("italy", 10), army("italy", 10), army("italy", 10))
    g = with_pieces(limited(homes=units), "italy", tens=3, threes=1)
    refusal = g.refused("italy", f"build {wanted}")
    assert refusal.code == "no_piece" and "SET-042" in refusal.rules
    g.act("italy", "build N3")  # other strengths have their own
    assert g.refused("italy", "build A3").code == "no_piece"


@pytest.mark.rule("SET-046")
def test_interest_and_influence_are_one_piece() -> None:
    areas = {
        "kamerun": {"markers": [marker("germany", "interest")]},
        "gabon": {"markers": [marker("germany", "influence")]},
    }
    g = with_pieces(limited(areas=areas), "germany", round=2)
    refusal = g.refused("germany", "place influence nigeria")
    assert "SET-046" in refusal.rules
    g.act("germany", "upgrade influence kamerun")  # the other side of the same piece
    assert "SET-046" in g.refused("germany", "place interest nigeria").rules


@pytest.mark.rule("SET-046")
def test_protectorate_and_possession_are_one_piece() -> None:
    areas = {
        "kamerun": {"markers": [marker("germany", "protectorate")], "units": [army("germany", 1)]},
        "gabon": {"markers": [marker("germany", "possession")], "units": [army("germany", 1)]},
    }
    g = with_pieces(limited(areas=areas), "germany", hexagon=2)
    assert "SET-046" in g.refused("germany", "place protectorate nigeria").rules
    g.act("germany", "upgrade possession kamerun")
    assert "SET-046" in g.refused("germany", "place possession nigeria").rules


# No piece left


@pytest.mark.rule("SET-039")
@pytest.mark.parametrize(("out", "left"), [(3, "influence"), (4, "")])
def test_an_ungarrisoned_possession_becomes_an_influence_only_while_a_round_piece_is_free(out: int, left: str) -> None:
    """Portugal has four round pieces."""
    others = ("gabon", "kamerun", "togoland", "ashantee")[:out]
    areas = {area: {"markers": [marker("portugal", "interest")]} for area in others}
    g = start({"phase": "movement", "areas": {**areas, "angola": {"units": []}}})
    g.step()
    g.step()
    g.step()
    lost = next(e for e in g.all_of(events.MarkerLowered) if e.area == "angola")
    assert (lost.marker, lost.to) == ("possession", left)
    assert ("SET-039" in lost.rules) == (left == "")
    raised = sum(e.amount for e in g.all_of(events.TensionRaised) if e.area == "angola")
    assert raised == (2 if left else 4)


ROUND = (
    "aden", "afghanistan", "angola", "ashantee", "baluchistan", "berbera", "brasil", "chile", "colombia", "ecuador",
    "eritrea", "gabon", "kenya", "mexico", "peru",
)  # fmt: skip


@pytest.mark.rule("STA-015", "SET-046")
def test_an_interest_under_a_new_control_marker_serves_as_its_round_piece() -> None:
    """Britain has no free round piece, but one lies in the Area itself."""
    areas = {area: {"markers": [marker("britain", "interest")]} for area in ROUND}
    fresh = [marker("britain", "interest"), marker("britain", "protectorate", established=False, since=1)]
    g = start({"phase": "movement", "areas": {**areas, "kamerun": {"markers": fresh}}})
    assert status.free_pieces(g.tables, g.state, "britain", "round") == 0
    g.step()
    g.step()
    g.step()
    assert [(m.marker, m.established) for m in g.state.areas["kamerun"].markers] == [("influence", True)]


# Units are not exchanged


@pytest.mark.rule("SET-043")
def test_an_army_never_becomes_a_fleet_nor_a_fleet_an_army() -> None:
    tunis = {"markers": [marker("italy", "protectorate")]}
    g = limited(areas={"tunis": tunis}, homes=at_home("italy", army("italy", 3), naval("italy", 10)))
    for wrong in ("N3", "A10"):
        assert g.refused("italy", f"move {wrong} home > tunis").code == "no_unit"
    g.act("italy", "move A3 N10 home > tunis")
    assert {(u.kind, u.strength) for u in units_at(g.state, "tunis")} == {(ARMY, 3), (NAVAL, 10)}
    g.act("italy", "move A3 N10 tunis > home")
    assert {(u.kind, u.strength) for u in units_at(g.state, "home:italy")} == {(ARMY, 3), (NAVAL, 10)}
    for order in ("convert A3 N3", "turn A3 N3"):
        with pytest.raises(Refusal):
            parse_order(g.tables, order)


@pytest.mark.rule("SET-044")
def test_units_are_not_exchanged_for_others() -> None:
    tunis = {"markers": [marker("italy", "protectorate")]}
    three = [army("italy", 1)] * 3
    g = limited(areas={"tunis": tunis}, homes=at_home("italy", army("italy", 10), *three))
    assert g.refused("italy", "move A3 home > tunis").code == "no_unit"  # three of 1 are not one of 3
    assert g.refused("italy", "move A1 A1 A1 A1 home > tunis").code == "no_unit"  # nor does the 10 break down
    g.act("italy", "move A1 A1 A1 home > tunis")
    assert [u.name for u in units_at(g.state, "tunis")] == ["A1", "A1", "A1"]
    for order in ("merge A1 A1 A1", "exchange A10 A3 A3 A3 A1", "split A10"):
        with pytest.raises(Refusal):
            parse_order(g.tables, order)


# Building


def built(g: Bench, seat: str, text: str) -> list[tuple[int, str]]:
    """Amount and blame of each rise of the European Tensions Index by an order."""
    g.act(seat, text)
    return [(e.amount, e.blame) for e in g.of(events.TensionRaised)]


@pytest.mark.rule("ETI-024")
def test_a_small_naval_unit_raises_tensions_by_one() -> None:
    g = limited()
    assert built(g, "france", "build N3") == [(1, "france")]
    assert built(g, "france", "build N1 A10 N3") == [(1, "france"), (1, "france")]
    assert built(g, "germany", "austria_hungary: build N1") == [(1, "austria_hungary")]
    assert g.state.tension == 4
    for power in ("britain", "united_states", "japan"):
        assert built(g, power, "build N1 N3") == []


@pytest.mark.rule("ETI-025")
def test_a_naval_unit_of_10_raises_tensions_by_three() -> None:
    g = limited()
    assert built(g, "germany", "build N10 N10") == [(3, "germany"), (3, "germany")]
    assert g.state.tension == 6
    for power in ("britain", "united_states", "japan"):
        assert built(g, power, "build N10") == []
    assert built(g, "russia", "build A10") == []


@pytest.mark.rule("ETI-026")
def test_a_fleet_that_an_event_demands_raises_tensions_too() -> None:
    g = limited(events_in_force=["2-4"])
    (rise,) = built(g, "germany", "build N3")
    assert rise[0] == 1 and g.state.tension == 1
    assert "ETI-026" in g.of(events.TensionRaised)[0].rules
