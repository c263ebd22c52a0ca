"""Pending choices: their options, which of them an answer names, what they take by default, and that they are made."""

from __future__ import annotations

from paxtui.engine.choices import Choice
from paxtui.pax.history import events as ev
from paxtui.pax.play.play import Play, refuse

Answer = tuple[str, ...]


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


def made(play: Play, choice: Choice, answer: Answer, by_default: bool = False) -> None:
    """Take a choice off the table: it has been made. What follows from it is for the rules that offered it."""
    play.emit(ev.ChoiceMade(id=choice.id, answer=answer, by_default=by_default, rules=choice.rules))
