"""Congresses of Europe for tests: calls, members, proposals and votes."""

from __future__ import annotations

from typing import Any

from tests.rules.harness import army, start

TUNIS = [{"power": "france", "marker": "protectorate"}, {"power": "italy", "marker": "protectorate"}]
MUTUAL = [
    {"holder": "france", "against": "italy", "area": "tunis", "rule": "STA-024", "cause": "control_conflict"},
    {"holder": "italy", "against": "france", "area": "tunis", "rule": "STA-024", "cause": "control_conflict"},
]
BROKEN = {"rule": "TRE-007", "cause": "treaty_broken"}


def cause(holder: str, against: str, area: str = "", **more: Any) -> dict[str, Any]:
    """A Casus Belli of a patch."""
    kind = {"rule": "STA-052", "cause": "control_over_influence"} if area else BROKEN
    return {"holder": holder, "against": against, "area": area or None, **kind, **more}


TWO = {
    "tunis": {"markers": TUNIS},
    "siam": {"markers": [{"power": "britain", "marker": "protectorate"}, {"power": "russia", "marker": "influence"}]},
}
"""Areas with two disputes."""
BOTH = [*MUTUAL, cause("russia", "britain", "siam")]
"""The Casus Belli of these disputes."""


def game(causes: Any = None, players: int = 7, options: Any = None, **patch: Any):
    """A Negotiation Phase: by default France and Italy quarrel over Tunis."""
    areas = patch.pop("areas", {"tunis": {"markers": TUNIS, "units": [army("france"), army("italy", 3)]}})
    powers = {"france": {"treasury": 40}, "italy": {"treasury": 20}, "britain": {"treasury": 30}}
    everything = {"phase": "negotiation", "areas": areas, "casus_belli": MUTUAL if causes is None else causes}
    wanted = {"counter_limits": "unlimited", **(options or {})}
    return start({**everything, "powers": patch.pop("powers", powers), **patch}, players=players, options=wanted)


def choose(g: Any, seat: str, kind: str, answer: str) -> list[Any]:
    """Answer a choice of that kind."""
    choice = next(c for c in g.state.choices if c.kind == kind and c.seat == seat)
    return g.act(seat, f"choose {choice.id} {answer}")


def asked_seats(g: Any, kind: str) -> list[str]:
    """Seats with a pending choice of that kind."""
    return sorted(c.seat for c in g.state.choices if c.kind == kind)


def all_answer(g: Any, kind: str, answer: str, **others: str) -> None:
    """Let each asked_seats seat give this answer, or its own of `others`."""
    for seat in asked_seats(g, kind):
        choose(g, seat, kind, others.get(seat, answer))


def meet(g: Any, caller: str = "france", site: str = "britain", attend: tuple[str, ...] = (), over: str = "") -> Any:
    """Call a Congress and play until it takes proposals."""
    g.act(caller, f"congress {site}{over}")
    for seat in g.waiting():
        g.act(seat, "ready")
    assert g.state.phase == "congress"
    all_answer(g, "attend", "stay_away", **dict.fromkeys(attend, "attend"))
    all_answer(g, "invite", "nobody")
    all_answer(g, "attend", "stay_away", **dict.fromkeys(attend, "attend"))
    return g


def propose(g: Any, proposer: str, text: str) -> None:
    """Make a proposal; all others pass."""
    g.act(proposer, f"propose Act: {text}")
    all_answer(g, "propose", "pass")


def none_proposes(g: Any) -> None:
    """Let all pass without a proposal, and declare no War if the Congress fails."""
    all_answer(g, "propose", "pass")
    peaceful(g)


def peaceful(g: Any) -> None:
    """Declare no War after a failed Congress."""
    all_answer(g, "defiance", "pass")


def vote(g: Any, answer: str = "yes sign", **others: str) -> None:
    """Let each member vote this way, or its own of `others`, and declare no War if the Treaty is defied."""
    all_answer(g, "ballot", answer, **others)
    peaceful(g)


def markers(g: Any, area: str) -> set[tuple[str, str]]:
    """Power and kind of every established marker in an Area."""
    return {(m.power, m.marker) for m in g.state.areas[area].markers if m.established}


SETTLES = "italy lowers tunis to interest; france pays italy 15"
