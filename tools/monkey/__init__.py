"""A monkey at the keyboard: random keys, bursts, held keys, pastes and sizes against every screen of the program.

    python -m tools.monkey --keys 200000 --seed 1        # in one process, as fast as it goes
    python -m tools.monkey --keys 2000 --seed 1 --pty    # the real program on a pseudo-terminal

A run is a row of visits (`visits`), each of which begins at another screen with a directory of its own. What is typed
(`typing`) comes from the seed and the number of the visit alone; where something goes wrong, what was typed and the
line that types it again are printed. A visit fails on

- a traceback, or a mistake of the program that it has caught itself;
- a screen without content, or keys that nobody sees to any longer;
- a program that does not leave when `ctrl+q` is pressed;
- logs that differ, but for their times, from those of the same keys typed each after the frame of the last. The keys
  that were thrown away, because a card or a question had not yet been seen, are not typed the second time.

In one process (`desk`) time is the monkey's own, so that a card is seen or not seen as the seed wants it; games that
are begun have names and seeds that can be told beforehand, and the log is not played by itself.
"""
