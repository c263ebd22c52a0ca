"""Tables with fixed weights of the prediction, so that a new fit changes no test."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec
from msgspec.structs import replace

from paxtui.games.pax.board.tables import PredictionWeights, Tables
from tests.rules import harness

WEIGHTS = msgspec.json.decode(Path(__file__).with_name("prediction_weights.json").read_bytes(), type=PredictionWeights)


@cache
def tables() -> Tables:
    """The shipped tables with these weights."""
    return replace(harness.tables(), prediction=WEIGHTS)
