"""The order sheet: the preview of each line, why it would fail, and warnings about the whole form."""

from __future__ import annotations

import pytest

from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions.actions import Adjudicate
from paxtui.games.pax.position.setup import seats_for
from paxtui.games.pax.preview.order_form import FormPreview, preview_form, preview_line
from paxtui.games.pax.state.model import State
from paxtui.session.pax_host import PaxHost
from tests.rules import wars
from tests.rules.harness import Bench, army, here, marker, tables


@pytest.fixture(scope="module")
def state() -> State:
    """Italy's position at the first stop of 1880: £30, and its only Merchant Fleet in the Mediterranean."""
    table = PaxHost.new(tables(), seats_for(7), "7")
    table.act(ARBITER, Adjudicate())
    return table.state_for("italy")


def sheet(state: State, *orders: str) -> FormPreview:
    return preview_form(tables(), state, "italy", "\n".join(orders))


def warnings(found: FormPreview) -> list[str]:
    return [warning.text for warning in found.warnings]


@pytest.mark.rule("PBM-023")
def test_sheet_warns_of_control_without_an_army(state: State) -> None:
    bare = sheet(state, "place protectorate tunis")
    assert "No Army will stand in Tunis: this becomes an Influence." in warnings(bare)
    assert "still needs an army" in " ".join(t.text for t in preview_line(tables(), "italy", bare.lines[0], bare.state))
    held = sheet(state, "place protectorate tunis", "build A3; move A3 home > tunis")
    assert not [text for text in warnings(held) if "Army" in text]
    assert "still needs an army" not in " ".join(
        t.text for t in preview_line(tables(), "italy", held.lines[0], held.state)
    )
    assert held.areas == ("tunis",)


@pytest.mark.rule("PBM-127")
def test_each_line_is_checked_after_the_earlier_ones(state: State) -> None:
    found = sheet(state, "place protectorate tunis", "build A3", "build A10")
    assert [line.price for line in found.lines] == [20, 10, 0]
    assert "costs £30; Italy has £0" in found.lines[2].why and found.lines[2].rules == ("STA-004",)
    turned = sheet(state, "build A10", "place protectorate tunis", "build A3")
    assert [bool(line.why) for line in turned.lines] == [False, True, True]


def test_lost_links_are_warned_of(state: State) -> None:
    linked = sheet(state, "place protectorate tunis", "build A3; move A3 home > tunis")
    assert not [text for text in warnings(linked) if "link" in text]
    left = sheet(state, "place protectorate tunis", "merchant mediterranean > baltic")
    assert "Tunis will have no link to Italy." in warnings(left)


def test_sheet_shows_conditions_gifts_instructions_and_faults(state: State) -> None:
    found = sheet(
        state, "# a remark", "build A1 if anyone places control tunis", "pay france 5", "accept 20 from france",
        "hope", "standing:", "decline tunis",
    )  # fmt: skip
    by_line = {line.number: line for line in found.lines}
    assert list(by_line) == [2, 3, 4, 5, 7]
    assert by_line[2].condition == "anyone places control tunis" and not by_line[2].why
    assert by_line[3].waits == "France has to accept it." and by_line[3].price == 5
    assert by_line[4].waits == "France has to give it." and by_line[4].price == 0
    assert by_line[5].why.startswith("Column 1: ") and by_line[5].order is None
    assert by_line[7].standing and by_line[7].area == "tunis"
    assert "£22 of Italy stay in the Treasury." in warnings(found)


def test_sheet_does_not_change_the_position(state: State) -> None:
    before = hash(str(state))
    sheet(state, "build A10", "place influence marocco")
    assert hash(str(state)) == before
    assert sheet(state).lines == () and sheet(state).areas == ()


def russian_manchuria(sides: list[list[str]], *units: dict[str, object]) -> Bench:
    """A War over Manchuria in which the first side moves."""
    return wars.at_war(sides, areas={"manchuria": here(marker("russia", "protectorate"), *units)})


@pytest.mark.rule("PBM-080", "PBM-100")
@pytest.mark.parametrize(
    ("sides", "depends"),
    [([["britain", "japan"], ["russia"]], True), ([["japan"], ["russia"]], False)],
)
def test_attack_after_a_move_of_an_ally_depends_on_others(sides: list[list[str]], depends: bool) -> None:
    g = russian_manchuria(sides, army("russia", 10))
    (line,) = preview_form(g.tables, g.state, "japan", "attack manchuria").lines
    assert (line.waits.startswith("It depends on others' orders."), bool(line.why)) == (depends, not depends)


def test_orders_out_of_turn_are_impossible() -> None:
    g = russian_manchuria([["japan"], ["russia"]], army("russia", 10), army("japan", 3))
    (line,) = preview_form(g.tables, g.state, "russia", "attack manchuria").lines
    assert line.why and not line.waits
