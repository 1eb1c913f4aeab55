// Binds INSERT into tables and collections.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "binder/scope/bind_statement.hpp"
#include "binder/scope/coercion.hpp"
#include "binder/scope/document_source.hpp"
#include "binder/scope/document_value.hpp"
#include "binder/scope/query_binder.hpp"
#include "binder/scope/written_view.hpp"
#include "binder/write/before_triggers.hpp"
#include "binder/write/collection_changes.hpp"
#include "binder/write/insert_values.hpp"
#include "binder/write/written_row.hpp"
#include "common/similar_name.hpp"
#include "common/throw.hpp"

namespace scaup {

namespace {

/// Refuses values for generated columns, except DEFAULT in VALUES. With OVERRIDING USER VALUE, values for
/// identity columns are ignored instead; returns for each column whether this is so.
std::vector<bool> CheckGenerated(const ast::InsertStatement& statement, const TableEntry& table,
                                 const std::vector<size_t>& columns) {
  std::vector<bool> is_forgotten(columns.size());
  for (size_t i = 0; i < columns.size(); i++) {
    const ColumnDefinition& column = table.columns[columns[i]];
    if (statement.overriding == ast::Overriding::kUser && column.identity != IdentityKind::kNone) {
      is_forgotten[i] = true;
      continue;
    }
    const bool is_identity =
        column.identity == IdentityKind::kAlways && statement.overriding != ast::Overriding::kSystem;
    if (!IsGenerated(column) && !is_identity) continue;
    const size_t position =
        i < statement.column_positions.size() ? statement.column_positions[i] : statement.query->position;
    if (!IsPlainValues(*statement.query)) ThrowGeneratedColumn(column, "inserted", position);
    for (const auto& row : statement.query->values) {
      if (!IsDefaultMarker(*row[i])) ThrowGeneratedColumn(column, "inserted", row[i]->position);
    }
  }
  return is_forgotten;
}

void CheckCount(size_t given, size_t wanted, bool has_list, size_t position) {
  if (given == wanted || (given < wanted && !has_list)) return;
  ThrowError(ErrorKind::kSyntax, sqlstate::kSyntaxError,
             given > wanted
                 ? fmt::format("INSERT has more expressions than target columns ({} for {})", given, wanted)
                 : fmt::format("INSERT has more target columns than expressions ({} for {})", wanted, given),
             position);
}

BoundQueryPtr BindSource(BindSession& session, const ast::InsertStatement& statement, const TableEntry& table,
                         std::vector<size_t>& columns) {
  const ast::SelectStatement& query = *statement.query;
  const bool has_list = !statement.columns.empty();
  if (!IsPlainValues(query)) {
    BoundQueryPtr bound = BindQuery(session, query, session.around, Untyped::kKeep);
    if (statement.by_name) columns = ResolveTableColumns(table, bound->names, {}, query.position);
    CheckCount(bound->types.size(), columns.size(), has_list, query.position);
    columns.resize(bound->types.size());
    NoteDocumentColumns(session, *bound, bound->table_index);
    for (size_t i = 0; i < columns.size(); i++) {
      if (bound->types[i].id() == TypeId::kNull)
        TypeOutput(session, *bound, i, table.columns[columns[i]].type);
    }
    return bound;
  }
  if (statement.by_name) {
    ThrowError(ErrorKind::kSyntax, sqlstate::kSyntaxError,
               "BY NAME needs a query with names of columns; for VALUES, list the columns after the table",
               query.position);
  }
  const auto& first = query.values[0];
  CheckCount(first.size(), columns.size(), has_list, first.empty() ? query.position : first[0]->position);
  columns.resize(first.size());
  std::vector<ExpressionPtr> defaults(columns.size());  // bound once, copied into each row
  const auto make_default = [&](size_t i) {
    if (!defaults[i]) defaults[i] = BindColumnDefault(session, table, table.columns[columns[i]]);
    return defaults[i]->Clone();
  };
  const auto convert = [&](ExpressionPtr value, size_t i) {
    const ColumnDefinition& column = table.columns[columns[i]];
    return CoerceForAssignment(session, std::move(value), column.type, column.name);
  };
  return BindInsertValues(session, query, TypesOf(table, columns), NamesOf(table, columns), make_default,
                          convert);
}

}  // namespace

bool IsPlainValues(const ast::SelectStatement& query) {
  return !query.values.empty() && query.with.empty() && query.order_by.empty() && !query.limit &&
         !query.offset;
}

std::vector<size_t> ResolveTableColumns(const TableEntry& table, const std::vector<std::string>& names,
                                        const std::vector<size_t>& positions, size_t statement_position) {
  std::vector<size_t> columns;
  if (names.empty()) {
    return table.VisibleColumns();
  }
  std::vector<bool> is_used(table.columns.size());
  for (size_t i = 0; i < names.size(); i++) {
    const size_t position = i < positions.size() ? positions[i] : statement_position;
    const auto column = table.FindVisibleColumn(names[i]);
    if (!column) {
      std::vector<std::string> candidates;
      for (const size_t candidate : table.VisibleColumns())
        candidates.push_back(table.columns[candidate].name);
      const std::string similar = MostSimilar(names[i], candidates);
      ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedColumn,
                 fmt::format("column \"{}\" of table \"{}\" does not exist{}", names[i], table.name,
                             similar.empty() ? "" : fmt::format("; did you mean \"{}\"?", similar)),
                 position);
    }
    if (is_used[*column]) {
      ThrowError(ErrorKind::kBinder, sqlstate::kDuplicateColumn,
                 fmt::format("column \"{}\" specified more than once", names[i]), position);
    }
    is_used[*column] = true;
    columns.push_back(*column);
  }
  return columns;
}

