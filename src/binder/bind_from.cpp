// FROM: tables, files, functions, derived tables, WITH queries and joins.
#include <fmt/format.h>

#include <algorithm>

#include "binder/coercion.hpp"
#include "binder/expression_binder.hpp"
#include "binder/query_binder.hpp"
#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "function/table/csv/read_csv.hpp"
#include "type/type_name.hpp"
#include "type/type_rules.hpp"

namespace scaup {

namespace {

class FromBinder {
 public:
  FromBinder(BindSession& session, QueryLevel& level) : session_(session), level_(level) {}

  BoundFrom Bind(const ast::TableRef& table) {
    switch (table.kind) {
      case ast::TableRefKind::kTable: return BindNamed(table.As<ast::NamedTable>());
      case ast::TableRefKind::kJoin: return BindJoin(table.As<ast::Join>());
      case ast::TableRefKind::kSubquery: return BindDerived(table.As<ast::SubqueryTable>());
      case ast::TableRefKind::kFunction: return BindFunction(table.As<ast::FunctionTable>());
    }
    ThrowInternal("unknown table reference");
  }

 private:
  BoundFrom BindNamed(const ast::NamedTable& table) {
    if (table.schema.empty()) {
      if (const auto with = FindWith(level_, table.name)) return BindWith(*with, table);
    }
    const BinderContext& context = session_.context();
    TableEntryRef entry = context.catalog.FindTable(context.transaction, table.schema, table.name);
    if (!entry && table.schema.empty() && LooksLikeCsvPath(table.name)) return BindFile(table);
    if (!entry) entry = FindTableOrThrow(session_, table);
    const size_t table_index = session_.NewTableIndex();
    std::vector<std::string> names;
    std::vector<LogicalType> types;
    for (const auto& column : entry->columns) {
      names.push_back(column.name);
      types.push_back(column.type);
    }
    Scope scope = MakeScope(table, table.name, table_index, names, types, entry->schema);
    return {std::make_unique<BoundBaseTable>(table_index, std::move(entry)), std::move(scope)};
  }

  /// FROM 'data.csv'
  BoundFrom BindFile(const ast::NamedTable& table) {
    TableFunctionArguments arguments;
    arguments.positional.push_back(Value::Varchar(table.name));
    size_t begin = table.name.find_last_of('/');
    begin = begin == std::string::npos ? 0 : begin + 1;
    const std::string stem = table.name.substr(begin, table.name.find('.', begin) - begin);
    return BindCall(*session_.context().registry.FindTableFunction("read_csv"), arguments, table, stem,
                    table.position);
  }

  /// The body is bound anew for every use, as if it stood where the WITH stands.
  BoundFrom BindWith(const FoundWith& with, const ast::NamedTable& table) {
    QueryLevel level;
    level.outer = &level_;
    level.defined_at = with.level;
    level.defining_with = with.index;
    BoundQueryPtr query = BindQuery(session_, *with.query->query, &level);
    RenameColumns(query->names, with.query->column_aliases, with.query->name, with.query->position);
    return FromQuery(std::move(query), table, table.name);
  }

  BoundFrom BindDerived(const ast::SubqueryTable& table) {
    if (table.lateral) ThrowNotSupported("LATERAL is not supported", table.position);
    return FromQuery(BindQuery(session_, *table.query, &level_), table, "");
  }

  BoundFrom FromQuery(BoundQueryPtr query, const ast::TableRef& table, const std::string& name) {
    Scope scope = MakeScope(table, name, query->table_index, query->names, query->types, "");
    return {std::make_unique<BoundQueryTable>(std::move(query)), std::move(scope)};
  }

