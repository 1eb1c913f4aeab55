// Puts the bodies of functions that users define in the places of their calls.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "binder/bound/subquery_expression.hpp"
#include "binder/expression/bind_expression.hpp"
#include "binder/expression/constant_arguments.hpp"
#include "binder/scope/coercion.hpp"
#include "binder/scope/collation.hpp"
#include "binder/scope/document_value.hpp"
#include "binder/scope/function_use.hpp"
#include "binder/scope/hosted_functions.hpp"
#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "expression/evaluated_once.hpp"
#include "parser/parser.hpp"

namespace scaup {

namespace {

/// The time while a function's body is being bound: it is no part of the view around it, and must not call
/// itself. Errors of the binder name the function.
class BodyScope {
 public:
  BodyScope(BindSession& session, const FunctionUse& use)
      : session_(session),
        view_(session.view),
        reads_(session.reads),
        is_stored_text_(std::exchange(session.is_stored_text, false)),
        database_(session, use.database) {
    session.CountQuery(use.position);
    const std::string key = FunctionKey(*use.function);
    for (const FunctionEntry* outer : session.functions) {
      if (outer->schema != use.function->schema || FunctionKey(*outer) != key) continue;
      ThrowNotSupported(fmt::format("function {} calls itself; write the recursion as WITH RECURSIVE",
                                    use.function->signature()),
                        use.position);
    }
    session.functions.push_back(use.function.get());
    session.view = nullptr;
    session.reads = nullptr;
  }
  ~BodyScope() {
    session_.functions.pop_back();
    session_.view = view_;
    session_.reads = reads_;
    session_.is_stored_text = is_stored_text_;
  }
  BodyScope(const BodyScope&) = delete;
  BodyScope& operator=(const BodyScope&) = delete;

