"""The steady bot: it uses only its seat's view, ends its Phases, and spends its money sensibly."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from paxtui.bots.pax import steady, valuation
from paxtui.bots.pax.registry import BOTS, bot_name, parse_bot_name
from paxtui.bots.pax.steady import state_from_view
from paxtui.cli.play import BOT_NAMES
from paxtui.engine.refusal import Refusal
from paxtui.engine.seating import occupant_label
from paxtui.games.pax.board.routes import linked_areas
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.position.setup import seats_for
from paxtui.games.pax.position.view import view_for_seat
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import CONTROL
from paxtui.session.pax_host import PaxHost
from tests.rules.harness import Bench, army, marker, start, tables


def movement(patch: dict[str, object] | None = None, treasury: int = 60) -> Bench:
    """A Movement/Status Change Phase in which all Powers have money."""
    base = {"phase": "movement", "powers": {p: {"treasury": treasury} for p in seats_for(7)}}
    return start({**base, **(patch or {})})


def play_seat(bench: Bench, seat: str, seed: str = "1") -> tuple[list[str], list[str]]:
    """Play a seat; return its accepted and its refused orders."""
    accepted: list[str] = []
    refused: list[str] = []

    def act(text: str) -> bool:
        try:
            bench.act(seat, text)
        except Refusal:
            refused.append(text)
            return False
        accepted.append(text)
        return True

    steady.play_steadily(bench.tables, lambda: bench.view(seat), seat, seed, act)
    return accepted, refused


@pytest.mark.parametrize("seat", seats_for(7))
def test_steady_bot_spends_on_trade_and_is_ready(seat: str) -> None:
    bench = movement()
    before = bench.state.powers[seat].treasury
    accepted, refused = play_seat(bench, seat)
    assert accepted[-1] == "ready"
    assert seat in bench.state.ready
    assert bench.state.powers[seat].treasury <= before / 3
    assert any(t.split()[-2] in ("interest", "influence", "protectorate") for t in accepted if "place" in t)
    assert len(refused) <= max(2, len(accepted) // 5), refused


def test_equal_positions_and_seeds_give_equal_acts() -> None:
    bench = movement()
    state = bench.state
    first = steady.choose_steady_actions(bench.tables, state, "germany", 5)
    assert first == steady.choose_steady_actions(bench.tables, state, "germany", 5)
    assert any(first != steady.choose_steady_actions(bench.tables, state, "germany", n) for n in range(6, 12))


def test_each_area_is_valued_once_for_all_fleet_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = movement()
    valued: list[str] = []
    through = valuation._area_trade

    def noting(tables: Tables, state: State, power: str, area: str) -> float:
        valued.append(area)
        return through(tables, state, power, area)

    monkeypatch.setattr(valuation, "_area_trade", noting)
    state = replace(bench.state, areas=dict(bench.state.areas))  # an equal position that no cache knows
    for zone in bench.tables.sea_zones:
        sailed = replace(state, sea_zones={**state.sea_zones, zone: ("britain",)})
        reach = valuation.trade_reach(bench.tables, sailed, "britain")
        linked = linked_areas(bench.tables, sailed, "britain")
        assert reach == pytest.approx(sum(through(bench.tables, sailed, "britain", area) for area in linked))
    assert valued and len(valued) == len(set(valued))


def test_view_from_the_protocol_gives_the_same_acts() -> None:
    bench = movement()
    seen = json.loads(json.dumps(view_for_seat(bench.tables, bench.state, "france", 1)))
    assert steady.choose_steady_actions(bench.tables, seen, "france", 5) == steady.choose_steady_actions(
        bench.tables, bench.state, "france", 5
    )
    again = state_from_view(bench.tables, seen)
    assert again.areas == bench.state.areas
    assert again.sea_zones == bench.state.sea_zones


def test_germany_also_plays_austria_hungary() -> None:
    bench = movement({"powers": {"germany": {"treasury": 20}, "austria_hungary": {"treasury": 30}}})
    accepted, _ = play_seat(bench, "germany")
    assert any(t.startswith("austria_hungary: ") for t in accepted)


def test_no_fleet_is_built_unless_an_event_demands_it() -> None:
    for seat in seats_for(7):
        accepted, _ = play_seat(movement(treasury=300), seat)
        assert not any(t.startswith("build N") for t in accepted)


def test_event_demand_is_met_before_ready() -> None:
    german = next(d for d, e in tables().events.items() if e.spend_on == "naval" and e.spend_at_least)
    bench = movement({"events_in_force": [german]})
    power = tables().events[german].power
    accepted, refused = play_seat(bench, power)
    assert any(t.startswith("build N") for t in accepted)
    assert "ready" not in refused
    assert bench.state.powers[power].spent_on_naval >= tables().events[german].spend_at_least


def test_protectorate_is_placed_with_an_army() -> None:
    bench = movement(treasury=200)
    accepted, _ = play_seat(bench, "france")
    new = [t.split()[-1] for t in accepted if "protectorate" in t]
    assert new
    for area in new:
        armies = [u.strength for u in bench.state.areas[area].units if u.power == "france" and u.kind == "army"]
        assert sum(armies) >= 2 * tables().areas[area].strength


def test_steady_bot_does_not_provoke() -> None:
    for seat in seats_for(7):
        bench = movement(treasury=200)
        accepted, _ = play_seat(bench, seat)
        for text in accepted:
            words = text.split()
            if "protectorate" in words:
                area = words[-1]
                rivals = {m.power for m in bench.state.areas[area].markers if m.marker in (*CONTROL, "influence")}
                assert rivals == {words[0].rstrip(":") if ":" in words[0] else seat}
                assert tables().areas[area].type != "ottoman"


def test_fight_is_declined_at_bad_odds() -> None:
    for strength, answer in ((1, "decline"), (10, "fight")):
        bench = start(
            {
                "phase": "colonial_combat",
                "areas": {
                    "manchuria": {
                        "unrest": True,
                        "markers": [marker("russia", "protectorate", established=False)],
                        "units": [army("russia", strength)] * (1 if strength == 1 else 2),
                    }
                },
                "homes": {"russia": {"units": []}},
            }
        )
        acts = steady.choose_steady_actions(bench.tables, bench.view("russia"), "russia", 1)
        assert [t.split()[2] for t in acts] == [answer]


def test_gift_is_accepted() -> None:
    bench = movement()
    bench.act("france", "pay italy 5")
    (text,) = steady.choose_steady_actions(bench.tables, bench.view("italy"), "italy", 1)
    bench.act("italy", text)
    assert bench.state.powers["italy"].treasury == 65


def test_two_turns_end_without_forced_acts() -> None:
    table = PaxHost.new(tables(), seats_for(7), "two turns")
    refused = 0
    for _ in range(400):
        if table.state.turn > 2 or table.state.result:
            break
        if not table.waiting:
            table.advance()
            continue
        for seat in table.waiting:

            def act(text: str, seat: str = seat) -> bool:
                try:
                    table.act(seat, text)
                except Refusal:
                    return False
                return True

            done = steady.play_steadily(table.tables, lambda seat=seat: table.view(seat), seat, "x", act)  # type: ignore[misc]
            refused += not done
    assert table.state.turn == 3
    assert not refused


@pytest.mark.parametrize("name", [*BOTS, "statesman:hard:bold"])
def test_each_bot_has_a_name(name: str) -> None:
    occupant = parse_bot_name(name)
    assert bot_name(occupant).startswith(name) and name.split(":")[0] in occupant_label(occupant)
    assert set(BOT_NAMES) == set(BOTS)


def test_no_acts_without_a_decision() -> None:
    bench = start()
    assert steady.choose_steady_actions(bench.tables, bench.view("france"), "france", 1) == []
