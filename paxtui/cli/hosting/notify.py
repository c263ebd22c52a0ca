"""The command `notify`: test the notifications of this terminal, and change those of a player on a server."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable

from paxtui.cli.hosting.admin import ask_hub, data_argument, open_data_directory
from paxtui.cli.runtime import CommandError

NOTIFY_USAGE = """Learn that your seat must act: test this terminal, or set webhooks and e-mail of a player on a server.

Players over SSH type the same words: `ssh -p 2222 HOST notify webhook URL`. docs/notifications.md has more.

examples:
  paxtui notify test                                show a notification in this terminal
  paxtui notify --player 5f0c1a2b3c4d               the settings of a player of your server
  paxtui notify --player 5f0c1a2b3c4d webhook https://ntfy.sh/my-topic
  paxtui notify --player 5f0c1a2b3c4d test          send a message to this player now
"""

TEST_WAIT_S, TEST_POLL_S = 15.0, 0.2
"""Time to wait for the result of a test, and interval between queries, in seconds."""


def notify_arguments(part: argparse.ArgumentParser) -> None:
    part.add_argument(
        "words", nargs="*", metavar="WORD", help="test; or a setting of --player, as in quiet 22:00-07:00"
    )
    part.add_argument("--player", default="", metavar="ID", help="a player of the server, as in 'paxtui players'")
    data_argument(part)


def run_notify(args: argparse.Namespace) -> int:
    """Test the terminal, or change the settings of a player."""
    if not args.player:
        if args.words != ["test"]:
            raise CommandError("'paxtui notify test' tests this terminal; --player ID changes the settings of a player")
        return _test_terminal()
    data_directory = open_data_directory(args)
    print(ask_hub(data_directory, "notify", player=args.player, words=" ".join(args.words))["text"])
    if args.words == ["test"]:
        print(_wait_for_result(lambda: str(ask_hub(data_directory, "notify", player=args.player, words="")["text"])))
    return 0


def _wait_for_result(settings: Callable[[], str]) -> str:
    """Return the line of the settings with the result of a test. Args: returns the settings."""
    end = time.monotonic() + TEST_WAIT_S
    while True:
        last = next((line for line in settings().splitlines() if line.startswith("last")), "")
        if not last.endswith(" -") or time.monotonic() > end:
            return last
        time.sleep(TEST_POLL_S)


def _test_terminal() -> int:
    """Show a notification in this terminal, and print which sequence was used."""
    from paxtui.cli.terminal_query import query_terminal, terminal_program
    from paxtui.tui.rendering.terminal_notifications import is_in_tmux, notification_codes, notification_kind

    found = query_terminal()
    if not found.is_terminal:
        raise CommandError("notify test: input or output is not a terminal")
    program = terminal_program(found.answers)
    kind, in_tmux = notification_kind(program), is_in_tmux(program)
    text = "This is a test. You see this when your seat must act and the window is not in front."
    sys.stdout.flush()
    os.write(sys.stdout.fileno(), notification_codes(kind, "paxtui", text, in_tmux).encode())
    way = f"{kind} and the bell, through tmux" if in_tmux else kind
    print(f"Sent with {way} to {program or 'an unknown terminal'}.")
    print("If you saw nothing, choose another sequence in the settings of paxtui (Notifications).")
    if in_tmux:
        print("tmux passes notifications on only with: set -g allow-passthrough on")
    return 0
