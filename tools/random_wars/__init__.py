"""Wars at random, played by the thousand: `python -m tools.random_wars --count 1000 --resume wars.jsonl` (with `nice`).

Each War begins at one of the `openings`, is fought by a `warrior` (who does what is allowed and would like to win, or
to have peace), and is looked at after every act (`wrongs`). A run keeps a line of JSON for each War, goes on where it
was broken off, and ends with a table of how the Wars ended. `tests/pax/test_wars_at_random.py` plays some of them.
"""
