// Comments on entries. They are part of the entries, so they are renamed and dropped with them.
#include <fmt/format.h>

#include <algorithm>

#include "catalog/catalog_changes.hpp"
#include "catalog/catalog_writer.hpp"
#include "catalog/table_definition.hpp"
#include "common/throw.hpp"

namespace scaup {

namespace {

[[noreturn]] void ThrowMissing(const char* sqlstate, const char* kind, const std::string& name) {
  ThrowError(ErrorKind::kCatalog, sqlstate, fmt::format("{} \"{}\" does not exist", kind, name));
}

/// Returns the element of that name; null if there is none.
template <typename Named>
Named* FindNamed(std::vector<Named>& list, const std::string& name) {
  const auto found =
      std::find_if(list.begin(), list.end(), [&](const Named& named) { return named.name == name; });
  return found == list.end() ? nullptr : &*found;
}

/// Returns the comment of a constraint; null if there is no such constraint.
std::string* FindConstraintComment(TableConstraints& constraints, const std::string& name) {
  if (CheckConstraint* check = FindNamed(constraints.checks, name)) return &check->comment;
  if (UniqueConstraint* unique = FindNamed(constraints.uniques, name)) return &unique->comment;
  if (ForeignKey* key = FindNamed(constraints.foreign_keys, name)) return &key->comment;
  return nullptr;
}

CatalogEntryRef WithComment(const TableEntry& old, const CommentTarget& target, const std::string& comment) {
  auto table = std::make_shared<TableEntry>(old);
  if (target.kind == CommentTarget::Kind::kRelation) {
    table->comment = comment;
  } else if (target.kind == CommentTarget::Kind::kColumn) {
    ColumnDefinition* column = FindNamed(table->columns, target.part);
    if (column == nullptr) ThrowMissing(sqlstate::kUndefinedColumn, "column", target.part);
    column->comment = comment;
  } else if (target.kind == CommentTarget::Kind::kTrigger) {
    TriggerDefinition* trigger = FindNamed(table->constraints.triggers, target.part);
    if (trigger == nullptr) ThrowMissing(sqlstate::kUndefinedObject, "trigger", target.part);
    trigger->comment = comment;
  } else {
    std::string* place = FindConstraintComment(table->constraints, target.part);
    if (place == nullptr) ThrowMissing(sqlstate::kUndefinedObject, "constraint", target.part);
    *place = comment;
  }
  return table;
}

CatalogEntryRef WithComment(const ViewEntry& old, const CommentTarget& target, const std::string& comment) {
  auto view = std::make_shared<ViewEntry>(old);
  if (target.kind == CommentTarget::Kind::kRelation) {
    view->comment = comment;
  } else {
    ViewEntry::Column* column = FindNamed(view->columns, target.part);
    if (column == nullptr) ThrowMissing(sqlstate::kUndefinedColumn, "column", target.part);
    column->comment = comment;
  }
  return view;
}

template <typename Entry>
std::shared_ptr<const Entry> WithOwnComment(const Entry& old, const std::string& comment) {
  auto entry = std::make_shared<Entry>(old);
  entry->comment = comment;
  return entry;
}

/// Sets the comment of a constraint's index in the table. Every version of the table puts new entries for its
/// indexes, so they take the comment from there.
void CommentConstraintIndex(CatalogWriter& writer, const IndexEntry& index, const std::string& comment) {
  auto table = std::make_shared<TableEntry>(*writer.Find<TableEntry>(index.schema, index.table));
  FindNamed(table->constraints.uniques, index.name)->index_comment = comment;
  writer.Put(table);
}

}  // namespace

void SetComment(Catalog& catalog, Transaction& transaction, const CommentTarget& target,
                const std::string& comment) {
  CatalogWriter writer(catalog, transaction);
  const SchemaEntryRef schema = writer.FindSchema(target.schema);
  ByteWriter record = ChangeRecord(LogRecordKind::kComment);
  WriteCommentTarget(target, record);
  record.WriteString(comment);
  if (target.kind == CommentTarget::Kind::kSchema) {
    writer.PutSchema(schema->name, WithOwnComment(*schema, comment));
    return writer.Note(schema->name, std::move(record));
  }
  const CatalogEntryRef old = schema->relations->Find(transaction, target.relation);
  if (!old) ThrowMissing(sqlstate::kUndefinedTable, "relation", target.relation);
  CatalogEntryRef entry;
  switch (old->kind) {
    case CatalogEntryKind::kTable:
      entry = WithComment(static_cast<const TableEntry&>(*old), target, comment);
      break;
    case CatalogEntryKind::kView:
      entry = WithComment(static_cast<const ViewEntry&>(*old), target, comment);
      break;
    case CatalogEntryKind::kSequence:
      entry = WithOwnComment(static_cast<const SequenceEntry&>(*old), comment);
      break;
    case CatalogEntryKind::kDomain:
      entry = WithOwnComment(static_cast<const DomainEntry&>(*old), comment);
      break;
    case CatalogEntryKind::kType: entry = WithOwnComment(static_cast<const TypeEntry&>(*old), comment); break;
    case CatalogEntryKind::kIndex: {
      const auto& index = static_cast<const IndexEntry&>(*old);
      if (index.is_of_constraint) CommentConstraintIndex(writer, index, comment);
      entry = WithOwnComment(index, comment);
      break;
    }
    case CatalogEntryKind::kSchema:
    case CatalogEntryKind::kFunction: ThrowInternal("what is no relation is among those of a schema");
  }
  schema->relations->Put(transaction, target.relation, std::move(entry));
  writer.Note(schema->name, std::move(record));
}

}  // namespace scaup
