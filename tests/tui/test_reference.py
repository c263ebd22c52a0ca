"""The rule reference and the glossary: search, links, and the way to the game and back."""

from __future__ import annotations

import pytest
from textual.widgets import Input, OptionList, Static

from paxtui.games.pax.position.setup import seats_for
from paxtui.session.pax_host import PaxHost
from paxtui.session.place_menu import place_menu
from paxtui.session.reference import load_remedies, related_rules
from paxtui.session.tables.loader import load_rules, load_tables
from paxtui.tui.app import PaxApp
from paxtui.tui.base.screen import PlainText
from paxtui.tui.base.settings import Settings
from paxtui.tui.colors import PALETTES
from paxtui.tui.dialogs.area_menu import AreaMenu
from paxtui.tui.formatting.look import Look
from paxtui.tui.game.screen import GameScreen
from paxtui.tui.reference_screens.log import LogScreen
from paxtui.tui.reference_screens.record import RecordScreen
from paxtui.tui.reference_screens.reference import (
    LINE,
    ORDER,
    RULE,
    TERM,
    GlossaryScreen,
    ReferenceScreen,
    RulesScreen,
    find_page,
)
from paxtui.tui.start_screens.start import StartScreen
from tests.tui.playing import SIZES, order, press, rows

LOOK = Look(PALETTES["dark"])


def link_targets(reader: ReferenceScreen) -> list[str]:
    """Return the targets of the links of the current page."""
    return [link.to for link in reader._links if link.to]


def part_text(reader: ReferenceScreen, selector: str) -> str:
    """Return the text of a part of the screen."""
    return str(reader.query_one(selector, Static).render())


# Searching and following


async def test_rules_are_found_by_id_and_words(fresh):
    async with fresh.run_test(size=(120, 40)) as pilot:
        rules = await press(pilot, "f2")
        assert isinstance(rules, RulesScreen) and isinstance(rules.focused, Input)
        await press(pilot, *"garrison")
        about = {RULE + id_ for id_, rule in load_rules().items() if "garrison" in rule.statement.lower()}
        found = {RULE + row.split()[0] for row in rows(pilot.app, "#rule-list")}
        assert about and found == about and len(rows(pilot.app, "#rule-list")) == len(about)
        first = rules.reading
        await press(pilot, "down", "down")
        assert rules.reading != first and rules.reading.startswith(RULE)
        await press(pilot, "slash", *"STA-009")
        assert rules.reading == "rule:STA-009"
        assert "A Communication Link" in part_text(rules, "#rule-text")
        assert "placing and changing Status markers" in part_text(rules, "#rule-title")


async def test_backspace_returns_through_followed_links(fresh):
    async with fresh.run_test(size=(120, 40)) as pilot:
        rules = await press(pilot, "f2", *"STA-009", "down", "right")
        assert rules.focused is rules.query_one("#rule-links")
        rules.follow(TERM + "Communication Link")
        await pilot.pause()
        assert rules.reading == "term:Communication Link" and "rule:SET-073" in link_targets(rules)
        rules.follow("rule:SET-073")
        await pilot.pause()
        assert "term:Communication Link" in link_targets(rules)
        await press(pilot, "backspace")
        assert rules.reading == "term:Communication Link"
        await press(pilot, "backspace")
        assert rules.reading == "rule:STA-009"
        assert isinstance(await press(pilot, "backspace"), GameScreen)


async def test_enter_follows_the_selected_link(fresh):
    async with fresh.run_test(size=(120, 40)) as pilot:
        rules = await press(pilot, "f2", *"MIN-001", "down", "enter")
        links = rules.query_one("#rule-links", OptionList)
        assert rules.focused is links
        named = str(links.get_option_at_index(links.highlighted).prompt)
        await press(pilot, "enter")
        assert rules.reading.partition(":")[2].lower() in named.lower()


def test_all_pages_have_valid_links():
    from paxtui.session.reference import load_glossary

    names = [*(RULE + i for i in load_rules()), *(TERM + t for t in load_glossary())]
    known = set(names)
    for name in names:
        shown = find_page(name, LOOK)
        links = [link for _, group in shown.groups for link in group if link.to]
        assert links, name
        assert {link.to for link in links} <= known
        assert name not in [link.to for link in links]
        assert all(group for _, group in shown.groups)


