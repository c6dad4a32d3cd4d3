"""What is compared, and what can come of an attempt."""

from __future__ import annotations

#: What the second prompt says of the draft on the table: nothing, that such a statement failed, or the note.
ARMS = ("nothing", "warning", "instruction")

#: ``failed``: the machine refused it. ``answered``: it ran and does what the task asks. ``off_task``: it ran
#: and does not. ``declined``: the model says that it cannot be done. ``no_statement``: neither of them.
OUTCOMES = ("failed", "answered", "off_task", "declined", "no_statement")

#: The attempt before anything is remembered; it has no draft.
FIRST = "first"
