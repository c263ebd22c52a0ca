"""Parts of the preview of an action, for tests."""

from __future__ import annotations

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.preview.forecast import WarForecast
from paxtui.games.pax.preview.preview import Preview, preview_action
from paxtui.games.pax.state.model import State


def breaches_of(tables: Tables, state: State, seat: str, action: actions.Action) -> list[str]:
    """Return the Treaties that an action breaks or reveals; [] if it is refused."""
    seen = preview_action(tables, state, seat, action)
    return list(seen.breaches) if isinstance(seen, Preview) else []


def risks_of(tables: Tables, state: State, seat: str, action: actions.Action) -> list[str]:
    """Return the dangers of an action in War; [] if it is refused."""
    seen = preview_action(tables, state, seat, action)
    return list(seen.perils) if isinstance(seen, Preview) else []


def forecast_of(tables: Tables, state: State, seat: str, action: actions.Action) -> WarForecast:
    """Return the forecast of a declaration of War, or of an answer about one. Raises: Refusal."""
    seen = preview_action(tables, state, seat, action)
    if isinstance(seen, Refusal):
        raise seen
    assert seen.forecast is not None
    return seen.forecast
