// x op ANY (list) and x op ALL (list).
#include <algorithm>
#include <cstring>

#include "function/scalar/nested/list_binding.hpp"

namespace scaup {
namespace {

enum class Comparison : uint8_t { kEqual, kNotEqual, kLess, kLessEqual, kGreater, kGreaterEqual };

/// Slots of values are in the values' order.
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

/// Whether elements are strings, of which equal ones are equal bytes somewhere in a list.
bool AreStrings(const LogicalType& element) {
  return element.id() == TypeId::kVarchar || element.id() == TypeId::kBlob;
}

/// False only where no slot of the list is `slot` and none is NULL. For lists that mostly lack it: one pass
/// over the bytes, wherever slots begin.
bool MayHaveSlot(std::string_view list, std::string_view slot) {
  if (list.find(kSlotNull) != std::string_view::npos) return true;
  if (list.size() < slot.size()) return false;
  // As much of the slot as a word holds is compared at once.
  const size_t begin_bytes = std::min(slot.size(), sizeof(uint64_t));
  const uint64_t mask = UINT64_MAX >> 8 * (sizeof(uint64_t) - begin_bytes);
  uint64_t wanted = 0, word = 0;
  std::memcpy(&wanted, slot.data(), begin_bytes);
  const size_t end = list.size() - slot.size() + 1;
  const size_t whole_end =
      list.size() < sizeof(uint64_t) ? 0 : std::min(end, list.size() - sizeof(uint64_t) + 1);
  size_t at = 0;
  const auto is_here = [&] {
    return (word & mask) == wanted && std::memcmp(list.data() + at, slot.data(), slot.size()) == 0;
  };
  for (; at < whole_end; at++) {
    std::memcpy(&word, list.data() + at, sizeof(word));
    if (is_here()) return true;
  }
  if (at == end) return false;
  word = 0;
  std::memcpy(&word, list.data() + at, list.size() - at);
  for (; at < end; at++, word >>= 8) {
    if (is_here()) return true;
  }
  return false;
}

/// ANY is true when one comparison is, else unknown when one is; ALL the same with false.
template <Comparison kOp, bool kAny>
void Quantified(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const ListCallData& data = ListDataOf(call);
  const size_t count = arguments.size();
  const UnifiedView values = arguments.column(0).View(count);
  const auto lists = arguments.column(1).ViewAs<StringRef>(count);
  auto* out = result.MutableData<uint8_t>();
  const bool has_one_value = arguments.column(0).is_constant();
  [[maybe_unused]] const bool are_strings = AreStrings(data.element);
  std::string value;
  for (size_t row = 0; row < count; row++) {
    if (!lists.IsValid(row)) {
      result.SetNull(row);
      continue;
    }
    const bool is_null = !values.IsValid(row);
    if (value.empty() || !has_one_value) {
      value.clear();
      data.append(data.element, values, row, value);
    }
    if constexpr (kAny && kOp == Comparison::kEqual) {
      if (!is_null && are_strings && !MayHaveSlot(lists[row].view(), value)) {
        out[row] = 0;
        continue;
      }
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

std::unique_ptr<FunctionData> Bind(ScalarFunction& function, std::span<const BindArgument> arguments) {
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
                    .bind = &Bind,
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
  Add<Comparison::kEqual>(list, "= any", "= all", "2 = ANY (ARRAY[1, 2])", "2 = ALL (ARRAY[2, 2])");
  Add<Comparison::kNotEqual>(list, "<> any", "<> all", "2 <> ANY (ARRAY[1, 2])", "2 <> ALL (ARRAY[1, 3])");
  Add<Comparison::kLess>(list, "< any", "< all", "1 < ANY (ARRAY[1, 2])", "1 < ALL (ARRAY[2, 3])");
  Add<Comparison::kLessEqual>(list, "<= any", "<= all", "1 <= ANY (ARRAY[1, 2])", "1 <= ALL (ARRAY[1, 2])");
  Add<Comparison::kGreater>(list, "> any", "> all", "2 > ANY (ARRAY[1, 2])", "3 > ALL (ARRAY[1, 2])");
  Add<Comparison::kGreaterEqual>(list, ">= any", ">= all", "2 >= ANY (ARRAY[1, 2])",
                                 "2 >= ALL (ARRAY[1, 2])");
  return list;
}

}  // namespace scaup