 private:
  BindSession& session_;
  const ViewEntry* view_;
  std::vector<ReadRelation>* reads_;
  const bool is_stored_text_;
  const DatabaseScope database_;
};

/// Calls `bind`, and names the innermost function in its errors.
template <typename Bind>
auto NamingFunction(const FunctionUse& use, const Bind& bind) {
  try {
    return bind();
  } catch (const Error& error) {
    if (error.message().starts_with("in function ") ||
        error.sqlstate() == std::string_view(sqlstate::kStatementTooComplex))
      throw;
    Error named(error.kind(), error.sqlstate(),
                fmt::format("in function {}: {}", use.function->signature(), error.message()));
    named.SetPositionIfUnknown(use.position);
    throw named;
  }
}

/// Makes $1 IS [NOT] NULL OR|AND $2 IS [NOT] NULL ...
ast::ExpressionPtr NullTests(const FunctionUse& use, bool negated) {
  std::vector<ast::ExpressionPtr> tests;
  for (size_t i = 0; i < use.arguments.size(); i++) {
    auto parameter = std::make_unique<ast::Parameter>();
    parameter->index = i;
    parameter->position = use.position;
    auto test = std::make_unique<ast::IsNull>();
    test->child = std::move(parameter);
    test->negated = negated;
    test->position = use.position;
    tests.push_back(std::move(test));
  }
  if (tests.size() == 1) return std::move(tests[0]);
  auto all =
      std::make_unique<ast::Conjunction>(negated ? ast::ExpressionKind::kAnd : ast::ExpressionKind::kOr);
  all->position = use.position;
  all->children = std::move(tests);
  return all;
}

std::unique_ptr<ast::SelectStatement> ParseBody(const FunctionUse& use) {
  return Parser().ParseQuery(use.function->body, use.position);
}

/// Returns the expression that a query without FROM and other clauses is; null for other queries.
ast::ExpressionPtr TakeExpression(ast::SelectStatement& query) {
  const bool is_plain = query.with.empty() && !query.distinct && query.distinct_on.empty() &&
                        query.items.size() == 1 && query.from.empty() && !query.where &&
                        query.group_by.empty() && !query.group_by_all && !query.having &&
                        query.windows.empty() && !query.qualify && query.values.empty() &&
                        query.operands.empty() && query.order_by.empty() && !query.limit && !query.offset;
  if (!is_plain || query.items[0].expression->kind == ast::ExpressionKind::kStar) return nullptr;
  return std::move(query.items[0].expression);
}

/// Makes a subquery of the body, of which the first row counts.
ast::ExpressionPtr FirstRow(std::unique_ptr<ast::SelectStatement> query, size_t position) {
  if (!query->limit && !query->with_ties) {
    auto one = std::make_unique<ast::Literal>();
    one->literal = ast::Literal::Kind::kInteger;
    one->integer = 1;
    one->position = position;
    query->limit = std::move(one);
  }
  auto subquery = std::make_unique<ast::Subquery>();
  subquery->position = position;
  subquery->query = std::move(query);
  return subquery;
}

ast::ExpressionPtr NullIfNullGiven(ast::ExpressionPtr body, const FunctionUse& use) {
  auto choice = std::make_unique<ast::Case>();
  choice->position = use.position;
  auto null = std::make_unique<ast::Literal>();
  null->position = use.position;
  ast::Case::Branch branch;
  branch.condition = NullTests(use, false);
  branch.result = std::move(null);
  choice->branches.push_back(std::move(branch));
  choice->otherwise = std::move(body);
  return choice;
}

/// Returns whether an argument may stand in several places: it costs nothing, or is computed only once
/// anyway.
bool IsFree(Expression& argument) {
  if (argument.kind() == ExpressionKind::kCast && !argument.As<CastExpression>().is_try)
    return IsFree(*argument.As<CastExpression>().child);
  if (argument.kind() == ExpressionKind::kConstant || argument.kind() == ExpressionKind::kColumnRef ||
      argument.kind() == ExpressionKind::kParameter)
    return true;
  if (HasSubquery(argument) || !IsDeterministic(argument)) return false;
  return IsFoldable(argument);
}

bool HasOwnPlace(const Expression& expression) {
  CheckStack();
  if (expression.kind() == ExpressionKind::kAggregate || expression.kind() == ExpressionKind::kWindow)
    return true;
  bool found = false;
  expression.ForEachChild([&](const Expression& child) { found = found || HasOwnPlace(child); });
  return found;
}

/// Binds the body of one call that returns a value.
class ValueBinder {
 public:
  ValueBinder(ExpressionBinder& binder, FunctionUse use)
      : binder_(binder),
        session_(binder.session()),
        use_(std::move(use)),
        table_index_(session_.NewTableIndex()) {
    SeeArguments();
  }

  ExpressionPtr Bind() {
    ExpressionPtr value = NamingFunction(use_, [&] {
      const BodyScope body(session_, use_);
      return BindBody();
    });
    CountUses(*value);
    if (in_subquery_) return BesideArguments(std::move(value));
    if (std::any_of(uses_.begin(), uses_.end(), [](size_t count) { return count > 1; }))
      return ComputedOnce(std::move(value));
    PutArguments(value);
    return value;
  }

 private:
  /// Makes the scope of the body: an argument that is free stands there itself, for any other one a column.
  void SeeArguments() {
    ScopeTable table;
    table.alias = use_.function->name;
    const std::vector<FunctionArgument> inputs = use_.function->inputs();
    for (size_t i = 0; i < inputs.size(); i++) {
      ExpressionPtr& argument = use_.arguments[i];
      const bool is_free = IsFree(*argument);
      if (!is_free) argument = Settle(session_, std::move(argument));
      ExpressionPtr seen = is_free ? argument->Clone()
                                   : std::make_unique<ColumnRefExpression>(
                                         argument->type(), ColumnBinding{table_index_, i}, inputs[i].name);
      if (!is_free) NoteCollation(session_, {table_index_, i}, CollationOf(session_, *argument));
      table.columns.push_back({inputs[i].name, std::move(seen)});
    }
    uses_.resize(inputs.size());
    scope_ = Scope::OfTable(std::move(table));
    level_.scope = &scope_;
    level_.is_function = true;
  }

