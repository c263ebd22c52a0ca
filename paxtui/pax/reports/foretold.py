"""What an act would bring, in sentences: for the action menu, the line for orders, a move, plain mode and programs.

Rules: STA-014, STA-024, STA-037, ADM-018, CRI-007, CCB-043
"""

from __future__ import annotations

from collections.abc import Iterator

from paxtui.pax.board.status import powers_of
from paxtui.pax.board.tables import Tables
from paxtui.pax.reports.combat import odds_said
from paxtui.pax.reports.foresight import Foresight
from paxtui.pax.reports.page import BAD, GOOD, PLAIN, Told
from paxtui.pax.state.causes import CasusBelli
from paxtui.pax.state.model import State
from paxtui.pax.turn.final_record import income_is_over
from paxtui.pax.words.spoken import all_of, of_power, place_name, the_power


def told(tables: Tables, state: State, seat: str, seen: Foresight) -> list[Told]:
    """Everything an act would bring, a sentence each: gains are GOOD, losses and dangers BAD; none where it is nothing.

    Args: the tables; the position; the seat that would act; what was foreseen.
    """
    lost = [Told(text, tone=BAD) for text in seen.perils]
    said = [Told(text) for text in seen.answer]
    ledgers, causes = _ledgers(tables, state, seat, seen), _causes(tables, powers_of(tables, state, seat), seen)
    return [*lost, *said, *ledgers, *causes, *_map(tables, seen)]


def figures(seen: Foresight) -> str:
    """Price and income as they go on after the name of an act: `, £20, line 22 +10`."""
    price = f", £{seen.price}" if seen.price > 0 else f", £{-seen.price} gained" if seen.price else ""
    return price + (f", line 22 {seen.income:+d}" if seen.income else "")


def _ledgers(tables: Tables, state: State, seat: str, seen: Foresight) -> Iterator[Told]:
    """What changes on the tracks and the record sheets."""
    if seen.great_war:
        yield Told("European Tensions reach 100: the Great War ends the game.", tone=BAD)
    elif seen.tension > 0:
        yield Told(f"European Tensions rise by {seen.tension}.", tone=BAD)
    at_once = f"by {seen.resentment} at once" if seen.resentment else ""
    each = f"by {abs(seen.yearly_resentment)} {'more' if seen.yearly_resentment > 0 else 'less'} each Game Turn"
    risen = all_of([text for text in (at_once, each * bool(seen.yearly_resentment)) if text])
    if risen:
        tone = BAD if seen.resentment > 0 or seen.yearly_resentment > 0 else GOOD
        yield Told(f"Chinese Resentment rises {risen}.", tone=tone)
    if seen.points:
        yield Told(f"{_points(seen.points)} at once.", tone=_tone(seen.points))
    if seen.points_at_end:
        lines = " (lines 24, 28 and 29)" if income_is_over(tables, state) else ""
        said = f"{_points(seen.points_at_end)} at the end, as things stand{lines}."
        yield Told(said, tone=_tone(seen.points_at_end))


def _points(n: int) -> str:
    return f"{n:+d} Victory Point{'s' if abs(n) != 1 else ''}"


def _tone(n: int) -> str:
    return GOOD if n > 0 else BAD


def _causes(tables: Tables, mine: tuple[str, ...], seen: Foresight) -> Iterator[Told]:
    """Casus Belli that arise or are settled, and Treaties that are broken."""
    holders: dict[str, list[CasusBelli]] = {}
    for cause in seen.causes:
        holders.setdefault(cause.against, []).append(cause)
    for against, causes in holders.items():
        who = all_of(list(dict.fromkeys(the_power(tables, cause.holder) for cause in causes)))
        whom = "you" if against in mine else the_power(tables, against)
        own = GOOD if any(cause.holder in mine for cause in causes) else PLAIN
        yield Told(f"Gives {who} a Casus Belli against {whom}.", tone=BAD if against in mine else own)
    for cause in seen.settled:
        if cause.holder in mine:
            yield Told(f"Gives up your Casus Belli against {the_power(tables, cause.against)}.", tone=BAD)
        else:
            tone = GOOD if cause.against in mine else PLAIN
            whom = "you" if cause.against in mine else the_power(tables, cause.against)
            yield Told(f"Settles {of_power(tables, cause.holder)} Casus Belli against {whom}.", tone=tone)
    for breach in seen.breaches:
        yield Told(breach, tone=BAD)


def _map(tables: Tables, seen: Foresight) -> Iterator[Told]:
    """Garrisons, combats, and Wars that come of it."""
    if seen.ungarrisoned:
        where = all_of([place_name(tables, area) for area in seen.ungarrisoned])
        needs = "needs an army" if len(seen.ungarrisoned) == 1 else "need armies"
        yield Told(f"Then {where} still {needs} of yours before the Phase ends.", tone=BAD)
    if seen.garrisoned:
        where = all_of([place_name(tables, area) for area in seen.garrisoned])
        has = "has its garrison" if len(seen.garrisoned) == 1 else "have their garrisons"
        yield Told(f"{where} {has}.", tone=GOOD)
    if seen.odds:
        won = GOOD if seen.odds.wins == 6 else BAD if seen.odds.wins == 0 else PLAIN
        yield Told(f"Combat for {place_name(tables, seen.combat)}: {odds_said(seen.odds)}", tone=won)
    if seen.ottoman_war:
        yield Told("If it is won, the Ottoman Empire goes to war this Game Turn.", tone=BAD)
