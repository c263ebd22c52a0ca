"""Secrets stay secret: single cases, and pairs of games with and without secrets that look the same to outsiders.

`PAXTUI_FUZZ=30 pytest tests/pax/play/test_secrecy.py` plays some thousands of games.
"""

from __future__ import annotations

import os
from random import Random
from typing import Any

import pytest

from paxtui.engine.game import Undo
from paxtui.engine.log import Line
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.games.pax.actions import actions
from paxtui.games.pax.menus.legal import legal_actions
from paxtui.games.pax.state.diplomacy import Clause
from paxtui.session.pax_host import PaxHost
from tests.pax.diplomats import SEATS, T, attempt, congress_at_the_vote, reopened, world
from tests.pax.secrets import GamePair, TrackedGame, assert_same_view, everything
from tests.samples import sample

MORE = max(1, int(os.environ.get("PAXTUI_FUZZ", "1")))
BATCHES = 8
"""Number of tests of one kind, which can run in parallel. Each plays `GAMES` times `PAXTUI_FUZZ` games."""
GAMES = sample(2, 12)
"""Games of a batch of pairs. A batch that follows secret words has half as many."""
STEPS = 36

OUTSIDE = ("britain", "japan", SPECTATOR)
WORDS = Clause("text", text="as we agreed")


def refused(table: PaxHost, seat: str, asked: Any) -> Refusal:
    before = (table.version, table.state)
    with pytest.raises(Refusal) as caught:
        table.act(seat, asked)
    assert (table.version, table.state) == before
    return caught.value


def drafted(table: PaxHost, seat: str, parties: tuple[str, ...], *clauses: Clause, **more: Any) -> str:
    """The id of a new draft."""
    table.act(seat, actions.Draft(name="Zq", parties=parties, clauses=clauses or (WORDS,), **more))
    return table.state.treaties[-1].id


def signed(table: PaxHost, parties: tuple[str, ...], *clauses: Clause, **more: Any) -> str:
    """The id of an agreement that all parties have signed."""
    id_ = drafted(table, parties[0], parties[1:], *clauses, **more)
    for party in parties[1:]:
        table.act(party, actions.Sign(id_))
    return id_


def last_lines(table: PaxHost, seat: str, before: int) -> list[Line]:
    return [line for line in table.lines_for(seat) if line.n > before]


# Existence


@pytest.mark.rule("TRE-011")
def test_secret_treaty_is_hidden_from_views_lines_and_menus():
    table = world("a")
    before = {seat: (table.view(seat), table.lines_for(seat)) for seat in OUTSIDE}
    id_ = signed(table, ("france", "italy"), Clause("defensive"), WORDS)
    table.act("italy", actions.Lapse(id_))
    for seat in OUTSIDE:
        assert (table.view(seat), table.lines_for(seat)) == before[seat]
        assert table.state_for(seat).treaties == ()
    for seat in ("france", "italy", ARBITER):
        assert [t["id"] for t in table.view(seat)["treaties"]] == [id_]
        assert table.version_for(seat) == 5


@pytest.mark.rule("TRE-011")
@pytest.mark.parametrize(
    "order",
    [
        actions.Sign,
        actions.Reject,
        actions.Reveal,
        actions.Lapse,
        actions.Renounce,
        lambda id_: actions.Release(id_, "france"),
        lambda id_: actions.Charge(id_, 1, "france"),
        lambda id_: actions.Judge(id_, 1, "france", True),
        lambda id_: actions.Draft("X", ("france",), (WORDS,), instead=id_),
    ],
)
def test_hidden_and_missing_agreements_give_the_same_refusal(order):
    table = world("b")
    draft = drafted(table, "france", ("italy",))
    force = signed(table, ("france", "russia"))
    for seat in ("britain", "germany"):
        words = set()
        for id_ in (draft, force, "aaaaa"):
            refusal = refused(table, seat, order(id_))
            assert not refusal.detail
            words.add((refusal.code, refusal.rules, refusal.message.replace(repr(id_), "ID")))
        assert len(words) == 1


