"""Sentences of previews, consequences of events, and pages in plain lines, each with its tone."""

from __future__ import annotations

from typing import Any

import pytest

from paxtui.games.pax.events import events
from paxtui.games.pax.narration.narrator import (
    BAD,
    FAINT,
    GOOD,
    PLAIN,
    ReportLine,
    ReportPage,
    ReportSection,
    SeatStanding,
)
from paxtui.games.pax.preview import odds, preview
from paxtui.games.pax.preview.preview import Preview
from paxtui.games.pax.preview.war_answers import describe_consequences
from paxtui.games.pax.reports.todo import page_lines
from paxtui.games.pax.state.diplomacy import CasusBelli
from tests.rules.harness import start, tables

STATE = start({"phase": "movement"}).state


def cause(holder: str, against: str) -> CasusBelli:
    return CasusBelli("cb1", holder, against, "tunis")


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, []),
        ({"perils": ("A peril.",), "answer": (ReportLine("An answer."),)}, [("A peril.", BAD), ("An answer.", PLAIN)]),
        ({"great_war": True, "tension": 5}, [("European Tensions reach 100: the Great War ends the game.", BAD)]),
        ({"tension": 5}, [("European Tensions rise by 5.", BAD)]),
        ({"tension": -5}, []),
        ({"resentment": 3}, [("Chinese Resentment rises by 3 at once.", BAD)]),
        ({"yearly_resentment": 2}, [("Chinese Resentment rises by 2 more each Game Turn.", BAD)]),
        ({"yearly_resentment": -2}, [("Chinese Resentment rises by 2 less each Game Turn.", GOOD)]),
        ({"resentment": 3, "yearly_resentment": -2},
         [("Chinese Resentment rises by 3 at once and by 2 less each Game Turn.", BAD)]),
        ({"points": 1}, [("+1 Victory Point at once.", GOOD)]),
        ({"points": -2}, [("-2 Victory Points at once.", BAD)]),
        ({"points_at_end": -1}, [("-1 Victory Point at the end, by the present position.", BAD)]),
        ({"points_at_end": 10}, [("+10 Victory Points at the end, by the present position.", GOOD)]),
        ({"causes": (cause("italy", "france"),)}, [("Gives Italy a Casus Belli against you.", BAD)]),
        ({"causes": (cause("france", "italy"),)}, [("Gives France a Casus Belli against Italy.", GOOD)]),
        ({"causes": (cause("italy", "united_states"), cause("japan", "united_states"), cause("italy", "japan"))},
         [("Gives Italy and Japan a Casus Belli against the United States.", PLAIN),
          ("Gives Italy a Casus Belli against Japan.", PLAIN)]),
        ({"settled": (cause("france", "united_states"),)},
         [("Gives up your Casus Belli against the United States.", BAD)]),
        ({"settled": (cause("italy", "france"),)}, [("Settles Italy's Casus Belli against you.", GOOD)]),
        ({"settled": (cause("italy", "japan"),)}, [("Settles Italy's Casus Belli against Japan.", PLAIN)]),
        ({"breaches": ("A breach.",)}, [("A breach.", BAD)]),
        ({"ungarrisoned": ("tunis",)},
         [("Then Tunis still needs an army of yours before the Phase ends.", BAD)]),
        ({"garrisoned": ("tunis",)}, [("Tunis has its garrison.", GOOD)]),
        ({"ottoman_war": True}, [("If it is won, the Ottoman Empire goes to war this Game Turn.", BAD)]),
        ({"combat": "tunis", "odds": odds.combat_odds(tables(), (3,), 0)},
         [("Combat for Tunis: 3 against 0: the Area does not resist.", GOOD)]),
        ({"combat": "tunis", "odds": odds.combat_odds(tables(), (1,), 8)},
         [("Combat for Tunis: 1 against 8, Table 1 at 1-10: no win is possible. Of six faces: 5 attacker eliminated; "
           "1 attacker retreats.", BAD)]),
        ({"combat": "tunis", "odds": odds.combat_odds(tables(), (3, 1), 3)},
         [("Combat for Tunis: 4 against 3, Table 1 at 1-1: won 4 times in 6. Of six faces: 1 attacker eliminated; "
           "1 attacker retreats; 2 exchange (strength 3 lost); 1 defender retreats; 1 defender eliminated.", PLAIN)]),
        ({"combat": "tunis", "odds": odds.combat_odds(tables(), (10, 3), 5)},
         [("Combat for Tunis: 13 against 5, Table 2 at 2-1: certain win. Of six faces: 1 exchange (strength "
           "10 lost); 2 half exchange (strength 3 lost); 2 defender retreats; 1 defender eliminated.", GOOD)]),
    ],
)  # fmt: skip
def test_preview_is_described_for_france(fields: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    found = preview.describe_preview(tables(), STATE, "france", Preview(**fields))
    assert [(line.text, line.tone) for line in found] == expected


@pytest.mark.parametrize(
    ("price", "income", "text"),
    [(0, 0, ""), (20, 0, ", £20"), (-5, 0, ", £5 gained"), (0, 10, ", line 22 +10"), (20, -3, ", £20, line 22 -3")],
)
def test_preview_figures_have_price_and_income(price: int, income: int, text: str) -> None:
    assert preview.preview_figures(Preview(price=price, income=income)) == text


@pytest.mark.parametrize(
    ("force", "defend", "text"),
    [
        ((3,), 0, "3:0 wins"),
        ((1,), 8, "1:8 wins 0/6 · 5 E-1 1 AR"),
        ((10, 3), 5, "13:5 wins 6/6 · 1 EX-10 2 HX-3 2 DR 1 DE"),
    ],
)
def test_odds_have_a_short_text(force: tuple[int, ...], defend: int, text: str) -> None:
    assert odds.short_odds(odds.combat_odds(tables(), force, defend)) == text


TENSION = events.TensionRaised(amount=5, total=12, reason="War declared", blame="united_states")
AROSE = {"id": "cb1", "area": "tunis"}


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ([TENSION], [("European Tensions rise by 5 to 12: War declared (the United States).", "", BAD)]),
        ([events.TensionRaised(amount=1, total=1, reason="an event")],
         [("European Tensions rise by 1 to 1: an event.", "", BAD)]),
        ([events.ResentmentRaised(amount=3, total=8, reason="x"),
             events.ResentmentRaised(amount=4, total=12, reason="y")],
         [("Chinese Resentment rises by 7 to 12.", "", BAD)]),
        ([events.ResentmentReset(reason="x")], [("Chinese Resentment goes back to 0.", "", PLAIN)]),
        ([events.VictoryPointsChanged(power="france", amount=1, total=1, reason="x")],
         [("France gains 1 Victory Point.", "", GOOD)]),
        ([events.VictoryPointsChanged(power="france", amount=-2, total=1, reason="x")],
         [("France loses 2 Victory Points.", "", BAD)]),
        ([events.VictoryPointsChanged(power="italy", amount=-1, total=1, reason="x")],
         [("Italy loses 1 Victory Point.", "", PLAIN)]),
        ([events.CasusBelliArose(holder="france", against="italy", **AROSE)],
         [("France gets a Casus Belli against Italy over Tunis.", "tunis", GOOD)]),
        ([events.CasusBelliArose(holder="italy", against="france", **AROSE)],
         [("Italy gets a Casus Belli against France over Tunis.", "tunis", BAD)]),
        ([events.CasusBelliArose(id="cb2", holder="italy", against="united_states")],
         [("Italy gets a Casus Belli against the United States.", "", PLAIN)]),
        ([events.TreasuryChanged(power="france", amount=-5, total=1, reason="x"),
          events.TreasuryChanged(power="italy", amount=-7, total=1, reason="x"),
          events.TreasuryChanged(power="italy", amount=7, total=1, reason="x")],
         [("It costs France £5 and Italy £7.", "", PLAIN)]),
    ],
)  # fmt: skip
def test_consequences_of_events_are_described_for_france(
    events: list[events.Event], expected: list[tuple[str, str, str]]
) -> None:
    assert [tuple(line) for line in describe_consequences(tables(), "france", events)] == expected


def test_page_is_written_as_plain_lines() -> None:
    standings = (
        SeatStanding("italy", 1, 12, 3, "+3 a canal"),
        SeatStanding("united_states", 2, 5, 0, ""),
        SeatStanding("japan", 3, -1, -1, ""),
    )
    lines = (ReportLine("It rose.", "egypt", BAD), ReportLine("It fell.", "", FAINT), ReportLine("It stood.", "siam"))
    page = ReportPage(
        "End of 1880", (ReportSection("Unrest", lines[:1]), ReportSection("Elsewhere", lines[1:])), standings
    )
    assert page_lines(tables(), page) == [
        "End of 1880.", "Victory Points:", "1. Italy: 12, +3 this turn (+3 a canal).", "2. United States: 5.",
        "3. Japan: -1, -1 this turn.", "Unrest:", "It rose.", "Elsewhere:", "It fell.", "It stood.",
    ]  # fmt: skip
    assert page.places() == ("egypt", "siam")
    assert page_lines(tables(), page._replace(standings=())) == [
        "End of 1880.", "Unrest:", "It rose.", "Elsewhere:", "It fell.", "It stood.",
    ]  # fmt: skip
