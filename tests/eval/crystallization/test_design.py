import pytest

from sqlmend.errors import InputError
from sqlmend.eval.crystallization._design import axes, axis_with, default_design, parse_vary
from sqlmend.eval.crystallization._pieces import bank_path
from sqlmend.programs import load_preset


def test_the_default_design_is_the_published_one():
    design = default_design()
    assert (design.source, design.admission, design.format, design.k) == ("probe", "verified", "verbatim", 5)
    assert (design.scope, design.retriever, design.pairing) == ("own_database", "cosine", "aligned")
    assert design.key == "default"
    assert not design.sampled
    assert bank_path(design, None) == "bank"


def test_designs_of_an_axis_differ_from_the_default_in_what_the_axis_says():
    default, *formats = parse_vary(["format"])
    assert default == default_design()
    assert [design.changes for design in formats] == [
        {"format": name} for name in axes()["axes"]["format"]["values"]
    ]
    assert [design.k for design in parse_vary(["k=1,10"])] == [5, 1, 10]


def test_sources_are_compared_at_matched_cards_with_the_default_source_among_them():
    designs = parse_vary(["source=one_bit"])
    assert [(design.source, design.matched) for design in designs] == [
        ("probe", False),
        ("probe", True),
        ("one_bit", True),
    ]
    assert all(design.matched for design in parse_vary(["source"])[1:])


def test_a_vote_is_held_against_the_same_source_checked():
    designs = parse_vary(["admission=verified,vote"])
    assert [(d.source, d.admission) for d in designs[1:]] == [
        ("self_vote", "verified"),
        ("self_vote", "vote"),
    ]


def test_a_source_at_as_many_cards_as_it_has_is_held_against_nothing():
    for design in parse_vary(["admission"]):
        assert (design.base == design) == (design.admission == "verified")
    assert default_design(source="resample", k=10).base.source == "resample"


def test_an_axis_is_known_by_the_designs_that_it_measures():
    primary = {
        named["name"]: axis_with(default_design(**side) for side in (named["first"], named["second"] or {}))
        for named in axes()["primary"]
    }
    assert primary == {"memory": None, "gate": "admission", "count": "k", "pairing": "pairing"}
    assert axis_with([default_design(k=1), default_design(pairing="permuted")]) is None


def test_fractions_are_crossed_with_k():
    designs = parse_vary(["fraction"])
    crossed = {(design.fraction, design.k) for design in designs}
    assert crossed == {(fraction, k) for fraction in (0.25, 0.5, 1) for k in (1, 5, 10)}
    assert all(design.base.k == design.k for design in designs if design.fraction < 1)
    assert [design.fraction for design in parse_vary(["fraction=0.25"])] == [1, 0.25]


def test_designs_that_differ_in_use_alone_share_a_bank():
    for name in ("k", "retriever=random,bm25,hybrid"):
        assert {bank_path(design, None) for design in parse_vary([name])} == {"bank"}
    (_, payload) = parse_vary(["retriever=payload_key"])
    assert bank_path(payload, None) != "bank"


def test_every_key_is_a_name_of_its_own():
    designs = parse_vary([",".join(axes()["axes"])])
    assert len({design.key.casefold() for design in designs}) == len(designs)


def test_what_is_sampled_says_so():
    (_, random, noisy) = parse_vary(["retriever=random", "admission=noisy:0.3"])
    assert random.sampled
    assert not random.bank_sampled
    assert noisy.bank_sampled
    assert not noisy.acquisition_sampled
    assert default_design(source="resample").acquisition_sampled


def test_every_source_has_its_preset_and_its_seed_a_setting_of_it():
    for about in axes()["sources"].values():
        preset = load_preset(about["preset"])
        if "seeded" in about:
            (step,) = [step for step in preset.steps if step.name == about["seeded"]]
            assert step.settings.seed == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("colour", "colour"),
        ("format=vrebatim", "verbatim"),
        ("k=none", "number"),
        ("k=0", "k must be"),
        ("admission=noisy:2", "between 0 and 1"),
        ("admission=confirmed:ids.txt", "cards build"),
        ("fraction=0", "above 0"),
        ("source=internet", "internet"),
        ("admission,k=1,10", "a --vary of its own"),
    ],
)
def test_what_is_no_design_is_refused(text, words):
    with pytest.raises(InputError) as caught:
        parse_vary([text])
    assert words in f"{caught.value} {caught.value.hint}"


def test_everything_stands_beside_what_it_is_held_against():
    designs = parse_vary([",".join(axes()["axes"])])
    assert all(design.base in designs for design in designs)


def test_draws_of_first_answers_are_matched():
    with pytest.raises(InputError, match="matched"):
        default_design(source="first_try:1")


def test_a_vote_needs_the_source_that_votes():
    with pytest.raises(InputError, match="self_vote"):
        default_design(admission="vote")
