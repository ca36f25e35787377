"""The files of BEIR: judgments as TSV with the names `query-id corpus-id score`, results as JSON."""

from typing import BinaryIO, ClassVar

from assay.core.run import Run
from assay.formats.base import Blocks, Kind
from assay.formats.mapping import Json, MappingFile
from assay.formats.source import Source
from assay.formats.table import Tsv
from assay.formats.words import csv_text, written

NAMES = ("query-id", "corpus-id", "score")


class Beir(Tsv):
    """Judgments and results of BEIR."""

    name = "beir"
    description = "BEIR judgments (TSV: query-id corpus-id score) and results (JSON: {query: {item: score}})"
    suffixes: ClassVar[tuple[str, ...]] = ()
    examples: ClassVar[dict[Kind, bytes]] = {
        "gold": b"query-id\tcorpus-id\tscore\nq1\ta\t1\nq1\tb\t0\nq2\tc\t2\n",
        "run": b'{"q1": {"a": 2.5, "b": 1}, "q2": {"c": 0.1}}\n',
    }

    def sniff(self, source: Source, kind: Kind | None) -> bool:
        """Exactly BEIR's three names, for judgments; its results are JSON like any other."""
        names = source.head.partition(b"\n")[0].strip().lower().split(b"\t")
        return kind != "run" and names == [name.encode() for name in NAMES]

    def guess(self, source: Source) -> Kind | None:
        """JSON is a run, all else is gold."""
        return "run" if source.head.lstrip()[:1] == b"{" else "gold"

    def read_run(self, source: Source, name: str) -> Run:
        """Read results."""
        return Run(name, MappingFile(source), self.origin(source))

    def write_gold(self, blocks: Blocks, out: BinaryIO) -> None:
        """Write judgments under BEIR's names."""
        out.write("\t".join(NAMES).encode() + b"\n")
        out.writelines(csv_text(block.select("query", "item", written("grade")), "\t", quoted=True) for block in blocks)

    def write_run(self, blocks: Blocks, out: BinaryIO, name: str) -> None:
        """Write results."""
        Json().write_run(blocks, out, name)
