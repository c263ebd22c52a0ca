"""The index of games: update, queries, openings, damage, and the command."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import suppress
from pathlib import Path

import pytest

from paxtui.archive.index import Archive, ArchiveError
from paxtui.archive.openings import Step, find_opening
from paxtui.archive.query import EXAMPLES, FORMS, Query, Vocabulary, load_vocabulary
from paxtui.cli.main import main
from paxtui.engine.refusal import Refusal
from paxtui.session.tables.loader import load_tables
from tests.places import SAVES
from tests.tui.secret_games import secret_game

NAMES = ("whole-game-0.2.0", "ten-turns-0.2.0", "great-war-0.2.0", "rebellion-won-0.2.0", "russo-japanese-0.2.0")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of games."""
    found = tmp_path_factory.mktemp("games")
    for name in NAMES:
        shutil.copy(SAVES / f"{name}.jsonl", found)
    (found / "results.jsonl").write_text('{"number":1}\n')
    (found / "inner").mkdir()
    shutil.copy(SAVES / "empires" / "cabinet-1805.jsonl", found / "inner")
    return found


@pytest.fixture(scope="module")
def index(folder: Path) -> Path:
    """An index of the folder."""
    path = folder.parent / f"{folder.name}-index" / "a.sqlite"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PAXTUI_HOME", str(folder.parent / "nobody"))
        with Archive(path) as archive:
            archive.add_folder(folder)
            assert archive.update()[:4] == (7, 0, 0, 0)
            assert archive.count() == 6
    return path


@pytest.fixture
def archive(index: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """The open index."""
    monkeypatch.setenv("PAXTUI_HOME", str(tmp_path))
    with Archive(index) as opened:
        yield opened


@pytest.fixture
def words(archive: Archive) -> Vocabulary:
    """The names for queries."""
    return load_vocabulary(load_tables(), archive)


def found_names(archive: Archive, words: Vocabulary, text: str) -> set[str]:
    return {Path(game.paths[0]).stem for game in archive.find(*Query(text, words).condition)}


# Queries


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("winner britain", {"whole-game-0.2.0", "ten-turns-0.2.0"}),
        ("great war", {"great-war-0.2.0"}),
        ("great war before 1892", set()),
        ("great war by 1892", {"great-war-0.2.0"}),
        ("no war and finished", {"ten-turns-0.2.0", "cabinet-1805"}),
        ("rebellion in 1880 or great war", {"rebellion-won-0.2.0", "great-war-0.2.0"}),
        ("japan at war with russia in 1904", {"russo-japanese-0.2.0"}),
        ("japan at war with russia after 1908", set()),
        ("britain at war with italy", set()),
        ("italy at war with russia", {"great-war-0.2.0"}),
        ("ottoman war, congress", {"whole-game-0.2.0"}),
        ("britain opens in egypt and seats 4", {"whole-game-0.2.0"}),
        ("britain ranks 1 and britain scores 360", {"ten-turns-0.2.0"}),
        ("britain scores 351 and seats 4", set()),
        ('"whole game"', {"whole-game-0.2.0"}),
        ('"cabinet"', {"cabinet-1805"}),
        ("no finished and turns 8", {"russo-japanese-0.2.0"}),
        ("option belgium yes", set()),
        ("britain holds canada in 1892 and great war", {"great-war-0.2.0"}),
        ("united states takes canada or player nobody-of-that-name", set()),
    ],
)
def test_queries_find_games_by_conditions(archive: Archive, words: Vocabulary, text: str, found: set[str]) -> None:
    assert found_names(archive, words, text) == found


