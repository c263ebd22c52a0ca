"""Offers of one thing: a gift of money, a marker handed over, a Codominion. Several at once are a `settlement`.

Whoever proposes makes an offer, a pending choice of the other seat; between Powers of one seat it is done at once.
Everything is checked again when it is accepted. Rules: MOV-020, STA-034 to STA-036, COD-001, COD-013, NEG-011,
NEG-014, NEG-016, NEG-018, NEG-019 (R-STA-08, R-MOV-06, R-COD-01)
"""

from __future__ import annotations

from typing import Any

from paxtui.engine.choices import Choice
from paxtui.pax.board import counters
from paxtui.pax.board.status import (
    at,
    controllers,
    controls,
    established,
    influence_holders,
    level,
    seat_of,
    unestablished,
)
from paxtui.pax.diplomacy import settlement, sharing
from paxtui.pax.expansion import duties
from paxtui.pax.expansion.placement import check_words
from paxtui.pax.history import events as ev
from paxtui.pax.orders import actions as ac
from paxtui.pax.play import casus_belli, secrecy
from paxtui.pax.play.play import Play, refuse
from paxtui.pax.state.pieces import ARMY, CONTROL, Marker
from paxtui.pax.state.treaty import DRAFT, SETTLEMENT, Clause
from paxtui.pax.turn import negotiation
from paxtui.pax.words.spoken import power_name, powers_named

ACCEPT, DECLINE = "accept", "decline"
OFFERS = ("money", "transfer", "codominion", "canal")


def put(play: Play, giver: str, to: str, kind: str, area: str, prompt: str, data: dict[str, Any], rule: str) -> None:
    """Offer something to the seat of `to`.

    Raises: Refusal `offered`, when the very same offer is pending.
    """
    if any(c.kind == kind and c.power == to and c.data == data for c in play.state.choices):
        refuse("offered", (rule,), f"{play.tables.powers[to].name} has this very offer already and may answer it.")
    play.offer(to, kind, (ACCEPT, DECLINE), DECLINE, area, prompt, (rule,), data)


def accepted(choice: Choice, answer: tuple[str, ...]) -> bool:
    """Whether an offer is accepted.

    Raises: Refusal `bad_answer`.
    """
    if len(answer) != 1:
        refuse("bad_answer", choice.rules, f"Answer {choice.id} with accept or with decline.")
    return answer[0] == ACCEPT


def lapse_offers(play: Play) -> None:
    """End every offer still pending, when the Phase ends.

    Rules: MOV-020, STA-034
    """
    for choice in play.state.choices:
        if choice.kind in OFFERS:
            play.emit(ev.ChoiceMade(id=choice.id, void=True, rules=choice.rules))


def lapse_settlements(play: Play) -> None:
    """End every settlement that not all have signed, when the Negotiation Phase ends.

    Rules: SEQ-019 (R-NEG-08)
    """
    for treaty in play.state.treaties:
        if treaty.form == SETTLEMENT and treaty.stage == DRAFT:
            play.emit(ev.TreatyEnded(id=treaty.id, reason="lapsed", rules=("SEQ-019",)))


# --- money --------------------------------------------------------------------------------------------------------


def pay(play: Play, power: str, action: ac.Pay) -> None:
    """Offer pounds to another Power; Germany's to Austria-Hungary arrive at once.

    Raises: Refusal.
    Rules: MOV-020, NEG-014, EVT-018 (R-MOV-06)
    """
    check_gift(play, power, action.to, action.amount)
    duties.check_spending(play, power, action.amount)
    if seat_of(play.tables, play.state, power) == seat_of(play.tables, play.state, action.to):
        hand_money(play, power, action.to, action.amount, _gift_rules(play))
        return
    prompt = f"{play.tables.powers[power].name} offers £{action.amount}"
    data = {"from": power, "to": action.to, "amount": action.amount}
    put(play, power, action.to, "money", "", prompt, data, "MOV-020")


def answer_money(play: Play, choice: Choice, answer: tuple[str, ...]) -> None:
    """Take or decline an offer of money.

    Raises: Refusal, when the giver cannot give it any more.
    """
    if accepted(choice, answer):
        giver, to, amount = choice.data["from"], choice.data["to"], choice.data["amount"]
        check_gift(play, giver, to, amount)
        duties.check_spending(play, giver, amount)
        hand_money(play, giver, to, amount, _gift_rules(play))


def check_gift(play: Play, giver: str, to: str, amount: int) -> None:
    """Whether one Power may give another money, whatever it has.

    Raises: Refusal `unknown_power`, `no_treasury`, `yourself`, `gives_nobody`, `one_giver`, `amount`.
    Rules: MOV-020, SET-030, AUS-010, AUS-011 (R-MOV-06)
    """
    tables, state = play.tables, play.state
    for power in (giver, to):
        if power not in tables.powers:
            refuse("unknown_power", (), f"There is no Power {power!r}.")
        if power not in state.powers:
            refuse(
                "no_treasury",
                ("MOV-020", "SET-030"),
                f"{tables.powers[power].name} is a Minor Power: it has no Treasury, and neither gives nor takes money.",
            )
    if giver == to:
        refuse("yourself", ("MOV-020",), "Money can only be given to another Power.")
    if tables.powers[giver].seat:
        refuse("gives_nobody", ("MOV-020", "AUS-011"), f"{tables.powers[giver].name} gives money to nobody.")
    if tables.powers[to].seat not in ("", giver):
        refuse(
            "one_giver",
            ("MOV-020", "AUS-010"),
            f"{tables.powers[to].name} takes money from {tables.powers[tables.powers[to].seat].name} only.",
        )
    if amount < 1:
        refuse("amount", ("MOV-020",), f"A gift is £1 or more, not £{amount}.")


