"""How a gate is shown: terminal, JSON, JUnit, Markdown, annotations; and that no id of a query leaves its place."""

import json
import re
from dataclasses import replace
from xml.etree import ElementTree as ET

import jsonschema
import pytest
from tests.unit.gates import CHANCE, GOLD, GOOD, WORSE, settings

from assay.core.gate import BLOCKED, UNDECIDED
from assay.history.gate import gate, update_baseline
from assay.report import gate_documents, gate_junit, gate_terminal
from assay.report.gate import reasons
from assay.report.schema import SCHEMAS

HOSTILE = (
    "::error file=x::y", "a\nb", "a\r\n::set-output name=x::y", "50%", "%0A::warning::", "a,b:c", "##[add-mask]x",
    "<script>alert(1)</script>", "]]>", "a|b", "`x`", "[x](http://evil)", "**x**", "&lt;", "\x00\x1b[31m", "\u202e",
    "\ud7ff", "e" * 300,
)  # fmt: skip


@pytest.fixture
def held(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def call(now, text='measures = "RR"', *more, before=GOOD, gold=GOLD, **options):
        settings(tmp_path / "assay.toml", text, *more)
        update_baseline(gold, before, "assay.toml", code="one")
        return gate(gold, now, "assay.toml", code="one", **options)

    return call


@pytest.fixture
def hostile(held):
    gold = {f"{odd}{i}": {"a": 1} for i in range(2) for odd in HOSTILE}
    text = 'measures = "RR"\nper_query_guard = "block"'
    more = '[gate.slices."::x::\\n|<b>"]', f"queries = {json.dumps(list(gold)[:20])}"
    return held({query: ["x"] for query in gold}, text, *more, before={query: ["a"] for query in gold}, gold=gold)


def squeezed(text):
    return " ".join(text.split())


def test_the_verdict_comes_first_and_all_fits_80_columns(held):
    text = gate_terminal.render(held(WORSE, 'measures = "RR P@1"\nmax_drop = 0.01\nmin = {RR = 0.8}'))
    assert text.startswith("BLOCKED: run against the baseline run (suite gold)\n")
    said = squeezed(text)
    assert "RR is 0.7500, below 0.8000, the lowest allowed (no test is made)." in said
    assert "RR fell by 0.2500 (1.0000 → 0.7500), more than the 0.0100 allowed and more than chance: p <0.0001" in said
    assert "20 queries fell to 0 by P@1, which is reported, not blocked: q20, q21" in said
    assert re.search(r"RR +1\.0000 +0\.7500 +-0\.250 \[-0\.31\d, -0\.17\d\] +<0\.0001 +blocked", text)
    assert "WORST QUERIES by RR (10 of 20 that lost)" in text
    assert "p corrected by Holm over 2 tests at most 0.05" in said
    assert "make this run the baseline with --update-baseline" in said
    assert max(map(len, text.splitlines())) <= 80


def test_a_drop_that_passes_is_said(held):
    text = squeezed(gate_terminal.render(held(CHANCE, 'measures = "RR nDCG@10"\nmax_drop = {RR = 0.01}')))
    assert text.startswith("PASSED: ")
    assert "RR fell by 0.0375 (1.0000 → 0.9625), which may be chance: p 0.5000 (0.2500 before Holm); reported" in text
    text = squeezed(gate_terminal.render(held(CHANCE, 'measures = "RR"\nmax_drop = 0.1')))
    assert "RR fell by 0.0375 (1.0000 → 0.9625), within the 0.1000 allowed, p 0.2500." in text
    assert "WHAT NOW" not in text


def test_nothing_to_report_is_one_line(held):
    assert reasons(held(GOOD, 'measures = "RR P@1 nDCG@10"')) == ["RR, P@1 and nDCG@10 did not fall."]


def test_where_lower_is_better_it_rose(held):
    (said,) = reasons(held(WORSE, 'measures = "MR"\nmax = 1.2\nmax_drop = 0.1'))
    assert said.startswith("MR is 1.5000, above 1.2000, the highest allowed (no test is made). MR rose by 0.5000 (1.0")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('measures = "RR"\nmin_queries = 50', "RR cannot be judged: 40 queries can be paired, at least 50 are needed."),
        (
            'measures = "RR"\nmin_judged = 0.5',
            (
                "RR cannot be judged: 10.0 % of the items that it looks at is judged, "
                "at least 50 % has to be (min_judged)."
            ),
        ),
    ],
)
def test_what_cannot_be_decided_says_why(held, text, said):
    found = held(WORSE, text)
    assert reasons(found)[0] == said
    shown = gate_terminal.render(found)
    assert shown.startswith("CANNOT DECIDE: ")
    assert "exit code 3" in shown


