"""Train four small link predictors with PyKEEN on Nations, judge them, and say which is better.

    python examples/train_with_pykeen.py [EPOCHS]

needs the extra `pykeen`. TransE, ComplEx and TransR are judged by their vectors, the graph network by asking it.
"""

import logging
import sys
import warnings
from pathlib import Path

from pykeen.pipeline import pipeline
from pykeen.triples import TriplesFactory

import assay
from assay.tasks.links.models.pykeen import from_pykeen

FOLDER = Path(__file__).parent / "links-nations"
SPLITS = ("train", "valid", "test")
MODELS = {
    "TransE": {"embedding_dim": 32},
    "ComplEx": {"embedding_dim": 32},
    "TransR": {"embedding_dim": 32, "relation_dim": 16},
    "RGCN": {"embedding_dim": 32, "num_layers": 2},
}


def main(epochs: int = 100) -> None:
    """Train, judge and compare."""
    warnings.filterwarnings("ignore")
    logging.disable(logging.WARNING)
    train = TriplesFactory.from_path(FOLDER / "train.tsv")
    known = {"entity_to_id": train.entity_to_id, "relation_to_id": train.relation_to_id}
    valid, test = (TriplesFactory.from_path(FOLDER / f"{split}.tsv", **known) for split in SPLITS[1:])
    graph = assay.KnowledgeGraph.read(
        *(FOLDER / f"{split}.tsv" for split in SPLITS), entities=train.entity_to_id, relations=train.relation_to_id
    )
    rankings = {}
    for name, sizes in MODELS.items():
        trained = pipeline(
            training=train, validation=valid, testing=test, model=name, model_kwargs=sizes, random_seed=1, device="cpu",
            training_kwargs={"num_epochs": epochs, "use_tqdm": False}, evaluation_kwargs={"use_tqdm": False},
        )  # fmt: skip
        model = from_pykeen(trained.model)
        found = assay.evaluate_links(graph, model, "MRR HR@10")
        theirs = trained.metric_results.get_metric("both.realistic.inverse_harmonic_mean_rank")
        print(f"{name}: MRR {found['RR']:.4f} (PyKEEN says {theirs:.4f}), Hits@10 {found['HR@10']:.4f}")
        rankings[name] = assay.rank_links(graph, model)
    for contrast in assay.compare_links(rankings, "MRR").of("RR"):
        low, high = contrast.interval.low, contrast.interval.high
        print(f"{contrast.run} against {contrast.baseline}: {contrast.verdict}, {low:+.3f} to {high:+.3f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
