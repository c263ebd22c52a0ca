"""The second lesson: a War of two cycles, done by its own keys, skipped, left and gone on with."""

from __future__ import annotations

from rich.console import Console

from paxtui.games.pax.events import events as ev
from paxtui.session.storage.saved_games import TURN_LESSON, WAR_LESSON
from paxtui.session.tables.loader import load_rules
from paxtui.tui.app import PaxApp
from paxtui.tui.base.settings import Settings
from paxtui.tui.colors import PALETTES
from paxtui.tui.dialogs.war import DeclareScreen
from paxtui.tui.formatting.look import Look
from paxtui.tui.tutorial.lessons import (
    Opened,
    Read,
    format_lesson_text,
    is_step_past,
    load_lesson,
    render_prompt,
    split_markup,
)
from paxtui.tui.tutorial.screen import (
    EndOfTutorial,
    TutorialScreen,
    lesson_session,
    new_lesson_table,
    new_tutorial,
    open_tutorial,
)
from tests.tui.lessons import STRIP, keys
from tests.tui.playing import press

LESSON = load_lesson(WAR_LESSON)
LOOK = Look(PALETTES["dark"])


def learning() -> PaxApp:
    """The program at the second lesson."""
    return PaxApp(settings=Settings(), tutorial=True, lesson=WAR_LESSON)


async def tutor(pilot) -> TutorialScreen:
    """The lesson, when its first step is on show."""
    await pilot.pause()
    await pilot.pause()
    screen = pilot.app.screen
    assert isinstance(screen, TutorialScreen) and screen.step.id == "welcome"
    return screen


def grouped(keys: list[str]) -> list[list[str]]:
    """Keys as they are pressed: a name to be found in one go, everything else by itself."""
    if keys[0] != "slash":
        return [[key] for key in keys]
    end = keys.index("enter") + 1
    return [keys[:end], *([key] for key in keys[end:])]


def as_it_should_be(screen: TutorialScreen) -> None:
    """What has come of the War, whoever has pressed the keys."""
    session = screen.session
    fought = [e for _, events in session.view.in_force() for e in events if isinstance(e, ev.BattleFought)]
    assert [(b.place, b.result) for b in fought] == [("manchuria", "DR"), ("korea", "DR"), ("korea", "DR")]
    assert set(fought[0].attackers) == {"japan", "britain"}
    live = session.live
    assert (live.turn, live.phase, live.wars) == (8, "movement", ())
    held = {area: [m.power for m in live.areas[area].markers] for area in ("korea", "manchuria", "inner_mongolia")}
    assert held == {"korea": ["japan"], "manchuria": ["japan"], "inner_mongolia": ["russia"]}


# --- the data ---------------------------------------------------------------------------------------------------------


def test_every_step_has_its_rules_and_fits_the_strip():
    known = load_rules()
    assert not [(step.id, rule) for step in LESSON.steps for rule in step.rules if rule not in known]
    assert len({step.id for step in LESSON.steps}) == len(LESSON.steps)
    for step in LESSON.steps:
        for palette in (PALETTES["dark"], PALETTES["dark"].in_ascii()):
            strip = render_prompt(step, 25, 25, keys(), {}, Look(palette), STRIP)
            lines = strip.wrap(Console(width=STRIP), STRIP)
            assert len(lines) <= 4 and all(line.cell_len <= STRIP for line in lines), step.id
        assert format_lesson_text(step.hint, keys(), {}, LOOK).cell_len <= STRIP - 2, step.id
        pressed = [body for body, key in split_markup(step.text, keys().__getitem__, {}) if key]
        assert isinstance(step.done, Read) or (step.hint and pressed), step.id


def test_it_teaches_what_a_war_is_made_of():
    happened = {getattr(step.done, "event", "") for step in LESSON.steps}
    assert {"WarDeclared", "UnitsMoved", "BattleFought", "WarDecided", "SpoilsDivided", "WarOver"} <= happened
    opened = {name for step in LESSON.steps if isinstance(step.done, Opened) for name in step.done.screens}
    assert opened == {"DeclareScreen", "AttackScreen", "RetreatScreen", "TreatyScreen", "TermsMap"}


def test_the_others_do_what_the_lesson_says_and_pass():
    table = new_lesson_table(LESSON)
    session = lesson_session(LESSON, table)
    session.act_text("declare war russia")
    assert {p for side in session.live.wars[0].alliances for p in side} == {"japan", "britain", "russia"}
    for text in ("move a10 korea > manchuria", "pass", "pass"):
        session.act_text(text)
    assert [u.name for u in session.live.areas["manchuria"].units if u.power == "britain"] == ["A3"]
    session.act_text("attack manchuria")
    assert [(c.power, c.kind, c.area) for c in session.live.choices] == [("japan", "retreat", "korea")]


# --- the whole of it --------------------------------------------------------------------------------------------------


async def test_every_step_is_done_by_its_own_keys_and_not_before(home):
    async with learning().run_test(size=(80, 24)) as pilot:
        screen = await tutor(pilot)
        for number, step in enumerate(LESSON.steps):
            assert screen.step.id == step.id
            for some in grouped(step.keys):
                assert screen.number == number, f"{step.id} was done before {some}"
                await press(pilot, some)
            if isinstance(pilot.app.screen, DeclareScreen):
                # a box stands above the strip that speaks of it
                box = pilot.app.screen.query_one(".box")
                assert box.region.bottom <= screen.query_one("#lesson").region.y
        assert isinstance(pilot.app.screen, EndOfTutorial)
        as_it_should_be(screen)


async def test_a_step_that_is_skipped_is_played_and_a_lesson_goes_on_where_it_was_left(home):
    async with learning().run_test(size=(120, 40)) as pilot:
        screen = await tutor(pilot)
        while screen.step.id != "supply":
            await press(pilot, "f9")
        await press(pilot, "q", "w")
        await pilot.pause()
        again = pilot.app.screen
        assert isinstance(again, TutorialScreen) and again is not screen and again.step.id == "supply"
        while not isinstance(pilot.app.screen, EndOfTutorial):
            await press(pilot, "f9")
        as_it_should_be(again)
    assert [path.name for path in (home / "saves").glob("*.jsonl")] == ["tutorial of War.jsonl"]


def test_the_lessons_are_gone_on_with_each_by_itself(home):
    for name in (TURN_LESSON, WAR_LESSON):
        new_tutorial(name=name).session.close()
    # a lesson counts as under way from its first step on show
    assert (
        open_tutorial(name=WAR_LESSON).lesson.id == WAR_LESSON
        and open_tutorial(name=TURN_LESSON).lesson.id == TURN_LESSON
    )


# --- whoever does something else --------------------------------------------------------------------------------------


def test_whoever_goes_his_own_way_is_not_asked_for_what_is_over():
    """Passed by is what belongs to a Phase that is over, or needs what has not happened."""
    session = lesson_session(LESSON, new_lesson_table(LESSON))
    for text in ("declare war russia", "move a10 korea > manchuria", "pass", "pass"):
        session.act_text(text)
    assert session.live.wars[0].cycle == 1 and session.live.wars[0].turn_of == 1
    gone = [step.id for step in LESSON.steps if is_step_past(session, step)]
    assert gone == ["step", "embark", "pass", "answered"]
    session.act_text("attack manchuria")
    gone = [step.id for step in LESSON.steps if is_step_past(session, step)]
    assert gone == ["step", "embark", "pass", "attack", "odds"]
