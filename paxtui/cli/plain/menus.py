"""What a seat can do, as numbered lines: by kinds, at a place, and step by step for a move.

What an act of War would bring about, read out before it is final: a declaration, an attack, a loss of supply.
"""

from __future__ import annotations

from collections.abc import Sequence

from paxtui.cli.plain.prompts import NumberedAnswer, NumberedOption
from paxtui.cli.plain.renderers import cite_rules, find_place, join_names, strip_symbols
from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.notation import ORDERS, format_order
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.menus.legal import legal_actions
from paxtui.games.pax.menus.menu import Menu, UnitMoves
from paxtui.games.pax.menus.place import MenuItem
from paxtui.games.pax.narration.labels import describe_option, describe_question
from paxtui.games.pax.preview import odds
from paxtui.games.pax.preview.odds import combat_odds_at, describe_assault, describe_odds, join_options
from paxtui.games.pax.preview.preview import describe_preview, preview_figures
from paxtui.games.pax.state.pieces import ARMY, NAVAL
from paxtui.games.pax.state.questions import Combine, FightOrDecline, Pending
from paxtui.games.pax.text.display import join_with_or, phase_name, place_name, power_name
from paxtui.games.pax.text.parsing import name_index, place_text
from paxtui.games.pax.transaction import default_answer
from paxtui.games.pax.war import alliances
from paxtui.session.place_menu import place_menu, preview_item
from paxtui.session.player_news import implied_questions
from paxtui.session.session import Order, Session
from paxtui.session.treaty_suggestions import describe_idea, partners, treaty_ideas


def open_questions(session: Session) -> NumberedAnswer:
    """The choices that wait for the seat, each with its options."""
    options: list[NumberedOption] = []
    lines = []
    implied = implied_questions(session)
    for choice in session.live.choices:
        if choice.seat != session.seat or choice in implied:
            continue
        texts = [option if isinstance(option, str) else " ".join(option) for option in choice.options]
        whose = "" if choice.power == session.seat else f" for {power_name(session.tables, choice.power)}"
        many = " Several may be named." if choice.about.several and len(texts) > 1 else ""
        answers = [describe_option(session.tables, choice, text) for text in default_answer(choice)]
        default = f" Default: {', '.join(answers) or 'nothing'}."
        heading = (
            f"Question {choice.id}{whose}, {choice.kind}: "
            f"{strip_symbols(describe_question(session.tables, choice))}{many}"
        )
        heading += f"{combat_chances(session, choice)}{default}{cite_rules(choice.rules)}"
        if not texts:
            lines.append(heading)
        for n, text in enumerate(texts):
            shown = describe_option(session.tables, choice, text)
            options.append(NumberedOption(shown, f"choose {choice.id} {text}", (text, shown), "" if n else heading))
    return NumberedAnswer(lines, tuple(options))


def find_partner(session: Session, words: str) -> str:
    """Return the seat with which the seat can make a Treaty. Raises: Refusal."""
    others = partners(session)
    if not words:
        names = join_with_or([power_name(session.tables, seat) for seat in others])
        raise Refusal("notation", (), f"Name a Power: {names}.")
    seat = name_index(session.tables).powers.find(words)
    if seat not in others:
        raise Refusal("notation", (), f"{power_name(session.tables, seat)} has no seat in this game, or it is yours.")
    return seat


def ready_made_treaties(session: Session, words: str) -> NumberedAnswer:
    """Return ready-made Treaties with a Power, each with its order. Raises: Refusal."""
    partner = find_partner(session, words)
    ideas = treaty_ideas(session, partner)
    name = power_name(session.tables, partner)
    if not ideas:
        return NumberedAnswer([f"There is no ready-made Treaty for {name} now."])
    options = []
    for idea in ideas:
        order = format_order(session.tables, idea.draft)
        shown = f"{idea.title}. {describe_idea(session, idea)} Order: {order}"
        options.append(NumberedOption(shown, order, (idea.title,)))
    after = "A number offers it. To change it first, enter its order with your changes."
    return NumberedAnswer([f"Treaties with {name}:"], tuple(options), (after,))


def combat_chances(session: Session, choice: Pending) -> str:
    """What a fight can bring, before one decides; "" for other questions."""
    joining = join_options(session.tables, session.live, choice)
    if joining:
        return (
            f" {describe_assault(session.tables, joining[0])} Without you: "
            f"{describe_assault(session.tables, joining[1])}"
        )
    if not isinstance(choice.about, FightOrDecline | Combine):
        return ""
    return f" {describe_odds(combat_odds_at(session.tables, session.live, choice.area, (choice.power,)))}"


