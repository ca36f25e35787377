"""Mutation testing: small changes to a measure that a test has to notice. `python -m tests.mutation` runs it."""
