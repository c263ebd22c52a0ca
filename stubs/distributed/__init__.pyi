"""What the runs of many games use of dask's distributed: its own types are not strict."""

from collections.abc import Callable, Mapping, Sequence
from typing import Generic, TypeVar

T_co = TypeVar("T_co", covariant=True)
T = TypeVar("T")

class Future(Generic[T_co]):
    def done(self) -> bool: ...
    def result(self) -> T_co: ...

class Client:
    def __init__(self, address: str, *, timeout: float) -> None: ...
    def run(self, function: Callable[[], T]) -> dict[str, T]: ...
    def submit(
        self,
        function: Callable[[bytes, Mapping[str, str]], T],
        raw: bytes,
        tables: Mapping[str, str],
        *,
        workers: Sequence[str],
        allow_other_workers: bool,
        pure: bool,
    ) -> Future[T]: ...
    def ncores(self) -> dict[str, int]: ...
    def close(self) -> None: ...

def wait(futures: Sequence[Future[T]], *, timeout: float, return_when: str) -> object: ...
