"""A neutral seat that commands a Minor Power without an ally, where all players name the same one before Initiative.

With the option only. Whoever names the engine, or another seat than those before him, leaves it to the engine.

Rules: WAR-021, WAR-058 (R-WAR-09)
"""

from __future__ import annotations

from paxtui.pax.board.status import seat_of
from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from paxtui.pax.play.choices import one_of
from paxtui.pax.play.play import Play
from paxtui.pax.state.model import State
from paxtui.pax.state.questions import Command, Pending
from paxtui.pax.state.war import ALLIANCES, War
from paxtui.pax.war import cycle
from paxtui.pax.war.alliances import DECLARED, great_allies
from paxtui.pax.words.spoken import power_name

ENGINE = "engine"
"""What a seat answers that leaves a Minor Power to the engine."""


def ask(play: Play) -> bool:
    """Ask who shall command the next Minor Power without an ally, of the Wars that are about to be fought; whether
    somebody is asked.

    Rules: WAR-058 (R-WAR-09)
    """
    if not play.state.options.neutral_command:
        return False
    for war in cycle.fought(play.state):
        if war.kind not in DECLARED or war.stage != ALLIANCES:
            continue
        for minor in war.powers:
            alone = minor in play.state.minors and not great_allies(play.state, war, minor)
            if alone and minor not in war.voted and neutral_seats(play.tables, play.state, war):
                return _ask_next(play, war, Command(war=war.id, minor=minor))
    return False


def neutral_seats(tables: Tables, state: State, war: War) -> tuple[str, ...]:
    """The seats of the game that have no Power in a War, and are played. Rules: WAR-058."""
    inside = {seat_of(tables, state, p) for p in war.powers if p in state.powers}
    return tuple(s for s in state.players if s not in inside and s not in state.abandoned)


def _ask_next(play: Play, war: War, about: Command) -> bool:
    """Ask the next player; whether there is one. Rules: WAR-058."""
    voters = [s for s in play.state.players if s not in play.state.abandoned and s not in about.asked]
    if not voters:
        return False
    name = power_name(play.tables, about.minor)
    named = f" Named so far, and by all: {power_name(play.tables, about.named)}." if about.named else ""
    play.offer(
        voters[0],
        about,
        (*neutral_seats(play.tables, play.state, war), ENGINE),
        ENGINE,
        "",
        f"{name} fights without an ally. Which neutral shall command it? All have to name the same, or the engine "
        f"does.{named}",
        ("WAR-058",),
    )
    return True


def answer(play: Play, choice: Pending, about: Command, words: tuple[str, ...]) -> None:
    """A player names a neutral, or leaves the Minor Power to the engine; the last one's word settles it.

    Raises: Refusal `bad_answer`.
    Rules: WAR-058 (R-WAR-09)
    """
    said = one_of(choice, words)
    war = next(w for w in play.state.wars if w.id == about.war)
    if said == ENGINE or about.named not in ("", said):
        said = ""
    elif _ask_next(play, war, Command(war=war.id, minor=about.minor, named=said, asked=(*about.asked, choice.seat))):
        return
    play.emit(ev.CommandGiven(war=war.id, minor=about.minor, seat=said, rules=("WAR-058", "WAR-021")))
