"""Reports to a seat: complete, true, and without anything that the seat may not know."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from paxtui.engine.seats import ARBITER
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.narration.narrator import BAD, GOOD, PLAIN, Narrator, ReportPage, VisibleAct
from paxtui.games.pax.preview.odds import combat_odds, describe_odds
from paxtui.games.pax.reports.briefing import turn_end_page
from paxtui.games.pax.reports.changes import _markers_of_others, _seat_line, changes_since
from paxtui.games.pax.reports.todo import CONGRESS, ON_MAP, QUESTION, TREATIES, todo_items
from paxtui.games.pax.transaction import default_answer
from paxtui.session.local_session import LocalSession
from paxtui.session.pax_host import PaxHost
from paxtui.session.player_news import NewsTracker, pages_since, reopened_reason
from paxtui.session.session import Advance
from paxtui.session.tables.loader import load_tables
from paxtui.tui.colors import PALETTES
from paxtui.tui.diplomacy.congress import congress_history
from paxtui.tui.formatting.look import Look
from tests.places import SAVES
from tests.rules.congress import BOTH, TWO, all_answer, game, meet
from tests.rules.harness import army, marker, start
from tests.tui.wars import FAR_EAST

SEATS = ("britain", "france", "germany", "italy", "japan", "russia", "united_states")


def table_at(*patches: dict, seats: tuple[str, ...] = SEATS, seed: str = "7") -> PaxHost:
    """A game at a position."""
    table = PaxHost.new(load_tables(), seats, seed, {}, undo="free", clock=lambda: "")
    for patch in patches:
        table.act(ARBITER, {"type": "set_position", "patch": patch})
    return table


def texts(pages: list[ReportPage]) -> str:
    """The text of some pages."""
    return "\n".join(line.text for page in pages for line in page.lines())


def todo_texts(table: PaxHost, seat: str) -> list[str]:
    """The texts of the todo items of a seat."""
    return [must.text for must in todo_items(table.tables, table.state_for(seat), seat)]


# Combat


def test_odds_follow_the_combat_table():
    tables = load_tables()
    found = combat_odds(tables, (10, 3, 3), 5)
    assert (found.attack, found.table, found.column) == (16, 2, "3-1")
    column = [row[[f"{r.attack}-{r.defend}" for r in tables.ratios].index("3-1")] for row in tables.combat[2]]
    assert {c.result: c.faces for c in found.chances} == {r: column.count(r) for r in column}
    assert sum(c.faces for c in found.chances) == 6
    # an exchange eliminates one big army, but not all of many small ones
    big, small = combat_odds(tables, (10,), 5), combat_odds(tables, (1,) * 10, 5)
    exchange = [next(c for c in o.chances if c.result == "EX") for o in (big, small)]
    assert exchange[0].lost == 10 and not exchange[0].wins
    assert exchange[1].lost == 5 and exchange[1].wins
    assert combat_odds(tables, (3,), 0).wins == 6 and "does not resist" in describe_odds(combat_odds(tables, (3,), 0))


# Todo items

EGYPT = {"egypt": {"markers": [{"power": "britain", "marker": "possession"}], "units": [], "unrest": True}}
ARMY = {"power": "britain", "kind": "army", "strength": 10}


def test_own_unrest_is_a_todo_item_with_the_odds():
    table = table_at({"phase": "movement", "areas": EGYPT})
    garrison, must = todo_items(table.tables, table.state, "britain")
    assert garrison.bars and "must leave an army in each Area" in garrison.text
    assert "does this (Move A" in garrison.text and " > " not in garrison.text, "orders in words"
    assert must.text == "Egypt is in Unrest (value 8): the Possession is lost unless an army suppresses the Unrest."
    assert (must.place, must.where, must.bars) == ("egypt", ON_MAP, False)
    assert not any("Egypt is in" in text for text in todo_texts(table, "france"))
    held = {"egypt": {**EGYPT["egypt"], "units": [ARMY]}}
    table = table_at({"phase": "movement", "areas": held})
    assert todo_texts(table, "britain")[0].startswith("Egypt is in Unrest (value 8): your armies there, 10 against 5,")
    table = table_at({"phase": "negotiation", "areas": EGYPT})
    assert not any("Egypt is in" in text for text in todo_texts(table, "britain"))


def test_missing_garrison_is_a_todo_item():
    table = table_at({"phase": "movement", "powers": {"britain": {"treasury": 60}}})
    assert todo_texts(table, "britain") == []
    table.act("britain", "place protectorate egypt")
    assert todo_texts(table, "britain") == ["Egypt has no garrison: without an army the marker is lowered."]


def test_todo_items_that_block_ready_come_first():
    held = {"egypt": {**EGYPT["egypt"], "units": [ARMY]}}
    patch = {"phase": "movement", "events_in_force": ["1-2"], "areas": held, "powers": {"britain": {"treasury": 60}}}
    first, second = todo_items(load_tables(), table_at(patch).state, "britain")[:2]
    assert first.bars and first.text.startswith("Great Britain must still spend £30 on Military Units")
    assert first.place == "home:britain" and second.place == "egypt"


DRAFT = {
    "id": "m2xwq", "name": "Lisbon", "form": "treaty", "drafter": "italy", "parties": ["italy", "germany"],
    "signed": ["italy"], "clauses": [{"kind": "pay", "power": "germany", "to": "italy", "amount": 5}], "drafted": 1,
}  # fmt: skip
DUE = {
    **DRAFT, "id": "kq7da", "name": "London", "signed": ["italy", "germany"], "stage": "in_force", "since": 1,
    "clauses": [{"kind": "pay", "power": "germany", "to": "italy", "amount": 5, "every_turn": True}],
}  # fmt: skip


def test_drafts_and_duties_are_todo_items_of_their_parties_only():
    table = table_at({"phase": "movement", "turn": 2, "treaties": [DRAFT, DUE]})
    german = todo_items(table.tables, table.state_for("germany"), "germany")
    assert [must.text for must in german] == [
        "Italy's draft of the Treaty of Lisbon waits for your signature.",
        "Due this turn under the Treaty of London: Germany pays Italy £5 every Game Turn; your Treasury holds £0.",
    ]
    assert {must.where for must in german} == {TREATIES}
    for seat in SEATS:
        if seat not in ("germany", "italy"):
            assert not todo_texts(table, seat), seat


def test_affordable_duty_needs_no_confirmation_before_ready():
    poor = table_at({"phase": "movement", "turn": 2, "treaties": [DUE]})
    rich = table_at({"phase": "movement", "turn": 2, "treaties": [DUE], "powers": {"germany": {"treasury": 5}}})
    asked = [todo_items(t.tables, t.state_for("germany"), "germany")[0].asks for t in (poor, rich)]
    assert asked == [True, False]


def test_questions_name_the_place_to_answer():
    table = table_at({"phase": "movement", "powers": {"britain": {"treasury": 20}}})
    table.act("britain", "pay france 5")
    offer = todo_items(table.tables, table.state_for("france"), "france")[0]
    assert offer.text == "Great Britain offers you £5. Do you take it?" and offer.where == QUESTION and not offer.bars
    assert not todo_texts(table, "italy") and not todo_texts(table, "britain")
    congress = PaxHost.open(SAVES / "congress-eight-seats.jsonl", write=False)
    voting = congress.known("russia").number(25)
    asked = todo_items(congress.tables, congress.state_for("russia", voting), "russia")
    assert asked[0].where == CONGRESS and asked[0].bars
    assert asked[0].text.startswith("The Treaty of Potsdam: do you vote yes, no or abstain")


def test_casus_belli_is_a_todo_item_in_negotiation():
    control = [{"power": "france", "marker": "protectorate"}, {"power": "italy", "marker": "protectorate"}]
    cause = {"holder": "france", "against": "italy", "area": "tunis", "rule": "STA-024", "lapses": "negotiation"}
    patch = {"phase": "negotiation", "areas": {"tunis": {"markers": control}}, "casus_belli": [cause]}
    must = todo_items(load_tables(), table_at(patch).state, "france")[0]
    twice = [{**cause, "holder": power} for power in ("germany", "austria_hungary")]
    assert todo_texts(table_at({**patch, "casus_belli": twice}), "germany")[0].startswith(
        "You hold a Casus Belli against Italy over Tunis:"
    )
    assert must.text.startswith("You hold a Casus Belli against Italy over Tunis:") and must.place == "tunis"
    assert not todo_texts(table_at(patch), "italy")
    assert not todo_texts(table_at({**patch, "phase": "marker_adjustment"}), "france")


def test_demand_of_an_event_is_a_todo_item_until_met():
    purse = {"united_states": {"treasury": 100}}
    with table_at({"phase": "movement", "events_in_force": ["3-5"], "powers": purse}) as table:
        wants = "Alaska must become a State this turn, or you lose 5 Victory Points."
        assert wants in todo_texts(table, "united_states") and wants not in todo_texts(table, "britain")
        table.act("united_states", "upgrade state alaska")
        assert wants not in todo_texts(table, "united_states")


# News

MONEY = {seat: {"treasury": 40} for seat in SEATS}


def test_news_in_own_areas_are_reported_once():
    with table_at({"phase": "movement", "powers": MONEY}) as table:
        session = LocalSession(table, "britain")
        news = NewsTracker(session)
        session.act_text("place interest egypt")
        news.mark_read(session)
        session.take_seat("france")
        session.act_text("place influence egypt")
        session.act_text("place interest siam")
        session.take_seat("britain")
        pages = news.unread(session)
        assert [page.title for page in pages] == ["Since your last visit"]
        stake = next(s for s in pages[0].sections if s.title == "Areas with your markers")
        assert [(line.text, line.place) for line in stake.lines] == [("Egypt: France ● Influence.", "egypt")]
        assert "France places ○ Interest in Siam." in texts(pages)
        assert news.unread(session) == [] and texts(news.again(session)) == texts(pages)


def test_reopened_seat_learns_the_act():
    with table_at({"phase": "movement", "powers": MONEY}) as table:
        session = LocalSession(table, "britain")
        session.act_text("ready")
        session.take_seat("france")
        assert reopened_reason(session) == ""
        session.act_text("place influence egypt")
        session.take_seat("britain")
        text = reopened_reason(session)
        assert text == "France places ● Influence in Egypt. You can act again."
        session.act_text("ready")
        assert reopened_reason(session) == ""


def test_reopened_seat_learns_the_most_relevant_act():
    with table_at({"phase": "movement", "powers": MONEY}) as table:
        session = LocalSession(table, "britain")
        session.act_text("place interest tunis")
        session.act_text("ready")
        session.take_seat("france")
        session.act_text("place influence egypt")
        session.act_text("place interest kenya")
        session.act_text("place influence tunis")
        session.act_text("place interest siam")
        session.take_seat("britain")
        assert reopened_reason(session) == "France places ● Influence in Tunis. You can act again."


def test_lost_ready_mark_is_reported_until_the_seat_acts():
    with table_at({"phase": "movement", "powers": MONEY}) as table:
        session = LocalSession(table, "britain")
        session.act_text("ready")
        news = NewsTracker(session)
        news.mark_read(session)
        session.take_seat("france")
        session.act_text("place influence egypt")
        session.take_seat("britain")
        lines = [line for page in news.unread(session) for line in page.lines()]
        assert [(line.text, line.place) for line in lines] == [
            ("France places ● Influence in Egypt. You can act again.", "egypt")
        ]
        session.act_text("place interest siam")
        assert reopened_reason(session) == ""


def test_the_first_page_of_a_game_reports_its_events_once():
    for seed in range(1, 30):
        table = PaxHost.new(load_tables(), SEATS, str(seed), {}, clock=lambda: "")
        session = LocalSession(table, "germany")
        news = NewsTracker(session)
        session.act(Advance())
        pages = news.unread(session)
        if "Unrest Table" in texts(pages):
            break
    assert "Unrest Table" in texts(pages) and [page.title for page in pages] == ["1880: Game Turn 1 begins"]


def test_withdrawn_draft_is_not_news():
    with table_at({"phase": "negotiation", "powers": MONEY}) as table:
        session = LocalSession(table, "germany")
        news = NewsTracker(session)
        table.act("italy", "treaty London with germany: italy pays germany 5")
        table.act("italy", f"reject {table.state.treaties[-1].id}")
        table.act("italy", "treaty Malta with germany: italy pays germany 6")
        assert "Malta" in (unread := texts(news.unread(session))) and "London" not in unread


def test_news_of_a_secret_treaty_goes_to_its_parties_only():
    with table_at({"phase": "movement", "powers": MONEY}) as table:
        start = table.version
        session = LocalSession(table, "germany")
        session.act_text("treaty London with italy: germany pays italy 5")
        for seat in SEATS:
            session.take_seat(seat)
            text = texts(pages_since(session, start, everything=True))
            assert ("London" in text) == (seat == "italy"), seat


def test_turn_end_page_has_chinese_resentment():
    g = start({"phase": "chinese_resentment", "indexes": {"chinese_resentment": 100}})
    g.dice(3, 4, 4)
    g.step()
    page = turn_end_page(Narrator(g.tables), "france", g.state, g.events, 1880)
    lines = [line.text for section in page.sections for line in section.lines]
    (checked,) = [e for e in g.events if isinstance(e, ev.RebellionChecked)]
    assert any("Chinese Resentment rose by 3, to 103" in text for text in lines), lines
    assert any(str(checked.target) in text and "ebel" in text for text in lines), lines


def test_turn_end_page_has_points_tension_and_losses():
    with PaxHost.open(SAVES / "congress-eight-seats.jsonl", write=False) as table:
        session = LocalSession(table, "france")
        pages = pages_since(session, 12)
        assert [page.title for page in pages] == [
            "Since your last visit", "End of 1880", "1884: Game Turn 2 begins", "Since your last visit",
        ][: len(pages)]  # fmt: skip
        end = pages[1]
        assert [(s.seat, s.rank, s.total, s.why) for s in end.standings][:2] == [
            ("italy", 1, 8, "+8 £20 left over"), ("germany", 2, 6, "+6 £30 left over"),
        ]  # fmt: skip
        own = next(s for s in end.sections if s.title == "Yours")
        assert [(line.place, line.tone) for line in own.lines] == [("tunis", BAD)]
        assert "European Tensions rose by 17, to 17 of 100." in texts(pages)
        begins = texts([pages[2]])
        assert "Pan-Slav Agitation in Russia (2-6)" in begins and "pays double" in begins
        assert "The Netherlands takes ◇ Protectorate in Sarawak." in begins
        assert "£24 in the Treasury" in begins


@pytest.mark.parametrize("log", sorted(SAVES.glob("*.jsonl")), ids=lambda path: path.stem)
def test_pages_of_saved_games_have_clean_lines(log: Path):
    with PaxHost.open(log, write=False) as table:
        session = LocalSession(table)
        for seat in session.live.players[:3]:
            session.take_seat(seat)
            for place in range(2, session.view.place, 97):
                for page in pages_since(session, place, everything=True):
                    assert page.title and all(line.text and line.text[0] != " " for line in page.lines())
                    assert not any("_" in line.text for line in page.lines())


def test_reopened_pass_names_the_ally_and_its_move():
    with table_at(FAR_EAST) as table:
        session = LocalSession(table, "britain")
        session.act_text("pass")
        session.take_seat("japan")
        session.act_text("move A1 korea > manchuria")
        assert reopened_reason(session) == ""
        session.take_seat("britain")
        text = reopened_reason(session)
        assert text == "Japan moves A1: Korea → Manchuria. Act again or pass."
        session.act_text("pass")
        session.take_seat("japan")
        session.act_text("pass")
        assert session.live.wars[0].stage == "attack"
        session.take_seat("britain")
        assert reopened_reason(session) == "", "another Phase of the War has begun"


def test_placed_control_in_an_own_area_is_bad_news() -> None:
    tables = load_tables()
    placed = [ev.MarkerPlaced("siam", "france", marker, False, 1) for marker in ("interest", "influence")]
    only = [*_markers_of_others(tables, placed)]
    assert [line.tone for line in only] == [PLAIN]
    more = [*_markers_of_others(tables, [*placed, ev.MarkerPlaced("siam", "germany", "protectorate", False, 1)])]
    assert [(line.place, line.tone) for line in more] == [("siam", BAD)]


def test_public_treaty_of_others_is_listed_elsewhere() -> None:
    with PaxHost.open(SAVES / "scenes-0.2.0.jsonl", write=False) as table:
        line = next(
            line.n
            for line in table.game.lines
            for event in table.game.events(line.n)
            if isinstance(event, ev.TreatyInForce)
        )
        treaty = next(t for t in table.game.seek(line).treaties if t.stage == "in_force")
        assert treaty.public
        for seat in table.state.players:
            act = VisibleAct(ARBITER, table.game.events(line))
            narrator = Narrator(table.tables)
            narrator.known.learn_all(table.game.seek(line).treaties, (), ())
            page = changes_since(narrator, seat, table.game.seek(line), [act])
            where = [s.title for s in page.sections if any("is in force" in line.text for line in s.lines)]
            assert where == ["Yours" if seat in treaty.parties else "Elsewhere"], seat


def test_turn_end_page_has_a_bonus_once() -> None:
    bench = start({"phase": "movement"})
    bonus = ev.VictoryPointsChanged("germany", 3, 3, "a canal", bonus=True)
    page = turn_end_page(Narrator(bench.tables), "germany", bench.state, [bonus], 1880)
    assert [standing.why for standing in page.standings if standing.seat == "germany"] == ["+3 a canal"]
    assert "a canal" not in texts([page])


def test_turn_end_page_has_the_end_of_a_war_once() -> None:
    bench = start({"phase": "war", "wars": [{"id": "w1", "alliances": [["russia"], ["japan"]]}]})
    over = ev.WarOver(war="w1")
    for events, lines in (
        ((ev.WarDecided(war="w1", test="occupied"), over), ["ends because every Area of one side is occupied."]),
        ((over,), ["is over."]),
    ):
        page = turn_end_page(Narrator(bench.tables, bench.state), "france", bench.state, events, 1880)
        (wars,) = (section.lines for section in page.sections if section.title == "Wars")
        assert [line.text for line in wars] == [f"The War of Russia against Japan {text}" for text in lines]


def test_turn_end_page_distinguishes_unvoted_proposals() -> None:
    with PaxHost.open(SAVES / "congress-eight-seats.jsonl", write=False) as table:
        events = [event for line in table.game.lines for event in table.game.events(line.n)]
    sat = next(e for e in events if isinstance(e, ev.CongressChanged) and any(p.votes for p in e.congress.proposals))
    (proposal, *_) = (p for p in sat.congress.proposals if p.votes)
    for votes, text in ((proposal.votes, "adopted and refused ("), ({}, "not put to the vote.")):
        refused = replace(proposal, stage="refused", votes=votes)
        page = turn_end_page(Narrator(table.tables), "france", table.game.seek(1), [
            replace(sat, congress=replace(sat.congress, proposals=(refused,)))
        ], 1880)  # fmt: skip
        assert text in texts([page])


def test_wishes_for_the_first_dispute_are_one_line() -> None:
    g = meet(game(BOTH, areas=TWO), site="germany", attend=("germany",))
    before = len(g.events)
    all_answer(g, "agenda", "siam", france="tunis")
    narrator = Narrator(g.tables, g.state)
    page = changes_since(narrator, "japan", g.state, [VisibleAct("britain", tuple(g.events[before:]))])
    wishes = [line.text for line in page.lines() if "first" in line.text]
    rest = "Great Britain, Germany, Italy and Russia want to discuss Siam first"
    assert wishes == [f"{rest}; France wants to discuss Tunis first."]
    view = SimpleNamespace(acts_of_turn=lambda: (0, [VisibleAct("britain", tuple(g.events))]), narrator=narrator)
    history = congress_history(SimpleNamespace(tables=g.tables, view=view), Look(PALETTES["dark"]))
    assert history.plain.count("to discuss") == 2 and wishes[0] in history.plain
    assert "invites no Power" not in history.plain


def test_received_money_is_good_news() -> None:
    bench = start({"phase": "negotiation"})
    for amount, tone in ((5, GOOD), (0, PLAIN), (-5, PLAIN)):
        event = ev.TreasuryChanged("france", amount, 20, "by Treaty")
        assert _seat_line(Narrator(bench.tables), event, bench.state, ("france",)).tone == tone


def test_combat_news_has_the_chosen_losses():
    armies = [army("france", strength) for strength in (3, 1, 1, 1)]
    places = {"tunis": {"markers": [marker("france", "protectorate", False)], "units": armies}}
    seats = ("britain", "france", "germany", "united_states")
    with table_at({"phase": "movement", "areas": places}, seats=seats, seed="1") as table:
        session = LocalSession(table, "france")
        news = NewsTracker(session)
        news.mark_read(session)
        for seat in session.live.players:
            session.take_seat(seat)
            session.act_text("ready")
        session.take_seat("france")
        asked = []
        while choices := [choice for choice in session.live.choices if choice.seat == "france"]:
            asked.append(choices[0].kind)
            session.act_text(f"choose {choices[0].id} {' '.join(default_answer(choices[0]))}")
        text = texts(news.unread(session))
        assert asked == ["fight", "losses"] and "still to be named" not in text
        assert "France loses A3 in the combat for Tunis." in text and "Tunis is won." in text


def test_ended_unrest_of_several_areas_is_one_line():
    with table_at({"phase": "movement"}) as table:
        narrator = Narrator(table.tables, table.state)
        ended = VisibleAct("arbiter", tuple(ev.UnrestEnded(area=area) for area in ("peru", "ecuador", "sokoto")))
        page = changes_since(narrator, "britain", table.state, [ended])
        assert [line.text for line in page.lines()] == ["The Unrest in Peru, Ecuador and Sokoto is over."]
