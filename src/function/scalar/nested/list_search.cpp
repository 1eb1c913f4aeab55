// Search for elements: array_position, array_positions, list_contains, and the operators @>, <@ and &&.
#include <algorithm>

#include "function/scalar/nested/element_test.hpp"
#include "function/scalar/nested/list_binding.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

/// Calls visit(position), from 1, for the elements equal to `wanted`, where NULL equals NULL; visit returns
/// false to stop.
template <typename Visit>
void ForEachMatch(const LogicalType& element, std::string_view list, std::string_view wanted, Visit&& visit) {
  for (int32_t position = 1; !list.empty(); position++) {
    if (TakeSlot(element, list) == wanted && !visit(position)) return;
  }
}

void ListPosition(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const ListCallData& data = ListDataOf(call);
  const size_t count = arguments.size();
  const bool has_start = arguments.column_count() == 3;
  const auto lists = arguments.column(0).ViewAs<StringRef>(count);
  const UnifiedView wanted = arguments.column(1).View(count);
  const UnifiedView starts = arguments.column(has_start ? 2 : 1).View(count);
  auto* out = result.MutableData<int32_t>();
  std::string slot;
  for (size_t row = 0; row < count; row++) {
    out[row] = 0;
    if (lists.IsValid(row) && (!has_start || starts.IsValid(row))) {
      const int32_t start = has_start ? starts.As<int32_t>()[row] : 1;
      slot.clear();
      data.append(data.element, wanted, row, slot);
      ForEachMatch(data.element, lists[row].view(), slot, [&](int32_t position) {
        if (position < start) return true;
        out[row] = position;
        return false;
      });
    }
    if (out[row] == 0) result.SetNull(row);
  }
}

void ListPositions(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const ListCallData& data = ListDataOf(call);
  const UnifiedView wanted = arguments.column(1).View(arguments.size());
  std::string slot;
  MakeStrings(arguments.column(0), arguments.size(), result,
              [&](size_t row, std::string_view list, std::string& slots) {
                slot.clear();
                data.append(data.element, wanted, row, slot);
                ForEachMatch(data.element, list, slot, [&](int32_t position) {
                  AppendFixedSlot(position, slots);
                  return true;
                });
                return true;
              });
}

void ListContains(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const ListCallData& data = ListDataOf(call);
  const size_t count = arguments.size();
  const auto lists = arguments.column(0).ViewAs<StringRef>(count);
  const UnifiedView wanted = arguments.column(1).View(count);
  auto* out = result.MutableData<uint8_t>();
  std::string slot;
  for (size_t row = 0; row < count; row++) {
    if (!lists.IsValid(row) || !wanted.IsValid(row)) {
      result.SetNull(row);
      continue;
    }
    out[row] = 0;
    slot.clear();
    data.append(data.element, wanted, row, slot);
    ForEachMatch(data.element, lists[row].view(), slot, [&](int32_t) {
      out[row] = 1;
      return false;
    });
  }
}

/// The sorted elements of a list, for lookups.
class SortedLeaves {
 public:
  void Set(const LogicalType& element, std::string_view list) {
    leaves_.clear();
    ForEachLeaf(element, list, [&](std::string_view slot) { leaves_.push_back(slot); });
    if (leaves_.size() > kFew) std::sort(leaves_.begin(), leaves_.end());
  }
  bool Has(std::string_view slot) const {
    if (leaves_.size() > kFew) return std::binary_search(leaves_.begin(), leaves_.end(), slot);
    return std::find(leaves_.begin(), leaves_.end(), slot) != leaves_.end();
  }

 private:
  static constexpr size_t kFew = 8;
  std::vector<std::string_view> leaves_;
};

/// Whether `whole` contains all elements of `parts`. No list contains a NULL.
void ContainsAll(const LogicalType& element, Vector& whole, Vector& parts, size_t count, Vector& result) {
  SortedLeaves leaves;
  MapBinary<StringRef, StringRef, uint8_t>(whole, parts, count, result,
                                           [&](const StringRef& list, const StringRef& wanted) {
                                             leaves.Set(element, list.view());
                                             bool has_all = true;
                                             ForEachLeaf(element, wanted.view(), [&](std::string_view slot) {
                                               has_all = has_all && !IsNullSlot(slot) && leaves.Has(slot);
                                             });
                                             return static_cast<uint8_t>(has_all);
                                           });
}

