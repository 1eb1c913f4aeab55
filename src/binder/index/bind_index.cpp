// Binds CREATE INDEX, and what DROP INDEX does to the hidden columns of tables.
#include <fmt/format.h>

#include <algorithm>

#include "binder/bound/subquery_expression.hpp"
#include "binder/scope/bind_statement.hpp"
#include "binder/scope/collation.hpp"
#include "binder/scope/query_binder.hpp"
#include "binder/statement/path_texts.hpp"
#include "binder/statement/table_alteration.hpp"
#include "binder/write/written_row.hpp"
#include "catalog/catalog_dependencies.hpp"
#include "common/throw.hpp"
#include "expression/immutability.hpp"
#include "function/scalar/collation/collation.hpp"
#include "type/text/identifier_text.hpp"

namespace scaup {

namespace {

/// Checks the paths of an index of a collection, which can only be a text index. The paths do not have to
/// exist yet.
void CheckPathsOfIndex(const ast::CreateIndexStatement& statement) {
  if (!statement.is_text) {
    ThrowNotSupported(
        "indexes of collections are text indexes: write USING text (path, ...) or USING text (*)",
        statement.table.position);
  }
  if (statement.where) ThrowNotSupported("a text index has no WHERE", statement.where->position);
  const auto& columns = statement.columns;
  for (size_t i = 0; i < columns.size(); i++) {
    const auto is_same = [&](const ast::IndexColumn& column) { return column.name == columns[i].name; };
    if (std::none_of(columns.begin(), columns.begin() + static_cast<std::ptrdiff_t>(i), is_same)) continue;
    ThrowError(ErrorKind::kBinder, sqlstate::kDuplicateColumn,
               fmt::format("column \"{}\" appears twice in the index", columns[i].name), columns[i].position);
  }
  const auto whole = std::find_if(columns.begin(), columns.end(), [](const ast::IndexColumn& column) {
    return column.name == kWholeDocument;
  });
  if (whole == columns.end() || columns.size() == 1) return;
  ThrowError(ErrorKind::kBinder, sqlstate::kSyntaxError, "* stands for all paths: name no others beside it",
             whole->position);
}

/// Checks the columns of an index that are no expressions.
void CheckColumnsOfIndex(BindSession& session, const TableEntry& table,
                         const ast::CreateIndexStatement& statement) {
  std::vector<std::string> names;
  std::vector<const ast::IndexColumn*> named;
  std::vector<size_t> positions;
  for (const ast::IndexColumn& column : statement.columns) {
    if (column.expression) continue;
    names.push_back(column.name);
    named.push_back(&column);
    positions.push_back(column.position);
  }
  if (names.empty()) return;
  const std::vector<size_t> columns = ResolveTableColumns(table, names, positions, statement.position);
  for (size_t i = 0; i < columns.size(); i++) {
    const auto& collation = named[i]->collation;
    if (collation) StoredCollation(session, *collation, table.columns[columns[i]].type);
  }
  if (!statement.is_text) return;
  if (columns.size() > 1)
    ThrowNotSupported("a text index of a table is over one column; make one for each", positions[1]);
  const LogicalType& type = table.columns[columns[0]].type;
  if (type.id() == TypeId::kVarchar) return;
  ThrowError(ErrorKind::kBinder, sqlstate::kDatatypeMismatch,
             fmt::format("a text index needs a column of type varchar, not {}", type.ToString()),
             positions[0]);
}

/// Returns a text without the brackets around all of it, if it has them.
std::string WithoutBrackets(const ast::CreateIndexStatement& statement, const ast::IndexColumn& column) {
  const bool is_in_brackets = column.text.size() > 2 && column.text.front() == '(';
  if (column.text.empty())
    ThrowNotSupported("this form of an index expression is not supported; put it into brackets",
                      statement.position);
  return is_in_brackets ? column.text.substr(1, column.text.size() - 2) : column.text;
}

/// Returns whether an index over a plain column is over the keys of a collation.
bool CollationKeyNeeded(const BindSession& session, const ast::IndexColumn& column,
                        const ColumnDefinition& definition) {
  if (!column.collation) return HasCollationKey(definition);
  const std::string name = StoredCollation(session, *column.collation, definition.type);
  return !FindStoredCollation(name).HasPlainEquality();
}

/// The hidden columns of a table that an index needs. Borrows everything. Used once, for one statement.
class HiddenKeys {
 public:
  HiddenKeys(BindSession& session, TableEntryRef table, const ast::CreateIndexStatement& statement)
      : session_(session),
        statement_(statement),
        alteration_(session, table, statement.table.position),
        table_index_(session.NewTableIndex()),
        scope_(ScopeOfColumns(session, table->schema, table->name, table->columns, table_index_)),
        table_(std::move(table)) {
    level_.scope = &scope_;
    if (statement.where) BindCondition();
  }

