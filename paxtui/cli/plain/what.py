"""What a seat can do, as numbered lines: by kinds, at a place, and step by step for a move."""

from __future__ import annotations

from collections.abc import Sequence

from paxtui.cli.plain.numbered import Answer, Option
from paxtui.cli.plain.show import find_place
from paxtui.cli.plain.told.text import listed, spoken
from paxtui.pax.board.tables import Tables
from paxtui.pax.legal import legal
from paxtui.pax.menus.menu import Menu, MenuItem, Moves
from paxtui.pax.narration.choice_narration import option, question
from paxtui.pax.orders import actions as ac
from paxtui.pax.orders.notation import VERBS, text_of
from paxtui.pax.play.choices import default_of
from paxtui.pax.reports.combat import odds_at, odds_said
from paxtui.pax.reports.foretold import figures, told
from paxtui.pax.reports.war.odds import asked_to_join
from paxtui.pax.reports.war.odds import said as assault_said
from paxtui.pax.state.questions import Combine, FightOrDecline, Pending
from paxtui.pax.words.names import index, place_text
from paxtui.pax.words.spoken import any_of, phase_name, place_name, power_name
from paxtui.table.desk.place_menu import foreseen, place_menu
from paxtui.table.session import Session


def questions(session: Session) -> Answer:
    """The choices that wait for the seat, each with its options."""
    options: list[Option] = []
    lines = []
    for choice in session.live.choices:
        if choice.seat != session.seat:
            continue
        texts = [option if isinstance(option, str) else " ".join(option) for option in choice.options]
        whose = "" if choice.power == session.seat else f" for {power_name(session.tables, choice.power)}"
        many = " Several may be named." if choice.about.several and len(texts) > 1 else ""
        said = [option(session.tables, choice, text) for text in default_of(choice)]
        default = f" Default: {', '.join(said) or 'nothing'}."
        rules = f" [{', '.join(choice.rules)}]" if choice.rules else ""
        heading = f"Question {choice.id}{whose}, {choice.kind}: {spoken(question(session.tables, choice))}{many}"
        heading += f"{chances(session, choice)}{default}{rules}"
        if not texts:
            lines.append(heading)
        for n, text in enumerate(texts):
            shown = option(session.tables, choice, text)
            options.append(Option(shown, f"choose {choice.id} {text}", (text, shown), "" if n else heading))
    return Answer(lines, tuple(options))


def chances(session: Session, choice: Pending) -> str:
    """What a fight can bring, before one decides; "" for other questions."""
    joining = asked_to_join(session.tables, session.live, choice)
    if joining:
        return f" {assault_said(session.tables, joining[0])} Without you: {assault_said(session.tables, joining[1])}"
    if not isinstance(choice.about, FightOrDecline | Combine):
        return ""
    return f" {odds_said(odds_at(session.tables, session.live, choice.area, (choice.power,)))}"


def what(session: Session, words: str) -> Answer:
    """The answer to `what WORDS`: by kinds; orders that begin so; or what can be done at a place.

    Raises: Refusal, when the words name nothing.
    """
    if session.live.result is not None:
        return Answer(["The game is over."])
    menu = legal(session.tables, session.live, session.seat)
    if not words:
        return kinds(session, menu)
    first = words.split()[0].casefold()
    if first == "move" or (":" in words and words.split(":")[1].split()[:1] == ["move"]):
        return moving(session, menu, words) or Answer(["You can move nothing now."])
    found = beginning(menu, words)
    if found.options:
        return found
    if first.rstrip(":") in VERBS:
        return Answer([f"Nothing that begins with '{words[:40]}' is possible now."])
    return at_place(session, find_place(session, words))


def kinds(session: Session, menu: Menu) -> Answer:
    """How many orders of each kind are possible, a number leading to each of them."""
    tables, groups = session.tables, dict[str, list[str]]()
    for text in menu.orders:
        groups.setdefault(_head(text), []).append(text)
    options = []
    for head, texts in groups.items():
        if len(texts) == 1:
            options.append(Option(texts[0], texts[0]))
        elif head.startswith("choose"):
            options.append(Option(f"{head}: {len(texts)} answers", f"what {head}"))
        else:
            options.append(Option(f"{head}: {len(texts)} orders, such as {texts[0]}", f"what {head}"))
    for power in dict.fromkeys(m.power for m in menu.moves):
        starts = [place_name(tables, m.start) for m in menu.moves if m.power == power]
        head = "move" if power == session.seat else f"{power}: move"
        options.append(Option(f"{head}: units in {listed(tuple(dict.fromkeys(starts)))}", head))
    for gift in menu.pays:
        head = "pay" if gift.power == session.seat else f"{gift.power}: pay"
        options.append(Option(f"{head} {gift.to}: up to £{gift.most}", f"what {head} {gift.to}"))
    who = power_name(tables, session.seat)
    if not options:
        return Answer([f"{who} can do nothing now; the game does not wait for it."])
    return Answer([f"{who}, {phase_name(session.live.phase)} Phase, can:"], tuple(options))


def _head(text: str) -> str:
    """The part of an order that its kind has in common: a Power in front, the verb, the choice it answers."""
    power, colon, rest = text.rpartition(": ")
    words = rest.split()
    head = " ".join(words[:2]) if words[0] == "choose" else words[0]
    return f"{power}{colon}{head}"