 public:
  /// unnest(lists), which may use the columns of `left`, what stands before it in FROM (nothing: its table is
  /// null). If it does, what comes back holds `left` too, and `left` is taken.
  BoundFrom BindUnnest(const ast::FunctionTable& table, BoundFrom& left, bool is_outer) {
    const ast::FunctionCall& call = *table.call;
    const Scope* before = level_.scope;
    if (left.table) level_.scope = &left.scope;
    ExpressionBinder binder(session_, level_, Clause::kTableFunction);
    std::vector<ExpressionPtr> lists;
    for (const auto& argument : call.arguments) lists.push_back(BindList(binder, *argument));
    level_.scope = before;
    if (lists.empty()) {
      ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedFunction, "unnest() needs a list", call.position);
    }
    bool uses_left = false;
    std::vector<std::string> names;
    std::vector<LogicalType> types;
    for (const ExpressionPtr& list : lists) {
      ForEachColumnRef(*list,
                       [&](const ColumnRefExpression& column) { uses_left |= column.outer_level == 0; });
      names.push_back(lists.size() == 1 && !table.alias.empty() ? table.alias : kUnnestFunction);
      types.push_back(list->type().element());
    }
    if (table.with_ordinality) {
      names.push_back("ordinality");
      types.push_back(TypeId::kBigInt);
    }
    const size_t table_index = session_.NewTableIndex();
    Scope scope = MakeScope(table, kUnnestFunction, table_index, names, types, "");
    auto unnest = std::make_unique<BoundUnnest>(table_index, uses_left ? std::move(left.table) : nullptr,
                                                std::move(lists));
    unnest->has_ordinality = table.with_ordinality;
    unnest->is_outer = uses_left && is_outer;
    if (uses_left) scope = Scope::Combine(std::move(left.scope), std::move(scope), table.position);
    return {std::move(unnest), std::move(scope)};
  }

  static bool IsUnnest(const ast::TableRef& table) {
    return table.kind == ast::TableRefKind::kFunction &&
           table.As<ast::FunctionTable>().call->name.back() == kUnnestFunction;
  }

 private:
  /// A list; of lists of lists the elements of the innermost are one list.
  ExpressionPtr BindList(ExpressionBinder& binder, const ast::Expression& syntax) {
    ExpressionPtr list = binder.BindSettled(syntax);
    if (list->type().id() != TypeId::kList) {
      ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedFunction,
                 fmt::format("function unnest({}) does not exist; unnest takes lists",
                             PostgresTypeName(list->type())),
                 syntax.position);
    }
    if (list->type().element().id() != TypeId::kList) return list;
    std::vector<ExpressionPtr> arguments;
    arguments.push_back(std::move(list));
    return MakeScalarCall(session_, "list_leaves", std::move(arguments), syntax.position);
  }

