"""Refusals of a call."""

from collections.abc import Callable
from typing import Any

import pytest

from paxtui.engine.refusal import Refusal


def refused(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Refusal:
    """Call a function and return its Refusal; fail if it raises none."""
    with pytest.raises(Refusal) as caught:
        function(*args, **kwargs)
    return caught.value
