"""What can be done about a Casus Belli: every remedy, in `cause_remedies.txt`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from paxtui.games.pax.reports.explanations import cause_remedies
from tests.recorded import same_as_recorded
from tests.rules import congress
from tests.rules.harness import Bench, army, here, marker, start

KONGO = here(marker("france", "protectorate"), marker("belgium", "influence"), army("france"))
KENYA = here(marker("britain", "possession"), marker("germany", "influence"), army("britain"))
BOTH = ["britain", "france"]
GUIANA = here(*(marker(p, "possession") for p in BOTH), marker("italy", "influence"), codominion=BOTH)


def disputes_game(**more: Any) -> Bench:
    """France and Italy hold Tunis, a Minor Power and Germany have Influences under Control, and a Treaty was broken."""
    causes = [
        *congress.MUTUAL,
        congress.cause("germany", "britain", "kenya"),
        congress.cause("italy", "france", "guiana"),
        congress.cause("russia", "japan"),
    ]
    areas = {"tunis": {"markers": congress.TUNIS}, "kongo": KONGO, "kenya": KENYA, "guiana": GUIANA}
    return congress.game(causes, areas=areas, **more)


def defended_minor_power() -> Bench:
    g = disputes_game()
    g.act("germany", "defend belgium kongo")
    return g


def called_congress() -> Bench:
    g = disputes_game()
    g.act("france", "congress united_states")
    return g


def congress_in_session() -> Bench:
    return congress.meet(congress.game())


def war_phase() -> Bench:
    """The War Phase, after the negotiations."""
    return start({"phase": "war", "casus_belli": [*congress.MUTUAL], "areas": {"tunis": {"markers": congress.TUNIS}}})


def lines() -> Iterator[str]:
    for game in (disputes_game, defended_minor_power, called_congress, congress_in_session, war_phase):
        g = game()
        for cause in g.state.casus_belli:
            yield f"{game.__name__}: {cause.holder} against {cause.against} over {cause.area or '-'} ({cause.cause})"
            yield from (f"    {way}" for way in cause_remedies(g.tables, g.state, cause))


def test_remedies_of_causes_are_as_recorded() -> None:
    same_as_recorded(Path(__file__).with_name("cause_remedies.txt"), lines())
