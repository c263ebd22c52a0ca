"""Agreements between two Powers or more: gifts of money, markers handed over, Codominions.

Whoever proposes makes an offer, a pending choice of the other seat; between Powers of one seat it is done at once.
Everything is checked again when it is accepted. Rules: MOV-020, STA-034 to STA-036, COD-001, COD-013, NEG-018,
NEG-019, NEG-023, NEG-024 (R-STA-08, R-MOV-06, R-COD-01)
"""

from __future__ import annotations

from typing import Any

from paxtui.engine.choices import Choice
from paxtui.pax import actions as ac
from paxtui.pax import counters, duties, negotiation, secrecy
from paxtui.pax import events as ev
from paxtui.pax.board import area_type
from paxtui.pax.model import ARMY, CONTROL, INFLUENCE, LEVEL, PROTECTORATE, STATE, Marker
from paxtui.pax.narrate import powers_named
from paxtui.pax.placement import check_words
from paxtui.pax.play import Play, refuse
from paxtui.pax.status import at, controllers, controls, established, influence_holders, level, seat_of, unestablished

ACCEPT, DECLINE = "accept", "decline"
OFFERS = ("money", "transfer", "codominion")
JOINING = 10
"""Pounds for the Influence that becomes a Protectorate in a new Codominion (COD-004)."""


def _put(play: Play, giver: str, to: str, kind: str, area: str, prompt: str, data: dict[str, Any], rule: str) -> None:
    """Offer something to the seat of `to`.

    Raises: Refusal `offered`, when the very same offer is pending.
    """
    if any(c.kind == kind and c.power == to and c.data == data for c in play.state.choices):
        refuse("offered", (rule,), f"{play.tables.powers[to].name} has this very offer already and may answer it.")
    play.offer(to, kind, (ACCEPT, DECLINE), DECLINE, area, prompt, (rule,), data)


def _one(choice: Choice, answer: tuple[str, ...]) -> bool:
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


# --- money --------------------------------------------------------------------------------------------------------


def pay(play: Play, power: str, action: ac.Pay) -> None:
    """Offer pounds to another Power; Germany's to Austria-Hungary arrive at once.

    Raises: Refusal.
    Rules: MOV-020, NEG-014, EVT-018 (R-MOV-06)
    """
    _check_gift(play, power, action.to, action.amount)
    if seat_of(play.tables, play.state, power) == seat_of(play.tables, play.state, action.to):
        _hand_money(play, power, action.to, action.amount)
        return
    prompt = f"{play.tables.powers[power].name} offers £{action.amount}"
    data = {"from": power, "to": action.to, "amount": action.amount}
    _put(play, power, action.to, "money", "", prompt, data, "MOV-020")


def answer_money(play: Play, choice: Choice, answer: tuple[str, ...]) -> None:
    """Take or decline an offer of money.

    Raises: Refusal, when the giver cannot give it any more.
    """
    if _one(choice, answer):
        giver, to, amount = choice.data["from"], choice.data["to"], choice.data["amount"]
        _check_gift(play, giver, to, amount)
        _hand_money(play, giver, to, amount)


