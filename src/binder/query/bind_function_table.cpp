// Binds functions in FROM: table functions, set-returning functions, and scalar functions as one row.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "binder/bound/subquery_expression.hpp"
#include "binder/query/from_item.hpp"
#include "binder/query/record_function.hpp"
#include "binder/query/table_arguments.hpp"
#include "binder/query/table_scope.hpp"
#include "binder/scope/coercion.hpp"
#include "binder/scope/document_value.hpp"
#include "binder/scope/expression_binder.hpp"
#include "binder/scope/function_use.hpp"
#include "binder/scope/nested_expressions.hpp"
#include "common/similar_name.hpp"
#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "system/system_relations.hpp"
#include "system/table_function_registry.hpp"

namespace scaup {

namespace {

bool HasParameter(const Expression& expression) {
  CheckStack();
  bool found = expression.kind() == ExpressionKind::kParameter;
  expression.ForEachChild([&](const Expression& child) { found = found || HasParameter(child); });
  return found;
}

/// Decides which kind of function a call in FROM means, and binds it.
class FunctionTableBinder {
 public:
  FunctionTableBinder(BindSession& session, QueryLevel& level, const ItemsBefore& before)
      : session_(session), level_(level), before_(before) {}

  BoundFrom Bind(const ast::FunctionTable& table) {
    CheckStack(kRowStackReserve);  // binding may read the beginning of a file
    const ast::FunctionCall& call = *table.call;
    const std::string& name = call.name.back();
    if (table.record || IsRecordFunction(name)) return BindSets(table);
    if (table.further_calls.empty()) {
      if (std::optional<BoundFrom> rows = BindRowsFunction(session_, level_, before_, table))
        return std::move(*rows);
      const std::optional<FunctionResult> result = ResultOfUse(session_, call);
      if (result) return *result == FunctionResult::kRows ? BindRows(table) : BindSets(table);
    }
    const TableFunction* function = TableFunctionRegistry::Builtin().Find(name);
    if (!table.further_calls.empty()) return BindSets(table);
    if (FindSetFunction(session_, name) != nullptr) {
      if (function == nullptr || table.with_ordinality || IsComputed(call)) return BindSets(table);
    }
    const bool is_value =
        function == nullptr && !call.over && !session_.context().registry.ScalarOverloads(name).empty();
    if (is_value) return BindSets(table);
    if (call.over) {
      ThrowError(ErrorKind::kBinder, sqlstate::kWindowingError,
                 "window functions are not allowed in functions in FROM", call.position);
    }
    if (table.with_ordinality) ThrowNotSupported("WITH ORDINALITY is not supported", table.position);
    if (function == nullptr) {
      std::vector<std::string> candidates;
      for (const TableFunction& candidate : TableFunctionRegistry::Builtin().All()) {
        if (!IsSystemRelation(candidate)) candidates.push_back(candidate.name);
      }
      const std::string similar = MostSimilar(name, candidates);
      ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedFunction,
                 fmt::format("table function \"{}\" does not exist{}", name,
                             similar.empty() ? "" : fmt::format("; did you mean \"{}\"?", similar)),
                 call.position);
    }
    TableFunctionArguments arguments =
        before_.See(call.position, [&] { return BindArguments(*function, call); });
    return BindTableFunctionCall(session_, *function, std::move(arguments), table, name, call.position);
  }

 private:
  /// Binds a function of the user that returns rows, which may use preceding FROM items.
  BoundFrom BindRows(const ast::FunctionTable& table) {
    const ast::FunctionCall& call = *table.call;
    if (table.with_ordinality) ThrowNotSupported("WITH ORDINALITY is not supported", table.position);
    return before_.See(call.position, [&] {
      ExpressionBinder binder(session_, level_, Clause::kTableFunction);
      FunctionUse use = FindFunctionUse(binder, call).value();
      const bool takes_alias =
          !use.function->is_macro() && use.function->columns().empty() && !table.alias.empty();
      BoundQueryPtr query = BindFunctionRows(session_, std::move(use));
      if (takes_alias) query->names[0] = table.alias;
      NoteDocumentColumns(session_, *query, query->table_index);
      Scope scope = MakeScope(table, call.name.back(), query->table_index, query->names, query->types, "");
      return BoundFrom{std::make_unique<BoundQueryTable>(std::move(query)), std::move(scope)};
    });
  }

