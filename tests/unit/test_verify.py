"""verify: a result comes out again, or what differs is named; its JSON is not trusted."""

import json

import pytest

from assay import PROFILES, Policy, evaluate, verify
from assay.core.evaluation import evaluations_to_dict
from assay.errors import AssayError, InputError, ParameterError

MEASURES = "P_5 RR nDCG@10 SetF(beta=2) IPrec@0.35"


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gold.qrels").write_text("1 0 a 1\n1 0 b 0\n1 0 c 2\n2 0 d 1\n3 0 e 0\n")
    (tmp_path / "one.run").write_text("1 Q0 a 1 2 r\n1 Q0 b 2 2 r\n1 Q0 c 3 1 r\n2 Q0 x 1 1 r\n")
    (tmp_path / "two.run").write_text("1 Q0 c 1 2 r\n2 Q0 d 2 2 r\n")
    (tmp_path / "weights.csv").write_text("query,weight\n1,3\n2,1\n3,1\n")
    (tmp_path / "known.csv").write_text("query,item\n1,b\n")
    return tmp_path


def written(folder, *results, **changes):
    plain = evaluations_to_dict(list(results)) | changes
    path = folder / "result.json"
    path.write_text(json.dumps(plain))
    return path


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"policy": Policy(missing="skip", ties="expected"), "measures": "P_5 RR"},
        {"profile": "ir_measures"},
        {"profile": PROFILES["ir_measures"].but(ties="order", missing="skip")},
        {"rel": 2, "tie_range": True},
        {"weights": "weights.csv", "exclude": "known.csv"},
    ],
)
def test_a_result_comes_out_again(files, options):
    results = [evaluate("gold.qrels", run, **({"measures": MEASURES} | options)) for run in ("one.run", "two.run")]
    found = verify(written(files, *results))
    assert found.same, str(found)
    assert {check.state for check in found.inputs} == {"same"}
    assert {check.run for check in found.figures} == {"one", "two"}


def test_inputs_are_looked_for_beside_the_result_as_well(files, monkeypatch, tmp_path_factory):
    path = written(files, evaluate("gold.qrels", "one.run", "RR"))
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    assert verify(path).same


def test_a_changed_input_is_named_with_what_it_changes(files):
    path = written(files, evaluate("gold.qrels", "one.run", "RR P@5"))
    (files / "one.run").write_text("1 Q0 c 3 1 r\n1 Q0 a 1 0 r\n2 Q0 d 1 1 r\n")
    found = verify(path)
    assert [check.state for check in found.inputs] == ["same", "changed"]
    assert not found.same
    differing = [check for check in found.figures if not check.same]
    assert differing
    assert differing[-1].queries == ("2",)
    assert "SHA-256 differs" in str(found)


def test_other_files_may_be_given(files):
    path = written(files, evaluate("gold.qrels", "one.run", "RR"))
    (files / "one.run").rename(files / "moved.run")
    assert [check.state for check in verify(path).inputs] == ["same", "missing"]
    assert verify(path, run=files / "moved.run").same
    with pytest.raises(ParameterError, match="expected 1 runs"):
        verify(path, run=["moved.run", "two.run"])


def test_a_missing_input_is_part_of_the_answer(files):
    path = written(files, evaluate("gold.qrels", "one.run", "RR"))
    (files / "gold.qrels").unlink()
    found = verify(path)
    assert found.problems == ("one could not be computed: the gold standard was not found at 'gold.qrels'",)
    assert not found.same


def test_inputs_from_memory_cannot_be_found(files):
    path = written(files, evaluate({"1": {"a": 1}}, {"1": {"a": 1.0}}, "RR"))
    found = verify(path)
    assert "came from memory" in found.problems[0]


def test_a_figure_that_was_changed_by_hand_is_found(files):
    plain = evaluations_to_dict([evaluate("gold.qrels", "one.run", "RR P@5")])
    plain["runs"][0]["measures"]["RR"]["mean"] = 0.9
    path = files / "result.json"
    path.write_text(json.dumps(plain))
    found = verify(path)
    assert [(check.measure, check.same) for check in found.figures] == [("RR", False), ("P@5", True)]
    assert "RR: recorded 0.9, found" in str(found)


