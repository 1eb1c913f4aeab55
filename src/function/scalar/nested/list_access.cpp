// Elements and parts of lists by position: a[i], a[i:j], list_extract, list_slice, trim_array.
#include <algorithm>
#include <limits>

#include "common/throw.hpp"
#include "function/scalar/nested/list_binding.hpp"

namespace scaup {
namespace {

/// An element by position. With kFromEnd, -1 is the last element, as in DuckDB's functions; otherwise it is
/// out of range.
template <bool kFromEnd>
void Element(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const ListCallData& data = ListDataOf(call);
  const size_t count = arguments.size();
  const auto lists = arguments.column(0).ViewAs<StringRef>(count);
  const auto positions = arguments.column(1).ViewAs<int64_t>(count);
  for (size_t row = 0; row < count; row++) {
    if (!lists.IsValid(row) || !positions.IsValid(row)) {
      result.SetNull(row);
      continue;
    }
    const std::string_view list = lists[row].view();
    int64_t position = positions[row];
    if (kFromEnd && position < 0) position += static_cast<int64_t>(CountSlots(data.element, list)) + 1;
    std::string_view slot;
    if (position > 0) {
      const auto index = static_cast<size_t>(position - 1);
      slot = SliceSlots(data.element, list, index, index + 1);
    }
    if (slot.empty()) {
      result.SetNull(row);
    } else {
      data.load(data.element, slot, result, row);
    }
  }
}

std::unique_ptr<FunctionData> BindElement(ScalarFunction& function, std::span<const BindArgument> arguments) {
  auto data = BindElements(function, arguments, {0}, {});
  function.return_type = data->element;
  return data;
}

template <bool kFromEnd>
void Slice(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const LogicalType& element = ListDataOf(call).element;
  const size_t count = arguments.size();
  const auto begins = arguments.column(1).ViewAs<int64_t>(count);
  const auto ends = arguments.column(2).ViewAs<int64_t>(count);
  MakeStrings(arguments.column(0), count, result, [&](size_t row, std::string_view list, std::string& slots) {
    if (!begins.IsValid(row) || !ends.IsValid(row)) return false;
    int64_t begin = begins[row], end = ends[row];
    if (kFromEnd && (begin < 0 || end < 0)) {
      const auto size = static_cast<int64_t>(CountSlots(element, list));
      if (begin < 0) begin += size + 1;
      if (end < 0) end += size + 1;
    }
    begin = std::max<int64_t>(begin, 1);
    if (end < begin) return true;
    slots = SliceSlots(element, list, static_cast<size_t>(begin - 1), static_cast<size_t>(end));
    return true;
  });
}

void TrimArray(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const LogicalType& element = ListDataOf(call).element;
  const auto counts = arguments.column(1).ViewAs<int64_t>(arguments.size());
  MakeStrings(arguments.column(0), arguments.size(), result,
              [&](size_t row, std::string_view list, std::string& slots) {
                if (!counts.IsValid(row)) return false;
                const auto size = static_cast<int64_t>(CountSlots(element, list));
                if (counts[row] < 0 || counts[row] > size) {
                  ThrowError(ErrorKind::kOutOfRange, sqlstate::kArrayElementError,
                             "number of elements to trim must be between 0 and " + std::to_string(size));
                }
                slots = SliceSlots(element, list, 0, static_cast<size_t>(size - counts[row]));
                return true;
              });
}

std::unique_ptr<FunctionData> BindPart(ScalarFunction& function, std::span<const BindArgument> arguments) {
  auto data = BindElements(function, arguments, {0}, {});
  function.return_type = LogicalType::List(data->element);
  return data;
}

}  // namespace

ScalarFunctionList ListAccessFunctions() {
  ScalarFunctionList list;
  const auto add = [&](const char* name, std::vector<LogicalType> types, ScalarKernel kernel, ScalarBind bind,
                       const char* description, const char* example) {
    list.push_back(MakeNestedFunction(name, std::move(types), kAnyType, kernel, bind, description, example));
  };
  const LogicalType any_list = AnyListType(), position = TypeId::kBigInt;
  add("array_subscript", {any_list, position}, &Element<false>, &BindElement,
      "The element at a position, counted from 1, as a[i]; NULL if there is none.",
      "array_subscript(ARRAY['a', 'b'], 2)");
  for (const char* name : {"list_extract", "list_element", "array_extract"}) {
    add(name, {any_list, position}, &Element<true>, &BindElement,
        "The element at a position, counted from 1, or backwards from -1; NULL if there is none.",
        "list_extract(ARRAY['a', 'b'], -1)");
  }
  add("array_subscript", {any_list, position, position}, &Slice<false>, &BindPart,
      "The elements from one position to another, as a[i:j].", "array_subscript(ARRAY[1, 2, 3], 2, 3)");
  for (const char* name : {"list_slice", "array_slice"}) {
    add(name, {any_list, position, position}, &Slice<true>, &BindPart,
        "The elements from one position to another, counted from 1, or backwards from -1.",
        "list_slice(ARRAY[1, 2, 3], 2, -1)");
  }
  add("trim_array", {any_list, position}, &TrimArray, &BindPart, "The list without its last n elements.",
      "trim_array(ARRAY[1, 2, 3], 1)");
  list.back().can_fail = true;
  return list;
}

}  // namespace scaup
