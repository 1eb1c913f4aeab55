// Changes whole lists: array_remove, array_replace, list_sort, list_grade_up, list_distinct, list_reverse.
#include <algorithm>
#include <numeric>
#include <optional>
#include <unordered_set>

#include "common/running_call.hpp"
#include "common/throw.hpp"
#include "function/scalar/nested/list_binding.hpp"

namespace scaup {
namespace {

void Remove(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const ListCallData& data = ListDataOf(call);
  const UnifiedView unwanted = arguments.column(1).View(arguments.size());
  std::string slot;
  MakeStrings(arguments.column(0), arguments.size(), result,
              [&](size_t row, std::string_view list, std::string& slots) {
                slot.clear();
                data.append(data.element, unwanted, row, slot);
                ForEachSlot(data.element, list, [&](std::string_view given) {
                  if (given != slot) slots += given;
                });
                return true;
              });
}

void Replace(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const ListCallData& data = ListDataOf(call);
  const UnifiedView before = arguments.column(1).View(arguments.size());
  const UnifiedView after = arguments.column(2).View(arguments.size());
  std::string before_slot, after_slot;
  MakeStrings(arguments.column(0), arguments.size(), result,
              [&](size_t row, std::string_view list, std::string& slots) {
                before_slot.clear();
                after_slot.clear();
                data.append(data.element, before, row, before_slot);
                data.append(data.element, after, row, after_slot);
                ForEachSlot(data.element, list, [&](std::string_view given) {
                  slots += given == before_slot ? std::string_view(after_slot) : given;
                });
                return true;
              });
}

/// Replaces each list by the slots as rearranged by change(slots).
template <typename Change>
void Rearrange(const ScalarCall& call, DataChunk& arguments, Vector& result, Change&& change) {
  const LogicalType& element = ListDataOf(call).element;
  std::vector<std::string_view> parts;
  MakeStrings(arguments.column(0), arguments.size(), result,
              [&](size_t row, std::string_view list, std::string& slots) {
                parts.clear();
                ForEachSlot(element, list, [&](std::string_view slot) { parts.push_back(slot); });
                change(row, parts);
                for (const std::string_view part : parts) slots += part;
                return true;
              });
}

void Reverse(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  Rearrange(call, arguments, result,
            [](size_t, std::vector<std::string_view>& slots) { std::reverse(slots.begin(), slots.end()); });
}

/// Retains the first occurrence of each value; NULLs are dropped, as in DuckDB.
void Distinct(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  std::unordered_set<std::string_view> seen;
  Rearrange(call, arguments, result, [&](size_t, std::vector<std::string_view>& slots) {
    seen.clear();
    std::erase_if(slots,
                  [&](std::string_view slot) { return IsNullSlot(slot) || !seen.insert(slot).second; });
  });
}

void Unique(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const LogicalType& element = ListDataOf(call).element;
  const auto lists = arguments.column(0).ViewAs<StringRef>(arguments.size());
  auto* out = result.MutableData<int64_t>();
  std::unordered_set<std::string_view> seen;
  for (size_t row = 0; row < arguments.size(); row++) {
    if (!lists.IsValid(row)) {
      result.SetNull(row);
      continue;
    }
    seen.clear();
    ForEachSlot(element, lists[row].view(), [&](std::string_view slot) {
      if (!IsNullSlot(slot)) seen.insert(slot);
    });
    out[row] = static_cast<int64_t>(seen.size());
  }
}

void SortSlots(std::vector<std::string_view>& slots, bool descending, bool nulls_first) {
  const auto first_null = std::stable_partition(slots.begin(), slots.end(),
                                                [](std::string_view slot) { return !IsNullSlot(slot); });
  const auto value_count = first_null - slots.begin();
  size_t compared = 0;
  const auto sort = [&](const auto& before) {
    constexpr size_t kCheckedComparisons = 4096;
    std::sort(slots.begin(), first_null, [&](std::string_view a, std::string_view b) {
      if (++compared % kCheckedComparisons == 0) RunningCall::CheckInterrupt();
      return before(a, b);
    });
  };
  descending ? sort(std::greater<>()) : sort(std::less<>());
  if (nulls_first) std::rotate(slots.begin(), slots.begin() + value_count, slots.end());
}

template <bool kDescending>
void Sort(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  Rearrange(call, arguments, result,
            [](size_t, std::vector<std::string_view>& slots) { SortSlots(slots, kDescending, kDescending); });
}

bool IsWord(std::string_view text, std::string_view lower) {
  return text.size() == lower.size() &&
         std::equal(text.begin(), text.end(), lower.begin(), [](char a, char b) {
           return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
         });
}

/// Reads one of two words, in any case; returns false for the first.
bool ReadWord(const StringRef& text, const char* no, const char* yes) {
  if (IsWord(text.view(), no)) return false;
  if (IsWord(text.view(), yes)) return true;
  ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidParameterValue,
             "\"" + text.ToString() + "\" is neither " + no + " nor " + yes);
}

/// Reads the order and the place of NULLs, which follow the elements to sort.
class SortOrder {
 public:
  explicit SortOrder(DataChunk& arguments) {
    if (arguments.column_count() > 1) orders_ = arguments.column(1).ViewAs<StringRef>(arguments.size());
    if (arguments.column_count() > 2) nulls_ = arguments.column(2).ViewAs<StringRef>(arguments.size());
  }
  bool IsDescending(size_t row) const {
    return orders_ && orders_->IsValid(row) && ReadWord((*orders_)[row], "asc", "desc");
  }
  bool HasNullsFirst(size_t row) const {
    if (!nulls_ || !nulls_->IsValid(row)) return IsDescending(row);
    return ReadWord((*nulls_)[row], "nulls last", "nulls first");
  }

