"""Treaty calls: the Powers that a declaration of War obliges to join a partner, and their answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec
from msgspec.structs import replace

from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.events import events
from paxtui.games.pax.state.diplomacy import IN_FORCE, Clause, Treaty
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.questions import Call, Defence, DummyCall, Pending
from paxtui.games.pax.state.war import OTTOMAN, Declaration, War
from paxtui.games.pax.text.display import power_name, powers_text
from paxtui.games.pax.transaction import Transaction, single_answer
from paxtui.games.pax.treaties import breaches, lookup
from paxtui.games.pax.visibility import CALLING_CLAUSES, public_part
from paxtui.games.pax.war.alliances import at_war, current_form, enemies, own_power_beside

DEFENSIVE, OFFENSIVE = CALLING_CLAUSES
REFUSE = "refuse"
GO_ON = "go on"
"""Answer of a Power that no Treaty calls."""
DESERTED, UNHELPED = -5, 3
"""Victory Points and points of tension that deserting a Minor Power costs its announced defender (MIN-045)."""


class TreatyCall(msgspec.Struct, frozen=True):
    """A call: `power` owes `partner` help by a clause (from 0) of a Treaty."""

    power: str
    partner: str
    treaty: Treaty
    clause: int


def calls_due(tables: Tables, before: State, now: State, declaration: Declaration, war: War) -> tuple[TreatyCall, ...]:
    """Return all calls that a declaration causes, by the Treaties as they were before it.

    Args: the position before and after the declaration, the declaration, and the War after it. A clause that waits for
    a War is awake if this declaration begins that War.

    Rules: WAR-038, WAR-039, WAR-047, WAR-051, WAR-054, WAR-062, AUS-003, TRE-009 (R-WAR-21)
    """
    found = []
    for treaty in lookup.all_treaties(tables, before):
        if treaty.stage != IN_FORCE:
            continue
        for n, clause in enumerate(treaty.clauses):
            if clause.kind in (DEFENSIVE, OFFENSIVE) and breaches.is_awake(now, treaty, n):
                for power, partner in _called_pairs(treaty, clause, declaration, war):
                    found.append(TreatyCall(power, partner, treaty, n))
    return tuple(found)


def immediate_calls(calls: Iterable[TreatyCall], declaration: Declaration, war: War) -> tuple[TreatyCall, ...]:
    """Return the calls to ask about when War is declared.

    In an Ottoman War there are no defensive calls, because the Empire's enemies have to ask for aid. A Power that has
    promised to attack together with another Power follows it to its side.

    Rules: OTT-005, OTT-006, OTT-007, WAR-047 (R-OTT-17)
    """
    if war.kind != OTTOMAN:
        return tuple(calls)
    own = (call for call in calls if call.partner == declaration.power)
    return tuple(call for call in own if call.treaty.clauses[call.clause].kind == OFFENSIVE)


def _called_pairs(treaty: Treaty, clause: Clause, declaration: Declaration, war: War) -> Iterator[tuple[str, str]]:
    """Yield `(power, partner)` for each Power that owes help by one clause."""
    bound = treaty.bound
    if clause.kind == DEFENSIVE:
        # the aggressor has no claim to defence
        partners = [p for p in declaration.on if p in bound and p not in war.declared]
        foes = [declaration.power]
    else:
        partners = [declaration.power] if declaration.power in bound else []
        foes = list(declaration.on)
    meant = [foe for foe in foes if (foe in clause.against if clause.against else foe not in bound)]
    for partner in partners:
        for power in treaty.partners(partner):
            concerned = power not in foes and clause.power in ("", power)
            # neither an ally nor an enemy: between powers at war no treaty binds (Decision 69)
            if meant and concerned and not (war.side_of(power) and war.side_of(partner)):
                yield power, partner


class Declared(msgspec.Struct, frozen=True):
    """A processed declaration: the position before it, and the War after it."""

    before: State
    declaration: Declaration
    war: War


def ask_called_powers(play: Transaction, wave: Sequence[Declared]) -> None:
    """Ask each Power that a wave of declarations calls, in seat order, whether it declares War too or refuses.

    Rules: WAR-047, WAR-048, WAR-053, WAR-062, AUS-004 (R-WAR-04)
    """
    wanted: dict[tuple[str, str], list[TreatyCall]] = {}
    calling: dict[tuple[str, str], Declared] = {}
    for each in wave:
        declaration, war = each.declaration, current_form(play.state, each.war)
        for call in immediate_calls(
            calls_due(play.tables, each.before, play.state, declaration, war), declaration, war
        ):
            key = call.power, call.partner
            found = wanted.setdefault(key, [])
            if call.power in play.state.powers and call not in found:
                found.append(call)
                calling.setdefault(key, each)
    for power in play.tables.powers:
        for key, each in calling.items():
            if key[0] == power:
                _ask_power(play, power, key[1], wanted[key], current_form(play.state, each.war), each.declaration.power)
    if wave:
        _ask_uncalled_powers(play, wave)


def _ask_uncalled_powers(play: Transaction, wave: Sequence[Declared]) -> None:
    """Ask each other Power that a hidden agreement could call, so that no question shows who is called.

    All are asked from the first Negotiation Phase on, even if no hidden agreement exists. In a position that was set up
    they are asked only if it contains one.

    Rules: WAR-047, TRE-011, TRE-012
    """
    tables, before = play.tables, wave[0].before
    standing = (t for t in before.treaties if t.stage == IN_FORCE)
    hidden = any(not t.public or public_part(t).clauses != t.clauses for t in standing)
    if not before.negotiated and not hidden:
        return
    called = {c.power for c in play.state.choices if isinstance(c.about, Call)}
    text = " ".join(
        f"{power_name(tables, d.power)} declares War on {powers_text(tables, d.on)}."
        for d in (each.declaration for each in wave)
    )
    for power in play.state.powers:
        if power in called or all(_is_involved(play.state, each, power) for each in wave):
            continue
        play.offer(
            power,
            DummyCall(wave[0].declaration.power),
            (GO_ON,),
            GO_ON,
            "",
            f"{text} No Treaty calls {power_name(tables, power)}. "
            f"Whom a hidden one calls is asked now, unseen, and so everybody is.",
            ("WAR-047", "TRE-011"),
        )


def _is_involved(state: State, declared: Declared, power: str) -> bool:
    """Return whether a power takes part in a declaration or its war already, so that no treaty can call it."""
    declaration, war = declared.declaration, current_form(state, declared.war)
    several = sum(1 for side in war.alliances if side) > 2
    return power in (declaration.power, *declaration.on) or bool(war.side_of(power) and not several)


def _ask_power(play: Transaction, power: str, partner: str, its: list[TreatyCall], war: War, by: str) -> None:
    """Ask a Power to join a partner, unless it is already joining. `by`: the Power whose declaration calls it.

    Against a Power of its own seat, or an ally of one, it can only refuse.

    Rules: WAR-047, WAR-048, WAR-049, AUS-014
    """
    tables = play.tables
    on = tuple(p for p in enemies(war, partner) if p != power and not at_war(play.state, power, p))
    if not on or any(d.power == power and d.called_by and set(d.on) & set(on) for d in play.state.declarations):
        return
    join = f"declare war {' '.join(on)}"
    parties = tuple(dict.fromkeys(p for call in its for p in call.treaty.bound))
    treaties = tuple(call.treaty.id for call in its)
    names = ", ".join(dict.fromkeys(call.treaty.name or call.treaty.id for call in its))
    text = f"{names} calls {power_name(tables, power)} to the side of {power_name(tables, partner)}"
    own = next((own for p in on if (own := own_power_beside(tables, play.state, power, p))), "")
    options: tuple[str, ...] = (join, REFUSE)
    if own:
        options = (REFUSE,)
        against = power_name(tables, own) if own in on else f"an ally of {power_name(tables, own)}"
        text += f" against {against}. The same seat plays both, so it can only refuse and break it."
    else:
        text += f": declare War on {powers_text(tables, on)}, or refuse and break it?"
    play.offer(
        power,
        Call(partner, on, treaties, tuple(call.clause for call in its), parties, by),
        options,
        options[0],
        "",
        text,
        ("WAR-047", "WAR-048", "WAR-049", *(("AUS-014",) if own else ())),
    )


def take_call_answer(play: Transaction, choice: Pending, about: Call, words: tuple[str, ...]) -> None:
    """Declare War for a called Power, or record its refusal as a breach.

    A Power that joins on one call refuses the calls against its new allies.

    Rules: WAR-048, WAR-049, WAR-050, WAR-053, WAR-063, AUS-004 (R-WAR-06, R-WAR-07)
    """
    power = choice.power
    if single_answer(choice, words) == REFUSE:
        record_refusals(play, power, zip(about.treaties, about.clauses, strict=True))
        return
    declaration = Declaration(power, about.on, about.treaties[0], called_by=about.by)
    if helped_partner(play.tables, play.state, declaration) != about.partner:
        declaration = replace(declaration, partner=about.partner)
    play.emit(events.DeclarationQueued(declaration=declaration, rules=("WAR-048", "WAR-062")))
    for other in play.state.choices:
        if isinstance(other.about, Call) and other.power == power and other.about.partner in about.on:
            play.emit(events.ChoiceMade(id=other.id, void=True, rules=("WAR-063",)))
            record_refusals(play, power, zip(other.about.treaties, other.about.clauses, strict=True))


def helped_partner(tables: Tables, state: State, declaration: Declaration) -> str:
    """Return the Power that a declarer helps: the one named, defended, or signing its Treaty alone with it.

    Rules: WAR-048 (Decision 58)
    """
    named = declaration.partner or declaration.defends
    if named or not declaration.treaty:
        return named
    treaty = next((t for t in lookup.all_treaties(tables, state) if t.id == declaration.treaty), None)
    others = [p for p in treaty.bound if p != declaration.power] if treaty else []
    return others[0] if len(others) == 1 else ""


def ask_defender(play: Transaction, power: str, minor: str, on: str) -> None:
    """Ask the announced defender of a Minor Power to declare War on its enemy.

    Against a Power of its own seat, or an ally of one, it can only refuse.

    Rules: MIN-045, AUS-014
    """
    if at_war(play.state, power, on):
        return
    war = next((w for w in play.state.wars if w.side_of(minor)), None)
    foes = enemies(war, minor) if war else (on,)
    name = power_name(play.tables, minor)
    own = any(own_power_beside(play.tables, play.state, power, foe) for foe in foes)
    options = (REFUSE,) if own else (f"join {minor}", REFUSE)
    play.offer(
        power,
        Defence(minor, foes),
        options,
        options[0],
        "",
        f"{power_name(play.tables, power)} has announced the defence of {name}: declare War on "
        f"{powers_text(play.tables, foes)}, or lose {-DESERTED} Victory Points?",
        ("MIN-045", "ETI-028"),
    )


def take_defender_answer(play: Transaction, choice: Pending, about: Defence, words: tuple[str, ...]) -> None:
    """Declare War for an announced defender, or record that it deserts the Minor Power.

    Rules: MIN-045, ETI-028 (R-MIN-13, R-ETI-09)
    """
    if single_answer(choice, words) == REFUSE:
        record_desertion(play, choice.power, about.minor, "does not come to its aid", ("MIN-045",))
        return
    minor = about.minor
    declaration = Declaration(choice.power, about.on, called_by=minor, defends=minor)
    play.emit(events.DeclarationQueued(declaration=declaration, rules=("MIN-045", "WAR-062")))


def record_desertion(play: Transaction, power: str, minor: str, what: str, rules: tuple[str, ...]) -> None:
    """Charge the cost of deserting a Minor Power after announcing its defence.

    Raises: GameOver.
    Rules: MIN-045, MIN-046, ETI-028 (R-MIN-13, R-MIN-14, R-ETI-09)
    """
    name = power_name(play.tables, minor)
    play.victory_points(power, DESERTED, f"{name} deserted", rules)
    play.tension(UNHELPED, f"{power_name(play.tables, power)} {what}: {name}", ("ETI-028", *rules), power)


def record_separate_peaces(play: Transaction) -> None:
    """Record as deserters the defenders whose separate peace leaves their Minor Power in the War.

    Raises: GameOver.
    Rules: MIN-046 (R-MIN-14)
    """
    for war in play.state.wars:
        for minor, power in war.defended:
            if power in war.left and war.side_of(minor):
                record_defence_failure(play, war, minor, power, "makes peace without it")


def record_profit(play: Transaction, war: War, power: str) -> None:
    """Record as deserter a defender that gains a Status marker from a War that its side has lost.

    Raises: GameOver.
    Rules: MIN-046 (R-MIN-14)
    """
    for minor, defender in current_form(play.state, war).defended:
        if defender == power and war.victor not in (0, war.side_of(power)):
            record_defence_failure(play, war, minor, power, "gains by its defeat")


def record_defence_failure(play: Transaction, war: War, minor: str, power: str, what: str) -> None:
    """Charge a defender, once, for not doing its best.

    Raises: GameOver.
    Rules: MIN-046 (R-MIN-14)
    """
    play.emit(events.DefenceGivenUp(war=war.id, minor=minor, power=power, rules=("MIN-046",)))
    record_desertion(play, power, minor, what, ("MIN-046",))


def record_refusals(play: Transaction, power: str, articles: Iterable[tuple[str, int]]) -> None:
    """Record the breach of Treaties by a Power that refuses their calls. `articles`: id and clause of each call.

    Raises: GameOver.
    Rules: WAR-049, WAR-050, AUS-004, AUS-005, ETI-027
    """
    for id_, clause in articles:
        treaty = next((t for t in lookup.all_treaties(play.tables, play.state) if t.id == id_), None)
        if treaty is None:
            continue
        if lookup.is_permanent_pact(play.tables, play.state, treaty):
            lookup.record_pact(play, treaty)
            if treaty.stage == IN_FORCE:
                play.emit(events.TreatyEnded(id=treaty.id, reason="broken", rules=("AUS-005", "AUS-006")))
        breaches.break_clause(play, treaty, clause, power, "does not come when called", ("WAR-049",))
