"""Chinese Resentment (CRI): the yearly rise, and the three dice for a Chinese Rebellion."""

from __future__ import annotations

from typing import Any

import pytest

from paxtui.games.pax.actions import actions
from paxtui.games.pax.events import events
from tests.rules.harness import Bench, army, marker, start


def phase(*dice: int, resentment: int = 0, options: dict[str, str] | None = None, **areas: Any) -> Bench:
    """A Chinese Resentment Phase played out with these dice."""
    patch = {"phase": "chinese_resentment", "indexes": {"chinese_resentment": resentment}, "areas": areas}
    g = start(patch, 7, {"counter_limits": "unlimited", **(options or {})})
    g.dice(*dice)
    g.step()
    return g


def standing(*markers: tuple[str, str], **more: Any) -> dict[str, Any]:
    return {"markers": [marker(p, m) for p, m in markers], **more}


def checked(g: Bench) -> events.RebellionChecked:
    return g.of(events.RebellionChecked)[0]


SHARED = standing(("britain", "possession"), ("japan", "protectorate"), codominion=["britain", "japan"])
"""Hong Kong granted to Japan as a Codominion."""


# The rise


@pytest.mark.rule("CRI-008", "SEQ-022")
def test_three_points_for_each_control_marker_not_each_area() -> None:
    """Hong Kong with a British Possession and a Japanese marker: 6; in 1880, with the Possession alone: 3."""
    assert phase(1, 1, 1, hong_kong=SHARED).state.resentment == 6
    assert phase(1, 1, 1).state.resentment == 3
    two = phase(1, 1, 1, kansu=standing(("russia", "protectorate")))
    assert two.state.resentment == 6
    assert [(e.amount, e.power, e.area) for e in two.of(events.ResentmentRaised)] == [
        (3, "britain", "hong_kong"),
        (3, "russia", "kansu"),
    ]


@pytest.mark.rule("CRI-008")
def test_option_counts_5_for_a_possession() -> None:
    sheet = {"cri_per_phase": "sheet"}
    assert phase(1, 1, 1, options=sheet).state.resentment == 5
    assert phase(1, 1, 1, options=sheet, kansu=standing(("russia", "protectorate"))).state.resentment == 8
    assert phase(1, 1, 1, options=sheet, hong_kong=SHARED).state.resentment == 8


@pytest.mark.rule("CRI-008")
def test_minor_powers_markers_count_too() -> None:
    assert phase(1, 1, 1, fukien=standing(("spain", "protectorate"))).state.resentment == 6


@pytest.mark.rule("CRI-017")
def test_interests_influences_and_vassals_add_nothing() -> None:
    g = phase(
        1,
        1,
        1,
        hong_kong=standing(),
        burma=standing(("britain", "possession")),
        shan_tung=standing(("germany", "influence")),
        fukien=standing(("france", "interest")),
    )
    assert g.state.resentment == 0 and g.of(events.ResentmentRaised) == []


@pytest.mark.rule("CRI-005", "CRI-012")
def test_a_marker_counts_in_every_turn() -> None:
    """Kansu's Protectorate has raised the Index when it was placed, and does so in every such Phase."""
    kansu = standing(("russia", "protectorate"))
    first = phase(1, 1, 1, resentment=10, kansu=kansu)
    assert first.state.resentment == 16
    again = phase(1, 1, 1, resentment=first.state.resentment, kansu=kansu)
    assert again.state.resentment == 22


@pytest.mark.rule("CRI-012")
def test_ceded_and_conquered_areas_count_like_others() -> None:
    ceded = {"markers": [marker("germany", "possession", since=1)]}
    assert phase(1, 1, 1, shan_tung=ceded).state.resentment == 6


# The dice


@pytest.mark.rule("CRI-002", "SEQ-023")
def test_the_adjustment_comes_before_the_dice() -> None:
    """118 and 6 are 124: 12 is rebellion, though it is more than the 11 of before."""
    g = phase(4, 4, 4, resentment=118, hong_kong=SHARED)
    assert g.state.resentment == 124
    assert checked(g).target == 12 and checked(g).rebellion


@pytest.mark.rule("CRI-003", "CRI-004", "CRI-014")
@pytest.mark.parametrize(
    ("index", "dice", "rebellion"),
    [
        (122, (4, 4, 4), True),
        (122, (4, 4, 5), False),
        (129, (6, 5, 1), True),
        (129, (6, 6, 1), False),
        (29, (1, 1, 1), False),
        (30, (1, 1, 1), True),
        (30, (1, 1, 2), False),
    ],
)
def test_rebellion_needs_dice_of_a_tenth_of_the_index_or_less(
    index: int, dice: tuple[int, int, int], rebellion: bool
) -> None:
    g = phase(*dice, resentment=index, hong_kong=standing())
    assert g.queue == () and checked(g).dice == dice
    assert checked(g).target == index // 10
    assert checked(g).rebellion is rebellion
    assert g.state.phase == ("war" if rebellion else "victory_point_record")


