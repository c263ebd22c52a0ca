"""Plain mode: the whole game as a line-based dialog, for screen readers, logs and slow links.

`Repl` maps an input line to output lines; it uses no terminal or stream. `run_repl` and `run_game` connect it to
stdin and stdout, which may be pipes. Output has no escape codes and no cursor movement.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path
from shutil import get_terminal_size

from paxtui.cli.plain import help as plain_help
from paxtui.cli.plain import menus, renderers, status
from paxtui.cli.plain.menus import preview_order
from paxtui.cli.plain.prompts import (
    LEAVING,
    LIFT_WORD,
    Curtain,
    LineSource,
    NumberedAnswer,
    NumberedList,
    NumberedOption,
)
from paxtui.cli.plain.renderers import cite_rules, join_names, render_pages, show_talk, strip_symbols, unread_talk_lines
from paxtui.cli.plain.status import NewsCursor, ready_obstacles, standing_key, standing_lines
from paxtui.cli.runtime import clean_line, printable
from paxtui.engine.refusal import Refusal
from paxtui.engine.seating import occupant_label
from paxtui.games.pax.actions.actions import Choose
from paxtui.games.pax.actions.notation import ORDERS
from paxtui.games.pax.menus.legal import legal_actions
from paxtui.games.pax.state.questions import DECLARATION_QUESTIONS
from paxtui.games.pax.text.display import power_name
from paxtui.games.pax.text.parsing import name_index
from paxtui.games.pax.transaction import default_answer
from paxtui.session.ending import game_ending_pages
from paxtui.session.local_session import LocalSession
from paxtui.session.order_planning import GARRISON_ALL, describe_garrisons, plan_garrisons
from paxtui.session.pax_host import PaxHost
from paxtui.session.place_menu import home_port_choices
from paxtui.session.player_news import NewsTracker, acknowledgement, open_undo_request, undo_request_text
from paxtui.session.reference import remedy_of
from paxtui.session.replay import ReplaySession
from paxtui.session.session import ChooseWord, InternalError, SendChat, Session
from paxtui.session.storage.files import StorageError
from paxtui.session.tables.loader import load_rules
from paxtui.session.treaty_suggestions import wish_answer, wish_question

RULES_SHOWN = 12
"""Maximum number of rules that a search prints."""


class Repl:
    """Line-based interface to one open game: `hear` takes a line and returns lines.

    Attributes:
        session: the open game and the active seat.
        over: whether the player entered `quit`.
        curtain: called between two seats that must not see each other's information.
    """

    def __init__(self, session: Session, curtain: Curtain | None = None) -> None:
        self.session = session
        self.over = False
        self.curtain = curtain or Curtain()
        self._ear = NewsCursor(session)
        self._papers = NewsTracker(session)
        self._list = NumberedList()
        self._refused: Refusal | None = None
        self._last_standing: tuple[object, ...] = ()
        self._missing: list[str] = []
        self._previewed = ""
        self._words: dict[str, Callable[[str], list[str]]] = {
            "help": lambda words: plain_help.help_lines(words, self.session),
            "what": self._what,
            "more": lambda words: self._list.more(),
            "show": lambda words: renderers.show_topic(self.session, words),
            "default": self._default,
            "seat": self._seat,
            "sits": self._sits,
            "deals": self._deals,
            "ask": self._ask,
            "suggest": lambda words: status.advice_lines(self.session),
            "reasons": lambda words: status.bot_reasons(self.session),
            "rule": self._rule,
            "why": self._why,
            "glossary": plain_help.glossary_lines,
            "history": self._history,
            "talk": lambda words: show_talk(self.session),
            "say": self._chat_command,
            "ahead": lambda words: status.orders_ahead_lines(self.session, words),
            "word": self._word,
            "begin": self._begin,
            "report": self._again,
            "now": self._now,
            "status": lambda words: self.status(),
            "undo": self._undo,
            "quit": self._quit,
        }

    # --- output ----------------------------------------------------------------------------------------------------

    @property
    def prompt(self) -> str:
        """Prompt with the active seat and the position shown."""
        if self.curtain.down:
            return "curtain> "
        past = "" if self.session.at is None else f" line {self.session.at}"
        return f"{self.session.seat}{past}> "

    def greeting(self) -> list[str]:
        """First lines of a session, after automatic steps."""
        out = ["Pax Britannica, plain mode. 'help' lists the commands, 'what' lists your orders."]
        session = self.session
        out += [f"Game file: {session.file.path}."] if session.file.path else []
        out += [session.file.notice] if session.file.notice else []
        if session.read_only_label:
            only = f"A {session.read_only_label}, read-only."
            return [*out, only, *self.status()]
        if session.begin_notice:
            out.append(f"{session.begin_notice} Enter 'begin' when you are ready.")
        else:
            session.advance()
        if self.curtain.wanted(session):
            if session.seat not in session.waiting():
                session.take_seat(session.seats.next_to_act(session.seat) or session.seat)
            return out + self._change_seat(lambda: [*self._news(), *self._report(), *self.status()])
        return out + self._news() + self._next_seat() + self._report() + self.status()

    def status(self) -> list[str]:
        """State of the game, seats to act, open duties and questions."""
        s = self.session
        self._last_standing = standing_key(s)
        out = standing_lines(s)
        if s.state.result is not None or s.at is not None:
            return out
        self._missing = ready_obstacles(s)
        asked = open_undo_request(s)
        out += [f"{undo_request_text(s)} 'undo {asked.line}' agrees."] if asked else []
        return out + self._missing + self._list.ask(menus.open_questions(s))

    def remote_news(self) -> list[str]:
        """News from other players of a remote game since the last line shown, and whose turn it is."""
        news = self._news()
        if news and standing_key(self.session) != self._last_standing and self.session.at is None:
            news += self._report() + self.status()
        return news

    def _news(self) -> list[str]:
        """All events since the last line shown that the seat may know."""
        return self._ear.news(self.session) + unread_talk_lines(self.session)

    # --- input -----------------------------------------------------------------------------------------------------

    def hear(self, line: str) -> list[str]:
        """Return the output for an input line. Only `quit` ends the program, also after internal errors."""
        text = " ".join(clean_line(line).split()).removeprefix(":").strip()
        try:
            return self._answer(text)
        except Refusal as refusal:
            return self._refusal(text, refusal)
        except BrokenPipeError:
            raise
        except StorageError as error:
            return [f"{error}."]
        except OSError as error:
            return [self.session.describe_failure(error)]
        except InternalError as error:
            return [f"Internal error: {error}", *self._news()]
        except Exception as error:  # an internal error must not end the game
            return [f"Internal error: {type(error).__name__}: {error}", *self._news()]

    def _answer(self, text: str) -> list[str]:
        if self.curtain.down:
            if text.casefold() in LEAVING:
                return self._quit("")
            return self.curtain.lift() if text.casefold() == LIFT_WORD else [self.curtain.asks]
        if not text:
            return self.status()
        if text.replace(",", " ").replace(" ", "").isdecimal():
            text = self._list.meant([int(n[:9]) for n in text.replace(",", " ").split()])
        else:
            text = self._list.named(text, {*self._words, *ORDERS}) or text
        word, _, rest = text.partition(" ")
        word = plain_help.WORD_ALIASES.get(word.casefold(), word.casefold())
        if word == "show" and text.partition(" ")[0].casefold() == "log":
            rest = f"log {rest}"
        if word in self._words:
            return self._words[word](rest.strip())
        if text.casefold() == GARRISON_ALL:
            return self._garrison_all()
        if any(word == c.id for c in self.session.live.choices):
            text = f"choose {text}"
        return self._act(text)

    def _act(self, text: str) -> list[str]:
        """Execute an action of the seat; ask for missing parts, and show a preview before a War is declared.

        Raises:
            Refusal: the action is not allowed.
        """
        s = self.session
        try:
            order = s.parse(text)
        except Refusal as refusal:
            self._previewed = ""
            options = self._incomplete(text) if refusal.code in ("notation", "ambiguous") else None
            if options is None:
                raise
            return self._list.ask(options)
        preview = preview_order(s, order, text) if text != self._previewed else None
        self._previewed = text if preview else ""
        if preview:
            return self._list.ask(preview)
        ports = home_port_choices(s, order) if s.at is None else ()
        choice = s.live.choice(order.id) if isinstance(order, Choose) else None
        try:
            s.act(order)
            if choice is not None and isinstance(choice.about, DECLARATION_QUESTIONS):
                self._acknowledge(choice.seat)
        finally:
            news = self._news()
        return news + menus.port_options(s, ports) + self._after()

    def _acknowledge(self, seat: str) -> None:
        """Answer the questions about a declaration of War that leave the Powers of a seat nothing to decide."""
        while self.session.seat == seat and (order := acknowledgement(self.session)) is not None:
            self.session.act(order)

    def _garrison_all(self) -> list[str]:
        """Send an army to each Area without one; ask first, with the cost. Raises: Refusal."""
        s = self.session
        if s.live.phase != "movement":
            return ["Armies move only in the Movement Phase."]
        plan = plan_garrisons(s)
        lines = describe_garrisons(s, plan).splitlines()
        if not plan.orders:
            return lines or ["All your Areas have armies."]
        if self._previewed != GARRISON_ALL:
            self._previewed = GARRISON_ALL
            option = NumberedOption(f"Send them: {GARRISON_ALL}", GARRISON_ALL, ("yes", "do it"))
            return self._list.ask(NumberedAnswer(lines, (option,), ("Or enter another order.",)))
        self._previewed = ""
        for order in plan.orders:
            s.act(order)
        return self._after()

    def _incomplete(self, text: str) -> NumberedAnswer | None:
        """Possible continuations of an incomplete order."""
        s = self.session
        if s.at is not None:
            return None
        menu = legal_actions(s.tables, s.live, s.seat)
        words = text.rpartition(":")[2].split()
        if words[:1] == ["move"]:
            with suppress(Refusal):
                return menus.move_options(s, menu, text)
        found = menus.orders_beginning(menu, text)
        return found if found.options else None

    def _begin(self, words: str) -> list[str]:
        """Confirm the start of a shared game whose dice are not made yet. Raises: Refusal, OSError."""
        s = self.session
        if not s.begin_notice:
            return ["The game has already begun."]
        s.advance()
        return self._news() + ([s.begin_notice] if s.begin_notice else self._after())

    def _after(self) -> list[str]:
        """After an action: show the news, and change to the next seat if this one is done."""
        s = self.session
        if s.live.result is None and not s.waiting() and not s.read_only_label and not s.begin_notice:
            s.advance()
        out = self._news() + self._next_seat()
        if self.curtain.down:
            return out
        if standing_key(s) != self._last_standing:
            return out + self._report() + self.status()
        self._papers.mark_read(s)
        missing = ready_obstacles(s)
        if missing != self._missing:
            self._missing = missing
            out += missing
        return out + self._list.ask(menus.open_questions(s))

    def _next_seat(self) -> list[str]:
        """Change to the next seat that must act."""
        s = self.session
        seat = s.seats.next_to_act(s.seat)
        if s.seat in s.waiting() or not seat:
            return []
        s.take_seat(seat)
        sits = f"Seat: {power_name(s.tables, seat)}."
        if self.curtain.wanted(s):
            return self._change_seat(lambda: [sits, *self._ear.missed(s), *self._report(), *self.status()])
        return [sits, *self._ear.missed(s), *self._report()]

    def _change_seat(self, behind: LineSource) -> list[str]:
        """Draw the curtain and clear the state of the previous seat: list, rejection and War preview."""
        self._list, self._refused, self._previewed = NumberedList(), None, ""
        return self.curtain.fall(power_name(self.session.tables, self.session.seat), behind)

    def _report(self) -> list[str]:
        """Report pages that the active seat has not seen; at the end of the game, how it was decided."""
        s, pages = self.session, self._papers.unread(self.session)
        if s.live.result is not None and pages:
            pages += game_ending_pages(s)
        return render_pages(s, pages)

    def _again(self, words: str) -> list[str]:
        """Repeat the last report, with newer events; in a finished game, how it was decided."""
        pages = [*game_ending_pages(self.session), *self._papers.again(self.session)]
        return render_pages(self.session, pages) or ["Nothing has happened since you last acted."]

    def _refusal(self, text: str, refusal: Refusal) -> list[str]:
        """A rejection in one line."""
        self._refused = refusal if refusal.rules else self._refused
        if refusal.code == "history":
            return ["Not allowed in the past; 'now' returns to the present."]
        if refusal.rules:
            return [f"Not allowed: {strip_symbols(refusal.message)}{cite_rules(refusal.rules)}"]
        hint, word = "", text.split(" ")[0].rstrip(":").casefold()
        if refusal.code == "notation" and word not in ORDERS and word not in self._words:
            near = plain_help.nearest_word(word)
            if refusal.detail.get("position") == 1 and ":" not in text:
                hint = f"Did you mean '{near}'?" if near else "'help' lists the commands, 'what' your orders."
                return [f"Not understood: '{word[:40]}' is not a command or an order. {hint}"]
        return [f"Not understood: {strip_symbols(refusal.message)}"]

    # --- words ----------------------------------------------------------------------------------------------------

    def _what(self, words: str) -> list[str]:
        """List the seat's legal actions.

        Raises:
            Refusal: `history` in a past position.
        """
        if self.session.at is not None:
            raise Refusal("history", (), "")
        return self._list.ask(menus.what_command(self.session, words))

    def _chat_command(self, words: str) -> list[str]:
        """Send a message to all players. Raises: Refusal, OSError."""
        self.session.perform(SendChat(words))
        return ["Sent to all players."]

    def _word(self, words: str) -> list[str]:
        """Commit the player's secret word for fair dice. Raises: Refusal, OSError."""
        self.session.perform(ChooseWord(words))
        return ["Your word for the dice is sealed. It is revealed when all players have sealed one."]

    def _deals(self, words: str) -> list[str]:
        """List ready-made Treaties with a Power. Raises: Refusal."""
        return self._list.ask(menus.ready_made_treaties(self.session, words))

    def _ask(self, words: str) -> list[str]:
        """Ask a Power what it wants. Raises: Refusal."""
        s = self.session
        partner = menus.find_partner(s, words)
        s.act(wish_question(partner))
        news, answer = self._news(), wish_answer(s, partner)
        return [*news, *([answer] if not any(answer in line for line in news) else [])]

    def _default(self, words: str) -> list[str]:
        """Answer the first question with its default."""
        s = self.session
        mine = [c for c in s.live.choices if c.seat == s.seat]
        if not mine:
            return ["No question is open."]
        return self._act(" ".join(("choose", mine[0].id, *default_answer(mine[0]))))

    def _seat(self, words: str) -> list[str]:
        s = self.session
        tables, players = s.tables, s.seats.here()
        if not words:
            due = s.waiting()
            return self._list.ask(
                NumberedAnswer(
                    ["Which seat?"],
                    tuple(
                        NumberedOption(
                            f"{power_name(tables, p)}, {'must act' if p in due else 'need not act'}",
                            f"seat {p}",
                            (p, power_name(tables, p)),
                        )
                        for p in players
                    ),
                )
            )
        seat = name_index(tables).powers.find(words)
        if s.seats.occupant(seat).is_automatic and seat in s.live.players:
            occupant = occupant_label(s.seats.occupant(seat))
            return [f"At {power_name(tables, seat)} sits {occupant}; the program moves for it."]
        if seat not in players:
            names = join_names([power_name(tables, p) for p in players])
            return [f"{power_name(tables, seat)} has no seat in this game; the seats are {names}."]
        if seat != s.seat and self.curtain.wanted(s):
            s.take_seat(seat)
            return self._change_seat(lambda: [*self._ear.missed(s), *self.status()])
        s.take_seat(seat)
        return self._ear.missed(s) + self.status()

    def _sits(self, words: str) -> list[str]:
        lines = status.seat_command(self.session, words)
        return lines + self._news() if words else lines

    def _rule(self, words: str) -> list[str]:
        if not words:
            return [*plain_help.help_lines("rule"), f"{len(load_rules())} rules."]
        found = renderers.find_rules(words)
        if not found:
            return [f"No rule has '{words[:40]}'. Try fewer words, or an id such as CCB-014."]
        cut = (
            [f"{len(found) - RULES_SHOWN} more rules; add words to narrow the search."]
            if len(found) > RULES_SHOWN
            else []
        )
        return [f"{r.id}: {r.statement}" for r in found[:RULES_SHOWN]] + cut

    def _why(self, words: str) -> list[str]:
        if self._refused is None:
            return ["No order was refused since."]
        rules, remedy = load_rules(), remedy_of(self._refused)
        lines = [f"{name}: {rules[name].statement}" if name in rules else name for name in self._refused.rules]
        return lines + ([f"To make it legal: {remedy}"] if remedy else [])

    def _history(self, words: str) -> list[str]:
        s = self.session
        if not words:
            turns = [f"{e.line} {strip_symbols(e.text)}" for e in s.view.log() if e.kind == "TurnBegan"]
            here = f"Viewing line {s.line} of {s.version}."
            return [here, *turns, "'history N' shows the position after line N."]
        digits = words.lstrip("+-")
        if not digits.isdecimal() or len(digits) > 9 or len(words) - len(digits) > 1:
            raise Refusal("notation", (), f"'history' takes a line from 1 to {s.version}, +N or -N.")
        line = s.line + int(words) if words[0] in "+-" else int(words)
        if not 1 <= line <= s.version:
            raise Refusal("notation", (), f"The log has lines 1 to {s.version}, not {line}.")
        s.look_at(line)
        return [text for _, text in renderers.describe_lines(s, line - 1, line) if line > 1] + self.status()

    def _now(self, words: str) -> list[str]:
        self.session.look_at(None)
        return self.status()

    def _undo(self, words: str) -> list[str]:
        """Undo the last action and change to its seat.

        Raises:
            Refusal: it cannot be undone.
        """
        s = self.session
        if s.at is not None:
            raise Refusal("history", (), "")
        if not words:
            last = s.seats.last_to_act()
            if last and last != s.seat and self.curtain.wanted(s):
                who = power_name(s.tables, last)
                return [f"The last action was {who}'s: 'seat {last}' changes to that seat, then 'undo' works."]
            if last:
                s.take_seat(last)
        return self._act(f"undo {words}".strip())

    def _quit(self, words: str) -> list[str]:
        self.over = True
        trouble = self.session.trouble
        return [f"{trouble}." if trouble else "Everything is saved."]


