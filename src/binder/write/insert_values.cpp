// Computes the values of new rows.
#include "binder/write/insert_values.hpp"

#include <algorithm>

#include "binder/scope/bind_statement.hpp"
#include "binder/scope/coercion.hpp"
#include "binder/write/written_row.hpp"

namespace scaup {

std::vector<std::string> NamesOf(const TableEntry& table, const std::vector<size_t>& columns) {
  std::vector<std::string> names;
  for (const size_t column : columns) names.push_back(table.columns[column].name);
  return names;
}

std::vector<LogicalType> TypesOf(const TableEntry& table, const std::vector<size_t>& columns) {
  std::vector<LogicalType> types;
  for (const size_t column : columns) types.push_back(table.columns[column].type);
  return types;
}

void FillValues(BindSession& session, BoundInsert& insert, const std::vector<size_t>& columns,
                size_t table_index, const std::vector<LogicalType>& source_types,
                const std::vector<std::string>& source_names, size_t position) {
  insert.values.resize(insert.table->columns.size());
  for (size_t i = 0; i < columns.size(); i++) {
    auto source = std::make_unique<ColumnRefExpression>(source_types[i], ColumnBinding{table_index, i},
                                                        source_names[i]);
    source->position = position;
    const ColumnDefinition& column = insert.table->columns[columns[i]];
    insert.values[columns[i]] = CoerceForAssignment(session, std::move(source), column.type, column.name);
  }
  for (size_t i = 0; i < insert.values.size(); i++) {
    if (!insert.values[i] || IsGenerated(insert.table->columns[i]))
      insert.values[i] = BindColumnDefault(session, *insert.table, insert.table->columns[i]);
    insert.values[i]->alias = insert.table->columns[i].name;
  }
}

void AddGenerated(BindSession& session, BoundInsert& insert) {
  const auto& columns = insert.table->columns;
  if (std::none_of(columns.begin(), columns.end(), IsGenerated)) return;
  auto inner = std::make_unique<BoundSelect>();
  inner->from = std::move(insert.source);
  inner->table_index = inner->item_index = session.NewTableIndex();
  const size_t inner_index = inner->table_index;
  for (size_t i = 0; i < columns.size(); i++) {
    inner->names.push_back(columns[i].name);
    inner->types.push_back(columns[i].type);
  }
  inner->items = std::move(insert.values);
  insert.values.clear();
  for (size_t i = 0; i < columns.size(); i++) {
    insert.values.push_back(std::make_unique<ColumnRefExpression>(
        columns[i].type, ColumnBinding{inner_index, i}, columns[i].name));
    insert.values.back()->alias = columns[i].name;
  }
  FillGenerated(session.context(), *insert.table, insert.values);
  insert.source = std::make_unique<BoundQueryTable>(std::move(inner));
}

}  // namespace scaup
