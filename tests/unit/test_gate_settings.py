"""The settings of a gate: what they mean, and what is said of a key or a value that means nothing."""

import pytest
from tests.unit.gates import settings

from assay.errors import AssayError, FormatError, InputError, UnknownNameError
from assay.history.gate import read_settings


def test_a_measure_is_enough(tmp_path):
    found = read_settings(settings(tmp_path / "assay.toml", 'measures = "nDCG@10 RR"'))
    assert [str(one) for one in found.measures] == ["nDCG@10", "RR"]
    assert (found.alpha, found.test, found.nightly, found.horizon) == (0.05, "flips", False, 30)
    assert found.same == ("gold", "queries", "corpus", "policy", "exclude", "weights")
    (whole,) = found.scopes
    assert (whole.name, whole.line, whole.guard, whole.min_judged, whole.min_queries) == ("", 1, "name", None, 10)
    assert [(one.max_drop, one.limit) for one in whole.limits] == [(0.0, None), (0.0, None)]
    assert found.default_baseline == str(tmp_path / "assay.baseline.json")


def test_a_number_is_for_all_measures_and_a_table_for_each(tmp_path):
    text = 'measures = ["nDCG@10", "RR"]\nmax_drop = 0.02\nmin = {ndcg_cut_10 = 0.4}'
    (whole,) = read_settings(settings(tmp_path / "a.toml", text)).scopes
    assert [(str(one.measure), one.max_drop, one.limit) for one in whole.limits] == [
        ("nDCG@10", 0.02, 0.4),
        ("RR", 0.02, None),
    ]


def test_a_slice_takes_what_it_does_not_say_but_never_the_lowest_figure(tmp_path):
    text = 'measures = "nDCG@10 RR"\nmax_drop = {RR = 0.02}\nmin = 0.4\nmin_judged = 0.9\nmin_queries = 5\nby = "q.csv"'
    more = (
        "[gate.slices.german]", 'column = "language"', 'value = "de"', "min = {RR = 0.1}", 'per_query_guard = "block"',
        '[gate.slices."long tail"]', 'file = "tail.txt"', "max_drop = 0.3", 'measures = "RR P@5"', "min_judged = 0",
        "[gate.slices.two]", 'queries = ["a", "b"]',
    )  # fmt: skip
    whole, german, tail, two = read_settings(settings(tmp_path / "a.toml", text, *more)).scopes
    assert [one.limit for one in whole.limits] == [0.4, 0.4]
    assert [(str(one.measure), one.max_drop, one.limit) for one in german.limits] == [
        ("nDCG@10", 0.0, None),
        ("RR", 0.02, 0.1),
    ]
    assert (german.guard, tail.guard, german.min_judged, tail.min_judged, german.min_queries) == (
        "block", None, 0.9, 0.0, 5,
    )  # fmt: skip
    assert (german.choice.column, german.choice.value, german.choice.by) == ("language", "de", str(tmp_path / "q.csv"))
    assert [(str(one.measure), one.max_drop) for one in tail.limits] == [("RR", 0.3), ("P@5", 0.3)]
    assert (tail.name, tail.choice.file, two.choice.queries) == ("long tail", str(tmp_path / "tail.txt"), ("a", "b"))
    assert (german.line, tail.line) == (8, 13)


