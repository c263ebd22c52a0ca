"""Levels and tempers of the statesman."""

from __future__ import annotations

from typing import NamedTuple, get_args

from paxtui.engine.seating import STATESMAN_LEVELS, BotLevel, BotTemper

NAME = "statesman"
"""Name of the bot."""

LEVELS = STATESMAN_LEVELS
EXPERT: BotLevel = "expert"
"""The level that searches."""
LEVEL_SUMMARIES: dict[str, str] = {
    "easy": "misjudges much, spends little and looks at the next step only",
    "normal": "weighs what Areas open, what deals bring rivals, and who is about to win",
    "hard": "judges without error, expects what rivals will take, bargains, and offers Treaties to all",
    "expert": "searches: tries several plans, with the replies of the strongest rivals; bargains hardest",
}
"""Level -> how it plays, for a player who chooses one."""
TEMPERS: tuple[BotTemper, ...] = tuple(temper for temper in get_args(BotTemper) if temper)


class Character(NamedTuple):
    """How a statesman decides.

    Attributes:
        level: how well it plays. temper: how it treats its neighbours, "" for neither way.
        spending_share: share of the Treasury that it dares to spend in a turn.
        error: how far its judgement of a purchase may be out, as a share.
        accepts_conflicts: whether it takes Control where that brings others a Casus Belli.
        caution: what trouble with others weighs, 1.0 for no temper.
        looks_ahead: whether it counts what an Area opens behind it, and what a fleet would open.
        is_faithless: whether it breaks a Treaty that no longer pays.
        avoided_areas: Areas in which it places no marker; the expert tries plans without single Areas.
        bargaining_share: share of the other side's gain by an offer that it asks for; 0 for a fair share only.
        max_breaches: the most Treaties that it breaks in a game to bring a Great War near by which it is first.
        disabled: abilities that it does not use: "shares" (of Areas for money), "great war" (to win by it), "wars",
            "threats", "congresses", "alliances", "leaders" (it counts its own points, and the chances of no rival),
            "contests" (of Areas with markers of rivals), "refusals" (of deals that help rivals more, or for a share in
            them). Only tests switch them off.
    """

    level: BotLevel
    temper: BotTemper
    spending_share: float
    error: float
    accepts_conflicts: bool
    caution: float
    looks_ahead: bool
    is_faithless: bool
    avoided_areas: frozenset[str] = frozenset()
    bargaining_share: float = 0.0
    max_breaches: int = 1
    disabled: frozenset[str] = frozenset()


def character_of(level: BotLevel, temper: BotTemper) -> Character:
    """Return the character for a level and a temper."""
    care = {"cautious": 2.5, "bold": 0.5, "treacherous": 0.7}.get(temper, 1.0)
    return Character(
        level=level,
        temper=temper,
        spending_share=0.65 if level == "easy" else 1.0,
        error={"easy": 0.6, "normal": 0.25}.get(level, 0.0),
        accepts_conflicts=level != "easy",
        caution=care,
        looks_ahead=level != "easy",
        is_faithless=temper == "treacherous",
        bargaining_share={"hard": 0.2, EXPERT: 0.8}.get(level, 0.0),
        max_breaches={"cautious": 0, "bold": 2, "treacherous": 9}.get(temper, 1),
    )


def parse_level_and_temper(words: list[str]) -> tuple[BotLevel, BotTemper]:
    """Level and temper of words in any order, `normal` where none is named. Raises: ValueError, with what is wrong."""
    level: BotLevel = ""
    temper: BotTemper = ""
    for word in words:
        if word in LEVELS and not level:
            level = next(known for known in LEVELS if known == word)
        elif word in TEMPERS and not temper:
            temper = next(known for known in TEMPERS if known == word)
        else:
            levels, tempers = ", ".join(LEVELS), ", ".join(TEMPERS)
            raise ValueError(
                f"a statesman has one level ({levels}) and one temper ({tempers}), as in statesman:hard:bold; "
                f"{word!r} does not fit there"
            )
    return level or "normal", temper