def test_control_by_a_year_agrees_with_control_spans(archive: Archive, words: Vocabulary) -> None:
    spans = archive.rows("SELECT game, area, power, first, last FROM control WHERE power = 'france'")
    areas = {area for _, area, _, first, _ in spans if first}
    for area in areas:
        for year, turn in ((1884, 2), (1900, 6)):
            by = {game for game, at, _, first, _ in spans if at == area and first <= turn}
            name = area.replace("_", " ")
            assert {one.id for one in archive.find(*Query(f"france holds {name} by {year}", words).condition)} == by
            lost = {game for game, at, _, _, last in spans if at == area and 0 < last <= turn}
            assert {one.id for one in archive.find(*Query(f"france loses {name} by {year}", words).condition)} == lost


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("japan holds kroea", "Word 3, 'kroea': an Area is expected here. Did you mean 'korea'?"),
        ("japan keeps korea", "Word 2, 'keeps': 'holds', "),
        (
            "kroea",
            "Word 1, 'kroea': a condition such as 'japan holds korea by 1892' or 'winner italy and no war' is "
            "expected here. For an Area write who holds it, such as 'japan holds korea'.",
        ),
        (
            "ann",
            "Word 1, 'ann': a condition such as 'japan holds korea by 1892' or 'winner italy and no war' is "
            'expected here. For words in names write quotes: "ann".',
        ),
        (
            "(war or congress) and winner italy",
            "Word 1, '(war': a condition such as 'japan holds korea by 1892' or "
            "'winner italy and no war' is expected here. A query has no parentheses; 'and' binds tighter than 'or'.",
        ),
        ("japan holds korea by", "The query ends too early: a year from 1880 to 1930 must follow."),
        ("great war before 1700", "Word 4, '1700': a year "),
        ("winner italy no war", "Word 3, 'no': 'and' or 'or' is expected here."),
        ("winner italy and", "The query ends too early: a condition such as 'japan holds korea by 1892'"),
        ("player ann as britan", "Word 4, 'britan': a Power is expected here. Did you mean 'britain'?"),
        ("played since 2026-13-01", "Word 3, '2026-13-01': a date such as 2026-03-31 is expected here."),
        ("x" * 2000, "A query has at most 1000 characters"),
        (" and ".join(["war"] * 60), "A query has at most 40 conditions."),
    ],
)
def test_query_errors_name_the_word_and_suggest_another(words: Vocabulary, text: str, message: str) -> None:
    with pytest.raises(Refusal) as error:
        Query(text, words)
    assert error.value.message.startswith(message)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("games where england won", "winner britain"),
        ("usa held morocco before 1900", "united states holds marocco before 1900"),
        ("war between germany and france", "germany at war with france"),
        ("germany attacks france after 1900", "germany at war with france after 1900"),
        ("7 players and 10 turns", "seats 7 and turns 10"),
        ("running games", "running"),
        ("chinese rebellion", "rebellion"),
    ],
)
def test_synonyms_give_the_same_query(words: Vocabulary, text: str, same: str) -> None:
    assert Query(text, words).condition == Query(same, words).condition


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("jap", "japan "),
        ("japan h", "japan holds "),
        ("japan holds kor", "japan holds korea "),
        ("japan holds korea b", "japan holds korea by "),
        ("japan holds korea by 189", "japan holds korea by 1892 "),
        ("united s", "united states "),
        ("no gre", "no great britain "),
        ("war and france holds west", None),
        ("winner italy a", "winner italy and "),
    ],
)
def test_completion_suggests_what_the_parser_expects(words: Vocabulary, text: str, first: str | None) -> None:
    found = [one.fills for one in Query.suggest(text, words)]
    assert (found[0] if first else None) == first


def test_completions_and_examples_are_valid_queries(words: Vocabulary) -> None:
    words = words._replace(players={"Ann Lee": "Ann Lee"}, scenarios={"evening": "evening"})
    free = ("ranks ", "scores ", "seats ", "turns ", "position ", "since ", "before ")
    for text in ("", "japan ", "no war and ", "great ", "player ", "player Ann "):
        for one in Query.suggest(text, words, 99):
            assert one.fills.startswith(text)
            assert one.fills.endswith(free) or Query.suggest(one.fills, words, 1), one
    for text in EXAMPLES:
        Query(text, words)
    assert len({form.pattern for form in FORMS}) == len(FORMS)


@pytest.mark.parametrize("text", ['"', '""', '"*"', '"a OR b NEAR"', "option a' b", "player '; DROP TABLE games"])
def test_special_characters_do_no_harm(archive: Archive, words: Vocabulary, text: str) -> None:
    with suppress(Refusal):
        archive.find(*Query(text, words).condition)
    assert archive.count() == 6


# Openings


