"""A gate as JUnit XML, which build servers read: a suite for each slice, a case for each measure and each guard."""

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from assay.core.gate import BLOCKED, UNDECIDED, Check, Fallen, Gate, Unlike
from assay.report.comparison import bracket, signed
from assay.report.gate import ended, event_of, p_of, place_of, sentence, units_of, unlike
from assay.report.grid import number
from assay.report.names import visible


def render(gate: Gate) -> str:
    """Return JUnit XML: what is blocked is a failure, what cannot be decided an error; the rest says its numbers."""
    root = ET.Element("testsuites", name="assay history gate")
    refused = [one for one in gate.unlike if one.refused]
    if refused:
        _refusals(root, refused)
    for scope in dict.fromkeys(one.slice for one in gate.checks):
        checks = [one for one in gate.checks if one.slice == scope]
        _suite(root, checks, [one for one in gate.fallen if one.slice == scope])
    _count(root)
    ET.indent(root)
    text: str = ET.tostring(root, encoding="unicode", xml_declaration=False)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def numbers(check: Check) -> str:
    """Return the numbers of a check: measure, baseline, now, delta, interval, p."""
    return (
        f"measure {check.measure}, baseline {number(check.baseline)}, now {number(check.now)}, "
        f"delta {signed(check.change)}, {100 * check.interval.level:g} % interval {bracket(check.interval)}, "
        f"{p_of(check)}, {check.queries:,} {units_of(check)}"
    )


def _refusals(root: ET.Element, refused: Sequence[Unlike]) -> None:
    suite = ET.SubElement(root, "testsuite", name="baseline")
    for one in refused:
        name = one.what if one.what != "measure" else f"measure {one.now}"
        case = _case(suite, name)
        ET.SubElement(case, "error", type=UNDECIDED, message=unlike(one)).text = unlike(one)


def _suite(root: ET.Element, checks: Sequence[Check], found: Sequence[Fallen]) -> None:
    """Add the suite of one slice."""
    suite = ET.SubElement(root, "testsuite", name=place_of(checks[0]))
    for check in checks:
        case = _case(suite, check.measure)
        kind = {BLOCKED: "failure", UNDECIDED: "error"}.get(check.decision)
        if kind is None:
            ET.SubElement(case, "system-out").text = numbers(check)
            continue
        element = ET.SubElement(case, kind, type=" ".join(check.reasons), message=sentence(check))
        element.text = "\n".join([numbers(check), *_worst(check)])
    for event in dict.fromkeys(event_of(one) for one in found):
        _guard(suite, event, [one for one in found if event_of(one) == event])


def _guard(suite: ET.Element, event: str, found: Sequence[Fallen]) -> None:
    """Add the case of the queries that lost all by one measure."""
    many = len(found)
    event = event if many == 1 else event.replace("lost its", "lost their")
    case = _case(suite, f"queries that {event}")
    said = "\n".join(f"query {visible(one.query)}: {number(one.before)} → {ended(one)}" for one in found)
    if any(one.blocks for one in found):
        message = f"{many:,} {'query' if many == 1 else 'queries'} {event}"
        ET.SubElement(case, "failure", type="guard", message=message).text = said
    else:
        ET.SubElement(case, "system-out").text = f"{said}\nReported, not blocked."


def _worst(check: Check) -> list[str]:
    return [f"query {visible(one.query)}: {number(one.before)} → {number(one.now)}" for one in check.worst]


def _case(suite: ET.Element, name: str) -> ET.Element:
    return ET.SubElement(suite, "testcase", classname=suite.get("name", ""), name=visible(name), time="0")


def _count(root: ET.Element) -> None:
    """Write how many cases there are, how many failed and how many could not be decided."""
    for suite in root:
        cases = suite.findall("testcase")
        suite.set("tests", str(len(cases)))
        for name, kind in (("failures", "failure"), ("errors", "error")):
            suite.set(name, str(sum(case.find(kind) is not None for case in cases)))
    for name in ("tests", "failures", "errors"):
        root.set(name, str(sum(int(suite.get(name, "0")) for suite in root)))
