"""Asking a graph: in this process, in a process with a time limit, or by HTTP; and what a query consists of."""
