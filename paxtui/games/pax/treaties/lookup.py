"""Lookup of agreements and articles as a seat knows them, names for new Treaties, and the permanent Alliance.

A seat that does not know an agreement gets the same answer whether it exists or not.

The permanent Alliance links a Power without a player of its own with the Power whose seat plays it. It is not stored in
the position until it is broken for the first time; `all_treaties` includes it. A broken one returns in the next Game
Turn.

Rules: R-AUS-03
"""

from __future__ import annotations

from paxtui.games.pax import visibility
from paxtui.games.pax.board.status import seat_of
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.events import events
from paxtui.games.pax.state.diplomacy import DRAFT, ENDED, IN_FORCE, TREATY, Clause, Treaty
from paxtui.games.pax.state.model import State
from paxtui.games.pax.text.display import ORDINALS, power_name, powers_text
from paxtui.games.pax.transaction import Transaction, refuse


def display_name(tables: Tables, treaty: Treaty) -> str:
    """Return the name of an agreement; for a settlement without a name, its parties and its year."""
    if treaty.name:
        return treaty.name
    year = tables.turns[max(1, treaty.drafted) - 1].year
    return f"Settlement of {powers_text(tables, treaty.parties)} ({year})"


def is_old_draft(state: State, treaty: Treaty) -> bool:
    """Whether a draft is from an earlier Game Turn: it can still be signed, but nobody waits for an answer."""
    return treaty.stage == DRAFT and treaty.drafted < state.turn


def propose_name(tables: Tables, state: State, seat: str, parties: tuple[str, ...]) -> str:
    """Return a city that names no agreement known to the drafting seat, the seat's own cities first."""
    used = {t.name.casefold() for t in visibility.visible_treaties(tables, state, seat)}
    lists = [tables.treaty_cities.get(p, ()) for p in dict.fromkeys((seat, *parties))]
    cities = [city for cities in lists for city in cities] or [power_name(tables, seat)]
    for before in ("", *(f"{ordinal} " for ordinal in ORDINALS)):
        for city in cities:
            if f"{before}{city}".casefold() not in used:
                return before + city
    return cities[0]


def pact_id(seat: str, power: str) -> str:
    """Return the id of the permanent Alliance of two Powers."""
    return f"{seat}_{power}"


def permanent_pacts(tables: Tables, state: State) -> tuple[Treaty, ...]:
    """Return the present permanent Alliances, including broken ones. Rules: AUS-003."""
    found = []
    for power in state.powers:
        seat = tables.powers[power].seat
        if seat and seat in state.players:
            known = next((t for t in state.treaties if t.id == pact_id(seat, power)), None)
            found.append(known or _unbroken_pact(tables, seat, power))
    return tuple(found)


def _unbroken_pact(tables: Tables, seat: str, power: str) -> Treaty:
    parties = tuple(p for p in tables.powers if p in (seat, power))
    return Treaty(
        id=pact_id(seat, power),
        name=" and ".join(power_name(tables, p) for p in parties),
        form=TREATY,
        drafter=seat,
        parties=parties,
        clauses=(Clause("defensive"),),
        public=True,
        stage=IN_FORCE,
        signed=parties,
        drafted=1,
        since=1,
    )


def is_permanent_pact(tables: Tables, state: State, treaty: Treaty) -> bool:
    return any(treaty.id == pact.id for pact in permanent_pacts(tables, state))


def all_treaties(tables: Tables, state: State) -> tuple[Treaty, ...]:
    """Return all agreements of the position, and the permanent Alliances even if never broken."""
    known = {t.id for t in state.treaties}
    return (*(p for p in permanent_pacts(tables, state) if p.id not in known), *state.treaties)


def record_pact(play: Transaction, pact: Treaty) -> None:
    """Store a permanent Alliance in the position, so that it can change."""
    if all(t.id != pact.id for t in play.state.treaties):
        play.emit(events.TreatyDrafted(treaty=pact, rules=("AUS-003",)))