def completions(talk: Repl, text: str) -> list[str]:
    """Return complete lines that start with `text`: commands first, then legal orders."""
    if talk.curtain.down:
        return []
    words = [w + " " for w in (*plain_help.WORD_HELP, *ORDERS) if w.startswith(text.casefold())]
    if " " not in text or talk.session.at is not None:
        return words
    menu = legal_actions(talk.session.tables, talk.session.live, talk.session.seat)
    return [t for t in menu.texts() if t.startswith(text.casefold())][:200]


LONGEST_LINE = 100_000
"""Maximum characters of an input line; the rest counts as the next line."""


def run_repl(session: Session, lines: Iterable[str], write: Callable[[str], None]) -> Repl:
    """Run the dialog until the input ends or `quit` is entered. Echo each input line after the prompt.

    Args:
        session: the open game.
        lines: input lines.
        write: writes text, including newlines.
    """
    talk = Repl(session)
    for text in talk.greeting():
        write(clean_line(text) + "\n")
    typed = iter(lines)
    while not talk.over:
        write(clean_line(talk.prompt))
        line = next(typed, None)
        if line is None:
            write("\n")
            break
        write(clean_line(line).strip() + "\n")
        for text in talk.hear(line):
            write(clean_line(text) + "\n")
    return talk


def run_game(path: Path, replay: bool = False) -> int:
    """Play a saved game in plain mode on stdin and stdout; the exit code is 1 if the file was lost during the game.

    Args: the file; whether to open it read-only.

    Raises: BrokenLog, FileLocked, OSError: the log cannot be used.
    """
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, TextIOWrapper):
            with suppress(ValueError, OSError):
                stream.reconfigure(errors="replace")
    if replay:
        _run_on_stdin(ReplaySession(path))
        return 0
    with PaxHost.open(path) as table:
        talk = _run_on_stdin(LocalSession(table))
        if table.trouble and not talk.over:  # otherwise already printed
            _print_line(f"{table.trouble}.")
        return 1 if table.trouble else 0


