"""DuckDB alone on a run in Parquet: `duckdb_alone.py scan|window GOLD RUN LIMIT` prints query and value.

`scan` counts the rows of each query, which reads every id and finds its group. `window` ranks every row, as a query
by the book does, and gives the reciprocal rank of the first relevant item. Neither looks for repeated rows.
"""

import sys

import duckdb

QUERIES = {
    "scan": "select query, count(*)::double from read_parquet($run) group by query",
    "window": """
        with ranked as (
            select query, item, row_number() over (partition by query order by score desc, item desc) as rank
            from read_parquet($run)
        )
        select query, coalesce(1 / min(rank), 0.0)
        from (select * from read_parquet($gold) where grade >= 1) left join ranked using (query, item)
        group by query
    """,
}

what, gold, run, limit = sys.argv[1:]
connection = duckdb.connect()
connection.execute(f"set memory_limit = '{limit}'; set threads = 2; set preserve_insertion_order = false")
given = {"run": run} if what == "scan" else {"run": run, "gold": gold}
for query, value in connection.execute(QUERIES[what], given).fetchall():
    print(query, value, sep="\t")
