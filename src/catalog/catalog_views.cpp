// The catalog: creating, replacing and dropping views, and what views demand of the tables they read.
#include <fmt/format.h>

#include <algorithm>

#include "catalog/catalog.hpp"
#include "catalog/table_definition.hpp"
#include "catalog/view_paths.hpp"
#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "storage/wal/log_record_kind.hpp"

namespace scaup {

namespace {

ByteWriter Record(LogRecordKind kind) {
  ByteWriter record;
  record.WriteU8(static_cast<uint8_t>(kind));
  return record;
}

std::string Describe(const ViewEntry& view) { return fmt::format("view \"{}\"", view.name); }

[[noreturn]] void ThrowDependent(const std::string& what, const ViewEntry& view) {
  ThrowError(ErrorKind::kCatalog, sqlstate::kDependentObjects,
             fmt::format("cannot drop {} because {} depends on it; use CASCADE to drop that too", what,
                         Describe(view)));
}

[[noreturn]] void ThrowRenamed(const std::string& what, const ViewEntry& view) {
  ThrowNotSupported(
      fmt::format("cannot rename {}: {} reads it by its name; drop the view first, and make it "
                  "again afterwards",
                  what, Describe(view)));
}

}  // namespace

void Catalog::CreateView(Transaction& transaction, const ViewEntryRef& view) {
  const SchemaEntryRef schema = FindSchemaOrThrow(transaction, view->schema);
  CheckIsFree(transaction, *schema, view->name);
  ByteWriter record = Record(LogRecordKind::kCreateView);
  WriteViewDefinition(*view, record);
  schema->relations->Put(transaction, view->name, view);
  TouchSources(transaction, *view);
  TouchTypes(transaction, *view);
  NoteChange(transaction, std::move(record));
}

/// Puts a new version of each entry that the view reads, so that changing it at the same time is a conflict.
void Catalog::TouchSources(Transaction& transaction, const ViewEntry& view) {
  for (const ViewSource& source : view.sources) {
    const SchemaEntryRef schema = FindSchema(transaction, source.schema);
    // While a database is opened, views that this one reads may not exist yet.
    const CatalogEntryRef entry = schema ? schema->relations->Find(transaction, source.name) : nullptr;
    if (entry) schema->relations->Put(transaction, source.name, entry);
  }
}

void Catalog::ReplaceView(Transaction& transaction, const ViewEntry& old, const ViewEntryRef& view) {
  const SchemaEntryRef schema = FindSchemaOrThrow(transaction, old.schema);
  ByteWriter record = Record(LogRecordKind::kReplaceView);
  record.WriteString(old.schema);
  record.WriteString(old.name);
  WriteViewDefinition(*view, record);
  if (old.name != view->name) {
    // The texts of readers have the old name, and the catalog cannot change texts.
    const auto readers = ViewsOver(transaction, old.schema, old.name);
    if (!readers.empty()) ThrowRenamed(Describe(old), *readers[0]);
    CheckIsFree(transaction, *schema, view->name);
    schema->relations->Put(transaction, old.name, nullptr);
  }
  schema->relations->Put(transaction, view->name, view);
  TouchSources(transaction, *view);
  TouchTypes(transaction, *view);
  NoteChange(transaction, std::move(record));
}

void Catalog::DropViews(Transaction& transaction, const std::vector<ViewEntryRef>& views, bool cascade) {
  CheckStack();
  const auto is_among = [&](const ViewEntry& view) {
    return std::any_of(views.begin(), views.end(), [&](const ViewEntryRef& other) {
      return other->schema == view.schema && other->name == view.name;
    });
  };
  for (const ViewEntryRef& view : views) {
    // The view was dropped with an earlier one of the list.
    if (!FindView(transaction, view->schema, view->name)) continue;
    std::vector<ViewEntryRef> readers = ViewsOver(transaction, view->schema, view->name);
    std::erase_if(readers, [&](const ViewEntryRef& reader) { return is_among(*reader); });
    if (!readers.empty() && !cascade) ThrowDependent(Describe(*view), *readers[0]);
    DropViews(transaction, readers, true);
    FindSchema(transaction, view->schema)->relations->Put(transaction, view->name, nullptr);
    ByteWriter record = Record(LogRecordKind::kDropView);
    record.WriteString(view->schema);
    record.WriteString(view->name);
    NoteChange(transaction, std::move(record));
  }
}

void Catalog::DropViewsOver(Transaction& transaction, const TableEntry& table, bool cascade) {
  const auto views = ViewsOver(transaction, table.schema, table.name);
  if (!views.empty() && !cascade)
    ThrowDependent(fmt::format("{} \"{}\"", KindName(table), table.name), *views[0]);
  DropViews(transaction, views, true);
}

void Catalog::CheckViews(Transaction& transaction, const Replacement& replacement) {
  const TableEntry& old = *replacement.old;
  const TableEntry& table = *replacement.table;
  std::vector<ViewEntryRef> lost;
  for (const ViewEntryRef& view : ViewsOver(transaction, old.schema, old.name)) {
    if (old.schema != table.schema || old.name != table.name)
      ThrowRenamed(fmt::format("{} \"{}\"", KindName(old), old.name), *view);
    const ViewSource& source = *view->FindSource(old.schema, old.name);
    // Paths are in no definition, so no ALTER TABLE renames or drops them.
    if (HasPaths(source)) continue;
    for (const auto& [from, to] : replacement.renamed_columns) {
      if (std::find(source.columns.begin(), source.columns.end(), from) != source.columns.end())
        ThrowRenamed(fmt::format("column \"{}\" of table \"{}\"", from, old.name), *view);
    }
    for (const std::string& column : source.used_columns) {
      const auto before = old.FindColumn(column), after = table.FindColumn(column);
      if (!after) {
        if (!replacement.cascade)
          ThrowDependent(fmt::format("column \"{}\" of table \"{}\"", column, old.name), *view);
        lost.push_back(view);
        break;
      }
      // The types of the view's columns were derived from the old type.
      if (before && !(old.columns[*before].type == table.columns[*after].type)) {
        ThrowNotSupported(fmt::format("cannot alter type of a column used by a view: {} uses column \"{}\"",
                                      Describe(*view), column));
      }
    }
  }
  DropViews(transaction, lost, true);
}

}  // namespace scaup
