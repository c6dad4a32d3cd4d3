"""What language-model calls cost: counted in our own wrapper, memo hits as what they would have cost."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Call:
    """One answered call of a language model.

    Attributes:
        key: The memo key of what was asked, hex sha256.
        paid: Whether this run paid for the answer (see ``paying``).
        prompt_tokens: Tokens of the prompt, as the model's engine counted them.
        output_tokens: Tokens of the answer.
        cached_tokens: Prompt tokens that the engine took from its prefix cache when the answer was paid for.
        seconds: Time in the model when the answer was paid for, by whomever.
        waited: Time that this process spent in the call, seconds; a memo hit takes next to nothing.
        cut_off: Whether the answer ended at its token limit, or where it repeated itself.
    """

    key: str
    paid: bool
    prompt_tokens: int
    output_tokens: int
    cached_tokens: int
    seconds: float
    waited: float
    cut_off: bool = False


@dataclass
class Usage:
    """The calls of a ``meter`` block and their sums.

    Attributes:
        records: The calls, in order.
    """

    records: list[Call] = field(default_factory=list)

    @property
    def calls(self) -> int:
        """All calls, memo hits included."""
        return len(self.records)

    @property
    def calls_paid(self) -> int:
        """The calls that this run paid for."""
        return sum(call.paid for call in self.records)

    @property
    def prompt_tokens(self) -> int:
        """Prompt tokens of all calls: what they would have cost without a memo."""
        return sum(call.prompt_tokens for call in self.records)

    @property
    def output_tokens(self) -> int:
        """Output tokens of all calls: what they would have cost without a memo."""
        return sum(call.output_tokens for call in self.records)

    @property
    def cached_tokens(self) -> int:
        """Prompt tokens of all calls that came from the engine's prefix cache."""
        return sum(call.cached_tokens for call in self.records)

    @property
    def cut_off(self) -> int:
        """The calls whose answer did not come to its own end."""
        return sum(call.cut_off for call in self.records)

    @property
    def seconds(self) -> float:
        """Seconds in the model for the calls that this run paid for."""
        return sum(call.seconds for call in self.records if call.paid)

    @property
    def waited(self) -> float:
        """Seconds that this process spent in the calls."""
        return sum(call.waited for call in self.records)


_METERS: ContextVar[tuple[Usage, ...]] = ContextVar("sqlmend_meters", default=())


@contextlib.contextmanager
def meter() -> Iterator[Usage]:
    """Collect every call of a language model that is made in the block; meters nest.

    A thread started in the block has its own context and is not seen unless it runs in a copy of this one.
    """
    usage = Usage()
    token = _METERS.set((*_METERS.get(), usage))
    try:
        yield usage
    finally:
        _METERS.reset(token)


def count(call: Call) -> None:
    """Add a call to every meter around it."""
    for usage in _METERS.get():
        usage.records.append(call)


class Payer:
    """The run that pays.

    A run pays for an answer that its memo holds no answer of another payer for, once. After a kill the
    answers that it had paid for are in the memo under its token, so that the resumed run counts them as
    paid when it comes to use them, and both runs together count what an undisturbed one counts.

    Args:
        token: Names the run: opaque, the same after a resume, another for another run.
        settled: Keys of calls that were counted before (those of the steps that a resumed run keeps).
    """

    def __init__(self, token: str, settled: Iterable[str] = ()) -> None:
        self.token = token
        self._settled = set(settled)

    def settles(self, key: str, payer: str) -> bool:
        """Whether a call counts as paid by this run: its answer is, and it was not counted before."""
        if payer != self.token or key in self._settled:
            return False
        self._settled.add(key)
        return True


_PAYER: ContextVar[Payer | None] = ContextVar("sqlmend_payer", default=None)


@contextlib.contextmanager
def paying(token: str, settled: Iterable[str] = ()) -> Iterator[None]:
    """Everything asked in the block is paid for by the run named ``token`` (see ``Payer``)."""
    reset = _PAYER.set(Payer(token, settled))
    try:
        yield
    finally:
        _PAYER.reset(reset)


def current_payer() -> Payer | None:
    """The run that pays here, None outside a ``paying`` block."""
    return _PAYER.get()