def test_other_gold_is_named_with_what_to_do(held):
    held(GOOD)
    found = gate(GOLD | {"q39": {"b": 1}}, GOOD, "assay.toml", code="one")
    (said,) = reasons(found)
    assert re.fullmatch(
        r"The gold standard is another than when the baseline was made \([0-9a-f]{12} → [0-9a-f]{12}\): "
        r"--accept gold compares all the same, --update-baseline begins anew\.",
        said,
    )
    assert squeezed(said) in squeezed(gate_terminal.render(found))


def test_what_differs_and_refuses_nothing_stands_apart(held):
    held(GOOD)
    text = gate_terminal.render(gate(GOLD, WORSE, "assay.toml", code="two"))
    assert "UNLIKE THE BASELINE\n- The code is another than when the baseline was made (one → two).\n" in text
    assert "UNLIKE" not in gate_terminal.render(gate(GOLD, GOOD, "assay.toml", code="two"))


def test_colours_are_for_the_verdict(held):
    assert gate_terminal.render(held(WORSE), colour=True).startswith("\x1b[1;31mBLOCKED")


def test_a_night_is_counted(held):
    found = held(GOOD, 'measures = "RR"\nnightly = true\nstore = "h.db"\nbaseline = "b.json"')
    assert "this is look 1 of 30; p holds at every look" in squeezed(gate_terminal.render(found))


def test_the_json_follows_its_schema(held, hostile):
    for found in (hostile, held(WORSE), held(GOOD, 'measures = "RR"\nmin_judged = 0.1')):
        document = json.loads(gate_documents.to_json(found, ["history", "gate"]))
        jsonschema.validate(document, SCHEMAS["history gate"])
    assert (document["decision"], document["exit_code"], document["family"]) == ("passed", 0, 1)
    first = gate(GOLD, GOOD, "assay.toml", baseline="none.json")
    document = json.loads(gate_documents.to_json(first, []))
    jsonschema.validate(document, SCHEMAS["history gate"])
    assert (document["decision"], document["exit_code"], document["baseline"]) == ("cannot decide", 3, None)


def test_junit_has_a_suite_for_each_slice_and_a_case_for_each_measure(held):
    more = "[gate.slices.first]", f"queries = {list(GOLD)[:20]}"
    found = held(WORSE, 'measures = "RR P@1"\nmax_drop = 0.01', *more)
    root = ET.fromstring(gate_junit.render(found))
    assert [(suite.get("name"), suite.get("tests"), suite.get("failures")) for suite in root] == [
        ("all queries", "3", "2"),
        ("first", "2", "0"),
    ]
    failure = root.find("./testsuite/testcase[@name='RR']/failure")
    assert failure.text.startswith("measure RR, baseline 1.0000, now 0.7500, delta -0.2500, 90 % interval [")
    assert "p 0.0002 (<0.0001 before Holm), 40 queries\nquery q20: 1.0000 → 0.5000\n" in failure.text
    guard = root.find("./testsuite/testcase[@name='queries that fell to 0 by P@1']")
    assert guard.find("system-out").text.endswith("query q39: 1.0000 → 0\nReported, not blocked.")


def test_junit_calls_an_error_what_cannot_be_decided(held):
    found = held(WORSE, 'measures = "RR"\nmin_queries = 50')
    root = ET.fromstring(gate_junit.render(found))
    assert (root.get("errors"), root.get("failures")) == ("1", "0")
    root = ET.fromstring(gate_junit.render(gate(GOLD, GOOD, "assay.toml", baseline="none.json")))
    assert root.find("./testsuite/testcase[@name='baseline']/error").get("message").startswith("There was no baseline")