  ExpressionPtr BindBody() {
    std::unique_ptr<ast::SelectStatement> query = ParseBody(use_);
    ast::ExpressionPtr expression = TakeExpression(*query);
    const bool is_expression = expression != nullptr;
    if (!is_expression) expression = FirstRow(std::move(query), use_.position);
    const ExpressionPlace before = binder_.place();
    ExpressionPtr value = BindIn(std::move(expression));
    // A query without FROM has one row of its own to aggregate; a macro aggregates the rows of its call.
    const bool aggregates = binder_.place().has_aggregate() && !before.has_aggregate();
    if (is_expression && aggregates && !use_.function->is_macro()) {
      binder_.place() = before;
      value = BindIn(FirstRow(ParseBody(use_), use_.position));
    }
    if (!use_.function->is_macro()) {
      value = CoerceForAssignment(session_, std::move(value), use_.function->result_type,
                                  "the result of " + use_.function->name);
    }
    return value;
  }

  ExpressionPtr BindIn(ast::ExpressionPtr body) {
    if (use_.function->is_strict && !use_.arguments.empty()) body = NullIfNullGiven(std::move(body), use_);
    ExpressionBinder inner(session_, level_, binder_.place().clause());
    inner.place() = binder_.place();
    ExpressionPtr value = inner.Bind(*body);
    binder_.place() = inner.place();
    return value;
  }

  bool IsArgument(const ColumnRefExpression& column) const {
    return column.binding.table_index == table_index_;
  }

  void CountUses(Expression& value) {
    ForEachFreeReference(value, [&](const ColumnRefExpression& column, size_t depth) {
      if (!IsArgument(column)) return;
      uses_[column.binding.column_index]++;
      in_subquery_ = in_subquery_ || depth > 0;
    });
  }

  /// Puts each argument in the only place that needs it.
  void PutArguments(ExpressionPtr& part) {
    CheckStack();
    if (part->kind() == ExpressionKind::kColumnRef && IsArgument(part->As<ColumnRefExpression>())) {
      part = std::move(use_.arguments[part->As<ColumnRefExpression>().binding.column_index]);
      return;
    }
    part->ForEachChild([&](ExpressionPtr& child) { PutArguments(child); });
  }

  /// Makes the parts of the body that the executor cannot compute from values alone arguments of the call.
  void TakeArguments(ExpressionPtr& part, std::vector<ExpressionPtr>& arguments) {
    CheckStack();
    const auto refer = [&](size_t index) {
      auto reference = std::make_unique<ReferenceExpression>(part->type(), index, part->ToString());
      reference->position = part->position;
      part = std::move(reference);
    };
    switch (part->kind()) {
      case ExpressionKind::kColumnRef:
        if (const auto& column = part->As<ColumnRefExpression>(); IsArgument(column)) {
          size_t& place = places_[column.binding.column_index];
          if (place == SIZE_MAX) {
            place = arguments.size();
            arguments.push_back(std::move(use_.arguments[column.binding.column_index]));
          }
          return refer(place);
        }
        break;
      case ExpressionKind::kAggregate:
      case ExpressionKind::kWindow:
        // They are computed elsewhere, and so is what they are computed from.
        if (RepeatArguments(part, arguments)) {
          ThrowNotSupported(fmt::format("{} aggregates an argument that it also uses otherwise; compute the "
                                        "argument in a subquery in FROM",
                                        use_.function->signature()),
                            use_.position);
        }
        break;
      case ExpressionKind::kSubquery:
      case ExpressionKind::kParameter: break;
      case ExpressionKind::kConstant:
      case ExpressionKind::kReference:
      case ExpressionKind::kFunction:
      case ExpressionKind::kCast:
      case ExpressionKind::kComparison:
      case ExpressionKind::kConjunction:
      case ExpressionKind::kNot:
      case ExpressionKind::kIsNull:
      case ExpressionKind::kInList:
      case ExpressionKind::kCase:
        part->ForEachChild([&](ExpressionPtr& child) { TakeArguments(child, arguments); });
        return;
    }
    const auto same = std::find_if(arguments.begin(), arguments.end(), [&](const ExpressionPtr& argument) {
      return !HasSubquery(*argument) && IsDeterministic(*argument) && argument->Equals(*part);
    });
    const auto index = static_cast<size_t>(same - arguments.begin());
    ExpressionPtr taken = part->kind() == ExpressionKind::kSubquery ? nullptr : part->Clone();
    if (same == arguments.end()) {
      if (!taken) {
        auto reference = std::make_unique<ReferenceExpression>(part->type(), index, part->ToString());
        taken = std::move(part);
        part = std::move(reference);
        arguments.push_back(std::move(taken));
        return;
      }
      arguments.push_back(std::move(taken));
    }
    refer(index);
  }

