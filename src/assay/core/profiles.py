"""Profiles: the conventions of other tools, by name, as one table.

A profile is a policy and, where a tool treats measures differently, rules for single measures. What no
setting can reproduce is listed in its `limits`, so that a difference is never passed over in silence.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from assay.core.policy import Policy
from assay.core.registry import Registry


@dataclass(frozen=True, slots=True)
class Rule:
    """What a tool does differently for some measures.

    `cutoff` narrows the rule to measures with (True) or without (False) a cutoff, `when` to those with these
    parameters; `policy` changes fields of the policy, `parameters` those of the measure; `beta_squared` tells
    that the tool's beta is beta squared.
    """

    measures: tuple[str, ...]
    why: str
    cutoff: bool | None = None
    when: Mapping[str, Any] = field(default_factory=dict)
    policy: Mapping[str, str] = field(default_factory=dict)
    parameters: Mapping[str, Any] = field(default_factory=dict)
    beta_squared: bool = False

    def covers(self, measure: Any) -> bool:
        """Tell whether the rule speaks of this measure."""
        has_cutoff = getattr(measure, "k", None) is not None
        return (
            measure.name in self.measures
            and self.cutoff in {None, has_cutoff}
            and all(getattr(measure, name, None) == value for name, value in self.when.items())
        )


@dataclass(frozen=True, slots=True)
class Profile:
    """One tool's conventions; `limits` are sentences on what cannot be reproduced.

    `links` are fields of the protocol of link prediction, for tools that judge link predictors; of others it is None.
    """

    name: str
    summary: str
    policy: Policy
    rules: tuple[Rule, ...] = ()
    limits: tuple[str, ...] = ()
    links: Mapping[str, Any] | None = None

    def but(self, **changes: str) -> Self:
        """Return the profile with some fields of the policy said outright: they win over every rule."""
        kept = tuple(
            replace(rule, policy={name: value for name, value in rule.policy.items() if name not in changes})
            for rule in self.rules
        )
        return replace(self, policy=self.policy.but(**changes), rules=kept)

    def rules_for(self, measure: Any) -> tuple[Rule, ...]:
        """Return the rules that speak of a measure."""
        return tuple(rule for rule in self.rules if rule.covers(measure))

    def policy_for(self, measure: Any) -> Policy:
        """Return the policy under which this tool computes a measure."""
        policy = self.policy
        for rule in self.rules_for(measure):
            policy = policy.but(**rule.policy)
        return policy

    def fitted(self, measure: Any, *, trec_name: bool = False) -> Any:
        """Return the measure as this tool means it when it is asked for by this name.

        trec_eval's own `set_F.4` is read as beta = 2 already: with `trec_name` beta is left alone.
        """
        for rule in self.rules_for(measure):
            measure = replace(measure, **rule.parameters)
            if rule.beta_squared and not trec_name:
                measure = replace(measure, beta=float(measure.beta) ** 0.5)
        return measure


PROFILES: Registry[Profile] = Registry("profile")
"""Every profile by its name."""


def _add(
    name: str,
    summary: str,
    policy: Policy,
    *rules: Rule,
    limits: tuple[str, ...] = (),
    links: Mapping[str, Any] | None = None,
) -> None:
    PROFILES.add(name, Profile(name, summary, policy, rules, limits, links))


_DOUBLE = {"precision": "float64"}
_BY_ID = {"ties": "id-asc", **_DOUBLE}
_AS_GIVEN = {"ties": "order", **_DOUBLE}
_IPREC = ("IPrec", "11pt")
_BETA = Rule(("SetF",), "its parameter is beta squared", beta_squared=True)
_TREC_LIMITS = (
    (
        "grades are cut to whole numbers (1.5 to 1, 0.9 to 0), text scores become 0, NaN gets an arbitrary place: "
        "Assay keeps fractions and refuses the others"
    ),
    (
        "gains closer than 1 apart (ndcg.1=0.1,2=0.5) give 0, and a -l above the highest grade reads past the end of "
        "an array in bpref: Assay computes the definition"
    ),
)

_add("assay", "Assay's own definitions and defaults.", Policy())

_add(
    "trec_eval-9",
    "trec_eval 9.x and pytrec_eval: scores in 32 bits, ties by id descending, queries without answers left out.",
    Policy(precision="float32", missing="skip"),
    Rule(_IPREC, "recall x R is cut after adding 0.9", parameters={"rounding": "trunc"}),
    _BETA,
    limits=_TREC_LIMITS,
)

_add(
    "trec_eval-10",
    "trec_eval 10: scores in 64 bits, ties by id descending, queries without answers left out.",
    Policy(missing="skip"),
    Rule(_IPREC, "recall x R is rounded to the nearest count", parameters={"rounding": "round"}),
    _BETA,
    limits=(
        *_TREC_LIMITS,
        "without -c it stops with exit code 4 as soon as a judged query has no answer: Assay does what its help says",
        "rbp rescales grades by numbers that were never set, and rbp_resid is 0 once all retrieved items are judged",
    ),
)

_add(
    "ir_measures",
    "ir_measures 0.4: three tie rules, by the program behind each measure; every query counts, missing ones as 0.",
    Policy(precision="float32"),  # pytrec_eval: what no rule below speaks of
    Rule(("RR",), "msmarco computes it: ties by id ascending", cutoff=True, policy=_BY_ID),
    Rule(
        ("Judged",),
        "ties by id ascending; a grade below 0 counts as judged",
        policy={**_BY_ID, "negative": "nonrelevant"},
    ),
    Rule(("Compat",), "ties by id ascending", policy=_BY_ID),
    Rule(("RBP", "SDCG"), "cwl_eval computes it: ties keep the order of the input", policy=_AS_GIVEN),
    Rule(("nDCG",), "gdeval computes it", cutoff=True, when={"gain": "exp"}, policy=_DOUBLE),
    Rule(("ERR",), "gdeval computes it; the highest grade is 4", policy=_DOUBLE, parameters={"max_rel": 4}),
    Rule(_IPREC, "recall x R is cut after adding 0.9", parameters={"rounding": "trunc"}),
    Rule(
        ("alpha_DCG", "alpha_nDCG", "ERR_IA", "nERR_IA", "NRBP", "nNRBP", "AP_IA", "P_IA", "StRecall"),
        "pyndeval computes it: ties by id ascending",
        policy=_BY_ID,
    ),
    Rule(("NumQ", "NumRel"), "a query without answers counts as 0", policy={"missing": "skip"}),
    _BETA,
    limits=(
        "nDCG(dcg='exp-log2') and ERR are rounded to 5 digits, and crash on query ids that are no numbers",
        ("Compat compares to the depth of the longer list, where the definition goes on to 1000, ranks items that were "
         "not retrieved as if their score were 0, and orders the ideal's ties by the input"),
        ("RBP, SDCG and what else cwl_eval computes see at most 1000 items of a query, and give two values for a query "
         "whose lines do not stand together"),
        "IPrec@r knows r to two decimals: IPrec@0.344 is IPrec@0.34",
        "an item twice in a list of a query keeps its last score without a word: Assay refuses or takes first or best",
        "a query named in a dict without any judgment counts as 0",
        ("measures of aspects end at k = 20, ERR_IA@1 and alpha_DCG@1 are not divided by their best value, and of "
         "several alphas, or several rels, in one call all but one give 0"),
    ),
)  # fmt: skip

_OWN_LOOPS = {**_AS_GIVEN, "missing": "zero"}
_add(
    "beir",
    "BEIR: pytrec_eval for nDCG, MAP, Recall and P, its own loops for the rest; items with the query's id are dropped.",
    Policy(precision="float32", missing="skip", self_match="drop"),
    Rule(("RR", "RCap", "HR"), "ties keep the order of the input; all gold queries are in the mean", policy=_OWN_LOOPS),
    Rule(("Unj",), "the same; its hole@k counts items that no query has a judgment of", policy=_OWN_LOOPS),
    limits=(
        "every figure is rounded to 5 digits, and R_cap divides by 0 for a query without a relevant item",
        "hole@k looks for judgments of an item anywhere in the gold, Unj@k for those of its query",
        "its own loops drop the items with the query's id only when evaluate() ran before them, on the same results",
    ),
)  # fmt: skip

_add(
    "msmarco",
    "The MS MARCO script: the rank column is the ranking, every judged query counts, RR@10 is the measure.",
    Policy(ties="order"),
    limits=(
        "places are filled up with the passage id 0: a relevant passage 0 is found where it was not retrieved",
        "every line of the judgments counts as relevant, whatever its grade",
    ),
)

_add(
    "sklearn",
    "scikit-learn's ndcg_score and dcg_score: the mean over all orders of tied items.",
    Policy(ties="expected"),
    limits=(
        "it knows only the items that it is given: the ideal is that of the scored items, all of which need a grade",
        "a negative grade is an error, where Assay counts it as 0",
        "label_ranking_average_precision_score gives tied items the last rank of their group: no order has that value",
    ),
)

_ALONE = (
    "each true answer is ranked alone: give a query for each, and the other true answers as --exclude; of triples, "
    "assay links evaluate does that by itself"
)
_add(
    "pykeen",
    "PyKEEN's RankBasedEvaluator: realistic ranks; entities that train lacks are no candidates.",
    Policy(ties="realistic"),
    links={"known": ("train", "valid", "test"), "unseen": "drop", "ties": "realistic"},
    limits=(
        _ALONE,
        "it adds realistic ranks up in 32 bits: its figures differ from the seventh digit on",
        "NaN compares as false, so a model of nothing but NaN has MRR 2 and Hits@1 1: Assay refuses it",
        "a score of minus infinity is no candidate in its adjusted figures",
        "on the validation split its pipeline leaves out only what train and validation hold, not test",
        "its interval of 90 % lies between the percentiles 45 and 55, and takes triples of one question as independent",
    ),
)

_add(
    "ogb",
    "OGB's evaluators: realistic ranks among the negatives given for each true triple; Hits@K against a shared list.",
    Policy(ties="realistic"),
    links={"known": ("train", "valid", "test"), "unseen": "keep", "ties": "realistic"},
    limits=(
        _ALONE,
        "its negatives come with its data sets: here they are the items that the run, or --scores, holds of the query",
        (
            "its Hits@K of ddi, ppa and collab counts true triples above the K-th best of one list of negatives, a tie "
            "as a miss: HR@K is another measure, and assay links evaluate --scores shows theirs as OGB-Hits@K"
        ),
        "it gives 1/rank in 32 bits, and its MRR takes tensors only: on NumPy arrays it stops with an error",
        "NaN compares as false, so a model of nothing but NaN has MRR 1 and Hits@1 1: Assay refuses it",
    ),
)
