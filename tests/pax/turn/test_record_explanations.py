"""Explanations of the lines of the Record Sheet."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from paxtui.games.pax.reports.explanations import explain_line
from paxtui.games.pax.state.model import State
from tests.rules.harness import UNLIMITED, army, held, here, marker, naval, start, tables
from tests.tui.wars import EMPTY

INDIA = "Great Britain → North Atlantic → South Atlantic → Indian Ocean"

BRITAIN = start(
    {
        "phase": "movement",
        "areas": {
            **EMPTY,
            "egypt": here(
                marker("britain", "possession"), marker("france", "protectorate"),
                army("britain", 3), army("france", 1), codominion=["britain", "france"],
            ),
            "bengal": held("britain", "possession", army("britain", 10), naval("britain", 1)),
            "australia": held("britain", "dominion", army("britain", 1)),
            "siam": here(marker("britain", "influence"), marker("japan", "interest")),
            "kenya": held("britain", "protectorate", army("britain", 1)),
            "korea": here(marker("britain", "interest")),
        },
    },
    options=UNLIMITED,
).state  # fmt: skip
"""A marker of each kind, one in a Codominion, and Units with and without cost."""


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("01", [f"Dominion in Australia, linked: {INDIA} → Australia"]),
        ("02", [f"Possession in Bengal, linked: {INDIA} → Bengal",
                "Possession in Egypt, linked: Great Britain → North Atlantic → Mediterranean Sea → Egypt",
                "together 2"]),
        ("03", ["Dominion in Australia: 8", "Possession in Bengal: 6",
                "Possession in Egypt: 7 (value 8, less 1 for the other Control markers)", "together 21"]),
        ("04", [f"Protectorate in Kenya, linked: {INDIA} → Kenya"]),
        ("05", ["Protectorate in Kenya: 6"]),
        ("06", [f"Influence in Siam, linked: {INDIA} → South China Sea → Siam"]),
        ("07", ["Influence in Siam: 3"]),
        ("08", [f"Interest in Korea, linked: {INDIA} → South China Sea → North China Sea → Korea"]),
        ("09", ["Interest in Korea: 8"]),
        ("10", ["the Colonial Office is rolled in the Administrative Phase"]),
        ("11", ["Dominion in Australia: 8 x 5 = £40", "Possession in Bengal: 6 x 5 = £30",
                "Possession in Egypt: 7 x 5 = £35 (value 8, less 1 for the other Control markers)", "together 105"]),
        ("12", ["Protectorate in Kenya: 6 x 4 = £24"]),
        ("13", ["Influence in Siam: 3 x 2 = £6"]),
        ("14", ["Interest in Korea: 8 x 1 = £8"]),
        ("15", ["£105 + 24 + 6 + 8 = £143, plus the Colonial Office later"]),
        ("16", ["A1 in Australia: nothing, its own State or Dominion", "A10 N1 in Bengal: £11", "A3 in Egypt: £3",
                "A1 in Kenya: £1", "together £15"]),
        ("17", ["Dominion in Australia: £30"]),
        ("18", ["Possession in Bengal: £20", "Possession in Egypt: £20", "together 40"]),
        ("19", ["Protectorate in Kenya: £10"]),
        ("20", ["Influence in Siam: £5"]),
        ("21", ["£15 + 30 + 40 + 10 + 5 = £100"]),
        ("22", ["£143 - 100 = £43 before the Colonial Office"]),
        ("23", ["Great Britain: £0 now"]),
        ("24", ["line 23 at 1 for £10, fractions lost"]),
        ("25", ["0 so far this turn"]),
        ("26", ["lines 24 and 25; 0 Victory Points altogether now"]),
        ("27", ["line 26 of all turns, and what was awarded or lost at once: 0"]),
        ("28", ["-50: for each Area of India not under British Control: Kashmir, Punjab, Rajputana, Hindoostan, "
                "United Provinces (reconstructed table)",
                "+10 if: an overland path across Africa from west to east",
                "+15 if: an overland path across Africa from the Mediterranean to the tip"]),
        ("29", ["Great Britain: £143 from Areas", "twice £143 at 1 for £10 = 28, fractions lost"]),
        ("30", ["only after a Great War: -50 in this turn, -150 for a Power that causes it (reconstructed table)"]),
        ("31", ["0 -50 +28 +0 = -22"]),
    ],
)  # fmt: skip
def test_record_sheet_lines_are_explained(line: str, expected: list[str]) -> None:
    assert explain_line(tables(), BRITAIN, "britain", line) == expected


OTHERS = start(
    {
        "phase": "movement",
        "turn": 4,
        "areas": {
            **EMPTY,
            "kashmir": held("russia", "possession"),
            "papua": here(marker("germany", "interest")),
        },
        "powers": {"germany": {"treasury": 7}, "austria_hungary": {"treasury": 3}},
    },
    options=UNLIMITED,
).state


@pytest.mark.parametrize(
    ("power", "line", "expected"),
    [
        ("russia", "02", ["Possession in Kashmir: left out, no Communication Link"]),
        ("russia", "04", ["nothing"]),
        ("russia", "16", ["no units abroad"]),
        ("russia", "28", [
            "no condition is met", "+15 if: Control of Anatolia (reconstructed table)",
            "+10 if: Control on the Indian Ocean, the North China Sea or the Mediterranean, Anatolia apart "
            "(reconstructed table)",
            "+10 if: an overland path across Africa from west to east",
            "+15 if: an overland path across Africa from the Mediterranean to the tip",
        ]),
        ("france", "25", [
            "0 so far this turn",
            "+3 a turn for a revealed defensive Treaty against Germany with a European Great Power (each) "
            "(reconstructed table)",
        ]),
        ("russia", "24", ["line 23 at 2 for £5, fractions lost"]),
        ("germany", "23", ["Germany: £7 now", "Austria-Hungary: £3 now"]),
        ("germany", "24", ["line 23 at 1 for £5, fractions lost"]),
        ("germany", "29", ["Germany: £3 from Areas", "Austria-Hungary: £0 from Areas",
                           "twice £3 at 1 for £5 = 1, fractions lost"]),
        ("austria_hungary", "23", ["Austria-Hungary: £3 now"]),
        ("austria_hungary", "27", ["counts for Germany"]),
        ("austria_hungary", "31", ["counts for Germany"]),
        ("belgium", "29", ["no player"]),
        ("united_states", "28", [
            "+10: nobody else took Control in the Americas or Hawaii after 1880 (reconstructed table)",
            "+10: nobody took Control in the Chinese Empire after 1880 (reconstructed table)",
            "+10 if: an overland path across Africa from west to east",
            "+15 if: an overland path across Africa from the Mediterranean to the tip",
        ]),
        ("united_states", "30", [
            "only after a Great War: -35 in this turn, -105 for a Power that causes it (reconstructed table)"
        ]),
    ],
)  # fmt: skip
def test_explanation_names_omissions_and_the_counting_power(power: str, line: str, expected: list[str]) -> None:
    assert explain_line(tables(), OTHERS, power, line) == expected


def with_record(**lines: int | None) -> State:
    """The position with recorded lines of Germany's sheet."""
    germany = OTHERS.powers["germany"]
    sheet = {**germany.record, **{number.removeprefix("line_"): value for number, value in lines.items()}}
    return replace(OTHERS, powers={**OTHERS.powers, "germany": replace(germany, record=sheet)})


@pytest.mark.parametrize(
    ("state", "line", "expected"),
    [
        (with_record(line_10=30), "10", ["£30 this turn"]),
        (with_record(line_10=30), "15", ["£30 + 0 + 0 + 0 + 3 = £33"]),
        (with_record(line_15=41, line_21=12, line_22=29), "22", ["£41 - 12 = £29"]),
        (with_record(line_15=41, line_21=12, line_22=None), "22", ["£41 - 12 = £29"]),
        (
            with_record(line_15=41, line_21=62, line_22=0),
            "22",
            ["£41 - 62 = £-21", "a deficit, met by giving up units and markers: the Treasury is £0"],
        ),
        (with_record(line_15=41), "22", ["£3 - 0 = £3 before the Colonial Office"]),
    ],
)
def test_recorded_lines_are_explained_by_recorded_values(state: State, line: str, expected: list[str]) -> None:
    assert explain_line(tables(), state, "germany", line) == expected
