"""Preferences: how many of the preferences of users a ranking fulfils, each pair of items counting once."""

import math
from dataclasses import replace
from typing import ClassVar

import numpy as np

from assay.core.judged import Flags, Floats, Judged
from assay.measures.base import divide, measure
from assay.measures.grouped import GroupMeasure
from assay.measures.preferred_pairs import Preferences, Scope, Tally


class PreferenceMeasure(GroupMeasure):
    """A measure of preferences: pairs of a scope, those that are fulfilled over those that there are."""

    scope: ClassVar[Scope] = "all"

    def kernel(self, judged: Judged) -> Floats:
        return np.nan_to_num(divide(*self.tally(judged).fraction(self.scope)))

    def expected(self, judged: Judged) -> Floats:
        """Return the mean over all orders of tied items: half of each preference among them, shape (queries,)."""
        return self.kernel(tied_together(judged))

    def defined(self, judged: Judged) -> Flags:
        """Flag the queries with a preference, shape (queries,)."""
        return np.full(judged.queries, self.counts_empty) | (self.tally(judged).possible > 0)

    def tally(self, judged: Judged) -> Tally:
        """Return the preferences of each query, shape (queries,)."""
        preferences = judged.once(Preferences.of)
        return preferences.counted.by(preferences.query, judged.queries)


def tied_together(judged: Judged) -> Judged:
    """Give all items of a tie the same place, that of its first."""
    return replace(judged, hits=replace(judged.hits, rank=(judged.hits.above + 1).astype(np.float64)))


@measure("NumPrefs", trec="prefs_num_prefs_poss", bounds=(0, math.inf))
class NumPrefs(PreferenceMeasure):
    r"""Number of preferences in the gold, over all judgment groups.

    $$ NumPrefs = \sum_J |\{\, (a, b) : a \succ_J b \,\}| $$

    The run plays no part. The same pair counts once in each group that has a preference on it, and preferences
    that follow from others count too: a over b and b over c, in two parts of a group, are three.
    Source: trec_eval (Buckley, NIST), measure prefs_num_prefs_poss. Same value.

    >>> NumPrefs().of_groups([{"a": 2, "b": 1, "c": 1}, {"a": 0, "b": 1}], ["a"])
    3.0
    >>> NumPrefs().of_groups([[{"a": 2, "b": 1}, {"b": 2, "c": 1}]], ["a"])
    3.0
    """

    summed = True
    counts_empty = True

    def kernel(self, judged: Judged) -> Floats:
        return self.tally(judged).possible


@measure("NumPrefsFul", trec="prefs_num_prefs_ful", bounds=(0, math.inf))
class NumPrefsFul(PreferenceMeasure):
    r"""Number of preferences that the ranking fulfils, over all judgment groups.

    $$ NumPrefsFul = \sum_J |\{\, (a, b) : a \succ_J b,\ rank(a) < rank(b) \,\}| $$

    An item that was not retrieved stands behind all that were: a over b is fulfilled where a was retrieved and
    b was not. Where neither was, nothing is fulfilled.
    Source: trec_eval (Buckley, NIST), measure prefs_num_prefs_ful. Same value; it breaks ties of this family
    by rising ids.

    >>> NumPrefsFul().of_groups([{"a": 2, "b": 1, "c": 0, "d": 0}], ["b", "a"])
    4.0
    """

    summed = True
    counts_empty = True

    def kernel(self, judged: Judged) -> Floats:
        return self.tally(judged).fraction(self.scope)[0]


@measure("NumPrefsFulRet", trec="prefs_num_prefs_ful_ret", bounds=(0, math.inf))
class NumPrefsFulRet(NumPrefsFul):
    r"""Number of preferences among retrieved items that the ranking fulfils, over all judgment groups.

    $$ NumPrefsFulRet = \sum_J |\{\, (a, b) : a \succ_J b,\ rank(a) < rank(b) < \infty \,\}| $$

    Pairs of which one item was not retrieved are left out, also where the better one was found.
    Source: trec_eval (Buckley, NIST), measure prefs_num_prefs_ful_ret. Same value; it breaks ties of this family
    by rising ids.

    >>> NumPrefsFulRet().of_groups([{"a": 2, "b": 1, "c": 0, "d": 0}], ["b", "a", "c"])
    2.0
    """

    scope: ClassVar[Scope] = "both"


@measure("PrefsSimple", aliases=("PrefsSimp",), trec="prefs_simp", bounds=(0, 1))
class PrefsSimple(PreferenceMeasure):
    r"""Share of all preferences that the ranking fulfils, each preference of each judgment group counting once.

    $$ \frac{\sum_J |\{\, (a, b) : a \succ_J b,\ rank(a) < rank(b) \,\}|}{\sum_J |\{\, (a, b) : a \succ_J b \,\}|} $$

    Items that were not retrieved share an infinite rank, so that a pair of which neither was found is a failure.
    Groups that contradict each other keep the value below 1. A query without any preference has no value.
    Source: Carterette & Bennett 2008, Evaluation Measures for Preference Judgments, SIGIR (there ppref, with a
    cutoff). Same value as trec_eval prefs_simp, which breaks ties of this family by rising ids.

    >>> PrefsSimple().of_groups([{"a": 2, "b": 1, "c": 0, "d": 0}], ["b", "a"])
    0.8
    """


