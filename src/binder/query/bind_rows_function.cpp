// Binds calls of functions of the program that return rows: which parameters the arguments are for, and the
// query whose rows are given.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "binder/bound/subquery_expression.hpp"
#include "binder/query/from_item.hpp"
#include "binder/query/table_scope.hpp"
#include "binder/scope/coercion.hpp"
#include "binder/scope/document_value.hpp"
#include "binder/scope/expression_binder.hpp"
#include "binder/scope/function_use.hpp"
#include "binder/scope/hosted_functions.hpp"
#include "binder/scope/null_order.hpp"
#include "common/throw.hpp"
#include "parser/parser.hpp"
#include "type/type_rules.hpp"

namespace scaup {

namespace {

/// A function that a call may mean, and its entry in the catalog; null for one of the program.
struct Candidate {
  RowsFunctionRef function;
  FunctionEntryRef entry;
};

/// An argument of the call, bound: an expression or, if there is none, the rows of the query.
struct GivenArgument {
  std::string name;  ///< "" if it has none
  ExpressionPtr value;
  size_t position = 0;
};

/// The places of the arguments.
struct RowsFit {
  const Candidate* candidate = nullptr;
  std::vector<std::optional<size_t>> places;  ///< by parameter: the number of its argument
  size_t spread =
      SIZE_MAX;  ///< the parameter that gets the first column of the rows, the next the second one
  int cost = 0;
};

/// Binds one call.
class RowsCallBinder {
 public:
  RowsCallBinder(BindSession& session, QueryLevel& level, const ItemsBefore& before,
                 const ast::FunctionTable& table)
      : session_(session), level_(level), before_(before), table_(table), call_(*table.call) {}

  BoundFrom Bind(const std::vector<Candidate>& candidates) {
    RequirePlain();
    for (size_t i = 0; i < call_.arguments.size(); i++)
      BindArgument(*call_.arguments[i], i < call_.argument_names.size() ? call_.argument_names[i] : "");
    const RowsFit fit = Choose(candidates);
    const RowsFunction& function = *fit.candidate->function;
    if (fit.candidate->entry) {
      NoteStoredCall(session_, fit.candidate->entry, call_.position);
    } else {
      session_.uses_temporary_function = true;
    }
    RowsArguments arguments;
    std::vector<ExpressionPtr> values = TakeValues(fit);
    if (query_) arguments.input = TakeRows(fit);
    if (function.needs_values()) {
      for (const ExpressionPtr& value : values) {
        arguments.values.push_back(
            EvaluateForBinding(session_, *value, fmt::format("an argument of {}", function.name())));
      }
    }
    auto call = BindFunction(function, std::move(arguments));
    const std::vector<std::string> names = NamesFor(call->columns);
    const size_t table_index = session_.NewTableIndex();
    Scope scope = MakeScope(table_, call_.name.back(), table_index, names, call->columns.types, "");
    auto bound = std::make_unique<BoundRowsFunction>(table_index, function.name(), std::move(call));
    if (function.omits_nulls()) {
      bound->omits_null_rows = fit.spread != SIZE_MAX;
      bound->required = ValuesAmong(fit);
    }
    bound->values = std::move(values);
    bound->input = std::move(query_);
    bound->arguments = std::move(rows_);
    bound->partition_by = std::move(partition_by_);
    bound->order_by = std::move(order_by_);
    return {std::move(bound), std::move(scope)};
  }

 private:
  void RequirePlain() const {
    if (!call_.star && !call_.distinct && !call_.filter && !call_.over && !call_.within_group &&
        call_.order_by.empty() && !table_.with_ordinality)
      return;
    ThrowError(ErrorKind::kBinder, sqlstate::kWrongObjectType,
               fmt::format("{} is a table function: it takes plain arguments and a query, which may have "
                           "PARTITION BY",
                           call_.name.back()),
               call_.position);
  }

