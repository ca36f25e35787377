"""Mutation testing: small changes to a measure that a test has to notice. `make mutate` runs it."""
