"""Terms of a peace: edited article by article, and read from a draft."""

from __future__ import annotations

from paxtui.games.pax.actions.notation import format_order
from paxtui.games.pax.clauses.exchanges import PEACE
from paxtui.games.pax.preview import peace
from paxtui.games.pax.preview.peace import PeaceTerms
from paxtui.games.pax.state.diplomacy import Clause
from tests.rules import wars
from tests.rules.harness import UNLIMITED, Bench, army, held, here, marker, tables
from tests.rules.wars import the_war

T = tables()
TO_JAPAN = Clause("transfer", power="russia", to="japan", places=("manchuria",))
DOWN = Clause("lower", power="russia", places=("persia",), marker="interest")
SHARED = Clause("codominion", places=("korea",), against=("japan", "russia"))
LATER = Clause("transfer", power="russia", to="japan", places=("mongolia",), turn=5)
AGAIN = Clause("lower", power="russia", places=("manchuria",))
NOTE = Clause("text", text="be kind")
OTHERS_PAY = Clause("pay", power="russia", to="britain", amount=3)


def far_east(**war: object) -> Bench:
    areas = {
        "korea": here(marker("japan", "protectorate"), army("russia", 3)),
        "manchuria": held("russia", "protectorate", army("japan", 10)),
        "persia": held("russia", "influence"),
        "port_arthur": here(marker("russia", "interest"), marker("italy", "influence")),
        "canada": held("britain", "dominion"),
    }
    return wars.at_war([["japan", "britain"], ["russia"]], options=UNLIMITED, areas=areas, war=war)


def test_peace_terms_are_read_from_a_draft() -> None:
    war = the_war(far_east())
    paid, got = Clause("pay", power="japan", to="russia", amount=4), Clause("pay", power="russia", to="japan", amount=9)
    clauses = (Clause(PEACE.id), TO_JAPAN, DOWN, SHARED, LATER, AGAIN, paid, got, OTHERS_PAY, NOTE)
    terms = peace.terms_from_draft(war, "japan", clauses, ("japan", "russia"), "kq7da")
    assert terms == PeaceTerms(
        war.id, "japan", ("russia",), {"manchuria": TO_JAPAN, "persia": DOWN, "korea": SHARED}, {"russia": 5},
        (LATER, AGAIN, OTHERS_PAY, NOTE), "kq7da",
    )  # fmt: skip
    assert terms.clauses == (Clause(PEACE.id), TO_JAPAN, DOWN, SHARED, Clause("pay", power="russia", to="japan",
                             amount=5), LATER, AGAIN, OTHERS_PAY, NOTE)  # fmt: skip
    later = (Clause(PEACE.id, turn=5), Clause("pay", power="japan", to="russia", amount=4, turn=5))
    assert peace.terms_from_draft(war, "japan", later, ("russia", "japan")).others == later


def test_peace_terms_can_be_edited() -> None:
    terms = PeaceTerms("w1", "japan", ("russia",)).with_fate("manchuria", TO_JAPAN).with_fate("korea", SHARED)
    assert terms.with_fate("manchuria", DOWN).fates == {"manchuria": DOWN, "korea": SHARED}
    assert terms.with_fate("manchuria", None).fates == {"korea": SHARED}
    paid = terms.toggled("britain").paying("russia", 5).paying("russia", -15).paying("britain", 5)
    assert (paid.signers, paid.money) == (("russia", "britain"), {"russia": -10, "britain": 5})
    assert paid.clauses[3:] == (
        Clause("pay", power="japan", to="russia", amount=10), Clause("pay", power="britain", to="japan", amount=5),
    )  # fmt: skip
    gone = paid.toggled("russia")
    assert (gone.signers, gone.money) == (("britain",), {"britain": 5})
    more = PeaceTerms("w1", "japan", (), others=(NOTE, LATER, OTHERS_PAY))
    assert more.without(1).others == (NOTE, OTHERS_PAY) and more.paying("russia", 0).clauses[1:] == more.others


def test_areas_of_a_peace_and_other_areas() -> None:
    g = far_east(conquered=[{"area": "manchuria", "alliance": 1}], over=["persia"])
    war = the_war(g)
    begun = peace.initial_terms(T, g.state, war, "japan")
    assert begun == PeaceTerms(war.id, "japan", ("britain", "russia"))
    assert peace.main_areas(T, g.state, war, begun) == ("manchuria", "korea", "persia")
    assert "persia" not in peace.other_areas(T, g.state, war, begun)
    assert "port_arthur" in peace.other_areas(T, g.state, war, begun)
    assert "canada" not in peace.other_areas(T, g.state, war, begun), "a Dominion cannot be transferred"
    spoken = peace.main_areas(T, g.state, war, begun.with_fate("canada", NOTE))
    assert spoken == ("manchuria", "canada", "korea", "persia")


def test_fates_of_an_area_are_described() -> None:
    g = far_east(conquered=[{"area": "manchuria", "alliance": 1}])
    war = the_war(g)

    def fates(area: str, power: str = "") -> list[str]:
        return [peace.fate_text(T, g.state, c) for c in peace.possible_fates(T, g.state, war, area, power)]

    assert fates("manchuria", "britain") == [
        "to Great Britain", "to Japan", "to France", "to Germany", "to the United States", "to Italy",
        "to Austria-Hungary", "shared by Great Britain and Russia", "shared by Japan and Russia",
        "Russia keeps an Influence", "Russia keeps an Interest", "Russia gives it up",
    ]  # fmt: skip
    assert fates("manchuria", "japan")[:2] == ["to Japan", "to Great Britain"]
    assert fates("port_arthur")[:2] == ["Russia's marker to Great Britain", "Russia's marker to Japan"]
    assert fates("persia")[-2:] == ["Russia keeps an Interest", "Russia gives it up"]
    assert fates("siam") == fates("canada") == []
    stays = {area: peace.default_fate_text(T, g.state, war, area) for area in ("manchuria", "korea", "persia", "siam")}
    assert stays == {
        "manchuria": "goes back to Russia", "korea": "stays with Japan", "persia": "stays with Russia",
        "siam": "stays as it is",
    }  # fmt: skip


def test_peace_order_names_all_signers() -> None:
    g = far_east()
    terms = peace.initial_terms(T, g.state, the_war(g), "japan").toggled("britain")
    draft = peace.peace_draft(T, g.state, terms.with_fate("manchuria", TO_JAPAN))
    assert format_order(T, draft) == "propose with russia: peace; russia transfers manchuria to japan"
    assert peace.peace_refusal(T, g.state, terms) is None
    alone = peace.peace_refusal(T, g.state, PeaceTerms("w1", "japan", ()))
    assert alone is not None and alone.code == "alone"
    assert peace.wars_to_end(T, g.state, "japan") == g.state.wars
    assert peace.wars_to_end(T, g.state, "italy") == ()
