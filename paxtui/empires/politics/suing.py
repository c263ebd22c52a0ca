"""The Peace Step up to what is proposed: suing for peace, informal offers, and what both sides have to accept (4.4)."""

from __future__ import annotations

from collections.abc import Iterator

from paxtui.empires.history.politics_events import PapersOpened, PeaceMade, SurrenderChanged, WarEnded
from paxtui.empires.orders.action import Action
from paxtui.empires.orders.actions_politics import OfferPeace, Sue
from paxtui.empires.play.asking import papers_about, reveal, seal
from paxtui.empires.play.play import Play, refuse
from paxtui.empires.play.standing import enemies, home, relation
from paxtui.empires.politics import competing
from paxtui.empires.state.model import State
from paxtui.empires.state.politics import Surrender
from paxtui.empires.state.questions import Question
from paxtui.empires.tables.tables import Tables

SUING, INFORMAL = "suing", "informal"
OFFER, ACCEPT = "offer", "accept"
CONDITIONAL, UNCONDITIONAL, DECLINED = "conditional", "unconditional", "declined"


def foes(state: State, power: str) -> tuple[str, ...]:
    """The Powers with whom a Power is at war. Minor countries make no peace. Rules: EIA 4.4.2"""
    return tuple(one for one in enemies(state, power) if one in state.powers)


def sue(play: Play, power: str, action: Sue) -> None:
    """Write down to whom one surrenders. Raises: Refusal. Rules: EIA 4.4.2, EIA 4.4.2.1"""
    at_war_with = foes(play.state, power)
    _check(action.to, at_war_with)
    if set(action.to) != set(at_war_with):
        for name in action.to:
            if not _in_home(play.tables, play.state, power, name):
                who = play.tables.name(name)
                refuse("not_invaded", f"{who} has no forces within your borders: sue all your enemies.", "EIA 4.4.2.1")
    seal(play, power, SUING, action.to, "EIA 4.4.2")


def _check(names: tuple[str, ...], at_war_with: tuple[str, ...]) -> None:
    """Raises: Refusal, where somebody named is no enemy."""
    if not names or len(set(names)) < len(names) or set(names) - set(at_war_with):
        refuse("no_enemy", f"Name enemies: {', '.join(at_war_with) or 'there are none'}.", "EIA 4.4.2")


def _in_home(tables: Tables, state: State, power: str, enemy: str) -> bool:
    """Whether an enemy has forces within the home borders of a Power."""
    places = [one.where for one in state.corps.values() if one.power == enemy]
    places += [one.where for one in state.garrisons if one.power == enemy]
    return any(place in tables.areas and home(tables, place) == power for place in places)


def offer(play: Play, power: str, action: OfferPeace) -> None:
    """Write down with whom one would make an informal peace. Raises: Refusal. Rules: EIA 4.4.1"""
    _check(action.to, foes(play.state, power))
    seal(play, power, INFORMAL, action.to, "EIA 4.4.1")


def actors(tables: Tables, state: State) -> tuple[str, ...]:
    """Whoever is at war with a Power, until the papers lie open."""
    return () if state.politics.opened else tuple(one for one in state.powers if foes(state, one))


def offers(tables: Tables, state: State, power: str) -> Iterator[Action]:
    """To sue one or all, and to offer peace to one or all."""
    found = foes(state, power)
    written = {(one.matter, one.words) for one in state.sealed if one.power == power}
    for names in dict.fromkeys((*((one,) for one in found), found)):
        if (SUING, names) not in written:
            yield Sue(names)
        if (INFORMAL, names) not in written:
            yield OfferPeace(names)


def open_papers(play: Play) -> None:
    """Reveal what was written, and make the informal peaces. Rules: EIA 4.4.1, EIA 4.4.6, EIA 4.6.6"""
    _lapse(play)
    suing = {(one.power, to) for one in reveal(play, SUING, "EIA 4.4.1") for to in one.words}
    offered = {(one.power, to) for one in reveal(play, INFORMAL, "EIA 4.4.1") for to in one.words}
    powers = play.state.powers
    for at, a in enumerate(powers):
        for b in powers[at + 1 :]:
            if {(a, b), (b, a)} <= suing or ({(a, b), (b, a)} <= offered and not {(a, b), (b, a)} & suing):
                play.emit(PeaceMade(loser=a, victor=b, kind=INFORMAL, rules=("EIA 4.4.1",)))
                suing -= {(a, b), (b, a)}
    found: list[Surrender] = []
    for loser in powers:
        found += (Surrender(loser, victor) for victor in _in_order(play, loser, {v for s, v in suing if s == loser}))
    play.emit(PapersOpened(surrenders=tuple(found), rules=("EIA 4.4.2",)))


def _lapse(play: Play) -> None:
    """End wars of earlier months with minor countries in which the attacker has no corps. Rules: EIA 4.6.6"""
    state, tables = play.state, play.tables
    for war in state.relations:
        if war.kind != "war" or war.b not in state.minors or war.since == state.turn:
            continue
        inside = any(
            corps.power == war.a and corps.where in tables.areas and home(tables, corps.where) == war.b
            for corps in state.corps.values()
        )
        if not inside and state.minors[war.b].status != "conquered":
            play.emit(WarEnded(a=war.a, b=war.b, how="lapse", rules=("EIA 4.6.6",)))


def _in_order(play: Play, loser: str, victors: set[str]) -> tuple[str, ...]:
    """Victors in the order in which they went to war; those who did so together by dice. Rules: EIA 4.4.5.2"""
    groups: dict[tuple[int, int], list[str]] = {}
    for victor in (power for power in play.state.powers if power in victors):
        war = relation(play.state, "war", loser, victor)
        if war is not None:
            groups.setdefault((war.since, war.order), []).append(victor)
    found: list[str] = []
    for key in sorted(groups):
        found += competing.order(play, tuple(groups[key]), "victors choose terms", "EIA 4.4.5.2")
    return tuple(found)


def propose(play: Play) -> bool:
    """Ask the next victor for the kind of peace, or the loser whether it accepts; whether somebody was asked.

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
        reveal(play, f"peace:{loser}", "EIA 4.4.2.2")
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


def take_offer(play: Play, question: Question, choice: str) -> None:
    """A victor has written down the kind of peace."""
    seal(play, question.power, f"peace:{question.about[0]}", (choice,), "EIA 4.4.2.2")


def take_answer(play: Play, question: Question, choice: str) -> None:
    """A loser accepts an unconditional peace, or goes on with the war. Rules: EIA 4.4.2.2"""
    kind = UNCONDITIONAL if choice == "accept" else DECLINED
    changed = Surrender(question.power, question.about[0], kind, accepted=choice == "accept")
    play.emit(SurrenderChanged(surrender=changed, rules=("EIA 4.4.2.2",)))
