"""What a worker may use, and how its messages begin."""

from __future__ import annotations

import struct

#: A message is its length and a marshalled tuple.
LENGTH = struct.Struct("<Q")
#: How many databases a worker keeps open.
MAX_CONNECTIONS = 8
MAX_RESULT_BYTES = 64 << 20
ADDRESS_SPACE_BYTES = 1536 << 20
#: What SQLite may allocate: sorting and temporary tables are in memory.
ENGINE_HEAP_BYTES = 512 << 20
LOCK_WAIT_S = 2.0
#: Virtual-machine instructions between two looks at the clock.
PROGRESS_OPS = 20_000
SAMPLED_ROWS = 500
SAMPLE_CHARACTERS = 100
