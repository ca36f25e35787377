"""A comparison as JUnit XML, which build servers read: a suite for each measure, a case for each run."""

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from assay.core.comparison import UNRESOLVED, WORSE, Comparison, Contrast
from assay.core.estimates import Significance
from assay.core.slices import SliceContrast
from assay.report.amounts import percent
from assay.report.comparison import bracket, probability, signed, verdict
from assay.report.grid import number
from assay.report.names import visible


def render(comparison: Comparison) -> str:
    """Return JUnit XML. Only "worse" is a failure; what cannot be resolved is said, and fails nothing."""
    root = ET.Element("testsuites", name="assay compare")
    for measure in comparison.measures:
        _suite(root, measure, [one for one in comparison.contrasts if one.measure == measure])
    for slicing in comparison.slices:
        for group in slicing.groups:
            for measure in comparison.measures:
                found = [one for one in slicing.contrasts if (one.group, one.measure) == (group, measure)]
                _suite(root, f"{measure} where {slicing.column} is {group}", found)
    _total(root)
    ET.indent(root)
    text: str = ET.tostring(root, encoding="unicode", xml_declaration=False)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _suite(root: ET.Element, name: str, contrasts: Sequence[Contrast | SliceContrast]) -> None:
    """Add the suite of one measure, over all queries or one group of them."""
    suite = ET.SubElement(root, "testsuite", name=visible(name))
    for one in contrasts:
        case = ET.SubElement(
            suite, "testcase", classname=visible(name), name=f"{visible(one.run)} vs {visible(one.baseline)}", time="0"
        )
        if one.significance.p is None and one.verdict == UNRESOLVED:
            ET.SubElement(case, "skipped", message=one.significance.why)
        elif one.verdict == WORSE:
            failure = ET.SubElement(case, "failure", type="worse", message=_message(one))
            failure.text = _numbers(one)
        else:
            ET.SubElement(case, "system-out").text = _said(one)
    cases = suite.findall("testcase")
    suite.set("tests", str(len(cases)))
    suite.set("failures", str(sum(case.find("failure") is not None for case in cases)))
    suite.set("skipped", str(sum(case.find("skipped") is not None for case in cases)))


def _total(root: ET.Element) -> None:
    for name in ("tests", "failures", "skipped"):
        root.set(name, str(sum(int(suite.get(name, "0")) for suite in root)))


def _message(one: Contrast | SliceContrast) -> str:
    return f"{visible(one.run)} is worse than {visible(one.baseline)} by {one.measure}: {signed(one.difference)}"


def _said(one: Contrast | SliceContrast) -> str:
    """Say in words what is no failure."""
    if isinstance(one, Contrast):
        return verdict(one)
    return f"{one.verdict}: {_numbers(one)}" if one.verdict == UNRESOLVED else _numbers(one)


def _numbers(one: Contrast | SliceContrast) -> str:
    """Return the numbers of a contrast: measure, baseline, now, delta, interval, p."""
    before = f", baseline {number(one.baseline_mean)}, now {number(one.mean)}" if isinstance(one, Contrast) else ""
    return (
        f"measure {one.measure}{before}, delta {signed(one.difference)}, {percent(one.interval.level, None)} interval "
        f"{bracket(one.interval)}, p {_p(one.significance)}"
    )


def _p(test: Significance) -> str:
    corrected = "" if test.adjusted is None else f" (corrected; {probability(test.p)} alone)"
    return f"{probability(test.final)}{corrected}"