namespace {

/// Makes the ON CONFLICT that INSERT OR REPLACE means: over the primary key, or the only unique constraint.
/// `columns` are those that the statement gives.
ast::OnConflict MakeReplacement(const ast::OnConflict& syntax, const TableEntry& table,
                                const std::vector<size_t>& columns) {
  const std::vector<UniqueConstraint>& uniques = table.constraints.uniques;
  const auto primary = std::find_if(uniques.begin(), uniques.end(),
                                    [](const UniqueConstraint& unique) { return unique.is_primary; });
  if (uniques.empty() || (primary == uniques.end() && uniques.size() > 1)) {
    ThrowError(
        ErrorKind::kBinder, sqlstate::kInvalidColumnReference,
        fmt::format("INSERT OR REPLACE needs a primary key or one unique constraint, and \"{}\" has {}; "
                    "use ON CONFLICT (column) DO UPDATE",
                    table.name, uniques.empty() ? "none" : "several"),
        syntax.position);
  }
  const UniqueConstraint& key = primary != uniques.end() ? *primary : uniques[0];
  ast::OnConflict conflict;
  conflict.position = syntax.position;
  conflict.constraint = key.name;
  for (const size_t column : columns) {
    const ColumnDefinition& definition = table.columns[column];
    const bool is_key =
        std::find(key.columns.begin(), key.columns.end(), definition.name) != key.columns.end();
    if (is_key || IsGenerated(definition)) continue;
    auto value = std::make_unique<ast::Column>();
    value->names = {"excluded", definition.name};
    value->position = syntax.position;
    conflict.assignments.push_back({definition.name, {}, syntax.position, std::move(value)});
  }
  conflict.do_update = !conflict.assignments.empty();
  return conflict;
}

/// Returns the schema by which columns of the table are known; see BindSession::ScopeSchema.
std::string SchemaInScope(BindSession& session, const TableEntry& table) {
  const DatabaseScope scope(session, table);
  return session.ScopeSchema(table.schema);
}

/// Binds checks, ON CONFLICT and RETURNING over the written rows. `types` are those of the paths in the
/// column list.
void BindWrittenRows(BindSession& session, const ast::InsertStatement& statement, BoundInsert& insert,
                     const std::vector<size_t>& columns,
                     const std::vector<std::optional<LogicalType>>& types = {},
                     const WrittenView* view = nullptr) {
  const TableEntry& table = *insert.table;
  insert.checks = BindChecks(session.context(), table, insert.row_index);
  if (view != nullptr) AddViewChecks(*view, insert.checks);
  if (statement.on_conflict) {
    const ast::OnConflict* conflict = statement.on_conflict.get();
    ast::OnConflict replacement;
    if (conflict->replaces) {
      replacement = MakeReplacement(*conflict, table, columns);
      conflict = &replacement;
    }
    insert.on_conflict = BindOnConflict(session, *conflict, statement.table, table, insert.row_index, view);
  }
  if (statement.returning.empty()) return;
  const ast::NamedTable& name = statement.table;
  Scope scope =
      view != nullptr ? view->ScopeFor(name)
      : table.is_collection()
          ? ScopeOfRecord(session, statement, table, insert.row_index, types)
          : ScopeOfColumns(session, name.alias.empty() ? SchemaInScope(session, table) : "",
                           name.alias.empty() ? table.name : name.alias, table.columns, insert.row_index);
  ScopeTable& rows = scope.tables().front();
  rows.is_inserted = view == nullptr;
  if (view == nullptr) rows.relation = NumberedRelation(session, table);
  QueryLevel level;
  level.outer = session.around;
  level.scope = &scope;
  insert.returning = BindReturning(session, level, statement.returning);
}

void BindCollectionRows(BindSession& session, const ast::InsertStatement& statement, BoundInsert& insert) {
  if (!statement.query) {
    ThrowError(ErrorKind::kBinder, sqlstate::kSyntaxError,
               "a document has no default values; INSERT INTO collection OBJECT {} makes an empty one",
               statement.position);
  }
  if (statement.on_conflict) {
    ThrowNotSupported(
        "INSERT ... ON CONFLICT is for tables: a collection has no keys that documents could conflict in; "
        "MERGE changes the documents that a condition finds",
        statement.on_conflict->position);
  }
  InsertedDocuments documents = BindDocuments(session, *insert.table, statement);
  BoundQueryPtr& source = documents.query;
  FillRecords(session, insert, statement.columns, source->table_index, source->types,
              statement.query->position);
  insert.source = std::make_unique<BoundQueryTable>(std::move(source));
  BindWrittenRows(session, statement, insert, {}, documents.types);
}

}  // namespace

