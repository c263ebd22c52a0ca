"""Studies of logs: annotations, branches, the tree, secrecy, and logs that do not fit."""

import shutil
from pathlib import Path

import pytest

from paxtui.engine.log import parse
from paxtui.engine.refusal import Refusal
from paxtui.engine.seating import PERSON, SeatOccupant
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.games.pax.position.setup import seats_for
from paxtui.session.game_host import SeatLog
from paxtui.session.local_session import LocalSession
from paxtui.session.pax_host import PaxHost
from paxtui.session.storage.log_store import read_log
from paxtui.session.storage.saved_games import TRASH, rename_game
from paxtui.session.tables.loader import load_tables
from paxtui.sharing.remarks import study_remarks
from paxtui.studies.editing import LogRef, find_ref, rename_log, tree
from paxtui.studies.study import Comment, Mark, StudyError, load_study, study_path
from paxtui.studies.study_book import exported_seat
from paxtui.studies.study_session import StudySession, open_study
from tests.places import CONGRESS, GOLDEN

STEADY = SeatOccupant(by="bot", level="steady")


@pytest.fixture
def finished(tmp_path: Path) -> Path:
    """A finished game."""
    path = tmp_path / "game.jsonl"
    shutil.copy(GOLDEN, path)
    return path


@pytest.fixture
def running(tmp_path: Path) -> Path:
    """A game that goes on, with a secret draft between Italy and Britain."""
    from tests.tui.playing import NEGOTIATION

    path = tmp_path / "running.jsonl"
    with PaxHost.new(load_tables(), seats_for(7), "7", {}, path=path, undo="free", clock=lambda: "") as table:
        table.act("arbiter", {"type": "set_position", "patch": NEGOTIATION})
    return path


def study(path: Path, seat: str = "") -> StudySession:
    return open_study(path, seat, author="Ann", clock=lambda: "2026-01-01T12:00:00+00:00")


def branch(session: StudySession, line: int, title: str = "other way") -> LogRef:
    """A branch from a line, with a person for the first seat and bots for the others."""
    session.look_at(line)
    seats = session.live.players
    return session.play_on(seats[0], {s: PERSON if s == seats[0] else STEADY for s in seats}, title)


def test_notes_are_saved_without_changing_the_log(finished):
    before = finished.read_bytes()
    session = study(finished)
    assert not study_path(finished).exists(), "opening a study writes nothing"
    session.look_at(20)
    session.write_comment("**Why?**\n\n- one\x1b[31m\n- two")
    session.toggle_mark("blunder")
    session.toggle_mark("question")
    session.toggle_arrow("tunis", "egypt")
    session.toggle_highlight("egypt")
    session.toggle_mark("question")
    session.book.close()
    again = study(finished)
    again.look_at(20)
    notes = again.notes_here
    comment = Comment(20, "**Why?**\n\n- one [31m\n- two", "Ann", "2026-01-01T12:00:00+00:00")
    assert notes.comments == (comment,) and notes.marks == (Mark(20, "blunder"),)
    assert [(a.start, a.end) for a in notes.arrows] == [("tunis", "egypt")] and again.line_signs == {20: "x"}
    again.write_comment("no more", comment)
    again.write_comment("", again.notes_here.comments[0])
    assert again.notes_here.comments == () and finished.read_bytes() == before
    again.book.close()


def test_notes_of_a_hidden_line_move_to_the_line_before(finished):
    session = study(finished)
    assert session.view.viewpoint == ARBITER
    session.look_at(30)
    session.toggle_mark("good")
    session.set_viewpoint(SPECTATOR)
    shown = session.view.number_of(30)
    session.look_at(shown)
    assert session.notes_here.marks
    session.toggle_mark("good")
    assert not session.notes_by_line
    session.book.close()


def test_study_opens_with_a_grown_log_and_not_with_another(finished):
    whole = finished.read_bytes()
    half = b"".join(whole.splitlines(keepends=True)[:60])
    finished.write_bytes(half)
    session = study(finished, "britain")
    session.look_at(50)
    session.toggle_mark("good")
    session.book.close()
    finished.write_bytes(whole)
    session = study(finished)
    session.look_at(50)
    assert session.notes_here.marks and ARBITER in session.viewpoints, "the game is over now"
    session.toggle_mark("doubtful")
    session.book.close()
    kept = study_path(finished).read_bytes()
    for other in (half, CONGRESS.read_bytes()):
        finished.write_bytes(other)
        with pytest.raises(StudyError, match="is the study of another log"):
            study(finished)
        assert study_path(finished).read_bytes() == kept


