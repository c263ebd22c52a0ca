"""What the desk writes: a report to each seat, an answer to whoever has written, a reminder to who has sent nothing."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from hashlib import sha256

from paxtui.pax.words.free_text import clean
from paxtui.postal.reading import Written
from paxtui.postal.settings import MailSettings

TYPES: dict[str, tuple[str, str]] = {
    ".txt": ("text", "plain"), ".md": ("text", "markdown"), ".html": ("text", "html"), ".form": ("text", "plain"),
    ".json": ("application", "json"),
}  # fmt: skip
"""What a file is, by its ending."""


def letter(
    settings: MailSettings,
    to: str,
    subject: str,
    body: str,
    *,
    name: str,
    at: datetime,
    files: Mapping[str, bytes] | None = None,
    to_letter: str = "",
) -> bytes:
    """A letter from the desk.

    Args: the settings; whom it goes to; subject; text; what is only this letter's, for its id; when; files by name;
        the id of the letter that it answers, "" for none.
    """
    message = EmailMessage(policy=SMTP)
    message["From"] = Address(clean(settings.name), addr_spec=settings.address)
    message["To"] = Address(addr_spec=to)
    message["Subject"] = clean(subject)[:400]
    message["Date"] = format_datetime(at)
    message["Message-ID"] = f"<{sha256(name.encode()).hexdigest()[:32]}@{settings.address.rpartition('@')[2]}>"
    message["Auto-Submitted"] = "auto-replied" if to_letter else "auto-generated"
    if is_id(to_letter):
        message["In-Reply-To"] = to_letter
        message["References"] = to_letter
    message.set_content(body, cte="quoted-printable" if not body.isascii() else None)
    for file, data in (files or {}).items():
        main, sub = TYPES.get(file[file.rfind(".") :], ("application", "octet-stream"))
        if main == "text":
            message.add_attachment(data.decode(), subtype=sub, filename=file)
        else:
            message.add_attachment(data, maintype=main, subtype=sub, filename=file)
    return message.as_bytes()


def is_id(text: str) -> bool:
    """Whether a text is the id of a letter that may be named in another."""
    return text.startswith("<") and text.endswith(">") and text.isascii() and " " not in text and len(text) < 250


def taken(written: Written, says: str) -> str:
    """The answer to a letter that has been taken. Args: it; what was taken, in sentences."""
    return f"{says.rstrip()}\n\n{_quoted(written)}"


def came_twice(written: Written, was_taken: bool) -> str:
    """The answer to a letter that was delivered twice."""
    if was_taken:
        says = (
            "This letter has come a second time. It was taken the first time, and that holds: you need not do "
            "anything. If "
            "you have sent other orders since, those count."
        )
    else:
        says = (
            "This letter has come a second time. It was refused the first time, for the reason in the answer that "
            "you got "
            "then. To send orders again write a new letter."
        )
    return f"{says}\n\n{_quoted(written)}"


def refused(written: Written, why: str, remedy: str = "") -> str:
    """The answer to a letter that could not be taken."""
    more = f"{remedy}\n\n" if remedy else ""
    return f"Nothing of your letter \"{written.subject[:100]}\" has been taken:\n\n{why}\n\n{more}{_quoted(written)}"


def _quoted(written: Written) -> str:
    """What a letter is called, for whoever has sent several."""
    return f"Subject: {written.subject[:200]}\nMessage-ID: {written.id[:200]}\n"


def report(report_text: str, form: str, sealed: bool, has_own: bool = True) -> str:
    """The text of the letter that brings a report.

    Args: the report; the form, "" for none; whether the game is sealed, and then whether the seat's own is enclosed.
    """
    if sealed and not has_own:
        return (
            f"{report_text}\n"
            "Your own report is not enclosed: nobody has taken your seat with its code yet. Ask the gamemaster "
            "for the\n"
            "code, put the enclosed postal.json into a directory of its own and type\n"
            "    paxtui postal join DIR CODE --name YOURS\n"
            "Then answer this letter and enclose the file in orders/joining that it makes.\n"
        )
    if sealed:
        return (
            f"{report_text}\n"
            "Your own report is enclosed, sealed for your key. Put the files into your directory of the game and type\n"
            "    paxtui postal read DIR --form my.form\n"
            "and send the sealed form that 'paxtui postal submit' makes as the enclosure of your answer.\n"
        )
    if not form:
        return report_text
    return (
        f"{report_text}\n"
        "HOW TO ANSWER\n"
        "Answer this letter and leave its subject as it is: it proves that the answer is yours. Write your orders "
        "one a\n"
        "line, or attach them as a text file. An END line ends them. The receipt repeats what was read as an "
        "order and\n"
        "what was not. A later letter with orders replaces an earlier one; 'withdraw orders' takes yours back, and\n"
        "'no orders' says that you have none.\n"
    )
