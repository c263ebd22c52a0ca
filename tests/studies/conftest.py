"""A finished game and its review, which several modules need."""

import pytest

from paxtui.session.pax_host import PaxHost
from paxtui.studies.review import Review, review_game
from tests.places import SAVES


@pytest.fixture(scope="session")
def game() -> PaxHost:
    """A finished game of ten turns."""
    return PaxHost.open(SAVES / "ten-turns-four-players.jsonl", write=False)


@pytest.fixture(scope="session")
def predicted(game: PaxHost) -> Review:
    """Its review without rollouts."""
    return review_game(game)
