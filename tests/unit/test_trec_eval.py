"""`assay trec_eval`: its arguments, its exit codes, and what it says and prints where trec_eval goes wrong."""

import gzip
import io
import subprocess
import sys

import pytest

import assay
from assay import Policy
from assay.cli.main import run

QRELS = "1 0 a 1\n1 0 b 0\n1 0 c 2\n2 0 a 0\n2 0 d 1\n"
RUN = "1 Q0 b 1 3 me\n1 Q0 a 2 2 me\n1 Q0 x 3 1 me\n2 Q0 d 1 9 me\n2 Q0 a 2 8 me\n"


@pytest.fixture
def files(tmp_path):
    """Write judgments and results and return their paths."""

    def write(qrels=QRELS, results=RUN):
        (tmp_path / "qrels").write_text(qrels)
        (tmp_path / "run").write_text(results)
        return str(tmp_path / "qrels"), str(tmp_path / "run")

    return write


@pytest.fixture
def call(capsysbinary):
    """Run a command line; return its exit code, what it printed and what it said."""

    def run_it(*argv):
        code = run(["trec_eval", *argv])
        printed = capsysbinary.readouterr()
        return code, printed.out.decode(), printed.err.decode()

    return run_it


def value(text, name, query="all"):
    rows = (line.split("\t") for line in text.splitlines())
    return next(found for label, q, found in rows if label.strip() == name and q == query)


def test_a_line_is_a_padded_name_the_query_and_four_decimals(call, files):
    code, out, err = call("-q", "-m", "map", "-m", "num_ret", *files())
    assert code == 0
    assert out == (
        "num_ret               \t1\t3\nmap                   \t1\t0.2500\n"
        "num_ret               \t2\t2\nmap                   \t2\t1.0000\n"
        "num_ret               \tall\t5\nmap                   \tall\t0.6250\n"
    )
    assert not err


def test_options_may_follow_the_files_and_long_names_may_be_shortened(call, files):
    qrels, results = files()
    wanted = call("-q", "-n", "-l2", "-mP.1", qrels, results)
    assert call(qrels, results, "--query", "--nosum", "--level_for_rel=2", "--meas", "P.1") == wanted
    assert wanted[1] == "P_1                   \t1\t0.0000\nP_1                   \t2\t0.0000\n"


def test_the_first_parameters_of_a_measure_count(call, files):
    out = call("-m", "P.2,1", "-m", "P.3", "-m", "set_F", *files())[1]
    assert [line.split()[0] for line in out.splitlines()] == ["P_1", "P_2", "set_F"]


def test_queries_stand_in_the_order_of_their_bytes(call, files):
    names = ["10", "9", "é", "Z", "a"]
    qrels = "".join(f"{name} 0 d 1\n" for name in names)
    results = "".join(f"{name} Q0 d 1 1 me\n" for name in names)
    out = call("-nq", "-m", "map", *files(qrels, results))[1]
    assert [line.split("\t")[1] for line in out.splitlines()] == ["10", "9", "Z", "a", "é"]


def test_a_percent_sign_in_a_query_is_text(call, files):
    out = call("-nq", "-m", "map", *files("5%s 0 d 1\n", "5%s Q0 d 1 1 me\n"))[1]
    assert out == "map                   \t5%s\t1.0000\n"


def test_files_may_be_compressed_or_standard_input(call, files, tmp_path, monkeypatch):
    qrels, results = files()
    wanted = call(qrels, results)
    (tmp_path / "run.gz").write_bytes(gzip.compress(RUN.encode()))
    assert call(qrels, str(tmp_path / "run.gz")) == wanted
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(RUN.encode())))
    assert call(qrels, "-") == wanted
    assert "runid                 \tall\tme\n" in wanted[1]


