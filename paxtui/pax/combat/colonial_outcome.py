"""What comes of an attack on an Area: it is defeated and new Control established, or the attackers are thrown back.

Rules: CCB-002, CCB-009 to CCB-012, CCB-017 to CCB-020, CCB-024, CCB-034, CCB-039, CCB-048, CCB-063, ETI-039, MIN-057,
OTT-002, STA-017, STA-020 (R-MIN-06, Decision 3)
"""

from __future__ import annotations

from paxtui.pax.board.links import linked_areas
from paxtui.pax.board.neighbours import area_type
from paxtui.pax.board.status import at, controllers, controls, established, influence_holders, unestablished
from paxtui.pax.combat import ottoman_expansion, retreats
from paxtui.pax.expansion import status_change
from paxtui.pax.history import events as ev
from paxtui.pax.play.play import Play
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import CONTROL, EXPANSION, POSSESSION, PROTECTORATE


def win(play: Play, area: str, powers: tuple[str, ...], rules: tuple[str, ...]) -> None:
    """The Area is defeated: Unrest ends, and the attackers' new Control markers are established at once.

    `rules`: why it is defeated.

    Rules: CCB-002, CCB-009, CCB-012, CCB-019, CCB-024, CCB-034, CCB-039, STA-017, STA-020, MIN-057, EVT-040, OTT-002
    """
    fresh = {p: m for p in powers if (m := unestablished(play.state, area, p)) and m.marker in CONTROL}
    if at(play.state, area).unrest:
        both = ("CCB-002", "CCB-018") if fresh else ()
        play.emit(ev.UnrestEnded(area=area, by=powers, rules=("CCB-019", _why(play.state, area), *both, *rules)))
        for power in powers:
            if power in play.state.minors:
                _rise(play, area, power)
            elif power == EXPANSION:
                ottoman_expansion.annex(play, area)
    for power, new in fresh.items():
        controlled = controls(play.state, area, power)
        play.emit(
            ev.MarkerEstablished(
                area=area, power=power, marker=new.marker, rules=("CCB-009", "STA-017", "STA-020", *rules)
            )
        )
        if not controlled:
            war_due(play, area, power)


def war_due(play: Play, area: str, power: str) -> None:
    """New Control in an Ottoman Area brings the Ottoman Empire to war this turn.

    Rules: OTT-002
    """
    if area_type(play.tables, play.state, area) == "ottoman":
        play.emit(ev.WarDue(war="ottoman", power=power, area=area, rules=("OTT-002",)))


def _why(state: State, area: str) -> str:
    """Rule by which the victory ends this kind of Unrest."""
    if controllers(state, area):
        return "CCB-024"
    return "CCB-034" if influence_holders(state, area) else "CCB-039"


def _rise(play: Play, area: str, minor: str) -> None:
    """A Minor Power that put down Unrest turns its Protectorate of an earlier turn into a Possession.

    Rules: MIN-057, R-MIN-06
    """
    own = established(play.state, area, minor)
    if own is None or own.marker != PROTECTORATE:
        return
    old = own.since < play.state.turn or play.state.options.minor_fresh_protectorate_upgrades
    if old and area in linked_areas(play.tables, play.state, minor):
        status_change.place_minor(play, minor, area, POSSESSION, ("MIN-057",))


def fail(play: Play, area: str, powers: tuple[str, ...]) -> None:
    """The Area is not defeated: new Control markers of the attackers go, what is left of their armies retreats.

    Rules: CCB-010, CCB-011, CCB-012, CCB-048, CCB-063, ETI-039
    """
    for power in powers:
        drop_new_control(play, area, power)
        if power == EXPANSION:
            ottoman_expansion.dissolve(play, area)
        else:
            retreats.retreat_armies(play, power, area, ("CCB-011", "CCB-048"))


def drop_new_control(play: Play, area: str, power: str) -> None:
    """Take an unestablished Control marker off that its Power's armies did not fight for with success.

    The older marker under it stays, unless the option for failed upgrades says otherwise (Decision 3).

    Rules: CCB-010, CCB-063, ETI-039
    """
    new = unestablished(play.state, area, power)
    if new is None or new.marker not in CONTROL:
        return
    old = established(play.state, area, power)
    rules = ("CCB-010", "CCB-063", "ETI-039") if old else ("CCB-010", "ETI-039")
    play.lower(area, power, new.marker, "", "not defeated", rules, None, established=False)
    if old and old.marker not in CONTROL and not play.state.options.failed_upgrade_keeps_old:
        play.lower(area, power, old.marker, "", "failed upgrade", ("CCB-010",), None)