  /// Puts copies of arguments into a part. Returns whether one of them cannot be copied.
  bool RepeatArguments(ExpressionPtr& part, const std::vector<ExpressionPtr>& taken) {
    CheckStack();
    if (part->kind() == ExpressionKind::kColumnRef && IsArgument(part->As<ColumnRefExpression>())) {
      const size_t index = part->As<ColumnRefExpression>().binding.column_index;
      const Expression& argument =
          places_[index] == SIZE_MAX ? *use_.arguments[index] : *taken[places_[index]];
      if (HasSubquery(argument) || HasOwnPlace(argument) || !IsDeterministic(argument)) return true;
      part = argument.Clone();
      return false;
    }
    bool fails = false;
    part->ForEachChild([&](ExpressionPtr& child) { fails = RepeatArguments(child, taken) || fails; });
    return fails;
  }

  ExpressionPtr ComputedOnce(ExpressionPtr value) {
    value = Settle(session_, std::move(value));
    places_.assign(use_.arguments.size(), SIZE_MAX);
    std::vector<ExpressionPtr> arguments;
    TakeArguments(value, arguments);
    ExpressionPtr call = MakeEvaluatedOnce(use_.function->name, std::move(value), std::move(arguments));
    call->position = use_.position;
    return call;
  }

  /// Makes SELECT body FROM (SELECT argument, ...): subqueries of the body read the arguments as columns.
  ExpressionPtr BesideArguments(ExpressionPtr value) {
    binder_.place().CheckSubquery(use_.position);
    value = Settle(session_, std::move(value));
    auto given = std::make_unique<BoundSelect>();
    given->table_index = given->item_index = table_index_;
    for (size_t i = 0; i < use_.arguments.size(); i++) {
      ExpressionPtr& argument = use_.arguments[i];
      if (HasOwnPlace(*argument) || !IsDeterministicThroughout(*argument)) {
        ThrowNotSupported(fmt::format("a subquery of {} reads an argument that has an aggregate, a window "
                                      "function or another value each time; compute it in a subquery in FROM",
                                      use_.function->signature()),
                          use_.position);
      }
      // The arguments move two queries inwards, and the body one.
      ForEachFreeReference(*argument, [](ColumnRefExpression& column, size_t) { column.outer_level += 2; });
      given->types.push_back(argument->type());
      given->names.push_back(fmt::format("argument{}", i + 1));
      given->items.push_back(std::move(argument));
    }
    ForEachFreeReference(*value, [&](ColumnRefExpression& column, size_t) {
      if (!IsArgument(column)) column.outer_level++;
    });
    const LogicalType type = value->type();
    auto select = std::make_unique<BoundSelect>();
    select->table_index = select->item_index = session_.NewTableIndex();
    select->types = {type};
    select->names = {use_.function->name};
    select->items.push_back(std::move(value));
    select->from = std::make_unique<BoundQueryTable>(std::move(given));
    auto subquery = std::make_unique<SubqueryExpression>(SubqueryKind::kScalar, type, std::move(select));
    subquery->position = use_.position;
    return subquery;
  }