def test_study_open_in_another_program_is_read_only(finished):
    first = study(finished)
    first.toggle_mark("good")
    second = study(finished)
    assert second.notes_here.marks and "open in another program" in second.book.blocked
    for change in (lambda: second.toggle_mark("good"), lambda: branch(second, 20)):
        with pytest.raises(Refusal, match="open in another program"):
            change()
    assert [path.name for path in finished.parent.iterdir() if path.suffix == ".jsonl"] == ["game.jsonl"]
    first.book.close()


def test_branch_is_a_separate_log_that_names_its_parent(finished):
    session = study(finished)
    ref = branch(session, 40)
    path = session.book.log_path(find_ref(session.book.study, ref))
    parent = read_log(path).header.parent
    original = read_log(finished)
    assert parent is not None and (parent.hash, parent.line) == (original.lines[0].prev, 40)
    assert parent.tip == original.lines[39].prev
    with PaxHost.open(path) as host:
        assert host.state.turn == session.state.turn and host.state.areas == session.state.areas
        assert host.verify() == []
        played = LocalSession(host)
        played.act_text("ready")
        assert host.version > 3 and host.verify() == []
    session.book.read_growth(ref)
    other = session.open_log(ref)
    other.look_at(None)
    other.write_comment("This ends better.")
    assert other.version > 3 and other.viewpoints[0] == SPECTATOR
    below = branch(other, 2, "a branch of a branch")
    assert [row.depth for row in tree(session.book.study)] == [0, 1, 2]
    assert find_ref(session.book.study, below).parent == find_ref(session.book.study, ref).hash
    assert session.notes_by_line[40].branches
    session.book.close()


def test_branches_are_renamed_promoted_deleted_and_restored(finished):
    session = study(finished)
    first, second = branch(session, 40, "first"), branch(session, 41, "second")
    book = session.book

    def titles() -> list[str]:
        return [f"{row.depth}{book.title(find_ref(book.study, row.ref))}" for row in tree(book.study)]

    assert titles() == ["0game", "1first", "1second"]
    book.promote(second)
    assert titles() == ["0game", "1second", "1first"]
    book.change(rename_log(book.study, first, "  the\nbest "))
    chapter = book.promote(second)
    assert chapter == LogRef(1) and titles() == ["0game", "1the best", "0second"]
    assert ARBITER in session.open_log(chapter).viewpoints, "a promoted branch can be shown"
    with pytest.raises(Refusal, match="already the first one"):
        book.promote(LogRef(0))
    path = book.log_path(find_ref(book.study, first))
    other = session.open_log(first)
    other.write_comment("kept")
    book.delete(first)
    assert titles() == ["0game", "0second"] and not path.exists()
    trashed = path.parent / TRASH / path.name
    assert trashed.exists() and load_study(study_path(trashed)).chapters[0].comments[0].text == "kept"
    assert book.restore() == first and path.exists() and titles() == ["0game", "1the best", "0second"]
    assert not study_path(path).exists(), "its notes are in the study again"
    with pytest.raises(Refusal, match="Nothing has been deleted"):
        book.restore()
    here = book.add_chapter(finished, at=100)
    assert session.open_log(here).line == 100
    with pytest.raises(Refusal, match="Branches leave this log"):
        book.delete(LogRef(0))
    session.open_log(here).toggle_mark("question")
    book.delete(here)
    kept = load_study(path.parent / TRASH / "game.study").chapters[0]
    assert kept.marks == (Mark(100, "question"),) and Path(kept.file) == finished
    assert book.restore() == here
    book.close()


def test_branch_at_the_end_is_refused(finished):
    session = study(finished)
    session.look_at(None)
    with pytest.raises(Refusal, match="over here"):
        branch(session, session.version)
    assert [path.name for path in finished.parent.iterdir()] == ["game.jsonl"]
    session.book.close()


