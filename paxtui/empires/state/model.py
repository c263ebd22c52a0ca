"""The whole position of an exercise, whatever an exercise uses of it."""

from __future__ import annotations

import msgspec

from paxtui.empires.state.campaign import Campaign
from paxtui.empires.state.cursor import Cursor
from paxtui.empires.state.ledger import Account, Posting
from paxtui.empires.state.pieces import Corps, Depot, Fleet, Garrison, Leader
from paxtui.empires.state.politics import Politics, Treaty
from paxtui.empires.state.questions import Question, Sealed
from paxtui.empires.state.relations import Relation
from paxtui.empires.state.sea import AtSea, ShipsDue


class Minor(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A minor country.

    Attributes:
        id: its name in orders.
        status: neutral, free (a minor free state) or conquered.
        controller: the Power that runs it, "" while it is neutral.
        districts: how many it has.
    """

    id: str
    status: str = "neutral"
    controller: str = ""
    districts: int = 1


class Result(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How it ended: who won, more than one where they are level, and why it is over."""

    winners: tuple[str, ...]
    reason: str


class State(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The position.

    Attributes:
        exercise: which exercise is played.
        powers: the Powers in it, each a seat.
        turn: the month: twelve times the year, and 0 for January to 11 for December.
        cursor: where in the month play stands.
        relations: wars, alliances, and what is left of earlier ones.
        accounts: what each Power has.
        ledger: every change of an account, the first one first.
        control: areas that somebody else controls than the map says, by area.
        minors: minor countries by id.
        fleets, corps, leaders: by id.
        garrisons, depots: in the order in which they were made.
        sealed: what is written down and not yet revealed.
        questions: what is asked, the last one first to be answered.
        places: where in a phase a Power has announced to move, by phase: the Power after which it does, "" for first.
        combined: pairs of allies that move together this month.
        politics: what goes on between Powers this month.
        treaties: formal peaces made.
        leaving: fleets that have to leave where they are.
        at_sea: what goes on in the naval sequence of a Power.
        shipyard: ships and fleet counters bought and not yet placed.
        campaign: what goes on in the land phase.
        access: who lets whom into its areas and ports: holder and guest.
        result: how it ended, None while it goes on.
    """

    exercise: str
    powers: tuple[str, ...]
    turn: int
    cursor: Cursor
    relations: tuple[Relation, ...] = ()
    accounts: dict[str, Account] = {}
    ledger: tuple[Posting, ...] = ()
    control: dict[str, str] = {}
    minors: dict[str, Minor] = {}
    fleets: dict[str, Fleet] = {}
    corps: dict[str, Corps] = {}
    leaders: dict[str, Leader] = {}
    garrisons: tuple[Garrison, ...] = ()
    depots: tuple[Depot, ...] = ()
    sealed: tuple[Sealed, ...] = ()
    questions: tuple[Question, ...] = ()
    places: dict[str, str] = {}
    combined: tuple[tuple[str, ...], ...] = ()
    politics: Politics = Politics()
    treaties: tuple[Treaty, ...] = ()
    leaving: tuple[str, ...] = ()
    at_sea: AtSea = AtSea()
    shipyard: tuple[ShipsDue, ...] = ()
    campaign: Campaign = Campaign()
    access: tuple[tuple[str, str], ...] = ()
    result: Result | None = None