  BoundFrom BindFunction(const ast::FunctionTable& table) {
    if (IsUnnest(table)) {
      BoundFrom nothing;
      return BindUnnest(table, nothing, false);
    }
    const ast::FunctionCall& call = *table.call;
    const std::string& name = call.name.back();
    if (call.over) {
      ThrowError(ErrorKind::kBinder, sqlstate::kWindowingError,
                 "window functions are not allowed in functions in FROM", call.position);
    }
    if (table.with_ordinality) ThrowNotSupported("WITH ORDINALITY is not supported", table.position);
    const FunctionRegistry& registry = session_.context().registry;
    const TableFunction* function = registry.FindTableFunction(name);
    if (function == nullptr) {
      std::vector<std::string> candidates;
      for (const TableFunction* candidate : registry.AllTable()) candidates.push_back(candidate->name);
      const std::string similar = MostSimilar(name, candidates);
      ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedFunction,
                 fmt::format("table function \"{}\" does not exist{}", name,
                             similar.empty() ? "" : fmt::format("; did you mean \"{}\"?", similar)),
                 call.position);
    }
    return BindCall(*function, BindArguments(*function, call), table, name, call.position);
  }

  TableFunctionArguments BindArguments(const TableFunction& function, const ast::FunctionCall& call) {
    TableFunctionArguments result;
    ExpressionBinder binder(session_, level_, Clause::kTableFunction);
    for (size_t i = 0; i < call.arguments.size(); i++) {
      ExpressionPtr value = binder.BindSettled(*call.arguments[i]);
      const std::string name = i < call.argument_names.size() ? call.argument_names[i] : "";
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

  [[noreturn]] void ThrowUnknownArgument(const TableFunction& function, const std::string& name,
                                         size_t position) {
    std::string known;
    for (const auto& argument : function.named_arguments)
      known += (known.empty() ? "" : ", ") + argument.first;
    ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedFunction,
               fmt::format("{} has no argument \"{}\"{}", function.name, name,
                           known.empty() ? "" : "; it has " + known),
               position);
  }

  [[noreturn]] void ThrowArgumentCount(const TableFunction& function, size_t position) {
    const size_t most = function.argument_types.size(), least = most - function.optional_arguments;
    ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedFunction,
               fmt::format("{} takes {} argument{}; for example {}", function.name,
                           least == most ? fmt::format("{}", most) : fmt::format("{} to {}", least, most),
                           most == 1 ? "" : "s", function.example),
               position);
  }

  BoundFrom BindCall(const TableFunction& function, const TableFunctionArguments& arguments,
                     const ast::TableRef& table, const std::string& default_alias, size_t position) {
    std::shared_ptr<const BoundTableFunction> bound;
    try {
      bound = function.bind(session_.context().functions, arguments);
    } catch (Error& error) {
      error.SetPositionIfUnknown(position);
      throw;
    }
    const size_t table_index = session_.NewTableIndex();
    std::vector<std::string> names = bound->column_names;
    // FROM generate_series(1, 3) AS i: the alias names the one column, too.
    if (names.size() == 1 && names[0] == function.name && !table.alias.empty()) names[0] = table.alias;
    Scope scope = MakeScope(table, default_alias, table_index, names, bound->column_types, "");
    return {std::make_unique<BoundTableFunctionCall>(table_index, function, std::move(bound)),
            std::move(scope)};
  }

  static void RenameColumns(std::vector<std::string>& names, const std::vector<std::string>& aliases,
                            const std::string& table, size_t position) {
    if (aliases.size() > names.size()) {
      ThrowError(ErrorKind::kBinder, sqlstate::kInvalidColumnReference,
                 fmt::format("table \"{}\" has {} columns available but {} columns specified", table,
                             names.size(), aliases.size()),
                 position);
    }
    std::copy(aliases.begin(), aliases.end(), names.begin());
  }

  Scope MakeScope(const ast::TableRef& table, const std::string& default_alias, size_t table_index,
                  std::vector<std::string> names, const std::vector<LogicalType>& types,
                  const std::string& schema) {
    ScopeTable entry;
    entry.alias = table.alias.empty() ? default_alias : table.alias;
    entry.schema = table.alias.empty() ? schema : "";
    RenameColumns(names, table.column_aliases, entry.alias, table.position);
    for (size_t i = 0; i < names.size(); i++) {
      entry.columns.push_back({names[i], std::make_unique<ColumnRefExpression>(
                                             types[i], ColumnBinding{table_index, i}, names[i])});
    }
    return Scope::OfTable(std::move(entry));
  }

  // --- Joins ---

  BoundFrom BindJoin(const ast::Join& join) {
    BoundFrom left = Bind(*join.left);
    BoundFrom right;
    const bool may_use_left = IsUnnest(*join.right) && join.join != ast::JoinType::kRight &&
                              join.join != ast::JoinType::kFull && !join.natural &&
                              join.using_columns.empty();
    if (may_use_left) {
      right = BindUnnest(join.right->As<ast::FunctionTable>(), left, join.join == ast::JoinType::kLeft);
      if (!left.table) {
        if (join.condition && !IsTrue(*join.condition)) {
          ThrowNotSupported("unnest() of another table's column can only be joined ON TRUE; use WHERE",
                            join.condition->position);
        }
        return join.alias.empty() ? std::move(right)
                                  : BoundFrom{std::move(right.table), Renamed(join, std::move(right.scope))};
      }
    } else {
      right = Bind(*join.right);
    }
    BoundJoinType type = BoundJoinType::kInner;
    switch (join.join) {
      case ast::JoinType::kInner:
      case ast::JoinType::kCross: break;
      case ast::JoinType::kLeft: type = BoundJoinType::kLeft; break;
      case ast::JoinType::kRight: type = BoundJoinType::kRight; break;
      case ast::JoinType::kFull: type = BoundJoinType::kFull; break;
    }
    auto bound = std::make_unique<BoundJoin>(type, std::move(left.table), std::move(right.table));
    Scope scope;
    if (join.natural || !join.using_columns.empty()) {
      scope = MergeColumns(join, *bound, std::move(left.scope), std::move(right.scope));
    } else {
      scope = Scope::Combine(std::move(left.scope), std::move(right.scope), join.position);
    }
    if (join.condition) {
      const Scope* before = level_.scope;
      level_.scope = &scope;
      ExpressionBinder binder(session_, level_, Clause::kJoinCondition);
      ExpressionPtr condition = binder.BindBoolean(*join.condition, "JOIN/ON");
      SplitAnd(std::move(condition), bound->conditions);
      level_.scope = before;
    }
    if (!join.alias.empty()) scope = Renamed(join, std::move(scope));
    return {std::move(bound), std::move(scope)};
  }

  static bool IsTrue(const ast::Expression& condition) {
    return condition.kind == ast::ExpressionKind::kLiteral &&
           condition.As<ast::Literal>().literal == ast::Literal::Kind::kBoolean &&
           condition.As<ast::Literal>().boolean;
  }

  /// (a JOIN b ...) AS j: only j can be named from outside.
  Scope Renamed(const ast::Join& join, Scope scope) {
    ScopeTable table;
    table.alias = join.alias;
    std::vector<std::string> names;
    for (const auto& column : scope.visible()) names.push_back(column.name);
    RenameColumns(names, join.column_aliases, join.alias, join.position);
    for (size_t i = 0; i < names.size(); i++) {
      table.columns.push_back({names[i], std::move(scope.visible()[i].value)});
    }
    return Scope::OfTable(std::move(table));
  }

  std::vector<std::string> CommonNames(const ast::Join& join, const Scope& left, const Scope& right) {
    if (!join.natural) return join.using_columns;
    std::vector<std::string> names;
    for (const auto& column : left.visible()) {
      if (right.FindVisible(column.name, join.position) != nullptr) names.push_back(column.name);
    }
    return names;
  }

  /// USING and NATURAL: equal columns, shown once and first.
  Scope MergeColumns(const ast::Join& join, BoundJoin& bound, Scope left, Scope right) {
    const std::vector<std::string> names = CommonNames(join, left, right);
    std::vector<ScopeColumn> merged;
    for (const std::string& name : names) {
      const ScopeColumn* left_column = left.FindVisible(name, join.position);
      const ScopeColumn* right_column = right.FindVisible(name, join.position);
      if (left_column == nullptr || right_column == nullptr) {
        ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedColumn,
                   fmt::format("column \"{}\" specified in USING clause does not exist in {} table", name,
                               left_column == nullptr ? "left" : "right"),
                   join.position);
      }
      merged.push_back({name, MergedValue(bound.type, *left_column->value, *right_column->value)});
      bound.conditions.push_back(MakeComparison(session_, ComparisonOp::kEqual, left_column->value->Clone(),
                                                right_column->value->Clone(), join.position));
    }
    const auto is_merged = [&](const ScopeColumn& column) {
      return std::find(names.begin(), names.end(), column.name) != names.end();
    };
    std::erase_if(left.visible(), is_merged);
    std::erase_if(right.visible(), is_merged);
    Scope scope = Scope::Combine(std::move(left), std::move(right), join.position);
    scope.visible().insert(scope.visible().begin(), std::make_move_iterator(merged.begin()),
                           std::make_move_iterator(merged.end()));
    return scope;
  }

  ExpressionPtr MergedValue(BoundJoinType type, const Expression& left, const Expression& right) {
    if (type == BoundJoinType::kRight) return right.Clone();
    if (type != BoundJoinType::kFull) return left.Clone();
    std::vector<ExpressionPtr> either;
    either.push_back(left.Clone());
    either.push_back(right.Clone());
    return MakeScalarCall(session_, "coalesce", std::move(either), std::nullopt);
  }

  BindSession& session_;
  QueryLevel& level_;
};

}  // namespace