def test_openings_count_finished_games(archive: Archive, words: Vocabulary) -> None:
    opening = find_opening(archive, "britain")
    assert opening.games == 2
    egypt = next(node for node in opening.nodes if node.step == Step(1, "egypt"))
    ranks = [rank for (rank,) in archive.rows("SELECT rank FROM seats WHERE seat = 'britain' AND rank > 0")]
    assert egypt.games == egypt.wins == 2 and egypt.mean_rank == pytest.approx(sum(sorted(ranks)[:2]) / 2)
    below = find_opening(archive, "britain", (egypt.step,), Query("seats 4", words).condition)
    assert below.games == 1 and egypt.step not in [node.step for node in below.nodes]
    assert find_opening(archive, "britain", (Step(1, "korea"), Step(2, "aden"))).games == 0


# The index and its files


def test_update_reads_only_changed_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAXTUI_HOME", str(tmp_path / "home"))
    games = tmp_path / "games"
    games.mkdir()
    shutil.copy(SAVES / f"{NAMES[2]}.jsonl", games / "a.jsonl")
    with Archive() as archive:
        archive.add_folder(games)
        assert archive.update()[:4] == (1, 0, 0, 0)
        shutil.copy(games / "a.jsonl", games / "b.jsonl")
        (games / "c.jsonl").write_bytes((games / "a.jsonl").read_bytes().replace(b"france", b"frence", 1))
        assert archive.update()[:4] == (1, 0, 1, 1)
        (found,) = archive.find()
        assert [Path(path).name for path in found.paths] == ["a.jsonl", "b.jsonl"]
        assert [Path(path).name for path, _ in archive.damaged()] == ["c.jsonl"]
        assert archive.update()[:4] == (0, 0, 3, 0)
        (games / "a.jsonl").unlink()
        (games / "c.jsonl").unlink()
        assert archive.update()[:4] == (0, 2, 1, 0) and archive.count() == 1
        archive.remove_folder(games)
        archive.update()
        assert archive.count() == 0
        assert not any(archive.rows(f"SELECT * FROM {table}") for table in ("files", "seats", "control", "placements"))
        with pytest.raises(ArchiveError, match="was not added"):
            archive.remove_folder(games)
        with pytest.raises(ArchiveError, match="there is no folder"):
            archive.add_folder(tmp_path / "nowhere")


