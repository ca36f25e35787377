"""Make node2vec vectors of Kinships, judge them by their neighbours and as a link predictor, and compare.

    python examples/node2vec_on_kinships.py [EPOCHS [FILE]]

needs nothing but Assay; the vectors of the persons are written to FILE as the text of word2vec.

In Kinships nearly every two persons are linked, so that a walk from person to person would say nothing. These walks
lead over questions instead: a triple (h, r, t) links its tail with the node (h, r, ?) and its head with (?, r, t).
Then persons who answer the same questions come to lie near each other, and a question near its answers.
"""

import sys
from pathlib import Path

import numpy as np

import assay
from assay.tasks.links.models import ComplEx
from assay.tasks.links.models.decoder import Decoder
from assay.tasks.links.models.scorer import Scorer
from assay.tasks.neighbours import evaluate_vectors
from assay.tasks.neighbours.kmeans import kmeans

FOLDER = Path(__file__).parent / "links-kinships"
WALKS, LENGTH, WINDOW, P, Q = 2, 20, 2, 2.0, 1.0
WIDTH, NEGATIVES, SHARED, BATCH, RATE = 32, 5, 64, 4096, 0.1
SECTIONS = 4  # the Alyawarra belong to four sections, which the data do not name


class Edges:
    """The links of a graph, each in both directions."""

    def __init__(self, pairs, nodes):
        self.nodes = nodes
        self.ends = np.unique(np.concatenate([pairs, pairs[:, ::-1]]), axis=0)
        self.codes = self.ends[:, 0] * nodes + self.ends[:, 1]
        self.degree = np.bincount(self.ends[:, 0], minlength=nodes)
        self.first = np.cumsum(self.degree) - self.degree

    def drawn(self, node, random):
        """Return a neighbour of each node, all with the same chance."""
        return self.ends[self.first[node] + random.integers(self.degree[node]), 1]

    def hold(self, one, other):
        """Tell which pairs are linked."""
        code = one * self.nodes + other
        return self.codes[np.minimum(np.searchsorted(self.codes, code), len(self.codes) - 1)] == code

    def step(self, before, here, random):
        """Return the next node of each walk: 1/P for the one before, 1 for its neighbours, 1/Q for others.

        What is drawn is kept with the chance weight/highest weight, else drawn again.
        """
        then, left = np.empty_like(here), np.arange(len(here))
        while len(left):
            drawn = self.drawn(here[left], random)
            near = np.where(self.hold(before[left], drawn), 1, 1 / Q)
            weight = np.where(drawn == before[left], 1 / P, near)
            kept = random.random(len(left)) * max(1, 1 / P, 1 / Q) < weight
            then[left[kept]], left = drawn[kept], left[~kept]
        return then

    def walks(self, random):
        """Return WALKS walks from each node, shape (walks, LENGTH)."""
        start = np.repeat(np.flatnonzero(self.degree), WALKS)
        path = [start, self.drawn(start, random)]
        while len(path) < LENGTH:
            path.append(self.step(path[-2], path[-1], random))
        return np.column_stack(path)


class Table:
    """Vectors that descend a gradient, each row at its own pace (Adagrad)."""

    def __init__(self, vectors):
        self.vectors = vectors.astype(np.float32)
        self.squares = np.full((len(vectors), 1), 1e-8, np.float32)

    def descend(self, rows, gradient):
        """Take one step; a row may stand several times in `rows`."""
        order = np.argsort(rows, kind="stable")
        start = np.flatnonzero(np.diff(rows[order], prepend=-1))
        row, total = rows[order][start], np.add.reduceat(gradient[order], start, axis=0)
        self.squares[row] += (total**2).mean(axis=1, keepdims=True)
        self.vectors[row] -= RATE * total / np.sqrt(self.squares[row])


def skip_gram(edges, epochs, random):
    """Return a vector for each node, shape (nodes, WIDTH), by skip-gram with negative sampling.

    The negatives, drawn by frequency^0.75, are shared by a batch. A node without a link keeps a vector of zeros.
    """
    inner = Table(random.uniform(-0.5, 0.5, (edges.nodes, WIDTH)) / WIDTH * (edges.degree > 0)[:, None])
    outer = Table(np.zeros((edges.nodes, WIDTH)))
    for _ in range(epochs):
        paths = edges.walks(random)
        near = [np.column_stack([paths[:, :-d].ravel(), paths[:, d:].ravel()]) for d in range(1, WINDOW + 1)]
        pairs = random.permutation(np.concatenate([*near, *(pair[:, ::-1] for pair in near)]))
        noise = np.cumsum(np.bincount(paths.ravel(), minlength=edges.nodes) ** 0.75)
        for centre, context in (pairs[start : start + BATCH].T for start in range(0, len(pairs), BATCH)):
            others = np.searchsorted(noise, random.random(SHARED) * noise[-1])
            one, right, wrong = inner.vectors[centre], outer.vectors[context], outer.vectors[others]
            pull = (sigmoid((one * right).sum(axis=1)) - 1)[:, None]
            push = sigmoid(one @ wrong.T) * (NEGATIVES / SHARED)
            inner.descend(centre, pull * right + push @ wrong)
            outer.descend(np.concatenate([context, others]), np.concatenate([pull * one, push.T @ one]))
    return inner.vectors


