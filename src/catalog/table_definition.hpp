// The definition of a table to bytes and back, for checkpoints and the log.
#pragma once

#include "catalog/catalog.hpp"
#include "common/byte_stream.hpp"

namespace scaup {

/// What defines a table, without its rows.
struct TableDefinition {
  std::string schema;
  std::string name;
  uint64_t table_id = 0;
  std::vector<ColumnDefinition> columns;

  std::vector<LogicalType> types() const;
};

TableDefinition DefinitionOf(const TableEntry& table);
void WriteTableDefinition(const TableDefinition& table, ByteWriter& writer);
/// Throws Error(kIo, XX001).
TableDefinition ReadTableDefinition(ByteReader& reader);

}  // namespace scaup
