"""The report of a run as one page of HTML that needs nothing else: its charts, then its tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from paxtui.arena.charts import charts
from paxtui.arena.match import Outcome
from paxtui.arena.report import TITLE, report
from paxtui.charts.page import page as page_of
from paxtui.pax.board.tables import Tables


def page(
    tables: Tables,
    outcomes: Sequence[Outcome],
    day: Mapping[str, str] | None = None,
    night: Mapping[str, str] | None = None,
) -> str:
    """The page of a run. Args: the tables; its games; the colours of the charts by day and by night."""
    lines = [line for line in report(outcomes) if line != f"# {TITLE}"]
    return page_of(TITLE, [], charts(tables, outcomes), day or {}, night or {}, tuple(_text(lines)))


def _text(lines: Sequence[str]) -> Iterator[str]:
    """The lines of a report as HTML: headings, tables, lists and paragraphs."""
    open_ = ""
    for line in lines:
        wanted = "table" if line.startswith("|") else "ul" if line.startswith("- ") else ""
        if open_ and wanted != open_:
            yield f"</{open_}>"
        if wanted and wanted != open_:
            yield '<table class="report">' if wanted == "table" else f"<{wanted}>"
        fresh, open_ = wanted != open_, wanted
        if line.startswith("#"):
            level = len(line) - len(line.lstrip("#"))
            yield f"<h{level}>{escape(line.lstrip('# '))}</h{level}>"
        elif wanted == "table":
            if not line.startswith("|---"):
                cell = "th" if fresh else "td"
                cells = (part.strip() for part in line.strip("|").split("|"))
                yield "<tr>" + "".join(f"<{cell}>{escape(part)}</{cell}>" for part in cells) + "</tr>"
        elif wanted == "ul":
            yield f"<li>{escape(line[2:])}</li>"
        elif line:
            yield f"<p>{escape(line)}</p>"
    if open_:
        yield f"</{open_}>"
