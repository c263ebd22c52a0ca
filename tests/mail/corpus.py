"""200 answers to a report from eight mail programs in six languages, each with its expected result.

`letters` makes each letter as a raw message of RFC 5322. Letters do not depend on chance or time.
"""

from __future__ import annotations

import html
import textwrap
from base64 import b64encode, encodebytes
from collections.abc import Callable, Iterator
from quopri import encodestring
from typing import NamedTuple

REPORT = (
    "Pax Britannica by mail, game g1: report 2, 1880",
    "Tunis: France places a Protectorate.",
    "Line 1, build A1: carried out.",
    "    build A9",
    "place possession egypt",
)
"""Lines of the quoted report; some look like orders."""

DESK = "Pax Britannica <pax@example.org>"


class Language(NamedTuple):
    """The texts of mail programs and players in a language.

    Attributes:
        hello, bye, name: greeting and signature around the orders.
        gmail, apple, thunderbird: the line before a quotation.
        outlook: the words for From, Sent, To, Subject.
        original: the separator above the original letter.
        iphone: the footer of the phone.
    """

    hello: str
    bye: str
    name: str
    gmail: str
    apple: str
    thunderbird: str
    outlook: tuple[str, str, str, str]
    original: str
    iphone: str


LANGUAGES = (
    Language(
        "Hi,", "Best regards", "Ann", f"On Sun, Mar 1, 2026 at 12:00 PM {DESK} wrote:",
        f"On 1 Mar 2026, at 12:00, {DESK} wrote:", "On 3/1/26 12:00, Pax Britannica wrote:",
        ("From", "Sent", "To", "Subject"), "-----Original Message-----", "Sent from my iPhone",
    ),
    Language(
        "Hallo zusammen,", "Viele Grüße", "Jürgen", f"Am So., 1. März 2026 um 12:00 Uhr schrieb {DESK}:",
        f"Am 01.03.2026 um 12:00 schrieb {DESK}:", "Am 01.03.26 um 12:00 schrieb Pax Britannica:",
        ("Von", "Gesendet", "An", "Betreff"), "-----Ursprüngliche Nachricht-----", "Von meinem iPhone gesendet",
    ),
    Language(
        "Bonjour à tous,", "Cordialement", "Hélène", f"Le dim. 1 mars 2026 à 12:00, {DESK} a écrit\u00a0:",
        f"Le 1 mars 2026 à 12:00, {DESK} a écrit :", "Le 01/03/2026 à 12:00, Pax Britannica a écrit :",
        ("De", "Envoyé", "À", "Objet"), "-----Message d'origine-----", "Envoyé de mon iPhone",
    ),
    Language(
        "Hola:", "Un saludo", "Íñigo", "El dom, 1 mar 2026 a las 12:00, Pax Britannica (<pax@example.org>) escribió:",
        f"El 1 mar 2026, a las 12:00, {DESK} escribió:", "El 1/3/26 a las 12:00, Pax Britannica escribió:",
        ("De", "Enviado", "Para", "Asunto"), "-----Mensaje original-----", "Enviado desde mi iPhone",
    ),
    Language(
        "Ciao,", "Cordiali saluti", "Niccolò", f"Il giorno dom 1 mar 2026 alle ore 12:00 {DESK} ha scritto:",
        f"Il giorno 1 mar 2026, alle ore 12:00, {DESK} ha scritto:", "Il 01/03/26 12:00, Pax Britannica ha scritto:",
        ("Da", "Inviato", "A", "Oggetto"), "-----Messaggio originale-----", "Inviato da iPhone",
    ),
    Language(
        "Olá,", "Atenciosamente", "João", f"Em dom., 1 de mar. de 2026 às 12:00, {DESK} escreveu:",
        f"Em 1 de mar. de 2026, à(s) 12:00, {DESK} escreveu:", "Em 01/03/2026 12:00, Pax Britannica escreveu:",
        ("De", "Enviada em", "Para", "Assunto"), "-----Mensagem original-----", "Enviado do meu iPhone",
    ),
)  # fmt: skip

LONG = "merchant mediterranean > baltic unless france moves at least 5 strength points of armies to tunis"
DEAL = "if anyone else places control tunis: build A3; move A3 home > tunis"


class Scenario(NamedTuple):
    """A letter's content, and the expected result.

    Attributes:
        name: of the scenario.
        body: lines of the letter, without greeting.
        orders: lines of the form that is taken.
        refusal: code of the refusal, "" for none.
        says: words in the refusal, or in the remarks about lines that are no orders.
        file: name and text of an attached file.
    """

    name: str
    body: tuple[str, ...] = ()
    orders: tuple[str, ...] = ()
    refusal: str = ""
    words: tuple[str, ...] = ()
    file: tuple[str, str] = ("", "")


