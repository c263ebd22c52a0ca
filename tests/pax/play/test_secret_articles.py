"""Pairs of games that differ in one secret article of a public Treaty: all that others are shown is the same in both,
byte for byte (TRE-011, Decisions 49 and 72)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from paxtui.pax.clauses.kinds import KINDS
from paxtui.pax.history import events as ev
from paxtui.pax.legal import legal
from paxtui.pax.narration.narrate import Narrator
from paxtui.pax.play import secrecy
from paxtui.pax.position.setup import new_game, seats_for
from paxtui.pax.reports.turn_end import end_of_turn
from tests.rules.harness import Bench, army, marker
from tests.rules.treaties import DE, FR, GB, IT, RU, draft, game, of, outsiders, signed

ARTICLES = (
    "defensive against russia",
    "defensive",
    "defensive upon war france russia",
    "offensive",
    "non-aggression",
    "non-aggression until 1880",
    "shared cause",
    "no marker by france in egypt",
    "no marker by france in egypt until 1880",
    "no units by france in egypt",
    "at most 9 army by france in tunis",
    "at least 1 army by france in tunis",
    "france builds no naval",
    "france builds N10 by 1896",
    "france pays italy 15 in 1896",
    "france pays italy 5 every turn upon war france russia",
    "france transfers tunis to italy in 1896",
    "france grants italy protectorate in tunis in 1896",
    "france lowers tunis to influence in 1896",
    "codominion of tunis with france, italy in 1896",
    "italy waives against france in 1896",
    "italy votes yes for france on tunis",
    "france lets italy through canals",
    "france coals italy",
    "peace upon war france russia",
    '"France consults Italy"',
)
"""Secret articles of every kind that do nothing on the map before 1896."""

OPEN = ("non-aggression", "france pays italy 5", "no marker by france in marocco until 1880")
"""Open articles: one that lasts, one that is done at once, one that runs out."""

STORIES: dict[str, tuple[str, ...]] = {
    "expires": ("turn",),
    "broken": ("italy renounce {}", "turn"),
    "lapses": ("italy lapse {}", "france lapse {}", "turn"),
    "one leaves": ("italy release {} france", "france release {} france", "turn"),
    "war between the parties": ("italy declare war france", "turn"),
    "war on a party": ("britain declare war italy", "turn"),
    "war of a party": ("france declare war germany", "turn"),
    "congress": ("russia congress austria", "turn"),
}

TUNIS = {"tunis": {"markers": [marker(FR, "protectorate")], "units": [army(FR)]}}
CAUSES = [{"holder": h, "against": a} for h, a in ((IT, FR), (GB, IT), (FR, DE), (RU, DE))]


def play(story: str, articles: str, public: bool = True) -> tuple[Bench, str, list[Any]]:
    """A game with such a Treaty: the game, the Treaty's id, and what outsiders are shown after each step."""
    g = game(areas=TUNIS, casus_belli=CAUSES if "war" in story or story == "congress" else [])
    signed(g, IT, "treaty Genoa with france: no units by france in egypt")  # then everybody is asked in a War
    id_ = draft(g, IT, f"treaty Rome with france{' public' * public}: {articles}")
    shown = [face(g)]
    for act in (f"france sign {id_}", *["italy reveal {}"] * (not public), *STORIES[story]):
        turn = g.state.turn
        if act == "turn":
            while g.state.turn == turn and g.state.result is None:
                refuse_calls(g)
                g.step()
            shown.append(face(g))
        elif of(g, id_).stage == "in_force" or any(w in act for w in ("sign", "reveal", "war", "congress")):
            seat, _, order = act.format(id_).partition(" ")
            g.act(seat, order)
            shown.append(face(g))
        else:  # its open end was its end
            shown.append(face(g))
    return g, id_, shown


def refuse_calls(g: Bench) -> None:
    """Who is called stays out, so that the course of the War is the same; breaking a secret article shows nothing."""
    while calls := [c for c in g.state.choices if c.kind in ("call", "uncalled")]:
        choice = calls[0]
        g.act(choice.seat, f"choose {choice.id} {choice.options[-1]}")


def face(g: Bench) -> list[dict[str, bytes]]:
    """All that each outsider is shown: position, log, story and menu."""
    return [seen(g, seat) for seat in outsiders(g, IT, FR)]


def seen(g: Bench, seat: str) -> dict[str, bytes]:
    raws = [secrecy.visible(msgspec.json.decode(msgspec.json.encode(e)), seat) for e in g.events]
    log = [raw for raw in raws if raw is not None]
    known = [msgspec.convert(raw, type=ev.AnyEvent) for raw in log]
    narrator = Narrator(g.tables, new_game(g.tables, seats_for(7), {}))
    told = [narrator.tell(event) for event in known if not isinstance(event, ev.PositionSet)]
    state = secrecy.state_seen(g.tables, g.state, seat)
    out: dict[str, Any] = {"view": g.view(seat), "log": log, "told": told}
    if seat in g.state.players:
        out["menu"] = legal(g.tables, state, seat)
        out["report"] = end_of_turn(Narrator(g.tables, state), seat, state, known, 1880)
    return {name: msgspec.json.encode(value) for name, value in out.items()}


def test_there_is_an_article_of_every_kind() -> None:
    found = set()
    for article in ARTICLES:
        g = game(areas=TUNIS)
        found.update(c.kind for c in of(g, draft(g, IT, f"treaty Rome with france: {article}")).clauses)
    assert found >= set(KINDS) - {"cede"}, "a cession is done at once and becomes a transfer"


def compare(story: str, openly: str, articles: tuple[str, ...], public: bool = True) -> None:
    """Assert that all outsiders are shown the same with each of these secret articles as without."""
    *_, plain = play(story, openly, public)
    for article in articles:
        g, id_, hiding = play(story, f"{openly}; secret {article}", public)
        assert of(g, id_).clauses[-1].secret
        for step, (one, other) in enumerate(zip(plain, hiding, strict=True)):
            for seat, a, b in zip(outsiders(g, IT, FR), one, other, strict=True):
                assert a == b, (article, step, seat, [name for name in a if a[name] != b[name]])


@pytest.mark.rule("TRE-011")
@pytest.mark.parametrize("article", ARTICLES)
def test_no_kind_of_secret_article_shows(article: str) -> None:
    compare("expires", "france pays italy 5", (article,))


@pytest.mark.rule("TRE-011")
@pytest.mark.parametrize("story", STORIES)
@pytest.mark.parametrize("openly", OPEN)
def test_nothing_in_the_life_of_a_treaty_shows_a_secret_article(story: str, openly: str) -> None:
    compare(story, openly, ("defensive", "no marker by france in egypt"))


@pytest.mark.rule("TRE-011")
@pytest.mark.parametrize("openly", OPEN)
def test_a_treaty_revealed_later_shows_no_secret_article(openly: str) -> None:
    compare("broken", openly, ("no marker by france in egypt",), public=False)
