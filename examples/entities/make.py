"""Make the files of this folder: forty people in three address books, what a matcher proposes, and what is true.

Two people share each address. Names, streets and errors are drawn by chance; no one lives there.
"""

import csv
from collections import defaultdict
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
FIRST = "Ada Alan Anna Boris Carl Clara Dora Emil Emma Frida Georg Greta Hans Ida Jonas Karin Lars Lena Marie Oskar"
LAST = "Ahlers Bauer Brandt Conrad Dietz Ebert Falk Gruber Hansen Iversen Jensen Keller Larsen Maurer Novak Olsen"
STREETS = "Abbey Bridge Canal Dock Elm Forge Garden Harbour Island Juniper"
TOWNS = "Aldham Borden Corby Denton"
SOURCES = ("crm", "shop", "post")
PEOPLE, K = 40, 5
SEED = 7


def misspelled(text: str, random: np.random.Generator, errors: int) -> str:
    """Return a text with letters swapped, dropped or doubled."""
    for _ in range(errors):
        place = int(random.integers(1, len(text) - 1))
        swapped = text[: place - 1] + text[place] + text[place - 1] + text[place + 1 :]
        text = [swapped, text[:place] + text[place + 1 :], text[:place] + text[place] + text[place:]][
            random.integers(3)
        ]
    return text


def people(random: np.random.Generator) -> list[dict[str, str]]:
    """Return the records: one to three of each person, in different books, some of them misspelled."""
    rows, counts = [], defaultdict(int)
    street = last = ""
    for number in range(PEOPLE):
        if number % 2 == 0:
            last = str(random.choice(LAST.split()))
            street = f"{random.integers(1, 90)} {random.choice(STREETS.split())} Street, {random.choice(TOWNS.split())}"
        first = str(random.choice(FIRST.split()))
        for source in random.permutation(SOURCES)[: random.integers(1, 4)]:
            counts[source] += 1
            name = f"{first[0]}. {last}" if random.random() < 0.25 else f"{first} {last}"
            text = misspelled(f"{name}, {street}", random, int(random.integers(0, 5)))
            record = f"{source}{counts[source]:02d}"
            rows.append({"record": record, "text": text, "entity": f"person{number:02d}", "source": str(source)})
    return sorted(rows, key=lambda row: row["record"])


def likeness(texts: list[str]) -> np.ndarray:
    """Return the cosine of the records' character 3-grams, weighted by how rare they are."""
    grams = [[f"  {text.lower()} "[place : place + 3] for place in range(len(text))] for text in texts]
    names = {gram: column for column, gram in enumerate(sorted({gram for one in grams for gram in one}))}
    counts = np.zeros((len(texts), len(names)))
    for row, one in enumerate(grams):
        for gram in one:
            counts[row, names[gram]] += 1
    weighted = counts * np.log(len(texts) / (counts > 0).sum(axis=0))
    unit = weighted / np.linalg.norm(weighted, axis=1, keepdims=True)
    return np.round(unit @ unit.T, 3)


def linked(records: list[str], alike: np.ndarray, threshold: float) -> list[dict[str, str]]:
    """Return clusters: records that a chain of likenesses of at least the threshold connects."""
    entity = list(range(len(records)))
    for left, right in zip(*np.nonzero(alike >= threshold), strict=True):
        old, new = entity[max(left, right)], entity[min(left, right)]
        entity = [new if one == old else one for one in entity]
    return [{"record": record, "entity": f"c{one:02d}"} for record, one in zip(records, entity, strict=True)]


def checked(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    """Return every third person with all their records, as if someone had looked them up."""
    chosen = sorted({row["entity"] for row in rows})[::3]
    return [{"record": row["record"], "entity": row["entity"]} for row in rows if row["entity"] in chosen]


def write(name: str, rows: list[dict[str, object]]) -> None:
    """Write a table."""
    with (HERE / name).open("w", encoding="utf-8", newline="") as file:
        out = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        out.writeheader()
        out.writerows(rows)


def main() -> None:
    """Write all files."""
    rows = people(np.random.default_rng(SEED))
    records, alike = [row["record"] for row in rows], likeness([row["text"] for row in rows])
    np.fill_diagonal(alike, 0)
    lists = [
        {"record": record, "candidate": records[other], "score": alike[place, other]}
        for place, record in enumerate(records)
        for other in np.lexsort((np.arange(len(records)), -alike[place]))[:K]
    ]
    pairs = [
        {"left": records[left], "right": records[right], "score": alike[left, right]}
        for left, right in zip(*np.nonzero(np.triu(alike) >= 0.15), strict=True)
    ]
    write("records.csv", rows)
    write("truth.csv", [{name: row[name] for name in ("record", "entity", "source")} for row in rows])
    write("checked.csv", checked(rows))
    write("candidates.csv", lists)
    write("pairs.csv", pairs)
    write("clusters-may.csv", linked(records, alike, 0.5))
    write("clusters-june.csv", linked(records, alike, 0.38))


if __name__ == "__main__":
    main()