@pytest.mark.rule("CRI-003")
def test_the_rebellion_is_for_the_war_phase_of_the_same_turn() -> None:
    g = phase(1, 1, 1, resentment=122, hong_kong=standing(("britain", "possession")))
    assert [e.war for e in g.of(events.WarDue)] == ["chinese_rebellion"]
    assert g.state.phase == "war" and g.state.turn == 1
    g.step()
    assert [(w.kind, w.alliances) for w in g.state.wars] == [("rebellion", (("china",), ("britain",)))]
    assert g.state.phase == "war" and not g.state.rebellion
    calm = phase(6, 6, 6, resentment=122, hong_kong=standing())
    assert calm.of(events.WarDue) == [] and calm.state.phase == "victory_point_record"


TABLE = (
    *("tibet", "sin_kiang", "kansu", "yunnan", "kwang_si", "central_china"),
    *("shang_hai", "shan_tung", "szech_wan", "fukien", "manchuria"),
)


@pytest.mark.rule("CRI-009")
def test_no_dice_when_no_chinese_army_could_be_placed() -> None:
    """All eleven Areas of the placement table are Possessions, Mongolia is free."""
    every = {area: standing(("britain", "possession")) for area in TABLE}
    g = phase(1, 1, 1, resentment=180, **every)
    assert g.queue == (1, 1, 1) and g.of(events.RebellionChecked) == []
    assert [(e.code, e.rules) for e in g.of(events.Noted)] == [("no_rebellion", ("CRI-009",))]
    assert g.state.phase == "victory_point_record"
    assert g.state.resentment == 180 + 12 * 3  # it keeps rising
    for lost in (standing(), standing(("britain", "protectorate"))):
        g = phase(1, 1, 1, resentment=180, **{**every, "kansu": lost})
        assert checked(g).rebellion


@pytest.mark.rule("CRI-013", "CRI-009")
def test_the_index_goes_beyond_100() -> None:
    g = phase(6, 6, 6, resentment=97, kansu=standing(("russia", "protectorate")), hong_kong=SHARED)
    assert g.state.resentment == 106 and checked(g).target == 10
    g = phase(6, 6, 6, resentment=200)
    assert g.state.resentment == 203 and checked(g).rebellion


# When a marker is placed


def placing(area: str, *orders: tuple[str, str, str], treasury: int = 200) -> list[int]:
    """Resentment added by each order (power, verb, marker) in one Movement/Status Change Phase."""
    money = {p: {"treasury": treasury} for p in ("russia", "germany", "italy", "japan", "britain", "france")}
    fleets = {
        "south_china_sea": {"merchant_fleets": ["britain", "france", "germany", "italy"]},
        "north_china_sea": {"merchant_fleets": ["britain", "japan", "germany", "italy"]},
    }
    patch = {"phase": "movement", "powers": money, "sea_zones": fleets, "areas": {area: {"unrest": True}}}
    g = start(patch, 7, {"counter_limits": "unlimited"})
    out = []
    for power, verb, kind in orders:
        before = g.state.resentment
        g.do(power, (actions.Upgrade if verb == "upgrade" else actions.Place)(kind, area))
        out.append(g.state.resentment - before)
        assert g.state.phase == "movement"
    return out


@pytest.mark.rule("CRI-015", "CRI-001", "CRI-005")
def test_a_marker_in_the_empire_raises_the_index_at_once() -> None:
    assert placing("manchuria", ("russia", "place", "interest")) == [2]
    assert placing("manchuria", ("russia", "place", "influence")) == [4]
    assert placing("manchuria", ("russia", "place", "protectorate")) == [10]
    assert placing("manchuria", ("russia", "place", "possession")) == [15]


@pytest.mark.rule("CRI-016", "CRI-001")
def test_a_marker_in_a_vassal_raises_the_index_only_for_control() -> None:
    assert placing("korea", ("japan", "place", "interest")) == [0]
    assert placing("korea", ("japan", "place", "influence")) == [0]
    assert placing("korea", ("japan", "place", "protectorate")) == [3]
    assert placing("korea", ("japan", "place", "possession")) == [6]


@pytest.mark.rule("CRI-015", "CRI-016")
def test_an_upgrade_adds_the_difference() -> None:
    # Control markers go into the Empire only where there is Unrest
    def raised(area: str, power: str, old: str, new: str) -> int:
        g = start(
            {
                "phase": "movement",
                "powers": {power: {"treasury": 100}},
                "areas": {area: standing((power, old), units=[army(power, 3)], unrest=True)},
            }
        )
        g.do(power, actions.Upgrade(new, area))
        return g.state.resentment

    assert raised("manchuria", "russia", "interest", "influence") == 2
    assert raised("manchuria", "russia", "influence", "protectorate") == 6
    assert raised("manchuria", "russia", "protectorate", "possession") == 5
    assert raised("korea", "japan", "influence", "protectorate") == 3
    assert raised("korea", "japan", "protectorate", "possession") == 3


@pytest.mark.rule("CRI-007")
def test_each_marker_of_several_powers_counts() -> None:
    orders = [("germany", "place", "influence"), ("italy", "place", "influence")]
    assert placing("shan_tung", *orders) == [4, 4]
