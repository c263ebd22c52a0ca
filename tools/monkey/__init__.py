"""Random keys, bursts, held keys, pastes and resizes against each screen of the program.

    python -m tools.monkey --keys 200000 --seed 1        # in one process, as fast as possible
    python -m tools.monkey --keys 2000 --seed 1 --pty    # the real program on a pseudo-terminal

A run consists of visits (`visits`). Each begins at another screen, with a directory of its own. Its keys (`typing`)
depend only on the seed and its number; the command that repeats a failed visit is printed. A visit fails on

- a traceback, or an internal error that the program has caught;
- a screen without content, or keys that are no longer handled;
- a program that does not end at `ctrl+q`;
- a log that differs, times aside, from that of the same keys typed slowly, each after the frame of the last. Keys that
  were discarded, because a dialog was not visible yet, are left out the second time.

`in_process` has its own clock, so that the seed decides which dialogs are visible in time. The names and seeds of new
games are predictable, and the log does not play by itself.
"""