def what_command(session: Session, words: str) -> NumberedAnswer:
    """The answer to `what WORDS`: by kinds; orders that begin so; or what can be done at a place.

    Raises: Refusal, when the words name nothing.
    """
    if session.live.result is not None:
        return NumberedAnswer(["The game is over."])
    menu = legal_actions(session.tables, session.live, session.seat)
    if not words:
        return order_kinds(session, menu)
    first = words.split()[0].casefold()
    if first == "move" or (":" in words and words.split(":")[1].split()[:1] == ["move"]):
        return move_options(session, menu, words) or NumberedAnswer(["You have no units to move now."])
    found = orders_beginning(menu, words)
    if found.options:
        return found
    if first.rstrip(":") in ORDERS:
        return NumberedAnswer([f"Nothing that begins with '{words[:40]}' is possible now."])
    return place_options(session, find_place(session, words))


def order_kinds(session: Session, menu: Menu) -> NumberedAnswer:
    """How many orders of each kind are possible, a number leading to each of them."""
    tables, groups = session.tables, dict[str, list[str]]()
    for text in menu.orders:
        groups.setdefault(_head(text), []).append(text)
    options = []
    for head, texts in groups.items():
        if len(texts) == 1:
            options.append(NumberedOption(texts[0], texts[0]))
        elif head.startswith("choose"):
            options.append(NumberedOption(f"{head}: {len(texts)} answers", f"what {head}"))
        else:
            options.append(NumberedOption(f"{head}: {len(texts)} orders, such as {texts[0]}", f"what {head}"))
    for power in dict.fromkeys(m.power for m in menu.moves):
        starts = [place_name(tables, m.start) for m in menu.moves if m.power == power]
        head = "move" if power == session.seat else f"{power}: move"
        options.append(NumberedOption(f"{head}: units in {join_names(tuple(dict.fromkeys(starts)))}", head))
    for gift in menu.pays:
        head = "pay" if gift.power == session.seat else f"{gift.power}: pay"
        options.append(NumberedOption(f"{head} {gift.to}: up to £{gift.most}", f"what {head} {gift.to}"))
    who = power_name(tables, session.seat)
    if not options:
        return NumberedAnswer([f"{who} has nothing to do now. The game does not wait for it."])
    return NumberedAnswer([f"{who}, {phase_name(session.live.phase)} Phase, can:"], tuple(options))


def _head(text: str) -> str:
    """The part of an order that its kind has in common: a Power in front, the verb, the choice it answers."""
    power, colon, rest = text.rpartition(": ")
    words = rest.split()
    head = " ".join(words[:2]) if words[0] == "choose" else words[0]
    return f"{power}{colon}{head}"


def orders_beginning(menu: Menu, words: str) -> NumberedAnswer:
    """Every order that begins with the words, each to be taken by its number."""
    start = " ".join(words.casefold().split())
    texts = [t for t in menu.texts() if t == start or t.startswith((start + " ", start + ":"))]
    return NumberedAnswer([f"{len(texts)} possible:"] if texts else [], tuple(NumberedOption(t, t) for t in texts))


def port_options(session: Session, orders: Sequence[actions.Build]) -> list[str]:
    """That new fleets stand in the first home box because no other was named. Args: the order for each box."""
    if not orders:
        return []
    where, *others = (place_name(session.tables, order.box) for order in orders)
    how = join_with_or([f"'{format_order(session.tables, order)}'" for order in orders[1:]])
    return [
        f"No home box was named, so the fleet stands in that of the {where}; {how} chooses the {join_with_or(others)}."
    ]


# --- a place ------------------------------------------------------------------------------------------------------


def place_options(session: Session, place: str) -> NumberedAnswer:
    """The menu of a place for every Power of the seat; what is forbidden follows with its reason and rule."""
    tables = session.tables
    options: list[NumberedOption] = []
    forbidden: list[str] = []
    for power in session.powers():
        who = "" if power == session.seat else f"{power_name(tables, power)}: "
        for item in place_menu(session, place, power):
            label = who + strip_symbols(item.label)
            if item.action is None:
                say = f"move from {place_text(place, power)}"
                options.append(NumberedOption(f"{who}Move units from here", say if not who else f"{power}: {say}"))
            elif item.allowed:
                text = format_order(tables, item.action)
                (costs, rest), rules = _preview_lines(session, item), cite_rules(item.rules[:2])
                options.append(NumberedOption(f"{label}{costs}: {text}{rules}{rest}", text, (text,)))
            else:
                forbidden.append(f"Not {label}: {item.reason}{cite_rules(item.rules)}")
    name = place_name(tables, place)
    if not options and not forbidden:
        return NumberedAnswer([f"{name}: there is nothing to do here in this Phase."])
    return NumberedAnswer([f"{name}:"], tuple(options), tuple(forbidden))


