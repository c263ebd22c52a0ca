#!/usr/bin/env bash
# Draw every picture of the README and the docs again. Needs paxtui with Pillow (pip install -e '.[dev]').
set -euo pipefail
cd "$(dirname "$0")/.."
game=saves/ten-turns-1880.jsonl
paxtui picture "$game" --at 432 --screen --cursor egypt -o docs/main-screen.png
paxtui picture --start -o docs/world-1880.png
# Taken by hand, from a study of saves/whole-game-0.2.0.jsonl: docs/study.png, docs/study-page.png
paxtui picture "$game" --at 432 -o docs/world-1896.png
paxtui picture "$game" --at 432 --zoom theatre -o docs/theatre-1896.png
paxtui picture "$game" --at 432 --screen region --cursor siam --size 120x40 -o docs/region.png
paxtui picture "$game" --at 432 --screen sheet --keys down,down,down --size 120x40 -o docs/record-sheet.png
paxtui picture "$game" --at 300 --screen scrubber --cursor egypt --size 120x40 -o docs/scrubber.png
paxtui picture --start --screen tutorial --size 120x40 -o docs/tutorial.png
paxtui picture saves/congress-eight-seats.jsonl --at "$(grep -n ballot_cast saves/congress-eight-seats.jsonl | sed -n 6p | cut -d: -f1)" --screen --keys C --size 120x40 -o docs/congress.png
paxtui picture saves/russo-japanese-0.2.0.jsonl --at 18 --screen --keys 7 --cursor manchuria --size 140x42 -o docs/war.png
paxtui picture saves/ten-turns-0.2.0.jsonl --screen statistics --size 120x34 -o docs/statistics.png
