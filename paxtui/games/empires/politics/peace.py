"""Peace: surrenders, informal offers, formal terms, demands to end an alliance, and forces that go home (4.4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from paxtui.games.empires.board import (
    CITY_ROOM,
    DEPOT_ROOM,
    acting_power,
    enemies_of,
    is_allied,
    is_at_war,
    is_friendly,
    relation_between,
    territory_nation,
)
from paxtui.games.empires.events.politics import (
    CorpsWentHome,
    DemandSettled,
    DepotTakenUp,
    FleetsMustLeave,
    GarrisonWentHome,
    PapersOpened,
    PeaceMade,
    SurrenderChanged,
    WarEnded,
)
from paxtui.games.empires.orders import Action, OfferPeace, Sue
from paxtui.games.empires.pieces import Garrison
from paxtui.games.empires.politics import declarations
from paxtui.games.empires.politics.declarations import break_alliance
from paxtui.games.empires.state import Question, State, Surrender
from paxtui.games.empires.tables import Tables
from paxtui.games.empires.transaction import Transaction, papers_about, refuse, reveal_papers, seal_paper

SUING, INFORMAL = "suing", "informal"
OFFER, ACCEPT = "offer", "accept"
CONDITIONAL, UNCONDITIONAL, DECLINED = "conditional", "unconditional", "declined"


def enemy_powers(state: State, power: str) -> tuple[str, ...]:
    """The Powers with whom a Power is at war. Minor countries make no peace. Rules: EIA 4.4.2"""
    return tuple(one for one in enemies_of(state, power) if one in state.powers)


def seal_suit(play: Transaction, power: str, action: Sue) -> None:
    """Write down to whom one surrenders. Raises: Refusal. Rules: EIA 4.4.2, EIA 4.4.2.1"""
    at_war_with = enemy_powers(play.state, power)
    _check_enemies(action.to, at_war_with)
    if set(action.to) != set(at_war_with):
        for name in action.to:
            if not _is_in_home(play.tables, play.state, power, name):
                who = play.tables.name(name)
                refuse("not_invaded", f"{who} has no forces within your borders: sue all your enemies.", "EIA 4.4.2.1")
    seal_paper(play, power, SUING, action.to, "EIA 4.4.2")


def _check_enemies(names: tuple[str, ...], at_war_with: tuple[str, ...]) -> None:
    """Check that all named Powers are enemies. Raises: Refusal."""
    if not names or len(set(names)) < len(names) or set(names) - set(at_war_with):
        refuse("no_enemy", f"Name enemies: {', '.join(at_war_with) or 'you have none'}.", "EIA 4.4.2")


def _is_in_home(tables: Tables, state: State, power: str, enemy: str) -> bool:
    """Whether an enemy has forces within the home borders of a Power."""
    places = [one.where for one in state.corps.values() if one.power == enemy]
    places += [one.where for one in state.garrisons if one.power == enemy]
    return any(place in tables.areas and tables.areas[place].owner == power for place in places)


def seal_informal_offer(play: Transaction, power: str, action: OfferPeace) -> None:
    """Write down with whom one would make an informal peace. Raises: Refusal. Rules: EIA 4.4.1"""
    _check_enemies(action.to, enemy_powers(play.state, power))
    seal_paper(play, power, INFORMAL, action.to, "EIA 4.4.1")


def powers_at_war(tables: Tables, state: State) -> tuple[str, ...]:
    """Return the Powers at war, until the secret orders are revealed."""
    return () if state.politics.opened else tuple(one for one in state.powers if enemy_powers(state, one))


def peace_offers(tables: Tables, state: State, power: str) -> Iterator[Action]:
    """To sue one or all, and to offer peace to one or all."""
    found = enemy_powers(state, power)
    written = {(one.matter, one.words) for one in state.sealed if one.power == power}
    for names in dict.fromkeys((*((one,) for one in found), found)):
        if (SUING, names) not in written:
            yield Sue(names)
        if (INFORMAL, names) not in written:
            yield OfferPeace(names)


def reveal_peace_papers(play: Transaction) -> None:
    """Reveal what was written, and make the informal peaces. Rules: EIA 4.4.1, EIA 4.4.6, EIA 4.6.6"""
    _end_lapsed_wars(play)
    suing = {(one.power, to) for one in reveal_papers(play, SUING, "EIA 4.4.1") for to in one.words}
    offered = {(one.power, to) for one in reveal_papers(play, INFORMAL, "EIA 4.4.1") for to in one.words}
    powers = play.state.powers
    for at, a in enumerate(powers):
        for b in powers[at + 1 :]:
            if {(a, b), (b, a)} <= suing or ({(a, b), (b, a)} <= offered and not {(a, b), (b, a)} & suing):
                play.emit(PeaceMade(loser=a, victor=b, kind=INFORMAL, rules=("EIA 4.4.1",)))
                suing -= {(a, b), (b, a)}
    found: list[Surrender] = []
    for loser in powers:
        found += (
            Surrender(loser, victor) for victor in _victors_in_order(play, loser, {v for s, v in suing if s == loser})
        )
    play.emit(PapersOpened(surrenders=tuple(found), rules=("EIA 4.4.2",)))


def _end_lapsed_wars(play: Transaction) -> None:
    """End wars of earlier months with minor countries in which the attacker has no corps. Rules: EIA 4.6.6"""
    state, tables = play.state, play.tables
    for war in state.relations:
        if war.kind != "war" or war.b not in state.minors or war.since == state.turn:
            continue
        inside = any(
            corps.power == war.a and corps.where in tables.areas and tables.areas[corps.where].owner == war.b
            for corps in state.corps.values()
        )
        if not inside and state.minors[war.b].status != "conquered":
            play.emit(WarEnded(a=war.a, b=war.b, how="lapse", rules=("EIA 4.6.6",)))


def _victors_in_order(play: Transaction, loser: str, victors: set[str]) -> tuple[str, ...]:
    """Victors in the order in which they went to war; those who did so together by dice. Rules: EIA 4.4.5.2"""
    groups: dict[tuple[int, int], list[str]] = {}
    for victor in (power for power in play.state.powers if power in victors):
        war = relation_between(play.state, "war", loser, victor)
        if war is not None:
            groups.setdefault((war.since, war.order), []).append(victor)
    found: list[str] = []
    for key in sorted(groups):
        found += declarations.roll_order(play, tuple(groups[key]), "victors choose terms", "EIA 4.4.5.2")
    return tuple(found)


def ask_next_proposal(play: Transaction) -> bool:
    """Ask the next victor for the kind of peace, or the loser to accept. Returns: whether a question is open.

    Rules: EIA 4.4.2.2
    """
    surrenders = play.state.politics.surrenders
    written = {(one.power, one.matter) for one in play.state.sealed}
    for one in surrenders:
        if not one.kind and (one.victor, f"peace:{one.loser}") not in written:
            choices = (CONDITIONAL, UNCONDITIONAL)
            play.ask(OFFER, one.victor, choices, one.loser, rules=("EIA 4.4.2.2",), secret=True)
            return True
    for loser in dict.fromkeys(one.loser for one in surrenders if not one.kind):
        papers = {one.power: one.words[0] for one in papers_about(play.state, f"peace:{loser}")}
        reveal_papers(play, f"peace:{loser}", "EIA 4.4.2.2")
        for one in surrenders:
            if one.loser == loser:
                kind = papers[one.victor]
                stands = kind == CONDITIONAL
                changed = Surrender(loser, one.victor, kind, stands)
                play.emit(SurrenderChanged(surrender=changed, rules=("EIA 4.4.2.2",)))
        return True
    for one in surrenders:
        if one.kind == UNCONDITIONAL and not one.accepted:
            play.ask(ACCEPT, one.loser, ("accept", "decline"), one.victor, rules=("EIA 4.4.2.2",))
            return True
    return False


def answer_offer(play: Transaction, question: Question, choice: str) -> None:
    """A victor has written down the kind of peace."""
    seal_paper(play, question.power, f"peace:{question.about[0]}", (choice,), "EIA 4.4.2.2")


def answer_proposal(play: Transaction, question: Question, choice: str) -> None:
    """A loser accepts an unconditional peace, or goes on with the war. Rules: EIA 4.4.2.2"""
    kind = UNCONDITIONAL if choice == "accept" else DECLINED
    changed = Surrender(question.power, question.about[0], kind, accepted=choice == "accept")
    play.emit(SurrenderChanged(surrender=changed, rules=("EIA 4.4.2.2",)))


GIVEN, TERM, NO_TERM = "given", "term", "none"
MAX_TERMS = {CONDITIONAL: 2, UNCONDITIONAL: 3}
"""Terms a victor may choose. Rules: EIA 4.4.3, EIA 4.4.4"""
GAIN = {CONDITIONAL: 3, UNCONDITIONAL: 5}
LOSS = {CONDITIONAL: 5, UNCONDITIONAL: 8}
"""Political points for a formal peace. Rules: EIA 4.4.2.3"""
ENFORCED = 18
"""Months of enforced peace. Rules: EIA 4.4.6.3"""


def draft_terms(play: Transaction) -> bool:
    """Ask for the next term of a peace that is being made, or make it; whether anything has happened."""
    stand = [one for one in play.state.politics.surrenders if one.accepted]
    for loser in dict.fromkeys(one.loser for one in stand):
        victors = [one for one in stand if one.loser == loser and is_at_war(play.state, loser, one.victor)]
        if victors:
            return _draft_next_term(play, loser, victors)
    return False


def _draft_next_term(play: Transaction, loser: str, victors: list[Surrender]) -> bool:
    """The next term of one loser's peace. Rules: EIA 4.4.3, EIA 4.4.5.1, EIA 4.4.5.2"""
    for one in victors:
        if one.kind == CONDITIONAL and not one.given:
            choices = tuple(name for name, term in play.tables.terms.items() if term.list == "A")
            play.ask(GIVEN, loser, choices, one.victor, rules=("EIA 4.4.3",))
            return True
    still = [one for one in victors if not one.closed]
    if not still:
        _make_peace(play, loser, victors)
        return True
    one = min(still, key=lambda each: len(each.terms))
    left = available_terms(play.tables, play.state, one)
    if not left:
        play.emit(SurrenderChanged(surrender=replace(one, closed=True), rules=("EIA 4.4.5.1",)))
        return True
    play.ask(TERM, one.victor, (*left, NO_TERM), loser, rules=("EIA 4.4.5.1",))
    return True


