"""The tutorial: its keys finish each step, texts fit, and other acts are tolerated."""

from __future__ import annotations

import pytest
from rich.console import Console
from textual.screen import Screen
from textual.widgets import OptionList, Static

from paxtui.cli.main import parser
from paxtui.games.pax.actions.actions import Advance
from paxtui.session.local_session import LessonSession
from paxtui.session.pax_host import PaxHost
from paxtui.session.storage.files import FileLocked
from paxtui.session.tables.loader import load_rules, load_tables
from paxtui.tui.app import PaxApp
from paxtui.tui.base.settings import Settings
from paxtui.tui.bindings import KEY_OWNERS
from paxtui.tui.colors import PALETTES
from paxtui.tui.dialogs.reports import ReportScreen
from paxtui.tui.formatting.look import Look
from paxtui.tui.game.screen import GameScreen
from paxtui.tui.reference_screens.reference import RulesScreen
from paxtui.tui.start_screens.new_game import NewGameScreen
from paxtui.tui.start_screens.start import StartScreen
from paxtui.tui.tutorial.lessons import (
    Cursor,
    Filter,
    Happened,
    Opened,
    Read,
    format_lesson_text,
    load_lesson,
    render_prompt,
    split_markup,
)
from paxtui.tui.tutorial.screen import EndOfTutorial, TutorialScreen, new_lesson_table, new_tutorial, open_tutorial
from tests.tui.lessons import STRIP_WIDTH, key_names
from tests.tui.playing import burst, drawn_text, notices, order, press

LESSON = load_lesson()
NUMBER = {step.id: n for n, step in enumerate(LESSON.steps)}
FIGURES = {"treasury": "107", "forecast": "37", "tension": "12", "points": "3"}


def lesson_app(**settings: object) -> PaxApp:
    """Start the program at the tutorial."""
    return PaxApp(settings=Settings(**settings), tutorial=True)  # type: ignore[arg-type]


async def start_lesson(pilot) -> TutorialScreen:
    """Return the tutorial at its first step."""
    await pilot.pause()
    await pilot.pause()
    screen = pilot.app.screen
    assert isinstance(screen, TutorialScreen) and screen.number == 0
    return screen


async def play_to(pilot, step: str) -> TutorialScreen:
    """Play by the keys of the steps up to a step."""
    screen = await start_lesson(pilot)
    for before in LESSON.steps[: NUMBER[step]]:
        await pilot.press(*before.keys)
        await pilot.pause()
    assert screen.step.id == step
    return screen


async def play_to_the_fight(pilot) -> TutorialScreen:
    """Play directly to Colonial Combat in Marocco."""
    screen = await start_lesson(pilot)
    await pilot.press("r")
    for text in ("place protectorate marocco", "build a3", "move a3 a3 a1 a1 a1 home > marocco", "ready"):
        screen.act_text(text)
        assert screen.session.refusal is None
    await pilot.pause()
    assert screen.step.id == "welcome" and screen.session.live.phase == "colonial_combat"
    while screen.step.id != "fight":
        await press(pilot, "f9")
    return screen


# The data


def test_rules_of_steps_are_in_the_catalogue():
    known = load_rules()
    assert not [(step.id, rule) for step in LESSON.steps for rule in step.rules if rule not in known]


def test_conditions_of_steps_name_existing_things():
    from paxtui.games.pax.events import events
    from paxtui.tui.widgets.map_scene import FILTERS

    tables = load_tables()
    # the screens of the program, and those that bind no keys of their own
    kinds = [kind for kind in KEY_OWNERS if issubclass(kind, Screen)]
    screens = {base.__name__ for kind in [*kinds, RulesScreen] for base in kind.__mro__}
    for step in LESSON.steps:
        match step.done:
            case Opened(screens=names):
                assert set(names) <= screens, step.id
            case Cursor(place=place):
                assert place in tables.areas, step.id
            case Filter(name=name):
                assert name in FILTERS, step.id
            case Happened(event=event, area=area):
                assert hasattr(events, event) and (not area or area in tables.areas), step.id


def test_steps_and_ways_have_unique_names():
    assert len(NUMBER) == len(LESSON.steps) and len({way.id for way in LESSON.ways}) == len(LESSON.ways)


