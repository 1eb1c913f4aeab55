// width_bucket(x, list): in which of the buckets between the thresholds of a list a value lies.
#include <algorithm>

#include "common/throw.hpp"
#include "function/scalar/nested/list_binding.hpp"

namespace scaup {
namespace {

/// Slots are ordered by their bytes, so that values of all types are found alike.
void BucketAmongThresholds(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const ListCallData& data = ListDataOf(call);
  const size_t count = arguments.size();
  const UnifiedView wanted = arguments.column(0).View(count);
  const auto lists = arguments.column(1).ViewAs<StringRef>(count);
  auto* out = result.MutableData<int32_t>();
  std::vector<std::string_view> thresholds;
  std::string slot;
  for (size_t row = 0; row < count; row++) {
    if (!wanted.IsValid(row) || !lists.IsValid(row)) {
      result.SetNull(row);
      continue;
    }
    thresholds.clear();
    ForEachSlot(data.element, lists[row].view(), [&](std::string_view threshold) {
      if (IsNullSlot(threshold))
        ThrowError(ErrorKind::kOutOfRange, "22004", "thresholds array must not contain NULLs");
      thresholds.push_back(threshold);
    });
    slot.clear();
    data.append(data.element, wanted, row, slot);
    out[row] = static_cast<int32_t>(
        std::upper_bound(thresholds.begin(), thresholds.end(), std::string_view(slot)) - thresholds.begin());
  }
}

std::unique_ptr<FunctionData> BindThresholds(ScalarFunction& function,
                                             std::span<const BindArgument> arguments) {
  return BindElements(function, arguments, {1}, {0});
}

}  // namespace

ScalarFunctionList ListBucketFunctions() {
  ScalarFunction function = MakeNestedFunction(
      "width_bucket", {kAnyType, AnyListType()}, TypeId::kInteger, &BucketAmongThresholds, &BindThresholds,
      "How many of the thresholds in a list, which are in ascending order, a value reaches.",
      "width_bucket(25, ARRAY[10, 20, 30])");
  function.can_fail = true;
  return {function};
}

}  // namespace scaup
