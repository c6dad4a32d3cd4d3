"""Whole batches of a beginning are reused, so that no bit of an answer depends on earlier prompts."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from sqlmend.models._prefix import PrefixReuse

BATCH = 4


class FakeLlama:
    """An engine whose answer tells with which tokens each token of the prompt was computed.

    Its slot holds, for each token, the batch that it was computed in, as the real one's numbers do in
    their last bits.
    """

    def __init__(self) -> None:
        self.slot: list[tuple[int, tuple[int, ...]]] = []
        self.kept: dict[str, list[tuple[int, tuple[int, ...]]]] = {}
        self.computed = 0

    def chat_tokens(self, messages) -> list[int]:
        return [ord(character) for character in messages[0]["content"]]

    def evaluate(self, tokens) -> int:
        return self._compute(list(tokens))

    def chat(self, body) -> dict:
        tokens = self.chat_tokens(body["messages"])
        if not body["cache_prompt"]:
            self.slot = []
        cached = self._compute(tokens)
        answer = repr(self.slot)
        self.slot = [*self.slot, (7, (7,)), (8, (8,))]  # what it answered lies in the slot as well
        return {"answer": answer, "usage": {"prompt_tokens_details": {"cached_tokens": cached}}}

    def save(self, name: str) -> None:
        self.kept[name] = list(self.slot)

    def restore(self, name: str) -> None:
        self.slot = list(self.kept[name])

    def discard(self, name: str) -> None:
        del self.kept[name]

    def _compute(self, tokens: list[int]) -> int:
        equal = 0
        for (known, _), token in zip(self.slot, tokens[:-1], strict=False):
            if known != token:
                break
            equal += 1
        self.slot = self.slot[:equal]
        for start in range(equal, len(tokens), BATCH):
            batch = tuple(tokens[start : start + BATCH])
            self.slot += [(token, batch) for token in batch]
        self.computed += len(tokens) - equal
        return equal


def ask(reuse: PrefixReuse, prompt: str) -> str:
    return reuse.chat([{"role": "user", "content": prompt}], {})["answer"]


def alone(prompt: str) -> str:
    return ask(PrefixReuse(FakeLlama(), BATCH), prompt)


prompts = st.text("ab", min_size=1, max_size=30)


@settings(max_examples=100, deadline=None)
@given(st.lists(prompts, min_size=1, max_size=40))
def test_an_answer_is_the_same_whatever_was_asked_before(asked: list[str]):
    llama = FakeLlama()
    reuse = PrefixReuse(llama, BATCH)
    for prompt in asked:
        assert ask(reuse, prompt) == alone(prompt)
    assert len(llama.kept) <= 8


def test_a_schema_is_computed_once_while_databases_alternate():
    llama = FakeLlama()
    reuse = PrefixReuse(llama, BATCH)
    first, second = "rules one:" + "x" * 90, "rules two:" + "y" * 90
    for question in range(10):
        ask(reuse, f"{first} question {question}")
        ask(reuse, f"{second} question {question}")
    whole = 20 * len(f"{first} question 0")
    assert llama.computed < whole / 3


def test_an_engine_that_builds_on_something_else_is_asked_from_nothing():
    class Forgetful(FakeLlama):
        def evaluate(self, tokens) -> int:
            self.slot = self.slot[:2]  # not where it was asked to
            return super().evaluate(tokens)

    reuse = PrefixReuse(Forgetful(), BATCH)
    for prompt in ("aaaa bbbb cccc dddd", "aaaa bbbb cccc eeee"):
        assert ask(reuse, prompt) == alone(prompt)


def test_an_error_leaves_nothing_to_build_on():
    class Failing(FakeLlama):
        def chat(self, body) -> dict:
            reply = super().chat(body)
            return {"error": {"message": "full"}} if "!" in body["messages"][0]["content"] else reply

    reuse = PrefixReuse(Failing(), BATCH)
    ask(reuse, "aaaa bbbb cccc dddd")
    assert "error" in reuse.chat([{"role": "user", "content": "aaaa bbbb !"}], {})
    assert ask(reuse, "aaaa bbbb cccc") == alone("aaaa bbbb cccc")
