// isnan, isinf and isfinite of floating point numbers; scale and min_scale of decimals.
#include <cmath>

#include "function/scalar/operators/arithmetic.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

template <typename T>
uint8_t IsNan(T value) {
  return std::isnan(value) ? 1 : 0;
}
template <typename T>
uint8_t IsInfinite(T value) {
  return std::isinf(value) ? 1 : 0;
}
template <typename T>
uint8_t IsFinite(T value) {
  return std::isfinite(value) ? 1 : 0;
}

template <typename T, uint8_t (*kTest)(T)>
void Test(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapUnary<T, uint8_t>(arguments.column(0), arguments.size(), result, kTest);
}

/// The number of fraction digits without trailing zeros.
template <typename T>
void MinScale(const ScalarCall&, DataChunk& arguments, Vector& result) {
  const int32_t scale = arguments.column(0).type().scale();
  MapUnary<T, int32_t>(arguments.column(0), arguments.size(), result, [scale](T value) {
    int32_t digits = value == 0 ? 0 : scale;
    for (; digits > 0 && value % 10 == 0; value = static_cast<T>(value / 10)) digits--;
    return digits;
  });
}

void Scale(const ScalarCall&, DataChunk& arguments, Vector& result) {
  const int32_t scale = arguments.column(0).type().scale();
  const UnifiedView view = arguments.column(0).View(arguments.size());
  int32_t* out = result.MutableData<int32_t>();
  for (size_t row = 0; row < arguments.size(); row++) {
    out[row] = scale;
    if (!view.IsValid(row)) result.SetNull(row);
  }
}

std::unique_ptr<FunctionData> BindScale(ScalarFunction& function, std::span<const BindArgument> arguments) {
  function.argument_types = {DecimalOfArgument(arguments[0])};
  return nullptr;
}

std::unique_ptr<FunctionData> BindMinScale(ScalarFunction& function,
                                           std::span<const BindArgument> arguments) {
  BindScale(function, arguments);
  switch (PhysicalTypeOf(function.argument_types[0])) {
    case PhysicalType::kInt16: function.kernel = &MinScale<int16_t>; break;
    case PhysicalType::kInt32: function.kernel = &MinScale<int32_t>; break;
    case PhysicalType::kInt64: function.kernel = &MinScale<int64_t>; break;
    default: function.kernel = &MinScale<int128_t>;
  }
  return nullptr;
}

}  // namespace

ScalarFunctionList NumberTestFunctions() {
  ScalarFunctionList list;
  const auto add = [&](const char* name, ScalarKernel of_real, ScalarKernel of_double,
                       const char* description, const char* example) {
    for (const TypeId type : {TypeId::kReal, TypeId::kDouble}) {
      list.push_back({.name = name,
                      .argument_types = {type},
                      .return_type = TypeId::kBoolean,
                      .kernel = type == TypeId::kReal ? of_real : of_double,
                      .description = description,
                      .example = example,
                      .can_fail = false});
    }
  };
  add("isnan", &Test<float, &IsNan<float>>, &Test<double, &IsNan<double>>, "Whether a number is NaN.",
      "isnan('NaN'::DOUBLE)");
  add("isinf", &Test<float, &IsInfinite<float>>, &Test<double, &IsInfinite<double>>,
      "Whether a number is infinite.", "isinf('-Infinity'::DOUBLE)");
  add("isfinite", &Test<float, &IsFinite<float>>, &Test<double, &IsFinite<double>>,
      "Whether a number is neither infinite nor NaN.", "isfinite(5.5::DOUBLE)");
  const auto add_scale = [&](const char* name, ScalarKernel kernel, ScalarBind bind, const char* description,
                             const char* example) {
    list.push_back({.name = name,
                    .argument_types = {kAnyDecimal},
                    .return_type = TypeId::kInteger,
                    .kernel = kernel,
                    .description = description,
                    .example = example,
                    .bind = bind,
                    .can_fail = false});
  };
  add_scale("scale", &Scale, &BindScale, "How many digits a DECIMAL has behind the point.",
            "scale(8.4100::DECIMAL(8, 4))");
  add_scale("min_scale", nullptr, &BindMinScale,
            "How many digits a DECIMAL needs behind the point, without zeros at the end.",
            "min_scale(8.4100::DECIMAL(8, 4))");
  return list;
}

}  // namespace scaup
