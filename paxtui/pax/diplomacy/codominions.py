"""The proposal that an Area be shared by all who hold Control there, and by Influence holders who join them.

Rules: COD-001, COD-003, COD-004, COD-013, NEG-018, NEG-019, NEG-021 (R-COD-01)
"""

from __future__ import annotations

from paxtui.pax.board.status import (
    controllers,
    controls,
    influence_holders,
    seat_of,
)
from paxtui.pax.diplomacy import settlement, sharing
from paxtui.pax.expansion.placement import check_words
from paxtui.pax.orders import actions as ac
from paxtui.pax.play import offers, secrecy
from paxtui.pax.play.play import Play, refuse
from paxtui.pax.state.questions import Pending, ShareOffer
from paxtui.pax.state.treaty import Clause
from paxtui.pax.words.spoken import powers_named


def codominion(play: Play, power: str, action: ac.Codominion) -> None:
    """Propose that all who hold Control in an Area, and the Influence holders `also`, share it.

    Every other seat concerned is asked; the Codominion forms when the last one accepts.

    Raises: Refusal.
    Rules: COD-001, COD-003, COD-013, NEG-018, NEG-019, COD-004
    """
    tables, state = play.tables, play.state
    check_words(play, action.area)
    name = tables.areas[action.area].name
    also = tuple(dict.fromkeys(action.also))
    if power in influence_holders(state, action.area) and power not in also:
        also = (*also, power)
    if not controls(state, action.area, power) and power not in also:
        refuse(
            "no_control",
            ("NEG-019", "COD-003"),
            f"Only a Power with Control or Influence in {name} can propose to share it.",
        )
    members = _members(play, action.area, also)
    settlement.check(play, (_shared(action.area, members),))
    own_seat = seat_of(tables, state, power)
    asked = [p for p in members if seat_of(tables, state, p) != own_seat]
    if not asked:
        settlement.carry_out(play, (_shared(action.area, members),), ())
        return
    # only a proposal that the seat knows of stands in the way
    if any(
        isinstance(c.about, ShareOffer) and c.area == action.area and own_seat in secrecy.between(tables, state, c)
        for c in state.choices
    ):
        refuse("offered", ("NEG-019",), f"A Codominion of {name} is proposed already and waits for its answers.")
    proposal = secrecy.private_id("p", state.turn, power, action.area, members)
    offer = ShareOffer(action.area, members, proposal, power, also)
    prompt = f"{tables.powers[power].name} proposes that {powers_named(tables, members)} share {name}"
    for other in asked:
        own = prompt + (f", for £{sharing.JOINING} of yours" if other in also else "")
        play.offer(other, offer, offers.ANSWERS, offers.DECLINE, action.area, own, ("NEG-019",))


def answer_codominion(play: Play, choice: Pending, offer: ShareOffer, answer: tuple[str, ...]) -> None:
    """Agree to a Codominion or not: one refusal ends the proposal.

    Raises: Refusal, when it can no longer be formed.
    """
    agreed = offers.accepted(choice, answer)
    if not agreed:
        offers.void_rest(play, offer)
        return
    members = _members(play, offer.area, offer.also)
    if set(members) != set(offer.members):
        refuse("changed", ("NEG-019",), "The Powers that hold Control there are no longer those of the proposal.")
    settlement.check(play, (_shared(offer.area, members),))
    if not offers.rest_of(play, offer):
        settlement.carry_out(play, (_shared(offer.area, members),), ())


def _shared(area: str, members: tuple[str, ...]) -> Clause:
    """The one act of a Codominion."""
    return Clause("codominion", against=members, places=(area,))


def _members(play: Play, area: str, also: tuple[str, ...]) -> tuple[str, ...]:
    """The members of the Codominion that would be formed: all with Control there, and the Influence holders `also`.

    Raises: Refusal `unknown_power`, `no_influence`.
    Rules: COD-001, COD-004, NEG-019, NEG-021
    """
    tables, state = play.tables, play.state
    for power in also:
        if power not in tables.powers:
            refuse("unknown_power", (), f"There is no Power {power!r}.")
        if power not in influence_holders(state, area):
            refuse(
                "no_influence",
                ("COD-004", "NEG-021"),
                f"{tables.powers[power].name} has no Influence in {tables.areas[area].name} that could become a "
                f"Protectorate.",
            )
    return (*controllers(state, area), *also)
