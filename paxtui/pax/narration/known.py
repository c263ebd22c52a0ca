"""How things are called that orders name by an id: Treaties, choices, Casus Belli. Learned from the events themselves.

A seat's own teller has learned from what that seat has seen, so nothing that it says can give anything away.
"""

from __future__ import annotations

from collections.abc import Iterable

from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from paxtui.pax.state.causes import CasusBelli
from paxtui.pax.state.questions import Pending
from paxtui.pax.state.treaty import SETTLEMENT, TREATY, Treaty
from paxtui.pax.state.war import GREAT, OTTOMAN, REBELLION, War
from paxtui.pax.words.spoken import place_name, the_power, the_powers, treaty_of_city

_WARS = {GREAT: "the Great War", OTTOMAN: "the Ottoman War", REBELLION: "the Chinese Rebellion"}
"""Wars that are called by their kind."""


class Known:
    """What has a name by now.

    Attributes:
        tables: the tables of the game.
        treaties, choices, causes, wars: by id, as they were when they were last heard of whole.
    """

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.treaties: dict[str, Treaty] = {}
        self.choices: dict[str, Pending] = {}
        self.causes: dict[str, CasusBelli] = {}
        self.wars: dict[str, War] = {}

    def learn(self, event: ev.Event) -> None:
        """Remember what an event gives a name to."""
        if isinstance(event, ev.ChoiceOffered):
            self.choices[event.choice.id] = event.choice
        elif isinstance(event, ev.TreatyDrafted | ev.TreatyRevealed):
            self.treaties[event.treaty.id] = event.treaty
        elif isinstance(event, ev.CasusBelliArose):
            said = (event.holder, event.against, event.area)
            self.causes[event.id] = CasusBelli(event.id, *said, cause=event.cause, minor=event.minor)
        elif isinstance(event, ev.PositionSet):
            self.learn_all(event.state.treaties, event.state.choices, event.state.casus_belli, event.state.wars)
        elif isinstance(event, ev.WarDeclared | ev.WarArose | ev.WarsMerged):
            self.wars[event.war.id] = event.war

    def learn_all(
        self,
        treaties: Iterable[Treaty],
        choices: Iterable[Pending],
        causes: Iterable[CasusBelli],
        wars: Iterable[War] = (),
    ) -> None:
        """Remember what stands in a position."""
        self.treaties |= {treaty.id: treaty for treaty in treaties}
        self.choices |= {choice.id: choice for choice in choices}
        self.causes |= {cause.id: cause for cause in causes}
        self.wars |= {war.id: war for war in wars}

    def alliance(self, war: str, number: int) -> str:
        """The Powers of an Alliance inside a sentence; "Alliance 1" of a War that was never heard of."""
        known = self.wars.get(war)
        return the_powers(self.tables, known.alliance(number)) if known is not None else f"Alliance {number}"

    def war(self, id_: str) -> str:
        """A War inside a sentence, by its kind or its sides; one that was never heard of by its id."""
        known = self.wars.get(id_)
        if known is None:
            return f"War {id_}"
        if known.kind in _WARS:
            return _WARS[known.kind]
        sides = " against ".join(the_powers(self.tables, side) for side in known.alliances if side)
        return f"the War of {sides}"

    def treaty(self, id_: str) -> str:
        """An agreement inside a sentence; one that was never heard of is "an agreement"."""
        treaty = self.treaties.get(id_)
        return title(self.tables, treaty) if treaty is not None else "an agreement"

    def cause(self, id_: str) -> str:
        """A Casus Belli inside a sentence."""
        cause = self.causes.get(id_)
        if cause is None:
            return "a Casus Belli"
        where = f" over {place_name(self.tables, cause.area)}" if cause.area else ""
        holder = the_power(self.tables, cause.holder)
        return f"the Casus Belli of {holder} against {the_power(self.tables, cause.against)}{where}"


def title(tables: Tables, treaty: Treaty) -> str:
    """An agreement by its name: `the Treaty of London`, `the settlement \'Nile\'`."""
    what = {TREATY: "the Treaty", SETTLEMENT: "the settlement"}.get(treaty.form, "the proposal")
    if not treaty.name:
        return what
    called = treaty_of_city(tables, treaty.name) if treaty.form == TREATY else ""
    return called or f"{what} '{treaty.name}'"
