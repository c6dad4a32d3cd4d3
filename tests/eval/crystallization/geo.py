"""A benchmark whose references hold a marker, and a simulator of a model that learns from being wrong."""

import json
import re
import sqlite3
from collections import Counter
from contextlib import closing

from sqlmend.eval import load_benchmark

MARKER = "zq9markerzq9"
_NUMBER = re.compile(r"Which city has number (\d+)\?")


def benchmark(root):
    """Six questions of one database; the marker is in the text of every reference."""
    (root / "database" / "geo").mkdir(parents=True)
    with closing(sqlite3.connect(root / "database" / "geo" / "geo.sqlite")) as connection:
        connection.execute("CREATE TABLE city (id INTEGER PRIMARY KEY, name TEXT)")
        connection.executemany("INSERT INTO city VALUES (?, ?)", [(n, f"City {n}") for n in range(1, 9)])
        connection.commit()
    (root / "tables.json").write_text("[]")
    asked = [
        {
            "db_id": "geo",
            "question": f"Which city has number {n}?",
            "query": f"SELECT name /* {MARKER} */ FROM city WHERE id = {n} AND name <> '{MARKER}'",
        }
        for n in range(1, 7)
    ]
    (root / "dev.json").write_text(json.dumps(asked))
    return load_benchmark(f"spider:{root}")


class Learner:
    """A simulator: wrong at first, later right for even numbers; 3 is right at once, 5 never writes a query.

    It remembers what it was asked, so a run of it is for one test.
    """

    def __init__(self):
        self.prompts = []
        self._asked = Counter()

    def __call__(self, prompt):
        self.prompts.append(prompt)
        number = int(_NUMBER.findall(prompt)[-1])
        if "<final_query>" in prompt:
            return "<answer>A city is found by its id.</answer>"
        if "<queries_at_most>" in prompt:
            return "<answer>SELECT id FROM city WHERE id < 3</answer>"
        self._asked[number] += 1
        if number == 5:
            return "<answer></answer>" if self._asked[number] > 1 else "<answer>SELECT nam FROM city</answer>"
        if number == 3 or (self._asked[number] > 1 and number % 2 == 0):
            return f"<answer>SELECT name FROM city WHERE id = {number}</answer>"
        wrong = ("SELECT nam FROM city", f"SELECT name FROM city WHERE id = {number + 1}")
        return f"<answer>{wrong[self._asked[number] % 2]}</answer>"
