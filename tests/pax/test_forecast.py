"""Forecasts of declarations of War, compared with what then happens."""

from __future__ import annotations

from typing import Any

import pytest

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.notation import parse_order
from paxtui.games.pax.preview.forecast import BY_POWERS, BY_TENSIONS, WarForecast, describe_forecast
from paxtui.games.pax.preview.preview import Preview, preview_action
from paxtui.games.pax.visibility import visible_state
from tests.previews import forecast_of
from tests.rules.harness import Bench
from tests.rules.wars import calls, negotiating, the_war, treaty


def forecast(g: Bench, seat: str, text: str) -> WarForecast:
    """The forecast of an order for the seat that gives it."""
    known = visible_state(g.tables, g.state, seat)
    action = parse_order(g.tables, text)
    assert isinstance(action, actions.Action)
    return forecast_of(g.tables, known, seat, action)


def forecast_text(g: Bench, seat: str, text: str) -> str:
    """The sentences of the forecast."""
    return " ".join(line.text for line in describe_forecast(g.tables, forecast(g, seat, text)))


def all_come(g: Bench) -> None:
    """Let each called Power join."""
    while g.state.choices:
        choice = g.state.choices[0]
        g.act(choice.seat, f"choose {choice.id} {choice.default}")


def test_forecast_of_a_declaration_without_calls() -> None:
    g = negotiating(("japan", "russia"), tension=10)
    found = forecast(g, "japan", "declare war russia")
    assert [(s.power, s.on, s.tension) for s in found.steps] == [("japan", ("russia",), 15)]
    assert (found.before, found.tension, found.great_war, found.at) == (10, 15, "", -1)
    assert found.alliances == (("japan",), ("russia",)) and found.european == ("russia",)
    assert g.state.wars == (), "nothing has happened"


@pytest.mark.rule("WAR-047")
def test_forecast_has_called_powers_and_the_cost_of_refusal() -> None:
    g = negotiating(("japan", "russia"), treaties=[treaty("defensive", "france", "russia")])
    found = forecast(g, "japan", "declare war russia")
    step = found.steps[1]
    assert (step.power, step.partner, step.treaties, step.on) == ("france", "russia", ("pact",), ("japan",))
    assert (step.tension, step.refusal, found.tension) == (10, 5, 10)
    g.act("japan", "declare war russia")
    all_come(g)
    assert (g.state.tension, the_war(g).alliances) == (found.tension, found.alliances)


@pytest.mark.parametrize("hidden", [{"public": False}, {"clause": {"secret": True}}])
def test_forecast_omits_unknown_treaties(hidden: dict[str, Any]) -> None:
    g = negotiating(("japan", "russia"), treaties=[treaty("defensive", "france", "russia", **hidden)])
    found = forecast(g, "japan", "declare war russia")
    assert [s.power for s in found.steps] == ["japan"] and found.tension == 5
    g.act("japan", "declare war russia")
    assert list(calls(g)) == ["france"], "though it does call"


def test_forecast_has_own_secret_treaties() -> None:
    g = negotiating(("japan", "russia"), treaties=[treaty("offensive", "italy", "japan", public=False)])
    step = forecast(g, "japan", "declare war russia").steps[1]
    assert (step.power, step.partner, step.refusal) == ("italy", "japan", 0)


@pytest.mark.rule("GWR-006", "GWR-007")
def test_forecast_of_the_great_war_by_four_powers() -> None:
    pact = treaty("defensive", "germany", "france")
    g = negotiating(("britain", "germany"), treaties=[pact])
    found = forecast(g, "britain", "declare war germany")
    assert (found.great_war, found.at, found.culprits) == (BY_POWERS, 2, ("britain",))
    assert found.european == ("britain", "france", "germany", "austria_hungary")
    g.act("britain", "declare war germany")
    all_come(g)
    assert g.state.result is not None and g.state.result.culprits == found.culprits
    assert g.state.tension == found.tension == 15