SCENARIOS = (
    Scenario("plain", ("build A1", "pay britain 20"), ("build A1", "pay britain 20")),
    Scenario("prose", ("Here are my orders for this stop:", "", "build A1", "build A3", "", "Good luck to everybody!"),
             ("build A1", "build A3"), words=("Here are my orders", "Good luck to everybody!")),
    Scenario("long", (LONG, "build A1"), (LONG, "build A1")),
    Scenario("long last", ("build A1", DEAL, LONG), ("build A1", DEAL, LONG)),
    Scenario("standing", ("build A1", "", "standing:", "fight tunis", "decline egypt"),
             ("build A1", "standing:", "fight tunis", "decline egypt")),
    Scenario("as phones write", ("Build A1.", "Pay Britain 20"), ("Build A1", "Pay Britain 20")),
    Scenario("list", ("- build A1", "2. build A3"), ("build A1", "build A3")),
    Scenario("END", ("build A1", "END", "build A3 would be nice, but I am short of money."), ("build A1",),
             words=("everything from END on",)),
    Scenario("mistyped", ("build A1", "plcae protectorate tunis"), refusal="bad_form", words=("line", "plcae")),
    Scenario("unreadable", ("I build A1 and place a protectorate in Tunis.",), refusal="bad_form", words=("END",)),
    Scenario("empty", (), refusal="no_orders"),
    Scenario("only prose", ("I am travelling and will write tomorrow.",), refusal="no_orders",
             words=("I am travelling",)),
    Scenario("no orders", ("no orders",), ("# no orders",)),
    Scenario("withdraw", ("Withdraw my orders.",), refusal="withdrawn"),
    Scenario("attached text", ("My orders are attached.",), ("build A1", LONG), words=("My orders are attached.",),
             file=("orders.txt", f"build A1\n{LONG}\n")),
    Scenario("only attached", (), ("build A3", "pay britain 5"), file=("Orders.TXT", "Orders of Jürgen\nbuild "
    "A3\npay britain 5")),
    Scenario("attached form", ("See the form.",), file=("italy.form", "# a form\ngame: g1\nstop: 1\nseat: "
    "italy\nbuild A1\n"),
             orders=("# a form", "game: g1", "stop: 1", "seat: italy", "build A1"), words=("See the form.",)),
    Scenario("both", ("build A1",), refusal="two_forms", words=("orders.txt",), file=("orders.txt", "build A3")),
    Scenario("empty file", (), refusal="no_orders", words=("orders.txt",), file=("orders.txt", "Nothing yet.\n")),
    Scenario("head", ("game: g1", "stop: 1", "seat: italy", "", "build A1   # my only one"),
             ("game: g1", "stop: 1", "seat: italy", "build A1 # my only one")),
)  # fmt: skip


class Letter(NamedTuple):
    """A letter of the corpus. Attributes: its name; its bytes; its scenario; the footer of the mail program."""

    name: str
    data: bytes
    scenario: Scenario
    footer: str


# --- mail programs ----------------------------------------------------------------------------------------------------

Part = tuple[str, str, str]
"""Content type, transfer encoding and encoded text."""


def _encoded(text: str, charset: str, encoding: str, kind: str = "text/plain", more: str = "") -> str:
    """Return a MIME part with its header."""
    data = text.replace("\n", "\r\n").encode(charset, "xmlcharrefreplace" if kind == "text/html" else "replace")
    if encoding == "base64":
        body = encodebytes(data).decode()
    elif encoding == "quoted-printable":
        body = encodestring(data.replace(b"\r\n", b"\n")).decode()
    else:
        body = data.decode("latin-1").replace("\r\n", "\n")
    return f"Content-Type: {kind}; charset={charset}{more}\nContent-Transfer-Encoding: {encoding}\n\n{body}"


def _multi(kind: str, parts: list[str], n: int) -> str:
    boundary = f"--=_{kind}_{n:05}"
    inner = "".join(f"--{boundary}\n{part}\n" for part in parts)
    return f'Content-Type: multipart/{kind}; boundary="{boundary}"\n\n{inner}--{boundary}--\n'


def _quote(lines: tuple[str, ...] = REPORT) -> str:
    return "".join(f"> {line}\n" for line in lines)


def wrap(text: str, width: int) -> str:
    """Insert hard line breaks, as programs and editors do."""
    lines = [textwrap.fill(line, width, break_long_words=False, break_on_hyphens=False) for line in text.split("\n")]
    return "\n".join(lines)


