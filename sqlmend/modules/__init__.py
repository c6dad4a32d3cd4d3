"""DSPy modules: generate, classify, recall, reflect, revise, remember; link, select, merge, extract, filter.

The packages ``tree``, ``contradictions`` and ``rules`` hold what needs no language model.
"""

from sqlmend.modules._adapter import TaggedAdapter
from sqlmend.modules._ask_probes import AskProbes
from sqlmend.modules._classify import FAILURE_TYPES, ClassifyFailure
from sqlmend.modules._draw import Draw
from sqlmend.modules._extract_rules import ExtractLessons, ExtractRules
from sqlmend.modules._filter_rules import FilterRules
from sqlmend.modules._find_contradictions import FindContradictions
from sqlmend.modules._gather import gather
from sqlmend.modules._generate import Generate
from sqlmend.modules._generate_reasoned import GenerateDirect, GenerateReasoned
from sqlmend.modules._generate_sampled import GenerateSampled
from sqlmend.modules._known import Known, Told
from sqlmend.modules._limits import cap_execution
from sqlmend.modules._link_schema import LinkSchema
from sqlmend.modules._merge_tree import MergeTree
from sqlmend.modules._probe import Probe, probe
from sqlmend.modules._prompt import Prompt, load_prompt
from sqlmend.modules._recall import Recall, RecallParameters, RecallPool
from sqlmend.modules._recall_cards import CARD_SETTINGS, OwnCards, RecallCards
from sqlmend.modules._recall_examples import Example, ExamplePool, RecallExamples, schema_shape
from sqlmend.modules._recall_rules import RULE_SETTINGS, RecallRules
from sqlmend.modules._reflect import Reflect
from sqlmend.modules._remember import Remember
from sqlmend.modules._retry import Retry
from sqlmend.modules._revise import Revise
from sqlmend.modules._select import Select

__all__ = [
    "CARD_SETTINGS",
    "FAILURE_TYPES",
    "RULE_SETTINGS",
    "AskProbes",
    "ClassifyFailure",
    "Draw",
    "Example",
    "ExamplePool",
    "ExtractLessons",
    "ExtractRules",
    "FilterRules",
    "FindContradictions",
    "Generate",
    "GenerateDirect",
    "GenerateReasoned",
    "GenerateSampled",
    "Known",
    "LinkSchema",
    "MergeTree",
    "OwnCards",
    "Probe",
    "Prompt",
    "Recall",
    "RecallCards",
    "RecallExamples",
    "RecallParameters",
    "RecallPool",
    "RecallRules",
    "Reflect",
    "Remember",
    "Retry",
    "Revise",
    "Select",
    "TaggedAdapter",
    "Told",
    "cap_execution",
    "gather",
    "load_prompt",
    "probe",
    "schema_shape",
]
