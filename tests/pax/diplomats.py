"""Random diplomatic games: drafts, signatures, refusals, revelations, offers, dispatches and undo by various seats.

Every secret contains a unique nonsense word, so that a test can search for it wherever it must not appear.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from msgspec import to_builtins

from paxtui.engine.game import Redo, Undo
from paxtui.engine.log import Line
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.dispatches import Dispatch
from paxtui.games.pax.board.status import powers_of
from paxtui.games.pax.menus.legal import legal_actions
from paxtui.games.pax.state.diplomacy import CONGRESS, DRAFT, IN_FORCE, SETTLEMENT, TREATY, Clause, Treaty
from paxtui.games.pax.visibility import seats_between, seats_of
from paxtui.session.game_host import empty_clock
from paxtui.session.pax_host import PaxHost
from tests.rules.harness import marker, tables

T = tables()
AREAS = ("egypt", "tunis", "persia", "kenya", "siam", "congo", "kongo", "korea", "marocco", "cuba")
PLACES = tuple(a for a in AREAS if a in T.areas)

WORLD: dict[str, Any] = {
    "areas": {
        "tunis": {"markers": [marker("france", "protectorate"), marker("italy", "protectorate")]},
        "persia": {"markers": [marker("britain", "influence"), marker("russia", "protectorate")]},
        "siam": {"markers": [marker("britain", "protectorate"), marker("france", "influence")]},
        "kenya": {"markers": [marker("britain", "possession"), marker("germany", "interest")]},
    },
    "powers": {
        p: {"treasury": 60} for p in ("britain", "france", "germany", "russia", "italy", "japan", "united_states")
    },
}
"""Money for each Power and a few disputes."""

SEATS = ("britain", "france", "germany", "united_states", "japan", "russia", "italy")


def world(seed: str, phase: str = "negotiation", undo: str = "strict", **more: Any) -> PaxHost:
    """A game of seven seats at a position with disputes; `more`: more of the patch."""
    table = PaxHost.new(T, SEATS, seed, undo="free" if undo == "free" else "strict", game_id="g", clock=empty_clock)
    patch = {**WORLD, "phase": phase, **more}
    if phase == "movement":  # disputes arise only later
        patch["areas"] = {area: {"markers": here["markers"][:1]} for area, here in WORLD["areas"].items()}
    table.act(ARBITER, actions.SetPosition(patch))
    return table


def nonsense(random: Random) -> str:
    """A word that nothing else contains."""
    return "zq" + "".join(random.choice("bcdfghjklmnpqrstvwxz") for _ in range(8))


@dataclass
class Secret:
    """A nonsense word and the seats that may know it. `about`, `article`: Treaty and article, -1 for its name."""

    word: str
    seats: frozenset[str]
    about: str = ""
    article: int = -1
    hidden: bool = False
    opens: int = 0


@dataclass
class Diplomat:
    """Chooses the next diplomatic action of a seat from what that seat may know.

    `friends` are the seats it has private dealings with; by default all.
    """

    table: PaxHost
    random: Random
    secrets: list[Secret] = field(default_factory=list)
    quiet: bool = False
    """Whether all actions must be invisible to others."""

    def choose(self, seat: str, friends: tuple[str, ...]) -> actions.Action | Undo | Redo | Dispatch | None:
        """A private action, or None."""
        ways = (self.answer, self.draft, self.keep_or_leave, self.offer, self.reply, self.dispatch)
        first, *others = self.random.choices(ways, [6, 3, 6, 2, 3, 2], k=3)
        return first(seat, friends) or others[0](seat, friends) or others[1](seat, friends)

    # Agreements

    def word(self, seats: frozenset[str], **about: Any) -> str:
        """A new secret."""
        secret = Secret(nonsense(self.random), seats, **about)
        self.secrets.append(secret)
        return secret.word

    def draft(self, seat: str, friends: tuple[str, ...]) -> actions.Action | None:
        """A draft, new or in answer to another."""
        random = self.random
        powers = powers_of(T, self.table.state, seat)
        others = tuple(f for f in friends if f != seat)
        if not others:
            return None
        named = tuple(random.sample(others, random.choice([1, 1, min(2, len(others))])))
        power = random.choice(powers)
        seats = frozenset((seat, *named))
        open_ = [t for t in self.mine(seat, friends) if t.stage == DRAFT and t.form != "congress"]
        instead = random.choice(open_) if open_ and random.random() < 0.3 else None
        if instead is not None and not set(instead.parties) <= {power, *others}:
            instead = None
        if instead is not None:
            added = random.sample(others, 1) if random.random() < 0.4 else []
            named = tuple(dict.fromkeys((*(p for p in instead.parties if p != power), *added)))
            seats = frozenset(s for s in SEATS if s in (seat, *named))
        form = SETTLEMENT if not self.quiet and random.random() < 0.15 else TREATY
        public = not self.quiet and random.random() < 0.1
        clauses = tuple(self.clause(power, named, seats, n) for n in range(random.randint(1, 4)))
        name = self.word(seats, about="new")
        return actions.Draft(
            name=name.title(),
            parties=named,
            clauses=clauses,
            form=form,
            public=public,
            instead=instead.id if instead else "",
            power="" if power == seat else power,
        )

    def clause(self, power: str, named: tuple[str, ...], seats: frozenset[str], number: int) -> Clause:
        """A clause of a kind that is valid in any position, mostly free text."""
        random = self.random
        owes, other = random.sample((power, *named), 2)
        secret = random.random() < 0.35
        kind = random.choice(
            ["text", "text", "text", "no_marker", "no_unit", "at_most", "non_aggression", "defensive", "no_build"]
            + ([] if self.quiet else ["pay", "pay_later", "pay_always"])
        )
        area = random.choice(PLACES)
        match kind:
            case "text":
                word = self.word(seats, about="new", article=number, hidden=secret)
                return Clause("text", text=f"we shall {word}", secret=secret)
            case "no_marker":
                return Clause("no_marker", power=random.choice([owes, ""]), places=(area,), secret=secret)
            case "no_unit":
                return Clause("no_unit", power=owes, places=(area,), secret=secret)
            case "at_most":
                return Clause("at_most", power=owes, places=(area,), amount=random.randint(0, 9), secret=secret)
            case "no_build":
                return Clause("no_build", power=owes, units=("naval",), until=3, secret=secret)
            case "pay":
                return Clause("pay", power=owes, to=other, amount=random.randint(1, 9), secret=secret)
            case "pay_later":
                return Clause("pay", power=owes, to=other, amount=3, turn=2, secret=secret)
            case "pay_always":
                return Clause("pay", power=owes, to=other, amount=2, every_turn=True, secret=secret)
            case _:
                return Clause(kind, secret=secret)

    def mine(self, seat: str, friends: tuple[str, ...]) -> list[Treaty]:
        """Agreements of the seat with its friends alone."""
        state = self.table.state
        among = [(t, seats_of(T, state, t.parties)) for t in state.treaties]
        return [t for t, seats in among if seat in seats and {*seats} <= {seat, *friends}]

    def answer(self, seat: str, friends: tuple[str, ...]) -> actions.Action | None:
        """Sign or reject a draft."""
        powers = powers_of(T, self.table.state, seat)
        found = [
            (t, p)
            for t in self.mine(seat, friends)
            for p in t.parties
            if t.stage == DRAFT and t.form != "congress" and p in powers
        ]
        if not found:
            return None
        unsigned = [(t, p) for t, p in found if p not in t.signed]
        treaty, power = self.random.choice(unsigned or found)
        own = "" if power == seat else power
        if unsigned and self.random.random() < 0.85:
            return actions.Sign(treaty.id, own)
        return actions.Reject(treaty.id, own) if self.random.random() < 0.3 else None

    def keep_or_leave(self, seat: str, friends: tuple[str, ...]) -> actions.Action | None:
        """Agree to an end, ask to go, leave, charge, judge, reveal."""
        powers = powers_of(T, self.table.state, seat)
        found = [(t, p) for t in self.mine(seat, friends) for p in t.parties if t.stage == IN_FORCE and p in powers]
        if not found:
            return None
        random = self.random
        treaty, power = random.choice(found)
        own = "" if power == seat else power
        other = random.choice([p for p in treaty.parties if p != power])
        words = [n for n, c in enumerate(treaty.clauses, start=1) if c.kind == "text"]
        article = random.choice(words or range(1, len(treaty.clauses) + 1 or 2))
        if treaty.charges and random.random() < 0.5:
            charge = random.choice(treaty.charges)
            return actions.Judge(treaty.id, charge.clause + 1, charge.against, random.random() < 0.6, own)
        acts: list[actions.Action] = [
            actions.Lapse(treaty.id, own),
            actions.Lapse(treaty.id, own),
            actions.Release(treaty.id, random.choice(treaty.parties), own),
            actions.Renounce(treaty.id, own),
            actions.Charge(treaty.id, article, other, own),
            actions.Charge(treaty.id, article, other, own),
        ]
        if not self.quiet:
            acts += [actions.Reveal(treaty.id, random.choice([0, 0, article]), own)] * 3
        return random.choice(acts)

    # Offers and dispatches

    def offer(self, seat: str, friends: tuple[str, ...]) -> actions.Action | None:
        """Offer money, a marker or a share of an Area."""
        others = [f for f in friends if f != seat]
        if not others:
            return None
        to = self.random.choice(others)
        held = [
            area
            for area, here in self.table.state.areas.items()
            if any(m.power == seat and m.established for m in here.markers)
        ]
        kind = self.random.choice(["pay", "pay", "transfer", "codominion"])
        if kind == "pay" or not held:
            return actions.Pay(to, self.random.randint(1, 20))
        area = self.random.choice(held)
        if kind == "transfer":
            return actions.Transfer(area, to)
        here = self.table.state.areas[area]
        members = {m.power for m in here.markers if m.marker not in ("interest", "influence")}
        return actions.Codominion(area) if members <= {*friends} else None

    def reply(self, seat: str, friends: tuple[str, ...]) -> actions.Action | None:
        """Accept or decline an offer."""
        state = self.table.state
        found = [c for c in state.choices if c.seat == seat and {*seats_between(T, state, c)} <= {seat, *friends}]
        if not found:
            return None
        choice = self.random.choice(found)
        words = ["decline"] if self.quiet else ["accept", "decline"]
        if choice.kind == "duty":
            words = ["keep", "break"]
        return actions.Choose(choice.id, (self.random.choice(words),))

    def dispatch(self, seat: str, friends: tuple[str, ...]) -> Dispatch | None:
        """A dispatch, open or sealed, or sometimes a proclamation."""
        others = [f for f in friends if f != seat]
        if not self.quiet and self.random.random() < 0.15:
            return Dispatch((), "hear, hear")
        if not others:
            return None
        to = tuple(self.random.sample(others, self.random.randint(1, len(others))))
        opens = self.random.choice([0, 0, 0, 2, 3])
        seats = frozenset((seat, *to)) if not opens else frozenset({seat})
        about = "letter" if opens else ""
        word = self.word(seats, about=about, opens=opens)
        if opens:
            self.secrets[-1].about = "letter " + " ".join(to)
        return Dispatch(to, f"between us: {word}", opens)

    # Open play

    def openly(self, seat: str) -> actions.Action | None:
        """A public action from the menu."""
        menu = legal_actions(T, self.table.state, seat)
        verbs = ("downgrade", "withdraw", "waive", "place", "upgrade", "build", "ready", "unready", "merchant")
        texts = [t for t in menu.orders if t.split(": ")[-1].split(" ")[0] in verbs]
        if not texts:
            return None
        flags = [t for t in texts if t in ("ready", "unready")]
        text = self.random.choice(flags) if flags and self.random.random() < 0.3 else self.random.choice(texts)
        found = self.table.read(text)
        assert isinstance(found, actions.Action)
        return found


def league(diplomat: Diplomat, seats: tuple[str, ...], number: int) -> list[dict[str, Any]]:
    """Treaties in force among some seats, as rows of a patch. Their nonsense words become secrets of the diplomat."""
    random, rows = diplomat.random, []
    for n in range(number):
        first = len(diplomat.secrets)
        some = random.sample(seats, random.randint(2, min(4, len(seats))))
        parties = tuple(p for p in SEATS if p in some)
        clauses = [diplomat.clause(parties[0], parties[1:], frozenset(parties), i) for i in range(random.randint(1, 4))]
        name = diplomat.word(frozenset(parties), about="new").title()
        for secret in diplomat.secrets[first:]:
            secret.about = f"league{n}"
        rows.append(
            {
                "id": f"league{n}",
                "name": name,
                "drafter": parties[0],
                "parties": list(parties),
                "clauses": [to_builtins(c) for c in clauses],
                "stage": IN_FORCE,
                "signed": list(parties),
                "since": 1,
            }
        )
    return rows


def congress_at_the_vote(seed: str, attending: tuple[str, ...] = SEATS) -> PaxHost:
    """A Congress in London over Tunis with these members, a proposal and no ballot cast."""
    sides = (("france", "italy"), ("italy", "france"))
    causes = [{"holder": h, "against": a, "area": "tunis", "cause": "control_conflict"} for h, a in sides]
    table = world(seed, casus_belli=causes)
    table.act("france", "congress britain")
    for seat in SEATS:
        table.act(seat, "ready")
    lower = Clause("lower", power="italy", places=("tunis",), marker="interest")
    while not any(c.kind == "ballot" for c in table.state.choices):
        if not table.state.choices:
            table.act(ARBITER, "advance")
            continue
        choice = table.state.choices[0]
        if choice.kind == "propose" and choice.seat == "france":
            table.act("france", actions.Draft("Act of London", (), (lower,), form=CONGRESS))
        else:
            answer = choice.default
            if choice.kind == "attend":
                answer = "attend" if choice.seat in attending else "stay_away"
            table.act(choice.seat, actions.Choose(choice.id, (str(answer),)))
    return table


def reopened(table: PaxHost) -> PaxHost:
    """The game opened again from its log."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "game.jsonl"
        path.write_bytes(table.log())
        return PaxHost.open(path, write=False, clock=empty_clock)


def attempt(table: PaxHost, seat: str, order: Any) -> tuple[Line | None, tuple[Any, ...]]:
    """The line and the answer of an order, or None and the whole refusal."""
    try:
        return table.act(seat, order)
    except Refusal as refusal:
        return None, (refusal.code, refusal.rules, refusal.message, repr(sorted(refusal.detail.items())))
