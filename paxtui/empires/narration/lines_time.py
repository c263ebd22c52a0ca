"""What is said of months, phases, papers and accounts."""

from __future__ import annotations

from collections.abc import Mapping

LINES: Mapping[str, str] = {
    "phase_began": "— {phase} phase —",
    "slots_given": "",
    "step_done": "",
    "step_closed": "",
    "place_announced": "{power} announces its place in the {phase} phase: after {after}.",
    "month_began": "=== {turn} ===",
    "ended": "The exercise is over. {reason} Won by {winners}.",
    "posted": "{power}: {amount} {what}, {reason}.",
    "asked": "{question.power} is asked about {question.kind}: {question.choices}.",
    "answered": "{power} answers: {choice}.",
    "sealed_up": "{sealed.power} has written something down ({sealed.matter}).",
    "revealed": "The papers lie open ({matter}).",
}
