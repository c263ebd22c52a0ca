"""What each answer to a question of War would bring: the same as it brings when it is given."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.narration.narrator import BAD, GOOD
from paxtui.games.pax.preview import war_answers
from paxtui.games.pax.preview.dry_run import Outcome
from paxtui.games.pax.preview.preview import Preview, preview_action
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.questions import Announce, Call, Cessions, EndWaiver, Invitation, Pending
from tests.pax.reports.asked import asked_in
from tests.rules.harness import start
from tests.tui.wars import CALLED


def lines(found: Outcome) -> list[str]:
    """Its sentences."""
    return [line.text for line in found.lines]


def test_an_invitation_tells_sides_tension_and_the_great_war_with_its_blame():
    tables, state, choice = asked_in("ottoman-war-0.2.0", Invitation)
    join, stay = (war_answers.preview_answer(tables, state, choice, text) for text in ("join italy", "stay out"))
    assert "The War would be the Ottoman Empire and Russia against Italy and France." in lines(join)
    assert join.state.tension == state.tension + 5
    assert lines(stay) == ["Nothing changes."]


def test_the_list_of_cessions_tells_markers_resentment_garrisons_and_who_must_sign():
    tables, state, choice = asked_in("rebellion-won-0.2.0", Cessions)
    sign, reject = (war_answers.preview_answer(tables, state, choice, text) for text in ("sign", "reject"))
    own = next(row for row in choice.about.cessions if row[0] == choice.power)
    assert set(sign.areas) == {area for _, area, _ in choice.about.cessions}
    assert any(line.tone == GOOD and "gets a Protectorate in" in line.text for line in sign.lines)
    assert "Chinese Resentment rises by 40 to 40." in lines(sign), "once, and not Area by Area"
    assert any(line.startswith("Only if") and line.endswith("sign too.") for line in lines(sign))
    assert own[0] in [m.power for m in sign.state.areas[own[1]].markers]
    assert not reject.areas and any(line.tone == BAD for line in reject.lines)


def test_formosa_tells_which_markers_go():
    tables, state, choice = asked_in("whole-game-0.2.0", Announce)
    told = war_answers.preview_answer(tables, state, choice, "announce end")
    assert any(line.tone == BAD and "United States loses its Interest in Shan-Tung" in line.text for line in told.lines)
    assert told.areas == ("shan_tung",) and "Chinese Resentment goes back to 0." not in lines(told)[:1]
    assert not war_answers.preview_answer(tables, state, choice, "go on").areas


def test_the_end_of_a_war_tells_what_is_divided_and_that_one_is_enough_to_go_on():
    tables, state, choice = asked_in("russo-japanese-0.2.0", EndWaiver)
    end, on = (war_answers.preview_answer(tables, state, choice, text) for text in ("end", "go on"))
    assert any("Victory for Japan" in line for line in lines(end))
    assert any(line.startswith("Japan then divides") for line in lines(end)), lines(end)
    assert lines(on) == ["One belligerent is enough: the War continues with another cycle."]


def called(public: bool = True) -> tuple[Tables, State, Pending]:
    """France is called against Germany by its defensive Treaty with Russia."""
    (treaty,) = CALLED["treaties"]
    g = start({**CALLED, "treaties": [{**treaty, "public": public}]})
    g.act("germany", "declare war russia")
    (choice,) = (c for c in g.state.choices if isinstance(c.about, Call) and c.power == "france")
    return g.tables, g.state, choice


def test_a_call_tells_who_would_come_and_what_staying_away_breaks():
    tables, state, choice = called()
    come, stay = (war_answers.preview_answer(tables, state, choice, text) for text in choice.options)
    assert any("France declares War on Germany" in line or "France is called" in line for line in lines(come))
    assert any(line.tone == BAD and "France would break 'Kronstadt'" in line.text for line in stay.lines)


def test_who_stays_away_from_a_hidden_call_is_told_what_that_costs_once_it_is_known():
    tables, state, choice = called(public=False)
    stay = war_answers.preview_answer(tables, state, choice, "refuse")
    assert "France would break 'Kronstadt': a Casus Belli once it is revealed for the others." in lines(stay)
    assert stay.state.tension == state.tension, "nobody knows of it, so it raises none"


@pytest.mark.parametrize(("name", "kind"), [("rebellion-won-0.2.0", Cessions), ("russo-japanese-0.2.0", EndWaiver)])
def test_programs_are_reported_the_same(name, kind):
    tables, state, choice = asked_in(name, kind)
    text = str(choice.options[0])
    seen = preview_action(tables, state, choice.seat, actions.Choose(choice.id, (text,)))
    assert isinstance(seen, Preview)
    assert [line.text for line in seen.answer] == lines(war_answers.preview_answer(tables, state, choice, text))


def test_dice_are_never_foretold():
    tables, state, choice = asked_in("russo-japanese-0.2.0", EndWaiver)
    then = war_answers.preview_answer(tables, state, choice, "go on").state
    assert all(war.stage == "end" or not war.order for war in then.wars), "the next initiative has not been rolled"


def test_only_who_is_asked_the_same_in_the_same_war_is_taken_to_consent() -> None:
    position = start().state
    first, second = (Announce(war=war) for war in ("w1", "w2"))
    asked = [
        Pending(str(n), "france", "france", about, ("agree",), "agree")
        for n, about in enumerate((first, first, second, EndWaiver(war="w1"), Invitation()))
    ]
    found = war_answers._same_questions(replace(position, choices=tuple(asked)), asked[0])
    assert [choice.id for choice in found] == ["0", "1"]
