// Items of FROM that are bound in files of their own: named tables, and functions.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "binder/scope/query_binder.hpp"
#include "function/table_function.hpp"

namespace scaup {

/// The scopes of the FROM items in front of one: LATERAL items and the arguments of functions may use their
/// columns. Everything is borrowed. Used by one thread.
class ItemsBefore {
 public:
  explicit ItemsBefore(QueryLevel& level) : level_(level) {}

  void Push(const Scope& scope) { scopes_.push_back(&scope); }
  void Pop() { scopes_.pop_back(); }
  /// Calls `bind` while the names of the level are those of these items, and returns its result. Throws 42712
  /// with the position if two of them have the same alias.
  template <typename Bind>
  auto See(size_t position, const Bind& bind) const {
    const Scope visible = Combined(position);
    const Scope* scope = std::exchange(level_.scope, &visible);
    auto bound = bind();
    level_.scope = scope;
    return bound;
  }

 private:
  Scope Combined(size_t position) const;

  QueryLevel& level_;
  std::vector<const Scope*> scopes_;
};

/// Binds what a name in FROM refers to: a WITH query, table, collection, view, file, system relation or table
/// of the program.
BoundFrom BindNamedTable(BindSession& session, QueryLevel& level, const ast::NamedTable& table);

BoundFrom BindPivot(BindSession& session, QueryLevel& level, const ast::PivotTable& pivot);
/// Binds a call of a table function or, as a table, of set-returning and scalar functions.
BoundFrom BindFunctionTable(BindSession& session, QueryLevel& level, const ItemsBefore& before,
                            const ast::FunctionTable& table);
/// Binds a call of a function of the program that returns rows; none if the call means no such function.
std::optional<BoundFrom> BindRowsFunction(BindSession& session, QueryLevel& level, const ItemsBefore& before,
                                          const ast::FunctionTable& table);
/// Makes the table of a call whose arguments are constants. Errors of the function get the position.
BoundFrom BindTableFunctionCall(BindSession& session, const TableFunction& function,
                                const TableFunctionArguments& arguments, const ast::TableRef& table,
                                const std::string& default_alias, size_t position,
                                const std::string& schema = "");
/// Makes the table of a call that has been bound.
BoundFrom MakeTableFunctionCall(BindSession& session, const TableFunction& function,
                                const TableFunctionArguments& arguments,
                                std::shared_ptr<const BoundTableFunction> bound, const ast::TableRef& table,
                                const std::string& default_alias, const std::string& schema);

}  // namespace scaup
