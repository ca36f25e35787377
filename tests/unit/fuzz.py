"""Read damaged files for as long as is asked: `make fuzz SECONDS=600 READERS="run gold"`, both left out if you like.

Each reader has a process of its own, as many at once as there are processors. A file whose answer is a new one (another
error, or rows) is kept and damaged further. A fault is anything but rows or one error of Assay: another exception, a
process that dies, or a file that takes more than `SLOW_S` of a processor. Its file is kept in build/fuzz.
"""

import hashlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
import time
import traceback
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.unit.readers import READERS, outcome

from assay.errors import AssayError

KEPT = Path("build/fuzz")
SLOW_S = 10.0
GRACE_S = 120.0
"""So long beyond its time a process may take, to begin and for the last file."""
LONGEST, MOST_KEPT, MOST_FAULTS = 4096, 200, 5
GROWN, ONE_IN = 300_000, 200
"""One file in so many is grown to so many bytes: what takes more than proportionally longer shows."""
NUMBER = re.compile(rb"-?\d+(?:\.\d+)?")
NUMBERS = (
    b"nan", b"inf", b"-inf", b"1e999", b"2e25", b"-2e25", b"1e-320", b"-1", b"0", b"-0.0", b"1.5", b"", b"x", b"null",
    *(str(n).encode() for n in (2**31, 2**32, 2**53 + 1, 2**63 - 1, 2**63, 2**64, -(2**63) - 1, 10**25)),
)  # fmt: skip
FLAT = re.compile(r"'[^']*'|\"[^\"]*\"|\S*/\S*|\d+")
"""What differs in messages that are the same: quoted words, paths, numbers."""
ODD = (
    b"", b"\0", b"\xff", b"\xef\xbb\xbf", b"\r", b"\r\n", b"\n", b"\n\n", b"\t", b",", b";", b" ", b'"', b"'", b"{",
    b"}", b"[", b"]", b"(", b")", b":", b".", b"<", b">", b"@", b"#", b"&", b"*", b"%", b"-", b"=", b"nan", b"NaN",
    b"inf", b"1e999", b"-1", b"-0", b"0", b"9" * 25, b"9" * 5000, b"null", b"true", b'"\\ud800"', b"\\",
    b"\xe2\x80\xa8", b"\x85", b"[" * 2000, b'{"a":' * 2000, b"\x1f\x8b\x08", b"PK\x03\x04", b"\x28\xb5\x2f\xfd",
    b"PAR1", b"\x93NUMPY", b"[1, [2]]", b'{"a": 1}', b"&a [*a]", b"<!DOCTYPE", b"\xc2\xb2", "٣".encode(),
)  # fmt: skip


def damaged(content: bytes, cuts: list[tuple[float, int, bytes]]) -> bytes:
    """Replace some bytes at each of several places."""
    for share, length, put in cuts:
        at = int(share * len(content))
        content = content[:at] + put + content[at + length :]
    return content


def changed(content: bytes, others: list[bytes], chance: random.Random) -> bytes:
    """Damage a file once, at one place."""
    at, length = chance.random(), min(int(chance.expovariate(0.15)), 200)
    start, other = int(at * len(content)), chance.choice(others)
    begin, repeated = chance.randrange(len(other) + 1), chance.choice((1, 1, 2, 50))
    cut = chance.choice(
        (
            *[(chance.choice((0, 0, 1, length)), chance.choice(ODD))] * 3,
            (1, bytes([byte ^ (1 << chance.randrange(8)) for byte in content[start : start + 1]])),
            (0, content[start : start + length] * repeated),
            (length, b""),
            (chance.choice((0, length)), other[begin : begin + length]),
            *[None] * 2,
        )
    )
    return _number_changed(content, chance) if cut is None else damaged(content, [(at, *cut)])


def _number_changed(content: bytes, chance: random.Random) -> bytes:
    """Put another number in the place of one, or the lines in another order."""
    if (places := list(NUMBER.finditer(content))) and chance.random() < 0.7:
        place = chance.choice(places)
        return content[: place.start()] + chance.choice(NUMBERS) + content[place.end() :]
    lines = content.split(b"\n")
    chance.shuffle(lines)
    return b"\n".join(lines)


