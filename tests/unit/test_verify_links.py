"""verify of results of links and neighbours: the recorded command runs again; its JSON is not trusted."""

import json
import shutil
from importlib import import_module
from pathlib import Path

import jsonschema
import numpy as np
import pytest
import typer

import assay
from assay.cli import recorded
from assay.cli.main import run
from assay.errors import InputError
from assay.report.schema import SCHEMAS

NATIONS = Path(__file__).parents[2] / "examples" / "links-nations"
LINKS = [
    "links", "evaluate", "--train", "train.tsv", "--valid", "valid.tsv", "--test", "test.tsv", "--model", "complex",
    "--entities", "entities.npy", "--relations", "relations.npy", "--names", "entities.txt",
    "--relation-names", "relations.txt", "-m", "RR", "-m", "HR@10", "--worst", "2",
]  # fmt: skip
NEIGHBOURS = ["neighbours", "evaluate", "real.npy", "--names", "entities.txt", "--labels", "types.tsv", "-k", "3"]
SAME, DIFFERENT, NOT_COMPUTED, UNKNOWN = range(4)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for file in NATIONS.iterdir():
        if file.suffix in {".tsv", ".npy", ".txt"}:
            shutil.copy(file, tmp_path)
    monkeypatch.chdir(tmp_path)
    names = Path("entities.txt").read_text().split()
    Path("types.tsv").write_text("".join(f"{name}\t{name < 'e'}\n" for name in names))
    vectors = np.load("entities.npy")
    np.save("real.npy", np.concatenate([vectors.real, vectors.imag], axis=1))
    return tmp_path


@pytest.fixture
def result(folder):
    assert run([*LINKS, "--out", "result.json"]) == 0
    return folder / "result.json"


def changed(path, change):
    """Write the result with a change."""
    document = json.loads(path.read_text())
    change(document)
    path.write_text(json.dumps(document))


def verified(capsys, path="result.json"):
    """Return the exit code of verify and what it says."""
    capsys.readouterr()
    code = run(["verify", str(path), "-o", "json"])
    said = capsys.readouterr()
    return code, json.loads(said.out) if said.out else said.err


@pytest.mark.parametrize(
    "command",
    [
        LINKS,
        [*LINKS, "--by", "types.tsv", "--interval", "0.9", "-q", "--pooled", "all", "-o", "json", "--quiet"],
        [*LINKS[:2], "--debug", *LINKS[2:]],
        ["--quiet", *NEIGHBOURS],
    ],
    ids=["links", "more", "debug", "neighbours"],
)
def test_a_result_comes_out_again(folder, capsys, command):
    assert run([*command, "--out", "result.json"]) == 0
    code, found = verified(capsys)
    assert (code, found["same"]) == (SAME, True), found
    assert {one["state"] for one in found["inputs"]} == {"same"}
    assert {one["path"] for one in found["inputs"]} == {word for word in command if Path(word).is_file()}
    assert all(one["same"] for one in found["figures"])


def test_the_files_stand_in_the_json_with_their_digests(result):
    document = json.loads(result.read_text())
    jsonschema.validate(document, SCHEMAS["links evaluate"])
    roles = ["train", "valid", "test", "entities", "relations", "names", "relation names"]
    assert [one["role"] for one in document["inputs"]] == roles
    assert all(len(one["sha256"]) == 64 for one in document["inputs"])


def test_files_are_looked_for_beside_the_result_as_well(result, capsys, monkeypatch, tmp_path_factory):
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    assert verified(capsys, result)[0] == SAME
    assert not list(Path().iterdir())


@pytest.mark.parametrize(
    ("change", "measure"),
    [
        (lambda d: d["runs"][0]["measures"]["RR"].update(mean=0.9), "RR"),
        (lambda d: d["runs"][0]["measures"]["RR"]["ties"].update(optimistic=0.9), "RR"),
        (lambda d: d["protocols"]["raw"]["measures"]["HR@10"].update(mean=0.9), "protocols.raw.measures.HR@10"),
        (lambda d: d["graph"].update(unseen=True), "graph.unseen"),
        (lambda d: d["protocol"].update(unseen="drop"), "protocol.unseen"),
        (lambda d: d["worst"].pop(), "worst[1].rank"),
        (lambda d: d.update({"better": 1.0}), "better"),
        (lambda d: d.update({"graph": 7, "graph.entities": 14}), "graph.entities"),
    ],
    ids=["mean", "ties", "raw", "true", "protocol", "worst", "more", "another shape"],
)
def test_what_was_changed_by_hand_is_named(result, capsys, change, measure):
    changed(result, change)
    code, found = verified(capsys)
    assert (code, found["same"]) == (DIFFERENT, False)
    assert measure in {one["measure"] for one in found["figures"] if not one["same"]}


def test_the_values_of_queries_are_compared(folder, capsys):
    assert run([*LINKS, "-q", "--out", "result.json"]) == 0
    queries = list(json.loads(Path("result.json").read_text())["runs"][0]["per_query"])
    changed(folder / "result.json", lambda d: d["runs"][0]["per_query"][queries[5]].update(RR=0.123))
    code, found = verified(capsys)
    assert code == DIFFERENT
    assert [one["queries"] for one in found["figures"] if not one["same"]] == [[queries[5]]]
    assert f"queries that differ: {queries[5]}" in found["sentences"][0]


