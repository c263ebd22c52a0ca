"""The six results of a combat in War, and the losses of an exchange.

Rules: WCB-019, WCB-020, WCB-023 to WCB-030, WCB-038, REB-024 to REB-026 (R-WCB-05, R-WCB-06, R-REB-20)
"""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from paxtui.pax.combat import losses
from paxtui.pax.history import events as ev
from paxtui.pax.play.play import Play, refuse
from paxtui.pax.state.model import units_at
from paxtui.pax.state.pieces import NAVAL, Unit
from paxtui.pax.state.questions import Pending, WarLosses
from paxtui.pax.state.war import War
from paxtui.pax.war import empire
from paxtui.pax.war.alliances import commanders
from paxtui.pax.war.campaign import battle_retreat, surrender
from paxtui.pax.words.spoken import place_name, power_name

Units = tuple[Unit, ...]


class Combat(NamedTuple):
    """A combat after the die: the result, the strengths that counted, and the Units of both sides that suffer it.

    Units that have retreated into the combat suffer with their side and have added nothing to its strength. `area`:
    strength points that an Area of an Empire has added to its side.
    """

    result: str
    attack: int
    defend: int
    ours: Units
    theirs: Units
    area: int = 0


def apply(play: Play, war: War, place: str, combat: Combat) -> None:
    """Do to attackers and defenders what the result says, and to an Area of an Empire that fought with them.

    Rules: WCB-019, WCB-020, WCB-023, WCB-026, WCB-027, WCB-029, WCB-030 (R-WCB-05)
    """
    if combat.area and _defeats(war, combat):
        play.emit(ev.AreaDefeated(war=war.id, area=place, rules=("REB-024", "REB-025", "REB-026")))
    if combat.result == "E":
        _eliminate(play, place, combat.ours, ("WCB-019",))
    elif combat.result == "AR":
        battle_retreat.retreat(play, war, place, combat.ours, ("WCB-020",))
    elif combat.result == "DR":
        battle_retreat.retreat(play, war, place, combat.theirs, ("WCB-029",))
    elif combat.result == "DE":
        _eliminate(play, place, combat.theirs, ("WCB-030",))
    else:
        exchange(play, war, place, combat)


def _defeats(war: War, combat: Combat) -> bool:
    """Whether a combat defeats the Area of an Empire that fought in it.

    Attacking, it falls with the Empire's Armies; attacked, it withstands an exchange with a force no stronger.

    Rules: REB-024, REB-025, REB-026 (R-REB-20)
    """
    if empire.of(war) in war.alliance(war.turn_of):
        return combat.result in ("E", "AR")
    return combat.result in ("DR", "DE") or (combat.result in ("EX", "HX") and combat.defend < combat.attack)


def _eliminate(play: Play, place: str, units: Units, rules: tuple[str, ...]) -> None:
    """Units leave the map for good."""
    losses.remove(play, place, [(u.power, u.name) for u in units], "combat", rules)


# --- exchanges ------------------------------------------------------------------------------------------------------