def _gift_rules(play: Play) -> tuple[str, ...]:
    return ("MOV-020",) if play.state.phase == "movement" else ("NEG-014",)


def hand_money(play: Play, giver: str, to: str, amount: int, rules: tuple[str, ...]) -> None:
    """Pounds go from one Treasury into another. `rules`: by which."""
    play.money(giver, -amount, f"gift to {play.tables.powers[to].name}", rules)
    play.money(to, amount, f"gift of {play.tables.powers[giver].name}", rules)


# --- markers ------------------------------------------------------------------------------------------------------


def transfer(play: Play, power: str, action: ac.Transfer) -> None:
    """Offer the own established marker of an Area to another Power.

    Raises: Refusal.
    Rules: STA-034, STA-035, STA-036, SET-039 (R-STA-08)
    """
    marker = check_transfer(play, power, action.to, action.area)
    if seat_of(play.tables, play.state, power) == seat_of(play.tables, play.state, action.to):
        _hand_over(play, power, action.to, action.area, marker)
        return
    name = play.tables.areas[action.area].name
    prompt = f"{play.tables.powers[power].name} offers its {marker.marker.title()} in {name}"
    data = {"from": power, "to": action.to, "area": action.area, "marker": marker.marker}
    put(play, power, action.to, "transfer", action.area, prompt, data, "STA-034")


def answer_transfer(play: Play, choice: Choice, answer: tuple[str, ...]) -> None:
    """Take or decline a marker.

    Raises: Refusal, when it cannot change hands any more, or is no longer the one offered.
    """
    if not accepted(choice, answer):
        return
    giver, to, area = choice.data["from"], choice.data["to"], choice.data["area"]
    marker = check_transfer(play, giver, to, area)
    if marker.marker != choice.data["marker"]:
        refuse(
            "changed",
            ("STA-035",),
            f"It is a {marker.marker.title()} by now, not the {choice.data['marker'].title()} that was offered.",
        )
    _hand_over(play, giver, to, area, marker)


def _hand_over(play: Play, giver: str, to: str, area: str, marker: Marker) -> None:
    """A marker changes hands by itself, and the disputes over the Area with it.

    Rules: NEG-003, NEG-011, STA-034 (R-NEG-02, R-STA-08)
    """
    hand_marker(play, giver, to, area, marker)
    casus_belli.settle(play, area, ("NEG-003", "NEG-011", "STA-034"))
    if play.state.phase != "movement":
        casus_belli.of_markers(play, area, (to,), negotiation.given_up(play.state, area))


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

    Rules: STA-034, STA-035, COD-001, NEG-011, NEG-016 (R-STA-08, R-NEG-02)
    """
    state = play.state
    moving = state.phase == "movement"
    own = ("STA-034", "STA-035") if moving else ("STA-035", "NEG-011", "NEG-016")
    rules = tuple(dict.fromkeys((*own, *more)))
    play.emit(ev.MarkerTransferred(area=area, power=giver, to=to, marker=marker.marker, turn=state.turn, rules=rules))
    if moving and marker.marker in CONTROL and any(u.power == giver and u.kind == ARMY for u in at(state, area).units):
        play.emit(ev.UnitsHalted(power=giver, place=area, rules=("STA-034", "MOV-009")))
    if state.options.get("transfer_raises_eti") == "yes":
        play.tension(1, "marker handed over", ("STA-034",), giver, area)


# --- Codominions --------------------------------------------------------------------------------------------------


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
        c.kind == "codominion" and c.area == action.area and own_seat in secrecy.between(tables, state, c)
        for c in state.choices
    ):
        refuse("offered", ("NEG-019",), f"A Codominion of {name} is proposed already and waits for its answers.")
    proposal = secrecy.private_id("p", state.turn, power, action.area, members)
    data = {"area": action.area, "members": list(members), "also": list(also), "proposal": proposal, "from": power}
    prompt = f"{tables.powers[power].name} proposes that {powers_named(tables, members)} share {name}"
    for other in asked:
        own = prompt + (f", for £{sharing.JOINING} of yours" if other in also else "")
        play.offer(other, "codominion", (ACCEPT, DECLINE), DECLINE, action.area, own, ("NEG-019",), data)


def answer_codominion(play: Play, choice: Choice, answer: tuple[str, ...]) -> None:
    """Agree to a Codominion or not: one refusal ends the proposal.

    Raises: Refusal, when it can no longer be formed.
    """
    agreed = accepted(choice, answer)
    if not agreed:
        void_rest(play, choice)
        return
    area, also = choice.data["area"], tuple(choice.data["also"])
    members = _members(play, area, also)
    if set(members) != set(choice.data["members"]):
        refuse("changed", ("NEG-019",), "The Powers that hold Control there are no longer those of the proposal.")
    settlement.check(play, (_shared(area, members),))
    if not rest_of(play, choice):
        settlement.carry_out(play, (_shared(area, members),), ())


def rest_of(play: Play, choice: Choice) -> list[Choice]:
    """The offers of the same proposal that wait for an answer still."""
    return [
        c for c in play.state.choices if c.kind == choice.kind and c.data["proposal"] == choice.data["proposal"]
    ]


def void_rest(play: Play, choice: Choice) -> None:
    """A proposal comes to nothing because one has declined it: the others need not answer any more."""
    for other in rest_of(play, choice):
        play.emit(ev.ChoiceMade(id=other.id, void=True, rules=choice.rules))


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