def _run_on_stdin(session: Session) -> Repl:
    if sys.stdin.isatty() and sys.stdout.isatty():
        with interruptible_input():
            return _at_a_terminal(session)
    return run_repl(session, iter(lambda: sys.stdin.readline(LONGEST_LINE), ""), _print_text)


def _print_text(text: str) -> None:
    """Print text without buffering."""
    sys.stdout.write(printable(text, sys.stdout.encoding or "ascii"))
    sys.stdout.flush()


def _print_line(line: str) -> None:
    """Print a line without buffering."""
    _print_text(clean_line(line) + "\n")


def _at_a_terminal(session: Session) -> Repl:
    """Input lines with editing, history and completion if readline exists; Ctrl+C drops a line, Ctrl+D leaves."""
    talk = Repl(session, Curtain(lambda: get_terminal_size().lines, _clear_history))
    with suppress(ImportError):
        _editing(talk)
    for text in talk.greeting():
        _print_line(text)
    while not talk.over:
        try:
            line = input(clean_line(talk.prompt))
        except EOFError:
            _print_line("")
            break
        except KeyboardInterrupt:
            _print_line("")
            _print_line("'quit' leaves.")
            continue
        for text in talk.hear(line):
            _print_line(text)
    return talk


def _clear_history() -> None:
    """Clear the input history, so that the next player cannot recall it."""
    with suppress(ImportError):
        import readline

        readline.clear_history()


