"""The map of a War: belligerents in their colours, others dimmed; Units by strength, supply, blockades, coaling.

Signs show sides, colours show Powers: ▲ the viewer's side, ▼ the others, ⚔ both, hollow for fleets only; ⊗ a blockaded
coast, ! out of supply, ≈ coaling. They replace the markers of the peacetime scene.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from paxtui.games.pax.board.status import units_line
from paxtui.games.pax.board.tables import HOME, Tables
from paxtui.games.pax.reports import war_status
from paxtui.games.pax.reports.war_status import WarMap, war_map
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import ARMY, Unit
from paxtui.games.pax.state.war import War
from paxtui.session.session import Session
from paxtui.tui.colors import letters_of
from paxtui.tui.map.scene import COALING, WITHIN_REACH, PlaceMark, Scene, TextSegments

OWN_SIGN, ENEMY_SIGN, BOTH_SIGN = "▲", "▼", "⚔"
HOLLOW = {OWN_SIGN: "△", ENEMY_SIGN: "▽"}
"""Signs of the sides for fleets only."""
BLOCKADED, COALED = "⊗", "≈"
OWN_STATUS, CONQUERED_STATUS = "possession", "protectorate"
"""Statuses that tint what a side holds of its own, and what it has conquered."""

Numbered = tuple[tuple[int, Unit], ...]


def viewer_side(war: War, powers: tuple[str, ...]) -> int:
    """Return the number of the Alliance of these Powers; for neutrals the first one."""
    return next((n for p in powers if (n := war.side_of(p))), 1)


def overlay_war(scene: Scene, tables: Tables, state: State, powers: tuple[str, ...], view: str) -> Scene:
    """Overlay a peacetime scene with the War of the viewer's Powers, or the current one. `view`: one of `WAR_VIEWS`."""
    war = next(iter(war_status.sorted_wars(state, powers)), None)
    if war is None:
        return scene
    side = viewer_side(war, powers)
    seen = war_map(tables, state, war, side)
    lead = {n: next(iter(names), "") for n, names in enumerate(war.alliances, start=1)}
    marks = {place: _mark(scene.marks[place], place, seen, side, lead, war) for place in scene.marks}
    laid = replace(
        scene,
        marks=marks,
        sea_merchants=_seas(scene.sea_merchants, tables, seen, side),
        own_lines=seen.own_lines,
        enemy_lines=seen.enemy_lines,
        filter=None,
    )
    if view == WITHIN_REACH:
        return replace(laid, filter=seen.within)
    if view == COALING:
        return replace(laid, filter=seen.coaling | seen.volunteered)
    return laid


def _mark(mark: PlaceMark, place: str, seen: WarMap, side: int, lead: Mapping[int, str], war: War) -> PlaceMark:
    """Return the mark of a place in War. An Area has the colour of the belligerent that holds it."""
    number = seen.held.get(place, 0)
    units = seen.units.get(place, ())
    sign = _strengths(units, side) if units else ()
    home = mark.status == "home"
    if not number:
        return replace(mark, dim=not units, sign=sign or mark.sign, second=_units_by_side(units, side) or mark.second)
    conquered = place in seen.conquered
    holder = next((power for power in mark.holders if war.side_of(power) == number), lead[number])
    owner = lead[number] if conquered else holder
    if not sign and not home:
        sign = (("▸", owner), (letters_of(owner), owner)) if conquered else mark.sign
    if place in seen.blockaded:
        sign = (*sign, (BLOCKADED, "alarm"))
    holders = (owner, *(h for h in mark.holders if conquered and h != owner))
    return replace(
        mark,
        ink=mark.ink if home else owner,
        owned=not home,
        sign=sign,
        second=_units_by_side(units, side) or mark.second,
        unrest=place in seen.peril,
        casus_belli=False,
        unestablished=False,
        status=mark.status if home else CONQUERED_STATUS if conquered else OWN_STATUS,
        holders=mark.holders if home else holders,
        dim=False,
    )


