"""DSPy modules: generate, classify, recall, revise, remember."""

from sqlmend.modules._adapter import TaggedAdapter
from sqlmend.modules._classify import FAILURE_TYPES, ClassifyFailure
from sqlmend.modules._generate import Generate
from sqlmend.modules._prompt import Prompt, load_prompt
from sqlmend.modules._recall import Recall, RecallParameters
from sqlmend.modules._remember import Remember
from sqlmend.modules._revise import Revise

__all__ = [
    "FAILURE_TYPES",
    "ClassifyFailure",
    "Generate",
    "Prompt",
    "Recall",
    "RecallParameters",
    "Remember",
    "Revise",
    "TaggedAdapter",
    "load_prompt",
]
