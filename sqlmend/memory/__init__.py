"""What is remembered: entries, the append-only log, causal views of it."""

from sqlmend.memory._entry import Execution, Polarity, RepairEntry

__all__ = ["Execution", "Polarity", "RepairEntry"]
