"""Findings as a prompt shows them."""

import pytest

from sqlmend.modules._render_rules import render_findings
from sqlmend.modules.contradictions import Finding


@pytest.mark.parametrize(
    ("differ", "said"), [(True, "results differ; "), (False, "results agree; "), (None, "")]
)
def test_a_comparison_of_candidates_says_whether_their_results_differ(differ, said):
    finding = Finding("structure", "join", "joins differ", ("c1", "c2"), (("city", ""),), differ)
    assert render_findings([finding]) == f"structure | c1, c2 | city | {said}joins differ"
