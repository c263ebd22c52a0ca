"""Changes of what Powers have."""

from __future__ import annotations

from msgspec.structs import replace

from paxtui.empires.history.event import Event, Kinds
from paxtui.empires.state.ledger import Account, Posting, What
from paxtui.empires.state.model import State


class Posted(Event, frozen=True, tag="posted"):
    """A Power gains or loses points, money or manpower, for a reason."""

    power: str
    what: What
    amount: int
    reason: str


def _posted(state: State, event: Posted) -> State:
    account = state.accounts.get(event.power, Account())
    changed = changed_account(account, event.what, event.amount)
    posting = Posting(state.turn, event.power, event.what, event.amount, event.reason, event.rules)
    return replace(state, accounts={**state.accounts, event.power: changed}, ledger=(*state.ledger, posting))


def changed_account(account: Account, what: What, amount: int) -> Account:
    """An account after a change."""
    if what == "points":
        return replace(account, points=account.points + amount)
    if what == "money":
        return replace(account, money=account.money + amount)
    return replace(account, manpower=account.manpower + amount)


KINDS: Kinds = {Posted: _posted}
