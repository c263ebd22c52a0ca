"""A failed recording says what differs and how to renew it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.recorded import same_as_recorded


def test_failure_prints_diff_and_renew_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PAXTUI_RECORD", raising=False)
    path = tmp_path / "answers.txt"
    path.write_text("one\ntwo\nthree\n")
    same_as_recorded(path, ["one", "two", "three"])
    with pytest.raises(pytest.fail.Exception, match=r"(?s)-two\n\+2.*PAXTUI_RECORD=1 python -m pytest .*test_recorded"):
        same_as_recorded(path, ["one", "2", "three"])


def test_recording_is_renewed_on_request(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAXTUI_RECORD", "1")
    same_as_recorded(tmp_path / "answers.txt", ["one\nline", "two"])
    assert (tmp_path / "answers.txt").read_text() == "one / line\ntwo\n"
