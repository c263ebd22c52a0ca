"""The form that goes out with a report, to be filled in: what it is for, what is asked, and how orders are written."""

from __future__ import annotations

from paxtui.pax.board.tables import Tables
from paxtui.pax.clauses.wording import say
from paxtui.pax.congress.beside_war import congress_view, is_aside
from paxtui.pax.narration.choice_narration import question
from paxtui.pax.play.choices import options_of
from paxtui.pax.postal.deadlines import Kind, kind_of
from paxtui.pax.postal.standing import silence
from paxtui.pax.state.congress import TABLED
from paxtui.pax.state.model import State
from paxtui.pax.state.questions import Ballot, Spoils
from paxtui.pax.war.outcome.spoils import due
from paxtui.pax.words.spoken import power_name
from paxtui.table.authority import Table

_HOW: dict[Kind, str] = {
    "movement": """\
# Orders, one a line, the most important first: it has the first claim on your money and pieces.
#   place protectorate tunis
#   build A3 A1; move A3 A1 home > tunis              joined by semicolons: all of it or nothing
#   if britain places control tunis: place protectorate tunis
#   merchant mediterranean > baltic unless france moves at least 5 strength points of armies to tunis
#   pay italy 20            on Italy's form: accept 20 from france
# Below 'standing:' instructions for what the game does not stop for:
#   fight tunis      decline tunis      fight tunis if unrest      lose A3 in tunis      retreat tunis > algiers
""",
    "negotiation": """\
# What you do in the Negotiation Phase, one act a line:
#   downgrade influence tunis      withdraw influence persia      codominion tunis      waive cb1
#   congress germany over cb1      declare war italy over cb1     defend belgium kongo
#   treaty Rome with italy: defensive            the same words on Italy's form are its signature; or: sign ID
#   treaty Rome with italy secret: defensive     not published; one secret article: treaty ...: defensive; secret ...
#   pay italy 20            on Italy's form: accept 20 from france
""",
    "congress": """\
# The Congress of Europe. One form attends, invites and proposes; the next one votes on all proposals.
#   attend (or: stay away)          invite japan          agenda tunis
#   propose Act of Vienna: italy lowers tunis to interest; france pays italy 3
#   renew congress                  by the host: a third deadline and more, if nothing is proposed
#   declare war italy over cb1
""",
    "vote": """\
# Your vote, and whether you sign if the proposal passes. Without one you abstain, and sign.
#   vote p1 yes sign      vote p1 no defy
# By the host, if there are as many yes as no:      tie p1 yes
# What you propose now is tabled if nothing passes:      propose Act 2: france leaves tunis
# Below 'standing:', by those whom only a clause concerns:      sign p1      refuse p1
""",
    "spoils": """\
# What is placed where, one Area a line, below 'standing:'; what you do not name you leave to the other victors.
#   spoils cuba: place possession        spoils kongo: codominion protectorate of france germany
# To be divided:
""",
}
_ELSE = """\
# Answers and acts, one a line: choose ID ANSWER, propose NAME: CLAUSES, move A3 home > tunis, attack tunis
# An attack may have a condition: attack tunis if britain moves at least 5 strength points of armies to tunis
"""


def blank(table: Table, stop: int, seat: str) -> str:
    """The form of a seat for the stop at which the game is."""
    state = table.state_for(seat)
    lines = [
        f"# {power_name(table.tables, seat)}, {table.tables.turns[state.turn - 1].year}: a form for stop {stop}.",
        "# Whatever follows a '#' is a remark.",
        f"game: {table.game.header.game}",
        f"stop: {stop}",
        f"seat: {seat}",
        "#extend: 3          asks for three more days; send the form again when your orders are ready",
        "#vacation: 14       the caretaker plays for 14 days (or: until 1888); hand in a form to be back earlier",
        "",
        *_HOW.get(kind_of(state), _ELSE).splitlines(),
    ]
    lines += [f"#   {area}" for area in _spoils(table.tables, state)]
    sitting = congress_view(state)
    if is_aside(state):
        lines += ["# A Congress stays open beside the War. Answer both with this form."]
        lines += _HOW.get(kind_of(sitting), _ELSE).splitlines()
    for choice in (*state.choices, *(sitting.choices if is_aside(state) else ())):
        if choice.seat == seat:
            lines += [
                f"# {choice.id}: {question(table.tables, choice)}",
                f"#   answers: {', '.join(options_of(choice))}",
                f"#   without an answer: {silence(state, choice)}",
                f"#choose {choice.id} ANSWER",
            ]
    lines += _proposals(table.tables, sitting)
    return "\n".join(lines) + "\n\n"


def _proposals(tables: Tables, state: State) -> list[str]:
    """The proposals that a Congress votes on, with the lines that vote on them. Rules: PBM-053, PBM-058."""
    congress = state.congress
    if congress is None or not any(isinstance(choice.about, Ballot) for choice in state.choices):
        return []
    lines = ["# The proposals, in the order in which they are voted on:"]
    for proposal in congress.proposals:
        if proposal.stage == TABLED or proposal.id == congress.current:
            said = "; ".join(say(tables, clause) for clause in proposal.clauses)
            lines += [
                f"# {proposal.id}, {proposal.name} of {power_name(tables, proposal.proposer)}: {said}",
                f"#vote {proposal.id} ANSWER",
            ]
    return lines


def _spoils(tables: Tables, state: State) -> tuple[str, ...]:
    """The Areas that are to be divided, the best first. Rules: PBM-105."""
    wars = {choice.about.war for choice in state.choices if isinstance(choice.about, Spoils)}
    return tuple(area for war in state.wars if war.id in wars for _, area in due(tables, state, war))