  /// Returns the names of the index's columns, of which some are hidden ones.
  std::vector<std::string> Names() {
    std::vector<std::string> names;
    for (size_t i = 0; i < statement_.columns.size(); i++) {
      const ast::IndexColumn& column = statement_.columns[i];
      // The condition has to be in one column only. An expression is computed only where the condition holds,
      // as it may fail elsewhere.
      const bool is_conditional = statement_.where && (i == 0 || column.expression);
      const bool is_hidden = column.expression || is_conditional || NeedsKey(column);
      names.push_back(is_hidden ? AddHidden(column, is_conditional) : column.name);
    }
    return names;
  }

  /// Returns the change that adds the columns; null if they are there already.
  std::unique_ptr<BoundAlterTable> Finish() {
    return alteration_.result->rewrites ? alteration_.Finish() : nullptr;
  }

 private:
  /// Returns whether an index over a plain column needs the keys of its collation.
  bool NeedsKey(const ast::IndexColumn& column) const {
    if (statement_.is_text) return false;
    return CollationKeyNeeded(session_, column, OfColumn(column.name));
  }

  /// Refuses what makes an expression depend on more than its row.
  void CheckIsOfRow(const Expression& value, const char* what, size_t position) const {
    if (!IsImmutable(value)) {
      ThrowError(ErrorKind::kBinder, sqlstate::kInvalidObjectDefinition,
                 fmt::format("functions in {} must be immutable", what), position);
    }
    if (HasSubquery(value))
      ThrowNotSupported(fmt::format("subqueries are not supported in {}", what), position);
    const std::vector<bool> uses = ColumnsOf(value, table_index_, table_->columns.size());
    for (size_t i = 0; i < uses.size(); i++) {
      if (!uses[i] || !IsGenerated(table_->columns[i])) continue;
      ThrowNotSupported(fmt::format("{} cannot use generated column \"{}\"; repeat its expression", what,
                                    table_->columns[i].name),
                        position);
    }
  }

  void BindCondition() {
    ExpressionBinder binder(session_, level_, Clause::kIndexPredicate);
    CheckIsOfRow(*binder.BindBoolean(*statement_.where, "WHERE"), ClauseName(Clause::kIndexPredicate),
                 statement_.where->position);
  }

  /// Sets what the index is over at a column: the type, and the SQL, of the keys of texts that are equal
  /// though they differ.
  void BindKey(const ast::IndexColumn& column, ColumnDefinition& hidden) {
    std::string collate;
    bool needs_key = false;
    if (column.expression) {
      ExpressionBinder binder(session_, level_, Clause::kIndexExpression);
      const ExpressionPtr value = binder.BindSettled(*column.expression);
      CheckIsOfRow(*value, ClauseName(Clause::kIndexExpression), column.position);
      hidden.type = value->type();
      hidden.key_text = WithSchemasOfPath(session_.context(), WithoutBrackets(statement_, column));
      needs_key = CollationFor(session_, {value.get()}, KeyUse::kEquality).has_value();
    } else {
      const ColumnDefinition& definition = OfColumn(column.name);
      if (IsGenerated(definition)) {
        ThrowNotSupported(fmt::format("an index that is partial or follows a collation cannot be over "
                                      "generated column \"{}\"; repeat its expression",
                                      column.name),
                          column.position);
      }
      hidden.type = definition.type;
      hidden.key_text = IdentifierText(column.name);
      needs_key = HasCollationKey(definition);
    }
    if (column.collation) {
      const std::string name = StoredCollation(session_, *column.collation, hidden.type);
      needs_key = !FindStoredCollation(name).HasPlainEquality();
      collate = " COLLATE " + (name.empty() ? "\"default\"" : CollationText(name));
      // That of the column needs not be written.
      const bool is_own = !column.expression && OfColumn(column.name).collation == name;
      if (is_own || !needs_key) collate.clear();
      if (column.expression && !collate.empty()) hidden.key_text = "(" + hidden.key_text + ")";
    }
    if (!needs_key || statement_.is_text) return;
    hidden.type = TypeId::kVarchar;
    hidden.key_text = CollationKeyText(hidden.key_text + collate);
  }

  const ColumnDefinition& OfColumn(const std::string& name) const {
    return table_->columns[table_->FindVisibleColumn(name).value()];
  }

  /// Adds a hidden column, unless an index over the same has one. Returns its name.
  std::string AddHidden(const ast::IndexColumn& column, bool is_conditional) {
    ColumnDefinition hidden;
    BindKey(column, hidden);
    if (is_conditional) hidden.condition_text = WithSchemasOfPath(session_.context(), statement_.where_text);
    for (const ColumnDefinition& present : alteration_.draft.columns) {
      if (present.key_text == hidden.key_text && present.condition_text == hidden.condition_text)
        return present.name;
    }
    CompleteHidden(hidden, alteration_.draft.columns);
    alteration_.draft.columns.push_back(hidden);
    // Replaced at the end, as the value of every generated column.
    alteration_.origins.push_back({std::nullopt, MakeConstant(Value(hidden.type))});
    alteration_.result->rewrites = true;
    return hidden.name;
  }

