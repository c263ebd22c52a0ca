"""Calling a Congress of Europe: who may, over what, and where it can sit; and who sits in it.

Rules: SEQ-020, CON-001 to CON-010, CON-039, CON-042, BEL-004, BEL-006, ETI-015, TRE-008, TRE-018, MIN-035, MIN-040
(R-CON-01, R-CON-02, R-CON-03, R-CON-14)
"""

from __future__ import annotations

from msgspec.structs import replace

from paxtui.pax.board.status import seat_of
from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from paxtui.pax.orders import actions as ac
from paxtui.pax.play import casus_belli
from paxtui.pax.play.play import GameOver, Play, refuse
from paxtui.pax.state.causes import CasusBelli
from paxtui.pax.state.congress import Congress
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import Holding
from paxtui.pax.words.spoken import all_of, place_name, power_name, powers_named, sentence, the_power

CONVENING = 3
"""Points by which the tensions rise when a Congress is called (ETI-015)."""
EIGHTH = "minor_or_eighth_player"
"""Kind of the Power that as an eighth player attends only where it is a party or the host (CON-042)."""
JOINT = "played_by_germany"
"""Kind of the Power without a vote of its own (CON-040)."""


# --- who is concerned ---------------------------------------------------------------------------------------------


def parties(cause: CasusBelli) -> tuple[str, ...]:
    """Powers that are party to the dispute of a Casus Belli, the Minor Power that is defended among them.

    Rules: CON-002, MIN-040
    """
    return tuple(p for p in (cause.holder, cause.against, cause.minor) if p)


def european(tables: Tables, state: State) -> tuple[str, ...]:
    """Seats of the European Great Powers: those that may attend any Congress and invite others.

    Rules: CON-003, CON-042
    """
    return tuple(s for s in state.players if tables.powers[s].european and tables.powers[s].kind != EIGHTH)


def overseas(tables: Tables, state: State) -> tuple[str, ...]:
    """Seats that need to be party, host, or invited: the United States and Japan.

    Rules: CON-004
    """
    return tuple(s for s in state.players if not _in_europe(tables, s))


def _in_europe(tables: Tables, power: str) -> bool:
    """Whether a Power's Home Country lies in Europe: the Great Powers there, and the optional eighth player."""
    return tables.powers[power].european or tables.powers[power].kind == EIGHTH


def disputants(tables: Tables, causes: tuple[CasusBelli, ...]) -> tuple[str, ...]:
    """Powers that are party to any of the disputes, in the order of the powers table.

    Rules: CON-002, CON-010, EVT-035
    """
    named = {p for cause in causes for p in parties(cause)}
    return tuple(p for p in tables.parties if p in named)


def sites(tables: Tables, state: State, causes: tuple[CasusBelli, ...]) -> tuple[str, ...]:
    """Powers whose Home Country may be the site, in the order of the powers table.

    Countries of players that are party to none of the disputes; overseas only where all European Great Powers are
    party, and then nowhere else but there or in Vienna; Germany where nobody is neutral.

    Rules: CON-006, CON-007, CON-008, CON-009, CON-039, BEL-006 (R-CON-01, R-CON-02, R-CON-03)
    """
    named = disputants(tables, causes)
    concerned = {seat_of(tables, state, p) for p in named}
    neutral = [s for s in state.players if s not in concerned]
    if not neutral:
        return tuple(s for s in state.players if s == _germany(tables)) or state.players[:1]
    home = [s for s in neutral if _in_europe(tables, s)]
    if all(s in concerned for s in european(tables, state)):
        home += [s for s in neutral if not _in_europe(tables, s)]
    vienna = [p for p in tables.powers if tables.powers[p].kind == JOINT and p in state.powers]
    neutral_anyway = state.options.vienna_neutral_for_german_disputes
    for power in vienna:
        if power not in named and (neutral_anyway or seat_of(tables, state, power) not in concerned):
            home.append(power)
    found = tuple(p for p in tables.powers if p in home)
    return found or tuple(s for s in state.players if s == _germany(tables))


def _germany(tables: Tables) -> str:
    """The seat that plays another Power beside its own: there a Congress sits where nobody is neutral (CON-008)."""
    return next(row.seat for row in tables.powers.values() if row.kind == JOINT)


def host(tables: Tables, state: State, site: str) -> str:
    """The seat that presides. Rules: CON-026, CON-040."""
    return seat_of(tables, state, site)


# --- calling ------------------------------------------------------------------------------------------------------


def call(play: Play, power: str, action: ac.CallCongress) -> None:
    """Call a Congress, which meets after the Negotiation Phase.

    Raises: Refusal `no_cause`, `called_already`, `not_your_casus_belli`, `site`.
    Rules: SEQ-020, CON-001, CON-005, CON-010, ETI-015, NEG-002, TRE-008 (R-CON-14)
    """
    tables, state = play.tables, play.state
    seat = seat_of(tables, state, power)
    mine = tuple(c for c in state.casus_belli if seat_of(tables, state, c.holder) == seat)
    if state.congress is not None:
        where = power_name(tables, state.congress.site)
        refuse("called_already", ("CON-010",), f"A Congress is called already, to {where}; there is one a Game Turn.")
    if not mine:
        refuse(
            "no_cause",
            ("CON-001", "SEQ-020"),
            "Only who holds a Casus Belli, or has announced the defence of a Minor Power, may call a Congress.",
        )
    known = {c.id for c in state.casus_belli}
    for id_ in action.over:
        if id_ not in known:
            refuse("no_casus_belli", (), f"There is no Casus Belli {id_!r}; there are: {', '.join(sorted(known))}.")
    if action.over and not any(c.id in action.over for c in mine):
        refuse(
            "not_your_casus_belli",
            ("CON-001",),
            f"A Casus Belli of your own has to be among those put before the Congress: {mine[0].id}.",
        )
    found = sites(tables, state, state.casus_belli)
    if action.site not in found:
        where = power_name(tables, action.site)
        refuse(
            "site",
            ("CON-006", "CON-007", "CON-009", "CON-005"),
            f"The Congress cannot sit in {where}: it may sit in {powers_named(tables, found)}.",
            sites=list(found),
        )
    open_call(play, power, action.site)


