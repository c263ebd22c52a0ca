"""After a Chinese Rebellion (REB, CRI): cessions, the Resentment Index, and the return of Units."""

from __future__ import annotations

from typing import Any

import pytest

from paxtui.games.pax.events import events
from tests.rules.harness import Bench, answer, army, asked, held, here, marker, naval
from tests.rules.rebellions import rebellion
from tests.rules.wars import decided

HONG_KONG = {"hong_kong": held("britain", "possession", army("britain", 3))}
TWO = {**HONG_KONG, "korea": held("japan", "protectorate", army("japan", 3))}
"""British and Japanese armies in China."""
THREE = {**TWO, "manchuria": held("russia", "protectorate", army("russia", 3))}


def victory(areas: dict[str, Any], *defeated: str, more: tuple[str, ...] = (), **patch: Any) -> Bench:
    """The colonial Powers have won, these Areas being defeated; `more`: members without armies there."""
    kinds = {m["power"]: 1 for here_ in areas.values() for m in (*here_["markers"], *here_["units"])}
    indexes = {"chinese_resentment": 120, "european_tensions": 10}
    war = {"cycle": 3, "defeated": list(defeated), **patch.pop("war", {})}
    g = rebellion([*kinds, *more], "end", None, areas=areas, war=war, indexes=indexes, **patch)
    g.advance()
    assert decided(g) == [("rebels_beaten", 2)]
    return g


def options(g: Bench) -> set[str]:
    """The possible demands of each asked Power."""
    return set(g.state.choices[0].options)


def ceded(g: Bench) -> list[tuple[str, str, str]]:
    """The cessions of China."""
    return [(e.power, e.area, e.marker) for e in g.all_of(events.AreaCeded)]


# Demands


@pytest.mark.rule("REB-037", "REB-044")
def test_powers_with_an_army_in_china_may_demand_an_area() -> None:
    fleet = {"shang_hai": held("germany", "protectorate", naval("germany", 3))}
    outside = {"siam": held("france", "possession", army("france", 3)), "indochina": held("france", "protectorate")}
    g = victory({**HONG_KONG, **fleet, **outside}, "kansu", "korea", "yunnan", more=("united_states",))
    assert asked(g) == [("britain", "cession")]
    answer(g, "britain", "place protectorate korea")
    assert ceded(g) == [("britain", "korea", "protectorate")]


@pytest.mark.rule("REB-038")
def test_only_defeated_areas_may_be_demanded() -> None:
    g = victory(HONG_KONG, "kansu")
    assert options(g) == {"place protectorate kansu", "place possession kansu", "none"}
    g = victory(HONG_KONG)
    assert g.state.choices == () and ceded(g) == []


@pytest.mark.rule("REB-040")
def test_a_power_may_decline() -> None:
    g = victory(HONG_KONG, "kansu")
    answer(g, "britain", "none")
    assert ceded(g) == [] and g.state.resentment == 0 and g.kind("kansu", "britain") == ""
    g = victory(HONG_KONG, "kansu")
    g.step()
    assert ceded(g) == [], "nothing is demanded by default"


@pytest.mark.rule("REB-041", "CRI-010", "CRI-011")
def test_ceded_marker_is_free_and_raises_resentment() -> None:
    for area, kind, points in (("shan_tung", "possession", 15), ("shan_tung", "protectorate", 10)):
        g = victory(HONG_KONG, area)
        before = g.state.powers["britain"].treasury
        answer(g, "britain", f"place {kind} {area}")
        assert g.kind(area, "britain") == kind and g.state.resentment == points
        assert g.state.powers["britain"].treasury == before and g.state.tension == 10
    g = victory(HONG_KONG, "korea")
    answer(g, "britain", "place protectorate korea")
    assert g.state.resentment == 3


@pytest.mark.rule("CRI-010")
def test_over_an_own_lower_marker_the_difference_is_resented() -> None:
    g = victory({**HONG_KONG, "shan_tung": here(marker("britain", "influence"))}, "shan_tung")
    answer(g, "britain", "place possession shan_tung")
    table = g.tables.resentment
    points = table["possession"].placed_in_empire - table["influence"].placed_in_empire
    assert g.state.resentment == points and g.kind("shan_tung", "britain") == "possession"


@pytest.mark.rule("REB-059")
def test_conflicting_markers_go_without_tension() -> None:
    old = here(marker("italy", "influence"), marker("united_states", "interest"))
    for kind, interest in (("possession", ""), ("protectorate", "interest")):
        g = victory({**HONG_KONG, "shan_tung": old}, "shan_tung")
        answer(g, "britain", f"place {kind} shan_tung")
        assert g.kind("shan_tung", "italy") == "" and g.kind("shan_tung", "united_states") == interest
        assert g.state.tension == 10


@pytest.mark.rule("REB-059")
def test_the_receiver_has_until_the_end_of_the_next_movement_phase_for_a_garrison() -> None:
    g = victory(HONG_KONG, "shan_tung")
    answer(g, "britain", "place possession shan_tung")
    for _ in range(100):
        if g.state.phase == "movement":
            break
        g.step()
    assert g.state.phase == "movement"
    assert g.kind("shan_tung", "britain") == "possession"


# Enough for all, or a list


@pytest.mark.rule("REB-043")
def test_enough_areas_are_ceded_without_a_question() -> None:
    g = victory(TWO, "kansu", "yunnan")
    answer(g, "britain", "place possession yunnan")
    answer(g, "japan", "place protectorate kansu")
    assert ceded(g) == [("britain", "yunnan", "possession"), ("japan", "kansu", "protectorate")]


