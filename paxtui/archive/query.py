"""The query line of the archive: "japan holds korea by 1892 and not great war".

A query is a list of conditions joined by `and` and `or`; `and` binds tighter. `not` or `no` before a condition reverses
it. `FORMS` has the conditions: each is a row of words and places for names, with the SQL that it means. Parser,
completion, error messages and help use the same rows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from difflib import get_close_matches
from typing import Any, NamedTuple

from paxtui.archive.index import Archive
from paxtui.archive.log_facts import CONGRESS, GREAT_WAR, OTTOMAN_WAR, REBELLION, WAR
from paxtui.engine.refusal import Refusal
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.text.display import join_with_or
from paxtui.games.pax.text.parsing import fold_name, shorten
from paxtui.session.place_names import OTHER_NAMES
from paxtui.session.storage.saved_games import FIRST_YEAR, YEARS_PER_TURN

LONGEST = 1000
"""Maximum length of a query in characters."""
MOST_CONDITIONS = 40
LAST_YEAR = 1930
LONGEST_NAME = 5
"""Maximum number of words of a name."""
MOST_NAMED = 12
"""Maximum number of possible words that a message lists; of more it gives an example."""

EXAMPLES = ("japan holds korea by 1892", "winner italy and no war", "great war before 1900")
"""Queries that messages, help and screen show."""

OTHER_POWERS = {
    "Austria": "austria_hungary",
    "America": "united_states",
    "England": "britain",
    "UK": "britain",
    "USA": "united_states",
}
"""Other names of Powers that a query may contain."""
FILLERS = ("all", "game", "games", "of", "where", "with")
"""Words that mean nothing before a condition."""

AND, OR, NOT = ("and", ","), ("or",), ("not", "no", "without")


class Condition(NamedTuple):
    """A condition on the table `games`, and its values."""

    where: str
    values: tuple[Any, ...] = ()


class Vocabulary(NamedTuple):
    """The names that a query may contain, by display name. Completion does not offer `aliases`, other names by kind."""

    powers: dict[str, str]
    areas: dict[str, str]
    players: dict[str, str]
    scenarios: dict[str, str]
    options: dict[str, str]
    aliases: dict[str, dict[str, str]] = {}


class Suggestion(NamedTuple):
    """A possible next word of a query; `fills` is the whole line with it."""

    word: str
    fills: str


def load_vocabulary(tables: Tables, archive: Archive) -> Vocabulary:
    """Return the names of the game's tables and of the indexed games."""
    players = (row[0] for row in archive.rows("SELECT DISTINCT player FROM seats WHERE player > '' ORDER BY player"))
    scenarios = (row[0] for row in archive.rows("SELECT DISTINCT scenario FROM games WHERE scenario > ''"))
    named = archive.rows(
        "SELECT DISTINCT key FROM (SELECT DISTINCT options FROM games), json_each(options) ORDER BY key"
    )
    return Vocabulary(
        powers={**{one.name: one.id for one in tables.powers.values()}, "Britain": "britain"},
        areas={one.name: one.id for one in tables.areas.values()},
        players={name: name for name in players},
        scenarios={name: name for name in scenarios},
        options={row[0]: row[0] for row in named},
        aliases={
            "power": {name: id_ for name, id_ in OTHER_POWERS.items() if id_ in tables.powers},
            "area": {name: area for area, names in OTHER_NAMES.items() if area in tables.areas for name in names},
        },
    )


# --- conditions -------------------------------------------------------------------------------------------------------

Values = dict[str, Any]
When = tuple[str, int]


def _in(table: str, *conditions: str) -> str:
    return f"id IN (SELECT game FROM {table} WHERE {' AND '.join(conditions)})"


def _turn_of(year: int) -> int:
    """Return the Game Turn that covers a year."""
    return (year - FIRST_YEAR) // YEARS_PER_TURN + 1


