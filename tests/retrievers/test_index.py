from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from filelock import FileLock

from sqlmend.errors import InputError
from sqlmend.memory import Memory, RepairEntry
from sqlmend.retrievers import HashEmbedder, MemoryIndex, _index, _store
from sqlmend.retrievers._bm25 import tokenize
from sqlmend.retrievers._embedders import Vectors
from sqlmend.retrievers._texts import dense_text, entry_texts
from sqlmend.testing import repair_entry

BOTH = ("positive", "negative")


class Counting(HashEmbedder):
    """Counts the texts that it is asked for."""

    def __init__(self, dim: int = 64) -> None:
        super().__init__(dim)
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.asked += texts
        return super().embed(texts)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "run" / "index"


def some(count: int, start: int = 0) -> list[RepairEntry]:
    return [
        repair_entry(question_id=str(i), question=f"question {i}", polarity=BOTH[i % 2])
        for i in range(start, start + count)
    ]


def check_exact(
    index: MemoryIndex,
    memory: Memory,
    fields: str = "all",
    kinds: Sequence[str] = BOTH,
) -> None:
    """Every record's vector and tokens are those of its texts."""
    query = HashEmbedder().embed(["question 3 pets"])[0]
    for kind in kinds:
        texts = entry_texts(kind, fields)
        records = memory.records(kind)
        arrays, rows = index.locate(records, fields)
        vectors = HashEmbedder().embed([texts.dense(record.entry) for record in records])
        assert arrays.dense(query, rows) == pytest.approx(vectors @ query, abs=1e-6)
        for record, row in zip(records, rows, strict=True):
            alone = arrays.lexical(tokenize(texts.lexical(record.entry)), np.array([row]))
            assert alone[0] > 0


def test_nothing_is_opened_for_an_empty_memory(memory: Memory, folder: Path) -> None:
    with MemoryIndex(memory, folder, HashEmbedder()) as index:
        index.sync(BOTH)
    assert not folder.exists()


def test_only_what_is_new_is_embedded(memory: Memory, folder: Path) -> None:
    embedder = Counting()
    with MemoryIndex(memory, folder, embedder) as index:
        for position, entry in enumerate(some(6)):
            memory.append([entry], position, {})
            index.sync(BOTH)
        assert embedder.asked == [dense_text(entry) for entry in some(6)]
        check_exact(index, memory)
    reopened = Counting()
    with MemoryIndex(memory, folder, reopened) as index:
        check_exact(index, memory)
        memory.append(some(1, start=6), 6, {})
        check_exact(index, memory)
    assert reopened.asked == [dense_text(some(1, start=6)[0])]


def test_a_reader_may_index_a_memory(memory: Memory, folder: Path) -> None:
    memory.append(some(4), 0, {})
    reader = Memory(memory.path)
    with MemoryIndex(reader, folder, HashEmbedder()) as index:
        check_exact(index, reader)


def test_what_was_not_written_is_made_again(memory: Memory, folder: Path) -> None:
    memory.append(some(4), 0, {})
    MemoryIndex(memory, folder, HashEmbedder()).sync(BOTH)  # and the process is killed
    embedder = Counting()
    with MemoryIndex(memory, folder, embedder) as index:
        check_exact(index, memory)
    assert len(embedder.asked) == 4


def test_vectors_are_written_in_batches(
    memory: Memory, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_index, "_BATCH", 2)
    index = MemoryIndex(memory, folder, HashEmbedder())
    for position, entry in enumerate(some(5)):  # of both kinds in turn: the third fills a batch
        memory.append([entry], position, {})
        index.sync(BOTH)
    embedder = Counting()
    with MemoryIndex(memory, folder, embedder) as again:
        check_exact(again, memory)
    assert embedder.asked == [dense_text(entry) for entry in (some(5)[4], some(5)[3])]


def test_what_the_log_no_longer_has_is_dropped(memory: Memory, folder: Path) -> None:
    memory.append(some(6), 0, {})
    MemoryIndex(memory, folder, HashEmbedder()).sync(BOTH)
    with MemoryIndex(memory, folder, HashEmbedder()) as index:
        index.sync(BOTH)
    gone = memory.records("positive")[0].id
    memory.forget([gone], purge=True)
    with MemoryIndex(memory, folder, HashEmbedder()) as index:
        check_exact(index, memory)
    on_disk = b"".join(path.read_bytes() for path in sorted((folder / "text").rglob("*.jsonl")))
    assert gone.encode() not in on_disk
    assert gone not in _store.VectorStore(folder / "vectors").load()["positive"]


def test_another_embedder_is_refused_and_told_how_to_rebuild(memory: Memory, folder: Path) -> None:
    memory.append(some(2), 0, {})
    with MemoryIndex(memory, folder, HashEmbedder()) as index:
        index.sync(BOTH)
    with pytest.raises(InputError, match=r"built with hash64, not with hash32.*delete .*index") as caught:
        MemoryIndex(memory, folder, HashEmbedder(32))
    assert caught.value.code == "other_embedder"
    MemoryIndex(memory, folder, HashEmbedder())


