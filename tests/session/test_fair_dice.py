"""Fair dice: the arbiter requests words, leaves out silent seats, and publishes the seed at the end."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import msgspec
import pytest
from msgspec.structs import replace

from paxtui.cli.main import main
from paxtui.cli.plain.renderers import describe_note
from paxtui.engine.dice import commitment
from paxtui.engine.fair_dice import HashesClosed, Word, WordHash, WordsRequested, word_hash
from paxtui.engine.log import BrokenLog, parse
from paxtui.engine.refusal import Refusal
from paxtui.engine.seating import SeatOccupant
from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions.actions import Advance
from paxtui.session.bot_process import bot_request
from paxtui.session.fair_dice import DiceClient, DiceKeeper, can_be_fair, chain_lines, move_log_with_fair_dice, new_seed
from paxtui.session.pax_host import PaxHost
from paxtui.session.storage.interface import seed_file
from paxtui.session.storage.log_store import read_log
from paxtui.session.tables.loader import load_tables
from paxtui.session.verification import overall_verdict

POWERS = ("britain", "france", "germany", "united_states")
SEED = "5eed" * 16
CARETAKER = SeatOccupant(by="bot", level="caretaker", name="Ann")


class MovedClock:
    """A system clock that the test moves."""

    def __init__(self) -> None:
        self.now = datetime(2026, 1, 1, 20, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def text(self) -> str:
        return self.now.isoformat(timespec="seconds")

    def pass_(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


def fair_game(path=None):
    clock = MovedClock()
    table = PaxHost.new(load_tables(), POWERS, SEED, path=path, dice="fair", clock=clock.text)
    return table, DiceKeeper(table, 120, clock), clock


def give_words(table, keeper, *seats, folder=None):
    """Let seats give their hashes or words."""
    for seat in seats:
        note = DiceClient(table.game.header, seat, folder).next_note(table.game.dice)
        if note is not None:
            table.dice_note(note, seat)
            keeper.tend()


def test_words_are_requested_and_given_and_dice_are_rolled(tmp_path):
    table, keeper, _ = fair_game()
    with pytest.raises(Refusal, match="dice are not ready"):
        table.advance()
    assert keeper.ask()
    assert not keeper.ask()
    give_words(table, keeper, *POWERS, folder=tmp_path)
    assert table.game.dice.stage == "words"
    give_words(table, keeper, *POWERS, folder=tmp_path)
    assert table.game.dice.stage == "made"
    assert table.advance()
    assert table.game.dice_used
    assert table.verify() == []


def test_silent_seat_is_left_out_at_its_deadline(tmp_path):
    table, keeper, clock = fair_game()
    table.seat({"germany": CARETAKER})
    keeper.ask()
    give_words(table, keeper, "britain", "france", folder=tmp_path)
    clock.pass_(119)
    assert not keeper.late
    keeper.tend()
    assert table.game.dice.stage == "hashes"
    clock.pass_(1)
    assert keeper.late
    keeper.tend(leave_out=keeper.late)
    closed = table.game.line(table.version).action
    assert (closed["silent"], closed["bots"]) == (["united_states"], ["germany"])
    assert not keeper.late  # the words have their own time
    give_words(table, keeper, "france", folder=tmp_path)
    clock.pass_(120)
    keeper.tend(leave_out=keeper.late)
    assert table.game.line(table.version).action == {"type": "dice_words_closed", "silent": ["britain"]}
    assert table.game.dice.contributors == ("france",)
    assert table.advance()
    assert table.verify() == []


@pytest.mark.parametrize("until", ["noon", "2026-01-01T20:02:00", ""])
def test_invalid_deadline_counts_as_over(until):
    table, keeper, _ = fair_game()
    table.dice_note(WordsRequested(until))
    assert keeper.late
    keeper.tend(leave_out=True)
    assert table.game.dice.stage == "made"  # no seat gave a hash, so no seat has a word


def test_game_of_bots_needs_no_words():
    table, keeper, _ = fair_game()
    table.seat(dict.fromkeys(POWERS, CARETAKER))
    assert keeper.ask()
    assert table.game.dice.stage == "made"
    assert table.game.dice.contributors == ()


def leave_out_early(table):
    """Leave out France a second too early."""
    table.dice_note(WordsRequested("2026-01-01T20:00:01+00:00"))
    for seat in ("britain", "germany", "united_states"):
        table.dice_note(WordHash(word_hash(commitment(SEED), seat, "x")), seat)
    table.dice_note(HashesClosed(("france",), (), "2026-01-01T20:00:00+00:00"))


def note_as_bot(table):
    """Note France as a bot."""
    for seat in ("britain", "germany", "united_states"):
        table.dice_note(WordHash(word_hash(commitment(SEED), seat, "x")), seat)
    table.dice_note(HashesClosed((), ("france",), "2026-01-01T20:00:00+00:00"))


@pytest.mark.parametrize(
    ("forge", "message"),
    [
        (leave_out_early, "it passes over france before their deadline"),
        (note_as_bot, "it calls france a bot, but a person plays there"),
    ],
)
def test_verify_finds_a_seat_left_out_wrongly(forge, message):
    table, _, _ = fair_game()
    forge(table)
    (found,) = table.verify()
    assert message in found.message
    assert overall_verdict(table.game.header, [found], table.rules.rules_number) == 1


def test_any_client_of_a_player_can_give_the_word(tmp_path):
    table, keeper, _ = fair_game()
    header = table.game.header
    keeper.ask()
    for seat in POWERS:
        first, second = (DiceClient(header, seat, tmp_path) for _ in range(2))
        note, same = first.next_note(table.game.dice), second.next_note(table.game.dice)
        assert note == same
        table.dice_note(note, seat)
    keeper.tend()
    give_words(table, keeper, *POWERS, folder=tmp_path)  # other clients than those that gave the hashes
    assert table.game.dice.contributors == POWERS
    assert len(set(table.game.dice.words.values())) == len(POWERS)
    assert all(len(word) == 32 for word in table.game.dice.words.values())
    assert {path.stat().st_mode & 0o777 for path in (tmp_path / "words").iterdir()} == {0o600}


def test_player_can_choose_a_word(tmp_path):
    table, keeper, _ = fair_game()
    mine = DiceClient(table.game.header, "france", tmp_path)
    table.dice_note(mine.choose("  Vive \u202e la\x1b France ", table.game.dice), "france")
    with pytest.raises(Refusal, match="have already sealed"):
        mine.choose("Napoleon", table.game.dice)
    keeper.ask()
    give_words(table, keeper, *POWERS, folder=tmp_path)
    give_words(table, keeper, *POWERS, folder=tmp_path)
    word = table.game.dice.words["france"]
    assert word.startswith("Vive la France ")
    assert len(word) == len("Vive la France ") + 32
    for typed in ("", " \n", "x" * 200):
        with pytest.raises(Refusal):
            DiceClient(table.game.header, "britain", tmp_path).choose(typed, table.game.dice)


def test_seed_is_in_a_private_file_and_not_in_the_log(tmp_path):
    path = tmp_path / "game.jsonl"
    table, keeper, _ = fair_game(path)
    keeper.ask()
    for _ in range(2):
        give_words(table, keeper, *POWERS, folder=tmp_path)
    table.advance()
    table.close()
    assert SEED.encode() not in path.read_bytes()
    assert seed_file(path).stat().st_mode & 0o777 == 0o600
    with PaxHost.open(path) as again:
        assert again.verify() == []
        assert again.game.has_seed
    seed_file(path).write_text("another\n")
    with pytest.raises(BrokenLog, match="not the one that was promised"):
        PaxHost.open(path)
    seed_file(path).unlink()
    again = PaxHost.open(path, write=False)
    assert not again.game.has_seed
    assert {difference.what for difference in again.verify()} == {"no_seed"}


def test_existing_log_keeps_its_seed(tmp_path):
    path = tmp_path / "game.jsonl"
    fair_game(path)[0].close()
    with pytest.raises(FileExistsError):
        PaxHost.new(load_tables(), POWERS, "other", path=path, dice="fair")
    assert seed_file(path).read_text() == SEED + "\n"


def finish_game(tmp_path):
    """Play a game with fair dice to its end."""
    path = tmp_path / "game.jsonl"
    table, keeper, _ = fair_game(path)
    keeper.ask()
    for _ in range(2):
        give_words(table, keeper, *POWERS, folder=tmp_path)
    while table.state.result is None:
        table.act(ARBITER, Advance(force=True))
    return path, table, keeper


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    path, table, keeper = finish_game(tmp_path_factory.mktemp("fair"))
    assert keeper.tend()
    assert not keeper.tend()
    table.close()
    return path


def test_seed_is_published_at_the_end_and_verifies_all_dice(finished, tmp_path, capsys):
    alone = tmp_path / "exported.jsonl"  # without the seed file
    alone.write_bytes(finished.read_bytes())
    assert main(["verify", str(alone)]) == 0
    output = capsys.readouterr().out
    assert "fair, from a promised seed and the words of Great Britain, France, Germany, United States" in output
    assert "the seed is published" in output
    again = PaxHost.open(alone, write=False)
    for change in (lambda: again.undo(ARBITER), lambda: again.redo(ARBITER)):
        with pytest.raises(Refusal, match="the result is final"):
            change()


def test_forged_word_of_a_finished_game_is_found(finished, tmp_path, capsys):
    parsed = read_log(finished)
    word = next(line for line in parsed.lines if line.action["type"] == "dice_word")
    forged = [
        replace(line, action={**line.action, "word": "of my own"}) if line.n == word.n else line
        for line in parsed.lines
    ]
    path = tmp_path / "forged.jsonl"
    path.write_bytes(chain_lines(parsed.header, forged))
    assert main(["verify", str(path)]) == 1
    assert "is not the word whose hash britain has given" in capsys.readouterr().out


def test_rewind_past_dice_is_noted_with_their_number(tmp_path, capsys):
    path = tmp_path / "game.jsonl"
    table, keeper, _ = fair_game(path)
    keeper.ask()
    for _ in range(2):
        give_words(table, keeper, *POWERS, folder=tmp_path)
    before = table.version
    table.advance()
    used = table.game.dice_used
    table.undo(ARBITER, before)
    assert table.game.line(table.version).action == {"type": "dice_passed", "taken_back": used, "next": used}
    table.advance()
    assert table.game.dice_used > used
    table.close()
    assert main(["verify", str(path)]) == 0
    assert f"not used again: line {before + 2} ({used})" in capsys.readouterr().out


def test_only_a_game_without_rolled_dice_can_get_fair_dice(tmp_path):
    old, new = tmp_path / "old.jsonl", tmp_path / "new.jsonl"
    with PaxHost.new(load_tables(), POWERS, "typed", path=old, undo="free") as table:
        table.seat({"germany": CARETAKER})
    assert move_log_with_fair_dice(old, new)
    assert not old.exists()
    assert b"typed" not in new.read_bytes()
    with PaxHost.open(new) as table:
        assert table.game.dice.fair
        assert table.game.header.undo == "strict"
        assert table.occupant("germany") == CARETAKER
        assert table.verify() == []
    with PaxHost.new(load_tables(), POWERS, "typed", path=old) as table:
        table.advance()
    assert not can_be_fair(read_log(old))
    assert not move_log_with_fair_dice(old, tmp_path / "third.jsonl")
    assert old.exists()


def test_no_seat_sees_the_seed_before_the_end(tmp_path):
    path, table, keeper = finish_game(tmp_path)
    seen = [msgspec.json.encode(table.lines_for(seat)) for seat in (*POWERS, "spectator")]
    assert not any(SEED.encode() in data for data in seen)
    keeper.tend()
    assert all(SEED.encode() in msgspec.json.encode(table.lines_for(seat)) for seat in POWERS)
    table.close()
    assert parse(path.read_bytes()).lines[-1].action == {"type": "dice_seed", "seed": SEED}


def test_seeds_are_unique():
    assert len({new_seed() for _ in range(100)}) == 100


def test_a_seat_without_a_hash_has_no_word(tmp_path):
    table, keeper, clock = fair_game()
    keeper.ask()
    give_words(table, keeper, "britain", folder=tmp_path)
    clock.pass_(120)
    keeper.tend(leave_out=True)
    assert DiceClient(table.game.header, "france", tmp_path).next_note(table.game.dice) is None
    with pytest.raises(Refusal, match="has no word for the dice"):
        table.dice_note(Word("x"), "france")


def test_each_note_about_dice_has_a_sentence(finished):
    table = PaxHost.open(finished, write=False)
    notes = [line for line in table.game.lines if line.kind == "note"]
    output = [text for line in notes for text in describe_note(table.tables, line)]
    assert len(output) == len(notes)
    assert output[0].startswith("The game begins: each seat gives a word for the dice")
    assert output[1] == "Great Britain has sealed a word for the dice."
    assert output[-1] == f"The seed of the dice was {SEED}. `paxtui verify` rolls all dice again."


def test_seeds_of_bots_depend_on_the_secret_seed():
    def seeds_of_bots(seed: str) -> set[str]:
        table = PaxHost.new(load_tables(), POWERS, seed, game_id="same", dice="fair")
        return {bot_request(table, seat, "statesman").seed for seat in POWERS}

    own = seeds_of_bots(SEED)
    assert len(own) == 4
    assert not own & seeds_of_bots("another")
    assert not any(SEED in seed for seed in own)
    table = PaxHost.new(load_tables(), POWERS, SEED, game_id="same", dice="fair")
    client = table.copy(parse(table.log()))
    assert bot_request(client, "france", "statesman").seed not in own  # unknown without the seed


def test_missing_seed_is_reported_once(tmp_path, capsys):
    path = tmp_path / "game.jsonl"
    table, keeper, _ = fair_game(path)
    table.seat(dict.fromkeys(POWERS, CARETAKER))
    keeper.ask()
    for _ in range(12):
        table.act(ARBITER, Advance(force=True))
    table.close()
    seed_file(path).unlink()
    assert main(["verify", str(path)]) == 3
    output = capsys.readouterr().out
    assert output.count("its dice cannot be rolled again") == 1
    assert "the same holds for" in output
    assert "not in the log or beside it" in output
    assert "the chain is sound" in output and "can be checked when the seed is published" in output
    assert "not sound" not in output


def test_forged_copy_without_its_seed_is_not_sound(tmp_path, capsys):
    path = tmp_path / "game.jsonl"
    table, keeper, _ = fair_game(path)
    table.seat(dict.fromkeys(POWERS, CARETAKER))
    keeper.ask()
    for _ in range(6):
        table.act(ARBITER, Advance(force=True))
    table.close()
    parsed = read_log(path)
    seed_file(path).unlink()
    undone = [replace(line, seat="spain") if line.kind == "act" and not line.dice else line for line in parsed.lines]
    promised = [replace(line, time="soon") if line.dice else line for line in parsed.lines]
    for lines, header in ((undone, parsed.header), (promised, parsed.header)):
        path.write_bytes(chain_lines(header, lines))
        assert main(["verify", str(path)]) == 1
        assert "not sound" in capsys.readouterr().out