def test_rules_and_terms_link_to_each_other():
    def links(name: str) -> set[str]:
        return {link.to for _, group in find_page(name, LOOK).groups for link in group}

    assert "term:Communication Link" in links("rule:STA-009") and "rule:STA-009" in links("term:Communication Link")
    for other in related_rules("CCB-026").names:
        assert "rule:CCB-026" in links(RULE + other)


def test_page_shows_ruling_option_and_edition():
    assert "Our ruling" in find_page("rule:CCB-067", LOOK).body.plain
    assert "reconstructed" in find_page("rule:SET-034", LOOK).body.plain
    assert "Applies only with its option" in find_page("rule:BEL-001", LOOK).body.plain
    assert "improvements of 1993" in find_page("rule:ADM-023", LOOK).body.plain
    assert "!" not in find_page("rule:STA-009", LOOK).body.plain


# The game


async def test_rule_links_to_log_lines_that_applied_it(golden):
    async with golden.run_test(size=(120, 40)) as pilot:
        game = pilot.app.screen
        rules = await press(pilot, "f2", *"STA-009", "down", "right")
        lines = [to for to in link_targets(rules) if to.startswith(LINE)]
        assert lines and "times in this game; most recently" in "\n".join(rows(pilot.app, "#rule-links"))
        number = int(lines[0].removeprefix(LINE))
        assert any(e.line == number and "STA-009" in e.rules for e in game.session.view.log())
        rules.follow(lines[0])
        await pilot.pause()
        assert pilot.app.screen is game and game.session.at == number


async def test_order_is_started_from_its_rule(fresh):
    async with fresh.run_test(size=(120, 40)) as pilot:
        game = pilot.app.screen
        rules = await press(pilot, "f2", *"STA-009", "down", "right")
        assert ORDER + "place" in link_targets(rules)
        rules.follow(ORDER + "place")
        await pilot.pause()
        assert pilot.app.screen is game and game.query_one("#command", Input).value == "place "
        await pilot.press(*"interest", "space", *"egypt", "enter")
        await pilot.pause()
        assert [m.marker for m in game.session.live.areas["egypt"].markers] == ["interest"]


async def test_question_is_answered_from_its_rule(home):
    path = home / "game.jsonl"
    army = {"power": "russia", "kind": "army", "strength": 10}
    marker = {"power": "russia", "marker": "protectorate", "established": False}
    patch = {"phase": "colonial_combat", "areas": {"manchuria": {"unrest": True, "markers": [marker], "units": [army]}}}
    patch["homes"] = {"russia": {"units": []}}
    with PaxHost.new(load_tables(), seats_for(7), "7", {}, path=path, undo="free", clock=lambda: "") as table:
        table.act("arbiter", {"type": "set_position", "patch": patch})
    async with PaxApp(path=path, settings=Settings()).run_test(size=(120, 40)) as pilot:
        game = pilot.app.screen
        game.session.take_seat("russia")
        choice = game.session.live.choices[0]
        rules = await press(pilot, "f2", *choice.rules[0], "down", "right")
        assert f"choice:{choice.id}" in link_targets(rules)
        rules.follow(f"choice:{choice.id}")
        await pilot.pause()
        assert type(pilot.app.screen).__name__ == "ChoiceDialog"
        asked = await press(pilot, "question_mark")
        assert isinstance(asked, RulesScreen) and choice.rules[0] in asked.query_one("#rule-words", Input).value


async def test_question_mark_explains_a_refusal(fresh):
    async with fresh.run_test(size=(120, 40)) as pilot:
        game = pilot.app.screen
        await order(pilot, "place protectorate siam")
        shown = " ".join(n.message for n in pilot.app._notifications)
        assert load_remedies()["not_open"] in shown and "? tells more" in shown
        reader = await press(pilot, "question_mark")
        text = part_text(reader, "#rule-text")
        assert reader.reading == "refusal" and "code not_open" in text
        assert "Siam (Independent)" in text and load_remedies()["not_open"] in text
        assert {"rule:STA-012", "rule:STA-013"} <= set(link_targets(reader))
        await press(pilot, "escape")
        await order(pilot, "place interest egypt")
        assert game.session.refusal is None


async def test_syntax_error_is_explained_as_such(fresh):
    async with fresh.run_test(size=(120, 40)) as pilot:
        await order(pilot, "plaice interest egypt")
        reader = await press(pilot, "question_mark")
        assert reader.reading == "refusal" and "No rule of the game forbids it" in part_text(reader, "#rule-text")


