"""Pairs of games that differ in secret articles of one Treaty: outsiders see the same in both, byte for byte.

Compared are position, menu, log, export, text of the log, end-of-turn page, and by mail reports and forms
(TRE-011, Decisions 49 and 72).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec
import pytest

from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.games.pax.actions import actions
from paxtui.games.pax.clauses.examples import example_article
from paxtui.games.pax.clauses.notation import parse_clause
from paxtui.games.pax.clauses.registry import CLAUSE_KINDS
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.menus.legal import legal_actions
from paxtui.games.pax.narration.narrator import Narrator
from paxtui.games.pax.position.setup import new_game, seats_for
from paxtui.games.pax.reports.briefing import turn_end_page
from paxtui.games.pax.state.diplomacy import Treaty
from paxtui.mail.game_directory import MailTerms
from paxtui.mail.gamemaster import stop_reports
from paxtui.mail.submissions import awaited_seats
from paxtui.session.game_host import SeatLog, empty_clock
from paxtui.session.pax_host import PaxHost
from tests.rules import congress
from tests.rules.harness import UNLIMITED, army, marker, tables
from tests.rules.treaties import DE, FR, GB, IT, MONEY, RU

ARTICLES = (
    "defensive against russia",
    "defensive",
    "defensive upon war france russia",
    "offensive",
    "non-aggression",
    "non-aggression until 1880",
    "shared cause",
    "no marker by france in egypt",
    "no marker by france in egypt until 1880",
    "no units by france in egypt",
    "at most 9 army by france in tunis",
    "at least 1 army by france in tunis",
    "france builds no naval",
    "france builds N10 by 1896",
    "france pays italy 15 in 1896",
    "france pays italy 5 every turn upon war france russia",
    "france transfers tunis to italy in 1896",
    "france grants italy protectorate in tunis in 1896",
    "france lowers tunis to influence in 1896",
    "codominion of tunis with italy, france in 1896",
    "italy waives against france in 1896",
    "italy votes yes for france on tunis",
    "france lets italy through canals",
    "france coals italy",
    "peace upon war france russia",
    '"France consults Italy"',
)
OTHER_KINDS = CLAUSE_KINDS.keys() - {parse_clause(tables(), article).kind for article in ARTICLES} - {"cede"}
START = new_game(tables(), seats_for(7), {})
ARTICLES += tuple(example_article(tables(), START, kind, FR, [IT]) for kind in sorted(OTHER_KINDS))
"""Secret articles of every kind that do nothing on the map before 1896."""

MOST = 19
"""Number of secret articles with one open article: a Treaty may have 20."""

OPEN = ("non-aggression", "france pays italy 5", "no marker by france in marocco until 1880")
"""Open articles: one that lasts, one that is done at once, one that expires."""

STORIES: dict[str, tuple[str, ...]] = {
    "expires": ("turn",),
    "broken": ("italy renounce {}", "turn"),
    "lapses": ("italy lapse {}", "france lapse {}", "turn"),
    "one leaves": ("italy release {} france", "france release {} france", "turn"),
    "war between the parties": ("italy declare war france", "turn"),
    "war on a party": ("britain declare war italy", "turn"),
    "war of a party": ("france declare war germany", "turn"),
    "congress": ("russia congress austria", "turn"),
}

TUNIS = {"tunis": {"markers": [marker(FR, "protectorate")], "units": [army(FR)]}}
QUARREL = {"tunis": {"markers": congress.TUNIS, "units": [army(FR), army(IT, 3)]}}
CAUSES = [{"holder": h, "against": a} for h, a in ((IT, FR), (GB, IT), (FR, DE), (RU, DE))]

Shown = dict[tuple[str, str], bytes]
"""What outsiders see, by seat and name of the part."""


# The games


def new_table(**patch: Any) -> PaxHost:
    """The 1880 start with money for each Power."""
    table = PaxHost.new(tables(), seats_for(7), "pairs", UNLIMITED, game_id="pair", clock=empty_clock)
    table.act(ARBITER, actions.SetPosition({"phase": "negotiation", "powers": MONEY, **patch}))
    return table


def treaty_text(openly: str, articles: tuple[str, ...], public: bool = True) -> str:
    hidden = "".join(f"; secret {article}" for article in articles)
    return f"treaty Rome with france{' public' * public}: {openly}{hidden}"


def draft(table: PaxHost, seat: str, text: str) -> str:
    """Draft an agreement. Returns: its id."""
    line, _ = table.act(seat, text)
    return next(raw["treaty"]["id"] for raw in line.events if raw["type"] == "treaty_drafted")


def find(table: PaxHost, id_: str) -> Treaty:
    return next(t for t in table.state.treaties if t.id == id_)


def signed(table: PaxHost, text: str) -> str:
    """Let Italy draft and France sign. Returns: the id."""
    id_ = draft(table, IT, text)
    table.act(FR, f"sign {id_}")
    return id_


@cache
def play(story: str, openly: str, articles: tuple[str, ...], public: bool = True) -> list[Shown]:
    """Play a game with such a Treaty. Returns: what outsiders see after each step."""
    g = new_table(areas=TUNIS, casus_belli=CAUSES if "war" in story or story == "congress" else [])
    signed(g, "treaty Genoa with france: no units by france in egypt")  # so that all are asked in a War
    id_ = draft(g, IT, treaty_text(openly, articles, public))
    assert len([c for c in find(g, id_).clauses if c.secret]) == len(articles)
    shown = [visible_parts(g)]
    for act in (f"france sign {id_}", *["italy reveal {}"] * (not public), *STORIES[story]):
        if act == "turn":
            step_to_next_turn(g)
        elif find(g, id_).stage == "in_force" or any(w in act for w in ("sign", "reveal", "war", "congress")):
            seat, _, order = act.format(id_).partition(" ")
            g.act(seat, order)  # otherwise the Treaty has ended
        shown.append(visible_parts(g))
    shown[-1] |= exports(g)
    return shown


def step_to_next_turn(g: PaxHost) -> None:
    turn = g.state.turn
    while g.state.turn == turn and g.state.result is None:
        refuse_calls(g)
        g.act(ARBITER, actions.Step())


def refuse_calls(g: PaxHost) -> None:
    """Let called Powers refuse, so that the War is the same in both games. Breaking a secret article shows nothing."""
    while calls := [c for c in g.state.choices if c.kind in ("call", "uncalled")]:
        choice = calls[0]
        g.act(choice.seat, f"choose {choice.id} {choice.options[-1]}")


# What is shown


def outsiders(g: PaxHost) -> list[str]:
    return [seat for seat in (*g.state.players, SPECTATOR) if seat not in (IT, FR)]


def visible_parts(g: PaxHost) -> Shown:
    """Return all that each outsider sees: position, log, narration, menu, page."""
    return {(seat, name): data for seat in outsiders(g) for name, data in visible_parts_of(g, seat)}


def visible_parts_of(g: PaxHost, seat: str) -> Iterator[tuple[str, bytes]]:
    lines = g.lines_for(seat)
    events = [msgspec.convert(raw, type=ev.AnyEvent) for line in lines for raw in line.events]
    narrator = Narrator(g.tables, new_game(g.tables, seats_for(7), {}))
    texts = [narrator.tell(event) for event in events if not isinstance(event, ev.PositionSet)]
    state = g.state_for(seat)
    out: dict[str, Any] = {"view": g.view(seat), "log": lines, "texts": texts}
    out |= {"waiting": g.waiting, "pending": g.pending_known(seat)}
    if seat in g.state.players:
        out["menu"] = legal_actions(g.tables, state, seat)
        out["page"] = turn_end_page(Narrator(g.tables, state), seat, state, events, 1880)
    for name, value in out.items():
        yield name, msgspec.json.encode(value)


def exports(g: PaxHost) -> Shown:
    """Return the log of each outsider as `paxtui export --seat` writes it."""
    return {(seat, "export"): SeatLog(g, seat).whole() for seat in outsiders(g)}


def mailed(g: PaxHost) -> Shown:
    """Return the reports, forms and positions that the mail game sends to outsiders."""
    over = g.state.result is not None
    terms = MailTerms(game="g", stop=1, waits_for=() if over else awaited_seats(g), asks="orders", over=over)
    names = [*outsiders(g), "public"]
    sent = {name: text for name, text in stop_reports(g, terms).items() if name.partition(".")[0] in names}
    return {("mail", name): text.encode() for name, text in {**sent, "waits": str(terms.waits_for)}.items()}


def assert_same(plain: list[Shown], hiding: list[Shown], about: Any) -> None:
    for step, (one, other) in enumerate(zip(plain, hiding, strict=True)):
        differing = [key for key in one.keys() | other.keys() if one.get(key) != other.get(key)]
        assert not differing, (about, step, differing, one.get(differing[0]), other.get(differing[0]))


def compare(story: str, openly: str, articles: tuple[str, ...], public: bool = True) -> None:
    """Assert that outsiders see the same with these secret articles as without."""
    assert_same(play(story, openly, (), public), play(story, openly, articles, public), articles)


# Tests


def test_articles_cover_every_clause_kind() -> None:
    g = new_table(areas=TUNIS)
    found = set()
    for articles in (ARTICLES[:MOST], ARTICLES[MOST:]):
        found.update(c.kind for c in find(g, draft(g, IT, treaty_text("non-aggression", articles))).clauses)
    assert found >= set(CLAUSE_KINDS) - {"cede"}, "a cession is done at once and becomes a transfer"


@pytest.mark.rule("TRE-011")
@pytest.mark.parametrize("article", ARTICLES)
def test_secret_article_of_any_kind_is_hidden(article: str) -> None:
    compare("expires", "france pays italy 5", (article,))


@pytest.mark.rule("TRE-011")
@pytest.mark.parametrize("story", STORIES)
@pytest.mark.parametrize("openly", OPEN)
def test_secret_articles_stay_hidden_in_every_story(story: str, openly: str) -> None:
    compare(story, openly, ("defensive", "no marker by france in egypt"))


@pytest.mark.rule("TRE-011")
@pytest.mark.parametrize("openly", OPEN)
def test_treaty_revealed_later_hides_its_secret_articles(openly: str) -> None:
    compare("broken", openly, ("no marker by france in egypt",), public=False)


# A Congress that sits


@cache
def play_congress(openly: str, articles: tuple[str, ...]) -> list[Shown]:
    """Play a Congress over Tunis with the Treaty in force. Returns: what outsiders see at each kind of question."""
    g = new_table(areas=QUARREL, casus_belli=congress.MUTUAL)
    signed(g, treaty_text(openly, articles))
    shown = [visible_parts(g)]
    g.act(FR, "congress britain")
    for seat in g.waiting:
        g.act(seat, "ready")
    answers = {"attend": "attend", "invite": "nobody", "ballot": "yes sign"}
    proposed, kinds = False, [""]
    while g.state.phase == "congress":
        if kinds != (kinds := sorted({choice.kind for choice in g.state.choices})):
            shown.append(visible_parts(g))
        if not g.state.choices:
            g.act(ARBITER, actions.Step())
            continue
        choice = g.state.choices[0]
        if choice.kind == "propose" and not proposed:
            g.act(choice.seat, f"propose Act: {congress.SETTLES}")
            proposed = True
        else:
            g.act(choice.seat, f"choose {choice.id} {answers.get(choice.kind, 'pass')}")
    assert congress.markers(g, "tunis") == {(FR, "protectorate"), (IT, "interest")}
    shown.append(visible_parts(g) | exports(g))
    return shown


@pytest.mark.rule("TRE-011")
def test_congress_hides_secret_articles() -> None:
    plain = play_congress("france pays italy 5", ())
    for articles in (ARTICLES[:MOST], ARTICLES[MOST:]):
        assert_same(plain, play_congress("france pays italy 5", articles), articles)


# By mail


def play_mail_game(agreements: tuple[str, ...], *stops: dict[str, str]) -> list[Shown]:
    """Play a mail game: Italy and France sign agreements at the first stop. Returns: what outsiders see."""
    g = new_table(areas=TUNIS, casus_belli=CAUSES)
    g.act(ARBITER, actions.Adjudicate(begins=True))
    shown = []
    for n, forms in enumerate(stops):
        orders = dict.fromkeys(g.state.players, "") | forms
        if n == 0:
            orders[IT] = "\n".join(agreements)
            orders[FR] = orders[IT].replace(" with france", " with italy")
        g.act(ARBITER, actions.Adjudicate(tuple(actions.SubmittedForm(seat, text) for seat, text in orders.items())))
        if n == 0:
            assert len(g.state.treaties) == len(agreements) and all(t.since for t in g.state.treaties)
        shown.append(visible_parts(g) | mailed(g))
    shown[-1] |= exports(g)
    return shown


@pytest.mark.rule("TRE-011", "PBM-043", "PBM-047")
@pytest.mark.parametrize("stops", [({}, {}), ({}, {GB: "declare war italy"}, {})], ids=["peace", "war"])
def test_mail_reports_hide_secret_articles(stops: tuple[dict[str, str], ...]) -> None:
    plain = play_mail_game((treaty_text("france pays italy 5", ()),), *stops)
    for articles in (ARTICLES[:MOST], ARTICLES[MOST:]):
        assert_same(plain, play_mail_game((treaty_text("france pays italy 5", articles),), *stops), articles)


@pytest.mark.rule("TRE-011", "WEN-036")
def test_cession_does_not_reveal_its_treaty() -> None:
    private = "treaty Genoa with france secret: no units by france in egypt"
    in_rome = play_mail_game((treaty_text("non-aggression", ("tunis to italy",)), private), {}, {})
    in_genoa = play_mail_game((treaty_text("non-aggression", ()), f"{private}; tunis to italy"), {}, {})
    assert_same(in_rome, in_genoa, "tunis to italy")