def restore_pacts(play: Transaction) -> None:
    """Restore broken permanent Alliances at the start of a Game Turn. Rules: AUS-005 (R-AUS-01)."""
    for pact in permanent_pacts(play.tables, play.state):
        if pact.stage == ENDED:
            play.emit(events.TreatyInForce(id=pact.id, turn=play.state.turn, rules=("AUS-005",)))


def known_treaty(play: Transaction, power: str, id_: str) -> Treaty:
    """Return the agreement with an id or a unique name (`_` for a blank), if the Power's seat knows of it.

    Raises: Refusal `no_treaty`, the same for a missing and a hidden one.
    Rules: TRE-011
    """
    seat = seat_of(play.tables, play.state, power)
    everything = all_treaties(play.tables, play.state)
    seen = [treaty for treaty in everything if visibility.is_known_to(play.tables, play.state, treaty, seat)]
    named = [t for t in seen if t.name.casefold().replace(" ", "_") == id_.casefold() and t.stage != ENDED]
    found = next((t for t in seen if t.id == id_), named[0] if len(named) == 1 else None)
    if found is not None:
        return found
    if named:
        ids = ", ".join(treaty.id for treaty in named)
        refuse("no_treaty", (), f"You know several agreements with the name {id_[:20]!r}: {ids}.")
    refuse("no_treaty", (), f"You know no agreement {id_[:20]!r}.")


def own_treaty(play: Transaction, power: str, id_: str) -> Treaty:
    """Return the agreement with an id, to which the Power is a party.

    Raises: Refusal `no_treaty`, `not_a_party`.
    Rules: TRE-002
    """
    treaty = known_treaty(play, power, id_)
    if power not in treaty.parties:
        name = power_name(play.tables, power)
        refuse(
            "not_a_party",
            ("TRE-002",),
            f"{name} is not a party to {treaty.name or treaty.id}.",
            parties=list(treaty.parties),
        )
    return treaty


def binding_treaty(play: Transaction, power: str, id_: str) -> Treaty:
    """Return the agreement with an id that binds the Power now.

    Raises: Refusal `no_treaty`, `not_a_party`, `not_in_force`.
    """
    treaty = own_treaty(play, power, id_)
    if treaty.stage != IN_FORCE or power not in treaty.bound:
        why = "not all parties have signed it" if treaty.stage == DRAFT else "it no longer binds you"
        refuse("not_in_force", ("TRE-002",), f"{treaty.name or treaty.id} is not in force: {why}.")
    return treaty


def open_draft(play: Transaction, power: str, id_: str) -> Treaty:
    """Return the draft with an id that is still to be signed.

    Raises: Refusal `no_treaty`, `not_a_party`, `not_a_draft`.
    """
    treaty = own_treaty(play, power, id_)
    if treaty.stage != DRAFT:
        why = "is already in force" if treaty.stage == IN_FORCE else f"is no longer a draft ({treaty.reason})"
        refuse("not_a_draft", ("TRE-002",), f"{treaty.name or treaty.id} {why}.")
    return treaty


def hidden_articles(treaty: Treaty) -> tuple[int, ...]:
    """Return the secret articles unknown to outsiders, even if they know the agreement."""
    return tuple(n for n, c in enumerate(treaty.clauses) if c.secret and n not in treaty.shown)


def article_index(play: Transaction, power: str, treaty: Treaty, number: int) -> int:
    """Return the clause (from 0) that a seat means by an article number; outsiders count only public articles.

    Raises: Refusal `no_article`.
    """
    seat = seat_of(play.tables, play.state, power)
    hidden = () if visibility.is_insider(play.tables, play.state, treaty, seat) else hidden_articles(treaty)
    shown = [n for n in range(len(treaty.clauses)) if n not in hidden]
    if not 1 <= number <= len(shown):
        there = f"articles 1 to {len(shown)}" if len(shown) > 1 else "one article" if shown else "no articles"
        refuse("no_article", (), f"{treaty.name or treaty.id} has no article {number}: it has {there}.")
    return shown[number - 1]
