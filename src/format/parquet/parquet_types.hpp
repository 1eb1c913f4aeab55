// The schema of a Parquet file: the tree of its columns, and their SQL types.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "format/parquet/parquet_metadata.hpp"
#include "scaup/type.hpp"

namespace scaup {

/// A column chunk's worth of values in each row group: a node of the schema without children.
struct ParquetLeaf {
  std::string name;  ///< with the names above it, for messages
  ParquetType physical = ParquetType::kBoolean;
  int32_t length = 0;  ///< of kFixedBytes
  ParquetAnnotation annotation;
  LogicalType type;
  /// The level of a value that is there; less: NULL, or an empty list, at some level above.
  uint32_t definition = 0;
  uint32_t repetition = 0;

  /// Whether it is a column by itself, with one entry per row.
  bool is_flat() const { return repetition == 0 && definition <= 1; }
};

/// A node of the tree of columns. Lists have one child, their element.
struct ParquetNode {
  enum class Kind : uint8_t { kLeaf, kStruct, kList };
  std::string name;
  Kind kind = Kind::kLeaf;
  LogicalType type;
  uint32_t definition = 0;  ///< the level from which it is not NULL; for elements of lists, there
  uint32_t repetition = 0;  ///< of lists: the level at which further elements repeat
  std::vector<ParquetNode> children;
  size_t first_leaf = 0;  ///< the leaves below it are [first_leaf, last_leaf)
  size_t last_leaf = 0;
};

struct ParquetOptions {
  bool binary_as_string = false;
  friend bool operator==(const ParquetOptions&, const ParquetOptions&) = default;
};

struct ParquetTree {
  std::vector<ParquetNode> columns;
  std::vector<ParquetLeaf> leaves;
};

/// Makes the tree of a footer's schema. Throws ParquetDamage.
ParquetTree MakeParquetTree(const std::vector<ParquetSchemaElement>& schema, const ParquetOptions& options);

}  // namespace scaup
