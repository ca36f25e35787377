"""Preferences by group: the share that a ranking fulfils of each user's preferences, all users counting alike."""

from dataclasses import dataclass
from typing import ClassVar, Literal, Self

import numpy as np

from assay.core.judged import Flags, Floats, Judged
from assay.measures.base import divide, measure
from assay.measures.grouped import GroupMeasure, mean_of_groups, total
from assay.measures.preferences import PreferenceMeasure
from assay.measures.preferred_pairs import Preferences, Scope

Surplus = Literal["dropped", "paired"]
"""What becomes of surplus items of grade 0: they are left out, or paired with each other as trec_eval does."""


@measure("PrefsAvgJG", aliases=("PrefsByGroup",), trec="prefs_avgjg", bounds=(0, 1))
class PrefsAvgJG(PreferenceMeasure):
    r"""Mean over judgment groups of the share of the group's preferences that the ranking fulfils.

    $$ \frac{1}{|J|} \sum_J
       \frac{|\{\, (a, b) : a \succ_J b,\ rank(a) < rank(b) \,\}|}{|\{\, (a, b) : a \succ_J b \,\}|} $$

    A user with many preferences weighs as much as one with few. A group without any preference counts 0; a query
    of such groups alone has no value. Pairs of which neither item was retrieved are failures.
    Source: trec_eval (Buckley, NIST), measure prefs_avgjg. Same value; it breaks ties of this family by rising ids.

    >>> PrefsAvgJG().of_groups([{"a": 2, "b": 1, "c": 0, "d": 0}, {"a": 0, "b": 1}], ["b", "a"])
    0.9
    """

    def kernel(self, judged: Judged) -> Floats:
        preferences = judged.once(Preferences.of)
        share = divide(*preferences.counted.fraction(self.scope))
        return mean_of_groups(share, preferences.query, judged.queries)


@measure("PrefsAvgJGRet", aliases=("PrefsByGroupRet",), trec="prefs_avgjg_ret", bounds=(0, 1))
class PrefsAvgJGRet(PrefsAvgJG):
    r"""Mean over judgment groups of the share fulfilled of the group's preferences among retrieved items.

    $$ \frac{1}{|J|} \sum_J \frac{|\{\, (a, b) : a \succ_J b,\ rank(a) < rank(b) < \infty \,\}|}
       {|\{\, (a, b) : a \succ_J b,\ rank(a), rank(b) < \infty \,\}|} $$

    A group without such a pair counts 0, although the run did nothing wrong by it.
    Source: trec_eval (Buckley, NIST), measure prefs_avgjg_ret. Same value; it breaks ties of this family by rising
    ids.

    >>> PrefsAvgJGRet().of_groups([{"a": 2, "b": 1, "c": 0, "d": 0}, {"a": 0, "e": 1}], ["a", "b"])
    0.5
    """

    scope: ClassVar[Scope] = "both"


@measure("PrefsAvgJGImp", aliases=("PrefsByGroupImp",), trec="prefs_avgjg_imp", bounds=(0, 1))
class PrefsAvgJGImp(PrefsAvgJG):
    r"""Mean over judgment groups of the share fulfilled of the group's preferences with a retrieved item.

    $$ \frac{1}{|J|} \sum_J \frac{|\{\, (a, b) : a \succ_J b,\ rank(a) < rank(b) \,\}|}
       {|\{\, (a, b) : a \succ_J b,\ \min(rank(a), rank(b)) < \infty \,\}|} $$

    Pairs of which neither item was found are left out. A group without any other counts 0.
    Source: trec_eval (Buckley, NIST), measure prefs_avgjg_imp. Same value; it breaks ties of this family by rising
    ids.

    >>> PrefsAvgJGImp().of_groups([{"a": 2, "b": 1, "c": 0, "d": 0}, {"a": 0, "e": 1}], ["b"])
    0.3333333333333333
    """

    scope: ClassVar[Scope] = "met"


