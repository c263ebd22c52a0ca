"""Reparations after a Chinese Rebellion that the colonial Powers have won: Areas that China cedes.

Each Great Power with Army Units left in China demands one defeated Area, one after the other. Where there is enough for
all each gets its own; else what they have demanded is one list that all of them sign, or nothing is ceded.

Rules: REB-037 to REB-047, REB-059, CRI-010, CRI-011 (R-REB-12, R-CRI-07, R-WEN-13, Decision 53)
"""

from __future__ import annotations

from typing import NamedTuple

from paxtui.pax.board.status import at, established
from paxtui.pax.board.tables import Tables
from paxtui.pax.expansion.status_change import resent
from paxtui.pax.history import events as ev
from paxtui.pax.play.choices import one_of
from paxtui.pax.play.play import Play
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import CHINA, INFLUENCE, INTEREST, POSSESSION, PROTECTORATE
from paxtui.pax.state.questions import Cession, Cessions, Pending
from paxtui.pax.state.war import War
from paxtui.pax.war import empire
from paxtui.pax.war.outcome import cession_treaty
from paxtui.pax.war.outcome.rebellion_end import BEATEN, colonial
from paxtui.pax.war.outcome.spoils import free
from paxtui.pax.words.spoken import place_name, power_name

NONE, SIGN, REJECT = "none", "sign", "reject"
"""What a Power may answer besides a demand, and to the list."""
MARKERS = (PROTECTORATE, POSSESSION)
"""Control markers of which the receiver chooses one."""
FIRST = ("russia", "japan")
"""Minor Powers in the order in which they demand; any others come after them (REB-045)."""


class Ceded(NamedTuple):
    """An Area that China cedes to a Power, and the marker placed there."""

    power: str
    area: str
    marker: str


# --- who and what ---------------------------------------------------------------------------------------------------


def claimants(tables: Tables, state: State, war: War) -> tuple[str, ...]:
    """The Powers with Army Units in China, Great Powers first, then the Minor ones in their order.

    Rules: REB-037, REB-042, REB-044, REB-045
    """
    held = colonial(tables, state, war)
    there = [p for p in war.powers if p != CHINA and any(empire.armies(state, area, (p,)) for area in held)]
    minors = [p for p in there if p not in state.powers]
    first = [p for p in FIRST if p in minors]
    return (*(p for p in there if p in state.powers), *first, *(p for p in minors if p not in first))


def great(tables: Tables, state: State, war: War) -> tuple[str, ...]:
    """The claimants that have a player, and so a say. Rules: REB-044."""
    return tuple(p for p in claimants(tables, state, war) if p in state.powers)


def offered(war: War) -> tuple[str, ...]:
    """The Areas that may be ceded: those defeated, about which nothing is decided. Rules: REB-038."""
    return tuple(a for a in war.defeated if a not in war.divided)


def open_to(tables: Tables, state: State, power: str, areas: tuple[str, ...]) -> dict[str, Ceded]:
    """What a Power may demand, by the texts of its answers. Rules: REB-038, REB-041, REB-059, SET-039."""
    return {
        f"place {marker} {area}": Ceded(power, area, marker)
        for area in areas
        for marker in MARKERS
        if free(tables, state, power, area, marker)
    }


# --- the demands ----------------------------------------------------------------------------------------------------


def settle(play: Play, war: War) -> bool:
    """Ask for the next demand, if the Powers have won; whether nothing is left to be asked.

    Rules: REB-037, REB-044, REB-047
    """
    if war.outcome != BEATEN or not offered(war) or not great(play.tables, play.state, war):
        return True
    return not _ask(play, war, {})


def _ask(play: Play, war: War, said: dict[str, tuple[str, ...]]) -> bool:
    """Ask the next Great Power for its demand; whether there was one, or all have spoken now.

    Rules: REB-037, REB-038, REB-040
    """
    asked = next((p for p in great(play.tables, play.state, war) if p not in said), None)
    if asked is None:
        return _divide(play, war, said)
    heard = "; ".join(f"{power_name(play.tables, p)}: {' '.join(words)}" for p, words in said.items())
    play.offer(
        asked,
        Cession(war=war.id, said=said),
        (*open_to(play.tables, play.state, asked, offered(war)), NONE),
        NONE,
        "",
        "Which defeated Area shall China cede to you, under which marker? It costs nothing."
        + (f" Said so far: {heard}." if heard else ""),
        ("REB-037", "REB-038", "REB-041"),
    )
    return True


def answer_cession(play: Play, choice: Pending, about: Cession, words: tuple[str, ...]) -> None:
    """A Power demands an Area or none; once all have spoken, the Areas are ceded or the list is put to them.

    Raises: Refusal `bad_answer`; GameOver.
    Rules: REB-037, REB-039, REB-040, REB-043
    """
    one_of(choice, words)
    war = next(w for w in play.state.wars if w.id == about.war)
    _ask(play, war, {**about.said, choice.power: words})


