// Name resolution: the columns of one FROM clause, and the query levels around it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "binder/scope/bind_session.hpp"
#include "expression/expression.hpp"
#include "parser/ast/statement.hpp"

namespace scaup {

class DocumentSource;
struct BoundBaseTable;

/// A visible name and its value: a column reference or, for FULL JOIN ... USING, the COALESCE of two. If
/// `documents` is set, it stands for all columns of a collection except the `hidden` ones. They are not
/// enumerated before a name is looked up.
struct ScopeColumn {
  std::string name;
  ExpressionPtr value;
  std::shared_ptr<DocumentSource> documents = {};
  std::vector<std::string> hidden = {};

  ScopeColumn Clone() const;
};

/// A table in FROM under its alias.
struct ScopeTable {
  std::string schema;
  std::string alias;  ///< "" if it cannot be named
  std::vector<ScopeColumn> columns;
  bool is_value = false;  ///< a function that returns plain values: the alias alone is the value
  /// The paths of a collection, which has no other columns; null for tables.
  std::shared_ptr<DocumentSource> documents = {};
  /// The table in the bound query, whose rows `rowid` and `ctid` number; null if these are not rows of a
  /// table.
  BoundBaseTable* stored = nullptr;
  /// The database of a stored relation, by whose name it may be called, too, and its schema there; "" for
  /// others.
  std::string database = {};
  std::string database_schema = {};
  /// The quoted name of a table or system relation of the database in use, whose number is `tableoid`; "" for
  /// others.
  std::string relation = {};
  /// Whether its rows are being inserted: they get their numbers when the transaction commits.
  bool is_inserted = false;

  /// Returns all columns, including those of a collection.
  std::vector<ScopeColumn> AllColumns() const;
  /// Returns whether a name in front of the alias means it: its schema, its database or database.schema.
  bool IsIn(std::string_view qualifier) const;
};

/// The columns of a FROM clause, or of a part of one. Not shared.
class Scope {
 public:
  /// Makes the scope of a single table.
  static Scope OfTable(ScopeTable table);
  Scope Clone() const;
  /// Combines two scopes. Throws 42712 if an alias occurs in both, or a table of the same schema.
  static Scope Combine(Scope left, Scope right, size_t position);

  const std::vector<ScopeTable>& tables() const { return tables_; }
  std::vector<ScopeTable>& tables() { return tables_; }
  /// Returns the columns of *, which are also those that unqualified names can refer to. Columns merged by
  /// USING come first and occur once.
  const std::vector<ScopeColumn>& visible() const { return visible_; }
  std::vector<ScopeColumn>& visible() {
    ForgetNames();
    return visible_;
  }
  /// Returns the visible columns, including each column of a collection.
  std::vector<ScopeColumn> AllVisible() const;
  /// Makes the columns of these names invisible.
  void Hide(const std::vector<std::string>& names);
  /// Makes names that refer to paths of `old` refer to those of `documents`.
  void ReplaceDocuments(const DocumentSource& old, std::shared_ptr<DocumentSource> documents);

  /// Returns the visible column of that name, or null. Throws 42702 if there are several. In the query of a
  /// view, other columns take precedence over keys of documents that are newer than the view.
  const ScopeColumn* FindVisible(std::string_view name, size_t position) const;
  /// Returns false if only documents have the visible column of that name, and did not have it when the view
  /// was created whose query is being bound.
  bool IsOldName(std::string_view name) const;
  /// Returns the table of that name, or null; an empty schema stands for any, and ScopeTable::IsIn tells what
  /// else may. Throws 42P09 if there are
  /// several, in different schemas.
  const ScopeTable* FindTable(std::string_view schema, std::string_view alias, size_t position) const;

 private:
  /// Index of the visible columns by name. Built at the first lookup among many columns; discarded when the
  /// columns change.
  struct Names {
    std::unordered_map<std::string_view, std::vector<size_t>> places;
    std::vector<size_t> documents;  ///< entries of collections, which may match any name
  };
  const Names& NamesOfVisible() const;
  void ForgetNames() { names_.reset(); }

