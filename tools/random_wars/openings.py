"""Where Wars at random begin: positions that give each kind of War, and each of its ends, a chance."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions import actions
from paxtui.games.pax.state.pieces import CHINA
from tests.pax.walk import T
from tests.rules.harness import army, held, here, marker, naval
from tools.random_wars.checks import SECRET
from tools.random_wars.warrior import Warrior

GREAT = ("britain", "france", "germany", "russia", "japan", "united_states", "italy")
EUROPE = ("britain", "france", "germany", "russia", "italy")
SMALL = ("spain", "portugal", "belgium")
OTTOMANS = "ottoman_empire"
EMPIRE = ("anatolia", "quwait", "tripoli")
PORTS = ("hong_kong", "formosa", "fukien", "shang_hai", "korea", "burma", "indochina", "port_arthur")
INLAND = ("yunnan", "manchuria", "kwang_si", "sin_kiang", "kansu", "tibet")

Patch = dict[str, Any]


# --- pieces ---------------------------------------------------------------------------------------------------------


def world(random: Random, powers: list[str]) -> Patch:
    """Areas of these Powers in one corner of the world, with forces in and about them, so that they can meet; mostly
    they have nothing elsewhere, so that a War can be won."""
    zone = random.choice([z for z in T.sea_zones if sum(z in a.sea_zones for a in T.areas.values()) > 2])
    near = [a.id for a in T.areas.values() if zone in a.sea_zones]
    near += [a.id for a in T.areas.values() if random.random() < 0.01 and a.id not in near]
    areas: Patch = {area: here() for area in (T.areas if random.random() < 0.8 else near)}
    for power in powers:
        for area in random.sample(near, min(len(near), random.randint(2, 4))):
            if areas[area].get("markers"):
                continue
            units = [army(power, random.choice([1, 3, 3, 10])) for _ in range(random.randint(1, 3))]
            fleets = [naval(power, 3)] if T.areas[area].sea_zones and random.random() < 0.4 else []
            areas[area] = held(power, random.choice(["protectorate", "possession"]), *units, *fleets)
    if random.random() < 0.5 and len(powers) > 1:
        one, two = random.sample(powers, 2)
        areas[random.choice(near)] = here(marker(one, "protectorate"), marker(two, "protectorate"))
    return areas


def treaty(random: Random, number: int, powers: list[str]) -> Patch:
    """A Treaty between Great Powers that may call them, known to all or not."""
    parties = random.sample([p for p in powers if p in GREAT], 2)
    hidden = random.random() < 0.6
    clause = {"kind": random.choice(["defensive", "defensive", "offensive", "non_aggression"])}
    return {
        "id": f"{SECRET}{number}" if hidden else f"pact{number}", "name": f"{SECRET}{number}" if hidden else "Pact",
        "stage": "in_force", "since": 1, "drafted": 1, "public": not hidden,
        "parties": parties, "signed": parties, "clauses": [clause],
    }  # fmt: skip


def treaties(random: Random, powers: list[str]) -> list[Patch]:
    """Some Treaties between Great Powers, or none."""
    great = [p for p in powers if p in GREAT]
    return [treaty(random, n, powers) for n in range(random.randint(0, 3))] if len(great) > 1 else []


def causes(random: Random, powers: list[str], most: int = 6) -> list[Patch]:
    """Casus Belli of Great Powers against others."""
    found = []
    for _ in range(random.randint(2, most)):
        one, two = random.sample(powers, 2)
        if one in GREAT:
            found.append({"holder": one, "against": two})
    return found or [{"holder": next(p for p in powers if p in GREAT), "against": powers[-1]}]


def seas(random: Random, powers: list[str], share: float = 0.95) -> Patch:
    """Merchant Fleets of these Powers in most Sea Zones."""
    return {zone: {"merchant_fleets": powers} for zone in T.sea_zones if random.random() < share}


def homes(powers: list[str], *strengths: int) -> Patch:
    """Armies at home."""
    return {p: {"units": [army(p, s) for s in strengths or (3,)]} for p in powers if p in T.homes}


def some(random: Random) -> list[str]:
    """Powers of a War that does not become the Great War at once."""
    europe = random.sample(EUROPE, random.choice([1, 2, 2]))
    return europe + random.sample(["japan", "united_states", *SMALL], random.choice([2, 2, 3]))


def landed(random: Random, areas: Patch, sides: list[list[str]], share: float = 0.7) -> None:
    """Put armies of one side into Areas of the other."""
    for there in areas.values():
        holders = [m["power"] for m in there.get("markers", ())]
        foes = [p for side in sides if not set(holders) & set(side) for p in side]
        if len(holders) == 1 and foes and random.random() < share:
            there["units"] = [*there.get("units", ()), army(random.choice(foes), random.choice([3, 3, 10]))]


def halves(powers: list[str]) -> list[list[str]]:
    """Two sides, the last Power left out."""
    return [powers[: len(powers) // 2], powers[len(powers) // 2 : -1]]


# --- openings -------------------------------------------------------------------------------------------------------


def declarations(random: Random) -> Patch:
    """A War Phase that opens, in which some may declare War on others."""
    powers = some(random)
    return {
        "phase": "war", "areas": world(random, powers), "casus_belli": causes(random, powers),
        "treaties": treaties(random, powers), "homes": homes(powers), "sea_zones": seas(random, powers),
        "indexes": {"european_tensions": random.randint(0, 30)},
    }  # fmt: skip


def in_the_middle(random: Random) -> Patch:
    """The middle of a War that others may join."""
    powers = some(random)
    patch = {**declarations(random), "areas": world(random, powers), "casus_belli": causes(random, powers)}
    patch |= {"treaties": treaties(random, powers), "homes": homes(powers), "sea_zones": seas(random, powers)}
    sides = halves(powers)
    landed(random, patch["areas"], sides)
    return {**patch, "wars": [{"alliances": sides}]}


def siege(random: Random) -> Patch:
    """A weak side with an Area or two, and strong armies before them: it may lose every Area, or every Unit."""
    strong, weak = random.choice(GREAT), random.choice(SMALL)
    start = random.choice([a.id for a in T.areas.values() if a.sea_zones])
    near = [a for a in T.routes.get(start, ()) if a in T.areas][:1]
    areas = {a: held(weak, "possession", *(army(weak) for _ in range(random.randint(0, 2)))) for a in (start, *near)}
    elsewhere = [a for a in T.routes.get(start, ()) if a in T.areas and a not in areas][:2]
    areas |= {a: held(strong, "possession", army(strong, 10), army(strong, 10)) for a in elsewhere}
    areas[start]["units"] = [*areas[start].get("units", ()), army(strong, 10), army(strong, 10)]
    rest = {a: here() for a in T.areas if a not in areas}  # the weak side has nothing else
    return {
        "phase": "war", "areas": {**rest, **areas}, "homes": homes([strong], 10, 10),
        "sea_zones": seas(random, [strong, weak]), "wars": [{"alliances": [[strong], [weak]]}],
    }  # fmt: skip


def apart(random: Random) -> Patch:
    """Sides without fleets, which cannot reach each other: a Power may announce the end."""
    powers = [*random.sample(GREAT, 2), random.choice(SMALL)]
    sides = [powers[:1], powers[1:]]
    areas = {a: here() for a in T.areas}
    for side, zone in zip(sides, random.sample(list(T.sea_zones), 2), strict=True):
        for power in side:
            coast = [a.id for a in T.areas.values() if zone in a.sea_zones]
            for area in random.sample(coast, min(2, len(coast))):
                areas[area] = held(power, "possession", army(power, 3))
    fleets = {z: {"merchant_fleets": random.sample(powers, 1)} for z in T.sea_zones if random.random() < 0.2}
    every = {z: fleets.get(z, {"merchant_fleets": []}) for z in T.sea_zones}
    return {"phase": "war", "areas": areas, "homes": homes(powers), "sea_zones": every, "wars": [{"alliances": sides}]}


def two_wars(random: Random) -> Patch:
    """Two Wars side by side, and causes between them: they may be linked, and merge."""
    powers = [*random.sample(EUROPE, 2), "japan", "united_states", *random.sample(SMALL, 2)]
    random.shuffle(powers)
    great = [p for p in powers if p in GREAT]
    first = [[great[0]], [great[1]]]
    others = [p for p in powers if p not in great[:2]]
    second = [[next(p for p in others if p in GREAT)], [next(p for p in others if p in SMALL)]]
    areas = world(random, [p for side in (*first, *second) for p in side])
    landed(random, areas, first, 0.4)
    landed(random, areas, second, 0.4)
    cross = [{"holder": great[0], "against": p} for p in (second[0][0], second[1][0])]
    cross += [{"holder": second[0][0], "against": random.choice(great[:2])}]
    wars = [{"alliances": sides, "phase": "initiative"} for sides in (first, second)]
    return {
        "phase": "war", "areas": areas, "casus_belli": cross, "homes": homes(powers),
        "sea_zones": seas(random, powers), "wars": wars,
    }  # fmt: skip


def three_corners(random: Random) -> Patch:
    """A War in which allies have causes against each other."""
    powers = [*random.sample(EUROPE, 2), "japan", "united_states", *random.sample(SMALL, 1)]
    random.shuffle(powers)
    sides = [powers[:2], powers[2:4]]
    areas = world(random, powers)
    landed(random, areas, sides, 0.5)
    quarrels = [{"holder": side[0], "against": side[1]} for side in sides if side[0] in GREAT]
    quarrels += [{"holder": side[1], "against": side[0]} for side in sides if side[1] in GREAT]
    return {
        "phase": "war", "areas": areas, "casus_belli": quarrels, "homes": homes(powers),
        "sea_zones": seas(random, powers), "wars": [{"alliances": sides, "phase": "initiative"}],
    }  # fmt: skip


def four_seats(random: Random) -> Patch:
    """A game of four seats."""
    powers = [*random.sample(("britain", "france", "germany"), 2), "united_states", *random.sample(SMALL, 2)]
    return {
        "phase": "war", "areas": world(random, powers), "casus_belli": causes(random, powers),
        "homes": homes(powers), "sea_zones": seas(random, powers),
    }  # fmt: skip


def ottoman(random: Random) -> Patch:
    """An Ottoman War as its first window opens, over one Area or two, with Units of its enemies around."""
    placers = random.sample(["italy", "france", "britain", "russia"], random.choice([1, 1, 2]))
    areas: Patch = {area: here() for area in (*EMPIRE, "egypt")}
    for power, area in zip(placers, random.sample(EMPIRE, len(placers)), strict=True):
        fleets = [naval(power, 3)] if random.random() < 0.4 else []
        areas[area] = held(power, "protectorate", *(army(power, random.choice([1, 3, 10])) for _ in "ab"), *fleets)
    egypt = random.choice([None, *placers, "germany", "germany"])
    if egypt:
        areas["egypt"] = held(egypt, "protectorate", army(egypt, 3))
    areas["anatolia"]["units"] = [*areas["anatolia"].get("units", []), *[army(OTTOMANS, 5)] * 3]
    over = [a for a in EMPIRE if areas[a].get("markers")]
    war = {"alliances": [[OTTOMANS], placers], "kind": "ottoman", "phase": "alliances", "turn_of": 1}
    return {
        "phase": "war", "areas": areas, "sea_zones": seas(random, ["italy", "france", "britain", "russia"]),
        "treaties": treaties(random, list(GREAT)), "wars": [{**war, "declared": placers, "over": over}],
    }  # fmt: skip


def tripoli(random: Random) -> Patch:
    """An Ottoman War over Tripoli, fought without allies, with a neutral in Egypt: the Empire cannot come there."""
    areas: Patch = {"anatolia": here(*[army(OTTOMANS, 5)] * 3), "quwait": here()}
    areas["tripoli"] = held("italy", "protectorate", army("italy", random.choice([3, 10])), naval("italy", 3))
    areas["egypt"] = held("britain", "protectorate", army("britain", 3))
    war = {"alliances": [[OTTOMANS], ["italy"]], "kind": "ottoman", "declared": ["italy"], "over": ["tripoli"]}
    return {"phase": "war", "areas": areas, "sea_zones": seas(random, ["italy"]), "wars": [war]}


def formosa(random: Random) -> Patch:
    """The end of a cycle of a Rebellion, the last colonial armies on an island where no Chinese Army comes."""
    powers = random.sample(GREAT, random.choice([1, 1, 2]))
    areas: Patch = {a.id: here() for a in T.areas.values() if a.type.startswith("chinese")}
    areas["formosa"] = held(powers[0], "possession", *(army(p, random.choice([3, 10])) for p in powers))
    areas[random.choice(INLAND)] = here(army(CHINA, 5), army(CHINA, 5))
    war = {"alliances": [[CHINA], powers], "kind": "rebellion", "phase": "end", "cycle": random.choice([1, 2])}
    return {"phase": "war", "areas": areas, "homes": homes(powers), "sea_zones": seas(random, powers), "wars": [war]}


def random_holding(random: Random, power: str, area: str) -> Patch:
    """Return random pieces that a Power may have in an Area of China."""
    kind = random.choice(["interest", "influence", "protectorate", "protectorate", "possession"])
    if kind in ("interest", "influence"):
        return here(marker(power, kind))
    units = [army(power, random.choice([1, 3, 3, 10])) for _ in range(random.randint(1, 2))]
    return held(power, kind, *units, *([naval(power, 3)] if area in PORTS and random.random() < 0.3 else []))


def rebellion(random: Random) -> Patch:
    """The Chinese Resentment Phase, with an Index that makes a Rebellion certain."""
    powers = random.sample(GREAT, random.randint(1, 5))
    areas: Patch = {area: here() for area in (*PORTS, *INLAND)}
    for area in random.sample((*PORTS, *INLAND), random.randint(1, 7)):
        areas[area] = random_holding(random, random.choice(powers), area)
    indexes = {"chinese_resentment": 180, "european_tensions": random.randint(0, 40)}
    return {
        "phase": "chinese_resentment", "areas": areas, "homes": homes(powers, 10, 3, 3),
        "sea_zones": seas(random, powers), "indexes": indexes,
    }  # fmt: skip


TURNS: tuple[Callable[[Random], Patch], ...] = (
    declarations, in_the_middle, ottoman, rebellion, siege, two_wars, in_the_middle, three_corners, ottoman, rebellion,
    apart, four_seats, tripoli, formosa,
)  # fmt: skip
"""The openings of Wars one after the other: each as often as it is wanted."""


def start_war(seed: int) -> Warrior:
    """Start a game at the opening that a seed selects."""
    make = TURNS[seed % len(TURNS)]
    random = Random(seed)
    players = 4 if make is four_seats else random.choice([4, 5, 7, 7]) if make is rebellion else 7
    walk = Warrior(seed, players=players)
    patch = actions.SetPosition(make(random))
    walk.decide(ARBITER, patch)  # a refusal would say what is wrong
    walk.act(ARBITER, patch)
    if make is rebellion:
        walk.act(ARBITER, actions.Step())
    return walk


def play(seed: int, wild: float = 0.02) -> Warrior:
    """Wars at random, to their end."""
    walk = start_war(seed)
    for n in range(6000):
        if walk.over or walk.state.phase != "war":
            break
        walk.turn(wild=wild, thorough=n % 40 == 0)
    assert walk.over or walk.state.phase != "war", "the Wars came to no end"
    assert walk.over or (walk.state.wars == () and not any(walk.state.at_sea.values())), "a War has left something"
    return walk
