"""Decisions that a mail game does not stop for: standing instructions, defaults, retreats, command of Minor Powers.

Units without an order retreat by the schedule of the rules for mail. It ranks the legal places in this order:
supplied before unsupplied; armies to land, fleets to sea, with waters held only by enemies last; control of the
place; its occupants; distance to the own lands; dice.

Rules: PBM-080, PBM-086 to PBM-094, PBM-098, PBM-099, PBM-105, PBM-126, ADM-020
    (R-PBM-15, R-PBM-22, R-PBM-23, R-PBM-30, R-PBM-31)
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence

from paxtui.engine.refusal import Refusal
from paxtui.games.pax import sequence, transaction
from paxtui.games.pax.board.adjacency import board
from paxtui.games.pax.board.status import area_state, controllers, seat_of
from paxtui.games.pax.board.tables import HOME, Tables
from paxtui.games.pax.events import events
from paxtui.games.pax.mail.forms import StandingInstruction
from paxtui.games.pax.state import questions
from paxtui.games.pax.state.model import State, units_at
from paxtui.games.pax.state.pieces import DOMINION, NAVAL, STATE, Unit
from paxtui.games.pax.state.questions import Pending, WarRetreat
from paxtui.games.pax.state.war import REBELLION, War
from paxtui.games.pax.text.parsing import HOME_WORD, place_text
from paxtui.games.pax.transaction import AnswerTexts, DryRun, Transaction, default_answer, option_texts, parse_answer
from paxtui.games.pax.war.alliances import allies, ally_seats, enemies
from paxtui.games.pax.war.calls import REFUSE
from paxtui.games.pax.war.campaign import battle, supply, supply_lines, war_adjacency
from paxtui.games.pax.war.campaign.battle import DECLINE
from paxtui.games.pax.war.campaign.war_adjacency import WarStep, is_sea

SeatInstructions = Mapping[str, Sequence[StandingInstruction]]
"""The standing instructions by seat."""

OWN_PLACE, ALLY_PLACE, NEUTRAL_PLACE, ENEMY_PLACE = range(4)
"""Control of a place, best first (R-PBM-30)."""

FRIENDS, EMPTY, MIXED = range(3)
"""Occupants of a place, best first."""

FAR = 999


def retreat_by_schedule(play: Transaction, choice: Pending, about: WarRetreat) -> None:
    """Retreat the Units without an order by the schedule, one after the other.

    A Unit surrenders if each place open to it is out of supply.

    Raises:
        Refusal: `no_way_there`, if the schedule has no place for a Unit.

    Rules: PBM-086, PBM-087, PBM-094
    """
    no_way = Refusal("no_way_there", ("PBM-086",), "The schedule has no place for these Units.")
    war = play.state.war(about.war)
    if war is None:
        raise no_way
    trial = DryRun(play.tables, play.state)
    texts, chosen = list[str](), list[tuple[Unit, WarStep | None]]()
    for name in about.units:
        here = units_at(trial.state, choice.area)
        unit = next((u for u in here if (u.power, u.name) == (choice.power, name)), None)
        steps = battle.retreat_steps(trial, war, unit, choice.area) if unit is not None else []
        if unit is None or not steps:
            raise no_way
        ranked = sorted((retreat_preference(trial, war, unit, step), n) for n, step in enumerate(steps))
        best = [n for rank, n in ranked if rank == ranked[0][0]]
        step = steps[best[0] if len(best) == 1 else best[play.dice.draw(len(best))]]
        hungry = bool(ranked[0][0][0])
        if hungry:
            supply.surrender_units(trial, war, unit.power, (name,), choice.area, "no supply", ("PBM-087",))
        else:
            texts.append(f"{name} {choice.area} > {place_text(step.place)}")
            war_adjacency.take_step(trial, unit, choice.area, step, "retreat", choice.rules)
        chosen.append((unit, None if hungry else step))
    transaction.record_choice(play, choice, tuple(texts), by_default=True)
    battle.retreat_by_schedule(play, choice, war, chosen)


def retreat_preference(play: Transaction, war: War, unit: Unit, step: WarStep) -> tuple[int, ...]:
    """Rank of a place for a Unit in the retreat schedule; the lowest is best.

    Rules: PBM-087 to PBM-093 (R-PBM-15, R-PBM-30)
    """
    tables, state, place = play.tables, play.state, step.place
    at_sea = is_sea(tables, place)
    there = units_at(state, place)
    friends = any(u.power in allies(war, unit.power) for u in there)
    foes = any(u.power in enemies(war, unit.power) for u in there)
    hungry = not supply_lines.is_supplied_at(tables, state, war, unit, step)
    shunned = unit.kind == NAVAL and at_sea and foes and not friends
    company = MIXED if foes else FRIENDS if friends else EMPTY
    control = NEUTRAL_PLACE if at_sea else _control(state, war, unit.power, place)
    steps = _distance(tables, state, unit.power, place)
    return hungry, shunned, at_sea != (unit.kind == NAVAL), control, company, steps


def _control(state: State, war: War, power: str, place: str) -> int:
    holders = {place.removeprefix(HOME)} if place.startswith(HOME) else set(controllers(state, place))
    if power in holders:
        return OWN_PLACE
    if not holders.isdisjoint(allies(war, power)):
        return ALLY_PLACE
    return NEUTRAL_PLACE if holders.isdisjoint(enemies(war, power)) else ENEMY_PLACE


def _distance(tables: Tables, state: State, power: str, place: str) -> int:
    """Steps from a place to the nearest Home Country, State or Dominion of a Power. Rules: PBM-093."""
    ends = {HOME + power} | {
        area
        for area, here in state.areas.items()
        if any(m.power == power and m.marker in (DOMINION, STATE) and m.established for m in here.markers)
    }
    map_, seen, todo = board(tables, state), {place: 0}, deque([place])
    while todo:
        here = todo.popleft()
        if here in ends:
            return seen[here]
        for other in map_.around(here):
            if other not in seen:
                seen[other] = seen[here] + 1
                todo.append(other)
    return FAR


def appoint_commanders(play: Transaction) -> None:
    """Appoint one ally as commander of each Minor Power with several: the first to come to its aid, else by lot.

    Rules: PBM-098 (R-PBM-31)
    """
    for war in play.state.wars:
        for power in war.powers if war.kind != REBELLION else ():
            seats = ally_seats(play.tables, play.state, war, power) if power not in play.state.powers else ()
            if len(seats) > 1 and war.commands.get(power) not in seats:
                _give_command(play, war, power, _first_ally(play, war, power, seats), "PBM-098")


def transfer_commands(play: Transaction, instructions: SeatInstructions) -> None:
    """Transfer command of Minor Powers to other allies, as instructed (`command spain germany`). Rules: PBM-099."""
    for seat, seat_instructions in instructions.items():
        for instruction in seat_instructions:
            for war in play.state.wars if instruction.verb == "command" else ():
                minor, to = instruction.answer
                allies = ally_seats(play.tables, play.state, war, minor)
                if war.commands.get(minor) == seat and to in allies:
                    _give_command(play, war, minor, to, "PBM-099")


def _first_ally(play: Transaction, war: War, power: str, seats: tuple[str, ...]) -> str:
    """The seat that first came to the aid of a Power; by lot if there was no single first. Rules: R-PBM-31."""
    for minor, defender in war.defended:
        seat = seat_of(play.tables, play.state, defender)
        if minor == power and seat in seats:
            return seat
    return seats[play.dice.draw(len(seats))]


def _give_command(play: Transaction, war: War, minor: str, seat: str, rule: str) -> None:
    play.emit(events.CommandGiven(war=war.id, minor=minor, seat=seat, rules=(rule,)))


SILENCE_QUESTIONS = (questions.Call, questions.CongressQuestion)
"""Questions with their own default for silence; the General Orders do not answer them for a silent seat."""

StepAttempt = Callable[[Transaction, Callable[[Transaction], None]], Refusal | None]
"""Does a step atomically; returns the Refusal, if any."""


def answer_choice(play: Transaction, choice: Pending, instructions: SeatInstructions, attempt: StepAttempt) -> bool:
    """Answer a choice by the instructions of its seat, else by its default.

    Returns: whether an instruction answered it.
    Rules: PBM-126 (R-PBM-22, R-PBM-23)
    """
    for instruction in instructions.get(choice.seat, ()):
        words = _answer_of(play.state, choice, instruction)
        if words is None:
            continue

        def take(play: Transaction, words: AnswerTexts = words) -> None:
            named = choice.default if words == () else words
            texts = (named,) if isinstance(named, str) else named
            sequence.take_answer(play, choice, parse_answer(choice, texts))

        if attempt(play, take) is None:
            return True
    about = choice.about
    if (
        isinstance(about, questions.WarRetreat)
        and attempt(play, lambda play: retreat_by_schedule(play, choice, about)) is None
    ):
        return False
    silent_answer = _mail_default(play, choice)
    if (
        not silent_answer
        or attempt(play, lambda play: sequence.take_answer(play, choice, parse_answer(choice, silent_answer)))
        is not None
    ):
        sequence.take_default(play, choice)
    return False


def _mail_default(play: Transaction, choice: Pending) -> AnswerTexts:
    """The default answer by mail if it differs from the default in a live game; else ().

    Without an order no Power attacks. Unless its seat is abandoned, no Power goes to War because of a Treaty.

    Rules: PBM-080, PBM-101, PBM-102 (R-PBM-07)
    """
    about = choice.about
    if isinstance(about, questions.Call) and choice.seat not in play.state.abandoned:
        return (REFUSE,)
    return (DECLINE,) if isinstance(about, questions.JoinAttack) else ()


def describe_silence(state: State, choice: Pending) -> str:
    """Describe the default for a choice without an answer. Rules: PBM-101, PBM-102, PBM-120 (R-PBM-07)."""
    about = choice.about
    if isinstance(about, questions.Call) and choice.seat not in state.abandoned:
        return f"{REFUSE}: you break the Treaty (European Tensions +5, and its signers get a Casus Belli against you)"
    if isinstance(about, questions.Propose):
        return "you make no proposal; if there is none at all, the Congress gets a new deadline, at most twice"
    text = " ".join(default_answer(choice)) or "nothing"
    if isinstance(about, SILENCE_QUESTIONS):
        return text
    return f"{text}; if you send no form, the General Orders answer"


def find_answer(state: State, choice: Pending, instructions: Sequence[StandingInstruction]) -> AnswerTexts | None:
    """Return the answer of the first instruction that concerns a choice; None for none."""
    answers = (_answer_of(state, choice, instruction) for instruction in instructions)
    words = next((words for words in answers if words is not None), None)
    return default_answer(choice) if words == () else words


def _answer_of(state: State, choice: Pending, instruction: StandingInstruction) -> AnswerTexts | None:
    """The answer of an instruction to a choice; None if it concerns something else."""
    about = choice.about
    if instruction.verb == "default":
        return () if isinstance(about, DEFAULT_QUESTIONS[instruction.answer[0]]) else None
    if instruction.verb == "deficit":
        return instruction.answer if isinstance(about, questions.Deficit) else None
    if instruction.verb in IN_CONGRESS:
        return _in_congress(state, choice, instruction)
    if instruction.area != choice.area or instruction.verb in ("command", "renew", "message"):
        return None
    if isinstance(about, questions.Spoils):
        return instruction.answer if instruction.verb == "spoils" else None
    if isinstance(about, questions.FightOrDecline) and instruction.verb in ("fight", "decline"):
        verb = "decline" if instruction.if_unrest and not area_state(state, choice.area).unrest else instruction.verb
        return (f"{verb} {choice.area}",)
    if isinstance(about, questions.Combine) and instruction.verb in ("combine", "alone", "decline"):
        return (instruction.verb,)
    if isinstance(about, questions.Losses) and instruction.verb == "lose":
        return instruction.answer
    if isinstance(about, questions.Retreat) and instruction.verb == "retreat":
        return _harbour_option(choice, instruction.answer[0])
    if isinstance(about, questions.WarRetreat) and instruction.verb == "retreat":
        return tuple(
            f"{unit} {choice.area} > {place_text(instruction.answer[0], choice.power)}" for unit in about.units
        )
    return None


DEFAULT_QUESTIONS: dict[str, tuple[type[questions.Question], ...]] = {
    "losses": (questions.Losses, questions.WarLosses),
    "retreats": (questions.Retreat, questions.WarRetreat),
    "deficits": (questions.Deficit,),
    "fights": (questions.FightOrDecline, questions.Combine),
    "coasts": (questions.Coast,),
    "duties": (questions.Duty,),
}
"""Questions that `default losses` and similar instructions answer by their default."""

IN_CONGRESS: dict[str, type[questions.CongressQuestion]] = {
    "site": questions.Site,
    "attend": questions.Attend,
    "stay": questions.Attend,
    "invite": questions.Invite,
    "agenda": questions.Agenda,
    "vote": questions.Ballot,
    "tie": questions.Tie,
    "sign": questions.Signature,
    "refuse": questions.Signature,
}
"""Questions of a Congress by the verb of the instruction that answers them."""


def _in_congress(state: State, choice: Pending, instruction: StandingInstruction) -> AnswerTexts | None:
    """The answer of an instruction to a question of a Congress. Rules: PBM-051, PBM-053, PBM-058."""
    about, congress = choice.about, state.congress
    if not isinstance(about, IN_CONGRESS[instruction.verb]):
        return None
    if instruction.verb not in ("vote", "tie", "sign", "refuse"):
        return instruction.answer
    named, *words = instruction.answer
    id_ = about.proposal if isinstance(about, questions.Ballot) else congress.current if congress is not None else ""
    proposal = congress.proposal(id_) if congress is not None else None
    if proposal is None or named not in (proposal.id, proposal.name.casefold()):
        return None
    return tuple(words)


def _harbour_option(choice: Pending, place: str) -> AnswerTexts | None:
    """The option for a place; None if the units cannot go there."""
    own = HOME_WORD if place == f"home:{choice.power}" else place
    texts = option_texts(choice)
    found = next((text for text in texts if text in (place, own)), None)
    if found is None and own == HOME_WORD:  # a Home Country with port boxes: the nearest
        found = next((text for text in texts if text.split()[0] == HOME_WORD), None)
    return (found,) if found is not None else None
