"""The conversation of the plain mode: a line comes in, lines go out. It knows no terminal and no stream."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from paxtui.cli.outward.outlet import clean
from paxtui.cli.plain import help as plain_help
from paxtui.cli.plain import show as plain_show
from paxtui.cli.plain import sitting
from paxtui.cli.plain import what as plain_what
from paxtui.cli.plain.curtain import HERE, LEAVING, Curtain, Told
from paxtui.cli.plain.foretold import foretold
from paxtui.cli.plain.news import Ear
from paxtui.cli.plain.numbered import Answer, Numbered, Option
from paxtui.cli.plain.standing import before_ready, situation, standing
from paxtui.cli.plain.told.reports import read_out
from paxtui.cli.plain.told.talk import heard, show_talk
from paxtui.cli.plain.told.text import listed, spoken
from paxtui.engine.refusal import Refusal
from paxtui.pax.legal import legal
from paxtui.pax.orders.notation import VERBS, text_of
from paxtui.pax.orders.seating import sitter_words
from paxtui.pax.play.choices import default_of
from paxtui.pax.words.names import index
from paxtui.pax.words.spoken import power_name
from paxtui.table.desk.garrisons import GARRISON_ALL, describe_garrisons, plan_garrisons
from paxtui.table.desk.news import News
from paxtui.table.desk.tasks import open_request, undo_asked
from paxtui.table.desk.unsaid import ports
from paxtui.table.disk.files import StoreError
from paxtui.table.reference.remedies import remedy_of
from paxtui.table.session import Mistake, Session
from paxtui.table.tables import load_rules

MOST_RULES = 12
"""Rules that a search reads at once."""


class Conversation:
    """One open game, told and asked in lines. Knows nothing of terminals: `hear` takes a line and gives lines.

    Attributes:
        session: the open game and who sits at the keyboard.
        over: whether `quit` was said.
        curtain: what falls between two seats that have secrets of each other.
    """

    def __init__(self, session: Session, curtain: Curtain | None = None) -> None:
        self.session = session
        self.over = False
        self.curtain = curtain or Curtain()
        self._ear = Ear(session)
        self._papers = News(session)
        self._list = Numbered()
        self._refused: Refusal | None = None
        self._said: tuple[object, ...] = ()
        self._missing: list[str] = []
        self._foretold = ""
        self._words: dict[str, Callable[[str], list[str]]] = {
            "help": lambda words: plain_help.help_lines(words, self.session),
            "what": self._what,
            "more": lambda words: self._list.more(),
            "show": lambda words: plain_show.show(self.session, words),
            "default": self._default,
            "seat": self._seat,
            "sits": self._sits,
            "suggest": lambda words: sitting.advice(self.session),
            "reasons": lambda words: sitting.reasons(self.session),
            "rule": self._rule,
            "why": self._why,
            "glossary": plain_help.glossary_lines,
            "history": self._history,
            "talk": lambda words: show_talk(self.session),
            "say": self._say,
            "word": self._word,
            "begin": self._begin,
            "report": self._again,
            "now": self._now,
            "status": lambda words: self.status(),
            "undo": self._undo,
            "quit": self._quit,
        }

    # --- what is said ---------------------------------------------------------------------------------------------

    @property
    def prompt(self) -> str:
        """Who is asked, and which moment is looked at."""
        if self.curtain.down:
            return "curtain> "
        past = "" if self.session.at is None else f" line {self.session.at}"
        return f"{self.session.seat}{past}> "

    def greeting(self) -> list[str]:
        """The first lines of a session; what is automatic is played on before."""
        out = ["Pax Britannica, line by line. 'help' lists the words, 'what' says what you can do."]
        session = self.session
        out += [f"The game is kept in {session.about.file}."] if session.about.file else []
        out += [session.notice] if session.notice else []
        if session.reading:
            only = f"A {session.reading}: it can be looked at, and nothing in it can be changed."
            return [*out, only, *self.status()]
        if session.before_begin:
            out.append(f"{session.before_begin} Type 'begin' when you are ready.")
        else:
            session.advance()
        if self.curtain.wanted(session):
            if session.seat not in session.waiting():
                session.take_seat(session.next_seat(session.seat) or session.seat)
            return out + self._sit_down(lambda: [*self._news(), *self._report(), *self.status()])
        return out + self._news() + self._next_seat() + self._report() + self.status()

    def status(self) -> list[str]:
        """Where the game stands, who must act, what is missing, what is asked."""
        s = self.session
        self._said = situation(s)
        out = standing(s)
        if s.state.result is not None or s.at is not None:
            return out
        self._missing = before_ready(s)
        asked = open_request(s)
        out += [f"{undo_asked(s)} 'undo {asked.line}' agrees."] if asked else []
        return out + self._missing + self._list.ask(plain_what.questions(s))

    def overheard(self) -> list[str]:
        """What others have done since the last line told, at a table that is kept elsewhere; whose turn it is now."""
        told = self._news()
        if told and situation(self.session) != self._said and self.session.at is None:
            told += self._report() + self.status()
        return told

    def _news(self) -> list[str]:
        """Everything that has happened since the last line told, as far as the seat may know it."""
        return self._ear.news(self.session) + heard(self.session)

    # --- what is heard --------------------------------------------------------------------------------------------

    def hear(self, line: str) -> list[str]:
        """The answer to a line, whatever it is; nothing that is typed ends the program but `quit`."""
        text = " ".join(clean(line).split()).removeprefix(":").strip()
        try:
            return self._answer(text)
        except Refusal as refusal:
            return self._refusal(text, refusal)
        except BrokenPipeError:
            raise
        except StoreError as error:
            return [f"{error}."]
        except OSError as error:
            return [self.session.describe_failure(error)]
        except Mistake as error:
            return [f"A mistake of the program: {error}", *self._news()]
        except Exception as error:  # our own mistake must not cost the player the game
            return [f"A mistake of the program: {type(error).__name__}: {error}", *self._news()]

    def _answer(self, text: str) -> list[str]:
        if self.curtain.down:
            if text.casefold() in LEAVING:
                return self._quit("")
            return self.curtain.lift() if text.casefold() == HERE else [self.curtain.asks]
        if not text:
            return self.status()
        if text.replace(",", " ").replace(" ", "").isdecimal():
            text = self._list.meant([int(n[:9]) for n in text.replace(",", " ").split()])
        else:
            text = self._list.named(text, {*self._words, *VERBS}) or text
        word, _, rest = text.partition(" ")
        word = plain_help.SAME.get(word.casefold(), word.casefold())
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
        """Let the seat act; an order that is not complete is asked for, and a War is told before it is declared.

        Raises: Refusal.
        """
        s = self.session
        told = foretold(s, text) if text != self._foretold else None
        self._foretold = text if told else ""
        if told:
            return self._list.ask(told)
        orders = ports(s, text) if s.at is None else ()
        try:
            s.act(text)
        except Refusal as refusal:
            asked = self._incomplete(text) if refusal.code in ("notation", "ambiguous") else None
            if asked is None:
                raise
            return self._list.ask(asked)
        finally:
            news = self._news()
        return news + plain_what.other_ports(s, orders) + self._after()

    def _garrison_all(self) -> list[str]:
        """Send an army to each Area that lacks one; the first time, say what that costs and ask. Raises: Refusal."""
        s = self.session
        if s.live.phase != "movement":
            return ["Armies move in the Movement Phase only."]
        plan = plan_garrisons(s)
        said = describe_garrisons(s, plan).splitlines()
        if not plan.orders:
            return said or ["No Area of yours lacks an army."]
        if self._foretold != GARRISON_ALL:
            self._foretold = GARRISON_ALL
            option = Option(f"Do it: {GARRISON_ALL}", GARRISON_ALL, ("yes", "do it"))
            return self._list.ask(Answer(said, (option,), ("Or say something else.",)))
        self._foretold = ""
        for order in plan.orders:
            s.act(text_of(s.tables, order))
        return self._after()

    def _incomplete(self, text: str) -> Answer | None:
        """What an order that is not complete could go on with."""
        s = self.session
        if s.at is not None:
            return None
        menu = legal(s.tables, s.live, s.seat)
        words = text.rpartition(":")[2].split()
        if words[:1] == ["move"]:
            with suppress(Refusal):
                return plain_what.moving(s, menu, text)
        found = plain_what.beginning(menu, text)
        return found if found.options else None

    def _begin(self, words: str) -> list[str]:
        """Be ready to begin, at a shared table whose dice are not made. Raises: Refusal, OSError."""
        s = self.session
        if not s.before_begin:
            return ["The game has begun already."]
        s.advance()
        return self._news() + ([s.before_begin] if s.before_begin else self._after())

    def _after(self) -> list[str]:
        """After an act: the next seat when this one has nothing more to do, and what is new for it."""
        s = self.session
        if s.live.result is None and not s.waiting() and not s.reading and not s.before_begin:
            s.advance()
        out = self._news() + self._next_seat()
        if self.curtain.down:
            return out
        if situation(s) != self._said:
            return out + self._report() + self.status()
        self._papers.heard(s)
        missing = before_ready(s)
        if missing != self._missing:
            self._missing = missing
            out += missing
        return out + self._list.ask(plain_what.questions(s))

    def _next_seat(self) -> list[str]:
        """The next seat that is waited for sits down."""
        s = self.session
        seat = s.next_seat(s.seat)
        if s.seat in s.waiting() or not seat:
            return []
        s.take_seat(seat)
        sits = f"{power_name(s.tables, seat)} sits down."
        if self.curtain.wanted(s):
            return self._sit_down(lambda: [sits, *self._ear.missed(s), *self._report(), *self.status()])
        return [sits, *self._ear.missed(s), *self._report()]

    def _sit_down(self, told: Told) -> list[str]:
        """The curtain falls; with the last seat go its list, its refusal, and what it was told of a War."""
        self._list, self._refused, self._foretold = Numbered(), None, ""
        return self.curtain.fall(self.session, told)

    def _report(self) -> list[str]:
        """The pages that the seat at the keyboard has not heard yet."""
        return read_out(self.session, self._papers.unread(self.session))

    def _again(self, words: str) -> list[str]:
        """The last report once more, with what has come since."""
        pages = self._papers.again(self.session)
        return read_out(self.session, pages) or ["Nothing has happened since you last acted."]

    def _refusal(self, text: str, refusal: Refusal) -> list[str]:
        """A refusal in one line."""
        self._refused = refusal if refusal.rules else self._refused
        if refusal.code == "history":
            return ["Not allowed: you look at the past; 'now' returns to the present."]
        if refusal.rules:
            return [f"Not allowed: {spoken(refusal.message)} [{', '.join(refusal.rules)}]"]
        hint, word = "", text.split(" ")[0].rstrip(":").casefold()
        if refusal.code == "notation" and word not in VERBS and word not in self._words:
            near = plain_help.nearest(word)
            if refusal.detail.get("position") == 1 and ":" not in text:
                hint = f"Did you mean '{near}'?" if near else "'help' lists the words, 'what' what you can do."
                return [f"Not understood: '{word[:40]}' is no order and no word. {hint}"]
        return [f"Not understood: {spoken(refusal.message)}"]

    # --- words ----------------------------------------------------------------------------------------------------

    def _what(self, words: str) -> list[str]:
        """What the seat can do now; the past can only be read.

        Raises: Refusal.
        """
        if self.session.at is not None:
            raise Refusal("history", (), "")
        return self._list.ask(plain_what.what(self.session, words))

    def _say(self, words: str) -> list[str]:
        """Say something to everybody at the table. Raises: Refusal, OSError."""
        self.session.say(words)
        return ["Said to everybody at the table."]

    def _word(self, words: str) -> list[str]:
        """Seal a word of the player's own for fair dice. Raises: Refusal, OSError."""
        self.session.choose_word(words)
        return ["Your word for the dice is sealed; it is told when everybody has sealed one."]

    def _default(self, words: str) -> list[str]:
        """Answer the first question with its default."""
        s = self.session
        mine = [c for c in s.live.choices if c.seat == s.seat]
        if not mine:
            return ["No question is open."]
        return self._act(" ".join(("choose", mine[0].id, *default_of(mine[0]))))

    def _seat(self, words: str) -> list[str]:
        s = self.session
        tables, players = s.tables, s.seats_here()
        if not words:
            due = s.waiting()
            return self._list.ask(
                Answer(
                    ["Who sits down?"],
                    tuple(
                        Option(
                            f"{power_name(tables, p)}, {'must act' if p in due else 'need not act'}",
                            f"seat {p}",
                            (p, power_name(tables, p)),
                        )
                        for p in players
                    ),
                )
            )
        seat = index(tables).powers.find(words)
        if s.sitter(seat).plays_itself and seat in s.live.players:
            return [f"At {power_name(tables, seat)} sits {sitter_words(s.sitter(seat))}; the table moves it."]
        if seat not in players:
            names = listed([power_name(tables, p) for p in players])
            return [f"{power_name(tables, seat)} has no seat in this game; the seats are {names}."]
        if seat != s.seat and self.curtain.wanted(s):
            s.take_seat(seat)
            return self._sit_down(lambda: [*self._ear.missed(s), *self.status()])
        s.take_seat(seat)
        return self._ear.missed(s) + self.status()

    def _sits(self, words: str) -> list[str]:
        said = sitting.sits(self.session, words)
        return said + self._news() if words else said

    def _rule(self, words: str) -> list[str]:
        if not words:
            return [*plain_help.help_lines("rule"), f"{len(load_rules())} rules."]
        found = plain_show.find_rules(words)
        if not found:
            return [f"No rule has '{words[:40]}'; try fewer words, or an id such as CCB-014."]
        cut = [f"{len(found) - MOST_RULES} more rules; name more words."] if len(found) > MOST_RULES else []
        return [f"{r.id}: {r.statement}" for r in found[:MOST_RULES]] + cut

    def _why(self, words: str) -> list[str]:
        if self._refused is None:
            return ["No rule has refused anything since."]
        rules, remedy = load_rules(), remedy_of(self._refused)
        told = [f"{name}: {rules[name].statement}" if name in rules else name for name in self._refused.rules]
        return told + ([f"What would make it legal: {remedy}"] if remedy else [])

    def _history(self, words: str) -> list[str]:
        s = self.session
        if not words:
            turns = [f"{e.line} {spoken(e.text)}" for e in s.log() if e.kind == "TurnBegan"]
            here = f"You look at line {s.line} of {s.version}."
            return [here, *turns, "'history N' looks at the position after line N."]
        digits = words.lstrip("+-")
        if not digits.isdecimal() or len(digits) > 9 or len(words) - len(digits) > 1:
            raise Refusal("notation", (), f"'history' takes a line from 1 to {s.version}, or +N or -N.")
        line = s.line + int(words) if words[0] in "+-" else int(words)
        if not 1 <= line <= s.version:
            raise Refusal("notation", (), f"The log has lines 1 to {s.version}, and no line {line}.")
        s.look_at(line)
        return [text for _, text in plain_show.lines_told(s, line - 1, line) if line > 1] + self.status()

    def _now(self, words: str) -> list[str]:
        self.session.look_at(None)
        return self.status()

    def _undo(self, words: str) -> list[str]:
        """Take back the last act of whoever made it; that seat sits down.

        Raises: Refusal.
        """
        s = self.session
        if s.at is not None:
            raise Refusal("history", (), "")
        if not words:
            last = s.last_to_act()
            if last and last != s.seat and self.curtain.wanted(s):
                who = power_name(s.tables, last)
                return [f"The last act was {who}'s: 'seat {last}' sits down there, and 'undo' takes it back."]
            if last:
                s.take_seat(last)
        return self._act(f"undo {words}".strip())

    def _quit(self, words: str) -> list[str]:
        self.over = True
        trouble = self.session.trouble
        return [f"{trouble}." if trouble else "Everything is saved."]


def completions(talk: Conversation, text: str) -> list[str]:
    """Whole lines that begin like `text`: words first, then everything that is legal now."""
    if talk.curtain.down:
        return []
    words = [w + " " for w in (*plain_help.WORDS, *VERBS) if w.startswith(text.casefold())]
    if " " not in text or talk.session.at is not None:
        return words
    menu = legal(talk.session.tables, talk.session.live, talk.session.seat)
    return [t for t in menu.texts() if t.startswith(text.casefold())][:200]