def _turns(when: When | None) -> tuple[str, tuple[int, ...]]:
    """Return a condition on a column `turn`, and its values."""
    if when is None:
        return "1", ()
    word, year = when
    if word == "before":
        return "turn <= ?", (_turn_of(year - 1),)
    sign = {"by": "<=", "after": ">", "in": "="}[word]
    return f"turn {sign} ?", (_turn_of(year),)


def _holds(v: Values) -> Condition:
    when: When | None = v["when"]
    values: tuple[Any, ...] = (v["area"], v["power"])
    if when is None:
        return Condition(_in("control", "area = ?", "power = ?", "last = 0"), values)
    word, year = when
    turn = _turn_of(year - 1 if word == "before" else year)
    if word in ("by", "before"):
        return Condition(_in("control", "area = ?", "power = ?", "first <= ?"), (*values, turn))
    if word == "in":
        where = _in("control", "area = ?", "power = ?", "first <= ?", "(last = 0 OR last > ?)")
        return Condition(f"turn >= ? AND {where}", (turn, *values, turn, turn))
    where = _in("control", "area = ?", "power = ?", "(last = 0 OR last > ?)")
    return Condition(f"turn > ? AND {where}", (turn, *values, turn))


def _changes(column: str) -> Callable[[Values], Condition]:
    def condition(v: Values) -> Condition:
        turns, values = _turns(v["when"])
        where = _in("control", "area = ?", "power = ?", f"{column} > 0", turns.replace("turn", column))
        return Condition(where, (v["area"], v["power"], *values))

    return condition


def _opens(v: Values) -> Condition:
    return Condition(_in("placements", "power = ?", "area = ?"), (v["power"], v["area"]))


def _wins(v: Values) -> Condition:
    return Condition(_in("seats", "seat = ?", "rank = 1"), (v["power"],))


def _ranks(v: Values) -> Condition:
    return Condition(_in("seats", "seat = ?", "rank = ?"), (v["power"], v["number"]))


def _scores(v: Values) -> Condition:
    return Condition(_in("seats", "seat = ?", "total >= ?"), (v["power"], v["number"]))


def _happens(*kinds: str) -> Callable[[Values], Condition]:
    def condition(v: Values) -> Condition:
        turns, values = _turns(v["when"])
        some = ", ".join("?" * len(kinds))
        return Condition(_in("happenings", f"kind IN ({some})", "power = ''", turns), (*kinds, *values))

    return condition


def _at_war(v: Values) -> Condition:
    turns, values = _turns(v["when"])
    return Condition(_in("happenings", f"kind <> '{CONGRESS}'", "power = ?", turns), (v["power"], *values))


def _at_war_with(v: Values) -> Condition:
    turns, values = _turns(v["when"])
    pairs = (
        "SELECT a.game FROM happenings a JOIN happenings b USING (game, number, turn) "
        f"WHERE a.kind <> '{CONGRESS}' AND a.power = ? AND b.power = ? AND a.side <> b.side AND {turns}"
    )
    return Condition(f"id IN ({pairs})", (v["power"], v["power2"], *values))


def _player(*more: str) -> Callable[[Values], Condition]:
    def condition(v: Values) -> Condition:
        values = (v["player"], *((v["power"],) if "power" in v else ()))
        return Condition(_in("seats", "player = ? COLLATE NOCASE", *more), values)

    return condition


def _option(v: Values) -> Condition:
    return Condition("options ->> ? = ?", (f'$."{v["option"]}"', v["word"]))


def _seats(v: Values) -> Condition:
    return Condition("seats = ?", (v["number"],))


def _turn(v: Values) -> Condition:
    return Condition("turn = ?", (v["number"],))


def _text(v: Values) -> Condition:
    words = " ".join(f'"{word}"' for word in re.findall(r"\w+", v["text"]))
    return Condition("id IN (SELECT rowid FROM words WHERE words MATCH ?)", (words or '""',))


class Form(NamedTuple):
    """A kind of condition.

    Attributes:
        pattern: its words; `<area>` and so on are places for names, `[when]` may be left out, `a|b` are synonyms.
        means: what it asks.
        condition: returns the SQL for the values of its places.
    """

    pattern: str
    means: str
    condition: Callable[[Values], Condition]


