"""A clause of every form of words, as it is read."""

from __future__ import annotations

from paxtui.games.pax.state.diplomacy import Clause, ClauseTrigger
from tests.rules.harness import tables

NEAR_EAST = tuple(a.id for a in tables().areas.values() if a.region == "near_east")

FORMS: dict[str, Clause] = {
    "peace": Clause("peace"),
    "tunis to italy": Clause("cede", to="italy", places=("tunis",)),
    "defensive": Clause("defensive"),
    "defensive against germany": Clause("defensive", against=("germany",)),
    "defensive by britain against germany, russia until 1892": Clause(
        "defensive", power="britain", against=("germany", "russia"), until=4
    ),
    "offensive against germany": Clause("offensive", against=("germany",)),
    "offensive against germany upon war france germany": Clause(
        "offensive", against=("germany",), upon=ClauseTrigger("war", "france", "germany")
    ),
    "non-aggression": Clause("non_aggression"),
    "shared cause": Clause("shared_cause"),
    "no marker by britain in kenya, uganda until 1892": Clause(
        "no_marker", power="britain", places=("kenya", "uganda"), until=4
    ),
    "no protectorate in kenya": Clause("no_marker", places=("kenya",), marker="protectorate"),
    "no units by germany in region:near_east": Clause(
        "no_unit", power="germany", places=NEAR_EAST, region="region:near_east"
    ),
    "no naval by germany in mediterranean": Clause(
        "no_unit", power="germany", places=("mediterranean",), units=("naval",)
    ),
    "at most 4 army by russia in persia": Clause(
        "at_most", power="russia", places=("persia",), units=("army",), amount=4
    ),
    "at most 0 A10 N3 in persia": Clause("at_most", places=("persia",), units=("A10", "N3")),
    "at least 4 units by russia in persia": Clause("at_least", power="russia", places=("persia",), amount=4),
    "germany builds N10 by 1888": Clause("build", power="germany", units=("N10",), turn=3),
    "germany builds N10 N10 army by 1888": Clause("build", power="germany", units=("N10", "N10", "army"), turn=3),
    "germany builds no naval until 1900": Clause("no_build", power="germany", units=("naval",), until=6),
    "all build no units": Clause("no_build"),
    "france pays italy 15": Clause("pay", power="france", to="italy", amount=15),
    "france pays italy 5 every turn until 1892": Clause(
        "pay", power="france", to="italy", amount=5, every_turn=True, until=4
    ),
    "france pays italy 15 in 1888": Clause("pay", power="france", to="italy", amount=15, turn=3),
    "britain transfers hong_kong to japan upon war britain germany": Clause(
        "transfer", power="britain", places=("hong_kong",), to="japan", upon=ClauseTrigger("war", "britain", "germany")
    ),
    "britain transfers possession hong_kong to japan": Clause(
        "transfer", power="britain", places=("hong_kong",), to="japan", marker="possession"
    ),
    "britain grants germany protectorate in kenya": Clause(
        "grant", power="britain", to="germany", marker="protectorate", places=("kenya",)
    ),
    "britain grants germany protectorate in kenya paid by france": Clause(
        "grant", power="britain", to="germany", marker="protectorate", places=("kenya",), against=("france",)
    ),
    "france lowers tunis to influence": Clause("lower", power="france", places=("tunis",), marker="influence"),
    "france leaves tunis upon control italy tripoli": Clause(
        "lower", power="france", places=("tunis",), upon=ClauseTrigger("control", "italy", area="tripoli")
    ),
    "codominion of tunis with france, italy": Clause("codominion", places=("tunis",), against=("france", "italy")),
    "codominion of tunis with france, italy as possession paid by france": Clause(
        "codominion", places=("tunis",), against=("france", "italy"), marker="possession", power="france"
    ),
    "italy waives tunis": Clause("waive", power="italy", places=("tunis",)),
    "italy waives against france": Clause("waive", power="italy", to="france"),
    "italy waives tunis against france": Clause("waive", power="italy", places=("tunis",), to="france"),
    "italy votes yes": Clause("vote", power="italy", vote="yes"),
    "italy votes abstain for france on tunis until 1884": Clause(
        "vote", power="italy", vote="abstain", to="france", places=("tunis",), until=2
    ),
    "britain lets russia through canals": Clause("passage", power="britain", to="russia"),
    "britain coals japan": Clause("coaling", power="britain", to="japan"),
    '"any words"': Clause("text", text="any words"),
    'secret "words; and: \\"more\\" \\\\"': Clause("text", text='words; and: "more" \\', secret=True),
    "secret defensive": Clause("defensive", secret=True),
}