def test_equal_up_to_rounding_is_said_and_is_not_the_same(files):
    plain = evaluations_to_dict([evaluate("gold.qrels", "one.run", "nDCG@10")])
    plain["runs"][0]["measures"]["nDCG@10"]["mean"] *= 1 + 2**-51
    path = files / "result.json"
    path.write_text(json.dumps(plain))
    (check,) = verify(path).figures
    assert (check.same, check.close) == (False, True)


def test_another_version_is_named(files):
    found = verify(written(files, evaluate("gold.qrels", "one.run", "RR"), assay="0.0.1"))
    assert "made by Assay 0.0.1" in str(found)
    assert found.same


def test_without_values_of_queries_the_figures_are_compared(files):
    plain = evaluations_to_dict([evaluate("gold.qrels", "one.run", "RR")], per_query=False)
    path = files / "result.json"
    path.write_text(json.dumps(plain))
    assert verify(path).same


def test_plain_data(files):
    found = verify(written(files, evaluate("gold.qrels", "one.run", "RR")))
    plain = json.loads(json.dumps(found.to_dict()))
    assert plain["same"] is True
    assert set(plain["figures"][0]) >= {"run", "measure", "recorded", "found", "same"}


BROKEN = {
    "no object": "[]",
    "no JSON": "{",
    "NaN": '{"assay": NaN}',
    "a long number": '{"assay": "1", "runs": [' + "9" * 5000 + "]}",
    "deep": "[" * 100_000,
    "no runs": '{"assay": "1", "runs": []}',
    "runs of another kind": '{"assay": "1", "runs": [1], "policy": {}, "gold": {}, "profile": null}',
    "an unknown field": '{"assay": "1", "runs": [{}], "policy": {"self": "x"}, "profile": null}',
    "an unknown value": '{"assay": "1", "runs": [{}], "policy": {"ties": "x"}, "profile": null}',
    "an unknown profile": '{"assay": "1", "runs": [{}], "policy": {}, "profile": "x", "gold": {}}',
    "a path that is no text": '{"assay": "1", "runs": [{}], "policy": {}, "profile": null, "gold": {"path": 1}}',
    "no measures": '{"assay": "1", "policy": {}, "profile": null, "gold": {}, "runs": [{"name": "a", "measures": {}}]}',
    "an infinite mean": '{"assay": "1", "policy": {}, "profile": null, "gold": {}, "runs": [{"name": "a", '
    '"measures": {"RR": {"mean": 1e999}}}]}',
    "true for a number": '{"assay": "1", "policy": {}, "profile": null, "gold": {}, "runs": [{"name": "a", '
    '"measures": {"RR": {"mean": true}}}]}',
    "not UTF-8": b"\xff\xfe{",
}  # fmt: skip


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_json_of_another_shape_is_one_clear_error(tmp_path, content):
    path = tmp_path / "result.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(AssayError) as caught:
        verify(path)
    assert "\n" not in caught.value.message


def test_names_that_no_file_can_have_are_missing_files(files):
    plain = evaluations_to_dict([evaluate("gold.qrels", "one.run", "RR")])
    plain["gold"]["path"], plain["runs"][0]["path"] = "a\0b", "x" * 5000
    path = files / "result.json"
    path.write_text(json.dumps(plain))
    assert [check.state for check in verify(path).inputs] == ["missing", "missing"]


def test_measures_of_a_result_that_do_not_exist_are_a_problem(files):
    plain = evaluations_to_dict([evaluate("gold.qrels", "one.run", "RR")])
    plain["runs"][0]["measures"] = {"__import__('os')": {"mean": 1.0}}
    path = files / "result.json"
    path.write_text(json.dumps(plain))
    assert "could not be computed" in verify(path).problems[0]


@pytest.mark.parametrize("name", ["none.json", "."])
def test_no_such_result(files, name):
    with pytest.raises(InputError):
        verify(name)
