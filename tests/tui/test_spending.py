"""Spending: held keys, all garrisons at once, and the list of purchases."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import OptionList

from paxtui.bots.pax.registry import parse_bot_name
from paxtui.cli.plain.repl import Repl
from paxtui.games.pax.actions import actions
from paxtui.games.pax.position.setup import seats_for
from paxtui.games.pax.state.pieces import ARMY
from paxtui.session import order_planning
from paxtui.session.order_planning import find_purchases, plan_garrisons
from paxtui.session.pax_host import PaxHost
from paxtui.session.session import Session
from paxtui.session.tables.loader import load_tables
from paxtui.tui.app import PaxApp
from paxtui.tui.base.dialogs import ConfirmDialog, PickDialog
from paxtui.tui.base.settings import Settings
from paxtui.tui.dialogs.area_menu import AreaMenu
from paxtui.tui.widgets.order_line import order_completions
from tests.rules.harness import army, here, marker
from tests.tui.playing import QUIET, notices, order, press, start_at

WITHOUT_ARMY = ("aden", "sarawak", "berbera")
POSSESSIONS = {area: here(marker("britain", "possession")) for area in WITHOUT_ARMY}


def game(tmp_path: Path, treasury: int, *at_home: int, **areas: object) -> PaxApp:
    """Start a Movement Phase of Britain with armies at home and three Areas without garrison."""
    units = [army("britain", strength) for strength in at_home]
    powers = {"britain": {"treasury": treasury}}
    patch = {
        "phase": "movement",
        "powers": powers,
        "areas": {**POSSESSIONS, **areas},
        "homes": {"britain": {"units": units}},
    }
    return start_at(tmp_path, patch)


def session_of(app: PaxApp) -> Session:
    """Return the session of the main screen."""
    return app.screen.session


def has_army(session: Session, area: str) -> bool:
    """Whether Britain has an army in an Area."""
    return any(u.power == "britain" and u.kind == ARMY for u in session.live.areas[area].units)


async def test_held_enter_buys_at_most_one_marker(tmp_path):
    app = game(tmp_path, 44)
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "slash", [*"kenya", "enter"])
        await press(pilot, *["enter"] * 12)
        assert isinstance(app.screen, AreaMenu)
        assert app.screen.query_one("#menu", OptionList).highlighted is None
        await press(pilot, "escape")
        kenya = session_of(app).live.areas["kenya"].markers
        assert [m.marker for m in kenya if m.power == "britain"] == ["interest"]
        assert 44 - session_of(app).live.powers["britain"].treasury < 10


async def test_expensive_purchase_asks_first(tmp_path):
    app = game(tmp_path, 5)
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "slash", [*"kenya", "enter"], "enter", "enter")
        assert isinstance(app.screen, ConfirmDialog)
        await press(pilot, "n")
        assert session_of(app).live.powers["britain"].treasury == 5


async def test_garrison_all_asks_and_gives_single_orders(tmp_path):
    app = game(tmp_path, 30, 1)
    async with app.run_test(size=(120, 40)) as pilot:
        session = session_of(app)
        lines = session.version
        bare = [area for area in session.live.areas if area in WITHOUT_ARMY and not has_army(session, area)]
        assert set(bare) == set(WITHOUT_ARMY)
        plan = plan_garrisons(session)
        await order(pilot, "garrison all")
        asked = app.screen
        assert isinstance(asked, ConfirmDialog)
        assert f"£{plan.price}" in asked._text
        assert session.version == lines
        await press(pilot, "y")
        assert all(has_army(session, area) for area in plan.garrisoned)
        assert set(WITHOUT_ARMY) <= set(plan.garrisoned)
        assert session.live.powers["britain"].treasury == 30 - plan.price
        assert session.version == lines + len(plan.orders)


async def test_garrison_all_works_in_plain_mode(tmp_path):
    app = game(tmp_path, 30, 1)
    async with app.run_test(size=(120, 40)):
        session = session_of(app)
        words = [guess.word for guess in order_completions(session, ("garrison",))("garrison ")]
        assert words[0] == "all"
        plan, lines = plan_garrisons(session), session.version
        talk = Repl(session)
        text = " ".join(talk.hear("garrison all"))
        assert f"£{plan.price}" in text
        assert session.version == lines
        talk.hear("yes")
        assert all(has_army(session, area) for area in plan.garrisoned)


async def test_garrison_all_names_areas_left_out(tmp_path):
    app = game(tmp_path, 4, 1)
    async with app.run_test(size=(120, 40)) as pilot:
        session = session_of(app)
        plan = plan_garrisons(session)
        assert plan.price <= 4
        assert plan.left_out
        assert isinstance(plan.orders[0], actions.Build | actions.Move)
        await press(pilot, "G")
        assert "No money, pieces or route for" in app.screen._text


async def test_purchases_are_sorted_by_return(tmp_path):
    app = game(tmp_path, 30)
    async with app.run_test(size=(120, 40)) as pilot:
        session = session_of(app)
        found = find_purchases(session)
        rates = [(p.returns - p.price) / max(1, p.price) for p in found]
        assert rates == sorted(rates, reverse=True)
        assert all(p.price <= 30 and p.returns > p.price for p in found)
        await press(pilot, "B")
        assert isinstance(app.screen, PickDialog)
        await press(pilot, "down", "enter")
        assert app.screen.view.map.cursor == found[1].area
        assert not notices(app)


async def test_purchases_name_markers_without_pieces(tmp_path, monkeypatch):
    monkeypatch.setattr(order_planning, "free_pieces", lambda tables, state, power, pool: 0 if pool == "round" else 3)
    app = game(tmp_path, 30)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        text = order_planning.describe_no_purchase(session_of(app))
        assert text.startswith("You have no piece left for Interest and Influence (round pieces).")
        monkeypatch.setattr(order_planning, "free_pieces", lambda tables, state, power, pool: 3)
        assert "with £30 returns its price" in order_planning.describe_no_purchase(session_of(app))


@pytest.mark.parametrize("alone", [True, False], ids=["alone", "shared keyboard"])
async def test_area_without_strength_is_attacked_without_asking(tmp_path, alone):
    """At a shared keyboard each player gives their own orders."""
    unresisted = here(marker("britain", "protectorate", established=False), army("britain", 3))
    path = tmp_path / "game.jsonl"
    with PaxHost.new(load_tables(), seats_for(7), "7", path=path, undo="free", clock=lambda: "") as table:
        if alone:
            table.seat({seat: parse_bot_name("caretaker") for seat in seats_for(7)[1:]})
        patch = {"phase": "movement", "areas": {"new_hebrides": unresisted}}
        table.act("arbiter", {"type": "set_position", "patch": patch})
    app = PaxApp(path=path, settings=Settings(**QUIET))
    async with app.run_test(size=(120, 40)) as pilot:
        session = session_of(app)
        assert session.tables.areas["new_hebrides"].strength == 0
        await press(pilot, "r" if alone else "R")
        while isinstance(app.screen, ConfirmDialog):
            await press(pilot, "y")
        while session.live.phase == "movement":  # the bots act first
            await pilot.pause(0.02)
        await pilot.pause()
        assert [m.established for m in session.live.areas["new_hebrides"].markers] == [alone]
