"""The conventions of entity resolution, for evaluations of the core."""

from assay.core.policy import Policy
from assay.core.profiles import Profile, Rule

POLICY = Policy(self_match="drop", empty="skip", duplicates="best")
"""A record is no candidate of itself, a candidate counts once, a record without a true match is no question."""

ENTITIES = Profile(
    "entities",
    "Entity resolution: records without a true match count in P@k, as nothing found, and in no other measure.",
    POLICY,
    (Rule(("P",), "a record without a true match has none within the first k candidates", policy={"empty": "zero"}),),
)
"""P@k is a mean over all records, every other measure one over records with a true match."""

RANKED = "P@{1,5,10} R@{1,5,10} Complete@{1,5,10} F1@10 HR@10 RR AP nDCG@10"
"""The measures of ranked candidates when none is asked for."""
UNRANKED = "SetP SetR SetF"
"""The measures of pairs without scores when none is asked for."""
