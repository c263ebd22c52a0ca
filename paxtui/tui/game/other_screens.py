"""Other screens over the game: diplomacy, Congress, record sheet, charts, rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from paxtui.engine.log import BrokenLog
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.games.pax.menus.treaties import congress_calls
from paxtui.games.pax.preview import peace
from paxtui.games.pax.text.display import power_name
from paxtui.session.orders_ahead import AheadOutcome, describe_ahead_outcome
from paxtui.session.storage.files import StorageError, describe_error, typed_path
from paxtui.tui.base.dialogs import InputDialog, PickDialog
from paxtui.tui.base.playing import SessionScreen
from paxtui.tui.formatting.reports import effect_sentences
from paxtui.tui.game.controller import Controller
from paxtui.tui.reference_screens.record import RecordScreen
from paxtui.tui.reference_screens.reference import GlossaryScreen, RulesScreen
from paxtui.tui.rendering.prepared_screens import ScreenRecipe

# Screens of diplomacy and charts are imported on first use: a faster start, and less memory for a client.
if TYPE_CHECKING:
    from paxtui.tui.diplomacy.messages import DispatchScreen
    from paxtui.tui.diplomacy.treaties import TreatyScreen
    from paxtui.tui.reference_screens.statistics import StatisticsScreen


class ScreenController(Controller):
    """Opens the other screens of a game."""

    def __init__(self, screen: SessionScreen[None]) -> None:
        super().__init__(screen)
        self._outcomes: dict[str, tuple[AheadOutcome, ...]] = {}

    def reference_recipes(self) -> tuple[ScreenRecipe[None], ...]:
        """Return how the record sheet, the charts and the rules are shown."""
        return self._sheet_recipe(), self._statistics_recipe(), self._rules_recipe(), self._glossary_recipe()

    def treaties_recipe(self, chosen: str = "") -> ScreenRecipe[None]:
        """Return how the treaties of the seat are shown. Args: the selected treaty, "" for the first one."""

        def make() -> TreatyScreen:
            from paxtui.tui.diplomacy.treaties import TreatyScreen

            return TreatyScreen(self.session, chosen)

        return ScreenRecipe("treaties", make, (self.screen.moment, chosen))

    def dispatches_recipe(self) -> ScreenRecipe[None]:
        """Return how the dispatches of the seat are shown."""

        def make() -> DispatchScreen:
            from paxtui.tui.diplomacy.messages import DispatchScreen

            return DispatchScreen(self.session)

        return ScreenRecipe("dispatches", make, self.screen.moment)

    def _sheet_recipe(self) -> ScreenRecipe[None]:
        return ScreenRecipe("sheet", partial(RecordScreen, self.session), self.screen.moment)

    def _statistics_recipe(self) -> ScreenRecipe[None]:
        def make() -> StatisticsScreen:
            from paxtui.tui.reference_screens.statistics import StatisticsScreen

            return StatisticsScreen(self.session)

        return ScreenRecipe("statistics", make, self.screen.moment)

    def _rules_recipe(self) -> ScreenRecipe[None]:
        return ScreenRecipe("rules", RulesScreen, self.screen.moment)  # it lists the lines of the log for each rule

    def _glossary_recipe(self) -> ScreenRecipe[None]:
        return ScreenRecipe("glossary", GlossaryScreen)

    def action_treaties(self, chosen: str = "") -> None:
        self.app.open_screen(self.treaties_recipe(chosen))

    def action_peace(self) -> None:
        """Open the peace offers to the seat; without any, draft one."""
        from paxtui.tui.diplomacy.peace import PeaceOffersScreen, PeaceScreen

        s = self.session
        at_war = ((p, war) for p in s.powers() for war in peace.wars_to_end(s.tables, s.live, p))
        power, war = next(at_war, ("", None))
        if war is None:
            self.notify("You fight no War that an agreement could end. [WEN-036]", timeout=4)
        elif peace.proposed_treaties(s.live, power):
            self.app.push_screen(PeaceOffersScreen(s, war, power))
        else:
            self.app.push_screen(PeaceScreen(s, war, power))

    def action_congress(self) -> None:
        """Open the Congress; before there is one, propose it."""
        s = self.session
        if s.state.congress is not None:
            from paxtui.tui.diplomacy.congress import CongressScreen

            self.app.push_screen(CongressScreen(s))
            return
        calls = list(congress_calls(s.tables, s.live, s.seat))
        if not calls:
            self.notify("Only the holder of a Casus Belli may call a Congress, in the Negotiation Phase. [CON-001]")
            return

        def called() -> None:
            ready = self.app.key_of("game.ready", "r")
            texts = [entry.text for entry in self.session.view.log()[-2:]]
            self.notify("\n".join([*texts, f"It meets when all are ready ({ready})."]), title="Congress", timeout=8)

        names = [power_name(s.tables, call.site) for call in calls]
        seen = [s.preview(call) for call in calls]
        brings = ["" if isinstance(one, Refusal) else effect_sentences(s, self.look, one).plain for one in seen]
        dialog = PickDialog("Where shall the Congress of Europe meet?", names, more=brings)
        self.app.ask(dialog, lambda number: self.screen.act(calls[number], then=called))

    def action_dispatches(self) -> None:
        self.app.open_screen(self.dispatches_recipe())

    def action_orders_ahead(self) -> None:
        if self.session.orders_ahead is None or self.session.read_only_label:
            self.notify("Only players can leave orders ahead.", timeout=4)
            return
        from paxtui.tui.diplomacy.orders_ahead import OrdersAheadScreen

        self.app.push_screen(OrdersAheadScreen(self.session))

    def report_orders_ahead(self) -> None:
        """Report what became of orders ahead since the last call, unless their own screen shows it."""
        seat, orders = self.session.seat, self.session.orders_ahead
        known, now = self._outcomes.get(seat), orders.outcomes if orders is not None else ()
        self._outcomes[seat] = now
        if known is None or known == now or not self.is_in_front:
            return
        new = now[len(known) :] if now[: len(known)] == known else now[-1:]
        texts = [describe_ahead_outcome(self.session.tables, outcome) for outcome in new]
        self.notify("\n".join(texts[-3:]), title="Orders ahead", timeout=8)

    def action_talk(self) -> None:
        if not (self.session.chat.can_write or self.session.chat.lines):
            self.notify("Chat is only available in games with several players on a server.", timeout=4)
            return
        from paxtui.tui.diplomacy.messages import ChatScreen

        self.app.push_screen(ChatScreen(self.session))

    def action_sheet(self) -> None:
        self.app.open_screen(self._sheet_recipe())

    def action_statistics(self) -> None:
        self.app.open_screen(self._statistics_recipe())

    def action_share(self) -> None:
        """Ask which view of the game to share, and where to write the page; then write it."""
        log, write = self.session.log_path, self.app.share_page
        if log is None or write is None:
            text = "Only a game with its log on this computer can be shared. A server sends it: ssh HOST export GAME."
            self.notify(text, severity="warning", timeout=8)
            return
        views = list(self._shared_views())

        def ask(viewpoint: str) -> None:
            page = Path.cwd() / f"{log.stem}.html"
            title = "Write the page to this file"
            self.app.ask(InputDialog(title, str(page), _page_problem), lambda name: written(viewpoint, name))

        def written(viewpoint: str, name: str) -> None:
            self._write_page(lambda page: write(log, viewpoint, page, self.session.study_path), typed_path(name))

        if len(views) == 1:
            ask(views[0][0])
        else:
            names, notes = [name for _, name, _ in views], [note for _, _, note in views]
            self.app.ask(PickDialog("Share this game as", names, more=notes), lambda number: ask(views[number][0]))

    def _shared_views(self) -> Iterator[tuple[str, str, str]]:
        """Return the views that can be shared: viewpoint, name and note."""
        s = self.session
        over, seen = s.live.result is not None, s.view.viewpoint
        yield SPECTATOR, "every player could see it", "No secret Treaty, hidden article or dispatch is in the page."
        if s.read_only_label and seen in s.live.players:
            warning = "" if over else " The game is not over: show the page to no other player."
            name = power_name(s.tables, seen)
            yield seen, f"{name} saw it", f"The page contains what {name} knows.{warning}"
        if over:
            yield ARBITER, "it was, with all secrets", "The page contains secret Treaties and all dispatches."

    def _write_page(self, write: Callable[[Path], int], page: Path) -> None:
        """Write the page in the background."""

        def run() -> None:
            try:
                left_out = write(page)
            except (BrokenLog, Refusal, OSError) as error:
                text = f"The page was not written: {describe_error(error).rstrip('.')}."
                self.app.call_from_thread(self.notify, text, title="Share", severity="error", timeout=10)
            else:
                text = f"Written: {page}. Open it in a browser, or send it."
                if left_out:
                    text += f" {left_out} comment{'s' * (left_out > 1)} left out: about things not on the page."
                self.app.call_from_thread(self.notify, text, title="Share", timeout=10)

        self.notify("Writing the page…", timeout=3)
        self.screen.run_worker(run, thread=True, group="share", exclusive=True)

    def action_rules(self) -> None:
        self.app.open_screen(self._rules_recipe())

    def action_glossary(self) -> None:
        self.app.open_screen(self._glossary_recipe())


def _page_problem(name: str) -> str:
    """Return what is wrong with the file name of a page, "" for nothing."""
    try:
        path = typed_path(name.strip())
    except StorageError as error:
        return f"{error}."
    return "" if path.suffix == ".html" else "The file name must end in .html."