def test_lower_may_be_better(tmp_path):
    (whole,) = read_settings(settings(tmp_path / "a.toml", 'measures = "MR RR"\nmax = 20\nmin = 0.3')).scopes
    assert [one.limit for one in whole.limits] == [20, 0.3]


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ('measures = "RR"\nmax_dorp = 0.1', 3, "no key of [gate] is called 'max_dorp'. Did you mean 'max_drop'?"),
        ('measures = "RR"\n[gate.slices.x]\ncolunm = "a"', 4, "Did you mean 'column'?"),
        ('measures = "RR"\n[gat]\nx = 1', 3, "no table is called 'gat'. Did you mean 'gate'?"),
        ('measures = "nDGC@10"', 2, "no measure is called 'nDGC'. Did you mean 'nDCG'?"),
        ("alpha = 0.1", 1, "expected one or more for measures, found nothing"),
        ('measures = "RR"\nmax_drop = -0.1', 3, "expected a number of at least 0 for max_drop, found -0.1"),
        ('measures = "RR"\nmax_drop = "little"', 3, "expected a number of at least 0 for max_drop, found 'little'"),
        ('measures = "RR"\nmax_drop = inf', 3, "expected a number of at least 0 for max_drop, found inf"),
        ('measures = "RR"\nmax_drop = nan', 3, "expected a number of at least 0 for max_drop, found nan"),
        ('measures = "RR"\nmax_drop = {AP = 0.1}', 3, "expected a measure that is asked for (RR) in max_drop"),
        (
            'measures = "RR"\nmax_drop = {RR = true}',
            3,
            "expected a number of at least 0 for max_drop of RR, found True",
        ),
        ('measures = "RR"\nalpha = 0.9', 3, "expected a number from 1e-06 to 0.5 for alpha, found 0.9"),
        ('measures = "RR"\ntest = "wilcoxon"', 3, "expected flips or t for test, found 'wilcoxon'"),
        ('measures = "RR"\nmin_queries = 1.5', 3, "expected a whole number of at least 2 for min_queries, found 1.5"),
        ('measures = "RR"\nmin_judged = 80', 3, "expected a number from 0 to 1 for min_judged, found 80"),
        ('measures = "RR"\nper_query_guard = "yes"', 3, "expected name, block or off for per_query_guard, found 'yes'"),
        ('measures = "RR"\nnightly = "yes"', 3, 'expected true, false or "fresh" for nightly, found'),
        ('measures = "RR"\nsame = ["gold", "weather"]', 3, "expected some of gold, queries, corpus, policy"),
        ('measures = "MR"\nmin = 0.1', 3, "expected max for these measures, of which lower is better, found min"),
        ('measures = "RR MR"\nmax = {RR = 0.1}', 3, "expected min for RR, of which higher is better, found max"),
        ('measures = "RR"\n[gate.slices.x]\nmin = 0.1', 3, "expected column (with value), file or queries"),
        ('measures = "RR"\n[gate.slices.x]\ncolumn = "a"\nvalue = "b"', 3, "expected a file with the columns"),
        ('measures = "RR"\n[gate.slices.x]\ncolumn = "a"\nby = "q"', 3, "expected the value of a that makes"),
        ('measures = "RR"\nslices = 3', 3, "expected a table for slices, found 3"),
        ('measures = "RR"\nalpha =', 3, "expected TOML, found"),
    ],
)
def test_what_means_nothing_is_named_with_its_line(tmp_path, text, line, said):
    path = settings(tmp_path / "assay.toml", text)
    with pytest.raises(AssayError) as error:
        read_settings(path)
    assert error.value.message.startswith(f"{path}, line {line}: ")
    assert said in error.value.message


def test_a_file_that_is_no_settings(tmp_path):
    with pytest.raises(InputError, match="expected a file of settings, found none"):
        read_settings(str(tmp_path / "none.toml"))
    (tmp_path / "other.toml").write_text("")
    with pytest.raises(FormatError, match=r"expected a table \[gate\], found none"):
        read_settings(str(tmp_path / "other.toml"))
    (tmp_path / "latin.toml").write_bytes(b"# gr\xfcn\n")
    with pytest.raises(InputError, match="expected TOML in UTF-8"):
        read_settings(str(tmp_path / "latin.toml"))


def test_an_unknown_key_is_an_error_of_names(tmp_path):
    with pytest.raises(UnknownNameError) as error:
        read_settings(settings(tmp_path / "a.toml", 'measures = "RR"\nalhpa = 0.1'))
    assert "one of measures, alpha" in error.value.hint
