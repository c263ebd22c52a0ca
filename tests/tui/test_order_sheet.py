"""The order sheet: edit, move, delete and submit orders, saved as a text file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions.actions import Adjudicate
from paxtui.games.pax.position.setup import seats_for
from paxtui.mail.reports import SeatPosition
from paxtui.session.pax_host import PaxHost
from paxtui.tui.app import PaxApp
from paxtui.tui.base.screen import ChoiceList, PlainText
from paxtui.tui.base.settings import Settings
from paxtui.tui.mail.order_sheet import OrderForm, OrderInputDialog, OrderSheetScreen
from tests.rules.harness import tables
from tests.tui.playing import SIZES

FORM = "# Italy\ngame: g1\nseat: italy\n\nplace protectorate tunis  # first\nbuild A3\n\nstanding:\ndecline tunis\n"


@pytest.fixture(scope="module")
def position() -> SeatPosition:
    table = PaxHost.new(tables(), seats_for(7), "7")
    table.act(ARBITER, Adjudicate())
    return SeatPosition("g1", 1, "italy", table.state_for("italy"))


@pytest.fixture
def sheet(position: SeatPosition, tmp_path: Path, home: Path) -> Callable[..., PaxApp]:
    """Return a function that opens the order sheet of a form."""

    def opened(text: str = FORM, hand_in: Callable[[str], str] | None = None) -> PaxApp:
        path = tmp_path / "italy.form"
        path.write_text(text)
        return PaxApp(settings=Settings(), only=lambda: OrderSheetScreen(tables(), position, path, hand_in))

    return opened


def lines(pilot: Pilot[int]) -> list[str]:
    rows = pilot.app.screen.query_one(ChoiceList)
    return [str(rows.get_option_at_index(n).prompt) for n in range(rows.option_count)]


def text_of(pilot: Pilot[int], where: str = "#beside-told") -> str:
    return str(pilot.app.screen.query_one(where, PlainText).content)


async def type_order(pilot: Pilot[int], text: str) -> None:
    pilot.app.screen.query_one(Input).value = text
    await pilot.pause()


async def test_orders_are_edited_and_saved(sheet: Callable[..., PaxApp], tmp_path: Path) -> None:
    async with sheet().run_test(size=(160, 50)) as pilot:
        await pilot.pause()
        assert lines(pilot) == ["✓ place protectorate tunis  £20", "✓ build A3  £10", "· decline tunis"]
        assert "No Army will stand in Tunis: this becomes an Influence." in text_of(pilot)
        assert "£30 to spend, £0 left" in text_of(pilot, "#beside-asked")
        await pilot.press("down", "enter")
        assert isinstance(pilot.app.screen, OrderInputDialog)
        await type_order(pilot, "build A3; move A3 home > nowhere")
        assert "nowhere" in text_of(pilot, "#ask-wrong")
        await type_order(pilot, "build A3; move A3 home > tunis")
        assert "It costs £10." in text_of(pilot, "#ask-wrong")
        await pilot.press("enter")
        await pilot.pause()
        assert "No Army" not in text_of(pilot)
        written = (tmp_path / "italy.form").read_text()
        assert written == FORM.replace("build A3", "build A3; move A3 home > tunis")
        await pilot.press("n")
        await type_order(pilot, "place influence persia if france places influence persia")
        await pilot.press("enter", "i")
        await type_order(pilot, "fight tunis")
        await pilot.press("enter")
        await pilot.pause()
        assert lines(pilot)[2].startswith("✗ place influence persia") and lines(pilot)[4] == "· fight tunis"
        assert (tmp_path / "italy.form").read_text().endswith("standing:\ndecline tunis\nfight tunis\n")


async def test_orders_are_moved_deleted_and_restored(sheet: Callable[..., PaxApp], tmp_path: Path) -> None:
    async with sheet().run_test(size=(160, 50)) as pilot:
        await pilot.press("J")
        await pilot.pause()
        assert [line[2:10] for line in lines(pilot)] == ["build A3", "place pr", "decline "]
        await pilot.press("J")  # an order is no instruction
        assert [line[2:10] for line in lines(pilot)] == ["build A3", "place pr", "decline "]
        await pilot.press("K")
        await pilot.pause()
        assert (tmp_path / "italy.form").read_text() == FORM
        await pilot.press("x")
        await pilot.pause()
        assert len(lines(pilot)) == 2
        await pilot.press("u")
        await pilot.pause()
        assert (tmp_path / "italy.form").read_text() == FORM and len(lines(pilot)) == 3


async def test_form_is_submitted_or_refused_with_a_reason(sheet: Callable[..., PaxApp]) -> None:
    handed: list[str] = []

    def hand_in(text: str) -> str:
        if handed:
            raise Refusal("late", (), "It comes too late.")
        handed.append(text)
        return "Submitted for stop 1."

    async with sheet(hand_in=hand_in).run_test(size=(120, 40)) as pilot:
        await pilot.press("h")
        await pilot.pause()
        assert handed == [FORM] and [n.message for n in pilot.app._notifications] == ["Submitted for stop 1."]
        await pilot.press("h")
        await pilot.pause()
        assert "It comes too late." in [n.message for n in pilot.app._notifications]


async def test_conditionally_impossible_order_is_named_when_submitted(
    sheet: Callable[..., PaxApp],
) -> None:
    first = "if britain places control tunis: place protectorate tunis\n"
    text = f"{first}place influence persia\nplace influence tripoli\n"
    async with sheet(text, lambda text: "Taken.").run_test(size=(160, 50)) as pilot:
        await pilot.press("down", "down")
        await pilot.pause()
        assert lines(pilot)[2] == "✗ place influence tripoli"
        assert "If one is not met, this can still be carried out" in " ".join(text_of(pilot).split())
        await pilot.press("h")
        await pilot.pause()
        texts = [n.message for n in pilot.app._notifications]
        assert texts == ["Taken. Marked as impossible: place influence tripoli."]


async def test_empty_sheet_says_what_to_do(sheet: Callable[..., PaxApp]) -> None:
    async with sheet("# nothing yet\n").run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "No orders yet. n adds one." in text_of(pilot, "#beside-asked")
        await pilot.press("enter", "x", "K", "J", "u", "tab", "tab", "escape")
        await pilot.pause()
    assert pilot.app.return_code == 0


@SIZES
def test_order_sheet_look(
    sheet: Callable[..., PaxApp], compare_screen: Callable[..., bool], size: tuple[int, int]
) -> None:
    assert compare_screen(sheet(), terminal_size=size)


@pytest.mark.parametrize(
    ("text", "after", "where"),
    [
        ("", "build A1\n", 0),
        ("seat: italy\n\nstanding:\nfight tunis\n", "seat: italy\n\nbuild A1\n\nstanding:\nfight tunis\n", 0),
        ("build A3\n# x\nbuild A4\n", "build A3\nbuild A1\n# x\nbuild A4\n", 1),
    ],
)
def test_position_of_a_new_order(text: str, after: str, where: int) -> None:
    form = OrderForm(text)
    number = form.add("build A1", where)
    assert form.line(number) == "build A1" and number in form.numbers
    assert [line for line in form.text.splitlines() if line] == [line for line in after.splitlines() if line]