def _strengths(units: Numbered, side: int) -> TextSegments:
    """Return the strengths after a code: of one side, or of both if they face each other.

    The sign has the colour of the side's strongest Power there, the figure that of the second strongest.
    """
    ours, theirs = [u for n, u in units if n == side], [u for n, u in units if n != side]
    if ours and theirs:
        one, other = _points(ours), _points(theirs)
        if len(f"{one}{other}") > 2:
            return ((BOTH_SIGN, "war"),)
        return ((str(one), _by_strength(ours)[0]), (BOTH_SIGN, "war"), (str(other), _by_strength(theirs)[0]))
    sign, these = (OWN_SIGN, ours) if ours else (ENEMY_SIGN, theirs)
    armies = [u for u in these if u.kind == ARMY]
    powers = _by_strength(armies or these)
    return ((sign if armies else HOLLOW[sign], powers[0]), (str(_points(armies or these)), powers[:2][-1]))


def _by_strength(units: list[Unit]) -> list[str]:
    """Return the Powers of these Units, the strongest first."""
    powers = dict.fromkeys(u.power for u in units)
    return sorted(powers, key=lambda power: -_points([u for u in units if u.power == power]))


def _points(units: list[Unit]) -> int:
    armies = [u for u in units if u.kind == ARMY]
    return sum(u.strength for u in armies or units)


def _units_by_side(units: Numbered, side: int) -> TextSegments:
    """Return the Units of each Power for the second line. Allies share one sign."""
    found = []
    for number in dict.fromkeys(n for n, _ in units):
        these = [u for n, u in units if n == number]
        sign = OWN_SIGN if number == side else ENEMY_SIGN
        for power in _by_strength(these):
            found.append((sign + units_line(tuple(u for u in these if u.power == power)), power))
            sign = ""
    return tuple(found)


def _seas(merchants: Mapping[str, TextSegments], tables: Tables, seen: WarMap, side: int) -> dict[str, TextSegments]:
    """Return the text below the names of seas: strength of both sides, Coaling Rights, belligerents' merchants."""
    found = {}
    for zone in (*tables.sea_zones, *tables.capes):
        units = seen.units.get(zone, ())
        strengths = tuple(
            _strength_at_sea([u for n, u in units if n == number and u.power == power], power, ours=number == side)
            for number in sorted({n for n, _ in units}, key=lambda n: n != side)
            for power in _by_strength([u for n, u in units if n == number])
        )
        coal: TextSegments = ((COALED, "good"),) if zone in seen.coaling else ()
        own = tuple((text, power) for text, power in merchants.get(zone, ()) if HOME + power in seen.held)
        if pieces := (*strengths, *coal, *own):
            found[zone] = pieces
    return found


def _strength_at_sea(units: list[Unit], power: str, *, ours: bool) -> tuple[str, str]:
    """Return the fleets of a Power in a sea, followed by the Armies that they carry."""
    sign = OWN_SIGN if ours else ENEMY_SIGN
    fleets, armies = ([u.strength for u in units if (u.kind == ARMY) == carried] for carried in (False, True))
    text = f"{HOLLOW[sign]}{sum(fleets)}" if fleets else ""
    return text + (f"{sign}{sum(armies)}" if armies else ""), power


def war_theatre(session: Session) -> str:
    """Return the place that the War of the Powers at the keyboard is about; "" if they fight none."""
    tables, mine = session.tables, session.powers()
    war = next((war for war in session.live.wars if any(war.side_of(power) for power in mine)), None)
    if war is None:
        return ""
    side = viewer_side(war, mine)
    enemies = [power for n, powers in enumerate(war.alliances, start=1) if n != side for power in powers]
    homes = [HOME + power for power in enemies if power in tables.homes]
    return next(iter([area for area in war.over if area in tables.areas] + homes), "")
