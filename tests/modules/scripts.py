"""A scripted model that keeps its prompts, and a small database, for tests of modules."""

import sqlite3
from contextlib import closing

from sqlmend.testing import scripted_lm

SCRIPT = """
CREATE TABLE city (id INTEGER PRIMARY KEY, name TEXT, country_id INTEGER REFERENCES country (id), area REAL);
CREATE TABLE country (id INTEGER PRIMARY KEY, name TEXT, code TEXT);
INSERT INTO country VALUES (1, 'Peru', 'PE'), (2, 'Norway', 'NO');
INSERT INTO city VALUES (1, 'Lima', 1, 2672.0), (2, 'Cusco', 1, 385.0), (3, 'Oslo', 2, 454.0);
"""


class Recorder:
    """Answers every prompt with the next text (the last one for ever) and keeps the prompts."""

    def __init__(self, *texts, **settings):
        self.prompts = []
        self.texts = list(texts)
        self.lm = scripted_lm(self.answer, **settings)

    def answer(self, prompt):
        self.prompts.append(prompt)
        return self.texts.pop(0) if len(self.texts) > 1 else self.texts[0]


def world(folder):
    """The path of a small database of cities."""
    path = folder / "world.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(SCRIPT)
    return path
