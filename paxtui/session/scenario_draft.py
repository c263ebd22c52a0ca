"""A scenario in the making: edits of its position, a check after each, and its file.

The position is edited freely; `problems` says what the rules forbid, in the words of the reader of positions.
"""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.notation import parse_order
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.position.setup import check_options, start_position
from paxtui.games.pax.position.writer import diff_positions, dump_position
from paxtui.games.pax.state.diplomacy import IN_FORCE, Treaty
from paxtui.games.pax.state.model import State, units_at, with_area, with_power, with_units
from paxtui.games.pax.state.options import option_text
from paxtui.games.pax.state.phases import InProgress
from paxtui.games.pax.state.pieces import CONTROL, NAVAL, Marker, Unit
from paxtui.session.storage.files import replace_file
from paxtui.session.tables.loader import load_tables
from paxtui.session.tables.records import new_game_tables
from paxtui.session.tables.scenarios import (
    OWN_ORDER,
    SUFFIX,
    PaxScenario,
    own_folder,
    read_scenario,
    scenario_problems,
    scenario_toml,
    start_of,
)

MOST_MONEY = 9999
"""Maximum treasury that the editor accepts, in pounds."""


TREATY_EXAMPLE = "Rome with germany, italy public: defensive against france"
"""A Treaty in words."""


