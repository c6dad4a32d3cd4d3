import pytest

from sqlmend.databases import STATUSES
from sqlmend.modules import FAILURE_TYPES, ClassifyFailure

PINNED = {
    "schema_linking": ["unknown_table", "unknown_column", "ambiguous_column"],
    "syntax": ["syntax_error", "no_statement", "multi_statement"],
    "aggregation": ["misuse_of_aggregate"],
    "filter_value": ["type_mismatch"],
    "execution": ["timeout", "too_large", "denied", "constraint_violation", "unknown_function"],
    "unknown": ["other_error"],
    "result_mismatch": ["mismatch"],
}


@pytest.mark.parametrize(("failure_type", "status"), [(t, s) for t, names in PINNED.items() for s in names])
def test_each_status_has_its_pinned_type(failure_type, status):
    assert ClassifyFailure()(status=status).failure_type == failure_type


def test_every_failing_status_has_a_type():
    assert set(FAILURE_TYPES) == {*STATUSES, "mismatch"} - {"ok"}


@pytest.mark.parametrize("status", ["ok", "match", "", "no such status"])
def test_what_is_no_failure_is_refused(status):
    with pytest.raises(ValueError, match="status must be one of"):
        ClassifyFailure()(status=status)
