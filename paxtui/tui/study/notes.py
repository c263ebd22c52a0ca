"""The annotations of a line as text."""

from __future__ import annotations

from collections.abc import Callable

from rich.text import Text

from paxtui.engine.free_text import clean_text
from paxtui.games.pax.text.display import place_name
from paxtui.session.session import Session
from paxtui.studies.study import MARK_NAMES, MARK_SIGNS, Comment
from paxtui.studies.study_session import StudySession
from paxtui.tui.formatting.look import Look, wrap_hanging

COMMENT_ROWS = 12
"""Maximum rows of the comments in the head of the side column."""


def notes_head(session: Session, look: Look, width: int, key_of: Callable[[str, str], str]) -> Text:
    """Render the annotations of the displayed line. Args: as `HeadRenderer`."""
    assert isinstance(session, StudySession)
    notes, book = session.notes_here, session.book
    out = Text(no_wrap=True)
    out.append(look.palette.text(f"{book.title(session.log)}"), "bold")
    out.append(f" · line {session.line}\n", look.faint)
    for mark in notes.marks:
        out.append(f"{MARK_SIGNS[mark.kind]} {MARK_NAMES[mark.kind]}   ", look.key)
    if notes.marks:
        out.append("\n")
    comments = Text()
    for comment in notes.comments:
        comments.append_text(comment_text(comment, look, width))
    rows: list[Text] = [*comments.split("\n")] if comments else []
    for row in rows[:COMMENT_ROWS]:
        out.append_text(row).append("\n")
    if len(rows) > COMMENT_ROWS:
        out.append(f"{len(rows) - COMMENT_ROWS} more rows: {key_of('study.comment', 'k')} shows all\n", look.faint)
    drawn = [f"{place_name(session.tables, a.start)} → {place_name(session.tables, a.end)}" for a in notes.arrows]
    drawn += [place_name(session.tables, h.area) for h in notes.highlights]
    if drawn:
        out.append_text(look.rows([("map: " + ", ".join(drawn), look.faint)], width, 5))
    for branch in notes.branches:
        out.append(look.palette.text(f"> {book.title(branch)}\n"), look.key)
    if not any(notes):
        keys = (("study.comment", "k", "comment"), ("study.judge", "j", "mark"), ("study.branch", "b", "play on"))
        hints = " · ".join(f"{key_of(id_, key)} {what}" for id_, key, what in keys)
        out.append_text(look.rows([(f"No note here. {hints}", look.faint)], width, 0))
    if book.blocked:
        out.append_text(wrap_hanging(Text(f"Read-only: {book.blocked}", look.alarm), width, 0))
    return out


def comment_text(comment: Comment, look: Look, width: int) -> Text:
    """Render a comment, its Markdown as text, below its author and time."""
    when = clean_text(comment.time)[:16].replace("T", " ")
    out = Text()
    out.append(look.palette.text(f"{clean_text(comment.author) or 'a reader'}, {when}\n"), look.faint)
    return out.append_text(look.rows(map(_plain, comment.text.splitlines()), width, 0))


def _plain(line: str) -> str:
    """Return a line without control characters; a file can contain what the editor refuses."""
    indent = len(line) - len(line.lstrip(" "))
    return " " * indent + clean_text(line)


def first_line(comment: Comment, room: int) -> str:
    """Return the beginning of a comment in one line."""
    text = clean_text(comment.text)
    return text if len(text) <= room else text[: room - 1] + "…"