@pytest.mark.parametrize("step", LESSON.steps, ids=lambda s: s.id)
@pytest.mark.parametrize("ascii_signs", [False, True], ids=["signs", "ascii"])
def test_texts_have_three_lines_and_hints_one(step, ascii_signs):
    palette = PALETTES["dark"].in_ascii() if ascii_signs else PALETTES["dark"]
    look = Look(palette)
    strip = render_prompt(step, 35, 35, key_names(), FIGURES, look, STRIP_WIDTH)
    lines = strip.wrap(Console(width=STRIP_WIDTH), STRIP_WIDTH)
    assert len(lines) <= 4 and all(line.cell_len <= STRIP_WIDTH for line in lines)
    assert lines[0].plain.endswith("leave") and step.title in lines[0].plain
    assert format_lesson_text(step.hint, key_names(), FIGURES, look).cell_len <= STRIP_WIDTH - 2
    assert not ascii_signs or strip.plain.isascii()


def test_steps_with_a_task_have_a_hint_and_a_key():
    for step in LESSON.steps:
        pressed = [body for body, key in split_markup(step.text, key_names().__getitem__, FIGURES) if key]
        assert isinstance(step.done, Read) or (step.hint and pressed), step.id


def test_scripted_acts_of_rivals_are_legal():
    table = PaxHost.new(load_tables(), [LESSON.seat, *rival_seats()], LESSON.seed, {})
    table.act("arbiter", Advance())
    acts = [act for step in LESSON.steps for act in step.acts]
    assert acts and {act.partition(": ")[0] for act in acts} == set(rival_seats())
    for act in acts:
        seat, _, text = act.partition(": ")
        table.act(seat, text)


def rival_seats() -> list[str]:
    """Return the seats of the rivals."""
    from paxtui.games.pax.position.setup import seats_for

    return [seat for seat in seats_for(7) if seat != LESSON.seat]


# The whole lesson


async def test_keys_of_the_steps_finish_the_lesson(home):
    async with lesson_app().run_test(size=(80, 24)) as pilot:
        screen = await start_lesson(pilot)
        for number, step in enumerate(LESSON.steps):
            assert screen.step.id == step.id
            for key in step.keys:
                assert screen.number == number, f"{step.id} was done before {key}"
                await press(pilot, key)
        assert isinstance(pilot.app.screen, EndOfTutorial)
        britain = screen.session.live.powers["britain"]
        assert (screen.session.live.turn, screen.session.live.phase) == (2, "movement")
        assert britain.victory_points == 3 and screen.session.live.tension > 3
        marocco = screen.session.live.areas["marocco"].markers
        assert ("britain", "protectorate", True) in [(m.power, m.marker, m.established) for m in marocco]


async def test_forecast_step_shows_the_income(home):
    async with lesson_app().run_test(size=(120, 40)) as pilot:
        screen = await play_to(pilot, "forecast")
        assert "37 this turn" in " ".join(strip_text(screen).split())
        assert screen.session.live.powers["britain"].treasury == 0


def strip_text(screen: TutorialScreen) -> str:
    """Return the text of the strip."""
    parts = [screen.query_one(f"#lesson-{part}", Static) for part in ("text", "note")]
    return "\n".join(str(part.render()) for part in parts)


# Other acts


async def test_skipping_plays_the_same_game(home):
    """F9 alone plays the same game as the keys of the steps."""
    async with lesson_app().run_test(size=(120, 40)) as pilot:
        screen = await start_lesson(pilot)
        steps = []
        while not isinstance(pilot.app.screen, EndOfTutorial):
            steps.append(screen.step.id)
            await press(pilot, "f9")
        assert steps == [step.id for step in LESSON.steps]
        live = screen.session.live
        assert (live.turn, live.phase) == (2, "movement") and live.powers["britain"].victory_points == 3
        marocco = [(m.power, m.marker, m.established) for m in live.areas["marocco"].markers]
        assert ("britain", "protectorate", True) in marocco


