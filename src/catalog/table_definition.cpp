// Table definitions to bytes and back.
#include "catalog/table_definition.hpp"

#include "type/logical_type_bytes.hpp"

namespace scaup {

std::vector<LogicalType> TableDefinition::types() const {
  std::vector<LogicalType> types;
  for (const ColumnDefinition& column : columns) types.push_back(column.type);
  return types;
}

TableDefinition DefinitionOf(const TableEntry& table) {
  return {table.schema, table.name, table.storage ? table.storage->id() : 0, table.columns};
}

void WriteTableDefinition(const TableDefinition& table, ByteWriter& writer) {
  writer.WriteString(table.schema);
  writer.WriteString(table.name);
  writer.WriteU64(table.table_id);
  writer.WriteVarint(table.columns.size());
  for (const ColumnDefinition& column : table.columns) {
    writer.WriteString(column.name);
    WriteLogicalType(writer, column.type);
    writer.WriteBool(column.not_null);
    writer.WriteString(column.default_text);
  }
}

TableDefinition ReadTableDefinition(ByteReader& reader) {
  TableDefinition table;
  table.schema = reader.ReadString("schema of a table");
  table.name = reader.ReadString("name of a table");
  table.table_id = reader.ReadU64("id of a table");
  table.columns.resize(reader.ReadCount("columns of a table", 6));
  for (ColumnDefinition& column : table.columns) {
    column.name = reader.ReadString("name of a column");
    column.type = ReadLogicalType(reader);
    column.not_null = reader.ReadBool("NOT NULL of a column");
    column.default_text = reader.ReadString("default of a column");
  }
  return table;
}

}  // namespace scaup
