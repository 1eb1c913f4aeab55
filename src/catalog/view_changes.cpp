// Creating, replacing and dropping views, and what views demand of the tables they read.
#include <fmt/format.h>

#include <algorithm>

#include "catalog/catalog_changes.hpp"
#include "catalog/catalog_dependencies.hpp"
#include "catalog/catalog_writer.hpp"
#include "catalog/dependent_changes.hpp"
#include "catalog/table_definition.hpp"
#include "catalog/view_paths.hpp"
#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "type/type_modifier.hpp"

namespace scaup {

namespace {

std::string Describe(const ViewEntry& view) {
  return view.materialized.empty() ? fmt::format("view \"{}\"", view.name)
                                   : fmt::format("materialized view \"{}\"", view.materialized);
}

[[noreturn]] void ThrowRenamed(const std::string& what, const ViewEntry& view) {
  ThrowNotSupported(
      fmt::format("cannot rename {}: {} reads it by its name; drop the view first, and make it "
                  "again afterwards",
                  what, Describe(view)));
}

/// Puts a new version of each entry that the view reads, so that changing it at the same time is a conflict.
void TouchSources(CatalogWriter& writer, const ViewEntry& view) {
  for (const ViewSource& source : view.sources) {
    const SchemaEntryRef schema = writer.catalog().FindSchema(writer.transaction(), source.schema);
    // While a database is opened, views that this one reads may not exist yet.
    const CatalogEntryRef entry =
        schema ? schema->relations->Find(writer.transaction(), source.name) : nullptr;
    if (entry) schema->relations->Put(writer.transaction(), source.name, entry);
  }
}

}  // namespace

void CreateView(Catalog& catalog, Transaction& transaction, const ViewEntryRef& view) {
  CatalogWriter writer(catalog, transaction);
  writer.CheckIsFree(view->schema, view->name);
  ByteWriter record = ChangeRecord(LogRecordKind::kCreateView);
  WriteViewDefinition(*view, record);
  writer.Put(view);
  TouchSources(writer, *view);
  TouchTypes(writer, *view);
  writer.Note(view->schema, std::move(record));
}

void ReplaceView(Catalog& catalog, Transaction& transaction, const ViewEntry& old, const ViewEntryRef& view) {
  CatalogWriter writer(catalog, transaction);
  writer.FindSchema(old.schema);
  ByteWriter record = ChangeRecord(LogRecordKind::kReplaceView, old.schema, old.name);
  WriteViewDefinition(*view, record);
  if (old.name != view->name || old.schema != view->schema) {
    // The texts of readers have the old name, and the catalog cannot change texts.
    const auto readers = ViewsOver(catalog, transaction, old.schema, old.name);
    if (!readers.empty()) ThrowRenamed(Describe(old), *readers[0]);
    writer.CheckIsFree(view->schema, view->name);
  }
  writer.Replace(old, view);
  TouchSources(writer, *view);
  TouchTypes(writer, *view);
  writer.Note(old.schema, std::move(record));
}

void DropViews(Catalog& catalog, Transaction& transaction, const std::vector<ViewEntryRef>& views,
               bool cascade) {
  CatalogWriter writer(catalog, transaction);
  CheckStack();
  const auto is_among = [&](const ViewEntry& view) {
    return std::any_of(views.begin(), views.end(), [&](const ViewEntryRef& other) {
      return other->schema == view.schema && other->name == view.name;
    });
  };
  for (const ViewEntryRef& view : views) {
    // The view was dropped with an earlier one of the list.
    if (!catalog.Find<ViewEntry>(transaction, view->schema, view->name)) continue;
    std::vector<ViewEntryRef> readers = ViewsOver(catalog, transaction, view->schema, view->name);
    std::erase_if(readers, [&](const ViewEntryRef& reader) { return is_among(*reader); });
    if (!readers.empty() && !cascade) ThrowDependent(Describe(*view), Describe(*readers[0]));
    DropViews(catalog, transaction, readers, true);
    if (!view->materialized.empty()) {
      // The query goes with its table, also where the log is replayed.
      DropTable(catalog, transaction, view->schema, view->materialized, cascade);
      continue;
    }
    writer.Remove(*view);
    writer.Note(view->schema, ChangeRecord(LogRecordKind::kDropView, view->schema, view->name));
  }
}

void DropViewsOver(CatalogWriter& writer, const TableEntry& table, bool cascade) {
  const auto views = ViewsOver(writer.catalog(), writer.transaction(), table.schema, table.name);
  if (!views.empty() && !cascade)
    ThrowDependent(fmt::format("{} \"{}\"", KindName(table), table.name), Describe(*views[0]));
  DropViews(writer.catalog(), writer.transaction(), views, true);
}

void CheckViews(CatalogWriter& writer, const TableReplacement& replacement) {
  const TableEntry& old = *replacement.old;
  const TableEntry& table = *replacement.table;
  std::vector<ViewEntryRef> lost;
  for (const ViewEntryRef& view : ViewsOver(writer.catalog(), writer.transaction(), old.schema, old.name)) {
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
          ThrowDependent(fmt::format("column \"{}\" of table \"{}\"", column, old.name), Describe(*view));
        lost.push_back(view);
        break;
      }
      // The types and collations of the view's columns were derived from the old ones.
      if (before && (!IsSameDeclaration(old.columns[*before].type, table.columns[*after].type) ||
                     old.columns[*before].collation != table.columns[*after].collation)) {
        ThrowNotSupported(fmt::format("cannot alter type of a column used by a view: {} uses column \"{}\"",
                                      Describe(*view), column));
      }
    }
  }
  DropViews(writer.catalog(), writer.transaction(), lost, true);
}

}  // namespace scaup
