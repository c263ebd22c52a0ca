"""What a shared page contains: nothing that is hidden from its viewpoint, and no text that acts as markup."""

from __future__ import annotations

import json
from html.parser import HTMLParser

import pytest

from paxtui.engine.seating import SeatOccupant
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.sharing.contents import share_game, view_warning
from tests.pax.diplomats import SEATS
from tests.pax.secrets import TrackedGame
from tests.samples import sample
from tests.sharing.pages import HOSTILE, hostile_host, new_host, page

STEPS = 70


@pytest.mark.random
@pytest.mark.parametrize("seed", range(sample(3, 40)))
def test_page_contains_no_secret_word(seed: int) -> None:
    """Secret Treaties, hidden articles, offers and sealed dispatches each have a unique word."""
    game = TrackedGame(f"shared {seed}")
    for _ in range(STEPS):
        game.step()
    assert any(SPECTATOR not in secret.seats for secret in game.secrets)
    for viewpoint in (SPECTATOR, *SEATS):
        text = page(game.table, viewpoint).casefold()
        leaked = [s for s in game.secrets if viewpoint not in s.seats and s.word in text]
        assert not leaked, (viewpoint, leaked)
    everything = page(game.table, ARBITER).casefold()
    dispatches = [s.word for s in game.secrets if s.about.startswith("letter")]
    assert all(word in everything for word in dispatches)


def test_page_contains_no_seed_dispatch_or_hidden_temper() -> None:
    host = new_host()
    bold = SeatOccupant(by="bot", level="hard", temper="treacherous", hidden=True)
    host.seat({"france": bold, "italy": SeatOccupant(name="Ann")})
    host.dispatch("britain", ("france",), "zqletterzq")
    text = page(host)
    assert "zqseedzq" not in text and "treacherous" not in text and "zqletterzq" not in text
    assert "Ann" in text and "statesman (hard)" in text


def test_view_with_secrets_of_a_running_game_has_a_warning() -> None:
    host = new_host()
    assert view_warning(host, SPECTATOR) == ""
    assert "France" in view_warning(host, "france") and "all its secrets" in view_warning(host, ARBITER)
    assert "no other player" in share_game(host, "france", "x").warning


class Tags(HTMLParser):
    """The tags of a page, their attributes, and the text of each script."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.scripts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1] == "script":
            self.scripts.append(data)


def test_texts_of_players_are_not_markup() -> None:
    found = Tags(page(hostile_host(), ARBITER, HOSTILE))
    assert found.tags.count("script") == 2 and "img" not in found.tags
    assert not [a for a in found.attributes if a[0].startswith("on") or a[0] in ("src", "style")]
    assert all(value.startswith("#") for name, value in found.attributes if name == "href")
    data = found.scripts[0]
    assert "<" not in data and "\u202e" not in data
    game = json.loads(data)
    texts = [entry[5] for entry in game["log"]]
    assert any("<script>alert(1)</script>" in text for text in texts)
    assert not any(sign in text for text in texts for sign in "\x00\x07\x1b\u202e\n")


def test_content_policy_allows_only_own_script_and_styles() -> None:
    found = Tags(page(new_host()))
    policy = dict(found.attributes)["http-equiv"]
    assert policy == "Content-Security-Policy"
    content = next(value for name, value in found.attributes if name == "content" and "default-src" in value)
    assert content.startswith("default-src 'none'; script-src 'sha256-") and "unsafe" not in content