def test_forecast_of_the_great_war_by_tensions() -> None:
    g = negotiating(("japan", "russia"), tension=95, treaties=[treaty("defensive", "france", "russia")])
    found = forecast(g, "japan", "declare war russia")
    assert (found.great_war, found.at, found.culprits, found.tension) == (BY_TENSIONS, 0, ("japan",), 100)
    assert "This is the Great War" in forecast_text(g, "japan", "declare war russia")


@pytest.mark.rule("WAR-041")
def test_forecast_has_broken_and_ended_treaties() -> None:
    pacts = [treaty("non_aggression", "japan", "russia"), treaty("shared_cause", "japan", "russia", id="other")]
    g = negotiating(("japan", "russia"), treaties=pacts)
    found = forecast(g, "japan", "declare war russia")
    assert [(b.power, b.treaty, b.known) for b in found.steps[0].breaches] == [("japan", "pact", True)]
    assert set(found.steps[0].ended) == {"pact", "other"} and found.tension == 10


@pytest.mark.rule("WAR-041")
def test_forecast_names_a_treaty_that_ends_between_two_of_three() -> None:
    pact = treaty("non_aggression", "japan", "russia", parties=["japan", "russia", "france"])
    g = negotiating(("japan", "russia"), treaties=[pact])
    found = forecast(g, "japan", "declare war russia")
    assert found.steps[0].ended_between == (("pact", "japan", "russia"),) and not found.steps[0].ended
    assert "which ends 'Pact' between Japan and Russia: tension" in forecast_text(g, "japan", "declare war russia")


@pytest.mark.rule("WAR-041")
def test_forecast_has_every_broken_treaty() -> None:
    pacts = [treaty("non_aggression", "japan", "russia"), treaty("non_aggression", "japan", "russia", id="other")]
    g = negotiating(("japan", "russia"), treaties=pacts)
    found = forecast(g, "japan", "declare war russia")
    assert [(b.power, b.treaty) for b in found.steps[0].breaches] == [("japan", "pact"), ("japan", "other")]
    assert found.breaches == ()


def test_forecast_of_answers_to_a_call() -> None:
    g = negotiating(("japan", "russia"), treaties=[treaty("defensive", "france", "russia")])
    g.act("japan", "declare war russia")
    (choice,) = g.state.choices
    comes = forecast(g, "france", f"choose {choice.id} declare war japan")
    assert [(s.power, s.partner) for s in comes.steps] == [("france", "russia")] and comes.tension == 10
    away = forecast(g, "france", f"choose {choice.id} refuse")
    assert [(b.power, b.treaty) for b in away.breaches] == [("france", "pact")]
    assert (away.steps, away.tension) == ((), 10)
    assert "France would break 'Pact': tension +5 and a Casus Belli for the others." in forecast_text(
        g, "france", f"choose {choice.id} refuse"
    )


def test_forecast_is_only_for_legal_declarations() -> None:
    g = negotiating(("japan", "russia"))
    seen = preview_action(g.tables, g.state, "japan", actions.Ready())
    assert isinstance(seen, Preview) and seen.forecast is None
    with pytest.raises(Refusal) as refused:
        forecast(g, "japan", "declare war spain")
    assert refused.value.code == "no_cause_of_war"


def test_forecast_is_described() -> None:
    pact = treaty("defensive", "germany", "france")
    g = negotiating(("britain", "germany"), treaties=[pact])
    text = forecast_text(g, "britain", "declare war germany")
    assert text.startswith("Great Britain declares War on Germany: tension 5. ")
    assert (
        "France is called to Germany's side against Great Britain (by 'Pact'): tension 10 if it comes, +5 at once if "
        "it stays away." in text
    )
    assert text.endswith(
        "If they come, this is the Great War, and the end of the game: Great Britain, France, Germany and "
        "Austria-Hungary are at War; Great Britain would be to blame."
    )
