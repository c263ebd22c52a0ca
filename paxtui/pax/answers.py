"""Answering pending choices: each kind has its function `(play, choice, answer)` beside the rule that offers it.

An answer names options by their texts; several where the choice allows several (`paxtui.pax.play.choices`).
"""

from __future__ import annotations

from collections.abc import Callable

from paxtui.engine.choices import Choice
from paxtui.pax.combat import colonial_combat, exchange, retreats
from paxtui.pax.congress import ballots, session, signatures
from paxtui.pax.diplomacy import codominions, gifts, transfers
from paxtui.pax.expansion import canals, units
from paxtui.pax.play import choices
from paxtui.pax.play.choices import Answer, default_of
from paxtui.pax.play.play import Play
from paxtui.pax.treaties import treaty_duties
from paxtui.pax.turn import deficits

HANDLERS: dict[str, Callable[[Play, Choice, Answer], None]] = {
    "deficit": deficits.answer_deficit,
    "fight": colonial_combat.answer_fight,
    "losses": exchange.answer_losses,
    "combine": colonial_combat.answer_combine,
    "retreat": retreats.answer_retreat,
    "money": gifts.answer_money,
    "transfer": transfers.answer_transfer,
    "codominion": codominions.answer_codominion,
    "canal": canals.answer_canal,
    "coast": units.answer_coast,
    "duty": treaty_duties.answer,
    "site": session.answer_site,
    "attend": session.answer_attend,
    "invite": session.answer_invite,
    "agenda": session.answer_agenda,
    "propose": session.answer_propose,
    "ballot": ballots.answer_ballot,
    "tie": ballots.answer_tie,
    "sign": signatures.answer_sign,
}


def take(play: Play, choice: Choice, answer: Answer, by_default: bool = False) -> None:
    """Answer a choice. The handler checks the answer against the rules, and refuses what they forbid."""
    choices.made(play, choice, answer, by_default)
    HANDLERS[choice.kind](play, choice, answer)


def take_default(play: Play, choice: Choice) -> None:
    """Take the default of a choice."""
    take(play, choice, default_of(choice), by_default=True)
