// x op ANY (list) and x op ALL (list).
#include <algorithm>

#include "function/scalar/nested/element_test.hpp"
#include "function/scalar/nested/list_binding.hpp"
#include "vector/string_search.hpp"

namespace scaup {
namespace {

enum class Comparison : uint8_t { kEqual, kNotEqual, kLess, kLessEqual, kGreater, kGreaterEqual };

/// Compares slots, whose byte order is the order of the values.
template <Comparison kOp>
bool Compare(std::string_view a, std::string_view b) {
  switch (kOp) {
    case Comparison::kEqual: return a == b;
    case Comparison::kNotEqual: return a != b;
    case Comparison::kLess: return a < b;
    case Comparison::kLessEqual: return a <= b;
    case Comparison::kGreater: return a > b;
    case Comparison::kGreaterEqual: return a >= b;
  }
  return false;
}

/// Sets may_hold[row] to 0 only if no element of the list is `slot` and none is NULL. For string elements,
/// whose slots can be found by their bytes anywhere in a list.
void FindCandidates(const KernelTable& kernels, const TypedView<StringRef>& lists, size_t count,
                    std::string_view slot, uint8_t* may_hold) {
  uint8_t may_have_null[kVectorSize];
  StringSearch(kernels, slot).Mark(lists, count, may_hold);
  StringSearch(kernels, {&kSlotNull, 1}).Mark(lists, count, may_have_null);
  kernels.mask_or(may_hold, may_have_null, count);
}

bool AreStrings(const LogicalType& element) {
  return element.id() == TypeId::kVarchar || element.id() == TypeId::kBlob;
}

/// ANY is true if one comparison is, otherwise NULL if one is; ALL is the same with false.
template <Comparison kOp, bool kAny>
void Quantified(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const ListCallData& data = ListDataOf(call);
  const size_t count = arguments.size();
  const UnifiedView values = arguments.column(0).View(count);
  const auto lists = arguments.column(1).ViewAs<StringRef>(count);
  auto* out = result.MutableData<uint8_t>();
  const bool has_one_value = arguments.column(0).is_constant();
  std::string value;
  uint8_t may_hold[kVectorSize];
  bool has_candidates = false;
  if constexpr (kAny && kOp == Comparison::kEqual) {
    has_candidates = has_one_value && values.IsValid(0) && AreStrings(data.element);
    if (has_candidates) {
      data.append(data.element, values, 0, value);
      FindCandidates(call.context.kernels, lists, count, value, may_hold);
    }
  }
  for (size_t row = 0; row < count; row++) {
    if (!lists.IsValid(row)) {
      result.SetNull(row);
      continue;
    }
    if (has_candidates && may_hold[row] == 0) {
      out[row] = 0;
      continue;
    }
    const bool is_null = !values.IsValid(row);
    if (value.empty() || !has_one_value) {
      value.clear();
      data.append(data.element, values, row, value);
    }
    bool is_decided = false, is_unknown = false;
    ForEachSlot(data.element, lists[row].view(), [&](std::string_view slot) {
      if (is_null || IsNullSlot(slot)) {
        is_unknown = true;
      } else {
        is_decided = is_decided || Compare<kOp>(value, slot) == kAny;
      }
    });
    out[row] = is_decided == kAny;
    if (!is_decided && is_unknown) result.SetNull(row);
  }
}

std::unique_ptr<FunctionData> BindQuantified(ScalarFunction& function,
                                             std::span<const BindArgument> arguments) {
  return BindElements(function, arguments, {1}, {0});
}

template <Comparison kOp>
void Add(ScalarFunctionList& list, const char* any_name, const char* all_name, const char* any_example,
         const char* all_example) {
  const auto add = [&](const char* name, ScalarKernel kernel, const char* description, const char* example) {
    list.push_back({.name = name,
                    .argument_types = {kAnyType, AnyListType()},
                    .return_type = TypeId::kBoolean,
                    .kernel = kernel,
                    .description = description,
                    .example = example,
                    .bind = &BindQuantified,
                    .nulls = NullHandling::kSpecial,
                    .can_fail = false,
                    .any_types = true});
  };
  add(any_name, &Quantified<kOp, true>, "Whether the comparison holds for an element.", any_example);
  add(all_name, &Quantified<kOp, false>, "Whether the comparison holds for all elements.", all_example);
}

}  // namespace

ScalarFunctionList QuantifiedFunctions() {
  ScalarFunctionList list;
  Add<Comparison::kEqual>(list, kEqualsAnyFunction, "= all", "2 = ANY (ARRAY[1, 2])",
                          "2 = ALL (ARRAY[2, 2])");
  Add<Comparison::kNotEqual>(list, "<> any", "<> all", "2 <> ANY (ARRAY[1, 2])", "2 <> ALL (ARRAY[1, 3])");
  Add<Comparison::kLess>(list, "< any", "< all", "1 < ANY (ARRAY[1, 2])", "1 < ALL (ARRAY[2, 3])");
  Add<Comparison::kLessEqual>(list, "<= any", "<= all", "1 <= ANY (ARRAY[1, 2])", "1 <= ALL (ARRAY[1, 2])");
  Add<Comparison::kGreater>(list, "> any", "> all", "2 > ANY (ARRAY[1, 2])", "3 > ALL (ARRAY[1, 2])");
  Add<Comparison::kGreaterEqual>(list, ">= any", ">= all", "2 >= ANY (ARRAY[1, 2])",
                                 "2 >= ALL (ARRAY[1, 2])");
  return list;
}

}  // namespace scaup