def test_private_offer_is_hidden_from_others():
    table = world("c")
    before = {
        seat: (table.view(seat), table.lines_for(seat), legal_actions(T, table.state, seat)) for seat in OUTSIDE[:2]
    }
    table.act("france", "pay italy 5")
    [choice] = table.state.choices
    assert choice.id.startswith("o") and table.state.next_choice == 1
    for seat in OUTSIDE[:2]:
        assert (table.view(seat), table.lines_for(seat), legal_actions(T, table.state, seat)) == before[seat]
        unknown = refused(table, seat, "choose oaaaaa accept")
        foreign = refused(table, seat, f"choose {choice.id} accept")
        assert foreign.code == unknown.code == "no_choice"
        assert foreign.message.replace(choice.id, "oaaaaa") == unknown.message
    assert refused(table, "france", f"choose {choice.id} accept").code == "not_your_choice"
    assert [c["id"] for c in table.pending_known("france")] == [choice.id]
    assert table.pending_known("britain") == table.view("france")["pending"] == []
    # the accepted offer is public: everyone sees who pays whom
    table.act("italy", f"choose {choice.id} accept")
    [line] = [line for line in table.lines_for("britain") if line.n == 3]
    assert [e["type"] for e in line.events] == ["treasury_changed", "treasury_changed"]


def test_codominion_proposal_is_hidden_from_influence_holders():
    table = world("d", areas={"tunis": {"markers": [
        {"power": "france", "marker": "protectorate"},
        {"power": "italy", "marker": "protectorate"},
        {"power": "britain", "marker": "influence"},
    ]}})  # fmt: skip
    before = (table.view("britain"), legal_actions(T, table.state, "britain"))
    table.act("france", "codominion tunis")
    assert (table.view("britain"), legal_actions(T, table.state, "britain")) == before
    assert refused(table, "italy", "codominion tunis").code == "offered"
    table.act("britain", "codominion tunis")


# Effects


def test_payment_of_a_secret_treaty_looks_like_a_gift():
    gift, treaty = world("e"), world("e")
    gift.act("france", "pay italy 5")
    gift.act("italy", f"choose {gift.state.choices[0].id} accept")
    signed(treaty, ("france", "italy"), Clause("pay", power="france", to="italy", amount=5))
    for seat in OUTSIDE:
        assert treaty.lines_for(seat) == gift.lines_for(seat)
        assert treaty.view(seat) == gift.view(seat)
    # the parties see the rule
    rules = {rule for e in treaty.lines_for("italy")[-1].events for rule in e["rules"]}
    assert any(rule.startswith("TRE-") for rule in rules)


@pytest.mark.rule("TRE-012")
def test_breach_of_a_secret_treaty_is_hidden_until_revealed():
    table = world("f", "movement")
    id_ = signed(table, ("france", "italy"), Clause("no_marker", power="france", places=("marocco",)))
    before = table.version_for("britain")
    tension = table.state.tension
    table.act("france", actions.Place("interest", "marocco"))
    [line] = last_lines(table, "britain", before)
    assert [e["type"] for e in line.events] == ["treasury_changed", "marker_placed"]
    assert "treaty_broken" in [e["type"] for e in table.lines_for("italy")[-1].events]
    assert (table.view("britain")["casus_belli"], table.state.tension) == ([], tension)
    table.act("italy", actions.Reveal(id_))
    [line] = last_lines(table, "britain", before + 1)
    assert [e["type"] for e in line.events][:2] == ["treaty_revealed", "breach_opened"]
    assert [c["holder"] for c in table.view("britain")["casus_belli"]] == ["italy"]


@pytest.mark.rule("TRE-011")
def test_secret_articles_of_a_public_treaty_cannot_be_counted():
    table = world("g", "movement")
    clauses = (
        Clause("text", text="hidden one", secret=True),
        Clause("no_marker", power="france", places=("marocco",)),
        Clause("text", text="hidden two", secret=True),
        Clause("defensive"),
    )
    id_ = signed(table, ("france", "italy", "russia"), *clauses, public=True)
    for seat in OUTSIDE:
        [treaty] = table.view(seat)["treaties"]
        assert [c["kind"] for c in treaty["clauses"]] == ["no_marker", "defensive"]
        assert "hidden" not in repr(table.lines_for(seat))
    assert len(table.view("russia")["treaties"][0]["clauses"]) == 4
    before = table.version_for("britain")
    table.act("france", actions.Place("interest", "marocco"))
    [broken] = [e for e in table.lines_for("britain")[-1].events if e["type"] == "treaty_broken"]
    assert (broken["clause"], "only" in broken, "others" in broken) == (0, False, False)
    assert table.view("britain")["treaties"][0]["breaches"][0]["clause"] == 0
    assert table.view("russia")["treaties"][0]["breaches"][0]["clause"] == 1
    table.act("italy", actions.Charge(id_, 3, "france"))
    assert table.version_for("britain") == before + 1
    table.act("russia", actions.Reveal(id_, 3))
    shown = table.view("britain")["treaties"][0]
    assert [c.get("text", "") for c in shown["clauses"]] == ["", "hidden two", ""]
    assert not shown["shown"] and not shown["charges"]
    revealed = table.lines_for("britain")[-1].events[0]
    assert "articles" not in revealed and len(revealed["treaty"]["clauses"]) == 3
    assert refused(table, "britain", actions.Charge(id_, 4, "france")).code in ("no_article", "not_a_party")