void HasAll(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  ContainsAll(ListDataOf(call).element, arguments.column(0), arguments.column(1), arguments.size(), result);
}

void IsWithin(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  ContainsAll(ListDataOf(call).element, arguments.column(1), arguments.column(0), arguments.size(), result);
}

void HasAny(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const LogicalType& element = ListDataOf(call).element;
  SortedLeaves leaves;
  MapBinary<StringRef, StringRef, uint8_t>(arguments.column(0), arguments.column(1), arguments.size(), result,
                                           [&](const StringRef& list, const StringRef& wanted) {
                                             leaves.Set(element, list.view());
                                             bool has_any = false;
                                             ForEachLeaf(element, wanted.view(), [&](std::string_view slot) {
                                               has_any = has_any || (!IsNullSlot(slot) && leaves.Has(slot));
                                             });
                                             return static_cast<uint8_t>(has_any);
                                           });
}

std::unique_ptr<FunctionData> BindSearchedElement(ScalarFunction& function,
                                                  std::span<const BindArgument> arguments) {
  return BindElements(function, arguments, {0}, {1});
}

std::unique_ptr<FunctionData> BindLists(ScalarFunction& function, std::span<const BindArgument> arguments) {
  return BindElements(function, arguments, {0, 1}, {});
}

}  // namespace

ScalarFunctionList ListSearchFunctions() {
  ScalarFunctionList list;
  const auto add = [&](const char* name, std::vector<LogicalType> types, const LogicalType& return_type,
                       ScalarKernel kernel, ScalarBind bind, const char* description, const char* example) {
    list.push_back(
        MakeNestedFunction(name, std::move(types), return_type, kernel, bind, description, example));
  };
  const LogicalType any_list = AnyListType();
  for (const char* name : {"array_position", "array_indexof", "list_position", "list_indexof"}) {
    add(name, {any_list, kAnyType}, TypeId::kInteger, &ListPosition, &BindSearchedElement,
        "The position of the first element equal to x; NULL if there is none.",
        "array_position(ARRAY['a', 'b'], 'b')");
  }
  add("array_position", {any_list, kAnyType, TypeId::kInteger}, TypeId::kInteger, &ListPosition,
      &BindSearchedElement,
      "The position, from a given one on, of the first element equal to x; NULL if there is none.",
      "array_position(ARRAY['a', 'b', 'a'], 'a', 2)");
  add("array_positions", {any_list, kAnyType}, LogicalType::List(TypeId::kInteger), &ListPositions,
      &BindSearchedElement, "The positions of all elements equal to x.",
      "array_positions(ARRAY['a', 'b', 'a'], 'a')");
  for (const char* name : kListContainsFunctions) {
    add(name, {any_list, kAnyType}, TypeId::kBoolean, &ListContains, &BindSearchedElement,
        "Whether the list has an element equal to x.", "list_contains(ARRAY[1, 2], 2)");
  }
  for (const char* name : {"@>", "list_has_all", "array_has_all"}) {
    add(name, {any_list, any_list}, TypeId::kBoolean, &HasAll, &BindLists,
        "Whether the first list has every element of the second.", "ARRAY[1, 2, 3] @> ARRAY[3, 1]");
  }
  add("<@", {any_list, any_list}, TypeId::kBoolean, &IsWithin, &BindLists,
      "Whether the second list has every element of the first.", "ARRAY[3, 1] <@ ARRAY[1, 2, 3]");
  for (const char* name : {"&&", "list_has_any", "array_has_any"}) {
    add(name, {any_list, any_list}, TypeId::kBoolean, &HasAny, &BindLists,
        "Whether the lists have an element in common.", "ARRAY[1, 2] && ARRAY[2, 3]");
  }
  return list;
}

}  // namespace scaup