  BindSession& session_;
  const ast::CreateIndexStatement& statement_;
  TableAlteration alteration_;
  size_t table_index_;
  Scope scope_;
  QueryLevel level_;
  TableEntryRef table_;
};

/// Returns the names that stand for the columns of an index in its own name, as PostgreSQL chooses them.
std::vector<std::string> NamesForName(const ast::CreateIndexStatement& statement) {
  std::vector<std::string> names;
  for (const ast::IndexColumn& column : statement.columns) {
    const bool is_call = column.expression && column.expression->kind == ast::ExpressionKind::kFunctionCall;
    names.push_back(!column.expression ? column.name : is_call ? ColumnNameOf(*column.expression) : "expr");
  }
  return names;
}

/// Returns the name of the index, which is free. Returns "" if IF NOT EXISTS finds one of its name.
std::string NameOfIndex(BindSession& session, const ast::CreateIndexStatement& statement,
                        const TableEntry& table) {
  const BinderContext& context = session.context();
  const auto exists = [&](const std::string& candidate) {
    return context.catalog.FindRelation(context.transaction, table.schema, candidate) != nullptr;
  };
  if (statement.name.empty()) {
    const bool is_whole = table.is_collection() && statement.columns[0].name == kWholeDocument;
    const std::string base = GeneratedName(
        table.name, is_whole ? std::vector<std::string>{"text"} : NamesForName(statement), "idx");
    std::string name = base;
    for (size_t number = 1; exists(name); number++) name = fmt::format("{}{}", base, number);
    return name;
  }
  if (!exists(statement.name)) return statement.name;
  if (statement.if_not_exists) return "";
  ThrowError(ErrorKind::kCatalog, sqlstate::kDuplicateTable,
             fmt::format("relation \"{}\" already exists", statement.name), statement.table.position);
}

bool NeedsHidden(const BindSession& session, const TableEntry& table,
                 const ast::CreateIndexStatement& statement) {
  if (statement.where) return true;
  return std::any_of(statement.columns.begin(), statement.columns.end(), [&](const ast::IndexColumn& column) {
    if (column.expression) return true;
    const auto position = statement.is_text ? std::nullopt : table.FindVisibleColumn(column.name);
    return position && CollationKeyNeeded(session, column, table.columns[*position]);
  });
}

}  // namespace

BoundStatementPtr BindCreateIndex(BindSession& session, const ast::CreateIndexStatement& statement) {
  if (statement.is_element_table) return BindCreateElementTable(session, statement);
  auto create = std::make_unique<BoundCreateIndex>();
  create->table = FindTableOrThrow(session, statement.table);
  if (create->table->is_collection()) {
    CheckPathsOfIndex(statement);
  } else {
    CheckColumnsOfIndex(session, *create->table, statement);
  }
  std::string name = NameOfIndex(session, statement, *create->table);
  if (name.empty()) return create;
  std::vector<std::string> names;
  if (NeedsHidden(session, *create->table, statement)) {
    HiddenKeys keys(session, create->table, statement);
    names = keys.Names();
    create->alter = keys.Finish();
  } else {
    for (const ast::IndexColumn& column : statement.columns) names.push_back(column.name);
  }
  const IndexKind kind = statement.is_text  ? IndexKind::kText
                         : statement.unique ? IndexKind::kUnique
                                            : IndexKind::kOrdered;
  create->index = std::make_shared<const IndexEntry>(create->table->schema, name, create->table->name,
                                                     std::move(names), kind, false);
  return create;
}

void DropHiddenColumns(BindSession& session, BoundDrop& drop) {
  const BinderContext& context = session.context();
  std::vector<std::pair<std::string, std::string>> done;
  for (const IndexEntryRef& index : drop.indexes) {
    const std::pair<std::string, std::string> name(index->schema, index->table);
    if (std::find(done.begin(), done.end(), name) != done.end()) continue;
    done.push_back(name);
    TableEntryRef table = context.catalog.Find<TableEntry>(context.transaction, index->schema, index->table);
    if (!table || !table->has_hidden_columns()) continue;
    std::vector<std::string> dropped;
    for (const IndexEntryRef& other : drop.indexes) {
      if (other->schema == index->schema && other->table == index->table) dropped.push_back(other->name);
    }
    TableAlteration alteration(session, std::move(table), 0);
    if (alteration.RemoveUnusedHidden(dropped)) drop.alters.push_back(alteration.Finish());
  }
}

}  // namespace scaup
