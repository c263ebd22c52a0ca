"""Signing what a Congress of Europe has adopted: the parties as their ballots said, others where they are asked.

Rules: CON-028, CON-029, CON-031, CON-032, MIN-037, MIN-043 (R-CON-04, R-CON-10, R-CON-13)
"""

from __future__ import annotations

from msgspec.structs import replace

from paxtui.pax.board.status import seat_of
from paxtui.pax.board.tables import Tables
from paxtui.pax.congress import conflicts
from paxtui.pax.congress.sitting import change, current, sitting
from paxtui.pax.play.choices import one_of
from paxtui.pax.play.play import Play
from paxtui.pax.state.congress import Proposal
from paxtui.pax.state.model import State
from paxtui.pax.state.questions import Pending, Signature
from paxtui.pax.words.spoken import power_name, sentence, the_power, the_powers, the_proposal

SIGNING, REFUSING = "sign", "refuse"


def ask_to_sign(play: Play) -> None:
    """The parties to what the Treaty settles do as they said with their ballots, and so does a party to another
    dispute that would consent to a Codominion; others are asked where a clause is about them.

    A Minor Power and the Ottoman Empire always accept; so does a party without a ballot of its own unless it says
    otherwise.

    Rules: EVT-035, CON-023, CON-028, CON-029, CON-031, MIN-037, MIN-043 (R-CON-04, R-CON-10, R-CON-13, Decisions 40
    and 41)
    """
    tables, state, congress = play.tables, play.state, sitting(play)
    proposal = current(congress)
    obliged, bound = parties_to(tables, state, proposal), conflicts.concerned(tables, state, proposal.clauses)
    consenting = tuple(p for p in conflicts.consenting(state, proposal.clauses) if p not in bound)
    defies = [seat for seat, ballot in state.ballots.items() if ballot[1] == "defy"]
    signed, refused = list(proposal.signed), list(proposal.refused)
    for power in (p for p in tables.parties if p in (*obliged, *consenting, *bound)):
        if not seat_of(tables, state, power):
            signed.append(power)
        elif power in congress.members and power in (*obliged, *consenting):
            (refused if power in defies else signed).append(power)
    answered = replace(proposal, signed=tuple(signed), refused=tuple(refused))
    said = _who_signs(play, signed, refused)
    change(play, said, ("CON-028", "CON-029"), proposals=congress.with_proposal(answered))
    if any(power in obliged for power in refused):
        return  # nothing takes effect; nobody else needs to be asked
    called = the_proposal(tables, proposal.name)
    for power in tables.powers:
        if power in (*obliged, *consenting, *bound) and power not in (*signed, *refused):
            must = power in obliged
            play.offer(
                power,
                Signature(),
                (SIGNING, REFUSING),
                SIGNING if must else REFUSING,
                "",
                f"{sentence(f'{called} is adopted')} {power_name(tables, power)}: sign or refuse"
                + ("" if must else "; you are no party to what it settles, and refusing costs nothing"),
                ("CON-028", "CON-029") if must else ("CON-031", "CON-032"),
            )


def parties_to(tables: Tables, state: State, proposal: Proposal) -> tuple[str, ...]:
    """Powers that are party to what a Treaty settles: they are asked to sign it, and defy it if they do not.

    Rules: CON-028, CON-030 (Decision 40)
    """
    named = {p for f in conflicts.would_settle(tables, state, proposal.clauses) for p in f.parties}
    return tuple(p for p in tables.parties if p in named)


def _who_signs(play: Play, signed: list[str], refused: list[str]) -> str:
    parts = []
    if signed:
        parts.append(f"{the_powers(play.tables, signed)} will sign")
    if refused:
        parts.append(f"{the_powers(play.tables, refused)} will not")
    return sentence("; ".join(parts))


def answer_sign(play: Play, choice: Pending, about: Signature, words: tuple[str, ...]) -> None:
    """A Power signs the adopted Treaty or refuses.

    Raises: Refusal `bad_answer`.
    Rules: CON-029, CON-031, CON-032
    """
    signs = one_of(choice, words) == SIGNING
    congress = sitting(play)
    proposal = current(congress)
    power = choice.power
    changed = replace(
        proposal,
        signed=(*proposal.signed, power) if signs else proposal.signed,
        refused=proposal.refused if signs else (*proposal.refused, power),
    )
    does = f"{the_power(play.tables, power)} {'signs' if signs else 'refuses to sign'}"
    note = sentence(f"{does} {the_proposal(play.tables, proposal.name)}")
    change(play, note, choice.rules, proposals=congress.with_proposal(changed))