def sigmoid(x):
    """Return 1 / (1 + exp(-x))."""
    return 1 / (1 + np.exp(-x))


def questions_of(graph):
    """Return the links between questions and answers, shape (links, 2), and how many nodes there are.

    The persons are nodes, then (h, r, ?) by relation and person, then (?, r, t).
    """
    persons, relations = len(graph.entities), len(graph.relations)
    head, relation, tail = graph.splits["train"].T
    asked = persons + relation * persons
    answers = [np.column_stack([tail, asked + head]), np.column_stack([head, asked + relations * persons + tail])]
    return np.concatenate(answers), persons * (1 + 2 * relations)


def alike(graph):
    """Return the persons who answer the same question of the test, as gold: who is like whom."""
    names, answers = graph.entities.to_list(), {}
    for head, relation, tail in graph.splits["test"].tolist():
        answers.setdefault((head, relation, "?"), set()).add(names[tail])
        answers.setdefault(("?", relation, tail), set()).add(names[head])
    gold = {}
    for group in answers.values():
        for one in group:
            gold.setdefault(one, {}).update(dict.fromkeys(group - {one}, 1))
    return {one: others for one, others in gold.items() if others}


def write_word2vec(path, names, vectors):
    """Write the counts, then a name and its numbers a line."""
    rows = (f"{name} {' '.join(f'{number:.6g}' for number in row)}" for name, row in zip(names, vectors, strict=True))
    path.write_text("\n".join([f"{len(vectors)} {vectors.shape[1]}", *rows, ""]), encoding="utf-8")


def judge_neighbours(graph, path, other):
    """Say whether near persons are alike, and whether clusters are those of other vectors."""
    names, gold = graph.entities.to_list(), alike(graph)
    groups = dict(zip(names, kmeans(other, SECTIONS).astype(str), strict=True))
    chance = np.random.default_rng(0).normal(size=other.shape)
    found = {
        "node2vec": evaluate_vectors(path, similar=gold, labels=groups, k=10),
        "ComplEx": evaluate_vectors(other, names=names, similar=gold, k=10),
        "random vectors": evaluate_vectors(chance, names=names, similar=gold, k=10),
    }
    for name, one in found.items():
        figure = one.similar.figure("P@10")
        low, high = figure.interval.low, figure.interval.high
        print(f"{name}: P@10 of neighbours {figure.mean:.4f}, {low:.3f} to {high:.3f}")
    print(f"Clusters of node2vec against those of ComplEx: ARI {found['node2vec'].clustering.adjusted_rand:.4f}")


def judge_links(graph, vectors, complex_model):
    """Say how well the vectors predict links, beside ComplEx."""
    persons, relations = len(graph.entities), len(graph.relations)
    tails, heads = vectors[persons:].reshape(2, relations, persons, -1)
    asked = {"tail": tails, "head": heads}
    models = {
        "ComplEx": complex_model,
        "node2vec, person by person": Decoder(vectors[:persons], relations, form="dot"),
        "node2vec, question by person": Scorer(
            lambda entity, relation, side: asked[side][relation, entity] @ vectors[:persons].T, persons, relations
        ),
    }
    rankings = {name: assay.rank_links(graph, model) for name, model in models.items()}
    for name, model in models.items():
        found = assay.evaluate_links(graph, model, "MRR HR@10")
        print(f"{name}: MRR {found['RR']:.4f}, Hits@10 {found['HR@10']:.4f}")
    comparison = assay.compare_links(rankings, "MRR HR@10")
    for contrast in (*comparison.of("RR"), *comparison.of("HR@10")):
        low, high = contrast.interval.low, contrast.interval.high
        print(
            f"{contrast.measure} of {contrast.run} against {contrast.baseline}: {contrast.verdict}, "
            f"{low:+.3f} to {high:+.3f}"
        )


def main(epochs=5, path="node2vec.txt"):
    """Walk, train, judge and compare."""
    graph = assay.KnowledgeGraph.read(
        *(FOLDER / f"{split}.tsv" for split in ("train", "valid", "test")),
        entities=FOLDER / "entities.txt", relations=FOLDER / "relations.txt",
    )  # fmt: skip
    vectors = skip_gram(Edges(*questions_of(graph)), int(epochs), np.random.default_rng(1))
    persons = graph.entities.to_list()
    write_word2vec(Path(path), persons, vectors[: len(persons)])
    trained = ComplEx(np.load(FOLDER / "entities.npy"), np.load(FOLDER / "relations.npy"))
    judge_neighbours(graph, Path(path), np.load(FOLDER / "entities.npy").view(np.float32))
    judge_links(graph, vectors, trained)


if __name__ == "__main__":
    main(*sys.argv[1:])
