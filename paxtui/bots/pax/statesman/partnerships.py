"""Offers to share Areas: one Power joins another in the Control of Areas, and pays for it.

A second Control marker lowers the Economic Value of an Area for each holder by 1 only. In rich Areas both together earn
far more than one alone, so two Powers gain on all others. The price divides the gain in Victory Points.

Rules: NEG-012, NEG-015, NEG-017, COD-004, COD-009
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from paxtui.bots.pax.statesman.evaluation import PositionValuation, bonus_areas
from paxtui.bots.pax.statesman.treaty_values import PowerRelations, TreatyValuation
from paxtui.games.pax.board.adjacency import area_type
from paxtui.games.pax.board.routes import linked_areas
from paxtui.games.pax.board.status import area_state, controllers, established, free_pieces, holdings
from paxtui.games.pax.expansion.placement import highest_marker
from paxtui.games.pax.state.diplomacy import Clause
from paxtui.games.pax.state.pieces import CONTROL, INFLUENCE, PROTECTORATE

MAX_SHARED_AREAS = 3
"""Maximum number of Areas in an offer."""
MIN_SHARED_GAIN = 8.0
"""Minimum gain of both Powers together from an Area, in pounds at the end."""
POOR_AREA_VALUE = 4
"""Economic Value below which only a bonus makes sharing worth its price."""
OTTOMAN = "ottoman"


class SharedArea(NamedTuple):
    """An Area that two Powers could share.

    Attributes:
        clause: the article.
        holder_gain, joiner_gain: pounds at the end for the present holder and for the Power that joins it.
        price: pounds that the new marker costs the Power that joins.
    """

    clause: Clause
    holder_gain: float
    joiner_gain: float
    price: int


def sharing_offers(
    relations: PowerRelations, holder: PositionValuation, joiner: PositionValuation
) -> Iterator[tuple[Clause, ...]]:
    """Yield the articles by which one Power joins another in its best Areas, with the payment."""
    price = relations.tables.markers[PROTECTORATE].price - relations.tables.markers[INFLUENCE].price
    pieces = free_pieces(relations.tables, relations.state, joiner.power, relations.tables.markers[PROTECTORATE].pool)
    if not pieces or relations.state.powers[joiner.power].treasury < price:
        return
    found = sorted(shareable_areas(relations, holder, joiner), key=lambda one: -one.holder_gain - one.joiner_gain)
    for count in range(min(MAX_SHARED_AREAS, pieces, len(found)), 0, -1):
        chosen = found[:count]
        money = relations.state.powers[joiner.power].treasury - sum(one.price for one in chosen)
        pounds = fair_payment(holder, joiner, chosen)
        if money < 0 or pounds > money:
            continue
        fee = Clause("pay", power=joiner.power, to=holder.power, amount=pounds)
        yield (*(one.clause for one in chosen), *([fee] if pounds else []))


def fair_payment(holder: PositionValuation, joiner: PositionValuation, areas: list[SharedArea]) -> int:
    """Pounds from the Power that joins with which both gain the same number of Victory Points."""
    held, joined = (sum(one.holder_gain for one in areas), sum(one.joiner_gain for one in areas))
    alike = joined / joiner.pounds_per_point - held / holder.pounds_per_point
    return max(0, round(alike / (1.0 / joiner.pounds_per_point + 1.0 / holder.pounds_per_point)))


def shareable_areas(
    relations: PowerRelations, holder: PositionValuation, joiner: PositionValuation
) -> Iterator[SharedArea]:
    """Yield the Areas of one Power whose sharing with another makes both together richer."""
    tables, state = relations.tables, relations.state
    reach = linked_areas(tables, state, joiner.power)
    parties = (holder.power, joiner.power)
    for area, _ in holdings(state, holder.power):
        if tables.areas[area].value < POOR_AREA_VALUE and area not in bonus_areas(tables, joiner.power):
            continue
        if (
            controllers(state, area) != (holder.power,)
            or area not in reach
            or not _is_shareable(relations, area, parties)
        ):
            continue
        clause = Clause("grant", power=holder.power, to=joiner.power, marker=PROTECTORATE, places=(area,))
        gains = [
            TreatyValuation(relations, valuation, parties, (clause,), False).total() for valuation in (holder, joiner)
        ]
        if sum(gains) >= MIN_SHARED_GAIN:
            own = highest_marker(state, area, joiner.power)
            price = tables.markers[PROTECTORATE].price - (tables.markers[own.marker].price if own else 0)
            yield SharedArea(clause, gains[0], gains[1], price)


def _is_shareable(relations: PowerRelations, area: str, parties: tuple[str, str]) -> bool:
    """Whether an Area may be shared without provoking others: quiet, no State or Dominion, no third Influence."""
    here = area_state(relations.state, area)
    own = established(relations.state, area, parties[0])
    if here.unrest or own is None or relations.tables.markers[own.marker].only_for:
        return False
    if area_type(relations.tables, relations.state, area) == OTTOMAN or any(not m.established for m in here.markers):
        return False
    return not any(m.marker == INFLUENCE and m.power not in parties for m in here.markers) and own.marker in CONTROL