 private:
  std::optional<TypedView<StringRef>> orders_, nulls_;
};

/// Implements list_sort(list, 'DESC', 'NULLS FIRST').
void SortAs(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const SortOrder order(arguments);
  Rearrange(call, arguments, result, [&](size_t row, std::vector<std::string_view>& slots) {
    SortSlots(slots, order.IsDescending(row), order.HasNullsFirst(row));
  });
}

/// list_grade_up: the positions of the elements in the order of list_sort; equal ones stay in theirs.
void GradeUp(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const LogicalType& element = ListDataOf(call).element;
  const SortOrder order(arguments);
  std::vector<std::string_view> parts;
  std::vector<size_t> places;
  MakeStrings(arguments.column(0), arguments.size(), result,
              [&](size_t row, std::string_view list, std::string& slots) {
                parts.clear();
                ForEachSlot(element, list, [&](std::string_view slot) { parts.push_back(slot); });
                places.resize(parts.size());
                std::iota(places.begin(), places.end(), size_t{0});
                const bool is_descending = order.IsDescending(row), nulls_first = order.HasNullsFirst(row);
                RunningCall::CheckInterrupt();
                std::stable_sort(places.begin(), places.end(), [&](size_t a, size_t b) {
                  const bool a_null = IsNullSlot(parts[a]), b_null = IsNullSlot(parts[b]);
                  if (a_null || b_null) return a_null != b_null && a_null == nulls_first;
                  return is_descending ? parts[b] < parts[a] : parts[a] < parts[b];
                });
                for (const size_t place : places) AppendFixedSlot(static_cast<int64_t>(place + 1), slots);
                return true;
              });
}

std::unique_ptr<FunctionData> BindGrade(ScalarFunction& function, std::span<const BindArgument> arguments) {
  return BindElements(function, arguments, {0}, {});
}

/// Flattens nested lists to a list of the innermost elements.
void Leaves(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const LogicalType& element = ListDataOf(call).element;
  MakeStrings(arguments.column(0), arguments.size(), result,
              [&](size_t, std::string_view list, std::string& slots) {
                ForEachLeaf(element, list, [&](std::string_view slot) { slots += slot; });
                return true;
              });
}

std::unique_ptr<FunctionData> BindLeaves(ScalarFunction& function, std::span<const BindArgument> arguments) {
  auto data = BindElements(function, arguments, {0}, {});
  function.return_type = LogicalType::List(LeafType(data->element));
  return data;
}

void Unnest(const ScalarCall&, DataChunk&, Vector&) {
  ThrowNotSupported("unnest() cannot stand here; put it into FROM");
}

std::unique_ptr<FunctionData> BindUnnest(ScalarFunction& function, std::span<const BindArgument> arguments) {
  auto data = BindElements(function, arguments, {0}, {});
  function.return_type = data->element;
  return data;
}

std::unique_ptr<FunctionData> BindList(ScalarFunction& function, std::span<const BindArgument> arguments) {
  auto data = BindElements(function, arguments, {0}, {});
  if (function.return_type.id() == TypeId::kList) function.return_type = LogicalType::List(data->element);
  return data;
}

std::unique_ptr<FunctionData> BindRemove(ScalarFunction& function, std::span<const BindArgument> arguments) {
  auto data = BindElements(function, arguments, {0}, {1});
  function.return_type = LogicalType::List(data->element);
  return data;
}

std::unique_ptr<FunctionData> BindReplace(ScalarFunction& function, std::span<const BindArgument> arguments) {
  auto data = BindElements(function, arguments, {0}, {1, 2});
  function.return_type = LogicalType::List(data->element);
  return data;
}

}  // namespace