def _check_gift(play: Play, giver: str, to: str, amount: int) -> None:
    """Whether one Power may give another money.

    Raises: Refusal `no_receiver`, `yourself`, `austria`, `amount`, or those of spending.
    Rules: MOV-020, SET-030, AUS-010, AUS-011, EVT-018 (R-MOV-06)
    """
    tables, state = play.tables, play.state
    if to not in tables.powers:
        refuse("unknown_power", (), f"There is no Power {to!r}.")
    if to not in state.powers:
        refuse(
            "no_treasury",
            ("MOV-020", "SET-030"),
            f"{tables.powers[to].name} is a Minor Power: it has no Treasury, and neither gives nor takes money.",
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
    duties.check_spending(play, giver, amount)


def _hand_money(play: Play, giver: str, to: str, amount: int) -> None:
    rules = ("MOV-020",) if play.state.phase == "movement" else ("NEG-014",)
    play.money(giver, -amount, f"gift to {play.tables.powers[to].name}", rules)
    play.money(to, amount, f"gift of {play.tables.powers[giver].name}", rules)


# --- markers ------------------------------------------------------------------------------------------------------


def transfer(play: Play, power: str, action: ac.Transfer) -> None:
    """Offer the own established marker of an Area to another Power.

    Raises: Refusal.
    Rules: STA-034, STA-035, STA-036, SET-039 (R-STA-08)
    """
    marker = _check_transfer(play, power, action.to, action.area)
    if seat_of(play.tables, play.state, power) == seat_of(play.tables, play.state, action.to):
        _hand_marker(play, power, action.to, action.area, marker)
        return
    name = play.tables.areas[action.area].name
    prompt = f"{play.tables.powers[power].name} offers its {marker.marker.title()} in {name}"
    data = {"from": power, "to": action.to, "area": action.area, "marker": marker.marker}
    _put(play, power, action.to, "transfer", action.area, prompt, data, "STA-034")


def answer_transfer(play: Play, choice: Choice, answer: tuple[str, ...]) -> None:
    """Take or decline a marker.

    Raises: Refusal, when it cannot change hands any more, or is no longer the one offered.
    """
    if not _one(choice, answer):
        return
    giver, to, area = choice.data["from"], choice.data["to"], choice.data["area"]
    marker = _check_transfer(play, giver, to, area)
    if marker.marker != choice.data["marker"]:
        refuse(
            "changed",
            ("STA-035",),
            f"It is a {marker.marker.title()} by now, not the {choice.data['marker'].title()} that was offered.",
        )
    _hand_marker(play, giver, to, area, marker)


def _check_transfer(play: Play, giver: str, to: str, area: str) -> Marker:
    """The marker that would change hands.

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
            f"{tables.powers[giver].name} has no established marker in {name}: {why}.",
        )
    if tables.markers[marker.marker].only_for:
        refuse("crown", ("STA-036",), "States and Dominions belong to their one Power and cannot be handed over.")
    if to not in state.powers:
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


def _hand_marker(play: Play, giver: str, to: str, area: str, marker: Marker) -> None:
    """Change the owner of a marker; armies of the giver there have ended their movement.

    Rules: STA-034, STA-035, COD-001 (R-STA-08, R-NEG-02)
    """
    state = play.state
    moving = state.phase == "movement"
    rules = ("STA-034", "STA-035") if moving else ("STA-035", "NEG-011", "NEG-016")
    play.emit(ev.MarkerTransferred(area=area, power=giver, to=to, marker=marker.marker, turn=state.turn, rules=rules))
    if moving and marker.marker in CONTROL and any(u.power == giver and u.kind == ARMY for u in at(state, area).units):
        play.emit(ev.UnitsHalted(power=giver, place=area, rules=("STA-034", "MOV-009")))
    negotiation.settle(play, area, ("NEG-003", *rules))
    if moving and state.options.get("transfer_raises_eti") == "yes":
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
    members = _check_codominion(play, action.area, also)
    own_seat = seat_of(tables, state, power)
    asked = [p for p in members if seat_of(tables, state, p) != own_seat]
    if not asked:
        _form(play, action.area, members, also)
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
        own = prompt + (f", for £{JOINING} of yours" if other in also else "")
        play.offer(other, "codominion", (ACCEPT, DECLINE), DECLINE, action.area, own, ("NEG-019",), data)


def answer_codominion(play: Play, choice: Choice, answer: tuple[str, ...]) -> None:
    """Agree to a Codominion or not: one refusal ends the proposal.

    Raises: Refusal, when it can no longer be formed.
    """
    accepted = _one(choice, answer)
    rest = [c for c in play.state.choices if c.kind == "codominion" and c.data["proposal"] == choice.data["proposal"]]
    if not accepted:
        for other in rest:
            play.emit(ev.ChoiceMade(id=other.id, void=True, rules=("NEG-019",)))
        return
    area, also = choice.data["area"], tuple(choice.data["also"])
    members = _check_codominion(play, area, also)
    if set(members) != set(choice.data["members"]):
        refuse("changed", ("NEG-019",), "The Powers that hold Control there are no longer those of the proposal.")
    if not rest:
        _form(play, area, members, also)


def _check_codominion(play: Play, area: str, also: tuple[str, ...]) -> tuple[str, ...]:
    """The members of the Codominion that would be formed.

    Raises: Refusal `no_influence`, `crown`, `minor`, `alone`, `shared_already`, `no_piece`, `no_money`.
    Rules: COD-001, COD-003, COD-004, COD-013, NEG-019, NEG-021, NEG-022 (Decision 23)
    """
    tables, state = play.tables, play.state
    name = tables.areas[area].name
    holders = controllers(state, area)
    members = (*holders, *also)
    for power in also:
        if power not in tables.powers:
            refuse("unknown_power", (), f"There is no Power {power!r}.")
        if power not in influence_holders(state, area):
            refuse(
                "no_influence",
                ("COD-004", "NEG-021"),
                f"{tables.powers[power].name} has no Influence in {name} to raise to a Protectorate.",
            )
    if any(m.established and LEVEL[m.marker] == LEVEL[STATE] for m in at(state, area).markers):
        refuse("crown", ("COD-013",), f"{name} is a State or Dominion: those are never shared.")
    if not holders:
        refuse("no_control", ("COD-001", "COD-003"), f"Nobody has Control of {name}: there is nothing to share.")
    minors = [p for p in members if p in state.minors]
    if minors:
        refuse(
            "minor",
            ("NEG-019",),
            f"{powers_named(tables, tuple(minors))} would have to agree, and a Minor Power agrees to nothing outside "
            f"a Congress of Europe.",
        )
    if len(members) < 2:
        refuse("alone", ("COD-001",), f"A Codominion of {name} needs two Powers or more.")
    if set(members) <= set(at(state, area).codominion):
        refuse("shared_already", ("COD-001",), f"{name} is a Codominion of these Powers already.")
    for power in also:
        pool = tables.markers[PROTECTORATE].pool
        if counters.free(tables, state, power, pool) <= 0:
            who, ours = tables.powers[power].name, counters.limits_note(tables)
            refuse("no_piece", ("SET-039",), f"{who} has no free {pool} piece{ours}.")
        duties.check_spending(play, power, JOINING)
    return members


def _form(play: Play, area: str, members: tuple[str, ...], also: tuple[str, ...]) -> None:
    """Form the Codominion: the new Protectorates are paid, disputes between the members end.

    An Influence holder left out has a Casus Belli against each member.

    Rules: COD-001, COD-003, COD-004, NEG-015, NEG-018, NEG-021, NEG-023, NEG-024
    """
    tables, state = play.tables, play.state
    name = tables.areas[area].name
    for power in also:
        play.money(power, -JOINING, f"Protectorate in {name}", ("COD-004", "NEG-021"))
        play.emit(
            ev.MarkerPlaced(
                area=area,
                power=power,
                marker=PROTECTORATE,
                established=True,
                turn=state.turn,
                replaces=INFLUENCE,
                rules=("COD-003", "COD-004", "NEG-021"),
            )
        )
    play.emit(ev.CodominionSet(area=area, powers=members, rules=("COD-001", "NEG-018", "NEG-024")))
    negotiation.settle(play, area, ("NEG-018", "NEG-024"))
    for power in also:
        if area_type(tables, state, area) == "ottoman":
            play.emit(ev.WarDue(war="ottoman", power=power, area=area, rules=("STA-025",)))
    for holder in influence_holders(play.state, area):
        if holder in state.minors:
            continue  # its Influence contests nothing (Decision 12)
        for member in members:
            known = any(
                c.area == area and c.holder == holder and c.against == member for c in play.state.casus_belli
            )
            if not known:
                play.emit(
                    ev.CasusBelliArose(
                        id=f"cb{play.state.next_cause}",
                        holder=holder,
                        against=member,
                        area=area,
                        cause="codominion_over_influence",
                        rules=("NEG-023",),
                    )
                )