  std::vector<ScopeTable> tables_;
  std::vector<ScopeColumn> visible_;
  mutable std::unique_ptr<Names> names_;
};

/// Returns the column of a table, or null. Throws 42702 if there are several.
const ScopeColumn* FindColumn(const ScopeTable& table, std::string_view name, size_t position);

/// COLUMNS(...) in an expression, which is bound once for each of these columns. Used while it is bound.
struct ColumnsExpansion {
  size_t index = 0;                ///< the column that the expression is bound for now
  std::vector<std::string> names;  ///< of all columns; empty until the first COLUMNS is bound
};

/// A query that is being bound; `outer` links it to the enclosing one. Lives on the binder's stack.
struct QueryLevel {
  QueryLevel* outer = nullptr;
  /// The expansion of COLUMNS(...); null where it may not stand.
  ColumnsExpansion* columns = nullptr;
  /// The columns of FROM; null until FROM is bound.
  const Scope* scope = nullptr;
  /// WITH queries of this level. A query sees only those before it.
  const std::vector<ast::CommonTableExpression>* with = nullptr;
  size_t visible_with = 0;
  /// The WINDOW clause of this level; null if there is none.
  const std::vector<ast::WindowSpecification>* windows = nullptr;
  /// The items of SELECT whose aliases expressions may use for them: the first `visible_items` of `items`;
  /// null where no item is visible yet.
  const std::vector<ast::SelectItem>* items = nullptr;
  size_t visible_items = 0;
  size_t alias_uses = 0;
  /// Set in a level between the body of a WITH query and the query that uses it. Name lookup skips the levels
  /// up to this one, which defines the WITH query, and sees only its first `defining_with` WITH queries. Such
  /// a level does not count in outer_level.
  const QueryLevel* defined_at = nullptr;
  size_t defining_with = 0;
  /// The columns are the arguments of a function whose body is bound within: no column of the body, and none
  /// whose level aggregates.
  bool is_function = false;
  /// The columns are the rows OLD and NEW of a trigger, whose values are no columns of any query.
  bool is_trigger = false;
  /// WITH queries of this level that are bound separately: `bound_with` by position in `with`, `ctes` in an
  /// order in which they can be computed.
  std::vector<std::shared_ptr<struct CteInBinding>> bound_with;
  std::vector<std::shared_ptr<struct BoundCte>> ctes;
  /// WITH RECURSIVE: all WITH queries see one another, in any order.
  bool is_recursive = false;
  /// FROM refers to the recursive query that this query is a part of.
  bool reads_round = false;
  /// The SELECT that computes the aggregates over this level's columns, including those in subqueries; null
  /// if aggregates are not allowed.
  struct BoundSelect* select = nullptr;
  /// The place of the subquery that is being bound; null for a query in FROM.
  const class ExpressionPlace* subquery_of = nullptr;
  /// A subquery contains GROUPING over this level's columns.
  bool asks_grouping = false;
  /// The value of merge_action(); null outside of MERGE's RETURNING.
  const Expression* merge_action = nullptr;
};

/// A WITH query found by name, and the level that defines it.
struct FoundWith {
  const ast::CommonTableExpression* query = nullptr;
  QueryLevel* level = nullptr;
  size_t index = 0;
};
std::optional<FoundWith> FindWith(QueryLevel& level, std::string_view name);
/// Returns the argument of that index of the innermost function whose body is being bound; null outside of
/// functions. Throws 42P02 if it has fewer.
ExpressionPtr ResolveArgument(const QueryLevel& level, size_t index, size_t position);
/// Returns whether an outer_level is that of the arguments of a function, or leads out of its body.
bool LeavesBody(QueryLevel& level, size_t outer_level);
/// Returns the level that an outer_level refers to. REQUIRES: it exists.
QueryLevel& LevelAt(QueryLevel& level, size_t outer_level);

/// Returns "; did you mean ...?" for an error message; "" if no candidate is similar to the name.
std::string DidYouMean(std::string_view name, const std::vector<std::string>& candidates);
/// Returns the position of the item whose alias a name means, because no level has a column of that name;
/// nullopt if there is none. Throws 42702 if there are several.
std::optional<size_t> FindReusedAlias(const QueryLevel& level, const ast::Column& column);
/// Resolves a column of one to four names. Its outer_level says in which level it was found. Throws 42703
/// and 42P01 with suggestions, and 42702.
ExpressionPtr ResolveColumn(const QueryLevel& level, const ast::Column& column);
/// Returns the columns of the table whose alias is this single name; as a value, the name means the whole
/// row. Returns nullopt if there is no such table, or if a column has that name; with `is_row`, columns are
/// ignored.
std::optional<ScopeTable> FindWholeRow(const QueryLevel& level, const ast::Column& column,
                                       bool is_row = false);
/// Returns how many of the names are the column's. The rest are fields of a struct, as in table.column.field.
size_t CountColumnNames(const QueryLevel& level, const ast::Column& column);
/// Resolves a path written without quotes, such as nested.key or collection.nested.key. Returns null if no
/// collection has it. Other meanings of the names take precedence.
ExpressionPtr ResolvePath(const QueryLevel& level, const ast::Column& column);
/// Returns whether unresolved names are a key path that no document has yet: a path of a collection whose
/// documents have no keys at all or, if `may_be_unknown`, of any collection. The former takes precedence over
/// columns of outer queries.
bool IsUnknownKey(const QueryLevel& level, const ast::Column& column, bool may_be_unknown);
/// Returns the table of `qualifier`.*, looking at this level, and for OLD and NEW at that of a trigger.
/// Throws 42P01.
const ScopeTable& ResolveStar(const QueryLevel& level, const ast::Star& star);

}  // namespace scaup