def available_terms(tables: Tables, state: State, surrender: Surrender) -> tuple[str, ...]:
    """Terms that a victor may choose now: once each, unless all share it, and none that another precludes.

    Rules: EIA 4.4.3, EIA 4.4.4, EIA 4.4.5.3
    """
    if len(surrender.terms) >= MAX_TERMS[surrender.kind]:
        return ()
    lists = "B" if surrender.kind == CONDITIONAL else "BC"
    of_loser = [one for one in state.politics.surrenders if one.loser == surrender.loser and one.accepted]
    taken = {term for one in of_loser for term in one.terms} | {surrender.given} & set(tables.terms)
    barred = {term for one in taken for term in tables.terms[one].precludes}
    found: list[str] = []
    for name, term in tables.terms.items():
        gone = name in surrender.terms if term.effect == "shared" else name in taken
        if term.list in lists and not gone and name not in barred and not set(term.precludes) & taken:
            found.append(name)
    return tuple(found)


def answer_given_term(play: Transaction, question: Question, choice: str) -> None:
    """The loser has chosen from list A. Rules: EIA 4.4.3"""
    one = _surrender_to(play.state, question.power, question.about[0])
    play.emit(SurrenderChanged(surrender=replace(one, given=choice), rules=("EIA 4.4.3",)))


