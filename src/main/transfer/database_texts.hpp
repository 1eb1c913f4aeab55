// Texts that make what is in a database once more, elsewhere.
#pragma once

#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "execution/run/query_context.hpp"

namespace scaup {

/// The definitions of a database, as statements in the order in which they can run, and what has contents.
/// Temporary relations are not among them.
struct DatabaseTexts {
  /// Schemas, types, functions, sequences and tables, without foreign keys and indexes, and views. Functions
  /// may name what comes later.
  std::string definitions;
  /// The options of identity columns' sequences, which come with their tables.
  std::string sequence_options;
  /// Things that are faster to make, or only possible, once there are rows: element tables, indexes, foreign
  /// keys, views of documents and comments.
  std::string after_rows;
  std::vector<TableEntryRef> tables;  ///< that have rows of their own
  std::vector<SequenceEntryRef> sequences;
};

DatabaseTexts TextsOf(const QueryContext::Database& database);

/// Returns the columns whose values are copied, as expressions: `expression` gives that of a column.
/// Collections have none, as their documents are whole.
template <typename Expression>
std::string ColumnList(const TableEntry& table, const Expression& expression) {
  std::string list;
  for (const ColumnDefinition& column : table.columns) {
    if (table.is_collection() || !column.generated_text.empty()) continue;
    list += (list.empty() ? "" : ", ") + expression(column);
  }
  return list;
}

}  // namespace scaup
