"""Make the vectors of this folder: forty items of four types, drawn around one centre for each type."""

from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
ITEMS = {
    "city": "Athens Berlin Cairo Dublin Lisbon Madrid Oslo Paris Rome Vienna",
    "river": "Danube Elbe Ganges Loire Nile Rhine Seine Tagus Thames Volga",
    "composer": "Bach Bartok Brahms Chopin Clementi Haydn Liszt Mozart Ravel Verdi",
    "metal": "Copper Gold Iron Lead Nickel Platinum Silver Tin Titanium Zinc",
}
SIZE = 12

random = np.random.default_rng(12)
names = [name for group in ITEMS.values() for name in group.split()]
types = np.repeat(list(ITEMS), 10)
centres = random.normal(size=(4, SIZE))
centres[1] = 0.5 * centres[0] + 0.5 * centres[1]  # rivers lie near cities
may = np.repeat(centres, 10, axis=0) + 0.7 * random.normal(size=(40, SIZE))


def trained_again(noise):
    """Return the same items in a space that is turned by chance, each a little elsewhere."""
    turn = np.linalg.qr(random.normal(size=(SIZE, SIZE)))[0]
    return may @ turn + noise * random.normal(size=may.shape)


twin, june = trained_again(0.1), trained_again(0.35)
june[names.index("Nile")] = june[names.index("Cairo")] + 0.1 * random.normal(size=SIZE)
june[names.index("Gold")] *= -1

unit = may / np.linalg.norm(may, axis=1, keepdims=True)
rounded = np.round(unit * 2)  # a crude index: coordinates in few steps
found = np.argsort(-(unit @ rounded.T), axis=1, kind="stable")[:, :6]

for name, table in {"may": may, "june": june, "twin": twin}.items():
    np.save(HERE / f"{name}.npy", table.astype(np.float32))
np.save(HERE / "index.npy", found.astype(np.int32))
(HERE / "names.txt").write_text("".join(f"{name}\n" for name in names), encoding="utf-8")
(HERE / "types.tsv").write_text(
    "name\ttype\n" + "".join(f"{name}\t{kind}\n" for name, kind in zip(names, types, strict=True)), encoding="utf-8"
)