def _preview_lines(session: Session, item: MenuItem) -> tuple[str, str]:
    """What a line would bring: its figures, and the rest in sentences."""
    seen = preview_item(session, item)
    if seen is None:
        return (f", £{item.price}" if item.price else ""), ""
    return preview_figures(seen), "".join(
        f" {line.text}" for line in describe_preview(session.tables, session.live, session.seat, seen)
    )


# --- a move, step by step -----------------------------------------------------------------------------------------


def move_options(session: Session, menu: Menu, words: str) -> NumberedAnswer | None:
    """The next step of a move that is not complete: from where, which units, or to where. None where none fits.

    `move` asks from where; `move from PLACE` for the units; `move UNITS PLACE` for the end.

    Raises: Refusal, when a place is named that is none.
    """
    tables = session.tables
    prefix, colon, text = words.rpartition(":")
    power = name_index(tables).powers.find(prefix.strip()) if colon else session.power
    head = f"{prefix.strip()}: move" if colon else "move"
    rest = text.split()[1:]
    mine = [m for m in menu.moves if m.power == power]
    if ">" in text:
        return None
    if not mine:
        return NumberedAnswer([f"{power_name(tables, power)} can move nothing now."])
    if not rest:
        starts = dict.fromkeys(m.start for m in mine)
        lines = [_start(tables, mine, s, head, power) for s in starts]
        return NumberedAnswer(["Move from where?"], tuple(lines))
    if rest[0].casefold() == "from":
        start = find_place(session, " ".join(rest[1:])) if rest[1:] else ""
        here = [m for m in mine if m.start == start]
        if not here:
            name = place_name(tables, start) if start else "there"
            return NumberedAnswer([f"Nothing of {power_name(tables, power)} can move from {name}."])
        groups = {u: None for m in here for u in m.units}
        groups.update((" ".join(m.units), None) for m in here if len(m.units) > 1)
        to = place_text(start, power)
        options = tuple(NumberedOption(g, f"{head} {g} {to}", (g,)) for g in groups)
        return NumberedAnswer([f"Which units from {place_name(tables, start)}?"], options)
    names = [w for w in rest if w[:1].casefold() in "an" and w[1:].isdigit()]
    place = " ".join(rest[len(names) :])
    if not names or not place:
        return None
    start, wanted = find_place(session, place), [n.upper() for n in names]
    ways: list[NumberedOption] = []
    for m in mine:
        if m.start == start and all(m.units.count(n) >= wanted.count(n) for n in wanted):
            for end in m.ends:
                order = format_order(tables, menu.move(m, wanted, end))
                coast = f" ({place_name(tables, end.coast)})" if end.coast else ""
                name = place_name(tables, end.place) + coast
                ways.append(NumberedOption(name, order, (name, place_text(end.place, power))))
    if not ways:
        return NumberedAnswer([f"{' '.join(wanted)} cannot move together from {place_name(tables, start)}."])
    question = f"Move {' '.join(wanted)} from {place_name(tables, start)} to where?"
    return NumberedAnswer([question], tuple(dict.fromkeys(ways)))


def _start(tables: Tables, moves: list[UnitMoves], start: str, head: str, power: str) -> NumberedOption:
    """A place from which units can move."""
    units = dict.fromkeys(" ".join(m.units) for m in moves if m.start == start)
    name, text = place_name(tables, start), place_text(start, power)
    return NumberedOption(f"{name}: {join_names(list(units))}", f"{head} from {text}", (name, text))


def preview_order(session: Session, order: Order, text: str) -> NumberedAnswer | None:
    """Return what an order in or about War would cause, and the order to choose by number; None for other orders.

    Args: the open game; the order; its text.
    """
    if not isinstance(order, actions.Action):
        return None
    seen = session.preview(order)
    if isinstance(seen, Refusal):
        return None
    if seen.answer:
        weighs = seen.changed or any(line.tone for line in seen.answer)
        effects = [line.text for line in seen.answer] if weighs else []
    elif seen.forecast:
        effects = [line.text for line in describe_preview(session.tables, session.live, session.seat, seen)]
    else:
        effects = [*_preview_odds(session, order), *seen.perils]
    if not effects:
        return None
    lines = ["Before it is final:", *effects]
    return NumberedAnswer(
        lines, (NumberedOption(f"Do it: {text}", text, ("yes", "do it")),), ("Or enter another order.",)
    )


def _preview_odds(session: Session, order: actions.Action) -> list[str]:
    """Return the odds of an attack, for each set of allies that may join it; nothing for other orders."""
    war = alliances.current_war(session.live)
    if not isinstance(order, actions.Attack) or war is None:
        return []
    kind = NAVAL if order.naval or order.place not in session.tables.areas else ARMY
    power = order.power or session.seat
    found = odds.possible_assaults(session.tables, session.live, war, order.place, kind, power)
    return [odds.describe_assault(session.tables, assault) for assault in found]
