"""A marker handed over to another Power: offered, and done at once between Powers of one seat.

Everything is checked again when it is accepted.

Rules: STA-034 to STA-036, NEG-003, NEG-011, NEG-016, SET-039, COD-001 (R-STA-08, R-NEG-02, R-NEG-05)
"""

from __future__ import annotations

from paxtui.pax.board import counters
from paxtui.pax.board.status import (
    at,
    established,
    level,
    seat_of,
    unestablished,
)
from paxtui.pax.diplomacy import disputes
from paxtui.pax.expansion.placement import check_words
from paxtui.pax.history import events as ev
from paxtui.pax.orders import actions as ac
from paxtui.pax.play import casus_belli, offers
from paxtui.pax.play.play import Play, refuse
from paxtui.pax.state.pieces import ARMY, CONTROL, Marker
from paxtui.pax.state.questions import MarkerOffer, Pending
from paxtui.pax.words.spoken import power_name


def transfer(play: Play, power: str, action: ac.Transfer) -> None:
    """Offer one's established marker in an Area to another Power.

    Raises: Refusal.
    Rules: STA-034, STA-035, STA-036, SET-039 (R-STA-08)
    """
    marker = check_transfer(play, power, action.to, action.area)
    if seat_of(play.tables, play.state, power) == seat_of(play.tables, play.state, action.to):
        _hand_over(play, power, action.to, action.area, marker)
        return
    name = play.tables.areas[action.area].name
    prompt = f"{play.tables.powers[power].name} offers its {marker.marker.title()} in {name}"
    offers.put(play, MarkerOffer(power, action.to, action.area, marker.marker), action.area, prompt, "STA-034")


def answer_transfer(play: Play, choice: Pending, offer: MarkerOffer, answer: tuple[str, ...]) -> None:
    """Take or decline a marker.

    Raises: Refusal, when it cannot change hands any more, or is no longer the one offered.
    """
    if not offers.accepted(choice, answer):
        return
    marker = check_transfer(play, offer.giver, offer.to, offer.area)
    if marker.marker != offer.marker:
        refuse(
            "changed",
            ("STA-035",),
            f"It is a {marker.marker.title()} by now, not the {offer.marker.title()} that was offered.",
        )
    _hand_over(play, offer.giver, offer.to, offer.area, marker)


def _hand_over(play: Play, giver: str, to: str, area: str, marker: Marker) -> None:
    """A marker changes hands by itself, and the disputes over the Area with it.

    Rules: NEG-003, NEG-011, STA-034 (R-NEG-02, R-STA-08)
    """
    hand_marker(play, giver, to, area, marker)
    casus_belli.settle(play, area, ("NEG-003", "NEG-011", "STA-034"))
    if play.state.phase != "movement":
        casus_belli.of_markers(play, area, (to,), disputes.waivers(play.state, area))


def check_transfer(play: Play, giver: str, to: str, area: str, congress: bool = False) -> Marker:
    """The marker that would change hands. In a Congress of Europe a Minor Power may receive one.

    Raises: Refusal `no_marker`, `not_established`, `crown`, `minor`, `receiver_has`, `being_upgraded`, `no_piece`.
    Rules: STA-034, STA-035, STA-036, SET-039 (R-STA-08, R-NEG-05)
    """
    tables, state = play.tables, play.state
    check_words(play, area)
    name = tables.areas[area].name
    if to not in tables.powers:
        refuse("unknown_power", (), f"There is no Power {to!r}.")
    marker = established(state, area, giver)
    new = unestablished(state, area, giver)
    if marker is None:
        why = "only an established one can be handed over" if new else "there is nothing to hand over"
        refuse(
            "not_established" if new else "no_marker",
            ("STA-034",),
            f"{power_name(tables, giver)} has no established marker in {name}: {why}.",
        )
    if tables.markers[marker.marker].only_for:
        refuse("crown", ("STA-036",), "States and Dominions belong to their one Power and cannot be handed over.")
    if to not in state.powers and not congress:
        refuse("minor", ("STA-034",), f"{tables.powers[to].name} is a Minor Power and agrees to no transfer.")
    if giver == to:
        refuse("yourself", ("STA-034",), "A marker can only be handed to another Power.")
    if new is not None:
        refuse("being_upgraded", ("STA-034", "STA-028"), f"The marker in {name} is just being upgraded.")
    theirs = [m for m in at(state, area).markers if m.power == to]
    if any(level(m) >= level(marker) for m in theirs):
        refuse(
            "receiver_has",
            ("STA-034", "SET-082"),
            f"{tables.powers[to].name} has as high a marker in {name} itself, and can hold but one.",
        )
    pool = tables.markers[marker.marker].pool
    flips = any(tables.markers[m.marker].pool == pool for m in theirs)
    if not flips and counters.free(tables, state, to, pool) <= 0:
        refuse(
            "no_piece",
            ("STA-034", "SET-039"),
            f"{tables.powers[to].name} has no free {pool} piece for a {marker.marker.title()}"
            f"{counters.limits_note(tables)}.",
        )
    return marker


def hand_marker(
    play: Play, giver: str, to: str, area: str, marker: Marker, more: tuple[str, ...] = ()
) -> None:
    """Change the owner of a marker; armies of the giver there have ended their movement. `more`: rules besides.

    A share of a Codominion passes on; between its members there is one member less.

    Rules: STA-034, STA-035, COD-001, NEG-011, NEG-016 (R-STA-08, R-NEG-02, R-COD-05)
    """
    state = play.state
    shared = at(state, area).codominion
    moving = state.phase == "movement"
    own = ("STA-034", "STA-035") if moving else ("STA-035", "NEG-011", "NEG-016")
    rules = tuple(dict.fromkeys((*own, *more)))
    handed = ev.MarkerTransferred(area=area, power=giver, to=to, marker=marker.marker, turn=state.turn, rules=rules)
    play.emit(handed, agreed=(giver, to))
    if giver in shared and to in shared:
        rest = tuple(p for p in shared if p != giver)
        play.emit(ev.CodominionSet(area=area, powers=rest if len(rest) > 1 else (), rules=("COD-001", *rules)))
    if moving and marker.marker in CONTROL and any(u.power == giver and u.kind == ARMY for u in at(state, area).units):
        play.emit(ev.UnitsHalted(power=giver, place=area, rules=("STA-034", "MOV-009")))
    if state.options.transfer_raises_eti:
        play.tension(1, "marker handed over", ("STA-034",), giver, area)
