"""Speed and memory of Assay beside other tools: `python -m benchmarks [NAMES] [--small]`.

Each benchmark names its rival, checks first that both give the same value for each query, and then prints
ratios of times measured in one run, in turns. Nothing here fails because something is slow.
"""
