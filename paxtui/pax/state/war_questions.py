"""What the choices of War are about: calls, combat, the end of a War and its spoils. Data only.

Rules: WAR-047, WCB-006, WCB-021, WCB-025, WCD-002, WEN-031, WEN-041, REB-033, REB-043
"""

from __future__ import annotations

from typing import ClassVar

from paxtui.pax.state.question import Question


class WarQuestion(Question, frozen=True):
    """Base of what a War asks.

    Attributes:
        war: id of the War.
    """

    war: str = ""


class Call(Question, frozen=True, tag="call"):
    """Whether a Power comes to the side of `partner`, as Treaties oblige it to, by declaring War on `on`.

    `by`: the Power whose declaration has called it.
    `treaties` and `clauses` (from 0) go together: what it breaks by refusing. `parties` are those of the Treaties.
    """

    private: ClassVar[bool] = True

    partner: str = ""
    on: tuple[str, ...] = ()
    treaties: tuple[str, ...] = ()
    clauses: tuple[int, ...] = ()
    parties: tuple[str, ...] = ()
    by: str = ""

    def between(self) -> tuple[str, ...]:
        """The partner, and all parties to what calls."""
        return (self.partner, *self.parties)


class Uncalled(Question, frozen=True, tag="uncalled"):
    """Asks nothing: while hidden Treaties stand, whom none calls is waited for as long as whom one does.

    `by`: the Power whose declaration of War it is about.
    """

    private: ClassVar[bool] = True

    by: str = ""


class Defence(Question, frozen=True, tag="defend"):
    """Whether a Power that has announced the defence of `minor` declares War on `on`, the Powers that attack it."""

    shown: ClassVar[str] = "call"

    minor: str = ""
    on: tuple[str, ...] = ()


class Invitation(WarQuestion, frozen=True, tag="invitation"):
    """Whether a Power joins the enemies of the Ottoman Empire, invited by `host`."""

    host: str = ""


class JoinAttack(WarQuestion, frozen=True, tag="join_attack"):
    """Whether an ally with Units in the place of an attack by `by` joins it; `aside` are allies that do not."""

    by: str = ""
    unit_kind: str = ""
    aside: tuple[str, ...] = ()


class WarLosses(WarQuestion, frozen=True, tag="war_losses"):
    """Which Units an exchange costs the stronger side.

    Attributes:
        unit_kind: army or naval.
        powers: those whose Units may be named: the Great Powers of the side, or its Minor Powers once the others
            are gone.
        needed: strength points to lose at least.
        said: what partners have named, by Power.
    """

    several: ClassVar[bool] = True
    shown: ClassVar[str] = "losses"

    unit_kind: str = ""
    powers: tuple[str, ...] = ()
    needed: int = 0
    said: dict[str, tuple[str, ...]] = {}


class WarRetreat(WarQuestion, frozen=True, tag="war_retreat"):
    """Where the Units of a Power that have to leave a place go, each by itself."""

    several: ClassVar[bool] = True
    shown: ClassVar[str] = "retreat"

    units: tuple[str, ...] = ()


class CodominionWar(WarQuestion, frozen=True, tag="codominion_war"):
    """Whether the neutral whose Codominion was entered by `mover` declares War at once."""

    mover: str = ""


class EndWaiver(WarQuestion, frozen=True, tag="waiver"):
    """Whether a belligerent lets an end test of the first two cycles end the War."""

    test: str = ""


class Announce(WarQuestion, frozen=True, tag="announce"):
    """Whether a Power announces the end of a War, or (`by` set) objects to another's announcement."""

    by: str = ""


class Spoils(WarQuestion, frozen=True, tag="spoils"):
    """What is placed in a conquered Area; `said`: what the other victors have named, by Power."""

    several: ClassVar[bool] = True

    said: dict[str, tuple[str, ...]] = {}


class Cession(WarQuestion, frozen=True, tag="cession"):
    """Which Area of China a Power demands after a Rebellion, and under which marker; `said`: what others have demanded,
    by Power."""

    said: dict[str, tuple[str, ...]] = {}


class Cessions(WarQuestion, frozen=True, tag="cessions"):
    """Whether a Power signs the list of cessions: Power and Area, and the marker."""

    cessions: tuple[tuple[str, str, str], ...] = ()


class Return(WarQuestion, frozen=True, tag="return"):
    """Where a Unit goes that has to leave when a War ends."""

    unit: str = ""
    start: str = ""


class Command(WarQuestion, frozen=True, tag="command"):
    """Which neutral seat shall command a Minor Power without an ally; all have to name the same.

    `named` is what the seats `asked` have named.
    """

    minor: str = ""
    named: str = ""
    asked: tuple[str, ...] = ()


AnyWarQuestion = (
    Announce
    | Call
    | Cession
    | Cessions
    | CodominionWar
    | Command
    | Defence
    | EndWaiver
    | Invitation
    | JoinAttack
    | Return
    | Spoils
    | Uncalled
    | WarLosses
    | WarRetreat
)
"""The questions of War that a rule asks."""

ON_A_DECLARATION = (Call, Defence, Uncalled)
"""What is asked when War is declared; until all have answered no other declaration is worked off."""