async def test_different_act_shows_a_hint(home):
    async with lesson_app().run_test(size=(120, 40)) as pilot:
        screen = await play_to(pilot, "influence")
        assert "▸" not in strip_text(screen)
        await order(pilot, "place interest brasil")
        assert [m.power for m in screen.session.live.areas["brasil"].markers] == ["britain"]
        assert screen.step.id == "influence" and "the letter of Place Influence" in strip_text(screen)
        await order(pilot, "place influence egypt")
        assert screen.step.id == "line22" and "▸" not in strip_text(screen)


async def test_many_other_keys_show_a_hint(home):
    async with lesson_app().run_test(size=(120, 40)) as pilot:
        screen = await play_to(pilot, "find")
        await press(pilot, *["left", "right"] * 5)
        assert screen.step.id == "find" and "then the name" in strip_text(screen)


async def test_steps_done_early_are_skipped(home):
    async with lesson_app().run_test(size=(120, 40)) as pilot:
        screen = await play_to(pilot, "influence")
        await order(pilot, "place protectorate marocco")
        await press(pilot, "enter", "b")
        assert screen.step.id == "line22"
        await press(pilot, *LESSON.steps[NUMBER["line22"]].keys, *LESSON.steps[NUMBER["links"]].keys)
        assert screen.step.id == "build"


async def test_undone_marker_does_not_count(home):
    async with lesson_app().run_test(size=(120, 40)) as pilot:
        screen = await play_to(pilot, "links")
        await press(pilot, "u")
        assert screen.step.id == "links" and not screen.session.live.areas["egypt"].markers
        await press(pilot, "f8")
        assert screen.step.id == "line22" and "Already done" in strip_text(screen)
        await press(pilot, "space")
        assert screen.step.id == "links"


async def test_early_ready_continues_with_the_next_phase(home):
    async with lesson_app().run_test(size=(120, 40)) as pilot:
        screen = await play_to(pilot, "influence")
        await press(pilot, "r")
        assert screen.session.live.phase == "negotiation"
        assert screen.step.id == "adjust"


async def test_declined_fight_skips_its_steps(home):
    async with lesson_app().run_test(size=(120, 40)) as pilot:
        screen = await play_to_the_fight(pilot)
        await order(pilot, "decline marocco")
        assert screen.step.id == "adjust"
        assert not [m for m in screen.session.live.areas["marocco"].markers if m.power == "britain"]


async def test_seat_stays_and_past_is_named(home):
    async with lesson_app().run_test(size=(120, 40)) as pilot:
        screen = await play_to(pilot, "build")
        await press(pilot, "s")
        assert screen.session.seat == "britain" and "No other player is at this keyboard." in notices(pilot.app)
        await press(pilot, "left_square_bracket")
        assert "looking at the past" in strip_text(screen)
        await press(pilot, "end")
        assert "looking at the past" not in strip_text(screen) and screen.step.id == "build"


async def test_dice_can_be_undone_and_rolled_again(home):
    async with lesson_app().run_test(size=(120, 40)) as pilot:
        screen = await play_to(pilot, "treasury")
        await press(pilot, "colon", *"undo", "enter")
        screen.session._game.undo("arbiter", 1)
        screen.view.draw()
        await pilot.pause()
        assert screen.session.live.phase == "random_events" and screen.step.id == "treasury"
        await press(pilot, "r")
        assert screen.session.live.phase == "movement"
        await press(pilot, "space")
        assert screen.step.id == "influence"


async def test_texts_name_keys_of_the_player(home):
    (home / "keymap.toml").write_text('"game.ready" = "f12"\n')
    async with PaxApp(tutorial=True).run_test(size=(120, 40)) as pilot:
        screen = await play_to(pilot, "dice")
        assert "F12 rolls" in " ".join(strip_text(screen).split())
        await press(pilot, "f12")
        assert screen.step.id == "rolled"


# Before and after


async def test_start_screen_opens_the_tutorial(home):
    async with PaxApp(settings=Settings()).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        rows = pilot.app.screen.query_one(OptionList)
        rows.highlighted = rows.get_option_index("learn")
        await press(pilot, "enter")
        await start_lesson(pilot)
        await press(pilot, "q")
        assert isinstance(pilot.app.screen, StartScreen)
        await press(pilot, "l")
        await start_lesson(pilot)


