#!/usr/bin/env python3
"""TPC-H in Scaup and DuckDB."""

import sys

from side_by_side import Workload, run

TPCH = Workload(name="tpch", title="TPC-H", generator=("tpch", "tbl"), suffix="tbl", largest_table="lineitem", query_count=22,
                default_queries="1,3,5,6,10,12,14,19", arrays_sql="SELECT l_orderkey, l_partkey, l_suppkey FROM lineitem")

if __name__ == "__main__":
    sys.exit(run(TPCH))