@pytest.mark.parametrize("content", [None, "", "[]", "{", '{"embedder": "hash64", "text_format": 0}'])
def test_another_format_is_built_anew(memory: Memory, folder: Path, content: str | None) -> None:
    memory.append(some(2), 0, {})
    with MemoryIndex(memory, folder, HashEmbedder()) as index:
        index.sync(BOTH)
    manifest = folder / "index.json"
    assert json.loads(manifest.read_text()) == {"embedder": "hash64", "text_format": 1}
    manifest.unlink() if content is None else manifest.write_text(content)
    embedder = Counting()
    with MemoryIndex(memory, folder, embedder) as index:
        check_exact(index, memory)
    assert len(embedder.asked) == 2
    assert json.loads(manifest.read_text())["text_format"] == 1


def test_an_index_in_the_memory_is_refused(memory: Memory) -> None:
    with pytest.raises(InputError, match="outside the memory"):
        MemoryIndex(memory, memory.path / "index", HashEmbedder())


def test_a_folder_that_cannot_be_made(memory: Memory, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    memory.append(some(1), 0, {})
    with (
        pytest.raises(InputError, match="cannot be written"),
        MemoryIndex(memory, tmp_path / "file" / "x", HashEmbedder()) as index,
    ):
        index.sync(BOTH)


def test_a_held_folder(memory: Memory, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_store, "_LOCK_TIMEOUT_S", 0)
    memory.append(some(1), 0, {})
    folder.mkdir()
    with FileLock(folder / ".lock"), pytest.raises(InputError, match="another process"):
        MemoryIndex(memory, folder, HashEmbedder()).sync(BOTH)


def test_several_indexes_share_a_folder(memory: Memory, folder: Path) -> None:
    memory.append(some(8), 0, {})

    def use() -> None:
        with MemoryIndex(Memory(memory.path), folder, HashEmbedder()) as index:
            index.sync(BOTH)

    threads = [threading.Thread(target=use) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    embedder = Counting()
    with MemoryIndex(memory, folder, embedder) as index:
        check_exact(index, memory)
    assert embedder.asked == []


def test_a_retired_record_keeps_the_others_in_place(memory: Memory, folder: Path) -> None:
    memory.append(some(6), 0, {})
    with MemoryIndex(memory, folder, HashEmbedder()) as index:
        index.sync(BOTH)
        memory.retire(memory.records("positive")[0].id)
        memory.append(some(2, start=6), 1, {})
        check_exact(index, memory)


def on_disk(folder: Path) -> dict[str, set[str]]:
    """Shelf to the ids whose vectors are on disk; their tokens are there too."""
    vectors = _store.VectorStore(folder / "vectors").load()
    tokens = _store.Lexicon(folder / "text").load()
    assert {shelf: set(found) for shelf, found in tokens.items()} == {
        k: set(v) for k, v in vectors.items() if v
    }
    return {shelf: set(found) for shelf, found in vectors.items() if found}


def test_only_the_kinds_and_choices_that_are_asked_for_are_indexed(memory: Memory, folder: Path) -> None:
    memory.append(some(4), 0, {})
    embedder = Counting()
    with MemoryIndex(memory, folder, embedder) as index:
        index.sync()
        assert embedder.asked == [] and not folder.exists()
        check_exact(index, memory, "question", ["positive"])
        assert embedder.asked == ["question 0", "question 2"]
        memory.append(some(2, start=4), 1, {})
        index.sync()  # as a stream does after a commit
        assert embedder.asked == ["question 0", "question 2", "question 4"]
        check_exact(index, memory, "question", ["positive"])
    assert embedder.asked == ["question 0", "question 2", "question 4"]
    assert on_disk(folder) == {"positive.question": {record.id for record in memory.records("positive")}}


def test_choices_share_a_folder_and_none_reads_what_another_made(memory: Memory, folder: Path) -> None:
    memory.append(some(4), 0, {})
    choices = ("all", "question", "failure", "no_schema")
    for fields in choices:  # each in a process of its own, the earlier ones on disk
        with MemoryIndex(memory, folder, HashEmbedder()) as index:
            check_exact(index, memory, fields)
    embedder = Counting()
    with MemoryIndex(memory, folder, embedder) as index:
        for fields in choices:
            check_exact(index, memory, fields)
        assert embedder.asked == []
        memory.append(some(1, start=4), 1, {})
        check_exact(index, memory, "failure")
        check_exact(index, memory, "all")
    assert len(on_disk(folder)) == 8


def test_what_the_log_no_longer_has_is_dropped_from_choices_that_nobody_asks_for(
    memory: Memory, folder: Path
) -> None:
    memory.append(some(6), 0, {})
    with MemoryIndex(memory, folder, HashEmbedder()) as index:
        index.sync(["positive"], "question")
        index.sync(BOTH)
    gone = memory.records("positive")[0].id
    memory.forget([gone], purge=True)
    with MemoryIndex(memory, folder, HashEmbedder()) as index:
        check_exact(index, memory, "failure", ["negative"])
    left = on_disk(folder)
    assert left.keys() == {"positive", "positive.question", "negative", "negative.failure"}
    assert all(gone not in ids for ids in left.values())
    text = b"".join(path.read_bytes() for path in sorted((folder / "text").rglob("*.jsonl")))
    assert gone.encode() not in text


def test_a_choice_that_a_kind_has_not_is_refused(memory: Memory, folder: Path) -> None:
    index = MemoryIndex(memory, folder, HashEmbedder())
    with pytest.raises(InputError, match="cannot be searched by fields 'no_schema'"):
        index.sync(["reflections"], "no_schema")
