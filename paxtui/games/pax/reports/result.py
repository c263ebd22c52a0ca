"""The result of a game in a sentence. Rules: VIC-001, VIC-020."""

from __future__ import annotations

from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.state.model import Result
from paxtui.games.pax.text.display import sentence, the_powers


def describe_result(tables: Tables, result: Result) -> str:
    """Return who won, with how many Victory Points, and by how much; as a sentence."""
    winners = _winners(result)
    most = max(result.totals.values())
    rest = [seat for seat in result.totals if seat not in winners]
    text = f"{describe_winner(tables, result)} with {most} Victory Points"
    if rest:
        second = max(result.totals[seat] for seat in rest)
        names = the_powers(tables, [seat for seat in rest if result.totals[seat] == second])
        text += f", {most - second} ahead of {names}"
    return sentence(text)


def describe_winner(tables: Tables, result: Result) -> str:
    """Return who won, without a full stop."""
    winners = _winners(result)
    verb = "wins" if len(winners) == 1 else "win together"
    return sentence(f"{the_powers(tables, winners)} {verb}").rstrip(".")


def _winners(result: Result) -> list[str]:
    return [seat for seat, rank in result.ranks.items() if rank == 1]
