"""Orders: menus, moves, answers to pending choices, the order line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from rich.text import Text

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions import actions
from paxtui.games.pax.menus.place import MenuItem, war_order_places
from paxtui.games.pax.menus.war import war_orders
from paxtui.games.pax.preview.dry_run import run_trial
from paxtui.games.pax.preview.odds import possible_assaults
from paxtui.games.pax.preview.preview import Preview, describe_preview, preview_action
from paxtui.games.pax.preview.war_answers import is_about_spoils, is_previewed
from paxtui.games.pax.reports.todo import CONGRESS, PEACE, QUESTION, TREATIES
from paxtui.games.pax.state.pieces import ARMY, NAVAL
from paxtui.games.pax.state.questions import DECLARATION_QUESTIONS, CongressQuestion, DummyCall, WarRetreat
from paxtui.games.pax.text.display import place_name, power_name, the_power
from paxtui.games.pax.text.parsing import name_index
from paxtui.games.pax.war import alliances
from paxtui.session.order_planning import (
    GARRISON_ALL,
    Purchase,
    Reinforcement,
    describe_garrisons,
    describe_no_purchase,
    describe_purchases,
    describe_reinforcements,
    find_purchases,
    find_reinforcements,
    plan_garrisons,
    reinforcement_orders,
)
from paxtui.session.place_menu import home_port_choices, other_power_entries, place_menu
from paxtui.session.player_news import acknowledgement, pending_tasks
from paxtui.session.session import ChooseWord, Session, SessionChange
from paxtui.tui.base.dialogs import ConfirmDialog, PickDialog
from paxtui.tui.base.playing import SessionScreen
from paxtui.tui.dialogs.advice import Adviser
from paxtui.tui.dialogs.area_menu import AreaMenu, ReinforceDialog
from paxtui.tui.dialogs.choice import ChoiceDialog, fight_option, find_certain_win, is_unresisted
from paxtui.tui.dialogs.war import AttackScreen, DeclareScreen, RetreatScreen
from paxtui.tui.formatting.look import place_line
from paxtui.tui.formatting.reports import effect_sentences
from paxtui.tui.game.controller import Controller
from paxtui.tui.game.history import HistoryController
from paxtui.tui.game.other_screens import ScreenController
from paxtui.tui.game.seats import SeatController
from paxtui.tui.game.view import ViewController
from paxtui.tui.panes.what_now import war_hint
from paxtui.tui.reference_screens.reference import RulesScreen
from paxtui.tui.rendering.prepared_screens import ScreenRecipe
from paxtui.tui.widgets.board import begin_move
from paxtui.tui.widgets.order_line import (
    DICE_WORD,
    ORDER,
    PLACE,
    SEAT_WORD,
    OrderLine,
    places_by_code,
    split_order,
    to_notation,
)


class OrderController(Controller):
    """Orders of the seat, from a menu, the map, a pending choice or the order line.

    Args:
        screen: the game screen.
        view: the view, with map, selected units and order line.
        seats: the seats.
        history: undo and redo, which the order line knows too.
        screens: the screens of treaties and congresses, where some tasks are done.
    """

    def __init__(
        self,
        screen: SessionScreen[None],
        view: ViewController,
        seats: SeatController,
        history: HistoryController,
        screens: ScreenController,
    ) -> None:
        super().__init__(screen)
        self._view, self._seats, self._history, self._screens = view, seats, history, screens
        self.adviser = Adviser(screen, self._release_units)
        self._task_index = 0  # index of the pending task visited last
        self._task_line = -1  # log length at that visit
        self._ordered_at = 0  # key count at the last executed menu line
        self._resolved: set[str] = set()  # unresisted combats that were fought automatically

    # --- menu -----------------------------------------------------------------------------------------------------

    def action_menu(self) -> None:
        """Open the menu of the place; with selected units, the move menu. Ignore a repeat of a key for a report."""
        s, place = self.session, self._view.map.cursor
        if self._seats.has_repeated_close:
            again = self.app.key_of("game.menu", "enter")
            self.notify(f"That was the last page. Press {again} again for the action menu.", timeout=4)
            return
        if self._view.march is not None:
            if self._view.march.start == place:
                self._view.march = None
            else:
                self.screen.act(self._view.march.order(s, place), shown=self._view.march_risks()[:1])
            return
        recipe = self.menu_recipe(not self._is_repeated_key)
        if recipe is None:
            text = "There is nothing to do here in this Phase."
            if self._seats.can_advance:
                text += f" {self.app.key_of('game.ready', 'r')} rolls the dice and continues."
            self.notify(text)
        else:
            self.app.ask(recipe, self._chosen)

    def menu_recipe(self, choose: bool = True, power: str = "") -> ScreenRecipe[MenuItem | None] | None:
        """Return how the menu of the place under the cursor is shown; None without a line.

        Args: whether the first harmless line is highlighted; the Power that acts, by default the selected one.
        """
        s, place = self.session, self._view.map.cursor
        items = place_menu(s, place, power) + other_power_entries(s, place, power)
        if not items:
            return None
        beside = self._view.map.label_region(place) if self._view.map.display else None
        whose = f"{power_name(s.tables, power)}: " if power else ""
        make = partial(AreaMenu, s, whose + place_line(s.tables, s.state, place), items, beside, choose, power)
        return ScreenRecipe("menu", make, (self.screen.moment, place, beside, choose, power))

    def _open_menu_of(self, power: str) -> None:
        """Open the menu of the place for another Power of the seat, which acts in that menu only."""
        recipe = self.menu_recipe(power=power)
        if recipe is not None:
            self.app.ask(recipe, lambda item: self._chosen(item, power))

    @property
    def _is_repeated_key(self) -> bool:
        """Return whether the key that executed a menu line is repeated or held down."""
        keyboard = self.app.keyboard
        return keyboard.repeated and keyboard.heard == self._ordered_at + 1

    def _chosen(self, item: MenuItem, power: str = "") -> None:
        self._ordered_at, action = self.app.keyboard.heard, item.action
        if item.power:
            self._open_menu_of(item.power)
        elif action is None:
            if power:
                self.session.take_power(power)
            self.action_move()
        elif isinstance(action, actions.Attack):
            self._consider(action)
        elif isinstance(action, actions.DeclareWar):
            self.app.ask(DeclareScreen(self.session, action), self.screen.act)
        elif isinstance(action, actions.JoinWar):
            self._join(action)
        elif isinstance(action, actions.Transfer):
            self._confirm_transfer(action)
        elif self._is_costly(item):
            self._confirm_purchase(item, action)
        else:
            self.screen.act(action)

    def _is_costly(self, item: MenuItem) -> bool:
        """Return whether a line costs most of the Treasury and was chosen with the key that opened the menu."""
        return self.app.keyboard.repeated and 2 * item.price > self._treasury_for(item.action)

    def _treasury_for(self, action: actions.Action | None) -> int:
        """Return the money of the Power that an action is for."""
        s = self.session
        power = getattr(action, "power", "") or s.power
        return s.live.powers[power].treasury if power in s.live.powers else 0

    def _confirm_purchase(self, item: MenuItem, order: actions.Action) -> None:
        """Ask before most of the Treasury is spent."""
        text = f"{item.label}: £{item.price} of the £{self._treasury_for(order)} that you have."
        self.app.ask(ConfirmDialog("Spend most of your money?", text, "buy"), lambda _: self.screen.act(order))

    def _confirm_transfer(self, order: actions.Transfer) -> None:
        """Ask before a marker is offered: the other Power may accept at once."""
        tables = self.session.tables
        what, whom = place_name(tables, order.area), the_power(tables, order.to)
        text = f"You offer your marker in {what} to {whom} for nothing. If {whom} accepts, the transfer is immediate."
        self.app.ask(ConfirmDialog(f"Hand over {what}?", text, "hand over"), lambda _: self.screen.act(order))

    def _consider(self, attack: actions.Attack) -> None:
        """Show the odds of an attack before it is ordered."""
        s, place = self.session, attack.place
        war = alliances.current_war(s.live)
        kind = NAVAL if attack.naval or place not in s.tables.areas else ARMY
        if war is None:
            return
        found = possible_assaults(s.tables, s.live, war, place, kind, attack.power or s.seat)
        title = f"Attack in {place_name(s.tables, place)} with {'fleets' if kind == NAVAL else 'armies'}"
        self.app.ask(AttackScreen(s.tables, title, found), lambda _: self.screen.act(attack))

    def _join(self, order: actions.JoinWar) -> None:
        """Show the effects of joining a War before it is done."""
        s = self.session
        seen = s.preview(order)
        if isinstance(seen, Refusal):
            what = seen.message
        else:
            what = " ".join(line.text for line in describe_preview(s.tables, s.live, s.seat, seen))
        title = f"Join the War at the side of {the_power(s.tables, order.side)}"
        self.app.ask(ConfirmDialog(title, what, "join"), lambda _: self.screen.act(order))

    def action_click(self, area: str) -> None:
        """Select a clicked card; a second click opens its menu."""
        if area == self._view.map.cursor:
            self.action_menu()
        else:
            self._view.show_card(area)

    def action_move(self) -> None:
        """Select units here and move them with the cursor."""
        march = begin_move(self.session, self._view.map.cursor)
        if march is None:
            self.notify("No unit of yours can move from here.", severity="warning")
        else:
            self._view.march = march

    def action_reinforce(self) -> None:
        """Move or build units for the place under the cursor."""
        s, place = self.session, self._view.map.cursor
        found = find_reinforcements(s, place)
        if not found:
            self.notify("No unit of yours can reach this place now.", severity="warning")
            return

        def chosen(numbers: frozenset[int]) -> list[Reinforcement]:
            return [found[n] for n in sorted(numbers)]

        title, lines = f"Send units to {place_name(s.tables, place)}", [_reinforcement_line(s, one) for one in found]
        dialog = ReinforceDialog(title, lines, lambda numbers: describe_reinforcements(s, place, chosen(numbers)))
        self.app.ask(dialog, lambda numbers: self._in_turn(reinforcement_orders(s, place, chosen(numbers))))

    def action_garrison_all(self) -> None:
        """Send an army to each Area that lacks one, after its price has been shown and confirmed."""
        s = self.session
        plan = plan_garrisons(s)
        if not plan.orders:
            why = describe_garrisons(s, plan) or "No Area of yours lacks an army."
            self.notify(why if s.live.phase == "movement" else "Armies move in the Movement Phase only.", timeout=6)
            return
        dialog = ConfirmDialog("Garrison all", describe_garrisons(s, plan), "garrison")
        self.app.ask(dialog, lambda _: self._in_turn(plan.orders))

    def action_purchases(self) -> None:
        """List what the Treasury can buy, the best return first; Enter goes to the Area."""
        found = self._find_purchases()
        if found:
            self.app.ask(self.purchases_recipe(), lambda number: self._view.go_to(found[number].area))
        else:
            self.notify(describe_no_purchase(self.session), timeout=6)

    def _find_purchases(self) -> list[Purchase]:
        s = self.session
        return s.derived(f"purchases of {s.power}", lambda: find_purchases(s))

    def purchases_recipe(self) -> ScreenRecipe[int | None]:
        """Return how the list of what the Treasury can buy is shown."""

        def make() -> PickDialog:
            s = self.session
            lines, more = describe_purchases(s, self._find_purchases())
            money = s.live.powers[s.power].treasury if s.power in s.live.powers else 0
            title = f"What £{money} can buy: price, and points by the end, best return first"
            return PickDialog(title, lines, more=more, enters="go there")

        return ScreenRecipe("purchases", make, self.screen.moment)

    def _in_turn(self, orders: Sequence[actions.Action]) -> None:
        """Execute orders until one is refused."""
        if orders:
            self.screen.act(orders[0], then=lambda: self._in_turn(orders[1:]))

    def action_group(self) -> None:
        if self._view.march is not None:
            self._view.march = self._view.march.next_group(self.session)

    def action_choose(self) -> None:
        """Answer the first pending choice of the seat."""
        mine = [c for c in self.session.live.choices if c.seat == self.session.seat]
        mine.sort(key=lambda choice: isinstance(choice.about, DummyCall))
        if not mine:
            self.notify("You have no question to answer.")
            return
        if isinstance(mine[0].about, CongressQuestion) and self.session.live.congress is not None:
            self._screens.action_congress()
            return
        self.answer(mine[0].id)

    def answer(self, id_: str) -> None:
        """Open a pending choice of the seat."""
        choice = self.session.live.choice(id_)
        if choice is None:
            return
        if choice.area:
            self._view.map.cursor = choice.area
        if is_about_spoils(choice):
            from paxtui.tui.diplomacy.war_questions import SpoilsScreen

            self.app.ask(SpoilsScreen(self.session, choice), self._area_divided)
        elif is_previewed(choice):
            from paxtui.tui.diplomacy.war_questions import WarQuestionScreen

            self.app.ask(WarQuestionScreen(self.session, choice), self._answered)
        elif isinstance(choice.about, WarRetreat):
            self.app.ask(RetreatScreen(self.session, choice), self._answered)
        else:
            box = ChoiceDialog(self.session, choice)
            self.app.ask(box, lambda order: self._attack_on(order) if box.onward else self._answered(order))

    def session_changed(self, change: SessionChange) -> None:
        """Fight unresisted combats after the change is complete."""
        if change.events and not change.more:
            self.screen.call_next(self._fight_unresisted)

    def _fight_unresisted(self) -> None:
        """Fight if the Area does not resist and no other Power is involved: there is nothing to decide.

        Once for each fight: after an undo the player may decline it. Not if several players share the keyboard.
        """
        s = self.session
        if s.at is not None or s.bots.is_at_work or self._seats.is_shared:
            return
        if not (self.screen.is_attached and self.is_in_front):
            return
        fight = next((c for c in s.live.choices if c.id not in self._resolved and is_unresisted(s, c)), None)
        if fight is not None:
            self._resolved.add(fight.id)
            self.screen.act(actions.Choose(fight.id, (fight_option(fight),)))

    def _attack_on(self, order: actions.Choose) -> None:
        """Attack here, then in each Area with a certain win."""
        self.screen.act(order, then=self._next_attack)

    def _next_attack(self) -> None:
        fight = find_certain_win(self.session)
        if fight is not None:
            self._attack_on(actions.Choose(fight.id, (fight_option(fight),)))

    def _answered(self, order: actions.Choose) -> None:
        choice = self.session.live.choice(order.id)
        is_declaration = choice is not None and isinstance(choice.about, DECLARATION_QUESTIONS)
        warnings = self.session.war_warnings(order)
        if is_declaration:
            self.screen.act(order, shown=warnings, then=self._acknowledge)
        else:
            self.screen.act(order, shown=warnings)

    def _acknowledge(self) -> None:
        """Answer the empty questions about a declaration of War, once the Powers of the seat have nothing to decide."""
        order = acknowledgement(self.session)
        if order is not None:
            self.screen.act(order, then=self._acknowledge)

    def _area_divided(self, order: actions.Choose) -> None:
        seat = self.session.seat
        self.screen.act(order, then=lambda: self._divide_on(seat))

    def _divide_on(self, seat: str) -> None:
        """Open the next Area if the same seat decides on it."""
        s = self.session
        choice = next((c for c in s.live.choices if c.seat == seat and is_about_spoils(c)), None)
        if choice is not None and s.seat == seat:
            if choice.area:
                self._view.map.cursor = choice.area
            from paxtui.tui.diplomacy.war_questions import NextSpoilsScreen

            self.app.ask(NextSpoilsScreen(s, choice), self._area_divided)

    def action_next_task(self) -> None:
        """Go to the next pending task: to its place on the map, or to its screen."""
        waits = pending_tasks(self.session)
        if not waits:
            self._tell_open_acts()
            return
        self._task_index = (self._task_index + 1) % len(waits) if self._task_line == self.session.view.place else 0
        self._task_line = self.session.view.place
        task = waits[self._task_index]
        if task.place:
            self._view.map.cursor = task.place
        if task.where == CONGRESS:
            self._screens.action_congress()
        elif task.where == TREATIES:
            self._screens.action_treaties(task.id)
        elif task.where == PEACE:
            self._screens.action_peace()
        elif task.where == QUESTION:
            self.answer(task.id)
        elif len(waits) > 1 or task.place:  # no screen says what it is
            self.notify(task.text, title=f"{self._task_index + 1} of {len(waits)}", timeout=5)

    def _tell_open_acts(self) -> None:
        """Say what a seat without a task can do. In War, go to the place where it can declare War."""
        s = self.session
        if s.seat not in s.waiting():
            self.notify("Nothing left to decide.", timeout=4)
        elif s.live.phase != "war":
            self.notify(f"Nothing left to decide. Press {self.app.key_of('game.ready', 'r')} when ready.", timeout=4)
        else:
            orders = war_orders(s.tables, s.live, s.seat)
            declaration = next((order for order in orders if isinstance(order, actions.DeclareWar)), None)
            if declaration is not None:
                self._view.map.cursor = war_order_places(s.tables, s.live, s.seat, declaration)[-1]
            self.notify(war_hint(s, self.app.key_of), timeout=6)

    def action_advice(self) -> None:
        self.adviser.ask()

    def _release_units(self) -> None:
        """Release the selected units: advice is about the position, and Esc cancels it."""
        self._view.march = None

    def action_why(self) -> None:
        """Show the last refusal in full; without one, the rules of the possible actions under the cursor."""
        refusal = self.session.refusal
        here = (rule for item in place_menu(self.session, self._view.map.cursor) for rule in item.rules)
        rules = refusal.rules if refusal is not None else tuple(dict.fromkeys(here))
        self.app.push_screen(RulesScreen(" ".join(rules), refusal))

    # --- order line -----------------------------------------------------------------------------------------------

    def action_command(self) -> None:
        self._view.line.ask_order(self.session)
        self._view.show_order_line(True)

    def action_find(self) -> None:
        self._view.line.ask_place(self.session)
        self._view.show_order_line(True)

    def type_order(self, text: str) -> None:
        """Open the order line with the beginning of an order."""
        self._view.line.ask_order(self.session, text)
        self._view.show_order_line(True)

    def show_completions(self, event: OrderLine.Guessed) -> None:
        """Show the completions of the order line, and the effect of the typed order."""
        line = self._view.line
        if line.display:
            effect = self._order_effect(line.value)
            self._view.completions.tell(event.guesses, event.at, self.look, effect)

    def _order_effect(self, text: str) -> Text:
        """Return the effect of the typed order or its refusal; empty while it is incomplete."""
        s, look = self.session, self.look
        if self._view.line.asks != ORDER or s.at is not None:
            return Text()
        if " " not in text.strip() or text.startswith(f"{DICE_WORD} "):
            return Text()
        parts = [to_notation(s, one) for one in split_order(text.strip())]
        state, number = s.live, ""
        seen: Preview | Refusal | None = None
        for n, part in enumerate(parts, 1):
            order = s.parse_or_none(part)
            if order is None:
                return Text()
            number = f"{n} of {len(parts)}: " if len(parts) > 1 else ""
            trial = run_trial(s.tables, state, s.seat, order)
            if isinstance(trial, Refusal):
                seen = trial
                break
            seen, state = preview_action(s.tables, state, s.seat, order, trial), trial.state
        if isinstance(seen, Refusal):
            return look.signs(Text(f"{number}{seen.message} [{' '.join(seen.rules[:2])}]", look.alarm))
        return look.signs(Text(number) + effect_sentences(s, look, seen)) if seen else Text()

    def execute_line(self, event: OrderLine.Entered) -> None:
        """Find the place or execute the order of the line. A refused order can be recalled and edited."""
        self._view.show_order_line(False)
        text = event.text
        try:
            if not text:
                self._view.dice.put_away()
            elif event.asks == PLACE:
                self._view.map.cursor = self._found(text)
            elif text == "undo":
                self._history.action_undo()
            elif text.casefold() == GARRISON_ALL:
                self.action_garrison_all()
            elif text == "redo":
                self._history.action_redo()
            elif text.startswith(f"{DICE_WORD} "):
                sealed = "Your contribution to the dice is sealed. It is revealed when all players have sealed theirs."
                word = ChooseWord(text.removeprefix(f"{DICE_WORD} "))
                self.screen.carry_out(word, lambda: self.notify(sealed, timeout=6))
            elif text.startswith(f"{SEAT_WORD} "):
                self._sit(name_index(self.session.tables).powers.find(text.removeprefix(f"{SEAT_WORD} ")))
            else:
                orders = [to_notation(self.session, one) for one in split_order(text)]
                self._give_each(orders, lambda: self._view.line.remember(text))
        except Refusal as refusal:
            self.screen.tell(refusal)
            if event.asks == ORDER:
                self._view.line.remember(text)

    def _give_each(self, orders: Sequence[str], refused: Callable[[], object]) -> None:
        """Execute orders until one is refused. Args: the texts; a callback for a refusal."""
        if len(orders) == 1:
            self._give(orders[0], refused)
        elif orders:
            self.screen.act_text(orders[0], lambda: self._give_each(orders[1:], refused), refused)

    def _give(self, text: str, refused: Callable[[], object]) -> None:
        """Execute a typed order; ask for missing parts first. Args: as above."""
        action = self.session.parse_or_none(text)
        orders = home_port_choices(self.session, action) if action is not None else ()
        if not orders:
            self.screen.act_text(text, otherwise=refused)
            return
        names = [place_name(self.session.tables, order.box) for order in orders]
        fleets = " ".join(orders[0].units).upper()
        dialog = PickDialog(f"In which home box does {fleets} stand?", names)
        self.app.ask(dialog, lambda number: self.screen.act(orders[number]))

    def _found(self, text: str) -> str:
        """Return the place for a code, a name or a prefix; of several the first match. Raises: Refusal."""
        found = places_by_code().get(text.upper(), "")
        return found or name_index(self.session.tables).places.find(self._view.line.best(text) or text)

    def _sit(self, seat: str) -> None:
        if seat in self.session.live.players:
            self._seats.action_click(seat)
        else:
            self.notify(f"{power_name(self.session.tables, seat)} has no seat in this game.", severity="warning")


def _reinforcement_line(session: Session, comer: Reinforcement) -> str:
    where = f"new, £{comer.price}" if comer.price else place_name(session.tables, comer.start)
    way = f"{comer.steps} step{'s' * (comer.steps != 1)}" if comer.steps else "by sea"
    bound = "   Indian Army" if comer.indian else "   its only army" if comer.needed else ""
    return f"{comer.unit:<4}{where:<24}{way:<7}{bound}".rstrip()
