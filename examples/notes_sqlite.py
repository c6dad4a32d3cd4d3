"""Failure notes around any code that runs SQL: here a script with sqlite3, without a language model.

python examples/notes_sqlite.py
"""

import sqlite3
import tempfile
from pathlib import Path

from sqlmend import FailureNotes
from sqlmend.memory.notes import read_schema

SHOP = """
CREATE TABLE orders (id INTEGER PRIMARY KEY, status TEXT NOT NULL);
INSERT INTO orders VALUES (1, 'shipped'), (2, 'open');
CREATE TRIGGER shipped BEFORE UPDATE ON orders WHEN OLD.status = 'shipped'
BEGIN SELECT RAISE(ABORT, 'a shipped order cannot be changed'); END;
"""

with tempfile.TemporaryDirectory() as folder:
    connection = sqlite3.connect(":memory:")
    connection.executescript(SHOP)
    with FailureNotes(Path(folder) / "notes.jsonl") as notes:
        # The code that runs SQL goes on as before; what the database refuses is recorded on the way.
        with notes.watch(connection) as watched:
            try:
                watched.execute("UPDATE orders SET status = 'open' WHERE id = 1")
            except sqlite3.IntegrityError as error:
                print("refused:", error)

        # The next time a model proposes a statement of this form, its prompt says what happened.
        schema = read_schema(connection)
        proposed = "UPDATE orders SET status = 'cancelled' WHERE id = 7"
        print("note:", notes.lookup(proposed, schema, backend="sqlite"))
        print("anything else:", notes.lookup("SELECT status FROM orders", schema, backend="sqlite"))
        print("on disk:", notes.flush())
    connection.close()