  void BindArgument(const ast::Expression& syntax, std::string name) {
    GivenArgument& argument = given_.emplace_back();
    argument.name = std::move(name);
    argument.position = syntax.position;
    const bool is_query = syntax.kind == ast::ExpressionKind::kSubquery &&
                          syntax.As<ast::Subquery>().subquery == ast::Subquery::Kind::kScalar;
    if (is_query) return BindRows(*syntax.As<ast::Subquery>().query, syntax.position);
    // The items before are seen, so that the message can say why their columns cannot be used.
    argument.value = before_.See(syntax.position, [&] {
      return ExpressionBinder(session_, level_, Clause::kTableFunction).Bind(syntax);
    });
    bool reads_rows = HasSubquery(*argument.value);
    ForEachColumnRef(*argument.value, [&](const ColumnRefExpression&) { reads_rows = true; });
    if (reads_rows) {
      ThrowNotSupported(fmt::format("the arguments of {} cannot depend on other tables in FROM: give their "
                                    "rows as a query, as in {}((SELECT ...))",
                                    call_.name.back(), call_.name.back()),
                        syntax.position);
    }
  }

  void BindRows(const ast::SelectStatement& syntax, size_t position) {
    if (query_) {
      ThrowNotSupported(
          fmt::format("{} gets two queries: a function takes the rows of one; join them", call_.name.back()),
          position);
    }
    const bool has_clauses = !syntax.partition.empty();
    const auto* const wrapped = has_clauses ? &syntax.from.at(0)->As<ast::SubqueryTable>() : nullptr;
    query_ = BindQuery(session_, has_clauses ? *wrapped->query : syntax, &level_);
    bool is_correlated = false;
    ForEachOuterReference(*query_, [&](ColumnRefExpression&, size_t) { is_correlated = true; });
    if (is_correlated) {
      ThrowNotSupported(fmt::format("the query that {} gets cannot use columns of the queries around it",
                                    call_.name.back()),
                        position);
    }
    NoteDocumentColumns(session_, *query_, query_->table_index);
    if (has_clauses) BindClauses(*wrapped, syntax.partition[0]);
  }

  void BindClauses(const ast::SubqueryTable& wrapped, const ast::WindowSpecification& clauses) {
    const Scope scope = MakeScope(wrapped, "", query_->table_index, query_->names, query_->types, "");
    QueryLevel level;
    level.outer = &level_;
    level.scope = &scope;
    ExpressionBinder binder(session_, level, Clause::kTableFunction);
    for (const ast::ExpressionPtr& key : clauses.partition_by)
      partition_by_.push_back(binder.BindSettled(*key));
    for (const ast::OrderByItem& key : clauses.order_by) {
      order_by_.push_back(
          {binder.BindSettled(*key.expression), key.descending, NullsComeFirst(session_, key)});
    }
    for (const auto& key : partition_by_) RequireOwnColumns(*key);
    for (const SortKey& key : order_by_) RequireOwnColumns(*key.expression);
  }

  void RequireOwnColumns(const Expression& key) const {
    bool is_other = HasSubquery(key);
    ForEachColumnRef(key, [&](const ColumnRefExpression& column) { is_other |= column.outer_level != 0; });
    if (is_other) {
      ThrowNotSupported("PARTITION BY and ORDER BY of an argument are over the columns of its query",
                        key.position);
    }
  }

  // --- Choosing

  std::optional<RowsFit> FitOf(const Candidate& candidate) const {
    const auto& parameters = candidate.function->parameters();
    RowsFit fit{&candidate, std::vector<std::optional<size_t>>(parameters.size())};
    size_t next = 0;
    for (size_t i = 0; i < given_.size(); i++) {
      size_t place = next;
      if (!given_[i].name.empty()) {
        const auto named = std::find_if(parameters.begin(), parameters.end(),
                                        [&](const auto& each) { return each.name == given_[i].name; });
        place = static_cast<size_t>(named - parameters.begin());
      }
      if (place >= parameters.size()) return std::nullopt;
      size_t width = 1;
      if (!given_[i].value && !parameters[place].is_rows) {
        // f((SELECT a, b FROM t), 3) of a function f(a, b, c): each column is an argument.
        width = query_->types.size();
        fit.spread = place;
      }
      for (size_t k = place; k < place + width; k++) {
        if (k >= parameters.size() || fit.places[k]) return std::nullopt;
        if (width != 1 && parameters[k].is_rows) return std::nullopt;
        fit.places[k] = i;
      }
      if (given_[i].value && parameters[place].is_rows) return std::nullopt;
      if (!AddCost(parameters[place], given_[i], fit)) return std::nullopt;
      if (given_[i].name.empty()) next = place + width;
    }
    for (size_t i = 0; i < parameters.size(); i++) {
      const bool has_default = candidate.entry ? !candidate.entry->arguments[i].default_text.empty()
                                               : parameters[i].fallback.has_value();
      if (!fit.places[i] && !has_default) return std::nullopt;
    }
    return fit;
  }

