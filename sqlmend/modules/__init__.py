"""DSPy modules: generate, classify, recall, reflect, revise, remember."""

from sqlmend.modules._adapter import TaggedAdapter
from sqlmend.modules._classify import FAILURE_TYPES, ClassifyFailure
from sqlmend.modules._draw import Draw
from sqlmend.modules._generate import Generate
from sqlmend.modules._limits import cap_execution
from sqlmend.modules._prompt import Prompt, load_prompt
from sqlmend.modules._recall import Recall, RecallParameters, RecallPool
from sqlmend.modules._reflect import Reflect
from sqlmend.modules._remember import Remember
from sqlmend.modules._revise import Revise

__all__ = [
    "FAILURE_TYPES",
    "ClassifyFailure",
    "Draw",
    "Generate",
    "Prompt",
    "Recall",
    "RecallParameters",
    "RecallPool",
    "Reflect",
    "Remember",
    "Revise",
    "TaggedAdapter",
    "cap_execution",
    "load_prompt",
]
