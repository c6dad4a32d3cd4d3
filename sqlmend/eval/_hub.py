"""Questions from the Hugging Face hub, for those who are online; databases stay a local folder."""

from __future__ import annotations

from pathlib import Path

from sqlmend.errors import SqlmendError, unknown_name
from sqlmend.eval._layouts import BIRD, SPIDER
from sqlmend.eval._question_rows import questions_dataset
from sqlmend.eval._split import Split, build_split


def load_hub(name: str, folder: Path, split: str = "") -> Split:
    """The split of a dataset on the hub that has Spider's or BIRD's columns.

    Args:
        name: ``ORG/NAME``.
        folder: Where the databases lie, laid out as in Spider's or BIRD's download.
        split: One of the dataset's splits; ``dev`` or else ``validation`` where empty.

    Raises:
        InputError: The dataset has no such split, or other columns.
        SqlmendError: The hub cannot be reached, or has no such dataset.
    """
    from datasets import load_dataset
    from datasets.exceptions import DatasetsError

    try:
        splits = load_dataset(name)
    except (DatasetsError, OSError, ValueError, RuntimeError) as error:
        raise SqlmendError(
            "hub_failed",
            f"the hub's dataset {name!r} could not be loaded: {type(error).__name__}: {error}",
            hint="offline, use spider:DIR or bird:DIR with a downloaded folder",
        ) from error
    split = split or ("dev" if "dev" in splits else "validation")
    if split not in splits:
        raise unknown_name("split", split, splits)
    layout = BIRD if BIRD.reference in splits[split].column_names else SPIDER
    dataset = questions_dataset(
        splits[split].to_list(), f"{name}:{split}", reference=layout.reference, own_ids=layout.own_ids
    )
    databases = layout.database_files(folder, split, dataset["db_id"])
    return build_split(dataset, databases, benchmark=name, name=split, definition=layout.name)
