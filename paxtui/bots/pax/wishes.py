"""What a bot answers when another seat asks what it wants, in a dispatch.

A statesman names the Treaty that would bring it most, and the Areas that it wants. A treacherous one keeps both to
itself and names others.
"""

from __future__ import annotations

from collections.abc import Sequence

from paxtui.bots.pax.profiles import Character
from paxtui.bots.pax.statesman.evaluation import PositionValuation
from paxtui.bots.pax.statesman.treaty_values import PowerRelations, TreatyValuation
from paxtui.bots.pax.treaty_ideas import TreatyIdea, suggest_treaties
from paxtui.engine.bots import BotAction
from paxtui.games.pax.actions.dispatches import Dispatch
from paxtui.games.pax.actions.notation import format_order
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.clauses.notation import stored_clause_text
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import PROTECTORATE
from paxtui.games.pax.text.display import join_with_and, place_name, sentence

MIN_GAIN = 0.1
"""Victory Points that a Treaty must bring to be a wish."""
NAMED_AREAS = 2
"""Number of Areas that an answer names."""
HONEST = {"cautious": "Peace above all.", "bold": "We speak plainly.", "": ""}
"""Opening of an honest answer, by temper."""
SLY = "Between friends, we want little."
"""Opening of a sly answer."""
CONTENT = "No Treaty with you would bring us much at present. Put yours in writing, and you have our answer at once."


def answer_wish_questions(
    tables: Tables, state: State, seat: str, character: Character, seed: str, askers: Sequence[str]
) -> list[BotAction]:
    """Answer each seat that asked a statesman what it wants.

    Args:
        tables: the tables of the game.
        state: the position as the statesman sees it.
        seat: the statesman's seat.
        character: level and temper.
        seed: seed of the bot's preferences.
        askers: the seats.
    """
    return [_answer(tables, asker, describe_wishes(tables, state, seat, asker, character, seed)) for asker in askers]


def _answer(tables: Tables, asker: str, words: str) -> BotAction:
    return BotAction(format_order(tables, Dispatch((asker,), words)))


def describe_wishes(tables: Tables, state: State, seat: str, asker: str, character: Character, seed: str) -> str:
    """Say what a statesman wants of another seat. Arguments as `answer_wish_questions`."""
    valuation = PositionValuation(tables, state, seat, character, seed)
    ideas = suggest_treaties(tables, state, seat, asker, valuation)
    wishes = sorted((idea for idea in ideas if idea.gain >= MIN_GAIN), key=lambda idea: -idea.gain)
    areas = _wanted_areas(PowerRelations(tables, state), valuation)
    if character.is_faithless:  # what it wants most stays unsaid
        wishes, areas = wishes[1:], areas[NAMED_AREAS:]
    words = [SLY if character.is_faithless else HONEST[character.temper]]
    words.append(_describe_treaty(tables, wishes[0]) if wishes else CONTENT)
    if areas:
        names = join_with_and([place_name(tables, area) for area in areas[:NAMED_AREAS]])
        words.append(f"Our eyes are on {names}." if not character.is_faithless else f"At most {names} would please us.")
    return " ".join(filter(None, words))


def _describe_treaty(tables: Tables, wish: TreatyIdea) -> str:
    articles = "; ".join(stored_clause_text(tables, clause) for clause in wish.draft.clauses)
    return sentence(f"We would sign this with you: {articles}")


def _wanted_areas(relations: PowerRelations, valuation: PositionValuation) -> list[str]:
    """The Areas whose Control the Power may take, the most valuable first."""
    values = TreatyValuation(relations, valuation, (), (), False)
    wanted = {area: values.expansion_value(area, PROTECTORATE) for area in relations.tables.areas}
    return sorted((area for area, worth in wanted.items() if worth > 0), key=lambda area: -wanted[area])
