// COPY FROM DATABASE: the definitions of a database run in another one, and its rows are inserted there.
#include "main/transfer/database_copy.hpp"

#include <fmt/format.h>

#include "catalog/catalog_changes.hpp"
#include "common/throw.hpp"
#include "execution/write/written_rows.hpp"
#include "main/transfer/database_texts.hpp"
#include "parser/parser.hpp"
#include "type/text/quoted_text.hpp"

namespace scaup {

namespace {

std::string NameIn(const DatabaseView& database, const TableEntry& table) {
  return fmt::format("{}.{}.{}", QuotedIdentifier(database.name), QuotedIdentifier(table.schema),
                     QuotedIdentifier(table.name));
}

/// Returns the INSERT that copies the rows of a table.
std::string CopyRowsText(const DatabaseView& source, const DatabaseView& target, const TableEntry& table) {
  // A collection's documents are its rows as a whole.
  if (table.is_collection()) {
    return fmt::format("INSERT INTO {} SELECT copied FROM {} AS copied", NameIn(target, table),
                       NameIn(source, table));
  }
  const std::string columns =
      ColumnList(table, [](const ColumnDefinition& column) { return QuotedIdentifier(column.name); });
  if (columns.empty()) {
    ThrowNotSupported(
        fmt::format("table \"{}\" cannot be copied, as all of its columns are generated", table.name));
  }
  return fmt::format("INSERT INTO {} ({}) OVERRIDING SYSTEM VALUE SELECT {} FROM {}", NameIn(target, table),
                     columns, columns, NameIn(source, table));
}

/// Runs the statements of a text that the user has not seen.
void RunText(const std::string& text, size_t max_depth, const RunStatement& run) {
  try {
    for (const auto& statement : Parser(max_depth).Parse(text)) run(*statement);
  } catch (const Error& error) {
    throw Error(error.kind(), error.sqlstate(), error.message());
  }
}

/// Gives the sequences of the copy the positions of the original ones.
void CopyPositions(const std::vector<SequenceEntryRef>& sequences, const DatabaseView& target) {
  for (const SequenceEntryRef& sequence : sequences) {
    const auto copy =
        target.catalog->Find<SequenceEntry>(*target.transaction, sequence->schema, sequence->name);
    SCAUP_CHECK(copy != nullptr);
    copy->state->Set(sequence->state->position());
    NoteSequenceUse(*target.transaction, copy);
  }
}

}  // namespace

void CopyDatabase(const DatabaseView& source, const DatabaseView& target, size_t max_depth,
                  const RunStatement& run, const RunStatement& run_in_target) {
  RequireWritable(*target.transaction, "COPY FROM DATABASE");
  const DatabaseTexts texts = TextsOf({*source.catalog, *source.transaction});
  RunText(texts.definitions, max_depth, run_in_target);
  RunText(texts.sequence_options, max_depth, run_in_target);
  CopyPositions(texts.sequences, target);
  for (const TableEntryRef& table : texts.tables)
    RunText(CopyRowsText(source, target, *table), max_depth, run);
  RunText(texts.after_rows, max_depth, run_in_target);
}

}  // namespace scaup
