"""The sides of a War after declarations, calls and mergers."""

from __future__ import annotations

import pytest

from paxtui.games.pax.state.war import OTTOMAN, Coaling, Conquest, Denial, MinorFleet, SurrenderedUnit, War
from paxtui.games.pax.war import alliances

EMPIRE = "ottoman_empire"
Sides = tuple[tuple[str, ...], ...]


def war(*sides: tuple[str, ...], kind: str = "war", id_: str = "w1") -> War:
    return War(id_, tuple(sides), kind=kind)


def ottoman(*sides: tuple[str, ...]) -> War:
    return war(*sides, kind=OTTOMAN)


@pytest.mark.parametrize(
    ("sides", "powers", "after"),
    [
        (((EMPIRE,), ("italy",)), ("france",), ((EMPIRE,), ("italy", "france"))),
        ((("italy",), (EMPIRE,)), ("france",), (("italy", "france"), (EMPIRE,))),
        (((EMPIRE, "russia"), ("italy",)), ("russia", "italy", "japan"), ((EMPIRE, "russia"), ("italy", "japan"))),
    ],
)
def test_further_enemies_of_the_empire_join_the_other_side(sides: Sides, powers: tuple[str, ...], after: Sides):
    assert alliances.with_more_enemies(ottoman(*sides), powers).alliances == after


@pytest.mark.parametrize(
    ("sides", "after"),
    [
        (((EMPIRE,), ("italy",)), ((EMPIRE, "russia"), ("italy",))),
        ((("italy",), (EMPIRE,)), (("italy",), (EMPIRE, "russia"))),
    ],
)
def test_friends_of_the_empire_join_its_side(sides: Sides, after: Sides):
    before = ottoman(*sides)
    assert alliances.with_members(before, before.side_of(EMPIRE), ("russia",)).alliances == after


@pytest.mark.parametrize(
    ("partner", "on", "follows"),
    [
        ("russia", ("italy",), True),
        ("russia", ("italy", "france"), False),
        ("russia", ("japan",), False),
        ("italy", ("russia",), False),
    ],
)
def test_power_called_by_a_friend_of_the_empire_follows_it(partner, on, follows):
    fought = ottoman((EMPIRE, "russia"), ("italy", "britain"))
    assert alliances.follows_to_empire(fought, partner, on) is follows


@pytest.mark.parametrize(
    ("sides", "power", "on", "after"),
    [
        # between an outsider and a belligerent
        ((("japan",), ("russia",)), "britain", ("russia",), (("japan", "britain"), ("russia",))),
        ((("japan",), ("russia",)), "russia", ("britain",), (("japan", "britain"), ("russia",))),
        # on both sides at once: alone
        ((("japan",), ("russia",)), "britain", ("japan", "russia"), (("japan",), ("russia",), ("britain",))),
        # on an own ally: alone as well
        ((("japan", "britain"), ("russia",)), "britain", ("japan",), (("japan",), ("russia",), ("britain",))),
        # enemies already
        ((("japan",), ("russia",)), "japan", ("russia",), (("japan",), ("russia",))),
        # a third side fights the first
        ((("japan",), ("russia",), ("italy",)), "spain", ("italy",), (("japan", "spain"), ("russia",), ("italy",))),
        # a War of one side only
        ((("japan",),), "russia", ("japan",), (("japan",), ("russia",))),
        # neither was in it
        ((("japan",), ("russia",)), "spain", ("italy",), (("japan", "italy"), ("russia",), ("spain",))),
    ],
)
def test_a_declaration_joins_the_side_opposed(sides: Sides, power: str, on: tuple[str, ...], after: Sides):
    assert alliances.with_declaration(war(*sides), power, on).alliances == after


@pytest.mark.parametrize(
    ("older", "newer", "after"),
    [
        # a common Power keeps its allies of both Wars
        (
            (("japan",), ("russia",)),
            (("britain", "russia"), ("italy",)),
            (("japan", "italy"), ("russia", "britain")),
        ),
        (
            (("japan",), ("russia",)),
            (("italy",), ("japan", "spain")),
            (("japan", "spain"), ("russia", "italy")),
        ),
        # a Power in both Wars keeps its side
        (
            (("japan", "italy"), ("russia",)),
            (("japan",), ("italy", "france")),
            (("japan", "italy"), ("russia", "france")),
        ),
    ],
)
def test_wars_with_a_common_power_merge(older: Sides, newer: Sides, after: Sides):
    one = alliances.merge_wars(war(*older), war(*newer, id_="w2"))
    assert one.alliances == after and one.id == "w1" and one.links == () and one.quiet == 0


def test_declaration_across_two_wars_makes_their_sides_enemies():
    older = War("w1", (("japan",), ("russia",)), links=(("japan", "spain"),))
    newer = War("w2", (("united_states",), ("spain",), ("italy",)))
    assert alliances.merge_wars(older, newer).alliances == (("japan", "united_states"), ("russia", "spain"), ("italy",))


def test_enemies_and_allies_of_a_power():
    fought = war(("japan", "britain"), ("russia",), ("italy",))
    assert alliances.enemies(fought, "japan") == ("russia", "italy")
    assert alliances.allies(fought, "japan") == ("japan", "britain")
    assert fought.opposes("japan", "russia") and not fought.opposes("japan", "britain")
    assert not fought.opposes("japan", "spain") and not fought.opposes("spain", "japan")


def full(id_: str, sides: Sides, power: str, area: str) -> War:
    """A War with a value in every field."""
    return War(
        id_, sides, declared=(power, "germany"), over=(area, "egypt"), commands={"spain": power, area: power},
        cycle=2 if id_ == "w1" else 3, quiet=2, coaling=(Coaling(area, 2),),
        denied=(Denial("suez", power, "italy"), Denial("straits", "germany", "italy")),
        conquered=(Conquest(area, 1),), defeated=(area, "egypt"), surrendered=(SurrenderedUnit(power, "army", 1),),
        began=(MinorFleet("spain", area),), entered=(f"{power} {area}",), unsupplied=(area,), looked_at=(power,),
        left=(power,), defended=(("spain", power),),
    )  # fmt: skip


def test_merged_war_has_the_data_of_both() -> None:
    older = full("w1", (("japan",), ("russia",)), "japan", "korea")
    newer = full("w2", (("britain",), ("japan",)), "britain", "siam")
    one = alliances.merge_wars(older, newer)
    assert one.alliances == (("japan",), ("russia", "britain")) and (one.id, one.cycle, one.quiet) == ("w1", 2, 0)
    assert one.declared == ("japan", "germany", "britain") and one.over == ("korea", "egypt", "siam")
    assert one.commands == {"spain": "japan", "korea": "japan", "siam": "britain"}
    assert one.coaling == (Coaling("korea", 2), Coaling("siam", 1)), "what was Alliance 2 of the newer is 1 now"
    assert one.conquered == (Conquest("korea", 1), Conquest("siam", 2))
    assert one.denied == (*older.denied, Denial("suez", "britain", "italy"))
    assert one.defeated == ("korea", "egypt", "siam")
    for field in ("surrendered", "began", "entered", "unsupplied", "looked_at", "left", "defended"):
        assert getattr(one, field) == (*getattr(older, field), *getattr(newer, field)), field
