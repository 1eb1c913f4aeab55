#!/usr/bin/env python3
"""TPC-DS in Scaup and DuckDB."""

import sys

from side_by_side import Workload, run

TPCDS = Workload(name="tpcds", title="TPC-DS", generator=("tpcds", "dat", "--no-progress"), suffix="dat", largest_table="store_sales",
                 query_count=99, default_queries="all", arrays_sql="SELECT ss_item_sk, ss_ticket_number, ss_quantity FROM store_sales")

if __name__ == "__main__":
    sys.exit(run(TPCDS))
