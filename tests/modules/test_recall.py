from sqlmend.modules import Recall
from sqlmend.retrievers import RecallSettings


def test_its_numbers_are_one_parameter_that_saves_loads_and_resets(tmp_path):
    recall = Recall(RecallSettings(top_k_positive=5))
    ((name, parameter),) = recall.named_parameters()
    recall.save(tmp_path / "recall.json")

    other = Recall()
    other.load(tmp_path / "recall.json")
    assert other.tunable.settings.top_k_positive == 5

    copy = recall.deepcopy()
    copy.tunable.settings = RecallSettings(top_k_positive=1)
    assert parameter.settings.top_k_positive == 5, f"{name} of the copy is another object"
    assert copy.reset_copy().tunable.settings.top_k_positive == 5