@pytest.mark.parametrize("tail", ["", "\n\n", "# the end\n", "   \n"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_the_run_id_is_that_of_the_last_row(tail, pack, call, files, tmp_path):
    qrels, _ = files()
    (tmp_path / "run").write_bytes(pack((RUN + "2 Q0 z 3 1 last more\n" + tail).encode()))
    assert value(call("-m", "runid", qrels, str(tmp_path / "run"))[1], "runid") == "last"


MISTAKES = [
    (["-x", "QRELS", "RUN"], 1, "option -x"),
    (["QRELS"], 1, "Usage"),
    (["-m", "ndgc", "QRELS", "RUN"], 1, "Did you mean 'ndcg'"),
    (["-m", "P.", "QRELS", "RUN"], 1, "parameters after the dot"),
    (["-m", "P.0", "QRELS", "RUN"], 2, "from 1 on"),
    (["-m", "P.5,5", "QRELS", "RUN"], 2, "each cutoff once"),
    (["-m", "ndcg.1", "QRELS", "RUN"], 2, "pairs"),
    (["-m", "utility.1,2", "QRELS", "RUN"], 4, "four numbers"),
    (["-m", "iprec_at_recall.2", "QRELS", "RUN"], 2, "from 0 to 1"),
    (["-m", "rbp.p=2", "QRELS", "RUN"], 2, "between 0 and 1"),
    (["-m", "set_F.-1", "QRELS", "RUN"], 2, "at least 0"),
    (["-M-1", "QRELS", "RUN"], 1, "-M"),
    (["-R", "other", "QRELS", "RUN"], 2, "qrels_jg"),
    (["-T", "other", "QRELS", "RUN"], 2, "trec_results"),
    (["-m", "prefs", "QRELS", "RUN"], 4, "prefs"),
    (["-R", "qrels_jg", "QRELS", "RUN"], 4, "num_ret"),
    (["QRELS", "nothing"], 2, "nothing"),
    (["RUN", "RUN"], 2, "swapped"),
    (["-D0.3", "QRELS", "RUN"], 7, "No queries"),
    (["-Z", "nothing", "QRELS", "RUN"], 255, "nothing"),
    (["--as", "8", "QRELS", "RUN"], 1, "9, 10 or documented"),
]


@pytest.mark.parametrize(("argv", "code", "said"), MISTAKES, ids=[" ".join(m[0]) for m in MISTAKES])
def test_a_mistake_has_the_exit_code_of_trec_eval(argv, code, said, call, files):
    paths = dict(zip(("QRELS", "RUN"), files(), strict=True))
    found, out, err = call(*[paths.get(one, one) for one in argv])
    assert (found, out) == (code, "")
    assert said in err
    assert "Traceback" not in err


def test_a_document_that_comes_twice_is_an_error_of_calculation(call, files):
    code, _, err = call(*files(results=RUN + "2 Q0 a 3 1 me\n"))
    assert code == 4
    assert "'a'" in err
    assert call(*files(qrels=QRELS + "2 0 a 1\n"))[0] == 4


def test_no_common_query_is_exit_code_seven(call, files):
    code, out, err = call(*files(results="9 Q0 a 1 1 me\n"))
    assert (code, out) == (7, "")
    assert "No queries with both" in err


def test_help_and_version_stop(call):
    code, out, _ = call("-h")
    assert code == 0
    assert "--level_for_rel" in out
    assert "all_trec" in out
    assert "reciprocal" not in out
    code, out, _ = call("-h", "-m", "recip_rank", "-m", "relstring")
    assert code == 0
    assert "recip_rank = RR" in out
    assert "first 10 results" in out
    code, out, err = call("-v")
    assert (code, out) == (0, "")
    assert assay.__version__ in err


def test_the_command_of_its_own_is_the_same(files):
    program = [sys.executable, "-c", "from assay.cli.main import trec_eval; trec_eval()", "-m", "map", *files()]
    done = subprocess.run(program, capture_output=True, text=True, check=True)
    assert done.stdout == "map                   \tall\t0.6250\n"


def test_the_list_of_verbs_names_it(capsysbinary):
    run(["--help"])
    assert b"trec_eval" in capsysbinary.readouterr().out


def test_one_query_can_be_looked_at_alone(call, files):
    assert value(call("-D1.2", "-m", "map", *files())[1], "map") == "1.0000"


class TestMissingQuery:
    RESULTS = "".join(line + "\n" for line in RUN.splitlines() if line.startswith("1"))

    def test_it_is_left_out_and_said_where_trec_eval_10_stops(self, call, files):
        code, out, err = call("-m", "map", "-m", "num_q", *files(results=self.RESULTS))
        assert (code, value(out, "map"), value(out, "num_q")) == (0, "0.2500", "1")
        assert "1 judged query has no results" in err
        assert "exit code 4" in err

    def test_with_c_it_counts_zero_and_has_its_lines_in_10_but_not_in_9(self, call, files):
        options = ["-c", "-q", "-m", "map", "-m", "num_q", "-m", "gm_map"]
        for version, lines in (("10", 2), ("9", 1), ("documented", 2)):
            code, out, _ = call("--as", version, *options, *files(results=self.RESULTS))
            assert (code, value(out, "map"), value(out, "num_q")) == (0, "0.1250", "2")
            assert value(out, "gm_map") == f"{(0.25 * 1e-5) ** 0.5:.4f}"
            assert sum(line.startswith("map") for line in out.splitlines()) == lines + 1

    def test_the_unknown_document_that_trec_eval_gives_it_is_named(self, call, files):
        options = ["-c", "-q", "-m", "utility.1,-1,0,0", "-m", "relstring.3"]
        _, out, err = call(*options, *files(results=self.RESULTS))
        assert value(out, "utility_1,-1,0,0", "2") == "-1.0000"
        assert value(out, "relstring_3", "2") == "'-'"
        assert "unknown document" in err
        _, out, err = call("--as", "documented", *options, *files(results=self.RESULTS))
        assert value(out, "utility_1,-1,0,0", "2") == "0.0000"
        assert not err


FAULTS = [
    (["-m", "ndcg.1=0.1,2=0.5"], {}, "ndcg_1=0.1,2=0.5", "0.5560", "cannot order gains"),
    (["-m", "bpref", "-l3"], {}, "bpref", "0.0000", "no grade reaches -l 3"),
    (["-m", "rbp"], {}, "rbp", None, "never sets"),
    (["-m", "rbp_resid"], {}, "rbp_resid", None, "all judged"),
    (["-c", "-l2", "-m", "num_rel"], {}, "num_rel", "3", "whatever -l says"),
    (["-m", "ndcg.0=-1"], {}, "ndcg_0=-1", None, "below 0 count 0"),
    (["-m", "11pt_avg.0.5,0.1"], {}, "11pt_avg_0.5,0.1", None, "rising order"),
    (["-m", "map"], {"qrels": "1 0 a 1.5\n1 0 b 0.9\n2 0 a 1\n"}, "map", "0.5000", "1.5 counts 1"),
    (["-m", "map"], {"results": RUN.replace("a 2 8", "a 2 nan")}, "map", "0.6250", "1 score is no number"),
    (["-J", "-m", "11pt_avg"], {"results": "1 Q0 x 1 1 me\n2 Q0 d 1 1 me\n"}, "11pt_avg", "0.5000", "prints nan"),
    (
        ["-m", "iprec_at_recall.0.35"],
        {"qrels": "1 0 a 1\n1 0 b 1\n1 0 c 1\n", "results": "1 Q0 a 1 9 me\n1 Q0 x 1 8 me\n1 Q0 b 1 7 me\n"},
        "iprec_at_recall_0.35", "1.0000", "fewer relevant documents",
    ),
]  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS, ids=[f[4] for f in FAULTS])
def test_a_fault_of_trec_eval_is_named_when_the_input_meets_it(fault, call, files):
    options, content, name, printed, said = fault
    paths = files(**content)
    code, out, err = call(*options, *paths)
    assert code == 0
    assert printed is None or value(out, name) == printed
    assert said in err
    assert call("--quiet", *options, *paths) == (0, out, "")


def test_float32_scores_belong_to_9(call, files):
    paths = files("1 0 a 1\n", "1 Q0 a 1 0.99999999 me\n1 Q0 b 2 0.99999998 me\n")
    assert value(call("-m", "recip_rank", *paths)[1], "recip_rank") == "1.0000"
    assert value(call("--as", "9", "-m", "recip_rank", *paths)[1], "recip_rank") == "0.5000"


def test_the_set_of_all_measures_of_9_has_none_of_those_that_10_added(call, files):
    new = {"rbp", "rbp_resid", "unj_5", "unj_10", "unj_20"}
    names = {
        v: {line.split()[0] for line in call("--as", v, "-m", "all_trec", *files())[1].splitlines()}
        for v in ["9", "10"]
    }
    assert names["10"] - names["9"] == new


def test_documented_values_are_those_of_evaluate(call, files):
    paths = files()
    names = {
        "iprec_at_recall_0.10": "IPrec@0.1", "11pt_avg": "11pt", "rbp": "RBP(p=0.9,gain='linear')", "ndcg": "nDCG",
        "rbp_resid": "RBPResid(p=0.9)", "Rndcg": "RnDCG", "set_F": "SetF", "bpref": "Bpref", "gm_map": "GMAP",
    }  # fmt: skip
    out = call("--as", "documented", "-m", "all_trec", *paths)[1]
    means = assay.evaluate(*paths, " ".join(names.values()), policy=Policy(missing="skip")).mean
    for (name, ours), mean in zip(names.items(), means.values(), strict=True):
        assert value(out, name) == f"{mean:.4f}", ours


def test_documented_values_keep_fractions_of_grades(call, files):
    paths = files("1 0 a 0.5\n1 0 b 2\n2 0 d 1\n")
    out = call("--as", "documented", "-m", "ndcg", *paths)[1]
    assert value(out, "ndcg") == f"{assay.evaluate(*paths, 'nDCG').mean['nDCG']:.4f}"


def test_a_z_score_without_a_mean_or_spread(call, files, tmp_path):
    (tmp_path / "z").write_text("1 map 0.05 0.1\n1 P_1 0 0\n2 P_1 0 0\n1 num_ret 1 2\n")
    _, out, _ = call(
        "-q", "-Z", str(tmp_path / "z"), "-m", "map", "-m", "P.1", "-m", "num_ret", "-m", "num_q", *files()
    )
    assert value(out, "Zmap", "1") == "2.0000"
    assert value(out, "Zmap", "2") == "-1000000.0000"
    assert value(out, "ZP_1", "1") == "0.0000"
    assert value(out, "ZP_1", "2") == "-1000000.0000"
    assert value(out, "Znum_ret", "1") == "1.0000"
    assert value(out, "Znum_q") == "2.0000"
    assert value(out, "Zmap") == "-499999.0000"


def test_the_grades_of_the_first_results_as_characters(call, files):
    paths = files("1 0 a 12\n1 0 b -1\n1 0 c 3\n", "".join(f"1 Q0 {d} 1 {-n} me\n" for n, d in enumerate("abcx")))
    assert value(call("-qm", "relstring", *paths)[1], "relstring", "1") == "'>.3-'"
    assert value(call("-qm", "relstring.2", *paths)[1], "relstring_2", "1") == "'>.'"


def test_results_are_cut_after_ties_are_ordered_and_then_condensed(call, files):
    paths = files("1 0 a 1\n1 0 b 1\n", "".join(f"1 Q0 {d} 1 1 me\n" for d in "abcx"))
    assert value(call("-M2", "-m", "num_rel_ret", *paths)[1], "num_rel_ret") == "0"
    assert value(call("-M3", "-J", "-m", "P.1", *paths)[1], "P_1") == "1.0000"
    assert value(call("-M0", "-m", "num_ret", *paths)[1], "num_ret") == "0"
