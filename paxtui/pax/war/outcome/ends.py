"""War End Determination: what ends a War, for whom, and who may have it go on all the same.

Rules: WEN-027 to WEN-033, WEN-039 (R-WEN-01, R-WEN-02, R-WEN-03, R-WEN-11, R-WEN-12)
"""

from __future__ import annotations

from paxtui.pax.board.status import controllers
from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from paxtui.pax.play.choices import one_of
from paxtui.pax.play.play import Play
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import ARMY
from paxtui.pax.state.questions import EndWaiver, Pending
from paxtui.pax.state.war import END, War
from paxtui.pax.war import empire
from paxtui.pax.war.alliances import unallied_empire
from paxtui.pax.words.spoken import powers_named

NO_UNITS, OCCUPIED, STALEMATE = "no_units", "occupied", "stalemate"
OTTOMANS_BEATEN = "ottomans_beaten"
"""How a War ends; the last one only with an Ottoman Empire that fights alone (OTT-014)."""
QUIET = 3
"""Cycles in a row without an attack that make a Stalemate (WEN-032)."""
EARLY = 2
"""Cycles in which any belligerent may have the tests of Units and Areas ignored (WEN-031)."""
END_IT, GO_ON = "end", "go on"
"""What a belligerent may answer."""

Beaten = dict[int, str]
"""Numbers of the Alliances that meet an end test, with the test."""


def sides(war: War) -> tuple[int, ...]:
    """Numbers of the Alliances that are still in a War."""
    return tuple(n for n, side in enumerate(war.alliances, start=1) if side)


def test(play: Play, war: War) -> None:
    """Make the end tests of a War, in their order; it is decided, somebody is asked, or it goes on.

    Rules: WEN-029, WEN-030, WEN-031, WEN-032, WEN-033, WEN-039 (R-WEN-01 to R-WEN-03, R-WEN-12, Decision 10)
    """
    if not war.waived:
        met = beaten(play.tables, play.state, war)
        if met and war.cycle <= EARLY and not unallied_empire(play.state, war):
            _ask(play, war, met)
            return
        conclude(play, war, met)
    now = next((w for w in play.state.wars if w.id == war.id), war)
    if now.stage == END and not now.attacked and now.quiet + 1 >= QUIET:
        decide(play, now, STALEMATE, 0, ("WEN-032",))


def beaten(tables: Tables, state: State, war: War) -> Beaten:
    """The Alliances that have no Unit abroad, or whose Areas are all in the hands of enemy Armies.

    Rules: WEN-029, WEN-030, WEN-039 (R-WEN-01, R-WEN-02)
    """
    found: Beaten = {}
    for number in sides(war):
        if not abroad(state, war, number):
            found[number] = NO_UNITS
        elif occupied(tables, state, war, number):
            found[number] = OCCUPIED
    return found


def conclude(play: Play, war: War, met: Beaten) -> None:
    """What the tests of Units and Areas bring: a victory, a Stalemate, or that an Alliance drops out.

    With one Alliance left it has won; with none nobody has; while several fight on, who is beaten is out of the War.

    Rules: WEN-029, WEN-030, WEN-039 (R-WEN-03)
    """
    left = tuple(n for n in sides(war) if n not in met)
    if not met:
        return
    if len(left) > 1:
        for number in met:
            for power in war.alliance(number):
                rules = ("WEN-029" if met[number] == NO_UNITS else "WEN-030",)
                play.emit(ev.PowerLeftWar(war=war.id, power=power, reason="defeated", rules=rules))
        return
    test_: str = next(iter(met.values())) if left else STALEMATE
    why = ("WEN-030",) if test_ == OCCUPIED else ("WEN-029", "WEN-039")
    decide(play, war, test_, left[0] if left else 0, why)


def decide(play: Play, war: War, test_: str, victor: int, rules: tuple[str, ...], power: str = "") -> None:
    """A War ends by a test, for an Alliance or (0) for nobody; whatever is still asked in it lapses."""
    play.emit(ev.WarDecided(war=war.id, test=test_, victor=victor, power=power, rules=rules))


# --- the tests ------------------------------------------------------------------------------------------------------


def abroad(state: State, war: War, number: int) -> bool:
    """Whether an Alliance has a Military Unit outside its Home Countries, in an Area or at sea.

    By the option `armies_only` only Army Units in Areas count.

    Rules: WEN-029 (R-WEN-01)
    """
    side = war.alliance(number)
    areas = (here.units for here in state.areas.values())
    if state.options.armies_only:
        return any(u.power in side and u.kind == ARMY for units in areas for u in units)
    return any(u.power in side for units in (*areas, *state.at_sea.values()) for u in units)


def occupied(tables: Tables, state: State, war: War, number: int) -> bool:
    """Whether enemy Armies, and nobody else's, stand in every Area that an Alliance Controls, of which it has some.

    Rules: WEN-030 (R-WEN-02)
    """
    side = war.alliance(number)
    areas = [
        a
        for a in state.areas
        if any(p in side for p in controllers(state, a))
        or (empire.of(war) in side and empire.unmarked(tables, state, war, a))
    ]
    return bool(areas) and all(enemies_alone(state, war, number, area) for area in areas)


def enemies_alone(state: State, war: War, number: int, area: str) -> bool:
    """Whether Armies stand in an Area, all of them enemies of an Alliance. Rules: WEN-030."""
    armies = {war.side_of(u.power) for u in state.areas[area].units if u.kind == ARMY}
    return bool(armies) and not armies.intersection((0, number))


# --- the waiver -----------------------------------------------------------------------------------------------------


def _ask(play: Play, war: War, met: Beaten) -> None:
    """Every belligerent with a player is asked whether the War ends now.

    Rules: WEN-031 (R-WEN-12)
    """
    # the log keeps this text: its wording stays, players read that of `choice_narration.question`
    names = "; ".join(powers_named(play.tables, war.alliance(n)) for n in met)
    why = "no Unit abroad" if NO_UNITS in met.values() else "no Area that enemy Armies do not hold"
    for power in war.powers:
        if power in play.state.powers:
            play.offer(
                power,
                EndWaiver(war=war.id, test=next(iter(met.values()))),
                (END_IT, GO_ON),
                END_IT,
                "",
                f"{names}: {why}. Does the War end, or shall it go on, as any belligerent may ask in its first "
                f"{EARLY} cycles?",
                ("WEN-031",),
            )


def answer_waiver(play: Play, choice: Pending, about: EndWaiver, words: tuple[str, ...]) -> None:
    """A belligerent lets the War end, or has it go on; one who wants that is enough.

    Raises: Refusal `bad_answer`.
    Rules: WEN-031 (R-WEN-12)
    """
    war = next(w for w in play.state.wars if w.id == about.war)
    others = [c for c in play.state.choices if isinstance(c.about, EndWaiver) and c.about.war == war.id]
    if one_of(choice, words) == GO_ON:
        play.emit(ev.EndTestsWaived(war=war.id, power=choice.power, rules=("WEN-031",)))
        for other in others:
            play.emit(ev.ChoiceMade(id=other.id, void=True, rules=("WEN-031",)))
    elif not others:
        conclude(play, war, beaten(play.tables, play.state, war))
