"""For tests of programs, engines, databases and embedders: a simulator and contract tests."""

from sqlmend.testing._lm import ScriptedEngine, scripted_lm

__all__ = ["ScriptedEngine", "scripted_lm"]