def open_call(play: Play, power: str, site: str, spoils: bool = False) -> None:
    """The Congress is called: the tensions rise, and everybody knows what it will be about.

    Raises: GameOver.
    Rules: CON-002, CON-010, ETI-015 (R-CON-11, R-CON-14)
    """
    tables = play.tables
    called_now = Congress(turn=play.state.turn, caller=power, site=site, causes=(), spoils=spoils)
    congress = with_what_is_open(tables, play.state, called_now)
    about = all_of([place_name(tables, a) for a in congress.agenda]) or "a Casus Belli"
    note = sentence(f"{the_power(tables, power)} calls a Congress of Europe to {the_power(tables, site)} over {about}")
    play.emit(ev.CongressChanged(congress=congress, note=note, rules=("SEQ-020", "CON-005")))
    play.tension(CONVENING, "a Congress of Europe convenes", ("ETI-015",), power)


def with_what_is_open(tables: Tables, state: State, congress: Congress) -> Congress:
    """The Congress with every dispute before it that is open now, whoever called it over what, and its members.

    Rules: CON-002, CON-010 (R-CON-11, Decision 43)
    """
    causes = state.casus_belli
    named = disputants(tables, causes)
    return replace(
        congress,
        causes=tuple(c.id for c in causes),
        holders=tuple(dict.fromkeys(Holding(c.holder, c.area) for c in causes if c.area)),
        disputants=named,
        members=members_at_once(tables, state, named, congress.site),
        agenda=tuple(dict.fromkeys(c.area for c in causes if c.area)),
    )


def displaced(tables: Tables, state: State, congress: Congress) -> tuple[str, ...]:
    """Sites that the Congress may move to, where what has come before it since it was called is a dispute of its host.

    Rules: CON-007 (R-CON-01, Decision 43)
    """
    found, named = sites(tables, state, state.casus_belli), disputants(tables, state.casus_belli)
    concerned = {*named, *(seat_of(tables, state, p) for p in named)}
    party = congress.site in concerned or seat_of(tables, state, congress.site) in concerned
    return found if party and congress.site not in found else ()


def members_at_once(tables: Tables, state: State, named: tuple[str, ...], site: str) -> tuple[str, ...]:
    """Seats that sit in the Congress without being asked: the disputants' and the host's, in the order of the seats.

    A Minor Power has no seat and no vote; Austria-Hungary votes with Germany's voice, which counts once.

    Rules: CON-002, CON-004, CON-010, CON-040, CON-042, MIN-036, BEL-004
    """
    seats = {seat_of(tables, state, p) for p in (*named, site)}
    return tuple(s for s in state.players if s in seats)


def who_may_call(tables: Tables, state: State, seat: str) -> bool:
    """Whether a seat could call a Congress now."""
    holds = any(seat_of(tables, state, c.holder) == seat for c in state.casus_belli)
    return state.phase == "negotiation" and state.congress is None and holds


def defenders(state: State) -> tuple[CasusBelli, ...]:
    """Casus Belli of those that defend a Minor Power: they force a Congress (MIN-040)."""
    return tuple(c for c in state.casus_belli if c.cause == casus_belli.DEFENCE)


def seating(tables: Tables, congress: Congress) -> tuple[str, ...]:
    """The seats of the members in the order in which they sit: by their names in French, Germany first.

    Rules: CON-002
    """
    return tuple(sorted(congress.members, key=lambda seat: tables.french_names.get(seat, seat)))


def quarrelled(state: State) -> bool:
    """Whether victors have quarrelled over the spoils of a War, and no Congress has been called for that yet.

    Rules: WEN-042 (R-WEN-08)
    """
    heard = state.congress is not None and state.congress.spoils
    return not heard and any(c.cause == casus_belli.SPOILS for c in state.casus_belli)


def over_spoils(play: Play) -> None:
    """Call the Congress of victors that cannot agree to the first open site, even where one has sat this Game Turn.

    Raises: GameOver, with every Power to blame that demanded an Area in dispute.
    Rules: WEN-042, ETI-015 (R-WEN-08, Decision 68)
    """
    tables, state = play.tables, play.state
    causes = [c for c in state.casus_belli if c.cause == casus_belli.SPOILS]
    demanding = [c.holder for c in causes if c.demanded] or [c.holder for c in causes]
    try:
        open_call(play, demanding[0], sites(tables, state, state.casus_belli)[0], spoils=True)
    except GameOver as end:
        seats = {*end.culprits, *(seat_of(tables, state, power) for power in demanding)}
        raise GameOver(tuple(seat for seat in state.players if seat in seats)) from None


def called(state: State) -> bool:
    """Whether a Congress of Europe follows this Phase: a seat has called it, or a Minor Power is defended.

    Rules: SEQ-020, SEQ-021, MIN-040
    """
    return getattr(state, "congress", None) is not None or any(
        cause.cause == casus_belli.DEFENCE for cause in state.casus_belli
    )