def wrap_softly(text: str, width: int = 66) -> str:
    """Insert soft line breaks of RFC 3676."""
    out = []
    for line in text.split("\n"):
        if line == "-- " or line.startswith(">"):
            out.append(line)
            continue
        pieces = textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False) or [""]
        out += [f"{piece} " for piece in pieces[:-1]] + [pieces[-1]]
    return "\n".join(out)


def _divs(text: str) -> str:
    return "".join(f"<div>{html.escape(line) or '<br>'}</div>" for line in text.split("\n"))


def _paragraphs(text: str) -> str:
    lines = (html.escape(line) or "&nbsp;" for line in text.split("\n"))
    return "".join(f'<p class="MsoNormal">{line}<o:p></o:p></p>\n' for line in lines)


def gmail(text: str, language: Language, n: int) -> list[str]:
    """Gmail in a browser: two alternatives, the plain one with hard line breaks, also in the attribution."""
    plain = f"{wrap(text, 72)}\n\n{wrap(language.gmail, 60)}\n\n{_quote()}"
    quote = "<br>".join(map(html.escape, REPORT))
    html_body = (
        f'<div dir="ltr">{_divs(text)}</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">'
        f'{html.escape(language.gmail)}<br></div><blockquote class="gmail_quote" style="margin:0">{quote}'
        "</blockquote></div>"
    )
    encoding = "quoted-printable" if n % 2 else "base64"
    return [_encoded(plain, "UTF-8", encoding), _encoded(html_body, "UTF-8", "quoted-printable", "text/html")]


def gmail_android(text: str, language: Language, n: int) -> list[str]:
    """Gmail on a phone: the same, in base 64; one line for each paragraph."""
    plain = f"{text}\n\n{language.gmail}\n\n{_quote()}"
    html_body = (
        f'<p dir="ltr">{"<br>".join(map(html.escape, text.split(chr(10))))}</p><blockquote>{_divs("x")}</blockquote>'
    )
    return [_encoded(plain, "UTF-8", "base64"), _encoded(html_body, "UTF-8", "base64", "text/html")]


def _outlook_head(language: Language) -> str:
    sender, sent, to, subject = language.outlook
    return (
        f"{sender}: {DESK}\n{sent}: Sunday, March 1, 2026 12:00 PM\n{to}: Ann\n"
        f"{subject}: Pax Britannica, Italy: report 2"
    )


def outlook(text: str, language: Language, n: int) -> list[str]:
    """Outlook: the original below its header, without '>'; windows-1252."""
    separator = "________________________________\n" if n % 3 == 0 else language.original + "\n" if n % 3 == 1 else ""
    body = f"{text}\n\n{separator}{_outlook_head(language)}\n\n" + "\n".join(REPORT) + "\n"
    head = "".join(f"<b>{line.partition(':')[0]}:</b>{html.escape(line.partition(':')[2])}<br>" for line in
                   _outlook_head(language).split("\n"))  # fmt: skip
    html_body = (
        f"<html xmlns:o='urn:x'><head><style>p.MsoNormal {{margin:0}}</style></head><body>{_paragraphs(text)}"
        f"<div style='border-top:solid #E1E1E1 1.0pt'><p class='MsoNormal'>{head}</p></div>{_paragraphs(REPORT[0])}"
        f"{_paragraphs(chr(10).join(REPORT[1:]))}</body></html>"
    )
    rich_part = _encoded(html_body, "windows-1252", "quoted-printable", "text/html")
    if n % 4 == 1:
        return [rich_part]  # HTML alone
    return [_encoded(body, "windows-1252", "quoted-printable"), rich_part]


def apple_mail(text: str, language: Language, n: int) -> list[str]:
    """Apple Mail: format=flowed, with a quoted attribution."""
    body = wrap_softly(text) + f"\n\n> {language.apple}\n> \n{_quote()}"
    return [_encoded(body, "utf-8", "quoted-printable", more="; format=flowed")]


def thunderbird(text: str, language: Language, n: int) -> list[str]:
    """Thunderbird: format=flowed, the answer below the quotation, a signature; ISO 8859-15."""
    body = f"{language.thunderbird}\n{_quote()}\n{wrap_softly(text)}\n-- \n{language.name}\nbuild A9\n"
    return [_encoded(body, "iso-8859-15", "8bit", more="; format=flowed")]


def mutt(text: str, language: Language, n: int) -> list[str]:
    """mutt: hard line breaks at 72, orders between quoted lines, a signature."""
    quoted, rest = _quote(REPORT[:2]), _quote(REPORT[2:])
    body = f"{language.thunderbird}\n{quoted}\n{wrap(text, 72)}\n\n{rest}\n-- \nbuild A9\n"
    return [_encoded(body, "iso-8859-1" if n % 2 else "utf-8", "8bit")]


