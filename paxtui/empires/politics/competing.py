"""Dice that put Powers in an order, ties rolled again."""

from __future__ import annotations

from paxtui.empires.history.politics_events import CompetitiveRolled
from paxtui.empires.play.play import Play


def order(play: Play, powers: tuple[str, ...], about: str, *rules: str) -> tuple[str, ...]:
    """Powers by competitive die rolls, the highest first. Nothing is rolled for one alone. Rules: EIA 3.1"""
    if len(powers) < 2:
        return powers
    rolled: dict[str, tuple[int, ...]] = dict.fromkeys(powers, ())
    level = [powers]
    while level:
        for power in level.pop():
            rolled[power] = (*rolled[power], play.roll())
        groups: dict[tuple[int, ...], list[str]] = {}
        for power in powers:
            groups.setdefault(rolled[power], []).append(power)
        level = [tuple(group) for group in groups.values() if len(group) > 1][:1]
    found = tuple(sorted(powers, key=lambda power: rolled[power], reverse=True))
    play.emit(CompetitiveRolled(about=about, order=found, dice=tuple(rolled[one] for one in found), rules=rules))
    return found
