"""Previews of the answers to questions of War."""

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
from tests.pax.reports.saved_questions import saved_question
from tests.rules.harness import start
from tests.tui.wars import CALL_FOR_AID


def lines(found: Outcome) -> list[str]:
    """The sentences of a preview."""
    return [line.text for line in found.lines]


def test_preview_of_an_invitation():
    tables, state, choice = saved_question("ottoman-war-0.2.0", Invitation)
    join, stay = (war_answers.preview_answer(tables, state, choice, text) for text in ("join italy", "stay out"))
    assert "The War would be the Ottoman Empire and Russia against Italy and France." in lines(join)
    assert join.state.tension == state.tension + 5
    assert lines(stay) == ["Nothing changes."]


def test_preview_of_cessions():
    tables, state, choice = saved_question("rebellion-won-0.2.0", Cessions)
    sign, reject = (war_answers.preview_answer(tables, state, choice, text) for text in ("sign", "reject"))
    own = next(row for row in choice.about.cessions if row[0] == choice.power)
    assert set(sign.areas) == {area for _, area, _ in choice.about.cessions}
    assert any(line.tone == GOOD and "gets a Protectorate in" in line.text for line in sign.lines)
    assert "Chinese Resentment rises by 40 to 40." in lines(sign), "once, and not Area by Area"
    assert any(line.startswith("Only if") and line.endswith("sign too.") for line in lines(sign))
    assert own[0] in [m.power for m in sign.state.areas[own[1]].markers]
    assert not reject.areas and any(line.tone == BAD for line in reject.lines)


def test_preview_of_ending_a_rebellion_in_formosa():
    tables, state, choice = saved_question("whole-game-0.2.0", Announce)
    preview = war_answers.preview_answer(tables, state, choice, "announce end")
    assert any(
        line.tone == BAD and "United States loses its Interest in Shan-Tung" in line.text for line in preview.lines
    )
    assert preview.areas == ("shan_tung",) and "Chinese Resentment goes back to 0." not in lines(preview)[:1]
    assert not war_answers.preview_answer(tables, state, choice, "go on").areas


def test_preview_of_ending_a_war():
    tables, state, choice = saved_question("russo-japanese-0.2.0", EndWaiver)
    end, on = (war_answers.preview_answer(tables, state, choice, text) for text in ("end", "go on"))
    assert any("Victory for Japan" in line for line in lines(end))
    assert any(line.startswith("Japan then divides") for line in lines(end)), lines(end)
    assert lines(on) == ["One belligerent is enough: the War continues with another cycle."]


def called(public: bool = True) -> tuple[Tables, State, Pending]:
    """France is called against Germany by its defensive Treaty with Russia."""
    (treaty,) = CALL_FOR_AID["treaties"]
    g = start({**CALL_FOR_AID, "treaties": [{**treaty, "public": public}]})
    g.act("germany", "declare war russia")
    (choice,) = (c for c in g.state.choices if isinstance(c.about, Call) and c.power == "france")
    return g.tables, g.state, choice


def test_preview_of_a_call():
    tables, state, choice = called()
    come, stay = (war_answers.preview_answer(tables, state, choice, text) for text in choice.options)
    assert any("France declares War on Germany" in line or "France is called" in line for line in lines(come))
    assert any(line.tone == BAD and "France would break 'Kronstadt'" in line.text for line in stay.lines)


def test_preview_of_refusing_a_hidden_call():
    tables, state, choice = called(public=False)
    stay = war_answers.preview_answer(tables, state, choice, "refuse")
    assert "France would break 'Kronstadt': a Casus Belli once it is revealed for the others." in lines(stay)
    assert stay.state.tension == state.tension, "it is secret, so it raises no tension"


@pytest.mark.parametrize(("name", "kind"), [("rebellion-won-0.2.0", Cessions), ("russo-japanese-0.2.0", EndWaiver)])
def test_action_preview_has_the_answer_preview(name, kind):
    tables, state, choice = saved_question(name, kind)
    text = str(choice.options[0])
    seen = preview_action(tables, state, choice.seat, actions.Choose(choice.id, (text,)))
    assert isinstance(seen, Preview)
    assert [line.text for line in seen.answer] == lines(war_answers.preview_answer(tables, state, choice, text))


def test_preview_does_not_use_dice():
    tables, state, choice = saved_question("russo-japanese-0.2.0", EndWaiver)
    then = war_answers.preview_answer(tables, state, choice, "go on").state
    assert all(war.stage == "end" or not war.order for war in then.wars), "the next initiative has not been rolled"


def test_preview_assumes_consent_for_the_same_question_only() -> None:
    position = start().state
    first, second = (Announce(war=war) for war in ("w1", "w2"))
    asked = [
        Pending(str(n), "france", "france", about, ("agree",), "agree")
        for n, about in enumerate((first, first, second, EndWaiver(war="w1"), Invitation()))
    ]
    found = war_answers._same_questions(replace(position, choices=tuple(asked)), asked[0])
    assert [choice.id for choice in found] == ["0", "1"]
