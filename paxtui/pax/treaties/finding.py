"""Finding an agreement by its id, and an article by its number, as the seat that asks knows them.

Whoever knows of none is told the same whether it is there or not.
Rules: TRE-002, TRE-011
"""

from __future__ import annotations

from paxtui.pax.board.status import seat_of
from paxtui.pax.play import secrecy
from paxtui.pax.play.play import Play, refuse
from paxtui.pax.state.treaty import DRAFT, ENDED, IN_FORCE, Treaty
from paxtui.pax.treaties import permanent
from paxtui.pax.words.spoken import power_name


def known(play: Play, power: str, id_: str) -> Treaty:
    """The agreement of an id, or of a name that only one has (`_` for a blank), if the Power's seat knows of it.

    Raises: Refusal `no_treaty`, the same whether there is none or it is hidden.
    Rules: TRE-011
    """
    seat = seat_of(play.tables, play.state, power)
    everything = permanent.all_treaties(play.tables, play.state)
    seen = [treaty for treaty in everything if secrecy.knows(play.tables, play.state, treaty, seat)]
    named = [t for t in seen if t.name.casefold().replace(" ", "_") == id_.casefold() and t.stage != ENDED]
    found = next((t for t in seen if t.id == id_), named[0] if len(named) == 1 else None)
    if found is not None:
        return found
    if named:
        ids = ", ".join(treaty.id for treaty in named)
        refuse("no_treaty", (), f"You know of several agreements with the name {id_[:20]!r}: {ids}.")
    refuse("no_treaty", (), f"You know of no agreement {id_[:20]!r}.")


def own(play: Play, power: str, id_: str) -> Treaty:
    """The agreement of an id that the Power is a party to.

    Raises: Refusal `no_treaty`, `not_a_party`.
    Rules: TRE-002
    """
    treaty = known(play, power, id_)
    if power not in treaty.parties:
        name = power_name(play.tables, power)
        refuse(
            "not_a_party",
            ("TRE-002",),
            f"{name} is no party to {treaty.name or treaty.id}.",
            parties=list(treaty.parties),
        )
    return treaty


def binding(play: Play, power: str, id_: str) -> Treaty:
    """The agreement of an id that binds the Power now.

    Raises: Refusal `no_treaty`, `not_a_party`, `not_in_force`.
    """
    treaty = own(play, power, id_)
    if treaty.stage != IN_FORCE or power not in treaty.bound:
        why = "not everybody has signed it" if treaty.stage == DRAFT else "it binds you no longer"
        refuse("not_in_force", ("TRE-002",), f"{treaty.name or treaty.id} is not in force: {why}.")
    return treaty


def open_draft(play: Play, power: str, id_: str) -> Treaty:
    """The draft of an id, still to be signed.

    Raises: Refusal `no_treaty`, `not_a_party`, `not_a_draft`.
    """
    treaty = own(play, power, id_)
    if treaty.stage != DRAFT:
        why = "is in force already" if treaty.stage == IN_FORCE else f"is no draft any more ({treaty.reason})"
        refuse("not_a_draft", ("TRE-002",), f"{treaty.name or treaty.id} {why}.")
    return treaty


def hidden(treaty: Treaty) -> tuple[int, ...]:
    """Secret articles that others than the parties do not know even where they know the agreement."""
    return tuple(n for n, c in enumerate(treaty.clauses) if c.secret and n not in treaty.shown)


def article(play: Play, power: str, treaty: Treaty, number: int) -> int:
    """The clause (from 0) that a seat means by an article's number: others than the parties count what they know.

    Raises: Refusal `no_article`.
    """
    seat = seat_of(play.tables, play.state, power)
    every = range(len(treaty.clauses))
    if secrecy.inside(play.tables, play.state, treaty, seat):
        shown = list(every)
    else:
        shown = [n for n in every if not treaty.clauses[n].secret or n in treaty.shown]
    if not 1 <= number <= len(shown):
        there = f"articles 1 to {len(shown)}" if len(shown) > 1 else "one article" if shown else "no articles"
        refuse("no_article", (), f"{treaty.name or treaty.id} has {there}, and no {number}.")
    return shown[number - 1]
