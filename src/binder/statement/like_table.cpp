// CREATE TABLE (LIKE ...): the columns, constraints and indexes that a new table takes from another relation.
#include <fmt/format.h>

#include <algorithm>

#include "binder/scope/query_binder.hpp"
#include "binder/statement/renaming.hpp"
#include "binder/statement/sequence_texts.hpp"
#include "binder/statement/table_draft.hpp"
#include "catalog/catalog_dependencies.hpp"
#include "catalog/create_statement.hpp"
#include "catalog/temporary_schema.hpp"
#include "common/throw.hpp"
#include "type/text/quoted_text.hpp"

namespace scaup {

namespace {

ViewEntryRef FindLikedView(const BinderContext& context, const ast::NamedTable& name) {
  return context.catalog.Find<ViewEntry>(context.transaction, name.schema, name.name);
}

void AddLikedKey(TableDraft& draft, const ast::LikeClause& like, const UniqueConstraint& key) {
  ast::TableConstraint constraint;
  constraint.kind =
      key.is_primary ? ast::TableConstraint::Kind::kPrimaryKey : ast::TableConstraint::Kind::kUnique;
  constraint.position = like.table.position;
  constraint.columns = key.columns;
  constraint.deferrable = key.deferral.is_deferrable;
  constraint.initially_deferred = key.deferral.is_deferred;
  draft.AddConstraint(constraint);
  if (!like.comments) return;
  draft.constraints.uniques.back().comment = key.comment;
  draft.constraints.uniques.back().index_comment = key.index_comment;
}

}  // namespace

void TableDraft::AddLikedColumns(const ast::LikeClause& like) {
  if (const ViewEntryRef view = FindLikedView(session_.context(), like.table)) {
    for (const ViewEntry::Column& column : view->columns) {
      RefuseSecond(column.name, like.table.position);
      columns.push_back({column.name, column.type, false, ""});
      columns.back().collation = column.collation;
      if (like.comments) columns.back().comment = column.comment;
    }
    return;
  }
  const TableEntryRef table = FindTableOrThrow(session_, like.table);
  if (table->is_collection()) {
    ThrowError(ErrorKind::kCatalog, sqlstate::kWrongObjectType,
               fmt::format("\"{}\" is {}, whose documents have no fixed columns: LIKE takes a table or view",
                           table->name, KindWithArticle(*table)),
               like.table.position);
  }
  for (const size_t column : table->VisibleColumns()) AddLikedColumn(like, *table, table->columns[column]);
}

void TableDraft::AddLikedColumn(const ast::LikeClause& like, const TableEntry& table,
                                const ColumnDefinition& column) {
  const size_t position = like.table.position;
  RefuseSecond(column.name, position);
  ColumnDefinition copy{column.name, column.type, column.not_null, ""};
  copy.domain = column.domain;
  copy.collation = column.collation;
  if (like.comments) copy.comment = column.comment;
  if (!column.generated_text.empty()) {
    if (like.generated) copy.generated_text = RenameTableInText(column.generated_text, table.name, name);
  } else if (column.identity != IdentityKind::kNone) {
    const auto owned = SequencesOf(session_.context().catalog, session_.context().transaction, table);
    const auto sequence = std::find_if(owned.begin(), owned.end(), [&](const SequenceEntryRef& candidate) {
      return candidate->owner_column == column.name;
    });
    if (like.identity && sequence != owned.end()) {
      copy.identity = column.identity;
      AddSequence(copy, (*sequence)->options, FreeRelationName(GeneratedName(name, {copy.name}, "seq")));
    }
  } else if (like.defaults) {
    // A default without a schema in front of its sequences means those that the other table uses.
    copy.default_text = IsTemporarySchema(schema)
                            ? WithSequenceSchemas(session_.context(), column.default_text, false)
                            : column.default_text;
    CheckSequencesOf(copy, position);
  }
  columns.push_back(std::move(copy));
}

/// Adds a hidden column like one of another table, unless the draft has it. Returns its name.
static std::string AddLikedHidden(TableDraft& draft, const ColumnDefinition& liked,
                                  const std::string& table) {
  ColumnDefinition hidden;
  hidden.type = liked.type;
  hidden.key_text = RenameTableInText(liked.key_text, table, draft.name);
  hidden.condition_text = RenameTableInText(liked.condition_text, table, draft.name);
  for (const ColumnDefinition& present : draft.columns) {
    if (present.key_text == hidden.key_text && present.condition_text == hidden.condition_text)
      return present.name;
  }
  CompleteHidden(hidden, draft.columns);
  draft.columns.push_back(hidden);
  return hidden.name;
}

void TableDraft::AddLikedRules(const ast::LikeClause& like) {
  const BinderContext& context = session_.context();
  if (FindLikedView(context, like.table)) return;
  const TableEntryRef table = FindTableOrThrow(session_, like.table);
  for (const CheckConstraint& check : table->constraints.checks) {
    if (!like.constraints) break;
    if (constraints.HasName(check.name)) {
      ThrowError(ErrorKind::kCatalog, sqlstate::kDuplicateObject,
                 fmt::format("constraint \"{}\" for table \"{}\" already exists", check.name, name),
                 like.table.position);
    }
    constraints.checks.push_back({check.name, RenameTableInText(check.text, table->name, name)});
    if (like.comments) constraints.checks.back().comment = check.comment;
  }
  if (!like.indexes) return;
  for (const UniqueConstraint& key : table->constraints.uniques) AddLikedKey(*this, like, key);
  for (const IndexEntryRef& index : IndexesOf(context.catalog, context.transaction, *table)) {
    if (index->is_of_constraint) continue;
    std::vector<std::string> index_columns, shown;
    for (const std::string& column : index->columns) {
      const ColumnDefinition& liked = table->columns[table->FindColumn(column).value()];
      index_columns.push_back(liked.is_hidden() ? AddLikedHidden(*this, liked, table->name) : column);
      const ColumnDefinition* const of = ColumnOfKey(table->columns, liked);
      shown.push_back(of != nullptr ? of->name : liked.is_hidden() ? "expr" : column);
    }
    auto copy = std::make_shared<IndexEntry>(schema, FreeRelationName(GeneratedName(name, shown, "idx")),
                                             name, std::move(index_columns), index->kind, false);
    if (like.comments) copy->comment = index->comment;
    indexes.push_back(std::move(copy));
  }
}

}  // namespace scaup
