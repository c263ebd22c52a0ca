"""Answering pending choices: one action, `choose ID OPTION...`, for every kind of them.

Each kind has its function `(play, choice, answer)` in the module of the rules that offer it; they are gathered
here. An answer names options by their texts; several where the choice allows several.
"""

from __future__ import annotations

from collections.abc import Callable

from paxtui.engine.choices import Choice
from paxtui.pax.combat import colonial_combat, retreats
from paxtui.pax.congress import congress_outcome, congress_vote
from paxtui.pax.congress import session as congress
from paxtui.pax.diplomacy import transfers
from paxtui.pax.expansion import canals, units
from paxtui.pax.history import events as ev
from paxtui.pax.play.play import Play, refuse
from paxtui.pax.treaties import treaty_duties
from paxtui.pax.turn import administrative

Answer = tuple[str, ...]

HANDLERS: dict[str, Callable[[Play, Choice, Answer], None]] = {
    "deficit": administrative.answer_deficit,
    "fight": colonial_combat.answer_fight,
    "losses": colonial_combat.answer_losses,
    "combine": colonial_combat.answer_combine,
    "order": colonial_combat.answer_order,
    "retreat": retreats.answer_retreat,
    "money": transfers.answer_money,
    "transfer": transfers.answer_transfer,
    "codominion": transfers.answer_codominion,
    "canal": canals.answer_canal,
    "coast": units.answer_coast,
    "duty": treaty_duties.answer,
    "site": congress.answer_site,
    "attend": congress.answer_attend,
    "invite": congress.answer_invite,
    "agenda": congress.answer_agenda,
    "propose": congress.answer_propose,
    "ballot": congress_vote.answer_ballot,
    "tie": congress_vote.answer_tie,
    "sign": congress_outcome.answer_sign,
}


def options_of(choice: Choice) -> tuple[str, ...]:
    """Every text that may be part of an answer."""
    out: list[str] = []
    for option in choice.options:
        out.extend([option] if isinstance(option, str) else option)
    return tuple(out)


def default_of(choice: Choice) -> Answer:
    """The default as a tuple of texts."""
    return (choice.default,) if isinstance(choice.default, str) else choice.default


def read_answer(choice: Choice, words: Answer) -> Answer:
    """The options that `words` name, in order; several words may make one option ("fight manchuria").

    Raises: Refusal `bad_answer`, with the options.
    """
    flat = " ".join(words).casefold().split()
    texts = sorted(set(options_of(choice)) | set(default_of(choice)), key=lambda t: -len(t.split()))
    answer: list[str] = []
    i = 0
    while i < len(flat):
        for text in texts:
            parts = text.casefold().split()
            if parts and flat[i : i + len(parts)] == parts:
                answer.append(text)
                i += len(parts)
                break
        else:
            refuse(
                "bad_answer",
                choice.rules,
                f"{choice.id} cannot be answered with '{' '.join(words)}'; it takes: {', '.join(texts) or 'nothing'}.",
                options=list(options_of(choice)),
            )
    return tuple(answer)


def take(play: Play, choice: Choice, answer: Answer, by_default: bool = False) -> None:
    """Answer a choice. The handler checks the answer against the rules, and refuses what they forbid."""
    play.emit(ev.ChoiceMade(id=choice.id, answer=answer, by_default=by_default, rules=choice.rules))
    HANDLERS[choice.kind](play, choice, answer)


def take_default(play: Play, choice: Choice) -> None:
    """Take the default of a choice."""
    take(play, choice, default_of(choice), by_default=True)
