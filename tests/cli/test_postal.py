"""The command `postal` for gamemasters and players."""

from __future__ import annotations

from collections.abc import Callable
from errno import ENOSPC
from pathlib import Path
from shutil import copytree

import pytest

from paxtui.cli.mail import gamemaster as service
from paxtui.cli.mail.screens import open_draft
from paxtui.cli.runtime import CommandError
from paxtui.engine.refusal import Refusal
from paxtui.mail import gamemaster
from paxtui.mail.reports import read_position
from tests.cli.commands import inside
from tests.places import SAVES


def postal(home: Path, *words: str, typed: str = "") -> tuple[int, str, str]:
    done = inside(home, "postal", *words, typed=typed)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.fixture
def spring(tmp_path: Path) -> Path:
    code, out, err = postal(tmp_path, "new", "spring", "--players", "4", "--player", "france=Ann", "--seed", "7")
    assert code == 0, err
    assert "stop 1: orders of the Movement/Status Change Phase" in out and "France (Ann)" in out
    return tmp_path


def test_turn_through_files(spring: Path) -> None:
    blank = (spring / "spring/reports/0001/france.form").read_text()
    (spring / "mine.form").write_text(blank + "build A1 unless britain builds A1\n")
    code, out, _ = postal(spring, "check", "mine.form")
    assert (code, out.splitlines()[0]) == (0, "mine.form: 1 order of france")
    assert "only if not britain builds 1xA1" in out
    assert postal(spring, "submit", "spring", "mine.form")[0] == 0
    code, _, err = postal(spring, "adjudicate", "spring")
    assert code == 2 and "missing: Great Britain, Germany, United States" in err and "[PBM-073]" in err
    assert postal(spring, "deadline", "spring", "+3")[0] == 0
    assert postal(spring, "deadline", "spring", "2030-01-01T12:00+01:00")[0] == 0
    for seat in ("britain", "germany"):
        assert postal(spring, "submit", "spring", "-", "--seat", seat, typed="")[0] == 0
    assert "missing: United States\n" in postal(spring, "status", "spring")[1]
    assert postal(spring, "submit", "spring", "-", "--seat", "united states", typed="build A1")[0] == 0
    code, out, _ = postal(spring, "adjudicate", "spring", "--dry-run")
    assert code == 0 and "=== public.txt" in out and "build A1 unless britain builds A1: carried out." in out
    code, out, _ = postal(spring, "adjudicate", "spring")
    assert code == 0 and "stop 2" in out
    code, out, _ = postal(spring, "report", "spring", "--seat", "france")
    assert out == (spring / "spring/reports/0002/france.txt").read_text()
    assert "For everybody" in postal(spring, "report", "spring", "--stop", "1")[1]
    done = inside(spring, "verify", "spring/desk/game.jsonl")
    assert done.returncode == 0 and b"sound" in done.stdout
    assert inside(spring, "show", "spring/desk/game.jsonl", "--seat", "france").returncode == 0


def test_all_faults_of_a_form_are_printed(tmp_path: Path) -> None:
    code, out, _ = postal(tmp_path, "check", "-", typed="build A1\nplace influenz tunis\nhope\n")
    assert code == 1
    assert [line.split(":")[1].split(",")[0].strip() for line in out.splitlines()] == ["line 2", "line 3"]
    code, out, _ = postal(tmp_path, "check", "-", "--seat", "germany", typed="build A1 if austria builds A1")
    assert code == 1 and "other Powers" in out


def test_seats_by_wishes(tmp_path: Path) -> None:
    wishes = [
        "A=france,britain,germany,united_states", "B=britain,france,germany,united_states",
        "C=germany,britain,france,united_states", "D=united states,britain,france,germany",
    ]  # fmt: skip
    words = [word for wish in wishes for word in ("--wish", wish)]
    code, out, err = postal(tmp_path, "new", "spring", "--players", "4", *words)
    assert code == 0, err
    assert "missing: Great Britain (B), France (A), Germany (C), United States (D)" in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["status", "nowhere"], "No mail game in nowhere"),
        (["new", "spring"], "spring is not empty"),
        (["new", "other", "--players", "3"], "--players takes 4 to 8"),
        (["new", "other", "--scenario", "evening"], "then 'paxtui postal new other --from game.jsonl'"),
        (["new", "other", "--days", "peace=3"], "use movement=N"),
        (["new", "other", "--days", "war=0"], "days must be 1 to 3650"),
        (["new", "other", "--player", "Ann"], "--player takes NAME=VALUE"),
        (["new", "other", "--players", "4", "--player", "italy=Ann"], "the seats are britain"),
        (["new", "other", "--wish", "A=france"], "The number of seats (7)"),
        (["deadline", "spring", "tomorrow"], "is not a time. Use"),
        (["report", "spring", "--stop", "9"], "stops 1 to 1"),
        (["report", "spring", "--seat", "italy"], "no seat italy"),
        (["check", "nowhere.form"], "there is no file nowhere.form"),
        (["mail", "spring"], "mail.toml is missing; docs/by-mail-letters.md"),
        (["submit", "spring", "-"], "The form names no seat of this game"),
        (["status", "~nosuchuser/x"], "is not a home directory"),
        (["write", "~nosuchuser/x"], "is not a home directory"),
        (["new", "~nosuchuser/x"], "is not a home directory"),
        (["status", "x" * 300], "too long for a file name"),
        (["write", "x" * 300], "too long for a file name"),
        (["new", "x" * 300], "too long for a file name"),
        (["new", "other", "--fair", "--seed", "5"], "--fair cannot be combined with --seed"),
    ],
)
def test_bad_arguments_of_postal_give_a_sentence(spring: Path, words: list[str], message: str) -> None:
    code, _, err = postal(spring, *words)
    assert code == 2 and message in err and "Traceback" not in err, err


