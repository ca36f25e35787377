"""`assay trec_eval`: the command line of trec_eval, its names, its parameters and its output.

A thin layer: ranks come from the engine, numbers from the measures. Here stand the arguments, the table of
names in their printed order, the lines, and what is said where trec_eval itself goes wrong.
"""


def trec_eval() -> None:
    """Print what trec_eval prints; -h tells how."""
