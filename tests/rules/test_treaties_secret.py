"""Public Treaties with secret articles: others see the same Treaty with and without them (TRE-011, TRE-012)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from paxtui.games.pax import visibility
from paxtui.games.pax.state.diplomacy import ENDED, IN_FORCE
from tests.rules.harness import accept, army, marker
from tests.rules.treaties import FR, IT, RU, causes, game, of, signed

TUNIS_OF_FRANCE = {"tunis": {"markers": [marker(FR, "protectorate")], "units": [army(FR)]}}


def in_two_games(openly: str, secretly: str, *acts: tuple[str, str], phase: str = "negotiation", **patch: Any) -> Any:
    """Play the same public Treaty of Italy and France with and without a secret article, and the same acts after it.

    Returns: what others see of each step, and the games with the article.
    """
    seen: list[list[Any]] = []
    for text in (openly, f"{openly}; {secretly}"):
        g = game(phase, areas=TUNIS_OF_FRANCE, **patch)
        id_ = signed(g, IT, f"treaty Rome with france public: {text}")
        shown = [visible_to_russia(g, id_, 0)]
        for seat, act in acts:
            if act == "turn":
                turn = g.state.turn
                while g.state.turn == turn:
                    g.step()
            else:
                g.act(seat, act.format(id_))
            shown.append(visible_to_russia(g, id_, len(g.events)))
        seen.append(shown)
    return seen[0], seen[1], g, id_


def visible_to_russia(g: Any, id_: str, since: int) -> Any:
    """What Russia knows of a Treaty: its view and all events about it."""
    view = [t for t in g.view(RU)["treaties"] if t["id"] == id_]
    visible = [visibility.visible_event(e, RU) for e in g.events]
    about = [e for e in visible if e is not None and (getattr(e, "id", "") == id_ or getattr(e, "treaty", None))]
    return view, [replace(e, rules=()) for e in about]


@pytest.mark.rule("TRE-011")
@pytest.mark.parametrize(("openly", "secretly"), [
    ("france pays italy 5", "no marker by france in egypt"),
    ("france grants italy protectorate in tunis; france pays italy 5", "non-aggression"),
    ("no marker by france in egypt until 1880", "no marker by france in marocco"),
    ("no marker by france in egypt until 1880", "france pays italy 5 in 1884"),
    ("france pays italy 5 in 1884", "non-aggression"),
    ("non-aggression", "france pays italy 5 in 1880"),
    ("no marker by france in egypt until 1884; france pays italy 5 in 1880", "defensive"),
])  # fmt: skip
def test_end_of_a_public_treaty_hides_secret_articles(openly: str, secretly: str) -> None:
    plain, hiding, g, id_ = in_two_games(openly, f"secret {secretly}", (IT, "turn"), (IT, "turn"), (IT, "turn"))
    assert plain == hiding
    assert [c.kind for c in of(g, id_).clauses if c.secret] != []


@pytest.mark.rule("TRE-011")
def test_acts_after_the_public_end_stay_hidden() -> None:
    for act in ("renounce {}", "lapse {}", "release {} italy"):
        plain, hiding, g, id_ = in_two_games("france pays italy 5", "secret non-aggression")
        assert plain == hiding and of(g, id_).stage == IN_FORCE and of(g, id_).public_end == "done"
        before, tension = visible_to_russia(g, id_, 0), g.state.tension
        for seat in (IT, FR):
            if of(g, id_).stage == IN_FORCE:
                g.act(seat, act.format(id_))
        assert of(g, id_).stage == ENDED and visible_to_russia(g, id_, 0) == before
        assert g.state.tension == tension and not g.state.casus_belli


@pytest.mark.rule("TRE-011", "TRE-012")
def test_an_article_revealed_after_the_open_end_shows_that_it_is_in_force() -> None:
    *_, g, id_ = in_two_games("france pays italy 5", "secret non-aggression")
    g.act(IT, f"renounce {id_}")
    assert g.state.tension == 0
    g.act(FR, f"reveal {id_}")
    assert g.state.tension == 5 and causes(g) == {(FR, IT)}
    *_, g, id_ = in_two_games("france pays italy 5", "secret non-aggression")
    g.act(FR, f"reveal {id_}")
    [shown] = g.view(RU)["treaties"]
    assert shown["stage"] == IN_FORCE and [c["kind"] for c in shown["clauses"]] == ["pay", "non_aggression"]
    g.act(IT, f"renounce {id_}")
    assert g.state.tension == 5


@pytest.mark.rule("TRE-011")
def test_a_private_treaty_made_public_after_the_end_of_its_open_articles_shows_that_end() -> None:
    seen = []
    for text in ("france pays italy 5", "france pays italy 5; secret non-aggression"):
        g = game()
        id_ = signed(g, IT, f"treaty Rome with france: {text}")
        g.act(FR, f"reveal {id_}")
        seen.append(visible_to_russia(g, id_, 0))
    assert seen[0] == seen[1] and seen[0][0][0]["stage"] == ENDED


@pytest.mark.rule("TRE-011")
def test_public_treaty_needs_a_public_article() -> None:
    g = game()
    assert g.refused(IT, "treaty Rome with france public: secret non-aggression").code == "nothing_open"
    id_ = signed(g, IT, "treaty Rome with france: secret non-aggression; secret defensive")
    assert g.refused(IT, f"reveal {id_}").code == "nothing_open"
    g.act(IT, f"reveal {id_} 1")
    [shown] = g.view(RU)["treaties"]
    assert [c["kind"] for c in shown["clauses"]] == ["non_aggression"]


@pytest.mark.rule("TRE-011")
def test_a_private_treaty_of_secret_articles_alone_has_no_open_end() -> None:
    g = game()
    id_ = signed(g, IT, "treaty Rome with france: secret france pays italy 5; secret non-aggression")
    assert of(g, id_).stage == IN_FORCE and of(g, id_).public_end == ""


@pytest.mark.rule("TRE-011", "NEG-014")
def test_payment_of_a_secret_article_looks_like_a_gift_to_others() -> None:
    seen = []
    for is_secret in (True, False):
        g = game()
        since = len(g.events)
        if is_secret:
            signed(g, IT, "treaty Rome with france: secret france pays italy 3; secret non-aggression")
        else:
            g.act(FR, "pay italy 3")
            accept(g, IT)
        seen.append([e for e in (visibility.visible_event(e, RU) for e in g.events[since:]) if e is not None])
    assert seen[0] == seen[1] and {e.amount for e in seen[0]} == {3, -3}
