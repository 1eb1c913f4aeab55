// The number of elements and dimensions of lists: cardinality, array_length, array_ndims and others.
#include "function/scalar/nested/list_binding.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

/// The length of dimension `wanted`, where 1 is the list itself; -1 if there is no such dimension. The first
/// inner list stands for all.
int64_t LengthOf(const LogicalType& element, std::string_view list, int64_t wanted) {
  if (wanted < 1 || list.empty()) return -1;
  if (wanted == 1) return static_cast<int64_t>(CountSlots(element, list));
  if (!IsPlainList(element)) return -1;
  const std::string_view first = TakeSlot(element, list);
  if (IsNullSlot(first)) return -1;
  return LengthOf(element.element(), ReadNestedSlot(element, first), wanted - 1);
}

int32_t DimensionsOf(const LogicalType& element, std::string_view list) {
  if (list.empty()) return 0;
  if (!IsPlainList(element)) return 1;
  const std::string_view first = TakeSlot(element, list);
  return 1 + (IsNullSlot(first) ? 0 : DimensionsOf(element.element(), ReadNestedSlot(element, first)));
}

void Size(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const LogicalType& element = ListDataOf(call).element;
  MapUnary<StringRef, int64_t>(arguments.column(0), arguments.size(), result, [&](const StringRef& list) {
    return static_cast<int64_t>(CountSlots(element, list.view()));
  });
}

void Cardinality(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const LogicalType& element = ListDataOf(call).element;
  MapUnary<StringRef, int32_t>(arguments.column(0), arguments.size(), result, [&](const StringRef& list) {
    int32_t count = 0;
    if (!IsPlainList(element)) return static_cast<int32_t>(CountSlots(element, list.view()));
    ForEachLeaf(element, list.view(), [&](std::string_view) { count++; });
    return count;
  });
}

/// Sets result[row] to compute(list, dimension); NULL if that is negative.
template <typename Compute>
void OfDimension(DataChunk& arguments, Vector& result, Compute&& compute) {
  const size_t count = arguments.size();
  const auto lists = arguments.column(0).ViewAs<StringRef>(count);
  const auto dimensions = arguments.column(1).ViewAs<int32_t>(count);
  auto* out = result.MutableData<int32_t>();
  for (size_t row = 0; row < count; row++) {
    const bool is_valid = lists.IsValid(row) && dimensions.IsValid(row);
    const int64_t value = is_valid ? compute(lists[row].view(), dimensions[row]) : -1;
    if (value < 0) {
      result.SetNull(row);
    } else {
      out[row] = static_cast<int32_t>(value);
    }
  }
}

void Length(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const LogicalType& element = ListDataOf(call).element;
  OfDimension(arguments, result,
              [&](std::string_view list, int32_t dimension) { return LengthOf(element, list, dimension); });
}

/// The lower bound of a dimension, which is always 1.
void ArrayLower(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const LogicalType& element = ListDataOf(call).element;
  OfDimension(arguments, result, [&](std::string_view list, int32_t dimension) {
    return LengthOf(element, list, dimension) < 0 ? -1 : 1;
  });
}

void Dimensions(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const LogicalType& element = ListDataOf(call).element;
  const auto lists = arguments.column(0).ViewAs<StringRef>(arguments.size());
  auto* out = result.MutableData<int32_t>();
  for (size_t row = 0; row < arguments.size(); row++) {
    out[row] = lists.IsValid(row) ? DimensionsOf(element, lists[row].view()) : 0;
    if (out[row] == 0) result.SetNull(row);
  }
}

void DimensionsText(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const LogicalType& element = ListDataOf(call).element;
  MakeStrings(arguments.column(0), arguments.size(), result,
              [&](size_t, std::string_view list, std::string& text) {
                const int32_t dimensions = DimensionsOf(element, list);
                for (int32_t i = 1; i <= dimensions; i++)
                  text += "[1:" + std::to_string(LengthOf(element, list, i)) + "]";
                return dimensions > 0;
              });
}

/// The positions of a dimension's elements; in reverse if the third argument is true.
void Subscripts(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const LogicalType& element = ListDataOf(call).element;
  const size_t count = arguments.size();
  const bool has_reverse = arguments.column_count() == 3;
  const auto dimensions = arguments.column(1).ViewAs<int32_t>(count);
  const UnifiedView reverse = arguments.column(has_reverse ? 2 : 1).View(count);
  MakeStrings(arguments.column(0), count, result, [&](size_t row, std::string_view list, std::string& slots) {
    if (!dimensions.IsValid(row) || !reverse.IsValid(row)) return false;
    const int64_t length = LengthOf(element, list, dimensions[row]);
    const bool is_reversed = has_reverse && reverse.As<uint8_t>()[row] != 0;
    for (int64_t i = 1; i <= length; i++)
      AppendFixedSlot(static_cast<int32_t>(is_reversed ? length + 1 - i : i), slots);
    return true;
  });
}

std::unique_ptr<FunctionData> BindListSize(ScalarFunction& function,
                                           std::span<const BindArgument> arguments) {
  return BindElements(function, arguments, {0}, {});
}

}  // namespace

ScalarFunctionList ListSizeFunctions() {
  ScalarFunctionList list;
  const auto add = [&](const char* name, std::vector<LogicalType> types, const LogicalType& return_type,
                       ScalarKernel kernel, const char* description, const char* example) {
    list.push_back(
        MakeNestedFunction(name, std::move(types), return_type, kernel, &BindListSize, description, example));
  };
  const LogicalType any_list = AnyListType();
  add("cardinality", {any_list}, TypeId::kInteger, &Cardinality,
      "How many elements a list has, those of lists within it counted one by one.",
      "cardinality(ARRAY[[1, 2], [3, 4]])");
  for (const char* name : {"len", "length", "array_length", "list_length"}) {
    add(name, {any_list}, TypeId::kBigInt, &Size, "How many elements a list has.", "len(ARRAY[1, 2, 3])");
  }
  add("array_length", {any_list, TypeId::kInteger}, TypeId::kInteger, &Length,
      "The length of a dimension, 1 being the list itself; NULL if it is empty.",
      "array_length(ARRAY[1, 2, 3], 1)");
  add("array_upper", {any_list, TypeId::kInteger}, TypeId::kInteger, &Length,
      "The position of the last element of a dimension; NULL if it is empty.", "array_upper(ARRAY[1, 2], 1)");
  add("array_lower", {any_list, TypeId::kInteger}, TypeId::kInteger, &ArrayLower,
      "The position of the first element of a dimension, always 1; NULL if it is empty.",
      "array_lower(ARRAY[1, 2], 1)");
  add("array_ndims", {any_list}, TypeId::kInteger, &Dimensions,
      "How many dimensions a list has; NULL if it is empty.", "array_ndims(ARRAY[[1], [2]])");
  add("array_dims", {any_list}, TypeId::kVarchar, &DimensionsText,
      "The positions of each dimension as text; NULL if it is empty.", "array_dims(ARRAY[[1], [2]])");
  const LogicalType positions = LogicalType::List(TypeId::kInteger);
  add("generate_subscripts", {any_list, TypeId::kInteger}, positions, &Subscripts,
      "A row for each position of a dimension.", "generate_subscripts(ARRAY['a', 'b'], 1)");
  list.back().returns_set = true;
  add("generate_subscripts", {any_list, TypeId::kInteger, TypeId::kBoolean}, positions, &Subscripts,
      "The same, backwards if the last argument is true.", "generate_subscripts(ARRAY['a', 'b'], 1, true)");
  list.back().returns_set = true;
  return list;
}

}  // namespace scaup