WAKE_UP_DELAYS_S = (0.05, 0.2, 0.5, 1.0)
"""Seconds between a signal and the repeated signals that interrupt the wait for input."""


@contextmanager
def interruptible_input() -> Iterator[None]:
    """Let a signal end the wait for a key at any time.

    Python's readline handles a signal only if it interrupts the wait. A signal just before the wait would be handled
    after the next key, so a thread repeats it.
    """
    heard, tell = os.pipe()
    os.set_blocking(tell, False)
    before = signal.signal(signal.SIGURG, lambda number, frame: None)
    signal.set_wakeup_fd(tell, warn_on_full_buffer=False)
    listener = threading.current_thread().ident or 0

    def knock() -> None:
        while number := os.read(heard, 1):
            if number[0] != signal.SIGURG:
                for seconds in WAKE_UP_DELAYS_S:
                    time.sleep(seconds)
                    signal.pthread_kill(listener, signal.SIGURG)
        os.close(heard)

    threading.Thread(target=knock, daemon=True).start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(-1)
        os.close(tell)
        signal.signal(signal.SIGURG, before)


def _editing(talk: Repl) -> None:
    """Enable line editing without the escape codes that readline sends by default."""
    import readline

    for setting in ("enable-bracketed-paste off", "enable-meta-key off", "bell-style none"):
        readline.parse_and_bind(f"set {setting}")
    apple = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if apple else "tab: complete")
    readline.set_completer_delims("")
    found: list[str] = []

    def complete(text: str, state: int) -> str | None:
        if state == 0:
            found[:] = map(clean_line, completions(talk, text))
        return found[state] if state < len(found) else None

    readline.set_completer(complete)
