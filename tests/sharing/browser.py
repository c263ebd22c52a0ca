"""A page in headless Chromium, with all that it reports and requests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from tests.waiting import PATIENCE


@contextmanager
def chromium() -> Iterator[Browser]:
    """The browser."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu"]
        )
        try:
            yield browser
        finally:
            browser.close()


@dataclass
class OpenPage:
    """A page, with its errors (console, exceptions, dialogs) and its requests beyond its own file."""

    page: Page
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def text(self, id_: str) -> str:
        """The text of an element."""
        return self.page.locator(f"#{id_}").inner_text()

    def value(self, script: str) -> Any:
        """The value of an expression in the page."""
        return self.page.evaluate(script)


@contextmanager
def open_page(browser: Browser, path: Path, anchor: str = "", **context: Any) -> Iterator[OpenPage]:
    """Open a file and check at the end that it reported no error and requested nothing."""
    window = browser.new_context(**{"viewport": {"width": 1400, "height": 950}, **context})
    window.set_default_timeout(PATIENCE * 1000)
    shown = OpenPage(window.new_page())
    url = path.as_uri()
    shown.page.on("console", lambda message: shown.errors.append(message.text))
    shown.page.on("pageerror", lambda error: shown.errors.append(str(error)))

    def dismiss(dialog: Any) -> None:
        shown.errors.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def note_request(request: Any) -> None:
        if not request.url.startswith(url):
            shown.requests.append(request.url)

    shown.page.on("dialog", dismiss)
    shown.page.on("request", note_request)
    shown.page.goto(url + anchor)
    yield shown
    assert not shown.errors and not shown.requests
    window.close()