def answer_chosen_term(play: Transaction, question: Question, choice: str) -> None:
    """A victor has chosen a term, or chooses no more. Rules: EIA 4.4.5.1"""
    one = _surrender_to(play.state, question.about[0], question.power)
    changed = replace(one, closed=True) if choice == NO_TERM else replace(one, terms=(*one.terms, choice))
    play.emit(SurrenderChanged(surrender=changed, rules=("EIA 4.4.5.1",)))


def _surrender_to(state: State, loser: str, victor: str) -> Surrender:
    return next(one for one in state.politics.surrenders if (one.loser, one.victor) == (loser, victor))


def _make_peace(play: Transaction, loser: str, victors: list[Surrender]) -> None:
    """A loser makes peace with all who took its surrender. Rules: EIA 4.4.2.3, EIA 4.4.5, EIA 4.4.5.3, EIA 4.4.6.3"""
    until = play.state.turn + ENFORCED - 1
    for one in victors:
        terms = tuple(
            name
            for name in (one.given, *one.terms)
            if name and (play.tables.terms[name].effect != "shared" or all(name in each.terms for each in victors))
        )
        rules = ("EIA 4.4.3" if one.kind == CONDITIONAL else "EIA 4.4.4", "EIA 4.4.6.3")
        play.emit(PeaceMade(loser=loser, victor=one.victor, kind=one.kind, terms=terms, until=until, rules=rules))
        gained = f"took the {one.kind} surrender of {play.tables.name(loser)}"
        play.points(one.victor, GAIN[one.kind], gained, "EIA 4.4.2.3")
    worst = UNCONDITIONAL if any(one.kind == UNCONDITIONAL for one in victors) else CONDITIONAL
    play.points(loser, -LOSS[worst], f"surrendered, {worst}", "EIA 4.4.2.3", "EIA 4.4.5")