ScalarFunctionList ListEditFunctions() {
  ScalarFunctionList list;
  const LogicalType any_list = AnyListType();
  const auto add = [&](const char* name, std::vector<LogicalType> types, ScalarKernel kernel, ScalarBind bind,
                       const char* description, const char* example) {
    list.push_back(MakeNestedFunction(name, std::move(types), any_list, kernel, bind, description, example));
  };
  add("list_leaves", {any_list}, &Leaves, &BindLeaves, "The elements of lists within a list, as one list.",
      "list_leaves(ARRAY[[1, 2], [3, 4]])");
  add(kUnnestFunction, {any_list}, &Unnest, &BindUnnest,
      "A row for each element, in FROM or in the SELECT list.", "unnest(ARRAY[1, 2, 3])");
  list.back().volatility = Volatility::kVolatile;
  list.back().can_fail = true;
  list.back().returns_set = true;
  add("array_remove", {any_list, kAnyType}, &Remove, &BindRemove, "The list without elements equal to x.",
      "array_remove(ARRAY[1, 2, 1], 1)");
  add("array_replace", {any_list, kAnyType, kAnyType}, &Replace, &BindReplace,
      "The list with y in the place of every element equal to x.", "array_replace(ARRAY[1, 2, 1], 1, 5)");
  for (const char* name : {"list_reverse", "array_reverse"}) {
    add(name, {any_list}, &Reverse, &BindList, "The elements from the last to the first.",
        "list_reverse(ARRAY[1, 2, 3])");
  }
  for (const char* name : {"list_distinct", "array_distinct"}) {
    add(name, {any_list}, &Distinct, &BindList, "Each element once, without NULLs.",
        "list_distinct(ARRAY[1, 2, 1])");
  }
  for (const char* name : {"list_unique", "array_unique"}) {
    add(name, {any_list}, &Unique, &BindList, "How many different elements there are, without NULLs.",
        "list_unique(ARRAY[1, 2, 1])");
    list.back().return_type = TypeId::kBigInt;
  }
  for (const char* name : {"list_sort", "array_sort"}) {
    add(name, {any_list}, &Sort<false>, &BindList, "The elements in ascending order, NULLs last.",
        "list_sort(ARRAY[3, 1, 2])");
    add(name, {any_list, TypeId::kVarchar}, &SortAs, &BindList, "The elements in order, 'ASC' or 'DESC'.",
        "list_sort(ARRAY[3, 1, 2], 'DESC')");
    list.back().can_fail = true;
    add(name, {any_list, TypeId::kVarchar, TypeId::kVarchar}, &SortAs, &BindList,
        "The elements in order, NULLs first or last.", "list_sort(ARRAY[3, NULL, 2], 'DESC', 'NULLS LAST')");
    list.back().can_fail = true;
  }
  for (const char* name : {"list_grade_up", "array_grade_up", "grade_up"}) {
    std::vector<LogicalType> types = {any_list};
    const auto add_grade = [&](const char* description, const char* example) {
      add(name, types, &GradeUp, &BindGrade, description, example);
      list.back().return_type = LogicalType::List(TypeId::kBigInt);
      list.back().can_fail = types.size() > 1;
      types.push_back(TypeId::kVarchar);
    };
    add_grade("The positions of the elements in ascending order, NULLs last.", "list_grade_up([30, 10, 20])");
    add_grade("The same in an order, 'ASC' or 'DESC'.", "list_grade_up([30, 10, 20], 'DESC')");
    add_grade("The same with NULLs first or last.", "list_grade_up([30, NULL, 20], 'ASC', 'NULLS FIRST')");
  }
  for (const char* name : {"list_reverse_sort", "array_reverse_sort"}) {
    add(name, {any_list}, &Sort<true>, &BindList, "The elements in descending order, NULLs first.",
        "list_reverse_sort(ARRAY[3, 1, 2])");
  }
  return list;
}

}  // namespace scaup