def test_id_does_not_depend_on_secret_articles():
    ids = set()
    for text in ("one", "two"):
        table = world("h")
        ids.add(drafted(table, "france", ("italy",), Clause("defensive"), Clause("text", text=text, secret=True)))
    assert len(ids) == 1
    # but two drafts at once have different ids
    other = drafted(table, "france", ("italy",), Clause("defensive"), Clause("text", text="three", secret=True))
    assert other not in ids
    again = actions.Draft("Zq", ("italy",), (Clause("defensive"), Clause("text", text="two", secret=True)))
    assert refused(table, "france", again).code == "drafted_already"


def test_later_party_does_not_see_the_earlier_draft():
    table = world("i")
    first = drafted(table, "france", ("italy",))
    drafted(table, "italy", ("france", "russia"), Clause("defensive"), instead=first)
    assert first not in repr(table.view("russia")) and first not in repr(table.lines_for("russia"))
    assert len(table.view("russia")["treaties"]) == 1
    second = drafted(table, "france", ("italy", "russia"), Clause("offensive"))
    drafted(table, "russia", ("france", "italy"), Clause("shared_cause"), instead=second)
    assert table.view("italy")["treaties"][-1]["instead"] == second


def test_set_position_hides_its_secrets():
    row = {
        "id": "kq7dm",
        "name": "Zqhidden",
        "drafter": "france",
        "parties": ["france", "italy"],
        "clauses": [{"kind": "defensive"}],
        "stage": "in_force",
        "signed": ["france", "italy"],
        "since": 1,
    }
    with_, without = world("j", treaties=[row]), world("j")
    for seat in OUTSIDE:
        assert with_.lines_for(seat) == without.lines_for(seat)
        assert "Zqhidden" not in repr([with_.visible_events(seat, n) for n in range(2, with_.version + 1)])
    assert with_.view("italy")["treaties"][0]["name"] == "Zqhidden"


# Undo


def test_undo_keeps_and_hides_secret_diplomacy_of_others():
    table = world("k", "movement")
    table.act("britain", "build A1")
    id_ = drafted(table, "france", ("italy",))
    table.act("russia", "pay italy 3")
    table.act("italy", actions.Sign(id_))
    line = table.undo("britain")
    assert line.kept == (4, 5, 6)
    assert [t.stage for t in table.state.treaties] == ["in_force"]
    assert [c.kind for c in table.state.choices] == ["money"]
    undone = table.lines_for("japan")[-1]
    assert (undone.n, undone.kind, undone.target, undone.kept) == (4, "undo", 2, ())
    table.redo("britain")
    assert [t.stage for t in table.state.treaties] == ["in_force"]
    assert table.verify() == []


def test_undo_messages_use_line_numbers_of_the_seat():
    table = world("l", "movement")
    drafted(table, "france", ("italy",))
    table.act("britain", "build A1")
    drafted(table, "italy", ("france",))
    table.act("japan", "build A1")
    refusal = refused(table, "britain", "undo")
    assert (refusal.detail["seats"], refusal.detail["to"]) == (["japan"], 2)
    assert refused(table, "britain", "undo 9").message == "The log has lines 1 to 4, and no line 9."
    table.act("britain", "undo 2")
    assert table.undo_requests("japan") == {2: ("britain",)}
    assert table.undo_requests("france") == {3: ("britain",)} or table.undo_requests("france") == {2: ("britain",)}
    table.act("japan", "undo 2")
    assert table.state.homes["britain"] == table.game.seek(2).homes["britain"]
    assert len(table.state.treaties) == 2


def test_draft_can_be_undone_until_signed_by_another():
    table = world("m")
    id_ = drafted(table, "france", ("italy",))
    table.act("france", "undo")
    assert table.state.treaties == ()
    table.act("france", "redo")
    table.act("italy", actions.Sign(id_))
    refusal = refused(table, "france", "undo")
    assert (refusal.code, refusal.detail["seats"]) == ("undo_barrier", ["italy"])
    assert [t.stage for t in table.state.treaties] == ["in_force"]


@pytest.mark.rule("TRE-019")
def test_revelation_cannot_be_undone():
    table = world("n")
    id_ = signed(table, ("france", "italy"))
    table.act("france", actions.Reveal(id_))
    refusal = refused(table, "france", "undo")
    assert refusal.detail["reveals"] == [table.version_for("france")]


