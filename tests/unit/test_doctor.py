"""`assay doctor`: what is installed is read from the package itself, and what is broken is found."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import jsonschema
import pytest

from assay.cli import doctor, requirements
from assay.cli.main import run
from assay.cli.requirements import Requirement, fits, needed
from assay.core.installation import Check, Extra, Installation, Package, Program
from assay.report.doctor import BRINGS, render, summary
from assay.report.schema import SCHEMAS

ROOT = Path(__file__).parents[2]
PLACE = {
    "python": "3.13.1",
    "platform": "Linux",
    "executable": "/bin/python",
    "path": "/a/assay",
    "source": "installed",
}


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Put the metadata of packages where Python finds them first."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def put(name, version, *lines, direct=None):
        folder = tmp_path / f"{name.replace('-', '_')}-{version}.dist-info"
        folder.mkdir()
        text = [f"Metadata-Version: 2.4\nName: {name}\nVersion: {version}", *lines]
        (folder / "METADATA").write_text("\n".join(text) + "\n")
        if direct:
            (folder / "direct_url.json").write_text(json.dumps(direct))

    return put


def made(*checks, extras=()):
    return Installation(PLACE, (), extras, (Program("java", "Runs.", None),), checks)


def test_each_extra_has_a_sentence():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert set(BRINGS) == set(project["optional-dependencies"])
    assert all(told.endswith(".") and len(told) < 90 for told in BRINGS.values())


def test_an_extra_is_complete_partly_or_missing(installed):
    installed("lib-one", "2.0")
    lines = ["lib-one>=1; extra == 'x'", "lib-two; extra == 'x'", "lib-one>=3; extra == 'old'", "lib-two; extra == 'y'"]
    extras = [Extra(name, "", needed(lines, name)) for name in ("x", "old", "y")]
    assert [one.state for one in extras] == ["partly", "partly", "missing"]
    assert [part.name for part in extras[0].lacking] == ["lib-two"]
    assert extras[1].lacking[0].state == "unfit"
    assert Extra("z", "", needed(["lib-one; extra == 'z'"], "z")).state == "complete"


def test_extras_of_other_packages_and_of_itself_are_followed(installed):
    installed("lib-one", "2.0", "Provides-Extra: fast", "Requires-Dist: lib-fast; extra == 'fast'", "Requires-Dist: no")
    lines = ["lib-one[fast]; extra == 'x'", "lib-three; extra == 'y'", "assay[x,y,all]; extra == 'all'", "always"]
    assert [one.name for one in needed(lines, "x")] == ["lib-one", "lib-fast"]
    assert [one.name for one in needed(lines, "all")] == ["lib-one", "lib-fast", "lib-three"]
    assert [one.name for one in needed(lines)] == ["always"]


@pytest.mark.parametrize(
    ("marker", "holds"),
    [
        ("python_version >= '3.9'", True),
        ("python_version < '3.9'", False),
        ("(python_full_version < '3.9' or sys_platform == 'nowhere') and extra == 'x'", False),
        ("'3.9' < python_version and extra == 'x'", True),
        ("sys_platform in 'nowhere'", False),
        ("sys_platform not in 'nowhere'", True),
        ("unknown_word == 'x'", True),
        ("is no marker", True),
    ],
)
def test_markers(marker, holds):
    assert Requirement.read(f"a ; {marker}").applies("x") is holds


@pytest.mark.parametrize(
    ("version", "wanted", "right"),
    [
        ("2.1", ">=2.1", True),
        ("2.1.0", "==2.1", True),
        ("2.0.9", ">=2.1", False),
        ("2.10", ">2.9,<3", True),
        ("3.3.7", "==3.3.*", True),
        ("3.4", "==3.3.*", False),
        ("3.4", "!=3.3.*", True),
        ("3.3", "!=3.3", False),
        ("1.4.5", "~=1.4.2", True),
        ("1.5", "~=1.4.2", False),
        ("1.5", "<=1.5", True),
        ("5", "@ https://example.org/a.whl", True),
    ],
)
def test_versions(version, wanted, right):
    assert fits(version, wanted) is right


def test_the_whole_is_found_in_metadata(installed, monkeypatch, tmp_path):
    lines = [
        "Provides-Extra: stats",
        "Provides-Extra: new",
        "Requires-Dist: numpy>=2",
        "Requires-Dist: nolib; extra == 'stats'",
    ]
    installed("assay", doctor.__version__, *lines, direct={"url": f"file://{ROOT}", "dir_info": {"editable": True}})
    found = doctor.examine()
    assert found.works
    assert [(one.name, one.state) for one in found.packages] == [("numpy", "here")]
    assert [(one.name, one.state, one.brings) for one in found.extras] == [
        ("stats", "missing", BRINGS["stats"]),
        ("new", "complete", ""),
    ]
    assert found.extras[0].install == "pip install 'assay[stats]'"
    assert {one.name: one.state for one in found.checks}["package"] == "fine"
    jsonschema.validate(found.to_dict(command=["doctor"]), SCHEMAS["doctor"])


@pytest.mark.parametrize(
    ("version", "lines", "direct", "told"),
    [
        ("9.9", ["Provides-Extra: x"], {"url": f"file://{ROOT}", "dir_info": {"editable": True}}, "is 9.9"),
        (None, [], {"url": f"file://{ROOT}", "dir_info": {"editable": True}}, "names no extras"),
        (None, ["Provides-Extra: x"], {"url": "file:///elsewhere", "dir_info": {}}, "another copy"),
        (None, ["Provides-Extra: x"], None, "another copy"),
    ],
)
def test_what_runs_is_held_against_what_was_installed(installed, version, lines, direct, told):
    installed("assay", version or doctor.__version__, *lines, direct=direct)
    state, found = doctor._package(doctor.distribution())
    assert (state, told in found) == ("note", True)


def test_a_source_that_was_never_installed_says_so(monkeypatch):
    monkeypatch.setattr(doctor, "distribution", lambda: None)
    found = doctor.examine()
    assert found.works
    assert (found.extras, found.place["source"]) == ((), "not installed: run from its source")


def test_a_wrong_number_and_an_old_library_are_broken(monkeypatch, capsys):
    monkeypatch.setattr(doctor, "KNOWN", {"RR": 0.25})
    monkeypatch.setattr(requirements, "version_of", lambda _: "0.1")
    assert run(["doctor"]) == 1
    said = capsys.readouterr().out
    assert "broken  evaluation: RR is 0.5, expected 0.25" in said
    assert "broken  libraries: " in said
    assert said.rstrip().endswith("Broken: libraries, evaluation.")


def test_what_cannot_even_be_tried_is_broken(monkeypatch, capsys):
    monkeypatch.setattr("tempfile.gettempdir", lambda: "/nowhere/at/all")
    monkeypatch.setattr("tempfile.tempdir", "/nowhere/at/all")
    assert run(["doctor", "-o", "json"]) == 1
    told = json.loads(capsys.readouterr().out)
    jsonschema.validate(told, SCHEMAS["doctor"])
    files = next(one for one in told["checks"] if one["name"] == "files")
    assert (files["state"], told["works"], told["command"]) == ("broken", False, ["doctor", "-o", "json"])
    assert "FileNotFoundError" in files["found"]


@pytest.mark.parametrize(
    ("columns", "encoding", "state"), [(100, "UTF-8", "fine"), (60, "utf8", "note"), (100, "ascii", "note")]
)
def test_the_terminal(monkeypatch, columns, encoding, state):
    class Screen:
        pass

    screen = Screen()
    screen.encoding = encoding
    monkeypatch.setattr("sys.stdout", screen)
    monkeypatch.setenv("COLUMNS", str(columns))
    assert doctor._terminal()[0] == state


def test_the_table_fits_and_says_how_to_mend():
    packages = (Package("a-library", ">=2", "1.0", fits=False), Package("b-library", "", None), Package("c", "", "3"))
    extras = (Extra("graph", BRINGS["graph"], packages), Extra("stats", BRINGS["stats"], packages[2:]))
    found = made(Check("files", "fine", "written"), extras=extras)
    text = render(found)
    assert max(map(len, text.splitlines())) <= 80
    assert "lacks a-library 1.0 (does not fit), b-library missing" in text
    assert "pip install 'assay[graph]'" in text
    assert "pip install 'assay[stats]'" not in text
    assert summary(found) == "Assay works. Extras that are not complete: graph."
    assert "java: not found. Runs." in text


@pytest.mark.parametrize("form", ["table", "json"])
@pytest.mark.parametrize("library", ["polars", "numpy"])
def test_a_library_that_cannot_be_loaded_is_found_by_a_doctor_who_needs_none(library, form):
    lines = (f"import sys; sys.modules[{library!r}] = None", "from assay.cli.main import run")
    program = "\n".join([*lines, f"sys.exit(run(['doctor', '-o', {form!r}]))"])
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "")
    assert f"import of {library} halted" in " ".join(done.stdout.split())
