"""Recordings, animations, pictures and texts of a game, and the messages of `paxtui share`."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pyte
import pytest
from msgspec.structs import replace
from PIL import Image

from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.session.game_viewer import GameViewer
from paxtui.session.pax_host import PaxHost
from paxtui.sharing.frames import FRAME_SIZE, FramePainter, game_cast, turns_gif
from paxtui.sharing.pictures import text_of_rows
from paxtui.sharing.position_text import position_text
from paxtui.sharing.remarks import review_heading, review_remarks, study_remarks, viewpoint_review
from paxtui.sharing.turns import game_turns
from paxtui.studies.review import TurningPoint, review_game
from paxtui.studies.review_file import save_review
from paxtui.studies.study import Branch, Chapter, Comment, Mark, Study, encode_study, line_hash
from paxtui.tui.colors import palette_of
from tests.cli.commands import inside
from tests.places import SAVES
from tests.sharing.pages import HOSTILE, hostile_host, new_host

pytestmark = pytest.mark.slow

LINES = 60
SHARED = "start"


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The log of the beginning of a game."""
    path = tmp_path_factory.mktemp("shared") / f"{SHARED}.jsonl"
    lines = (SAVES / "whole-game-0.2.0.jsonl").read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:LINES]))
    return path


@pytest.fixture(scope="module")
def view(log: Path) -> GameViewer:
    return GameViewer(PaxHost.open(log, write=False), SPECTATOR)


def screen_after(cast: str) -> list[str]:
    """Return the screen at the end of a recording."""
    header, *events = map(json.loads, cast.splitlines())
    assert header["version"] == 2 and (header["width"], header["height"]) == FRAME_SIZE
    screen = pyte.Screen(*FRAME_SIZE)
    stream = pyte.Stream(screen)
    times = [event[0] for event in events]
    assert times == sorted(times)
    for _, kind, data in events:
        if kind == "o":
            stream.feed(data)
    return [line.rstrip() for line in screen.display]


def test_recording_ends_with_the_last_frame(view: GameViewer) -> None:
    palette, turns = palette_of("dark"), game_turns(view)
    painter = FramePainter(view, palette)
    last = text_of_rows(painter.paint(painter.news_lines[-1])).splitlines()
    assert screen_after(game_cast(view, palette, turns, "x")) == [line.rstrip() for line in last]
    assert "1880 · Game Turn 1" in last[0] and "GB" in last[-3]


def test_texts_of_players_contain_no_control_sequences() -> None:
    view = GameViewer(hostile_host(), ARBITER)
    cast = game_cast(view, palette_of("dark"), game_turns(view), "\x1b]0;x\x07")
    assert "\\u202e" not in cast and "\u202e" not in cast and "]0;x\\u0007" not in cast
    assert any("<script>alert(1)</script>" in line for line in screen_after(cast))


def test_animation_has_a_picture_of_each_turn(view: GameViewer) -> None:
    data = turns_gif(view, palette_of("light"), game_turns(view) * 2)
    with Image.open(io.BytesIO(data)) as image:
        assert image.format == "GIF" and image.size == (1600, 950)


def test_position_as_text(view: GameViewer) -> None:
    text = position_text(view.tables, view.position(1), HOSTILE)
    assert "\u202e" not in text and "1880, Game Turn 1" in text
    assert "Great Britain" in text and "◆ Possession:" in text and max(map(len, text.splitlines()[1:])) <= 80


def test_command_writes_each_format(log: Path, tmp_path: Path) -> None:
    for words, name in (
        ((), "start.html"),
        (("--png", "--turns", "1"), "start.png"),
        (("--text", "-o", "a.txt"), "a.txt"),
        (("--cast", "-o", "a.cast"), "a.cast"),
    ):
        done = inside(tmp_path, "share", str(log), *words)
        assert done.returncode == 0 and done.stdout.decode().strip() == name and not done.stderr, done.stderr
        assert (tmp_path / name).stat().st_size > 500
    printed = inside(tmp_path, "share", str(log), "--text").stdout.decode()
    assert printed == (tmp_path / "a.txt").read_text()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--seat", "narnia"), "--seat takes britain"),
        (("--turns", "1"), "a page contains all of them"),
        (("--text", "--turns", "9"), "--turns takes Game Turns from 1 to"),
        (("--text", "--turns", "x"), "not 'x'"),
    ],
)
def test_wrong_arguments_are_reported(log: Path, tmp_path: Path, words: tuple[str, ...], message: str) -> None:
    done = inside(tmp_path, "share", str(log), *words)
    assert done.returncode == 2 and message in done.stderr.decode() and not list(tmp_path.iterdir())


def test_sharing_secrets_of_a_running_game_warns(log: Path, tmp_path: Path) -> None:
    for words in (("--seat", "france"), ("--all",)):
        done = inside(tmp_path, "share", str(log), *words)
        assert done.returncode == 0 and "This game is not over" in done.stderr.decode()
        assert "This game is not over" in (tmp_path / "start.html").read_text()