  bool AddCost(const RowsFunction::Parameter& parameter, const GivenArgument& given, RowsFit& fit) const {
    const auto add = [&](const LogicalType& from, const LogicalType& to) {
      if (to.id() == TypeId::kNull) return true;
      const auto cost = ImplicitCastCost(from, to);
      fit.cost += cost.value_or(0);
      return cost.has_value();
    };
    if (given.value) return IsUntyped(*given.value) || add(given.value->type(), parameter.type);
    if (parameter.is_rows) {
      const auto& wanted = parameter.columns.types;
      if (wanted.empty()) return true;
      return std::equal(query_->types.begin(), query_->types.end(), wanted.begin(), wanted.end(), add);
    }
    const auto& parameters = fit.candidate->function->parameters();
    for (size_t i = 0; i < query_->types.size(); i++)
      if (!add(query_->types[i], parameters[fit.spread + i].type)) return false;
    return true;
  }

  RowsFit Choose(const std::vector<Candidate>& candidates) const {
    std::optional<RowsFit> best;
    bool is_ambiguous = false;
    for (const Candidate& candidate : candidates) {
      std::optional<RowsFit> fit = FitOf(candidate);
      if (!fit) continue;
      if (best && fit->cost == best->cost) is_ambiguous = true;
      if (best && fit->cost >= best->cost) continue;
      best = std::move(fit);
      is_ambiguous = false;
    }
    if (best && !is_ambiguous) return std::move(*best);
    std::string known;
    for (const Candidate& candidate : candidates)
      known += (known.empty() ? "" : ", ") + SignatureOf(*candidate.function);
    ThrowError(
        ErrorKind::kBinder, best ? "42725" : sqlstate::kUndefinedFunction,
        fmt::format("table function {}({}) {}: there {} {}", call_.name.back(), GivenTypes(),
                    best ? "is not unique" : "does not exist", candidates.size() == 1 ? "is" : "are", known),
        call_.position);
  }

  static std::string ListOf(const RowsColumns& columns) {
    std::string text;
    for (size_t i = 0; i < columns.types.size(); i++)
      text += fmt::format("{}{} {}", i == 0 ? "" : ", ", columns.names[i], columns.types[i].ToString());
    return text;
  }
  static std::string SignatureOf(const RowsFunction& function) {
    std::string text;
    for (const auto& parameter : function.parameters()) {
      text += text.empty() ? "" : ", ";
      if (!parameter.name.empty()) text += parameter.name + " ";
      if (!parameter.is_rows) {
        text += parameter.type.id() == TypeId::kNull ? "any" : parameter.type.ToString();
      } else {
        text +=
            parameter.columns.types.empty() ? "TABLE" : fmt::format("TABLE ({})", ListOf(parameter.columns));
      }
    }
    return fmt::format("{}({})", function.name(), text);
  }
  std::string GivenTypes() const {
    std::string text;
    for (const GivenArgument& given : given_) {
      text += text.empty() ? "" : ", ";
      if (!given.value) {
        text += fmt::format("TABLE ({})", ListOf({query_->names, query_->types}));
      } else {
        text += IsUntyped(*given.value) ? "unknown" : given.value->type().ToString();
      }
    }
    return text;
  }

  // --- Converting

  ExpressionPtr DefaultOf(const Candidate& candidate, size_t parameter) {
    if (!candidate.entry)
      return std::make_unique<ConstantExpression>(*candidate.function->parameters()[parameter].fallback);
    const FunctionArgument& argument = candidate.entry->arguments[parameter];
    QueryLevel nothing;
    ExpressionBinder binder(session_, nothing, Clause::kTableFunction);
    return Coerce(session_, binder.Bind(*Parser().ParseExpression(argument.default_text, call_.position)),
                  argument.type);
  }