def exchange(play: Play, war: War, place: str, combat: Combat) -> None:
    """The weaker force is removed, the stronger loses as much, or half as much, of its own.

    Equal forces: both in an exchange; in a half one the attacker is the weaker. What an Area has added to a force
    counts, but the Area pays none of it.

    Rules: WCB-023, WCB-026, WCB-027 (R-WCB-05, R-REB-20)
    """
    weak, strong = (combat.ours, combat.theirs) if combat.attack <= combat.defend else (combat.theirs, combat.ours)
    least = min(combat.attack, combat.defend)
    rule, needed = ("WCB-023", least) if combat.result == "EX" else ("WCB-026", (least + 1) // 2)
    _eliminate(play, place, weak, (rule,))
    share(play, war, place, strong, needed, (rule,))


def share(play: Play, war: War, place: str, units: Units, needed: int, rules: tuple[str, ...]) -> None:
    """The stronger force loses at least so many strength points, Great Powers' Units before those of Minor Powers.

    Who has more than one way to lose enough chooses, no Unit too many; Minor Powers by whoever commands them alone.

    Rules: WCB-023, WCB-024, WCB-025, WCB-026, WCB-028 (R-WCB-06)
    """
    great = [(u.power, u.name) for u in units if u.power in play.state.powers]
    minor = [(u.power, u.name) for u in units if u.power not in play.state.powers]
    own, rest = great, needed
    total = losses.strength(name for _, name in great)
    if total < needed:
        losses.remove(play, place, great, "combat", (*rules, "WCB-024"))
        own, rest = minor, needed - total
    chosen = losses.smallest(own, rest)
    if not own or losses.only_one_way(own, chosen, rest):
        losses.remove(play, place, chosen, "combat", (*rules, "WCB-024"))
        return
    powers = tuple(p for p in war.powers if any(p == owner for owner, _ in own))
    seats = {seat for p in powers for seat in commanders(play.tables, play.state, war, p)}
    if own is minor and len(seats) != 1:  # nobody, or several who would have to agree
        losses.remove(play, place, chosen, "combat", (*rules, "WCB-024"))
        return
    about = WarLosses(war=war.id, unit_kind=units[0].kind, powers=powers, needed=rest)
    _ask(play, place, about, powers[0], rules, next(iter(seats)) if own is minor else "")


def _pieces(play: Play, place: str, about: WarLosses) -> list[losses.Piece]:
    """The Units that may be named, heavy ones of each Power first."""
    there = [u for u in units_at(play.state, place) if u.kind == about.unit_kind]
    return [
        (power, u.name)
        for power in about.powers
        for u in sorted(there, key=lambda u: -u.strength)
        if u.power == power
    ]


def _ask(play: Play, place: str, about: WarLosses, asked: str, rules: tuple[str, ...], seat: str = "") -> None:
    """Ask a Power which Units are lost; what a partner has named first is what is agreed to by default."""
    own = _pieces(play, place, about)
    first = next(iter(about.said.values()), None)
    default = first or losses.texts(losses.smallest(own, about.needed), about.powers)
    what = "fleets" if about.unit_kind == NAVAL else "armies"
    shared = len(about.powers) > 1 and not seat
    agree = " The allies have to name the same ones, or all of theirs are lost." if shared else ""
    heard = "".join(f" Proposed by {power_name(play.tables, p)}: {', '.join(t)}." for p, t in about.said.items())
    play.offer(
        asked,
        about,
        losses.texts(own, about.powers),
        default if len(default) > 1 else default[0],
        place,
        f"Which {what} of at least {about.needed} strength points are lost in {place_name(play.tables, place)}, none "
        f"too many?{agree}{heard}",
        (*rules, "WCB-024", "WCB-025"),
        seat,
    )


def answer_losses(play: Play, choice: Pending, about: WarLosses, answer: tuple[str, ...]) -> None:
    """Lose the Units named; Great Powers that fought together name the same ones, or lose all of theirs.

    Raises: Refusal `not_there`, `not_enough`, `more_than_needed`.
    Rules: WCB-023, WCB-025, WCB-026, WCB-028 (R-WCB-06)
    """
    own = _pieces(play, choice.area, about)
    named = losses.read(play, choice, about.powers, own, about.needed, answer)
    spare = losses.strength(name for _, name in named) - about.needed
    extra = next((text for text, (_, name) in zip(answer, named, strict=True) if int(name[1:]) <= spare), "")
    if extra:
        refuse("more_than_needed", choice.rules, f"{extra} need not be lost: the others are enough.")
    said = {**about.said, choice.power: tuple(sorted(answer))}
    left = [p for p in about.powers if p not in said]
    if left and about.powers[0] in play.state.powers:
        _ask(play, choice.area, replace(about, said=said), left[0], choice.rules)
    elif all(names == said[choice.power] for names in said.values()):
        losses.remove(play, choice.area, named, "combat", choice.rules)
    else:
        losses.remove(play, choice.area, own, "combat", ("WCB-025", "WCB-028"))
    war = next((w for w in play.state.wars if w.id == about.war), None)
    if war:
        surrender.after_combat(play, war, choice.area)
