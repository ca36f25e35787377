"""What stands after the dot of a measure: cutoffs, numbers, or pairs of name and number."""

from assay.cli.trec_eval.arguments import INPUT_CODE, ExitError, number, whole

Pairs = tuple[tuple[str, float], ...]


def whole_cutoffs(name: str, text: str) -> tuple[int, ...]:
    """Read places, sorted: `10,20,23.4` is 10, 20, 23."""
    cutoffs = tuple(sorted(whole(one) for one in text.split(",")))
    if cutoffs[0] <= 0:
        raise ExitError(INPUT_CODE, f"-m {name}.{text}: expected places from 1 on, found {cutoffs[0]}")
    _refuse_repeated(name, text, cutoffs)
    return cutoffs


def cutoffs(name: str, text: str) -> tuple[float, ...]:
    """Read levels, sorted."""
    levels = tuple(sorted(number(one) for one in text.split(",")))
    _refuse_repeated(name, text, levels)
    return levels


def numbers(name: str, text: str) -> tuple[float, ...]:
    """Read numbers in their order."""
    del name
    return tuple(number(one) for one in text.split(","))


def pairs(name: str, text: str) -> Pairs:
    """Read `1=3.5,2=9` or `p=0.5`."""
    parts = [part.split("=") for part in text.split(",")]
    if any(len(part) != 2 for part in parts):
        raise ExitError(INPUT_CODE, f"-m {name}.{text}: expected pairs such as 1=3.5,2=9")
    return tuple((key, number(value)) for key, value in parts)


def _refuse_repeated(name: str, text: str, values: tuple[float, ...]) -> None:
    if len(set(values)) < len(values):
        raise ExitError(INPUT_CODE, f"-m {name}.{text}: expected each cutoff once")
