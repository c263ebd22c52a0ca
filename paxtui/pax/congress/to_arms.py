"""War out of a Congress of Europe: a disputant tires of it, a Treaty is defied, a Minor Power and its defenders fight.

Rules: CON-027, CON-034, CON-035, WAR-044, WAR-046, MIN-037, MIN-038, MIN-044, MIN-045, ETI-016, ETI-028
(R-CON-08, R-MIN-13, R-ETI-09, R-WAR-01)
"""

from __future__ import annotations

from paxtui.pax.board.status import powers_of
from paxtui.pax.congress import conflicts
from paxtui.pax.congress.conflicts import Conflict
from paxtui.pax.history import events as ev
from paxtui.pax.orders import actions as ac
from paxtui.pax.play import casus_belli
from paxtui.pax.play.choices import one_of
from paxtui.pax.play.play import Play
from paxtui.pax.state.causes import CasusBelli
from paxtui.pax.state.model import State
from paxtui.pax.state.questions import CongressQuestion, Defiance, Pending
from paxtui.pax.war import calls, declarations
from paxtui.pax.words.spoken import place_name, the_power

UNRESOLVED = 3
"""Points of tension for each Casus Belli before a Congress that is left unresolved (ETI-016)."""
PASS = "pass"


def declare(play: Play, power: str, action: ac.DeclareWar) -> None:
    """Declare War in a Congress: what was before it between the two is not resolved there.

    Raises: Refusal, as `declarations.declare`; GameOver.
    Rules: CON-027, CON-034, WAR-044, WAR-046, ETI-016, ETI-018 (R-CON-08)
    """
    left = [c for c in conflicts.before_it(play.state) if power in c.pair and c.pair & set(action.on)]
    causes = declarations.check(play, power, action)
    over = (*(cause.area for cause in causes), *_defied_areas(play.state, action.on))
    for conflict in left:
        unresolved(play, conflict, power)
    declarations.queue(play, power, action.on, tuple(dict.fromkeys(over)))


def _defied_areas(state: State, on: tuple[str, ...]) -> tuple[str, ...]:
    """Areas in dispute over which these Powers have refused to sign: the War on them settles what becomes of those.

    Rules: CON-034, CON-035 (Decision 75)
    """
    refusers = set(on) & set(state.congress.refusers) if state.congress else set()
    left = conflicts.before_it(state)
    return tuple(c.area for c in left if c.area and conflicts.defied(state, c) and refusers & c.parties)


def unresolved(play: Play, conflict: Conflict, blame: str) -> None:
    """What the Congress leaves unresolved raises the tensions.

    Raises: GameOver.
    Rules: ETI-016, ETI-018 (R-CON-07, R-CON-08)
    """
    where = f" over {place_name(play.tables, conflict.area)}" if conflict.area else ""
    what = f"the Congress leaves a Casus Belli{where} unresolved"
    play.tension(UNRESOLVED, what, ("ETI-016", "ETI-018"), blame, conflict.area)


def decided_by_war(state: State) -> bool:
    """Whether nothing is left before the Congress because War was declared over it."""
    return bool(state.wars) and not conflicts.before_it(state)


def left_to_arms(state: State) -> bool:
    """Whether nothing is left before the Congress but disputes in which its Treaty was defied. Rules: CON-033."""
    return bool(conflicts.before_it(state)) and not conflicts.negotiable(state)


def void(play: Play) -> None:
    """What the Congress still asks is void.

    Rules: CON-027
    """
    for choice in play.state.choices:
        if isinstance(choice.about, CongressQuestion):
            play.emit(ev.ChoiceMade(id=choice.id, void=True, rules=("CON-027",)))


# --- the last word --------------------------------------------------------------------------------------------------


def ask(play: Play) -> None:
    """Before markers are removed, whoever holds a Casus Belli is asked whether he declares War on it.

    Rules: CON-034, CON-035, CON-036, MIN-038
    """
    for seat in play.state.players:
        for power in powers_of(play.tables, play.state, seat):
            _offer(play, power, _orders(play, power))


def ask_again(play: Play) -> None:
    """Replace the questions that offer a declaration which a War declared meanwhile has made impossible.

    Rules: CON-034, WAR-042
    """
    for choice in play.state.choices:
        if not isinstance(choice.about, Defiance):
            continue
        orders = _orders(play, choice.power)
        if not {*choice.options, PASS} <= {*orders, PASS}:
            play.emit(ev.ChoiceMade(id=choice.id, void=True, rules=("WAR-042",)))
            _offer(play, choice.power, orders)


def _orders(play: Play, power: str) -> tuple[str, ...]:
    causes = declarations.usable(play.tables, play.state, power)
    return tuple(_order(causes, cause) for cause in causes)


def _offer(play: Play, power: str, orders: tuple[str, ...]) -> None:
    if not orders:
        return
    play.offer(
        power,
        Defiance(),
        (*orders, PASS),
        PASS,
        "",
        f"The Congress has not settled everything: does {the_power(play.tables, power)} declare War? "
        f"A marker whose Casus Belli is not used may have to go.",
        ("CON-034", "CON-035", "CON-036"),
    )


def _order(causes: tuple[CasusBelli, ...], cause: CasusBelli) -> str:
    """The declaration on one of several causes."""
    alike = [c for c in causes if c.against == cause.against]
    return f"declare war {cause.against}" + (f" over {cause.id}" if len(alike) > 1 else "")


def answer(play: Play, choice: Pending, about: Defiance, words: tuple[str, ...]) -> None:
    """A holder of a Casus Belli declares War, or does not.

    Raises: Refusal `bad_answer`, or as the declaration; GameOver.
    Rules: CON-034, CON-035
    """
    word = one_of(choice, words)
    if word != PASS:
        against, _, over = word.removeprefix("declare war ").partition(" over ")
        declare(play, choice.power, ac.DeclareWar((against,), (over,) if over else (), choice.power))


# --- Minor Powers ---------------------------------------------------------------------------------------------------


def defended(play: Play, refusers: tuple[str, ...]) -> None:
    """A Minor Power declares War on the Great Power that defies a Congress which has ruled against it, and those who
    have announced its defence are called.

    Raises: GameOver.
    Rules: MIN-044, MIN-045
    """
    causes = [c for c in play.state.casus_belli if c.cause == casus_belli.DEFENCE and c.against in refusers]
    for minor, against in dict.fromkeys((c.minor, c.against) for c in causes):
        declarations.of_minor(play, minor, against, causes[0].area)
        for cause in causes:
            if (cause.minor, cause.against) == (minor, against):
                calls.ask_defender(play, cause.holder, minor, against)
