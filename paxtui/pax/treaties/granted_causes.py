"""Casus Belli that a Treaty grants: once a signer is at War over a cause of his, the others share it.

An article that not everybody may read grants nothing yet, for who uses it shows it; revealed while the War goes on, it
does.

Rules: TRE-009, TRE-012, TRE-017, WAR-037 (R-TRE-07, R-WAR-20)
"""

from __future__ import annotations

from collections.abc import Iterable

from paxtui.pax.play import casus_belli
from paxtui.pax.play.play import Play
from paxtui.pax.state.treaty import Treaty
from paxtui.pax.treaties import breaches, treaty_watch

CAUSE = "treaty_grants"
"""Its row in the Casus Belli Summary."""
SHARED_CAUSE = "shared_cause"


def by_declaration(play: Play, power: str, on: Iterable[str]) -> None:
    """A Power has declared War on others: those who share its causes have one against them.

    Rules: TRE-009, TRE-017, WAR-037
    """
    for treaty in treaty_watch.in_force(play.state):
        _grant(play, treaty, power, tuple(on))


def by_reading(play: Play, id_: str) -> None:
    """An agreement can be read by everybody now: what it grants for Wars that its signers have begun is there.

    Rules: TRE-009, TRE-012, WAR-037
    """
    treaty = breaches.treaty_of(play, id_)
    if treaty is None:
        return
    for war in play.state.wars:
        for power in war.declared:
            side = war.side_of(power)
            _grant(play, treaty, power, tuple(p for p in war.powers if side and war.side_of(p) not in (0, side)))


def _grant(play: Play, treaty: Treaty, power: str, on: tuple[str, ...]) -> None:
    """What one agreement grants by the War of one signer on others. Rules: TRE-009, TRE-017, WAR-037."""
    if power not in treaty.bound:
        return
    for n, clause in enumerate(treaty.clauses):
        if clause.kind != SHARED_CAUSE or not breaches.known_to_all(treaty, n):
            continue
        if not treaty_watch.awake(play.state, treaty, n):
            continue
        for foe in on:
            meant = foe in clause.against if clause.against else foe not in treaty.bound
            for other in treaty.bound if meant and foe in play.tables.powers else ():
                if other not in (power, foe) and not any(_at_war(play, other, foe)):
                    rules = ("TRE-009", "TRE-017", "WAR-037")
                    casus_belli.arise(play, other, foe, "", CAUSE, rules, treaty=treaty.id)


def _at_war(play: Play, one: str, other: str) -> Iterable[bool]:
    """Of each War, whether two Powers are on different sides of it."""
    for war in play.state.wars:
        sides = {war.side_of(one), war.side_of(other)}
        yield 0 not in sides and len(sides) > 1
