"""Reports as text and as Markdown: the same parts, and no text of a player is markup."""

from __future__ import annotations

import pytest

from paxtui.mail.reports import (
    ReportDocument,
    ReportGroup,
    ReportPart,
    document_markdown,
    document_text,
    escape_markdown,
    make_part,
)

DUE = ReportPart("What is due", (ReportGroup("", ("Stop 2.",)),))


def test_text_and_markdown_have_the_same_parts() -> None:
    parts = (*make_part("Your orders", ("Line 1: done.",)), ReportPart("News", (ReportGroup("Gains", ("Tunis.",)),)))
    document = ReportDocument("Game g1", "France", parts, DUE)
    assert document_text(document) == (
        "Game g1\nFor France.\n\nYOUR ORDERS\nLine 1: done.\n\nNEWS\nGains:\nTunis.\n\nWHAT IS DUE\nStop 2.\n"
    )
    assert document_markdown(document) == (
        "# Game g1\n\nFor France.\n\n## What is due\n\n- Stop 2.\n\n## Your orders\n\n- Line 1: done.\n\n"
        "## News\n\n### Gains\n\n- Tunis.\n"
    )


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("<script>alert(1)</script>", r"\<script\>alert(1)\</script\>"),
        ("[here](http://x)", r"\[here\](http\://x)"),
        ("see http://x and www.x.org", r"see http\://x and www\.x.org"),
        ("*bold* _it_ `code` ~no~ |a|", r"\*bold\* \_it\_ \`code\` \~no\~ \|a\|"),
        ("# no heading", r"\# no heading"),
        ("- no list", r"\- no list"),
        ("12. no list", r"12\. no list"),
        ("a@b.org &amp; \\", r"a\@b.org \&amp; \\"),
        ("Line 1: +2, 3 - 4.", "Line 1: +2, 3 - 4."),
    ],
)
def test_texts_of_players_are_no_markup(text: str, written: str) -> None:
    assert escape_markdown(text) == written


def test_a_line_stays_one_line() -> None:
    (found,) = make_part("Notices", ["one\n# two\x1b[31m\u202e"])
    assert found.groups[0].lines == ("one # two [31m",)
    assert make_part("Nothing", []) == ()