async def test_question_mark_shows_rules_of_the_place(fresh):
    async with fresh.run_test(size=(120, 40)) as pilot:
        pilot.app.screen.view.map.cursor = "siam"
        reader = await press(pilot, "question_mark")
        assert "STA-012" in reader.query_one("#rule-words", Input).value and reader.reading.startswith(RULE)


async def test_forbidden_menu_line_is_explained(fresh):
    async with fresh.run_test(size=(120, 40)) as pilot:
        pilot.app.screen.view.map.cursor = "siam"
        menu = await press(pilot, "enter")
        assert isinstance(menu, AreaMenu)
        session = pilot.app.screen_stack[1].session
        items = place_menu(session, "siam")
        row, forbidden = next((n, item) for n, item in enumerate(items) if not item.allowed)
        menu.query_one(OptionList).highlighted = row
        reader = await press(pilot, "question_mark")
        assert reader.reading == "refusal" and forbidden.reason in part_text(reader, "#rule-text")
        await press(pilot, "escape", "enter")
        assert load_remedies()[forbidden.code] in str(menu.query_one("#menu-why", PlainText).content)


async def test_log_and_record_lines_lead_to_their_rules(golden):
    async with golden.run_test(size=(120, 40)) as pilot:
        log = await press(pilot, "l", "up", "up")
        assert isinstance(log, LogScreen)
        row = next(n for n, e in enumerate(log._entries) if "STA-009" in e.rules)
        log.query_one(OptionList).highlighted = row
        reader = await press(pilot, "question_mark")
        assert isinstance(reader, RulesScreen) and "STA-009" in reader.query_one("#rule-words", Input).value
        # the line of the log opens in the game, and the dialog of the log is closed
        reader.follow("line:20")
        await pilot.pause()
        assert isinstance(pilot.app.screen, GameScreen) and pilot.app.screen.session.at == 20
        sheet = await press(pilot, "e")
        assert isinstance(sheet, RecordScreen)
        assert isinstance(await press(pilot, "question_mark"), RulesScreen)


# The glossary


async def test_glossary_opens_everywhere_and_finds_signs(fresh):
    async with fresh.run_test(size=(120, 40)) as pilot:
        words = await press(pilot, "f3")
        assert isinstance(words, GlossaryScreen)
        words.query_one(Input).value = "⚔"
        await pilot.pause()
        assert words.reading == "term:Casus Belli"
        rules = await press(pilot, "f2")
        assert isinstance(rules, RulesScreen)
        assert isinstance(await press(pilot, "f3"), GlossaryScreen)
        assert isinstance(await press(pilot, "escape"), GameScreen)


async def test_reference_works_without_a_game(home):
    async with PaxApp(settings=Settings()).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        rules = await press(pilot, "f2", *"STA-009", "down", "right")
        assert isinstance(rules, RulesScreen) and not [to for to in link_targets(rules) if to.startswith((LINE, ORDER))]
        assert isinstance(await press(pilot, "escape", "f3"), GlossaryScreen)
        assert isinstance(await press(pilot, "escape"), StartScreen)


async def test_search_without_results(fresh):
    async with fresh.run_test(size=(80, 24)) as pilot:
        rules = await press(pilot, "f2", *"zeppelin", "down", "enter", "right", "backspace")
        assert isinstance(rules, RulesScreen | GameScreen)


# Pictures


@SIZES
@pytest.mark.parametrize("keys", ["STA-009", "CCB-067", "garrison"])
def test_rules_look(golden, compare_screen, size, keys):
    async def before(pilot) -> None:
        await press(pilot, "f2", *keys, "down")

    assert compare_screen(golden, terminal_size=size, run_before=before)


@SIZES
@pytest.mark.parametrize("look", ["dark", "ascii"])
def test_glossary_look(golden, compare_screen, size, look):
    async def before(pilot) -> None:
        await press(pilot, "f3", *"casus", "down", "right")

    golden.settings = Settings(ascii=look == "ascii")
    assert compare_screen(golden, terminal_size=size, run_before=before)


@SIZES
def test_refusal_look(fresh, compare_screen, size):
    async def before(pilot) -> None:
        await order(pilot, "place protectorate siam")
        await press(pilot, "question_mark")

    assert compare_screen(fresh, terminal_size=size, run_before=before)
