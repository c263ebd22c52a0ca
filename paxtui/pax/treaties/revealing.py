"""Making a Treaty, or a secret article of a public one, known to everybody.

Rules: TRE-009, TRE-011, TRE-012, TRE-019 (R-TRE-04, R-TRE-05)
"""

from __future__ import annotations

from paxtui.pax.history import events as ev
from paxtui.pax.orders import actions as ac
from paxtui.pax.play.play import Play, refuse
from paxtui.pax.state.treaty import Treaty
from paxtui.pax.treaties import breaches, ending, granted_causes
from paxtui.pax.treaties.finding import article, hidden, own


def reveal(play: Play, power: str, action: ac.Reveal) -> None:
    """Make a Treaty public; of a public one, all secret articles, or with `article` that one.

    A Treaty made public keeps its secret articles until they are revealed too. Breaches of what everybody may read
    now count from now on; revealing itself is never one, whatever the Treaty says.

    Raises: Refusal `not_in_force`, `nothing_open`, `revealed`, `no_article`.
    Rules: TRE-011, TRE-012, TRE-019 (R-TRE-04, R-TRE-05)
    """
    treaty = own(play, power, action.id)
    if not treaty.since:
        refuse("not_in_force", ("TRE-002",), "Only a Treaty that all have signed can be revealed.")
    secret = hidden(treaty)
    articles: tuple[int, ...] = ()
    if action.article:
        n = article(play, power, treaty, action.article)
        articles = (n,) if n in secret else ()
    elif treaty.public:
        articles = secret
    if not treaty.public and not articles and secret and len(secret) == len(treaty.clauses):
        refuse(
            "nothing_open",
            ("TRE-011",),
            "All its articles are secret ones: name the one that everybody is to read.",
        )
    if treaty.public and not articles:
        refuse("revealed", ("TRE-011",), "That is public already.")
    _show(play, power, treaty, articles)


def publish(play: Play, power: str, id_: str) -> None:
    """Make a Treaty public that all parties have signed, without its secret articles. Rules: PBM-047, TRE-011."""
    treaty = own(play, power, id_)
    if len(hidden(treaty)) < len(treaty.clauses) or not treaty.clauses:
        _show(play, power, treaty, ())


def _show(play: Play, power: str, treaty: Treaty, articles: tuple[int, ...]) -> None:
    """Let everybody know of a Treaty, and of these of its secret articles."""
    play.emit(
        ev.TreatyRevealed(id=treaty.id, power=power, treaty=treaty, articles=articles, rules=("TRE-011", "TRE-019"))
    )
    breaches.open_breaches(play, treaty.id)
    granted_causes.by_reading(play, treaty.id)
    ending.end_what_is_over(play, treaty.id, ("TRE-011",))
