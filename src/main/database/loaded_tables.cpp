// Describes the tables of checkpoints, to tell which are the same.
#include "main/database/loaded_tables.hpp"

#include <utility>

#include "storage/file/extent.hpp"

namespace scaup {

std::map<uint64_t, std::vector<std::byte>> LoadedTables::DescriptionsOf(const CheckpointRoot& root) {
  using Name = std::pair<std::string, std::string>;
  std::map<Name, ByteWriter> indexes;
  for (const CheckpointRoot::Index& index : root.indexes) {
    ByteWriter& writer = indexes[{index.definition->schema, index.definition->table}];
    WriteIndexDefinition(*index.definition, writer);
    index.place.Write(writer);
  }
  std::map<uint64_t, std::vector<std::byte>> descriptions;
  for (const CheckpointRoot::Table& table : root.tables) {
    ByteWriter writer;
    WriteTableDefinition(table.definition, writer);
    WriteExtents(table.directory, writer);
    for (const IndexPlace& place : table.unique_indexes) place.Write(writer);
    std::vector<std::byte> description(writer.bytes().begin(), writer.bytes().end());
    const auto further = indexes.find({table.definition.schema, table.definition.name});
    if (further != indexes.end()) {
      const auto& bytes = further->second.bytes();
      description.insert(description.end(), bytes.begin(), bytes.end());
    }
    descriptions[table.definition.table_id] = std::move(description);
  }
  return descriptions;
}

const LoadedTable* LoadedTables::Find(uint64_t table_id, const std::vector<std::byte>& description) const {
  const auto found = tables_.find(table_id);
  return found != tables_.end() && found->second.description == description ? &found->second : nullptr;
}

}  // namespace scaup
