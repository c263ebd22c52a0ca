"""How often bots sign ready-made Treaties, for each word that the editor uses for the chance of a signature."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import NamedTuple

from paxtui.bots.pax.profiles import LEVELS, character_of
from paxtui.bots.pax.registry import parse_bot_name
from paxtui.bots.pax.statesman.player import statesman_replies
from paxtui.bots.pax.treaty_ideas import describe_chance, suggest_treaties
from paxtui.engine.dice import draw
from paxtui.games.pax.transaction import DryRun, find_refusal
from paxtui.games.pax.treaties import lifecycle
from paxtui.games.pax.visibility import visible_state
from tools.calibrate.games import GameRecord

WORDS = ("likely", "perhaps", "unlikely", "hardly")


class Answer(NamedTuple):
    """The answer to a ready-made Treaty.

    Attributes:
        kind: the kind of its first article.
        chance: the estimated chance of a signature.
        is_signed: whether the bot signs. is_answered: whether it names other terms.
    """

    kind: str
    chance: float
    is_signed: bool
    is_answered: bool


def ask_for_signatures(record: GameRecord) -> Iterator[Answer]:
    """Offer the ready-made Treaties of a drawn pair of seats in each position; yield the answers."""
    tables, seats, bots = record.tables, list(record.outcome.bots), record.outcome.bots
    for n, state in enumerate(record.positions):
        if state.result is not None:
            continue
        name = f"{record.outcome.seed}/words"
        power = seats[draw(name, 2 * n + 1, len(seats)) - 1]
        others = [s for s in seats if s != power and parse_bot_name(bots[s]).level in LEVELS]
        if not others:
            continue
        partner = others[draw(name, 2 * n + 2, len(others)) - 1]
        occupant = parse_bot_name(bots[partner])
        character = character_of(occupant.level, occupant.temper)
        for idea in suggest_treaties(tables, visible_state(tables, state, power), power, partner):
            trial = DryRun(tables, state)
            if find_refusal(partial(lifecycle.draft_treaty, trial, power, idea.draft)) is not None:
                continue
            made = trial.state.treaties[-1].id
            known = visible_state(tables, trial.state, partner)
            replies = [
                act.text.split(" ")[:2] for act in statesman_replies(tables, known, partner, character, "words", ())
            ]
            is_signed, is_refused = (["sign", made] in replies, ["reject", made] in replies)
            yield Answer(idea.draft.clauses[0].kind, idea.chance, is_signed, not is_signed and not is_refused)


def words_report(answers: Iterable[Answer]) -> list[str]:
    """Return the share of signatures for each word, and by kind of Treaty, in lines of Markdown."""
    found = list(answers)
    lines = ["| word | drafts | signed | other terms | refused |", "|---|---|---|---|---|"]
    for word in WORDS:
        lines.append(_row(word, [a for a in found if describe_chance(a.chance) == word]))
    lines += ["", "| kind | drafts | signed | other terms | refused |", "|---|---|---|---|---|"]
    for kind in sorted({a.kind for a in found}):
        lines.append(_row(kind, [a for a in found if a.kind == kind]))
    return lines


def _row(name: str, answers: list[Answer]) -> str:
    count = len(answers)
    signed, answered = sum(a.is_signed for a in answers), sum(a.is_answered for a in answers)
    cells = (signed, answered, count - signed - answered)
    return f"| {name} | {count} | {' | '.join(f'{100 * cell / max(1, count):.0f} %' for cell in cells)} |"