@measure("PrefsAvgJGRnonrel", aliases=("PrefsByGroupRnonrel",), trec="prefs_avgjg_Rnonrel", bounds=(0, 1))
class PrefsAvgJGRnonrel(GroupMeasure):
    r"""Mean over judgment groups of the share fulfilled, with as many items of grade 0 as above 0 in each group.

    $$ \frac{1}{|J|} \sum_J \frac{f_J + r_J \, (R_J - N_J)^+}{p_J + R_J \, (R_J - N_J)^+} $$

    R_J items of a group have a grade above 0, r_J of them were retrieved, and N_J have 0. Of p_J preferences f_J
    are fulfilled, both counted with the first R_J items of grade 0 alone: retrieved ones as ranked, then the
    others as they stand in the gold. What lacks is filled with items that no run finds. So the number of judged
    items of grade 0 does not decide, as in Bpref. A group without a grade above 0 counts 0.
    Source: trec_eval (Buckley, NIST), measure prefs_avgjg_Rnonrel, by its description. Its program differs where
    N_J > R_J, in that it also pairs the items of grade 0 of a group of one part with each other, and gives 0 to a
    query with any group of 0 alone: `surplus='paired'`. It breaks ties by rising ids.

    >>> PrefsAvgJGRnonrel().of_groups([{"a": 1, "b": 0, "c": 0}], ["b", "c", "a"])
    0.0
    >>> PrefsAvgJGRnonrel().of_groups([{"a": 1, "b": 1, "c": 0}], ["c", "a"])
    0.25
    """

    scope: ClassVar[Scope] = "all"
    surplus: Surplus = "dropped"

    def kernel(self, judged: Judged) -> Floats:
        preferences = judged.once(Preferences.of)
        sizes = _Sizes.of(preferences, self.scope, lowest=self.surplus == "paired")
        share = divide(*self._counts(preferences, sizes))
        if self.surplus == "dropped":
            return mean_of_groups(share, preferences.query, judged.queries)
        added = total(share, preferences.query, judged.queries)
        return np.nan_to_num(added / np.bincount(preferences.query, minlength=judged.queries))

    def defined(self, judged: Judged) -> Flags:
        """Flag the queries in which an item has a grade above 0, shape (queries,)."""
        rows = judged.facets
        return np.bincount(rows.query[rows.grade > 0], minlength=judged.queries) > 0

    def _counts(self, preferences: Preferences, sizes: "_Sizes") -> tuple[Floats, Floats]:
        """Return the preferences of each group that are fulfilled and those that there are, shapes (groups,)."""
        paired = self.surplus == "paired"
        lack = np.maximum(sizes.relevant - sizes.others, 0)
        most = np.where(preferences.parted & paired, sizes.all_relevant, sizes.relevant)
        over = sizes.others > sizes.relevant
        above, below = preferences.by_group(np.where(over, most, np.inf), sizes.surplus).fraction(self.scope)
        above = above + sizes.relevant_found * lack
        below = below + (sizes.all_relevant if paired else sizes.relevant) * lack
        if not paired:
            return above, below
        extra = np.where(over & ~preferences.parted, np.minimum(sizes.relevant, sizes.last), 0.0)
        first = np.minimum(sizes.last_found, extra)
        return above + first * (extra - 1) - first * (first - 1) / 2, below + extra * sizes.last


@measure("PrefsAvgJGRnonrelRet", aliases=("PrefsByGroupRnonrelRet",), trec="prefs_avgjg_Rnonrel_ret", bounds=(0, 1))
class PrefsAvgJGRnonrelRet(PrefsAvgJGRnonrel):
    r"""Mean over groups of the share fulfilled among retrieved items, with as many of grade 0 as above 0 in each.

    $$ \frac{1}{|J|} \sum_J \frac{f_J + r_J \, (r_J - n_J)^+}{p_J + r_J \, (r_J - n_J)^+} $$

    r_J retrieved items of a group have a grade above 0, n_J have 0. Of p_J preferences among retrieved items f_J
    are fulfilled, both counted with the first r_J items of grade 0 alone; what lacks is filled with items behind
    all others. A group without a retrieved grade above 0 counts 0.
    Source: trec_eval (Buckley, NIST), measure prefs_avgjg_Rnonrel_ret, by its description. Its program differs
    as for PrefsAvgJGRnonrel, and below the line it fills for all R_J: `surplus='paired'`.

    >>> PrefsAvgJGRnonrelRet().of_groups([{"a": 1, "b": 0, "c": 0, "d": 1}], ["a", "b", "c"])
    1.0
    """

    scope: ClassVar[Scope] = "both"


@dataclass(frozen=True, slots=True, eq=False)
class _Sizes:
    """How many items of each group have a grade above 0 or not, in a scope and at all, shapes (groups,).

    `surplus` flags the items of which some may be too many: those of grade 0, or of the lowest grade of a group of
    one part where levels below 0 make a difference; `last` is their number.
    """

    surplus: Flags
    relevant: Floats
    others: Floats
    last: Floats
    all_relevant: Floats
    relevant_found: Floats
    last_found: Floats

    @classmethod
    def of(cls, preferences: Preferences, scope: Scope, *, lowest: bool) -> Self:
        relevant, found = preferences.items.grade > 0, preferences.found
        inside = found if scope == "both" else np.ones_like(found)
        last = ~relevant & (preferences.lowest | preferences.parted[preferences.owner]) if lowest else ~relevant
        flags = (relevant & inside, ~relevant & inside, last & inside, relevant, relevant & found, last & found)
        return cls(last, *(preferences.count(flag) for flag in flags))
