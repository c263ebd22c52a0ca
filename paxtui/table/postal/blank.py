"""The form that goes out with a report, to be filled in: what it is for, what is asked, and how orders are written."""

from __future__ import annotations

from paxtui.pax.board.tables import Tables
from paxtui.pax.narration.choice_narration import question
from paxtui.pax.play.choices import default_of, options_of
from paxtui.pax.postal.deadlines import Kind, kind_of
from paxtui.pax.state.model import State
from paxtui.pax.state.questions import Spoils
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
#   treaty Rome with italy: defensive            the same words on Italy's form are its signature
#   pay italy 20            on Italy's form: accept 20 from france
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
        "",
        *_HOW.get(kind_of(state), _ELSE).splitlines(),
    ]
    lines += [f"#   {area}" for area in _spoils(table.tables, state)]
    for choice in state.choices:
        if choice.seat == seat:
            default = " ".join(default_of(choice))
            lines += [
                f"# {choice.id}: {question(table.tables, choice)}",
                f"#   answers: {', '.join(options_of(choice))}; nobody answering: {default or 'nothing'}",
                f"#choose {choice.id} {default}".rstrip(),
            ]
    return "\n".join(lines) + "\n\n"


def _spoils(tables: Tables, state: State) -> tuple[str, ...]:
    """The Areas that are to be divided, the best first. Rules: PBM-105."""
    wars = {choice.about.war for choice in state.choices if isinstance(choice.about, Spoils)}
    return tuple(area for war in state.wars if war.id in wars for _, area in due(tables, state, war))