  /// Binds set-returning functions, read in parallel, whose arguments may use preceding FROM items. A set of
  /// structs has the fields as columns, except for unnest().
  BoundFrom BindSets(const ast::FunctionTable& table) {
    const size_t table_index = session_.NewTableIndex();
    std::vector<ExpressionPtr> lists;
    std::vector<ScopeColumn> columns;
    AddSets(table, *table.call, table_index, lists, columns);
    for (const auto& call : table.further_calls) AddSets(table, *call, table_index, lists, columns);
    if (table.with_ordinality) {
      columns.push_back(
          {"ordinality", std::make_unique<ColumnRefExpression>(
                             TypeId::kBigInt, ColumnBinding{table_index, lists.size()}, "ordinality")});
    }
    Scope scope = NamedScope(table, table.call->name.back(), "", std::move(columns));
    scope.tables()[0].is_value = scope.visible().size() == 1;
    return {std::make_unique<BoundUnnest>(table_index, std::move(lists), table.with_ordinality),
            std::move(scope)};
  }

  void AddSets(const ast::FunctionTable& table, const ast::FunctionCall& call, size_t table_index,
               std::vector<ExpressionPtr>& lists, std::vector<ScopeColumn>& columns) {
    const std::string& name = call.name.back();
    const ScalarFunction* function = FindSetFunction(session_, name);
    std::vector<ExpressionPtr> added = before_.See(call.position, [&] {
      ExpressionBinder binder(session_, level_, Clause::kTableFunction);
      if (table.record || IsRecordFunction(name)) return BindRecords(binder, table, call);
      if (function != nullptr) return BindSetCall(binder, call);
      // A scalar function becomes a set with one element.
      std::vector<ExpressionPtr> value, list;
      value.push_back(binder.BindSettled(call));
      list.push_back(MakeScalarCall(session_, "list_value", std::move(value), call.position));
      return list;
    });
    const bool has_set_column = function != nullptr && !function->set_column.empty();
    const bool takes_alias = added.size() == 1 && table.further_calls.empty() && !table.alias.empty();
    const std::string& column = has_set_column ? function->set_column : takes_alias ? table.alias : name;
    for (ExpressionPtr& list : added) {
      const LogicalType type = list->type().element();
      auto value =
          std::make_unique<ColumnRefExpression>(type, ColumnBinding{table_index, lists.size()}, column);
      NoteDocumentColumn(session_, value->binding, *list);
      lists.push_back(std::move(list));
      if (type.id() != TypeId::kStruct || IsUnion(type) || name == kUnnestFunction) {
        columns.push_back({column, std::move(value)});
        continue;
      }
      for (const StructField& field : type.fields()) {
        columns.push_back(
            {field.name, MakeFieldAccess(session_, value->Clone(), field.name, table.position)});
      }
    }
  }

  /// Returns whether the arguments depend on rows or parameters. If so, the function is called when they are
  /// known, otherwise when it is bound.
  bool IsComputed(const ast::FunctionCall& call) {
    return before_.See(call.position, [&] {
      ExpressionBinder binder(session_, level_, Clause::kTableFunction);
      return std::any_of(call.arguments.begin(), call.arguments.end(), [&](const auto& argument) {
        const ExpressionPtr bound = binder.Bind(*argument);
        bool is_computed = HasSubquery(*bound) || HasParameter(*bound);
        ForEachColumnRef(*bound, [&](const ColumnRefExpression&) { is_computed = true; });
        return is_computed;
      });
    });
  }

