"""Menus of Empires in Arms: legal acts in words, grouped by piece, and the marches of a stack."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import msgspec

from paxtui.games.empires.battle.sides import force_ratings
from paxtui.games.empires.board import can_force_march, is_unbesieged, points_left
from paxtui.games.empires.decider import is_legal
from paxtui.games.empires.land.depots import PRICE
from paxtui.games.empires.land.movement import all_paths, cheapest_routes, path_cost
from paxtui.games.empires.narration import answer_text, describe_question, factors_text
from paxtui.games.empires.naval.fleets import place_name, place_of_fleet, step_points
from paxtui.games.empires.naval.sailing import find_route
from paxtui.games.empires.orders import (
    ACTION_FORMS,
    Absorb,
    Action,
    Answer,
    Appoint,
    AskSupply,
    Besiege,
    ChooseLosses,
    ConvertDepot,
    Demobilize,
    DestroyDepot,
    Detach,
    Enter,
    Exchange,
    Forage,
    ForceMarch,
    Leave,
    LiftSiege,
    March,
    PickChit,
    PlaceDepot,
    PlaceShips,
    Reinforce,
    RemoveDepot,
    Retire,
    Sail,
    TransferShips,
    action_text,
)
from paxtui.games.empires.pieces import Corps, Factors
from paxtui.games.empires.reports import mean_forage_loss, movement_text
from paxtui.games.empires.state import State
from paxtui.games.empires.supply_step import depot_supply_cost, forage_march, forage_value
from paxtui.games.empires.tables import Tables, leader_name

MOST_UNGROUPED = 10
"""Orders that a menu lists one by one; a longer menu has groups."""

PIECE_FIELDS = ("corps", "fleets")
"""Fields that name a piece; all acts of one piece stand in one group."""

PIECE_FIELD_OF: dict[type[Action], str] = {PlaceShips: "fleet", TransferShips: "giver"}
"""Fields by which orders are grouped that do not name their piece first."""

LABELS: dict[type[Action], str] = {
    Absorb: "take {factors} from the garrison of {source}",
    Appoint: "{leader} takes command of {corps}",
    AskSupply: "ask {ally} for supply",
    Besiege: "besiege the city",
    ChooseLosses: "choose again which factors are lost",
    ConvertDepot: "take the enemy depot",
    Demobilize: "disband {factors}",
    DestroyDepot: "destroy the enemy depot",
    Detach: "leave {factors} as garrison of {to}",
    Enter: "enter the city",
    Exchange: "give {factors} to {to}",
    Leave: "leave the city",
    LiftSiege: "end the siege of {area}",
    PlaceDepot: f"place a depot in {{where}} (${PRICE})",
    Reinforce: "add {factors} to {where}",
    RemoveDepot: "remove the depot in {where}",
    Retire: "{leader} leaves the map",
}
"""Acts in words, without their corps; other acts are shown as they are typed."""

GROUP_LABELS: dict[type[Action], str] = {
    LiftSiege: "End a siege",
    PlaceDepot: f"Place a depot (${PRICE})",
    Reinforce: "Place reinforcements",
    RemoveDepot: "Remove a depot",
    Retire: "Take a leader off the map",
}
"""Groups of acts that have no piece in common."""

COUNTED_TITLES = {"casualties": "factor by factor", "assault_losses": "factor by factor", "occupy": "send factors in"}
"""Groups of answers that count factors, by kind of question."""

CHITS: dict[str, str] = {
    "assault": "strong in each round",
    "escalated_assault": "most losses for both",
    "echelon": "few losses, breaks morale later",
    "probe": "weak, lets a withdrawing enemy go",
    "outflank": "weak until corps arrive in the flank",
    "counterattack": "strong, at the same risk",
    "escalated_counterattack": "most losses for both",
    "cordon": "stops outflanking, weak otherwise",
    "withdraw": "escapes with at most {needed}, else weak",
    "defend": "costs factors, but little morale",
}
"""What each chit is good for, in short: the chart has the tables. `{needed}`: the die, by the enemy's chit."""

USUAL_VERBS = {"march", "exchange"}
"""What nearly all corps can do in their step: a group does not name it."""

PLACES = {"city": "the city", "depot": "the depot"}


class MenuEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a menu.

    Attributes:
        label: as it is shown.
        order: the order that it gives, "" for a group.
        goals: the entries of a group.
        full_label: the label with the piece, for a list of acts of several pieces; "" where that is the label.
    """

    label: str
    order: str = ""
    goals: tuple[MenuEntry, ...] = ()
    full_label: str = ""


def group_menu(tables: Tables, state: State, acts: Iterable[Action]) -> tuple[MenuEntry, ...]:
    """Return a menu of some acts: one by one if they are few, else with those of one piece in a group."""
    acts = tuple(acts)
    if len(acts) <= MOST_UNGROUPED:
        return tuple(_single_entry(tables, state, one) for one in acts)
    if state.questions:
        return _answer_menu(tables, state, acts)
    groups: dict[str, list[Action]] = {}
    for act in acts:
        groups.setdefault(_key(act), []).append(act)
    return tuple(_entry(tables, state, key, found) for key, found in groups.items())


def _answer_menu(tables: Tables, state: State, acts: tuple[Action, ...]) -> tuple[MenuEntry, ...]:
    """Return a menu of many answers: one by one, in a group if many; those that count factors come in a group."""
    question = state.questions[-1]
    answers = [_single_entry(tables, state, one) for one in acts]
    counted = [one for one in answers if ":" in one.order]
    words = [one for one in answers if one not in counted]
    if len(words) > MOST_UNGROUPED:
        counted, words = answers, []
    title = COUNTED_TITLES.get(question.kind, "") if words else ""
    title = title or describe_question(tables, question)
    return (*words, MenuEntry(label=title[:1].upper() + title[1:], goals=tuple(counted)))


def _single_entry(tables: Tables, state: State, act: Action) -> MenuEntry:
    return MenuEntry(label=act_label(tables, state, act), order=action_text(act))


def act_label(tables: Tables, state: State, act: Action) -> str:
    """Return an act with its piece in words."""
    goal = goal_text(tables, state, act)
    corps = getattr(act, "corps", None)
    if isinstance(corps, str) and corps in state.corps and type(act) is not Appoint:
        return f"{_corps_name(tables, corps)}: {goal}"
    return goal[:1].upper() + goal[1:] if type(act) in LABELS else goal


def _corps_name(tables: Tables, corps: str) -> str:
    return tables.corps_names.get(corps, corps)


def _entry(tables: Tables, state: State, key: str, acts: list[Action]) -> MenuEntry:
    if len(acts) == 1:
        return _single_entry(tables, state, acts[0])
    goals = tuple(
        MenuEntry(
            label=goal_text(tables, state, one),
            order=action_text(one),
            full_label=act_label(tables, state, one),
        )
        for one in acts
    )
    verbs = list(dict.fromkeys(_verb(one) for one in acts))
    if key in state.corps:
        where = state.corps[key].where
        points = f", {movement_text(state.corps[key])}" if "march" in verbs else ""
        place = f" ({tables.name(where)}{points})" if where else ""
        others = "" if USUAL_VERBS & {*verbs} else f": {', '.join(verbs)}"
        return MenuEntry(label=f"{_corps_name(tables, key)}{place}{others}", goals=goals)
    label = GROUP_LABELS.get(type(acts[0]))
    if label is None:
        piece = f"{key}{_place_of_fleets(tables, state, acts[0])}"
        label = f"{piece}: {', '.join(verbs)}" if verbs != [key] else f"{key} ..."
    return MenuEntry(label=label, goals=goals)


def _verb(act: Action) -> str:
    return ACTION_FORMS[type(act)].partition("{")[0].strip()


def _key(act: Action) -> str:
    """Return by what an act is grouped: its corps or fleets, else the first field of several, else its verb."""
    if type(act) in GROUP_LABELS:
        return _verb(act)
    fields = re.findall(r"\{(\w+)\}", ACTION_FORMS[type(act)])
    piece = PIECE_FIELD_OF.get(type(act), fields[0] if fields else "")
    if piece in PIECE_FIELDS or len(fields) > 1:
        value = getattr(act, piece)
        return ",".join(value) if isinstance(value, tuple) else str(value)
    return _verb(act)


def _place_of_fleets(tables: Tables, state: State, act: Action) -> str:
    """Return where the fleets of an act are, in brackets; "" for other acts."""
    if isinstance(act, Sail):
        return f" ({place_name(tables, place_of_fleet(state.fleets[act.fleets[0]]))})"
    return ""


def goal_text(tables: Tables, state: State, act: Action) -> str:
    """Return an act in words, without its corps: a march or voyage with goal, points and way."""
    if isinstance(act, March | ForceMarch) and act.path:
        corps = state.corps[act.corps]
        points = _points(path_cost(tables, state, corps, act.path))
        return f"{_verb(act)} to {_route_text([tables.name(one) for one in act.path], points)}"
    if isinstance(act, Sail) and act.route:
        fleets = tuple(state.fleets[one] for one in act.fleets)
        start = place_of_fleet(fleets[0])
        route_ = find_route(tables, state, fleets, start, act.route)
        points_ = sum(step_points(tables, a, b) for a, b in zip((start, *route_), route_, strict=False))
        return f"sail to {_route_text([place_name(tables, one) for one in route_], _points(points_))}"
    if isinstance(act, Answer):
        return answer_text(tables, state, act.choice) or act.choice
    if isinstance(act, Forage):
        return _forage_text(tables, state, state.corps[act.corps])
    if isinstance(act, PickChit):
        return f"{act.chit.replace('_', ' ')}: {_chit_hint(tables, state, act.chit)}"
    form = LABELS.get(type(act))
    if form is None:
        return action_text(act)
    return re.sub(r"\{(\w+)\}", lambda found: _field_text(tables, getattr(act, found[1])), form)


def _forage_text(tables: Tables, state: State, corps: Corps) -> str:
    """Return what a corps may expect to lose by foraging, and the money that this saves."""
    loss = mean_forage_loss(forage_value(tables, state, corps), forage_march(tables, state, corps, points_left(corps)))
    price = depot_supply_cost(tables, state, corps)
    saved = f", saves ${price / 2:g}" if price else ""
    end = "end the march and " if state.cursor.step == "movement" else ""
    return f"{end}forage: loses about {loss:.1f} of {corps.factors.total}{saved}"


def _chit_hint(tables: Tables, state: State, chit: str) -> str:
    battle, hint = state.campaign.battle, CHITS[chit]
    if battle is None or "{" not in hint:
        return hint
    strategic = force_ratings(tables, state, battle.defender)[0]
    rolls = {strategic + row.withdrawal for row in tables.field_combat.chart if row.withdrawal is not None}
    return hint.format(needed=" or ".join(map(str, sorted(rolls))))


def _field_text(tables: Tables, value: object) -> str:
    """Return a field of an act in words."""
    if isinstance(value, dict):
        return factors_text(Factors(**value)) if value else "all factors"
    name = str(value)
    return PLACES.get(name) or tables.corps_names.get(name) or tables.name(name)


MOST_WAYS = 8
"""Ways to one area that are offered."""


def march_stacks(state: State, seat: str, area: str = "") -> tuple[tuple[str, ...], ...]:
    """Return the stacks of a seat that can march: all corps of an area first where it has several, then each corps.

    Args: the position; the seat; only in this area, "" for all.
    """
    by_area: dict[str, list[str]] = {}
    for corps in state.corps.values():
        here = corps.power == seat and corps.where and area in ("", corps.where)
        if here and points_left(corps) and is_unbesieged(state, corps):
            by_area.setdefault(corps.where, []).append(corps.id)
    stacks: list[tuple[str, ...]] = []
    for names in by_area.values():
        stacks += [tuple(names)] if len(names) > 1 else []
        stacks += [(name,) for name in names]
    return tuple(stacks)


def stack_text(tables: Tables, state: State, stack: Sequence[str]) -> str:
    """Return a stack in words: place, corps, factors, leaders and movement points."""
    corps = [state.corps[one] for one in stack]
    factors = corps[0].factors
    for one in corps[1:]:
        factors = factors + one.factors
    name = _corps_name(tables, stack[0]) if len(corps) == 1 else f"all {len(corps)} corps"
    leaders = [leader_name(one.id) for one in state.leaders.values() if one.where in stack]
    led = f", {', '.join(leaders)}" if leaders else ""
    points = min(map(points_left, corps))
    return f"{tables.name(corps[0].where)}: {name}, {_points(points)}{led}: {factors_text(factors)}"


def reachable_areas(tables: Tables, state: State, stack: Sequence[str]) -> dict[str, str]:
    """Return the areas that all corps of a stack can still reach, each with its points; "f" marks a force march."""
    found: dict[str, str] = {}
    for number, name in enumerate(stack):
        reached = _reachable_by(tables, state, state.corps[name])
        if number == 0:
            found = reached
        else:
            found = {area: max(cost, reached[area]) for area, cost in found.items() if area in reached}
    return found


def _reachable_by(tables: Tables, state: State, corps: Corps) -> dict[str, str]:
    points = points_left(corps)
    found = {area: str(route.cost) for area, route in cheapest_routes(tables, state, corps, points).items()}
    if can_force_march(corps.kind) and not corps.forced:
        for area, route in cheapest_routes(tables, state, corps, points + 1).items():
            found.setdefault(area, f"{route.cost}f")
    return found


def march_entries(tables: Tables, state: State, seat: str, stack: Sequence[str], area: str) -> tuple[MenuEntry, ...]:
    """Return the ways to an area that are legal for all corps of a stack, the cheapest first, then force marches.

    The order of an entry is that of the first corps; `stack_orders` returns those of all.
    """
    counter = state.corps[stack[0]]
    points = points_left(counter)
    entries: list[MenuEntry] = []
    for kind, least, most in ((March, 0, points), (ForceMarch, points + 1, points + 1)):
        ways = [path for path in all_paths(tables, state, counter, most) if path[-1] == area]
        ways = [path for path in ways if path_cost(tables, state, counter, path) >= least]
        ways.sort(key=lambda path: (path_cost(tables, state, counter, path), len(path), path))
        for path in ways:
            if len(entries) < MOST_WAYS and all(is_legal(tables, state, seat, kind(one, path)) for one in stack):
                cost = _points(path_cost(tables, state, counter, path))
                label = f"{_verb(kind(stack[0], path))}: {_route_text([tables.name(one) for one in path], cost)}"
                entries.append(MenuEntry(label=label, order=action_text(kind(stack[0], path))))
    return tuple(entries)


def stack_orders(stack: Sequence[str], order: str) -> tuple[str, ...]:
    """Return a march of the first corps of a stack as orders of all its corps."""
    return tuple(order.replace(f" {stack[0]} ", f" {one} ", 1) for one in stack)


def _route_text(names: list[str], points: str) -> str:
    way = f"by {', '.join(names[:-1])}" if names[1:] else ""
    return " · ".join(part for part in (names[-1], points, way) if part)


def _points(points: int) -> str:
    return f"{points} point{'' if points == 1 else 's'}"