def test_running_game_is_studied_from_one_seat(running):
    with pytest.raises(Refusal) as refused:
        study(running)
    assert refused.value.code == "seat_needed" and "france" in refused.value.detail["seats"]
    session = study(running, "france")
    assert session.viewpoints == ("france",)
    for other in ("italy", SPECTATOR, ARBITER):
        with pytest.raises(Refusal):
            session.set_viewpoint(other)
    session.take_seat("italy")
    assert session.view.viewpoint == "france"
    session.look_at(None)
    assert "Lisbon" not in [treaty.name for treaty in session.state.treaties]
    ref = branch(session, session.version)
    session.book.close()
    log = session.book.log_path(find_ref(session.book.study, ref)).read_bytes()
    assert b"Trianon" in log and b"Lisbon" not in log
    assert open_study(running).viewpoints == ("france",), "the study remembers the seat"
    with pytest.raises(Refusal, match="as France sees the game"):
        study(running, "italy")


def test_study_is_renamed_with_its_game(finished):
    session = study(finished)
    session.toggle_mark("good")
    session.book.close()
    new = rename_game(finished, "a better name")
    again = study(new)
    assert again.notes_here.marks and not study_path(finished).exists()
    again.book.close()


def test_header_of_a_game_has_no_parent():
    data = GOLDEN.read_bytes()
    assert b'"parent"' not in data.partition(b"\n")[0] and parse(data).header.parent is None


def test_exported_log_of_a_seat_is_studied_as_that_seat(tmp_path):
    whole = PaxHost.open(CONGRESS, write=False)
    path = tmp_path / "friday.jsonl"
    path.write_bytes(SeatLog(whole, "france").whole())
    with pytest.raises(Refusal, match="study it as France, but not as Italy"):
        study(path, "italy")
    session = study(path)
    assert session.viewpoints == ("france",) and not study_path(path).exists()
    session.look_at(5)
    session.write_comment("Paris is worth a Congress.")
    ref = branch(session, session.version)
    with PaxHost.open(session.book.log_path(find_ref(session.book.study, ref))) as host:
        assert host.state.turn == session.state.turn and host.verify() == []
    assert exported_seat(whole) == "" and exported_seat(PaxHost.open(GOLDEN, write=False)) == ""
    session.book.close()


def test_second_chapter_shows_a_running_game_to_the_same_seat(running):
    session = study(running, "france")
    session.toggle_mark("good")
    with pytest.raises(Refusal, match="as France sees it"):
        session.book.add_chapter(running, "italy")
    ref = session.book.add_chapter(running, at=2)
    assert session.open_log(ref).viewpoints == ("france",)
    session.book.close()


def test_running_game_is_not_studied_from_a_bot_seat(running):
    with PaxHost.open(running) as host:
        host.seat({seat: STEADY for seat in host.seats if seat != "france"})
    with pytest.raises(Refusal, match="but not as Italy"):
        study(running, "italy")
    assert study(running).viewpoints == ("france",)


def test_page_of_a_branch_has_notes_of_its_study(finished):
    session = study(finished)
    ref = branch(session, 40)
    other = session.open_log(ref)
    other.look_at(2)
    other.write_comment("Now France moves first.")
    path = session.book.log_path(find_ref(session.book.study, ref))
    with PaxHost.open(path, write=False) as host:
        shared = study_remarks(host, path, SPECTATOR, other.study_path)
        assert [remark.text for remark in shared.remarks] == ["Now France moves first."] and not shared.hidden_count
        assert not study_remarks(host, path, SPECTATOR).remarks
    session.book.close()


def test_notes_on_a_branch_of_a_seat_are_not_public(running):
    session = study(running, "france")
    session.look_at(None)
    ref = branch(session, session.version)
    other = session.open_log(ref)
    other.write_comment("Trianon holds.")
    path = session.book.log_path(find_ref(session.book.study, ref))
    for promoted in (False, True):
        with PaxHost.open(path, write=False) as host:
            assert study_remarks(host, path, SPECTATOR, session.study_path) == ((), 1)
            assert study_remarks(host, path, "france", session.study_path).remarks
        if not promoted:
            chapter = session.book.promote(ref)
            assert session.open_log(chapter).viewpoints == ("france",)
    session.book.close()