  /// Returns the column a of a = b as an argument of a function with named arguments; null for another one.
  static const ast::Column* NameBeforeEqual(const TableFunction& function, const ast::Expression& syntax) {
    if (function.named_arguments.empty() || syntax.kind != ast::ExpressionKind::kOperator) return nullptr;
    const auto& op = syntax.As<ast::Operator>();
    if (op.symbol != "=" || !op.left || op.left->kind != ast::ExpressionKind::kColumn) return nullptr;
    const auto& column = op.left->As<ast::Column>();
    return column.names.size() == 1 ? &column : nullptr;
  }

  TableFunctionArguments BindArguments(const TableFunction& function, const ast::FunctionCall& call) {
    TableFunctionArguments result;
    ExpressionBinder binder(session_, level_, Clause::kTableFunction);
    for (size_t i = 0; i < call.arguments.size(); i++) {
      const ast::Expression* syntax = call.arguments[i].get();
      std::string name = i < call.argument_names.size() ? call.argument_names[i] : "";
      // name = value, as DuckDB writes name => value.
      if (const ast::Column* named = name.empty() ? NameBeforeEqual(function, *syntax) : nullptr) {
        name = named->names[0];
        syntax = syntax->As<ast::Operator>().right.get();
      }
      ExpressionPtr value = binder.BindSettled(*syntax);
      if (HasSubquery(*value)) {
        ThrowNotSupported(fmt::format("subqueries are not supported as arguments of {}", function.name),
                          call.arguments[i]->position);
      }
      LogicalType type = TypeId::kNull;
      if (!name.empty()) {
        const auto found = function.named_arguments.find(name);
        if (found == function.named_arguments.end())
          ThrowUnknownArgument(function, name, call.arguments[i]->position);
        type = found->second;
      } else if (result.positional.size() < function.argument_types.size()) {
        type = function.argument_types[result.positional.size()];
      } else {
        ThrowArgumentCount(function, call.position);
      }
      if (type.id() != TypeId::kNull) value = Coerce(session_, std::move(value), type);
      Value constant = EvaluateForBinding(session_, *value, fmt::format("an argument of {}", function.name));
      if (name.empty()) {
        result.positional.push_back(std::move(constant));
      } else {
        result.named[name] = std::move(constant);
      }
    }
    if (result.positional.size() + function.optional_arguments < function.argument_types.size()) {
      ThrowArgumentCount(function, call.position);
    }
    return result;
  }

  BindSession& session_;
  QueryLevel& level_;
  const ItemsBefore& before_;
};

}  // namespace

BoundFrom BindFunctionTable(BindSession& session, QueryLevel& level, const ItemsBefore& before,
                            const ast::FunctionTable& table) {
  return FunctionTableBinder(session, level, before).Bind(table);
}

BoundFrom BindTableFunctionCall(BindSession& session, const TableFunction& function,
                                const TableFunctionArguments& arguments, const ast::TableRef& table,
                                const std::string& default_alias, size_t position,
                                const std::string& schema) {
  std::shared_ptr<const BoundTableFunction> bound;
  try {
    bound = function.bind(session.context().functions, arguments);
  } catch (Error& error) {
    error.SetPositionIfUnknown(position);
    throw;
  }
  return MakeTableFunctionCall(session, function, arguments, std::move(bound), table, default_alias, schema);
}

BoundFrom MakeTableFunctionCall(BindSession& session, const TableFunction& function,
                                const TableFunctionArguments& arguments,
                                std::shared_ptr<const BoundTableFunction> bound, const ast::TableRef& table,
                                const std::string& default_alias, const std::string& schema) {
  const size_t table_index = session.NewTableIndex();
  std::vector<std::string> names = bound->column_names;
  // FROM generate_series(1, 3) AS i: the alias is also the name of the only column.
  if (names.size() == 1 && names[0] == function.name && !table.alias.empty()) names[0] = table.alias;
  Scope scope = MakeScope(table, default_alias, table_index, names, bound->column_types, schema);
  return {std::make_unique<BoundTableFunctionCall>(table_index, function, arguments, std::move(bound)),
          std::move(scope)};
}

}  // namespace scaup
