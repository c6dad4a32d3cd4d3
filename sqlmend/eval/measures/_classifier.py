"""How good the failure classifier is, on labelled failures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from sqlmend.errors import InputError
from sqlmend.eval.measures._labels import LABELS, Labelled
from sqlmend.eval.measures._run_measures import share


def score_labels(rows: Sequence[Labelled]) -> dict[str, Any]:
    """Composition, accuracy and F1 of the classifier.

    A sample is stratified by predicted type: a labelled row stands for as many failures as its type has, by
    how many of its rows are labelled (the estimator of a stratified sample, Cochran, Sampling Techniques,
    1977, chapter 5). ``accuracy`` and ``macro_f1`` are those of the sample, ``accuracy_weighted`` and
    ``macro_f1_weighted`` estimate those of the population, as far as it is covered. A type is covered where
    some of the failures predicted as it are labelled, or where none was predicted as it and one is labelled
    so. Macro-F1 is the mean F1 over these types; the F1 of a type that is never right is 0. Of a type that is
    not covered recall and F1 are None.

    Args:
        rows: Rows as ``read_labels`` gives them; those without a label are counted and left out.

    Returns:
        ``sampled``, ``labelled``, ``population``, ``covered`` (failures of types of which some are labelled),
        the four figures, ``types`` (composition and precision, recall and F1 of each type, weighted) and
        ``confusion`` (how often each label met each prediction).

    Raises:
        InputError: No row is labelled.
    """
    labelled = [row for row in rows if row.label]
    if not labelled:
        raise InputError(
            "no_labels", "no row is labelled", hint="fill the column label: " + ", ".join(LABELS)
        )
    sizes = {row.predicted: row.population for row in rows}
    counts = Counter((row.predicted, row.label) for row in labelled)
    in_stratum = Counter(row.predicted for row in labelled)
    weighted = {
        (predicted, label): count * sizes[predicted] / in_stratum[predicted]
        for (predicted, label), count in counts.items()
    }
    types = [name for name in LABELS if name in sizes or any(name == label for _, label in counts)]
    known = [name for name in types if name in in_stratum or name not in sizes]
    per_type = [_type(name, rows, counts, weighted, sizes, is_covered=name in known) for name in types]
    return {
        "sampled": len(rows),
        "labelled": len(labelled),
        "population": sum(sizes.values()),
        "covered": sum(sizes[name] for name in in_stratum),
        "accuracy": _accuracy(counts),
        "accuracy_weighted": _accuracy(weighted),
        "macro_f1": _macro_f1(counts, known),
        "macro_f1_weighted": _macro_f1(weighted, known),
        "types": per_type,
        "confusion": [
            {"predicted": predicted, "label": label, "count": counts[predicted, label]}
            for predicted in LABELS
            for label in LABELS
            if (predicted, label) in counts
        ],
    }


_Counts = Mapping[tuple[str, str], float]


def _type(
    name: str,
    rows: Sequence[Labelled],
    counts: Mapping[tuple[str, str], int],
    weighted: _Counts,
    sizes: Mapping[str, int],
    *,
    is_covered: bool,
) -> dict[str, Any]:
    """A type's share of the population as predicted and as labelled, and how well the two agree."""
    right = weighted.get((name, name), 0.0)
    predicted, label = _sum(weighted, 0, name), _sum(weighted, 1, name)
    return {
        "type": name,
        "population": sizes.get(name, 0),
        "share_predicted": share(sizes.get(name, 0), sum(sizes.values())),
        "share_labelled": share(label, sum(weighted.values())),
        "sampled": sum(row.predicted == name for row in rows),
        "labelled": int(_sum(counts, 0, name)),
        "right": counts.get((name, name), 0),
        "precision": share(right, predicted),
        "recall": share(right, label) if is_covered else None,
        "f1": _f1(weighted, name) if is_covered else None,
    }


def _accuracy(counts: _Counts) -> float:
    return sum(n for (predicted, label), n in counts.items() if predicted == label) / sum(counts.values())


def _macro_f1(counts: _Counts, names: Sequence[str]) -> float:
    return sum(_f1(counts, name) for name in names) / len(names)


def _f1(counts: _Counts, name: str) -> float:
    """Twice what is right by what was predicted and what was labelled together."""
    return 2 * counts.get((name, name), 0.0) / (_sum(counts, 0, name) + _sum(counts, 1, name))


def _sum(counts: _Counts, place: int, name: str) -> float:
    return sum(n for pair, n in counts.items() if pair[place] == name)
