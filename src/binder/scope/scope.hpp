// Which columns a name can mean: the tables of one FROM clause, and the query levels around it.
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

/// A column as a scope offers it: a name and what it stands for (a column reference, or for FULL JOIN ...
/// USING the COALESCE of two). In what is visible, also all columns of a collection at once, which is not
/// asked for them before somebody names one: those but the `hidden` ones.
struct ScopeColumn {
  std::string name;
  ExpressionPtr value;
  std::shared_ptr<DocumentSource> documents = {};
  std::vector<std::string> hidden = {};

  ScopeColumn Clone() const;
};

/// A table of FROM under its alias.
struct ScopeTable {
  std::string schema;
  std::string alias;  ///< "" for one that cannot be named
  std::vector<ScopeColumn> columns;
  bool is_value = false;  ///< of a function that gives plain values: the alias alone means the value
  /// The paths of a collection, which has no other columns. Null for tables.
  std::shared_ptr<DocumentSource> documents = {};

  /// The columns, those of a collection included.
  std::vector<ScopeColumn> AllColumns() const;
};

/// The columns of a FROM clause, or of a part of it. Not shared.
class Scope {
 public:
  /// The scope of a single table.
  static Scope OfTable(ScopeTable table);
  Scope Clone() const;
  /// Everything of both; throws 42712 when an alias occurs in both.
  static Scope Combine(Scope left, Scope right, size_t position);

  const std::vector<ScopeTable>& tables() const { return tables_; }
  std::vector<ScopeTable>& tables() { return tables_; }
  /// The columns that * stands for and that unqualified names can mean: columns merged by USING stand once,
  /// first.
  const std::vector<ScopeColumn>& visible() const { return visible_; }
  std::vector<ScopeColumn>& visible() {
    ForgetNames();
    return visible_;
  }
  /// The visible columns, with each column of a collection.
  std::vector<ScopeColumn> AllVisible() const;
  /// Columns of these names are visible no more.
  void Hide(const std::vector<std::string>& names);
  /// Names that mean paths of `old` mean those of `documents` instead.
  void ReplaceDocuments(const DocumentSource& old, std::shared_ptr<DocumentSource> documents);

  /// The visible column of that name, or null. Throws 42702 when there are several. To the query of a view,
  /// keys of documents that are newer than it give way to other columns.
  const ScopeColumn* FindVisible(std::string_view name, size_t position) const;
  /// False where only documents have the visible column of that name, and had it not when the view was made
  /// whose query is bound.
  bool IsOldName(std::string_view name) const;
  const ScopeTable* FindTable(std::string_view schema, std::string_view alias) const;

 private:
  /// By name, the places of visible columns. Made when a name is first looked for among many columns, as each
  /// of them may be; thrown away when the columns change.
  struct Names {
    std::unordered_map<std::string_view, std::vector<size_t>> places;
    std::vector<size_t> documents;  ///< of collections, which may have any name
  };
  const Names& NamesOfVisible() const;
  void ForgetNames() { names_.reset(); }

  std::vector<ScopeTable> tables_;
  std::vector<ScopeColumn> visible_;
  mutable std::unique_ptr<Names> names_;
};

/// The column of a table, or null. Throws 42702 when there are several.
const ScopeColumn* FindColumn(const ScopeTable& table, std::string_view name, size_t position);

/// One query while it is bound; a stack of them by `outer`. Lives on the binder's stack.
struct QueryLevel {
  QueryLevel* outer = nullptr;
  /// Null until FROM is bound.
  const Scope* scope = nullptr;
  /// WITH queries of this level; a name sees those before it.
  const std::vector<ast::CommonTableExpression>* with = nullptr;
  size_t visible_with = 0;
  /// The WINDOW clause of this level; null if there is none.
  const std::vector<ast::WindowSpecification>* windows = nullptr;
  /// Set in a level that stands between the body of a WITH query and the query that uses it: names skip the
  /// levels up to this one, where the WITH stands, and see only the first `defining_with` queries of it. Such
  /// a level does not count in outer_level.
  const QueryLevel* defined_at = nullptr;
  size_t defining_with = 0;
  /// WITH queries of this level that were bound apart, by their place in `with`, and in the order in which
  /// they can be computed.
  std::vector<std::shared_ptr<struct CteInBinding>> bound_with;
  std::vector<std::shared_ptr<struct BoundCte>> ctes;
  /// WITH RECURSIVE: the queries see one another, whatever their order.
  bool is_recursive = false;
  /// FROM names the recursive query that this one is a part of.
  bool reads_round = false;
  /// The SELECT that takes the aggregates over this level's columns, those of subqueries too; null where
  /// there can be none.
  struct BoundSelect* select = nullptr;
  /// Whose subquery is bound; null while it is one in FROM.
  const class ExpressionBinder* subquery_of = nullptr;
  /// GROUPING over this level's columns stands in a subquery.
  bool asks_grouping = false;
  /// The expression that merge_action() stands for; null outside of MERGE's RETURNING.
  const Expression* merge_action = nullptr;
};

/// A WITH query found by name, and where it stands.
struct FoundWith {
  const ast::CommonTableExpression* query = nullptr;
  QueryLevel* level = nullptr;
  size_t index = 0;
};
std::optional<FoundWith> FindWith(QueryLevel& level, std::string_view name);
/// The level in which columns with that outer_level live. REQUIRES: there is one.
QueryLevel& LevelAt(QueryLevel& level, size_t outer_level);

/// For messages: "; did you mean ...?", or nothing where no candidate is like the name.
std::string DidYouMean(std::string_view name, const std::vector<std::string>& candidates);
/// The expression for a column by its one to three names; outer_level says in which level it was found.
/// Throws 42703 and 42P01 with suggestions, and 42702.
ExpressionPtr ResolveColumn(const QueryLevel& level, const ast::Column& column);
/// The columns of the table whose alias a single name is, when no column has that name: it means the whole
/// row. Null if there is none. `is_row`: columns of that name do not matter.
std::optional<ScopeTable> FindWholeRow(const QueryLevel& level, const ast::Column& column,
                                       bool is_row = false);
/// How many of the names name the column; those behind it are fields of a struct, as in table.column.field.
size_t CountColumnNames(const QueryLevel& level, const ast::Column& column);
/// The value of a path that is written without quotes, as in nested.key or collection.nested.key; null where
/// no collection has such a one. Names that mean something else come first.
ExpressionPtr ResolvePath(const QueryLevel& level, const ast::Column& column);
/// Whether names that mean nothing are a key path that no document has: of a collection whose documents have
/// no keys at all, which comes before columns of queries further out, or, if `may_be_unknown`, of any.
bool IsUnknownKey(const QueryLevel& level, const ast::Column& column, bool may_be_unknown);
/// The tables that `qualifier`.* can mean at this level alone. Throws 42P01.
const ScopeTable& ResolveStar(const QueryLevel& level, const ast::Star& star);

}  // namespace scaup