DEMAND, LET_BE = "demand", "let_be"
SEPARATE_PEACE_RULE = "EIA 4.4.7"


def possible_demands(state: State) -> Iterator[tuple[str, str]]:
    """Yield each Power that may demand the end of an alliance, with the ally. Rules: EIA 4.4.7"""
    for loser, victor, kind in state.politics.peace:
        made = ((victor, loser),) if kind != "informal" else ((victor, loser), (loser, victor))
        for ally, enemy in made if kind != "lapse" else ():
            for power in state.powers:
                if power not in (ally, enemy) and is_at_war(state, power, enemy) and is_allied(state, power, ally):
                    yield power, ally


def ask_separate_peace(play: Transaction) -> bool:
    """Ask the next Power that may demand the end of an alliance. Returns: whether a question is open."""
    for power, ally in possible_demands(play.state):
        if (power, ally) not in play.state.politics.demands:
            play.ask(DEMAND, power, (DEMAND, LET_BE), ally, rules=(SEPARATE_PEACE_RULE,))
            return True
    return False


def answer_demand(play: Transaction, question: Question, choice: str) -> None:
    """The ally gives up the alliance and loses points for it, or nothing happens. Rules: EIA 4.4.7"""
    power, ally = question.power, question.about[0]
    play.emit(DemandSettled(power=power, ally=ally, rules=(SEPARATE_PEACE_RULE,)))
    if choice == DEMAND:
        break_alliance(play, ally, power, (ally,), SEPARATE_PEACE_RULE)


CORPS_HOME, GARRISON_HOME = "corps_home", "garrison_home"
GOING_HOME_RULE = "EIA 4.4.6.2"


def is_in_territory(tables: Tables, state: State, place: str, nation: str) -> bool:
    """Whether a place lies in the territory of a nation, or of a minor country that it runs."""
    if place not in tables.areas:
        return False
    found = territory_nation(tables, state, place)
    return nation in (found, acting_power(state, found))


def forces_to_leave(state: State) -> Iterator[tuple[str, str, bool]]:
    """Yield the Powers that must leave a country after this month's peaces; True means only its capitals."""
    for loser, victor, kind in state.politics.peace:
        access = any(
            (one.turn, one.loser, one.victor) == (state.turn, loser, victor) and "c.5" in one.terms
            for one in state.treaties
        )
        if kind != "lapse":
            yield loser, victor, False
            yield victor, loser, access
        else:
            yield loser, victor, False


def send_home(play: Transaction) -> bool:
    """Send home the next of those who have to go; whether anything has happened."""
    for power, nation, capitals in forces_to_leave(play.state):
        if _send_garrisons(play, power, nation, capitals):
            return True
        if not capitals and (_send_corps(play, power, nation) or _send_depots_and_fleets(play, power, nation)):
            return True
    return False


def _nearest_areas(play: Transaction, origin: str, good: Callable[[str], bool]) -> tuple[str, ...]:
    """The nearest areas by land that will do, all that are equally near."""
    seen = {origin}
    ring: tuple[str, ...] = (origin,)
    while ring:
        found = tuple(area for area in ring if good(area))
        if found:
            return found
        wider = [one for area in ring for one in play.tables.ways[area] if not play.tables.areas[one].sea]
        ring = tuple(dict.fromkeys(one for one in wider if one not in seen))
        seen |= set(ring)
    return ()


def _send_corps(play: Transaction, power: str, nation: str) -> bool:
    for corps in play.state.corps.values():
        if corps.power != power or not is_in_territory(play.tables, play.state, corps.where, nation):
            continue
        goals = _nearest_areas(play, corps.where, lambda area: is_friendly(play.tables, play.state, power, area))
        if not goals:
            continue  # no way home by land
        if len(goals) == 1:
            play.emit(CorpsWentHome(corps=corps.id, where=goals[0], rules=(GOING_HOME_RULE,)))
        else:
            play.ask(CORPS_HOME, power, goals, corps.id, rules=(GOING_HOME_RULE,))
        return True
    return False


