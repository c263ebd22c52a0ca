"""Casus Belli as they stand in a position; what they mean is for `paxtui.pax.play.casus_belli`."""

from __future__ import annotations

import msgspec


class CasusBelli(msgspec.Struct, frozen=True, omit_defaults=True):
    """A cause of war: `holder` may use it against `against`.

    Attributes:
        cause: its row in the Casus Belli Summary (`Tables.causes`); "" for a conflict of markers set up by hand.
        lapses: "negotiation" where it is settled by default once nobody has acted on it till the War Phase has opened,
            "turn" where it is there till the end of the Game Turn (`paxtui.pax.play.casus_belli`).
        treaty: id of the Treaty that was broken, or that grants it.
        minor: Minor Power whose rights the holder defends.
        demanded: whether the holder demanded the Area, where victors quarrel over the spoils of a War.
    """

    id: str
    holder: str
    against: str
    area: str = ""
    rule: str = ""
    cause: str = ""
    lapses: str = ""
    treaty: str = ""
    minor: str = ""
    demanded: bool = False


class Waiver(msgspec.Struct, frozen=True, omit_defaults=True):
    """A Casus Belli over an Area given up. `against`: "" for everybody, in games that did not note it."""

    holder: str
    against: str = ""

    def covers(self, holder: str, against: str) -> bool:
        """Whether what was given up is the cause of one Power against the other."""
        return self.holder == holder and self.against in ("", against)
