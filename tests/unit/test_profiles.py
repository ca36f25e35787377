"""Profiles: one table, and the cases that made each of its lines."""

import pytest

from assay import PROFILES, evaluate, explain_difference, parse
from assay.core.policy import Policy
from assay.core.profiles import Profile
from assay.errors import UnknownNameError

TIED = ({"q": {"a": 1, "b": 0}}, {"q": {"a": 1.0, "b": 1.0}})


@pytest.mark.parametrize("name", PROFILES)
def test_every_profile_says_what_it_is_and_can_be_computed(name):
    profile = PROFILES[name]
    assert profile.summary
    assert all(rule.why and rule.measures for rule in profile.rules)
    assert evaluate(*TIED, "P@1 AP nDCG@10", profile=name).profile == name


def test_names():
    assert list(PROFILES) == [
        "assay", "trec_eval-9", "trec_eval-10", "ir_measures", "beir", "msmarco", "sklearn", "pykeen", "ogb",
    ]  # fmt: skip
    with pytest.raises(UnknownNameError, match="Did you mean 'trec_eval-9'"):
        PROFILES["trec_eval9"]


def test_every_rule_speaks_of_measures_that_exist():
    from assay.measures import MEASURES

    for profile in PROFILES.values():
        for rule in profile.rules:
            assert all(MEASURES.canonical(name) == name for name in rule.measures)
            profile.policy.but(**rule.policy)


@pytest.mark.parametrize(("profile", "value"), [("trec_eval-9", 0.5), ("trec_eval-10", 1.0), ("ir_measures", 0.5)])
def test_scores_that_32_bits_cannot_tell_apart(profile, value):
    gold, run = {"q": {"a": 1, "b": 0}}, {"q": {"a": 0.99999999, "b": 0.99999998}}
    assert evaluate(gold, run, "RR", profile=profile)["RR"] == value


@pytest.mark.parametrize(
    ("profile", "values"),
    [
        ("ir_measures", {"RR": 0.5, "RR@10": 1.0, "P@1": 0.0, "RBP(p=0.5)": 0.5, "Judged@1": 1.0}),
        ("beir", {"RR@10": 1.0, "HR@1": 1.0, "RCap@1": 1.0, "nDCG@1": 0.0, "P@1": 0.0}),
        ("msmarco", {"RR@10": 1.0}),
        ("sklearn", {"nDCG": 0.8154648767857287}),
        ("trec_eval-10", {"RR": 0.5, "P@1": 0.0}),
        ("pykeen", {"MR": 1.5, "RR": 2 / 3, "HR@1": 0.0, "HR@2": 1.0}),
        ("ogb", {"MR": 1.5, "RR": 2 / 3, "HR@1": 0.0, "HR@2": 1.0}),
    ],
)
def test_tie_rules(profile, values):
    result = evaluate(*TIED, list(values), profile=profile)
    assert result.mean == pytest.approx(values)


def test_missing_queries_in_beir_have_two_denominators():
    gold, run = {"1": {"a": 1}, "2": {"b": 1}}, {"1": {"a": 1.0}}
    assert evaluate(gold, run, "nDCG@10 RR@10", profile="beir").mean == {"nDCG@10": 1.0, "RR@10": 0.5}


def test_beir_drops_the_item_with_the_id_of_its_query():
    gold, run = {"a": {"b": 1}}, {"a": {"a": 2.0, "b": 1.0}}
    assert evaluate(gold, run, "P@1", profile="beir")["P@1"] == 1.0


def test_beta_is_beta_squared_for_trec_eval_and_ir_measures_only():
    gold, run = {"q": {"a": 1, "b": 1}}, {"q": {"a": 1.0}}
    for name, value in (("assay", 5 / 9), ("ir_measures", 0.6), ("trec_eval-9", 0.6), ("trec_eval-10", 0.6)):
        assert evaluate(gold, run, "SetF(beta=2.0)", profile=name).figures[0].mean == pytest.approx(value), name
        assert evaluate(gold, run, "set_F.2.0", profile=name).figures[0].mean == pytest.approx(0.6), name


def test_the_rounding_of_recall_levels():
    gold, run = {"q": {"a": 1, "b": 1, "c": 1}}, {"q": {"a": 3.0, "x": 2.0, "b": 1.0}}
    values = {
        name: evaluate(gold, run, "IPrec@0.35", profile=name).figures[0].mean for name in PROFILES if name != "sklearn"
    }
    assert values["assay"] == pytest.approx(2 / 3)
    assert values["trec_eval-9"] == values["trec_eval-10"] == values["ir_measures"] == 1.0


def test_negative_grades_count_as_judged_in_ir_measures():
    gold, run = {"q": {"a": -1, "b": 1}}, {"q": {"a": 2.0, "b": 1.0}}
    assert evaluate(gold, run, "Judged@1", profile="ir_measures")["Judged@1"] == 1.0
    assert evaluate(gold, run, "Judged@1")["Judged@1"] == 0.0


def test_exponential_gains_come_from_another_program_in_ir_measures():
    profile = PROFILES["ir_measures"]
    assert profile.policy_for(parse("nDCG(gain='exp')@10")).precision == "float64"
    assert profile.policy_for(parse("nDCG@10")).precision == "float32"
    assert str(profile.fitted(parse("ERR@10"))) == "ERR(max_rel=4)@10"


def test_what_is_said_outright_wins_over_every_rule():
    profile = PROFILES["ir_measures"].but(ties="order")
    assert {profile.policy_for(parse(name)).ties for name in ("RR", "RR@10", "Judged@5", "RBP")} == {"order"}
    assert PROFILES["ir_measures"].policy.ties == "id-desc"


def test_a_profile_of_your_own():
    own = Profile("mine", "expected ties", Policy(ties="expected"))
    result = evaluate(*TIED, "RR", profile=own)
    assert (result["RR"], result.profile) == (0.75, "mine")


def test_only_tools_that_judge_link_predictors_have_a_protocol():
    assert [name for name, profile in PROFILES.items() if profile.links is not None] == ["pykeen", "ogb"]
    assert all(PROFILES[name].links["ties"] == PROFILES[name].policy.ties for name in ("pykeen", "ogb"))


def test_what_lies_between_assay_and_pykeen_is_the_tie_rule():
    found = explain_difference(*TIED, profiles=("assay", "pykeen"), measures="RR")
    (cause,) = found.findings[0].causes
    assert [(change.name, change.before, change.after) for change in cause.changes] == [
        ("ties", "id-desc", "realistic")
    ]
    assert found.limits == tuple(f"pykeen: {limit}" for limit in PROFILES["pykeen"].limits)