def grown(content: bytes, chance: random.Random) -> bytes:
    """Repeat a part of a file until the file is large."""
    start = chance.randrange(len(content) + 1)
    part = content[start : start + chance.choice((1, 2, 3, 5, 10, 100))] or b"a"
    return content[:start] + part * (GROWN // len(part)) + content[start:]


def like(found: Any) -> str:
    """Return what an answer has in common with others like it."""
    if isinstance(found, AssayError):
        return FLAT.sub("", str(found))
    size = len(found) if hasattr(found, "__len__") else 0
    return f"{type(found).__name__} {min(size, 3)}"


class Search:
    """The files of one reader: those that are kept, and the faults that were found."""

    def __init__(self, name: str, seed: int) -> None:
        self.name, self.examples = name, 0
        self.faults: dict[str, Path] = {}
        self._chance = random.Random(f"{seed} {name}")
        self._kept: dict[str, bytes] = {"": READERS[name].example}

    def go_on(self, seconds: float) -> None:
        """Damage and read for so many seconds."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and len(self.faults) < MOST_FAULTS:
            known = list(self._kept.values())
            content = self._chance.choice(known)
            for _ in range(self._chance.choice((1, 1, 1, 2, 3, 5))):
                content = changed(content, known, self._chance)
            self._read(grown(content, self._chance) if self._chance.randrange(ONE_IN) == 0 else content[: LONGEST * 4])

    def _read(self, content: bytes) -> None:
        begun = time.process_time()
        self.examples += 1
        try:
            found = outcome(self.name, content)
        except BaseException as error:  # noqa: BLE001 - panics of Rust are no Exception
            last = traceback.extract_tb(error.__traceback__)[-1]
            self._fault(f"{type(error).__name__} in {Path(last.filename).name}:{last.lineno}", content)
            return
        if time.process_time() - begun > SLOW_S:
            self._fault(f"longer than {SLOW_S:.0f} s", content)
        if len(content) <= LONGEST and len(self._kept) < MOST_KEPT:
            self._kept.setdefault(like(found), content)

    def _fault(self, what: str, content: bytes) -> None:
        if what not in self.faults:
            self.faults[what] = keep(self.name, content)


def say(text: str) -> None:
    """Write a line at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def keep(name: str, content: bytes) -> Path:
    """Write a file that is a fault where it can be looked at."""
    KEPT.mkdir(parents=True, exist_ok=True)
    path = KEPT / f"{name.replace(' ', '-')}-{hashlib.sha256(content).hexdigest()[:8]}.{READERS[name].ending}"
    path.write_bytes(content)
    return path


def child(name: str, seconds: float, seed: int) -> None:
    """Search, and say what was found as one line of JSON."""
    search = Search(name, seed)
    search.go_on(seconds)
    say(json.dumps([search.examples, {what: str(path) for what, path in search.faults.items()}]))


def searched(name: str, seconds: float, seed: int) -> tuple[str, int | None, dict[str, str]]:
    """Search in a process of its own; where that dies, the file that it was reading is the fault."""
    folder = KEPT / f"reading-{name.replace(' ', '-')}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    command = [sys.executable, "-m", "tests.unit.fuzz", "--child", name, str(seconds), str(seed)]
    env = os.environ | {"TMPDIR": str(folder.absolute()), "POLARS_MAX_THREADS": "1"}
    try:
        done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=seconds + GRACE_S, check=False)
        last = done.stderr.strip().rpartition("\n")[2]
        said, what = done.stdout, f"the process ended with {done.returncode} {last}".rstrip()
    except subprocess.TimeoutExpired:
        said, what = "", f"longer than {GRACE_S:.0f} s"
    left = [path.read_bytes() for path in folder.glob("*/a.*")]
    shutil.rmtree(folder)
    if not said:
        return name, None, {what: str(keep(name, left[0])) if left else "no file was left"}
    return name, *json.loads(said.splitlines()[-1])


def all_searched(names: list[str], seconds: float, seed: int) -> Iterator[tuple[str, int | None, dict[str, str]]]:
    """Search with every reader, as many at once as there are processors."""
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        yield from pool.map(lambda name: searched(name, seconds, seed), names)


def main(seconds: float, *begun: str) -> int:
    """Search with all readers, or with those whose names begin so; return 1 after a fault, 2 without a reader."""
    names = [name for name in READERS if not begun or name.startswith(begun)]
    if not names:
        say(f"expected readers whose names begin with {' or '.join(begun)}, found none. Hint: {', '.join(READERS)}")
        return 2
    seed, faults = int(time.time()), 0
    say(f"{len(names)} readers, {seconds:g} s each, seed {seed}")
    for name, examples, found in all_searched(names, seconds, seed):
        faults += len(found)
        say(f"{name:24} {'?' if examples is None else f'{examples:,}':>10} files  {len(found)} faults")
        for what, path in found.items():
            say(f"    {what}: {path}")
    say(f"{faults} faults")
    return int(faults > 0)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        child(sys.argv[2], float(sys.argv[3]), int(sys.argv[4]))
    else:
        sys.exit(main(float(sys.argv[1]), *sys.argv[2:]))