FORMS: tuple[Form, ...] = (
    Form("<power> holds|hold|held|has|had|controls <area> [when]",
         "Control of an Area, at the end or at that time", _holds),
    Form("<power> takes|take|took|gains|conquers <area> [when]",
         "Control of an Area that it did not have at the start", _changes("first")),
    Form("<power> loses|lose|lost <area> [when]", "Control of an Area is lost", _changes("last")),
    Form("<power> opens|open|opened|starts in <area>", "a marker placed there in the first two Game Turns", _opens),
    Form("<power> wins|win|won", "the first rank", _wins),
    Form("winner <power>", "the same", _wins),
    Form("<power> ranks <number>", "this rank at the end", _ranks),
    Form("<power> scores|score|scored <number>", "so many Victory Points or more", _scores),
    Form("<power> at war [when]", "the Power is in a War", _at_war),
    Form("<power> at war with <power> [when]", "the two are on different sides of a War", _at_war_with),
    Form("<power> attacks|attacked|fights|fought <power> [when]", "the same", _at_war_with),
    Form("war between <power> and <power> [when]", "the same", _at_war_with),
    Form("great war [when]", "the Great War", _happens(GREAT_WAR)),
    Form("chinese|china rebellion [when]", "a Chinese Rebellion", _happens(REBELLION)),
    Form("rebellion [when]", "the same", _happens(REBELLION)),
    Form("ottoman war [when]", "an Ottoman War", _happens(OTTOMAN_WAR)),
    Form("war|wars [when]", "a War of any kind", _happens(WAR, REBELLION, OTTOMAN_WAR, GREAT_WAR)),
    Form("congress [when]", "a Congress of Europe", _happens(CONGRESS)),
    Form("player <player>", "a person or a bot in any seat", _player()),
    Form("player <player> as <power>", "a person or a bot in this seat", _player("seat = ?")),
    Form("player <player> wins", "a person or a bot with the first rank", _player("rank = 1")),
    Form("bots|bot", "at least one bot", lambda v: Condition("bots > 0")),
    Form("seats|players <number>", "so many seats", _seats),
    Form("<number> seats|players", "the same", _seats),
    Form("turns|turn <number>", "ended in this Game Turn", _turn),
    Form("<number> turns", "the same", _turn),
    Form("scenario <scenario>", "a game of this scenario", lambda v: Condition("scenario = ?", (v["scenario"],))),
    Form("option <option> <word>", "an option with this value", _option),
    Form("finished|over", "the game has a result", lambda v: Condition("finished = 1")),
    Form("running|unfinished", "the game goes on", lambda v: Condition("finished = 0")),
    Form("played since <date>", "the last line is not older", lambda v: Condition("played >= ?", (v["date"],))),
    Form("played before <date>", "the last line is older", lambda v: Condition("played < ?", (v["date"],))),
    Form("position <hash>", "the same map at the start of a Game Turn or at the end",
         lambda v: Condition(_in("positions", "hash = ?"), (v["hash"],))),
    Form("<text>", "quoted words in file name, scenario or players: \"evening ann\"", _text),
)  # fmt: skip

WHEN = ("by", "before", "after", "in")
"""Words before a year."""

_EXPECTED = {
    "power": "a Power",
    "area": "an Area",
    "player": "a player",
    "scenario": "a scenario",
    "option": "an option",
    "number": "a number",
    "year": f"a year from {FIRST_YEAR} to {LAST_YEAR}",
    "date": "a date such as 2026-03-31",
    "hash": "a position (16 hexadecimal digits, see --like)",
    "text": 'words in quotes, such as "evening"',
    "word": "a value",
}


# --- parser -----------------------------------------------------------------------------------------------------------

_TOKEN = re.compile(r'"[^"]*"?|,|[^\s,"]+')


