#!/usr/bin/env python3
"""TPC-H over Parquet files that DuckDB has written: Scaup and DuckDB read the same files, in every query anew."""

import dataclasses
import os
import sys

from side_by_side import Workload, run

CODEC = os.environ.get("PARQUET_CODEC", "zstd")


@dataclasses.dataclass(frozen=True)
class ParquetWorkload(Workload):
    """Views of files instead of tables."""

    def generate(self, folder, scale):
        if self.data_file(folder, self.largest_table).exists():
            return
        import duckdb

        texts = dataclasses.replace(self, suffix="tbl")
        Workload.generate(texts, folder, scale)
        with duckdb.connect() as con:
            for table, create in self.schema().items():
                con.execute(create)
                con.execute(f"COPY {table} FROM '{texts.data_file(folder, table)}' (DELIMITER '|', HEADER false)")
                con.execute(f"COPY {table} TO '{self.data_file(folder, table)}' (FORMAT parquet, COMPRESSION {CODEC})")

    def load(self, worker, folder):
        return {table: worker("statement", f"CREATE VIEW {table} AS SELECT * FROM read_parquet('{self.data_file(folder, table)}')")[0]
                for table in self.schema()}


TPCH = ParquetWorkload(name="tpch", title=f"TPC-H over Parquet files ({CODEC})", generator=("tpch", "tbl"), suffix=f"{CODEC}.parquet",
                       largest_table="lineitem", query_count=22, default_queries="all",
                       arrays_sql="SELECT l_orderkey, l_partkey, l_suppkey FROM lineitem")

if __name__ == "__main__":
    sys.exit(run(TPCH))