def iphone(text: str, language: Language, n: int) -> list[str]:
    """iPhone Mail: two alternatives or HTML alone, the footer of the phone, no-break spaces."""
    body = f"{text}\n\n{language.iphone}"
    plain = body.replace(" ", "\u00a0", 1) + f"\n\n> {language.apple}\n> \n> \ufeff\n{_quote()}"
    html_body = (
        f'<html><head><meta http-equiv="content-type"></head><body dir="auto">{_divs(body)}<div dir="ltr"><br>'
        f'<blockquote type="cite">{html.escape(language.apple)}<br><br></blockquote></div>'
        '<blockquote type="cite"><div dir="ltr">'
        f"{_divs(chr(10).join(REPORT))}</div></blockquote></body></html>"
    )
    if n % 4 == 2:
        return [_encoded(html_body, "utf-8", "quoted-printable", "text/html")]
    return [_encoded(plain, "utf-8", "quoted-printable"), _encoded(html_body, "utf-8", "quoted-printable", "text/html")]


def outlook_phone(text: str, language: Language, n: int) -> list[str]:
    """Outlook on a phone, and webmail: HTML alone with a ruler above the original."""
    head = "".join(f"<b>{html.escape(line)}</b><br>" for line in _outlook_head(language).split("\n"))
    html_body = (
        f"<html><body>{_divs(text)}<br>Get Outlook for Android<hr><div>{head}</div>"
        f"{_divs(chr(10).join(REPORT))}</body></html>"
    )
    return [_encoded(html_body, "utf-8", "base64", "text/html")]


PROGRAMS: tuple[Callable[[str, Language, int], list[str]], ...] = (
    gmail, outlook, apple_mail, thunderbird, mutt, iphone, gmail_android, outlook_phone,
)  # fmt: skip


def letters() -> Iterator[Letter]:
    """The letters of the corpus."""
    for n in range(200):
        program, language = PROGRAMS[n % 8], LANGUAGES[(n // 8 + n // 48) % 6]
        scenario = SCENARIOS[(n * 7 + n // 20) % len(SCENARIOS)]
        yield _letter(n, program, language, scenario)


Program = Callable[[str, Language, int], list[str]]
"""A function from text, language and a number for variations to the parts of a letter."""


def _letter(n: int, program: Program, language: Language, scenario: Scenario) -> Letter:
    around = n % 5 != 4
    lines = [language.hello, "", *scenario.body, "", language.bye, language.name] if around else list(scenario.body)
    parts = program("\n".join(lines), language, n)
    text = parts[0] if len(parts) == 1 else _multi("alternative", parts, n)
    file, data = scenario.file
    if file:
        text = _multi("mixed", [text, _file(file, data, n)], n)
    head = (
        f"Return-Path: <ann@example.org>\nReceived: from mx by example.org; Sun, 1 Mar 2026 13:00:{n % 60:02} +0000\n"
        f"From: {language.name.encode('ascii', 'ignore').decode()} <ann@example.org>\nTo: {DESK}\n"
        f"Subject: {('Re', 'AW', 'RE', 'RV', 'R', 'RES')[n % 6]}: Pax Britannica, Italy: report 1 [pax g1 1 italy "
        "0000000000]\n"
        f"Date: Sun, 1 Mar 2026 13:00:00 +0000\nMessage-ID: <{n}@example.org>\nMIME-Version: 1.0\n"
    )
    raw = (head + text).encode("latin-1")
    if n % 3:
        raw = raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    footer = language.iphone if program is iphone else ""
    return Letter(f"{n:03} {program.__name__} {language.hello} {scenario.name}", raw, scenario, footer)


def _file(name: str, text: str, n: int) -> str:
    """Return an attached text as Windows, a phone or Unix encodes it."""
    kind, charset, data = (
        ("text/plain", "; charset=utf-8", text.encode()),
        ("text/plain", "", b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()),
        ("application/octet-stream", "", text.encode()),
        ("text/plain", "; charset=windows-1252", text.encode("cp1252")),
        ("text/plain", "", text.encode("utf-16") if not name.endswith(".form") else text.encode()),
    )[n % 5]
    where = "inline" if n % 7 == 3 else "attachment"
    return (
        f'Content-Type: {kind}{charset}; name="{name}"\nContent-Disposition: {where}; filename="{name}"\n'
        f"Content-Transfer-Encoding: base64\n\n{b64encode(data).decode()}\n"
    )