def test_several_processes_build_the_same_index(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAXTUI_HOME", str(tmp_path))
    monkeypatch.setattr("paxtui.archive.index.WORTH_PROCESSES", 1)
    monkeypatch.setattr("paxtui.archive.index.BULK", 1)
    with Archive() as archive:
        archive.add_folder(folder)
        seen = []
        assert archive.update(2, seen.append)[:4] == (7, 0, 0, 0)
        assert archive.count() == 6 and seen[-1] == (7, 7)
        assert len(archive.rows("SELECT name FROM sqlite_master WHERE name = 'control_area'")) == 1


@pytest.mark.parametrize("damage", ["garbage", "cut", "version"])
def test_damaged_index_is_rebuilt(damage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAXTUI_HOME", str(tmp_path))
    (tmp_path / "saves").mkdir()
    log = tmp_path / "saves" / "a.jsonl"
    shutil.copy(SAVES / f"{NAMES[2]}.jsonl", log)
    before = log.read_bytes()
    with Archive() as archive:
        archive.update()
        path = archive.path
    data = path.read_bytes()
    if damage == "version":
        db = sqlite3.connect(path)
        db.execute("PRAGMA user_version = -1")
        db.close()
    else:
        path.write_bytes(b"no database" * 999 if damage == "garbage" else data[:5000])
    with Archive() as archive:
        assert "is rebuilt" in archive.notice and archive.count() == 0
        archive.update()
        assert archive.count() == 1
    assert log.read_bytes() == before and path.with_name("archive.sqlite.damaged").exists()


def test_other_files_are_not_overwritten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAXTUI_HOME", str(tmp_path))
    other = tmp_path / "letters.txt"
    other.write_text("dear Ann")
    with pytest.raises(ArchiveError, match="is not an index"):
        Archive(other)
    db = sqlite3.connect(tmp_path / "other.sqlite")
    db.execute("CREATE TABLE a (b)")
    db.close()
    with pytest.raises(ArchiveError, match="is not an index"):
        Archive(tmp_path / "other.sqlite")
    assert other.read_text() == "dear Ann"
    with Archive() as archive:
        archive.db.execute("PRAGMA user_version = 99")
    with pytest.raises(ArchiveError, match="newer paxtui"):
        Archive()
    with Archive(rebuild=True) as archive:
        assert archive.count() == 0, "as the message promises"


def test_damaged_folder_list_or_schema_is_tolerated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAXTUI_HOME", str(tmp_path))
    with Archive() as archive:
        for damaged in ("{", "[1]", r'["\u0000"]', '[""]'):
            path = archive.path.with_suffix(".folders.json")
            path.write_text(damaged)
            archive.update()
            assert len(archive.folders()) == 1
        path = archive.path
    data = path.read_bytes()
    path.write_bytes(data.replace(b"CREATE TABLE files", b"CREATE TABLE f\xff\xfees"))
    with suppress(ArchiveError), Archive() as archive:
        archive.update()
    with Archive(rebuild=True) as archive:
        assert archive.count() == 0


def test_locked_index_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAXTUI_HOME", str(tmp_path))
    monkeypatch.setattr("paxtui.archive.index.BUSY_S", 0.01)
    with Archive() as archive, Archive() as other:
        other.db.execute("BEGIN IMMEDIATE")
        with pytest.raises(ArchiveError, match="another program updates the archive"):
            archive.update()
        assert archive.count() == 0


def test_index_contains_no_secret_of_a_running_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAXTUI_HOME", str(tmp_path))
    (tmp_path / "saves").mkdir()
    secret_game().save_as(tmp_path / "saves" / "g.jsonl")
    with Archive() as archive:
        archive.update()
        assert archive.count("finished = 0") == 1
    for file in tmp_path.glob("archive*"):
        assert b"Biarritz" not in file.read_bytes() and b"zz9qa" not in file.read_bytes()


# The command


@pytest.fixture
def run(folder: Path, index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """Run the command, and return its exit code, output and errors."""
    monkeypatch.setenv("PAXTUI_HOME", str(tmp_path))

    def command(*words: str) -> tuple[int, str, str]:
        code = main(["archive", "--index", str(index), *words])
        out, err = capsys.readouterr()
        return code, out, err

    return command


def test_command_finds_games(run) -> None:
    code, out, _ = run("winner", "britain", "and", "war")
    assert code == 0 and "whole-game-0.2.0.jsonl\n" in out and "Great Britain wins in 1916" in out
    assert out.endswith("1 game\n")
    code, out, _ = run("great war", "--json")
    assert code == 0 and [json.loads(line)["reason"] for line in out.splitlines()] == ["great_war"]
    code, out, _ = run()
    assert code == 0 and out.startswith("6 games, 4 of them finished")
    code, out, _ = run("--like", str(SAVES / "whole-game-0.2.0.jsonl"), "--limit", "1")
    assert code == 0 and "whole-game" in out and "1 game" in out


def test_command_counts_openings(run) -> None:
    code, out, _ = run("--openings", "britain", "egypt")
    assert code == 0 and out.startswith("Great Britain opens in Egypt: 2 games, mean rank ")
    code, out, _ = run("--openings", "britain", "2:kongo", "--json")
    assert code == 0 and json.loads(out)["steps"] == [{"turn": 2, "area": "kongo"}]


def test_command_lists_conditions_and_completions(run) -> None:
    assert "<power> holds <area>" in run("--conditions")[1]
    assert "korea\n" in run("--complete", "japan", "holds")[1]


@pytest.mark.parametrize(
    "words",
    [["nonsense"], ["--jobs", "0"], ["--limit", "-1"], ["--openings", "mars"], ["--like", "/nowhere.jsonl"],
     ["--add", "/nowhere"], ["--remove", "/nowhere"]],
    ids=lambda words: " ".join(words),
)  # fmt: skip
def test_invalid_arguments_are_reported(run, words: list[str]) -> None:
    code, _, err = run(*words)
    assert code == 2 and err.startswith("paxtui: ") and "internal error" not in err
