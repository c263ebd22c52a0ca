"""Hidden information does not change the acts of a statesman.

Two games differ only in what France may not know, and France is asked the same in both. A control shows that the
information matters: a bot that knows it acts differently.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from msgspec.structs import replace

from paxtui.engine.bots import BotAction
from paxtui.engine.seats import ARBITER
from paxtui.games.pax.game import PaxGame
from paxtui.games.pax.state.questions import Ballot, Pending
from paxtui.session.bot_process import bot_request, compute_acts, last_word_request, reply_request
from paxtui.session.bot_runner import suggest_orders
from paxtui.session.game_host import empty_clock
from paxtui.session.pax_host import PaxHost
from tests.bots.talks import NEGOTIATION, SEVEN
from tests.rules.harness import army, at_home, marker, naval, tables

BOT = "statesman:hard"
SECRETS = (
    "treaty Zq with italy: defensive against france",
    "treaty Zr with italy: italy votes no on formosa",
)
"""Secret Treaties of Britain and Italy in one of the games."""


def secret_treaty(n: int, kind: str, party: str, *, broken: bool = False) -> dict[str, object]:
    """A secret Treaty of Italy with another Power, and optionally a secret breach by Italy."""
    breach = [{"clause": 0, "power": "italy", "turn": 2, "open": False}] if broken else []
    return {
        "id": f"secret{n}", "name": f"Z{n}", "form": "treaty", "drafter": party, "parties": [party, "italy"],
        "clauses": [{"kind": kind}], "stage": "in_force", "signed": [party, "italy"], "breaches": breach,
    }  # fmt: skip


FAITHLESS = secret_treaty(1, "non_aggression", "britain", broken=True)
FRIENDS = [secret_treaty(n, "defensive", power) for n, power in enumerate(SEVEN) if power not in ("france", "italy")]


def table_at(patch: dict[str, object], seed: str = "secrets") -> PaxHost:
    """A game of seven people in a position."""
    table = PaxHost.new(tables(), SEVEN, seed, {}, undo="free", clock=empty_clock)
    table.act(ARBITER, {"type": "set_position", "patch": patch})
    return table


WEAK_FRANCE = {
    **NEGOTIATION,
    "homes": {
        **NEGOTIATION["homes"],
        **at_home("britain", *[army("britain", 10)] * 6, *[naval("britain", 10)] * 3),
    },
    "areas": {
        **NEGOTIATION["areas"],
        **{
            a: {"markers": [marker("france", "protectorate")], "units": [army("france", 1)]}
            for a in ("algiers", "cochinchina", "senegambia")
        },
    },
}
"""France has Areas to lose in a War that Britain joins."""


def table_with(*secrets: str) -> PaxHost:
    """A Negotiation Phase of seven people; Britain and Italy have signed these Treaties in secret."""
    table = table_at(WEAK_FRANCE)
    for text in secrets:
        table.act("britain", text)
        table.act("italy", f"sign {table.state.treaties[-1].id}")
    return table


@pytest.fixture(params=[1, 2])
def hosts(request: pytest.FixtureRequest) -> tuple[PaxHost, PaxHost]:
    """A game without secrets, and one with some."""
    return table_with(), table_with(*SECRETS[: request.param])


def as_texts(acts: Sequence[BotAction]) -> list[str]:
    """Return acts with their reasons."""
    return [str(act) for act in acts]


def test_secrets_do_not_change_negotiation(hosts: tuple[PaxHost, PaxHost]) -> None:
    open_, hidden = hosts
    assert len(hidden.state.treaties) > len(open_.state.treaties)
    offers = [as_texts(suggest_orders(table, "france", BOT)) for table in hosts]
    assert len(offers[0]) > 1 and offers[0] == offers[1]
    ends = [as_texts(compute_acts(PaxGame(tables()), last_word_request(table, "france", BOT))) for table in hosts]
    assert ends[0] == ends[1] and "declare war italy" in ends[0][0]
    knowing = replace(last_word_request(hosts[1], "france", BOT), state=hosts[1].state)
    assert "declare war" not in as_texts(compute_acts(PaxGame(tables()), knowing))[0], (
        "if it knew Italy's ally, it would keep the peace"
    )


WAR = {
    "phase": "war", "powers": {p: {"treasury": 40} for p in SEVEN},
    "wars": [{"alliances": [["france"], ["italy"]], "phase": "maneuver", "cycle": 2, "turn_of": 1, "order": [1, 2]}],
    "areas": {
        "kenya": {"markers": [marker("italy", "protectorate")], "units": [army("italy", 1)] * 6},
        "algiers": {"markers": [marker("france", "possession")], "units": [army("france", 3)]},
    },
}  # fmt: skip


@pytest.mark.parametrize(
    ("patch", "draft"),
    [
        (NEGOTIATION, "treaty Pact with france: france pays italy 4; italy pays france 10 in 1892"),
        (
            {**NEGOTIATION, "phase": "movement"},
            "treaty Pact with france: france pays italy 3; italy pays france 12 in 1892",
        ),
        (WAR, "treaty Pact with france: peace; france pays italy 10; italy pays france 10 in 1892"),
    ],
    ids=["talks", "movement", "war"],
)
def test_secret_breaches_do_not_change_answers_to_drafts(patch: dict[str, object], draft: str) -> None:
    answers = []
    for treaties in ([], [FAITHLESS]):
        table = table_at({**patch, "treaties": treaties})
        table.act("italy", draft)
        asked = reply_request(table, "france", "statesman", ["italy"])
        answers.append([anonymous(table, text) for text in as_texts(compute_acts(PaxGame(tables()), asked))])
    assert answers[0] and answers[0] == answers[1]
    knowing = as_texts(compute_acts(PaxGame(tables()), replace(asked, state=table.state)))
    assert "reject" in knowing[0] and "reject" not in answers[0][0], "if it knew the breach, it would not trust Italy"


MOVE = {
    "phase": "movement", "turn": 3, "powers": {p: {"treasury": 0} for p in SEVEN},
    "homes": at_home("france", army("france", 3)),
    "areas": {
        "algiers": {"markers": [marker("france", "possession")], "units": [army("france", 1)], "unrest": True},
    },
}  # fmt: skip


def test_future_dice_do_not_change_movement() -> None:
    acts, held = [], []
    for seed in ("a", "b"):
        table = table_at(MOVE, seed)
        acts.append(compute_acts(PaxGame(tables()), replace(bot_request(table, "france", BOT), seed="1")))
        for act in acts[-1][:2]:
            table.act("france", act.text)
        while table.state.phase in ("movement", "colonial_combat"):
            table.act(ARBITER, "advance!")
        held.append(bool(table.state.areas["algiers"].markers))
    assert as_texts(acts[0]) == as_texts(acts[1]) and [act.text for act in acts[0][:2]] == [
        "move A3 home > algiers",
        "ready",
    ]
    assert held == [False, True], "if it knew the first dice, it would stay at home"


def anonymous(table: PaxHost, text: str) -> str:
    """Replace ids of Treaties, which differ in each game, by names."""
    for treaty in table.state.treaties:
        text = text.replace(treaty.id, treaty.name or "a draft")
    return text


def test_secret_promises_and_ballots_do_not_change_votes(
    hosts: tuple[PaxHost, PaxHost],
) -> None:
    asked = [list(congress_answers(table, vote)) for table, vote in zip(hosts, ("yes sign", "no sign"), strict=True)]
    assert {"Propose", "Ballot"} <= {kind for kind, _, _ in asked[0]}
    assert [one[:2] for one in asked[0]] == [one[:2] for one in asked[1]]


def test_secret_allies_do_not_change_proposals() -> None:
    asked = [list(congress_answers(table_at({**NEGOTIATION, "treaties": t}), "yes sign")) for t in ([], FRIENDS)]
    assert [one[:2] for one in asked[0]] == [one[:2] for one in asked[1]]
    ((open_, knowing),) = [(acts, known) for kind, acts, known in asked[1] if kind == "Propose"]
    assert "propose: italy lowers kenya" in open_[0]
    assert "propose:" not in knowing[0], "if it knew Italy's allies, it would not try"


def congress_answers(table: PaxHost, vote: str) -> Iterator[tuple[str, list[str], list[str]]]:
    """Yield each question, France's answer, and its answer if it knew everything, until all ballots are open.

    The others vote `vote` before France.
    """
    table.act("japan", "congress germany over cb1")
    for seat in SEVEN:
        table.act(seat, "ready")
    for _ in range(80):
        table.advance()
        choices = table.state.choices
        ballots = [c for c in choices if isinstance(c.about, Ballot)]
        others = [c for c in choices if c.seat != "france"]
        if others:
            answer_choice(table, others[0], vote)
        elif choices:
            answers = [anonymous(table, text) for text in as_texts(suggest_orders(table, "france", BOT))]
            knowing = replace(bot_request(table, "france", BOT), state=table.state)
            yield type(choices[0].about).__name__, answers, as_texts(compute_acts(PaxGame(tables()), knowing))
            if ballots:
                assert {b for b in table.state.ballots.values() if b[0]} == {tuple(vote.split())}
                return
            answer_choice(table, choices[0], vote)


def answer_choice(table: PaxHost, choice: Pending, vote: str) -> None:
    """Answer for a person: attend, propose as Japan, and vote `vote`."""
    kind = type(choice.about).__name__
    if kind == "Propose" and choice.seat == "japan" and not any(t.form == "congress" for t in table.state.treaties):
        table.act("japan", "propose: britain lowers formosa to influence")
        return
    text = {"Attend": "attend", "Ballot": vote}.get(kind, choice.default)
    table.act(choice.seat, f"choose {choice.id} {text}".strip())