class ScenarioDraft:
    """A scenario that is being edited.

    Args:
        scenario: where it begins.

    Attributes:
        tables: the tables of new games.
        state: the position at its start, handicaps left out.
        is_changed: whether something is not saved.
    """

    def __init__(self, scenario: PaxScenario) -> None:
        self.tables: Tables = load_tables(new_game_tables())
        title = scenario.title if scenario.order == OWN_ORDER else f"{scenario.title} (mine)"
        self._base = replace(scenario, id="draft", title=title, order=OWN_ORDER, balance=None)
        self.state: State = start_of(replace(scenario, handicaps={}))
        self.is_changed = False

    # --- edits ----------------------------------------------------------------------------------------------------

    def set_marker(self, area: str, power: str, marker: str) -> None:
        """Give a Power this established marker in an Area; "" removes its markers."""
        here = self.state.areas[area]
        others = tuple(m for m in here.markers if m.power != power)
        markers = (*others, Marker(power, marker)) if marker else others
        control = {m.power for m in markers if m.marker in CONTROL}
        shared = tuple(p for p in here.codominion if p in control)
        self._take(with_area(self.state, area, markers=markers, codominion=shared if len(shared) > 1 else ()))

    def share(self, area: str) -> None:
        """Make the Control of all Powers in an Area a Codominion, or end it."""
        here = self.state.areas[area]
        members = () if here.codominion else tuple(m.power for m in here.markers if m.marker in CONTROL)
        self._take(with_area(self.state, area, codominion=members if len(members) > 1 else ()))

    def toggle_unrest(self, area: str) -> None:
        """Begin or end Unrest in an Area."""
        self._take(with_area(self.state, area, unrest=not self.state.areas[area].unrest))

    def toggle_canal(self, area: str) -> None:
        """Build or remove the canal of an Area."""
        self._take(with_area(self.state, area, canal=not self.state.areas[area].canal))

    def add_unit(self, place: str, power: str, kind: str, strength: int) -> None:
        """Add a Military Unit in an Area or Home Country; it goes to the first coast."""
        coast = ""
        if kind == NAVAL and place.startswith("home:") and power in self.tables.homes:
            boxes = self.tables.homes[power].boxes
            coast = boxes[0][0] if boxes else ""
        self._take(with_units(self.state, place, (*units_at(self.state, place), Unit(power, kind, strength, coast))))

    def remove_unit(self, place: str, power: str) -> bool:
        """Remove the last Military Unit of a Power in a place. Returns whether there was one."""
        units = list(units_at(self.state, place))
        at = next((n for n in reversed(range(len(units))) if units[n].power == power), None)
        if at is None:
            return False
        del units[at]
        self._take(with_units(self.state, place, units))
        return True

    def toggle_fleet(self, zone: str, power: str) -> None:
        """Add or remove the Merchant Fleet of a Power in a Sea Zone."""
        fleets = self.state.sea_zones[zone]
        changed = tuple(p for p in fleets if p != power) if power in fleets else (*fleets, power)
        self._take(replace(self.state, sea_zones={**self.state.sea_zones, zone: changed}))

    def set_treasury(self, power: str, pounds: int) -> None:
        """Set the money of a Power."""
        self._take(with_power(self.state, power, treasury=pounds))

    def set_points(self, power: str, points: int) -> None:
        """Set the Victory Points of a Power."""
        self._take(with_power(self.state, power, victory_points=points))

    def set_fleets_due(self, power: str, fleets: int) -> None:
        """Set the Merchant Fleets that a Power may still place."""
        self._take(with_power(self.state, power, merchants_due=fleets))

    def set_turn(self, turn: int) -> None:
        """Set the Game Turn of the start."""
        self._take(replace(self.state, turn=turn, frames=(InProgress(self.state.phase),)))

    def set_indexes(self, tension: int | None = None, resentment: int | None = None) -> None:
        """Set the European Tensions or the Chinese Resentment."""
        state = self.state if tension is None else replace(self.state, tension=tension)
        self._take(state if resentment is None else replace(state, resentment=resentment))

    def add_treaty(self, words: str) -> None:
        """Put a Treaty in force, from the words of an order `treaty` that names all parties.

        Raises:
            Refusal: the words are no Treaty.
        """
        order = parse_order(self.tables, f"treaty {words}")
        if not isinstance(order, actions.Draft) or len(order.parties) < 2:
            raise Refusal("notation", (), f"Name all parties, at least two, as in: {TREATY_EXAMPLE}")
        known = {treaty.id for treaty in self.state.treaties}
        id_ = next(name for n in range(1, len(known) + 2) if (name := f"t{n}") not in known)
        treaty = Treaty(
            id=id_,
            name=order.name or f"Treaty {id_[1:]}",
            form=order.form,
            drafter=order.parties[0],
            parties=order.parties,
            clauses=order.clauses,
            public=order.public,
            stage=IN_FORCE,
            signed=order.parties,
        )
        self._take(replace(self.state, treaties=(*self.state.treaties, treaty)))

    def remove_treaty(self, number: int) -> None:
        """Remove the Treaty at an index."""
        treaties = self.state.treaties
        self._take(replace(self.state, treaties=(*treaties[:number], *treaties[number + 1 :])))

    def set_words(self, *, title: str | None = None, about: str | None = None) -> None:
        """Set title or sentence of the scenario."""
        self._base = replace(
            self._base,
            title=self._base.title if title is None else title,
            about=self._base.about if about is None else about,
        )
        self.is_changed = True

    def set_option(self, name: str, value: int) -> None:
        """Set an option that is a number: the last Game Turn, or the share of the bonuses at the end."""
        texts = {**self._base.options, name: option_text(value)}
        options = check_options(self.tables, texts)
        self._base = replace(self._base, options=texts)
        self._take(replace(self.state, options=options))

    def _take(self, state: State) -> None:
        self.state, self.is_changed = state, True

    # --- results --------------------------------------------------------------------------------------------------

    @property
    def seats(self) -> tuple[str, ...]:
        """The Powers with a player."""
        return self._base.seats

    def scenario(self, id_: str = "") -> PaxScenario:
        """Return the scenario as it is now, with another id if given."""
        start = start_position(self.tables, self._base.seats, self.state.options)
        position = diff_positions(dump_position(start), dump_position(replace(self.state, scenario="")))
        return replace(self._base, id=id_ or self._base.id, position=position)

    def problems(self) -> list[str]:
        """Return what makes the position impossible; empty if a game can begin with it."""
        return [problem for _, problem in scenario_problems(self.scenario())]

    def save(self, name: str) -> Path:
        """Write the scenario as NAME.toml into the player's directory and return its path.

        Raises:
            TableError: no game can begin with it; nothing is written.
            OSError: it cannot be written.
        """
        path = own_folder() / f"{name}{SUFFIX}"
        text = scenario_toml(self.scenario(name))
        read_scenario(path.name, text)
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, text.encode())
        self.is_changed = False
        return path