@measure("PrefsSimpleRet", aliases=("PrefsSimpRet",), trec="prefs_simp_ret", bounds=(0, 1))
class PrefsSimpleRet(PrefsSimple):
    r"""Share of the preferences among retrieved items that the ranking fulfils.

    $$ \frac{\sum_J |\{\, (a, b) : a \succ_J b,\ rank(a) < rank(b) < \infty \,\}|}
       {\sum_J |\{\, (a, b) : a \succ_J b,\ rank(a), rank(b) < \infty \,\}|} $$

    For collections that change while they are judged. A run that retrieves little is not punished: one pair in
    the right order gives 1. Without any pair it has 0.
    Source: trec_eval (Buckley, NIST), measure prefs_simp_ret. Same value; it breaks ties of this family by rising
    ids.

    >>> PrefsSimpleRet().of_groups([{"a": 2, "b": 1, "c": 0, "d": 0}], ["b", "a", "c"])
    0.6666666666666666
    """

    scope: ClassVar[Scope] = "both"


@measure("PrefsSimpleImp", aliases=("PrefsSimpImp",), trec="prefs_simp_imp", bounds=(0, 1))
class PrefsSimpleImp(PrefsSimple):
    r"""Share of the preferences that the ranking fulfils, of those with at least one retrieved item.

    $$ \frac{\sum_J |\{\, (a, b) : a \succ_J b,\ rank(a) < rank(b) \,\}|}
       {\sum_J |\{\, (a, b) : a \succ_J b,\ \min(rank(a), rank(b)) < \infty \,\}|} $$

    Pairs of which neither item was found are left out, where PrefsSimple counts them as failures.
    Source: trec_eval (Buckley, NIST), measure prefs_simp_imp. Same value; it breaks ties of this family by rising
    ids.

    >>> PrefsSimpleImp().of_groups([{"a": 2, "b": 1, "c": 0, "d": 0}], ["b"])
    0.6666666666666666
    """

    scope: ClassVar[Scope] = "met"


@measure("PrefsPair", trec="prefs_pair", bounds=(0, 1))
class PrefsPair(PreferenceMeasure):
    r"""Mean over pairs of items of the share of judgment groups whose preference on that pair is fulfilled.

    $$ \frac{1}{|P|} \sum_{\{a,b\} \in P,\ rank(a) < rank(b)}
       \frac{|\{\, J : a \succ_J b \,\}|}{|\{\, J : a \succ_J b \,\}| + |\{\, J : b \succ_J a \,\}|} $$

    P are the pairs on which any group has a preference; those of which neither item was retrieved count 0. Where
    no pair is in two groups the value is that of PrefsSimple.
    Source: trec_eval (Buckley, NIST), measure prefs_pair. Same value; it breaks ties of this family by rising ids.

    >>> PrefsPair().of_groups([{"a": 2, "b": 1}, {"a": 3, "b": 2}, {"a": 0, "b": 1, "c": 1}], ["a", "b"])
    0.3333333333333333
    """

    def tally(self, judged: Judged) -> Tally:
        """Return the pairs of each query, fulfilled by the share of groups that agree, shape (queries,)."""
        return judged.once(Preferences.of).by_pair


@measure("PrefsPairRet", trec="prefs_pair_ret", bounds=(0, 1))
class PrefsPairRet(PrefsPair):
    r"""Mean over pairs of retrieved items of the share of groups whose preference on that pair is fulfilled.

    $$ \frac{1}{|P|} \sum_{\{a,b\} \in P,\ rank(a) < rank(b)}
       \frac{|\{\, J : a \succ_J b \,\}|}{|\{\, J : a \succ_J b \,\}| + |\{\, J : b \succ_J a \,\}|} $$

    P are the pairs of retrieved items on which any group has a preference; a run without one has 0.
    Source: trec_eval (Buckley, NIST), measure prefs_pair_ret. Same value; it breaks ties of this family by rising
    ids.

    >>> PrefsPairRet().of_groups([{"a": 2, "b": 1}, {"a": 0, "b": 1, "c": 1}], ["a", "b"])
    0.5
    """

    scope: ClassVar[Scope] = "both"


@measure("PrefsPairImp", trec="prefs_pair_imp", bounds=(0, 1))
class PrefsPairImp(PrefsPair):
    r"""Mean over pairs with a retrieved item of the share of groups whose preference on that pair is fulfilled.

    $$ \frac{1}{|P|} \sum_{\{a,b\} \in P,\ rank(a) < rank(b)}
       \frac{|\{\, J : a \succ_J b \,\}|}{|\{\, J : a \succ_J b \,\}| + |\{\, J : b \succ_J a \,\}|} $$

    P are the pairs on which any group has a preference and of which at least one item was retrieved.
    Source: trec_eval (Buckley, NIST), measure prefs_pair_imp. Same value; it breaks ties of this family by rising
    ids.

    >>> PrefsPairImp().of_groups([{"a": 2, "b": 1, "c": 0}, {"a": 0, "b": 1}], ["a"])
    0.75
    """

    scope: ClassVar[Scope] = "met"