/// Refuses forms of INSERT that are for tables.
static void RefuseForms(const ast::InsertStatement& statement) {
  if (statement.by_name)
    ThrowNotSupported("INSERT BY NAME into a view is not supported: list its columns",
                      statement.table.position);
  if (statement.on_conflict && statement.on_conflict->replaces)
    ThrowNotSupported("INSERT OR REPLACE into a view is not supported; use ON CONFLICT",
                      statement.table.position);
}

BoundStatementPtr BindInsert(BindSession& session, const ast::InsertStatement& statement) {
  auto insert = std::make_unique<BoundInsert>();
  QueryLevel level;  // the level of WITH, around everything else
  level.outer = session.around;
  BeginWith(statement.with.queries, statement.with.recursive, level);
  QueryLevel* const around = std::exchange(session.around, &level);
  insert->row_index = session.NewTableIndex();
  const std::optional<WrittenView> view = FindWrittenView(session, statement.table, insert->row_index);
  if (view) RefuseForms(statement);
  insert->table = view ? view->table : FindWrittenTable(session, statement.table);
  if (statement.is_object && !insert->table->is_collection()) {
    ThrowError(ErrorKind::kCatalog, sqlstate::kWrongObjectType,
               fmt::format("\"{}\" is a table, not a collection: INSERT ... OBJECT is for documents",
                           statement.table.name),
               statement.table.position);
  }
  if (insert->table->is_collection()) {
    BindCollectionRows(session, statement, *insert);
    insert->ctes = FinishWith(session, level);
    session.around = around;
    return insert;
  }
  std::vector<std::string> names = statement.columns;
  if (view) {
    names = names.empty()
                ? view->LeadingColumns()
                : view->TableColumns(names, statement.column_positions, statement.position, "insert into");
  }
  std::vector<size_t> columns =
      ResolveTableColumns(*insert->table, names, statement.column_positions, statement.position);
  if (!statement.query) {
    FillValues(session, *insert, {}, 0, {}, {}, statement.position);
  } else {
    BoundQueryPtr source = BindSource(session, statement, *insert->table, columns);
    const std::vector<bool> is_forgotten = CheckGenerated(statement, *insert->table, columns);
    FillValues(session, *insert, columns, source->table_index, source->types, source->names,
               statement.query->position);
    for (size_t i = 0; i < columns.size(); i++) {
      const ColumnDefinition& column = insert->table->columns[columns[i]];
      if (is_forgotten[i]) insert->values[columns[i]] = BindColumnDefault(session, *insert->table, column);
    }
    insert->source = std::make_unique<BoundQueryTable>(std::move(source));
  }
  ApplyInsertTriggers(session, *insert);
  AddGenerated(session, *insert);
  BindWrittenRows(session, statement, *insert, columns, {}, view ? &*view : nullptr);
  insert->ctes = FinishWith(session, level);
  session.around = around;
  return insert;
}

}  // namespace scaup