BoundFrom BindTableRef(BindSession& session, const ast::TableRef& table, QueryLevel& level) {
  return FromBinder(session, level).Bind(table);
}

BoundFrom BindFrom(BindSession& session, const std::vector<ast::TableRefPtr>& from, QueryLevel& level) {
  BoundFrom all;
  for (const auto& table : from) {
    FromBinder binder(session, level);
    BoundFrom next = FromBinder::IsUnnest(*table)
                         ? binder.BindUnnest(table->As<ast::FunctionTable>(), all, false)
                         : binder.Bind(*table);
    if (!all.table) {
      all = std::move(next);
      continue;
    }
    all.table =
        std::make_unique<BoundJoin>(BoundJoinType::kInner, std::move(all.table), std::move(next.table));
    all.scope = Scope::Combine(std::move(all.scope), std::move(next.scope), table->position);
  }
  return all;
}

BoundTarget BindTarget(BindSession& session, const ast::NamedTable& table) {
  BoundTarget target;
  target.table = FindTableOrThrow(session, table);
  target.table_index = session.NewTableIndex();
  ScopeTable entry;
  entry.alias = table.alias.empty() ? table.name : table.alias;
  entry.schema = table.alias.empty() ? target.table->schema : "";
  for (size_t i = 0; i < target.table->columns.size(); i++) {
    const ColumnDefinition& column = target.table->columns[i];
    entry.columns.push_back(
        {column.name, std::make_unique<ColumnRefExpression>(column.type, ColumnBinding{target.table_index, i},
                                                            column.name)});
  }
  target.scope = Scope::OfTable(std::move(entry));
  auto reference = std::make_unique<BoundBaseTable>(target.table_index, target.table);
  reference->has_row_number = true;
  target.reference = std::move(reference);
  return target;
}

TableEntryRef FindTableOrThrow(BindSession& session, const ast::NamedTable& table) {
  const BinderContext& context = session.context();
  const SchemaEntryRef schema = context.catalog.FindSchema(context.transaction, table.schema);
  if (!schema) {
    // PostgreSQL's SQLSTATE: it is the table that was asked for.
    ThrowError(ErrorKind::kCatalog, sqlstate::kUndefinedTable,
               fmt::format("table \"{}.{}\" does not exist: there is no schema \"{}\"", table.schema,
                           table.name, table.schema),
               table.position);
  }
  if (TableEntryRef entry = context.catalog.FindTable(context.transaction, table.schema, table.name))
    return entry;
  std::vector<std::string> candidates;
  for (const auto& entry : context.catalog.Tables(context.transaction, *schema))
    candidates.push_back(entry->name);
  const std::string similar = MostSimilar(table.name, candidates);
  ThrowError(ErrorKind::kCatalog, sqlstate::kUndefinedTable,
             fmt::format("table \"{}{}{}\" does not exist{}", table.schema, table.schema.empty() ? "" : ".",
                         table.name, similar.empty() ? "" : fmt::format("; did you mean \"{}\"?", similar)),
             table.position);
}

}  // namespace scaup