def test_failed_new_mail_game_leaves_no_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*args: object, **rest: object) -> None:
        raise OSError(ENOSPC, "No space left on device")

    monkeypatch.chdir(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(gamemaster.GamemasterService, "begin", full)
        with pytest.raises(OSError, match="No space left"), service.new_folder("spring") as folder:
            folder.terms.write_text("{")
            gamemaster.GamemasterService.begin()
    assert not (tmp_path / "spring").exists()
    with service.new_folder("spring"):
        pass


def test_rules_of_play_by_mail_count_as_played(tmp_path: Path) -> None:
    done = inside(tmp_path, "rules", "PBM-113")
    assert done.returncode == 0 and b"does not play" not in done.stdout


def test_order_sheet_opens_for_a_directory_or_a_form(spring: Path, home: Path) -> None:
    found = open_draft(spring / "spring", "france")
    assert (found.position.seat, found.position.stop) == ("france", 1)
    assert found.path.stat().st_mode & 0o077 == 0 and "seat: france" in found.path.read_text()
    assert found.hand_in is not None and "Submitted for stop 1" in found.hand_in("build A1\n")
    assert (spring / "spring/orders/0001/france.form").read_text() == "build A1\n"
    found.path.write_text("build A3\n")
    assert open_draft(spring / "spring", "france").path.read_text() == "build A3\n"  # an existing draft is kept
    form = spring / "spring/reports/0001/germany.form"
    assert open_draft(form, "") == (read_position(form.with_suffix(".position")), form, None)
    assert "name your seat with --seat: britain, france" in postal_refusal(open_draft, spring / "spring", "")
    assert "It comes with the report" in postal_refusal(open_draft, spring / "mine.form", "")
    (spring / "mine.position").write_text("{")
    assert "cannot be read" in postal_refusal(open_draft, spring / "mine.form", "")
    assert b"needs a terminal" in inside(spring, "postal", "write", "spring", "--seat", "france").stderr


def postal_refusal(ask: Callable[..., object], *words: object) -> str:
    with pytest.raises((CommandError, Refusal)) as caught:
        ask(*words)
    return str(caught.value)


def test_sealed_turn(tmp_path: Path) -> None:
    code, out, err = postal(tmp_path, "new", "spring", "--players", "4", "--sealed")
    assert code == 0, err
    codes = dict(line.split() for line in out.splitlines()[:4])
    assert postal(tmp_path, "read", "spring")[2].startswith("paxtui: You have no key for that seat")
    assert postal(tmp_path, "join", "spring", codes["france"], "--name", "Ann")[0] == 0
    assert "France (Ann)" in postal(tmp_path, "status", "spring")[1]
    code, out, _ = postal(tmp_path, "read", "spring", "--form", "mine.form")
    assert code == 0 and "For France." in out
    form = tmp_path / "mine.form"
    form.write_text(form.read_text() + "build A1\n")
    code, out, _ = postal(tmp_path, "submit", "spring", "mine.form")
    assert code == 0 and "france.sealed" in out
    assert "arrived: France (Ann)\n" in postal(tmp_path, "status", "spring")[1]
    assert "no key for that seat" in postal(tmp_path, "submit", "spring", "-", "--seat", "britain")[2]
    code, out, _ = postal(tmp_path, "code", "spring", "britain")
    assert code == 0 and out.startswith("britain-")


def test_administration_between_two_turns(spring: Path) -> None:
    assert "is paused" in postal(spring, "pause", "spring")[1]
    assert "paused; run 'paxtui postal resume" in postal(spring, "status", "spring")[1]
    assert "continues; deadline" in postal(spring, "resume", "spring")[1]
    assert "needs --early" in postal(spring, "open", "spring")[2]
    assert "No form has arrived" in postal(spring, "open", "spring", "--early")[2]
    assert postal(spring, "submit", "spring", "-", "--seat", "france", typed="build A1")[0] == 0
    assert "=== France\nbuild A1" in postal(spring, "open", "spring", "--early")[1]
    assert "played by the caretaker" in postal(spring, "caretaker", "spring", "germany")[1]
    assert postal(spring, "replace", "spring", "britain", "Carla")[1] == "Great Britain is now played by Carla\n"
    assert "nothing is due; missing: Great Britain, United States" in postal(spring, "run", "spring")[1]
    for seat in ("britain", "united states"):
        assert postal(spring, "submit", "spring", "-", "--seat", seat, typed="")[0] == 0
    assert postal(spring, "run", "spring")[1] == "stop 1 was adjudicated: stop 2 has begun\n"
    code, out, _ = postal(spring, "audit", "spring")
    assert code == 0 and "verified: 2 stops, 4 forms, 0 signatures" in out
    (spring / "spring/reports/0002/public.txt").write_text("nothing happened")
    code, out, _ = postal(spring, "audit", "spring")
    assert code == 1 and "mismatch: reports/0002/public.txt: it differs from the report that the log produces" in out
    assert "1 to 86400" in postal(spring, "run", "spring", "--every", "0")[2]


def test_game_with_locked_forms_and_fair_dice(tmp_path: Path) -> None:
    code, out, err = postal(tmp_path, "new", "spring", "--players", "4", "--two-step", "--fair")
    assert code == 0, err
    codes = dict(line.split() for line in out.splitlines()[:4])
    for code_ in codes.values():
        assert postal(tmp_path, "join", "spring", code_)[0] == 0
    for message in ("sealed", "revealed"):
        postal(tmp_path, "status", "spring")
        for seat in codes:
            assert message in postal(tmp_path, "answer", "spring", "--seat", seat)[1]
    assert "stop 1: orders" in postal(tmp_path, "status", "spring")[1]
    for seat in codes:
        code, out, err = postal(tmp_path, "submit", "spring", "-", "--seat", seat, typed="build A1")
        assert code == 0 and "the form is locked" in out, err
    assert "forms are closed" in postal(tmp_path, "status", "spring")[1]
    for seat in codes:
        assert "sent the key of your form for stop 1" in postal(tmp_path, "read", "spring", "--seat", seat)[2]
    assert "no answer needed" in postal(tmp_path, "answer", "spring", "--seat", "france")[1]
    assert "stop 2 has begun" in postal(tmp_path, "run", "spring")[1]
    code, out, _ = postal(tmp_path, "audit", "spring")
    assert code == 0 and "verified: 2 stops, 4 forms, 4 signatures" in out, out


def test_mail_game_from_a_local_game(spring: Path) -> None:
    code, out, err = postal(spring, "new", "summer", "--from", "spring/desk/game.jsonl", "--days", "movement=7")
    assert code == 0 and "stop 2: orders" in out and "France (Ann)" in out, err
    assert "--from cannot be combined with --seed" in postal(spring, "new", "other", "--from", "x", "--seed", "7")[2]


# --- directories that version 0.2.0 wrote -----------------------------------------------------------------------------


EARLIER = SAVES / "earlier"
FOUR = ("britain", "france", "germany", "united_states")


def test_mail_game_of_0_2_0_continues(tmp_path: Path) -> None:
    game = Path(copytree(EARLIER / "mail-0.2.0", tmp_path / "spring"))
    for seat in FOUR:
        form = str(game / f"reports/0004/{seat}.form")
        assert postal(tmp_path, "submit", "spring", form)[0] == 0
    code, _, err = postal(tmp_path, "adjudicate", "spring")
    assert code == 0, err
    assert "stop 5" in postal(tmp_path, "status", "spring")[1]
    assert inside(tmp_path, "verify", "spring/desk/game.jsonl").returncode in (0, 3)


def test_sealed_mail_game_of_0_2_0_continues(tmp_path: Path) -> None:
    copytree(EARLIER / "mail-sealed-0.2.0/game", tmp_path / "spring")
    copytree(EARLIER / "mail-sealed-0.2.0/keys", tmp_path / "postal")
    for seat in FOUR:
        code, out, err = postal(tmp_path, "read", "spring", "--seat", seat, "--form", f"{seat}.form")
        assert code == 0 and "For " in out, err
        assert postal(tmp_path, "submit", "spring", f"{seat}.form")[0] == 0
    code, out, err = postal(tmp_path, "adjudicate", "spring")
    assert code == 0, err
    code, out, _ = postal(tmp_path, "audit", "spring")
    assert code == 0 and "4 signatures" in out
