"""One reasoning tree of a question's candidates: what they share, and where they part."""

from sqlmend.modules.tree._data import tree_from_data, tree_to_data
from sqlmend.modules.tree._majority import majority
from sqlmend.modules.tree._merge import merge
from sqlmend.modules.tree._mermaid import parse_mermaid, to_mermaid
from sqlmend.modules.tree._names import name_parts
from sqlmend.modules.tree._normal import normalise
from sqlmend.modules.tree._path import NODE_KINDS, Candidate, Path
from sqlmend.modules.tree._result import Result, observe, result_of
from sqlmend.modules.tree._svg import STYLE, to_html, to_svg
from sqlmend.modules.tree._tree import Divergence, Node, Tree

__all__ = [
    "NODE_KINDS",
    "STYLE",
    "Candidate",
    "Divergence",
    "Node",
    "Path",
    "Result",
    "Tree",
    "majority",
    "merge",
    "name_parts",
    "normalise",
    "observe",
    "parse_mermaid",
    "result_of",
    "to_html",
    "to_mermaid",
    "to_svg",
    "tree_from_data",
    "tree_to_data",
]
