"""Programs: compositions of modules, one small declarative preset for each method."""

from sqlmend.programs._question import Question

__all__ = ["Question"]
