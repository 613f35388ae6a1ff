"""Sums of the calls of each thread by name, of each table of spans, as CSV or Parquet."""
import sys
import duckdb

# Of a pipeline no span has callees, so that nobody can tell what a column without values is of.
for number, file in enumerate(sys.argv[1:]):
    rows = duckdb.sql(f"""select thread, name, count(*), sum(duration_ns::bigint), coalesce(sum(self_ns::bigint), 0)
        from '{file}' group by all""").fetchall()
    for thread, name, n, total, own in rows:
        print(f"{number} {thread}|{name} [{n} {total} {own}]")
