"""Pending choices: their options, which of them an answer names, what they take by default, and that they are made."""

from __future__ import annotations

from paxtui.pax.history import events as ev
from paxtui.pax.play.play import Play, refuse
from paxtui.pax.state.questions import Pending

Answer = tuple[str, ...]


def options_of(choice: Pending) -> tuple[str, ...]:
    """Every text that may be part of an answer."""
    out: list[str] = []
    for option in choice.options:
        out.extend([option] if isinstance(option, str) else option)
    return tuple(out)


def default_of(choice: Pending) -> Answer:
    """The default as a tuple of texts."""
    return (choice.default,) if isinstance(choice.default, str) else choice.default


def read_answer(choice: Pending, words: Answer) -> Answer:
    """The options that `words` name, in order; several words may make one option ("fight manchuria").

    Raises: Refusal `bad_answer`, with the options.
    """
    flat = _words(" ".join(words))
    texts = sorted(dict.fromkeys(options_of(choice) + default_of(choice)), key=lambda t: -len(t.split()))
    answer: list[str] = []
    i = 0
    while i < len(flat):
        for text in texts:
            parts = _words(text)
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


def _words(text: str) -> list[str]:
    """The words of a text that count: commas may stand between the options of an answer."""
    return text.casefold().replace(",", " ").split()


def one_of(choice: Pending, answer: Answer) -> str:
    """The one option of an answer that may name no more.

    Raises: Refusal `bad_answer`.
    """
    if len(answer) != 1:
        texts = options_of(choice)
        takes = f"one of {', '.join(texts)}" if len(texts) > 1 else texts[0] if texts else "nothing"
        refuse("bad_answer", choice.rules, f"{choice.id} takes one answer: {takes}.")
    return answer[0]


def made(play: Play, choice: Pending, answer: Answer, by_default: bool = False) -> None:
    """Take a choice off the table: it has been made. What follows from it is for the rules that offered it."""
    play.emit(ev.ChoiceMade(id=choice.id, answer=answer, by_default=by_default, rules=choice.rules))
