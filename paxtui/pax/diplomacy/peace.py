"""Peace by agreement: who is at War no longer once all who have to sign have signed.

Rules: WEN-027, WEN-028, WEN-036, WEN-037, WEN-038, WEN-045, WEN-046, ETI-021 (R-WEN-09)
"""

from __future__ import annotations

from paxtui.pax.board.status import abandoned, controllers, seat_of
from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from paxtui.pax.play.play import Play, refuse
from paxtui.pax.state.model import State
from paxtui.pax.state.questions import EndWaiver
from paxtui.pax.state.war import ALLIANCES, OTTOMAN, REBELLION, RESOLUTION, War
from paxtui.pax.words.spoken import powers_named

SEPARATE = 5
"""Points by which the tensions rise for each player who makes peace while an ally fights on (WEN-038)."""


def make(play: Play, parties: tuple[str, ...], rules: tuple[str, ...]) -> None:
    """The signers make peace in every War in which they are enemies: it ends, or they leave it.

    Raises: Refusal `no_war_to_end`, `peace_in_part`, `choose_first`; GameOver.
    Rules: WEN-027, WEN-028, WEN-036, WEN-037, REB-058
    """
    ended = False
    for war in play.state.wars:
        opposed = {war.side_of(p) for p in parties} - {0}
        if war.kind != REBELLION and war.stage != RESOLUTION and len(opposed) > 1:
            _in(play, war, parties, rules)
            ended = True
    if not ended:
        refuse("no_war_to_end", ("WEN-036", "REB-058"), "No two of the signers are at War with each other.")


def _in(play: Play, war: War, parties: tuple[str, ...], rules: tuple[str, ...]) -> None:
    """Peace in one War.

    Raises: Refusal `peace_in_part`, `choose_first`; GameOver.
    Rules: WEN-036, WEN-037, WEN-038, WEN-045, WEN-046 (R-WEN-09)
    """
    for choice in play.state.choices:
        if getattr(choice.about, "war", "") == war.id:
            if not isinstance(choice.about, EndWaiver):
                refuse("choose_first", ("SEQ-010",), "A choice of this War has to be made before there is peace in it.")
            play.emit(ev.ChoiceMade(id=choice.id, void=True, rules=("WEN-036",)))
    leaving = leavers(play, war, parties)
    if not leaving:
        players = tuple(p for p in with_a_voice(play.tables, play.state, war) if p not in parties)
        who = f" {powers_named(play.tables, players)} would have to sign too." if players else ""
        refuse(
            "peace_in_part",
            ("WEN-036", "WEN-037", "WEN-045"),
            f"Peace is made with all one's enemies together, and a Minor Power alone makes none.{who}",
        )
    if all(p in leaving for p in with_a_voice(play.tables, play.state, war)):
        over = (*rules, "WEN-027", "WEN-036")
        play.emit(ev.WarDecided(war=war.id, test="peace", rules=tuple(dict.fromkeys(over))))
        if war.stage == ALLIANCES:
            play.emit(ev.WarOver(war=war.id, rules=("WEN-035",)))
        return
    for power in leaving:
        play.emit(ev.PowerLeftWar(war=war.id, power=power, reason="separate_peace", rules=(*rules, "WEN-037")))
    _go_back(play, war, leaving)
    deserted = [p for p in leaving if any(a not in leaving for a in war.alliance(war.side_of(p)))]
    for seat in dict.fromkeys(seat_of(play.tables, play.state, p) for p in deserted if p in play.state.powers):
        play.tension(SEPARATE, "a separate peace", ("WEN-038", "ETI-021"), seat)


def leavers(play: Play, war: War, parties: tuple[str, ...]) -> tuple[str, ...]:
    """Who is at War no longer once these have signed: signers all of whose enemies with a player sign too.

    Where all sign the War is over, for Minor Powers too; against a side without any Great Power there is no peace.
    An abandoned Power counts as a Minor Power does.

    Rules: WEN-036, WEN-037, WEN-045, WEN-046, ORD-036 (R-ORD-25)
    """
    players = with_a_voice(play.tables, play.state, war)
    great = {n: tuple(p for p in side if p in players) for n, side in enumerate(war.alliances, start=1) if side}
    leaving: list[str] = []
    for number, own in great.items():
        foes = [side for n, side in great.items() if n != number]
        if all(side and set(side) <= set(parties) for side in foes):
            leaving += [p for p in own if p in parties]
    return tuple(p for p in war.powers if p in leaving)


def with_a_voice(tables: Tables, state: State, war: War) -> tuple[str, ...]:
    """The Powers of a War that somebody plays; others accept the peace of their allies.

    Rules: WEN-046, ORD-036 (R-ORD-25)
    """
    return tuple(p for p in war.powers if p in state.powers and not abandoned(tables, state, p))


def _go_back(play: Play, war: War, leaving: tuple[str, ...]) -> None:
    """Areas conquered from those who have left go back to them, unless an article has given them away.

    What nobody Controls is the Ottoman Empire's, which signs no peace, and stays conquered.

    Rules: WEN-037, OTT-013 (R-WEN-04, R-OTT-15)
    """
    for taken in war.conquered:
        holders = controllers(play.state, taken.area)
        if not holders and war.kind == OTTOMAN:
            continue
        enemies = [p for p in holders if war.side_of(p) not in (0, taken.alliance)]
        if all(p in leaving for p in enemies):
            play.emit(ev.AreaConquered(war=war.id, area=taken.area, alliance=0, rules=("WEN-037",)))
