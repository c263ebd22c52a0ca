"""Refusals of actions that only a program would send: unknown names and outdated ids."""

from __future__ import annotations

from typing import Any

import pytest

from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.actions import Allow, DeclareWar, InviteAid
from paxtui.games.pax.state.diplomacy import CONGRESS, Clause
from tests.rules import congress, wars
from tests.rules.harness import Bench, army, held, here, marker, moving, start
from tests.tui.wars import CALL_FOR_AID, OTTOMAN_AID

LONG = "x" * 41
SOME = (Clause("defensive"),)


def quarrel() -> Bench:
    """France and Italy quarrel over Tunis, Russia and Japan over Siam."""
    both = {"siam": here(marker("russia", "protectorate"), marker("japan", "protectorate"))}
    causes = [*congress.MUTUAL, congress.cause("russia", "japan", "siam"), congress.cause("japan", "russia", "siam")]
    return congress.game(causes, areas={"tunis": {"markers": congress.TUNIS}, **both})


def eight() -> Bench:
    """A quarrel in a game in which Belgium has a player."""
    return congress.game(players=8, options={"belgium": "yes"})


def sitting() -> Bench:
    """A Congress over Tunis that takes proposals."""
    return congress.meet(congress.game())


def aided() -> Bench:
    """The Ottoman Empire looks for aid, or Italy does."""
    return start({**OTTOMAN_AID, "wars": [{**OTTOMAN_AID["wars"][0], "turn_of": 2}]})


def canals() -> Bench:
    """Britain holds Egypt, and Russia is at War with Japan."""
    areas = {"egypt": held("britain", "protectorate", army("britain"))}
    return wars.at_war([["japan"], ["russia"]], areas=areas)


def called() -> Bench:
    """The War Phase opens, and Germany may declare War on Russia."""
    return start(CALL_FOR_AID)


@pytest.mark.parametrize(
    ("game", "seat", "action", "code"),
    [
        (moving, "france", actions.Transfer("tunis", "bavaria"), "unknown_power"),
        (moving, "france", actions.Pay("bavaria", 5), "unknown_power"),
        (quarrel, "britain", actions.Defend("bavaria", "tunis"), "unknown_power"),
        (eight, "belgium", actions.Defend("spain", "tunis"), "not_a_great_power"),
        (quarrel, "france", actions.Codominion("tunis", ("bavaria",)), "unknown_power"),
        (quarrel, "france", actions.Codominion("tunis", ("spain",)), "no_influence"),
        (quarrel, "france", actions.Draft("Rome", ("bavaria",), SOME), "unknown_power"),
        (quarrel, "france", actions.Draft(LONG, ("germany",), SOME), "name"),
        (quarrel, "france", actions.Draft("Rome", ("germany",), SOME * 31), "too_many"),
        (
            quarrel,
            "france",
            actions.Draft("", ("italy",), (Clause("lower", power="france"),), "settlement"),
            "unknown_area",
        ),
        (quarrel, "france", actions.CallCongress("britain", ("cb99",)), "no_casus_belli"),
        (quarrel, "france", actions.CallCongress("britain", ("cb3",)), "not_your_casus_belli"),
        (quarrel, "france", actions.CallCongress("france"), "site"),
        (sitting, "france", actions.Draft("Act", (), (), CONGRESS), "no_clauses"),
        (sitting, "france", actions.Draft(LONG, (), SOME, CONGRESS), "name"),
        (sitting, "japan", actions.Draft("Act", (), SOME, CONGRESS), "not_a_member"),
        (quarrel, "france", actions.Draft("Act", (), SOME, CONGRESS), "no_congress"),
        (aided, "italy", InviteAid(("france", "france")), "twice"),
        (aided, "italy", InviteAid(("spain",)), "no_guest"),
        (aided, "france", InviteAid(("russia",)), "no_war_to_join"),
        (canals, "britain", Allow("suez", "japan"), "not_denied"),
        (canals, "japan", Allow("suez", "russia"), "no_passage"),
        (called, "germany", DeclareWar(("austria_hungary",)), "oneself"),
        (called, "germany", DeclareWar(("russia", "russia")), "twice"),
        (called, "germany", DeclareWar(("ottoman_empire", "russia")), "apart"),
        (called, "germany", DeclareWar(("russia",), ("cb9",)), "no_cause_of_war"),
    ],
    ids=lambda it: "" if callable(it) else type(it).__name__ if isinstance(it, actions.Action) else str(it),
)
def test_action_is_refused(game: Any, seat: str, action: actions.Action, code: str) -> None:
    assert game().refused(seat, action).code == code
