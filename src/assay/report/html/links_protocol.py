"""The protocol card, and every other way of ranking under its own name and with its meaning."""

from collections.abc import Iterator, Sequence

from assay.core.links import LinkResult, LinksEvaluation
from assay.report.amounts import counted, percent
from assay.report.html.links_figures import RULES, named, ties_table, values_table
from assay.report.html.views import Block, Cell, Column, Facts, Section, Table, Text
from assay.report.html.wording import joined, real
from assay.report.links import about_lists, is_list
from assay.report.names import visible

UNSEEN = {"keep": "kept", "drop": "left out"}
NAN = {"error": "refused: there was none", "worst": "count as the worst"}
OUTSIDE = {"miss": "no rank, the worst value", "add": "ranked with them"}


def card(found: LinksEvaluation, convention: str = "") -> Section:
    """Return every convention that the figures depend on; `convention` says how the model scores a triple."""
    filtered, protocol = found.filtered, found.protocol
    pairs = [
        ("Model", visible(found.model)),
        *([("Score", visible(convention))] if convention else []),
        ("Graph", _graph(found)),
        ("Asked", _asked(found)),
        ("Rank", "of the true entity, counted from 1, among its candidates"),
        ("Candidates", _candidates(filtered)),
        ("Filter", _filter(found)),
        ("Tie rule", f"{protocol['ties']}: {RULES[protocol['ties']]}"),
        ("Ties", f"{filtered.tied:,} of {counted(filtered.ranks, 'true entity')} ({percent(filtered.tied_share)})"),
        ("Unseen in train", _unseen(found)),
        ("Scores that are no numbers", NAN[protocol["nan"]]),
        ("Intervals", _intervals(filtered)),
    ]
    if filtered.evaluation is not None and filtered.evaluation.profile:
        pairs.append(("Profile", visible(filtered.evaluation.profile)))
    if any(result.protocol == "typed" for result in found.results):
        pairs.insert(-1, ("Outside its candidates", f"{OUTSIDE[protocol['outside']]} (typed ranks)"))
    shown = Facts("Protocol card: report these lines with the figures", tuple(pairs), card=True)
    return Section("protocol", "Protocol", (shown,))


def _graph(found: LinksEvaluation) -> str:
    graph = found.graph
    splits = ", ".join(f"{split} {many:,}" for split, many in graph["triples"].items())
    sizes = f"{counted(graph['entities'], 'entity', 'entities')}, {counted(graph['relations'], 'relation')}"
    return f"{visible(str(graph['name']))}: {sizes}; triples: {splits}"


def _asked(found: LinksEvaluation) -> str:
    sides = " and ".join(f"for its {side}" for side in found.protocol["sides"])
    filtered = found.filtered
    return (
        f"{counted(found.graph['asked'], 'triple')} of {found.protocol['split']}, each {sides}: "
        f"{counted(filtered.ranks, 'rank')}, {counted(filtered.queries, 'different question')}"
    )


def _candidates(result: LinkResult) -> str:
    low, middle, high = result.candidates
    return f"all entities but those that the filter takes out: {low:,} to {high:,}, median {middle:,}"


def _filter(found: LinksEvaluation) -> str:
    known = list(found.protocol["known"])
    if not known:
        return "none: other right answers stay among the candidates"
    missing = [split for split in known if split not in found.graph["triples"]]
    without = f" ({joined(missing)}: no such triples)" if missing else ""
    return f"other right answers known from {joined(known)} are no candidates{without}"


def _unseen(found: LinksEvaluation) -> str:
    if found.protocol["unseen"] == "drop":
        return f"left out: {counted(found.dropped, 'triple')} with an entity or relation that train does not hold"
    return f"kept: {counted(found.graph['unseen'], 'triple')} with an entity or relation that train does not hold"


def _intervals(result: LinkResult) -> str:
    sure = next((one.interval for one in result.figures if one.interval), None)
    if sure is None:
        return "not asked for (--interval 0.95)"
    how = f"{sure.method}, {counted(sure.resamples, 'resample')}" if sure.resamples else sure.method
    units = f"{counted(sure.units, 'different question')} as units"
    return f"{percent(sure.level, None)}; {units}, since triples with one question rise and fall together ({how})"


def others(found: LinksEvaluation) -> Section:
    """Return the other ways of ranking: those triple by triple side by side, then each list."""
    alike = [result for result in found.results if not is_list(result) and _names(result) == _names(found.filtered)]
    blocks: list[Block] = list(_per_triple(alike)) if len(alike) > 1 else []
    for result in found.results:
        if result not in alike:
            blocks += _list(result)
    blocks += [
        Text(line[:1].upper() + line[1:], "legend") for line in about_lists([one.protocol for one in found.results])
    ]
    return Section("protocols", "Other protocols", tuple(blocks))


def _names(result: LinkResult) -> list[str]:
    return [figure.name for figure in result.figures]


def _per_triple(results: Sequence[LinkResult]) -> Iterator[Block]:
    yield Text("Triple by triple, among other candidates", "heading")
    yield Text("Other questions, other numbers: compare figures only with those of the same name.")
    figures = results[0].figures
    columns = (
        Column("protocol", words=True), *(Column(named(one)) for one in figures),
        Column("candidates", "lowest to highest"), Column("median"), Column("ties"),
        Column("misses", "true entities that are not among their candidates"),
    )  # fmt: skip
    yield Table("Protocols side by side", columns, tuple(map(_row, results)))
    yield Facts("What they mean", tuple((result.protocol, visible(result.meaning)) for result in results))


def _row(result: LinkResult) -> tuple[Cell, ...]:
    low, middle, high = result.candidates
    counts = (f"{low:,} to {high:,}", f"{middle:,}", percent(result.tied_share), f"{result.outside:,}")
    return (Cell(result.protocol), *(Cell(real(one.mean)) for one in result.figures), *map(Cell, counts))


def _list(result: LinkResult) -> Iterator[Block]:
    """Yield a way of ranking with measures of its own: of lists with many right answers, of shared negatives."""
    low, middle, high = result.candidates
    length = f"{low:,} to {high:,}, median {middle:,}" if low < high else f"{low:,}"
    yield Text(visible(result.protocol), "heading")
    yield Text(f"{visible(result.meaning)[:1].upper()}{visible(result.meaning)[1:]}. Length of a list: {length}.")
    yield values_table(result, f"The measures, {visible(result.protocol)}")
    yield from ties_table(result)
