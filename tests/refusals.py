"""What a call refuses."""

from collections.abc import Callable
from typing import Any

import pytest

from paxtui.engine.refusal import Refusal


def refused(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Refusal:
    """The refusal that a call ends in; it fails the test where nothing is refused."""
    with pytest.raises(Refusal) as caught:
        function(*args, **kwargs)
    return caught.value