@pytest.mark.rule("REB-039", "REB-043", "REB-044")
def test_too_few_areas_need_a_list_signed_by_all() -> None:
    member = ("united_states",)
    for text, result in (("sign", [("britain", "kansu", "possession")]), ("reject", [])):
        g = victory(TWO, "kansu", more=member)
        answer(g, "britain", "place possession kansu")
        answer(g, "japan", "none")
        assert asked(g) == [("britain", "cessions"), ("japan", "cessions")]
        answer(g, "britain", "sign")
        assert ceded(g) == []
        answer(g, "japan", text)
        assert ceded(g) == result


@pytest.mark.rule("REB-043")
def test_list_fails_by_silence_or_one_refusal() -> None:
    g = victory(THREE, "kansu", "yunnan")
    answer(g, "britain", "place possession kansu")
    g.step()
    assert ceded(g) == []
    g = victory(THREE, "kansu", "yunnan")
    for power in ("britain", "japan", "russia"):
        answer(g, power, "place possession kansu" if power != "russia" else "none")
    answer(g, "russia", "reject")
    assert not any(c.kind == "cessions" for c in g.state.choices) and ceded(g) == []


@pytest.mark.rule("REB-039", "REB-043")
def test_two_that_want_the_same_area_need_an_agreement() -> None:
    g = victory(TWO, "kansu", "yunnan")
    answer(g, "britain", "place possession kansu")
    answer(g, "japan", "place possession kansu")
    assert asked(g) == [("britain", "cessions"), ("japan", "cessions")]
    for power in ("britain", "japan"):
        answer(g, power, "sign")
    assert ceded(g) == [("britain", "kansu", "possession")]


@pytest.mark.rule("REB-041")
def test_a_public_treaty_records_the_cessions() -> None:
    g = victory(TWO, "kansu", "yunnan")
    answer(g, "britain", "place possession yunnan")
    answer(g, "japan", "place protectorate kansu")
    (treaty,) = g.state.treaties
    assert treaty.public and set(treaty.parties) == {"britain", "japan"} and treaty.stage == "in_force"
    assert [c.text for c in treaty.clauses] == [
        "China cedes Yunnan to Great Britain as a possession",
        "China cedes Kansu to Japan as a protectorate",
    ]


# Minor Powers


@pytest.mark.rule("REB-042")
def test_great_powers_come_first_even_if_minor_powers_get_nothing() -> None:
    g = victory(TWO, "kansu", players=4)
    assert asked(g) == [("britain", "cession")]
    answer(g, "britain", "place possession kansu")
    answer(g, "britain", "sign")
    assert ceded(g) == [("britain", "kansu", "possession")]


@pytest.mark.rule("REB-045", "REB-046")
def test_minor_russia_and_japan_get_the_rest_by_agreement() -> None:
    g = victory(THREE, "fukien", "kansu", players=4)
    answer(g, "britain", "place possession kansu")
    assert asked(g) == [("britain", "cessions")]
    answer(g, "britain", "sign")
    assert ceded(g) == [("britain", "kansu", "possession"), ("russia", "fukien", "possession")]
    g = victory(THREE, "fukien", "kansu", "tibet", "yunnan", players=4)
    answer(g, "britain", "place possession fukien")
    best = [("russia", "yunnan", "possession"), ("japan", "kansu", "possession")]
    assert ceded(g) == [("britain", "fukien", "possession"), *best], "the best one left each time"


@pytest.mark.rule("REB-046", "REB-047")
def test_minor_powers_get_nothing_without_agreement() -> None:
    g = victory(TWO, "fukien", "kansu", players=4)
    answer(g, "britain", "none")
    assert ceded(g) == []
    g = victory(THREE, "fukien", "kansu", players=4)
    answer(g, "britain", "place possession kansu")
    answer(g, "britain", "reject")
    assert ceded(g) == []
    g = victory({"korea": TWO["korea"]}, "kansu", players=4)
    assert g.state.choices == () and ceded(g) == []


# The way home


@pytest.mark.rule("REB-050")
def test_unit_without_control_moves_to_a_legal_place() -> None:
    areas = {"kwang_si": here(army("france", 3)), "indochina": held("france", "protectorate", army("france"))}
    g = victory(areas)
    assert asked(g) == [("france", "return")] and options(g) == {"home", "indochina"}
    answer(g, "france", "indochina")
    assert g.units("indochina") == ["A1", "A3"]


@pytest.mark.rule("REB-050")
def test_army_without_a_path_goes_home() -> None:
    g = victory({"kansu": here(army("britain")), **HONG_KONG}, homes={"britain": {"units": []}})
    g.step()
    assert g.units("kansu") == [] and g.units("home:britain") == ["A1"]


@pytest.mark.rule("REB-050")
def test_after_a_chinese_success_fleets_leave_for_a_port_of_their_own() -> None:
    areas = {"hong_kong": held("britain", "possession", naval("britain", 1)), "fukien": here(), "aden": held("britain")}
    indexes = {"chinese_resentment": 120}
    rebel = {"power": "china", "kind": "army", "strength": 5}
    areas["fukien"] = here(rebel)
    g = rebellion(["britain"], "end", None, areas=areas, war={"cycle": 3}, indexes=indexes)
    g.advance()
    assert asked(g) == [("britain", "return")] and {"aden"} < options(g)
    answer(g, "britain", "aden")
    assert g.units("aden") == ["N1"]


@pytest.mark.rule("REB-050")
def test_units_may_stay_in_a_ceded_area() -> None:
    g = victory({"kansu": here(army("britain", 10))}, "kansu")
    answer(g, "britain", "place possession kansu")
    g.step()
    assert g.units("kansu") == ["A10"]