def test_command_takes_no_arguments():
    assert parser("tutorial").parse_args(["tutorial"]).command == "tutorial"


def test_tutorial_overwrites_no_game(home):
    saves = home / "saves"
    first = new_tutorial()
    first.session._game.advance()
    first.session.close()
    before = (saves / "tutorial.jsonl").read_bytes()
    second = new_tutorial()
    assert second.session.version == 2 and second.session.seat == "britain"
    second.session.close()
    # a file of an earlier version, or one that is not a log, is not overwritten either
    (saves / "tutorial 2.jsonl").write_bytes(b"no log at all\n")
    third = open_tutorial()
    third.session.close()
    assert sorted(path.name for path in saves.glob("*.jsonl")) == [
        "tutorial 2.jsonl", "tutorial 3.jsonl", "tutorial.jsonl"
    ]  # fmt: skip
    assert (saves / "tutorial.jsonl").read_bytes() == before
    assert (saves / "tutorial 2.jsonl").read_bytes() == b"no log at all\n"


async def test_tutorial_resumes(home):
    async with lesson_app().run_test(size=(120, 40)) as pilot:
        screen = await play_to(pilot, "protectorate")
        with pytest.raises(FileLocked):
            open_tutorial()
        line = screen.session.version
        await press(pilot, "q", "l")
        again = pilot.app.screen
        await pilot.pause()
        assert isinstance(again, TutorialScreen) and again is not screen
        assert again.step.id == "protectorate" and again.session.version == line
        await press(pilot, "q")
        rows = pilot.app.screen.query_one(OptionList)
        rows.highlighted = rows.get_option_index("game0")
        await press(pilot, "enter")
        await pilot.pause()
        assert pilot.app.screen.step.id == "protectorate"
    assert len(list((home / "saves").glob("*.jsonl"))) == 1


async def test_finished_tutorial_is_a_normal_game(home):
    async with lesson_app().run_test(size=(120, 40)) as pilot:
        await skip_to_the_end(pilot)
        await press(pilot, "escape", "q")
        rows = pilot.app.screen.query_one(OptionList)
        rows.highlighted = rows.get_option_index("game0")
        await press(pilot, "enter")
        assert type(pilot.app.screen) is ReportScreen, "a report shows what happened since the last act"
        await press(pilot, "escape")
        assert type(pilot.app.screen) is GameScreen
        await press(pilot, "q", "l")
        await start_lesson(pilot)
    assert len(list((home / "saves").glob("*.jsonl"))) == 2


async def skip_to_the_end(pilot) -> TutorialScreen:
    """Skip to the last page; only dice and ends of Phases are played."""
    screen = await start_lesson(pilot)
    await press(pilot, "r", "r", "y", "r", "y")  # the first key of a Phase asks if it is `r`
    left = len(LESSON.steps) - screen.number
    await burst(pilot, *["f9"] * left)  # step by step in `test_skipping_plays_the_same_game`
    assert isinstance(pilot.app.screen, EndOfTutorial)
    return screen


async def test_rivals_move_after_the_lesson(home):
    async with lesson_app().run_test(size=(120, 40)) as pilot:
        screen = await skip_to_the_end(pilot)
        assert not moved_since(screen, 1)
        await press(pilot, "enter")
        assert pilot.app.screen is screen and screen.over and not screen.query_one("#lesson").display
        live = screen.session.live
        assert (live.turn, live.phase) == (2, "movement") and "britain" in screen.session.waiting()
        assert len(moved_since(screen, 1)) > 2
        line = screen.session.version
        await press(pilot, "h", "r")
        # the rivals went on, so the person may act again
        assert screen.session.live.phase == "movement" and moved_since(screen, line)
        await press(pilot, "r")
        assert screen.session.live.phase != "movement"
        while screen.session.live.turn == 2:
            at = screen.session.version
            await press(pilot, *("c", "d") if screen.session.live.choices else ("h", "r"))
            assert screen.session.version > at
        assert screen.session.live.phase == "movement" and len(moved_since(screen, line)) > 2


def moved_since(screen: TutorialScreen, line: int) -> set[str]:
    """Return the rivals that have placed, built or moved after a line."""
    done = [act for act in screen.session._game.game.effective_lines() if act.n > line and act.seat in rival_seats()]
    return {act.seat for act in done if act.action["type"] in ("place", "build", "move", "upgrade", "merchant")}


