"""Nobody learns what is not theirs: case by case, and by games that look the same to everybody else with and without
others' secrets.

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
from tests.pax.secrets import Court, Pair, compared, everything
from tests.samples import sample

MORE = max(1, int(os.environ.get("PAXTUI_FUZZ", "1")))
BATCHES = 8
"""Tests of one kind, so that they can run side by side; each plays `GAMES` times `PAXTUI_FUZZ` games."""
GAMES = sample(2, 12)
"""Games of a batch. Half of them show words where they should not be."""
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
    """The id of an agreement that all have signed."""
    id_ = drafted(table, parties[0], parties[1:], *clauses, **more)
    for party in parties[1:]:
        table.act(party, actions.Sign(id_))
    return id_


def last_lines(table: PaxHost, seat: str, before: int) -> list[Line]:
    return [line for line in table.lines_for(seat) if line.n > before]


# Existence


@pytest.mark.rule("TRE-011")
def test_a_secret_treaty_is_in_no_view_line_menu_or_number_of_others():
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
def test_a_foreign_agreement_and_none_at_all_are_refused_in_the_same_words(order):
    table = world("b")
    draft = drafted(table, "france", ("italy",))
    force = signed(table, ("france", "russia"))
    for seat in ("britain", "germany"):
        words = set()
        for id_ in (draft, force, "aaaaa"):
            said = refused(table, seat, order(id_))
            assert not said.detail
            words.add((said.code, said.rules, said.message.replace(repr(id_), "ID")))
        assert len(words) == 1


def test_a_private_offer_is_known_to_two_and_counted_by_nobody():
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
    # taken, it lies open: the money moves, by whom and to whom everybody sees
    table.act("italy", f"choose {choice.id} accept")
    [line] = [line for line in table.lines_for("britain") if line.n == 3]
    assert [e["type"] for e in line.events] == ["treasury_changed", "treasury_changed"]


def test_a_proposal_to_share_an_area_is_nothing_to_who_only_has_influence_there():
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


def test_what_a_secret_treaty_pays_looks_like_a_gift():
    gift, treaty = world("e"), world("e")
    gift.act("france", "pay italy 5")
    gift.act("italy", f"choose {gift.state.choices[0].id} accept")
    signed(treaty, ("france", "italy"), Clause("pay", power="france", to="italy", amount=5))
    for seat in OUTSIDE:
        assert treaty.lines_for(seat) == gift.lines_for(seat)
        assert treaty.view(seat) == gift.view(seat)
    # the parties know why
    rules = {rule for e in treaty.lines_for("italy")[-1].events for rule in e["rules"]}
    assert any(rule.startswith("TRE-") for rule in rules)


@pytest.mark.rule("TRE-012")
def test_a_breach_of_a_secret_treaty_is_seen_by_its_parties_alone_until_it_is_revealed():
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


def test_an_id_is_no_way_to_guess_a_secret_article():
    ids = set()
    for text in ("one", "two"):
        table = world("h")
        ids.add(drafted(table, "france", ("italy",), Clause("defensive"), Clause("text", text=text, secret=True)))
    assert len(ids) == 1
    # two of them at once are told apart nevertheless
    other = drafted(table, "france", ("italy",), Clause("defensive"), Clause("text", text="three", secret=True))
    assert other not in ids
    again = actions.Draft("Zq", ("italy",), (Clause("defensive"), Clause("text", text="two", secret=True)))
    assert refused(table, "france", again).code == "drafted_already"


def test_who_is_asked_later_does_not_learn_of_the_draft_before():
    table = world("i")
    first = drafted(table, "france", ("italy",))
    drafted(table, "italy", ("france", "russia"), Clause("defensive"), instead=first)
    assert first not in repr(table.view("russia")) and first not in repr(table.lines_for("russia"))
    assert len(table.view("russia")["treaties"]) == 1
    second = drafted(table, "france", ("italy", "russia"), Clause("offensive"))
    drafted(table, "russia", ("france", "italy"), Clause("shared_cause"), instead=second)
    assert table.view("italy")["treaties"][-1]["instead"] == second


def test_a_position_that_is_set_up_shows_nobody_its_secrets():
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


def test_secret_diplomacy_of_others_stays_through_an_undo_and_is_not_told():
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


def test_a_barrier_and_a_request_are_reported_in_the_seats_numbers():
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


def test_an_own_draft_is_taken_back_until_the_other_has_signed_it():
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
def test_what_was_revealed_cannot_be_unseen():
    table = world("n")
    id_ = signed(table, ("france", "italy"))
    table.act("france", actions.Reveal(id_))
    refusal = refused(table, "france", "undo")
    assert refusal.detail["reveals"] == [table.version_for("france")]


def test_an_offer_that_outlived_its_phase_waits_for_the_next_one():
    """The game goes back to a Phase in which nothing changes hands; the offer of others stays, for later."""
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


# The same game without the secrets


@pytest.mark.random
@pytest.mark.parametrize("batch", range(BATCHES))
def test_an_outsider_cannot_tell_whether_there_are_secrets(batch: int) -> None:
    """Views, lines, numbers, menus, refusals, undo and history are the same with and without them."""
    done = 0
    for n in range(GAMES * MORE):
        pair = Pair(f"{batch} {n}")
        for step in range(STEPS):
            if not pair.step():
                break
            done += 1
            pair.compare(pair.random.choice(pair.outsiders), thorough=step % 9 == 8)
        else:
            for seat in pair.outsiders:
                pair.compare(seat, thorough=True)
        words = [s.word for s in pair.behind.secrets]
        for seat in pair.outsiders:
            known = everything(pair.secret, seat)
            assert not any(word in known for word in words)
    assert done > GAMES * MORE * STEPS // 4


# Words that are nobody's business


@pytest.mark.random
@pytest.mark.parametrize("batch", range(BATCHES))
def test_no_word_gets_where_it_should_not_be(batch: int) -> None:
    for n in range(GAMES * MORE // 2):
        court = Court(f"court {batch} {n}")
        for _ in range(STEPS):
            court.step()
            court.check(court.random.choice((*SEATS, SPECTATOR)))
        for seat in (*SEATS, SPECTATOR):
            court.check(seat)
            court.has_its_own(seat)
        if n % 5 == 0:
            again = reopened(court.table)
            for seat in (*SEATS, SPECTATOR, ARBITER):
                assert again.lines_for(seat) == court.table.lines_for(seat)
                assert again.dispatches(seat) == court.table.dispatches(seat)
            assert again.state == court.table.state
            assert again.verify() == []


# Sealed ballots


@pytest.mark.rule("CON-024")
@pytest.mark.parametrize("seed", range(12 * MORE))
def test_a_sealed_ballot_is_nobodys_business(seed: int) -> None:
    """One ballot differs: nobody else can tell before they are opened; what only a disputant's shows stays hidden."""
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
        compared(one, two, other)
    # undone, it is unknown still
    for table in (one, two):
        table.act((other, *members[:-1])[-1], "undo")
    compared(one, two, other)
    # opened: the votes are for everybody, what a bystander would have done is for nobody
    one, two = reopened(start), reopened(start)
    for seat in cast:
        for table, would in ((one, "sign"), (two, "defy")):
            [choice] = [c for c in table.state.choices if c.seat == seat]
            table.act(seat, actions.Choose(choice.id, (cast[seat][0], would if seat == bystander else cast[seat][1])))
    compared(one, two, bystander)
    opened = [e for line in one.lines_for(SPECTATOR) for e in line.events if e["type"] == "ballots_opened"]
    assert opened[0]["votes"] == {seat: cast[seat][0] for seat in cast}
    for table in (one, two):
        refused = attempt(table, next(reversed(cast)), Undo())
        assert refused[0] is None and "revealed" in refused[1][2]