  ExpressionBinder& binder_;
  BindSession& session_;
  FunctionUse use_;
  size_t table_index_;  ///< that of the columns that stand for arguments
  Scope scope_;
  QueryLevel level_;
  std::vector<size_t> uses_;    ///< by argument: the places that need its column
  std::vector<size_t> places_;  ///< by argument: its index among those of the call that is made
  bool in_subquery_ = false;
};

/// Wraps the query of a STRICT function: no rows if an argument is NULL.
std::unique_ptr<ast::SelectStatement> RowsIfGiven(std::unique_ptr<ast::SelectStatement> query,
                                                  const FunctionUse& use) {
  auto outer = Parser().ParseQuery("SELECT * FROM (SELECT 1) AS given", use.position);
  auto derived = std::make_unique<ast::SubqueryTable>();
  derived->position = use.position;
  derived->alias = "given";
  derived->query = std::move(query);
  outer->from.clear();
  outer->from.push_back(std::move(derived));
  outer->where = NullTests(use, true);
  return outer;
}

/// Gives the rows the columns that the function was declared with.
void FitColumns(BindSession& session, const FunctionEntry& function, BoundQueryPtr& query) {
  std::vector<FunctionArgument> columns = function.columns();
  if (columns.empty()) columns.push_back({function.name, function.result_type, ArgumentMode::kTable});
  if (query->types.size() != columns.size()) {
    ThrowError(ErrorKind::kBinder, "42P13",
               fmt::format("the query gives {} column{}, but the function returns {}", query->types.size(),
                           query->types.size() == 1 ? "" : "s", columns.size()));
  }
  for (size_t i = 0; i < columns.size(); i++) {
    if (query->types[i] == columns[i].type) continue;
    ConvertColumn(session, query, i, [&](ExpressionPtr value) {
      return CoerceForAssignment(session, std::move(value), columns[i].type, columns[i].name);
    });
  }
  for (size_t i = 0; i < columns.size(); i++) query->names[i] = columns[i].name;
}

/// Makes a call of a function in a hosted language, which has no body in SQL.
ExpressionPtr BindHosted(BindSession& session, FunctionUse use) {
  HostedFunctions* const hosted = session.context().hosted;
  // Listings bind views outside of any session.
  if (hosted == nullptr) {
    ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedFunction,
               fmt::format("function {} cannot be called here", use.function->name), use.position);
  }
  ScalarFunction function = hosted->FunctionOf(use.function, use.position);
  std::shared_ptr<const FunctionData> data = function.data;
  for (ExpressionPtr& argument : use.arguments) argument = Settle(session, std::move(argument));
  auto call =
      std::make_unique<FunctionExpression>(std::move(function), std::move(data), std::move(use.arguments));
  call->position = use.position;
  call->data = NoteConstants(std::move(call->data), call->arguments);
  return call;
}

}  // namespace

ExpressionPtr BindFunctionValue(ExpressionBinder& binder, FunctionUse use) {
  CheckStack();
  if (use.function->result == FunctionResult::kRows) {
    ThrowNotSupported(fmt::format("function {} returns rows; call it in FROM", use.function->signature()),
                      use.position);
  }
  if (use.function->is_hosted()) return BindHosted(binder.session(), std::move(use));
  return ValueBinder(binder, std::move(use)).Bind();
}

BoundQueryPtr BindFunctionRows(BindSession& session, FunctionUse use) {
  CheckStack();
  ScopeTable table;
  table.alias = use.function->name;
  const std::vector<FunctionArgument> inputs = use.function->inputs();
  for (size_t i = 0; i < inputs.size(); i++) {
    if (!IsFree(*use.arguments[i]) && !IsDeterministicThroughout(*use.arguments[i])) {
      ThrowNotSupported(fmt::format("an argument of {} has another value each time; compute it in a subquery "
                                    "in FROM",
                                    use.function->signature()),
                        use.position);
    }
    table.columns.push_back({inputs[i].name, std::move(use.arguments[i])});
  }
  const Scope scope = Scope::OfTable(std::move(table));
  QueryLevel level;
  level.scope = &scope;
  level.is_function = true;
  return NamingFunction(use, [&] {
    const BodyScope body(session, use);
    std::unique_ptr<ast::SelectStatement> query = ParseBody(use);
    if (use.function->is_strict && !use.arguments.empty()) query = RowsIfGiven(std::move(query), use);
    BoundQueryPtr rows = BindQuery(session, *query, &level);
    if (!use.function->is_macro()) FitColumns(session, *use.function, rows);
    return rows;
  });
}

}  // namespace scaup
