"""A mistake gives one clear message on standard error, exit code 2, and no traceback."""

import gzip
import os

import pytest

GOLD = "q1 0 x 1\nq2 0 z 2\n"
RUN = "q1 Q0 x 1 2 s\nq2 Q0 z 1 5 s\n"


def refused(assay, *args, **options):
    done = assay(*args, expect=2, **options)
    assert done.out == ""
    lines = done.err.splitlines()
    assert lines[0].startswith("Error: ")
    assert all(line.startswith("Hint: ") for line in lines[1:])
    assert len(lines) <= 2
    return done.err


BAD_RUNS = {
    "empty": (b"", "an empty file"),
    "text score": (b"q1 Q0 x 1 good s\n", "line 1"),
    "NaN": (b"q1 Q0 x 1 nan s\n", "nan"),
    "five columns": (RUN.encode() + b"q2 Q0 y 2 1\n", "line 3: expected 6 columns"),
    "binary": (bytes(range(256)) * 40, "expected"),
    "truncated gzip": (gzip.compress(os.urandom(1000) + RUN.encode() * 999)[:-100], "trunc"),
    "a gold standard": (GOLD.encode(), "are GOLD and RUN swapped?"),
    "twice": ((RUN + RUN).encode(), "lines 1 and 3: item 'x' occurs more than once"),
    "no query in common": (b"7 Q0 x 1 1 s\n", "found none of them but '7'"),
}


@pytest.mark.parametrize(("content", "said"), BAD_RUNS.values(), ids=BAD_RUNS)
def test_a_run_that_cannot_be_used(assay, small, content, said):
    (small / "bad.run").write_bytes(content)
    message = refused(assay, "evaluate", "gold.qrels", "bad.run")
    assert "bad.run" in message
    assert said in message


def test_places_that_are_no_file(assay, small):
    assert "did you mean 'gold.qrels'?" in refused(assay, "evaluate", "gold.qrel", "a.run")
    (small / "folder").mkdir()
    assert "folder: expected a file, found a folder" in refused(assay, "evaluate", "gold.qrels", "folder")
    assert "no folder" in refused(assay, "evaluate", "gold.qrels", "nowhere/a.run")
    assert "mkdir -p nowhere" in refused(assay, "evaluate", "gold.qrels", "a.run", "--out", "nowhere/x.json")
    assert "found a folder" in refused(assay, "evaluate", "gold.qrels", "a.run", "--out", "folder")


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_file_without_permission(assay, small):
    (small / "a.run").chmod(0)
    assert "permission" in refused(assay, "evaluate", "gold.qrels", "a.run")


MISTAKES = {
    ("-m", "ndgc@10"): "no measure is called 'ndgc'. Did you mean 'nDCG'?",
    ("-m", "P@0"): "k must be an integer of at least 1",
    ("-m", "P"): "P needs a cutoff",
    ("--ties", "random"): "ties: expected one of id-desc",
    ("--missing", "drop"): "missing: expected one of zero, skip, found 'drop'",
    ("--profile", "trec_eval"): "no profile is called 'trec_eval'. Did you mean 'trec_eval-9'?",
    ("--format", "trek"): "no format is called 'trek'. Did you mean 'trec'?",
    ("-o", "xml"): "no output is called 'xml'.",
    ("--rel", "x"): "--rel: expected a number, found 'x'",
    ("--wrong",): "No such option: --wrong",
    ("-",): "standard input",
}


@pytest.mark.parametrize(("options", "said"), MISTAKES.items(), ids=map(" ".join, MISTAKES))
def test_a_request_that_means_nothing(assay, small, options, said):
    assert said in refused(assay, "evaluate", "gold.qrels", "a.run", *options, stdin=b"")


def test_what_is_missing_is_named(assay):
    assert "Missing argument 'GOLD'" in refused(assay, "evaluate")
    assert "Missing argument 'RUN...'" in refused(assay, "evaluate", "gold.qrels")
    assert "No such command 'evalaute'. Did you mean 'evaluate'?" in refused(assay, "evalaute")


def test_hints_name_the_options_of_the_command_line(assay, small):
    (small / "a.run").write_text(RUN + RUN)
    assert "Hint: --duplicates first or best keeps one of them." in refused(assay, "evaluate", "gold.qrels", "a.run")


def test_a_message_shows_what_it_quotes_and_obeys_nothing(assay, small):
    (small / "a.run").write_text("q1 Q0 \x1b[31mx 1 good s\n")
    assert "\x1b" not in refused(assay, "evaluate", "gold.qrels", "a.run")
    assert r"no\nsuch\x1bfile" in refused(assay, "evaluate", "gold.qrels", "no\nsuch\x1bfile")


def test_debug_shows_the_traceback(small, assay):
    with pytest.raises(AssertionError, match="Traceback"):
        assay("evaluate", "gold.qrels", "missing.run", "--debug", expect=2)


def test_an_infinite_result_is_no_json(assay, small):
    (small / "endless.qrels").write_text("q1 0 x inf\n")
    assert "finite" in refused(assay, "evaluate", "endless.qrels", "a.run", "-m", "DCG", "-o", "json")