  std::vector<ExpressionPtr> TakeValues(const RowsFit& fit) {
    const auto& parameters = fit.candidate->function->parameters();
    std::vector<ExpressionPtr> values;
    for (size_t i = 0; i < parameters.size(); i++) {
      const RowsFunction::Parameter& parameter = parameters[i];
      if (!fit.places[i]) {
        values.push_back(DefaultOf(*fit.candidate, i));
      } else if (ExpressionPtr& value = given_[*fit.places[i]].value) {
        values.push_back(parameter.type.id() == TypeId::kNull
                             ? Settle(session_, std::move(value))
                             : Coerce(session_, std::move(value), parameter.type));
      } else {
        values.push_back(std::make_unique<ConstantExpression>(Value(LogicalType(TypeId::kBoolean))));
      }
    }
    return values;
  }

  /// Returns the parameters for which the call has values rather than rows.
  std::vector<size_t> ValuesAmong(const RowsFit& fit) const {
    std::vector<size_t> parameters;
    for (size_t i = 0; i < fit.places.size(); i++) {
      const bool gets_rows = fit.candidate->function->parameters()[i].is_rows ||
                             (fit.spread != SIZE_MAX && i >= fit.spread && i < fit.spread + rows_.size());
      if (!gets_rows) parameters.push_back(i);
    }
    return parameters;
  }

  /// Makes the columns that are given of each row.
  RowsColumns TakeRows(const RowsFit& fit) {
    const auto& parameters = fit.candidate->function->parameters();
    RowsColumns columns;
    const RowsColumns* declared = nullptr;
    for (size_t i = 0; i < parameters.size(); i++)
      if (parameters[i].is_rows && fit.places[i]) declared = &parameters[i].columns;
    for (size_t i = 0; i < query_->types.size(); i++) {
      std::string name = query_->names[i];
      LogicalType type = TypeId::kNull;
      if (fit.spread != SIZE_MAX) {
        name = parameters[fit.spread + i].name;
        type = parameters[fit.spread + i].type;
      } else if (!declared->types.empty()) {
        name = declared->names[i];
        type = declared->types[i];
      }
      ExpressionPtr column = std::make_unique<ColumnRefExpression>(
          query_->types[i], ColumnBinding{query_->table_index, i}, query_->names[i]);
      if (type.id() != TypeId::kNull) column = Coerce(session_, std::move(column), type);
      columns.names.push_back(std::move(name));
      columns.types.push_back(column->type());
      rows_.push_back(std::move(column));
    }
    return columns;
  }

  std::shared_ptr<const BoundRowsCall> BindFunction(const RowsFunction& function, RowsArguments arguments) {
    try {
      return function.Bind(session_.context().functions, std::move(arguments));
    } catch (Error& error) {
      error.SetPositionIfUnknown(call_.position);
      throw;
    }
  }

  /// FROM f(...) AS i: the alias is also the name of the only column, if that has none of its own.
  std::vector<std::string> NamesFor(const RowsColumns& columns) const {
    std::vector<std::string> names = columns.names;
    if (names.size() == 1 && names[0] == call_.name.back() && !table_.alias.empty()) names[0] = table_.alias;
    return names;
  }

  BindSession& session_;
  QueryLevel& level_;
  const ItemsBefore& before_;
  const ast::FunctionTable& table_;
  const ast::FunctionCall& call_;
  std::vector<GivenArgument> given_;
  BoundQueryPtr query_;
  std::vector<ExpressionPtr> rows_;
  std::vector<ExpressionPtr> partition_by_;
  std::vector<SortKey> order_by_;
};

}  // namespace

std::optional<BoundFrom> BindRowsFunction(BindSession& session, QueryLevel& level, const ItemsBefore& before,
                                          const ast::FunctionTable& table) {
  const ast::FunctionCall& call = *table.call;
  std::vector<Candidate> candidates;
  HostedFunctions* const hosted = session.context().hosted;
  for (const FunctionEntryRef& entry : HostedRowsOf(session, call)) {
    if (hosted == nullptr) ThrowNotSupported("functions of the program cannot be called here", call.position);
    candidates.push_back({hosted->RowsOf(entry), entry});
  }
  if (candidates.empty() && call.name.size() == 1) {
    if (RowsFunctionRef function = session.context().registry.FindRows(call.name[0]))
      candidates.push_back({std::move(function), nullptr});
  }
  if (candidates.empty()) return std::nullopt;
  return RowsCallBinder(session, level, before, table).Bind(candidates);
}

}  // namespace scaup