class _Failure(NamedTuple):
    """Why a form does not match: the token at which it stops, and what it expects there."""

    at: int
    expected: tuple[str, ...]  # literal words, or kinds in angle brackets


class _Match(NamedTuple):
    """A form that matches, and what could follow its last token."""

    form: Form
    end: int
    values: Values
    more: tuple[str, ...]
    failure: _Failure | None = None  # of a longer form


class Query:
    """A parsed query.

    Args:
        text: the query; empty for all games.
        words: the names that it may contain.

    Attributes:
        condition: the condition on games.
        unknown_players: names of players who are in no game.

    Raises:
        Refusal: `query`; it says which word is wrong and what would be right.
    """

    def __init__(self, text: str, words: Vocabulary) -> None:
        if len(text) > LONGEST:
            raise Refusal("query", (), f"A query has at most {LONGEST} characters; this one has {len(text)}.")
        self.text = text
        self._words = words
        self._tokens = _TOKEN.findall(text)
        self._folded = [fold_name(token) for token in self._tokens]
        self.unknown_players: list[str] = []
        self.condition = self._parse() if self._tokens else Condition("1")

    def _parse(self) -> Condition:
        alternatives: list[list[Condition]] = [[]]
        at = count = 0
        while True:
            negative = False
            while at < len(self._tokens) and self._tokens[at].casefold() in NOT:
                negative, at = not negative, at + 1
            at = self._skip_fillers(at)
            match = self._match(at)
            where, values = match.form.condition(match.values)
            if match.values.get("player", "") not in ("", *self._words.players.values()):
                self.unknown_players.append(match.values["player"])
            alternatives[-1].append(Condition(f"NOT ({where})" if negative else f"({where})", values))
            count += 1
            if count > MOST_CONDITIONS:
                raise Refusal("query", (), f"A query has at most {MOST_CONDITIONS} conditions.")
            at = match.end
            if self._skip_fillers(at) == len(self._tokens):
                break
            joint = self._tokens[at].casefold()
            if joint not in (*AND, *OR):
                raise self._wrong(match.failure or _Failure(at, (*match.more, "and", "or")))
            if joint in OR:
                alternatives.append([])
            at += 1
        where = " OR ".join("(" + " AND ".join(one.where for one in some) + ")" for some in alternatives)
        return Condition(where, tuple(value for some in alternatives for one in some for value in one.values))

    def _skip_fillers(self, at: int) -> int:
        """Return the first token from one on that means something."""
        while at < len(self._tokens) and self._tokens[at].casefold() in FILLERS:
            at += 1
        return at

    def _match(self, at: int) -> _Match:
        """Return the longest condition that begins at a token. Raises: Refusal."""
        tries = [self._try(form, at) for form in FORMS]
        matches = [one for one in tries if isinstance(one, _Match)]
        failure = _furthest(one for one in tries if isinstance(one, _Failure))
        if not matches:
            raise self._wrong(failure)
        longest = max(matches, key=lambda one: one.end)
        return longest._replace(failure=failure) if failure.at > longest.end else longest

    def _try(self, form: Form, at: int) -> _Match | _Failure:
        values: Values = {}
        more: tuple[str, ...] = ()
        for item in form.pattern.split():
            if item == "[when]":
                at, when, more = self._when(at)
                values["when"] = when
                if when is None and more == ("<year>",):
                    return _Failure(at, more)
            elif item.startswith("<"):
                kind = item.strip("<>")
                end, value = self._name(kind, at)
                if end == at:
                    return _Failure(at, (item,))
                values[f"{kind}2" if kind in values else kind] = value
                at = end
            else:
                if at >= len(self._tokens) or self._tokens[at].casefold() not in item.split("|"):
                    return _Failure(at, (item.split("|")[0],))
                at += 1
        return _Match(form, at, values, more)

    def _when(self, at: int) -> tuple[int, When | None, tuple[str, ...]]:
        """Read `by 1892` if it is there; return the next token, the time, and what could stand here instead."""
        if at >= len(self._tokens) or self._tokens[at].casefold() not in WHEN:
            return at, None, WHEN
        end, year = self._name("year", at + 1)
        if end == at + 1:
            return end, None, ("<year>",)
        return end, (self._tokens[at].casefold(), year), ()

    def _name(self, kind: str, at: int) -> tuple[int, Any]:
        """Read a name or a number; return the next token and the value, or the same token if there is none."""
        if at >= len(self._tokens):
            return at, None
        token = self._tokens[at]
        plain = token.strip('"')
        names = self._names(kind)
        if names:
            known = (
                *((id_, id_) for id_ in names.values()),
                *self._words.aliases.get(kind, {}).items(),
                *names.items(),
            )
            ids = {fold_name(name): id_ for name, id_ in known}
            for end in range(min(len(self._tokens), at + LONGEST_NAME), at, -1):
                wanted = "".join(self._folded[at:end]).replace('"', "")
                found = (
                    {ids[wanted]} if wanted in ids else {id_ for name, id_ in ids.items() if name.startswith(wanted)}
                )
                if wanted and len(found) == 1:
                    return end, found.pop()
            if kind != "player":
                return at, None
        if kind == "player":
            return at + 1, plain  # nobody of that name has played: no game is found
        if kind == "number" and plain.isdecimal() and len(plain) < 6:
            return at + 1, int(plain)
        if kind == "year" and plain.isdecimal() and len(plain) == 4 and FIRST_YEAR <= int(plain) <= LAST_YEAR:
            return at + 1, int(plain)
        if kind == "hash" and re.fullmatch("[0-9a-f]{16}", plain.casefold()):
            return at + 1, int(plain, 16)
        if kind == "date":
            try:
                return at + 1, date.fromisoformat(plain).isoformat()
            except ValueError:
                return at, None
        if (kind == "text" and token.startswith('"') and plain.strip()) or kind == "word":
            return at + 1, plain
        return at, None

    def _names(self, kind: str) -> dict[str, str]:
        names: dict[str, str] = getattr(self._words, f"{kind}s", {})
        return names

    def _wrong(self, failure: _Failure) -> Refusal:
        """Return the error for a token that cannot stand there."""
        at, expected = failure
        literal = [word for word in dict.fromkeys(expected) if not word.startswith("<")]
        kinds = [_EXPECTED[word.strip("<>")] for word in dict.fromkeys(expected) if word.startswith("<")]
        what = join_with_or([*kinds, *(f"'{word}'" for word in literal)])
        if len(literal) > MOST_NAMED:
            what = f"a condition such as '{EXAMPLES[0]}' or '{EXAMPLES[1]}'"
        if at >= len(self._tokens):
            return Refusal("query", (), f"The query ends too early: {what} must follow.", position=at + 1)
        hint = self._hint(at, literal, expected)
        message = f"Word {at + 1}, '{shorten(self._tokens[at])}': {what} is expected here.{hint}"
        return Refusal("query", (), message, position=at + 1)

    def _hint(self, at: int, literal: Sequence[str], expected: Sequence[str]) -> str:
        """Return what a wrong token may have meant, as a sentence; "" if that is unknown."""
        known = [*literal, *(name for word in expected for name in self._names(word.strip("<>")))]
        token = self._tokens[at].casefold()[:60]
        near = get_close_matches(token, {n.casefold(): n for n in known}, n=1, cutoff=0.6)
        if token[0] in "()":
            return " A query has no parentheses; 'and' binds tighter than 'or'."
        if "<power>" in expected and "<area>" not in expected and (area := self._area_like(at)):
            return f" For an Area write who holds it, such as 'japan holds {area}'."
        if near:
            return f" Did you mean '{near[0].lower()}'?"
        is_name = "<text>" in expected and token.isalnum() and token not in self._known_words()
        return f' For words in names write quotes: "{shorten(token)}".' if is_name else ""

    @staticmethod
    def _known_words() -> set[str]:
        return {*AND, *OR, *(word for form in FORMS for item in form.pattern.split() for word in item.split("|"))}

    def _area_like(self, at: int) -> str:
        """Return the name of an Area that a token means or resembles, in lower case; "" for none."""
        id_ = self._name("area", at)[1]
        names = {name.lower(): area for name, area in self._words.areas.items()}
        if id_ is not None:
            return next(name for name, area in names.items() if area == id_)
        return next(iter(get_close_matches(self._tokens[at].casefold()[:60], names, n=1, cutoff=0.75)), "")

    # --- completion -------------------------------------------------------------------------------------------------

    @classmethod
    def suggest(cls, text: str, words: Vocabulary, most: int = 20) -> list[Suggestion]:
        """Return the words with which a query could go on: ends of the last word, or next words after a blank."""
        found = cls("", words)
        found._tokens = _TOKEN.findall(text[:LONGEST])
        found._folded = [fold_name(token) for token in found._tokens]
        found.text = text
        return list(found._suggestions())[:most]

    def _suggestions(self) -> Iterator[Suggestion]:
        begun = bool(self._tokens) and not self.text[-1:].isspace()
        whole = len(self._tokens) - begun
        self._tokens, self._folded, last = self._tokens[:whole], self._folded[:whole], self._tokens[whole:]
        at = 0
        while True:
            while at < whole and self._tokens[at].casefold() in NOT:
                at += 1
            tries = [self._try(form, at) for form in FORMS]
            ends = [one for one in tries if isinstance(one, _Match)]
            longest = max((one.end for one in ends), default=-1)
            if longest in (-1, whole) or self._tokens[longest].casefold() not in (*AND, *OR):
                break
            at = longest + 1
        expected = [word for one in tries if isinstance(one, _Failure) and one.at >= whole for word in one.expected]
        expected += [word for one in ends if one.end == whole for word in (*one.more, "and", "or")]
        # A name may go on: "united" is the beginning of "united states".
        for start in range(max(at, whole - LONGEST_NAME + 1), whole + 1):
            typed = fold_name("".join((*self._tokens[start:], *last)).replace('"', ""))
            kinds = expected if start == whole else self._expected_at(at, start)
            head = self._text_before(start)
            for word in dict.fromkeys(self._candidates(kinds)):
                if fold_name(word).startswith(typed) and (start == whole or fold_name(word) != typed):
                    yield Suggestion(word, f"{head}{word} ")

    def _expected_at(self, begin: int, at: int) -> list[str]:
        """Return the kinds of names that could begin at a token."""
        tokens, folded = self._tokens, self._folded
        self._tokens, self._folded = tokens[:at], folded[:at]
        tries = [self._try(form, begin) for form in FORMS]
        self._tokens, self._folded = tokens, folded
        found = [word for one in tries if isinstance(one, _Failure) and one.at == at for word in one.expected]
        return [word for word in found if word.startswith("<")]

    def _text_before(self, token: int) -> str:
        found = list(_TOKEN.finditer(self.text))
        return self.text[: found[token].start()] if token < len(found) else self.text

    def _candidates(self, expected: Iterable[str]) -> Iterator[str]:
        for word in expected:
            if not word.startswith("<"):
                yield word
            elif word == "<year>":
                yield from map(str, range(FIRST_YEAR, LAST_YEAR, YEARS_PER_TURN))
            else:
                yield from (name.lower() if word != "<player>" else name for name in self._names(word.strip("<>")))


def _furthest(failures: Iterable[_Failure]) -> _Failure:
    """Return the failure that got furthest, with all that is expected there."""
    some = list(failures)
    at = max(one.at for one in some)
    return _Failure(at, tuple(word for one in some if one.at == at for word in one.expected))


def query_help() -> Sequence[tuple[str, str]]:
    """Return each form of a condition as a player writes it, and what it asks."""
    patterns = ((" ".join(word.split("|")[0] for word in form.pattern.split()), form.means) for form in FORMS)
    return [(pattern.replace("[when]", "[by|before|after|in YEAR]"), means) for pattern, means in patterns]