def test_the_ten_worst_queries_are_annotated_at_their_line(held, tmp_path):
    lines = [*gate_documents.annotations(held(WORSE, 'alpha = 0.05\nmeasures = "RR"'))]
    assert sum(line.startswith("::error file=assay.baseline.json") for line in lines) == 10
    assert sum(line.startswith("::error") for line in lines) == 10  # GitHub shows no more
    assert lines[0].startswith(
        "::notice file=assay.toml,line=1,title=BLOCKED%3A run against the baseline run (suite gold)::RR fell by 0.2500"
    )
    text = (tmp_path / "assay.baseline.json").read_text().splitlines()
    line = next(place for place, row in enumerate(text, 1) if '"q20"' in row)
    assert lines[1] == (
        f"::error file=assay.baseline.json,line={line},title=q20 lost 0.5000 by RR::1.0000 → 0.5000"
    )  # fmt: skip


def test_the_annotation_of_a_slice_is_at_its_table(held):
    more = "[gate.slices.half]", f"queries = {list(GOLD)[20:]}", "max_drop = 0"
    lines = [*gate_documents.annotations(held(WORSE, 'measures = "RR"\nmax_drop = 0.3', *more))]
    assert lines[0].startswith("::notice file=assay.toml,line=4,title=BLOCKED")


def test_a_gate_that_passes_is_a_notice_and_one_that_cannot_decide_an_error(held):
    (line,) = gate_documents.annotations(held(CHANCE, 'measures = "RR"\nmax_drop = 1'))
    assert line.startswith("::notice file=assay.toml,line=1,title=PASSED%3A ")
    (line,) = gate_documents.annotations(held(CHANCE, 'measures = "RR"\nmin_queries = 99'))
    assert line.startswith("::error file=assay.toml,line=1,title=CANNOT DECIDE%3A ")


def test_no_id_becomes_a_command_of_github(hostile):
    assert hostile.decision == BLOCKED
    lines = gate_documents.to_github(hostile).splitlines()
    token = lines[0].removeprefix("::stop-commands::")
    end = lines.index(f"::{token}::")
    annotated = lines[end + 1 :]
    assert len(annotated) == 11
    for line in annotated:
        assert re.fullmatch(r"::(?:error|notice) file=[^:,\r\n]*,line=\d+,title=[^:,\r\n]*::.*", line), line
        assert not re.search(r"%(?!25|0A|0D|3A|2C)", line)
    assert token not in "\n".join(lines[1:end])
    assert token not in gate_documents.to_github(hostile)


def test_no_line_of_the_terminal_begins_with_an_id(hostile):
    text = gate_terminal.render(hostile)
    assert not [line for line in text.splitlines() if line.lstrip().startswith("::error file")]
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f\u202e]", text)
    assert max(map(len, text.split("WORST")[1].splitlines())) <= 80


def test_no_id_gets_out_of_xml(hostile):
    text = gate_junit.render(hostile)
    root = ET.fromstring(text)
    assert [suite.get("name") for suite in root] == ["all queries", r"::x::\n|<b>"]
    failure = root.find("./testsuite/testcase[@name='queries that fell to 0 by RR']/failure")
    assert len(failure.text.splitlines()) == 36
    assert "<script>" in failure.text
    assert "<script>" not in text


def test_no_id_gets_out_of_its_cell(hostile):
    text = gate_documents.to_markdown(hostile)
    assert "<script>" not in text.replace(r"\<script\>", "")
    assert "](http" not in text.replace(r"\](http", "")
    tables = [line for line in text.splitlines() if line.startswith("|")]
    cells = {len(re.split(r"(?<!\\)\|", line)) for line in tables}
    assert cells == {6, 9}
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f\u202e]", text)


def test_the_summary_has_the_numbers(held):
    text = gate_documents.to_markdown(held(WORSE, 'measures = "RR"\nmax_drop = 0.01'))
    assert text.startswith("## Gate blocked\n\nrun against the baseline run (suite gold)\n\n- RR fell by 0.2500")
    assert re.search(r"\| all queries \| RR \| 1\.0000 \| 0\.7500 \| -0\.250 .* \\| \\<0\.0001 \| blocked \|", text)
    assert "| q20 | 1.0000 | 0.5000 | -0.5000 |" in text


def test_an_undefined_figure_is_a_dash(held):
    found = held(WORSE)
    empty = replace(found.checks[0], decision=UNDECIDED, reasons=("undefined",), baseline=None, now=None, change=None)
    assert "RR cannot be judged" in reasons(replace(found, checks=(empty,)))[0]
    assert " - " in gate_terminal.render(replace(found, checks=(empty,)))
