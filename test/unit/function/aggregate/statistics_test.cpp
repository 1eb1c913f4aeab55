// Tests of variance, standard deviation, covariance and correlation.
#include "aggregate_harness.hpp"
#include "value_makers.hpp"

namespace scaup {
namespace {

const LogicalType kDoubleType = TypeId::kDouble;

double MeanOf(const std::vector<std::vector<Value>>& rows, size_t column) {
  long double sum = 0;
  for (const auto& row : rows) sum += row[column].GetDouble();
  return static_cast<double>(sum / static_cast<long double>(rows.size()));
}

/// The sum of (a - mean of a) * (b - mean of b).
double ProductsOf(const std::vector<std::vector<Value>>& rows, size_t a, size_t b) {
  const double a_mean = MeanOf(rows, a), b_mean = MeanOf(rows, b);
  long double sum = 0;
  for (const auto& row : rows) sum += (row[a].GetDouble() - a_mean) * (row[b].GetDouble() - b_mean);
  return static_cast<double>(sum);
}

TEST_CASE("variance and standard deviation", "[aggregate]") {
  struct Case {
    const char* name;
    bool sample, root;
  };
  for (const Case& item :
       {Case{"var_samp", true, false}, Case{"variance", true, false}, Case{"var_pop", false, false},
        Case{"stddev_samp", true, true}, Case{"stddev", true, true}, Case{"stddev_pop", false, true}}) {
    // A large mean shows digits lost by sums of squares.
    CheckAgainst(
        BindByName(item.name, {TypeId::kDouble}), {Doubles(1e6, 1e6 + 10)},
        [&](const auto& rows) {
          if (rows.size() < (item.sample ? 2 : 1)) return Value(kDoubleType);
          const double variance =
              ProductsOf(rows, 0, 0) / static_cast<double>(rows.size() - (item.sample ? 1 : 0));
          return Value::Double(item.root ? std::sqrt(variance) : variance);
        },
        NearlySame);
  }
}

TEST_CASE("covariance and correlation", "[aggregate]") {
  const std::vector<LogicalType> types{TypeId::kDouble, TypeId::kDouble};
  const std::vector<ValueMaker> makers{Doubles(-5, 20), Doubles(0, 1000)};
  CheckAgainst(
      BindByName("covar_pop", types), makers,
      [](const auto& rows) {
        if (rows.empty()) return Value(kDoubleType);
        return Value::Double(ProductsOf(rows, 0, 1) / static_cast<double>(rows.size()));
      },
      NearlySame);
  CheckAgainst(
      BindByName("covar_samp", types), makers,
      [](const auto& rows) {
        if (rows.size() < 2) return Value(kDoubleType);
        return Value::Double(ProductsOf(rows, 0, 1) / static_cast<double>(rows.size() - 1));
      },
      NearlySame);
  CheckAgainst(
      BindByName("corr", types), makers,
      [](const auto& rows) {
        if (rows.size() < 2) return Value(kDoubleType);
        const double squares = ProductsOf(rows, 0, 0) * ProductsOf(rows, 1, 1);
        return squares == 0 ? Value(kDoubleType) : Value::Double(ProductsOf(rows, 0, 1) / std::sqrt(squares));
      },
      [](const Value& got, const Value& expected) { return NearlySame(got, expected); });
}

TEST_CASE("one row has no sample variance, and what does not vary no correlation", "[aggregate]") {
  const auto result_of = [](const char* name, const Columns& columns) {
    const BoundAggregate bound = BindByName(name, std::vector<LogicalType>(columns.size(), TypeId::kDouble));
    AggregateRun run(bound, 1, 1);
    run.MakeStates(3);
    run.Update(0, columns, {}, 0, columns[0].size(), Form::kFlat);
    return run.Finish()[0];
  };
  const std::vector<Value> one{Value::Double(2)};
  CHECK(result_of("var_samp", {one}).is_null());
  CHECK(result_of("var_pop", {one}) == Value::Double(0));
  CHECK(result_of("covar_samp", {one, one}).is_null());
  CHECK(result_of("covar_pop", {one, one}) == Value::Double(0));
  const std::vector<Value> three{Value::Double(1), Value::Double(2), Value::Double(4)};
  const std::vector<Value> same(3, Value::Double(7));
  CHECK(result_of("corr", {three, same}).is_null());
  CHECK(result_of("corr", {same, three}).is_null());
  CHECK(result_of("corr", {three, three}) == Value::Double(1));
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(std::isnan(result_of("var_pop", {{Value::Double(1), Value::Double(infinity)}}).GetDouble()));
}

}  // namespace
}  // namespace scaup