def test_branches_of_the_study_are_listed_at_their_line(log: Path, tmp_path: Path) -> None:
    copy = tmp_path / "start.jsonl"
    copy.write_bytes(log.read_bytes())
    host = PaxHost.open(copy, write=False)
    study = study_of(host, copy.name, "france", ())
    [chapter] = study.chapters
    branch = Branch(
        file="b.jsonl",
        hash="0" * 32,
        lines=9,
        tip="1" * 32,
        title="<b>Egypt",
        parent=chapter.hash,
        line=20,
        seat="italy",
    )
    (tmp_path / "start.study").write_bytes(
        encode_study(replace(study, chapters=(replace(chapter, branches=(branch,)),)))
    )
    found = study_remarks(host, copy, "france").remarks
    assert [(remark.line, remark.label) for remark in found] == [(10, "blunder"), (20, "branch")]
    assert found[1].text == "<b>Egypt: played on as Italy, 9 lines"
    assert not study_remarks(host, copy, SPECTATOR).remarks


def study_of(host: PaxHost, file: str, seat: str, comments: tuple[Comment, ...]) -> Study:
    game = host.game
    first, tip = (line_hash(game.lines, game.tip, n) for n in (1, host.version))
    marks = (Mark(10, "blunder"),)
    return Study(
        chapters=(
            Chapter(file=file, hash=first, lines=host.version, tip=tip, seat=seat, comments=comments, marks=marks),
        )
    )


def test_pages_show_comments_their_viewpoint_may_see(log: Path, tmp_path: Path) -> None:
    copy = tmp_path / "start.jsonl"
    copy.write_bytes(log.read_bytes())
    host = PaxHost.open(copy, write=False)
    comment = Comment(10, f"**Bold** {HOSTILE}\nsecond line zqnotezq", "Ann <i>", "2026-11-27T07:00:00Z")
    (tmp_path / "start.study").write_bytes(encode_study(study_of(host, copy.name, "france", (comment,))))
    for words, shown in ((("--seat", "france"), True), (("--all",), True), ((), False), (("--seat", "germany"), False)):
        done = inside(tmp_path, "share", copy.name, *words)
        text = (tmp_path / "start.html").read_text()
        assert ("zqnotezq" in text) is shown, words
        assert ("leaves out comments of the study" in done.stderr.decode()) is not shown
        assert "<i>" not in text.replace("<i>Pax", "") and "\u202e" not in text


def test_damaged_study_is_reported(log: Path, tmp_path: Path) -> None:
    copy = tmp_path / "start.jsonl"
    copy.write_bytes(log.read_bytes())
    (tmp_path / "start.study").write_bytes(b"{")
    done = inside(tmp_path, "share", copy.name)
    assert done.returncode == 2 and "start.study is damaged" in done.stderr.decode()
    assert not (tmp_path / "start.html").exists()


def test_comments_on_hidden_lines_are_omitted(tmp_path: Path) -> None:
    host = new_host()
    host.dispatch("britain", ("france",), "between us")
    path = tmp_path / "game.jsonl"
    host.save_as(path)
    study = study_of(host, path.name, "britain", (Comment(host.version, "zqprivatezq"), Comment(1, "zqopenzq")))
    (tmp_path / "game.study").write_bytes(encode_study(study))
    britain, france = (inside(tmp_path, "share", path.name, "--seat", seat) for seat in ("britain", "france"))
    assert britain.returncode == 0 and france.returncode == 0
    text = (tmp_path / "game.html").read_text()
    assert "zqprivatezq" not in text and "zqopenzq" not in text


def test_predicted_turning_points_are_labeled(log: Path) -> None:
    host = PaxHost.open(log, write=False)
    review = review_game(host)
    predicted = review_remarks(host, review)
    assert predicted and all(remark.label.startswith("predicted: ") for remark in predicted)
    title, note = review_heading(review)
    assert title == "What may have decided this game" and note.startswith("By the prediction from the positions alone.")
    points = tuple(replace(point, rollouts=15, error=1.0, advice="a statesman would not") for point in review.points)
    refined = replace(review, points=points, rollouts=20)
    texts = [remark.text for remark in review_remarks(host, refined)]
    assert all(text.endswith(". A statesman would not. The rollouts do not tell this from chance.") for text in texts)
    assert not any("predicted" in remark.label for remark in review_remarks(host, refined))
    assert review_heading(refined) == ("What decided this game", "By 20 simulated games from each Game Turn.")


def test_saved_review_is_used_if_its_viewpoint_fits(log: Path, tmp_path: Path) -> None:
    copy = tmp_path / "start.jsonl"
    copy.write_bytes(log.read_bytes())
    host = PaxHost.open(copy, write=False)
    review = review_game(host, SPECTATOR)
    point = TurningPoint(1, 1880, 20, "zqpointzq", review.turns[0].predicted, review.turns[0].predicted)
    kept = replace(review, points=(point,))
    save_review(copy, host, kept)
    assert viewpoint_review(host, SPECTATOR, copy) == kept
    everything = replace(kept, seat=ARBITER)
    save_review(copy, host, everything)
    assert viewpoint_review(host, SPECTATOR, copy) == everything  # nothing in this game is hidden

    secret = new_host()
    secret.dispatch("britain", ("france",), "between us")
    secret.save_as(tmp_path / "secret.jsonl")
    of_secret = review_game(secret, "britain")
    point = replace(point, before=of_secret.turns[0].predicted, after=of_secret.turns[0].predicted)
    save_review(tmp_path / "secret.jsonl", secret, replace(of_secret, points=(point,), seat=ARBITER))
    own = viewpoint_review(secret, SPECTATOR, tmp_path / "secret.jsonl")
    assert own is not None and own.seat == SPECTATOR and point not in own.points
