"""Games with secrets: pairs of games with and without secrets, and games that track who may know which word."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import msgspec

from paxtui.engine.game import Redo, Undo
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.games.pax.actions import actions
from paxtui.games.pax.menus.legal import legal_actions
from paxtui.games.pax.narration.narrator import Narrator
from paxtui.games.pax.position.writer import dump_position
from paxtui.games.pax.state.diplomacy import Clause
from paxtui.games.pax.state.model import State
from paxtui.games.pax.visibility import private_seats
from paxtui.session.game_viewer import GameViewer
from paxtui.session.pax_host import PaxHost
from paxtui.session.player_news import chronicle_pages
from tests.pax.diplomats import SEATS, Diplomat, Secret, T, attempt, league, world


def plain(value: Any) -> Any:
    """A value as JSON has it."""
    return msgspec.to_builtins(value)


def open_part(state: State) -> State:
    """The public part of a position."""
    return msgspec.structs.replace(state, treaties=(), choices=())


class GamePair:
    """A game with secrets among some seats, and the same game without them."""

    def __init__(self, seed: str) -> None:
        self.random = Random(seed)
        self.insiders = tuple(self.random.sample(SEATS, self.random.choice([2, 3, 3])))
        self.outsiders = (*(s for s in SEATS if s not in self.insiders), SPECTATOR)
        phase = self.random.choice(["negotiation", "negotiation", "movement"])
        undo = self.random.choice(["strict", "strict", "free"])
        self.open = world(seed, phase, undo)
        scribe = Diplomat(self.open, self.random, quiet=True)
        self.secret = world(seed, phase, undo, treaties=league(scribe, self.insiders, self.random.choice([0, 1, 3])))
        self.insider_diplomat = Diplomat(self.secret, self.random, scribe.secrets, quiet=True)
        self.public_diplomat = Diplomat(self.open, self.random)
        self.compared = dict.fromkeys(self.outsiders, 0)
        self.private_lines: set[int] = set()

    def step(self) -> bool:
        """Do one random thing. Returns: False if the games have diverged in public."""
        kind = self.random.choices(["private", "public", "menu", "undo", "go_on", "probe"], [10, 3, 6, 3, 2, 2])[0]
        if kind == "private":
            return self.act_in_private()
        if kind == "probe":
            self.probe()
        elif kind == "go_on":
            self.run()
        elif kind == "undo":
            self.undo()
        elif kind == "public":
            seat = self.random.choice(SEATS)
            order = self.public_diplomat.choose(seat, tuple(s for s in SEATS if s != seat))
            if not self.among_insiders(seat, order):
                self.both(seat, order)
        else:
            seat = self.random.choice(SEATS)
            self.both(seat, self.public_diplomat.openly(seat))
        return True

    def act_in_private(self) -> bool:
        """Let an insider act in private. Returns: False if the effects are public."""
        seat = self.random.choice(self.insiders)
        mine = [line for line in self.secret.game.effective_lines() if line.seat == seat]
        if mine and mine[-1].n in self.private_lines and self.random.random() < 0.2:
            order: Any = Undo()
        else:
            order = self.insider_diplomat.choose(seat, self.insiders)
        if order is None:
            return True
        before = open_part(self.secret.state)
        line, _ = attempt(self.secret, seat, order)
        if line is None or line.kind == "undo":
            return True
        self.private_lines.add(line.n)
        return open_part(self.secret.state) == before

    def among_insiders(self, seat: str, order: Any) -> bool:
        """Whether an order concerns only insiders, so that the open game cannot have it."""
        with_whom = getattr(order, "parties", getattr(order, "to", ()))
        partners = {with_whom} if isinstance(with_whom, str) else {*with_whom}
        shares = isinstance(order, actions.Codominion)
        return seat in self.insiders and (shares or (bool(partners) and partners <= {*self.insiders}))

    def both(self, seat: str, order: Any) -> None:
        """Give an order in both games."""
        if order is None:
            return
        here, said_here = attempt(self.secret, seat, order)
        there, said_there = attempt(self.open, seat, order)
        assert (here is None) == (there is None), (seat, order, said_here, said_there)
        if seat in self.outsiders:
            assert said_here == said_there

    def undo(self) -> None:
        """Undo or redo an act."""
        seat = self.random.choice(SEATS)
        if seat in self.outsiders:
            last = self.open.version_for(seat)
            choice = self.random.choice([Undo(), Undo(), Redo(), Undo(self.random.randint(0, last + 1))])
            self.both(seat, choice)
            return
        mine = [line for line in self.secret.game.effective_lines() if line.seat == seat]
        if mine and not private_seats(mine[-1].events):
            self.both(seat, Undo())

    def run(self) -> None:
        """Let the arbiter advance, or undo to a line of the open game."""
        if self.open.state.result is None and not self.open.waiting:
            self.both(ARBITER, actions.Advance())
        elif self.random.random() < 0.15:
            self.both(ARBITER, actions.Advance(force=True))
        elif self.random.random() < 0.2:
            number = self.random.randint(2, self.open.version_for(SPECTATOR))
            for table in (self.open, self.secret):
                attempt(table, ARBITER, Undo(table.log_line(SPECTATOR, number)))

    def probe(self) -> None:
        """Let an outsider use ids that it cannot know."""
        seat = self.random.choice([s for s in self.outsiders if s != SPECTATOR])
        state = self.secret.state
        ids = [t.id for t in state.treaties if seat not in {*t.parties}] + ["aaaaa"]
        offers = [c.id for c in state.choices if c.seat in self.insiders] + ["oaaaaa", "c1"]
        id_, offer = self.random.choice(ids), self.random.choice(offers)
        guesses: list[Any] = [
            actions.Sign(id_),
            actions.Reject(id_),
            actions.Reveal(id_),
            actions.Lapse(id_),
            actions.Release(id_, seat),
            actions.Renounce(id_),
            actions.Charge(id_, 1, self.insiders[0]),
            actions.Judge(id_, 1, self.insiders[0], True),
            actions.Draft("Guess", (self.insiders[0],), (Clause("defensive"),), instead=id_),
            actions.Choose(offer, ("accept",)),
        ]
        order = self.random.choice(guesses)
        known = [t.id for t in self.open.state.treaties]
        if id_ in known and not isinstance(order, actions.Choose):
            return
        if isinstance(order, actions.Choose) and offer in [c.id for c in self.open.state.choices]:
            return
        here, there = attempt(self.secret, seat, order), attempt(self.open, seat, order)
        assert here == there
        assert here[0] is None

    def compare(self, seat: str, thorough: bool) -> None:
        """Assert that an outsider sees the same in both games."""
        here, there = self.secret, self.open
        assert here.version_for(seat) == there.version_for(seat)
        start = self.compared[seat]
        assert here.known(seat).lines[start:] == there.known(seat).lines[start:]
        self.compared[seat] = there.version_for(seat) - 1
        assert here.view(seat) == there.view(seat)
        assert here.undo_requests(seat) == there.undo_requests(seat)
        assert here.waiting == there.waiting
        if not thorough:
            return
        assert here.state_for(seat) == there.state_for(seat)
        assert here.lines_for(seat) == there.lines_for(seat)
        assert here.dispatches(seat) == there.dispatches(seat)
        assert here.pending_known(seat) == there.pending_known(seat)
        menu = legal_actions(T, here.state, seat)
        assert menu == legal_actions(T, there.state, seat) == legal_actions(T, here.state_for(seat), seat)
        past = self.random.randint(1, there.version_for(seat))
        assert here.view(seat, past) == there.view(seat, past)


def everything(table: PaxHost, seat: str, since: int = 0) -> str:
    """All that a seat can see now, in lower case; of its log only lines after `since`."""
    known = table.known(seat)
    texts = [
        Narrator(T).tell(event)
        for n in range(max(2, since + 1), table.version + 1)
        for event in table.visible_events(seat, n)
    ]
    parts = [
        table.view(seat),
        plain([line for line in known.lines if line.n > known.number(max(1, since))]),
        texts,
        plain(table.dispatches(seat)),
        plain(table.header_for(seat)),
        plain(table.undo_requests(seat)),
        table.pending_known(seat),
        dump_position(table.state_for(seat)),
        list(legal_actions(T, table.state, seat).orders) if seat != SPECTATOR else [],
        plain(chronicle_pages(GameViewer(table, seat))),
    ]
    return json.dumps(parts).casefold()


class TrackedGame:
    """A game in which all seats deal with each other, and which tracks who may know which word."""

    def __init__(self, seed: str) -> None:
        self.random = Random(seed)
        phase = self.random.choice(["negotiation", "movement"])
        self.diplomat = Diplomat(world(seed, phase), self.random)
        leagues = league(self.diplomat, SEATS, self.random.choice([0, 2, 4]))
        self.table = self.diplomat.table = world(seed, phase, treaties=leagues)
        self.seen = dict.fromkeys((*SEATS, SPECTATOR), 1)

    @property
    def secrets(self) -> list[Secret]:
        return self.diplomat.secrets

    def step(self) -> None:
        """Do one random thing."""
        random, table = self.random, self.table
        seat = random.choice(SEATS)
        kind = random.choices(["talk", "open", "undo", "go_on"], [8, 3, 2, 1])[0]
        if kind == "go_on":
            if not table.waiting and table.state.result is None:
                table.act(ARBITER, actions.Advance())
                self.letters()
            elif random.random() < 0.2 and table.state.result is None:
                table.act(ARBITER, actions.Step())
                self.letters()
            return
        first = len(self.secrets)
        if kind == "undo":
            self.undo(seat)
            return
        others = tuple(s for s in SEATS if s != seat)
        order = self.diplomat.choose(seat, others) if kind == "talk" else self.diplomat.openly(seat)
        if order is None:
            return
        line, answer = attempt(table, seat, order)
        self.check_answer(seat, answer)
        if line is None:
            del self.secrets[first:]
            return
        self.learn(order, first)
        self.letters()

    def undo(self, seat: str) -> None:
        """Undo an act of a seat: private dealings of others stay in force."""
        table = self.table
        others = {
            line.n
            for line in table.game.effective_lines()
            if line.seat != seat and private_seats(line.events) and not line.dice
        }
        back = max(1, table.version_for(seat) - self.random.randint(1, 4))
        line, answer = attempt(table, seat, self.random.choice([Undo(), Undo(back), Undo(back), Redo()]))
        self.check_answer(seat, answer)
        if line is not None:
            assert others <= {line.n for line in table.game.effective_lines()}

    def check_answer(self, seat: str, answer: tuple[Any, ...]) -> None:
        """Assert that the answer to an order contains no secret of others."""
        text = " ".join(map(str, answer)).casefold()
        assert not any(s.word in text for s in self.secrets if seat not in s.seats), (seat, answer)

    def learn(self, order: Any, first: int) -> None:
        """Record who may know which words after an order."""
        if isinstance(order, actions.Draft):
            made = self.secrets[first:]
            treaty = next(t for t in self.table.state.treaties if t.name == order.name)
            made.append(Secret(treaty.id, made[0].seats))
            self.secrets.append(made[-1])
            for secret in made:
                secret.about = treaty.id
                if treaty.public and not secret.hidden:
                    secret.seats = frozenset((*SEATS, SPECTATOR))
        elif isinstance(order, actions.Reveal):
            treaty = next(t for t in self.table.state.treaties if t.id == order.id)
            before = [s for s in self.secrets if s.about == treaty.id and SPECTATOR in s.seats]
            for secret in self.secrets:
                if secret.about != treaty.id:
                    continue
                named = order.article and secret.article == order.article - 1
                if not secret.hidden or named or (not order.article and before):
                    secret.seats = frozenset((*SEATS, SPECTATOR))

    def letters(self) -> None:
        """Record that due sealed letters are known to their recipients."""
        for secret in self.secrets:
            if secret.about.startswith("letter ") and secret.opens <= self.table.state.turn:
                secret.seats = secret.seats | set(secret.about.split()[1:])

    def check(self, seat: str) -> None:
        """Assert that a seat sees no word that it may not know."""
        text = everything(self.table, seat, self.seen[seat])
        self.seen[seat] = self.table.version
        for secret in self.secrets:
            assert seat in secret.seats or secret.word not in text, (seat, secret)

    def check_own_secrets(self, seat: str) -> None:
        """Assert that a seat can read its own secrets: dispatches always, agreements while they stand."""
        text = everything(self.table, seat)
        standing = {t.id for t in self.table.state.treaties}
        for secret in self.secrets:
            kept = secret.about in standing or secret.about.startswith("letter") or not secret.about
            assert seat not in secret.seats or not kept or secret.word in text, (seat, secret)


def assert_same_view(one: PaxHost, two: PaxHost, but: str) -> None:
    """Assert that two games look the same to all seats but one."""
    for seat in (*SEATS, SPECTATOR):
        if seat != but:
            assert one.view(seat) == two.view(seat)
            assert one.version_for(seat) == two.version_for(seat)
            assert one.lines_for(seat) == two.lines_for(seat)
            assert one.state_for(seat) == two.state_for(seat)
            assert one.pending_known(seat) == two.pending_known(seat)
            assert seat == SPECTATOR or legal_actions(T, one.state, seat) == legal_actions(T, two.state, seat)