def way_index(pilot, way: str) -> int:
    """Return the row of a suggestion on the last page."""
    return [one.id for one in pilot.app.screen._lesson.ways].index(way)


@pytest.mark.parametrize(("way", "there"), [("new", NewGameScreen), ("rules", RulesScreen), ("leave", StartScreen)])
async def test_ways_of_the_last_page(home, way, there):
    async with lesson_app().run_test(size=(120, 40)) as pilot:
        await skip_to_the_end(pilot)
        rows = pilot.app.screen.query_one("#ways", OptionList)
        rows.highlighted = way_index(pilot, way)
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, there)


async def test_tutorial_can_be_played_again(home):
    async with lesson_app().run_test(size=(120, 40)) as pilot:
        first = await skip_to_the_end(pilot)
        rows = pilot.app.screen.query_one("#ways", OptionList)
        rows.highlighted = way_index(pilot, "again")
        await press(pilot, "enter")
        assert await start_lesson(pilot) is not first


# The rivals


def test_rivals_only_pass_during_the_lesson():
    table = new_lesson_table(LESSON)
    session = LessonSession(table, "britain")
    assert session.advance() and session.waiting() == ("britain",) and not table.state.ready
    session.act_text("ready")
    assert table.state.phase == "negotiation" and not table.state.ready
    events = session.act_text("ready")
    assert (table.state.turn, table.state.phase) == (2, "movement") and not table.state.ready
    assert "TurnBegan" in {type(event).__name__ for event in events}
    acts = [line.action["type"] for line in table.game.effective_lines() if line.seat in rival_seats()]
    assert acts and not {"place", "build", "move", "merchant"} & set(acts)
    session.end_lesson()
    acts = [line.action["type"] for line in table.game.effective_lines() if line.seat in rival_seats()]
    assert {"place", "build"} & set(acts)


def test_script_skips_illegal_acts():
    table = new_lesson_table(LESSON)
    table.advance()
    LessonSession(table, "britain").play_script(["france: place protectorate siam", "france: place influence siam"])
    assert [m.marker for m in table.state.areas["siam"].markers] == ["influence"]


def test_event_is_matched_by_power_place_and_marker():
    screen_table = PaxHost.new(load_tables(), [LESSON.seat, *rival_seats()], LESSON.seed, {}, undo="free")
    screen_table.advance()
    from paxtui.session.local_session import LocalSession
    from paxtui.tui.tutorial.lessons import has_happened

    session = LocalSession(screen_table)
    wanted = Happened(event="MarkerPlaced", power="britain", area="egypt", marker="influence")
    for seat, text in (("france", "place influence egypt"), ("britain", "place influence persia")):
        screen_table.act(seat, text)
    screen_table.act("britain", "place interest egypt")
    assert not has_happened(session, wanted)
    screen_table.act("britain", "upgrade influence egypt")
    assert has_happened(session, wanted)
    screen_table.undo("britain")
    assert not has_happened(session, wanted)


# Pictures


@pytest.mark.parametrize(
    ("step", "size"), [("influence", (80, 24)), ("result", (120, 40))], ids=["influence-80x24", "result-120x40"]
)
def test_tutorial_look(home, compare_screen, size, step):
    async def before(pilot) -> None:
        if step == "result":
            screen = await play_to_the_fight(pilot)
            await press(pilot, "c", "enter")
            assert screen.step.id == "result"
        else:
            await play_to(pilot, step)

    assert compare_screen(lesson_app(), terminal_size=size, run_before=before)


def test_last_page_look(home, compare_screen):
    async def before(pilot) -> None:
        await skip_to_the_end(pilot)

    assert compare_screen(lesson_app(), terminal_size=(80, 24), run_before=before)


async def test_tutorial_is_offered_once(home) -> None:
    for offers in (True, False):
        app = PaxApp()
        async with app.run_test(size=(100, 30)) as pilot:
            await pilot.pause()
            assert ("New here? l opens the tutorial" in drawn_text(app, "#about")) is offers
            await pilot.press("q")
