"""The benchmark of growth: the same files with more and more queries, and its drawing."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks import inputs
from benchmarks.files import ALL, ROUNDS, FileBenchmark
from benchmarks.inputs import Shape
from benchmarks.options import Options
from benchmarks.summary import Line

SHAPES = tuple(Shape(queries, 1_000, 2) for queries in (7, 70, 700, 6_980))
NAME = "growth"


@dataclass(frozen=True)
class GrowthBenchmark:
    """All tools on files that grow tenfold."""

    letter: str

    def run(self, options: Options) -> bool:
        """Compare values and times at each size."""
        one = FileBenchmark(self.letter, "sorted", SHAPES[0], "sorted.run", inputs.plain, ALL)
        shapes = SHAPES[:2] if options.small else SHAPES  # the smallest are small enough
        fixed = replace(options, small=False, rounds=options.times(ROUNDS))
        return all(replace(one, shape=shape).run(fixed) for shape in shapes)


def draw(lines: Sequence[Line], path: Path) -> None:
    """Draw time over size, both on scales of powers of ten, as SVG."""
    import altair as alt

    rows = [
        {
            "answers": 1000 * int(line.what.partition(" ")[0].replace(",", "")),
            "seconds": line.seconds,
            "tool": line.contender,
        }
        for line in lines
        if line.benchmark == NAME
    ]
    size = alt.Axis(format="~s", values=[10**n for n in range(3, 8)])
    time = alt.Axis(format="~g", values=[10**n for n in range(-2, 3)])
    base = alt.Chart(alt.InlineData(rows), width=520, height=280).encode(
        x=alt.X("answers:Q", title="answers in the file", scale=alt.Scale(type="log"), axis=size),
        y=alt.Y("seconds:Q", title="seconds, whole process", scale=alt.Scale(type="log"), axis=time),
        color=alt.Color("tool:N", title=None, scale=alt.Scale(range=["#1b5fad", "#b84a00", "#2b7a4b", "#7a4b9a"])),
    )
    drawn = base.mark_line(strokeWidth=2) + base.mark_point(filled=True, size=50)
    shown = drawn.configure(background="white", font="sans-serif")
    inputs.whole(path, lambda unfinished: shown.save(str(unfinished), format="svg"))


GROWTH = [GrowthBenchmark(NAME)]
