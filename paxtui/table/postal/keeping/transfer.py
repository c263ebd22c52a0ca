"""A game from the table to the mail, and back: its log is the same, and goes on where it stands.

By mail it begins where the game was left at the table, in a directory of its own. At the table the log of the desk is a
game like any other; what is played there comes back to the mail in the same way.

Rules: PBM-001
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER
from paxtui.pax.orders.actions import Adjudicate
from paxtui.pax.orders.seating import Sitter
from paxtui.pax.postal.deadlines import Kind
from paxtui.table.authority import Table
from paxtui.table.disk.files import write_new
from paxtui.table.disk.seeds import keep_seed, kept_seed
from paxtui.table.postal.arrivals import Now, now_utc
from paxtui.table.postal.desk import Desk, Draw
from paxtui.table.postal.folder import Folder
from paxtui.table.postal.keys import with_desk_key
from paxtui.table.postal.terms import Terms, write_terms


def to_mail(
    folder: Folder,
    log: Path,
    *,
    days: Mapping[Kind, int] | None = None,
    sealed: bool = False,
    two_step: bool = False,
    now: Now = now_utc,
    draw: Draw | None = None,
) -> Desk:
    """Go on by mail with a game that was played at a table; the table's log stays as it is.

    Bots give their seats to the caretaker, for nobody would write their forms.

    Args: a directory that was made for it; the log; how many days each kind of stop lasts; whether forms are sealed,
        and locked until after the deadline; the time; what draws pages.
    Raises: Refusal `game_over`, `dice_wait`, `no_seals`; BrokenLog; OSError.
    """
    with Table.open(log, write=False) as table:
        if table.state.result is not None:
            raise Refusal("game_over", ("SET-003",), "The game is over.")
        table.game.dice.key(kept_seed(log))  # dice that wait for words are made at the table first
        header, data = table.game.header, table.log()
    if seed := kept_seed(log):
        keep_seed(folder.game, seed)
    write_new(folder.game, data)
    desk = Desk(folder, now, draw)
    with desk.table() as table:
        seats = table.state.players
        bots = {seat: Sitter(by="bot", level="caretaker") for seat in seats if table.sitter(seat).plays_itself}
        if len(bots) == len(seats):
            raise Refusal("last_player", (), "Nobody sits at that table who could write a form.")
        if bots:
            table.seat(bots)
        names = {seat: "" if seat in bots else table.sitter(seat).name for seat in seats}
        fair = header.commitment if header.dice == "fair" else ""
        terms = Terms(game=header.game, players=names, days=dict(days or {}), fair=fair, dice="made" if fair else "")
        write_terms(folder, with_desk_key(folder, terms, two_step) if sealed or two_step else terms)
        table.act(ARBITER, Adjudicate(begins=True))
        desk.publish(table)
    return desk
