"""What can be done about a Casus Belli: every way out that is told, in `ways_out.txt`."""

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


def quarrel(**more: Any) -> Bench:
    """France and Italy hold Tunis, a Minor Power and Germany have Influences under Control, and a Treaty was broken."""
    causes = [
        *congress.MUTUAL,
        congress.cause("germany", "britain", "kenya"),
        congress.cause("italy", "france", "guiana"),
        congress.cause("russia", "japan"),
    ]
    areas = {"tunis": {"markers": congress.TUNIS}, "kongo": KONGO, "kenya": KENYA, "guiana": GUIANA}
    return congress.game(causes, areas=areas, **more)


def defended() -> Bench:
    g = quarrel()
    g.act("germany", "defend belgium kongo")
    return g


def called() -> Bench:
    g = quarrel()
    g.act("france", "congress united_states")
    return g


def sitting() -> Bench:
    return congress.meet(congress.game())


def over() -> Bench:
    """The War Phase, in which no more is talked."""
    return start({"phase": "war", "casus_belli": [*congress.MUTUAL], "areas": {"tunis": {"markers": congress.TUNIS}}})


def lines() -> Iterator[str]:
    for game in (quarrel, defended, called, sitting, over):
        g = game()
        for cause in g.state.casus_belli:
            yield f"{game.__name__}: {cause.holder} against {cause.against} over {cause.area or '-'} ({cause.cause})"
            yield from (f"    {way}" for way in cause_remedies(g.tables, g.state, cause))


def test_every_way_out_is_reported_as_recorded() -> None:
    same_as_recorded(Path(__file__).with_name("ways_out.txt"), lines())
