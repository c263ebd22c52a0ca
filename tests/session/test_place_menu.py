"""The menu of a place decides each of its lines once: the preview uses the trial run."""

from __future__ import annotations

import pytest

from paxtui.games.pax import decide
from paxtui.games.pax.board.tables import HOME
from paxtui.games.pax.position.setup import seats_for
from paxtui.games.pax.preview.preview import preview_action
from paxtui.games.pax.transaction import Transaction
from paxtui.session.local_session import LocalSession
from paxtui.session.pax_host import PaxHost
from paxtui.session.place_menu import place_menu, preview_item
from paxtui.session.session import Session
from paxtui.session.tables.loader import load_tables
from tests.rules.harness import army, here, marker, new

TREATY = {
    "id": "kq7da", "name": "London", "form": "treaty", "drafter": "france", "parties": ["france", "britain"],
    "signed": ["france", "britain"], "stage": "in_force", "since": 1, "drafted": 1,
    "clauses": [{"kind": "no_marker", "power": "britain", "places": ["kenya"]}],
}  # fmt: skip
POSITION = {
    "phase": "movement",
    "powers": {"britain": {"treasury": 60}},
    "areas": {"tunis": here(marker("france", "influence"), new("britain"), army("britain", 1))},
    "treaties": [TREATY],
}


@pytest.fixture
def session() -> Session:
    table = PaxHost.new(load_tables(), seats_for(7), "7", {}, undo="free", clock=lambda: "")
    table.act("arbiter", {"type": "set_position", "patch": POSITION})
    return LocalSession(table, seat="britain")


@pytest.mark.parametrize("place", ["tunis", "egypt", "kenya", f"{HOME}britain", f"{HOME}france"])
def test_each_line_is_decided_once(session: Session, place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = []

    class CountedTransaction(Transaction):
        def __init__(self, *args: object) -> None:
            runs.append(args)
            super().__init__(*args)

    monkeypatch.setattr(decide, "Transaction", CountedTransaction)
    items = place_menu(session, place)
    previews = [preview_item(session, item) for item in items]
    tried = [item for item in items if item.action is not None]
    assert any(previews) and len(runs) == len(tried)
    monkeypatch.undo()
    for item, preview in zip(items, previews, strict=True):
        if preview is not None:
            assert bool(preview.breaches) == (place == "kenya")
            assert preview == preview_action(session.tables, session.live, "britain", item.action)
