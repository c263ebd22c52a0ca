"""Entering a Codominion that an enemy shares with a neutral: the neutral's one pretext to declare War at once.

Rules: WCD-001 to WCD-005 (R-WCD-03, R-WCD-04, R-OTT-18)
"""

from __future__ import annotations

from paxtui.pax.board.status import at, seat_of
from paxtui.pax.history import events as ev
from paxtui.pax.play import casus_belli
from paxtui.pax.play.choices import one_of
from paxtui.pax.play.play import Play
from paxtui.pax.state.pieces import CHINA, EXPANSION
from paxtui.pax.state.questions import CodominionWar, Pending
from paxtui.pax.state.war import War
from paxtui.pax.war import declarations
from paxtui.pax.war.alliances import allies, enemies, great_allies
from paxtui.pax.words.spoken import place_name, power_name

CAUSE = "codominion_entered"
"""Its row in the Casus Belli Summary."""
PASS = "pass"


def neutrals(play: Play, war: War, power: str, area: str) -> tuple[str, ...]:
    """The Great Powers that get a Casus Belli when a Power moves Units into an Area.

    Neutral holders of a Codominion with an enemy of the mover, unless the mover or an ally of his has a share in it;
    Minor Powers never declare War for this.

    Rules: WCD-001, WCD-003, WCD-004, WCD-005 (R-WCD-04)
    """
    holders = at(play.state, area).codominion if area in play.state.areas else ()
    if not set(holders).intersection(enemies(war, power)) or set(holders).intersection(allies(war, power)):
        return ()
    seat = seat_of(play.tables, play.state, power)
    neutral = tuple(p for p in holders if not war.side_of(p) and seat_of(play.tables, play.state, p) != seat)
    return tuple(p for p in neutral if p in play.state.powers)


def entered(play: Play, war_id: str, power: str, area: str) -> None:
    """A Power has moved or retreated into an Area: ask the neutrals that this gives a Casus Belli, once a War.

    For the Units of an Empire its Great Power allies answer, who move them; nobody where it has none.

    Rules: WCD-001, WCD-002 (R-WCD-03, R-OTT-18)
    """
    war = next((w for w in play.state.wars if w.id == war_id), None)
    if war is None:
        return
    for mover in great_allies(play.state, war, power) if power in (CHINA, EXPANSION) else (power,):
        _enter(play, war, mover, area)


def _enter(play: Play, war: War, power: str, area: str) -> None:
    """Ask the neutrals whom the entry of a Power gives a Casus Belli against it, if it is the first."""
    if f"{power} {area}" in war.entered:
        return
    asked = neutrals(play, war, power, area)
    if not asked:
        return
    rules = ("WCD-001", "WCD-002")
    play.emit(ev.CodominionEntered(war=war.id, area=area, power=power, rules=rules))
    who, where = power_name(play.tables, power), place_name(play.tables, area)
    for neutral in asked:
        casus_belli.arise(play, neutral, power, area, CAUSE, rules)
        play.offer(
            neutral,
            CodominionWar(war=war.id, mover=power),
            (f"declare war {power}", PASS),
            PASS,
            area,
            f"{who} has entered {where}, which you share with its enemy. You may declare War at once, and never again "
            f"over this Area.",
            rules,
        )


def answer(play: Play, choice: Pending, about: CodominionWar, words: tuple[str, ...]) -> None:
    """The neutral declares War on the mover, or lets the pretext go.

    Raises: Refusal `bad_answer`; GameOver.
    Rules: WCD-002, ETI-019
    """
    over = next(
        (
            c
            for c in declarations.usable(play.tables, play.state, choice.power)
            if (c.cause, c.against, c.area) == (CAUSE, about.mover, choice.area)
        ),
        None,
    )
    if one_of(choice, words) != PASS and over is not None:
        declarations.queue(play, choice.power, (about.mover,), (choice.area,))
        return
    for cause in play.state.casus_belli:
        if (cause.cause, cause.holder, cause.against, cause.area) == (CAUSE, choice.power, about.mover, choice.area):
            play.emit(ev.CasusBelliEnded(id=cause.id, reason="lapsed", rules=("WCD-002",)))