def _send_garrisons(play: Transaction, power: str, nation: str, capitals: bool) -> bool:
    tables = play.tables
    for one in play.state.garrisons:
        if one.power != power or not is_in_territory(tables, play.state, one.where, nation):
            continue
        if capitals and (one.of_depot or not tables.areas[one.where].capital):
            continue
        goals = _nearest_areas(play, one.where, _garrison_area_test(play, one, capitals))
        if len(goals) > 1:
            play.ask(
                GARRISON_HOME, power, goals, one.where, "depot" if one.of_depot else "city", rules=(GOING_HOME_RULE,)
            )
        else:
            _arrive_garrison(play, one, goals[0] if goals else "")
        return True
    return False


def _garrison_area_test(play: Transaction, garrison: Garrison, capitals: bool) -> Callable[[str], bool]:
    """Whether an area can take a garrison in: a friendly one with room, or for a guest any but a capital."""

    def holds(area: str) -> bool:
        found = play.tables.areas[area]
        if area == garrison.where or (capitals and found.capital):
            return False
        if not capitals and not is_friendly(play.tables, play.state, garrison.power, area):
            return False
        return any(
            garrison_room(play, garrison.power, area, depot) >= garrison.factors.total for depot in (False, True)
        )

    return holds


def garrison_room(play: Transaction, power: str, area: str, of_depot: bool) -> int:
    """How many more factors fit into the city of an area, or with a depot there. Rules: EIA 7.3.3.4, EIA 7.3.3.5"""
    state = play.state
    if of_depot:
        most = DEPOT_ROOM if any((one.power, one.where) == (power, area) for one in state.depots) else 0
    else:
        most = CITY_ROOM * play.tables.areas[area].supply
    there = (one for one in state.garrisons if one.where == area and one.of_depot == of_depot)
    return most - sum(one.factors.total for one in there)


def _arrive_garrison(play: Transaction, garrison: Garrison, area: str) -> None:
    to_depot = bool(area) and garrison_room(play, garrison.power, area, False) < garrison.factors.total
    play.emit(
        GarrisonWentHome(
            power=garrison.power,
            origin=garrison.where,
            of_depot=garrison.of_depot,
            where=area,
            to_depot=to_depot,
            rules=(GOING_HOME_RULE,),
        )
    )


def _send_depots_and_fleets(play: Transaction, power: str, nation: str) -> bool:
    """Depots are taken up, and fleets told to leave."""
    for depot in play.state.depots:
        if depot.power == power and is_in_territory(play.tables, play.state, depot.where, nation):
            play.emit(DepotTakenUp(power=power, where=depot.where, rules=(GOING_HOME_RULE,)))
            return True
    fleets = tuple(
        fleet.id
        for fleet in play.state.fleets.values()
        if fleet.power == power
        and fleet.box == "port"
        and fleet.id not in play.state.leaving
        and is_in_territory(play.tables, play.state, fleet.where, nation)
    )
    if fleets:
        play.emit(FleetsMustLeave(fleets=fleets, rules=(GOING_HOME_RULE,)))
    return bool(fleets)


def answer_corps_home(play: Transaction, question: Question, choice: str) -> None:
    """A corps goes to one of the nearest areas."""
    play.emit(CorpsWentHome(corps=question.about[0], where=choice, rules=(GOING_HOME_RULE,)))


def answer_garrison_home(play: Transaction, question: Question, choice: str) -> None:
    """A garrison goes to one of the nearest areas."""
    origin, kind = question.about
    key = (question.power, origin, kind == "depot")
    found = next(one for one in play.state.garrisons if (one.power, one.where, one.of_depot) == key)
    _arrive_garrison(play, found, choice)


def check_fleets_left(play: Transaction, power: str) -> None:
    """Raises: Refusal, while a fleet that has to leave a port is still there. Rules: EIA 4.4.6.2"""
    for name in play.state.leaving:
        fleet = play.state.fleets.get(name)
        if fleet is not None and fleet.power == power and fleet.box == "port":
            if not is_friendly(play.tables, play.state, power, fleet.where):
                refuse(
                    "must_leave", f"Fleet {name} has to leave {play.tables.name(fleet.where)} first.", GOING_HOME_RULE
                )
