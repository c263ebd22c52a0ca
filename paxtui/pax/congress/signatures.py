"""Signing what a Congress of Europe has adopted: the disputants as their ballots said, others where they are asked.

Rules: CON-028, CON-029, CON-031, CON-032, MIN-037, MIN-043 (R-CON-04, R-CON-10, R-CON-13)
"""

from __future__ import annotations

from msgspec.structs import replace

from paxtui.pax.board.status import seat_of
from paxtui.pax.congress.proposals import of_clause
from paxtui.pax.congress.sitting import change, current, sitting
from paxtui.pax.play.choices import one_of
from paxtui.pax.play.play import Play
from paxtui.pax.state.questions import Pending, Signature
from paxtui.pax.words.spoken import power_name, powers_named

SIGNING, REFUSING = "sign", "refuse"


def ask_to_sign(play: Play) -> None:
    """The disputants do as they said with their ballots; others are asked where a clause is about them.

    A Minor Power always accepts; so does an Area's disputant without a ballot of its own unless it says otherwise.

    Rules: CON-028, CON-029, CON-031, MIN-037, MIN-043 (R-CON-04, R-CON-10, R-CON-13)
    """
    congress = sitting(play)
    proposal = current(congress)
    signed, refused = list(proposal.signed), list(proposal.refused)
    defies = [seat for seat, ballot in play.state.ballots.items() if ballot[1] == "defy"]
    for power in congress.disputants:
        if power in congress.members:
            (refused if power in defies else signed).append(power)
        elif power in play.state.minors or not seat_of(play.tables, play.state, power):
            signed.append(power)
    answered = replace(proposal, signed=tuple(signed), refused=tuple(refused))
    said = _who_signs(play, signed, refused)
    change(play, said, ("CON-028", "CON-029"), proposals=congress.with_proposal(answered))
    if refused:
        return  # nothing takes effect; nobody else needs to be asked
    for power in play.tables.powers:
        asked = power in congress.disputants or any(power in of_clause(play, c) for c in proposal.clauses)
        if asked and power not in signed and seat_of(play.tables, play.state, power):
            bound = power in congress.disputants
            play.offer(
                power,
                Signature(),
                (SIGNING, REFUSING),
                SIGNING if bound else REFUSING,
                "",
                f"The {proposal.name} is adopted. {power_name(play.tables, power)}: sign or refuse"
                + ("" if bound else "; you are no party to the dispute, and refusing costs nothing"),
                ("CON-028", "CON-029") if bound else ("CON-031", "CON-032"),
            )


def _who_signs(play: Play, signed: list[str], refused: list[str]) -> str:
    parts = []
    if signed:
        parts.append(f"{powers_named(play.tables, tuple(signed))} will sign")
    if refused:
        parts.append(f"{powers_named(play.tables, tuple(refused))} will not")
    return "; ".join(parts) + "." if parts else ""


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
    note = f"{power_name(play.tables, power)} {'signs' if signs else 'refuses to sign'} the {proposal.name}."
    change(play, note, choice.rules, proposals=congress.with_proposal(changed))
