"""Names of agreements, which the notation must be able to write."""

from __future__ import annotations

import re

from paxtui.engine.free_text import check_stacks, clean_text
from paxtui.engine.refusal import Refusal

MAX_NAME_LENGTH = 40
"""Maximum length of an agreement's name, in characters."""

_NOT_IN_A_NAME = re.compile(r"[:;\"]|(?<!\S)(?:with|as)(?!\S)|(?<!\S)(?:public|secret)$", re.IGNORECASE)


def clean_name(text: str) -> str:
    """Return the cleaned name of an agreement.

    Raises:
        Refusal: `notation`, if the notation could not represent it.
    """
    name = clean_text(text)
    check_stacks(name)
    if len(name) > MAX_NAME_LENGTH:
        raise Refusal("notation", (), f"A name has at most {MAX_NAME_LENGTH} characters.", expected="a name")
    if _NOT_IN_A_NAME.search(name):
        raise Refusal(
            "notation",
            (),
            "A name cannot contain a colon, a semicolon, a quotation mark, 'with' or 'as', or end with "
            "'public' or 'secret'.",
            expected="a name",
        )
    return name
