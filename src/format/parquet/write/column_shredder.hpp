// Takes columns apart into the values and levels of their leaves.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "format/parquet/parquet_types.hpp"
#include "format/parquet/write/leaf_appender.hpp"

namespace scaup {

/// Adds the rows of one column to its leaves. One thread at a time.
class ColumnShredder {
 public:
  /// `node` and `leaves`, which has all leaves of the file, are borrowed. `type` is the SQL type of the
  /// column, from which the node's type was made.
  ColumnShredder(const ParquetNode& node, const LogicalType& type, std::vector<LeafValues>& leaves);

  /// Adds the rows [begin, end). Throws as LeafAppender does.
  void Add(Vector& rows, size_t row_count, size_t begin, size_t end);

 private:
  /// A node with the SQL type of its values.
  struct Part {
    const ParquetNode* node;
    LogicalType type;
    LeafAppender appender;  // of leaves
    std::vector<Part> children;
  };

  static Part MakePart(const ParquetNode& node, const LogicalType& type);
  void AddNothing(const ParquetNode& node, uint32_t definition, uint32_t repetition);
  void AddSlot(const Part& part, std::string_view slot, uint32_t repetition);
  void AddContent(const Part& part, std::string_view slots, uint32_t repetition);

  const Part root_;
  std::vector<LeafValues>& leaves_;
};

}  // namespace scaup
