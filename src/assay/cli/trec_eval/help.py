"""The help page: the options, the formats, and the measures that -m names."""

from collections.abc import Sequence
from inspect import cleandoc

from assay.cli.trec_eval.arguments import USAGE
from assay.cli.trec_eval.rows import Row
from assay.cli.trec_eval.table import NICKNAMES, TABLE

OPTIONS = """
Evaluates the ranked results of a run by the judgments of a test collection, with the options, the names and
the output of trec_eval. Either file may be - (standard input) or compressed (.gz, .zst).

  -h, --help                       Print this page and stop; with -m also what those measures are.
  -v, --version                    Print the version and stop.
  -q, --query_eval_wanted          Print the values of each query before the summary.
  -n, --nosummary                  Print no summary.
  -m, --measure NAME[.PARAMS]      Add a measure or a set of measures; may be repeated. PARAMS are parted by
                                   commas: P.5,10 or ndcg.1=3,2=9. Without -m: official.
  -c, --complete_rel_info_wanted   Average over all judged queries; those the run leaves out count 0. Without
                                   it: over the queries that have both judgments and results.
  -l, --level_for_rel NUM          The lowest grade that counts as relevant; 1 unless given. Measures of gain
                                   (ndcg and its kin, G, rbp) do not heed it.
  -M, --Max_retrieved_per_topic NUM  Keep the first NUM results of each query, ranked, and forget the others.
  -J, --Judged_docs_only           Take results without a judgment out of every ranking first.
  -N, --Number_docs_in_coll NUM    How many documents there are; only utility asks.
  -R, --Rel_info_format FORMAT     The form of the judgments: qrels, prefs, qrels_prefs or qrels_jg.
  -T, --Results_format FORMAT      The form of the results: trec_results.
  -Z, --Zscore FILE                Print z-scores: FILE holds lines of query, name, mean and standard deviation.
                                   -1000000 stands where it has none.
  -D, --Debug_level NUM[.QUERY]    Evaluate QUERY alone; there is no debugging output.
      --as 9|10|documented         Whose numbers: those of trec_eval 9.x, of 10 (the default), or the defined
                                   values wherever a fault of trec_eval changes one.
      --quiet                      No notes on standard error.

Judgments (qrels):        query  iteration  document  grade     grades below 0: pooled, not judged
Results (trec_results):   query  iteration  document  rank  score  run
Results are ranked by score, equal scores by descending document id; the rank column is not read. Lines that
begin with # are comments.

Exit codes: 0 fine, 1 usage, 2 a file or parameter, 4 a value cannot be computed, 7 no query in common.
"""


def help_text(rows: Sequence[Row]) -> str:
    """Return the help page."""
    parts = [USAGE, OPTIONS, "Sets of measures:\n"]
    parts += [f"  {name:<10} {' '.join(members)}\n" for name, members in NICKNAMES.items()]
    parts.append(f"\nMeasures: {' '.join(TABLE)}\n")
    if not rows:
        parts.append("\n-h -m NAME prints what a measure is.\n")
    seen: set[str] = set()
    for row in rows:
        if row.entry.name not in seen:
            seen.add(row.entry.name)
            parts.append(f"\n{_about(row)}\n")
    return "".join(parts)


OTHERS = {
    "runid": "The sixth column of the last line of the results.",
    "num_q": "The number of queries that the means are over.",
    "relstring": "The grades of the first 10 results, or as many as the parameter says, one character each: a digit, > "
    "for\nmore than 9, - for a document that is not in the judgments, . for one that is pooled but not judged.",
}


def _about(row: Row) -> str:
    if not row.measures:
        return f"{row.entry.name}\n{OTHERS.get(row.entry.name, '')}"
    measure = row.measures[0]
    return f"{row.entry.name} = {measure.name}\n{cleandoc(measure.__doc__ or '')}"
