"""An exchange: the attackers lose armies of their choice, and the Area is defeated if one of them is left in it.

Rules: CCB-052, CCB-053, CCB-055, CCB-056, CCB-066, MIN-056 (R-CCB-13, R-CCB-14, Decision 22)
"""

from __future__ import annotations

from paxtui.pax.combat.colonial_outcome import fail, win
from paxtui.pax.combat.losses import armies, only_one_way, read, remove, smallest, strength, texts
from paxtui.pax.play.play import Play
from paxtui.pax.state.questions import Losses, Pending


def exchange(play: Play, area: str, powers: tuple[str, ...], required: int, rules: tuple[str, ...]) -> None:
    """The attackers lose at least `required` strength points of their choice.

    Minor Powers bear the smallest possible share, and choose nothing; Great Powers that attack together have to agree.

    Rules: CCB-052, CCB-055, CCB-066, MIN-056 (R-CCB-13, R-CCB-14, Decision 22)
    """
    state = play.state
    greats = tuple(p for p in powers if p in state.powers)
    own = [(p, name) for p in greats for name in armies(state, area, p)]
    others = [(p, name) for p in powers if p not in greats for name in armies(state, area, p)]
    rest = max(0, required - strength(name for _, name in own))
    share = smallest(others, rest) if rest else []
    needed = min(required, strength(name for _, name in own)) if own else 0
    chosen = smallest(own, needed) if needed else []
    if share:
        remove(play, area, share, "combat", (*rules, "MIN-056"))
    if not chosen or only_one_way(own, chosen, needed):
        remove(play, area, chosen, "combat", rules)
        conclude(play, area, powers, rules)
        return
    _ask(play, area, powers, greats[0], needed, {}, rules)


def _ask(
    play: Play,
    area: str,
    powers: tuple[str, ...],
    asked: str,
    needed: int,
    said: dict[str, tuple[str, ...]],
    rules: tuple[str, ...],
) -> None:
    """Ask a Great Power which armies are lost; `said`: what its partners have proposed."""
    greats = [p for p in powers if p in play.state.powers]
    own = [(p, name) for p in greats for name in armies(play.state, area, p)]
    first = next(iter(said.values()), None)
    default = first or texts(smallest(own, needed), tuple(greats))
    agree = " The partners have to name the same armies, or all of theirs are lost." if len(greats) > 1 else ""
    heard = "".join(f" Proposed by {play.tables.powers[p].name}: {' '.join(t)}." for p, t in said.items())
    play.offer(
        asked,
        Losses(powers, needed, said),
        texts(own, tuple(greats)),
        default if len(default) > 1 else default[0],
        area,
        f"Which armies of at least {needed} strength points are lost in {play.tables.areas[area].name}?{agree}{heard}",
        rules,
    )


def answer_losses(play: Play, choice: Pending, about: Losses, answer: tuple[str, ...]) -> None:
    """Lose the armies named; partners in a combined attack name the same ones, or lose all.

    Raises: Refusal `not_there`, `not_enough`.
    Rules: CCB-052, CCB-055, CCB-066
    """
    area, needed, powers = choice.area, about.needed, about.powers
    greats = tuple(p for p in powers if p in play.state.powers)
    own = [(p, name) for p in greats for name in armies(play.state, area, p)]
    named = read(play, choice, greats, own, needed, answer)
    said = {**about.said, choice.power: tuple(sorted(answer))}
    left = [p for p in greats if p not in said]
    if left:
        _ask(play, area, powers, left[0], needed, said, choice.rules)
        return
    if all(names == said[choice.power] for names in said.values()):
        remove(play, area, named, "combat", choice.rules)
    else:
        remove(play, area, own, "combat", ("CCB-066",))
    conclude(play, area, powers, choice.rules)


def conclude(play: Play, area: str, powers: tuple[str, ...], rules: tuple[str, ...]) -> None:
    """After an exchange: the Area is defeated if an army of the attackers is left in it.

    Rules: CCB-053, CCB-056
    """
    if any(armies(play.state, area, p) for p in powers):
        win(play, area, powers, ("CCB-053" if "CCB-052" in rules else "CCB-056",))
    else:
        fail(play, area, powers)
