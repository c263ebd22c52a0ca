"""Which conditional orders are carried out: the orders of all seats at once, as a system of equations.

An order hangs on those that its condition speaks of, and on earlier ones of the same form that may take money or
pieces from it. Orders that hang on each other in a circle are settled together: where nothing is excluded by `unless`
or `not`, all of them are tried and those whose conditions fail fall out until none does; else there has to be exactly
one way in which all their conditions agree with what is done. Where there is none, or more than one, they are a
paradox, and none of them is carried out.

Rules: PBM-015 to PBM-017, PBM-019 (R-PBM-02, R-PBM-03)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain, combinations
from typing import NamedTuple

from paxtui.pax.postal.boards import Boards, Judged, Node
from paxtui.pax.postal.conditions import parts, possible, speaks_of

MOST_ROUNDS = 50
"""Rounds after which orders that never come to rest are a paradox (R-PBM-03)."""

MOST_TRIED = 10
"""Conditional orders in a circle with an exclusion of which every combination is tried."""

Edges = Mapping[Node, Mapping[Node, bool]]
"""What each order hangs on, and whether some exclusion is in it."""


class Solution(NamedTuple):
    """Which conditional orders are carried out.

    Attributes:
        fires: those whose condition is met.
        paradox: those that exclude each other; none of them is in `fires`.
        judged: what becomes of all orders.
    """

    fires: frozenset[Node]
    paradox: frozenset[Node]
    judged: Judged


def solve(boards: Boards) -> Solution:
    """Settle the conditional orders of all forms.

    At first earlier orders of a form count only where money or pieces are short in some case; where that has missed
    something they all count.

    Rules: PBM-015, PBM-016, PBM-017, PBM-019
    """
    if not boards.conditional:
        return Solution(frozenset(), frozenset(), boards.judged(()))
    found = _solved(boards, _edges(boards, thorough=False))
    if not _stands(boards, found):
        found = _solved(boards, _edges(boards, thorough=True))
    return found


def _stands(boards: Boards, found: Solution) -> bool:
    """Whether the condition of every order agrees with what is done, those of a paradox left aside."""
    rest = boards.conditional - found.paradox
    return all(boards.met(node, found.judged) == (node in found.fires) for node in rest)


def _solved(boards: Boards, edges: Edges) -> Solution:
    fires: set[Node] = set()
    paradox: set[Node] = set()
    for circle in _circles(boards.orders, edges):
        open_ = sorted(circle & boards.conditional)
        if not open_:
            continue
        alone = len(circle) == 1 and open_[0] not in edges[open_[0]]
        excluded = any(no for node in circle for other, no in edges[node].items() if other in circle)
        settled: frozenset[Node] | None
        if alone:
            settled = _met(boards, fires, open_)
        elif excluded:
            settled = _only_way(boards, fires, open_)
        else:
            settled = _rest(boards, fires, open_)
        if settled is None:
            paradox.update(open_)
        else:
            fires |= settled
    return Solution(frozenset(fires), frozenset(paradox), boards.judged(fires))


def _met(boards: Boards, fires: Iterable[Node], open_: Iterable[Node]) -> frozenset[Node]:
    """Those of some orders whose condition is met when others are carried out."""
    judged = boards.judged(fires)
    return frozenset(node for node in open_ if boards.met(node, judged))


def _rest(boards: Boards, fires: set[Node], open_: list[Node]) -> frozenset[Node] | None:
    """Begin with all of them, and drop those whose conditions fail, until nothing changes; None where that never is.

    Rules: PBM-016 (R-PBM-02, R-PBM-03)
    """
    now = frozenset(open_)
    for _ in range(MOST_ROUNDS):
        after = _met(boards, fires | now, open_)
        if after == now:
            return now
        now = after
    return None


def _only_way(boards: Boards, fires: set[Node], open_: list[Node]) -> frozenset[Node] | None:
    """The one combination of them in which every condition agrees with what is done; None where it is not the only one.

    Rules: PBM-017 (R-PBM-02)
    """
    if len(open_) > MOST_TRIED:
        # far too many to try: what comes to rest from both ends at the same is taken for the only one
        high = _rest(boards, fires, open_)
        low = frozenset[Node]()
        for _ in range(MOST_ROUNDS):
            low = _met(boards, fires | low, open_)
        return high if high == low else None
    every = chain.from_iterable(combinations(open_, count) for count in range(len(open_) + 1))
    found = [chosen for chosen in map(frozenset, every) if _met(boards, fires | chosen, open_) == chosen]
    return found[0] if len(found) == 1 else None


# --- what hangs on what -----------------------------------------------------------------------------------------------


def _edges(boards: Boards, thorough: bool) -> Edges:
    edges: dict[Node, dict[Node, bool]] = {node: {} for node in boards.orders}
    deeds = {
        node: tuple(deed for act in order.acts for deed in possible(act, node[0]))
        for node, order in boards.orders.items()
    }
    by_verb: dict[str, list[Node]] = {}
    for node, some in deeds.items():
        for verb in {deed.verb for deed in some}:
            by_verb.setdefault(verb, []).append(node)
    for node in boards.conditional:
        condition = boards.orders[node].condition
        assert condition is not None
        for does, wanted in parts(condition):
            for other in by_verb.get(does.verb, ()):
                if other[0] != node[0] and any(speaks_of(does, deed, boards.own[node[0]]) for deed in deeds[other]):
                    edges[node][other] = edges[node].get(other, False) or not wanted
    _claims(boards, edges, thorough)
    return edges


def _claims(boards: Boards, edges: dict[Node, dict[Node, bool]], thorough: bool) -> None:
    """Orders hang on earlier ones that may take money or pieces from them, and on gifts and their acceptance."""
    everything, nothing = boards.judged(boards.conditional), boards.judged(())
    gifts = [node for node in boards.orders if boards.is_gift(node)]
    for node in boards.orders:
        if node in gifts:
            claims = [*boards.accepts(node), *(gift for gift in gifts if gift != node)]
        else:
            earlier = [(node[0], n) for n in range(node[1])]
            claims = [*gifts, *(one for one in earlier if one in boards.orders)]
        if not thorough and node not in gifts and not _varies(boards, node, everything, nothing):
            continue
        for other in claims:
            edges[node].setdefault(other, False)


def _varies(boards: Boards, node: Node, everything: Judged, nothing: Judged) -> bool:
    """Whether it makes a difference to an order what else is carried out."""
    one, other = everything.outcomes[node], nothing.outcomes[node]
    if node in boards.conditional:  # among nothing it was not tried
        other = boards.judged((node,)).outcomes[node]
    return one.status != other.status or one.deeds != other.deeds


def _circles(nodes: Iterable[Node], edges: Edges) -> list[frozenset[Node]]:
    """Orders that hang on each other, together; what they hang on comes before them (Tarjan)."""
    number: dict[Node, int] = {}
    low: dict[Node, int] = {}
    stack: list[Node] = []
    on: set[Node] = set()
    out: list[frozenset[Node]] = []
    for root in nodes:
        if root in number:
            continue
        number[root] = low[root] = len(number)
        stack.append(root)
        on.add(root)
        work = [(root, iter(edges[root]))]
        while work:
            node, further = work[-1]
            for other in further:
                if other not in number:
                    number[other] = low[other] = len(number)
                    stack.append(other)
                    on.add(other)
                    work.append((other, iter(edges[other])))
                    break
                if other in on:
                    low[node] = min(low[node], number[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == number[node]:
                    circle = set[Node]()
                    while node not in circle:
                        one = stack.pop()
                        on.discard(one)
                        circle.add(one)
                    out.append(frozenset(circle))
    return out
