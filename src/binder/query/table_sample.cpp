// Binds TABLESAMPLE to a predicate over row numbers.
#include "binder/query/table_sample.hpp"

#include <fmt/format.h>

#include "binder/bound/bound_modification.hpp"
#include "binder/scope/coercion.hpp"
#include "binder/scope/expression_binder.hpp"
#include "common/throw.hpp"

namespace scaup {

namespace {

/// Returns an argument of TABLESAMPLE, a constant number. `sqlstate` is that of the error for NULL.
double BindNumber(BindSession& session, QueryLevel& level, const ast::Expression& syntax,
                  const char* sqlstate, const char* what) {
  ExpressionBinder binder(session, level, Clause::kTableFunction);
  const Value value = EvaluateForBinding(session, *Coerce(session, binder.Bind(syntax), TypeId::kDouble),
                                         "an argument of TABLESAMPLE");
  if (value.is_null())
    ThrowError(ErrorKind::kOutOfRange, sqlstate, fmt::format("{} cannot be null", what), syntax.position);
  return value.GetDouble();
}

/// Returns the seed. Without REPEATABLE, it differs between statements and between the samples of a
/// statement.
ExpressionPtr BindSeed(BindSession& session, QueryLevel& level, const ast::TableSample& sample,
                       size_t table_index) {
  if (sample.seed) {
    return std::make_unique<ConstantExpression>(
        Value::Double(BindNumber(session, level, *sample.seed, "2202G", "TABLESAMPLE REPEATABLE parameter")));
  }
  std::vector<ExpressionPtr> parts, operands;
  parts.push_back(std::make_unique<ConstantExpression>(Value::Varchar("epoch")));
  parts.push_back(MakeScalarCall(session, "statement_timestamp", {}, sample.position));
  operands.push_back(MakeScalarCall(session, "date_part", std::move(parts), sample.position));
  operands.push_back(std::make_unique<ConstantExpression>(Value::Double(static_cast<double>(table_index))));
  return MakeScalarCall(session, "+", std::move(operands), sample.position);
}

}  // namespace

ExpressionPtr BindSampleTest(BindSession& session, QueryLevel& level, const ast::TableSample& sample,
                             ColumnBinding row_number) {
  const bool is_system = sample.method == "system";
  if (!is_system && sample.method != "bernoulli") {
    ThrowError(
        ErrorKind::kCatalog, sqlstate::kUndefinedObject,
        fmt::format("tablesample method {} does not exist; there are bernoulli and system", sample.method),
        sample.position);
  }
  constexpr const char* kBadArgument = "2202H";
  if (sample.arguments.size() != 1) {
    ThrowError(ErrorKind::kBinder, kBadArgument,
               fmt::format("tablesample method {} requires 1 argument, not {}", sample.method,
                           sample.arguments.size()),
               sample.position);
  }
  const double percent =
      BindNumber(session, level, *sample.arguments[0], kBadArgument, "TABLESAMPLE parameter");
  if (!(percent >= 0 && percent <= 100)) {
    ThrowError(ErrorKind::kOutOfRange, kBadArgument, "sample percentage must be between 0 and 100",
               sample.arguments[0]->position);
  }
  std::vector<ExpressionPtr> arguments;
  arguments.push_back(std::make_unique<ColumnRefExpression>(TypeId::kBigInt, row_number, kRowNumberName));
  if (is_system) {
    // The number of the block of 1024 rows.
    std::vector<ExpressionPtr> operands;
    operands.push_back(std::move(arguments[0]));
    operands.push_back(std::make_unique<ConstantExpression>(Value::Integer(10)));
    arguments[0] = MakeScalarCall(session, ">>", std::move(operands), sample.position);
  }
  arguments.push_back(std::make_unique<ConstantExpression>(Value::Double(percent)));
  arguments.push_back(BindSeed(session, level, sample, row_number.table_index));
  return MakeScalarCall(session, "is_sampled", std::move(arguments), sample.position);
}

}  // namespace scaup
