"""Compare a statesman in a person's seat with the bot of the same seat and seed: `python -m tools.fair_order`.

The statesman acts through the runner of the bots as a person does: one small step, then the bots take theirs. With
`--advice` it is compared with a person that always follows its advice.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from functools import lru_cache, partial
from itertools import product
from typing import Any, NamedTuple

from paxtui.engine.bots import BotRequest
from paxtui.engine.game import Game
from paxtui.engine.refusal import Refusal
from paxtui.engine.seating import PERSON, WITH_PERSONS, BotOrder
from paxtui.games.pax.position.setup import seats_for
from paxtui.session.advice import PlanAdviser
from paxtui.session.bot_process import compute_response, last_word_request
from paxtui.session.bot_runner import BotMoves, BotRunner, next_step
from paxtui.session.game_host import GameHost
from paxtui.session.local_session import LocalSession
from paxtui.session.pax_bot_runner import READY, PaxBotRunner
from paxtui.session.pax_host import PaxHost
from paxtui.session.tables.records import new_game_tables
from paxtui.simulation.match import Match, begin_match, play_to_end

MOST_STEPS = 20_000


class PersonRunner(PaxBotRunner):
    """Lets a bot act for a person, one small step a run.

    Args:
        table: the game.
        seat: the person's seat.
        bot: the bot that acts there.
    """

    def __init__(self, table: PaxHost, seat: str, bot: str) -> None:
        super().__init__(table)
        self._person, self._name = seat, bot
        self._last_words = (0, "")

    def course(self) -> BotMoves:
        """Yield the steps of one act of the person."""
        acts, seats = self._acts, (self._person,)
        yield from self._round(seats)
        if self._acts == acts and self._person in self._table.waiting and not self._has_question(self._person):
            yield from self._finish_phase()

    @property
    def rules(self) -> Game[Any]:
        """The rules of the game."""
        return self._table.rules

    def _finish_phase(self) -> BotMoves:
        table, seat = self._table, self._person
        if table.state.phase == "war":
            yield from self._try(seat, (yield from self._orders(seat)))
            return
        if table.state.phase == "negotiation" and self._last_words != table.moment:
            self._last_words = table.moment
            answer = yield last_word_request(table, seat, self._name)
            yield from self._try(seat, [act for act in (answer.acts if answer else ()) if act.text != "ready"])
        yield from self._try(seat, READY)

    def _be_ready(self, seats: Sequence[str]) -> BotMoves:
        yield from ()

    def _persons(self) -> list[str]:
        return []

    def _is_bot(self, seat: str) -> bool:
        return seat == self._person

    def _bot(self, seat: str) -> str:
        return self._name


def let_act(person: PersonRunner, bots: BotRunner) -> None:
    """Let the person take a step; the bots take theirs after each act."""
    course = person.course()
    step = next_step(course, None)
    while step is not None:
        answer = None
        if isinstance(step, BotRequest):
            answer = compute_response(person.rules, step)
        else:
            bots.run()
        step = next_step(course, answer)


def play_by_advice(seed: str, seat: str, bot: str, turns: int = 10) -> PaxHost:
    """Play a game in which a person at `seat` does what the advice of a bot says, for some Game Turns."""
    table = begin_game(seed, bot)
    assert isinstance(table, PaxHost)
    table.seat({seat: PERSON})
    session = LocalSession(table, seat)
    plan = PlanAdviser(session, bot)
    for _ in range(MOST_STEPS):
        if table.is_over or table.state.turn > turns:
            return table
        if seat not in table.waiting:
            before = table.version
            session.advance()
            if table.version == before:
                table.take_defaults()
            continue
        while (request := plan.request()) and plan.accept(compute_response(table.rules, request)):
            pass
        steps = plan.steps()
        for text in steps[0].texts if steps else ():
            with suppress(Refusal):
                session.act_text(text)
        if steps:
            plan.mark_done(steps[0])
        else:
            table.take_defaults((seat,))
    raise RuntimeError("the game does not end")


class PairedResult(NamedTuple):
    """The rank of a seat in two games with the same seed.

    Attributes:
        person: with a bot in the person's seat.
        other: with bots only, or with a person that follows the bot's advice.
        same: whether all seats have the same Victory Points in both games.
    """

    seat: str
    seed: str
    person: int
    other: int
    same: bool


def begin_game(seed: str, bot: str) -> GameHost:
    """Begin a game of seven equal bots, with the tables of new games."""
    tables = str(new_game_tables("") or "")
    return begin_match(Match(number=1, seed=seed, bots=dict.fromkeys(seats_for(7), bot), tables=tables))


def play_as_person(seed: str, seat: str, bot: str, order: BotOrder = WITH_PERSONS, turns: int = 10) -> PaxHost:
    """Play a game in which a bot acts for the person at `seat`, for some Game Turns, and return it."""
    table = begin_game(seed, bot)
    assert isinstance(table, PaxHost)
    table.seat({seat: PERSON})
    bots, person = PaxBotRunner(table), PersonRunner(table, seat, bot)
    bots.order = order
    for _ in range(MOST_STEPS):
        if table.is_over or table.state.turn > turns:
            return table
        before = table.version
        table.advance()
        bots.run()
        if seat in table.waiting:
            let_act(person, bots)
        if table.version == before:
            table.take_defaults()
    raise RuntimeError("the game does not end")


def play_pair(asked: tuple[str, str], bot: str, order: BotOrder, advice: bool) -> PairedResult:
    """Play a seed twice: with a bot in a person's seat, and with bots only or with a person that follows its advice.

    Args:
        asked: seat and seed.
        bot: the bot.
        order: when the other bots act.
        advice: whether the second game is one with advice.
    """
    seat, seed = asked
    person = play_as_person(seed, seat, bot, order)
    other = play_by_advice(seed, seat, bot) if advice else play_bots(seed, bot)
    same = person.rules.result(person.state) == other.rules.result(other.state)
    return PairedResult(seat, seed, rank_of(person, seat), rank_of(other, seat), same)


@lru_cache(maxsize=1)
def play_bots(seed: str, bot: str) -> GameHost:
    """Play a game with bots only, once for all seats."""
    table = begin_game(seed, bot)
    play_to_end(table)
    return table


def rank_of(table: GameHost, seat: str) -> int:
    """Return the rank of a seat in a finished game."""
    result = table.rules.result(table.state)
    assert result is not None
    return result.ranks[seat]


def results_table(results: Sequence[PairedResult]) -> str:
    """Return the wins and mean ranks by seat, in Markdown."""
    lines = [
        "| seat | games | won by the bot for a person | in the other game | mean rank | other game | same result |",
        "|---|---|---|---|---|---|---|",
    ]
    for seat in (*dict.fromkeys(result.seat for result in results), "all"):
        here = [result for result in results if seat in (result.seat, "all")]
        ranks = [[r.person for r in here], [r.other for r in here]]
        won, other = (sum(rank == 1 for rank in some) for some in ranks)
        mean = [sum(some) / len(some) for some in ranks]
        same = sum(result.same for result in here)
        lines.append(f"| {seat} | {len(here)} | {won} | {other} | {mean[0]:.2f} | {mean[1]:.2f} | {same} |")
    return "\n".join(lines)


def main() -> None:
    """Play the pairs and print the table."""
    part = argparse.ArgumentParser(prog="python -m tools.fair_order", description=__doc__)
    part.add_argument("--games", type=int, default=2, help="seeds for each seat")
    part.add_argument("--bot", default="statesman:normal")
    part.add_argument("--order", default=WITH_PERSONS, choices=("with you", "before you", "after you"))
    part.add_argument("--advice", action="store_true", help="compare with a person that follows the bot's advice")
    part.add_argument("--seed", default="fair")
    part.add_argument("--jobs", type=int, default=1)
    args = part.parse_args()
    asked = [(seat, f"{args.seed}-{n}") for n, seat in product(range(1, args.games + 1), seats_for(7))]
    found: list[PairedResult] = []
    with ProcessPoolExecutor(args.jobs) as pool:
        for result in pool.map(partial(play_pair, bot=args.bot, order=args.order, advice=args.advice), asked):
            found.append(result)
            print(result, flush=True)
    print(results_table(found))


if __name__ == "__main__":
    main()