def _divide(play: Play, war: War, said: dict[str, tuple[str, ...]]) -> bool:
    """Each gets its own where there is enough and no two want the same, else the list has to be signed; whether it has.

    Rules: REB-039, REB-042, REB-043, REB-045, REB-047 (Decision 53)
    """
    tables, state = play.tables, play.state
    areas, powers = offered(war), claimants(tables, state, war)
    demands = [open_to(tables, state, p, areas)[words[0]] for p, words in said.items() if words[0] != NONE]
    wanted = [demand.area for demand in demands]
    list_ = _with_minors(tables, state, war, _without_doubles(demands))
    if not list_:
        _close(play, war)
        return False
    if len(areas) >= len(powers) and len(set(wanted)) == len(wanted):
        _cede(play, war, list_)
        return False
    text = ", ".join(f"{place_name(tables, c.area)} to {power_name(tables, c.power)} ({c.marker})" for c in list_)
    for power in great(tables, state, war):
        play.offer(
            power,
            Cessions(war=war.id, cessions=tuple((c.power, c.area, c.marker) for c in list_)),
            (SIGN, REJECT),
            REJECT,
            "",
            f"The cessions demanded of China: {text}. All have to sign, or nothing is ceded.",
            ("REB-039", "REB-043", "REB-044"),
        )
    return True


def _without_doubles(demands: list[Ceded]) -> list[Ceded]:
    """The demands without those for an Area that an earlier Power wants."""
    found: dict[str, Ceded] = {}
    for demand in demands:
        found.setdefault(demand.area, demand)
    return list(found.values())


def _with_minors(tables: Tables, state: State, war: War, ceded: list[Ceded]) -> list[Ceded]:
    """The list with what is left for the Minor Powers: a Possession of the best Area, by Economic Value.

    Where no Great Power takes an Area no Minor Power gets one.

    Rules: REB-042, REB-045, REB-046, REB-047
    """
    out = list(ceded)
    for power in claimants(tables, state, war) if ceded else ():
        taken = {c.area for c in out}
        left = [a for a in offered(war) if a not in taken and free(tables, state, power, a, POSSESSION)]
        if power not in state.powers and left:
            best = min(left, key=lambda a: (-tables.areas[a].value, a))
            out.append(Ceded(power, best, POSSESSION))
    return out


def answer_cessions(play: Play, choice: Pending, about: Cessions, words: tuple[str, ...]) -> None:
    """A Power signs the list or not; one that does not is enough for nothing to be ceded.

    Raises: Refusal `bad_answer`; GameOver.
    Rules: REB-043, REB-044, REB-046, REB-047 (Decision 53)
    """
    said = one_of(choice, words)
    war = next(w for w in play.state.wars if w.id == about.war)
    others = [c for c in play.state.choices if isinstance(c.about, Cessions) and c.about.war == war.id]
    if said == REJECT:
        for other in others:
            play.emit(ev.ChoiceMade(id=other.id, void=True, rules=("REB-043",)))
        _close(play, war)
    elif not others:
        _cede(play, war, [Ceded(*row) for row in about.cessions])


# --- the cessions ---------------------------------------------------------------------------------------------------


def _cede(play: Play, war: War, list_: list[Ceded]) -> None:
    """China cedes the Areas of the list, which a Treaty records; about the others nothing more is asked.

    Rules: REB-041, REB-059, CRI-010
    """
    signers = great(play.tables, play.state, war)
    _close(play, war)
    for ceded in list_:
        place(play, war, ceded)
    cession_treaty.record(play, signers, tuple(tuple(c) for c in list_))


def _close(play: Play, war: War) -> None:
    for area in offered(war):
        play.emit(ev.SpoilsDivided(war=war.id, area=area, rules=("REB-038", "REB-043")))


def place(play: Play, war: War, ceded: Ceded) -> None:
    """A marker comes into a ceded Area at no cost, what it conflicts with goes without tensions, and China resents it.

    Rules: REB-041, REB-059, CRI-010, CRI-011 (R-REB-12, R-CRI-07)
    """
    power, area, marker = ceded
    gone = (INFLUENCE, INTEREST) if marker == POSSESSION else (INFLUENCE,)
    for m in at(play.state, area).markers:
        if m.power != power and m.marker in gone:
            play.lower(area, m.power, m.marker, "", "ceded by China", ("REB-059",), None, m.established)
    own = established(play.state, area, power)
    play.emit(ev.AreaCeded(war=war.id, power=power, area=area, marker=marker, rules=("REB-041", "REB-059")))
    play.establish(area, power, marker, own, ("REB-041",))
    resent(play, power, area, marker, own, "CRI-010", "CRI-011")
