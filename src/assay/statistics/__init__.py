"""How sure a number is: one file, one question. Knows numpy; SciPy only where a function needs it.

`interval` where the true value may lie, `difference` whether two systems differ, `many` what remains of many tests,
`effect` how large a difference is; `gate_test` whether a drop is too much, `repeated_looks` and `confidence_sequence`
when it is looked at every night; `cusum`, `ewma` and `change_points` whether a series is stable. Everything is
computed on independent `Units`: queries, or clusters of them.
"""
