// A table with its transactions, for the tests of tables and scans.
#pragma once

#include "../vector/random_values.hpp"
#include "storage/scan/table_scan.hpp"
#include "storage/shredded/attribute_statistics.hpp"
#include "storage/table/table.hpp"

namespace scaup::test {

/// Row groups and statistics of rows, as an INSERT builds them.
struct BuiltRows {
  std::vector<std::shared_ptr<const RowGroup>> row_groups;
  std::vector<ColumnStatistics> statistics;
};
inline BuiltRows Build(Random& random, const std::vector<LogicalType>& types, const std::vector<Row>& rows,
                       MemoryTracker& memory) {
  RowGroupBuilder builder(types, memory);
  for (size_t begin = 0; begin < rows.size(); begin += kVectorSize) {
    DataChunk chunk = MakeChunk(
        random, types, {rows.begin() + begin, rows.begin() + std::min(begin + kVectorSize, rows.size())});
    builder.Append(chunk);
  }
  builder.Finish();
  return {builder.TakeFinished(), builder.statistics()};
}

inline void Insert(Random& random, Table& table, Transaction& transaction, const std::vector<Row>& rows,
                   MemoryTracker& memory) {
  BuiltRows built = Build(random, table.types(), rows, memory);
  table.Insert({transaction, "t"}, std::move(built.row_groups), built.statistics, {});
}

/// Inserts the rows `begin` to `end` - 1; set(chunk, i, id) writes row `id` to position i of a chunk.
template <typename SetRow>
void InsertNumbered(Table& table, Transaction& transaction, int64_t begin, int64_t end, SetRow&& set) {
  RowGroupBuilder builder(table.types(), table.memory());
  for (int64_t first = begin; first < end; first += static_cast<int64_t>(kVectorSize)) {
    const auto count = std::min<size_t>(kVectorSize, static_cast<size_t>(end - first));
    DataChunk chunk(table.types());
    chunk.ResetForWriting();
    for (size_t i = 0; i < count; i++) set(chunk, i, first + static_cast<int64_t>(i));
    chunk.SetSize(count);
    builder.Append(chunk);
  }
  builder.Finish();
  table.Insert({transaction, "t"}, builder.TakeFinished(), builder.statistics(), {});
}

/// All rows of a scan by one position, in its order.
inline std::vector<Row> Drain(TableScan& scan, const std::vector<LogicalType>& types) {
  std::vector<Row> rows;
  TableScan::Position position;
  DataChunk chunk(types);
  while (true) {
    chunk.Release();
    if (!scan.Next(position, chunk)) return rows;
    for (Row& row : RowsOf(chunk)) rows.push_back(std::move(row));
  }
}

inline std::vector<Row> ReadTable(const Table& table, const Transaction& transaction) {
  TableScanSpecification specification;
  for (size_t i = 0; i < table.types().size(); i++) specification.columns.push_back(i);
  TableScan scan(table.UnloggedView(transaction), table.types(), specification, KernelsOf(BestKernelLevel()),
                 16);
  return Drain(scan, table.types());
}

}  // namespace scaup::test
