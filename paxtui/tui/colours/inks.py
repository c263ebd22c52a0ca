"""The inks of the palettes: the colours of Powers, of types of Areas and of roles, for signs and letters."""

from __future__ import annotations

DARK = {
    "britain": "#f07b7b", "france": "#79aef5", "germany": "#b9c0cb", "austria_hungary": "#efe6b8",
    "united_states": "#43cbd8", "japan": "#f49ccf", "russia": "#74d68a", "italy": "#b3e04f",
    "netherlands": "#f59a42", "belgium": "#c8a27c", "spain": "#f3da4b", "portugal": "#bf93f0",
    "china": "#dcab5c", "ottoman": "#84c9a2",
    "independent": "#f7f9fb", "unorganized": "#aab4bc",
    "second": "#c3ccd3", "faint": "#8895a0", "alarm": "#ff6b63", "war": "#ffffff",
    "sand": "#dcab5c", "olive": "#84c9a2", "good": "#74d68a",
}  # fmt: skip
LIGHT = {
    "britain": "#b3202c", "france": "#1c58b8", "germany": "#4b535e", "austria_hungary": "#6c5d0c",
    "united_states": "#006c7a", "japan": "#b02a7d", "russia": "#127a33", "italy": "#4b7300",
    "netherlands": "#a04f00", "belgium": "#7d5632", "spain": "#7a6000", "portugal": "#6d35b5",
    "china": "#855300", "ottoman": "#1d6e50",
    "independent": "#101418", "unorganized": "#525c64",
    "second": "#333c44", "faint": "#5b656c", "alarm": "#b80000", "war": "#000000",
    "sand": "#b07a1a", "olive": "#1d6e50", "good": "#0d6a2a",
}  # fmt: skip
# As far apart as they can be for eyes that see blue against yellow, not red against green; and for other eyes.
DEUTER = {
    "britain": "#f95005", "france": "#009cc6", "germany": "#b7e2a3", "austria_hungary": "#ffffcf",
    "united_states": "#5adefc", "japan": "#fdd8fb", "russia": "#22c6bb", "italy": "#8fe100",
    "netherlands": "#dfa079", "belgium": "#a18286", "spain": "#fff82f", "portugal": "#8676ff",
    "china": "#c79a4a", "ottoman": "#9fd0e0", "alarm": "#ffd23e", "good": "#4f9dff",
}  # fmt: skip
PROTAN = {
    "britain": "#f37430", "france": "#3cabff", "germany": "#c9adc0", "austria_hungary": "#ffffe3",
    "united_states": "#7ed4fe", "japan": "#de5bb5", "russia": "#19e8c0", "italy": "#bfe06a",
    "netherlands": "#ffae6e", "belgium": "#9e8883", "spain": "#ffff10", "portugal": "#8279fa",
    "china": "#cfae5a", "ottoman": "#a6d6e6", "alarm": "#ffd23e", "good": "#5aa2ff",
}  # fmt: skip
CONTRAST = {
    "unorganized": "#e4e8ec", "second": "#ffffff", "faint": "#c8d0d6", "china": "#ffc46b", "germany": "#d8dee6",
    "belgium": "#e6bd92", "ottoman": "#9ff0c4",
}  # fmt: skip
"""What the palette of high contrast has otherwise than the dark one."""

LANDS_OF_SIXTEEN = {
    "britain": 1, "france": 4, "germany": 7, "austria_hungary": 7, "united_states": 6, "japan": 5, "russia": 2,
    "italy": 2, "netherlands": 3, "belgium": 3, "spain": 3, "portugal": 5,
}  # fmt: skip
"""The numbers of the colours, of sixteen, that lands have: the first eight, which every terminal can lay below text."""
INKS_OF_SIXTEEN = {
    True: {
        "britain": "#ff0000", "france": "#00ffff", "germany": "#e5e5e5", "austria_hungary": "#ffffff",
        "united_states": "#00cdcd", "japan": "#ff00ff", "russia": "#00ff00", "italy": "#00cd00",
        "netherlands": "#cdcd00", "belgium": "#cdcd00", "spain": "#ffff00", "portugal": "#ff00ff",
        "china": "#cdcd00", "ottoman": "#00cd00", "independent": "#ffffff", "unorganized": "#e5e5e5",
        "second": "#e5e5e5", "faint": "#7f7f7f", "alarm": "#ff0000", "war": "#ffffff", "sand": "#cdcd00",
        "olive": "#00cd00", "good": "#00ff00",
    },
    False: {
        "britain": "#cd0000", "france": "#0000ee", "germany": "#000000", "austria_hungary": "#000000",
        "united_states": "#0000ee", "japan": "#cd0000", "russia": "#000000", "italy": "#000000",
        "netherlands": "#cd0000", "belgium": "#000000", "spain": "#000000", "portugal": "#0000ee",
        "china": "#000000", "ottoman": "#000000", "independent": "#000000", "unorganized": "#000000",
        "second": "#000000", "faint": "#000000", "alarm": "#cd0000", "war": "#000000", "sand": "#000000",
        "olive": "#000000", "good": "#0000ee",
    },
}  # fmt: skip
"""Inks of sixteen colours, for dark palettes and for light ones. Powers share some: their letters tell them apart."""
