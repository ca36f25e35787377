"""Make the files of this folder: four published retrieval runs as JSON Lines, and a small graph with a toy pipeline.

The graph, its questions and which answers are right were made up for this page; the facts in it are common knowledge.
"""

import json
from collections import defaultdict
from pathlib import Path

HERE = Path(__file__).parent
RUNS = HERE.parent / "graphrag-2wiki"
SYSTEMS = ("vdb", "lightrag", "nano-graphrag", "fast-graphrag")

GRAPH = """
Chopin | born in | Zelazowa Wola
Zelazowa Wola | lies in | Poland
Chopin | nationality | Polish
Chopin | died in | Paris
Chopin | teacher | Elsner
Elsner | born in | Grodkow
Paris | lies in | France
Paris | river | Seine
Liszt | born in | Raiding
Raiding | lies in | Austria
Liszt | teacher | Czerny
Liszt | friend | Chopin
Liszt | child | Cosima
Cosima | spouse | Wagner
Cosima | born in | Bellagio
Bellagio | lies in | Italy
Wagner | born in | Leipzig
Wagner | nationality | German
Wagner | died in | Venice
Wagner | spouse | Cosima
Leipzig | lies in | Germany
Venice | lies in | Italy
Czerny | teacher | Beethoven
Czerny | born in | Vienna
Vienna | lies in | Austria
Vienna | river | Danube
Beethoven | born in | Bonn
Beethoven | teacher | Haydn
Beethoven | died in | Vienna
Bonn | lies in | Germany
Bonn | river | Rhine
Haydn | born in | Rohrau
Haydn | nationality | Austrian
Rohrau | lies in | Austria
"""

QUESTIONS = """
q01 | Chopin | In which country was Chopin born? | 2 | born in, lies in | Poland | right
q02 | Chopin | In which country did Chopin die? | 2 | died in, lies in | France | right
q03 | Chopin | On which river lies the city where Chopin died? | 2 | died in, river | the Seine | right
q04 | Chopin | Where was the teacher of Chopin born? | 2 | teacher, born in | Warsaw | wrong
q05 | Liszt | Who taught the teacher of Liszt? | 2 | teacher, teacher | Beethoven | right
q06 | Liszt | In which country was the child of Liszt born? | 3 | child, born in, lies in | Italy | right
q07 | Liszt | Where was the husband of the child of Liszt born? | 3 | child, spouse, born in | Bayreuth | wrong
q08 | Wagner | In which country was Wagner born? | 2 | born in, lies in | Germany | right
q09 | Wagner | In which country did Wagner die? | 2 | died in, lies in | Italy | right
q10 | Beethoven | On which river lies the city where Beethoven was born? | 2 | born in, river | the Rhine | right
q11 | Beethoven | In which country was the teacher of Beethoven born? | 3 | teacher, born in, lies in | Germany | wrong
q12 | Czerny | Who taught the teacher of Czerny? | 2 | teacher, teacher | Salieri | wrong
"""

PROOFS = {
    "q01": [[("Chopin", "nationality", "Polish")]],
    "q08": [[("Wagner", "nationality", "German")]],
    "q11": [[("Beethoven", "teacher", "Haydn"), ("Haydn", "nationality", "Austrian")]],
}
"""Other facts that give an answer, if a nationality is taken for a country of birth."""


def triples() -> list[tuple[str, str, str]]:
    """Return the facts."""
    return [tuple(part.strip() for part in line.split("|")) for line in GRAPH.strip().splitlines()]


def path(start: str, relations: list[str]) -> list[tuple[str, str, str]]:
    """Return the facts along some relations."""
    known, found = {(subject, relation): (subject, relation, other) for subject, relation, other in triples()}, []
    for relation in relations:
        found.append(known[start, relation])
        start = found[-1][2]
    return found


def neighbourhood(start: str, hops: int) -> list[tuple[str, str, str]]:
    """Return the facts within some hops, nearest first, in both directions."""
    near = defaultdict(list)
    for fact in triples():
        near[fact[0]].append(fact)
        near[fact[2]].append(fact)
    found: dict[tuple[str, str, str], None] = {}
    border, seen = [start], {start}
    for _ in range(hops):
        facts = [fact for entity in border for fact in near[entity]]
        found |= dict.fromkeys(facts)
        border = [end for fact in facts for end in (fact[0], fact[2]) if end not in seen]
        seen.update(border)
    return list(found)


def likeness(question: str, fact: tuple[str, str, str]) -> float:
    """Return the share of a fact's words that begin as a word of the question does: no good reranker."""
    asked = {word.strip("?").lower()[:4] for word in question.split()}
    words = " ".join(fact).lower().split()
    return round(sum(word[:4] in asked for word in words) / len(words), 3)


def write(name: str, rows: list[dict[str, object]]) -> None:
    """Write a row in each line."""
    lines = (json.dumps(row, ensure_ascii=False) for row in rows)
    (HERE / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


def pipeline() -> None:
    """Write what a graph brings within one to three hops, what reranking leaves, and gold, for the small graph."""
    asked = [[part.strip() for part in line.split("|")] for line in QUESTIONS.strip().splitlines()]
    for hops in (1, 2, 3):
        write(f"hops-{hops}.jsonl", [row(one, neighbourhood(one[1], hops)) for one in asked])
    reranked = []
    for one in asked:
        scored = [(likeness(one[2], fact), fact) for fact in neighbourhood(one[1], 3)]
        best = sorted(scored, key=lambda pair: -pair[0])[:8]
        shown = [{"triple": list(fact), "score": score} for score, fact in best]
        reranked.append(row(one, []) | {"retrieved": shown, "answer": one[5], "correct": one[6] == "right"})
    write("reranked.jsonl", reranked)


def row(asked: list[str], retrieved: list[tuple[str, str, str]]) -> dict[str, object]:
    """Return one question with what was retrieved and what proves its answer."""
    query, start, question, hops, relations, *_ = asked
    proofs = [path(start, [one.strip() for one in relations.split(",")]), *PROOFS.get(query, [])]
    return {"id": query, "question": question, "hops": int(hops), "retrieved": retrieved, "proofs": proofs}


def published() -> None:
    """Write the published runs, items by their titles."""
    questions = dict(line.split("\t") for line in (RUNS / "questions.tsv").read_text("utf-8").splitlines())
    needed, retrieved = defaultdict(list), defaultdict(list)
    for line in (RUNS / "gold.qrels").read_text("utf-8").splitlines():
        query, _, item, _ = line.split()
        needed[query].append(item.replace("_", " "))
    for system in SYSTEMS:
        retrieved.clear()
        for line in (RUNS / f"{system}.run").read_text("utf-8").splitlines():
            query, _, item, *_ = line.split()
            retrieved[query].append(item.replace("_", " "))
        write(
            f"{system}.jsonl",
            [
                {"id": query, "question": text, "retrieved": retrieved[query], "needed": needed[query]}
                for query, text in questions.items()
            ],
        )


if __name__ == "__main__":
    published()
    pipeline()