def beginning(menu: Menu, words: str) -> Answer:
    """Every order that begins with the words, each to be taken by its number."""
    start = " ".join(words.casefold().split())
    texts = [t for t in menu.texts() if t == start or t.startswith((start + " ", start + ":"))]
    return Answer([f"{len(texts)} possible:"] if texts else [], tuple(Option(t, t) for t in texts))


def other_ports(session: Session, orders: Sequence[ac.Build]) -> list[str]:
    """That new fleets stand in the first home box because no other was named. Args: the order for each box."""
    if not orders:
        return []
    where, *others = (place_name(session.tables, order.box) for order in orders)
    how = any_of([f"'{text_of(session.tables, order)}'" for order in orders[1:]])
    return [f"No home box was named, so the fleet stands in that of the {where}; {how} chooses the {any_of(others)}."]


# --- a place ------------------------------------------------------------------------------------------------------


def at_place(session: Session, place: str) -> Answer:
    """The menu of a place for every Power of the seat; what is forbidden follows with its reason and rule."""
    tables = session.tables
    options: list[Option] = []
    forbidden: list[str] = []
    for power in session.my_powers():
        who = "" if power == session.seat else f"{power_name(tables, power)}: "
        for item in place_menu(session, place, power):
            label = who + spoken(item.label)
            if item.action is None:
                say = f"move from {place_text(place, power)}"
                options.append(Option(f"{who}Move units from here", say if not who else f"{power}: {say}"))
            elif item.allowed:
                text = text_of(tables, item.action)
                costs, rest = _brings(session, item)
                options.append(Option(f"{label}{costs}: {text}{_rules(item.rules[:2])}{rest}", text, (text,)))
            else:
                forbidden.append(f"Not {label}: {item.reason}{_rules(item.rules)}")
    name = place_name(tables, place)
    if not options and not forbidden:
        return Answer([f"{name}: there is nothing to do here in this Phase."])
    return Answer([f"{name}:"], tuple(options), tuple(forbidden))


def _brings(session: Session, item: MenuItem) -> tuple[str, str]:
    """What a line would bring: its figures, and the rest in sentences."""
    seen = foreseen(session, item)
    if seen is None:
        return (f", £{item.price}" if item.price else ""), ""
    return figures(seen), "".join(f" {line.text}" for line in told(session.tables, session.live, session.seat, seen))


def _rules(rules: tuple[str, ...]) -> str:
    return f" [{', '.join(rules)}]" if rules else ""


# --- a move, step by step -----------------------------------------------------------------------------------------


def moving(session: Session, menu: Menu, words: str) -> Answer | None:
    """The next step of a move that is not complete: from where, which units, or to where. None where none fits.

    `move` asks from where; `move from PLACE` for the units; `move UNITS PLACE` for the end.

    Raises: Refusal, when a place is named that is none.
    """
    tables = session.tables
    prefix, colon, text = words.rpartition(":")
    power = index(tables).powers.find(prefix.strip()) if colon else session.power
    head = f"{prefix.strip()}: move" if colon else "move"
    rest = text.split()[1:]
    mine = [m for m in menu.moves if m.power == power]
    if ">" in text:
        return None
    if not mine:
        return Answer([f"{power_name(tables, power)} can move nothing now."])
    if not rest:
        starts = dict.fromkeys(m.start for m in mine)
        lines = [_start(tables, mine, s, head, power) for s in starts]
        return Answer(["Move from where?"], tuple(lines))
    if rest[0].casefold() == "from":
        start = find_place(session, " ".join(rest[1:])) if rest[1:] else ""
        here = [m for m in mine if m.start == start]
        if not here:
            name = place_name(tables, start) if start else "there"
            return Answer([f"Nothing of {power_name(tables, power)} can move from {name}."])
        groups = {u: None for m in here for u in m.units}
        groups.update((" ".join(m.units), None) for m in here if len(m.units) > 1)
        to = place_text(start, power)
        options = tuple(Option(g, f"{head} {g} {to}", (g,)) for g in groups)
        return Answer([f"Which units from {place_name(tables, start)}?"], options)
    names = [w for w in rest if w[:1].casefold() in "an" and w[1:].isdigit()]
    place = " ".join(rest[len(names) :])
    if not names or not place:
        return None
    start, wanted = find_place(session, place), [n.upper() for n in names]
    ways: list[Option] = []
    for m in mine:
        if m.start == start and all(m.units.count(n) >= wanted.count(n) for n in wanted):
            for end in m.ends:
                order = menu.move_text(m, wanted, end)
                coast = f" ({place_name(tables, end.coast)})" if end.coast else ""
                name = place_name(tables, end.place) + coast
                ways.append(Option(name, order, (name, place_text(end.place, power))))
    if not ways:
        return Answer([f"{' '.join(wanted)} cannot move together from {place_name(tables, start)}."])
    question = f"Move {' '.join(wanted)} from {place_name(tables, start)} to where?"
    return Answer([question], tuple(dict.fromkeys(ways)))


def _start(tables: Tables, moves: list[Moves], start: str, head: str, power: str) -> Option:
    """A place from which units can move."""
    units = dict.fromkeys(" ".join(m.units) for m in moves if m.start == start)
    name, text = place_name(tables, start), place_text(start, power)
    return Option(f"{name}: {listed(list(units))}", f"{head} from {text}", (name, text))