def test_a_changed_file_is_named_with_what_it_changes(result, capsys):
    Path("test.tsv").write_text("".join(Path("test.tsv").read_text().splitlines(keepends=True)[:-1]))
    code, found = verified(capsys)
    assert code == DIFFERENT
    assert {one["role"]: one["state"] for one in found["inputs"]}["test"] == "changed"
    assert "test test.tsv is not the file of the result" in found["sentences"][0]
    assert "RR" in {one["measure"] for one in found["figures"] if not one["same"]}


def test_a_missing_file_is_part_of_the_answer(result, capsys):
    Path("entities.npy").unlink()
    code, found = verified(capsys)
    assert code == NOT_COMPUTED
    assert {one["role"]: one["state"] for one in found["inputs"]}["entities"] == "missing"
    assert found["problems"][0].startswith("links evaluate could not be computed: entities.npy")


def test_without_digests_nobody_knows_whether_the_files_are_the_same(result, capsys):
    changed(result, lambda d: d.pop("inputs"))
    code, found = verified(capsys)
    assert code == UNKNOWN
    assert {one["state"] for one in found["inputs"]} == {"unknown"}


def test_digests_of_other_files_than_those_of_the_command_prove_nothing(result, capsys):
    changed(result, lambda d: d["inputs"][0].update(path="valid.tsv", sha256=d["inputs"][1]["sha256"]))
    assert verified(capsys)[0] == UNKNOWN


def test_nothing_is_written_but_the_answer(result, capsys):
    changed(result, lambda d: d.update(command=[*LINKS, "--out-ranks", "r.parquet", "--out", "o.html", "-o", "html"]))
    before = {path: path.read_bytes() for path in Path().iterdir()}
    assert verified(capsys)[0] == SAME
    assert {path: path.read_bytes() for path in Path().iterdir()} == before


@pytest.mark.parametrize("verb", recorded.AGAIN)
def test_every_option_that_writes_is_known(verb):
    group, name = verb.split()
    app = import_module(f"assay.cli.{group}").app
    params = typer.main.get_command(app).commands[name].params
    writing = {one.name for one in params if one.metavar == "PATH" or str(one.help).startswith(("Write", "Save"))}
    assert {"out"} <= writing <= set(recorded.WRITTEN)


COMMANDS = {
    "help": ["links", "evaluate", "--help"],
    "no files": ["links", "evaluate"],
    "an unknown option": [*LINKS, "--execute", "x"],
    "another argument": [*LINKS, "x"],
    "standard input": [*LINKS[:3], "-", *LINKS[4:]],
    "a device": [*LINKS[:3], "/dev/zero", *LINKS[4:]],
    "a name that no file can have": [*LINKS[:3], "x\0" + "y" * 5000, *LINKS[4:]],
    "an unknown measure": [*LINKS, "-m", "__import__('os')"],
}


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_a_command_that_cannot_run_is_a_problem(result, capsys, command):
    changed(result, lambda d: d.update(command=command))
    code, found = verified(capsys)
    assert code == NOT_COMPUTED
    assert len(found["problems"]) == 1
    assert not found["figures"]


BROKEN = {
    "another verb": lambda d: d.update(command=["links", "compare", "--ranks", "x"]),
    "no list": lambda d: d.update(command="links evaluate"),
    "numbers": lambda d: d.update(command=["links", "evaluate", 1]),
    "inputs of another kind": lambda d: d.update(inputs=[1]),
    "an input without role": lambda d: d.update(inputs=[{"path": "x", "sha256": None}]),
    "no version": lambda d: d.pop("assay"),
    "an infinite mean": lambda d: d["runs"][0]["measures"]["RR"].update(mean=10**400),
}


@pytest.mark.parametrize("change", BROKEN.values(), ids=BROKEN)
def test_json_of_another_shape_is_one_clear_error(result, capsys, change):
    changed(result, change)
    code, said = verified(capsys)
    assert code == NOT_COMPUTED
    assert said.startswith("Error: result.json")
    assert "Traceback" not in said


def test_values_deep_in_each_other_are_one_clear_error(result, capsys):
    deep = json.dumps({"mean": 0})[:-2] + "[" * 900 + "]" * 900 + "}"
    result.write_text(result.read_text().replace('"graph": {', f'"deep": {deep}, "graph": {{', 1))
    code, said = verified(capsys)
    assert code in {DIFFERENT, NOT_COMPUTED}
    assert "Traceback" not in str(said)


def test_other_files_cannot_be_given(result, capsys):
    assert run(["verify", "result.json", "--gold", "x"]) == NOT_COMPUTED
    assert "the command of the result names its own" in capsys.readouterr().err


def test_the_library_says_who_can_compute_it(result):
    with pytest.raises(
        InputError, match="expected a result of assay evaluate, found one of assay links evaluate"
    ) as one:
        assay.verify(result)
    assert "the command assay verify" in one.value.hint


def test_the_settings_of_the_command_line_stay(result, capsys):
    here = Path.cwd()
    assert run(["verify", "result.json", "--debug"]) == SAME
    assert recorded.SETTINGS.argv[0] == "verify"
    assert (recorded.SETTINGS.quiet, recorded.SETTINGS.debug, Path.cwd()) == (False, True, here)
