"""Choices that a mail game does not stop for: answered by the standing instructions of a form, else by their default.

Rules: PBM-080, PBM-086, PBM-105, PBM-126, ADM-020 (R-PBM-22, R-PBM-23)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from paxtui.engine.refusal import Refusal
from paxtui.pax import answers
from paxtui.pax.board.status import at
from paxtui.pax.play.choices import Answer, default_of, options_of, read_answer
from paxtui.pax.play.play import Play
from paxtui.pax.postal.forms import Standing
from paxtui.pax.postal.in_war import by_schedule
from paxtui.pax.state import questions as qu
from paxtui.pax.state.model import State
from paxtui.pax.state.questions import Pending
from paxtui.pax.war.calls import REFUSE
from paxtui.pax.war.campaign.battle import ASIDE
from paxtui.pax.words.names import OWN_HOME, place_text

Instructions = Mapping[str, Sequence[Standing]]
"""The standing instructions by seat."""

BY_SILENCE = (qu.Call, qu.CongressQuestion)
"""Questions that the General Orders do not answer for a silent seat: for these silence has a meaning of its own."""

Attempt = Callable[[Play, Callable[[Play], None]], Refusal | None]
"""Does a step if it can be done, and says what forbids it otherwise."""


def answer(play: Play, choice: Pending, instructions: Instructions, attempt: Attempt) -> bool:
    """Answer a choice as its seat has instructed, else by its default.

    Returns: whether an instruction has answered it.
    Rules: PBM-126 (R-PBM-22, R-PBM-23)
    """
    for said in instructions.get(choice.seat, ()):
        words = _words_of(play.state, choice, said)
        if words is None:
            continue

        def take(play: Play, words: Answer = words) -> None:
            named = choice.default if words == () else words
            texts = (named,) if isinstance(named, str) else named
            answers.take(play, choice, read_answer(choice, texts))

        if attempt(play, take) is None:
            return True
    about = choice.about
    if isinstance(about, qu.WarRetreat) and attempt(play, lambda play: _leave(play, choice, about)) is None:
        return False
    unasked = _unasked(play, choice)
    if not unasked or attempt(play, lambda play: answers.take(play, choice, read_answer(choice, unasked))) is not None:
        answers.take_default(play, choice)
    return False


def _unasked(play: Play, choice: Pending) -> Answer:
    """The answer to what nobody has said anything about, where it is by mail another than at the table; () elsewhere.

    Nobody attacks who has not ordered it, and nobody goes to War because a Treaty says so, unless his
    seat is abandoned.

    Rules: PBM-080, PBM-101, PBM-102 (R-PBM-07)
    """
    about = choice.about
    if isinstance(about, qu.Call) and choice.seat not in play.state.abandoned:
        return (REFUSE,)
    return (ASIDE,) if isinstance(about, qu.JoinAttack) else ()


def silence(state: State, choice: Pending) -> str:
    """What happens when a seat says nothing of a choice, in words. Rules: PBM-101, PBM-102, PBM-120 (R-PBM-07)."""
    about = choice.about
    if isinstance(about, qu.Call) and choice.seat not in state.abandoned:
        return f"{REFUSE}: you break the Treaty (European Tensions +5, and its signers have a Casus Belli against you)"
    if isinstance(about, qu.Propose):
        return "you propose nothing; if nobody does, the Congress gets a new deadline, twice at most"
    said = " ".join(default_of(choice)) or "nothing"
    if isinstance(about, BY_SILENCE):
        return said
    return f"{said}; if you send no form at all, the General Orders answer"


def _leave(play: Play, choice: Pending, about: qu.WarRetreat) -> None:
    """Units in War that nobody has sent go by the schedule. Raises: Refusal, where they cannot. Rules: PBM-086."""
    if not by_schedule(play, choice, about):
        raise Refusal("no_way_there", ("PBM-086",), "The schedule names no place for these Units.")


def instructed(state: State, choice: Pending, instructions: Instructions) -> bool:
    """Whether a seat has sent an instruction for a choice."""
    return any(_words_of(state, choice, said) is not None for said in instructions.get(choice.seat, ()))


def _words_of(state: State, choice: Pending, said: Standing) -> Answer | None:
    """The answer that an instruction gives to a choice; None where it is about something else."""
    about = choice.about
    if said.verb == "deficit":
        return said.answer if isinstance(about, qu.Deficit) else None
    if said.verb in IN_CONGRESS:
        return _in_congress(state, choice, said)
    if said.area != choice.area or said.verb in ("command", "renew", "message"):
        return None
    if isinstance(about, qu.Spoils):
        return said.answer if said.verb == "spoils" else None
    if isinstance(about, qu.FightOrDecline) and said.verb in ("fight", "decline"):
        verb = "decline" if said.if_unrest and not at(state, choice.area).unrest else said.verb
        return (f"{verb} {choice.area}",)
    if isinstance(about, qu.Combine) and said.verb in ("combine", "alone", "decline"):
        return (said.verb,)
    if isinstance(about, qu.Losses) and said.verb == "lose":
        return said.answer
    if isinstance(about, qu.Retreat) and said.verb == "retreat":
        return _harbour(choice, said.answer[0])
    if isinstance(about, qu.WarRetreat) and said.verb == "retreat":
        return tuple(f"{unit} {choice.area} > {place_text(said.answer[0], choice.power)}" for unit in about.units)
    return None


IN_CONGRESS: dict[str, type[qu.CongressQuestion]] = {
    "site": qu.Site, "attend": qu.Attend, "stay": qu.Attend, "invite": qu.Invite, "agenda": qu.Agenda,
    "vote": qu.Ballot, "tie": qu.Tie, "sign": qu.Signature, "refuse": qu.Signature,
}  # fmt: skip
"""What a Congress asks, by the verb of the instruction that answers it."""


def _in_congress(state: State, choice: Pending, said: Standing) -> Answer | None:
    """The answer that an instruction gives to what a Congress asks. Rules: PBM-051, PBM-053, PBM-058."""
    about, congress = choice.about, state.congress
    if not isinstance(about, IN_CONGRESS[said.verb]):
        return None
    if said.verb not in ("vote", "tie", "sign", "refuse"):
        return said.answer
    named, *words = said.answer
    id_ = about.proposal if isinstance(about, qu.Ballot) else congress.current if congress is not None else ""
    proposal = congress.proposal(id_) if congress is not None else None
    if proposal is None or named not in (proposal.id, proposal.name.casefold()):
        return None
    return tuple(words)


def _harbour(choice: Pending, place: str) -> Answer | None:
    """The option that a place means; None where the units cannot go there."""
    own = OWN_HOME if place == f"home:{choice.power}" else place
    texts = options_of(choice)
    found = next((text for text in texts if text in (place, own)), None)
    if found is None and own == OWN_HOME:  # a Home Country with port boxes: the nearest
        found = next((text for text in texts if text.split()[0] == OWN_HOME), None)
    return (found,) if found is not None else None
