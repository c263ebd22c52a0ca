"""The second lesson, a War of two cycles: finished by its keys, skipped, and resumed."""

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
from tests.tui.lessons import STRIP_WIDTH, key_names
from tests.tui.playing import press

LESSON = load_lesson(WAR_LESSON)
LOOK = Look(PALETTES["dark"])


def lesson_app() -> PaxApp:
    """Start the program at the second lesson."""
    return PaxApp(settings=Settings(), tutorial=True, lesson=WAR_LESSON)


async def start_lesson(pilot) -> TutorialScreen:
    """Return the lesson at its first step."""
    await pilot.pause()
    await pilot.pause()
    screen = pilot.app.screen
    assert isinstance(screen, TutorialScreen) and screen.step.id == "welcome"
    return screen


def key_groups(keys: list[str]) -> list[list[str]]:
    """Return groups of keys that are pressed at once: the name of a place, or a single key."""
    if keys[0] != "slash":
        return [[key] for key in keys]
    end = keys.index("enter") + 1
    return [keys[:end], *([key] for key in keys[end:])]


def check_war(screen: TutorialScreen) -> None:
    """Check the result of the War of the lesson."""
    session = screen.session
    fought = [e for _, events in session.view.in_force() for e in events if isinstance(e, ev.BattleFought)]
    assert [(b.place, b.result) for b in fought] == [("manchuria", "DR"), ("korea", "DR"), ("korea", "DR")]
    assert set(fought[0].attackers) == {"japan", "britain"}
    live = session.live
    assert (live.turn, live.phase, live.wars) == (8, "movement", ())
    held = {area: [m.power for m in live.areas[area].markers] for area in ("korea", "manchuria", "inner_mongolia")}
    assert held == {"korea": ["japan"], "manchuria": ["japan"], "inner_mongolia": ["russia"]}


# The data


def test_steps_have_valid_rules_and_fit_the_strip():
    known = load_rules()
    assert not [(step.id, rule) for step in LESSON.steps for rule in step.rules if rule not in known]
    assert len({step.id for step in LESSON.steps}) == len(LESSON.steps)
    for step in LESSON.steps:
        for palette in (PALETTES["dark"], PALETTES["dark"].in_ascii()):
            strip = render_prompt(step, 25, 25, key_names(), {}, Look(palette), STRIP_WIDTH)
            lines = strip.wrap(Console(width=STRIP_WIDTH), STRIP_WIDTH)
            assert len(lines) <= 4 and all(line.cell_len <= STRIP_WIDTH for line in lines), step.id
        assert format_lesson_text(step.hint, key_names(), {}, LOOK).cell_len <= STRIP_WIDTH - 2, step.id
        pressed = [body for body, key in split_markup(step.text, key_names().__getitem__, {}) if key]
        assert isinstance(step.done, Read) or (step.hint and pressed), step.id


def test_lesson_covers_the_events_of_a_war():
    happened = {getattr(step.done, "event", "") for step in LESSON.steps}
    assert {"WarDeclared", "UnitsMoved", "BattleFought", "WarDecided", "SpoilsDivided", "WarOver"} <= happened
    opened = {name for step in LESSON.steps if isinstance(step.done, Opened) for name in step.done.screens}
    assert opened == {"DeclareScreen", "AttackScreen", "RetreatScreen", "TreatyScreen", "TermsMap"}


def test_rivals_follow_the_script_and_pass():
    table = new_lesson_table(LESSON)
    session = lesson_session(LESSON, table)
    session.act_text("declare war russia")
    assert {p for side in session.live.wars[0].alliances for p in side} == {"japan", "britain", "russia"}
    for text in ("move a10 korea > manchuria", "pass", "pass"):
        session.act_text(text)
    assert [u.name for u in session.live.areas["manchuria"].units if u.power == "britain"] == ["A3"]
    session.act_text("attack manchuria")
    assert [(c.power, c.kind, c.area) for c in session.live.choices] == [("japan", "retreat", "korea")]


# The whole lesson


async def test_keys_of_the_steps_finish_the_war_lesson(home):
    async with lesson_app().run_test(size=(80, 24)) as pilot:
        screen = await start_lesson(pilot)
        for number, step in enumerate(LESSON.steps):
            assert screen.step.id == step.id
            for some in key_groups(step.keys):
                assert screen.number == number, f"{step.id} was done before {some}"
                await press(pilot, some)
            if isinstance(pilot.app.screen, DeclareScreen):
                # the dialog is above the strip
                box = pilot.app.screen.query_one(".box")
                assert box.region.bottom <= screen.query_one("#lesson").region.y
        assert isinstance(pilot.app.screen, EndOfTutorial)
        check_war(screen)


async def test_skipping_plays_the_war_lesson_and_it_resumes(home):
    async with lesson_app().run_test(size=(120, 40)) as pilot:
        screen = await start_lesson(pilot)
        while screen.step.id != "supply":
            await press(pilot, "f9")
        await press(pilot, "q", "w")
        await pilot.pause()
        again = pilot.app.screen
        assert isinstance(again, TutorialScreen) and again is not screen and again.step.id == "supply"
        while not isinstance(pilot.app.screen, EndOfTutorial):
            await press(pilot, "f9")
        check_war(again)
    assert [path.name for path in (home / "saves").glob("*.jsonl")] == ["tutorial of War.jsonl"]


def test_lessons_resume_separately(home):
    for name in (TURN_LESSON, WAR_LESSON):
        new_tutorial(name=name).session.close()
    # a lesson counts as started from its first visible step
    assert (
        open_tutorial(name=WAR_LESSON).lesson.id == WAR_LESSON
        and open_tutorial(name=TURN_LESSON).lesson.id == TURN_LESSON
    )


# Other acts


def test_steps_that_are_past_are_skipped():
    """A step is past if its Phase is over, or if it needs an event that has not happened."""
    session = lesson_session(LESSON, new_lesson_table(LESSON))
    for text in ("declare war russia", "move a10 korea > manchuria", "pass", "pass"):
        session.act_text(text)
    assert session.live.wars[0].cycle == 1 and session.live.wars[0].turn_of == 1
    past = [step.id for step in LESSON.steps if is_step_past(session, step)]
    assert past == ["step", "embark", "pass", "answered"]
    session.act_text("attack manchuria")
    past = [step.id for step in LESSON.steps if is_step_past(session, step)]
    assert past == ["step", "embark", "pass", "attack", "odds"]
