// coalesce and ifnull: the first argument that is not NULL.
#include "function/scalar/conditional/common_argument_type.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "type/visit_physical_type.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

/// Returns a value in memory of `result`: the bytes of long strings are copied.
template <typename T>
T Own(const T& value, Vector&) {
  return value;
}
StringRef Own(const StringRef& value, Vector& result) {
  return value.is_inline() ? value : result.AddString(value.view());
}

template <typename T>
void Coalesce(const ScalarCall&, DataChunk& arguments, Vector& result) {
  const size_t count = arguments.size();
  T* out = result.MutableData<T>();
  SelectionVector missing;  // rows that no argument has filled yet
  size_t missing_count = count;
  std::copy_n(IdentitySelection(), count, missing.rows);
  for (size_t column = 0; column < arguments.column_count() && missing_count > 0; column++) {
    const auto view = arguments.column(column).ViewAs<T>(count);
    size_t left = 0;
    for (size_t i = 0; i < missing_count; i++) {
      const sel_t row = missing.rows[i];
      if (view.IsValid(row)) {
        out[row] = Own(view[row], result);
      } else {
        missing.rows[left++] = row;
      }
    }
    missing_count = left;
  }
  for (size_t i = 0; i < missing_count; i++) result.SetNull(missing.rows[i]);
}

std::unique_ptr<FunctionData> BindCoalesce(ScalarFunction& function,
                                           std::span<const BindArgument> arguments) {
  const LogicalType type = CommonArgumentType("COALESCE", arguments);
  function.argument_types.assign(arguments.size(), type);
  function.return_type = type;
  function.kernel =
      VisitBits(PhysicalTypeOf(type), []<typename T>() -> ScalarKernel { return &Coalesce<T>; });
  return nullptr;
}

std::optional<ValueRange> Range(std::span<const std::optional<ValueRange>> arguments,
                                std::span<const LogicalType>, const LogicalType&) {
  std::optional<ValueRange> range;
  bool may_be_null = true;
  for (const auto& argument : arguments) {
    if (!argument) return std::nullopt;
    if (!range) range = argument;
    range->minimum = std::min(range->minimum, argument->minimum);
    range->maximum = std::max(range->maximum, argument->maximum);
    may_be_null &= argument->may_be_null;
  }
  if (range) range->may_be_null = may_be_null;
  return range;
}

}  // namespace

ScalarFunctionList CoalesceFunctions() {
  ScalarFunction coalesce{.name = "coalesce",
                          .description = "The first argument that is not NULL.",
                          .example = "coalesce(NULL, 2)",
                          .varargs = kAnyType,
                          .bind = &BindCoalesce,
                          .nulls = NullHandling::kSpecial,
                          .can_fail = false,
                          .range = &Range,
                          .any_types = true};
  ScalarFunction if_null = coalesce;
  if_null.name = "ifnull";
  if_null.argument_types = {kAnyType, kAnyType};
  if_null.varargs = std::nullopt;
  if_null.example = "ifnull(NULL, 2)";
  return {coalesce, if_null};
}

}  // namespace scaup
