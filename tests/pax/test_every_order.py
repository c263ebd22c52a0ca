"""Every form of the notation in Phases of each kind, and impossible orders: their outcomes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from paxtui.engine.dice import Dice
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions import actions as ac
from paxtui.games.pax.decide import decide
from paxtui.games.pax.narration.narrator import Narrator
from paxtui.games.pax.state.model import State
from paxtui.games.pax.transaction import GameOver
from tests.pax.actions.forms import FORMS
from tests.pax.saved_games import saved_game
from tests.recorded import same_as_recorded
from tests.rules.harness import UNLIMITED, held, moving, start, tables
from tests.tui.wars import FAR_EAST

AREAS = {"tunis": held("france", "influence"), "cuba": held("france", "protectorate")}
TIMES: dict[str, State] = {
    "movement": moving(areas=AREAS).state,
    "negotiation": start({"phase": "negotiation", "areas": AREAS}, options=UNLIMITED).state,
    "war": start(FAR_EAST, options=UNLIMITED).state,
    "congress": saved_game("congress-0.2.0").after(20),
    "congress voting": saved_game("congress-0.2.0").after(25),
    "over": saved_game("tension-0.2.0").after(12),
}
STRANGE: list[ac.Action] = [
    ac.Merchant("new", "tunis"),
    ac.Merchant("mediterranean", "tunis"),
    ac.Merchant("mediterranean", "cape_horn"),
    ac.Merchant("mediterranean", "mediterranean"),
    ac.Place("colony", "tunis"),
    ac.Place("interest", "atlantis"),
    ac.Place("state", "tunis"),
    ac.Place("dominion", "tunis"),
    ac.Place("interest", "home:italy"),
    ac.Build(("A2",)),
    ac.Build(()),
    ac.Build(("X1",)),
    ac.Build(("N",)),
    ac.Build(("N1",), "atlantis"),
    ac.Build(("N1",), "baltic"),
    ac.Move((), ("home:france", "tunis")),
    ac.Move(("A1",), ("home:france",)),
    ac.Move(("A1",), ()),
    ac.Move(("A1",), ("home:france", "atlantis")),
    ac.Move(("A1",), ("home:france", "cape_horn", "tunis")),
    ac.Move(("A1",), ("atlantis", "tunis")),
    ac.Move(("A2",), ("home:france", "tunis")),
    ac.Move(("A1", "N1"), ("home:france", "tunis")),
    ac.Move(("A1",), ("home:france", "home:italy")),
    ac.Move(("A1",), ("home:france", "baltic")),
    ac.Move(("A1",), ("home:france", "home:france")),
    ac.Move(("N1",), ("home:france", "tunis"), "baltic"),
    ac.Move(("N1",), ("home:france", "kashmir")),
    ac.Canal("tunis"),
    ac.Canal("panama", "", ("atlantis",), (15, 15), (8, 7)),
    ac.Pay("atlantis", 3),
    ac.Pay("italy", 0),
    ac.Pay("france", 1),
    ac.Pay("belgium", 1),
    ac.Pay("italy", 1000),
    ac.Pay("austria_hungary", 1),
    ac.Transfer("tunis", "atlantis"),
    ac.Transfer("tunis", "france"),
    ac.Transfer("tunis", "belgium"),
    ac.Transfer("siam", "italy"),
    ac.Upgrade("possession", "atlantis"),
    ac.Upgrade("interest", "tunis"),
    ac.Downgrade("colony", "algiers"),
    ac.Downgrade("possession", "algiers"),
    ac.Withdraw("interest", "algiers"),
    ac.Withdraw("possession", "siam"),
    ac.Codominion("atlantis"),
    ac.Codominion("tunis", ("belgium",)),
    ac.Codominion("tunis", ("atlantis",)),
    ac.Codominion("tunis", ("france",)),
    ac.Fight("atlantis"),
    ac.Decline("atlantis"),
    ac.Garrison("belgium"),
    ac.Place("interest", "tunis", "italy"),
    ac.Choose("c9", ("yes",)),
    ac.Waive("cb9"),
    ac.Defend("france", "tunis"),
    ac.Defend("atlantis", "tunis"),
    ac.CallCongress("belgium"),
    ac.CallCongress("britain", ("cb9",)),
    ac.DeclareWar(("atlantis",)),
    ac.DeclareWar(("france",)),
    ac.DeclareWar(()),
    ac.DeclareWar(("italy",), ("cb9",)),
    ac.JoinWar("italy"),
    ac.InviteAid(()),
    ac.InviteAid(("atlantis",)),
    ac.Volunteer("atlantis", "japan"),
    ac.Volunteer("tunis", "france"),
    ac.Deny("bosporus", "italy"),
    ac.Deny("suez", "france"),
    ac.Allow("suez", "italy"),
    ac.Attack("atlantis"),
    ac.Sign("nobody"),
    ac.Reveal("nobody"),
    ac.Abandon(()),
    ac.Abandon(("atlantis",)),
    ac.Abandon(("belgium",)),
]


def outcome(state: State, seat: str, action: ac.Action) -> str:
    """The refusal, or the events as the log describes them."""
    try:
        play = decide(tables(), state, seat, action, Dice("told"))
    except Refusal as refusal:
        detail = {name: value for name, value in refusal.detail.items() if name != "problems"}
        return f"{refusal.code} {' '.join(refusal.rules)}: {refusal.message} {detail or ''}".rstrip()
    except GameOver:
        return "the game is over"
    narrator = Narrator(tables(), state)
    texts = [line for event in play.events if (line := narrator.tell(event))]
    return f"done: {' / '.join(texts[:6])}"


def lines(actions: dict[str, ac.Action]) -> Iterator[str]:
    """The outcome of each action in each position; equal outcomes once."""
    for text, action in actions.items():
        yield text
        found: dict[str, list[str]] = {}
        for time, state in TIMES.items():
            seat = ARBITER if isinstance(action, ac.Advance | ac.Step | ac.SetPosition | ac.Adjudicate) else "france"
            found.setdefault(outcome(state, seat, action), []).append(time)
        for answer, times in found.items():
            yield f"    {', '.join(times)}: {answer}"


def test_outcomes_of_every_order_form_are_as_recorded() -> None:
    forms = {text: action for text, action in FORMS.items() if isinstance(action, ac.Action)}
    same_as_recorded(Path(__file__).with_name("every_order.txt"), lines(forms))


def test_outcomes_of_impossible_orders_are_as_recorded() -> None:
    same_as_recorded(Path(__file__).with_name("strange_orders.txt"), lines({repr(one): one for one in STRANGE}))