def test_offer_kept_by_an_undo_waits_for_its_phase():
    """The game returns to a Phase without transfers; the offer of others stays and waits."""
    table = world("o", undo="free")
    table.act(ARBITER, "step")
    target, phase = table.version, table.state.phase
    assert phase not in ("movement", "negotiation")
    while table.state.phase != "movement":
        table.act(ARBITER, "advance!")
    table.act("russia", "pay italy 1")
    table.act("britain", f"undo {target}")
    assert table.state.phase == phase
    [offer] = [c for c in table.state.choices if c.kind == "money"]
    assert refused(table, "italy", f"choose {offer.id} accept").code == "wrong_phase"
    assert not [order for order in legal_actions(T, table.state, "italy").orders if offer.id in order]
    assert table.verify() == []


# Pairs of games with and without secrets


@pytest.mark.random
@pytest.mark.parametrize("batch", range(BATCHES))
def test_outsiders_cannot_detect_secrets(batch: int) -> None:
    """Views, lines, numbers, menus, refusals, undo and history are the same with and without them."""
    done = 0
    for n in range(GAMES * MORE):
        pair = GamePair(f"{batch} {n}")
        for step in range(STEPS):
            if not pair.step():
                break
            done += 1
            pair.compare(pair.random.choice(pair.outsiders), thorough=step % 9 == 8)
        else:
            for seat in pair.outsiders:
                pair.compare(seat, thorough=True)
        words = [s.word for s in pair.insider_diplomat.secrets]
        for seat in pair.outsiders:
            known = everything(pair.secret, seat)
            assert not any(word in known for word in words)
    assert done > GAMES * MORE * STEPS // 4


# Secret words


@pytest.mark.random
@pytest.mark.parametrize("batch", range(BATCHES))
def test_secret_words_are_visible_only_to_their_seats(batch: int) -> None:
    for n in range(GAMES * MORE // 2):
        game = TrackedGame(f"court {batch} {n}")
        for _ in range(STEPS):
            game.step()
            game.check(game.random.choice((*SEATS, SPECTATOR)))
        for seat in (*SEATS, SPECTATOR):
            game.check(seat)
            game.check_own_secrets(seat)
        if n % 5 == 0:
            again = reopened(game.table)
            for seat in (*SEATS, SPECTATOR, ARBITER):
                assert again.lines_for(seat) == game.table.lines_for(seat)
                assert again.dispatches(seat) == game.table.dispatches(seat)
            assert again.state == game.table.state
            assert again.verify() == []


# Sealed ballots


@pytest.mark.rule("CON-024")
@pytest.mark.parametrize("seed", range(12 * MORE))
def test_sealed_ballot_is_hidden_from_others(seed: int) -> None:
    """One ballot differs: others cannot tell before the ballots are opened. What only disputants show stays hidden."""
    random = Random(seed)
    bystander = "germany"
    attending = (bystander, *(["russia"] if random.random() < 0.6 else []))
    start = congress_at_the_vote(f"ballots {seed}", attending)
    members = [c.seat for c in start.state.choices]
    cast = {seat: (random.choice(["yes", "no", "abstain"]), random.choice(["sign", "defy"])) for seat in members}
    other = random.choice(members)
    vote = random.choice([v for v in ("yes", "no", "abstain") if v != cast[other][0]])
    one, two = reopened(start), reopened(start)
    random.shuffle(members)
    members.remove(other)
    for seat in (other, *members[:-1]):
        for table in (one, two):
            [choice] = [c for c in table.state.choices if c.seat == seat]
            answer = (vote, "defy") if seat == other and table is two else cast[seat]
            table.act(seat, actions.Choose(choice.id, answer))
            assert table.view(SPECTATOR)["congress"]["ballots_cast"][-1] == seat
        assert_same_view(one, two, other)
    # an undo does not show it either
    for table in (one, two):
        table.act((other, *members[:-1])[-1], "undo")
    assert_same_view(one, two, other)
    # opened: votes are public, but not whether a bystander would have signed
    one, two = reopened(start), reopened(start)
    for seat in cast:
        for table, would in ((one, "sign"), (two, "defy")):
            [choice] = [c for c in table.state.choices if c.seat == seat]
            table.act(seat, actions.Choose(choice.id, (cast[seat][0], would if seat == bystander else cast[seat][1])))
    assert_same_view(one, two, bystander)
    opened = [e for line in one.lines_for(SPECTATOR) for e in line.events if e["type"] == "ballots_opened"]
    assert opened[0]["votes"] == {seat: cast[seat][0] for seat in cast}
    for table in (one, two):
        refused = attempt(table, next(reversed(cast)), Undo())
        assert refused[0] is None and "revealed" in refused[1][2]
