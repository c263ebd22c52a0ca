"""Previews of every answer about the spoils of War, in `spoils_previews.txt`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.preview import war_answers
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.questions import Cession, Pending
from tests.pax.reports.saved_questions import saved_question
from tests.recorded import same_as_recorded
from tests.rules.harness import start
from tests.tui.wars import SPOILS


def answer_lines(tables: Tables, state: State, choice: Pending) -> Iterator[str]:
    """Each answer to a question with its sentences and changed figures."""
    for option in choice.options:
        found = war_answers.preview_spoils(tables, state, choice, str(option))
        yield f"{choice.power}: {option}" + (f", against {found.against}" if found.against else "")
        demand = war_answers.demanded_marker(tables, state, choice, str(option))
        yield f"    waits {found.needs_signatures}; demands {demand}"
        for line in war_answers.describe_spoils(tables, choice, state, found):
            yield f"    {line.tone} {line.text}"
        for figure in war_answers.figure_changes(tables, choice.power, choice.seat, state, found.state):
            if figure.before != figure.after or "31" in figure.what:
                better = "more" if figure.more_is_better else "less"
                yield f"    {figure.what}: {figure.before} -> {figure.after} ({better} is better)"


def questions() -> Iterator[str]:
    g = start(SPOILS)
    g.advance()
    while (choice := next(iter(g.state.choices), None)) is not None:
        yield from answer_lines(g.tables, g.state, choice)
        options = [str(option) for option in choice.options]
        g.act(choice.seat, f"choose {choice.id} {options[0] if choice.power == 'germany' else options[-1]}")
    yield from answer_lines(*saved_question("rebellion-won-0.2.0", Cession))


def test_spoils_answers_are_previewed_as_recorded() -> None:
    same_as_recorded(Path(__file__).with_name("spoils_previews.txt"), questions())
