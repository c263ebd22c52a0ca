"""Lines of the log are whole sentences, also for events in which a field is empty."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from paxtui.games.empires.events.base import Answered, Ended, Event, Posted
from paxtui.games.empires.events.land import BattleOver, CorpsStrength, Divided, LeaderMoved, OutflankAnnounced, Siege
from paxtui.games.empires.events.registry import SECRET_QUESTIONS
from paxtui.games.empires.narration import (
    answer_text,
    describe_answer,
    describe_event,
    describe_question,
    position_heading,
    posting_lines,
)
from paxtui.games.empires.pieces import Attack, Campaign, Factors
from paxtui.games.empires.state import Question, Result
from tests.empires.land import CAMPAIGN, DANUBE, ULM, corps, depot, field, guard
from tests.empires.scripted_game import start_game


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (Divided(side="", around=()), ""),
        (CorpsStrength(corps="guard", factors=Factors(guard=3), why="guard"), "{guard} now has 3 guard (guard)."),
        (LeaderMoved(leader="mack_von_leiberich", where="munich"), "Mack von Leiberich goes to Munich."),
        (Divided(side="attacker", around=("iii",)), "The attacker sends {iii} around the flank."),
        (OutflankAnnounced(sides=()), "No side outflanks."),
        (BattleOver(area="munich", winner="", why="night"), "The combat in Munich ends without a winner (night)."),
        (BattleOver(area="munich", winner="france", why="broken"), "France wins the combat in Munich (broken)."),
        (Ended(winners=("france",), reason="Peace."), "The exercise is over. Peace. Won by France."),
        (Ended(winners=("france", "austria"), reason="Peace."), "The exercise is over. Peace. A draw."),
        (Posted(power="france", what="money", amount=-8, reason="supply"), "France pays $8: supply."),
        (Posted(power="france", what="money", amount=10, reason="a gift"), "France receives $10: a gift."),
        (Siege(area="munich", power=""), "The siege of Munich is over."),
        (Siege(area="munich", power="france"), "France besieges Munich."),
        (LeaderMoved(leader="napoleon", where=""), "Napoleon leaves the map."),
    ],
)
def test_a_line_is_a_sentence_of_its_own(event: Event, line: str) -> None:
    assert describe_event(DANUBE, event) == line.format(**DANUBE.corps_names)


@pytest.mark.parametrize(
    ("question", "line"),
    [
        (
            Question(power="france", kind="divide", choices=(), about=("attacker", "munich")),
            "which corps go around the flank in Munich",
        ),
        (Question(power="france", kind="divide", choices=()), "which corps go around the flank"),
        (Question(power="france", kind="moves_first", choices=()), "which Power moves first"),
        (
            Question(power="france", kind="call", choices=(), about=("austria", "france")),
            "whether to join Austria against France",
        ),
    ],
)
def test_a_question_ends_a_sentence_also_for_seats_that_do_not_know_what_it_is_about(
    question: Question, line: str
) -> None:
    assert describe_question(DANUBE, question) == line


def test_every_secret_question_has_words_for_other_seats() -> None:
    for kind in SECRET_QUESTIONS:
        words = describe_question(DANUBE, Question(power="france", kind=kind, choices=()))
        assert words.startswith(("whether ", "which ", "who ")), kind


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        ("Lombardy is held at the end", "Milan is held at the end"),
        ("field combat won in Bohemia", "field combat won in Prague"),
        ("field combat lost in Black Forest", "field combat lost in Freiburg"),
        ("supply", "supply"),
    ],
)
def test_points_name_cities_as_the_map_does(reason: str, told: str) -> None:
    posted = Posted(power="france", what="points", amount=2, reason=reason)
    assert describe_event(CAMPAIGN, posted) == f"France: +2 points, {told}."
    state = posted.evolve(start_game(CAMPAIGN).state)
    assert [*posting_lines(CAMPAIGN, state)][-1] == f"France +2 {told}"


def test_the_heading_after_the_end_is_title_and_month() -> None:
    state = replace(start_game(CAMPAIGN).state, result=Result(("france",), "Peace."))
    assert position_heading(CAMPAIGN, state, short=True) == "1805: Ulm to Austerlitz: September 1805"


def test_log_names_the_corps_that_go_into_a_city() -> None:
    asked = Question(power="austria", kind="occupy", choices=("nobody", "jellacic:3"), about=("ulm",))
    told = describe_answer(CAMPAIGN, asked, Answered(power="austria", choice="jellacic:3"))
    assert told.endswith(f"who goes into the city of Ulm: 3 factors of {CAMPAIGN.corps_names['jellacic']}.")


@pytest.mark.parametrize("relief", [False, True])
def test_answers_about_a_sortie_describe_their_results(relief: bool) -> None:
    """Rules: EIA 7.5.4.2"""
    coming = (Attack("ulm", ("russia",), ("france",)),) if relief else ()
    pieces = (corps("i", "france", "ulm"), corps("m", "austria", "ulm", 7, inside=True), guard("ulm", "austria"))
    game = field(*pieces, on=ULM, campaign=Campaign(sieges={"ulm": "france"}, attacks=coming))
    asked = Question(power="austria", kind="sortie", choices=("no", "yes"), about=("ulm",))
    state = replace(game.state, questions=(asked,), campaign=replace(game.state.campaign, attacks=coming))
    stay, attack = (answer_text(CAMPAIGN, state, choice) for choice in asked.choices)
    assert ("the army of Russia that relieves the city fights alone" in stay) is relief
    assert ("join the army of Russia" if relief else "attack the besiegers (1 corps)") in attack
    assert "with 1 corps (7 factors)" in attack and "may return into the city" in attack


def test_retreat_areas_are_described_with_the_forces_in_them() -> None:
    """Rules: EIA 7.5.2.10.3"""
    pieces = (corps("m", "austria", "augsburg"), corps("i", "france", "munich"), depot("munich", "france"))
    asked = Question(power="austria", kind="field_retreat", choices=("augsburg", "swabia"), about=("black_forest",))
    state = replace(field(*pieces, on=ULM).state, questions=(asked,))
    assert answer_text(CAMPAIGN, state, "augsburg") == (
        "Augsburg: 1 corps of yours, out of supply, 1 enemy corps adjacent"
    )


def test_answer_that_leaves_a_combat_mentions_that_no_side_wins() -> None:
    asked = Question(power="france", kind="end_of_day", choices=("fight", "leave"), about=("attacker", "ulm"))
    state = replace(field(depot("ulm", "france"), on=ULM).state, questions=(asked,))
    assert "nobody wins" in answer_text(CAMPAIGN, state, "leave")
    assert "another day" in answer_text(CAMPAIGN, state, "fight")
