// Reads one column of a row group, flat or nested, row by row.
#pragma once

#include <memory>

#include "format/parquet/leaf_reader.hpp"

namespace scaup {

/// A cursor over a column of a row group. Functions throw the errors of LeafReader. One thread at a time.
class ColumnReader {
 public:
  virtual ~ColumnReader() = default;
  /// Reads `count` <= kVectorSize rows, at least one, into `output`, a released vector of the column's type.
  /// With `as_codes`, what has a dictionary becomes a dictionary vector, else only strings do.
  virtual void Read(size_t count, bool as_codes, Vector& output) = 0;
  virtual void Skip(size_t count) = 0;
  /// See LeafReader::SoleDictionary.
  virtual std::shared_ptr<const ParquetDictionary> SoleDictionary() { return nullptr; }
};

/// Borrows all it gets.
std::unique_ptr<ColumnReader> MakeColumnReader(const ParquetReading& reading, const ParquetTree& tree,
                                               const ParquetNode& column, const ParquetRowGroup& group);

}  // namespace scaup
